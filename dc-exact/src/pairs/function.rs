//! The functions, and the sizes of their arguments.

use super::atoms::Size;
use super::space::PairBox;

/// A function of two arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// √(x² + y²).
    Hypot,
    /// x / y.
    Div,
}

/// The sizes of the arguments relative to the scale of a function.
pub(super) fn sizes(function: Function, pairs: &PairBox) -> [Option<Size>; 2] {
    match function {
        Function::Hypot => pairs.shares().map(|[least, most]| {
            Some(Size {
                most,
                least,
                of: [4, 0],
            })
        }),
        Function::Div => [[4, 0], [0, 4]].map(|of| {
            Some(Size {
                most: 1.0,
                least: 1.0,
                of,
            })
        }),
    }
}
