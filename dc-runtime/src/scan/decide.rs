//! Decides which inputs' errors are not records, in binary32. This is the loop of a search for maxima
//! ([`Measure::Maxima`](crate::model::measure::Measure)) of routines whose references have one word.
//!
//! In binary32, a polynomial of the function like that of [`super::filter`] would hold for only a thousand inputs: neighbours are 2^29
//! times as far apart. So the reference is evaluated at every input, as in a full search, and only the metric is omitted. An error is
//! compared with the records of both sides.

use std::cell::RefCell;

use super::comparable::{OnLanes, Types};
use super::compare::Compare;
use super::eval_chunk::{IsaLevel, variants};
use super::reduce::{CHUNK, Chunk};
use super::width;
use crate::isa::{Isa as _, Scalar};
use crate::kernel::LaneFn;
use crate::model::kernel_ref::{Decided, Records};
use crate::model::measure::digest_term_of_result;

/// Records that no number exceeds.
const ANY: Records = Records {
    above: f64::INFINITY,
    below: f64::INFINITY,
};

thread_local! {
    /// The columns. They are as large as a first-level cache, so they are not allocated for each call.
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
            // An incomplete chunk is left to the full search.
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
