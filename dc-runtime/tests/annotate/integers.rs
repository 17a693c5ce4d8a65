//! Integers: unsigned ones, casts, and the methods that count bits.

use crate::compare::agree;
use dc_runtime::prelude::crunch;

#[crunch]
fn unsigned(a: u32, b: u32) -> u32 {
    let mut x = a >> 3;
    if a < b {
        x |= 0x8000_0000;
    }
    if x >= b {
        x ^= b << 5;
    }
    x.max(b).min(0xf000_0000) | (a > 0x7fff_ffff) as u32
}

#[crunch]
fn unsigned64(a: u64, b: u64) -> u64 {
    let x = a >> 3;
    if a <= b {
        return x.clamp(5, 0xf000_0000_0000_0000);
    }
    (b >> (a & 63))
        .wrapping_mul(x)
        .wrapping_add((a as u32) as u64)
}

#[crunch]
fn quotients(a: i32, b: i32) -> (i32, i32) {
    (a / b, a % b)
}
#[crunch]
fn quotients_u32(a: u32, b: u32) -> (u32, u32) {
    (a / b, a % b)
}
#[crunch]
fn quotients_i64(a: i64, b: i64) -> (i64, i64) {
    (a / b, a % b)
}
#[crunch]
fn quotients_u64(a: u64, b: u64) -> (u64, u64) {
    (a / b, a % b)
}

#[crunch]
fn from_float(x: f32) -> (u32, u64, i32, i64) {
    (x as u32, x as u64, x as i32, x as i64)
}
#[crunch]
fn from_double(x: f64) -> (u32, u64, i32, i64) {
    (x as u32, x as u64, x as i32, x as i64)
}
#[crunch]
fn from_double_narrow(x: f64) -> (i32, i32, i32, i32) {
    (
        (x as u8).into(),
        (x as i8).into(),
        i32::from(x as u16),
        x as i16 as i32,
    )
}
#[crunch]
fn to_float(a: u32, b: u64) -> (f32, f64, f32, f64) {
    (a as f32, a as f64, b as f32, b as f64)
}
#[crunch]
fn to_float_signed(a: i32, b: i64) -> (f32, f64, f32, f64) {
    (a as f32, f64::from(a), b as f32, b as f64)
}
#[crunch]
fn resized(a: i32, b: u32) -> (i64, u64, u64, i32) {
    (a as i64, a as u64, b as u64, b as i32)
}
#[crunch]
fn narrow(a: u32) -> (u32, i32, u32, i64) {
    let byte = a as u8;
    let short = (a >> 4) as i16;
    (
        (byte.wrapping_add(200) >> 1) as u32,
        short.wrapping_mul(3) as i32,
        !byte as u32,
        (short as i64) << 40,
    )
}
#[crunch]
fn counted(a: u32, b: u64) -> (u32, u32, u32, u32) {
    (
        a.count_ones(),
        a.leading_zeros(),
        b.trailing_zeros(),
        b.leading_zeros(),
    )
}
#[crunch]
fn counted_more(a: u32, b: u64) -> (u32, u32, u32, bool) {
    (
        a.trailing_zeros(),
        b.count_ones(),
        (a as u8).leading_zeros(),
        b.is_power_of_two(),
    )
}
#[crunch]
fn rotated(a: u32, b: u64) -> (u32, u64, u32, u64) {
    (
        a.rotate_left(7),
        b.rotate_right(a & 63),
        a.rotate_right((b & 31) as u32),
        b.rotate_left(40),
    )
}
#[crunch]
fn magnitudes(a: i32, b: i32) -> (u32, u32, i32, bool) {
    (a.unsigned_abs(), a.abs_diff(b), b.signum(), a.is_negative())
}
#[crunch]
fn magnitudes_u(a: u64, b: u64) -> (u64, i64) {
    (a.abs_diff(b), (a as i64).wrapping_abs())
}
#[crunch]
fn wrapping(a: i32, b: i32) -> (i32, i32, i32, i32) {
    (
        a.wrapping_add(b),
        a.wrapping_mul(b).wrapping_neg(),
        a.wrapping_shl(b as u32),
        (a as u32).wrapping_shr(b as u32) as i32,
    )
}
#[crunch]
fn bits_of(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = ((bits >> 23) & 0xff) as i32 - 127;
    let mantissa = bits & 0x007f_ffff;
    if exponent > 10 {
        return f32::from_bits(mantissa | 0x3f80_0000);
    }
    exponent as f32 + mantissa as f32 * (-23f32).to_radians()
}

#[test]
fn unsigned_integers() {
    agree!(unsigned, (u32, u32));
    agree!(unsigned64, (u64, u64));
}

#[test]
fn division() {
    agree!(quotients, (i32, i32), if |(a, b)| b != 0 && a.checked_div(b).is_some());
    agree!(quotients_u32, (u32, u32), if |(_, b)| b != 0);
    agree!(quotients_i64, (i64, i64), if |(a, b)| b != 0 && a.checked_div(b).is_some());
    agree!(quotients_u64, (u64, u64), if |(_, b)| b != 0);
}

#[test]
fn casts() {
    agree!(from_float, (f32));
    agree!(from_double, (f64));
    agree!(from_double_narrow, (f64));
    agree!(to_float, (u32, u64));
    agree!(to_float_signed, (i32, i64));
    agree!(resized, (i32, u32));
    agree!(narrow, (u32));
}

#[test]
fn bits() {
    agree!(counted, (u32, u64));
    agree!(counted_more, (u32, u64));
    agree!(rotated, (u32, u64));
    agree!(magnitudes, (i32, i32));
    agree!(magnitudes_u, (u64, u64));
    agree!(wrapping, (i32, i32));
    agree!(bits_of, (f32), if |(x,)| !x.is_nan());
}
