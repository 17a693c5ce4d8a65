//! `verify --differ` of two functions of several numbers.

use std::time::Duration;

use serde_json::json;

use super::sample::{Sample, about};
use super::search::{self, Length, Task, note_environment};
use super::tally::{self, Place};
use super::text::{inputs_are, shown as shown_words};
use crate::args::VerifyArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::{exit, interrupt, results};
use dc_runtime::model::library::SeveralFunction;
use dc_runtime::model::several::Several;
use dc_runtime::model::{machine, show};
use dc_runtime::search::range::quote;

/// Results that differ.
type Results = [[u64; 2]; 2];

/// What differs.
#[derive(Default)]
struct Differences {
    inputs: u64,
    differing: u64,
    /// One of both results is NaN.
    nan: u64,
    first: Option<(Place, Results)>,
    /// The largest distance in steps of the format, of any part.
    largest: Option<(u64, Place, Results)>,
}

impl Differences {
    fn add(&mut self, types: Several, place: Place, both: Results) {
        self.inputs += 1;
        if both[0] == both[1] {
            return;
        }
        self.differing += 1;
        if self.first.as_ref().is_none_or(|f| place < f.0) {
            self.first = Some((place, both));
        }
        let steps = (0..types.results()).map(|n| types.number.steps([both[0][n], both[1][n]]));
        let is_nan = |word: u64| types.number.precision().value_of_bits(word).is_nan();
        let nan = (0..types.results()).any(|n| is_nan(both[0][n]) != is_nan(both[1][n]));
        self.nan += u64::from(nan);
        if let Some(most) = steps.flatten().max() {
            self.larger((most, place, both));
        }
    }

    fn larger(&mut self, other: (u64, Place, Results)) {
        let is_less = self.largest.as_ref().is_none_or(|own| {
            (own.0, std::cmp::Reverse(own.1)) < (other.0, std::cmp::Reverse(other.1))
        });
        if is_less {
            self.largest = Some(other);
        }
    }

    fn merge(&mut self, other: Differences) {
        self.inputs += other.inputs;
        self.differing += other.differing;
        self.nan += other.nan;
        if let Some(found) = other.first
            && self.first.as_ref().is_none_or(|f| found.0 < f.0)
        {
            self.first = Some(found);
        }
        if let Some(largest) = other.largest {
            self.larger(largest);
        }
    }
}

/// A candidate that is such a function of a library.
fn named(text: &str) -> Result<Option<(&str, &str, Several)>, Failure> {
    let [signature, symbol, file] = text.rsplitn(3, ':').collect::<Vec<_>>()[..] else {
        return Ok(None);
    };
    match Several::parse(signature) {
        None => Ok(None),
        Some(Err(e)) => Err(Failure::input(e.to_string())),
        Some(Ok(types)) => Ok(Some((file, symbol, types))),
    }
}

/// Compares two functions of several numbers, if one of the candidates is one.
pub fn differ(args: &VerifyArgs, context: &mut Context) -> Option<Result<(), Failure>> {
    let [a, b] = &args.differ[..] else {
        return None;
    };
    let both = match (named(a), named(b)) {
        (Ok(None), Ok(None)) => return None,
        (Err(e), _) | (_, Err(e)) => return Some(Err(e)),
        (Ok(a), Ok(b)) => [a, b],
    };
    let [Some(a), Some(b)] = both else {
        let (file, symbol, types) = both.into_iter().flatten().next()?;
        return Some(Err(Failure::input(format!(
            "--differ: {}:{} is a function of {types}, and the other candidate is not; compare functions of the same types",
            quote(file),
            quote(symbol)
        ))));
    };
    Some(compared(args, [a, b], context))
}

