//! `verify --differ`: the comparison of two candidates.

use std::time::Duration;

use serde_json::json;

use crate::args::VerifyArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::named::{Named, inputs_of, named};
use crate::{exit, interrupt, results, several};
use dc_runtime::model::signature::Number;
use dc_runtime::model::space::InputSpace;
use dc_runtime::model::{machine, show};
use dc_runtime::search::differ::{
    At, Cause, DifferError, Differences, Timed, Unexplained, cause, compare_sample, timed,
};
use dc_runtime::search::range::Range;
use dc_runtime::search::sample::{Sample, Wanted};

/// If there are more inputs than this, a sample is compared, unless all inputs are requested.
const ALL: u128 = 1 << 32;
/// The largest number of inputs of a given range that are compared without an explicit request: they take some hours.
const MOST: u128 = 1 << 40;
/// The size of the sample.
const SAMPLE: u64 = 1 << 24;

pub(super) fn differ(args: &VerifyArgs, context: &mut Context) -> Result<(), Failure> {
    if let Some(compared) = several::differ(args, context) {
        return compared;
    }
    let [a, b] = &args.differ[..] else {
        return Err(Failure::input("--differ takes two candidates"));
    };
    let sides = [named(a, context)?, named(b, context)?];
    let p = inputs_of(&sides)?;
    let text = args
        .range
        .range
        .as_deref()
        .unwrap_or(sides[0].sweep.range());
    let whole = Range::parse(text, p).map_err(|e| Failure::input(e.to_string()))?;
    let stop = interrupt::stop("stopping; the results so far follow");
    let threads = args.threads.unwrap_or_else(machine::cores);
    let first = &sides[0].sweep;
    let failure = |e: DifferError| match e {
        DifferError::Backend(e) => e.into(),
        e => Failure::input(e.to_string()),
    };
    let (found, wanted, basis) = match args.time {
        Some(seconds) => {
            let time = Duration::from_secs_f64(seconds);
            let found = timed(
                (first, sides[1].sweep.candidate()),
                &whole,
                threads,
                time,
                &stop,
            );
            let found = found.map_err(failure)?;
            let basis = basis(&found);
            (found.differences, found.differences.inputs.into(), basis)
        }
        None => {
            let all = args.range.range.is_some() && whole.count() <= MOST || whole.count() <= ALL;
            let inputs = args.inputs.unwrap_or(if all { u64::MAX } else { SAMPLE });
            let sample = Sample::of(first, &whole, &Wanted::of(first, inputs));
            let candidates = [first.candidate(), sides[1].sweep.candidate()];
            let found = compare_sample(candidates, &sample, threads, &stop).map_err(failure)?;
            let texts = [sample.describe(), sample.misses()];
            let basis = texts.into_iter().flatten().collect();
            (found, sample.count(), basis)
        }
    };
    let cause = (found.first.as_ref()).map(|at| explained(p, &sides, at));
    if context.json {
        context.out.json(&document(
            &sides,
            &whole,
            (text, &basis),
            &found,
            cause.as_ref(),
        ))?;
    } else {
        for line in lines(&sides, &whole, (text, &basis), &found) {
            context.out.line(&line)?;
            if let Some(cause) = cause.as_ref().filter(|_| line.starts_with("first")) {
                let text = cause.text(&sides);
                context
                    .out
                    .line(&show::plain(&format!("  cause       {text}")))?;
            }
        }
    }
    if stop.asked() || u128::from(found.inputs) < wanted {
        context.note("stopped; nothing is known about the other inputs");
        return Err(Failure::silent(exit::STOPPED));
    }
    match found.differing {
        0 => results::lanes_agree(sides.iter().map(|side| &side.sweep)),
        _ => Err(Failure::silent(exit::FINDING)),
    }
}

/// The explanation of a difference by a compiler or a processor, or the reason why there is none.
enum Explained {
    /// The cause, for the program of one of the two candidates, given by its number.
    By(usize, Cause),
    /// The program of one of the two candidates, given by its number, does not explain the difference.
    Not(usize, Unexplained),
    /// Neither candidate has a program.
    NoProgram,
}

impl Explained {
    fn text(&self, sides: &[Named; 2]) -> String {
        match self {
            Explained::By(side, cause) => format!(
                "{}: {} {} gives the result of {} there",
                cause.name(),
                sides[*side].name,
                cause.text(),
                sides[1 - side].name
            ),
            Explained::Not(..) => format!("not found: {}", self.why(sides)),
            Explained::NoProgram => format!("not known: {}", self.why(sides)),
        }
    }

