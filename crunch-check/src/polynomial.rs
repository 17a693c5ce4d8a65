//! Real values as polynomials of the input's index, with integer coefficients.

use crate::number::{Coarse, Fine, exponent, floor};

/// Bits after the point, in units in the last place.
pub const FRACTION: i32 = 32;
/// The value of the last of these bits.
pub const UNIT: f64 = 1.0 / (1u64 << FRACTION) as f64;

/// A polynomial in `m / 2^p`, m from `-2^p` to `2^p`, in units in the last place with [`FRACTION`] bits after the
/// point.
pub struct Polynomial {
    coefficients: Vec<i128>,
    /// A bound of the error of a value, in units, and, times a distance of at most 1, of a derivative by `m / 2^p`.
    pub wrong: f64,
}

impl Polynomial {
    /// The polynomial of a Taylor series whose last coefficient over the stretch is `remainder`, in units of `2^scale`;
    /// `None` where it is too large.
    pub fn new(series: &[Fine], remainder: &Coarse, scale: i32) -> Option<Polynomial> {
        let mut coefficients = Vec::new();
        let mut wrong = Coarse::of(remainder.magnitude()).scale(-scale).ends().1;
        for (k, c) in series.iter().enumerate() {
            let c = c.scale(-scale);
            let most = exponent(&c.magnitude());
            if most > 58 {
                return None;
            }
            if k > 1 && most < -FRACTION {
                // The coefficient is left out, and so is its derivative.
                wrong += UNIT * (1.0 + k as f64) * 2.0;
                continue;
            }
            let (lo, hi) = (floor(&c.lo, FRACTION), floor(&c.hi, FRACTION));
            // The roundings of the coefficient, of its derivative's (times k), and of a product rounded down in each.
            wrong += ((hi - lo + 2) as f64) * UNIT * (1.0 + k as f64) * 2.0;
            coefficients.resize(k, 0);
            coefficients.push(lo);
        }
        Some(Polynomial {
            coefficients,
            wrong: wrong * (1.0 + 1e-12),
        })
    }

    /// The value at a step.
    pub fn value(&self, m: i64, p: i32) -> i128 {
        let mut value = 0;
        for &c in self.coefficients.iter().rev() {
            value = ((value * i128::from(m)) >> p) + c;
        }
        value
    }

    /// The value at a step and the derivative by steps times `2^p`.
    pub fn with_slope(&self, m: i64, p: i32) -> (i128, i128) {
        let m = i128::from(m);
        let (mut value, mut slope) = (0, 0);
        for (k, &c) in self.coefficients.iter().enumerate().rev() {
            value = ((value * m) >> p) + c;
            if k > 0 {
                slope = ((slope * m) >> p) + c * k as i128;
            }
        }
        (value, slope)
    }
}
