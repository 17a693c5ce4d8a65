//! Tables of every element type, with lengths that wrap and lengths that clamp, indexed by lanes of both widths.

use doublecrunch::prelude::*;

use crate::check::kernels;

const F64: [f64; 8] = [
    0.1,
    -0.0,
    2.5,
    f64::INFINITY,
    5e-324,
    -7.0,
    f64::MAX,
    f64::NAN,
];
const F32: [f32; 5] = [0.1, -0.0, 1e-45, f32::NEG_INFINITY, 3.0];
const I64: &[i64] = &[i64::MIN, -1, i64::MAX];
static U64: [u64; 4] = [0, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef];
static I32: [i32; 1] = [-5];
const U32: &[u32; 7] = &[0, u32::MAX, 1 << 31, 3, 4, 5, 6];

#[crunch]
fn by_long(i: DcLong) -> (DcDouble, DcFloat, DcLong, DcLong, DcInt, DcInt) {
    (F64[i], F32[i], I64[i], U64[i], I32[i], U32[i])
}

#[crunch]
fn by_int(i: DcInt) -> (DcDouble, DcFloat, DcLong, DcLong, DcInt, DcInt) {
    (F64[i], F32[i], I64[i], U64[i], I32[i], U32[i])
}

/// One helper with two tables: two functions in the emitted text.
#[crunch]
fn nearest(i: DcLong, t: &[f64]) -> DcDouble {
    t[i] + t[i + 1] * t[t.len() - 1]
}

const THREE: [f64; 3] = [1.0, 2.0, 4.0];

#[crunch]
fn passed(i: DcLong) -> (DcDouble, DcDouble) {
    (nearest(i, &F64), nearest(i, &THREE))
}

/// The element that index `i` selects: modulo a power of two, else the nearest valid index.
fn at<T: Copy>(table: &[T], i: i64) -> T {
    let n = table.len() as i64;
    let i = if n.count_ones() == 1 {
        i & (n - 1)
    } else {
        i.clamp(0, n - 1)
    };
    table[i as usize]
}

fn row(i: i64) -> (f64, f32, i64, i64, i32, i32) {
    let (long, int) = (at(&U64, i) as i64, at(U32, i) as i32);
    (at(&F64, i), at(&F32, i), at(I64, i), long, at(&I32, i), int)
}

fn sum(i: i64, t: &[f64]) -> f64 {
    at(t, i) + at(t, i.wrapping_add(1)) * t[t.len() - 1]
}

kernels! {
    indexed_by_longs: by_long = |(i,)| row(i);
    indexed_by_ints: by_int = |(i,)| row(i.into());
    tables_as_arguments: passed = |(i,)| (sum(i, &F64), sum(i, &THREE));
}
