//! The checks of a release in addition to the tests: the workspace with its oldest compiler, and its dependencies'
//! licences, advisories and sources. They need a toolchain and `cargo-deny`, which a machine may not have, so they are
//! not part of `lint`.

use std::process::Command;

use crate::process::{self, root};
use crate::{Error, Result};

/// `cargo xtask msrv`: everything compiles with the compiler of `rust-version`.
///
/// # Errors
/// If it does not compile, or rustup does not have that toolchain and cannot install it.
pub fn msrv() -> Result<()> {
    let manifest = root().join("Cargo.toml");
    let text = std::fs::read_to_string(&manifest)
        .map_err(|e| Error(format!("{}: {e}", manifest.display())))?;
    let version = rust_version(&text)
        .ok_or_else(|| Error(format!("{} has no `rust-version`", manifest.display())))?;
    let toolchain = format!("{version}.0");
    // An installed toolchain is left alone: a second installation removes its programs for some time, and it can be the
    // default toolchain under another name.
    let here =
        process::output(Command::new("rustup").args(["run", &toolchain, "rustc", "--version"]));
    if here.is_err() {
        process::output(Command::new("rustup").args([
            "toolchain",
            "install",
            &toolchain,
            "--profile",
            "minimal",
            "--no-self-update",
        ]))
        .map_err(|Error(e)| {
            Error(format!(
                "rust {version} is NOT tested, its toolchain cannot be had: {e}"
            ))
        })?;
    }
    // A separate folder: another compiler's artefacts would replace those of the usual one. As in a user's `cargo
    // check`, the versions of the lock file are used.
    process::run(
        Command::new("rustup")
            .current_dir(root())
            .args(["run", &toolchain, "cargo", "check", "--locked"])
            .args(["--workspace", "--all-targets"])
            .args(["--target-dir", "target/msrv"])
            .env_remove("CARGO")
            .env_remove("RUSTC"),
    )?;
    println!("the workspace compiles with Rust {version}, its `rust-version`");
    Ok(())
}

/// The value of `rust-version` in the workspace's manifest.
fn rust_version(manifest: &str) -> Option<&str> {
    let line = manifest
        .lines()
        .find_map(|l| l.strip_prefix("rust-version"))?;
    let version = line
        .trim_start()
        .strip_prefix('=')?
        .trim()
        .trim_matches('"');
    (!version.is_empty()).then_some(version)
}

/// `cargo xtask deny`: checks the dependencies with deny.toml.
///
/// # Errors
/// If `cargo-deny` is not installed, or finds a licence, a duplicate or a source that deny.toml does not allow.
pub fn deny() -> Result<()> {
    let Some(program) = process::which("cargo-deny") else {
        return Err(Error(
            "the dependencies are NOT checked: cargo-deny is not on PATH; `cargo install cargo-deny --locked`"
                .into(),
        ));
    };
    // Advisories need their database from the network; without it the rest is checked nevertheless.
    process::run(Command::new(&program).current_dir(root()).args([
        "--all-features",
        "check",
        "bans",
        "licenses",
        "sources",
    ]))?;
    let advisories = process::run(Command::new(&program).current_dir(root()).args([
        "--all-features",
        "check",
        "advisories",
    ]));
    if let Err(Error(e)) = advisories {
        return Err(Error(format!(
            "{e}; licences, duplicates and sources are as deny.toml allows"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::rust_version;

    #[test]
    fn the_promised_compiler_is_read_from_the_manifest() {
        let manifest = "[workspace.package]\nversion = \"0.1.0\"\nrust-version = \"1.95\"\n";
        assert_eq!(rust_version(manifest), Some("1.95"));
        assert_eq!(rust_version("rust-version.workspace = true\n"), None);
        assert_eq!(rust_version(""), None);
    }

    /// The messages of `tests/ui-messages` are those of a compiler that is not older than `rust-version`.
    #[test]
    fn the_compiler_of_the_messages_is_not_older_than_the_promised_one() {
        let version = |text: &str| -> Vec<u32> {
            text.split('.')
                .map(|n| n.parse().expect("a number"))
                .collect()
        };
        let read = |name| std::fs::read_to_string(crate::process::root().join(name)).expect(name);
        let (manifest, test) = (read("Cargo.toml"), read("tests/ui-messages/tests/ui.rs"));
        let named = (test
            .lines()
            .find_map(|l| l.strip_prefix("const COMPILER: &str = ")))
        .expect("a version")
        .trim_matches(|c| c == '"' || c == ';');
        let [named, promised] = [named, rust_version(&manifest).expect("promised")].map(version);
        assert!(named >= promised, "{named:?} {promised:?}");
    }
}
