//! `ln abs Γ(z + x)` for a zero z of `ln abs Γ` below 0, for stages of kernels whose argument is the difference from such a zero.
//!
//! Between two poles the logarithm is convex, and it rises to infinity at both. Above -2 it has no zero: abs Γ is above 1.7 between the poles there. Below, it has
//! two between the poles: the one is less than 1/2 above the lower pole, and the other is less than 1/2 below the upper one, since the logarithm is negative in
//! these distances. Zero `2 n - 4` is the one above the pole `-n`, and zero `2 n - 3` the one below it.
//!
//! A zero is a number of about 480 bits. The value is that of 512 bits at the sum of both, however small x is. The derivatives have a cotangent, whose argument is
//! the distance from the pole.

use std::sync::OnceLock;

use crate::gamma::{self, BITS};
use crate::number::{Interval, Number, exact, negative, on_grid, power, zero};
use crate::series::Series;

/// The number of zeros.
const MOST: usize = 40;

/// A zero is found to two to this power.
const PLACE: i32 = -480;

/// So close to a pole, abs Γ is above 1.
const BESIDE_POLE: i32 = -100;

/// `ln abs Γ` with a zero added to its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FromZero(usize);

/// Where a zero is.
#[derive(Debug)]
struct Zero {
    /// The pole next to it.
    pole: Number,
    /// Its distance from the pole: between these.
    from: Interval<BITS>,
}

/// `ln abs Γ` at the distance d from a pole, with Q bits.
fn ln_beside<const Q: usize>(pole: &Number, d: &Number) -> Option<Interval<Q>> {
    gamma::ln_at(&(pole + d))
}

/// Finds a zero by bisection and Newton's method, and encloses it by two signs.
fn found(k: usize) -> Option<Zero> {
    let pole = exact(-((k / 2 + 2) as f64));
    let above = k.is_multiple_of(2);
    let on_side = |d: Number| if above { d } else { -d };
    let sign = |d: &Number| -> Option<bool> {
        let value = ln_beside::<BITS>(&pole, d)?;
        (negative(&value.lo) == negative(&value.hi)).then(|| negative(&value.lo))
    };
    // Convex, above 0 at the one end and below 0 at the other: there is one zero between.
    if sign(&on_side(power(BESIDE_POLE)))? || !sign(&on_side(power(-1)))? {
        return None;
    }
    let (mut near, mut far) = (2f64.powi(BESIDE_POLE), 0.5);
    for _ in 0..64 {
        // Of different sizes at first.
        let middle = if far > 2.0 * near {
            (near * far).sqrt()
        } else {
            0.5 * (near + far)
        };
        let value = ln_beside::<128>(&pole, &on_side(exact(middle)))?;
        if negative(&value.lo) {
            far = middle;
        } else {
            near = middle;
        }
    }
    let mut d = on_side(exact(near));
    for _ in 0..4 {
        let value = ln_beside::<BITS>(&pole, &d)?;
        let x = Interval::<BITS>::of(&pole + &d);
        let slope = gamma::coefficients(&x, &Interval::double(1.0), 2)?;
        d = on_grid(&Interval::of(d).sub(&value.div(&slope[1])?).lo, PLACE - 8);
    }
    let ends = [&d - &power(PLACE), &d + &power(PLACE)];
    let [lo, hi] = [sign(&ends[0])?, sign(&ends[1])?];
    let [lower, upper] = ends;
    (lo != hi).then_some(Zero {
        pole,
        from: Interval {
            lo: lower,
            hi: upper,
        },
    })
}

impl FromZero {
    /// The function with this name, and the number of the zero.
    pub fn named(law: &str, zero: &str) -> Option<FromZero> {
        let k: usize = zero.parse().ok()?;
        // One text for each function.
        let known = law == "lgamma" && (1..=MOST).contains(&k) && k.to_string() == zero;
        known.then_some(FromZero(k))
    }

    /// Its name in messages.
    pub fn words(self) -> &'static str {
        "ln abs(gamma(z + x)) for one of its zeros z"
    }

    fn zero(self) -> Option<&'static Zero> {
        static ALL: [OnceLock<Option<Zero>>; MOST] = [const { OnceLock::new() }; MOST];
        ALL[self.0 - 1].get_or_init(|| found(self.0)).as_ref()
    }

    /// The distances of `z + x` from the pole next to z, if they are between two poles.
    fn distances<const P: usize>(self, x: &Interval<P>) -> Option<(&'static Number, [Number; 2])> {
        let Zero { pole, from } = self.zero()?;
        let (lo, hi) = (&from.lo + &x.lo, &from.hi + &x.hi);
        let one = exact(1.0);
        let between = match negative(&from.lo) {
            true => lo > -one && negative(&hi),
            false => !negative(&lo) && !zero(&lo) && hi < one,
        };
        between.then_some((pole, [lo, hi]))
    }

    /// The value at a number.
    pub fn value<const P: usize>(self, x: &Interval<P>) -> Option<Interval<P>> {
        if P <= 64 {
            return self.value_in::<P, 256>(x);
        }
        self.value_in::<P, BITS>(x)
    }

    /// The same with Q bits: of these, as many are lost as the value is small.
    fn value_in<const P: usize, const Q: usize>(self, x: &Interval<P>) -> Option<Interval<P>> {
        let (pole, distances) = self.distances(x)?;
        if zero(&x.lo) && zero(&x.hi) {
            return Some(Interval::zero());
        }
        let [lo, hi] = distances.each_ref().map(|d| ln_beside::<Q>(pole, d));
        let lo = lo?;
        let all = lo.hull(&hi?);
        let slope = |d: &Number| self.slope::<P>(pole, d);
        let falls = slope(&distances[0])?;
        if negative(&falls.lo) && !negative(&slope(&distances[1])?.hi) {
            // Above the tangent at the lower end.
            let width = Interval::<Q>::of(&distances[1] - &distances[0]);
            return Some(all.hull(&lo.add(&falls.to().mul(&width))).to());
        }
        Some(all.to())
    }

    /// The derivative at this distance from the pole.
    fn slope<const P: usize>(self, pole: &Number, d: &Number) -> Option<Interval<P>> {
        let ends = [d.clone(), d.clone()];
        Some(coefficients(pole, &ends, &Interval::double(1.0), 2)?.swap_remove(1))
    }

    /// The coefficients of `f(x + w τ)`.
    pub fn series<const P: usize>(
        self,
        x: &Interval<P>,
        w: &Interval<P>,
        terms: usize,
    ) -> Option<Series<P>> {
        let (pole, distances) = self.distances(x)?;
        let mut all = coefficients(pole, &distances, w, terms)?;
        all[0] = self.value(x)?;
        Some(all)
    }
}

/// The coefficients of `ln abs Γ` between these distances from a pole. The first one is left 0.
fn coefficients<const P: usize>(
    pole: &Number,
    [lo, hi]: &[Number; 2],
    w: &Interval<P>,
    terms: usize,
) -> Option<Series<P>> {
    let raw = |lo: Number, hi: Number| Interval::<P> { lo, hi }.to::<P>();
    let distance = raw(lo.clone(), hi.clone());
    let one = exact(1.0);
    let other = raw(&(&one - pole) - hi, &(&one - pole) - lo);
    gamma::reflected(&other, &distance, w, terms)
}

#[cfg(test)]
mod tests;
