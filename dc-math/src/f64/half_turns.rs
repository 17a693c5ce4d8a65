//! Sine, cosine and tangent of π x in binary64. `x = 2 m + n/16 + w` is exact, and `π w = h + l` has two words. The rest is as in
//! `trigonometric.rs`.

use super::common::{INTEGER, SUBNORMAL, TINIER, multiple};
use super::tables::{PI_HI, PI_LO, SINES_HI};
use super::trigonometric::{sine, tangent};
use dc_runtime::prelude::*;

/// See `multiple`.
const LIMIT: f64 = SUBNORMAL / PI_HI;

/// h, l, bits whose last five are those of n, and w.
#[crunch]
pub fn reduced(x: DcDouble) -> (DcDouble, DcDouble, DcLong, DcDouble) {
    let y = (0.5 * x).round_ties_even().mul_add(-2.0, x);
    let t = y.mul_add(16.0, INTEGER);
    let w = (t - INTEGER).mul_add(-0.0625, y);
    let h = w * PI_HI;
    let l = w.mul_add(PI_LO, w.mul_add(PI_HI, -h));
    (h, l, t.to_bits(), w)
}

/// `y`, or π x where x is tiny.
#[crunch]
fn odd(x: DcDouble, y: DcDouble) -> DcDouble {
    let tiny = x.abs() < TINIER;
    if tiny {
        multiple(x, PI_HI, PI_LO, LIMIT)
    } else {
        y
    }
}

/// sin π x, error at most 0.55 ULP. Zeros have the sign of x.
#[crunch]
pub fn sinpi(x: DcDouble) -> DcDouble {
    let (h, l, n, _) = reduced(x);
    let y = sine(h, l, n);
    let y = if y == 0.0 { y.copysign(x) } else { y };
    odd(x, y)
}

/// cos π x, error at most 0.55 ULP. Zeros are positive.
#[crunch]
pub fn cospi(x: DcDouble) -> DcDouble {
    let (h, l, n, _) = reduced(x);
    sine(h, l, n + 8)
}

/// tan π x, error at most 0.55 ULP. At the zeros and poles, the sine and the cosine are 0 and ±1: a zero has the sign of x times the cosine, a
/// pole has the sign of the sine.
#[crunch]
pub fn tanpi(x: DcDouble) -> DcDouble {
    let (h, l, n, w) = reduced(x);
    let y = tangent(h, l, n);
    let (s, c) = (SINES_HI[n], SINES_HI[n + 8]);
    let exact = if s == 0.0 {
        s.copysign(x) * c
    } else {
        s * f64::INFINITY
    };
    let special = (w == 0.0) & (s * c == 0.0);
    odd(x, if special { exact } else { y })
}
