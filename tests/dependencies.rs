//! A crate that only ships kernels (`default-features = false`) depends on the macro and its parser, and on nothing
//! else.

use std::collections::BTreeSet;
use std::process::Command;

/// The packages that building `doublecrunch` with these features needs, itself left out.
fn packages(features: &[&str]) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--locked", "--offline", "--package", "doublecrunch"])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .args(features)
        .output()
        .expect("cargo starts");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo tree: {log}");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| line.split(' ').next().map(String::from))
        .filter(|name| !name.is_empty() && name != "doublecrunch")
        .collect()
}

#[test]
fn kernels_alone_need_only_the_macro() {
    let expected = [
        "dc-macros",
        "dc-runtime",
        "kernels-gen",
        "proc-macro2",
        "quote",
        "syn",
        "unicode-ident",
    ];
    let found = packages(&["--no-default-features"]);
    assert_eq!(found, expected.map(String::from).into());
    // The control: the same query finds the dependencies of the search.
    assert!(packages(&[]).contains("rusqlite"));
}

/// A library with searches and suites of its own compiles none of the command line's dependencies.
#[test]
fn suites_need_no_command_line() {
    let of_driver = ["dc-driver", "clap", "indicatif", "plotters", "png"];
    let found = packages(&["--no-default-features", "--features", "suite,cuda"]);
    for name in of_driver {
        assert!(!found.contains(name), "{name}: {found:?}");
    }
    // The control: with the command line they are dependencies.
    let found = packages(&["--no-default-features", "--features", "cli"]);
    for name in of_driver {
        assert!(found.contains(name), "{name}: {found:?}");
    }
}
