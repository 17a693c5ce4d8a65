//! Certified bounds of random kernels, compared with brute force.
//!
//! Each kernel is bounded over a stretch of its input by `dc-exact`, against its own meaning in real arithmetic. Then inputs
//! of the stretch are evaluated one by one: the error of each must lie within the bound of its cell, and each input
//! must be in a cell or among those for which nothing is claimed.

use dc_exact::bound::{Effort, RangeBound, bound_range};
use dc_exact::cell::{Cell, input_format};
use dc_exact::law::Truth;
use dc_exact::num::float::{BINARY32, BINARY64, Format, exponent};
use dc_exact::num::{Ball, Ring};
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::random::Random;
use crate::{numeric, point};

/// The counts of a test run.
#[derive(Debug, Default, Clone)]
pub struct Total {
    /// Kernels that were tried.
    pub kernels: u64,
    /// Kernels with a bound with which inputs were compared.
    pub bounded: u64,
    /// Inputs compared with the bounds of their cells.
    pub inputs: u64,
    /// Inputs of stretches for which nothing is claimed.
    pub special: u64,
    /// Inputs whose error could not be determined well enough with double-doubles.
    pub vague: u64,
    /// Kernels whose largest error found was more than half of the bound.
    pub tight: u64,
    /// Descriptions of failures.
    pub failures: Vec<String>,
}

impl Total {
    /// The counts on one line.
    #[must_use]
    pub fn line(&self) -> String {
        format!(
            "{} kernels: {} bounded ({} of them with an error of more than half of the bound), {} inputs held against their \
             cells, {} without a claim, {} too vague to tell; {} failures",
            self.kernels,
            self.bounded,
            self.tight,
            self.inputs,
            self.special,
            self.vague,
            self.failures.len()
        )
    }
}

/// The largest number of inputs that are evaluated per kernel.
const INPUTS: u64 = 1 << 12;

/// Compares the bound of one kernel with brute force over a random stretch.
pub fn hold(name: &str, program: &Program, random: &mut Random, total: &mut Total) {
    let cell = stretch(input_format(program), random);
    over(name, program, cell, random, total);
}

/// Compares the bound of one kernel with brute force over a stretch of one sign.
pub fn over(name: &str, program: &Program, cell: Cell, random: &mut Random, total: &mut Total) {
    total.kernels += 1;
    let truth = Truth::Program(program.clone());
    let effort = Effort {
        tolerance: 1e-3,
        cells: 3000,
        ..Effort::default()
    };
    let bound = bound_range(program, &truth, &[cell], effort);
    let before = total.inputs;
    let mut largest = 0.0;
    for x in inputs(cell, input_format(program), random) {
        match check(program, &bound, x, total) {
            Ok(error) => largest = f64::max(largest, error),
            Err(what) => {
                total.failures.push(format!(
                    "{name}: {what}, of the stretch {:e}..={:e} (bits {:x}..={:x}):\n{}",
                    cell.lo,
                    cell.hi,
                    cell.lo.to_bits(),
                    cell.hi.to_bits(),
                    kernels_gen::text::text(program)
                ));
                return;
            }
        }
    }
    if total.inputs > before && bound.bound.is_finite() {
        total.bounded += 1;
        total.tight += u64::from(bound.bound > 0.0 && largest > 0.5 * bound.bound);
    }
}

/// A random stretch of inputs of one sign: neighbours, or a wide one.
fn stretch(format: Format, random: &mut Random) -> Cell {
    let wide = random.chance(40);
    let spread = if random.chance(80) { 8 } else { 60 };
    let e = random.within(0, spread) as i32 - spread as i32 / 2;
    let m = match random.below(4) {
        0 => 1.0,
        1 => 1.0 + random.below(64) as f64 / 64.0,
        _ => 1.0 + random.below(1 << 52) as f64 * f64::EPSILON,
    };
    let lo = format.round(m * 2f64.powi(e));
    let count = 1u64 << random.within(10, 16);
    let hi = if wide {
        format.round(lo * (1.0 + 2f64.powi(-(random.below(20) as i32))))
    } else {
        step(lo, count, format)
    };
    if random.chance(30) {
        Cell { lo: -hi, hi: -lo }
    } else {
        Cell { lo, hi }
    }
}

