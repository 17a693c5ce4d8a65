//! Certified bounds of kernels of two arguments, over all pairs.
//!
//! There are 2^64 pairs of binary32 numbers and 2^128 of binary64. They are bounded together: over a box of pairs, each value of the kernel is
//! a polynomial in the arguments and the errors of its roundings, whose sizes are known. The function is an equation that
//! the result almost solves (`truth`). A box in which an operation cannot be described is split.
//!
//! | file | what |
//! |---|---|
//! | `poly` | polynomials in atoms, with exact coefficients |
//! | `atoms` | the properties of atoms: ranges, sizes relative to the arguments, relations such as `r² = x - rest` |
//! | `value` | values over a box |
//! | `floats` | operations on numbers: each rounding is an atom, which is 0 if the result is shown to be exact |
//! | `scaled` | operations that keep what was rounded |
//! | `words` | integers and masks |
//! | `path` | what a path of selections says about its pairs |
//! | `function` | the functions, and the sizes of their arguments |
//! | `odd` | roots rounded to odd, which are correctly rounded afterwards |
//! | `domain` | the evaluation, over boxes and paths |
//! | `truth` | the comparison with the function |
//! | `space` | boxes |
//! | `certificate` | the text from which `crunch-check` proves a bound |

mod atoms;
mod certificate;
mod domain;
mod floats;
mod function;
mod odd;
mod path;
mod poly;
mod scaled;
#[cfg(test)]
mod shadow;
mod space;
mod truth;
mod value;
mod words;

use std::collections::BTreeMap;

use kernels_gen::interp::{Bits, eval};
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

pub use certificate::{Subject, certificate};
pub use function::Function;
pub use space::{PairBox, Sign, Span};
pub use truth::Verdict;

use crate::num::float::{BINARY32, BINARY64, Format};
use crate::parallel;
use domain::Pairs;
use value::{Refusal, Val};

/// A box is not split for a bound that is lower by less than this many ULP.
const FINE: f64 = 1.0 / 1_099_511_627_776.0;
/// The number of boxes that are examined together.
const ROUND: usize = 4096;

/// The bound of a kernel over boxes of pairs.
#[derive(Debug, Clone, Default)]
pub struct PairsBound {
    /// What is proven about all pairs except the excluded ones. `None` if nothing is proven.
    pub verdict: Option<Verdict>,
    /// The box with the largest bound.
    pub worst: Option<PairBox>,
    /// The number of pairs.
    pub pairs: u128,
    /// The pairs about which nothing is proven, by reason: their number, and the boxes.
    pub left_out: BTreeMap<&'static str, (u128, Vec<PairBox>)>,
    /// The number of pairs in boxes where a result may be infinite.
    pub may_overflow: u128,
    /// The number of boxes that have a bound.
    pub boxes: u64,
    /// These boxes.
    pub closed: Vec<PairBox>,
    /// The number of evaluations.
    pub looked: u64,
}

impl PairsBound {
    /// The number of pairs about which nothing is proven.
    #[must_use]
    pub fn without(&self) -> u128 {
        self.left_out.values().map(|(count, _)| count).sum()
    }
}

/// The format of the arguments and the result of a kernel of two arguments. `None` for any other kernel.
#[must_use]
pub fn format_of(program: &Program) -> Option<Format> {
    let entry = program.entry();
    let params: Vec<Prim> = entry.params.iter().map(|p| p.1).collect();
    let [result] = entry.results[..] else {
        return None;
    };
    match (params.as_slice(), entry.ty(result)) {
        ([Prim::F32, Prim::F32], Prim::F32) => Some(BINARY32),
        ([Prim::F64, Prim::F64], Prim::F64) => Some(BINARY64),
        _ => None,
    }
}

/// What is proven about a box along all paths, and an argument for which a smaller box would have made it more precise.
fn of_box(
    program: &Program,
    function: Function,
    pairs: &PairBox,
    format: Format,
) -> Result<(Verdict, Option<usize>), Refusal> {
    if pairs.spans == [Span::ZERO; 2] {
        return of_zeros(program, function, format).map(|v| (v, None));
    }
    let mut all: Option<Verdict> = None;
    let mut wanted = None;
    let mut choices = Vec::new();
    loop {
        let mut domain = Pairs::new(pairs, function, choices);
        let arguments = domain.arguments(format.precision as u32);
        let results = eval(program, &mut domain, &arguments)?;
        let [Val::Float(z)] = results.as_slice() else {
            return Err(Refusal::No("the result is no number"));
        };
        let verdict = (domain.verdict(function, z, format)).map_err(|why| {
            let wanted = domain.wanted.map(Refusal::Split);
            wanted.or(domain.why.map(Refusal::No)).unwrap_or(why)
        })?;
        all = Some(all.map_or(verdict, |v| v.worse(verdict)));
        wanted = wanted.or(domain.wanted);
        // The next path: the last choice that was true is false.
        choices = domain.choices;
        while choices.last() == Some(&false) {
            choices.pop();
        }
        let Some(last) = choices.last_mut() else {
            break;
        };
        *last = false;
    }
    (all.map(|v| (v, wanted))).ok_or(Refusal::No("there is no path"))
}

