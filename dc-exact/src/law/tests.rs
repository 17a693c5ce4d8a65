//! Functions' values and coefficients, compared with each other and with known ones.

use super::taylor::sine_over;
use std::f64::consts::PI;

use super::*;
use crate::num::float::exponent;

#[test]
fn exp_and_ln_are_inverse() {
    for x in [
        0.7, 0.99, 1.0, 1.000_01, 1.015, 1.016, 1.5, 3.25e-5, 700.0, 1e-300, 4e307,
    ] {
        let y = ln(x);
        // e^y = e^h (1 + l + …)
        let (m, k) = exp(y.h);
        let l = Ball::new(y.l, 0.0, y.r);
        let factor = Ball::number(1.0)
            .add(l)
            .add(l.mul(l).scale(-1))
            .widened(1e-40);
        let back = m
            .mul(factor)
            .div(Ball::number(x).scale(-k))
            .sub(Ball::number(1.0));
        assert!(
            back.magnitude() < 1e-27 && back.enclosure().contains(0.0),
            "{x:e}: {back:?}"
        );
    }
    let (e, k) = exp(1.0);
    assert_eq!(k, 1);
    assert_eq!(e.scale(1).h, std::f64::consts::E);
    assert!(
        (e.scale(1).l - 1.445_646_891_729_250_2e-16).abs() < 1e-31,
        "{e:?}"
    );
}

/// Compares a ball with a known value: a double and the remainder of the exact value, by mpmath at 400 bits.
fn is(ball: Ball, h: f64, l: f64) {
    let d = ball.sub(Ball::number(h)).sub(Ball::number(l));
    // The second word is rounded as well.
    let off = l.abs() * f64::EPSILON;
    assert!(
        d.widened(off).enclosure().contains(0.0),
        "{ball:?} is not {h:e} + {l:e}"
    );
    assert!(ball.r < h.abs() * 2f64.powi(-94), "{ball:?}");
}

#[test]
fn sine_and_cosine_next_to_multiples_of_half_pi() {
    for (x, [h, l], [ch, cl]) in [
        (
            1.0,
            [0.8414709848078965, 1.776845092935536e-18],
            [0.5403023058681398, -4.760954612604417e-17],
        ),
        (
            -355.0,
            [3.014435335948845e-05, -1.3012643991046347e-21],
            [-0.999999999545659, 1.0574612846643521e-17],
        ),
        (
            725.7078,
            [0.00010297924203588301, -3.2666768948655836e-21],
            [-0.9999999946976379, 5.425806038784951e-17],
        ),
        // Of all doubles below 2^10, this is the nearest to a multiple of π/2.
        (
            f64::from_bits(0x4046_c6cb_c45d_c8de),
            [1.0, -1.915685142356643e-37],
            [-6.189806365883577e-19, 5.558005016244944e-36],
        ),
    ] {
        let (sin, cos) = sin_cos(x);
        is(sin, h, l);
        is(cos, ch, cl);
    }
    assert_eq!(sin_cos(1e-300).0.h, 1e-300);
    assert_eq!(sin_cos(0.0).0.h, 0.0);
    let mut x = -8192.0;
    while x <= 8192.0 {
        let (sin, cos) = sin_cos(x);
        let one = sin.mul(sin).add(cos.mul(cos)).sub(Ball::number(1.0));
        assert!(
            one.enclosure().contains(0.0) && one.magnitude() < 1e-28,
            "{x}: {one:?}"
        );
        assert!((sin.mid() - x.sin()).abs() < 1e-15 && (cos.mid() - x.cos()).abs() < 1e-15);
        x += 0.377_123;
    }
}

#[test]
fn tiny_arguments_keep_their_digits() {
    for x in [5e-324, -1e-310, 1e-302, -3e-200, 1e-90, 1e-80] {
        let cell = Cell { lo: x, hi: x };
        let e = exponent(x);
        let Ok(enclosed) = Law::Sin.enclose::<8>(cell, x, 0.0, e) else {
            panic!("{x:e}")
        };
        let value = enclosed.at.0[0];
        assert_eq!(value.h, Ball::number(x).scale(-e).h);
        assert!(
            value.r < 1e-28 && enclosed.over.0[0].contains(value.h),
            "{value:?}"
        );
    }
}

