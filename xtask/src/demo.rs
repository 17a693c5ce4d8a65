//! The main example, with all available backends.

use std::ffi::OsString;

use crate::Result;
use crate::process::{self, cargo};
use crate::setup::{self, Only};

/// Options of `cargo xtask demo`.
#[derive(clap::Args)]
pub struct Args {
    /// Arguments for the example itself, after `--`.
    #[arg(last = true)]
    args: Vec<OsString>,
}

/// `cargo xtask demo`.
pub fn run(args: &Args) -> Result<()> {
    // An OpenCL device is the most common missing part on a new machine, and the rest of the demo does not depend on
    // it.
    let tools = setup::ensure(&[Only::Pocl]);
    tools.print();
    let mut command = cargo();
    command.args(["run", "--release", "--example", "reciprocal"]);
    if setup::tools::loader().is_some() {
        command.args(["--features", "opencl"]);
    } else {
        println!("\nWithout the OpenCL loader: the demo goes on with the other backends.");
    }
    if !args.args.is_empty() {
        command.arg("--").args(&args.args);
    }
    process::run(tools.export(&mut command))
}
