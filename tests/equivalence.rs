//! All backends of this machine compared with each other: the same blocks, bit for bit.

mod support;

use std::sync::Arc;

use doublecrunch::backend::{Backend, BackendError, KernelRef, PointKernel, Speed, SweepKernel};
use doublecrunch::model::measure::Measure;
use doublecrunch::prelude::*;
use doublecrunch::search::block::BlockResult;
use doublecrunch::search::engine::{Device, Stop};
use doublecrunch::search::equivalence::{Agreement, Found, Settings, Verdict, compare};
use doublecrunch::search::key::Precision;
use doublecrunch::search::plan::Plan;
use doublecrunch::search::range::Range;
use doublecrunch::search::sample::{Sample, Wanted};
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps;

/// Inputs of each sweep on the backends that run machine code.
const INPUTS: u64 = 1 << 21;

/// The sweeps of which the suites of `accuracy.rs` have a part of the range.
const RANGES: [&str; 2] = ["reciprocal-f32", "cbrt-freebsd"];

/// The inputs of a sweep for one backend: interpreting backends get fewer.
fn sample(sweep: &Sweep, range: &Range, speed: Speed) -> Range {
    let (inputs, stretches) = match speed {
        Speed::Compiled => (INPUTS, 1 << 11),
        Speed::Interpreted => (1 << 18, 1 << 9),
        Speed::Simulated => (1 << 11, 24),
    };
    let wanted = Wanted {
        stretches,
        ..Wanted::of(sweep, inputs)
    };
    Sample::of_stretches(sweep, range, &wanted).range
}

/// The special values and their neighbours; a simulator gets one sixth of the stretches.
fn edges(precision: Precision, speed: Speed) -> Range {
    let all = Range::edges(precision);
    if speed != Speed::Simulated {
        return all;
    }
    let part = all.spans().iter().step_by(6).copied().collect();
    Range::from_spans(precision, part).expect("a part of a range")
}

fn device(backend: Arc<dyn Backend>) -> Device {
    Device::new(backend, 2)
}

/// Compares `other` with `first` on a range.
fn pair(sweep: &Sweep, range: &Range, first: &Device, other: &Device) -> Agreement {
    let plan = Plan::new(range.clone(), None).expect("a range that can be planned");
    let devices = [first.clone(), other.clone()];
    let settings = Settings::default();
    let stop = Stop::new();
    let mut both = compare(sweep, &plan, &devices, &settings, &stop, &mut |_, _| {})
        .unwrap_or_else(|e| panic!("{} on {}: {e}", sweep.name(), other.backend.id()));
    let other = both.pop().expect("two agreements");
    assert_eq!(u128::from(other.result.count), range.count());
    other
}

#[test]
fn every_backend_gives_the_same_bits() {
    let backends = support::backends("every_backend_gives_the_same_bits", "all");
    let mut devices = backends.into_iter().map(device);
    let first = devices.next().expect("scalar code runs everywhere");
    let others: Vec<Device> = devices.collect();
    // The suites of `accuracy.rs` compare a sample of every sweep on all backends: the special values remain, and the whole ranges of
    // which a suite has a part.
    let in_a_suite = |s: &Sweep| !RANGES.contains(&s.name());
    for sweep in sweeps::ALL {
        let whole = Range::parse(sweep.range(), sweep.precision()).expect("a range");
        for other in &others {
            let id = other.backend.id();
            let speed = other.backend.speed();
            let (sample, edges) = (
                sample(sweep, &whole, speed),
                edges(sweep.precision(), speed),
            );
            let ranges: &[_] = match in_a_suite(sweep) {
                true => &[&edges],
                false => &[&sample, &edges],
            };
            for &range in ranges {
                let agreement = pair(sweep, range, &first, other);
                println!(
                    "{}: {id} and {} on {} inputs: {:?}, maximum {} ULP",
                    sweep.name(),
                    first.backend.id(),
                    range.count(),
                    agreement.verdict,
                    agreement.result.max.error()
                );
                assert!(
                    matches!(agreement.verdict, Verdict::Identical),
                    "{}: {agreement:#?}",
                    sweep.name()
                );
            }
        }
    }
}

