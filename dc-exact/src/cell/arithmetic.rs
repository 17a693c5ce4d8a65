//! Rounded operations over a cell: their ranges, whether they are exact, and bounds of their rounding.

use kernels_gen::interp::Site;
use kernels_gen::ops::{Arith, Direction, Op, Prim};

use super::domain::{Cells, Over, format_of};
use super::residual::{Index, Kind, Operation, Rounding};
use super::values::{bits, corners};
use crate::num::float::{BINARY64, COARSEST, Format, exponent, grid, is_power, power};
use crate::num::{Interval, Ring};

impl Cells<'_> {
    /// A rounded operation on floats: `ty` is their type, `out` the result's.
    pub(super) fn arithmetic(
        &mut self,
        site: Site<'_>,
        op: Op,
        ty: Prim,
        out: Prim,
        args: &[&Over],
    ) -> Over {
        let at = site.number;
        let varies = args.iter().find_map(|a| match **a {
            Over::Step(_, _, site) => Some(site),
            _ => None,
        });
        if let Some(varying) = varies
            && args.iter().any(|a| matches!(a, Over::Real(_)))
        {
            self.mixed.push(varying);
        }
        let ranges: Option<Vec<Interval>> = args.iter().map(|a| self.range(ty, a)).collect();
        let Some(ranges) = ranges else {
            return Self::unknown(out, Self::unknown_operand(args).unwrap_or(at));
        };
        let divides = matches!(
            op,
            Op::Div | Op::Recip | Op::Directed(Arith::Div | Arith::Recip, _)
        );
        let divisor = ranges[ranges.len() - 1];
        // Inside the ranges there may be 0 / 0 or 0 * ∞ although the ends have neither.
        let endless = |r: &Interval| !(r.lo.is_finite() && r.hi.is_finite());
        if divides && divisor.contains(0.0)
            || ranges.iter().any(endless) && ranges.iter().any(|r| r.contains(0.0))
        {
            return Self::unknown(out, at);
        }
        let Some((values, same)) = corners(op, ty, out, &ranges) else {
            return Self::unknown(out, at);
        };
        // In real arithmetic the results differ although they are rounded to the same number. What is computed from a line
        // with one value remains a function of it.
        let of_line = |a: &&Over| match **a {
            Over::Real(i) => {
                let values = self.operations[i as usize].values;
                values.lo == values.hi
            }
            _ => false,
        };
        if same && !self.real && !args.iter().any(of_line) {
            return Over::Const(bits(out, values.lo));
        }
        let values = self.tightened(at, values);
        let finite = values.lo.is_finite() && values.hi.is_finite();
        if varies.is_some() || !finite {
            // An operation on a step function changes where its operand changes: the cell is cut there.
            return Over::Step(values, false, varies.unwrap_or(at));
        }
        let mut indices = [0; 3];
        for (i, a) in args.iter().enumerate() {
            match self.operand(ty, a, at) {
                Some(index) => indices[i] = index,
                None => return Over::Step(values, false, at),
            }
        }
        self.label(site, op);
        self.real_operation(at, op, out, indices, values)
    }

    /// Appends an operation to the residual. `values` encloses its computed results.
    pub(super) fn real_operation(
        &mut self,
        at: u32,
        op: Op,
        out: Prim,
        args: [Index; 3],
        values: Interval,
    ) -> Over {
        let format = format_of(out);
        let [a, b, c] = args;
        let one = Operation {
            kind: Kind::Const(1.0),
            site: at,
            format,
            values: Interval::ONE,
            reals: Interval::ONE,
            grid: 0,
            direction: None,
            rounding: None,
        };
        let copies = args.map(|i| self.operations[i as usize]);
        let (arith, direction) = match op {
            Op::Add => (Arith::Add, None),
            Op::Sub => (Arith::Sub, None),
            Op::Mul => (Arith::Mul, None),
            Op::Div => (Arith::Div, None),
            Op::Recip => (Arith::Recip, None),
            Op::Sqrt => (Arith::Sqrt, None),
            Op::Fma => (Arith::Fma, None),
            Op::Directed(arith, direction) => (arith, Some(direction)),
            // A conversion to the narrower format.
            _ => return self.round(at, format, a, values),
        };
        // The operation is the rounding error of a product, computed as the difference to it.
        if arith == Arith::Fma
            && direction.is_none()
            && let Kind::Neg(p) = copies[2].kind
            && let product = self.operations[p as usize]
            && let Kind::Mul(x, y) = product.kind
            && self.same(x, a)
            && self.same(y, b)
            && let Some(Rounding {
                exact_grid: Some(g),
                ..
            }) = product.rounding
            && g >= format.least
        {
            return self.product_error(at, format, [a, b, p], g);
        }
        let exact = |f: fn(&Operation) -> Interval| match arith {
            Arith::Add => f(&copies[0]).add(f(&copies[1])),
            Arith::Sub => f(&copies[0]).sub(f(&copies[1])),
            Arith::Mul => f(&copies[0]).mul(f(&copies[1])),
            Arith::Div => f(&copies[0]).div(f(&copies[1])),
            Arith::Recip => Interval::ONE.div(f(&copies[0])),
            Arith::Sqrt => f(&copies[0]).sqrt(),
            Arith::Fma => f(&copies[0]).mul(f(&copies[1])).add(f(&copies[2])),
        };
        // All exact results lie in this range, before this operation rounds them.
        let unrounded = exact(|o| o.values);
        // Toward zero, a number above the largest is rounded to it: the error is no part of a unit.
        if direction.is_some() && unrounded.magnitude() > format.max() {
            return Over::Step(values, false, at);
        }
        let exact_grid = match arith {
            // Twice a number.
            Arith::Add if a == b => Some(copies[0].grid.saturating_add(1)),
            Arith::Add | Arith::Sub => Some(copies[0].grid.min(copies[1].grid)),
            Arith::Mul => Some(copies[0].grid.saturating_add(copies[1].grid)),
            Arith::Fma => Some(
                copies[0]
                    .grid
                    .saturating_add(copies[1].grid)
                    .min(copies[2].grid),
            ),
            Arith::Div | Arith::Recip | Arith::Sqrt => None,
        };
        let kind = match arith {
            Arith::Add => Kind::Add(a, b),
            Arith::Sub => Kind::Sub(a, b),
            Arith::Mul => Kind::Mul(a, b),
            Arith::Div => Kind::Div(a, b),
            Arith::Recip => {
                self.operations.push(one);
                Kind::Div(self.operations.len() as Index - 1, a)
            }
            Arith::Sqrt => Kind::Sqrt(a),
            Arith::Fma => Kind::Fma(a, b, c),
        };
        let operation = Operation {
            kind,
            site: at,
            format,
            values,
            reals: exact(|o| o.reals),
            grid: exact_grid.unwrap_or(format.least).min(COARSEST),
            direction,
            rounding: None,
        };
        let unit = unit_of(format, values, unrounded);
        // Multiples of a unit that is at least the last place are exact results themselves.
        if exact_grid.is_some_and(|g| g >= unit && g >= format.least) {
            return self.push(operation);
        }
        // Products by a power of two are exact as well, unless they underflow.
        if let (Arith::Mul, Some(g)) = (arith, exact_grid)
            && g >= format.least
            && [a, b]
                .iter()
                .any(|&f| matches!(self.operations[f as usize].kind, Kind::Const(c) if is_power(c)))
        {
            return self.push(operation);
        }
        if self.is_exact(kind) {
            return self.push(operation);
        }
        if !self.real
            && direction.is_none()
            && let Some(rounded) = self.constant_rounding(arith, a, b, unit, unrounded, operation)
        {
            return rounded;
        }
        let least = if values.contains(0.0) {
            format.least
        } else {
            format.ulp(values.least())
        };
        let error = match direction {
            None => Interval::new(-0.5, 0.5),
            Some(Direction::Down) => Interval::new(-1.0, 0.0),
            Some(Direction::Up) => Interval::new(0.0, 1.0),
            // The signs before rounding: a number that underflows to zero has lost its sign.
            Some(Direction::Zero) if unrounded.lo >= 0.0 => Interval::new(-1.0, 0.0),
            Some(Direction::Zero) if unrounded.hi <= 0.0 => Interval::new(0.0, 1.0),
            Some(Direction::Zero) => Interval::new(-1.0, 1.0),
        };
        self.push(Operation {
            grid: least.max(exact_grid.unwrap_or(format.least)).min(COARSEST),
            rounding: Some(Rounding {
                unit,
                error,
                exact_grid,
            }),
            ..operation
        })
    }

    /// Whether two operations are the same number.
    pub(super) fn same(&self, a: Index, b: Index) -> bool {
        let (x, y) = (&self.operations[a as usize], &self.operations[b as usize]);
        a == b
            || matches!((x.kind, y.kind), (Kind::Const(p), Kind::Const(q)) if p.to_bits() == q.to_bits())
    }

    /// Whether the result is an operand, its negative, or its double. On both sides of a power of two, the grid does not show this. The input
    /// minus zero is a step of an argument's reduction. It is cut at powers of two like the other steps, so that their programs are the same.
    fn is_exact(&self, kind: Kind) -> bool {
        let zero = |i: Index| self.constant(i) == Some(0.0);
        let input = |i: Index| self.operations[i as usize].kind == Kind::Input;
        match kind {
            Kind::Add(a, b) => zero(a) && !input(b) || zero(b) && !input(a) || a == b,
            Kind::Sub(a, b) => zero(a) || zero(b) && !input(a),
            Kind::Fma(a, b, c) => (zero(a) || zero(b)) && !input(c),
            _ => false,
        }
    }

    /// A sum with a constant, if the other operand's grid is no finer than the result's last place. Then the sum's rounding is that of the
    /// constant to that place, and it is the same on the whole cell. The sum with the rounded constant is exact.
    pub(super) fn constant_rounding(
        &mut self,
        arith: Arith,
        a: Index,
        b: Index,
        unit: i32,
        unrounded: Interval,
        operation: Operation,
    ) -> Option<Over> {
        if !matches!(arith, Arith::Add | Arith::Sub) {
            return None;
        }
        let constant = |i: Index| match self.operations[i as usize].kind {
            Kind::Const(c) => Some(c),
            _ => None,
        };
        let (c, other, first) = match (constant(a), constant(b)) {
            (Some(c), None) => (c, b, true),
            (None, Some(c)) => (c, a, false),
            _ => return None,
        };
        let grid_of_other = self.operations[other as usize].grid;
        // The exact sums lie in one binade.
        let binade = |x: f64| exponent(x) - (operation.format.precision - 1);
        if unrounded.contains(0.0)
            || binade(unrounded.lo) != unit
            || binade(unrounded.hi) != unit
            || grid_of_other < unit
            || !(-1000..900).contains(&unit)
        {
            return None;
        }
        let scaled = c * power(-unit);
        // A tie goes to the even neighbour, which is the same for all other operands that are even multiples of the
        // unit.
        let tie = scaled - scaled.floor() == 0.5;
        if scaled.abs() > 4e15 || tie && grid_of_other <= unit {
            return None;
        }
        let rounded = scaled.round_ties_even() * power(unit);
        self.operations.push(Operation {
            kind: Kind::Const(rounded),
            site: operation.site,
            format: operation.format,
            values: Interval::point(rounded),
            reals: Interval::point(rounded),
            grid: grid(rounded),
            direction: None,
            rounding: None,
        });
        let c = self.operations.len() as Index - 1;
        let (p, q) = if first { (c, other) } else { (other, c) };
        let (x, y) = (
            self.operations[p as usize].reals,
            self.operations[q as usize].reals,
        );
        let (kind, reals) = if arith == Arith::Add {
            (Kind::Add(p, q), x.add(y))
        } else {
            (Kind::Sub(p, q), x.sub(y))
        };
        Some(self.push(Operation {
            kind,
            reals,
            grid: unit,
            rounding: None,
            ..operation
        }))
    }

    /// A conversion to binary64: the same number with a smaller ULP.
    pub(super) fn widened(&mut self, at: u32, a: Index) -> Over {
        let from = self.operations[a as usize];
        self.push(Operation {
            kind: Kind::Round(a),
            site: at,
            format: BINARY64,
            direction: None,
            rounding: None,
            ..from
        })
    }

    /// A conversion to a narrower format.
    pub(super) fn round(&mut self, at: u32, format: Format, a: Index, values: Interval) -> Over {
        let from = self.operations[a as usize];
        let unit = unit_of(format, values, from.values);
        let operation = Operation {
            kind: Kind::Round(a),
            site: at,
            format,
            values,
            reals: from.reals,
            grid: from.grid,
            direction: None,
            rounding: None,
        };
        if from.grid >= unit {
            return self.push(operation);
        }
        let least = if values.contains(0.0) {
            format.least
        } else {
            format.ulp(values.least())
        };
        self.push(Operation {
            grid: least.max(from.grid),
            rounding: Some(Rounding {
                unit,
                error: Interval::new(-0.5, 0.5),
                exact_grid: Some(from.grid),
            }),
            ..operation
        })
    }

    pub(super) fn product_error(
        &mut self,
        at: u32,
        format: Format,
        [a, b, p]: [Index; 3],
        grid: i32,
    ) -> Over {
        let Some(rounding) = self.operations[p as usize].rounding else {
            return Over::Const(0);
        };
        self.push(Operation {
            kind: Kind::ProductError(a, b, p),
            site: at,
            format,
            values: half_units(rounding),
            reals: Interval::ZERO,
            grid,
            direction: None,
            rounding: None,
        })
    }

    /// The error of a sum that is not rounded in the residual. `given` are its operands. Either the sum is exact, or its rounding was moved
    /// into a constant operand, and the error is the constant's.
    pub(super) fn kept(&self, sum: Index, given: [Index; 2]) -> f64 {
        let Kind::Add(a, b) = self.operations[sum as usize].kind else {
            return 0.0;
        };
        self.kept_of([a, b], given.map(|g| self.constant(g)))
    }

    /// The same as [`Self::kept`], for operands that are given as numbers if they are constants.
    fn kept_of(&self, used: [Index; 2], given: [Option<f64>; 2]) -> f64 {
        let error = |i: usize| match (given[i], self.constant(used[i])) {
            (Some(given), Some(used)) => given - used,
            _ => 0.0,
        };
        error(0) + error(1)
    }

    fn constant(&self, i: Index) -> Option<f64> {
        match self.operations[i as usize].kind {
            Kind::Const(c) => Some(c),
            _ => None,
        }
    }

    /// `a + b` and the error of the rounded sum. `zero_known` says that an error of zero is +0.
    pub(super) fn two_sum(
        &mut self,
        site: Site<'_>,
        args: &[&Over],
        zero_known: bool,
    ) -> Option<Vec<Over>> {
        let sum = self.arithmetic(site, Op::Add, Prim::F64, Prim::F64, args);
        let Over::Real(s) = sum else {
            return None;
        };
        let made = self.operations[s as usize];
        let Kind::Add(a, b) = made.kind else {
            return None;
        };
        let error = match made.rounding {
            Some(rounding) => self.push(Operation {
                kind: Kind::SumError(a, b, s),
                site: site.number,
                format: BINARY64,
                values: half_units(rounding),
                reals: Interval::ZERO,
                grid: rounding.exact_grid.unwrap_or(BINARY64.least),
                direction: None,
                rounding: None,
            }),
            None if !zero_known => return None,
            None => {
                let used = [a, b];
                let given = [args[0], args[1]].map(|g| match *g {
                    Over::Const(bits) => Some(f64::from_bits(bits)),
                    _ => None,
                });
                let kept = Over::Const(self.kept_of(used, given).to_bits());
                if self.real {
                    // The error depends on the input; in real arithmetic nothing that is computed from it is rounded.
                    Over::Real(self.operand(Prim::F64, &kept, site.number)?)
                } else {
                    kept
                }
            }
        };
        Some(vec![sum, error])
    }
}

/// The exponent of the largest unit in the last place to which results in the range `values` are rounded. `exact` encloses the numbers
/// before rounding.
pub(super) fn unit_of(format: Format, values: Interval, exact: Interval) -> i32 {
    let most = values.magnitude();
    let unit = format.ulp(most);
    // If no exact result exceeds a power of two, it is approached from below, where the spacing is smaller.
    if is_power(most)
        && exact.magnitude() <= most
        && exponent(most) - format.precision >= format.least
    {
        return exponent(most) - format.precision;
    }
    unit
}

/// The range of the rounding error, in units in the last place.
pub(super) fn half_units(rounding: Rounding) -> Interval {
    // The exact result minus the rounded one.
    let e = rounding.error.neg();
    if rounding.unit < -1022 {
        return Interval::symmetric(power(rounding.unit.max(-1074)));
    }
    Interval {
        lo: e.lo * power(rounding.unit),
        hi: e.hi * power(rounding.unit),
    }
}
