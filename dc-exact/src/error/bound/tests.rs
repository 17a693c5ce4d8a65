//! Limits of formats: powers of two next to a true value, overflow, subnormal units.

use kernels_gen::ops::{Direction, Op, Prim};
use kernels_gen::program::{InstKind, Program};

use super::*;
use crate::cell::exactly::{calls, inst};
use crate::cell::{Kind, Outcome, Rounding, evaluate};
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::BINARY32;

#[test]
fn the_magnitudes_of_a_ball_next_to_a_power_of_two() {
    for sign in [1.0, -1.0] {
        let of = |h: f64, l: f64, r: f64| exponents(Ball::new(sign * h, sign * l, r));
        assert_eq!(of(1.0, 0.0, 0.0), Some([0, 0]));
        assert_eq!(of(1.0, -1e-17, 1e-30), Some([-1, -1]));
        assert_eq!(of(1.0, 1e-17, 1e-30), Some([0, 0]));
        assert_eq!(of(1.0, -1e-30, 1e-29), Some([-1, 0]));
        assert_eq!(of(1.0f64.next_down(), 0.0, 1e-17), Some([-1, -1]));
        assert_eq!(of(1.0f64.next_down(), 5e-17, 1e-16), Some([-1, 0]));
        assert_eq!(of(1.5, 1e-17, 1e-30), Some([0, 0]));
        // Exponents at the limits of the format: 2^1024 is no double.
        assert_eq!(of(f64::MAX, 0.0, 1e200), Some([1023, 1023]));
        assert_eq!(of(f64::MAX, 0.0, f64::MAX / 4.0), Some([1023, 1024]));
        assert_eq!(of(f64::MIN_POSITIVE, 0.0, 0.0), Some([-1022, -1022]));
        // The least magnitude of the first is 0.1, four binades below.
        assert_eq!(of(1.0, 0.0, 0.9), None);
        assert_eq!(of(0.0, 0.0, 1e-30), None);
        assert_eq!(of(0.0, 0.0, 0.0), None);
    }
}

/// Balls that end in a power of two, or within the last bits of a sum from there.
#[test]
fn exponents_are_those_of_both_ends() {
    let mut random = Random(1);
    let (mut below, mut above) = (0, 0);
    for round in 0..20_000 {
        let near = 2f64.powi(-(random.below(50) as i32) - 3);
        let m = match random.below(3) {
            0 => 1.0,
            1 => 1.0 + near,
            _ => 2.0 - near,
        };
        let l = match random.below(3) {
            0 => 0.0,
            _ => m * random.unit() * 2f64.powi(-54 - random.below(60) as i32),
        };
        let ends = [m - 1.0, 2.0 - m, l.abs()];
        let part = random.unit().abs();
        let mut r = random.of(&ends) * random.of(&[1.0, 1.0, part]);
        for _ in 0..random.below(4) {
            r = match random.below(2) {
                0 => r.next_up(),
                _ => r.next_down().max(0.0),
            };
        }
        let (e, sign) = (random.below(600) as i32 - 300, random.sign());
        let ball = Ball::new(sign * m, sign * l, r).scale(e);
        let Some([least, largest]) = exponents(ball) else {
            assert!(r > 0.2499 * m);
            continue;
        };
        let middle = Dyadic::of(m).plus(&Dyadic::of(l));
        let (lo, hi) = (middle.minus(&Dyadic::of(r)), middle.plus(&Dyadic::of(r)));
        let at = |k: i32| Dyadic::of(1.0).scaled(k - e);
        let context = format!("{round}: {m} {l:e} {r:e} {least} {largest}");
        assert!(at(least).at_most(&lo), "{context}");
        assert!(!at(largest + 1).at_most(&hi), "{context}");
        // They are no wider than what a part in 10^14 of the radius explains.
        let more = Dyadic::of(r + l.abs()).times(&Dyadic::of(1e-14));
        assert!(!at(least + 1).at_most(&lo.minus(&more)), "{context}");
        assert!(at(largest).at_most(&hi.plus(&more)), "{context}");
        below += u32::from(least < e);
        above += u32::from(largest > e);
    }
    assert!(below > 1000 && above > 1000, "{below} {above}");
}

