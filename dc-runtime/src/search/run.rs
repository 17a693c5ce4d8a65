//! A run: the engine with a run file as its sink.

use std::path::Path;
use std::time::Duration;

use kernels_gen::LowerError;

use super::engine::{
    self, Device, EngineError, Groups, Job, Outcome, Progress, Sink, SinkError, Stop,
};
use super::evaluator::PointEvaluator;
use super::identity::Identity;
use super::plan::Plan;
use super::record::Group;
use super::run_file::{Header, NewSession, RunFileError, Writer};
use super::shard::Shard;
use crate::model::block::Worst;
use crate::model::fine::Sampling;
use crate::model::machine;
use crate::sweep::Sweep;

/// The reason why a run could not be begun or finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A kernel cannot be lowered.
    #[error("{0}")]
    Lower(LowerError),
    /// The run file failed.
    #[error(transparent)]
    File(#[from] RunFileError),
    /// The engine failed.
    #[error(transparent)]
    Engine(EngineError),
}

impl From<EngineError> for RunError {
    fn from(e: EngineError) -> Self {
        match e {
            EngineError::Sink(e) => match e.downcast() {
                Ok(e) => RunError::File(*e),
                Err(e) => RunError::Engine(EngineError::Sink(e)),
            },
            e => RunError::Engine(e),
        }
    }
}

/// Makes the file of a new run.
///
/// # Errors
/// If a kernel cannot be lowered, or the file exists or cannot be made.
pub fn create(
    path: &Path,
    sweep: &Sweep,
    range_text: &str,
    plan: Plan,
    shard: Shard,
) -> Result<Writer, RunError> {
    let header = Header {
        identity: Identity::of(sweep).map_err(RunError::Lower)?,
        range_text: range_text.into(),
        plan,
        shard,
        created: machine::now(),
        version: machine::VERSION.into(),
    };
    Ok(Writer::create(path, header)?)
}

/// Opens the file of a run to continue it with a sweep. The whole file is checked for consistency, and each block's
/// worst input is evaluated again.
///
/// # Errors
/// If the file cannot be continued, is about other kernels than the sweep's, or has results that differ from theirs.
pub fn open(path: &Path, sweep: &Sweep) -> Result<Writer, RunError> {
    /// The number of inputs evaluated at a time.
    const BATCH: usize = 1 << 12;
    let mut writer = Writer::unchecked(path)?;
    let sweep = &sweep.measuring(writer.header().identity.measure());
    let identity = Identity::of(sweep).map_err(RunError::Lower)?;
    if let Some(difference) = writer.header().identity.difference(&identity) {
        return Err(RunFileError::Different {
            path: path.into(),
            difference,
        }
        .into());
    }
    let mut evaluator = PointEvaluator::plain(&sweep.over(writer.header().space()));
    let mut batch = Vec::with_capacity(BATCH);
    writer.check(|r| {
        batch.extend(r.worst.map(|w| (format!("block {}", r.index), w)));
        if batch.len() == BATCH {
            compare_worst(path, &mut evaluator, &batch)?;
            batch.clear();
        }
        Ok::<(), RunError>(())
    })?;
    let parts = writer.parts().iter();
    batch.extend(parts.filter_map(|r| Some((format!("part of block {}", r.index), r.worst?))));
    compare_worst(path, &mut evaluator, &batch)?;
    Ok(writer)
}

/// Evaluates the worst input in a file again, if the sweep is that of the file. Returns whether it was.
///
/// # Errors
/// If result, reference or error differ.
pub fn evaluate_again(
    path: &Path,
    header: &Header,
    worst: Option<&Worst>,
    sweep: &Sweep,
) -> Result<bool, RunError> {
    let sweep = &sweep.measuring(header.identity.measure());
    let identity = Identity::of(sweep).map_err(RunError::Lower)?;
    if header.identity.difference(&identity).is_some() {
        return Ok(false);
    }
    let worst = worst.map(|w| ("its totals".into(), *w));
    let mut evaluator = PointEvaluator::plain(&sweep.over(header.space()));
    compare_worst(path, &mut evaluator, worst.as_slice())?;
    Ok(true)
}

fn compare_worst(
    path: &Path,
    evaluator: &mut PointEvaluator,
    worst: &[(String, Worst)],
) -> Result<(), RunError> {
    let keys: Vec<i64> = worst.iter().map(|(_, w)| w.key).collect();
    let measured = evaluator.evaluate(&keys).map_err(EngineError::Backend)?;
    for ((place, w), j) in worst.iter().zip(measured) {
        let found = j.worst(w.precision);
        if !found.same(w) {
            let input = evaluator.space().input(w.key);
            return Err(RunFileError::Contradicted {
                path: path.into(),
                what: format!(
                    "{place}: at the worst input {input} it holds an error of {:e} ULP, and its kernels give \
                     {:e} here, or another result or reference",
                    w.error, found.error
                ),
            }
            .into());
        }
    }
    Ok(())
}

/// The settings of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The devices to search on.
    pub devices: Vec<Device>,
    /// The condition under which groups are committed.
    pub groups: Groups,
    /// The command line, for the run file.
    pub command: String,
}

struct FileSink<'a> {
    writer: &'a mut Writer,
    session: i64,
    backends: Vec<String>,
}

impl Sink for FileSink<'_> {
    fn commit(&mut self, group: Group) -> Result<(), SinkError> {
        Ok(self.writer.commit(self.session, &self.backends, &group)?)
    }
}

/// Searches the blocks that the file lacks.
///
/// # Errors
/// If a backend or the file fails; groups that were committed before stay.
pub fn proceed(
    writer: &mut Writer,
    sweep: &Sweep,
    settings: &Settings,
    stop: &Stop,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Outcome, RunError> {
    proceed_for(writer, sweep, settings, None, stop, observe)
}

/// The same as [`proceed`] for a limited time, but not before something was searched.
///
/// # Errors
/// As for [`proceed`].
#[doc(hidden)]
pub fn proceed_for(
    writer: &mut Writer,
    sweep: &Sweep,
    settings: &Settings,
    limit: Option<Duration>,
    stop: &Stop,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Outcome, RunError> {
    let plan = writer.header().plan.clone();
    let job = Job {
        pending: writer.pending()?,
        spread: Some(writer.header().own_blocks()),
        parts: writer.parts().to_vec(),
        groups: settings.groups,
        limit,
        sampling: Some(Sampling::of(plan.range().count())),
        ..Job::new(sweep, &plan, settings.devices.clone())
    };
    let devices = settings
        .devices
        .iter()
        .map(|d| (d.backend.id().into(), d.backend.describe(), d.workers))
        .collect();
    let session = writer.begin(&NewSession {
        command: settings.command.clone(),
        devices,
    })?;
    let backends = settings
        .devices
        .iter()
        .map(|d| d.backend.id().into())
        .collect();
    let mut sink = FileSink {
        writer,
        session,
        backends,
    };
    let outcome = engine::run(&job, &mut sink, stop, observe)?;
    sink.writer.end(session)?;
    Ok(outcome)
}

#[cfg(test)]
mod tests;
