//! The checks of a release in addition to the tests: the workspace with its oldest compiler, its dependencies' licences,
//! advisories and sources, and the packages themselves. They need a toolchain, `cargo-deny` or the registry, which a
//! machine may not have, so they are not part of `lint`; the rehearsal of publication is part of CI.

use std::process::Command;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::process::{self, Show, cargo, root};

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

/// Options of `cargo xtask package`.
#[derive(clap::Args)]
pub struct Args {
    /// Compile nothing: rehearse `cargo publish` of all packages, which takes seconds.
    #[arg(long)]
    dry_run: bool,
}

/// `cargo xtask package`: each crate that is published, as the package that a registry would receive, compiled from that
/// package.
///
/// # Errors
/// If the crates depend on one another in a circle, a package lacks a file, or a package does not compile.
pub fn package(args: &Args) -> Result<()> {
    let order = order(&metadata()?)?;
    println!("in the order of publication: {}", order.join(", "));
    if args.dry_run {
        return rehearse(&order, Show::Live);
    }
    let packages = order.iter().flat_map(|name| ["--package", name]);
    process::run(cargo().args(["package", "--locked"]).args(packages))?;
    println!(
        "{} packages compile; `cargo publish --locked --workspace` uploads them in that order",
        order.len()
    );
    Ok(())
}

/// `cargo publish --dry-run` of all packages, without compiling them. It resolves what a package depends on: the other packages, although
/// no registry has them yet, and for all others the registry's index.
///
/// # Errors
/// If cargo refuses a package, or the registry cannot be reached.
pub fn dry_run(show: Show) -> Result<()> {
    rehearse(&order(&metadata()?)?, show)
}

fn rehearse(order: &[String], show: Show) -> Result<()> {
    let packages = order.iter().flat_map(|name| ["--package", name]);
    // Quiet: else it prints a line for each test that a package leaves out. The tests themselves may leave files that git does not know.
    process::run_shown(
        cargo()
            .args([
                "publish",
                "--dry-run",
                "--no-verify",
                "--locked",
                "--allow-dirty",
                "--quiet",
            ])
            .args(packages),
        show,
    )?;
    println!("{} packages can be published", order.len());
    Ok(())
}

fn metadata() -> Result<Value> {
    let text = process::output(cargo().args([
        "metadata",
        "--locked",
        "--no-deps",
        "--format-version",
        "1",
    ]))?;
    serde_json::from_str(&text).map_err(|e| Error(format!("the output of cargo metadata: {e}")))
}

