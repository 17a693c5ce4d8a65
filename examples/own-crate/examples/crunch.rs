//! `cargo run --example crunch -- verify sqrt_newton`, `… -- run sqrt_newton --range 1.0..1.001`, `… -- emit sqrt_newton --target
//! cuda`: every command of `crunch`, for the kernels of this crate.

#[path = "../tests/promises.rs"]
mod promises;

fn main() -> std::process::ExitCode {
    doublecrunch::driver::main(promises::accuracy::SWEEPS)
}
