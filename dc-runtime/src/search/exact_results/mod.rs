//! Inputs whose true value is exactly a number of the result's format: log10(1000), cbrt(27), 2^10. A routine that misses such a value is
//! wrong where nobody expects it, by an error that may be far below its largest one.
//!
//! They are looked for separately and not in the search. The search's reference knows its value to about 98 bits, so it cannot distinguish a
//! value that is exactly a number from one that is close to it. `value.rs` has what is known about the values of each function.

mod cases;
mod value;

use super::range::Range;
use crate::fenv::Guard;
use crate::model::candidate::Candidate;
use crate::model::error::BackendError;
use crate::model::function::Function;
use crate::model::key::Precision;
use crate::model::space::InputSpace;
use crate::model::stored;
use value::{Format, value};

/// The number of these results that are missed.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct ExactResults {
    /// The number of evaluated inputs whose true value is exactly a number of the format.
    pub cases: u64,
    /// Whether these are all inputs of the range that are known to have such a value.
    pub complete: bool,
    /// The number of inputs at which the result is another number, an infinity or a NaN. Zeros of both signs are the same number.
    pub missed: u64,
    /// The first of these inputs.
    pub first: Option<Missed>,
}

/// A result that is not the exact one.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Missed {
    /// Bits of the arguments.
    pub arguments: Vec<u64>,
    /// Bits of the result.
    pub result: u64,
    /// Bits of the true value.
    pub exact: u64,
}

/// Evaluates a routine at the inputs of a range at which its function is known to have an exact value: at all of them, or at a sample of
/// about 2^16.
///
/// # Errors
/// If the routine gives no result.
pub fn check(
    candidate: &Candidate,
    function: Function,
    range: &Range,
) -> Result<ExactResults, BackendError> {
    let space = range.space().whole();
    let range = match range.space() {
        // Single inputs at random places are not a range of their own.
        InputSpace::Scattered(_) => return Ok(ExactResults::default()),
        _ => range,
    };
    let precision = space.precision();
    let format = format(space);
    let cases = cases::cases(function, format, range);
    let known = |words: &Vec<u64>| {
        let arguments: Vec<f64> = words.iter().map(|w| precision.value_of_bits(*w)).collect();
        value(function, &arguments, format)
    };
    let (words, values): (Vec<Vec<u64>>, Vec<f64>) = (cases.words.into_iter())
        .filter_map(|words| known(&words).map(|value| (words, value)))
        .unzip();
    let mut found = ExactResults {
        cases: words.len() as u64,
        complete: cases.complete,
        ..ExactResults::default()
    };
    if words.is_empty() {
        return Ok(found);
    }
    let columns: Vec<Vec<u64>> = (0..space.arguments().len())
        .map(|argument| words.iter().map(|w| w[argument]).collect())
        .collect();
    let mut results = vec![Vec::new()];
    {
        let _guard = Guard::new();
        candidate.eval(&columns, &mut results)?;
    }
    for ((words, value), &result) in words.into_iter().zip(values).zip(&results[0]) {
        if precision.value_of_bits(result) == value {
            continue;
        }
        found.missed += 1;
        found.first.get_or_insert_with(|| Missed {
            arguments: words,
            result,
            exact: match precision {
                Precision::F32 => (value as f32).to_bits().into(),
                Precision::F64 => value.to_bits(),
            },
        });
    }
    Ok(found)
}

/// The format of the results.
fn format(space: InputSpace) -> Format {
    match (space, space.precision()) {
        (InputSpace::Stored(s), _) => match s.format {
            stored::Format::Half => Format::HALF,
            stored::Format::Bfloat => Format::BFLOAT,
        },
        (_, Precision::F32) => Format::BINARY32,
        (_, Precision::F64) => Format::BINARY64,
    }
}

#[cfg(test)]
mod tests;
