//! Results as text and as JSON, in the same form in all commands.

use std::time::Duration;

use serde_json::{Value, json};

use super::exit;
use super::failure::Failure;
use super::progress::short;
use dc_runtime::builtins::reference::Function;
#[cfg(feature = "references")]
use dc_runtime::builtins::reference::Reference as RegisteredReference;
use dc_runtime::model::block::{BINS, BlockResult, FaultKind, Worst};
use dc_runtime::model::candidate::Candidate;
use dc_runtime::model::error::BackendError;
use dc_runtime::model::fine::{FINE_BINS, fine_floor};
use dc_runtime::model::key::Precision;
use dc_runtime::model::measure::Measure;
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
#[cfg(feature = "references")]
use dc_runtime::model::space::PairSpace;
use dc_runtime::search::Reference;
use dc_runtime::search::decide::{self, Decided};
use dc_runtime::search::evaluator::{self, PointResult};
use dc_runtime::search::exact_results::{self, ExactResults};
use dc_runtime::search::format::share;
use dc_runtime::search::range::Range;
use dc_runtime::search::ulp::Definition;
use dc_runtime::sweep::Sweep;

/// The names of a function's arguments.
pub(super) const ARGUMENTS: [&str; 3] = ["x", "y", "z"];
/// The names of an input's neighbours.
pub(super) const BESIDE: [&str; 2] = ["before", "after"];

/// A count: a number in JSON, exact up to 2^64.
pub(super) fn count(n: u128) -> Value {
    // 2^64, all inputs of an f64, is exact as a float.
    u64::try_from(n).map_or_else(|_| json!(n as f64), Value::from)
}

/// A float of the precision in its three forms.
pub(super) fn word(p: Precision, bits: u64) -> Value {
    json!({
        "decimal": show::decimal(p, bits),
        "hex": show::hex_float(p, bits),
        "bits": show::bits(p, bits),
    })
}

/// The arguments of an input: a float, an array of floats, or an integer.
pub(super) fn input(space: InputSpace, key: i64) -> Value {
    if let InputSpace::Integers(_) = space {
        return json!({ "decimal": space.decimal(key), "bits": space.bits(key) });
    }
    let words: Vec<Value> = space
        .words(key)
        .map(|w| word(space.precision(), w))
        .collect();
    match &words[..] {
        [word] => word.clone(),
        _ => Value::Array(words),
    }
}

/// An error. JSON has no infinity.
pub(super) fn error(x: f64) -> Value {
    if x.is_finite() {
        json!(x)
    } else {
        json!(show::decimal(Precision::F64, x.to_bits()))
    }
}

/// A worst input.
pub(super) fn worst(space: InputSpace, w: &Worst, definition: Definition) -> Value {
    let p = w.precision;
    json!({
        "error": error(definition.of(w)),
        "ulp": definition.name(),
        "input": input(space, w.key),
        "result": word(p, w.result_bits),
        "reference": {
            "high": word(Precision::F64, w.reference[0].to_bits()),
            "low": word(Precision::F64, w.reference[1].to_bits()),
            "scale": w.scale,
        },
    })
}

/// The result of a search with this measure. Its errors in ULP follow the Handbook's definition.
pub(super) fn result(space: InputSpace, r: &BlockResult, measure: Measure) -> Value {
    let extreme = |e: dc_runtime::model::block::Extreme| {
        e.exists()
            .then(|| json!({ "error": error(e.error()), "input": input(space, e.key) }))
    };
    let faults: serde_json::Map<String, Value> = FaultKind::ALL
        .iter()
        .zip(&r.faults)
        .map(|(kind, f)| {
            let first = (f.count > 0).then(|| input(space, f.first_key));
            (
                kind.name().into(),
                json!({ "count": f.count, "first": first }),
            )
        })
        .collect();
    // Values that were not measured are null.
    let full = |value: Value| match Measure::of_result(r) {
        Measure::Maxima => Value::Null,
        _ => value,
    };
    json!({
        "measure": match measure.is_in_ulp() {
            true => Measure::of_result(r).name(),
            false => measure.name(),
        },
        "unit": measure.unit(),
        "inputs": r.count,
        "max_error": extreme(r.max),
        "max_positive": extreme(r.max_positive),
        "max_negative": extreme(r.max_negative),
        "misrounded": full(r.misrounded.into()),
        "misrounded_share": full(share(r.misrounded, r.count).into()),
        "undecided": full(r.undecided.into()),
        "faults": faults,
        "digest": digest(r),
        "histogram": full(r.histogram.as_slice().into()),
        "histogram_edges": (0..BINS).map(|bin| measure.bin_floor(bin)).collect::<Vec<_>>(),
        "fine_histogram": {
            "inputs": r.fine.inputs(),
            "counts": r.fine.0.as_slice(),
            "edges": (0..FINE_BINS).map(fine_floor).collect::<Vec<_>>(),
        },
    })
}

