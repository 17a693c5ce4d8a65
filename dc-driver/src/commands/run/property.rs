//! `run --monotone --odd --even --results --seams --inverse-of`: properties of a routine.

use serde_json::json;

use crate::args::{Direction, PropertyArgs};
use crate::context::Context;
use crate::failure::Failure;
use crate::library::{self, Compiled};
use crate::{exit, interrupt};
use dc_runtime::model::space::InputSpace;
use dc_runtime::model::{machine, show};
use dc_runtime::search::properties::{
    self, Checked, Distance, Judge, Property, PropertyError, Violation,
};
use dc_runtime::search::range::Range;
use dc_runtime::search::sample::{Sample, Wanted};
use dc_runtime::sweep::Sweep;

/// If there are more inputs than this, a sample is judged.
const ALL: u128 = 1 << 32;
const SAMPLE: u64 = 1 << 24;

/// A property in words, as on the command line.
pub(super) struct Asked {
    words: String,
    property: Property,
    /// The function that the routine should invert.
    inverse: Option<Compiled>,
}

/// The properties on the command line, if there are any.
pub(super) fn asked(args: &PropertyArgs, sweep: &Sweep) -> Result<Option<Vec<Asked>>, Failure> {
    if let (Some(option), 2) = (args.first(), sweep.inputs().arguments().len()) {
        return Err(Failure::input(format!(
            "{option}: properties are for functions of one argument, and `{}` has two ({}); leave it out",
            sweep.name(),
            sweep.inputs().signature()
        )));
    }
    let result = sweep.candidate().result(sweep.inputs());
    let integers = matches!(sweep.inputs(), InputSpace::Integers(_));
    if let Some(option) =
        (args.first()).filter(|_| integers || result.precision() != sweep.inputs().precision())
    {
        return Err(Failure::input(format!(
            "{option}: properties are for functions of numbers with results in the same format, and `{}` takes {} and gives {}; leave it out",
            sweep.name(),
            sweep.inputs().signature(),
            result.name()
        )));
    }
    let mut all = Vec::new();
    let mut ask = |words: &str, property| {
        all.push(Asked {
            words: words.into(),
            property,
            inverse: None,
        });
    };
    match args.monotone {
        Some(Direction::Increasing) => ask("monotone, increasing", Property::Increasing),
        Some(Direction::Decreasing) => ask("monotone, decreasing", Property::Decreasing),
        None => {}
    }
    if args.odd {
        ask("odd", Property::Odd);
    }
    if args.even {
        ask("even", Property::Even);
    }
    if let Some(text) = &args.results {
        let range = Range::parse(text, sweep.precision())
            .map_err(|e| Failure::input(format!("--results: {e}")))?;
        let [span] = range.spans() else {
            return Err(Failure::input(
                "--results takes one stretch, such as 0.0..=1.0",
            ));
        };
        let [lo, hi] = [span.first, span.last].map(|k| sweep.precision().value_of_key(k));
        // They are compared as values: -0 is in 0.0..=1.0.
        ask(&format!("results in {text}"), Property::Within(lo, hi));
    }
    if let Some(most) = args.seams {
        ask(&format!("no jump above {most} ULP"), Property::Seams(most));
    }
    if let Some(name) = &args.inverse_of {
        let inverse = library::against(name, sweep.inputs().whole())
            .map_err(|e| Failure::input(format!("--inverse-of: {}", e.message)))?;
        all.push(Asked {
            words: format!("undoes {name}"),
            property: Property::InverseOf,
            inverse: Some(inverse),
        });
    }
    Ok((!all.is_empty()).then_some(all))
}

