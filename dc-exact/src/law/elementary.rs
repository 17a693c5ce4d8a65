//! Values at one number of functions made from exponentials, logarithms, sines and cosines.
//!
//! Results are divided by `2^e`, so results near the limits of the format keep their digits.

use super::Law;
use super::bell::{distribution, erf, erfc, two_over_root_pi};
use super::gamma::{gamma, ln_gamma};
use super::inverse::{acos, acosh, asin, asinh, atan, atanh, logit};
use super::srgb;
use super::value::{
    exp, exp_of, exp_reduced, half_pi, inverse_factorials, ln, ln_1p, ln2_times, sin_cos,
    sin_cos_pi,
};
use crate::num::float::{exponent, is_power};
use crate::num::{Ball, Ring};

/// ln 10 in three words, the last rounded: an error below 2^-160.
const LN10: [f64; 3] = [
    f64::from_bits(0x4002_6bb1_bbb5_5516),
    f64::from_bits(0xbcaf_48ad_494e_a3e9),
    f64::from_bits(0xb949_ebae_3ae0_260c),
];

/// 2^-300: to smaller numbers a function that is 0 at 0 is their product with its slope.
const TINY: f64 = f64::from_bits((1023 - 300) << 52);

/// ln 10
pub(super) fn ln10() -> Ball {
    LN10.iter()
        .fold(Ball::ZERO, |sum, w| sum.add(Ball::number(*w)))
        .widened(2f64.powi(-160))
}

/// `a b` without error, unless it underflows.
fn exact_product(a: f64, b: f64) -> Ball {
    let p = a * b;
    Ball::new(p, a.mul_add(b, -p), 2f64.powi(-1000))
}

/// `2^x` as `m 2^k`, for `|x| <= 4000`.
fn exp2(x: f64) -> (Ball, i32) {
    assert!(x.abs() <= 4000.0, "2^{x} is out of reach");
    let k = x.round_ties_even();
    // It is exact.
    let f = x - k;
    let m = match f == 0.0 {
        // A power of two has no radius: the side of it on which a number is decides its ULP.
        true => Ball::number(1.0),
        false => exp_reduced(Ball::number(f).mul(ln2_times(1))),
    };
    (m, k as i32)
}

/// `10^x` as `m 2^k`, for `|x| <= 800`.
fn exp10(x: f64) -> (Ball, i32) {
    if (0.0..=22.0).contains(&x) && x.fract() == 0.0 {
        // These are doubles.
        return (Ball::number(10f64.powi(x as i32)), 0);
    }
    exp_of(
        exact_product(x, LN10[0]),
        &[
            exact_product(x, LN10[1]),
            Ball::number(x)
                .mul(Ball::number(LN10[2]))
                .widened(x.abs() * 2f64.powi(-160)),
        ],
    )
}

/// `e^u - 1` for `|u| <= 0.36`. Its relative error is small if that of u is.
fn exp_m1_small(u: Ball) -> Ball {
    let table = inverse_factorials();
    let last = 26;
    let mut sum = table[last];
    for &c in table[1..last].iter().rev() {
        sum = sum.mul(u).add(c);
    }
    // u (1 + u/2 + u²/6 + …): the remainder is below u^26 / 27! (1 + …) < 2^-126.
    assert!(u.magnitude() < 0.36, "e^{u:?} - 1 without a reduction");
    u.mul(sum.widened(2f64.powi(-126)))
}

/// Hyperbolic sine and cosine, divided by `2^k`, for `|x| <= FAR`.
pub(super) fn sinh_cosh(x: f64, k: i32) -> (Ball, Ball) {
    if x == 0.0 {
        return (Ball::ZERO, Ball::number(1.0).scale(-k));
    }
    let (m, i) = exp(x.abs());
    let up = m.scale(i - 1 - k);
    let down = Ball::number(1.0).div(m).scale(-i - 1 - k);
    let sinh = if x.abs() <= 0.3 {
        let y = Ball::number(x);
        let z = y.mul(y);
        let table = inverse_factorials();
        let odd = (1..table.len()).step_by(2).rev();
        let sum = odd.fold(Ball::ZERO, |sum, i| sum.mul(z).add(table[i]));
        // The remainder is below z^15 / 31! (1 + …) < 2^-160.
        y.mul(sum.widened(2f64.powi(-160))).scale(-k)
    } else if x < 0.0 {
        down.sub(up)
    } else {
        up.sub(down)
    };
    (sinh, up.add(down))
}

