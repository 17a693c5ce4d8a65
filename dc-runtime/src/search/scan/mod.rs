//! The search loop of the CPU backends: every key of a stretch through approximation, reference and judge, and the
//! verdicts reduced as [`BlockResult::add`] does, but lane by lane.
//!
//! Keys ascend, so an extreme is kept by its first key with strict comparisons. The loop works in chunks of vectors:
//!
//! * In a chunk, the largest and smallest error are kept per lane and the errors stored (they stay in the first-level
//!   cache). Only when a chunk beats what is known are its errors looked through for the key.
//! * The histogram is counted in nibbles: lane `l` adds `1 << 4 * bin`, so that 15 vectors cannot overflow a counter;
//!   then nibbles are added to bytes, and bytes to words at every 16th such addition.
//! * A chunk with a fault (NaN against a number, …), or one that is too short to fill its vectors, is judged again
//!   with all verdicts stored and goes through [`BlockResult::add`] input by input. Faults are rare, and where they
//!   are not, a routine is wrong in a way that makes its speed a minor concern.

mod pair;
#[cfg(test)]
mod tests;

pub use pair::{Pair, Types, Verdict};

use core::marker::PhantomData;

use super::block::{
    BINS, BlockResult, Extreme, FLAG_EXCLUDED, FLAG_INFINITY, FLAG_MISROUNDED, FLAG_NAN,
    FLAG_ZERO_SIGN,
};
use crate::isa::{Isa, WithIsa};
use crate::kernel::{LaneFn, MAX_LANES};

/// Vectors until a nibble could overflow.
const NIBBLE: usize = 15;
/// Additions of nibbles in a chunk.
const FOLDS: usize = 4;
/// Vectors a chunk.
const CHUNK: usize = NIBBLE * FOLDS;
/// Chunks until a byte could overflow.
const FLUSH: usize = 255 / CHUNK;

/// The search over `count` keys from `first` on.
pub(crate) struct Scan<A, R> {
    first: i64,
    count: u64,
    kernels: PhantomData<(A, R)>,
}

/// Searches `count` keys from `first` on with instruction set `I`.
///
/// # Panics
/// When the processor lacks `I`.
pub fn scan<A: LaneFn, R: LaneFn, I: Isa>(first: i64, count: u64) -> BlockResult
where
    (Types<A>, Types<R>): Pair<A, R>,
{
    let isa = I::detect().unwrap_or_else(|| panic!("{} is not on this processor", I::NAME));
    isa.run(Scan::<A, R> {
        first,
        count,
        kernels: PhantomData,
    })
}

impl<A: LaneFn, R: LaneFn, I: Isa> WithIsa<I> for Scan<A, R>
where
    (Types<A>, Types<R>): Pair<A, R>,
{
    type Output = BlockResult;
    #[inline(always)]
    fn call(self, isa: I) -> BlockResult {
        let mut state = State::new(isa);
        let mut chunk = Chunk::new();
        let (mut first, mut left) = (self.first, self.count);
        let mut again = false;
        while left > 0 {
            // All keys of a chunk are of one sign.
            let negative = first >> 63;
            let here = if negative == 0 {
                left
            } else {
                left.min(first.unsigned_abs())
            };
            let lanes = I::LANES as u64;
            let vectors = (here / lanes).min(CHUNK as u64) as usize;
            let short = vectors < CHUNK;
            // A short one is at most a chunk's inputs; its last vector may have lanes past the end.
            let (vectors, live) = if short {
                let live = here.min(CHUNK as u64 * lanes);
                (live.div_ceil(lanes) as usize, live as usize)
            } else {
                (CHUNK, CHUNK * I::LANES)
            };
            let by_one = short || again;
            let before = state;
            state.begin_chunk(isa);
            let mut at = 0;
            while at < vectors {
                let until = vectors.min(at + NIBBLE);
                let mut nibbles = isa.splat_i64(0);
                while at < until {
                    let keys = isa.iota_i64(first.wrapping_add((at * I::LANES) as i64));
                    let v = <(Types<A>, Types<R>) as Pair<A, R>>::judge::<I>(isa, keys, negative);
                    let place = at * I::LANES;
                    isa.store_f64(v.error, &mut chunk.errors[place..]);
                    if by_one {
                        isa.store_i64(v.bin, &mut chunk.bins[place..]);
                        isa.store_i64(v.flags, &mut chunk.flags[place..]);
                        isa.store_i64(v.mix, &mut chunk.mixes[place..]);
                    }
                    nibbles = state.add(isa, nibbles, v);
                    at += 1;
                }
                state.fold(isa, nibbles);
            }
            if by_one {
                state = before;
                state.flush(isa);
                chunk.add_to(&mut state.total, first, live);
                again = false;
            } else if state.end_chunk(isa, &before, &chunk.errors[..live], first) {
                again = false;
            } else {
                // The same chunk once more.
                state = before;
                again = true;
                continue;
            }
            first = first.wrapping_add(live as i64);
            left -= live as u64;
        }
        state.finish(isa)
    }
}

