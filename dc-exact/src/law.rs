//! What a routine is meant to compute: the function's value and derivatives, enclosed.

use std::sync::OnceLock;

use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::cell::{Cell, Outcome, Tight, evaluate};
use crate::num::float::exponent;
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
            Truth::Law(Law::Exp) | Truth::Program(_) => false,
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

/// `1 / k!`
fn inverse_factorials() -> &'static [Ball; EXP_TERMS] {
    static TABLE: OnceLock<[Ball; EXP_TERMS]> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = [Ball::number(1.0); EXP_TERMS];
        for k in 1..EXP_TERMS {
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

/// The natural logarithm of a positive double: one step from the double nearest to it, `ln x = y + ln(x e^-y)`.
#[must_use]
pub fn ln(x: f64) -> Ball {
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
                let values = Interval::new(end(cell.lo).lo.max(0.0), end(cell.hi).hi);
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
        for x in [0.7, 1.0, 1.5, 3.25e-5, 700.0, 1e-300, 4e307] {
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

    #[test]
    fn laws_are_their_derivatives() {
        let cell = Cell { lo: 1.2, hi: 1.4 };
        for law in [Law::Exp, Law::Ln, Law::Recip, Law::Sqrt, Law::RecipSqrt] {
            let f = |x: f64| match law {
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
