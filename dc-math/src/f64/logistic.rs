//! The logistic function and the activation functions that use e^-|x|, in binary64:
//!
//! ```text
//! sigmoid x = E / (1 + E) for x < 0, with E = e^x,         1 / (1 + E) for the others, with E = e^-x,
//! silu x = x sigmoid x,
//! softplus x = ln(1 + E),                                  x + ln(1 + E),
//! mish x = x (E² + 2E) / (E² + 2E + 2),                    x (1 + 2E) / (1 + 2E + 2E²).
//! ```
//!
//! E, sums, products and quotients have two words. The logarithm is that of `power.rs`. A subnormal result is rounded once, as in
//! `exponential.rs`.

use super::area::quotient;
use super::common::{SUBNORMAL, TINIER, is_outside, multiple};
use super::exponential::MODERATE;
use super::hyperbolic::{exp_in_words, exp_in_words_short, power_of_two, reduced, rounded};
use super::logarithm::number;
use super::power::{fine_log, fine_parts};
use super::tables::{FINE_FACTORS, LEAST, THREE_FIFTHS_LO};
use dc_runtime::prelude::*;

/// From here on `x e^-|x|` rounds to 0; the functions of larger numbers are taken at this one.
const FAR: f64 = 760.0;
/// Above this, ln(1 + e^x) = x + e^-x rounds to x.
const SAME: f64 = 40.0;
/// Below this, ln(1 + e^x) is e^x to 2^-61.
const ALONE: f64 = -42.0;
/// Below this, the argument of the logarithm is 1 + r.
const NEAR_ONE: f64 = 1.03125;
/// The least number at which x e^-x is a normal number.
const LEAST_OF_PRODUCT: f64 = f64::from_bits(0x4086_57bf_cf5d_b0cc); // 0x1.657bfcf5db0ccp+9
/// mish x / x next to 0.
const THREE_FIFTHS: f64 = 0.6;
/// See `multiple`.
const LIMIT: f64 = SUBNORMAL / THREE_FIFTHS;

/// e^-|x| in two words, both times 2^-rest; rest; and the two words unscaled.
#[crunch]
fn decay(x: DcDouble) -> (DcDoubleDouble, DcLong, DcDoubleDouble) {
    let (head, tail, rest) = exp_in_words(reduced((-x.abs()).clamp(-FAR, 0.0)));
    let e = fast_two_sum(head, tail);
    let scale = power_of_two(rest);
    (e, rest, DcDoubleDouble::new(e.hi * scale, e.lo * scale))
}

/// The same of a number that is not large: rest is 0.
#[crunch]
fn decay_short(x: DcDouble) -> (DcDoubleDouble, DcLong, DcDoubleDouble) {
    let (head, tail) = exp_in_words_short(reduced(-x.abs()));
    let e = fast_two_sum(head, tail);
    (e, 0, e)
}

/// The logistic function in two words, both times 2^-rest; and rest.
#[crunch]
fn logistic(
    x: DcDouble,
    decay: (DcDoubleDouble, DcLong, DcDoubleDouble),
) -> (DcDoubleDouble, DcLong) {
    let (e, rest, w) = decay;
    let v = fast_two_sum(1.0, w.hi);
    let v_low = e.lo.mul_add(power_of_two(rest), v.lo);
    let below = x < 0.0;
    let n = below.select(e, DcDoubleDouble::new(1.0, 0.0));
    let q = quotient(n, DcDoubleDouble::new(v.hi, v_low));
    (q, below.select(rest, 0))
}

/// `x q 2^rest`, rounded once; large numbers are returned unchanged.
#[crunch]
pub fn weighted(x: DcDouble, q: DcDoubleDouble, rest: DcLong, subnormal: DcMask) -> DcDouble {
    let a = x.abs().clamp(0.0, FAR);
    let y = a * q.hi;
    let low = a.mul_add(q.hi, -y) + a * q.lo;
    let z = rounded(DcDoubleDouble::new(y, low), rest, subnormal).copysign(x);
    if x > FAR { x } else { z }
}

/// 1 / (1 + e^-x), error at most 0.55 ULP.
#[crunch]
pub fn sigmoid(x: DcDouble) -> DcDouble {
    let (q, rest) = logistic(x, decay(x));
    rounded(q, rest, x < LEAST)
}

/// x / (1 + e^-x), error at most 0.55 ULP.
#[crunch]
pub fn silu(x: DcDouble) -> DcDouble {
    let (q, rest) = logistic(x, decay(x));
    let z = weighted(x, q, rest, x < -LEAST_OF_PRODUCT);
    let tiny = x.abs() < TINIER;
    if tiny { 0.5 * x } else { z }
}

