//! The work in the windows of a timed search: which inputs are evaluated, and where.

use super::calls::each;
use super::local::{Fit, Local};
use super::sources::Source;
use super::state::{Search, TimedError};
use crate::model::block::BlockResult;
use crate::search::engine::EngineError;
use crate::search::evaluator::{PointEvaluator, PointResult};
use crate::search::sample::Window;

/// The numbers of generations: at first, and each time that a window continues.
pub(super) const GENERATIONS: [u32; RUNGS] = [4, 10, 44, 60];
pub(super) const RUNGS: usize = 4;
/// The largest number of windows whose inputs are evaluated in one call.
const TOGETHER: usize = 48;
/// The work of a round is cut into this many parts per thread, or more.
const PARTS: usize = 6;
/// An estimated error that is as large, or not a number, is not used: the input is evaluated in full.
const STRANGE: f64 = 65_536.0;
/// The number of worst inputs of a window that are evaluated in full each time that it ends or may continue.
const CONFIRMED: usize = 8;

/// A window and the number of times that it continued.
pub(super) struct Raced {
    pub window: Window,
    pub source: Source,
    pub rung: usize,
    /// What it reached at each rung, if it is a scout.
    pub scouted: Option<[f64; RUNGS]>,
    /// Its errors are estimated with it, if there is one.
    pub local: Option<Local>,
}

/// The work in a window in a round, and its result.
pub(super) struct Job {
    pub raced: Raced,
    pub left: u32,
    /// The number of inputs whose errors were estimated.
    pub estimated: u64,
    /// The result of those evaluated in full.
    pub result: BlockResult,
    pub undecided: Vec<PointResult>,
}

impl Job {
    pub fn of(raced: Raced) -> Job {
        Job {
            left: GENERATIONS[raced.rung],
            raced,
            estimated: 0,
            result: BlockResult::EMPTY,
            undecided: Vec::new(),
        }
    }

    /// Appends the inputs of the next generation, if there is one; returns their number.
    fn propose(&mut self, keys: &mut Vec<i64>) -> usize {
        let before = keys.len();
        if self.left > 0 {
            self.left -= 1;
            self.raced.window.propose(keys);
        }
        keys.len() - before
    }

    /// Counts inputs that were evaluated in full.
    fn count(&mut self, points: &[PointResult]) {
        points.iter().for_each(|p| p.add_to(&mut self.result));
        let undecided = points.iter().filter(|p| p.is_undecided());
        self.undecided.extend(undecided.copied());
    }

    /// The same, for inputs that are new to the window.
    fn add(&mut self, points: &[PointResult]) {
        self.count(points);
        let window = &mut self.raced.window;
        let (keys, errors): (Vec<i64>, Vec<f64>) = points.iter().map(|p| (p.key, p.error)).unzip();
        window.add(&keys, &errors);
    }

    /// Adds the results of a generation. `errors` is a buffer.
    fn measure(
        &mut self,
        keys: &[i64],
        results: &[u64],
        evaluator: &mut PointEvaluator,
        errors: &mut Vec<f64>,
    ) -> Result<(), EngineError> {
        let Some(local) = self.raced.local else {
            self.add(&evaluator.points(keys, results)?);
            return Ok(());
        };
        local.errors(keys, results, errors);
        let strange = |e: f64| e.is_nan() || e.abs() >= STRANGE;
        let mut apart: (Vec<i64>, Vec<u64>) = (Vec::new(), Vec::new());
        if errors.iter().fold(false, |any, &e| any | strange(e)) {
            let all = keys.iter().zip(results).zip(&mut *errors);
            for ((key, result), error) in all.filter(|(_, e)| strange(**e)) {
                apart.0.push(*key);
                apart.1.push(*result);
                *error = f64::NAN;
            }
        }
        self.raced.window.add(keys, errors);
        self.estimated += (keys.len() - apart.0.len()) as u64;
        // These are not combined: their errors are no sums of roundings.
        let points = evaluator.points(&apart.0, &apart.1)?;
        self.count(&points);
        Ok(())
    }
}

/// Finds the polynomials of new windows.
fn prepare(jobs: &mut [Job], evaluator: &mut PointEvaluator) -> Result<(), EngineError> {
    for job in jobs.iter_mut().filter(|j| j.raced.rung == 0) {
        let span = job.raced.window.span();
        let Some(keys) = Local::keys(span) else {
            continue;
        };
        let reference = evaluator.references(&keys)?;
        let Some(reference) = reference.first_chunk() else {
            continue;
        };
        match Fit::of(span, reference) {
            Fit::Smooth(local) => {
                job.raced.local = Some(local);
                job.raced.window.allow_repeats();
            }
            Fit::Rough => job.left = 0,
            Fit::Unknown => {}
        }
    }
    Ok(())
}

/// The generations of windows, all in one call, because a call of a library's function costs a change of processes. There are fewer if the
/// time is over. At the end, the worst inputs of each window are evaluated in full.
fn run(
    jobs: &mut [Job],
    evaluator: &mut PointEvaluator,
    over: &dyn Fn() -> bool,
) -> Result<(), EngineError> {
    prepare(jobs, evaluator)?;
    let (mut keys, mut results, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    while jobs.iter().any(|j| j.left > 0) && !over() {
        keys.clear();
        let counts: Vec<usize> = jobs.iter_mut().map(|j| j.propose(&mut keys)).collect();
        evaluator.results_in(&keys, &mut results)?;
        let mut rest = (&keys[..], &results[..]);
        for (job, count) in jobs.iter_mut().zip(counts) {
            let (keys, others) = rest.0.split_at(count);
            let (results, more) = rest.1.split_at(count);
            job.measure(keys, results, evaluator, &mut errors)?;
            rest = (others, more);
        }
    }
    for job in jobs.iter_mut().filter(|j| j.raced.local.is_some()) {
        let keys = job.raced.window.unknown(CONFIRMED);
        let points = evaluator.evaluate(&keys)?;
        job.raced
            .window
            .correct(points.iter().map(|p| (p.key, p.error)));
        job.count(&points);
    }
    Ok(())
}

/// Runs jobs on as many threads as the search has, those with the most generations first. The results are in the order of the jobs.
pub(super) fn evaluate(search: &Search<'_>, work: Vec<Job>) -> Result<Vec<Job>, TimedError> {
    // Each call has a small part of the work, so that all threads end at nearly the same time.
    let all: usize = work.iter().map(|j| j.left as usize).sum();
    let most = all.div_ceil(PARTS * search.threads());
    let mut jobs: Vec<Vec<Job>> = Vec::new();
    let mut taken = most;
    for job in work {
        let left = job.left as usize;
        match jobs.last_mut() {
            Some(last) if taken < most && last.len() < TOGETHER => last.push(job),
            _ => {
                jobs.push(vec![job]);
                taken = 0;
            }
        }
        taken += left;
    }
    let (stop, begun, time) = (search.stop, search.begun, search.time);
    let over = || stop.asked() || begun.elapsed().as_secs_f64() >= time;
    let done = each(search, jobs, |jobs: &mut Vec<Job>, evaluator| {
        run(jobs, evaluator, &over)
    })?;
    Ok(done.into_iter().flatten().collect())
}
