//! `crunch`: the driver on the built-in sweeps.

fn main() -> std::process::ExitCode {
    doublecrunch::driver::main(doublecrunch::sweeps::ALL)
}
