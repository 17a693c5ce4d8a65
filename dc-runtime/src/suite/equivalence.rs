//! The test of a sweep on a family of backends: the same bits as plain Rust.

use super::accuracy::{plan, sample_of};
use super::baseline::{self, Baseline};
use super::report::{Outcome, Report, Test};
use super::{Entry, Environment, Suite, message};
use crate::backend::discover::required_from_env;
use crate::backend::skip::skip;
use crate::backend::{Discovery, Filter, discover};
use crate::search::engine::{Device, Stop};
use crate::search::equivalence::{Difference, Found, Settings, Verdict, compare};
use crate::search::{machine, show, trace};

/// The most inputs that a backend takes: those that interpret get few.
fn most(id: &str) -> u64 {
    match id {
        "interpreter" => 1 << 14,
        _ if id.starts_with("opencl:oclgrind") => 1 << 12,
        _ => u64::MAX,
    }
}

/// Searches the inputs on every backend of the family and in plain Rust.
///
/// # Errors
/// The finding, for a person: the first input that differs, and what each made of it.
///
/// # Panics
/// When `CRUNCH_REQUIRE` names a backend of the family that is missing.
pub fn check(
    suite: &Suite,
    entry: &Entry,
    family: &str,
    environment: &Environment,
) -> Result<String, String> {
    required_from_env().map_err(|e| format!("CRUNCH_REQUIRE: {e}"))?;
    let filter: Filter = format!("scalar,{family}")
        .parse()
        .map_err(|e| format!("{e}"))?;
    let found = discover(&filter);
    let mut told = Vec::new();
    let leave = |report: Report| match &environment.report {
        Some(folder) => report.leave(folder),
        None => Ok(()),
    };
    let report = |id: &str, outcome, (inputs, of), told: &str| Report {
        entry: suite.key(entry),
        folder: suite.folder.into(),
        test: Test::Backend { id: id.into() },
        outcome,
        inputs,
        of,
        told: told.into(),
    };
    for (id, reason) in missing(&found) {
        let line = format!("{}: not compared: {reason}", entry.sweep.name);
        leave(report(&id, Outcome::Skipped, (0, 0), &line))?;
        skip(&id, &line);
        told.push(line);
    }
    let known = Baseline::read(&baseline::path(suite.folder)).map_err(|e| e.to_string())?;
    let known = known.0.get(&suite.key(entry));
    let scalar = found
        .get("scalar")
        .ok_or("plain Rust is refused on this machine")?;
    for backend in found.backends.iter().filter(|b| b.id() != "scalar") {
        let sample = sample_of(suite, entry, known, environment, most(backend.id()))?;
        let devices = [scalar, backend].map(|b| Device::new(b.clone(), machine::cores()));
        let plan = plan(&sample)?;
        let (settings, stop) = (Settings::default(), Stop::new());
        let mut both = compare(
            &entry.sweep,
            &plan,
            &devices,
            &settings,
            &stop,
            &mut |_, _| {},
        )
        .map_err(|e| format!("{}: {e}", entry.sweep.name))?;
        let agreement = both.pop().ok_or("nothing was compared")?;
        let size = (agreement.result.count, sample.of);
        if let Verdict::Differs(d) = &agreement.verdict {
            let text = difference(suite, entry, d);
            leave(report(backend.id(), Outcome::Failed, size, &text))?;
            return Err(text);
        }
        let coverage = message::coverage(&sample);
        let line = format!(
            "{}: {} is scalar bit for bit; {coverage}",
            entry.sweep.name,
            backend.id()
        );
        leave(report(backend.id(), Outcome::Passed, size, &line))?;
        told.push(line);
    }
    Ok(told.join("\n"))
}

/// The backends that were looked for and are not there, with why.
fn missing(found: &Discovery) -> Vec<(String, String)> {
    let absent = found
        .absent
        .iter()
        .map(|a| (a.id.clone(), format!("{}. {}", a.reason, a.remedy)));
    let refused = found
        .refused
        .iter()
        .map(|(id, e)| (id.clone(), e.to_string()));
    let one_line =
        |(id, why): (String, String)| (id, why.lines().next().unwrap_or_default().into());
    absent.chain(refused).map(one_line).collect()
}

fn difference(suite: &Suite, entry: &Entry, d: &Difference) -> String {
    let p = entry.sweep.precision;
    let [a, b] = &d.backends;
    let fields = Difference::fields(&d.results[0], &d.results[1]).join(", ");
    let mut text = format!(
        "`{}`: {b} differs from {a} ({fields})\n\n",
        entry.sweep.name
    );
    match &d.found {
        Found::Nothing => text.push_str(
            "    no part of the inputs differs when searched by itself: the result depends on how the work is cut, \
             or on chance\n",
        ),
        Found::Input {
            key,
            judged,
            trace: parts,
            ..
        } => {
            let mut rows = vec![("first input".to_string(), show::full(p, p.bits_of_key(*key)))];
            for (id, j) in d.backends.iter().zip(judged.iter()) {
                rows.push((id.clone(), show::full(p, j.result_bits)));
            }
            for (id, j) in d.backends.iter().zip(judged.iter()) {
                let [hi, lo] = j.reference;
                rows.push((format!("reference on {id}"), format!("{hi:?} + {lo:?}")));
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
