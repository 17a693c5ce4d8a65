use std::f64::consts::PI;

use super::*;
use crate::kernels::Words;
use crate::number::{Coarse, Fine, exact, power};

fn turned(law: &str, n: i32) -> Turned {
    Turned::named(law, &n.to_string()).expect("it is known")
}

#[test]
fn only_sines_and_tangents_are_turned() {
    for n in 1..32 {
        let (sin, tan) = (turned("sin", n), turned("tan", n));
        assert_ne!(sin, tan);
        assert_eq!(
            (8 * sin.quarters as i32 + sin.rest).rem_euclid(32),
            n,
            "{sin:?}"
        );
        assert!(Turned::named("cos", &n.to_string()).is_none());
    }
    for wrong in ["0", "32", "-1", "+3", "03", "3.0", "", "x"] {
        assert!(Turned::named("sin", wrong).is_none(), "{wrong}");
    }
}

#[test]
fn series_are_their_functions() {
    for n in 1..32 {
        let by = f64::from(n) * PI / 16.0;
        for (law, f) in [("sin", f64::sin as fn(f64) -> f64), ("tan", f64::tan)] {
            let function = turned(law, n);
            for c in [-0.0625, 0.046875, 0.09375] {
                let (x, w) = (Fine::double(c), Fine::double(0.0009765625));
                let series = function.series(&x, &w, 14).expect("defined");
                assert_eq!(series.len(), 14);
                let value = function.value(&x).expect("defined");
                assert!(value.meet(&series[0]).is_some());
                for t in [-1.0f64, -0.3, 0.0, 0.5, 1.0] {
                    let terms = series.iter().enumerate();
                    let sum: f64 = terms.map(|(k, c)| c.middle() * t.powi(k as i32)).sum();
                    let want = f(by + c + 0.0009765625 * t);
                    // The argument is rounded.
                    let off = 1e-14 * (1.0 + want * want);
                    assert!((sum - want).abs() < off, "{law} {n} {c} {t}: {sum} {want}");
                }
            }
        }
    }
}

/// Coefficients of 64 bits over a stretch hold those of 192 bits at its numbers. These hold values of 512 bits of the law at the sum, and next to zeros and
/// poles they keep their digits.
#[test]
fn values_are_those_of_the_law_at_the_sum() {
    let mut random = Words(1);
    let mut part = || random.below(1 << 53) as f64 * 2f64.powi(-53);
    for k in 0..600 {
        let n = 1 + k % 31;
        let size = 0.09 * 2f64.powi(-(k / 31 * 4));
        let x = size * (1.0 + part()) * if k % 2 == 0 { 0.5 } else { -0.5 };
        let sum = Interval::<512>::pi()
            .mul(&Interval::double(f64::from(n)))
            .scale(-4)
            .add(&Interval::double(x));
        for (law, name) in [(Law::Sin, "sin"), (Law::Tan, "tan")] {
            let function = turned(name, n);
            let at = Fine::double(x);
            let Some(found) = function.value(&at) else {
                panic!("{name} {n} {x:e}");
            };
            let due = law.value(&sum).expect("no pole");
            assert!(found.to::<512>().meet(&due).is_some(), "{name} {n} {x:e}");
            let wide = &found.hi - &found.lo;
            assert!(
                wide <= found.magnitude() * power(-180),
                "{name} {n} {x:e}: {found:?}"
            );
            let ends = [x, x * (1.0 + 2f64.powi(-20) * part())];
            let stretch = Coarse::doubles(ends[0].min(ends[1]), ends[0].max(ends[1]));
            let w = Coarse::double(x.abs());
            let over = function.series(&stretch, &w, 6).expect("no pole");
            let here = function.series(&at, &Fine::double(x.abs()), 6);
            for (over, here) in over.iter().zip(here.expect("no pole")) {
                assert!(
                    over.lo <= here.hi && here.lo <= over.hi,
                    "{name} {n} {x:e}: {over:?} {here:?}"
                );
            }
            let all = function.value(&stretch).expect("no pole");
            assert!(all.lo <= found.hi && found.lo <= all.hi);
        }
    }
}

#[test]
fn a_stretch_with_a_pole_has_no_tangent() {
    for n in 1..32 {
        let tan = turned("tan", n);
        // The pole is at (8 - n) π/16, modulo π.
        let at = f64::from((8 - n).rem_euclid(16)) * PI / 16.0;
        for off in [0.0, PI, -PI] {
            let pole = at + off;
            let (lo, hi) = (pole - 0.1, pole + 0.1);
            assert!(tan.value(&Coarse::doubles(lo, hi)).is_none(), "{n} {pole}");
            assert!(
                tan.value(&Coarse::doubles(lo, pole - 0.01)).is_some(),
                "{n}"
            );
            assert!(
                tan.value(&Coarse::doubles(pole + 0.01, hi)).is_some(),
                "{n}"
            );
        }
        // More than a turn.
        assert!(
            tan.value(&Coarse::doubles(at + 0.01, at + 0.01 + PI))
                .is_none()
        );
    }
    let zero = turned("tan", 8).value(&Fine::zero());
    assert!(zero.is_none());
    let sine = turned("sin", 8).value(&Fine::zero()).expect("1");
    assert!(sine.lo <= exact(1.0) && sine.hi >= exact(1.0));
}
