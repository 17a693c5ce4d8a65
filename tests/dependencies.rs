//! What a crate depends on that only ships kernels (`default-features = false`: the macro and its parser), that tests them (the
//! default features), and that has the command line.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The packages with their versions that building `doublecrunch` with these features needs, itself among them.
fn tree(features: &[&str]) -> BTreeSet<String> {
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
        .filter_map(|line| {
            // A name and a version; what follows differs between the first mention of a package and another.
            let mut words = line.split(' ');
            Some(format!("{} {}", words.next()?, words.next()?))
        })
        .collect()
}

/// Their names, `doublecrunch` left out.
fn packages(features: &[&str]) -> BTreeSet<String> {
    let name = |line: String| line.split(' ').next().map(String::from);
    let all = tree(features).into_iter().filter_map(name);
    all.filter(|name| name != "doublecrunch").collect()
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

/// The default features are `suite` and `cuda`: a crate with searches and suites compiles none of the command line's dependencies.
#[test]
fn the_defaults_have_no_command_line() {
    let of_driver = ["dc-driver", "clap", "indicatif", "plotters", "png"];
    let found = packages(&[]);
    for name in of_driver {
        assert!(!found.contains(name), "{name}: {found:?}");
    }
    for name in ["cudarc", "toml"] {
        assert!(found.contains(name), "{name}: {found:?}");
    }
    // The control: with the command line they are dependencies.
    let found = packages(&["--features", "cli"]);
    for name in of_driver {
        assert!(found.contains(name), "{name}: {found:?}");
    }
}

/// The numbers of packages that README.md and docs/performance.md state, `doublecrunch` and second versions of a package included.
#[test]
fn the_numbers_of_packages_are_those_of_the_pages() {
    // Dependencies of dependencies come and go with updates; one of ours brings more than that, or is meant.
    const ALLOWED: usize = 3;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(root.join(file)).expect(file);
    let (readme, performance) = (read("README.md"), read("docs/performance.md"));
    let rows: [(&str, &[&str], &str, usize); 3] = [
        (
            "`default-features = false`",
            &["--no-default-features"],
            "instruction set (8 packages",
            0,
        ),
        (
            "the defaults, `suite` and `cuda`",
            &[],
            "as well (51 packages)",
            ALLOWED,
        ),
        (
            "the defaults and `cli`",
            &["--features", "cli"],
            "for your kernels (95)",
            ALLOWED,
        ),
    ];
    for (row, features, of_readme, allowed) in rows {
        let found = tree(features).len();
        let cells: Vec<&str> = performance
            .lines()
            .find(|l| l.starts_with(&format!("| {row} | ")))
            .unwrap_or_else(|| panic!("docs/performance.md has no row `{row}`"))
            .split(" | ")
            .collect();
        let stated: usize = cells[2].parse().expect("packages, in the third column");
        assert!(
            found.abs_diff(stated) <= allowed,
            "{row}: {found} packages; docs/performance.md states {stated}, and {allowed} more or less are allowed"
        );
        assert!(
            of_readme.contains(&stated.to_string()) && readme.contains(of_readme),
            "README.md states another number than {stated} of `{row}`: no `{of_readme}` in it"
        );
    }
}
