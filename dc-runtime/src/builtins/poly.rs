//! Polynomial evaluation.

use crate::prelude::*;

/// `c[0] + c[1] x + … + c[n] x^n` by Horner's scheme, one fused multiply-add a coefficient. Degree = `c.len() - 1`.
#[crunch]
pub fn horner(x: DcDouble, c: &[f64]) -> DcDouble {
    let mut y = c[c.len() - 1];
    for i in (0..c.len() - 1).rev() {
        y = y.mul_add(x, c[i]);
    }
    y
}

/// `horner` in binary32.
#[crunch]
pub fn horner_f32(x: DcFloat, c: &[f32]) -> DcFloat {
    let mut y = c[c.len() - 1];
    for i in (0..c.len() - 1).rev() {
        y = y.mul_add(x, c[i]);
    }
    y
}
