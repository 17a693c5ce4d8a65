//! Finds the cells of a stretch that the certificate only marks as one to be cut: where to cut it, and which cells form one class.
//!
//! The proof does not rest on these rules: wherever a stretch is cut, the kernel on each cell is examined by itself. The rules only keep
//! the number of cells small:
//!
//! 1. If the result depends on a value that varies and is not an operation of the line (an integer, a table's entry, a comparison), the
//!    stretch is cut between two neighbouring inputs at which the first such value differs, near the middle.
//! 2. If the last step of an argument's reduction is rounded, the stretch is cut between binades of the reduced argument, as long as these
//!    have units above 2^-62: in one binade the rounding is that of a constant, and the reduction is exact.
//! 3. Smaller reduced arguments are taken as they are computed: the rounding is a part of η. It is below 2^-62 of the result. So all
//!    multiples of a period, and all exponents of a table's entry, form one class.
//! 4. If a number is made of the bits of another, such as a constant minus these bits, the stretch is cut between the binades of both.
//! 5. Cells of one binade that are scaled copies of each other form one class. The line of a power is cut into such cells.
//! 6. Next to an input at which such a value changes, its ranges are wide: a strip is cut off there.
//! 7. If the kernel is not a line on a stretch of few inputs, each of them is evaluated.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use super::Check;
use super::class::{Class, Cut, Member};
use crate::analysis::Analysis;
use crate::cell::{Outcome, outcome};
use crate::certificate::{How, Tile};
use crate::law::Law;
use crate::number::{Fine, exact, floor};
use crate::order::{self, double, half, rank};
use crate::point::evaluate_to;
use crate::residual::{Kind, Line, Node, Stop, expo};

/// Binades with larger units in the last place are cells of their own.
const FINEST: i32 = -62;
/// Stretches with fewer inputs are not cut on two threads.
const FEW: i64 = 1 << 20;
/// If the kernel is not a line on a stretch of at most this many inputs, each of them is evaluated.
const INPUTS: i64 = 512;
/// The same for results in two words, whose errors take longer: no series bounds them.
const INPUTS_OF_WORDS: i64 = 32;
/// The largest number of stretches that are examined, which takes some minutes: a kernel may be a different line at each input.
const MOST: u64 = 1 << 23;

/// The parts that are found in a stretch.
#[derive(Default)]
pub(super) struct Found {
    /// Cells with one number.
    pub(super) constants: Vec<(f64, f64)>,
    /// Cells that are classes of their own.
    pub(super) plain: Vec<(f64, f64)>,
    /// Stretches that are evaluated input by input.
    pub(super) inputs: Vec<(f64, f64)>,
    /// Cells of classes, by their numbers.
    pub(super) members: Vec<(usize, Part)>,
}

/// A cell of a class, without the data that the class holds too.
pub(super) struct Part {
    member: Member,
    grid: i32,
    d: Fine,
}

/// The classes that were found so far, by their lines.
#[derive(Default)]
pub(super) struct Lines {
    by_key: HashMap<String, usize>,
    /// All classes, each with the number of the same class in the certificate, if there is one.
    all: Vec<(Class, Option<usize>)>,
}

/// The key that distinguishes classes: their lines, and δ to 2^-48.
fn key(cut: &Cut, rounded: bool) -> String {
    let offset = (floor(&cut.d.lo, 49) + 1) >> 1;
    format!("{rounded} {offset} {}", cut.core.key())
}

impl Lines {
    /// Adds a class of the certificate, by one of its cells.
    pub(super) fn planned(&mut self, cut: Cut, class: usize) -> Result<(), String> {
        let next = self.all.len();
        if self.by_key.insert(key(&cut, false), next).is_some() {
            return Err(format!("class {class} is there twice"));
        }
        let made = Class::new(cut.core, cut.input, &cut.d, false);
        self.all.push((made, Some(class)));
        Ok(())
    }

    /// The number of a cell's class, and whether its arguments are taken with their rounding.
    fn class(&mut self, exact: Cut, rounded: Option<Cut>) -> (usize, Part) {
        let known = self.by_key.contains_key(&key(&exact, false));
        let (cut, rounds) = match rounded {
            Some(cut) if !known => (cut, true),
            _ => (exact, false),
        };
        let next = self.all.len();
        let number = *self.by_key.entry(key(&cut, rounds)).or_insert(next);
        if number == next {
            let class = Class::new(cut.core, cut.input, &cut.d, rounds);
            self.all.push((class, None));
        }
        let part = Part {
            member: cut.member,
            grid: cut.input.grid,
            d: cut.d,
        };
        (number, part)
    }

