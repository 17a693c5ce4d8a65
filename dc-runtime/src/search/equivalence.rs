//! Whether backends agree, bit for bit. If not: the first input at which they differ, and the first operation that differs at this input
//! ([`super::trace`]).

use std::time::Duration;

use super::engine::{self, Device, EngineError, Job, Progress, Stop};
use super::evaluator::{PointEvaluator, PointResult};
use super::plan::{Block, MIN_LOG2, Plan};
use super::range::{Range, Span};
use super::record::Record;
use super::trace::{self, Depth, Part};
use crate::model::block::BlockResult;
use crate::model::space::InputSpace;
use crate::sweep::Sweep;

/// The result of one backend for a range.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Agreement {
    /// The backend's id.
    pub backend: String,
    /// Its description.
    pub description: String,
    /// The number of blocks that were compared (for the first backend: searched).
    pub blocks: u64,
    /// The merged results of these blocks.
    pub result: BlockResult,
    /// Inputs per second.
    pub rate: f64,
    /// Whether it agrees with the first.
    pub verdict: Verdict,
}

impl Agreement {
    /// The results of the same backend for two sets of inputs, merged.
    #[must_use]
    pub fn merge(self, other: Agreement) -> Agreement {
        let inputs = [self.result.count, other.result.count].map(|n| n as f64);
        let seconds = inputs[0] / self.rate.max(1e-9) + inputs[1] / other.rate.max(1e-9);
        Agreement {
            blocks: self.blocks + other.blocks,
            result: self.result.merge(&other.result),
            rate: (inputs[0] + inputs[1]) / seconds.max(1e-9),
            verdict: match self.verdict {
                Verdict::Identical => other.verdict,
                first => first,
            },
            ..self
        }
    }
}

/// [`compare`] for the plans of several parts of a sample ([`super::sample::Sample::parts`]). In the results, inputs have the keys of
/// numbers in the order of the reals. In a [`Difference`], they have the keys of its own input space.
///
/// # Errors
/// If a backend fails.
pub fn compare_parts(
    sweep: &Sweep,
    plans: &[Plan],
    devices: &[Device],
    settings: &Settings,
    stop: &Stop,
    observe: &mut dyn FnMut(&Device, &Progress),
) -> Result<Vec<Agreement>, EngineError> {
    let mut all: Vec<Option<Agreement>> = Vec::new();
    for plan in plans {
        let space = plan.range().space();
        let found = compare(&sweep.over(space), plan, devices, settings, stop, observe)?;
        all.resize(all.len().max(found.len()), None);
        for (sum, mut part) in all.iter_mut().zip(found) {
            part.result = space.located(&part.result);
            *sum = Some(match sum.take() {
                Some(sum) => sum.merge(part),
                None => part,
            });
        }
        if stop.asked() {
            break;
        }
    }
    Ok(all.into_iter().flatten().collect())
}

/// Whether a backend agrees with the first.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Verdict {
    /// It is the first.
    Baseline,
    /// Every compared block is equal.
    Identical,
    /// At least one block differs.
    Differs(Box<Difference>),
}

/// The difference of two backends.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Difference {
    /// The two backends.
    pub backends: [String; 2],
    /// The input space of the keys.
    pub inputs: InputSpace,
    /// The number of blocks that differ.
    pub blocks: u64,
    /// The first of these blocks.
    pub block: Block,
    /// The two results of that block.
    pub results: [BlockResult; 2],
    /// The result of bisecting it.
    pub found: Found,
}

/// The result of bisecting a block that differs.
#[derive(Debug, Clone)]
pub enum Found {
    /// The first input that differs.
    Input {
        /// Its key.
        key: i64,
        /// The results of searching this input alone.
        alone: Box<[BlockResult; 2]>,
        /// The results of routine, reference and metric for it.
        measured: Box<[PointResult; 2]>,
        /// The operations at which the backends first differ.
        trace: Vec<Part>,
    },
    /// No part of the block differs when it is searched alone. So the results depend on the division of the work, or on
    /// chance.
    Nothing,
}

/// The settings of a comparison.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The time limit: a backend searches the blocks that it finishes in this time. The first backend searches all blocks.
    pub limit: Option<Duration>,
}

