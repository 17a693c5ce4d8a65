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
macro_rules! together {
    ($($name:ident($($x:ident: $t:ident),+): $($f:ident $args:tt => $result:ident),+;)+) => {$(
        #[crunch]
        fn $name($($x: $t),+) -> ($($result),+) {
            ($($f $args),+)
        }
    )+};
}

const C: [f64; 12] = [
    0.1, -0.3, 0.7, 1.1, -1.3, 1.7, 1.9, -2.3, 2.9, 3.1, -3.7, 4.1,
];
const C_F32: [f32; 4] = [0.1, 0.3, -0.7, 0.9];

together! {
    transformations(a: DcDouble, b: DcDouble):
        two_sum(a, b) => DcDoubleDouble, fast_two_sum(a, b) => DcDoubleDouble,
        two_prod(a, b) => DcDoubleDouble, two_prod_dekker(a, b) => DcDoubleDouble,
        veltkamp_split(a) => DcDoubleDouble;
    sums(x: DcDoubleDouble, y: DcDoubleDouble):
        dd_add(x, y) => DcDoubleDouble, dd_add_sloppy(x, y) => DcDoubleDouble,
        dd_sub(x, y) => DcDoubleDouble, dd_add_f64(x, y.hi) => DcDoubleDouble,
        dd_mul_add(x, y, dd_neg(x)) => DcDoubleDouble;
    products(x: DcDoubleDouble, y: DcDoubleDouble):
        dd_mul(x, y) => DcDoubleDouble, dd_mul_sloppy(x, y) => DcDoubleDouble,
        dd_mul_no_fma(x, y) => DcDoubleDouble, dd_mul_f64(x, y.hi) => DcDoubleDouble,
        dd_mul_f64_sloppy(x, y.hi) => DcDoubleDouble, dd_mul_f64_no_fma(x, y.hi) => DcDoubleDouble,
        dd_square(x) => DcDoubleDouble, dd_scale(x, y.hi) => DcDoubleDouble;
    quotients(x: DcDoubleDouble, y: DcDoubleDouble):
        dd_div(x, y) => DcDoubleDouble, dd_div_accurate(x, y) => DcDoubleDouble,
        dd_div_f64(x, y.hi) => DcDoubleDouble, dd_recip(x.hi) => DcDoubleDouble,
        dd_recip_dd(x) => DcDoubleDouble;
    roots(x: DcDoubleDouble):
        dd_sqrt(x) => DcDoubleDouble, dd_sqrt_f64(x.hi) => DcDoubleDouble,
        dd_rsqrt(x) => DcDoubleDouble, dd_rsqrt_f64(x.hi) => DcDoubleDouble;
    comparisons(x: DcDoubleDouble, y: DcDoubleDouble):
        dd_lt(x, y) => DcMask, dd_le(x, y) => DcMask, dd_gt(x, y) => DcMask, dd_ge(x, y) => DcMask,
        dd_eq(x, y) => DcMask, dd_ne(x, y) => DcMask, dd_abs(x) => DcDoubleDouble;
    conversions(x: DcDoubleDouble):
        dd_from_f64(x.hi) => DcDoubleDouble, dd_from_f32(x.hi.to_f32()) => DcDoubleDouble,
        dd_from_i64(x.hi.to_bits()) => DcDoubleDouble, dd_to_f64(x) => DcDouble,
        dd_to_f32(x) => DcFloat;
    polynomials(x: DcDouble):
        horner(x, &C) => DcDouble, horner_no_fma(x, &C) => DcDouble, even_odd(x, &C) => DcDouble,
        estrin(x, &C) => DcDouble, horner_f32(x.to_f32(), &C_F32) => DcFloat,
        horner_compensated(x, &C) => DcDoubleDouble,
        horner_compensated_no_fma(x, &C) => DcDoubleDouble, horner_dd(x, &C) => DcDoubleDouble;
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
