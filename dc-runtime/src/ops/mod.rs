//! The functions that the macro writes for the operators and literals of a kernel.
//!
//! They are functions of one type parameter instead of the operators themselves, so that inference works in both directions: in
//! `2.0 * x` the literal takes the type of `x`. Index arithmetic (`usize`) and constant conditions (`bool`) use the same
//! functions.
//!
//! | file | what |
//! |---|---|
//! | `literal` | literals and constants |
//! | `table` | tables and their indices |
//! | `arithmetic`, `bits`, `compare` | operators |
//! | `branch` | `if` |
//! | `fence` | fences that keep the order of a kernel's operations |

macro_rules! binary_trait {
    ($(#[$doc:meta])* $trait:ident, $what:literal, $($name:ident),*) => {
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = $what, label = "not an operand of this operator in a kernel")]
        pub trait $trait: Copy {
            $(
                #[doc = concat!("`", stringify!($name), "`")]
                fn $name(a: Self, b: Self) -> Self;
            )*
        }
        $(
            #[doc = concat!("Operator `", stringify!($name), "`.")]
            #[inline(always)]
            pub fn $name<T: $trait>(a: T, b: T) -> T {
                T::$name(a, b)
            }
        )*
    };
}

mod arithmetic;
mod bits;
mod branch;
mod compare;
mod fence;
mod literal;
mod table;

pub use arithmetic::{Arithmetic, Divide, Negate, Remainder, add, div, mul, neg, rem, sub};
pub use bits::{Bitwise, Invert, Logic, Shift, and, and_also, not, or, or_else, shl, shr, xor};
pub use branch::{Condition, Merge, merge, takes_else, takes_then};
pub use compare::{Compare, eq, ge, gt, le, lt, ne};
pub use fence::{Fence, fence};
pub use literal::{Const, FromFloat, FromInt, constant, float, index_lanes, int};
pub use table::{Elem, TableIndex, table};

use crate::types::HasIsa;

/// The token of a value.
#[inline(always)]
pub fn isa_of<T: HasIsa>(x: &T) -> T::Isa {
    x.isa()
}
