//! Rivals in plain Rust: for each kernel one function of a number, as one would write it without this library, in a plain loop and in loops
//! over arrays that LLVM vectorizes. They only search for the maximum.

/// As in `dc_runtime::builtins`.
macro_rules! doubles {
    ($($bits:literal)*) => {
        [$(f64::from_bits($bits)),*]
    };
}

#[allow(dead_code, reason = "what the runtime's own routines need besides")]
#[path = "../../dc-runtime/src/builtins/reference/binary64/exp_constants.rs"]
mod constants;

use constants::{
    HUNDRED_TWENTIETH_HI, HUNDRED_TWENTIETH_LO, POWERS_HI, POWERS_LO, POWERS_MID, SIXTH_HI,
    SIXTH_LO, STEP_1, STEP_2, STEP_3, STEPS,
};
use doublecrunch::sweeps::LOG_COEFFICIENTS as C;

/// Result and reference in two words, of the number with a key.
pub type Both = (f64, f64, f64);

const LANES: usize = 64;

/// `key ^ flip` for the keys of one sign.
#[inline(always)]
fn number(key: i64) -> f64 {
    f64::from_bits((key ^ ((key >> 63) as u64 >> 1) as i64) as u64)
}

#[inline(always)]
fn number_f32(key: i64) -> f32 {
    let key = key as i32;
    f32::from_bits((key ^ ((key >> 31) as u32 >> 1) as i32) as u32)
}

/// Signed error in ULP of a double, for ordinary references.
#[inline(always)]
fn error(both: Both) -> f64 {
    let (y, hi, lo) = both;
    let toward_zero = (lo < 0.0) != (hi < 0.0) && lo != 0.0;
    let exponent = (hi.to_bits() - u64::from(toward_zero)) & 0x7ff0_0000_0000_0000;
    ((y - hi) - lo) * f64::from_bits((2098u64 << 52).wrapping_sub(exponent))
}

#[inline(always)]
fn error_f32(both: Both) -> f64 {
    let (y, reference, _) = both;
    let exponent =
        reference.abs().max(f64::from(f32::MIN_POSITIVE)).to_bits() & 0x7ff0_0000_0000_0000;
    (y - reference) * f64::from_bits((2069u64 << 52).wrapping_sub(exponent))
}

/// The largest error of a stretch and its key, number by number.
#[inline(always)]
fn one_by_one(first: i64, count: u64, error: impl Fn(i64) -> f64) -> (f64, i64) {
    let mut most = (0.0, first);
    for key in first..first + count as i64 {
        let e = error(key).abs();
        if e > most.0 {
            most = (e, key);
        }
    }
    most
}

/// The same by arrays.
#[inline(always)]
fn by_arrays(first: i64, count: u64, error: impl Fn(i64) -> f64) -> (f64, i64) {
    let mut most = (0.0, first);
    let mut errors = [0.0; LANES];
    for at in (first..first + count as i64).step_by(LANES) {
        for (i, e) in errors.iter_mut().enumerate() {
            *e = error(at + i as i64).abs();
        }
        let largest = errors
            .iter()
            .fold(0.0, |m: f64, &e| if e > m { e } else { m });
        if largest > most.0 {
            let i = errors.iter().position(|&e| e == largest).unwrap_or(0);
            most = (largest, at + i as i64);
        }
    }
    most
}

/// `plain` and `vectors` of a kernel, compiled with the features of this machine's best instruction set.
macro_rules! kernel {
    ($name:ident, $error:ident, $function:expr) => {
        pub mod $name {
            use super::*;

            #[target_feature(enable = "avx2,fma")]
            fn plain_fma(first: i64, count: u64) -> (f64, i64) {
                one_by_one(first, count, |key| $error($function(key)))
            }
            #[target_feature(enable = "avx2,fma")]
            fn vectors_avx2(first: i64, count: u64) -> (f64, i64) {
                by_arrays(first, count, |key| $error($function(key)))
            }
            #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
            fn vectors_avx512(first: i64, count: u64) -> (f64, i64) {
                by_arrays(first, count, |key| $error($function(key)))
            }

            /// Number by number.
            pub fn plain(first: i64, count: u64) -> (f64, i64) {
                assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"));
                // SAFETY: just detected.
                unsafe { plain_fma(first, count) }
            }
            /// By arrays.
            pub fn vectors(first: i64, count: u64) -> (f64, i64) {
                if is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512bw") {
                    // SAFETY: a processor with these has all of them.
                    return unsafe { vectors_avx512(first, count) };
                }
                assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"));
                // SAFETY: just detected.
                unsafe { vectors_avx2(first, count) }
            }
        }
    };
}

static ESTIMATES: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = ((((1 << 19) / (2 * (256 + i as u32) + 1)) + 1) >> 1 & 255) << 15;
        i += 1;
    }
    table
};

#[inline(always)]
fn estimate(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = bits & 0x7f80_0000;
    let estimate = 0x7e80_0000u32.wrapping_sub(exponent) | ESTIMATES[(bits >> 15 & 255) as usize];
    let size = if exponent == 0 {
        0x7f80_0000
    } else if exponent >= 0x7e80_0000 {
        0
    } else {
        estimate
    };
    if x.is_nan() {
        return f32::NAN;
    }
    f32::from_bits(size | bits & 0x8000_0000)
}

