//! The example of a library crate: its kernels are built alone, and its suite and its driver from one declaration,
//! outside of the workspace, as described in `docs/book/src/tasks/library-crate.md`.
#![cfg(all(feature = "cli", feature = "suite"))]

use doublecrunch::suite::baseline::Baseline;
use std::path::Path;
use std::process::{Command, Output};

/// The routines of `examples/own-crate/src/nine.rs`.
const NINE: [&str; 9] = [
    "sinf", "log2", "tanhf", "cbrt", "rsqrt", "root_2_4", "hypotf", "sigmoid", "gelu",
];

/// The lines of each function and constant that are neither blank nor comments; those of a table count for the function
/// after it.
fn lines_of_items(text: &str) -> Vec<(String, usize)> {
    let mut items = Vec::new();
    let mut lines = 0;
    let mut importing = false;
    for line in text.lines() {
        importing |= line.starts_with("use ");
        if importing {
            importing = !line.ends_with(';');
            continue;
        }
        if line.trim().is_empty() || line.trim_start().starts_with("//") {
            continue;
        }
        lines += 1;
        if let Some(rest) = line.split("fn ").nth(1).filter(|_| !line.starts_with(' ')) {
            let name = rest.split('(').next().unwrap_or_default();
            items.push((name.to_string(), 0));
        }
        if line == "}" {
            items.last_mut().expect("a function").1 = lines;
            lines = 0;
        }
    }
    items
}

/// The table of `docs/book/src/evidence/nine-routines.md`, from the sources and from `accuracy.toml`.
fn table(folder: &Path) -> String {
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).expect(file);
    let (kernels, suite) = (read("src/nine.rs"), read("tests/nine.rs"));
    let items = lines_of_items(&kernels);
    let lines = |name: &str| {
        let found = items.iter().find(|i| i.0 == name);
        found.unwrap_or_else(|| panic!("no function `{name}`")).1
    };
    let known = Baseline::read(&folder.join("accuracy.toml"))
        .expect("a baseline")
        .0;
    let mut rows = vec![
        "| routine | lines | declared as | largest error found, ULP | of inputs |".to_string(),
        "|---|---|---|---|---|".to_string(),
    ];
    for name in NINE {
        let declared = format!("    {name}: ");
        let declared = suite.lines().find(|l| l.starts_with(&declared));
        let declared = declared
            .unwrap_or_else(|| panic!("no sweep `{name}`"))
            .trim();
        let known = &known[&format!("nine::accuracy::{name}")];
        rows.push(format!(
            "| `{name}` | {} | `{declared}` | {:.4} | {} |",
            lines(name),
            known.error,
            known.inputs
        ));
    }
    let of_nine: usize = NINE.iter().map(|name| lines(name)).sum();
    let reference = lines_of_items(&suite);
    rows.push(format!(
        "| all nine | {of_nine}, and {} of `exp` and `ln_parts`, which five of them call | 9 lines of a suite, and {} of a reference | | |",
        lines("exp") + lines("ln_parts"),
        reference[0].1
    ));
    rows.join("\n")
}

#[test]
fn the_table_of_nine_routines_is_measured() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = table(&root.join("examples/own-crate"));
    let page = root.join("docs/book/src/evidence/nine-routines.md");
    let page = std::fs::read_to_string(page).expect("the page");
    assert!(page.contains(&table), "nine-routines.md needs:\n{table}");
}

/// The page's `Cargo.toml` is the example's, with a version in place of this repository's folder; and the profile that it
/// recommends is what `docs/book/src/tasks/testing.md` does.
#[test]
fn the_pages_cargo_toml_is_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| std::fs::read_to_string(root.join(file)).expect(file);
    let example = read("examples/own-crate/Cargo.toml");
    let begin = example.find("[package]").expect("a package");
    let expected = example[begin..]
        .replace("publish = false\n", "")
        .replace("[workspace]\n\n", "")
        .replace("path = \"../..\"", "version = \"0.2\"");
    let page = read("docs/book/src/tasks/library-crate.md");
    let shown = page.split("```toml\n").nth(1);
    let shown = shown.and_then(|rest| rest.split("```").next());
    let shown = shown.expect("a block of TOML");
    assert_eq!(shown, expected, "library-crate.md, and the example's");
    let profile = &expected[expected.find("# Kernels are slow").expect("its profile")..];
    assert!(
        read("docs/book/src/tasks/testing.md").contains(&format!("```toml\n{profile}```")),
        "testing.md needs:\n{profile}"
    );
}

fn succeed(command: &mut Command) -> Output {
    let o = command.output().expect("the program");
    let text = String::from_utf8_lossy(&o.stderr);
    assert!(o.status.success(), "{command:?}: {text}");
    o
}

