//! The subject of `bound` for two arguments.

use dc_exact::num::float::{BINARY32, BINARY64, Format};
use dc_exact::pairs::{Function as Equation, PairBox, Sign, Span, format_of};
use kernels_gen::program::Program;

use super::Refused;
use crate::model::function::Function;
use crate::model::key::Precision;
use crate::model::keys::Keys;
use crate::model::programs::program_of;
use crate::search::identity::kernel_name;
use crate::search::range::Range;
use crate::sweep::Sweep;

/// A sweep of two arguments whose errors can be bounded.
#[derive(Debug, Clone)]
pub struct PairSubject {
    /// The routine.
    pub program: Program,
    /// The function, as the equation that it solves.
    pub function: Equation,
    /// Its name.
    pub name: &'static str,
    /// The finite pairs of the range.
    pub boxes: Vec<PairBox>,
    /// The number of these pairs; the two zeros count as two.
    pub pairs: u128,
    /// The number of pairs with an infinity or a NaN, which are excluded.
    pub special: u128,
}

/// The format of a precision.
#[must_use]
pub const fn format(precision: Precision) -> Format {
    match precision {
        Precision::F32 => BINARY32,
        Precision::F64 => BINARY64,
    }
}

/// The finite numbers of an argument, by sign, and the number of all others.
fn spans(keys: Keys, precision: Precision) -> (Vec<Span>, u128) {
    let format = format(precision);
    let key = |x: f64| match precision {
        Precision::F32 => precision.key_of_bits(u64::from((x as f32).to_bits())),
        Precision::F64 => precision.key_of_bits(x.to_bits()),
    };
    let most = format.max();
    let least = f64::from_bits(1).max(match precision {
        Precision::F32 => f64::from(f32::from_bits(1)),
        Precision::F64 => f64::from_bits(1),
    });
    // The numbers of the stretch between two numbers.
    let part = |from: f64, to: f64| {
        let (first, last) = (keys.first.max(key(from)), keys.last.min(key(to)));
        (first <= last).then(|| [first, last].map(|k| precision.value_of_key(k)))
    };
    let magnitudes = |[a, b]: [f64; 2]| [a.abs().min(b.abs()), a.abs().max(b.abs())];
    let plus = part(least, most).map(magnitudes);
    let minus = part(-most, -least).map(magnitudes);
    let mut spans = Vec::new();
    let zeros = Keys {
        first: keys.first.max(key(-0.0)),
        last: keys.last.min(key(0.0)),
    };
    if zeros.first <= zeros.last {
        spans.push(Span::ZERO);
    }
    let span = |sign| move |[lo, hi]: [f64; 2]| Span { lo, hi, sign };
    if plus.is_some() && plus == minus {
        spans.extend(plus.map(span(Sign::Any)));
    } else {
        spans.extend(plus.map(span(Sign::Plus)));
        spans.extend(minus.map(span(Sign::Minus)));
    }
    let finite: u128 = spans.iter().map(|s| s.count(format)).sum();
    // A range may have one zero alone; the other is then looked at besides.
    (spans, keys.count().saturating_sub(finite))
}

impl PairSubject {
    /// The subject for a sweep over a range of pairs. For a sample, it is all pairs of its box.
    ///
    /// # Errors
    /// See [`Refused`].
    pub fn of(sweep: &Sweep, range: &Range) -> Result<PairSubject, Refused> {
        let Some(space) = range.space().of_pairs() else {
            return Err(Refused::Arguments(sweep.name));
        };
        let Some(candidate) = sweep.candidate.program() else {
            return Err(Refused::Host {
                sweep: sweep.name,
                why: sweep.why_accuracy_only(),
            });
        };
        let (function, name) = match sweep.truth {
            Some(f @ Function::Hypot) => (Equation::Hypot, f.name()),
            Some(f @ Function::Div) => (Equation::Div, f.name()),
            _ => return Err(Refused::Equation(sweep.name)),
        };
        let program = program_of(candidate)?;
        if format_of(program) != Some(format(space.precision)) {
            return Err(Refused::Results {
                sweep: sweep.name,
                kernel: kernel_name(candidate),
                results: program.entry().results.len(),
            });
        }
        let [first, second] = space.arguments.map(|keys| spans(keys, space.precision));
        let boxes: Vec<PairBox> = (first.0.iter())
            .flat_map(|&x| {
                second.0.iter().map(move |&y| PairBox {
                    spans: [x, y],
                    first_is_larger: None,
                })
            })
            .collect();
        if boxes.is_empty() {
            return Err(Refused::NoNumbers);
        }
        let f = format(space.precision);
        let [n, m] =
            [&first, &second].map(|(spans, _)| spans.iter().map(|s| s.count(f)).sum::<u128>());
        let special = first.1 * space.arguments[1].count() + n * second.1;
        Ok(PairSubject {
            program: program.clone(),
            function,
            name,
            boxes,
            pairs: n * m,
            special,
        })
    }
}
