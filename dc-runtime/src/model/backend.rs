//! What a backend is to its users: kernels made ready, evaluated and searched; and what can go wrong.

use kernels_gen::emit::{Dialect, Source};
use kernels_gen::program::Program;

use super::block::BlockResult;
use super::kernel_ref::KernelRef;
use super::space::InputSpace;
use super::sweep::Sweep;
use crate::fenv::Environment;

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
    ///
    /// # Safety
    /// The text is compiled and run as it is, on some backends in this process: it must do nothing but that.
    ///
    /// # Errors
    /// As [`Backend::load`]; and when the backend compiles no text, which is what this does if it is left out.
    unsafe fn load_text(&self, source: &Source) -> Result<Box<dyn SweepKernel>, BackendError> {
        Err(BackendError::Unavailable {
            backend: self.id().into(),
            reason: format!("`{}` is a text, and it compiles none", source.entry),
            remedy: "Take a backend that does.".into(),
        })
    }
    /// Makes a function of the device's own language ready, `native_exp` of OpenCL C or `__expf` of CUDA, as a program gets
    /// it that is compiled with the language's defaults. Its results are not the bits of any other backend.
    ///
    /// # Errors
    /// As [`Backend::load`]; when the name is none; and when the backend is no device with functions of its own, which is
    /// what this does if it is left out.
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
    /// Makes a sweep's search kernel ready.
    ///
    /// # Errors
    /// As [`Backend::load`].
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError>;
    /// Number of inputs that make a call of [`SweepKernel::run`] worth its overhead.
    fn preferred_batch(&self) -> u64 {
        1 << 20
    }
    /// Number of workers that suit it, where `threads` of this process are for it: as many for what computes on the
    /// calling thread; fewer for a device.
    fn workers(&self, threads: usize) -> usize {
        threads.max(1)
    }
    /// How many inputs a second may be expected of it.
    fn speed(&self) -> Speed {
        Speed::Compiled
    }
    /// What it computes on: two that compute on the same thing are not used side by side.
    fn hardware(&self) -> Hardware {
        Hardware::Processor
    }
}

/// A function of a device, ready to be evaluated, with what its results depend on.
pub struct LoadedFunction {
    /// Evaluates it. NaNs are as the device gives them.
    pub kernel: Box<dyn PointKernel>,
    /// The language that it is of.
    pub dialect: Dialect,
    /// The text that calls it.
    pub text: String,
    /// What the text is compiled with.
    pub options: String,
    /// The device's name.
    pub device: String,
    /// The versions of driver and compiler.
    pub driver: String,
}

/// How fast a backend is, to the order of magnitude: whoever chooses inputs for it gives the slow ones fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speed {
    /// Machine code.
    Compiled,
    /// Operation by operation, each on a column of inputs.
    Interpreted,
    /// Instruction by instruction of a device that is simulated.
    Simulated,
}

/// What a backend computes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hardware {
    /// This machine's processor, by machine code that rustc made with this program.
    Processor,
    /// This machine's processor by way of something else: an interpreter, another compiler, OpenCL.
    ProcessorIndirectly,
    /// A GPU of NVIDIA, through CUDA.
    Cuda,
    /// A GPU of NVIDIA, not through CUDA.
    NvidiaWithoutCuda,
    /// Any other device.
    OtherDevice,
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
    /// A call left the thread in another floating-point environment, in which every backend of this processor gives
    /// other results. The default was set again.
    #[error(
        "{backend}: {call} changed the floating-point environment of the thread to {environment}; nothing that came of \
         it is used. Look for a library that was linked with -ffast-math"
    )]
    Environment {
        /// Which.
        backend: String,
        /// The call.
        call: String,
        /// What it was changed to.
        environment: Environment,
    },
    /// A call has not ended in its time ([`super::patience`]).
    #[error(
        "{backend}: {call} has not ended after {seconds} s and was given up: a driver or compiler hangs. CRUNCH_TIMEOUT \
         (in seconds) gives it more"
    )]
    TimedOut {
        /// Which.
        backend: String,
        /// The call.
        call: String,
        /// How long it was waited for.
        seconds: u64,
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
    /// A function that is no kernel gave no result: it panicked, ended the process it runs in, or left a place unwritten.
    #[error("the function `{function}` at {input} {how}")]
    Function {
        /// Which, with its library if it is of one.
        function: String,
        /// The input, with its bits.
        input: String,
        /// What it did instead: `panicked: …`.
        how: String,
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