/// The hyperbolic tangent.
fn tanh(x: f64) -> Ball {
    if x.abs() <= 0.3 {
        let (sinh, cosh) = sinh_cosh(x, 0);
        return sinh.div(cosh);
    }
    let one = Ball::number(1.0);
    let q = falling(2.0 * x.abs());
    let y = one.sub(q).div(one.add(q));
    if x < 0.0 { y.neg() } else { y }
}

/// `e^-x` for `x >= 0`.
fn falling(x: f64) -> Ball {
    if x > 800.0 {
        return Ball::ZERO.widened(2f64.powi(-1000));
    }
    let (m, k) = exp(-x);
    m.scale(k)
}

/// `1 / (1 + e^-x)`, divided by `2^k`, for `x >= -FAR`.
pub(super) fn sigmoid(x: f64, k: i32) -> Ball {
    let one = Ball::number(1.0);
    if x >= 0.0 {
        return match x == 0.0 {
            true => Ball::number(0.5),
            false => one.div(one.add(falling(x))),
        }
        .scale(-k);
    }
    let (m, i) = exp(x);
    m.scale(i - k).div(one.add(falling(-x)))
}

/// `tanh(ln(1 + e^x))`, divided by `2^k`, for `x >= -FAR`: `u / (u + 2)` for `u = g (g + 2)` and `g = e^x`.
pub(super) fn gate(x: f64, k: i32) -> Ball {
    let number = Ball::number;
    if x >= 0.0 {
        // Divided by g².
        let h = match x == 0.0 {
            true => number(1.0),
            false => falling(x),
        };
        let u = number(1.0).add(h.scale(1));
        return u.div(u.add(h.mul(h).scale(1))).scale(-k);
    }
    let (m, i) = exp(x);
    let g = m.scale(i);
    let more = g.add(number(2.0));
    m.scale(i - k).mul(more).div(g.mul(more).add(number(2.0)))
}

/// `ln(1 + e^x)`, divided by `2^e`, for `x >= -FAR`.
fn softplus(x: f64, e: i32) -> Ball {
    if x >= 0.0 {
        return Ball::number(x).add(ln_1p(falling(x))).scale(-e);
    }
    let (m, k) = exp(x);
    if x < -200.0 {
        // ln(1 + t) = t (1 - t/2 + …), and t is below 2^-288.
        return m
            .mul(Ball::number(1.0).widened(2f64.powi(-288)))
            .scale(k - e);
    }
    ln_1p(m.scale(k)).scale(-e)
}

impl Law {
    /// The β of a function of `β x`, or of `1/β` times an inverse function.
    pub(crate) fn rate(self) -> Ball {
        match self {
            Law::Exp2 | Law::Exp2M1 | Law::Log2 | Law::Log2p1 => ln2_times(1),
            Law::Exp10 | Law::Exp10M1 | Law::Log10 | Law::Log10p1 => ln10(),
            Law::SinPi | Law::CosPi | Law::TanPi => half_pi().scale(1),
            Law::AsinPi | Law::AcosPi | Law::AtanPi => half_pi().scale(1),
            _ => Ball::number(1.0),
        }
    }

    /// `b^x` of a function made from it, as `m 2^k`.
    pub(super) fn growth(self, x: f64) -> (Ball, i32) {
        match self {
            Law::Exp2 | Law::Exp2M1 => exp2(x),
            Law::Exp10 | Law::Exp10M1 => exp10(x),
            _ => exp(x),
        }
    }

    /// The slope at 0 of a function that is 0 there, and whose second derivative there is at most three times as large.
    fn slope(self) -> Option<Ball> {
        match self {
            Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => Some(self.rate()),
            Law::Ln1p | Law::Log2p1 | Law::Log10p1 => Some(Ball::number(1.0).div(self.rate())),
            Law::SinPi | Law::TanPi => Some(self.rate()),
            Law::AsinPi | Law::AtanPi => Some(Ball::number(1.0).div(self.rate())),
            Law::Tan | Law::Asin | Law::Atan => Some(Ball::number(1.0)),
            Law::Sinh | Law::Tanh | Law::Asinh | Law::Atanh => Some(Ball::number(1.0)),
            Law::Erf => Some(two_over_root_pi()),
            Law::Silu | Law::Gelu => Some(Ball::number(0.5)),
            Law::Mish => Some(Ball::number(3.0).div(Ball::number(5.0))),
            _ => None,
        }
    }

