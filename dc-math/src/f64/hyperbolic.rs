//! Hyperbolic functions in binary64, and exponentials minus 1.
//!
//! The reduction is as in `exponential.rs`: `x = k s + h + l`, where s is the logarithm of 2^(1/16), h is exact and l is small. With A =
//! 2^(k/16),
//!
//! ```text
//! e^x - 1 = (A - 1) + A (h + l) + A h² p(h),
//! sinh x = S + C (h + l) + C h³ q(h²) + S h² p(h²),    S = (A - 1/A) / 2, C = (A + 1/A) / 2,
//! cosh x = C + S (h + l) + S h³ q(h²) + C h² p(h²),
//! ```
//!
//! and tanh x = u / (u + 2), u = e^(2x) - 1. The first two terms have two words, so the last sum has an error of half a unit. Next to 0, A -
//! 1 and S are 0, so the relative error stays small.

use super::common::{
    INTEGER, INTEGER_BITS, SIXTEENTH, SUBNORMAL, TINIER, TINY, is_outside, multiple,
};
use super::exponential::{MODERATE, MODERATE_10, power, power_short};
use super::tables::{
    LN_2_HI, LN_2_LO, LN_10_HI, LN_10_LO, POWERS, STEP_10_HI, STEP_10_LO, STEP_HI, STEP_LO, STEPS,
    STEPS_10, TAILS,
};
use dc_runtime::prelude::*;

/// See `multiple`.
const LIMIT_2: f64 = SUBNORMAL / LN_2_HI;
const LIMIT_10: f64 = SUBNORMAL / LN_10_HI;

/// (e^h - 1 - h) / h², the lowest power first: `crunch design expm1 --precision f64 --range=-0.02168..0.02168 --within 0.515ulp`.
const SERIES: [f64; 7] = [
    0.5,
    f64::from_bits(0x3fc5_5555_5555_5557),
    f64::from_bits(0x3fa5_5555_5555_5552),
    f64::from_bits(0x3f81_1111_110b_6e38),
    f64::from_bits(0x3f56_c16c_16c8_c33a),
    f64::from_bits(0x3f2a_01b5_0715_1d9e),
    f64::from_bits(0x3efa_01a0_6145_8520),
];
/// (sinh h - h) / h³ in h²: `crunch design sinh --precision f64 --range=-0.0217..0.0217 --within 0.53ulp`.
const SINH: [f64; 3] = [
    f64::from_bits(0x3fc5_5555_5555_5557),
    f64::from_bits(0x3f81_1111_110b_6c6e),
    f64::from_bits(0x3f2a_01b5_0bfa_d819),
];
/// (cosh h - 1) / h² in h²: `crunch design cosh --precision f64 --range=-0.0217..0.0217 --within 0.51ulp`.
const COSH: [f64; 3] = [
    f64::from_bits(0x3fe0_0000_0000_0004),
    f64::from_bits(0x3fa5_5555_5548_45d4),
    f64::from_bits(0x3f56_c183_e690_aaff),
];

/// `INTEGER` + k, h, and l. The product of k and a constant of 37 bits is exact, and so is the difference.
#[crunch]
pub fn reduced(x: DcDouble) -> (DcDouble, DcDouble, DcDouble) {
    let t = x.mul_add(STEPS, INTEGER);
    let k = t - INTEGER;
    (t, (-k).mul_add(STEP_HI, x), -(k * STEP_LO))
}

/// The same for powers of 2
#[crunch]
fn reduced_2(x: DcDouble) -> (DcDouble, DcDouble, DcDouble) {
    let t = x.mul_add(16.0, INTEGER);
    // Exact.
    let part = (t - INTEGER).mul_add(-0.0625, x);
    let h = part * LN_2_HI;
    let l = part.mul_add(LN_2_LO, part.mul_add(LN_2_HI, -h));
    (t, h, l)
}

