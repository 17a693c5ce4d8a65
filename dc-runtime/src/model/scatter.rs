//! Single inputs at random places of a range; each has a number.
//!
//! Stretches of neighbouring inputs have the same upper bits. So a difference that occurs once in 20,000 inputs, at places without a
//! pattern, may be in none of 4096 stretches. Here a range is cut into parts, and a number of inputs is taken from each part. A part is cut
//! into this number of equal pieces, and one input is taken from each piece, at an independent random place. So all bits of the inputs are
//! random, and no input is taken twice. If a share `p` of a part's inputs has a property, the share in the sample is `p` on average. The
//! probability that at least one of its inputs has the property is at least `1 - (1 - p)^n`.
//!
//! The numbers ascend with the inputs. So the first of several inputs is the first in either order, and results with numbers as keys can be
//! translated ([`Scatter::located`]).

use super::block::{BlockResult, Extreme};
use super::key::Precision;
use super::keys::Keys;

/// Consecutive inputs, of which some are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Part {
    /// The number of the part's first input.
    number: u64,
    /// The number of inputs taken: at least one, and at most all inputs of the part.
    taken: u64,
    keys: Keys,
    /// The number of inputs in a piece, and the number of pieces, at the beginning, with one more input. A division for each input would take
    /// most of a search's time.
    width: u64,
    wider: u64,
}

/// Single inputs of a range.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Scatter {
    precision: Precision,
    seed: u64,
    parts: Vec<Part>,
}

impl Part {
    fn new(number: u64, taken: u64, keys: Keys) -> Part {
        let (count, pieces) = (keys.count(), u128::from(taken));
        // Of all 2^64 words as one piece the last is left out.
        let width = u64::try_from(count / pieces).unwrap_or(u64::MAX);
        Part {
            number,
            taken,
            keys,
            width,
            wider: (count % pieces) as u64,
        }
    }

    /// The piece in which an input is.
    fn piece(&self, key: i64) -> u64 {
        let into = (i128::from(key) - i128::from(self.keys.first)).max(0) as u128;
        let [width, wider] = [self.width, self.wider].map(u128::from);
        let of_wider = wider * (width + 1);
        let piece = match into < of_wider {
            true => into / (width + 1),
            false => wider + (into - of_wider) / width,
        };
        piece as u64
    }
}

impl Scatter {
    /// Takes the given numbers of inputs from these stretches, which ascend. `None` if no stretch has inputs.
    ///
    /// It lives as long as the process: input spaces are copied into every sweep and range. It needs 32 bytes for each part, and a range
    /// has some ten thousand parts.
    #[must_use]
    pub(crate) fn new(
        precision: Precision,
        seed: u64,
        parts: impl IntoIterator<Item = (Keys, u64)>,
    ) -> Option<&'static Scatter> {
        let mut number = 0;
        let mut all = Vec::new();
        for (keys, wanted) in parts {
            let taken = u128::from(wanted).min(keys.count()) as u64;
            if taken > 0 {
                all.push(Part::new(number, taken, keys));
                number += taken;
            }
        }
        (!all.is_empty()).then(|| {
            let scatter = Scatter {
                precision,
                seed,
                parts: all,
            };
            &*Box::leak(Box::new(scatter))
        })
    }

    /// The precision of the inputs.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// The number of inputs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.parts.last().map_or(0, |p| p.number + p.taken)
    }

    #[inline]
    fn key_in(&self, part: &Part, number: u64) -> i64 {
        let i = number - part.number;
        // Below the number of the part's inputs, which is at most 2^64.
        let from = i.wrapping_mul(part.width).wrapping_add(i.min(part.wider));
        let width = part.width + u64::from(i < part.wider);
        let random = (u128::from(mixed(self.seed, number)) * u128::from(width)) >> 64;
        let offset = from.wrapping_add(random as u64);
        part.keys.first.wrapping_add_unsigned(offset)
    }

    /// The key, in the order of the reals, of the input with this number.
    ///
    /// # Panics
    /// If there is no such input.
    #[must_use]
    pub fn key(&self, number: i64) -> i64 {
        let n = number.cast_unsigned();
        assert!(n < self.count(), "no input has the number {n}");
        let i = self.parts.partition_point(|p| p.number <= n) - 1;
        self.key_in(&self.parts[i], n)
    }

    /// Calls `found` with the key of each of `count` inputs, beginning with this number.
    pub(super) fn each(&self, first: i64, count: usize, mut found: impl FnMut(i64)) {
        let mut n = first.cast_unsigned();
        let end = n.saturating_add(count as u64).min(self.count());
        let mut i = self.parts.partition_point(|p| p.number <= n).max(1) - 1;
        while n < end {
            let part = &self.parts[i];
            let until = end.min(part.number + part.taken);
            (n..until).for_each(|n| found(self.key_in(part, n)));
            (n, i) = (until, i + 1);
        }
    }

    /// The keys of its inputs from `first` to `last`, ascending.
    pub(crate) fn within(&self, first: i64, last: i64) -> impl Iterator<Item = i64> {
        let mut i = self.parts.partition_point(|p| p.keys.last < first);
        let mut n = self.parts.get(i).map_or(u64::MAX, |p| {
            // No piece before that of `first` has an input from there on.
            p.number + p.piece(first)
        });
        std::iter::from_fn(move || {
            loop {
                let part = self.parts.get(i)?;
                if n >= part.number + part.taken {
                    i += 1;
                    continue;
                }
                let key = self.key_in(part, n);
                n += 1;
                if key > last {
                    i = self.parts.len();
                } else if key >= first {
                    return Some(key);
                }
            }
        })
    }

    /// Translates a result whose keys are numbers of inputs to one with keys in the order of the reals.
    #[must_use]
    pub fn located(&self, result: &BlockResult) -> BlockResult {
        let extreme = |e: Extreme| match e.exists() {
            true => Extreme {
                key: self.key(e.key),
                ..e
            },
            false => e,
        };
        let mut located = BlockResult {
            max: extreme(result.max),
            max_positive: extreme(result.max_positive),
            max_negative: extreme(result.max_negative),
            ..*result
        };
        for fault in located.faults.iter_mut().filter(|f| f.count > 0) {
            fault.first_key = self.key(fault.first_key);
        }
        located
    }
}

