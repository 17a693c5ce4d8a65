//! Routines that make an estimate from the bits of their input, or clear bits of a number: their bounds, compared with
//! inputs.

use dc_exact::bound::{Effort, RangeBound, bound_range};
use dc_exact::cell::{Cell, Kind, Values};
use dc_exact::law::{Law, Truth};
use dc_exact::num::float::BINARY64;
use dc_exact::point::{error_at, is_decided};
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;
use doublecrunch::sweeps::library::cbrt_freebsd;
use kernels_gen::program::Program;

use crate::hold::step;
use crate::random::Random;

/// One estimate of 1/√x, with the constant of Lomont's 64-bit version, and four of Newton's iterations.
#[crunch]
fn inverse_root(x: DcDouble) -> DcDouble {
    let h = x * 0.5;
    let y = DcDouble::from_bits(0x5fe6_eb50_c7b5_37a9 - (x.to_bits() >> 1));
    let y = y * (1.5 - h * y * y);
    let y = y * (1.5 - h * y * y);
    let y = y * (1.5 - h * y * y);
    y * (1.5 - h * y * y)
}

/// An estimate of 1/x from all bits, three iterations, and one with a short number.
#[crunch]
fn inverse(x: DcDouble) -> DcDouble {
    let y = DcDouble::from_bits(0x7fde_6238_502c_e8c3 - x.to_bits());
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    let y = DcDouble::from_bits((y.to_bits() + 0x400_0000) & -0x800_0000);
    let e = x.mul_add(-y, 1.0);
    y + y * (e + e * e)
}

/// √x with a correction by the exact square of its upper half.
#[crunch]
fn root_by_halves(x: DcDouble) -> DcDouble {
    let y = x.sqrt();
    let upper = DcDouble::from_bits(y.to_bits() & -0x800_0000);
    let lower = y - upper;
    let square = upper * upper + lower * (upper + y);
    y - 0.5 * ((square - x) / y)
}

/// Heron's method from half of the bits of the upper word.
#[crunch]
fn root(x: DcDouble) -> DcDouble {
    let upper = (x.to_bits() >> 33) + 0x1ff7_a3bf;
    let y = DcDouble::from_bits(upper << 32);
    let y = 0.5 * (y + x / y);
    let y = 0.5 * (y + x / y);
    let y = 0.5 * (y + x / y);
    y - 0.5 * ((y * y - x) / y)
}

/// √x by one step of Halley's iteration from 12 bits: the deviation's third power is most of the error.
#[crunch]
fn root_from_few_bits(x: DcDouble) -> DcDouble {
    let y = DcDouble::from_bits(x.sqrt().to_bits() & -0x100_0000_0000);
    let s = y * y;
    y * ((s + 3.0 * x) / (3.0 * s + x))
}

/// √x, shortened twice: Heron's step and the second mask err to the same side, so that their deviations add up.
#[crunch]
fn short_root(x: DcDouble) -> DcDouble {
    let y = DcDouble::from_bits(x.sqrt().to_bits() & -0x100_0000_0000);
    let y = 0.5 * (y + x / y);
    DcDouble::from_bits((y.to_bits() + 0xfff_ffff) & -0x1000_0000) + 0.0
}

/// 1/x by two numbers that are made of the bits of x, neither of which is computed from the other.
#[crunch]
fn inverse_by_two(x: DcDouble) -> DcDouble {
    let a = DcDouble::from_bits(0x7fde_6238_502c_e8c3 - x.to_bits());
    let b = DcDouble::from_bits(x.to_bits() & -0x10_0000_0000);
    let a = a * (2.0 - b * a);
    let a = a * (2.0 - x * a);
    let a = a * (2.0 - x * a);
    let a = a * (2.0 - x * a);
    a * (2.0 - x * a)
}

/// The counts of a test.
#[derive(Debug, Default)]
struct Total {
    bounds: u64,
    /// Bounds of kernels with a deviation.
    deviating: u64,
    /// Those with cells that are copies.
    copies: u64,
    inputs: u64,
    special: u64,
    tight: u64,
}

