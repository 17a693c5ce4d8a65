//! The reference in a window, as one polynomial.
//!
//! A window has 2^26 neighbours: 2^-26 of a binade or less. There, any smooth function is a polynomial of degree four to within a tiny part of its last
//! place. Its value at the middle is subtracted first, so plain doubles suffice. The error of a result is then estimated by some twelve operations,
//! where a reference in two words takes hundreds. Nothing that a search reports is such an estimate: it only decides which inputs of a window are combined, and
//! which of them are evaluated in full.

use crate::model::key::Precision;
use crate::search::evaluator::Expected;
use crate::search::range::Span;

/// The polynomial interpolates at every second one of these points, as quarters of the distance from the middle to an end, and is compared at the others.
const POINTS: [i64; 9] = [-4, -2, 0, 2, 4, -3, -1, 1, 3];
/// The number of points at which it interpolates.
const NODES: usize = 5;
/// The largest difference at the other points, in ULP.
const CLOSE: f64 = 1.0 / 1024.0;
/// A window with fewer inputs has no polynomial.
const LEAST: u128 = 1 << 16;
/// The bits of sign and exponent.
const UPPER: u64 = 0xfff << 52;

/// The polynomial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local {
    middle: i64,
    /// One over the distance from the middle to an end.
    scale: f64,
    /// The first word at the middle.
    value: f64,
    /// The coefficients in ULP, the constant first.
    coefficients: [f64; NODES],
    /// One over the ULP.
    per_unit: f64,
}

impl Local {
    /// The distance of points from the middle of a window.
    const fn quarter(span: Span) -> i64 {
        (span.last - span.first) / 8
    }

    /// The keys at which it needs the reference. `None` if the window has few inputs or is in more than one binade.
    pub fn keys(span: Span) -> Option<[i64; POINTS.len()]> {
        let [first, last] = [span.first, span.last].map(|key| Precision::F64.bits_of_key(key));
        if span.count() < LEAST || (first ^ last) & UPPER != 0 {
            return None;
        }
        let quarter = Local::quarter(span);
        let middle = span.first + 4 * quarter;
        Some(POINTS.map(|p| middle + p * quarter))
    }

    /// The polynomial, if the reference at these keys is one: a function with a jump or a bend has none, nor one whose values are subnormal, or on both sides of
    /// a power of two.
    pub fn new(span: Span, reference: &[Expected]) -> Option<Local> {
        let upper = |e: &Expected| e.words[0].to_bits() & UPPER;
        let same = upper(reference.first()?);
        let exponent = same << 1 >> 53;
        let alike = |e: &Expected| e.scale == 0 && upper(e) == same && e.words[1].is_finite();
        if !(54..0x7fe).contains(&exponent) || !reference.iter().all(alike) {
            return None;
        }
        // 2^-(e - 52), for a value from 2^e on.
        let per_unit = f64::from_bits((2 * 1023 + 52 - exponent) << 52);
        let value = reference[NODES / 2].words[0];
        let at = |e: &Expected| ((e.words[0] - value) + e.words[1]) * per_unit;
        let values: Vec<f64> = reference.iter().map(at).collect();
        let [a, b, c, d, e] = values[..NODES].first_chunk().copied()?;
        // The even and the odd part, at ±1/2 and ±1.
        let (even, odd) = (
            [(b + d) / 2.0 - c, (a + e) / 2.0 - c],
            [(d - b) / 2.0, (e - a) / 2.0],
        );
        let local = Local {
            middle: span.first + 4 * Local::quarter(span),
            scale: 1.0 / (4 * Local::quarter(span)) as f64,
            value,
            coefficients: [
                c,
                (8.0 * odd[0] - odd[1]) / 3.0,
                (16.0 * even[0] - even[1]) / 3.0,
                (4.0 * odd[1] - 8.0 * odd[0]) / 3.0,
                (4.0 * even[1] - 16.0 * even[0]) / 3.0,
            ],
            per_unit,
        };
        let quarter = Local::quarter(span);
        let close = POINTS.iter().zip(&values).all(|(p, v)| {
            let difference = local.polynomial(local.middle + p * quarter) - v;
            difference.abs() <= CLOSE
        });
        close.then_some(local)
    }

    fn polynomial(&self, key: i64) -> f64 {
        let s = (key - self.middle) as f64 * self.scale;
        let [a, b, c, d, e] = self.coefficients;
        a + s * (b + s * (c + s * (d + s * e)))
    }

    /// The estimated error of a result, in ULP.
    pub fn error(&self, key: i64, result_bits: u64) -> f64 {
        (f64::from_bits(result_bits) - self.value) * self.per_unit - self.polynomial(key)
    }
}
