//! Closes a stretch of a class's input: by its bound, by lattices, input by input, or in parts.

use super::class::{Class, Member};
use std::sync::atomic::Ordering;

use super::near::{Difference, Near};
use super::{Check, Counts, DEPTH};
use crate::analysis::{Analysis, Bound, Truth, both_sides};
use crate::certificate::{ClassKind, How};
use crate::expansion::{Expansion, TERMS, remainder};
use crate::lattice::{Lattice, No};
use crate::low::{beside, terms};
use crate::number::{Coarse, Number, exact, exponent, floor, power_double};
use crate::order::{double, half, rank};
use crate::reduce::Transform;
use crate::residual::{Assumed, Kind, LEAST, Node, Stop, expo, ulp};
use crate::weights::{Sharpened, sharpened};

/// The relative distances of the lattices' levels below the claim: the one with the longest runs is used.
const MARGINS: [f64; 6] = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 0.0];
/// The largest such distance. It is tried if runs are short although few points are examined.
const WIDEST: f64 = 0.02;
/// The number of runs after which it is tried.
const SEEN: i64 = 24;
/// A stretch has few runs if it has at most this many steps per step of half a run.
const ENOUGH: i64 = 64;
/// The number of points, by the volume of the box, for which the first run of a stretch is sized.
const POINTS: f64 = 1000.0;
/// The number of integer vectors that a run should examine: that takes about as long as the rest of the run.
const LOOKED: f64 = 24.0;
/// The largest number of inputs of a stretch that are evaluated one by one if the certificate says so.
const PLANNED: f64 = 65_536.0;
/// The same number if no bound closes the stretch: closing its halves costs less than this many inputs.
const FEW: f64 = 2048.0;
/// This many last cuts of a stretch are in the middle.
const HALVES: u32 = 56;
/// The number of runs in a stretch that is not cut any further.
const RUNS: i64 = 1024;
/// A class of a kernel with a low word is not proven if its stretches need more cuts than this: a claim next to the truth would be cut to single inputs.
const CUTS: u64 = 1 << 15;
/// A remainder, in units in the last place, that more terms should make smaller.
const REST: f64 = 1.0 / 128.0;
/// The same as a part of the claim, which may be far below one unit for a result in two words.
const PART: f64 = 1.0 / 16.0;
/// A stretch of a class of rounded arguments is cut this often; then its cells become classes of their own.
const ROUNDED: u32 = 6;
/// This many first cuts of a stretch of many binades cut off four binades each: the bound usually closes the rest.
const NEARER: u32 = 3;

