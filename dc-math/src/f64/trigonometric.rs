//! Sine, cosine and tangent in binary64.
//!
//! `x = n π/16 + h + l`, |h| <= π/32. Up to 4096 in magnitude, π/16 has three words. The products of n with the first two are exact, so that h is a
//! double and l is known to 2^-117. Larger arguments are reduced as in the references, after Payne and Hanek.
//!
//! With S and C, the sine and cosine of n π/16 from a table in two words, the sine is
//!
//! ```text
//! S + C (h + l) + C h³ q(h²) + S h² p(h²).
//! ```
//!
//! The first sum and the first product have two words; the last sum has an error of half a unit. The other terms are at most h/2 of the
//! result, and their rounding errors add less than 0.03 units.

use super::common::{INTEGER, TINY};
use super::tables::{
    HALF_PI_HI, HALF_PI_LO, PLACE_1, PLACE_2, PLACE_3, PLACES, QUARTIC, SINES_HI, SINES_LO,
};
use dc_runtime::__private_v0_2::ir::Kernel;
use dc_runtime::builtins::reference::binary64::quarter_turns;
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;

/// Up to this magnitude, three words of π/16 are enough.
pub const NEAR: f64 = 4096.0;

/// (sin h - h) / h³ in h², the lowest power first: `crunch design sin --precision f64 --range=-0.0982..0.0982 --within 0.53ulp`.
const SINE: [f64; 4] = [
    f64::from_bits(0xbfc5_5555_5555_5555),
    f64::from_bits(0x3f81_1111_1110_f5bc),
    f64::from_bits(0xbf2a_01a0_109b_2ec5),
    f64::from_bits(0x3ec7_1cad_98d6_ea3e),
];
/// (cos h - 1) / h² in h²: `crunch design cos --precision f64 --range=-0.0982..0.0982 --within 0.51ulp`.
const COSINE: [f64; 4] = [
    f64::from_bits(0xbfdf_ffff_ffff_fffd),
    f64::from_bits(0x3fa5_5555_5554_f6ec),
    f64::from_bits(0xbf56_c16c_0852_f0bd),
    f64::from_bits(0x3ef9_ffe2_ef4e_4c7a),
];

/// h, l, and bits whose last five are those of n, for |x| up to `NEAR`.
#[crunch]
fn reduced(x: DcDouble) -> (DcDouble, DcDouble, DcLong) {
    let t = x.mul_add(PLACES, INTEGER);
    let n = t - INTEGER;
    // Both products and the first difference are exact. In the second, the first operand has no bits below the last place of the second
    // operand.
    let a = (-n).mul_add(PLACE_1, x);
    let b = n * PLACE_2;
    let h = a - b;
    let l = (-n).mul_add(PLACE_3, (a - h) - b);
    (h, l, t.to_bits())
}

/// The same for k + y quarter turns, |y| <= 1/2.
#[crunch]
fn reduced_turns(y: DcDoubleDouble, k: DcLong) -> (DcDouble, DcDouble, DcLong) {
    let t = y.hi.mul_add(8.0, INTEGER);
    // The difference is 0 or greater than the second word, which may be half of the last place of y, and much more than that of the difference.
    let w = fast_two_sum((t - INTEGER).mul_add(-0.125, y.hi), y.lo);
    let h = w.hi * HALF_PI_HI;
    let l = w.hi.mul_add(HALF_PI_HI, -h) + w.hi.mul_add(HALF_PI_LO, w.lo * HALF_PI_HI);
    // The sine is not multiplied by the low word, which must therefore be small.
    let sum = fast_two_sum(h, l);
    (sum.hi, sum.lo, (k << 3) + t.to_bits())
}

/// The same for any `x`.
#[crunch]
fn reduced_far(x: DcDouble) -> (DcDouble, DcDouble, DcLong) {
    let (y, k) = quarter_turns(x);
    let (h, l, n) = reduced_turns(y, k);
    let near = x.abs() <= NEAR;
    let (h_near, l_near, n_near) = reduced(x);
    near.select((h_near, l_near, n_near), (h, l, n))
}

/// `h³ q(h²)` and `h² p(h²)`.
#[crunch]
fn series(h: DcDouble) -> (DcDouble, DcDouble) {
    let square = h * h;
    let q = horner(square, &SINE);
    let p = horner(square, &COSINE);
    ((square * h) * q, square * p)
}

/// The sine of `n π/16 + h + l` in two words.
#[crunch]
fn turned(
    h: DcDouble,
    l: DcDouble,
    n: DcLong,
    series: (DcDouble, DcDouble),
) -> (DcDouble, DcDouble) {
    let (sine, cosine) = series;
    let s = SINES_HI[n];
    let c = SINES_HI[n + 8];
    let line = c * h;
    let head = s + line;
    let rest = (s - head) + line;
    let low = c.mul_add(l, c.mul_add(h, -line)) + SINES_LO[n + 8].mul_add(h, SINES_LO[n]);
    (head, s.mul_add(cosine, c.mul_add(sine, low)) + rest)
}

