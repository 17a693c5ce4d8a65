//! Cells that are scaled copies of each other.
//!
//! For a power `f(x) = x^p` and whole numbers q and p q, `f(2^q x) = 2^(p q) f(x)`. If a routine makes its estimate from the
//! bits of x, as an affine function of them, it is the same program in each period of binades, up to powers of two. If every
//! value of one cell is that of the other times a power of two, constants included, the same holds for all rounding errors, as long
//! as nothing is subnormal. So the routine has one problem per binade of a period, and not per binade of the format.
//!
//! Only copies of one cell form a class, so the properties of the ranges of
//! its values hold for each copy.

use super::Member;
use crate::cell::{Cell, Index, Kind, Operation, Residual, Rounding};
use crate::law::Law;
use crate::num::float::{COARSEST, exponent, power};
use crate::num::{Ball, Interval, Ring};

/// The cells are scaled to the period of binades before one of these exponents: to the largest binades, where no cell is
/// scaled up (see [`Scaled::scale`]), to smaller ones where values are larger than the input, or to those near 1.
const BEFORE: [i32; 3] = [1024, 1024 - 96, 4];

/// `x 2^e`, exactly; `None` where it is no double.
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

/// A residual over a cell of the largest binades that has the same bits, with the member that this cell is; `None` where the
/// function has no such law or the residual does not follow it.
pub(super) fn scaled(
    residual: &Residual,
    cell: Cell,
    law: Law,
) -> Option<(Residual, Member, Operation)> {
    // Only such routines have more cells than can be examined.
    residual.affine().next()?;
    let power = law.power()?;
    let mut all = BEFORE.iter();
    all.find_map(|&before| scaled_to(before - power.1, residual, cell, power))
}

/// As [`scaled`], to the period of binades that begins with this exponent.
fn scaled_to(
    first: i32,
    residual: &Residual,
    cell: Cell,
    (numerator, period): (i32, i32),
) -> Option<(Residual, Member, Operation)> {
    let e = exponent(cell.lo);
    if exponent(cell.hi) != e {
        return None;
    }
    let by = (e - first).div_euclid(period) * period;
    let unscaled = vec![0; residual.operations.len()];
    let made = Scaled::new(residual, by, &unscaled)?;
    let out = residual.result;
    let scale = made.by[out as usize];
    if scale != by / period * numerator {
        return None;
    }
    let core = Residual {
        operations: made.operations,
        result: out,
    };
    // The unit of subnormal results is not scaled, whether the core's are subnormal or the cell's.
    if !super::normal(core.at(out)) || !super::normal(residual.at(out)) {
        return None;
    }
    let input = *(core.operations.iter()).find(|o| o.kind == Kind::Input)?;
    let member = Member {
        cell,
        shift: Ball::ZERO,
        by,
        scale,
        eta: Ball::ZERO,
        core: Cell {
            lo: times_power(cell.lo, -by)?,
            hi: times_power(cell.hi, -by)?,
        },
        grid: input.grid,
    };
    Some((core, member, input))
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
    /// The powers of two that constants are multiples of, unless the sum that they are terms of needs another one.
    constants: &'a [i32],
    /// Exponents of powers of two that no exact result but zero is below in magnitude.
    smallest: Vec<i32>,
    /// Each value is that of the scaled program times `2^by`.
    pub by: Vec<i32>,
    pub operations: Vec<Operation>,
}

impl<'a> Scaled<'a> {
    /// The residual of an input times `2^-input`, whose constants are scaled by these powers of two; `None` where a value is not scaled with
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
            Kind::Add(a, b) | Kind::Sub(a, b) => self.common(&[a, b])?,
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

    /// The scale of the operands of a sum, where they have one: that of those that are no constants.
    fn common(&mut self, args: &[Index]) -> Option<i32> {
        let varies = |a: &&Index| !matches!(self.of.at(**a).kind, Kind::Const(_));
        let first = args.iter().find(varies).unwrap_or(&args[0]);
        let to = self.by[*first as usize];
        for &a in args {
            self.adjust(a, to)?;
        }
        Some(to)
    }

