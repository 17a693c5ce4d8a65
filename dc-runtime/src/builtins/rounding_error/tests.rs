//! Verdicts against roundings by other means: rustc's conversions for binary32, all numbers of a format for 16 bits.

use super::*;
use crate::DoubleDouble;
use crate::builtins::eft::two_sum;
use crate::model::stored::Format;

const MISROUNDED: i64 = 1;
const NAN: i64 = 2;
const INFINITY_FLAG: i64 = 4;
const ZERO_SIGN: i64 = 8;
const EXCLUDED: i64 = 16;
const UNDECIDED: i64 = 32;

fn f32_flags(result: f32, hi: f64, lo: f64, radius: f64) -> i64 {
    rounding_error_f32::eval(7, result, DoubleDouble { hi, lo }, radius.to_bits() as i64).2
}

/// A conversion is right where the result is rustc's, and its neighbours are wrong.
#[test]
fn conversions_to_binary32_are_judged_as_rustc_rounds() {
    let mut bits = 1u64;
    for i in 0..200_000u32 {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // Exponents around those of binary32; half of the numbers are exact ties or beside one.
        let exponent = 1023 - 155 + u64::from(i % 290);
        let fraction = match i % 4 {
            0 => (bits >> 12) & !((1 << 29) - 1) | 1 << 28,
            1 => ((bits >> 12) & !((1 << 29) - 1) | 1 << 28) - 1,
            2 => (bits >> 12) & !((1 << 29) - 1) | 1 << 28 | 1,
            _ => bits >> 12,
        };
        let x = f64::from_bits((bits & 1) << 63 | exponent << 52 | fraction);
        let rounded = x as f32;
        let right = f32_flags(rounded, x, 0.0, 0.0);
        assert_eq!(right & !EXCLUDED, 0, "{x:e} to {rounded:e}");
        assert_eq!(right & EXCLUDED != 0, rounded.is_infinite(), "{x:e}");
        for next in [rounded.next_up(), rounded.next_down()] {
            if next != rounded && next.is_sign_negative() == x.is_sign_negative() {
                assert_eq!(
                    f32_flags(next, x, 0.0, 0.0) & MISROUNDED,
                    1,
                    "{x:e} to {next:e}"
                );
            }
        }
    }
}

/// Integers of 64 bits, in two words: the second decides where the first is a tie.
#[test]
fn the_second_word_decides() {
    for n in [
        0x8234_5080_0000_0001_u64,
        0x8234_5080_0000_0000,
        0x8234_507f_ffff_ffff,
        u64::MAX,
        (1 << 63) | (1 << 39),
        (1 << 63) | (1 << 39) | 1,
        (1 << 40) - 1,
    ] {
        let (high, low) = ((n >> 32) as f64 * 4_294_967_296.0, (n & 0xffff_ffff) as f64);
        let DoubleDouble { hi, lo } = two_sum::eval(high, low);
        let rounded = n as f32;
        assert_eq!(f32_flags(rounded, hi, lo, 0.0), 0, "{n:x}");
        let other = if (hi as f32) == rounded {
            rounded.next_up()
        } else {
            hi as f32
        };
        assert_eq!(f32_flags(other, hi, lo, 0.0), MISROUNDED, "{n:x}");
        assert_eq!(f32_flags(-rounded, -hi, -lo, 0.0), 0, "-{n:x}");
    }
    let double = 0x8234_5080_0000_0001_u64 as f64 as f32;
    assert_ne!(double, 0x8234_5080_0000_0001_u64 as f32, "rounded twice");
}

/// Integers of 64 bits that are halfway between two doubles, and beside it.
#[test]
fn integers_to_binary64_are_judged_as_rustc_rounds() {
    let flags = |result: f64, n: i64| {
        let hi = n as f64;
        let lo = (i128::from(n) - hi as i128) as f64;
        rounding_error_f64::eval(7, result, DoubleDouble { hi, lo }, 0).2
    };
    for base in [
        1i64 << 53,
        1 << 54,
        1 << 60,
        i64::MAX - 4096,
        (1 << 62) | (1 << 9),
    ] {
        for n in (base - 1030..base + 1030).flat_map(|n| [n, -n]) {
            let right = n as f64;
            assert_eq!(flags(right, n), 0, "{n}");
            for wrong in [right.next_up(), right.next_down()] {
                assert_eq!(flags(wrong, n), MISROUNDED, "{n} {wrong:e}");
            }
        }
    }
}

