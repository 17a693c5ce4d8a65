use std::f64::consts::PI;

use super::*;
use crate::kernels::Words;
use crate::number::{Fine, power};

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

/// `ln Γ` of numbers from 30 on.
fn stirling(x: f64) -> f64 {
    let series = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * x * x)) / (x * x)) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln() + series
}

/// Γ by Lanczos's sum of six terms, and by the recurrence below 1.
fn gamma(x: f64) -> f64 {
    if x < 1.0 {
        return gamma(x + 1.0) / x;
    }
    let c = [
        76.180_091_729_471_46,
        -86.505_320_329_416_77,
        24.014_098_240_830_91,
        -1.231_739_572_450_155,
        0.120_865_097_386_617_9e-2,
        -0.539_523_938_495_3e-5,
    ];
    let sum = (c.iter().zip(1..)).fold(1.000_000_000_190_015, |s, (c, j)| {
        s + c / (x + f64::from(j))
    });
    let y = x + 5.5;
    (2.0 * PI).sqrt() * sum / x * (y.ln() * (x + 0.5) - y).exp()
}

#[test]
fn series_are_their_functions() {
    for (c, law, f) in [
        (1.375, Law::Exp, f64::exp as fn(f64) -> f64),
        (1.375, Law::Exp2, f64::exp2),
        (1.375, Law::Exp10, |x| 10f64.powf(x)),
        (1.375, Law::ExpM1, f64::exp_m1),
        (1.375, Law::Exp2M1, |x| x.exp2() - 1.0),
        (1.375, Law::Exp10M1, |x| 10f64.powf(x) - 1.0),
        (1.375, Law::Ln, f64::ln),
        (1.375, Law::Log2, f64::log2),
        (1.375, Law::Log10, f64::log10),
        (1.375, Law::Ln1p, f64::ln_1p),
        (1.375, Law::Log2p1, |x| (1.0 + x).log2()),
        (1.375, Law::Log10p1, |x| (1.0 + x).log10()),
        (1.375, Law::Recip, f64::recip),
        (1.375, Law::Sqrt, f64::sqrt),
        (1.375, Law::RecipSqrt, |x| x.sqrt().recip()),
        (1.375, Law::Cbrt, f64::cbrt),
        (-1.375, Law::Cbrt, f64::cbrt),
        (1.375, Law::Sin, f64::sin),
        (1.375, Law::Cos, f64::cos),
        (0.375, Law::Tan, f64::tan),
        (1.375, Law::SinPi, |x| (PI * x).sin()),
        (1.375, Law::CosPi, |x| (PI * x).cos()),
        (0.125, Law::TanPi, |x| (PI * x).tan()),
        (0.375, Law::Asin, f64::asin),
        (0.375, Law::Acos, f64::acos),
        (1.375, Law::Atan, f64::atan),
        (0.375, Law::AsinPi, |x| x.asin() / PI),
        (0.375, Law::AcosPi, |x| x.acos() / PI),
        (1.375, Law::AtanPi, |x| x.atan() / PI),
        (1.375, Law::Sinh, f64::sinh),
        (1.375, Law::Cosh, f64::cosh),
        (1.375, Law::Tanh, f64::tanh),
        (1.375, Law::Asinh, f64::asinh),
        (2.375, Law::Acosh, f64::acosh),
        (0.375, Law::Atanh, f64::atanh),
        (1.375, Law::Erf, simpson),
        (1.375, Law::Erfc, |x| 1.0 - simpson(x)),
        (1.375, Law::Sigmoid, |x| 1.0 / (1.0 + (-x).exp())),
        (0.375, Law::Logit, |x| (x / (1.0 - x)).ln()),
        (1.375, Law::Softplus, |x| x.exp().ln_1p()),
        (1.375, Law::Silu, |x| x / (1.0 + (-x).exp())),
        (1.375, Law::Gelu, |x| {
            0.5 * x * (1.0 + simpson(x / 2f64.sqrt()))
        }),
        (1.375, Law::Mish, |x| x * x.exp().ln_1p().tanh()),
        (0.375, Law::Gamma, gamma),
        (4.375, Law::Gamma, gamma),
        (-2.5, Law::Gamma, gamma),
        (0.375, Law::LnGamma, |x| gamma(x).ln()),
        (-3.5, Law::LnGamma, |x| gamma(x).ln()),
        (30.5, Law::LnGamma, stirling),
        (0.375, Law::SrgbToLinear, |x| {
            ((x + 0.055) / 1.055).powf(2.4)
        }),
        (0.375, Law::SrgbFromLinear, |x| {
            1.055 * x.powf(1.0 / 2.4) - 0.055
        }),
        (-0.375, Law::SrgbToLinear, |x| x / 12.92),
        (-0.375, Law::SrgbFromLinear, |x| 12.92 * x),
    ] {
        let (x, w) = (Fine::double(c), Fine::double(0.03125));
        let series = law.series(&x, &w, 14).expect("defined");
        for t in [-1.0f64, -0.3, 0.0, 0.5, 1.0] {
            let value: f64 = series
                .iter()
                .enumerate()
                .map(|(k, c)| c.middle() * t.powi(k as i32))
                .sum();
            let want = f(c + 0.03125 * t);
            assert!(
                (value - want).abs() < 2e-14 * want.abs().max(1.0),
                "{law:?} {t} {value} {want}"
            );
        }
    }
}

