//! `verify`: the same inputs on every backend, compared block by block; where two differ, the first such input.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::args::VerifyArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::limit::Limit;
use crate::progress::{Display, short};
use crate::{exit, interrupt, results};
use dc_runtime::backend::{Backend, BackendError, Discovery, Speed};
use dc_runtime::model::block::BlockResult;
use dc_runtime::model::key::Precision;
use dc_runtime::model::space::InputSpace;
use dc_runtime::model::{machine, show};
use dc_runtime::search::engine::{Device, Progress, Stop};
use dc_runtime::search::equivalence::{self, Agreement, Difference, Found, Settings, Verdict};
use dc_runtime::search::evaluator::{self, PointResult};
use dc_runtime::search::plan::Plan;
use dc_runtime::search::range::Range;
use dc_runtime::search::sample::{Sample, Wanted};
use dc_runtime::search::trace;
use dc_runtime::sweep::Sweep;

/// The size of the sample that is compared without `--range`.
const SAMPLE: u64 = 1 << 24;

/// The default number of inputs, and of stretches for each way of cutting, of a slow backend: these take some seconds.
fn sample_cap(backend: &dyn Backend) -> Option<(u64, u64)> {
    match backend.speed() {
        Speed::Compiled => None,
        Speed::Interpreted => Some((1 << 18, 1 << 9)),
        Speed::Simulated => Some((1 << 12, 24)),
    }
}

/// One backend's row of the table.
struct Row {
    agreement: Agreement,
    /// The number of inputs that it was given.
    given: u128,
    /// The comparison on the special values, where these were compared.
    edges: Option<Agreement>,
}

impl Row {
    /// The difference from the first backend.
    fn difference(&self) -> Option<&Difference> {
        std::iter::once(&self.agreement)
            .chain(&self.edges)
            .find_map(|a| match &a.verdict {
                Verdict::Differs(d) => Some(&**d),
                _ => None,
            })
    }
}

/// The compared inputs of a sweep.
struct Inputs {
    whole: Range,
    sample: Sample,
    text: String,
    edges: Option<Range>,
}

impl Inputs {
    /// The number of inputs from which the sample was taken, if it is one.
    fn of(&self) -> Option<u128> {
        (!self.sample.is_exhaustive()).then_some(self.sample.of)
    }

    /// The limit for the results of the baseline, and the violations of it.
    fn findings(&self, sweep: &Sweep, rows: &[Row]) -> (Option<Limit>, Vec<String>) {
        let limit = Limit::of(sweep, &self.whole);
        let found = match (limit, rows.first()) {
            (Some(l), Some(r)) => l.findings(sweep.inputs, &r.agreement.result),
            _ => Vec::new(),
        };
        (limit, found)
    }
}

