//! Operations of plain Rust on one lane that `core` lacks. They come from the standard library. Without it, they are instructions that
//! every processor of the target has, or computations.
//!
//! All give the same bits; `tests/plain.rs` compares them.

#[cfg(all(
    any(test, not(feature = "std")),
    target_arch = "aarch64",
    target_feature = "neon"
))]
#[cfg_attr(
    test,
    allow(
        dead_code,
        unused_imports,
        reason = "tried by `tests/instruction-sets`, which compiles this file as well"
    )
)]
pub(crate) mod aarch64;
#[cfg(any(test, not(feature = "std")))]
#[allow(dead_code, reason = "where there is an instruction it takes its place")]
pub(crate) mod portable;
#[cfg(all(
    any(test, not(feature = "std")),
    target_arch = "x86_64",
    target_feature = "sse2"
))]
#[cfg_attr(
    test,
    allow(
        dead_code,
        unused_imports,
        reason = "tried by `tests/instruction-sets`, which compiles this file as well"
    )
)]
pub(crate) mod x86_64;

#[cfg(all(not(feature = "std"), target_arch = "aarch64", target_feature = "neon"))]
pub(super) use self::aarch64::*;
#[cfg(all(
    not(feature = "std"),
    not(all(target_arch = "aarch64", target_feature = "neon"))
))]
pub(super) use self::portable::*;
// These hide the ones above.
#[cfg(all(not(feature = "std"), target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use self::x86_64::{sqrt_f32, sqrt_f64};

#[cfg(feature = "std")]
macro_rules! of_std {
    ($($name:ident = $float:ident::$f:ident($($a:ident),+);)+) => {$(
        #[doc = concat!("[`", stringify!($float), "::", stringify!($f), "`].")]
        #[inline(always)]
        pub(super) fn $name($($a: $float),+) -> $float {
            $float::$f($($a),+)
        }
    )+};
}
#[cfg(feature = "std")]
of_std! {
    fma_f64 = f64::mul_add(a, b, c);
    sqrt_f64 = f64::sqrt(a);
    floor_f64 = f64::floor(a);
    ceil_f64 = f64::ceil(a);
    trunc_f64 = f64::trunc(a);
    round_ties_even_f64 = f64::round_ties_even(a);
    fma_f32 = f32::mul_add(a, b, c);
    sqrt_f32 = f32::sqrt(a);
    floor_f32 = f32::floor(a);
    ceil_f32 = f32::ceil(a);
    trunc_f32 = f32::trunc(a);
    round_ties_even_f32 = f32::round_ties_even(a);
}
