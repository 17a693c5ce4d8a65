//! The reference in a window, as one polynomial.
//!
//! A window has 2^26 neighbours: 2^-26 of a binade or less. There, any smooth function is a polynomial of degree four to within a tiny part of its last
//! place. Its value at the middle is subtracted first, so plain doubles suffice. The error of a result is then estimated by some twelve operations,
//! where a reference in two words takes hundreds. Nothing that a search reports is such an estimate: it only decides which inputs of a window are combined, and
//! which of them are evaluated in full.

use crate::builtins::ulp_error::LEAST_ORDINARY;
use crate::model::key::Precision;
use crate::search::evaluator::Expected;
use crate::search::range::Span;

/// The polynomial interpolates at every second one of these points, as quarters of the distance from the middle to an end, and is compared at the others.
const POINTS: [i64; 9] = [-4, -2, 0, 2, 4, -3, -1, 1, 3];
/// The number of points at which it interpolates.
const NODES: usize = 5;
/// The largest difference at the other points, in ULP.
const CLOSE: f64 = 1.0 / 1024.0;
/// Differences that may be roundings, as a share of the largest value.
const ROUNDED: f64 = 16.0 * f64::EPSILON;
/// A window with fewer inputs has no polynomial.
const LEAST: u128 = 1 << 16;
/// The bits of sign and exponent.
const UPPER: u64 = 0xfff << 52;

/// What is known of a reference in a window.
#[derive(Debug, Clone, Copy)]
pub(super) enum Fit {
    /// It is this polynomial.
    Smooth(Local),
    /// It is no polynomial of this degree: it has a jump or a bend, or neighbours have nothing in common, as with huge arguments of a periodic function.
    Rough,
    /// It is tiny or has a factor, or its values are on both sides of a power of two.
    Unknown,
}

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

impl Fit {
    /// The polynomial, if the reference at the keys of [`Local::keys`] is one.
    pub fn of(span: Span, reference: &[Expected; POINTS.len()]) -> Fit {
        let usual = |e: &Expected| {
            e.scale == 0 && e.words[0].abs() >= LEAST_ORDINARY && e.words[1].is_finite()
        };
        if !reference.iter().all(usual) {
            return Fit::Unknown;
        }
        let uppers = reference.iter().map(|e| e.words[0].to_bits() & UPPER);
        let exponents = uppers.clone().map(|upper| upper << 1 >> 53);
        let exponent = exponents.max().unwrap_or_default();
        // 2^-(e - 52), for a value from 2^e on.
        let per_unit = f64::from_bits((2 * 1023 + 52 - exponent) << 52);
        let value = reference[NODES / 2].words[0];
        let at = |e: &Expected| ((e.words[0] - value) + e.words[1]) * per_unit;
        let values: Vec<f64> = reference.iter().map(at).collect();
        let [a, b, c, d, e, ..] = values[..] else {
            return Fit::Unknown;
        };
        // The even and the odd part, at ±1/2 and ±1.
        let (even, odd) = (
            [(b + d) / 2.0 - c, (a + e) / 2.0 - c],
            [(d - b) / 2.0, (e - a) / 2.0],
        );
        let quarter = Local::quarter(span);
        let local = Local {
            middle: span.first + 4 * quarter,
            scale: 1.0 / (4 * quarter) as f64,
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
        // Next to a zero, the values are many units, and their roundings some of these.
        let most = values.iter().map(|v| v.abs()).fold(0.0, f64::max);
        let differences = POINTS.iter().zip(&values);
        let differences = differences.map(|(p, v)| (local.polynomial(*p as f64 / 4.0) - v).abs());
        let difference = differences.fold(0.0, f64::max);
        let first = uppers.clone().next();
        let close = difference <= CLOSE;
        match difference <= CLOSE.max(most * ROUNDED) {
            false => Fit::Rough,
            true if close && uppers.clone().all(|u| Some(u) == first) => Fit::Smooth(local),
            true => Fit::Unknown,
        }
    }
}

impl Local {
    /// The distance of neighbouring points.
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

