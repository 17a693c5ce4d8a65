//! `DcDoubleDouble`, `DoubleDouble`.

use super::{DcDouble, DcMask, HasIsa, Selectable};
use crate::isa::Isa;

/// A double-double in lanes: the unevaluated sum `hi + lo`. If it is normalised, `|lo| <= ulp(hi) / 2`.
#[derive(Clone, Copy, Debug)]
pub struct DcDoubleDouble<I: Isa> {
    /// Leading word.
    pub hi: DcDouble<I>,
    /// Trailing word.
    pub lo: DcDouble<I>,
}

impl<I: Isa> DcDoubleDouble<I> {
    /// A double-double of these two words, which are not normalised.
    #[inline(always)]
    #[must_use]
    pub fn new(hi: DcDouble<I>, lo: DcDouble<I>) -> Self {
        Self { hi, lo }
    }
}

impl<I: Isa> HasIsa for DcDoubleDouble<I> {
    type Isa = I;
    #[inline(always)]
    fn isa(&self) -> I {
        self.hi.isa
    }
}

impl<I: Isa> Selectable<I> for DcDoubleDouble<I> {
    #[inline(always)]
    fn select(m: DcMask<I>, a: Self, b: Self) -> Self {
        Self {
            hi: DcDouble::select(m, a.hi, b.hi),
            lo: DcDouble::select(m, a.lo, b.lo),
        }
    }
}

/// A double-double outside kernels: the unevaluated sum `hi + lo`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct DoubleDouble {
    /// Leading word.
    pub hi: f64,
    /// Trailing word.
    pub lo: f64,
}
