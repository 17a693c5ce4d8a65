//! How a certificate is checked, and why a certificate is refused.

use std::fmt;

/// The number of inputs that the sieve evaluates by default.
pub const SIEVE: u64 = 1 << 22;

/// Options of the check of a certificate.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// One of this many stretches is examined; 1 for a proof.
    pub every: usize,
    /// The number of threads; 0 for one per core.
    pub jobs: usize,
    /// The number of inputs that are evaluated after the proof, as an additional check.
    pub sieve: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            every: 1,
            jobs: 0,
            sieve: SIEVE,
        }
    }
}

/// The reason why a certificate is not proven. Its text has no control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The certificate is damaged, its claim is false, or the checker cannot follow its plan.
    NotProven(String),
    /// Two results contradict each other: either the certificate states both, or this program has proven one and evaluated the other. One
    /// of the programs is wrong.
    Contradiction(String),
}

impl Refused {
    /// The exit code of `crunch-check`.
    #[must_use]
    pub fn code(&self) -> u8 {
        match self {
            Refused::NotProven(_) => 1,
            Refused::Contradiction(_) => 4,
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::NotProven(why) => f.write_str(&plain(why)),
            Refused::Contradiction(what) => {
                write!(f, "internal contradiction: please report: {}", plain(what))
            }
        }
    }
}

/// A text in which no character moves the cursor or conceals another character: control characters and direction marks are escaped.
#[must_use]
pub fn plain(text: &str) -> String {
    let moves = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars()
        .map(|c| match moves(c) {
            true => c.escape_default().to_string(),
            false => c.to_string(),
        })
        .collect()
}
