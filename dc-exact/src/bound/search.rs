//! The refinement of cells: the one with the largest bound is cut first.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use super::bounded::{Bounded, Effort, grid_on, on_grid};
use super::context::{Context, Counted};
use crate::cell::{Cell, Outcome, Tight, Values, evaluate_two_words, input_format};
use crate::error::{CellError, Unbounded, both_sides};
use crate::law::Truth;
use crate::num::float::{BINARY64, Format, power};
use crate::parallel;

/// A cell that waits for its refinement, or for its turn in the order of refinements.
pub(super) struct Waiting {
    pub(super) cell: Bounded,
    /// Its refinement, if it is known already.
    pub(super) refined: Option<Refined>,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.cell == other.cell
    }
}
impl Eq for Waiting {}
impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        self.cell.cmp(&other.cell)
    }
}

/// The replacement of a cell.
pub(super) struct Refined {
    /// A bound that some place of the cell has, however finely the cell is cut; or 0.
    pub(super) floor: f64,
    cells: Vec<Bounded>,
    special: Vec<Cell>,
    singles: Vec<(usize, f64)>,
    looked: u64,
    exhausted: bool,
    pub(super) given_up: HashSet<usize>,
}

/// The largest number of cells that are refined at once.
const AT_ONCE: usize = 32;

pub(super) struct Search<'a> {
    pub(super) context: Context<'a>,
    pub(super) heap: BinaryHeap<Box<Waiting>>,
    pub(super) special: Vec<Cell>,
    pub(super) singles: Vec<(usize, f64)>,
    pub(super) looked: u64,
    /// The largest number of cells that may be evaluated.
    pub(super) most: u64,
    /// Whether a cell was left without a bound because the limit of evaluations was reached.
    pub(super) exhausted: bool,
    /// Reduced classes whose inputs are all special, because the time was up.
    pub(super) given_up: HashSet<usize>,
}

/// Cells of at most this many inputs are evaluated input by input.
const FEW: u64 = 64;
/// Cells of at most this many inputs are also evaluated input by input, if everything but the method's error is known well and no cut
/// improves that; see `Search::lacks_digits`.
const FEW_VAGUE: u64 = 1 << 14;

/// Whether the method's error is known only to within a part of an ULP, and the bound is below one.
fn is_vague(error: &CellError) -> bool {
    error.method.width() > 1.0 / 16.0 && error.bound() < 1.0
}

