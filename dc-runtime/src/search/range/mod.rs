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
//! For routines of two arguments, a range is a box of pairs and their number: see `pairs.rs`.

mod number;
mod pairs;
mod sets;

use std::fmt;

use crate::model::key::Precision;
use crate::model::space::InputSpace;
use crate::model::stored::StoredError;
pub(crate) use sets::specials;

/// Parses one input, written like a bound of a range; returns its key.
///
/// # Errors
/// On anything else; the error has the text, the character and the remedy.
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

/// Parses one input of a routine of one or two arguments; returns the input space that contains it, and its key there.
///
/// # Errors
/// As for [`input`].
pub fn place(text: &str, inputs: InputSpace) -> Result<(InputSpace, i64), InputError> {
    match inputs {
        InputSpace::Numbers(precision) => Ok((inputs, input(text, precision)?)),
        InputSpace::Scattered(_) => place(text, inputs.whole()),
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

/// A stretch of consecutive keys, at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// Its smallest key.
    pub first: i64,
    /// Its largest key, included.
    pub last: i64,
}

impl Span {
    /// Number of keys: up to 2^64.
    #[must_use]
    pub fn count(self) -> u128 {
        (i128::from(self.last) - i128::from(self.first) + 1) as u128
    }
}

/// The inputs of a search: stretches of keys, ascending and disjoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Range {
    space: InputSpace,
    spans: Vec<Span>,
}

impl Range {
    /// Parses a range; see the [module](self) for its syntax.
    ///
    /// # Errors
    /// On anything else; the error has the text, the character and the remedy.
    pub fn parse(text: &str, inputs: impl Into<InputSpace>) -> Result<Range, RangeError> {
        let space = inputs.into();
        match space {
            InputSpace::Numbers(_) => {}
            InputSpace::Scattered(_) => return Range::parse(text, space.whole()),
            InputSpace::Pairs(_) => return pairs::parse(text, space.precision()),
            InputSpace::Stored(_) => return pairs::parse_stored(text, space),
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

    /// The range with these stretches.
    ///
    /// # Errors
    /// If there is none, one is empty or outside the precision, or they do not ascend.
    pub fn from_spans(
        inputs: impl Into<InputSpace>,
        spans: Vec<Span>,
    ) -> Result<Range, SpansError> {
        let space = inputs.into();
        if spans.is_empty() {
            return Err(SpansError::None);
        }
        for (i, &span) in spans.iter().enumerate() {
            if span.first > span.last || span.first < space.min_key() || span.last > space.max_key()
            {
                return Err(SpansError::Outside { span, space });
            }
            if i > 0 && spans[i - 1].last >= span.first {
                return Err(SpansError::Order {
                    spans: [spans[i - 1], span],
                });
            }
        }
        Ok(Range { space, spans })
    }

    /// The input space of its keys.
    #[must_use]
    pub fn space(&self) -> InputSpace {
        self.space
    }
    /// The precision of its inputs.
    #[must_use]
    pub fn precision(&self) -> Precision {
        self.space.precision()
    }
    /// Its stretches.
    #[must_use]
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }
    /// Number of inputs: up to 2^64.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.spans.iter().map(|s| s.count()).sum()
    }
    /// Whether the input with that key is in it.
    #[must_use]
    pub fn contains(&self, key: i64) -> bool {
        self.spans.iter().any(|s| s.first <= key && key <= s.last)
    }
}

/// Writes the range so that [`Range::parse`] gives the same one: exactly, as bits.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.space {
            InputSpace::Numbers(_) => {}
            InputSpace::Pairs(pairs) => return pairs::write(self, &pairs, f),
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

/// The reason why stretches of keys do not form a range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpansError {
    /// There are none.
    #[error("no stretch of inputs")]
    None,
    /// One is empty, or outside the input space.
    #[error("stretch {}..={} of keys is not one of {}", span.first, span.last, space.signature())]
    Outside {
        /// The stretch.
        span: Span,
        /// The input space.
        space: InputSpace,
    },
    /// Two overlap or do not ascend.
    #[error(
        "stretches {}..={} and {}..={} of keys overlap or are out of order",
        spans[0].first, spans[0].last, spans[1].first, spans[1].last
    )]
    Order {
        /// The two stretches.
        spans: [Span; 2],
    },
}

/// The error for a text that is not an input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// It is not a number of the precision.
    #[error("input `{text}`, character {position}: {problem}; {remedy}")]
    Number {
        /// The whole text, on one line and truncated if it is long.
        text: String,
        /// The number of the offending character, from 1.
        position: usize,
        /// The error.
        problem: String,
        /// What to write instead.
        remedy: String,
    },
    /// It is not a pair.
    #[error(
        "input `{text}`: {problem}; write the two arguments, as in 0.5,3.0 (a NaN by its bits, as in bits:0x7fc00000)"
    )]
    Pair {
        /// The whole text, on one line and truncated if it is long.
        text: String,
        /// The error.
        problem: String,
    },
    /// It is not one of the numbers that are stored in 16 bits.
    #[error("input `{text}`: {reason}")]
    Stored {
        /// The whole text, on one line and truncated if it is long.
        text: String,
        /// The reason.
        reason: StoredError,
    },
}

