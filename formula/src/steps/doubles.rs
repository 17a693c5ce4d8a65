//! Operations that are exact in doubles, and whole numbers.

use dc_runtime::builtins::plain::rem_f64;
use dc_runtime::prelude::*;

use super::{INFINITY, OVERFLOW, TINY};

/// The sum of two arguments, which is NaN if one of them is NaN.
#[crunch]
pub fn both_arguments(x: DcDouble, y: DcDouble) -> DcDouble {
    let small: DcDouble = TINY;
    (x * small) + (y * small)
}

/// `-x`, exact.
#[crunch]
pub fn negated(x: DcDouble) -> DcDouble {
    -x
}

/// `|x|`, exact.
#[crunch]
pub fn magnitude(x: DcDouble) -> DcDouble {
    x.abs()
}

/// The remainder of x by y, for the whole quotient nearest to x / y, or for the even one of two such quotients. It is exact: the remainder
/// by twice the divisor tells whether the quotient is even, and the differences are between numbers within a factor of two.
#[crunch]
pub fn nearest_remainder(x: DcDouble, y: DcDouble) -> DcDouble {
    let b = y.abs();
    let rest = rem_f64(x.abs(), b + b);
    let over = rest + rest > b;
    let once = over.select(rest - b, rest);
    let again = over & (once + once >= b);
    let nearest = again.select(once - b, once);
    x.is_sign_negative().select(-nearest, nearest)
}

/// The largest whole number that is at most a. It is unknown if a whole number is within the radius.
#[crunch]
pub fn of_floor(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let hi = a.hi.floor();
    let v = if hi == a.hi {
        fast_two_sum(hi, a.lo.floor())
    } else {
        DcDoubleDouble::new(hi, 0.0)
    };
    let v = if a.hi == 0.0 { a } else { v };
    let above = dd_sub(a, v).hi;
    let known = (above > 1.001 * ra) & (1.0 - above > 1.001 * ra) | (ra == 0.0);
    let special = !(a.hi.abs() < INFINITY);
    let v = if special {
        DcDoubleDouble::new(a.hi, 0.0)
    } else {
        v
    };
    let r = (known & (ra < OVERFLOW)).select(0.0, INFINITY);
    (v, special.select(ra, r))
}

/// The smallest whole number that is at least a.
#[crunch]
pub fn of_ceil(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let (v, r) = of_floor(dd_neg(a), ra);
    (dd_neg(v), r)
}

/// The whole number next to a towards zero. Next to 0, it is known on both sides.
#[crunch]
pub fn of_trunc(a: DcDoubleDouble, ra: DcDouble) -> (DcDoubleDouble, DcDouble) {
    let negative = a.hi.is_sign_negative();
    let (v, r) = of_floor(dd_abs(a), ra);
    let small = a.hi.abs() + 1.001 * ra < 1.0;
    let zero = DcDoubleDouble::new(0.0, 0.0);
    let v = if small { zero } else { v };
    let v = if negative { dd_neg(v) } else { v };
    (v, small.select(0.0, r))
}

/// The same as [`of_floor`], for a double: exact, with the sign of zeros.
#[crunch]
pub fn whole_below(x: DcDouble) -> DcDouble {
    x.floor()
}

/// The same as [`of_ceil`], for a double.
#[crunch]
pub fn whole_above(x: DcDouble) -> DcDouble {
    x.ceil()
}

/// The same as [`of_trunc`], for a double.
#[crunch]
pub fn whole_inside(x: DcDouble) -> DcDouble {
    x.trunc()
}

/// The sign of the gamma function: 1 or -1. At 0 it is the sign of the infinity there, and it is NaN at the other poles and at -∞.
#[crunch]
pub fn sign_of_gamma(x: DcDouble) -> DcDouble {
    let below = x.floor();
    let half = 0.5 * below;
    let one: DcDouble = 1.0;
    let none: DcDouble = f64::NAN;
    let sign = (half == half.floor()).select(one, -one);
    let sign = (below == x).select(none, sign);
    let sign = (x > 0.0).select(one, sign);
    let sign = (x == 0.0).select(one.copysign(x), sign);
    x.is_nan().select(x, sign)
}
