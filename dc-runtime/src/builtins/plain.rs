//! What plain functions need and kernels do not have as an operation: unsigned integers, division, and the standard library's
//! methods with Rust's meaning. `#[crunch]` on a plain function writes calls of these.
//!
//! Unsigned integers are the bits of signed lanes.

use crate::prelude::*;

// --- conversions

/// `x as f64` of a `u32`: exact.
#[crunch]
pub fn u32_to_f64(x: DcInt) -> DcDouble {
    (x.to_i64() & 0xffff_ffff).to_f64()
}

/// `x as f32` of a `u32`: rounded once.
#[crunch]
pub fn u32_to_f32(x: DcInt) -> DcFloat {
    (x.to_i64() & 0xffff_ffff).to_f32()
}

/// A `u64` of 63 bits with one bit more that is set if any bit is lost: it is rounded as the number itself, doubled.
#[crunch]
fn half_to_odd(x: DcLong) -> DcLong {
    x.shr_logical(1) | (x & 1)
}

/// `x as f64` of a `u64`: rounded once.
#[crunch]
pub fn u64_to_f64(x: DcLong) -> DcDouble {
    (x < 0).select(half_to_odd(x).to_f64() * 2.0, x.to_f64())
}

/// `x as f32` of a `u64`: rounded once.
#[crunch]
pub fn u64_to_f32(x: DcLong) -> DcFloat {
    (x < 0).select(half_to_odd(x).to_f32() * 2.0, x.to_f32())
}

/// `x as u32`: toward zero, to the nearest end of the range; NaN gives 0.
#[crunch]
pub fn f64_to_u32(x: DcDouble) -> DcInt {
    x.to_i64().clamp(0, 0xffff_ffff).to_i32()
}

/// As `f64_to_u32`.
#[crunch]
pub fn f32_to_u32(x: DcFloat) -> DcInt {
    x.to_i64().clamp(0, 0xffff_ffff).to_i32()
}

/// `x as u64`: toward zero, to the nearest end of the range; NaN gives 0.
#[crunch]
pub fn f64_to_u64(x: DcDouble) -> DcLong {
    // From 2^63 on the difference is exact.
    let upper = (x - 9_223_372_036_854_775_808.0).to_i64() ^ i64::MIN;
    let lower = x.to_i64().max(0);
    let in_range = (x >= 9_223_372_036_854_775_808.0).select(upper, lower);
    (x >= 18_446_744_073_709_551_616.0).select(-1, in_range)
}

/// As `f64_to_u64`.
#[crunch]
pub fn f32_to_u64(x: DcFloat) -> DcLong {
    f64_to_u64(x.to_f64())
}

// --- floats

/// `f64::min`: the other number where one is NaN.
#[crunch]
pub fn min_f64(a: DcDouble, b: DcDouble) -> DcDouble {
    a.is_nan().select(b, b.min(a))
}

/// `f64::max`: the other number where one is NaN.
#[crunch]
pub fn max_f64(a: DcDouble, b: DcDouble) -> DcDouble {
    a.is_nan().select(b, b.max(a))
}

/// `f32::min`
#[crunch]
pub fn min_f32(a: DcFloat, b: DcFloat) -> DcFloat {
    a.is_nan().select(b, b.min(a))
}

/// `f32::max`
#[crunch]
pub fn max_f32(a: DcFloat, b: DcFloat) -> DcFloat {
    a.is_nan().select(b, b.max(a))
}

/// `f64::round`: to the nearest integer, ties away from zero.
#[crunch]
pub fn round_f64(x: DcDouble) -> DcDouble {
    let one: DcDouble = 1.0;
    let whole = x.trunc();
    // The difference is exact.
    ((x - whole).abs() >= 0.5).select(whole + one.copysign(x), whole)
}

/// `f32::round`
#[crunch]
pub fn round_f32(x: DcFloat) -> DcFloat {
    let one: DcFloat = 1.0;
    let whole = x.trunc();
    ((x - whole).abs() >= 0.5).select(whole + one.copysign(x), whole)
}

