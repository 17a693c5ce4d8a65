//! The function that a routine computes: enclosures of its value and derivatives.
//!
//! | file | what |
//! |---|---|
//! | `kind` | the functions, their names, and where they are defined |
//! | `value` | functions at one number, to more than two words |
//! | `elementary` | functions made from them |
//! | `angle` | angles that are added to a function |
//! | `inverse`, `bell` | inverse functions; the error function |
//! | `gamma`, `srgb` | Γ and its logarithm; the transfer functions of sRGB |
//! | `powers` | powers with one fixed argument |
//! | `turned` | sine and tangent with multiples of π/16 added to their arguments |
//! | `from_zero` | `ln |Γ|` with one of its zeros added to the argument |
//! | `taylor` | Taylor coefficients of functions, at a number and over a cell |
//! | `equation` | Taylor coefficients from differential equations |

mod angle;
mod bell;
mod elementary;
mod equation;
mod from_zero;
mod gamma;
#[cfg(test)]
mod identities;
mod inverse;
mod kind;
mod powers;
#[cfg(test)]
mod references;
mod srgb;
mod taylor;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod truths;
mod turned;
mod value;

use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::cell::{Cell, Outcome, Tight, TwoWords, evaluate};
use crate::num::interval::{add_down, add_up};
use crate::num::series::range;
use crate::num::{Ball, Interval, Ring, Series};

pub use angle::Angle;
pub use kind::Law;
pub use powers::Power;
pub use value::{cbrt, exp, ln, ln2_times, sin_cos};

/// The number of coefficients of the series with which cells are bounded.
pub const TERMS: usize = 12;

/// The reference of a routine's result.
#[derive(Debug, Clone)]
pub enum Truth {
    /// A function.
    Law(Law),
    /// A power with one fixed argument.
    Power(Power),
    /// A kernel in real arithmetic. Its results are summed.
    Program(Program),
    /// A function that a stage of a routine computes.
    Stage(Stage),
}

/// A part of a routine whose numbers have two words: a high word that is a double, and a low word below its last place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// The function,
    pub law: Law,
    /// and what is added to it.
    pub plus: Angle,
    /// A number of sixteenths of π, below 32, that is added to the argument of a sine or a tangent; 0 for other functions.
    pub turn: u8,
    /// The number of a zero of `ln |Γ|` that is added to the argument of this function: its zeros below 0 are counted from 1 on, downwards, up to
    /// `from_zero::MOST`; 0 for none, and for other functions.
    pub zero: u8,
    /// The function is multiplied by two to this power. So it is known where it is larger than every double; nothing is added to such a function.
    pub scale: i32,
    /// If the argument has two words, the largest magnitude of the low one, a power of two. The low word is the second parameter, and the function is that
    /// of the sum of both.
    pub low: Option<f64>,
    /// The argument that is meant is the sum of the input, the low word, and a real number of at most this magnitude: the error of the stage before.
    pub slack: f64,
    /// Whether the result has two words: the routine has two results, and their exact sum counts.
    pub words: bool,
}

impl Stage {
    /// Whether its function is the law itself. A sum with a number has other identities, and so has a function to whose argument something is added; a
    /// multiple has other ends.
    fn is_law(&self) -> bool {
        self.plus == Angle::ZERO && self.turn == 0 && self.zero == 0 && self.scale == 0
    }

    /// The largest distance of an argument from its input.
    #[must_use]
    pub fn reach(&self) -> f64 {
        add_up(self.low.unwrap_or(0.0), self.slack)
    }

    /// Its numbers that have two words.
    #[must_use]
    pub fn two_words(&self) -> TwoWords {
        TwoWords {
            low: self.low,
            results: self.words,
        }
    }

    /// The arguments for the inputs of a cell.
    #[must_use]
    pub fn widened(&self, cell: Cell) -> Cell {
        match self.reach() {
            0.0 => cell,
            reach => Cell {
                lo: add_down(cell.lo, -reach),
                hi: add_up(cell.hi, reach),
            },
        }
    }
}

/// The function over a cell, divided by `2^e`: Taylor coefficients in `τ`, `x = c + w τ`, at `c` and over the cell.
#[derive(Debug, Clone, Copy)]
pub struct Enclosed<const K: usize> {
    /// At the center.
    pub at: Series<Ball, K>,
    /// Over the cell.
    pub over: Series<Interval, K>,
}

impl<const K: usize> Enclosed<K> {
    /// All values over the cell.
    #[must_use]
    pub fn range(&self) -> Interval {
        let range = range(&self.at, &self.over);
        range.meet(self.over.0[0]).unwrap_or(range)
    }

    /// Times a number.
    #[must_use]
    pub fn times(self, factor: Ball) -> Enclosed<K> {
        if factor.h == 1.0 && factor.l == 0.0 && factor.r == 0.0 {
            return self;
        }
        Enclosed {
            at: self.at.map(|c| c.mul(factor)),
            over: self.over.map(|c| c.mul(factor.enclosure())),
        }
    }
}

