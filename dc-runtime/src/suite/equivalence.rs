//! The test of a sweep on a family of backends: the bits must be those of plain Rust.

use std::path::Path;
use std::sync::Arc;

use super::baseline::{self, Baseline, Known};
use super::entry::{Entry, Suite};
use super::environment::Environment;
use super::inputs::{plans, sample_of};
use super::message;
use super::report::{Outcome, Report, Test};
use crate::backend::discover::required_from_env;
use crate::backend::skip::{note, skip};
use crate::backend::{Backend, Discovery, Filter, Speed, discover};
use crate::model::family::Family;
use crate::model::{machine, show};
use crate::search::engine::{Device, Stop};
use crate::search::equivalence::{Difference, Found, Settings, Verdict, compare_parts};
use crate::search::trace;

/// The largest number of inputs for a backend: few for those that interpret.
fn sample_cap(backend: &dyn Backend) -> u64 {
    match backend.speed() {
        Speed::Compiled => u64::MAX,
        Speed::Interpreted => 1 << 14,
        Speed::Simulated => 1 << 10,
    }
}

/// Searches the inputs on every backend of the family and in plain Rust.
///
/// # Errors
/// The finding as text: the first input that differs, with both results.
///
/// # Panics
/// If `CRUNCH_REQUIRE` names a backend of the family that is missing.
pub(super) fn check(
    suite: &Suite,
    entry: &Entry,
    family: &str,
    environment: &Environment,
) -> Result<String, String> {
    check_found(suite, entry, family, environment, &found_for(family)?)
}

/// The backends of a family, and plain Rust, with which they are compared.
///
/// # Errors
/// If `CRUNCH_REQUIRE` or the family contains a name that does not exist.
pub(super) fn found_for(family: &str) -> Result<Discovery, String> {
    required_from_env().map_err(|e| format!("CRUNCH_REQUIRE: {e}"))?;
    let filter: Filter = format!("{},{family}", Family::PLAIN_RUST.name())
        .parse()
        .map_err(|e| format!("{e}"))?;
    Ok(discover(&filter))
}

/// The backends of a family with which an entry is to be compared.
pub(super) struct Others<'a> {
    /// The entry's name in `accuracy.toml`.
    pub key: String,
    /// The folder of its crate.
    pub folder: &'a str,
    /// The entry's name.
    pub name: &'a str,
    /// The family.
    pub family: &'a str,
    /// The folder of reports, if there is one.
    pub report: Option<&'a Path>,
}

impl Others<'_> {
    /// Writes the report that a backend was not compared, or not trusted.
    fn leave(&self, id: &str, outcome: Outcome, text: &str) -> Result<(), String> {
        let Some(folder) = self.report else {
            return Ok(());
        };
        let report = Report {
            entry: self.key.clone(),
            folder: self.folder.into(),
            test: Test::Backend { id: id.into() },
            outcome,
            inputs: 0,
            of: 0,
            text: text.into(),
        };
        report.leave(folder)
    }

    /// The lines about the backends that are missing here, which are also reported.
    ///
    /// # Errors
    /// If a backend is present but refused.
    ///
    /// # Panics
    /// If `CRUNCH_REQUIRE` names a missing backend.
    pub(super) fn missing(&self, found: &Discovery) -> Result<Vec<String>, String> {
        let mut text = Vec::new();
        for a in &found.absent {
            let why = format!("{}. {}", a.reason, a.remedy);
            let line = format!("{}: not compared: {}", self.name, first_line(&why));
            let of_family = |id: &str| Family::of(self.family).is_some_and(|f| f.has(id));
            if found.backends.iter().any(|b| of_family(b.id())) {
                // Part of the family is present and is compared; the check of required backends follows.
                note(&format!("{}: {line}", a.id));
            } else {
                self.leave(&a.id, Outcome::Skipped, &line)?;
                skip(&a.id, &line);
            }
            text.push(line);
        }
        // A backend that is present and gives wrong results is a finding, not a missing backend.
        if let Some((id, e)) = found.refused.first() {
            let line = format!(
                "{}: {id} is here and must not be trusted; repair it, or remove it\n{e}",
                self.name
            );
            self.leave(id, Outcome::Failed, &line)?;
            return Err(line);
        }
        Ok(text)
    }
}

