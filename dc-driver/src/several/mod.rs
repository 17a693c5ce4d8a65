//! Functions of libraries with three arguments, with two results, or of complex numbers: `run` and `at` with such a signature, `compare` and
//! `verify --differ`. Their inputs cannot be numbered in the order of the reals. So they are called with a stratified sample, and there is no run
//! file.
//!
//! | file | contents |
//! |---|---|
//! | `format` | formats of numbers |
//! | `sample` | stratified samples |
//! | `truth` | the true value of a result, and its judgement |
//! | `three` | functions of three arguments, exactly |
//! | `complex`, `annex`, `float` | complex functions in MPFR; their values at infinities and NaN (feature `mpfr`) |
//! | `function`, `reference` | functions by name; true values for columns |
//! | `search`, `tally` | the calls of a sample; their results |
//! | `text` | the results as text and as JSON |
//! | `opened` | the function and the reference that the command line names |
//! | `named` | functions that the command line names without a sweep |
//! | `at`, `differ`, `compare` | single inputs; the bits of two functions; errors, times and bits of several |

#[cfg(feature = "mpfr")]
mod annex;
mod at;
mod compare;
#[cfg(feature = "mpfr")]
mod complex;
mod differ;
#[cfg(feature = "mpfr")]
mod float;
mod format;
mod function;
mod named;
mod opened;
mod reference;
mod sample;
mod search;
mod tally;
mod text;
mod three;
mod truth;

use std::time::{Duration, Instant};

use super::args::{OutsideArgs, RunArgs};
use super::context::Context;
use super::failure::Failure;
use super::{exit, interrupt};
pub(super) use at::at;
pub(super) use compare::compare;
use dc_runtime::model::machine;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::several::Several;
use dc_runtime::search::ulp::Definition;
pub(super) use differ::differ;
use format::Format;
use function::Function;
use opened::opened;
use reference::Reference;
use sample::Sample;
use search::{Length, Task, note_environment};
use tally::Tally;

/// The function of several numbers on the command line, if it is one.
pub(super) fn asked(args: &OutsideArgs) -> Result<Option<Several>, Failure> {
    let Some(signature) = args.signature.as_deref() else {
        return Ok(None);
    };
    let Some(types) = Several::parse(signature) else {
        return Ok(None);
    };
    let types = types.map_err(|e| Failure::input(e.to_string()))?;
    if let Some(device) = &args.device {
        return Err(named::not_on_devices(&format!("--device {device}"), types));
    }
    Ok(Some(types))
}

/// `run` with such a function.
pub(super) fn run(args: &RunArgs, types: Several, context: &mut Context) -> Result<(), Failure> {
    refuse(args, types)?;
    let (function, reference) = opened(&args.outside, types)?;
    let format = Format::of(types.number);
    let in_mpfr = matches!(reference, Reference::Function(Function::Complex(_)));
    let sample = Sample::new(types, sample::about(types, in_mpfr));
    note_environment(&function, context);
    let stop = interrupt::stop("stopping; the results so far follow");
    let length = Length {
        threads: args.backend.threads.unwrap_or_else(machine::cores),
        time: args.time.map(Duration::from_secs_f64),
        stop: &stop,
    };
    let begun = Instant::now();
    let one = |task: &Task, tally: &mut Tally| {
        let columns = task.columns(types);
        let results = function.eval(&columns)?;
        let values = reference.values(format, &task.tuples, types)?;
        tally.add_all(types, task, &results, &values);
        Ok(())
    };
    let empty = || Tally::new(types.results(), sample.strata());
    let done = search::over(&sample, &length, &empty, &one, Tally::merge)?;
    let found = text::Found {
        function: &function,
        reference: &reference,
        sample: &sample,
        tally: &done.found,
        rounds: done.rounds,
        seconds: begun.elapsed().as_secs_f64(),
        stopped: done.stopped,
    };
    if context.json {
        context.out.json(&found.document())?;
    } else if !args.group.quiet {
        found.print(context)?;
    }
    match done.stopped {
        true => Err(Failure::silent(exit::STOPPED)),
        false => Ok(()),
    }
}

/// Options that have no meaning for a sample without a run file.
fn refuse(args: &RunArgs, types: Several) -> Result<(), Failure> {
    let group = &args.group;
    let given = [
        ("--range", args.range.range.is_some()),
        ("--block", args.range.block.is_some()),
        ("--out", args.out.is_some()),
        ("--shard", args.shard.is_some()),
        ("--continue", args.go_on),
        ("--shards", args.shards.is_some()),
        ("--picture", args.picture.is_some()),
        ("--mpfr", args.mpfr),
        ("--measure", args.measure != Measure::Full),
        ("--backend", args.backend.backend != ["fastest"]),
        ("--ulp", args.ulp.ulp != Definition::Handbook),
        ("--group", group.group != 1 << 16),
        ("--group-seconds", group.group_seconds != 1.0),
    ];
    let first = args.properties.first();
    let given = given.iter().find(|g| g.1).map(|g| g.0).or(first);
    match given {
        None => Ok(()),
        Some(option) => Err(Failure::input(format!(
            "{option}: a function of {types} is called on this processor with a stratified sample, without a range and without a run file; \
             leave it out, and give --time for a larger sample"
        ))),
    }
}
