//! A crate that only ships kernels (`default-features = false`) depends on the macro and its parser, and on nothing
//! else.

use std::collections::BTreeSet;
use std::process::Command;

/// The packages that building one of the workspace's needs, in `format`.
fn tree(package: &str, format: &str, features: &[&str]) -> Vec<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--locked", "--offline", "--package", package])
        .args(["--edges", "normal,build", "--prefix", "none"])
        .args(["--format", format])
        .args(features)
        .output()
        .expect("cargo starts");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo tree: {log}");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(String::from).collect()
}

/// The packages that building `doublecrunch` with these features needs, itself left out.
fn packages(features: &[&str]) -> BTreeSet<String> {
    tree("doublecrunch", "{p}", features)
        .iter()
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

/// The macro and kernels alone need the tree of a kernel, not what lowers it and emits text.
#[test]
fn emitters_are_compiled_for_the_search_alone() {
    let programs = |package: &str, features: &[&str]| {
        let lines = tree(package, "{p} features {f}", features);
        let mut ours = lines.iter().filter(|l| l.starts_with("kernels-gen "));
        let with = ours.any(|l| l.contains("programs"));
        assert!(with || lines.iter().any(|l| l.starts_with("kernels-gen ")));
        with
    };
    assert!(!programs("dc-macros", &[]), "dc-macros compiles emitters");
    let alone = ["--no-default-features"];
    for package in ["doublecrunch", "dc-runtime"] {
        assert!(!programs(package, &alone), "{package} compiles emitters");
    }
    // The control: the search needs them.
    let search = ["--no-default-features", "--features", "search"];
    assert!(programs("doublecrunch", &search));
}
