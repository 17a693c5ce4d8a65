//! The result of a block of inputs: the record that every backend computes, and that is compared and stored.

use kernels_gen::reduction::{self, WORDS, Word};

use super::fine::Fine;
use super::key::Precision;

/// Bins of the error histogram: `[0, 2)` in quarters of an ULP (bins 0–7), then one bin per octave from `[2, 4)` (8) to
/// `[128, 256)` (14). Bin 15 contains all errors from 256 ULP up.
pub const BINS: usize = reduction::BINS;

/// Lower edge of a histogram bin in ULP.
#[must_use]
pub fn bin_floor(bin: usize) -> f64 {
    if bin < 8 {
        bin as f64 / 4.0
    } else {
        f64::powi(2.0, bin as i32 - 7)
    }
}

/// The three ways in which a result can differ from a reference without an error in ULP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// One is NaN and the other is not.
    Nan,
    /// One is infinite and the other is finite, or both are infinite with different signs.
    Infinity,
    /// The result is zero, and the reference is zero or rounds to zero, with different signs.
    ZeroSign,
}

impl FaultKind {
    /// All kinds, in the order of [`BlockResult::faults`].
    pub const ALL: [FaultKind; 3] = [FaultKind::Nan, FaultKind::Infinity, FaultKind::ZeroSign];
    /// Name in tables and run files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Nan => "nan",
            FaultKind::Infinity => "infinity",
            FaultKind::ZeroSign => "zero-sign",
        }
    }
}

/// The number of occurrences of a fault, and the first key with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fault {
    /// Number of inputs.
    pub count: u64,
    /// Smallest key; meaningful when `count > 0`.
    pub first_key: i64,
}

/// An extreme, and the key at which it occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extreme {
    /// Error in ULP as `f64` bits. Errors are compared as bits, because backends must agree to the last bit. Never negative.
    pub error_bits: u64,
    /// The smallest key with this error; `i64::MAX` if there is none (`error_bits` is then 0).
    pub key: i64,
}

impl Extreme {
    /// The extreme of no inputs.
    pub const NONE: Extreme = Extreme {
        error_bits: 0,
        key: i64::MAX,
    };
    /// The error in ULP.
    #[must_use]
    pub fn error(self) -> f64 {
        f64::from_bits(self.error_bits)
    }
    /// The larger extreme. If they are equal, the one with the smaller key.
    #[must_use]
    pub fn or(self, other: Extreme) -> Extreme {
        // Non-negative floats have the order of their bits.
        if other.error_bits > self.error_bits
            || (other.error_bits == self.error_bits && other.key < self.key)
        {
            other
        } else {
            self
        }
    }
    /// Whether any input has it.
    #[must_use]
    pub fn exists(self) -> bool {
        self.key != i64::MAX
    }
}

/// The result of a block of consecutive keys. Every field is the same on every backend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockResult {
    /// The number of inputs evaluated.
    pub count: u64,
    /// The largest |error|. Inputs with an error of exactly 0 count, so every non-empty block has a key. Faults do not count.
    pub max: Extreme,
    /// Largest error of a result above the reference; none if no result is above it.
    pub max_positive: Extreme,
    /// Largest |error| of a result below the reference.
    pub max_negative: Extreme,
    /// The number of inputs whose result is not the reference rounded to nearest.
    pub misrounded: u64,
    /// The number of inputs for which the reference does not decide whether the result is right: the error is too close to one half, or the
    /// reference is too coarse for any error. They are not counted in `misrounded`.
    pub undecided: u64,
    /// Faults by kind, see [`FaultKind::ALL`].
    pub faults: [Fault; 3],
    /// The wrapping sum of the inputs' digest terms. It does not depend on the order, and depends on every output bit.
    pub digest: u64,
    /// The number of inputs by error, see [`bin_floor`]. Faults, and inputs whose reference is too coarse, are in no
    /// bin.
    pub histogram: [u64; BINS],
    /// A sample's inputs in finer bins. Only the search of a run file fills it; backends leave it empty.
    pub fine: Fine,
}

impl BlockResult {
    /// The result of no inputs: the neutral element of [`BlockResult::merge`].
    pub const EMPTY: BlockResult = BlockResult {
        count: 0,
        max: Extreme::NONE,
        max_positive: Extreme::NONE,
        max_negative: Extreme::NONE,
        misrounded: 0,
        undecided: 0,
        faults: [Fault {
            count: 0,
            first_key: 0,
        }; 3],
        digest: 0,
        histogram: [0; BINS],
        fine: Fine::EMPTY,
    };