/// The side of a power of two on which a value is decides its ULP.
#[test]
fn values_are_on_the_right_side_of_powers_of_two() {
    let over = |law: Law, lo: f64, hi: f64| {
        let Ok(enclosed) = law.enclose::<8>(Cell { lo, hi }, 0.5 * (lo + hi), 0.5 * (hi - lo), 0)
        else {
            panic!("{law:?}")
        };
        enclosed.over.0[0]
    };
    assert!(over(Law::Exp, 0.0, 1e-300).lo == 1.0 && over(Law::Exp, -1e-300, -0.0).hi == 1.0);
    assert!(over(Law::Exp, -0.1, 0.1).lo < 0.91 && over(Law::Exp, -0.1, 0.1).hi > 1.1);
    assert_eq!(over(Law::Ln, 1.0, 1.0), Interval::ZERO);
    // u - u²/2 is a double, and u³/3 is below the radius.
    let next = ln(1.0f64.next_up());
    assert_eq!(next.h, f64::EPSILON.next_down());
    assert!(
        next.l.abs() < 2f64.powi(-149) && next.r < 2f64.powi(-149),
        "{next:?}"
    );
    assert_eq!(over(Law::Cbrt, 8.0, 8.5).lo, 2.0);
    assert_eq!(over(Law::Cbrt, -8.0, -7.0).lo, -2.0);
}

#[test]
fn sines_over_intervals_hold_their_extrema() {
    for (lo, hi, sin, cos) in [
        (
            0.5,
            0.75,
            [0.5f64.sin(), 0.75f64.sin()],
            [0.75f64.cos(), 0.5f64.cos()],
        ),
        (
            1.5,
            1.75,
            [1.75f64.sin(), 1.0],
            [1.75f64.cos(), 1.5f64.cos()],
        ),
        (4.5, 5.0, [-1.0, 5f64.sin()], [4.5f64.cos(), 5f64.cos()]),
        (
            -3.25,
            -3.0,
            [(-3f64).sin(), (-3.25f64).sin()],
            [-1.0, (-3f64).cos()],
        ),
        (1.0, 5.0, [-1.0, 1.0], [-1.0, 1f64.cos()]),
        (1.0, 8.0, [-1.0, 1.0], [-1.0, 1.0]),
        (-100.0, 100.0, [-1.0, 1.0], [-1.0, 1.0]),
    ] {
        let x = Interval::new(lo, hi);
        let ends = [sin_cos(lo), sin_cos(hi)];
        for (over, want) in [
            (sine_over(x, ends.map(|e| e.0), 0.0), sin),
            (sine_over(x, ends.map(|e| e.1), 1.0), cos),
        ] {
            let near = |a: f64, b: f64| (a - b).abs() < 1e-15;
            assert!(
                near(over.lo, want[0]) && near(over.hi, want[1]),
                "{lo} {hi}: {over:?} {want:?}"
            );
        }
    }
}

