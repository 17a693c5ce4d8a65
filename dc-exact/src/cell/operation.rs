//! The operations of a program over the inputs of a cell, by kind.

use kernels_gen::interp::Site;
use kernels_gen::ops::{Op, Prim};

use super::domain::{Cells, Over};
use super::values::{Integers, word};

impl Cells<'_> {
    /// The operands. A line with one value is a constant, unless the operation keeps lines: it is a function of one
    /// integer.
    pub(super) fn constants(op: Op, prims: &[Prim], args: &[&Over]) -> [Over; 3] {
        let varying = args.iter().filter(|a| !matches!(a, Over::Const(_)));
        let keeps = prims[0].is_int() && varying.count() <= 1;
        let compares = matches!(
            op,
            Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne | Op::ToF64 | Op::ToF32
        );
        let of = |(k, a): (usize, &&Over)| match **a {
            Over::Line(_, range, _) if range.lo == range.hi && (!keeps || compares) => {
                Over::Const(word(prims[k], range.lo))
            }
            other => other,
        };
        let mut all = [Over::Const(0); 3];
        for (over, value) in all.iter_mut().zip(args.iter().enumerate().map(of)) {
            *over = value;
        }
        all
    }

    /// An operation whose operands are not all constants.
    pub(super) fn operation(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&Over],
    ) -> Over {
        let at = site.number;
        let ty = prims[0];
        let out = site.instruction().ty;
        let float = ty.is_float();
        let integer =
            out.is_int() || matches!(op, Op::Floor | Op::Ceil | Op::Trunc | Op::RoundTiesEven);
        if let (Over::Real(i), true) = (args[0], float && integer) {
            self.made_integers.push(*i);
        }
        match op {
            Op::Select => {
                // The branch is decided first: what a branch that is not taken computes has changes of its own.
                if let Over::Mask(m) = *args[0]
                    && args[1..].iter().any(|a| !matches!(a, Over::Const(_)))
                {
                    self.mixed.push(m);
                }
                self.either(out, args[1], args[2], at)
            }
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Fma
            | Op::Sqrt
            | Op::Recip
            | Op::Directed(..)
                if float =>
            {
                self.arithmetic(site, op, ty, out, args)
            }
            Op::Neg
            | Op::Abs
            | Op::CopySign
            | Op::Min
            | Op::Max
            | Op::Floor
            | Op::Ceil
            | Op::Trunc
            | Op::RoundTiesEven
                if float =>
            {
                self.unrounded(op, ty, args, at)
            }
            Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => {
                self.comparison(op, ty, args, at)
            }
            Op::IsNan => match self.range(ty, args[0]) {
                Some(_) => Over::Const(0),
                None => Over::Mask(at),
            },
            Op::IsSignNegative => match self.range(ty, args[0]) {
                Some(a) if a.lo > 0.0 => Over::Const(0),
                Some(a) if a.hi < 0.0 => Over::Const(1),
                _ => Over::Mask(at),
            },
            Op::ToF64 | Op::ToF32 | Op::ToI64 | Op::ToI32 => {
                self.conversion(site, op, ty, out, args)
            }
            Op::ToBits => self.bits_of(ty, out, args[0], at),
            Op::FromBits => self.float_of_bits(ty, out, args[0], at),
            // One operand decides.
            Op::And if ty == Prim::Mask && args.iter().any(|a| matches!(a, Over::Const(0))) => {
                Over::Const(0)
            }
            Op::Or if ty == Prim::Mask && args.iter().any(|a| matches!(a, Over::Const(1))) => {
                Over::Const(1)
            }
            Op::And | Op::Or | Op::Xor | Op::Not if ty == Prim::Mask => Over::Mask(at),
            Op::Add | Op::Sub if let Some(moved) = Self::moved_word(op, ty, args, at) => moved,
            _ if ty.is_int() => {
                // Where the bits of a real number meet an integer that varies, the cell is cut where that integer
                // changes.
                let at = Self::steps(args).unwrap_or(at);
                let a = self.integers(ty, args[0]);
                let b = args.get(1).map(|b| self.integers(ty, b));
                let range = Integers::op(op, ty, a, b);
                match self.line_op(op, ty, args, range, at) {
                    Some(line) => line,
                    None => Self::integer(ty, range, at),
                }
            }
            _ => Self::unknown(out, at),
        }
    }

    /// A value that varies, with the site at which the cell is cut: the site of an operand, if that is among the mixed ones.
    pub(super) fn since_mixed(&self, value: Over, args: &[&Over]) -> Over {
        let mixed = args
            .iter()
            .find_map(|a| a.since().filter(|s| self.mixed.contains(s)));
        let Some(site) = mixed else {
            return value;
        };
        match value {
            Over::Const(_) | Over::Real(_) => value,
            Over::Step(range, nan, _) => Over::Step(range, nan, site),
            Over::Int(range, _) => Over::Int(range, site),
            Over::Line(line, range, _) => Over::Line(line, range, site),
            Over::Word(i, plus, _) => Over::Word(i, plus, site),
            Over::Low(low, range, _) => Over::Low(low, range, site),
            Over::Mask(_) => Over::Mask(site),
        }
    }
}
