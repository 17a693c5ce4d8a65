//! `sample` of sample.c, lifted by `crunch lift`.
//!
//! LLVM IR by `clang -S -emit-llvm -O2 -g1 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fno-builtin -fno-math-errno -w -ffp-contract=off`, FNV-1a 5f934cf16880512d4a964b9eb1bdd7bc.

use doublecrunch::prelude::*;
pub const TABLE: [f64; 8] = [
    f64::from_bits(0x3ff0000000000000),
    f64::from_bits(0x3ff8000000000000),
    f64::from_bits(0x4000000000000000),
    f64::from_bits(0x4004000000000000),
    f64::from_bits(0x4008000000000000),
    f64::from_bits(0x400c000000000000),
    f64::from_bits(0x4010000000000000),
    f64::from_bits(0x4014000000000000),
];

/// `sample`, sample.c:14.
#[crunch]
pub fn sample(p0: DcFloat) -> DcFloat {
    let i = p0.to_bits(); // line 17
    let t = ((((((p0.to_f64() * 1.0) + 1.0) * 1.5) + 1.0) * 2.0) + 1.0); // line 21
    let t_2 = (((t * 2.5) + 1.0) + TABLE[(i & 7).to_i64()]).to_f32(); // line 22
    let t_3 = (p0 < 0.0).select(
        (p0 * (-2.0)),
        ((i ^ (-2147483648)) > (-16777216)).select((p0 / 3.0), t_2),
    ); // line 16
    t_3
}
