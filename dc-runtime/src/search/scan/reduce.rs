//! Judging a chunk and adding it to the total: compiled once an instruction set, for all kernels.
//!
//! Three ways, each of which gives what [`BlockResult::add`] would, input by input:
//!
//! * *Ordinary*: for a chunk in which every reference is far from zero and from overflow and every error is under
//!   2 ULP, the judge kernel comes down to a few operations; most of a search is that. Whether it holds is part of
//!   the same pass.
//! * *Full*: the judge kernel itself, reduced lane by lane. For larger errors, tiny references, overflow.
//! * *By one*: the judge kernel, reduced input by input. For chunks with a fault (NaN against a number, …), which
//!   are rare or the routine is wrong in a way that makes the search's speed a minor concern; and for the last,
//!   short chunk.
//!
//! The histogram is counted in nibbles: a lane adds `1 << 4 * bin`, so 15 vectors cannot overflow a counter; nibbles
//! are added to bytes, and those to words before they can overflow.

use super::super::block::{
    BINS, BlockResult, Extreme, FLAG_EXCLUDED, FLAG_INFINITY, FLAG_MISROUNDED, FLAG_NAN,
    FLAG_ZERO_SIGN,
};
use super::super::key::Precision;
use super::ordinary::{Ordinary, ordinary_f32, ordinary_f64};
use crate::builtins::judge::{KEY_FACTOR, judge_f32, judge_f64};
use crate::isa::{Isa, WithIsa};
use crate::kernel::MAX_LANES;
use crate::types::{DcDouble, DcDoubleDouble, DcFloat, DcLong};

/// Inputs a chunk: a multiple of 15 vectors of any instruction set in use, and small enough that its columns stay in
/// the first-level cache.
pub const CHUNK: usize = 960;
/// Vectors until a nibble could overflow.
const NIBBLE: usize = 15;

/// The inputs of a chunk, column by column, between the passes.
#[repr(align(64))]
pub struct Chunk {
    /// Results; binary32 ones widened.
    pub result: [f64; CHUNK],
    /// References: `hi`.
    pub hi: [f64; CHUNK],
    /// References: `lo`.
    pub lo: [f64; CHUNK],
    error: [f64; CHUNK],
    bin: [i64; CHUNK],
    flags: [i64; CHUNK],
    mix: [i64; CHUNK],
}

impl Chunk {
    pub fn new() -> Box<Self> {
        Box::new(Chunk {
            result: [0.0; CHUNK],
            hi: [0.0; CHUNK],
            lo: [0.0; CHUNK],
            error: [0.0; CHUNK],
            bin: [0; CHUNK],
            flags: [0; CHUNK],
            mix: [0; CHUNK],
        })
    }
}

/// What is known so far: a block result, and sums that are still in lanes.
pub struct Total {
    block: BlockResult,
    misrounded: [i64; MAX_LANES],
    excluded: [i64; MAX_LANES],
    digest: [i64; MAX_LANES],
    /// Histogram in bytes: the even bins and the odd ones.
    even: [i64; MAX_LANES],
    odd: [i64; MAX_LANES],
    /// Vectors in the bytes.
    vectors: usize,
}

impl Total {
    pub fn new() -> Self {
        Total {
            block: BlockResult::EMPTY,
            misrounded: [0; MAX_LANES],
            excluded: [0; MAX_LANES],
            digest: [0; MAX_LANES],
            even: [0; MAX_LANES],
            odd: [0; MAX_LANES],
            vectors: 0,
        }
    }

    /// Adds the bytes of the histogram, which are in the first `lanes`, to its words.
    fn flush(&mut self, lanes: usize) {
        for (parity, bytes) in [&mut self.even, &mut self.odd].into_iter().enumerate() {
            for lane in &mut bytes[..lanes] {
                for (i, byte) in lane.to_le_bytes().into_iter().enumerate() {
                    self.block.histogram[2 * i + parity] += u64::from(byte);
                }
                *lane = 0;
            }
        }
        self.vectors = 0;
    }

    pub fn finish(mut self) -> BlockResult {
        self.flush(MAX_LANES);
        let sum = |lanes: &[i64]| lanes.iter().fold(0u64, |s, &x| s.wrapping_add(x as u64));
        self.block.misrounded += sum(&self.misrounded);
        self.block.digest = self.block.digest.wrapping_add(sum(&self.digest));
        // An excluded input has the error 0 and was counted in bin 0.
        self.block.histogram[0] -= sum(&self.excluded);
        self.block
    }
}

/// Judges the first `live` inputs of a chunk, with keys from `first` on, and adds them.
pub struct Reduce<'a> {
    pub precision: Precision,
    pub chunk: &'a mut Chunk,
    pub total: &'a mut Total,
    pub first: i64,
    pub live: usize,
}

/// Sums of a pass, in lanes.
struct Lanes<I: Isa> {
    misrounded: I::I64,
    excluded: I::I64,
    digest: I::I64,
    even: I::I64,
    odd: I::I64,
    largest: I::F64,
    smallest: I::F64,
}

