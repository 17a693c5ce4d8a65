//! The tools, and the states in which they are.

use std::path::PathBuf;

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
    pub(super) fn purpose(self) -> &'static str {
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
    pub(super) fn package(self) -> Option<&'static str> {
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
}

/// What building and running need.
pub const NEON: [Tool; 3] = [Tool::Qemu, Tool::CrossGcc, Tool::CrossLibc];

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

/// The reason why an installation did not succeed.
pub(super) struct Failure {
    pub(super) tool: Tool,
    pub(super) reason: String,
}
