//! The example of a library crate: its kernels are built alone, and its suite and its driver from one declaration,
//! outside of the workspace, as described in `docs/library-crate.md`.
#![cfg(feature = "cli")]

use std::path::Path;
use std::process::{Command, Output};

fn succeed(command: &mut Command) -> Output {
    let o = command.output().expect("the program");
    let text = String::from_utf8_lossy(&o.stderr);
    assert!(o.status.success(), "{command:?}: {text}");
    o
}

#[test]
fn it_builds_and_serves_its_kernels() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("examples/own-crate");
    // The versions with which everything here was built; cargo ignores those that the crate does not need.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
    // In the workspace's target folder with its profile: crates of the registry that are the same there are not
    // compiled once more. The crates of this repository are: they have other features, and another workspace's root.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the target folder");
    let cargo = |args: &[&str], last: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(args)
            .args(["--offline", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            .args(last)
            // The build is what is tested; an unoptimised build is quick to make and slow to run.
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_PROFILE_DEV_LTO", "off")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env("CRUNCH_INPUTS", "2^10")
            .env_remove("CRUNCH_REQUIRE")
            .env_remove("CRUNCH_REPORT")
            .env_remove("RUSTFLAGS");
        succeed(&mut command)
    };

    // Users of the crate depend on the kernels alone.
    let tree = cargo(&["tree", "--edges", "normal", "--prefix", "none"], &[]);
    let tree = String::from_utf8(tree.stdout).expect("UTF-8");
    assert!(tree.contains("dc-runtime"), "{tree}");
    for heavy in ["clap", "plotters", "rusqlite", "dc-driver"] {
        assert!(!tree.contains(heavy), "{heavy} among:\n{tree}");
    }
    cargo(&["check", "--lib"], &[]);

    cargo(&["build", "--example", "crunch"], &[]);
    let program = target.join("debug/examples/crunch");
    let run = |args: &[&str]| {
        let o = succeed(
            Command::new(&program)
                .args(args)
                .env_remove("CRUNCH_REQUIRE"),
        );
        String::from_utf8(o.stdout).expect("UTF-8")
    };
    assert!(run(&["list"]).contains("sqrt_newton"));
    let found = run(&[
        "verify",
        "sqrt_newton",
        "--inputs",
        "2^12",
        "-b",
        "scalar,interpreter",
    ]);
    assert!(
        found.contains("verdict: 2 backends bitwise identical"),
        "{found}"
    );
    assert!(run(&["emit", "sqrt_newton", "-t", "cuda"]).contains("__dmul_rn"));

    // The tests of its suite that cannot run in this build report that, and a line lists those that ran.
    let o = cargo(
        &["test", "--test", "promises"],
        &[
            "--",
            "opencl",
            "interpreter",
            "what_ran",
            "no_baseline_is_stale",
        ],
    );
    let (out, err) = (
        String::from_utf8_lossy(&o.stdout),
        String::from_utf8_lossy(&o.stderr),
    );
    assert!(
        out.contains("opencl ... ignored, doublecrunch is built without the feature `opencl`"),
        "{out}"
    );
    assert!(out.contains("3 passed; 0 failed; 1 ignored"), "{out}");
    let line = err
        .lines()
        .find(|l| l.contains("promises::accuracy: 1 sweep compared on "));
    assert!(
        line.is_some_and(|l| l.contains("interpreter") && l.contains("NOT COMPARED on ")),
        "{err}"
    );
}