    /// Gives an operand of a sum this scale; only a constant can be given another one.
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

/// The exponent of a power of two that no exact result of an operation but zero is below in magnitude, from those of its operands.
fn smallest(residual: &Residual, i: usize, of: &[i32]) -> i32 {
    let operation = &residual.operations[i];
    if !operation.values.contains(0.0) {
        // What is rounded up to the least may be less, but not half of it.
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

/// Whether the rounding errors of an operation are scaled with its results: each exact result is zero or not subnormal, or all are
/// multiples of the smallest number, of which those that are subnormal are not rounded. This must hold before and after the scaling,
/// of operations that are not rounded, too: the core is evaluated as a program.
fn rounds_alike(operation: &Operation, smallest: i32) -> bool {
    let format = operation.format;
    smallest >= format.least + format.precision - 1
        || exact_grid(operation).is_some_and(|g| g >= format.least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::exactly::{examine, number, of_bits};
    use crate::cell::{Outcome, Sites, Values, evaluate_affine};
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

    /// Subnormal results are rounded in another way than their copies, unless they are exact.
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

    /// Each value of a copy is the residual's times a power of two, with the same rounding errors.
    #[test]
    fn copies_have_the_values_of_their_cells() {
        let mut random = Random(9);
        let (mut copies, mut far, mut lone) = (0, 0, 0);
        for round in 0..6000 {
            let (program, sixths) = of_bits(&mut random);
            let law = match sixths {
                -6 => Law::Recip,
                -3 => Law::RecipSqrt,
                _ => Law::Cbrt,
            };
            let lo = match random.below(3) {
                0 => random.number(4).abs(),
                _ => random.number(1022).abs(),
            };
            let hi = lo * (1.0 + power(-(random.below(30) as i32) - 1));
            if exponent(lo) != exponent(hi) {
                continue;
            }
            let cell = Cell { lo, hi };
            let mut sites = Sites::new();
            let evaluated = evaluate_affine(&program, cell, 4, &mut sites, false);
            let Outcome::Residual(residual) = &evaluated.results[0] else {
                continue;
            };
            let Some((core, member, input)) = scaled(residual, cell, law) else {
                lone += 1;
                continue;
            };
            let mut values = Values::new(&program);
            for k in 0..6 {
                let x = match k {
                    0 => lo,
                    1 => hi,
                    _ => {
                        f64::from_bits(lo.to_bits() + random.below(hi.to_bits() - lo.to_bits() + 1))
                    }
                };
                let mut made = |site| f64::from_bits(values.at(site, x).expect("a value"));
                let points = examine(residual, x, &mut made)
                    .unwrap_or_else(|wrong| panic!("{round} {cell:?} {x:e}: {wrong}"));
                let Some(points) = points else { continue };
                let out = &points[residual.result as usize].v;
                assert!(
                    Dyadic::of(number(&program, x)).minus(out).is_zero(),
                    "{round}"
                );
                let r = times_power(x, -member.by).expect("exact");
                let apart = |i: usize| {
                    let (a, b) = (residual.operations[i], core.operations[i]);
                    let most = |o: Operation| o.values.magnitude();
                    match most(a) == 0.0 {
                        true => 0,
                        false => exponent(most(a)) - exponent(most(b)),
                    }
                };
                let place = |site| {
                    let of =
                        |o: &Operation| o.site == site && matches!(o.kind, Kind::Affine { .. });
                    residual.operations.iter().position(of).expect("one")
                };
                let mut made = |site| {
                    let i = place(site);
                    times_power(
                        points[i].v.rounded(residual.operations[i].format, None),
                        -apart(i),
                    )
                    .expect("exact")
                };
                let of_core = examine(&core, r, &mut made).unwrap_or_else(|wrong| {
                    panic!("{round} {cell:?} {x:e} core: {wrong}\n{residual:?}\n{core:?}")
                });
                let of_core = of_core.expect("the same operations");
                for i in 0..points.len() {
                    let e = apart(i);
                    let same = |a: &Dyadic, b: &Dyadic| a.minus(&b.scaled(e)).is_zero();
                    assert!(
                        same(&points[i].v, &of_core[i].v)
                            && same(&points[i].rounding, &of_core[i].rounding),
                        "{round} {cell:?} {x:e} {i}: {member:?}\n{residual:?}\n{core:?}"
                    );
                }
                let out = residual.result as usize;
                assert!(
                    points[out]
                        .v
                        .minus(&of_core[out].v.scaled(member.scale))
                        .is_zero()
                );
                assert!(input.values.contains(r) && grid(r) >= member.grid);
            }
            copies += 1;
            far += u32::from(member.by.abs() > 1000);
        }
        assert!(
            copies > 300 && far > 20 && lone > 100,
            "{copies} {far} {lone}"
        );
    }
}
