//! `verify --differ` for two functions of several numbers.

use std::time::Duration;

use serde_json::json;

use super::named::{Candidates, candidates};
use super::sample::{Place, Sample, about};
use super::search::{self, Length, Task, words_at};
use super::text::{inputs_are, shown as shown_words};
use crate::args::VerifyArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::{exit, interrupt, results};
use dc_runtime::model::library::SeveralFunction;
use dc_runtime::model::several::Several;
use dc_runtime::model::{machine, show};

/// The reason why no cause is named.
const NO_CAUSE: &str =
    "functions of several numbers are compiled code, of which only the results are known";

/// Results that differ.
pub type Results = [[u64; 2]; 2];

/// The differences of two functions.
#[derive(Default)]
pub struct Differences {
    pub inputs: u64,
    pub differing: u64,
    /// How often one of the two results is NaN.
    nan: u64,
    pub first: Option<(Place, Results)>,
    /// The largest distance in steps of the format, of any part.
    largest: Option<(u64, Place, Results)>,
}

impl Differences {
    /// Adds the results of a task, as columns.
    pub fn add_all(&mut self, types: Several, task: &Task, results: [&Vec<Vec<u64>>; 2]) {
        for i in 0..task.tuples.len() {
            let both = results.map(|columns| words_at(columns, i));
            self.add(types, task.place(i), both);
        }
    }

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

    pub fn merge(&mut self, other: Differences) {
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

/// Compares two functions of several numbers, if one of the candidates is such a function.
pub fn differ(args: &VerifyArgs, context: &mut Context) -> Option<Result<(), Failure>> {
    match candidates(&args.differ, "--differ").transpose()? {
        Ok(candidates) => Some(compared(args, &candidates, context)),
        Err(e) => Some(Err(e)),
    }
}

fn compared(
    args: &VerifyArgs,
    candidates: &Candidates<'_>,
    context: &mut Context,
) -> Result<(), Failure> {
    let types = candidates.types;
    if args.range.range.is_some() || args.range.block.is_some() {
        return Err(Failure::input(format!(
            "--range and --block: functions of {types} are called with a stratified sample; leave them out, and give --inputs or --time for a \
             larger one"
        )));
    }
    let functions = candidates.open(context)?;
    let [one, other] = &functions[..] else {
        return Err(Failure::input("--differ takes two candidates"));
    };
    let functions = [one, other];
    let sample = Sample::new(types, args.inputs.unwrap_or_else(|| about(types, false)));
    let stop = interrupt::stop("stopping; the results so far follow");
    let length = Length {
        threads: args.threads.unwrap_or_else(machine::cores),
        time: args.time.map(Duration::from_secs_f64),
        stop: &stop,
    };
    let one = |task: &Task, found: &mut Differences| {
        let columns = task.columns(types);
        let results = [functions[0].eval(&columns)?, functions[1].eval(&columns)?];
        found.add_all(types, task, results.each_ref());
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
    let names = functions.map(SeveralFunction::full_name);
    match context.json {
        true => context.out.json(&document(&names, types, &sample, found))?,
        false => {
            for line in lines(&names, types, &sample, found) {
                context.out.line(&show::plain(&line))?;
            }
        }
    }
    if done.stopped {
        context.note("stopped; nothing is known about the other inputs");
        return Err(Failure::silent(exit::STOPPED));
    }
    match found.differing {
        0 => Ok(()),
        _ => Err(Failure::silent(exit::FINDING)),
    }
}

fn lines(names: &[String; 2], types: Several, sample: &Sample, found: &Differences) -> Vec<String> {
    let shown = |place: Place, both: Results| {
        let tuple = sample.at(place);
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
        lines.push(format!("  cause       not known: {NO_CAUSE}"));
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
        let tuple = sample.at(place);
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
        "no_cause": found.first.map(|_| NO_CAUSE),
        "largest": found.largest.map(|(steps, place, both)| json!({ "ulp": steps, "at": at(place, both) })),
    })
}
