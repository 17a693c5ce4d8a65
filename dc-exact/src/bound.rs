//! A bound of the error over a range. The range is cut into cells, and the cells with the largest bounds are refined.

mod context;

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::cell::{Cell, Label, Outcome, Tight, Values, evaluate, input_format};
use crate::class::{Class, Classes, Limits, classify_until};
use crate::error::{CellError, Unbounded, both_sides};
use crate::law::Truth;
use crate::num::float::{BINARY64, Format, power};
use crate::num::{Interval, Ring};
use context::{Context, Counted};

/// The parameters of the refinement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Refinement stops if the bound exceeds the bound at a single place by at most this part of it. Splitting
    /// cells cannot bring the bound below that of a single place.
    pub tolerance: f64,
    /// The largest number of cells that are evaluated: once to find them, and once more to refine them.
    pub cells: u64,
    /// The number of threads; 0 for one per core. The bound does not depend on it.
    pub threads: usize,
    /// Whether a cell may be one that only series show to be one program, because intervals overestimate its values. The checker knows such a cell as
    /// smaller ones: this is for bounds without a certificate of their cells.
    pub by_series: bool,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            tolerance: 2e-5,
            cells: 400_000,
            threads: 0,
            by_series: false,
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

/// The bound of a range.
#[derive(Debug, Clone)]
pub struct RangeBound {
    /// The format of the inputs.
    pub format: Format,
    /// No error of an input is larger, in ULP.
    pub bound: f64,
    /// The cells, in descending order of their bounds (a cell with cases occurs once per case).
    pub cells: Vec<Bounded>,
    /// The classes that they belong to.
    pub classes: Vec<Class>,
    /// Inputs for which nothing is proven: the kernel gives NaN or infinity, or the function is not defined.
    pub special: Vec<Cell>,
    /// Places of the operations in the source.
    pub labels: Vec<Label>,
    /// Inputs of classes that were evaluated one by one, with the number of their class. They are cells without a
    /// class.
    pub singles: Vec<(usize, f64)>,
    /// The number of cells that were evaluated.
    pub looked: u64,
    /// Whether refinement ended before it had reached its tolerance.
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

/// As [`bound_range`], until `ends` becomes true. The bound then holds for the cells that are bounded so far. The other
/// inputs are special, and the bound is unfinished.
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
            threads: effort.threads,
            by_series: effort.by_series,
            ends,
        },
    );
    let mut search = Search {
        context: Context {
            program,
            truth,
            classes: &classes,
            ends,
        },
        heap: BinaryHeap::new(),
        special,
        singles: Vec::new(),
        looked,
        most: looked.saturating_add(effort.cells),
        exhausted,
        given_up: HashSet::new(),
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
        if worst.error.bound() <= floor * (1.0 + effort.tolerance) {
            break;
        }
        if search.looked >= search.most || ends() {
            unfinished = true;
            break;
        }
        let Some(worst) = search.heap.pop() else {
            break;
        };
        let at_a_place = search.at_a_place(&worst, effort.tolerance / 16.0);
        floor = f64::max(floor, at_a_place);
        if let Some(kept) = search.refine(worst) {
            floor = f64::max(floor, kept.error.bound());
            search.heap.push(kept);
        }
    }
    let Search {
        heap,
        special,
        singles,
        looked,
        exhausted,
        ..
    } = search;
    let mut cells = heap.into_vec();
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

/// The η of a class's members that have inputs in a cell.
#[must_use]
pub fn eta_on(class: &Class, cell: Cell) -> Option<Interval> {
    let here = class.members_on(cell);
    here.map(|m| m.eta.enclosure()).reduce(Interval::hull)
}

/// The grid on which the members of a reduced class have inputs in a cell.
fn grid_on(class: &Class, cell: Cell) -> Option<i32> {
    let here = class.members_on(cell).filter(|_| class.reduced);
    here.map(|m| m.grid).min()
}

/// The part of a cell from its first to its last input of a class's members; `None` where it has none.
fn on_grid(class: &Class, cell: Cell) -> Option<Cell> {
    if !class.reduced {
        return Some(cell);
    }
    cell.on_grid(grid_on(class, cell)?)
}

struct Search<'a> {
    context: Context<'a>,
    heap: BinaryHeap<Bounded>,
    special: Vec<Cell>,
    singles: Vec<(usize, f64)>,
    looked: u64,
    /// The largest number of cells that may be evaluated.
    most: u64,
    /// Whether a cell was left without a bound because the limit of evaluations was reached.
    exhausted: bool,
    /// Reduced classes whose inputs are all special, because the time was up.
    given_up: HashSet<usize>,
}

/// Cells of at most this many inputs are evaluated input by input.
const FEW: u64 = 64;
/// And of this many, where all is known well but the method's error, and no cut mends it: see `Search::lacks_digits`.
const FEW_VAGUE: u64 = 1 << 14;

