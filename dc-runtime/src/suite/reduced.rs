//! The tests of reductions: the allowed error, the plain function, and the bits of every backend.

use super::baseline::Known;
use super::entry::{Reduced, Suite};
use super::environment::Environment;
use super::equivalence::{Others, found_for};
use super::message;
use super::report::{Outcome, Report, Test};
use crate::backend::{Discovery, Filter, discover, written};
use crate::model::family::Family;
use crate::model::show;
use crate::reductions::{Agreement, Fault, Found, Wanted};
use crate::search::identity::KernelIdentity;

impl Reduced {
    fn wanted(&self, environment: &Environment) -> Wanted {
        Wanted {
            seed: environment.seed.unwrap_or(0),
            ..Wanted::new(environment.inputs.unwrap_or(self.inputs))
        }
    }

    /// A vector in words: `vector 17 (any sign, 2^-8 to 2^8)`.
    fn vector(&self, found: &Found, number: Option<u64>) -> String {
        number.map_or("no vector".into(), |n| {
            format!("vector {n} ({})", found.inputs.stratum(n))
        })
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
    let at = |number| entry.vector(&found, number);
    let mut rows = vec![
        (
            "error".to_string(),
            format!(
                "{} {unit} at {}",
                show::number(measured.error.value),
                at(measured.error.number)
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
                at(measured.ulp.number),
                show::number(measured.well_conditioned.value)
            ),
        ),
    ];
    for (fault, count) in Fault::ALL.iter().zip(&measured.faults) {
        if count.count > 0 {
            let text = format!("{} vectors, the first {}", count.count, at(count.first));
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
                at(other.differing.first),
                show::number(other.error.value)
            ),
        ));
    }
    let difference = found.backends.iter().find_map(|b| Some((b, b.difference?)));
    let special = measured.faults[1].count > 0;
    let what = if let Some((backend, _)) = difference {
        Some(differs(entry, &found, backend))
    } else if measured.error.exceeds(within) {
        Some("the error is larger than allowed".to_string())
    } else {
        special.then(|| Fault::Special.name().to_string())
    };
    let coverage = format!(
        "not exhaustive: {} vectors, seed {:#x}",
        show::count(inputs.into()),
        found.inputs.seed
    );
    let table = message::columns(&rows);
    let text = match &what {
        Some(what) => format!(
            "`{name}`: {what}\n\n{table}    {}\n    {coverage}\n",
            key(suite, entry)
        ),
        None => format!("{name}: {coverage}\n{table}"),
    };
    if let Some(folder) = &environment.report {
        let kernel = entry.reduction.orders[0].kernel.kernel;
        let identity = KernelIdentity::of("candidate", kernel).map(|k| k.hash);
        let known = Known {
            range: format!("{} {}", function.name(), found.shape.length),
            error: measured.error.value.abs(),
            worst: vec![format!("{unit}, {}", at(measured.error.number))],
            inputs,
            exhaustive: false,
            faults: Vec::new(),
            kernels: identity.into_iter().collect(),
        };
        let test = Test::Accuracy {
            found: known,
            known: None,
            within,
        };
        let outcome = match what {
            None => Outcome::Passed,
            Some(_) => Outcome::Failed,
        };
        report(suite, entry, test, outcome, inputs, &text).leave(folder)?;
    }
    match what {
        None => Ok(text),
        Some(_) => Err(text),
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
        key: key(suite, entry),
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
        entry.vector(found, Some(difference.number)),
    )
}

fn key(suite: &Suite, entry: &Reduced) -> String {
    format!("{}::{}", suite.module, entry.reduction.name)
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
        entry: key(suite, entry),
        folder: suite.folder.into(),
        test,
        outcome,
        inputs,
        // Each is the vector of a number of 64 bits.
        of: 1 << 64,
        text: text.into(),
    }
}