/// The four pairs of zeros, which are evaluated: √0 is 0, and 0/0 has no value.
fn of_zeros(program: &Program, function: Function, format: Format) -> Result<Verdict, Refusal> {
    if function == Function::Div {
        return Err(Refusal::No("a divisor is 0"));
    }
    let minus = 1u64 << (if format == BINARY32 { 31 } else { 63 });
    for inputs in [[0, 0], [0, minus], [minus, 0], [minus, minus]] {
        let Ok(results) = eval(program, &mut Bits, &inputs);
        if results[0] & !minus != 0 {
            return Err(Refusal::No("the length of (0, 0) is not 0"));
        }
    }
    Ok(Verdict {
        bound: 0.0,
        nearest: true,
        overflows: false,
    })
}

enum Found {
    Bound(Verdict),
    Split(usize, Option<i32>),
    Nothing(&'static str),
}

fn examine(program: &Program, function: Function, pairs: &PairBox, format: Format) -> Vec<Found> {
    match of_box(program, function, pairs, format) {
        Ok((verdict, Some(by))) if verdict.bound > 0.5 + FINE && pairs.can_split(by) => {
            vec![Found::Split(by, None)]
        }
        Ok((verdict, _)) => vec![Found::Bound(verdict)],
        Err(Refusal::Cut(by, at)) if pairs.can_cut(by, at) => vec![Found::Split(by, Some(at))],
        Err(Refusal::Split(by) | Refusal::Cut(by, _)) if pairs.can_split(by) => {
            vec![Found::Split(by, None)]
        }
        Err(Refusal::Split(_) | Refusal::Cut(..)) => {
            vec![Found::Nothing("a value varies too much in one binade")]
        }
        Err(Refusal::No(why)) => vec![Found::Nothing(why)],
    }
}

/// The bound of a kernel of a function over boxes of pairs. At most this many boxes are examined, by this many threads (0: one per core), until
/// `ends` returns true.
///
/// # Panics
/// If the kernel does not have two arguments of one format ([`format_of`]).
#[must_use]
pub fn bound_pairs(
    program: &Program,
    function: Function,
    boxes: &[PairBox],
    most: u64,
    threads: usize,
    ends: &(dyn Fn() -> bool + Sync),
) -> PairsBound {
    let format = format_of(program).expect("a kernel of two arguments");
    let mut bound = PairsBound {
        pairs: boxes.iter().map(|b| b.count(format)).sum(),
        ..PairsBound::default()
    };
    let mut work: Vec<PairBox> = boxes.to_vec();
    while !work.is_empty() {
        // The last are the smallest: the list stays short.
        let round = work.split_off(work.len().saturating_sub(ROUND));
        if bound.looked >= most || ends() {
            work.extend(round);
            break;
        }
        bound.looked += round.len() as u64;
        let found = parallel::each(
            &round,
            threads,
            || (),
            |(), b| match ends() {
                true => None,
                false => examine(program, function, b, format).pop(),
            },
        );
        for (pairs, found) in round.into_iter().zip(found) {
            match found {
                None => work.push(pairs),
                Some(Found::Split(by, at)) => work.extend(pairs.split(by, at, format)),
                Some(Found::Bound(verdict)) => bound.add(pairs, verdict, format),
                Some(Found::Nothing(why)) => {
                    // A kernel that looks at signs needs boxes of one sign, and others may need smaller boxes.
                    let wide = (0..2).max_by_key(|&i| pairs.binades(i)).unwrap_or(0);
                    if pairs.has_both_signs() {
                        work.extend(pairs.of_signs());
                    } else if pairs.can_split(wide) {
                        work.extend(pairs.split(wide, None, format));
                    } else {
                        bound.leave_out(why, pairs, format);
                    }
                }
            }
        }
    }
    for pairs in work {
        bound.leave_out("they were not examined", pairs, format);
    }
    bound
}

impl PairsBound {
    fn add(&mut self, pairs: PairBox, verdict: Verdict, format: Format) {
        self.boxes += 1;
        if verdict.overflows {
            self.may_overflow += pairs.count(format);
        }
        let worse = self.verdict.is_none_or(|v| verdict.bound > v.bound);
        self.verdict = Some(self.verdict.map_or(verdict, |v| v.worse(verdict)));
        if worse {
            self.worst = Some(pairs.clone());
        }
        self.closed.push(pairs);
    }

    fn leave_out(&mut self, why: &'static str, pairs: PairBox, format: Format) {
        let (count, boxes) = self.left_out.entry(why).or_default();
        *count += pairs.count(format);
        boxes.push(pairs);
    }
}
