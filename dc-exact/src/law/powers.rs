//! Powers with one fixed argument: `x^y` of positive numbers x, and `a^x` of a positive number a.

use super::taylor::geometric;
use super::value::{exp_of, ln};
use super::{Enclosed, NoTruth};
use crate::cell::Cell;
use crate::num::float::{exponent, is_power};
use crate::num::{Ball, Interval, Ring, Series};

/// A function `x^y` with one of its arguments fixed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Power {
    /// `x^y` as a function of x > 0, for this finite y.
    Of(f64),
    /// `a^x` as a function of x, for this finite a > 0.
    Base(f64),
}

/// If the logarithm of a power is larger in magnitude, the power is far above all doubles, or below.
const REACH: f64 = 1000.0;

impl Power {
    /// The base and the exponent at a number.
    fn arguments(self, x: f64) -> (f64, f64) {
        match self {
            Power::Of(y) => (x, y),
            Power::Base(a) => (a, x),
        }
    }

    /// The logarithm at a number. `None` if it is out of reach.
    fn log(self, x: f64) -> Option<Ball> {
        let (base, y) = self.arguments(x);
        // The logarithm of the largest number is below 2^10.
        if !(base > 0.0 && base.is_finite() && y.abs() < 1e300) {
            return None;
        }
        let log = ln(base).mul(Ball::number(y));
        (log.magnitude() <= REACH).then_some(log)
    }

    /// The value at a number, divided by `2^e`.
    fn value(self, x: f64, e: i32) -> Option<Ball> {
        let log = self.log(x)?;
        let (base, y) = self.arguments(x);
        // Powers of two have no radius: the side of them on which a number is decides its ULP. Both factors are small, so the product is exact.
        let exact = f64::from(exponent(base)) * y;
        if (is_power(base) || y == 0.0)
            && y.abs() < f64::from(1 << 20)
            && exact.fract() == 0.0
            && is_short(y)
        {
            return Some(Ball::number(1.0).scale(exact as i32 - e));
        }
        let (m, k) = exp_of(log, &[]);
        Some(m.scale(k - e))
    }

    /// Encloses it over a cell.
    pub(super) fn enclose<const K: usize>(
        self,
        cell: Cell,
        c: f64,
        w: f64,
        e: i32,
    ) -> Result<Enclosed<K>, NoTruth> {
        let value = |x: f64| self.value(x, e).ok_or(NoTruth::Undefined);
        let at = value(c)?;
        // It is monotonic.
        let over = value(cell.lo)?
            .enclosure()
            .hull(value(cell.hi)?.enclosure());
        let s = exponent(if c == 0.0 { 1.0 } else { c });
        Ok(match self {
            Power::Of(y) => {
                let x = Interval::new(cell.lo, cell.hi).scale(-s);
                let step = Ball::number(w).scale(-s);
                Enclosed {
                    at: binomial(at, y, step.div(Ball::number(c).scale(-s))),
                    over: binomial(over, y, Interval::point(w).scale(-s).div(x)),
                }
            }
            Power::Base(a) => {
                let rate = ln(a).mul(Ball::number(w));
                Enclosed {
                    at: geometric(at, rate),
                    over: geometric(over, rate.enclosure()),
                }
            }
        })
    }
}

/// Whether a number has at most 40 bits, so that its product with an exponent is exact.
fn is_short(y: f64) -> bool {
    y == 0.0 || exponent(y) - crate::num::float::grid(y) < 40
}

/// `value (1 + step τ)^y`
fn binomial<R: Ring, const K: usize>(value: R, y: f64, step: R) -> Series<R, K> {
    let mut term = value;
    Series(std::array::from_fn(|k| {
        if k > 0 {
            let factor = R::number(y).sub(R::number(k as f64 - 1.0));
            term = term.mul(step).mul(factor).div(R::number(k as f64));
        }
        term
    }))
}

#[cfg(test)]
mod tests {
    use super::super::{Law, Truth};
    use super::*;