/// Every number of a format, at every halfway point and beside it.
#[test]
fn results_of_16_bits_are_judged_at_every_halfway_point() {
    for format in [Format::Half, Format::Bfloat] {
        let value = |bits: u16| f64::from(f32::from_bits(format.widened(bits)));
        let infinite = match format {
            Format::Half => 0x7c00,
            Format::Bfloat => 0x7f80,
        };
        let flags = |result: u16, hi: f64, lo: f64| {
            let result = f32::from_bits(format.widened(result));
            let reference = DoubleDouble { hi, lo };
            match format {
                Format::Half => rounding_error_half::eval(7, result, reference, 0).2,
                Format::Bfloat => rounding_error_bfloat::eval(7, result, reference, 0).2,
            }
        };
        for low in 0..infinite {
            let high = low + 1;
            // Infinity stands where the next number would be.
            let top = if high == infinite {
                2.0 * value(low) - value(low - 1)
            } else {
                value(high)
            };
            let middle = (value(low) + top) / 2.0;
            let least = middle * 2f64.powi(-80);
            let even = if low % 2 == 0 { low } else { high };
            for (hi, lo, right) in [
                (middle, 0.0, even),
                (middle, -least, low),
                (middle, least, high),
                (middle.next_down(), 0.0, low),
                (middle.next_up(), 0.0, high),
                (value(low), 0.0, low),
            ] {
                let wrong = if right == low { high } else { low };
                for (sign, s) in [(0u16, 1.0), (0x8000, -1.0)] {
                    let of = |result: u16| flags(result | sign, s * hi, s * lo);
                    assert_eq!(of(right) & MISROUNDED, 0, "{low:x} {hi:e} {lo:e}");
                    assert_eq!(of(wrong) & MISROUNDED, MISROUNDED, "{low:x} {hi:e} {lo:e}");
                }
            }
        }
    }
}

#[test]
fn special_values() {
    let (nan, infinity) = (f64::NAN, f64::INFINITY);
    assert_eq!(f32_flags(f32::NAN, nan, 0.0, 0.0), EXCLUDED);
    assert_eq!(f32_flags(1.0, nan, 0.0, 0.0), EXCLUDED | NAN | MISROUNDED);
    assert_eq!(
        f32_flags(f32::NAN, 1.0, 0.0, 0.0),
        EXCLUDED | NAN | MISROUNDED
    );
    assert_eq!(f32_flags(f32::INFINITY, infinity, 0.0, 0.0), EXCLUDED);
    // Words beside an infinity or a NaN mean nothing.
    assert_eq!(f32_flags(f32::INFINITY, infinity, nan, 0.0), EXCLUDED);
    let faulty = EXCLUDED | INFINITY_FLAG | MISROUNDED;
    assert_eq!(f32_flags(f32::MAX, infinity, 0.0, 0.0), faulty);
    assert_eq!(f32_flags(-f32::INFINITY, infinity, 0.0, 0.0), faulty);
    assert_eq!(f32_flags(f32::INFINITY, 1.0, 0.0, 0.0), faulty);
    // Half of the least number is a tie, and rounds to the zero of its sign.
    let half = f64::from(f32::from_bits(1)) / 2.0;
    assert_eq!(f32_flags(0.0, half, 0.0, 0.0), 0);
    assert_eq!(f32_flags(-0.0, half, 0.0, 0.0), ZERO_SIGN);
    assert_eq!(f32_flags(-0.0, -0.0, 0.0, 0.0), 0);
    assert_eq!(f32_flags(0.0, -0.0, 0.0, 0.0), ZERO_SIGN);
    assert_eq!(f32_flags(0.0, half.next_up(), 0.0, 0.0), MISROUNDED);
    // A radius that reaches the tie leaves it undecided, one that does not, decides; an unknown value has no error.
    let tie = 1.0 + 2f64.powi(-24);
    assert_eq!(f32_flags(1.0, tie, 0.0, 1e-30), UNDECIDED);
    assert_eq!(f32_flags(1.0, tie, 1e-25, 1e-30), MISROUNDED);
    assert_eq!(f32_flags(1.0, tie, -1e-25, 1e-30), 0);
    assert_eq!(f32_flags(1.0, 1.0, 0.0, infinity), EXCLUDED | UNDECIDED);
}