    /// The classes with the cells that were found, and the numbers of the same classes in the certificate.
    pub(super) fn with(self, members: Vec<(usize, Part)>) -> Vec<(Class, Option<usize>)> {
        let mut all = self.all;
        for (number, part) in members {
            all[number].0.add(part.member, part.grid, &part.d);
        }
        all
    }
}

/// The inputs of a class that the certificate's stretches do not hold, as stretches.
pub(super) fn gaps(class: &Class, tiles: &[Tile]) -> Vec<Tile> {
    let mut cores: Vec<(f64, f64)> = class.members.iter().map(|m| m.core).collect();
    cores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut held: Vec<(f64, f64)> = tiles.iter().map(|t| (t.lo, t.hi)).collect();
    held.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut held = held.into_iter().peekable();
    let mut gaps = Vec::new();
    let mut due = f64::NEG_INFINITY;
    for (lo, hi) in cores {
        due = lo.max(due);
        while due <= hi {
            // The first stretch that reaches so far.
            while held.next_if(|h| h.1 < due).is_some() {}
            let end = match held.peek() {
                Some(h) if h.0 <= due => {
                    due = h.1.next_up();
                    continue;
                }
                Some(h) if h.0 <= hi => h.0.next_down(),
                _ => hi,
            };
            gaps.extend(by_sign(due, end));
            due = end.next_up();
        }
    }
    gaps
}

/// A stretch of a class's inputs: below zero, zero, and above it.
fn by_sign(lo: f64, hi: f64) -> impl Iterator<Item = Tile> {
    let least = f64::from_bits(1);
    let parts = [
        (lo, hi.min(-least)),
        (lo.max(0.0), hi.min(0.0)),
        (lo.max(least), hi),
    ];
    let how = How::Bound;
    let whole = parts.into_iter().filter(|p| p.0 <= p.1);
    whole.map(move |(lo, hi)| Tile { lo, hi, how })
}

impl Found {
    /// All cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = (f64, f64)> {
        let members = self.members.iter().map(|(_, p)| (p.member.lo, p.member.hi));
        let own = self.constants.iter().chain(&self.plain).chain(&self.inputs);
        own.copied().chain(members)
    }

    pub(super) fn join(mut self, mut other: Found) -> Found {
        self.constants.append(&mut other.constants);
        self.plain.append(&mut other.plain);
        self.inputs.append(&mut other.inputs);
        self.members.append(&mut other.members);
        self
    }
}

/// The next step for a stretch.
enum Step {
    Is(Box<Found>),
    /// A cut: the first input of its upper part.
    Before(i64),
}

