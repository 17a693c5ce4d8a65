//! The bound of one cell.

use kernels_gen::program::Program;

use super::bounded::{eta_on, on_grid};
use crate::cell::{Cell, Outcome, Tight, evaluate_two_words, input_format};
use crate::class::Class;
use crate::error::{CellError, Target, Unbounded, bound_constant, bound_residual, input_on};
use crate::law::Truth;
use crate::parallel;

/// The data on which a bound depends, besides the cell.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) program: &'a Program,
    pub(super) truth: &'a Truth,
    pub(super) classes: &'a [Class],
    /// Whether the time is up.
    pub(super) ends: &'a (dyn Fn() -> bool + Sync),
}

/// A cell's bound, and the number of cells that were evaluated for it.
pub(super) type Counted = (Result<CellError, Unbounded>, u64);

impl Context<'_> {
    /// Bounds the error of a cell of a class, or of a cell on which the kernel gives one number.
    pub(super) fn bound(
        self,
        class: Option<usize>,
        cell: Cell,
        case: &Tight,
        looked: &mut u64,
    ) -> Result<CellError, Unbounded> {
        *looked += 1;
        let Some(number) = class else {
            let two = self.truth.two_words();
            return match evaluate_two_words(self.program, cell, &Tight::new(), two).results[0] {
                Outcome::Constant(bits) => bound_constant(self.program, self.truth, cell, bits),
                _ => Err(Unbounded::Special),
            };
        };
        let class = &self.classes[number];
        let eta = eta_on(class, cell).ok_or(Unbounded::Empty)?;
        let cell = match on_grid(class, cell) {
            Some(cell) => cell,
            None => return Ok(CellError::none()),
        };
        if class.reduced && self.is_input(cell) {
            return self.of_point(number, cell.lo, looked);
        }
        let target = Target {
            truth: self.truth,
            factor: class.factor,
            eta,
            scaled: class.scaled_on(cell),
        };
        bound_residual(&class.core, input_on(class.input, cell), cell, target, case)
    }

    /// The largest error among the inputs whose reduced argument is `r`.
    pub(super) fn of_point(
        self,
        class: usize,
        r: f64,
        looked: &mut u64,
    ) -> Result<CellError, Unbounded> {
        let mut worst = CellError::none();
        for x in self.inputs_of(class, r) {
            let error = self.bound(None, x, &Tight::new(), looked)?;
            if error.bound() > worst.bound() {
                worst = error;
            }
        }
        Ok(worst)
    }

    /// The inputs of a class's members whose reduced argument is `r`.
    pub(super) fn inputs_of(self, class: usize, r: f64) -> Vec<Cell> {
        let here = self.classes[class].members_on(Cell { lo: r, hi: r });
        let format = input_format(self.program);
        // Not every double is a binary32 input.
        here.flat_map(|m| m.inputs(r))
            .filter(|&x| format.round(x) == x)
            .map(|x| Cell { lo: x, hi: x })
            .collect()
    }

    /// Whether a cell is a single input of the core, which is evaluated. A stage of a routine has several results there.
    pub(super) fn is_input(self, cell: Cell) -> bool {
        cell.lo == cell.hi && self.truth.stage().is_none()
    }

    /// The bounds of cells, on all cores. `None` for a single input of the core, which is not bounded as a cell.
    pub(super) fn of_all(self, cells: &[(usize, Cell)], threads: usize) -> Vec<Option<Counted>> {
        parallel::each(
            cells,
            threads,
            || (),
            |(), &(class, cell)| {
                if self.is_input(cell) || (self.ends)() {
                    return None;
                }
                let mut looked = 0;
                let bound = self.bound(Some(class), cell, &Tight::new(), &mut looked);
                Some((bound, looked))
            },
        )
    }
}
