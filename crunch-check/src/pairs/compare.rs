//! The comparison of a result with the function, whose value is the root of an equation and is not computed:
//!
//! ```text
//! |z - h| = |z² - h²| / (z + h),    |z - q| = |z y - x| / |y|.
//! ```

use super::atoms::{Range, Size, up};
use super::function::Function;
use super::path::{Path, Start};
use super::poly::Poly;
use super::value::{Before, Float, Format};
use crate::number::{Number, exact, magnitude, negative, power, zero};

/// What is proven about a result.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// A bound of the errors, in ULP of the function's value.
    pub error: Number,
    /// Whether the result is the function's value rounded to nearest.
    pub nearest: bool,
}

/// The result is not shown to be near the function.
type Unproven = String;

fn other(why: &str) -> Unproven {
    format!("the result is not shown to be near the function: {why}")
}

fn nearest() -> Verdict {
    Verdict {
        error: power(-1),
        nearest: true,
    }
}

impl Path<'_> {
    /// Compares a result with the function.
    ///
    /// # Errors
    /// If the result is not shown to be near the function.
    pub fn compare(&self, z: &Float, start: &Start, f: Format) -> Result<Verdict, Unproven> {
        match self.atoms.function {
            Function::Hypot => self.length(z, &start.square, f),
            Function::Div => self.ratio(z, &start.values, f),
        }
    }

    /// The length of (x, y), whose square is given.
    fn length(&self, z: &Float, square: &Poly, f: Format) -> Result<Verdict, Unproven> {
        if square.is_zero() {
            let zero = z.poly.as_ref().is_some_and(Poly::is_zero);
            return match zero {
                true => Ok(nearest()),
                false => Err(other("it is not 0 at (0, 0)")),
            };
        }
        let many = || other("a polynomial has too many terms");
        let (of_z, rounded) = match (&z.before, &z.poly) {
            (Some(Before::Odd(t)), _) => {
                return match t == square {
                    true => Ok(nearest()),
                    false => Err(other("it is the root of another sum, rounded to odd")),
                };
            }
            (Some(Before::Near(p, error)), _) => return self.near_length(p, error, square, f),
            (Some(Before::Root(p)), _) => (p.clone(), true),
            (Some(Before::Real(p, range, _)), _) => {
                (self.square_of(p, range)?.ok_or_else(many)?, true)
            }
            (None, Some(p)) => (self.square_of(p, &z.range)?.ok_or_else(many)?, false),
            _ => return Err(other("it is not understood")),
        };
        if of_z == *square && rounded {
            return Ok(nearest());
        }
        let part = self.part(&of_z.sub(square), [2, 0], &self.atoms.range(square).least())?;
        if part >= exact(1.0) {
            return Err(other(
                "what is left of the equation may be as large as the function",
            ));
        }
        // z >= h √(1 - part) >= h (1 - part).
        let sum = Range::of(exact(2.0) - &part);
        let relative = Range::of(part).div(&sum).ok_or_else(many)?.hi;
        bound(&relative, rounded, f)
    }

    /// A number near a polynomial, in units of subnormal numbers: no unit is smaller.
    fn near_length(
        &self,
        p: &Poly,
        error: &Number,
        square: &Poly,
        f: Format,
    ) -> Result<Verdict, Unproven> {
        // The terms that are parts of the length, and those of which only a range is known.
        let (mut main, mut others) = (Poly::default(), Poly::default());
        for (monomial, c) in p.terms() {
            let size = self.atoms.size_of(monomial);
            let to = match size.is_some_and(|s| s.of == [1, 0]) {
                true => &mut main,
                false => &mut others,
            };
            to.plus(monomial.clone(), c.clone());
        }
        let of_z = self.square_of(&main, &self.atoms.range(&main))?;
        let of_z = of_z.ok_or_else(|| other("a polynomial has too many terms"))?;
        let part = self.part(&of_z.sub(square), [2, 0], &self.atoms.range(square).least())?;
        let length = self.atoms.length.as_ref();
        let length = length.ok_or_else(|| other("its length is not known"))?;
        // |z² - h²| / (z + h) is at most `part h`.
        let distance = &(&part * &length.hi) + &self.atoms.range(&others).magnitude();
        Ok(Verdict {
            error: up(&(&(&distance + error) * &power(-f.least))),
            nearest: false,
        })
    }

    /// The square of a nonnegative number.
    fn square_of(&self, p: &Poly, range: &Range) -> Result<Option<Poly>, Unproven> {
        match negative(&range.lo) {
            true => Err(other("it may be negative")),
            false => Ok(self.atoms.mul(p, p)),
        }
    }

    fn ratio(&self, z: &Float, [x, y]: &[Float; 2], f: Format) -> Result<Verdict, Unproven> {
        let (Some(x), Some(y)) = (&x.poly, &y.poly) else {
            return Err(other("an argument is not understood"));
        };
        if y.is_zero() {
            return Err(other("a quotient by 0"));
        }
        if x.is_zero() {
            let zero = z.poly.as_ref().is_some_and(Poly::is_zero);
            return match zero {
                true => Ok(nearest()),
                false => Err(other("it is not 0 for x = 0")),
            };
        }
        let many = || other("a polynomial has too many terms");
        let mul = |a: &Poly, b: &Poly| self.atoms.mul(a, b).ok_or_else(many);
        let (p, rounded) = match (&z.before, &z.poly) {
            (Some(Before::Quotient(p, q)), _) => {
                return match mul(p, y)? == mul(q, x)? {
                    true => Ok(nearest()),
                    false => Err(other("it is another quotient")),
                };
            }
            (Some(Before::Real(p, ..)), _) => (p, true),
            (None, Some(p)) => (p, false),
            _ => return Err(other("it is not understood")),
        };
        let left = mul(p, y)?.sub(x);
        if left.is_zero() && rounded {
            return Ok(nearest());
        }
        let relative = self.part(&left, [1, 0], &self.atoms.range(x).least())?;
        bound(&relative, rounded, f)
    }

    /// The largest part of a scale that a polynomial can be. The scale has these degrees, and is at least `least`.
    fn part(&self, p: &Poly, of: [i32; 2], least: &Number) -> Result<Number, Unproven> {
        let mut sum = Number::zero();
        // Both squares together are that of the length.
        if let Some(size) = self.atoms.size(p)
            && size.of == of
        {
            return Ok(up(&size.most));
        }
        for (monomial, c) in p.terms() {
            let size = self.atoms.size_of(monomial).filter(|s: &Size| s.of == of);
            let most = match size {
                Some(size) => &size.most * &magnitude(c),
                None if zero(least) => return Err(other("a term of the equation has no size")),
                None => {
                    let range = self.atoms.range_of(monomial).mul(&Range::of(c.clone()));
                    let part = Range::of(range.magnitude()).div(&Range::of(least.clone()));
                    part.ok_or_else(|| other("a scale of 0"))?.hi
                }
            };
            sum = up(&(sum + most));
        }
        Ok(sum)
    }
}

/// The bound for a number before its rounding, given its relative difference from the function's value f.
///
/// A number is less than `2^p` of its units, so the difference is at most δ units. Let δ <= 1, and let a power of two lie between the two values,
/// with f below it. Then the number is above the power by at most one unit of f, which is half of its own unit. It is rounded to the power, so the
/// error is at most δ. Otherwise the number's unit is at most that of f, and the rounding adds half. For larger δ the number's unit may be twice
/// that of f, but not more, if the two differ by a small part.
fn bound(relative: &Number, rounded: bool, f: Format) -> Result<Verdict, Unproven> {
    if *relative > power(-10) {
        return Err(other("the difference may be more than 2^-10 of it"));
    }
    let units = relative * &power(f.precision);
    let rounding = match (rounded, units <= exact(1.0)) {
        (false, _) => Number::zero(),
        (true, true) => power(-1),
        (true, false) => exact(1.0),
    };
    Ok(Verdict {
        error: rounding + units,
        nearest: false,
    })
}
