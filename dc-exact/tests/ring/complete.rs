//! Completeness: for random kernels every input of a stretch is evaluated, and the lattice search with proof must find
//! each input whose error is above a level, and the largest error of all.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::{Cell, Values, input_format};
use dc_exact::exact::{self, Exact, How, maximum, prove};
use dc_exact::law::Truth;
use dc_exact::num::float::BINARY32;
use dc_exact::point::{Hit, error_at};
use kernels_gen::program::Program;

use crate::hold::step;
use crate::random::Random;
use crate::{columns, numeric};

/// The counts of a test run.
#[derive(Debug, Default, Clone)]
pub struct Complete {
    /// Kernels that were tried.
    pub kernels: u64,
    /// Those whose stretch has a bound without special inputs, and which were searched.
    pub searched: u64,
    /// The binary32 kernels among these.
    pub binary32: u64,
    /// Inputs that were evaluated one by one.
    pub inputs: u64,
    /// The inputs among these above the levels, on stretches that did not stay open.
    pub hits: u64,
    /// Hits on stretches that lattices closed.
    pub by_lattice: u64,
    /// Chunks that lattices closed.
    pub lattices: u64,
    /// Hits that the search did not find.
    pub missed: u64,
    /// Kernels with a stretch that stayed open.
    pub open: u64,
    /// Descriptions of failures.
    pub failures: Vec<String>,
}

impl Complete {
    /// The counts on one line.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "{} kernels: {} searched ({} of binary32), {} open; {} inputs evaluated, {} above their levels, {} of them on \
             {} stretches closed by lattice; {} missed; {} failures",
            self.kernels,
            self.searched,
            self.binary32,
            self.open,
            self.inputs,
            self.hits,
            self.by_lattice,
            self.lattices,
            self.missed,
            self.failures.len()
        )
    }
}

/// Errors this near to each other are taken as equal: those of the brute force have a radius.
const NEAR: f64 = 1e-6;
/// The number of seconds of a search: `RING_TIME`.
fn seconds() -> u64 {
    let default = 120;
    std::env::var("RING_TIME").map_or(default, |text| text.parse().expect("seconds"))
}

/// The largest errors of a stretch, the worst first, and how many inputs have one; `None` if some input has none.
fn brute(program: &Program, cell: Cell, most: usize) -> Option<Vec<(f64, f64)>> {
    let mut worst: BinaryHeap<Reverse<(u64, u64)>> = BinaryHeap::new();
    columns::errors(program, cell, &mut |x, e| {
        // Magnitudes have the same order as their bits.
        let e = e.to_bits();
        if worst.len() <= most {
            worst.push(Reverse((e, x.to_bits())));
        } else if worst.peek().is_some_and(|least| e > least.0.0) {
            worst.pop();
            worst.push(Reverse((e, x.to_bits())));
        }
    })?;
    let worst = worst.into_sorted_vec().into_iter();
    Some(
        worst
            .map(|Reverse((e, x))| (f64::from_bits(e), f64::from_bits(x)))
            .collect(),
    )
}

fn effort(list: bool) -> exact::Effort {
    exact::Effort {
        threads: 1,
        time: Duration::from_secs(seconds()),
        list,
    }
}

