//! Ranges of routines of two arguments: a number of pairs in a box.
//!
//! | text | pairs |
//! |---|---|
//! | `all`, `finite`, `subnormals` | the first 2^24 of the sample of all pairs of such numbers |
//! | `0.5..2.0 x -8.0..8.0` | the first 2^24 of the sample in this box: the range of the first argument, and that of the second |
//! | `2^28 of all` | the first 2^28 pairs of the sample |
//! | `2^24..2^25 of all` | the pairs with these numbers, instead of the first ones |
//! | `every of 1.0..=1.0 x all` | every pair of the box. A box with no more pairs than the sample is also taken like this |
//! | `2^28` | as `2^28 of all` |
//!
//! The range of an argument is a single stretch. The numbers of pairs depend only on the box, and not on how many pairs are taken.

use std::fmt;

use super::error::{InputError, RangeError};
use super::item::{Context, parse_item};
use super::number::{self, power};
use super::spans::{Range, Span};
use crate::model::key::Precision;
use crate::model::keys::Keys;
use crate::model::show::quote;
use crate::model::space::{InputSpace, Order, PairSpace};

/// The number of pairs if none is given.
pub(super) const DEFAULT: i64 = 1 << 24;
const FORMS: &str = "write a box and, if you like, how many of its pairs, as in all, 2^26 of 0.5..2.0 x -8.0..8.0 or every of 1.0..=1.0 x all";

/// Parses such a range.
pub(super) fn parse(text: &str, precision: Precision) -> Result<Range, RangeError> {
    // The position of a part of the text; for text from elsewhere, the beginning.
    let at = |part: &str| {
        let at = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        if at > text.len() { 0 } else { at }
    };
    let refuse = |part: &str, problem: String, remedy: &str| {
        let context = Context {
            text,
            at: at(part),
            precision,
        };
        context.error(0, problem, remedy)
    };
    let trimmed = text.trim();
    let (numbers, bounds) = match trimmed.split_once(" of ") {
        Some((numbers, bounds)) => (Some(numbers.trim()), bounds.trim()),
        None if count(trimmed).is_some() => (Some(trimmed), "all"),
        None => (None, trimmed),
    };
    let (order, numbers) = match numbers.map(|n| n.strip_prefix("every").ok_or(n)) {
        Some(Ok(rest)) => (
            Order::Every,
            Some(rest.trim_start()).filter(|r| !r.is_empty()),
        ),
        Some(Err(numbers)) => (Order::Sample, Some(numbers)),
        None => (Order::Sample, None),
    };
    let sides = match bounds.split_once(" x ") {
        Some((x, y)) => [x.trim(), y.trim()],
        None => [bounds; 2],
    };
    if bounds.split_once(" x ").is_none() && bounds.contains("..") {
        let problem = format!("`{}` is a range of one argument", quote(bounds));
        return Err(refuse(
            bounds,
            problem,
            "write one for each of the two, as in 0.5..2.0 x -8.0..8.0",
        ));
    }
    let mut arguments = [Keys::all(precision); 2];
    for (keys, side) in arguments.iter_mut().zip(sides) {
        let context = Context {
            text,
            at: at(side),
            precision,
        };
        match parse_item(side, &context)?[..] {
            [Span { first, last }] => *keys = Keys { first, last },
            _ => {
                let problem = format!("`{}` has more than one stretch", quote(side));
                return Err(refuse(
                    side,
                    problem,
                    "write one stretch for each argument, as in 1.0..2.0",
                ));
            }
        }
    }
    let written = order;
    // If a box has no more pairs than are requested, each pair is taken once.
    let order = match order {
        Order::Sample if is_small(arguments, numbers) => Order::Every,
        order => order,
    };
    let pairs = PairSpace {
        precision,
        arguments,
        order,
    };
    let Some(last) = pairs.last() else {
        let problem = format!(
            "the box has {} pairs, too many to take every one",
            pairs.size()
        );
        return Err(refuse(
            bounds,
            problem,
            "take a smaller box, or a sample of it: leave `every` out",
        ));
    };
    let whole = match order {
        Order::Every => Span { first: 0, last },
        Order::Sample => Span {
            first: 0,
            last: DEFAULT - 1,
        },
    };
    let mut spans: Vec<Span> = Vec::new();
    for part in numbers.iter().flat_map(|n| n.split(',')) {
        let span = numbered(part.trim()).ok_or_else(|| {
            let problem = format!("`{}` is not a number of pairs", quote(part.trim()));
            refuse(part, problem, FORMS)
        })?;
        // As many as there are, where more are asked for.
        let span = match written {
            Order::Sample if order == Order::Every => Span { first: 0, last },
            _ => span,
        };
        if span.last > last {
            let problem = format!("the box has only {} pairs", pairs.size());
            return Err(refuse(part, problem, "write fewer"));
        }
        if spans.last().is_some_and(|s| s.last >= span.first) {
            let problem = format!(
                "`{}` does not lie above what comes before it",
                quote(part.trim())
            );
            return Err(refuse(
                part,
                problem,
                "write the numbers in ascending order, without overlap",
            ));
        }
        spans.push(span);
    }
    if spans.is_empty() {
        spans.push(whole);
    }
    Ok(Range {
        space: InputSpace::Pairs(pairs),
        spans,
    })
}