/// The midpoint above the largest number rounds to infinity; of binary64 it is no double, and the next double is taken.
#[test]
fn values_from_the_midpoint_on_overflow() {
    for (format, top) in [(BINARY32, 2.0 - 2f64.powi(-24)), (BINARY64, 2.0)] {
        for e in [format.largest + 1, format.largest, format.largest - 30] {
            let by = format.largest - e;
            let at = |lo: f64, hi: f64| {
                let values = Interval::new(lo, hi).scale(by);
                let both = [values, values.neg()].map(|v| overflows(format, v, e));
                assert_eq!(both[0], both[1]);
                both[0]
            };
            assert_eq!(at(top, 3.0), (true, true));
            assert_eq!(at(top, top), (true, true));
            assert_eq!(at(top.next_down(), top), (false, true));
            assert_eq!(at(1.0, 3.0), (false, true));
            assert_eq!(at(1.0, top.next_down()), (false, false));
            let both_signs = Interval::new(-3.0, 1.0).scale(by);
            assert_eq!(overflows(format, both_signs, e), (false, true));
        }
    }
}

#[test]
fn an_end_that_is_no_number_leaves_nothing_known() {
    let odd = |lo: f64, hi: f64| numbers(Interval { lo, hi });
    for (lo, hi) in [(f64::NAN, 1.0), (-1.0, f64::NAN), (f64::NAN, f64::NAN)] {
        assert_eq!(odd(lo, hi), Interval::ALL);
    }
    assert_eq!(odd(-1.0, 2.0), Interval::new(-1.0, 2.0));
}

/// The kernel that multiplies by a number.
fn times(ty: Prim, c: f64) -> Program {
    let bits = match ty {
        Prim::F32 => u64::from((c as f32).to_bits()),
        _ => c.to_bits(),
    };
    let insts = vec![
        inst(InstKind::Param(0), &[], ty),
        inst(InstKind::Const(bits), &[], ty),
        inst(InstKind::Op(Op::Mul), &[0, 1], ty),
    ];
    calls(ty, insts)
}

#[test]
fn infinity_is_right_only_where_all_true_values_round_to_it() {
    let kernel = times(Prim::F32, 1.0);
    let most = f64::from(f32::MAX);
    let middle = (2.0 - 2f64.powi(-24)) * 2f64.powi(127);
    let of = |c: f64, hi: f64, value: f32| {
        let truth = Truth::Program(times(Prim::F64, c));
        let cell = Cell { lo: 1.0, hi };
        let found = bound_constant(&kernel, &truth, cell, u64::from(value.to_bits()));
        found.map(|found| found.error.magnitude() > 1e-20)
    };
    let special = Err(Unbounded::Special);
    for sign in [1.0f32, -1.0] {
        let (inf, max, s) = (sign * f32::INFINITY, sign * f32::MAX, f64::from(sign));
        assert_eq!(of(s * most, 1.0, inf), special);
        assert_eq!(of(s * most, 1.0, max), Ok(false));
        assert_eq!(of(s * middle, 1.0, inf), Ok(false));
        assert_eq!(of(s * middle * 1.1, 1.5, inf), Ok(false));
        assert_eq!(of(s * middle, 1.0, -inf), special);
        assert_eq!(of(s * middle, 1.0, max), special);
        assert_eq!(of(s * middle * 1.1, 1.5, max), special);
        assert_eq!(of(s * middle * 1.1, 1.5, -max), special);
        // Some of the true values are below.
        assert_eq!(of(s * most * 0.75, 2.0, inf), special);
        assert_eq!(of(s * most * 0.75, 2.0, max), special);
        assert_eq!(of(s, 1.0, f32::NAN), special);
    }
}

/// The bound of a kernel of binary32 relative to `c x`.
fn bound(kernel: f64, c: f64, scaled: bool) -> Result<CellError, Unbounded> {
    let cell = Cell { lo: 1.0, hi: 1.5 };
    let evaluated = evaluate(&times(Prim::F32, kernel), cell, &Tight::new(), false);
    let Outcome::Residual(residual) = &evaluated.results[0] else {
        panic!("{evaluated:?}");
    };
    let input = residual.operations.iter().find(|o| o.kind == Kind::Input);
    let truth = Truth::Program(times(Prim::F64, c));
    let target = Target {
        truth: &truth,
        factor: Ball::number(1.0),
        eta: Interval::ZERO,
        scaled,
    };
    bound_residual(residual, *input.expect("one"), cell, target, &Tight::new())
}

