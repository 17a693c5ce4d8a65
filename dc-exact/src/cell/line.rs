//! Integers that are nearly affine functions of a number's bits.
//!
//! On each binade, the bits of a positive number are an affine function of the number. For a first estimate of a root, routines divide them
//! by three or subtract half of them from a constant. For an exact product, they clear the lower half of the bits. Such an integer has too
//! many values to cut the cell at each: 2^20 per binade for an estimate from the upper word. But it is an affine function of the number,
//! minus the part that shifts and masks removed. So is the number made from it: an operation of the residual whose distance from the affine
//! function is within an interval, the *deviation*.
//!
//! A word that is split into an upper and a lower half, and put together again, is the word again: see `words`.

use kernels_gen::ops::{Op, Prim};

use super::domain::{Cells, Over};
use super::residual::{Index, Kind, Operation};
use super::values::{Integers, clears, number, width, word};
use crate::num::float::{BINARY64, exponent, power};
use crate::num::{Interval, Ring};

/// The integer `(times bits(of) + plus) / 2^shift - removed`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// An operation with positive results.
    pub(super) of: Index,
    times: i128,
    plus: i128,
    shift: u32,
    /// The range of `removed`.
    removed: Interval,
    /// If this is n, `times` is 1, and `removed` is exactly the lowest n bits of `bits(of)`, over `2^shift`.
    lowest: Option<u32>,
    /// The number of lowest bits that are zero.
    zeros: u32,
    /// The site of the bits.
    pub(super) bits_at: u32,
    /// Whether no operation wrapped, and the number has one sign. Otherwise, a smaller cell may have a line.
    pub(super) certain: bool,
}

/// The lowest bits of a number's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Low {
    /// The number, an operation with positive results.
    pub(super) of: Index,
    /// The number of bits.
    pub(super) bits: u32,
    /// Whether the value is these bits. Otherwise these are its lowest bits, and the higher ones are unknown.
    pub(super) exact: bool,
}

/// Numerators stay below this, so that no product of them with a word overflows.
const LARGEST: i128 = 1 << 60;
/// The deviation next to a power of two may be this many times that of other places.
const BENT: f64 = 1.125;
/// Masks that let this many of the lowest bits pass are masks of fractions: the cell is cut between the fractions.
const FRACTION: u32 = 16;
/// The largest number of bits below the binary point.
const FINEST: u32 = 64;

impl Line {
    /// The number of the lowest bits that are zero.
    pub(super) fn zeros(&self) -> u32 {
        self.zeros
    }

    /// The bits of an operation's results, plus a number.
    fn of_bits(of: Index, plus: i64, bits_at: u32) -> Line {
        Line {
            of,
            times: 1,
            plus: plus.into(),
            shift: 0,
            removed: Interval::ZERO,
            lowest: Some(0),
            zeros: 0,
            bits_at,
            certain: true,
        }
    }

    /// The lowest bits that are removed if it is divided by `2^n` and rounded down, where n includes `2^shift`: the numerator is `bits -
    /// bits mod 2^m + plus`. If plus is a multiple of `2^n`, the quotient's product with `2^n` is `bits - bits mod 2^max(m, n) + plus`,
    /// because the part removed first is below `2^m`, and nothing is removed twice.
    fn lower(&self, n: u32) -> Option<u32> {
        let low = self.lowest?;
        self.is_multiple(n).then_some(low.max(n))
    }

    /// Whether `plus` is a multiple of `2^n`.
    fn is_multiple(&self, n: u32) -> bool {
        n < 120 && self.plus & ((1 << n) - 1) == 0
    }

    /// The number c for which it is `bits(of) + c`.
    pub(super) fn whole(&self) -> Option<i64> {
        let whole = self.certain && self.lowest == Some(0) && self.shift == 0;
        i64::try_from(self.plus).ok().filter(|_| whole)
    }

    /// Whether its lowest n bits are those of the number.
    pub(super) fn has_lowest(&self, n: u32) -> bool {
        self.lowest == Some(0) && self.shift == 0 && self.is_multiple(n)
    }

    /// The sum with the lowest n bits of the number, if these are what was removed: `bits(of) + plus`. The line is a multiple of `2^n`, so
    /// an `or` and an `xor` give this sum as well.
    pub(super) fn joined(self, n: u32) -> Option<Line> {
        let upper = self.certain && self.lowest == Some(n) && self.shift == 0;
        (upper && self.is_multiple(n)).then_some(Line {
            removed: Interval::ZERO,
            lowest: Some(0),
            zeros: 0,
            ..self
        })
    }