/// A word that depends only on seed and number: SplitMix64 at that place of its sequence.
fn mixed(seed: u64, number: u64) -> u64 {
    let x = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(first: i64, last: i64) -> Keys {
        Keys { first, last }
    }

    #[test]
    fn inputs_ascend_and_are_in_their_parts() {
        let parts = [
            (keys(i64::MIN, i64::MAX / 2), 1000),
            (keys(i64::MAX / 2 + 1, i64::MAX / 2 + 7), 100),
            (keys(i64::MAX - 4, i64::MAX), 2),
        ];
        let s = Scatter::new(Precision::F64, 3, parts).expect("inputs");
        // A part with fewer inputs than asked for is taken whole.
        assert_eq!(s.count(), 1009);
        let all: Vec<i64> = (0..1009).map(|n| s.key(n)).collect();
        assert!(all.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(
            all[1000..1007],
            (1..8).map(|i| i64::MAX / 2 + i).collect::<Vec<_>>()
        );
        let mut each = Vec::new();
        s.each(0, 4000, |key| each.push(key));
        assert_eq!(each, all);
        each.clear();
        s.each(995, 10, |key| each.push(key));
        assert_eq!(each, all[995..1005]);
        for (first, last) in [
            (i64::MIN, i64::MAX),
            (all[3] + 1, all[700]),
            (all[999], all[1003]),
            (5, 5),
        ] {
            let here: Vec<i64> = s.within(first, last).collect();
            let want = all.iter().copied().filter(|k| (first..=last).contains(k));
            assert_eq!(here, want.collect::<Vec<_>>(), "{first}..={last}");
        }
        assert!(Scatter::new(Precision::F64, 3, [(keys(1, 2), 0)]).is_none());
    }

    #[test]
    fn results_get_the_keys_of_their_inputs() {
        let s = Scatter::new(Precision::F32, 1, [(keys(100, 1099), 10)]).expect("inputs");
        let mut result = BlockResult::EMPTY;
        result.add(4, 1.5, 6, 0, 1);
        result.add(
            2,
            0.0,
            0,
            crate::model::block::FLAG_NAN | crate::model::block::FLAG_EXCLUDED,
            1,
        );
        let located = s.located(&result);
        assert_eq!(located.max.key, s.key(4));
        assert!((500..600).contains(&located.max.key));
        assert_eq!(located.faults[0].first_key, s.key(2));
        assert_eq!(located.faults[1], result.faults[1]);
        assert_eq!((located.max_negative, located.digest), (Extreme::NONE, 2));
        assert_eq!(s.located(&BlockResult::EMPTY), BlockResult::EMPTY);
    }
}
