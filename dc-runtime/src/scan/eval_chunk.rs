//! Evaluation of a sweep's kernels on the keys of a chunk, at each width of register groups for which they are
//! compiled.
//!
//! Routine and reference are evaluated in one pass. Two passes, each with a separate width, were 1.5 and 2 % faster for `exp` and the
//! logarithm's polynomial on Zen 3, but 4 and 8 % slower for the short reciprocals.

use core::marker::PhantomData;

use super::comparable::{OnLanes, Types};
use super::compare::Compare;
use super::filter::{Filter, Near};
use super::reduce::{CHUNK, Chunk, Reduce};
use super::width::WIDTHS;
use crate::isa::sets::for_each_isa;
use crate::isa::{Isa, Tally, WithIsa};
use crate::kernel::LaneFn;

/// An instruction set, and the widths of register groups in which a search uses it.
pub trait IsaLevel: 'static {
    /// The narrow width for kernels: few registers per value.
    type Narrow: Tally;
    /// Twice that width.
    type Wide: Tally;
    /// Computes the metric and reduces.
    fn reduce(work: Reduce<'_>);
    /// Compares results with a polynomial of the function.
    fn filter(work: Filter<'_>) -> Near;
    /// Compares errors in binary32 with records.
    fn decide(work: Compare<'_>) -> Near;
}

/// The levels, one for each instruction set.
pub mod levels {
    use super::{Compare, Filter, IsaLevel, Near, Reduce, detected, for_each_isa};
    use crate::isa::Isa as _;

    macro_rules! levels {
        ($({
            $field:ident $token:ident $level:ident $map:ident $name:literal $features:tt
            points $points:literal map $wide:literal search $narrow_units:literal $wide_units:literal $metric_units:literal
            $($more:tt)*
        })+) => {$(
            #[doc = $name]
            #[derive(Debug)]
            pub enum $level {}

            impl IsaLevel for $level {
                type Narrow = crate::isa::$token<$narrow_units>;
                type Wide = crate::isa::$token<$wide_units>;
                // It uses no type of a sweep, so it is compiled once, with this crate.
                fn reduce(work: Reduce<'_>) {
                    detected::<crate::isa::$token<$metric_units>>().run(work);
                }
                // Likewise.
                fn filter(work: Filter<'_>) -> Near {
                    detected::<crate::isa::$token<$wide_units>>().run(work)
                }
                // Likewise.
                fn decide(work: Compare<'_>) -> Near {
                    detected::<crate::isa::$token<$wide_units>>().run(work)
                }
            }
        )+};
    }
    // Plain Rust has one width: LLVM vectorizes a group of numbers if it can; other widths were not faster.
    for_each_isa!([levels!]);
}

/// Fills the columns of a chunk for its first `live` keys: `first` and the keys after it, all of one sign.
pub type EvalChunk = fn(chunk: &mut Chunk, first: i64, live: usize);

/// A sweep's kernels, at each width.
pub fn variants<A: LaneFn, R: LaneFn, L: IsaLevel>() -> [EvalChunk; WIDTHS]
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    [eval_chunk::<A, R, L::Narrow>, eval_chunk::<A, R, L::Wide>]
}

/// The token. Panics if the processor lacks the instruction set.
pub(super) fn detected<I: Isa>() -> I {
    I::detect().unwrap_or_else(|| panic!("{} is not on this processor", I::NAME))
}

/// See [`EvalChunk`].
///
/// # Panics
/// If the processor lacks `I`.
pub fn eval_chunk<A: LaneFn, R: LaneFn, I: Tally>(chunk: &mut Chunk, first: i64, live: usize)
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    detected::<I>().run(Pass::<A, R> {
        chunk,
        first,
        live,
        kernels: PhantomData,
    });
}

struct Pass<'a, A, R> {
    chunk: &'a mut Chunk,
    first: i64,
    live: usize,
    kernels: PhantomData<(A, R)>,
}

impl<A: LaneFn, R: LaneFn, I: Tally> WithIsa<I> for Pass<'_, A, R>
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        const { assert!(CHUNK.is_multiple_of(I::LANES)) };
        if self.chunk.scaled {
            // The scales of the previous chunk.
            self.chunk.scale.fill(0);
            self.chunk.scaled = false;
        }
        let mut at = 0;
        while at < self.live {
            // Keys that run over into the other sign belong to lanes that do not count.
            let key = self.first.wrapping_add(at as i64);
            <(Types<A>, Types<R>) as OnLanes<A, R>>::eval_chunk::<I>(isa, key, self.chunk, at);
            at += I::LANES;
        }
    }
}
