//! Roots in binary64. A square root, a reciprocal and a quotient are operations of the language.

use dc_runtime::builtins::reference::binary32::cbrt_f32_reference;
use dc_runtime::builtins::reference::binary64::{DOWN, DOWN_2, DOWN_3, UP, UP_2, UP_3, by_size};
use dc_runtime::prelude::*;

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

/// 1 / √x, error at most 0.55 ULP: the errors of the root and of its reciprocal are known exactly, and what follows from them is added.
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

/// x^(1/3), error at most 0.55 ULP: an approximation within 2^-50, and one of Newton's steps with its residue in two words.
#[crunch]
pub fn cbrt(x: DcDouble) -> DcDouble {
    let a = x * by_size(x, UP, DOWN);
    let y = cbrt_f32_reference(a);
    let square = two_prod(y, y);
    let rest = (-square.lo).mul_add(y, (-square.hi).mul_add(y, a));
    let z = y + rest / (3.0 * square.hi);
    let special = (x == 0.0) | (x.abs() == f64::INFINITY);
    if special {
        x
    } else {
        z * by_size(x, DOWN_3, UP_3)
    }
}