/// The verdicts of a chunk.
struct Chunk {
    errors: Vec<f64>,
    bins: Vec<i64>,
    flags: Vec<i64>,
    mixes: Vec<i64>,
}

impl Chunk {
    fn new() -> Self {
        let n = CHUNK * MAX_LANES;
        Chunk {
            errors: vec![0.0; n],
            bins: vec![0; n],
            flags: vec![0; n],
            mixes: vec![0; n],
        }
    }
    fn add_to(&self, total: &mut BlockResult, first: i64, live: usize) {
        for i in 0..live {
            total.add(
                first + i as i64,
                self.errors[i],
                self.bins[i],
                self.flags[i],
                self.mixes[i],
            );
        }
    }
}

/// What is known so far: `total`, and beside it what is still in lanes.
#[derive(Clone, Copy)]
struct State<I: Isa> {
    total: BlockResult,
    /// Sums a lane.
    misrounded: I::I64,
    excluded: I::I64,
    digest: I::I64,
    /// Histogram in bytes: the even bins and the odd ones.
    even: I::I64,
    odd: I::I64,
    /// Chunks in the bytes.
    chunks: usize,
    /// Of the chunk at hand.
    largest: I::F64,
    smallest: I::F64,
    flags: I::I64,
}

impl<I: Isa> State<I> {
    #[inline(always)]
    fn new(isa: I) -> Self {
        let zero = isa.splat_i64(0);
        let none = isa.splat_f64(0.0);
        State {
            total: BlockResult::EMPTY,
            misrounded: zero,
            excluded: zero,
            digest: zero,
            even: zero,
            odd: zero,
            chunks: 0,
            largest: none,
            smallest: none,
            flags: zero,
        }
    }

    #[inline(always)]
    fn begin_chunk(&mut self, isa: I) {
        self.largest = isa.splat_f64(0.0);
        self.smallest = isa.splat_f64(0.0);
        self.flags = isa.splat_i64(0);
    }

    /// Adds a vector of verdicts; gives the nibbles of the histogram.
    #[inline(always)]
    fn add(&mut self, isa: I, nibbles: I::I64, v: Verdict<I>) -> I::I64 {
        const { assert!(FLAG_MISROUNDED == 1 && FLAG_EXCLUDED == 16 && BINS == 16) };
        self.largest = isa.max_f64(v.error, self.largest);
        self.smallest = isa.min_f64(v.error, self.smallest);
        let one = isa.splat_i64(1);
        self.flags = isa.or_i64(self.flags, v.flags);
        self.misrounded = isa.add_i64(self.misrounded, isa.and_i64(v.flags, one));
        let excluded = isa.shr_logical_i64(v.flags, isa.splat_i64(4));
        self.excluded = isa.add_i64(self.excluded, excluded);
        self.digest = isa.add_i64(self.digest, v.mix);
        let place = isa.shl_i64(v.bin, isa.splat_i64(2));
        isa.add_i64(nibbles, isa.shl_i64(one, place))
    }