/// and of 10.
#[crunch]
fn reduced_10(x: DcDouble) -> (DcDouble, DcDouble, DcDouble) {
    let t = x.mul_add(STEPS_10, INTEGER);
    let k = t - INTEGER;
    // Exact, as in `exponential.rs`.
    let part = (-k).mul_add(STEP_10_HI, x);
    let h = part * LN_10_HI;
    let l = (-k).mul_add(
        STEP_10_LO,
        part.mul_add(LN_10_LO, part.mul_add(LN_10_HI, -h)),
    );
    (t, h, l)
}

/// 2^(k/16) e^(h + l) minus 0 or 1, in two words, both times 2^-rest; and rest. `t` is the sum of `INTEGER` and k.
#[crunch]
pub fn grown(
    reduced: (DcDouble, DcDouble, DcDouble),
    less: DcDouble,
) -> (DcDouble, DcDouble, DcLong) {
    let (t, h, l) = reduced;
    let n = t.to_bits();
    let (power, rest) = power(n);
    let one = DcDouble::from_bits((1023 - rest) << 52) * less;
    let (head, tail) = grown_from(power, one, n, h, l);
    (head, tail, rest)
}

/// `P e^(h + l) - one` in two words, where P is `power (1 + lack)` and n holds the index of the lack.
#[crunch]
fn grown_from(
    power: DcDouble,
    one: DcDouble,
    n: DcLong,
    h: DcDouble,
    l: DcDouble,
) -> (DcDouble, DcDouble) {
    let r = h + l;
    let p = horner(r, &SERIES);
    let lack = TAILS[n];
    let small = (r * r).mul_add(p, l + lack.mul_add(r, lack));
    let less = two_sum(power, -one);
    let line = power * h;
    let head = less.hi + line;
    let below = (less.hi - head) + line;
    let tail = power.mul_add(small, power.mul_add(h, -line) + less.lo) + below;
    (head, tail)
}

/// `e^(h + l)` in two words, both times 2^-rest; and rest.
#[crunch]
pub fn exp_in_words(reduced: (DcDouble, DcDouble, DcDouble)) -> (DcDouble, DcDouble, DcLong) {
    let (t, h, l) = reduced;
    let n = t.to_bits();
    let (power, rest) = power(n);
    let (head, tail) = exp_from(power, n, h, l);
    (head, tail, rest)
}

/// `P e^(h + l)` in two words, where P is `power (1 + lack)` and n holds the index of the lack.
#[crunch]
fn exp_from(power: DcDouble, n: DcLong, h: DcDouble, l: DcDouble) -> (DcDouble, DcDouble) {
    let r = h + l;
    let p = horner(r, &SERIES);
    let lack = TAILS[n];
    let small = (r * r).mul_add(p, l + lack.mul_add(r, lack));
    let line = power * h;
    let head = power + line;
    let below = (power - head) + line;
    let tail = power.mul_add(small, power.mul_add(h, -line)) + below;
    (head, tail)
}

/// `(hi + lo) 2^rest`, rounded once, also if it is `subnormal`, as in `exponential.rs`.
#[crunch]
pub fn rounded(y: DcDoubleDouble, rest: DcLong, subnormal: DcMask) -> DcDouble {
    let unit = subnormal.select(DcDouble::from_bits((1 - rest) << 52), 0.0);
    let sum = unit + y.hi;
    let d = y.hi - (sum - unit);
    ((sum + (d + y.lo)) - unit) * power_of_two(rest)
}

/// 2^n
#[crunch]
pub fn power_of_two(n: DcLong) -> DcDouble {
    DcDouble::from_bits((n + 1023) << 52)
}

/// e^x - 1, error at most 0.55 ULP.
#[crunch]
pub fn expm1(x: DcDouble) -> DcDouble {
    let (head, tail, rest) = grown(reduced(x.clamp(-40.0, 710.0)), 1.0);
    let y = (head + tail) * power_of_two(rest);
    let tiny = x.abs() < TINIER;
    if tiny { x } else { y }
}

