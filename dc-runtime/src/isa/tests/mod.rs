//! Conformance: every method of [`Isa`] on every instruction set, with several group widths, compared with the same
//! operation written with the standard library on one lane.
//!
//! A test is named after its level (`avx512_4`: four registers per group), so `cargo test avx512` runs the tests of one
//! instruction set. On a processor without the instructions it is skipped, unless `CRUNCH_REQUIRE` names the level;
//! skips are appended to the file that `CRUNCH_SKIP_LOG` names.

pub(crate) mod check;
mod directed;
pub(crate) mod lane;
mod meaning;
mod memory;
mod plain;
mod square;
mod tables;
mod units;
pub(crate) mod values;

use std::collections::BTreeSet;

use kernels_gen::skip::note;

use super::Isa;
use check::{check_rows, scale};
use values::Rng;

/// The token; or a note that the named test does not run here.
pub(crate) fn level<I: Isa>(test: &str) -> Option<I> {
    let isa = I::detect();
    if isa.is_none() {
        let required = std::env::var("CRUNCH_REQUIRE").unwrap_or_default();
        assert!(
            !required.split(',').any(|name| name.trim() == I::NAME),
            "CRUNCH_REQUIRE names {}, which this processor does not have",
            I::NAME
        );
        note(&format!("{test}: this processor has no {}", I::NAME));
    } else if scale() != 1 {
        println!("{test}: NOT all cases: DC_TEST_SCALE={}", scale());
    }
    isa
}

/// A test of every level for each named function `fn(impl Isa)`.
macro_rules! on_every_level {
    ($($test:ident = $f:path;)+) => {$(
        mod $test {
            #[allow(unused_imports, reason = "for the path of the function")]
            use super::*;
            $crate::isa::sets::for_each_isa! { [$crate::isa::tests::on_every_level!] @each $test ($f) }
        }
    )+};
    // One width per instruction set, for code that is built on its operations.
    (wide: $($test:ident = $f:path;)+) => {$(
        mod $test {
            use super::*;
            $crate::isa::sets::for_each_isa! { [$crate::isa::tests::on_every_level!] @wide $test ($f) }
        }
    )+};
    (@each $test:ident $f:tt $({
        $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt points $points:literal map $wide:literal
        search $n:literal $w:literal $m:literal chains $fused:literal $mixed:literal
        tests [$($each:ident $units:literal)+] $one:tt
    })+) => {
        $($($crate::isa::tests::on_every_level! { @level $test $f $each $token $units })+)+
    };
    (@wide $test:ident $f:tt $({
        $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt points $points:literal map $wide:literal
        search $n:literal $w:literal $m:literal chains $fused:literal $mixed:literal
        tests $each:tt [$one:ident $units:literal]
    })+) => {
        $($crate::isa::tests::on_every_level! { @level $test $f $one $token $units })+
    };
    (@level $test:ident ($f:path) $name:ident $isa:ident $units:literal) => {
        #[test]
        fn $name() {
            let test = concat!(module_path!(), "::", stringify!($name));
            if let Some(isa) = $crate::isa::tests::level::<$crate::isa::$isa<$units>>(test) {
                $f(isa);
            }
        }
    };
}
pub(crate) use on_every_level;

on_every_level! {
    operations = check_operations;
    fused = check_fused;
    in_a_direction = directed::check_directed;
    squares = square::check_squares;
    moves = memory::check_moves;
    iota = memory::check_iota;
    counts = memory::check_counts;
    look_ups = tables::check_all;
    cut = units::check_units;
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
    let source = include_str!("../mod.rs");
    let methods: BTreeSet<&str> = source
        .lines()
        .filter_map(|line| line.strip_prefix("    fn ")?.split_once("(self"))
        .map(|(name, _)| name)
        .filter(|&name| name != "call" && !name.starts_with("run<"))
        .chain(super::operations::NAMES.iter().copied())
        .collect();
    let tried: BTreeSet<&str> = meaning::NAMES
        .iter()
        .chain(memory::NAMES)
        .chain(tables::NAMES)
        .chain(units::NAMES)
        .chain(directed::NAMES)
        .copied()
        .collect();
    assert_eq!(methods, tried);
    assert!(methods.len() > 100, "{methods:?}");
}
