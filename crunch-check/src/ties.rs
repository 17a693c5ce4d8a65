//! If the rounding of a sum is a tie, its result is even, and the next sum with this result is exact.
//!
//! Let a node t be rounded to nearest, ties to even. Let u be its largest unit, and let its exact results be multiples of g. Let y be the sum or the difference of t
//! and a multiple of 2u, rounded to units of at most 2u. If y is not exact, t is an odd multiple of its own unit. So its rounding is not a tie, and its
//! rounding error is at most `u/2 - g`. The proof is in docs/book/src/understand/cell-bounds.md, *Ties*.

use crate::number::{Number, power};
use crate::residual::{Kind, Line};

/// A pair of such nodes.
pub struct Tied {
    /// The node whose rounding may be a tie.
    pub first: usize,
    /// The node that is then exact.
    pub then: usize,
    /// The bound of the first node's rounding error if the other node is not exact.
    pub least: Number,
}

/// If the grid is finer than the unit by more than this power of two, the smaller error is not worth a second sum.
const SMALL: i32 = 20;

/// The pairs of a line.
pub fn tied(line: &Line) -> Vec<Tied> {
    let mut all = Vec::new();
    for (then, node) in line.nodes.iter().enumerate() {
        let (Kind::Add(a, b) | Kind::Sub(a, b), Some(after)) = (node.kind, node.rounding) else {
            continue;
        };
        for (first, other) in [(a, b), (b, a)] {
            let Some(before) = line.nodes[first].rounding else {
                continue;
            };
            let Some(grid) = before.grid else { continue };
            let even = line.nodes[other].grid > before.unit && after.unit <= before.unit + 1;
            if a != b && even && grid < before.unit && before.unit - grid <= SMALL {
                let least = power(before.unit - 1) - power(grid);
                all.push(Tied { first, then, least });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests;