/// 2^x - 1, error at most 0.55 ULP.
#[crunch]
pub fn exp2m1(x: DcDouble) -> DcDouble {
    let (head, tail, rest) = grown(reduced_2(x.clamp(-60.0, 1024.5)), 1.0);
    let y = (head + tail) * power_of_two(rest);
    let tiny = x.abs() < TINIER;
    if tiny {
        multiple(x, LN_2_HI, LN_2_LO, LIMIT_2)
    } else {
        y
    }
}

/// 10^x - 1, error at most 0.55 ULP.
#[crunch]
pub fn exp10m1(x: DcDouble) -> DcDouble {
    let (head, tail, rest) = grown(reduced_10(x.clamp(-20.0, 309.0)), 1.0);
    let y = (head + tail) * power_of_two(rest);
    let tiny = x.abs() < TINIER;
    if tiny {
        multiple(x, LN_10_HI, LN_10_LO, LIMIT_10)
    } else {
        y
    }
}

/// `u / (u + 2)` for `u = head + tail`.
#[crunch]
fn quotient_of_sum(head: DcDouble, tail: DcDouble) -> DcDouble {
    let u = fast_two_sum(head, tail);
    let v = two_sum(u.hi, 2.0);
    let inverse = v.hi.recip();
    let y = u.hi * inverse;
    let rest = (-y).mul_add(v.hi, u.hi) + (-y).mul_add(v.lo + u.lo, u.lo);
    rest.mul_add(inverse, y)
}

/// tanh x, error at most 0.55 ULP.
#[crunch]
pub fn tanh(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let (head, tail, rest) = grown(reduced((a + a).clamp(0.0, 40.0)), 1.0);
    let scale = power_of_two(rest);
    let y = quotient_of_sum(head * scale, tail * scale);
    let tiny = a < TINY;
    let y = if tiny { a } else { y };
    y.copysign(x)
}

/// S and C, two words each, times a power of two; and the inverse of that power. `t` is the sum of `INTEGER` and k, where k is from 0 to
/// 2^15.
#[crunch]
fn halves(t: DcDouble) -> (DcDoubleDouble, DcDoubleDouble, DcDouble) {
    let n = t.to_bits();
    let minus = INTEGER_BITS - (n - INTEGER_BITS);
    let e = (n >> 4) - SIXTEENTH;
    let half = e >> 1;
    let rest = e - half;
    // A number too small to have an effect is not scaled down further.
    let down = ((minus >> 4) - SIXTEENTH - rest).max(-1000);
    let a = DcDouble::from_bits(POWERS[n] + ((half - 1) << 52));
    let b = DcDouble::from_bits(POWERS[minus] + ((down - 1) << 52));
    let (s, c) = difference_and_sum(a, TAILS[n], b, TAILS[minus]);
    (s, c, DcDouble::from_bits((rest + 1023) << 52))
}

/// The difference and the sum of two powers, two words each. The powers have relative errors.
#[crunch]
fn difference_and_sum(
    a: DcDouble,
    a_tail: DcDouble,
    b: DcDouble,
    b_tail: DcDouble,
) -> (DcDoubleDouble, DcDoubleDouble) {
    let (a_lack, b_lack) = (a * a_tail, b * b_tail);
    let (c, s) = (a + b, a - b);
    let c_low = ((a - c) + b) + (a_lack + b_lack);
    let s_low = ((a - s) - b) + (a_lack - b_lack);
    (DcDoubleDouble::new(s, s_low), DcDoubleDouble::new(c, c_low))
}

/// `s cosh(h + l) + c sinh(h + l)`, rounded; s is 0 or greater than c h.
#[crunch]
fn turned(s: DcDoubleDouble, c: DcDoubleDouble, h: DcDouble, l: DcDouble) -> DcDouble {
    let r = h + l;
    let square = r * r;
    let q = horner(square, &SINH);
    let p = horner(square, &COSH);
    let line = c.hi * h;
    let head = s.hi + line;
    let below = (s.hi - head) + line;
    let low = c.hi.mul_add(l, c.hi.mul_add(h, -line)) + c.lo.mul_add(h, s.lo);
    let curve = (c.hi * (square * r)).mul_add(q, low);
    head + (s.hi.mul_add(square * p, curve) + below)
}

