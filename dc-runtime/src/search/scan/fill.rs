//! One kernel on the keys of a chunk, at each width of register groups that it is compiled with.

use core::marker::PhantomData;

use super::pair::{Pair, Types};
use super::reduce::{CHUNK, Chunk};
use super::width::WIDTHS;
use crate::isa::{Avx2, Avx512, Isa, Scalar, Tally, WithIsa};
use crate::kernel::LaneFn;

/// An instruction set, and the widths of register groups in which a search uses it.
pub trait Level: 'static {
    /// For kernels: few registers a value.
    type Narrow: Isa;
    /// Twice as many.
    type Wide: Isa;
    /// For the metric.
    type Metric: Tally;
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

// LLVM makes vectors of a group of numbers, if it can; trying widths of them brought nothing.
impl Level for ScalarLevel {
    type Narrow = Scalar<4>;
    type Wide = Scalar<4>;
    type Metric = Scalar<4>;
}
impl Level for Avx2Level {
    type Narrow = Avx2<1>;
    type Wide = Avx2<2>;
    type Metric = Avx2<1>;
}
impl Level for Avx512Level {
    type Narrow = Avx512<1>;
    type Wide = Avx512<2>;
    type Metric = Avx512<1>;
}

/// Fills columns of a chunk for its first `live` keys, which are `first` and those that follow, all of one sign.
pub type Fill = fn(chunk: &mut Chunk, first: i64, live: usize);

/// The approximation's column, at each width.
pub fn results<A: LaneFn, R: LaneFn, L: Level>() -> [Fill; WIDTHS]
where
    (Types<A>, Types<R>): Pair<A, R>,
{
    [
        fill::<Results<A, R>, L::Narrow>,
        fill::<Results<A, R>, L::Wide>,
    ]
}

/// The reference's two columns, at each width.
pub fn references<A: LaneFn, R: LaneFn, L: Level>() -> [Fill; WIDTHS]
where
    (Types<A>, Types<R>): Pair<A, R>,
{
    [
        fill::<References<A, R>, L::Narrow>,
        fill::<References<A, R>, L::Wide>,
    ]
}

fn fill<K: Kernel, I: Isa>(chunk: &mut Chunk, first: i64, live: usize) {
    let isa = I::detect().unwrap_or_else(|| panic!("{} is not on this processor", I::NAME));
    isa.run(Pass::<K> {
        chunk,
        first,
        live,
        kernel: PhantomData,
    });
}

/// What a pass evaluates and where it stores it.
trait Kernel {
    /// For lanes of keys from `key` on, all of one sign.
    fn at<I: Isa>(isa: I, key: i64, chunk: &mut Chunk, at: usize);
}

enum Results<A, R> {
    #[expect(dead_code, reason = "only a name for two types")]
    Of(core::convert::Infallible, PhantomData<(A, R)>),
}

enum References<A, R> {
    #[expect(dead_code, reason = "only a name for two types")]
    Of(core::convert::Infallible, PhantomData<(A, R)>),
}

impl<A: LaneFn, R: LaneFn> Kernel for Results<A, R>
where
    (Types<A>, Types<R>): Pair<A, R>,
{
    #[inline(always)]
    fn at<I: Isa>(isa: I, key: i64, chunk: &mut Chunk, at: usize) {
        <(Types<A>, Types<R>) as Pair<A, R>>::result::<I>(isa, key, chunk, at);
    }
}

impl<A: LaneFn, R: LaneFn> Kernel for References<A, R>
where
    (Types<A>, Types<R>): Pair<A, R>,
{
    #[inline(always)]
    fn at<I: Isa>(isa: I, key: i64, chunk: &mut Chunk, at: usize) {
        <(Types<A>, Types<R>) as Pair<A, R>>::reference::<I>(isa, key, chunk, at);
    }
}

struct Pass<'a, K> {
    chunk: &'a mut Chunk,
    first: i64,
    live: usize,
    kernel: PhantomData<K>,
}

impl<K: Kernel, I: Isa> WithIsa<I> for Pass<'_, K> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        const { assert!(CHUNK.is_multiple_of(I::LANES)) };
        let mut at = 0;
        while at < self.live {
            // Keys that run over into the other sign are of lanes that do not count.
            K::at(isa, self.first.wrapping_add(at as i64), self.chunk, at);
            at += I::LANES;
        }
    }
}
