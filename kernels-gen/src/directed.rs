//! Directed roundings made of operations that round to nearest: the one derivation for instruction sets and languages
//! that have no instruction for them.
//!
//! A result `r` rounded to nearest is one of the two neighbours of the exact value, or it is the exact value. So the
//! directed result is `r` or the number next to it, and the *sign of the residual*, exact value minus `r`, tells which.
//! Each function here computes a number with that sign; magnitudes do not matter, so a residual may be scaled by a
//! power of two and may be rounded, as long as it neither overflows nor vanishes. That is what the scalings are for.
//!
//! Where an operand is an infinity or a NaN, or a divisor is zero, `r` is the result in every direction, and the
//! residual comes out as NaN (an infinity less itself), which is neither above nor below. Where finite operands
//! overflow, `r` is an infinity and the residual an infinity of the other sign, which leads back to the largest finite
//! number.
//!
//! The derivation is written over a [`Machine`]: the instruction sets of the runtime are machines that compute, an
//! emitter is one that writes statements. The interpreter does *not* use it: it is what this is held against.

use crate::ops::Direction;

/// Something that has the operations of which directed roundings are made: those of the language, rounded to nearest
/// where they round.
#[allow(
    missing_docs,
    reason = "each is the operation of its name in docs/operations.md"
)]
pub trait Machine {
    type F64: Copy;
    type F32: Copy;
    type I64: Copy;
    type I32: Copy;
    type Mask: Copy;

