//! Bounds, maxima and certificates of the kernels of `inner`, compared with the errors of all inputs of a stretch.

use crunch_check::{Options, check};
use dc_exact::bound::{Effort, RangeBound, bound_range};
use dc_exact::cell::{Cell, Values};
use dc_exact::certificate::{Subject, certificate};
use dc_exact::exact;
use dc_exact::law::Truth;
use dc_exact::num::Interval;
use dc_exact::num::float::BINARY64;
use dc_exact::point::error_at;
use kernels_gen::program::Program;

use crate::forms::claiming;
use crate::hold::{any_error, step};
use crate::inner;
use crate::stretch::searched;

/// The counts of a test run.
#[derive(Debug, Default)]
pub struct Visits {
    kernels: u64,
    /// Kernels with a value inside that was subnormal, infinite, a power of two, or of both sides of one.
    subnormal: u64,
    infinite: u64,
    power: u64,
    crossing: u64,
    /// Those with a bound of all inputs.
    pub bounded: u64,
    /// Inputs compared with the bounds of their cells; those without a claim, and those whose error is not known well enough.
    pub inputs: u64,
    special: u64,
    vague: u64,
    /// Kernels with an exact maximum, and those with a bracket.
    pub exact: u64,
    open: u64,
    /// Certificates that were proven, and claims below the truth that were refused.
    pub proven: u64,
    not_proven: u64,
    pub lowered: u64,
    pub failures: Vec<String>,
}

impl Visits {
    pub fn line(&self) -> String {
        format!(
            "{} kernels, inside of which were subnormal numbers ({}), infinities ({}), powers of two ({}) and changes of the binade \
             ({}); {} bounded, {} inputs compared with their cells, {} without a claim, {} too vague; {} exact maxima, {} brackets; \
             {} certificates proven, {} not; {} lowered claims tried; {} contradictions",
            self.kernels,
            self.subnormal,
            self.infinite,
            self.power,
            self.crossing,
            self.bounded,
            self.inputs,
            self.special,
            self.vague,
            self.exact,
            self.open,
            self.proven,
            self.not_proven,
            self.lowered,
            self.failures.len()
        )
    }
}

/// The range of an input's error, in magnitude.
fn magnitude(program: &Program, truth: &Truth, values: &mut Values, x: f64) -> Option<Interval> {
    match truth {
        // By another evaluation than that of the search.
        Truth::Program(_) => {
            let e = any_error(program, x)?;
            let size = e.h.abs();
            if e.r > 1e-6 * size.max(1.0) {
                return None;
            }
            Some(Interval::new(
                (size - e.r - e.l.abs()).max(0.0),
                size + e.r + e.l.abs(),
            ))
        }
        Truth::Law(_) | Truth::Power(_) | Truth::Stage(_) => {
            Some(error_at(program, truth, values, x)?.abs())
        }
    }
}

/// What the kernel computes on the way, at some inputs.
fn visits(program: &Program, cell: Cell, values: &mut Values, total: &mut Visits) {
    let count = cell.count(BINARY64);
    let at = |k: u64| step(cell.lo.abs().min(cell.hi.abs()), k, BINARY64).copysign(cell.lo);
    let inputs: Vec<f64> = (0..64).map(|k| at(k * (count - 1) / 63)).collect();
    let (mut subnormal, mut infinite, mut power, mut crossing) = (false, false, false, false);
    let entry = program.inlined();
    for site in 0..entry.entry().insts.len() as u32 {
        let mut fields: Option<u64> = None;
        for &x in &inputs {
            let Some(word) = values.at(site, x) else {
                break;
            };
            // Integers and masks are not among these kernels' values but for the bits of an estimate.
            let v = f64::from_bits(word);
            subnormal |= v.is_subnormal() && word > 1;
            infinite |= v.is_infinite();
            power |= v.is_normal() && word << 12 == 0 && fields.is_some_and(|f| f != word >> 52);
            crossing |= fields.is_some_and(|f| f != word >> 52);
            fields = Some(word >> 52);
        }
    }
    total.subnormal += u64::from(subnormal);
    total.infinite += u64::from(infinite);
    total.power += u64::from(power);
    total.crossing += u64::from(crossing);
}

/// The largest bound of the cells that hold an input; `None` if no cell does.
fn of_cells(bound: &RangeBound, x: f64) -> Option<f64> {
    let inside = |c: &Cell, x: f64| c.lo <= x && x <= c.hi;
    let here = bound.cells.iter().filter(|b| match b.class {
        None => inside(&b.cell, x),
        Some(i) => (bound.classes[i].members.iter())
            .any(|m| inside(&m.cell, x) && inside(&b.cell, m.reduced(x))),
    });
    here.map(|b| b.error.bound()).reduce(f64::max)
}

const NEAR: f64 = 2e-6;

fn seconds() -> u64 {
    std::env::var("RING_TIME").map_or(5, |text| text.parse().expect("seconds"))
}

