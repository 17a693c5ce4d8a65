//! Roots in binary64. Square root, reciprocal and quotient are operations of the language.

use super::common::{INTEGER, INTEGER_BITS};
use super::hyperbolic::power_of_two;
use super::logarithm::{bits_of, number};
use super::power::fine_parts;
use super::tables::{ROOT_SERIES, ROOTS_HI, ROOTS_LO, TWOS_HI, TWOS_LO};
use dc_runtime::builtins::reference::binary64::{DOWN, DOWN_2, UP, UP_2, by_size};
use dc_runtime::prelude::*;

const THIRD: f64 = 1.0 / 3.0;

/// √x, correctly rounded.
#[crunch]
pub fn sqrt(x: DcDouble) -> DcDouble {
    x.sqrt()
}

/// 1 / x, correctly rounded.
#[crunch]
pub fn recip(x: DcDouble) -> DcDouble {
    x.recip()
}

/// x / y, correctly rounded.
#[crunch]
pub fn div(x: DcDouble, y: DcDouble) -> DcDouble {
    x / y
}

/// 1 / √x, error at most 0.55 ULP. The errors of the root and of its reciprocal are computed exactly, and their effect is added.
#[crunch]
pub fn rsqrt(x: DcDouble) -> DcDouble {
    let a = x * by_size(x, UP, DOWN);
    let root = a.sqrt();
    let y = root.recip();
    let rest = (-root).mul_add(root, a);
    let part = (-y).mul_add(root, 1.0);
    let z = y.mul_add((rest * y).mul_add(-0.5 * y, part), y);
    let special = (x == 0.0) | (x.abs() == f64::INFINITY);
    if special {
        y
    } else {
        z * by_size(x, UP_2, DOWN_2)
    }
}

/// x^(1/3), error at most 0.55 ULP. With `|x| = 2^(3q + j) m` and the reduction of `power.rs`, `1 + r = m c`, it is
///
/// ```text
/// 2^q 2^(j/3) c^(-1/3) (1 + r p(r)).
/// ```
///
/// The first factors have two words, and |r p(r)| is below 2^-6.
#[crunch]
pub fn cbrt(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let (e, r, cell) = fine_parts(bits_of(a));
    let e = number(e);
    let t = (e - 1.0).mul_add(THIRD, INTEGER);
    let q = t - INTEGER;
    let j = ((-3.0) * q + (e + INTEGER)).to_bits();
    let root = ROOTS_HI[cell];
    let two = TWOS_HI[j];
    let head = root * two;
    let low = root.mul_add(two, -head) + root.mul_add(TWOS_LO[j], ROOTS_LO[cell] * two);
    let p = horner(r, &ROOT_SERIES);
    let y = head + (head * r).mul_add(p, low);
    let z = (y * power_of_two(t.to_bits() - INTEGER_BITS)).copysign(x);
    // NaN too.
    let special = (x == 0.0) | !(a < f64::INFINITY);
    if special { x } else { z }
}
