//! The selection of inputs from a range that is too large to be searched completely: one stratified sample, used wherever a sample is
//! needed.
//!
//! Most numbers in a range of doubles are rarely used as arguments: 97 of 100 inputs of `exp`'s range are below 2^-20, and their result is 1. Inputs that are
//! evenly distributed over the range test almost nothing. So the range is cut in three ways ([`Cuts`]): where the *input's* binade changes, where the
//! *result's* binade changes, and where the routine uses another *piece* (another integer from a `floor` or a conversion, another entry of a table, another
//! result of a comparison). Each way of cutting gets the same share of the inputs, and each stratum of one way the same number. A stratum's inputs are
//! stretches of neighbouring keys at random places, one in each of several equal parts. Both sides of each cut are taken as well. [`Sample::of_stretches`]
//! takes only these. In [`Sample::of`] they are one half. The other half are single inputs at random places ([`Scatter`]), the same number from each stratum.
//! They are needed because the inputs of a stretch have the same upper bits, so a difference that occurs once in some thousand inputs may be in none of the
//! stretches. The range's ends, the special values (see [`Range::edges`]) and the worst known inputs are added, each with its neighbours.
//!
//! Pairs of arguments, each with a number, are already stratified (`model/pairs.rs`). The first ones are taken.
//!
//! Random numbers come from a seed, which is derived from the sweep's name unless another is given. So the same request gives the same
//! sample.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the sample |
//! | `cuts` | the cuts of a range |
//! | `shared` | the cuts of a range, found once per process |
//! | `bisect` | the inputs at which a function's value changes |
//! | `steps` | the operations of a routine whose values are steps |
//! | `climb` | more inputs near the largest errors found |
//! | `combine` | combinations of inputs with large errors |
//! | `levels` | where the smooth part of an error is largest, from short samples |
//! | `trial` | a part of a search by which its speed is measured |

mod bisect;
mod climb;
mod combine;
mod cuts;
mod levels;
mod shared;
mod steps;
#[cfg(test)]
pub(crate) mod tests;
mod trial;

pub use climb::{Found, climb, without};
pub use combine::Window;
pub use cuts::{Cuts, Strata};
pub use levels::{Budget, Level, Levels, levels};
pub use trial::Trial;

use super::points::split_mix;
use super::range::{Range, Span, specials};
use crate::model::keys::Keys;
use crate::model::scatter::Scatter;
use crate::model::show;
use crate::model::space::InputSpace;
use crate::sweep::Sweep;

/// The number of stretches for each way of cutting, unless fewer are requested. A binary64 range has no more strata of one way than this,
/// and a device needs a launch per stretch.
pub const STRETCHES: u64 = 4096;
/// The number of inputs on either side of a special value, of a range's end and of a known input. It is smaller in a small sample.
const AROUND: u64 = 512;
/// Makes the places of single inputs independent of those of stretches.
const SINGLES: u64 = 0x6a09_e667_f3bc_c908;
/// The largest number of inputs on either side of a cut.
const WINDOW: u64 = 64;

/// The parameters of a sample.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The approximate number of inputs.
    pub inputs: u64,
    /// The approximate largest number of stretches for each way of cutting.
    pub stretches: u64,
    /// The seed of the random places.
    pub seed: u64,
    /// Keys whose neighbourhoods are included: the worst inputs known.
    pub known: &'a [i64],
}

impl Wanted<'_> {
    /// About `inputs` inputs of a sweep, at places that depend on its name.
    #[must_use]
    pub fn of(sweep: &Sweep, inputs: u64) -> Wanted<'static> {
        Wanted {
            inputs,
            stretches: STRETCHES,
            seed: seed(sweep.name),
            known: &[],
        }
    }
}

impl Wanted<'_> {
    /// The same with half as many inputs.
    pub(crate) fn halved(&self) -> Self {
        Self {
            inputs: self.inputs / 2,
            ..*self
        }
    }
}

