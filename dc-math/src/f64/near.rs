//! Functions whose large arguments need a long reduction: groups without these are computed without it.

use super::trigonometric as kernels;
use crate::quick::quick;
use dc_runtime::prelude::*;

/// Whether an argument needs the long reduction.
#[crunch]
fn is_far(x: DcDouble) -> DcMask {
    !(x.abs() <= kernels::NEAR)
}

quick! { F64 f64 DcDouble;
    /// sin x in binary64, error at most 0.55 ULP.
    sin = kernels::sin, kernels::sin_near, unless is_far;
    /// cos x in binary64, error at most 0.55 ULP.
    cos = kernels::cos, kernels::cos_near, unless is_far;
    /// tan x in binary64, error at most 0.55 ULP.
    tan = kernels::tan, kernels::tan_near, unless is_far;
}