/// Whether the method's error is known no better than to a part of an ULP, and the bound is below one.
fn is_vague(error: &CellError) -> bool {
    error.method.width() > 1.0 / 16.0 && error.bound() < 1.0
}

impl Search<'_> {
    fn format(&self) -> Format {
        input_format(self.context.program)
    }

    fn bound(
        &mut self,
        class: Option<usize>,
        cell: Cell,
        case: &Tight,
    ) -> Result<CellError, Unbounded> {
        self.context.bound(class, cell, case, &mut self.looked)
    }

    /// Bounds a cell, which is cut as often as necessary.
    fn add(&mut self, class: Option<usize>, cell: Cell, case: &Tight) {
        self.add_with(class, cell, case, None);
    }

    /// As [`Search::add`]; the cell's bound may be known.
    fn add_with(
        &mut self,
        class: Option<usize>,
        cell: Cell,
        case: &Tight,
        mut known: Option<Counted>,
    ) {
        let mut todo = vec![(class, cell)];
        while let Some((class, cell)) = todo.pop() {
            if (self.context.ends)() {
                self.exhausted = true;
                self.leave(class, cell);
                continue;
            }
            // A class of one input is treated as that input.
            let single = class.filter(|_| cell.lo == cell.hi);
            if let Some(i) = single {
                self.singles(i, cell);
                continue;
            }
            let bound = match known.take() {
                Some((bound, looked)) => {
                    self.looked += looked;
                    bound
                }
                None => self.bound(class, cell, case),
            };
            let halves = match bound {
                Ok(error) => {
                    self.heap.push(Bounded {
                        class,
                        cell,
                        case: case.clone(),
                        error,
                    });
                    continue;
                }
                // Without an assumption, an input of the cell would contradict it.
                Err(Unbounded::Empty) if !self.has_end(class, cell) || !case.is_empty() => continue,
                Err(Unbounded::Empty) => cell.halves(self.format()),
                Err(Unbounded::Varies { site, reference }) => match (reference, self.context.truth)
                {
                    (true, Truth::Program(reference)) => {
                        Values::new(reference).cut_at_change(cell, site)
                    }
                    _ => cell.halves(self.format()),
                },
                Err(Unbounded::Special) if self.nowhere(class, cell) => None,
                Err(Unbounded::Special) => cell.halves(self.format()),
            };
            if self.looked >= self.most {
                self.exhausted = true;
                self.give_up(class, cell);
                continue;
            }
            match halves {
                Some((a, b)) => todo.extend([(class, b), (class, a)]),
                None => self.special.push(cell),
            }
        }
    }

    /// Whether an end of a cell is an input.
    fn has_end(&self, class: Option<usize>, cell: Cell) -> bool {
        class.is_none_or(|i| self.context.classes[i].has_end(cell))
    }

    /// Adds the inputs of a cell to those for which nothing is claimed.
    fn give_up(&mut self, class: Option<usize>, cell: Cell) {
        match class {
            // The core's inputs are reduced arguments, not inputs of the kernel.
            Some(i) if self.context.classes[i].reduced => {
                let here = self.context.classes[i].members_on(cell);
                self.special.extend(here.map(|m| m.cell));
            }
            _ => self.special.push(cell),
        }
    }

    /// As [`Search::give_up`] where there is no time left: there may be many cells, each with all members of its class.
    fn leave(&mut self, class: Option<usize>, cell: Cell) {
        match class.filter(|&i| self.context.classes[i].reduced) {
            Some(i) => {
                if self.given_up.insert(i) {
                    let members = self.context.classes[i].members.iter();
                    self.special.extend(members.map(|m| m.cell));
                }
            }
            None => self.give_up(class, cell),
        }
    }

    /// Whether a cell without a bound has none for any of its inputs, so that cutting it would not help.
    fn nowhere(&self, class: Option<usize>, cell: Cell) -> bool {
        if class.is_some_and(|i| self.context.classes[i].reduced) {
            return false;
        }
        let truth = self.context.truth;
        truth.nowhere(cell)
            || truth.next_to_zero(cell)
            || class.is_none()
                && match evaluate(self.context.program, cell, &Tight::new(), false).results[0] {
                    Outcome::Constant(bits) => is_nan(self.context.program, bits),
                    _ => false,
                }
    }

    /// Evaluates the inputs of a class's members one by one for one input of the core.
    fn singles(&mut self, class: usize, cell: Cell) {
        self.singles.push((class, cell.lo));
        for x in self.context.inputs_of(class, cell.lo) {
            match self.bound(None, x, &Tight::new()) {
                Ok(error) => self.heap.push(Bounded {
                    class: None,
                    cell: x,
                    case: Tight::new(),
                    error,
                }),
                Err(_) => self.special.push(x),
            }
        }
    }

    /// A bound in a small part of the cell that becomes smaller with the part by at most a part `less` of it; else 0.
    fn at_a_place(&mut self, worst: &Bounded, less: f64) -> f64 {
        let format = self.format();
        if worst.class.is_none() {
            // One number: where the function is monotone, the error is largest at an end of the cell, which is an
            // input.
            let ends = [worst.cell.lo, worst.cell.hi].map(|x| Cell { lo: x, hi: x });
            let errors = ends.map(|end| self.bound(None, end, &worst.case).map(|e| e.bound()));
            return errors.into_iter().flatten().fold(0.0, f64::max);
        }
        // Not in the middle, which is often a power of two.
        let Cell { lo, hi } = worst.cell;
        let place = lo + (hi - lo) * 0.618_033_988_7;
        // The part reaches from one input to the next.
        let step = power(
            worst
                .class
                .and_then(|i| grid_on(&self.context.classes[i], worst.cell))
                .map_or(format.ulp(place), |grid| grid.max(format.ulp(place))),
        );
        if format != BINARY64 || hi - lo < 16384.0 * step {
            return 0.0;
        }
        let mut around = |few: u64| {
            let cell = Cell {
                lo: place,
                hi: (place + few as f64 * step).min(hi),
            };
            match self.bound(worst.class, cell, &worst.case) {
                // Around a zero of the function each cell is too wide for its unit in the last place.
                Ok(e) if !e.through_zero && !is_vague(&e) && !undecided(&e, &worst.case) => {
                    e.bound()
                }
                _ => 0.0,
            }
        };
        let (near, nearer) = (around(1 << 12), around(1 << 6));
        if nearer >= near * (1.0 - less.max(1e-9)) {
            nearer
        } else {
            0.0
        }
    }

    /// Whether the method's error is vague, and so it is in both halves of the cell. Next to a zero of the function, values that cancel have too few digits in
    /// double-doubles.
    fn lacks_digits(&mut self, worst: &Bounded) -> bool {
        let Some((a, b)) = worst
            .cell
            .halves(self.format())
            .filter(|_| is_vague(&worst.error))
        else {
            return false;
        };
        [a, b].into_iter().all(|half| {
            let bound = self.bound(worst.class, half, &worst.case);
            bound.is_ok_and(|e| e.method.width() > 0.75 * worst.error.method.width())
        })
    }

    /// Replaces a cell by its parts; the cell itself where it has none.
    fn refine(&mut self, worst: Bounded) -> Option<Bounded> {
        let format = self.format();
        let straddle = worst.error.straddles;
        if let (Some(s), Some(_)) = (straddle, worst.class)
            && s.hugs
            && !worst.case.contains_key(&s.site)
        {
            for case in both_sides(&worst.case, s.site, s.edge) {
                self.add(worst.class, worst.cell, &case);
            }
            return None;
        }
        let count = worst.cell.count(format);
        let is_one = worst.class.is_some_and(|i| {
            let class = &self.context.classes[i];
            class.reduced && on_grid(class, worst.cell).is_none_or(|c| c.lo == c.hi)
        });
        if count == 1 || is_one {
            return Some(worst);
        }
        if count <= FEW || count <= FEW_VAGUE && self.lacks_digits(&worst) {
            let mut x = worst.cell.lo;
            loop {
                let cell = Cell { lo: x, hi: x };
                self.add(worst.class, cell, &worst.case);
                if x >= worst.cell.hi {
                    return None;
                }
                x = crate::cell::next(x, format);
            }
        }
        let parts = straddle
            .and_then(|s| at_place(worst.cell, s.place, format))
            .or_else(|| worst.cell.halves(format));
        let Some((a, b)) = parts else {
            return Some(worst);
        };
        self.add(worst.class, a, &worst.case);
        self.add(worst.class, b, &worst.case);
        None
    }
}

