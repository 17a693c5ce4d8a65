//! Bounds of computed values that determine binades, and case distinctions if no bound determines the binade.

use std::collections::HashMap;

use super::{Analysis, Share, Straddle};
use crate::cell::{Kind, Residual, Tight};
use crate::num::float::{exponent, power};
use crate::num::{Interval, Ring};

impl Analysis {
    /// Bounds of the computed values that are tighter than those from the evaluation by ranges.
    pub(super) fn tight(&self, assumed: &Tight) -> Tight {
        let mut tight = HashMap::with_capacity(self.residual.operations.len());
        for (i, operation) in self.residual.operations.iter().enumerate() {
            let made = !matches!(
                operation.kind,
                Kind::Input
                    | Kind::Const(_)
                    | Kind::Low(_)
                    | Kind::Sum(..)
                    | Kind::SumError(..)
                    | Kind::ProductError(..)
            );
            let values = self.values[i].scale(self.exponents[i]);
            if made && values.lo.is_finite() && values.hi.is_finite() {
                tight.insert(operation.site, values);
            }
        }
        for (site, bound) in assumed {
            let both = tight.get(site).map_or(Some(*bound), |t| t.meet(*bound));
            tight.insert(*site, both.unwrap_or(*bound));
        }
        tight
    }

    /// Both cases of an operation whose results lie on both sides of a power of two, and exceed it by at most a few times their errors.
    /// `None` if the results lie on one side, or if cutting the cell would separate them.
    #[must_use]
    pub fn cases(&self, site: u32, case: &Tight) -> Option<[Tight; 2]> {
        let i = self
            .residual
            .operations
            .iter()
            .position(|o| o.site == site && o.rounding.is_some())?;
        let values = self.residual.operations[i].values;
        if values.contains(0.0) || exponent(values.lo) == exponent(values.hi) {
            return None;
        }
        let edge = power(exponent(values.magnitude())).copysign(values.lo);
        let scaled = Interval::point(edge).scale(-self.exponents[i]);
        let hugs = self.reals[i].sub(scaled).magnitude() <= 4.0 * self.errors[i];
        (hugs && !case.contains_key(&site)).then(|| both_sides(case, site, edge))
    }

    /// See [`CellError::straddles`].
    pub(super) fn straddles(&self, shares: &[Share]) -> Option<Straddle> {
        let mut found: Option<(f64, Straddle)> = None;
        for (i, operation) in self.residual.operations.iter().enumerate() {
            let values = operation.values;
            if operation.rounding.is_none()
                || values.contains(0.0)
                || exponent(values.lo) == exponent(values.hi)
            {
                continue;
            }
            let share = shares.iter().find(|s| s.site == operation.site);
            let share = share.map_or(0.0, |s| s.ulp);
            if share < 1e-6 || found.is_some_and(|f| f.0 >= share) {
                continue;
            }
            let edge = power(exponent(values.magnitude())).copysign(values.lo);
            let scaled = Interval::point(edge).scale(-self.exponents[i]);
            let apart = self.reals[i].sub(scaled).magnitude();
            // c0 + c1 τ = edge
            let c = &self.at[i].0;
            let place = 0.5 + 0.5 * (scaled.lo - c[0].mid()) / c[1].mid();
            found = Some((
                share,
                Straddle {
                    site: operation.site,
                    edge,
                    hugs: apart <= 4.0 * self.errors[i],
                    place,
                },
            ));
        }
        found.map(|f| f.1)
    }
}

/// Splits a case in two: the operation's results are below a power of two in magnitude, or they are not.
#[must_use]
pub fn both_sides(case: &Tight, site: u32, edge: f64) -> [Tight; 2] {
    let below = edge.abs().next_down();
    let far = if edge > 0.0 {
        Interval::new(edge, f64::MAX)
    } else {
        Interval::new(-f64::MAX, edge)
    };
    [Interval::symmetric(below), far].map(|side| {
        let mut case = case.clone();
        case.insert(site, side);
        case
    })
}

/// Whether tighter bounds change the binade of a value.
pub(super) fn gains(residual: &Residual, before: &Tight, after: &Tight) -> bool {
    residual.operations.iter().any(|o| {
        let Some(new) = after.get(&o.site) else {
            return false;
        };
        let old = before
            .get(&o.site)
            .and_then(|t| t.meet(o.values))
            .unwrap_or(o.values);
        let binades = |r: &Interval| {
            let least = if r.contains(0.0) {
                i32::MIN
            } else {
                exponent(r.least())
            };
            let most = r.magnitude();
            (
                least,
                if most == 0.0 {
                    i32::MIN
                } else {
                    exponent(most)
                },
                r.hi.abs() > r.lo.abs(),
            )
        };
        binades(new) != binades(&old) || new.width() < 0.5 * old.width()
    })
}

#[cfg(test)]
mod tests;