    fn checked(self) -> Option<Line> {
        let fits = self.times.abs() < LARGEST && self.plus.abs() < 1 << 124 && self.shift <= FINEST;
        (fits && self.removed.magnitude() < 1e18).then_some(self)
    }

    /// The sum with a number.
    fn plus(self, c: i64) -> Option<Line> {
        self.raised(c.into())
    }

    /// The sum with a number, which may have more than 64 bits.
    pub(super) fn raised(self, c: i128) -> Option<Line> {
        let plus = self.plus.checked_add(c.checked_mul(1 << self.shift)?)?;
        Line {
            plus,
            zeros: self.zeros.min(c.trailing_zeros()),
            ..self
        }
        .checked()
    }

    /// The product with a number.
    fn times(self, c: i64) -> Option<Line> {
        let by = Interval::point(c as f64);
        // The factor is exact as a double.
        (c != 0 && c.unsigned_abs() < 1 << 53).then_some(())?;
        // Powers of two are taken from the denominator.
        let halves = c.trailing_zeros().min(self.shift);
        Line {
            times: self.times.checked_mul((c >> halves).into())?,
            plus: self.plus.checked_mul((c >> halves).into())?,
            shift: self.shift - halves,
            removed: self.removed.mul(by),
            lowest: self.lowest.filter(|_| c >> halves == 1),
            zeros: (self.zeros + c.trailing_zeros()).min(63),
            ..self
        }
        .checked()
    }

    /// The quotient by `2^n`, rounded down.
    fn shifted(self, n: u32) -> Option<Line> {
        let lost = 1.0 - power(-(n.saturating_sub(self.zeros) as i32));
        let scaled = Interval {
            lo: self.removed.lo * power(-(n as i32)),
            hi: self.removed.hi * power(-(n as i32)),
        };
        Line {
            shift: self.shift + n,
            removed: scaled.add(Interval::new(0.0, lost)),
            lowest: self.lower(self.shift + n),
            zeros: self.zeros.saturating_sub(n),
            ..self
        }
        .checked()
    }

    /// The line minus the affine function of a number's binade, whose exponent is e, for numbers up to `most`. These may be in the next
    /// binade, where the bits grow half as fast.
    fn bent(&self, e: i32, most: f64) -> Interval {
        if exponent(most) == e {
            return Interval::ZERO;
        }
        if e < -960 {
            return Interval::ALL;
        }
        let past = (most - power(e + 1)) * power(51 - e);
        let by = self.times as f64 * power(-(self.shift as i32));
        Interval::new(0.0, past)
            .mul(Interval::new(by.next_down(), by.next_up()))
            .neg()
    }

    /// The line with the lowest n bits cleared.
    fn cleared(self, n: u32) -> Option<Line> {
        if n <= self.zeros {
            return Some(self);
        }
        let lost = power(n as i32) - power(self.zeros as i32);
        Line {
            removed: self.removed.add(Interval::new(0.0, lost)),
            lowest: self.lower(self.shift + n),
            zeros: n,
            ..self
        }
        .checked()
    }
}

/// The numbers with bits up to `most` minus the affine function of the binade with the exponent `out`, in units of its last place. In the
/// next binade, the numbers grow twice as fast.
fn above(out: i32, most: i64) -> Interval {
    let edge = i64::from(out + 1024) << 52;
    // Rounded up.
    Interval::new(0.0, ((most - edge).max(0) as f64).next_up())
}

/// `of * factor + plus`
fn straight(of: Interval, factor: f64, plus: f64) -> Interval {
    of.mul(Interval::point(factor)).add(Interval::point(plus))
}

