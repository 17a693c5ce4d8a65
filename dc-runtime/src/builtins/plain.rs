//! Operations that plain functions need and kernels do not have: unsigned integers, division, and the standard library's
//! methods with Rust's meaning. `#[crunch]` on a plain function writes calls of these.
//!
//! Unsigned integers are the bits of signed lanes.

use crate::prelude::*;
pub use overflow::*;
pub use remainder::*;

mod overflow;
mod remainder;

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

/// A `u64` shifted to 63 bits, with its last bit set if any bit is lost. Doubled, it is rounded like the number itself.
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

/// The same as `f64_to_u32`.
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

/// The same as `f64_to_u64`.
#[crunch]
pub fn f32_to_u64(x: DcFloat) -> DcLong {
    f64_to_u64(x.to_f64())
}

// --- floats

/// `f64::min`: if one number is NaN, the other one.
#[crunch]
pub fn min_f64(a: DcDouble, b: DcDouble) -> DcDouble {
    a.is_nan().select(b, b.min(a))
}

/// `f64::max`: if one number is NaN, the other one.
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

/// `f64::midpoint`, as in the standard library: the sum may overflow, and halves of small numbers are inexact.
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

/// The same as `abs_i32`.
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

/// `a / b` of `i32`. The quotient of the doubles has an error below 2^-21. A quotient that is not an integer is farther from the next
/// integer than its error, so its integer part is exact. Division by zero gives 0 or an end of the range.
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

/// `a / b` of `u64`. A quotient in binary64 has an error below 2^13, so the remainder is divided again. The second quotient has an error of
/// at most one. A divisor of at least 2^62 is subtracted instead.
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
