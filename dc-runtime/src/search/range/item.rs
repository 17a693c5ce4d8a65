//! One item of a range of numbers: two bounds, or a name.

use super::error::RangeError;
use super::number;
use super::spans::Span;
use crate::model::key::Precision;
use crate::model::show::quote;

/// The position of the parser.
pub(super) struct Context<'a> {
    pub(super) text: &'a str,
    /// Byte offset of the current item in `text`.
    pub(super) at: usize,
    pub(super) precision: Precision,
}

impl Context<'_> {
    /// An error `offset` bytes into the item.
    pub(super) fn error(&self, offset: usize, problem: String, remedy: &str) -> RangeError {
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

pub(super) fn parse_item(item: &str, context: &Context) -> Result<Vec<Span>, RangeError> {
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
    // Keys of positive numbers are their bits, and the key of -x is -1 minus the key of x.
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
