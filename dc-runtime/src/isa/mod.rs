//! ISA tokens: what a group of lanes is on one instruction set, and every primitive operation on it.
//!
//! A token is a zero-sized proof that the processor has the instructions; it can be made only by a detecting
//! constructor (or an `unsafe` one), and every lane value carries it. So the operations themselves are safe.
//! A value is a *group* of `GROUP` registers: each operation is written that many times side by side, which hides
//! the latency of long dependency chains.
//!
//! All methods are `#[inline(always)]`; they become machine code inside one `#[target_feature]` entry function
//! per kernel and instruction set ([`Isa::run`]).

use core::fmt::Debug;

/// Something to run with an ISA's features enabled; see [`Isa::run`].
pub trait WithIsa<I: Isa> {
    /// What it returns.
    type Output;
    /// The work. Implementations are `#[inline(always)]`.
    fn call(self, isa: I) -> Self::Output;
}

/// One instruction set at one group width. `F64`, `F32`, `I64`, `I32` and `Mask` all hold [`Isa::LANES`] lanes.
pub trait Isa: Copy + Debug + Send + Sync + 'static {
    /// Lanes of binary64.
    type F64: Copy + Debug;
    /// Lanes of binary32.
    type F32: Copy + Debug;
    /// Lanes of 64-bit integers.
    type I64: Copy + Debug;
    /// Lanes of 32-bit integers.
    type I32: Copy + Debug;
    /// Lanes of truth values.
    type Mask: Copy + Debug;

    /// Lanes of every value.
    const LANES: usize;
    /// Registers of binary64 lanes a value.
    const GROUP: usize;
    /// Backend name: `scalar`, `avx2`, `avx512`.
    const NAME: &'static str;

    /// The token, if the processor has the features.
    fn detect() -> Option<Self>;
    /// Runs `f` inside a function compiled with the features of this instruction set.
    fn run<W: WithIsa<Self>>(self, f: W) -> W::Output;

    // --- lanes in and out: slices are of length LANES or more ---
    fn splat_f64(self, x: f64) -> Self::F64;
    fn splat_f32(self, x: f32) -> Self::F32;
    fn splat_i64(self, x: i64) -> Self::I64;
    fn splat_i32(self, x: i32) -> Self::I32;
    fn splat_mask(self, x: bool) -> Self::Mask;
    fn load_f64(self, x: &[f64]) -> Self::F64;
    fn load_f32(self, x: &[f32]) -> Self::F32;
    fn load_i64(self, x: &[i64]) -> Self::I64;
    fn load_i32(self, x: &[i32]) -> Self::I32;
    fn load_mask(self, x: &[bool]) -> Self::Mask;
    /// Stores as is; canonical NaN is the caller's business ([`crate::types`]).
    fn store_f64(self, v: Self::F64, out: &mut [f64]);
    fn store_f32(self, v: Self::F32, out: &mut [f32]);
    fn store_i64(self, v: Self::I64, out: &mut [i64]);
    fn store_i32(self, v: Self::I32, out: &mut [i32]);
    fn store_mask(self, v: Self::Mask, out: &mut [bool]);
    /// `start + lane` for lane 0, 1, …
    fn iota_i64(self, start: i64) -> Self::I64;
    fn iota_i32(self, start: i32) -> Self::I32;

    // --- binary64: correctly rounded to nearest even, never contracted or flushed ---
    fn add_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn sub_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn mul_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn div_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `a * b + c` with one rounding.
    fn fma_f64(self, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64;
    fn sqrt_f64(self, a: Self::F64) -> Self::F64;
    fn neg_f64(self, a: Self::F64) -> Self::F64;
    fn abs_f64(self, a: Self::F64) -> Self::F64;
    /// Magnitude bits of `a`, sign bit of `b` as it stands (canonicalise `b` first).
    fn copysign_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `if a < b { a } else { b }`
    fn min_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    /// `if a > b { a } else { b }`
    fn max_f64(self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn floor_f64(self, a: Self::F64) -> Self::F64;
    fn ceil_f64(self, a: Self::F64) -> Self::F64;
    fn trunc_f64(self, a: Self::F64) -> Self::F64;
    fn round_ties_even_f64(self, a: Self::F64) -> Self::F64;
    fn lt_f64(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn le_f64(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn eq_f64(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    /// True on NaN.
    fn ne_f64(self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn select_f64(self, m: Self::Mask, a: Self::F64, b: Self::F64) -> Self::F64;
    /// NaN becomes `0x7ff8000000000000`.
    fn canonical_f64(self, a: Self::F64) -> Self::F64;
    /// Bits as they stand (canonicalise first where NaN matters).
    fn bits_f64(self, a: Self::F64) -> Self::I64;
    fn f64_from_bits(self, a: Self::I64) -> Self::F64;

    // --- binary32, the same ---
    fn add_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn sub_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn mul_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn div_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn fma_f32(self, a: Self::F32, b: Self::F32, c: Self::F32) -> Self::F32;
    fn sqrt_f32(self, a: Self::F32) -> Self::F32;
    fn neg_f32(self, a: Self::F32) -> Self::F32;
    fn abs_f32(self, a: Self::F32) -> Self::F32;
    fn copysign_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn min_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn max_f32(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn floor_f32(self, a: Self::F32) -> Self::F32;
    fn ceil_f32(self, a: Self::F32) -> Self::F32;
    fn trunc_f32(self, a: Self::F32) -> Self::F32;
    fn round_ties_even_f32(self, a: Self::F32) -> Self::F32;
    fn lt_f32(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    fn le_f32(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    fn eq_f32(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    fn ne_f32(self, a: Self::F32, b: Self::F32) -> Self::Mask;
    fn select_f32(self, m: Self::Mask, a: Self::F32, b: Self::F32) -> Self::F32;
    fn canonical_f32(self, a: Self::F32) -> Self::F32;
    fn bits_f32(self, a: Self::F32) -> Self::I32;
    fn f32_from_bits(self, a: Self::I32) -> Self::F32;

    // --- conversions ---
    fn f64_to_f32(self, a: Self::F64) -> Self::F32;
    fn f32_to_f64(self, a: Self::F32) -> Self::F64;
    /// Saturating, NaN gives 0, toward zero: Rust's `as`.
    fn f64_to_i64(self, a: Self::F64) -> Self::I64;
    fn f64_to_i32(self, a: Self::F64) -> Self::I32;
    fn f32_to_i64(self, a: Self::F32) -> Self::I64;
    fn f32_to_i32(self, a: Self::F32) -> Self::I32;
    /// Correctly rounded to nearest even.
    fn i64_to_f64(self, a: Self::I64) -> Self::F64;
    fn i64_to_f32(self, a: Self::I64) -> Self::F32;
    fn i32_to_f64(self, a: Self::I32) -> Self::F64;
    fn i32_to_f32(self, a: Self::I32) -> Self::F32;
    /// Sign extension.
    fn i32_to_i64(self, a: Self::I32) -> Self::I64;
    /// The low 32 bits.
    fn i64_to_i32(self, a: Self::I64) -> Self::I32;

    // --- 64-bit integers, wrapping; shift amounts count modulo 64 ---
    fn add_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn sub_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn mul_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn and_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn or_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn xor_i64(self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn shl_i64(self, a: Self::I64, n: Self::I64) -> Self::I64;
    fn shr_i64(self, a: Self::I64, n: Self::I64) -> Self::I64;
    fn shr_logical_i64(self, a: Self::I64, n: Self::I64) -> Self::I64;
    /// Signed comparisons.
    fn lt_i64(self, a: Self::I64, b: Self::I64) -> Self::Mask;
    fn eq_i64(self, a: Self::I64, b: Self::I64) -> Self::Mask;
    fn select_i64(self, m: Self::Mask, a: Self::I64, b: Self::I64) -> Self::I64;

    // --- 32-bit integers, the same modulo 32 ---
    fn add_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn sub_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn mul_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn and_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn or_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn xor_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn shl_i32(self, a: Self::I32, n: Self::I32) -> Self::I32;
    fn shr_i32(self, a: Self::I32, n: Self::I32) -> Self::I32;
    fn shr_logical_i32(self, a: Self::I32, n: Self::I32) -> Self::I32;
    fn lt_i32(self, a: Self::I32, b: Self::I32) -> Self::Mask;
    fn eq_i32(self, a: Self::I32, b: Self::I32) -> Self::Mask;
    fn select_i32(self, m: Self::Mask, a: Self::I32, b: Self::I32) -> Self::I32;

    // --- masks ---
    fn and_mask(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn or_mask(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn xor_mask(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn not_mask(self, a: Self::Mask) -> Self::Mask;
    fn select_mask(self, m: Self::Mask, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether any lane is true. Not part of the language: for the search's loops.
    fn any(self, m: Self::Mask) -> bool;
    /// Number of true lanes.
    fn count(self, m: Self::Mask) -> u32;

    // --- tables: the index is wrapped (power-of-two length) or clamped, so any index is safe; len >= 1 ---
    fn gather_f64(self, t: &[f64], i: Self::I64) -> Self::F64;
    fn gather_f32(self, t: &[f32], i: Self::I64) -> Self::F32;
    fn gather_i64(self, t: &[i64], i: Self::I64) -> Self::I64;
    fn gather_i32(self, t: &[i32], i: Self::I64) -> Self::I32;
    fn gather32_f64(self, t: &[f64], i: Self::I32) -> Self::F64;
    fn gather32_f32(self, t: &[f32], i: Self::I32) -> Self::F32;
    fn gather32_i64(self, t: &[i64], i: Self::I32) -> Self::I64;
    fn gather32_i32(self, t: &[i32], i: Self::I32) -> Self::I32;
}
