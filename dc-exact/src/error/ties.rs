//! Two roundings in a row that do not reach their extremes together.
//!
//! # Lemma
//!
//! *Let A be a sum, product, … that is rounded to nearest, ties to even, with `2^U` as the largest unit in the last place of its results, and let its exact
//! results be multiples of `2^g`, `g < U`. Let `B = A ± c` or `c - A` be rounded to nearest, with results whose units are at most `2^(U+1)`, and let c be
//! a multiple of `2^(U+1)`. Then for each input B is exact, or A's rounding error is at most `2^(U-1) - 2^g`.*
//!
//! Proof. Let B not be exact. If A's unit is `2^U`, then `A/2^U` is odd: otherwise `A ± c` would be a multiple of `2^(U+1)`, and B would be exact. A tie is
//! rounded to an even multiple, so the rounding of A is not a tie. A's error is a multiple of `2^g` and below `2^(U-1)`, so it is at most `2^(U-1) - 2^g`. If A's
//! unit is smaller, its error is zero if `g = U - 1`, and otherwise at most `2^(U-2) <= 2^(U-1) - 2^g`. ∎
//!
//! Example: fdlibm's `1 - (w - hi)`, between 1/2 and 3/4, has two roundings, with errors of at most 1/4 and 1/2 of its units, but never both. If w is a multiple of 1/16
//! of these units, the sum is at most 3/16 + 1/2.

use crate::cell::{Index, Kind, Operation};
use crate::num::Interval;
use crate::num::float::power;

/// A pair of such operations.
pub(super) struct Pair {
    /// The first one, A.
    pub first: usize,
    /// The second one, B.
    pub second: usize,
    /// An enclosure of A's rounding error, in units, if B is not exact.
    pub within: Interval,
}

/// If the grid is finer than this power of two of a unit, the gain is not worth the time.
const FINEST: i32 = -20;

/// All pairs of a residual's operations.
pub(super) fn pairs(operations: &[Operation]) -> impl Iterator<Item = Pair> {
    operations.iter().enumerate().filter_map(|(second, of)| {
        let (a, b) = match of.kind {
            Kind::Add(a, b) | Kind::Sub(a, b) if a != b => (a, b),
            _ => return None,
        };
        pair(operations, second, (a, b)).or_else(|| pair(operations, second, (b, a)))
    })
}

fn pair(operations: &[Operation], second: usize, (a, c): (Index, Index)) -> Option<Pair> {
    let (first, after) = (&operations[a as usize], &operations[second]);
    let rounding = first.rounding?;
    let finer = rounding.exact_grid? - rounding.unit;
    let to_nearest = first.direction.is_none() && after.direction.is_none();
    let holds = to_nearest
        && (FINEST..0).contains(&finer)
        && operations[c as usize].grid > rounding.unit
        && after.rounding?.unit <= rounding.unit + 1;
    holds.then(|| Pair {
        first: a as usize,
        second,
        within: Interval::symmetric(0.5 - power(finer)),
    })
}

#[cfg(test)]
mod tests;
