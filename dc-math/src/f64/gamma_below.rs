//! ln |Γ(x)| for negative numbers in binary64. With a = -x, and Γ as in `gamma.rs`,
//!
//! ```text
//! ln |Γ(-a)| = -ln(a |sin πa| Γ(a) / π),
//! ```
//!
//! where the product has two words, and the logarithm is that of `power.rs`. From 170 on, ln Γ(a) is Stirling's formula, and is added to the logarithm of the
//! rest.
//!
//! This has an absolute error. Next to a pole -n, n > 2, there are zeros on both sides, and one more is below -2. Where the result is below 0.504, it is computed from
//! t = x - z, where z is the nearest zero, in three words. With the poles -j and -j - 1 next to z,
//!
//! ```text
//! ln |Γ(z + t)| = t p(t) - ln(1 + s),    1 + s = (x + j) (x + j + 1) / ((z + j) (z + j + 1)),    s = t (2z + 2j + 1 + t) / ((z + j) (z + j + 1)),
//! ```
//!
//! with one polynomial p for each zero. p, s and the logarithm have two words. The zeros next to -17 are the last ones to which doubles are close.

use super::common::{INTEGER, product};
use super::gamma::{TINY, far_in_words, gamma_in_words, lgamma_positive, sine_of_half_turns};
use super::gamma_zeros::*;
use super::hyperbolic::power_of_two;
use super::logarithm::number;
use super::power::{fine_log, fine_parts, log_in_words};
use super::tables::{FINE_FACTORS, INVERSE_PI_HI, INVERSE_PI_LO};
use dc_runtime::__private_v0_2::ir::Kernel;
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;

/// From here on ln Γ(a) is Stirling's formula. Below it, products with Γ(a) are finite.
pub const STIRLING: f64 = 170.0;
/// The second zero is used from -2.61 on, where |Γ| is least between it and the first one, and not from -2.5 on.
const ASIDE: f64 = 7.0 / 64.0;
/// Numbers less than this away from 1 are in its cell.
const STEP: f64 = 1.0 / 64.0;
/// Results below this magnitude are computed from the zeros. It is above 1/2, where the last place of other results changes.
const NEAR: f64 = 0.5 + 1.0 / 256.0;

/// p(t + t_low) of the zero with this number, in two words.
#[crunch]
fn smooth(t: DcDouble, t_low: DcDouble, k: DcLong) -> DcDoubleDouble {
    let p = SMOOTH_13[k];
    let p = t.mul_add(p, SMOOTH_12[k]);
    let p = t.mul_add(p, SMOOTH_11[k]);
    let p = t.mul_add(p, SMOOTH_10[k]);
    let p = t.mul_add(p, SMOOTH_9[k]);
    let p = t.mul_add(p, SMOOTH_8[k]);
    let p = t.mul_add(p, SMOOTH_7[k]);
    let p = t.mul_add(p, SMOOTH_6[k]);
    let p = t.mul_add(p, SMOOTH_5[k]);
    let p = t.mul_add(p, SMOOTH_4[k]);
    let p = t.mul_add(p, SMOOTH_3[k]);
    let p = t.mul_add(p, SMOOTH_2[k]);
    let c = SMOOTH_1[k];
    let v = t.mul_add(p, c);
    let v_low = t.mul_add(p, c - v) + SMOOTH_1_LOW[k];
    let c = SMOOTH_0[k];
    let y = t.mul_add(v, c);
    let low = t_low.mul_add(v, t.mul_add(v_low, SMOOTH_0_LOW[k]));
    let y_low = t.mul_add(v, c - y) + low;
    DcDoubleDouble::new(y, y_low)
}

/// ln(1 + s), s from -0.4 to 0.9.
#[crunch]
fn log_above(s: DcDoubleDouble) -> DcDoubleDouble {
    let above = two_sum(1.0, s.hi);
    let (e, r, cell) = fine_parts(above.hi.to_bits());
    let factor = power_of_two(-e) * FINE_FACTORS[cell];
    // Next to 1, where the factor is 1, the sum is not needed.
    let small = s.hi.abs() < STEP;
    let (r, more) = small.select((s.hi, 0.0), (r, above.lo * factor));
    let r = fast_two_sum(r, more);
    let low = s.lo.mul_add(factor, r.lo);
    let slope = r.hi.mul_add(r.hi, -r.hi);
    fine_log(number(e), r.hi, cell, low.mul_add(slope, low))
}

/// ln |Γ(z + t + t_low)| for the zero z with this number.
#[crunch]
fn near_zero(t: DcDouble, t_low: DcDouble, k: DcLong) -> DcDouble {
    let t = DcDoubleDouble::new(t, t_low);
    let more = two_sum(CENTRE_HI[k], t.hi);
    let more = DcDoubleDouble::new(more.hi, more.lo + (CENTRE_LO[k] + t.lo));
    let inverse = DcDoubleDouble::new(INVERSE_HI[k], INVERSE_LO[k]);
    let log = log_above(product(product(t, more), inverse));
    let line = product(t, smooth(t.hi, t.lo, k));
    let sum = two_sum(line.hi, -log.hi);
    sum.hi + (sum.lo + (line.lo - log.lo))
}

