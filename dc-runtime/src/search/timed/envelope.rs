//! The rounds of a timed search in which inputs with large errors are combined ([`Window`]).
//!
//! A window opens at each of the worst inputs found elsewhere, and its first generations estimate the largest error there is in it.
//! The windows with the largest go on. The worst input of each is one from which the next round around the worst starts: so that
//! round climbs by estimates of the envelope, and not by what a short stretch happens to have.

use super::calls::each;
use super::state::{Search, Taken, TimedError};
use crate::model::block::BlockResult;
use crate::search::engine::EngineError;
use crate::search::evaluator::{PointEvaluator, PointResult};
use crate::search::points::split_mix;
use crate::search::range::{Range, Span};
use crate::search::sample::{Found, Sample, Window, without};

/// The number of generations at a time.
const GENERATIONS: u32 = 8;
/// About as many inputs are evaluated in these.
const INPUTS: u64 = 22 << 10;
/// The largest number of windows whose inputs are evaluated in one call.
const TOGETHER: usize = 8;
/// The number of windows with the largest errors, of which those go on that had the fewest generations.
const BEST: usize = 48;
/// A window does not go on after this many: it has hardly anything new.
const LAST: u32 = 16 * GENERATIONS;

/// The windows of a search.
#[derive(Default)]
pub(super) struct Windows {
    all: Vec<Window>,
    /// The number of inputs evaluated in them.
    pub inputs: u64,
}

/// What is done in a window in a round, and what comes of it.
struct Job {
    window: Window,
    result: BlockResult,
    undecided: Vec<PointResult>,
}

impl Windows {
    /// Their number.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Evaluates about `inputs` inputs in new windows at the worst of `found`, three quarters of them, and in the best of those that there are.
    /// What the new ones cover is added to `done`.
    pub fn round(
        &mut self,
        search: &mut Search<'_>,
        (range, sample): (&Range, &Sample),
        inputs: u64,
        random: &mut u64,
        found: &mut Vec<Found>,
        done: &mut Range,
    ) -> Result<(), TimedError> {
        let jobs = (inputs / INPUTS).clamp(1, 256) as usize;
        let spent = search.elapsed();
        let fresh = self.open(
            search,
            (range, sample),
            jobs - jobs / 4,
            random,
            found,
            done,
        )?;
        let kept = self.best(jobs.saturating_sub(fresh.len()));
        let work: Vec<Job> = fresh.into_iter().chain(kept).map(Job::of).collect();
        let work = evaluate(search, work)?;
        search.searching += search.elapsed() - spent;
        for job in work {
            search.result = search.result.merge(&job.result);
            self.inputs += job.result.count;
            search.keep_undecided(job.undecided);
            let Span { first, last } = job.window.span();
            search.taken.push(Taken::new(first, last, job.result));
            found.push(job.window.worst());
            self.all.push(job.window);
        }
        search.report();
        search.cut |= search.stop.asked();
        Ok(())
    }

    /// New windows at the worst inputs that are in none.
    fn open(
        &self,
        search: &Search<'_>,
        (range, sample): (&Range, &Sample),
        most: usize,
        random: &mut u64,
        found: &mut Vec<Found>,
        done: &mut Range,
    ) -> Result<Vec<Window>, TimedError> {
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.dedup();
        let mut places: Vec<i64> = Vec::new();
        let known = |key: i64, places: &[i64]| {
            let within = |s: Span| (s.first..=s.last).contains(&key);
            self.all.iter().any(|w| within(w.span()))
                || places.iter().any(|&p| within(Window::around(p)))
        };
        // An infinite error is at a place by itself, and no sum of roundings.
        for &(key, _) in found.iter().filter(|f| f.1.is_finite() && f.1 > 0.0) {
            if places.len() == most {
                break;
            }
            if !known(key, &places) {
                places.push(key);
            }
        }
        let points = PointEvaluator::plain(search.sweep).evaluate(&places);
        let points = points.map_err(EngineError::from)?;
        let mut windows = Vec::new();
        for p in points {
            let whole = Window::around(p.key);
            let whole = range.intersection(&Range::covering(range.space(), vec![whole]));
            // The piece of the range that has the input.
            let Some(&span) = (whole.spans().iter()).find(|s| (s.first..=s.last).contains(&p.key))
            else {
                continue;
            };
            let whole = Range::covering(range.space(), vec![span]);
            let free = sample.without_singles(&without(&whole, done));
            *done = done.union(&whole);
            let seed = split_mix(random);
            windows.push(Window::new(span, &free, (p.key, p.error), seed));
        }
        Ok(windows)
    }

    /// Takes out the windows that go on.
    fn best(&mut self, most: usize) -> Vec<Window> {
        let worst = |w: &Window| w.worst();
        (self.all).sort_by(|a, b| {
            let (a, b) = (worst(a), worst(b));
            b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
        });
        let best = self.all.len().min(BEST);
        let mut order: Vec<usize> = (0..best)
            .filter(|&i| self.all[i].generations() < LAST)
            .collect();
        order.sort_by_key(|&i| self.all[i].generations());
        order.truncate(most);
        order.sort_unstable();
        let taken = order.iter().rev().map(|&i| self.all.remove(i));
        taken.collect()
    }
}

impl Job {
    const fn of(window: Window) -> Job {
        Job {
            window,
            result: BlockResult::EMPTY,
            undecided: Vec::new(),
        }
    }

    /// Adds the results of a generation.
    fn add(&mut self, points: &[PointResult]) {
        points.iter().for_each(|p| p.add_to(&mut self.result));
        let undecided = points.iter().filter(|p| p.is_undecided());
        self.undecided.extend(undecided.copied());
        self.window.add(points.iter().map(|p| (p.key, p.error)));
    }
}

/// Some generations of windows, all in one call, which costs a change of processes for a function of a library; fewer if the time
/// is over.
fn run(
    jobs: &mut [Job],
    evaluator: &mut PointEvaluator,
    over: &dyn Fn() -> bool,
) -> Result<(), EngineError> {
    for _ in 0..GENERATIONS {
        if over() {
            break;
        }
        let each: Vec<Vec<i64>> = jobs.iter_mut().map(|j| j.window.propose()).collect();
        let points = evaluator.evaluate(&each.concat())?;
        let mut rest = &points[..];
        for (job, keys) in jobs.iter_mut().zip(&each) {
            let (own, others) = rest.split_at(keys.len());
            job.add(own);
            rest = others;
        }
    }
    Ok(())
}

/// Runs jobs on as many threads as the search has. The results are in the order of the jobs.
fn evaluate(search: &Search<'_>, work: Vec<Job>) -> Result<Vec<Job>, TimedError> {
    let together = work.len().div_ceil(search.threads()).clamp(1, TOGETHER);
    let mut work = work.into_iter();
    let jobs = std::iter::from_fn(|| {
        let some: Vec<Job> = work.by_ref().take(together).collect();
        (!some.is_empty()).then_some(some)
    });
    let (stop, begun, time) = (search.stop, search.begun, search.time);
    let over = || stop.asked() || begun.elapsed().as_secs_f64() >= time;
    let done = each(search, jobs.collect(), |jobs: &mut Vec<Job>, evaluator| {
        run(jobs, evaluator, &over)
    })?;
    Ok(done.into_iter().flatten().collect())
}
