//! The fused multiply-add of binary64.

use super::step::{signed_zero, step};
use super::{FloatOps, INFINITY, SIGN, ZERO, power};
use crate::ops::Direction;

/// Knuth's sum: `a + b` and its error, exactly, for operands far from overflow, in any order.
#[inline(always)]
fn two_sum<M: FloatOps>(m: &mut M, a: M::F64, b: M::F64) -> (M::F64, M::F64) {
    let s = m.add(a, b);
    let part = m.sub(s, a);
    let rest = m.sub(s, part);
    let (x, y) = (m.sub(a, rest), m.sub(b, part));
    (s, m.add(x, y))
}

/// A number as `x * 2^n` with `1 <= |x| < 2`. A zero stays zero, with an `n` below that of every other number.
#[inline(always)]
fn parts<M: FloatOps>(m: &mut M, x: M::F64) -> (M::F64, M::I64) {
    let (least, lift, zero) = (m.f64(power(-1022)), m.f64(power(54)), m.f64(ZERO));
    let size = m.abs(x);
    let subnormal = m.lt(size, least);
    let lifted = m.mul(x, lift);
    let y = m.select(subnormal, lifted, x);
    let bits = m.bits(y);
    let (fraction, one) = (m.i64(SIGN | (power(-1022) - 1)), m.i64(power(0)));
    let kept = m.and_i64(bits, fraction);
    let unit = m.or_i64(kept, one);
    let unit = m.of_bits(unit);
    let none = m.eq(x, zero);
    let unit = m.select(none, x, unit);
    let (field, plain, low) = (m.i64(0x7ff), m.i64(1023), m.i64(1023 + 54));
    let biased = m.shr_i64(bits, 52);
    let biased = m.and_i64(biased, field);
    let bias = m.select_i64(subnormal, low, plain);
    (unit, m.sub_i64(biased, bias))
}

/// Exponents may differ from the product's by at most this; larger differences are reduced to it.
const FAR: i64 = 300;

/// `x * 2^(n - base)`, where `x` is from `parts`, with the exponent clamped to ±[`FAR`].
#[inline(always)]
fn near<M: FloatOps>(m: &mut M, x: M::F64, n: M::I64, base: M::I64) -> M::F64 {
    let (least, most) = (m.i64(-FAR as u64), m.i64(FAR as u64));
    let n = m.sub_i64(n, base);
    let under = m.lt_i64(n, least);
    let n = m.select_i64(under, least, n);
    let over = m.lt_i64(most, n);
    let n = m.select_i64(over, most, n);
    let bias = m.i64(1023);
    let biased = m.add_i64(n, bias);
    let bits = m.shl_i64(biased, 52);
    let scale = m.of_bits(bits);
    m.mul(x, scale)
}

/// `a * b + c` in binary64, rounded once.
///
/// The residual has the sign of `P + C - R`, where everything is divided by the product's power of two. `P`, the product of two numbers of
/// `parts`, is zero, or between 1 and 4 and a multiple of `2^-104`. It is the unevaluated sum of two doubles. Adding `C` and `-R` by exact
/// sums gives an expansion of four doubles, whose largest nonzero component has the sign of the whole (Shewchuk, *Adaptive precision
/// floating-point arithmetic and fast robust geometric predicates*, 1997, theorem 10). Nothing depends on how `r` was rounded, so subnormal
/// results need no special treatment.
///
/// Exponents of `C` and `R` are clamped to within 300 of the product's, which does not change the sign:
/// - `C` far below: `P - R` is zero or at least `2^-105`, so only the sign of `C` matters, and only if `P = R`.
///   Here `R`, unless zero, is at least 1/4.
/// - `C` far above: the product is below a quarter of its last place, so `r = c`. `C` and `R` are scaled equally and cancel,
///   and the product's sign remains.
/// - In between, a nonzero `R` is at least `2^-105` and at most next to `C`: its exponent is not changed, or is changed
///   with that of `C`.
///
/// A zero product leaves `r = c`, for any exponent.
#[inline(always)]
pub fn fma_f64<M: FloatOps>(
    m: &mut M,
    direction: Direction,
    a: M::F64,
    b: M::F64,
    c: M::F64,
) -> M::F64 {
    let r = m.fma(a, b, c);
    let ((x, n_a), (y, n_b)) = (parts(m, a), parts(m, b));
    let ((z, n_c), (t, n_r)) = (parts(m, c), parts(m, r));
    let base = m.add_i64(n_a, n_b);
    let addend = near(m, z, n_c, base);
    let result = near(m, t, n_r, base);
    let result = m.neg(result);
    // The product as the expansion (p1, p2), smallest first.
    let p2 = m.mul(x, y);
    let rest = m.neg(p2);
    let p1 = m.fma(x, y, rest);
    // With the addend, the expansion (h1, h2, h3).
    let (q, h1) = two_sum(m, addend, p1);
    let (h3, h2) = two_sum(m, q, p2);
    // With the result, the expansion (g1, g2, g3, g4).
    let (q, g1) = two_sum(m, result, h1);
    let (q, g2) = two_sum(m, q, h2);
    let (g4, g3) = two_sum(m, q, h3);
    let zero = m.f64(ZERO);
    let none = m.eq(g2, zero);
    let e = m.select(none, g1, g2);
    let none = m.eq(g3, zero);
    let e = m.select(none, e, g3);
    let none = m.eq(g4, zero);
    let e = m.select(none, e, g4);
    // Only an overflow has a result without parts; for operands without parts there is nothing to decide.
    let infinity = m.f64(INFINITY);
    let (size, opposite) = (m.abs(r), m.neg(r));
    let overflow = m.eq(size, infinity);
    let e = m.select(overflow, opposite, e);
    let (size_a, size_b, size_c) = (m.abs(a), m.abs(b), m.abs(c));
    let (finite_a, finite_b) = (m.lt(size_a, infinity), m.lt(size_b, infinity));
    let finite_c = m.lt(size_c, infinity);
    let finite = m.and(finite_a, finite_b);
    let finite = m.and(finite, finite_c);
    let e = m.select(finite, e, zero);

    let (none, flat) = (m.eq(e, zero), m.eq(r, zero));
    let exact = m.and(none, flat);
    let (bits_a, bits_b, bits_c) = (m.bits(a), m.bits(b), m.bits(c));
    let product = m.xor_i64(bits_a, bits_b);
    let signs = m.or_i64(product, bits_c);
    let r = signed_zero(m, direction, exact, signs, r);
    step(m, direction, r, e)
}
