//! The check of a certificate: each of its stretches is proven anew.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::analysis::{Analysis, Place, both_sides, true_unit};
use crate::cell::{Outcome, outcome};
use crate::certificate::{Certificate, How, Tile};
use crate::function::Function;
use crate::ir::Program;
use crate::lattice::{Lattice, No};
use crate::number::{
    Coarse, Fine, Interval, double_above, double_below, exact, floor, power, zero,
};
use crate::point::evaluate;
use crate::reduce::identity;
use crate::residual::{Assumed, Kind, Line, Node, Stop, ulp};
use crate::series::{Law, relative_error};

/// Lattices look so far below the level: with less, runs are short.
const MARGIN: f64 = 1e-4;
/// Inputs that are looked at one by one, at most, in a stretch.
const FEW: f64 = 65_536.0;
/// Runs in a stretch that is not cut any further.
const RUNS: i64 = 1024;
/// Cuts of a stretch.
const DEPTH: u32 = 48;

/// What was done.
#[derive(Debug, Default)]
pub struct Counts {
    /// Stretches closed by their bound.
    pub bound: AtomicU64,
    /// By lattices.
    pub lattice: AtomicU64,
    /// Runs of these.
    pub runs: AtomicU64,
    /// Inputs that were evaluated.
    pub inputs: AtomicU64,
    /// Stretches that had to be cut although the certificate says how they close.
    pub cut: AtomicU64,
    /// Stretches of classes that were looked at, of all.
    pub looked: AtomicU64,
}

impl Counts {
    fn add(counter: &AtomicU64, n: u64) {
        counter.fetch_add(n, Ordering::Relaxed);
    }
}

/// A class: one line with the cells whose inputs it takes.
struct Class {
    core: Line,
    /// Its input's site, and the finest grid of inputs.
    input: Node,
    /// δ: the function is `e^δ` times that of the line's input, times `1 + η`.
    offset: Fine,
    /// `e^δ`
    factor: Fine,
    members: Vec<Member>,
}

/// A cell as part of a class: `r = x + shift`.
struct Member {
    lo: f64,
    hi: f64,
    shift: Fine,
    eta: Coarse,
    core: (f64, f64),
    /// The core's inputs are multiples of `2^grid`; of larger inputs' cores, coarser ones.
    grid: i32,
}

/// A check under way.
pub struct Check<'a> {
    certificate: &'a Certificate,
    program: Program,
    function: Function,
    classes: Vec<Class>,
    /// What was done.
    pub counts: Counts,
}

/// The error of an input.
#[derive(Debug)]
pub enum At {
    /// Between these, in ULP.
    Error(Coarse),
    /// Both are beyond the largest double.
    Overflow,
}

