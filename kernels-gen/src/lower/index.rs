//! Arithmetic on index values, which is evaluated during lowering and checked.

use super::value::Lowered;
use crate::ir::BinOp;

/// The value of `a op b` on index values.
///
/// # Errors
/// The reason why there is no value: overflow, underflow or division by zero. `None` inside means that the operator does not exist.
pub(super) fn binary(op: BinOp, a: usize, b: usize) -> Result<Option<Lowered>, String> {
    let symbol = op.symbol();
    let number = |r: Option<usize>| match r {
        Some(n) => Ok(Some(Lowered::Index(n))),
        None if b == 0 && matches!(op, BinOp::Div | BinOp::Rem) => Err(format!(
            "the index expression {a} {symbol} 0 divides by zero"
        )),
        None => Err(format!(
            "the index expression {a} {symbol} {b} is outside of `usize`"
        )),
    };
    let shift = u32::try_from(b).ok();
    match op {
        BinOp::Add => number(a.checked_add(b)),
        BinOp::Sub => number(a.checked_sub(b)),
        BinOp::Mul => number(a.checked_mul(b)),
        BinOp::Div => number(a.checked_div(b)),
        BinOp::Rem => number(a.checked_rem(b)),
        BinOp::And => number(Some(a & b)),
        BinOp::Or => number(Some(a | b)),
        BinOp::Xor => number(Some(a ^ b)),
        // As in Rust, bits may be shifted out at the top; only an amount of 64 or more is an overflow.
        BinOp::Shl => number(shift.and_then(|s| a.checked_shl(s))),
        BinOp::Shr => number(shift.and_then(|s| a.checked_shr(s))),
        BinOp::Lt => Ok(Some(Lowered::Bool(a < b))),
        BinOp::Le => Ok(Some(Lowered::Bool(a <= b))),
        BinOp::Gt => Ok(Some(Lowered::Bool(a > b))),
        BinOp::Ge => Ok(Some(Lowered::Bool(a >= b))),
        BinOp::Eq => Ok(Some(Lowered::Bool(a == b))),
        BinOp::Ne => Ok(Some(Lowered::Bool(a != b))),
        BinOp::AndAlso | BinOp::OrElse => Ok(None),
    }
}

/// The value of `a op b` on `bool`s.
pub(super) fn binary_bool(op: BinOp, a: bool, b: bool) -> Option<bool> {
    match op {
        BinOp::And | BinOp::AndAlso => Some(a & b),
        BinOp::Or | BinOp::OrElse => Some(a | b),
        BinOp::Xor | BinOp::Ne => Some(a ^ b),
        BinOp::Eq => Some(a == b),
        _ => None,
    }
}

/// The values a loop counter takes: `first + i * step` for `i < len`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sequence {
    first: i128,
    step: i128,
    /// The number of values.
    pub len: i128,
}

impl Sequence {
    pub fn range(start: usize, end: usize, inclusive: bool) -> Self {
        let (first, end) = (start as i128, end as i128 + i128::from(inclusive));
        Sequence {
            first,
            step: 1,
            len: (end - first).max(0),
        }
    }
    pub fn rev(self) -> Self {
        // An empty sequence stays empty, whatever its first value is.
        Sequence {
            first: self.first + (self.len - 1).max(0) * self.step,
            step: -self.step,
            len: self.len,
        }
    }
    /// `k` is at least 1.
    pub fn step_by(self, k: usize) -> Self {
        let k = k as i128;
        Sequence {
            first: self.first,
            // If there is more than one element the step fits (it is smaller than the range is long); else it is never
            // applied.
            step: self.step.saturating_mul(k),
            len: self.len.div_euclid(k) + i128::from(self.len % k != 0),
        }
    }
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..self.len).map(move |i| {
            usize::try_from(self.first + i * self.step).expect("an element of a range of usize")
        })
    }
}