/// Cells in order; those that overlap or follow one another are one, so that each input is counted once.
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

/// Whether a result of a kernel is NaN.
fn is_nan(program: &Program, bits: u64) -> bool {
    let entry = program.entry();
    match entry.results.first().map(|&r| entry.ty(r)) {
        Some(Prim::F32) => f32::from_bits(bits as u32).is_nan(),
        _ => f64::from_bits(bits).is_nan(),
    }
}

/// Whether an operation lies on both sides of a power of two and its cases have not been distinguished.
fn undecided(error: &CellError, case: &Tight) -> bool {
    error
        .straddles
        .is_some_and(|s| s.hugs && !case.contains_key(&s.site))
}

/// Cuts a cell at a part of its width, if that place is well inside the cell.
fn at_place(cell: Cell, place: f64, format: Format) -> Option<(Cell, Cell)> {
    if !(0.001..=0.999).contains(&place) {
        return None;
    }
    let at = format.round(cell.lo + (cell.hi - cell.lo) * place);
    let after = crate::cell::next(at, format);
    (cell.lo <= at && after <= cell.hi)
        .then_some((Cell { hi: at, ..cell }, Cell { lo: after, ..cell }))
}

#[cfg(test)]
mod coverage;

#[cfg(test)]
mod tests {
    use super::*;

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
