//! Operations that keep what was rounded: products by powers of two, and differences that take a constant away again.

use std::rc::Rc;

use super::domain::Pairs;
use super::poly::Poly;
use super::value::{Before, Float};
use crate::num::Interval;
use crate::num::float::{BINARY64, COARSEST, Format, exponent, is_power, power};

/// From here on, a power of two times one of these numbers is normal.
const SMALL: f64 = f64::from_bits((1023 - 900) << 52);

impl Pairs<'_> {
    /// At least half the unit in the last place of the numbers of a range, for the error of a rounding of the polynomial.
    ///
    /// Up to a power of two P, this is half the unit below P. If the largest number is `P + d`, with d at most half the unit above P, those above P are
    /// rounded to P, with an error of at most d.
    pub(super) fn half_unit_below(&self, f: Format, exact: &Poly, range: Interval) -> f64 {
        let magnitude = range.magnitude();
        if magnitude == 0.0 {
            return 0.0;
        }
        let e = exponent(magnitude);
        let half = |e: i32| power((e - f.precision).max(-1074));
        let (above, below) = (half(e), half(e - 1));
        let end = power(e);
        if magnitude == end {
            return below;
        }
        if range.lo < 0.0 || magnitude > end * (1.0 + 1e-9) {
            return above;
        }
        let beyond = exact.sub(&Poly::number(end));
        let most = |p: Poly| {
            let by_terms = self.atoms.sum_of_terms(&p, true).hi;
            by_terms.min(self.atoms.range(&p).hi)
        };
        let beyond = beyond.map(most);
        match beyond {
            Some(d) if d <= above => below.max(d),
            _ => above,
        }
    }

    /// What is known about `a + c` before the rounding of a, if the sum with the constant c is exact.
    pub(super) fn near(&self, a: &Float, c: &Float) -> Option<Before> {
        let constant = c.constant()?;
        let Some((Before::Sum(exact), _)) = &a.before else {
            return None;
        };
        let error = self.atoms.range(&a.poly.as_ref()?.sub(exact)?).magnitude();
        if !(SMALL..f64::MAX).contains(&error) {
            return None;
        }
        let e = exponent(error);
        Some(Before::Near {
            of: exact.add(&Poly::number(constant))?,
            grid: e + 1,
            factor: error / power(e),
        })
    }

    /// The product of a number and a power of two, if it is exact or infinite.
    pub(super) fn scaled(&self, a: &Float, factor: &Float) -> Option<Rc<Float>> {
        let c = factor.constant().filter(|&c| c > 0.0 && is_power(c))?;
        let e = exponent(c);
        let p = a.poly.as_ref()?;
        if e == 0 {
            return Some(Rc::new(a.clone()));
        }
        let own = self.range_now(a);
        let range = own.scaled(e);
        let normal = |x: Interval| x.least() >= f64::MIN_POSITIVE;
        // It has the number's bits, and they are on the grid of all numbers.
        let on_grid = a.grid.checked_add(e).is_some_and(|g| g >= BINARY64.least);
        if !normal(range) && !on_grid {
            return None;
        }
        let before = match &a.before {
            // A normal number is rounded as its multiple is. A subnormal sum is exact.
            Some((Before::Sum(exact), sum)) if *sum || normal(own) => {
                Some(Before::Sum(exact.scaled(e)?))
            }
            Some((Before::Near { of, grid, factor }, _)) => Some(Before::Near {
                of: of.scaled(e)?,
                grid: grid + e,
                factor: *factor,
            }),
            _ => None,
        };
        if range.magnitude() > f64::MAX {
            // The multiple of a rounded number is infinite where that of the exact one is rounded to infinity.
            let before @ Before::Sum(_) = before? else {
                return None;
            };
            return Some(Rc::new(Float {
                before: Some((before, false)),
                ..Float::of_range(Interval::ALL)
            }));
        }
        let poly = p.scaled(e)?;
        let before = before.or_else(|| a.before.is_some().then(|| Before::Sum(poly.clone())));
        Some(Rc::new(Float {
            poly: Some(poly),
            bits: a.bits,
            // Zero is on every grid.
            grid: (a.grid + e).clamp(BINARY64.least, COARSEST),
            before: before.map(|b| (b, false)),
            ..Float::of_range(range)
        }))
    }
}
