//! The operations of binary64, except the fused multiply-add.

use super::step::{signed_zero, step};
use super::{FloatOps, SIGN, ZERO, power};
use crate::ops::Direction;

/// `a + b` and a number with the sign of its residual.
///
/// With `|big| >= |small|` the three operations are Dekker's fast sum, whose error term is exact. Sums and differences of binary64 do not
/// underflow. With the larger operand first, nothing overflows unless the sum does; then `r` and `part` are infinite, and the error is the
/// opposite infinity.
#[inline(always)]
pub(super) fn sum<M: FloatOps>(m: &mut M, a: M::F64, b: M::F64) -> (M::F64, M::F64) {
    let (size_a, size_b) = (m.abs(a), m.abs(b));
    let less = m.lt(size_a, size_b);
    let (big, small) = (m.select(less, b, a), m.select(less, a, b));
    let r = m.add(a, b);
    let part = m.sub(r, big);
    (r, m.sub(small, part))
}

/// `a + b` in binary64.
#[inline(always)]
pub fn add_f64<M: FloatOps>(m: &mut M, direction: Direction, a: M::F64, b: M::F64) -> M::F64 {
    let (r, e) = sum(m, a, b);
    // A sum does not underflow, so zero is exact.
    let zero = m.f64(ZERO);
    let exact = m.eq(r, zero);
    let (bits_a, bits_b) = (m.bits(a), m.bits(b));
    let signs = m.or_i64(bits_a, bits_b);
    let r = signed_zero(m, direction, exact, signs, r);
    step(m, direction, r, e)
}

/// `a * b` in binary64.
///
/// The residual `a * b - r` is a multiple of `2^-107` times the product, so it does not vanish if `|r| >= 2^-500`. For smaller `|r|`, one
/// factor and `r` are multiplied by `2^200`. The smaller factor is then below `2^-250`, so nothing overflows, and multiplying upward is
/// also exact for subnormals. A nonzero `r` is at least `2^-1074`, and the residual is a multiple of `2^-1180`, or scaled `2^-980`. If `r`
/// is zero and no factor is, the residual has the sign of the product.
#[inline(always)]
pub fn mul_f64<M: FloatOps>(m: &mut M, direction: Direction, a: M::F64, b: M::F64) -> M::F64 {
    let r = m.mul(a, b);
    let (one, zero) = (m.f64(power(0)), m.f64(ZERO));
    let (scale, bound) = (m.f64(power(200)), m.f64(power(-500)));
    let size = m.abs(r);
    let tiny = m.lt(size, bound);
    let k = m.select(tiny, scale, one);
    let (size_a, size_b) = (m.abs(a), m.abs(b));
    let less = m.lt(size_a, size_b);
    let (small, large) = (m.select(less, a, b), m.select(less, b, a));
    let (small_k, r_k) = (m.mul(small, k), m.mul(r, k));
    let minus = m.neg(r_k);
    let e = m.fma(small_k, large, minus);
    let (flushed, factor) = (m.eq(r, zero), m.abs(small));
    let nonzero = m.lt(zero, factor);
    let lost = m.and(flushed, nonzero);
    let (bits, unit, sign) = (m.bits(r), m.i64(power(0)), m.i64(SIGN));
    let bits = m.and_i64(bits, sign);
    let bits = m.or_i64(bits, unit);
    let signed = m.of_bits(bits);
    let e = m.select(lost, signed, e);
    step(m, direction, r, e)
}

/// `a / b` in binary64.
///
/// With the sign of `b` moved to `a`, the residual has the sign of `a - r * b`, a multiple of `2^-107` times `a`. It does not vanish if
/// `|a| >= 2^-900`. For smaller `|a|`, `a` is multiplied by `2^200`, and so is the smaller of `r` and `b`. Their product is next to `a`, so
/// nothing overflows. The smallest `a` gives a multiple of `2^-981`.
#[inline(always)]
pub fn div_f64<M: FloatOps>(m: &mut M, direction: Direction, a: M::F64, b: M::F64) -> M::F64 {
    let (bits_a, bits_b, sign) = (m.bits(a), m.bits(b), m.i64(SIGN));
    let flip = m.and_i64(bits_b, sign);
    let bits = m.xor_i64(bits_a, flip);
    let (a, b) = (m.of_bits(bits), m.abs(b));
    let r = m.div(a, b);
    let (one, scale, bound) = (m.f64(power(0)), m.f64(power(200)), m.f64(power(-900)));
    let size_a = m.abs(a);
    let tiny = m.lt(size_a, bound);
    let k = m.select(tiny, scale, one);
    let size = m.abs(r);
    let less = m.lt(size, b);
    let (small, large) = (m.select(less, r, b), m.select(less, b, r));
    let (small_k, a_k) = (m.mul(small, k), m.mul(a, k));
    let minus = m.neg(small_k);
    let e = m.fma(minus, large, a_k);
    step(m, direction, r, e)
}

/// The square root in binary64.
///
/// The residual has the sign of `a - r * r`, a multiple of `2^-107` times `a`. Below `2^-900`, `a` is multiplied by
/// `2^200` and `r`, which is never subnormal, by `2^100`.
#[inline(always)]
pub fn sqrt_f64<M: FloatOps>(m: &mut M, direction: Direction, a: M::F64) -> M::F64 {
    let r = m.sqrt(a);
    let (one, bound) = (m.f64(power(0)), m.f64(power(-900)));
    let (scale_a, scale_r) = (m.f64(power(200)), m.f64(power(100)));
    let tiny = m.lt(a, bound);
    let (k_a, k_r) = (m.select(tiny, scale_a, one), m.select(tiny, scale_r, one));
    let (a_k, r_k) = (m.mul(a, k_a), m.mul(r, k_r));
    let minus = m.neg(r_k);
    let e = m.fma(minus, r_k, a_k);
    step(m, direction, r, e)
}