impl Check<'_> {
    /// The cells of the doubles from `lo` to `hi`, which have one sign.
    pub(super) fn cells(&self, lo: f64, hi: f64, lines: &Mutex<Lines>) -> Result<Found, String> {
        let mut found = Found::default();
        let mut todo = vec![(rank(lo), rank(hi))];
        while let Some((lo, hi)) = todo.pop() {
            if self.examined.fetch_add(1, Ordering::Relaxed) >= MOST {
                return Err(format!(
                    "the kernel is more than one line on each of {MOST} stretches"
                ));
            }
            match self.step(lo, hi, lines)? {
                Step::Is(cell) => found = found.join(*cell),
                Step::Before(middle) if hi - lo > FEW => {
                    let part = |lo, hi| self.cells(double(lo), double(hi), lines);
                    let (a, b) = rayon::join(|| part(lo, middle - 1), || part(middle, hi));
                    found = found.join(a?).join(b?);
                }
                Step::Before(middle) => todo.extend([(middle, hi), (lo, middle - 1)]),
            }
        }
        Ok(found)
    }

    /// One stretch, by the numbers of its ends: a cell, or where to cut it.
    fn step(&self, lo: i64, hi: i64, lines: &Mutex<Lines>) -> Result<Step, String> {
        let middle = half(lo, hi) + 1;
        let ends = (double(lo), double(hi));
        let few = match self.certificate.words {
            true => INPUTS_OF_WORDS,
            false => INPUTS,
        };
        let mut found = outcome(&self.program, ends.0, ends.1, true);
        // Where the value is not the same at both ends, closer ranges would not show more.
        if let Ok(Outcome::Varies(site)) = found
            && hi - lo >= few
            && self.is_same(site, [lo, middle, hi])
        {
            found = self.outcome(ends.0, ends.1, true);
        }
        let line = match found {
            Ok(Outcome::Constant(_) | Outcome::Words(_)) => {
                return Ok(Step::Is(Box::new(Found {
                    constants: vec![ends],
                    ..Found::default()
                })));
            }
            Ok(Outcome::Line(line)) => line,
            // An input with a low word is many inputs: it is not evaluated.
            Ok(Outcome::Varies(_)) | Err(Stop::No(_))
                if self.certificate.low.is_some() && hi - lo < few =>
            {
                if lo < hi {
                    return Ok(Step::Before(middle));
                }
                return Err(format!(
                    "at {:e} ({:016x}) the kernel is not one line for all low words",
                    ends.0,
                    ends.0.to_bits()
                ));
            }
            // In a few inputs a value changes once or twice, or at nearly each of them.
            Ok(Outcome::Varies(_)) | Err(Stop::No(_)) if hi - lo < few => {
                return Ok(Step::Is(Box::new(Found {
                    inputs: vec![ends],
                    ..Found::default()
                })));
            }
            Ok(Outcome::Varies(site)) => {
                return self.change(lo, hi, |x| evaluate_to(&self.program, site, x.to_bits()));
            }
            Ok(Outcome::Bends(of, site)) if lo < hi => {
                return self.change(lo, hi, |x| {
                    let bits = |site| evaluate_to(&self.program, site, x.to_bits());
                    Ok(bits(of)? >> 52 << 12 | bits(site)? >> 52)
                });
            }
            Err(Stop::No(_)) => return Ok(Step::Before(middle)),
            Ok(Outcome::Bends(..)) | Err(_) => {
                return Err(format!("at {:e} the kernel is not understood", ends.0));
            }
        };
        // For a power, only cells of one binade are scaled copies of each other.
        if self.function.law().and_then(Law::power).is_some() && expo(ends.0) != expo(ends.1) {
            return self.change(lo, hi, |x| Ok(expo(x) as u64));
        }
        if self.function.law() == Some(Law::Exp)
            && let Some(step) = line.rounded_step()
            && step.rounding.is_some_and(|r| r.unit > FINEST)
            // The rounding of `a b + c` is not that of a constant.
            && !matches!(step.kind, Kind::Fma(..))
            && let Some(cut) = self.binades(lo, hi, step)?
        {
            return Ok(cut);
        }
        Ok(Step::Is(Box::new(self.cell(&line, ends.0, ends.1, lines))))
    }

    /// Cuts near the middle where a value differs, or in the middle if the value is the same there and at both ends.
    fn change(
        &self,
        lo: i64,
        hi: i64,
        value: impl Fn(f64) -> Result<u64, String>,
    ) -> Result<Step, String> {
        let middle = half(lo, hi);
        let here = value(double(middle))?;
        let other = if value(double(hi))? != here {
            hi
        } else if value(double(lo))? != here {
            lo
        } else {
            // The input beyond an end; there may be none.
            let beyond = |at: i64| value(double(at)).is_ok_and(|other| other != here);
            return Ok(match (beyond(lo - 1), beyond(hi + 1)) {
                (true, false) => self.strip(lo, hi, false),
                (false, true) => self.strip(lo, hi, true),
                _ => Step::Before(middle + 1),
            });
        };
        let last = order::change(middle, other, |at| value(double(at)).map(|v| v == here))?;
        Ok(Step::Before(last + 1))
    }

    /// For a value that varies only by its ranges and differs beyond one end: its ranges are too wide next to that end. Cuts off a strip there,
    /// the narrowest of several without which they are not too wide. Halving the stretch instead would take many cuts, as its parts shrink only
    /// as they approach the end.
    fn strip(&self, lo: i64, hi: i64, upper: bool) -> Step {
        let widths = (9..62).step_by(4).map(|k| 1i64 << k);
        for width in widths.take_while(|w| *w < (hi - lo) / 2) {
            let (first, last) = if upper {
                (lo, hi - width)
            } else {
                (lo + width, hi)
            };
            let varies = self.outcome(double(first), double(last), true);
            if !matches!(varies, Ok(Outcome::Varies(_)) | Err(Stop::No(_))) {
                return Step::Before(if upper { last + 1 } else { first });
            }
        }
        Step::Before(half(lo, hi) + 1)
    }

    /// Cuts between binades of a step's results with units above the finest; `None` if all results are in one binade.
    fn binades(&self, lo: i64, hi: i64, step: &Node) -> Result<Option<Step>, String> {
        let value = |x: f64| evaluate_to(&self.program, step.site, x.to_bits());
        let binade = |x: f64| {
            let bits = value(x)?;
            // The finest are one, of both signs.
            let least = (FINEST + 52 + 1023) as u64;
            let field = bits >> 52 & 0x7ff;
            Ok(if field <= least { 0 } else { bits >> 52 })
        };
        if binade(double(lo))? != binade(double(hi))? {
            return self.change(lo, hi, binade).map(Some);
        }
        // A value that rounds up to a power of two belongs to the binade below it.
        let power = |x: f64| value(x).map(|bits| bits << 12 == 0);
        Ok(if lo == hi {
            None
        } else if power(double(lo))? {
            Some(Step::Before(lo + 1))
        } else if power(double(hi))? {
            Some(Step::Before(hi))
        } else {
            None
        })
    }

    /// Whether an instruction's value is the same at the given inputs, named by their numbers.
    fn is_same(&self, site: usize, at: [i64; 3]) -> bool {
        let values = at.map(|at| evaluate_to(&self.program, site, double(at).to_bits()).ok());
        values[0].is_some() && values.iter().all(|v| *v == values[0])
    }

    /// Whether all results of a power's line are normal and of one sign, by its analysis. The ranges of a step of an iteration, a sum that
    /// nearly cancels, do not show it.
    fn is_normal(&self, line: &Line, lo: f64, hi: f64) -> bool {
        let is_power = self.function.law().and_then(Law::power).is_some();
        is_power
            && Analysis::of_all(line, lo, hi)
                .is_some_and(|all| all.values[all.line.result].least() >= exact(f64::MIN_POSITIVE))
    }

    /// A cell with its line, as part of a class.
    fn cell(&self, line: &Line, lo: f64, hi: f64, lines: &Mutex<Lines>) -> Found {
        let plain = || Found {
            plain: vec![(lo, hi)],
            ..Found::default()
        };
        // The unit of a subnormal result is not the core's times a power of two: see also `Line::reduced`.
        if !line.nodes[line.result].is_normal() && !self.is_normal(line, lo, hi) {
            return plain();
        }
        let reduced = self.reduced(line, lo, hi, false);
        let Some(exact) = reduced.or_else(|| self.copy(line, lo, hi)) else {
            return plain();
        };
        let rounded = line
            .rounded_step()
            .and_then(|_| self.reduced(line, lo, hi, true));
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        Found {
            members: vec![lines.class(exact, rounded)],
            ..Found::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Words;
    use crate::number::Coarse;

    fn class(cores: &[(f64, f64)]) -> Class {
        let input = Node {
            kind: Kind::Input,
            site: 0,
            lo: -1.0,
            hi: 1.0,
            grid: -52,
            rounding: None,
        };
        let line = Line {
            nodes: vec![input],
            result: 0,
        };
        let mut class = Class::new(line, input, &Fine::zero(), false);
        for &core in cores {
            let member = Member {
                lo: core.0,
                hi: core.1,
                shift: Fine::zero(),
                rounding: None,
                by: 0,
                eta: Coarse::zero(),
                scale: 0,
                core,
                grid: -52,
            };
            class.add(member, -52, &Fine::zero());
        }
        class
    }

    /// A cell of one line with this δ.
    fn cut(d: f64) -> Cut {
        let Class { core, input, .. } = class(&[]);
        let member = Member {
            lo: 0.5,
            hi: 0.75,
            shift: Fine::zero(),
            rounding: None,
            by: 0,
            eta: Coarse::zero(),
            scale: 0,
            core: (0.5, 0.75),
            grid: -52,
        };
        let d = Fine::double(d);
        Cut {
            core,
            input,
            member,
            d,
        }
    }

    #[test]
    fn classes_differ_by_their_offsets_and_by_rounded_arguments() {
        let mut lines = Lines::default();
        assert_eq!(lines.planned(cut(0.0), 7), Ok(()));
        let mut members = Vec::new();
        for (d, rounds, number) in [
            // The certificate's class, whose arguments are exact, also of a cell with a rounded form.
            (0.0, false, 0),
            (2f64.powi(-60), true, 0),
            // A class that the certificate does not plan: its arguments are those that are rounded.
            (2f64.powi(-20), true, 1),
            (2f64.powi(-20), true, 1),
            (2f64.powi(-21), false, 2),
            (2f64.powi(-22), true, 3),
            // Exact arguments with the offset of a class of rounded ones.
            (2f64.powi(-20), false, 4),
        ] {
            let (found, part) = lines.class(cut(d), rounds.then(|| cut(d)));
            assert_eq!(found, number, "offset {d:e}");
            members.push((found, part));
        }
        let all: Vec<_> = (lines.with(members).iter())
            .map(|(class, planned)| (class.rounded, *planned, class.members.len()))
            .collect();
        assert_eq!(
            all,
            [
                (false, Some(7), 2),
                (true, None, 2),
                (false, None, 1),
                (true, None, 1),
                (false, None, 1)
            ]
        );
        let mut twice = Lines::default();
        assert_eq!(twice.planned(cut(0.0), 7), Ok(()));
        assert!(twice.planned(cut(0.0), 8).is_err());
    }

    #[test]
    fn gaps_and_stretches_hold_all_members_inputs() {
        let least = f64::from_bits(1);
        let members = class(&[(-0.5, 0.25), (0.125, 0.5), (0.75, 0.875)]);
        let tile = |(lo, hi): (f64, f64)| Tile {
            lo,
            hi,
            how: How::Lattice,
        };
        let found = |tiles: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let tiles: Vec<Tile> = tiles.iter().copied().map(tile).collect();
            let gaps = gaps(&members, &tiles);
            let all: Vec<Tile> = tiles.iter().chain(&gaps).copied().collect();
            super::super::tiling::covers(&members, &all).expect("all are held");
            gaps.iter().map(|t| (t.lo, t.hi)).collect()
        };
        assert_eq!(
            found(&[]),
            [
                (-0.5, -least),
                (0.0, 0.0),
                (least, 0.25),
                (0.25f64.next_up(), 0.5),
                (0.75, 0.875)
            ]
        );
        assert_eq!(
            found(&[(-1.0, 0.3), (0.2, 0.25), (0.8, 2.0)]),
            [(0.3f64.next_up(), 0.5), (0.75, 0.8f64.next_down())]
        );
        assert_eq!(found(&[(-1.0, 1.0)]), []);
    }

    /// Stretches hold a class's inputs if they hold every double of each member; with the gaps they always do.
    #[test]
    fn stretches_and_gaps_hold_each_double() {
        let mut random = Words(1);
        let mut counts = [0, 0];
        for _ in 0..20_000 {
            let from = rank(random.of(&[0.0, 1.0, -1.0]));
            let mut pairs = |most: u64| -> Vec<(f64, f64)> {
                let n = 1 + random.below(most);
                let mut at = || from + random.below(16) as i64 - 8;
                (0..n)
                    .map(|_| (at(), at()))
                    .map(|(a, b)| (double(a.min(b)), double(a.max(b))))
                    .collect()
            };
            let (cores, tiles) = (pairs(3), pairs(6));
            let class = class(&cores);
            let how = How::Lattice;
            let tiles: Vec<Tile> = tiles.iter().map(|&(lo, hi)| Tile { lo, hi, how }).collect();
            // Both zeros are one input of a core.
            let held = |tiles: &[Tile]| {
                let due = (-8..=8).map(|k| double(from + k));
                due.filter(|x| cores.iter().any(|c| c.0 <= *x && *x <= c.1))
                    .all(|x| tiles.iter().any(|t| t.lo <= x && x <= t.hi))
            };
            let covers = super::super::tiling::covers(&class, &tiles);
            assert_eq!(covers.is_ok(), held(&tiles), "{cores:?} {tiles:?}");
            counts[usize::from(covers.is_ok())] += 1;
            let mut all = tiles.clone();
            let gaps = gaps(&class, &tiles);
            all.extend(&gaps);
            assert!(held(&all), "{cores:?} {tiles:?} {gaps:?}");
            assert_eq!(super::super::tiling::covers(&class, &all), Ok(()));
            // Nothing that the stretches hold.
            let twice = |g: &Tile| tiles.iter().any(|t| t.lo <= g.hi && g.lo <= t.hi);
            assert!(!gaps.iter().any(twice), "{cores:?} {tiles:?} {gaps:?}");
            assert!(
                gaps.iter()
                    .all(|g| g.lo == g.hi || g.lo.signum() == g.hi.signum())
            );
        }
        assert!(counts.iter().all(|c| *c > 1000), "{counts:?}");
    }
}
