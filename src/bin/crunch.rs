//! `crunch`: the driver on the built-in sweeps and reductions.

use doublecrunch::driver::Program;
use doublecrunch::sweeps;

fn main() -> std::process::ExitCode {
    let program = Program {
        sweeps: sweeps::ALL,
        reductions: sweeps::reductions::ALL,
        ..Program::default()
    };
    program.main()
}
