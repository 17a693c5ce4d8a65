//! What a routine is meant to compute: the function's value and derivatives, enclosed.

use std::sync::OnceLock;

use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::cell::{Cell, Outcome, Tight, evaluate};
use crate::num::float::{exponent, is_power};
use crate::num::series::range;
use crate::num::{Ball, Interval, Ring, Series};

/// Coefficients of the series with which cells are bounded.
pub const TERMS: usize = 8;

/// A function with its derivatives, in closed form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Law {
    /// `e^x`
    Exp,
    /// The natural logarithm.
    Ln,
    /// `1 / x`
    Recip,
    /// The square root.
    Sqrt,
    /// `1 / √x`
    RecipSqrt,
    /// The cube root.
    Cbrt,
    /// The sine, for `|x| <= 8192`.
    Sin,
    /// The cosine, for `|x| <= 8192`.
    Cos,
}

/// What is true.
#[derive(Debug, Clone)]
pub enum Truth {
    /// A function.
    Law(Law),
    /// A kernel in real arithmetic: its results are summed.
    Program(Program),
}

/// The function over a cell, divided by `2^e`: Taylor coefficients in `τ`, `x = c + w τ`, at `c` and over the cell.
#[derive(Debug, Clone, Copy)]
pub struct Enclosed<const K: usize> {
    /// At the center.
    pub at: Series<Ball, K>,
    /// Over the cell.
    pub over: Series<Interval, K>,
}

impl<const K: usize> Enclosed<K> {
    /// All values over the cell.
    #[must_use]
    pub fn range(&self) -> Interval {
        let range = range(&self.at, &self.over);
        range.meet(self.over.0[0]).unwrap_or(range)
    }

    /// Times a number.
    #[must_use]
    pub fn times(self, factor: Ball) -> Enclosed<K> {
        if factor.h == 1.0 && factor.l == 0.0 && factor.r == 0.0 {
            return self;
        }
        Enclosed {
            at: self.at.map(|c| c.mul(factor)),
            over: self.over.map(|c| c.mul(factor.enclosure())),
        }
    }
}

/// Why there is no enclosure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTruth {
    /// The function is not defined on all of the cell, or not bounded.
    Undefined,
    /// The reference is more than one program in real arithmetic on the cell: it must be cut where the value of this site
    /// of the reference changes.
    Varies(u32),
}

impl Truth {
    /// The function over a cell.
    ///
    /// # Errors
    /// Where it is not one analytic function.
    pub fn enclose<const K: usize>(
        &self,
        cell: Cell,
        center: f64,
        radius: f64,
        e: i32,
    ) -> Result<Enclosed<K>, NoTruth> {
        match self {
            Truth::Law(law) => law.enclose(cell, center, radius, e),
            Truth::Program(program) => in_reals(program, cell, center, radius, e),
        }
    }
}

impl Truth {
    /// Whether the function is undefined at every input of a cell.
    #[must_use]
    pub fn nowhere(&self, cell: Cell) -> bool {
        match self {
            Truth::Law(Law::Ln | Law::RecipSqrt) => cell.hi <= 0.0,
            Truth::Law(Law::Sqrt) => cell.hi < 0.0,
            Truth::Law(Law::Recip) => cell.lo == 0.0 && cell.hi == 0.0,
            Truth::Law(Law::Exp | Law::Cbrt | Law::Sin | Law::Cos) | Truth::Program(_) => false,
        }
    }

    /// Whether the function is larger than every double on all of a cell, which is not enclosed there.
    #[must_use]
    pub fn beyond(&self, cell: Cell) -> bool {
        matches!(self, Truth::Law(Law::Exp)) && cell.lo > FAR
    }
}

/// Beyond `±FAR`, `e^x` is larger than every double, or smaller.
const FAR: f64 = 2000.0;

