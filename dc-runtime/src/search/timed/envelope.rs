//! The rounds of a timed search in which inputs with large errors are combined ([`Window`]).
//!
//! Windows race. Each begins with few generations; the best third continues with more, three times ([`GENERATIONS`]). New windows come from three sources:
//! from the worst inputs found elsewhere, from the stretches whose smooth error is largest ([`Level`]), and from places at random distances from the worst
//! windows, no two of which are in the same 2^36 inputs. A source gets windows in proportion to how often its previous windows continued.
//!
//! The next round around the worst inputs also starts from the worst input of each window. So that round climbs by estimates of the
//! envelope, and not by the chance result of a short stretch.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::each;
use super::local::Local;
use super::sources::{Arms, Race, Source};
use super::state::{Search, Taken, TimedError};
use crate::model::block::BlockResult;
use crate::search::engine::EngineError;
use crate::search::evaluator::{PointEvaluator, PointResult};
use crate::search::points::split_mix;
use crate::search::range::{Range, Span};
use crate::search::sample::{Found, Level, Sample, Window, without};

/// The numbers of generations: at first, and each time that a window continues.
const GENERATIONS: [u32; 4] = [4, 10, 44, 180];
/// The approximate number of inputs of a generation.
const GENERATION: u64 = 1 << 10;
/// The first generation has twice as many.
const NEW: u64 = (GENERATIONS[0] as u64 + 1) * GENERATION;
/// The largest number of windows whose inputs are evaluated in one call.
const TOGETHER: usize = 16;
/// The work of a round is cut into this many parts per thread, or more.
const PARTS: usize = 6;
/// Windows that continue take no more than this share of a round's inputs.
const ON: f64 = 0.75;
/// Windows from which others descend are in different stretches of 2^36 inputs.
const APART: u32 = 36;
/// The mean rank of these windows among all such stretches.
const RANK: u64 = 4;

/// The binary logarithm of the number of inputs of a binade.
const BINADE: u32 = 52;
/// A binade gets further windows if one in `SELDOM` of its first `TRIED` windows continues.
const TRIED: u32 = 3;
const SELDOM: u32 = 8;

/// An estimated error that is as large, or not a number, is not used: the input is evaluated in full.
const STRANGE: f64 = 65_536.0;
/// The number of worst inputs of a window that are evaluated in full each time that it ends or may continue.
const CONFIRMED: usize = 8;

/// A window and the number of times that it continued.
struct Raced {
    window: Window,
    rung: usize,
    /// Its errors are estimated with it, if there is one.
    local: Option<Local>,
}

/// The windows of a search.
#[derive(Default)]
pub(super) struct Windows {
    all: Vec<Raced>,
    /// The first inputs of all windows.
    places: BTreeSet<i64>,
    race: Race<{ GENERATIONS.len() }>,
    arms: Arms,
    /// For each binade of the inputs, the number of its windows and of those that continued.
    binades: BTreeMap<i64, (u32, u32)>,
    /// The number of inputs whose errors were evaluated or estimated in them.
    pub inputs: u64,
    /// The number of inputs evaluated in full.
    pub evaluated: u64,
    /// The time for them.
    seconds: f64,
}

/// The work in a window in a round, and its result.
struct Job {
    raced: Raced,
    /// The source of a new window.
    source: Option<Source>,
    left: u32,
    /// The number of inputs whose errors were estimated.
    estimated: u64,
    /// The result of those evaluated in full.
    result: BlockResult,
    undecided: Vec<PointResult>,
}

impl Windows {
    /// Their number.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Sets the stretches with the highest levels, in which windows open from now on, and the worst inputs found so far.
    pub fn open_in(&mut self, levels: &[Level], found: &[Found]) {
        self.arms = Arms::of(levels, found);
    }

