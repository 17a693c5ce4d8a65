//! The low word of a kernel's argument: the kernel of x and l approximates f(x + l).
//!
//! A low word l is an operation whose real value is 0 and whose rounding error is l, with `|l| <= M`. Let S be the line's real value at x, with l = 0, and W
//! the weights of the theorem on errors. Then, for some ξ between x and x + l,
//!
//! ```text
//! K(x, l) - f(x + l) = (S - f(x)) + Σ W_i ε_i + (W_l - f'(x)) l - f''(ξ) l² / 2.
//! ```
//!
//! A certificate may also have a slack: the function's argument is then x + l + s, with any real number s with `|s| <= S`. K does not depend on s, so there is
//! `-f'(x) s` besides, and the last term has `(l + s)²`.
//!
//! W_l is close to f', and both are wide on a stretch. So the series of f' is subtracted from that of W_l, coefficient by coefficient. In a class, the
//! function is `c (1 + η) f`, where neither factor depends on l, and so are its derivatives.

use crate::analysis::{Beside, Truth};
use crate::expansion::Expansion;
use crate::function::On;
use crate::number::{Coarse, Fine, Interval, Number, exact, exponent, power};
use crate::residual::{Kind, Line, expo, is_power};
use crate::series::Series;
use crate::weights::Sharpened;

/// The largest number of terms of the series of W_l - f'.
const TERMS: usize = 8;

/// A low word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Low {
    /// It is at most two to this power in magnitude.
    pub most: i32,
    /// The function's argument is known up to this number, which is not negative.
    pub slack: f64,
}

impl Low {
    /// A bound of the distance of the function's argument from x.
    pub fn reach(self) -> Number {
        power(self.most) + exact(self.slack)
    }
}

/// The slack of a certificate.
///
/// # Errors
/// If it is negative or very large.
pub fn slack_of(slack: f64) -> Result<f64, String> {
    let fits = slack.is_sign_positive() && slack <= LARGEST;
    (fits.then_some(slack)).ok_or_else(|| format!("{slack:e} is no slack"))
}

/// Far from the end of the format, so that sums with a range's ends are finite.
const LARGEST: f64 = f64::from_bits((900 + 1023) << 52);

/// The exponent of a low word's largest magnitude, which must be a power of two.
///
/// # Errors
/// If it is not one.
pub fn exponent_of(most: f64) -> Result<i32, String> {
    let fits = most > 0.0 && most <= LARGEST && is_power(most);
    fits.then(|| expo(most))
        .ok_or_else(|| format!("{most:e} is no power of two that a low word may have"))
}

/// The function's arguments for the numbers x of an interval, with all low words.
pub fn widened<const P: usize>(x: &Interval<P>, low: Low) -> Interval<P> {
    x.add(&Interval::symmetric(low.reach()))
}

/// The number of terms of weights for a stretch: f' has one term less than f.
pub fn terms(expansion: &Expansion) -> usize {
    (expansion.terms - 1).min(TERMS)
}

/// The low word's part in the bound of a stretch, with weights of as many terms as [`terms`] says; `None` if the function is not defined, or not known to
/// be smooth, on the stretch widened by M.
pub fn beside(
    (line, weights): (&Line, &Sharpened),
    low: Low,
    (function, truth): (&On, &Truth),
    (factor, eta): (&Fine, &Coarse),
    expansion: &Expansion,
) -> Option<Beside> {
    // The radius is a power of two, so that a derivative by x is one by τ, scaled exactly.
    let radius = exponent(&expansion.radius);
    let factor: Coarse = factor.to();
    let times = |all: Series<64>| -> Series<64> { all.iter().map(|c| c.mul(&factor)).collect() };
    let terms = terms(expansion);
    let slope_at = times(truth.slope(terms, radius));
    let slope_over = times(truth.slope_over(terms + 1, radius));
    let cell = widened(&expansion.cell(), low);
    let wide = times(function.series(&cell, &Coarse::of(expansion.radius.clone()), 3)?);
    let node = (line.nodes.iter()).position(|n| matches!(n.kind, Kind::Low(_)));
    // W_l - f', and then less η f', where f' is enclosed on the widened stretch.
    let apart = weights.less(node, &slope_at, &slope_over, &expansion.reach);
    let slope = wide[1].scale(-radius);
    let apart = apart.sub(&slope.mul(eta));
    let first = Coarse::symmetric(apart.magnitude()).scale(low.most);
    let whole = Coarse::double(1.0).add(eta);
    let unknown = slope.mul(&whole).mul(&Coarse::symmetric(exact(low.slack)));
    let bend = wide[2].scale(-2 * radius).mul(&whole);
    // A square is not negative.
    let reach = Coarse::of(low.reach());
    let square = Coarse {
        lo: Number::zero(),
        hi: reach.mul(&reach).hi,
    };
    Some(Beside {
        part: first.sub(&unknown).sub(&bend.mul(&square)),
        moves: slope.mul(&reach).magnitude(),
        values: wide[0].clone(),
    })
}
