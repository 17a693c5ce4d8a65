//! Calls of evaluators, on as many threads as a search has.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::state::{Search, TimedError};
use crate::model::backend::Backend;
use crate::model::candidate::Candidate;
use crate::search::engine::{self, EngineError};
use crate::search::evaluator::PointEvaluator;

/// The number of threads for each worker, if the function is a library's. With one, a processor is idle for up to half of the time: it waits whenever
/// a thread hands inputs to the process that calls the function.
const PER_WORKER: usize = 2;

/// Does the work of each job. The results are in the order of the jobs.
pub(super) fn each<J: Send>(
    search: &Search<'_>,
    jobs: Vec<J>,
    work: impl Fn(&mut J, &mut PointEvaluator) -> Result<(), EngineError> + Sync,
) -> Result<Vec<J>, TimedError> {
    let jobs: Vec<Mutex<J>> = jobs.into_iter().map(Mutex::new).collect();
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(None));
    let sweep = search.sweep;
    let per_worker = match sweep.candidate {
        Candidate::Library(_) => PER_WORKER,
        _ => 1,
    };
    let workers =
        |d: &engine::Device| std::iter::repeat_n(d.backend.clone(), per_worker * d.workers);
    std::thread::scope(|threads| {
        for backend in search.devices.iter().flat_map(workers).take(jobs.len()) {
            let (jobs, next, failed, work) = (&jobs, &next, &failed, &work);
            threads.spawn(move || {
                let backend: &dyn Backend = &*backend;
                let mut evaluator = PointEvaluator::on(backend, sweep);
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(e) = work(&mut engine::locked(job), &mut evaluator) {
                        *engine::locked(failed) = Some(e);
                        next.store(jobs.len(), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    if let Some(e) = engine::locked(&failed).take() {
        return Err(e.into());
    }
    let inner = |job: Mutex<J>| job.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(jobs.into_iter().map(inner).collect())
}
