//! A first look of eight packages, then the main example with all available backends.

use std::ffi::OsString;
use std::time::Instant;

use crate::error::Result;
use crate::process::{self, cargo};
use crate::setup::{self, Only};

/// Options of `cargo xtask demo`.
#[derive(clap::Args)]
pub struct Args {
    /// Arguments for the example, after `--`.
    #[arg(last = true)]
    args: Vec<OsString>,
}

/// `cargo xtask demo`.
pub fn run(args: &Args) -> Result<()> {
    let begun = Instant::now();
    // Kernels alone are compiled in seconds, so that there is something to see while the tools and the rest take minutes.
    println!("== Kernels alone: eight packages");
    process::run(process::once(&mut cargo()).args(["run", "--package", "first-look"]))?;
    println!(
        "\n== After {} s: what the backends need",
        begun.elapsed().as_secs()
    );
    // An OpenCL device is the most common missing part on a new machine, and the rest of the demo does not depend on
    // it.
    let tools = setup::ensure(&[Only::Pocl]);
    tools.print();
    // The development profile: a release takes nearly twice as long to compile.
    let mut command = cargo();
    process::once(&mut command).args(["run", "--example", "reciprocal"]);
    let features = match setup::tools::loader() {
        Some(_) => "--features opencl ",
        None => {
            println!("\nWithout the OpenCL loader: the demo goes on with the other backends.");
            ""
        }
    };
    command.args(features.split_whitespace());
    println!(
        "\n== After {} s: the search on every backend; a first build takes minutes",
        begun.elapsed().as_secs()
    );
    if !args.args.is_empty() {
        command.arg("--").args(&args.args);
    }
    process::run(tools.export(&mut command))?;
    println!("\n== After {} s: done", begun.elapsed().as_secs());
    println!(
        "The speeds are those of a development build; a release takes longer to compile, and searches about 1.4 times as fast:\n\
         cargo run --release {features}--example reciprocal"
    );
    Ok(())
}
