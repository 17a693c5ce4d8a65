//! `exp_reference` compared with MPFR at 400 bits, and `exp_cephes` with both.

use doublecrunch::mpfr::rug::{Assign as _, Float};
use doublecrunch::mpfr::set;
use doublecrunch::prelude::*;
use doublecrunch::sweeps::{exp_cephes, exp_reference};

use crate::inputs::{Rng, power};
use crate::measure::inputs;

const BITS: u32 = 400;

/// The proved relative error.
fn epsilon() -> f64 {
    2f64.powf(-105.7)
}

/// The largest relative error, from zero to overflow.
struct Measure {
    relative: f64,
    worst: f64,
    count: u64,
    right: Float,
    found: Float,
}

impl Measure {
    fn new() -> Self {
        let zero = || Float::new(BITS);
        Measure {
            relative: 0.0,
            worst: 0.0,
            count: 0,
            right: zero(),
            found: zero(),
        }
    }

    /// Measures one input with its results.
    fn look(&mut self, x: f64, (found, scale): (DoubleDouble, i64)) {
        self.count += 1;
        // Beyond these limits the reference's result is that of the limits.
        self.right.assign(x.clamp(-800.0, 710.0));
        self.right.exp_mut();
        assert!(
            (2f64.powi(-901)..2f64.powi(1001)).contains(&found.hi) && found.lo.is_finite(),
            "{x:e}: {found:?}"
        );
        // 2^-900 is e^-623.833, 2^1001 e^693.840.
        let ordinary = [-623.82..693.83, -623.84..693.85].map(|r| r.contains(&x));
        assert!(ordinary.contains(&(scale == 0)), "{x:e}: {scale}");
        assert!((-300..=30).contains(&scale), "{x:e}: {scale}");
        set(&mut self.found, found);
        self.found <<= scale as i32;
        self.found -= &self.right;
        self.found /= &self.right;
        let error = self.found.to_f64().abs();
        if error > self.relative {
            (self.relative, self.worst) = (error, x);
        }
    }

    fn all(&mut self, xs: &[f64]) {
        let mut found = vec![(DoubleDouble::default(), 0); xs.len()];
        exp_reference::map(xs, &mut found);
        for (x, found) in xs.iter().zip(found) {
            self.look(*x, found);
        }
    }

    fn check(&self, what: &str) {
        println!(
            "exp_reference, {what}: {} inputs; relative error up to 2^{:.3} at {:e} ({:#x})",
            self.count,
            self.relative.log2(),
            self.worst,
            self.worst.to_bits(),
        );
        assert!(self.relative <= epsilon(), "2^{}", self.relative.log2());
    }
}

/// Inputs with results from 0 to infinity.
fn uniform(rng: &mut Rng) -> f64 {
    -746.0 + (rng.word() >> 11) as f64 * power(-53) * (746.0 + 710.0)
}

#[test]
fn anywhere() {
    let mut rng = Rng(50);
    let mut m = Measure::new();
    let n = inputs();
    for _ in 0..n.div_ceil(4096) {
        let xs: Vec<f64> = (0..4096)
            .map(|i| match i % 4 {
                // Every exponent for which e^x is neither 1 nor overflows.
                0 => {
                    let x = f64::from_bits((1023 - rng.below(120) + 9) << 52 | rng.word() >> 12);
                    [x, -x][rng.below(2) as usize]
                }
                1 => (rng.word() as i64) as f64 * power(-62),
                _ => uniform(&mut rng),
            })
            .collect();
        m.all(&xs);
    }
    m.check("random");
    assert!(
        m.relative > power(-109),
        "the error of the low word must be seen"
    );
}

