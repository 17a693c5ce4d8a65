//! The metric of a chunk, and its reduction into the total: compiled once per instruction set, for all kernels.
//!
//! There are three ways, each of which gives the result of [`BlockResult::add`], input by input:
//!
//! * *Fast path*: for a chunk in which every reference is far from zero and from overflow and has no scale, and every
//!   error is below 2 ULP and not near one half. The metric kernel then reduces to a few operations. Most chunks of a search
//!   are of this kind. The same pass decides whether the fast path holds.
//! * *Full*: the metric kernel itself, reduced lane by lane. It is for larger errors, errors near ties, tiny references, and
//!   overflow.
//! * *By one*: the metric kernel, reduced input by input. It is for chunks with a fault (NaN against a number, …),
//!   which are rare, unless the routine is so wrong that the search's speed matters little; and for the last, short
//!   chunk.
//!
//! On the fast path an input is misrounded if its error is above one half, which follows from its bin. For other inputs the metric decides,
//! and only the difference from the number of such bins is counted.
//!
//! The histogram is counted in nibbles: a lane adds `1 << 4 * bin`, so 15 words cannot overflow a counter. Nibbles are added to bytes, and
//! bytes to counters before they can overflow. The largest error of each side is kept from chunk to chunk, together with its chunk. At the
//! end, this chunk is evaluated again to find the input ([`Total::resolve`]). If errors grow along a range, every chunk has new extremes.

use kernels_gen::reduction::HALF_BIN;

use super::fast_path::{Binary32, Binary64, FastPath};
use crate::builtins::integer_error::{
    integer_error_i32, integer_error_i64, integer_error_u32, integer_error_u64,
};
use crate::builtins::plain_error::{
    absolute_error_f32, absolute_error_f64, relative_error_f32, relative_error_f64,
};
use crate::builtins::rounding_error::{
    rounding_error_bfloat, rounding_error_f32, rounding_error_f64, rounding_error_half,
};
use crate::builtins::ulp_error::{
    KEY_FACTOR, known_ulp_error_f32, known_ulp_error_f64, ulp_error_f32, ulp_error_f64,
};
use crate::isa::{Tally, WithIsa};
use crate::kernel::MAX_LANES;
use crate::model::block::{
    BINS, BlockResult, Extreme, FLAG_EXCLUDED, FLAG_INFINITY, FLAG_MISROUNDED, FLAG_NAN,
    FLAG_UNDECIDED, FLAG_ZERO_SIGN,
};
use crate::model::integers::Int;
use crate::model::key::Precision;
use crate::model::measure::Measure;
use crate::model::signature::Number;
use crate::types::{DcDouble, DcDoubleDouble, DcFloat, DcLong};

/// Inputs per chunk: a multiple of `NIBBLE` groups of any instruction set in use, and small enough that its columns
/// stay in the first-level cache.
pub const CHUNK: usize = 960;
/// The number of groups of one unit, which are two words each, that fit a nibble: it overflows after 15 words.
const NIBBLE: usize = 6;
/// The number of lanes of the widest word.
const WORDS: usize = 8;

/// The inputs of a chunk, column by column, between the passes.
#[repr(align(64))]
pub struct Chunk {
    /// Results in binary64.
    pub result: [f64; CHUNK],
    /// Results in binary32: a sweep has either these or those in binary64.
    pub narrow: [f32; CHUNK],
    /// References: `hi`.
    pub hi: [f64; CHUNK],
    /// References: `lo`, if the results are in binary64.
    pub lo: [f64; CHUNK],
    /// References: scales. All 0 unless `scaled` is set; [`ONE_WORD`] for references of one word.
    ///
    /// [`ONE_WORD`]: kernels_gen::reduction::ONE_WORD
    pub scale: [i64; CHUNK],
    /// Whether a scale was stored.
    pub scaled: bool,
    /// Whether these are bits of radii within which the references are known.
    pub radii: bool,
    error: [f64; CHUNK],
    bin: [i64; CHUNK],
    flags: [i64; CHUNK],
    digest_term: [i64; CHUNK],
}

