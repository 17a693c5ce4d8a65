//! The list of what a suite compared and what it could not compare. There is one such test per suite, so that tests that compared nothing
//! are noticed.

use std::io::Write as _;

use super::entry::Suite;
use super::environment::Environment;
use super::report::{Outcome, Report, Test};
use crate::backend::discover::required_from_env;
use crate::backend::skip::note;
use crate::backend::{Discovery, Filter, discover};
use crate::model::family::Family;

/// Lists the backends on which the suite's kernels are compared here, and the others with the reason, in one line on the terminal. Passing
/// tests print nothing else there.
///
/// # Errors
/// If `CRUNCH_REQUIRE` names backends that this machine or this build lacks.
pub(super) fn check(suite: &Suite, environment: &Environment) -> Result<String, String> {
    let names: Vec<&str> = compared_families().map(Family::name).collect();
    let filter: Filter = format!("{},{}", Family::PLAIN_RUST.name(), names.join(","))
        .parse()
        .map_err(|e| format!("{e}"))?;
    let required = required_from_env().map_err(|e| format!("CRUNCH_REQUIRE: {e}"))?;
    let text = check_found(suite, environment, required.as_ref(), &discover(&filter))?;
    // `cargo crunch` prints a table. The test harness captures printed text, but not text written directly to the
    // stream.
    if environment.report.is_none() {
        let line = text.lines().next().unwrap_or_default();
        let _ = writeln!(std::io::stderr(), "{line}");
    }
    Ok(text)
}

/// The families for which a suite has tests. The tests of families without which this program is built are ignored.
fn compared_families() -> impl Iterator<Item = Family> {
    Family::ALL.iter().copied().filter(|f| f.is_compared())
}

/// [`check`] with the backends that were found.
pub(super) fn check_found(
    suite: &Suite,
    environment: &Environment,
    required: Option<&Filter>,
    found: &Discovery,
) -> Result<String, String> {
    let kernels = suite.entries.iter().filter(|e| e.sweep.kernels().is_some());
    let kernels = kernels.map(|e| e.sweep.name);
    let kernels: Vec<&str> = kernels
        .chain(suite.reductions.iter().map(|r| r.reduction.name))
        .collect();
    let sweeps = kernels.len();
    if sweeps == 0 {
        return Ok(format!(
            "{}: accuracy only: none of its sweeps is of kernels",
            suite.module
        ));
    }
    let here: Vec<&str> = found.backends.iter().map(|b| b.id()).collect();
    let others = here.iter().filter(|id| !Family::PLAIN_RUST.has(id));
    let compared: Vec<&str> = others.copied().collect();
    let refused: Vec<&str> = found.refused.iter().map(|r| r.0.as_str()).collect();
    let missing = compared_families().filter(|family| {
        let is = |id: &&str| family.has(id);
        !here.iter().any(is) && !refused.iter().any(is)
    });
    let missing: Vec<Family> = missing.collect();
    let list = |ids: &[&str]| match ids.len() {
        0 => "nothing".to_string(),
        _ => ids.join(", "),
    };
    let mut line = format!(
        "{}: {sweeps} {} compared on {}",
        suite.module,
        if sweeps == 1 { "sweep" } else { "sweeps" },
        list(&compared)
    );
    if !missing.is_empty() {
        let names: Vec<&str> = missing.iter().map(|f| f.name()).collect();
        line += &format!("; NOT COMPARED on {}", names.join(", "));
    }
    if !refused.is_empty() {
        line += &format!("; REFUSED: {}", refused.join(", "));
    }
    if required.is_none() {
        line += "; none is required (CRUNCH_REQUIRE)";
    }
    let mut text = vec![line];
    for family in missing {
        let name = family.name();
        let absent = found.absent.iter().find(|a| family.has(&a.id));
        let why = absent.map_or("not found".into(), |a| {
            format!("{}. {}", a.reason, a.remedy)
        });
        let why = why.lines().next().unwrap_or_default().to_string();
        text.push(format!("    {name}: {why}"));
        if family.is_built() {
            // The test of the backend reports it, and fails if the backend is required.
            continue;
        }
        if let Some(folder) = &environment.report {
            for name in &kernels {
                let report = Report {
                    entry: format!("{}::{name}", suite.module),
                    folder: suite.folder.into(),
                    test: Test::Backend {
                        id: family.name().into(),
                    },
                    outcome: Outcome::Skipped,
                    inputs: 0,
                    of: 0,
                    text: format!("{name}: not compared: {why}"),
                };
                report.leave(folder)?;
            }
        }
        note(&format!("{name}: {}: not compared: {why}", suite.module));
    }
    if let Some(required) = required {
        let missing = |e| format!("{}: {e}", suite.module);
        found.require(required).map_err(missing)?;
    }
    Ok(text.join("\n"))
}
