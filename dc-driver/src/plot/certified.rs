//! A certified bound as a curve: the largest bound of the cells with inputs in a stretch.

use dc_exact::bound::{Bounded, RangeBound};
use dc_exact::cell::Cell;

/// A bound as a function of the input.
pub(crate) struct Certified<'a> {
    bound: &'a RangeBound,
    /// Cells by class, with those without a class last, in the order of their inputs.
    cells: Vec<Vec<&'a Bounded>>,
}

impl<'a> Certified<'a> {
    /// The curve of a bound.
    pub fn new(bound: &'a RangeBound) -> Certified<'a> {
        let classes = bound.classes.len();
        let mut cells = vec![Vec::new(); classes + 1];
        for cell in &bound.cells {
            cells[cell.class.unwrap_or(classes)].push(cell);
        }
        for of_class in &mut cells {
            of_class.sort_by(|a: &&Bounded, b: &&Bounded| a.cell.lo.total_cmp(&b.cell.lo));
        }
        Certified { bound, cells }
    }

    /// The bound of the inputs from `lo` to `hi`; 0 if there is no claim for any of them.
    pub fn largest(&self, lo: f64, hi: f64) -> f64 {
        let mut largest = self.of(self.bound.classes.len(), Cell { lo, hi });
        for (i, class) in self.bound.classes.iter().enumerate() {
            for member in &class.members {
                let here = Cell {
                    lo: member.cell.lo.max(lo),
                    hi: member.cell.hi.min(hi),
                };
                if here.lo > here.hi {
                    continue;
                }
                let core = |x: f64| member.reduced(x);
                let core = Cell {
                    lo: core(here.lo).next_down(),
                    hi: core(here.hi).next_up(),
                };
                largest = f64::max(largest, self.of(i, core));
            }
        }
        largest
    }

    fn of(&self, class: usize, stretch: Cell) -> f64 {
        let cells = &self.cells[class];
        // Cells do not overlap, so that their ends are in order as well.
        let first = cells.partition_point(|c| c.cell.hi < stretch.lo);
        let here = cells[first..].iter();
        here.take_while(|c| c.cell.lo <= stretch.hi)
            .map(|c| c.error.bound())
            .fold(0.0, f64::max)
    }
}
