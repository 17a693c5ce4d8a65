//! Kernels for which a bound or a search could claim too small an error: each is compared with errors of inputs.

use dc_exact::bound::{Effort, RangeBound, bound_range};
use dc_exact::cell::{Cell, Outcome, Tight, Values, evaluate, replay};
use dc_exact::error::input_on;
use dc_exact::exact::How;
use dc_exact::law::{Law, Truth};
use dc_exact::num::Interval;
use dc_exact::point::{Hit, error_at};
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;
use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;

use super::brute::brute;
use super::{by_lattice, spread};

fn lowered(kernel: &'static Kernel) -> Program {
    kernels_gen::lower(kernel).expect("it lowers")
}

/// The bound, and the largest error of inputs spread over the stretches, ends included. It is not above the bound, and an input without an
/// error is special.
fn compared(kernel: &'static Kernel, truth: &Truth, stretches: &[(f64, f64)]) -> (RangeBound, f64) {
    let program = lowered(kernel);
    let cells: Vec<Cell> = (stretches.iter())
        .map(|&(lo, hi)| Cell { lo, hi })
        .collect();
    let effort = Effort {
        cells: 2000,
        ..Effort::default()
    };
    let bound = bound_range(&program, truth, &cells, effort);
    let mut values = Values::new(&program);
    let mut largest = 0.0f64;
    let inputs = |&(lo, hi): &(f64, f64)| spread(lo, hi).chain([hi]);
    for x in stretches.iter().flat_map(inputs) {
        if bound.special.iter().any(|c| c.lo <= x && x <= c.hi) {
            continue;
        }
        let error = error_at(&program, truth, &mut values, x);
        let error = error.unwrap_or_else(|| panic!("{} has no error at {x:e}", kernel.name));
        assert!(
            error.least() <= bound.bound,
            "{} at {x:e}: {error:?}, {}",
            kernel.name,
            bound.bound
        );
        largest = largest.max(error.least());
    }
    (bound, largest)
}

#[crunch]
fn past_the_largest(x: DcDouble) -> DcDouble {
    1e290 / x.mul_rz(1e300)
}

#[crunch]
fn past_the_largest_reference(x: DcDouble) -> DcDouble {
    1e-10 / x
}

/// Toward zero, a product above the largest number is that number, and its error is no part of a unit.
#[test]
fn an_overflow_toward_zero_is_no_rounding() {
    let truth = Truth::Program(lowered(past_the_largest_reference::KERNEL));
    let (_, largest) = compared(past_the_largest::KERNEL, &truth, &[(1e7, 1e9)]);
    assert!(largest > 1e15, "{largest}");
    let (bound, largest) = compared(past_the_largest::KERNEL, &truth, &[(1e7, 1e8)]);
    assert!(bound.special.is_empty() && 1.2 < largest && bound.bound < 3.1);
}

/// The sum of 13 terms of the exponential series.
#[crunch]
fn series(r: DcDouble) -> DcDouble {
    let p = r * (1.0 / 479_001_600.0) + 1.0 / 39_916_800.0;
    let p = r * p + 1.0 / 3_628_800.0;
    let p = r * p + 1.0 / 362_880.0;
    let p = r * p + 1.0 / 40320.0;
    let p = r * p + 1.0 / 5040.0;
    let p = r * p + 1.0 / 720.0;
    let p = r * p + 1.0 / 120.0;
    let p = r * p + 1.0 / 24.0;
    let p = r * p + 1.0 / 6.0;
    let p = r * p + 0.5;
    let p = r * p + 1.0;
    r * p + 1.0
}

/// e^x, from a difference of two products that is r but for their roundings: for r > 0 both are rounded down, and for r < 0 they
/// are rounded away from each other.
#[crunch]
fn exp_toward_zero(x: DcDouble) -> DcDouble {
    let above = x > 0.35;
    let r = if above {
        x - 0.693_147_180_559_945_3
    } else {
        x
    };
    let a = 1000.3;
    let r = r.mul_rz(a) - r.mul_rd(a - 1.0);
    series(r) * if above { 2.0 } else { 1.0 }
}

/// The same with a direction of each branch.
#[crunch]
fn exp_by_branch(x: DcDouble) -> DcDouble {
    let above = x > 0.35;
    let r = if above {
        x - 0.693_147_180_559_945_3
    } else {
        x
    };
    let a = 1000.3;
    let first = if above { r.mul_ru(a) } else { r.mul_rd(a) };
    let r = first - r.mul_rd(a - 1.0);
    series(r) * if above { 2.0 } else { 1.0 }
}

/// Cells of a class have one core, so that they have the same directions; a direction toward zero is another one for another sign.
#[test]
fn a_class_has_the_directions_of_all_of_its_members() {
    for kernel in [exp_toward_zero::KERNEL, exp_by_branch::KERNEL] {
        // The first cells are those with r > 0.
        let stretches = [(0.28, 0.2801), (0.4131, 0.4132)];
        let (bound, largest) = compared(kernel, &Truth::Law(Law::Exp), &stretches);
        assert_eq!(bound.classes[0].members.len() + bound.classes.len(), 3);
        // One of its roundings is less than 400 ULP.
        assert!(
            600.0 < largest && bound.bound < 800.0 && bound.special.is_empty(),
            "{}: {largest}, {}",
            kernel.name,
            bound.bound
        );
    }
}

