//! Rounds of moves, and inputs that contradict the assumptions.
//!
//! Constants are judged on a sample. The best ones are run on a larger sample and then, in binary32, on all inputs. Inputs at which they
//! are worse than expected join the sample. The sample itself proves nothing.

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

/// The number of inputs of the sample on which moves are judged, and of the larger sample on which their result is checked.
const SAMPLE: usize = 1 << 17;
const LARGE: usize = 1 << 21;
/// A large sample is evaluated in parts. This many of the worst inputs of each part are kept.
const PART: usize = 1 << 14;
const WORST: usize = 16;
/// The number of rounds with a large sample, and with all inputs.
const LOOKS: usize = 6;
const ROUNDS: usize = 6;
/// The search ends after this many random restarts in a row without a gain.
const IDLE: usize = 6;
/// An error that exceeds the sample's largest error by at most this part of it does not count as a contradiction.
const SLACK: f64 = 1e-3;

/// A request to improve a kernel.
pub struct Job<'a> {
    /// The kernel's constants.
    pub constants: &'a Constants,
    /// The constants that are varied.
    pub varied: &'a [usize],
    /// The reference.
    pub truth: &'a Truth,
    /// The inputs.
    pub range: &'a Range,
    /// Their precision.
    pub precision: Precision,
    /// The time when the search ends. The result is verified after it.
    pub until: Option<Instant>,
    /// Ends the search early.
    pub stop: &'a AtomicBool,
    /// Receives lines of progress.
    pub progress: &'a (dyn Fn(&str) + Sync),
}

/// What is known about the errors of a program.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The largest error, in ULP.
    pub error: f64,
    /// The input with this error.
    pub worst: Option<i64>,
    /// The number of inputs.
    pub inputs: u64,
    /// Whether these are all.
    pub all: bool,
    /// Wrong special values.
    pub faults: u64,
    /// Inputs at which the reference's value is not known well enough.
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
    /// The changed constants, each with the largest error on the sample if only this constant has its old value.
    pub worth: Vec<(usize, f64)>,
}

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Better constants, if there are any.
    pub found: Option<Found>,
    /// The number of sets of constants that were tried.
    pub tried: u64,
    /// How often the best constants on the sample were worse on more inputs.
    pub contradicted: usize,
    /// The smallest largest error on a sample that no larger search confirmed.
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

    /// The errors of the unchanged kernel; `None` if this was stopped.
    ///
    /// # Errors
    /// If the program cannot be run over strips.
    pub fn before(&self) -> Result<Option<Known>, String> {
        self.known(&self.was(), &mut Random(1), self.stop)
    }

    /// What is known about a set of constants: in binary32 its errors at all inputs, in binary64 its errors on a large sample.
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

    /// Better constants than those of the kernel.
    ///
    /// # Errors
    /// If the program cannot be run over strips.
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

    /// The best constants on the sample. The bad inputs of larger samples are added to it.
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
                // A gain of less than a thousandth is no reason to continue.
                if next.error < best.error * 0.999 {
                    (idle, looks) = (0, LOOKS - 2);
                }
                best = next;
            }
        }
        Ok(best)
    }
}
