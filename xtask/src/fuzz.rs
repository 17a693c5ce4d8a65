//! Random kernels on every backend (`tests/random-kernels`). The parsers are fuzzed by `cargo fuzz` in `fuzz/`.

use std::ffi::OsString;

use crate::error::Result;
use crate::process::{cargo, run as run_command};
use crate::setup::{self, Only};

/// Options of `cargo xtask fuzz`; all others are passed to `random-kernels`.
#[derive(clap::Args)]
pub struct Args {
    /// Also use Oclgrind, which takes minutes for work that the others do in seconds.
    #[arg(long)]
    oclgrind: bool,
    /// Options of the fuzzer: `--minutes N`, `--kernels N`, `--seed S`, `--inject FAULT`, …; `-- --help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// `cargo xtask fuzz`.
pub fn run(args: &Args) -> Result<()> {
    let tools = setup::ensure(&[Only::Cxx, Only::Pocl]);
    tools.print();
    let mut command = cargo();
    command.args(["run", "--release", "--package", "random-kernels"]);
    command.args(["--bin", "random-kernels"]);
    // CUDA's libraries are loaded at run time; OpenCL's is the only linked one that random kernels use.
    command.args(["--features", "cuda"]);
    if setup::features().contains(&"opencl") {
        command.args(["--features", "opencl"]);
    }
    command.arg("--");
    if !args.args.iter().any(|a| a == "--save") {
        command.args(["--save", "tests/random-kernels/regressions"]);
    }
    command.args(&args.args);
    tools.export(&mut command);
    if args.oclgrind {
        tools
            .export_oclgrind(&mut command)
            .map_err(|e| crate::error::Error(format!("the folder of OpenCL vendors: {e}")))?;
    }
    run_command(&mut command)
}
