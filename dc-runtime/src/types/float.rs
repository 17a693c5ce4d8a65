//! `DcDouble` and `DcFloat`.

use super::{DcMask, composed, directed, lanes};
use crate::isa::{Direction, Isa};

/// A type of floating-point lanes: its name, the lanes, the plain type, and the operations of an instruction set.
macro_rules! float {
    (
        $(#[$doc:meta])* $name:ident, $assoc:ident, $plain:ident;
        $splat:ident $load:ident $select:ident $store:ident $canonical:ident $fma:ident $sub_as_fma:ident
        $sqrt:ident $div:ident $neg:ident $add_directed:ident $mul_directed:ident $div_directed:ident
        $sqrt_directed:ident $fma_directed:ident $abs:ident $copysign:ident $min:ident $max:ident $eq:ident
        $ne:ident $bits:ident $floor:ident $ceil:ident $trunc:ident $round_ties_even:ident $lt:ident
        $splat_int:ident
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
            /// Stores the lanes in the first elements of a slice. NaNs become canonical.
            ///
            /// # Panics
            /// If the slice is shorter than `I::LANES`.
            #[inline(always)]
            pub fn store(self, out: &mut [$plain]) {
                self.isa.$store(self.isa.$canonical(self.v), out);
            }
            /// `self * b + c`, rounded once.
            #[inline(always)]
            #[must_use]
            pub fn mul_add(self, b: Self, c: Self) -> Self {
                Self::of(self.isa, self.isa.$fma(self.v, b.v, c.v))
            }
            /// `self - b`, with the same bits as the operator. AVX-512 executes it as a fused multiply-add, so it does not occupy the
            /// adders: see the page *Operations* of the book.
            #[inline(always)]
            #[must_use]
            pub fn sub_as_fma(self, b: Self) -> Self {
                Self::of(self.isa, self.isa.$sub_as_fma(self.v, b.v))
            }
            /// Square root, correctly rounded.
            #[inline(always)]
            #[must_use]
            pub fn sqrt(self) -> Self {
                Self::of(self.isa, self.isa.$sqrt(self.v))
            }
            /// `1 / self`, correctly rounded.
            #[inline(always)]
            #[must_use]
            pub fn recip(self) -> Self {
                Self::of(self.isa, self.isa.$div(self.isa.$splat(1.0), self.v))
            }
            directed! {
                $splat(1.0), $neg, $add_directed, $mul_directed, $div_directed, $sqrt_directed, $fma_directed;
                add_rz sub_rz mul_rz div_rz recip_rz sqrt_rz mul_add_rz = Zero, "toward zero";
                add_ru sub_ru mul_ru div_ru recip_ru sqrt_ru mul_add_ru = Up, "toward +∞";
                add_rd sub_rd mul_rd div_rd recip_rd sqrt_rd mul_add_rd = Down, "toward −∞";
            }
            /// The magnitude: the sign bit is cleared.
            #[inline(always)]
            #[must_use]
            pub fn abs(self) -> Self {
                Self::of(self.isa, self.isa.$abs(self.v))
            }
            /// The magnitude of `self` with the sign of `sign` (+ if `sign` is a NaN).
            #[inline(always)]
            #[must_use]
            pub fn copysign(self, sign: Self) -> Self {
                Self::of(
                    self.isa,
                    self.isa
                        .$copysign(self.v, self.isa.$canonical(sign.v)),
                )
            }
            /// `if self < b { self } else { b }`. So it is `b` if either is NaN or both are zero; [`minimum`](Self::minimum) keeps a NaN.
            #[inline(always)]
            #[must_use]
            pub fn min(self, b: Self) -> Self {
                Self::of(self.isa, self.isa.$min(self.v, b.v))
            }
            /// `if self > b { self } else { b }`. So it is `b` if either is NaN or both are zero; [`maximum`](Self::maximum) keeps a NaN.
            #[inline(always)]
            #[must_use]
            pub fn max(self, b: Self) -> Self {
                Self::of(self.isa, self.isa.$max(self.v, b.v))
            }
            composed! { $eq, $ne, $select, $bits, $lt, $splat_int }
            /// The largest integer that is not above `self`.
            #[inline(always)]
            #[must_use]
            pub fn floor(self) -> Self {
                Self::of(self.isa, self.isa.$floor(self.v))
            }
            /// The smallest integer that is not below `self`.
            #[inline(always)]
            #[must_use]
            pub fn ceil(self) -> Self {
                Self::of(self.isa, self.isa.$ceil(self.v))
            }
            /// The integer part: `self` rounded toward zero.
            #[inline(always)]
            #[must_use]
            pub fn trunc(self) -> Self {
                Self::of(self.isa, self.isa.$trunc(self.v))
            }
            /// The nearest integer, ties to even.
            #[inline(always)]
            #[must_use]
            pub fn round_ties_even(self) -> Self {
                Self::of(self.isa, self.isa.$round_ties_even(self.v))
            }
            /// Whether `self` is NaN.
            #[inline(always)]
            #[must_use]
            pub fn is_nan(self) -> DcMask<I> {
                DcMask {
                    v: self.isa.$ne(self.v, self.v),
                    isa: self.isa,
                }
            }
            /// Whether the sign bit is set; false for every NaN.
            #[inline(always)]
            #[must_use]
            pub fn is_sign_negative(self) -> DcMask<I> {
                let bits = self.isa.$bits(self.isa.$canonical(self.v));
                DcMask {
                    v: self.isa.$lt(bits, self.isa.$splat_int(0)),
                    isa: self.isa,
                }
            }
        }
    };
}

float! {
    /// Binary64 lanes.
    DcDouble, F64, f64;
    splat_f64 load_f64 select_f64 store_f64 canonical_f64 fma_f64 sub_as_fma_f64 sqrt_f64 div_f64 neg_f64
    add_directed_f64 mul_directed_f64 div_directed_f64 sqrt_directed_f64 fma_directed_f64 abs_f64 copysign_f64
    min_f64 max_f64 eq_f64 ne_f64 bits_f64 floor_f64 ceil_f64 trunc_f64 round_ties_even_f64 lt_i64 splat_i64
}

float! {
    /// Binary32 lanes.
    DcFloat, F32, f32;
    splat_f32 load_f32 select_f32 store_f32 canonical_f32 fma_f32 sub_as_fma_f32 sqrt_f32 div_f32 neg_f32
    add_directed_f32 mul_directed_f32 div_directed_f32 sqrt_directed_f32 fma_directed_f32 abs_f32 copysign_f32
    min_f32 max_f32 eq_f32 ne_f32 bits_f32 floor_f32 ceil_f32 trunc_f32 round_ties_even_f32 lt_i32 splat_i32
}
