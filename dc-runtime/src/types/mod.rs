//! Lane types of the language: `DcDouble` and the other types of a kernel's values.
//!
//! A value carries a token of its instruction set, so its operations need no token argument and are safe. Each operation has one bitwise definition,
//! on the page *Operations* of the book. If an operation uses the bits or the sign of a NaN, the NaN is first made canonical.

mod convert;
mod double;
mod float;
mod integer;
mod mask;
mod raw;

pub use double::{DcDoubleDouble, DoubleDouble};
pub use float::{DcDouble, DcFloat};
pub use integer::{DcInt, DcLong, ShiftAmount};
pub use mask::DcMask;

use crate::isa::Isa;

/// A lane value, or a type made of lane values, which carries a token.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a lane value",
    label = "expected `DcDouble`, `DcFloat`, `DcDoubleDouble`, `DcLong`, `DcInt`, `DcMask`, `DcHalf` or `DcBfloat`"
)]
pub trait HasIsa {
    /// Its instruction set.
    type Isa: Isa;
    /// The token it carries.
    fn isa(&self) -> Self::Isa;
}

/// Values that can be selected lane by lane: lane types and tuples of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be chosen lane by lane",
    label = "assigned or returned in an arm of an `if` on a `DcMask`",
    note = "only DC lane values can: an index or a constant must not depend on a mask"
)]
pub trait Selectable<I: Isa>: Copy {
    /// `a` in the lanes where the mask is true, `b` in the others.
    fn select(m: DcMask<I>, a: Self, b: Self) -> Self;
}

macro_rules! lanes {
    ($(#[$doc:meta])* $name:ident, $assoc:ident, $plain:ty, $splat:ident, $load:ident, $select:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<I: Isa> {
            pub(crate) v: I::$assoc,
            pub(crate) isa: I,
        }

        impl<I: Isa> crate::types::HasIsa for $name<I> {
            type Isa = I;
            #[inline(always)]
            fn isa(&self) -> I {
                self.isa
            }
        }

        impl<I: Isa> crate::types::Selectable<I> for $name<I> {
            #[inline(always)]
            fn select(m: crate::types::DcMask<I>, a: Self, b: Self) -> Self {
                Self { v: m.isa.$select(m.v, a.v, b.v), isa: m.isa }
            }
        }

        impl<I: Isa> $name<I> {
            /// The same value in every lane.
            #[inline(always)]
            pub fn splat(isa: I, x: $plain) -> Self {
                Self { v: isa.$splat(x), isa }
            }
            /// The first lanes of a slice.
            ///
            /// # Panics
            /// If the slice is shorter than `I::LANES`.
            #[inline(always)]
            pub fn load(isa: I, x: &[$plain]) -> Self {
                Self { v: isa.$load(x), isa }
            }
        }
    };
}
pub(crate) use lanes;

/// The directed operations of a floating-point type, one line of methods per direction.
macro_rules! directed {
    (
        $one:ident(1.0), $neg:ident, $add_f:ident, $mul_f:ident, $div_f:ident, $sqrt_f:ident, $fma_f:ident;
        $($add:ident $sub:ident $mul:ident $div:ident $recip:ident $sqrt:ident $mul_add:ident = $d:ident, $toward:literal;)+
    ) => {$(
        #[doc = concat!("`self + b`, rounded ", $toward, ".")]
        #[inline(always)]
        #[must_use]
        pub fn $add(self, b: Self) -> Self {
            Self::of(self.isa, self.isa.$add_f(Direction::$d, self.v, b.v))
        }
        #[doc = concat!("`self - b`, rounded ", $toward, ".")]
        #[inline(always)]
        #[must_use]
        pub fn $sub(self, b: Self) -> Self {
            Self::of(self.isa, self.isa.$add_f(Direction::$d, self.v, self.isa.$neg(b.v)))
        }
        #[doc = concat!("`self * b`, rounded ", $toward, ".")]
        #[inline(always)]
        #[must_use]
        pub fn $mul(self, b: Self) -> Self {
            Self::of(self.isa, self.isa.$mul_f(Direction::$d, self.v, b.v))
        }
        #[doc = concat!("`self / b`, rounded ", $toward, ".")]
        #[inline(always)]
        #[must_use]
        pub fn $div(self, b: Self) -> Self {
            Self::of(self.isa, self.isa.$div_f(Direction::$d, self.v, b.v))
        }
        #[doc = concat!("`1 / self`, rounded ", $toward, ".")]
        #[inline(always)]
        #[must_use]
        pub fn $recip(self) -> Self {
            Self::of(self.isa, self.isa.$div_f(Direction::$d, self.isa.$one(1.0), self.v))
        }
        #[doc = concat!("Square root, rounded ", $toward, ".")]
        #[inline(always)]
        #[must_use]
        pub fn $sqrt(self) -> Self {
            Self::of(self.isa, self.isa.$sqrt_f(Direction::$d, self.v))
        }
        #[doc = concat!("`self * b + c`, rounded once, ", $toward, ".")]
        #[inline(always)]
        #[must_use]
        pub fn $mul_add(self, b: Self, c: Self) -> Self {
            Self::of(self.isa, self.isa.$fma_f(Direction::$d, self.v, b.v, c.v))
        }
    )+};
}
pub(crate) use directed;