impl Chunk {
    /// A chunk with this scale for all inputs.
    pub fn new(scale: i64) -> Box<Self> {
        Box::new(Chunk {
            result: [0.0; CHUNK],
            narrow: [0.0; CHUNK],
            hi: [0.0; CHUNK],
            lo: [0.0; CHUNK],
            scale: [scale; CHUNK],
            scaled: false,
            radii: false,
            error: [0.0; CHUNK],
            bin: [0; CHUNK],
            flags: [0; CHUNK],
            digest_term: [0; CHUNK],
        })
    }
}

/// The total so far: a block result, and sums that are still separate per lane.
pub struct Total {
    block: BlockResult,
    /// The number of misrounded inputs minus the number of inputs with errors of at least one half, modulo 2^64.
    misrounded: [i64; WORDS],
    undecided: [i64; WORDS],
    excluded: [i64; WORDS],
    digest: [i64; WORDS],
    /// The histogram in bytes: the even bins and the odd ones.
    even: [i64; WORDS],
    odd: [i64; WORDS],
    /// The number of words that have been added to the bytes.
    words: usize,
    /// For the extremes above and below the reference: the first key of the chunk, if the extreme's own key is not known yet.
    unresolved: [Option<i64>; 2],
}

impl Total {
    pub fn new() -> Self {
        Total {
            block: BlockResult::EMPTY,
            misrounded: [0; WORDS],
            undecided: [0; WORDS],
            excluded: [0; WORDS],
            digest: [0; WORDS],
            even: [0; WORDS],
            odd: [0; WORDS],
            words: 0,
            unresolved: [None; 2],
        }
    }

    /// The first key of a chunk with an extreme whose key is unknown. The chunk must be evaluated again and passed to [`Total::resolve`].
    pub fn unresolved(&self) -> Option<i64> {
        self.unresolved.into_iter().flatten().next()
    }

    /// Finds the keys of the extremes in the chunk with keys from `first` on.
    ///
    /// # Panics
    /// If the chunk does not contain them.
    pub fn resolve(
        &mut self,
        reduce: fn(Reduce<'_>),
        metric: MetricOf,
        chunk: &mut Chunk,
        first: i64,
    ) {
        reduce(Reduce {
            metric,
            chunk,
            total: &mut Total::new(),
            first,
            live: CHUNK,
            keep: true,
        });
        let block = &mut self.block;
        let sides = [
            (&mut block.max_positive, 1.0),
            (&mut block.max_negative, -1.0),
        ];
        for (unresolved, (extreme, side)) in self.unresolved.iter_mut().zip(sides) {
            if *unresolved == Some(first) {
                let largest = extreme.error() * side;
                let i = chunk.error.iter().position(|&e| e == largest);
                let i =
                    i.unwrap_or_else(|| panic!("no input of its chunk has the error {largest:e}"));
                extreme.key = first + i as i64;
                *unresolved = None;
            }
        }
    }

    /// Adds the bytes of the histogram to its counters: the bytes of all lanes are first summed in 16 bits, so that few
    /// numbers remain.
    #[inline]
    fn flush(&mut self) {
        const { assert!(WORDS * 255 < 1 << 16) };
        for (parity, bytes) in [&mut self.even, &mut self.odd].into_iter().enumerate() {
            for half in 0..2 {
                let widened = |&lane: &i64| lane as u64 >> (8 * half) & 0x00ff_00ff_00ff_00ff;
                let sums: u64 = bytes.iter().map(widened).sum();
                for i in 0..4 {
                    let (bin, here) = (4 * i + 2 * half + parity, sums >> (16 * i) & 0xffff);
                    self.block.histogram[bin] += here;
                    self.block.misrounded += if bin >= HALF_BIN { here } else { 0 };
                }
            }
            *bytes = [0; WORDS];
        }
        self.words = 0;
    }

    /// The result.
    ///
    /// # Panics
    /// If an extreme is unresolved.
    pub fn finish(mut self) -> BlockResult {
        assert!(
            self.unresolved().is_none(),
            "the key of an extreme is not known"
        );
        self.flush();
        let sum = |lanes: &[i64]| lanes.iter().fold(0u64, |s, &x| s.wrapping_add(x as u64));
        self.block.misrounded = self.block.misrounded.wrapping_add(sum(&self.misrounded));
        self.block.undecided += sum(&self.undecided);
        self.block.digest = self.block.digest.wrapping_add(sum(&self.digest));
        // An excluded input has the error 0 and was counted in bin 0.
        self.block.histogram[0] -= sum(&self.excluded);
        // Without errors of either side, it is the first input that counts.
        let extreme = self.block.max_positive.or(self.block.max_negative);
        if extreme.exists() {
            self.block.max = extreme;
        }
        self.block
    }
}

/// The variant of the metric.
#[derive(Clone, Copy)]
pub struct MetricOf {
    /// The results' precision.
    pub precision: Precision,
    /// Which errors are measured.
    pub measure: Measure,
    /// The format to which references are rounded, if the metric is that of narrower results.
    pub rounded: Option<Number>,
}

/// Computes the metric of the first `live` inputs of a chunk, with keys from `first` on, and adds the results.
pub struct Reduce<'a> {
    pub metric: MetricOf,
    pub chunk: &'a mut Chunk,
    pub total: &'a mut Total,
    pub first: i64,
    pub live: usize,
    /// Whether each input's error stays in the chunk. Then the fast path is not used.
    pub keep: bool,
}

