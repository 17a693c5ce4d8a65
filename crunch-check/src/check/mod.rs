//! The check of a certificate, which proves each of its stretches again.
//!
//! | file | contents |
//! |---|---|
//! | `tiling` | no input is left out |
//! | `derive` | the cells of a stretch, and which of them form one class |
//! | `class` | classes: a line with all cells whose inputs it takes |
//! | `make` | how classes are made of cells |
//! | `close` | how a stretch is closed: by its bound, by lattices, or in parts |
//! | `input` | single inputs, and cells with one result |
//! | `ranges` | the kernel on a cell, with ranges by series |
//! | `near` | many inputs of one stretch |
//! | `sieve` | inputs that are evaluated after the proof, without any theory |

mod class;
mod close;
mod derive;
mod input;
mod make;
mod near;
mod ranges;
mod sieve;
mod tiling;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::certificate::{Certificate, ClassKind, Tile};
use crate::function::Function;
use crate::ir::Program;
use crate::number::{Coarse, Fine};
use crate::residual::Assumed;

use class::Class;
use derive::{Found, Lines, gaps};
use tiling::{covers, tiled};

/// The largest number of cuts of a stretch.
const DEPTH: u32 = 80;

/// Counts of the work that was done.
#[derive(Debug, Default)]
pub struct Counts {
    /// Stretches closed by their bound.
    pub bound: AtomicU64,
    /// Stretches closed by lattices.
    pub lattice: AtomicU64,
    /// Runs of these lattices.
    pub runs: AtomicU64,
    /// Inputs that were evaluated.
    pub inputs: AtomicU64,
    /// Stretches that had to be cut although the certificate states how to close them.
    pub cut: AtomicU64,
    /// Stretches of classes that were examined, of all stretches.
    pub looked: AtomicU64,
    /// Cells that the checker found.
    pub cells: AtomicU64,
    /// The number of classes of these cells.
    pub classes: AtomicU64,
}

impl Counts {
    fn add(counter: &AtomicU64, n: u64) {
        counter.fetch_add(n, Ordering::Relaxed);
    }
}

/// A check in progress.
pub struct Check<'a> {
    certificate: &'a Certificate,
    program: Program,
    function: Function,
    classes: Vec<Class>,
    /// Stretches of the classes' inputs, with the number of their class.
    stretches: Vec<(usize, Tile)>,
    /// Cells on which the kernel gives one number.
    constants: Vec<(f64, f64)>,
    /// Cells that the checker found and that are classes of their own.
    plain: Vec<(f64, f64)>,
    /// Stretches that the checker found and evaluates input by input.
    single: Vec<(f64, f64)>,
    /// The number of stretches that were examined in the search for cells.
    examined: AtomicU64,
    ln2: Option<Fine>,
    ln10: Option<Fine>,
    /// Counts of the work that was done.
    pub counts: Counts,
}

/// The error of one input.
#[derive(Debug)]
pub enum At {
    /// It lies in this range, in ULP.
    Error(Coarse),
    /// Both the result and the true value are beyond the largest double.
    Overflow,
}

