//! Polynomials of many degrees at random points and at their roots: errors relative to their bounds.

use doublecrunch::mpfr::rug::Float;
use doublecrunch::prelude::*;

use crate::inputs::{Rng, double, power};
use crate::measure::{exact, inputs};

/// One way to evaluate a polynomial.
type Eval = fn(f64) -> DoubleDouble;
type Eval1 = fn(f64) -> f64;

/// A polynomial and all ways to evaluate it.
struct Polynomial {
    c: &'static [f64],
    working: [Eval1; 4],
    twice: [Eval; 3],
}

macro_rules! polynomial {
    ($module:ident, $c:expr) => {
        mod $module {
            use doublecrunch::prelude::*;
            pub const C: &[f64] = &$c;
            #[crunch]
            pub fn by_horner(x: DcDouble) -> DcDouble {
                horner(x, C)
            }
            #[crunch]
            pub fn by_horner_no_fma(x: DcDouble) -> DcDouble {
                horner_no_fma(x, C)
            }
            #[crunch]
            pub fn by_even_odd(x: DcDouble) -> DcDouble {
                even_odd(x, C)
            }
            #[crunch]
            pub fn by_estrin(x: DcDouble) -> DcDouble {
                estrin(x, C)
            }
            #[crunch]
            pub fn compensated(x: DcDouble) -> DcDoubleDouble {
                horner_compensated(x, C)
            }
            #[crunch]
            pub fn compensated_no_fma(x: DcDouble) -> DcDoubleDouble {
                horner_compensated_no_fma(x, C)
            }
            #[crunch]
            pub fn in_dd(x: DcDouble) -> DcDoubleDouble {
                horner_dd(x, C)
            }
            pub const P: super::Polynomial = super::Polynomial {
                c: C,
                working: [
                    by_horner::eval,
                    by_horner_no_fma::eval,
                    by_even_odd::eval,
                    by_estrin::eval,
                ],
                twice: [compensated::eval, compensated_no_fma::eval, in_dd::eval],
            };
        }
    };
}

/// Coefficients of many magnitudes and both signs, none with few bits.
const fn coefficients<const N: usize>() -> [f64; N] {
    let mut c = [0.0; N];
    let mut w: u64 = 1;
    let mut i = 0;
    while i < N {
        w = w.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
        let e = 1023 - (w >> 60);
        c[i] = f64::from_bits(w & 1 << 63 | e << 52 | w >> 12);
        // The sign bit and the fraction above come from the same word, so it is mixed once more.
        w = w.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(w >> 33);
        i += 1;
    }
    c
}

polynomial!(d1, super::coefficients::<2>());
polynomial!(d2, super::coefficients::<3>());
polynomial!(d3, super::coefficients::<4>());
polynomial!(d4, super::coefficients::<5>());
polynomial!(d6, super::coefficients::<7>());
polynomial!(d7, super::coefficients::<8>());
polynomial!(d11, super::coefficients::<12>());
polynomial!(d21, super::coefficients::<22>());
polynomial!(d32, super::coefficients::<33>());
// (x - 1)^7, evaluated where it is nearly 0, with maximal cancellation.
polynomial!(root, [-1.0, 7.0, -21.0, 35.0, -35.0, 21.0, -7.0, 1.0]);

const ALL: [Polynomial; 10] = [
    d1::P,
    d2::P,
    d3::P,
    d4::P,
    d6::P,
    d7::P,
    d11::P,
    d21::P,
    d32::P,
    root::P,
];
const WORKING: [&str; 4] = ["horner", "horner_no_fma", "even_odd", "estrin"];
const TWICE: [&str; 3] = [
    "horner_compensated",
    "horner_compensated_no_fma",
    "horner_dd",
];

const U: f64 = f64::EPSILON / 2.0;

fn gamma(k: f64) -> f64 {
    k * U / (1.0 - k * U)
}

/// The value at `x`, and the value with all signs positive.
fn value(c: &[f64], x: f64) -> (Float, f64) {
    // Enough for x^32 times a coefficient exactly.
    let mut p = Float::new(2600);
    let mut all = 0.0;
    for &c in c.iter().rev() {
        p *= x;
        p += c;
        all = all * x.abs() + c.abs();
    }
    (p, all)
}

