//! Enclosures at and around any number: inner numbers, poles, symmetries, exact values, and values beyond the doubles.

use super::bell::{erfc, fraction_of};
use super::taylor::sine_over;
use super::value::{FAR, cbrt, sin_cos, sin_cos_pi};
use super::{Enclosed, Law};
use crate::cell::Cell;
use crate::num::containment::holds;
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::{exponent, scaled_up};
use crate::num::{Ball, Interval, Ring};

const K: usize = 6;

fn cell(lo: f64, hi: f64) -> Cell {
    Cell { lo, hi }
}

/// A number of any size, or one at which some function is special.
fn any(random: &mut Random) -> f64 {
    match random.below(8) {
        0 => 0.0,
        1 => random.of(&[-1.278_464_542_761_074, 1.0, -1.0, 2f64.powi(-301), -1e-200]),
        2 => 0.5 * random.integer(4),
        3 => 0.25 * random.integer(6),
        4 => random.unit() * 2f64.powi(-(random.below(400) as i32)),
        5 => random.unit() * 60.0,
        _ => random.unit() * 3.0,
    }
}

/// Whether a function has a pole or no value in a cell.
fn undefined(law: Law, Cell { lo, hi }: Cell) -> bool {
    use std::f64::consts::PI;
    let most = lo.abs().max(hi.abs());
    match law {
        Law::Ln | Law::Log2 | Law::Log10 => lo <= 0.0,
        Law::Ln1p | Law::Log2p1 | Law::Log10p1 => lo <= -1.0,
        Law::Recip => lo <= 0.0 && hi >= 0.0,
        // At 0 alone they have a value.
        Law::Cbrt => lo <= 0.0 && hi >= 0.0 && lo < hi,
        Law::Sqrt => lo < 0.0 || lo == 0.0 && hi > 0.0,
        Law::RecipSqrt => lo <= 0.0,
        Law::Tan => (lo / PI - 0.5).ceil() <= (hi / PI - 0.5).floor(),
        Law::TanPi => (lo - 0.5).ceil() <= (hi - 0.5).floor(),
        Law::Asin | Law::Acos | Law::AsinPi | Law::AcosPi => most > 1.0 || most == 1.0 && lo < hi,
        Law::Acosh => lo < 1.0 || lo == 1.0 && hi > 1.0,
        Law::Atanh => most >= 1.0,
        Law::Logit => lo <= 0.0 || hi >= 1.0,
        Law::Gamma | Law::LnGamma => lo <= 0.0 && lo.ceil() <= hi,
        // Cut at the end of the linear piece.
        Law::SrgbToLinear => lo <= 0.040_45 && hi > 0.040_45,
        Law::SrgbFromLinear => lo <= 0.003_130_8 && hi > 0.003_130_8,
        _ => false,
    }
}

#[test]
fn cells_hold_what_is_inside() {
    let mut random = Random(51);
    for &law in Law::ALL {
        let (mut counts, mut refused) = (0, 0);
        for _ in 0..400 {
            let inner = any(&mut random);
            let (a, b) = match random.below(5) {
                0 => (any(&mut random), any(&mut random)),
                1 => (inner, inner + random.unit().abs()),
                2 => (inner - random.unit().abs(), inner),
                3 => (inner * 0.75, inner * 1.25),
                _ => (inner - random.unit().abs(), inner + random.unit().abs()),
            };
            let whole = cell(a.min(b), a.max(b));
            let inner = inner.clamp(whole.lo, whole.hi);
            let c = match random.below(3) {
                0 => whole.lo,
                1 => whole.hi,
                _ => whole.center(),
            };
            let (w, e) = (whole.radius(c), random.below(5) as i32 - 2);
            let Ok(all) = law.enclose::<K>(whole, c, w, e) else {
                refused += 1;
                // A function with a value everywhere is enclosed, if the cell is not wide.
                let far = whole.lo.abs().max(whole.hi.abs()) > 39.0;
                let zeros = law == Law::LnGamma && whole.lo < -2.0;
                let wide = far || whole.hi - whole.lo > 2.0 || law == Law::Tan || zeros;
                assert!(wide || undefined(law, whole), "{law:?} over {whole:?}");
                continue;
            };
            assert!(!undefined(law, whole), "{law:?} over {whole:?} is {all:?}");
            let Ok(here) = law.enclose::<K>(cell(inner, inner), inner, w, e) else {
                continue;
            };
            counts += 1;
            for (i, (here, over)) in here.at.0.iter().zip(all.over.0).enumerate() {
                let here = here.enclosure();
                let apart = here.hi < over.lo || over.hi < here.lo;
                assert!(
                    !apart,
                    "{law:?} {i} at {inner:e} of {whole:?}: {here:?} {over:?}"
                );
            }
        }
        assert!(counts > 20, "{law:?}: {counts} {refused}");
    }
}