fn compared(
    args: &VerifyArgs,
    both: [(&str, &str, Several); 2],
    context: &mut Context,
) -> Result<(), Failure> {
    let [types, other] = both.map(|b| b.2);
    if types != other {
        return Err(Failure::input(format!(
            "--differ: one is a function of {types} and the other of {other}; compare functions of the same types"
        )));
    }
    if args.range.range.is_some() || args.range.block.is_some() {
        return Err(Failure::input(format!(
            "--range and --block: functions of {types} are called with a stratified sample; leave them out, and give --inputs or --time for a \
             larger one"
        )));
    }
    let open =
        |(file, symbol, _): (&str, &str, Several)| SeveralFunction::open(file, symbol, types);
    let functions = [open(both[0])?, open(both[1])?];
    for function in &functions {
        note_environment(function, context);
    }
    let sample = Sample::new(types, args.inputs.unwrap_or_else(|| about(types, false)));
    let stop = interrupt::stop("stopping; what is compared so far follows");
    let length = Length {
        threads: args.threads.unwrap_or_else(machine::cores),
        time: args.time.map(Duration::from_secs_f64),
        stop: &stop,
    };
    let one = |task: &Task, found: &mut Differences| {
        let columns = task.columns(types);
        let results = [functions[0].eval(&columns)?, functions[1].eval(&columns)?];
        let (round, stratum, from) = task.first;
        for i in 0..task.tuples.len() {
            let of = |side: usize, n: usize| results[side].get(n).map_or(0, |c: &Vec<u64>| c[i]);
            let both = [0, 1].map(|side| [of(side, 0), of(side, 1)]);
            found.add(types, (round, stratum, from + i as u64), both);
        }
        Ok(())
    };
    let done = search::over(
        &sample,
        &length,
        &Differences::default,
        &one,
        Differences::merge,
    )?;
    let found = &done.found;
    let names = functions.each_ref().map(SeveralFunction::full_name);
    match context.json {
        true => context.out.json(&document(&names, types, &sample, found))?,
        false => {
            for line in lines(&names, types, &sample, found) {
                context.out.line(&show::plain(&line))?;
            }
        }
    }
    if done.stopped {
        context.note("stopped; nothing is known of the other inputs");
        return Err(Failure::silent(exit::STOPPED));
    }
    match found.differing {
        0 => Ok(()),
        _ => Err(Failure::silent(exit::FINDING)),
    }
}

fn lines(names: &[String; 2], types: Several, sample: &Sample, found: &Differences) -> Vec<String> {
    let shown = |place: Place, both: Results| {
        let tuple = tally::arguments(sample, place);
        let at = shown_words(types, &tuple[..types.arguments()]);
        let result = |side: usize| {
            let words = &both[side][..types.results()];
            format!("{} {}", names[side], shown_words(types, words))
        };
        format!("{at}: {}, {}", result(0), result(1))
    };
    let mut lines = vec![format!(
        "{} and {}: {} {}, a stratified sample (not exhaustive)",
        names[0],
        names[1],
        show::count(found.inputs.into()),
        inputs_are(types)
    )];
    lines.extend(results::differing(found.differing, found.nan, found.inputs));
    if let Some((place, both)) = found.first {
        lines.push(format!("first         {}", shown(place, both)));
    }
    if let Some((steps, place, both)) = found.largest {
        lines.push(format!("largest       {} ULP", show::count(steps.into())));
        lines.push(format!("  at          {}", shown(place, both)));
    }
    lines
}

fn document(
    names: &[String; 2],
    types: Several,
    sample: &Sample,
    found: &Differences,
) -> serde_json::Value {
    let precision = types.number.precision();
    let words = |words: &[u64]| -> Vec<serde_json::Value> {
        words.iter().map(|w| results::word(precision, *w)).collect()
    };
    let at = |place: Place, both: Results| {
        let tuple = tally::arguments(sample, place);
        json!({
            "input": words(&tuple[..types.arguments()]),
            "results": both.map(|r| words(&r[..types.results()])),
        })
    };
    json!({
        "candidates": names,
        "signature": types.to_string(),
        "exhaustive": false,
        "inputs": found.inputs,
        "differing": found.differing,
        "nan": found.nan,
        "first": found.first.map(|(place, both)| at(place, both)),
        "largest": found.largest.map(|(steps, place, both)| json!({ "ulp": steps, "at": at(place, both) })),
    })
}