/// The sums of a pass, per lane.
struct Sums<I: Tally> {
    excluded: I::Word,
    digest: I::Word,
    even: I::Word,
    odd: I::Word,
    /// The largest error, and the least.
    above: I::Word,
    below: I::Word,
}

/// The bits of the largest and of the least error so far; 0 if there is none on that side.
fn extremes(block: &BlockResult) -> [i64; 2] {
    let below = match block.max_negative.error() {
        0.0 => 0.0,
        error => -error,
    };
    [block.max_positive.error(), below].map(|x: f64| x.to_bits().cast_signed())
}

impl<I: Tally> Sums<I> {
    #[inline(always)]
    fn load(isa: I, total: &Total) -> Self {
        let [above, below] = extremes(&total.block);
        Sums {
            excluded: isa.load_word(&total.excluded),
            digest: isa.load_word(&total.digest),
            even: isa.load_word(&total.even),
            odd: isa.load_word(&total.odd),
            above: isa.splat_word(above),
            below: isa.splat_word(below),
        }
    }
    #[inline(always)]
    fn store(self, isa: I, total: &mut Total) {
        isa.store_word(self.excluded, &mut total.excluded);
        isa.store_word(self.digest, &mut total.digest);
        isa.store_word(self.even, &mut total.even);
        isa.store_word(self.odd, &mut total.odd);
    }
    #[inline(always)]
    fn take(&mut self, isa: I, error: I::F64) {
        self.above = isa.tally_max(self.above, error);
        self.below = isa.tally_min(self.below, error);
    }
    /// Adds nibbles to bytes.
    #[inline(always)]
    fn fold(&mut self, isa: I, nibbles: I::Word) {
        let low = isa.splat_word(0x0f0f_0f0f_0f0f_0f0f);
        let high = isa.shr_word::<4>(nibbles);
        self.even = isa.add_word(self.even, isa.and_word(nibbles, low));
        self.odd = isa.add_word(self.odd, isa.and_word(high, low));
    }
}

/// The lanes of a word. Missing lanes are `fill`.
#[inline(always)]
pub fn lanes<I: Tally>(isa: I, word: I::Word, fill: i64) -> [i64; WORDS] {
    let mut out = [fill; WORDS];
    isa.store_word(word, &mut out);
    out
}

/// The sum of a word's lanes, wrapping.
#[inline(always)]
pub fn sum<I: Tally>(isa: I, word: I::Word) -> u64 {
    let lanes = lanes(isa, word, 0).map(i64::cast_unsigned);
    lanes.into_iter().fold(0, u64::wrapping_add)
}

