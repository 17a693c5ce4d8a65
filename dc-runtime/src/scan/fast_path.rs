//! The metric's fast path on columns: its short form, which other backends have as text (`short_form_f64`, `short_form_f32`).
//!
//! The end of a chunk decides whether the short form holds. The deciding values are collected, with one or two operations per input. If the
//! form does not hold, all verdicts of the chunk are discarded. NaNs are not made canonical ([`Raw`]): if an operand is a NaN, so is the
//! error, and the short form does not hold.

use super::reduce::Chunk;
use crate::builtins::ulp_error::{
    short_form_f32, short_form_f64, short_form_holds_f32, short_form_holds_f64,
};
use crate::isa::{Isa, Raw, Tally};
use crate::types::{DcDouble, DcDoubleDouble, DcFloat, DcLong};

/// The short form's results for lanes.
pub struct Verdict<I: Isa> {
    /// Signed error in ULP.
    pub error: I::F64,
    /// Histogram bin in the low 32 bits: from `HALF_BIN` on, the result is misrounded.
    pub bin: I::I64,
    /// The sum of the inputs' digest terms.
    pub digest_term: I::I64,
}

/// A metric of one precision.
pub trait FastPath<I: Tally> {
    /// The state before the first input.
    fn new(isa: I) -> Self;
    /// The verdicts on the lanes of a chunk from `at` on. `weight` is their keys times the digest's factor.
    fn verdict(&mut self, isa: I, weight: I::I64, chunk: &Chunk, at: usize) -> Verdict<I>;
    /// Whether all verdicts equal those of the metric kernel.
    fn applies(&self, isa: I) -> bool;
}

/// The deciding values of either precision, for all inputs so far.
struct Seen<I: Tally> {
    /// The bins, joined by "or".
    bins: I::Word,
    /// The distance of the nearest error from one half.
    beside_half: I::Word,
}

impl<I: Tally> Seen<I> {
    #[inline(always)]
    fn new(isa: I) -> Self {
        Seen {
            bins: isa.splat_word(0),
            beside_half: word(isa, 1.0),
        }
    }

    #[inline(always)]
    fn take(&mut self, isa: I, bin: I::I64, beyond_half: I::F64) {
        self.bins = isa.tally_or(self.bins, bin);
        self.beside_half = isa.tally_min(self.beside_half, isa.abs_f64(beyond_half));
    }
}

/// A word with this number in each lane.
#[inline(always)]
fn word<I: Tally>(isa: I, x: f64) -> I::Word {
    isa.splat_word(x.to_bits().cast_signed())
}

/// A group in which each register is this word.
#[inline(always)]
fn longs<I: Tally>(isa: I, word: I::Word) -> DcLong<Raw<I>> {
    DcLong::of(Raw(isa), isa.counted_on(word, 0))
}

/// The same for a word of numbers.
#[inline(always)]
fn doubles<I: Tally>(isa: I, word: I::Word) -> DcDouble<Raw<I>> {
    DcDouble::of(Raw(isa), isa.f64_from_bits(isa.counted_on(word, 0)))
}

/// Results in binary64.
pub struct Binary64<I: Tally> {
    seen: Seen<I>,
    least_factor: I::Word,
}

impl<I: Tally> FastPath<I> for Binary64<I> {
    #[inline(always)]
    fn new(isa: I) -> Self {
        Binary64 {
            seen: Seen::new(isa),
            least_factor: word(isa, 1.0),
        }
    }

    #[inline(always)]
    fn verdict(&mut self, isa: I, weight: I::I64, chunk: &Chunk, at: usize) -> Verdict<I> {
        let raw = Raw(isa);
        let result = DcDouble::load(raw, &chunk.result[at..]);
        let hi = DcDouble::load(raw, &chunk.hi[at..]);
        let lo = DcDouble::load(raw, &chunk.lo[at..]);
        let reference = DcDoubleDouble::new(hi, lo);
        let (error, bin, digest_term, beyond_half, factor) =
            short_form_f64(DcLong::of(raw, weight), result, reference);
        self.seen.take(isa, bin.v, beyond_half.v);
        self.least_factor = isa.tally_min(self.least_factor, factor.v);
        Verdict {
            error: error.v,
            bin: bin.v,
            digest_term: digest_term.v,
        }
    }

    #[inline(always)]
    fn applies(&self, isa: I) -> bool {
        let holds = short_form_holds_f64(
            longs(isa, self.seen.bins),
            doubles(isa, self.seen.beside_half),
            doubles(isa, self.least_factor),
        );
        isa.count(holds.v) as usize == I::LANES
    }
}

/// Results in binary32.
pub struct Binary32<I: Tally> {
    seen: Seen<I>,
    /// The least and the largest magnitude of a reference.
    least: I::Word,
    largest: I::Word,
}

impl<I: Tally> FastPath<I> for Binary32<I> {
    #[inline(always)]
    fn new(isa: I) -> Self {
        Binary32 {
            seen: Seen::new(isa),
            least: word(isa, f64::INFINITY),
            largest: word(isa, 0.0),
        }
    }

    #[inline(always)]
    fn verdict(&mut self, isa: I, weight: I::I64, chunk: &Chunk, at: usize) -> Verdict<I> {
        let raw = Raw(isa);
        let result = DcFloat::load(raw, &chunk.narrow[at..]);
        let reference = DcDouble::load(raw, &chunk.hi[at..]);
        let (error, bin, digest_term, beyond_half, size) =
            short_form_f32(DcLong::of(raw, weight), result, reference);
        self.seen.take(isa, bin.v, beyond_half.v);
        self.least = isa.tally_min(self.least, size.v);
        self.largest = isa.tally_max(self.largest, size.v);
        Verdict {
            error: error.v,
            bin: bin.v,
            digest_term: digest_term.v,
        }
    }

    #[inline(always)]
    fn applies(&self, isa: I) -> bool {
        let holds = short_form_holds_f32(
            longs(isa, self.seen.bins),
            doubles(isa, self.seen.beside_half),
            doubles(isa, self.least),
            doubles(isa, self.largest),
        );
        isa.count(holds.v) as usize == I::LANES
    }
}