/// A program's results in real arithmetic, summed.
fn in_reals<const K: usize>(
    program: &Program,
    cell: Cell,
    center: f64,
    radius: f64,
    e: i32,
) -> Result<Enclosed<K>, NoTruth> {
    let evaluated = evaluate(program, cell, &Tight::new(), true);
    let mut at = Series::constant(Ball::ZERO);
    let mut over = Series::constant(Interval::ZERO);
    let entry = program.entry();
    for (result, &value) in evaluated.results.iter().zip(&entry.results).take(2) {
        match result {
            Outcome::Constant(bits) => {
                let x = match entry.ty(value) {
                    Prim::F32 => f64::from(f32::from_bits(*bits as u32)),
                    _ => f64::from_bits(*bits),
                };
                if !x.is_finite() {
                    return Err(NoTruth::Undefined);
                }
                at = at.add(Series::constant(Ball::number(x).scale(-e)));
                over = over.add(Series::constant(Interval::point(x).scale(-e)));
            }
            Outcome::Residual(residual) => {
                let exponents = residual.exponents();
                let first = exponents[0];
                let x = Series::variable(
                    Ball::number(center).scale(-first),
                    Ball::number(radius).scale(-first),
                );
                let out = residual.result as usize;
                let shift = exponents[out] - e;
                at = at.add(residual.series(x, &exponents)[out].scale(shift));
                let x = Series::variable(
                    Interval::new(cell.lo, cell.hi).scale(-first),
                    Interval::point(radius).scale(-first),
                );
                over = over.add(residual.series(x, &exponents)[out].scale(shift));
            }
            Outcome::Varies { site } => return Err(NoTruth::Varies(*site)),
            Outcome::Empty => return Err(NoTruth::Undefined),
        }
    }
    Ok(Enclosed { at, over })
}

/// The first 40 bits of ln 2, the next 41, and the rest rounded: an error below 2^-135.
const LN2: [f64; 3] = [
    f64::from_bits(0x3fe6_2e42_fefa_2000),
    f64::from_bits(0x3d69_ef35_793c_7000),
    f64::from_bits(0x3ac9_cc01_f97b_57a0),
];

/// Terms of the exponential series.
const EXP_TERMS: usize = 26;
/// Terms of the series of sine and cosine together.
const CIRCLE_TERMS: usize = 30;

/// `1 / k!`
fn inverse_factorials() -> &'static [Ball; CIRCLE_TERMS] {
    static TABLE: OnceLock<[Ball; CIRCLE_TERMS]> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = [Ball::number(1.0); CIRCLE_TERMS];
        for k in 1..CIRCLE_TERMS {
            table[k] = table[k - 1].div(Ball::number(k as f64));
        }
        table
    })
}

/// `e^x` as `m 2^k`, `0.7 <= m <= 1.42`, for `|x| <= 2000`: Taylor's series after Cody and Waite's reduction.
#[must_use]
pub fn exp(x: f64) -> (Ball, i32) {
    assert!(x.abs() <= 2000.0, "e^{x} is out of reach");
    let k = (x * std::f64::consts::LOG2_E).round_ties_even();
    // The first two products are exact: k has 12 bits.
    let r = Ball::number(x)
        .sub(Ball::number(k * LN2[0]))
        .sub(Ball::number(k * LN2[1]))
        .sub(Ball::number(k).mul(Ball::number(LN2[2])))
        .widened(k.abs() * 2f64.powi(-135));
    let table = inverse_factorials();
    let mut sum = table[EXP_TERMS - 1];
    for &c in table[..EXP_TERMS - 1].iter().rev() {
        sum = sum.mul(r).add(c);
    }
    // |r| <= 0.35: what is left out is below r^26 / 26! (1 + r / 27 + …) < 2^-126.
    debug_assert!(r.magnitude() < 0.36);
    (sum.widened(2f64.powi(-126)), k as i32)
}

/// `k ln 2` for an integer of at most 12 bits.
#[must_use]
pub fn ln2_times(k: i32) -> Ball {
    let k = f64::from(k);
    Ball::number(k * LN2[0])
        .add(Ball::number(k * LN2[1]))
        .add(Ball::number(k).mul(Ball::number(LN2[2])))
        .widened(k.abs() * 2f64.powi(-135))
}

