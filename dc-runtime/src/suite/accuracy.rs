//! The test of a sweep's accuracy. It fails if the accuracy is worse than allowed or known.

use super::baseline::{self, Baseline, Known};
use super::entry::{Entry, Suite};
use super::environment::Environment;
use super::inputs::{plan, range, sample_of};
use super::report::{self, Outcome, Report, Test};
use super::{certificate, hunt, message, promises};
use crate::backend::{Filter, discover};
use crate::model::block::{BlockResult, FaultKind};
use crate::model::candidate::Candidate;
use crate::model::{machine, show};
use crate::search::engine::{self, Device, Job, Stop};
use crate::search::evaluator::{self, PointEvaluator};
use crate::search::range::Range;
use crate::search::record::Record;
use crate::search::sample::{self, Sample, climb, without};

/// The result of a search of a sample.
struct Found {
    sample: Sample,
    result: BlockResult,
    backend: String,
    known: Known,
}

/// Searches the inputs and compares the result with the allowed and the known errors.
///
/// # Errors
/// The finding as text: the value that is worse, its input, and how to accept it.
pub(super) fn check(
    suite: &Suite,
    entry: &Entry,
    environment: &Environment,
) -> Result<String, String> {
    let path = baseline::path(suite.folder);
    let key = suite.key(entry);
    let baseline = Baseline::read_if_there(&path).map_err(|e| e.to_string())?;
    let there = baseline.is_some();
    let known = baseline.and_then(|mut b| b.0.remove(&key));
    let in_file = |e: String| format!("{}: [{key}]: {e}", path.display());
    let part = environment.inputs.unwrap_or(entry.inputs);
    // All inputs of a range with no more than requested, and for pairs, which have no order; of other ranges some are
    // reserved for inputs around the largest errors.
    let whole = range(entry)?;
    let entry = &Entry {
        sweep: entry.sweep.over(whole.space()),
        ..*entry
    };
    let part = match whole.count() <= u128::from(part) || !whole.space().is_ordered() {
        true => part,
        false => part - part / CLIMBING as u64,
    };
    if entry.within.is_nan() || entry.within < 0.0 {
        return Err(format!(
            "{key}: `within {}` is not an error; write 0 or more",
            entry.within
        ));
    }
    let certified = match entry.certificate {
        Some(file) => certificate::compare(suite, entry, file).map(Some),
        None => Ok(None),
    };
    let search = |known: Option<&Known>, hunted| {
        let sample = sample_of(suite, entry, (known, hunted), environment, part);
        search(entry, sample.map_err(in_file)?)
    };
    let found = match environment.bless {
        true => settle(entry, known.as_ref(), &search)?,
        false => search(known.as_ref(), None)?,
    };
    let verdict = match known {
        // If a table was removed, or the file emptied, this must not pass like a file that never existed.
        None if there && !environment.bless => Err(explain(
            suite,
            entry,
            &found,
            None,
            &format!(
                "`{}` has no table in {}, which is there",
                entry.sweep.name,
                path.display()
            ),
            "CRUNCH_BLESS=1 accepts what was found; where it was known before, restore the file",
        )),
        _ => outcome(suite, entry, &found, known.as_ref(), environment),
    };
    let verdict = match (verdict, certified) {
        (Ok(text), Ok(None)) => Ok(text),
        (Ok(text), Ok(Some(certified))) => Ok(format!("{text}; {certified}")),
        (Ok(_), Err(wrong)) | (Err(wrong), _) => Err(wrong),
    };
    let promised = promises::check(suite, entry, environment);
    let verdict = match (verdict, promised) {
        (Ok(text), Ok(None)) => Ok(text),
        (Ok(text), Ok(Some(promised))) => Ok(format!("{text}; {promised}")),
        (Ok(_), Err(wrong)) | (Err(wrong), _) => Err(wrong),
    };
    if environment.bless && known.as_ref() != Some(&found.known) && accepted(&found, entry) {
        bless(&path, &key, &found, known.as_ref())?;
    }
    if let Some(folder) = &environment.report {
        let (Ok(text) | Err(text)) = &verdict;
        Report {
            entry: key,
            folder: suite.folder.into(),
            test: Test::Accuracy {
                found: found.known.clone(),
                known: known.clone(),
                within: entry.within,
            },
            outcome: match (&verdict, &known) {
                (Ok(_), _) => Outcome::Passed,
                (Err(_), Some(known)) if is_worse_input(entry, &found, known) => {
                    Outcome::WorseInput
                }
                (Err(_), _) => Outcome::Failed,
            },
            inputs: found.result.count,
            of: found.sample.of,
            text: text.clone(),
        }
        .leave(folder)?;
    }
    verdict
}

/// The largest number of rounds of [`settle`]; each round finds a larger error than the one before.
const ROUNDS: u32 = 100;

/// A search, given the known errors and the key of an input that a hunt found.
type Search<'a> = dyn Fn(Option<&Known>, Option<i64>) -> Result<Found, String> + 'a;

