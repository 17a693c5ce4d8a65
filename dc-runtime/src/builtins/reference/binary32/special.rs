//! Special values.

use crate::prelude::*;

pub(super) const INFINITY: f64 = f64::INFINITY;
pub(super) const NAN: f64 = f64::NAN;

/// `y`, but `x` itself if that is ±0: for functions that are 0 at 0 and keep its sign.
#[crunch]
pub(super) fn keep_zero(x: DcDouble, y: DcDouble) -> DcDouble {
    if x == 0.0 { x } else { y }
}
