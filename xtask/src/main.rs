//! `cargo xtask test`: sets up what the tests need and runs them.

use std::process::{Command, ExitCode};

fn found(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|o| o.status.success())
}

fn run(program: &str, args: &[&str]) -> bool {
    println!("xtask: {program} {}", args.join(" "));
    Command::new(program).args(args).env("DEBIAN_FRONTEND", "noninteractive").status().is_ok_and(|s| s.success())
}

/// Installs the compilers that the emitted text is held against.
fn setup() {
    let missing: Vec<&str> =
        [("g++", "g++"), ("clang-15", "clang-15")].iter().filter(|(t, _)| !found(t)).map(|(_, p)| *p).collect();
    if missing.is_empty() {
        println!("xtask: g++ present, clang-15 present");
        return;
    }
    println!("xtask: installing {} (by hand: apt-get install {})", missing.join(", "), missing.join(" "));
    let mut args = vec!["install", "-y", "-qq"];
    args.extend(&missing);
    if !(run("apt-get", &["update", "-qq"]) && run("apt-get", &args)) {
        println!("xtask: could not install them; the tests that need them say so and do not count");
    }
}

fn main() -> ExitCode {
    let command = std::env::args().nth(1).unwrap_or_default();
    if command != "test" {
        eprintln!("xtask: unknown command `{command}`; the command is `test`");
        return ExitCode::from(2);
    }
    setup();
    if run("cargo", &["test", "--workspace"]) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
