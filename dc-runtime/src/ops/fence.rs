//! Fences that prevent the compiler's scheduler from undoing the order of a kernel's operations; see `isa/fence.rs`.

use crate::isa::Isa;
use crate::types::{DcDouble, DcDoubleDouble, DcFloat, DcInt, DcLong, DcMask};

/// Values that can be fenced: results of a kernel's functions and variables assigned in loops.
pub trait Fence {
    /// The same value.
    #[must_use]
    fn fence(self) -> Self;
}

/// Returns the same value. For groups of registers, it is a barrier for the compiler's scheduler.
#[inline(always)]
pub fn fence<T: Fence>(x: T) -> T {
    x.fence()
}

impl Fence for () {
    #[inline(always)]
    fn fence(self) {}
}
impl<I: Isa> Fence for DcDouble<I> {
    #[inline(always)]
    fn fence(self) -> Self {
        Self::of(self.isa, self.isa.fence_f64(self.v))
    }
}
impl<I: Isa> Fence for DcFloat<I> {
    #[inline(always)]
    fn fence(self) -> Self {
        Self::of(self.isa, self.isa.fence_f32(self.v))
    }
}
impl<I: Isa> Fence for DcDoubleDouble<I> {
    #[inline(always)]
    fn fence(self) -> Self {
        DcDoubleDouble {
            hi: self.hi.fence(),
            lo: self.lo.fence(),
        }
    }
}

/// Index arithmetic is done by the compiler.
macro_rules! plain {
    ($($t:ty),*) => {$(
        impl Fence for $t {
            #[inline(always)]
            fn fence(self) -> Self {
                self
            }
        }
    )*};
}
plain!(usize, bool);
/// Integers and masks have little latency to hide.
macro_rules! unfenced {
    ($($t:ident),*) => {$(
        impl<I: Isa> Fence for $t<I> {
            #[inline(always)]
            fn fence(self) -> Self {
                self
            }
        }
    )*};
}
unfenced!(DcInt, DcLong, DcMask);
macro_rules! fence_tuple {
    ($($t:ident $n:tt),*) => {
        impl<$($t: Fence),*> Fence for ($($t,)*) {
            #[inline(always)]
            fn fence(self) -> Self {
                ($(self.$n.fence(),)*)
            }
        }
    };
}
fence_tuple!(A 0);
fence_tuple!(A 0, B 1);
fence_tuple!(A 0, B 1, C 2);
fence_tuple!(A 0, B 1, C 2, D 3);
fence_tuple!(A 0, B 1, C 2, D 3, E 4);
fence_tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
fence_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
fence_tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