impl Check<'_> {
    /// Closes a stretch of a class's input, and cuts it as often as necessary.
    pub(super) fn close(
        &self,
        class: &Class,
        lo: f64,
        hi: f64,
        assumed: &Assumed,
        depth: u32,
        how: How,
    ) -> Result<(), String> {
        let here: Vec<&Member> = class
            .members
            .iter()
            .filter(|m| m.core.0 <= hi && lo <= m.core.1)
            .collect();
        let Some(eta) = class.eta(&here, lo, hi) else {
            // Between the members there are no inputs.
            return Ok(());
        };
        let grid = class.input.grid.max(ulp(if lo > 0.0 {
            lo
        } else if hi < 0.0 {
            hi
        } else {
            0.0
        }));
        let inputs: f64 = here.iter().map(|m| m.inputs(lo, hi)).sum();
        // Where it is cut, if not in the middle.
        let place = std::cell::Cell::new(None);
        let low = self.certificate.low();
        let cut = |why: &str| -> Result<(), String> {
            // An input with a low word is many inputs: none of them is evaluated.
            let few = low.is_none()
                && (inputs <= FEW || (how == How::Inputs || lo == hi) && inputs <= PLANNED);
            // One argument may be that of an input in each cell.
            if few {
                return here.iter().try_for_each(|m| {
                    let (lo, hi) = m.ends(lo, hi);
                    self.inputs(lo, hi)
                });
            }
            let wide = lo.is_sign_negative() == hi.is_sign_negative()
                && 16.0 * lo.abs().min(hi.abs()) < lo.abs().max(hi.abs());
            // The parts of a wide stretch that are nearer to zero have other units. One stretch of many cells costs less than all of them.
            let parts = here.len() > 1 && 16.0 * (hi - lo).abs() > lo.abs().max(hi.abs());
            if class.rounded && !wide && !parts && depth + ROUNDED <= DEPTH {
                return here.iter().try_for_each(|m| {
                    let (lo, hi) = m.ends(lo, hi);
                    if lo > hi {
                        return Ok(());
                    }
                    Counts::add(&self.counts.cut, 1);
                    self.of_its_own(lo, hi, ClassKind::Reduced, depth)
                });
            }
            if low.is_some() && class.cuts.fetch_add(1, Ordering::Relaxed) >= CUTS {
                return Err(format!("{why}, after {CUTS} cuts"));
            }
            if depth == 0 || lo == hi {
                return Err(format!("{why}, and cutting it does not help"));
            }
            let middle = match place.get() {
                Some(place) if !wide && depth > HALVES && lo <= place && place < hi => place,
                _ if wide && depth > DEPTH - NEARER => nearer(lo, hi),
                // By binades: a thousand of them are ten cuts.
                _ if wide => double(half(rank(lo), rank(hi))),
                // The smaller arguments are off by half as much.
                _ if class.rounded && expo(lo) != expo(hi) => beside_a_power(lo, hi),
                _ => (0.5 * lo + 0.5 * hi).clamp(lo, hi.next_down()),
            };
            Counts::add(&self.counts.cut, 1);
            self.close(class, lo, middle, assumed, depth - 1, how)?;
            self.close(class, middle.next_up(), hi, assumed, depth - 1, how)
        };
        // Errors of results in two words are evaluated with many bits.
        let few = match (how, self.certificate.words) {
            (How::Inputs, _) => PLANNED,
            (_, true) => 32.0,
            (_, false) => 256.0,
        };
        if low.is_none() && inputs <= few {
            return cut("");
        }
        if lo < 0.0 && hi > 0.0 {
            return cut("it has both signs");
        }
        // A stretch may have no inputs under an assumption, or between the multiples of the grid.
        let empty = || {
            let has = |r: f64| here.iter().any(|m| m.input(&exact(r)).is_some());
            if assumed.is_empty() && (has(lo) || has(hi)) {
                return Err("an input of the stretch contradicts its ranges".to_string());
            }
            Ok(())
        };
        let mut expansion = Expansion::new(lo, hi, grid);
        let input = Node {
            kind: Kind::Input,
            lo: expansion.lo,
            hi,
            grid,
            ..class.input
        };
        let closes = |bound: &Bound| bound.most <= exact(self.certificate.error);
        let Some(function) = self.function.on(expansion.lo, hi) else {
            return cut("the reference is not one line");
        };
        let bound_by =
            |analysis: &Analysis, truth: &Truth, expansion: &Expansion, weights: &[Coarse]| {
                let factors = (&class.factor, &eta);
                let Some(low) = low else {
                    return analysis.bound_beside(truth, factors, expansion, weights, None);
                };
                // The low word's weight is needed as a series.
                let sharp = Sharpened::new(analysis, weights, terms(expansion));
                let sharp = sharp.ok_or_else(|| Stop::No("the weights are not bounded".into()))?;
                let line = (&analysis.line, &sharp);
                let beside = beside(line, low, (&function, truth), factors, expansion);
                let beside = beside.ok_or_else(|| {
                    Stop::No("the function is not smooth for all low words".into())
                })?;
                analysis.bound_beside(truth, factors, expansion, &sharp.all, Some(&beside))
            };
        let (analysis, truth, mut weights, mut bound) = loop {
            let over = Truth::over(&function, &expansion);
            let rest = over
                .as_ref()
                .and_then(|over| remainder(&class.core, over, &class.factor, &expansion));
            if rest.is_some_and(|rest| rest > exact(self.certificate.error)) {
                if expansion.terms < TERMS {
                    expansion.terms = TERMS;
                    continue;
                }
                return cut("the remainders of its series are above the claim");
            }
            let analysis = match Analysis::new(&class.core, input, &expansion, assumed) {
                Ok(analysis) => analysis,
                Err(Stop::Empty) => return empty(),
                Err(Stop::No(why)) => return cut(&why),
            };
            let Some(weights) = analysis.weights() else {
                return cut("the weights are not bounded");
            };
            let truth = over.and_then(|over| Truth::with(over, &function, &expansion));
            let Some(truth) = truth else {
                return cut("the function is not defined");
            };
            let bound = match bound_by(&analysis, &truth, &expansion, &weights) {
                Ok(bound) => bound,
                Err(Stop::Empty) => return empty(),
                Err(Stop::No(why)) => return cut(&why),
            };
            // More terms cost less than more stretches.
            if closes(&bound)
                || expansion.terms >= TERMS
                || bound.rest < exact(rest_of(self.certificate.error))
            {
                break (analysis, truth, weights, bound);
            }
            expansion.terms = TERMS;
        };
        // Errors are in units of the core's true values, which are scaled with the results only where they are normal. In the first
        // normal binade the unit is that of subnormal values.
        if bound.unit <= LEAST && here.iter().any(|m| m.scale != 0) {
            return cut("the core's true values are subnormal");
        }
        // The sharper weights take longer.
        if low.is_none()
            && !closes(&bound)
            && let Some(sharp) = sharpened(&analysis, &weights)
            && let Ok(by_sharp) = bound_by(&analysis, &truth, &expansion, &sharp)
        {
            (weights, bound) = (sharp, by_sharp);
        }
        if closes(&bound) {
            Counts::add(&self.counts.bound, 1);
            return Ok(());
        }
        // The terms of a root next to its zero, as in an arc sine next to 1, fall slowly. A narrower stretch has a smaller remainder, and a lattice does not.
        if bound.rest >= exact(rest_of(self.certificate.error)) {
            return cut("the remainders of its series are large");
        }
        if let Some(change) = analysis.line.change(lo, hi, bound.unit) {
            place.set(Some(change));
            return cut("an operation has few results");
        }
        place.set(analysis.crossing(&weights, bound.unit, &expansion));
        if class.rounded {
            return cut("its bound is above the claim");
        }
        let cases = |(site, edge): (usize, f64)| {
            both_sides(assumed, site, edge)
                .iter()
                .try_for_each(|case| self.close(class, lo, hi, case, depth, how))
        };
        if let Some(sides) = analysis.straddles(&weights, bound.unit, assumed) {
            return cases(sides);
        }
        // A lattice is one of roundings to nearest, the last of which is that of the result.
        if low.is_some() || self.certificate.words {
            return cut("its bound is above the claim");
        }
        for sign in [1.0, -1.0] {
            let reach = if sign > 0.0 {
                bound.error.ends().1
            } else {
                -bound.error.ends().0
            };
            if reach <= self.certificate.error {
                continue;
            }
            if exponent(&expansion.radius) - grid > 60 {
                return cut("it has too many inputs");
            }
            // Steps are counted from the center, which is on the grid.
            let step = |x: f64| exact(x) - exact(expansion.center);
            let first = -floor(&-step(lo), -grid) as i64;
            let last = floor(&step(hi), -grid) as i64;
            let made = |margin| {
                let level = level(self.certificate.error, margin);
                Lattice::new(&analysis, &expansion, grid, &bound, &weights, sign, level)
            };
            let (lattice, margin) = match best(last - first, made) {
                Ok(best) => best,
                Err(No::Nothing) => continue,
                Err(No::Cut) => return cut("no lattice takes it"),
                Err(No::Binades(i)) => {
                    return match analysis.sides(i, assumed) {
                        Some(sides) => cases(sides),
                        None => cut("results of an operation are in more than one binade"),
                    };
                }
            };
            if last - first > 2 * RUNS * (2 * lattice.half(POINTS) + 1) {
                return cut("it has too many runs");
            }
            let near = Near::new(&bound.truth, &bound.remainder, bound.unit, &expansion, grid);
            let mut candidate = Candidate {
                class,
                here: &here,
                near: near.as_ref(),
                eta: eta.ends(),
                values: Vec::new(),
            };
            let wider = |margin| made(margin).ok();
            let found = self.runs((lattice, margin), wider, first, last, |step| {
                let r = || exact(expansion.center) + Number::new(step.into(), grid as isize);
                self.candidate(&mut candidate, step, r)
            });
            match found {
                Ok(()) => {}
                Err(Some(error)) => return Err(error),
                Err(None) => return cut("its runs have too many points"),
            }
        }
        Counts::add(&self.counts.lattice, 1);
        Ok(())
    }

    /// Compares the errors of the inputs of one step of the core, `r`, with the claim.
    pub(super) fn candidate(
        &self,
        of: &mut Candidate<'_>,
        step: i64,
        r: impl Fn() -> Number,
    ) -> Result<(), String> {
        let claim = self.certificate.error;
        let difference = match of.near {
            None => None,
            Some(near) => {
                let Some(x) = near.input(step) else {
                    // A core's inputs are computed values: doubles.
                    return Ok(());
                };
                near.difference(of.class.core.compute(x, &mut of.values), step)
            }
        };
        Counts::add(&self.counts.inputs, 1);
        if difference.is_some_and(|d| d.bound(of.eta) <= claim) {
            return Ok(());
        }
        let r = r();
        for member in of.here {
            let below = |d: Difference| d.bound(member.eta.ends()) <= claim;
            if !difference.is_some_and(below)
                && let Some(x) = member.input(&r)
            {
                self.input(x)?;
            }
        }
        Ok(())
    }

    /// Appends all steps from the first to the last that a lattice does not rule out. Gives an error without a message if there are too
    /// many of them.
    fn runs(
        &self,
        (mut lattice, mut margin): (Lattice, f64),
        wider: impl Fn(f64) -> Option<Lattice>,
        first: i64,
        last: i64,
        mut take: impl FnMut(i64) -> Result<(), String>,
    ) -> Result<(), Option<String>> {
        let mut transform = Transform::identity(1);
        // The curvature limits the length; the number of points to examine is observed.
        let mut longest = lattice.half(f64::INFINITY);
        let mut half = lattice.half(POINTS);
        let mut next = first;
        let mut runs = 0;
        // The previous lattice with its longest runs, and the number of vectors that were examined since.
        let mut before: Option<(Lattice, i64)> = None;
        let mut tries = true;
        let (mut seen, mut looked) = (0, 0.0);
        while next <= last {
            if runs + (last - next) / (2 * half + 1) > 16 * RUNS {
                return Err(None);
            }
            runs += 1;
            Counts::add(&self.counts.runs, 1);
            let center = (next + half).min(last);
            let Some(found) = lattice.run(center, half, &mut transform) else {
                transform = Transform::identity(1);
                if let Some((narrow, its)) = before.take() {
                    (lattice, longest, half) = (narrow, its, its);
                    tries = false;
                    continue;
                }
                if half == 1 {
                    return Err(None);
                }
                half = (half / 4).max(1);
                continue;
            };
            for step in found.steps {
                take(center + step).map_err(Some)?;
            }
            next = center + half + 1;
            seen += 1;
            looked += found.looked;
            if let Some((narrow, its)) = before.take_if(|b| half < b.1) {
                // The wider windows have too many points.
                (lattice, longest, half) = (narrow, its, its);
                tries = false;
            } else if tries && seen >= SEEN && (last - next) / (2 * half + 1) > 2 * SEEN {
                if half == longest && looked < 0.25 * LOOKED * seen as f64 && margin < WIDEST {
                    margin = f64::max(3.0 * margin, 1e-9);
                    if let Some(wide) = wider(margin) {
                        before = Some((std::mem::replace(&mut lattice, wide), longest));
                        longest = lattice.half(f64::INFINITY);
                        half = longest;
                    } else {
                        tries = false;
                    }
                }
                (seen, looked) = (0, 0.0);
            }
            if found.looked > 2.0 * LOOKED {
                half = (half * 2 / 3).max(1);
            } else if found.looked < 0.5 * LOOKED {
                half = (half + half / 2 + 1).min(longest);
            }
        }
        Ok(())
    }
}