    /// Continues windows and opens new ones, in about this many seconds. The ranges of the new ones are added to `done`.
    pub fn round(
        &mut self,
        search: &mut Search<'_>,
        of: (&Range, &Sample),
        seconds: f64,
        random: &mut u64,
        found: &mut Vec<Found>,
        done: &mut Range,
    ) -> Result<(), TimedError> {
        let begun = search.elapsed();
        let inputs = match self.seconds {
            0.0 => search.fit(seconds),
            all => (self.inputs as f64 / all * seconds) as u64,
        };
        let mut work = self.go_on((ON * inputs as f64) as u64);
        let taken: u64 = work.iter().map(|j| u64::from(j.left) * GENERATION).sum();
        let fresh = (inputs.saturating_sub(taken) / NEW).max(1) as usize;
        work.extend(self.open(search, of, fresh, random, found, done)?);
        // Those with the same number of remaining generations are in the same calls.
        work.sort_by_key(|j| std::cmp::Reverse(j.left));
        let work = evaluate(search, work)?;
        self.seconds += search.elapsed() - begun;
        for mut job in work {
            if job.raced.rung + 1 == GENERATIONS.len() {
                job.raced.window.close();
            }
            search.result = search.result.merge(&job.result);
            self.inputs += job.estimated + job.result.count;
            self.evaluated += job.result.count;
            search.apart += job.result.count;
            search.keep_undecided(job.undecided);
            let Span { first, last } = job.raced.window.span();
            search.taken.push(Taken::new(first, last, job.result));
            let worst = job.raced.window.worst();
            found.extend(worst.filter(|f| f.1 > 0.0));
            let error = job.raced.window.reached();
            self.race.add(job.raced.rung, error);
            if let Some(Source::Level(arm)) = job.source {
                self.arms.add(arm, error);
            }
            if let Some(source) = job.source {
                let goes_on = self.race.goes_on(0, error);
                self.race.judge(source, goes_on);
                let binade = self.binades.entry(first >> BINADE).or_default();
                binade.0 += 1;
                binade.1 += u32::from(goes_on);
            }
            self.all.push(job.raced);
        }
        search.report();
        search.cut |= search.stop.asked();
        Ok(())
    }

    /// Removes the windows that continue, the best first, with about this many inputs.
    fn go_on(&mut self, most: u64) -> Vec<Job> {
        let error = |r: &Raced| r.window.reached();
        let mut on: Vec<(f64, usize)> = Vec::new();
        for (i, raced) in self.all.iter().enumerate() {
            let last = raced.rung + 1 == GENERATIONS.len();
            if !last && self.race.goes_on(raced.rung, error(raced)) {
                on.push((error(raced), i));
            }
        }
        on.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut left = most;
        on.retain(|&(_, i)| {
            let cost = u64::from(GENERATIONS[self.all[i].rung + 1]) * GENERATION;
            let fits = cost <= left;
            left -= if fits { cost } else { 0 };
            fits
        });
        on.sort_by_key(|&(_, i)| std::cmp::Reverse(i));
        let taken = on.iter().map(|&(_, i)| {
            let mut raced = self.all.swap_remove(i);
            raced.rung += 1;
            Job::of(raced, None)
        });
        taken.collect()
    }

