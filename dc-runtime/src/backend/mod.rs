//! Backends: things that run kernels. All give the same bits, and are not trusted to until the probe has shown it.
//!
//! | file | what |
//! |---|---|
//! | `cpu`, `interp` | kernels compiled by rustc; the IR's interpreter |
//! | `one_by_one` | a program on an instruction set, one operation at a time |
//! | `text`, `launch` | what backends that compile emitted text share; sentinels, chunks and records of a launch |
//! | `cuda_host`, `opencl`, `cuda` | the three such backends |
//! | `cuda_launch` | launches on a CUDA device |
//! | `nvrtc`, `dl` | is there NVRTC; loading libraries |
//! | `options`, `cache` | compile options, of which none may relax arithmetic; compiled programs on disk |
//! | `probe`, `probe_kernels`, `probe_inputs` | what a backend must compute before it is trusted |
//! | `planted` | texts made wrong on purpose, for what must notice it; only with the feature of that name |
//! | `filter`, `discover`, `doctor` | naming backends, finding them, telling a person about them |

pub mod cache;
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
#[cfg(test)]
mod faulty;
pub mod filter;
#[cfg(test)]
mod fixtures;
pub(crate) mod interp;
mod launch;
#[cfg(feature = "cuda")]
mod nvrtc;
mod one_by_one;
#[cfg(feature = "opencl")]
mod opencl;
pub mod options;
mod ordinary;
#[cfg(feature = "planted")]
#[doc(hidden)]
pub mod planted;
pub mod probe;
mod probe_inputs;
mod probe_kernels;
#[doc(hidden)]
pub mod skip;
pub(crate) mod text;

/// Backends for the tests of other modules.
#[cfg(test)]
pub(crate) mod testing {
    use std::path::Path;
    use std::sync::Arc;

    use kernels_gen::emit::Source;
    use kernels_gen::program::{Func, Program};

    #[cfg(feature = "opencl")]
    use super::opencl;
    use super::skip::skip;
    use super::{Backend, cuda_host, faulty, interp, text};

    /// The oracle.
    pub(crate) fn interpreter() -> Arc<dyn Backend> {
        Arc::new(interp::Interp)
    }
    /// The interpreter, wrong: one operation of the kernel of that name is contracted.
    pub(crate) fn contracted(only: &'static str) -> Arc<dyn Backend> {
        Arc::new(faulty::Contracted { only: Some(only) })
    }
    /// The interpreter, wrong: those products (by the numbers of product and sum) are contracted, the first of them in
    /// each program.
    pub(crate) fn contracting(
        wanted: impl Fn(&Func, usize, usize) -> bool + Send + Sync + 'static,
    ) -> Arc<dyn Backend> {
        rewriting(move |program| faulty::contract(program, &wanted))
    }
    /// The interpreter, which takes a table's index modulo its length.
    pub(crate) fn index_modulo() -> Arc<dyn Backend> {
        Arc::new(faulty::Faulty(faulty::Fault::IndexModulo))
    }
    /// The interpreter, with something done to each program.
    pub(crate) fn rewriting(
        rewrite: impl Fn(Program) -> Program + Send + Sync + 'static,
    ) -> Arc<dyn Backend> {
        Arc::new(faulty::Rewritten(Box::new(rewrite)))
    }
    /// The CUDA text on the CPU, by a compiler that contracts.
    pub(crate) fn contracting_host(cache: &Path) -> Option<Arc<dyn Backend>> {
        Some(Arc::new(text::Text(host()?.contracting(cache))))
    }
    /// The CUDA text on the CPU, with something done to it.
    pub(crate) fn spoilt_host(
        cache: &Path,
        translate: fn(&Source) -> String,
    ) -> Option<Arc<dyn Backend>> {
        Some(Arc::new(text::Text(host()?.spoilt(cache, translate))))
    }
    fn host() -> Option<cuda_host::CudaHost> {
        let host = cuda_host::CudaHost::detect();
        host.map_err(|absent| skip(&absent.id, &absent.reason)).ok()
    }
    /// OpenCL on PoCL, with something done to its text.
    #[cfg(feature = "opencl")]
    pub(crate) fn spoilt_pocl(cache: &Path, spoil: fn(&str) -> String) -> Option<Arc<dyn Backend>> {
        let Some(device) = opencl::spoilt("pocl", cache, spoil) else {
            skip("opencl:pocl", "no such platform");
            return None;
        };
        Some(Arc::new(text::Text(device)))
    }
}

use std::fmt;

use kernels_gen::emit::Source;
use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;

use crate::search::block::BlockResult;
use crate::sweep::Sweep;

pub use discover::{Absent, Discovery, discover};
pub use filter::Filter;
#[cfg(feature = "cli")]
pub(crate) use ordinary::ordinary;

/// Lowers a kernel for a backend that runs programs.
fn lowered(kernel: &'static Kernel) -> Result<Program, BackendError> {
    kernels_gen::lower(kernel).map_err(|e| BackendError::Lower {
        kernel: kernel.name.into(),
        reason: e.to_string(),
    })
}

