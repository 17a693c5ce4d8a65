//! `if`.

use crate::isa::Isa;
use crate::types::{DcMask, Selectable};

/// The condition of an `if`. With a constant `bool` one arm is evaluated, with a mask both are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition",
    label = "an `if` in a kernel tests a `DcMask` or a constant `bool`"
)]
pub trait Condition {
    /// Whether the first arm is evaluated.
    fn takes_then(&self) -> bool;
    /// Whether the second arm is evaluated.
    fn takes_else(&self) -> bool;
}
/// How the values of the arms are combined.
pub trait Merge<T>: Condition {
    /// The value of the evaluated arm, or both values selected lane by lane.
    fn merge(self, then: Option<T>, otherwise: Option<T>) -> T;
}
impl Condition for bool {
    #[inline(always)]
    fn takes_then(&self) -> bool {
        *self
    }
    #[inline(always)]
    fn takes_else(&self) -> bool {
        !*self
    }
}
impl<T> Merge<T> for bool {
    #[inline(always)]
    fn merge(self, then: Option<T>, otherwise: Option<T>) -> T {
        match (then, otherwise) {
            (Some(x), _) | (None, Some(x)) => x,
            (None, None) => unreachable!("one arm of an `if` is always taken"),
        }
    }
}
impl<I: Isa> Condition for DcMask<I> {
    #[inline(always)]
    fn takes_then(&self) -> bool {
        true
    }
    #[inline(always)]
    fn takes_else(&self) -> bool {
        true
    }
}
impl<I: Isa, T: Selectable<I>> Merge<T> for DcMask<I> {
    #[inline(always)]
    fn merge(self, then: Option<T>, otherwise: Option<T>) -> T {
        match (then, otherwise) {
            (Some(a), Some(b)) => T::select(self, a, b),
            _ => unreachable!("a mask evaluates both arms"),
        }
    }
}
/// Whether the first arm is evaluated.
#[inline(always)]
pub fn takes_then<C: Condition>(c: &C) -> bool {
    c.takes_then()
}
/// Whether the second arm is evaluated.
#[inline(always)]
pub fn takes_else<C: Condition>(c: &C) -> bool {
    c.takes_else()
}
/// The value after the `if`, from the values of the arms.
#[inline(always)]
pub fn merge<T, C: Merge<T>>(c: C, then: Option<T>, otherwise: Option<T>) -> T {
    c.merge(then, otherwise)
}
