//! Sine and tangent of `x + n π/16`, for stages of kernels whose argument is reduced by a multiple of π/16.
//!
//! Let `n = 8 q + r` with r from -4 to 3. The angle `x + r π/16` is x itself where r is 0, so that x next to 0 keeps all of its digits. Then q quarter turns
//! are added: sine, cosine and their opposites take turns, and so do the tangent t and `-1/t`. Both tangents have the derivative `1 + f²`.

use crate::law::{Law, circle, rises};
use crate::number::Interval;
use crate::series::Series;

/// A sine or a tangent whose argument is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turned {
    /// Whether it is the tangent.
    tangent: bool,
    /// The number of quarter turns, from 0 to 3.
    quarters: usize,
    /// And of sixteenths of π, from -4 to 3.
    rest: i32,
}

impl Turned {
    /// The function with this name, turned by this number of sixteenths of π.
    pub fn named(law: &str, sixteenths: &str) -> Option<Turned> {
        let tangent = match law {
            "sin" => false,
            "tan" => true,
            _ => return None,
        };
        let n: i32 = sixteenths.parse().ok()?;
        // One text for each function.
        if !(1..32).contains(&n) || n.to_string() != sixteenths {
            return None;
        }
        Some(Turned {
            tangent,
            quarters: ((n + 4) / 8 % 4) as usize,
            rest: (n + 4) % 8 - 4,
        })
    }

    /// Its name in messages.
    pub fn words(self) -> &'static str {
        match self.tangent {
            false => "the sine of x and some sixteenths of π",
            true => "the tangent of x and some sixteenths of π",
        }
    }

    /// The angle without quarter turns.
    fn angle<const P: usize>(self, x: &Interval<P>) -> Interval<P> {
        if self.rest == 0 {
            return x.clone();
        }
        let sixteenths = Interval::double(f64::from(self.rest)).scale(-4);
        x.add(&Interval::pi().mul(&sixteenths))
    }

    /// The value at a number.
    pub fn value<const P: usize>(self, x: &Interval<P>) -> Option<Interval<P>> {
        let angle = self.angle(x);
        if !self.tangent {
            let (sin, cos) = angle.sin_cos();
            let all = [&sin, &cos, &sin.neg(), &cos.neg()].map(Interval::clone);
            return all.into_iter().nth(self.quarters);
        }
        if self.quarters.is_multiple_of(2) {
            return Law::Tan.value(&angle);
        }
        // -cos / sin rises between its poles: the sine is not zero, and there is less than a turn.
        if !rises(&angle, &angle.sin_cos().0) {
            return None;
        }
        let at = |x: &crate::number::Number| {
            let (sin, cos) = Interval::<P>::of(x.clone()).sin_cos();
            cos.neg().div(&sin)
        };
        Some(at(&angle.lo)?.hull(&at(&angle.hi)?))
    }

    /// The coefficients of `f(x + w τ)`.
    pub fn series<const P: usize>(
        self,
        x: &Interval<P>,
        w: &Interval<P>,
        terms: usize,
    ) -> Option<Series<P>> {
        if !self.tangent {
            return circle(self.angle(x).sin_cos(), self.quarters, w, terms);
        }
        Law::Tan.integrated(x, w, self.value(x)?, terms)
    }
}

#[cfg(test)]
mod tests;