pub(super) fn digest(r: &BlockResult) -> String {
    format!("{:016x}", r.digest)
}

/// The results of the routine and the reference for the first input of each kind of wrong special values, as lines of text.
pub(super) fn whose(sweep: &Sweep, result: &BlockResult) -> Vec<String> {
    evaluator::faults(sweep, result)
        .into_iter()
        .map(|(kind, _, whose)| format!("  {:11} {whose}", kind.name()))
        .collect()
}

/// The lanes of a vector function in JSON.
pub(super) fn lanes(sweep: &Sweep) -> Option<Value> {
    let Candidate::Library(f) = sweep.candidate() else {
        return None;
    };
    let lanes = f.signature().lanes;
    (lanes > 1).then(|| {
        let found = f.lane_difference();
        json!({
            "lanes": lanes,
            "differing": found.as_ref().map_or(0, |d| d.count),
            "first": found.as_ref().map(|d| json!({
                "input": d.input,
                "lane": d.lane,
                "results": d.results.map(|bits| word(sweep.precision(), bits)),
            })),
        })
    })
}

/// Whether the lanes of a vector function gave the same bits in the calls of this process.
pub(super) fn lanes_line(sweep: &Sweep) -> Option<String> {
    let Candidate::Library(f) = sweep.candidate() else {
        return None;
    };
    let lanes = f.signature().lanes;
    match f.lane_difference() {
        _ if lanes == 1 => None,
        None => Some(format!(
            "lanes         each input has the same bits in all {lanes}"
        )),
        Some(found) => Some(format!(
            "lanes         DIFFER at {}",
            found.show(sweep.precision())
        )),
    }
}

/// The outcome of a command without other findings: a finding if the lanes of a vector function differ.
pub(super) fn lanes_agree<'a>(sweeps: impl IntoIterator<Item = &'a Sweep>) -> Result<(), Failure> {
    let differ = |sweep: &Sweep| match sweep.candidate() {
        Candidate::Library(f) => f.lane_difference().is_some(),
        _ => false,
    };
    match sweeps.into_iter().any(differ) {
        true => Err(Failure::silent(exit::FINDING)),
        false => Ok(()),
    }
}

/// The numbers of wrong special values, with the first of each kind; `None` if there are none.
pub(super) fn faults(space: InputSpace, r: &BlockResult) -> Option<String> {
    let all = FaultKind::ALL.iter().zip(&r.faults);
    let faults: Vec<String> = all
        .filter(|(_, f)| f.count > 0)
        .map(|(kind, f)| {
            let at = space.decimal(f.first_key);
            let count = show::count(f.count.into());
            format!("{count} {}, first at {at}", kind.name())
        })
        .collect();
    (!faults.is_empty()).then(|| faults.join("; "))
}

/// The result of higher precision, in a limited time, for inputs that a search of the sweep could not decide.
pub(super) fn decided(
    sweep: &Sweep,
    undecided: &[PointResult],
    limit: Option<Duration>,
) -> Decided {
    let function = function_of(sweep);
    let finer = function.and_then(|f| finer(f, sweep.inputs()));
    let sweep = function.map_or(*sweep, |f| sweep.of(f));
    decide::decide(&sweep, finer.as_ref(), undecided, limit)
}

/// The function that a sweep's candidate should compute, if it is known.
pub(super) fn function_of(sweep: &Sweep) -> Option<Function> {
    sweep.truth().or_else(|| of_reference(sweep))
}

/// The function whose reference the sweep has.
#[cfg(feature = "references")]
fn of_reference(sweep: &Sweep) -> Option<Function> {
    let name = dc_references::function_of(sweep.reference().name(), sweep.inputs())?;
    Some(RegisteredReference::by_name(name).ok()?.function)
}

