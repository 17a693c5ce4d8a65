//! Estimates, from short samples, where the smooth part of an error is largest.
//!
//! An error is a smooth part and roundings. The smooth part and the weight of each rounding are nearly constant over a stretch of some 2^40
//! inputs, and determine how large errors can be there. The largest error of a short sample hardly depends on them: it is mostly chance.
//! Mean and standard deviation are known much better. So the *level* of a stretch is
//!
//! ```text
//! 1/2 + |mean| + 4 sqrt(variance - 1/12)
//! ```
//!
//! The last rounding of a result is uniform within half a unit and independent of all values before it. It has a variance of 1/12 and adds at most 1/2. Errors
//! beyond four standard deviations of all other roundings together are too rare for a search. Some errors are not uniform, for example if a result is the
//! argument itself. There the level is at most an extrapolation of the largest tenth of the errors.
//!
//! The range is cut where its level is largest, as in a bandit with one arm per stretch. The stretch with the highest upper bound of its level gets more inputs
//! or, if it has enough, is cut into four. Half of the time, the search then continues with the best of the four immediately. Otherwise, if thousands of
//! stretches are alike, such as the binades of a periodic function, it would cut all of them before it reached the end of one. A large stretch has a higher
//! bound, because it may have a higher level within it.
//!
//! If no stretch *stands out*, levels do not tell where to search, and this phase ends after its first samples. A stretch stands out if at least a quarter of
//! the others have levels below its own by more than the uncertainties of both. Otherwise most stretches are as high, or they differ by no more than such short
//! samples differ by chance.
//! If there are few stretches, all are cut: a short part of one may stand out.

use std::collections::BinaryHeap;

use super::Found;
use crate::search::points::split_mix;
use crate::search::range::Span;

/// The number of inputs of a stratum at first, and of a new stretch.
const FEW: usize = 128;
/// A stretch is cut when this number of its inputs is known.
const ENOUGH: usize = 1 << 10;
/// Stretches with no more inputs than this are not cut.
const SMALLEST: u32 = 40;
/// A stretch with fewer has no level.
const JUDGED: usize = 8;
/// Standard deviations of the roundings that are added to the mean.
const DEVIATIONS: f64 = 4.0;
/// The largest error of any sum of a few roundings is below this times the mean distance of the largest tenth of the errors from the least
/// of these.
const BEYOND: f64 = 6.0;
/// The additional level that may be within a binade, as a share of its level.
const WITHIN: f64 = 0.4;
/// The number of stretches that are treated together.
const TOGETHER: usize = 32;
/// The share of the budget in which stretches are cut. The rest is for those with the highest levels.
const CUTTING: f64 = 2.0 / 3.0;
/// The most stretches with the highest levels that are sampled again, with four times the inputs, and a quarter of them again.
const AGAIN: usize = 256;
/// The number of stretches that are returned.
const BEST: usize = 64;
/// Stretches stand out if no more than this share of those with a level above one half may have one as high as the best has.
const ALIKE_SHARE: f64 = 0.75;
/// Of fewer stretches, each may be cut until its parts are told apart.
const MANY: usize = 64;
/// The number of inputs with the largest errors that are kept; no more of one binade than [`ALIKE`].
const WORST: usize = 1 << 10;
const ALIKE: usize = 8;

/// A stretch with a high level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Level {
    /// The stretch.
    pub span: Span,
    /// The sign of its large errors, or 0 if that is not known.
    pub sign: f64,
    /// Its level, an estimate of the largest error that can be found there.
    pub level: f64,
}

/// The findings about a range.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Levels {
    /// The stretches with the highest levels, the highest first.
    pub best: Vec<Level>,
    /// The inputs with the largest errors that were evaluated, with their magnitudes, the largest first.
    pub worst: Vec<Found>,
    /// The number of inputs that were evaluated.
    pub inputs: u64,
}

/// What may be spent on estimates, which end when either is spent.
pub struct Budget<'a> {
    /// The number of inputs.
    pub inputs: u64,
    /// The share of the time for them that is over.
    pub time: &'a dyn Fn() -> f64,
}