    /// New windows.
    fn open(
        &mut self,
        search: &Search<'_>,
        (range, sample): (&Range, &Sample),
        most: usize,
        random: &mut u64,
        found: &mut Vec<Found>,
        done: &mut Range,
    ) -> Result<Vec<Job>, TimedError> {
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.dedup();
        let cells = self.cells();
        // An infinite error is at a place by itself, and no sum of roundings.
        let large = found.iter().filter(|f| f.1.is_finite() && f.1 > 0.0);
        let mut worst = large.map(|f| f.0);
        // The place, the sign of its errors if that is known, and the source.
        let mut places: Vec<(i64, f64, Source)> = Vec::new();
        let (mut found_left, mut tries) = (true, 0);
        while places.len() < most && tries < 16 * most {
            tries += 1;
            let has = |s: usize| [found_left, !self.arms.is_empty(), !cells.is_empty()][s];
            let place = match self.race.choose(has, random) {
                Some(0) => {
                    let next = worst.find(|&key| !self.is_known(key) && !self.fails(key));
                    found_left = next.is_some();
                    next.map(|key| (key, 0.0, Source::Found))
                }
                Some(1) => self.arms.next(random),
                Some(2) => near(&cells, random).filter(|p| !self.fails(p.0)),
                _ => break,
            };
            let inside = place.filter(|p| range.contains(p.0) && !self.is_known(p.0));
            if let Some(place) = inside {
                self.places.insert(Window::around(place.0).first);
                places.push(place);
            }
        }
        let unsigned = places.iter().filter(|p| p.1 == 0.0);
        let keys: Vec<i64> = unsigned.map(|p| p.0).collect();
        let points = PointEvaluator::plain(search.sweep).evaluate(&keys);
        let points = points.map_err(EngineError::from)?;
        let mut errors = points.iter().map(|p| (p.key, p.error));
        let mut fresh = Range::covering(range.space(), Vec::new());
        let mut jobs = Vec::new();
        for (key, sign, source) in places {
            let known = if sign == 0.0 { errors.next() } else { None };
            let sign = known.map_or(sign, |f| f.1.signum());
            let whole = overlapping(range, Window::around(key));
            // The piece of the range that has the input.
            let Some(&span) = (whole.spans().iter()).find(|s| (s.first..=s.last).contains(&key))
            else {
                continue;
            };
            let whole = Range::covering(range.space(), vec![span]);
            let free = without(&without(&whole, &overlapping(done, span)), &fresh);
            let free = sample.without_singles(&free);
            fresh = fresh.union(&whole);
            let window = Window::new(span, &free, sign, known, split_mix(random));
            let raced = Raced {
                window,
                rung: 0,
                local: None,
            };
            jobs.push(Job::of(raced, Some(source)));
        }
        *done = done.union(&fresh);
        Ok(jobs)
    }

    /// Whether the windows in the binade of an input hardly ever continue. Where neighbours have nothing in common, as those of a periodic function with huge
    /// arguments, large errors are found by chance, and nothing larger next to them.
    fn fails(&self, key: i64) -> bool {
        let (windows, on) = self
            .binades
            .get(&(key >> BINADE))
            .copied()
            .unwrap_or_default();
        windows >= TRIED && on * SELDOM < windows
    }

    /// Whether an input is in a window.
    fn is_known(&self, key: i64) -> bool {
        let around = Window::around(key);
        let width = around.last - around.first;
        let before = key.saturating_sub(width)..=key;
        self.places.range(before).next().is_some()
    }

    /// The best window of each stretch, the best first: its worst input, the error that it reached, and its sign.
    fn cells(&self) -> Vec<(Found, f64)> {
        let mut cells: BTreeMap<i64, (Found, f64)> = BTreeMap::new();
        for raced in &self.all {
            let Some(worst) = raced.window.worst() else {
                continue;
            };
            let reached = (worst.0, raced.window.reached());
            let cell = cells.entry(worst.0 >> APART).or_insert((reached, 0.0));
            if cell.1 == 0.0 || reached.1 > cell.0.1 {
                *cell = (reached, raced.window.sign());
            }
        }
        let mut cells: Vec<(Found, f64)> = cells.into_values().collect();
        cells.sort_by(|a, b| b.0.1.total_cmp(&a.0.1).then(a.0.0.cmp(&b.0.0)));
        cells
    }
}

/// A place at a random distance from one of the worst windows: 2^26 to 2^52 inputs, more often a short distance. One in eight is a small
/// multiple of a power of two: the next entries of a table have the same upper bits except for these.
fn near(cells: &[(Found, f64)], random: &mut u64) -> Option<(i64, f64, Source)> {
    let mut rank = 0;
    while !split_mix(random).is_multiple_of(RANK + 1) {
        rank += 1;
    }
    let &((key, _), sign) = cells.get(rank)?;
    let mut below = |n: u64| split_mix(random) % n;
    let distance = match below(8) {
        0 => (1 + below(3)) << (APART as u64 + below(17)),
        _ => {
            let log2 = 26 + below(26).min(below(26));
            1 << log2 | split_mix(random) & ((1 << log2) - 1)
        }
    } as i64;
    let place = match split_mix(random) & 1 {
        0 => key.checked_add(distance),
        _ => key.checked_sub(distance),
    };
    place.map(|key| (key, sign, Source::Near))
}

