//! The reduction of a search's inputs: the words of a record, how an input changes each of them, and how two records are joined.
//!
//! This table is the only list of them. The search loops of all backends are made from it: the texts of `emit/` iterate over it, and
//! `dc-runtime` takes flags, bins and the order of words from it. Loops may implement it differently (with counters in lanes, in nibbles or
//! in shared memory, with a branch or a mask), but all give the result that [`of_one`] and [`join`] define. Tests compare them with these
//! functions.

/// A bit in the metric's findings about an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// Its name in records.
    pub name: &'static str,
    /// Its place.
    pub shift: u32,
}

impl Flag {
    const fn new(name: &'static str, shift: u32) -> Flag {
        Flag { name, shift }
    }

    /// The bit at its place.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.shift
    }
}

/// The result is not the reference rounded to nearest.
pub const MISROUNDED: Flag = Flag::new("misrounded", 0);
/// NaN against a number.
pub const NAN: Flag = Flag::new("nan", 1);
/// Infinity against something else.
pub const INFINITY: Flag = Flag::new("infinity", 2);
/// Zeros of different sign.
pub const ZERO_SIGN: Flag = Flag::new("zero_sign", 3);
/// No error is defined. The input is in neither the extremes nor the histogram.
pub const EXCLUDED: Flag = Flag::new("excluded", 4);
/// The reference cannot decide whether the result is right.
pub const UNDECIDED: Flag = Flag::new("undecided", 5);

/// The scale for the metric if an `F64` reference has one word, and so no second word to lose.
pub const ONE_WORD: i64 = i64::MIN;

/// Flags whose inputs are only counted.
pub const COUNTED: [Flag; 2] = [MISROUNDED, UNDECIDED];
/// Flags whose inputs are counted, and whose first key is kept.
pub const FAULTS: [Flag; 3] = [NAN, INFINITY, ZERO_SIGN];

/// A value whose largest occurrence is kept, with the first key at which it occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    /// The error without its sign. An error of 0 counts if there is no other.
    Either,
    /// The error, if the result is above the reference.
    Above,
    /// The negated error, if the result is below the reference.
    Below,
}

impl Extreme {
    /// All extremes.
    pub const ALL: [Extreme; 3] = [Extreme::Either, Extreme::Above, Extreme::Below];

    /// The name of its word in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Extreme::Either => "max_error",
            Extreme::Above => "max_positive",
            Extreme::Below => "max_negative",
        }
    }

    /// The name of its key in records.
    #[must_use]
    pub const fn key_name(self) -> &'static str {
        match self {
            Extreme::Either => "max_key",
            Extreme::Above => "max_positive_key",
            Extreme::Below => "max_negative_key",
        }
    }

    /// The value of an input for this extreme.
    #[must_use]
    pub fn of(self, error: f64) -> f64 {
        match self {
            Extreme::Either => error.abs(),
            Extreme::Above => error,
            Extreme::Below => -error,
        }
    }
}

/// The key of an extreme that no input has: the largest `i64`.
pub const NO_KEY: i64 = i64::MAX;

/// Bins of the histogram: quarters of an ULP below 2, then octaves.
pub const BINS: usize = 16;
/// The bin of an error of one half. Unless something else is special, inputs in this bin and above are misrounded.
pub const HALF_BIN: usize = 2;

/// A word of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Inputs.
    Count,
    /// The bits of an extreme, never negative; 0 if there is none.
    Extreme(Extreme),
    /// The first key at which it occurs, or [`NO_KEY`].
    ExtremeKey(Extreme),
    /// Inputs with a flag.
    Flagged(Flag),
    /// The first key with it; 0 if there is none.
    FirstKey(Flag),
    /// The sum of the digest terms, wrapping.
    Digest,
    /// The record's check; see [`crate::emit::check`].
    Check,
    /// Inputs in a bin.
    Bin(usize),
}

/// The words of a record, in order.
pub const WORDS: [Word; 17 + BINS] = {
    use Word::{Bin, Check, Count, Digest, ExtremeKey, FirstKey, Flagged};
    let mut words = [Count; 17 + BINS];
    let mut i = 0;
    while i < Extreme::ALL.len() {
        words[1 + 2 * i] = Word::Extreme(Extreme::ALL[i]);
        words[2 + 2 * i] = ExtremeKey(Extreme::ALL[i]);
        i += 1;
    }
    words[7] = Flagged(COUNTED[0]);
    words[8] = Flagged(COUNTED[1]);
    i = 0;
    while i < FAULTS.len() {
        words[9 + 2 * i] = Flagged(FAULTS[i]);
        words[10 + 2 * i] = FirstKey(FAULTS[i]);
        i += 1;
    }
    words[15] = Digest;
    words[16] = Check;
    i = 0;
    while i < BINS {
        words[17 + i] = Bin(i);
        i += 1;
    }
    words
};