impl<I: Tally> WithIsa<I> for Reduce<'_> {
    type Output = ();
    #[inline(always)]
    fn call(self, isa: I) {
        const {
            assert!(CHUNK.is_multiple_of(NIBBLE * I::LANES) && I::LANES <= 2 * I::WORD);
            assert!(CHUNK / I::WORD <= 255 && I::WORD <= WORDS);
        };
        let Reduce {
            metric:
                MetricOf {
                    precision,
                    measure,
                    rounded,
                },
            chunk,
            total,
            first,
            live,
            keep,
        } = self;
        // The fast paths are of errors in ULP.
        if live == CHUNK && !chunk.scaled && !chunk.radii && !keep && measure.is_in_ulp() {
            let fast_path = match precision {
                Precision::F64 => fast_pass::<Binary64<I>, I>(isa, chunk, total, first),
                Precision::F32 => fast_pass::<Binary32<I>, I>(isa, chunk, total, first),
            };
            if fast_path {
                return;
            }
        }
        let whole = match (measure, precision) {
            _ if let Some(to) = rounded => rounded_pass(to, isa, chunk, total, first, live),
            (Measure::Full | Measure::Maxima, Precision::F64) if chunk.radii => {
                full_pass::<KnownUlp64, I>(isa, chunk, total, first, live)
            }
            (Measure::Full | Measure::Maxima, Precision::F32) if chunk.radii => {
                full_pass::<KnownUlp32, I>(isa, chunk, total, first, live)
            }
            (Measure::Full | Measure::Maxima, Precision::F64) => {
                full_pass::<Ulp64, I>(isa, chunk, total, first, live)
            }
            (Measure::Full | Measure::Maxima, Precision::F32) => {
                full_pass::<Ulp32, I>(isa, chunk, total, first, live)
            }
            (Measure::Absolute, Precision::F64) => {
                full_pass::<Absolute64, I>(isa, chunk, total, first, live)
            }
            (Measure::Absolute, Precision::F32) => {
                full_pass::<Absolute32, I>(isa, chunk, total, first, live)
            }
            (Measure::Relative, Precision::F64) => {
                full_pass::<Relative64, I>(isa, chunk, total, first, live)
            }
            (Measure::Relative, Precision::F32) => {
                full_pass::<Relative32, I>(isa, chunk, total, first, live)
            }
        };
        if !whole {
            let before = extremes(&total.block);
            for i in 0..live {
                let (error, bin) = (chunk.error[i], chunk.bin[i]);
                let (flags, digest_term) = (chunk.flags[i], chunk.digest_term[i]);
                total
                    .block
                    .add(first + i as i64, error, bin, flags, digest_term);
            }
            let sides = before.into_iter().zip(extremes(&total.block));
            for (unresolved, (before, now)) in total.unresolved.iter_mut().zip(sides) {
                *unresolved = unresolved.filter(|_| before == now);
            }
        }
    }
}

/// Adds a whole chunk if the fast path holds for all of it.
#[inline(always)]
fn fast_pass<F: FastPath<I>, I: Tally>(
    isa: I,
    chunk: &mut Chunk,
    total: &mut Total,
    first: i64,
) -> bool {
    let mut sums = Sums::load(isa, total);
    let mut fast_path = F::new(isa);
    // The metric's `key * KEY_FACTOR`, updated by addition.
    let weights = isa.mul_i64(isa.iota_i64(first), isa.splat_i64(KEY_FACTOR));
    let mut each = [0; MAX_LANES];
    isa.store_i64(weights, &mut each);
    let mut weight = isa.load_word(&each);
    let apart = KEY_FACTOR.wrapping_mul(I::WORD as i64);
    let step = isa.splat_word(KEY_FACTOR.wrapping_mul(I::LANES as i64));
    let mut at = 0;
    while at < CHUNK {
        let mut nibbles = isa.splat_word(0);
        let until = at + NIBBLE * I::LANES;
        while at < until {
            let v = fast_path.verdict(isa, isa.counted_on(weight, apart), chunk, at);
            sums.take(isa, v.error);
            nibbles = isa.tally_add(nibbles, isa.nibble(v.bin));
            sums.digest = isa.tally_add(sums.digest, v.digest_term);
            weight = isa.add_word(weight, step);
            at += I::LANES;
        }
        sums.fold(isa, nibbles);
    }
    if !fast_path.applies(isa) {
        return false;
    }
    if !total.block.max.exists() {
        total.block.max.key = first;
    }
    commit(isa, sums, total, first);
    true
}

/// The results of the metric kernels: error, bin, flags, digest term.
type Measured<I> = (DcDouble<I>, DcLong<I>, DcLong<I>, DcLong<I>);

/// A metric kernel, applied to the inputs of a chunk from an index on.
trait Metric {
    fn of<I: Tally>(isa: I, keys: DcLong<I>, chunk: &Chunk, at: usize) -> Measured<I>;
}

