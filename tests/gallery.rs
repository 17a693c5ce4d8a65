//! The gallery of faults: each command of `docs/book/src/evidence/gallery.md` gives the answer that the page shows.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

#[path = "support/run.rs"]
mod run;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use doublecrunch::backend::skip::skip;

use run::Run;

const PAGE: &str = include_str!("../docs/book/src/evidence/gallery.md");
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/gallery.c");

/// A command of the page, and what the page shows of its output.
struct Shown {
    command: String,
    lines: Vec<String>,
}

fn shown(page: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match line.strip_prefix("$ ") {
                Some(command) => all.push(Shown {
                    command: command.into(),
                    lines: Vec::new(),
                }),
                None => {
                    let last = all.last_mut().expect("a command");
                    last.lines.push(line.into());
                }
            },
        }
    }
    all
}

/// The words of a command line; double quotes hold words together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('"').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(String::from)),
            _ => words.push(part.into()),
        }
    }
    words
}

/// Whether the lines are those shown, where `…` stands for any number of lines.
fn matches(shown: &[String], lines: &[&str]) -> bool {
    match shown {
        [] => lines.is_empty(),
        [any, rest @ ..] if any == "…" => (0..=lines.len()).any(|n| matches(rest, &lines[n..])),
        [first, rest @ ..] => {
            lines.first().is_some_and(|l| l == first) && matches(rest, &lines[1..])
        }
    }
}

fn answer(folder: &Path, command: &str) -> String {
    let words = words(command);
    assert_eq!(words[0], "crunch", "{command}");
    let ended = Run::of(
        Command::new(env!("CARGO_BIN_EXE_crunch"))
            .args(&words[1..])
            .args(["-j", "1"].iter().filter(|_| words[1] == "run"))
            .args(["-o", "run.crunch"].iter().filter(|_| is_kept(&words)))
            .current_dir(folder)
            .env_remove("CRUNCH_REQUIRE"),
    );
    assert!(
        matches!(ended.code, Some(0 | 1)),
        "{command}: {}",
        ended.text()
    );
    let path = folder.canonicalize().expect("a folder");
    ended.out.replace(path.to_str().expect("UTF-8"), "/tmp")
}

/// Whether a command writes a run file.
fn is_kept(words: &[String]) -> bool {
    const PROPERTIES: [&str; 4] = ["--results", "--monotone", "--seams", "--odd"];
    words[1] == "run" && !words.iter().any(|w| PROPERTIES.contains(&w.as_str()))
}

#[test]
fn every_answer_is_the_one_that_is_shown() {
    let all = shown(PAGE);
    assert!(all.len() >= 40, "{} commands", all.len());
    let first = tempfile::tempdir().expect("a folder");
    let library = first.path().join("libgallery.so");
    let compiled = Command::new("gcc")
        .args(["-O2", "-ffp-contract=off", "-shared", "-fPIC", SOURCE, "-o"])
        .arg(&library)
        .arg("-lm")
        .status();
    match compiled {
        Ok(status) => assert!(status.success(), "gallery.c"),
        Err(_) => return skip("gcc", "the gallery: no gcc here"),
    }
    let next = AtomicUsize::new(0);
    let wrong = std::sync::Mutex::new(Vec::new());
    let work = || {
        while let Some(one) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            // Run files of other threads have the same name.
            let folder = tempfile::tempdir().expect("a folder");
            std::fs::copy(&library, folder.path().join("libgallery.so")).expect("a copy");
            let out = answer(folder.path(), &one.command);
            let lines: Vec<&str> = out.lines().collect();
            if !matches(&one.lines, &lines) {
                let text = format!("$ {}\n{out}", one.command);
                wrong.lock().expect("no panic").push(text);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "other answers:\n{}", wrong.join("\n"));
}

#[test]
fn an_ellipsis_stands_for_lines() {
    let shown = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
    let lines = ["a", "b", "c", "d"];
    assert!(matches(&shown(&["…", "b", "…", "d"]), &lines));
    assert!(matches(&shown(&["a", "…"]), &lines));
    assert!(!matches(&shown(&["…", "c"]), &lines));
    assert!(!matches(&shown(&["b", "…"]), &lines));
    assert!(!matches(&shown(&["…", "c", "b", "…"]), &lines));
    assert_eq!(words(r#"a "b c" d"#), ["a", "b c", "d"]);
}
