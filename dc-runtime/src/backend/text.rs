//! The common part of the backends that compile emitted text: from a kernel to a text, then to a compiled kernel and its results.

use kernels_gen::emit::{Dialect, Options, Routine, Source, function_kernel, point_kernel};
use kernels_gen::program::Program;

use super::columns;
use super::launch::{self, Launch};
use super::options::CompileOptions;
use super::search_text::search_text_of;
use super::{
    Backend, BackendError, Hardware, KernelRef, MaximaKernel, Piece, PointKernel, Speed,
    SweepKernel, in_default_environment, lowered,
};
use crate::model::backend::{LoadedFunction, no_maxima};
use crate::model::block::BlockResult;
use crate::model::candidate::Candidate;
use crate::model::key::Precision;
use crate::model::measure::Measure;
use crate::model::show;
use crate::model::space::InputSpace;
use crate::sweep::Sweep;

/// A device that compiles emitted text and runs it.
pub(super) trait Device: Send + Sync {
    /// The backend's name.
    fn id(&self) -> &str;
    /// A one-line description, for messages.
    fn describe(&self) -> String;
    /// The dialect of its text and the width of vectors.
    fn dialect(&self) -> Options;
    /// The sizes of its launches.
    fn sizes(&self) -> Sizes;
    /// See [`Backend::workers`].
    fn workers(&self, threads: usize) -> usize;
    /// See [`Backend::speed`].
    fn speed(&self) -> Speed {
        Speed::Compiled
    }
    /// See [`Backend::hardware`].
    fn hardware(&self) -> Hardware;
    /// Compiles a text, or gets it from the cache.
    fn compile(&self, source: &Source) -> Result<Box<dyn Launch>, Failure>;
    /// Its own functions, if it has any. A text that calls one is compiled with the language's defaults.
    fn functions(&self) -> Result<&dyn Functions, NoFunctions>;
}

/// A device that has functions of its own.
pub(super) trait Functions {
    /// The options for compiling a text.
    fn defaults(&self) -> CompileOptions;
    /// Compiles a text that calls such a function, with [`Functions::defaults`].
    fn compile_function(&self, source: &Source) -> Result<Box<dyn Launch>, Failure>;
    /// The device's name.
    fn device(&self) -> String;
    /// The versions of driver and compiler.
    fn driver(&self) -> String;
}

/// The reason why a backend that runs a device's text has no functions of the device.
pub(super) struct NoFunctions {
    /// The reason.
    pub reason: &'static str,
    /// The remedy, as a sentence.
    pub remedy: &'static str,
}

/// The sizes of a device's launches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sizes {
    /// The largest number of elements of one launch of a point kernel.
    pub point: usize,
    /// The largest number of keys of one launch of a sweep kernel.
    pub sweep: u64,
    /// See [`Backend::preferred_batch`].
    pub batch: u64,
}

/// The reason why there is no compiled kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The compiler rejected the text; its log.
    Compile(String),
    /// Another failure: loading, memory, a missing entry point.
    Load(String),
}

/// A device as a backend.
pub(super) struct Text<D>(pub D);

impl<D: Device> Text<D> {
    fn compile(&self, kernel: &str, source: &Source) -> Result<Compiled, BackendError> {
        self.compiled(kernel, || self.0.compile(source))
    }

    fn compiled(
        &self,
        kernel: &str,
        compile: impl FnOnce() -> Result<Box<dyn Launch>, Failure>,
    ) -> Result<Compiled, BackendError> {
        in_default_environment(
            self.0.id(),
            || format!("compiling or loading `{kernel}`"),
            || self.compiled_here(kernel, compile()),
        )
    }

    fn compiled_here(
        &self,
        kernel: &str,
        launch: Result<Box<dyn Launch>, Failure>,
    ) -> Result<Compiled, BackendError> {
        let (backend, kernel) = (self.0.id().to_string(), kernel.to_string());
        match launch {
            Ok(launch) => Ok(Compiled {
                launch,
                sizes: self.0.sizes(),
                backend,
                kernel,
            }),
            Err(Failure::Compile(log)) => Err(BackendError::Compile {
                backend,
                kernel,
                log: show::lines(&log),
            }),
            Err(Failure::Load(reason)) => Err(BackendError::Launch {
                backend,
                kernel,
                reason: show::lines(&reason),
            }),
        }
    }

    /// Compiles a program.
    pub fn point(&self, program: &Program) -> Result<Compiled, BackendError> {
        let source = point_kernel(program, &self.0.dialect());
        #[cfg(feature = "fault_injection")]
        let source = super::fault_injection::altered(self.0.id(), source);
        self.compile(&program.entry().name, &source)
    }

    /// Compiles a search of three programs.
    pub fn sweep(
        &self,
        precision: Precision,
        measure: Measure,
        programs: [&Program; 3],
    ) -> Result<Compiled, BackendError> {
        let [approx, reference, metric] = programs;
        let name = &approx.entry().name;
        let approx = Routine::Program(approx);
        let source = self.search(approx, [reference, metric], precision, measure, name)?;
        self.compile(name, &source)
    }

    fn search(
        &self,
        approx: Routine<'_>,
        others: [&Program; 2],
        precision: Precision,
        measure: Measure,
        name: &str,
    ) -> Result<Source, BackendError> {
        let source = search_text_of(approx, others, precision, measure, &self.0.dialect());
        source.map_err(|e| BackendError::Lower {
            kernel: name.into(),
            reason: e.to_string(),
        })
    }

