//! The interface of backends, which load, evaluate and search kernels; and their errors.

use kernels_gen::emit::{Dialect, Source};
use kernels_gen::program::Program;

use super::block::BlockResult;
use super::kernel_ref::KernelRef;
use super::space::InputSpace;
use super::sweep::Sweep;
use crate::fenv::Environment;

/// A backend, which runs kernels.
pub trait Backend: Send + Sync {
    /// Its name as on the command line: `scalar`, `avx2`, `avx512`, `interpreter`, `cuda-host`,
    /// `opencl:<platform>/<device>`, `cuda:<n>`.
    fn id(&self) -> &str;
    /// A description of one line: device, driver, compiler.
    fn describe(&self) -> String;
    /// Prepares a kernel for evaluation at given inputs.
    ///
    /// # Errors
    /// If the kernel cannot be lowered, compiled (with the compiler's log) or loaded.
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError>;
    /// Prepares a program for evaluation at given inputs: for traces, and for programs without a compiled form.
    ///
    /// A backend that compiles text compiles the program's, as it does a kernel's. The CPU backends, whose kernels
    /// rustc compiled, evaluate it one operation at a time, with the same code for each operation.
    ///
    /// # Errors
    /// As for [`Backend::load`]; and if the backend runs only kernels, which is the default.
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
    /// The text is compiled and run unchanged, on some backends in this process: it must do no more than that.
    ///
    /// # Errors
    /// As for [`Backend::load`]; and if the backend compiles no text, which is the default.
    unsafe fn load_text(&self, source: &Source) -> Result<Box<dyn SweepKernel>, BackendError> {
        Err(BackendError::Unavailable {
            backend: self.id().into(),
            reason: format!("`{}` is a text, and it compiles none", source.entry),
            remedy: "Take a backend that does.".into(),
        })
    }
    /// Prepares a function of the device's own language, such as `native_exp` of OpenCL C or `__expf` of CUDA, in the
    /// form that a program gets if it is compiled with the language's defaults. Its results may differ from those of every
    /// other backend.
    ///
    /// # Errors
    /// As for [`Backend::load`]; if there is no function with that name; and if the backend is not a device with its own
    /// functions, which is the default.
    fn load_function(
        &self,
        name: &str,
        inputs: InputSpace,
    ) -> Result<LoadedFunction, BackendError> {
        let _ = inputs;
        Err(BackendError::Unavailable {
            backend: format!("`{name}` of {}", self.id()),
            reason: format!("{} is no device with functions of its own", self.id()),
            remedy: "Take an OpenCL or a CUDA device; functions of the host are those of a library: --library libm.so.6."
                .into(),
        })
    }
    /// Prepares a sweep's search kernel.
    ///
    /// # Errors
    /// As for [`Backend::load`].
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError>;
    /// Prepares a search of a sweep in binary64 only for the largest errors. Results are compared with polynomials, and those
    /// that come within [`SLACK`](super::measure::SLACK) of a record are measured.
    ///
    /// # Errors
    /// As for [`Backend::load`]; and if the backend has no such search, which is the default. (The search assembles this for the processor's
    /// instruction sets itself.)
    fn load_maxima(&self, sweep: &Sweep) -> Result<Box<dyn MaximaKernel>, BackendError> {
        Err(no_maxima(self.id(), sweep))
    }
    /// The number of inputs for which the overhead of a call of [`SweepKernel::run`] is small.
    fn preferred_batch(&self) -> u64 {
        1 << 20
    }
    /// The best number of workers if this process has `threads` threads for it: all of them for a backend that
    /// computes on the calling thread, fewer for a device.
    fn workers(&self, threads: usize) -> usize {
        threads.max(1)
    }
    /// The order of magnitude of its inputs per second.
    fn speed(&self) -> Speed {
        Speed::Compiled
    }
    /// The hardware on which it computes: two backends on the same hardware are not used at the same time.
    fn hardware(&self) -> Hardware {
        Hardware::Processor
    }
}

/// The error that a backend has no search for the largest errors alone.
pub(crate) fn no_maxima(backend: &str, sweep: &Sweep) -> BackendError {
    BackendError::Unavailable {
        backend: format!("the measure maxima of `{}` on {backend}", sweep.name),
        reason:
            "results are compared with polynomials by the processor's instruction sets and by CUDA alone"
                .into(),
        remedy: "Take scalar, avx2, avx512, neon or a CUDA device, or measure in full.".into(),
    }
}

/// A function of a device, prepared for evaluation, with the data that its results depend on.
pub struct LoadedFunction {
    /// Evaluates the function. NaNs have the bits that the device gives.
    pub kernel: Box<dyn PointKernel>,
    /// The language of the function.
    pub dialect: Dialect,
    /// The text that calls it.
    pub text: String,
    /// The options with which the text is compiled.
    pub options: String,
    /// The device's name.
    pub device: String,
    /// The versions of driver and compiler.
    pub driver: String,
}

/// The speed of a backend, by order of magnitude: slow ones are given fewer inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speed {
    /// Machine code.
    Compiled,
    /// It evaluates operation by operation, each on a column of inputs.
    Interpreted,
    /// It evaluates the instructions of a simulated device one by one.
    Simulated,
}