#[test]
fn it_builds_and_serves_its_kernels() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("examples/own-crate");
    // The versions with which everything here was built; cargo ignores those that the crate does not need.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
    // In the workspace's target folder with its profile: crates of the registry that are the same there are not
    // compiled once more. The crates of this repository are: they have other features, and another workspace's root.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the target folder");
    let cargo = |args: &[&str], last: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(args)
            .args(["--offline", "--manifest-path"])
            .arg(folder.join("Cargo.toml"))
            // Stronger than the manifest's, as the variables below are.
            .args(["--config", "profile.dev.package.dc-runtime.opt-level=1"])
            .args(last)
            // The build is what is tested. Level 0 takes longer: kernels are compiled no faster, and run eight times as slowly.
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_PROFILE_DEV_LTO", "off")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_DEV_DEBUG", "false")
            .env("CRUNCH_INPUTS", "2^10")
            .env_remove("CRUNCH_REQUIRE")
            .env_remove("CRUNCH_REPORT")
            .env_remove("RUSTFLAGS");
        succeed(&mut command)
    };

    // Users of the crate depend on the kernels alone.
    let tree = cargo(&["tree", "--edges", "normal", "--prefix", "none"], &[]);
    let tree = String::from_utf8(tree.stdout).expect("UTF-8");
    assert!(tree.contains("dc-runtime"), "{tree}");
    for heavy in ["clap", "plotters", "rusqlite", "dc-driver"] {
        assert!(!tree.contains(heavy), "{heavy} among:\n{tree}");
    }
    cargo(&["check", "--lib"], &[]);

    // No other build has the command line without the references by name, so its warnings are looked for here. Cargo repeats
    // those of a crate that is built already.
    let o = cargo(&["build", "--example", "crunch"], &[]);
    let text = String::from_utf8_lossy(&o.stderr);
    assert!(!text.contains("warning: "), "{text}");
    let program = target.join("debug/examples/crunch");
    let run = |args: &[&str]| {
        let o = succeed(
            Command::new(&program)
                .args(args)
                .env_remove("CRUNCH_REQUIRE"),
        );
        String::from_utf8(o.stdout).expect("UTF-8")
    };
    assert!(run(&["list"]).contains("sqrt_newton"));
    let found = run(&[
        "verify",
        "sqrt_newton",
        "--inputs",
        "2^12",
        "-b",
        "scalar,interpreter",
    ]);
    assert!(
        found.contains("verdict: 2 backends bitwise identical"),
        "{found}"
    );
    assert!(run(&["emit", "sqrt_newton", "-t", "cuda"]).contains("__dmul_rn"));

    // The references by name, a third of what the command line would compile, are not in it, and the error states that.
    let library = ["--library", "libm.so.6", "--symbol", "sinf"];
    let rest = ["--signature", "f32", "--computes", "sin"];
    let mut with_library = Command::new(&program);
    with_library.arg("run").args(library).args(rest);
    let o = with_library.output().expect("the program");
    let text = String::from_utf8_lossy(&o.stderr);
    assert_eq!(o.status.code(), Some(3), "{text}");
    assert!(
        text.contains("the feature `cli` instead of `driver`"),
        "{text}"
    );

    // A kernel that no sweep reaches is found, since the program lists it; and a kernel that only it calls.
    assert!(run(&["emit", "hypotf", "-t", "cuda"]).contains("k_hypotf"));
    let listed = run(&["list", "--kernels"]);
    for name in ["hypotf ", "exp "] {
        let here = |l: &str| l.starts_with(name) && l.contains(" own_crate::nine ");
        assert!(listed.lines().any(here), "{listed}");
    }

    // The nine routines: every test of accuracy, on every backend of the processor.
    let o = cargo(
        &["test", "--test", "nine"],
        &["--", "accuracy::crunch_suite"],
    );
    let out = String::from_utf8_lossy(&o.stdout);
    for routine in NINE {
        for test in ["accuracy", "interpreter"] {
            let line = format!("{routine}::{test} ... ok");
            assert!(out.contains(&line), "{line} is missing: {out}");
        }
    }

    // The tests of its suite that cannot run in this build report that, and a line lists those that ran.
    let o = cargo(
        &["test", "--test", "promises"],
        &[
            "--",
            "opencl",
            "interpreter",
            "what_ran",
            "no_baseline_is_stale",
        ],
    );
    let (out, err) = (
        String::from_utf8_lossy(&o.stdout),
        String::from_utf8_lossy(&o.stderr),
    );
    assert!(
        out.contains("opencl ... ignored, doublecrunch is built without the feature `opencl`"),
        "{out}"
    );
    assert!(out.contains("3 passed; 0 failed; 1 ignored"), "{out}");
    let line = err
        .lines()
        .find(|l| l.contains("promises::accuracy: 1 sweep compared on "));
    assert!(
        line.is_some_and(|l| l.contains("interpreter") && l.contains("NOT COMPARED on ")),
        "{err}"
    );
}