    /// Its value at a distance from the middle, where that of an end is 1.
    fn polynomial(&self, s: f64) -> f64 {
        let [a, b, c, d, e] = self.coefficients;
        a + s * (b + s * (c + s * (d + s * e)))
    }

    /// Replaces `errors` by the estimated errors of results at inputs of the window, in ULP.
    pub fn errors(&self, keys: &[i64], results: &[u64], errors: &mut Vec<f64>) {
        let error = |(&key, &bits): (&i64, &u64)| {
            // The distance has fewer than 32 bits, which are converted several at a time.
            let s = f64::from((key - self.middle) as i32) * self.scale;
            (f64::from_bits(bits) - self.value) * self.per_unit - self.polynomial(s)
        };
        errors.clear();
        errors.extend(keys.iter().zip(results).map(error));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtins::reference::computes;
    use crate::model::candidate::Candidate;
    use crate::model::host::HostFunction;
    use crate::search::evaluator::PointEvaluator;
    use crate::search::points::split_mix;
    use crate::search::sample::Window;
    use crate::sweep::{Sweep, computed};

    fn sinh(x: f64) -> f64 {
        x.sinh()
    }
    fn tan(x: f64) -> f64 {
        x.tan()
    }

    const SINH: Sweep = Sweep::accuracy_only(
        "sinh",
        Candidate::Host(HostFunction::f64("sinh", sinh)),
        computed::f64::<computes::sinh>(),
        "-inf..inf",
    );
    const TAN: Sweep = Sweep::accuracy_only(
        "tan",
        Candidate::Host(HostFunction::f64("tan", tan)),
        computed::f64::<computes::tan>(),
        "-inf..inf",
    );

    fn fitted(sweep: &Sweep, x: f64) -> (Span, Option<Fit>) {
        let span = Window::around(Precision::F64.key_of_bits(x.to_bits()));
        let fit = Local::keys(span).map(|keys| {
            let reference = PointEvaluator::plain(sweep).references(&keys);
            let reference = reference.expect("numbers");
            Fit::of(span, reference.first_chunk().expect("nine"))
        });
        (span, fit)
    }

    /// Next to the largest result, too; below 0, keys are in the other order.
    #[test]
    fn errors_are_close() {
        let mut random = 3;
        let places = [
            (&SINH, 0.7),
            (&SINH, -710.3),
            (&SINH, 0.01),
            (&TAN, -610.97),
            (&TAN, 1.5),
        ];
        for (sweep, x) in places {
            let (span, fit) = fitted(sweep, x);
            let Some(Fit::Smooth(local)) = fit else {
                panic!("{} at {x}: {fit:?}", sweep.name);
            };
            let anywhere = |_| span.first + (split_mix(&mut random) >> 38) as i64;
            let mut keys: Vec<i64> = (0..1000).map(anywhere).collect();
            keys.extend([span.first, span.last]);
            let mut evaluator = PointEvaluator::plain(sweep);
            let results = evaluator.results(&keys).expect("results");
            let points = evaluator.points(&keys, &results).expect("points");
            let mut errors = vec![0.0];
            local.errors(&keys, &results, &mut errors);
            assert_eq!(errors.len(), points.len());
            for (error, point) in errors.iter().zip(&points) {
                assert!((error - point.error).abs() < CLOSE, "{error}, {point:?}");
            }
            assert!(points.iter().any(|p| p.error.abs() > 0.4), "{x}");
        }
    }

    /// With huge arguments, neighbours have nothing in common. Next to a zero or a power of two, there is no single unit, but a polynomial.
    #[test]
    fn what_is_no_polynomial_is_told_apart() {
        for x in [1e15, -3e200] {
            assert!(matches!(fitted(&TAN, x).1, Some(Fit::Rough)), "{x}");
        }
        let two = f64::asinh(2.0);
        for (sweep, x) in [(&TAN, std::f64::consts::PI), (&SINH, two), (&SINH, 1e-310)] {
            let fit = fitted(sweep, x).1;
            assert!(
                matches!(fit, Some(Fit::Unknown)),
                "{} {x}: {fit:?}",
                sweep.name
            );
        }
        // More than one binade of the argument.
        assert!(fitted(&SINH, 4.0).1.is_none());
    }
}