impl Cells<'_> {
    /// The line of an integer.
    pub(super) fn line(&mut self, value: &Over) -> Option<Line> {
        match *value {
            Over::Line(i, _, _) => Some(self.lines[i as usize]),
            Over::Word(i, plus, at) => {
                // A sum that may wrap is no line, although what is made of it may have a narrow range.
                let certain = self.word_range(i, plus) != Integers::all(Prim::I64);
                let (of, sign) = match self.operations[i as usize].values.lo > 0.0 {
                    true => (i, 0),
                    false => (self.opposite(i), i64::MIN),
                };
                let line = Line {
                    certain,
                    ..Line::of_bits(of, plus, at)
                };
                line.plus(sign)
            }
            _ => None,
        }
    }

    /// The bits of an operation's results, which have both signs.
    pub(super) fn uncertain(&mut self, of: Index, at: u32) -> Over {
        let certain = false;
        self.lines.push(Line {
            certain,
            ..Line::of_bits(of, 0, at)
        });
        Over::Line(self.lines.len() as u32 - 1, Integers::all(Prim::I64), at)
    }

    /// The result of an operation on integers whose range is known, as a line if it is one.
    pub(super) fn line_op(
        &mut self,
        op: Op,
        ty: Prim,
        args: &[&Over],
        range: Integers,
        at: u32,
    ) -> Option<Over> {
        // A cell that is part of a stretch of many values may have one of them. It remains a line there, as on the cells of
        // which this one may be a scaled copy.
        if range.lo == range.hi && self.affine.sites.is_empty() {
            return None;
        }
        if let Some(part) = self.part_op(op, ty, args, range, at) {
            return Some(part);
        }
        // A range of all words stands for a result that wraps, or is not known.
        let certain = range != Integers::all(ty);
        let constant = |i: usize| match args.get(i)? {
            Over::Const(c) => Some(super::values::signed(ty, *c)),
            _ => None,
        };
        let line = |s: &mut Self, i: usize| s.line(args[i]);
        let amount = |c: i64| c as u32 & (width(ty) - 1);
        let made = match op {
            Op::Add => match (constant(0), constant(1)) {
                (Some(c), _) => line(self, 1)?.plus(c),
                (_, Some(c)) => line(self, 0)?.plus(c),
                _ => None,
            },
            Op::Sub => match (constant(0), constant(1)) {
                (Some(c), _) => line(self, 1)?.times(-1)?.plus(c),
                (_, Some(c)) => line(self, 0)?.plus(c.checked_neg()?),
                _ => None,
            },
            Op::Mul => match (constant(0), constant(1)) {
                (Some(c), _) => line(self, 1)?.times(c),
                (_, Some(c)) => line(self, 0)?.times(c),
                _ => None,
            },
            Op::Neg => line(self, 0)?.times(-1),
            Op::Shl => line(self, 0)?.times(1i64.checked_shl(amount(constant(1)?))?),
            Op::Shr => line(self, 0)?.shifted(amount(constant(1)?)),
            // The same where there is no sign.
            Op::ShrLogical if self.integers(ty, args[0]).lo >= 0 => {
                line(self, 0)?.shifted(amount(constant(1)?))
            }
            Op::ShrLogical if self.integers(ty, args[0]).hi < 0 => {
                let n = amount(constant(1)?);
                let word = line(self, 0)?.raised(1 << width(ty))?;
                word.shifted(n).filter(|_| n > 0)
            }
            Op::And | Op::Or | Op::Xor => {
                let (c, of) = match (constant(0), constant(1)) {
                    (Some(c), _) => (c, 1),
                    (_, Some(c)) => (c, 0),
                    _ => return None,
                };
                let kept = self.integers(ty, args[of]);
                let line = line(self, of)?;
                match clears(c) {
                    Some(n) if op == Op::And => line.cleared(n),
                    _ => match kept.passed(op, c) {
                        Some(by) => line.raised(by),
                        None => {
                            let fraction = if op == Op::And { !c } else { c };
                            if line.certain && fraction.trailing_zeros() >= FRACTION {
                                self.carries.push(at);
                                self.mixed.push(at);
                            }
                            None
                        }
                    },
                }
            }
            _ => None,
        }?;
        let made = match certain {
            true => made.raised(-self.turns(op, ty, args)?)?,
            false => made,
        };
        let certain = certain && made.certain;
        Some(self.is_line(Line { certain, ..made }, ty, range, at))
    }

    /// An affine operation of another operand.
    pub(super) fn affine_again(&mut self, operation: &Operation, of: Index) -> Option<Index> {
        let Kind::Affine {
            factor,
            plus,
            deviation,
            ..
        } = operation.kind
        else {
            return None;
        };
        let operand = self.operations[of as usize];
        let straight = |of: Interval| straight(of, factor, plus).add(deviation);
        let values = self.tightened(operation.site, straight(operand.values));
        if !values.magnitude().is_finite() {
            return None;
        }
        self.operations.push(Operation {
            kind: Kind::Affine {
                of,
                factor,
                plus,
                deviation,
            },
            values,
            reals: straight(operand.reals),
            ..*operation
        });
        Some(self.operations.len() as Index - 1)
    }

    /// The number with the bits of a line, as an operation of the residual. `None` if this number, or the number of which the line is a
    /// function, is not in one binade.
    pub(super) fn affine(&mut self, line: Line, range: Integers, at: u32) -> Option<Over> {
        let of = self.operations[line.of as usize];
        let e = exponent(of.values.lo);
        let field = |w: i64| (w >> 52) as i32;
        let out = field(range.lo) - 1023;
        if !line.certain || of.values.lo <= 0.0 || e < -1022 || !(-960..=1023).contains(&out) {
            return None;
        }
        // Above the largest number, the bits are those of infinity and of NaNs.
        if field(range.hi) > 2046 {
            return None;
        }
        // Where a number is next to a power of two, the affine functions of both binades are nearly the same.
        let bent = match (
            exponent(of.values.hi) - e,
            field(range.hi) - field(range.lo),
        ) {
            (0, 0) => Interval::ZERO,
            (0 | 1, 0 | 1) => line.bent(e, of.values.hi).add(above(out, range.hi)),
            _ => return None,
        };
        // bits(a) = a 2^(52 - e) + (e + 1022) 2^52, and the number is (I - (out + 1022) 2^52) 2^(out - 52).
        let bias = |e: i32| i128::from(e + 1022) << 52;
        let constant = line
            .times
            .checked_mul(bias(e))?
            .checked_add(line.plus)?
            .checked_sub(bias(out).checked_mul(1i128.checked_shl(line.shift)?)?)?;
        // The constant is rounded to a double, and to an eighth of what is removed, so that lines of other binades have
        // the same constant; the rest is part of the deviation.
        let bits = |x: u128| 128 - x.leading_zeros();
        let eighth = (line.removed.width() * 0.125).max(1.0) as u128;
        let spare = bits(constant.unsigned_abs())
            .saturating_sub(53)
            .max(bits(eighth) - 1 + line.shift);
        let rounded = constant >> spare << spare;
        let unit = out - 52;
        let deviation = if line.removed == Interval::ZERO && bent == Interval::ZERO {
            // The rest is one number, of a few bits.
            let rest = (constant - rounded) as f64 * power(-(line.shift as i32));
            Interval::point(rest).scale(unit)
        } else {
            let rest = match constant == rounded {
                true => Interval::ZERO,
                false => Interval::new(0.0, power((spare - line.shift) as i32)),
            };
            rest.add(line.removed.neg()).add(bent).scale(unit)
        };
        let times = i64::try_from(line.times)
            .ok()
            .filter(|t| t.abs() < 1 << 53)? as f64;
        // Products with powers of two, far from underflow and overflow.
        let exact = |x: f64, e: i32| {
            let moderate = |e: i32| (-960..=1022).contains(&e);
            (moderate(e) && (x == 0.0 || moderate(exponent(x) + e))).then(|| x * power(e))
        };
        let factor = exact(times, out - e - line.shift as i32)?;
        let plus = exact(
            (rounded >> spare) as f64,
            spare as i32 + unit - line.shift as i32,
        )?;
        let x = |w: i64| number(Prim::F64, word(Prim::I64, w));
        let values = Interval::new(x(range.lo), x(range.hi));
        let deviation = match bent == Interval::ZERO {
            true => deviation,
            false => {
                let apart = values.sub(straight(of.values, factor, plus));
                let deviation = deviation.meet(apart)?;
                let most = line.removed.width() * BENT * power(unit);
                (deviation.width() <= most).then_some(deviation)?
            }
        };
        let straight = |of: Interval| straight(of, factor, plus).add(deviation);
        let values = self.tightened(at, values.meet(straight(of.values))?);
        Some(self.push(Operation {
            kind: Kind::Affine {
                of: line.of,
                factor,
                plus,
                deviation,
            },
            site: at,
            format: BINARY64,
            values,
            reals: straight(of.reals),
            // A number whose fraction is zero is a power of two, and no multiple of a larger one.
            grid: unit + line.zeros.min(52) as i32,
            direction: None,
            rounding: None,
        }))
    }
}

#[cfg(test)]
mod chains;

#[cfg(test)]
mod tests;
