//! The choice of the windows that continue.

use super::sources::{SOURCES, Source};
use crate::search::points::split_mix;

/// A window is good if it is among the best of this many.
const OF: usize = 3;
/// The windows before it, with which it is compared.
const RECENT: usize = 256;
/// The first windows continue without comparison.
const FEW: usize = 4;
/// One in so many windows is a *scout*: it continues to the end, whatever its errors. The first ones all are.
const SCOUTS: usize = 32;
/// The number of scouts from which the shares of windows that continue are chosen, at least and at most.
const SCOUTED: [usize; 2] = [16, 256];
/// One in so many scouts has one of the largest errors at the end.
const LARGEST: usize = 8;
/// The shares of windows that may continue.
const SHARES: [f64; 5] = [1.0, 0.67, 0.5, 0.33, 0.2];
/// The number of windows that decide how often a source is chosen.
const REMEMBERED: f64 = 32.0;
/// The weight of a source without success, by its number. Of places with the same result, few have larger errors than the best known one, but these have the largest.
const LEAST: [f64; SOURCES] = [0.15, 0.15, 0.15, 0.4, 0.15];

/// The errors that windows reached at each rung, and how often the windows of each source are good.
///
/// Which share of the windows should continue depends on the function. Where the error is a sum of many similar roundings, the first rungs say nothing about the
/// last one, and every window that ends early is lost. Where places differ, they say nearly all. Scouts show this: the shares are those with which most of the
/// scouts with the largest errors at the end would have continued to it, per generation.
pub(super) struct Race<const RUNGS: usize> {
    /// The generations of each rung.
    generations: [u32; RUNGS],
    /// By source: windows at different places must not be compared with those next to the worst one, if each place is to have its chance.
    reached: [[Vec<f64>; RUNGS]; SOURCES],
    opened: usize,
    scouts: Vec<[f64; RUNGS]>,
    shares: [f64; RUNGS],
    rates: [f64; SOURCES],
}

impl<const RUNGS: usize> Race<RUNGS> {
    pub fn new(generations: [u32; RUNGS]) -> Race<RUNGS> {
        Race {
            generations,
            reached: std::array::from_fn(|_| std::array::from_fn(|_| Vec::new())),
            opened: 0,
            scouts: Vec::new(),
            shares: [1.0 / OF as f64; RUNGS],
            rates: [0.5; SOURCES],
        }
    }

    /// Whether the next window is a scout.
    pub fn opens_a_scout(&mut self) -> bool {
        self.opened += 1;
        self.opened <= SCOUTS || self.opened.is_multiple_of(SCOUTS)
    }

    /// Adds the largest error of a window at the end of a rung.
    pub fn add(&mut self, source: Source, rung: usize, error: f64) {
        self.reached[source.number()][rung].push(error);
    }

    /// Adds the errors of a scout.
    pub fn add_scout(&mut self, reached: [f64; RUNGS]) {
        self.scouts.push(reached);
    }

    /// Chooses the shares by the last scouts.
    pub fn choose_shares(&mut self) {
        let recent = &self.scouts[self.scouts.len().saturating_sub(SCOUTED[1])..];
        if recent.len() < SCOUTED[0] {
            return;
        }
        let mut by_last = recent.to_vec();
        by_last.sort_by(|a, b| b[RUNGS - 1].total_cmp(&a[RUNGS - 1]));
        let least = by_last[by_last.len() / LARGEST - 1][RUNGS - 1];
        let choices = SHARES.len().pow(RUNGS as u32 - 1);
        let mut best = (f64::NEG_INFINITY, self.shares);
        for choice in 0..choices {
            let mut digits = choice;
            let shares = std::array::from_fn(|_| {
                let share = SHARES[digits % SHARES.len()];
                digits /= SHARES.len();
                share
            });
            let (on, cost) = self.continuing(&by_last, &shares);
            let found = on.iter().filter(|s| s[RUNGS - 1] >= least).count();
            let gain = found as f64 / cost;
            if gain > best.0 {
                best = (gain, shares);
            }
        }
        self.shares = best.1;
    }

    /// The scouts that would have continued to the end, and the generations that all would have had, per scout.
    fn continuing(&self, all: &[[f64; RUNGS]], shares: &[f64; RUNGS]) -> (Vec<[f64; RUNGS]>, f64) {
        let mut on = all.to_vec();
        let mut cost = f64::from(self.generations[0]);
        for (rung, generations) in (0..).zip(&self.generations[1..]) {
            let most = (shares[rung] * on.len() as f64).ceil() as usize;
            on.sort_by(|a, b| b[rung].total_cmp(&a[rung]));
            on.truncate(most);
            cost += f64::from(*generations) * on.len() as f64 / all.len() as f64;
        }
        (on, cost)
    }

    /// The share of the generations that continuing windows take.
    pub fn share_of_continuing(&self) -> f64 {
        let (mut windows, mut cost) = (1.0, 0.0);
        for (share, generations) in self.shares.iter().zip(&self.generations[1..]) {
            windows *= share;
            cost += windows * f64::from(*generations);
        }
        cost / (cost + f64::from(self.generations[0]))
    }

