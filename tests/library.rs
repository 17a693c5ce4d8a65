//! The library of double-doubles and polynomials on every backend of this machine, bit for bit.

#[path = "support/same_bits.rs"]
mod same_bits;
mod support;

use std::collections::BTreeSet;

use doublecrunch::backend::KernelRef;
use doublecrunch::builtins::KERNELS;
use doublecrunch::prelude::*;
use doublecrunch::search::key::Precision;
use doublecrunch::search::points::Points;
use doublecrunch::search::range::Range;
use kernels_gen::lower::lower;
use kernels_gen::program::Program;
use same_bits::same_bits;

/// Several kernels are combined into one here, so that compilers are started less often.
#[crunch]
fn transformations(
    a: DcDouble,
    b: DcDouble,
) -> (
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
) {
    (
        two_sum(a, b),
        fast_two_sum(a, b),
        two_prod(a, b),
        two_prod_dekker(a, b),
        veltkamp_split(a),
    )
}

#[crunch]
fn sums(
    x: DcDoubleDouble,
    y: DcDoubleDouble,
) -> (
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
) {
    (
        dd_add(x, y),
        dd_add_sloppy(x, y),
        dd_sub(x, y),
        dd_add_f64(x, y.hi),
        dd_mul_add(x, y, dd_neg(x)),
    )
}

#[crunch]
fn products(
    x: DcDoubleDouble,
    y: DcDoubleDouble,
) -> (
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
) {
    (
        dd_mul(x, y),
        dd_mul_sloppy(x, y),
        dd_mul_no_fma(x, y),
        dd_mul_f64(x, y.hi),
        dd_mul_f64_sloppy(x, y.hi),
        dd_mul_f64_no_fma(x, y.hi),
        dd_square(x),
        dd_scale(x, y.hi),
    )
}

#[crunch]
fn quotients(
    x: DcDoubleDouble,
    y: DcDoubleDouble,
) -> (
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
) {
    (
        dd_div(x, y),
        dd_div_accurate(x, y),
        dd_div_f64(x, y.hi),
        dd_recip(x.hi),
        dd_recip_dd(x),
    )
}

#[crunch]
fn roots(
    x: DcDoubleDouble,
) -> (
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
) {
    (
        dd_sqrt(x),
        dd_sqrt_f64(x.hi),
        dd_rsqrt(x),
        dd_rsqrt_f64(x.hi),
    )
}

#[crunch]
fn comparisons(
    x: DcDoubleDouble,
    y: DcDoubleDouble,
) -> (
    DcMask,
    DcMask,
    DcMask,
    DcMask,
    DcMask,
    DcMask,
    DcDoubleDouble,
) {
    (
        dd_lt(x, y),
        dd_le(x, y),
        dd_gt(x, y),
        dd_ge(x, y),
        dd_eq(x, y),
        dd_ne(x, y),
        dd_abs(x),
    )
}

#[crunch]
fn conversions(
    x: DcDoubleDouble,
) -> (
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDouble,
    DcFloat,
) {
    (
        dd_from_f64(x.hi),
        dd_from_f32(x.hi.to_f32()),
        dd_from_i64(x.hi.to_bits()),
        dd_to_f64(x),
        dd_to_f32(x),
    )
}

const C: [f64; 12] = [
    0.1, -0.3, 0.7, 1.1, -1.3, 1.7, 1.9, -2.3, 2.9, 3.1, -3.7, 4.1,
];
const C_F32: [f32; 4] = [0.1, 0.3, -0.7, 0.9];

#[crunch]
fn polynomials(
    x: DcDouble,
) -> (
    DcDouble,
    DcDouble,
    DcDouble,
    DcDouble,
    DcFloat,
    DcDoubleDouble,
    DcDoubleDouble,
    DcDoubleDouble,
) {
    (
        horner(x, &C),
        horner_no_fma(x, &C),
        even_odd(x, &C),
        estrin(x, &C),
        horner_f32(x.to_f32(), &C_F32),
        horner_compensated(x, &C),
        horner_compensated_no_fma(x, &C),
        horner_dd(x, &C),
    )
}

/// Doubles: special values with their neighbours, powers of two around 1 and 2^±480, then random ones.
fn doubles() -> Vec<f64> {
    let edges = Range::edges(Precision::F64);
    let keys = edges
        .spans()
        .iter()
        .flat_map(|s| s.first..=s.last)
        .step_by(16);
    let mut all: Vec<f64> = keys.map(|k| Precision::F64.value_of_key(k)).collect();
    let mut word = 1u64;
    for i in 0..4096 {
        word = word.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        let bits = word ^ word >> 29;
        // Random bits, every second one near 1.
        all.push(f64::from_bits(if i % 2 == 0 {
            bits
        } else {
            bits & 0x800f_ffff_ffff_ffff | 0x3ff0_0000_0000_0000
        }));
    }
    all
}

/// Columns for a kernel with these numbers of double-double and double parameters: normalised pairs for the most part, some not.
fn columns(doubles: &[f64], double_doubles: usize, singles: usize) -> Vec<Vec<u64>> {
    let n = doubles.len();
    let mut columns = Vec::new();
    for k in 0..double_doubles {
        let hi = |i: usize| doubles[(i * (2 * k + 1) + 7 * k) % n];
        let lo = |i: usize| match i % 5 {
            0 => doubles[(i + 3) % n],
            1 => 0.0,
            _ => hi(i) * doubles[(i * 3 + 1) % n].clamp(-1.0, 1.0) * f64::EPSILON / 2.0,
        };
        columns.push((0..n).map(|i| hi(i).to_bits()).collect());
        columns.push((0..n).map(|i| lo(i).to_bits()).collect());
    }
    for k in 0..singles {
        columns.push(
            (0..n)
                .map(|i| doubles[(i * (2 * k + 1) + 5 * k) % n].to_bits())
                .collect(),
        );
    }
    columns
}

/// A kernel, prepared, and its numbers of double-double and double parameters.
fn kernels() -> Vec<(KernelRef, usize, usize)> {
    vec![
        (KernelRef::of::<transformations>(), 0, 2),
        (KernelRef::of::<sums>(), 2, 0),
        (KernelRef::of::<products>(), 2, 0),
        (KernelRef::of::<quotients>(), 2, 0),
        (KernelRef::of::<roots>(), 1, 0),
        (KernelRef::of::<comparisons>(), 2, 0),
        (KernelRef::of::<conversions>(), 1, 0),
        (KernelRef::of::<polynomials>(), 0, 1),
    ]
}

fn program(kernel: &KernelRef) -> Program {
    lower(kernel.kernel).unwrap_or_else(|e| panic!("{}: {e}", kernel.kernel.name))
}

#[test]
fn every_backend_gives_the_same_bits() {
    let backends = support::backends("library", "all");
    let doubles = doubles();
    for (kernel, dd, f64s) in kernels() {
        let columns = columns(&doubles, dd, f64s);
        let points = Points::given(&kernel, columns).expect("a kernel");
        same_bits(&kernel, &points, &backends);
    }
}

/// Every kernel of the library is called above.
#[test]
fn none_is_left_out() {
    let mut called = BTreeSet::new();
    for (kernel, ..) in kernels() {
        called.extend(program(&kernel).funcs.iter().map(|f| f.origin.name.clone()));
    }
    let mut library = 0;
    for k in KERNELS {
        if ["::builtins::eft", "::builtins::dd"]
            .iter()
            .any(|m| k.module.contains(m))
        {
            library += 1;
            assert!(called.contains(k.name), "{} is not compared", k.name);
        }
    }
    assert!(library > 35, "{library}");
}
