//! Arguments in two words: the function at the sum of an input and a low word.
//!
//! The low word l is an operation whose value in real arithmetic is 0, and whose rounding error is l. The theorem on errors then gives
//!
//! ```text
//! K(x, l) - f(x) = (S_out - f)(x) + Σ W_i ε_i + W_l l,
//! ```
//!
//! and `f(x + l) = f(x) + f'(x) l + f''(ξ) l²/2`, with ξ between x and `x + l`. So
//!
//! ```text
//! K(x, l) - f(x + l) = (S_out - f)(x) + Σ W_i ε_i + (W_l - f'(x)) l - f''(ξ) l²/2.
//! ```
//!
//! A routine that adds the low word to its argument has a `W_l` that is nearly f'. Both vary over a cell, so their difference is enclosed as a series. If the
//! argument is another real number, `x + l + s`, the error is less by `f'(x) s`, and the last term is `f''(ξ) (l + s)²/2`.

use super::Target;
use super::bound::truth_of;
use super::{Analysis, Unbounded};
use crate::cell::{Cell, Kind};
use crate::law::{Enclosed, Stage, TERMS};
use crate::num::{Ball, Interval, Ring, Series};

/// The function beside a cell's inputs.
pub(super) struct Beside {
    /// The function's values for all sums of an input and a low word,
    pub(super) function: Interval,
    /// and `f' s + f'' (l + s)²/2` for these.
    pub(super) moved: Interval,
    /// `f'` over the cell, times `2^by` for the scale of the other values.
    derivative: Enclosed<TERMS>,
}

impl Beside {
    /// `None` if the argument is the input. Values are divided by `2^e`.
    pub(super) fn new(
        stage: Stage,
        target: Target<'_>,
        cell: Cell,
        e: i32,
    ) -> Result<Option<Beside>, Unbounded> {
        let reach = stage.reach();
        if reach == 0.0 {
            return Ok(None);
        }
        let enclosed = |cell: Cell| {
            let center = cell.center();
            // Derivatives are coefficients over powers of the radius. A single number has none, so it takes the reach.
            let radius = Some(cell.radius(center)).filter(|&r| r > 0.0);
            let radius = radius.unwrap_or(reach);
            truth_of(target.truth, cell, center, radius, e)
                .map(|g| (g.times(target.factor), radius))
        };
        let (wide, radius) = enclosed(stage.widened(cell))?;
        let part = Interval::point(reach).div(Interval::point(radius));
        let square = part.mul(part).hull(Interval::ZERO);
        let curvature = wide.over.0[2].mul(square);
        let (here, radius) = enclosed(cell)?;
        let derivative = Enclosed {
            at: derivative(here.at, Ball::number(radius)),
            over: derivative(here.over, Interval::point(radius)),
        };
        let slope = derivative.over.0[0].mul(Interval::symmetric(stage.slack));
        Ok(Some(Beside {
            function: wide.range(),
            moved: curvature.add(slope),
            derivative,
        }))
    }

    /// Subtracts the derivative, times `1 + η`, from the weight of the low word.
    pub(super) fn less_derivative(
        &self,
        analysis: &Analysis,
        eta: Interval,
        weights: &mut [Interval],
    ) {
        let operations = &analysis.residual.operations;
        let Some(i) = (operations.iter()).position(|o| matches!(o.kind, Kind::Low(_))) else {
            return;
        };
        let e = analysis.exponents[i];
        let Enclosed { at, over } = &self.derivative;
        let rest = eta.mul(over.0[0]).scale(e);
        weights[i] = analysis
            .weight_less(i, &at.scale(e), &over.scale(e))
            .sub(rest);
    }
}

/// The series of the derivative by the argument.
fn derivative<R: Ring>(of: Series<R, TERMS>, radius: R) -> Series<R, TERMS> {
    let mut made = Series::constant(R::number(0.0));
    for k in 1..TERMS {
        let times = R::number(k as f64);
        made.0[k - 1] = of.0[k].mul(times).div(radius);
    }
    made
}

#[cfg(test)]
mod tests;
