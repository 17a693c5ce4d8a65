//! A bound of the error over a range. The range is cut into cells, and the cells with the largest bounds are refined.

mod bounded;
mod context;
mod search;

use kernels_gen::program::Program;

use crate::cell::{Cell, Label, Tight, input_format};
use crate::class::{Class, Classes, Limits, classify_until};
use crate::law::Truth;
use crate::num::float::Format;
pub use bounded::{Bounded, Effort, eta_on};
use context::Context;
use search::Search;

/// The bound of a range.
#[derive(Debug, Clone)]
pub struct RangeBound {
    /// The format of the inputs.
    pub format: Format,
    /// No input has a larger error, in ULP.
    pub bound: f64,
    /// The cells, in descending order of their bounds (a cell with cases occurs once per case).
    pub cells: Vec<Bounded>,
    /// The classes to which the cells belong.
    pub classes: Vec<Class>,
    /// Inputs for which nothing is proven: the kernel gives NaN or infinity, or the function is undefined.
    pub special: Vec<Cell>,
    /// Places of the operations in the source.
    pub labels: Vec<Label>,
    /// Inputs of classes that were evaluated one by one, with the number of their class. They are cells without a
    /// class.
    pub singles: Vec<(usize, f64)>,
    /// The number of cells that were evaluated.
    pub looked: u64,
    /// Whether refinement ended before it reached its tolerance.
    pub unfinished: bool,
}

/// Bounds the error of a kernel of one float over stretches of inputs, each of one sign.
#[must_use]
pub fn bound_range(
    program: &Program,
    truth: &Truth,
    stretches: &[Cell],
    effort: Effort,
) -> RangeBound {
    bound_range_until(program, truth, stretches, effort, &|| false)
}

/// The same as [`bound_range`], until `ends` becomes true. The bound then holds for the cells that are bounded so far. The other inputs are
/// special, and the bound is unfinished.
#[must_use]
pub fn bound_range_until(
    program: &Program,
    truth: &Truth,
    stretches: &[Cell],
    effort: Effort,
    ends: &(dyn Fn() -> bool + Sync),
) -> RangeBound {
    let Classes {
        classes,
        constant,
        special,
        labels,
        looked,
        exhausted,
    } = classify_until(
        program,
        truth,
        stretches,
        Limits {
            most: effort.cells,
            values: effort.values.min(effort.cells),
            threads: effort.threads,
            by_series: effort.by_series,
            rounded: effort.rounded,
            ends,
        },
    );
    let context = Context {
        program,
        truth,
        classes: &classes,
        ends,
    };
    let mut search = Search {
        special,
        looked,
        exhausted,
        ..Search::new(context, looked.saturating_add(effort.cells))
    };
    for cell in constant {
        search.add(None, cell, &Tight::new());
    }
    let parts: Vec<(usize, Cell)> = (classes.iter().enumerate())
        .flat_map(|(i, class)| {
            let range = class.input.values;
            let parts = Cell::by_sign(range.lo, range.hi, search.format());
            parts.into_iter().map(move |part| (i, part))
        })
        .collect();
    // Nearly all of the work, and independent: what follows takes these results in their order, so that the bound does
    // not depend on the number of threads.
    let first = search.context.of_all(&parts, effort.threads);
    for ((class, part), first) in parts.into_iter().zip(first) {
        search.add_with(Some(class), part, &Tight::new(), first);
    }
    let mut unfinished = false;
    // A bound that some place of the range has, however finely cells are split.
    let mut floor = 0.0;
    while let Some(worst) = search.heap.peek() {
        if worst.cell.error.bound() <= floor * (1.0 + effort.tolerance) {
            break;
        }
        if search.looked >= search.most || ends() {
            unfinished = true;
            break;
        }
        let Some(worst) = search.heap.pop().map(|w| *w) else {
            break;
        };
        let refined = match worst.refined {
            Some(refined) => refined,
            None => search.refined_first(worst.cell, floor, effort),
        };
        floor = f64::max(floor, refined.floor);
        search.take(refined);
    }
    let Search {
        heap,
        special,
        singles,
        looked,
        exhausted,
        ..
    } = search;
    let mut cells: Vec<Bounded> = heap.into_iter().map(|c| c.cell).collect();
    cells.sort_by(|a, b| b.cmp(a));
    let format = input_format(program);
    let special = joined(special, format);
    RangeBound {
        format,
        bound: cells.first().map_or(0.0, |c| c.error.bound()),
        cells,
        classes,
        special,
        labels,
        singles,
        looked,
        unfinished: unfinished || exhausted,
    }
}

/// Cells in order. Cells that overlap or follow one another are joined, so that each input is counted once.
fn joined(mut cells: Vec<Cell>, format: Format) -> Vec<Cell> {
    cells.sort_by(|a, b| a.lo.total_cmp(&b.lo).then(a.hi.total_cmp(&b.hi)));
    let mut all: Vec<Cell> = Vec::with_capacity(cells.len());
    for cell in cells {
        match all.last_mut() {
            Some(last)
                if last.hi.is_sign_negative() == cell.lo.is_sign_negative()
                    && cell.lo <= crate::cell::next(last.hi, format) =>
            {
                last.hi = last.hi.max(cell.hi);
            }
            _ => all.push(cell),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::float::BINARY64;

    #[test]
    fn an_input_that_is_left_out_twice_is_counted_once() {
        let cell = |lo: f64, hi: f64| Cell { lo, hi };
        let next = 2f64.next_up();
        let cells = vec![
            cell(next, 3.0),
            cell(0.0, 0.0),
            cell(1.0, 2.0),
            cell(-0.0, -0.0),
            cell(1.5, 2.5),
            cell(1.0, 2.0),
            cell(4.0, 5.0),
        ];
        let found = joined(cells, BINARY64);
        let due = [
            cell(-0.0, -0.0),
            cell(0.0, 0.0),
            cell(1.0, 3.0),
            cell(4.0, 5.0),
        ];
        assert_eq!(found, due);
        assert!(found[0].lo.is_sign_negative());
    }
}
