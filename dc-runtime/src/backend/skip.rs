//! A test that cannot run here says so, and fails where it must run.

use super::filter::pattern_matches;

/// Ends the caller's test as skipped: it should return. `name` is what `CRUNCH_REQUIRE` calls the thing that is
/// missing, `reason` what is the matter.
///
/// cargo hides what a passing test prints, so the line also goes into the file that `CRUNCH_SKIP_LOG` names, if it
/// names one; `cargo xtask test` shows that.
///
/// # Panics
/// If `CRUNCH_REQUIRE` names it.
#[doc(hidden)]
pub fn skip(name: &str, reason: &str) {
    let list = std::env::var("CRUNCH_REQUIRE").unwrap_or_default();
    assert!(
        !requires(&list, name),
        "{name} is required (CRUNCH_REQUIRE={list}), but: {reason}"
    );
    let line = format!("{name}: {reason}");
    eprintln!("SKIPPED: {line}");
    if let Some(path) = std::env::var_os("CRUNCH_SKIP_LOG") {
        use std::io::Write as _;
        let log = std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path);
        // One write, so that lines of tests side by side do not mix. A log that cannot be written is no fault of the
        // test's.
        let _ = log.and_then(|mut log| log.write_all(format!("{line}\n").as_bytes()));
    }
}

/// Whether the list names it, a part of it or what it is a part of.
fn requires(list: &str, name: &str) -> bool {
    let mut names = list.split([',', ' ']).filter(|n| !n.is_empty());
    names.any(|n| pattern_matches(n, name) || pattern_matches(name, n))
}

#[cfg(test)]
mod tests {
    use super::requires;

    #[test]
    fn what_is_required_is_not_skipped() {
        for (list, name, yes) in [
            ("", "sass", false),
            ("avx2,sass", "sass", true),
            ("avx2 nvrtc", "sass", false),
            ("opencl:pocl", "opencl", true),
            ("opencl", "opencl:pocl", true),
            ("all", "sass", true),
        ] {
            assert_eq!(requires(list, name), yes, "{list}: {name}");
        }
    }
}