#[test]
fn odd_functions_are_odd() {
    let mut random = Random(52);
    let odd = [
        Law::Tan,
        Law::SinPi,
        Law::TanPi,
        Law::Asin,
        Law::Atan,
        Law::AsinPi,
        Law::AtanPi,
        Law::Sinh,
        Law::Tanh,
        Law::Asinh,
        Law::Atanh,
        Law::Erf,
    ];
    let even = [Law::CosPi, Law::Cosh];
    for round in 0..400 {
        let any = match round % 4 {
            0 => random.unit() * 2f64.powi(random.below(300) as i32 - 150),
            1 => random.unit() * 30.0,
            _ => random.unit(),
        };
        let any = any.abs();
        for law in odd.into_iter().chain(even) {
            let reach = law.reach().unwrap_or(f64::MAX).min(if law == Law::Tan {
                8000.0
            } else {
                2f64.powi(140)
            });
            let one = matches!(law, Law::Asin | Law::AsinPi | Law::Atanh);
            let waves = matches!(law, Law::SinPi | Law::CosPi | Law::TanPi) && any > 1e15;
            if any > reach || one && any >= 1.0 || waves {
                continue;
            }
            let (up, down) = (law.value(any, 0), law.value(-any, 0));
            let due = if even.contains(&law) { up } else { up.neg() };
            // The order of sums may differ.
            let apart = (down.h - due.h) + (down.l - due.l);
            assert!(
                apart.abs() <= due.r && (0.9 * due.r..=1.1 * due.r).contains(&down.r),
                "{law:?} at {any:e}: {up:?} {down:?}"
            );
        }
        if any < 8192.0 {
            let ((a, b), (c, d)) = (sin_cos(any), sin_cos(-any));
            assert!(a.neg() == c && b == d, "{any:e}: {a:?} {c:?}");
        }
    }
    // Next to a multiple of π/2, the radius of the reduction counts, whichever the sign is.
    for n in 1..5000 {
        let x = f64::from(n) * std::f64::consts::FRAC_PI_2;
        let ((a, b), (c, d)) = (sin_cos(x), sin_cos(-x));
        assert!(a.neg() == c && b == d, "{x:e}: {a:?} {c:?}");
    }
    for x in [2f64.powi(100) * 1.25, 2f64.powi(101), 3e31] {
        assert_eq!(Law::Atan.value(-x, 0), Law::Atan.value(x, 0).neg());
    }
}

