//! `DcLong`, `DcInt`.

use super::lanes;
use crate::isa::Isa;

/// Types of the right operand of a shift of `T`: the same lanes, or a constant.
#[diagnostic::on_unimplemented(
    message = "cannot shift `{T}` by `{Self}`",
    label = "a shift amount is an integer literal, an index, or lanes of the shifted type"
)]
pub trait ShiftAmount<T>: Copy {
    /// The amount in lanes.
    fn lanes(self, like: T) -> T;
}

lanes! {
    /// 64-bit integer lanes; arithmetic wraps.
    DcLong, I64, i64, splat_i64, load_i64, select_i64
}

impl<I: Isa> DcLong<I> {
    #[inline(always)]
    pub(crate) fn of(isa: I, v: I::I64) -> Self {
        Self { v, isa }
    }
    /// Stores the lanes.
    ///
    /// # Panics
    /// If the slice is shorter than `I::LANES`.
    #[inline(always)]
    pub fn store(self, out: &mut [i64]) {
        self.isa.store_i64(self.v, out);
    }
    /// The smaller number, signed.
    #[inline(always)]
    #[must_use]
    pub fn min(self, b: Self) -> Self {
        Self::of(
            self.isa,
            self.isa
                .select_i64(self.isa.lt_i64(self.v, b.v), self.v, b.v),
        )
    }
    /// The larger number, signed.
    #[inline(always)]
    #[must_use]
    pub fn max(self, b: Self) -> Self {
        Self::of(
            self.isa,
            self.isa
                .select_i64(self.isa.lt_i64(b.v, self.v), self.v, b.v),
        )
    }
    /// `lo` if `self` is below `lo`, `hi` if it is above `hi`, signed; `hi` if `lo` is greater than `hi`.
    #[inline(always)]
    #[must_use]
    pub fn clamp(self, lo: Self, hi: Self) -> Self {
        hi.min(lo.max(self))
    }
    /// Shift right with zeros shifted in; the amount is taken modulo the width.
    #[inline(always)]
    #[must_use]
    pub fn shr_logical<N: ShiftAmount<Self>>(self, n: N) -> Self {
        Self::of(self.isa, self.isa.shr_logical_i64(self.v, n.lanes(self).v))
    }
}

impl<I: Isa> ShiftAmount<DcLong<I>> for DcLong<I> {
    #[inline(always)]
    fn lanes(self, _like: DcLong<I>) -> DcLong<I> {
        self
    }
}
impl<I: Isa> ShiftAmount<DcLong<I>> for u32 {
    #[inline(always)]
    fn lanes(self, like: DcLong<I>) -> DcLong<I> {
        DcLong::splat(like.isa, self as i64)
    }
}
impl<I: Isa> ShiftAmount<DcLong<I>> for usize {
    #[inline(always)]
    fn lanes(self, like: DcLong<I>) -> DcLong<I> {
        DcLong::splat(like.isa, self as i64)
    }
}

lanes! {
    /// 32-bit integer lanes; arithmetic wraps.
    DcInt, I32, i32, splat_i32, load_i32, select_i32
}

impl<I: Isa> DcInt<I> {
    #[inline(always)]
    pub(crate) fn of(isa: I, v: I::I32) -> Self {
        Self { v, isa }
    }
    /// Stores the lanes.
    ///
    /// # Panics
    /// If the slice is shorter than `I::LANES`.
    #[inline(always)]
    pub fn store(self, out: &mut [i32]) {
        self.isa.store_i32(self.v, out);
    }
    /// The smaller number, signed.
    #[inline(always)]
    #[must_use]
    pub fn min(self, b: Self) -> Self {
        Self::of(
            self.isa,
            self.isa
                .select_i32(self.isa.lt_i32(self.v, b.v), self.v, b.v),
        )
    }
    /// The larger number, signed.
    #[inline(always)]
    #[must_use]
    pub fn max(self, b: Self) -> Self {
        Self::of(
            self.isa,
            self.isa
                .select_i32(self.isa.lt_i32(b.v, self.v), self.v, b.v),
        )
    }
    /// `lo` if `self` is below `lo`, `hi` if it is above `hi`, signed; `hi` if `lo` is greater than `hi`.
    #[inline(always)]
    #[must_use]
    pub fn clamp(self, lo: Self, hi: Self) -> Self {
        hi.min(lo.max(self))
    }
    /// Shift right with zeros shifted in; the amount is taken modulo the width.
    #[inline(always)]
    #[must_use]
    pub fn shr_logical<N: ShiftAmount<Self>>(self, n: N) -> Self {
        Self::of(self.isa, self.isa.shr_logical_i32(self.v, n.lanes(self).v))
    }
}

impl<I: Isa> ShiftAmount<DcInt<I>> for DcInt<I> {
    #[inline(always)]
    fn lanes(self, _like: DcInt<I>) -> DcInt<I> {
        self
    }
}
impl<I: Isa> ShiftAmount<DcInt<I>> for u32 {
    #[inline(always)]
    fn lanes(self, like: DcInt<I>) -> DcInt<I> {
        DcInt::splat(like.isa, self as i32)
    }
}
impl<I: Isa> ShiftAmount<DcInt<I>> for usize {
    #[inline(always)]
    fn lanes(self, like: DcInt<I>) -> DcInt<I> {
        DcInt::splat(like.isa, self as i32)
    }
}
