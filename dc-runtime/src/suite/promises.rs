//! An entry's promises besides its largest error: `promising (exact where possible, monotone, odd, results "0.0..=1.0")`.

use super::entry::{Entry, Promise, Suite};
use super::environment::Environment;
use super::inputs::{range, sample_of};
use super::message;
use crate::model::space::InputSpace;
use crate::model::{machine, show};
use crate::search::engine::Stop;
use crate::search::exact_results;
use crate::search::properties::{self, Judge, Property};
use crate::search::range::Range;
use crate::search::sample::{Sample, Wanted};

/// Checks an entry's promises. The text states for how many inputs they hold.
///
/// # Errors
/// The first promise that does not hold, and the first such input.
pub(super) fn check(
    suite: &Suite,
    entry: &Entry,
    environment: &Environment,
) -> Result<Option<String>, String> {
    let name = entry.sweep.name;
    let of = |promise: Promise| format!("`{name}`: promising ({})", promise.text());
    let mut kept = Vec::new();
    if entry.promises.contains(&Promise::Exact) {
        kept.push(exact(suite, entry)?);
    }
    let mut judged = Vec::new();
    for &promise in entry.promises {
        let property = promise.property(entry);
        let property = property.map_err(|e| format!("{}: {e}", of(promise)))?;
        judged.extend(property.map(|p| (promise, p)));
    }
    if judged.is_empty() {
        return Ok((!kept.is_empty()).then(|| kept.join("; ")));
    }
    let whole = range(entry)?;
    let sample = match whole.space() {
        // There are few of them, in another order.
        InputSpace::Stored(_) => {
            Sample::of_stretches(&entry.sweep, &whole, &Wanted::of(&entry.sweep, u64::MAX))
        }
        _ => sample_of(suite, entry, (None, None), environment, u64::MAX)?,
    };
    let all: Vec<Property> = judged.iter().map(|j| j.1).collect();
    let judge = Judge {
        sweep: &entry.sweep,
        properties: &all,
        inverse: None,
    };
    let found = properties::check(&judge, (&whole, &sample), machine::cores(), &Stop::new())
        .map_err(|e| format!("`{name}`: {e}"))?;
    for ((promise, property), v) in judged.iter().zip(&found.violations) {
        let Some(first) = &v.first else {
            continue;
        };
        let farthest = v.worst.as_ref().filter(|w| *w != first);
        let rows = [
            Some(("first".into(), first.show(*property, whole.space()))),
            farthest.map(|w| ("farthest".into(), w.show(*property, whole.space()))),
            Some(("searched".into(), message::coverage(&sample))),
            Some(("what to do".into(), REMEDY.into())),
        ];
        let rows: Vec<(String, String)> = rows.into_iter().flatten().collect();
        return Err(format!(
            "{}: not kept at {}\n\n{}    {}\n",
            of(*promise),
            inputs(v.count),
            message::columns(&rows),
            suite.key(entry)
        ));
    }
    let names: Vec<String> = judged.iter().map(|j| j.0.text()).collect();
    kept.push(format!("{}: kept", names.join(", ")));
    Ok(Some(kept.join("; ")))
}

const REMEDY: &str = "correct the routine, or take the promise out where the suite is declared";

fn inputs(n: u64) -> String {
    match n {
        1 => "1 input".into(),
        n => format!("{} inputs", show::count(n.into())),
    }
}

/// Checks the exact results.
fn exact(suite: &Suite, entry: &Entry) -> Result<String, String> {
    let name = entry.sweep.name;
    let promise = Promise::Exact.text();
    let Some(function) = entry.sweep.truth else {
        return Err(format!(
            "`{name}`: promising ({promise}) needs a function whose exact values are known: `computes FUNCTION` in place of `against`"
        ));
    };
    let whole = range(entry)?;
    let found = exact_results::check(&entry.sweep.candidate, function, &whole)
        .map_err(|e| format!("`{name}`: {e}"))?;
    let of = match found.complete {
        true => "",
        false => ", a sample",
    };
    let cases = show::count(found.cases.into());
    let p = entry.sweep.precision;
    let Some(first) = found.first else {
        return Ok(format!("{promise}: all {cases} results{of}"));
    };
    let number = |bits| show::full(p, bits);
    let rows = [
        (
            "first".into(),
            show::arguments(p, &first.arguments, show::full),
        ),
        (entry.sweep.candidate.name().into(), number(first.result)),
        (function.name().into(), number(first.exact)),
        ("what to do".into(), REMEDY.into()),
    ];
    Err(format!(
        "`{name}`: promising ({promise}): {} of {cases} exact results{of} are missed\n\n{}    {}\n",
        show::count(found.missed.into()),
        message::columns(&rows),
        suite.key(entry)
    ))
}

impl Promise {
    /// The promise as in the suite.
    fn text(self) -> String {
        match self {
            Promise::Exact => "exact where possible".into(),
            Promise::Increasing => "monotone".into(),
            Promise::Decreasing => "decreasing".into(),
            Promise::Odd => "odd".into(),
            Promise::Even => "even".into(),
            Promise::Results(range) => format!("results {range:?}"),
            Promise::Seams(ulp) => format!("seams {ulp:?}"),
        }
    }

    /// The promise as a property of the routine.
    fn property(self, entry: &Entry) -> Result<Option<Property>, String> {
        Ok(Some(match self {
            Promise::Exact => return Ok(None),
            Promise::Increasing => Property::Increasing,
            Promise::Decreasing => Property::Decreasing,
            Promise::Odd => Property::Odd,
            Promise::Even => Property::Even,
            Promise::Seams(ulp) => Property::Seams(ulp),
            Promise::Results(text) => {
                let precision = entry.sweep.precision;
                let range = Range::parse(text, precision).map_err(|e| e.to_string())?;
                let [span] = range.spans() else {
                    return Err("write one stretch, as \"0.0..=1.0\"".into());
                };
                let [lo, hi] = [span.first, span.last].map(|key| precision.value_of_key(key));
                Property::Within(lo, hi)
            }
        }))
    }
}
