//! `sample` of sample.c, lifted by `crunch lift`.
//!
//! LLVM IR by `clang -S -emit-llvm -O2 -g -fno-discard-value-names -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fno-builtin -fno-math-errno -w -ffp-contract=off`, FNV-1a c6c8163597aacbbd84e6521b38cbcc59.

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
pub fn sample(x: DcFloat) -> DcFloat {
    let i = x.to_bits(); // line 17
    let y = x.to_f64(); // line 19
    let y_2 = ((y * 1.0) + 1.0); // line 21
    let y_3 = ((y_2 * 1.5) + 1.0); // line 21
    let y_4 = ((y_3 * 2.0) + 1.0); // line 21
    let y_5 = ((y_4 * 2.5) + 1.0); // line 21
    let t = ((i ^ (-2147483648)) > (-16777216))
        .select((x / 3.0), (y_5 + TABLE[(i & 7).to_i64()]).to_f32()); // line 16
    (x < 0.0).select((x * (-2.0)), t)
}