/// `f64::fract`
#[crunch]
pub fn fract_f64(x: DcDouble) -> DcDouble {
    x - x.trunc()
}

/// `f32::fract`
#[crunch]
pub fn fract_f32(x: DcFloat) -> DcFloat {
    x - x.trunc()
}

/// `f64::signum`
#[crunch]
pub fn signum_f64(x: DcDouble) -> DcDouble {
    let one: DcDouble = 1.0;
    x.is_nan().select(x, one.copysign(x))
}

/// `f32::signum`
#[crunch]
pub fn signum_f32(x: DcFloat) -> DcFloat {
    let one: DcFloat = 1.0;
    x.is_nan().select(x, one.copysign(x))
}

/// `f64::is_normal`
#[crunch]
pub fn is_normal_f64(x: DcDouble) -> DcMask {
    x.abs() >= f64::MIN_POSITIVE && x.abs() < f64::INFINITY
}

/// `f32::is_normal`
#[crunch]
pub fn is_normal_f32(x: DcFloat) -> DcMask {
    x.abs() >= f32::MIN_POSITIVE && x.abs() < f32::INFINITY
}

/// `f64::is_subnormal`
#[crunch]
pub fn is_subnormal_f64(x: DcDouble) -> DcMask {
    x != 0.0 && x.abs() < f64::MIN_POSITIVE
}

/// `f32::is_subnormal`
#[crunch]
pub fn is_subnormal_f32(x: DcFloat) -> DcMask {
    x != 0.0 && x.abs() < f32::MIN_POSITIVE
}

/// `f64::midpoint`, as the standard library has it: the sum may overflow, and halves of small numbers are not exact.
#[crunch]
pub fn midpoint_f64(a: DcDouble, b: DcDouble) -> DcDouble {
    let most = f64::MAX / 2.0;
    let least = f64::MIN_POSITIVE * 2.0;
    let (size_a, size_b) = (a.abs(), b.abs());
    if size_a <= most && size_b <= most {
        (a + b) / 2.0
    } else if size_a < least {
        a + b / 2.0
    } else if size_b < least {
        a / 2.0 + b
    } else {
        a / 2.0 + b / 2.0
    }
}

/// `f32::midpoint`
#[crunch]
pub fn midpoint_f32(a: DcFloat, b: DcFloat) -> DcFloat {
    ((a.to_f64() + b.to_f64()) / 2.0).to_f32()
}

// --- integers

/// The magnitude: `wrapping_abs`, `unsigned_abs`.
#[crunch]
pub fn abs_i32(x: DcInt) -> DcInt {
    x.max(-x)
}

/// As `abs_i32`.
#[crunch]
pub fn abs_i64(x: DcLong) -> DcLong {
    x.max(-x)
}

/// `i32::signum`
#[crunch]
pub fn signum_i32(x: DcInt) -> DcInt {
    x.clamp(-1, 1)
}

/// `i64::signum`
#[crunch]
pub fn signum_i64(x: DcLong) -> DcLong {
    x.clamp(-1, 1)
}

/// `i32::abs_diff`
#[crunch]
pub fn abs_diff_i32(a: DcInt, b: DcInt) -> DcInt {
    a.max(b) - a.min(b)
}

/// `i64::abs_diff`
#[crunch]
pub fn abs_diff_i64(a: DcLong, b: DcLong) -> DcLong {
    a.max(b) - a.min(b)
}

/// `u32::rotate_left`
#[crunch]
pub fn rotate_left_i32(x: DcInt, n: DcInt) -> DcInt {
    // Amounts count modulo the width, so 32 - 0 is 0.
    (x << n) | x.shr_logical(32 - n)
}

/// `u32::rotate_right`
#[crunch]
pub fn rotate_right_i32(x: DcInt, n: DcInt) -> DcInt {
    x.shr_logical(n) | (x << (32 - n))
}

/// `u64::rotate_left`
#[crunch]
pub fn rotate_left_i64(x: DcLong, n: DcLong) -> DcLong {
    (x << n) | x.shr_logical(64 - n)
}

