//! The dependencies of a crate that only ships kernels (`default-features = false`: the macro and its parser), of a crate that tests them
//! (the default features), and of one that has the command line.

use std::collections::BTreeSet;
use std::path::Path;
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

/// The packages with their versions that building `doublecrunch` with these features needs, itself among them.
fn versions(features: &[&str]) -> BTreeSet<String> {
    tree("doublecrunch", "{p}", features)
        .iter()
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
    let all = versions(features).into_iter().filter_map(name);
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
    // The mathematical functions are one crate more.
    let with_math = packages(&["--no-default-features", "--features", "math"]);
    let more: Vec<_> = with_math.difference(&found).collect();
    assert_eq!(more, ["dc-math"]);
    // The control: the same query finds the dependencies of the search.
    assert!(packages(&[]).contains("libloading"));
}

/// The default features are `suite` and `cuda`: a crate with searches and suites compiles none of the command line's dependencies, and
/// no SQLite, which was half of its build: only the command line writes run files.
#[test]
fn the_defaults_have_no_command_line() {
    let of_driver = [
        "dc-driver",
        "clap",
        "indicatif",
        "libsqlite3-sys",
        "plotters",
        "png",
        "rusqlite",
    ];
    let found = packages(&[]);
    for name in of_driver {
        assert!(!found.contains(name), "{name}: {found:?}");
    }
    for name in ["cudarc", "toml"] {
        assert!(found.contains(name), "{name}: {found:?}");
    }
    // The control: with the command line they are dependencies.
    let found = packages(&["--features", "driver"]);
    for name in of_driver {
        assert!(found.contains(name), "{name}: {found:?}");
    }
    // The references by name, a third of the command line's code, serve only the candidates that are named at run time.
    assert!(!found.contains("dc-references"), "{found:?}");
    assert!(packages(&["--features", "cli"]).contains("dc-references"));
    // And a program without the command line that asks for run files has SQLite alone of them.
    let found = packages(&["--features", "run_files"]);
    for name in of_driver {
        let of_files = ["libsqlite3-sys", "rusqlite"].contains(&name);
        assert_eq!(found.contains(name), of_files, "{name}: {found:?}");
    }
}

/// The numbers of packages that README.md and docs/book/src/contribute/log/performance.md state, `doublecrunch` and second versions of a package included.
#[test]
fn the_numbers_of_packages_are_those_of_the_pages() {
    // Dependencies of dependencies come and go with updates; one of ours brings more than that, or is meant.
    const ALLOWED: usize = 3;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(root.join(file)).expect(file);
    let (readme, performance) = (
        read("README.md"),
        read("docs/book/src/contribute/log/performance.md"),
    );
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
            "as well (37 packages)",
            ALLOWED,
        ),
        (
            "the defaults and `driver`",
            &["--features", "driver"],
            "for your kernels (117)",
            ALLOWED,
        ),
    ];
    for (row, features, of_readme, allowed) in rows {
        let found = versions(features).len();
        let cells: Vec<&str> = performance
            .lines()
            .find(|l| l.starts_with(&format!("| {row} | ")))
            .unwrap_or_else(|| panic!("performance.md has no row `{row}`"))
            .split(" | ")
            .collect();
        let stated: usize = cells[2].parse().expect("packages, in the third column");
        assert!(
            found.abs_diff(stated) <= allowed,
            "{row}: {found} packages; performance.md states {stated}, and {allowed} more or less are allowed"
        );
        assert!(
            of_readme.contains(&stated.to_string()) && readme.contains(of_readme),
            "README.md states another number than {stated} of `{row}`: no `{of_readme}` in it"
        );
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