/// The natural logarithm of a positive double: near 1 by a series, which keeps its digits where it is small; elsewhere one
/// step from the double nearest to it, `ln x = y + ln(x e^-y)`.
#[must_use]
pub fn ln(x: f64) -> Ball {
    // Exact, if it is small.
    let u = x - 1.0;
    if u.abs() <= 2f64.powi(-6) {
        // 2 artanh s = 2 s (1 + s²/3 + s⁴/5 + …), |s| < 2^-6.9: what is left out is below z^10 / 20 < 2^-142.
        let s = Ball::number(u).div(Ball::number(u).add(Ball::number(2.0)));
        let z = s.mul(s);
        let mut sum = Ball::ZERO;
        for k in (0..10).rev() {
            sum = sum
                .mul(z)
                .add(Ball::number(1.0).div(Ball::number(f64::from(2 * k + 1))));
        }
        return s.mul(sum.widened(2f64.powi(-142))).scale(1);
    }
    let e = exponent(x);
    let m = Ball::number(x).scale(-e);
    let y = m.mid().ln();
    let (inverse, k) = exp(-y);
    // 1 + z
    let z = m.mul(inverse.scale(k)).sub(Ball::number(1.0));
    // z - z²/2 + z³/3, |z| < 2^-48: what is left out is below z^4.
    let z2 = z.mul(z);
    let z3 = z2.mul(z);
    let log = z
        .sub(z2.scale(-1))
        .add(z3.div(Ball::number(3.0)))
        .widened(z.magnitude().powi(4));
    assert!(z.magnitude() < 2f64.powi(-44), "ln {x:e}");
    log.add(Ball::number(y)).add(ln2_times(e))
}

/// π/2 in four words: three of which products with integers of 12 bits are exact, and the rest, rounded: an error below
/// 2^-176.
const HALF_PI: [f64; 4] = [
    f64::from_bits(0x3ff9_21fb_5444_2000),
    f64::from_bits(0x3d6a_308d_3131_8000),
    f64::from_bits(0x3ae8_a2e0_3707_3000),
    f64::from_bits(0x3841_2902_4e08_8a68),
];

/// Beyond, sine and cosine are not enclosed here.
const CIRCLES: f64 = 8192.0;

/// `sin x` and `cos x` for `|x| <= 8192`: Taylor's series after a reduction.
#[must_use]
pub fn sin_cos(x: f64) -> (Ball, Ball) {
    assert!(x.abs() <= CIRCLES, "sin {x} is out of reach");
    let n = (x * std::f64::consts::FRAC_2_PI).round_ties_even();
    // The products but the last are exact; where r is small, so are the first differences.
    let r = if n == 0.0 {
        Ball::number(x)
    } else {
        Ball::number(x)
            .sub(Ball::number(n * HALF_PI[0]))
            .sub(Ball::number(n * HALF_PI[1]))
            .sub(Ball::number(n * HALF_PI[2]))
            .sub(Ball::number(n).mul(Ball::number(HALF_PI[3])))
            .widened(n.abs() * 2f64.powi(-176))
    };
    debug_assert!(r.magnitude() < 0.786);
    let z = r.mul(r);
    let table = inverse_factorials();
    // Signs alternate and terms fall: what is left out is below the first of it, 0.786^30 / 30! < 2^-118 and less.
    let series = |first: usize| {
        let mut sum = Ball::ZERO;
        for k in (first..CIRCLE_TERMS).step_by(2).rev() {
            sum = table[k].sub(z.mul(sum));
        }
        sum.widened(2f64.powi(-118))
    };
    let (sin, cos) = (r.mul(series(1)), series(0));
    match n.rem_euclid(4.0) as u32 {
        0 => (sin, cos),
        1 => (cos, sin.neg()),
        2 => (sin.neg(), cos.neg()),
        _ => (cos.neg(), sin),
    }
}

/// 2^-300: the sine of smaller numbers is their product with a factor that is 1 to within the square.
const NO_CUBE: f64 = f64::from_bits((1023 - 300) << 52);

