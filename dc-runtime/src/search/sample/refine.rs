//! Searches for the parts of a range in which errors are largest, by cutting the best parts.
//!
//! An error is a smooth part, which changes slowly, and the roundings, which look random. The smooth part decides where large errors are:
//! often in a stretch as narrow as one entry of the routine's table, one of many thousands. A few stretches of a part, at random places, show
//! how large its errors are, its *level*. The part with the highest level is cut into four, each of which gets stretches of its own, and so on
//! until parts are small; then they get more stretches. A part whose level is low by chance must not be lost, so parts are taken in turn from
//! several queues: by the level alone, and by the level with an addition for large parts, which nobody has looked into. This is the search of
//! a tree with upper confidence bounds (S. Bubeck et al., *X-Armed Bandits*, Journal of Machine Learning Research 12, 2011), with several
//! bounds at once, since nothing is known of the smoothness.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use super::climb::Found;
use super::split_mix;
use crate::search::range::Span;

/// The number of stretches by which a part's level is estimated.
const STRETCHES: usize = 4;
/// The number of pieces into which a part is cut.
const PIECES: u128 = 4;
/// A part of fewer stretches than this is not cut.
const SMALLEST: u128 = 1 << 14;
/// For each queue, what a factor of two in a part's size adds to its level, as a share of the largest error.
const ADDITIONS: [f64; 4] = [0.0, 0.0015, 0.0075, 0.03];
/// A part that is not cut loses this share of its level with each visit, so that others of nearly the same level are visited too.
const FATIGUE: f64 = 0.0003;
/// The number of places that are tried for a stretch whose inputs have not been searched yet.
const TRIES: usize = 4;

/// The inputs that were searched: disjoint stretches.
#[derive(Debug, Clone, Default)]
pub struct Searched(BTreeMap<i64, i64>);

impl Searched {
    /// These stretches, which are disjoint.
    #[must_use]
    pub fn of(spans: &[Span]) -> Searched {
        Searched(spans.iter().map(|s| (s.first, s.last)).collect())
    }

    /// Adds a stretch, unless one of its inputs has been searched.
    fn add(&mut self, span: Span) -> bool {
        let before = self.0.range(..=span.last).next_back();
        let free = before.is_none_or(|(_, &last)| last < span.first);
        if free {
            self.0.insert(span.first, span.last);
        }
        free
    }

    /// The stretches, in order.
    #[must_use]
    pub fn into_spans(self) -> Vec<Span> {
        let span = |(first, last)| Span { first, last };
        self.0.into_iter().map(span).collect()
    }
}

/// A part of the range.
#[derive(Debug)]
struct Part {
    span: Span,
    /// The mean of the largest errors of its stretches.
    level: f64,
    /// The number of visits that have ended.
    visits: u32,
    /// What a queued part must have to be the part as it is now.
    ticket: u32,
    /// The largest errors of the stretches of the visit under way.
    errors: Vec<f64>,
}

/// A part in a queue, as it was when it was put there.
#[derive(Debug)]
struct Queued {
    priority: f64,
    part: usize,
    ticket: u32,
}

