//! ISA tokens: the groups of lanes of each instruction set, and every primitive operation on them.
//!
//! A token is a zero-sized proof that the processor has the instructions; it can be made only by a detecting
//! constructor (or an `unsafe` one), and every lane value carries it. So the operations themselves are safe.
//! A value is a *group* of units, a unit being as many lanes as a register has of 32 bits: one such register, or two of
//! 64-bit lanes. Each operation is written that many times side by side, which hides the latency of long dependency
//! chains.
//!
//! All methods are `#[inline(always)]`; they become machine code inside one `#[target_feature]` entry function
//! per kernel and instruction set ([`Isa::run`]).

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod directed;
#[cfg(not(target_arch = "x86_64"))]
mod elsewhere;
#[cfg(target_arch = "x86_64")]
mod fence;
mod group;
#[cfg(target_arch = "x86_64")]
mod registers;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod table;
#[cfg(feature = "search")]
mod tally;
#[cfg(test)]
pub(crate) mod tests;

use core::fmt::Debug;

pub use kernels_gen::ops::Direction;

#[cfg(target_arch = "x86_64")]
pub use self::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use self::avx512::Avx512;
#[cfg(not(target_arch = "x86_64"))]
pub use self::elsewhere::{Avx2, Avx512};
pub use self::scalar::Scalar;
#[cfg(feature = "search")]
pub use self::tally::Tally;

pub use self::group::Units;

use self::directed::Derived;

/// Work that runs with an ISA's features enabled; see [`Isa::run`].
pub trait WithIsa<I: Isa> {
    /// The type of its result.
    type Output;
    /// The work. Implementations are `#[inline(always)]`.
    fn call(self, isa: I) -> Self::Output;
}

