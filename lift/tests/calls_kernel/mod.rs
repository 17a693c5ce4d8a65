//! `calls` of sample.c, lifted by `crunch lift`.
//!
//! LLVM IR by `clang -S -emit-llvm -O2 -g -fno-discard-value-names -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fno-builtin -fno-math-errno -w -ffp-contract=off -fno-inline`, FNV-1a 4ff4e4ea3100d67c654fc4ee63d6d56c.

use doublecrunch::prelude::*;
pub const K_0000000000000001: u64 = 0x1;
pub const K_0000000000000000: u64 = 0x0;
pub const K_FFFFFFFFFFFFFFFF: u64 = 0xffffffffffffffff;
pub const SHARED: [f64; 4] = [
    f64::from_bits(0x3fe0000000000000),
    f64::from_bits(0x3ff8000000000000),
    f64::from_bits(0xc004000000000000),
    f64::from_bits(0x400c000000000000),
];

/// `step`, sample.c:109.
#[crunch]
pub fn step(x: DcDouble, n: DcInt) -> DcDouble {
    let t = ((SHARED[(n & 3).to_i64()] * x) + SHARED[n.shr_logical(30).to_i64()]); // line 109
    t
}

/// `bits`, sample.c:7.
#[crunch]
pub fn bits(x: DcFloat) -> DcInt {
    x.to_bits()
}

/// `twice`, sample.c:110.
#[crunch]
pub fn twice(x: DcDouble) -> DcDouble {
    (x + x)
}

/// `both`, sample.c:111.
#[crunch]
pub fn both(x: DcDouble, y: DcDouble) -> (DcDouble, DcDouble) {
    let r = bits(x.to_f32()); // line 112
    let b = step((x + y), r); // line 112
    let b_2 = twice((x * y)); // line 112
    (b, b_2)
}

/// `rank`, sample.c:116.
#[crunch]
pub fn rank(x: DcDouble, n: DcInt) -> DcLong {
    let n_2 = (n & 255);
    let t = ((n_2 << 24) >> 24).to_f64(); // line 116
    let i: DcLong = (t < x).select(K_0000000000000001, K_0000000000000000); // line 116
    let i_2: DcLong = (t > x).select(K_FFFFFFFFFFFFFFFF, K_0000000000000000); // line 116
    (i_2 + i)
}

/// `calls`, sample.c:117.
#[crunch]
pub fn calls(x: DcDouble, n: DcInt) -> DcDouble {
    let r = step(x, n); // line 118
    let t = (r * 0.5); // line 119
    let (b, b_2) = both(t, x);
    let r_2 = rank(x, (n & 255)); // line 121
    let t_2 = (x > 1.0).select((b / b_2), (b + (SHARED[(n & 1).to_i64()] * r_2.to_f64()))); // line 121
    t_2
}