#[test]
fn cube_roots() {
    is(cbrt(2.0), 1.2599210498948732, -2.589933375300507e-17);
    for x in [1.0, 1.999, -3.7, 7.999_999] {
        let y = cbrt(x);
        let d = y.mul(y).mul(y).sub(Ball::number(x));
        assert!(
            d.enclosure().contains(0.0) && d.magnitude() < 1e-28,
            "{x} {d:?}"
        );
    }
    // Results near 1 over all exponents, scaled by powers of eight.
    for (x, h, l) in [
        (1e-310, 4.641588833612774e-104, -2.7995215447966487e-121),
        (-3e300, -1.4422495703074085e100, 5.490911167196718e83),
    ] {
        let e = exponent(h);
        let cell = Cell { lo: x, hi: x };
        let Ok(enclosed) = Law::Cbrt.enclose::<8>(cell, x, 0.0, e) else {
            panic!("{x}")
        };
        let [h, l] = [h, l].map(|w| Ball::number(w).scale(-e).h);
        is(enclosed.at.0[0], h, l);
    }
    // An end that is a thousand binades from the center.
    let cell = Cell {
        lo: 3.0 * 2f64.powi(-999),
        hi: 2f64.powi(901),
    };
    let Ok(wide) = Law::Cbrt.enclose::<8>(cell, 2f64.powi(900), 2f64.powi(900), 300) else {
        panic!("it has cube roots")
    };
    let least = cbrt(3.0).scale(-333 - 300).enclosure();
    assert!(wide.over.0[0].lo <= least.lo && least.lo < wide.over.0[0].lo * 1.01);
}

/// Far to the left, e^x is in the range, and is not zero.
#[test]
fn tiny_exponentials_are_in_their_range() {
    let cell = Cell {
        lo: -4000.0,
        hi: -3900.0,
    };
    let Ok(tiny) = Law::Exp.enclose::<8>(cell, -3950.0, 50.0, -1000) else {
        panic!("it has values")
    };
    assert!(tiny.over.0[0].hi > 0.0, "{:?}", tiny.over.0[0]);
}

/// Stirling's series from 20 on, and the recurrence.
fn ln_gamma_of(x: f64) -> f64 {
    let z = x + 20.0;
    let product: f64 = (0..20).map(|j| x + f64::from(j)).product();
    let series = (1.0 / 12.0 - 1.0 / (360.0 * z * z)) / z;
    (z - 0.5) * z.ln() - z + 0.5 * (2.0 * PI).ln() + series - product.ln()
}

/// The error function by Simpson's rule.
fn simpson(x: f64) -> f64 {
    const PARTS: u32 = 2000;
    let f = |i: u32| (-(x * f64::from(i) / f64::from(PARTS)).powi(2)).exp();
    let weight = |i: u32| match i {
        0 | PARTS => 1.0,
        _ => 2.0 * f64::from(1 + i % 2),
    };
    let sum: f64 = (0..=PARTS).map(|i| weight(i) * f(i)).sum();
    std::f64::consts::FRAC_2_SQRT_PI * x * sum / f64::from(3 * PARTS)
}

