//! Remainders of floats, their order, and their classes.

use crate::prelude::*;

/// Powers of two, 28 apart, down to 1.
const SCALES: [f64; 10] = {
    let mut scales = [1.0; 10];
    let mut i = 0;
    while i < 10 {
        scales[i] = f64::from_bits((1023 + 28 * (9 - i as u64)) << 52);
        i += 1;
    }
    scales
};

/// `a % b` of `f32`: exact. The quotient is computed 28 bits at a time. The remainder after each step is exact in binary64: the divisor has
/// 24 bits, and the dividend has 24 bits too, or its lowest bit is that of the divisor.
#[crunch]
pub fn rem_f32(a: DcFloat, b: DcFloat) -> DcFloat {
    let divisor = b.abs().to_f64();
    let mut rest = a.abs().to_f64();
    // The greatest number is less than 2^277 times the least.
    for i in 0..SCALES.len() {
        let scaled = divisor * SCALES[i];
        let times = (rest / scaled).trunc();
        let left = rest - times * scaled;
        rest = (left < 0.0).select(left + scaled, left);
    }
    let exact = rest.to_f32().copysign(a);
    let far = (b.abs() == f32::INFINITY).select(a, exact);
    let none = !(a.abs() < f32::INFINITY) || b == 0.0 || b.is_nan();
    none.select(f32::NAN, far)
}

/// `f32::rem_euclid`
#[crunch]
pub fn rem_euclid_f32(a: DcFloat, b: DcFloat) -> DcFloat {
    let rest = rem_f32(a, b);
    (rest < 0.0).select(rest + b.abs(), rest)
}

/// `f32::div_euclid`
#[crunch]
pub fn div_euclid_f32(a: DcFloat, b: DcFloat) -> DcFloat {
    let whole = (a / b).trunc();
    let step: DcFloat = (b > 0.0).select(1.0, -1.0);
    (rem_f32(a, b) < 0.0).select(whole - step, whole)
}

/// The significand of a positive number as an integer of 53 bits, and the exponent of its lowest bit.
#[crunch]
fn significand(x: DcDouble) -> (DcDouble, DcLong) {
    let small = x < f64::MIN_POSITIVE;
    let bits = small.select(x * 18_014_398_509_481_984.0, x).to_bits();
    let exponent = bits.shr_logical(52) - small.select(54, 0);
    let integer = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    (integer.to_f64(), exponent)
}

/// `a % b` of `f64`: exact. The significands are integers. The remainder is multiplied by up to 2^52 and divided again, until the
/// difference of the exponents is used up. A quotient is at most one too large, and the fused difference is exact.
#[crunch]
pub fn rem_f64(a: DcDouble, b: DcDouble) -> DcDouble {
    let (first, high) = significand(a.abs());
    let (divisor, low) = significand(b.abs());
    let mut rest = first;
    let mut steps = high - low;
    let less = a.abs() < b.abs();
    for i in 0..42 {
        // First by 1: the significand itself is divided.
        let bits: DcLong = if i == 0 { 0 } else { steps.clamp(0, 52) };
        steps -= bits;
        let dividend = rest * DcDouble::from_bits((bits + 1023) << 52);
        let times = (dividend / divisor).trunc();
        let left = (-times).mul_add(divisor, dividend);
        rest = (left < 0.0).select(left + divisor, left);
    }
    // In two steps, as the power may be no number. The first is exact, and so is the remainder.
    let exponent = low - 1075;
    let most = exponent.max(-1022);
    let exact = rest
        * DcDouble::from_bits((most + 1023) << 52)
        * DcDouble::from_bits((exponent - most + 1023) << 52);
    let nonzero = (a == 0.0).select(a, exact.copysign(a));
    let far = (less || b.abs() == f64::INFINITY).select(a, nonzero);
    let none = !(a.abs() < f64::INFINITY) || b == 0.0 || b.is_nan();
    none.select(f64::NAN, far)
}

/// `f64::rem_euclid`
#[crunch]
pub fn rem_euclid_f64(a: DcDouble, b: DcDouble) -> DcDouble {
    let rest = rem_f64(a, b);
    (rest < 0.0).select(rest + b.abs(), rest)
}

/// `f64::div_euclid`
#[crunch]
pub fn div_euclid_f64(a: DcDouble, b: DcDouble) -> DcDouble {
    let whole = (a / b).trunc();
    let step: DcDouble = (b > 0.0).select(1.0, -1.0);
    (rem_f64(a, b) < 0.0).select(whole - step, whole)
}

// --- order

/// The bits of a number as an integer in the order of `f64::total_cmp`.
#[crunch]
pub fn order_f64(x: DcDouble) -> DcLong {
    let bits = x.to_bits();
    bits ^ (bits >> 63).shr_logical(1)
}
/// The same as `order_f64`.
#[crunch]
pub fn order_f32(x: DcFloat) -> DcInt {
    let bits = x.to_bits();
    bits ^ (bits >> 31).shr_logical(1)
}

/// `f64::classify`: 0 for NaN, 1 for an infinity, 2 for a zero, 3 for a subnormal, 4 for a normal number.
#[crunch]
pub fn classify_f64(x: DcDouble) -> DcInt {
    let size = x.abs();
    let finite: DcInt = (size == 0.0).select(2, (size < f64::MIN_POSITIVE).select(3, 4));
    x.is_nan()
        .select(0, (size == f64::INFINITY).select(1, finite))
}
/// The same as `classify_f64`.
#[crunch]
pub fn classify_f32(x: DcFloat) -> DcInt {
    let size = x.abs();
    let finite: DcInt = (size == 0.0).select(2, (size < f32::MIN_POSITIVE).select(3, 4));
    x.is_nan()
        .select(0, (size == f32::INFINITY).select(1, finite))
}
