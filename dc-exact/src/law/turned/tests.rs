//! Turned sines and tangents, compared with those of the sum, whose angle is another: it is reduced as a ball.

use std::f64::consts::PI;

use super::super::value::{half_pi, sin_cos_reduced, turned};
use super::*;
use crate::num::Ball;
use crate::num::dyadic::Random;
use crate::num::float::exponent;

/// Sine and cosine of `x + n π/16`.
fn waves(x: f64, n: u8) -> (Ball, Ball) {
    let quarters = f64::from(n / 8) + f64::from(u8::from(n % 8 + u8::from(x > 0.0) > 4));
    let rest = f64::from(n) - 8.0 * quarters;
    let angle = half_pi()
        .scale(-3)
        .mul(Ball::number(rest))
        .add(Ball::number(x));
    turned(sin_cos_reduced(angle), quarters)
}

#[test]
fn values_are_those_of_the_sum() {
    let mut random = Random(7);
    for k in 0..2000u32 {
        let n = (k % 32) as u8;
        let size = 0.1 * 2f64.powi(-((k / 32) as i32));
        let x = size * random.unit();
        if x == 0.0 {
            continue;
        }
        let (sin, cos) = waves(x, n);
        for (law, due) in [(Law::Sin, sin), (Law::Tan, sin.div(cos))] {
            let e = exponent(due.h);
            let due = due.scale(-e);
            let one = Cell { lo: x, hi: x };
            let found = law.enclose_turned::<8>(n, one, (x, 0.0), e);
            let found = found.unwrap_or_else(|_| panic!("{law:?} {n} {x:e}")).at.0[0];
            let context = format!("{law:?} {n} {x:e}: {found:?} {due:?}");
            assert!(found.sub(due).enclosure().contains(0.0), "{context}");
            assert!(found.r < 2f64.powi(-90), "{context}");
            // Over a cell with this number.
            let (lo, hi) = (x - 0.01 * x.abs(), x + 0.02 * x.abs());
            let (c, w) = (0.5 * (lo + hi), 0.5 * (hi - lo) * 1.001);
            let over = law.enclose_turned::<8>(n, Cell { lo, hi }, (c, w), e);
            let over = over.unwrap_or_else(|_| panic!("{law:?} {n} {x:e}"));
            assert!(over.over.0[0].contains(found.h), "{context}");
            assert!(over.range().contains(found.h), "{context}");
            let here = law.enclose_turned::<8>(n, one, (x, w), e);
            let here = here.unwrap_or_else(|_| panic!("{law:?} {n} {x:e}"));
            for (at, over) in here.at.0.iter().zip(over.over.0) {
                assert!(over.contains(at.h), "{context}: {at:?} {over:?}");
            }
        }
    }
}

#[test]
fn series_are_their_functions() {
    for n in 0..32u8 {
        let by = f64::from(n) * PI / 16.0;
        for (law, f) in [(Law::Sin, f64::sin as fn(f64) -> f64), (Law::Tan, f64::tan)] {
            let (lo, c, hi) = (0.0463, 0.047, 0.0477);
            let found = law.enclose_turned::<10>(n, Cell { lo, hi }, (c, 0.0007), -3);
            let found = found.unwrap_or_else(|_| panic!("{law:?} {n}"));
            for step in 0..=8 {
                let t = f64::from(step) / 4.0 - 1.0;
                let terms = found.at.0.iter().enumerate();
                let value: f64 = terms.map(|(k, c)| c.mid() * t.powi(k as i32)).sum();
                let want = f(by + c + 0.0007 * t);
                let apart = (value / 8.0 - want).abs();
                assert!(
                    apart < 1e-13 * (1.0 + want * want),
                    "{law:?} {n} {t}: {value} {want}"
                );
            }
            for (at, over) in found.at.0.iter().zip(found.over.0) {
                assert!(over.contains(at.mid()), "{law:?} {n}");
            }
        }
    }
}

#[test]
fn a_cell_with_a_pole_has_no_tangent() {
    let at = |lo: f64, hi: f64, n| {
        let (c, w) = (0.5 * (lo + hi), 0.5 * (hi - lo));
        Law::Tan.enclose_turned::<8>(n, Cell { lo, hi }, (c, w), 0)
    };
    for n in [8, 24] {
        assert!(at(-0.01, 0.01, n).is_err() && at(0.0, 0.01, n).is_err());
        assert!(at(0.01, 0.011, n).is_ok() && at(-0.011, -0.01, n).is_ok());
    }
    assert!(at(PI / 4.0 - 0.01, PI / 4.0 + 0.01, 4).is_err());
    // No other function is turned.
    let cell = Cell { lo: 0.1, hi: 0.2 };
    assert!(
        Law::Exp
            .enclose_turned::<8>(1, cell, (0.15, 0.05), 0)
            .is_err()
    );
    assert!(
        Law::Exp
            .enclose_turned::<8>(0, cell, (0.15, 0.05), 0)
            .is_ok()
    );
}