/// One instruction set at one group width. `F64`, `F32`, `I64`, `I32` and `Mask` all hold [`Isa::LANES`] lanes.
pub trait Isa: Copy + Debug + Send + Sync + 'static {
    /// Lanes of binary64.
    type F64: Copy + Debug + Units<<Self::Unit as Isa>::F64>;
    /// Lanes of binary32.
    type F32: Copy + Debug + Units<<Self::Unit as Isa>::F32>;
    /// Lanes of 64-bit integers.
    type I64: Copy + Debug + Units<<Self::Unit as Isa>::I64>;
    /// Lanes of 32-bit integers.
    type I32: Copy + Debug + Units<<Self::Unit as Isa>::I32>;
    /// Lanes of truth values.
    type Mask: Copy + Debug + Units<<Self::Unit as Isa>::Mask>;

    /// The same instruction set with groups of one unit.
    type Unit: Isa;

    /// The number of lanes of every value.
    const LANES: usize;
    /// The number of units in which a step of a loop is evaluated, one after the other: 1 where it is evaluated on
    /// whole groups ([`crate::step`]).
    const UNITS: usize;
    /// Backend name: `scalar`, `avx2`, `avx512`.
    const NAME: &'static str;

    /// The token, if the processor has the features.
    fn detect() -> Option<Self>;
    /// Runs `f` inside a function compiled with the features of this instruction set.
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output;

    // --- loads and stores of lanes: slices have length LANES or more ---
    /// Every lane `x`.
    fn splat_f64(self, x: f64) -> Self::F64;
    /// Every lane `x`.
    fn splat_f32(self, x: f32) -> Self::F32;
    /// Every lane `x`.
    fn splat_i64(self, x: i64) -> Self::I64;
    /// Every lane `x`.
    fn splat_i32(self, x: i32) -> Self::I32;
    /// Every lane `x`.
    fn splat_mask(self, x: bool) -> Self::Mask;
    /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
    fn load_f64(self, x: &[f64]) -> Self::F64;
    /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
    fn load_f32(self, x: &[f32]) -> Self::F32;
    /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
    fn load_i64(self, x: &[i64]) -> Self::I64;
    /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
    fn load_i32(self, x: &[i32]) -> Self::I32;
    /// Lane k is `x[k]`; panics where `x` is shorter than [`Isa::LANES`].
    fn load_mask(self, x: &[bool]) -> Self::Mask;
    /// Stores the bits unchanged; the caller makes NaNs canonical ([`crate::types`]).
    fn store_f64(self, v: Self::F64, out: &mut [f64]);
    /// `out[k]` becomes lane k; panics where `out` is shorter than [`Isa::LANES`].
    fn store_f32(self, v: Self::F32, out: &mut [f32]);
    /// `out[k]` becomes lane k; panics where `out` is shorter than [`Isa::LANES`].
    fn store_i64(self, v: Self::I64, out: &mut [i64]);
    /// `out[k]` becomes lane k; panics where `out` is shorter than [`Isa::LANES`].
    fn store_i32(self, v: Self::I32, out: &mut [i32]);
    /// `out[k]` becomes lane k; panics where `out` is shorter than [`Isa::LANES`].
    fn store_mask(self, v: Self::Mask, out: &mut [bool]);
    /// `start + lane` for lane 0, 1, …, wrapping.
    fn iota_i64(self, start: i64) -> Self::I64;
    /// `start + lane`, wrapping.
    fn iota_i32(self, start: i32) -> Self::I32;

    // --- barriers for the compiler's scheduler, see `fence` ---
    /// The same value.
    #[inline(always)]
    fn fence_f64(self, a: Self::F64) -> Self::F64 {
        a
    }
    /// The same value.
    #[inline(always)]
    fn fence_f32(self, a: Self::F32) -> Self::F32 {
        a
    }

    /// Makes the compiler order the computation of `before` before the uses of `after`; on groups of one unit.
    #[inline(always)]
    fn order_f64(self, before: &mut Self::F64, after: &mut Self::F64) {
        let _ = (before, after);
    }
    /// As [`Isa::order_f64`].
    #[inline(always)]
    fn order_f32(self, before: &mut Self::F32, after: &mut Self::F32) {
        let _ = (before, after);
    }
    /// The token of this instruction set with groups of one unit.
    fn of_unit(self) -> Self::Unit;

    // --- binary64: correctly rounded to nearest even, never contracted or flushed ---
    /// `a + b`
    fn add_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `a - b`
    fn sub_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `a * b`
    fn mul_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `a / b`
    fn div_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `a * b + c` with one rounding.
    fn fma_f64(self, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64;
    /// Square root.
    fn sqrt_f64(self, a: Self::F64) -> Self::F64;
    /// The sign bit flipped.
    fn neg_f64(self, a: Self::F64) -> Self::F64;
    /// The sign bit cleared.
    fn abs_f64(self, a: Self::F64) -> Self::F64;
    /// Magnitude bits of `a`, sign bit of `b`, which is not made canonical (do so first where NaN matters).
    fn copysign_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `if a < b { a } else { b }`
    fn min_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `if a > b { a } else { b }`
    fn max_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// To an integer, toward −∞.
    fn floor_f64(self, a: Self::F64) -> Self::F64;
    /// To an integer, toward +∞.
    fn ceil_f64(self, a: Self::F64) -> Self::F64;
    /// To an integer, toward zero.
    fn trunc_f64(self, a: Self::F64) -> Self::F64;
    /// To the nearest integer, ties to even.
    fn round_ties_even_f64(self, a: Self::F64) -> Self::F64;
    /// `a < b`
    fn lt_f64(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    /// `a <= b`
    fn le_f64(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    /// `a == b`
    fn eq_f64(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    /// True on NaN.
    fn ne_f64(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    /// `if m { a } else { b }`
    fn select_f64(self, m: Self::Mask, a: Self::F64, b: Self::F64) -> Self::F64;
    /// NaN becomes `0x7ff8000000000000`.
    fn canonical_f64(self, a: Self::F64) -> Self::F64;
    /// The bits, unchanged (make NaNs canonical first where they matter).
    fn bits_f64(self, a: Self::F64) -> Self::I64;
    /// The number of these bits.
    fn f64_from_bits(self, a: Self::I64) -> Self::F64;

    // --- binary32, the same ---
    /// `a + b`
    fn add_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a - b`
    fn sub_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a * b`
    fn mul_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a / b`
    fn div_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `a * b + c` with one rounding.
    fn fma_f32(self, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32;
    /// Square root.
    fn sqrt_f32(self, a: Self::F32) -> Self::F32;
    /// The sign bit flipped.
    fn neg_f32(self, a: Self::F32) -> Self::F32;
    /// The sign bit cleared.
    fn abs_f32(self, a: Self::F32) -> Self::F32;
    /// Magnitude bits of `a`, sign bit of `b`, which is not made canonical.
    fn copysign_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `if a < b { a } else { b }`
    fn min_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// `if a > b { a } else { b }`
    fn max_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    /// To an integer, toward −∞.
    fn floor_f32(self, a: Self::F32) -> Self::F32;
    /// To an integer, toward +∞.
    fn ceil_f32(self, a: Self::F32) -> Self::F32;
    /// To an integer, toward zero.
    fn trunc_f32(self, a: Self::F32) -> Self::F32;
    /// To the nearest integer, ties to even.
    fn round_ties_even_f32(self, a: Self::F32) -> Self::F32;
    /// `a < b`
    fn lt_f32(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    /// `a <= b`
    fn le_f32(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    /// `a == b`
    fn eq_f32(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    /// True on NaN.
    fn ne_f32(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    /// `if m { a } else { b }`
    fn select_f32(self, m: Self::Mask, a: Self::F32, b: Self::F32) -> Self::F32;
    /// NaN becomes `0x7fc00000`.
    fn canonical_f32(self, a: Self::F32) -> Self::F32;
    /// The bits, unchanged.
    fn bits_f32(self, a: Self::F32) -> Self::I32;
    /// The number of these bits.
    fn f32_from_bits(self, a: Self::I32) -> Self::F32;

    // --- rounded in a direction; a difference is the sum with `-b` ---
    // By default they are derived from the operations to nearest, see `kernels_gen::directed`.
    /// `a + b`, rounded in that direction.
    #[inline(always)]
    fn add_directed_f64(self, d: Direction, a: Self::F64, b: Self::F64) -> Self::F64 {
        kernels_gen::directed::add_f64(&mut Derived(self), d, a, b)
    }
    /// `a * b`, rounded in that direction.
    #[inline(always)]
    fn mul_directed_f64(self, d: Direction, a: Self::F64, b: Self::F64) -> Self::F64 {
        kernels_gen::directed::mul_f64(&mut Derived(self), d, a, b)
    }
    /// `a / b`, rounded in that direction.
    #[inline(always)]
    fn div_directed_f64(self, d: Direction, a: Self::F64, b: Self::F64) -> Self::F64 {
        kernels_gen::directed::div_f64(&mut Derived(self), d, a, b)
    }
    /// Square root, rounded in that direction.
    #[inline(always)]
    fn sqrt_directed_f64(self, d: Direction, a: Self::F64) -> Self::F64 {
        kernels_gen::directed::sqrt_f64(&mut Derived(self), d, a)
    }
    /// `a * b + c` with one rounding, rounded in that direction.
    #[inline(always)]
    fn fma_directed_f64(self, d: Direction, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64 {
        kernels_gen::directed::fma_f64(&mut Derived(self), d, a, b, c)
    }
    /// `a + b`, rounded in that direction.
    #[inline(always)]
    fn add_directed_f32(self, d: Direction, a: Self::F32, b: Self::F32) -> Self::F32 {
        kernels_gen::directed::add_f32(&mut Derived(self), d, a, b)
    }
    /// `a * b`, rounded in that direction.
    #[inline(always)]
    fn mul_directed_f32(self, d: Direction, a: Self::F32, b: Self::F32) -> Self::F32 {
        kernels_gen::directed::mul_f32(&mut Derived(self), d, a, b)
    }
    /// `a / b`, rounded in that direction.
    #[inline(always)]
    fn div_directed_f32(self, d: Direction, a: Self::F32, b: Self::F32) -> Self::F32 {
        kernels_gen::directed::div_f32(&mut Derived(self), d, a, b)
    }
    /// Square root, rounded in that direction.
    #[inline(always)]
    fn sqrt_directed_f32(self, d: Direction, a: Self::F32) -> Self::F32 {
        kernels_gen::directed::sqrt_f32(&mut Derived(self), d, a)
    }
    /// `a * b + c` with one rounding, rounded in that direction.
    #[inline(always)]
    fn fma_directed_f32(self, d: Direction, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32 {
        kernels_gen::directed::fma_f32(&mut Derived(self), d, a, b, c)
    }

    // --- conversions ---
    /// Correctly rounded to nearest even.
    fn f64_to_f32(self, a: Self::F64) -> Self::F32;
    /// Exact.
    fn f32_to_f64(self, a: Self::F32) -> Self::F64;
    /// Saturating, NaN gives 0, toward zero: Rust's `as`.
    fn f64_to_i64(self, a: Self::F64) -> Self::I64;
    /// As [`Isa::f64_to_i64`].
    fn f64_to_i32(self, a: Self::F64) -> Self::I32;
    /// As [`Isa::f64_to_i64`].
    fn f32_to_i64(self, a: Self::F32) -> Self::I64;
    /// As [`Isa::f64_to_i64`].
    fn f32_to_i32(self, a: Self::F32) -> Self::I32;
    /// Correctly rounded to nearest even.
    fn i64_to_f64(self, a: Self::I64) -> Self::F64;
    /// Correctly rounded to nearest even.
    fn i64_to_f32(self, a: Self::I64) -> Self::F32;
    /// Exact.
    fn i32_to_f64(self, a: Self::I32) -> Self::F64;
    /// Correctly rounded to nearest even.
    fn i32_to_f32(self, a: Self::I32) -> Self::F32;
    /// Sign extension.
    fn i32_to_i64(self, a: Self::I32) -> Self::I64;
    /// The low 32 bits.
    fn i64_to_i32(self, a: Self::I64) -> Self::I32;

    // --- 64-bit integers, wrapping; shift amounts are taken modulo 64 ---
    /// `a + b`
    fn add_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// `a - b`
    fn sub_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// `a * b`
    fn mul_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// `a & b`
    fn and_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// `a | b`
    fn or_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// `a ^ b`
    fn xor_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// `a << n`
    fn shl_i64(self, a: Self::I64, n: Self::I64) -> Self::I64;
    /// `a >> n` with the sign extended.
    fn shr_i64(self, a: Self::I64, n: Self::I64) -> Self::I64;
    /// `a >> n` with zeros shifted in.
    fn shr_logical_i64(self, a: Self::I64, n: Self::I64) -> Self::I64;
    /// Signed comparison `a < b`.
    fn lt_i64(self, a: Self::I64, b: Self::I64) -> Self::Mask;
    /// `a == b`
    fn eq_i64(self, a: Self::I64, b: Self::I64) -> Self::Mask;
    /// `if m { a } else { b }`
    fn select_i64(self, m: Self::Mask, a: Self::I64, b: Self::I64) -> Self::I64;

    // --- 32-bit integers, the same modulo 32 ---
    /// `a + b`
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a - b`
    fn sub_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a * b`
    fn mul_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a & b`
    fn and_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a | b`
    fn or_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a ^ b`
    fn xor_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// `a << n`
    fn shl_i32(self, a: Self::I32, n: Self::I32) -> Self::I32;
    /// `a >> n` with the sign extended.
    fn shr_i32(self, a: Self::I32, n: Self::I32) -> Self::I32;
    /// `a >> n` with zeros shifted in.
    fn shr_logical_i32(self, a: Self::I32, n: Self::I32) -> Self::I32;
    /// `a < b`
    fn lt_i32(self, a: Self::I32, b: Self::I32) -> Self::Mask;
    /// `a == b`
    fn eq_i32(self, a: Self::I32, b: Self::I32) -> Self::Mask;
    /// `if m { a } else { b }`
    fn select_i32(self, m: Self::Mask, a: Self::I32, b: Self::I32) -> Self::I32;

    // --- masks ---
    /// `a & b`
    fn and_mask(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `a | b`
    fn or_mask(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `a ^ b`
    fn xor_mask(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// `!a`
    fn not_mask(self, a: Self::Mask) -> Self::Mask;
    /// `if m { a } else { b }`
    fn select_mask(self, m: Self::Mask, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether any lane is true. It is not part of the language; the search's loops use it.
    fn any(self, m: Self::Mask) -> bool;
    /// Number of true lanes.
    fn count(self, m: Self::Mask) -> u32;
    /// `if m { a + 1 } else { a }`, wrapping. It is not part of the language.
    fn increment_i64(self, m: Self::Mask, a: Self::I64) -> Self::I64;
    /// `if m { a - 1 } else { a }`, wrapping. It is not part of the language.
    fn decrement_i64(self, m: Self::Mask, a: Self::I64) -> Self::I64;

    // --- tables: the index is wrapped (power-of-two length) or clamped, so any index is safe; len >= 1 ---
    /// `t[i]`
    fn gather_f64(self, t: &[f64], i: Self::I64) -> Self::F64;
    /// `t[i]`
    fn gather_f32(self, t: &[f32], i: Self::I64) -> Self::F32;
    /// `t[i]`
    fn gather_i64(self, t: &[i64], i: Self::I64) -> Self::I64;
    /// `t[i]`
    fn gather_i32(self, t: &[i32], i: Self::I64) -> Self::I32;
    /// `t[i]`
    fn gather32_f64(self, t: &[f64], i: Self::I32) -> Self::F64;
    /// `t[i]`
    fn gather32_f32(self, t: &[f32], i: Self::I32) -> Self::F32;
    /// `t[i]`
    fn gather32_i64(self, t: &[i64], i: Self::I32) -> Self::I64;
    /// `t[i]`
    fn gather32_i32(self, t: &[i32], i: Self::I32) -> Self::I32;
}
