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
/// The number of steps that are combined with as many inputs, so that one random number suffices for this many combinations.
const STEPS: usize = 8;
/// The number of combinations that are tried before their number is counted.
const PART: usize = STEPS * STEPS;
/// The number of errors that are compared with the least one that is kept before any of them is added.
const COMPARED: usize = 16;
/// The most spans that are compared with all inputs.
const FEW_SPANS: usize = 16;
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
    /// For each of these, the bit of [`bit`].
    bits: u128,
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
            bits: known.map_or(0, |f| bit(f.0)),
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

    /// Appends the inputs of the next generation, perhaps some more than wanted, which were not searched before the window was opened. None comes twice, unless
    /// repeats are allowed.
    pub fn propose(&mut self, keys: &mut Vec<i64>) {
        let wanted = match self.generations {
            0 => FIRST,
            _ => LATER,
        };
        self.generations += 1;
        let most = keys.len() + wanted;
        keys.reserve(wanted + PART);
        for i in (0..TRIES * wanted).step_by(PART) {
            if keys.len() >= most {
                break;
            }
            // Where few combinations are left, other inputs begin anew.
            let combines = self.generations > 1 && i < TRIES / 2 * wanted;
            let mut part = [0; PART];
            match combines {
                true => self.combine(&mut part),
                false => part.fill_with(|| self.anywhere()),
            }
            let mut free = are_in(&self.free, &part);
            if let Some(seen) = &mut self.seen {
                seen.insert(&part, &mut free);
            }
            // Moves those that are free to the front, without a branch that depends on a key.
            let mut count = 0;
            for (i, free) in free.into_iter().enumerate() {
                part[count] = part[i];
                count += usize::from(free);
            }
            keys.extend_from_slice(&part[..count]);
        }
    }

    /// Adds the errors of inputs, with their signs.
    pub fn add(&mut self, keys: &[i64], errors: &[f64]) {
        let mut least = self.least();
        let before = self.kept.len();
        for (keys, errors) in keys.chunks(COMPARED).zip(errors.chunks(COMPARED)) {
            let large = |any: bool, e: &f64| any | (self.sign * e >= least);
            if !errors.iter().fold(false, large) {
                continue;
            }
            for (&key, error) in keys.iter().zip(errors) {
                let error = self.sign * error;
                // Others that come again have the same error.
                let again = || {
                    self.seen.is_none() && self.bits & bit(key) != 0 && self.known.contains(&key)
                };
                if error < least || !error.is_finite() || again() {
                    continue;
                }
                self.reached = self.reached.max(error);
                self.kept.push((key, error));
                if self.kept.len() >= 4 * KEPT {
                    self.trim();
                    least = self.least();
                }
            }
        }
        if self.kept.len() > before {
            self.trim();
        }
    }

    /// Those of the worst kept inputs whose errors are estimates. They are known from now on.
    pub fn unknown(&mut self, most: usize) -> Vec<i64> {
        let worst = self.kept.iter().take(most).map(|f| f.0);
        let keys: Vec<i64> = worst.filter(|k| !self.known.contains(k)).collect();
        self.known.extend(&keys);
        self.bits = keys.iter().fold(self.bits, |bits, &key| bits | bit(key));
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
        // This sort takes less time if the first part is sorted already.
        self.kept
            .sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        self.kept.dedup();
        self.kept.truncate(KEPT);
    }

    fn anywhere(&mut self) -> i64 {
        let at = (u128::from(split_mix(&mut self.random)) * self.whole.count()) >> 64;
        self.whole.first + at as i64
    }

    /// Steps between two of the kept inputs, each from several others. Those are more often among the worst of them; steps between the worst
    /// alone would be few.
    fn combine(&mut self, keys: &mut [i64; PART]) {
        let mut kept = [0; KEPT];
        kept.iter_mut().zip(&self.kept).for_each(|(k, f)| *k = f.0);
        let count = self.kept.len().max(1);
        let (mut from, mut steps) = ([0; STEPS], [0i64; STEPS]);
        for (from, step) in from.iter_mut().zip(&mut steps) {
            let random = split_mix(&mut self.random);
            // A place below `count`, by 16 random bits.
            let below = |i: u32, count: usize| {
                (((random >> i & 0xffff) * count as u64) >> 16) as usize % KEPT
            };
            // The smaller of two places: their density falls linearly.
            *from = kept[below(0, count).min(below(16, count))];
            let b = below(32, count);
            // Another place, if there is one: without a step, an input comes again.
            let c = b + 1 + below(48, count - 1);
            *step = kept[b].wrapping_sub(kept[if c < count { c } else { c - count }]);
        }
        for (keys, step) in keys.chunks_exact_mut(STEPS).zip(steps) {
            // A sum beyond all numbers is not in the window.
            for (key, from) in keys.iter_mut().zip(&from) {
                *key = step.wrapping_add(*from);
            }
        }
    }
}