    /// Powers that equal other functions have their values and coefficients.
    #[test]
    fn powers_are_the_functions_that_they_equal() {
        let of = [
            (Power::Of(-1.0), Law::Recip),
            (Power::Of(0.5), Law::Sqrt),
            (Power::Of(-0.5), Law::RecipSqrt),
            (Power::Base(2.0), Law::Exp2),
            (Power::Base(10.0), Law::Exp10),
        ];
        let mut compared = 0;
        for (power, law) in of {
            for c in [0.75, 1.0, 1.5, 2.0, 3.0, 100.0, 1e-3, 1e-300, 1e300] {
                let w = c * 2f64.powi(-20);
                let cell = Cell {
                    lo: c - w,
                    hi: c + w,
                };
                let other = Truth::Law(law).enclose::<6>(cell, c, w, 0);
                let (Ok(a), Ok(b)) = (Truth::Power(power).enclose::<6>(cell, c, w, 0), other)
                else {
                    continue;
                };
                let size = b.at.0[0].magnitude();
                if !(1e-200..1e200).contains(&size) {
                    continue;
                }
                for k in 0..6 {
                    let apart = a.at.0[k].sub(b.at.0[k]);
                    let context = format!("{power:?} {c:e} {k}: {:?} {:?}", a.at.0[k], b.at.0[k]);
                    assert!(apart.enclosure().contains(0.0), "{context}");
                    let narrow = 2f64.powi(-80) * b.at.0[k].magnitude().max(size * 2f64.powi(-60));
                    assert!(a.at.0[k].r <= narrow, "{context}");
                    assert!(a.over.0[k].meet(b.over.0[k]).is_some(), "{context}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 150, "{compared}");
    }

    /// Coefficients over a cell hold those at its ends.
    #[test]
    fn coefficients_over_a_cell_hold_those_of_its_numbers() {
        for power in [
            Power::Of(0.75),
            Power::Of(-0.3),
            Power::Base(0.3),
            Power::Base(2.5),
        ] {
            for c in [0.75, 1.5, 3.0] {
                let w = c * 2f64.powi(-10);
                let of = |lo: f64, c: f64, hi: f64| {
                    let enclosed = Truth::Power(power).enclose::<6>(Cell { lo, hi }, c, w, 0);
                    enclosed.unwrap_or_else(|why| panic!("{power:?} {c}: {why:?}"))
                };
                let (lo, hi) = (c - w, c + w);
                let over = of(lo, c, hi).over;
                for x in [lo, c, hi] {
                    let at = of(x, x, x).at;
                    for (k, (o, a)) in over.0.iter().zip(at.0).enumerate() {
                        assert!(o.meet(a.enclosure()).is_some(), "{power:?} {x} {k}");
                    }
                }
            }
        }
    }

    /// A power of two has no radius, and numbers outside have no value.
    #[test]
    fn powers_of_two_are_exact() {
        let exact = |p: Power, x: f64| {
            let ball = p.value(x, 0).expect("it has a value");
            (ball.r == 0.0 && ball.l == 0.0).then_some(ball.h)
        };
        assert_eq!(exact(Power::Of(0.75), 16.0), Some(8.0));
        assert_eq!(exact(Power::Of(2.4), 32.0), None);
        assert_eq!(exact(Power::Of(-3.0), 0.25), Some(64.0));
        assert_eq!(exact(Power::Base(0.5), 2.0), Some(0.25));
        assert_eq!(exact(Power::Base(2.5), 2.0), None);
        assert_eq!(exact(Power::Base(2.5), 0.0), Some(1.0));
        assert_eq!(exact(Power::Of(2.5), 1.0), Some(1.0));
        assert!(Power::Of(2.4).value(-1.0, 0).is_none());
        assert!(Power::Of(2.4).value(0.0, 0).is_none());
        assert!(Power::Base(2.5).value(1e4, 0).is_none());
    }
}
