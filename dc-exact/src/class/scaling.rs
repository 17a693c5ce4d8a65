//! A program whose values are those of another one, each times a separate power of two, with the roundings scaled.

use crate::cell::{Index, Kind, Operation, Residual, Rounding};
use crate::num::float::{COARSEST, exponent, power};
use crate::num::{Interval, Ring};

/// `x 2^e`, exactly. `None` if it is not a double.
pub(crate) fn times_power(x: f64, e: i32) -> Option<f64> {
    // Farther than the smallest and the largest exponent are apart, only zero stays a double.
    if e.abs() > 1074 + 1023 {
        return (x == 0.0).then_some(x);
    }
    // In three steps: e may be that difference.
    let by = |x: f64, e: i32| {
        let third = e / 3;
        x * power(third) * power(third) * power(e - 2 * third)
    };
    let y = by(x, e);
    (y.is_finite() && by(y, -e) == x).then_some(y)
}

/// How often each operation is an operand.
fn uses(residual: &Residual) -> Vec<u32> {
    let mut uses = vec![0; residual.operations.len()];
    for operation in &residual.operations {
        let (args, n) = operation.kind.args();
        for &a in &args[..n] {
            uses[a as usize] += 1;
        }
    }
    uses
}

/// The scaling of a residual.
pub(super) struct Scaled<'a> {
    of: &'a Residual,
    uses: Vec<u32>,
    /// The powers of two of which constants are multiples, unless the sum to which they belong needs another one.
    constants: &'a [i32],
    /// For each operation, the exponent of a power of two: every exact result is zero or at least this large in magnitude.
    smallest: Vec<i32>,
    /// Each value is that of the scaled program times `2^by`.
    pub by: Vec<i32>,
    pub operations: Vec<Operation>,
}

impl<'a> Scaled<'a> {
    /// The residual for an input times `2^-input`, whose constants are scaled by these powers of two. `None` if a value is not scaled with
    /// its operands.
    pub fn new(of: &'a Residual, input: i32, constants: &'a [i32]) -> Option<Scaled<'a>> {
        let mut made = Scaled {
            of,
            uses: uses(of),
            constants,
            smallest: Vec::new(),
            by: vec![0; of.operations.len()],
            operations: of.operations.clone(),
        };
        for i in 0..of.operations.len() {
            made.operation(i, input)?;
        }
        Some(made)
    }

    fn operation(&mut self, i: usize, input: i32) -> Option<()> {
        let operation = self.of.operations[i];
        self.smallest.push(smallest(self.of, i, &self.smallest));
        let by = |s: &Self, a: Index| s.by[a as usize];
        let to = match operation.kind {
            Kind::Input => input,
            Kind::Const(c) => {
                let to = self.constants[i];
                self.operations[i].kind = Kind::Const(times_power(c, -to)?);
                to
            }
            // A low word of a cell is not a copy of another cell's.
            Kind::Low(_) => return None,
            Kind::Add(a, b) | Kind::Sub(a, b) | Kind::Sum(a, b) => self.common(&[a, b])?,
            Kind::SumError(a, b, s) => self.common(&[a, b, s])?,
            Kind::Mul(a, b) => by(self, a) + by(self, b),
            Kind::ProductError(a, b, p) => {
                let product = by(self, a) + by(self, b);
                (by(self, p) == product).then_some(product)?
            }
            Kind::Div(a, b) => by(self, a) - by(self, b),
            Kind::Fma(a, b, c) => {
                let product = by(self, a) + by(self, b);
                self.adjust(c, product)?;
                product
            }
            Kind::Sqrt(a) => {
                let by = by(self, a);
                (by % 2 == 0).then_some(by / 2)?
            }
            Kind::Neg(a) => by(self, a),
            Kind::Round(a) => (by(self, a) == 0).then_some(0)?,
            Kind::Affine {
                of,
                factor,
                plus,
                deviation,
            } => {
                // The bits are about the logarithm of the number, so their factor is the exponent of a power.
                let binade = |i: usize| exponent(self.of.operations[i].values.lo);
                let slope = times_power(factor, binade(of as usize) - binade(i))?;
                let scaled = f64::from(by(self, of)) * slope;
                let to = scaled.round() as i32;
                if (scaled - scaled.round()).abs() > 0.01 {
                    return None;
                }
                self.operations[i].kind = Kind::Affine {
                    of,
                    factor: times_power(factor, by(self, of) - to)?,
                    plus: times_power(plus, -to)?,
                    deviation: Interval {
                        lo: times_power(deviation.lo, -to)?,
                        hi: times_power(deviation.hi, -to)?,
                    },
                };
                to
            }
        };
        self.scale(i, to)
    }

    /// The common scale of the operands of a sum that are not constants, if they have one.
    fn common(&mut self, args: &[Index]) -> Option<i32> {
        let varies = |a: &&Index| !matches!(self.of.at(**a).kind, Kind::Const(_));
        let first = args.iter().find(varies).unwrap_or(&args[0]);
        let to = self.by[*first as usize];
        for &a in args {
            self.adjust(a, to)?;
        }
        Some(to)
    }

    /// Gives an operand of a sum this scale. Only a constant can be given another scale.
    fn adjust(&mut self, a: Index, to: i32) -> Option<()> {
        let a = a as usize;
        if self.by[a] == to {
            return Some(());
        }
        let Kind::Const(c) = self.operations[a].kind else {
            return None;
        };
        if self.uses[a] != 1 {
            return None;
        }
        self.operations[a].kind = Kind::Const(times_power(c, -to)?);
        self.scale(a, to)
    }

    /// Sets the scale of an operation.
    fn scale(&mut self, i: usize, to: i32) -> Option<()> {
        let operation = &mut self.operations[i];
        let (before, smallest) = (*operation, self.smallest[i]);
        self.by[i] = to;
        operation.values = operation.values.scale(-to);
        operation.reals = operation.reals.scale(-to);
        if operation.grid < COARSEST {
            operation.grid -= to;
        }
        operation.rounding = operation.rounding.map(|r| Rounding {
            unit: r.unit - to,
            error: r.error,
            exact_grid: r.exact_grid.map(|g| g - to),
        });
        let alike =
            to == 0 || rounds_alike(&before, smallest) && rounds_alike(operation, smallest - to);
        (alike && operation.values.magnitude().is_finite()).then_some(())
    }
}

