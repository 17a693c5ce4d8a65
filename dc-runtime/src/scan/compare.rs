//! The comparison of a chunk's errors in binary32 with records, for `decide.rs`.

use super::filter::Near;
use super::reduce::{CHUNK, Chunk, lanes, sum};
use crate::builtins::ulp_error::{
    KEY_FACTOR, RECORD_UNIT, error_beside_records_f32, ordinary_f32,
    subnormal_error_beside_records_f32,
};
use crate::isa::{Raw, Tally, WithIsa};
use crate::model::kernel_ref::Records;
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
        // Neighbours are of one size, except for one chunk in thousands.
        let size = self.chunk.hi[0].abs();
        match size < f64::from(f32::MIN_POSITIVE) {
            false => self.compare(isa, error_beside_records_f32),
            true => self.compare(isa, subnormal_error_beside_records_f32),
        }
    }
}

/// The values needed for comparing the errors of lanes with the records: see [`error_beside_records_f32`].
type Needed<I> = (DcDouble<Raw<I>>, DcLong<Raw<I>>, DcLong<Raw<I>>);

impl Compare<'_> {
    /// Errors are collected, and compared at the end with two operations for both sides.
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
