//! The rounds of a timed search in which inputs with large errors are combined ([`Window`]).
//!
//! Windows race ([`Race`]). Each begins with few generations, and some continue with more, three times. New windows come from five sources: from
//! the worst inputs found elsewhere, from the stretches whose smooth error is largest ([`Level`]), from places at random distances from the worst windows, no
//! two of which are in the same 2^36 inputs, and from places where the result is the same, or the same times a power of two ([`alike`]). A source gets windows
//! in proportion to how often its previous windows were good.
//!
//! The next round around the worst inputs also starts from the worst input of each window. So that round climbs by estimates of the
//! envelope, and not by the chance result of a short stretch.

use std::collections::{BTreeMap, BTreeSet};

use super::alike::{Wanted, alike};
use super::jobs::{GENERATIONS, Job, RUNGS, Raced, evaluate};
use super::race::Race;
use super::sources::{Arms, Distances, Source};
use super::state::{Search, Taken, TimedError};
use crate::search::engine::EngineError;
use crate::search::evaluator::PointEvaluator;
use crate::search::points::split_mix;
use crate::search::range::{Range, Span};
use crate::search::sample::{Found, Level, Sample, Window, without};

/// The approximate number of inputs of a generation.
const GENERATION: u64 = 1 << 10;
/// The first generation has twice as many.
const NEW: u64 = (GENERATIONS[0] as u64 + 1) * GENERATION;
/// Windows from which others descend are in different stretches of 2^36 inputs.
const APART: u32 = 36;
/// The mean rank of these windows among all such stretches.
const RANK: u64 = 4;
/// A window opens next to one of this many cells.
const TRIED_CELLS: usize = 64;

/// The binary logarithm of the number of inputs of a binade.
const BINADE: u32 = 52;
/// A binade gets further windows if one in `SELDOM` of its first `TRIED` windows is good.
const TRIED: u32 = 3;
const SELDOM: u32 = 8;

/// The best window of a stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// Its worst input, and the error that it reached.
    pub worst: Found,
    /// The sign of its errors.
    pub sign: f64,
}

/// The windows of a search.
pub(super) struct Windows {
    all: Vec<Raced>,
    /// The first inputs of all windows.
    places: BTreeSet<i64>,
    race: Race<RUNGS>,
    arms: Arms,
    distances: Distances,
    /// For each binade of the inputs, the number of its windows and of the good ones.
    binades: BTreeMap<i64, (u32, u32)>,
    /// The number of inputs whose errors were evaluated or estimated in them.
    pub inputs: u64,
    /// The number of inputs evaluated in full.
    pub evaluated: u64,
    /// The time for them.
    seconds: f64,
}

impl Windows {
    pub fn new() -> Windows {
        Windows {
            all: Vec::new(),
            places: BTreeSet::new(),
            race: Race::new(GENERATIONS),
            arms: Arms::default(),
            distances: Distances::default(),
            binades: BTreeMap::new(),
            inputs: 0,
            evaluated: 0,
            seconds: 0.0,
        }
    }

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
        let mut work = self.go_on((self.race.share_of_continuing() * inputs as f64) as u64);
        let taken: u64 = work.iter().map(|j| u64::from(j.left) * GENERATION).sum();
        let fresh = (inputs.saturating_sub(taken) / NEW).max(1) as usize;
        work.extend(self.open(search, of, fresh, random, found, done)?);
        // Those with the same number of remaining generations are in the same calls.
        work.sort_by_key(|j| std::cmp::Reverse(j.left));
        let work = evaluate(search, work)?;
        self.seconds += search.elapsed() - begun;
        for mut job in work {
            if job.raced.rung + 1 == RUNGS {
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
            // Where no window is of use, nothing is reached.
            let error = job.raced.window.reached();
            let rough = job.raced.window.generations() == 0;
            let rung = job.raced.rung;
            if rung == 0 {
                let source = job.raced.source;
                let good = !rough && self.race.is_good(error);
                self.race.judge(source, good);
                let binade = self.binades.entry(first >> BINADE).or_default();
                binade.0 += 1;
                binade.1 += u32::from(good);
                match source {
                    Source::Level(arm) => self.arms.add(arm, error),
                    Source::Near(class) => {
                        let good = !rough && self.race.is_good_of(source, error);
                        self.distances.judge(class, good);
                    }
                    Source::Found | Source::Alike | Source::Scaled => {}
                }
            }
            if rough {
                continue;
            }
            self.race.add(job.raced.source, rung, error);
            if let Some(scouted) = &mut job.raced.scouted {
                scouted[rung] = error;
                if rung + 1 == RUNGS {
                    self.race.add_scout(*scouted);
                }
            }
            self.all.push(job.raced);
        }
        self.race.choose_shares();
        search.report();
        search.cut |= search.stop.asked();
        Ok(())
    }