macro_rules! metrics {
    ($($name:ident $kernel:ident $precision:ident,)+) => {$(
        enum $name {}
        impl Metric for $name {
            #[inline(always)]
            fn of<I: Tally>(isa: I, keys: DcLong<I>, chunk: &Chunk, at: usize) -> Measured<I> {
                metrics!(@$precision $kernel isa keys chunk at)
            }
        }
    )+};
    (@f64 $kernel:ident $isa:ident $keys:ident $chunk:ident $at:ident) => {{
        let hi = DcDouble::load($isa, &$chunk.hi[$at..]);
        let lo = DcDouble::load($isa, &$chunk.lo[$at..]);
        let result = DcDouble::load($isa, &$chunk.result[$at..]);
        let scale = DcLong::load($isa, &$chunk.scale[$at..]);
        $kernel($keys, result, DcDoubleDouble::new(hi, lo), scale)
    }};
    (@known_f32 $kernel:ident $isa:ident $keys:ident $chunk:ident $at:ident) => {{
        let hi = DcDouble::load($isa, &$chunk.hi[$at..]);
        let lo = DcDouble::load($isa, &$chunk.lo[$at..]);
        let result = DcFloat::load($isa, &$chunk.narrow[$at..]);
        let scale = DcLong::load($isa, &$chunk.scale[$at..]);
        $kernel($keys, result, DcDoubleDouble::new(hi, lo), scale)
    }};
    (@f32 $kernel:ident $isa:ident $keys:ident $chunk:ident $at:ident) => {{
        let reference = DcDouble::load($isa, &$chunk.hi[$at..]);
        $kernel($keys, DcFloat::load($isa, &$chunk.narrow[$at..]), reference)
    }};
}
metrics! {
    Ulp64 ulp_error_f64 f64,
    Ulp32 ulp_error_f32 f32,
    KnownUlp64 known_ulp_error_f64 f64,
    KnownUlp32 known_ulp_error_f32 known_f32,
    ToI32 integer_error_i32 f64,
    ToU32 integer_error_u32 f64,
    ToI64 integer_error_i64 f64,
    ToU64 integer_error_u64 f64,
    Rounded64 rounding_error_f64 f64,
    Rounded32 rounding_error_f32 known_f32,
    RoundedHalf rounding_error_half known_f32,
    RoundedBfloat rounding_error_bfloat known_f32,
    Absolute64 absolute_error_f64 f64,
    Absolute32 absolute_error_f32 f32,
    Relative64 relative_error_f64 f64,
    Relative32 relative_error_f32 f32,
}

/// [`full_pass`] with the metric that rounds references to the format of the results.
#[inline(always)]
fn rounded_pass<I: Tally>(
    to: Number,
    isa: I,
    chunk: &mut Chunk,
    total: &mut Total,
    first: i64,
    live: usize,
) -> bool {
    match to {
        Number::F64 => full_pass::<Rounded64, I>(isa, chunk, total, first, live),
        Number::F32 => full_pass::<Rounded32, I>(isa, chunk, total, first, live),
        Number::F16 => full_pass::<RoundedHalf, I>(isa, chunk, total, first, live),
        Number::Bf16 => full_pass::<RoundedBfloat, I>(isa, chunk, total, first, live),
        Number::Integer(Int::I32) => full_pass::<ToI32, I>(isa, chunk, total, first, live),
        Number::Integer(Int::U32) => full_pass::<ToU32, I>(isa, chunk, total, first, live),
        Number::Integer(Int::I64) => full_pass::<ToI64, I>(isa, chunk, total, first, live),
        Number::Integer(Int::U64) => full_pass::<ToU64, I>(isa, chunk, total, first, live),
    }
}