/// A stretch.
#[derive(Debug, Clone)]
struct Stretch {
    span: Span,
    errors: Vec<Found>,
    sign: f64,
    level: f64,
    /// The uncertainty of the level.
    around: f64,
}

/// Finds the stretches with the highest levels in these strata. `evaluate` gives the error of each key, with its sign. It is called for many stretches at once, and ends the search by returning `None`.
///
/// # Errors
/// As for `evaluate`.
pub fn levels<E>(
    strata: &[Span],
    budget: &Budget<'_>,
    seed: u64,
    mut evaluate: impl FnMut(&[Vec<i64>]) -> Result<Option<Vec<Vec<f64>>>, E>,
) -> Result<Levels, E> {
    let mut search = Search {
        all: Vec::new(),
        open: BinaryHeap::new(),
        random: seed,
        least: 0.0,
        found: Levels::default(),
    };
    let few = (budget.inputs / 8 / strata.len().max(1) as u64).clamp(16, FEW as u64) as usize;
    search.all = strata.iter().map(|&span| Stretch::new(span)).collect();
    let every: Vec<usize> = (0..strata.len()).collect();
    for some in every.chunks(1 << 10) {
        if !search.sample(some, few, &mut evaluate)? {
            return Ok(search.end());
        }
    }
    if !search.stands_out() {
        return Ok(search.alike());
    }
    every.iter().for_each(|&i| search.push(i));
    let mut next: Vec<usize> = Vec::new();
    while search.spent(budget) < CUTTING {
        while next.len() < TOGETHER
            && let Some((_, i)) = search.open.pop()
        {
            next.push(i);
        }
        if next.is_empty() {
            break;
        }
        match search.step(std::mem::take(&mut next), &mut evaluate)? {
            Some(more) => next = more,
            None => return Ok(search.end()),
        }
    }
    // The level of the best of many is too high by chance: they are sampled again.
    // Both times take a quarter of the inputs that cutting has taken.
    let again = search.found.inputs as usize / 4 / (3 * ENOUGH);
    let mut best = search.best(again.clamp(4, AGAIN));
    let mut wanted = ENOUGH;
    while best.len() >= 4 && wanted < ENOUGH << 4 && search.spent(budget) < 1.0 {
        wanted *= 4;
        if !search.sample(&best, wanted, &mut evaluate)? {
            break;
        }
        best.truncate(best.len() / 4);
    }
    Ok(search.end())
}

/// A search in progress.
struct Search {
    all: Vec<Stretch>,
    /// Stretches that may be cut, by the upper bounds of their levels.
    open: BinaryHeap<(Bound, usize)>,
    random: u64,
    /// No input with a smaller error is among the worst.
    least: f64,
    found: Levels,
}

/// An upper bound; they are ordered as numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bound(f64);

impl Eq for Bound {}