impl<I: Isa> Lanes<I> {
    #[inline(always)]
    fn load(isa: I, total: &Total) -> Self {
        Lanes {
            misrounded: isa.load_i64(&total.misrounded),
            excluded: isa.load_i64(&total.excluded),
            digest: isa.load_i64(&total.digest),
            even: isa.load_i64(&total.even),
            odd: isa.load_i64(&total.odd),
            largest: isa.splat_f64(0.0),
            smallest: isa.splat_f64(0.0),
        }
    }
    #[inline(always)]
    fn store(self, isa: I, total: &mut Total) {
        isa.store_i64(self.misrounded, &mut total.misrounded);
        isa.store_i64(self.excluded, &mut total.excluded);
        isa.store_i64(self.digest, &mut total.digest);
        isa.store_i64(self.even, &mut total.even);
        isa.store_i64(self.odd, &mut total.odd);
    }
    /// Nibbles to bytes.
    #[inline(always)]
    fn fold(&mut self, isa: I, nibbles: I::I64) {
        let low = isa.splat_i64(0x0f0f_0f0f_0f0f_0f0f);
        let high = isa.shr_logical_i64(nibbles, isa.splat_i64(4));
        self.even = isa.add_i64(self.even, isa.and_i64(nibbles, low));
        self.odd = isa.add_i64(self.odd, isa.and_i64(high, low));
    }
    /// `1 << 4 * bin`; only the low four bits of `bin` count.
    #[inline(always)]
    fn nibble(isa: I, bin: I::I64) -> I::I64 {
        isa.shl_i64(isa.splat_i64(1), isa.shl_i64(bin, isa.splat_i64(2)))
    }
}

impl<I: Isa> WithIsa<I> for Reduce<'_> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        const { assert!(CHUNK.is_multiple_of(NIBBLE * I::LANES) && CHUNK / I::LANES <= 255) };
        let Reduce {
            precision,
            chunk,
            total,
            first,
            live,
        } = self;
        if live == CHUNK {
            let ordinary = match precision {
                Precision::F64 => ordinary_pass(isa, chunk, total, first, ordinary_f64),
                Precision::F32 => ordinary_pass(isa, chunk, total, first, ordinary_f32),
            };
            if ordinary {
                return;
            }
        }
        if !full_pass(isa, precision, chunk, total, first, live) {
            for i in 0..live {
                let (error, bin) = (chunk.error[i], chunk.bin[i]);
                let (flags, mix) = (chunk.flags[i], chunk.mix[i]);
                total.block.add(first + i as i64, error, bin, flags, mix);
            }
        }
    }
}

/// Adds a whole chunk if all of it is ordinary.
#[inline(always)]
fn ordinary_pass<I: Isa>(
    isa: I,
    chunk: &mut Chunk,
    total: &mut Total,
    first: i64,
    judge: impl Fn(I, I::F64, I::F64, I::F64) -> Ordinary<I>,
) -> bool {
    let mut sums = Lanes::load(isa, total);
    let one = isa.splat_i64(1);
    let mut ordinary = isa.splat_mask(true);
    // The judge's `key * KEY_FACTOR`, kept up by addition.
    let mut weight = isa.mul_i64(isa.iota_i64(first), isa.splat_i64(KEY_FACTOR));
    let step = isa.splat_i64(KEY_FACTOR.wrapping_mul(I::LANES as i64));
    let mut at = 0;
    while at < CHUNK {
        let mut nibbles = isa.splat_i64(0);
        let until = at + NIBBLE * I::LANES;
        while at < until {
            let result = isa.load_f64(&chunk.result[at..]);
            let hi = isa.load_f64(&chunk.hi[at..]);
            let lo = isa.load_f64(&chunk.lo[at..]);
            let v = judge(isa, result, hi, lo);
            isa.store_f64(v.error, &mut chunk.error[at..]);
            ordinary = isa.and_mask(ordinary, v.holds);
            sums.largest = isa.max_f64(v.error, sums.largest);
            sums.smallest = isa.min_f64(v.error, sums.smallest);
            sums.misrounded = isa.increment_i64(v.misrounded, sums.misrounded);
            nibbles = isa.add_i64(nibbles, Lanes::nibble(isa, v.bin));
            let half = isa.splat_i64(32);
            let odd = isa.or_i64(isa.xor_i64(weight, isa.shr_logical_i64(weight, half)), one);
            let word = isa.xor_i64(v.word, isa.shr_logical_i64(v.word, half));
            sums.digest = isa.add_i64(sums.digest, isa.mul_i64(word, odd));
            weight = isa.add_i64(weight, step);
            at += I::LANES;
        }
        sums.fold(isa, nibbles);
    }
    if isa.count(ordinary) as usize != I::LANES {
        return false;
    }
    if !total.block.max.exists() {
        total.block.max.key = first;
    }
    commit(isa, sums, &chunk.error, total, first);
    true
}

