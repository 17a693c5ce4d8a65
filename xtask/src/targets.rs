//! Processors other than x86-64, and none of the operating systems that have the standard library: the kernels, and the search with
//! its tests on systems with processes and files, must pass clippy for them. `neon.rs` runs the tests of AArch64.

use std::path::Path;
use std::process::Command;

use crate::error::{Error, Result};
use crate::process::{self, Show, cargo, root};

/// Targets that are checked alike, with the arguments of the check.
struct Check {
    targets: &'static [&'static str],
    args: &'static [&'static str],
}

const CHECKS: [Check; 4] = [
    // The search has the features with which its tests run under qemu: without run files, so nothing is compiled from C. The tests
    // themselves are compiled by `neon.rs`, to which every warning is an error.
    Check {
        targets: &["aarch64-unknown-linux-gnu"],
        args: &[
            "clippy",
            "--package=dc-runtime",
            "--lib",
            // As the next check has it: otherwise the crate would be another one there.
            "--no-default-features",
            "--features=search",
        ],
    },
    Check {
        targets: &["aarch64-unknown-linux-gnu"],
        args: &[
            "clippy",
            "--package=doublecrunch",
            "--lib",
            "--no-default-features",
            "--features=search",
        ],
    },
    // Kernels alone, without the standard library: with NEON, and with soft floating-point. The module below is the third, of 32 bits.
    Check {
        targets: &["aarch64-unknown-none", "x86_64-unknown-none"],
        args: &[
            "clippy",
            "--package=doublecrunch",
            "--package=dc-runtime",
            "--package=bare-metal",
            "--lib",
            "--no-default-features",
        ],
    },
    // A module of WebAssembly, linked.
    Check {
        targets: &["wasm32-unknown-unknown"],
        args: &[
            "rustc",
            "--package=bare-metal",
            "--lib",
            "--crate-type=cdylib",
        ],
    },
];

/// Checks all of them. A target whose standard library is not available is printed; it is a failure where it is `required`.
pub fn check(required: bool, show: Show) -> Result<()> {
    for check in &CHECKS {
        let mut command = cargo();
        command.args(check.args);
        let mut any = false;
        for target in check.targets {
            if !usable(target, required)? {
                continue;
            }
            any = true;
            command.args(["--target", target]);
        }
        if any {
            // Nothing of these runs.
            command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
            process::run_shown(command.args(["--", "-D", "warnings"]), show)?;
        }
    }
    Ok(())
}

/// Whether a target can be checked. If it cannot, that is printed, or is a failure where it is `required`.
fn usable(target: &str, required: bool) -> Result<bool> {
    let reason = match installed(target) {
        Ok(()) => return Ok(true),
        Err(reason) => reason,
    };
    if required {
        return Err(Error(format!(
            "{target} is NOT checked, and in CI it must be: {reason}"
        )));
    }
    println!("!! {target}: NOT checked: {reason}");
    Ok(false)
}

/// Whether the target's standard library is available, after an attempt to install it.
pub fn installed(target: &str) -> std::result::Result<(), String> {
    if here(target) {
        return Ok(());
    }
    let mut command = Command::new("rustup");
    command.current_dir(root()).args(["target", "add", target]);
    let output = command
        .output()
        .map_err(|e| format!("its standard library is not here, and rustup does not start: {e}"))?;
    if output.status.success() && here(target) {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().rfind(|l| !l.trim().is_empty());
    Err(format!(
        "`rustup target add {target}` failed: {}",
        last.unwrap_or("it does not say why").trim()
    ))
}

/// Whether this toolchain has the target's standard library.
fn here(target: &str) -> bool {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let folder = process::output(Command::new(rustc).current_dir(root()).args([
        "--print",
        "target-libdir",
        "--target",
        target,
    ]));
    let entries = folder.map(|folder| std::fs::read_dir(Path::new(folder.trim())));
    entries.is_ok_and(|e| e.is_ok_and(|e| e.count() > 0))
}

#[cfg(test)]
mod tests {
    use super::usable;
    use crate::error::Error;

    #[test]
    fn a_missing_target_is_a_failure_where_it_is_required() {
        let target = "no-such-target";
        assert!(matches!(usable(target, false), Ok(false)));
        let Err(Error(reason)) = usable(target, true) else {
            panic!("{target} was not missed");
        };
        assert!(reason.contains("no-such-target is NOT checked"), "{reason}");
    }
}
