//! Part of a range that stands for it: for checks that cannot take all of it.

use super::{Range, Span};
use crate::search::key::Precision;

/// Inputs on either side of an edge.
const AROUND: i64 = 512;

impl Range {
    /// About `inputs` of the range's inputs: `stretches` of them, evenly spread, its first and last inputs among
    /// them. The range itself where it has no more.
    #[must_use]
    pub fn sample(&self, inputs: u64, stretches: u64) -> Range {
        let total = self.count();
        let stretches = u128::from(stretches.max(2));
        let length = (u128::from(inputs) / stretches).max(1);
        if length * stretches >= total {
            return self.clone();
        }
        let mut spans = Vec::new();
        for i in 0..stretches {
            let start = (total - length) * i / (stretches - 1);
            self.cut(start, length, &mut spans);
        }
        Range {
            precision: self.precision,
            spans: coalesce(spans),
        }
    }

    /// The inputs where something begins or ends (zeros, subnormals, one, the largest numbers, infinities, NaNs), and
    /// 512 on either side of each.
    #[must_use]
    pub fn edges(precision: Precision) -> Range {
        let (tiny, one, infinity) = match precision {
            Precision::F32 => (0x0080_0000, 0x3f80_0000, 0x7f80_0000),
            Precision::F64 => (
                0x0010_0000_0000_0000,
                0x3ff0_0000_0000_0000,
                0x7ff0_0000_0000_0000,
            ),
        };
        let spans = [0, tiny, one, infinity, precision.max_key()]
            .into_iter()
            .flat_map(|key| [key, -1 - key])
            .map(|key| Span {
                first: key.saturating_sub(AROUND).max(precision.min_key()),
                last: key.saturating_add(AROUND).min(precision.max_key()),
            })
            .collect();
        Range {
            precision,
            spans: coalesce(spans),
        }
    }

    /// The inputs of either range, which are of one precision.
    #[must_use]
    pub fn union(&self, other: &Range) -> Range {
        let spans = self.spans.iter().chain(&other.spans).copied().collect();
        Range {
            precision: self.precision,
            spans: coalesce(spans),
        }
    }

    /// The inputs of both ranges, which are of one precision; without a stretch when there is none.
    #[must_use]
    pub fn intersection(&self, other: &Range) -> Range {
        let (mut a, mut b) = (self.spans.iter().peekable(), other.spans.iter().peekable());
        let mut spans = Vec::new();
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            let both = Span {
                first: x.first.max(y.first),
                last: x.last.min(y.last),
            };
            if both.first <= both.last {
                spans.push(both);
            }
            if x.last < y.last {
                a.next();
            } else {
                b.next();
            }
        }
        Range {
            precision: self.precision,
            spans,
        }
    }

    /// The inputs of these stretches, in whatever order, which may overlap.
    #[cfg(feature = "suite")]
    #[must_use]
    pub(crate) fn covering(precision: Precision, spans: Vec<Span>) -> Range {
        Range {
            precision,
            spans: coalesce(spans),
        }
    }

    /// The inputs from number `start` on.
    fn cut(&self, mut start: u128, mut length: u128, into: &mut Vec<Span>) {
        for s in &self.spans {
            let count = s.count();
            if start >= count {
                start -= count;
                continue;
            }
            let n = length.min(count - start);
            let first = (i128::from(s.first) + start as i128) as i64;
            into.push(Span {
                first,
                last: (i128::from(first) + n as i128 - 1) as i64,
            });
            length -= n;
            start = 0;
            if length == 0 {
                return;
            }
        }
    }
}

/// Stretches in order, those that touch or overlap made one.
fn coalesce(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|s| s.first);
    let mut out: Vec<Span> = Vec::new();
    for s in spans {
        match out.last_mut() {
            Some(l) if i128::from(l.last) + 1 >= i128::from(s.first) => l.last = l.last.max(s.last),
            _ => out.push(s),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str, p: Precision) -> Range {
        Range::parse(text, p).expect(text)
    }

    #[test]
    fn samples() {
        for text in [
            "1.0..2.0",
            "all",
            "normals",
            "1.0..=1.0, 2.0..3.0, 4.0..=4.0",
        ] {
            let whole = range(text, Precision::F64);
            let sample = whole.sample(1 << 20, 64);
            assert_eq!(
                Range::from_spans(Precision::F64, sample.spans.clone()),
                Ok(sample.clone())
            );
            assert_eq!(sample.count(), 1 << 20, "{text}");
            let ends = |r: &Range| (r.spans[0].first, r.spans[r.spans.len() - 1].last);
            assert_eq!(ends(&sample), ends(&whole), "{text}");
            assert!(
                sample
                    .spans
                    .iter()
                    .all(|s| whole.contains(s.first) && whole.contains(s.last))
            );
        }
        let small = range("1.0..=0x1.00001p0", Precision::F32);
        assert_eq!(small.sample(1 << 20, 64), small);
    }

    #[test]
    fn intersections() {
        let p = Precision::F64;
        let a = range("1.0..2.0, 3.0..=4.0, 5.0..6.0", p);
        for (other, both) in [
            ("all", "1.0..2.0, 3.0..=4.0, 5.0..6.0"),
            ("1.5..3.5", "1.5..2.0, 3.0..3.5"),
            ("4.0..5.0, 5.5..7.0", "4.0..=4.0, 5.5..6.0"),
        ] {
            let other = range(other, p);
            assert_eq!(a.intersection(&other), range(both, p));
            assert_eq!(other.intersection(&a), range(both, p));
        }
        assert_eq!(a.intersection(&range("2.0..3.0", p)).count(), 0);
    }

    #[test]
    fn edges_hold_the_special_values() {
        for p in [Precision::F32, Precision::F64] {
            let edges = Range::edges(p);
            assert_eq!(Range::from_spans(p, edges.spans.clone()), Ok(edges.clone()));
            for text in ["-inf", "-1", "-0.0", "0.0", "1", "inf", "bits:1"] {
                let key = range(&format!("{text}..={text}"), p).spans[0].first;
                assert!(
                    edges.contains(key) && edges.contains(key + 1) && edges.contains(key - 1),
                    "{text}"
                );
            }
            assert!(edges.contains(p.min_key()) && edges.contains(p.max_key()));
            assert_eq!(edges.union(&range("all", p)), range("all", p));
        }
    }
}
