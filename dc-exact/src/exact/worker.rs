//! The methods that close a piece of a cell: its bound, lattices, or evaluation of its inputs one by one. Otherwise it is
//! cut.

use std::sync::atomic::Ordering;

use super::cut::{centers, cut};
use super::shared::{Piece, Shared, lock};
use super::{Closed, How, Note, Open, Work};
use crate::bound::eta_on;
use crate::cell::{Cell, Outcome, Tight, Values, evaluate, input_format, next};
use crate::class::{Class, Member};
use crate::error::{Target, Unbounded, analyse, bound_constant, input_on, of_analysis};
use crate::lattice::fault_injection::{Fault, injected};
use crate::lattice::{Chunk, MOST, Matrix, NoLattice, identity};
use crate::num::float::{BINARY64, power};
use crate::point::{Hit, error_at, is_decided};

/// Up to this many inputs, of the core or of its members, are evaluated one by one without trying a lattice.
const FEW: f64 = 256.0;
/// Up to this many inputs are evaluated one by one if there is no lattice.
const BRUTE: f64 = 65536.0;
/// On a stretch with fewer inputs of the core than this, all ranges are narrow.
const SHORT: f64 = 1e9;
/// The number of runs of a chunk.
const RUNS: f64 = 256.0;
/// The level of a search is this much below the largest known error. With less slack, runs become short without any gain.
const LEAST_SLACK: f64 = 1e-4;

/// The number of integer vectors that a run should examine: this takes about as long as the rest of the run.
const LOOKED: f64 = 200.0;
/// The limits of [`Worker::points`].
const LEAST_POINTS: f64 = 1.0;
const MOST_POINTS: f64 = 1e5;