#[inline(always)]
fn reciprocal_both(key: i64) -> Both {
    let x = number(key);
    let mut y = f64::from(estimate(x as f32));
    for _ in 0..3 {
        y *= 2.0 - y * x;
    }
    let hi = 1.0 / x;
    (y, hi, hi * (-hi).mul_add(x, 1.0))
}
kernel!(reciprocal, error, reciprocal_both);

#[inline(always)]
fn reciprocal_f32_both(key: i64) -> Both {
    let x = number_f32(key);
    let mut y = estimate(x);
    for _ in 0..2 {
        y = y.mul_add((-y).mul_add(x, 1.0), y);
    }
    (f64::from(y), 1.0 / f64::from(x), 0.0)
}
kernel!(reciprocal_f32, error_f32, reciprocal_f32_both);

#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}
#[inline(always)]
fn fast_two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}
#[inline(always)]
fn two_prod(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

#[inline(always)]
fn log_both(key: i64) -> Both {
    let t = number(key) - 1.0;
    let (mut y, mut s, mut products, mut sums) = (C[19], C[19], 0.0f64, 0.0f64);
    for i in (0..19).rev() {
        y = y.mul_add(t, C[i]);
        let (p, pe) = two_prod(s, t);
        let (next, se) = two_sum(p, C[i]);
        s = next;
        products = products.mul_add(t, pe);
        sums = sums.mul_add(t, se);
    }
    let y = t.mul_add(t * y, t);
    let (mut h, mut l) = two_sum(s, products + sums);
    for _ in 0..2 {
        let (p, pe) = two_prod(h, t);
        (h, l) = fast_two_sum(p, l.mul_add(t, pe));
    }
    let (s, e) = two_sum(h, t);
    let (hi, lo) = fast_two_sum(s, l + e);
    (y, hi, lo)
}
kernel!(log_polynomial, error, log_both);

type Dd = (f64, f64);

#[inline(always)]
fn times(x: Dd, y: Dd) -> Dd {
    let c = two_prod(x.0, y.0);
    fast_two_sum(c.0, c.1 + x.1.mul_add(y.0, x.0 * y.1))
}
#[inline(always)]
fn plus(x: Dd, y: Dd) -> Dd {
    let s = two_sum(x.0, y.0);
    fast_two_sum(s.0, s.1 + (x.1 + y.1))
}
#[inline(always)]
fn power(n: i32) -> f64 {
    f64::from_bits(((i64::from(n) + 1023) << 52) as u64)
}

#[inline(always)]
fn cephes(x: f64) -> f64 {
    let n = (x * std::f64::consts::LOG2_E + 0.5).floor();
    let r = x - n * 0.693_145_751_953_125;
    let r = r - n * 1.428_606_820_309_417_2e-6;
    let rr = r * r;
    let p = r * ((1.261_771_930_748_105_9e-4 * rr + 3.029_944_077_074_419_6e-2) * rr + 1.0);
    let q = (3.001_985_051_386_644_6e-6 * rr + 2.524_483_403_496_841e-3) * rr;
    let q = (q + 2.272_655_482_081_550_3e-1) * rr + 2.0;
    let y = 1.0 + 2.0 * (p / (q - p));
    let n = n as i32;
    y * power(n >> 1) * power(n - (n >> 1))
}

#[inline(always)]
fn exp_both(key: i64) -> Both {
    let x = number(key);
    let steps = (x * STEPS).round_ties_even();
    let k = steps as i32;
    let r = two_sum((-steps).mul_add(STEP_1, x), -(steps * STEP_2));
    let r = fast_two_sum(r.0, (-steps).mul_add(STEP_3, r.1));
    let mut t = 1.0 / 3_628_800.0;
    for c in [1.0 / 362_880.0, 1.0 / 40_320.0, 1.0 / 5_040.0, 1.0 / 720.0] {
        t = r.0.mul_add(t, c);
    }
    let c = two_prod(r.0, t);
    let mut s = fast_two_sum(c.0, r.1.mul_add(t, c.1));
    s = plus((HUNDRED_TWENTIETH_HI, HUNDRED_TWENTIETH_LO), s);
    for c in [
        (0.25 * SIXTH_HI, 0.25 * SIXTH_LO),
        (SIXTH_HI, SIXTH_LO),
        (0.5, 0.0),
    ] {
        s = plus(c, times(r, s));
    }
    let c = two_prod(r.0, r.0);
    let square = fast_two_sum(c.0, (r.0 + r.0).mul_add(r.1, c.1));
    let q = plus(r, times(square, s));
    let i = (k & 127) as usize;
    let p = times((POWERS_HI[i], POWERS_MID[i]), q);
    let a = fast_two_sum(POWERS_HI[i], p.0);
    let b = two_sum(a.1, POWERS_MID[i]);
    let c = fast_two_sum(a.0, b.0);
    let y = fast_two_sum(c.0, c.1 + (b.1 + (p.1 + POWERS_LO[i])));
    let e = k >> 7;
    let (first, second) = (power(e >> 1), power(e - (e >> 1)));
    (cephes(x), y.0 * first * second, y.1 * first * second)
}
kernel!(exp, error, exp_both);