/// The result that is accepted. A test takes its inputs around the worst known ones, so the worst inputs found here have other neighbours
/// than those before. They are searched in turn, until no larger error is found. The next test then finds exactly the written values.
fn settle(entry: &Entry, known: Option<&Known>, search: &Search) -> Result<Found, String> {
    let hunted = match entry.hunt != 0.0 {
        true => hunt::worst(entry)?,
        false => None,
    };
    let mut found = search(known, hunted)?;
    let mut before = known.cloned();
    for _ in 0..ROUNDS {
        let fixed = before.is_some_and(|b| b.is_fixed(&found.known));
        if fixed || found.sample.is_exhaustive() || !accepted(&found, entry) {
            return Ok(found);
        }
        let next = search(Some(&found.known), None)?;
        before = Some(std::mem::replace(&mut found, next).known);
    }
    Err(format!(
        "`{}`: {ROUNDS} searches in turn each found a worse input than the one before; give the sweep more `inputs`, or a smaller \
         range",
        entry.sweep.name
    ))
}

/// Whether a test fails only because of an input that is worse than those known.
fn is_worse_input(entry: &Entry, found: &Found, known: &Known) -> bool {
    let now = &found.known;
    accepted(found, entry)
        && now.same_kernels(known)
        && now.range == known.range
        && now.faults.iter().all(|f| known.faults.contains(f))
        && now.error > known.error
}

/// One in this many inputs of a sample is around the worst of the others.
const CLIMBING: u128 = 4;

fn search(entry: &Entry, mut sample: Sample) -> Result<Found, String> {
    // The widest instruction set is the last.
    let backend = discover(&Filter::processor())
        .backends
        .pop()
        .ok_or("no backend at all")?;
    let id = backend.id().to_string();
    let device = Device::new(backend, machine::cores());
    let mut result = BlockResult::EMPTY;
    let mut run = |range: &Range, worst: &mut Vec<sample::Found>| -> Result<(), String> {
        let plan = plan(range)?;
        let space = range.space();
        let sweep = entry.sweep.over(space);
        let job = Job::new(&sweep, &plan, vec![device.clone()]);
        let mut records: Vec<Record> = Vec::new();
        engine::run(&job, &mut records, &Stop::new(), &mut |_| {}).map_err(|e| e.to_string())?;
        for r in &records {
            let found = space.located(&r.result);
            if found.max.exists() {
                worst.push((found.max.key, found.max.error()));
            }
            result = result.merge(&found);
        }
        Ok(())
    };
    let mut worst = Vec::new();
    for part in sample.parts() {
        run(part, &mut worst)?;
    }
    if !sample.is_exhaustive() && sample.range.space().is_ordered() {
        let inputs = (sample.count() / (CLIMBING - 1)) as u64;
        let whole = range(entry)?;
        let more = without(&whole, &sample.range);
        let more = climb(&more, inputs, sample.seed, &mut worst, |part, worst| {
            run(&sample.without_singles(part), worst)
        })?;
        sample.range = sample.range.union(&more);
    }
    let known = report::found(&entry.sweep, &result, sample.is_exhaustive());
    Ok(Found {
        sample,
        result,
        backend: id,
        known,
    })
}

/// An error above the limit in the source is never accepted. Nor is an infinity in place of a number, which is farther away.
fn accepted(found: &Found, entry: &Entry) -> bool {
    found.known.error <= entry.within
        && found.known.error.is_finite()
        && overflow(found, entry).is_none()
}

/// The first input with an infinity in the wrong place, if the result is the infinity there.
fn overflow(found: &Found, entry: &Entry) -> Option<String> {
    let fault = found.result.faults[FaultKind::Infinity as usize];
    let key = (fault.count > 0).then_some(fault.first_key)?;
    let measured = PointEvaluator::plain(&entry.sweep).evaluate(&[key]).ok()?;
    let point = measured.first()?;
    let infinite = entry
        .sweep
        .precision
        .value_of_bits(point.result_bits)
        .is_infinite();
    let at = entry.sweep.inputs.show(key);
    (infinite && point.reference[0].is_finite()).then(|| {
        format!(
            "infinite results in place of numbers ({} inputs with an infinity in the wrong place, the first {at})",
            show::count(fault.count.into())
        )
    })
}