/// The part of a range that is in a stretch.
fn overlapping(range: &Range, span: Span) -> Range {
    let from = range.spans().partition_point(|s| s.last < span.first);
    let until = range.spans().partition_point(|s| s.first <= span.last);
    let spans = range.spans()[from..until.max(from)].iter().map(|s| Span {
        first: s.first.max(span.first),
        last: s.last.min(span.last),
    });
    Range::covering(range.space(), spans.collect())
}

impl Job {
    fn of(raced: Raced, source: Option<Source>) -> Job {
        Job {
            left: GENERATIONS[raced.rung],
            raced,
            source,
            estimated: 0,
            result: BlockResult::EMPTY,
            undecided: Vec::new(),
        }
    }

    /// The inputs of the next generation, if there is one.
    fn propose(&mut self) -> Vec<i64> {
        match self.left {
            0 => Vec::new(),
            _ => {
                self.left -= 1;
                self.raced.window.propose()
            }
        }
    }

    /// Adds inputs that were evaluated in full.
    fn add(&mut self, points: &[PointResult]) {
        points.iter().for_each(|p| p.add_to(&mut self.result));
        let undecided = points.iter().filter(|p| p.is_undecided());
        self.undecided.extend(undecided.copied());
        let window = &mut self.raced.window;
        window.add(points.iter().map(|p| (p.key, p.error)));
    }

    /// Adds the results of a generation.
    fn measure(
        &mut self,
        keys: &[i64],
        results: &[u64],
        evaluator: &mut PointEvaluator,
    ) -> Result<(), EngineError> {
        let Some(local) = self.raced.local else {
            self.add(&evaluator.points(keys, results)?);
            return Ok(());
        };
        let mut strange: (Vec<i64>, Vec<u64>) = (Vec::new(), Vec::new());
        let estimated = keys.iter().zip(results).filter_map(|(&key, &bits)| {
            let error = local.error(key, bits);
            let usual = error.abs() < STRANGE;
            if !usual {
                strange.0.push(key);
                strange.1.push(bits);
            }
            usual.then_some((key, error))
        });
        self.raced.window.add(estimated);
        self.estimated += (keys.len() - strange.0.len()) as u64;
        self.raced.window.know(&strange.0);
        self.add(&evaluator.points(&strange.0, &strange.1)?);
        Ok(())
    }
}

/// Finds the polynomials of new windows.
fn prepare(jobs: &mut [Job], evaluator: &mut PointEvaluator) -> Result<(), EngineError> {
    for job in jobs.iter_mut().filter(|j| j.source.is_some()) {
        let span = job.raced.window.span();
        if let Some(keys) = Local::keys(span) {
            job.raced.local = Local::new(span, &evaluator.references(&keys)?);
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
    while jobs.iter().any(|j| j.left > 0) && !over() {
        let each: Vec<Vec<i64>> = jobs.iter_mut().map(Job::propose).collect();
        let results = evaluator.results(&each.concat())?;
        let mut rest = &results[..];
        for (job, keys) in jobs.iter_mut().zip(&each) {
            let (own, others) = rest.split_at(keys.len());
            job.measure(keys, own, evaluator)?;
            rest = others;
        }
    }
    for job in jobs.iter_mut().filter(|j| j.raced.local.is_some()) {
        let keys = job.raced.window.unknown(CONFIRMED);
        let points = evaluator.evaluate(&keys)?;
        job.raced
            .window
            .correct(points.iter().map(|p| (p.key, p.error)));
        points.iter().for_each(|p| p.add_to(&mut job.result));
        let undecided = points.iter().filter(|p| p.is_undecided());
        job.undecided.extend(undecided.copied());
    }
    Ok(())
}

/// Runs jobs on as many threads as the search has, those with the most generations first. The results are in the order of the jobs.
fn evaluate(search: &Search<'_>, work: Vec<Job>) -> Result<Vec<Job>, TimedError> {
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
