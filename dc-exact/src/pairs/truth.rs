//! The comparison of a kernel's result with the function: an identity of polynomials, and the size of the remainder.
//!
//! √(x² + y²) and x/y are never computed. They are the roots of equations: h² = x² + y², h >= 0, and q y = x. The known form of a result z
//! before its last rounding is put into the equation. If the kernel computes this function, all terms without an error cancel there, and
//! the others bound the difference:
//!
//! ```text
//! |z - h| = |z² - h²| / (z + h),    |z - q| = |z y - x| / |y|
//! ```

use super::domain::Pairs;
use super::floats::half_unit;
use super::function::Function;
use super::poly::{Poly, Product};
use super::value::{Before, Float, Refusal, Result};
use crate::num::Interval;
use crate::num::float::{Format, power};
use crate::num::interval::{add_up, mul_up};

/// What is proven about the pairs of a box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// No pair has a larger error, in ULP of the function's value.
    pub bound: f64,
    /// Whether each result is the function's value, rounded to nearest, ties to even.
    pub nearest: bool,
    /// Whether a result may be infinite. The bound is for the others.
    pub overflows: bool,
}

impl Verdict {
    pub(super) fn worse(self, other: Verdict) -> Verdict {
        Verdict {
            bound: self.bound.max(other.bound),
            nearest: self.nearest && other.nearest,
            overflows: self.overflows || other.overflows,
        }
    }
}

const OTHER: Refusal = Refusal::No("the result is not shown to be near the function");

/// The contribution of the last rounding, in ULP.
const ROUNDING: f64 = 0.5;