pub(super) fn check(
    asked: &[Asked],
    sweep: &Sweep,
    (range, text): (&Range, &str),
    threads: Option<usize>,
    context: &mut Context,
) -> Result<(), Failure> {
    let stop = interrupt::stop("stopping; the results so far follow");
    let inputs = if range.count() <= ALL {
        u64::MAX
    } else {
        SAMPLE
    };
    let sample = match range.space() {
        // There are few of them, in another order.
        InputSpace::Stored(_) => Sample::of_stretches(sweep, range, &Wanted::of(sweep, u64::MAX)),
        _ => Sample::of(sweep, range, &Wanted::of(sweep, inputs)),
    };
    let properties: Vec<Property> = asked.iter().map(|a| a.property).collect();
    let threads = threads.unwrap_or_else(machine::cores);
    let judge = Judge {
        sweep,
        properties: &properties,
        inverse: asked.iter().find_map(|a| a.inverse),
    };
    let found =
        properties::check(&judge, (range, &sample), threads, &stop).map_err(|e| match e {
            PropertyError::Backend(e) => e.into(),
            e => Failure::input(e.to_string()),
        })?;
    if context.json {
        context
            .out
            .json(&document(asked, sweep, (range, text), &found))?;
    } else {
        let all = u128::from(found.inputs) == range.count();
        let of = match all {
            true => String::new(),
            false => format!(" of {} (not exhaustive)", show::count(range.count())),
        };
        let count = show::count(found.inputs.into());
        context
            .out
            .line(&format!("{}: {count} inputs{of}, {text}", sweep.name()))?;
        if let Some(sampled) = sample.describe().filter(|_| !all) {
            context.out.line(&format!("sample  {sampled}"))?;
        }
        let rows: Vec<Vec<String>> = asked
            .iter()
            .zip(&found.violations)
            .flat_map(|(asked, v)| {
                let verdict = match (v.count, all) {
                    (0, true) => "holds".into(),
                    (0, false) => "no violation found".into(),
                    (1, _) => "VIOLATED at 1 input".into(),
                    (n, _) => format!("VIOLATED at {} inputs", show::count(n.into())),
                };
                let at = |name: &str, v: &Option<Violation>| {
                    let shown = v.as_ref()?.show(asked.property, range.space());
                    Some(vec![name.to_string(), shown])
                };
                let farthest = match asked.property {
                    Property::Seams(_) => "  largest",
                    _ => "  farthest",
                };
                let worst = v.worst.filter(|w| Some(*w) != v.first);
                [
                    Some(vec![asked.words.clone(), verdict]),
                    at("  first", &v.first),
                    at(farthest, &worst),
                ]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
            })
            .collect();
        context.out.columns(&rows)?;
    }
    if stop.asked() || u128::from(found.inputs) < sample.count() {
        context.note("stopped; nothing is known about the other inputs");
        return Err(Failure::silent(exit::STOPPED));
    }
    match found.violations.iter().all(|v| v.count == 0) {
        true => Ok(()),
        false => Err(Failure::silent(exit::FINDING)),
    }
}

fn document(
    asked: &[Asked],
    sweep: &Sweep,
    (range, text): (&Range, &str),
    found: &Checked,
) -> serde_json::Value {
    let space = range.space();
    let at = |v: &Option<Violation>| {
        v.map(|v| {
            json!({
                "input": crate::results::input(space, v.key),
                "result": crate::results::word(sweep.precision(), v.result),
                "other": v.other.map(|(key, bits)| json!({
                    "input": crate::results::input(space, key),
                    "result": crate::results::word(sweep.precision(), bits),
                })),
                "steps": match v.off {
                    Distance::Numbers(n) => json!(n),
                    Distance::Ulp(_) => json!(null),
                },
                "jump": match v.off {
                    Distance::Numbers(_) => json!(null),
                    Distance::Ulp(x) => json!(x),
                },
            })
        })
    };
    let all: Vec<serde_json::Value> = asked
        .iter()
        .zip(&found.violations)
        .map(|(asked, v)| {
            json!({
                "property": asked.words,
                "violations": v.count,
                "first": at(&v.first),
                "farthest": at(&v.worst),
            })
        })
        .collect();
    json!({
        "sweep": sweep.name(),
        "range": text,
        "inputs": found.inputs,
        "exhaustive": u128::from(found.inputs) == range.count(),
        "properties": all,
    })
}