/// `u64::rotate_right`
#[crunch]
pub fn rotate_right_i64(x: DcLong, n: DcLong) -> DcLong {
    x.shr_logical(n) | (x << (64 - n))
}

/// `u32::count_ones`: in pairs, in fours, in bytes, and the sum of the bytes.
#[crunch]
pub fn count_ones_i32(x: DcInt) -> DcInt {
    let pairs = x - (x.shr_logical(1) & 0x5555_5555);
    let fours = (pairs & 0x3333_3333) + (pairs.shr_logical(2) & 0x3333_3333);
    let bytes = (fours + fours.shr_logical(4)) & 0x0f0f_0f0f;
    (bytes * 0x0101_0101).shr_logical(24)
}

/// `u64::count_ones`
#[crunch]
pub fn count_ones_i64(x: DcLong) -> DcInt {
    count_ones_i32(x.to_i32()) + count_ones_i32(x.shr_logical(32).to_i32())
}

/// `u32::leading_zeros`: the highest one is spread to all bits below it.
#[crunch]
pub fn leading_zeros_i32(x: DcInt) -> DcInt {
    let a = x | x.shr_logical(1);
    let b = a | a.shr_logical(2);
    let c = b | b.shr_logical(4);
    let d = c | c.shr_logical(8);
    count_ones_i32(!(d | d.shr_logical(16)))
}

/// `u64::leading_zeros`
#[crunch]
pub fn leading_zeros_i64(x: DcLong) -> DcInt {
    let high = x.shr_logical(32).to_i32();
    (high == 0).select(32 + leading_zeros_i32(x.to_i32()), leading_zeros_i32(high))
}

/// `u32::trailing_zeros`: the zeros below the lowest one.
#[crunch]
pub fn trailing_zeros_i32(x: DcInt) -> DcInt {
    count_ones_i32(!x & (x - 1))
}

/// `u64::trailing_zeros`
#[crunch]
pub fn trailing_zeros_i64(x: DcLong) -> DcInt {
    count_ones_i64(!x & (x - 1))
}

// --- division

/// `a / b` of `i32`. The quotient of the doubles is off by less than 2^-21, and a quotient that is no integer is farther from the
/// next one than that times the divisor allows: its integer part is exact. By zero it is 0 or an end of the range.
#[crunch]
pub fn div_i32(a: DcInt, b: DcInt) -> DcInt {
    // The one quotient beyond the range wraps, as `wrapping_div` does.
    (a.to_f64() / b.to_f64()).to_i64().to_i32()
}

/// `a % b` of `i32`
#[crunch]
pub fn rem_i32(a: DcInt, b: DcInt) -> DcInt {
    a - div_i32(a, b) * b
}

/// `a / b` of `u32`
#[crunch]
pub fn div_u32(a: DcInt, b: DcInt) -> DcInt {
    (u32_to_f64(a) / u32_to_f64(b)).to_i64().to_i32()
}

/// `a % b` of `u32`
#[crunch]
pub fn rem_u32(a: DcInt, b: DcInt) -> DcInt {
    a - div_u32(a, b) * b
}

/// `a / b` of `u64`. A quotient in binary64 is off by less than 2^13, and what is left is divided again: that quotient is off by at
/// most one. A divisor of at least 2^62 is subtracted.
#[crunch]
pub fn div_u64(a: DcLong, b: DcLong) -> DcLong {
    let divisor = u64_to_f64(b);
    let first = f64_to_u64(u64_to_f64(a) / divisor);
    let left = a - first * b;
    let second = (left.to_f64() / divisor).to_i64();
    let rest = left - second * b;
    let one: DcLong = 1;
    let more = (rest >= b).select(one, 0) - (rest < 0).select(one, 0);
    let small = first + second + more;
    // The double has no 65th bit where it is less than 2^64.
    let twice = b << 1;
    let has_two = b > 0 && (a ^ i64::MIN) >= (twice ^ i64::MIN);
    let after = has_two.select(a - twice, a);
    let has_one = (after ^ i64::MIN) >= (b ^ i64::MIN);
    let large = has_two.select(one + one, 0) + has_one.select(one, 0);
    (b.shr_logical(62) == 0).select(small, large)
}