impl<'a> Check<'a> {
    /// Reads the kernel and holds the tiling against the range.
    ///
    /// # Errors
    /// Where an input of the range is in no cell, or a cell is not what the certificate says.
    pub fn new(certificate: &'a Certificate) -> Result<Check<'a>, String> {
        let program = Program::parse(&certificate.program)?;
        let function = match (certificate.law, &certificate.reference) {
            (Some(law), None) => Function::Law(law),
            (None, Some(text)) => Function::Reference(Program::parse_reference(text)?),
            (None, None) => return Err("it does not say which function it is about".into()),
            (Some(_), Some(_)) => return Err("it is about two functions".into()),
        };
        if certificate.error <= 0.0 {
            return Err("it claims no error".into());
        }
        tiled(certificate)?;
        let mut check = Check {
            certificate,
            program,
            function,
            classes: Vec::new(),
            counts: Counts::default(),
        };
        let mut cells: Vec<Vec<(f64, f64)>> = vec![Vec::new(); certificate.classes.len()];
        for cell in &certificate.cells {
            if let Some(class) = cell.class {
                cells
                    .get_mut(class)
                    .ok_or_else(|| format!("there is no class {class}"))?
                    .push((cell.lo, cell.hi));
            }
        }
        // Next to a power of two, bounds of other widths can tell whether the last step of a reduction rounds a constant: the
        // certificate's stretches are of one of both.
        let made = |i: usize, constants: bool| {
            let class = &certificate.classes[i];
            let made = check.class(&cells[i], class.reduced, constants)?;
            covers(&made, &class.tiles)?;
            Ok(made)
        };
        check.classes = (0..cells.len())
            .into_par_iter()
            .map(|i| {
                let first = made(i, true);
                let either = first.or_else(|e: String| made(i, false).map_err(|_: String| e));
                either.map_err(|e| format!("class {i}: {e}"))
            })
            .collect::<Result<_, _>>()?;
        Ok(check)
    }

    /// The class of these cells: the kernel must be one line on all of them.
    fn class(&self, cells: &[(f64, f64)], reduced: bool, constants: bool) -> Result<Class, String> {
        let mut made: Option<Class> = None;
        let mut key = String::new();
        for &(lo, hi) in cells {
            let place = || format!("{lo:e} to {hi:e}");
            let line = match outcome(&self.program, lo, hi, constants) {
                Ok(Outcome::Line(line)) => line,
                Ok(Outcome::Constant(_)) => {
                    return Err(format!("on {} the kernel is a constant", place()));
                }
                Err(stop) => return Err(format!("on {}: {stop:?}", place())),
            };
            let (core, input, mut member, d) = if reduced {
                self.reduced(&line, lo, hi)
                    .ok_or_else(|| format!("on {} the argument is not reduced exactly", place()))?
            } else if cells.len() == 1 {
                self.plain(&line, lo, hi)?
            } else {
                return Err("a plain class of more than one cell".into());
            };
            match &mut made {
                None => {
                    key = core.key();
                    // A reduction that is whole, or nearly, has no factor.
                    let whole = d.most() < power(-48);
                    let offset = if whole { Fine::zero() } else { d.clone() };
                    member.eta = relative_error(&d.sub(&offset)).to();
                    made = Some(Class {
                        core,
                        input,
                        factor: offset.exp(),
                        offset,
                        members: vec![member],
                    });
                }
                Some(class) => {
                    if core.key() != key {
                        return Err(format!("on {} the kernel is another line", place()));
                    }
                    member.eta = relative_error(&d.sub(&class.offset)).to();
                    class.input.grid = class.input.grid.min(input.grid);
                    class.members.push(member);
                }
            }
        }
        made.ok_or_else(|| "it has no cells".into())
    }

    /// A cell that is a class of its own: the function's own argument.
    fn plain(&self, line: &Line, lo: f64, hi: f64) -> Result<(Line, Node, Member, Fine), String> {
        let input = line.nodes[line.input().ok_or("a line without its input")?];
        let member = Member {
            lo,
            hi,
            shift: Fine::zero(),
            eta: Coarse::zero(),
            core: (lo, hi),
            grid: input.grid,
        };
        Ok((line.clone(), input, member, Fine::zero()))
    }

    /// A cell of a class of `e^x`: see [`Line::reduced`].
    fn reduced(&self, line: &Line, lo: f64, hi: f64) -> Option<(Line, Node, Member, Fine)> {
        if self.function.law() != Some(Law::Exp) {
            return None;
        }
        let reduced = line.reduced()?;
        // e^x = 2^s e^r e^(-shift - s ln 2)
        let ln2 = Fine::double(2.0).ln()?;
        let d = reduced
            .shift
            .add(&ln2.mul(&Fine::double(f64::from(reduced.scale))))
            .neg();
        if d.most() > exact(1.0) {
            return None;
        }
        let end = |x: f64| exact(x) + reduced.shift.lo.clone();
        let core = (double_below(&end(lo)), double_above(&end(hi)));
        let member = Member {
            lo,
            hi,
            shift: reduced.shift.clone(),
            eta: Coarse::zero(),
            core,
            grid: reduced.input.grid,
        };
        Some((reduced.core, reduced.input, member, d))
    }

    /// What the kernel approximates, in words.
    pub fn function(&self) -> &'static str {
        self.function.words()
    }

