//! The error function, its complement, and `gelu`, in binary64.
//!
//! Each has 16 polynomials of degree 13 or 15 in h, the distance from the middle of a cell:
//!
//! ```text
//! erf x,  erfc x = e^(-x²) f(x),  Φ(-x) = e^(-x²/2) g(x)    for x >= 0.
//! ```
//!
//! The cells of erf are 3/8 wide. Those of the others are quarters of a power of two of x + 2 and x + 3. The first three coefficients, and the
//! terms computed from them, have two words: h times the slope is up to 1/4 of f, so the rounding errors of the remaining terms have the weight
//! h³. x² is exact in two words, and the exponential uses the second word too. A subnormal result is rounded once.

use super::common::{INTEGER, SUBNORMAL, TINIER, is_outside, multiple, product};
use super::hyperbolic::{exp_in_words, exp_in_words_short, power_of_two, reduced, rounded};
use super::logistic::{weighted, weighted_short};
use super::pieces::*;
use super::tables::{SLOPE_HI, SLOPE_LO};
use dc_runtime::prelude::*;

/// Above this, erf x rounds to 1.
const ONE: f64 = 5.95;
/// The cells of erf in an interval of length 1.
const CELLS: f64 = 8.0 / 3.0;
/// See `multiple`.
const LIMIT: f64 = SUBNORMAL / SLOPE_HI;
/// Above this, erfc x and x Φ(-x) round to 0.
const FAR: f64 = 28.0;
const FAR_OF_GELU: f64 = 40.0;
/// From here on, they are subnormal.
const LEAST: f64 = f64::from_bits(0x403a_8b12_fc6e_4892); // 0x1.a8b12fc6e4892p+4
const LEAST_OF_GELU: f64 = f64::from_bits(0x4042_ced4_c5dd_8ab5); // 0x1.2ced4c5dd8ab5p+5
/// The bits of 2 and 3, where the cells begin.
const TWO: i64 = 0x4000_0000_0000_0000;
const THREE: i64 = 0x4008_0000_0000_0000;

/// The polynomial of cell k, lowest coefficients last, in two words.
macro_rules! piece {
    ($name:ident: $last:ident $($next:ident)*; $c2:ident $c2_low:ident $c1:ident $c1_low:ident $c0:ident $c0_low:ident) => {
        #[crunch]
        fn $name(h: DcDouble, k: DcLong) -> DcDoubleDouble {
            let p = $last[k];
            $(let p = h.mul_add(p, $next[k]);)*
            let c = $c2[k];
            let v = h.mul_add(p, c);
            let v_low = h.mul_add(p, c - v) + $c2_low[k];
            let c = $c1[k];
            let w = h.mul_add(v, c);
            let w_low = h.mul_add(v, c - w) + h.mul_add(v_low, $c1_low[k]);
            let c = $c0[k];
            let y = h.mul_add(w, c);
            let y_low = h.mul_add(w, c - y) + h.mul_add(w_low, $c0_low[k]);
            DcDoubleDouble::new(y, y_low)
        }
    };
}
piece! { piece_of_erf:
    ERF_13 ERF_12 ERF_11 ERF_10 ERF_9 ERF_8 ERF_7 ERF_6 ERF_5 ERF_4 ERF_3;
    ERF_2 ERF_2_LOW ERF_1 ERF_1_LOW ERF_0 ERF_0_LOW
}
piece! { piece_of_erfc:
    ERFC_15 ERFC_14 ERFC_13 ERFC_12 ERFC_11 ERFC_10 ERFC_9 ERFC_8 ERFC_7 ERFC_6 ERFC_5 ERFC_4 ERFC_3;
    ERFC_2 ERFC_2_LOW ERFC_1 ERFC_1_LOW ERFC_0 ERFC_0_LOW
}
piece! { piece_of_normal:
    NORMAL_15 NORMAL_14 NORMAL_13 NORMAL_12 NORMAL_11 NORMAL_10 NORMAL_9 NORMAL_8 NORMAL_7 NORMAL_6 NORMAL_5 NORMAL_4 NORMAL_3;
    NORMAL_2 NORMAL_2_LOW NORMAL_1 NORMAL_1_LOW NORMAL_0 NORMAL_0_LOW
}

/// erf a for a number from 0 to `ONE`, in two words.
#[crunch]
fn erf_in_words(a: DcDouble) -> DcDoubleDouble {
    let k = ((a * CELLS).min(15.0) + INTEGER).to_bits();
    piece_of_erf(a - ERF_MIDDLES[k], k)
}

/// erf x, error at most 0.55 ULP.
#[crunch]
pub fn erf(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let a = if a > ONE { ONE } else { a };
    let y = erf_in_words(a);
    let tiny = a < TINIER;
    if tiny {
        multiple(x, SLOPE_HI, SLOPE_LO, LIMIT)
    } else {
        (y.hi + y.lo).copysign(x)
    }
}

