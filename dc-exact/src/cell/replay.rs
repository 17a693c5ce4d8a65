//! The residual of a cell, evaluated over another stretch of inputs.

use kernels_gen::ops::{Arith, Op, Prim};

use super::Tight;
use super::arithmetic::half_units;
use super::domain::{Cells, Over};
use super::residual::{Index, Kind, Operation, Residual};
use super::values::corners;
use crate::num::Interval;
use crate::num::float::{BINARY32, BINARY64, COARSEST, Format, grid};

/// The operations of a residual over another stretch of its input: with new ranges, grids and roundings. Nothing
/// is claimed for inputs whose values do not meet the bounds of `tight`.
///
/// # Errors
/// If an operation's result may be infinite or NaN, or no value meets the bounds of `tight`.
pub fn replay(residual: &Residual, input: Operation, tight: &Tight) -> Result<Residual, NoReplay> {
    let mut domain = Cells {
        operations: Vec::with_capacity(residual.operations.len() + 4),
        ..Cells::new(tight)
    };
    let mut place: Vec<Index> = Vec::with_capacity(residual.operations.len());
    for operation in &residual.operations {
        let made = domain.again(operation, input, &place);
        if domain.empty {
            return Err(NoReplay::Empty);
        }
        place.push(made.ok_or(NoReplay::Endless)?);
    }
    let result = place[residual.result as usize];
    Ok(Residual::live(&domain.operations, result))
}

/// The reason why a stretch has no residual.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoReplay {
    /// No value meets the assumed bounds.
    Empty,
    /// A result may be infinite or NaN.
    Endless,
}

impl Cells<'_> {
    /// Evaluates one operation over other operands, whose indices are in `place`.
    fn again(&mut self, operation: &Operation, input: Operation, place: &[Index]) -> Option<Index> {
        let (args, n) = operation.kind.args();
        let args = args.map(|a| place.get(a as usize).copied().unwrap_or_default());
        let get = |s: &Self, i: usize| s.operations[args[i] as usize];
        let ty = |f: Format| if f == BINARY32 { Prim::F32 } else { Prim::F64 };
        let mut op = match operation.kind {
            Kind::Input => {
                let Over::Real(i) = self.push(input) else {
                    return None;
                };
                return Some(i);
            }
            Kind::Const(_) | Kind::Low(_) => {
                let Over::Real(i) = self.push(*operation) else {
                    return None;
                };
                return Some(i);
            }
            Kind::Neg(_) => {
                let Over::Real(i) =
                    self.negated(ty(operation.format), &Over::Real(args[0]), operation.site)
                else {
                    return None;
                };
                return Some(i);
            }
            Kind::Round(_) if operation.format == BINARY64 => {
                let Over::Real(i) = self.widened(operation.site, args[0]) else {
                    return None;
                };
                return Some(i);
            }
            Kind::SumError(..) | Kind::ProductError(..) => {
                let [a, b, s] = args;
                // The sum is one of the operands, so that its error is the other one: see `absorbed`.
                if let Kind::Const(c) = get(self, 2).kind {
                    return Some(if self.is_number(a, c) { b } else { a });
                }
                let made = match get(self, 2).rounding {
                    Some(rounding) => Operation {
                        kind: if matches!(operation.kind, Kind::SumError(..)) {
                            Kind::SumError(a, b, s)
                        } else {
                            Kind::ProductError(a, b, s)
                        },
                        values: half_units(rounding),
                        grid: rounding.exact_grid.unwrap_or(BINARY64.least),
                        ..*operation
                    },
                    None => {
                        let error = self.kept(s, [a, b]);
                        Operation {
                            kind: Kind::Const(error),
                            values: Interval::point(error),
                            reals: Interval::point(error),
                            grid: if error == 0.0 { COARSEST } else { grid(error) },
                            ..*operation
                        }
                    }
                };
                let Over::Real(i) = self.push(made) else {
                    return None;
                };
                return Some(i);
            }
            Kind::Affine { .. } => return self.affine_again(operation, args[0]),
            Kind::Sum(..) => {
                let Over::Real(i) = self.sum(args[0], args[1]) else {
                    return None;
                };
                return Some(i);
            }
            Kind::Add(..) => Op::Add,
            Kind::Sub(..) => Op::Sub,
            Kind::Mul(..) => Op::Mul,
            Kind::Div(..) => Op::Div,
            Kind::Fma(..) => Op::Fma,
            Kind::Sqrt(_) => Op::Sqrt,
            Kind::Round(_) => Op::ToF32,
        };
        if let Some(direction) = operation.direction {
            let arith = match op {
                Op::Add => Arith::Add,
                Op::Sub => Arith::Sub,
                Op::Mul => Arith::Mul,
                Op::Div => Arith::Div,
                Op::Fma => Arith::Fma,
                _ => Arith::Sqrt,
            };
            op = Op::Directed(arith, direction);
        }
        // Operands have the result's type, except in a conversion to binary32.
        let from = match operation.kind {
            Kind::Round(_) => BINARY64,
            _ => operation.format,
        };
        let ranges: Vec<Interval> = (0..n).map(|i| get(self, i).values).collect();
        if matches!(op, Op::Div | Op::Directed(Arith::Div, _)) && ranges[1].contains(0.0) {
            return None;
        }
        let (values, same) = corners(op, ty(from), ty(operation.format), &ranges)?;
        let values = self.tightened(operation.site, values);
        if same && self.absorbed(op, args, values.lo) {
            let Over::Real(i) = self.push(Operation {
                kind: Kind::Const(values.lo),
                values,
                reals: values,
                grid: grid(values.lo),
                rounding: None,
                ..*operation
            }) else {
                return None;
            };
            return Some(i);
        }
        if !(values.lo.is_finite() && values.hi.is_finite()) {
            return None;
        }
        match self.real_operation(operation.site, op, ty(operation.format), args, values) {
            Over::Real(i) => Some(i),
            _ => None,
        }
    }

    /// Whether a sum that is `sum` on the whole stretch is one of its operands, a constant, because the other operand is too small to
    /// change it. Then the sum is replaced by that constant, in real arithmetic as well: the program that is compared with the function may
    /// be any program with the same results.
    fn absorbed(&self, op: Op, [a, b, _]: [Index; 3], sum: f64) -> bool {
        match op {
            Op::Add => self.is_number(a, sum) || self.is_number(b, sum),
            Op::Sub => self.is_number(a, sum),
            _ => false,
        }
    }

    fn is_number(&self, a: Index, x: f64) -> bool {
        matches!(self.operations[a as usize].kind, Kind::Const(c) if c == x)
    }
}