/// The hardware on which a backend computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hardware {
    /// This machine's processor, by machine code of this program.
    Processor,
    /// This machine's processor, indirectly: by an interpreter, another compiler, OpenCL.
    ProcessorIndirectly,
    /// A GPU of NVIDIA, through CUDA.
    Cuda,
    /// A GPU of NVIDIA, not through CUDA.
    NvidiaWithoutCuda,
    /// Any other device.
    OtherDevice,
}

/// A kernel prepared for evaluation at given inputs.
pub trait PointKernel: Send {
    /// Evaluates it at each of `n` inputs: one column of bits (zero-extended) for every flattened parameter, all of one
    /// length, and one output column for every flattened result, resized to that length. Output NaNs are canonical.
    ///
    /// # Errors
    /// If a launch fails; the outputs are then in an unspecified state.
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError>;
}

/// The search kernel of a sweep, prepared to run.
pub trait SweepKernel: Send {
    /// Searches the `count` inputs with keys from `first` on.
    ///
    /// # Errors
    /// If a launch fails or leaves outputs unwritten.
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError>;
    /// The number of inputs so far at which the reference was evaluated, if it was not evaluated at all inputs.
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
    /// The function at these keys, to 2^-19 ULP; none if the reference must be evaluated at each key.
    pub polynomial: Option<Polynomial>,
}

/// A prepared search only for the largest errors.
pub trait MaximaKernel: Send {
    /// Searches the keys of consecutive pieces, beginning at the key `first`. The result is that of
    /// [`Measure::Maxima`](super::measure::Measure::Maxima); with it comes the number of inputs at which the reference was evaluated.
    ///
    /// # Errors
    /// As for [`SweepKernel::run`].
    fn run(&mut self, first: i64, pieces: &[Piece]) -> Result<(BlockResult, u64), BackendError>;
    /// The largest number of keys of one run.
    fn most(&self) -> u64;
}

/// The unit in the last place of a finite double; of small ones at least 2^-1022.
pub(crate) fn last_place(x: f64) -> f64 {
    let field = (x.to_bits() >> 52 & 0x7ff).max(53);
    f64::from_bits((field - 52) << 52)
}

/// The error of a backend.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// The library or the processor feature is missing on this machine.
    #[error("{backend} is not available: {reason}. {remedy}")]
    Unavailable {
        /// The backend.
        backend: String,
        /// The missing part.
        reason: String,
        /// The remedy: what to install or change.
        remedy: String,
    },
    /// The device is present but must not be trusted: it has no binary64, or the probe found a wrong value.
    #[error("{backend} is refused: {reason}")]
    Refused {
        /// The backend.
        backend: String,
        /// The case of the probe, with the expected and the computed value.
        reason: String,
    },
    /// A call changed the thread's floating-point environment. In such an environment, every backend of this processor gives
    /// other results. The default has been set again.
    #[error(
        "{backend}: {call} changed the floating-point environment of the thread to {environment}; nothing that came of \
         it is used. Look for a library that was linked with -ffast-math"
    )]
    Environment {
        /// The backend.
        backend: String,
        /// The call.
        call: String,
        /// The environment after the call.
        environment: Environment,
    },
    /// A call has not ended in time ([`super::patience`]).
    #[error(
        "{backend}: {call} has not ended after {seconds} s and was given up: a driver or compiler hangs. CRUNCH_TIMEOUT \
         (in seconds) gives it more"
    )]
    TimedOut {
        /// The backend.
        backend: String,
        /// The call.
        call: String,
        /// The time limit.
        seconds: u64,
    },
    /// The kernel could not be lowered.
    #[error("kernel `{kernel}` cannot be lowered: {reason}")]
    Lower {
        /// The kernel.
        kernel: String,
        /// The reason.
        reason: String,
    },
    /// The device's compiler rejected the text.
    #[error("{backend} could not compile `{kernel}`:\n{log}")]
    Compile {
        /// The backend.
        backend: String,
        /// The kernel.
        kernel: String,
        /// The compiler's log.
        log: String,
    },
    /// A function that is not a kernel gave no result: it panicked, ended the process in which it runs, or did not write a
    /// result.
    #[error("the function `{function}` at {input} {how}")]
    Function {
        /// The function, with its library if it has one.
        function: String,
        /// The input, with its bits.
        input: String,
        /// The failure: `panicked: …`.
        how: String,
    },
    /// A reference's two words are not a double-double. The metric requires that the first is the number nearest to their sum.
    #[error(
        "the reference `{reference}` at {input} gives hi = {hi:e} ({:016x}) and lo = {lo:e} ({:016x}), of which lo is more than half \
         of hi's last place, {:e}: errors, which are measured from hi, would be wrong. Let it end with `fast_two_sum(hi, lo)`, or \
         with `two_sum(hi, lo)` where lo may be larger than hi",
        hi.to_bits(),
        lo.to_bits(),
        last_place(*hi)
    )]
    Unnormalised {
        /// The reference.
        reference: String,
        /// The input, with its bits.
        input: String,
        /// Its first word.
        hi: f64,
        /// Its second word.
        lo: f64,
    },
    /// A launch or transfer failed, or left outputs unwritten.
    #[error("{backend}: running `{kernel}` failed: {reason}")]
    Launch {
        /// The backend.
        backend: String,
        /// The kernel.
        kernel: String,
        /// The driver's error.
        reason: String,
    },
}
