//! Libraries that change the floating-point environment of the process that loads them: the search is correct
//! nevertheless, and the library is named.
#![cfg(all(unix, target_arch = "x86_64"))]

#[macro_use]
#[path = "support/run.rs"]
mod run;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use doublecrunch::backend::skip::skip;

use run::{Run, words};

/// Sets FTZ and DAZ in the thread that loads it, as does the object file `crtfastmath.o` that gcc up to version 12
/// links with `-ffast-math`.
const FAST: &str = "__attribute__((constructor)) static void fast(void) {
    unsigned word = 0x9fc0;
    __asm__ volatile(\"ldmxcsr %0\" : : \"m\"(word));
}
";

/// Compares backends on inputs where all results of `exp` are subnormal.
fn verify(folder: &Path, backends: &str, variables: &[(&str, &Path)]) -> Run {
    let args = words("verify exp --range=-745.2..=-708.4 --inputs=2^16 -q");
    crunch(
        folder,
        &[&args[..], &["--backend", backends]].concat(),
        variables,
    )
}

fn crunch(folder: &Path, args: &[&str], variables: &[(&str, &Path)]) -> Run {
    Run::of(
        Command::new(env!("CARGO_BIN_EXE_crunch"))
            .args(args)
            .env("CRUNCH_CACHE_DIR", folder.join("cache"))
            .env_remove("CRUNCH_REQUIRE")
            .env_remove("CRUNCH_CXXFLAGS")
            .env("OCL_ICD_VENDORS", folder.join("no-vendors"))
            .envs(variables.iter().copied()),
    )
}

/// The digest of each backend that was compared.
fn digests(run: &Run) -> Vec<(String, String)> {
    let digest = |w: &str| w.len() == 16 && w.chars().all(|c| c.is_ascii_hexdigit());
    run.out
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let backend = words.next()?.to_string();
            Some((backend, words.find(|w| digest(w))?.to_string()))
        })
        .collect()
}

/// The correct digests, those of `scalar` and `interpreter`.
fn right(folder: &Path) -> Vec<(String, String)> {
    let run = verify(folder, "scalar,interpreter", &[]);
    let digests = digests(&run);
    assert_eq!(
        (run.code, digests.len()),
        (Some(0), 2),
        "{}{}",
        run.out,
        run.err
    );
    digests
}

/// A shared object linked with fast arithmetic, built in the folder; `None` without a C compiler.
fn library(folder: &Path) -> Option<PathBuf> {
    let (source, library) = (folder.join("fast.c"), folder.join("libfast.so"));
    std::fs::write(&source, FAST).expect("writable");
    let built = Command::new("g++")
        .args(["-x", "c", "-shared", "-fPIC", "-O1"])
        .arg(&source)
        .arg("-o")
        .arg(&library)
        .output();
    match built {
        Ok(output) if output.status.success() => Some(library),
        Ok(output) => {
            skip("cuda-host", &String::from_utf8_lossy(&output.stderr));
            None
        }
        Err(e) => {
            skip("cuda-host", &format!("no g++: {e}"));
            None
        }
    }
}

#[test]
fn a_compiler_whose_libraries_change_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let Some(library) = library(folder) else {
        return;
    };
    // The object file with the initialiser that fast arithmetic links in, on every compiler.
    let cxx = folder.join("cxx");
    let script = format!(
        "#!/bin/sh\nexec g++ \"$@\" -Wl,--no-as-needed,-rpath,{} {}\n",
        folder.display(),
        library.display()
    );
    std::fs::write(&cxx, script).expect("writable");
    std::fs::set_permissions(&cxx, std::fs::Permissions::from_mode(0o755)).expect("ours");
    let right = right(folder);
    let run = verify(folder, "all", &[("CXX", &cxx)]);
    let printed = format!("{}{}", run.out, run.err);
    for (backend, digest) in &right {
        let got = digests(&run).into_iter().find(|d| d.0 == *backend);
        assert_eq!(got.as_ref().map(|d| &d.1), Some(digest), "{printed}");
    }
    assert!(
        !digests(&run).iter().any(|d| d.0 == "cuda-host"),
        "{printed}"
    );
    let alone = verify(folder, "cuda-host", &[("CXX", &cxx)]);
    assert_ne!(alone.code, Some(0), "{}", alone.out);
    for says in [
        "cuda-host",
        "changed the floating-point environment",
        "FTZ",
        "DAZ",
    ] {
        assert!(alone.err.contains(says), "{}", alone.err);
    }
}

#[test]
fn a_library_that_the_program_is_started_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let Some(library) = library(folder) else {
        return;
    };
    let right = right(folder);
    let run = verify(folder, "scalar,interpreter", &[("LD_PRELOAD", &library)]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(digests(&run), right, "{}", run.out);
    contains!(run.err, "note: this program was started in");
    assert!(run.err.contains("FTZ"), "{}", run.err);
}

/// A driver that changes the environment beside one that works, or alone.
#[cfg(feature = "opencl")]
#[test]
fn an_opencl_driver_that_changes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let Some(library) = library(folder) else {
        return;
    };
    let vendors = folder.join("vendors");
    std::fs::create_dir(&vendors).expect("writable");
    let icd =
        |name: &str, library: &str| std::fs::write(vendors.join(name), library).expect("writable");
    icd("fast.icd", &library.display().to_string());
    icd("pocl.icd", "libpocl.so.2");
    let right = right(folder);
    let run = verify(
        folder,
        "scalar,interpreter,opencl",
        &[("OCL_ICD_VENDORS", &vendors)],
    );
    let printed = format!("{}{}", run.out, run.err);
    for (backend, digest) in digests(&run) {
        assert!(
            right.iter().any(|r| r.0 != backend || r.1 == digest),
            "{printed}"
        );
    }
    let backends = ["doctor", "-b", "scalar,opencl"];
    let doctor = crunch(folder, &backends, &[("OCL_ICD_VENDORS", &vendors)]);
    contains!(
        doctor.out,
        "opencl: loading its drivers changed the floating-point environment"
    );
}
