//! The check of a certificate: each of its stretches is proven again.
//!
//! | file | what |
//! |---|---|
//! | `tiling` | that no input is left out |
//! | `class` | classes: lines, each with all cells whose inputs it takes |
//! | `close` | how a stretch is closed: by its bound, by lattices, in parts |
//! | `input` | single inputs, and cells with one result |
//! | `near` | many inputs of one stretch |

mod class;
mod close;
mod input;
mod near;
mod tiling;

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::certificate::{Certificate, Tile};
use crate::function::Function;
use crate::ir::Program;
use crate::number::{Coarse, Fine};
use crate::residual::Assumed;

use class::Class;
use tiling::{covers, tiled};

/// The largest number of cuts of a stretch.
const DEPTH: u32 = 48;

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
    /// Stretches that had to be cut although the certificate says how they close.
    pub cut: AtomicU64,
    /// Stretches of classes that were examined, out of all.
    pub looked: AtomicU64,
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
    ln2: Option<Fine>,
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
    /// If an input of the range is in no cell, or a cell is not what the certificate says.
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
            ln2: Fine::double(2.0).ln(),
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
        // Next to a power of two, the width of the bounds decides whether the last step of a reduction is seen to round
        // a constant: the certificate's stretches fit one of both cases.
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

    /// The name of the function that the kernel approximates.
    pub fn function(&self) -> &'static str {
        self.function.words()
    }

    /// Checks the whole certificate, or one of `every` of the classes' stretches.
    ///
    /// # Errors
    /// With the first stretch that is not as the certificate says.
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
            // A step that has no pattern in common with the order of stretches.
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
}
