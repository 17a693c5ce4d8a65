//! Correct rounding in the search: designs are tuned on hard inputs, and again on inputs that the search of all inputs found.

use std::collections::HashSet;
use std::sync::atomic::Ordering;

use super::known;
use super::request::{Entry, Finalist, Request};
use crate::candidates;
use crate::correct::{self, HardCases};
use crate::cost;
use crate::hard::Hard;
use crate::judge::{Case, Problem};
use crate::shape::{Shape, Tail};

/// The number of designs that round all hard inputs correctly, of which the fastest is sought.
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
        let excepted = except(problem, &mut entry, &outcome.left, hard)?;
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

/// Makes these inputs exceptions, if they are few. Returns whether it did. A tail needs one exception for both signs, if some value of the
/// falling side gives the right results.
fn except(
    problem: &Problem,
    entry: &mut Entry,
    left: &[f32],
    hard: &HardCases,
) -> Result<bool, String> {
    let mut left = left.to_vec();
    if let Shape::Tail(tail) = entry.design.shape {
        let corrections = corrections(tail, &left, &hard.cases);
        if (1..=correct::EXCEPTIONS).contains(&corrections.len()) {
            entry.design.corrections = corrections;
            renew(entry)?;
            let mut values = Vec::new();
            let mut strips = entry.candidate.strips()?;
            let misrounded = correct::beyond(&mut strips, &hard.cases, &mut values);
            if misrounded == 0 {
                return Ok(true);
            }
            left = correct::left(&values, &hard.cases, misrounded);
        }
    }
    let many = left.len() + entry.design.corrections.len();
    if left.is_empty() || many > correct::EXCEPTIONS {
        return Ok(false);
    }
    entry.design.exceptions = problem.results(&left);
    renew(entry)?;
    Ok(true)
}

/// The program of a changed design, and its cost.
fn renew(entry: &mut Entry) -> Result<(), String> {
    entry.candidate.program = candidates::program(&entry.design, &entry.candidate.coefficients)?;
    entry.cost = cost::estimate(&entry.candidate.program);
    Ok(())
}

/// The magnitudes of these inputs, each with a value of the falling side with which the results of both signs are on the right sides of the
/// middles. Magnitudes without such a value are left out.
fn corrections(tail: Tail, left: &[f32], hard: &[Hard]) -> Vec<(f32, f32)> {
    let mut sizes: Vec<f32> = left.iter().map(|x| x.abs()).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.dedup();
    let value = |t: f32| {
        let (mut low, mut high) = (0.0, 1.0);
        for case in hard.iter().filter(|case| case.x.abs() == t) {
            let x = f64::from(case.x);
            let above = case.beyond > 0.0;
            // Of the factor of x, which falls where the product with a negative number rises.
            let (middle, above) = match tail.product {
                true => (case.middle / x, above == (x > 0.0)),
                false => (case.middle, above),
            };
            // It is the falling value on one side, and 1 less that on the other.
            let (middle, above) = match x < 0.0 {
                true => (middle, above),
                false => (1.0 - middle, !above),
            };
            if above {
                low = f64::max(low, middle);
            } else {
                high = f64::min(high, middle);
            }
        }
        let value = (0.5 * (low + high)) as f32;
        (low < f64::from(value) && f64::from(value) < high).then_some((t, value))
    };
    sizes.into_iter().filter_map(value).collect()
}

/// If every finalist misrounded an input that was not known to be hard: adds those inputs to the hard ones, and tunes again. Returns
/// whether it did.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Falling;

    /// An input whose value is on the given side of a middle.
    fn case(x: f32, middle: f64, beyond: f64) -> Hard {
        Hard {
            x,
            beyond,
            middle,
            half: 2f64.powi(-10),
            step: 2f64.powi(-26),
        }
    }

    /// The selected value gives the right results for both signs. If there is no such value, none is selected.
    #[test]
    fn a_correction_is_right_on_both_sides() {
        for product in [false, true] {
            let tail = Tail {
                falling: Falling::Power(5),
                most: 13.0,
                product,
            };
            let results = |t: f64, p: f64| match product {
                true => (-t * p, t * (1.0 - p)),
                false => (p, 1.0 - p),
            };
            // At 3/2 the falling value has to be between these two.
            let (low, high) = (0.25 - 2f64.powi(-12), 0.25 + 2f64.powi(-10));
            let bounds = |x: f32| {
                let of = |p: f64| match (x < 0.0, results(1.5, p)) {
                    (true, (y, _)) => y,
                    (false, (_, y)) => y,
                };
                let up = if of(high) > of(low) { 1.0 } else { -1.0 };
                [case(x, of(low), up), case(x, of(high), -up)]
            };
            let mut hard: Vec<Hard> = bounds(-1.5).into_iter().chain(bounds(1.5)).collect();
            let found = corrections(tail, &[1.5], &hard);
            assert_eq!(found.len(), 1);
            let (t, p) = (f64::from(found[0].0), f64::from(found[0].1));
            assert_eq!(t, 1.5);
            for case in &hard {
                let (falling, other) = results(t, p);
                let y = if case.x < 0.0 { falling } else { other };
                assert!((y - case.middle) * case.beyond > 0.0, "{case:?} {y}");
            }
            // Fault: an input that requires the other side of one of them.
            hard.push(Hard {
                beyond: -hard[0].beyond,
                ..hard[0]
            });
            assert_eq!(corrections(tail, &[1.5], &hard), []);
        }
    }
}