/// Far values, and those at places where a function is not evaluated.
#[test]
fn ends_of_the_domains() {
    let at = |law: Law, x: f64| law.value(&Fine::double(x)).map(|y| y.ends());
    for (law, x) in [
        (Law::Asin, 1.5),
        (Law::Acosh, 0.5),
        (Law::Atanh, 1.0),
        (Law::Logit, 0.0),
        (Law::Ln1p, -1.0),
        (Law::Log2, 0.0),
        (Law::TanPi, 0.5),
        (Law::Gamma, 0.0),
        (Law::Gamma, -3.0),
        (Law::Gamma, 1e5),
        (Law::LnGamma, -7.0),
    ] {
        assert_eq!(at(law, x), None, "{law:?}");
    }
    for (law, x, y) in [
        (Law::Asin, 1.0, PI / 2.0),
        (Law::Acos, 1.0, 0.0),
        (Law::AcosPi, -1.0, 1.0),
        (Law::AsinPi, 1.0, 0.5),
        (Law::Acosh, 1.0, 0.0),
        (Law::Erf, 0.0, 0.0),
        (Law::Erf, 1e5, 1.0),
        (Law::Erfc, -1e5, 2.0),
        (Law::Erfc, 27.0, 5.237_05e-319),
        (Law::Tanh, -1e300, -1.0),
        (Law::Sigmoid, 0.0, 0.5),
        (Law::Logit, 0.5, 0.0),
        (Law::Exp2, 10.0, 1024.0),
        (Law::Log2, 0.125, -3.0),
        (Law::Log10, 1e22, 22.0),
        (Law::Softplus, 1e5, 1e5),
        (Law::Gelu, 1e5, 1e5),
        (Law::Gelu, -1.0, -0.158_655_253_931_457_05),
        (Law::Mish, 1e300, 1e300),
        (Law::Mish, 0.0, 0.0),
        (Law::Gamma, 3.0, 2.0),
        (Law::Gamma, 19.0, 6_402_373_705_728_000.0),
        (Law::Gamma, 0.5, 1.772_453_850_905_516),
        (Law::Gamma, -0.5, -3.544_907_701_811_032),
        (Law::Gamma, -1.5, 2.363_271_801_207_355),
        (Law::LnGamma, 1.0, 0.0),
        (Law::LnGamma, 2.0, 0.0),
        (Law::LnGamma, 0.5, 0.572_364_942_924_700_1),
        (Law::SrgbToLinear, 1.0, 1.0),
        (Law::SrgbFromLinear, 1.0, 1.0),
    ] {
        let (lo, hi) = at(law, x).expect("defined");
        assert!(lo <= y && y <= hi, "{law:?} {x}: {lo} {hi}");
        assert!(
            hi - lo <= 4.0 * (y.abs().next_up() - y.abs()),
            "{law:?} {x}"
        );
    }
}

/// The functions with numbers between which they are defined and no value is extreme.
const DOMAINS: [(&str, f64, f64); 46] = [
    ("exp", -3.0, 3.0),
    ("exp2", -3.0, 3.0),
    ("exp10", -3.0, 3.0),
    ("expm1", -3.0, 3.0),
    ("exp2m1", -3.0, 3.0),
    ("exp10m1", -3.0, 3.0),
    ("ln", 0.5, 3.0),
    ("log2", 0.5, 3.0),
    ("log10", 0.5, 3.0),
    ("log1p", -0.5, 3.0),
    ("log2p1", -0.5, 3.0),
    ("log10p1", -0.5, 3.0),
    ("recip", 0.5, 3.0),
    ("sqrt", 0.5, 3.0),
    ("recip-sqrt", 0.5, 3.0),
    ("cbrt", 0.5, 3.0),
    ("sin", -3.0, 3.0),
    ("cos", -3.0, 3.0),
    ("tan", -1.2, 1.2),
    ("sinpi", -3.0, 3.0),
    ("cospi", -3.0, 3.0),
    ("tanpi", -0.4, 0.4),
    ("asin", -0.8, 0.8),
    ("acos", -0.8, 0.8),
    ("atan", -3.0, 3.0),
    ("asinpi", -0.8, 0.8),
    ("acospi", -0.8, 0.8),
    ("atanpi", -3.0, 3.0),
    ("sinh", -3.0, 3.0),
    ("cosh", -3.0, 3.0),
    ("tanh", -3.0, 3.0),
    ("asinh", -3.0, 3.0),
    ("acosh", 1.2, 3.0),
    ("atanh", -0.8, 0.8),
    ("erf", -2.0, 2.0),
    ("erfc", -2.0, 2.0),
    ("sigmoid", -3.0, 3.0),
    ("logit", 0.2, 0.8),
    ("softplus", -3.0, 3.0),
    ("silu", -3.0, 3.0),
    ("tgamma", 0.3, 1.3),
    ("tgamma", -2.3, -2.1),
    ("lgamma", 1.7, 3.0),
    ("lgamma", -4.9, -4.6),
    ("srgb-to-linear", 0.1, 0.9),
    ("srgb-from-linear", 0.1, 0.9),
];

