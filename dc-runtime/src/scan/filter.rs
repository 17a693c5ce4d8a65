//! The comparison of results with a polynomial of the function: it decides almost every input of a search for maxima.
//!
//! It is compiled once per instruction set, for all routines. It takes 8 operations per register of results, and 13 for their digest. The
//! metric takes about 50, and a reference up to hundreds.

use super::reduce::{CHUNK, sum};
use crate::builtins::ulp_error::{KEY_FACTOR, beside_polynomial, digest_term_weighted};
use crate::isa::{Raw, Tally, WithIsa};
use crate::kernel::MAX_LANES;
use crate::types::{DcDouble, DcLong};

/// A polynomial of the function on a stretch of keys, and the largest distance of results from it.
#[derive(Debug, Clone, Copy)]
pub struct Quadratic {
    /// The function is `base + low + slope τ + curve τ²`; `base` is a double at the middle.
    pub base: f64,
    /// The low part of the constant coefficient.
    pub low: f64,
    /// The coefficient of `τ`.
    pub slope: f64,
    /// The coefficient of `τ²`.
    pub curve: f64,
    /// `τ` of the first key.
    pub start: f64,
    /// The difference of `τ` between neighbouring keys: a power of two, of which `start` is a multiple.
    pub step: f64,
    /// The largest difference.
    pub limit: f64,
}

/// A chunk's results, and the polynomial with which they are compared.
pub struct Filter<'a> {
    /// The results at the keys from `first` on.
    pub results: &'a [f64; CHUNK],
    /// The first key.
    pub first: i64,
    /// The polynomial.
    pub quadratic: Quadratic,
}

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Near {
    /// Whether all results are numbers within the limit.
    pub all: bool,
    /// The sum of the inputs' digest terms, if all are near. NaNs are not made canonical.
    pub digest: u64,
}

impl<I: Tally> WithIsa<I> for Filter<'_> {
    type Output = Near;
    #[inline(always)]
    fn call(self, isa: I) -> Near {
        const { assert!(CHUNK.is_multiple_of(I::LANES)) };
        let raw = Raw(isa);
        let q = self.quadratic;
        let each = |x: f64| DcDouble::of(raw, isa.splat_f64(x));
        let (base, low, slope, curve) = (each(q.base), each(q.low), each(q.slope), each(q.curve));
        let start: [f64; MAX_LANES] = std::array::from_fn(|i| q.start + q.step * i as f64);
        let mut tau = isa.load_f64(&start);
        let ahead = isa.splat_f64(q.step * I::LANES as f64);
        let mut weight = isa.mul_i64(isa.iota_i64(self.first), isa.splat_i64(KEY_FACTOR));
        let next = isa.splat_i64(KEY_FACTOR.wrapping_mul(I::LANES as i64));
        let limit = isa.splat_f64(q.limit);
        let mut beyond = isa.splat_word(0);
        let mut digest = isa.splat_word(0);
        let mut at = 0;
        while at < CHUNK {
            let result = DcDouble::load(raw, &self.results[at..]);
            let place = DcDouble::of(raw, tau);
            let distance = beside_polynomial(result, place, base, low, slope, curve);
            beyond = isa.tally_beyond(beyond, distance.v, limit);
            let term = digest_term_weighted(DcLong::of(raw, weight), result.to_bits());
            digest = isa.tally_add(digest, term.v);
            tau = isa.add_f64(tau, ahead);
            weight = isa.add_i64(weight, next);
            at += I::LANES;
        }
        Near {
            all: isa.is_zero(beyond),
            digest: sum(isa, digest),
        }
    }
}