#[test]
fn some_values_are_exact_and_their_neighbours_are_not() {
    let exactly = |law: Law, x: f64, y: f64| {
        let got = law.value(x, 0);
        assert_eq!((got.h, got.l, got.r), (y, 0.0, 0.0), "{law:?} at {x}");
    };
    for n in 0..=15 {
        let ten = 10f64.powi(n);
        exactly(Law::Log10p1, ten - 1.0, f64::from(n));
        let above = Law::Log10p1.value(ten + 1.0, 0);
        let above = above.sub(Ball::number(f64::from(n))).enclosure();
        assert!(above.lo > 0.0 && above.hi < 0.5, "{n}: {above:?}");
    }
    for n in 1..40 {
        let two = 2f64.powi(n);
        exactly(Law::Log2p1, two - 1.0, f64::from(n));
        exactly(Law::Log2p1, 1.0 / two - 1.0, f64::from(-n));
        for (law, y) in [(Law::Ln1p, two.ln()), (Law::Log10p1, two.log10())] {
            let got = law.value(two - 1.0, 0);
            assert!(
                got.r > 0.0 && (got.h - y).abs() < 1e-13,
                "{law:?} {n}: {got:?}"
            );
        }
        let tiny = 2f64.powi(-60 - n);
        let got = Law::Log2p1.value(tiny, 0).enclosure();
        assert!(got.lo > 1.4 * tiny && got.hi < 1.5 * tiny, "{n}: {got:?}");
    }
    for n in -9..9 {
        let at = f64::from(n);
        exactly(Law::TanPi, at + 0.25, 1.0);
        exactly(Law::TanPi, at + 0.75, -1.0);
    }
    // Numbers whose inverse is near a half.
    for n in 1..200 {
        let x = 4.0 / f64::from(2 * n + 1);
        let (sin, cos) = sin_cos_pi(x);
        let (due, got) = (sin.div(cos).enclosure(), Law::TanPi.value(x, 0).enclosure());
        assert!(due.lo <= got.hi && got.lo <= due.hi, "{x}: {got:?} {due:?}");
    }
    exactly(Law::AcosPi, 0.0, 0.5);
    exactly(Law::AcosPi, -1.0, 1.0);
    exactly(Law::AsinPi, 1.0, 0.5);
    exactly(Law::AtanPi, -1.0, -0.25);
    // e^-x always adds something.
    for x in [700.0, 801.0, 1024.0, 1e5] {
        assert!(Law::Softplus.value(x, 0).r > 0.0, "{x}");
    }
    // A cube root is a power of two only of its cube.
    for power in [1.0, 8.0] {
        for x in [power, -power] {
            assert_eq!(cbrt(x), Ball::number(x.cbrt()));
            for n in 1..40u64 {
                for near in [
                    f64::from_bits(x.to_bits() + n),
                    f64::from_bits(x.to_bits() - n),
                ] {
                    let y = cbrt(near);
                    let cube = y.mul(y).mul(y).sub(Ball::number(near));
                    assert!(cube.enclosure().contains(0.0), "{near:e}: {y:?}");
                }
            }
        }
    }
}

/// Far to the left and right, where the values are below all doubles.
#[test]
fn far_values_are_not_nothing() {
    let left = [
        (Law::Exp, -FAR, -2880, 0.0),
        (Law::Exp2, -2.0 * FAR, -2300, 0.0),
        (Law::Exp10, -0.4 * FAR, -2300, 0.0),
        (Law::ExpM1, -FAR, -2300, -1.0),
        (Law::Exp2M1, -2.0 * FAR, -2300, -1.0),
        (Law::Exp10M1, -0.4 * FAR, -2300, -1.0),
        (Law::Sigmoid, -FAR, -2300, 0.0),
        (Law::Softplus, -FAR, -2300, 0.0),
        (Law::Silu, -FAR, -2300, 0.0),
        (Law::Erf, -40.0, -2300, -1.0),
        (Law::Erfc, -40.0, -2300, 2.0),
        (Law::Tanh, -FAR, -2300, -1.0),
        (Law::Tanh, FAR, -2300, 1.0),
        (Law::Sigmoid, FAR, -2300, 1.0),
    ];
    for (law, end, most, y) in left {
        for e in [-2100, -1074, -500, 0, 3, 400] {
            if y != 0.0 && e < -900 {
                continue;
            }
            let near = if end < 0.0 {
                end.next_down()
            } else {
                end.next_up()
            };
            let whole = cell(near.min(3.0 * end), near.max(3.0 * end));
            let Enclosed { at, over } = law
                .enclose::<K>(whole, 2.0 * end, end.abs(), e)
                .expect("a value");
            let (at, over) = (at.0[0], over.0[0]);
            let (r, middle) = (scaled_up(1.0, most - e), Dyadic::of(y).scaled(-e));
            let room = Dyadic(1.into(), i64::from(most - e - 1));
            for value in [middle.plus(&room), middle.minus(&room)] {
                assert!(
                    at.r >= r && (!at.r.is_finite() || holds(at, &value)),
                    "{law:?} {e}: {at:?}"
                );
            }
            assert!(
                over.lo < over.hi && over.hi - over.lo >= 0.5 * r.min(1e300),
                "{law:?} {e}: {over:?}"
            );
        }
    }
    // A finite value never rounds to an infinity here.
    for law in [
        Law::Exp,
        Law::Exp2,
        Law::Exp10,
        Law::ExpM1,
        Law::Sinh,
        Law::Cosh,
    ] {
        let reach = 0.5 * law.reach().expect("it grows");
        // At the end itself it is larger than every double, and enclosed.
        let value = law.value(reach, 1000).enclosure();
        assert!(
            value.lo > 2f64.powi(100) && value.hi < f64::INFINITY,
            "{law:?} {value:?}"
        );
        let low = match law {
            Law::Cosh => Some(f64::INFINITY),
            Law::Sinh => Some(f64::NEG_INFINITY),
            _ => None,
        };
        for (lo, hi, due) in [
            (-2.0, -1.0, None),
            (-1.0, 2.0, None),
            (reach - 1.0, reach + 1.0, None),
            (-reach - 1.0, -reach, None),
            (-3.0 * reach, 3.0 * reach, None),
            (reach, 2.0 * reach, None),
            (reach.next_up(), 2.0 * reach, Some(f64::INFINITY)),
            (-2.0 * reach, (-reach).next_down(), low),
        ] {
            assert_eq!(law.beyond(cell(lo, hi)), due, "{law:?} {lo} {hi}");
        }
    }
    assert_eq!(Law::Log2.beyond(cell(1e300, 1e301)), None);
}