impl PartialOrd for Bound {
    fn partial_cmp(&self, other: &Bound) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bound {
    fn cmp(&self, other: &Bound) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Search {
    /// The share of the budget that is spent.
    fn spent(&self, budget: &Budget<'_>) -> f64 {
        let inputs = self.found.inputs as f64 / budget.inputs as f64;
        inputs.max((budget.time)())
    }

    /// Cuts the stretches that have enough inputs, and samples the others and the new ones. Returns the stretches with which to continue
    /// immediately; `None` if the search ends.
    fn step<E>(
        &mut self,
        stretches: Vec<usize>,
        evaluate: &mut impl FnMut(&[Vec<i64>]) -> Result<Option<Vec<Vec<f64>>>, E>,
    ) -> Result<Option<Vec<usize>>, E> {
        let (known, short): (Vec<usize>, Vec<usize>) = stretches
            .into_iter()
            .partition(|&i| self.all[i].errors.len() >= ENOUGH);
        let mut families: Vec<[usize; 4]> = Vec::new();
        let mut fresh: Vec<usize> = Vec::new();
        for i in known {
            // The smallest ones remain as they are.
            if self.all[i].span.count() >> SMALLEST == 0 {
                continue;
            }
            let first = self.all.len();
            let parts = self.all[i].cut();
            self.all.extend(parts);
            families.push([first, first + 1, first + 2, first + 3]);
            fresh.extend(first..first + 4);
            self.all[i].errors = Vec::new();
        }
        if !(self.sample(&short, ENOUGH, evaluate)? && self.sample(&fresh, 2 * FEW, evaluate)?) {
            return Ok(None);
        }
        short.iter().for_each(|&i| self.push(i));
        let mut on: Vec<usize> = Vec::new();
        for family in families {
            let at_once = split_mix(&mut self.random) & 1 == 0;
            let mut family = family.to_vec();
            if at_once {
                family.sort_by(|&a, &b| self.all[a].least().total_cmp(&self.all[b].least()));
                on.extend(family.pop());
            }
            family.iter().for_each(|&i| self.push(i));
        }
        if !self.sample(&on, ENOUGH, evaluate)? {
            return Ok(None);
        }
        Ok(Some(on))
    }

    /// Evaluates inputs of stretches until each has this number. Returns whether the search continues.
    fn sample<E>(
        &mut self,
        stretches: &[usize],
        wanted: usize,
        evaluate: &mut impl FnMut(&[Vec<i64>]) -> Result<Option<Vec<Vec<f64>>>, E>,
    ) -> Result<bool, E> {
        let mut keys: Vec<Vec<i64>> = Vec::with_capacity(stretches.len());
        for &i in stretches {
            let stretch = &self.all[i];
            let more = wanted.saturating_sub(stretch.errors.len());
            keys.push(
                (0..more)
                    .map(|_| stretch.anywhere(&mut self.random))
                    .collect(),
            );
        }
        if keys.iter().all(Vec::is_empty) {
            return Ok(true);
        }
        let Some(errors) = evaluate(&keys)? else {
            return Ok(false);
        };
        for ((&i, keys), errors) in stretches.iter().zip(&keys).zip(errors) {
            self.found.inputs += keys.len() as u64;
            let found = keys.iter().copied().zip(errors);
            // An infinite error is at a place by itself, and has no mean.
            let found: Vec<Found> = found.filter(|f| f.1.is_finite()).collect();
            let large = found
                .iter()
                .filter(|f| f.1.abs() > 0.5 && f.1.abs() >= self.least);
            (self.found.worst).extend(large.map(|&(key, error)| (key, error.abs())));
            self.all[i].errors.extend(found);
            self.all[i].judge();
        }
        if self.found.worst.len() > 4 * WORST {
            trim(&mut self.found.worst);
            // A full list: an input with a smaller error would be dropped at the next time.
            self.least = match self.found.worst.get(WORST - 1) {
                Some(last) => last.1,
                None => 0.0,
            };
        }
        Ok(true)
    }

    fn push(&mut self, i: usize) {
        let stretch = &self.all[i];
        let binade = f64::from(52 - SMALLEST);
        let size = (stretch.span.count() as f64).log2() - f64::from(SMALLEST);
        let within = WITHIN * (stretch.level - 0.5).max(0.0) * (size / binade).clamp(0.0, 1.0);
        let bound = stretch.level + stretch.around + within;
        self.open.push((Bound(bound), i));
    }

    /// The stretches with the highest lower bounds of their levels, the highest first.
    fn best(&self, most: usize) -> Vec<usize> {
        let known = |i: &usize| self.all[*i].errors.len() > FEW;
        let mut best: Vec<usize> = (0..self.all.len()).filter(known).collect();
        best.sort_by(|&a, &b| self.all[b].least().total_cmp(&self.all[a].least()));
        best.truncate(most);
        best
    }

    /// Whether some stretches have higher levels than most, by more than the uncertainties of both.
    fn stands_out(&self) -> bool {
        // Where results are their arguments, or rounded once, nothing is above one half, and nothing is said of the others.
        let known = (self.all.iter()).filter(|s| s.errors.len() >= JUDGED && s.level > 0.5);
        let known: Vec<&Stretch> = known.collect();
        let best = known.iter().map(|s| s.least()).fold(0.0, f64::max);
        let alike = known.iter().filter(|s| s.level + s.around >= best).count();
        known.len() < MANY || alike as f64 <= ALIKE_SHARE * known.len() as f64
    }

    /// All strata with errors above one half, if none stands out. Windows in them tell more.
    fn alike(mut self) -> Levels {
        let above = self.all.iter().filter(|s| s.level > 0.5);
        let mut best: Vec<Level> = above.map(Stretch::of_either_sign).collect();
        best.sort_by(|a, b| b.level.total_cmp(&a.level));
        self.found.best = best;
        trim(&mut self.found.worst);
        self.found
    }

    fn end(mut self) -> Levels {
        let best = self.best(BEST).into_iter().map(|i| {
            let Stretch {
                span, sign, level, ..
            } = self.all[i];
            Level { span, sign, level }
        });
        self.found.best = best.collect();
        trim(&mut self.found.worst);
        self.found
    }
}

/// Keeps the largest errors, but only some of each binade.
fn trim(worst: &mut Vec<Found>) {
    worst.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    worst.dedup();
    let mut of_binade = std::collections::HashMap::new();
    worst.retain(|f| {
        let count = of_binade.entry(f.0 >> 52).or_insert(0);
        *count += 1;
        *count <= ALIKE
    });
    worst.truncate(WORST);
}

impl Stretch {
    const fn new(span: Span) -> Stretch {
        Stretch {
            span,
            errors: Vec::new(),
            sign: 1.0,
            level: 0.0,
            around: 0.0,
        }
    }

    /// It with its level, and no sign.
    const fn of_either_sign(&self) -> Level {
        Level {
            span: self.span,
            sign: 0.0,
            level: self.level,
        }
    }

    /// A number below every likely value of its level.
    fn least(&self) -> f64 {
        self.level - self.around
    }

    fn anywhere(&self, random: &mut u64) -> i64 {
        let at = u128::from(split_mix(random)) % self.span.count();
        (i128::from(self.span.first) + at as i128) as i64
    }

    /// Its four quarters, each with the findings about it.
    fn cut(&self) -> [Stretch; 4] {
        let count = self.span.count();
        let at = |i: u128| (i128::from(self.span.first) + (count * i / 4) as i128) as i64;
        [0, 1, 2, 3].map(|i| {
            let (first, next) = (at(i), at(i + 1));
            let span = Span {
                first,
                last: next.wrapping_sub(1),
            };
            let within = |f: &&Found| (span.first..=span.last).contains(&f.0);
            let mut part = Stretch::new(span);
            part.errors = self.errors.iter().filter(within).copied().collect();
            part
        })
    }

    /// Computes its level.
    fn judge(&mut self) {
        let n = self.errors.len() as f64;
        if self.errors.len() < JUDGED {
            (self.level, self.around) = (0.0, 0.0);
            return;
        }
        let mean = self.errors.iter().map(|f| f.1).sum::<f64>() / n;
        let square = |f: &Found| (f.1 - mean) * (f.1 - mean);
        let variance = self.errors.iter().map(square).sum::<f64>() / n;
        // The variance of a uniform or normal distribution's variance is 0.8 to 2 of its square.
        let noise = variance * (1.5 / n).sqrt();
        let roundings = (variance - 1.0 / 12.0).max(0.0);
        let deviation = roundings.sqrt();
        self.around = (variance / n).sqrt() + DEVIATIONS * ((roundings + noise).sqrt() - deviation);
        let mut errors: Vec<f64> = self.errors.iter().map(|f| f.1).collect();
        let side = |sign: f64, errors: &mut [f64]| {
            let tenth = errors.len() / 10;
            let order = |a: &f64, b: &f64| (sign * b).total_cmp(&(sign * a));
            errors.select_nth_unstable_by(tenth, order);
            let least = sign * errors[tenth];
            let above = errors[..tenth].iter().map(|e| sign * e - least);
            let beyond = BEYOND * above.sum::<f64>() / tenth.max(1) as f64;
            (0.5 + sign * mean + DEVIATIONS * deviation).min(least + beyond)
        };
        let sides = [1.0, -1.0].map(|sign| (sign, side(sign, &mut errors)));
        let higher = match sides[0].1 >= sides[1].1 {
            true => sides[0],
            false => sides[1],
        };
        (self.sign, self.level) = higher;
    }
}

#[cfg(test)]
mod tests;