/// The effect of the rounding error of `h = a - middle` on a function with this slope. The subtraction rounds next to 0.
#[crunch]
fn corrected(
    y: DcDoubleDouble,
    a: DcDouble,
    h: DcDouble,
    middle: DcDouble,
    slope: DcDouble,
) -> DcDoubleDouble {
    DcDoubleDouble::new(y.hi, (a - (h + middle)).mul_add(slope, y.lo))
}

/// `e^-square y` in two words, both times 2^-rest; and rest.
#[crunch]
fn decayed(square: DcDoubleDouble, y: DcDoubleDouble) -> (DcDoubleDouble, DcLong) {
    let (t, h, l) = reduced(-square.hi);
    let (head, tail, rest) = exp_in_words((t, h, l - square.lo));
    (product(DcDoubleDouble::new(head, tail), y), rest)
}

/// The same, where the result is moderate.
#[crunch]
fn decayed_short(square: DcDoubleDouble, y: DcDoubleDouble) -> DcDoubleDouble {
    let (t, h, l) = reduced(-square.hi);
    let (head, tail) = exp_in_words_short((t, h, l - square.lo));
    product(DcDoubleDouble::new(head, tail), y)
}

/// `whole - p 2^rest` in two words.
#[crunch]
fn complement(whole: DcDouble, p: DcDoubleDouble, rest: DcLong) -> DcDoubleDouble {
    let scale = power_of_two(rest);
    let q = p.hi * scale;
    let y = whole - q;
    DcDoubleDouble::new(y, (-p.lo).mul_add(scale, (whole - y) - q))
}

/// f(a) for erfc, in two words.
#[crunch]
fn factor_of_erfc(a: DcDouble) -> DcDoubleDouble {
    let k = ((a + 2.0).to_bits() - TWO) >> 50;
    let middle = ERFC_MIDDLES[k];
    let h = a - middle;
    let slope = (h + h).mul_add(ERFC_2[k], ERFC_1[k]);
    corrected(piece_of_erfc(h, k), a, h, middle, slope)
}

/// g(a) for the normal distribution, in two words.
#[crunch]
fn factor_of_normal(a: DcDouble) -> DcDoubleDouble {
    let k = ((a + 3.0).to_bits() - THREE) >> 50;
    let middle = NORMAL_MIDDLES[k];
    let h = a - middle;
    let slope = (h + h).mul_add(NORMAL_2[k], NORMAL_1[k]);
    corrected(piece_of_normal(h, k), a, h, middle, slope)
}

/// erfc x, error at most 0.55 ULP.
#[crunch]
pub fn erfc(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let a = if a > FAR { FAR } else { a };
    let (p, rest) = decayed(two_prod(a, a), factor_of_erfc(a));
    let above = complement(2.0, p, rest);
    if x < 0.0 {
        above.hi + above.lo
    } else {
        rounded(p, rest, x >= LEAST)
    }
}

/// x Φ(x) with the normal distribution Φ, error at most 0.55 ULP.
#[crunch]
pub fn gelu(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let a = if a > FAR_OF_GELU { FAR_OF_GELU } else { a };
    let (p, rest) = decayed(two_prod(a, 0.5 * a), factor_of_normal(a));
    let below = x < 0.0;
    let q = below.select(p, complement(1.0, p, rest));
    let rest = below.select(rest, 0);
    let z = weighted(x, q, rest, x <= -LEAST_OF_GELU);
    if a < TINIER { 0.5 * x } else { z }
}

/// Up to this magnitude, e^(-x²) is moderate.
const MODERATE: f64 = 18.0;

/// Whether the magnitude of x is tiny, or erf x rounds to ±1.
#[crunch]
pub fn is_simple(x: DcDouble) -> DcMask {
    is_outside(x, TINIER, ONE)
}

/// Whether the magnitude of x is large.
#[crunch]
pub fn is_large(x: DcDouble) -> DcMask {
    !(x.abs() <= MODERATE)
}

/// Whether the magnitude of x is tiny or large.
#[crunch]
pub fn is_extreme(x: DcDouble) -> DcMask {
    is_outside(x, TINIER, MODERATE)
}

/// erf x of a number for which it is not simple.
#[crunch]
pub fn erf_short(x: DcDouble) -> DcDouble {
    let y = erf_in_words(x.abs());
    (y.hi + y.lo).copysign(x)
}

/// erfc x of a number that is not large.
#[crunch]
pub fn erfc_short(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let p = decayed_short(two_prod(a, a), factor_of_erfc(a));
    let y = (x < 0.0).select(complement(2.0, p, 0), p);
    y.hi + y.lo
}

/// x Φ(x) of a number that is not extreme.
#[crunch]
pub fn gelu_short(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let p = decayed_short(two_prod(a, 0.5 * a), factor_of_normal(a));
    weighted_short(x, (x < 0.0).select(p, complement(1.0, p, 0)))
}
