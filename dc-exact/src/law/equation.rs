//! Taylor coefficients from differential equations: the derivative of each function is made of known ones.

use super::taylor::FromBall;
use super::{Enclosed, Law, NoTruth};
use crate::cell::Cell;
use crate::num::float::{exponent, scaled_up};
use crate::num::{Ball, Interval, Ring, Series};

/// Where a series is made: at a number, or over a cell.
struct Place<R> {
    x: R,
    /// The factor of τ.
    w: R,
    /// The value, divided by `2^e`.
    value: R,
    /// What the derivative is made of, as [`Law::parts`] gives it.
    part: R,
    /// The exponent of the center, or 0.
    s: i32,
    /// The exponent by which the part is divided.
    k: i32,
    e: i32,
}

impl Law {
    /// Encloses a function over a cell.
    pub(super) fn by_equation<const K: usize>(
        self,
        cell: Cell,
        c: f64,
        w: f64,
        e: i32,
    ) -> Result<Enclosed<K>, NoTruth> {
        let x = Interval::new(cell.lo, cell.hi);
        if let Some(constant) = self.far(cell, e) {
            return Ok(Enclosed {
                at: Series::constant(constant),
                over: Series::constant(constant.enclosure()),
            });
        }
        if !self.is_defined(cell) {
            return Err(NoTruth::Undefined);
        }
        let value = self.value(c, e);
        let values = self.values(cell, e);
        if w == 0.0 {
            return Ok(Enclosed {
                at: Series::constant(value),
                over: Series::constant(values),
            });
        }
        let s = if c == 0.0 { 0 } else { exponent(c) };
        let (part, over, k) = self.parts(cell, c);
        let at = Place {
            x: Ball::number(c),
            w: Ball::number(w),
            value,
            part,
            s,
            k,
            e,
        };
        let over = Place {
            x,
            w: Interval::point(w),
            value: values,
            part: over,
            s,
            k,
            e,
        };
        Ok(Enclosed {
            at: self.series(at),
            over: self.series(over),
        })
    }

    /// The value, divided by `2^e`, where `b^x` is smaller than every double on all of a cell.
    fn far(self, cell: Cell, e: i32) -> Option<Ball> {
        if cell.hi >= -self.reach()? {
            return None;
        }
        // The largest of these is 10^-800.
        let small = Ball::ZERO.widened(scaled_up(1.0, -2600 - e));
        match self {
            Law::Exp | Law::Exp2 | Law::Exp10 => Some(small),
            _ => Some(small.sub(Ball::number(1.0).scale(-e))),
        }
    }

    /// Whether a function is analytic on all of a cell, and can be enclosed there.
    fn is_defined(self, cell: Cell) -> bool {
        if let Some(reach) = self.reach() {
            return cell.lo >= -reach && cell.hi <= reach;
        }
        match self {
            Law::Ln | Law::Log2 | Law::Log10 => cell.lo > 0.0,
            Law::Ln1p | Law::Log2p1 | Law::Log10p1 => cell.lo > -1.0,
            _ => false,
        }
    }

    /// The values over a cell: all of these functions increase.
    fn values(self, cell: Cell, e: i32) -> Interval {
        let [lo, hi] = [cell.lo, cell.hi].map(|x| self.value(x, e).enclosure());
        let hull = lo.hull(hi);
        // The side of a power of two on which a value is decides its ULP.
        let at = match self {
            Law::Exp | Law::Exp2 | Law::Exp10 => 1.0,
            Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 | Law::Ln1p | Law::Log2p1 | Law::Log10p1 => 0.0,
            _ => return hull,
        };
        let known = Interval::point(at).scale(-e);
        Interval {
            lo: if cell.lo >= 0.0 {
                hull.lo.max(known.lo)
            } else {
                hull.lo
            },
            hi: if cell.hi <= 0.0 {
                hull.hi.min(known.hi)
            } else {
                hull.hi
            },
        }
    }

    /// The number that the derivative is made of, at a number and over a cell, divided by `2^k`; and k.
    fn parts(self, cell: Cell, c: f64) -> (Ball, Interval, i32) {
        match self {
            Law::Exp2 | Law::Exp10 | Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => {
                let (m, k) = self.growth(c);
                let end = |x: f64| {
                    let (m, i) = self.growth(x);
                    m.scale(i - k).enclosure()
                };
                (m, end(cell.lo).hull(end(cell.hi)), k)
            }
            _ => (Ball::ZERO, Interval::ZERO, 0),
        }
    }

    fn series<R: Ring + FromBall, const K: usize>(self, at: Place<R>) -> Series<R, K> {
        let rate = self.rate();
        match self {
            Law::Exp2 | Law::Exp10 | Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => {
                let w = at.w.mul(R::from_ball(rate));
                exponential(at.value, at.part, w, at.k - at.e)
            }
            Law::Ln | Law::Log2 | Law::Log10 => at.logarithm(R::number(0.0), at.s, rate),
            Law::Ln1p | Law::Log2p1 | Law::Log10p1 => {
                let s = at.s.max(0);
                at.logarithm(R::number(1.0).scale(-s), s, rate)
            }
            _ => unreachable!("{self:?} has a closed form"),
        }
    }
}

impl<R: Ring + FromBall> Place<R> {
    /// The function whose derivative in τ is `slope w`, where w is divided by `2^s` already, and the value is known.
    fn integral<const K: usize>(&self, slope: Series<R, K>, s: i32) -> Series<R, K> {
        // The scale is applied to the width, which is near the value where the value is near 0.
        let w = self.w.scale(-s - self.e);
        Series(std::array::from_fn(|k| match k {
            0 => self.value,
            _ => slope.0[k - 1].mul(w).div(R::number(k as f64)),
        }))
    }

    /// The input divided by `2^s`.
    fn variable<const K: usize>(&self, s: i32) -> Series<R, K> {
        Series::variable(self.x.scale(-s), self.w.scale(-s))
    }

    /// `ln(one 2^s + x) / rate`
    fn logarithm<const K: usize>(&self, one: R, s: i32, rate: Ball) -> Series<R, K> {
        let inverse = Ball::number(1.0).div(rate);
        let y = self.variable(s).add(Series::constant(one));
        self.integral(Series::constant(R::from_ball(inverse)).div(y), s)
    }
}

/// `value + (e^(w τ) - 1) growth 2^shift`
fn exponential<R: Ring, const K: usize>(value: R, growth: R, w: R, shift: i32) -> Series<R, K> {
    let mut term = growth.mul(w.scale(shift));
    Series(std::array::from_fn(|k| {
        if k == 0 {
            return value;
        }
        if k > 1 {
            term = term.mul(w).div(R::number(k as f64));
        }
        term
    }))
}
