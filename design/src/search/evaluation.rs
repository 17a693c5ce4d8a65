//! Judges designs with coefficients on a sample, and selects those that are worth a measurement.

use std::collections::BTreeMap;

use kernels_gen::ops::Prim;

use super::request::{Entry, Request};
use crate::candidates::{self, Fits};
use crate::cost;
use crate::judge::{Case, Problem};
use crate::shape::{Design, Shape};
use crate::spec::{Format, Tolerance, Unit};

/// In binary64, a design whose polynomial has a relative error above this is not considered for the front.
const COARSE: f64 = 1e-5;

/// Relative errors of polynomials below this are lost in the rounding of results.
fn floor(prim: Prim) -> f64 {
    match prim {
        Prim::F32 => 2f64.powi(-28),
        _ => 2f64.powi(-56),
    }
}

/// Designs with their coefficients and their errors on the sample, without those whose polynomial is hopeless or needlessly accurate.
pub(super) fn evaluated(
    problem: &Problem,
    designs: Vec<Design>,
    cases: &[Case],
    request: &Request<'_>,
) -> Result<Vec<Entry>, String> {
    let mut fits = Fits::default();
    let mut entries = Vec::new();
    // By the polynomial without the number of its coefficients: from which number on it is good enough.
    let mut enough: BTreeMap<String, u32> = BTreeMap::new();
    let unit = 2f64.powi(-problem.format.fraction());
    let stored = problem.format.stored().is_some();
    let hopeless = match problem.tolerance {
        // Coefficients can be moved by as much as the intervals of 16 bits are wide.
        Tolerance::Correct if stored => 0.5 * unit,
        Tolerance::Correct => 2f64.powi(-40),
        Tolerance::Within(most, Unit::Ulp) if problem.format == Format::F64 => {
            (1e5 * most * unit).clamp(COARSE, 0.1)
        }
        Tolerance::Within(most, Unit::Ulp) => (1e5 * most * unit).min(0.1),
        Tolerance::Within(most, _) => (1e5 * most).min(0.1),
    };
    for design in designs {
        let pieces = matches!(design.shape, Shape::Pieces(_));
        let key = match pieces {
            true => design.polynomial(),
            false => format!(
                "{:?} {:?} {} {:?} {:?}",
                design.approximation, design.form, design.denominator, design.prim, design.second
            ),
        };
        if enough.get(&key).is_some_and(|&n| design.terms > n) {
            continue;
        }
        if problem.tolerance == Tolerance::Correct && design.prim == Prim::F32 && !stored {
            continue;
        }
        let fit = match fits.of(&design) {
            Ok(fit) => fit,
            // A symmetric interval tells some coefficients not apart; near a pole none fit.
            Err(_) => continue,
        };
        let floor = match problem.format {
            Format::F64 => 2f64.powi(-66),
            _ if stored => unit * 2f64.powi(-14),
            _ => floor(design.prim),
        };
        if fit.error < floor {
            enough.insert(key, design.terms);
        }
        if fit.error > hopeless || fit.coefficients.is_empty() && !pieces {
            continue;
        }
        let candidate = candidates::candidate(&design, &fit)?;
        let Ok(mut strips) = candidate.strips() else {
            continue;
        };
        let report = problem.on_sample(&mut strips, cases);
        if report.faults > 0 {
            continue;
        }
        entries.push(Entry {
            cost: cost::estimate(&candidate.program),
            error: report.largest,
            worst: report.worst,
            design,
            candidate,
        });
        if entries.len() % 64 == 0 {
            (request.progress)(&format!("{} designs evaluated", entries.len()));
        }
    }
    Ok(entries)
}

/// The smallest number of designs that are timed: with fewer, the fastest design within the tolerance is often not among them.
const TIMED: usize = 32;

/// The designs that are worth a measurement: nearly on the front of error and estimated cost.
pub(super) fn shortlist(entries: Vec<Entry>, finalists: usize) -> Vec<Entry> {
    let points: Vec<(f64, f64)> = entries.iter().map(|e| (e.error, e.cost)).collect();
    let near = |p: &(f64, f64)| {
        let better = |q: &(f64, f64)| q.0 <= p.0 && q.1 < 0.85 * p.1;
        !points.iter().any(better)
    };
    let mut kept: Vec<Entry> = entries
        .into_iter()
        .zip(&points)
        .filter(|(_, p)| near(p))
        .map(|(e, _)| e)
        .collect();
    kept.sort_by(|a, b| a.error.total_cmp(&b.error).then(a.cost.total_cmp(&b.cost)));
    // Of many, evenly over the errors.
    let most = (4 * finalists).max(TIMED);
    let step = kept.len().div_ceil(most.max(1)).max(1);
    kept.into_iter().step_by(step).collect()
}
