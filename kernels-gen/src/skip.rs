//! How a test says that it leaves something out. Here, at the bottom, so that the tests of all crates say it alike;
//! what must not be left out (`CRUNCH_REQUIRE`) is theirs to know.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write as _;

/// Says what is left out, and why: a line of the form `what: reason`.
///
/// cargo hides what a passing test prints, so the line also goes into the file that `CRUNCH_SKIP_LOG` names, if it
/// names one; `cargo xtask test` shows that.
pub fn note(line: &str) {
    eprintln!("SKIPPED: {line}");
    if let Some(log) = std::env::var_os("CRUNCH_SKIP_LOG") {
        append(&log, line);
    }
}

/// In one write, so that lines of tests side by side do not mix.
fn append(log: &OsStr, line: &str) {
    let log = File::options().create(true).append(true).open(log);
    // A log that cannot be written is no fault of the test's.
    let _ = log.and_then(|mut log| log.write_all(format!("{line}\n").as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::append;

    #[test]
    fn lines_are_added() {
        let log = std::env::temp_dir().join(format!("skip-log-{}", std::process::id()));
        append(log.as_os_str(), "avx512: not here");
        append(log.as_os_str(), "cuda: nor that");
        let text = std::fs::read_to_string(&log).expect("a log");
        let _ = std::fs::remove_file(&log);
        assert_eq!(text, "avx512: not here\ncuda: nor that\n");
    }
}