/// `a % b` of `u64`
#[crunch]
pub fn rem_u64(a: DcLong, b: DcLong) -> DcLong {
    a - div_u64(a, b) * b
}

/// `a / b` of `i64`
#[crunch]
pub fn div_i64(a: DcLong, b: DcLong) -> DcLong {
    let quotient = div_u64(abs_i64(a), abs_i64(b));
    ((a ^ b) < 0).select(-quotient, quotient)
}

/// `a % b` of `i64`
#[crunch]
pub fn rem_i64(a: DcLong, b: DcLong) -> DcLong {
    a - div_i64(a, b) * b
}

// --- overflow

/// `i32::overflowing_add`: the sum, and whether it has wrapped.
#[crunch]
pub fn overflowing_add_i32(a: DcInt, b: DcInt) -> (DcInt, DcMask) {
    let sum = a + b;
    (sum, ((a ^ sum) & (b ^ sum)) < 0)
}
/// `u32::overflowing_add`
#[crunch]
pub fn overflowing_add_u32(a: DcInt, b: DcInt) -> (DcInt, DcMask) {
    let sum = a + b;
    (sum, (sum ^ i32::MIN) < (a ^ i32::MIN))
}
/// `i64::overflowing_add`
#[crunch]
pub fn overflowing_add_i64(a: DcLong, b: DcLong) -> (DcLong, DcMask) {
    let sum = a + b;
    (sum, ((a ^ sum) & (b ^ sum)) < 0)
}
/// `u64::overflowing_add`
#[crunch]
pub fn overflowing_add_u64(a: DcLong, b: DcLong) -> (DcLong, DcMask) {
    let sum = a + b;
    (sum, (sum ^ i64::MIN) < (a ^ i64::MIN))
}

/// `i32::overflowing_sub`
#[crunch]
pub fn overflowing_sub_i32(a: DcInt, b: DcInt) -> (DcInt, DcMask) {
    let difference = a - b;
    (difference, ((a ^ b) & (a ^ difference)) < 0)
}
/// `u32::overflowing_sub`
#[crunch]
pub fn overflowing_sub_u32(a: DcInt, b: DcInt) -> (DcInt, DcMask) {
    (a - b, (a ^ i32::MIN) < (b ^ i32::MIN))
}
/// `i64::overflowing_sub`
#[crunch]
pub fn overflowing_sub_i64(a: DcLong, b: DcLong) -> (DcLong, DcMask) {
    let difference = a - b;
    (difference, ((a ^ b) & (a ^ difference)) < 0)
}
/// `u64::overflowing_sub`
#[crunch]
pub fn overflowing_sub_u64(a: DcLong, b: DcLong) -> (DcLong, DcMask) {
    (a - b, (a ^ i64::MIN) < (b ^ i64::MIN))
}

/// `i32::overflowing_mul`
#[crunch]
pub fn overflowing_mul_i32(a: DcInt, b: DcInt) -> (DcInt, DcMask) {
    let product = a.to_i64() * b.to_i64();
    let low = product.to_i32();
    (low, low.to_i64() != product)
}
/// `u32::overflowing_mul`
#[crunch]
pub fn overflowing_mul_u32(a: DcInt, b: DcInt) -> (DcInt, DcMask) {
    let product = (a.to_i64() & 0xffff_ffff) * (b.to_i64() & 0xffff_ffff);
    (product.to_i32(), product.shr_logical(32) != 0)
}
/// `i64::overflowing_mul`
#[crunch]
pub fn overflowing_mul_i64(a: DcLong, b: DcLong) -> (DcLong, DcMask) {
    let product = a * b;
    (product, high_i64(a, b) != product >> 63)
}
/// `u64::overflowing_mul`
#[crunch]
pub fn overflowing_mul_u64(a: DcLong, b: DcLong) -> (DcLong, DcMask) {
    (a * b, high_u64(a, b) != 0)
}