/// Compiled searches of texts have a fast path for these errors, too, and it must give what the metric gives.
#[test]
fn absolute_and_relative_errors_are_the_same_everywhere() {
    let backends = support::backends(
        "absolute_and_relative_errors_are_the_same_everywhere",
        "all",
    );
    let mut devices = backends.into_iter().map(device);
    let first = devices.next().expect("scalar code runs everywhere");
    let others: Vec<Device> = devices.collect();
    // One and two words of a reference, a scale, and a function with large errors in ULP.
    let names = ["reciprocal-f32", "exp", "log-table", "sin-fdlibm"];
    for sweep in sweeps::ALL.iter().filter(|s| names.contains(&s.name())) {
        let whole = Range::parse(sweep.range(), sweep.precision()).expect("a range");
        for measure in [Measure::Absolute, Measure::Relative] {
            let sweep = sweep.measuring(measure);
            for other in &others {
                let speed = other.backend.speed();
                let wanted = Wanted {
                    stretches: 1 << 5,
                    ..Wanted::of(&sweep, 1 << 17)
                };
                let sample = match speed {
                    Speed::Compiled => Sample::of_stretches(&sweep, &whole, &wanted).range,
                    _ => self::sample(&sweep, &whole, Speed::Simulated),
                };
                for range in [&sample, &edges(sweep.precision(), speed)] {
                    let agreement = pair(&sweep, range, &first, other);
                    assert!(
                        matches!(agreement.verdict, Verdict::Identical),
                        "{} {}: {agreement:#?}",
                        sweep.name(),
                        measure.name()
                    );
                }
            }
        }
    }
}

/// `sweeps::rcp_newton` with contraction: one of its twelve pairs of a product and a difference is fused.
#[crunch]
fn rcp_contracted(x: DcDouble) -> DcDouble {
    let y0 = rcp_neon(x.to_f32()).to_f64();
    let y1 = y0 * (2.0 - y0 * x);
    let y2 = y1 * (2.0 - y1 * x);
    y2 * (-y2).mul_add(x, 2.0)
}

const CONTRACTED: Sweep = Sweep::new::<rcp_contracted, dd_recip>("contracted", "1.0..2.0");

/// A backend that contracts one operation of `rcp_newton`.
struct Wrong;

struct Contracted;

impl SweepKernel for Contracted {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        Ok((CONTRACTED.compiled().scalar)(first, count))
    }
}

struct Point(KernelRef);

impl PointKernel for Point {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        (self.0.cpu.scalar)(inputs, outputs);
        Ok(())
    }
}

impl doublecrunch::model::backend::sealed::Sealed for Wrong {}

impl Backend for Wrong {
    fn id(&self) -> &str {
        "wrong"
    }
    fn describe(&self) -> String {
        "contracts".into()
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        Ok(Box::new(Point(match kernel.kernel.name {
            "rcp_newton" => *CONTRACTED.candidate().kernel().expect("a kernel"),
            _ => *kernel,
        })))
    }
    fn load_sweep(&self, _: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        Ok(Box::new(Contracted))
    }
}

#[test]
fn one_contracted_operation_is_caught_at_its_first_input() {
    let sweep = &sweeps::ALL[0];
    let range = Range::parse("1.25..1.2500001", sweep.precision()).expect("a range");
    let right = support::backends("one_contracted_operation", "scalar");
    let [right, wrong] = [right[0].clone(), Arc::new(Wrong) as _].map(device);
    let agreement = pair(sweep, &range, &right, &wrong);
    let Verdict::Differs(difference) = agreement.verdict else {
        panic!("{agreement:#?}")
    };
    assert_eq!(difference.backends, ["scalar", "wrong"]);
    let Found::Input { key, measured, .. } = difference.found else {
        panic!("{difference:#?}")
    };
    // By hand: the first input of the range for which the two routines differ.
    let first = (1.25f64.to_bits()..)
        .map(f64::from_bits)
        .find(|&x| sweeps::rcp_newton::eval(x) != rcp_contracted::eval(x))
        .expect("they differ somewhere");
    assert_eq!(key, first.to_bits() as i64);
    assert_eq!(
        measured.each_ref().map(|j| j.result_bits),
        [sweeps::rcp_newton::eval(first), rcp_contracted::eval(first)].map(f64::to_bits)
    );
    assert_eq!(measured[0].reference, measured[1].reference);
}

#[test]
fn what_is_shipped_is_what_is_searched() {
    // `eval` (scalar) and `map` (the widest instruction set) on edge cases, with tails of every length.
    let edges = Range::edges(sweeps::ALL[0].precision());
    let xs: Vec<f64> = edges
        .spans()
        .iter()
        .flat_map(|s| s.first..=s.last)
        .map(|key| sweeps::ALL[0].precision().value_of_key(key))
        .collect();
    for length in (0..130).chain([xs.len()]) {
        let length = length.min(xs.len());
        let mut ys = vec![0.0; length];
        sweeps::rcp_newton::map(&xs[..length], &mut ys);
        for (&x, y) in xs.iter().zip(ys) {
            assert_eq!(sweeps::rcp_newton::eval(x).to_bits(), y.to_bits(), "{x:e}");
        }
    }
}
