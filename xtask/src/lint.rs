//! Format, clippy, other processors, documentation, the book, the order of the layers, and text that no committed file may
//! contain.

use std::process::Command;

use crate::book;
use crate::circles;
use crate::error::{Error, Result};
use crate::layers;
use crate::process::{self, Show, cargo, root};
use crate::publish;
use crate::setup;
use crate::targets;

/// Runs all checks; `features` are those whose libraries are available. In CI the packages must pass a rehearsal of their publication,
/// which needs the registry, and it is a failure that a target cannot be checked.
pub fn run_all(features: &[&str], ci: bool, show: Show) -> Result<()> {
    // The command line is no default, and its documentation is checked as well.
    let documented = [&["cli"], features].concat().join(",");
    let list = features.join(",");
    let features: &[&str] = if features.is_empty() {
        &[]
    } else {
        &["--features", &list]
    };
    // One run reports all failures, as the tests do.
    let mut failed = Vec::new();
    let mut check = |outcome: Result<()>| {
        if let Err(Error(reason)) = outcome {
            println!("!! {reason}");
            failed.extend(reason.lines().next().map(str::to_string));
        }
    };
    check(committed_files());
    check(book::check());
    check(layers::check());
    check(circles::check());
    check(process::run_shown(
        cargo().args(["fmt", "--all", "--check"]),
        show,
    ));
    check(process::run_shown(
        cargo()
            .args(["clippy", "--workspace", "--all-targets"])
            .args(features)
            .args(["--", "-D", "warnings"]),
        show,
    ));
    // The features of a program that only uses kernels on the processor.
    check(process::run_shown(
        cargo()
            .args(["clippy", "--package", "doublecrunch"])
            .args(["--package", "dc-runtime", "--no-default-features", "--lib"])
            .args(["--", "-D", "warnings"]),
        show,
    ));
    // The default features: without the command line, and without run files, on which everything above is built. The command line
    // without the references by name is built by `tests/own_crate.rs`, in which a warning is a failure.
    check(process::run_shown(
        cargo()
            .args(["clippy", "--package", "doublecrunch", "--lib"])
            .args(["--", "-D", "warnings"]),
        show,
    ));
    check(targets::check(ci, show));
    if ci {
        check(publish::dry_run(show));
        // The atlas is a workspace of its own, and its build is `--locked`.
        check(process::run_shown(
            cargo().args([
                "update",
                "--workspace",
                "--locked",
                "--manifest-path",
                "examples/atlas/Cargo.toml",
            ]),
            show,
        ));
    }
    check(process::run_shown(
        cargo()
            .env("RUSTDOCFLAGS", "-D warnings")
            // The programs' own pages show nobody anything.
            .args(["doc", "--workspace", "--lib", "--no-deps"])
            .args(["--features", &documented]),
        show,
    ));
    match &failed[..] {
        [] => Ok(()),
        all => Err(Error(all.join("; "))),
    }
}

/// `cargo xtask lint`.
pub fn run() -> Result<()> {
    let features = setup::features();
    for (feature, library) in setup::LINKED {
        if !features.contains(&feature) {
            let library = library.name();
            println!("!! without {library}: the code of feature `{feature}` is NOT checked");
        }
    }
    run_all(&features, false, Show::Live)
}

/// Folders of a particular machine and hosts of package registries: the former do not exist elsewhere, the latter
/// belong in each machine's own settings. They are written in halves, because this file must not contain them.
const FORBIDDEN: [&str; 8] = [
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/"),
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("py", "pi.org"),
    concat!("python", "hosted.org"),
    concat!("crates", ".io"),
    concat!("deb", "ian.org"),
];

/// The registry that `Cargo.lock` names for every crate, whatever registry a machine uses instead.
const REGISTRY: &str = concat!("registry+https://github.com/rust-lang/crates", ".io-index");

/// Checks the files that git tracks.
fn committed_files() -> Result<()> {
    let Ok(list) = process::output(
        Command::new("git")
            .current_dir(root())
            .args(["ls-files", "-z", "--cached"]),
    ) else {
        println!("!! no git here, or no repository: committed files are NOT checked");
        return Ok(());
    };
    let mut found = Vec::new();
    for name in list.split('\0').filter(|n| !n.is_empty()) {
        // The file is deleted but not yet committed, or is not text.
        let Ok(text) = std::fs::read_to_string(root().join(name)) else {
            continue;
        };
        found.extend(forbidden(name, &text));
    }
    if found.is_empty() {
        Ok(())
    } else {
        Err(Error(format!(
            "committed files may name no folder of one machine and no registry's host:\n{}",
            found.join("\n")
        )))
    }
}

/// The lines with forbidden text.
fn forbidden(name: &str, text: &str) -> Vec<String> {
    let lock = name.rsplit('/').next() == Some("Cargo.lock");
    let bad = |line: &str| match line.strip_prefix("source = ") {
        Some(source) if lock => source.trim_matches('"') != REGISTRY,
        _ => FORBIDDEN.iter().any(|f| line.contains(f)),
    };
    text.lines()
        .zip(1..)
        .filter(|(line, _)| bad(line))
        .map(|(line, number)| format!("  {name}:{number}: {}", line.trim()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{FORBIDDEN, REGISTRY, forbidden};

    #[test]
    fn folders_and_hosts_are_found_with_their_line() {
        for word in FORBIDDEN {
            let text = format!("fine\n  let p = \"{word}x\";\n");
            let found = forbidden("a.rs", &text);
            assert_eq!(found.len(), 1, "{word}");
            assert!(found[0].starts_with("  a.rs:2: let p"), "{found:?}");
        }
        assert!(forbidden("a.rs", "/usr/lib and target/toolchain\n").is_empty());
    }

    #[test]
    fn the_lock_file_may_name_its_registry_and_no_other() {
        let line = |source: &str| format!("source = \"{source}\"\n");
        for lock in ["Cargo.lock", "examples/atlas/Cargo.lock"] {
            assert!(forbidden(lock, &line(REGISTRY)).is_empty());
        }
        assert_eq!(
            forbidden("Cargo.lock", &line("sparse+https://mirror.example/")).len(),
            1
        );
        assert_eq!(forbidden("Cargo.toml", &line(REGISTRY)).len(), 1);
    }
}
