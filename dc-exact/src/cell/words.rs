//! Words of numbers that are split and put together.
//!
//! Routines for 32-bit processors look at the upper half of a number's bits: they compare it, take its exponent, set another exponent by a
//! mask and a sum, and put the number together from this half and the lower one. On a cell these are exact rules for integers:
//! 1. *Pass.* A mask, an `or` and an `xor` with a constant add a constant to an integer if all bits that vary pass unchanged
//!    ([`Integers::passed`]): the bits above are the same on the whole cell.
//! 2. *Part.* The upper part of a word is `bits - bits mod 2^n`, which is a [`Line`] whose removed part is known exactly. The lower
//!    part is `bits mod 2^n`, a [`Low`]. In a lane of 32 bits it is known modulo `2^n` only, until a mask takes its sign away.
//! 3. *Join.* Both parts of one word, neither of which has bits of the other, add up to the word ([`Line::joined`]). A constant that
//!    was added to the upper part, such as another exponent, stays.
//! 4. *Sign.* The bits of a negative number are those of its opposite plus `-2^63`. If a sum has the other sign, the number
//!    with these bits is the opposite.
//!
//! A sum that wraps is the sum in the integers less a multiple of `2^width`, the same one on the whole cell ([`Integers::of`]).

use kernels_gen::ops::{Op, Prim};

use super::domain::{Cells, Over};
use super::line::{Line, Low};
use super::residual::{Index, Kind, Operation};
use super::values::{Integers, turns, width};
use crate::num::Ring;

/// Marks the sites of operations that a site has before its own. Their values are not the site's, for which bounds may be assumed.
pub(super) const AUXILIARY: u32 = 1 << 31;

/// The n of a mask `2^n - 1`.
fn lowest(mask: i64) -> Option<u32> {
    let n = mask.trailing_ones();
    (mask > 0 && n < 63 && mask >> n == 0).then_some(n)
}

impl Cells<'_> {
    /// An operation of the opposite number.
    pub(super) fn opposite(&mut self, i: Index) -> Index {
        let operation = self.operations[i as usize];
        if let Kind::Neg(of) = operation.kind {
            return of;
        }
        let known = (self.operations.iter()).position(|o| o.kind == Kind::Neg(i));
        if let Some(known) = known {
            return known as Index;
        }
        self.negative(i, operation.site | AUXILIARY);
        self.operations.len() as Index - 1
    }

    /// The opposite of an operation's results, at a site.
    pub(super) fn negative(&mut self, i: Index, at: u32) -> Over {
        let operation = self.operations[i as usize];
        self.push(Operation {
            kind: Kind::Neg(i),
            site: at,
            values: operation.values.neg(),
            reals: operation.reals.neg(),
            direction: None,
            rounding: None,
            ..operation
        })
    }

    /// A line as a value: the bits of a number, if it is these.
    pub(super) fn is_line(&mut self, line: Line, ty: Prim, range: Integers, at: u32) -> Over {
        if let (Prim::I64, Some(plus)) = (ty, line.whole()) {
            return Over::Word(line.of, plus, at);
        }
        self.lines.push(line);
        Over::Line(self.lines.len() as u32 - 1, range, at)
    }

    /// An integer operation on the lower part of a word, or one that gives the lower part.
    pub(super) fn part_op(
        &mut self,
        op: Op,
        ty: Prim,
        args: &[&Over],
        range: Integers,
        at: u32,
    ) -> Option<Over> {
        let [a, b] = args else { return None };
        match (op, **a, **b) {
            (Op::And, Over::Low(low, ..), Over::Const(c))
            | (Op::And, Over::Const(c), Over::Low(low, ..)) => {
                let n = lowest(super::values::signed(ty, c))?;
                if n > low.bits && !low.exact {
                    return None;
                }
                let low = Low {
                    bits: n.min(low.bits),
                    exact: true,
                    ..low
                };
                Some(Over::Low(low, range, at))
            }
            (Op::And, other, Over::Const(c)) | (Op::And, Over::Const(c), other) => {
                let c = super::values::signed(ty, c);
                let n = lowest(c)?;
                let passes = self.integers(ty, &other).passed(op, c).is_some();
                let line = self.line(&other).filter(|l| l.certain && !passes)?;
                let low = Low {
                    of: line.of,
                    bits: n,
                    exact: true,
                };
                line.has_lowest(n).then_some(Over::Low(low, range, at))
            }
            (Op::Or | Op::Xor | Op::Add, Over::Low(low, ..), upper)
            | (Op::Or | Op::Xor | Op::Add, upper, Over::Low(low, ..)) => {
                let line = self.line(&upper)?.joined(low.bits)?;
                if !low.exact || low.of != line.of {
                    return None;
                }
                let plus = line.whole()?;
                let range = self.word_range(line.of, plus);
                Some(self.is_line(line, ty, range, at))
            }
            _ => None,
        }
    }

    /// How often `2^width` is subtracted from the result of an operation whose range is known, if it is equally often on the whole cell.
    pub(super) fn turns(&self, op: Op, ty: Prim, args: &[&Over]) -> Option<i128> {
        let a = i128::from(self.integers(ty, args[0]).lo);
        // The same for all operands: any of them will do.
        let b = args.get(1).map(|b| i128::from(self.integers(ty, b).lo));
        let exact = match op {
            Op::Add => a + b?,
            Op::Sub => a - b?,
            Op::Mul => a * b?,
            Op::Neg => -a,
            Op::Shl => a << (b? as u32 & (width(ty) - 1)),
            _ => return Some(0),
        };
        Some(turns(ty, exact) << width(ty))
    }

    /// The conversion of a word, or a part of one, between integers. `None` for other values, and if the result is neither.
    pub(super) fn converted(&mut self, ty: Prim, out: Prim, value: &Over, at: u32) -> Option<Over> {
        if let Over::Low(low, range, _) = *value {
            let fits = out == Prim::I64 || Integers::all(out).hi >= range.hi && range.lo >= 0;
            let low = Low {
                bits: low.bits.min(width(out)),
                exact: low.exact && fits,
                ..low
            };
            let range = if fits { range } else { Integers::all(out) };
            return Some(Over::Low(low, range, at));
        }
        let line = self.line(value)?;
        let (from, all) = (self.integers(ty, value), Integers::all(out));
        if !line.certain {
            // On a smaller cell it may have one sign.
            let fits = all.lo <= from.lo && from.hi <= all.hi;
            return (fits && matches!(value, Over::Line(..))).then_some(*value);
        }
        let (lo, hi) = (i128::from(from.lo), i128::from(from.hi));
        let by = turns(out, lo) << width(out);
        if by == turns(out, hi) << width(out) {
            let range = Integers::of(out, lo, hi);
            return Some(self.is_line(line.raised(-by)?, out, range, at));
        }
        let low = Low {
            of: line.of,
            bits: width(out),
            exact: false,
        };
        (line.has_lowest(low.bits)).then_some(Over::Low(low, all, at))
    }

    /// The negative number with the bits of a line, as an operation of the residual.
    pub(super) fn affine_negative(&mut self, line: Line, range: Integers, at: u32) -> Option<Over> {
        let line = line.raised(1 << 63)?;
        let range = Integers {
            lo: range.lo.wrapping_sub(i64::MIN),
            hi: range.hi.wrapping_sub(i64::MIN),
        };
        match self.affine(line, range, at | AUXILIARY)? {
            Over::Real(i) => Some(self.negative(i, at)),
            _ => None,
        }
    }
}