#[crunch]
fn product(x: DcDouble) -> DcDouble {
    x * 1.378_912_345_678_912_3
}

/// Above a power of two inputs are twice as far apart as below, so that a run across it would step over some. Here no value
/// of the kernel passes a power of two with the input.
#[test]
fn no_run_is_across_a_power_of_two() {
    let program = lowered(product::KERNEL);
    let truth = Truth::Program(lowered(product::KERNEL));
    let (count, level) = (1 << 17, 0.45);
    for end in [2.0f64, -2.0] {
        let lo = f64::from_bits(end.to_bits() - count / 2 - 1);
        let (want, _) = brute(&program, &truth, lo, count, level);
        let got = by_lattice(&program, &truth, lo, count, level, true);
        let of = |hits: &[Hit]| hits.iter().map(|h| h.x).collect::<Vec<f64>>();
        assert!(got.is_exact() && want.len() > 10_000 && of(&got.hits) == of(&want));
        let lattice = got.closed.iter().filter(|c| c.how == How::Lattice);
        let chunks: Vec<Cell> = lattice.map(|c| c.cell).collect();
        let across =
            |c: &Cell| c.lo.abs().min(c.hi.abs()) < 2.0 && c.lo.abs().max(c.hi.abs()) > 2.0;
        assert!(
            chunks.len() > 10 && !chunks.iter().any(across),
            "{chunks:?}"
        );
    }
}

/// The sum of bits wraps.
#[crunch]
fn wrapped(x: DcDouble) -> DcDouble {
    let w = x.to_bits() + 0x7000_0000_0000_0000;
    DcDouble::from_bits((w >> 12) + 0x3ff8_0000_0000_0000)
}

/// What it would be if it did not.
#[crunch]
fn wrapped_reference(x: DcDouble) -> DcDouble {
    (x - 1.0) * (1.0 / 4096.0) + (1.5 + 2815.0 / 4096.0)
}

/// For the largest numbers, the bits of infinity.
#[crunch]
fn rounded_up(x: DcDouble) -> DcDouble {
    DcDouble::from_bits((x.to_bits() & -0x4000_0000) + 0x4000_0000)
}

#[crunch]
fn underflow_toward_zero(x: DcDouble) -> DcDouble {
    x.mul_rz(-9.332_636_185_032_189e-302)
}

#[crunch]
fn identity(x: DcDouble) -> DcDouble {
    x
}

/// The error of an exact sum with -0 is -0.
#[crunch]
fn sign_of_an_error(x: DcDouble) -> DcDouble {
    x.copysign(fast_two_sum(x, -0.0).lo)
}

#[test]
fn bits_whose_sum_wraps_are_no_line() {
    let truth = Truth::Program(lowered(wrapped_reference::KERNEL));
    compared(wrapped::KERNEL, &truth, &[(1.0, 2.0f64.next_down())]);
}

#[test]
fn the_bits_of_infinity_are_no_line() {
    let truth = Truth::Program(lowered(identity::KERNEL));
    compared(rounded_up::KERNEL, &truth, &[(2f64.powi(1023), f64::MAX)]);
}

#[test]
fn an_error_of_zero_may_be_negative() {
    let truth = Truth::Program(lowered(identity::KERNEL));
    let (_, largest) = compared(sign_of_an_error::KERNEL, &truth, &[(1.0, 1.5)]);
    assert!(largest > 1e15);
}

#[test]
fn a_kernel_may_be_its_input() {
    let program = lowered(identity::KERNEL);
    assert_eq!(Values::new(&program).result(1.5), 1.5f64.to_bits());
    let truth = Truth::Program(lowered(identity::KERNEL));
    let (bound, largest) = compared(identity::KERNEL, &truth, &[(1.0, 4.0)]);
    assert!((bound.bound, largest) == (0.0, 0.0) && bound.special.is_empty());
}

/// A product that underflows to zero has lost its sign, and so the direction in which it was rounded.
#[test]
fn a_product_toward_zero_that_underflows_is_rounded_up_if_it_is_negative() {
    let program = lowered(underflow_toward_zero::KERNEL);
    let whole = Cell {
        lo: 2f64.powi(-80),
        hi: 2f64.powi(-72),
    };
    let Outcome::Residual(residual) = &evaluate(&program, whole, &Tight::new(), false).results[0]
    else {
        panic!("no residual");
    };
    let part = Cell {
        lo: 1.2 * 2f64.powi(-75),
        hi: 1.5 * 2f64.powi(-75),
    };
    let input = input_on(residual.operations[0], part);
    let again = replay(residual, input, &Tight::new()).expect("it is finite");
    let rounding = again.at(again.result).rounding.expect("it is rounded");
    assert_eq!(rounding.error, Interval::new(0.0, 1.0));
}
