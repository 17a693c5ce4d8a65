//! The polynomial of degree 21 for log x on [√½, √2] (*DoubleCrunch*, Section 5): `t + t (t P(t))`, `t = x - 1`, P of
//! degree 19.
//!
//! The search measures the rounding errors of its evaluation: routine and reference evaluate the *same* polynomial. The
//! distance of the polynomial from the logarithm was computed by Sollya: its relative error is at most 0.16171 · 2^-53.
//!
//! `t` is exact, by Sterbenz' lemma. The paper states "evaluated through a Horner scheme with fused multiply-add". We assume
//! that this includes the last step, so `t` is added in the same rounding as the product with it.
//!
//! # The reference
//!
//! Graillat, Langlois and Louvet's compensated Horner scheme (*Improving the compensated Horner scheme with a fused
//! multiply and add*, SAC 2006), with the paper's change: the errors of the products and those of the sums are two
//! separate polynomials, evaluated in parallel.
//!
//! Its relative error is below 2^-98. With u = 2^-53, γ_k = k u / (1 - k u) and P~(t) the sum of |c_i t^i|:
//!
//! 1. P(t) = y + E(t) + F(t) exactly, where y is the result of Horner's scheme, E has the errors of its 19 products for
//!    coefficients and F those of its 19 sums; and E~ + F~ ≤ γ_38 P~ (*Compensated Horner scheme*, 2005, Section 3). No
//!    error of a product underflows, since |t| is 0 or at least 2^-53.
//! 2. E and F, of degree 18, are each evaluated with 18 roundings, and their sum is rounded once more: an error below
//!    γ_19 (E~ + F~) ≤ γ_19 γ_38 P~ < 723 u² P~. `two_sum` adds nothing.
//! 3. The two products with t add 2 u² each relatively, and the sum with t 2 u² (`dd_mul_f64`, `dd_add_f64`).
//! 4. On the interval, t² |P| / |t + t² P| ≤ 0.196 (at the right end) and t² P~ / |t + t² P| ≤ 0.349 (as well: the signs
//!    of the coefficients alternate, so that P~(t) = |P(-|t|)|). All together: (723 · 0.349 + 4 · 0.196 + 2) u² < 255.2 u²,
//!    so with the terms in u³ it is below 256 u² = 2^-98.
//!
//! `tests/references` measures it against MPFR.

use crate::prelude::*;

/// The coefficients of `P`, from t^0 up: `scripts/log.sollya` by Sollya 8.0. The enclosure that it certifies for the
/// largest relative error of `t + t² P(t)` is [0.161550, 0.161704] · 2^-53.
pub const LOG_COEFFICIENTS: [f64; 20] = [
    f64::from_bits(0xbfe0_0000_0000_0000), // -0.5
    f64::from_bits(0x3fd5_5555_5555_554b), // 0.33333333333333276
    f64::from_bits(0xbfcf_ffff_ffff_f8d8), // -0.24999999999994915
    f64::from_bits(0x3fc9_9999_9999_bd4c), // 0.20000000000025364
    f64::from_bits(0xbfc5_5555_555e_9417), // -0.16666666668348348
    f64::from_bits(0x3fc2_4924_923d_0fe3), // 0.142857142835168
    f64::from_bits(0xbfbf_ffff_f7c1_c381), // -0.12499999808075125
    f64::from_bits(0x3fbc_71c7_1a52_1c51), // 0.1111111106166487
    f64::from_bits(0xbfb9_999b_606b_322b), // -0.10000010589573864
    f64::from_bits(0x3fb7_45d3_bb15_1d1a), // 0.09090922658389325
    f64::from_bits(0xbfb5_551f_e8eb_86a1), // -0.08333014904521942
    f64::from_bits(0x3fb3_b0ca_0e03_1b03), // 0.07691634027569809
    f64::from_bits(0xbfb2_4ca3_46cf_dd6d), // -0.07148190001304551
    f64::from_bits(0x3fb1_1b75_9031_5239), // 0.06682524462059626
    f64::from_bits(0xbfaf_c495_fb35_51ff), // -0.06204670611865381
    f64::from_bits(0x3fad_1d88_94c2_8c66), // 0.05686594787518899
    f64::from_bits(0xbfac_f8cb_97c2_13eb), // -0.056585657382164666
    f64::from_bits(0x3fb0_7b1b_d120_7c79), // 0.064378489071247
    f64::from_bits(0xbfae_8ff6_5d56_d044), // -0.05969209565537928
    f64::from_bits(0x3f9b_2cec_0fd8_aebc), // 0.02653855177611207
];

/// log x for √½ ≤ x ≤ √2 by Horner's scheme with fused multiply-adds.
#[crunch]
pub fn log_polynomial(x: DcDouble) -> DcDouble {
    let t = x - 1.0;
    let p = horner(t, &LOG_COEFFICIENTS);
    let tp = t * p;
    t.mul_add(tp, t)
}

/// The same polynomial by the compensated scheme: relative error below 2^-98, proved at the beginning of this file.
#[crunch]
pub fn log_polynomial_reference(x: DcDouble) -> DcDoubleDouble {
    let t = x - 1.0;
    let p = horner_two_errors(t, &LOG_COEFFICIENTS);
    let tp = dd_mul_f64(p, t);
    dd_add_f64(dd_mul_f64(tp, t), t)
}

/// Compensated Horner with two error polynomials, that of the products and that of the sums, for degree n: error below
/// γ_n γ_2n P~, see the beginning of this file.
#[crunch]
fn horner_two_errors(x: DcDouble, c: &[f64]) -> DcDoubleDouble {
    let mut y = c[c.len() - 1];
    let mut products: DcDouble = 0.0;
    let mut sums: DcDouble = 0.0;
    for i in (0..c.len() - 1).rev() {
        (y, products, sums) = step_two_errors(y, products, sums, x, c[i]);
    }
    two_sum(y, products + sums)
}

/// The step for one coefficient.
#[crunch(step)]
fn step_two_errors(
    y: DcDouble,
    products: DcDouble,
    sums: DcDouble,
    x: DcDouble,
    c: DcDouble,
) -> (DcDouble, DcDouble, DcDouble) {
    let p = two_prod(y, x);
    // A `two_sum` with one operation on the multipliers, which have four of this step's products.
    let s = p.hi + c;
    let c_seen = s - p.hi;
    let p_seen = s - c_seen;
    let e = (p.hi - p_seen) + c.sub_as_fma(c_seen);
    (s, products.mul_add(x, p.lo), sums.mul_add(x, e))
}
