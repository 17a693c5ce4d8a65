//! The reference of the sweep `log-polynomial` compared with the polynomial itself.

use doublecrunch::mpfr::rug::Float;
use doublecrunch::prelude::*;
use doublecrunch::sweeps::{LOG_COEFFICIENTS, log_polynomial, log_polynomial_reference};

use crate::inputs::{Rng, power};
use crate::measure::{float, in_u2, inputs, worst};

const FIRST: u64 = 0x3fe6_a09e_667f_3bcd;
const LAST: u64 = 0x3ff6_a09e_667f_3bcc;

/// An input of the interval: anywhere, near its ends, near 1 at every distance.
fn input(rng: &mut Rng) -> f64 {
    match rng.below(4) {
        0 | 1 => f64::from_bits(FIRST + rng.below(LAST - FIRST + 1)),
        2 => {
            let near = rng.below(1 << 20);
            f64::from_bits(if near & 1 == 0 {
                FIRST + near
            } else {
                LAST - near
            })
        }
        _ => {
            let t = (rng.below(1 << 30) as f64 * power(-30) - 0.5) * power(-(rng.below(53) as i32));
            (1.0 + t).clamp(f64::from_bits(FIRST), f64::from_bits(LAST))
        }
    }
}

/// `2^106` times the relative error.
fn error(found: DoubleDouble, x: f64) -> f64 {
    let t: Float = float() + x - 1;
    let mut p = float();
    for c in LOG_COEFFICIENTS.iter().rev() {
        p *= &t;
        p += *c;
    }
    let right = t.clone() * &t * p + t;
    if right.is_zero() {
        assert_eq!((found.hi, found.lo), (0.0, 0.0), "at {x:e}");
        return 0.0;
    }
    in_u2(found, &right, &right)
}

#[test]
fn the_reference_of_the_logarithm_is_within_its_bound() {
    let mut rng = Rng(50);
    let w = worst(
        inputs(),
        || input(&mut rng),
        |&x| error(log_polynomial_reference::eval(x), x),
    );
    println!(
        "log_polynomial_reference: {:.3} u^2 = 2^{:.2} at {}",
        w.error,
        w.error.log2() - 106.0,
        w.at
    );
    // 2^-98, proved in `sweeps/log.rs`.
    assert!(w.error <= 256.0, "{} u^2 at {}", w.error, w.at);
    assert!(w.error > 0.5, "an error this small is not its error");
    assert_eq!(error(log_polynomial_reference::eval(1.0), 1.0), 0.0);
}

/// The control: the routine itself is not accurate enough as a reference.
#[test]
fn the_routine_is_not_within_that_bound() {
    let x = f64::from_bits(LAST);
    let found = DoubleDouble {
        hi: log_polynomial::eval(x),
        lo: 0.0,
    };
    assert!(error(found, x) > 1e10);
}
