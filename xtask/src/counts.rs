//! What the lines of test programs say: how many tests passed, and how long those of clusters took.

use std::fmt;
use std::process::Command;

use crate::error::Result;
use crate::process::{self, Show};

/// The sums of cargo's `test result:` lines.
#[derive(Default, Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub ignored: u64,
    /// The time of tests/scale, in milliseconds.
    scale: u64,
    /// Whether the lines are those of tests/scale: cargo names its programs on the other stream.
    in_scale: bool,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} ignored",
            self.passed, self.failed, self.ignored
        )
    }
}

impl std::ops::Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            ignored: self.ignored + other.ignored,
            scale: self.scale + other.scale,
            in_scale: false,
        }
    }
}

impl Counts {
    /// The seconds that tests/scale took, if it ran.
    pub fn scale(&self) -> Option<u64> {
        (self.scale > 0).then_some(self.scale.div_ceil(1000))
    }

    /// Adds a line such as `test result: ok. 3 passed; 0 failed; 1 ignored; …`.
    pub fn line(&mut self, line: &str) {
        if line.starts_with("running ") {
            self.in_scale = false;
        }
        self.in_scale |= line.starts_with("test slurm::") || line.starts_with("test kubernetes::");
        let Some((_, counts)) = line
            .strip_prefix("test result: ")
            .and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for part in counts.split(';') {
            let time = part.trim().strip_prefix("finished in ");
            let seconds = time.and_then(|t| t.strip_suffix('s')?.parse::<f64>().ok());
            if let Some(seconds) = seconds.filter(|_| self.in_scale) {
                self.scale += (seconds * 1e3) as u64;
            }
            let Some((number, what)) = part.trim().split_once(' ') else {
                continue;
            };
            let Ok(number) = number.parse::<u64>() else {
                continue;
            };
            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

/// Runs a program that runs tests, prints its output, and returns the sums of its results.
pub fn count(command: &mut Command, show: Show) -> Result<(Counts, Result<()>)> {
    let mut counts = Counts::default();
    let outcome = process::lines(command, show, &mut |line| counts.line(line))?;
    Ok((counts, outcome))
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn result_lines_add_up() {
        let mut counts = Counts::default();
        for line in [
            "running 3 tests",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 2 passed; 4 failed; 0 ignored; 0 measured; 9 filtered out; finished in 1.00s",
            "a test result: ok. 100 passed; 0 failed",
        ] {
            counts.line(line);
        }
        assert_eq!((counts.passed, counts.failed, counts.ignored), (5, 4, 1));
        assert_eq!(counts.scale(), None);
    }

    /// The time of tests/scale is told by its tests' names, whatever runs before and after.
    #[test]
    fn the_time_of_the_tests_of_clusters_is_known() {
        let mut counts = Counts::default();
        let result = |seconds| {
            format!(
                "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in {seconds}s"
            )
        };
        for line in [
            "running 3 tests",
            "test other ... ok",
            &result("500.00"),
            "running 3 tests",
            "test slurm::an_array has been running for over 60 seconds",
            "test slurm::an_array ... ok",
            &result("76.01"),
            "running 3 tests",
            &result("900.00"),
        ] {
            counts.line(line);
        }
        assert_eq!((counts + Counts::default()).scale(), Some(77));
    }
}
