//! `design` where something is missing: a compiler, room on the disk, a design.

use std::process::Command;

use serde_json::Value;

use super::{Ended, crunch, words};
use dc_driver::exit;

/// Few inputs: a search of a fraction of a second.
const SMALL: [&str; 5] = ["design", "exp", "--range", "0.5..0.501", "-q"];
/// A compiler that does not exist.
const NOWHERE: &str = "/nowhere/c++";

fn design(args: &[&str]) -> Ended {
    crunch(&[&SMALL[..], args].concat())
}

/// Variables are those of a process, so this program starts itself again.
#[test]
fn a_compiler_that_is_missing_is_named() {
    let name = "designing::a_compiler_that_is_missing_is_named";
    if std::env::var_os("CXX").is_none_or(|c| c != NOWHERE) {
        let own = std::env::current_exe().expect("this program");
        let again = Command::new(own)
            .args(["--exact", name])
            .env("CXX", NOWHERE)
            .output()
            .expect("it starts");
        let out = String::from_utf8_lossy(&again.stdout);
        assert!(again.status.success(), "{out}");
        assert!(out.contains("1 passed"), "{out}");
        return;
    }
    // There are times without a compiler, so this is no error. They are said to be others.
    let ended = design(&[]);
    assert_eq!(ended.code, exit::OK, "{}{}", ended.out, ended.err);
    let times = ended.out.lines().find(|l| l.starts_with("times: "));
    let times = times.expect("a line about times");
    for words in [
        "operation by operation over columns",
        "/nowhere/c++: No such file or directory",
        "correct the variable `CXX`, or remove it",
    ] {
        assert!(times.contains(words), "{words}: {times}");
    }
    let ended = design(&["--json"]);
    let document: Value = serde_json::from_str(&ended.out).expect("a document");
    let by = document["timesBy"].as_str().expect("words");
    assert!(by.contains("/nowhere/c++"), "{by}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_no_kernel() {
    let ended = design(&["-o", "/dev/full"]);
    assert_eq!(ended.code, exit::FAILED, "{}", ended.out);
    let why = "error: the kernel is not written to /dev/full: No space left on device";
    assert!(ended.err.contains(why), "{}", ended.err);
    assert!(ended.err.contains("name another file"), "{}", ended.err);
    for words in ["misrounded", "#[crunch]", "f32::from_bits(0x"] {
        assert!(ended.out.contains(words), "{words}: {}", ended.out);
    }
    assert!(!ended.out.contains("kernel: /dev/full"), "{}", ended.out);
    assert!(device(), "the device is still one");

    let ended = design(&["--json", "-o", "/dev/full"]);
    assert_eq!(ended.code, exit::FAILED, "{}", ended.out);
    let document: Value = serde_json::from_str(&ended.out).expect("one document");
    assert_eq!(document["kernel"], Value::Null);
    assert!(document["picked"].is_u64(), "{document}");
    assert!(ended.err.contains(why), "{}", ended.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_has_no_certificate() {
    let ended = crunch(&words(
        "design exp --range 0.5..0x1.0001p-1 --precision f64 --within 1e-6rel \
                --finalists 1 -q -o /dev/full --certificate /dev/full",
    ));
    assert_eq!(ended.code, exit::FAILED, "{}{}", ended.out, ended.err);
    // Each file is named.
    for what in ["kernel", "certificate"] {
        let why = format!("error: the {what} is not written to /dev/full: No space left");
        assert!(ended.err.contains(&why), "{}", ended.err);
    }
    assert!(device(), "the device is still one");
}

/// A file put in the place of a device would have room.
#[cfg(target_os = "linux")]
fn device() -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    let full = std::fs::metadata("/dev/full").expect("the device");
    full.file_type().is_char_device()
}

#[test]
fn a_space_without_designs_is_bad_input() {
    let ended = crunch(&["design", "tgamma", "--range", "200..300", "-q"]);
    assert_eq!(ended.code, exit::INPUT, "{}", ended.out);
    for words in [
        "there is no design of `tgamma` for inputs up to 299.99",
        "at most 128 in magnitude",
        "name a smaller range",
    ] {
        assert!(ended.err.contains(words), "{words}: {}", ended.err);
    }
    assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
    assert_eq!(ended.out, "");
}
