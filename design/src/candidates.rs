//! Designs with coefficients: candidates.

use std::collections::HashMap;

use kernels_gen::ops::Prim;
use kernels_gen::program::Program;
use kernels_gen::syntax::tree;

use crate::build::{Coefficient, Stage};
use crate::dd::Dd;
use crate::judge::Candidate;
use crate::points::points;
use crate::polynomial::Form;
use crate::rational;
use crate::remez::{self, Fit, Point, Words};
use crate::shape::{Approximation, Design, Shape};

/// Polynomials that were already fitted. Designs that differ only in the order of evaluation share one.
#[derive(Default)]
pub struct Fits {
    known: HashMap<String, Result<Fit, String>>,
}

impl Fits {
    /// The polynomials of a design, with coefficients of its precision. The error is the larger one.
    ///
    /// # Errors
    /// The same as for [`remez::fit`].
    pub fn of(&mut self, design: &Design) -> Result<Fit, String> {
        if let Shape::Pieces(pieces) = &design.shape {
            return Ok(Fit {
                coefficients: Vec::new(),
                error: pieces.error,
            });
        }
        let first = Poly {
            approximation: &design.approximation,
            form: design.form,
            terms: design.terms,
            denominator: design.denominator,
            prim: design.prim,
            refitted: design.refitted(),
        };
        let mut fit = self.one(&first)?;
        if let Some(second) = &design.second {
            let other = self.one(&Poly {
                approximation: &second.approximation,
                form: Form::All,
                terms: second.terms,
                denominator: 0,
                prim: design.prim,
                refitted: design.refitted(),
            })?;
            fit.coefficients.extend(other.coefficients);
            fit.error = fit.error.max(other.error);
        }
        Ok(fit)
    }

    fn one(&mut self, poly: &Poly<'_>) -> Result<Fit, String> {
        let key = format!("{poly:?}");
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let fitted = fitted(poly);
        self.known.insert(key, fitted.clone());
        fitted
    }
}

/// A polynomial that is to be fitted.
#[derive(Debug)]
struct Poly<'a> {
    approximation: &'a Approximation,
    form: Form,
    terms: u32,
    /// The number of coefficients of a denominator after 1.
    denominator: u32,
    prim: Prim,
    /// Whether each coefficient is rounded before the next ones are fitted.
    refitted: bool,
}

/// The powers of the coefficients in the variable of the fit. For a centered odd or even polynomial, this variable is the square minus the
/// center.
fn powers(poly: &Poly<'_>) -> Vec<u32> {
    match poly.approximation.center {
        0.0 => poly.form.powers(poly.terms),
        _ => (0..poly.terms).collect(),
    }
}

fn fitted(poly: &Poly<'_>) -> Result<Fit, String> {
    let points = points(poly.approximation, poly.form, poly.terms + poly.denominator)?;
    let fixed: Vec<(u32, Dd)> = poly.form.one().map(|p| (p, Dd::ONE)).into_iter().collect();
    let powers = powers(poly);
    if poly.denominator > 0 {
        return quotient(poly, &points, &powers, &fixed);
    }
    if !poly.refitted {
        return remez::fit(&points, &powers, &fixed);
    }
    let words = words(poly.prim, poly.form.two_words());
    remez::fit_rounded(&points, &powers, &fixed, words)
}

/// The format of the coefficients.
fn words(prim: Prim, first_two: bool) -> Words {
    let (fraction, least) = match prim {
        Prim::F32 => (23, -149),
        _ => (52, -1074),
    };
    Words {
        fraction,
        least,
        first_two,
    }
}

/// A rational function. Its denominator is rounded first. With a known denominator `D`, the numerator is the polynomial for `f D` whose error has
/// the weight `1/D`.
fn quotient(
    poly: &Poly<'_>,
    points: &[Point],
    powers: &[u32],
    fixed: &[(u32, Dd)],
) -> Result<Fit, String> {
    let below = match poly.approximation.center {
        0.0 => poly.form.below(poly.denominator),
        _ => (1..=poly.denominator).collect(),
    };
    let known = |p: &Point| {
        let terms = fixed.iter().map(|&(power, c)| c * p.x.powi(power));
        terms.fold(Dd::ZERO, |s, t| s + t)
    };
    let rest: Vec<Point> = points
        .iter()
        .map(|p| Point {
            f: p.f - known(p),
            ..*p
        })
        .collect();
    let powers_of = rational::Powers {
        numerator: powers,
        denominator: &below,
    };
    let fit = rational::fit(&rest, powers_of)?;
    let round = |c: &Dd| match poly.prim {
        Prim::F32 => Dd::from(f64::from(c.hi as f32)),
        _ => Dd::from(c.hi),
    };
    let rounded: Vec<Dd> = fit.denominator.iter().map(round).collect();
    let times = |p: &Point| {
        let d = rational::denominator(&rounded, &below, p.x);
        Point {
            x: p.x,
            f: p.f * d,
            weight: p.weight / d.hi,
        }
    };
    let products: Vec<Point> = rest.iter().map(times).collect();
    if products.iter().any(|p| p.weight <= 0.0) {
        return Err("the rounded denominator has a zero".into());
    }
    let mut fit = match poly.refitted {
        true => remez::fit_rounded(&products, powers, &[], words(poly.prim, false))?,
        false => remez::fit(&products, powers, &[])?,
    };
    fit.coefficients.extend(rounded);
    Ok(fit)
}

/// A design with the coefficients of a polynomial.
#[must_use]
pub fn coefficients(design: &Design, fit: &Fit) -> Vec<Coefficient> {
    let names = design.form.powers(design.terms).into_iter();
    let names = names.map(|p| format!("C{p}"));
    let second = design.second.as_ref().map_or(0, |s| s.terms);
    let names = names.chain((0..second).map(|p| format!("D{p}")));
    let below = design.form.below(design.denominator);
    let names = names.chain(below.into_iter().map(|p| format!("D{p}")));
    let coefficient = |(name, c): (String, &Dd)| Coefficient {
        name,
        bits: match design.prim {
            Prim::F32 => u64::from((c.hi as f32).to_bits()),
            _ => c.hi.to_bits(),
        },
    };
    let all = names.zip(&fit.coefficients).map(coefficient);
    // The second word of the first coefficient is the last parameter.
    let low = fit.coefficients.first().filter(|_| design.form.two_words());
    all.chain(low.map(|c| Coefficient {
        name: format!("C{}_LO", design.form.powers(1)[0]),
        bits: c.lo.to_bits(),
    }))
    .collect()
}

/// The program of a design with its coefficients as parameters.
///
/// # Errors
/// If the kernel cannot be lowered, which is a bug of this crate.
pub fn program(design: &Design, coefficients: &[Coefficient]) -> Result<Program, String> {
    let unit = design.unit(design.function, Vec::new(), coefficients, Stage::Judged);
    kernels_gen::lower(tree::kernel(&unit)).map_err(|e| format!("{}: {e:?}", design.describe()))
}

/// A candidate.
///
/// # Errors
/// The same as for [`program`].
pub fn candidate(design: &Design, fit: &Fit) -> Result<Candidate, String> {
    let coefficients = coefficients(design, fit);
    Ok(Candidate {
        program: program(design, &coefficients)?,
        coefficients,
    })
}
