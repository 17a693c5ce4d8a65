//! A polynomial for each cell of `|x|`, with its coefficients in tables. This is for odd functions without another reduction. There is one
//! cell around 0, and there are `2^t` cells between each power of two and the next.

use kernels_gen::ir::{BinOp, Elem};
use kernels_gen::syntax::Expr;

use super::design::{Approximation, Pieces};
use crate::build::{Builder, binary, same, sub};
use crate::points::points;
use crate::polynomial::Form;
use crate::remez;

impl Pieces {
    /// The best polynomials with this many coefficients, for arguments up to `most`.
    ///
    /// # Errors
    /// If the function has no reference, or one of the polynomials is not found.
    pub fn new(
        function: &'static str,
        first: i32,
        t: u32,
        most: f64,
        terms: u32,
    ) -> Result<Pieces, String> {
        let start = (2f64.powi(first).to_bits() >> (52 - t)) - 1;
        let end = |i: u64| match i {
            0 => 0.0,
            i => f64::from_bits((start + i) << (52 - t)),
        };
        let cells = (most.to_bits() >> (52 - t)) - start + 1;
        let mut pieces = Pieces {
            start,
            t,
            centers: Vec::new(),
            coefficients: vec![Vec::new(); terms as usize],
            error: 0.0,
        };
        for i in 0..cells {
            let (low, high) = (end(i), end(i + 1));
            let (center, form) = match i {
                0 => (0.0, Form::NoConstant),
                _ => (0.5 * (low + high), Form::All),
            };
            let approximation = Approximation {
                center,
                ..Approximation::relative(function, low, high)
            };
            // Around 0 the first coefficient is 0.
            let n = terms - u32::from(i == 0);
            let points = points(&approximation, form, n)?;
            let fit = remez::fit(&points, &form.powers(n), &[])?;
            pieces.centers.push(center.to_bits());
            pieces.error = pieces.error.max(fit.error);
            let none = if i == 0 { Some(0.0) } else { None };
            let all = none
                .into_iter()
                .chain(fit.coefficients.iter().map(|c| c.hi));
            for (column, c) in pieces.coefficients.iter_mut().zip(all) {
                column.push(c.to_bits());
            }
        }
        Ok(pieces)
    }
}

pub fn body(p: &Pieces, b: &mut Builder, x: &Expr) -> Expr {
    let size = b.bind("size", same("abs", x.clone(), vec![]));
    let places = b.int_literal((52 - p.t).into());
    let cell = binary(BinOp::Shr, b.to_bits(size.clone()), places);
    let start = b.integer("START", p.start as i64);
    let cell = b.bind("cell", sub(cell, start));
    let none = b.int_literal(0);
    let low = binary(BinOp::Lt, cell.clone(), none.clone());
    let cell = b.choose(low, none, cell);
    let cell = b.bind("cell", cell);
    // A NaN's is another one.
    let last = b.integer("LAST", p.centers.len() as i64 - 1);
    let high = binary(BinOp::Gt, cell.clone(), last.clone());
    let cell = b.choose(high, last, cell);
    let cell = b.bind("cell", cell);
    let center = b.load("CENTERS", Elem::F64, p.centers.clone(), cell.clone());
    let r = b.bind("r", sub(size, center));
    let mut y = None;
    for (n, column) in p.coefficients.iter().enumerate().rev() {
        let c = b.load(&format!("C{n}"), Elem::F64, column.clone(), cell.clone());
        let next = match y {
            None => c,
            Some(y) => b.fma(y, r.clone(), c),
        };
        y = Some(b.bind("y", next));
    }
    let y = y.unwrap_or(r);
    same("copysign", y, vec![x.clone()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each cell's polynomial approximates the function in that cell.
    #[test]
    fn pieces_are_of_their_cells() {
        let pieces = Pieces::new("erf", -2, 2, 3.9, 8).expect("polynomials");
        assert_eq!(pieces.centers.len(), 17);
        assert!(pieces.error < 2f64.powi(-30), "{}", pieces.error);
        let at = |x: f64| {
            let cell = ((x.to_bits() >> 50) as i64 - pieces.start as i64).max(0) as usize;
            let r = x - f64::from_bits(pieces.centers[cell]);
            let columns = pieces.coefficients.iter().rev();
            columns.fold(0.0, |y, c| y * r + f64::from_bits(c[cell]))
        };
        for i in 1..390 {
            let x = f64::from(i) * 0.01;
            let error = (at(x) / libm::erf(x) - 1.0).abs();
            assert!(error < 2f64.powi(-30), "{x}: {error}");
        }
    }
}
