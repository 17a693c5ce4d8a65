//! The interface of backends, which load, evaluate and search kernels; and their errors.

use kernels_gen::emit::Source;
use kernels_gen::program::Program;

use super::block::BlockResult;
use super::error::BackendError;
use super::kernel_ref::KernelRef;
pub use super::loaded::{LoadedFunction, PointKernel};
use super::space::InputSpace;
use super::sweep::Sweep;

/// Only this workspace has backends, so that [`Backend`] can get methods without a new major version.
#[doc(hidden)]
pub mod sealed {
    /// The mark of a backend of this workspace.
    pub trait Sealed {}
}

/// A backend, which runs kernels. The trait is sealed.
pub trait Backend: sealed::Sealed + Send + Sync {
    /// Its name as on the command line: `scalar`, `avx2`, `avx512`, `interpreter`, `cuda-host`,
    /// `opencl:<platform>/<device>`, `cuda:<n>`.
    fn id(&self) -> &str;
    /// A one-line description: device, driver, compiler.
    fn describe(&self) -> String;
    /// Prepares a kernel for evaluation at given inputs.
    ///
    /// # Errors
    /// If the kernel cannot be lowered, compiled (with the compiler's log) or loaded.
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError>;
    /// Prepares a program for evaluation at given inputs: for traces, and for programs without a compiled form.
    ///
    /// A backend that compiles text compiles the program's text, as it does for a kernel. The CPU backends, whose kernels rustc compiled,
    /// evaluate the program one operation at a time, with the same code for each operation.
    ///
    /// # Errors
    /// As for [`Backend::load`]; also if the backend runs only kernels, which is the default.
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
    /// Prepares a search whose text was not emitted here, such as an alternative implementation in a benchmark. Its
    /// arguments and results are those of an emitted search ([`Signature::Sweep`](kernels_gen::emit::Signature::Sweep)).
    ///
    /// # Safety
    /// The text is compiled and run unchanged, on some backends in this process. It must do nothing but the search.
    ///
    /// # Errors
    /// As for [`Backend::load`]; also if the backend compiles no text, which is the default.
    unsafe fn load_text(&self, source: &Source) -> Result<Box<dyn SweepKernel>, BackendError> {
        Err(BackendError::Unavailable {
            backend: self.id().into(),
            reason: format!("`{}` is a text, and it compiles none", source.entry),
            remedy: "Take a backend that does.".into(),
        })
    }
    /// Prepares a function of the device's own language, such as `native_exp` of OpenCL C or `__expf` of CUDA, as a program compiled with
    /// the language's defaults would call it. Its results may differ from those of every other backend.
    ///
    /// # Errors
    /// As for [`Backend::load`]; if there is no function with that name; also if the backend is not a device with its own functions, which
    /// is the default.
    fn load_function(
        &self,
        name: &str,
        inputs: InputSpace,
    ) -> Result<LoadedFunction, BackendError> {
        let _ = inputs;
        Err(BackendError::Unavailable {
            backend: format!("`{name}` of {}", self.id()),
            reason: format!("{} is not a device with functions of its own", self.id()),
            remedy: "Take an OpenCL or a CUDA device; functions of the host are those of a library: --library libm.so.6."
                .into(),
        })
    }
    /// Prepares a sweep's search kernel.
    ///
    /// # Errors
    /// As for [`Backend::load`].
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError>;
    /// Prepares a search of a sweep in binary64 for only the largest errors. Results are compared with polynomials. Those that come within
    /// [`SLACK`](super::measure::SLACK) of a record are measured.
    ///
    /// # Errors
    /// As for [`Backend::load`]; also if the backend has no such search, which is the default. (For the processor's instruction sets, the
    /// search itself assembles this.)
    fn load_maxima(&self, sweep: &Sweep) -> Result<Box<dyn MaximaKernel>, BackendError> {
        Err(no_maxima(self.id(), sweep))
    }
    /// The number of inputs for which the overhead of a call of [`SweepKernel::run`] is small.
    fn preferred_batch(&self) -> u64 {
        1 << 20
    }
    /// The best number of workers if this process has `threads` threads for the backend: all of them for a backend that computes on the
    /// calling thread, fewer for a device.
    fn workers(&self, threads: usize) -> usize {
        threads.max(1)
    }
    /// The order of magnitude of the number of inputs per second.
    fn speed(&self) -> Speed {
        Speed::Compiled
    }
    /// The hardware on which it computes: two backends on the same hardware are not used at the same time.
    fn hardware(&self) -> Hardware {
        Hardware::Processor
    }
}

/// The error of a backend that has no search for only the largest errors.
pub(crate) fn no_maxima(backend: &str, sweep: &Sweep) -> BackendError {
    BackendError::Unavailable {
        backend: format!("the measure maxima of `{}` on {backend}", sweep.name),
        reason: "only the processor's instruction sets and CUDA compare results with polynomials"
            .into(),
        remedy: "Take scalar, avx2, avx512, neon or a CUDA device, or measure in full.".into(),
    }
}

/// The speed of a backend, by order of magnitude. Slow backends get fewer inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speed {
    /// Machine code.
    Compiled,
    /// Operation by operation, each on a column of inputs.
    Interpreted,
    /// Instruction by instruction, on a simulated device.
    Simulated,
}

/// The hardware on which a backend computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hardware {
    /// This machine's processor, through machine code of this program.
    Processor,
    /// This machine's processor, indirectly: through an interpreter, another compiler, or OpenCL.
    ProcessorIndirectly,
    /// A GPU of NVIDIA, through CUDA.
    Cuda,
    /// A GPU of NVIDIA, not through CUDA.
    NvidiaWithoutCuda,
    /// Any other device.
    OtherDevice,
}

/// The search kernel of a sweep, prepared to run.
pub trait SweepKernel: Send {
    /// Searches the `count` inputs with keys from `first` on.
    ///
    /// # Errors
    /// If a launch fails or leaves outputs unwritten.
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError>;
    /// The number of inputs so far for which the reference was evaluated, if it was not evaluated for all.
    fn in_full(&self) -> Option<u64> {
        None
    }
}

/// A polynomial of the function of a sweep in binary64: `base + low + slope τ + curve τ²` on neighbouring keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    /// A double in the middle of the keys for which the polynomial holds.
    pub base: f64,
    /// The low part of the constant coefficient.
    pub low: f64,
    /// The coefficient of `τ`.
    pub slope: f64,
    /// The coefficient of `τ²`.
    pub curve: f64,
    /// `τ` of the first key.
    pub start: f64,
    /// The difference of `τ` between neighbouring keys: a power of two, of which `start` is a multiple.
    pub step: f64,
    /// The unit in the last place of the function, which is the same wherever the polynomial holds.
    pub ulp: f64,
}

/// Neighbouring keys in a search for the largest errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// The number of keys.
    pub count: u32,
    /// The function at these keys, to 2^-19 ULP. `None` if the reference must be evaluated at each key.
    pub polynomial: Option<Polynomial>,
}

/// A prepared search for only the largest errors.
pub trait MaximaKernel: Send {
    /// Searches the keys of consecutive pieces, beginning at the key `first`. Returns the result of
    /// [`Measure::Maxima`](super::measure::Measure::Maxima), and the number of inputs at which the reference was evaluated.
    ///
    /// # Errors
    /// As for [`SweepKernel::run`].
    fn run(&mut self, first: i64, pieces: &[Piece]) -> Result<(BlockResult, u64), BackendError>;
    /// The largest number of keys of one run.
    fn most(&self) -> u64;
}
