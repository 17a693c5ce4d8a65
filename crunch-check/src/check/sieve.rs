//! The sieve: inputs that are evaluated after the proof, by the kernel's own operations and enclosures of the function.
//!
//! No theorem chooses these inputs, so that a mistake in a theorem cannot conceal an error from them. The sieve is an additional check, not
//! the proof: it sees what happens at about one input in some millions. The inputs lie in *windows*. Half of the windows are spread evenly
//! over the inputs in their order, and half over the numbers; within a window the inputs are random. If a rounding of an operation is a
//! tie, the inputs at distances of powers of two are evaluated as well: a tie comes from the last bits of an input, which most of these
//! inputs share. The inputs around the worst one and the ends of the ranges are evaluated too.

use std::fmt;

use rayon::prelude::*;

use super::near::Near;
use super::{At, Check};
use crate::ir::{Program, What};
use crate::number::{exact, power_double};
use crate::order::{double, rank};
use crate::point::evaluate_all;
use crate::random::Random;
use crate::residual::ulp;
use crate::typing::Type;

/// The number of random inputs of a window.
const EACH: u64 = 256;
/// The number of these whose operations are examined for ties.
const EXAMINED: u64 = 32;
/// Half the widths of a window, in inputs, as powers of two: the first on which the function has a short series is used.
const WIDTHS: [u32; 4] = [28, 22, 16, 10];
/// The number of random inputs of a window without a series: each takes about ten microseconds.
const SLOW: u64 = 4;
/// The number of neighbours on either side of the worst input that are evaluated.
const BESIDE: i64 = 1 << 12;
/// The largest number of operations that are evaluated, so that the sieve takes only seconds for long kernels too.
const OPERATIONS: u64 = 1 << 28;

/// The number of inputs that were evaluated, by the reason for choosing them. None of their errors is above the claim.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Net {
    /// Random inputs of windows over the ranges, and the ends of the ranges.
    spread: u64,
    /// Inputs around ties.
    ties: u64,
    /// Inputs around the worst input.
    beside: u64,
    /// Whether each of these stands for several low words.
    low: bool,
    /// Inputs that were requested but left out, because the kernel is long or the function has no short series there.
    left: u64,
}

impl Net {
    fn join(self, other: Net) -> Net {
        Net {
            spread: self.spread + other.spread,
            ties: self.ties + other.ties,
            beside: self.beside + other.beside,
            low: self.low | other.low,
            left: self.left + other.left,
        }
    }
}

impl fmt::Display for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Net {
            spread,
            ties,
            beside,
            low,
            left,
        } = self;
        let words = if *low {
            ", each with up to 7 low words"
        } else {
            ""
        };
        write!(
            f,
            "{spread} inputs of the ranges{words}, {ties} beside ties and {beside} beside the worst: none is above the claim"
        )?;
        if *left > 0 {
            write!(f, "; {left} left out, which would take long")?;
        }
        f.write_str(" (a net, and not the proof)")
    }
}

/// A range of adjacent inputs of one sign, by their numbers.
struct Window {
    lo: i64,
    hi: i64,
    near: Option<Near>,
}