/// The remainder that more terms should make smaller, for this claim.
fn rest_of(claim: f64) -> f64 {
    REST.min(PART * claim)
}

/// For a stretch of one sign in many binades: a number that is a sixteenth of its largest, or next to it.
fn nearer(lo: f64, hi: f64) -> f64 {
    let place = 0.0625 * if lo > 0.0 { hi } else { lo };
    place.clamp(lo, hi.next_down())
}

/// For a stretch of one sign in more than one binade: the last number below the largest power of two in it, or that power if the numbers are
/// negative.
fn beside_a_power(lo: f64, hi: f64) -> f64 {
    let edge = power_double(expo(lo.abs().max(hi.abs())));
    let place = if lo > 0.0 { edge.next_down() } else { -edge };
    place.clamp(lo, hi.next_down())
}

/// The data for checking the candidates of a stretch.
pub(super) struct Candidate<'a> {
    pub(super) class: &'a Class,
    pub(super) here: &'a [&'a Member],
    pub(super) near: Option<&'a Near>,
    /// The range of η over all members.
    pub(super) eta: (f64, f64),
    pub(super) values: Vec<f64>,
}

/// The level of a lattice. It is not above the claim, so that an error above the claim reaches it.
fn level(claim: f64, margin: f64) -> f64 {
    claim - margin
}

