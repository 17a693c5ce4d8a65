//! The gamma function and its logarithm in binary64. By Stirling, with u = 1/t,
//!
//! ```text
//! ln Γ(t) = (t - 1/2) (ln t - 1) + ln √(2π) - 1/2 + g(u),    t >= 1,
//! ```
//!
//! where g for the logarithm, and e^g for Γ, have 16 polynomials in u. The logarithm is that of `power.rs`. The sum and its exponential have two
//! words. Below 1, Γ(x) is Γ(1 + x) / x, and for negative numbers
//!
//! ```text
//! Γ(-a) = -π / (a sin(πa) Γ(a)),
//! ```
//!
//! as one quotient of numbers in two words, with the words of Γ for a positive number. A subnormal result is rounded once.
//!
//! ln Γ has zeros at 1 and 2. From 1/2 to 5/2 it is `d (d - 1) p(d)`, d = x - 1, with 16 polynomials p, and below 1/2 it is `ln Γ(1 + x) - ln x`. Negative
//! numbers are in `gamma_below.rs`.

use super::common::{INTEGER, product};
use super::gamma_pieces::*;
use super::half_turns;
use super::hyperbolic::{exp_in_words, power_of_two, reduced};
use super::logarithm::number;
use super::power::{fine_log, fine_parts, log_in_words};
use super::tables::{PI_HI, PI_LO, STIRLING_HI, STIRLING_LO};
use super::trigonometric::sine_in_words;
use dc_runtime::prelude::*;

/// Γ of a number below -`FAR` is 0.
const FAR: f64 = 190.0;
/// Γ of a larger number is infinite: 171.624376956302725…, where it is `(1 - 4.79e-14) 2^1024`.
const LAST: f64 = f64::from_bits(0x4065_73fa_e561_f647);
/// Below this, Γ(x) is 1/x to 2^-60.
pub const TINY: f64 = f64::from_bits((1023 - 60) << 52);
/// From here on ln Γ is Stirling's formula; below the second constant it is computed from x + 1.
const LARGE: f64 = 2.5;
const SMALL: f64 = 0.5;
/// 2^1000: no intermediate result overflows below it.
const HUGE: f64 = f64::from_bits((1023 + 1000) << 52);

/// `(t - 1/2) (log - 1) + ln √(2π) - 1/2` in two words, for log = ln t. The first one depends on the first words of t and log alone. The second one
/// may be a few of its last places.
#[crunch]
fn stirling(t: DcDoubleDouble, log: DcDoubleDouble) -> DcDoubleDouble {
    let less = two_sum(log.hi, -1.0);
    let factor = DcDoubleDouble::new(less.hi, less.lo + log.lo);
    // The difference is exact up to 2^52.
    let s = t.hi - 0.5;
    let s_low = ((t.hi - s) - 0.5) + t.lo;
    let p = product(DcDoubleDouble::new(s, s_low), factor);
    let sum = two_sum(p.hi, STIRLING_HI);
    DcDoubleDouble::new(sum.hi, sum.lo + (p.lo + STIRLING_LO))
}

/// The index of a cell of width 1 among 16, and the distance from its middle.
#[crunch]
fn cell(x: DcDouble) -> (DcLong, DcDouble) {
    let t = (x - 0.5).min(15.0) + INTEGER;
    (t.to_bits(), (x - 0.5) - (t - INTEGER))
}

/// e^g(u), where u has two words.
#[crunch]
fn gamma_piece(u: DcDouble, u_low: DcDouble) -> DcDoubleDouble {
    let (k, h) = cell(u * 16.0);
    let h = h * 0.0625;
    let p = GAMMA_8[k];
    let p = h.mul_add(p, GAMMA_7[k]);
    let p = h.mul_add(p, GAMMA_6[k]);
    let p = h.mul_add(p, GAMMA_5[k]);
    let p = h.mul_add(p, GAMMA_4[k]);
    let p = h.mul_add(p, GAMMA_3[k]);
    let p = h.mul_add(p, GAMMA_2[k]);
    let p = h.mul_add(p, GAMMA_1[k]);
    let c = GAMMA_0[k];
    let y = h.mul_add(p, c);
    let low = h.mul_add(p, c - y) + u_low.mul_add(p, GAMMA_0_LOW[k]);
    DcDoubleDouble::new(y, low)
}

