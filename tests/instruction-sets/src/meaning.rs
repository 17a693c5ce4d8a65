//! The lanewise operations and the meaning of each on one lane, in plain Rust: integers through `i128`, floats through
//! the standard library's scalar functions.

use super::check::{Lanewise, Operation, check};
use super::lane::Lane;
use crate::isa::Isa;

/// Implements [`Operation`] for a type named as the method. A line ends in `bits` where the bits of a NaN are compared.
macro_rules! operations {
    ($($name:ident($($args:tt)*) -> $r:ty = |$($p:ident),+| $e:expr $(, $bits:ident)?;)+) => {
        $(operations!(@one $name ($($args)*) $r, [$($p)+] $e, ($($bits)?));)+
        /// The methods in this table.
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),+];
        /// Tests all of them; returns their failures.
        pub(super) fn check_all<I: Isa>(isa: I) -> Vec<String> {
            [$(check::<$name, I>(isa)),+].into_iter().filter_map(Result::err).collect()
        }
    };
    (@one $name:ident ($a:ty) $r:ty, [$x:ident] $e:expr, $bits:tt) => {
        operations!(@impl $name ($a, (), ()) $r, [$x y z] $e, ($x), $bits);
    };
    (@one $name:ident ($a:ty, $b:ty) $r:ty, [$x:ident $y:ident] $e:expr, $bits:tt) => {
        operations!(@impl $name ($a, $b, ()) $r, [$x $y z] $e, ($x, $y), $bits);
    };
    (@one $name:ident ($a:ty, $b:ty, $c:ty) $r:ty, [$x:ident $y:ident $z:ident] $e:expr, $bits:tt) => {
        operations!(@impl $name ($a, $b, $c) $r, [$x $y $z] $e, ($x, $y, $z), $bits);
    };
    (@impl $name:ident ($a:ty, $b:ty, $c:ty) $r:ty, [$x:ident $y:ident $z:ident] $e:expr, ($($arg:ident),+), $bits:tt) => {
        #[allow(non_camel_case_types, reason = "named as the method it stands for")]
        pub(super) enum $name {}
        impl Lanewise for $name {
            type A = $a;
            type B = $b;
            type C = $c;
            type R = $r;
            #[inline(always)]
            #[allow(unused_variables, reason = "an argument the operation does not have")]
            fn lanes<I: Isa>(
                isa: I,
                $x: <$a as Lane>::Of<I>,
                $y: <$b as Lane>::Of<I>,
                $z: <$c as Lane>::Of<I>,
            ) -> <$r as Lane>::Of<I> {
                isa.$name($($arg),+)
            }
        }
        impl Operation for $name {
            const NAME: &'static str = stringify!($name);
            const NAN_BITS: bool = operations!(@nan $bits);
            #[allow(unused_variables, reason = "an argument the operation does not have")]
            fn meaning($x: $a, $y: $b, $z: $c) -> $r {
                $e
            }
        }
    };
    (@nan ()) => { false };
    (@nan (bits)) => { true };
}

const SIGN64: u64 = 1 << 63;
const SIGN32: u32 = 1 << 31;