/// The exponent of a power of two such that every exact result of an operation is zero or at least this large in magnitude, from those of
/// its operands.
fn smallest(residual: &Residual, i: usize, of: &[i32]) -> i32 {
    let operation = &residual.operations[i];
    if !operation.values.contains(0.0) {
        // A value that is rounded up to the least number may be smaller, but not half of it.
        return exponent(operation.values.least()) - 1;
    }
    let of = |a: Index| of[a as usize];
    match operation.kind {
        Kind::Mul(a, b) => of(a) + of(b),
        Kind::Div(a, b) => of(a) - exponent(residual.at(b).values.magnitude()) - 1,
        Kind::Sqrt(a) => of(a).div_euclid(2),
        _ => exact_grid(operation).unwrap_or(-COARSEST),
    }
}

/// The exact results are multiples of `2^grid`.
fn exact_grid(operation: &Operation) -> Option<i32> {
    match operation.rounding {
        None => Some(operation.grid),
        Some(rounding) => rounding.exact_grid,
    }
}

/// Whether the rounding errors of an operation are scaled with its results. Either each exact result is zero or not subnormal, or all are
/// multiples of the smallest number, so that subnormal ones are not rounded. This must hold before and after the scaling, for operations
/// that are not rounded too: the core is evaluated as a program.
fn rounds_alike(operation: &Operation, smallest: i32) -> bool {
    let format = operation.format;
    smallest >= format.least + format.precision - 1
        || exact_grid(operation).is_some_and(|g| g >= format.least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::dyadic::{Dyadic, Random};
    use crate::num::float::{BINARY64, grid};

    fn operation(kind: Kind, lo: f64, hi: f64, grid: Option<i32>, rounded: bool) -> Operation {
        let rounding = Rounding {
            unit: -1000,
            error: Interval::symmetric(0.5),
            exact_grid: grid,
        };
        Operation {
            kind,
            site: 0,
            format: BINARY64,
            values: Interval::new(lo, hi),
            reals: Interval::new(lo, hi),
            grid: grid.unwrap_or(-1074),
            direction: None,
            rounding: rounded.then_some(rounding),
        }
    }

    /// Subnormal results are rounded differently from their copies, unless they are exact.
    #[test]
    fn what_may_be_subnormal_does_not_round_alike() {
        for rounded in [false, true] {
            let of = |grid| operation(Kind::Input, -1.0, 1.0, Some(grid), rounded);
            assert!(rounds_alike(&of(-1075), -1022) && !rounds_alike(&of(-1075), -1023));
            assert!(rounds_alike(&of(-1074), -1023) && rounds_alike(&of(COARSEST), -5000));
        }
        let quotient = operation(Kind::Div(0, 1), -1.0, 1.0, None, true);
        assert!(rounds_alike(&quotient, -1022) && !rounds_alike(&quotient, -1023));
    }

    #[test]
    fn no_exact_result_but_zero_is_smaller() {
        let x = operation(Kind::Input, -2.0, 5.0, Some(-3), false);
        let y = operation(Kind::Input, 3.0, 6.0, Some(-1), false);
        let of = |kind, grid| {
            let made = operation(kind, -9.0, 50.0, grid, true);
            let residual = Residual {
                operations: vec![x, y, made],
                result: 2,
            };
            let mut all = Vec::new();
            for i in 0..3 {
                all.push(smallest(&residual, i, &all));
            }
            assert_eq!(all[..2], [-3, 0]);
            all[2]
        };
        // Half of 3 is above 1; x is a multiple of 1/8, and y below 8.
        assert_eq!(of(Kind::Mul(0, 1), Some(-4)), -3);
        assert_eq!(of(Kind::Mul(0, 0), Some(-6)), -6);
        assert_eq!(of(Kind::Div(0, 1), None), -6);
        assert_eq!(of(Kind::Sqrt(0), None), -2);
        assert_eq!(of(Kind::Sub(0, 1), Some(-3)), -3);
        assert!(
            of(
                Kind::Affine {
                    of: 0,
                    factor: 1.0,
                    plus: 0.0,
                    deviation: Interval::ZERO
                },
                None
            ) < -1074
        );
    }

    #[test]
    fn a_number_times_a_power_is_exact_or_nothing() {
        let mut random = Random(3);
        for _ in 0..20_000 {
            let (x, e) = (random.end(), random.below(4400) as i32 - 2200);
            let exact = Dyadic::of(x).scaled(e);
            match times_power(x, e) {
                Some(y) => assert!(exact.minus(&Dyadic::of(y)).is_zero(), "{x:e} {e}"),
                None => {
                    let (g, top) = (grid(x) + e, exponent(x) + e);
                    assert!(g < -1074 || top > 1023 || e.abs() > 2097, "{x:e} {e}");
                }
            }
        }
    }
}
