//! Designs with a rational function in place of a polynomial.

use super::Space;
use crate::polynomial::{Form, Scheme};
use crate::shape::{Approximation, Design, Shape};
use crate::spec::{Format, Tolerance};

/// Functions with poles near their ranges, or with limits: their polynomials converge slowly, so a division may pay.
const DIVIDED: [&str; 20] = [
    "tanh", "atan", "atanpi", "asin", "asinpi", "acos", "acospi", "asinh", "acosh", "atanh", "tan",
    "tanpi", "erf", "erfc", "log", "log2", "log10", "log1p", "sigmoid", "softplus",
];
/// The largest number of coefficients of a denominator after 1, and the same in binary64.
const MOST: u32 = 5;
const MOST_WIDE: u32 = 8;

impl Space {
    /// All designs whose numerator and denominator have nearly the same degree. A reference of one's own may have poles as well.
    pub(super) fn quotients(
        &self,
        shape: &Shape,
        approximation: &Approximation,
        forms: &[Form],
    ) -> Vec<Design> {
        let divided = self.name.is_empty() || DIVIDED.contains(&self.name);
        // Behind a division coefficients are tuned for correct rounding in 16 bits alone.
        let wide = self.format.stored().is_none();
        if !divided || wide && self.tolerance == Tolerance::Correct {
            return Vec::new();
        }
        let most = if self.format == Format::F64 {
            MOST_WIDE
        } else {
            MOST
        };
        let mut designs = Vec::new();
        for &form in forms.iter().filter(|f| !f.two_words()) {
            for denominator in 1..=most {
                for terms in denominator.max(2) - 1..=denominator + 2 {
                    for scheme in Scheme::ALL {
                        if scheme.matters(terms) || scheme.matters(denominator) {
                            designs.push(Design {
                                denominator,
                                ..self.one(shape, approximation, form, terms, scheme)
                            });
                        }
                    }
                }
            }
        }
        designs
    }
}
