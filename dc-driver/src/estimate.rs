//! The expected duration of a search: on this machine by a short calibration, on others from floating-point operations,
//! as in the paper's Table 4.

use dc_runtime::model::programs::program_of;
use std::time::Duration;

use kernels_gen::LowerError;
use kernels_gen::ops::{Arith, Direction, Op, Prim};
use kernels_gen::stats::Stats;

use dc_runtime::backend::KernelRef;
use dc_runtime::search::engine::{self, Device, EngineError, Job, Stop};
use dc_runtime::search::plan::Plan;
use dc_runtime::search::range::quote;
use dc_runtime::search::sample::Trial;
use dc_runtime::sweep::Sweep;

/// The floating-point operations for one input: approximation, reference and metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Work {
    /// Operations of the IR, including integer ones.
    pub operations: u64,
    /// Floating-point operations as counted in performance figures: a fused multiply-add is two.
    pub flops: u64,
}

impl Work {
    /// Counts the operations of candidate, reference and metric.
    ///
    /// # Errors
    /// If one cannot be lowered.
    pub fn of(kernels: [&KernelRef; 3]) -> Result<Work, LowerError> {
        let mut work = Work {
            operations: 0,
            flops: 0,
        };
        for kernel in kernels {
            let stats = Stats::of(program_of(kernel.kernel)?);
            work.operations += stats.operations();
            for ty in [Prim::F64, Prim::F32] {
                for (op, flops) in [
                    (Op::Add, 1),
                    (Op::Sub, 1),
                    (Op::Mul, 1),
                    (Op::Div, 1),
                    (Op::Recip, 1),
                    (Op::Sqrt, 1),
                    (Op::Fma, 2),
                ] {
                    work.flops += flops * stats.count(op, ty);
                }
                for arith in Arith::ALL {
                    let flops = if arith == Arith::Fma { 2 } else { 1 };
                    let counts = Direction::ALL.map(|d| stats.count(Op::Directed(arith, d), ty));
                    work.flops += flops * counts.iter().sum::<u64>();
                }
            }
        }
        Ok(work)
    }
}

/// The result of a calibration.
#[derive(Debug, Clone)]
pub struct Calibration {
    /// Inputs per second, on all devices together.
    pub rate: f64,
}

/// Searches a part of the plan, in pieces from all over its range, for about `time`, and discards the results.
///
/// # Errors
/// If a backend fails.
pub fn calibrate(
    sweep: &Sweep,
    plan: &Plan,
    devices: Vec<Device>,
    time: Duration,
) -> Result<Calibration, EngineError> {
    let batch = devices.iter().map(|d| d.backend.preferred_batch()).max();
    // The range of a plan can be planned, and so can a part of it.
    let trial = Trial::of(sweep, plan.range(), batch.unwrap_or(1)).unwrap_or_else(|_| Trial {
        plan: plan.clone(),
        pending: std::iter::once(0..plan.blocks()).collect(),
    });
    let job = Job {
        pending: trial.pending,
        limit: Some(time),
        recheck: false,
        ..Job::new(sweep, &trial.plan, devices)
    };
    let outcome = engine::run(&job, &mut Vec::new(), &Stop::new(), &mut |_| {})?;
    let seconds = outcome.progress.elapsed.as_secs_f64();
    Ok(Calibration {
        rate: outcome.progress.inputs as f64 / seconds.max(1e-9),
    })
}

/// The fastest of several devices, by calibration, and its rate; `None` if there are no devices. If a device fails in any way, for example
/// by wrong bits, it is passed to `failed`, and the other devices are used: some nodes of a cluster may be faulty.
///
/// # Errors
/// If all devices fail.
pub fn fastest(
    sweep: &Sweep,
    plan: &Plan,
    devices: &[Device],
    time: Duration,
    failed: &mut dyn FnMut(&Device, &EngineError),
) -> Result<Option<(Device, f64)>, EngineError> {
    let mut best: Option<(Device, f64)> = None;
    let mut last = None;
    for device in devices {
        let rate = if devices.len() == 1 {
            0.0
        } else {
            match calibrate(sweep, plan, vec![device.clone()], time) {
                Ok(found) => found.rate,
                Err(e) => {
                    failed(device, &e);
                    last = Some(e);
                    continue;
                }
            }
        };
        if best.as_ref().is_none_or(|b| rate > b.1) {
            best = Some((device.clone(), rate));
        }
    }
    match (&best, last) {
        (None, Some(e)) => Err(e),
        _ => Ok(best),
    }
}

