//! Mathematical functions with the same bits on every machine: scalar code, AVX2, AVX-512, NEON, and as CUDA or OpenCL text.
//!
//! | module | numbers | result |
//! |---|---|---|
//! | [`f32`](mod@f32) | binary32 | correctly rounded |
//! | [`f64`](mod@f64) | binary64 | within 0.55 ULP |
//! | [`f16`](mod@f16), [`bf16`](mod@bf16) | binary16, bfloat16, as the bits in a `u16` | correctly rounded |
//!
//! Each function can be called in three ways. It is also a kernel, which other kernels can call.
//!
//! ```
//! use dc_math::f32;
//!
//! // One number.
//! assert_eq!(f32::sin(1.0), 0.84147096);
//!
//! // Slices, on the widest instruction set of this processor: the same bits.
//! let x = [0.0, 0.5, 1.0, 1e30];
//! let mut y = [0.0; 4];
//! f32::sin::map(&x, &mut y);
//! assert_eq!(y[2], f32::sin(1.0));
//!
//! // In place.
//! let mut z = x;
//! f32::sin::map_in_place(&mut z);
//! assert_eq!(z, y);
//! ```

#![cfg_attr(not(any(test, feature = "std")), no_std)]

// The macro names the runtime as its users do.
extern crate dc_runtime as doublecrunch;

mod about;
mod exact;
pub mod f32;
pub mod f64;
pub mod lanes;
mod quick;
mod stored;
mod value;
mod wide;

pub use stored::{bf16, f16};
pub use value::Value;