/// The function's reference for routines in binary64, if these inputs are in binary32.
#[cfg(feature = "references")]
fn finer(function: Function, inputs: InputSpace) -> Option<Reference> {
    let precision = Precision::F64;
    let doubles = match inputs {
        InputSpace::Pairs(pairs) => InputSpace::Pairs(PairSpace { precision, ..pairs }),
        _ => InputSpace::Numbers(precision),
    };
    let known = crate::library::by_formula(function.name())?;
    dc_references::reference(known.name, doubles)
}

#[cfg(not(feature = "references"))]
fn of_reference(_: &Sweep) -> Option<Function> {
    None
}

#[cfg(not(feature = "references"))]
fn finer(_: Function, _: InputSpace) -> Option<Reference> {
    None
}

/// That result as a line of text, which follows the line of all undecided inputs.
pub(super) fn decided_line(space: InputSpace, r: &BlockResult, decided: &Decided) -> String {
    let count = |n: u64| show::count(n.into());
    let first_open = match decided.first_open {
        Some(key) => format!(", the first at {}", space.decimal(key)),
        None => String::new(),
    };
    let by: Vec<&str> = decided.by.iter().copied().collect();
    if by.is_empty() {
        let remedy = match cfg!(feature = "mpfr") {
            true => "MPFR has no function that the sweep names",
            false => "a build with the feature `mpfr` decides more",
        };
        return format!("  decided     none{first_open}: {remedy}");
    }
    let mut parts = Vec::new();
    if let Some(first) = decided.first_misrounded {
        let first = space.decimal(first);
        parts.push(format!(
            "{} misrounded, first at {first}",
            count(decided.misrounded)
        ));
    }
    if decided.rounded > 0 {
        parts.push(format!("{} rounded correctly", count(decided.rounded)));
    }
    if decided.ties > 0 {
        parts.push(format!(
            "{} halfway between two numbers",
            count(decided.ties)
        ));
    }
    let open = r.undecided.saturating_sub(decided.inputs() - decided.open);
    let all = match open {
        0 => String::new(),
        n => format!("; {} still undecided{first_open}", count(n)),
    };
    format!(
        "  decided     {}: {}{all}",
        by.join(" and "),
        parts.join(", ")
    )
}

/// That result as JSON.
pub(super) fn decided_json(space: InputSpace, decided: &Decided) -> Value {
    json!({
        "by": decided.by,
        "misrounded": decided.misrounded,
        "first_misrounded": decided.first_misrounded.map(|key| input(space, key)),
        "rounded": decided.rounded,
        "ties": decided.ties,
        "open": decided.open,
        "first_open": decided.first_open.map(|key| input(space, key)),
    })
}

/// The number of inputs at which two candidates differ, and the number of those at which one gives a NaN.
pub(super) fn differing(count: u64, nan: u64, inputs: u64) -> Vec<String> {
    let mut lines = vec![format!(
        "differ        {} ({:.4} %)",
        show::count(count.into()),
        100.0 * share(count, inputs)
    )];
    if nan > 0 {
        lines.push(format!(
            "  NaN         one of both, at {}",
            show::count(nan.into())
        ));
    }
    lines
}

/// What is known about the results of a range that are exactly numbers; `None` if the function is not known.
pub(super) fn exact(sweep: &Sweep, range: &Range) -> Option<Result<ExactResults, BackendError>> {
    let function = function_of(sweep)?;
    Some(exact_results::check(sweep.candidate(), function, range))
}

/// That as a line of text; `None` if there is nothing to report.
pub(super) fn exact_line(sweep: &Sweep, range: &Range) -> Option<String> {
    let found = match exact(sweep, range)? {
        Ok(found) => found,
        Err(e) => return Some(format!("exact         not evaluated: {e}")),
    };
    if found.cases == 0 {
        return None;
    }
    let cases = show::count(found.cases.into());
    let sample = if found.complete { "" } else { ", a sample" };
    Some(match &found.first {
        None => format!("exact         none of {cases} missed{sample}"),
        Some(first) => {
            let p = sweep.precision();
            format!(
                "exact         {} of {cases} missed{sample}, the first at {}: {}, not {}",
                show::count(found.missed.into()),
                show::arguments(p, &first.arguments, show::decimal),
                show::decimal(p, first.result),
                show::decimal(p, first.exact)
            )
        }
    })
}

