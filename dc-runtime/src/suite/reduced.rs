//! The tests of reductions: the allowed and the known error, the plain function, and the bits of every backend.

use super::baseline::{self, Baseline, Known};
use super::entry::{Reduced, Suite};
use super::environment::Environment;
use super::equivalence::{Others, found_for};
use super::message;
use super::report::{Outcome, Report, Test};
use crate::backend::{Discovery, Filter, discover, written};
use crate::model::family::Family;
use crate::model::show;
use crate::reductions::{Agreement, Fault, Found, Largest, Wanted};
use crate::search::identity::KernelIdentity;

impl Reduced {
    fn wanted(&self, environment: &Environment) -> Wanted {
        Wanted {
            seed: environment.seed.unwrap_or(0),
            ..Wanted::new(environment.inputs.unwrap_or(self.inputs))
        }
    }

    /// A vector in words: `vector 17 (any sign, 2^-8 to 2^8)`, with the index of the result if it has several.
    fn vector(&self, found: &Found, number: Option<u64>, result: usize) -> String {
        number.map_or("no vector".into(), |n| {
            let place = found.inputs.place(n, result);
            format!("vector {place} ({})", found.inputs.stratum(n))
        })
    }

    /// The findings about the first order, in the form of `accuracy.toml`.
    fn known(&self, found: &Found) -> Known {
        let measured = &found.orders[0];
        let at = |l: Largest| {
            let place = l.number.map(|n| found.inputs.place(n, l.result));
            place.map(|p| format!("vector {p}"))
        };
        let faults = Fault::ALL.iter().zip(&measured.faults);
        let kernel = self.reduction.orders[0].kernel.kernel;
        let identity = KernelIdentity::of("candidate", kernel).map(|k| k.hash);
        Known {
            range: format!(
                "{} {} {}, seed {:#x}",
                self.reduction.function.name(),
                found.shape.length,
                found.shape.precision.name(),
                found.inputs.seed
            ),
            error: measured.error.value.abs(),
            worst: at(measured.error).into_iter().collect(),
            inputs: found.backends[0].inputs,
            exhaustive: false,
            faults: faults
                .filter(|(_, count)| count.count > 0)
                .map(|(fault, _)| fault.key().to_string())
                .collect(),
            kernels: identity.into_iter().collect(),
        }
    }
}

/// Measures the errors of the kernel in plain Rust, and compares it with its plain function.
///
/// # Errors
/// The finding as text.
pub(super) fn accuracy(
    suite: &Suite,
    entry: &Reduced,
    environment: &Environment,
) -> Result<String, String> {
    let name = entry.reduction.name;
    let scalar: Filter = Family::PLAIN_RUST
        .name()
        .parse()
        .map_err(|e| format!("{e}"))?;
    let found = (entry.reduction)
        .compare(&discover(&scalar).backends, &entry.wanted(environment))
        .map_err(|e| format!("{name}: {e}"))?;
    let function = entry.reduction.function;
    let unit = format!("u {}", function.scale());
    let measured = &found.orders[0];
    let within = entry.reduction.orders[0].within.unwrap_or(f64::INFINITY);
    let at = |largest: Largest| entry.vector(&found, largest.number, largest.result);
    let first = |number| match number {
        Some(n) => format!("vector {n} ({})", found.inputs.stratum(n)),
        None => "no vector".into(),
    };
    let mut rows = vec![
        (
            "error".to_string(),
            format!(
                "{} {unit} at {}",
                show::number(measured.error.value),
                at(measured.error)
            ),
        ),
        (
            "largest allowed".into(),
            format!("{} {unit}", show::number(within)),
        ),
        (
            "in ULP".into(),
            format!(
                "{} at {}; where little cancels {}",
                show::number(measured.ulp.value),
                at(measured.ulp),
                show::number(measured.well_conditioned.value)
            ),
        ),
    ];
    for (fault, count) in Fault::ALL.iter().zip(&measured.faults) {
        if count.count > 0 {
            let text = format!("{} vectors, the first {}", count.count, first(count.first));
            rows.push((fault.name().into(), text));
        }
    }
    let inputs = found.backends[0].inputs;
    for (order, other) in entry.reduction.orders.iter().zip(&found.orders).skip(1) {
        let share = 100.0 * show::share(other.differing.count, inputs);
        rows.push((
            order.name.into(),
            format!(
                "other bits at {share:.2} % of the vectors, the first {}; error {} {unit}",
                first(other.differing.first),
                show::number(other.error.value)
            ),
        ));
    }
    let path = baseline::path(suite.folder);
    let baseline = Baseline::read_if_there(&path).map_err(|e| e.to_string())?;
    let there = baseline.is_some();
    let key = suite.key_of(entry);
    let known = baseline.and_then(|mut b| b.0.remove(&key));
    let now = entry.known(&found);
    if let Some(known) = &known {
        let place = known.worst.first().map_or("no vector", String::as_str);
        rows.push((
            "known until now".into(),
            format!("{} {unit} at {place}", show::number(known.error)),
        ));
    }
    let broken = broken(entry, &found, within);
    let accepts = broken.is_none() && environment.bless;
    let worse = match (&known, there) {
        _ if accepts || broken.is_some() => None,
        (None, true) => Some((
            format!("it has no table in {}, which is there", path.display()),
            Outcome::Failed,
        )),
        (None, false) => None,
        (Some(known), _) => worse(&now, known),
    };
    let outcome = match (&broken, &worse) {
        (Some(_), _) => Outcome::Failed,
        (_, Some((_, outcome))) => *outcome,
        _ => Outcome::Passed,
    };
    if accepts && known.as_ref() != Some(&now) {
        Baseline::update(&path, |b| {
            b.0.insert(key.clone(), now.clone());
        })
        .map_err(|e| e.to_string())?;
    }
    let coverage = format!(
        "not exhaustive: {} vectors, seed {:#x}",
        show::count(inputs.into()),
        found.inputs.seed
    );
    let what = broken.or(worse.map(|w| format!("{}; CRUNCH_BLESS=1 accepts it", w.0)));
    let note = match &known {
        _ if accepts => "; accepted",
        None => "; not in accuracy.toml yet: CRUNCH_BLESS=1 accepts it",
        Some(known) if now.error < known.error => "; better than known: CRUNCH_BLESS=1 accepts it",
        Some(_) => "",
    };
    let table = message::columns(&rows);
    let text = match &what {
        Some(what) => format!("`{name}`: {what}\n\n{table}    {key}\n    {coverage}\n"),
        None => format!("{name}: {coverage}{note}\n{table}"),
    };
    if let Some(folder) = &environment.report {
        let test = Test::Accuracy {
            found: now,
            known,
            within,
        };
        report(suite, entry, test, outcome, inputs, &text).leave(folder)?;
    }
    match what {
        None => Ok(text),
        Some(_) => Err(text),
    }
}