#[test]
fn true_values_that_overflow_or_are_subnormal_have_no_scaled_bound() {
    let special = Some(Unbounded::Special);
    // 3 x, of which a sixth is rounded away at most.
    let large = 0.75 * 2f64.powi(126);
    assert!(bound(large, large, true).is_ok());
    for c in [1.0, -1.0] {
        assert_eq!(bound(large, c * 2f64.powi(128), true).err(), special);
        assert_eq!(bound(large, c * 1.5 * 2f64.powi(127), true).err(), special);
    }
    let small = 0.75 * 2f64.powi(-130);
    assert_eq!(bound(small, small, true).err(), special);
    assert!(bound(small, small, false).is_ok());
    let small = 0.75 * 2f64.powi(-120);
    assert!(bound(small, small, true).is_ok());
}

/// The last operation of a line: its values lie on both sides of 1, whose units are 2^-53 and 2^-52.
fn last(unit: i32, direction: Option<Direction>) -> Operation {
    Operation {
        kind: Kind::Input,
        site: 0,
        format: BINARY64,
        values: Interval::new(0.9, 1.1),
        reals: Interval::new(0.9, 1.1),
        grid: unit,
        direction,
        rounding: Some(Rounding {
            unit,
            error: Interval::new(-0.5, 0.5),
            exact_grid: None,
        }),
    }
}

#[test]
fn a_rounding_next_to_a_power_of_two_is_half_a_unit_of_the_true_value() {
    let mut random = Random(43);
    let u = power(-53);
    // By δ in eighths, the largest error less 1/2 + δ/8 in the unit of the true value.
    let mut largest = [f64::NEG_INFINITY; 12];
    for _ in 0..60_000 {
        let eighths = random.below(12) as usize;
        let delta = eighths as f64 / 8.0;
        let before = delta * random.unit();
        // g is 1 + at u.
        let at = (4.0 * random.unit()) * random.of(&[1.0, 0.01]);
        let one = Dyadic::of(1.0);
        let g = one.plus(&Dyadic::of(at * u));
        let z = g.plus(&Dyadic::of(before * u));
        let value = z.rounded(BINARY64, None);
        let error = Dyadic::of(value).minus(&g);
        let unit = if at >= 0.0 { 2.0 } else { 1.0 };
        let in_units = error.scaled(53).near() / unit;
        let above = in_units.abs() - (0.5 + delta);
        largest[eighths] = largest[eighths].max(above);
        if let Some(bound) = across_a_power(&last(-52, None), 53, Interval::symmetric(delta)) {
            assert!(in_units.abs() <= bound + 1e-9, "{in_units} {bound} {at}");
        } else {
            assert!(delta >= 1.0, "{delta}");
        }
    }
    // It is not much less, and it does not hold from δ = 1 on.
    assert!(
        largest[..8].iter().all(|&a| (-0.05..1e-9).contains(&a)),
        "{largest:?}"
    );
    assert!(largest[9..].iter().any(|&a| a > 0.2), "{largest:?}");
}

#[test]
fn results_of_more_units_or_rounded_otherwise_have_no_such_bound() {
    let small = Interval::symmetric(0.25);
    let of = |operation: Operation, by| across_a_power(&operation, by, small);
    assert_eq!(of(last(-52, None), 53), Some(0.75));
    assert_eq!(of(last(-51, None), 53), None);
    assert_eq!(of(last(-53, None), 53), None);
    assert_eq!(of(last(-52, Some(Direction::Up)), 53), None);
    // The unit of subnormal numbers is that of the normal ones above them.
    assert_eq!(of(last(BINARY64.least, None), 1 - BINARY64.least), None);
    assert_eq!(
        of(last(BINARY64.least + 1, None), -BINARY64.least),
        Some(0.75)
    );
    let exact = Operation {
        rounding: None,
        ..last(-52, None)
    };
    assert_eq!(of(exact, 53), None);
    assert_eq!(
        across_a_power(&last(-52, None), 53, Interval::symmetric(1.0)),
        None
    );
    assert_eq!(across_a_power(&last(-52, None), 53, Interval::ALL), None);
}
