//! Macros of the instruction sets with vector registers in addition to [`super::group`]: units of two registers, and
//! fences.

/// Trait methods that apply one function to each register of 64-bit lanes: `add_f64(a: F64, b: F64) -> F64 = function;`.
macro_rules! registers {
    ($($name:ident($($a:ident: $t:ident),+) -> $r:ident = $f:expr;)+) => {$(
        #[inline(always)]
        fn $name(self, $($a: Self::$t),+) -> Self::$r {
            group!(G, Self::$r, k => [$f($($a[k][0]),+), $f($($a[k][1]),+)])
        }
    )+};
}

/// The scheduling fences of a type of group ([`super::fence`]): `fence_f64(F64) = function;`.
macro_rules! fences {
    ($($name:ident($t:ident) = $fence:path;)+) => {$(
        #[inline(always)]
        fn $name(self, group: Self::$t) -> Self::$t {
            // SAFETY: the token `self` exists only where the processor has the features.
            unsafe { $fence(group) }
        }
    )+};
}

/// The order between two units ([`super::fence`]), on groups of one: `order_f64(F64) = function;`.
macro_rules! order {
    ($($name:ident($t:ident) = $fence:path;)+) => {$(
        #[inline(always)]
        fn $name(self, before: &mut Self::$t, after: &mut Self::$t) {
            // SAFETY: the token `self` exists only where the processor has the features.
            [before[0], after[0]] = unsafe { $fence([before[0], after[0]]) };
        }
    )+};
}

/// A unit of two equal registers of 64-bit lanes. `[register; 2]` would be a loop in rustc's output, and LLVM's passes over loops took two
/// thirds of the compile time of a kernel with many constants.
#[inline(always)]
pub(super) fn pair<R: Copy>(register: R) -> [R; 2] {
    [register, register]
}

pub(super) use {fences, order, registers};
