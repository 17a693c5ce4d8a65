//! The residual program of a cell.

use std::sync::Arc;

use kernels_gen::interp::Site;
use kernels_gen::ops::{Direction, Op};
use kernels_gen::program::{FuncId, Program, Value};
use kernels_gen::text::op_name;

use crate::num::float::Format;
use crate::num::{Interval, Ring, Series};

/// The index of an operation.
pub type Index = u32;

/// A step of real arithmetic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// The input.
    Input,
    /// A number.
    Const(f64),
    /// The low word of the argument: zero in real arithmetic, with a rounding error of at most this magnitude.
    Low(f64),
    /// `a + b`
    Add(Index, Index),
    /// `a - b`
    Sub(Index, Index),
    /// `a * b`
    Mul(Index, Index),
    /// `a / b`
    Div(Index, Index),
    /// `a * b + c`
    Fma(Index, Index, Index),
    /// The square root.
    Sqrt(Index),
    /// `-a`
    Neg(Index),
    /// `a`, rounded to another format.
    Round(Index),
    /// `a + b`, exactly: the value of a result in two words.
    Sum(Index, Index),
    /// `a + b - s`, exactly, where `s` is their rounded sum: zero in real arithmetic.
    SumError(Index, Index, Index),
    /// `a * b - p`, exactly, where `p` is their rounded product.
    ProductError(Index, Index, Index),
    /// `of * factor + plus`, and a deviation that depends on the input. It is a number whose bits are computed from the bits of another;
    /// see `line`.
    Affine {
        /// The operand.
        of: Index,
        /// The factor.
        factor: f64,
        /// The addend.
        plus: f64,
        /// The range of the result minus the affine function of the computed operand, an exact number.
        deviation: Interval,
    },
}

impl Kind {
    /// The operands.
    #[must_use]
    pub fn args(self) -> ([Index; 3], usize) {
        match self {
            Kind::Input | Kind::Const(_) | Kind::Low(_) => ([0; 3], 0),
            Kind::Sqrt(a) | Kind::Neg(a) | Kind::Round(a) | Kind::Affine { of: a, .. } => {
                ([a, 0, 0], 1)
            }
            Kind::Add(a, b)
            | Kind::Sub(a, b)
            | Kind::Mul(a, b)
            | Kind::Div(a, b)
            | Kind::Sum(a, b) => ([a, b, 0], 2),
            Kind::Fma(a, b, c) | Kind::SumError(a, b, c) | Kind::ProductError(a, b, c) => {
                ([a, b, c], 3)
            }
        }
    }

    /// With each operand renumbered.
    #[must_use]
    pub fn renumbered(self, f: impl Fn(Index) -> Index) -> Kind {
        match self {
            Kind::Input | Kind::Const(_) | Kind::Low(_) => self,
            Kind::Add(a, b) => Kind::Add(f(a), f(b)),
            Kind::Sub(a, b) => Kind::Sub(f(a), f(b)),
            Kind::Sum(a, b) => Kind::Sum(f(a), f(b)),
            Kind::Mul(a, b) => Kind::Mul(f(a), f(b)),
            Kind::Div(a, b) => Kind::Div(f(a), f(b)),
            Kind::Fma(a, b, c) => Kind::Fma(f(a), f(b), f(c)),
            Kind::Sqrt(a) => Kind::Sqrt(f(a)),
            Kind::Neg(a) => Kind::Neg(f(a)),
            Kind::Round(a) => Kind::Round(f(a)),
            Kind::SumError(a, b, s) => Kind::SumError(f(a), f(b), f(s)),
            Kind::ProductError(a, b, p) => Kind::ProductError(f(a), f(b), f(p)),
            Kind::Affine {
                of,
                factor,
                plus,
                deviation,
            } => Kind::Affine {
                of: f(of),
                factor,
                plus,
                deviation,
            },
        }
    }
}

/// The numbers of a kernel that have two words.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TwoWords {
    /// The largest magnitude of the argument's low word, which is the second parameter.
    pub low: Option<f64>,
    /// Whether both results are words of one number.
    pub results: bool,
}