/// The sine over an interval, from its ends and the extrema at odd multiples of π/2; `quarter` is 1 for the cosine.
fn sine_over(x: Interval, ends: [Ball; 2], quarter: f64) -> Interval {
    let hull = ends[0].enclosure().hull(ends[1].enclosure());
    // In units of π, with room: an extremum that is next to the interval does no harm.
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

/// The cube root of a number other than 0, near 1.
#[must_use]
pub fn cbrt(x: f64) -> Ball {
    // x = y³ (1 + d): the root is y (1 + d/3 - d²/9 + …), the next term of which is below d³ / 16.
    let y = Ball::number(x.cbrt());
    // Powers of two exactly: on which side of them a root is decides what one ULP is.
    if is_power(y.h.abs()) && y.h * y.h * y.h == x {
        return y;
    }
    let d = Ball::number(x).div(y.mul(y).mul(y)).sub(Ball::number(1.0));
    assert!(d.magnitude() < 2f64.powi(-40), "the cube root of {x:e}");
    let third = d.div(Ball::number(3.0));
    let factor = third.sub(third.mul(third)).widened(d.magnitude().powi(3));
    y.add(y.mul(factor))
}

impl Law {
    fn enclose<const K: usize>(
        self,
        cell: Cell,
        c: f64,
        w: f64,
        e: i32,
    ) -> Result<Enclosed<K>, NoTruth> {
        let x = Interval::new(cell.lo, cell.hi);
        // Scaled so that the input is near 1.
        let s = exponent(if c == 0.0 { 1.0 } else { c });
        let at = Series::variable(Ball::number(c).scale(-s), Ball::number(w).scale(-s));
        let over = Series::variable(x.scale(-s), Interval::point(w).scale(-s));
        match self {
            Law::Exp => {
                if cell.hi < -FAR {
                    // Below 2^-2880.
                    let most = crate::num::float::scaled_up(1.0, -2880 - e);
                    return Ok(Enclosed {
                        at: Series::constant(Ball::ZERO.widened(most)),
                        over: Series::constant(Interval::ZERO),
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
                // On which side of 1 it is decides what one ULP is.
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
                // In units of which the cube root is a power of two.
                let third = s.div_euclid(3);
                let scaled = |x: f64| Ball::number(x).scale(-3 * third);
                let root = |x: f64| cbrt(scaled(x).h);
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
                    // Of numbers that a radius of 2^-1000 matters to, the sine is scaled before it is one.
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
        }
    }
}

/// `value e^(w τ)`: coefficients `value w^k / k!`.
fn geometric<R: Ring + FromBall, const K: usize>(value: R, w: R) -> Series<R, K> {
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

/// A function that is, with its derivative, `f` and `f'`, and whose second derivative is `-f`; divided by `2^e`, as `value` is.
fn circular<R: Ring + FromBall, const K: usize>(
    value: R,
    [f, slope]: [R; 2],
    w: R,
    e: i32,
) -> Series<R, K> {
    let table = inverse_factorials();
    // The width carries the scale: it is near the value where that is near 0.
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

/// The series with that value whose derivative is that of the logarithm of `x`, divided by `2^e`.
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

/// Rings that hold what a ball holds.
trait FromBall {
    fn from_ball(ball: Ball) -> Self;
}

impl FromBall for Ball {
    fn from_ball(ball: Ball) -> Self {
        ball
    }
}

impl FromBall for Interval {
    fn from_ball(ball: Ball) -> Self {
        ball.enclosure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_ln_are_inverse() {
        for x in [
            0.7, 0.99, 1.0, 1.000_01, 1.015, 1.016, 1.5, 3.25e-5, 700.0, 1e-300, 4e307,
        ] {
            let y = ln(x);
            // e^y = e^h (1 + l + …)
            let (m, k) = exp(y.h);
            let l = Ball::new(y.l, 0.0, y.r);
            let factor = Ball::number(1.0)
                .add(l)
                .add(l.mul(l).scale(-1))
                .widened(1e-40);
            let back = m
                .mul(factor)
                .div(Ball::number(x).scale(-k))
                .sub(Ball::number(1.0));
            assert!(
                back.magnitude() < 1e-27 && back.enclosure().contains(0.0),
                "{x:e}: {back:?}"
            );
        }
        let (e, k) = exp(1.0);
        assert_eq!(k, 1);
        assert_eq!(e.scale(1).h, std::f64::consts::E);
        assert!(
            (e.scale(1).l - 1.445_646_891_729_250_2e-16).abs() < 1e-31,
            "{e:?}"
        );
    }

    /// A double and what the exact value has beyond it, by mpmath at 400 bits.
    fn is(ball: Ball, h: f64, l: f64) {
        let d = ball.sub(Ball::number(h)).sub(Ball::number(l));
        // The second word is rounded, too.
        let off = l.abs() * f64::EPSILON;
        assert!(
            d.widened(off).enclosure().contains(0.0),
            "{ball:?} is not {h:e} + {l:e}"
        );
        assert!(ball.r < h.abs() * 2f64.powi(-94), "{ball:?}");
    }

    #[test]
    fn sine_and_cosine_next_to_multiples_of_half_pi() {
        for (x, [h, l], [ch, cl]) in [
            (
                1.0,
                [0.8414709848078965, 1.776845092935536e-18],
                [0.5403023058681398, -4.760954612604417e-17],
            ),
            (
                -355.0,
                [3.014435335948845e-05, -1.3012643991046347e-21],
                [-0.999999999545659, 1.0574612846643521e-17],
            ),
            (
                725.7078,
                [0.00010297924203588301, -3.2666768948655836e-21],
                [-0.9999999946976379, 5.425806038784951e-17],
            ),
            // Of all doubles below 2^10 the one nearest to a multiple of π/2.
            (
                f64::from_bits(0x4046_c6cb_c45d_c8de),
                [1.0, -1.915685142356643e-37],
                [-6.189806365883577e-19, 5.558005016244944e-36],
            ),
        ] {
            let (sin, cos) = sin_cos(x);
            is(sin, h, l);
            is(cos, ch, cl);
        }
        assert_eq!(sin_cos(1e-300).0.h, 1e-300);
        assert_eq!(sin_cos(0.0).0.h, 0.0);
        let mut x = -8192.0;
        while x <= 8192.0 {
            let (sin, cos) = sin_cos(x);
            let one = sin.mul(sin).add(cos.mul(cos)).sub(Ball::number(1.0));
            assert!(
                one.enclosure().contains(0.0) && one.magnitude() < 1e-28,
                "{x}: {one:?}"
            );
            assert!((sin.mid() - x.sin()).abs() < 1e-15 && (cos.mid() - x.cos()).abs() < 1e-15);
            x += 0.377_123;
        }
    }

    #[test]
    fn tiny_arguments_keep_their_digits() {
        for x in [5e-324, -1e-310, 1e-302, -3e-200, 1e-90, 1e-80] {
            let cell = Cell { lo: x, hi: x };
            let e = exponent(x);
            let Ok(enclosed) = Law::Sin.enclose::<8>(cell, x, 0.0, e) else {
                panic!("{x:e}")
            };
            let value = enclosed.at.0[0];
            assert_eq!(value.h, Ball::number(x).scale(-e).h);
            assert!(
                value.r < 1e-28 && enclosed.over.0[0].contains(value.h),
                "{value:?}"
            );
        }
    }

    /// On which side of a power of two a value is decides what one ULP is.
    #[test]
    fn values_are_on_the_right_side_of_powers_of_two() {
        let over = |law: Law, lo: f64, hi: f64| {
            let Ok(enclosed) =
                law.enclose::<8>(Cell { lo, hi }, 0.5 * (lo + hi), 0.5 * (hi - lo), 0)
            else {
                panic!("{law:?}")
            };
            enclosed.over.0[0]
        };
        assert!(over(Law::Exp, 0.0, 1e-300).lo == 1.0 && over(Law::Exp, -1e-300, -0.0).hi == 1.0);
        assert!(over(Law::Exp, -0.1, 0.1).lo < 0.91 && over(Law::Exp, -0.1, 0.1).hi > 1.1);
        assert_eq!(over(Law::Ln, 1.0, 1.0), Interval::ZERO);
        // u - u²/2 is a double, and u³/3 below the radius.
        let next = ln(1.0f64.next_up());
        assert_eq!(next.h, f64::EPSILON.next_down());
        assert!(
            next.l.abs() < 2f64.powi(-149) && next.r < 2f64.powi(-149),
            "{next:?}"
        );
        assert_eq!(over(Law::Cbrt, 8.0, 8.5).lo, 2.0);
        assert_eq!(over(Law::Cbrt, -8.0, -7.0).lo, -2.0);
    }

    #[test]
    fn sines_over_intervals_hold_their_extrema() {
        for (lo, hi, sin, cos) in [
            (
                0.5,
                0.75,
                [0.5f64.sin(), 0.75f64.sin()],
                [0.75f64.cos(), 0.5f64.cos()],
            ),
            (
                1.5,
                1.75,
                [1.75f64.sin(), 1.0],
                [1.75f64.cos(), 1.5f64.cos()],
            ),
            (4.5, 5.0, [-1.0, 5f64.sin()], [4.5f64.cos(), 5f64.cos()]),
            (
                -3.25,
                -3.0,
                [(-3f64).sin(), (-3.25f64).sin()],
                [-1.0, (-3f64).cos()],
            ),
            (1.0, 5.0, [-1.0, 1.0], [-1.0, 1f64.cos()]),
            (1.0, 8.0, [-1.0, 1.0], [-1.0, 1.0]),
            (-100.0, 100.0, [-1.0, 1.0], [-1.0, 1.0]),
        ] {
            let x = Interval::new(lo, hi);
            let ends = [sin_cos(lo), sin_cos(hi)];
            for (over, want) in [
                (sine_over(x, ends.map(|e| e.0), 0.0), sin),
                (sine_over(x, ends.map(|e| e.1), 1.0), cos),
            ] {
                let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
                assert!(
                    near(over.lo, want[0]) && near(over.hi, want[1]),
                    "{lo} {hi}: {over:?} {want:?}"
                );
            }
        }
    }

    #[test]
    fn cube_roots() {
        is(cbrt(2.0), 1.2599210498948732, -2.589933375300507e-17);
        for x in [1.0, 1.999, -3.7, 7.999_999] {
            let y = cbrt(x);
            let d = y.mul(y).mul(y).sub(Ball::number(x));
            assert!(
                d.enclosure().contains(0.0) && d.magnitude() < 1e-28,
                "{x} {d:?}"
            );
        }
        // Over all exponents: scaled by powers of eight, to results near 1.
        for (x, h, l) in [
            (1e-310, 4.641588833612774e-104, -2.7995215447966487e-121),
            (-3e300, -1.4422495703074085e100, 5.490911167196718e83),
        ] {
            let e = exponent(h);
            let cell = Cell { lo: x, hi: x };
            let Ok(enclosed) = Law::Cbrt.enclose::<8>(cell, x, 0.0, e) else {
                panic!("{x}")
            };
            let [h, l] = [h, l].map(|w| Ball::number(w).scale(-e).h);
            is(enclosed.at.0[0], h, l);
        }
    }

    #[test]
    fn laws_are_their_derivatives() {
        let cell = Cell { lo: 1.2, hi: 1.4 };
        for law in [
            Law::Exp,
            Law::Ln,
            Law::Recip,
            Law::Sqrt,
            Law::RecipSqrt,
            Law::Cbrt,
            Law::Sin,
            Law::Cos,
        ] {
            let f = |x: f64| match law {
                Law::Cbrt => x.cbrt(),
                Law::Sin => x.sin(),
                Law::Cos => x.cos(),
                Law::Exp => x.exp(),
                Law::Ln => x.ln(),
                Law::Recip => x.recip(),
                Law::Sqrt => x.sqrt(),
                Law::RecipSqrt => x.sqrt().recip(),
            };
            for e in [0, -3] {
                let Ok(enclosed) = law.enclose::<8>(cell, 1.3, 0.1, e) else {
                    panic!("{law:?}")
                };
                for step in 0..=8 {
                    let t = f64::from(step) / 4.0 - 1.0;
                    let value: f64 = (0..8)
                        .map(|k| enclosed.at.0[k].mid() * t.powi(k as i32))
                        .sum();
                    let want = f(1.3 + 0.1 * t) * 2f64.powi(-e);
                    assert!(
                        (value - want).abs() < 1e-8 * want.abs().max(1.0),
                        "{law:?} {t} {value} {want}"
                    );
                }
                for k in 0..8 {
                    let (at, over) = (enclosed.at.0[k].mid(), enclosed.over.0[k]);
                    assert!(over.lo <= at && at <= over.hi, "{law:?} {k}");
                }
            }
        }
    }
}
