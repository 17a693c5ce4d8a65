//! Searches for the largest error in a window by combining inputs that have large ones.
//!
//! The error of an input is a sum of rounding errors. Each of these is a saw-tooth: from one input to the next it moves by nearly the same amount,
//! as long as the slope of the rounded value hardly changes. Suppose that the inputs `b` and `c` have a large error for the same reason. Then all
//! saw-teeth have nearly the same value at both, and a step of `b - c` hardly changes any of them, wherever it starts. From a third input `a` it
//! leads to `a + b - c`, whose error is probably large too, and may be larger. A [`Window`] keeps the worst inputs found in it, all with errors of
//! one sign, and evaluates such combinations of them. In windows of 2^26 inputs, sixty thousand evaluations find nearly the largest error
//! (`tests`, and `docs/book/src/contribute/log/combining.md`).
//!
//! That is an estimate of the *envelope*: the largest sum of a smooth error and roundings in this window.

use super::Found;
use crate::search::points::split_mix;
use crate::search::range::{Range, Span};

/// A window has 2^26 inputs: in a larger one the slopes change too much.
const LOG2: u32 = 26;
/// The number of inputs of the first generation, which are at random places.
const FIRST: usize = 1 << 11;
/// The number of inputs of each later generation.
const LATER: usize = 1 << 10;
/// The number of worst inputs that are combined.
const KEPT: usize = 64;
/// The number of combinations that are tried before their number is counted.
const PART: usize = 64;
/// At most this many times the wanted number of combinations may have been searched before or lie outside the window.
const TRIES: usize = 4;

/// The number of bits of the first table of keys, as a power of two, and of each later one relative to the one before.
const BITS: u32 = 16;
const MORE: u32 = 2;
/// The number of bits for each key of a full table.
const SPARSE: usize = 12;

/// The keys that were evaluated, and by chance some others (a Bloom filter): each key is two bits of one word, whose place depends on all bits of the key. So
/// no input is evaluated twice, and a few in a hundred are not evaluated at all. A set of keys takes twelve times the memory, and
/// a third of the time of a search.
#[derive(Debug, Clone, Default)]
struct Seen {
    tables: Vec<Vec<u64>>,
    /// The number of keys in the last table.
    count: usize,
}

impl Seen {
    /// Adds those of some keys that are wanted, and keeps only these wanted that certainly were not there. There is no branch that depends on a key: the
    /// processor looks up many keys at once, most of which are not in its caches.
    fn insert(&mut self, keys: &[i64], wanted: &mut [bool]) {
        let fits = |t: &Vec<u64>| (self.count + keys.len()) * SPARSE <= 64 * t.len();
        if !self.tables.last().is_some_and(fits) {
            let words = 1 << (BITS - 6 + MORE * self.tables.len() as u32);
            self.tables.push(vec![0; words]);
            self.count = 0;
        }
        let Some((last, before)) = self.tables.split_last_mut() else {
            return;
        };
        for (key, wanted) in keys.iter().zip(wanted) {
            let hash = key.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let bits = 1 << (hash >> 58) | 1 << (hash >> 52 & 63);
            let place =
                |table: &[u64]| (hash << 12 >> (64 - table.len().trailing_zeros())) as usize;
            let at = place(last);
            *wanted &= last[at] & bits != bits;
            for table in &*before {
                *wanted &= table[place(table)] & bits != bits;
            }
            last[at] |= if *wanted { bits } else { 0 };
            self.count += usize::from(*wanted);
        }
    }
}

/// A stretch of inputs and the worst of those evaluated there.
#[derive(Debug, Clone)]
pub struct Window {
    whole: Span,
    /// The inputs that were not searched before it was opened.
    free: Vec<Span>,
    /// The sign of the wanted errors.
    sign: f64,
    kept: Vec<Found>,
    /// The kept inputs whose errors are not estimates, and some more.
    known: Vec<i64>,
    /// The largest error of those evaluated in it. The input that is known at first was chosen for its error.
    reached: f64,
    /// Where an input counts each time that it is evaluated, none is evaluated twice.
    seen: Option<Seen>,
    random: u64,
    generations: u32,
}

impl Window {
    /// The stretch around a key.
    #[must_use]
    pub fn around(key: i64) -> Span {
        Span {
            first: key.saturating_sub(1 << (LOG2 - 1)),
            last: key.saturating_add((1 << (LOG2 - 1)) - 1),
        }
    }