impl<'a> Check<'a> {
    /// Parses the kernel and compares the tiling with the range.
    ///
    /// # Errors
    /// If an input of the range is in no cell, or a cell does not agree with the certificate.
    pub fn new(certificate: &'a Certificate) -> Result<Check<'a>, String> {
        let (low, words) = (certificate.low, certificate.words);
        let program = Program::parse_kernel(&certificate.program, low, words)?;
        let known = match (certificate.law, certificate.plus, certificate.scale) {
            (Some(law), None, None) => Some(Function::Law(law)),
            (Some(law), Some(plus), None) => Some(Function::Plus(law, plus)),
            (Some(law), None, Some(scale)) => Some(Function::Scaled(law, scale)),
            (None, None, None) => None,
            (None, Some(_), _) => {
                return Err("an angle is added to no function of this checker".into());
            }
            (None, None, Some(_)) => {
                return Err("a scale is that of no function of this checker".into());
            }
            (Some(_), Some(_), Some(_)) => {
                return Err("it has an angle and a scale".into());
            }
        };
        let known = known.or(certificate.power.map(Function::Power));
        let known = known.or(certificate.turned.map(Function::Turned));
        let known = known.or(certificate.from_zero.map(Function::FromZero));
        let function = match (known, &certificate.reference) {
            (Some(known), None) => known,
            (None, Some(text)) => Function::Reference(Program::parse_reference(text)?),
            (None, None) => return Err("it does not say which function it is about".into()),
            (Some(_), Some(_)) => return Err("it is about two functions".into()),
        };
        if certificate.slack.is_some() && low.is_none() {
            return Err("it has a slack without a low word".into());
        }
        if low.is_some() {
            // Its branches are those of doubles, and x + l is none.
            if matches!(function, Function::Reference(_)) {
                return Err("a reference is no function of a sum with a low word".into());
            }
            if certificate.worst.is_some() {
                return Err("a low word is not known, and so is no worst input".into());
            }
        }
        let is_plain = |c: &crate::certificate::Class| c.kind == ClassKind::Plain;
        if words && !certificate.classes.iter().all(is_plain) {
            return Err("a kernel in two words has no reduced or scaled classes".into());
        }
        if certificate.error <= 0.0 {
            return Err("it claims no error".into());
        }
        let named = certificate.cells.iter().map(|c| (c.lo, c.hi));
        tiled(certificate, named.chain(certificate.cuts.iter().copied()))?;
        let mut check = Check {
            certificate,
            program,
            function,
            classes: Vec::new(),
            stretches: Vec::new(),
            constants: Vec::new(),
            plain: Vec::new(),
            single: Vec::new(),
            examined: AtomicU64::new(0),
            ln2: Fine::double(2.0).ln(),
            ln10: Fine::double(10.0).ln(),
            counts: Counts::default(),
        };
        check.named()?;
        check.found()?;
        Ok(check)
    }

    /// The classes whose cells the certificate names.
    fn named(&mut self) -> Result<(), String> {
        let certificate = self.certificate;
        let mut cells: Vec<Vec<(f64, f64)>> = vec![Vec::new(); certificate.classes.len()];
        for cell in &certificate.cells {
            match cell.class {
                Some(class) => cells
                    .get_mut(class)
                    .ok_or_else(|| format!("there is no class {class}"))?
                    .push((cell.lo, cell.hi)),
                None => self.constants.push((cell.lo, cell.hi)),
            }
        }
        // Next to a power of two, the width of the bounds decides whether the last step of a reduction is seen to round
        // a constant: the certificate's stretches fit one of both cases.
        let made = |i: usize, constants: bool| {
            let class = &certificate.classes[i];
            if class.kind == ClassKind::Scaled {
                return Err("it has no cell of which its cells are copies".into());
            }
            let made = self.class(&cells[i], class.kind, constants)?;
            covers(&made, &class.tiles)?;
            Ok(made)
        };
        let named: Vec<usize> = (0..cells.len())
            .filter(|&i| certificate.classes[i].of.is_none())
            .collect();
        let classes = named
            .par_iter()
            .map(|&i| {
                let first = made(i, true);
                let either = first.or_else(|e: String| made(i, false).map_err(|_: String| e));
                either.map_err(|e| format!("class {i}: {e}"))
            })
            .collect::<Result<Vec<_>, _>>()?;
        for (number, i) in named.into_iter().enumerate() {
            let tiles = certificate.classes[i].tiles.iter();
            self.stretches.extend(tiles.map(|t| (number, *t)));
        }
        self.classes = classes;
        Ok(())
    }

    /// The cells and classes of the stretches that are cut here.
    fn found(&mut self) -> Result<(), String> {
        let certificate = self.certificate;
        let mut lines = Lines::default();
        for (i, class) in certificate.classes.iter().enumerate() {
            let Some((lo, hi)) = class.of else { continue };
            let named = certificate.cells.iter().any(|c| c.class == Some(i));
            if class.kind == ClassKind::Plain || named {
                return Err(format!(
                    "class {i}: its cells are named, or it is not reduced"
                ));
            }
            let cut = self
                .example(class.kind, lo, hi)
                .map_err(|e| format!("class {i}: {e}"))?;
            lines.planned(cut, i)?;
        }
        let lines = Mutex::new(lines);
        let found: Vec<Found> = certificate
            .cuts
            .par_iter()
            .map(|&(lo, hi)| self.cells(lo, hi, &lines))
            .collect::<Result<_, _>>()?;
        let found = found.into_iter().fold(Found::default(), Found::join);
        // Those that were found are no longer what the certificate states.
        let named = certificate.cells.iter().map(|c| (c.lo, c.hi));
        tiled(certificate, named.chain(found.cells()))?;
        Counts::add(&self.counts.cells, found.cells().count() as u64);
        let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        let classes = lines.with(found.members);
        Counts::add(
            &self.counts.classes,
            (classes.len() + found.plain.len()) as u64,
        );
        for (class, planned) in classes {
            let tiles = planned.map_or(&[][..], |i| &certificate.classes[i].tiles);
            let rest = gaps(&class, tiles);
            let all: Vec<Tile> = tiles.iter().chain(&rest).copied().collect();
            covers(&class, &all)?;
            self.stretches
                .extend(all.into_iter().map(|t| (self.classes.len(), t)));
            self.classes.push(class);
        }
        self.constants.extend(found.constants);
        self.plain = found.plain;
        self.single = found.inputs;
        Ok(())
    }

    /// The name of the function that the kernel approximates.
    pub fn function(&self) -> &'static str {
        self.function.words()
    }