/// Findings that no blessing accepts: bits that differ from those of the plain function, an error above the limit in the source, a wrong
/// infinity or NaN.
fn broken(entry: &Reduced, found: &Found, within: f64) -> Option<String> {
    let measured = &found.orders[0];
    let special = Fault::ALL.iter().zip(&measured.faults);
    let special = special.filter(|(fault, count)| **fault == Fault::Special && count.count > 0);
    if let Some(backend) = found.backends.iter().find(|b| b.difference.is_some()) {
        Some(differs(entry, found, backend))
    } else if measured.error.exceeds(within) {
        Some("the error is larger than allowed".to_string())
    } else {
        special.map(|(fault, _)| fault.name().to_string()).next()
    }
}

/// How the errors are worse than the known ones, and whether the only reason is that other vectors were taken.
fn worse(now: &Known, known: &Known) -> Option<(String, Outcome)> {
    let failed = |what: String| Some((what, Outcome::Failed));
    if known.range != now.range {
        return failed(format!(
            "it is {}, and was {} when it was accepted",
            now.range, known.range
        ));
    }
    if let Some(fault) = now.faults.iter().find(|f| !known.faults.contains(f)) {
        return failed(format!("wrong values that were not known ({fault})"));
    }
    match now.error > known.error {
        true if now.same_kernels(known) => Some((
            "a worse vector was found, and the kernel has not changed".into(),
            Outcome::WorseInput,
        )),
        true => failed("it has become less accurate".into()),
        false => None,
    }
}

/// Compares the bits of every order on the backends of a family with those of plain Rust.
///
/// # Errors
/// The finding as text: the first vector that differs, with both results.
///
/// # Panics
/// If `CRUNCH_REQUIRE` names a backend of the family that is missing.
pub(super) fn equivalence(
    suite: &Suite,
    entry: &Reduced,
    family: &str,
    environment: &Environment,
) -> Result<String, String> {
    equivalence_of(suite, entry, family, environment, &found_for(family)?)
}

/// [`equivalence`] with the backends that were found.
pub(super) fn equivalence_of(
    suite: &Suite,
    entry: &Reduced,
    family: &str,
    environment: &Environment,
    discovery: &Discovery,
) -> Result<String, String> {
    let name = entry.reduction.name;
    let others = Others {
        key: suite.key_of(entry),
        folder: suite.folder,
        name,
        family,
        report: environment.report.as_deref(),
    };
    let mut text = others.missing(discovery)?;
    let found = (entry.reduction)
        .compare(&discovery.backends, &entry.wanted(environment))
        .map_err(|e| format!("{name}: {e}"))?;
    let base = &found.backends[0].backend;
    let compared = (found.backends.iter().skip(1)).filter(|b| b.backend != written::ID);
    for backend in compared {
        let (line, outcome) = match backend.difference {
            None => (
                format!(
                    "{name}: {} is {base} bit for bit; not exhaustive: {} vectors, seed {:#x}",
                    backend.backend,
                    show::count(backend.inputs.into()),
                    found.inputs.seed
                ),
                Outcome::Passed,
            ),
            Some(_) => (
                format!(
                    "`{name}`: {}\n    {}\n",
                    differs(entry, &found, backend),
                    others.key
                ),
                Outcome::Failed,
            ),
        };
        if let Some(folder) = &environment.report {
            let test = Test::Backend {
                id: backend.backend.clone(),
            };
            report(suite, entry, test, outcome, backend.inputs, &line).leave(folder)?;
        }
        if outcome == Outcome::Failed {
            return Err(line);
        }
        text.push(line);
    }
    Ok(text.join("\n"))
}

/// A difference in words: `avx2 differs from scalar in pairwise at vector 17 (alternating): 1.5 = …, not 1.25 = …`.
fn differs(entry: &Reduced, found: &Found, backend: &Agreement) -> String {
    let Some(difference) = backend.difference else {
        return String::new();
    };
    let [want, got] = difference
        .bits
        .map(|bits| show::full(found.shape.precision, bits));
    format!(
        "{} differs from {} in `{}` at {}: {got}, not {want}",
        backend.backend,
        found.backends[0].backend,
        entry.reduction.orders[difference.order].name,
        entry.vector(found, Some(difference.number), difference.result),
    )
}

fn report(
    suite: &Suite,
    entry: &Reduced,
    test: Test,
    outcome: Outcome,
    inputs: u64,
    text: &str,
) -> Report {
    Report {
        entry: suite.key_of(entry),
        folder: suite.folder.into(),
        test,
        outcome,
        inputs,
        // Each is the vector of a number of 64 bits.
        of: 1 << 64,
        text: text.into(),
    }
}
