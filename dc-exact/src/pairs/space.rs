//! Boxes of pairs: the numbers of each argument from one magnitude to another.

use crate::num::float::{BINARY32, Format, exponent, power};

/// Products of a few powers of two with exponents up to this one are doubles.
const NEAR: i32 = 100;

/// A way of splitting without an argument: by which of the two is larger.
pub(super) const ORDER: usize = 2;

/// The signs of an argument's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// No number is negative.
    Plus,
    /// No number is positive.
    Minus,
    /// There is `-x` for each `x`.
    Any,
}

/// The finite numbers of an argument with magnitudes from `lo` to `hi`. 0 is separate from the others, with both signs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The smallest magnitude.
    pub lo: f64,
    /// The largest magnitude.
    pub hi: f64,
    /// The signs.
    pub sign: Sign,
}

/// Pairs of the numbers of two spans.
#[derive(Debug, Clone, PartialEq)]
pub struct PairBox {
    /// The numbers of each argument.
    pub spans: [Span; 2],
    /// Only pairs in which the first magnitude is at least the second, or only the others. By default, all pairs.
    pub first_is_larger: Option<bool>,
}

impl Span {
    /// The zeros.
    pub const ZERO: Span = Span {
        lo: 0.0,
        hi: 0.0,
        sign: Sign::Any,
    };

    /// The number of its numbers.
    #[must_use]
    pub fn count(&self, format: Format) -> u128 {
        let key = |x: f64| match format == BINARY32 {
            true => u64::from((x as f32).to_bits()),
            false => x.to_bits(),
        };
        let magnitudes = u128::from(key(self.hi) - key(self.lo)) + 1;
        match self.sign {
            Sign::Any => 2 * magnitudes,
            _ => magnitudes,
        }
    }

    /// Its numbers below a power of two, and the others. By default, halves of its binades.
    fn halves(&self, format: Format, at: Option<i32>) -> [Span; 2] {
        let (first, last) = (exponent(self.lo), exponent(self.hi));
        let middle = at.unwrap_or(first + (last - first + 1) / 2);
        let above = power(middle);
        let below = match format == BINARY32 {
            true => f64::from((above as f32).next_down()),
            false => above.next_down(),
        };
        [Span { hi: below, ..*self }, Span { lo: above, ..*self }]
    }

    /// The spans of one sign each.
    fn of_signs(&self) -> Vec<Span> {
        match self.sign {
            Sign::Any if self.hi > 0.0 => [Sign::Plus, Sign::Minus]
                .map(|sign| Span { sign, ..*self })
                .to_vec(),
            _ => vec![*self],
        }
    }
}

impl PairBox {
    /// The number of binades of an argument, minus one.
    pub(super) fn binades(&self, argument: usize) -> i32 {
        let span = &self.spans[argument];
        match span.hi == 0.0 {
            true => 0,
            false => exponent(span.hi) - exponent(span.lo),
        }
    }

    pub(super) fn can_split(&self, by: usize) -> bool {
        if by == ORDER {
            return self.first_is_larger.is_none() && self.spans.iter().all(|s| s.hi > 0.0);
        }
        self.binades(by) > 0
    }

    /// Whether some numbers of an argument are below `2^e`, and others are not.
    pub(super) fn can_cut(&self, by: usize, e: i32) -> bool {
        let span = &self.spans[by];
        span.hi > 0.0 && exponent(span.lo) < e && e <= exponent(span.hi)
    }

    /// Two parts: by the order of the arguments, or by an argument at a power of two. By default, halves of its binades.
    pub(super) fn split(&self, by: usize, at: Option<i32>, format: Format) -> [PairBox; 2] {
        if by == ORDER {
            return [true, false].map(|larger| PairBox {
                first_is_larger: Some(larger),
                ..self.clone()
            });
        }
        self.spans[by].halves(format, at).map(|half| {
            let mut part = self.clone();
            part.spans[by] = half;
            part
        })
    }

    /// The boxes of one sign of each argument.
    pub(super) fn of_signs(&self) -> Vec<PairBox> {
        let [first, second] = [0, 1].map(|i| self.spans[i].of_signs());
        let pair = |x: Span| {
            second.iter().map(move |&y| PairBox {
                spans: [x, y],
                first_is_larger: self.first_is_larger,
            })
        };
        first.iter().flat_map(|&x| pair(x)).collect()
    }

    pub(super) fn has_both_signs(&self) -> bool {
        let mut spans = self.spans.iter();
        spans.any(|s| s.sign == Sign::Any && s.hi > 0.0)
    }

    /// The exponent of the larger argument, if it has only one binade. Otherwise that of its middle, or 0 if this is near: powers of the arguments divided by
    /// it are then far from the ends of the doubles.
    pub(super) fn scale(&self) -> i32 {
        let larger = match self.spans[0].hi >= self.spans[1].hi {
            true => 0,
            false => 1,
        };
        match self.binades(larger) {
            // Its power of two and the inverse are normal numbers.
            0 if self.spans[larger].hi > 0.0 => exponent(self.spans[larger].hi).clamp(-1022, 1022),
            0 => 0,
            _ => {
                let span = &self.spans[larger];
                let middle = (exponent(span.lo) + exponent(span.hi)) / 2;
                if middle.abs() > NEAR { middle } else { 0 }
            }
        }
    }

    /// The number of its pairs. If it has only those of one order, a number above it.
    #[must_use]
    pub fn count(&self, format: Format) -> u128 {
        let [n, m] = [0, 1].map(|i| self.spans[i].count(format));
        n * m
    }

    /// For the larger argument, a lower bound of its quotient by √(x² + y²), and upper bounds for both arguments.
    pub(super) fn shares(&self) -> [[f64; 2]; 2] {
        /// Below the root of 1/2.
        const SHARE: f64 = 0.707;
        let [x, y] = &self.spans;
        let first = match self.first_is_larger {
            Some(larger) => Some(larger),
            None if x.lo >= y.hi => Some(true),
            None if y.lo >= x.hi => Some(false),
            None => None,
        };
        let ratio = |a: &Span, b: &Span| (a.hi / b.lo).next_up().min(1.0);
        match (x.hi == 0.0, y.hi == 0.0) {
            (true, false) => return [[0.0, 0.0], [1.0, 1.0]],
            (false, true) => return [[1.0, 1.0], [0.0, 0.0]],
            _ => {}
        }
        match first {
            Some(true) => [[SHARE, 1.0], [0.0, ratio(y, x)]],
            Some(false) => [[0.0, ratio(x, y)], [SHARE, 1.0]],
            None => [[0.0, 1.0]; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::float::BINARY64;

    #[test]
    fn halves_have_all_numbers_once() {
        for (format, least, most) in [
            (BINARY32, f64::from(f32::from_bits(1)), f64::from(f32::MAX)),
            (BINARY64, f64::from_bits(1), f64::MAX),
        ] {
            let mut work = vec![Span {
                lo: least,
                hi: most,
                sign: Sign::Any,
            }];
            let all = work[0].count(format);
            let mut binades = 0;
            let mut sum = 0;
            while let Some(span) = work.pop() {
                if exponent(span.lo) == exponent(span.hi) {
                    binades += 1;
                    sum += span.count(format);
                } else {
                    work.extend(span.halves(format, None));
                }
            }
            assert_eq!(sum, all);
            assert_eq!(binades, format.largest - format.least + 1);
        }
        assert_eq!(Span::ZERO.count(BINARY64), 2);
    }
}