    /// Checks the whole certificate, or of the classes' stretches one of `every`.
    ///
    /// # Errors
    /// The first stretch that is not as it says.
    pub fn run(&self, every: usize) -> Result<(), String> {
        let constants: Vec<_> = self
            .certificate
            .cells
            .iter()
            .filter(|c| c.class.is_none())
            .collect();
        constants
            .par_iter()
            .try_for_each(|cell| self.constant(cell.lo, cell.hi))?;
        let tiles: Vec<(usize, Tile)> = self
            .certificate
            .classes
            .iter()
            .enumerate()
            .flat_map(|(i, class)| class.tiles.iter().map(move |t| (i, *t)))
            .enumerate()
            // A step that shares no pattern with the order of stretches.
            .filter(|(i, _)| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 & 0xffff < 0x10000 / every)
            .map(|(_, t)| t)
            .collect();
        tiles.par_iter().try_for_each(|&(i, tile)| {
            Counts::add(&self.counts.looked, 1);
            self.close(
                &self.classes[i],
                tile.lo,
                tile.hi,
                &Assumed::new(),
                DEPTH,
                tile.how,
            )
            .map_err(|e| format!("class {i}, {:e} to {:e}: {e}", tile.lo, tile.hi))
        })
    }

    /// A stretch on which the kernel gives one number.
    fn constant(&self, lo: f64, hi: f64) -> Result<(), String> {
        let mut todo = vec![(lo, hi)];
        while let Some((lo, hi)) = todo.pop() {
            let place = || format!("{lo:e} to {hi:e}");
            let bits = match outcome(&self.program, lo, hi, true) {
                Ok(Outcome::Constant(bits)) => bits,
                _ => return Err(format!("on {} the kernel is no constant", place())),
            };
            let value = f64::from_bits(bits);
            let f = (self.function.on(lo, hi)).and_then(|f| f.value(&Fine::doubles(lo, hi)));
            let close = match &f {
                _ if value.is_nan() => return Err(format!("on {} the kernel gives NaN", place())),
                // Beyond what is worked out, upward.
                None => {
                    value == f64::INFINITY && self.function.law() == Some(Law::Exp) && lo > 5000.0
                }
                Some(f) if value == f64::INFINITY => f.lo >= exact(f64::MAX) + power(970),
                Some(_) if value.is_infinite() => false,
                Some(f) => true_unit(&f.to()).is_ok_and(|unit| {
                    Fine::double(value).sub(f).scale(-unit).most() <= exact(self.certificate.error)
                }),
            };
            if close {
                Counts::add(&self.counts.bound, 1);
            } else if lo == hi {
                self.input(lo)?;
            } else {
                let middle = (0.5 * lo + 0.5 * hi).clamp(lo, hi.next_down());
                todo.extend([(lo, middle), (middle.next_up(), hi)]);
            }
        }
        Ok(())
    }

    /// The error of an input, from its evaluation.
    ///
    /// # Errors
    /// Where routine or function is no finite number.
    pub fn error_at<const P: usize>(&self, x: f64) -> Result<At, String> {
        let value = f64::from_bits(evaluate(&self.program, x.to_bits())?);
        let f = self
            .function
            .on(x, x)
            .and_then(|f| f.value(&Interval::<P>::double(x)))
            .ok_or_else(|| format!("at {x:e} the function is not defined"))?;
        let end = exact(f64::MAX) + power(970);
        if value.is_infinite() && (value > 0.0 && f.lo >= end || value < 0.0 && f.hi <= -end) {
            return Ok(At::Overflow);
        }
        if !value.is_finite() {
            return Err(format!("at {x:e} the kernel gives {value}"));
        }
        let coarse: Coarse = f.to();
        let unit = true_unit(&coarse).map_err(|e| format!("at {x:e}: {e:?}"))?;
        Ok(At::Error(Interval::double(value).sub(&f).scale(-unit).to()))
    }

    /// Holds an input's error against the claim.
    fn input(&self, x: f64) -> Result<(), String> {
        Counts::add(&self.counts.inputs, 1);
        let claimed = exact(self.certificate.error);
        // With few bits most errors are decided.
        if let Ok(At::Error(e)) = self.error_at::<96>(x)
            && e.most() <= claimed
        {
            return Ok(());
        }
        match self.error_at::<192>(x)? {
            At::Error(e) if e.most() > exact(self.certificate.error) => Err(format!(
                "the error at {x:e} ({:016x}) is {} ULP, above the claim",
                x.to_bits(),
                e.middle()
            )),
            _ => Ok(()),
        }
    }

