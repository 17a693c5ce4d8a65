//! `hypot` in binary64 where its scaling changes: subnormal numbers, the least normal and the largest results, and lengths of about 2^-300 and
//! 2^400.

use dc_math::f64::hypot;

#[cfg(feature = "mpfr")]
use crate::inputs::{random, unit};

/// x 2^e without an intermediate rounding, where the result is a double or infinite.
fn scaled(x: f64, e: i32) -> f64 {
    let half = e / 2;
    x * 2f64.powi(half) * 2f64.powi(e - half)
}

/// Triples of Pythagoras have exact lengths, at all scales; beyond the largest number the length is infinite.
#[test]
fn triples_at_all_scales() {
    let mut measured = 0;
    for (p, q) in (2..40u32).flat_map(|p| (1..p).map(move |q| (p, q))) {
        let [a, b, c] = [p * p - q * q, 2 * p * q, p * p + q * q].map(f64::from);
        for e in (-1074..=1023).step_by(if p < 4 { 1 } else { 37 }) {
            let [x, y, right] = [a, b, c].map(|n| scaled(n, e));
            if x.is_finite() && y.is_finite() {
                measured += 1;
                for (x, y) in [(x, y), (-y, x)] {
                    assert_eq!(hypot(x, y), right, "{x:e}, {y:e}");
                }
            }
        }
    }
    assert!(measured > 45_000, "{measured}");
}

/// The root is the least normal number, rounded, and the length is 0.647 units above it: a kernel that chooses by the root how to round is off by this.
#[test]
fn a_length_above_the_least_normal_number() {
    let [x, y] = [0x000f_95b9_9a9a_80fd, 0x0003_9efd_6b0e_d9c7].map(f64::from_bits);
    for (x, y) in [(x, y), (y, -x)] {
        assert_eq!(hypot(x, y).to_bits(), 0x0010_0000_0000_0001);
    }
}

/// Slices have the bits of single numbers, whatever stands beside a number.
#[test]
fn slices_of_all_scales() {
    let xs: Vec<f64> = (0..3000).map(|n| scaled(1.37, n % 2098 - 1074)).collect();
    let ys: Vec<f64> = (0..3000)
        .map(|n| scaled(1.73, (n * 7) % 2098 - 1074))
        .collect();
    let mut zs = vec![0.0; xs.len()];
    dc_math::f64::hypot::map(&xs, &ys, &mut zs);
    for ((&x, &y), z) in xs.iter().zip(&ys).zip(zs) {
        assert_eq!(z.to_bits(), hypot(x, y).to_bits(), "{x:e}, {y:e}");
    }
}

/// Pairs next to each change of the scaling and next to both ends of the results.
#[cfg(feature = "mpfr")]
fn seams() -> Vec<(f64, f64)> {
    let mut word = random(17);
    let mut all = Vec::new();
    for n in 0..6000 {
        let mut unit = || 1.0 + unit(word());
        let (x, y, turn) = (unit(), unit(), unit());
        // The second number down to 2^-58 of the first one.
        let less = n % 59;
        for top in [
            -1074, -1060, -1023, -1022, -1021, -301, -300, 399, 400, 401, 1022, 1023,
        ] {
            all.push((scaled(x, top), scaled(y, top - less)));
        }
        // Lengths next to the least normal number and to the largest one.
        let (sin, cos) = turn.sin_cos();
        let near = 1.0 + (x - 1.5) * 2f64.powi(-(n % 52));
        all.push((scaled(sin * near, -1022), scaled(cos, -1022)));
        all.push((scaled(sin * near, 1023) * 2.0, scaled(cos, 1023) * 2.0));
        let [a, b] = [word(), word()].map(|w| f64::from_bits(w >> (12 + n % 50)));
        all.push((a, b));
    }
    all
}

/// The result is the nearest number, subnormal and infinite ones too, or next to a midpoint.
#[cfg(feature = "mpfr")]
#[test]
fn lengths_at_the_seams() {
    use crate::double::{LENGTH_BOUND, error};
    use dc_runtime::mpfr::rug::Float;
    let (mut worst, mut at, mut infinite, mut subnormal) = (0.0, (0.0, 0.0), 0, 0);
    for (x, y) in seams() {
        let z = hypot(x, y);
        let truth = Float::with_val(200, x).hypot(&Float::with_val(200, y));
        let Some(e) = error(z, &truth, true) else {
            assert_eq!(z, f64::INFINITY, "{x:e}, {y:e}");
            infinite += 1;
            continue;
        };
        subnormal += u32::from(z < f64::MIN_POSITIVE);
        if e > worst || e.is_nan() {
            (worst, at) = (e, (x, y));
        }
    }
    println!(
        "hypot: {worst:.12} ULP at {at:?}, {subnormal} subnormal and {infinite} infinite results"
    );
    assert!(worst <= LENGTH_BOUND, "{worst} at {at:?}");
    assert!(
        subnormal > 10_000 && infinite > 2000,
        "{subnormal}, {infinite}"
    );
}