/// Compares the bounds of a stretch with inputs of it.
fn hold(
    program: &Program,
    law: Law,
    cell: Cell,
    cells: u64,
    random: &mut Random,
    total: &mut Total,
) -> RangeBound {
    let truth = Truth::Law(law);
    let tolerance = 0.1;
    let bound = bound_range(
        program,
        &truth,
        &[cell],
        Effort {
            tolerance,
            cells,
            ..Effort::default()
        },
    );
    let deviates = |k: &Kind| matches!(k, Kind::Affine { .. });
    let mut operations = bound.classes.iter().flat_map(|c| &c.core.operations);
    total.deviating += u64::from(operations.any(|o| deviates(&o.kind)));
    total.copies += u64::from(bound.classes.iter().any(|c| c.members.len() > 1));
    total.bounds += 1;
    let mut values = Values::new(program);
    let count = cell.count(BINARY64);
    let mut largest = 0.0;
    for k in 0..300 {
        let k = match k {
            0..8 => k,
            8..16 => count - 1 - (k - 8),
            _ => random.word() % count,
        };
        let x = step(cell.lo, k.min(count - 1), BINARY64);
        if bound.special.iter().any(|c| c.lo <= x && x <= c.hi) {
            total.special += 1;
            continue;
        }
        let here = bound.cells.iter().filter(|b| match b.class {
            None => b.cell.lo <= x && x <= b.cell.hi,
            Some(i) => bound.classes[i].members.iter().any(|m| {
                let r = m.reduced(x);
                m.cell.lo <= x && x <= m.cell.hi && b.cell.lo <= r && r <= b.cell.hi
            }),
        });
        let most = here.map(|b| b.error.bound()).fold(f64::NAN, f64::max);
        assert!(!most.is_nan(), "{x:e} is in no cell");
        let error = error_at(program, &truth, &mut values, x).expect("an error");
        if is_decided(error) {
            assert!(
                error.least() <= most,
                "{x:e} ({:x}) of {:e}..={:e}: the error is {error:?}, the bound of its cells {most}",
                x.to_bits(),
                cell.lo,
                cell.hi
            );
            largest = f64::max(largest, error.least());
            total.inputs += 1;
        }
    }
    total.tight += u64::from(largest > 0.5 * bound.bound);
    bound
}

#[test]
fn bounds_of_numbers_that_are_made_of_bits_hold() {
    let kernels = [
        (<inverse_root as CrunchFn>::KERNEL, Law::RecipSqrt, 2.6),
        (<inverse as CrunchFn>::KERNEL, Law::Recip, 0.6),
        (<root as CrunchFn>::KERNEL, Law::Sqrt, 1.1),
        (<root_by_halves as CrunchFn>::KERNEL, Law::Sqrt, 1.1),
        (
            <root_from_few_bits as CrunchFn>::KERNEL,
            Law::Sqrt,
            2f64.powi(15),
        ),
        (<short_root as CrunchFn>::KERNEL, Law::Sqrt, 2f64.powi(30)),
        // Two deviations reach the result: one of them is an interval, and the bound is of no use, but holds.
        (
            <inverse_by_two as CrunchFn>::KERNEL,
            Law::Recip,
            f64::INFINITY,
        ),
        (<cbrt_freebsd as CrunchFn>::KERNEL, Law::Cbrt, 0.75),
    ];
    let mut random = Random::of(9, 9);
    for (kernel, law, most) in kernels {
        let program = kernels_gen::lower(kernel).expect("it lowers");
        let mut total = Total::default();
        // Copies of the powers' periods have the same problem; the reciprocals' kernels have more cells per binade.
        let hi = if law == Law::Recip { 3.0 } else { 24.0 };
        // Some binades with at most 4,000 cells, then parts of one, some of which have fewer values than cells.
        let bound = hold(
            &program,
            law,
            Cell { lo: 1.5, hi },
            4000,
            &mut random,
            &mut total,
        );
        println!("{}: {}", kernel.name, bound.bound);
        assert!(
            bound.bound <= most && bound.special.is_empty(),
            "{}",
            bound.bound
        );
        for _ in 0..5 {
            let lo = 2f64.powi(random.within(0, 40) as i32 - 20)
                * (1.0 + random.below(1 << 20) as f64 / 2f64.powi(20));
            let hi = lo * (1.0 + 2f64.powi(-(random.within(1, 34) as i32)));
            let cells = 1 << random.within(4, 11);
            hold(
                &program,
                law,
                Cell { lo, hi },
                cells,
                &mut random,
                &mut total,
            );
        }
        println!("{total:?}");
        assert!(total.deviating >= 2 && total.inputs >= 1000, "{total:?}");
        let copies = matches!(law, Law::RecipSqrt | Law::Cbrt);
        assert!(total.copies >= 1 || !copies, "{total:?}");
    }
}
