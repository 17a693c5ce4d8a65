//! Sums, products and quotients of two words. An operation that rounds nothing adds no error.

use dc_runtime::prelude::*;

use super::{INFINITY, OVERFLOW, PRODUCT, SAFE, TINY, bounded, lost, words};

/// 2^-103: the relative error of a sum in two words.
const SUM: f64 = f64::from_bits((1023 - 103) << 52);
/// The bits of a fraction.
const FRACTION: i64 = (1 << 52) - 1;

/// Whether a sum in two words rounds nothing: the sums of `dd_add`, each with its error.
#[crunch]
fn sum_is_exact(a: DcDoubleDouble, b: DcDoubleDouble) -> DcMask {
    let s = two_sum(a.hi, b.hi);
    let t = two_sum(a.lo, b.lo);
    let c = two_sum(s.lo, t.hi);
    let v = fast_two_sum(s.hi, c.hi);
    let w = two_sum(t.lo, v.lo);
    (c.lo == 0.0) & (w.lo == 0.0)
}

/// Whether it is a power of two, or zero or an infinity.
#[crunch]
fn is_power(a: DcDoubleDouble) -> DcMask {
    let fraction = a.hi.to_bits() & FRACTION;
    (fraction == 0) & (a.lo == 0.0)
}

/// Whether the second word stays exact when a power of two scales it to this.
#[crunch]
fn is_kept(word: DcDouble, scaled: DcDouble) -> DcMask {
    (word == 0.0) | (scaled.abs() >= SAFE)
}

/// Whether `a b` rounds nothing in two words: it is a product of doubles, or one by a power of two.
#[crunch]
fn product_is_exact(a: DcDoubleDouble, b: DcDoubleDouble) -> DcMask {
    let doubles = (a.lo == 0.0) & (b.lo == 0.0);
    let by_b = is_power(b) & is_kept(a.lo, a.lo * b.hi);
    let by_a = is_power(a) & is_kept(b.lo, b.lo * a.hi);
    let plain = (a.hi * b.hi).abs();
    (doubles | by_b | by_a) & (plain >= SAFE) & (plain < INFINITY)
}

/// Whether `a / b` rounds nothing: it is a quotient of doubles without a remainder, or one by a power of two.
#[crunch]
fn quotient_is_exact(a: DcDoubleDouble, b: DcDoubleDouble) -> DcMask {
    let q = a.hi / b.hi;
    let rest = (-q).mul_add(b.hi, a.hi);
    let doubles = (a.lo == 0.0) & (b.lo == 0.0) & (rest == 0.0);
    let by_power = is_power(b) & is_kept(a.lo, a.lo / b.hi);
    (doubles | by_power) & (a.hi.abs() >= SAFE) & (q.abs() >= SAFE) & (q.abs() < INFINITY)
}

/// `a + b`
#[crunch]
pub fn sum(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let plain = a.hi + b.hi;
    let zeros = (a.hi == 0.0) & (b.hi == 0.0);
    let y = dd_add(a, b);
    let v = words((plain.abs() < INFINITY) & !zeros, y, plain);
    let special = !(a.hi.abs() < INFINITY) | !(b.hi.abs() < INFINITY);
    let own = v.hi.abs() * SUM + lost(y, plain);
    let r = (ra + rb) + sum_is_exact(a, b).select(0.0, own);
    (v, bounded(v.hi, r, ra.max(rb), special))
}

/// `a - b`
#[crunch]
pub fn difference(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    sum(a, ra, dd_neg(b), rb)
}

/// `a b`
#[crunch]
pub fn product(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let plain = a.hi * b.hi;
    let y = dd_mul(a, b);
    let v = words((plain.abs() < INFINITY) & (plain != 0.0), y, plain);
    let special = !(a.hi.abs() < INFINITY) | !(b.hi.abs() < INFINITY);
    let zero = ((a.hi == 0.0) & (ra == 0.0)) | ((b.hi == 0.0) & (rb == 0.0));
    let carried = a.hi.abs() * rb + (b.hi.abs() + rb) * ra;
    let own = v.hi.abs() * PRODUCT + zero.select(0.0, TINY) + lost(y, plain);
    let own = product_is_exact(a, b).select(0.0, own);
    (v, bounded(v.hi, carried + own, ra.max(rb), special))
}

/// `a / b`
#[crunch]
pub fn quotient(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let plain = a.hi / b.hi;
    let bounded_divisor = b.hi.abs() < INFINITY;
    let ordinary = (plain.abs() < INFINITY) & (plain != 0.0) & bounded_divisor;
    let y = dd_div(a, b);
    let v = words(ordinary, y, plain);
    let special = !(a.hi.abs() < INFINITY) | !bounded_divisor;
    let zero = (a.hi == 0.0) & (ra == 0.0);
    let left = b.hi.abs() - rb;
    let carried = (ra + v.hi.abs() * rb) / left;
    let own = v.hi.abs() * PRODUCT + zero.select(0.0, TINY) + ordinary.select(lost(y, plain), 0.0)
        // The remainder of a small number loses words.
        + zero.select(0.0, TINY / b.hi.abs());
    let own = quotient_is_exact(a, b).select(0.0, own);
    let pole: DcDouble = OVERFLOW;
    let at_zero = (rb == 0.0).select(pole, INFINITY);
    let r = (left > 0.0).select(carried + own, at_zero);
    let r = bounded(v.hi, r, ra.max(rb), special);
    // The divisor may be 0, and of either sign.
    let r = (!(left > 0.0) & (rb > 0.0)).select(INFINITY, r);
    // A number over one that is too large for a double.
    let vanishes =
        (b.hi.abs() == INFINITY) & (rb == OVERFLOW) & (ra < OVERFLOW) & (a.hi.abs() < INFINITY);
    let small = (a.hi.abs() + ra) * TINY + TINY;
    let at_infinity =
        (b.hi.abs() == INFINITY) & (rb == 0.0) & (ra < OVERFLOW) & (a.hi.abs() < INFINITY);
    let none = (zero & vanishes) | at_infinity;
    let r = vanishes.select(small, r);
    (v, (none & (v.hi == 0.0)).select(0.0, r))
}
