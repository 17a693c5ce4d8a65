//! The operations of an instruction set from which directed roundings are derived: [`kernels_gen::directed`].

use super::Isa;
use kernels_gen::directed::FloatOps;

/// The operations of an instruction set.
pub(super) struct Derived<I>(pub I);

/// `method(arguments) -> result = method of the instruction set;`
macro_rules! forward {
    ($($name:ident($($a:ident: $t:ident),+) -> $r:ident = $f:ident;)+) => {$(
        #[inline(always)]
        fn $name(&mut self, $($a: Self::$t),+) -> Self::$r {
            self.0.$f($($a),+)
        }
    )+};
}

impl<I: Isa> FloatOps for Derived<I> {
    type F64 = I::F64;
    type F32 = I::F32;
    type I64 = I::I64;
    type I32 = I::I32;
    type Mask = I::Mask;

    forward! {
        add(a: F64, b: F64) -> F64 = add_f64;
        sub(a: F64, b: F64) -> F64 = sub_f64;
        mul(a: F64, b: F64) -> F64 = mul_f64;
        div(a: F64, b: F64) -> F64 = div_f64;
        fma(a: F64, b: F64, c: F64) -> F64 = fma_f64;
        sqrt(a: F64) -> F64 = sqrt_f64;
        neg(a: F64) -> F64 = neg_f64;
        abs(a: F64) -> F64 = abs_f64;
        lt(a: F64, b: F64) -> Mask = lt_f64;
        eq(a: F64, b: F64) -> Mask = eq_f64;
        select(m: Mask, a: F64, b: F64) -> F64 = select_f64;
        bits(a: F64) -> I64 = bits_f64;
        of_bits(a: I64) -> F64 = f64_from_bits;

        add_i64(a: I64, b: I64) -> I64 = add_i64;
        sub_i64(a: I64, b: I64) -> I64 = sub_i64;
        and_i64(a: I64, b: I64) -> I64 = and_i64;
        or_i64(a: I64, b: I64) -> I64 = or_i64;
        xor_i64(a: I64, b: I64) -> I64 = xor_i64;
        lt_i64(a: I64, b: I64) -> Mask = lt_i64;
        select_i64(m: Mask, a: I64, b: I64) -> I64 = select_i64;

        widen(a: F32) -> F64 = f32_to_f64;
        narrow(a: F64) -> F32 = f64_to_f32;
        bits_f32(a: F32) -> I32 = bits_f32;
        f32_of_bits(a: I32) -> F32 = f32_from_bits;
        add_i32(a: I32, b: I32) -> I32 = add_i32;
        sub_i32(a: I32, b: I32) -> I32 = sub_i32;
        and_i32(a: I32, b: I32) -> I32 = and_i32;
        select_i32(m: Mask, a: I32, b: I32) -> I32 = select_i32;

        and(a: Mask, b: Mask) -> Mask = and_mask;
        or(a: Mask, b: Mask) -> Mask = or_mask;
    }

    #[inline(always)]
    fn f64(&mut self, bits: u64) -> I::F64 {
        self.0.splat_f64(f64::from_bits(bits))
    }
    #[inline(always)]
    fn i64(&mut self, bits: u64) -> I::I64 {
        self.0.splat_i64(bits.cast_signed())
    }
    #[inline(always)]
    fn shr_i64(&mut self, a: I::I64, by: u32) -> I::I64 {
        let by = self.0.splat_i64(by.into());
        self.0.shr_logical_i64(a, by)
    }
    #[inline(always)]
    fn shl_i64(&mut self, a: I::I64, by: u32) -> I::I64 {
        let by = self.0.splat_i64(by.into());
        self.0.shl_i64(a, by)
    }
    #[inline(always)]
    fn i32(&mut self, bits: u32) -> I::I32 {
        self.0.splat_i32(bits.cast_signed())
    }
    #[inline(always)]
    fn shr_i32(&mut self, a: I::I32, by: u32) -> I::I32 {
        let by = self.0.splat_i32(by.cast_signed());
        self.0.shr_logical_i32(a, by)
    }
}
