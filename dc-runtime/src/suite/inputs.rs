//! The inputs of an entry's tests.

use super::baseline::Known;
use super::entry::{EXHAUSTIVE, Entry, Suite};
use super::environment::Environment;
use crate::model::show;
use crate::search::plan::Plan;
use crate::search::range::Range;
use crate::search::sample::{self, STRETCHES, Sample, Wanted};

/// The entry's range.
pub(super) fn range(entry: &Entry) -> Result<Range, String> {
    let (name, text) = (entry.sweep.name, entry.sweep.range);
    let range = Range::parse(text, entry.sweep.inputs.whole());
    let range = range.map_err(|e| format!("the sweep `{name}`: {e}"))?;
    if entry.inputs == EXHAUSTIVE && range.count() > MOST {
        return Err(format!(
            "the sweep `{name}`: `exhaustive` is for ranges of at most 2^34 inputs, and {text} has {}: write `inputs NUMBER`, which takes a sample",
            show::count(range.count())
        ));
    }
    Ok(range)
}

/// The inputs of the entry's tests: those around the known worst inputs and around the one that a hunt found, and others.
pub(super) fn sample_of(
    suite: &Suite,
    entry: &Entry,
    (known, found): (Option<&Known>, Option<i64>),
    environment: &Environment,
    most: u64,
) -> Result<Sample, String> {
    let range = range(entry)?;
    let mut keys = match known {
        None => Vec::new(),
        Some(k) => k.keys(entry.sweep.inputs)?,
    };
    keys.extend(found);
    let seed = environment
        .seed
        .unwrap_or_else(|| sample::seed(&suite.key(entry)));
    let inputs = environment.inputs.unwrap_or(entry.inputs).min(most);
    let wanted = Wanted {
        inputs,
        // The slower the backend, the fewer inputs.
        stretches: STRETCHES.min(inputs / 128),
        seed,
        known: &keys,
    };
    Ok(Sample::of(&entry.sweep, &range, &wanted))
}

/// The largest number of inputs of a range that is searched completely, which takes half an hour.
const MOST: u128 = 1 << 34;

pub(super) fn plan(range: &Range) -> Result<Plan, String> {
    Plan::new(range.clone(), None).map_err(|e| e.to_string())
}

/// The parts of a sample as blocks.
pub(super) fn plans(sample: &Sample) -> Result<Vec<Plan>, String> {
    sample.parts().map(plan).collect()
}