/// A sample of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Its stretches of neighbouring inputs, or all of its inputs.
    pub range: Range,
    /// Its single inputs at random places, none of which is in a stretch: numbers of an [`InputSpace::Scattered`].
    pub singles: Option<Range>,
    /// The number of inputs of the whole range.
    pub of: u128,
    /// The seed.
    pub seed: u64,
    /// The strata from which they were taken. `None` if all inputs were taken.
    pub strata: Option<Strata>,
}

impl Sample {
    /// A sample of a sweep's inputs in `range`, half of it single inputs at random places. If there are no more inputs than requested, it
    /// has all of them.
    #[must_use]
    pub fn of(sweep: &Sweep, range: &Range, wanted: &Wanted) -> Sample {
        if range.count() <= u128::from(wanted.inputs) || !range.space().is_ordered() {
            return Sample::of_stretches(sweep, range, wanted);
        }
        let stretches = Sample::of_stretches(sweep, range, &wanted.halved());
        let taken = stretches.range.clone();
        stretches.with_singles(sweep, range, &taken, wanted)
    }

    /// The sample with half of `wanted.inputs` as single inputs at random places of `range`, none of them in `taken`.
    pub(crate) fn with_singles(
        self,
        sweep: &Sweep,
        range: &Range,
        taken: &Range,
        wanted: &Wanted,
    ) -> Sample {
        let singles = match self.strata {
            Some(_) => scattered(sweep, range, taken, wanted),
            None => None,
        };
        Sample { singles, ..self }
    }

    /// A sample of a sweep's inputs in `range` that consists only of stretches of neighbouring inputs, so it is a range of the same input
    /// space. If there are no more inputs than requested, it has all of them.
    #[must_use]
    pub fn of_stretches(sweep: &Sweep, range: &Range, wanted: &Wanted) -> Sample {
        let of = range.count();
        let whole = Sample {
            range: range.clone(),
            singles: None,
            of,
            seed: wanted.seed,
            strata: None,
        };
        if of <= u128::from(wanted.inputs) {
            return whole;
        }
        if !range.space().is_ordered() {
            return Sample {
                range: beginning(range, wanted.inputs),
                ..whole
            };
        }
        let cuts = shared::cuts(sweep, range);
        let precision = range.precision();
        let around = AROUND.min(wanted.inputs / 128);
        let near = |key: i64| Span {
            first: key.saturating_sub_unsigned(around).max(precision.min_key()),
            last: key.saturating_add_unsigned(around).min(precision.max_key()),
        };
        let ends = range.spans().iter().flat_map(|s| [s.first, s.last]);
        let kept = ends
            .chain(specials(precision))
            .chain(wanted.known.iter().copied())
            .map(near)
            .collect();
        let kept = range.intersection(&Range::covering(precision, kept));
        let ways = cuts.ways();
        let inputs = wanted.inputs.saturating_sub(kept.count() as u64) / ways.len() as u64;
        let mut random = wanted.seed;
        let mut spans = kept.spans().to_vec();
        for way in ways {
            let stretches = wanted.stretches.max(1);
            take(range, way, inputs, stretches, &mut random, &mut spans);
        }
        Sample {
            range: range.intersection(&Range::covering(precision, spans)),
            strata: Some(cuts.strata(range)),
            ..whole
        }
    }

    /// Whether these are all inputs of the range. The sequence of pairs of a sample always has more.
    #[must_use]
    pub fn is_exhaustive(&self) -> bool {
        self.count() == self.of && !self.range.space().is_sample()
    }