/// Far to the right, where a function differs from its argument by less than any double.
#[test]
fn far_values_are_the_argument() {
    let mut random = Random(54);
    for law in [Law::Softplus, Law::Silu, Law::Mish, Law::Gelu] {
        for round in 0..200 {
            let x = match round % 2 {
                0 => 2100.0 + 1e4 * random.unit().abs(),
                _ => 2f64.powi(12 + random.below(1000) as i32),
            };
            let e = exponent(x) + random.below(3) as i32;
            let whole = cell(x, 1.25 * x);
            let (c, w) = (whole.center(), whole.radius(whole.center()));
            let Enclosed { at, over } = law.enclose::<K>(whole, c, w, e).expect("a value");
            for part in [-1.0, -0.3, 0.0, 0.7, 1.0] {
                // c + part w, whose digits are few.
                let y = Dyadic::of(c).plus(&Dyadic::of(w).times(&Dyadic::of(part)));
                let made = at.0[0].add(at.0[1].mul(Ball::number(part)));
                assert!(holds(made, &y.scaled(-e)), "{law:?} {x:e} {e}: {at:?}");
                let y = (c + part * w).clamp(whole.lo, whole.hi) * 2f64.powi(-e);
                assert!(over.0[0].contains(y), "{law:?} {x:e} {e}: {over:?}");
            }
            let slope = w * 2f64.powi(-e);
            assert!(at.0[1].enclosure().contains(slope) && over.0[1].contains(slope));
            assert!(at.0[2..].iter().all(|c| *c == Ball::ZERO));
            assert!(at.0[0].r > 0.0, "{law:?} {x:e} {e}: {at:?}");
        }
    }
}

/// However few parts of the fraction are used.
#[test]
fn few_parts_of_a_fraction_enclose_it() {
    for x in [1.0, 1.5, 2.0, 3.7, 8.0, 30.0] {
        let whole = fraction_of(x, 400);
        for n in 1..12 {
            let got = fraction_of(x, n).enclosure();
            assert!(got.contains(whole.h), "{x} {n}: {got:?} {whole:?}");
        }
        // erfc x = bell(x)/2 times it.
        assert!(erfc(x, 0).enclosure().hi <= 0.158);
    }
}

/// An extremum well inside a cell is found, however large the numbers are.
#[test]
fn extrema_of_waves_are_found() {
    let mut random = Random(53);
    for round in 0..2000 {
        let n = match round % 2 {
            0 => random.integer(3),
            _ => random.integer(12),
        };
        let quarter = random.below(2) as f64;
        // sin is ±1 at (n + ½) π, cos at n π.
        let x = (n + 0.5 * (1.0 - quarter)) * std::f64::consts::PI;
        let mut side = || 1e-9 * (1.0 + random.below(60) as f64);
        let over = Interval::new(x - side(), x + side());
        if over.magnitude() > 8192.0 {
            continue;
        }
        let ends = [over.lo, over.hi].map(|x| match quarter == 0.0 {
            true => sin_cos(x).0,
            false => sin_cos(x).1,
        });
        let got = sine_over(over, ends, quarter);
        assert!(got.magnitude() == 1.0, "{over:?}: {got:?}");
    }
}