/// ln(1 + E) in two words.
#[crunch]
fn log_of_sum(w: DcDoubleDouble) -> DcDoubleDouble {
    let u = fast_two_sum(1.0, w.hi);
    let (n, r, cell) = fine_parts(u.hi.to_bits());
    let low = (u.lo + w.lo) * power_of_two(-n) * FINE_FACTORS[cell];
    // Next to 1, the sum has fewer digits than E.
    let near = u.hi < NEAR_ONE;
    let (r, low) = near.select((w.hi, w.lo), (r, low));
    let r = fast_two_sum(r, low);
    let slope = r.hi.mul_add(r.hi, -r.hi);
    fine_log(number(n), r.hi, cell, r.lo.mul_add(slope, r.lo))
}

/// `x + y`, rounded.
#[crunch]
fn added(x: DcDouble, y: DcDoubleDouble) -> DcDouble {
    let sum = two_sum(x, y.hi);
    sum.hi + (sum.lo + y.lo)
}

/// ln(1 + e^x), error at most 0.55 ULP.
#[crunch]
pub fn softplus(x: DcDouble) -> DcDouble {
    let (e, rest, w) = decay(x);
    let y = log_of_sum(w);

    let alone = x < ALONE;
    let (hi, lo, rest) = alone.select((e.hi, e.lo, rest), (y.hi, y.lo, 0));
    let below = rounded(DcDoubleDouble::new(hi, lo), rest, x < LEAST);
    let above = added(x, y);
    let z = if x > 0.0 { above } else { below };
    if x > SAME { x } else { z }
}

/// mish x / x in two words, both times 2^-rest; and rest.
#[crunch]
fn share_of_mish(
    x: DcDouble,
    decay: (DcDoubleDouble, DcLong, DcDoubleDouble),
) -> (DcDoubleDouble, DcLong) {
    let (e, rest, w) = decay;
    let below = x < 0.0;
    let scale = power_of_two(rest);
    let twice = scale + scale;
    let more = fast_two_sum(2.0, w.hi);
    let more_low = e.lo.mul_add(scale, more.lo);
    let one = fast_two_sum(1.0, w.hi + w.hi);
    let one_low = e.lo.mul_add(twice, one.lo);
    let (f, f_low) = below.select((more.hi, more_low), (e.hi * twice, e.lo * twice));
    let (base, base_low) = below.select((2.0, 0.0), (one.hi, one_low));

    let t = two_prod(e.hi, f);
    let t_low = e.hi.mul_add(f_low, e.lo.mul_add(f, t.lo));
    let d = two_sum(base, t.hi * scale);
    let d_low = d.lo + t_low.mul_add(scale, base_low);
    let (n, n_low) = below.select((t.hi, t_low), (base, base_low));
    let q = quotient(
        DcDoubleDouble::new(n, n_low),
        DcDoubleDouble::new(d.hi, d_low),
    );
    (q, below.select(rest, 0))
}

/// x tanh(ln(1 + e^x)), error at most 0.55 ULP.
#[crunch]
pub fn mish(x: DcDouble) -> DcDouble {
    let (q, rest) = share_of_mish(x, decay(x));
    let z = weighted(x, q, rest, x < -LEAST_OF_PRODUCT);
    let tiny = x.abs() < TINIER;
    if tiny {
        multiple(x, THREE_FIFTHS, THREE_FIFTHS_LO, LIMIT)
    } else {
        z
    }
}

/// Whether the magnitude of x is tiny or large. The short kernels compute all other numbers. Their bits are those of the whole kernels, because no number is
/// subnormal.
#[crunch]
pub fn is_extreme(x: DcDouble) -> DcMask {
    is_outside(x, TINIER, MODERATE)
}

/// Whether softplus is x or e^x.
#[crunch]
pub fn is_simple(x: DcDouble) -> DcMask {
    !(x.abs() <= SAME)
}

/// `x q`, rounded.
#[crunch]
pub fn weighted_short(x: DcDouble, q: DcDoubleDouble) -> DcDouble {
    let y = x * q.hi;
    y + (x.mul_add(q.hi, -y) + x * q.lo)
}

/// The logistic function of a number that is not large.
#[crunch]
pub fn sigmoid_short(x: DcDouble) -> DcDouble {
    let (q, _) = logistic(x, decay_short(x));
    q.hi + q.lo
}

/// silu x of a number that is not extreme
#[crunch]
pub fn silu_short(x: DcDouble) -> DcDouble {
    let (q, _) = logistic(x, decay_short(x));
    weighted_short(x, q)
}

/// and mish x.
#[crunch]
pub fn mish_short(x: DcDouble) -> DcDouble {
    let (q, _) = share_of_mish(x, decay_short(x));
    weighted_short(x, q)
}

/// softplus of a number for which it is not simple.
#[crunch]
pub fn softplus_short(x: DcDouble) -> DcDouble {
    let (_, _, w) = decay_short(x);
    let y = log_of_sum(w);
    let above = added(x, y);
    if x > 0.0 { above } else { y.hi + y.lo }
}