    /// The number of its inputs.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.parts().map(Range::count).sum()
    }

    /// Its stretches, and its single inputs. Each is searched with the sweep over its input space ([`Sweep::over`]). After
    /// [`InputSpace::located`], its result has keys in the order of the reals, like all others.
    pub fn parts(&self) -> impl Iterator<Item = &Range> {
        std::iter::once(&self.range).chain(&self.singles)
    }

    /// A sample without the single inputs, which are not part of [`Sample::range`].
    #[must_use]
    pub fn without_singles(&self, range: &Range) -> Range {
        match self.singles.as_ref().map(Range::space) {
            Some(InputSpace::Scattered(singles)) => apart(range, singles),
            _ => range.clone(),
        }
    }

    /// What it may miss, as text. `None` if it contains all inputs. For inputs at places without a pattern, this is the share of all inputs
    /// of which the sample contains at least one with a probability of 99 %.
    #[must_use]
    pub fn misses(&self) -> Option<String> {
        let singles = self.singles.as_ref()?.count();
        // (1 - p)^n = 1/100.
        let once_in = singles as f64 / 100f64.ln();
        Some(format!(
            "{} of them single inputs at random places: a difference or error at one in {} scattered inputs is among them with a \
             probability of 99 %, a rarer one may be missed",
            show::count(singles),
            show::count(once_in.max(1.0) as u128),
        ))
    }

    /// The number of inputs from which it was taken, as text. `None` if it contains all.
    #[must_use]
    pub fn stands_for(&self) -> Option<String> {
        let pairs = self.range.space().of_pairs();
        (!self.is_exhaustive()).then(|| pairs.map_or_else(|| show::count(self.of), |p| p.size()))
    }

    /// A description of the inputs from which it was taken. `None` if it contains all of them.
    #[must_use]
    pub fn describe(&self) -> Option<String> {
        let s = self.strata.as_ref()?;
        let count = |n: usize| show::count(n as u128);
        let many = |n: usize| if n == 1 { "" } else { "s" };
        let pieces = match &s.unknown {
            None => format!("{} piece{} of the routine", count(s.pieces), many(s.pieces)),
            Some(why) => format!("the routine's own pieces unknown ({why})"),
        };
        let singles = self.singles.as_ref().map_or(String::new(), |s| {
            format!(" and {} single inputs", show::count(s.count()))
        });
        Some(format!(
            "{} stretches{singles} in {} binade{} of the input, {} of the result, {pieces}; seed {:#x}",
            count(self.range.spans().len()),
            count(s.inputs),
            many(s.inputs),
            count(s.results),
            self.seed
        ))
    }
}

/// The strata for which levels are estimated: a range cut in all ways at once, or evenly distributed parts of these cuts if there are too
/// many.
pub(crate) fn all_strata(sweep: &Sweep, range: &Range, seed: u64) -> Vec<Span> {
    let mut cuts = shared::cuts(sweep, range).ways().concat();
    cuts.sort_unstable();
    cuts.dedup();
    let mut random = seed;
    chosen(cuts::cut(range, &cuts), 2 * STRETCHES, &mut random)
}

