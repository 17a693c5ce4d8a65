//! The places where the windows of a timed search open.

use crate::search::points::split_mix;
use crate::search::sample::{Found, Level};

/// The number of sources.
pub(super) const SOURCES: usize = 5;

/// The origin of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// A place that was found in another way.
    Found,
    /// A stretch with a high level, by its number.
    Level(usize),
    /// The neighbourhood of another window, by the class of its distance.
    Near(usize),
    /// A place with the same result as another window.
    Alike,
    /// A place with the same result times a power of two.
    Scaled,
}

impl Source {
    /// Its place in a list of all.
    pub const fn number(self) -> usize {
        match self {
            Source::Found => 0,
            Source::Level(_) => 1,
            Source::Near(_) => 2,
            Source::Alike => 3,
            Source::Scaled => 4,
        }
    }
}

/// A stretch with a high level, and the results of its windows.
struct Arm {
    level: Level,
    windows: f64,
    /// Windows that were opened, including those not evaluated yet.
    opened: f64,
    mean: f64,
    /// The worst inputs found in the stretch, the worst last, where windows open first. Nothing is known of the places within a binade: large errors may be
    /// next to few of them.
    places: Vec<i64>,
}

/// The number of worst inputs of a stretch that get a window.
const PLACES: usize = 8;

/// The stretches with high levels: a bandit with one arm per stretch.
#[derive(Default)]
pub(super) struct Arms {
    all: Vec<Arm>,
    /// The sum of squared distances of windows' errors from the means of their stretches, and the number of these windows.
    squares: (f64, f64),
}

impl Arms {
    pub fn of(levels: &[Level], found: &[Found]) -> Arms {
        let mut found = found.to_vec();
        found.sort_by_key(|f| f.0);
        let worst = |level: &Level| {
            let until = |key: i64| found.partition_point(|f| f.0 < key);
            let (first, last) = (until(level.span.first), until(level.span.last));
            let mut inside = found[first..last].to_vec();
            inside.sort_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
            let first = inside.len().saturating_sub(PLACES);
            inside[first..].iter().map(|f| f.0).collect()
        };
        let arm = |&level: &Level| Arm {
            level,
            windows: 0.0,
            opened: 0.0,
            mean: 0.0,
            // The places in stretches with a sign are alike.
            places: if level.sign == 0.0 {
                worst(&level)
            } else {
                Vec::new()
            },
        };
        Arms {
            all: levels.iter().map(arm).collect(),
            squares: (0.0, 0.0),
        }
    }

    pub const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// A place in the stretch with the highest upper bound of the mean of its windows.
    pub fn next(&mut self, random: &mut u64) -> Option<(i64, f64, Source)> {
        let deviation = match self.squares {
            (sum, n) if n > 0.0 => (sum / n).sqrt(),
            _ => 0.1,
        };
        // Each has a window before the first has two.
        let bound = |arm: &Arm| match arm.opened {
            0.0 => f64::INFINITY,
            _ if arm.windows == 0.0 => f64::NEG_INFINITY,
            opened => arm.mean + deviation * (2.0 / opened).sqrt(),
        };
        // The first of equal ones, which has the highest level.
        let numbered = self.all.iter().enumerate().rev();
        let (best, _) = numbered.max_by(|a, b| bound(a.1).total_cmp(&bound(b.1)))?;
        let arm = &mut self.all[best];
        arm.opened += 1.0;
        let at = u128::from(split_mix(random)) % arm.level.span.count();
        let anywhere = (i128::from(arm.level.span.first) + at as i128) as i64;
        let key = arm.places.pop().unwrap_or(anywhere);
        Some((key, arm.level.sign, Source::Level(best)))
    }

    /// Adds the largest error of a new window in a stretch.
    pub fn add(&mut self, arm: usize, error: f64) {
        let arm = &mut self.all[arm];
        let (n, from) = (arm.windows, error - arm.mean);
        arm.windows += 1.0;
        arm.mean += from / arm.windows;
        if n > 0.0 {
            self.squares.0 += from * from * n / (n + 1.0);
            self.squares.1 += 1.0;
        }
    }
}

