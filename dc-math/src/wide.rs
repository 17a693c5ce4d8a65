//! The functions in binary64, for results in binary32 and in 16 bits: the library's references, with corrections next to midpoints. The leading term of a
//! function can be a midpoint of two subnormal results. Then the rest of the function decides the rounding, although it is far below the last place of a
//! double.

use dc_runtime::builtins::reference::binary32;
use dc_runtime::prelude::*;

// Items declared below have precedence over imported ones.
pub(crate) use dc_runtime::builtins::reference::binary32::*;

/// Below this magnitude, results of the functions here are subnormal in binary32 and in bfloat16.
const SMALL: f64 = f64::from_bits((1023 - 124) << 52);
/// Above the last place of a double of this size, and far below that of binary32.
const NUDGE: f64 = f64::from_bits((1023 - 170) << 52);
/// The last place of 1/2.
const UNIT: f64 = f64::EPSILON / 2.0;
const BELOW_ONE: f64 = 1.0 - f64::EPSILON;

/// For functions `x/2 + c x² + …`, c > 0. Next to 0 they are above x/2, which is a midpoint for half of the subnormal inputs.
#[crunch]
fn above_half(x: DcDouble, y: DcDouble) -> DcDouble {
    let small = (x.abs() < SMALL) & (x != 0.0);
    if small { y + NUDGE } else { y }
}

/// x / (1 + e^-x).
#[crunch]
pub(crate) fn silu_f32_reference(x: DcDouble) -> DcDouble {
    above_half(x, binary32::silu_f32_reference(x))
}

/// x (1 + erf(x / √2)) / 2.
#[crunch]
pub(crate) fn gelu_f32_reference(x: DcDouble) -> DcDouble {
    above_half(x, binary32::gelu_f32_reference(x))
}

/// The angle of the point (x, y). Next to 0, its magnitude is below |y / x|, which may be a midpoint.
#[crunch]
pub(crate) fn atan2_f32_reference(y: DcDouble, x: DcDouble) -> DcDouble {
    let t = binary32::atan2_f32_reference(y, x);
    if t.abs() < SMALL { t * BELOW_ONE } else { t }
}

/// The linear parts of sRGB are x 25/323 and x 323/25. For some inputs they are exact midpoints. The product is exact, and a quotient that
/// is a midpoint is exact too.
#[crunch]
pub(crate) fn srgb_to_linear_f32_reference(x: DcDouble) -> DcDouble {
    let curve = binary32::srgb_to_linear_f32_reference(x);
    if x <= 0.04045 {
        x * 25.0 / 323.0
    } else {
        curve
    }
}

/// See `srgb_to_linear_f32_reference`.
#[crunch]
pub(crate) fn srgb_from_linear_f32_reference(x: DcDouble) -> DcDouble {
    let curve = binary32::srgb_from_linear_f32_reference(x);
    if x <= 0.003_130_8 {
        x * 323.0 / 25.0
    } else {
        curve
    }
}

/// √(x² + y²), rounded to odd: rounding it to fewer bits gives the number nearest to the root. The squares and the error of their sum are
/// exact. The difference between the root's square and the first word of the sum is exact too, and its sign is the sign of the root's error.
#[crunch]
pub(crate) fn hypot_f32_reference(x: DcDouble, y: DcDouble) -> DcDouble {
    let infinite = (x.abs() == f64::INFINITY) | (y.abs() == f64::INFINITY);
    let s = two_sum(x * x, y * y);
    let root = s.hi.sqrt();
    let rest = (-root).mul_add(root, s.hi) + s.lo;
    let bits = root.to_bits();
    let odd = if rest > 0.0 { bits + 1 } else { bits - 1 };
    let inexact = (rest > 0.0) | (rest < 0.0);
    let even = (bits & 1) == 0;
    let length = if inexact & even {
        DcDouble::from_bits(odd)
    } else {
        root
    };
    if infinite { f64::INFINITY } else { length }
}

/// 1 / (1 + e^-x). Next to 0 it is 1/2 + x/4 - x³/48. The first part is a midpoint for many inputs, and the last term is below a double's
/// last place.
#[crunch]
pub(crate) fn sigmoid_f32_reference(x: DcDouble) -> DcDouble {
    let y = binary32::sigmoid_f32_reference(x);
    let line = x.mul_add(0.25, 0.5);
    let inward = if x > 0.0 { line - UNIT } else { line + UNIT };
    let small = (x.abs() < 0.000_015_258_789_062_5) & (x != 0.0);
    if small { inward } else { y }
}
