//! Backends, which run kernels. All must give the same bits. A backend is only trusted after it has passed the probe.
//!
//! | file | what |
//! |---|---|
//! | `cpu`, `interp` | kernels compiled by rustc; the IR's interpreter |
//! | `one_by_one` | a program on an instruction set, one operation at a time |
//! | `text`, `launch` | the common part of backends that compile emitted text; sentinels, chunks and records of a launch |
//! | `columns` | searches over columns that the host computes |
//! | `cuda_host`, `opencl`, `cuda` | the three such backends |
//! | `cuda_launch` | launches on a CUDA device |
//! | `nvrtc`, `dl` | NVRTC, if it is present; loading libraries |
//! | `options`, `cache` | compile options, which never relax arithmetic; compiled programs on disk |
//! | `identity`, `private`, `scratch` | the files of a compiler; folders to which nobody else can write; the folder of one compilation |
//! | `probe`, `probe_kernels`, `probe_inputs` | the programs that a backend must compute correctly before it is trusted |
//! | `written`, `original` | plain functions as written, compiled originals of lifted kernels: backends of one kernel |
//! | `fault_injection` | deliberately wrong backends, for tests that must find them; only with the feature of that name |
//! | `filter`, `discover`, `found` | selecting backends, finding them, the backends of a family |

pub mod cache;
mod columns;
#[cfg(test)]
mod conformance;
mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
mod cuda_host;
#[cfg(feature = "cuda")]
mod cuda_launch;
pub mod discover;
mod dl;
mod fast_path;
#[cfg(any(test, feature = "fault_injection"))]
#[doc(hidden)]
pub mod fault_injection;
pub mod filter;
#[cfg(test)]
mod fixtures;
mod found;
mod identity;
pub(crate) mod interp;
mod launch;
#[cfg(feature = "cuda")]
mod nvrtc;
mod one_by_one;
#[cfg(feature = "opencl")]
mod opencl;
pub mod options;
pub mod original;
mod private;
pub mod probe;
mod probe_inputs;
mod probe_kernels;
mod scratch;
mod search_text;
#[doc(hidden)]
pub mod skip;
#[cfg(any(test, feature = "fault_injection"))]
#[doc(hidden)]
pub mod testing;
pub(crate) mod text;
pub mod written;

use crate::model::programs::program_of;
use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;

use crate::fenv::Guard;
pub use crate::model::backend::{
    Backend, Hardware, MaximaKernel, Piece, PointKernel, Polynomial, Speed, SweepKernel,
};
pub use crate::model::error::BackendError;
pub use crate::model::kernel_ref::{CpuPoint, CpuSweep, KernelRef, PointFn, SweepFn};
pub use discover::{Discovery, discover};
pub use filter::Filter;
pub use found::Absent;
#[doc(hidden)]
pub use search_text::search_text;

/// Lowers a kernel for a backend that runs programs.
fn lowered(kernel: &'static Kernel) -> Result<&'static Program, BackendError> {
    program_of(kernel).map_err(|e| BackendError::Lower {
        kernel: kernel.name.into(),
        reason: e.to_string(),
    })
}

/// Makes a call in the default floating-point environment, which the call must not change. `call` is a phrase that names it, such as
/// "compiling `exp`".
///
/// # Errors
/// Those of the call; [`BackendError::Environment`] if it changed the environment, whatever its result.
fn in_default_environment<T>(
    backend: &str,
    call: impl FnOnce() -> String,
    work: impl FnOnce() -> Result<T, BackendError>,
) -> Result<T, BackendError> {
    let guard = Guard::new();
    let result = work();
    match guard.changed() {
        None => result,
        Some(environment) => Err(BackendError::Environment {
            backend: backend.into(),
            call: call(),
            environment,
        }),
    }
}
