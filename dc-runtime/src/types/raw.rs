//! Lanes of the same instruction set without canonical NaNs, and back.

use super::{DcDouble, DcFloat};
use crate::isa::{Isa, Raw};

macro_rules! raw {
    ($($lanes:ident $number:ident),+) => {$(
        impl<I: Isa> $lanes<I> {
            /// The same lanes, for a kernel in which no NaN's bits matter: where its argument is a NaN, its result is discarded or is a
            /// NaN.
            #[doc(hidden)]
            #[inline(always)]
            #[must_use]
            pub fn raw(self) -> $lanes<Raw<I>> {
                $lanes::of(Raw(self.isa), self.v)
            }
        }
        impl<I: Isa> $lanes<Raw<I>> {
            /// The result of such a kernel.
            #[doc(hidden)]
            #[inline(always)]
            #[must_use]
            pub fn cooked(self) -> $lanes<I> {
                $lanes::of(self.isa.0, self.v)
            }
            /// The result of such a kernel on an instruction set with one lane.
            #[doc(hidden)]
            #[inline(always)]
            #[must_use]
            pub fn single_canonical(self) -> $number {
                let mut out = [0.0; 1];
                self.cooked().store(&mut out);
                out[0]
            }
            /// The same where the result is no NaN.
            #[doc(hidden)]
            #[inline(always)]
            #[must_use]
            pub fn single(self) -> $number {
                let mut out = [0.0; 1];
                self.store(&mut out);
                out[0]
            }
        }
    )+};
}
raw! { DcDouble f64, DcFloat f32 }