/// That as JSON.
pub(super) fn exact_json(sweep: &Sweep, range: &Range) -> Value {
    let p = sweep.precision();
    match exact(sweep, range) {
        None => Value::Null,
        Some(Err(e)) => json!({ "error": e.to_string() }),
        Some(Ok(found)) => json!({
            "cases": found.cases,
            "complete": found.complete,
            "missed": found.missed,
            "first": found.first.map(|first| json!({
                "arguments": first.arguments.iter().map(|w| word(p, *w)).collect::<Vec<_>>(),
                "result": word(p, first.result),
                "exact": word(p, first.exact),
            })),
        }),
    }
}

/// The shares of inputs with errors below some numbers of ULP, up to the first number that holds for all. `None` if errors have no unit, or
/// were not counted.
fn shares(r: &BlockResult, definition: Definition) -> Option<String> {
    let in_ulp = !matches!(definition, Definition::Searched(m) if !m.is_in_ulp());
    let all: u64 = r.histogram.iter().sum();
    if !in_ulp || all == 0 {
        return None;
    }
    let mut texts = Vec::new();
    for (bins, ulp) in [(4, 1), (8, 2), (9, 4), (11, 16), (15, 256)] {
        let below: u64 = r.histogram[..bins].iter().sum();
        let percent = 100.0 * share(below, r.count);
        texts.push(match below == r.count {
            true => format!("below {ulp} ULP all"),
            // A share below 100% is not printed as 100%.
            false => format!("below {ulp} ULP {:.4} %", (percent * 1e4).floor() / 1e4),
        });
        if below == all {
            break;
        }
    }
    Some(texts.join(", "))
}

/// A result as lines of text.
pub(super) fn lines(
    space: InputSpace,
    r: &BlockResult,
    w: Option<&Worst>,
    definition: Definition,
) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(inputs) = space.describe(r.count) {
        out.push(format!("inputs        {inputs}"));
    }
    match w {
        Some(w) => {
            let p = w.precision;
            let both = p == Precision::F64 || matches!(space, InputSpace::Integers(_));
            let under = match definition {
                Definition::Handbook | Definition::Searched(_) => String::new(),
                Definition::Absolute | Definition::Relative => {
                    " (of the input that is worst under the Handbook's definition)".into()
                }
                d => format!(
                    " ({}; of the input that is worst under the Handbook's)",
                    d.name()
                ),
            };
            out.push(format!(
                "worst error   {} {}{under}",
                short(definition.of(w)),
                definition.unit()
            ));
            out.push(format!("  at          {}", space.show(w.key)));
            out.push(format!("  result      {}", show::full(p, w.result_bits)));
            let [hi, lo] = w.reference.map(|x| format!("{x:?}"));
            let low = match w.reference[1] < 0.0 {
                _ if !both => String::new(),
                true => format!(" - {}", &lo[1..]),
                false => format!(" + {lo}"),
            };
            let words = show::scaled(&format!("{hi}{low}"), w.scale);
            out.push(format!("  reference   {words}"));
        }
        None => out.push("worst error   none: no input has a defined error".into()),
    }
    for (name, e) in [
        ("largest above", r.max_positive),
        ("largest below", r.max_negative),
    ] {
        if e.exists() {
            let at = space.decimal(e.key);
            let unit = definition.searched_unit();
            out.push(format!("{name} {} {unit} at {at}", short(e.error())));
        }
    }
    out.push(match Measure::of_result(r) {
        Measure::Maxima => "misrounded    not measured (--measure full counts them)".into(),
        _ => format!(
            "misrounded    {} of {} ({:.4} %)",
            show::count(r.misrounded.into()),
            show::count(r.count.into()),
            100.0 * share(r.misrounded, r.count)
        ),
    });
    if let Some(shares) = shares(r, definition) {
        out.push(format!("shares        {shares}"));
    }
    if r.undecided > 0 {
        out.push(format!(
            "undecided     {}: the reference cannot decide whether they are misrounded",
            show::count(r.undecided.into())
        ));
    }
    let faults = faults(space, r).unwrap_or_else(|| "none".into());
    out.push(format!("faults        {faults}"));
    out.push(format!("digest        {}", digest(r)));
    out
}
