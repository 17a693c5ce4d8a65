//! What the scripts of `submit` do where something has failed, with stand-ins for the programs of the engines.

use std::path::PathBuf;
use std::process::{Command, Output};

use super::{BLOCK, RANGE, clean, crunch, output, said, succeed, text};

/// A folder with a job in it, and one with programs that come first in the path.
struct Stage {
    root: tempfile::TempDir,
    job: PathBuf,
}

impl Stage {
    fn new(engine: &[&str], tasks: &str) -> Stage {
        let root = tempfile::tempdir().expect("a folder");
        let job = root.path().join("a job");
        std::fs::create_dir(root.path().join("bin")).expect("a folder");
        let search = [
            "reciprocal",
            "--range",
            RANGE,
            "--block",
            BLOCK,
            "-b",
            "scalar",
        ];
        let mut submit = crunch(&["submit"]);
        submit
            .args(engine)
            .args(search)
            .args(["--tasks", tasks, "--dir", text(&job)]);
        succeed(&mut submit);
        Stage { root, job }
    }

    /// A program of the shell, which appends its name and arguments to `calls` first.
    fn program(&self, name: &str, body: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.root.path().join("bin").join(name);
        let calls = self.root.path().join("calls");
        let text = format!(
            "#!/bin/sh\necho \"{name} $*\" >> '{}'\n{body}",
            calls.display()
        );
        std::fs::write(&path, text).expect("a program");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&path, mode).expect("permissions");
    }

    fn script(&self, name: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", self.root.path().join("bin").display());
        let mut command = clean("bash");
        command
            .arg(self.job.join(name))
            .env("PATH", path)
            .env("STAGE", self.root.path());
        command
    }

    fn submit(&self) -> Output {
        output(&mut self.script("submit.sh"))
    }

    /// The calls since the last look.
    fn calls(&self) -> Vec<String> {
        let path = self.root.path().join("calls");
        let calls = std::fs::read_to_string(&path).unwrap_or_default();
        let _ = std::fs::remove_file(path);
        calls.lines().map(String::from).collect()
    }
}

/// Slurm: a node's failure (3, 4) is tried again a few times, since it was submitted; bad input (2) is not. `status` shows the
/// error in the task's log.
#[test]
fn a_task_that_failed_is_queued_again_a_few_times() {
    let stage = Stage::new(&["slurm"], "4");
    stage.program("squeue", "echo RUNNING\n");
    stage.program("scontrol", "exit 0\n");
    succeed(clean("sh").arg(stage.job.join("task.sh")).arg("1/4"));
    let log = stage.job.join("task-3.log");
    let start = |code: &str, restarts: usize| {
        let task = format!("echo 'error: no such device'\nexit {code}\n");
        std::fs::write(stage.job.join("task.sh"), task).expect("a task");
        // Its output is its log, as Slurm does it.
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(&log);
        let restarts = restarts.to_string();
        let o = stage
            .script("array.sbatch")
            .env("SLURM_SUBMIT_DIR", &stage.job)
            .env("SLURM_ARRAY_TASK_ID", "3")
            .env("SLURM_ARRAY_JOB_ID", "7")
            .env("SLURM_JOB_ID", "9")
            .env("SLURM_RESTART_COUNT", restarts)
            .stdout(log.expect("the log"))
            .status()
            .expect("a shell");
        let requeued = stage.calls().contains(&"scontrol requeue 7_3".to_string());
        (o.code(), requeued)
    };
    for submission in 0..2 {
        let codes = ["4", "3"].iter().copied().cycle();
        let queued = codes.zip(0..).map(|(code, i)| start(code, i));
        let queued = queued.take_while(|q| *q == (Some(0), true)).count();
        assert_eq!(queued, 5, "submission {submission}");
    }
    for (code, queued) in [
        ("2", false),
        ("1", false),
        ("5", true),
        ("137", true),
        ("0", false),
    ] {
        let (end, requeued) = start(code, 0);
        assert_eq!(requeued, queued, "{code}");
        let end_of_task = if queued { Some(0) } else { code.parse().ok() };
        assert_eq!(end, end_of_task, "{code}");
    }
    let status = || succeed(&mut crunch(&["status", text(&stage.job)]));
    assert!(
        !status().contains("task-3.log"),
        "it has succeeded: {}",
        status()
    );
    start("4", 0);
    let said = status();
    let line = said.lines().find(|l| l.contains("task-3.log"));
    assert!(
        line.is_some_and(
            |l| l.contains("missing") && l.contains("ends with `error: no such device`")
        ),
        "{said}"
    );
}

/// Slurm: an array that is larger than its limit is not submitted, and the line names the limit.
#[test]
fn an_array_above_slurm_s_limit_is_not_submitted() {
    let stage = Stage::new(&["slurm"], "1001");
    stage.program("scontrol", "echo 'MaxArraySize            = 1001'\n");
    stage.program("sbatch", "echo 17\n");
    let o = stage.submit();
    assert_eq!(o.status.code(), Some(2), "{}", said(&o));
    assert!(
        said(&o).contains("arrays of up to 1000 (MaxArraySize 1001)"),
        "{}",
        said(&o)
    );
    assert_eq!(stage.calls(), ["scontrol show config"]);
    stage.program("scontrol", "echo 'MaxArraySize            = 1002'\n");
    let o = stage.submit();
    assert!(
        o.status.success() && said(&o).contains("array 17, then merge 17"),
        "{}",
        said(&o)
    );
    assert_eq!(
        stage.calls().last().map(String::as_str),
        Some("sbatch --parsable --dependency=afterok:17 merge.sbatch")
    );
}

/// Kubernetes: a Job that has failed is deleted before it is applied again; one that runs or is complete is not.
#[test]
fn a_job_that_failed_is_made_anew() {
    let stage = Stage::new(
        &["kubernetes", "--image", "an/image:1", "--claim", "runs"],
        "4",
    );
    // The state of a Job is a file; applied where there is none, it is complete at once.
    stage.program(
        "kubectl",
        r#"case $1 in
get) cat "$STAGE/job-$3" 2>/dev/null || true ;;
delete) rm "$STAGE/job-$3" ;;
apply)
    name=$(awk '$1 == "name:" {print $2; exit}' "$3")
    test -e "$STAGE/job-$name" || echo 'SuccessCriteriaMet Complete' > "$STAGE/job-$name" ;;
esac
"#,
    );
    let job = |name: &str| stage.root.path().join(format!("job-{name}"));
    let set = |name: &str| std::fs::write(job(name), "FailureTarget Failed\n").expect("a state");
    let is_complete = |name: &str| {
        let state = std::fs::read_to_string(job(name)).unwrap_or_default();
        state.contains("Complete")
    };
    let deleted = |calls: &[String]| {
        let deleted = calls.iter().filter(|c| c.starts_with("kubectl delete"));
        deleted.count()
    };
    for (failed, deletions) in [
        (&["crunch-reciprocal", "crunch-reciprocal-merge"][..], 2),
        (&["crunch-reciprocal-merge"], 1),
        (&[], 0),
    ] {
        failed.iter().for_each(|name| set(name));
        let o = stage.submit();
        assert!(o.status.success(), "{failed:?}: {}", said(&o));
        let calls = stage.calls();
        assert_eq!(deleted(&calls), deletions, "{calls:?}");
        assert!(is_complete("crunch-reciprocal") && is_complete("crunch-reciprocal-merge"));
    }
}
