//! `DcMask`.

use super::{Selectable, lanes};
use crate::isa::Isa;

lanes! {
    /// Lanes of truth values: the result of a comparison of lanes.
    DcMask, Mask, bool, splat_mask, load_mask, select_mask
}

impl<I: Isa> DcMask<I> {
    /// Stores the lanes in the first elements of a slice.
    ///
    /// # Panics
    /// If the slice is shorter than `I::LANES`.
    #[inline(always)]
    pub fn store(self, out: &mut [bool]) {
        self.isa.store_mask(self.v, out);
    }
    /// `a` in the lanes where the mask is true, `b` in the others.
    #[inline(always)]
    #[must_use]
    pub fn select<T: Selectable<I>>(self, a: T, b: T) -> T {
        T::select(self, a, b)
    }
    /// Whether any lane is true. For loops around kernels; kernels cannot call it.
    #[inline(always)]
    #[must_use]
    pub fn any(self) -> bool {
        self.isa.any(self.v)
    }
    /// The number of true lanes. For loops around kernels; kernels cannot call it.
    #[inline(always)]
    #[must_use]
    pub fn count(self) -> u32 {
        self.isa.count(self.v)
    }
}
