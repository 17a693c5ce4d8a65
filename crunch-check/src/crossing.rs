//! Where to cut a stretch on which results of an operation are on both sides of a power of two.

use crate::analysis::Analysis;
use crate::expansion::Expansion;
use crate::number::{Coarse, Fine, power_double};
use crate::residual::{expo, unit};

impl Analysis {
    /// Where to cut a stretch on which results of an operation are on both sides of a power of two: a little before or after the place where the
    /// operation, by its series, equals that power, so that next to it the sides are two cases. If there are several such operations, the one
    /// that contributes most is used.
    pub fn crossing(&self, weights: &[Coarse], result: i32, expansion: &Expansion) -> Option<f64> {
        let mut found: Option<(f64, f64)> = None;
        for (i, node) in self.line.nodes.iter().enumerate() {
            let (lo, hi) = self.values[i].ends();
            let (Some(rounding), Some(slope)) = (node.rounding, self.at[i].get(1)) else {
                continue;
            };
            if lo <= 0.0 && hi >= 0.0 || expo(lo) == expo(hi) || slope.holds_zero() {
                continue;
            }
            let far = if lo > 0.0 { hi } else { lo };
            let edge = power_double(expo(far).max(-1074)).copysign(far);
            let slope = slope.middle();
            let at = self.reaches(i, edge, slope);
            let beside = 3.0 * Coarse::of(self.errors[i].clone()).ends().1 / slope.abs();
            let radius = Coarse::of(expansion.radius.clone()).middle();
            let places = [at - beside, at + beside].map(|t| expansion.center + radius * t);
            // Once is enough on either side.
            let least = 0.5 * beside * radius;
            let inside = |x: &f64| expansion.lo + least < *x && *x < expansion.hi - least;
            let part = weights[i].mul(&unit(rounding.unit - 1 - result));
            let part = part.ends().1.abs();
            if part > 1e-3
                && found.is_none_or(|f| f.0 < part)
                && let Some(place) = places.into_iter().find(inside)
            {
                found = Some((part, place));
            }
        }
        found.map(|f| f.1)
    }

    /// The place where an operation's series equals a number, approximately, by Newton's method.
    fn reaches(&self, i: usize, edge: f64, slope: f64) -> f64 {
        let series: Vec<f64> = self.at[i].iter().map(Fine::middle).collect();
        let at = |t: f64| series.iter().rev().fold(0.0, |sum, c| sum * t + c) - edge;
        let first = -at(0.0) / slope;
        let mut t = first.clamp(-1.0, 1.0);
        for _ in 0..6 {
            let off = f64::powi(2.0, -20);
            let slope = (at(t + off) - at(t - off)) / (2.0 * off);
            let next = t - at(t) / slope;
            if next.is_nan() || next.abs() >= 2.0 {
                return first;
            }
            t = next;
        }
        t
    }
}
