//! Stretches of keys of one argument.

use super::key::Precision;

/// An interval of consecutive keys of numbers; at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Keys {
    /// The smallest key.
    pub first: i64,
    /// The largest key, included.
    pub last: i64,
}

impl Keys {
    /// The keys of all numbers of a precision.
    #[must_use]
    pub const fn all(precision: Precision) -> Keys {
        Keys {
            first: precision.min_key(),
            last: precision.max_key(),
        }
    }

    /// Their number: up to 2^64.
    #[must_use]
    pub const fn count(self) -> u128 {
        (self.last as i128 - self.first as i128 + 1) as u128
    }

    /// Whether a key is in the interval.
    #[must_use]
    pub const fn contains(self, key: i64) -> bool {
        self.first <= key && key <= self.last
    }
}

/// How inputs are assigned to numbers, if they are taken by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// A stratified sample: see `pairs.rs`.
    Sample,
    /// All of them. For pairs: for each number of the first argument, all numbers of the second.
    Every,
}