/// Something that can run kernels.
pub trait Backend: Send + Sync {
    /// Its name as on the command line: `scalar`, `avx2`, `avx512`, `interpreter`, `cuda-host`,
    /// `opencl:<platform>/<device>`, `cuda:<n>`.
    fn id(&self) -> &str;
    /// One line for a person: device, driver, compiler.
    fn describe(&self) -> String;
    /// Makes a kernel ready to be evaluated at given inputs.
    ///
    /// # Errors
    /// When the kernel cannot be lowered, compiled (with the compiler's log) or loaded.
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError>;
    /// Makes a program ready to be evaluated at given inputs: what is traced, and what has no compiled form.
    ///
    /// A backend that compiles text compiles the program's, as it does a kernel's. The CPU backends, which rustc compiled,
    /// evaluate it one operation at a time, by the code that their kernels are made of.
    ///
    /// # Errors
    /// As [`Backend::load`]; and when the backend runs kernels only, which is what this does if it is left out.
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        Err(BackendError::Unavailable {
            backend: self.id().into(),
            reason: format!(
                "`{}` is a program, and it runs kernels only",
                program.entry().name
            ),
            remedy: "Implement `Backend::load_program` for it.".into(),
        })
    }
    /// Makes a search ready whose text was not emitted here, a rival's in a benchmark: it takes and writes what an
    /// emitted one does ([`Signature::Sweep`](kernels_gen::emit::Signature::Sweep)).
    fn load_text(&self, source: &Source) -> Result<Box<dyn SweepKernel>, BackendError> {
        Err(BackendError::Unavailable {
            backend: self.id().into(),
            reason: format!("`{}` is a text, and it compiles none", source.entry),
            remedy: "Take a backend that does.".into(),
        })
    }
    /// Makes a sweep's search kernel ready.
    ///
    /// # Errors
    /// As [`Backend::load`].
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError>;
    /// Number of inputs that make a call of [`SweepKernel::run`] worth its overhead.
    fn preferred_batch(&self) -> u64 {
        1 << 20
    }
}

/// A kernel ready to be evaluated at given inputs.
pub trait PointKernel: Send {
    /// Evaluates it at each of `n` inputs: one column of bits (zero-extended) for every flattened parameter, all of one
    /// length, and one output column for every flattened result, resized to that length. Output NaNs are canonical.
    ///
    /// # Errors
    /// When a launch fails; a column is then left in an unspecified state.
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError>;
}

/// A sweep's search kernel, ready to run.
pub trait SweepKernel: Send {
    /// Searches the `count` inputs with keys from `first` up.
    ///
    /// # Errors
    /// When a launch fails or leaves outputs unwritten.
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError>;
}

/// What a kernel is to a backend: its IR, and its compiled forms for the CPU.
#[derive(Clone, Copy)]
pub struct KernelRef {
    /// The IR.
    pub kernel: &'static Kernel,
    /// The compiled forms.
    pub cpu: CpuPoint,
}

impl fmt::Debug for KernelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KernelRef").field(&self.kernel.name).finish()
    }
}

/// Evaluates a compiled kernel over columns of bits; see [`PointKernel::eval`].
pub type PointFn = fn(inputs: &[&[u64]], outputs: &mut [Vec<u64>]);
/// Searches a stretch of keys with a compiled sweep; see [`SweepKernel::run`].
pub type SweepFn = fn(first: i64, count: u64) -> BlockResult;

/// A kernel's compiled forms; calling one whose features the processor lacks panics.
#[derive(Debug, Clone, Copy)]
pub struct CpuPoint {
    /// Plain Rust.
    pub scalar: PointFn,
    /// AVX2 and FMA.
    pub avx2: PointFn,
    /// AVX-512 F, VL, DQ, BW.
    pub avx512: PointFn,
}

/// A sweep's compiled search loops; calling one whose features the processor lacks panics.
#[derive(Debug, Clone, Copy)]
pub struct CpuSweep {
    /// Plain Rust.
    pub scalar: SweepFn,
    /// AVX2 and FMA.
    pub avx2: SweepFn,
    /// AVX-512 F, VL, DQ, BW.
    pub avx512: SweepFn,
}

/// Why a backend could not do something.
#[derive(Debug, Clone, thiserror::Error)]
pub enum BackendError {
    /// The library or processor feature is not on this machine.
    #[error("{backend} is not available: {reason}. {remedy}")]
    Unavailable {
        /// Which.
        backend: String,
        /// What is missing.
        reason: String,
        /// What to install or change.
        remedy: String,
    },
    /// The device is there but must not be trusted: no fp64, or the probe measured a wrong value.
    #[error("{backend} is refused: {reason}")]
    Refused {
        /// Which.
        backend: String,
        /// The probe's case, what it expects and what it measured.
        reason: String,
    },
    /// The kernel could not be lowered.
    #[error("kernel `{kernel}` cannot be lowered: {reason}")]
    Lower {
        /// The kernel.
        kernel: String,
        /// Why.
        reason: String,
    },
    /// The device's compiler rejected the text.
    #[error("{backend} could not compile `{kernel}`:\n{log}")]
    Compile {
        /// Which.
        backend: String,
        /// The kernel.
        kernel: String,
        /// The compiler's log.
        log: String,
    },
    /// A launch or transfer failed, or left outputs unwritten.
    #[error("{backend}: running `{kernel}` failed: {reason}")]
    Launch {
        /// Which.
        backend: String,
        /// The kernel.
        kernel: String,
        /// The driver's error.
        reason: String,
    },
}