    /// Removes the windows that continue, the best first, with about this many inputs.
    fn go_on(&mut self, most: u64) -> Vec<Job> {
        let thresholds = self.race.thresholds();
        let mut on: Vec<(f64, usize)> = Vec::new();
        for (i, raced) in self.all.iter().enumerate() {
            let error = match raced.scouted {
                Some(_) => f64::INFINITY,
                None => raced.window.reached(),
            };
            if raced.rung + 1 < RUNGS && error >= thresholds[raced.source.number()][raced.rung] {
                on.push((error, i));
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
            Job::of(raced)
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
        let binades = self.good_binades(range);
        let mut wanted: Vec<Wanted> = Vec::new();
        while places.len() + wanted.len() < most && tries < 16 * most {
            tries += 1;
            let near = !cells.is_empty();
            let has = |s: usize| {
                [
                    found_left,
                    !self.arms.is_empty(),
                    near,
                    near && !binades.is_empty(),
                    near && !binades.is_empty(),
                ][s]
            };
            let place = match self.race.choose_source(has, random) {
                Some(0) => {
                    let next = worst.find(|&key| !self.is_known(key) && !self.fails(key));
                    found_left = next.is_some();
                    next.map(|key| (key, 0.0, Source::Found))
                }
                Some(1) => self.arms.next(random),
                Some(2) => near_one(&cells, &self.distances, random, |key| {
                    range.contains(key) && !self.is_known(key) && !self.fails(key)
                }),
                Some(source @ 3..) => {
                    let binade = binades[split_mix(random) as usize % binades.len()];
                    wanted.extend(cells.get(a_rank(random)).map(|&cell| Wanted {
                        cell,
                        binade,
                        scaled: source == Source::Scaled.number(),
                    }));
                    None
                }
                _ => break,
            };
            places.extend(place.filter(|p| self.opens_at(range, p.0)));
        }
        for (wanted, found) in wanted.iter().zip(alike(search.sweep, &wanted, random)?) {
            let source = match wanted.scaled {
                false => Source::Alike,
                true => Source::Scaled,
            };
            match found.filter(|f| self.opens_at(range, f.0)) {
                Some((key, sign)) => places.push((key, sign, source)),
                None => self.race.judge(source, false),
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
                source,
                rung: 0,
                scouted: self.race.opens_a_scout().then_some([0.0; RUNGS]),
                local: None,
            };
            jobs.push(Job::of(raced));
        }
        *done = done.union(&fresh);
        Ok(jobs)
    }

    /// Whether the windows in the binade of an input are hardly ever good. Where neighbours have nothing in common, as those of a periodic function with huge
    /// arguments, large errors are found by chance, and nothing larger next to them.
    fn fails(&self, key: i64) -> bool {
        let (windows, on) = self
            .binades
            .get(&(key >> BINADE))
            .copied()
            .unwrap_or_default();
        windows >= TRIED && on * SELDOM < windows
    }

    /// The part of the range in each binade with a good window.
    fn good_binades(&self, range: &Range) -> Vec<Span> {
        let good = self.binades.iter().filter(|(_, n)| n.1 > 0);
        let good = good.filter(|&(binade, _)| !self.fails(binade << BINADE));
        let spans = good.map(|(binade, _)| Span {
            first: binade << BINADE,
            last: (binade << BINADE) | ((1 << BINADE) - 1),
        });
        let parts = spans.flat_map(|s| overlapping(range, s).spans().to_vec());
        parts.collect()
    }

    /// Whether a window can be opened around an input. If so, it is known from now on.
    fn opens_at(&mut self, range: &Range, key: i64) -> bool {
        let opens = range.contains(key) && !self.is_known(key);
        if opens {
            self.places.insert(Window::around(key).first);
        }
        opens
    }

    /// Whether an input is in a window.
    fn is_known(&self, key: i64) -> bool {
        let around = Window::around(key);
        let width = around.last - around.first;
        let before = key.saturating_sub(width)..=key;
        self.places.range(before).next().is_some()
    }

    /// The best window of each stretch, the best first.
    fn cells(&self) -> Vec<Cell> {
        let mut cells: BTreeMap<i64, Cell> = BTreeMap::new();
        for raced in &self.all {
            let Some(worst) = raced.window.worst() else {
                continue;
            };
            let this = Cell {
                worst: (worst.0, raced.window.reached()),
                sign: raced.window.sign(),
            };
            let best = cells.entry(worst.0 >> APART).or_insert(this);
            if this.worst.1 > best.worst.1 {
                *best = this;
            }
        }
        let mut cells: Vec<Cell> = cells.into_values().collect();
        cells.sort_by(|a, b| {
            let (a, b) = (a.worst, b.worst);
            b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
        });
        cells
    }
}

/// The rank of one of the cells, the best most often.
fn a_rank(random: &mut u64) -> usize {
    let mut rank = 0;
    while !split_mix(random).is_multiple_of(RANK + 1) {
        rank += 1;
    }
    rank
}

/// A place that opens, at a random distance from one of the worst windows. If there is a window already, it is next to the next best cell: large errors may
/// be in a few windows next to each of many places.
fn near_one(
    cells: &[Cell],
    distances: &Distances,
    random: &mut u64,
    opens: impl Fn(i64) -> bool,
) -> Option<(i64, f64, Source)> {
    let rank = a_rank(random);
    let (distance, source) = distances.next(random);
    let mut next = cells.iter().skip(rank).take(TRIED_CELLS);
    next.find_map(|cell| {
        let place = cell.worst.0.checked_add(distance);
        Some((place.filter(|key| opens(*key))?, cell.sign, source))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Where all places next to the best cell have windows, a place has the same distance from the next one.
    #[test]
    fn windows_open_next_to_the_next_best_cell() {
        let cell = |at: i64| Cell {
            worst: (at << 56, 0.6),
            sign: -1.0,
        };
        let cells = [cell(1), cell(2), cell(3)];
        let mut random = 5;
        let mut found = [0; 4];
        for _ in 0..1000 {
            let before = random;
            let distances = Distances::default();
            let free = near_one(&cells, &distances, &mut random, |_| true);
            random = before;
            let opens = |key: i64| (key - (1 << 56)).abs() >= 1 << 55;
            let taken = near_one(&cells, &distances, &mut random, opens);
            let Some((key, sign, source)) = taken else {
                // No cell has this rank.
                assert!(free.is_none());
                found[3] += 1;
                continue;
            };
            assert!(sign == -1.0 && matches!(source, Source::Near(_)));
            let nearest = |key: i64| ((key + (1 << 55)) >> 56) as usize - 1;
            let (at, before) = (nearest(key), nearest(free.expect("a place").0));
            assert_eq!(at, before.max(1));
            found[at] += 1;
        }
        println!("{found:?}");
        assert!(found[0] == 0 && found[1] > found[2] && found[2] > 50 && found[3] > 300);
    }
}