/// The published crates of a workspace, each after those that it depends on. A dependency by path alone is not part of the
/// published crate and counts for nothing.
fn order(metadata: &Value) -> Result<Vec<String>> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    // `publish` is null, or the list of registries; `publish = false` is the empty list.
    let mut rest: Vec<(String, Vec<String>)> = list(&metadata["packages"])
        .iter()
        .filter(|package| package["publish"].as_array().is_none_or(|p| !p.is_empty()))
        .map(|package| {
            let needs = list(&package["dependencies"])
                .iter()
                .filter(|d| d["path"].is_string() && d["req"] != "*")
                .map(|d| text(&d["name"]))
                .collect();
            (text(&package["name"]), needs)
        })
        .collect();
    let mut order = Vec::new();
    while !rest.is_empty() {
        let (ready, later): (Vec<_>, Vec<_>) = (rest.into_iter())
            .partition(|(_, needs)| needs.iter().all(|need| order.contains(need)));
        if ready.is_empty() {
            let circle: Vec<String> = (later.iter())
                .map(|(name, needs)| format!("{name} needs {}", needs.join(", ")))
                .collect();
            return Err(Error(format!(
                "no order of publication: {}; a dependency of tests must be by path alone, without a version, and what \
                 a published crate depends on must be published",
                circle.join("; ")
            )));
        }
        order.extend(ready.into_iter().map(|(name, _)| name));
        rest = later;
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::{Value, metadata, order, rust_version};

    #[test]
    fn the_crates_of_this_workspace_can_be_published() {
        let order = order(&metadata().expect("metadata")).expect("an order");
        let at = |name: &str| order.iter().position(|n| n == name);
        for (first, then) in [("kernels-gen", "dc-macros"), ("crunch-check", "dc-driver")] {
            assert!(at(first).is_some() && at(first) < at(then), "{order:?}");
        }
        assert!(order.contains(&"doublecrunch".into()), "{order:?}");
        assert!(!order.contains(&"xtask".into()), "{order:?}");
    }

    /// What a registry asks for, or shows: cargo's rehearsal looks at none of it.
    #[test]
    fn published_crates_describe_themselves() {
        let metadata = metadata().expect("metadata");
        let order = order(&metadata).expect("an order");
        let packages = metadata["packages"].as_array().expect("packages");
        let published = packages
            .iter()
            .filter(|p| order.iter().any(|name| p["name"] == name.as_str()));
        for package in published {
            for field in ["description", "license", "readme", "keywords", "categories"] {
                let value = &package[field];
                let some = value.as_str().is_some_and(|t| !t.is_empty())
                    || value.as_array().is_some_and(|list| !list.is_empty());
                assert!(some, "{} has no {field}", package["name"]);
            }
        }
    }

    #[test]
    fn a_circle_is_named_unless_it_is_by_path_alone() {
        let workspace = |version: &str| -> Value {
            serde_json::json!({"packages": [
                {"name": "a", "publish": null, "dependencies": [{"name": "b", "path": "/b", "req": version}]},
                {"name": "b", "publish": null, "dependencies": [{"name": "a", "path": "/a", "req": "=1.0.0"}]},
            ]})
        };
        assert_eq!(order(&workspace("*")).expect("an order"), ["a", "b"]);
        let error = order(&workspace("=1.0.0")).expect_err("a circle").0;
        assert!(error.contains("a needs b; b needs a;"), "{error}");
    }

    #[test]
    fn the_promised_compiler_is_read_from_the_manifest() {
        let manifest = "[workspace.package]\nversion = \"0.1.0\"\nrust-version = \"1.95\"\n";
        assert_eq!(rust_version(manifest), Some("1.95"));
        assert_eq!(rust_version("rust-version.workspace = true\n"), None);
        assert_eq!(rust_version(""), None);
    }

    fn read(name: &str) -> String {
        std::fs::read_to_string(crate::process::root().join(name)).expect(name)
    }

    /// What follows `prefix` in a line of a file, without quotes.
    fn named(file: &str, prefix: &str) -> String {
        let text = read(file);
        let rest = text.lines().find_map(|l| l.strip_prefix(prefix));
        let rest = rest.unwrap_or_else(|| panic!("{file} has no line that begins with {prefix:?}"));
        rest.trim_matches(|c| c == '"' || c == ';').into()
    }

    /// The messages of `tests/ui-messages` are those of a compiler that is not older than `rust-version`, and the image
    /// is built with the same compiler.
    #[test]
    fn the_compiler_of_the_messages_is_not_older_than_the_promised_one() {
        let version = |text: &str| -> Vec<u32> {
            text.split('.')
                .map(|n| n.parse().expect("a number"))
                .collect()
        };
        let messages = named("tests/ui-messages/tests/ui.rs", "const COMPILER: &str = ");
        let manifest = read("Cargo.toml");
        let promised = rust_version(&manifest).expect("promised");
        assert!(
            version(&messages) >= version(promised),
            "{messages} {promised}"
        );
        let image = named("Containerfile", "ARG RUST=");
        assert!(
            image.starts_with(&format!("{messages}.")),
            "Containerfile: RUST is {image}, the compiler of the messages is {messages}"
        );
    }

    /// The macro makes the name of the runtime's private module from its version, so the module's name follows the
    /// version of the workspace; the crates depend on one another by that version alone.
    #[test]
    fn the_private_module_has_the_version_of_the_workspace() {
        let version = named("Cargo.toml", "version = ");
        let [major, minor, _]: [&str; 3] = version
            .split('.')
            .collect::<Vec<_>>()
            .try_into()
            .expect("three numbers");
        let module = format!("pub mod __private_v{major}_{minor} {{");
        assert!(
            read("dc-runtime/src/lib.rs").contains(&module),
            "the version is {version}: dc-runtime/src/lib.rs must have `{module}`, and src/lib.rs and \
             xtask/src/layers.rs name it"
        );
        let pinned = format!("version = \"={version}\"");
        for line in read("Cargo.toml").lines() {
            assert!(
                !line.contains("path = \"")
                    || !line.contains("version = ")
                    || line.contains(&pinned),
                "{line}: the version of the workspace is {version}"
            );
        }
    }
}