    /// The name of a field whose value no set of inputs can have, if there is such a field.
    #[must_use]
    pub fn inconsistency(&self) -> Option<String> {
        let counted: u64 = self.histogram.iter().sum();
        let sides = [self.max_positive, self.max_negative];
        if counted > self.count {
            return Some(format!(
                "it has {counted} inputs in its histogram, of {}",
                self.count
            ));
        }
        if self.misrounded > self.count {
            return Some(format!("{} are misrounded", self.misrounded));
        }
        if let Some(fault) = self.faults.iter().find(|f| f.count > self.count) {
            return Some(format!("{} are wrong special values", fault.count));
        }
        if sides.iter().any(|s| s.error_bits > self.max.error_bits) {
            return Some("the largest error has a larger one on one side".into());
        }
        let lost = |e: &Extreme| e.exists() != (e.error_bits > 0);
        if sides.iter().any(lost) || self.max.exists() != (counted > 0) {
            return Some(
                "there is an error without an input that has it, or the other way round".into(),
            );
        }
        None
    }

    /// The result of both sets of inputs. The operation is associative and commutative, so every partition gives the
    /// same result.
    #[must_use]
    pub fn merge(&self, other: &BlockResult) -> BlockResult {
        let mut faults = self.faults;
        for (a, b) in faults.iter_mut().zip(&other.faults) {
            *a = match (a.count, b.count) {
                (_, 0) => *a,
                (0, _) => *b,
                _ => Fault {
                    count: a.count + b.count,
                    first_key: a.first_key.min(b.first_key),
                },
            };
        }
        let mut histogram = self.histogram;
        for (a, b) in histogram.iter_mut().zip(&other.histogram) {
            *a += b;
        }
        BlockResult {
            count: self.count + other.count,
            max: self.max.or(other.max),
            max_positive: self.max_positive.or(other.max_positive),
            max_negative: self.max_negative.or(other.max_negative),
            misrounded: self.misrounded + other.misrounded,
            undecided: self.undecided + other.undecided,
            faults,
            digest: self.digest.wrapping_add(other.digest),
            histogram,
            fine: self.fine.merge(&other.fine),
        }
    }

    /// The names of the fields that differ between two results, one word each.
    #[must_use]
    pub fn differing_fields(&self, other: &BlockResult) -> Vec<&'static str> {
        let pairs = [
            ("count", self.count == other.count),
            ("maximum", self.max == other.max),
            ("largest positive", self.max_positive == other.max_positive),
            ("largest negative", self.max_negative == other.max_negative),
            ("misrounded", self.misrounded == other.misrounded),
            ("undecided", self.undecided == other.undecided),
            ("faults", self.faults == other.faults),
            ("histogram", self.histogram == other.histogram),
            ("digest", self.digest == other.digest),
            ("fine histogram", self.fine == other.fine),
        ];
        pairs
            .into_iter()
            .filter(|(_, same)| !same)
            .map(|(name, _)| name)
            .collect()
    }

    /// Converts a record to the result of its inputs. It does not verify the check in the record.
    #[must_use]
    pub fn of_record(record: &[u64]) -> BlockResult {
        let mut block = BlockResult::EMPTY;
        for (word, &value) in WORDS.iter().zip(record) {
            let key = value.cast_signed();
            match *word {
                Word::Count => block.count = value,
                Word::Extreme(e) => block.extreme(e).error_bits = value,
                Word::ExtremeKey(e) => block.extreme(e).key = key,
                Word::Flagged(reduction::MISROUNDED) => block.misrounded = value,
                Word::Flagged(reduction::UNDECIDED) => block.undecided = value,
                Word::Flagged(f) => block.fault(f).count = value,
                Word::FirstKey(f) => block.fault(f).first_key = key,
                Word::Digest => block.digest = value,
                Word::Check => {}
                Word::Bin(n) => block.histogram[n] = value,
            }
        }
        block
    }

    fn extreme(&mut self, which: reduction::Extreme) -> &mut Extreme {
        match which {
            reduction::Extreme::Either => &mut self.max,
            reduction::Extreme::Above => &mut self.max_positive,
            reduction::Extreme::Below => &mut self.max_negative,
        }
    }

    fn fault(&mut self, flag: reduction::Flag) -> &mut Fault {
        let place = reduction::FAULTS.iter().position(|f| *f == flag);
        &mut self.faults[place.expect("a flag of a fault")]
    }

    /// Adds one input: its signed error in ULP, histogram bin, flags and digest term from the metric kernel. The reduction of every backend
    /// gives this result, input by input in ascending keys; [`kernels_gen::reduction`] has its table.
    pub fn add(&mut self, key: i64, error: f64, bin: i64, flags: i64, digest_term: i64) {
        self.count += 1;
        self.digest = self.digest.wrapping_add(digest_term as u64);
        if flags & FLAG_MISROUNDED != 0 {
            self.misrounded += 1;
        }
        if flags & FLAG_UNDECIDED != 0 {
            self.undecided += 1;
        }
        for (f, flag) in self.faults.iter_mut().zip(reduction::FAULTS) {
            if flags & flag.bit().cast_signed() != 0 {
                f.first_key = if f.count == 0 {
                    key
                } else {
                    f.first_key.min(key)
                };
                f.count += 1;
            }
        }
        if flags & FLAG_EXCLUDED != 0 {
            return;
        }
        self.histogram[bin as usize & (BINS - 1)] += 1;
        let here = Extreme {
            error_bits: error.abs().to_bits(),
            key,
        };
        self.max = self.max.or(here);
        if error > 0.0 {
            self.max_positive = self.max_positive.or(here);
        }
        if error < 0.0 {
            self.max_negative = self.max_negative.or(here);
        }
    }
}

