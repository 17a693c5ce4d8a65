//! Decides which inputs' errors are not records, in binary32: the loop of a search for maxima
//! ([`Measure::Maxima`](crate::model::measure::Measure)) of routines whose references are one word.
//!
//! In binary32, a polynomial of the function like that of [`super::filter`] would hold for only a thousand inputs: neighbours are
//! 2^29 times as far apart. So the reference is evaluated at every input, as in a full search, and only the
//! metric is omitted: an error is compared with the records of either side.

use std::cell::RefCell;

use super::comparable::{OnLanes, Types};
use super::eval_chunk::{IsaLevel, variants};
use super::filter::Near;
use super::reduce::{CHUNK, Chunk, lanes, sum};
use super::width;
use crate::builtins::ulp_error::{
    KEY_FACTOR, RECORD_UNIT, error_beside_records_f32, ordinary_f32,
    subnormal_error_beside_records_f32,
};
use crate::isa::{Isa as _, Raw, Scalar, Tally, WithIsa};
use crate::kernel::LaneFn;
use crate::model::kernel_ref::{Decided, Records};
use crate::model::measure::digest_term_of_result;
use crate::types::{DcDouble, DcFloat, DcLong};

/// A chunk's results and references, and the records with which errors are compared.
pub struct Compare<'a> {
    /// Its columns.
    pub chunk: &'a Chunk,
    /// The first key.
    pub first: i64,
    /// The records.
    pub records: Records,
}

impl<I: Tally> WithIsa<I> for Compare<'_> {
    type Output = Near;
    #[inline(always)]
    fn call(self, isa: I) -> Near {
        // Neighbours are of one size, but for a chunk in thousands.
        let size = self.chunk.hi[0].abs();
        match size < f64::from(f32::MIN_POSITIVE) {
            false => self.compare(isa, error_beside_records_f32),
            true => self.compare(isa, subnormal_error_beside_records_f32),
        }
    }
}

/// What is needed of lanes to compare their errors with the records: see [`error_beside_records_f32`].
type Needed<I> = (DcDouble<Raw<I>>, DcLong<Raw<I>>, DcLong<Raw<I>>);

impl Compare<'_> {
    /// Errors are gathered, and compared at the end: two operations for both sides.
    #[inline(always)]
    fn compare<I: Tally>(
        self,
        isa: I,
        of: impl Fn(DcLong<Raw<I>>, DcFloat<Raw<I>>, DcDouble<Raw<I>>) -> Needed<I>,
    ) -> Near {
        const { assert!(CHUNK.is_multiple_of(I::LANES)) };
        let raw = Raw(isa);
        let zero = isa.splat_word(0);
        let (mut above, mut below) = (zero, zero);
        let (mut scales, mut errors, mut digest) = (zero, zero, zero);
        let mut weight = isa.mul_i64(isa.iota_i64(self.first), isa.splat_i64(KEY_FACTOR));
        let next = isa.splat_i64(KEY_FACTOR.wrapping_mul(I::LANES as i64));
        let mut at = 0;
        while at < CHUNK {
            let result = DcFloat::load(raw, &self.chunk.narrow[at..]);
            let reference = DcDouble::load(raw, &self.chunk.hi[at..]);
            let (error, scale, term) = of(DcLong::of(raw, weight), result, reference);
            above = isa.tally_max(above, error.v);
            below = isa.tally_min(below, error.v);
            errors = isa.tally_or(errors, error.to_bits().v);
            scales = isa.tally_or(scales, scale.v);
            digest = isa.tally_add(digest, term.v);
            weight = isa.add_i64(weight, next);
            at += I::LANES;
        }
        let longs = |word| DcLong::of(raw, isa.counted_on(word, 0));
        let ordinary = ordinary_f32(longs(scales), longs(errors));
        let unit = f64::from_bits(((1023 + RECORD_UNIT) as u64) << 52);
        let within = |errors, sign: f64, record: f64| {
            let sizes =
                lanes(isa, errors, 0).map(|bits| sign * f64::from_bits(bits.cast_unsigned()));
            sizes.into_iter().all(|size| size <= record * unit)
        };
        let numbers = isa.count(ordinary.v) as usize == I::LANES;
        let sides =
            within(above, 1.0, self.records.above) && within(below, -1.0, self.records.below);
        Near {
            all: numbers && sides,
            digest: sum(isa, digest),
        }
    }
}

/// Records that no number exceeds.
const ANY: Records = Records {
    above: f64::INFINITY,
    below: f64::INFINITY,
};

thread_local! {
    /// The columns, which are as large as a first-level cache: not made for each call.
    static COLUMNS: RefCell<Box<Chunk>> = RefCell::new(Chunk::new(0));
}

/// See [`DecideFn`](crate::model::kernel_ref::DecideFn).
///
/// # Panics
/// If the processor lacks the instruction set.
pub fn decide<A: LaneFn, R: LaneFn, L: IsaLevel>(
    first: i64,
    count: u64,
    records: Option<Records>,
) -> Decided
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    COLUMNS.with_borrow_mut(|chunk| {
        let eval_chunk = width::choose(variants::<A, R, L>(), chunk, first, count);
        let mut decided = Decided::default();
        while decided.inputs < count {
            let key = first.wrapping_add_unsigned(decided.inputs);
            let mut live = (count - decided.inputs).min(CHUNK as u64);
            if key < 0 {
                live = live.min(key.unsigned_abs());
            }
            // What is no whole chunk is left to the full search.
            if records.is_some() && live < CHUNK as u64 {
                break;
            }
            eval_chunk(chunk, key, live as usize);
            let whole = live == CHUNK as u64;
            let near = whole.then(|| {
                L::decide(Compare {
                    chunk,
                    first: key,
                    records: records.unwrap_or(ANY),
                })
            });
            let digest = match near {
                Some(near) if near.all => near.digest,
                _ if records.is_some() => break,
                // There may be NaNs.
                _ => digest_of(&chunk.narrow[..live as usize], key),
            };
            decided.digest = decided.digest.wrapping_add(digest);
            decided.inputs += live;
        }
        decided
    })
}

/// The digest of results at keys from `first` on, whose NaNs are made canonical.
fn digest_of(results: &[f32], first: i64) -> u64 {
    results
        .iter()
        .zip(0..)
        .map(|(&x, i)| {
            let [x] = Scalar::<1>::new().canonical_f32([x]);
            digest_term_of_result(first.wrapping_add(i), x.to_bits().into())
        })
        .fold(0, u64::wrapping_add)
}
