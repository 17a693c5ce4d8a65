//! Checked-in constants equal what their scripts compute.

use std::path::Path;
use std::process::Command;

/// What a script prints, or why it could not be run.
fn printed(script: &str, args: &[&str]) -> Result<String, String> {
    let output = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script))
        .args(args)
        .output()
        .map_err(|e| format!("python3: {e}"))?;
    let error = String::from_utf8_lossy(&output.stderr);
    if error.contains("No module named 'mpmath'") {
        return Err("Python has no mpmath; install it: apt-get install python3-mpmath".into());
    }
    assert!(output.status.success(), "{script}: {error}");
    Ok(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// The bits of every number of a text, in order, and the names of the constants.
fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|w| {
            w.starts_with("0x")
                || w.chars()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        })
        .filter(|w| w.len() > 1)
        .collect()
}

fn compare(script: &str, args: &[&str], file: &str) {
    compare_at_least(100, script, args, file);
}

/// A file with fewer numbers than `least` has lost some.
fn compare_at_least(least: usize, script: &str, args: &[&str], file: &str) {
    let found = match printed(script, args) {
        Ok(found) => found,
        Err(why) => {
            return doublecrunch::backend::skip::note(&format!(
                "constants: {script} was not run: {why}"
            ));
        }
    };
    let file_text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect(file);
    let (found, there) = (words(&found), words(&file_text));
    assert!(there.len() > least, "{file}: {}", there.len());
    for (a, b) in found.iter().zip(&there) {
        assert_eq!(a, b, "{file} is not what {script} prints");
    }
    assert_eq!(
        found.len(),
        there.len(),
        "{file} is not what {script} prints"
    );
}

#[test]
fn of_the_library_s_routines() {
    for (family, least) in [("exp", 131), ("log", 270), ("sin", 7)] {
        compare_at_least(
            least,
            "dc-runtime/scripts/library_constants.py",
            &[family],
            &format!("dc-runtime/src/sweeps/library/{family}_constants.rs"),
        );
    }
}

#[test]
fn of_the_references_for_binary64() {
    for (family, least) in [
        ("exp", 100),
        ("log", 100),
        ("trig", 100),
        ("inverse", 100),
        ("error", 380),
        ("gamma", 150),
        ("srgb", 40),
    ] {
        compare_at_least(
            least,
            "dc-runtime/scripts/reference_binary64.py",
            &[family],
            &format!("dc-runtime/src/builtins/reference/binary64/{family}_constants.rs"),
        );
    }
}

#[test]
fn of_the_references_for_binary32() {
    compare(
        "dc-runtime/scripts/reference_binary32.py",
        &[],
        "dc-runtime/src/builtins/reference/binary32/coefficients.rs",
    );
}
