//! The errors for texts that are not an input or a range.

use crate::model::stored::StoredError;

/// The error for a text that is not an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// It is not a number of the precision.
    #[error("input `{text}`, character {position}: {problem}; {remedy}")]
    Number {
        /// The whole text, on one line and truncated if it is long.
        text: String,
        /// The number of the offending character, from 1.
        position: usize,
        /// The error.
        problem: String,
        /// What to write instead.
        remedy: String,
    },
    /// It is not a pair.
    #[error(
        "input `{text}`: {problem}; write the two arguments, as in 0.5,3.0 (a NaN by its bits, as in bits:0x7fc00000)"
    )]
    Pair {
        /// The whole text, on one line and truncated if it is long.
        text: String,
        /// The error.
        problem: String,
    },
    /// It is not an integer of the type.
    #[error("input `{text}`: {problem}; write an integer, such as 16842753 or 0xff")]
    Integer {
        /// The whole text, on one line and truncated if it is long.
        text: String,
        /// The error.
        problem: String,
    },
    /// It is not a number of a 16-bit format.
    #[error("input `{text}`: {reason}")]
    Stored {
        /// The whole text, on one line and truncated if it is long.
        text: String,
        /// The reason.
        reason: StoredError,
    },
}

/// The error for a text that is not a range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("range `{text}`, character {position}: {problem}; {remedy}")]
pub struct RangeError {
    /// The whole text, on one line and truncated if it is long.
    pub text: String,
    /// The number of the offending character, from 1.
    pub position: usize,
    /// The error.
    pub problem: String,
    /// What to write instead.
    pub remedy: String,
}
