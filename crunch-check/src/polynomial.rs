//! Real values as polynomials of the input's index, with integer coefficients.

use crate::number::{Coarse, Fine, exponent, floor, padded};

/// The number of bits after the point, in units in the last place.
pub const FRACTION: i32 = 32;
/// The value of the last of these bits.
pub const UNIT: f64 = 1.0 / (1u64 << FRACTION) as f64;

/// A polynomial in `m / 2^p`, m from `-2^p` to `2^p`, in units in the last place with [`FRACTION`] bits after the
/// point.
pub struct Polynomial {
    coefficients: Vec<i128>,
    /// A bound of the error of a value, in units. Times a distance of at most 1, it also bounds the error of a derivative by `m / 2^p`.
    pub wrong: f64,
}

impl Polynomial {
    /// The polynomial of a Taylor series, in units of `2^scale`; the series' last coefficient over the stretch is `remainder`. `None` if it
    /// is too large.
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
                // The coefficient is left out, and so is its derivative. A later one that is not leaves two products here.
                wrong += UNIT * (3.0 + k as f64);
                continue;
            }
            let (lo, hi) = (floor(&c.lo, FRACTION), floor(&c.hi, FRACTION));
            // The roundings of the coefficient, of its derivative's (times k), and of a product rounded down in each.
            wrong += ((hi - lo + 2) as f64) * UNIT * (1.0 + k as f64);
            coefficients.resize(k, 0);
            coefficients.push(lo);
        }
        Some(Polynomial {
            coefficients,
            wrong: padded(wrong),
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

    /// The value at a step, and the derivative by steps times `2^p`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Words;
    use crate::number::{Interval, exact};

    /// Values and slopes of polynomials whose coefficients lie in intervals, with the largest remainder. They differ from the computed ones
    /// by at most `wrong`.
    #[test]
    fn values_and_slopes_are_near_the_exact_ones() {
        type Exact = Interval<400>;
        let mut random = Words(1);
        let (mut made, mut none) = (0, 0);
        for _ in 0..4000 {
            let mut part = || random.below(1 << 40) as f64 * 2f64.powi(-39) - 1.0;
            let scale = (part() * 60.0) as i32;
            let width = 2f64.powi(-28 - (12.0 * part()) as i32);
            let first = 40.0 + 19.5 * part();
            let mut series: Vec<Fine> = Vec::new();
            let fall = 14.0 + 12.0 * part();
            let terms = 2 + random.below(8) as usize;
            for k in 0..terms {
                let mut part = || random.below(1 << 40) as f64 * 2f64.powi(-39) - 1.0;
                let size = 2f64.powf(first - fall * k as f64);
                let (c, off) = (part() * size, part().abs() * width);
                series.push(Fine::doubles(c - off, c + off).scale(scale));
            }
            let rest = match random.below(2) {
                0 => Coarse::zero(),
                _ => Coarse::double(2f64.powf(first - fall * terms as f64)).scale(scale),
            };
            let p = random.below(34) as i32;
            let Some(polynomial) = Polynomial::new(&series, &rest, scale) else {
                none += 1;
                continue;
            };
            made += 1;
            for k in 0..8 {
                let most = 1i64 << p;
                let m = match k {
                    0 => most,
                    1 => -most,
                    _ => random.below(2 * most as u64 + 1) as i64 - most,
                };
                let t = Exact::double(m as f64).scale(-p);
                let at = |i: &Fine, high: bool| {
                    Exact::of(if high { i.hi.clone() } else { i.lo.clone() }).scale(-scale)
                };
                let high: Vec<bool> = series
                    .iter()
                    .map(|_| k < 2 || random.below(2) == 0)
                    .collect();
                let (mut value, mut slope) = (Exact::zero(), Exact::zero());
                for (k, c) in series.iter().enumerate().rev() {
                    value = value.mul(&t).add(&at(c, high[k]));
                    if k > 0 {
                        slope = slope
                            .mul(&t)
                            .add(&at(c, high[k]).mul(&Exact::double(k as f64)));
                    }
                }
                let side = Exact::of(if k % 2 == 0 {
                    rest.lo.clone()
                } else {
                    -rest.lo.clone()
                });
                value = value.add(&side.scale(-scale));
                let units =
                    |n: i128| Exact::of(crate::number::Number::new(n.into(), -(FRACTION as isize)));
                let (computed, its_slope) = polynomial.with_slope(m, p);
                assert_eq!(computed, polynomial.value(m, p));
                let wrong = exact(polynomial.wrong);
                let off = units(computed).sub(&value).magnitude();
                assert!(off <= wrong, "{m} / 2^{p}: {series:?}");
                let off = units(its_slope).sub(&slope).magnitude();
                assert!(off <= wrong, "slope at {m} / 2^{p}: {series:?}");
            }
            // Not much more than what the intervals, the rest and the roundings make it.
            let spread = (8.0 * width + 40.0 * UNIT) * 40.0 + rest.scale(-scale).ends().1;
            assert!(
                polynomial.wrong <= spread * (1.0 + 1e-11),
                "{}",
                polynomial.wrong
            );
        }
        assert!(made > 2000 && none > 3, "{made} {none}");
    }

    /// The error's bound is the sum of the bounds for each coefficient and for the remainder.
    #[test]
    fn each_coefficient_adds_what_it_is_wrong_by() {
        let mut random = Words(2);
        let (mut short, mut long) = (0, 0);
        for _ in 0..4000 {
            let mut size = || 2f64.powi(30 - random.below(80) as i32);
            let terms: Vec<(f64, f64)> =
                (0..5).map(|_| (size(), size() * 2f64.powi(-30))).collect();
            let rest = size() * 2f64.powi(-30);
            let series: Vec<Fine> = terms
                .iter()
                .map(|&(c, w)| Fine::doubles(c, c + w))
                .collect();
            let polynomial = Polynomial::new(&series, &Coarse::double(rest), 0).expect("small");
            let mut due = rest;
            for (k, &(c, w)) in terms.iter().enumerate() {
                let (by, w) = (1.0 + k as f64, (c + w) - c);
                if k > 1 && c + w < UNIT / 2.0 {
                    // Left out, also of the derivative.
                    due += (c + w) * by.max(2.0);
                    short += 1;
                } else {
                    // Its width, its rounding, and that of a product.
                    due += (w + UNIT) * by;
                    long += 1;
                }
            }
            assert!(polynomial.wrong >= due, "{terms:?} {rest}");
            // A coefficient that is left out leaves the place of the next one as it is.
            let half: f64 = (0..).zip(&terms).map(|(k, t)| t.0 * 0.5f64.powi(k)).sum();
            let off = (polynomial.value(1, 1) as f64 * UNIT - half).abs();
            assert!(off <= polynomial.wrong + 1e-15 * half, "{terms:?}");
            let most = 5.0 * 3.0 * 5.0 * UNIT;
            assert!(
                polynomial.wrong
                    <= rest + terms.iter().map(|t| 5.0 * t.1).sum::<f64>() * 1.001 + most
            );
        }
        assert!(short > 500 && long > 500, "{short} {long}");
    }

    /// Coefficients next to the smallest one that is not left out. There are many of them, so that nothing else masks their slopes.
    #[test]
    fn coefficients_of_less_than_two_units_are_not_left_out() {
        for (size, left_out) in [(1.999, false), (1.0, false), (0.999, true)] {
            let mut series = vec![Fine::double(1.0), Fine::double(1.0)];
            series.resize(9, Fine::double(size * UNIT));
            let polynomial = Polynomial::new(&series, &Coarse::zero(), 0).expect("small");
            let (value, slope) = polynomial.with_slope(1, 0);
            let due: f64 = (2..9).map(|k| size * f64::from(k)).sum();
            let off = (1.0 / UNIT + due - slope as f64).abs() * UNIT;
            assert!(off <= polynomial.wrong, "{size}");
            assert_eq!(value == 2 << FRACTION, left_out, "{size}");
        }
    }
}
