//! Rounds of moves and of inputs that contradict what was assumed.
//!
//! Constants are judged on a sample. What is best there is run on a larger one, then in binary32 on all inputs. Where it is worse than it
//! seemed, those inputs join the sample. Nothing is claimed of a sample.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use dc_runtime::model::key::Precision;
use dc_runtime::search::range::Range;
use kernels_gen::constants::Constants;

use super::cases::{Cases, Random, sample};
use super::everywhere::everywhere;
use super::truth::Truth;
use super::tuner::{Tuned, Tuner, set, strips};
use crate::strips::Strips;

/// Inputs of the sample on which moves are judged, and of the one on which their result is looked at.
const SAMPLE: usize = 1 << 17;
const LARGE: usize = 1 << 21;
/// A large sample is evaluated in parts, of each of which so many of the worst inputs are kept.
const PART: usize = 1 << 14;
const WORST: usize = 16;
/// Rounds with a large sample, and those with all inputs.
const LOOKS: usize = 6;
const ROUNDS: usize = 6;
/// Random restarts in a row without a gain, after which the search ends.
const IDLE: usize = 6;
/// What is above the sample's largest error by no more than this part of it is no contradiction.
const SLACK: f64 = 1e-3;

/// What is asked for.
pub struct Job<'a> {
    /// The kernel's constants.
    pub constants: &'a Constants,
    /// Those that are varied.
    pub varied: &'a [usize],
    /// The reference.
    pub truth: &'a Truth,
    /// The inputs.
    pub range: &'a Range,
    /// Their precision.
    pub precision: Precision,
    /// When the search ends; what it found is verified afterwards.
    pub until: Option<Instant>,
    /// Ends the search early.
    pub stop: &'a AtomicBool,
    /// Receives lines of progress.
    pub progress: &'a (dyn Fn(&str) + Sync),
}

/// What is known of the errors of a program.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The largest error, in ULP.
    pub error: f64,
    /// Its input.
    pub worst: Option<i64>,
    /// The number of inputs.
    pub inputs: u64,
    /// Whether these are all.
    pub all: bool,
    /// Wrong special values.
    pub faults: u64,
    /// Inputs at which the reference is not known well enough.
    pub undecided: u64,
    /// Bad inputs from all parts of the range.
    pub bad: Vec<i64>,
}

/// Better constants.
#[derive(Debug, Clone)]
pub struct Found {
    /// The bits of the varied constants.
    pub bits: Vec<u64>,
    /// The errors with them.
    pub known: Known,
    /// The changed ones, with the largest error on the sample with that one as it was.
    pub worth: Vec<(usize, f64)>,
}

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Better constants, if there are any.
    pub found: Option<Found>,
    /// The number of sets of constants that were tried.
    pub tried: u64,
    /// How often what was best on the sample was not so good on more inputs.
    pub contradicted: usize,
    /// The smallest largest error on a sample, which no larger search confirmed.
    pub seemed: f64,
}

