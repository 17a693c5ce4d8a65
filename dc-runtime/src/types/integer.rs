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

/// A type of integer lanes: its name, the lanes, the plain type, and the operations of an instruction set.
macro_rules! integer {
    (
        $(#[$doc:meta])* $name:ident, $assoc:ident, $plain:ident,
        $splat:ident, $load:ident, $store:ident, $select:ident, $lt:ident, $shr_logical:ident
    ) => {
        lanes! {
            $(#[$doc])*
            $name, $assoc, $plain, $splat, $load, $select
        }

        impl<I: Isa> $name<I> {
            #[inline(always)]
            pub(crate) fn of(isa: I, v: I::$assoc) -> Self {
                Self { v, isa }
            }
            /// Stores the lanes in the first elements of a slice.
            ///
            /// # Panics
            /// If the slice is shorter than `I::LANES`.
            #[inline(always)]
            pub fn store(self, out: &mut [$plain]) {
                self.isa.$store(self.v, out);
            }
            /// The smaller number, signed.
            #[inline(always)]
            #[must_use]
            pub fn min(self, b: Self) -> Self {
                let isa = self.isa;
                Self::of(isa, isa.$select(isa.$lt(self.v, b.v), self.v, b.v))
            }
            /// The larger number, signed.
            #[inline(always)]
            #[must_use]
            pub fn max(self, b: Self) -> Self {
                let isa = self.isa;
                Self::of(isa, isa.$select(isa.$lt(b.v, self.v), self.v, b.v))
            }
            /// `lo` if `self` is below `lo`, `hi` if it is above `hi`, and `self` otherwise; signed. `hi` if `lo` is greater than `hi`.
            #[inline(always)]
            #[must_use]
            pub fn clamp(self, lo: Self, hi: Self) -> Self {
                hi.min(lo.max(self))
            }
            /// Shift right with zeros shifted in. The amount is taken modulo the width.
            #[inline(always)]
            #[must_use]
            pub fn shr_logical<N: ShiftAmount<Self>>(self, n: N) -> Self {
                Self::of(self.isa, self.isa.$shr_logical(self.v, n.lanes(self).v))
            }
        }

        impl<I: Isa> ShiftAmount<$name<I>> for $name<I> {
            #[inline(always)]
            fn lanes(self, _like: $name<I>) -> $name<I> {
                self
            }
        }
        impl<I: Isa> ShiftAmount<$name<I>> for u32 {
            #[inline(always)]
            fn lanes(self, like: $name<I>) -> $name<I> {
                $name::splat(like.isa, self as $plain)
            }
        }
        impl<I: Isa> ShiftAmount<$name<I>> for usize {
            #[inline(always)]
            fn lanes(self, like: $name<I>) -> $name<I> {
                $name::splat(like.isa, self as $plain)
            }
        }
    };
}

integer! {
    /// 64-bit integer lanes; arithmetic wraps.
    DcLong, I64, i64, splat_i64, load_i64, store_i64, select_i64, lt_i64, shr_logical_i64
}

integer! {
    /// 32-bit integer lanes; arithmetic wraps.
    DcInt, I32, i32, splat_i32, load_i32, store_i32, select_i32, lt_i32, shr_logical_i32
}