/// The rounding of an operation's result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rounding {
    /// Exponent of the largest unit in the last place of its results on the cell.
    pub unit: i32,
    /// The rounded result minus the exact one, in units: within [-½, ½] for rounding to nearest.
    pub error: Interval,
    /// The exact results are multiples of `2^exact_grid`; `None` if no grid is known, as for quotients and roots.
    pub exact_grid: Option<i32>,
}

/// An operation of a residual program.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operation {
    /// The operation.
    pub kind: Kind,
    /// Its site in the evaluation of the kernel, which gives its place in the source.
    pub site: u32,
    /// The format of its result.
    pub format: Format,
    /// Encloses its computed values.
    pub values: Interval,
    /// Encloses its values in real arithmetic, in which no earlier operation is rounded.
    pub reals: Interval,
    /// Its computed values are multiples of `2^grid`.
    pub grid: i32,
    /// The direction in which it rounds, on any stretch; `None` for rounding to nearest.
    pub direction: Option<Direction>,
    /// Its rounding; `None` if it is exact.
    pub rounding: Option<Rounding>,
}

/// The place of an operation in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// See [`Operation::site`].
    pub site: u32,
    /// The file.
    pub file: Arc<str>,
    /// Its line.
    pub line: u32,
    /// The operation in words, and the local to which it was bound, if any.
    pub text: String,
}

impl Label {
    /// The label of a site at which `operation` is computed.
    pub(crate) fn of(site: Site<'_>, operation: String) -> Label {
        let (file, line) = site.source();
        let text = match &site.instruction().name {
            Some(name) => format!("{operation} ({name})"),
            None => operation,
        };
        Label {
            site: site.number,
            file: Arc::clone(file),
            line,
            text,
        }
    }
}

/// The data of a label before it is put into words. Making words for each of many cells would take longer than the cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    site: u32,
    func: FuncId,
    inst: Value,
    op: Op,
}

impl Place {
    pub(super) fn of(site: Site<'_>, op: Op) -> Place {
        Place {
            site: site.number,
            func: site.func,
            inst: site.inst,
            op,
        }
    }

    /// The label in words, from the program that was evaluated.
    pub(crate) fn label(self, program: &Program) -> Label {
        let site = Site {
            program,
            calls: &[],
            func: self.func,
            inst: self.inst,
            number: self.site,
        };
        Label::of(site, op_name(self.op))
    }
}

/// The program that is equivalent to a kernel on a cell.
#[derive(Debug, Clone)]
pub struct Residual {
    /// The operations, each after its operands. The result depends on all of them.
    pub operations: Vec<Operation>,
    /// The index of the result.
    pub result: Index,
}

impl Residual {
    /// The operations on which the result depends.
    pub(crate) fn live(operations: &[Operation], result: Index) -> Residual {
        Residual::live_of(operations, &[result])
    }

    /// The operations on which any of these numbers depends. The result is the last of the numbers.
    pub(crate) fn live_of(operations: &[Operation], results: &[Index]) -> Residual {
        let mut wanted = vec![false; operations.len()];
        for &result in results {
            wanted[result as usize] = true;
        }
        for i in (0..operations.len()).rev() {
            if wanted[i] {
                let (args, n) = operations[i].kind.args();
                for &a in &args[..n] {
                    wanted[a as usize] = true;
                }
            }
        }
        let mut place = vec![0; operations.len()];
        let count = wanted.iter().filter(|w| **w).count();
        let mut live = Vec::with_capacity(count);
        for (i, operation) in operations.iter().enumerate() {
            if wanted[i] {
                place[i] = live.len() as Index;
                let kind = operation.kind.renumbered(|a| place[a as usize]);
                live.push(Operation { kind, ..*operation });
            }
        }
        Residual {
            result: results.last().map_or(0, |&r| place[r as usize]),
            operations: live,
        }
    }