/// Computes the metric kernel and keeps its results. Adds a whole chunk unless it has faults or exclusions, which must be processed one by
/// one.
#[inline(always)]
fn full_pass<M: Metric, I: Tally>(
    isa: I,
    chunk: &mut Chunk,
    total: &mut Total,
    first: i64,
    live: usize,
) -> bool {
    const { assert!(FLAG_MISROUNDED == 1 && FLAG_EXCLUDED == 16 && FLAG_UNDECIDED == 32) };
    const { assert!(BINS == 16) };
    let mut sums = Sums::load(isa, total);
    let zero = isa.splat_i64(0);
    let (mut excluded, mut undecided, mut misrounded, mut all_flags) = (zero, zero, zero, zero);
    let one = isa.splat_i64(1);
    let mut at = 0;
    while at < live {
        let mut nibbles = isa.splat_word(0);
        let until = at + NIBBLE * I::LANES;
        while at < until {
            let keys = DcLong::of(isa, isa.iota_i64(first.wrapping_add(at as i64)));
            let (error, bin, flags, digest_term) = M::of(isa, keys, chunk, at);
            isa.store_f64(error.v, &mut chunk.error[at..]);
            isa.store_i64(bin.v, &mut chunk.bin[at..]);
            isa.store_i64(flags.v, &mut chunk.flags[at..]);
            isa.store_i64(digest_term.v, &mut chunk.digest_term[at..]);
            sums.take(isa, error.v);
            all_flags = isa.or_i64(all_flags, flags.v);
            let above = isa.lt_i64(isa.splat_i64(HALF_BIN as i64 - 1), bin.v);
            let by_bin = isa.increment_i64(above, zero);
            misrounded = isa.add_i64(misrounded, isa.sub_i64(isa.and_i64(flags.v, one), by_bin));
            let flag = |n| isa.and_i64(isa.shr_logical_i64(flags.v, isa.splat_i64(n)), one);
            excluded = isa.add_i64(excluded, flag(4));
            undecided = isa.add_i64(undecided, flag(5));
            sums.digest = isa.tally_add(sums.digest, digest_term.v);
            // Bins go up to 15 here and use all nibbles of a lane.
            let place = isa.shl_i64(bin.v, isa.splat_i64(2));
            nibbles = isa.tally_add(nibbles, isa.shl_i64(one, place));
            at += I::LANES;
        }
        sums.fold(isa, nibbles);
    }
    let faults = isa.splat_i64(FLAG_NAN | FLAG_INFINITY | FLAG_ZERO_SIGN);
    let sound = isa.eq_i64(isa.and_i64(all_flags, faults), zero);
    if live < CHUNK || isa.count(sound) as usize != I::LANES {
        return false;
    }
    if !total.block.max.exists() {
        let all = isa.eq_i64(excluded, isa.splat_i64((CHUNK / I::LANES) as i64));
        if isa.count(isa.eq_i64(excluded, zero)) as usize == I::LANES {
            total.block.max.key = first;
        } else if isa.count(all) as usize != I::LANES {
            // The first input that counts is in this chunk.
            return false;
        }
    }
    sums.excluded = isa.tally_add(sums.excluded, excluded);
    let before = isa.load_word(&total.undecided);
    isa.store_word(isa.tally_add(before, undecided), &mut total.undecided);
    let before = isa.load_word(&total.misrounded);
    isa.store_word(isa.tally_add(before, misrounded), &mut total.misrounded);
    commit(isa, sums, total, first);
    true
}

/// Adds a whole chunk's sums and extremes.
#[inline(always)]
fn commit<I: Tally>(isa: I, sums: Sums<I>, total: &mut Total, first: i64) {
    let block = &mut total.block;
    block.count += CHUNK as u64;
    let before = extremes(block);
    let sides = [
        (&mut block.max_positive, sums.above, 1.0),
        (&mut block.max_negative, sums.below, -1.0),
    ];
    for ((extreme, errors, side), (before, unresolved)) in sides
        .into_iter()
        .zip(before.into_iter().zip(&mut total.unresolved))
    {
        let unchanged = isa.add_word(errors, isa.splat_word(before.wrapping_neg()));
        if !isa.is_zero(unchanged) {
            let error_bits = lanes(isa, errors, 0)
                .into_iter()
                .map(|error| f64::from_bits(error.cast_unsigned()) * side)
                .fold(0.0, f64::max)
                .to_bits();
            // The key is at most that of the input that has it, so that an equal error later does not replace it.
            *extreme = Extreme {
                error_bits,
                key: first,
            };
            *unresolved = Some(first);
        }
    }
    sums.store(isa, total);
    total.words += CHUNK / I::WORD;
    if total.words + CHUNK / I::WORD > 255 {
        total.flush();
    }
}

#[cfg(test)]
mod tests;
