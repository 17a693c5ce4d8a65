//! Bounds over several octaves, of routines whose references are computed in double-double.

use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::Cell;
use dc_exact::law::Truth;
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;
use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;

/// √(x + 1) - √x without cancellation.
#[crunch]
fn difference_of_roots(x: DcDouble) -> DcDouble {
    1.0 / ((x + 1.0).sqrt() + x.sqrt())
}

#[crunch]
fn difference_of_roots_reference(x: DcDouble) -> DcDoubleDouble {
    dd_recip_dd(dd_add(
        dd_sqrt(dd_add_f64(dd_from_f64(x), 1.0)),
        dd_sqrt_f64(x),
    ))
}

fn lowered(kernel: &'static Kernel) -> Program {
    kernels_gen::lower(kernel).expect("it lowers")
}

#[test]
fn octaves_of_a_composition_are_cut_at_their_binades() {
    let program = lowered(difference_of_roots::KERNEL);
    let truth = Truth::Program(lowered(difference_of_roots_reference::KERNEL));
    // One octave; two and more; not at their ends.
    for ((lo, hi), due) in [
        ((4.0, 8.0), 2.29),
        ((4.0, 16.0), 2.5),
        ((1.5, 8.5), 2.5),
        ((1.0, 1_048_576.0), 2.51),
    ] {
        let bound = bound_range(&program, &truth, &[Cell { lo, hi }], Effort::default());
        assert!(bound.special.is_empty() && !bound.unfinished, "{lo}..={hi}");
        assert!(bound.bound <= due, "{lo}..={hi}: {}", bound.bound);
        assert!(bound.looked < 20_000, "{lo}..={hi}: {}", bound.looked);
    }
}
