//! `+`, `-`, `*`, `/`, `%` and the sign.

use crate::isa::Isa;
use crate::types::{DcDouble, DcFloat, DcInt, DcLong};

binary_trait!(
    /// `+`, `-`, `*`
    Arithmetic,
    "`{Self}` has no `+`, `-`, `*` in a kernel; for double-doubles use `dd_add` and its siblings",
    add, sub, mul
);
binary_trait!(
    /// `/`
    Divide,
    "`{Self}` cannot be divided in a kernel; for double-doubles use `dd_div`, integer lanes have no division",
    div
);
binary_trait!(
    /// `%`
    Remainder,
    "`{Self}` has no `%` in a kernel: only index values do",
    rem
);

macro_rules! lane_arithmetic {
    ($($lanes:ident $add:ident $sub:ident $mul:ident),*) => {$(
        impl<I: Isa> Arithmetic for $lanes<I> {
            #[inline(always)]
            fn add(a: Self, b: Self) -> Self {
                Self::of(a.isa, a.isa.$add(a.v, b.v))
            }
            #[inline(always)]
            fn sub(a: Self, b: Self) -> Self {
                Self::of(a.isa, a.isa.$sub(a.v, b.v))
            }
            #[inline(always)]
            fn mul(a: Self, b: Self) -> Self {
                Self::of(a.isa, a.isa.$mul(a.v, b.v))
            }
        }
    )*};
}
lane_arithmetic!(DcDouble add_f64 sub_f64 mul_f64, DcFloat add_f32 sub_f32 mul_f32,
                 DcLong add_i64 sub_i64 mul_i64, DcInt add_i32 sub_i32 mul_i32);
// Index arithmetic wraps here; lowering the kernel checks for overflow and reports the line.
impl Arithmetic for usize {
    #[inline(always)]
    fn add(a: Self, b: Self) -> Self {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn sub(a: Self, b: Self) -> Self {
        a.wrapping_sub(b)
    }
    #[inline(always)]
    fn mul(a: Self, b: Self) -> Self {
        a.wrapping_mul(b)
    }
}
impl<I: Isa> Divide for DcDouble<I> {
    #[inline(always)]
    fn div(a: Self, b: Self) -> Self {
        Self::of(a.isa, a.isa.div_f64(a.v, b.v))
    }
}
impl<I: Isa> Divide for DcFloat<I> {
    #[inline(always)]
    fn div(a: Self, b: Self) -> Self {
        Self::of(a.isa, a.isa.div_f32(a.v, b.v))
    }
}
impl Divide for usize {
    #[inline(always)]
    fn div(a: Self, b: Self) -> Self {
        a / b
    }
}
impl Remainder for usize {
    #[inline(always)]
    fn rem(a: Self, b: Self) -> Self {
        a % b
    }
}

/// Unary `-`.
#[diagnostic::on_unimplemented(message = "`{Self}` cannot be negated in a kernel")]
pub trait Negate {
    /// `-self`
    fn neg(self) -> Self;
}
impl<I: Isa> Negate for DcDouble<I> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self::of(self.isa, self.isa.neg_f64(self.v))
    }
}
impl<I: Isa> Negate for DcFloat<I> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self::of(self.isa, self.isa.neg_f32(self.v))
    }
}
impl<I: Isa> Negate for DcLong<I> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self::of(self.isa, self.isa.sub_i64(self.isa.splat_i64(0), self.v))
    }
}
impl<I: Isa> Negate for DcInt<I> {
    #[inline(always)]
    fn neg(self) -> Self {
        Self::of(self.isa, self.isa.sub_i32(self.isa.splat_i32(0), self.v))
    }
}
/// `-a`: sign flip on floats, wrapping on integer lanes
#[inline(always)]
pub fn neg<T: Negate>(a: T) -> T {
    a.neg()
}