    /// The value at a number of the domain, divided by `2^e`.
    pub(super) fn value(self, x: f64, e: i32) -> Ball {
        if x.abs() < TINY
            && let Some(slope) = self.slope()
        {
            // |f(x) / (s x) - 1| <= 2 |x|
            let slope = slope.mul(Ball::number(1.0).widened(4.0 * TINY));
            return Ball::number(x).scale(-e).mul(slope);
        }
        let one = Ball::number(1.0);
        match self {
            Law::Exp | Law::Exp2 | Law::Exp10 => {
                let (m, k) = self.growth(x);
                m.scale(k - e)
            }
            Law::ExpM1 | Law::Exp2M1 | Law::Exp10M1 => {
                let u = Ball::number(x).mul(self.rate());
                if u.magnitude() <= 0.3 {
                    return exp_m1_small(u).scale(-e);
                }
                let (m, k) = self.growth(x);
                m.scale(k - e).sub(one.scale(-e))
            }
            Law::Ln => ln(x).scale(-e),
            // Both are exact where they are integers: the side of 1, 2 and 4 on which a number is decides its ULP.
            Law::Log2 if x >= f64::MIN_POSITIVE && is_power(x) => {
                Ball::number(f64::from(exponent(x))).scale(-e)
            }
            Law::Log10 if let Some(n) = (0..=22).find(|&n| x == 10f64.powi(n)) => {
                Ball::number(f64::from(n)).scale(-e)
            }
            Law::Log2 | Law::Log10 => ln(x).div(self.rate()).scale(-e),
            Law::Ln1p | Law::Log2p1 | Law::Log10p1 => {
                let y = Ball::number(x).add(one);
                if y.l == 0.0 && self == Law::Log2p1 && is_power(y.h) {
                    return Ball::number(f64::from(exponent(y.h))).scale(-e);
                }
                if self == Law::Log10p1
                    && let Some(n) = (0..=15).find(|&n| x == 10f64.powi(n) - 1.0)
                {
                    return Ball::number(f64::from(n)).scale(-e);
                }
                ln_1p(Ball::number(x)).div(self.rate()).scale(-e)
            }
            Law::Tan => {
                let (sin, cos) = sin_cos(x);
                sin.div(cos).scale(-e)
            }
            Law::SinPi => sin_cos_pi(x).0.scale(-e),
            Law::CosPi => sin_cos_pi(x).1.scale(-e),
            // Next to ±1 the side decides the ULP.
            Law::TanPi if (2.0 * x).fract().abs() == 0.5 => {
                let rising = x.rem_euclid(1.0) == 0.25;
                Ball::number(if rising { 1.0 } else { -1.0 }).scale(-e)
            }
            Law::TanPi => {
                let (sin, cos) = sin_cos_pi(x);
                sin.div(cos).scale(-e)
            }
            Law::Asin => asin(x).scale(-e),
            Law::Acos => acos(x).scale(-e),
            Law::Atan => atan(x).scale(-e),
            Law::AsinPi if x.abs() == 1.0 => Ball::number(0.5 * x).scale(-e),
            Law::AsinPi => asin(x).div(self.rate()).scale(-e),
            Law::AcosPi if x == 0.0 || x == -1.0 => Ball::number(0.5 - 0.5 * x).scale(-e),
            Law::AcosPi => acos(x).div(self.rate()).scale(-e),
            Law::AtanPi if x.abs() == 1.0 => Ball::number(0.25 * x).scale(-e),
            Law::AtanPi => atan(x).div(self.rate()).scale(-e),
            Law::Sinh => sinh_cosh(x, e).0,
            Law::Cosh => sinh_cosh(x, e).1,
            Law::Tanh => tanh(x).scale(-e),
            Law::Asinh => asinh(x).scale(-e),
            Law::Acosh => acosh(x).scale(-e),
            Law::Atanh => atanh(x).scale(-e),
            Law::Erf => erf(x, e),
            Law::Erfc => erfc(x, e),
            Law::Sigmoid => sigmoid(x, e),
            Law::Logit => logit(x).scale(-e),
            Law::Softplus => softplus(x, e),
            Law::Silu if x < 0.0 => Ball::number(x).mul(sigmoid(x, e)),
            Law::Silu => Ball::number(x).scale(-e).mul(sigmoid(x, 0)),
            Law::Gelu if x < 0.0 => Ball::number(x).mul(distribution(x, e)),
            Law::Gelu => Ball::number(x).scale(-e).mul(distribution(x, 0)),
            Law::Mish if x < 0.0 => Ball::number(x).mul(gate(x, e)),
            Law::Mish => Ball::number(x).scale(-e).mul(gate(x, 0)),
            Law::Gamma => gamma(x, e),
            Law::LnGamma => ln_gamma(x, e),
            Law::SrgbToLinear => srgb::to_linear(x, e),
            Law::SrgbFromLinear => srgb::from_linear(x, e),
            _ => unreachable!("{self:?} has a closed form"),
        }
    }
}
