//! The properties of the tables, and results that are known without a search.

use super::exp_constants::{STEP_HI, STEP_LO, TAILS};
use super::log_constants::{INVERSES, LN2_HI, LOGS};
use super::sin_constants::{HALF_PI_1, HALF_PI_2};
use super::*;
use crate::builtins::reference::binary64::POWERS;

const INFINITY: f64 = f64::INFINITY;

/// Whether a number is a multiple of 2^e.
fn on(x: f64, e: i32) -> bool {
    let scaled = x * 2f64.powi(-e);
    scaled == scaled.trunc()
}

#[test]
fn products_and_sums_of_the_reductions_are_exact() {
    // k ln 2 / 128 for |k| < 2^17 is exact in the first word; the second is far below.
    assert!(on(STEP_HI, -43) && STEP_LO < 2f64.powi(-45));
    // n π/2 for |n| < 2^10 is exact in the first two words.
    assert!(on(HALF_PI_1, -42) && on(HALF_PI_2, -86));
    // k ln 2 + ln c, of |k| <= 1075, are multiples of 2^-43 below 2^10.
    assert!(on(LN2_HI, -42) && LOGS.iter().all(|&l| on(l, -43)));
}

#[test]
fn tables_are_of_their_stretches() {
    for i in 0..128 {
        let power = 2f64.powf(i as f64 / 128.0);
        assert!((POWERS[i] - power).abs() < 4e-16 && TAILS[i].abs() < 1.2e-16);
        let (first, last) = if i < 80 {
            (0.6875 + i as f64 / 256.0, 0.6875 + (i + 1) as f64 / 256.0)
        } else {
            (1.0 + (i - 80) as f64 / 128.0, 1.0 + (i - 79) as f64 / 128.0)
        };
        for z in [first, last] {
            let r = z.mul_add(INVERSES[i], -1.0);
            assert!(r.abs() < 0.003_91, "{i}: {r}");
        }
        assert!((LOGS[i] + INVERSES[i].ln()).abs() < 1e-15, "{i}");
    }
}

#[test]
fn exponentials() {
    for e in [exp_fdlibm::eval, exp_table::eval] {
        assert_eq!([e(0.0), e(-0.0), e(1e-300), e(-1e-300)], [1.0; 4]);
        assert_eq!([e(INFINITY), e(-INFINITY)], [INFINITY, 0.0]);
        assert_eq!([e(709.79), e(-745.2)], [INFINITY, 0.0]);
        assert_eq!(e(-745.13), 5e-324);
        assert!(e(709.78).is_finite() && e(f64::NAN).is_nan());
        let small = e(-720.0);
        assert!(small > 0.0 && (small / (-720f64).exp() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn logarithms() {
    let ln = log_table::eval;
    assert_eq!(
        [ln(0.0), ln(-0.0), ln(INFINITY)],
        [-INFINITY, -INFINITY, INFINITY]
    );
    assert!(ln(-1.0).is_nan() && ln(-INFINITY).is_nan() && ln(f64::NAN).is_nan());
    assert!(ln(1.0) == 0.0 && ln(1.0).is_sign_positive());
    for x in [
        5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        0.5,
        0.9375,
        1.0625,
        2.0,
        f64::MAX,
    ] {
        assert!((ln(x) - x.ln()).abs() <= 2e-16 * x.ln().abs(), "{x:e}");
    }
}

#[test]
fn sines() {
    let sin = sin_fdlibm::eval;
    for x in [0.0, -0.0, 5e-324, -5e-324, 1e-9] {
        assert_eq!(sin(x).to_bits(), x.to_bits());
    }
    assert!(sin(INFINITY).is_nan() && sin(f64::NAN).is_nan());
    for k in -1024..=1024 {
        let x = f64::from(k) * 0.999_7;
        assert!((sin(x) - x.sin()).abs() < 2e-16, "{x}");
        assert_eq!(sin(-x), -sin(x));
    }
    // Of all doubles below 2^10 the one nearest to a multiple of π/2, and its double.
    let near = f64::from_bits(0x4046_c6cb_c45d_c8de);
    assert_eq!(sin(near), 1.0);
    assert_eq!(sin(2.0 * near), -1.237_961_273_176_715_4e-18);
}

#[test]
fn cube_roots() {
    let root = cbrt_freebsd::eval;
    for x in [0.0, -0.0, INFINITY, -INFINITY] {
        assert_eq!(root(x).to_bits(), x.to_bits());
    }
    assert!(root(f64::NAN).is_nan());
    for n in -2000..=2000 {
        let n = f64::from(n);
        assert_eq!(root(n * n * n), n);
    }
    for x in [5e-324, -1e-310, 1e-300, 3e300, f64::MAX] {
        let y = root(x);
        assert!((y / x.cbrt() - 1.0).abs() < 3e-16, "{x:e}");
    }
}
