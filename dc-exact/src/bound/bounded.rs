//! A cell with its bound, the inputs that it stands for, and the parameters of its refinement.

use std::cmp::Ordering;

use crate::cell::{Cell, Tight};
use crate::class::Class;
use crate::error::CellError;
use crate::num::{Interval, Ring};

/// The parameters of the refinement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Refinement stops if the bound exceeds the bound at a single place by at most this part of it. Splitting cells cannot bring the bound
    /// below the bound at a single place.
    pub tolerance: f64,
    /// The largest number of cells that are evaluated: once to find them, and once more to refine them.
    pub cells: u64,
    /// If an integer has more values than this on a stretch, or more than there may be cells, the number made from it is treated as an affine function with a
    /// deviation, if possible. The stretch is then not cut at each value.
    pub values: u64,
    /// The number of threads; 0 for one per core. The bound does not depend on it.
    pub threads: usize,
    /// Whether a cell may be one that only series show to be a single program, because intervals overestimate its values. The checker knows such a
    /// cell as several smaller ones. So this is for bounds without a certificate of their cells.
    pub by_series: bool,
    /// Whether cells of one program whose reduction is rounded are one class, in which the rounding is an interval. The bound of such cells is up to
    /// 0.001 ULP larger. Neither the checker nor a search for inputs knows these classes.
    pub rounded: bool,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            tolerance: 2e-5,
            cells: 400_000,
            values: 400_000,
            threads: 0,
            by_series: false,
            rounded: false,
        }
    }
}

/// A cell with its bound.
#[derive(Debug, Clone)]
pub struct Bounded {
    /// The class; `None` if the kernel gives one number.
    pub class: Option<usize>,
    /// The inputs. If the cell belongs to a class, these are inputs of the core.
    pub cell: Cell,
    /// The assumed case: ranges of computed values, if an operation's results lie on both sides of a power
    /// of two.
    pub case: Tight,
    /// The bound of its error.
    pub error: CellError,
}

impl PartialEq for Bounded {
    fn eq(&self, other: &Bounded) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Bounded {}
impl PartialOrd for Bounded {
    fn partial_cmp(&self, other: &Bounded) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Bounded {
    fn cmp(&self, other: &Bounded) -> Ordering {
        self.error
            .bound()
            .total_cmp(&other.error.bound())
            .then(other.cell.lo.total_cmp(&self.cell.lo))
    }
}

/// The η of a class's members that have inputs in a cell.
#[must_use]
pub fn eta_on(class: &Class, cell: Cell) -> Option<Interval> {
    let here = class.members_on(cell);
    here.map(|m| m.eta.enclosure()).reduce(Interval::hull)
}

/// The grid on which the members of a reduced class have inputs in a cell.
pub(super) fn grid_on(class: &Class, cell: Cell) -> Option<i32> {
    let here = class.members_on(cell).filter(|_| class.reduced);
    here.map(|m| m.grid).min()
}

/// The part of a cell from its first to its last input of a class's members. `None` if there are none.
pub(super) fn on_grid(class: &Class, cell: Cell) -> Option<Cell> {
    if !class.reduced {
        return Some(cell);
    }
    cell.on_grid(grid_on(class, cell)?)
}
