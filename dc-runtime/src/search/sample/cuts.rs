//! The cuts of a range into strata.

use super::bisect::{changes, evenly};
use super::steps::Steps;
use crate::model::key::Precision;
use crate::search::evaluator::PointEvaluator;
use crate::search::range::{Range, Span};
use crate::sweep::Sweep;

/// About this many inputs are evaluated before bisection, some in each binade of the input.
const GRID: usize = 1 << 14;
/// The largest number of cuts of one kind.
const MOST: usize = 4096;
/// The operations of a routine share this number of places; each gets at least [`LEAST`].
const PLACES: usize = 1 << 14;
const LEAST: usize = 16;

/// The keys at which a range is cut: each is the first of a stratum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cuts {
    /// Keys at which the input's binade changes.
    pub inputs: Vec<i64>,
    /// Keys at which the result's binade changes, according to the sweep's reference.
    pub results: Vec<i64>,
    /// Keys at which a step operation of the routine takes its next value.
    pub pieces: Vec<i64>,
    /// The reason why these keys are unknown, if they are.
    pub unknown: Option<String>,
}

impl Cuts {
    /// The cuts of a range. Only keys inside its stretches are cuts.
    #[must_use]
    pub fn find(sweep: &Sweep, range: &Range) -> Cuts {
        let precision = range.precision();
        let binades: Vec<Span> = range
            .spans()
            .iter()
            .flat_map(|s| binades(precision, *s))
            .collect();
        let starts: Vec<i64> = range.spans().iter().map(|s| s.first).collect();
        let inputs = binades.iter().map(|b| b.first);
        let grid = grid(range, &binades);
        let keys: Vec<i64> = grid.concat();
        let mut evaluator = PointEvaluator::plain(sweep);
        let mut result = |keys: &[i64]| -> Result<Vec<u64>, String> {
            let expected = evaluator.references(keys).map_err(|e| e.to_string())?;
            Ok(expected.iter().map(|e| binade(e.nearest())).collect())
        };
        // If a function of the host panics here, the search that follows reports it.
        let results = result(&keys)
            .and_then(|values| changes(&grid, &values, MOST, result))
            .unwrap_or_default();
        let steps = match sweep.candidate.kernel() {
            Some(k) => Steps::of(k.kernel),
            None => Err(sweep.why_accuracy_only()),
        };
        let (pieces, unknown) = match steps {
            Ok(steps) => (pieces(&steps, precision, &grid, &keys), None),
            Err(why) => (Vec::new(), Some(why)),
        };
        Cuts {
            inputs: inputs
                .filter(|k| starts.binary_search(k).is_err())
                .collect(),
            results,
            pieces,
            unknown,
        }
    }

    /// The ways of cutting: by the input's binades, and all others that give any cuts.
    pub(super) fn ways(&self) -> Vec<&[i64]> {
        let others = [&self.results[..], &self.pieces[..]];
        let cutting = others.into_iter().filter(|c| !c.is_empty());
        std::iter::once(&self.inputs[..]).chain(cutting).collect()
    }

    /// The number of strata of a range by these cuts.
    pub(super) fn strata(&self, range: &Range) -> Strata {
        let of = |cuts: &[i64]| range.spans().len() + cuts.len();
        Strata {
            inputs: of(&self.inputs),
            results: of(&self.results),
            pieces: of(&self.pieces),
            unknown: self.unknown.clone(),
        }
    }
}

/// The stretches of a range cut at these keys.
pub(super) fn cut(range: &Range, cuts: &[i64]) -> Vec<Span> {
    let mut strata = Vec::new();
    let mut cuts = cuts.iter().copied().peekable();
    for s in range.spans() {
        let mut first = s.first;
        while let Some(c) = cuts.next_if(|&c| c <= s.last) {
            if c > first {
                strata.push(Span { first, last: c - 1 });
                first = c;
            }
        }
        strata.push(Span { first, ..*s });
    }
    strata
}

/// A stretch of keys, cut where the exponent changes.
pub(super) fn binades(precision: Precision, span: Span) -> Vec<Span> {
    let fraction = match precision {
        Precision::F32 => 23,
        Precision::F64 => 52,
    };
    let mut cut = Vec::new();
    let mut first = span.first;
    loop {
        // The key of -x is -1 minus the key of x, so the last key of a binade has ones in all bits of the fraction for
        // both signs.
        let last = (first | ((1 << fraction) - 1)).min(span.last);
        cut.push(Span { first, last });
        if last == span.last {
            return cut;
        }
        first = last + 1;
    }
}

/// Keys of each stretch of a range, ascending: the ends of its binades, and others evenly distributed between them.
fn grid(range: &Range, binades: &[Span]) -> Vec<Vec<i64>> {
    let each = (GRID / binades.len().max(1)).clamp(2, GRID);
    let keys = |b: &Span| {
        let last = (b.count() - 1) as i128;
        let first = i128::from(b.first);
        let n = (each as i128 - 1).min(last).max(1);
        let mut keys: Vec<i64> = (0..=n).map(|i| (first + last * i / n) as i64).collect();
        keys.dedup();
        keys
    };
    let mut binades = binades.iter().peekable();
    let of = |s: &Span| {
        let mut all = Vec::new();
        while let Some(b) = binades.next_if(|b| b.first <= s.last) {
            all.extend(keys(b));
        }
        all
    };
    range.spans().iter().map(of).collect()
}

/// Sign and exponent of a number; NaNs form one class, and zeros belong to the subnormals.
fn binade(x: f64) -> u64 {
    if x.is_nan() {
        1 << 12
    } else {
        x.to_bits() >> 52
    }
}

/// The keys at which the routine's steps change.
fn pieces(steps: &Steps, precision: Precision, grid: &[Vec<i64>], keys: &[i64]) -> Vec<i64> {
    let bits =
        |keys: &[i64]| -> Vec<u64> { keys.iter().map(|&k| precision.bits_of_key(k)).collect() };
    let inputs = bits(keys);
    // Operations that never change give no cuts, and one of several that change alike is enough.
    let mut distinct: Vec<(usize, Vec<u64>)> = Vec::new();
    let all: Vec<usize> = (0..steps.count()).collect();
    for some in all.chunks(64) {
        for (&i, column) in some.iter().zip(steps.columns(some, &inputs)) {
            let constant = column.windows(2).all(|w| w[0] == w[1]);
            if !constant && distinct.iter().all(|(_, d)| *d != column) {
                distinct.push((i, column));
            }
        }
    }
    let most = (PLACES / distinct.len().max(1)).clamp(LEAST, MOST);
    let mut found = Vec::new();
    for (i, column) in distinct {
        let at = |keys: &[i64]| -> Result<Vec<u64>, std::convert::Infallible> {
            Ok(steps.columns(&[i], &bits(keys)).swap_remove(0))
        };
        let Ok(places) = changes(grid, &column, most, at);
        found.extend(places);
    }
    found.sort_unstable();
    found.dedup();
    evenly(found, MOST)
}

/// The number of strata into which a range was cut, for each way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strata {
    /// Binades of the input.
    pub inputs: usize,
    /// Binades of the result.
    pub results: usize,
    /// Pieces of the routine.
    pub pieces: usize,
    /// The reason why the routine's pieces are unknown, if they are.
    pub unknown: Option<String>,
}