impl Check<'_> {
    /// Evaluates about `inputs` inputs of the ranges and compares their errors with the claim.
    ///
    /// # Errors
    /// The first input found whose error is above the claim, or is not a number.
    pub fn sieve(&self, inputs: u64) -> Result<Net, String> {
        let ranges: Vec<(i64, i64)> = (self.certificate.ranges.iter())
            .map(|&(lo, hi)| (rank(lo), rank(hi)))
            .collect();
        let count = |r: &(i64, i64)| i128::from(r.1) - i128::from(r.0) + 1;
        let all: i128 = ranges.iter().map(count).sum();
        let inputs = inputs.min(u64::try_from(all).unwrap_or(u64::MAX));
        let affordable = OPERATIONS / self.program.insts.len().max(1) as u64;
        let windows = inputs.min(affordable.max(EACH)).div_ceil(EACH);
        let mut net = (0..windows)
            .into_par_iter()
            .map(|k| {
                let mut random = Random(k);
                let place = self.place(k, windows, &ranges, &mut random);
                self.random_inputs(&self.window(place, &ranges), &mut random)
            })
            .try_reduce(Net::default, |a, b| Ok(a.join(b)))?;
        net.low = self.certificate.low.is_some();
        net.left = inputs.saturating_sub(net.spread);
        for end in ranges.iter().flat_map(|r| [r.0, r.1]) {
            self.any(double(end), &mut Random(end as u64))?;
            net.spread += 1;
        }
        if let Some(worst) = self.certificate.worst {
            let worst = rank(worst);
            let window = self.window(worst, &ranges);
            let beside = (worst - BESIDE).max(window.lo)..=(worst + BESIDE).min(window.hi);
            net.beside += beside
                .into_par_iter()
                .map(|r| self.one(&window, r, &mut Vec::new()).map(|()| 1))
                .try_reduce(|| 0, |a, b| Ok(a + b))?;
            net.beside += self.powers(&window, worst)?;
        }
        Ok(net)
    }

    /// The place of a window: in one of evenly spread strata of the inputs' order or, for every other window, of the numbers themselves.
    fn place(&self, k: u64, windows: u64, ranges: &[(i64, i64)], random: &mut Random) -> i64 {
        let strata = windows.div_ceil(2);
        let part = ((k / 2) as f64 + random.part()) / strata as f64;
        let widths = || self.certificate.ranges.iter().map(|r| r.1 - r.0);
        let width: f64 = widths().sum();
        if k % 2 == 1 && width.is_finite() && width > 0.0 {
            let mut rest = part * width;
            for (&(lo, hi), wide) in self.certificate.ranges.iter().zip(widths()) {
                if rest < wide {
                    return rank((lo + rest).clamp(lo, hi));
                }
                rest -= wide;
            }
        }
        let count = |r: &(i64, i64)| (i128::from(r.1) - i128::from(r.0) + 1) as f64;
        let mut rest = part * ranges.iter().map(count).sum::<f64>();
        for range in ranges {
            if rest < count(range) {
                return range.0.saturating_add(rest as i64).min(range.1);
            }
            rest -= count(range);
        }
        ranges.last().map_or(0, |r| r.1)
    }

    /// The window around a place.
    fn window(&self, place: i64, ranges: &[(i64, i64)]) -> Window {
        let (first, last) = (ranges.iter())
            .find(|r| r.0 <= place && place <= r.1)
            .copied()
            .unwrap_or((place, place));
        // Of one sign: the numbers of negative doubles are negative.
        let (first, last) = if place < 0 {
            (first, last.min(-1))
        } else {
            (first.max(0), last)
        };
        let ends = |width: u32| {
            let half = 1i64 << width;
            (
                place.saturating_sub(half).max(first),
                place.saturating_add(half).min(last),
            )
        };
        // The series is that of the function at one word, and of results in one word.
        let single = self.certificate.low.is_none() && !self.certificate.words;
        for width in WIDTHS.into_iter().filter(|_| single) {
            let (lo, hi) = ends(width);
            if let Some(near) = self.near(double(lo), double(hi)) {
                return Window {
                    lo,
                    hi,
                    near: Some(near),
                };
            }
        }
        let (lo, hi) = ends(WIDTHS[0]);
        Window { lo, hi, near: None }
    }

    fn near(&self, lo: f64, hi: f64) -> Option<Near> {
        let grid = ulp(if lo.abs() < hi.abs() { lo } else { hi });
        Near::on(&self.function.on(lo, hi)?, lo, hi, grid)
    }

    fn random_inputs(&self, window: &Window, random: &mut Random) -> Result<Net, String> {
        let count = (window.hi - window.lo) as u64 + 1;
        let each = if window.near.is_some() { EACH } else { SLOW };
        let mut net = Net::default();
        let mut tie = None;
        let mut words = Vec::new();
        // All inputs of a narrow window, one time each.
        for k in 0..each.min(count) {
            let at = if count <= each {
                k
            } else {
                random.below(count)
            };
            let at = window.lo + at as i64;
            if self.certificate.low.is_some() {
                self.any(double(at), random)?;
                net.spread += 1;
                continue;
            }
            self.one(window, at, &mut words)?;
            net.spread += 1;
            if k < EXAMINED && tie.is_none() && has_tie(&self.program, &words) {
                tie = Some(at);
            }
        }
        if let Some(tie) = tie.filter(|_| window.near.is_some()) {
            net.ties += self.powers(window, tie)?;
        }
        Ok(net)
    }

    /// The inputs of a window at distances of powers of two from one of them; returns how many there are.
    fn powers(&self, window: &Window, from: i64) -> Result<u64, String> {
        let mut words = Vec::new();
        let mut count = 0;
        for k in 0..=WIDTHS[0] {
            for at in [from - (1 << k), from + (1 << k)] {
                if (window.lo..=window.hi).contains(&at) {
                    self.one(window, at, &mut words)?;
                    count += 1;
                }
            }
        }
        Ok(count)
    }

    /// Evaluates an input. With a low word, it is one of several inputs: with the words 0 and ±M, with halves of the unit of x, and with random words of
    /// any exponent.
    fn any(&self, x: f64, random: &mut Random) -> Result<(), String> {
        let Some(most) = self.certificate.low else {
            return self.input(x);
        };
        let m = power_double(most);
        let half = 0.5 * power_double(ulp(x).max(-1000));
        let steps = (m / half).min(2f64.powi(52));
        let by = random.below(most.saturating_add(1076).max(1) as u64);
        let small = m * power_double(-(by.min(1000) as i32));
        for low in [
            0.0,
            m,
            -m,
            (2.0 * random.part() - 1.0) * m,
            (2.0 * random.part() - 1.0) * small,
            ((2.0 * random.part() - 1.0) * steps).trunc() * half,
            half.copysign(random.part() - 0.5),
        ] {
            if low.abs() <= m {
                let slack = self.certificate.slack.unwrap_or(0.0);
                self.pair(x, low, [0.0, slack, -slack][random.below(3) as usize])?;
            }
        }
        Ok(())
    }

    /// Compares the error of an input with a low word with the claim.
    fn pair(&self, x: f64, low: f64, slack: f64) -> Result<(), String> {
        let claim = exact(self.certificate.error);
        match self.error_of::<192>(x, low, slack)? {
            At::Error(e) if e.magnitude() > claim => Err(format!(
                "the error at {x:e} ({:016x}) with the low word {low:e} ({:016x}) is {} ULP, above the claim",
                x.to_bits(),
                low.to_bits(),
                e.middle()
            )),
            _ => Ok(()),
        }
    }

    /// Evaluates an input of a window; `words` becomes the values of the kernel's instructions.
    fn one(&self, window: &Window, at: i64, words: &mut Vec<u64>) -> Result<(), String> {
        let x = double(at);
        let bits = evaluate_all(
            &self.program,
            self.program.insts.len() - 1,
            &[x.to_bits()],
            words,
        )
        .map(|_| words[self.program.result])?;
        let bound = window.near.as_ref().and_then(|near| {
            let difference = near.difference(f64::from_bits(bits), near.step(x)?)?;
            Some(difference.bound((0.0, 0.0)))
        });
        match bound {
            Some(bound) if bound <= self.certificate.error => Ok(()),
            _ => self.input(x),
        }
    }
}

/// Whether the exact result of an operation of binary64 is halfway between two numbers.
fn has_tie(program: &Program, words: &[u64]) -> bool {
    program.insts.iter().zip(words).any(|(inst, &word)| {
        let What::Op(name) = &inst.what else {
            return false;
        };
        if inst.ty != Type::F64 || inst.args.iter().any(|&a| program.insts[a].ty != Type::F64) {
            return false;
        }
        let at = |i: usize| f64::from_bits(words[inst.args[i]]);
        let value = f64::from_bits(word);
        let half = |error: f64| value.is_finite() && error.abs() * 2.0 == power_double(ulp(value));
        match name.as_str() {
            "add" => half(sum_error(at(0), at(1), value)),
            "sub" => half(sum_error(at(0), -at(1), value)),
            "mul" => half(at(0).mul_add(at(1), -value)),
            _ => false,
        }
    })
}

/// `a + b - s`, exactly, where s is the rounded sum (Knuth).
fn sum_error(a: f64, b: f64, s: f64) -> f64 {
    let c = s - a;
    (a - (s - c)) + (b - c)
}
