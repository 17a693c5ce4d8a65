//! Bits and truth values: `&`, `|`, `^`, `&&`, `||`, `!` and shifts.

use crate::isa::Isa;
use crate::types::{DcInt, DcLong, DcMask, ShiftAmount};

binary_trait!(
    /// `&`, `|`, `^`
    Bitwise,
    "`{Self}` has no `&`, `|`, `^`: for floats take `to_bits()` first",
    and, or, xor
);
binary_trait!(
    /// `&&`, `||`
    Logic,
    "`{Self}` is not a truth value",
    and_also, or_else
);

macro_rules! lane_bitwise {
    ($($lanes:ident $and:ident $or:ident $xor:ident),*) => {$(
        impl<I: Isa> Bitwise for $lanes<I> {
            #[inline(always)]
            fn and(a: Self, b: Self) -> Self {
                Self { v: a.isa.$and(a.v, b.v), isa: a.isa }
            }
            #[inline(always)]
            fn or(a: Self, b: Self) -> Self {
                Self { v: a.isa.$or(a.v, b.v), isa: a.isa }
            }
            #[inline(always)]
            fn xor(a: Self, b: Self) -> Self {
                Self { v: a.isa.$xor(a.v, b.v), isa: a.isa }
            }
        }
    )*};
}
lane_bitwise!(DcLong and_i64 or_i64 xor_i64, DcInt and_i32 or_i32 xor_i32, DcMask and_mask or_mask xor_mask);
macro_rules! plain_bitwise {
    ($($t:ty),*) => {$(
        impl Bitwise for $t {
            #[inline(always)]
            fn and(a: Self, b: Self) -> Self {
                a & b
            }
            #[inline(always)]
            fn or(a: Self, b: Self) -> Self {
                a | b
            }
            #[inline(always)]
            fn xor(a: Self, b: Self) -> Self {
                a ^ b
            }
        }
    )*};
}
plain_bitwise!(bool, usize);
impl Logic for bool {
    #[inline(always)]
    fn and_also(a: Self, b: Self) -> Self {
        a & b
    }
    #[inline(always)]
    fn or_else(a: Self, b: Self) -> Self {
        a | b
    }
}
impl<I: Isa> Logic for DcMask<I> {
    #[inline(always)]
    fn and_also(a: Self, b: Self) -> Self {
        Bitwise::and(a, b)
    }
    #[inline(always)]
    fn or_else(a: Self, b: Self) -> Self {
        Bitwise::or(a, b)
    }
}

/// Unary `!`.
#[diagnostic::on_unimplemented(message = "`{Self}` has no `!` in a kernel")]
pub trait Invert {
    /// `!self`
    fn invert(self) -> Self;
}
impl<I: Isa> Invert for DcMask<I> {
    #[inline(always)]
    fn invert(self) -> Self {
        Self {
            v: self.isa.not_mask(self.v),
            isa: self.isa,
        }
    }
}
impl<I: Isa> Invert for DcLong<I> {
    #[inline(always)]
    fn invert(self) -> Self {
        Self::of(self.isa, self.isa.xor_i64(self.v, self.isa.splat_i64(-1)))
    }
}
impl<I: Isa> Invert for DcInt<I> {
    #[inline(always)]
    fn invert(self) -> Self {
        Self::of(self.isa, self.isa.xor_i32(self.v, self.isa.splat_i32(-1)))
    }
}
impl Invert for bool {
    #[inline(always)]
    fn invert(self) -> Self {
        !self
    }
}
/// `!a`
#[inline(always)]
pub fn not<T: Invert>(a: T) -> T {
    a.invert()
}

/// `<<`, `>>`
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shifted by `{N}` in a kernel",
    label = "integer lanes and index values can be shifted, by a literal, an index or lanes of the same type"
)]
pub trait Shift<N>: Sized {
    /// `self << n`
    fn shl(self, n: N) -> Self;
    /// `self >> n`, arithmetic
    fn shr(self, n: N) -> Self;
}
macro_rules! lane_shift {
    ($($lanes:ident $shl:ident $shr:ident),*) => {$(
        impl<I: Isa, N: ShiftAmount<$lanes<I>>> Shift<N> for $lanes<I> {
            #[inline(always)]
            fn shl(self, n: N) -> Self {
                Self::of(self.isa, self.isa.$shl(self.v, n.lanes(self).v))
            }
            #[inline(always)]
            fn shr(self, n: N) -> Self {
                Self::of(self.isa, self.isa.$shr(self.v, n.lanes(self).v))
            }
        }
    )*};
}
lane_shift!(DcLong shl_i64 shr_i64, DcInt shl_i32 shr_i32);
impl Shift<u32> for usize {
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        self << n
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        self >> n
    }
}
impl Shift<usize> for usize {
    #[inline(always)]
    fn shl(self, n: usize) -> Self {
        self << n
    }
    #[inline(always)]
    fn shr(self, n: usize) -> Self {
        self >> n
    }
}
/// `a << n`
#[inline(always)]
pub fn shl<N, T: Shift<N>>(a: T, n: N) -> T {
    a.shl(n)
}
/// `a >> n`
#[inline(always)]
pub fn shr<N, T: Shift<N>>(a: T, n: N) -> T {
    a.shr(n)
}
