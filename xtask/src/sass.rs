//! The machine code that NVIDIA's compilers make from a file of CUDA text.

#[path = "sass_loops.rs"]
pub mod loops;

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::nvidia::sass::Sass;
use crate::nvidia::{Nvrtc, STRICT};
use crate::process::root;
use crate::setup::{self, Only};

/// Options of `cargo xtask sass`.
#[derive(clap::Args)]
pub struct Args {
    /// The file of CUDA text.
    #[arg(required_unless_present = "sweeps")]
    file: Option<PathBuf>,
    /// Show the cost of an input in the benchmark's searches, ours and those written by hand.
    #[arg(long, conflicts_with_all = ["file", "option", "ptx", "counts"])]
    sweeps: bool,
    /// The architecture. With --sweeps, may be repeated.
    #[arg(long, default_values = ["sm_80", "sm_90"])]
    arch: Vec<String>,
    /// NVRTC's options, instead of the strict ones; may be repeated.
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    option: Vec<String>,
    /// Also print the PTX.
    #[arg(long)]
    ptx: bool,
    /// Print only the counts.
    #[arg(long)]
    counts: bool,
}

/// `cargo xtask sass`.
pub fn run(args: &Args) -> Result<()> {
    let tools = setup::ensure(&[Only::Nvidia]);
    if tools.missing().next().is_some() {
        tools.print();
        return Err(Error("NVIDIA's compilers are not available".into()));
    }
    let Some(file) = &args.file else {
        return loops::print(&args.arch);
    };
    let arch = args.arch.last().expect("it has a default");
    let text =
        std::fs::read_to_string(file).map_err(|e| Error(format!("{}: {e}", file.display())))?;
    let options: Vec<&str> = match args.option.as_slice() {
        [] => STRICT.to_vec(),
        given => given.iter().map(String::as_str).collect(),
    };
    let failed = |e: crate::nvidia::Error| Error(e.to_string());
    let ptx = Nvrtc::open(&root())
        .and_then(|n| n.ptx(&text, arch, &options))
        .map_err(failed)?;
    if args.ptx {
        print!("{ptx}");
    }
    let sass = Sass::of_ptx(&root(), &ptx, arch).map_err(failed)?;
    if !args.counts {
        print!("{}", sass.text);
    }
    for (function, counts) in sass.counts() {
        let floating: Vec<String> = counts
            .0
            .iter()
            .filter(|(name, _)| is_floating(name))
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        let floating = match floating.is_empty() {
            true => "no floating point".into(),
            false => floating.join(", "),
        };
        println!("{function}: {floating}");
    }
    println!(
        "{} registers, {} bytes of local memory",
        sass.registers, sass.local
    );
    Ok(())
}

/// The operations on floating-point numbers are named after their precision, but so are some that only move bits.
fn is_floating(operation: &str) -> bool {
    operation == "MUFU"
        || [
            "DADD", "DMUL", "DFMA", "DSETP", "DMNMX", "FADD", "FMUL", "FFMA", "FSETP", "FSET",
            "FMNMX", "FRND", "FCHK",
        ]
        .contains(&operation)
        || ["F2F", "F2I", "I2F", "F2FP", "I2FP"].contains(&operation)
}
