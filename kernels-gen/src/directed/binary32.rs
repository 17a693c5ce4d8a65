//! The operations of binary32, computed in binary64.

use super::binary64::sum;
use super::step::{narrow, signed_zero};
use super::{FloatOps, SIGN, ZERO};
use crate::ops::Direction;

/// `a + b` of two binary64 numbers, as binary32. Neither they nor their sum are near the limits of binary64.
#[inline(always)]
fn add_narrow<M: FloatOps>(m: &mut M, direction: Direction, a: M::F64, b: M::F64) -> M::F32 {
    let (v, e) = sum(m, a, b);
    let zero = m.f64(ZERO);
    let exact = m.eq(v, zero);
    let (bits_a, bits_b) = (m.bits(a), m.bits(b));
    let signs = m.or_i64(bits_a, bits_b);
    let v = signed_zero(m, direction, exact, signs, v);
    narrow(m, direction, v, e)
}

/// `a + b` in binary32.
#[inline(always)]
pub fn add_f32<M: FloatOps>(m: &mut M, direction: Direction, a: M::F32, b: M::F32) -> M::F32 {
    let (a, b) = (m.widen(a), m.widen(b));
    add_narrow(m, direction, a, b)
}

/// `a * b` in binary32: the product is exact in binary64.
#[inline(always)]
pub fn mul_f32<M: FloatOps>(m: &mut M, direction: Direction, a: M::F32, b: M::F32) -> M::F32 {
    let (a, b) = (m.widen(a), m.widen(b));
    let (v, e) = (m.mul(a, b), m.f64(ZERO));
    narrow(m, direction, v, e)
}

/// `a / b` in binary32: quotients of such numbers and their residuals are far from the limits of binary64.
#[inline(always)]
pub fn div_f32<M: FloatOps>(m: &mut M, direction: Direction, a: M::F32, b: M::F32) -> M::F32 {
    let (a, b) = (m.widen(a), m.widen(b));
    let (bits_a, bits_b, sign) = (m.bits(a), m.bits(b), m.i64(SIGN));
    let flip = m.and_i64(bits_b, sign);
    let bits = m.xor_i64(bits_a, flip);
    let (a, b) = (m.of_bits(bits), m.abs(b));
    let v = m.div(a, b);
    let minus = m.neg(v);
    let e = m.fma(minus, b, a);
    narrow(m, direction, v, e)
}

/// The square root in binary32.
#[inline(always)]
pub fn sqrt_f32<M: FloatOps>(m: &mut M, direction: Direction, a: M::F32) -> M::F32 {
    let a = m.widen(a);
    let v = m.sqrt(a);
    let minus = m.neg(v);
    let e = m.fma(minus, v, a);
    narrow(m, direction, v, e)
}

/// `a * b + c` in binary32, rounded once: an exact product in binary64, and a sum.
#[inline(always)]
pub fn fma_f32<M: FloatOps>(
    m: &mut M,
    direction: Direction,
    a: M::F32,
    b: M::F32,
    c: M::F32,
) -> M::F32 {
    let (a, b, c) = (m.widen(a), m.widen(b), m.widen(c));
    let product = m.mul(a, b);
    add_narrow(m, direction, product, c)
}