/// The reason why there is no enclosure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoTruth {
    /// The function is not defined or not bounded on the whole cell.
    Undefined,
    /// The reference is more than one program in real arithmetic on the cell. The cell must be cut where the value of this site of the
    /// reference changes.
    Varies(u32),
}

impl Truth {
    /// Encloses the function over a cell.
    ///
    /// # Errors
    /// If it is not one analytic function there.
    pub fn enclose<const K: usize>(
        &self,
        cell: Cell,
        center: f64,
        radius: f64,
        e: i32,
    ) -> Result<Enclosed<K>, NoTruth> {
        match self {
            Truth::Law(law) => law.enclose(cell, center, radius, e),
            Truth::Power(power) => power.enclose(cell, center, radius, e),
            Truth::Program(program) => in_reals(program, cell, center, radius, e),
            Truth::Stage(stage) => {
                let center = (center, radius);
                let e_of_law = e - stage.scale;
                let law = match (stage.zero, stage.law) {
                    (0, law) => law.enclose_turned(stage.turn, cell, center, e_of_law)?,
                    (zero, Law::LnGamma) if stage.turn == 0 => {
                        from_zero::enclose(zero, cell, center, e_of_law)?
                    }
                    _ => return Err(NoTruth::Undefined),
                };
                Ok(stage.plus.added(law, e))
            }
        }
    }
}

impl Truth {
    /// The function, if it has a name.
    #[must_use]
    pub fn law(&self) -> Option<Law> {
        match self {
            Truth::Law(law) => Some(*law),
            Truth::Stage(stage) => stage.is_law().then_some(stage.law),
            Truth::Power(_) | Truth::Program(_) => None,
        }
    }

    /// What the routine is a part of, if it is a stage.
    #[must_use]
    pub fn stage(&self) -> Option<Stage> {
        match self {
            Truth::Stage(stage) => Some(*stage),
            _ => None,
        }
    }

    /// The numbers of the routine that have two words.
    #[must_use]
    pub fn two_words(&self) -> TwoWords {
        self.stage().map_or(TwoWords::default(), |s| s.two_words())
    }

    /// The arguments of the function for the inputs of a cell.
    #[must_use]
    pub fn arguments(&self, cell: Cell) -> Cell {
        self.stage().map_or(cell, |stage| stage.widened(cell))
    }

    /// Whether the function is undefined at every input of a cell.
    #[must_use]
    pub fn nowhere(&self, cell: Cell) -> bool {
        self.law()
            .is_some_and(|law| law.nowhere(self.arguments(cell)))
    }

    /// Whether the function is so close to one of its zeros on the whole cell that it is not enclosed. The zeros of `ln |Γ|` are not doubles,
    /// and its value there is the difference of larger values.
    #[must_use]
    pub fn next_to_zero(&self, cell: Cell) -> bool {
        self.law()
            .is_some_and(|law| law.next_to_zero(self.arguments(cell)))
    }

    /// The infinity to which the function rounds on a whole cell, if it is not enclosed.
    #[must_use]
    pub fn beyond(&self, cell: Cell) -> Option<f64> {
        self.law()?.beyond(self.arguments(cell))
    }
}

/// A program's results in real arithmetic, summed.
fn in_reals<const K: usize>(
    program: &Program,
    cell: Cell,
    center: f64,
    radius: f64,
    e: i32,
) -> Result<Enclosed<K>, NoTruth> {
    let evaluated = evaluate(program, cell, &Tight::new(), true);
    let mut at = Series::constant(Ball::ZERO);
    let mut over = Series::constant(Interval::ZERO);
    let entry = program.entry();
    for (result, &value) in evaluated.results.iter().zip(&entry.results).take(2) {
        match result {
            Outcome::Constant(bits) => {
                let x = match entry.ty(value) {
                    Prim::F32 => f64::from(f32::from_bits(*bits as u32)),
                    _ => f64::from_bits(*bits),
                };
                if !x.is_finite() {
                    return Err(NoTruth::Undefined);
                }
                at = at.add(Series::constant(Ball::number(x).scale(-e)));
                over = over.add(Series::constant(Interval::point(x).scale(-e)));
            }
            Outcome::Residual(residual) => {
                let exponents = residual.exponents();
                let first = exponents[0];
                let x = Series::variable(
                    Ball::number(center).scale(-first),
                    Ball::number(radius).scale(-first),
                );
                let out = residual.result as usize;
                let shift = exponents[out] - e;
                at = at.add(residual.series(x, &exponents)[out].scale(shift));
                let x = Series::variable(
                    Interval::new(cell.lo, cell.hi).scale(-first),
                    Interval::point(radius).scale(-first),
                );
                over = over.add(residual.series(x, &exponents)[out].scale(shift));
            }
            Outcome::Varies { site, .. } | Outcome::Wide { site } => {
                return Err(NoTruth::Varies(*site));
            }
            Outcome::Empty => return Err(NoTruth::Undefined),
        }
    }
    Ok(Enclosed { at, over })
}
