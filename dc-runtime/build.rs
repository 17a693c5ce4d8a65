//! Records the compiler's version, which is stored in run files.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|o| String::from_utf8(o.stdout).ok())
        .map_or_else(|| "rustc, version unknown".into(), |v| v.trim().to_string());
    println!("cargo::rustc-env=DC_RUSTC_VERSION={version}");
}
