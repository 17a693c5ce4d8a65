//! `verify`: the same inputs on every backend, compared block by block; where two part, the first input that differs.

use serde_json::{Value, json};

use crate::driver::args::VerifyArgs;
use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::driver::progress::{Display, short};
use crate::driver::{exit, interrupt, results};
use crate::search::block::BlockResult;
use crate::search::engine::{Device, Progress, Stop};
use crate::search::equivalence::{self, Agreement, Difference, Found, Settings, Verdict};
use crate::search::key::Precision;
use crate::search::oracle::Judged;
use crate::search::plan::Plan;
use crate::search::range::Range;
use crate::search::trace;
use crate::search::{machine, show};
use crate::sweep::Sweep;

/// Without `--range`, so many inputs stand for all.
const SAMPLE: u64 = 1 << 24;
/// A sample is of so many stretches.
const STRETCHES: u64 = 64;

/// How many inputs a slow backend takes by default: some seconds' worth.
fn most(id: &str) -> Option<u64> {
    if id == "interpreter" {
        Some(1 << 18)
    } else if id.starts_with("opencl:oclgrind") {
        Some(1 << 12)
    } else {
        None
    }
}

/// One backend's row of the table.
struct Row {
    agreement: Agreement,
    /// Inputs that it was given.
    given: u128,
    /// What it makes of the special values, where these were compared.
    edges: Option<Agreement>,
}

impl Row {
    /// Where it parts from the first backend.
    fn difference(&self) -> Option<&Difference> {
        std::iter::once(&self.agreement)
            .chain(&self.edges)
            .find_map(|a| match &a.verdict {
                Verdict::Differs(d) => Some(&**d),
                _ => None,
            })
    }
}

/// What is compared of a sweep.
struct Inputs {
    range: Range,
    /// Inputs that `range` stands for, where it is a sample.
    of: Option<u128>,
    text: String,
    edges: Option<Range>,
}

pub(super) fn verify(args: &VerifyArgs, context: &mut Context) -> Result<(), Failure> {
    let sweeps: Vec<&Sweep> = if args.sweeps.is_empty() {
        context.sweeps.iter().collect()
    } else {
        let named = args.sweeps.iter().map(|n| context.sweep(n));
        named.collect::<Result<_, _>>()?
    };
    if args.oracle {
        return super::oracle::oracle(&sweeps, args, context);
    }
    let plans = sweeps
        .iter()
        .map(|s| inputs(s, args, context))
        .collect::<Result<Vec<_>, _>>()?;
    let discovery = context.backends(&args.backend)?;
    let threads = args.threads.unwrap_or_else(machine::cores);
    let devices: Vec<Device> = discovery
        .backends
        .iter()
        .map(|b| Device::new(b.clone(), threads))
        .collect();
    let stop = interrupt::stop();
    let mut values = Vec::new();
    let mut differ = false;
    for (sweep, inputs) in sweeps.iter().zip(&plans) {
        let rows = compare(sweep, inputs, args, &devices, &stop, context)?;
        differ |= rows.iter().any(|r| r.difference().is_some());
        if context.json {
            values.push(document(sweep, inputs, &rows));
        } else {
            say(sweep, inputs, &rows, context)?;
        }
        if stop.asked() {
            break;
        }
    }
    if context.json {
        context.out.json(&json!(values))?;
    }
    if differ {
        return Err(Failure::silent(exit::FINDING));
    }
    if stop.asked() {
        context.note("stopped; what is above is all that was compared");
        return Err(Failure::silent(exit::STOPPED));
    }
    Ok(())
}

/// What is to be compared of a sweep.
fn inputs(sweep: &Sweep, args: &VerifyArgs, context: &Context) -> Result<Inputs, Failure> {
    let (plan, text) = context.plan(sweep, &args.range)?;
    let whole = plan.range();
    let given = args.range.range.is_some();
    let wanted = match args.inputs {
        None if given => u64::MAX,
        n => n.unwrap_or(SAMPLE),
    };
    let sampled = u128::from(wanted) < whole.count();
    Ok(Inputs {
        range: if sampled {
            whole.sample(wanted, STRETCHES)
        } else {
            whole.clone()
        },
        of: sampled.then(|| whole.count()),
        text,
        edges: (!given || args.edges).then(|| Range::edges(sweep.precision)),
    })
}