/// A thread's part of a proof.
pub(super) struct Worker<'a> {
    shared: &'a Shared<'a>,
    values: Values,
    /// One transform per sign and dimension, because the bases of neighbouring runs are alike. A part of a transform of another dimension
    /// would not be unimodular.
    transforms: Box<[[Matrix; MOST + 1]; 2]>,
    /// The number of points in the box for which the length of runs is chosen. The volume of a box predicts the number of its points poorly
    /// if ties and coarse grids exclude most of them. So this number is adapted to the observed counts.
    points: f64,
    work: Work,
    closed: Vec<Closed>,
    /// The bound of the cell whose piece is being closed.
    bound: f64,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>) -> Worker<'a> {
        Worker {
            values: Values::new(shared.program),
            shared,
            transforms: Box::new([[identity(); MOST + 1]; 2]),
            points: 1000.0,
            work: Work::default(),
            closed: Vec::new(),
            bound: f64::INFINITY,
        }
    }

    pub(super) fn run(mut self) {
        while let Some((at, piece)) = self.shared.take() {
            if self.shared.ends() {
                // The ends of a cell with one number are evaluated all the same.
                for constant in self.shared.leave_rest(at, piece) {
                    self.piece(constant);
                }
                break;
            }
            if !injected(Fault::Skip) || piece.number % 2 == 0 {
                self.piece(piece);
            }
            self.shared.done(at);
        }
        let mut all = lock(&self.shared.work);
        all.of_bound += self.work.of_bound;
        all.lattice += self.work.lattice;
        all.runs += self.work.runs;
        all.inputs += self.work.inputs;
        all.candidates += self.work.candidates;
        all.brute += self.work.brute;
        lock(&self.shared.closed).append(&mut self.closed);
    }

    /// Closes a piece of a cell, or leaves parts of it open.
    fn piece(&mut self, piece: Piece) {
        let shared = self.shared;
        let bounded = &shared.bound.cells[piece.bounded];
        let bound = bounded.error.bound();
        self.bound = bound;
        let number = piece.number;
        let all = Note::Done {
            piece: number,
            below: f64::INFINITY,
        };
        let Some(index) = bounded.class else {
            if self.constant(piece.cell) {
                shared.note(all);
            }
            return;
        };
        let class = &shared.bound.classes[index];
        // Chunks are taken from the left; a chunk that fails is halved.
        let mut todo = vec![(piece.cell, bounded.case.clone())];
        let mut below = piece.cell.lo;
        while let Some((cell, case)) = todo.pop() {
            match self.chunk(class, &case, cell) {
                Ok(how) => {
                    let closed = Closed {
                        class: index,
                        cell,
                        how,
                    };
                    shared.note(Note::Closed {
                        piece: number,
                        closed,
                    });
                    self.closed.push(closed);
                }
                Err(Cut::Into(parts)) => {
                    todo.extend(parts.into_iter().rev().map(|part| (part, case.clone())));
                }
                Err(Cut::Cases(cases)) => todo.extend(cases.map(|case| (cell, case))),
                Err(Cut::Open(why)) => shared.leave_open(Open {
                    class: bounded.class,
                    cell,
                    bound,
                    why,
                }),
                Err(Cut::Stop) => {
                    todo.push((cell, case));
                    for (rest, _) in todo {
                        shared.leave_undone(bounded.class, rest, bound);
                    }
                    return;
                }
            }
            // A stretch is done once it is done in all of its cases.
            let least = todo.iter().map(|t| t.0.lo).fold(f64::INFINITY, f64::min);
            if least > below && least < f64::INFINITY {
                below = least;
                shared.note(Note::Done {
                    piece: number,
                    below,
                });
            }
        }
        shared.note(all);
    }

    /// Closes a stretch on which the kernel gives one number. Returns whether there was time for all of it.
    fn constant(&mut self, cell: Cell) -> bool {
        let format = input_format(self.shared.program);
        // Where the function is monotone, the worst input is at an end: evaluating the ends raises the level at once.
        self.work.brute += 2;
        self.evaluate(cell.lo);
        self.evaluate(cell.hi);
        let mut todo = vec![cell];
        while let Some(cell) = todo.pop() {
            let outcome = evaluate(self.shared.program, cell, &Tight::new(), false);
            let error = match outcome.results[0] {
                Outcome::Constant(bits) => {
                    bound_constant(self.shared.program, self.shared.truth, cell, bits).ok()
                }
                _ => None,
            };
            match error {
                Some(e) if e.bound() <= self.shared.level() => self.work.of_bound += 1,
                Some(_) if cell.lo == cell.hi => {
                    self.work.brute += 1;
                    self.evaluate(cell.lo);
                }
                _ => match cell.halves(format) {
                    Some((a, b)) if !self.shared.ends() => todo.extend([b, a]),
                    Some(_) => {
                        for left in todo.into_iter().chain([cell]) {
                            self.shared.leave_undone(None, left, f64::INFINITY);
                        }
                        return false;
                    }
                    None => self.no_number(cell),
                },
            }
        }
        true
    }

    /// A stretch on which the result or the function is not a finite number.
    fn no_number(&self, cell: Cell) {
        self.shared.leave_open(Open {
            class: None,
            cell,
            bound: f64::INFINITY,
            why: "no finite number".into(),
        });
    }

    fn chunk(&mut self, class: &Class, case: &Tight, cell: Cell) -> Result<How, Cut> {
        if self.shared.ends() {
            return Err(Cut::Stop);
        }
        let format = input_format(self.shared.program);
        let level = self.shared.level();
        let Some(eta) = eta_on(class, cell) else {
            // No member has inputs here.
            return Ok(How::Inputs);
        };
        let here: Vec<&Member> = class.members_on(cell).collect();
        let input = input_on(class.input, cell);
        let h = power(input.grid);
        let points = ((cell.hi - cell.lo) / h).abs() + 1.0;
        let inputs = Self::inputs(&here, cell);
        if points.min(inputs) <= FEW {
            return self.brute(&here, cell);
        }
        let halves = || {
            cell.halves(format)
                .map_or(Cut::Open("it cannot be cut".into()), |(a, b)| {
                    Cut::Into(vec![a, b])
                })
        };
        let analysis = match analyse(&class.core, input, cell, case) {
            Ok(analysis) => analysis,
            Err(Unbounded::Empty) if case.is_empty() && class.has_end(cell) => {
                return Err(Cut::Open("its inputs contradict its ranges".into()));
            }
            Err(Unbounded::Empty) => return Ok(How::Bound),
            Err(_) => return Err(halves()),
        };
        let target = Target {
            truth: self.shared.truth,
            factor: class.factor,
            eta,
            scaled: class.scaled_on(cell),
        };
        let center = cell.center();
        let radius = cell.radius(center);
        let error = match of_analysis(&analysis, target, cell, center, radius) {
            Ok(error) => error,
            Err(Unbounded::Empty) => return Ok(How::Bound),
            Err(_) => return Err(halves()),
        };
        if error.bound() <= level {
            self.work.of_bound += 1;
            return Ok(How::Bound);
        }
        // Results on both sides of a power of two have a smaller bound than the search's reach; on one side, the two are the same.
        if error.bound() < error.error.magnitude() && inputs > BRUTE {
            return Err(halves());
        }
        if analysis.residual.deviates() {
            if inputs <= BRUTE {
                return self.brute(&here, cell);
            }
            return Err(Cut::Open(
                "a number is made of bits that have too many values to cut the range at each"
                    .into(),
            ));
        }
        // A run counts its inputs in multiples of the grid from its center. Above a power of two, not all of them are doubles: the
        // center would be rounded, and an input between two runs be in none.
        if cell.lo.abs().max(cell.hi.abs()) > h * power(53) {
            if inputs <= BRUTE {
                return self.brute(&here, cell);
            }
            let cut = cell.at_binade(format);
            return Err(cut.map_or_else(halves, |(a, b)| Cut::Into(vec![a, b])));
        }
        // The search is below the largest known error, so that runs do not become short.
        let search = level - LEAST_SLACK;
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let reach = if sign > 0.0 {
                error.error.hi
            } else {
                -error.error.lo
            };
            if reach <= level {
                continue;
            }
            let method = if sign > 0.0 {
                error.method.hi
            } else {
                -error.method.lo
            };
            let chunk = match Chunk::new(
                &analysis,
                input.grid,
                (center, radius),
                error.unit,
                method,
                sign,
                search,
            ) {
                Ok(chunk) => chunk,
                Err(NoLattice::Nothing) => continue,
                Err(NoLattice::Binades(site)) => {
                    let cases = analysis.cases(site, case);
                    return Err(cases.map_or_else(halves, Cut::Cases));
                }
                Err(NoLattice::Slack) if inputs <= BRUTE => return self.brute(&here, cell),
                // On so short a stretch the ranges of the slopes and of the method's error are narrow: cutting it does
                // not reduce the slack.
                Err(why @ NoLattice::Slack) if points < SHORT && inputs > 64.0 * BRUTE => {
                    return Err(Cut::Open(why.to_string()));
                }
                Err(_) => return Err(halves()),
            };
            // The run is at most as long as the chunk, so that its center is in the chunk.
            let half = chunk.half(self.points).min((points / 2.0).floor()).max(1.0);
            let run = 2.0 * half + 1.0;
            if points > 2.0 * RUNS * run {
                // The stretch is cut into chunks of the right size.
                let count = (points / (RUNS * run)).ceil().min(4096.0);
                return Err(Cut::Into(cut(cell, count as u32, format)));
            }
            let of = chunk.dimension();
            let (first, last) = ((cell.lo / h).ceil() * h, (cell.hi / h).floor() * h);
            let (mut runs, mut looked) = (0.0, 0.0);
            for center in centers(first, last, half, h) {
                if self.shared.ends() {
                    return Err(Cut::Stop);
                }
                let mut found = chunk.run(center, half, &mut self.transforms[side][of]);
                self.work.runs += 1;
                self.shared.runs.fetch_add(1, Ordering::Relaxed);
                self.work.inputs += run;
                if found.is_none() {
                    // A poor transform only costs time: the run is repeated, starting from the unit matrix.
                    self.transforms[side][of] = identity();
                    found = chunk.run(center, half, &mut self.transforms[side][of]);
                }
                let Some(found) = found else {
                    self.transforms[side][of] = identity();
                    self.points = (self.points / 2.0).max(LEAST_POINTS);
                    return Err(halves());
                };
                runs += 1.0;
                looked += found.looked;
                self.candidates(&here, &found.offsets, center, h);
            }
            if looked > 2.0 * LOOKED * runs {
                self.points = (self.points / 2.0).max(LEAST_POINTS);
            } else if looked < 0.1 * LOOKED * runs {
                self.points = (self.points * 2.0).min(MOST_POINTS);
            }
        }
        self.work.lattice += 1;
        Ok(How::Lattice)
    }

    fn candidates(&mut self, here: &[&Member], found: &[f64], center: f64, h: f64) {
        for m in found {
            self.input(here, center + m * h);
        }
    }

    /// Evaluates the inputs whose reduced argument is `r`.
    fn input(&mut self, here: &[&Member], r: f64) {
        let format = input_format(self.shared.program);
        for member in here {
            // On a stretch across a power of two, not every point of the finer grid is a binary32 input.
            if let Some(x) = member.input(r).filter(|&x| format.round(x) == x) {
                self.work.candidates += 1;
                self.evaluate(x);
            }
        }
    }

    /// Evaluates all inputs of a stretch of the core.
    fn brute(&mut self, here: &[&Member], cell: Cell) -> Result<How, Cut> {
        let format = input_format(self.shared.program);
        for member in here {
            let back = |r: f64| member.near(r);
            // One more input on either side is evaluated, so that inputs that belong to a neighbour are evaluated twice
            // rather than never.
            let lo = back(cell.lo).next_down().max(member.cell.lo);
            let hi = back(cell.hi).next_up().min(member.cell.hi);
            let mut x = format.round(lo);
            while x <= hi {
                if self.work.brute.is_multiple_of(FEW as u64) && self.shared.ends() {
                    return Err(Cut::Stop);
                }
                self.work.brute += 1;
                self.evaluate(x);
                x = next(x, format);
            }
        }
        Ok(How::Inputs)
    }

    /// The approximate number of inputs of the members on a stretch of the core.
    fn inputs(here: &[&Member], cell: Cell) -> f64 {
        let width = |m: &&Member| {
            let (lo, hi) = (cell.lo.max(m.core.lo), cell.hi.min(m.core.hi));
            let x = m.cell.lo.abs().max(m.cell.hi.abs());
            let spacing = power(BINARY64.ulp(x) - m.by);
            ((hi - lo) / spacing).max(0.0) + 1.0
        };
        here.iter().map(width).sum()
    }

    /// Evaluates an input and raises the level if its error is above it.
    fn evaluate(&mut self, x: f64) {
        let Some(error) = error_at(self.shared.program, self.shared.truth, &mut self.values, x)
        else {
            self.no_number(Cell { lo: x, hi: x });
            return;
        };
        self.shared.compare(x, error, self.bound);
        let hit = Hit::new(x, error);
        self.shared.evaluated(hit);
        if !is_decided(error) {
            self.shared.undecided(hit, error.magnitude());
        }
    }
}

/// The treatment of a stretch that is not closed.
enum Cut {
    Into(Vec<Cell>),
    Cases([Tight; 2]),
    Open(String),
    /// The time is up.
    Stop,
}
