//! Kernels by hand, for what random ones do not reach.

use dc_exact::cell::Cell;
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;

use crate::hold::{self, Total};
use crate::random::Random;

/// 2^50: what is left of a number below 2 is a multiple of 1/4.
const COARSE: f64 = 1_125_899_906_842_624.0;

/// `t` is zero without roundings, and up to 1/8 with them: so a slope that is `t` as computed is far from the one in real
/// arithmetic, and what differs between both is a sixteenth of the error.
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
    // Where y goes from one multiple of 1/4 to the next: t is there what it is at most.
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