/// Whether a box has no more pairs than a sample, from its beginning, would take from it.
fn is_small(arguments: [Keys; 2], numbers: Option<&str>) -> bool {
    let [x, y] = arguments.map(Keys::count);
    let taken = match numbers {
        None => Some(DEFAULT),
        Some(numbers) => count(numbers),
    };
    let size = x.saturating_mul(y);
    taken.is_some_and(|n| size <= u128::from(n.unsigned_abs()))
}

/// Parses a range of stored numbers: `all`, or some by their numbers, in the form used for pairs.
pub(super) fn parse_stored(text: &str, space: InputSpace) -> Result<Range, RangeError> {
    let all = Span {
        first: space.min_key(),
        last: space.max_key(),
    };
    let mut spans: Vec<Span> = Vec::new();
    for part in text.split(',').map(str::trim) {
        let span = match part {
            "all" => Some(all),
            part => numbered(part).filter(|s| s.last <= all.last),
        };
        let context = Context {
            text,
            at: 0,
            precision: space.precision(),
        };
        let span = span.filter(|s| spans.last().is_none_or(|l| l.last < s.first));
        spans.push(span.ok_or_else(|| {
            let problem = format!(
                "`{}` is not a range of numbers stored in 16 bits",
                quote(part)
            );
            let remedy = format!(
                "write all, or how many of the {}, or which, as in 1000..2000, in ascending order",
                crate::model::show::count(all.count())
            );
            context.error(0, problem, &remedy)
        })?);
    }
    Ok(Range { space, spans })
}

/// A number of pairs, or the number of one: `1000`, `2^20`.
fn count(text: &str) -> Option<i64> {
    i64::try_from(power(text)?).ok()
}

/// `1000` means the first thousand; `1000..2000` is also possible.
pub(super) fn numbered(text: &str) -> Option<Span> {
    let (first, end) = match text.split_once("..") {
        Some((first, end)) => (count(first.trim())?, count(end.trim())?),
        None => (0, count(text)?),
    };
    (first < end).then_some(Span {
        first,
        last: end - 1,
    })
}

/// Parses one pair: `0.5, 3.0`. Returns the box with only this pair.
pub(super) fn one(text: &str, precision: Precision) -> Result<InputSpace, InputError> {
    let refuse = |problem: &str| InputError::Pair {
        text: quote(text),
        problem: problem.into(),
    };
    let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
    let (x, y) = inner
        .split_once(',')
        .ok_or_else(|| refuse("it is one number"))?;
    let key = |text: &str| number::parse(text.trim(), precision).map_err(|e| refuse(&e.problem));
    let only = |key| Keys {
        first: key,
        last: key,
    };
    Ok(InputSpace::Pairs(PairSpace {
        precision,
        arguments: [only(key(x)?), only(key(y)?)],
        order: Order::Every,
    }))
}

/// Writes a range so that [`parse`] reads the same range.
pub(super) fn write(range: &Range, pairs: &PairSpace, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if pairs.order == Order::Every {
        f.write_str("every ")?;
    }
    write_numbers(range, f)?;
    f.write_str(" of ")?;
    for (i, keys) in pairs.arguments.iter().enumerate() {
        let by = if i == 0 { "" } else { " x " };
        let one = Range {
            space: InputSpace::Numbers(pairs.precision),
            spans: vec![Span {
                first: keys.first,
                last: keys.last,
            }],
        };
        write!(f, "{by}{one}")?;
    }
    Ok(())
}

