//! The comparison of a kernel with its plain function, as the backend `rust`.

use super::entry::{Entry, Suite};
use super::environment::Environment;
use super::inputs::{plans, range, sample_of};
use super::report::{Outcome, Report, Test};
use super::{equivalence, message};
use crate::backend::{BackendError, Filter, discover, written};
use crate::model::candidate::{Candidate, slices};
use crate::model::family::Family;
use crate::model::kernel_ref::KernelRef;
use crate::model::show;
use crate::search::plan::Plan;

/// The number of inputs at a time.
const BATCH: u64 = 1 << 16;

/// Compares them on the inputs of the accuracy test. Without a plain function there is no text.
///
/// # Errors
/// The finding as text: the first input that differs, with both results; or that the function panics.
pub(super) fn check(
    suite: &Suite,
    entry: &Entry,
    environment: &Environment,
) -> Result<Option<String>, String> {
    let Candidate::Kernel(kernel) = entry.sweep.candidate else {
        return Ok(None);
    };
    if kernel.written.is_none() {
        return Ok(None);
    }
    let entry = &Entry {
        sweep: entry.sweep.over(range(entry)?.space()),
        ..*entry
    };
    let cap = environment.inputs.unwrap_or(entry.inputs);
    let Some(backend) = written::of(&entry.sweep) else {
        return alone(suite, entry, &kernel, environment, cap).map(Some);
    };
    let scalar: Filter = (Family::PLAIN_RUST.name().parse()).map_err(|e| format!("{e}"))?;
    let found = discover(&scalar);
    let scalar = found
        .get(Family::PLAIN_RUST.name())
        .ok_or("plain Rust is refused on this machine")?;
    let both = [&backend, scalar];
    equivalence::compare(suite, entry, None, environment, both, cap).map(Some)
}

/// Compares their results if the reference is not a kernel, so that no backend can search the sweep.
fn alone(
    suite: &Suite,
    entry: &Entry,
    kernel: &KernelRef,
    environment: &Environment,
    cap: u64,
) -> Result<String, String> {
    let name = entry.sweep.name;
    let sample = sample_of(suite, entry, (None, None), environment, cap)?;
    let in_sweep = |e: BackendError| format!("{name}: {e}");
    let mut inputs = 0;
    let mut finding = None;
    for plan in plans(&sample)? {
        let (count, differs) = differing(entry, kernel, &plan).map_err(in_sweep)?;
        inputs += count;
        finding = finding.or(differs);
    }
    let text = match &finding {
        None => format!(
            "{name}: rust is scalar bit for bit; {}",
            message::coverage(&sample)
        ),
        Some(rows) => {
            let rows = message::columns(rows);
            let key = suite.key(entry);
            format!("`{name}`: scalar differs from rust (result)\n\n{rows}\n    {key}\n")
        }
    };
    if let Some(folder) = &environment.report {
        let report = Report {
            entry: suite.key(entry),
            folder: suite.folder.into(),
            test: Test::Backend {
                id: written::ID.into(),
            },
            outcome: match finding {
                None => Outcome::Passed,
                Some(_) => Outcome::Failed,
            },
            inputs,
            of: sample.of,
            text: text.clone(),
        };
        report.leave(folder)?;
    }
    match finding {
        None => Ok(text),
        Some(_) => Err(text),
    }
}

/// The rows of a finding: a label and its value.
type Rows = Vec<(String, String)>;

/// The number of inputs up to the first that differs, and the difference.
fn differing(
    entry: &Entry,
    kernel: &KernelRef,
    plan: &Plan,
) -> Result<(u64, Option<Rows>), BackendError> {
    let space = plan.range().space();
    let mut function = written::function(kernel)?;
    let mut arguments = vec![Vec::new(); space.arguments().len()];
    let [mut want, mut got] = [vec![Vec::new()], vec![Vec::new()]];
    let mut inputs = 0;
    for block in (0..plan.blocks()).filter_map(|n| plan.block(n)) {
        let mut done = 0;
        while done < block.count {
            let n = BATCH.min(block.count - done) as usize;
            let first = block.first.wrapping_add_unsigned(done);
            space.fill(first, n, &mut arguments);
            function.eval(&slices(&arguments), &mut want)?;
            (kernel.cpu.scalar)(&slices(&arguments), &mut got);
            let differs = want[0].iter().zip(&got[0]).position(|(a, b)| a != b);
            if let Some(at) = differs {
                let key = first.wrapping_add_unsigned(at as u64);
                let value = |column: &[Vec<u64>]| show::full(entry.sweep.precision, column[0][at]);
                let rows = vec![
                    ("first input".to_string(), space.show(key)),
                    ("rust".to_string(), value(&want)),
                    ("scalar".to_string(), value(&got)),
                ];
                return Ok((inputs + at as u64 + 1, Some(rows)));
            }
            inputs += n as u64;
            done += n as u64;
        }
    }
    Ok((inputs, None))
}
