//! The front as a picture: error over time, with existing functions for comparison.

use std::path::Path;

use dc_design::search::Outcome;
use dc_design::spec::Tolerance;

use super::shared::shown;
use crate::failure::Failure;
use crate::plot::file::write;
use crate::plot::{Front, Spot};

/// The size of the picture in pixels.
const SIZE: (u32, u32) = (900, 560);

/// Draws the designs of the table.
pub(super) fn draw(outcome: &Outcome, range: &str, path: &Path) -> Result<(), Failure> {
    let problem = &outcome.problem;
    let design = |(number, i): (usize, usize)| {
        let f = &outcome.finalists[i];
        Spot {
            label: (number + 1).to_string(),
            time: f.time,
            error: f.error(),
        }
    };
    // What stands behind a colon is for the table.
    let short = |name: &str| name.split(": ").next().unwrap_or(name).to_string();
    let rival = |r: &dc_design::rivals::Rival| Spot {
        label: short(&r.name),
        time: r.time,
        error: r.error,
    };
    let front = Front {
        title: format!(
            "{} on {range} in {}",
            problem.subject.title(),
            problem.format.name()
        ),
        unit: problem.tolerance.unit().name().into(),
        designs: shown(outcome).enumerate().map(design).collect(),
        rivals: outcome.rivals.iter().map(rival).collect(),
        tolerance: match problem.tolerance {
            Tolerance::Within(most, _) => Some(most),
            Tolerance::Correct => None,
        },
    };
    write(&front, SIZE, path)
}