fn outcome(
    suite: &Suite,
    entry: &Entry,
    found: &Found,
    known: Option<&Known>,
    environment: &Environment,
) -> Result<String, String> {
    let (name, now) = (entry.sweep.name, &found.known);
    let unit = entry.sweep.measure.unit();
    let maximum = message::maximum(entry, &found.result);
    let coverage = message::coverage(&found.sample);
    let fail = |what: String, remedy: &str| Err(explain(suite, entry, found, known, &what, remedy));
    if !accepted(found, entry) {
        let what = match overflow(found, entry) {
            Some(what) if found.known.error <= entry.within => format!("`{name}`: {what}"),
            _ => format!(
                "`{name}`: an error of {maximum}: more than the {} {unit} allowed",
                entry.within
            ),
        };
        return fail(
            what,
            "correct the routine, or raise `within` where the suite is declared",
        );
    }
    if environment.bless {
        return Ok(format!("{name}: {maximum}; {coverage}; accepted"));
    }
    let accept = "CRUNCH_BLESS=1 accepts it";
    let no_faults = Vec::new();
    let new_fault = now
        .faults
        .iter()
        .find(|f| !known.map_or(&no_faults, |k| &k.faults).contains(f));
    if let Some(fault) = new_fault {
        return fail(format!("`{name}`: wrong special values ({fault})"), accept);
    }
    let Some(known) = known else {
        return Ok(format!(
            "{name}: {maximum}; {coverage}; not in accuracy.toml yet: {accept}"
        ));
    };
    if known.range != now.range {
        let what = format!(
            "`{name}`: the range is {} and was {} when it was accepted",
            now.range, known.range
        );
        return fail(what, accept);
    }
    if is_worse_input(entry, found, known) {
        let what = format!(
            "a worse input of `{name}` was found: {maximum}; the worst known was {} {unit}. Neither routine nor reference has \
             changed since that was accepted",
            show::number(known.error)
        );
        return fail(what, accept);
    }
    if now.error > known.error {
        let what = format!(
            "`{name}` has become less accurate: {maximum}; the worst known was {} {unit}",
            show::number(known.error)
        );
        return fail(what, accept);
    }
    if now.error < known.error || known.faults.len() > now.faults.len() {
        return Ok(format!(
            "{name}: better than known: {maximum}, known were {} {unit}; {coverage}; {accept}",
            show::number(known.error)
        ));
    }
    Ok(format!("{name}: {maximum}; {coverage}"))
}

/// A finding, with all data of the input.
fn explain(
    suite: &Suite,
    entry: &Entry,
    found: &Found,
    known: Option<&Known>,
    what: &str,
    remedy: &str,
) -> String {
    let p = entry.sweep.precision;
    let mut evaluator = PointEvaluator::plain(&entry.sweep);
    let mut text = format!("{what}\n\n");
    let mut rows = Vec::new();
    if let Ok(measured) = evaluator.evaluate(&[found.result.max.key])
        && found.result.max.exists()
    {
        rows.extend(message::worst(entry, &measured[0].worst(p)));
    }
    for (kind, fault, whose) in evaluator::faults(&entry.sweep, &found.result) {
        let first = entry.sweep.inputs.show(fault.first_key);
        let n = show::count(fault.count.into());
        rows.push((kind.name().into(), format!("{n} inputs, the first {first}")));
        rows.push(("  there".into(), whose));
    }
    rows.push(message::known(entry, known));
    let routine = match &entry.sweep.candidate {
        Candidate::Kernel(k) => format!("{} ({}:{})", k.kernel.name, k.kernel.file, k.kernel.line),
        other => format!("{}: {}", other.name(), entry.sweep.why_accuracy_only()),
    };
    rows.push(("routine".into(), routine));
    rows.push((
        "searched".into(),
        format!("{}, on {}", message::coverage(&found.sample), found.backend),
    ));
    rows.push(("what to do".into(), remedy.into()));
    text.push_str(&message::columns(&rows));
    text.push_str(&format!("    {}\n", suite.key(entry)));
    text
}

fn bless(
    path: &std::path::Path,
    key: &str,
    found: &Found,
    known: Option<&Known>,
) -> Result<(), String> {
    let mut now = found.known.clone();
    // The count of a search with more inputs is kept, if these do not contradict it.
    if let Some(known) = known
        && known.is_fixed(&now)
        && known.faults == now.faults
        && (known.same_kernels(&now) || known.kernels.is_empty())
        && known.inputs > now.inputs
    {
        now.inputs = known.inputs;
        now.exhaustive = known.exhaustive;
    }
    Baseline::update(path, |b| {
        b.0.insert(key.into(), now);
    })
    .map_err(|e| e.to_string())
}

/// Checks whether `accuracy.toml` has tables of this suite's module for which there is no entry. Blessing removes them.
///
/// # Errors
/// If there are any; the error names them.
pub(super) fn stale(suite: &Suite, environment: &Environment) -> Result<(), String> {
    let path = baseline::path(suite.folder);
    let baseline = Baseline::read(&path).map_err(|e| e.to_string())?;
    let of_suite = |name: &str| {
        let rest = name
            .strip_prefix(suite.module)
            .and_then(|r| r.strip_prefix("::"));
        rest.is_some_and(|r| !r.contains("::"))
    };
    let stale: Vec<&String> = baseline
        .0
        .keys()
        .filter(|k| of_suite(k))
        .filter(|k| {
            let reduced = suite.reductions.iter().map(|r| suite.key_of(r));
            let mut keys = suite.entries.iter().map(|e| suite.key(e)).chain(reduced);
            keys.all(|key| key != **k)
        })
        .collect();
    if stale.is_empty() {
        return Ok(());
    }
    if environment.bless {
        return Baseline::update(&path, |b| b.0.retain(|k, _| !stale.contains(&k)))
            .map_err(|e| e.to_string());
    }
    let names: Vec<String> = stale.iter().map(|s| format!("[{s:?}]")).collect();
    Err(format!(
        "{}: {}: no such sweep is in the suite {}; take it out, or run with CRUNCH_BLESS=1",
        path.display(),
        names.join(", "),
        suite.module
    ))
}