impl Ord for Queued {
    fn cmp(&self, other: &Queued) -> Ordering {
        // Of equal ones the first part, so that the order does not depend on the heap.
        self.priority
            .total_cmp(&other.priority)
            .then(other.part.cmp(&self.part))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Queued) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Queued {
    fn eq(&self, other: &Queued) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Queued {}

/// A range that is cut where its errors are largest.
#[derive(Debug)]
pub struct Refined {
    parts: Vec<Part>,
    queues: [BinaryHeap<Queued>; ADDITIONS.len()],
    /// The parts to visit next.
    due: Vec<usize>,
    /// The stretches of the visits under way, with their parts.
    under_way: BTreeMap<i64, (i64, usize)>,
    turn: usize,
    largest: f64,
    random: u64,
    searched: Searched,
}

impl Refined {
    /// A range in these parts, of which nothing is known. No input of `searched` is searched.
    #[must_use]
    pub fn new(strata: &[Span], searched: Searched, seed: u64) -> Refined {
        let mut refined = Refined {
            parts: Vec::new(),
            queues: std::array::from_fn(|_| BinaryHeap::new()),
            due: Vec::new(),
            under_way: BTreeMap::new(),
            turn: 0,
            largest: 0.0,
            random: seed,
            searched,
        };
        for span in strata {
            refined.add(*span);
        }
        refined
    }

    fn add(&mut self, span: Span) {
        self.due.push(self.parts.len());
        self.parts.push(Part {
            span,
            level: 0.0,
            visits: 0,
            ticket: 0,
            errors: Vec::new(),
        });
    }

    /// The stretches to search next, each of about `length` inputs, for about `visits` parts. Their results go to [`Refined::learn`]. There are none
    /// when everything has been searched.
    pub fn next(&mut self, visits: usize, length: u64) -> Vec<Span> {
        while self.due.len() < visits {
            let Some(part) = self.best() else {
                break;
            };
            let span = self.parts[part].span;
            if span.count() < SMALLEST * u128::from(length) {
                self.due.push(part);
                continue;
            }
            // Its pieces take its place.
            let count = span.count();
            let at = |i: u128| (i128::from(span.first) + (count * i / PIECES) as i128) as i64;
            for i in 0..PIECES {
                let last = if i + 1 < PIECES {
                    at(i + 1) - 1
                } else {
                    span.last
                };
                self.add(Span { first: at(i), last });
            }
        }
        let rest = self.due.split_off(self.due.len().min(visits));
        let due = std::mem::replace(&mut self.due, rest);
        for part in due {
            self.visit(part, length);
        }
        let stretches = self.under_way.iter();
        stretches
            .map(|(&first, &(last, _))| Span { first, last })
            .collect()
    }

    /// Draws the stretches of a part.
    fn visit(&mut self, part: usize, length: u64) {
        let span = self.parts[part].span;
        let room = span.count().saturating_sub(length.into()) + 1;
        for _ in 0..STRETCHES {
            for _ in 0..TRIES {
                let at = (room * u128::from(split_mix(&mut self.random))) >> 64;
                let first = (i128::from(span.first) + at as i128) as i64;
                let last = first.saturating_add_unsigned(length - 1).min(span.last);
                if self.searched.add(Span { first, last }) {
                    self.under_way.insert(first, (last, part));
                    break;
                }
            }
        }
    }

    /// The best part of the queue whose turn it is, removed from this queue.
    fn best(&mut self) -> Option<usize> {
        for _ in 0..ADDITIONS.len() {
            let queue = self.turn % ADDITIONS.len();
            self.turn += 1;
            while let Some(queued) = self.queues[queue].pop() {
                let part = &mut self.parts[queued.part];
                if part.ticket == queued.ticket {
                    // It is in the other queues no more.
                    part.ticket += 1;
                    return Some(queued.part);
                }
            }
        }
        None
    }

    /// Takes the worst inputs of the stretches of [`Refined::next`]. A part whose stretches have no error is not looked into again.
    pub fn learn(&mut self, found: &[Found]) {
        let under_way = std::mem::take(&mut self.under_way);
        let mut visited = Vec::new();
        for &(key, error) in found {
            let stretch = under_way.range(..=key).next_back();
            let Some((_, &(_, part))) = stretch.filter(|(_, stretch)| key <= stretch.0) else {
                continue;
            };
            self.largest = self.largest.max(error);
            let errors = &mut self.parts[part].errors;
            if errors.is_empty() {
                visited.push(part);
            }
            errors.push(error);
        }
        for part in visited {
            self.enter(part);
        }
    }

    /// Puts a part with its new errors into the queues.
    fn enter(&mut self, number: usize) {
        let part = &mut self.parts[number];
        let errors = std::mem::take(&mut part.errors);
        let level = errors.iter().sum::<f64>() / errors.len() as f64;
        let before = f64::from(part.visits);
        part.level = (part.level * before + level) / (before + 1.0);
        if part.visits > 0 {
            part.level *= 1.0 - FATIGUE;
        }
        part.visits += 1;
        let size = (part.span.count() as f64).log2();
        for (queue, addition) in self.queues.iter_mut().zip(ADDITIONS) {
            queue.push(Queued {
                priority: part.level + addition * self.largest * size,
                part: number,
                ticket: part.ticket,
            });
        }
    }

    /// The number of parts that were looked into.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.iter().filter(|p| p.visits > 0).count()
    }

    /// What was searched, with what had been before.
    #[must_use]
    pub fn searched(self) -> Searched {
        self.searched
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Span = Span {
        first: -(1 << 50),
        last: (1 << 50) - 1,
    };
    /// Errors are larger by a half in a stretch of one in 2^15 inputs.
    const PEAK: i64 = 987_654_321_098;
    const WIDTH: i64 = 1 << 36;

    fn error(key: i64) -> f64 {
        let mut noise = key as u64;
        let noise = split_mix(&mut noise) as f64 / 2f64.powi(64);
        let far = ((key - PEAK) as f64 / WIDTH as f64).powi(2);
        0.5 * noise + 0.5 / (1.0 + far)
    }

    fn worst(span: Span) -> Found {
        let keys = (span.first..=span.last).map(|key| (key, error(key)));
        keys.max_by(|a, b| a.1.total_cmp(&b.1)).expect("an input")
    }

    /// Rounds of 16 parts; returns the stretches.
    fn search(refined: &mut Refined, rounds: usize) -> Vec<Span> {
        let mut all = Vec::new();
        for _ in 0..rounds {
            let spans = refined.next(16, 64);
            refined.learn(&spans.iter().map(|s| worst(*s)).collect::<Vec<_>>());
            all.extend(spans);
        }
        all
    }

    #[test]
    fn a_narrow_peak_is_found() {
        let mut refined = Refined::new(&[WHOLE], Searched::default(), 1);
        let spans = search(&mut refined, 100);
        let near = |s: &&Span| (s.first - PEAK).abs() < WIDTH;
        let hits = spans.iter().filter(near).count();
        assert!(hits > spans.len() / 8, "{hits} of {}", spans.len());
        // Without cuts, as many stretches at random places would have about none.
        let expected = spans.len() as f64 * (2 * WIDTH) as f64 / WHOLE.count() as f64;
        assert!(expected < 1.0, "{expected}");
        assert!(refined.parts() > 400);
    }

    #[test]
    fn no_input_is_searched_twice() {
        let small = Span {
            first: -5_000,
            last: 40_000,
        };
        let before = Span {
            first: 100,
            last: 12_345,
        };
        let mut refined = Refined::new(&[small], Searched::of(&[before]), 7);
        let mut all = search(&mut refined, 2_000);
        assert!(all.len() > 100);
        all.push(before);
        all.sort_unstable_by_key(|s| s.first);
        for pair in all.windows(2) {
            assert!(pair[0].last < pair[1].first, "{pair:?}");
        }
        assert!(
            all.iter()
                .all(|s| s.first >= small.first && s.last <= small.last)
        );
        assert_eq!(refined.searched().into_spans(), all);
    }

    #[test]
    fn the_same_seed_gives_the_same_stretches() {
        let stretches = |seed| search(&mut Refined::new(&[WHOLE], Searched::default(), seed), 50);
        assert_eq!(stretches(3), stretches(3));
        assert_ne!(stretches(3), stretches(4));
    }
}