    /// The reason why there is no cause, and the remedy.
    fn why(&self, sides: &[Named; 2]) -> String {
        match self {
            Explained::By(..) => String::new(),
            Explained::NoProgram => "both are compiled code, of which only the results are known; give the source of one instead, such as \
                                     exp.c:my_exp, to test contraction, flush-to-zero and excess precision"
                .into(),
            Explained::Not(side, Unexplained::NotItsOwn) => {
                format!("the program of {} does not give its result there", sides[*side].name)
            }
            Explained::Not(side, _) => format!(
                "neither contraction nor flush-to-zero nor excess precision of {} gives the result of {} there",
                sides[*side].name,
                sides[1 - side].name
            ),
        }
    }
}

fn explained(space: InputSpace, sides: &[Named; 2], at: &At) -> Explained {
    let arguments: Vec<u64> = space.words(at.key).collect();
    let of = |side: usize| {
        let program = sides[side].sweep.candidate().program()?;
        let results = [at.results[side], at.results[1 - side]];
        Some(match cause(program, &arguments, results) {
            Ok(cause) => Explained::By(side, cause),
            Err(why) => Explained::Not(side, why),
        })
    };
    let is_cause = |found: &Explained| matches!(found, Explained::By(..));
    match (of(0), of(1)) {
        (Some(first), Some(second)) if is_cause(&second) && !is_cause(&first) => second,
        (Some(found), _) | (None, Some(found)) => found,
        (None, None) => Explained::NoProgram,
    }
}

fn shown(space: InputSpace, sides: &[Named; 2], at: &At) -> String {
    let p = sides[0].sweep.precision();
    let result = |i: usize| format!("{} {}", sides[i].name, show::full(p, at.results[i]));
    format!("{}: {}, {}", space.show(at.key), result(0), result(1))
}

/// The basis of a result that was found in a given time.
fn basis(found: &Timed) -> Vec<String> {
    let Some((inputs, strata)) = &found.sample else {
        return Vec::new();
    };
    let (around, rounds) = found.around;
    let mut lines = vec![format!(
        "{} inputs in {strata}",
        show::count((*inputs).into())
    )];
    if rounds > 0 {
        lines.push(format!(
            "{} inputs in {rounds} rounds around the largest differences",
            show::count(around.into())
        ));
    }
    lines
}

fn lines(
    sides: &[Named; 2],
    whole: &Range,
    (text, basis): (&str, &[String]),
    found: &Differences,
) -> Vec<String> {
    let space = whole.space();
    let inputs = show::count(found.inputs.into());
    let all = u128::from(found.inputs) == whole.count();
    let of = match (space.of_pairs(), all) {
        (Some(pairs), _) => format!("{inputs} {} ({text})", pairs.describe()),
        (None, true) => format!("{inputs} inputs of {text}"),
        (None, false) => format!(
            "{inputs} inputs of {text}, of its {} (not exhaustive)",
            show::count(whole.count())
        ),
    };
    let mut lines = vec![format!("{} and {}: {of}", sides[0].name, sides[1].name)];
    for (i, line) in basis.iter().enumerate() {
        let name = if i == 0 { "sample" } else { "" };
        lines.push(format!("{name:14}{line}"));
    }
    lines.extend(results::differing(found.differing, found.nan, found.inputs));
    if let Some(at) = &found.first {
        lines.push(format!("first         {}", shown(space, sides, at)));
    }
    if let Some((steps, at)) = &found.largest {
        lines.push(format!(
            "largest       {}{}",
            show::count((*steps).into()),
            match sides[0].sweep.types().1 {
                Number::Integer(_) => "",
                _ => " ULP",
            }
        ));
        lines.push(format!("  at          {}", shown(space, sides, at)));
    }
    for side in sides {
        let lanes = results::lanes_line(&side.sweep);
        lines.extend(lanes.map(|l| format!("{l} ({})", side.name)));
    }
    lines.iter().map(|l| show::plain(l)).collect()
}

fn document(
    sides: &[Named; 2],
    whole: &Range,
    (text, basis): (&str, &[String]),
    found: &Differences,
    cause: Option<&Explained>,
) -> serde_json::Value {
    let space = whole.space();
    let p = sides[0].sweep.precision();
    let at = |at: &At| {
        json!({
            "input": results::input(space, at.key),
            "results": at.results.map(|bits| results::word(p, bits)),
        })
    };
    json!({
        "candidates": [&sides[0].name, &sides[1].name],
        "range": text,
        "inputs": found.inputs,
        "of_inputs": results::count(whole.count()),
        "sample": basis,
        "differing": found.differing,
        "nan": found.nan,
        "first": found.first.as_ref().map(at),
        "cause": cause.and_then(|cause| match cause {
            Explained::By(side, cause) => Some(json!({ "of": &sides[*side].name, "name": cause.name() })),
            _ => None,
        }),
        "no_cause": cause.map(|cause| cause.why(sides)).filter(|why| !why.is_empty()),
        "largest": found.largest.as_ref().map(|(steps, place)| json!({ "ulp": steps, "at": at(place) })),
        "lanes": sides.each_ref().map(|side| results::lanes(&side.sweep)),
    })
}
