//! The stretch of an analysis with the parameters of its series, and what these leave over.

use crate::function::On;
use crate::number::{Coarse, Fine, Number, double_below, exact, exponent, on_grid, power, zero};
use crate::residual::{Line, expo};
use crate::series::of_line;

/// The stretch that is analysed, and the parameters of its series.
#[derive(Clone)]
pub struct Expansion {
    /// Its lower end.
    pub lo: f64,
    /// Its upper end.
    pub hi: f64,
    /// A double near its middle.
    pub center: f64,
    /// At least the distance of the ends from the center; a power of two times the grid.
    pub radius: Number,
    /// The number of terms of series.
    pub terms: usize,
}

impl Expansion {
    /// The place of a stretch whose inputs are multiples of `2^grid`; its center is one.
    pub fn new(lo: f64, hi: f64, grid: i32) -> Expansion {
        let middle = if lo == hi {
            exact(lo)
        } else {
            exact((0.5 * lo + 0.5 * hi).clamp(lo, hi))
        };
        let center = double_below(&on_grid(&middle, grid));
        let lo = lo.min(center);
        let far = (exact(center) - exact(lo)).max(exact(hi) - exact(center));
        let radius = if zero(&far) {
            power(grid)
        } else {
            power((exponent(&far) + 1).max(grid))
        };
        let near = lo.abs().min(hi.abs());
        let narrow = if near > 0.0 && lo.signum() == hi.signum() {
            expo(near) - exponent(&radius)
        } else {
            0
        };
        Expansion {
            lo,
            hi,
            center,
            radius,
            // Each coefficient is smaller by about this many bits; the first has 53 bits before the point.
            terms: (3..9).find(|t| t * narrow >= 75).unwrap_or(9) as usize,
        }
    }

    /// The stretch.
    pub fn cell(&self) -> Coarse {
        Coarse::doubles(self.lo, self.hi)
    }
}

/// The value of a series over `|τ| <= 1`: all coefficients at the center, except the remainder, which is over the
/// stretch.
pub fn range(at: &[Fine], over: &[Coarse]) -> Coarse {
    let mut sum = at[0].to();
    let tail = at[1..]
        .iter()
        .map(|c| c.magnitude())
        .chain(over.last().map(Coarse::magnitude));
    for most in tail {
        sum = sum.add(&Coarse::symmetric(most).to());
    }
    sum
}

/// A bound of the part of the errors that the remainders of a line's and a function's series add, in units in the last place of the largest
/// true value: a bound of the errors is not smaller. It costs far less. `None` where a series is not defined.
pub fn remainder(
    line: &Line,
    function: &On,
    factor: &Fine,
    expansion: &Expansion,
) -> Option<Number> {
    let terms = expansion.terms;
    let mut x = vec![expansion.cell(), Coarse::of(expansion.radius.clone())];
    x.resize(terms + 1, Coarse::zero());
    let line = of_line(line, &x)?.swap_remove(line.result);
    let truth = function.series(&x[0], &x[1], terms + 1)?;
    let factor = factor.to();
    let unit = (exponent(&truth[0].mul(&factor).magnitude()) - 52).max(-1074);
    let rest = line[terms].sub(&truth[terms].mul(&factor));
    Some(rest.scale(-unit).magnitude())
}