/// Inputs around the boundaries of the reduction's intervals, and at their middles.
#[test]
fn edges_of_the_reduction() {
    let step = std::f64::consts::LN_2 / 128.0;
    let mut m = Measure::new();
    let stride = if inputs() > 1_000_000 { 1 } else { 37 };
    for k in (-137_700..131_100).step_by(stride) {
        let mut xs = Vec::new();
        for half in 0..2 {
            let x = (f64::from(k) + f64::from(half) / 2.0) * step;
            xs.extend((-3i64..=3).map(|d| f64::from_bits((x.to_bits() as i64 + d).max(0) as u64)));
        }
        m.all(&xs);
    }
    m.check("around multiples of ln 2 / 256");
}

/// Special values, thresholds, tiny arguments, powers of two, a result that is hard to round.
#[test]
fn hard_cases() {
    let mut xs = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        5e-324,
        -5e-324,
        f64::MIN_POSITIVE,
        1e-300,
        -1e-300,
    ];
    // A result that is hard to round: its distance from a rounding boundary is 2^-57.6 of half an ULP.
    xs.push(7.541_752_774_995_959e-10);
    for threshold in [
        709.782_712_893_384,
        -708.396_418_532_264_1,
        -744.440_071_921_381_3,
        -745.133_219_101_941_1,
        -745.2,
        -670.96,
        710.0,
        -746.0,
    ] {
        xs.extend(
            (-200i64..=200).map(|d| f64::from_bits((f64::to_bits(threshold) as i64 + d) as u64)),
        );
    }
    for e in -60..10 {
        let p = power(e);
        xs.extend([
            p,
            -p,
            p * (1.0 + f64::EPSILON),
            -p * (1.0 - f64::EPSILON / 2.0),
        ]);
    }
    xs.retain(|x| x.abs() < 800.0);
    let mut m = Measure::new();
    m.all(&xs);
    m.check("hard cases");

    let e = |x| exp_reference::eval(x);
    let unscaled = |hi, lo| (DoubleDouble { hi, lo }, 0);
    assert_eq!(e(0.0), unscaled(1.0, 0.0));
    assert_eq!(e(-0.0), unscaled(1.0, 0.0));
    assert_eq!(e(1e-300), unscaled(1.0, 1e-300));
    for x in [1e300, f64::INFINITY] {
        assert_eq!(e(x), e(710.0), "infinite for a double");
    }
    for x in [-1e300, f64::NEG_INFINITY] {
        assert_eq!(e(x), e(-800.0), "zero for a double");
    }
    assert!(e(f64::NAN).0.hi.is_nan());
}

/// The routine's own errors, in ULP of the correctly rounded result, and its special values.
#[test]
fn the_routine() {
    let mut rng = Rng(51);
    let mut right = Float::new(BITS);
    let mut worst = 0f64;
    for _ in 0..inputs() / 2 {
        let x = uniform(&mut rng);
        let y = exp_cephes::eval(x);
        right.assign(x);
        right.exp_mut();
        let r = right.to_f64();
        if r.is_infinite() || r == 0.0 {
            assert_eq!(y, r, "{x:e}");
            continue;
        }
        let ulp = power(((r.to_bits() >> 52 & 0x7ff) as i32 - 1075).max(-1074));
        let error = Float::with_val(BITS, y) - &right;
        worst = worst.max((error / ulp).to_f64().abs());
    }
    println!("exp_cephes: up to {worst} ULP");
    assert!(worst > 0.6 && worst < 2.0, "{worst}");
    let e = exp_cephes::eval;
    assert_eq!(
        [e(0.0), e(-0.0), e(f64::INFINITY), e(f64::NEG_INFINITY)],
        [1.0, 1.0, f64::INFINITY, 0.0]
    );
    assert!(e(f64::NAN).is_nan());
    assert_eq!(
        [e(709.79), e(1e300), e(-745.2), e(-1e300)],
        [f64::INFINITY, f64::INFINITY, 0.0, 0.0]
    );
    assert_eq!(e(-745.13), 5e-324);
    assert!(e(709.78).is_finite() && e(-710.0) > 0.0 && e(-710.0) < f64::MIN_POSITIVE);
}