fn all() -> impl Iterator<Item = (Law, f64, f64)> {
    let named = |name| Law::named(name).expect("it is known");
    DOMAINS.iter().map(move |&(name, a, b)| (named(name), a, b))
}

/// The series at a center, with the coefficient over the stretch as its rest, holds the values: to some ninety bits.
#[test]
fn series_with_their_rests_hold_the_values() {
    series_with_rests(0);
}

#[test]
fn series_with_their_rests_hold_the_values_2() {
    series_with_rests(1);
}

#[test]
fn series_with_their_rests_hold_the_values_3() {
    series_with_rests(2);
}

fn series_with_rests(part: usize) {
    let mut random = Words(1);
    for (law, from, to) in all().skip(part).step_by(3) {
        for k in 0..8 {
            let part = random.below(1 << 20) as f64 * 2f64.powi(-20);
            let center = from + (to - from) * part;
            let width = 2f64.powi(-6 - 3 * (k % 4));
            let terms = 2 + k as usize % 5;
            let w = Fine::double(width);
            let at = law
                .series(&Fine::double(center), &w, terms)
                .expect("defined");
            let cell = Interval::<64>::doubles(center - width, center + width);
            let over = law.series(&cell, &w.to(), terms + 1).expect("defined");
            assert_eq!((at.len(), over.len()), (terms, terms + 1));
            for t in [-1.0, -0.375, 0.0, 0.75, 1.0] {
                let x = Interval::<256>::double(center + width * t);
                let truth: Fine = law.value(&x).expect("defined").to();
                let t = Fine::double(t);
                let rest = over[terms].to();
                let sum = (at.iter().chain([&rest]).rev())
                    .fold(Fine::zero(), |sum, c| sum.mul(&t).add(c));
                assert!(sum.meet(&truth).is_some(), "{law:?} {center} {terms}");
                // The remainder is narrow; otherwise it would mask a fault.
                let most = power(24 - 6 * terms as i32);
                assert!(rest.magnitude() < most, "{law:?} {center} {terms}");
                let all = over.iter().zip(&at);
                assert!(all.into_iter().all(|(o, a)| o.meet(&a.to()).is_some()));
            }
        }
    }
}

/// Around the places where formulas change and domains end, an interval's value holds those of its numbers.
#[test]
fn values_over_intervals_hold_those_of_their_numbers() {
    values_over_intervals(0);
}

#[test]
fn values_over_intervals_hold_those_of_their_numbers_2() {
    values_over_intervals(1);
}

#[test]
fn values_over_intervals_hold_those_of_their_numbers_3() {
    values_over_intervals(2);
}

fn values_over_intervals(part: usize) {
    let mut random = Words(2);
    let places = [
        0.0,
        0.5,
        1.0,
        2.0,
        6.0,
        FLAT,
        700.0,
        745.0,
        FAR,
        FAR + 20.0,
        7212.0,
        16609.0,
        2171.0,
        PI / 2.0,
        1.5 * PI,
        1.5,
        1e5,
    ];
    let mut defined = 0;
    for (law, ..) in all().skip(part).step_by(3) {
        for place in places.into_iter().flat_map(|p| [p, -p]) {
            for _ in 0..2 {
                let mut by = || match random.below(4) {
                    0 => 0.0,
                    k => [2f64.powi(-50), 0.01, 3.0][k as usize - 1],
                };
                let (lo, hi) = (
                    place - by() * place.abs().max(0.5),
                    place + by() * place.abs().max(0.5),
                );
                // The error function of far numbers takes long.
                if matches!(law, Law::Erf | Law::Erfc | Law::Gelu) && random.below(8) > 0 {
                    continue;
                }
                let Some(over) = law.value(&Interval::<64>::doubles(lo, hi)) else {
                    continue;
                };
                defined += 1;
                for x in [lo, hi, f64::midpoint(lo, hi)] {
                    if x < lo || x > hi {
                        continue;
                    }
                    let at = law.value(&Interval::<128>::double(x));
                    let at = at.unwrap_or_else(|| panic!("{law:?} {lo} {hi} {x}"));
                    assert!(
                        at.lo <= over.hi && over.lo <= at.hi,
                        "{law:?} {lo:e} to {hi:e} at {x:e}: {:?} {:?}",
                        over.ends(),
                        at.ends()
                    );
                }
            }
        }
    }
    assert!(defined > 350, "{defined}");
}