/// Compares the search over a stretch of positive inputs with all of its inputs, for a level that about `most` of them
/// are above.
pub fn complete(name: &str, program: &Program, cell: Cell, most: usize, total: &mut Complete) {
    total.kernels += 1;
    let truth = Truth::Program(program.clone());
    let of_range = Effort {
        tolerance: 1e-3,
        cells: 3000,
        ..Effort::default()
    };
    let bound = bound_range(program, &truth, &[cell], of_range);
    if !bound.special.is_empty() || !bound.bound.is_finite() || bound.bound == 0.0 {
        return;
    }
    let Some(worst) = brute(program, cell, most) else {
        return;
    };
    let (Some(first), Some(last)) = (worst.first(), worst.last()) else {
        return;
    };
    let largest = first.0;
    // The level is between two errors, so that no error is at it.
    let level = last.0 + NEAR * last.0.max(1.0);
    let wanted: Vec<&(f64, f64)> = worst.iter().filter(|w| w.0 > level + NEAR).collect();
    let mut fail = |what: String| {
        total.failures.push(format!(
            "{name}: {what}, of the stretch {:e}..={:e} (bits {:x}..={:x}), level {level}:\n{}",
            cell.lo,
            cell.hi,
            cell.lo.to_bits(),
            cell.hi.to_bits(),
            kernels_gen::text::text(program)
        ));
    };
    if largest > bound.bound + NEAR * largest {
        fail(format!(
            "the error {largest} is above the bound {}",
            bound.bound
        ));
        return;
    }
    let stop = AtomicBool::new(false);
    let from = Hit {
        x: f64::NAN,
        error: level,
    };
    let found = prove(
        program,
        &truth,
        &bound,
        from,
        effort(true),
        &stop,
        &mut |_| {},
    );
    let inputs: BTreeSet<u64> = found.hits.iter().map(|h| h.x.to_bits()).collect();
    let lattice = |x: f64| {
        let mut closed = found.closed.iter();
        closed.any(|c| {
            let plain = !bound.classes[c.class].reduced;
            c.how == How::Lattice && plain && c.cell.lo <= x && x <= c.cell.hi
        })
    };
    // Nothing is claimed for open stretches.
    let is_open = |x: f64| {
        let mut open = found.open.iter();
        open.any(|o| o.cell.lo <= x && x <= o.cell.hi)
    };
    let mut missed = Vec::new();
    let mut values = Values::new(program);
    for &&(e, x) in wanted.iter().filter(|w| !is_open(w.1)) {
        total.hits += 1;
        total.by_lattice += u64::from(lattice(x));
        if inputs.contains(&x.to_bits()) {
            continue;
        }
        // Next to a power of two of the true value the unit may be the smaller one: the search's own evaluation decides.
        let own = error_at(program, &truth, &mut values, x);
        if own.is_none_or(|own| own.least() > level + NEAR) {
            missed.push((e, x));
        }
    }
    total.searched += 1;
    total.binary32 += u64::from(input_format(program) == BINARY32);
    total.inputs += cell.count(input_format(program));
    total.lattices += found.work.lattice;
    total.missed += missed.len() as u64;
    if let Some((e, x)) = missed.first() {
        let n = missed.len();
        fail(format!("{n} inputs missed, one {x:e} with {e} ULP"));
        return;
    }
    let has_open = |e: &Exact| e.open.iter().any(|o| o.bound.is_finite());
    if has_open(&found) {
        total.open += 1;
        return;
    }
    let found = maximum(
        program,
        &truth,
        &bound,
        None,
        f64::max(bound.bound - level, 1e-3),
        effort(false),
        &stop,
        &mut |_| {},
    );
    if has_open(&found) {
        total.open += 1;
    } else if (found.worst.error.abs() - largest).abs() > NEAR * largest.max(1.0) {
        fail(format!(
            "the maximum is {:?}, and brute force finds {largest}",
            found.worst
        ));
    }
}

/// Random kernels of a seed over stretches of `2^least` to `2^most` inputs.
#[must_use]
pub fn numeric(
    seed: u64,
    from: u64,
    kernels: u64,
    [least, most]: [u32; 2],
    hits: usize,
) -> Complete {
    let mut total = Complete::default();
    for n in from..from + kernels {
        let program = kernels_gen::lower(numeric::kernel(seed, n));
        let program = program.unwrap_or_else(|e| panic!("kernel {n} of seed {seed}: {e}"));
        let mut random = Random::of(seed ^ 0xa11, n);
        let format = input_format(&program);
        let e = random.within(0, 16) as i32 - 8;
        let m = 1.0 + random.below(1 << 52) as f64 * f64::EPSILON;
        let lo = format.round(m * 2f64.powi(e));
        let lg = random.within(least as usize, most as usize) as u32;
        let cell = Cell {
            lo,
            hi: step(lo, (1 << lg) - 1, format),
        };
        complete(
            &format!("numeric {n} of seed {seed}"),
            &program,
            cell,
            hits,
            &mut total,
        );
        if n % 16 == 15 {
            println!("up to {n}: {}", total.line());
        }
    }
    total
}
