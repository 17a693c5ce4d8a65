//! Selects the constants that are varied.

use std::fmt;

use kernels_gen::constants::Constant;
use kernels_gen::ops::Op;

use super::tuner::value;

/// The reason why a constant is not varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It is zero.
    Zero,
    /// It is infinite or NaN.
    Special,
    /// It is a power of two, or a number whose addition rounds to integers.
    Exact,
    /// It is a whole number.
    Whole,
    /// It is the limit of a comparison.
    Threshold,
    /// The request says so.
    Asked,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kept::Zero => "zero",
            Kept::Special => "no finite number",
            Kept::Exact => "a power of two",
            Kept::Whole => "a whole number",
            Kept::Threshold => "only compared or clamped with",
            Kept::Asked => "--keep",
        })
    }
}

/// The reason why a constant is not varied, unless the request asks for it; `None` if it is varied.
#[must_use]
pub fn kept(constant: &Constant) -> Option<Kept> {
    let x = value(constant.ty, constant.bits);
    let compares = |op: &Op| {
        matches!(
            op,
            Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne | Op::Min | Op::Max
        )
    };
    if x == 0.0 {
        Some(Kept::Zero)
    } else if !x.is_finite() {
        Some(Kept::Special)
    } else if x.to_bits() << 12 == 0 {
        Some(Kept::Exact)
    } else if x == x.trunc() {
        Some(Kept::Whole)
    } else if !constant.uses.is_empty() && constant.uses.iter().all(compares) {
        Some(Kept::Threshold)
    } else {
        None
    }
}
