//! `cargo run --example crunch -- verify sqrt_newton`, `… -- run sqrt_newton --range 1.0..1.001`, `… -- emit sqrt_newton --target
//! cuda`: every command of `crunch`, for the kernels of this crate.

#[path = "../tests/promises.rs"]
mod promises;

use own_crate::nine;

fn main() -> std::process::ExitCode {
    // Kernels that no sweep of this program reaches, for `emit`.
    let kernels = doublecrunch::kernels![nine::cbrt, nine::gelu, nine::hypotf, nine::sinf];
    doublecrunch::driver::main_with(promises::accuracy::SWEEPS, kernels)
}
