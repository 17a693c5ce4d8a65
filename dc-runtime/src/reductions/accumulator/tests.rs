//! Exact sums, compared with integers of any size.

use super::*;
use crate::model::pairs::{below, word};
use dashu_int::IBig;

/// A double times 2^1074.
fn integer(x: f64) -> IBig {
    let (m, e) = parts(x);
    let size = IBig::from(m) << (e + 1074) as usize;
    if x.is_sign_negative() { -size } else { size }
}

/// A sum times 2^2148.
fn value(sum: &Accumulator) -> IBig {
    let mut all = IBig::ZERO;
    for (i, word) in sum.abs().0.iter().enumerate() {
        all += IBig::from(*word) << (64 * i);
    }
    if sum.is_negative() { -all } else { all }
}

/// A finite double: any, an extreme one, or one near 1.
fn number(random: &mut u64) -> f64 {
    let bits = word(random);
    let x = match below(4, random) {
        0 => f64::from_bits(bits),
        1 => f64::from_bits(bits & (1 << 63 | 3 << 50 | 7)),
        2 => f64::from_bits(bits | 0x7fe << 52 & !(1 << 52)),
        _ => f64::from_bits(bits >> 12 | 0x3ff << 52 | bits << 63),
    };
    match x.is_finite() {
        true => x,
        false => [0.0, -0.0, f64::MAX, f64::MIN, 5e-324][below(5, random) as usize],
    }
}

#[test]
fn sums_are_those_of_integers() {
    let random = &mut 1;
    for _ in 0..400 {
        let (mut sum, mut want) = (Accumulator::ZERO, IBig::ZERO);
        for _ in 0..1 + below(40, random) {
            let (x, y, times) = (number(random), number(random), below(1 << 22, random));
            match below(3, random) {
                0 => {
                    sum.add(x);
                    want += integer(x) << 1074;
                }
                1 => {
                    sum.add_product(x, y);
                    want += integer(x) * integer(y);
                }
                _ => {
                    sum.add_multiple(x, y, times as u32);
                    want += integer(x) * integer(y) * IBig::from(times);
                }
            }
            assert_eq!(value(&sum), want);
            assert_eq!(value(&sum.negated()), -want.clone());
            assert_eq!(sum.sign(), want.cmp(&IBig::ZERO));
        }
    }
}

#[test]
fn squares_are_those_of_integers() {
    let random = &mut 2;
    for _ in 0..300 {
        let (mut sum, mut want) = (Accumulator::ZERO, IBig::ZERO);
        for _ in 0..1 + below(20, random) {
            let x = number(random);
            sum.add(x);
            want += integer(x);
        }
        let mut square = Accumulator::ZERO;
        square.subtract_square(&sum);
        assert_eq!(value(&square), -(want.clone() * want));
    }
}

/// What cancels leaves nothing behind, in any order.
#[test]
fn everything_can_be_taken_away() {
    let random = &mut 3;
    let all: Vec<f64> = (0..500).map(|_| number(random)).collect();
    let mut sum = Accumulator::ZERO;
    all.iter().for_each(|x| sum.add(*x));
    all.iter().rev().for_each(|x| sum.add(-x));
    assert_eq!(sum, Accumulator::ZERO);
    assert_eq!(sum.exponent(), None);
    assert_eq!(sum.scaled().to_f64(), 0.0);
}

#[test]
fn sums_are_rounded_to_nearest() {
    let of = |all: &[f64]| {
        let mut sum = Accumulator::ZERO;
        all.iter().for_each(|x| sum.add(*x));
        sum.scaled().to_f64()
    };
    let big = 9007199254740992.0; // 2^53
    for (all, want) in [
        (&[big, 1.0][..], big),
        (&[big, 1.0, 5e-324], big + 2.0),
        (&[big, 1.0, -5e-324], big),
        (&[big, 3.0], big + 4.0),
        (&[-big, -3.0, 5e-324], -big - 2.0),
        (&[f64::MAX, -f64::MAX, 3.0], 3.0),
        (&[1e300, 1.5, -1e300], 1.5),
    ] {
        assert_eq!(of(all), want, "{all:?}");
    }
    // One number is itself.
    let random = &mut 4;
    for _ in 0..2000 {
        let x = number(random);
        let scaled = Scaled::of(x);
        if (-1000..1000).contains(&scaled.e) {
            assert_eq!(scaled.to_f64(), x);
        }
    }
}