#[test]
fn bounds_hold() {
    // Relative to the bounds; the maximum over the polynomials of a kernel.
    let mut working = [0f64; 4];
    let mut twice = [0f64; 3];
    for (seed, p) in (20..).zip(&ALL) {
        let mut rng = Rng(seed);
        let n = p.c.len() as f64 - 1.0;
        let steps = (n + 1.0).log2().ceil();
        for _ in 0..inputs() / 16 {
            let sign = [-1.0, 1.0][rng.below(2) as usize];
            let x = match rng.below(3) {
                0 => sign * double(&mut rng, 4),
                1 => 1.0 + sign * double(&mut rng, 40).fract() * 1e-2,
                _ => sign * (rng.word() >> 11) as f64 * U,
            };
            let (right, all) = value(p.c, x);
            let error = |found: DoubleDouble| (exact(found) - &right).to_f64().abs();
            let bounds = [n, 2.0 * n, n + 2.0, n + steps].map(|k| gamma(k) * all);
            for i in 0..4 {
                let found = DoubleDouble {
                    hi: (p.working[i])(x),
                    lo: 0.0,
                };
                let part = error(found) / bounds[i];
                assert!(
                    part <= 1.0,
                    "{} of degree {n} at {x:e}: {part} of its bound",
                    WORKING[i]
                );
                working[i] = working[i].max(part);
            }
            let compensated = gamma(2.0 * n) * gamma(2.0 * n) * all;
            let bounds = [compensated, compensated, 4.0 * n * U * U * all];
            for i in 0..3 {
                let part = error((p.twice[i])(x)) / bounds[i];
                assert!(
                    part <= 1.0,
                    "{} of degree {n} at {x:e}: {part} of its bound",
                    TWICE[i]
                );
                twice[i] = twice[i].max(part);
            }
        }
    }
    let all = WORKING.iter().zip(working).chain(TWICE.iter().zip(twice));
    for (name, part) in all {
        println!("{name:<28} {part:.6} of its bound");
        assert!(
            part > 0.01,
            "{name}: errors this far below its bound are not its errors"
        );
    }
}

const LONG: [f64; 128] = coefficients();
const LONGEST: &[f64] = &LONG;

#[crunch]
fn estrin_127(x: DcDouble) -> DcDouble {
    estrin(x, LONGEST)
}

/// The largest degree of `estrin`.
#[test]
fn all_groups_are_joined() {
    let mut rng = Rng(40);
    for _ in 0..1000 {
        let x = (rng.word() as i64) as f64 * power(-63);
        let (right, all) = value(LONGEST, x);
        let found = DoubleDouble {
            hi: estrin_127::eval(x),
            lo: 0.0,
        };
        let error = (exact(found) - &right).to_f64().abs();
        assert!(error <= gamma(127.0 + 7.0) * all, "{x:e}: {error:e}");
    }
}

/// Compensation without the products' errors is far off.
#[crunch]
fn half_compensated(x: DcDouble, c: &[f64]) -> DcDoubleDouble {
    let mut y = c[c.len() - 1];
    let mut e: DcDouble = 0.0;
    for i in (0..c.len() - 1).rev() {
        let s = two_sum(y * x, c[i]);
        y = s.hi;
        e = e.mul_add(x, s.lo);
    }
    two_sum(y, e)
}

#[crunch]
fn root_half_compensated(x: DcDouble) -> DcDoubleDouble {
    half_compensated(x, root::C)
}

#[test]
fn a_dropped_polynomial_is_found() {
    let x = 1.01;
    let (right, all) = value(root::C, x);
    let part = |found: DoubleDouble| {
        (exact(found) - &right).to_f64().abs() / (gamma(14.0) * gamma(14.0) * all)
    };
    assert!(part((root::P.twice[0])(x)) <= 1.0);
    assert!(part(root_half_compensated::eval(x)) > 1e10);
}