impl Pairs<'_> {
    /// What is proven about a result, compared with the function.
    pub(super) fn verdict(&self, function: Function, z: &Float, f: Format) -> Result<Verdict> {
        match function {
            Function::Hypot => self.length(z, f),
            Function::Div => self.ratio(z, f),
        }
    }

    fn magnitude_squared(&self, i: usize) -> Result<Poly> {
        let m = self.magnitude_of(i);
        self.atoms.mul(&m, &m).ok_or(OTHER)
    }

    /// x² + y², divided by the square of the scale.
    fn square(&self) -> Result<Poly> {
        let squares = self.magnitude_squared(0)?.add(&self.magnitude_squared(1)?);
        squares.ok_or(OTHER)
    }

    fn length(&self, z: &Float, f: Format) -> Result<Verdict> {
        let square = self.square()?;
        let scale = self.pairs.scale();
        let overflows = z.poly.is_none();
        let nearest = Verdict {
            bound: ROUNDING,
            nearest: true,
            overflows,
        };
        let of_root = |p: &Poly| p.scaled(-scale).and_then(|p| p.scaled(-scale)).ok_or(OTHER);
        let of_sum = |p: &Poly| {
            let p = p.scaled(-scale)?;
            self.atoms.mul(&p, &p)
        };
        if let Some((Before::Near { of, grid, factor }, _)) = &z.before {
            let near = self.near_length(of, (*grid, *factor), f);
            if near.as_ref().is_ok_and(|v| v.bound <= 1.0) {
                return near;
            }
        }
        let (of_z, rounding) = match (&z.before, &z.poly) {
            (Some((Before::OddRoot(p), _)), _) => {
                // Its double has an odd last bit or is the root. Numbers of fewer bits, and midpoints between them, are even.
                return match of_root(p)? == square {
                    true => Ok(nearest),
                    false => Err(OTHER),
                };
            }
            (Some((Before::Root(p), _)), _) => (of_root(p)?, ROUNDING),
            (Some((Before::Sum(p), _)), _) => (of_sum(p).ok_or(OTHER)?, ROUNDING),
            (None | Some((Before::Near { .. }, _)), Some(p)) => (of_sum(p).ok_or(OTHER)?, 0.0),
            _ => return Err(OTHER),
        };
        if of_z == square && rounding > 0.0 && z.range.lo >= 0.0 {
            return Ok(nearest);
        }
        // The range of a result that overflows is not kept; a root is not negative.
        let root = matches!(z.before, Some((Before::Root(_), _)));
        if !root && z.range.lo < 0.0 && !(overflows && self.sum_is_positive(z)) {
            return Err(OTHER);
        }
        let least = self.atoms.range(&square).lo;
        let part = self.part([&of_z, &square], [8, 0], 1.0, least)?;
        // z >= h (1 - part), and z >= 0.
        let relative = match part < 1.0 {
            true => (part / (2.0 - part)).next_up().next_up(),
            false => part,
        };
        let longest = self.atoms.range(&square).sqrt().hi;
        let longest = self.atoms.scale.map_or(longest, |s| s.hi.min(longest));
        let most = mul_up(longest, power(scale));
        self.within(relative, most, rounding, f, overflows)
    }

    /// The verdict on a number near a polynomial, in units of subnormal numbers: no unit is smaller.
    fn near_length(&self, p: &Poly, near: (i32, f64), f: Format) -> Result<Verdict> {
        let square = self.square()?;
        // A part of the length, and the terms of which only a range is known.
        let (mut main, mut others) = (Poly::default(), Poly::default());
        for (product, &by) in &p.terms {
            let size = self.atoms.size_of_product(product, 1.0);
            let to = match size.is_some_and(|s| s.of == [4, 0]) {
                true => &mut main,
                false => &mut others,
            };
            to.terms.insert(product.clone(), by);
        }
        let main = main.scaled(-self.pairs.scale()).ok_or(OTHER)?;
        if self.atoms.range(&main).lo < 0.0 {
            return Err(OTHER);
        }
        let of_z = self.atoms.mul(&main, &main).ok_or(OTHER)?;
        let least = self.atoms.range(&square).lo;
        let part = self.part([&of_z, &square], [8, 0], 1.0, least)?;
        let longest = self.atoms.scale.ok_or(OTHER)?.hi;
        let unit = |e: i32| match (-1074..=1023).contains(&e) {
            true => Ok(power(e)),
            false => Err(OTHER),
        };
        // |z² - h²| / (z + h) is at most `part h`.
        let by_size = mul_up(mul_up(part, longest), unit(self.pairs.scale() - f.least)?);
        let others = others.scaled(-f.least).ok_or(OTHER)?;
        let by_range = self.atoms.range(&others).magnitude();
        let (grid, factor) = near;
        let rounding = mul_up(factor, unit(grid - 1 - f.least)?);
        let bound = add_up(add_up(by_size, by_range), rounding);
        match bound.is_finite() {
            true => Ok(Verdict {
                bound,
                nearest: false,
                overflows: false,
            }),
            false => Err(OTHER),
        }
    }

    fn sum_is_positive(&self, z: &Float) -> bool {
        match &z.before {
            Some((Before::Sum(p), _)) => self.atoms.range(p).lo >= 0.0,
            _ => false,
        }
    }

    fn ratio(&self, z: &Float, f: Format) -> Result<Verdict> {
        let [x, y] = self.argument_polys()?;
        let overflows = z.poly.is_none();
        if x.is_zero() {
            let zero = z.poly.as_ref().is_some_and(Poly::is_zero);
            return match zero {
                true => Ok(Verdict {
                    bound: 0.0,
                    nearest: true,
                    overflows: false,
                }),
                false => Err(OTHER),
            };
        }
        let (p, q, rounding) = match (&z.before, &z.poly) {
            (Some((Before::Quotient(p, q), _)), _) => (p.clone(), q.clone(), ROUNDING),
            (Some((Before::Sum(p), _)), _) => (p.clone(), Poly::number(1.0), ROUNDING),
            (None | Some((Before::Near { .. }, _)), Some(p)) => (p.clone(), Poly::number(1.0), 0.0),
            _ => return Err(OTHER),
        };
        let (py, qx) = (self.atoms.mul(&p, &y))
            .zip(self.atoms.mul(&q, &x))
            .ok_or(OTHER)?;
        if py == qx && rounding > 0.0 {
            return Ok(Verdict {
                bound: ROUNDING,
                nearest: true,
                overflows,
            });
        }
        if q.constant() != Some(1.0) {
            return Err(OTHER);
        }
        let least = self.atoms.range(&x).least();
        let unit = power(self.pairs.scale());
        let part = self.part([&py, &qx], [4, 0], unit, least)?;
        self.within(part, f64::INFINITY, rounding, f, overflows)
    }

    /// The bound for a relative difference before the rounding, from values of at most `most`.
    fn within(
        &self,
        relative: f64,
        most: f64,
        rounding: f64,
        f: Format,
        overflows: bool,
    ) -> Result<Verdict> {
        if relative.is_nan() || relative > 1.0 {
            return Err(OTHER);
        }
        // Units are the same below twice the least normal number.
        let one_unit = 2.0 * most < power(f.least + f.precision);
        // Otherwise at most one power of two is between the two numbers.
        if !one_unit && relative > 1.0 / 1024.0 {
            return Err(OTHER);
        }
        let ulp = match one_unit {
            true => mul_up(
                mul_up(mul_up(relative, most), power(537)),
                power(-f.least - 537),
            ),
            // A number is less than 2^p units in its last place.
            false => mul_up(relative, 1.0 / half_unit(f)),
        };
        // If a power of two is between them and they are less than a unit apart, z is rounded to it. Otherwise units at z may be twice
        // those at the value.
        let rounding = match ulp < 1.0 || one_unit {
            true => rounding,
            false => 2.0 * rounding,
        };
        Ok(Verdict {
            bound: add_up(rounding, ulp),
            nearest: false,
            overflows,
        })
    }

    /// The largest difference of two polynomials, as a part of the scale: `unit` times the one of these degrees, which is at least `least`.
    fn part(&self, [a, b]: [&Poly; 2], of: [i32; 2], unit: f64, least: f64) -> Result<f64> {
        let mut left = a.clone();
        let mut terms: Vec<(&Product, f64)> = Vec::new();
        for (product, &by) in &b.terms {
            // If the coefficient of the difference is not a double, both terms count.
            if left.add_term(product.clone(), -by).is_none() {
                terms.push((product, by));
            }
        }
        // Both squares together are the scale's.
        let whole = match terms.is_empty() {
            true => self.atoms.size(&left).filter(|s| s.of == of),
            false => None,
        };
        let mut sum: f64 = 0.0;
        terms.extend(left.terms.iter().map(|(product, &by)| (product, by)));
        for (product, by) in terms {
            let size = self.atoms.size_of_product(product, by);
            let by_size = size
                .filter(|s| s.of == of)
                .map(|s| (s.most / unit).next_up());
            let single = Poly {
                terms: [(product.clone(), by)].into(),
            };
            let Interval { lo, hi } = self.atoms.range(&single);
            let by_range = match least > 0.0 {
                true => (lo.abs().max(hi.abs()) / least).next_up(),
                false => f64::INFINITY,
            };
            sum = add_up(sum, by_size.map_or(by_range, |s| s.min(by_range)));
        }
        if let Some(whole) = whole {
            sum = sum.min((whole.most / unit).next_up());
        }
        match sum.is_finite() {
            true => Ok(sum),
            false => Err(OTHER),
        }
    }
}
