//! Conformance: every method of `Isa` on every instruction set, with several group widths, compared with the same
//! operation written with the standard library on one lane; and the language on it (`language.rs`).
//!
//! This crate has the layers of `dc-runtime` below the kernels as modules of its own, from the same source: their tests need what these do not
//! show to others, and are half of what the runtime's tests would compile. It is a package of its own, not a test of that one, for which
//! cargo would compile the whole library as well, for each target.

#![cfg(test)]
// The layers have more than their tests use.
#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "used by the rest of the crate"
)]
#![allow(missing_docs, reason = "documented where the crate has them")]

#[path = "../../../dc-runtime/src/isa/mod.rs"]
pub mod isa;
#[path = "../../../dc-runtime/src/kernel.rs"]
pub mod kernel;
#[path = "../../../dc-runtime/src/ops/mod.rs"]
pub mod ops;
#[path = "../../../dc-runtime/src/types/mod.rs"]
pub mod types;

mod check;
mod choices;
mod directed;
mod halves;
mod lane;
mod language;
mod meaning;
mod memory;
mod plain;
mod square;
mod tables;
#[cfg(feature = "search")]
mod tally;
mod units;
mod values;

use std::collections::BTreeSet;

use check::check_rows;
use isa::Isa;
use isa::tests::{on_every_level, scale};
use values::Rng;

on_every_level! {
    operations = check_operations;
    fused = check_fused;
    in_a_direction = directed::check_directed;
    squares = square::check_squares;
    choices_of_zeros = choices::check_choices;
    moves = memory::check_moves;
    iota = memory::check_iota;
    counts = memory::check_counts;
    look_ups = tables::check_all;
    cut = units::check_units;
    conversions_of_halves = halves::check_halves;
}

fn check_operations<I: Isa>(isa: I) {
    let wrong = meaning::check_all(isa);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Cases in which `fma` differs from two roundings, and in which the sign of a tiny addend decides a tie; the latter
/// with results computed in integers.
fn check_fused<I: Isa>(isa: I) {
    let rng = &mut Rng::new(4);
    let n = (4096 / scale()).next_multiple_of(I::LANES);
    let odd = |rng: &mut Rng, bits: u32| 1 << (bits - 1) | rng.below(1 << (bits - 1)) | 1;
    let mut ties = Vec::new();
    while ties.len() < n {
        // A product of 54 bits, the last of them one: half an ULP.
        let (a, b) = (odd(rng, 27), odd(rng, 27));
        let product = a * b;
        if product >> 53 == 1 {
            let (tiny, want) = match rng.below(2) {
                0 => (1e-300, product + 1),
                _ => (-1e-300, product - 1),
            };
            let (a, b) = (a as f64, b as f64);
            assert_eq!(a.mul_add(b, tiny), want as f64, "the oracle");
            ties.push([a, b, tiny].map(f64::to_bits));
        }
    }
    let mut cancelling = Vec::new();
    let mut cancelling_f32 = Vec::new();
    let mut inexact = 0;
    for _ in 0..n {
        let (a, b) = (odd(rng, 53) as f64, odd(rng, 53) as f64);
        inexact += usize::from(a.mul_add(b, -(a * b)) != 0.0);
        cancelling.push([a, b, -(a * b)].map(f64::to_bits));
        let (a, b) = (odd(rng, 24) as f32, odd(rng, 24) as f32);
        cancelling_f32.push([a, b, -(a * b)].map(|x| u64::from(x.to_bits())));
    }
    assert!(inexact > n / 2);
    for wrong in [
        check_rows::<meaning::fma_f64, I>(isa, &ties),
        check_rows::<meaning::fma_f64, I>(isa, &cancelling),
        check_rows::<meaning::fma_f32, I>(isa, &cancelling_f32),
    ] {
        wrong.unwrap_or_else(|e| panic!("{e}"));
    }
}

/// A method without a test fails here.
#[test]
fn every_method_is_tried() {
    let source = include_str!("../../../dc-runtime/src/isa/mod.rs");
    let methods: BTreeSet<&str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("    fn ")?.split_once("(self"))
        .map(|(name, _)| name)
        .filter(|&name| name != "call" && !name.starts_with("run<"))
        .chain(isa::operations::NAMES.iter().copied())
        .collect();
    let tried: BTreeSet<&str> = meaning::NAMES
        .iter()
        .chain(memory::NAMES)
        .chain(tables::NAMES)
        .chain(units::NAMES)
        .chain(halves::NAMES)
        .chain(directed::NAMES)
        .copied()
        .collect();
    assert_eq!(methods, tried);
    assert!(methods.len() > 100, "{methods:?}");
}
