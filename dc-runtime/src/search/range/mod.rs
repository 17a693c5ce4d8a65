//! Ranges of inputs, in the order of the reals.
//!
//! | text | inputs |
//! |---|---|
//! | `1.0..2.0` | from 1 up to 2, without 2 |
//! | `-1.0..=1.0` | from -1 to 1, both included, and both zeros |
//! | `0x1.8p0..=0x1.cp0` | hex-floats: exact or refused |
//! | `bits:0x3ff0000000000000..=bits:0x3ff00000000000ff` | the bits themselves, zero-extended |
//! | `all` | every bit pattern, NaNs included |
//! | `finite` | from the smallest to the largest finite number |
//! | `subnormals` | subnormals of both signs and the zeros between them |
//! | `positive`, `negative` | the finite numbers of one sign, without zero |
//! | `positive-normals`, `negative-normals` | the normal numbers of one sign |
//! | `normals` | normal numbers of both signs: two stretches |
//! | `-2.0..=-1.0, 1.0..2.0` | several stretches, ascending and apart |
//!
//! Decimals are rounded to nearest in the routine's precision, like a Rust literal. `-0.0` comes directly before `0.0`:
//! `0.0..1.0` does not contain it and `-0.0..1.0` does.
//!
//! For integers see `integers.rs`. For routines of two arguments, a range is a box and a number of pairs in it: see `pairs.rs`.

mod error;
mod integers;
mod item;
mod number;
mod pairs;
mod sets;
mod spans;

use std::fmt;

use crate::model::key::Precision;
use crate::model::space::InputSpace;
use item::{Context, parse_item};

pub use error::{InputError, RangeError};
pub use number::power;
pub(crate) use sets::specials;
pub use spans::{Range, Span, SpansError};

#[doc(hidden)]
pub use crate::model::show::quote;

/// Parses one input, written like a bound of a range. Returns its key.
///
/// # Errors
/// If the text is not an input. The error has the text, the character and the remedy.
pub fn input(text: &str, precision: Precision) -> Result<i64, InputError> {
    let text = text.trim();
    let refuse = |offset: usize, problem: &str, remedy: &str| InputError::Number {
        text: quote(text),
        position: text.get(..offset).unwrap_or(text).chars().count() + 1,
        problem: problem.into(),
        remedy: remedy.into(),
    };
    if text.is_empty() {
        return Err(refuse(0, "it is empty", "write a number, as in 1.5"));
    }
    if text
        .trim_start_matches(['-', '+'])
        .eq_ignore_ascii_case("nan")
    {
        let remedy = "give its bits, as in bits:0x7ff8000000000000";
        return Err(refuse(0, "there are many NaNs", remedy));
    }
    number::parse(text, precision).map_err(|e| refuse(e.offset, &e.problem, &e.remedy))
}

/// Parses one input of a routine of one or two arguments. Returns the input space that contains it, and its key there.
///
/// # Errors
/// As for [`input`].
pub fn place(text: &str, inputs: InputSpace) -> Result<(InputSpace, i64), InputError> {
    match inputs {
        InputSpace::Numbers(precision) => Ok((inputs, input(text, precision)?)),
        InputSpace::Scattered(_) => place(text, inputs.whole()),
        InputSpace::Integers(all) => integers::place(text, all),
        InputSpace::Pairs(pairs) => Ok((pairs::one(text, pairs.precision)?, 0)),
        InputSpace::Stored(stored) => {
            let one = match stored.pairs {
                false => InputSpace::Numbers(Precision::F32),
                true => InputSpace::pairs(Precision::F32),
            };
            let (space, key) = place(text, one)?;
            let words: Vec<u64> = space.words(key).collect();
            let number = stored.number(&words);
            let number = number.map_err(|reason| InputError::Stored {
                text: quote(text),
                reason,
            })?;
            Ok((inputs, number))
        }
    }
}

impl Range {
    /// Parses a range; see the [module](self) for its syntax.
    ///
    /// # Errors
    /// If the text is not a range. The error has the text, the character and the remedy.
    pub fn parse(text: &str, inputs: impl Into<InputSpace>) -> Result<Range, RangeError> {
        let space = inputs.into();
        match space {
            InputSpace::Numbers(_) => {}
            InputSpace::Scattered(_) => return Range::parse(text, space.whole()),
            InputSpace::Pairs(_) => return pairs::parse(text, space.precision()),
            InputSpace::Stored(_) => return pairs::parse_stored(text, space),
            InputSpace::Integers(all) => return integers::parse(text, all),
        }
        let precision = space.precision();
        let mut spans: Vec<Span> = Vec::new();
        let mut at = 0;
        for item in text.split(',') {
            let lead = item.len() - item.trim_start().len();
            let context = Context {
                text,
                at: at + lead,
                precision,
            };
            for span in parse_item(item.trim(), &context)? {
                if spans.last().is_some_and(|s| s.last >= span.first) {
                    return Err(context.error(
                        0,
                        format!(
                            "`{}` does not lie above what comes before it",
                            quote(item.trim())
                        ),
                        "write the stretches in ascending order, without overlap",
                    ));
                }
                spans.push(span);
            }
            at += item.len() + 1;
        }
        Ok(Range { space, spans })
    }
}

/// Writes the range exactly, as bits, so that [`Range::parse`] reads the same range.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.space {
            InputSpace::Numbers(_) => {}
            InputSpace::Pairs(pairs) => return pairs::write(self, &pairs, f),
            InputSpace::Integers(all) => return integers::write(self, all, f),
            InputSpace::Stored(_) | InputSpace::Scattered(_) => {
                return pairs::write_numbers(self, f);
            }
        }
        let digits = match self.precision() {
            Precision::F32 => 8,
            Precision::F64 => 16,
        };
        for (i, s) in self.spans.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let [a, b] = [s.first, s.last].map(|k| self.precision().bits_of_key(k));
            write!(f, "{comma}bits:0x{a:0digits$x}..=bits:0x{b:0digits$x}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
