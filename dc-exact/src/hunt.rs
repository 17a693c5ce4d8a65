//! The hunt: inputs whose errors come close to the bound.

use std::time::{Duration, Instant};

use kernels_gen::program::Program;

use crate::bound::{Bounded, RangeBound};
use crate::cell::{Cell, Values, input_format};
use crate::class::{Class, Member};
use crate::error::{
    Analysis, Target, Unbounded, analyse, bound_constant, bound_residual, input_on,
};
use crate::lattice::{Length, Runner};
use crate::law::Truth;
use crate::num::{Ball, Interval, Ring};

/// An input with its error, in ULP: it was evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The input.
    pub x: f64,
    /// Its error, signed.
    pub error: f64,
}

/// What a hunt found.
#[derive(Debug, Clone)]
pub struct Hunt {
    /// The worst input.
    pub worst: Option<Hit>,
    /// The level: all cells whose bound is above it were searched, if `complete`.
    pub level: f64,
    /// Whether every cell with a bound above the level was searched. No proof: the lattice's arithmetic is not rigorous.
    pub complete: bool,
    /// All hits, largest first, at most some thousand.
    pub hits: Vec<Hit>,
    /// Runs.
    pub runs: u64,
    /// Inputs of the core in these runs.
    pub inputs: f64,
    /// Cells that were not searched, with the reason.
    pub refused: Vec<(Bounded, &'static str)>,
}

/// How a hunt goes on.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// A known error, of which larger ones are looked for: zero if none is known.
    pub known: f64,
    /// The first slack: the hunt begins at the bound less this.
    pub slack: f64,
    /// It ends after this time.
    pub time: Duration,
}

/// The exact error of an input in ULP, enclosed.
#[must_use]
pub fn error_at(program: &Program, truth: &Truth, values: &mut Values, x: f64) -> Option<Interval> {
    let bits = values.result(x);
    bound_constant(program, truth, Cell { lo: x, hi: x }, bits)
        .ok()
        .map(|e| e.error)
}

/// Hunts in the cells of a bound.
#[must_use]
pub fn hunt(program: &Program, truth: &Truth, bound: &RangeBound, plan: Plan) -> Hunt {
    let mut hunter = Hunter {
        program,
        truth,
        values: Values::new(program),
        until: Instant::now() + plan.time,
        result: Hunt {
            worst: None,
            level: 0.0,
            complete: false,
            hits: Vec::new(),
            runs: 0,
            inputs: 0.0,
            refused: Vec::new(),
        },
    };
    let mut slack = plan.slack;
    let mut known = plan.known;
    loop {
        let level = f64::max(bound.bound - slack, known);
        hunter.result.level = level;
        hunter.result.complete = hunter.descend(bound, level);
        let best = hunter.result.worst.map_or(0.0, |w| w.error.abs());
        known = known.max(best);
        // Done: what is known is above all that was not searched.
        if known >= level || !hunter.result.complete || slack > bound.bound {
            hunter.result.level = f64::max(level, best);
            return hunter.result;
        }
        slack *= 2.0;
    }
}

struct Hunter<'a> {
    program: &'a Program,
    truth: &'a Truth,
    values: Values,
    until: Instant,
    result: Hunt,
}

/// Hits that are kept.
const KEPT: usize = 5000;