/// Judges with the judge kernel and keeps all verdicts; adds a whole chunk unless it has faults or exclusions that
/// must be looked at one by one.
#[inline(always)]
fn full_pass<I: Isa>(
    isa: I,
    precision: Precision,
    chunk: &mut Chunk,
    total: &mut Total,
    first: i64,
    live: usize,
) -> bool {
    const { assert!(FLAG_MISROUNDED == 1 && FLAG_EXCLUDED == 16 && BINS == 16) };
    let mut sums = Lanes::load(isa, total);
    let (before, mut all_flags) = (sums.excluded, isa.splat_i64(0));
    let one = isa.splat_i64(1);
    let mut at = 0;
    while at < live {
        let mut nibbles = isa.splat_i64(0);
        let until = at + NIBBLE * I::LANES;
        while at < until {
            let keys = DcLong::of(isa, isa.iota_i64(first.wrapping_add(at as i64)));
            let result = isa.load_f64(&chunk.result[at..]);
            let hi = DcDouble::load(isa, &chunk.hi[at..]);
            let lo = DcDouble::load(isa, &chunk.lo[at..]);
            let (error, bin, flags, mix) = match precision {
                Precision::F64 => {
                    judge_f64(keys, DcDouble::of(isa, result), DcDoubleDouble::new(hi, lo))
                }
                Precision::F32 => judge_f32(keys, DcFloat::of(isa, isa.f64_to_f32(result)), hi),
            };
            isa.store_f64(error.v, &mut chunk.error[at..]);
            isa.store_i64(bin.v, &mut chunk.bin[at..]);
            isa.store_i64(flags.v, &mut chunk.flags[at..]);
            isa.store_i64(mix.v, &mut chunk.mix[at..]);
            sums.largest = isa.max_f64(error.v, sums.largest);
            sums.smallest = isa.min_f64(error.v, sums.smallest);
            all_flags = isa.or_i64(all_flags, flags.v);
            sums.misrounded = isa.add_i64(sums.misrounded, isa.and_i64(flags.v, one));
            let excluded = isa.shr_logical_i64(flags.v, isa.splat_i64(4));
            sums.excluded = isa.add_i64(sums.excluded, excluded);
            sums.digest = isa.add_i64(sums.digest, mix.v);
            nibbles = isa.add_i64(nibbles, Lanes::nibble(isa, bin.v));
            at += I::LANES;
        }
        sums.fold(isa, nibbles);
    }
    let zero = isa.splat_i64(0);
    let faults = isa.splat_i64(FLAG_NAN | FLAG_INFINITY | FLAG_ZERO_SIGN);
    let sound = isa.eq_i64(isa.and_i64(all_flags, faults), zero);
    if live < CHUNK || isa.count(sound) as usize != I::LANES {
        return false;
    }
    if !total.block.max.exists() {
        let new = isa.sub_i64(sums.excluded, before);
        let all = isa.eq_i64(new, isa.splat_i64((CHUNK / I::LANES) as i64));
        if isa.count(isa.eq_i64(new, zero)) as usize == I::LANES {
            total.block.max.key = first;
        } else if isa.count(all) as usize != I::LANES {
            // The first input that counts is somewhere in here.
            return false;
        }
    }
    commit(isa, sums, &chunk.error, total, first);
    true
}

/// Takes a whole chunk's sums and extremes in.
#[inline(always)]
fn commit<I: Isa>(isa: I, sums: Lanes<I>, errors: &[f64], total: &mut Total, first: i64) {
    let block = &mut total.block;
    block.count += CHUNK as u64;
    let positive = isa.splat_f64(block.max_positive.error());
    if isa.any(isa.lt_f64(positive, sums.largest)) {
        raise(
            isa,
            &mut block.max_positive,
            errors,
            first,
            sums.largest,
            1.0,
        );
        block.max = block.max.or(block.max_positive);
    }
    let negative = isa.splat_f64(-block.max_negative.error());
    if isa.any(isa.lt_f64(sums.smallest, negative)) {
        raise(
            isa,
            &mut block.max_negative,
            errors,
            first,
            sums.smallest,
            -1.0,
        );
        block.max = block.max.or(block.max_negative);
    }
    sums.store(isa, total);
    total.vectors += CHUNK / I::LANES;
    if total.vectors + CHUNK / I::LANES > 255 {
        total.flush(I::LANES);
    }
}

/// Raises an extreme to the largest error on its side, at that one's first key.
#[inline(always)]
fn raise<I: Isa>(
    isa: I,
    extreme: &mut Extreme,
    errors: &[f64],
    first: i64,
    lanes: I::F64,
    side: f64,
) {
    let mut each = [0.0; MAX_LANES];
    isa.store_f64(lanes, &mut each);
    let largest = each[..I::LANES]
        .iter()
        .fold(0.0, |m: f64, e| m.max(e * side));
    if let Some(i) = errors.iter().position(|&e| e == largest * side) {
        *extreme = Extreme {
            error_bits: largest.to_bits(),
            key: first + i as i64,
        };
    }
}
