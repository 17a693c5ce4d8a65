//! The example of a crate of one's own builds outside the workspace and serves its kernels through the driver.
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
    // The versions that everything here was built with; cargo leaves out what the crate does not need.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-crate");
    succeed(
        Command::new(env!("CARGO"))
            .args(["build", "--offline", "--quiet", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(&target)
            // Building it is the test: quick, and slow to run.
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env_remove("RUSTFLAGS"),
    );
    let program = target.join("debug").join("own-crate");
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
}
