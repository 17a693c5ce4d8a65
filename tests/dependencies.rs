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

/// Whether a package of this repository is built with a feature, where `package` is built with `features`.
fn has(package: &str, features: &[&str], of: &str, feature: &str) -> bool {
    let lines = tree(package, "{p} features {f}", features);
    let mut ours = lines.iter().filter(|l| l.starts_with(&format!("{of} ")));
    let with = |l: &String| {
        let list = l.split(" features ").nth(1).unwrap_or_default();
        list.split(',')
            .any(|f| f.trim_end_matches(" (*)") == feature)
    };
    let found = ours.clone().any(with);
    assert!(ours.next().is_some(), "no {of} below {package}: {lines:?}");
    found
}

/// The macro and kernels alone need the tree of a kernel, not what lowers it and emits text; nor the standard library.
#[test]
fn kernels_alone_are_without_emitters_and_standard_library() {
    let emitters = |package, features| has(package, features, "kernels-gen", "programs");
    let std = |features| has("doublecrunch", features, "dc-runtime", "std");
    assert!(!emitters("dc-macros", &[]), "dc-macros compiles emitters");
    let alone: &[&str] = &["--no-default-features"];
    for package in ["doublecrunch", "dc-runtime"] {
        assert!(!emitters(package, alone), "{package} compiles emitters");
    }
    assert!(!std(alone), "kernels alone are built with std");
    // The control: the search needs both.
    let search = &["--no-default-features", "--features", "search"];
    assert!(emitters("doublecrunch", search) && std(search));
}
