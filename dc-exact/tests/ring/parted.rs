//! Kernels written by hand, for properties that random ones do not have.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::Cell;
use dc_exact::exact;
use dc_exact::law::Truth;
use dc_exact::num::float::{BINARY32, BINARY64};
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;
use kernels_gen::program::Program;

use crate::hold::{self, Total, error, step};
use crate::random::Random;

/// 2^50: a sum with it rounds a number below 2 to a multiple of 1/4.
const COARSE: f64 = 1_125_899_906_842_624.0;

/// `t` is zero without roundings, and up to 1/8 with them: so a slope that is the computed `t` is far from the one in
/// real arithmetic, and their difference is a sixteenth of the error.
#[crunch]
fn parted(x: DcDouble) -> DcDouble {
    let y = (x + COARSE) - COARSE;
    let t = y - x;
    y * t + 1.5
}

#[test]
fn weights_hold_where_computed_values_are_far_from_real_ones() {
    let program = kernels_gen::lower(<parted as CrunchFn>::KERNEL).expect("it lowers");
    let mut total = Total::default();
    let mut random = Random::of(3, 3);
    // y goes from one multiple of 1/4 to the next here, where t is largest.
    for edge in [1.125, 1.375, 1.625, 1.875] {
        let cell = Cell {
            lo: edge - 1500.0 * f64::EPSILON,
            hi: edge + 1500.0 * f64::EPSILON,
        };
        hold::over("parted", &program, cell, &mut random, &mut total);
    }
    println!("{}", total.line());
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
    assert!(total.bounded == 4 && total.tight == 4, "{}", total.line());
}

/// The largest error against the kernel's own meaning in real arithmetic, from `slack` below the bound on.
fn maximum(program: &Program, cell: Cell, slack: f64) -> exact::Exact {
    let truth = Truth::Program(program.clone());
    let bound = bound_range(program, &truth, &[cell], Effort::default());
    let effort = exact::Effort {
        threads: 1,
        time: Duration::from_secs(60),
        list: false,
    };
    exact::maximum(
        program,
        &truth,
        &bound,
        None,
        slack,
        effort,
        &AtomicBool::new(false),
        &mut |_| {},
    )
}

/// In real arithmetic 1 for every input; as computed 1 with some hundred rounding errors.
#[crunch]
fn about_one(x: DcDouble) -> DcDouble {
    let y = x * 0.1;
    let low = x.mul_add(0.1, -y);
    (y + 64.0 * low) / y
}

/// Found by a random kernel: the true value is a power of two, and its enclosure on both sides of it. The errors were
/// given in the smaller unit, twice as large, as a proven maximum.
#[test]
fn an_input_whose_unit_is_not_known_keeps_the_bracket_open() {
    let program = kernels_gen::lower(<about_one as CrunchFn>::KERNEL).expect("it is a kernel");
    let cell = Cell {
        lo: 1.0,
        hi: step(1.0, (1 << 12) - 1, BINARY64),
    };
    let brute = (0..1 << 12).map(|k| error(&program, step(1.0, k, BINARY64)).expect("an error"));
    let largest = brute.map(|e| e.h.abs()).fold(0.0, f64::max);
    let found = maximum(&program, cell, 1.0);
    assert!(!found.is_exact(), "{found:?}");
    // The bracket contains the true error.
    let lower = found.worst.error.abs();
    assert!(
        lower <= largest && largest <= found.upper,
        "{lower} <= {largest} <= {}",
        found.upper
    );
    assert!(
        found.open.iter().any(|o| o.why.contains("power of two")),
        "{:?}",
        found.open
    );
}

/// A product of binary32.
#[crunch]
fn scaled(x: DcFloat) -> DcFloat {
    x * -1.907_348_9e-6
}

/// Found by a random kernel: below 8 the inputs are twice as close as above it, and a point that a lattice of the
/// closer ones found above is no input.
#[test]
fn the_worst_input_of_a_stretch_over_a_power_of_two_is_an_input() {
    let program = kernels_gen::lower(<scaled as CrunchFn>::KERNEL).expect("it is a kernel");
    let cell = Cell {
        lo: f64::from_bits(0x401e_1fe0_6000_0000),
        hi: f64::from_bits(0x4020_1fe0_4000_0000),
    };
    let found = maximum(&program, cell, 0.4);
    let x = found.worst.x;
    assert_eq!(BINARY32.round(x), x, "{:?}", found.worst);
    let mut largest = 0.0;
    crate::columns::errors(&program, cell, &mut |_, e| largest = f64::max(largest, e))
        .expect("each input has an error");
    assert!(
        (found.worst.error.abs() - largest).abs() < 1e-9,
        "{:?}, {largest}",
        found.worst
    );
}

