//! A run: the engine writing into a run file.

use std::path::Path;

use kernels_gen::LowerError;

use super::engine::{self, Device, EngineError, Groups, Job, Outcome, Progress, Sink, Stop};
use super::identity::Identity;
use super::machine;
use super::plan::Plan;
use super::run_file::{Group, Header, NewSession, RunFileError, Writer};
use super::shard::Shard;
use crate::sweep::Sweep;

/// Why a run could not be begun or finished.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A kernel cannot be lowered.
    #[error("{0}")]
    Lower(LowerError),
    /// The run file.
    #[error(transparent)]
    File(#[from] RunFileError),
    /// The engine.
    #[error(transparent)]
    Engine(EngineError),
}

impl From<EngineError> for RunError {
    fn from(e: EngineError) -> Self {
        match e {
            EngineError::RunFile(e) => RunError::File(e),
            e => RunError::Engine(e),
        }
    }
}

/// Makes the file of a new run.
///
/// # Errors
/// When a kernel cannot be lowered, or the file exists or cannot be made.
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

/// Opens the file of a run to continue it with a sweep.
///
/// # Errors
/// When the file cannot be continued, or is about other kernels than the sweep's.
pub fn open(path: &Path, sweep: &Sweep) -> Result<Writer, RunError> {
    let writer = Writer::open(path)?;
    let identity = Identity::of(sweep).map_err(RunError::Lower)?;
    if let Some(difference) = writer.header().identity.difference(&identity) {
        return Err(RunFileError::Different {
            path: path.into(),
            difference,
        }
        .into());
    }
    Ok(writer)
}

/// How a run goes on.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What to do it on.
    pub devices: Vec<Device>,
    /// When groups are committed.
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
    fn commit(&mut self, group: Group) -> Result<(), RunFileError> {
        self.writer.commit(self.session, &self.backends, &group)
    }
}

/// Does the blocks that the file lacks.
///
/// # Errors
/// When a backend or the file fails; what was committed before stays.
pub fn proceed(
    writer: &mut Writer,
    sweep: &Sweep,
    settings: &Settings,
    stop: &Stop,
    observe: &mut dyn FnMut(&Progress),
) -> Result<Outcome, RunError> {
    let plan = writer.header().plan.clone();
    let job = Job {
        sweep,
        plan: &plan,
        pending: writer.pending()?,
        devices: settings.devices.clone(),
        groups: settings.groups,
        limit: None,
        recheck: true,
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
