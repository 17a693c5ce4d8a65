//! A job: its tasks, their command with the reasons for it, and the parts that the scripts of engines on a shared folder have in common.

use std::path::Path;

use crate::context::shell;

/// A file that `submit` writes.
pub(super) struct Written {
    pub(super) name: &'static str,
    pub(super) text: String,
}

impl Written {
    pub(super) fn new(name: &'static str, text: String) -> Written {
        Written { name, text }
    }
}

/// The work for an engine.
pub(super) struct Job {
    /// The sweep's name, which is used in names of jobs.
    pub(super) name: String,
    pub(super) tasks: u32,
    /// The shards that tasks claim, if they have none of their own.
    pub(super) claims: Option<Claims>,
    pub(super) program: String,
    /// `run` or `exact`, with their arguments except the shard.
    pub(super) command: Vec<String>,
    /// The certificate, if the job is a proof.
    pub(super) certificate: Option<String>,
}

/// Shards that are claimed.
pub(super) struct Claims {
    pub(super) shards: u32,
    /// The time of a task.
    pub(super) time: f64,
    /// Whether a task ends when its time is up. If nothing starts a single task again, all tasks continue until no shard is open. They then
    /// end together, which is the purpose of the time.
    pub(super) ends: bool,
}

impl Job {
    /// The words of one task's command, which receives its place or its shard.
    pub(super) fn words(&self, place: &str) -> Vec<String> {
        let mut words = vec![self.program.clone()];
        words.extend(self.command.iter().cloned());
        let Some(claims) = &self.claims else {
            words.extend(["--shard", place].map(String::from));
            if self.certificate.is_none() {
                words.push("--continue".into());
            }
            return words;
        };
        words.extend(["--shards".into(), claims.shards.to_string()]);
        if claims.ends {
            words.extend(["--task-time".into(), format!("{}s", claims.time)]);
        }
        words.extend(["--task", place].map(String::from));
        words
    }

    /// The meaning of a task's number, as the end of `A task's number is`.
    pub(super) fn number(&self) -> &'static str {
        match self.claims {
            None => "its shard's",
            Some(_) => "its place, where it begins to claim shards",
        }
    }

    /// The tasks and their shards.
    pub(super) fn tasks(&self) -> String {
        match &self.claims {
            None => format!("{} tasks, each for one shard", self.tasks),
            Some(c) => format!("{} tasks, which claim {} shards", self.tasks, c.shards),
        }
    }

    /// The reasons for the options in a task's command, one per line.
    pub(super) fn reasons(&self) -> Vec<String> {
        let of_both = [(
            "-j",
            "the processors of a task; more would be taken from its neighbours.",
        )];
        let of_run = [
            (
                "--block",
                "written out, because another version may have another default, and shards with different block sizes do not merge.",
            ),
            (
                "--backend",
                "each node chooses from these by itself; results do not depend on the choice.",
            ),
            (
                "--measure",
                "what is measured is part of the run's identity.",
            ),
            (
                "--group-seconds",
                "how often each task commits to the shared file system, and how much is lost if it is killed.",
            ),
        ];
        let of_exact = [
            (
                "--cells",
                "the division into shards depends on it, so it is written out.",
            ),
            (
                "--time",
                "a proof in shards ends when it is proven, or when the engine stops it.",
            ),
        ];
        let mut lines = vec![match (&self.certificate, &self.claims) {
            (None, None) => {
                "The run file is named after the shard; --continue: if the file exists, the task continues it."
                    .into()
            }
            (None, Some(_)) => {
                "--shards: those that are neither complete nor held by another task, one after the other; started ones are continued. \
                 A fast node therefore takes more of them than a slow one."
                    .into()
            }
            (Some(file), _) => format!(
                "The proof of a shard is kept in {file}.I-of-N.part; if the file exists, the task continues it."
            ),
        }];
        let all = of_both.iter().chain(&of_run).chain(&of_exact);
        let given = all.filter(|(option, _)| self.command.iter().any(|w| w == option));
        lines.extend(given.map(|(option, why)| format!("{option}: {why}")));
        if self.claims.as_ref().is_some_and(|c| c.ends) {
            lines.push(
                "--task-time: the task starts a shard only if its own rate can complete it in this time. A task that has done less than its \
                 share by then ends with 5 if shards are open."
                    .into(),
            );
        }
        lines
    }

    /// The file into which the shards are merged, and the shell command that merges them once.
    pub(super) fn merging(&self) -> (&str, String) {
        let out = self.certificate.as_deref().unwrap_or("merged.crunch");
        let command = format!(
            "test -e {0} || exec {1} merge {0} .",
            quoted(out),
            quoted(&self.program)
        );
        (out, command)
    }

    /// The scripts that engines on a shared folder have in common.
    pub(super) fn scripts(&self) -> Vec<Written> {
        let words = self.words("");
        let words: Vec<String> = words
            .iter()
            .map(|w| match w.is_empty() {
                true => "\"${1:-auto}\"".into(),
                false => quoted(w),
            })
            .collect();
        let task = script(
            match self.claims {
                None => {
                    "One task: the shard given as I/N or, without an argument, by the environment."
                }
                Some(_) => {
                    "One task: the task given as I/N or, without an argument, by the environment."
                }
            },
            &format!(
                "{}exec {}\n",
                comments("", &self.reasons()),
                words.join(" ")
            ),
        );
        let (out, command) = self.merging();
        let merge = script(
            "Puts the shards of this folder together, once.",
            &format!("# A merge that was cut short does not leave {out}.\n{command}\n"),
        );
        vec![
            Written::new("task.sh", task),
            Written::new("merge.sh", merge),
        ]
    }
}

/// Comment lines, each with `indent` in front.
pub(super) fn comments(indent: &str, lines: &[String]) -> String {
    lines.iter().map(|l| format!("{indent}# {l}\n")).collect()
}

/// A word of a shell's command.
pub(super) fn quoted(word: &str) -> String {
    shell(Path::new(word))
}

/// A shell script that works in its own folder.
pub(super) fn script(purpose: &str, body: &str) -> String {
    format!("#!/bin/sh\n# {purpose}\ncd \"$(dirname \"$0\")\" || exit 4\n{body}")
}

/// A sweep's name as part of a file name.
pub(super) fn plain(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "._-+@$".contains(c);
    name.replace(|c| !plain(c), "_")
}
