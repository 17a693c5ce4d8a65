//! Taylor coefficients from differential equations: the derivative of each function consists of known functions.

use super::bell::{FLAT, NORMAL, bell, distribution, normal, normal_peak, two_over_root_pi};
use super::elementary::{gate, sigmoid, sinh_cosh};
use super::gamma::Log;
use super::gamma::{self, cotangent, is_reflected, ln_gamma_coefficients};
use super::srgb;
use super::value::{CIRCLES, FAR, FromBall, half_pi, inverse_factorials, sin_cos, sin_cos_pi};
use super::{Enclosed, Law, NoTruth};
use crate::cell::Cell;
use crate::num::float::{exponent, scaled_up};
use crate::num::{Ball, Interval, Ring, Series};

/// The place of a series: a number, or a cell.
struct Place<R> {
    /// The center.
    c: f64,
    x: R,
    /// The factor of τ.
    w: R,
    /// The value, divided by `2^e`.
    value: R,
    /// The parts of the derivative, as [`Law::parts`] gives them, divided by `2^k`.
    parts: [R; 2],
    k: i32,
    /// The exponent of the center, or 0.
    s: i32,
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
        if let Some((constant, is_line)) = self.far(cell, e) {
            // The number itself, where it is a line.
            let rise = if is_line { 1.0 } else { 0.0 };
            let line = |x: Ball, w: f64| {
                let line = Series::variable(x, Ball::number(w)).map(|c| c.scale(-e));
                line.map(|c| c.mul(Ball::number(rise)))
            };
            let x = Interval::new(rise * cell.lo, rise * cell.hi).scale(-e);
            let mut over = Series::constant(constant.enclosure().add(x));
            if K > 1 {
                over.0[1] = Interval::point(rise * w).scale(-e);
            }
            return Ok(Enclosed {
                at: line(Ball::number(c), w).add(Series::constant(constant)),
                over,
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
        let k = self.exponent_of_parts(c);
        let parts = self.parts(c, k);
        let ends = [self.parts(cell.lo, k), self.parts(cell.hi, k)];
        Ok(Enclosed {
            at: self.series(Place {
                c,
                x: Ball::number(c),
                w: Ball::number(w),
                value,
                parts,
                k,
                s,
                e,
            }),
            over: self.series(Place {
                c,
                x: Interval::new(cell.lo, cell.hi),
                w: Interval::point(w),
                value: values,
                parts: self.parts_over(cell, ends, k),
                k,
                s,
                e,
            }),
        })
    }

    /// The value, divided by `2^e`, if on the whole cell it differs by less than any double from a constant, or from a constant and its argument.
    fn far(self, cell: Cell, e: i32) -> Option<(Ball, bool)> {
        // The largest of these is e^(-40²).
        let small = Ball::ZERO.widened(scaled_up(1.0, -2300 - e));
        let from = |x: f64| Some((small.add(Ball::number(x).scale(-e)), false));
        let left = |reach: f64| cell.hi < -reach;
        let right = |reach: f64| cell.lo > reach;
        match self {
            Law::Exp | Law::Exp2 | Law::Exp10 if left(self.reach()?) => from(0.0),
            Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 if left(self.reach()?) => from(-1.0),
            Law::Sigmoid | Law::Softplus | Law::Silu | Law::Mish if left(FAR) => from(0.0),
            // They are less than 2 x e^-x away from these.
            Law::Sigmoid | Law::Tanh if right(FAR) => from(1.0),
            Law::Tanh if left(FAR) => from(-1.0),
            Law::Softplus | Law::Silu | Law::Mish if right(FAR) => Some((small, true)),
            Law::Gelu if left(NORMAL) => from(0.0),
            // x Φ(x) - x = -x Φ(-x), its value on the other side.
            Law::Gelu if right(NORMAL) => Some((small, true)),
            Law::Erf if left(FLAT) => from(-1.0),
            Law::Erf if right(FLAT) => from(1.0),
            Law::Erfc if left(FLAT) => from(2.0),
            Law::Erfc if right(FLAT) => from(0.0),
            _ => None,
        }
    }

    /// Whether a function is analytic on the whole cell, or the cell is a number of its domain.
    fn is_defined(self, cell: Cell) -> bool {
        let Cell { lo, hi } = cell;
        if let Some(reach) = self.reach() {
            return lo >= -reach && hi <= reach;
        }
        let most = lo.abs().max(hi.abs());
        match self {
            Law::Ln | Law::Log2 | Law::Log10 => lo > 0.0,
            Law::Ln1p | Law::Log2p1 | Law::Log10p1 => lo > -1.0,
            Law::Tan => {
                // The cosine has no zero between two numbers, less than π apart, at which it has one sign.
                let [a, b] = [lo, hi].map(|x| match x.abs() <= CIRCLES {
                    true => sin_cos(x).1.enclosure(),
                    false => Interval::ALL,
                });
                hi - lo < 3.0 && (a.lo > 0.0 && b.lo > 0.0 || a.hi < 0.0 && b.hi < 0.0)
            }
            Law::SinPi | Law::CosPi => most <= WHOLE,
            Law::TanPi => {
                let n = lo.round_ties_even();
                let inside = |x: f64| (x - n).abs() < 0.5;
                most <= WHOLE && inside(lo) && inside(hi)
            }
            Law::Asin | Law::Acos | Law::AsinPi | Law::AcosPi => {
                most < 1.0 || most == 1.0 && lo == hi
            }
            Law::Acosh => lo > 1.0 || lo == 1.0 && hi == 1.0,
            Law::Atanh => most < 1.0,
            Law::Logit => lo > 0.0 && hi < 1.0,
            Law::Sigmoid | Law::Softplus | Law::Silu | Law::Mish => lo >= -FAR,
            Law::Gelu => lo >= -NORMAL,
            Law::Erf | Law::Erfc => most <= FLAT,
            Law::Gamma => most <= gamma::REACH && !gamma::has_pole(cell),
            Law::LnGamma => {
                !gamma::has_pole(cell)
                    && (hi > -2.0 || {
                        let values = self.values(cell, 0);
                        values.lo > gamma::NEAR || values.hi < -gamma::NEAR
                    })
            }
            Law::SrgbToLinear => srgb::is_one_piece(srgb::TO_LINEAR_TO, cell),
            Law::SrgbFromLinear => srgb::is_one_piece(srgb::FROM_LINEAR_TO, cell),
            _ => true,
        }
    }

    /// The values over a cell, divided by `2^e`.
    fn values(self, cell: Cell, e: i32) -> Interval {
        let Cell { lo, hi } = cell;
        let [a, b] = [lo, hi].map(|x| self.value(x, e).enclosure());
        let mut all = a.hull(b);
        let scaled = |y: f64| Interval::point(y).scale(-e);
        if matches!(self, Law::Gamma | Law::LnGamma) {
            return gamma::between(self == Law::LnGamma, cell, e);
        }
        let mut add = |y: f64| all = all.hull(scaled(y));
        match self {
            Law::Cosh if lo <= 0.0 && hi >= 0.0 => add(1.0),
            Law::SinPi => extrema(cell, 0.5, &mut add),
            Law::CosPi => extrema(cell, 0.0, &mut add),
            // The least value is at -1.278464…
            Law::Silu if lo < -1.278_46 && hi > -1.278_47 => add(-0.278_464_6),
            Law::Gelu if lo < -0.751_79 && hi > -0.751_80 => add(-0.169_971_21),
            Law::Mish if lo < -1.192_43 && hi > -1.192_44 => add(-0.308_843_42),
            _ => {}
        }
        // The side of a power of two on which a value is decides its ULP.
        for &(x, y) in self.known() {
            let rises = !matches!(self, Law::Acos | Law::AcosPi | Law::Erfc);
            let y = scaled(y);
            let (right, left) = (lo >= x, hi <= x);
            if if rises { right } else { left } {
                all.lo = all.lo.max(y.lo);
            }
            if if rises { left } else { right } {
                all.hi = all.hi.min(y.hi);
            }
        }
        let (least, largest) = match self {
            Law::Tanh | Law::Erf => (-1.0, 1.0),
            Law::AtanPi => (-0.5, 0.5),
            Law::Erfc => (0.0, 2.0),
            Law::Sigmoid => (0.0, 1.0),
            Law::Cosh => (1.0, f64::INFINITY),
            Law::Softplus => (lo.max(0.0), f64::INFINITY),
            _ => return all,
        };
        all.lo = all.lo.max(scaled(least).lo);
        if largest < f64::INFINITY {
            all.hi = all.hi.min(scaled(largest).hi);
        }
        all
    }

    /// Places where a monotonic function has a known value.
    fn known(self) -> &'static [(f64, f64)] {
        match self {
            Law::Exp | Law::Exp2 | Law::Exp10 | Law::Erfc => &[(0.0, 1.0)],
            Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => &[(0.0, 0.0)],
            Law::Ln1p | Law::Log2p1 | Law::Log10p1 => &[(0.0, 0.0)],
            Law::AcosPi | Law::Sigmoid => &[(0.0, 0.5)],
            Law::SrgbToLinear | Law::SrgbFromLinear => &[(1.0, 1.0)],
            _ => &[],
        }
    }

    /// The exponent by which the parts are divided.
    fn exponent_of_parts(self, c: f64) -> i32 {
        match self {
            Law::Exp2 | Law::Exp10 | Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => self.growth(c).1,
            Law::Sinh | Law::Cosh => (c.abs() * std::f64::consts::LOG2_E) as i32,
            Law::Sigmoid | Law::Softplus | Law::Silu | Law::Mish => {
                (c.min(0.0) * std::f64::consts::LOG2_E) as i32
            }
            Law::Gelu if c < 0.0 => normal(c).1,
            Law::Erf | Law::Erfc => bell(c).1,
            _ => 0,
        }
    }

    /// The parts from which the derivative is made, divided by `2^k`: `b^x`; the function's value and its derivative; or the function
    /// itself.
    fn parts(self, x: f64, k: i32) -> [Ball; 2] {
        let swapped = |(a, b): (Ball, Ball)| [b, a];
        match self {
            Law::Exp2 | Law::Exp10 | Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => {
                let (m, i) = self.growth(x);
                [m.scale(i - k), Ball::ZERO]
            }
            Law::Sinh => sinh_cosh(x, k).into(),
            Law::Cosh => swapped(sinh_cosh(x, k)),
            Law::SinPi => sin_cos_pi(x).into(),
            Law::CosPi => {
                let (sin, cos) = sin_cos_pi(x);
                [cos, sin.neg()]
            }
            Law::Tan | Law::TanPi | Law::Tanh => [self.value(x, 0), Ball::ZERO],
            Law::Sigmoid | Law::Softplus | Law::Silu => [sigmoid(x, 0), sigmoid(x, k)],
            Law::Mish => [sigmoid(x, k), gate(x, k)],
            Law::Gelu => {
                let (m, i) = normal(x);
                [m.scale(i - k), distribution(x, k)]
            }
            Law::Erf | Law::Erfc => {
                let (m, i) = bell(x);
                [m.scale(i - k), Ball::ZERO]
            }
            Law::Gamma | Law::LnGamma => [cotangent(x), Ball::ZERO],
            _ => [Ball::ZERO; 2],
        }
    }

    /// The parts over a cell, from those at its ends: all of them are monotonic except those of waves.
    fn parts_over(self, cell: Cell, ends: [[Ball; 2]; 2], k: i32) -> [Interval; 2] {
        let zero = cell.lo <= 0.0 && cell.hi >= 0.0;
        std::array::from_fn(|i| {
            let mut all = ends[0][i].enclosure().hull(ends[1][i].enclosure());
            let mut add = |y: Interval| all = all.hull(y);
            let mut number = |y: f64| add(Interval::point(y));
            match (self, i) {
                (Law::SinPi, 0) => extrema(cell, 0.5, &mut number),
                (Law::SinPi, _) | (Law::CosPi, 0) => extrema(cell, 0.0, &mut number),
                // -sin
                (Law::CosPi, _) => extrema(cell, 0.5, &mut |y| number(-y)),
                (Law::Sinh, 1) | (Law::Cosh, 0) if zero => add(Interval::ONE.scale(-k)),
                (Law::Erf | Law::Erfc, 0) if zero => {
                    add(two_over_root_pi().scale(-k).enclosure());
                }
                (Law::Gelu, 0) if zero => add(normal_peak().scale(-k).enclosure()),
                _ => {}
            }
            all
        })
    }

    fn series<R: Log, const K: usize>(self, at: Place<R>) -> Series<R, K> {
        let rate = self.rate();
        let inverse = || R::from_ball(Ball::number(1.0).div(rate));
        let number = |x: f64| Series::constant(R::number(x));
        // 1 in units of `2^s`, for arguments above 1.
        let s = at.s.max(0);
        let unit = R::number(1.0).scale(-s);
        match self {
            Law::Exp2 | Law::Exp10 | Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => {
                let [growth, _] = at.parts;
                at.powers([growth, growth, growth, growth], rate)
            }
            Law::Sinh | Law::Cosh => {
                let [f, slope] = at.parts;
                at.powers([f, slope, f, slope], rate)
            }
            Law::SinPi | Law::CosPi => {
                let [f, slope] = at.parts;
                at.powers([f, slope, f.neg(), slope.neg()], rate)
            }
            Law::Ln | Law::Log2 | Law::Log10 => {
                let slope = Series::constant(inverse()).div(at.variable(at.s));
                at.integral(slope, at.s)
            }
            Law::Ln1p | Law::Log2p1 | Law::Log10p1 => {
                let y = at.variable(s).add(Series::constant(unit));
                at.integral(Series::constant(inverse()).div(y), s)
            }
            Law::Tan | Law::TanPi | Law::Tanh => {
                let sign = if self == Law::Tanh { -1.0 } else { 1.0 };
                let w = at.w.mul(R::from_ball(rate));
                // t' = 1 ± t²
                let t = solved(at.parts[0], w, |t: &Series<R, K>, k| {
                    let square = convolution(t, t, k).mul(R::number(sign));
                    if k == 0 {
                        square.add(R::number(1.0))
                    } else {
                        square
                    }
                });
                let slope = t.mul(t).times(R::number(sign)).add(number(1.0));
                at.integral(slope.times(R::from_ball(rate)), 0)
            }
            Law::Atan | Law::AtanPi => {
                let x = at.variable(s);
                let y = x.mul(x).add(Series::constant(unit.mul(unit)));
                at.integral(Series::constant(unit.mul(inverse())).div(y), s)
            }
            Law::Asin | Law::AsinPi | Law::Acos | Law::AcosPi => {
                let x = at.variable(0);
                let leg = number(1.0).sub(x).mul(number(1.0).add(x)).root();
                let falls = matches!(self, Law::Acos | Law::AcosPi);
                let factor = if falls { inverse().neg() } else { inverse() };
                at.integral(Series::constant(factor).div(leg), 0)
            }
            Law::Asinh => {
                let x = at.variable(s);
                let root = x.mul(x).add(Series::constant(unit.mul(unit))).root();
                at.integral(number(1.0).div(root), s)
            }
            Law::Acosh => {
                let (x, one) = (at.variable(s), Series::constant(unit));
                at.integral(number(1.0).div(x.sub(one).mul(x.add(one)).root()), s)
            }
            Law::Atanh => {
                let x = at.variable(0);
                let y = number(1.0).sub(x).mul(number(1.0).add(x));
                at.integral(number(1.0).div(y), 0)
            }
            Law::Logit => {
                let y = at.variable(at.s).mul(number(1.0).sub(at.variable(0)));
                at.integral(number(1.0).div(y), at.s)
            }
            Law::Sigmoid | Law::Softplus | Law::Silu => {
                // s' = s (1 - s), for s and for s 2^-k.
                let [first, scaled] = at.parts;
                let s = solved(first, at.w, |s: &Series<R, K>, k| {
                    s.0[k].sub(convolution(s, s, k))
                });
                let t = solved(scaled, at.w, |t: &Series<R, K>, k| {
                    t.0[k].sub(convolution(t, &s, k))
                });
                let shift = at.k - at.e;
                match self {
                    Law::Softplus => at.with_slopes(t, at.w.scale(shift)),
                    Law::Silu => at.with_value(at.variable(-shift).mul(t)),
                    _ => at.with_value(t.scale(shift)),
                }
            }
            Law::Mish => {
                // s' = s (1 - s) of the sigmoid s, and t' = s (1 - t²); both are divided by 2^k.
                let [first, gate] = at.parts;
                let s = solved(first, at.w, |s: &Series<R, K>, k| {
                    s.0[k].sub(convolution(s, s, k).scale(at.k))
                });
                let t = solved(gate, at.w, |t: &Series<R, K>, k| {
                    let part = |i: usize| s.0[i].mul(convolution(t, t, k - i));
                    let product = (1..=k).fold(part(0), |sum, i| sum.add(part(i)));
                    s.0[k].sub(product.scale(2 * at.k))
                });
                at.with_value(at.variable(at.e - at.k).mul(t))
            }
            Law::Gelu => {
                // d' = -x d of the density d, and Φ' = d; both are divided by 2^k.
                let [density, distribution] = at.parts;
                let x = at.variable::<K>(0);
                let d = solved(density, at.w, |d: &Series<R, K>, k| {
                    convolution(&x, d, k).neg()
                });
                let p = solved(distribution, at.w, |_: &Series<R, K>, k| d.0[k]);
                at.with_value(at.variable(at.e - at.k).mul(p))
            }
            Law::Erf | Law::Erfc => {
                // d' = -2 x d
                let x = at.variable::<K>(0);
                let d = solved(at.parts[0], at.w, |d: &Series<R, K>, k| {
                    convolution(&x, d, k).mul(R::number(-2.0))
                });
                let d = if self == Law::Erfc { d.map(R::neg) } else { d };
                let w = at.w.scale(at.k - at.e);
                at.with_slopes(d, w)
            }
            Law::LnGamma => at.with_value(at.ln_gamma(at.e)),
            Law::Gamma => {
                // f' = f (ln Γ)'
                let logs = at.ln_gamma::<K>(0);
                solved(at.value, R::number(1.0), |f: &Series<R, K>, k| {
                    let part = |i: usize| {
                        let by = R::number((k - i + 1) as f64);
                        f.0[i].mul(logs.0[k - i + 1]).mul(by)
                    };
                    (1..=k).fold(part(0), |sum, i| sum.add(part(i)))
                })
            }
            Law::SrgbToLinear | Law::SrgbFromLinear => {
                let to = self == Law::SrgbToLinear;
                let linear = if to {
                    srgb::TO_LINEAR_TO
                } else {
                    srgb::FROM_LINEAR_TO
                };
                let (n, d) = if to { (12.0, 5.0) } else { (5.0, 12.0) };
                let by = |n: f64, d: f64| R::from_ball(Ball::number(n).div(Ball::number(d)));
                if at.c <= linear {
                    let slope = if to { by(25.0, 323.0) } else { by(323.0, 25.0) };
                    return at.with_slopes(Series::constant(slope), at.w.scale(-at.e));
                }
                // Of y^(n/d), y = (200 x + 11) / 211 or x; the result is a sum of it and a number.
                let (power, step) = if to {
                    let unit = R::number(11.0).scale(-s);
                    let y = at.x.scale(-s).mul(R::number(200.0)).add(unit);
                    (at.value, at.w.scale(-s).mul(R::number(200.0)).div(y))
                } else {
                    let more = by(11.0, 200.0).scale(-at.e);
                    (at.value.add(more), at.w.scale(-at.s).div(at.x.scale(-at.s)))
                };
                let mut term = power;
                let all = Series(std::array::from_fn(|k| {
                    if k > 0 {
                        let k = k as f64;
                        let factor = by(n - d * (k - 1.0), d * k);
                        term = term.mul(step).mul(factor);
                    }
                    term
                }));
                at.with_value(all)
            }
            _ => unreachable!("{self:?} has a closed form"),
        }
    }
}

/// Above it all doubles are integers, and `π x` is a multiple of π.
const WHOLE: f64 = (1u64 << 52) as f64;

/// The extrema of a wave, ±1 at `n + first` for even and odd n, that lie on a cell.
fn extrema(cell: Cell, first: f64, add: &mut dyn FnMut(f64)) {
    let (from, to) = ((cell.lo - first).ceil(), (cell.hi - first).floor());
    // Two of them are both.
    for n in [from, from + 1.0] {
        if n <= to {
            add(if n.rem_euclid(2.0) == 0.0 { 1.0 } else { -1.0 });
        }
    }
}

/// `Σ a_i b_(k - i)`
fn convolution<R: Ring, const K: usize>(a: &Series<R, K>, b: &Series<R, K>, k: usize) -> R {
    (1..=k).fold(a.0[0].mul(b.0[k]), |sum, i| sum.add(a.0[i].mul(b.0[k - i])))
}

/// The series with this value whose derivative's coefficient k is w times a function of the coefficients up to k.
fn solved<R: Ring, const K: usize>(
    value: R,
    w: R,
    derivative: impl Fn(&Series<R, K>, usize) -> R,
) -> Series<R, K> {
    let mut all = Series::constant(value);
    for k in 1..K {
        all.0[k] = derivative(&all, k - 1).mul(w).div(R::number(k as f64));
    }
    all
}

impl<R: Ring + FromBall> Place<R> {
    /// The function with a known value whose derivative in τ is the slope times w.
    fn with_slopes<const K: usize>(&self, slope: Series<R, K>, w: R) -> Series<R, K> {
        Series(std::array::from_fn(|k| match k {
            0 => self.value,
            _ => slope.0[k - 1].mul(w).div(R::number(k as f64)),
        }))
    }