/// The number that is `count` numbers above a positive one.
pub fn step(x: f64, count: u64, format: Format) -> f64 {
    if format == BINARY64 {
        f64::from_bits(x.to_bits() + count)
    } else {
        f64::from(f32::from_bits((x as f32).to_bits() + count as u32))
    }
}

/// The ends of a stretch and inputs spread over it; all inputs of a short one.
fn inputs(cell: Cell, format: Format, random: &mut Random) -> Vec<f64> {
    let negative = cell.hi < 0.0;
    let lo = if negative { -cell.hi } else { cell.lo };
    let count = cell.count(format);
    let back = |k: u64| {
        let x = step(lo, k, format);
        if negative { -x } else { x }
    };
    if count <= INPUTS {
        return (0..count).map(back).collect();
    }
    let mut picked: Vec<u64> = (0..16).flat_map(|k| [k, count - 1 - k]).collect();
    picked.extend((0..INPUTS).map(|_| random.word() % count));
    picked.into_iter().map(back).collect()
}

/// The error of an input in ULP; `None` if an intermediate value is infinite or NaN, or where double-doubles cannot
/// determine it well enough.
pub fn error(program: &Program, x: f64) -> Option<Ball> {
    any_error(program, x).filter(|e| e.r <= 1e-6)
}

/// The same as [`error`], of any radius.
pub fn any_error(program: &Program, x: f64) -> Option<Ball> {
    let bits = match program.entry().params[0].1 {
        Prim::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    };
    let (computed, real) = point::at(program, bits)?;
    let entry = program.entry();
    let format = if entry.ty(entry.results[0]) == Prim::F32 {
        BINARY32
    } else {
        BINARY64
    };
    let size = real.ball.h.abs();
    let unit = if size == 0.0 {
        format.least
    } else {
        (exponent(size) + real.exponent - (format.precision - 1)).max(format.least)
    };
    Some(point::difference(computed, real, unit))
}

/// Compares an input's error with the bounds of its cells; returns the error in ULP.
fn check(program: &Program, bound: &RangeBound, x: f64, total: &mut Total) -> Result<f64, String> {
    let inside = |c: &Cell| c.lo <= x && x <= c.hi;
    if bound.special.iter().any(inside) {
        total.special += 1;
        return Ok(0.0);
    }
    let Some(difference) = error(program, x) else {
        // A bound may hold nevertheless, where an infinite intermediate value does not matter.
        total.vague += 1;
        return Ok(0.0);
    };
    let enclosed = difference.enclosure();
    // Where the true values of a cell lie on both sides of a power of two, the cell's errors are in the smaller of both
    // units. In the larger unit an input's own error is half of that: it is between zero and the cell's.
    let (mut least, mut most, mut cells) = (0.0f64, 0.0f64, 0);
    for c in bound.cells.iter().filter(|c| inside(&c.cell)) {
        least = least.min(c.error.error.lo);
        most = most.max(c.error.error.hi);
        cells += 1;
    }
    if cells == 0 {
        return Err(format!("{x:e} ({:x}) is in no cell", x.to_bits()));
    }
    total.inputs += 1;
    // A value next to a power of two may have been assigned the smaller unit: only then is the bound twice as large.
    if enclosed.lo > most || enclosed.hi < least || difference.h.abs() - difference.r > bound.bound
    {
        return Err(format!(
            "{x:e} ({:x}) has the error {} ULP, its cells and zero [{least}, {most}], the bound is {}",
            x.to_bits(),
            difference.h,
            bound.bound
        ));
    }
    Ok(difference.h.abs())
}

/// Compares the bounds of the random kernels of a seed with brute force.
#[must_use]
pub fn numeric(seed: u64, from: u64, kernels: u64) -> Total {
    let mut total = Total::default();
    for n in from..from + kernels {
        let program = kernels_gen::lower(numeric::kernel(seed, n));
        let program = program.unwrap_or_else(|e| panic!("kernel {n} of seed {seed}: {e}"));
        let mut random = Random::of(seed ^ 0x5eed, n);
        hold(
            &format!("numeric {n} of seed {seed}"),
            &program,
            &mut random,
            &mut total,
        );
    }
    total
}
