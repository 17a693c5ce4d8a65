//! The search: from designs, over coefficients, errors on a sample, times, and errors at all inputs, to one kernel.

mod evaluation;
mod known;
mod request;
mod rounding;

pub use request::{Finalist, Request};

use std::sync::atomic::Ordering;

use kernels_gen::program::Program;
use kernels_gen::syntax::tree;

use crate::build::Stage;
use crate::correct;
use crate::cost;
use crate::everywhere::Judged;
use crate::front::front;
use crate::judge::{Candidate, Case, Problem, Report};
use crate::proof::Work;
use crate::rivals::{Rival, Rivals};
use crate::shape::Design;
use crate::source;
use crate::space;
use crate::spec::{Format, Tolerance};
use crate::time::{self, By, Clock, Field};
use evaluation::{evaluated, shortlist};
use request::Entry;
use rounding::{again, correctly_rounded};

/// The result of a search.
pub struct Outcome {
    /// The request, with the references.
    pub problem: Problem,
    /// The number of designs, and the number of evaluated designs.
    pub designs: (usize, usize),
    /// The way in which the times were measured.
    pub by: By,
    /// The number of timed designs.
    pub timed: usize,
    /// The designs whose errors are known at all inputs, or all designs if there are none, by ascending time.
    pub finalists: Vec<Finalist>,
    /// The fastest design that meets the request.
    pub picked: Option<usize>,
    /// Existing functions.
    pub rivals: Vec<Rival>,
    /// Messages about correct rounding.
    pub notes: Vec<String>,
}

/// How often counterexamples of the full search are added to the hard inputs.
const COUNTEREXAMPLES: usize = 3;
/// The number of designs that are searched at all numbers of 32 bits for correct rounding, the fastest first: the slower ones are no
/// better.
const CORRECT: usize = 1;
/// The number of inputs of the sample.
const SAMPLE: usize = 1 << 14;

/// Runs the search.
///
/// # Errors
/// If there is no design for the function on that range, or a step fails.
pub fn search(request: &Request<'_>) -> Result<Outcome, String> {
    let problem = Problem::new(
        request.subject,
        request.range.clone(),
        request.format,
        request.tolerance,
    )?;
    let cases = problem.sample(SAMPLE)?;
    let mut aim = problem.aim(&cases);
    if let Some(u) = &request.variable {
        space::variable::check(u, &problem, &cases)?;
        aim.variable = Some(u.clone());
    }
    let mut designs = space::designs(&aim)?;
    designs.iter_mut().for_each(|d| d.fused = request.fused);
    if designs.is_empty() {
        return Err(format!(
            "there is no design of `{}` for inputs up to {:?}: no reduction of it is known there, and a polynomial alone is for \
             inputs of at most {} in magnitude; name a smaller range",
            request.subject.name,
            aim.limits.largest(),
            space::ALONE
        ));
    }
    (request.progress)(&format!("{} designs", designs.len()));
    let many = designs.len();
    let entries = evaluated(&problem, designs, &cases, request)?;
    if entries.is_empty() {
        let pole = cases
            .iter()
            .find(|c| c.x.is_finite() && !c.value.is_finite());
        let why = match pole {
            Some(c) => format!("it has no finite value at {:?}", c.x as f32),
            None => "name a smaller range, or a larger tolerance".into(),
        };
        return Err(format!(
            "no design of `{}` comes near the tolerance on this range: {why}",
            request.subject.name
        ));
    }
    let evaluated = entries.len();
    let mut rivals = Rivals::new(&problem, request.target)?;
    let mut notes = std::mem::take(&mut rivals.missing);
    let (mut finalists, times, by);
    if problem.tolerance == Tolerance::Correct {
        (request.progress)("looking for the inputs that are hard to round");
        let mut hard = correct::hard(&problem, &cases, request.stop, request.journal)?;
        notes.push(hard.describe());
        let tried = correctly_rounded(&problem, &cases, entries, &hard, request, &mut notes)?;
        (finalists, times, by) = timed(chosen(tried, request)?, &rivals, &cases, request)?;
        for _ in 0..COUNTEREXAMPLES {
            full(&problem, &mut finalists, &mut rivals, request)?;
            if !again(&problem, &mut finalists, &mut hard, request, &mut notes)? {
                break;
            }
        }
    } else {
        (finalists, times, by) = timed(chosen(entries, request)?, &rivals, &cases, request)?;
        pick_front(&mut finalists);
        full(&problem, &mut finalists, &mut rivals, request)?;
    }
    let timed = finalists.len();
    // A sample's error is below the true one: beside those that are known it would look better than it is.
    let known = |f: &Finalist| f.complete(problem.inputs.count());
    if finalists.iter().any(known) {
        finalists.retain(known);
    }
    pick_front(&mut finalists);
    let picked = finalists.iter().position(|f| f.meets(&problem));
    let rivals = rivals.judged(&problem, &cases, &times)?;
    Ok(Outcome {
        rivals,
        problem,
        designs: (many, evaluated),
        by,
        timed,
        finalists,
        picked,
        notes,
    })
}