/// Compares everything that is claimed of a kernel on a stretch with its inputs.
pub fn compare(name: &str, program: &Program, truth: &Truth, cell: Cell, total: &mut Visits) {
    total.kernels += 1;
    let mut values = Values::new(program);
    visits(program, cell, &mut values, total);
    let effort = Effort {
        tolerance: 1e-3,
        cells: 3000,
        ..Effort::default()
    };
    let bound = bound_range(program, truth, &[cell], effort);
    let mut fail = |what: String| {
        total.failures.push(format!(
            "{name}: {what}, of the stretch {:e}..={:e} (bits {:x}..={:x}):\n{}",
            cell.lo,
            cell.hi,
            cell.lo.to_bits(),
            cell.hi.to_bits(),
            kernels_gen::text::text(program)
        ));
    };
    let (mut largest, mut compared) = (Interval::ZERO, 0);
    let mut worst = f64::NAN;
    for k in 0..cell.count(BINARY64) {
        let x = step(cell.lo.abs().min(cell.hi.abs()), k, BINARY64).copysign(cell.lo);
        if bound.special.iter().any(|c| c.lo <= x && x <= c.hi) {
            total.special += 1;
            continue;
        }
        let Some(e) = magnitude(program, truth, &mut values, x) else {
            total.vague += 1;
            continue;
        };
        compared += 1;
        let at = || format!("{x:e} ({:x}) has {e:?} ULP", x.to_bits());
        match of_cells(&bound, x) {
            None => return fail(format!("{} and is in no cell", at())),
            Some(most) if e.lo > most + NEAR * most.max(1.0) => {
                return fail(format!("{}, and the bound of its cells is {most}", at()));
            }
            Some(_) if e.lo > bound.bound + NEAR * bound.bound.max(1.0) => {
                return fail(format!("{}, and the bound is {}", at(), bound.bound));
            }
            Some(_) => {}
        }
        if e.lo > largest.lo {
            (largest, worst) = (e, x);
        }
    }
    total.inputs += compared;
    if compared == 0 || !bound.bound.is_finite() {
        return;
    }
    total.bounded += u64::from(bound.special.is_empty());
    // Where all errors are zero there is no worst input.
    if worst.is_nan() {
        return;
    }
    let found = searched(program, truth, &bound, largest.hi, seconds());
    if let Some(contradiction) = found.contradiction {
        return fail(format!("{contradiction}"));
    }
    // Next to a power of two the unit of a true value may be the smaller or the larger one.
    let own = error_at(program, truth, &mut values, worst).map(|e| e.abs());
    let least = own.map_or(largest.lo, |own| own.lo.min(largest.lo));
    let near = NEAR * least.max(1.0);
    if found.upper < least - near {
        return fail(format!(
            "no error is above {}, and {worst:e} ({:x}) has {largest:?}",
            found.upper,
            worst.to_bits()
        ));
    }
    if !found.is_exact() || !bound.special.is_empty() {
        total.open += 1;
        return;
    }
    // The worst input may be one of those whose error is not known well enough here.
    let its = magnitude(program, truth, &mut values, found.worst.x);
    let above = its.is_some_and(|e| found.worst.error.abs() > 2.0 * e.hi + NEAR * e.hi.max(1.0));
    if found.worst.error.abs() < least - near || above {
        return fail(format!(
            "the maximum is {:?}, and {worst:e} has {largest:?}",
            found.worst
        ));
    }
    total.exact += 1;
    certified(program, truth, cell, &bound, &found, total);
}

/// The certificate is proven or refused, and one that claims less than the truth is refused.
fn certified(
    program: &Program,
    truth: &Truth,
    cell: Cell,
    bound: &RangeBound,
    found: &exact::Exact,
    total: &mut Visits,
) {
    let mut values = Values::new(program);
    let Some(error) = error_at(program, truth, &mut values, found.worst.x).map(|e| e.abs()) else {
        return;
    };
    if error.lo <= 0.0 || error.hi - error.lo > 1e-9 * error.hi {
        return;
    }
    let subject = Subject {
        sweep: "inner",
        program,
        truth,
        stretches: &[cell],
    };
    let Ok(text) = certificate(subject, bound, found, error.hi) else {
        return;
    };
    let options = Options {
        every: 1,
        jobs: 1,
        sieve: 0,
    };
    match check(&text, options) {
        Ok(_) => total.proven += 1,
        Err(why) => {
            println!("not proven: {why}");
            total.not_proven += 1;
        }
    }
    for part in [1e-9, 1e-3] {
        let claim = error.lo * (1.0 - part);
        let lower = claiming(&text, claim);
        total.lowered += 1;
        if check(&lower, options).is_ok() {
            total.failures.push(format!(
                "{claim} is proven, and {:e} has {error:?}:\n{lower}",
                found.worst.x
            ));
        }
    }
}

/// Compares kernel `n` of a seed on its stretch of `2^lg` inputs.
pub fn one(seed: u64, n: u64, lg: u32, total: &mut Visits) {
    let (program, truth, cell) = inner::subject(seed, n, lg);
    let name = format!("inner {n} of seed {seed}");
    compare(&name, &program, &truth, cell, total);
}

#[test]
fn values_inside_at_the_ends_of_the_format_contradict_no_claim() {
    let mut total = Visits::default();
    for n in 0..60 {
        one(1, n, 10, &mut total);
    }
    println!("reduced: {}", total.line());
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
    assert!(
        total.bounded >= 20 && total.exact >= 10 && total.lowered >= 20,
        "{}",
        total.line()
    );
    assert!(
        total.subnormal >= 30 && total.crossing >= 15 && total.infinite >= 3,
        "{}",
        total.line()
    );
}

/// `RING_KERNELS=3000 RING_LG=16 cargo test --release -p dc-exact --test ring -- --ignored values_inside --nocapture`
#[test]
#[ignore = "long: an hour of a core"]
fn values_inside_at_the_ends_of_the_format_contradict_no_claim_in_a_long_run() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let (seed, lg) = (number("RING_SEED", 1), number("RING_LG", 16) as u32);
    let from = number("RING_FROM", 0);
    let mut total = Visits::default();
    for n in from..from + number("RING_KERNELS", 300) {
        let before = total.failures.len();
        one(seed, n, lg, &mut total);
        total.failures[before..]
            .iter()
            .for_each(|f| println!("{f}"));
        if n % 20 == 19 {
            println!("up to {n}: {}", total.line());
        }
    }
    println!("seed {seed}: {}", total.line());
    assert!(total.failures.is_empty(), "{}", total.failures.join("\n"));
}
