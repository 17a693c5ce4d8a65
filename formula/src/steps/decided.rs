//! Signs, conditions and selections. They are known if no radius reaches over the border between two answers.

use dc_runtime::prelude::*;

use super::{INFINITY, OVERFLOW};

/// Conditions are 1 for true, 0 for false, and NaN for unknown.
const NEITHER: f64 = f64::NAN;

/// `|a|` with the sign of `b`.
#[crunch]
pub fn with_sign(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let m = dd_abs(a);
    let v = if b.hi.is_sign_negative() {
        dd_neg(m)
    } else {
        m
    };
    let known = (b.hi.abs() > rb) | (rb == 0.0);
    let r = known.select(ra, ra + 2.0 * m.hi);
    // A NaN has no sign.
    (v, b.hi.is_nan().select(INFINITY, r))
}

/// The radius of a power of `a` that is computed by its logarithm. Negative numbers have powers that this method does not give.
#[crunch]
pub fn unless_negative(r: DcDouble, a: DcDoubleDouble, ra: DcDouble) -> DcDouble {
    ((a.hi > ra) | a.hi.is_nan()).select(r, INFINITY)
}

/// The radius of a function that is computed by its definition: a NaN at an infinity may come from the definition alone.
#[crunch]
pub fn unless_limit(
    v: DcDoubleDouble,
    r: DcDouble,
    a: DcDoubleDouble,
    b: DcDoubleDouble,
) -> DcDouble {
    let limit = (a.hi.abs() == INFINITY) | (b.hi.abs() == INFINITY);
    (v.hi.is_nan() & limit).select(INFINITY, r)
}

/// The same as [`unless_limit`], for a function that is defined everywhere.
#[crunch]
pub fn unless_undefined(
    v: DcDoubleDouble,
    r: DcDouble,
    a: DcDoubleDouble,
    b: DcDoubleDouble,
) -> DcDouble {
    let defined = !a.hi.is_nan() & !b.hi.is_nan();
    (v.hi.is_nan() & defined).select(INFINITY, r)
}

/// The value of a function that is defined from 1 on.
#[crunch]
pub fn from_one(
    v: DcDoubleDouble,
    r: DcDouble,
    a: DcDoubleDouble,
    ra: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let far = dd_add_f64(a, -1.0).hi;
    let outside = (far < -1.001 * ra) & (ra < OVERFLOW);
    let none: DcDouble = f64::NAN;
    let v = if outside {
        DcDoubleDouble::new(none, 0.0)
    } else {
        v
    };
    let unsure = (far.abs() <= 1.001 * ra) & (ra > 0.0);
    (v, outside.select(0.0, unsure.select(INFINITY, r)))
}

/// A condition from the sign of a difference: -1, 0 or 1, or NaN if it is unknown.
#[crunch]
pub fn order(a: DcDoubleDouble, ra: DcDouble, b: DcDoubleDouble, rb: DcDouble) -> DcDouble {
    let r = 1.001 * (ra + rb);
    let d = dd_sub(a, b);
    let plain = a.hi - b.hi;
    let d = (plain.abs() < INFINITY).select(d.hi, plain);
    let equal = a.hi == b.hi && a.lo == b.lo;
    let decided = (d.abs() > r) | (r == 0.0);
    let up: DcDouble = 1.0;
    let sign = (d < 0.0).select(-up, up);
    let sign = equal.select(0.0, sign);
    let unordered = a.hi.is_nan() | b.hi.is_nan();
    // A comparison with a NaN is false, and that is known where the NaN is.
    let two: DcDouble = 2.0;
    let neither: DcDouble = NEITHER;
    unordered.select(
        (r == 0.0).select(two, neither),
        decided.select(sign, neither),
    )
}

/// Whether an order is one of those that a comparison allows. Each of the three flags is 1 or 0.
#[crunch]
pub fn holds(
    order: DcDouble,
    less: DcDouble,
    equal: DcDouble,
    greater: DcDouble,
    unordered: DcDouble,
) -> DcDouble {
    let above = (order == 0.0).select(equal, greater);
    let ordered = (order < 0.0).select(less, above);
    let known = (order == 2.0).select(unordered, ordered);
    order.is_nan().select(order, known)
}

/// Whether both conditions hold. If one is false, the result is known.
#[crunch]
pub fn both(p: DcDouble, q: DcDouble) -> DcDouble {
    ((p == 0.0) | (q == 0.0)).select(0.0, p * q)
}

/// The negation of a condition.
#[crunch]
pub fn negation(p: DcDouble) -> DcDouble {
    1.0 - p
}

/// `if p then a else b`
#[crunch]
pub fn choice(
    p: DcDouble,
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let holds = p == 1.0;
    let v = if holds { a } else { b };
    let r = holds.select(ra, rb);
    (v, p.is_nan().select(INFINITY, r))
}

/// The smaller of two values.
#[crunch]
pub fn smaller(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    // The other one where one is a NaN, as C has it.
    let first = dd_lt(a, b) | b.hi.is_nan();
    let v = if first { a } else { b };
    let sure = dd_sub(a, b).hi.abs() > 1.001 * (ra + rb);
    let r = first.select(ra, rb);
    (v, sure.select(r, ra.max(rb)))
}

/// The larger of two values.
#[crunch]
pub fn larger(
    a: DcDoubleDouble,
    ra: DcDouble,
    b: DcDoubleDouble,
    rb: DcDouble,
) -> (DcDoubleDouble, DcDouble) {
    let first = dd_gt(a, b) | b.hi.is_nan();
    let v = if first { a } else { b };
    let sure = dd_sub(a, b).hi.abs() > 1.001 * (ra + rb);
    let r = first.select(ra, rb);
    (v, sure.select(r, ra.max(rb)))
}
