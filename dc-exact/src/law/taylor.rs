//! Taylor coefficients of functions, at a number and over a cell.

use super::value::{CIRCLES, FAR, FromBall, cbrt, exp, inverse_factorials, ln, sin_cos};
use super::{Enclosed, Law, NoTruth};
use crate::cell::Cell;
use crate::num::float::exponent;
use crate::num::{Ball, Interval, Ring, Series};

/// 2^-300: the sine of smaller numbers is their product with a factor that is 1 to within the square.
const NO_CUBE: f64 = f64::from_bits((1023 - 300) << 52);

/// The sine over an interval, from its ends and the extrema at odd multiples of π/2; `quarter` is 1 for the cosine.
pub(super) fn sine_over(x: Interval, ends: [Ball; 2], quarter: f64) -> Interval {
    let hull = ends[0].enclosure().hull(ends[1].enclosure());
    // In units of π, slightly widened: an extremum that is just outside the interval only widens the result.
    let unit = std::f64::consts::FRAC_1_PI;
    let at = |x: f64, room: f64| x * unit + 0.5 * (quarter - 1.0) + room;
    let room = 1e-12 * (1.0 + x.magnitude());
    let first = at(x.lo, -room).ceil();
    let last = at(x.hi, room).floor();
    let extremum = |n: f64| Interval::point(if n.rem_euclid(2.0) == 0.0 { 1.0 } else { -1.0 });
    let hull = if first <= last {
        hull.hull(extremum(first))
    } else {
        hull
    };
    if first < last {
        hull.hull(extremum(first + 1.0))
    } else {
        hull
    }
}

impl Law {
    pub(super) fn enclose<const K: usize>(
        self,
        cell: Cell,
        c: f64,
        w: f64,
        e: i32,
    ) -> Result<Enclosed<K>, NoTruth> {
        let x = Interval::new(cell.lo, cell.hi);
        // The input is scaled to near 1.
        let s = exponent(if c == 0.0 { 1.0 } else { c });
        let at = Series::variable(Ball::number(c).scale(-s), Ball::number(w).scale(-s));
        let over = Series::variable(x.scale(-s), Interval::point(w).scale(-s));
        match self {
            // One number: the value alone counts, and there is no derivative.
            Law::Sqrt | Law::Cbrt if x.lo == 0.0 && x.hi == 0.0 => Ok(Enclosed {
                at: Series::constant(Ball::ZERO),
                over: Series::constant(Interval::ZERO),
            }),
            Law::Exp => {
                if cell.hi < -FAR {
                    // The values are below 2^-2880.
                    let most = crate::num::float::scaled_up(1.0, -2880 - e);
                    return Ok(Enclosed {
                        at: Series::constant(Ball::ZERO.widened(most)),
                        over: Series::constant(Interval::new(0.0, most)),
                    });
                }
                if x.magnitude() > FAR {
                    return Err(NoTruth::Undefined);
                }
                let (m, k) = exp(c);
                let value = m.scale(k - e);
                let end = |x: f64| {
                    let (m, k) = exp(x);
                    m.scale(k - e).enclosure()
                };
                let one = Interval::ONE.scale(-e);
                // The side of 1 on which the value is decides its ULP.
                let least = if cell.lo >= 0.0 { one.lo } else { 0.0 };
                let most = if cell.hi <= 0.0 {
                    one.hi
                } else {
                    f64::INFINITY
                };
                let values = Interval::new(end(cell.lo).lo.max(least), end(cell.hi).hi.min(most));
                Ok(Enclosed {
                    at: geometric(value, Ball::number(w)),
                    over: geometric(values, Interval::point(w)),
                })
            }
            Law::Recip => {
                if x.contains(0.0) {
                    return Err(NoTruth::Undefined);
                }
                Ok(Enclosed {
                    at: Series::constant(Ball::number(1.0)).div(at).scale(-s - e),
                    over: Series::constant(Interval::ONE).div(over).scale(-s - e),
                })
            }
            Law::Sqrt | Law::RecipSqrt => {
                if x.lo <= 0.0 {
                    return Err(NoTruth::Undefined);
                }
                let half = s.div_euclid(2);
                let odd = s - 2 * half;
                let (at, over) = (at.scale(odd).root(), over.scale(odd).root());
                Ok(if self == Law::Sqrt {
                    Enclosed {
                        at: at.scale(half - e),
                        over: over.scale(half - e),
                    }
                } else {
                    Enclosed {
                        at: Series::constant(Ball::number(1.0)).div(at).scale(-half - e),
                        over: Series::constant(Interval::ONE).div(over).scale(-half - e),
                    }
                })
            }
            Law::Cbrt => {
                if x.contains(0.0) {
                    return Err(NoTruth::Undefined);
                }
                // The result's unit is one in which the cube root of the scale is a power of two.
                let third = s.div_euclid(3);
                // Each number is scaled by its own exponent, which is exact however far from the center it is.
                let root = |x: f64| {
                    let own = exponent(x).div_euclid(3);
                    cbrt(Ball::number(x).scale(-3 * own).h).scale(own - third)
                };
                let values = root(cell.lo).enclosure().hull(root(cell.hi).enclosure());
                let step = |x: Interval| Interval::point(w).scale(-s).div(x.scale(-s));
                let at_step = Ball::number(w).scale(-s).div(Ball::number(c).scale(-s));
                Ok(Enclosed {
                    at: binomial(root(c), at_step).scale(third - e),
                    over: binomial(values, step(x)).scale(third - e),
                })
            }
            Law::Sin | Law::Cos => {
                if x.magnitude() > CIRCLES {
                    return Err(NoTruth::Undefined);
                }
                let (sin, cos) = sin_cos(c);
                let ends = [sin_cos(cell.lo), sin_cos(cell.hi)];
                let sin_over = sine_over(x, ends.map(|e| e.0), 0.0);
                let cos_over = sine_over(x, ends.map(|e| e.1), 1.0);
                Ok(if self == Law::Sin {
                    // For numbers to which a radius of 2^-1000 is not negligible, the sine is taken after scaling.
                    let tiny = x.magnitude() < NO_CUBE;
                    let scaled = |x: f64| {
                        Ball::number(x)
                            .scale(-e)
                            .mul(Ball::number(1.0).widened(NO_CUBE))
                    };
                    let (value, values) = if tiny {
                        let ends = scaled(cell.lo)
                            .enclosure()
                            .hull(scaled(cell.hi).enclosure());
                        (scaled(c), ends)
                    } else {
                        (sin.scale(-e), sin_over.scale(-e))
                    };
                    Enclosed {
                        at: circular(value, [sin, cos], Ball::number(w), e),
                        over: circular(values, [sin_over, cos_over], Interval::point(w), e),
                    }
                } else {
                    Enclosed {
                        at: circular(cos.scale(-e), [cos, sin.neg()], Ball::number(w), e),
                        over: circular(
                            cos_over.scale(-e),
                            [cos_over, sin_over.neg()],
                            Interval::point(w),
                            e,
                        ),
                    }
                })
            }
            Law::Ln => {
                if x.lo <= 0.0 {
                    return Err(NoTruth::Undefined);
                }
                let values = ln(cell.lo).enclosure().hull(ln(cell.hi).enclosure());
                Ok(Enclosed {
                    at: integral(ln(c).scale(-e), at, e),
                    over: integral(values.scale(-e), over, e),
                })
            }
            _ => self.by_equation(cell, c, w, e),
        }
    }
}