/// Searches the plan's blocks on every device and compares with the first device's results.
///
/// # Errors
/// If a backend fails.
pub fn compare(
    sweep: &Sweep,
    plan: &Plan,
    devices: &[Device],
    settings: &Settings,
    stop: &Stop,
    observe: &mut dyn FnMut(&Device, &Progress),
) -> Result<Vec<Agreement>, EngineError> {
    let mut agreements: Vec<Agreement> = Vec::new();
    let mut baseline: Vec<Record> = Vec::new();
    for (i, device) in devices.iter().enumerate() {
        let job = Job {
            limit: settings.limit.filter(|_| i > 0),
            recheck: false,
            ..Job::new(sweep, plan, vec![device.clone()])
        };
        let mut records: Vec<Record> = Vec::new();
        let outcome = engine::run(&job, &mut records, stop, &mut |p| observe(device, p))?;
        records.sort_unstable_by_key(|r| r.index);
        let verdict = if i == 0 {
            baseline = records.clone();
            Verdict::Baseline
        } else {
            match part(sweep, plan, &devices[0], &baseline, device, &records)? {
                None => Verdict::Identical,
                Some(d) => Verdict::Differs(Box::new(d)),
            }
        };
        let result = records
            .iter()
            .fold(BlockResult::EMPTY, |sum, r| sum.merge(&r.result));
        let seconds = outcome.progress.elapsed.as_secs_f64();
        agreements.push(Agreement {
            backend: device.backend.id().into(),
            description: device.backend.describe(),
            blocks: records.len() as u64,
            result,
            rate: outcome.progress.inputs as f64 / seconds.max(1e-9),
            verdict,
        });
        if stop.asked() {
            break;
        }
    }
    Ok(agreements)
}

/// The difference between the records of `device` and the baseline's.
fn part(
    sweep: &Sweep,
    plan: &Plan,
    base: &Device,
    baseline: &[Record],
    device: &Device,
    records: &[Record],
) -> Result<Option<Difference>, EngineError> {
    let mut differing = records.iter().filter_map(|r| {
        let i = baseline.binary_search_by_key(&r.index, |b| b.index).ok()?;
        (baseline[i].result != r.result).then_some((baseline[i], *r))
    });
    let Some((a, b)) = differing.next() else {
        return Ok(None);
    };
    let blocks = 1 + differing.count() as u64;
    let Some(block) = plan.block(a.index) else {
        return Ok(None);
    };
    Ok(Some(Difference {
        backends: [base.backend.id().into(), device.backend.id().into()],
        inputs: sweep.inputs,
        blocks,
        block,
        results: [a.result, b.result],
        found: bisect(sweep, [base, device], block)?,
    }))
}

/// Finds the first input of a block at which two devices differ.
///
/// # Errors
/// If a backend fails.
pub(crate) fn bisect(
    sweep: &Sweep,
    devices: [&Device; 2],
    block: Block,
) -> Result<Found, EngineError> {
    let both = |first, count| -> Result<[BlockResult; 2], EngineError> {
        Ok([
            stretch(sweep, devices[0], first, count)?,
            stretch(sweep, devices[1], first, count)?,
        ])
    };
    let (mut first, mut count) = (block.first, block.count);
    while count > 1 {
        let half = count / 2;
        let [a, b] = both(first, half)?;
        if a == b {
            first = first.wrapping_add_unsigned(half);
            count -= half;
        } else {
            count = half;
        }
    }
    let alone = both(first, 1)?;
    if alone[0] == alone[1] {
        return Ok(Found::Nothing);
    }
    let look = |device: &Device| -> Result<PointResult, EngineError> {
        let measured = PointEvaluator::load(&*device.backend, sweep)?.evaluate(&[first])?;
        Ok(measured[0])
    };
    let measured = Box::new([look(devices[0])?, look(devices[1])?]);
    let backends = devices.map(|d| &*d.backend);
    Ok(Found::Input {
        key: first,
        alone: Box::new(alone),
        measured,
        trace: trace::sweep(sweep, backends, first, Depth::Differences),
    })
}

/// Searches a stretch of keys on a device.
fn stretch(
    sweep: &Sweep,
    device: &Device,
    first: i64,
    count: u64,
) -> Result<BlockResult, EngineError> {
    let span = Span {
        first,
        last: first.wrapping_add_unsigned(count - 1),
    };
    let range = Range::from_spans(sweep.inputs, vec![span]);
    let log2 = count.next_power_of_two().trailing_zeros().max(MIN_LOG2);
    let plan = range.ok().and_then(|r| Plan::new(r, Some(log2)).ok());
    let Some(plan) = plan else {
        // Blocks of a plan are stretches of its range and no larger than the largest block.
        return Ok(BlockResult::EMPTY);
    };
    let workers = if count < 1 << 16 { 1 } else { device.workers };
    let device = Device {
        backend: device.backend.clone(),
        workers,
    };
    let job = Job {
        recheck: false,
        ..Job::new(sweep, &plan, vec![device])
    };
    let outcome = engine::run(&job, &mut Vec::new(), &Stop::new(), &mut |_| {})?;
    Ok(outcome.progress.result)
}

#[cfg(test)]
mod tests;
