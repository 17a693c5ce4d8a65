//! Processors other than x86-64: the kernels, and the search with its tests on systems with processes and files, must pass
//! clippy for them. `neon.rs` runs the tests of AArch64.

use std::path::Path;
use std::process::Command;

use crate::Result;
use crate::process::{self, Show, cargo, root};

/// Targets with what is checked of `dc-runtime` for each. The kernels alone are the same code on both. The search has the
/// features with which its tests run in the emulator.
const TARGETS: [(&str, &[&str]); 2] = [
    (
        "aarch64-unknown-linux-gnu",
        &["--lib", "--tests", "--features", "search"],
    ),
    ("wasm32-unknown-unknown", &["--lib"]),
];

/// Checks all of them; a target whose standard library is not available is printed and is no failure.
pub fn check(show: Show) -> Result<()> {
    for (target, what) in TARGETS {
        if let Err(reason) = installed(target) {
            println!("!! {target}: NOT checked: {reason}");
            continue;
        }
        let underscores = target.replace('-', "_");
        process::run_shown(
            cargo()
                .args(["clippy", "--package", "dc-runtime", "--no-default-features"])
                .args(what)
                .args(["--target", target])
                // SQLite is compiled from C. A check links nothing, so no compiler for that processor is needed.
                .env(format!("CC_{underscores}"), "true")
                .env(format!("AR_{underscores}"), "true")
                .args(["--", "-D", "warnings"]),
            show,
        )?;
    }
    Ok(())
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