/// Flag bit of the metric kernels: misrounded, the result is not the reference rounded to nearest.
pub const FLAG_MISROUNDED: i64 = reduction::MISROUNDED.bit() as i64;
/// Flag bit: NaN against a number.
pub const FLAG_NAN: i64 = reduction::NAN.bit() as i64;
/// Flag bit: infinity against something else.
pub const FLAG_INFINITY: i64 = reduction::INFINITY.bit() as i64;
/// Flag bit: zeros of different sign.
pub const FLAG_ZERO_SIGN: i64 = reduction::ZERO_SIGN.bit() as i64;
/// Flag bit: no error is defined (NaN, an infinite reference, or a reference that is too coarse). The input is neither in the maximum nor in the
/// histogram.
pub const FLAG_EXCLUDED: i64 = reduction::EXCLUDED.bit() as i64;
/// Flag bit: undecided, the reference does not decide whether the result is right; see the module `builtins::ulp_error`.
pub const FLAG_UNDECIDED: i64 = reduction::UNDECIDED.bit() as i64;

/// A maximum with all values that are stored. They are recomputed from its key on one backend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worst {
    /// The routine's precision.
    pub precision: Precision,
    /// The input's key.
    pub key: i64,
    /// Error in ULP.
    pub error: f64,
    /// Bits of the result.
    pub result_bits: u64,
    /// The reference's words, `hi` and `lo` (for `f32` routines, `lo` is 0).
    pub reference: [f64; 2],
    /// The power of two by which both words are multiplied.
    pub scale: i64,
}

impl Worst {
    /// Whether every stored bit is equal. With `==`, a NaN reference would differ from itself.
    #[must_use]
    pub fn same(&self, other: &Worst) -> bool {
        let words = |w: &Worst| {
            (
                w.key,
                w.error.to_bits(),
                w.result_bits,
                w.reference.map(f64::to_bits),
                w.scale,
            )
        };
        words(self) == words(other)
    }
}

#[cfg(test)]
mod tests {
    use kernels_gen::reduction::{Measured, empty, join, of_one};

    use super::*;

    /// Adding input by input, and merging, give what the table defines.
    #[test]
    fn blocks_are_the_reduction_of_the_table() {
        let mut state = 5u64;
        let mut random = || {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            (state ^ state >> 29).wrapping_mul(0x9fb2_1c65_1e98_df25) ^ state >> 32
        };
        let (mut faults, mut ties) = (0, 0);
        for n in 0..2000 {
            let mut parts = [BlockResult::EMPTY; 2];
            let mut records = [empty(); 2];
            let first = random() as i64 >> 2;
            // Long ones have everything, short ones no faults, no errors, no inputs.
            for key in first..first + n % 23 {
                let measured = Measured {
                    key,
                    error: [0.0, -0.0, 0.5, -0.5, 3.0, -7.0, 7.0][random() as usize % 7],
                    bin: random() as i64 & 15,
                    flags: if n % 3 == 0 { 0 } else { random() & 63 },
                    digest_term: random(),
                };
                let part = random() as usize % 2;
                let Measured {
                    error,
                    bin,
                    flags,
                    digest_term,
                    ..
                } = measured;
                let (flags, term) = (flags.cast_signed(), digest_term.cast_signed());
                parts[part].add(key, error, bin, flags, term);
                records[part] = join(&records[part], &of_one(&measured));
            }
            for (part, record) in parts.iter().zip(&records) {
                assert_eq!(BlockResult::of_record(record), *part);
            }
            let (merged, joined) = (parts[0].merge(&parts[1]), join(&records[0], &records[1]));
            assert_eq!(BlockResult::of_record(&joined), merged);
            faults += usize::from(parts.iter().all(|p| p.faults.iter().all(|f| f.count > 0)));
            ties += usize::from(parts[0].max.error_bits == parts[1].max.error_bits);
        }
        assert!(faults > 100 && ties > 100, "{faults} {ties}");
    }
}
