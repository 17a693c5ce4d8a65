//! Steps of the search whose results a journal keeps.

use kernels_gen::identity::{fnv1a_128, identity_hex};
use kernels_gen::program::Program;
use serde::{Deserialize, Serialize};
use std::sync::atomic::Ordering;

use super::request::{Entry, Request};
use crate::candidates;
use crate::correct::{self, HardCases, Tuned};
use crate::entries;
use crate::everywhere::Judged;
use crate::judge::{Problem, Report};
use crate::proof::{self, Proof, Work};
use crate::shape::Shape;

/// The errors at all inputs, as far as the search is not stopped. The errors of a part of the inputs are kept as soon as the whole part was
/// searched.
pub(super) fn everywhere(
    problem: &Problem,
    judged: &[Judged<'_>],
    request: &Request<'_>,
) -> Result<Vec<Report>, String> {
    let of: Vec<String> = judged.iter().map(Judged::identity).collect();
    let mut totals = vec![Report::default(); judged.len()];
    for part in problem.inputs.parts() {
        let about = format!(
            "{} in units {} at {}",
            problem.describe(),
            problem.tolerance.unit().name(),
            part.describe()
        );
        let step = |of: &String| format!("errors of {of} against {about}");
        let mut reports: Vec<Option<Report>> =
            of.iter().map(|of| request.journal.get(&step(of))).collect();
        let open: Vec<usize> = (0..judged.len())
            .filter(|&i| reports[i].is_none())
            .collect();
        if !open.is_empty() {
            let judged: Vec<Judged<'_>> = open.iter().map(|&i| judged[i]).collect();
            let found = problem.everywhere(&part, &judged, request.stop)?;
            for (&i, report) in open.iter().zip(found) {
                if u128::from(report.inputs) == part.count() {
                    request.journal.put(&step(&of[i]), &report);
                }
                reports[i] = Some(report);
            }
        }
        for (total, report) in totals.iter_mut().zip(reports) {
            total.merge(report.unwrap_or_default());
        }
    }
    Ok(totals)
}

/// The proof of a kernel's error, unless an earlier attempt with as much time did not finish.
pub(super) fn proven(
    program: &Program,
    work: &Work<'_>,
    request: &Request<'_>,
) -> Result<Proof, String> {
    #[derive(Serialize, Deserialize)]
    struct Timed {
        #[serde(with = "crate::journal::bits")]
        seconds: f64,
        proof: Proof,
    }
    let step = format!(
        "proof of {} as `{}` on {}",
        identity_hex(program),
        work.function,
        spans(work.range)
    );
    if let Some(known) = request.journal.get::<Timed>(&step)
        && (known.proof.exact || known.seconds >= work.seconds)
    {
        return Ok(known.proof);
    }
    let proof = proof::prove(program, work)?;
    if !work.stop.load(Ordering::Relaxed) {
        let seconds = work.seconds;
        let timed = Timed { seconds, proof };
        request.journal.put(&step, &timed);
        return Ok(timed.proof);
    }
    Ok(proof)
}

fn spans(range: &dc_runtime::search::range::Range) -> String {
    let each = range.spans().iter();
    let each: Vec<String> = each.map(|s| format!("{}..={}", s.first, s.last)).collect();
    each.join(",")
}

/// Tunes the coefficients of a design, and the entries of its table.
pub(super) fn tuned(
    entry: &mut Entry,
    hard: &HardCases,
    request: &Request<'_>,
) -> Result<Tuned, String> {
    #[derive(Serialize, Deserialize)]
    struct Found {
        before: usize,
        misrounded: usize,
        left: Vec<u32>,
        tried: usize,
        coefficients: Vec<u64>,
        entries: Option<Vec<u64>>,
    }
    let bytes = hard.cases.iter().flat_map(|h| {
        let sides = [f64::from(h.x), h.beyond, h.middle];
        sides.map(f64::to_bits).map(u64::to_le_bytes).concat()
    });
    let step = format!(
        "tuning of {} on hard inputs {:032x}",
        Judged::Kernel(&entry.candidate).identity(),
        fnv1a_128(&bytes.collect::<Vec<u8>>())
    );
    if let Some(found) = request.journal.get::<Found>(&step)
        && found.coefficients.len() == entry.candidate.coefficients.len()
    {
        let each = entry.candidate.coefficients.iter_mut();
        each.zip(&found.coefficients)
            .for_each(|(c, &bits)| c.bits = bits);
        if let (Some(bits), Shape::Logarithm(l)) = (&found.entries, &mut entry.design.shape) {
            let each = l.cells.iter_mut().zip(bits);
            each.for_each(|(cell, &bits)| cell.log = f64::from_bits(bits));
            entry.candidate.program =
                candidates::program(&entry.design, &entry.candidate.coefficients)?;
        }
        return Ok(Tuned {
            before: found.before,
            misrounded: found.misrounded,
            left: found.left.into_iter().map(f32::from_bits).collect(),
            tried: found.tried,
        });
    }
    let mut tuned = correct::tune(&mut entry.candidate, hard)?;
    entries::tune(&mut entry.design, &mut entry.candidate, hard, &mut tuned)?;
    let found = Found {
        before: tuned.before,
        misrounded: tuned.misrounded,
        left: tuned.left.iter().map(|x| x.to_bits()).collect(),
        tried: tuned.tried,
        coefficients: entry
            .candidate
            .coefficients
            .iter()
            .map(|c| c.bits)
            .collect(),
        entries: match &entry.design.shape {
            Shape::Logarithm(l) => Some(l.cells.iter().map(|c| c.log.to_bits()).collect()),
            _ => None,
        },
    };
    request.journal.put(&step, &found);
    Ok(tuned)
}