operations! {
    add_f64(f64, f64) -> f64 = |a, b| a + b;
    sub_f64(f64, f64) -> f64 = |a, b| a - b;
    sub_as_fma_f64(f64, f64) -> f64 = |a, b| a - b;
    mul_f64(f64, f64) -> f64 = |a, b| a * b;
    div_f64(f64, f64) -> f64 = |a, b| a / b;
    fma_f64(f64, f64, f64) -> f64 = |a, b, c| a.mul_add(b, c);
    sqrt_f64(f64) -> f64 = |a| a.sqrt();
    neg_f64(f64) -> f64 = |a| f64::from_bits(a.to_bits() ^ SIGN64), bits;
    abs_f64(f64) -> f64 = |a| f64::from_bits(a.to_bits() & !SIGN64), bits;
    copysign_f64(f64, f64) -> f64 = |a, b| f64::from_bits(a.to_bits() & !SIGN64 | b.to_bits() & SIGN64), bits;
    min_f64(f64, f64) -> f64 = |a, b| if a < b { a } else { b }, bits;
    max_f64(f64, f64) -> f64 = |a, b| if a > b { a } else { b }, bits;
    floor_f64(f64) -> f64 = |a| a.floor();
    ceil_f64(f64) -> f64 = |a| a.ceil();
    trunc_f64(f64) -> f64 = |a| a.trunc();
    round_ties_even_f64(f64) -> f64 = |a| a.round_ties_even();
    lt_f64(f64, f64) -> bool = |a, b| a < b;
    le_f64(f64, f64) -> bool = |a, b| a <= b;
    eq_f64(f64, f64) -> bool = |a, b| a == b;
    ne_f64(f64, f64) -> bool = |a, b| a != b;
    select_f64(bool, f64, f64) -> f64 = |m, a, b| if m { a } else { b }, bits;
    canonical_f64(f64) -> f64 = |a| if a.is_nan() { f64::from_bits(0x7ff8 << 48) } else { a }, bits;
    bits_f64(f64) -> i64 = |a| a.to_bits() as i64;
    f64_from_bits(i64) -> f64 = |a| f64::from_bits(a as u64), bits;

    add_f32(f32, f32) -> f32 = |a, b| a + b;
    sub_f32(f32, f32) -> f32 = |a, b| a - b;
    sub_as_fma_f32(f32, f32) -> f32 = |a, b| a - b;
    mul_f32(f32, f32) -> f32 = |a, b| a * b;
    div_f32(f32, f32) -> f32 = |a, b| a / b;
    fma_f32(f32, f32, f32) -> f32 = |a, b, c| a.mul_add(b, c);
    sqrt_f32(f32) -> f32 = |a| a.sqrt();
    neg_f32(f32) -> f32 = |a| f32::from_bits(a.to_bits() ^ SIGN32), bits;
    abs_f32(f32) -> f32 = |a| f32::from_bits(a.to_bits() & !SIGN32), bits;
    copysign_f32(f32, f32) -> f32 = |a, b| f32::from_bits(a.to_bits() & !SIGN32 | b.to_bits() & SIGN32), bits;
    min_f32(f32, f32) -> f32 = |a, b| if a < b { a } else { b }, bits;
    max_f32(f32, f32) -> f32 = |a, b| if a > b { a } else { b }, bits;
    floor_f32(f32) -> f32 = |a| a.floor();
    ceil_f32(f32) -> f32 = |a| a.ceil();
    trunc_f32(f32) -> f32 = |a| a.trunc();
    round_ties_even_f32(f32) -> f32 = |a| a.round_ties_even();
    lt_f32(f32, f32) -> bool = |a, b| a < b;
    le_f32(f32, f32) -> bool = |a, b| a <= b;
    eq_f32(f32, f32) -> bool = |a, b| a == b;
    ne_f32(f32, f32) -> bool = |a, b| a != b;
    select_f32(bool, f32, f32) -> f32 = |m, a, b| if m { a } else { b }, bits;
    canonical_f32(f32) -> f32 = |a| if a.is_nan() { f32::from_bits(0x7fc0 << 16) } else { a }, bits;
    bits_f32(f32) -> i32 = |a| a.to_bits() as i32;
    f32_from_bits(i32) -> f32 = |a| f32::from_bits(a as u32), bits;

    f64_to_f32(f64) -> f32 = |a| a as f32;
    f32_to_f64(f32) -> f64 = |a| f64::from(a);
    f64_to_i64(f64) -> i64 = |a| a as i64;
    f64_to_i32(f64) -> i32 = |a| a as i32;
    f32_to_i64(f32) -> i64 = |a| a as i64;
    f32_to_i32(f32) -> i32 = |a| a as i32;
    i64_to_f64(i64) -> f64 = |a| a as f64;
    i64_to_f32(i64) -> f32 = |a| a as f32;
    i32_to_f64(i32) -> f64 = |a| f64::from(a);
    i32_to_f32(i32) -> f32 = |a| a as f32;
    i32_to_i64(i32) -> i64 = |a| i64::from(a);
    i64_to_i32(i64) -> i32 = |a| (a as u64 & 0xffff_ffff) as u32 as i32;

    add_i64(i64, i64) -> i64 = |a, b| (i128::from(a) + i128::from(b)) as i64;
    sub_i64(i64, i64) -> i64 = |a, b| (i128::from(a) - i128::from(b)) as i64;
    mul_i64(i64, i64) -> i64 = |a, b| (i128::from(a) * i128::from(b)) as i64;
    and_i64(i64, i64) -> i64 = |a, b| a & b;
    or_i64(i64, i64) -> i64 = |a, b| a | b;
    xor_i64(i64, i64) -> i64 = |a, b| a ^ b;
    shl_i64(i64, i64) -> i64 = |a, n| (i128::from(a) << n.rem_euclid(64)) as i64;
    shr_i64(i64, i64) -> i64 = |a, n| (i128::from(a) >> n.rem_euclid(64)) as i64;
    shr_logical_i64(i64, i64) -> i64 = |a, n| (u128::from(a as u64) >> n.rem_euclid(64)) as i64;
    lt_i64(i64, i64) -> bool = |a, b| a < b;
    eq_i64(i64, i64) -> bool = |a, b| a == b;
    select_i64(bool, i64, i64) -> i64 = |m, a, b| if m { a } else { b };
    increment_i64(bool, i64) -> i64 = |m, a| (i128::from(a) + i128::from(m)) as i64;
    decrement_i64(bool, i64) -> i64 = |m, a| (i128::from(a) - i128::from(m)) as i64;

    add_i32(i32, i32) -> i32 = |a, b| (i64::from(a) + i64::from(b)) as i32;
    sub_i32(i32, i32) -> i32 = |a, b| (i64::from(a) - i64::from(b)) as i32;
    mul_i32(i32, i32) -> i32 = |a, b| (i64::from(a) * i64::from(b)) as i32;
    and_i32(i32, i32) -> i32 = |a, b| a & b;
    or_i32(i32, i32) -> i32 = |a, b| a | b;
    xor_i32(i32, i32) -> i32 = |a, b| a ^ b;
    shl_i32(i32, i32) -> i32 = |a, n| (i64::from(a) << n.rem_euclid(32)) as i32;
    shr_i32(i32, i32) -> i32 = |a, n| (i64::from(a) >> n.rem_euclid(32)) as i32;
    shr_logical_i32(i32, i32) -> i32 = |a, n| (u64::from(a as u32) >> n.rem_euclid(32)) as i32;
    lt_i32(i32, i32) -> bool = |a, b| a < b;
    eq_i32(i32, i32) -> bool = |a, b| a == b;
    select_i32(bool, i32, i32) -> i32 = |m, a, b| if m { a } else { b };

    fence_f64(f64) -> f64 = |a| a;
    fence_f32(f32) -> f32 = |a| a;

    and_mask(bool, bool) -> bool = |a, b| a && b;
    or_mask(bool, bool) -> bool = |a, b| a || b;
    xor_mask(bool, bool) -> bool = |a, b| a != b;
    not_mask(bool) -> bool = |a| !a;
    select_mask(bool, bool, bool) -> bool = |m, a, b| if m { a } else { b };
}