/// Γ(t + t_low) in two words, for t >= 1, both times 2^-rest; and rest. The second word is at most 2^-11.9 of the first.
#[crunch]
pub fn gamma_in_words(t: DcDouble, t_low: DcDouble) -> (DcDoubleDouble, DcLong) {
    let u = t.recip();
    let u_low = (-u).mul_add(t_low, (-u).mul_add(t, 1.0)) * u;
    let (e, r, cell) = fine_parts(t.to_bits());
    let log = fine_log(number(e), r, cell, 0.0);
    // The table's place does not depend on the second word of t.
    let log = DcDoubleDouble::new(log.hi, log.lo + t_low * u);
    let exponent = stirling(DcDoubleDouble::new(t, t_low), log);
    let (t, h, l) = reduced(exponent.hi);
    let (head, tail, rest) = exp_in_words((t, h, l + exponent.lo));
    let g = product(DcDoubleDouble::new(head, tail), gamma_piece(u, u_low));
    (g, rest)
}

/// The exponent of the power of two by which the stages of Γ are divided: up to 190, they are then neither subnormal nor infinite.
pub const STAGE_SCALE: i64 = 600;

/// Γ(t + t_low) 2^-600 in two words, with the bits of `tgamma`.
#[crunch]
pub fn gamma_of_words(t: DcDouble, t_low: DcDouble) -> DcDoubleDouble {
    let (g, rest) = gamma_in_words(t, t_low);
    let scale = power_of_two(rest - STAGE_SCALE);
    DcDoubleDouble::new(g.hi * scale, g.lo * scale)
}

/// The same for one word.
#[crunch]
pub fn gamma_of_word(t: DcDouble) -> DcDoubleDouble {
    gamma_of_words(t, 0.0)
}

/// sin πx in two words, with the bits of `tgamma`.
#[crunch]
pub fn sine_of_half_turns(x: DcDouble) -> DcDoubleDouble {
    let (h, l, n, _) = half_turns::reduced(x);
    sine_in_words(h, l, n)
}

/// Γ(x), error at most 0.55 ULP.
#[crunch]
pub fn tgamma(x: DcDouble) -> DcDouble {
    let whole = x.abs();
    let a = whole.min(FAR);
    let small = a < 1.0;
    let above = fast_two_sum(1.0, a);
    let (t, t_low) = small.select((above.hi, above.lo), (a, 0.0));
    let (g, rest) = gamma_in_words(t, t_low);

    let negative = x < 0.0;
    let s = product(sine_of_half_turns(whole), g);
    // The second word of a divisor must be small.
    let s = fast_two_sum(s.hi, s.lo);
    let n = negative.select(DcDoubleDouble::new(-PI_HI, -PI_LO), g);
    let s = negative.select(s, DcDoubleDouble::new(1.0, 0.0));
    let rest = negative.select(-rest, rest);
    // The factor a is needed if Γ(1 + a) is the dividend or Γ(a) the divisor, and not otherwise.
    let divisor = if small ^ negative { a } else { 1.0 };
    let y = s.hi * divisor;
    let d = DcDoubleDouble::new(y, s.hi.mul_add(divisor, -y) + s.lo * divisor);

    let inverse = d.hi.recip();
    let q = n.hi * inverse;
    let remainder = (-q).mul_add(d.hi, n.hi) + (-q).mul_add(d.lo, n.lo);
    let q = fast_two_sum(q, remainder * inverse);
    let least = DcDouble::from_bits((1 - rest) << 52);
    let subnormal = q.hi.abs() <= least;
    let unit = subnormal.select(least.copysign(q.hi), 0.0);
    let sum = unit + q.hi;
    let rounded = sum + ((q.hi - (sum - unit)) + q.lo);
    let y = ((rounded - unit) * power_of_two(rest)).copysign(q.hi);

    let y = if whole < TINY { x.recip() } else { y };
    let pole = negative & (whole.floor() == whole);
    let y = if pole | (x != x) { f64::NAN } else { y };
    if x > LAST { f64::INFINITY } else { y }
}

/// g(u), where u has two words.
#[crunch]
fn log_gamma_piece(u: DcDouble, u_low: DcDouble) -> DcDoubleDouble {
    let (k, h) = cell(u * 32.0);
    let h = h * 0.03125;
    let p = LOG_GAMMA_7[k];
    let p = h.mul_add(p, LOG_GAMMA_6[k]);
    let p = h.mul_add(p, LOG_GAMMA_5[k]);
    let p = h.mul_add(p, LOG_GAMMA_4[k]);
    let p = h.mul_add(p, LOG_GAMMA_3[k]);
    let p = h.mul_add(p, LOG_GAMMA_2[k]);
    let p = h.mul_add(p, LOG_GAMMA_1[k]);
    let c = LOG_GAMMA_0[k];
    let y = h.mul_add(p, c);
    let low = h.mul_add(p, c - y) + u_low.mul_add(p, LOG_GAMMA_0_LOW[k]);
    DcDoubleDouble::new(y, low)
}

