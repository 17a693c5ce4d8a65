//! `DcMask`.

use super::{Selectable, lanes};
use crate::isa::Isa;

lanes! {
    /// Lanes of truth values: the result of a comparison of lanes.
    DcMask, Mask, bool, splat_mask, load_mask, select_mask
}

impl<I: Isa> DcMask<I> {
    /// Stores the lanes.
    ///
    /// # Panics
    /// If the slice is shorter than `I::LANES`.
    #[inline(always)]
    pub fn store(self, out: &mut [bool]) {
        self.isa.store_mask(self.v, out);
    }
    /// `a` where true, `b` elsewhere.
    #[inline(always)]
    #[must_use]
    pub fn select<T: Selectable<I>>(self, a: T, b: T) -> T {
        T::select(self, a, b)
    }
    /// Whether any lane is true. This is not for kernels but for loops around them.
    #[inline(always)]
    #[must_use]
    pub fn any(self) -> bool {
        self.isa.any(self.v)
    }
    /// Number of true lanes. This is not for kernels but for loops around them.
    #[inline(always)]
    #[must_use]
    pub fn count(self) -> u32 {
        self.isa.count(self.v)
    }
}