    /// Closes a stretch of a class's input, cut as often as it takes.
    fn close(
        &self,
        class: &Class,
        lo: f64,
        hi: f64,
        assumed: &Assumed,
        depth: u32,
        how: How,
    ) -> Result<(), String> {
        let here: Vec<&Member> = class
            .members
            .iter()
            .filter(|m| m.core.0 <= hi && lo <= m.core.1)
            .collect();
        let Some(eta) = here.iter().map(|m| m.eta.clone()).reduce(|a, b| a.hull(&b)) else {
            // Between the members there are no inputs.
            return Ok(());
        };
        let grid = class.input.grid.max(ulp(if lo > 0.0 {
            lo
        } else if hi < 0.0 {
            hi
        } else {
            0.0
        }));
        let inputs: f64 = here.iter().map(|m| m.inputs(lo, hi)).sum();
        let cut = |why: &str| -> Result<(), String> {
            if inputs <= FEW {
                return here
                    .iter()
                    .try_for_each(|m| m.each(lo, hi, |x| self.input(x)));
            }
            let middle = (0.5 * lo + 0.5 * hi).clamp(lo, hi.next_down());
            if depth == 0 || lo == hi {
                return Err(format!("{why}, and cutting it does not help"));
            }
            Counts::add(&self.counts.cut, 1);
            self.close(class, lo, middle, assumed, depth - 1, how)?;
            self.close(class, middle.next_up(), hi, assumed, depth - 1, how)
        };
        if inputs <= if how == How::Inputs { FEW } else { 256.0 } {
            return cut("");
        }
        if lo < 0.0 && hi > 0.0 {
            return cut("it has both signs");
        }
        let place = Place::new(lo, hi, grid);
        let input = Node {
            kind: Kind::Input,
            lo: place.lo,
            hi,
            grid,
            ..class.input
        };
        let analysis = match Analysis::new(&class.core, input, &place, assumed) {
            Ok(analysis) => analysis,
            Err(Stop::Empty) => return Ok(()),
            Err(Stop::No(why)) => return cut(&why),
        };
        let Some(weights) = analysis.weights() else {
            return cut("the weights are not bounded");
        };
        let Some(function) = self.function.on(place.lo, hi) else {
            return cut("the reference is not one line");
        };
        let bound = match analysis.bound(&function, &class.factor, &eta, &place, &weights) {
            Ok(bound) => bound,
            Err(Stop::Empty) => return Ok(()),
            Err(Stop::No(why)) => return cut(&why),
        };
        if bound.error.most() <= exact(self.certificate.error) {
            Counts::add(&self.counts.bound, 1);
            return Ok(());
        }
        if let Some((site, edge)) = analysis.straddles(&weights, bound.unit, assumed) {
            for case in both_sides(assumed, site, edge) {
                self.close(class, lo, hi, &case, depth, how)?;
            }
            return Ok(());
        }
        let level = self.certificate.error - MARGIN;
        for sign in [1.0, -1.0] {
            let reach = if sign > 0.0 {
                bound.error.ends().1
            } else {
                -bound.error.ends().0
            };
            if reach <= self.certificate.error {
                continue;
            }
            let lattice = match Lattice::new(&analysis, &place, grid, &bound, &weights, sign, level)
            {
                Ok(lattice) => lattice,
                Err(No::Nothing) => continue,
                Err(No::Cut) => return cut("no lattice takes it"),
            };
            let half = lattice.half();
            // Steps from the center, which is on the grid.
            let step = |x: f64, up: bool| {
                let d = exact(x) - exact(place.center);
                let below = floor(&d, -grid);
                if up
                    && exact(x)
                        != exact(place.center)
                            + crate::number::Number::new(below.into(), grid as isize)
                {
                    below + 1
                } else {
                    below
                }
            };
            let (first, last) = (step(lo, true) as i64, step(hi, false) as i64);
            if last - first > 2 * RUNS * (2 * half + 1) {
                return cut("it has too many runs");
            }
            let mut transform = identity();
            let mut m = first;
            while m <= last {
                let center = m + half;
                Counts::add(&self.counts.runs, 1);
                let mut found = lattice.run(center, half, &mut transform);
                if found.is_none() {
                    transform = identity();
                    found = lattice.run(center, half, &mut transform);
                }
                let Some(found) = found else {
                    return cut("a run has too many points");
                };
                for step in found {
                    let r = exact(place.center)
                        + crate::number::Number::new((center + step).into(), grid as isize);
                    for member in &here {
                        if let Some(x) = member.input(&r) {
                            self.input(x)?;
                        }
                    }
                }
                m += 2 * half + 1;
            }
        }
        Counts::add(&self.counts.lattice, 1);
        Ok(())
    }
}

