//! The hunt of an entry: a search for the input with the largest error, or one close to it, from the certified bound
//! downward.
//!
//! It runs only if results are accepted (`CRUNCH_BLESS=1`), and its result is written to `accuracy.toml`. Every other run of the test
//! evaluates the inputs in that file and their neighbours. So no test depends on the speed of a machine.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dc_exact::bound::{Effort, bound_range};
use dc_exact::exact::{self, maximum};

use super::entry::Entry;
use super::inputs;
use crate::model::key::Precision;
use crate::model::machine;
use crate::search::certify::Subject;

/// The hunt begins with errors this many ULP below the bound.
const SLACK: f64 = 0.002;

/// The key of the worst input that a hunt finds in the entry's time; `None` if it finds none.
///
/// # Errors
/// If there is no certified bound to descend from.
pub(super) fn worst(entry: &Entry) -> Result<Option<i64>, String> {
    let name = entry.sweep.name;
    let refuse = |why: String| format!("`{name}`: hunt {}: {why}; leave it out", entry.hunt);
    let time = Duration::try_from_secs_f64(entry.hunt)
        .map_err(|_| refuse("it is not a time in seconds".into()))?;
    let range = inputs::range(entry)?;
    let subject = Subject::of(&entry.sweep, &range).map_err(|e| refuse(e.to_string()))?;
    let (program, truth) = (&subject.program, &subject.truth);
    let bound = bound_range(program, truth, &subject.stretches, Effort::default());
    if !bound.bound.is_finite() {
        return Err(refuse(format!(
            "the certified bound over {} is infinite",
            entry.sweep.range
        )));
    }
    let effort = exact::Effort {
        threads: machine::cores(),
        time,
        list: false,
    };
    let stop = AtomicBool::new(false);
    let found = maximum(
        program,
        truth,
        &bound,
        None,
        SLACK,
        effort,
        &stop,
        &mut |_| {},
    );
    if let Some(what) = found.contradiction {
        return Err(format!(
            "`{name}`: internal contradiction: please report: {what}"
        ));
    }
    let x = found.worst.x;
    Ok((!x.is_nan()).then(|| Precision::F64.key_of_bits(x.to_bits())))
}
