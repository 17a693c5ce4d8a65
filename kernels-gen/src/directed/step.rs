//! The step from a result rounded to nearest, and a number with the sign of its residual, to the directed result.

use super::{FloatOps, SIGN, ZERO};
use crate::ops::Direction;

/// `r`. If it is an exact zero: the zero that a sum gives in this direction. Rounding to nearest gives -0 only for two negative zeros,
/// rounding down gives +0 only for two positive ones. `zero` marks exact zeros; `signs` has the sign bit set if one of the addends has it
/// set.
#[inline(always)]
pub(super) fn signed_zero<M: FloatOps>(
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
/// The next number away from zero has bits that are larger by one, for either sign: from the largest finite number to infinity, from the
/// largest subnormal to the smallest normal number. A zero `r` with a residual has the sign of the exact value.
#[inline(always)]
pub(super) fn step<M: FloatOps>(m: &mut M, direction: Direction, r: M::F64, e: M::F64) -> M::F64 {
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
            // 1 for positive numbers, -1 for negative ones: the step of the bits that leads up.
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
fn inward<M: FloatOps>(m: &mut M, r: M::F64, above: M::Mask, below: M::Mask) -> M::Mask {
    let zero = m.f64(ZERO);
    let (negative, positive) = (m.lt(r, zero), m.lt(zero, r));
    let (from_below, from_above) = (m.and(negative, above), m.and(positive, below));
    m.or(from_below, from_above)
}

/// `v + e` as binary32, where `v` is the sum rounded to binary64 and `e` is no more than its residual.
///
/// `r`, which is `v` rounded once more, is also a neighbour of the exact value (or equal to it): a number strictly between two binary32
/// numbers, rounded to binary64, lies between them or on one of them. If `r` differs from `v`, the two differ by more than the exact value
/// and `v` do, so their order is that of the exact value and `r`. If `r` equals `v`, the sign of `e` decides.
#[inline(always)]
pub(super) fn narrow<M: FloatOps>(m: &mut M, direction: Direction, v: M::F64, e: M::F64) -> M::F32 {
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