    /// Adds nibbles to the bytes.
    #[inline(always)]
    fn fold(&mut self, isa: I, nibbles: I::I64) {
        let low = isa.splat_i64(0x0f0f_0f0f_0f0f_0f0f);
        let high = isa.shr_logical_i64(nibbles, isa.splat_i64(4));
        self.even = isa.add_i64(self.even, isa.and_i64(nibbles, low));
        self.odd = isa.add_i64(self.odd, isa.and_i64(high, low));
    }

    /// Takes the chunk's extremes in; `false` where it must be judged input by input.
    #[inline(always)]
    fn end_chunk(&mut self, isa: I, before: &Self, errors: &[f64], first: i64) -> bool {
        let faults = isa.splat_i64(FLAG_NAN | FLAG_INFINITY | FLAG_ZERO_SIGN);
        let faults = isa.and_i64(self.flags, faults);
        let any_fault = isa.not_mask(isa.eq_i64(faults, isa.splat_i64(0)));
        if isa.any(any_fault) {
            return false;
        }
        if !self.total.max.exists() {
            let new = isa.sub_i64(self.excluded, before.excluded);
            let all = isa.eq_i64(new, isa.splat_i64(CHUNK as i64));
            let none = isa.eq_i64(new, isa.splat_i64(0));
            if isa.count(none) as usize == I::LANES {
                self.total.max.key = first;
            } else if isa.count(all) as usize != I::LANES {
                return false;
            }
        }
        let positive = isa.splat_f64(self.total.max_positive.error());
        let negative = isa.splat_f64(-self.total.max_negative.error());
        if isa.any(isa.lt_f64(positive, self.largest)) {
            raise(&mut self.total.max_positive, errors, first, |e| e);
            self.total.max = self.total.max.or(self.total.max_positive);
        }
        if isa.any(isa.lt_f64(self.smallest, negative)) {
            raise(&mut self.total.max_negative, errors, first, |e| -e);
            self.total.max = self.total.max.or(self.total.max_negative);
        }
        self.total.count += errors.len() as u64;
        self.chunks += 1;
        if self.chunks == FLUSH {
            self.flush(isa);
        }
        true
    }

    /// Adds the bytes of the histogram to its words.
    #[inline(always)]
    fn flush(&mut self, isa: I) {
        for (parity, bytes) in [self.even, self.odd].into_iter().enumerate() {
            let mut lanes = [0; MAX_LANES];
            isa.store_i64(bytes, &mut lanes);
            for lane in &lanes[..I::LANES] {
                for (i, byte) in lane.to_le_bytes().into_iter().enumerate() {
                    self.total.histogram[2 * i + parity] += u64::from(byte);
                }
            }
        }
        self.even = isa.splat_i64(0);
        self.odd = isa.splat_i64(0);
        self.chunks = 0;
    }

    #[inline(always)]
    fn finish(mut self, isa: I) -> BlockResult {
        self.flush(isa);
        let sum = |v: I::I64| {
            let mut lanes = [0; MAX_LANES];
            isa.store_i64(v, &mut lanes);
            lanes[..I::LANES]
                .iter()
                .fold(0u64, |sum, &lane| sum.wrapping_add(lane as u64))
        };
        self.total.misrounded += sum(self.misrounded);
        self.total.digest = self.total.digest.wrapping_add(sum(self.digest));
        // An excluded input has the error 0 and was counted in bin 0.
        self.total.histogram[0] -= sum(self.excluded);
        self.total
    }
}

/// Raises an extreme to the largest of `side` of the errors and its first key.
#[inline(never)]
fn raise(extreme: &mut Extreme, errors: &[f64], first: i64, side: fn(f64) -> f64) {
    for (i, &error) in errors.iter().enumerate() {
        let error = side(error);
        if error > extreme.error() {
            *extreme = Extreme {
                error_bits: error.to_bits(),
                key: first + i as i64,
            };
        }
    }
}
