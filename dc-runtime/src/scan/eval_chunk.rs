//! Evaluation of a sweep's kernels on the keys of a chunk, at each width of register groups for which they are
//! compiled.
//!
//! Routine and reference are evaluated in one pass: two passes, each with a width of its own, were 1.5 and 2 % faster
//! for `exp` and the logarithm's polynomial on Zen 3, but 4 and 8 % slower for the short reciprocals.

use core::marker::PhantomData;

use super::comparable::{OnLanes, Types};
use super::reduce::{CHUNK, Chunk, Reduce};
use super::width::WIDTHS;
use crate::isa::{Avx2, Avx512, Isa, Scalar, Tally, WithIsa};
use crate::kernel::LaneFn;

/// An instruction set, and the widths of register groups in which a search uses it.
pub trait IsaLevel: 'static {
    /// The narrow width for kernels: few registers per value.
    type Narrow: Tally;
    /// Twice that width.
    type Wide: Tally;
    /// Computes the metric and reduces.
    fn reduce(work: Reduce<'_>);
}

/// A level: the widths for kernels, and the width for the metric.
macro_rules! level {
    ($level:ident: $narrow:ty, $wide:ty; $metric:ty) => {
        impl IsaLevel for $level {
            type Narrow = $narrow;
            type Wide = $wide;
            // It uses no type of a sweep, so it is compiled once, with this crate.
            fn reduce(work: Reduce<'_>) {
                detected::<$metric>().run(work);
            }
        }
    };
}

/// Plain Rust.
#[derive(Debug)]
pub enum ScalarLevel {}
/// AVX2: 16 registers.
#[derive(Debug)]
pub enum Avx2Level {}
/// AVX-512: 32 registers.
#[derive(Debug)]
pub enum Avx512Level {}

// LLVM vectorizes a group of numbers if it can; other widths were not faster.
level!(ScalarLevel: Scalar<4>, Scalar<4>; Scalar<4>);
level!(Avx2Level: Avx2<1>, Avx2<2>; Avx2<1>);
level!(Avx512Level: Avx512<1>, Avx512<2>; Avx512<1>);

/// Fills columns of a chunk for its first `live` keys, which are `first` and those that follow, all of one sign.
pub type EvalChunk = fn(chunk: &mut Chunk, first: i64, live: usize);

/// A sweep's kernels, at each width.
pub fn variants<A: LaneFn, R: LaneFn, L: IsaLevel>() -> [EvalChunk; WIDTHS]
where
    (Types<A>, Types<R>): OnLanes<A, R>,
{
    [eval_chunk::<A, R, L::Narrow>, eval_chunk::<A, R, L::Wide>]
}

/// The token; panics where the processor lacks the instruction set.
fn detected<I: Isa>() -> I {
    I::detect().unwrap_or_else(|| panic!("{} is not on this processor", I::NAME))
}

/// See [`EvalChunk`].
///
/// # Panics
/// When the processor lacks `I`.
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
