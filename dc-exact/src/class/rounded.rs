//! Classes whose arguments are reduced with a rounding: the rounding of each input is in the member's interval.

use std::fmt::Write as _;

use kernels_gen::program::Program;

use super::{Limits, classify_until};
use crate::bound::{Effort, RangeBound, bound_range};
use crate::cell::random::parsed::program;
use crate::cell::{Cell, Values};
use crate::law::{Law, Truth};
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::power;
use crate::point::error_at;

/// The number of multiples of ln 2 near which the inputs are.
const MULTIPLES: usize = 40;
/// The site of the reduced argument.
const ARGUMENT: u32 = 9;

/// An exponential that subtracts a multiple of ln 2 in two parts. The second subtraction is rounded.
fn exponential() -> Program {
    let high = f64::from_bits(std::f64::consts::LN_2.to_bits() >> 21 << 21);
    // The double next to ln 2 less the upper part, whose multiples are not exact.
    let low = 1.908_214_929_270_587_7e-10;
    let bits = |x: f64| format!("const {:#x}", x.to_bits());
    let mut text = format!(
        "fn f0\n  %0: f64 = param\n  %1: f64 = {}\n  %2: f64 = mul %0, %1\n  %3: f64 = round_ties_even %2\n  %4: f64 = {}\n  \
         %5: f64 = mul %3, %4\n  %6: f64 = sub %0, %5\n  %7: f64 = {}\n  %8: f64 = mul %3, %7\n  %9: f64 = sub %6, %8\n",
        bits(std::f64::consts::LOG2_E),
        bits(high),
        bits(low)
    );
    let mut count = ARGUMENT;
    let mut push = |ty: &str, what: String| {
        count += 1;
        let _ = writeln!(text, "  %{count}: {ty} = {what}");
        count
    };
    let mut sum = push("f64", bits(1.0 / 120.0));
    for c in [1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        let c = push("f64", bits(c));
        let product = push("f64", format!("mul %{sum}, %{ARGUMENT}"));
        sum = push("f64", format!("add %{c}, %{product}"));
    }
    let n = push("i64", "to_i64 %3".into());
    let bias = push("i64", "const 1023".into());
    let n = push("i64", format!("add %{n}, %{bias}"));
    let places = push("i64", "const 52".into());
    let n = push("i64", format!("shl %{n}, %{places}"));
    let scale = push("f64", format!("from_bits %{n}"));
    let result = push("f64", format!("mul %{sum}, %{scale}"));
    let _ = writeln!(text, "  return %{result}");
    program(&text)
}

/// Inputs near multiples of ln 2, whose reduced arguments are small.
fn stretches() -> Vec<Cell> {
    let near = |k: usize| k as f64 * std::f64::consts::LN_2;
    let around = |x: f64| Cell {
        lo: x - power(-10),
        hi: x + power(-10),
    };
    (1..=MULTIPLES).map(near).map(around).collect()
}

#[test]
fn the_rounding_of_an_argument_is_in_the_interval_of_its_member() {
    let program = exponential();
    let limits = Limits {
        most: 20_000,
        values: 20_000,
        threads: 1,
        by_series: false,
        rounded: true,
        ends: &|| false,
    };
    let classes = classify_until(&program, &Truth::Law(Law::Exp), &stretches(), limits);
    let mut values = Values::new(&program);
    let mut random = Random(47);
    let (mut rounded, mut far) = (0, 0);
    for class in &classes.classes {
        for m in class.members.iter().filter(|m| m.rounded) {
            rounded += 1;
            for k in 0..200 {
                let x = match k {
                    0 => m.cell.lo,
                    1 => m.cell.hi,
                    _ => m.cell.lo + (m.cell.hi - m.cell.lo) * random.unit().abs(),
                };
                let r = f64::from_bits(values.at(ARGUMENT, x).expect("a number"));
                assert!(m.core.lo <= r && r <= m.core.hi, "{x:e} {r:e} {m:?}");
                assert!(m.inputs(r).any(|y| y == x), "{x:e} {r:e} {m:?}");
                let of = |b: f64| Dyadic::of(b);
                let off = of(r)
                    .minus(&of(x))
                    .minus(&of(m.shift.h))
                    .minus(&of(m.shift.l));
                assert!(off.size().at_most(&of(m.shift.r)), "{x:e} {r:e} {m:?}");
                // The interval is not much wider than the roundings.
                far += u32::from(!off.size().at_most(&of(m.shift.r / 4.0)));
            }
        }
    }
    assert!(rounded >= MULTIPLES && far > 1000, "{rounded} {far}");
}

#[test]
fn a_class_with_a_rounding_has_nearly_the_bound_of_its_members() {
    let program = exponential();
    let truth = Truth::Law(Law::Exp);
    let of = |rounded: bool| -> RangeBound {
        let effort = Effort {
            rounded,
            threads: 1,
            ..Effort::default()
        };
        bound_range(&program, &truth, &stretches(), effort)
    };
    let (single, joint) = (of(false), of(true));
    assert!(single.special.is_empty() && joint.special.is_empty());
    // All multiples have one program next to zero.
    assert!(
        single.classes.len() >= MULTIPLES,
        "{}",
        single.classes.len()
    );
    assert!(joint.classes.len() < 8, "{}", joint.classes.len());
    let more = joint.bound - single.bound;
    assert!((-1e-4..0.001).contains(&more), "{single:?} {joint:?}");
    let mut values = Values::new(&program);
    let mut random = Random(48);
    let mut largest = 0f64;
    for stretch in stretches() {
        for _ in 0..500 {
            let x = stretch.lo + (stretch.hi - stretch.lo) * random.unit().abs();
            let error = error_at(&program, &truth, &mut values, x).expect("a number");
            largest = largest.max(error.magnitude());
        }
    }
    assert!(
        0.9 * single.bound < largest && largest <= joint.bound,
        "{largest}"
    );
}
