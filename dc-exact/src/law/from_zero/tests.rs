//! Values and coefficients next to zeros of `ln |Γ|`, compared with those of another program and with each other.

use super::*;
use crate::num::dyadic::Random;
use crate::num::float::exponent;

/// A line of the table: the zero, and numbers.
fn rows() -> impl Iterator<Item = (u8, [f64; 7])> {
    let lines = include_str!("values.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut words = line.split(' ');
        let k = words.next().and_then(|k| k.parse().ok()).expect("a zero");
        let mut next = || u64::from_str_radix(words.next().expect("a number"), 16);
        (
            k,
            std::array::from_fn(|_| f64::from_bits(next().expect("bits"))),
        )
    })
}

/// Whether a ball holds a number in two words, which is off by 2^-104 of itself.
fn holds(ball: Ball, [h, l]: [f64; 2]) -> bool {
    let due = Ball::new(h, l, h.abs() * 2f64.powi(-104));
    ball.sub(due).enclosure().contains(0.0)
}

#[test]
fn values_are_those_of_another_program() {
    let mut count = 0;
    for (k, [x, value, low, slope, slope_low, second, seventh]) in rows() {
        let e = exponent(value);
        // Coefficient m is that of the derivative times w^m, which is near 1.
        let w = 2f64.powi(exponent(1.0 / slope));
        let one = Cell { lo: x, hi: x };
        let found = enclose::<8>(k, one, (x, w), e).unwrap_or_else(|_| panic!("{k} {x:e}"));
        let at = found.at.map(|c| c.scale(e));
        let context = format!("{k} {x:e}: {at:?}");
        assert!(holds(at.0[0], [value, low]), "{context} {value:e} {low:e}");
        assert!(at.0[0].r <= value.abs() * 2f64.powi(-88), "{context}");
        assert!(holds(at.0[1], [slope * w, slope_low * w]), "{context}");
        assert!(at.0[1].r <= (slope * w).abs() * 2f64.powi(-88), "{context}");
        for (m, due) in [(2, second), (7, seventh)] {
            let due = due * w.powi(m);
            let apart = (at.0[m as usize].h - due).abs();
            assert!(apart <= due.abs() * 2f64.powi(-50), "{context} {m} {due:e}");
        }
        for (at, over) in found.at.0.iter().zip(found.over.0) {
            let at = at.enclosure();
            assert!(at.lo <= over.hi && over.lo <= at.hi, "{context}");
        }
        count += 1;
    }
    assert_eq!(count, 2 * usize::from(MOST));
}

/// A zero is a change of sign of `|Γ| - 1`, and the zeros are in order, each on its side of its pole.
#[test]
fn zeros_are_changes_of_sign() {
    let mut before = -2.0;
    for k in 1..=MOST {
        let Zero { n, d } = zero(k).expect("it is known");
        assert!(d.r <= d.h.abs() * 2f64.powi(-90), "{k}: {d:?}");
        let number = d.h - f64::from(n);
        assert!(number < before || k > 28, "{k}: {number}");
        before = number;
        let [less, more] = [-1.0, 1.0].map(|side| {
            let d = d.h * (1.0 + side * 2f64.powi(-46));
            size(n, d).sub(Ball::number(1.0)).enclosure()
        });
        assert!(less.lo > 0.0 && more.hi < 0.0, "{k}: {less:?} {more:?}");
    }
    assert!(zero(0).is_none() && zero(MOST + 1).is_none());
}

/// What is at a number lies in what is over cells with it, and Taylor's polynomial with its remainder holds the values.
#[test]
fn cells_hold_what_is_inside() {
    let mut random = Random(17);
    let mut least = 0;
    for round in 0..4000u32 {
        let k = 1 + (round % u32::from(MOST)) as u8;
        let Zero { d, .. } = zero(k).expect("it is known");
        let size = match round % 3 {
            0 => 0.4,
            1 => 0.3 * 2f64.powi(-(random.below(59) as i32)),
            _ => 0.1,
        };
        // The least value between the first two zeros is at -2.61072….
        let x = match (round % 7, k) {
            (0, 1) => -0.153_695,
            (0, 2) => 0.136_962,
            _ => size * d.h.abs() * random.unit(),
        };
        let width = x.abs() * 2f64.powi(-(random.below(12) as i32) - 2);
        let (lo, hi) = (x - width, x + width * random.unit().abs());
        let cell = Cell { lo, hi };
        let c = cell.center();
        let w = cell.radius(c);
        let e = exponent(x);
        let Ok(all) = enclose::<7>(k, cell, (c, w), e) else {
            panic!("{k}: {cell:?}");
        };
        for part in [-1.0, -0.6, 0.0, 0.25, 1.0] {
            let inner = (c + part * w).clamp(lo, hi);
            let one = Cell {
                lo: inner,
                hi: inner,
            };
            let here = enclose::<7>(k, one, (inner, w), e);
            let here = here.unwrap_or_else(|_| panic!("{k}: {inner:e}"));
            for (m, (at, over)) in here.at.0.iter().zip(all.over.0).enumerate() {
                let at = at.enclosure();
                let context = format!("{k} {m} at {inner:e} of {cell:?}: {at:?} {over:?}");
                assert!(at.lo <= over.hi && over.lo <= at.hi, "{context}");
            }
            let value = here.at.0[0].enclosure();
            let range = all.range();
            assert!(
                value.lo <= range.hi && range.lo <= value.hi,
                "{k} at {inner:e} of {cell:?}: {value:?} {range:?}"
            );
            // The polynomial at the same number, whose place in the cell is rounded.
            let tau = Ball::number(inner)
                .sub(Ball::number(c))
                .div(Ball::number(w));
            let terms = all.at.0[..6].iter().rev();
            let sum = terms.fold(Ball::ZERO, |sum, c| sum.mul(tau).add(*c));
            let rest = all.over.0[6].magnitude();
            assert!(
                sum.widened(rest)
                    .sub(here.at.0[0])
                    .enclosure()
                    .contains(0.0),
                "{k} at {inner:e} of {cell:?}: {sum:?} {rest:e} {:?}",
                here.at.0[0]
            );
        }
        least += u32::from(k <= 2 && all.over.0[1].contains(0.0));
    }
    assert!(least > 0, "{least}");
}

#[test]
fn next_to_poles_nothing_is_enclosed() {
    let is_enclosed = |k: u8, lo: f64, hi: f64| {
        let cell = Cell { lo, hi };
        enclose::<3>(k, cell, (cell.center(), 0.25 * (hi - lo)), 0).is_ok()
    };
    for k in 1..=MOST {
        let d = zero(k).expect("it is known").d.h;
        let cell = |a: f64, b: f64| (d * a.min(b)).min(d * a.max(b));
        let around = |a: f64, b: f64| is_enclosed(k, cell(a, b), cell(a, b) + d.abs() * (b - a));
        assert!(around(-0.99, -0.98) || d < 0.0, "{k}");
        let pole = -d;
        assert!(!is_enclosed(k, pole, pole), "{k}");
        assert!(
            !is_enclosed(k, pole - 0.1 * d.abs(), pole + 0.1 * d.abs()),
            "{k}"
        );
        let other = pole + d.signum();
        assert!(!is_enclosed(k, other, other), "{k}");
        assert!(is_enclosed(k, -0.5 * d.abs(), 0.5 * d.abs()), "{k}");
    }
    assert!(!is_enclosed(0, 0.1, 0.2) && !is_enclosed(MOST + 1, 0.1, 0.2));
}