    fn f64(&mut self, bits: u64) -> Self::F64;
    fn add(&mut self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn sub(&mut self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn mul(&mut self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn div(&mut self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn fma(&mut self, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64;
    fn sqrt(&mut self, a: Self::F64) -> Self::F64;
    fn neg(&mut self, a: Self::F64) -> Self::F64;
    fn abs(&mut self, a: Self::F64) -> Self::F64;
    fn lt(&mut self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn eq(&mut self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn select(&mut self, m: Self::Mask, a: Self::F64, b: Self::F64) -> Self::F64;
    fn bits(&mut self, a: Self::F64) -> Self::I64;
    fn of_bits(&mut self, a: Self::I64) -> Self::F64;

    fn i64(&mut self, bits: u64) -> Self::I64;
    fn add_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn sub_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn and_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn or_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn xor_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// Zeros come in.
    fn shr_i64(&mut self, a: Self::I64, by: u32) -> Self::I64;
    fn shl_i64(&mut self, a: Self::I64, by: u32) -> Self::I64;
    /// Signed.
    fn lt_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::Mask;
    fn select_i64(&mut self, m: Self::Mask, a: Self::I64, b: Self::I64) -> Self::I64;

    fn widen(&mut self, a: Self::F32) -> Self::F64;
    fn narrow(&mut self, a: Self::F64) -> Self::F32;
    fn bits_f32(&mut self, a: Self::F32) -> Self::I32;
    fn f32_of_bits(&mut self, a: Self::I32) -> Self::F32;
    fn i32(&mut self, bits: u32) -> Self::I32;
    fn add_i32(&mut self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn sub_i32(&mut self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn and_i32(&mut self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Zeros come in.
    fn shr_i32(&mut self, a: Self::I32, by: u32) -> Self::I32;
    fn select_i32(&mut self, m: Self::Mask, a: Self::I32, b: Self::I32) -> Self::I32;

    fn and(&mut self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn or(&mut self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
}

const SIGN: u64 = 1 << 63;
const ZERO: u64 = 0;
const INFINITY: u64 = 0x7ff << 52;

/// Bits of `2^n`, a normal number.
const fn power(n: i64) -> u64 {
    ((n + 1023) as u64) << 52
}

/// `a + b` and a number with the sign of its residual.
///
/// With `|big| >= |small|` the three operations are Dekker's fast sum, whose error term is exact: sums and differences
/// of binary64 do not underflow, and with the larger operand first nothing overflows unless the sum does (then `r` is
/// infinite, `part` too, and the error is the opposite infinity).
#[inline(always)]
fn sum<M: Machine>(m: &mut M, a: M::F64, b: M::F64) -> (M::F64, M::F64) {
    let (size_a, size_b) = (m.abs(a), m.abs(b));
    let less = m.lt(size_a, size_b);
    let (big, small) = (m.select(less, b, a), m.select(less, a, b));
    let r = m.add(a, b);
    let part = m.sub(r, big);
    (r, m.sub(small, part))
}

/// Knuth's sum: `a + b` and its error, exactly; for operands far from overflow, in any order.
#[inline(always)]
fn two_sum<M: Machine>(m: &mut M, a: M::F64, b: M::F64) -> (M::F64, M::F64) {
    let s = m.add(a, b);
    let part = m.sub(s, a);
    let rest = m.sub(s, part);
    let (x, y) = (m.sub(a, rest), m.sub(b, part));
    (s, m.add(x, y))
}

/// `r`, or if it is an exact zero the zero that a sum gives under that direction: rounding to nearest gives -0 for two
/// negative zeros only, rounding down gives +0 for two positive ones only. `zero` says where the zero is exact, `signs`
/// has the sign bit set where one of the addends has.
#[inline(always)]
fn signed_zero<M: Machine>(
    m: &mut M,
    direction: Direction,
    zero: M::Mask,
    signs: M::I64,
    r: M::F64,
) -> M::F64 {
    if direction != Direction::Down {
        return r;
    }
    let sign = m.i64(SIGN);
    let bits = m.and_i64(signs, sign);
    let exact = m.of_bits(bits);
    m.select(zero, exact, r)
}

/// The result: `r`, or the number next to it in the direction, if the exact value is `above` or `below` it.
///
/// On the bits of a number away from zero is one up, for either sign: from the largest finite number to infinity, from
/// the largest subnormal to the smallest normal one. A zero `r` with a residual has the sign of the exact value.
#[inline(always)]
fn step<M: Machine>(m: &mut M, direction: Direction, r: M::F64, e: M::F64) -> M::F64 {
    let zero = m.f64(ZERO);
    let (above, below) = (m.lt(zero, e), m.lt(e, zero));
    let bits = m.bits(r);
    let none = m.i64(0);
    let bits = match direction {
        Direction::Zero => {
            let inward = inward(m, r, above, below);
            let one = m.i64(1);
            let by = m.select_i64(inward, one, none);
            m.sub_i64(bits, by)
        }
        _ => {
            // 1 for positive numbers, -1 for negative ones: up, in steps of the bits.
            let (one, two) = (m.i64(1), m.i64(2));
            let top = m.shr_i64(bits, 62);
            let top = m.and_i64(top, two);
            let up = m.sub_i64(one, top);
            if direction == Direction::Up {
                let by = m.select_i64(above, up, none);
                m.add_i64(bits, by)
            } else {
                let by = m.select_i64(below, up, none);
                m.sub_i64(bits, by)
            }
        }
    };
    m.of_bits(bits)
}

/// Whether the exact value is nearer to zero than `r`.
#[inline(always)]
fn inward<M: Machine>(m: &mut M, r: M::F64, above: M::Mask, below: M::Mask) -> M::Mask {
    let zero = m.f64(ZERO);
    let (negative, positive) = (m.lt(r, zero), m.lt(zero, r));
    let (from_below, from_above) = (m.and(negative, above), m.and(positive, below));
    m.or(from_below, from_above)
}

/// `v + e` as binary32, where `v` is the sum rounded to binary64 and `e` is no more than its residual.
///
/// `r`, `v` rounded once more, is a neighbour of the exact value too (or equal to it): what lies strictly between two
/// binary32 numbers, rounded to binary64, lies between them or on one of them. Where `r` is not `v`, the two differ by
/// more than the exact value and `v` do, so their order is that of the exact value and `r`; where it is, the sign of
/// `e` decides.
#[inline(always)]
fn narrow<M: Machine>(m: &mut M, direction: Direction, v: M::F64, e: M::F64) -> M::F32 {
    let zero = m.f64(ZERO);
    let r = m.narrow(v);
    let back = m.widen(r);
    let same = m.eq(back, v);
    let (more, less) = (m.lt(back, v), m.lt(v, back));
    let (plus, minus) = (m.lt(zero, e), m.lt(e, zero));
    let (plus, minus) = (m.and(same, plus), m.and(same, minus));
    let (above, below) = (m.or(more, plus), m.or(less, minus));
    let bits = m.bits_f32(r);
    let none = m.i32(0);
    let bits = match direction {
        Direction::Zero => {
            let inward = inward(m, back, above, below);
            let one = m.i32(1);
            let by = m.select_i32(inward, one, none);
            m.sub_i32(bits, by)
        }
        _ => {
            let (one, two) = (m.i32(1), m.i32(2));
            let top = m.shr_i32(bits, 30);
            let top = m.and_i32(top, two);
            let up = m.sub_i32(one, top);
            if direction == Direction::Up {
                let by = m.select_i32(above, up, none);
                m.add_i32(bits, by)
            } else {
                let by = m.select_i32(below, up, none);
                m.sub_i32(bits, by)
            }
        }
    };
    m.f32_of_bits(bits)
}

/// `a + b` in binary64.
#[inline(always)]
pub fn add_f64<M: Machine>(m: &mut M, direction: Direction, a: M::F64, b: M::F64) -> M::F64 {
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
/// The residual `a * b - r` is a multiple of `2^-107` times the product, so it does not vanish where `|r| >= 2^-500`.
/// Below, one factor and `r` are multiplied by `2^200`; the smaller factor is below `2^-250` then, so nothing
/// overflows, and multiplying upward is exact for subnormals too. A nonzero `r` is at least `2^-1074`, and the residual
/// a multiple of `2^-1180`, or scaled `2^-980`. Where `r` is zero and no factor is, its sign is the residual's.
#[inline(always)]
pub fn mul_f64<M: Machine>(m: &mut M, direction: Direction, a: M::F64, b: M::F64) -> M::F64 {
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
/// With the sign of `b` moved to `a`, the residual has the sign of `a - r * b`, a multiple of `2^-107` times `a`; it
/// does not vanish where `|a| >= 2^-900`. Below, `a` is multiplied by `2^200`, and of `r` and `b` the one that is
/// smaller: their product is next to `a`, so nothing overflows. The smallest `a` gives a multiple of `2^-981`.
#[inline(always)]
pub fn div_f64<M: Machine>(m: &mut M, direction: Direction, a: M::F64, b: M::F64) -> M::F64 {
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
/// The residual has the sign of `a - r * r`, a multiple of `2^-107` times `a`; below `2^-900`, `a` is multiplied by
/// `2^200` and `r`, which is never subnormal, by `2^100`.
#[inline(always)]
pub fn sqrt_f64<M: Machine>(m: &mut M, direction: Direction, a: M::F64) -> M::F64 {
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

/// A number as `x * 2^n` with `1 <= |x| < 2`; a zero stays itself, with an `n` below that of every other number.
#[inline(always)]
fn parts<M: Machine>(m: &mut M, x: M::F64) -> (M::F64, M::I64) {
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

/// How far exponents may be from the product's before they are moved nearer.
const FAR: i64 = 300;

/// `x * 2^(n - base)`, where `x` is from `parts`, with the exponent held within [`FAR`].
#[inline(always)]
fn near<M: Machine>(m: &mut M, x: M::F64, n: M::I64, base: M::I64) -> M::F64 {
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
/// The residual is the sign of `P + C - R`, where everything is divided by the product's power of two: `P`, the product
/// of two numbers of `parts`, is zero or between 1 and 4 and a multiple of `2^-104`. It is the unevaluated sum of two
/// doubles; with `C` and `-R` these are grown to an expansion of four by exact sums, whose largest nonzero component
/// has the sign of the whole (Shewchuk, *Adaptive precision floating-point arithmetic and fast robust geometric
/// predicates*, 1997, theorem 10). Nothing depends on how `r` was rounded, so subnormal results need no care.
///
/// Exponents of `C` and `R` are held within 300 of the product's, which leaves the sign as it is:
/// - `C` far below: `P - R` is zero or at least `2^-105`, so of `C` only the sign counts, and only where `P = R`.
///   Here `R`, unless zero, is at least 1/4.
/// - `C` far above: the product is below a quarter of its last place, so `r = c`; both are moved alike and cancel, and
///   the product's sign is left.
/// - In between, a nonzero `R` is at least `2^-105` and at most next to `C`: its exponent is not moved, or moved with
///   that of `C`.
///
/// A zero product leaves `r = c`, whatever its exponent.
#[inline(always)]
pub fn fma_f64<M: Machine>(
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
    // With the addend, (h1, h2, h3).
    let (q, h1) = two_sum(m, addend, p1);
    let (h3, h2) = two_sum(m, q, p2);
    // With the result, (g1, g2, g3, g4).
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
    // An overflow is the one result that has no parts; operands that have none leave nothing to decide.
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

/// `a + b` of two binary64 numbers, as binary32; neither they nor their sum are near the ends of binary64.
#[inline(always)]
fn add_narrow<M: Machine>(m: &mut M, direction: Direction, a: M::F64, b: M::F64) -> M::F32 {
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
pub fn add_f32<M: Machine>(m: &mut M, direction: Direction, a: M::F32, b: M::F32) -> M::F32 {
    let (a, b) = (m.widen(a), m.widen(b));
    add_narrow(m, direction, a, b)
}

/// `a * b` in binary32: the product is exact in binary64.
#[inline(always)]
pub fn mul_f32<M: Machine>(m: &mut M, direction: Direction, a: M::F32, b: M::F32) -> M::F32 {
    let (a, b) = (m.widen(a), m.widen(b));
    let (v, e) = (m.mul(a, b), m.f64(ZERO));
    narrow(m, direction, v, e)
}

/// `a / b` in binary32: quotients of such numbers and their residuals are far from the ends of binary64.
#[inline(always)]
pub fn div_f32<M: Machine>(m: &mut M, direction: Direction, a: M::F32, b: M::F32) -> M::F32 {
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
pub fn sqrt_f32<M: Machine>(m: &mut M, direction: Direction, a: M::F32) -> M::F32 {
    let a = m.widen(a);
    let v = m.sqrt(a);
    let minus = m.neg(v);
    let e = m.fma(minus, v, a);
    narrow(m, direction, v, e)
}

/// `a * b + c` in binary32, rounded once: an exact product in binary64, and a sum.
#[inline(always)]
pub fn fma_f32<M: Machine>(
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

#[cfg(test)]
mod tests;
