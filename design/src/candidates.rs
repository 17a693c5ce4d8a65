//! Designs with coefficients: candidates.

use std::collections::HashMap;

use kernels_gen::ops::Prim;
use kernels_gen::program::Program;
use kernels_gen::syntax::tree;

use crate::build::Coefficient;
use crate::dd::Dd;
use crate::judge::Candidate;
use crate::reference::values;
use crate::remez::{self, Fit, Point};
use crate::shape::{Approximation, Design};

/// Polynomials that were already fitted. Designs that differ only in the order of evaluation share one.
#[derive(Default)]
pub struct Fits {
    known: HashMap<String, Result<Fit, String>>,
}

impl Fits {
    /// The polynomial of a design, with coefficients of its precision.
    ///
    /// # Errors
    /// As for [`remez::fit`].
    pub fn of(&mut self, design: &Design) -> Result<Fit, String> {
        let key = format!(
            "{:?} {:?} {} {:?}",
            design.approximation, design.form, design.terms, design.prim
        );
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let fitted = fitted(design);
        self.known.insert(key, fitted.clone());
        fitted
    }
}

/// The points of an approximation.
///
/// # Errors
/// If the function has no reference.
pub fn points(a: &Approximation, terms: u32) -> Result<Vec<Point>, String> {
    let xs = remez::grid(a.low, a.high, remez::enough(terms as usize));
    let values = values(a.function, &xs)?;
    let point = |(&x, &f): (&f64, &Dd)| Point {
        x: Dd::from(x),
        f,
        weight: if a.relative { 1.0 / f.hi.abs() } else { 1.0 },
    };
    // A zero has no relative error.
    let all = xs.iter().zip(&values).map(point);
    Ok(all.filter(|p| !(a.relative && p.f.hi == 0.0)).collect())
}

fn fitted(design: &Design) -> Result<Fit, String> {
    let points = points(&design.approximation, design.terms)?;
    let fixed: Vec<(u32, Dd)> = design
        .form
        .one()
        .map(|p| (p, Dd::ONE))
        .into_iter()
        .collect();
    let powers = design.form.powers(design.terms);
    match design.prim {
        Prim::F32 => remez::fit_rounded(&points, &powers, &fixed, &|c| f64::from(c as f32)),
        _ => remez::fit(&points, &powers, &fixed),
    }
}

/// A design with the coefficients of a polynomial.
#[must_use]
pub fn coefficients(design: &Design, fit: &Fit) -> Vec<Coefficient> {
    let powers = design.form.powers(design.terms);
    let coefficient = |(power, c): (&u32, &Dd)| Coefficient {
        name: format!("C{power}"),
        bits: match design.prim {
            Prim::F32 => u64::from((c.hi as f32).to_bits()),
            _ => c.hi.to_bits(),
        },
    };
    powers
        .iter()
        .zip(&fit.coefficients)
        .map(coefficient)
        .collect()
}

/// The program of a design with its coefficients as parameters.
///
/// # Errors
/// If the kernel cannot be lowered, which is a fault of this crate.
pub fn program(design: &Design, coefficients: &[Coefficient]) -> Result<Program, String> {
    let unit = design.unit(design.function, Vec::new(), coefficients, true);
    kernels_gen::lower(tree::kernel(&unit)).map_err(|e| format!("{}: {e:?}", design.describe()))
}

/// A candidate.
///
/// # Errors
/// As for [`program`].
pub fn candidate(design: &Design, fit: &Fit) -> Result<Candidate, String> {
    let coefficients = coefficients(design, fit);
    Ok(Candidate {
        program: program(design, &coefficients)?,
        coefficients,
    })
}