    /// How many stretches there are.
    pub fn stretches(&self) -> usize {
        self.stretches.len() + self.plain.len()
    }

    /// Checks the whole certificate, or one of `every` of the classes' stretches.
    ///
    /// # Errors
    /// The first stretch that does not agree with the certificate.
    pub fn run(&self, every: usize) -> Result<(), String> {
        self.constants
            .par_iter()
            .try_for_each(|&(lo, hi)| self.constant(lo, hi))?;
        self.single
            .par_iter()
            .try_for_each(|&(lo, hi)| self.inputs(lo, hi))?;
        // A step that shares no pattern with the order of stretches.
        let sampled = |i: usize| {
            i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 & 0xffff < 0x10000 / every.max(1)
        };
        let tiles: Vec<(usize, Tile)> = (self.stretches.iter().enumerate())
            .filter(|(i, _)| sampled(*i))
            .map(|(_, t)| *t)
            .collect();
        tiles.par_iter().try_for_each(|&(i, tile)| {
            Counts::add(&self.counts.looked, 1);
            let none = Assumed::new();
            self.close(&self.classes[i], tile.lo, tile.hi, &none, DEPTH, tile.how)
                .map_err(|e| {
                    let first = self.classes[i].members.first().map_or(0.0, |m| m.lo);
                    format!(
                        "the class of {first:e}, {:e} to {:e}: {e}",
                        tile.lo, tile.hi
                    )
                })
        })?;
        let plain: Vec<(f64, f64)> = (self.plain.iter().enumerate())
            .filter(|(i, _)| sampled(*i))
            .map(|(_, c)| *c)
            .collect();
        plain.par_iter().try_for_each(|&(lo, hi)| {
            Counts::add(&self.counts.looked, 1);
            self.of_its_own(lo, hi, ClassKind::Plain, DEPTH)
                .map_err(|e| format!("{lo:e} to {hi:e}: {e}"))
        })
    }

    /// Closes a cell that is a class of its own.
    fn of_its_own(&self, lo: f64, hi: f64, kind: ClassKind, depth: u32) -> Result<(), String> {
        let class = self
            .class(&[(lo, hi)], kind, true)
            .or_else(|e| self.class(&[(lo, hi)], kind, false).map_err(|_: String| e))?;
        gaps(&class, &[])
            .iter()
            .try_for_each(|t| self.close(&class, t.lo, t.hi, &Assumed::new(), depth, t.how))
    }
}

#[cfg(test)]
mod tests;