/// The low word of the sum is 0 at every input of the test's stretch, where the sum is exact.
#[crunch]
fn squared_with_low(x: DcDouble) -> DcDouble {
    let s = two_sum(x, -7.125);
    let v = s.lo + 3.043_109_966_923_687_6;
    v * v + s.hi
}

/// Found by a random kernel: a value computed from such a low word depends on the input, so that its square is not
/// rounded in real arithmetic. The reference rounded it as the kernel does, and the bound was 1e-15 ULP.
#[test]
fn what_is_made_of_a_low_word_that_is_zero_is_not_rounded_in_reals() {
    let program = kernels_gen::lower(<squared_with_low as CrunchFn>::KERNEL).expect("it lowers");
    let lo = f64::from_bits(0x4022_83ba_ac4a_1512);
    let cell = Cell {
        lo,
        hi: step(lo, (1 << 12) - 1, BINARY64),
    };
    let mut total = Total::default();
    hold::over("low", &program, cell, &mut Random::of(5, 5), &mut total);
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
    assert_eq!(total.bounded, 1, "{}", total.line());
    let truth = Truth::Program(program.clone());
    let bound = bound_range(&program, &truth, &[cell], Effort::default());
    assert!(bound.bound > 0.05, "{}", bound.bound);
}

/// A function with the path of an error-free transformation that is none.
mod builtins {
    pub mod eft {
        use doublecrunch::prelude::*;

        #[crunch]
        pub fn two_sum(a: DcDouble, b: DcDouble) -> DcDoubleDouble {
            DcDoubleDouble::new(a + b, b * 0.25)
        }
    }
}
#[crunch]
fn by_a_false_two_sum(x: DcDouble) -> DcDouble {
    let s = builtins::eft::two_sum(x, 0.1);
    s.hi + s.lo
}
#[crunch]
fn by_a_true_two_sum(x: DcDouble) -> DcDouble {
    let s = two_sum(x, 0.1);
    s.hi + s.lo
}
#[crunch]
fn sum(x: DcDouble) -> DcDouble {
    x + 0.1
}

#[test]
fn a_transformation_is_not_believed_by_its_name() {
    let lowered = |kernel| kernels_gen::lower(kernel).expect("it lowers");
    let truth = Truth::Program(lowered(<sum as CrunchFn>::KERNEL));
    let cell = Cell { lo: 1.25, hi: 1.5 };
    let bound = |kernel| bound_range(&lowered(kernel), &truth, &[cell], Effort::default()).bound;
    // The true one's error is that of the sum; the false one adds 0.025.
    let right = bound(<by_a_true_two_sum as CrunchFn>::KERNEL);
    assert!(right <= 0.51, "{right}");
    let wrong = bound(<by_a_false_two_sum as CrunchFn>::KERNEL);
    assert!(wrong >= 0.0249 / f64::EPSILON, "{wrong}");
}

/// The sum is a multiple of 2^-57 before its rounding to one of 2^-54, and the difference rounds that to one of 2^-53: where the first is a tie, the second is exact.
#[crunch]
fn tied(x: DcDouble) -> DcDouble {
    let t = x * 0.0517 + 0.343_75;
    1.0 - t
}

/// The last number is an odd multiple of 2^-54: a tie, whose result is even, is followed by another tie.
#[crunch]
fn tied_twice(x: DcDouble) -> DcDouble {
    let t = x * 0.0517 + 0.343_75;
    t + 0.499_999_999_999_999_94
}

/// Bounds of both, and the largest error of some thousand inputs, which are within a part of their smallest rounding of each other.
#[test]
fn a_tie_is_counted_where_the_next_operation_is_not_exact_for_it() {
    let cell = Cell {
        lo: 1.1,
        hi: step(1.1, (1 << 14) - 1, BINARY64),
    };
    let of = |kernel, most: f64| {
        let program = kernels_gen::lower(kernel).expect("it lowers");
        let mut total = Total::default();
        hold::over("tied", &program, cell, &mut Random::of(7, 7), &mut total);
        assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
        assert_eq!(total.bounded, 1, "{}", total.line());
        let truth = Truth::Program(program.clone());
        let bound = bound_range(&program, &truth, &[cell], Effort::default()).bound;
        let mut largest = 0.0;
        crate::columns::errors(&program, cell, &mut |_, e| largest = f64::max(largest, e))
            .expect("each input has an error");
        println!("{largest} of {bound}");
        assert!(largest <= bound && bound <= most, "{largest} {bound}");
        assert!(largest > bound - 0.02, "{largest} {bound}");
    };
    // 1/2, 3/16 and the product's 1/32; with the tie 1/4 in place of 3/16.
    of(<tied as CrunchFn>::KERNEL, 0.718_751);
    of(<tied_twice as CrunchFn>::KERNEL, 0.781_251);
}
