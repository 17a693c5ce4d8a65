//! Reports of tests that are omitted. This is in the lowest crate, so the tests of all crates report in the same way. The tests themselves
//! check which tests must not be omitted (`CRUNCH_REQUIRE`).

use std::ffi::OsStr;
use std::fs::File;
use std::io::Write as _;

/// Reports the omitted test and the reason, on a line of the form `what: reason`.
///
/// cargo hides the output of passing tests. So the line is also written to the file named by `CRUNCH_SKIP_LOG`, if that is set; `cargo
/// xtask test` shows this file.
pub fn note(line: &str) {
    eprintln!("SKIPPED: {line}");
    if let Some(log) = std::env::var_os("CRUNCH_SKIP_LOG") {
        append(&log, line);
    }
}

/// Appends in one write, so that lines of concurrent tests do not mix.
fn append(log: &OsStr, line: &str) {
    let log = File::options().create(true).append(true).open(log);
    // A failure to write the log must not fail the test.
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