/// An input as the metric measured it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Its key.
    pub key: i64,
    /// Signed error in ULP.
    pub error: f64,
    /// Bin of the histogram.
    pub bin: i64,
    /// [`Flag`]s.
    pub flags: u64,
    /// Its digest term.
    pub digest_term: u64,
}

impl Measured {
    /// Whether it has a flag.
    #[must_use]
    pub const fn has(&self, flag: Flag) -> bool {
        self.flags & flag.bit() != 0
    }
}

/// How a word of a joined record is computed from those of the two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    /// The sum, wrapping.
    Sum,
    /// The larger.
    Larger,
    /// The key that belongs to the larger of the preceding words. If these are equal, the first key.
    OfLarger,
    /// The first key among those whose preceding word is not 0.
    First,
    /// None of these: it is computed from the joined record.
    Recomputed,
}

impl Word {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        const BIN_NAMES: [&str; BINS] = [
            "bin0", "bin1", "bin2", "bin3", "bin4", "bin5", "bin6", "bin7", "bin8", "bin9",
            "bin10", "bin11", "bin12", "bin13", "bin14", "bin15",
        ];
        match self {
            Word::Count => "count",
            Word::Extreme(e) => e.name(),
            Word::ExtremeKey(e) => e.key_name(),
            Word::Flagged(f) => f.name,
            Word::FirstKey(f) => match f.shift {
                1 => "nan_key",
                2 => "infinity_key",
                _ => "zero_sign_key",
            },
            Word::Digest => "digest",
            Word::Check => "check",
            Word::Bin(n) => BIN_NAMES[n],
        }
    }

    /// Its place in a record.
    #[must_use]
    pub fn place(self) -> usize {
        WORDS.iter().position(|w| *w == self).unwrap_or(WORDS.len())
    }

    /// Its value before the first input.
    #[must_use]
    pub const fn empty(self) -> u64 {
        match self {
            Word::ExtremeKey(_) => NO_KEY as u64,
            _ => 0,
        }
    }

    /// How this word of two records is joined.
    #[must_use]
    pub const fn joined(self) -> Join {
        match self {
            Word::Extreme(_) => Join::Larger,
            Word::ExtremeKey(_) => Join::OfLarger,
            Word::FirstKey(_) => Join::First,
            Word::Check => Join::Recomputed,
            Word::Count | Word::Flagged(_) | Word::Digest | Word::Bin(_) => Join::Sum,
        }
    }

    /// The word in a record of one input. Joined one by one, in any order, such records give the record of all inputs.
    #[must_use]
    pub fn of_one(self, input: &Measured) -> u64 {
        let counted = !input.has(EXCLUDED);
        let attained = |e: Extreme| {
            let value = e.of(input.error);
            counted && (value > 0.0 || e == Extreme::Either)
        };
        match self {
            Word::Count => 1,
            Word::Extreme(e) if attained(e) => e.of(input.error).to_bits(),
            Word::ExtremeKey(e) if attained(e) => input.key.cast_unsigned(),
            Word::Flagged(f) => input.flags >> f.shift & 1,
            Word::FirstKey(f) if input.has(f) => input.key.cast_unsigned(),
            Word::Digest => input.digest_term,
            Word::Bin(n) => u64::from(counted && input.bin & 15 == n as i64),
            _ => self.empty(),
        }
    }
}

/// The record of no inputs.
#[must_use]
pub fn empty() -> [u64; WORDS.len()] {
    WORDS.map(Word::empty)
}

/// The record of one input.
#[must_use]
pub fn of_one(input: &Measured) -> [u64; WORDS.len()] {
    WORDS.map(|word| word.of_one(input))
}

/// The record of the inputs of both records, without a check.
#[must_use]
pub fn join(a: &[u64; WORDS.len()], b: &[u64; WORDS.len()]) -> [u64; WORDS.len()] {
    core::array::from_fn(|i| {
        let (x, y) = (a[i], b[i]);
        let first = || x.cast_signed().min(y.cast_signed()).cast_unsigned();
        // What a key goes with stands before it.
        let with = || (a[i - 1], b[i - 1]);
        match WORDS[i].joined() {
            Join::Sum => x.wrapping_add(y),
            Join::Larger => x.max(y),
            Join::OfLarger => match with() {
                (m, n) if m > n => x,
                (m, n) if m < n => y,
                _ => first(),
            },
            Join::First => match with() {
                (_, 0) => x,
                (0, _) => y,
                _ => first(),
            },
            Join::Recomputed => 0,
        }
    })
}
