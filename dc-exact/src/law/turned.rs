//! Sine and tangent of `x + n π/16`. Stages of trigonometric functions have an argument that is reduced by `n π/16`, and compute these.

use super::value::sin_cos_pi;
use super::{Enclosed, Law, NoTruth};
use crate::cell::Cell;
use crate::num::{Ball, Ring};

/// `a + b`, where either may be 0.
fn sum<const K: usize>(a: Option<Enclosed<K>>, b: Option<Enclosed<K>>) -> Option<Enclosed<K>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Enclosed {
            at: a.at.add(b.at),
            over: a.over.add(b.over),
        }),
        (one, other) => one.or(other),
    }
}

/// `sin(x + n π/16) = sin x cos(n π/16) + cos x sin(n π/16)`, divided by `2^e`.
fn sine<const K: usize>(
    n: u8,
    cell: Cell,
    (c, w): (f64, f64),
    e: i32,
) -> Result<Enclosed<K>, NoTruth> {
    let (sin, cos) = sin_cos_pi(f64::from(n) / 16.0);
    let part = |law: Law, factor: Ball| {
        let needed = !factor.is_zero();
        let part = needed.then(|| law.enclose(cell, c, w, e).map(|f| f.times(factor)));
        part.transpose()
    };
    let both = sum(part(Law::Sin, cos)?, part(Law::Cos, sin)?);
    both.ok_or(NoTruth::Undefined)
}

impl Law {
    /// Encloses the function at `x + n π/16`, as [`Law::enclose`] does at x.
    pub(super) fn enclose_turned<const K: usize>(
        self,
        n: u8,
        cell: Cell,
        center: (f64, f64),
        e: i32,
    ) -> Result<Enclosed<K>, NoTruth> {
        match self {
            _ if n == 0 => self.enclose(cell, center.0, center.1, e),
            Law::Sin => sine(n, cell, center, e),
            Law::Tan => {
                let (sin, cos) = (
                    sine(n, cell, center, e)?,
                    sine::<K>(n + 8, cell, center, 0)?,
                );
                // A pole.
                if cos.over.0[0].contains(0.0) {
                    return Err(NoTruth::Undefined);
                }
                Ok(Enclosed {
                    at: sin.at.div(cos.at),
                    over: sin.over.div(cos.over),
                })
            }
            _ => Err(NoTruth::Undefined),
        }
    }
}

#[cfg(test)]
mod tests;