impl<'a> Search<'a> {
    /// A search without cells.
    pub(super) fn new(context: Context<'a>, most: u64) -> Search<'a> {
        Search {
            context,
            heap: BinaryHeap::new(),
            special: Vec::new(),
            singles: Vec::new(),
            looked: 0,
            most,
            exhausted: false,
            given_up: HashSet::new(),
        }
    }

    fn push(&mut self, cell: Bounded) {
        self.heap.push(Box::new(Waiting {
            cell,
            refined: None,
        }));
    }

    /// Refines the worst cell, and at the same time the next ones, which will probably have their turn soon. Their refinements are kept until then. So
    /// the order of all refinements, and with it the bound, does not depend on the number of threads.
    pub(super) fn refined_first(&mut self, worst: Bounded, floor: f64, effort: Effort) -> Refined {
        let count = (self.heap.len() / 8).clamp(1, AT_ONCE);
        let mut cells = vec![worst];
        let mut known = Vec::new();
        // Those whose refinement is known are counted: else they would be moved again at each turn.
        while cells.len() + known.len() < count
            && let Some(next) = self.heap.peek()
            && next.cell.error.bound() > floor * (1.0 + effort.tolerance)
            && let Some(next) = self.heap.pop()
        {
            match next.refined {
                Some(_) => known.push(next),
                None => cells.push(next.cell),
            }
        }
        self.heap.extend(known);
        let mut refined = parallel::each(
            &cells,
            effort.threads,
            || (),
            |(), cell| self.refined(cell, floor, effort.tolerance),
        );
        let others = refined.split_off(1);
        let others = cells.into_iter().skip(1).zip(others);
        (self.heap).extend(others.map(|(cell, refined)| {
            Box::new(Waiting {
                cell,
                refined: Some(refined),
            })
        }));
        refined.remove(0)
    }

    /// The refinement of a cell: its parts, or the cell itself if it has none.
    fn refined(&self, worst: &Bounded, floor: f64, tolerance: f64) -> Refined {
        let most = self.most.saturating_sub(self.looked);
        let mut search = Search::new(self.context, most);
        let mut least = search.at_a_place(worst, floor, tolerance / 16.0);
        if let Some(kept) = search.refine(worst.clone()) {
            least = f64::max(least, kept.error.bound());
            search.push(kept);
        }
        Refined {
            floor: least,
            cells: search.heap.into_iter().map(|c| c.cell).collect(),
            special: search.special,
            singles: search.singles,
            looked: search.looked,
            exhausted: search.exhausted,
            given_up: search.given_up,
        }
    }

    /// Replaces a cell by its refinement.
    pub(super) fn take(&mut self, refined: Refined) {
        for cell in refined.cells {
            self.push(cell);
        }
        self.special.extend(refined.special);
        self.singles.extend(refined.singles);
        self.looked += refined.looked;
        self.exhausted |= refined.exhausted;
        self.given_up.extend(refined.given_up);
    }

    pub(super) fn format(&self) -> Format {
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
    pub(super) fn add(&mut self, class: Option<usize>, cell: Cell, case: &Tight) {
        self.add_with(class, cell, case, None);
    }

    /// The same as [`Search::add`]; the cell's bound may be known.
    pub(super) fn add_with(
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
            let single = class.filter(|_| self.context.is_input(cell));
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
                    self.push(Bounded {
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

    /// The same as [`Search::give_up`] when no time is left: there may be many cells, each with all members of its class.
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
                && match evaluate_two_words(
                    self.context.program,
                    cell,
                    &Tight::new(),
                    truth.two_words(),
                )
                .results[0]
                {
                    Outcome::Constant(bits) => is_nan(self.context.program, bits),
                    _ => false,
                }
    }

    /// Evaluates the inputs of a class's members one by one for one input of the core.
    fn singles(&mut self, class: usize, cell: Cell) {
        self.singles.push((class, cell.lo));
        for x in self.context.inputs_of(class, cell.lo) {
            match self.bound(None, x, &Tight::new()) {
                Ok(error) => self.push(Bounded {
                    class: None,
                    cell: x,
                    case: Tight::new(),
                    error,
                }),
                Err(_) => self.special.push(x),
            }
        }
    }

    /// A bound in a small part of the cell that decreases with the size of the part by at most a part `less` of it. 0 if there is none, or none
    /// above `floor`.
    fn at_a_place(&mut self, worst: &Bounded, floor: f64, less: f64) -> f64 {
        let format = self.format();
        if worst.class.is_none() {
            // One number: where the function is monotone, the error is largest at an end of the cell, which is an
            // input.
            let ends = [worst.cell.lo, worst.cell.hi].map(|x| Cell { lo: x, hi: x });
            let errors = ends.map(|end| self.bound(None, end, &worst.case).map(|e| e.bound()));
            return errors.into_iter().flatten().fold(0.0, f64::max);
        }
        // Next to a zero of the function there are many such cells, and no place with a large bound.
        if worst.error.through_zero {
            return 0.0;
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
        let nearer = around(1 << 6);
        if nearer > floor && nearer >= around(1 << 12) * (1.0 - less.max(1e-9)) {
            nearer
        } else {
            0.0
        }
    }

    /// Whether the method's error is vague, and also in both halves of the cell. Next to a zero of the function, values that cancel have too few digits in
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

    /// Replaces a cell by its parts. Returns the cell itself if it has none.
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
        // A stage of a routine has several results at an input.
        let inputs = self.context.truth.stage().is_none();
        let few = inputs && (count <= FEW || count <= FEW_VAGUE && self.lacks_digits(&worst));
        if few {
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
