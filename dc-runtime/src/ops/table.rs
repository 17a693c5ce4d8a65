//! Tables and their indices.

use super::Const;
use crate::isa::Isa;
use crate::types::{DcDouble, DcFloat, DcInt, DcLong};

/// Element types of tables.
#[diagnostic::on_unimplemented(
    message = "a table of `{Self}` cannot be used in a kernel",
    label = "table elements are `f64`, `f32`, `i64`, `u64`, `i32` or `u32`"
)]
pub trait Elem: Const {
    /// Elements at 64-bit indices.
    fn gather<I: Isa>(isa: I, table: &[Self], index: DcLong<I>) -> Self::Lanes<I>;
    /// Elements at 32-bit indices.
    fn gather32<I: Isa>(isa: I, table: &[Self], index: DcInt<I>) -> Self::Lanes<I>;
}
macro_rules! elem {
    ($t:ty, $lanes:ident, $gather:ident, $gather32:ident, $view:expr) => {
        impl Elem for $t {
            #[inline(always)]
            fn gather<I: Isa>(isa: I, table: &[Self], index: DcLong<I>) -> $lanes<I> {
                $lanes::of(isa, isa.$gather($view(table), index.v))
            }
            #[inline(always)]
            fn gather32<I: Isa>(isa: I, table: &[Self], index: DcInt<I>) -> $lanes<I> {
                $lanes::of(isa, isa.$gather32($view(table), index.v))
            }
        }
    };
}
#[inline(always)]
fn signed64(t: &[u64]) -> &[i64] {
    // SAFETY: same length, and i64 and u64 have one size, one alignment and no invalid bits.
    unsafe { core::slice::from_raw_parts(t.as_ptr().cast(), t.len()) }
}
#[inline(always)]
fn signed32(t: &[u32]) -> &[i32] {
    // SAFETY: as `signed64`.
    unsafe { core::slice::from_raw_parts(t.as_ptr().cast(), t.len()) }
}
elem!(
    f64,
    DcDouble,
    gather_f64,
    gather32_f64,
    core::convert::identity
);
elem!(
    f32,
    DcFloat,
    gather_f32,
    gather32_f32,
    core::convert::identity
);
elem!(
    i64,
    DcLong,
    gather_i64,
    gather32_i64,
    core::convert::identity
);
elem!(
    i32,
    DcInt,
    gather_i32,
    gather32_i32,
    core::convert::identity
);
elem!(u64, DcLong, gather_i64, gather32_i64, signed64);
elem!(u32, DcInt, gather_i32, gather32_i32, signed32);

/// Types that can index a table.
#[diagnostic::on_unimplemented(
    message = "a table cannot be indexed by `{Self}`",
    label = "an index is an integer literal, a loop counter, a `usize` constant, a `DcLong` or a `DcInt`"
)]
pub trait TableIndex<I: Isa, E: Elem> {
    /// The element.
    fn at(self, isa: I, table: &[E]) -> E::Lanes<I>;
}
impl<I: Isa, E: Elem> TableIndex<I, E> for usize {
    #[inline(always)]
    fn at(self, isa: I, table: &[E]) -> E::Lanes<I> {
        table[self].lanes(isa)
    }
}
impl<I: Isa, E: Elem> TableIndex<I, E> for DcLong<I> {
    #[inline(always)]
    fn at(self, isa: I, table: &[E]) -> E::Lanes<I> {
        E::gather(isa, table, self)
    }
}
impl<I: Isa, E: Elem> TableIndex<I, E> for DcInt<I> {
    #[inline(always)]
    fn at(self, isa: I, table: &[E]) -> E::Lanes<I> {
        E::gather32(isa, table, self)
    }
}

/// `table[index]`. Lane indices are wrapped or clamped.
///
/// # Panics
/// If a constant index is past the end.
#[inline(always)]
pub fn table<I: Isa, E: Elem, X: TableIndex<I, E>>(isa: I, table: &[E], index: X) -> E::Lanes<I> {
    index.at(isa, table)
}
