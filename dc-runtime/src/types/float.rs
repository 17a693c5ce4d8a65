//! `DcFloat`.

use super::{DcMask, composed, directed, lanes};
use crate::isa::{Direction, Isa};

lanes! {
    /// Binary32 lanes.
    DcFloat, F32, f32, splat_f32, load_f32, select_f32
}

impl<I: Isa> DcFloat<I> {
    #[inline(always)]
    pub(crate) fn of(isa: I, v: I::F32) -> Self {
        Self { v, isa }
    }
    /// Stores the lanes; NaNs become canonical.
    ///
    /// # Panics
    /// If the slice is shorter than `I::LANES`.
    #[inline(always)]
    pub fn store(self, out: &mut [f32]) {
        self.isa.store_f32(self.isa.canonical_f32(self.v), out);
    }
    /// `self * b + c`, rounded once.
    #[inline(always)]
    #[must_use]
    pub fn mul_add(self, b: Self, c: Self) -> Self {
        Self::of(self.isa, self.isa.fma_f32(self.v, b.v, c.v))
    }
    /// `self - b`, with the same bits as the operator. AVX-512 executes it as a fused multiply-add, so it takes no time of
    /// the adders: see the page *Operations* of the book.
    #[inline(always)]
    #[must_use]
    pub fn sub_as_fma(self, b: Self) -> Self {
        Self::of(self.isa, self.isa.sub_as_fma_f32(self.v, b.v))
    }
    /// Square root, correctly rounded.
    #[inline(always)]
    #[must_use]
    pub fn sqrt(self) -> Self {
        Self::of(self.isa, self.isa.sqrt_f32(self.v))
    }
    /// `1 / self`, correctly rounded.
    #[inline(always)]
    #[must_use]
    pub fn recip(self) -> Self {
        Self::of(self.isa, self.isa.div_f32(self.isa.splat_f32(1.0), self.v))
    }
    directed! {
        splat_f32(1.0), neg_f32, add_directed_f32, mul_directed_f32, div_directed_f32, sqrt_directed_f32, fma_directed_f32;
        add_rz sub_rz mul_rz div_rz recip_rz sqrt_rz mul_add_rz = Zero, "toward zero";
        add_ru sub_ru mul_ru div_ru recip_ru sqrt_ru mul_add_ru = Up, "toward +∞";
        add_rd sub_rd mul_rd div_rd recip_rd sqrt_rd mul_add_rd = Down, "toward −∞";
    }
    /// The sign bit is cleared.
    #[inline(always)]
    #[must_use]
    pub fn abs(self) -> Self {
        Self::of(self.isa, self.isa.abs_f32(self.v))
    }
    /// The magnitude of `self` with the sign of `sign` (+ if `sign` is a NaN).
    #[inline(always)]
    #[must_use]
    pub fn copysign(self, sign: Self) -> Self {
        Self::of(
            self.isa,
            self.isa
                .copysign_f32(self.v, self.isa.canonical_f32(sign.v)),
        )
    }
    /// `if self < b { self } else { b }`: `b` if either is NaN or both are zero; [`minimum`](Self::minimum) keeps a NaN.
    #[inline(always)]
    #[must_use]
    pub fn min(self, b: Self) -> Self {
        Self::of(self.isa, self.isa.min_f32(self.v, b.v))
    }
    /// `if self > b { self } else { b }`: `b` if either is NaN or both are zero; [`maximum`](Self::maximum) keeps a NaN.
    #[inline(always)]
    #[must_use]
    pub fn max(self, b: Self) -> Self {
        Self::of(self.isa, self.isa.max_f32(self.v, b.v))
    }
    composed! { eq_f32, ne_f32, select_f32, bits_f32, lt_i32, splat_i32 }
    /// The largest integer that is not above `self`.
    #[inline(always)]
    #[must_use]
    pub fn floor(self) -> Self {
        Self::of(self.isa, self.isa.floor_f32(self.v))
    }
    /// The smallest integer that is not below `self`.
    #[inline(always)]
    #[must_use]
    pub fn ceil(self) -> Self {
        Self::of(self.isa, self.isa.ceil_f32(self.v))
    }
    /// The integer part: rounding toward zero.
    #[inline(always)]
    #[must_use]
    pub fn trunc(self) -> Self {
        Self::of(self.isa, self.isa.trunc_f32(self.v))
    }
    /// The nearest integer, ties to even.
    #[inline(always)]
    #[must_use]
    pub fn round_ties_even(self) -> Self {
        Self::of(self.isa, self.isa.round_ties_even_f32(self.v))
    }
    /// Whether `self` is NaN.
    #[inline(always)]
    #[must_use]
    pub fn is_nan(self) -> DcMask<I> {
        DcMask {
            v: self.isa.ne_f32(self.v, self.v),
            isa: self.isa,
        }
    }
    /// Whether the sign bit is set; false for every NaN.
    #[inline(always)]
    #[must_use]
    pub fn is_sign_negative(self) -> DcMask<I> {
        let bits = self.isa.bits_f32(self.isa.canonical_f32(self.v));
        DcMask {
            v: self.isa.lt_i32(bits, self.isa.splat_i32(0)),
            isa: self.isa,
        }
    }
}
