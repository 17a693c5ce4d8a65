//! The bound of a table-driven logarithm, which has an own program for each entry and each exponent.

use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::Cell;
use dc_exact::class::classify;
use dc_exact::law::{Law, Truth};

use crate::brute::program;
use crate::{largest, spread};

const LN: Truth = Truth::Law(Law::Ln);

/// The bits of 11/16, from which on the table's entries are counted.
const FIRST: u64 = 0x3fe6_0000_0000_0000;

/// The number of pairs of an exponent and a table's entry that inputs of a range have.
fn entries(lo: f64, hi: f64) -> usize {
    // The kernel scales subnormal numbers by 2^52.
    let bits = |x: f64| match x < f64::MIN_POSITIVE {
        true => (x * 2f64.powi(52)).to_bits() as i64 - (52 << 52),
        false => x.to_bits() as i64,
    };
    let of = |x: f64| (bits(x) - FIRST as i64) >> 45;
    (of(hi) - of(lo) + 1) as usize
}

/// Next to 1 another branch is taken. On a wide stretch it is not known to be taken or not, and its operations may
/// overflow; the stretch must not be cut where those change.
#[test]
fn cells_are_the_entries_of_the_table() {
    let program = program("log-table");
    for (lo, hi, others) in [
        (1e124, 1e150, 0),
        (1e-320, 1e-300, 0),
        // From 15/16 to 1 + 265/4096 the cells are one of the other branch.
        (
            1e-20,
            1e20,
            1 - entries(0.9375, 1.064_697_265_624_999_8) as i64,
        ),
        // 2^1024 z: the factor is subnormal.
        (1e307, f64::MAX, 0),
    ] {
        let most = 200_000;
        let found = classify(&program, &LN, &[Cell { lo, hi }], most);
        assert!(!found.exhausted && found.constant.is_empty() && found.special.is_empty());
        // One more at each end of the other branch, in which an entry's cell ends, and where subnormal numbers end.
        let due = entries(lo, hi) as i64 + others;
        let excess = found.classes.len() as i64 - due;
        assert!(
            (0..=2).contains(&excess),
            "{lo:e}..{hi:e}: {excess} more than {due}"
        );
        assert!(found.looked < 3 * due as u64 + 100, "{}", found.looked);
    }
}

/// A bound is at least each error that is found, over all exponents.
#[test]
fn the_bound_holds_for_all_exponents() {
    let program = program("log-table");
    for (lo, hi) in [
        (1e-323, 1e-308),
        (1e30, 1e31),
        (6.1e307, 6.3e307),
        (1.6e308, f64::MAX),
    ] {
        let bound = bound_range(&program, &LN, &[Cell { lo, hi }], Effort::default());
        let largest = largest(&program, &LN, spread(lo, hi));
        assert!(bound.special.is_empty() && !bound.unfinished);
        assert!(
            0.49 < largest && largest <= bound.bound && bound.bound < 0.5001,
            "{lo:e}..{hi:e}: {largest}, {}",
            bound.bound
        );
    }
}

/// Next to 1 the kernel splits a number in two for an exact square. The error of the first part cancels in the sum,
/// with its square; were it bounded by ranges, it would be an eighth of an ULP.
#[test]
fn the_error_of_a_number_that_is_split_cancels() {
    let program = program("log-table");
    let (lo, hi) = (0.9375, 1.0646);
    let bound = bound_range(&program, &LN, &[Cell { lo, hi }], Effort::default());
    let largest = largest(&program, &LN, spread(lo, hi));
    assert!(
        0.5 < largest && largest <= bound.bound && bound.bound < 0.5092,
        "{largest}, {}",
        bound.bound
    );
}