/// `value e^(w τ)`: coefficients `value w^k / k!`.
pub(super) fn geometric<R: Ring + FromBall, const K: usize>(value: R, w: R) -> Series<R, K> {
    let table = inverse_factorials();
    let mut power = value;
    Series(std::array::from_fn(|k| {
        if k > 0 {
            power = power.mul(w);
        }
        power.mul(R::from_ball(table[k]))
    }))
}

/// `root (1 + step τ)^(1/3)`
fn binomial<R: Ring, const K: usize>(root: R, step: R) -> Series<R, K> {
    let mut term = root;
    Series(std::array::from_fn(|k| {
        if k > 0 {
            let (num, den) = (4.0 - 3.0 * k as f64, 3.0 * k as f64);
            term = term.mul(step).mul(R::number(num)).div(R::number(den));
        }
        term
    }))
}

/// A function whose value and derivative are `f` and `f'`, and whose second derivative is `-f`; divided by `2^e`, as is `value`.
fn circular<R: Ring + FromBall, const K: usize>(
    value: R,
    [f, slope]: [R; 2],
    w: R,
    e: i32,
) -> Series<R, K> {
    let table = inverse_factorials();
    // The scale is applied to the width, which is near the value where the value is near 0.
    let mut power = w.scale(-e);
    Series(std::array::from_fn(|k| {
        if k == 0 {
            return value;
        }
        if k > 1 {
            power = power.mul(w);
        }
        let derivative = [f, slope, f.neg(), slope.neg()][k % 4];
        power.mul(R::from_ball(table[k])).mul(derivative)
    }))
}

/// The series with this value whose derivative is that of the logarithm of `x`, divided by `2^e`.
fn integral<R: Ring, const K: usize>(value: R, x: Series<R, K>, e: i32) -> Series<R, K> {
    let slope = Series::constant(x.0[1]).div(x);
    Series(std::array::from_fn(|k| {
        if k == 0 {
            value
        } else {
            slope.0[k - 1].div(R::number(k as f64)).scale(-e)
        }
    }))
}