/// A seed from a name (FNV-1a).
#[must_use]
pub fn seed(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The first inputs of a range of pairs, or of stored numbers: every prefix of these sequences is a sample.
fn beginning(range: &Range, mut inputs: u64) -> Range {
    let mut spans = Vec::new();
    for s in range.spans() {
        let n = s.count().min(inputs.into()) as u64;
        if n > 0 {
            spans.push(Span {
                first: s.first,
                last: s.first.wrapping_add_unsigned(n - 1),
            });
        }
        inputs -= n;
    }
    Range::covering(range.space(), spans)
}

/// Single inputs at random places of a range, outside of `taken`. Each stratum of each way of cutting has the same number, unless it has
/// fewer inputs.
fn scattered(sweep: &Sweep, range: &Range, taken: &Range, wanted: &Wanted) -> Option<Range> {
    let precision = range.precision();
    let cuts = shared::cuts(sweep, range);
    let ways = cuts.ways();
    let inputs = wanted.inputs / 2 / ways.len() as u64;
    // For each way, its strata with the number of inputs of each.
    let mut quotas: Vec<Vec<(Span, u64)>> = Vec::new();
    for way in &ways {
        let strata = cuts::cut(range, way);
        let quota = quota(&strata, inputs);
        let of = |s: Span| (s, u128::from(quota).min(s.count()) as u64);
        quotas.push(strata.into_iter().map(of).collect());
    }
    let mut all: Vec<i64> = ways.concat();
    all.sort_unstable();
    all.dedup();
    let mut places = vec![0; quotas.len()];
    let mut owed = 0.0;
    let parts = cuts::cut(&without(range, taken), &all);
    let parts = parts.into_iter().map(|part| {
        // A part is within one stratum of each way.
        for (strata, at) in quotas.iter().zip(&mut places) {
            while strata[*at].0.last < part.first {
                *at += 1;
            }
            let (stratum, inputs) = strata[*at];
            owed += inputs as f64 * (part.count() as f64 / stratum.count() as f64);
        }
        // Inputs that one part still owes are taken from the next one.
        let some = owed.floor().max(0.0).min(part.count() as f64);
        owed -= some;
        let Span { first, last } = part;
        (Keys { first, last }, some as u64)
    });
    let seed = wanted.seed ^ SINGLES;
    let scatter = Scatter::new(precision, seed, parts.collect::<Vec<_>>())?;
    let space = InputSpace::Scattered(scatter);
    let all = Span {
        first: 0,
        last: space.max_key(),
    };
    Some(Range::covering(space, vec![all]))
}

/// A range without single inputs.
fn apart(range: &Range, singles: &Scatter) -> Range {
    let mut spans = Vec::new();
    for s in range.spans() {
        let mut first = Some(s.first);
        for single in singles.within(s.first, s.last) {
            if let Some(first) = first.filter(|&first| first < single) {
                spans.push(Span {
                    first,
                    last: single - 1,
                });
            }
            first = single.checked_add(1).filter(|&next| next <= s.last);
        }
        spans.extend(first.map(|first| Span { first, ..*s }));
    }
    Range::covering(range.precision(), spans)
}

/// Takes about `inputs` inputs, in about `stretches` stretches, from the strata into which `cuts` cut a range.
fn take(
    range: &Range,
    cuts: &[i64],
    inputs: u64,
    stretches: u64,
    random: &mut u64,
    into: &mut Vec<Span>,
) {
    let strata = chosen(cuts::cut(range, cuts), stretches, random);
    let cuts = chosen(cuts.to_vec(), stretches, random);
    let window = WINDOW.min(inputs / 8 / (2 * cuts.len().max(1) as u64));
    if window > 0 {
        into.extend(cuts.iter().map(|&c| Span {
            first: c.saturating_sub_unsigned(window),
            last: c.saturating_add_unsigned(window - 1),
        }));
    }
    let inputs = inputs - 2 * window * cuts.len() as u64;
    let quota = quota(&strata, inputs);
    let each = (stretches / strata.len().max(1) as u64).clamp(1, quota);
    for s in strata {
        let count = s.count();
        if count <= u128::from(quota) {
            into.push(s);
            continue;
        }
        // As many equal parts as stretches, with one stretch at a random place in each.
        for i in 0..each {
            let part = |i: u64| count * u128::from(i) / u128::from(each);
            let length = quota * (i + 1) / each - quota * i / each;
            let (from, room) = (part(i), part(i + 1) - part(i));
            let free = room.saturating_sub(length.into()) + 1;
            let at = from + u128::from(split_mix(random)) % free;
            let first = (i128::from(s.first) + at as i128) as i64;
            let last = (i128::from(first) + i128::from(length) - 1).min(s.last.into()) as i64;
            into.push(Span { first, last });
        }
    }
}

/// If there are more than `most`, this many of them, evenly distributed, with a random start.
fn chosen<T: Copy>(all: Vec<T>, most: u64, random: &mut u64) -> Vec<T> {
    let n = all.len() as u128;
    let most = u128::from(most);
    if n <= most {
        return all;
    }
    let phase = u128::from(split_mix(random)) % n;
    (0..most)
        .map(|i| all[((i * n + phase) / most) as usize])
        .collect()
}

/// The number of inputs per stratum so that all together have `inputs`. Strata with fewer inputs contribute all of them.
fn quota(strata: &[Span], inputs: u64) -> u64 {
    let mut counts: Vec<u128> = strata.iter().map(|s| s.count()).collect();
    counts.sort_unstable();
    let mut left = u128::from(inputs);
    for (i, &count) in counts.iter().enumerate() {
        let each = left / (counts.len() - i) as u128;
        if count > each {
            return each.max(1) as u64;
        }
        left -= count;
    }
    inputs.max(1)
}