/// p(d)
#[crunch]
fn piece_between(d: DcDouble) -> DcDoubleDouble {
    let (k, h) = cell((d + SMALL) * 8.0);
    let h = h * 0.125;
    let p = BETWEEN_13[k];
    let p = h.mul_add(p, BETWEEN_12[k]);
    let p = h.mul_add(p, BETWEEN_11[k]);
    let p = h.mul_add(p, BETWEEN_10[k]);
    let p = h.mul_add(p, BETWEEN_9[k]);
    let p = h.mul_add(p, BETWEEN_8[k]);
    let p = h.mul_add(p, BETWEEN_7[k]);
    let p = h.mul_add(p, BETWEEN_6[k]);
    let p = h.mul_add(p, BETWEEN_5[k]);
    let p = h.mul_add(p, BETWEEN_4[k]);
    let p = h.mul_add(p, BETWEEN_3[k]);
    let p = h.mul_add(p, BETWEEN_2[k]);
    let c = BETWEEN_1[k];
    let v = h.mul_add(p, c);
    let v_low = h.mul_add(p, c - v) + BETWEEN_1_LOW[k];
    let c = BETWEEN_0[k];
    let y = h.mul_add(v, c);
    let y_low = h.mul_add(v, c - y) + h.mul_add(v_low, BETWEEN_0_LOW[k]);
    DcDoubleDouble::new(y, y_low)
}

/// ln Γ(x) in two words by Stirling's formula, from the logarithm of x, in two words.
#[crunch]
pub fn far_in_words(x: DcDouble, log: DcDoubleDouble) -> DcDoubleDouble {
    let far = stirling(DcDoubleDouble::new(x, 0.0), log);
    let far = fast_two_sum(far.hi, far.lo);
    let u = x.recip();
    let g = log_gamma_piece(u, (-u).mul_add(x, 1.0) * u);
    let sum = two_sum(far.hi, g.hi);
    DcDoubleDouble::new(sum.hi, sum.lo + (far.lo + g.lo))
}

/// ln Γ(x) for positive x, with the bits of `lgamma`.
#[crunch]
pub fn lgamma_positive(x: DcDouble) -> DcDouble {
    let log = log_in_words(x);
    let far = far_in_words(x, log);
    let far = far.hi + far.lo;

    let small = x < SMALL;
    let d = if small { x } else { x - 1.0 };
    let less = two_sum(d, -1.0);
    let y = product(
        product(less, DcDoubleDouble::new(d, 0.0)),
        piece_between(d.min(1.5)),
    );
    let (hi, lo) = small.select((-log.hi, -log.lo), (0.0, 0.0));
    let sum = two_sum(hi, y.hi);
    let near = sum.hi + (sum.lo + (y.lo + lo));
    let z = if x < LARGE { near } else { far };
    // An infinite product has no second word.
    let infinite = x * (log.hi - 1.0) == f64::INFINITY;
    if infinite { f64::INFINITY } else { z }
}

/// Whether x is not from `LARGE` on, or above 2^1000.
#[crunch]
pub fn is_not_far(x: DcDouble) -> DcMask {
    !((x >= LARGE) & (x < HUGE))
}

/// ln Γ(x) for x from `LARGE` to 2^1000, with the bits of `lgamma`.
#[crunch]
pub fn lgamma_far(x: DcDouble) -> DcDouble {
    let (e, r, cell) = fine_parts(x.to_bits());
    let log = fine_log(number(e), r, cell, 0.0);
    let far = stirling(DcDoubleDouble::new(x, 0.0), log);
    let u = x.recip();
    let g = log_gamma_piece(u, (-u).mul_add(x, 1.0) * u);
    let sum = two_sum(far.hi, g.hi);
    sum.hi + (sum.lo + (far.lo + g.lo))
}

/// Whether x is not between `SMALL` and `LARGE`.
#[crunch]
pub fn is_not_between(x: DcDouble) -> DcMask {
    !((x >= SMALL) & (x < LARGE))
}

/// ln Γ(x) for x between `SMALL` and `LARGE`, with the bits of `lgamma`.
#[crunch]
pub fn lgamma_between(x: DcDouble) -> DcDouble {
    let d = x - 1.0;
    let less = two_sum(d, -1.0);
    let y = product(product(less, DcDoubleDouble::new(d, 0.0)), piece_between(d));
    // At the zeros, y is -0.
    (0.0 + y.hi) + y.lo
}
