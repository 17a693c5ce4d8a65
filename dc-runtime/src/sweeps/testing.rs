//! A wrong routine, for tests that must notice it.

use crate::prelude::*;
use crate::sweeps::exp_cephes;

/// `exp`, but wrong in the range in which programs call it: an attack on version 0.1, which took 62 of 64 stretches below 1.01e-7.
#[crunch]
pub fn exp_42(x: DcDouble) -> DcDouble {
    let a = x.abs();
    let y = exp_cephes(x);
    if (a > 2e-7) & (a < 0.999) | (a > 1.001) & (a < 709.0) {
        42.0
    } else {
        y
    }
}