    /// The error from which on a window continues, by its source and the rung at whose end it is.
    pub fn thresholds(&self) -> [[f64; RUNGS]; SOURCES] {
        let of = |s: usize, rung: usize| quantile([&self.reached[s][rung]], self.shares[rung]);
        std::array::from_fn(|s| std::array::from_fn(|rung| of(s, rung)))
    }

    /// Whether a new window is good, among those of all sources.
    pub fn is_good(&self, error: f64) -> bool {
        let all = self.reached.each_ref().map(|rungs| &rungs[0]);
        error >= quantile(all, 1.0 / OF as f64)
    }

    /// Whether a new window is good, among those of its source.
    pub fn is_good_of(&self, source: Source, error: f64) -> bool {
        error >= quantile([&self.reached[source.number()][0]], 1.0 / OF as f64)
    }

    /// Records whether a window of a source is good.
    pub fn judge(&mut self, source: Source, good: bool) {
        let rate = &mut self.rates[source.number()];
        *rate += (f64::from(u8::from(good)) - *rate) / REMEMBERED;
    }

    /// The source of the next window, among those that have windows to offer.
    pub fn choose_source(&self, has: impl Fn(usize) -> bool, random: &mut u64) -> Option<usize> {
        let weight = |s: usize| {
            if has(s) {
                self.rates[s] + LEAST[s]
            } else {
                0.0
            }
        };
        let all: f64 = (0..SOURCES).map(weight).sum();
        let mut at = all * (split_mix(random) >> 11) as f64 / 2f64.powi(53);
        let last = (0..SOURCES).rev().find(|&s| has(s))?;
        let chosen = (0..SOURCES).find(|&s| {
            at -= weight(s);
            at < 0.0
        });
        Some(chosen.unwrap_or(last))
    }
}

/// The least of the largest errors that this share of the recent windows has.
fn quantile<const LISTS: usize>(lists: [&Vec<f64>; LISTS], share: f64) -> f64 {
    let recent = |all: &Vec<f64>| all[all.len().saturating_sub(RECENT)..].to_vec();
    let mut recent: Vec<f64> = lists.into_iter().flat_map(recent).collect();
    if recent.len() < FEW || share >= 1.0 {
        return f64::NEG_INFINITY;
    }
    let at = ((share * recent.len() as f64).ceil() as usize).clamp(1, recent.len()) - 1;
    *recent.select_nth_unstable_by(at, |a, b| b.total_cmp(a)).1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A race whose scouts have these errors.
    fn scouted(errors: impl Fn(&mut dyn FnMut() -> f64) -> [f64; 4]) -> Race<4> {
        let mut race = Race::new([4, 10, 44, 60]);
        let mut random = 7;
        let mut one = || (split_mix(&mut random) >> 11) as f64 / 2f64.powi(53);
        for _ in 0..256 {
            race.add_scout(errors(&mut one));
        }
        race.choose_shares();
        race
    }

    /// If the first rungs say nothing of the last one, nearly all windows continue; if they say all, the best continue; and in the last rung as well.
    #[test]
    fn windows_continue_as_far_as_their_errors_tell() {
        let nothing = scouted(|one| [one(), one(), one(), one()]);
        let all = scouted(|one| [one(); 4]);
        let last = scouted(|one| {
            let end = one();
            [one(), one(), end, end]
        });
        let shares = |race: &Race<4>| race.shares.iter().take(3).product::<f64>();
        println!("{:?} {:?} {:?}", nothing.shares, all.shares, last.shares);
        assert!(shares(&nothing) > 0.3, "{:?}", nothing.shares);
        assert!(shares(&all) < 0.2, "{:?}", all.shares);
        assert!(last.shares[2] <= 0.33, "{:?}", last.shares);
        assert!(nothing.share_of_continuing() > all.share_of_continuing());
        // No choice has the windows with the largest errors for nothing.
        assert!(all.share_of_continuing() > 0.3);
    }

    #[test]
    fn thresholds_are_quantiles_of_recent_windows() {
        let mut race: Race<4> = Race::new([4, 10, 44, 60]);
        assert_eq!(race.thresholds(), [[f64::NEG_INFINITY; 4]; SOURCES]);
        for i in 0..1000 {
            race.add(Source::Near(0), 0, f64::from(i));
            race.add(Source::Alike, 0, f64::from(i) / 2.0);
        }
        // Of the last 256 of a source, the best 86; of all of them, the best 171.
        let [near, alike] = [Source::Near(0), Source::Alike].map(|s| race.thresholds()[s.number()]);
        assert_eq!((near[0], alike[0]), (914.0, 457.0));
        assert_eq!(near[1], f64::NEG_INFINITY);
        assert!(race.is_good(829.0) && !race.is_good(828.0));
        assert!(
            race.is_good_of(Source::Near(5), 914.0) && !race.is_good_of(Source::Near(5), 913.0)
        );
    }

    #[test]
    fn the_first_windows_are_scouts() {
        let mut race: Race<4> = Race::new([4, 10, 44, 60]);
        let scouts: Vec<usize> = (1..=320).filter(|_| race.opens_a_scout()).collect();
        assert_eq!(scouts[..32], (1..=32).collect::<Vec<_>>());
        assert_eq!(scouts[32..], [64, 96, 128, 160, 192, 224, 256, 288, 320]);
    }
}
