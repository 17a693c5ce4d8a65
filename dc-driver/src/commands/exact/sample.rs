//! The beginning of a hunt: the worst input that `run --time` finds, from which the descent starts.

use std::time::Duration;

use crate::args::HuntArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::interrupt;
use crate::proven::wording::known;
use dc_runtime::backend::{Filter, discover};
use dc_runtime::model::machine;
use dc_runtime::model::show;
use dc_runtime::search::certify::Subject;
use dc_runtime::search::engine::Device;
use dc_runtime::search::range::Range;
use dc_runtime::search::timed;

/// The worst input of a search for this many seconds on this processor; `None` if no input has an error.
pub(super) fn worst(
    args: &HuntArgs,
    seconds: f64,
    context: &mut Context,
) -> Result<Option<f64>, Failure> {
    let sweep = context.sweep_of_one(args.bound.name())?;
    let text = args.bound.range.as_deref().unwrap_or(sweep.range());
    let range = Range::parse(text, sweep.inputs()).map_err(|e| Failure::input(e.to_string()))?;
    // A routine without a bound is refused at once.
    Subject::of(sweep, &range)?;
    // The widest instruction set is the last.
    let Some(backend) = discover(&Filter::processor()).backends.pop() else {
        return Ok(None);
    };
    let threads = args.descent.jobs.unwrap_or_else(machine::cores);
    let device = Device::new(backend, threads);
    let stop = interrupt::stop("stopping the sample; the bracket follows");
    let time = Duration::from_secs_f64(seconds);
    let found = timed::search(sweep, &range, &[device], time, &stop, &mut |_| {});
    let found = found.map_err(|e| Failure::input(e.to_string()))?;
    let Some(worst) = found.worst else {
        return Ok(None);
    };
    context.note(&format!(
        "{}: a search of {} inputs found {} ULP",
        sweep.name(),
        show::count(found.result.count.into()),
        known(worst.error, 9)
    ));
    Ok(Some(sweep.precision().value_of_key(worst.key)))
}
