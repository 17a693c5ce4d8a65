//! Functions for which some arguments need a long computation: large arguments a long reduction, negative arguments of `lgamma` the double-double
//! reference. Groups of lanes without such arguments skip it.

use super::{gamma, trigonometric};
use crate::quick::quick;
use dc_runtime::prelude::*;

/// Whether an argument needs the long reduction.
#[crunch]
fn is_far(x: DcDouble) -> DcMask {
    !(x.abs() <= trigonometric::NEAR)
}

/// Whether an argument is negative, 0 or NaN.
#[crunch]
fn is_not_positive(x: DcDouble) -> DcMask {
    !(x > 0.0)
}

quick! { F64 f64 DcDouble;
    /// sin x in binary64, error at most 0.55 ULP.
    sin = trigonometric::sin, trigonometric::sin_near, unless is_far;
    /// cos x in binary64, error at most 0.55 ULP.
    cos = trigonometric::cos, trigonometric::cos_near, unless is_far;
    /// tan x in binary64, error at most 0.55 ULP.
    tan = trigonometric::tan, trigonometric::tan_near, unless is_far;
    /// ln |Γ(x)| in binary64, error at most 0.55 ULP for positive numbers.
    lgamma = gamma::lgamma, gamma::lgamma_positive, unless is_not_positive;
}