    /// A search of a function of this device, in which the device also evaluates reference and metric. `None` if the sweep has no such
    /// function, or the device cannot search it.
    fn sweep_of_own_function(&self, sweep: &Sweep) -> Result<Option<Compiled>, BackendError> {
        let (Candidate::Device(function), Some(reference)) =
            (sweep.candidate, sweep.reference.kernel())
        else {
            return Ok(None);
        };
        let searched = sweep.inputs.is_ordered() && sweep.measure != Measure::Maxima;
        if function.device() != self.id() || !searched || self.0.dialect().dialect != Dialect::Cuda
        {
            return Ok(None);
        }
        let Ok(functions) = self.0.functions() else {
            return Ok(None);
        };
        let name = function.name();
        let [reference, metric] = [reference, &sweep.metric].map(|k| lowered(k.kernel));
        let others = [reference?, metric?];
        let routine = Routine::Function(name);
        let source = self.search(routine, others, sweep.precision, sweep.measure, name)?;
        self.compiled(name, || functions.compile_function(&source))
            .map(Some)
    }
}

impl<D: Device> crate::model::backend::sealed::Sealed for Text<D> {}

impl<D: Device> Backend for Text<D> {
    fn id(&self) -> &str {
        self.0.id()
    }
    fn describe(&self) -> String {
        self.0.describe()
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        Ok(Box::new(self.point(lowered(kernel.kernel)?)?))
    }
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        Ok(Box::new(self.point(program)?))
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        if let Some(kernel) = self.sweep_of_own_function(sweep)? {
            return Ok(Box::new(kernel));
        }
        if !sweep.inputs.is_ordered() {
            return columns::load(self, sweep);
        }
        let [approx, reference, metric] = sweep.kernels_for(self.id())?.map(|k| lowered(k.kernel));
        let programs = [approx?, reference?, metric?];
        Ok(Box::new(self.sweep(
            sweep.precision,
            Measure::Full,
            programs,
        )?))
    }
    fn load_maxima(&self, sweep: &Sweep) -> Result<Box<dyn MaximaKernel>, BackendError> {
        if self.0.dialect().dialect != Dialect::Cuda {
            return Err(no_maxima(self.id(), sweep));
        }
        let [approx, reference, metric] = sweep.kernels_for(self.id())?.map(|k| lowered(k.kernel));
        let programs = [approx?, reference?, metric?];
        Ok(Box::new(self.sweep(
            sweep.precision,
            Measure::Maxima,
            programs,
        )?))
    }
    fn load_function(
        &self,
        name: &str,
        inputs: InputSpace,
    ) -> Result<LoadedFunction, BackendError> {
        let id = self.0.id();
        let functions = self.0.functions().map_err(|no| BackendError::Unavailable {
            backend: format!("`{name}` of {id}"),
            reason: no.reason.into(),
            remedy: no.remedy.into(),
        })?;
        let prim = inputs.precision().prim();
        let dialect = self.0.dialect().dialect;
        let source = function_kernel(name, prim, inputs.arguments().len(), dialect);
        let source = source.map_err(|e| BackendError::Compile {
            backend: id.into(),
            kernel: show::lines(name),
            log: e.to_string(),
        })?;
        let kernel = self.compiled(name, || functions.compile_function(&source))?;
        Ok(LoadedFunction {
            kernel: Box::new(kernel),
            dialect,
            text: source.text,
            options: functions.defaults().to_string(),
            device: functions.device(),
            driver: functions.driver(),
        })
    }
    unsafe fn load_text(&self, source: &Source) -> Result<Box<dyn SweepKernel>, BackendError> {
        Ok(Box::new(self.compile(&source.entry, source)?))
    }
    fn preferred_batch(&self) -> u64 {
        self.0.sizes().batch
    }
    fn workers(&self, threads: usize) -> usize {
        self.0.workers(threads)
    }
    fn speed(&self) -> Speed {
        self.0.speed()
    }
    fn hardware(&self) -> Hardware {
        self.0.hardware()
    }
}

/// A compiled kernel of either kind.
pub(super) struct Compiled {
    launch: Box<dyn Launch>,
    sizes: Sizes,
    backend: String,
    kernel: String,
}

impl Compiled {
    fn launched<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Launch, Sizes) -> Result<T, String>,
    ) -> Result<T, BackendError> {
        let Compiled {
            launch,
            sizes,
            backend,
            kernel,
        } = self;
        in_default_environment(
            backend,
            || format!("running `{kernel}`"),
            || {
                work(&mut **launch, *sizes).map_err(|reason| BackendError::Launch {
                    backend: backend.clone(),
                    kernel: kernel.clone(),
                    reason,
                })
            },
        )
    }
}

impl PointKernel for Compiled {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        self.launched(|launch, sizes| launch::point(launch, inputs, outputs, sizes.point))
    }
}

impl MaximaKernel for Compiled {
    fn run(&mut self, first: i64, pieces: &[Piece]) -> Result<(BlockResult, u64), BackendError> {
        self.launched(|launch, _| launch::maxima(launch, first, pieces))
    }
    fn most(&self) -> u64 {
        // Keys are counted in 32 bits, with a stride added.
        self.sizes.sweep.min(1 << 31)
    }
}

impl SweepKernel for Compiled {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        self.launched(|launch, sizes| launch::sweep(launch, first, count, sizes.sweep))
    }
}