/// The error for a text that is not a range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("range `{text}`, character {position}: {problem}; {remedy}")]
pub struct RangeError {
    /// The whole text, on one line and truncated if it is long.
    pub text: String,
    /// The number of the offending character, from 1.
    pub position: usize,
    /// The error.
    pub problem: String,
    /// What to write instead.
    pub remedy: String,
}

/// Shortens a text to one line of a message.
#[doc(hidden)]
#[must_use]
pub fn quote(text: &str) -> String {
    let mut s: String = text.chars().take(80).flat_map(char::escape_debug).collect();
    if text.chars().nth(80).is_some() {
        s.push('…');
    }
    s
}

/// The position of the parser.
struct Context<'a> {
    text: &'a str,
    /// Byte offset of the current item in `text`.
    at: usize,
    precision: Precision,
}

impl Context<'_> {
    /// An error `offset` bytes into the item.
    fn error(&self, offset: usize, problem: String, remedy: &str) -> RangeError {
        let upto = (self.at + offset).min(self.text.len());
        RangeError {
            text: quote(self.text),
            position: self.text[..upto].chars().count() + 1,
            problem,
            remedy: remedy.into(),
        }
    }
}

const FORMS: &str = "write bounds as in 1.0..2.0 or -1.0..=1.0, or one of: all, finite, normals, subnormals, positive, negative, positive-normals, negative-normals";

fn parse_item(item: &str, context: &Context) -> Result<Vec<Span>, RangeError> {
    if let Some(spans) = by_name(item, context.precision) {
        return Ok(spans);
    }
    if item.is_empty() {
        return Err(context.error(0, "nothing here".into(), FORMS));
    }
    let Some(dots) = item.find("..") else {
        let problem = format!("`{}` is no range", quote(item));
        return Err(context.error(0, problem, FORMS));
    };
    let (left, right) = (&item[..dots], &item[dots + 2..]);
    if right.starts_with('.') {
        let problem = "three dots".into();
        return Err(context.error(dots, problem, "write 1.0..2.0, a digit before the two dots"));
    }
    let (right, inclusive) = match right.strip_prefix('=') {
        Some(r) => (r, true),
        None => (right, false),
    };
    let right_at = item.len() - right.len();
    let bound = |text: &str, offset: usize| {
        let lead = text.len() - text.trim_start().len();
        number::parse(text.trim(), context.precision)
            .map_err(|e| context.error(offset + lead + e.offset, e.problem, &e.remedy))
    };
    let first = bound(left, 0)?;
    let end = bound(right, right_at)?;
    if first > end {
        let problem = "the first bound lies above the second".into();
        let remedy = format!("write {}..{}", quote(right.trim()), quote(left.trim()));
        return Err(context.error(0, problem, &remedy));
    }
    if first == end && !inclusive {
        let remedy = format!("write {0}..={0} for that one input", quote(left.trim()));
        return Err(context.error(0, "the range is empty".into(), &remedy));
    }
    Ok(vec![Span {
        first,
        last: if inclusive { end } else { end - 1 },
    }])
}

fn by_name(item: &str, precision: Precision) -> Option<Vec<Span>> {
    let (min_normal, infinity) = match precision {
        Precision::F32 => (
            u64::from(f32::MIN_POSITIVE.to_bits()),
            u64::from(f32::INFINITY.to_bits()),
        ),
        Precision::F64 => (f64::MIN_POSITIVE.to_bits(), f64::INFINITY.to_bits()),
    };
    // Keys of positive numbers are their bits, and the key of -x is -1 less the key of x.
    let (min_normal, infinity) = (min_normal as i64, infinity as i64);
    let mirrored = |key: i64| -1 - key;
    let span = |first, last| Span { first, last };
    Some(match item {
        "all" => vec![span(precision.min_key(), precision.max_key())],
        "finite" => vec![span(mirrored(infinity - 1), infinity - 1)],
        "positive" => vec![span(1, infinity - 1)],
        "negative" => vec![span(mirrored(infinity - 1), mirrored(1))],
        "positive-normals" => vec![span(min_normal, infinity - 1)],
        "negative-normals" => vec![span(mirrored(infinity - 1), mirrored(min_normal))],
        "subnormals" => vec![span(mirrored(min_normal - 1), min_normal - 1)],
        "normals" => vec![
            span(mirrored(infinity - 1), mirrored(min_normal)),
            span(min_normal, infinity - 1),
        ],
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