/// [`check`] with the backends that were found.
pub(super) fn check_found(
    suite: &Suite,
    entry: &Entry,
    family: &str,
    environment: &Environment,
    found: &Discovery,
) -> Result<String, String> {
    let others = Others {
        key: suite.key(entry),
        folder: suite.folder,
        name: entry.sweep.name,
        family,
        report: environment.report.as_deref(),
    };
    if entry.sweep.kernels().is_none() {
        let line = format!(
            "{}: {family}: not compared, accuracy only: {}",
            entry.sweep.name,
            entry.sweep.why_accuracy_only()
        );
        others.leave(family, Outcome::Skipped, &line)?;
        return Ok(line);
    }
    let mut text = others.missing(found)?;
    let entry = &Entry {
        sweep: entry.sweep.over(super::inputs::range(entry)?.space()),
        ..*entry
    };
    let known = Baseline::read(&baseline::path(suite.folder)).map_err(|e| e.to_string())?;
    let known = known.0.get(&suite.key(entry));
    let scalar = found
        .get(Family::PLAIN_RUST.name())
        .ok_or("plain Rust is refused on this machine")?;
    let compared = (found.backends.iter()).filter(|b| !Family::PLAIN_RUST.has(b.id()));
    for backend in compared {
        let cap = sample_cap(&**backend);
        let both = [scalar, backend];
        text.push(compare(suite, entry, known, environment, both, cap)?);
    }
    Ok(text.join("\n"))
}

/// Compares two backends, and reports about the one that is not plain Rust.
pub(super) fn compare(
    suite: &Suite,
    entry: &Entry,
    known: Option<&Known>,
    environment: &Environment,
    backends: [&Arc<dyn Backend>; 2],
    cap: u64,
) -> Result<String, String> {
    let sample = sample_of(suite, entry, (known, None), environment, cap)?;
    let devices = backends.map(|b| Device::new(b.clone(), machine::cores()));
    let plans = plans(&sample)?;
    let (settings, stop) = (Settings::default(), Stop::new());
    let mut both = compare_parts(
        &entry.sweep,
        &plans,
        &devices,
        &settings,
        &stop,
        &mut |_, _| {},
    )
    .map_err(|e| format!("{}: {e}", entry.sweep.name))?;
    let agreement = both.pop().ok_or("nothing was compared")?;
    let mut others = backends.iter().map(|b| b.id());
    let other = others.find(|id| !Family::PLAIN_RUST.has(id));
    let id = other.ok_or("plain Rust is not compared with itself")?;
    let leave = |outcome, text: &str| match &environment.report {
        None => Ok(()),
        Some(folder) => Report {
            entry: suite.key(entry),
            folder: suite.folder.into(),
            test: Test::Backend { id: id.into() },
            outcome,
            inputs: agreement.result.count,
            of: sample.of,
            text: text.into(),
        }
        .leave(folder),
    };
    if let Verdict::Differs(d) = &agreement.verdict {
        let text = difference(suite, entry, d);
        leave(Outcome::Failed, &text)?;
        return Err(text);
    }
    let coverage = message::coverage(&sample);
    let name = entry.sweep.name;
    let line = format!("{name}: {id} is scalar bit for bit; {coverage}");
    leave(Outcome::Passed, &line)?;
    Ok(line)
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn difference(suite: &Suite, entry: &Entry, d: &Difference) -> String {
    let p = entry.sweep.precision;
    let [a, b] = &d.backends;
    let fields = d.results[0].differing_fields(&d.results[1]).join(", ");
    let mut text = format!(
        "`{}`: {b} differs from {a} ({fields})\n\n",
        entry.sweep.name
    );
    match &d.found {
        Found::Nothing => text.push_str(
            "    no part of the inputs differs when searched by itself: the result depends on how the work is divided, or on chance\n",
        ),
        Found::Input {
            key,
            measured,
            trace: parts,
            ..
        } => {
            let mut rows = vec![("first input".to_string(), d.inputs.show(*key))];
            for (id, j) in d.backends.iter().zip(measured.iter()) {
                rows.push((id.clone(), show::full(p, j.result_bits)));
            }
            for (id, j) in d.backends.iter().zip(measured.iter()) {
                let [hi, lo] = j.reference;
                let words = show::scaled(&format!("{hi:?} + {lo:?}"), j.scale);
                rows.push((format!("reference on {id}"), words));
            }
            text.push_str(&message::columns(&rows));
            text.push('\n');
            for line in trace::part_lines(parts) {
                text.push_str(&format!("    {line}\n"));
            }
            text.push('\n');
        }
    }
    text.push_str(&format!("    {}\n", suite.key(entry)));
    text
}
