//! rustc's messages for a suite whose reference does not fit its routine, and for functions that no suite takes. The messages of `#[crunch]`
//! are tested in `dc-macros`; these need the search, which the library of these tests includes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// rustc's output for a program that uses the library of that file.
fn checked(library: &Path, source: &Path, out: &Path) -> Output {
    let cargo = Path::new(env!("CARGO"));
    let rustc = cargo.with_file_name(format!("rustc{}", std::env::consts::EXE_SUFFIX));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| rustc.into());
    Command::new(rustc)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["--edition", "2024", "--test", "--emit", "metadata"])
        .args(["--color", "never", "--diagnostic-width", "140"])
        .arg("--out-dir")
        .arg(out)
        .arg("-L")
        .arg(format!("dependency={}", folder().display()))
        .arg("--extern")
        .arg(format!("doublecrunch={}", library.display()))
        .arg(source)
        .output()
        .expect("rustc")
}

/// The folder of cargo's test builds.
fn folder() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    program.parent().expect("its folder").into()
}

/// The libraries there, the newest first: builds with other features are in the same folder.
fn libraries() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the folder");
    let mut found: Vec<_> = entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.starts_with("libdoublecrunch-") && name.ends_with(".rlib")
        })
        .map(|entry| {
            let changed = entry.metadata().and_then(|m| m.modified());
            (changed.expect("a time"), entry.path())
        })
        .collect();
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

/// The messages of a case are those in its file.
fn compared(case: &str, fitting: [&str; 2]) {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
    std::fs::create_dir_all(&out).expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let wrong = std::fs::read_to_string(root.join(case)).expect("the case");
    // The control: rustc accepts what fits. Libraries without suites fail here.
    let right = wrong.replace(fitting[0], fitting[1]);
    assert_ne!(right, wrong);
    let name = Path::new(case).file_name().expect("a name");
    let control = out.join(format!("control-{}", name.display()));
    std::fs::write(&control, right).expect("a file");
    let mut refused = String::new();
    let library = libraries().into_iter().find(|library| {
        let output = checked(library, &control, &out);
        refused.push_str(&String::from_utf8_lossy(&output.stderr));
        output.status.success()
    });
    let library = library.unwrap_or_else(|| panic!("no library takes the control: {refused}"));

    let output = checked(&library, Path::new(case), &out);
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    let expected = root.join(case).with_extension("stderr");
    let expected = std::fs::read_to_string(expected).expect("the message");
    assert!(
        text.contains(&expected),
        "expected\n{expected}\nfound\n{text}"
    );
}

#[test]
fn a_reference_of_another_type_is_named() {
    compared(
        "tests/messages/reference_of_another_type.rs",
        ["against double_f32", "against double"],
    );
}

/// A suite takes no functions of three arguments or of two results; the message has the command that does.
#[test]
fn functions_of_several_numbers_are_refused() {
    compared(
        "tests/messages/three_arguments.rs",
        [
            "fused: |x: f64, y: f64, z: f64| x.mul_add(y, z), computes fma",
            "fused: |x: f64, y: f64| x / y, computes div",
        ],
    );
    compared(
        "tests/messages/two_results.rs",
        ["both: sine, computes sincos", "both: sine, computes sin"],
    );
}
