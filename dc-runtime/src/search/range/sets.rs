//! Ranges composed of others, and the range of special values.

use super::spans::{Range, Span};
use crate::model::key::Precision;
use crate::model::space::InputSpace;

/// The number of inputs on either side of an edge.
const AROUND: i64 = 512;

impl Range {
    /// The inputs at boundaries (zeros, subnormals, one, the largest numbers, infinities, NaNs), and 512 on either side of each.
    #[must_use]
    pub fn edges(precision: Precision) -> Range {
        let near = |key: i64| Span {
            first: key.saturating_sub(AROUND).max(precision.min_key()),
            last: key.saturating_add(AROUND).min(precision.max_key()),
        };
        Range::covering(precision, specials(precision).map(near).collect())
    }

    /// The inputs of either range; both have the same input space.
    #[must_use]
    pub fn union(&self, other: &Range) -> Range {
        let spans = self.spans.iter().chain(&other.spans).copied().collect();
        Range {
            space: self.space,
            spans: coalesce(spans),
        }
    }

    /// The inputs in both ranges, which have the same input space. The result has no stretch if there are none.
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
            space: self.space,
            spans,
        }
    }

    /// The inputs of these stretches, which may overlap and be in any order.
    #[must_use]
    pub(crate) fn covering(inputs: impl Into<InputSpace>, spans: Vec<Span>) -> Range {
        Range {
            space: inputs.into(),
            spans: coalesce(spans),
        }
    }
}

/// The keys at boundaries.
pub(crate) fn specials(precision: Precision) -> impl Iterator<Item = i64> {
    let (tiny, one, infinity) = match precision {
        Precision::F32 => (0x0080_0000, 0x3f80_0000, 0x7f80_0000),
        Precision::F64 => (
            0x0010_0000_0000_0000,
            0x3ff0_0000_0000_0000,
            0x7ff0_0000_0000_0000,
        ),
    };
    [0, tiny, one, infinity, precision.max_key()]
        .into_iter()
        .flat_map(|key| [key, -1 - key])
}

/// Stretches in order; those that touch or overlap are joined.
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