/// Values at both sides of each place where a formula changes are those of the standard library.
#[test]
fn far_values_are_the_functions() {
    far_values(0);
    // Only all of a stretch.
    for law in [Law::Exp, Law::Sinh, Law::Cosh, Law::Exp10M1] {
        assert_eq!(law.overflows(-6000.0, 6000.0), None);
        assert_eq!(law.overflows(100.0, 6000.0), None);
        assert_eq!(law.overflows(-6000.0, -100.0), None);
        assert_eq!(law.overflows(5001.0, 6000.0), Some(f64::INFINITY));
    }
    for (law, ..) in all() {
        let far = law
            .overflows(5001.0, 6000.0)
            .or(law.overflows(-6000.0, -5001.0));
        assert!(far.is_none() || f64::MAX <= law_at(law, 600.0), "{law:?}");
    }
}

#[test]
fn far_values_are_the_functions_2() {
    far_values(1);
}

/// The asymptotic series to the left.
fn far_gelu(x: f64) -> f64 {
    let y = 1.0 / (x * x);
    let series = [-945.0, 105.0, -15.0, 3.0, -1.0, 1.0];
    let sum = series.iter().fold(0.0, |sum, c| sum * y + c);
    -(-0.5 * x * x).exp() * sum / (2.0 * PI).sqrt()
}

fn far_values(part: usize) {
    let far = [
        FAR,
        FAR + 30.0,
        FLAT,
        26.0,
        709.0,
        740.0,
        1100.0,
        2500.0,
        1e5,
        1e9,
        1e300,
    ];
    for (law, f) in [
        (Law::Exp, f64::exp as fn(f64) -> f64),
        (Law::Exp2, f64::exp2),
        (Law::Exp10, |x| 10f64.powf(x)),
        (Law::ExpM1, f64::exp_m1),
        (Law::Exp2M1, |x| x.exp2() - 1.0),
        (Law::Exp10M1, |x| 10f64.powf(x) - 1.0),
        (Law::Sinh, f64::sinh),
        (Law::Cosh, f64::cosh),
        (Law::Tanh, f64::tanh),
        (Law::Erf, |x| x.signum()),
        (Law::Erfc, |x| 1.0 - x.signum()),
        (Law::Sigmoid, |x| 1.0 / (1.0 + (-x).exp())),
        (Law::Softplus, |x| if x > 0.0 { x } else { x.exp() }),
        (Law::Silu, |x| x / (1.0 + (-x).exp())),
        (Law::Gelu, |x| if x > 0.0 { x } else { far_gelu(x) }),
        (Law::Mish, |x| if x > 0.0 { x } else { x * x.exp() }),
    ]
    .into_iter()
    .skip(part)
    .step_by(2)
    {
        for x in far
            .into_iter()
            .flat_map(|x| [x, x.next_up(), x + 2.0])
            .flat_map(|x| [x, -x])
        {
            let value = law.value(&Fine::double(x)).map(|y| y.ends());
            let want = f(x);
            match (value, law.overflows(x, x)) {
                (Some((lo, hi)), _) => {
                    let slack = 1e-11 * want.abs() + 1e-290;
                    let fits = lo - slack <= want && want <= hi + slack;
                    let over = want.is_infinite() && lo.min(-hi).abs() >= f64::MAX;
                    assert!(fits || over, "{law:?} {x}: {lo:e} {hi:e}, not {want:e}");
                }
                (None, Some(infinity)) => assert_eq!(infinity, want, "{law:?} {x}"),
                (None, None) => panic!("{law:?} {x}: neither a value nor an infinity"),
            }
            // The derivatives may be smaller than all numbers of the library.
            let _ = law.series(&Fine::double(x), &Fine::double(1.0), 4);
            if let Some(infinity) = law.overflows(x, x) {
                assert_eq!(infinity, want, "{law:?} {x}");
            }
        }
    }
}

fn law_at(law: Law, x: f64) -> f64 {
    let at = |x: f64| {
        law.value(&Fine::double(x))
            .map_or(0.0, |y| y.ends().1.abs())
    };
    at(2.0 * x).max(at(-2.0 * x))
}
