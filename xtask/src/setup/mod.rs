//! Finds or installs what the backends need, and tells children where it is.
//!
//! | file | what |
//! |---|---|
//! | `tools.rs` | is it here? |
//! | `apt.rs` | Debian's packages |
//! | `wheels.rs` | NVIDIA's compilers, from Python's package index into `target/toolchain` |
//! | `environment.rs` | the variables by which tests and backends find it all |

mod apt;
mod environment;
pub mod tools;
mod wheels;

use std::path::PathBuf;

use crate::process::which;
use crate::{Error, Result};

pub use environment::{Tools, toolchain};

/// What can be asked for with `--only`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Only {
    /// A C++ compiler: runs the CUDA text on the host, behind a shim of its intrinsics.
    Cxx,
    /// PoCL, an OpenCL device on the processor, and the OpenCL loader that the `opencl` feature links.
    Pocl,
    /// oclgrind, an OpenCL simulator that checks every memory access, and the loader.
    Oclgrind,
    /// NVIDIA's NVRTC, ptxas and nvdisasm: prove the CUDA text without a GPU.
    Nvidia,
    /// MPFR, which the `mpfr` feature links: checks references and the built-in library.
    Mpfr,
    /// Gappa: proves the bounds that measured errors are held against.
    Gappa,
}

impl Only {
    /// Everything.
    pub const ALL: [Only; 6] = [
        Only::Cxx,
        Only::Pocl,
        Only::Oclgrind,
        Only::Nvidia,
        Only::Mpfr,
        Only::Gappa,
    ];

    fn tools(self) -> &'static [Tool] {
        match self {
            Only::Cxx => &[Tool::Cxx],
            Only::Pocl => &[Tool::Loader, Tool::Pocl],
            Only::Oclgrind => &[Tool::Loader, Tool::Oclgrind],
            Only::Nvidia => &[Tool::Nvrtc, Tool::Ptxas, Tool::Nvdisasm],
            Only::Mpfr => &[Tool::Mpfr],
            Only::Gappa => &[Tool::Gappa],
        }
    }
}

/// One thing that is here or is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// A C++ compiler.
    Cxx,
    /// `libOpenCL.so`, to link and to load.
    Loader,
    /// PoCL.
    Pocl,
    /// oclgrind.
    Oclgrind,
    /// `libnvrtc.so`: CUDA text to PTX.
    Nvrtc,
    /// PTX to machine code.
    Ptxas,
    /// Machine code to text.
    Nvdisasm,
    /// MPFR and GMP, to compile with and to link.
    Mpfr,
    /// Gappa.
    Gappa,
}

impl Tool {
    /// Its name in what we print.
    pub fn name(self) -> &'static str {
        match self {
            Tool::Cxx => "c++",
            Tool::Loader => "opencl-loader",
            Tool::Pocl => "pocl",
            Tool::Oclgrind => "oclgrind",
            Tool::Nvrtc => "nvrtc",
            Tool::Ptxas => "ptxas",
            Tool::Nvdisasm => "nvdisasm",
            Tool::Mpfr => "mpfr",
            Tool::Gappa => "gappa",
        }
    }

    /// Why one would want it.
    fn purpose(self) -> &'static str {
        match self {
            Tool::Cxx => "runs the CUDA text on the host",
            Tool::Loader => "the `opencl` feature links it",
            Tool::Pocl => "an OpenCL device on this processor",
            Tool::Oclgrind => "checks every memory access of the OpenCL text",
            Tool::Nvrtc => "compiles the CUDA text, no GPU needed",
            Tool::Ptxas | Tool::Nvdisasm => "shows the CUDA text's machine code, no GPU needed",
            Tool::Mpfr => "the `mpfr` feature links it",
            Tool::Gappa => "proves bounds on rounding errors",
        }
    }

    /// The package of Debian's that brings it, if that is how it comes.
    fn package(self) -> Option<&'static str> {
        match self {
            Tool::Cxx => Some("g++"),
            Tool::Loader => Some("ocl-icd-opencl-dev"),
            Tool::Pocl => Some("pocl-opencl-icd"),
            Tool::Oclgrind => Some("oclgrind"),
            // Brings GMP's headers as well.
            Tool::Mpfr => Some("libmpfr-dev"),
            Tool::Gappa => Some("gappa"),
            Tool::Nvrtc | Tool::Ptxas | Tool::Nvdisasm => None,
        }
    }

    /// Where it is, if it is here.
    pub fn find(self) -> Option<PathBuf> {
        match self {
            Tool::Cxx => tools::cxx(),
            Tool::Loader => tools::loader(),
            Tool::Pocl => tools::pocl(),
            Tool::Oclgrind => tools::oclgrind(),
            Tool::Mpfr => tools::mpfr(),
            Tool::Gappa => which("gappa"),
            Tool::Nvrtc | Tool::Ptxas | Tool::Nvdisasm => {
                wheels::Wheel::of(self).and_then(|w| w.find())
            }
        }
    }
}

