//! MPFR, with which references are compared at any precision.

pub use rug;
use rug::{Assign as _, Float};

use crate::types::DoubleDouble;

/// Sets `z` to the sum of both words, rounded to the precision of `z`.
pub fn set(z: &mut Float, x: DoubleDouble) {
    z.assign(x.hi);
    *z += x.lo;
}
