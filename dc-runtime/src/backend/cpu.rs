//! The CPU: kernels compiled by rustc, in one form per instruction set.

use kernels_gen::program::Program;

use super::{
    Backend, BackendError, KernelRef, PointFn, PointKernel, SweepFn, SweepKernel, columns,
    found::Absent, in_default_environment, one_by_one,
};
use crate::isa::PerIsa;
use crate::isa::sets::{InstructionSet, per_isa};
use crate::model::block::BlockResult;
use crate::model::kernel_ref::MeasuredFn;
use crate::model::machine;
use crate::model::measure::Measure;
use crate::model::space::InputSpace;
use crate::scan::ColumnSearch;
use crate::scan::levels::*;
use crate::sweep::Sweep;

/// The backend of an instruction set, if the processor has the features.
pub(super) fn detect(set: InstructionSet) -> Result<Cpu, Absent> {
    let missing = set.missing();
    if missing.is_empty() {
        return Ok(Cpu { set });
    }
    Err(Absent {
        id: set.id().into(),
        reason: format!(
            "the processor ({}) has no {}",
            machine::processor(),
            missing.join(", ")
        ),
        remedy: "Run on a processor that has them.".into(),
    })
}

/// An instruction set for which this program has no code.
pub(super) fn of_another_target(id: &str, targets: &str) -> Absent {
    Absent {
        id: id.into(),
        reason: format!(
            "it is an instruction set of {targets}; this program is for {}",
            std::env::consts::ARCH
        ),
        remedy: format!("Build for {targets}."),
    }
}

/// One instruction set of this machine's processor.
#[derive(Debug)]
pub(super) struct Cpu {
    set: InstructionSet,
}

/// [`one_by_one::load`] with an instruction set.
type Load = fn(&Program) -> Option<Box<dyn PointKernel>>;
/// [`ColumnSearch::new`] with one.
type Columns = fn(&Sweep, InstructionSet) -> ColumnSearch;

impl crate::model::backend::sealed::Sealed for Cpu {}

impl Backend for Cpu {
    fn id(&self) -> &str {
        self.set.id()
    }
    fn describe(&self) -> String {
        format!(
            "{}, {}; {}",
            machine::processor(),
            self.set.name(),
            machine::RUSTC.trim_end()
        )
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        Ok(Box::new(CpuPointKernel(self.set, kernel.cpu.of(self.set))))
    }
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        const LOAD: PerIsa<Load> = per_isa!(I: map => one_by_one::load::<I>);
        LOAD.of(self.set)(program).ok_or_else(|| BackendError::Unavailable {
            backend: self.id().into(),
            reason: format!("the processor has no {}", self.set.missing().join(", ")),
            remedy: "Run on a processor that has them.".into(),
        })
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        // The compiled loops are for numbers, and for two kernels the columns have no metric of those that are stored in 16 bits.
        if matches!(sweep.inputs, InputSpace::Stored(_)) && sweep.kernels().is_some() {
            return columns::load(self, sweep);
        }
        if let (InputSpace::Numbers(_), false, Some(measured)) =
            (sweep.inputs, sweep.measure.is_in_ulp(), &sweep.measured)
        {
            return Ok(Box::new(CpuMeasured(
                self.set,
                measured.of(self.set),
                sweep.measure,
            )));
        }
        const COLUMNS: PerIsa<Columns> = per_isa!(L: level => ColumnSearch::new::<L>);
        // Its loop takes neighbouring inputs.
        let neighbours = !matches!(sweep.inputs, InputSpace::Scattered(_));
        let compiled = sweep
            .cpu
            .as_ref()
            .filter(|_| neighbours && sweep.measure.is_in_ulp());
        let Some(cpu) = compiled else {
            return Ok(Box::new(CpuColumns(
                self.set,
                COLUMNS.of(self.set)(sweep, self.set),
            )));
        };
        Ok(Box::new(CpuSweepKernel(self.set, cpu.of(self.set))))
    }
}

struct CpuPointKernel(InstructionSet, PointFn);

impl PointKernel for CpuPointKernel {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        let CpuPointKernel(set, point) = *self;
        in_default_environment(set.id(), evaluating, || {
            point(inputs, outputs);
            Ok(())
        })
    }
}

struct CpuSweepKernel(InstructionSet, SweepFn);

impl SweepKernel for CpuSweepKernel {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let CpuSweepKernel(set, sweep) = *self;
        in_default_environment(set.id(), searching, || Ok(sweep(first, count)))
    }
}

struct CpuMeasured(InstructionSet, MeasuredFn, Measure);

impl SweepKernel for CpuMeasured {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let CpuMeasured(set, sweep, measure) = *self;
        in_default_environment(set.id(), searching, || Ok(sweep(first, count, measure)))
    }
}

struct CpuColumns(InstructionSet, ColumnSearch);

impl SweepKernel for CpuColumns {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let CpuColumns(set, columns) = self;
        // A function of the host may change the environment that it is called in.
        in_default_environment(set.id(), searching, || columns.run(first, count))
    }
}

fn evaluating() -> String {
    "evaluating a kernel".into()
}
fn searching() -> String {
    "searching".into()
}