pub(super) fn verify(args: &VerifyArgs, context: &mut Context) -> Result<(), Failure> {
    if !args.differ.is_empty() {
        return super::differ::differ(args, context);
    }
    let sweeps: Vec<&Sweep> = if args.sweeps.is_empty() {
        context.sweeps.iter().collect()
    } else {
        let named = args.sweeps.iter().map(|n| context.sweep(n));
        named.collect::<Result<_, _>>()?
    };
    if args.mpfr {
        return super::mpfr::check_references(&sweeps, args, context);
    }
    let mut kernels = Vec::new();
    for sweep in sweeps {
        if sweep.kernels().is_some() {
            kernels.push(sweep);
        } else {
            context.note(&format!(
                "{}: not compared, accuracy only: {}",
                sweep.name,
                sweep.why_accuracy_only()
            ));
        }
    }
    let sweeps = kernels;
    if sweeps.is_empty() && !context.sweeps.is_empty() {
        return Err(Failure::input(
            "nothing to compare: all requested sweeps are of functions of the host".to_string(),
        ));
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
    let stop = interrupt::stop("stopping; what is searched is kept");
    let mut values = Vec::new();
    let mut found = false;
    for (sweep, inputs) in sweeps.iter().zip(&plans) {
        let sweep = &sweep.over(inputs.whole.space());
        let rows = compare(sweep, inputs, args, &devices, &stop, context)?;
        found |= rows.iter().any(|r| r.difference().is_some());
        found |= !inputs.findings(sweep, &rows).1.is_empty();
        if context.json {
            values.push(document(sweep, inputs, &rows, &discovery));
        } else {
            say(sweep, inputs, &rows, &discovery, context)?;
        }
        if stop.asked() {
            break;
        }
    }
    if context.json {
        context.out.json(&json!(values))?;
    }
    if found {
        return Err(Failure::silent(exit::FINDING));
    }
    if !discovery.refused.is_empty() {
        let ids: Vec<&str> = discovery.refused.iter().map(|r| r.0.as_str()).collect();
        return Err(Failure::unavailable(format!(
            "{} must not be trusted and was not compared; name the backends to compare with --backend, or repair it: \
             `{} doctor` reports what is wrong",
            ids.join(", "),
            context.program
        )));
    }
    if stop.asked() {
        context.note("stopped; what is above is all that was compared");
        return Err(Failure::silent(exit::STOPPED));
    }
    Ok(())
}

/// The inputs of a sweep that are to be compared.
fn inputs(sweep: &Sweep, args: &VerifyArgs, context: &Context) -> Result<Inputs, Failure> {
    let (plan, text) = context.plan(sweep, &args.range)?;
    let whole = plan.range().clone();
    let given = args.range.range.is_some();
    let wanted = match args.inputs {
        None if given => u64::MAX,
        n => n.unwrap_or(SAMPLE),
    };
    Ok(Inputs {
        sample: Sample::of(sweep, &whole, &Wanted::of(sweep, wanted)),
        whole,
        text,
        // Pairs of special values are the first ones of every sample of pairs.
        edges: (!given || args.edges)
            .then_some(sweep.precision)
            .filter(|_| sweep.inputs.is_ordered())
            .map(Range::edges),
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
            "no backend is available; `{} doctor` reports why",
            context.program
        )));
    };
    let range = &inputs.sample.range;
    let slow = |d: &Device| {
        let most = sample_cap(&*d.backend).filter(|_| !args.slow)?;
        (u128::from(most.0) < range.count()).then_some(most)
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
        let Some((most, stretches)) = slow(d) else {
            continue;
        };
        let wanted = Wanted {
            stretches,
            ..Wanted::of(sweep, most)
        };
        let part = Sample::of(sweep, &inputs.whole, &wanted).range;
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
    // In the order of their discovery.
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

/// [`equivalence::compare`] with a display of its progress.
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
            let new = Display::new(args.quiet, &label, sweep.inputs, BlockResult::EMPTY);
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

fn say(
    sweep: &Sweep,
    inputs: &Inputs,
    rows: &[Row],
    discovery: &Discovery,
    context: &mut Context,
) -> Result<(), Failure> {
    let space = sweep.inputs;
    let count = |n: u128| show::count(n);
    let things = match space.of_pairs() {
        Some(_) => "pairs",
        None => "inputs",
    };
    let stands_for = inputs.sample.stands_for().map_or(String::new(), |n| {
        format!(", a sample of its {n} (not exhaustive)")
    });
    let edges = inputs.edges.as_ref().map_or(String::new(), |e| {
        format!("; and {} special values and neighbours", count(e.count()))
    });
    context.out.line(&format!(
        "{}: {} {things} of {}{stands_for}{edges}",
        sweep.name,
        count(inputs.sample.range.count()),
        inputs.text
    ))?;
    if let Some(strata) = inputs.sample.describe() {
        context.out.line(&format!("sample: {strata}"))?;
    }
    let heading = [
        "backend", "inputs", "inputs/s", "max ULP", "at", "digest", "verdict",
    ];
    let mut table = vec![heading.map(String::from).to_vec()];
    for r in rows {
        let a = &r.agreement;
        let max = a.result.max;
        let (error, at) = if max.exists() {
            let at = space.hex_float(max.key);
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
    let without = |id: &str, verdict: &str| {
        let mut row = vec![String::new(); heading.len()];
        (row[0], row[6]) = (id.into(), verdict.into());
        row
    };
    let refused = discovery.refused.iter().map(|r| &r.0);
    table.extend(refused.map(|id| without(id, "REFUSED, not compared")));
    // One row for each backend, however many reasons there are.
    let absent: BTreeSet<&String> = discovery.absent.iter().map(|a| &a.id).collect();
    table.extend(absent.into_iter().map(|id| without(id, "not here")));
    context.out.table(&table)?;
    for (id, e) in &discovery.refused {
        context
            .out
            .line(&format!("{id} is refused: {}", reason(id, e)))?;
    }
    for a in &discovery.absent {
        context
            .out
            .line(&format!("{} is not here: {}", a.id, a.reason))?;
    }
    let (limit, findings) = inputs.findings(sweep, rows);
    for r in rows.iter().take(1) {
        let max = r.agreement.result.max;
        if max.exists() {
            let allowed = match limit {
                Some(Limit::Declared(ulp, _)) => format!("; {} ULP allowed", format_error(ulp)),
                _ => String::new(),
            };
            context.out.line(&format!(
                "worst: {} ULP at {}{allowed}",
                format_error(max.error()),
                space.show(max.key)
            ))?;
        }
        for (kind, fault, whose) in evaluator::faults(sweep, &r.agreement.result) {
            context.out.line(&format!(
                "wrong special values ({}): {} inputs, the first {}: {whose}",
                kind.name(),
                count(fault.count.into()),
                space.show(fault.first_key)
            ))?;
        }
    }
    for finding in &findings {
        context.out.line(&format!("FINDING: {finding}"))?;
    }
    for d in rows.iter().filter_map(Row::difference) {
        difference(space, d, context)?;
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
            "verdict: {} backends bitwise identical on {on}{}{}{}",
            rows.len(),
            if inputs.edges.is_some() {
                " and on the special values"
            } else {
                ""
            },
            match discovery.refused.len() {
                0 => String::new(),
                n => format!("; {n} refused"),
            },
            if findings.is_empty() {
                ""
            } else {
                ", and wrong: see FINDING"
            }
        ))?;
    }
    context.out.line("")?;
    Ok(())
}

/// The reason why a backend is refused, in one line without its name.
fn reason(id: &str, e: &BackendError) -> String {
    let text = e.to_string();
    let line = text.lines().next().unwrap_or_default();
    let own = format!("{id} is refused: ");
    line.strip_prefix(&own).unwrap_or(line).into()
}

fn format_error(x: f64) -> String {
    dc_runtime::search::format::number(x)
}

/// The difference of two backends.
fn difference(space: InputSpace, d: &Difference, context: &mut Context) -> Result<(), Failure> {
    let [a, b] = &d.backends;
    let p = space.precision();
    let key = |k: i64| space.decimal(k);
    let last = d.block.first.wrapping_add_unsigned(d.block.count - 1);
    context.out.line(&format!(
        "{b} differs from {a} in {} block{}; in the first, inputs {} to {}, by: {}",
        show::count(d.blocks.into()),
        if d.blocks == 1 { "" } else { "s" },
        key(d.block.first),
        key(last),
        d.results[0].differing_fields(&d.results[1]).join(", ")
    ))?;
    let Found::Input {
        key,
        measured,
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
        space.show(*key)
    ))?;
    let mut rows = Vec::new();
    for (id, j) in d.backends.iter().zip(measured.iter()) {
        let result = show::full(p, j.result_bits);
        rows.push(vec![
            format!("    {id}"),
            format!("{result}, error {} ULP", short(j.error)),
        ]);
    }
    context.out.columns(&rows)?;
    let words = |j: &PointResult| j.reference.map(f64::to_bits);
    let given = |j: &PointResult| (words(j), j.scale);
    let mut rows = Vec::new();
    if given(&measured[0]) == given(&measured[1]) {
        let PointResult {
            reference: [hi, lo],
            scale,
            ..
        } = measured[0];
        let text = show::scaled(&format!("{hi:?} + {lo:?}"), scale);
        rows.push(vec!["    reference".into(), text]);
    } else {
        for (id, j) in d.backends.iter().zip(measured.iter()) {
            let [hi, lo] = words(j).map(|w| show::full(Precision::F64, w));
            rows.push(vec![
                format!("    reference on {id}"),
                show::scaled(&format!("{hi} + {lo}"), j.scale),
            ]);
        }
    }
    if measured[0] == measured[1] && alone[0] != alone[1] {
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

fn document(sweep: &Sweep, inputs: &Inputs, rows: &[Row], discovery: &Discovery) -> Value {
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
                "result": results::result(sweep.inputs, &a.result, sweep.measure),
                "edges": r.edges.as_ref().map(|e| results::result(sweep.inputs, &e.result, sweep.measure)),
                "verdict": match (&a.verdict, r.difference()) {
                    (_, Some(_)) => "differs",
                    (Verdict::Baseline, _) => "baseline",
                    _ => "identical",
                },
                "difference": r.difference().map(|d| difference_json(p, d)),
            })
        })
        .collect();
    let (limit, findings) = inputs.findings(sweep, rows);
    let strata = inputs.sample.strata.as_ref().map(|s| {
        json!({
            "stretches": inputs.sample.range.spans().len(),
            "binades_of_input": s.inputs,
            "binades_of_result": s.results,
            "pieces_of_routine": s.pieces,
            "pieces_unknown": s.unknown,
            "seed": format!("{:#x}", inputs.sample.seed),
        })
    });
    let refused: Vec<Value> = discovery
        .refused
        .iter()
        .map(|(id, e)| json!({ "backend": id, "reason": reason(id, e) }))
        .collect();
    let absent: Vec<Value> = discovery
        .absent
        .iter()
        .map(|a| json!({ "backend": a.id, "reason": a.reason, "remedy": a.remedy }))
        .collect();
    json!({
        "sweep": sweep.name,
        "range": inputs.text,
        "inputs": results::count(inputs.sample.range.count()),
        "sample_of": inputs.of().map(results::count),
        "sample": strata,
        "edges": inputs.edges.as_ref().map(|e| results::count(e.count())),
        "identical": rows.iter().all(|r| r.difference().is_none()),
        "allowed": limit.map(|l| results::error(l.ulp())),
        "findings": findings,
        "backends": backends,
        "refused": refused,
        "missing": absent,
    })
}

fn difference_json(p: Precision, d: &Difference) -> Value {
    let key = |k: i64| results::word(p, p.bits_of_key(k));
    let first = match &d.found {
        Found::Nothing => Value::Null,
        Found::Input {
            key: k,
            measured,
            trace,
            ..
        } => {
            let side = |j: &PointResult| {
                json!({
                    "result": results::word(p, j.result_bits),
                    "reference": j.reference.map(|x| results::word(Precision::F64, x.to_bits())),
                    "scale": j.scale,
                    "error": results::error(j.error),
                    "flags": j.flags,
                })
            };
            json!({
                "input": key(*k),
                "sides": [side(&measured[0]), side(&measured[1])],
                "trace": super::trace::parts(trace, false),
            })
        }
    };
    json!({
        "backends": d.backends,
        "blocks": d.blocks,
        "block": { "index": d.block.index, "first": key(d.block.first), "inputs": d.block.count },
        "fields": d.results[0].differing_fields(&d.results[1]),
        "first_input": first,
    })
}