#[test]
fn laws_are_their_derivatives() {
    for &law in Law::ALL {
        // Inverse functions of what is at most 1.
        let below = 0.6 * f64::from(u8::from(law.nowhere(Cell { lo: 1.2, hi: 1.4 })));
        let (lo, c, hi) = (1.29 - below, 1.3 - below, 1.31 - below);
        let cell = Cell { lo, hi };
        let f = |x: f64| match law {
            Law::Cbrt => x.cbrt(),
            Law::Sin => x.sin(),
            Law::Cos => x.cos(),
            Law::Exp => x.exp(),
            Law::Exp2 => x.exp2(),
            Law::Exp10 => 10f64.powf(x),
            Law::ExpM1 => x.exp_m1(),
            Law::Exp2M1 => x.exp2() - 1.0,
            Law::Exp10M1 => 10f64.powf(x) - 1.0,
            Law::Ln => x.ln(),
            Law::Log2 => x.log2(),
            Law::Log10 => x.log10(),
            Law::Ln1p => x.ln_1p(),
            Law::Log2p1 => (1.0 + x).log2(),
            Law::Log10p1 => (1.0 + x).log10(),
            Law::Recip => x.recip(),
            Law::Sqrt => x.sqrt(),
            Law::RecipSqrt => x.sqrt().recip(),
            Law::Tan => x.tan(),
            Law::SinPi => (PI * x).sin(),
            Law::CosPi => (PI * x).cos(),
            Law::TanPi => (PI * x).tan(),
            Law::Asin => x.asin(),
            Law::Acos => x.acos(),
            Law::Atan => x.atan(),
            Law::AsinPi => x.asin() / PI,
            Law::AcosPi => x.acos() / PI,
            Law::AtanPi => x.atan() / PI,
            Law::Sinh => x.sinh(),
            Law::Cosh => x.cosh(),
            Law::Tanh => x.tanh(),
            Law::Asinh => x.asinh(),
            Law::Acosh => x.acosh(),
            Law::Atanh => x.atanh(),
            // Simpson's rule.
            Law::Erf => simpson(x),
            Law::Erfc => 1.0 - simpson(x),
            Law::Sigmoid => 1.0 / (1.0 + (-x).exp()),
            Law::Logit => (x / (1.0 - x)).ln(),
            Law::Softplus => x.exp().ln_1p(),
            Law::Silu => x / (1.0 + (-x).exp()),
            Law::Gelu => 0.5 * x * (1.0 + simpson(x * std::f64::consts::FRAC_1_SQRT_2)),
            Law::Mish => x * x.exp().ln_1p().tanh(),
            Law::Gamma => ln_gamma_of(x).exp(),
            Law::LnGamma => ln_gamma_of(x),
            Law::SrgbToLinear => ((x + 0.055) / 1.055).powf(2.4),
            Law::SrgbFromLinear => 1.055 * x.powf(1.0 / 2.4) - 0.055,
        };
        for e in [0, -3] {
            let Ok(enclosed) = law.enclose::<8>(cell, c, 0.01, e) else {
                panic!("{law:?}")
            };
            for step in 0..=8 {
                let t = f64::from(step) / 4.0 - 1.0;
                let value: f64 = (0..8)
                    .map(|k| enclosed.at.0[k].mid() * t.powi(k as i32))
                    .sum();
                let want = f(c + 0.01 * t) * 2f64.powi(-e);
                assert!(
                    (value - want).abs() < 1e-8 * want.abs().max(1.0),
                    "{law:?} {t} {value} {want}"
                );
            }
            for k in 0..8 {
                let (at, over) = (enclosed.at.0[k].mid(), enclosed.over.0[k]);
                assert!(over.lo <= at && at <= over.hi, "{law:?} {k}");
            }
        }
    }
}

/// A stage's function times a power of two is known where it is larger than every double, and has none of the function's identities.
#[test]
fn a_multiple_is_the_function_times_its_power() {
    let stage = |law, scale| Stage {
        law,
        plus: Angle::ZERO,
        turn: 0,
        zero: 0,
        scale,
        low: None,
        slack: 0.0,
        words: true,
    };
    let (one, other) = (
        Truth::Stage(stage(Law::Gamma, 0)),
        Truth::Stage(stage(Law::Gamma, -600)),
    );
    assert_eq!((one.law(), other.law()), (Some(Law::Gamma), None));
    let cell = Cell { lo: 3.2, hi: 3.3 };
    for e in [0, -600, 7] {
        let [of_one, of_other] = [(&one, e + 600), (&other, e)].map(|(truth, e)| {
            let all = truth.enclose::<4>(cell, 3.25, 0.0625, e);
            all.expect("it is defined")
        });
        for k in 0..4 {
            assert_eq!(of_one.at.0[k].mid(), of_other.at.0[k].mid(), "{e} {k}");
            assert_eq!(of_one.over.0[k].hi, of_other.over.0[k].hi, "{e} {k}");
        }
    }
    // Γ(181) = 180 Γ(180), above 2^1088.
    let at = |x: f64| {
        let all = other.enclose::<2>(Cell { lo: x, hi: x }, x, 0.0625, 487);
        all.expect("it is defined").at.0[0]
    };
    let (first, second) = (at(180.0), at(181.0));
    assert!(first.mid() > 0.5 && first.mid() < 1.0, "{first:?}");
    let apart = second.sub(first.mul(Ball::number(180.0)));
    assert!(apart.enclosure().contains(0.0) && apart.magnitude() < 1e-25);
}