/// The binary logarithms of distances from another window, and one class for multiples of powers of two.
const CLASSES: usize = 27;
const MULTIPLES: usize = CLASSES - 1;
/// The binary logarithm of the shortest distance, which is a window's length.
const SHORTEST: usize = 26;
/// The number of windows that decide how often a distance is chosen.
const REMEMBERED: f64 = 16.0;
/// The weight of a distance without success.
const LEAST: f64 = 0.02;

/// The distances of windows from other ones: 2^26 to 2^52 inputs. Where errors are large depends on the function: in all of a binade, or next to one place. So
/// a distance is chosen in proportion to how often windows at this distance were good among all of these.
pub(super) struct Distances {
    rates: [f64; CLASSES],
}

impl Default for Distances {
    fn default() -> Distances {
        Distances {
            rates: [0.5; CLASSES],
        }
    }
}

impl Distances {
    /// A distance, more often a short one, with its sign. The last class has small multiples of a power of two: the next entries of a table have the same upper
    /// bits except for these.
    pub fn next(&self, random: &mut u64) -> (i64, Source) {
        let weight = |class: usize| {
            let chance = match CLASSES - 1 - class {
                0 => (CLASSES * CLASSES) as f64 / 16.0,
                shorter => shorter as f64,
            };
            chance * (self.rates[class] + LEAST)
        };
        let all: f64 = (0..CLASSES).map(weight).sum();
        let mut at = all * (split_mix(random) >> 11) as f64 / 2f64.powi(53);
        let chosen = (0..CLASSES).find(|&class| {
            at -= weight(class);
            at < 0.0
        });
        let class = chosen.unwrap_or(0);
        let bits = split_mix(random);
        let distance = match class {
            MULTIPLES => (1 + bits % 3) << (36 + (bits >> 2) % 17),
            _ => 1 << (SHORTEST + class) | bits >> (64 - SHORTEST - class),
        } as i64;
        let sign = if split_mix(random) & 1 == 0 { 1 } else { -1 };
        (sign * distance, Source::Near(class))
    }

    /// Records whether a window at such a distance is good.
    pub fn judge(&mut self, class: usize, good: bool) {
        let rate = &mut self.rates[class];
        *rate += (f64::from(u8::from(good)) - *rate) / REMEMBERED;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::range::Span;

    /// Only distances of 2^30 to 2^31 inputs are good.
    #[test]
    fn good_distances_are_chosen() {
        let (mut distances, mut random) = (Distances::default(), 1);
        let mut near = [0; 2];
        for n in 0..2000 {
            let (distance, source) = distances.next(&mut random);
            let Source::Near(class) = source else {
                panic!("{source:?}");
            };
            let good = (1 << 30..1 << 31).contains(&distance.abs());
            let log2 = distance.unsigned_abs().ilog2() as usize;
            assert!(class == MULTIPLES || log2 == SHORTEST + class, "{distance}");
            distances.judge(class, good);
            near[n / 1000] += usize::from(good);
        }
        println!("{near:?}");
        assert!(near[1] > 500 && near[0] < near[1]);
    }

    fn arms(sign: f64) -> Arms {
        let level = |first| Level {
            span: Span {
                first,
                last: first + 99,
            },
            sign,
            level: 0.6,
        };
        let found = [(150, 0.7), (120, 0.9), (130, 0.8), (250, 3.0)];
        Arms::of(&[level(0), level(100)], &found)
    }

    /// Windows open at the worst inputs of each stretch first, and then anywhere in it.
    #[test]
    fn the_worst_inputs_of_a_stretch_come_first() {
        let (mut arms, mut random) = (arms(0.0), 1);
        let mut of = [Vec::new(), Vec::new()];
        for _ in 0..12 {
            let (key, sign, source) = arms.next(&mut random).expect("a place");
            let Source::Level(arm) = source else {
                panic!("{source:?}");
            };
            assert_eq!(sign, 0.0);
            of[arm].push(key);
            arms.add(arm, [0.5, 0.6][arm]);
        }
        assert!(of[0].iter().all(|k| (0..100).contains(k)), "{of:?}");
        assert_eq!(of[1][..3], [120, 130, 150]);
        assert!(
            of[1].len() > 3 && of[1][3..].iter().all(|k| (100..200).contains(k)),
            "{of:?}"
        );
    }

    /// Of a stretch with a sign, the places are alike.
    #[test]
    fn a_stretch_that_stands_out_has_no_places() {
        assert!(arms(1.0).all.iter().all(|arm| arm.places.is_empty()));
    }
}