/// The sine of `n π/16 + h + l` in two words, for a product. Here `-S h²/2` is added last, and the term `-S h l` is not omitted: the errors are a third of those in
/// `turned`.
#[crunch]
pub fn sine_in_words(h: DcDouble, l: DcDouble, n: DcLong) -> DcDoubleDouble {
    let s = SINES_HI[n];
    let c = SINES_HI[n + 8];
    let square = h * h;
    let cubic = (square * h) * horner(square, &SINE);
    let quartic = (square * square) * horner(square, &QUARTIC);
    let head = s + c * h;
    // `s - head` is exact.
    let low = SINES_LO[n + 8].mul_add(h, SINES_LO[n]);
    let low = (-s).mul_add(h, c).mul_add(l, low) + c.mul_add(h, s - head);
    let low = s.mul_add(quartic, c.mul_add(cubic, low));
    fast_two_sum(head, (-0.5 * s).mul_add(square, low))
}

/// The sine of `n π/16 + h + l`, rounded.
#[crunch]
pub fn sine(h: DcDouble, l: DcDouble, n: DcLong) -> DcDouble {
    let (head, tail) = turned(h, l, n, series(h));
    head + tail
}

/// The tangent of `n π/16 + h + l`.
#[crunch]
pub fn tangent(h: DcDouble, l: DcDouble, n: DcLong) -> DcDouble {
    let both = series(h);
    let (head, tail) = turned(h, l, n, both);
    let a = fast_two_sum(head, tail);
    let (head, tail) = turned(h, l, n + 8, both);
    let b = fast_two_sum(head, tail);
    let inverse = b.hi.recip();
    let y = a.hi * inverse;
    let rest = (-y).mul_add(b.hi, a.hi) + (-y).mul_add(b.lo, a.lo);
    rest.mul_add(inverse, y)
}

/// sin x for |x| up to `NEAR`, with the bits of `sin`.
#[crunch]
pub fn sin_near(x: DcDouble) -> DcDouble {
    let (h, l, n) = reduced(x);
    let y = sine(h, l, n);
    let tiny = x.abs() < TINY;
    if tiny { x } else { y }
}

/// sin x, error at most 0.55 ULP.
#[crunch]
pub fn sin(x: DcDouble) -> DcDouble {
    let (h, l, n) = reduced_far(x);
    let y = sine(h, l, n);
    let tiny = x.abs() < TINY;
    if tiny { x } else { y }
}

/// cos x for |x| up to `NEAR`, with the bits of `cos`.
#[crunch]
pub fn cos_near(x: DcDouble) -> DcDouble {
    let (h, l, n) = reduced(x);
    sine(h, l, n + 8)
}

/// cos x, error at most 0.55 ULP.
#[crunch]
pub fn cos(x: DcDouble) -> DcDouble {
    let (h, l, n) = reduced_far(x);
    sine(h, l, n + 8)
}

/// tan x for |x| up to `NEAR`, with the bits of `tan`.
#[crunch]
pub fn tan_near(x: DcDouble) -> DcDouble {
    let (h, l, n) = reduced(x);
    let y = tangent(h, l, n);
    let tiny = x.abs() < TINY;
    if tiny { x } else { y }
}

/// tan x, error at most 0.55 ULP.
#[crunch]
pub fn tan(x: DcDouble) -> DcDouble {
    let (h, l, n) = reduced_far(x);
    let y = tangent(h, l, n);
    let tiny = x.abs() < TINY;
    if tiny { x } else { y }
}

/// The sine and the tangent of `n π/16 + h + l` for one n each, as `sin`, `cos` and `tan` compute them: stages, with certificates.
macro_rules! stages {
    ($($n:literal $sine:ident $tangent:ident)+) => {
        $(
            #[doc = concat!("The sine of `", $n, " π/16 + h + l`.")]
            #[crunch]
            pub fn $sine(h: DcDouble, l: DcDouble) -> DcDouble {
                sine(h, l, $n)
            }

            #[doc = concat!("The tangent of `", $n, " π/16 + h + l`.")]
            #[crunch]
            pub fn $tangent(h: DcDouble, l: DcDouble) -> DcDouble {
                tangent(h, l, $n)
            }
        )+

        /// The numbers n with their sine and their tangent. The table of sines is symmetric, and so are all operations: `n + 16` gives the opposite sine and
        /// the same tangent; `16 - n` with -h and -l the same sine; -n with -h and -l the opposite of both.
        pub const STAGES: &[(u8, &Kernel, &Kernel)] = &[
            $(($n, <$sine as CrunchFn>::KERNEL, <$tangent as CrunchFn>::KERNEL)),+
        ];
    };
}

stages! {
    0 sine_0 tangent_0
    1 sine_1 tangent_1
    2 sine_2 tangent_2
    3 sine_3 tangent_3
    4 sine_4 tangent_4
    5 sine_5 tangent_5
    6 sine_6 tangent_6
    7 sine_7 tangent_7
    8 sine_8 tangent_8
}
