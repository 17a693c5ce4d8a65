//! Compilers, caches and drivers that are replaced, hang, or write to the terminal, with the real program.
#![cfg(unix)]

#[path = "support/private.rs"]
mod private;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use doublecrunch::backend::skip::skip;
use tempfile::TempDir;

/// Queries of the version and of the files are answered by the compiler itself in all of these.
const ASKED: &str = "case \"$*\" in *--version*|*-print-*) exec g++ \"$@\" ;; esac\n";

/// A folder that only this user can write to, with a compiler in it; `None` without g++.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Option<Place> {
        if Command::new("g++").arg("--version").output().is_err() {
            skip("cuda-host", "hostile compilers: no g++");
            return None;
        }
        let folder = private::folder(env!("CARGO_TARGET_TMPDIR"));
        Some(Place { folder })
    }
    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }
    /// Replaces the compiler by this script.
    fn compiler(&self, script: &str) {
        let path = self.folder.path().join("cxx");
        std::fs::write(&path, format!("#!/bin/sh\n{script}")).expect("writable");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("ours");
    }
    fn doctor(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crunch"));
        command
            .args(["doctor", "-b", "cuda-host"])
            .env("CRUNCH_CACHE_DIR", self.cache())
            .env("CXX", self.folder.path().join("cxx"))
            .env_remove("CRUNCH_REQUIRE")
            .env_remove("CRUNCH_CXXFLAGS")
            .stdin(Stdio::null());
        command
    }
    /// The folders of compilations in the cache.
    fn left(&self) -> Vec<PathBuf> {
        folders(&self.cache())
    }
}

fn folders(cache: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(cache).into_iter().flatten().flatten();
    let paths = entries.map(|e| e.path());
    paths.filter(|p| p.is_dir()).collect()
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Whether `doctor` lists it among the backends that passed the probe, and not among those refused or missing.
fn passes(text: &str) -> bool {
    let end =
        ["\nrefused", "\nmissing", "\nerror"].map(|part| text.find(part).unwrap_or(text.len()));
    let end = end.into_iter().min().unwrap_or_default();
    text[..end].contains("cuda-host")
}

/// The name and the version stay the same.
#[test]
fn a_compiler_that_was_exchanged_is_probed_again() {
    let Some(place) = Place::new() else { return };
    let look = || text(&place.doctor().output().expect("the program"));
    place.compiler("exec g++ \"$@\"\n");
    let good = look();
    assert!(passes(&good), "{good}");
    // A product of two numbers and a sum with one rounding.
    place.compiler("exec g++ \"$@\" -mfma -ffp-contract=fast\n");
    let bad = look();
    assert!(!passes(&bad) && bad.contains("contraction"), "{bad}");
    // After the repair nothing has to be deleted.
    place.compiler("exec g++ \"$@\"\n");
    let repaired = look();
    assert!(passes(&repaired), "{repaired}");
}

#[test]
fn a_compiler_that_hangs_is_given_up_and_named() {
    let Some(place) = Place::new() else { return };
    place.compiler(&format!("{ASKED}sleep 3600\n"));
    let begun = Instant::now();
    let output = place.doctor().env("CRUNCH_TIMEOUT", "1").output();
    let printed = text(&output.expect("the program"));
    assert!(begun.elapsed() < Duration::from_secs(600));
    assert!(!passes(&printed), "{printed}");
    assert!(
        printed.contains("cuda-host") && printed.contains("has not ended after 1 s"),
        "{printed}"
    );
    assert!(printed.contains("CRUNCH_TIMEOUT"), "{printed}");
    assert_eq!(place.left(), [] as [PathBuf; 0]);
    // A compiler that hangs when its version is queried counts as not found.
    place.compiler("sleep 3600\n");
    let output = place.doctor().env("CRUNCH_TIMEOUT", "1").output();
    let printed = text(&output.expect("the program"));
    assert!(!passes(&printed), "{printed}");
}

#[test]
fn what_a_killed_compilation_left_is_removed() {
    let Some(place) = Place::new() else { return };
    place.compiler(&format!("{ASKED}echo here > \"$0.begun\"\nsleep 10\n"));
    let begun = place.folder.path().join("cxx.begun");
    let mut killed = place
        .doctor()
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    while !begun.exists() {
        assert!(killed.try_wait().expect("its state").is_none(), "it runs");
        std::thread::sleep(Duration::from_millis(20));
    }
    killed.kill().expect("ours");
    killed.wait().expect("its end");
    assert!(!place.left().is_empty(), "a killed process removes nothing");
    place.compiler("exec g++ \"$@\"\n");
    let printed = text(&place.doctor().output().expect("the program"));
    assert!(passes(&printed), "{printed}");
    assert_eq!(place.left(), [] as [PathBuf; 0]);
}

#[test]
fn control_characters_of_a_compiler_are_escaped() {
    let Some(place) = Place::new() else { return };
    // In the output that has the version, and in the log.
    let script = "case \"$*\" in
        *--version*) printf 'odd\\033[2Jc++\\n' ;;
        *-print-*) exec g++ \"$@\" ;;
        *) printf 'kernel.cpp:1: \\033]0;title\\007\\rno\\n' >&2; exit 1 ;;
    esac\n";
    place.compiler(script);
    let output = place.doctor().output().expect("the program");
    let printed = text(&output);
    assert!(
        printed.contains("\\u{1b}]0;title\\u{7}\\rno"),
        "{printed:?}"
    );
    let control = |c: char| c.is_control() && c != '\n' && c != '\t';
    assert!(!printed.contains(control), "{printed:?}");
}

/// Others could replace the cache. In the temporary folder they cannot: it has the sticky bit and is root's.
#[test]
fn a_cache_in_a_folder_of_everybodys_is_not_used() {
    let Some(place) = Place::new() else { return };
    place.compiler("exec g++ \"$@\"\n");
    let open = place.folder.path().join("open");
    std::fs::create_dir(&open).expect("writable");
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o777)).expect("ours");
    let cache = open.join("cache");
    let output = place.doctor().env("CRUNCH_CACHE_DIR", &cache).output();
    let printed = text(&output.expect("the program"));
    assert!(passes(&printed), "{printed}");
    let note = "note: the cache of compiled programs in";
    assert_eq!(printed.matches(note).count(), 1, "{printed}");
    assert!(
        printed.contains("others may write to") && printed.contains("mode 777"),
        "{printed}"
    );
    let kept = std::fs::read_dir(&cache).into_iter().flatten().count();
    assert_eq!(kept, 0, "nothing is kept there");
}

/// PoCL without its own cache.
#[cfg(feature = "opencl")]
#[test]
fn pocl_without_a_cache_is_named() {
    let found = doublecrunch::backend::discover(&"opencl:pocl".parse().expect("a backend"));
    if found.backends.is_empty() {
        return skip("opencl:pocl", "its cache: no such backend here");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_crunch"))
        .args(["doctor", "-b", "opencl:pocl"])
        .env("POCL_CACHE_DIR", "/dev/null/nowhere")
        .env_remove("CRUNCH_REQUIRE")
        .output()
        .expect("the program");
    let printed = text(&output);
    assert!(printed.contains("/dev/null/nowhere"), "{printed}");
    assert!(printed.contains("POCL_CACHE_DIR"), "{printed}");
}