/// The upper half of a product of 128 bits.
#[crunch]
pub fn high_u64(a: DcLong, b: DcLong) -> DcLong {
    let (a0, a1) = (a & 0xffff_ffff, a.shr_logical(32));
    let (b0, b1) = (b & 0xffff_ffff, b.shr_logical(32));
    // Each sum has less than 64 bits.
    let first = a1 * b0 + (a0 * b0).shr_logical(32);
    let second = a0 * b1 + (first & 0xffff_ffff);
    a1 * b1 + first.shr_logical(32) + second.shr_logical(32)
}
/// As `high_u64`, of signed numbers.
#[crunch]
pub fn high_i64(a: DcLong, b: DcLong) -> DcLong {
    high_u64(a, b) - ((a >> 63) & b) - ((b >> 63) & a)
}

/// `i32::wrapping_pow`, of narrow and unsigned integers, too.
#[crunch]
pub fn pow_i32(x: DcInt, exponent: DcInt) -> DcInt {
    let mut power: DcInt = 1;
    let mut square = x;
    for i in 0..32 {
        power = ((exponent.shr_logical(i) & 1) != 0).select(power * square, power);
        square = square * square;
    }
    power
}
/// `i64::wrapping_pow`
#[crunch]
pub fn pow_i64(x: DcLong, exponent: DcInt) -> DcLong {
    let mut power: DcLong = 1;
    let mut square = x;
    for i in 0..32 {
        power = ((exponent.shr_logical(i) & 1) != 0).select(power * square, power);
        square = square * square;
    }
    power
}

/// `u32::isqrt`: the square root in binary64 is off by less than what separates it from the next integer.
#[crunch]
pub fn isqrt_u32(x: DcInt) -> DcInt {
    u32_to_f64(x).sqrt().to_i32()
}

/// `u32::swap_bytes`
#[crunch]
pub fn swap_bytes_i32(x: DcInt) -> DcInt {
    let pairs = (x.shr_logical(8) & 0x00ff_00ff) | ((x & 0x00ff_00ff) << 8);
    pairs.shr_logical(16) | (pairs << 16)
}
/// `u64::swap_bytes`
#[crunch]
pub fn swap_bytes_i64(x: DcLong) -> DcLong {
    let low = swap_bytes_i32(x.to_i32()).to_i64();
    (low << 32) | (swap_bytes_i32(x.shr_logical(32).to_i32()).to_i64() & 0xffff_ffff)
}
/// `u32::reverse_bits`
#[crunch]
pub fn reverse_bits_i32(x: DcInt) -> DcInt {
    let ones = (x.shr_logical(1) & 0x5555_5555) | ((x & 0x5555_5555) << 1);
    let twos = (ones.shr_logical(2) & 0x3333_3333) | ((ones & 0x3333_3333) << 2);
    let fours = (twos.shr_logical(4) & 0x0f0f_0f0f) | ((twos & 0x0f0f_0f0f) << 4);
    swap_bytes_i32(fours)
}
/// `u64::reverse_bits`
#[crunch]
pub fn reverse_bits_i64(x: DcLong) -> DcLong {
    let low = reverse_bits_i32(x.to_i32()).to_i64();
    (low << 32) | (reverse_bits_i32(x.shr_logical(32).to_i32()).to_i64() & 0xffff_ffff)
}

// --- remainders of floats

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

/// `a % b` of `f32`: exact. The quotient is taken 28 bits at a time, and what is left after each is exact in binary64: the divisor
/// has 24 bits and so has what is divided, or its lowest bit is that of the divisor.
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

/// `a % b` of `f64`: exact. Of the integers that the significands are, the remainder is multiplied by up to 2^52 and divided again,
/// until the difference of the exponents is used up. A quotient is at most one too large, and the fused difference is exact.
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
/// As `order_f64`.
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
/// As `classify_f64`.
#[crunch]
pub fn classify_f32(x: DcFloat) -> DcInt {
    let size = x.abs();
    let finite: DcInt = (size == 0.0).select(2, (size < f32::MIN_POSITIVE).select(3, 4));
    x.is_nan()
        .select(0, (size == f32::INFINITY).select(1, finite))
}
