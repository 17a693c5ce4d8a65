//! A second start compiles nothing: this is tested with processes that run one after the other on one folder of
//! compiled kernels.
//!
//! Every compiled kernel is written to the folder, so a compilation shows as a new or rewritten file; PoCL has a folder of its own, and
//! writes a library per kernel. The C++ compiler of `cuda-host` is called through a script that counts the calls. For CUDA devices the same is tested by
//! `dc-runtime/tests/cuda_driver.rs`, with a driver and an NVRTC that count their calls.
#![cfg(all(feature = "cli", unix))]

#[path = "support/private.rs"]
mod private;

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::Command;

use doublecrunch::backend::skip::skip;

/// Counts in `calls` the compilations that `CXX` does; queries of its version and of its files do not count.
const COUNTING_CXX: &str = "#!/bin/sh
case \"$*\" in *--version* | *-print-*) ;; *) echo \"$*\" >> \"$CALLS\" ;; esac
exec g++ \"$@\"
";

struct Starts<'a> {
    folder: &'a Path,
    backend: &'a str,
}

impl Starts<'_> {
    /// Runs a sweep in a process of its own. Returns the files of the cache with the times at which they were written,
    /// and the calls of the C++ compiler.
    fn start(
        &self,
        sweep: &str,
        variables: &[(&str, &str)],
    ) -> (BTreeMap<String, (u64, i64)>, usize) {
        let [cache, pocl, calls] = ["cache", "pocl", "calls"].map(|n| self.folder.join(n));
        let _ = std::fs::remove_file(&calls);
        let out = self.folder.join(format!("{sweep}.crunch"));
        let _ = std::fs::remove_file(&out);
        let output = Command::new(env!("CARGO_BIN_EXE_crunch"))
            .args([
                "run",
                sweep,
                "--backend",
                self.backend,
                "--range",
                "1.0..1.00000000001",
            ])
            .arg("--out")
            .arg(&out)
            .env("CRUNCH_CACHE_DIR", &cache)
            .env("POCL_CACHE_DIR", &pocl)
            .env("CXX", self.folder.join("cxx"))
            .env("CALLS", &calls)
            .env_remove("CRUNCH_REQUIRE")
            .env_remove("CRUNCH_CXXFLAGS")
            .env_remove("CRUNCH_OPENCL_OPTIONS")
            .envs(variables.iter().copied())
            .output()
            .expect("the program");
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {log}", self.backend);
        let mut files = BTreeMap::new();
        match self.backend.starts_with("opencl:pocl") {
            true => add_files(&pocl, Some("so"), &mut files),
            false => add_files(&cache, None, &mut files),
        }
        let calls = std::fs::read_to_string(calls).unwrap_or_default();
        (files, calls.lines().count())
    }
}

/// Adds the files below a folder, or those with this extension.
fn add_files(folder: &Path, extension: Option<&str>, files: &mut BTreeMap<String, (u64, i64)>) {
    for f in std::fs::read_dir(folder).expect("the cache") {
        let path = f.expect("an entry").path();
        let meta = path.metadata().expect("its facts");
        if meta.is_dir() {
            add_files(&path, extension, files);
        } else if extension.is_none_or(|e| path.extension().is_some_and(|x| x == e)) {
            // A renamed file is another file even if the time stamp is the same.
            let name = path.to_string_lossy().into_owned();
            files.insert(name, (meta.ino(), meta.mtime_nsec()));
        }
    }
}

/// How many files of `after` are new or changed compared with `before`.
fn written<K: Ord, V: PartialEq>(before: &BTreeMap<K, V>, after: &BTreeMap<K, V>) -> usize {
    let same = |(k, v): &(&K, &V)| before.get(*k) == Some(*v);
    after.iter().filter(|f| !same(f)).count()
}

fn check(backend: &str, counted: bool, option: Option<(&str, &str)>) {
    let folder = private::folder(env!("CARGO_TARGET_TMPDIR"));
    let cxx = folder.path().join("cxx");
    std::fs::write(&cxx, COUNTING_CXX).expect("writable");
    std::fs::set_permissions(&cxx, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let starts = Starts {
        folder: folder.path(),
        backend,
    };
    let (first, calls) = starts.start("reciprocal", &[]);
    // The kernels of the probe, and the search.
    assert!(first.len() > 5, "{backend}: {first:?}");
    assert_eq!(calls, if counted { first.len() } else { 0 }, "{backend}");

    let (second, calls) = starts.start("reciprocal", &[]);
    assert_eq!(written(&first, &second), 0, "{backend}: compiled again");
    assert_eq!(calls, 0, "{backend}: compiled again");

    // Another text: only the search of the other routine is compiled.
    let (other, calls) = starts.start("reciprocal-fma", &[]);
    assert_eq!(written(&second, &other), 1, "{backend}: another text");
    assert_eq!(calls, usize::from(counted), "{backend}: another text");

    let Some(option) = option else { return };
    // With another option everything is compiled again.
    let (optioned, calls) = starts.start("reciprocal", &[option]);
    assert_eq!(
        written(&other, &optioned),
        first.len(),
        "{backend}: {option:?}"
    );
    assert_eq!(calls, if counted { first.len() } else { 0 }, "{backend}");
    assert_eq!(
        optioned.len(),
        other.len() + first.len(),
        "{backend}: the old remain"
    );
}

fn here(backend: &str) -> bool {
    let found = doublecrunch::backend::discover(&backend.parse().expect("a backend"));
    let here = !found.backends.is_empty();
    if !here {
        skip(backend, "a second start: no such backend here");
    }
    here
}

#[test]
fn a_second_start_on_the_host_compiles_nothing() {
    if here("cuda-host") && Command::new("g++").arg("--version").output().is_ok() {
        check("cuda-host", true, Some(("CRUNCH_CXXFLAGS", "-O1")));
    }
}

#[cfg(feature = "opencl")]
#[test]
fn a_second_start_on_pocl_compiles_nothing() {
    if here("opencl:pocl") {
        // That options are part of its key as well is tested where the key is made; here that would take ten seconds.
        check("opencl:pocl", false, None);
    }
}