impl Hunter<'_> {
    /// Searches all cells whose bound is above the level, which rises with what is found. Whether there was time.
    fn descend(&mut self, bound: &RangeBound, level: f64) -> bool {
        let mut level = level;
        for cell in &bound.cells {
            if cell.error.bound() <= level {
                // They are sorted.
                break;
            }
            let Some(class) = cell.class.map(|c| &bound.classes[c]) else {
                // One number on the cell: its error is largest at an end.
                for x in [cell.cell.lo, cell.cell.hi] {
                    self.check(x, level);
                }
                continue;
            };
            if !self.cell(class, cell, &mut level) {
                return false;
            }
        }
        true
    }

    /// Searches a cell for errors of either sign. Whether there was time.
    fn cell(&mut self, class: &Class, bounded: &Bounded, level: &mut f64) -> bool {
        let input = input_on(class.input, bounded.cell);
        let Ok(analysis) = analyse(&class.core, input, bounded.cell, &bounded.case) else {
            return true;
        };
        let here: Vec<&Member> = class
            .members
            .iter()
            .filter(|m| m.core.lo <= bounded.cell.hi && bounded.cell.lo <= m.core.hi)
            .collect();
        for sign in [1.0, -1.0] {
            let reach = if sign > 0.0 {
                bounded.error.error.hi
            } else {
                -bounded.error.error.lo
            };
            if reach <= *level {
                continue;
            }
            // The η with the largest error of this sign: errors have -η F in them.
            let etas = here.iter().map(|m| m.eta.mid() * -sign);
            let Some(most) = etas.reduce(f64::max) else {
                continue;
            };
            let eta = most * -sign;
            if !self.runs(class, bounded, &analysis, &here, sign, eta, level) {
                return false;
            }
        }
        true
    }

    #[expect(clippy::too_many_arguments, reason = "one call, all of them needed")]
    fn runs(
        &mut self,
        class: &Class,
        bounded: &Bounded,
        analysis: &Analysis,
        here: &[&Member],
        sign: f64,
        eta: f64,
        level: &mut f64,
    ) -> bool {
        let Cell { lo, hi } = bounded.cell;
        let grid = input_on(class.input, bounded.cell).grid;
        let h = crate::num::float::power(grid);
        let unit = bounded.error.unit;
        let mut runner = Runner::new(&analysis.residual, self.truth, grid, unit, eta, sign);
        let mut x = (lo / h).ceil() * h;
        let mut half = 0.0;
        let mut since = 0;
        while x <= hi {
            if since % 1024 == 0 {
                if Instant::now() >= self.until {
                    return false;
                }
                let length = runner.length(x, *level);
                if let Length::Half(length) = length {
                    half = length.clamp(1.0, 2f64.powi(27)).floor();
                } else {
                    let part = Cell {
                        lo: x,
                        hi: hi.min(x + (hi - lo) / 64.0).max(x),
                    };
                    if length == Length::NoLattice && self.above(class, part, bounded, *level) {
                        self.result.refused.push((
                            Bounded {
                                cell: part,
                                ..bounded.clone()
                            },
                            "the slack is too large for a lattice",
                        ));
                    }
                    x = (part.hi / h).floor() * h + h;
                    continue;
                }
            }
            since += 1;
            let center = x + half * h;
            let Some(run) = runner.run(center, half, *level) else {
                since = 0;
                continue;
            };
            self.result.runs += 1;
            self.result.inputs += 2.0 * half + 1.0;
            for m in run.candidates {
                let r = center + m * h;
                for member in here {
                    // x = r - κ, if that is an input.
                    let back = Ball::number(r).sub(member.shift);
                    let x = back.h;
                    let again = Ball::number(x).add(member.shift);
                    if again.h != r || again.l != 0.0 || x < member.cell.lo || x > member.cell.hi {
                        continue;
                    }
                    if let Some(error) = self.check(x, *level) {
                        *level = level.max(error.abs());
                    }
                }
            }
            x += (2.0 * half + 1.0) * h;
        }
        true
    }

    /// Whether a part of a cell has a bound above the level.
    fn above(&self, class: &Class, part: Cell, bounded: &Bounded, level: f64) -> bool {
        let Some(eta) = crate::bound::eta_on(class, part) else {
            return false;
        };
        let target = Target {
            truth: self.truth,
            eta,
        };
        let input = input_on(class.input, part);
        match bound_residual(&class.core, input, part, target, &bounded.case) {
            Ok(e) => e.bound() > level,
            Err(Unbounded::Empty) => false,
            Err(_) => true,
        }
    }

    /// Evaluates an input; its error if it is at least the level.
    fn check(&mut self, x: f64, level: f64) -> Option<f64> {
        let enclosed = error_at(self.program, self.truth, &mut self.values, x)?;
        let error = if enclosed.hi.abs() > enclosed.lo.abs() {
            enclosed.hi
        } else {
            enclosed.lo
        };
        if error.abs() < level {
            return None;
        }
        let hit = Hit { x, error };
        if self.result.hits.len() < KEPT {
            self.result.hits.push(hit);
        }
        if self
            .result
            .worst
            .is_none_or(|w| error.abs() > w.error.abs())
        {
            self.result.worst = Some(hit);
        }
        Some(error)
    }
}

/// The cells of a kernel's inputs from `lo` to `hi`, with zeros of both signs where zero is between.
#[must_use]
pub fn stretches(program: &Program, lo: f64, hi: f64) -> Vec<Cell> {
    let mut cells = Cell::by_sign(lo, hi, input_format(program));
    if lo <= 0.0 && hi >= 0.0 {
        cells.push(Cell { lo: -0.0, hi: -0.0 });
    }
    cells
}
