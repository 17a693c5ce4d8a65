//! Random kernels compiled by rustc. `random_kernels::cpu` writes the file that this includes and builds it.
#![allow(warnings, clippy::all, reason = "nobody tidies up random source")]
#![recursion_limit = "512"]

include!(env!("RANDOM_KERNELS_BATCH"));
