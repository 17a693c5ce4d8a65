//! A residual in real arithmetic over a cell.

use super::deviation::{Base, Deviations, Expanded};
use crate::cell::{Cell, Kind, Residual};
use crate::law::TERMS;
use crate::num::{Ball, Interval, Ring, Series};

/// A residual in real arithmetic over a cell: a part of its analysis that does not depend on bounds of computed values, except by its scales.
pub(super) struct InReals {
    pub(super) at: Vec<Series<Ball, TERMS>>,
    pub(super) over: Vec<Series<Interval, TERMS>>,
    pub(super) method: Option<Box<Expanded>>,
    pub(super) bounds: Vec<Option<Interval>>,
}

impl InReals {
    pub(super) fn new(
        residual: &Residual,
        exponents: &[i32],
        cell: Cell,
        center: f64,
        radius: f64,
    ) -> InReals {
        let first = input_scale(residual, exponents);
        let center = Series::variable(
            Ball::number(center).scale(-first),
            Ball::number(radius).scale(-first),
        );
        let x = Series::variable(
            Interval::new(cell.lo, cell.hi).scale(-first),
            Interval::point(radius).scale(-first),
        );
        let (at, over) = (
            residual.series(center, exponents),
            residual.series(x, exponents),
        );
        if residual.affine().next().is_none() {
            return InReals {
                at,
                over,
                method: None,
                bounds: Vec::new(),
            };
        }
        let base = Base {
            residual,
            exponents,
            input: (center, x),
            at: &at,
            over: &over,
        };
        let deviations = Deviations::new(&base);
        let (at, over) = deviations.with_all(&base);
        InReals {
            at,
            over,
            method: deviations.result,
            bounds: deviations.reals,
        }
    }
}

/// Whether two residuals of a cell are the same program in real arithmetic.
pub(super) fn is_same(residual: &Residual, other: &Residual) -> bool {
    let (a, b) = (&residual.operations, &other.operations);
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.kind == b.kind)
}

/// The input's exponent; any number for a program without an input.
fn input_scale(residual: &Residual, exponents: &[i32]) -> i32 {
    let input = residual
        .operations
        .iter()
        .position(|o| o.kind == Kind::Input);
    input.map_or(0, |i| exponents[i])
}