/// IEEE 754-2019's `minimum` and `maximum`, and `clamp`. The operations and their order are those of
/// `kernels_gen::lower`.
macro_rules! composed {
    ($eq:ident, $ne:ident, $select:ident, $bits:ident, $less:ident, $zero:ident) => {
        /// The smaller number. NaN if either is NaN; −0 is less than +0.
        #[inline(always)]
        #[must_use]
        pub fn minimum(self, b: Self) -> Self {
            self.extremum(b, b.min(self), b)
        }
        /// The larger number. NaN if either is NaN; +0 is greater than −0.
        #[inline(always)]
        #[must_use]
        pub fn maximum(self, b: Self) -> Self {
            self.extremum(b, b.max(self), self)
        }
        /// `lo` if `self` is below `lo`, `hi` if it is above `hi`, and `self` otherwise. A NaN stays a NaN, and a bound that is NaN has no
        /// effect. `hi` if `lo` is greater than `hi`.
        #[inline(always)]
        #[must_use]
        pub fn clamp(self, lo: Self, hi: Self) -> Self {
            hi.min(lo.max(self))
        }
        /// The extremum. For equal operands, `b` where `signed` is negative. `b` if it is NaN.
        #[inline(always)]
        fn extremum(self, b: Self, chosen: Self, signed: Self) -> Self {
            let isa = self.isa;
            let negative = isa.$less(isa.$bits(signed.v), isa.$zero(0));
            let tie = isa.$select(negative, b.v, self.v);
            let chosen = isa.$select(isa.$eq(self.v, b.v), tie, chosen.v);
            Self::of(isa, isa.$select(isa.$ne(b.v, b.v), b.v, chosen))
        }
    };
}
pub(crate) use composed;

macro_rules! selectable_tuple {
    ($($t:ident $n:tt),*) => {
        impl<I: Isa, $($t: Selectable<I>),*> Selectable<I> for ($($t,)*) {
            #[inline(always)]
            #[allow(unused_variables, clippy::unused_unit, reason = "the empty tuple uses neither")]
            fn select(m: DcMask<I>, a: Self, b: Self) -> Self {
                ($($t::select(m, a.$n, b.$n),)*)
            }
        }
    };
}
selectable_tuple!();
selectable_tuple!(A 0);
selectable_tuple!(A 0, B 1);
selectable_tuple!(A 0, B 1, C 2);
selectable_tuple!(A 0, B 1, C 2, D 3);
selectable_tuple!(A 0, B 1, C 2, D 3, E 4);
selectable_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
selectable_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
selectable_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
selectable_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8);
selectable_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8, K 9);
selectable_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8, K 9, L 10);
selectable_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, J 8, K 9, L 10, M 11);

macro_rules! has_isa_tuple {
    ($($t:ident),*) => {
        impl<First: HasIsa, $($t),*> HasIsa for (First, $($t,)*) {
            type Isa = First::Isa;
            #[inline(always)]
            fn isa(&self) -> First::Isa {
                self.0.isa()
            }
        }
    };
}
has_isa_tuple!();
has_isa_tuple!(A);
has_isa_tuple!(A, B);
has_isa_tuple!(A, B, C);
has_isa_tuple!(A, B, C, D);
has_isa_tuple!(A, B, C, D, E);
has_isa_tuple!(A, B, C, D, E, F);
has_isa_tuple!(A, B, C, D, E, F, G);
