//! Searches more inputs near the inputs at which a sample found the largest errors.
//!
//! The errors of neighbouring inputs look unrelated. But the conditions for large errors (how much of the reduced argument is lost, how
//! close the result is to a power of two) change slowly. So the worst inputs of a sample are close, on some scale, to worse ones. Stretches
//! at random distances of every magnitude from the worst inputs found are searched, and the next round starts from their worst inputs.

use super::split_mix;
use crate::model::key::Precision;
use crate::search::range::{Range, Span};

/// An input and the magnitude of its error.
pub type Found = (i64, f64);

/// The number of rounds, each of which starts from the worst inputs found so far.
const ROUNDS: u64 = 4;
/// The number of worst inputs from which a round starts.
const BEST: usize = 32;
/// The number of stretches around each of them.
const TRIES: u64 = 8;
/// Distances are from 2^8 to 2^48 keys.
const NEAREST: u32 = 8;

/// Searches about `inputs` inputs of `range` around the worst of `found`. `search` adds the worst input of each stretch that it searches to
/// `found`. Returns the searched range.
///
/// # Errors
/// As for `search`.
pub fn climb<E>(
    range: &Range,
    inputs: u64,
    seed: u64,
    found: &mut Vec<Found>,
    mut search: impl FnMut(&Range, &mut Vec<Found>) -> Result<(), E>,
) -> Result<Range, E> {
    let precision = range.precision();
    let mut random = seed;
    let mut done: Vec<Span> = Vec::new();
    for _ in 0..ROUNDS {
        // The larger error comes first; of equal ones that with the smaller key, so that the result does not depend on
        // the order in which they were found.
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        found.dedup();
        let best = &found[..found.len().min(BEST)];
        let length = inputs / (ROUNDS * TRIES * best.len().max(1) as u64);
        if length == 0 {
            break;
        }
        let mut spans = Vec::new();
        for &(key, _) in best {
            for _ in 0..TRIES {
                spans.push(near(precision, key, length, &mut random));
            }
        }
        let part = range.intersection(&Range::covering(precision, spans));
        let before = Range::covering(precision, done.clone());
        let part = without(&part, &before);
        if part.spans().is_empty() {
            break;
        }
        search(&part, found)?;
        done.extend(part.spans());
    }
    Ok(Range::covering(precision, done))
}

/// A stretch at a random distance from a key.
fn near(precision: Precision, key: i64, length: u64, random: &mut u64) -> Span {
    let magnitude = match precision {
        Precision::F32 => NEAREST + (split_mix(random) % 14) as u32,
        Precision::F64 => NEAREST + (split_mix(random) % 41) as u32,
    };
    let distance = (1 << magnitude | split_mix(random) & ((1 << magnitude) - 1)) as i64;
    let first = match split_mix(random) & 1 {
        0 => key.saturating_add(distance),
        _ => key.saturating_sub(distance),
    };
    let first = first.clamp(precision.min_key(), precision.max_key());
    Span {
        first,
        last: first
            .saturating_add_unsigned(length - 1)
            .min(precision.max_key()),
    }
}

/// The inputs of a range that are not in another one. No input may be searched twice, or the counts would be wrong.
pub fn without(range: &Range, other: &Range) -> Range {
    let mut spans = Vec::new();
    for s in range.spans() {
        let mut first = Some(s.first);
        let within = other.spans().iter();
        for o in within.filter(|o| o.first <= s.last && o.last >= s.first) {
            if let Some(f) = first.filter(|&f| f < o.first) {
                spans.push(Span {
                    first: f,
                    last: o.first - 1,
                });
            }
            first = o.last.checked_add(1).filter(|&f| f <= s.last);
        }
        spans.extend(first.map(|first| Span { first, ..*s }));
    }
    Range::covering(range.space(), spans)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn range(text: &str) -> Range {
        Range::parse(text, Precision::F64).expect(text)
    }

    #[test]
    fn what_is_left_of_pairs_are_pairs() {
        let space = crate::model::space::InputSpace::pairs(Precision::F32);
        let of = |first, last| Range::covering(space, vec![Span { first, last }]);
        let left = without(&of(0, 9), &of(3, 4));
        assert_eq!((left.space(), left.count()), (space, 8));
    }

    #[test]
    fn what_is_left_of_a_range() {
        let bits = |a: u64, b: u64| format!("bits:{a:#x}..=bits:{b:#x}");
        let whole = range(&format!("{}, {}", bits(10, 19), bits(30, 39)));
        for (other, left) in [
            (bits(12, 13), "10..=11 14..=19 30..=39"),
            (bits(10, 19), "30..=39"),
            (bits(15, 34), "10..=14 35..=39"),
            (
                format!("{}, {}", bits(0, 10), bits(19, 29)),
                "11..=18 30..=39",
            ),
            (bits(50, 60), "10..=19 30..=39"),
        ] {
            let spans = without(&whole, &range(&other));
            let text: Vec<String> = spans
                .spans()
                .iter()
                .map(|s| format!("{}..={}", s.first, s.last))
                .collect();
            assert_eq!(text.join(" "), left, "{other}");
        }
        assert!(without(&whole, &whole).spans().is_empty());
    }

    /// For an error that is largest at one place, the search approaches that place from far away.
    #[test]
    fn it_comes_closer_to_the_worst() {
        let range = range("1.0..2.0");
        let (first, peak) = (range.spans()[0].first, range.spans()[0].first + (3 << 50));
        let error = |key: i64| -((key - peak).abs() as f64);
        let start = first + (5 << 49);
        let mut found = vec![(start, error(start))];
        let mut searched = 0;
        let done = climb(&range, 1 << 16, 7, &mut found, |part, found| {
            for s in part.spans() {
                let key = (s.first..=s.last).max_by(|&a, &b| error(a).total_cmp(&error(b)));
                found.extend(key.map(|k| (k, error(k))));
                searched += s.count();
            }
            Ok::<(), Infallible>(())
        });
        let Ok(done) = done;
        assert_eq!(done.count(), searched);
        assert!(searched <= 1 << 16 && searched > 1 << 14, "{searched}");
        let closest = found.iter().map(|f| f.1).fold(f64::NEG_INFINITY, f64::max);
        assert!(
            closest > error(start) / 2.0,
            "{closest} of {}",
            error(start)
        );
    }
}
