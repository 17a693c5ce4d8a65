//! The reason why a bracket is open, in terms of the routine.

use kernels_gen::program::Program;

use crate::bound::{Bounded, RangeBound};
use crate::cell::{Cell, Label, Outcome, Tight, evaluate_two_words, input_format, label};
use crate::error::Share;
use crate::exact::{Exact, Open};
use crate::law::Truth;

/// The reason why a bracket is open.
#[derive(Debug, Clone, PartialEq)]
pub enum Why {
    /// Inputs have no bound, because the kernel has more programs than the limit of cells allows. Contains the value that varies on the
    /// longest such stretch, if there is one.
    Cells(Option<Label>),
    /// All remaining errors are within this distance of half a unit: only the rounding of the result decides, and each input whose result
    /// is near a midpoint is a candidate.
    Half(f64),
    /// At the worst stretch the bound is `slack` above the known error.
    Weights {
        /// The slack in ULP.
        slack: f64,
        /// The roundings that contribute more than an eighth of the slack, which are the dimensions of the lattice; the largest first.
        roundings: Vec<Share>,
    },
}

/// An error this close to one half comes only from the result's rounding.
const HALF: f64 = 1e-6;

/// The reason why a search has not closed the bracket; `None` if it has, or if no reason is known.
#[must_use]
pub fn why(program: &Program, truth: &Truth, bound: &RangeBound, exact: &Exact) -> Option<Why> {
    if exact.is_exact() {
        return None;
    }
    if bound.unfinished
        && let Some((_, label)) = longest_left_out(program, truth, bound)
    {
        return Some(Why::Cells(label));
    }
    let level = exact.worst.error.abs();
    let level = if level.is_nan() { 0.0 } else { level };
    if level > 0.25 && (exact.upper - 0.5).abs() < HALF {
        return Some(Why::Half((exact.upper - 0.5).max(0.5 - level)));
    }
    let finite = exact.open.iter().filter(|o| o.bound.is_finite());
    let worst = finite.max_by(|a, b| a.bound.total_cmp(&b.bound))?;
    let slack = worst.bound - level;
    let cell = cell_of(bound, worst)?;
    let roundings: Vec<Share> = cell
        .error
        .shares
        .iter()
        .filter(|s| s.ulp > slack / 8.0)
        .copied()
        .collect();
    Some(Why::Weights { slack, roundings })
}

/// The longest stretch of more than one input that has no bound although the function has values there, and the operation that varies, if
/// there is one.
#[must_use]
pub fn longest_left_out(
    program: &Program,
    truth: &Truth,
    bound: &RangeBound,
) -> Option<(Cell, Option<Label>)> {
    let format = input_format(program);
    let defined = bound.special.iter().filter(|c| !truth.nowhere(**c));
    let longest = defined.max_by_key(|c| c.count(format));
    let cell = *longest.filter(|c| c.count(format) > 1)?;
    let evaluated = evaluate_two_words(program, cell, &Tight::new(), truth.two_words());
    let label = match evaluated.results[0] {
        Outcome::Varies { site, .. } | Outcome::Wide { site } => label(program, site),
        _ => None,
    };
    Some((cell, label))
}

/// The cell to which an open stretch belongs.
fn cell_of<'a>(bound: &'a RangeBound, open: &Open) -> Option<&'a Bounded> {
    bound
        .cells
        .iter()
        .find(|b| b.class == open.class && b.cell.lo <= open.cell.hi && open.cell.lo <= b.cell.hi)
}
