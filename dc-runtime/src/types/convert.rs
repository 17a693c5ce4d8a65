//! Conversions between lanes of numbers and of integers.

use super::{DcDouble, DcFloat, DcInt, DcLong};
use crate::isa::Isa;

impl<I: Isa> DcDouble<I> {
    /// The bits; for any NaN, the bits of the canonical NaN.
    #[inline(always)]
    #[must_use]
    pub fn to_bits(self) -> DcLong<I> {
        DcLong::of(self.isa, self.isa.bits_f64(self.isa.canonical_f64(self.v)))
    }
    /// The number with these bits.
    #[inline(always)]
    #[must_use]
    pub fn from_bits(bits: DcLong<I>) -> Self {
        Self::of(bits.isa, bits.isa.f64_from_bits(bits.v))
    }
    /// Conversion toward zero. It saturates; NaN gives 0.
    #[inline(always)]
    #[must_use]
    pub fn to_i64(self) -> DcLong<I> {
        DcLong::of(self.isa, self.isa.f64_to_i64(self.v))
    }
    /// Conversion toward zero. It saturates; NaN gives 0.
    #[inline(always)]
    #[must_use]
    pub fn to_i32(self) -> DcInt<I> {
        DcInt::of(self.isa, self.isa.f64_to_i32(self.v))
    }
    /// The number correctly rounded to binary32. Subnormal results are kept.
    #[inline(always)]
    #[must_use]
    pub fn to_f32(self) -> DcFloat<I> {
        DcFloat::of(self.isa, self.isa.f64_to_f32(self.v))
    }
}

impl<I: Isa> DcFloat<I> {
    /// The bits; for any NaN, the bits of the canonical NaN.
    #[inline(always)]
    #[must_use]
    pub fn to_bits(self) -> DcInt<I> {
        DcInt::of(self.isa, self.isa.bits_f32(self.isa.canonical_f32(self.v)))
    }
    /// The number with these bits.
    #[inline(always)]
    #[must_use]
    pub fn from_bits(bits: DcInt<I>) -> Self {
        Self::of(bits.isa, bits.isa.f32_from_bits(bits.v))
    }
    /// Conversion toward zero. It saturates; NaN gives 0.
    #[inline(always)]
    #[must_use]
    pub fn to_i64(self) -> DcLong<I> {
        DcLong::of(self.isa, self.isa.f32_to_i64(self.v))
    }
    /// Conversion toward zero. It saturates; NaN gives 0.
    #[inline(always)]
    #[must_use]
    pub fn to_i32(self) -> DcInt<I> {
        DcInt::of(self.isa, self.isa.f32_to_i32(self.v))
    }
    /// The same number in binary64, exact.
    #[inline(always)]
    #[must_use]
    pub fn to_f64(self) -> DcDouble<I> {
        DcDouble::of(self.isa, self.isa.f32_to_f64(self.v))
    }
}

impl<I: Isa> DcLong<I> {
    /// Conversion, correctly rounded to nearest even.
    #[inline(always)]
    #[must_use]
    pub fn to_f64(self) -> DcDouble<I> {
        DcDouble::of(self.isa, self.isa.i64_to_f64(self.v))
    }
    /// Conversion, correctly rounded to nearest even.
    #[inline(always)]
    #[must_use]
    pub fn to_f32(self) -> DcFloat<I> {
        DcFloat::of(self.isa, self.isa.i64_to_f32(self.v))
    }
    /// The low 32 bits.
    #[inline(always)]
    #[must_use]
    pub fn to_i32(self) -> DcInt<I> {
        DcInt::of(self.isa, self.isa.i64_to_i32(self.v))
    }
}

impl<I: Isa> DcInt<I> {
    /// Conversion, exact.
    #[inline(always)]
    #[must_use]
    pub fn to_f64(self) -> DcDouble<I> {
        DcDouble::of(self.isa, self.isa.i32_to_f64(self.v))
    }
    /// Conversion, correctly rounded to nearest even.
    #[inline(always)]
    #[must_use]
    pub fn to_f32(self) -> DcFloat<I> {
        DcFloat::of(self.isa, self.isa.i32_to_f32(self.v))
    }
    /// The same number in 64 bits: sign extension.
    #[inline(always)]
    #[must_use]
    pub fn to_i64(self) -> DcLong<I> {
        DcLong::of(self.isa, self.isa.i32_to_i64(self.v))
    }
}