/// Compares the quick backends with the first on all inputs, each slow one on a sample of them; and all of them on
/// the edges.
fn compare(
    sweep: &Sweep,
    inputs: &Inputs,
    args: &VerifyArgs,
    devices: &[Device],
    stop: &Stop,
    context: &mut Context,
) -> Result<Vec<Row>, Failure> {
    let Some((first, others)) = devices.split_first() else {
        return Err(Failure::unavailable(format!(
            "no backend is available; `{} doctor` says why",
            context.program
        )));
    };
    let range = &inputs.range;
    let slow = |d: &Device| {
        let most = most(d.backend.id()).filter(|_| !args.slow)?;
        (u128::from(most) < range.count()).then_some(most)
    };
    let mut quick = vec![first.clone()];
    quick.extend(others.iter().filter(|d| slow(d).is_none()).cloned());
    let mut rows: Vec<Row> = Vec::new();
    let row = |given: &Range| {
        let given = given.count();
        move |agreement| Row {
            agreement,
            given,
            edges: None,
        }
    };
    let found = agree(sweep, range, args, &quick, stop, context)?;
    rows.extend(found.into_iter().map(row(range)));
    for d in others {
        let Some(most) = slow(d) else { continue };
        let part = range.sample(most, STRETCHES);
        let found = agree(
            sweep,
            &part,
            args,
            &[first.clone(), d.clone()],
            stop,
            context,
        )?;
        rows.extend(found.into_iter().skip(1).map(row(&part)));
    }
    // In the order of discovery.
    let id = |a: &Agreement| devices.iter().position(|d| d.backend.id() == a.backend);
    rows.sort_by_key(|r| id(&r.agreement));
    if let Some(edges) = &inputs.edges {
        for a in agree(sweep, edges, args, devices, stop, context)? {
            if let Some(r) = rows.iter_mut().find(|r| r.agreement.backend == a.backend) {
                r.edges = Some(a);
            }
        }
    }
    Ok(rows)
}

/// [`equivalence::compare`] with a display.
fn agree(
    sweep: &Sweep,
    range: &Range,
    args: &VerifyArgs,
    devices: &[Device],
    stop: &Stop,
    context: &mut Context,
) -> Result<Vec<Agreement>, Failure> {
    if stop.asked() {
        return Ok(Vec::new());
    }
    let plan =
        Plan::new(range.clone(), args.range.block).map_err(|e| Failure::input(e.to_string()))?;
    let mut shown: Option<(String, Display)> = None;
    let mut observe = |d: &Device, p: &Progress| {
        let id = d.backend.id();
        if shown.as_ref().is_none_or(|s| s.0 != id) {
            let label = format!("{} on {id}", sweep.name);
            let new = Display::new(args.quiet, &label, sweep.precision, BlockResult::EMPTY);
            shown = Some((id.into(), new));
        }
        if let Some((_, display)) = &mut shown {
            display.show(p, &mut *context.err);
        }
    };
    let settings = Settings::default();
    Ok(equivalence::compare(
        sweep,
        &plan,
        devices,
        &settings,
        stop,
        &mut observe,
    )?)
}

fn say(sweep: &Sweep, inputs: &Inputs, rows: &[Row], context: &mut Context) -> Result<(), Failure> {
    let p = sweep.precision;
    let count = |n: u128| show::count(n);
    let stands_for = inputs.of.map_or(String::new(), |n| {
        format!(", a sample of its {} (not exhaustive)", count(n))
    });
    let edges = inputs.edges.as_ref().map_or(String::new(), |e| {
        format!("; and {} special values and neighbours", count(e.count()))
    });
    context.out.line(&format!(
        "{}: {} inputs of {}{stands_for}{edges}",
        sweep.name,
        count(inputs.range.count()),
        inputs.text
    ))?;
    let heading = [
        "backend", "inputs", "inputs/s", "max ULP", "at", "digest", "verdict",
    ];
    let mut table = vec![heading.map(String::from).to_vec()];
    for r in rows {
        let a = &r.agreement;
        let max = a.result.max;
        let (error, at) = if max.exists() {
            let at = show::hex_float(p, p.bits_of_key(max.key));
            (short(max.error()), at)
        } else {
            ("none".into(), String::new())
        };
        let verdict = match (&a.verdict, r.difference()) {
            (_, Some(d)) => format!("differs from {}", d.backends[0]),
            (Verdict::Baseline, _) => "baseline".into(),
            _ => "bitwise identical".into(),
        };
        table.push(vec![
            a.backend.clone(),
            count(a.result.count.into()),
            show::si(a.rate),
            error,
            at,
            results::digest(&a.result),
            verdict,
        ]);
    }
    context.out.table(&table)?;
    for r in rows.iter().take(1) {
        let max = r.agreement.result.max;
        if max.exists() {
            context.out.line(&format!(
                "worst: {} ULP at {}",
                format_error(max.error()),
                show::full(p, p.bits_of_key(max.key))
            ))?;
        }
    }
    for d in rows.iter().filter_map(Row::difference) {
        difference(p, d, context)?;
    }
    let same = rows.iter().all(|r| r.difference().is_none());
    if same && rows.len() > 1 {
        let least = rows.iter().map(|r| r.agreement.result.count).min();
        let most = rows.iter().map(|r| r.agreement.result.count).max();
        let on = match (least, most) {
            (Some(a), Some(b)) if a < b => format!(
                "the inputs that both have done ({} to {})",
                count(a.into()),
                count(b.into())
            ),
            (a, _) => format!("{} inputs", count(a.unwrap_or(0).into())),
        };
        context.out.line(&format!(
            "verdict: {} backends bitwise identical on {on}{}",
            rows.len(),
            if inputs.edges.is_some() {
                " and on the special values"
            } else {
                ""
            }
        ))?;
    }
    context.out.line("")?;
    Ok(())
}