/// sinh x, error at most 0.55 ULP.
#[crunch]
pub fn sinh(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let (t, h, l) = reduced(a.clamp(0.0, 711.0));
    let (s, c, scale) = halves(t);
    let y = turned(s, c, h, l) * scale;
    let tiny = a < TINY;
    let y = if tiny { a } else { y };
    y.copysign(x)
}

/// cosh x, error at most 0.55 ULP.
#[crunch]
pub fn cosh(x: DcDouble) -> DcDouble {
    let (t, h, l) = reduced(x.abs().clamp(0.0, 711.0));
    let (s, c, scale) = halves(t);
    turned(c, s, h, l) * scale
}

/// Whether the magnitude of x is tiny or large: the short kernels compute all other numbers. They multiply a power by all of 2^e at once. Their bits are those
/// of the whole kernels, because no number is subnormal.
#[crunch]
pub fn is_extreme(x: DcDouble) -> DcMask {
    is_outside(x, TINY, MODERATE)
}

/// The same for powers of 10.
#[crunch]
pub fn is_extreme_10(x: DcDouble) -> DcMask {
    is_outside(x, TINY, MODERATE_10)
}

/// 2^(k/16) e^(h + l) in two words, for a moderate result.
#[crunch]
pub fn exp_in_words_short(reduced: (DcDouble, DcDouble, DcDouble)) -> (DcDouble, DcDouble) {
    let (t, h, l) = reduced;
    let n = t.to_bits();
    exp_from(power_short(n), n, h, l)
}

/// The same minus 1.
#[crunch]
fn grown_short(reduced: (DcDouble, DcDouble, DcDouble)) -> (DcDouble, DcDouble) {
    let (t, h, l) = reduced;
    let n = t.to_bits();
    grown_from(power_short(n), 1.0, n, h, l)
}

/// e^x - 1 of a number that is not extreme;
#[crunch]
pub fn expm1_short(x: DcDouble) -> DcDouble {
    let (head, tail) = grown_short(reduced(x));
    head + tail
}

/// 2^x - 1
#[crunch]
pub fn exp2m1_short(x: DcDouble) -> DcDouble {
    let (head, tail) = grown_short(reduced_2(x));
    head + tail
}

/// and 10^x - 1.
#[crunch]
pub fn exp10m1_short(x: DcDouble) -> DcDouble {
    let (head, tail) = grown_short(reduced_10(x));
    head + tail
}

/// tanh x of a number whose double is not extreme.
#[crunch]
pub fn tanh_short(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let (head, tail) = grown_short(reduced(a + a));
    quotient_of_sum(head, tail).copysign(x)
}

/// S and C of a moderate number.
#[crunch]
fn halves_short(t: DcDouble) -> (DcDoubleDouble, DcDoubleDouble) {
    let n = t.to_bits();
    let minus = INTEGER_BITS - (n - INTEGER_BITS);
    // 16 less is half of the power, with the same index.
    let (a, b) = (power_short(n - 16), power_short(minus - 16));
    difference_and_sum(a, TAILS[n], b, TAILS[minus])
}

/// sinh x of a number that is not extreme
#[crunch]
pub fn sinh_short(x: DcDouble) -> DcDouble {
    let (t, h, l) = reduced(x.abs());
    let (s, c) = halves_short(t);
    turned(s, c, h, l).copysign(x)
}

/// and cosh x of a moderate one.
#[crunch]
pub fn cosh_short(x: DcDouble) -> DcDouble {
    let (t, h, l) = reduced(x.abs());
    let (s, c) = halves_short(t);
    turned(c, s, h, l)
}
