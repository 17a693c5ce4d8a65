//! The messages of the tests.

use super::baseline::Known;
use super::entry::Entry;
use crate::model::block::{BlockResult, Worst};
use crate::model::show;
use crate::model::show::number;
use crate::search::sample::Sample;

/// "1,048,576 inputs of 4,503,599,627,370,496 (not exhaustive), seed 0x12". The total and the seed are always included.
pub fn coverage(sample: &Sample) -> String {
    let taken = show::count(sample.count());
    if sample.is_exhaustive() {
        return format!("all {taken} inputs (exhaustive)");
    }
    match sample.range.space().of_pairs() {
        Some(pairs) => format!("not exhaustive: {taken} of {} pairs", pairs.size()),
        None => format!(
            "not exhaustive: {taken} of {} inputs, seed {:#x}",
            show::count(sample.of),
            sample.seed
        ),
    }
}

/// The data of an input, in aligned lines: result and reference with decimal, hex-float and bits.
pub fn worst(entry: &Entry, w: &Worst) -> Vec<(String, String)> {
    let p = w.precision;
    let sweep = &entry.sweep;
    let [hi, lo] = w.reference;
    let reference = if lo == 0.0 {
        show::full(crate::model::key::Precision::F64, hi.to_bits())
    } else {
        let hi = show::full(crate::model::key::Precision::F64, hi.to_bits());
        format!("{hi} + {lo:e}")
    };
    vec![
        ("input".into(), sweep.inputs.show(w.key)),
        (sweep.candidate.name().into(), show::full(p, w.result_bits)),
        (
            sweep.reference.name().into(),
            show::scaled(&reference, w.scale),
        ),
        (
            "error".into(),
            format!("{} {}", number(w.error), sweep.measure.unit()),
        ),
        (
            "largest allowed".into(),
            format!("{} {}", number(entry.within), sweep.measure.unit()),
        ),
    ]
}

/// Lines in two columns, indented.
pub fn columns(rows: &[(String, String)]) -> String {
    let width = rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
    rows.iter()
        .map(|(a, b)| format!("    {a:width$}  {b}\n"))
        .collect()
}

/// The known error, as a line of [`columns`].
pub fn known(entry: &Entry, k: Option<&Known>) -> (String, String) {
    let text = match k {
        None => "nothing (no table in accuracy.toml)".into(),
        Some(k) => format!(
            "{} {} at {} ({} inputs{})",
            number(k.error),
            entry.sweep.measure.unit(),
            k.worst.first().map_or("no input", String::as_str),
            show::count(k.inputs.into()),
            if k.exhaustive { ", all of them" } else { "" }
        ),
    };
    ("known until now".into(), text)
}

/// The largest error as "1.5 ULP at 1.0 = 0x1p0 (0x3ff…)".
pub fn maximum(entry: &Entry, result: &BlockResult) -> String {
    if !result.max.exists() {
        return "no error that can be measured".into();
    }
    format!(
        "{} {} at {}",
        number(result.max.error()),
        entry.sweep.measure.unit(),
        entry.sweep.inputs.show(result.max.key)
    )
}
