//! Integers as lines, and numbers as affine functions, against their values.

use super::*;
use crate::cell::Tight;
use crate::num::Ball;
use crate::num::float::grid;

/// Pseudorandom numbers below the argument: a linear congruential generator.
fn numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    }
}

/// A line of a word, compared with the integer that the operations give.
#[test]
fn an_integer_is_its_line_less_what_is_removed() {
    let mut random = numbers(1);
    let (mut made, mut removing) = (0, 0);
    for _ in 0..4000 {
        let word = (1.0 + random(1 << 30) as f64 / 2f64.powi(31)).to_bits() as i64;
        let (mut line, mut integer) = (Line::of_bits(0, 0, 0), i128::from(word));
        for _ in 0..4 {
            let n = random(40) as u32;
            let c = random(1 << 31) as i64 - (1 << 30);
            let (next, then) = match random(5) {
                0 => (line.plus(c), integer + i128::from(c)),
                1 => (line.times(c % 1000), integer * i128::from(c % 1000)),
                2 => (line.shifted(n), integer >> n),
                3 => (line.cleared(n), integer >> n << n),
                _ => (line.times(1 << n), integer << n),
            };
            let small = i64::try_from(then).is_ok();
            if let Some(next) = next.filter(|_| small) {
                (line, integer) = (next, then);
            }
        }
        // The numerator is below 2^124, so the quotient has a relative error of 2^-53.
        let above = line.times * i128::from(word) + line.plus - (integer << line.shift);
        let removed = above as f64 * power(-(line.shift as i32));
        let near = removed.abs() * 1e-15;
        assert!(
            line.removed.lo <= removed + near && removed - near <= line.removed.hi,
            "{line:?} of {word}: {integer}, {removed}"
        );
        assert_eq!(integer & ((1 << line.zeros) - 1), 0, "{line:?}: {integer}");
        made += u32::from(line.times != 1);
        removing += u32::from(removed != 0.0);
    }
    assert!(made > 500 && removing > 1000, "{made}, {removing}");
}

/// The number that is made of a line, compared with the affine function of the operand.
#[test]
fn a_number_is_its_affine_function_and_a_deviation() {
    let mut random = numbers(7);
    let (mut made, mut bent, mut rest) = (0, 0, 0);
    for _ in 0..3000 {
        // Half of the stretches contain a power of two, of the operand or of the number.
        let lo = match random(2) {
            0 => 1.0 + random(1 << 20) as f64 / 2f64.powi(20),
            _ => 2.0 - power(-(random(40) as i32) - 8),
        } * power(random(200) as i32 - 100);
        let hi = lo * (1.0 + power(-(random(40) as i32) - 8));
        let line = Line::of_bits(0, 0, 0);
        let magic = 0x5fe6_eb50_c7b5_37a9 + random(1 << 33) as i64;
        let chain = random(4);
        let made_of = match chain {
            0 => line.plus(0x8000_0000).and_then(|l| l.cleared(30)),
            1 => line.shifted(1).and_then(|l| l.times(-1)?.plus(magic)),
            // A power of two: the fraction is cleared, and the lowest bit of the exponent.
            2 => line.cleared(53),
            _ => line
                .shifted(32)
                .and_then(|l| l.times(0x5555_5556)?.shifted(32)?.plus(715_094_163))
                .and_then(|l| l.times(1 << 32)),
        };
        let line = made_of.expect("a line");
        let of = |x: f64| {
            let word = x.to_bits() as i64;
            let made = match chain {
                0 => (word + 0x8000_0000) & -0x4000_0000,
                1 => magic - (word >> 1),
                2 => word & -(1 << 53),
                _ => ((((word >> 32) * 0x5555_5556) >> 32) + 715_094_163) << 32,
            };
            f64::from_bits(made as u64)
        };
        let ends = [of(lo), of(hi)].map(|x| x.to_bits() as i64);
        let range = Integers {
            lo: ends[0].min(ends[1]),
            hi: ends[0].max(ends[1]),
        };
        let tight = Tight::new();
        let mut cells = Cells::new(&tight);
        cells.input(Interval::new(lo, hi), BINARY64);
        let Some(Over::Real(i)) = cells.affine(line, range, 1) else {
            continue;
        };
        let operation = cells.operations[i as usize];
        let Kind::Affine {
            factor,
            plus,
            deviation,
            ..
        } = operation.kind
        else {
            panic!("{operation:?}");
        };
        for k in 0..20 {
            let x = match k {
                0 => lo,
                1 => hi,
                _ => (lo + (hi - lo) * (random(1 << 30) as f64 / 2f64.powi(30))).min(hi),
            };
            let number = Ball::number(of(x));
            let straight = Ball::number(x).mul(Ball::number(factor));
            let apart = number.sub(straight.add(Ball::number(plus))).enclosure();
            assert!(
                deviation.lo <= apart.hi && apart.lo <= deviation.hi,
                "{x:e} of {lo:e}..={hi:e}, {line:?}: {apart:?} is not in {deviation:?}"
            );
            assert!(operation.values.contains(of(x)), "{x:e}: {operation:?}");
            assert!(grid(of(x)) >= operation.grid, "{x:e}: {operation:?}");
        }
        made += 1;
        let binades = |x: f64, y: f64| exponent(x) != exponent(y);
        bent += u32::from(binades(lo, hi) || binades(of(lo), of(hi)));
        rest += u32::from(deviation.hi > 0.0 && deviation.lo < 0.0);
    }
    assert!(
        made > 1000 && bent > 100 && rest > 100,
        "{made} {bent} {rest}"
    );
}

/// A sum of bits that wraps is no line, nor are numbers that are infinite on another stretch.
#[test]
fn what_wraps_or_overflows_is_no_line() {
    let tight = Tight::new();
    let mut cells = Cells::new(&tight);
    cells.input(Interval::new(1.0, 1.5), BINARY64);
    let mut certain = |plus| cells.line(&Over::Word(0, plus, 1)).map(|l| l.certain);
    assert_eq!(certain(0x1000_0000_0000_0000), Some(true));
    assert_eq!(certain(0x7000_0000_0000_0000), Some(false));
    let affine = |factor| Operation {
        kind: Kind::Affine {
            of: 0,
            factor,
            plus: 0.0,
            deviation: Interval::ZERO,
        },
        ..cells.operations[0]
    };
    let (small, large) = (affine(2.0), affine(1.5 * power(1023)));
    assert!(cells.affine_again(&small, 0).is_some());
    assert!(cells.affine_again(&large, 0).is_none());
}
