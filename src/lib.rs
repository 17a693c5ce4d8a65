//! How wrong can a math routine get, is it the same everywhere, and did today's change make it worse? DoubleCrunch answers these questions
//! from one source.
//!
//! You put `#[crunch]` on a function. The function does not change, and you also get a kernel with the same name: [`map`](run) for slices, the
//! text for CUDA and OpenCL, and a search over every input of a range. All give the same bits.
//!
//! # Ten lines
//!
//! ```
//! use doublecrunch::prelude::*;
//!
//! /// 1/x for x in [1, 2): a line, then four steps of Newton's iteration.
//! #[crunch]
//! fn rcp(x: DcDouble) -> DcDouble {
//!     let mut y = 1.457 - 0.5 * x;
//!     for _ in 0..4 {
//!         y = y * (2.0 - y * x);
//!     }
//!     y
//! }
//!
//! // One number, on one scalar lane.
//! assert_eq!(rcp::eval(1.6), 0.6249999999999999);
//!
//! // Slices, on the widest instruction set of this processor: the same bits.
//! let x = [1.0, 1.25, 1.6, 1.9];
//! let mut y = [0.0; 4];
//! rcp::map(&x, &mut y);
//! assert_eq!(y[2], rcp::eval(1.6));
//!
//! // In place, where argument and result have one type.
//! let mut z = x;
//! rcp::map_in_place(&mut z);
//! assert_eq!(z, y);
//! ```
//!
//! [`DcDouble`](types::DcDouble) is a lane type: one source for one number and for a vector of numbers. A function of plain `f64` and
//! `f32` can have the attribute as well.
//!
//! # Tests
//!
//! A suite makes `cargo test` check the accuracy of a routine, and that every backend gives the same bits:
//!
//! ```
//! # fn main() {}
//! # use doublecrunch::prelude::*;
//! # #[crunch]
//! # fn rcp(x: DcDouble) -> DcDouble {
//! #     1.0 / x
//! # }
//! doublecrunch::suite! {
//!     pub mod promises;
//!     rcp: rcp, against dd_recip, over "1.0..2.0", within 2.0;
//! }
//! ```
//!
//! With the feature `driver`, `doublecrunch::driver::main(promises::SWEEPS)` is a command line for the same routines. `run` searches a range,
//! `verify` compares scalar code, AVX2, AVX-512, NEON, OpenCL and CUDA bit for bit, `bound` and `exact` prove the largest error:
//!
//! ```text
//! reciprocal: 450,359,963 inputs on opencl:pocl/0 in 2.2 s (209 M inputs/s)
//! range         1.0..1.0000001: 1,718 of 1,718 blocks of 2^18
//! worst error   1.512925 ULP
//!   at          1.0000000996747818 = 0x1.000001ac1994ep0 (0x3ff000001ac1994e)
//! ```
//!
//! # What calls cost
//!
//! `eval` computes one lane in plain Rust, and takes as long as the kernel's operations. On x86-64, a build without FMA tests for FMA at
//! each call, which takes about 1 ns; `-C target-feature=+fma` or `-C target-cpu=native` inlines the operations.
//!
//! `map` computes groups of up to 32 numbers and pads the last group. A call with 32 numbers takes 29 ns, a call with five takes 50 ns. Up
//! to four numbers are computed one by one. So pass whole slices. The book's page *What it costs* has a table (`cargo bench --bench
//! calls`).
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | none | kernels with `eval`, `map` and `map_in_place`: `no_std` without an allocator; the macro is the only dependency |
//! | `math` | mathematical functions with the same bits on every machine: `math`; `no_std` too |
//! | `std` | the standard library, which all other features imply: references by name, columns of bits |
//! | `search` | ranges, blocks, equivalence |
//! | `run_files` | run files: searches that are stored, continued and merged; compiles SQLite |
//! | `suite` (default) | `suite!` and `cargo crunch` |
//! | `driver` | the command line for your own kernels; with `run_files` |
//! | `cli` | `driver`, the references of functions for candidates named at run time, and the program `crunch` |
//! | `cuda` (default), `opencl` | devices; `opencl` links libOpenCL |
//! | `mpfr` | MPFR, with which references are checked; links libmpfr and libgmp |
//!
//! # Where next
//!
//! - [`prelude`]: the imports of a file with kernels; [`types`]: the lane types and their operations
//! - [`builtins`]: double-double arithmetic, polynomials, emulated instructions, references of functions
//! - `suite!` and `sweep::Sweep`, with the default features; `driver`, with the feature `driver`
//! - the book in the repository (`docs/book`): *Start* has a first routine in five minutes, *Tasks* a library's `Cargo.toml` and CI,
//!   *Reference* the commands

#![cfg_attr(not(feature = "std"), no_std)]

// A glob instead of a list: rustc's messages name an item by its shortest public path, which would lead through the hidden module.
pub use dc_runtime::*;

#[cfg(feature = "driver")]
pub use dc_driver as driver;

#[cfg(feature = "math")]
pub use dc_math as math;

/// Accuracy and equivalence as tests, with `cargo test` or `cargo crunch`: see [`suite!`].
#[cfg(all(feature = "driver", feature = "suite"))]
pub mod suite {
    pub use dc_driver::suites as cargo;
    pub use dc_runtime::suite::*;
}

#[cfg(doctest)]
mod book;

// The names in the macro's code.
#[doc(hidden)]
pub use dc_runtime::__private_v0_2;
