//! A stretch of neighbouring inputs on which the function is a polynomial of degree 2, certified.
//!
//! # Why the comparison is correct
//!
//! Let `u` be the function's last place, which is the same on the whole stretch, and `τ` in [-1, 1] the place of an input. The Taylor
//! coefficients `c_k` at the middle are enclosed in balls, and the third one is enclosed over the whole stretch. Then `|f(τ) - P(τ)|` is at
//! most the sum of the radii, the omitted words and that third coefficient (Lagrange's remainder).
//!
//! A result r is compared by `d = (r - base) - q(τ)`. `base` is a double in the function's binade. If r is within a factor of two of it,
//! `r - base` is exact (Sterbenz). If not, the difference is at least 2^51 u, and so is d, because `q` and the limit are below 2^30 u: the
//! result is not near. The two fused operations and the last subtraction are each rounded once, by less than `2^-50 (Q + limit)`, where Q
//! is the sum of the magnitudes of q's coefficients.
//!
//! Errors are measured against the reference, whose own error may be up to [`LIMIT`]. The reference is evaluated at the first, the middle
//! and the last input; a larger difference ends the search.

use dc_exact::cell::Cell;
use dc_exact::law::{Enclosed, Truth};
use dc_exact::num::float::{exponent, power};
use dc_exact::num::{Ball, Interval};

use crate::isa::sets::InstructionSet;
use crate::model::kernel_ref::{KernelRef, PointFn};
use crate::model::key::Precision;
use crate::model::measure::{LARGEST, SLACK};
use crate::model::sweep::complete;
use crate::search::truth::LIMIT;

const _: () = assert!(SLACK == 4.0 * LIMIT);
/// The number of inputs of the longest stretch, and of the shortest, as powers of two.
const LONGEST: u32 = 21;
const SHORTEST: u32 = 12;
/// The last place of numbers from 1 to 2.
const UNIT: f64 = f64::EPSILON;
/// The exponents of functions for which a reference needs no scale, and no number of a polynomial underflows.
const EXPONENTS: std::ops::RangeInclusive<i32> = -700..=1000;

/// The function on a stretch, divided by `2^exponent`: `base + low + slope τ + curve τ²`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Expansion {
    /// The key with `τ = 0`.
    pub center: i64,
    /// The difference of `τ` between neighbouring keys.
    pub step: f64,
    pub exponent: i32,
    pub base: f64,
    pub low: f64,
    pub slope: f64,
    pub curve: f64,
}

impl Expansion {
    /// The difference from the middle.
    fn beside(&self, tau: f64) -> f64 {
        self.low + tau * (self.slope + tau * self.curve)
    }
}

/// Neighbouring keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stretch {
    pub first: i64,
    pub last: i64,
    /// The function on the stretch. `None` if the reference must be evaluated at each input.
    pub expansion: Option<Expansion>,
}

/// A reference differs from its function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Disagrees {
    pub key: i64,
    /// The difference in ULP.
    pub ulp: f64,
}

/// The reason why there is no expansion of a stretch.
enum No {
    /// A shorter stretch may have one.
    Longer,
    /// A shorter stretch is not tried, because its inputs, or the function there, are not numbers of usual size.
    Never,
    Disagrees(Disagrees),
}

/// Makes stretches.
pub(super) struct Stretches {
    truth: Truth,
    reference: PointFn,
    words: usize,
    /// The last one.
    last: Option<Stretch>,
    /// Its length, as a power of two.
    log2: u32,
}

impl Stretches {
    pub fn new(truth: Truth, reference: &KernelRef, words: usize, set: InstructionSet) -> Self {
        Stretches {
            truth,
            reference: reference.cpu.of(set),
            words,
            last: None,
            log2: LONGEST,
        }
    }

    /// The stretch of a key.
    pub fn of(&mut self, key: i64) -> Result<Stretch, Disagrees> {
        if let Some(stretch) = self.last
            && (stretch.first..=stretch.last).contains(&key)
        {
            return Ok(stretch);
        }
        let stretch = self.make(key)?;
        self.last = Some(stretch);
        Ok(stretch)
    }