    /// A window for errors of one sign. `free` is the part of it that was not searched, and `known` an input in it whose error is known.
    #[must_use]
    pub fn new(whole: Span, free: &Range, sign: f64, known: Option<Found>, seed: u64) -> Window {
        Window {
            whole,
            free: free.spans().to_vec(),
            sign,
            kept: known.map(|f| (f.0, sign * f.1)).into_iter().collect(),
            known: known.map(|f| f.0).into_iter().collect(),
            reached: 0.0,
            seen: Some(Seen::default()),
            random: seed,
            generations: 0,
        }
    }

    /// From now on, inputs may be proposed again: an estimate takes less time than a look-up among all keys.
    pub fn allow_repeats(&mut self) {
        self.seen = None;
    }

    /// The whole stretch.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.whole
    }

    /// The worst input, and its error with the sign of the window. `None` before the first generation.
    #[must_use]
    pub fn worst(&self) -> Option<Found> {
        self.kept.first().copied()
    }

    /// The largest error of the inputs evaluated in it.
    #[must_use]
    pub const fn reached(&self) -> f64 {
        self.reached
    }

    /// Ends its generations. Its worst input remains known.
    pub fn close(&mut self) {
        self.seen = None;
        self.kept.truncate(1);
        self.kept.shrink_to_fit();
    }

    /// The sign of its errors.
    #[must_use]
    pub const fn sign(&self) -> f64 {
        self.sign
    }

    /// The number of generations so far.
    #[must_use]
    pub const fn generations(&self) -> u32 {
        self.generations
    }

    /// The inputs of the next generation, perhaps some more than wanted, which were not searched before the window was opened. None comes twice, unless
    /// repeats are allowed.
    #[must_use]
    pub fn propose(&mut self) -> Vec<i64> {
        let wanted = match self.generations {
            0 => FIRST,
            _ => LATER,
        };
        self.generations += 1;
        let mut keys = vec![0; wanted + PART];
        let mut count = 0;
        for i in (0..TRIES * wanted).step_by(PART) {
            if count >= wanted {
                break;
            }
            // Where few combinations are left, other inputs begin anew.
            let combines = self.generations > 1 && i < TRIES / 2 * wanted;
            let mut part = [0; PART];
            match combines {
                true => self.combine(&mut part),
                false => part.fill_with(|| self.anywhere()),
            }
            let mut free = part.map(|key| self.is_free(key));
            if let Some(seen) = &mut self.seen {
                seen.insert(&part, &mut free);
            }
            for (key, free) in part.into_iter().zip(free) {
                keys[count] = key;
                count += usize::from(free);
            }
        }
        keys.truncate(count);
        keys
    }

    /// Adds the errors of a generation, with their signs.
    pub fn add(&mut self, found: impl IntoIterator<Item = Found>) {
        let mut least = self.least();
        for (key, error) in found {
            let error = self.sign * error;
            if error < least || !error.is_finite() {
                continue;
            }
            // Others that come again have the same error.
            if self.seen.is_none() && self.known.contains(&key) {
                continue;
            }
            self.reached = self.reached.max(error);
            self.kept.push((key, error));
            if self.kept.len() >= 4 * KEPT {
                self.trim();
                least = self.least();
            }
        }
        self.trim();
    }

    /// The errors of these inputs, if they are kept, are not estimates.
    pub fn know(&mut self, keys: &[i64]) {
        self.known.extend(keys);
    }

    /// Those of the worst kept inputs whose errors are estimates. They are known from now on.
    pub fn unknown(&mut self, most: usize) -> Vec<i64> {
        let worst = self.kept.iter().take(most).map(|f| f.0);
        let keys: Vec<i64> = worst.filter(|k| !self.known.contains(k)).collect();
        self.known.extend(&keys);
        keys
    }

    /// Replaces estimates by errors.
    pub fn correct(&mut self, found: impl IntoIterator<Item = Found>) {
        for (key, error) in found {
            if let Some(kept) = self.kept.iter_mut().find(|f| f.0 == key) {
                kept.1 = self.sign * error;
            }
        }
        self.kept.retain(|f| f.1.is_finite());
        self.trim();
    }

    /// An input with a smaller error is not kept.
    fn least(&self) -> f64 {
        match self.kept.get(KEPT - 1) {
            Some(last) => last.1,
            None => f64::NEG_INFINITY,
        }
    }

    /// Keeps the worst inputs, in the order of their errors. As in a climb, the result does not depend on the order in which they were found.
    fn trim(&mut self) {
        let order = |a: &Found, b: &Found| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        // No input comes twice but the first, which may have been evaluated before.
        self.kept.sort_unstable_by(order);
        self.kept.dedup();
        self.kept.truncate(KEPT);
    }

    fn anywhere(&mut self) -> i64 {
        let at = u128::from(split_mix(&mut self.random)) % self.whole.count();
        self.whole.first + at as i64
    }

    /// Steps between two of the kept inputs, each from a third. That one is more often among the worst of them; steps between the worst alone would be few.
    fn combine(&mut self, keys: &mut [i64]) {
        let mut kept = [0; KEPT];
        kept.iter_mut().zip(&self.kept).for_each(|(k, f)| *k = f.0);
        let count = self.kept.len() as u64;
        for key in keys {
            let random = split_mix(&mut self.random);
            // Places below `count`, by 16 random bits each.
            let [a, b, c, d] =
                [0, 16, 32, 48].map(|i| (((random >> i & 0xffff) * count) >> 16) as usize % KEPT);
            // The smaller of two places: their density falls linearly. A sum beyond all numbers is not in the window.
            *key = kept[a.min(d)].wrapping_add(kept[b].wrapping_sub(kept[c]));
        }
    }

    /// Whether an input is in the window and was not searched before.
    fn is_free(&self, key: i64) -> bool {
        if let [all] = self.free[..] {
            return (all.first <= key) & (key <= all.last);
        }
        let next = self.free.partition_point(|s| s.last < key);
        self.free.get(next).is_some_and(|s| s.first <= key)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::convert::Infallible;

    use super::super::climb;
    use super::*;
    use crate::model::key::Precision;

    /// A sum of saw-teeth whose slopes change slowly, like the roundings in a Horner scheme; about 4 at most.
    fn error(key: i64) -> f64 {
        let saw = |slope: f64, curve: f64| {
            let x = key as f64;
            let x = x * slope + x * x * curve;
            2.0 * (x - x.floor()) - 1.0
        };
        saw(0.618_033_988_7, 1e-17)
            + saw(0.414_213_562_3, 2e-17)
            + saw(0.302_775_637_7, -1e-17)
            + saw(0.732_050_807_6, 3e-17)
    }

    fn searched(combine: bool, repeats: bool) -> (f64, usize) {
        let start = 1 << 25;
        let whole = Window::around(start);
        let free = Range::covering(Precision::F64, vec![whole]);
        let mut window = Window::new(whole, &free, 1.0, Some((start, 0.1)), 7);
        if repeats {
            window.allow_repeats();
        }
        let mut count = 0;
        for _ in 0..48 {
            if !combine {
                window.generations = 0;
            }
            let keys = window.propose();
            count += keys.len();
            window.add(keys.iter().map(|&key| (key, error(key))));
        }
        let kept: HashSet<i64> = window.kept.iter().map(|f| f.0).collect();
        assert_eq!(kept.len(), window.kept.len());
        (window.worst().map_or(0.0, |f| f.1), count)
    }

    /// It finds nearly the largest error of all 2^26 inputs with few of them. Random inputs do not come near.
    #[test]
    fn combinations_find_the_largest_sum() {
        let whole = Window::around(1 << 25);
        let largest = (whole.first..=whole.last).map(error);
        let largest = largest.fold(f64::MIN, f64::max);
        let ((combined, few), (random, many)) = (searched(true, false), searched(false, false));
        let (repeated, all) = searched(true, true);
        println!("{combined} of {few}, {repeated} of {all}, {random} of {many}, {largest}");
        assert!(
            few < many && many < 200_000 && all < 55_000,
            "{few}, {many}, {all}"
        );
        assert!(4.0 - combined < 1.1 * (4.0 - largest), "{combined}");
        assert!(4.0 - repeated < 1.1 * (4.0 - largest), "{repeated}");
        assert!(4.0 - random > 1.5 * (4.0 - largest), "{random}");
    }

    #[test]
    fn few_keys_are_taken_for_others() {
        let mut seen = Seen::default();
        let (mut all, mut random) = (HashSet::new(), 5);
        let mut missed = 0;
        while all.len() < 1 << 18 {
            let key = (split_mix(&mut random) >> 38) as i64 - 1000;
            let mut insert = |wanted| {
                let mut is = [wanted];
                seen.insert(&[key], &mut is);
                is[0]
            };
            // Keys that are not wanted are not added.
            assert!(!insert(false));
            let (fresh, new) = (insert(true), all.insert(key));
            assert!(new || !fresh, "{key} twice");
            missed += usize::from(new && !fresh);
            assert!(!insert(true));
        }
        println!("{missed} of {}, {} tables", all.len(), seen.tables.len());
        assert!(missed * 10 < all.len(), "{missed}");
    }

    /// The error of the input that is known at first says nothing about the window, since it was chosen for it.
    #[test]
    fn a_window_is_judged_by_its_own_inputs() {
        let whole = Window::around(0);
        let free = Range::covering(Precision::F64, vec![whole]);
        let mut window = Window::new(whole, &free, -1.0, Some((0, -9.0)), 3);
        window.add([(5, -2.0), (6, 8.0), (7, f64::NEG_INFINITY)]);
        assert_eq!((window.reached(), window.worst()), (2.0, Some((0, 9.0))));
    }

    /// An estimate is replaced by an error, which may be smaller. Each is evaluated once.
    #[test]
    fn the_worst_inputs_become_known() {
        let whole = Window::around(0);
        let free = Range::covering(Precision::F64, vec![whole]);
        let mut window = Window::new(whole, &free, 1.0, Some((0, 1.0)), 3);
        window.allow_repeats();
        window.add([(5, 2.0), (6, 1.9), (7, 1.8), (5, 2.0)]);
        assert_eq!(window.unknown(3), [5, 6, 7]);
        window.correct([(5, 1.7), (6, f64::NAN), (7, 1.801)]);
        window.add([(5, 2.0), (8, 0.5)]);
        assert_eq!(window.kept, [(7, 1.801), (5, 1.7), (0, 1.0), (8, 0.5)]);
        assert_eq!(window.unknown(8), [8]);
        assert!(window.unknown(8).is_empty());
    }

    #[test]
    fn no_input_is_searched_twice() {
        let whole = Window::around(1000);
        let part = |first, last| Span { first, last };
        let spans = vec![part(900, 999), part(1100, 1199)];
        let free = Range::covering(Precision::F64, spans);
        let mut window = Window::new(whole, &free, -1.0, Some((1000, -1.0)), 3);
        let mut all = HashSet::new();
        for _ in 0..50 {
            for key in window.propose() {
                assert!((900..1000).contains(&key) || (1100..1200).contains(&key));
                assert!(all.insert(key), "{key}");
                window.add([(key, error(key))]);
            }
        }
        assert_eq!(
            window.worst().map_or(0.0, |f| f.1),
            window.kept.iter().map(|f| f.1).fold(0.0, f64::max)
        );
    }

    /// A smooth error plus four roundings of the same weight. The smooth error is largest in one of 2^19 inputs of a binade, and falls
    /// slowly with the logarithm of the distance.
    fn humped(key: i64, peak: i64) -> f64 {
        let distance = (key - peak).unsigned_abs() as f64 / 2f64.powi(32);
        3.0 / (1.0 + distance.ln_1p() / 2.0) + error(key & 0xfff_ffff)
    }

    /// With windows, a climb sees the smooth error. The same number of random inputs does not come near.
    #[test]
    fn a_narrow_hump_is_found() {
        let whole = Span {
            first: 0,
            last: (1 << 52) - 1,
        };
        let range = Range::covering(Precision::F64, vec![whole]);
        let (peak, mut random) = (0x6_1234_5678_9abc, 5);
        let mut anywhere = |n: u64| {
            let one = |_| (split_mix(&mut random) >> 12) as i64;
            let keys = (0..n).map(one);
            keys.map(|k| (k, humped(k, peak))).collect::<Vec<Found>>()
        };
        let mut found = anywhere(1 << 16);
        let mut count = found.len();
        let mut windows: Vec<i64> = Vec::new();
        for seed in 0..24 {
            let Ok(done) = climb(&range, 1 << 13, seed, &mut found, |part, found| {
                let all = part.spans().iter().flat_map(|s| s.first..=s.last);
                found.extend(all.map(|k| (k, humped(k, peak))));
                Ok::<(), Infallible>(())
            });
            count += done.count() as usize;
            found.sort_by(|a, b| b.1.total_cmp(&a.1));
            let known = windows.len();
            let mut places: Vec<Found> = Vec::new();
            for f in &found {
                let apart = windows.iter().all(|w| (w - f.0).abs() > 1 << LOG2);
                if apart && windows.len() < known + 4 {
                    windows.push(f.0);
                    places.push(*f);
                }
            }
            for place in places {
                let whole = Window::around(place.0);
                let free = range.intersection(&Range::covering(Precision::F64, vec![whole]));
                let mut window = Window::new(whole, &free, 1.0, Some(place), seed);
                for _ in 0..24 {
                    let keys = window.propose();
                    count += keys.len();
                    window.add(keys.iter().map(|&k| (k, humped(k, peak))));
                }
                found.extend(window.worst());
            }
        }
        let largest = |found: &[Found]| found.iter().map(|f| f.1).fold(0.0, f64::max);
        let (here, there) = (largest(&found), largest(&anywhere(count as u64)));
        println!("{here} of {count} inputs, at random {there}");
        assert!(count < 1 << 22, "{count}");
        assert!(here > 6.8 && there < 5.5, "{here}, at random {there}");
    }
}