    /// An operation.
    #[must_use]
    pub fn at(&self, i: Index) -> &Operation {
        &self.operations[i as usize]
    }

    /// For each operation, an exponent `e` such that all of its values, computed or real, are below `2^e` in magnitude.
    #[must_use]
    pub fn exponents(&self) -> Vec<i32> {
        let of = |o: &Operation| {
            let most = o.values.magnitude().max(o.reals.magnitude());
            if most == 0.0 || !most.is_finite() {
                // It is an exact zero, or interval evaluation could not bound its range; then any scale will do.
                if most == 0.0 { 0 } else { 1024 }
            } else {
                crate::num::float::exponent(most) + 1
            }
        };
        self.operations.iter().map(of).collect()
    }

    /// Whether some operation's deviation varies with the input.
    pub(crate) fn deviates(&self) -> bool {
        self.operations.iter().any(
            |o| matches!(o.kind, Kind::Affine { deviation, .. } if deviation.lo != deviation.hi),
        )
    }

    /// The operations that are affine functions with a deviation.
    pub(crate) fn affine(&self) -> impl Iterator<Item = usize> {
        let all = self.operations.iter().enumerate();
        all.filter_map(|(i, o)| matches!(o.kind, Kind::Affine { .. }).then_some(i))
    }

    /// The program in real arithmetic over series, without deviations. Each value is divided by `2^exponents[i]`. `input` is
    /// already divided.
    #[must_use]
    pub fn series<R: Ring, const K: usize>(
        &self,
        input: Series<R, K>,
        exponents: &[i32],
    ) -> Vec<Series<R, K>> {
        self.deviating_series(input, exponents, |_, value| value)
    }

    /// The same as [`Residual::series`]. `deviating` gives the value of an affine operation, from its number and its value without a
    /// deviation.
    pub(crate) fn deviating_series<R: Ring, const K: usize>(
        &self,
        input: Series<R, K>,
        exponents: &[i32],
        deviating: impl Fn(usize, Series<R, K>) -> Series<R, K>,
    ) -> Vec<Series<R, K>> {
        let mut all: Vec<Series<R, K>> = Vec::with_capacity(self.operations.len());
        for (i, operation) in self.operations.iter().enumerate() {
            let e = exponents[i];
            let of = |a: Index| all[a as usize];
            let ex = |a: Index| exponents[a as usize];
            let value = match operation.kind {
                Kind::Input => input,
                Kind::Const(c) => Series::constant(R::number(c).scale(-e)),
                Kind::Add(a, b) | Kind::Sum(a, b) => {
                    of(a).scale(ex(a) - e).add(of(b).scale(ex(b) - e))
                }
                Kind::Sub(a, b) => of(a).scale(ex(a) - e).sub(of(b).scale(ex(b) - e)),
                Kind::Mul(a, b) => of(a).mul(of(b)).scale(ex(a) + ex(b) - e),
                Kind::Div(a, b) => of(a).div(of(b)).scale(ex(a) - ex(b) - e),
                Kind::Fma(a, b, c) => {
                    let p = of(a).mul(of(b)).scale(ex(a) + ex(b) - e);
                    p.add(of(c).scale(ex(c) - e))
                }
                Kind::Sqrt(a) => {
                    let half = ex(a).div_euclid(2);
                    of(a).scale(ex(a) - 2 * half).root().scale(half - e)
                }
                Kind::Neg(a) => of(a).scale(ex(a) - e).map(R::neg),
                Kind::Round(a) => of(a).scale(ex(a) - e),
                Kind::Low(_) | Kind::SumError(..) | Kind::ProductError(..) => {
                    Series::constant(R::number(0.0))
                }
                Kind::Affine {
                    of: a,
                    factor,
                    plus,
                    ..
                } => {
                    let of = of(a).times(R::number(factor)).scale(ex(a) - e);
                    let plus = R::number(plus).scale(-e);
                    deviating(i, of.add(Series::constant(plus)))
                }
            };
            all.push(value);
        }
        all
    }
}