impl Member {
    /// The input whose core's is `r`, if it is one.
    fn input(&self, r: &crate::number::Number) -> Option<f64> {
        if r.exponent() < self.grid as isize {
            return None;
        }
        let x = r - &self.shift.lo;
        let double = double_below(&x);
        (double.is_finite()
            && (zero(&x) || exact(double) == x)
            && self.lo <= double
            && double <= self.hi)
            .then_some(double)
    }

    /// The first and the last input that may be on a stretch of the core's.
    fn ends(&self, lo: f64, hi: f64) -> (f64, f64) {
        let back = |r: f64| exact(r) - self.shift.lo.clone();
        (
            double_below(&back(lo)).max(self.lo),
            double_above(&back(hi)).min(self.hi),
        )
    }

    /// How many there are.
    fn inputs(&self, lo: f64, hi: f64) -> f64 {
        let (lo, hi) = self.ends(lo, hi);
        if lo > hi {
            return 0.0;
        }
        (rank(hi) - rank(lo) + 1) as f64
    }

    fn each(
        &self,
        lo: f64,
        hi: f64,
        mut f: impl FnMut(f64) -> Result<(), String>,
    ) -> Result<(), String> {
        let (mut x, hi) = self.ends(lo, hi);
        while x <= hi {
            f(x)?;
            x = x.next_up();
        }
        Ok(())
    }
}

/// The doubles in order, -0 before 0.
fn rank(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    if bits < 0 {
        -1 - (bits & i64::MAX)
    } else {
        bits
    }
}

/// Whether the cells hold every double of the ranges.
fn tiled(certificate: &Certificate) -> Result<(), String> {
    let mut cells: Vec<(i64, i64)> = certificate
        .cells
        .iter()
        .map(|c| (rank(c.lo), rank(c.hi)))
        .collect();
    cells.sort_unstable();
    if certificate.ranges.is_empty() {
        return Err("it does not say which inputs it is about".into());
    }
    for &(lo, hi) in &certificate.ranges {
        let mut due = rank(lo);
        for &(first, last) in &cells {
            if first > due || due > rank(hi) {
                break;
            }
            due = due.max(last + 1);
        }
        if due <= rank(hi) {
            return Err(format!(
                "there is a gap: no cell holds the input number {due}"
            ));
        }
    }
    Ok(())
}

/// Whether a class's stretches hold the core's inputs of all its members.
fn covers(class: &Class, tiles: &[Tile]) -> Result<(), String> {
    let mut tiles = tiles.to_vec();
    tiles.sort_by(|a, b| a.lo.total_cmp(&b.lo).then(a.hi.total_cmp(&b.hi)));
    // Stretches without a gap between.
    let mut joined: Vec<(f64, f64)> = Vec::new();
    for tile in &tiles {
        match joined.last_mut() {
            Some(last) if tile.lo <= last.1.next_up() => last.1 = last.1.max(tile.hi),
            _ => joined.push((tile.lo, tile.hi)),
        }
    }
    for member in &class.members {
        if !joined
            .iter()
            .any(|j| j.0 <= member.core.0 && member.core.1 <= j.1)
        {
            return Err(format!(
                "its stretches do not hold the inputs of {:e} to {:e}, which are {:e} to {:e} of the class",
                member.lo, member.hi, member.core.0, member.core.1
            ));
        }
    }
    Ok(())
}