    fn make(&mut self, key: i64) -> Result<Stretch, Disagrees> {
        // Next to a short stretch there are short ones: the length grows step by step.
        let mut log2 = (self.log2 + 1).min(LONGEST);
        loop {
            let size = 1i64 << log2;
            let first = key & -size;
            let expansion = match self.expand(first, size) {
                Ok(expansion) => Some(expansion),
                Err(No::Never) => None,
                Err(No::Longer) if log2 == SHORTEST => None,
                Err(No::Longer) => {
                    log2 -= 1;
                    continue;
                }
                Err(No::Disagrees(d)) => return Err(d),
            };
            self.log2 = log2;
            return Ok(Stretch {
                first,
                last: first + (size - 1),
                expansion,
            });
        }
    }

    fn expand(&self, first: i64, size: i64) -> Result<Expansion, No> {
        let keys = [first, first + size / 2, first + (size - 1)];
        let [lo, x, hi] = keys.map(|k| Precision::F64.value_of_key(k));
        // The stretch is aligned, so that all of it is in one binade.
        if !(lo.is_normal() && hi.is_normal()) {
            return Err(No::Never);
        }
        let references = self.references(keys);
        let usual = |[h, _]: &[f64; 2]| h.is_normal() && EXPONENTS.contains(&exponent(*h));
        if !references.iter().any(usual) {
            return Err(No::Never);
        }
        if !references.iter().all(usual) {
            return Err(No::Longer);
        }
        let exponent = exponent(references[1][0]);
        let half = size as f64 / 2.0 * (lo.abs().next_up() - lo.abs());
        let enclosed: Enclosed<4> = self
            .truth
            .enclose(Cell { lo, hi }, x, half, exponent)
            .map_err(|_| No::Longer)?;
        let expansion = self.quadratic(&enclosed, keys[1], size, exponent)?;
        for (key, words) in keys.into_iter().zip(references) {
            let [h, l] = words.map(|w| w * power(-exponent));
            let tau = (key - expansion.center) as f64 * expansion.step;
            let ulp = (((h - expansion.base) - expansion.beside(tau)) + l).abs() / UNIT;
            // The unknown part of the polynomial is below the same bound.
            if ulp.is_nan() || ulp > 2.0 * LIMIT {
                return Err(No::Disagrees(Disagrees { key, ulp }));
            }
        }
        Ok(expansion)
    }

    fn quadratic(
        &self,
        enclosed: &Enclosed<4>,
        center: i64,
        size: i64,
        exponent: i32,
    ) -> Result<Expansion, No> {
        let range = enclosed.range();
        // A rounding does not reach the next binade, nor does the reference's error.
        let inside =
            |i: Interval| i.least() >= 1.0 + 2.0 * UNIT && i.magnitude() <= 2.0 - 2.0 * UNIT;
        let [c, slope, curve, _] = enclosed.at.0;
        let rest = enclosed.over.0[3].magnitude();
        let dropped = |b: Ball| b.l.abs() + b.r;
        let beside = c.l.abs() + slope.h.abs() + curve.h.abs();
        let rounded = f64::EPSILON * 8.0 * (beside + LARGEST * UNIT);
        let unknown = c.r + dropped(slope) + dropped(curve) + rest + rounded;
        let known = unknown <= LIMIT * UNIT && beside <= (1u64 << 30) as f64 * UNIT;
        // NaNs are not known.
        if !(inside(range) && known) {
            return Err(No::Longer);
        }
        Ok(Expansion {
            center,
            step: 2.0 / size as f64,
            exponent,
            base: c.h,
            low: c.l,
            slope: slope.h,
            curve: curve.h,
        })
    }

    /// The reference's words; NaN if it has a scale.
    fn references(&self, keys: [i64; 3]) -> [[f64; 2]; 3] {
        let bits = keys.map(|k| Precision::F64.bits_of_key(k));
        let mut words = vec![Vec::new(); self.words];
        (self.reference)(&[&bits], &mut words);
        complete(Precision::F64, &mut words, keys.len());
        std::array::from_fn(|i| match words[2][i] {
            0 => [f64::from_bits(words[0][i]), f64::from_bits(words[1][i])],
            _ => [f64::NAN; 2],
        })
    }
}