    /// The same as [`Place::with_slopes`], with the slope by an argument that is divided by `2^s`.
    fn integral<const K: usize>(&self, slope: Series<R, K>, s: i32) -> Series<R, K> {
        // The scale is applied to the width, which is near the value where the value is near 0.
        self.with_slopes(slope, self.w.scale(-s - self.e))
    }

    /// The coefficients of `ln |Γ|`, divided by `2^e`; the first is left 0.
    fn ln_gamma<const K: usize>(&self, e: i32) -> Series<R, K>
    where
        R: Log,
    {
        if !is_reflected(self.c) {
            return Series(ln_gamma_coefficients(self.x, self.w, e));
        }
        // ln π - ln |sin(π x)| - ln Γ(1 - x), and the cotangent t has the derivative -π (1 + t²).
        let other = ln_gamma_coefficients::<R, K>(R::number(1.0).sub(self.x), self.w.neg(), e);
        let pi = R::from_ball(half_pi().scale(1));
        let t = solved(self.parts[0], self.w.mul(pi), |t: &Series<R, K>, k| {
            let square = convolution(t, t, k);
            match k {
                0 => square.add(R::number(1.0)),
                _ => square,
            }
            .neg()
        });
        let w = self.w.scale(-e).mul(pi);
        Series(std::array::from_fn(|k| match k {
            0 => R::number(0.0),
            _ => t.0[k - 1]
                .mul(w)
                .div(R::number(k as f64))
                .add(other[k])
                .neg(),
        }))
    }

    fn with_value<const K: usize>(&self, mut series: Series<R, K>) -> Series<R, K> {
        series.0[0] = self.value;
        series
    }

    /// The input divided by `2^s`.
    fn variable<const K: usize>(&self, s: i32) -> Series<R, K> {
        Series::variable(self.x.scale(-s), self.w.scale(-s))
    }

    /// The function whose derivatives by `rate x` are these, in turn; they are divided by `2^k`.
    fn powers<const K: usize>(&self, derivatives: [R; 4], rate: Ball) -> Series<R, K> {
        let table = inverse_factorials();
        let rate = R::from_ball(rate);
        let w = self.w.mul(rate);
        // The scale is applied first: the product of a tiny width would lose its digits.
        let mut power = self.w.scale(self.k - self.e).mul(rate);
        Series(std::array::from_fn(|k| {
            if k == 0 {
                return self.value;
            }
            if k > 1 {
                power = power.mul(w);
            }
            power.mul(R::from_ball(table[k])).mul(derivatives[k % 4])
        }))
    }
}
