//! Integers that overflow, upper products, powers, roots and bytes.

use super::u32_to_f64;
use crate::prelude::*;

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
/// The same as `high_u64`, for signed numbers.
#[crunch]
pub fn high_i64(a: DcLong, b: DcLong) -> DcLong {
    high_u64(a, b) - ((a >> 63) & b) - ((b >> 63) & a)
}

/// `i32::wrapping_pow`, also for narrow and unsigned integers.
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

/// `u32::isqrt`: the error of the square root in binary64 is smaller than its distance from the next integer.
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
