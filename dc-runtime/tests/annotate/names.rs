//! The standard library's names: each has its meaning in lanes.

use crate::compare::written;
use dc_runtime::prelude::crunch;

/// `names! { function: parameters => expression, if condition on the words; … }`: a function for each expression, compared.
macro_rules! names {
    ($($name:ident($($p:ident: $t:ty),*) -> $r:ty: $e:expr $(, if $takes:expr)?;)*) => {
        $(#[crunch] fn $name($($p: $t),*) -> $r { $e })*
        #[test]
        fn all_names() {
            $(written::<$name>(names!(@takes $($takes)?));)*
        }
    };
    (@takes) => { |_: &[u64]| true };
    (@takes $takes:expr) => { $takes };
}

fn nonzero(words: &[u64]) -> bool {
    words[1] != 0
}
/// No division of the least number by -1.
fn divides(words: &[u64]) -> bool {
    words[1] != 0 && words[1] != 0xffff_ffff && words[1] != u64::MAX
}

names! {
    float_rem(x: f64, y: f64) -> f64: x % y;
    float_rem_f32(x: f32, y: f32) -> f32: x % y;
    float_rem_euclid(x: f64, y: f64) -> (f64, f64): (x.rem_euclid(y), x.div_euclid(y));
    float_rem_euclid_f32(x: f32, y: f32) -> (f32, f32): (x.rem_euclid(y), x.div_euclid(y));
    recip(x: f32) -> f32: x.recip();
    total(x: f64, y: f64) -> bool: x.total_cmp(&y).is_lt(), if |w| !f64::from_bits(w[0]).is_nan() && !f64::from_bits(w[1]).is_nan();
    total_f32(x: f32, y: f32) -> i32: x.total_cmp(&y) as i32, if |w| !f32::from_bits(w[0] as u32).is_nan() && !f32::from_bits(w[1] as u32).is_nan();
    partial(x: f32, y: f32) -> i32: match x.partial_cmp(&y) {
        Some(std::cmp::Ordering::Less) => -5,
        Some(std::cmp::Ordering::Equal) => 7,
        Some(_) => 9,
        None => 100,
    };
    ordered(x: u32, y: u32) -> i32: x.cmp(&y).reverse() as i32;
    class(x: f64) -> i32: match x.classify() {
        std::num::FpCategory::Nan => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
        std::num::FpCategory::Infinite => 5,
    };
    unchecked(x: f32) -> i32: unsafe { x.clamp(-5.0, 5.0).to_int_unchecked::<i32>() }, if |w| !f32::from_bits(w[0] as u32).is_nan();
    checked_add(x: i32, y: i32) -> Option<i32>: x.checked_add(y);
    checked_add_u(x: u64, y: u64) -> u64: x.checked_add(y).unwrap_or(7);
    checked_sub(x: i64, y: i64) -> Option<i64>: x.checked_sub(y);
    checked_sub_u(x: u32, y: u32) -> u32: if let Some(d) = x.checked_sub(y) { d } else { y };
    checked_mul(x: i64, y: i64) -> Option<i64>: x.checked_mul(y);
    checked_mul_u(x: u64, y: u64) -> Option<u64>: x.checked_mul(y);
    checked_mul_narrow(x: i8, y: i8) -> Option<i8>: x.checked_mul(y);
    checked_div(x: i32, y: i32) -> Option<i32>: x.checked_div(y);
    checked_rem(x: i64, y: i64) -> Option<i64>: x.checked_rem(y);
    checked_rem_u(x: u32, y: u32) -> Option<u32>: x.checked_rem(y);
    checked_rem_euclid(x: i32, y: i32) -> Option<i32>: x.checked_rem_euclid(y);
    checked_neg(x: i32, y: u32) -> (Option<i32>, Option<u32>, Option<i32>): (x.checked_neg(), y.checked_neg(), x.checked_abs());
    checked_shl(x: u32, n: u32) -> (Option<u32>, Option<u32>): (x.checked_shl(n), x.checked_shr(n));
    checked_ilog2(x: u32, y: i64) -> (Option<u32>, Option<u32>): (x.checked_ilog2(), y.checked_ilog2());
    overflowing(x: i32, y: i32) -> ((i32, bool), (i32, bool), (i32, bool)): (x.overflowing_add(y), x.overflowing_sub(y), x.overflowing_mul(y));
    overflowing_u(x: u64, y: u64) -> ((u64, bool), (u64, bool), (u64, bool)): (x.overflowing_add(y), x.overflowing_sub(y), x.overflowing_mul(y));
    overflowing_u32(x: u32, y: u32) -> ((u32, bool), (u32, bool), (u32, bool)): (x.overflowing_add(y), x.overflowing_sub(y), x.overflowing_mul(y));
    overflowing_narrow(x: u8, y: u8) -> ((u8, bool), (u8, bool), (u8, bool)): (x.overflowing_add(y), x.overflowing_sub(y), x.overflowing_mul(y));
    overflowing_one(x: i32) -> ((i32, bool), (i32, bool)): (x.overflowing_neg(), x.overflowing_abs());
    saturating(x: i32, y: i32) -> (i32, i32, i32, i32): (x.saturating_add(y), x.saturating_sub(y), x.saturating_mul(y), x.saturating_neg());
    saturating_i64(x: i64, y: i64) -> (i64, i64, i64, i64): (x.saturating_add(y), x.saturating_sub(y), x.saturating_mul(y), x.saturating_abs());
    saturating_u(x: u32, y: u32) -> (u32, u32, u32): (x.saturating_add(y), x.saturating_sub(y), x.saturating_mul(y));
    saturating_u64(x: u64, y: u64) -> (u64, u64, u64): (x.saturating_add(y), x.saturating_sub(y), x.saturating_mul(y));
    saturating_narrow(x: i16, y: i16) -> (i16, i16, i16): (x.saturating_add(y), x.saturating_sub(y), x.saturating_mul(y));
    saturating_div(x: i32, y: i32) -> i32: x.saturating_div(y), if nonzero;
    wrapping(x: i32, y: i32) -> (i32, i32, u32): (x.wrapping_div(y), x.wrapping_rem(y), (x as u32).wrapping_add_signed(y)), if nonzero;
    wrapping_pow(x: u32, n: u32) -> (u32, i64): (x.wrapping_pow(n), (x as i64).wrapping_pow(n));
    wrapping_pow_narrow(x: u8, n: u32) -> u8: x.wrapping_pow(n);
    euclid(x: i32, y: i32) -> (i32, i32): (x.rem_euclid(y), x.div_euclid(y)), if divides;
    euclid_i64(x: i64, y: i64) -> (i64, i64): (x.rem_euclid(y), x.div_euclid(y)), if divides;
    euclid_u(x: u32, y: u32) -> (u32, u32): (x.rem_euclid(y), x.div_euclid(y)), if nonzero;
    ceil_of(x: u32, y: u32) -> (u32, bool): (x.div_ceil(y), x.is_multiple_of(y)), if nonzero;
    next_multiple(x: u8, y: u8) -> u32: (x as u32).next_multiple_of(y as u32), if nonzero;
    logs(x: u32, y: i64) -> (u32, u32): (x.ilog2(), y.ilog2()), if |w| w[0] != 0 && (w[1] as i64) > 0;
    zeros(x: u32, y: u64) -> (u32, u32, u32, u32): (x.leading_ones(), y.trailing_ones(), x.count_zeros(), y.count_zeros());
    zeros_narrow(x: u8, y: i16) -> (u32, u32, u32, u32): (x.trailing_zeros(), y.leading_ones(), y.count_zeros(), y.leading_zeros());
    bytes(x: u32, y: u64) -> (u32, u64, u32, u64): (x.swap_bytes(), y.swap_bytes(), x.reverse_bits(), y.reverse_bits());
    bytes_narrow(x: u16, y: i8) -> (u16, u16, i8): (x.swap_bytes(), x.reverse_bits(), y.reverse_bits());
    rotated_narrow(x: u8, y: i16, n: u32) -> (u8, i16): (x.rotate_left(n), y.rotate_right(n));
    roots(x: u32, y: u8) -> (u32, u8): (x.isqrt(), y.isqrt());
    middle(x: u32, y: u32) -> u32: x.midpoint(y);
    middle_narrow(x: u8, y: u8) -> u8: x.midpoint(y);
    tried(x: i64, y: u32) -> (Option<u8>, Option<u32>, Option<i32>): (u8::try_from(x).ok(), u32::try_from(x).ok(), i32::try_from(y).ok());
    tried_or(x: i32) -> u16: u16::try_from(x).unwrap_or(u16::MAX);
    signs(x: i32, y: u64) -> (u32, i64): (x.cast_unsigned(), y.cast_signed());
    then(x: f32, y: f32) -> Option<f32>: (x < y).then_some(x);
    options(x: u32, y: u32) -> (bool, bool, u32): (
        x.checked_sub(y).is_some_and(|d| d > 5),
        x.checked_mul(y).is_none(),
        x.checked_add(y).map(|s| s / 3).or(Some(5)).unwrap_or_default(),
    );
}