fn format_error(x: f64) -> String {
    crate::search::format::number(x)
}

/// Where two backends part.
fn difference(p: Precision, d: &Difference, context: &mut Context) -> Result<(), Failure> {
    let [a, b] = &d.backends;
    let key = |k: i64| show::decimal(p, p.bits_of_key(k));
    let last = d.block.first.wrapping_add_unsigned(d.block.count - 1);
    context.out.line(&format!(
        "{b} differs from {a} in {} block{}; in the first, inputs {} to {}, by: {}",
        show::count(d.blocks.into()),
        if d.blocks == 1 { "" } else { "s" },
        key(d.block.first),
        key(last),
        Difference::fields(&d.results[0], &d.results[1]).join(", ")
    ))?;
    let Found::Input {
        key,
        judged,
        alone,
        trace,
    } = &d.found
    else {
        context.out.line(
            "  no part of that block differs when searched by itself: the result depends on how the work is cut, or \
             on chance",
        )?;
        return Ok(());
    };
    context.out.line(&format!(
        "  the first input that differs: {}",
        show::full(p, p.bits_of_key(*key))
    ))?;
    let mut rows = Vec::new();
    for (id, j) in d.backends.iter().zip(judged.iter()) {
        let result = show::full(p, j.result_bits);
        rows.push(vec![
            format!("    {id}"),
            format!("{result}, error {} ULP", short(j.error)),
        ]);
    }
    context.out.columns(&rows)?;
    let words = |j: &Judged| j.reference.map(f64::to_bits);
    let mut rows = Vec::new();
    if words(&judged[0]) == words(&judged[1]) {
        let [hi, lo] = judged[0].reference;
        rows.push(vec!["    reference".into(), format!("{hi:?} + {lo:?}")]);
    } else {
        for (id, j) in d.backends.iter().zip(judged.iter()) {
            let [hi, lo] = words(j).map(|w| show::full(Precision::F64, w));
            rows.push(vec![
                format!("    reference on {id}"),
                format!("{hi} + {lo}"),
            ]);
        }
    }
    if judged[0] == judged[1] && alone[0] != alone[1] {
        rows.push(vec![
            "    note".into(),
            "evaluated alone they agree; their search kernels do not".into(),
        ]);
    }
    context.out.columns(&rows)?;
    for line in trace::part_lines(trace) {
        context.out.line(&format!("  {line}"))?;
    }
    Ok(())
}

fn document(sweep: &Sweep, inputs: &Inputs, rows: &[Row]) -> Value {
    let p = sweep.precision;
    let backends: Vec<Value> = rows
        .iter()
        .map(|r| {
            let a = &r.agreement;
            json!({
                "backend": a.backend,
                "description": a.description,
                "inputs": a.result.count,
                "of_inputs": results::count(r.given),
                "rate": a.rate,
                "result": results::result(p, &a.result),
                "edges": r.edges.as_ref().map(|e| results::result(p, &e.result)),
                "verdict": match (&a.verdict, r.difference()) {
                    (_, Some(_)) => "differs",
                    (Verdict::Baseline, _) => "baseline",
                    _ => "identical",
                },
                "difference": r.difference().map(|d| difference_json(p, d)),
            })
        })
        .collect();
    json!({
        "sweep": sweep.name,
        "range": inputs.text,
        "inputs": results::count(inputs.range.count()),
        "sample_of": inputs.of.map(results::count),
        "edges": inputs.edges.as_ref().map(|e| results::count(e.count())),
        "identical": rows.iter().all(|r| r.difference().is_none()),
        "backends": backends,
    })
}

fn difference_json(p: Precision, d: &Difference) -> Value {
    let key = |k: i64| results::word(p, p.bits_of_key(k));
    let first = match &d.found {
        Found::Nothing => Value::Null,
        Found::Input {
            key: k,
            judged,
            trace,
            ..
        } => {
            let side = |j: &Judged| {
                json!({
                    "result": results::word(p, j.result_bits),
                    "reference": j.reference.map(|x| results::word(Precision::F64, x.to_bits())),
                    "error": results::error(j.error),
                    "flags": j.flags,
                })
            };
            json!({
                "input": key(*k),
                "sides": [side(&judged[0]), side(&judged[1])],
                "trace": super::trace::parts(trace, false),
            })
        }
    };
    json!({
        "backends": d.backends,
        "blocks": d.blocks,
        "block": { "index": d.block.index, "first": key(d.block.first), "inputs": d.block.count },
        "fields": Difference::fields(&d.results[0], &d.results[1]),
        "first_input": first,
    })
}