/// The numbers of a range, in the form that [`numbered`] parses.
pub(super) fn write_numbers(range: &Range, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, s) in range.spans.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        // The number after the last may be 2^63.
        write!(f, "{comma}{}..{}", s.first, s.last as u64 + 1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: InputSpace = InputSpace::pairs(Precision::F32);

    fn range(text: &str) -> Range {
        Range::parse(text, SPACE).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn texts_and_what_they_mean() {
        for (text, first, last, size) in [
            ("all", 0, (1 << 24) - 1, "2^64"),
            ("2^20", 0, (1 << 20) - 1, "2^64"),
            ("2^24..2^25 of all", 1 << 24, (1 << 25) - 1, "2^64"),
            ("1000 of 1.0..2.0 x 0.5..1.0", 0, 999, "2^46"),
            ("every of 1.0..=1.0 x all", 0, u32::MAX.into(), "2^32"),
            (
                "every of 1.0..=0x1.000002p0 x 0.0..=0x0.000004p-126",
                0,
                5,
                "6",
            ),
            ("every 2..4 of 1.0..=1.0 x 0.0..=1.0", 2, 3, "1,065,353,217"),
            ("finite", 0, (1 << 24) - 1, "about 2^64.0"),
        ] {
            let r = range(text);
            assert_eq!(r.spans(), [Span { first, last }], "{text}");
            let pairs = r.space().of_pairs().expect("pairs");
            let shown = if size == "2^32" {
                "4,294,967,296"
            } else {
                size
            };
            assert_eq!(pairs.size(), shown, "{text}");
            let again = r.to_string();
            assert_eq!(range(&again), r, "{text}: {again}");
            assert_eq!(r.space().is_sample(), !text.starts_with("every"));
        }
        let apart = range("0..10, 20..30 of all");
        assert_eq!(apart.count(), 20);
        assert_eq!(range(&apart.to_string()), apart);
    }

    /// A box of one pair is searched as one input, not as 2^24 copies of it.
    #[test]
    fn a_box_with_no_more_pairs_than_are_taken_is_taken_whole() {
        for (text, count) in [
            ("1.0..=1.0 x 2.0..=2.0", 1),
            ("2^20 of 1.0..=1.0 x 2.0..=2.0", 1),
            ("1.0..=1.0 x 1.0..=1.0002", 1679),
            ("1679 of 1.0..=1.0 x 1.0..=1.0002", 1679),
        ] {
            let r = range(text);
            assert_eq!((r.count(), r.space().is_sample()), (count, false), "{text}");
            assert_eq!(range(&r.to_string()), r, "{text}");
        }
        // Fewer than there are, and pairs by their numbers, are of the sample.
        for text in [
            "1678 of 1.0..=1.0 x 1.0..=1.0002",
            "0..9999 of 1.0..=1.0 x 1.0..=1.0002",
        ] {
            assert!(range(text).space().is_sample(), "{text}");
        }
    }

    #[test]
    fn what_is_no_range_of_pairs() {
        for (text, problem) in [
            ("1.0..2.0", "is a range of one argument"),
            ("normals", "has more than one stretch"),
            ("all x", "is no range"),
            ("all x 1.0..0.5", "the first bound lies above the second"),
            ("many of all", "`many` is not a number of pairs"),
            ("5..5 of all", "`5..5` is not a number of pairs"),
            ("0..10, 5..20 of all", "does not lie above"),
            ("every of all", "the box has 2^64 pairs, too many"),
            (
                "every 0..7 of 1.0..=1.0 x -0.0..=0.0",
                "the box has only 2 pairs",
            ),
            ("2^63 of all", "is not a number of pairs"),
            ("", "nothing here"),
        ] {
            let e = Range::parse(text, SPACE).expect_err(text);
            assert!(e.problem.contains(problem), "{text}: {e}");
        }
    }

    #[test]
    fn what_is_stored_is_taken_by_numbers() {
        let all = InputSpace::of_signature("half,half").expect("a space");
        for (text, count) in [("all", 1 << 32), ("2^20", 1 << 20), ("5..7, 10..11", 3)] {
            let range = Range::parse(text, all).expect(text);
            assert_eq!(range.count(), count, "{text}");
            assert_eq!(Range::parse(&range.to_string(), all), Ok(range));
        }
        for text in ["1.0..2.0", "2^33", "7..5", "5..7, 6..8", ""] {
            let e = Range::parse(text, all).expect_err(text).to_string();
            assert!(e.contains("how many of the 4,294,967,296"), "{e}");
        }
        let one = InputSpace::of_signature("bfloat").expect("a space");
        let (space, key) = crate::search::range::place("1.5", one).expect("a number");
        assert_eq!(space.decimal(key), "1.5");
        assert!(crate::search::range::place("1.001", one).is_err());
        let (space, key) = crate::search::range::place("0.5, -3.0", all).expect("a pair");
        assert_eq!(space.decimal(key), "(0.5, -3.0)");
    }

    #[test]
    fn one_pair() {
        let space = one("0.5, -3.0", Precision::F64).expect("a pair");
        assert_eq!(space.decimal(0), "(0.5, -3.0)");
        assert_eq!(space.max_key(), 0);
        let shown = space.input(0);
        assert_eq!(one(&shown, Precision::F64), Ok(space));
        for bad in ["0.5", "", "0.5,", "0.5,nan,3", "a,b"] {
            let e = one(bad, Precision::F64).expect_err(bad).to_string();
            assert!(e.contains("write the two arguments"), "{e}");
        }
    }
}