/// What became of a tool.
#[derive(Debug)]
pub enum State {
    /// It was here.
    Present(PathBuf),
    /// It is here now.
    Installed(PathBuf),
    /// It is not, and could not be had.
    Unavailable {
        /// Why.
        reason: String,
        /// What a person can do about it.
        remedy: String,
    },
}

/// Features of `doublecrunch` that link a library, which not every machine has.
pub const LINKED: [(&str, &str); 2] = [("opencl", "the OpenCL loader"), ("mpfr", "MPFR")];

/// Those of [`LINKED`] that can be built here.
pub fn features() -> Vec<&'static str> {
    let here = [tools::loader().is_some(), tools::mpfr().is_some()];
    let all = LINKED.iter().zip(here);
    all.filter(|(_, here)| *here).map(|(f, _)| f.0).collect()
}

/// Options of `cargo xtask setup`.
#[derive(clap::Args)]
pub struct Args {
    /// Only these; everything if not given.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Only>,
}

/// `cargo xtask setup`; fails if anything asked for cannot be had.
pub fn run(args: &Args) -> Result<()> {
    let only: &[Only] = if args.only.is_empty() {
        &Only::ALL
    } else {
        &args.only
    };
    let tools = ensure(only);
    tools.print();
    tools.print_variables();
    let missing: Vec<&str> = tools.missing().map(Tool::name).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Error(format!("not available: {}", missing.join(", "))))
    }
}

/// Sees to it that these are here, as far as they can be.
pub fn ensure(only: &[Only]) -> Tools {
    let mut wanted: Vec<Tool> = Vec::new();
    for tool in only.iter().flat_map(|o| o.tools()) {
        if !wanted.contains(tool) {
            wanted.push(*tool);
        }
    }
    let before: Vec<(Tool, Option<PathBuf>)> = wanted.iter().map(|t| (*t, t.find())).collect();
    let missing: Vec<Tool> = before
        .iter()
        .filter(|b| b.1.is_none())
        .map(|b| b.0)
        .collect();
    let mut failures = apt::install(&missing);
    failures.extend(wheels::install(&missing));
    let states = before
        .into_iter()
        .map(|(tool, path)| {
            let state = match (path, tool.find()) {
                (Some(path), _) => State::Present(path),
                (None, Some(path)) => State::Installed(path),
                (None, None) => unavailable(tool, &failures),
            };
            (tool, state)
        })
        .collect();
    Tools::new(states)
}

/// Why an installation did not succeed.
struct Failure {
    tool: Tool,
    reason: String,
}

fn unavailable(tool: Tool, failures: &[Failure]) -> State {
    let reason = failures.iter().find(|f| f.tool == tool).map_or_else(
        || "the package is installed, yet the file it should bring was not found".into(),
        |f| f.reason.clone(),
    );
    let remedy = match (tool.package(), wheels::Wheel::of(tool)) {
        (Some(package), _) => {
            format!("As root: apt-get install {package} (or what your system calls it)")
        }
        (None, Some(wheel)) => wheel.remedy(),
        (None, None) => String::new(),
    };
    State::Unavailable { reason, remedy }
}
