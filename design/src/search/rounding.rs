//! Correct rounding in the search: designs that are tuned on hard inputs, and again on what the search of all inputs found.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use super::known;
use super::request::{Entry, Finalist, Request};
use crate::candidates;
use crate::correct::{self, HardCases};
use crate::cost;
use crate::hard::Hard;
use crate::judge::{Case, Problem};

/// Designs that round all hard inputs correctly, of which the fastest is sought.
const ENOUGH: usize = 5;

/// Candidates whose coefficients were moved until no hard input is misrounded.
pub(super) fn correctly_rounded(
    problem: &Problem,
    cases: &[Case],
    entries: Vec<Entry>,
    hard: &HardCases,
    request: &Request<'_>,
    notes: &mut Vec<String>,
) -> Result<Vec<Entry>, String> {
    // Where all inputs are tuned on, a design may be off by more than a middle at first.
    let most = if hard.all { 2.0 } else { 0.501 };
    let mut entries: Vec<Entry> = entries.into_iter().filter(|e| e.error < most).collect();
    entries.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let mut found: Vec<Entry> = Vec::new();
    let (mut tried, mut nearest) = (0, usize::MAX);
    // Polynomials that are too far off, in whatever order they are evaluated.
    let mut hopeless: HashSet<String> = HashSet::new();
    for mut entry in entries {
        if request.stop.load(Ordering::Relaxed) {
            break;
        }
        // What is much dearer than what is there already is no use.
        let least = found.iter().map(|e| e.cost).fold(f64::INFINITY, f64::min);
        if entry.cost > 1.2 * least || found.len() >= ENOUGH {
            break;
        }
        let key = entry.design.polynomial();
        if hopeless.contains(&key) {
            continue;
        }
        tried += 1;
        let outcome = known::tuned(&mut entry, hard, request)?;
        if outcome.misrounded > correct::FEW_NARROW {
            hopeless.insert(key);
        }
        nearest = nearest.min(outcome.misrounded);
        if outcome.misrounded == 0 || outcome.tried > 1 {
            (request.progress)(&format!("{}: {outcome}", entry.design.describe()));
        }
        let left = &outcome.left;
        let excepted = !left.is_empty() && left.len() <= correct::EXCEPTIONS;
        if excepted {
            entry.design.exceptions = problem.results(left);
            entry.candidate.program =
                candidates::program(&entry.design, &entry.candidate.coefficients)?;
            entry.cost = cost::estimate(&entry.candidate.program);
        }
        if outcome.misrounded == 0 || excepted {
            let mut strips = entry.candidate.strips()?;
            entry.error = problem.on_sample(&mut strips, cases).largest;
            found.push(entry);
        }
    }
    notes.push(format!(
        "{tried} designs were tuned, {} of them misround none of these",
        found.len()
    ));
    if found.is_empty() && tried > 0 {
        return Err(format!(
            "no design rounds all of `{}` correctly on this range; the nearest misrounds {nearest} of {} hard inputs",
            request.subject.name,
            hard.cases.len()
        ));
    }
    Ok(found)
}

/// Where every finalist misrounded an input that was not known to be hard: takes those inputs in, and tunes again. Whether it did.
pub(super) fn again(
    problem: &Problem,
    finalists: &mut [Finalist],
    hard: &mut HardCases,
    request: &Request<'_>,
    notes: &mut Vec<String>,
) -> Result<bool, String> {
    if finalists.iter().any(|f| f.meets(problem)) || request.stop.load(Ordering::Relaxed) {
        return Ok(false);
    }
    let reports = finalists.iter().filter_map(|f| f.report.as_ref());
    let mut keys: Vec<i64> = reports.flat_map(|r| r.examples.iter().copied()).collect();
    keys.sort_unstable();
    keys.dedup();
    let value = |&key: &i64| problem.range.precision().value_of_key(key) as f32;
    let xs: Vec<f32> = keys.iter().map(value).collect();
    let new: Vec<Hard> = problem.as_hard(&xs);
    let new: Vec<Hard> = new
        .into_iter()
        .filter(|h| !hard.cases.contains(h))
        .collect();
    if new.is_empty() {
        return Ok(false);
    }
    notes.push(format!(
        "{} counterexamples were found among all inputs",
        new.len()
    ));
    hard.cases.extend(new);
    for f in finalists.iter_mut() {
        correct::tune(&mut f.candidate, hard)?;
        f.report = None;
    }
    Ok(true)
}
