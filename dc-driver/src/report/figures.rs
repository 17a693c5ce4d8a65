//! The data that the page's script draws: envelope and histogram, with the values that it shows at each place.

use serde_json::{Value, json};

use crate::plot::{before, gaps, is_below, stretch};
use crate::progress::short;
use crate::results::error;
use dc_runtime::model::block::{BINS, BlockResult, Worst, bin_floor};
use dc_runtime::model::fine::{FINE_BINS, fine_floor};
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::format::Row;
use dc_runtime::search::range::{Range, Span};
use dc_runtime::search::ulp::Definition;

/// The largest errors of each row, along the axis of all inputs; `bound` has points of the curve that bounds them.
pub(super) fn envelope(
    space: InputSpace,
    rows: &[Row],
    axis: &Range,
    (total, worst): (&BlockResult, Option<&Worst>),
    definition: Definition,
    bound: &[(f64, f64)],
) -> Value {
    let inputs = axis.count() as f64;
    // As in the still picture: only the Handbook's extremes of both signs are in the file.
    let signed = definition.is_searched();
    let unit = definition.unit();
    let step = |r: &Row| {
        let (above, below) = match (signed, &r.worst) {
            (true, _) => (r.result.max_positive.error(), r.result.max_negative.error()),
            (false, Some(w)) => (definition.of(w), 0.0),
            (false, None) => (0.0, 0.0),
        };
        let (from, to) = stretch(axis, r);
        let at = r.worst.map(|w| space.decimal(w.key));
        let (first, last) = (space.decimal(r.first_key), space.decimal(r.last_key));
        json!([from, to, error(above), error(below), first, last, at])
    };
    let worst = worst.map(|w| {
        let size = definition.of(w);
        let text = short(size);
        let sign = if signed && is_below(total, w) {
            -1.0
        } else {
            1.0
        };
        json!({
            "at": before(axis, w.key.into()),
            "error": error(sign * size),
            "label": format!("{text} {unit} at {}", space.decimal(w.key)),
            "short": format!("{text} {unit}"),
        })
    });
    // Keys as text: a script's numbers have 53 bits.
    let span = |s: &Span| [s.first.to_string(), s.last.to_string()];
    let format = match axis.space() {
        InputSpace::Numbers(precision) => Some(precision.name()),
        _ => None,
    };
    json!({
        "name": definition.axis(),
        "unit": unit,
        "signed": signed,
        "inputs": inputs,
        "format": format,
        "spans": axis.spans().iter().map(span).collect::<Vec<_>>(),
        "steps": rows.iter().map(step).collect::<Vec<_>>(),
        "gaps": gaps(rows.iter().map(|r| stretch(axis, r)).collect(), inputs),
        "bound": bound.iter().map(|&(n, b)| json!([n, error(b)])).collect::<Vec<_>>(),
        "worst": worst,
    })
}

/// The bins that are drawn: those of the sample or, if a run file has none, the coarse bins of all inputs.
pub(super) fn histogram(r: &BlockResult) -> Value {
    let sampled = r.fine.inputs();
    let (counts, floor, name): (&[u64], fn(usize) -> f64, _) = match sampled {
        0 => (&r.histogram, bin_floor, "inputs".into()),
        n if n == r.count => (&r.fine.0, fine_floor, "inputs".into()),
        n => (
            &r.fine.0,
            fine_floor,
            format!("inputs, of {} sampled", show::count(n.into())),
        ),
    };
    let bin = |(i, &n): (usize, &u64)| {
        let high = if i + 1 < counts.len() {
            json!(floor(i + 1))
        } else {
            json!("inf")
        };
        json!([floor(i), high, n])
    };
    json!({
        "name": name,
        // Above this the bins are octaves, in both histograms.
        "linear": 2.0,
        "bins": counts.iter().enumerate().map(bin).collect::<Vec<_>>(),
    })
}

/// The meaning of the histogram's bins, in a sentence.
pub(super) fn bins(r: &BlockResult) -> String {
    let octaves = "From 2 ULP on, a bin is an octave and drawn in another colour.";
    let all = show::count(r.count.into());
    match r.fine.inputs() {
        0 => format!("All {all} inputs, in bins of a quarter of an ULP. {octaves}"),
        n if n == r.count => format!("All {all} inputs, in bins of 1/64 ULP. {octaves}"),
        n => format!(
            "A sample of {} of the {all} inputs, evenly from the range, in bins of 1/64 ULP. {octaves} \
             The table below counts every input.",
            show::count(n.into())
        ),
    }
}

/// Data for a `<script>` element: nothing in it ends the element.
pub(super) fn embedded(id: &str, data: &Value) -> String {
    let text = data.to_string().replace('<', "\\u003c");
    format!("<script type=\"application/json\" id=\"{id}-data\">{text}</script>\n")
}

const _: () = assert!(BINS == 16 && FINE_BINS == 136);

#[cfg(test)]
mod tests {
    use super::*;
    use dc_runtime::model::fine::Fine;

    #[test]
    fn bins_have_their_edges() {
        let mut r = BlockResult::EMPTY;
        r.count = 9;
        r.histogram[8] = 9;
        let coarse = histogram(&r);
        assert_eq!(coarse["bins"][8], json!([2.0, 4.0, 9]));
        assert_eq!(coarse["bins"][15], json!([256.0, "inf", 0]));
        r.fine = Fine::EMPTY;
        r.fine.0[127] = 9;
        let fine = histogram(&r);
        assert_eq!(fine["bins"][127], json!([1.984375, 2.0, 9]));
        assert_eq!(fine["bins"][128], json!([2.0, 4.0, 0]));
        assert_eq!(fine["bins"][135], json!([256.0, "inf", 0]));
        assert_eq!(fine["name"], "inputs");
    }

    #[test]
    fn data_does_not_end_its_element() {
        let html = embedded("x", &json!({ "a": "</script><b>" }));
        assert_eq!(html.matches('<').count(), 2, "{html}");
    }
}