/// One bit of a set of keys: most keys that are not in the set are not looked up.
const fn bit(key: i64) -> u128 {
    1 << (key.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57)
}

/// Which inputs are in one of these spans. Comparing all inputs with each of a few spans takes less time than a search for each input.
fn are_in(spans: &[Span], keys: &[i64; PART]) -> [bool; PART] {
    if spans.len() > FEW_SPANS {
        return keys.map(|key| {
            let next = spans.partition_point(|s| s.last < key);
            spans.get(next).is_some_and(|s| s.first <= key)
        });
    }
    let mut are = [false; PART];
    for span in spans {
        let width = (span.last - span.first).cast_unsigned();
        for (is, key) in are.iter_mut().zip(keys) {
            *is |= key.wrapping_sub(span.first).cast_unsigned() <= width;
        }
    }
    are
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

    fn proposed(window: &mut Window) -> Vec<i64> {
        let mut keys = vec![-1; 3];
        window.propose(&mut keys);
        keys.split_off(3)
    }

    fn generation(window: &mut Window, error: impl Fn(i64) -> f64) -> usize {
        let keys = proposed(window);
        let errors: Vec<f64> = keys.iter().map(|&key| error(key)).collect();
        window.add(&keys, &errors);
        keys.len()
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
            count += generation(&mut window, error);
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
        window.add(&[5, 6, 7], &[-2.0, 8.0, f64::NEG_INFINITY]);
        assert_eq!((window.reached(), window.worst()), (2.0, Some((0, 9.0))));
    }

    /// An estimate is replaced by an error, which may be smaller. Each is evaluated once.
    #[test]
    fn the_worst_inputs_become_known() {
        let whole = Window::around(0);
        let free = Range::covering(Precision::F64, vec![whole]);
        let mut window = Window::new(whole, &free, 1.0, Some((0, 1.0)), 3);
        window.allow_repeats();
        window.add(&[5, 6, 7, 5], &[2.0, 1.9, 1.8, 2.0]);
        assert_eq!(window.unknown(3), [5, 6, 7]);
        window.correct([(5, 1.7), (6, f64::NAN), (7, 1.801)]);
        window.add(&[5, 8], &[2.0, 0.5]);
        assert_eq!(window.kept, [(7, 1.801), (5, 1.7), (0, 1.0), (8, 0.5)]);
        assert_eq!(window.unknown(8), [8]);
        assert!(window.unknown(8).is_empty());
    }

    #[test]
    fn few_and_many_spans_have_the_same_inputs() {
        let mut random = 9;
        for count in [0, 1, 2, FEW_SPANS, FEW_SPANS + 1, 100] {
            let span = |i: usize| Span {
                first: 10 * i as i64,
                last: (10 * i + i % 8) as i64,
            };
            let spans: Vec<Span> = (0..count).map(span).collect();
            for _ in 0..100 {
                let place = |_| (split_mix(&mut random) % 1100) as i64 - 50;
                let keys: [i64; PART] = std::array::from_fn(place);
                let are = keys.map(|k| spans.iter().any(|s| (s.first..=s.last).contains(&k)));
                assert_eq!(are_in(&spans, &keys), are, "{count} spans");
            }
        }
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
            for key in proposed(&mut window) {
                assert!((900..1000).contains(&key) || (1100..1200).contains(&key));
                assert!(all.insert(key), "{key}");
                window.add(&[key], &[error(key)]);
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
                    count += generation(&mut window, |key| humped(key, peak));
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