/// The designs and the times of the rivals.
fn timed(
    entries: Vec<Entry>,
    rivals: &Rivals,
    cases: &[Case],
    request: &Request<'_>,
) -> Result<(Vec<Finalist>, Vec<f64>, By), String> {
    (request.progress)(&format!("{} designs timed", entries.len()));
    let mut sources: Vec<Program> = entries
        .iter()
        .map(|e| whole(&e.design, &e.candidate, "dc_candidate"))
        .collect::<Result<_, _>>()?;
    sources.extend(rivals.kernels().map(|c| c.program.clone()));
    let rust = match request.clock {
        Clock::Loop => Vec::new(),
        Clock::Map => entries.iter().map(rust).collect(),
    };
    let inputs: Vec<f64> = cases.iter().map(|c| c.x).collect();
    let designs = entries.iter().map(|e| &e.candidate);
    let field = Field {
        candidates: designs.chain(rivals.kernels()).collect(),
        sources,
        rust,
        others: rivals.timed(&inputs),
        inputs: &inputs,
        format: request.format,
        target: request.target,
    };
    let (mut times, by) = time::measure(field, &request.folder)?;
    let of_rivals = times.split_off(entries.len());
    let finalist = |(entry, time): (Entry, f64)| Finalist {
        operations: cost::operations(&entry.candidate.program),
        design: entry.design,
        candidate: entry.candidate,
        time,
        sampled: entry.error,
        worst: entry.worst,
        report: None,
        on_front: false,
    };
    let mut all: Vec<Finalist> = entries.into_iter().zip(times).map(finalist).collect();
    all.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok((all, of_rivals, by))
}

/// The source of a design in Rust.
fn rust(entry: &Entry) -> String {
    let about = source::About {
        name: time::KERNEL.into(),
        head: Vec::new(),
        doc: Vec::new(),
    };
    source::file(&entry.design, &entry.candidate.coefficients, &about)
}

/// Marks the designs on the front.
fn pick_front(finalists: &mut [Finalist]) {
    let points: Vec<(f64, f64)> = finalists.iter().map(|f| (f.error(), f.time)).collect();
    let on = front(&points);
    for (i, f) in finalists.iter_mut().enumerate() {
        f.on_front = on.contains(&i);
    }
}

/// The errors of the front at all inputs, beginning with the designs around the tolerance. Once, also the errors of the rivals that are
/// judged at all inputs.
fn full(
    problem: &Problem,
    finalists: &mut [Finalist],
    rivals: &mut Rivals,
    request: &Request<'_>,
) -> Result<(), String> {
    let correct = problem.tolerance == Tolerance::Correct;
    let takes = |i: &usize| correct || finalists[*i].on_front;
    let mut order: Vec<usize> = (0..finalists.len()).filter(takes).collect();
    if let Tolerance::Within(most, _) = problem.tolerance {
        let far = |i: &usize| (finalists[*i].error() / most).ln().abs();
        order.sort_by(|a, b| far(a).total_cmp(&far(b)));
    } else if problem.format.stored().is_none() {
        order.truncate(CORRECT);
    }
    if problem.format == Format::F64 {
        return proven(problem, finalists, &order, request);
    }
    order.truncate(request.finalists);
    (request.progress)(&format!("{} designs searched at all inputs", order.len()));
    let designs = order
        .iter()
        .map(|&i| Judged::Kernel(&finalists[i].candidate));
    let judged: Vec<Judged<'_>> = designs.chain(rivals.unjudged()).collect();
    let mut reports = known::everywhere(problem, &judged, request)?;
    let of_rivals = reports.split_off(order.len());
    // Those of a search that was stopped say less than the sample does.
    if !request.stop.load(Ordering::Relaxed) {
        rivals.judge(of_rivals);
    }
    for (i, report) in order.into_iter().zip(reports) {
        finalists[i].report = Some(report);
    }
    Ok(())
}

/// Proves the errors of designs in binary64: of as many as are requested, and of more while none is within the tolerance. A sample's error
/// is below the largest one, so that the designs nearest to the tolerance may all exceed it.
fn proven(
    problem: &Problem,
    finalists: &mut [Finalist],
    order: &[usize],
    request: &Request<'_>,
) -> Result<(), String> {
    for (n, &i) in order.iter().enumerate() {
        if request.stop.load(Ordering::Relaxed) {
            break;
        }
        let f = &finalists[i];
        if n >= request.finalists {
            if finalists.iter().any(|f| f.meets(problem)) {
                break;
            }
            if !matches!(problem.tolerance, Tolerance::Within(most, _) if f.error() <= most) {
                continue;
            }
        }
        let of = order.len().min(request.finalists).max(n + 1);
        let what = format!("{} of {of}: {}", n + 1, f.design.describe());
        (request.progress)(&format!("proving {what}"));
        let known = f.worst.map(|k| problem.inputs.number(k));
        let work = Work {
            function: problem.subject.known_as(),
            name: problem.subject.name,
            range: &problem.range,
            known,
            seconds: request.proof,
            stop: request.stop,
        };
        let program = whole(&f.design, &f.candidate, "dc_candidate")?;
        let proof = known::proven(&program, &work, request)?;
        let largest = proof.largest(problem.tolerance.unit());
        finalists[i].report = Some(Report {
            largest,
            worst: Some(proof.at)
                .filter(|x| !x.is_nan())
                .map(|x| problem.inputs.key(x)),
            proof: Some(proof),
            ..Report::default()
        });
    }
    Ok(())
}

/// The program of a kernel with its coefficients as constants.
fn whole(design: &Design, candidate: &Candidate, name: &str) -> Result<Program, String> {
    let unit = design.unit(name, Vec::new(), &candidate.coefficients, Stage::Whole);
    kernels_gen::lower(tree::kernel(&unit)).map_err(|e| format!("{e:?}"))
}

/// The designs that will be timed.
fn chosen(entries: Vec<Entry>, request: &Request<'_>) -> Result<Vec<Entry>, String> {
    let chosen = shortlist(entries, request.finalists);
    if chosen.is_empty() && request.stop.load(Ordering::Relaxed) {
        return Err(format!(
            "stopped before a design of `{}` was found",
            request.subject.name
        ));
    }
    if chosen.is_empty() {
        return Err(format!(
            "no design of `{}` comes near the tolerance on this range",
            request.subject.name
        ));
    }
    Ok(chosen)
}
