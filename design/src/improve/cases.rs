//! Inputs with the values of the function, and the errors of a program there.

use dc_runtime::model::key::Precision;
use dc_runtime::search::range::Range;

use super::truth::Truth;
use crate::compare::ulp;
use crate::spec::Format;
use crate::strips::{Results, STRIP, Strips};

/// Inputs with the values of the function.
#[derive(Debug, Clone, Default)]
pub struct Cases {
    /// Their keys.
    pub keys: Vec<i64>,
    x: Vec<f64>,
    hi: Vec<f64>,
    lo: Vec<f64>,
    ulp: Vec<f64>,
}

impl Cases {
    /// The number of inputs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds the inputs with those keys. Inputs whose value is unknown or is not a number of the format are left out.
    ///
    /// # Errors
    /// The same as for [`Truth::values`].
    pub fn add(&mut self, truth: &Truth, precision: Precision, keys: &[i64]) -> Result<(), String> {
        let format = truth.format();
        let largest = match format {
            Format::F64 => f64::MAX,
            _ => f32::MAX.into(),
        };
        let mut values = truth.values()?;
        let mut xs = [0.0; STRIP];
        for keys in keys.chunks(STRIP) {
            for (x, &key) in xs.iter_mut().zip(keys) {
                *x = precision.value_of_key(key);
            }
            let (hi, lo) = values.at(&xs[..keys.len()]);
            for (i, &key) in keys.iter().enumerate() {
                if hi[i].abs() <= largest && lo[i].is_finite() {
                    self.keys.push(key);
                    self.x.push(xs[i]);
                    self.hi.push(hi[i]);
                    self.lo.push(lo[i]);
                    self.ulp.push(ulp(format, hi[i]));
                }
            }
        }
        Ok(())
    }

    /// The cases with these numbers.
    #[must_use]
    pub fn of(&self, numbers: &[usize]) -> Cases {
        let of = |from: &[f64]| numbers.iter().map(|&i| from[i]).collect();
        Cases {
            keys: numbers.iter().map(|&i| self.keys[i]).collect(),
            x: of(&self.x),
            hi: of(&self.hi),
            lo: of(&self.lo),
            ulp: of(&self.ulp),
        }
    }

    /// Runs a program on a strip of the cases, from `at` on, and passes each error to `each`, in ULP and with its sign. A result that is not
    /// a number has an infinite error.
    #[inline]
    fn strip(&self, strips: &mut Strips, at: usize, mut each: impl FnMut(f64)) {
        let n = (self.len() - at).min(STRIP);
        let xs = &self.x[at..at + n];
        let narrow = strips.inputs_f32();
        if narrow.is_empty() {
            strips.inputs_f64()[..n].copy_from_slice(xs);
        } else {
            for (to, &x) in narrow.iter_mut().zip(xs) {
                *to = x as f32;
            }
        }
        strips.run(n);
        let (hi, lo, ulp) = (&self.hi[at..], &self.lo[at..], &self.ulp[at..]);
        let mut one = |i: usize, y: f64| each(((y - hi[i]) - lo[i]) / ulp[i]);
        match strips.results(0) {
            Results::F64(ys) => (0..n).for_each(|i| one(i, ys[i])),
            Results::F32(ys) => (0..n).for_each(|i| one(i, ys[i].into())),
        }
    }

    /// The error at each case.
    #[must_use]
    pub fn errors(&self, strips: &mut Strips) -> Vec<f64> {
        let mut all = Vec::with_capacity(self.len());
        for at in (0..self.len()).step_by(STRIP) {
            self.strip(strips, at, |e| {
                all.push(if e.is_finite() { e } else { f64::INFINITY });
            });
        }
        all
    }

    /// The largest error, or the first error found that is at least `limit`.
    #[must_use]
    pub fn largest(&self, strips: &mut Strips, limit: f64) -> f64 {
        let mut worst = 0.0f64;
        for at in (0..self.len()).step_by(STRIP) {
            let mut bad = false;
            self.strip(strips, at, |e| {
                bad |= !e.is_finite();
                worst = worst.max(e.abs());
            });
            if bad {
                return f64::INFINITY;
            }
            if worst >= limit {
                break;
            }
        }
        worst
    }
}

/// Pseudo-random numbers.
#[derive(Debug, Clone)]
pub struct Random(pub u64);

impl Random {
    /// The next one.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 * 2f64.powi(-53)
    }
}

/// About this many inputs of a range, in order: half of them spread evenly among the numbers of the format, half evenly among the reals.
/// Returns all inputs if there are not more of them.
#[must_use]
pub fn sample(range: &Range, precision: Precision, about: usize, random: &mut Random) -> Vec<i64> {
    let mut keys = Vec::with_capacity(about + 2 * range.spans().len());
    let all = range.count();
    if all <= about as u128 {
        for span in range.spans() {
            keys.extend(span.first..=span.last);
        }
        return keys;
    }
    for span in range.spans() {
        let share = (span.count() as f64 / all as f64 * about as f64 / 2.0).ceil();
        let each = (share as u128).max((about / 4 / range.spans().len()) as u128);
        let step = span.count() as f64 / each as f64;
        let (low, high) = (
            precision.value_of_key(span.first),
            precision.value_of_key(span.last),
        );
        for i in 0..each {
            let at = ((i as f64 + random.unit()) * step) as i128;
            let key = i128::from(span.first) + at;
            keys.push(key.min(i128::from(span.last)) as i64);
            let share = (i as f64 + random.unit()) / each as f64;
            let x = low * (1.0 - share) + high * share;
            if x.is_finite() {
                let bits = match precision {
                    Precision::F64 => x.to_bits(),
                    Precision::F32 => u64::from((x as f32).to_bits()),
                };
                keys.push(precision.key_of_bits(bits).clamp(span.first, span.last));
            }
        }
        keys.extend([span.first, span.last]);
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}