impl Job<'_> {
    fn ends(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.until.is_some_and(|t| Instant::now() >= t)
    }

    fn was(&self) -> Vec<u64> {
        let bits = |&v: &usize| self.constants.all[v].bits;
        self.varied.iter().map(bits).collect()
    }

    fn strips(&self, bits: &[u64]) -> Result<Strips, String> {
        let (mut strips, entries) = strips(self.constants, self.varied)?;
        for (n, &b) in bits.iter().enumerate() {
            set(&mut strips, &entries, n, b);
        }
        Ok(strips)
    }

    /// The errors of the kernel as it is; none, if it was stopped.
    ///
    /// # Errors
    /// If the program has no strips.
    pub fn before(&self) -> Result<Option<Known>, String> {
        self.known(&self.was(), &mut Random(1), self.stop)
    }

    /// What is known of a set of constants: in binary32 its errors at all inputs, in binary64 those on a large sample.
    fn known(
        &self,
        bits: &[u64],
        random: &mut Random,
        stop: &AtomicBool,
    ) -> Result<Option<Known>, String> {
        if self.precision == Precision::F64 {
            return Ok(Some(self.look(bits, random)?));
        }
        let programs = || Ok(vec![self.strips(bits)?]);
        let Some(mut all) = everywhere(self.truth, self.range, &programs, stop)? else {
            return Ok(None);
        };
        let all = all.remove(0);
        let bad = all.stretches.iter().filter(|s| s.0 > 0.0).map(|s| s.1);
        Ok(Some(Known {
            error: all.largest,
            worst: all.worst,
            inputs: all.inputs,
            all: true,
            faults: all.faults,
            undecided: all.undecided,
            bad: bad.collect(),
        }))
    }

    /// The errors on a large sample.
    fn look(&self, bits: &[u64], random: &mut Random) -> Result<Known, String> {
        let mut strips = self.strips(bits)?;
        let keys = sample(self.range, self.precision, LARGE, random);
        let mut known = Known::default();
        for part in keys.chunks(PART) {
            let mut cases = Cases::default();
            cases.add(self.truth, self.precision, part)?;
            let errors = cases.errors(&mut strips);
            let mut order: Vec<usize> = (0..errors.len()).collect();
            order.sort_by(|&a, &b| errors[b].abs().total_cmp(&errors[a].abs()));
            known.inputs += errors.len() as u64;
            for &i in order.iter().take(WORST) {
                known.bad.push(cases.keys[i]);
            }
            if let Some(&i) = order.first()
                && (errors[i].abs() > known.error || known.worst.is_none())
            {
                (known.error, known.worst) = (errors[i].abs(), Some(cases.keys[i]));
            }
        }
        known.all = u128::from(known.inputs) == self.range.count();
        Ok(known)
    }

    /// Better constants than those that a kernel has.
    ///
    /// # Errors
    /// If the program has no strips.
    pub fn search(&self, before: &Known) -> Result<Outcome, String> {
        let was = self.was();
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let mut cases = Cases::default();
        let keys = sample(self.range, self.precision, SAMPLE, &mut random);
        cases.add(self.truth, self.precision, &keys)?;
        cases.add(self.truth, self.precision, &before.bad)?;
        let ends = || self.ends();
        let mut tuner = Tuner::new(self.constants, self.varied, cases, &ends)?;
        let mut outcome = Outcome {
            found: None,
            tried: 0,
            contradicted: 0,
            seemed: f64::INFINITY,
        };
        let mut start = was.clone();
        for _ in 0..ROUNDS {
            let mut best = self.rounds(&mut tuner, &start, &mut random, &mut outcome)?;
            tuner.prune(&mut best, &was);
            outcome.seemed = outcome.seemed.min(best.error);
            if best.bits == was {
                break;
            }
            (self.progress)(&format!(
                "{:.6} ULP on a sample; {}",
                best.error,
                match self.precision {
                    Precision::F32 => "all inputs are run with these constants",
                    Precision::F64 => "a larger one is run with these constants",
                }
            ));
            // A second request to stop ends the process.
            let Some(known) = self.known(&best.bits, &mut random, &AtomicBool::new(false))? else {
                break;
            };
            let holds = known.error <= best.error * (1.0 + SLACK);
            let least = outcome
                .found
                .as_ref()
                .map_or(before.error, |f| f.known.error);
            tuner.cases.add(self.truth, self.precision, &known.bad)?;
            if known.error < least && known.faults <= before.faults {
                (self.progress)(&format!(
                    "{:.6} ULP on {} inputs",
                    known.error, known.inputs
                ));
                outcome.found = Some(Found {
                    bits: best.bits.clone(),
                    known,
                    worth: tuner.worth(&best, &was),
                });
            }
            if holds || self.ends() {
                break;
            }
            outcome.contradicted += 1;
            start = best.bits;
        }
        outcome.tried = tuner.tried;
        Ok(outcome)
    }

    /// The best constants on the sample, to which the bad inputs of larger ones are added.
    fn rounds(
        &self,
        tuner: &mut Tuner<'_>,
        start: &[u64],
        random: &mut Random,
        outcome: &mut Outcome,
    ) -> Result<Tuned, String> {
        let mut best = tuner.tune(start);
        let (mut idle, mut looks) = (0, 0);
        while !self.ends() {
            if looks < LOOKS {
                looks += 1;
                let known = self.look(&best.bits, random)?;
                if known.error > best.error * (1.0 + SLACK) {
                    outcome.contradicted += 1;
                    tuner.cases.add(self.truth, self.precision, &known.bad)?;
                    best = tuner.tune(&best.bits.clone());
                    continue;
                }
                looks = LOOKS;
            }
            if idle >= IDLE {
                break;
            }
            let next = tuner.restart(&best, 2 + 2 * idle as u32);
            idle += 1;
            if next.error < best.error {
                (self.progress)(&format!("{:.6} ULP on a sample", next.error));
                // What gained less than a thousandth is no reason to go on for longer.
                if next.error < best.error * 0.999 {
                    (idle, looks) = (0, LOOKS - 2);
                }
                best = next;
            }
        }
        Ok(best)
    }
}
