//! Directed roundings, derived from operations that round to nearest. This is the only derivation, for all instruction sets and languages
//! that have no instruction for directed roundings.
//!
//! A result `r` rounded to nearest is one of the two neighbours of the exact value, or it is the exact value. So the
//! directed result is `r` or the number next to it, and the *sign of the residual*, exact value minus `r`, decides
//! which. Each function here computes a number with that sign. Its magnitude does not matter, so a residual may be scaled by
//! a power of two and may be rounded, as long as it neither overflows nor vanishes. The scalings ensure this.
//!
//! If an operand is an infinity or a NaN, or a divisor is zero, `r` is the result in every direction, and the residual is NaN (the
//! difference of two infinities), which is neither above nor below. If finite operands overflow, `r` is an infinity and the residual the
//! opposite infinity, which gives the largest finite number.
//!
//! The derivation is written over [`FloatOps`]. For the instruction sets of the runtime these are operations that compute; for an emitter
//! they are operations that write statements. The interpreter does *not* use it: the derivation is tested against the interpreter.
//!
//! | file | what |
//! |---|---|
//! | `step` | from a result and its residual to the directed result |
//! | `binary64`, `fma` | the operations on doubles; the fused multiply-add on doubles |
//! | `binary32` | the operations on floats, computed on doubles |

mod binary32;
mod binary64;
mod fma;
mod step;
#[cfg(all(test, feature = "programs"))]
mod tests;

pub use binary32::{add_f32, div_f32, fma_f32, mul_f32, sqrt_f32};
pub use binary64::{add_f64, div_f64, mul_f64, sqrt_f64};
pub use fma::fma_f64;

/// The operations from which directed roundings are derived: those of the language, rounded to nearest if they round.
#[allow(
    missing_docs,
    reason = "each is the operation of its name on the page *Operations* of the book"
)]
pub trait FloatOps {
    type F64: Copy;
    type F32: Copy;
    type I64: Copy;
    type I32: Copy;
    type Mask: Copy;

    fn f64(&mut self, bits: u64) -> Self::F64;
    fn add(&mut self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn sub(&mut self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn mul(&mut self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn div(&mut self, a: Self::F64, b: Self::F64) -> Self::F64;
    fn fma(&mut self, a: Self::F64, b: Self::F64, c: Self::F64) -> Self::F64;
    fn sqrt(&mut self, a: Self::F64) -> Self::F64;
    fn neg(&mut self, a: Self::F64) -> Self::F64;
    fn abs(&mut self, a: Self::F64) -> Self::F64;
    fn lt(&mut self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn eq(&mut self, a: Self::F64, b: Self::F64) -> Self::Mask;
    fn select(&mut self, m: Self::Mask, a: Self::F64, b: Self::F64) -> Self::F64;
    fn bits(&mut self, a: Self::F64) -> Self::I64;
    fn of_bits(&mut self, a: Self::I64) -> Self::F64;

    fn i64(&mut self, bits: u64) -> Self::I64;
    fn add_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn sub_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn and_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn or_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    fn xor_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::I64;
    /// Zeros are shifted in.
    fn shr_i64(&mut self, a: Self::I64, by: u32) -> Self::I64;
    fn shl_i64(&mut self, a: Self::I64, by: u32) -> Self::I64;
    /// The comparison is signed.
    fn lt_i64(&mut self, a: Self::I64, b: Self::I64) -> Self::Mask;
    fn select_i64(&mut self, m: Self::Mask, a: Self::I64, b: Self::I64) -> Self::I64;

    fn widen(&mut self, a: Self::F32) -> Self::F64;
    fn narrow(&mut self, a: Self::F64) -> Self::F32;
    fn bits_f32(&mut self, a: Self::F32) -> Self::I32;
    fn f32_of_bits(&mut self, a: Self::I32) -> Self::F32;
    fn i32(&mut self, bits: u32) -> Self::I32;
    fn add_i32(&mut self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn sub_i32(&mut self, a: Self::I32, b: Self::I32) -> Self::I32;
    fn and_i32(&mut self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Zeros are shifted in.
    fn shr_i32(&mut self, a: Self::I32, by: u32) -> Self::I32;
    fn select_i32(&mut self, m: Self::Mask, a: Self::I32, b: Self::I32) -> Self::I32;

    fn and(&mut self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn or(&mut self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
}

const SIGN: u64 = 1 << 63;
const ZERO: u64 = 0;
const INFINITY: u64 = 0x7ff << 52;

/// Bits of `2^n`, a normal number.
const fn power(n: i64) -> u64 {
    ((n + 1023) as u64) << 52
}