/// The distance from the nearest zero, in two words, and the number of the zero.
#[crunch]
fn from_zero(x: DcDouble) -> (DcDoubleDouble, DcLong) {
    let t = (-x - ASIDE) + INTEGER;
    let n = t - INTEGER;
    let k = t.to_bits() << 1;
    let k = if -x > n { k - 3 } else { k - 4 };
    let d = two_sum(x - ZERO_1[k], -ZERO_2[k]);
    (DcDoubleDouble::new(d.hi, d.lo - ZERO_3[k]), k)
}

/// a |sin πa| g / π in two words, where a is omitted if Γ(1 + a) = a Γ(a) is a part of g: the first one's magnitude, and the second one divided by the first one.
#[crunch]
fn with_sine(a: DcDouble, g: DcDoubleDouble, omitted: DcMask) -> (DcDouble, DcDouble) {
    let s = product(sine_of_half_turns(a), g);
    let s = fast_two_sum(s.hi, s.lo);
    let factor = if omitted { 1.0 } else { a };
    let p = product(s, DcDoubleDouble::new(factor, 0.0));
    let p = product(p, DcDoubleDouble::new(INVERSE_PI_HI, INVERSE_PI_LO));
    (p.hi.abs(), p.lo * p.hi.recip())
}

/// Γ(a), or Γ(1 + a) below 1, in two words; and whether it is below 1.
#[crunch]
fn gamma_above(a: DcDouble) -> (DcDoubleDouble, DcMask) {
    let small = a < 1.0;
    let above = fast_two_sum(1.0, a);
    let (t, t_low) = small.select((above.hi, above.lo), (a, 0.0));
    let (g, rest) = gamma_in_words(t, t_low);
    let scale = power_of_two(rest);
    (DcDoubleDouble::new(g.hi * scale, g.lo * scale), small)
}

/// ln |Γ(-a)| for positive a. Poles excepted.
#[crunch]
fn below(a: DcDouble) -> DcDouble {
    let far = a >= STIRLING;
    let (g, small) = gamma_above(a.min(STIRLING));
    let g = far.select(DcDoubleDouble::new(1.0, 0.0), g);
    // Next to 0, the product with Γ is a.
    let tiny = a < TINY;
    let (p, more) = tiny.select((a, 0.0), with_sine(a, g, small));
    let log = log_in_words(p);
    let low = log.lo + more;

    let l = far_in_words(a, log_in_words(a));
    let (hi, lo) = far.select((l.hi, l.lo), (0.0, 0.0));
    let sum = two_sum(hi, log.hi);
    let y = -(sum.hi + (sum.lo + (lo + low)));

    let (t, k) = from_zero(-a);
    let near = near_zero(t.hi, t.lo, k);
    if y.abs() < NEAR { near } else { y }
}

/// ln |Γ(x)|, error at most 0.55 ULP.
#[crunch]
pub fn lgamma(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let y = if x > 0.0 {
        lgamma_positive(a)
    } else {
        below(a)
    };
    let pole = (x <= 0.0) & (x.floor() == x);
    let y = if pole { f64::INFINITY } else { y };
    if x != x { x } else { y }
}

/// ln |Γ(x)| for negative numbers down to -170 that are not next to a zero or 0, with the bits of `lgamma`; and whether it is another number.
#[crunch]
pub fn lgamma_apart(x: DcDouble) -> (DcDouble, DcMask) {
    let a = -x;
    let (g, small) = gamma_above(a);
    let (p, more) = with_sine(a, g, small);
    let (e, r, cell) = fine_parts(p.to_bits());
    let log = fine_log(number(e), r, cell, 0.0);
    let y = -(log.hi + (log.lo + more));
    let inside = (a >= TINY) & (a < STIRLING) & (a.floor() != a);
    (y, !(inside & (y.abs() >= NEAR)))
}

/// ln Γ(x) for x from 170 on, in two words, with the bits of `lgamma`.
#[crunch]
pub fn lgamma_in_words(x: DcDouble) -> DcDoubleDouble {
    far_in_words(x, log_in_words(x))
}

/// `near_zero` for one zero each: stages, with certificates.
macro_rules! stages {
    ($($k:literal $name:ident)+) => {
        $(
            #[doc = concat!("ln |Γ(z + t + t_low)| for zero ", $k, ".")]
            #[crunch]
            pub fn $name(t: DcDouble, t_low: DcDouble) -> DcDouble {
                near_zero(t, t_low, $k)
            }
        )+

        /// The numbers of the zeros, from the first one below -2 on, and the functions.
        pub const NEAR_ZEROS: &[(u8, &Kernel)] = &[$(($k, <$name as CrunchFn>::KERNEL)),+];
    };
}

stages! {
    1 near_1 2 near_2 3 near_3 4 near_4 5 near_5 6 near_6 7 near_7 8 near_8
    9 near_9 10 near_10 11 near_11 12 near_12 13 near_13 14 near_14 15 near_15 16 near_16
    17 near_17 18 near_18 19 near_19 20 near_20 21 near_21 22 near_22 23 near_23 24 near_24
    25 near_25 26 near_26 27 near_27 28 near_28 29 near_29 30 near_30 31 near_31
}

/// The distance from the nearest zero in two words, as `lgamma` computes it.
#[crunch]
pub fn distance_from_zero(x: DcDouble) -> DcDoubleDouble {
    let (t, _) = from_zero(x);
    t
}

/// The words of the zero with this number.
pub fn zero_in_words(k: usize) -> [f64; 3] {
    [ZERO_1[k], ZERO_2[k], ZERO_3[k]]
}
