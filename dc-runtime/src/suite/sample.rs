//! Which inputs of a range a test takes.
//!
//! All of them, if they are no more than it may take. Else stretches of neighbouring inputs: as many from every binade
//! that the range touches, at random places spread evenly over each (stratified sampling); the range's own ends; the
//! values where something begins or ends ([`Range::edges`]); and both sides of the worst inputs that are known. Random
//! means: from a seed, which is the sweep's name unless `CRUNCH_SEED` says otherwise, so that a test that passes passes
//! again.

use crate::search::key::Precision;
use crate::search::points::split_mix;
use crate::search::range::{Range, Span};

/// Inputs on either side of an input that is known to be bad, and from a range's ends.
const AROUND: i64 = 512;
/// Inputs a stretch, so that what a block costs is little beside it.
const STRETCH: u64 = 512;

/// Inputs taken of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// They.
    pub range: Range,
    /// How many the whole range has.
    pub of: u128,
    /// What they depend on.
    pub seed: u64,
}

impl Sample {
    /// About `inputs` of a range, and the neighbourhood of the keys `known`.
    #[must_use]
    pub fn of(range: &Range, inputs: u64, seed: u64, known: &[i64]) -> Sample {
        let of = range.count();
        if of <= u128::from(inputs) {
            return Sample {
                range: range.clone(),
                of,
                seed,
            };
        }
        let precision = range.precision();
        let mut spans = stretches(range, inputs, seed);
        let ends = range.spans().iter().flat_map(|s| [s.first, s.last]);
        spans.extend(ends.chain(known.iter().copied()).map(|key| Span {
            first: key.saturating_sub(AROUND).max(precision.min_key()),
            last: key.saturating_add(AROUND).min(precision.max_key()),
        }));
        spans.extend(Range::edges(precision).spans());
        Sample {
            range: range.intersection(&Range::covering(precision, spans)),
            of,
            seed,
        }
    }

    /// Whether these are all inputs of the range.
    #[must_use]
    pub fn is_exhaustive(&self) -> bool {
        self.range.count() == self.of
    }
}

/// A seed from a name (FNV-1a).
#[must_use]
pub fn seed(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn stretches(range: &Range, inputs: u64, seed: u64) -> Vec<Span> {
    let strata: Vec<Span> = range
        .spans()
        .iter()
        .flat_map(|s| binades(range.precision(), *s))
        .collect();
    let quota = (inputs / strata.len().max(1) as u64).max(1);
    let (length, per_stratum) = match quota {
        q if q < STRETCH => (q, 1),
        q => (STRETCH, q / STRETCH),
    };
    let mut random = seed;
    let mut spans = Vec::new();
    for s in strata {
        // As many equal parts as stretches, one stretch at a random place of each.
        let count = s.count();
        if count <= u128::from(quota) {
            spans.push(s);
            continue;
        }
        for i in 0..per_stratum {
            let part = |i: u64| count * u128::from(i) / u128::from(per_stratum);
            let (from, room) = (part(i), part(i + 1) - part(i));
            let free = room.saturating_sub(length.into()) + 1;
            let at = from + u128::from(split_mix(&mut random)) % free;
            let first = (i128::from(s.first) + at as i128) as i64;
            let last = first.saturating_add_unsigned(length - 1).min(s.last);
            spans.push(Span { first, last });
        }
    }
    spans
}

/// A stretch of keys cut where the exponent changes.
fn binades(precision: Precision, span: Span) -> Vec<Span> {
    let fraction = match precision {
        Precision::F32 => 23,
        Precision::F64 => 52,
    };
    let mut cut = Vec::new();
    let mut first = span.first;
    loop {
        // The key of -x is -1 less the key of x, so the last key of a binade has ones in all bits of the fraction on
        // either side.
        let last = (first | ((1 << fraction) - 1)).min(span.last);
        cut.push(Span { first, last });
        if last == span.last {
            return cut;
        }
        first = last + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str, p: Precision) -> Range {
        Range::parse(text, p).expect(text)
    }

    #[test]
    fn every_binade_and_edge_is_there() {
        for (text, p, binades) in [
            ("all", Precision::F64, 4096),
            ("1.0..8.0", Precision::F64, 3),
            ("-4.0..=-1.0, 2.0..1e3", Precision::F32, 3 + 9),
            ("all", Precision::F32, 512),
        ] {
            let whole = range(text, p);
            let known = whole.spans()[0].first + 100_000;
            let s = Sample::of(&whole, 1 << 20, 7, &[known]);
            let cut: Vec<Span> = whole
                .spans()
                .iter()
                .flat_map(|&x| super::binades(p, x))
                .collect();
            assert_eq!(cut.len(), binades, "{text}");
            for b in cut {
                let here = Range::from_spans(p, vec![b]).expect("a binade");
                let taken = here.intersection(&s.range).count();
                assert!(taken >= b.count().min(128), "{text}: {taken} of {b:?}");
            }
            let n = s.range.count();
            assert!(n > 1 << 19 && n < 1 << 21, "{text}: {n}");
            assert_eq!((s.of, s.is_exhaustive()), (whole.count(), false));
            assert_eq!(whole.intersection(&s.range), s.range, "{text}");
            for key in [known, known - 512, known + 512, whole.spans()[0].first] {
                assert!(
                    s.range.contains(key) || !whole.contains(key),
                    "{text}: {key}"
                );
            }
            assert_eq!(Sample::of(&whole, 1 << 20, 7, &[known]), s);
            assert_ne!(Sample::of(&whole, 1 << 20, 8, &[known]).range, s.range);
        }
        let all = Sample::of(&range("all", Precision::F64), 1 << 20, 7, &[]);
        for edge in ["0.0", "-0.0", "inf", "bits:1"] {
            let key = range(&format!("{edge}..={edge}"), Precision::F64).spans()[0].first;
            assert!(all.range.contains(key), "{edge}");
        }
    }

    #[test]
    fn what_is_small_is_taken_whole() {
        let whole = range("1.0..=0x1.001p0", Precision::F32);
        let s = Sample::of(&whole, 1 << 20, 1, &[]);
        assert_eq!((s.is_exhaustive(), &s.range), (true, &whole));
        assert!(!Sample::of(&whole, 100, 1, &[]).range.spans().is_empty());
    }

    #[test]
    fn binades_end_where_exponents_change() {
        for text in ["-3.0..=-0.9", "0.9..=3.0"] {
            let r = range(text, Precision::F64);
            let cut = binades(Precision::F64, r.spans()[0]);
            assert!(cut.len() > 1 && cut[cut.len() - 1].last == r.spans()[0].last);
            for b in &cut {
                let exponent = |key| (r.precision().bits_of_key(key) >> 52) & 0x7ff;
                assert_eq!(exponent(b.first), exponent(b.last), "{text}");
                let ends = b.last == r.spans()[0].last;
                assert!(ends || exponent(b.last) != exponent(b.last + 1), "{text}");
            }
        }
    }
}
