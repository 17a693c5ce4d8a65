//! The inputs of a problem: all numbers of binary32 or binary64 in a range, or those of a format of 16 bits. They are named by their keys;
//! numbers of 16 bits have the keys of binary32.

use std::sync::atomic::AtomicBool;

use dc_runtime::fenv::Guard;
use dc_runtime::model::key::Precision;
use dc_runtime::search::range::{Range, Span};

use crate::each::each_strip;
use crate::shape::Limits;
use crate::spec::Format;
use crate::strips::STRIP;

/// The inputs.
pub struct Inputs {
    range: Range,
    /// The keys of the numbers of 16 bits, in ascending order.
    stored: Option<Vec<i64>>,
}

/// The keys of a strip.
#[derive(Debug, Clone, Copy)]
pub enum Keys<'a> {
    /// Keys that follow each other, by the first.
    From(i64),
    /// Keys one by one.
    Listed(&'a [i64]),
}

impl Keys<'_> {
    /// The key with that number.
    #[must_use]
    pub fn at(self, i: usize) -> i64 {
        match self {
            Keys::From(first) => first + i as i64,
            Keys::Listed(keys) => keys[i],
        }
    }
}

/// The number of binary32 with that key.
#[must_use]
pub fn number(key: i64) -> f64 {
    Precision::F32.value_of_key(key)
}

/// The key of a number.
fn key_of(x: f32) -> i64 {
    Precision::F32.key_of_bits(x.to_bits().into())
}

fn contains(range: &Range, key: i64) -> bool {
    let spans = range.spans().iter();
    spans.clone().any(|s| s.first <= key && key <= s.last)
}

impl Inputs {
    /// The inputs of a format in a range of binary64 for this format, and of binary32 for all others.
    ///
    /// # Errors
    /// If the range has no number of the format.
    pub fn new(range: Range, format: Format) -> Result<Inputs, String> {
        let Some(stored) = format.stored() else {
            return Ok(Inputs {
                range,
                stored: None,
            });
        };
        let key = |bits: u16| key_of(f32::from_bits(stored.widened(bits)));
        let mut keys: Vec<i64> = (0..=u16::MAX).map(key).collect();
        keys.sort_unstable();
        // All NaNs are one.
        keys.dedup();
        keys.retain(|&key| contains(&range, key));
        if keys.is_empty() {
            return Err(format!(
                "the range has no number of {}: name a larger one",
                format.name()
            ));
        }
        Ok(Inputs {
            range,
            stored: Some(keys),
        })
    }

    /// The number of inputs.
    #[must_use]
    pub fn count(&self) -> u128 {
        match &self.stored {
            Some(keys) => keys.len() as u128,
            None => self.range.count(),
        }
    }

    /// The input with that key.
    #[must_use]
    pub fn number(&self, key: i64) -> f64 {
        self.range.precision().value_of_key(key)
    }

    /// The key of the input that is nearest to a number.
    #[must_use]
    pub fn key(&self, x: f64) -> i64 {
        match self.range.precision() {
            Precision::F32 => key_of(x as f32),
            Precision::F64 => Precision::F64.key_of_bits(x.to_bits()),
        }
    }

    /// The smallest and the largest input.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let spans = self.range.spans();
        let (first, last) = match &self.stored {
            Some(keys) => (keys.first().copied(), keys.last().copied()),
            None => (spans.first().map(|s| s.first), spans.last().map(|s| s.last)),
        };
        let number = |key| self.number(key);
        let low = first.map_or(f64::NAN, number);
        let high = last.map_or(f64::NAN, number);
        let or = |x: f64, other: f64| if x.is_nan() { other } else { x };
        Limits {
            low: or(low, f64::NEG_INFINITY),
            high: or(high, f64::INFINITY),
            nan: low.is_nan() || high.is_nan(),
        }
    }

    /// About this many inputs from all parts of the range; all inputs if they have 16 bits.
    #[must_use]
    pub fn sample(&self, about: usize) -> Vec<i64> {
        if let Some(keys) = &self.stored {
            return keys.clone();
        }
        let mut keys = Vec::new();
        let spans = self.range.spans();
        for span in spans {
            let count = span.count();
            let each = (about / spans.len()).max(2) as u128;
            let step = (count / each).max(1);
            let mut at = 0;
            // Odd steps, so that the last bits vary.
            while at < count {
                keys.push((i128::from(span.first) + at as i128) as i64);
                at += step | 1;
            }
            // Evenly in the values as well: most keys are tiny numbers.
            let (low, high) = (self.number(span.first), self.number(span.last));
            let mut evenly = |low: f64, high: f64| {
                for i in 0..=each {
                    let part = i as f64 / each as f64;
                    let key = self.key(low * (1.0 - part) + high * part);
                    if span.first <= key && key <= span.last {
                        keys.push(key);
                    }
                }
            };
            if low.is_finite() && high.is_finite() {
                evenly(low, high);
            }
            // Around 1, where logarithms are small.
            if self.range.precision() == Precision::F64 && low < 0.5 && high > 2.0 {
                evenly(0.5, 2.0);
            }
            keys.push(span.last);
            // The zeros.
            keys.extend(
                [-1, 0]
                    .into_iter()
                    .filter(|k| span.first <= *k && *k <= span.last),
            );
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The inputs in parts of at most 2^28, in ascending order. Inputs of 16 bits are one part. So are those of binary64, through which no
    /// search goes.
    #[must_use]
    pub fn parts(&self) -> Vec<Inputs> {
        const PART: i64 = 1 << 28;
        if self.stored.is_some() || self.range.precision() == Precision::F64 {
            return vec![Inputs {
                range: self.range.clone(),
                stored: self.stored.clone(),
            }];
        }
        let mut parts = Vec::new();
        for span in self.range.spans() {
            let mut first = span.first;
            loop {
                let last = span.last.min(first.saturating_add(PART - 1));
                let part = Range::from_spans(self.range.space(), vec![Span { first, last }]);
                parts.extend(part.ok().map(|range| Inputs {
                    range,
                    stored: None,
                }));
                if last == span.last {
                    break;
                }
                first = last + 1;
            }
        }
        parts
    }

    /// The first and the last key, in words.
    #[must_use]
    pub fn describe(&self) -> String {
        let spans = self.range.spans();
        let ends = spans.first().zip(spans.last());
        ends.map_or(String::new(), |(a, b)| format!("{}..={}", a.first, b.last))
    }

    /// Runs `work` on all inputs, a strip at a time, on all processors. Each thread has its own state.
    ///
    /// # Errors
    /// If a state cannot be made.
    pub fn each_strip<S>(
        &self,
        stop: &AtomicBool,
        state: &(dyn Fn() -> Result<S, String> + Sync),
        work: &(dyn Fn(&mut S, &[f32], Keys<'_>) + Sync),
    ) -> Result<(), String> {
        if let Some(keys) = &self.stored {
            let _default = Guard::new();
            let mut state = state()?;
            for keys in keys.chunks(STRIP) {
                let xs: Vec<f32> = keys.iter().map(|&k| number(k) as f32).collect();
                work(&mut state, &xs, Keys::Listed(keys));
            }
            return Ok(());
        }
        each_strip(&self.range, stop, state, &|state: &mut S, xs, first| {
            work(state, xs, Keys::From(first));
        })
    }
}
