//! `cargo xtask atlas`: common functions of one argument, at all their inputs.

use std::ffi::OsString;

use clap::Parser;

use crate::error::Result;
use crate::process::{cargo, root, run as run_command};
use crate::{proven, setup};

/// What to search, or where to write the pages.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    /// --proven for lifted functions with proofs, or options of the program in examples/atlas: --functions, --libraries, --out, --minutes,
    /// --threads, --write, --binary64, --inputs; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// `cargo xtask atlas`.
pub fn run(args: &Args) -> Result<()> {
    if args.options.iter().any(|o| o == "--proven") {
        let name = OsString::from("atlas --proven");
        let parsed = proven::Args::parse_from(std::iter::once(name).chain(args.options.clone()));
        return proven::run(&parsed);
    }
    let target = std::env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| root().join("target"), |t| root().join(t));
    let mut command = cargo();
    // The program is a workspace of its own, with locked versions of its libraries.
    command.args(["run", "--release", "--locked", "--manifest-path"]);
    command.arg("examples/atlas/Cargo.toml");
    // CUDA needs nothing to build; OpenCL is linked.
    let mut features = vec!["cuda"];
    features.extend(setup::features().into_iter().filter(|f| *f == "opencl"));
    command.args(["--features", &features.join(",")]);
    command.arg("--target-dir").arg(target.join("atlas-build"));
    command.arg("--").args(&args.options);
    run_command(&mut command)
}
