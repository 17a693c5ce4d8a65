//! The CPU: kernels compiled by rustc, in one form per instruction set.

use kernels_gen::program::Program;

use super::{
    Backend, BackendError, KernelRef, PointFn, PointKernel, SweepFn, SweepKernel, columns,
    found::Absent, in_default_environment, one_by_one,
};
use crate::model::block::BlockResult;
use crate::model::machine;
use crate::model::space::InputSpace;
use crate::run::{WideAvx2, WideAvx512, WideScalar};
use crate::scan::{Avx2Level, Avx512Level, ColumnSearch, ScalarLevel};
use crate::sweep::Sweep;

/// An instruction set for which kernels are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IsaLevel {
    Scalar,
    Avx2,
    Avx512,
}

impl IsaLevel {
    pub const ALL: [IsaLevel; 3] = [IsaLevel::Scalar, IsaLevel::Avx2, IsaLevel::Avx512];

    /// The backend's name.
    pub const fn id(self) -> &'static str {
        match self {
            IsaLevel::Scalar => "scalar",
            IsaLevel::Avx2 => "avx2",
            IsaLevel::Avx512 => "avx512",
        }
    }

    /// The processor features that it needs and that are missing.
    fn missing(self) -> Vec<&'static str> {
        #[cfg(target_arch = "x86_64")]
        {
            // The macro accepts only literals.
            macro_rules! lacking {
                ($($feature:tt),*) => {
                    [$(($feature, is_x86_feature_detected!($feature))),*]
                        .into_iter().filter(|f| !f.1).map(|f| f.0).collect()
                };
            }
            match self {
                IsaLevel::Scalar => Vec::new(),
                IsaLevel::Avx2 => lacking!("avx2", "fma"),
                IsaLevel::Avx512 => lacking!("avx512f", "avx512vl", "avx512dq", "avx512bw"),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        match self {
            IsaLevel::Scalar => Vec::new(),
            IsaLevel::Avx2 | IsaLevel::Avx512 => vec!["x86-64"],
        }
    }

    /// The backend, if the processor has the features.
    pub fn detect(self) -> Result<Cpu, Absent> {
        let missing = self.missing();
        if missing.is_empty() {
            return Ok(Cpu { level: self });
        }
        Err(Absent {
            id: self.id().into(),
            reason: format!(
                "the processor ({}) has no {}",
                machine::processor(),
                missing.join(", ")
            ),
            remedy: "Run on a processor that has them.".into(),
        })
    }
}

/// One instruction set of this machine's processor.
#[derive(Debug)]
pub(super) struct Cpu {
    level: IsaLevel,
}

impl Backend for Cpu {
    fn id(&self) -> &str {
        self.level.id()
    }
    fn describe(&self) -> String {
        let set = match self.level {
            IsaLevel::Scalar => "one number at a time",
            IsaLevel::Avx2 => "AVX2 and FMA",
            IsaLevel::Avx512 => "AVX-512 F, VL, DQ, BW",
        };
        format!(
            "{}, {set}; {}",
            machine::processor(),
            machine::RUSTC.trim_end()
        )
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        let cpu = &kernel.cpu;
        let point = match self.level {
            IsaLevel::Scalar => cpu.scalar,
            IsaLevel::Avx2 => cpu.avx2,
            IsaLevel::Avx512 => cpu.avx512,
        };
        Ok(Box::new(CpuPointKernel(self.level, point)))
    }
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        let loaded = match self.level {
            IsaLevel::Scalar => one_by_one::load::<WideScalar>(program),
            IsaLevel::Avx2 => one_by_one::load::<WideAvx2>(program),
            IsaLevel::Avx512 => one_by_one::load::<WideAvx512>(program),
        };
        loaded.ok_or_else(|| BackendError::Unavailable {
            backend: self.id().into(),
            reason: format!("the processor has no {}", self.level.missing().join(", ")),
            remedy: "Run on a processor that has them.".into(),
        })
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        if let InputSpace::Stored(_) = sweep.inputs {
            return columns::load(self, sweep);
        }
        let Some(cpu) = &sweep.cpu else {
            return Ok(Box::new(CpuColumns(
                self.level,
                match self.level {
                    IsaLevel::Scalar => ColumnSearch::new::<ScalarLevel>(sweep, |k| k.scalar),
                    IsaLevel::Avx2 => ColumnSearch::new::<Avx2Level>(sweep, |k| k.avx2),
                    IsaLevel::Avx512 => ColumnSearch::new::<Avx512Level>(sweep, |k| k.avx512),
                },
            )));
        };
        let sweep = match self.level {
            IsaLevel::Scalar => cpu.scalar,
            IsaLevel::Avx2 => cpu.avx2,
            IsaLevel::Avx512 => cpu.avx512,
        };
        Ok(Box::new(CpuSweepKernel(self.level, sweep)))
    }
}

struct CpuPointKernel(IsaLevel, PointFn);

impl PointKernel for CpuPointKernel {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        let CpuPointKernel(level, point) = *self;
        in_default_environment(level.id(), evaluating, || {
            point(inputs, outputs);
            Ok(())
        })
    }
}

struct CpuSweepKernel(IsaLevel, SweepFn);

impl SweepKernel for CpuSweepKernel {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let CpuSweepKernel(level, sweep) = *self;
        in_default_environment(level.id(), searching, || Ok(sweep(first, count)))
    }
}

struct CpuColumns(IsaLevel, ColumnSearch);

impl SweepKernel for CpuColumns {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let CpuColumns(level, columns) = self;
        // A function of the host may change the environment that it is called in.
        in_default_environment(level.id(), searching, || columns.run(first, count))
    }
}

fn evaluating() -> String {
    "evaluating a kernel".into()
}
fn searching() -> String {
    "searching".into()
}
