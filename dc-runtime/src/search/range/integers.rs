//! Ranges of integers.
//!
//! | text | integers |
//! |---|---|
//! | `all` | every integer of 32 bits; of those of 64 bits, the first 2^24 of the sample |
//! | `-5..10`, `0..=0xffff` | the integers from the first to the second |
//! | `2^28 of all`, `2^24..2^25 of all` | as many of the sample, or those with these numbers |

use std::fmt;

use super::error::{InputError, RangeError};
use super::pairs::{self, DEFAULT, numbered};
use super::spans::{Range, Span};
use crate::model::integers::{Int, Integers};
use crate::model::show::quote;
use crate::model::space::{InputSpace, Order};

/// Parses an integer of a type, in decimal or hexadecimal. Returns its key.
fn key(text: &str, int: Int) -> Result<i64, String> {
    let plain = text.trim();
    let bits = plain.strip_prefix("bits:").unwrap_or(plain);
    let (sign, digits) = match bits.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, bits),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16),
        None => digits.parse::<u64>().map(i128::from),
    };
    let value = value.map_err(|_| format!("`{}` is no integer", quote(plain)))?;
    int.key(sign * value)
        .ok_or_else(|| format!("`{}` is no {}", quote(plain), int.name()))
}

/// Parses one integer. Returns the space that contains it, and its key.
pub(super) fn place(text: &str, integers: Integers) -> Result<(InputSpace, i64), InputError> {
    let order = Order::Every;
    let key = key(text, integers.int).map_err(|problem| InputError::Integer {
        text: quote(text),
        problem,
    })?;
    Ok((InputSpace::Integers(Integers { order, ..integers }), key))
}

/// Parses a range.
pub(super) fn parse(text: &str, integers: Integers) -> Result<Range, RangeError> {
    let refuse = |part: &str, problem: String| {
        RangeError {
        text: quote(text),
        position: text.find(part).map_or(1, |at| text[..at].chars().count() + 1),
        problem,
        remedy: "write all, integers in ascending order, such as -5..10, 20..=0xff, or how many of the sample, such as 2^26 of all".into(),
    }
    };
    let Integers { int, .. } = integers;
    let (order, numbers) = match text.trim().split_once(" of ") {
        Some((numbers, all)) if all.trim() == "all" => (Order::Sample, numbers),
        Some((_, other)) => {
            return Err(refuse(other, format!("`{}` is not all", quote(other))));
        }
        None if text.trim() == "all" => {
            let space = Integers::of(int);
            let [first, last] = space.keys();
            let last = match space.order {
                Order::Every => last,
                Order::Sample => DEFAULT - 1,
            };
            return Ok(Range {
                space: InputSpace::Integers(space),
                spans: vec![Span { first, last }],
            });
        }
        None => (Order::Every, text),
    };
    let mut spans: Vec<Span> = Vec::new();
    for part in numbers.split(',') {
        let span = match order {
            Order::Sample => numbered(part.trim()).ok_or_else(|| {
                refuse(part, format!("`{}` is not a number of inputs", quote(part)))
            })?,
            Order::Every => {
                let (first, last) = part
                    .split_once("..")
                    .ok_or_else(|| refuse(part, format!("`{}` is no range", quote(part))))?;
                let bound = |text: &str| key(text, int).map_err(|e| refuse(text, e));
                let first = bound(first)?;
                match last.strip_prefix('=') {
                    Some(last) => Span {
                        first,
                        last: bound(last)?,
                    },
                    None => Span {
                        first,
                        last: bound(last)?.saturating_sub(1),
                    },
                }
            }
        };
        if span.first > span.last || spans.last().is_some_and(|s| s.last >= span.first) {
            return Err(refuse(
                part,
                format!("`{}` is not above what comes before it", quote(part)),
            ));
        }
        spans.push(span);
    }
    Ok(Range {
        space: InputSpace::Integers(Integers { int, order }),
        spans,
    })
}

/// Writes a range so that [`parse`] reads the same range.
pub(super) fn write(range: &Range, integers: Integers, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if integers.order == Order::Sample {
        pairs::write_numbers(range, f)?;
        return f.write_str(" of all");
    }
    for (i, s) in range.spans.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let [first, last] = [s.first, s.last].map(|k| integers.int.of_key(k));
        write!(f, "{comma}{first}..={last}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_what_they_mean() {
        for (signature, text, count, sample) in [
            ("i32", "all", 1u128 << 32, false),
            ("u64", "all", 1 << 24, true),
            ("u64", "2^20..2^21 of all", 1 << 20, true),
            ("i32", "-5..10", 15, false),
            ("u32", "0..=0xffffffff", 1 << 32, false),
            (
                "u64",
                "0xfffffffffffffff0..=18446744073709551615",
                16,
                false,
            ),
            (
                "i64",
                "-0x8000000000000000..=0x7fffffffffffffff",
                1 << 64,
                false,
            ),
            ("i64", "1..3, 5..=5", 3, false),
        ] {
            let space = InputSpace::of_signature(signature).expect(signature);
            let range = Range::parse(text, space).expect(text);
            assert_eq!(
                (range.count(), range.space().is_sample()),
                (count, sample),
                "{text}"
            );
            assert_eq!(Range::parse(&range.to_string(), space), Ok(range), "{text}");
        }
        let space = InputSpace::of_signature("i32").expect("a space");
        for (text, problem) in [
            ("5", "`5` is no range"),
            ("1.5..2", "`1.5` is no integer"),
            ("5..5", "is not above"),
            ("7..9, 1..2", "is not above"),
            ("0..=2147483648", "`2147483648` is no i32"),
            ("5..7 of some", "`some` is not all"),
            ("", "is no range"),
        ] {
            let e = Range::parse(text, space).expect_err(text).to_string();
            assert!(e.contains(problem), "{e}");
        }
        let (one, key) = crate::search::range::place("-2", space).expect("an integer");
        assert_eq!(one.show(key), "-2 = 0xfffffffe");
        assert!(crate::search::range::place("2.5", space).is_err());
    }
}
