//! A sum whose rounding is a tie has an even result, and the next sum with that is exact.
//!
//! Let a node t have the largest unit u, exact results that are multiples of g, and a rounding to nearest, ties to even. Let y be the sum or the difference of t and a
//! multiple of 2u, rounded to units of at most 2u. If y is not exact, then t is an odd multiple of its own unit, so no tie, and its
//! rounding error is at most `u/2 - g`. The proof is in docs/book/src/understand/cell-bounds.md, *Ties*.

use crate::number::{Number, power};
use crate::residual::{Kind, Line};

/// Such a pair of nodes.
pub struct Tied {
    /// The one that may be a tie.
    pub first: usize,
    /// The one that is exact then.
    pub then: usize,
    /// The bound of the first one's rounding error where the other is not exact.
    pub least: Number,
}

/// Below this part of a unit, what a tie adds is not worth a second sum.
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