/// A computing system with its peak of double-precision operations per second.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// Its name.
    pub name: String,
    /// Peak double-precision FLOPS.
    pub flops: f64,
    /// The source of the peak.
    pub source: String,
}

/// The text of the list that is included in the crate: the systems of the paper's Table 4, then newer ones.
pub const MACHINES: &str = include_str!("../data/machines.tsv");

/// A line of a list of systems that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemsError {
    /// The line's number, from 1.
    pub line: usize,
    /// The error.
    pub reason: String,
}

impl std::fmt::Display for SystemsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

/// Parses a list of systems: lines of a name, its peak in GFLOPS and a source, separated by tabs; `#` begins a comment.
///
/// # Errors
/// If a line has another form, or if a peak is not a positive number.
pub fn systems(text: &str) -> Result<Vec<System>, SystemsError> {
    let mut all = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let error = |reason: String| SystemsError {
            line: number,
            reason,
        };
        let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [name, gflops, source] = fields[..] else {
            return Err(error(format!(
                "{} fields between tabs; it takes three: name, peak in GFLOPS, source",
                fields.len()
            )));
        };
        let flops = gflops.parse().ok().map(|g: f64| g * 1e9);
        let Some(flops) = flops.filter(|f| f.is_finite() && *f > 0.0) else {
            return Err(error(format!(
                "the peak of {} is `{}`; it takes GFLOPS, a number above 0",
                quote(name),
                quote(gflops)
            )));
        };
        all.push(System {
            name: name.into(),
            flops,
            source: source.into(),
        });
    }
    Ok(all)
}

/// Seconds for `inputs` on a system with the same efficiency relative to its peak as a machine with peak `here` that
/// searches `rate` inputs per second: "perfect scaling proportionally to the number of FLOPS".
#[must_use]
pub fn projected(inputs: u128, rate: f64, here: f64, system: &System) -> f64 {
    inputs as f64 / rate * here / system.flops
}

#[cfg(test)]
mod tests {
    use super::*;
    use dc_runtime::model::show;

    /// The formula gives the paper's own figures.
    #[test]
    fn table_4() {
        let inputs = (1.008 * f64::powi(2.0, 63)) as u128;
        let systems = systems(MACHINES).expect("a list");
        let times: Vec<String> = systems[..5]
            .iter()
            .map(|s| show::seconds(projected(inputs, 1.615e9, systems[0].flops, s)))
            .collect();
        // The paper: 183 years, 5 years, 3 months, 3.5 days, 2 hours 17 minutes.
        assert_eq!(
            times,
            [
                "182 years",
                "6 years",
                "3.1 months",
                "3 d 12 h",
                "2 h 17 min"
            ]
        );
    }

    #[test]
    fn lists_of_systems() {
        assert!(
            systems(MACHINES)
                .expect("a list")
                .iter()
                .all(|s| !s.source.is_empty())
        );
        assert_eq!(systems("# nothing\n\n"), Ok(Vec::new()));
        for (text, says) in [
            ("a\t1\n", "line 1: 2 fields"),
            ("# list\na\t1\tb\tc", "line 2: 4 fields"),
            ("a\tfast\tb", "the peak of a is `fast`"),
            ("a\t0\tb", "above 0"),
            ("a\t-1\tb", "above 0"),
            ("a\tinf\tb", "above 0"),
            ("a\tNaN\tb", "above 0"),
        ] {
            let e = systems(text).expect_err(text).to_string();
            assert!(e.contains(says), "{e}");
        }
    }
}