/// The lattice with the longest runs among those whose level is the claim or a little below. A lower level makes the windows wider and puts
/// more points in them.
fn best(steps: i64, made: impl Fn(f64) -> Result<Lattice, No>) -> Result<(Lattice, f64), No> {
    let mut best: Option<(i64, Lattice, f64)> = None;
    let mut why = No::Cut;
    for margin in MARGINS {
        let lattice = match made(margin) {
            Ok(lattice) => lattice,
            // No error reaches the level. So no error exceeds the claim, which is not below the level.
            Err(No::Nothing) => return Err(No::Nothing),
            Err(no) => {
                why = no;
                continue;
            }
        };
        let half = lattice.half(1.0);
        if best.as_ref().is_none_or(|b| half > b.0) {
            best = Some((half, lattice, margin));
        }
        if best.as_ref().is_some_and(|b| steps <= ENOUGH * b.0) {
            break;
        }
    }
    best.map(|b| (b.1, b.2)).ok_or(why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Certificate;
    use crate::number::Fine;

    #[test]
    fn levels_are_not_above_the_claim() {
        for claim in [0.5, 0.75, 1.0, 4.0, 1e20] {
            for margin in MARGINS.into_iter().chain([1e-9, WIDEST, 3.0 * WIDEST]) {
                let level = level(claim, margin);
                assert!(level <= claim && level >= claim - 1.1 * margin);
            }
        }
    }

    /// Whether a kernel is proven, and the numbers of stretches closed by lattices, of cuts, and of evaluated inputs.
    fn checked(law: &str, kernel: &str, error: f64, lo: f64, hi: f64) -> (bool, [u64; 3]) {
        let words = format!("{:016x} {:016x}", lo.to_bits(), hi.to_bits());
        let text = format!(
            "doublecrunch certificate 2\nfunction {law}\nrange {words}\nerror {:016x}\ncut {words}\nkernel\ndoublecrunch ir 1\nfn f0\n  \
             %0: f64 = param\n{kernel}end of kernel\nend\n",
            error.to_bits()
        );
        let certificate = Certificate::parse(&text).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        let proven = check.run(1).is_ok();
        let counts = &check.counts;
        let counts = [&counts.lattice, &counts.cut, &counts.inputs];
        let counts = counts.map(|c| c.load(std::sync::atomic::Ordering::Relaxed));
        (proven, counts)
    }

    /// At 1, the derivatives of arc sine and arc cosine have a pole, so the terms of series fall slowly. Halves close a stretch there, without lattices and
    /// without single inputs. A wrong factor is refused.
    #[test]
    fn stretches_next_to_a_pole_are_cut() {
        let constant = |x: f64| format!("f64 = const {:#x}\n", x.to_bits());
        // t = 1 - x, r = √(2 t), and the arc cosine r + r t / 12.
        let cosine = |twelfth: f64| {
            format!(
                "  %1: {}  %2: {}  %3: f64 = sub %1, %0\n  %4: f64 = add %3, %3\n  %5: f64 = sqrt %4\n  %6: f64 = mul %5, %3\n  \
                 %7: f64 = fma %6, %2, %5\n",
                constant(1.0),
                constant(twelfth),
            )
        };
        let low = 6.123_233_995_736_766e-17;
        let sine = format!(
            "{}  %8: {}  %9: f64 = sub %7, %8\n  %10: {}  %11: f64 = sub %10, %9\n  return %11\n",
            cosine(1.0 / 12.0),
            constant(low),
            constant(std::f64::consts::FRAC_PI_2)
        );
        let (lo, hi) = (1.0 - 2e-12, 1.0 - 1e-12);
        let (proven, [lattices, cuts, inputs]) = checked("asin", &sine, 0.55, lo, hi);
        assert!(proven && lattices == 0, "{lattices} {cuts} {inputs}");
        assert!(cuts > 1 && inputs == 0, "{lattices} {cuts} {inputs}");
        let cosine = |twelfth: f64| format!("{}  return %7\n", cosine(twelfth));
        let (lo, hi) = (1.0 - 2e-11, 1.0 - 1e-11);
        assert!(checked("acos", &cosine(1.0 / 12.0), 1.0625, lo, hi).0);
        assert!(!checked("acos", &cosine(1.0 / 11.9), 1.0625, lo, hi).0);
    }

    /// A run of one step, at the end of the stretch.
    #[test]
    fn the_last_step_is_in_a_run() {
        let kernel =
            "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = sqrt %0\n  return %1\n";
        let (lo, hi) = (1.25, 1.25 + 2f64.powi(-40));
        let words = format!("{:016x} {:016x}", f64::to_bits(lo), f64::to_bits(hi));
        let text = format!(
            "doublecrunch certificate 2\nfunction sqrt\nrange {words}\nerror 3ff0000000000000\ncut {words}\nkernel\n{kernel}end of \
             kernel\nend\n"
        );
        let certificate = Certificate::parse(&text).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        let class = check.class(&[(lo, hi)], ClassKind::Plain, true);
        let class = class.expect("one line");
        let expansion = Expansion::new(lo, hi, -52);
        let analysis = Analysis::new(&class.core, class.input, &expansion, &Assumed::new());
        let analysis = analysis.expect("an analysis");
        let weights = analysis.weights().expect("weights");
        let function = check.function.on(lo, hi).expect("a line");
        let (one, none) = (Fine::double(1.0), Coarse::zero());
        let truth = Truth::new(&function, &expansion).expect("defined");
        let bound = (analysis.bound(&truth, &one, &none, &expansion, &weights)).expect("one");
        for step in [0, 7, -100] {
            let Ok(lattice) = Lattice::new(&analysis, &expansion, -52, &bound, &weights, 1.0, 0.3)
            else {
                panic!("no lattice");
            };
            let mut found = Vec::new();
            let near = step..=step + 40;
            let take = |s| {
                found.push(s);
                Ok(())
            };
            let runs = check.runs((lattice, 0.0), |_| None, step, step + 40, take);
            assert_eq!(runs, Ok(()));
            // Each of them as a run of its own.
            for s in near.filter(|s| found.contains(s)).collect::<Vec<_>>() {
                let lattice = Lattice::new(&analysis, &expansion, -52, &bound, &weights, 1.0, 0.3);
                let mut again = Vec::new();
                let take = |s| {
                    again.push(s);
                    Ok(())
                };
                let lattice = lattice.expect("a lattice");
                assert_eq!(check.runs((lattice, 0.0), |_| None, s, s, take), Ok(()));
                assert!(again.contains(&s), "{s}");
            }
            assert!(!found.is_empty());
        }
    }
}
