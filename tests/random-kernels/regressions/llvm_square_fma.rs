// LLVM takes `fma(x, x, c)` for a number that is never -0 and drops the addition (dc-runtime/src/isa/fence.rs).
// Kernel 86 of seed 20261121, made small by hand from `dd_mul(u, u).lo`, was +0 on scalar and avx2, -0 on the interpreter.
use doublecrunch::prelude::*;

#[crunch]
pub fn square_fma(x: DcDouble, c: DcDouble, y: DcFloat, d: DcFloat) -> (DcDouble, DcFloat) {
    (x.mul_add(x, c) + 0.0, y.mul_add(y, d) + 0.0)
}

#[crunch]
pub fn square_low(u: DcDoubleDouble, x: DcDouble, c: DcDouble, y: DcFloat, d: DcFloat) -> (DcDouble, (DcDouble, DcFloat)) {
    (dd_mul(u, u).lo, square_fma(x, c, y, d))
}

pub type Entry = square_low;
pub const COLUMNS: &[usize] = &[30, 31, 0, 1, 6, 7];
pub const INPUT: &[u64] = &[
    0x1e9d860a5161075e, 0x9b316167fc0a39b5, 0x1e643a244d3d6d8f, 0x8000000000000002, 0x1a64f876, 0x80000002,
];
