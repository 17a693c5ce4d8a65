//! Operations that are not real arithmetic: comparisons, roundings to integers, conversions, operations on bits.

use kernels_gen::interp::{Bits, Site};
use kernels_gen::ops::{Op, Prim};

use super::domain::{Cells, Over};
use super::residual::{Index, Kind, Operation};
use super::values::{Integers, bits, corners, number, signed, word};
use super::words::AUXILIARY;
use crate::num::float::{BINARY64, exponent, greater, lesser, power};
use crate::num::{Interval, Ring};

/// Cells on which an integer has only this many values are cut where it changes.
const FEW_VALUES: u64 = 4;

impl Cells<'_> {
    pub(super) fn comparison(&self, op: Op, ty: Prim, args: &[&Over], at: u32) -> Over {
        let decide = |less: bool, greater: bool, equal: bool, apart: bool| {
            // `less`: all of `a` are less than all of `b`; `greater` likewise. `equal`: both are one number. `apart`:
            // they have no number in common.
            let known = match op {
                Op::Lt if less => Some(true),
                Op::Lt if greater || equal => Some(false),
                Op::Gt if greater => Some(true),
                Op::Gt if less || equal => Some(false),
                Op::Eq if equal => Some(true),
                Op::Eq if apart => Some(false),
                Op::Ne if equal => Some(false),
                Op::Ne if apart => Some(true),
                _ => None,
            };
            known.map_or(Over::Mask(at), |m| Over::Const(u64::from(m)))
        };
        // A number and itself: an operation's result is no NaN.
        if let (Over::Real(a), Over::Real(b)) = (args[0], args[1])
            && a == b
        {
            return Over::Const(matches!(op, Op::Eq | Op::Le | Op::Ge).into());
        }
        if ty.is_float() {
            let (Some(a), Some(b)) = (self.range(ty, args[0]), self.range(ty, args[1])) else {
                return Over::Mask(at);
            };
            return match op {
                Op::Le if a.hi <= b.lo => Over::Const(1),
                Op::Le if a.lo > b.hi => Over::Const(0),
                Op::Ge if a.lo >= b.hi => Over::Const(1),
                Op::Ge if a.hi < b.lo => Over::Const(0),
                // Not less: they are equal at most, where the ranges touch.
                Op::Lt if a.lo >= b.hi => Over::Const(0),
                Op::Gt if a.hi <= b.lo => Over::Const(0),
                _ => decide(
                    a.hi < b.lo,
                    a.lo > b.hi,
                    a.lo == a.hi && b.lo == b.hi && a.lo == b.lo,
                    a.hi < b.lo || a.lo > b.hi,
                ),
            };
        }
        let (a, b) = (self.integers(ty, args[0]), self.integers(ty, args[1]));
        match op {
            Op::Le if a.hi <= b.lo => Over::Const(1),
            Op::Le if a.lo > b.hi => Over::Const(0),
            Op::Ge if a.lo >= b.hi => Over::Const(1),
            Op::Ge if a.hi < b.lo => Over::Const(0),
            Op::Lt if a.lo >= b.hi => Over::Const(0),
            Op::Gt if a.hi <= b.lo => Over::Const(0),
            _ => decide(
                a.hi < b.lo,
                a.lo > b.hi,
                a.lo == a.hi && b.lo == b.hi && a.lo == b.lo,
                a.hi < b.lo || a.lo > b.hi,
            ),
        }
    }

    /// One of two values, if it is unknown which.
    pub(super) fn either(&mut self, ty: Prim, a: &Over, b: &Over, at: u32) -> Over {
        match ty {
            Prim::F64 | Prim::F32 => match (self.range(ty, a), self.range(ty, b)) {
                (Some(x), Some(y)) => {
                    let hull = Interval::new(lesser(x.lo, y.lo), greater(x.hi, y.hi));
                    Over::Step(hull, false, at)
                }
                _ => Over::Step(Interval::ALL, true, at),
            },
            Prim::Mask => match (a, b) {
                (Over::Const(x), Over::Const(y)) if x == y => Over::Const(*x),
                _ => Over::Mask(at),
            },
            _ => {
                let (x, y) = (self.integers(ty, a), self.integers(ty, b));
                let hull = Integers {
                    lo: x.lo.min(y.lo),
                    hi: x.hi.max(y.hi),
                };
                Self::integer(ty, hull, at)
            }
        }
    }

    pub(super) fn negated(&mut self, ty: Prim, value: &Over, at: u32) -> Over {
        match *value {
            Over::Real(i) => {
                let o = self.operations[i as usize];
                self.push(Operation {
                    kind: Kind::Neg(i),
                    site: at,
                    values: o.values.neg(),
                    reals: o.reals.neg(),
                    direction: None,
                    rounding: None,
                    ..o
                })
            }
            Over::Step(range, nan, _) => Over::Step(range.neg(), nan, at),
            // Of a constant with the sign of a number.
            Over::Const(c) => Over::Const(bits(ty, -number(ty, c))),
            _ => Self::unknown(ty, at),
        }
    }

    /// Operations that take floats to floats without rounding error, or to a step function.
    pub(super) fn unrounded(&mut self, op: Op, ty: Prim, args: &[&Over], at: u32) -> Over {
        let Some(a) = self.range(ty, args[0]) else {
            return Self::unknown(ty, Self::unknown_operand(args).unwrap_or(at));
        };
        match op {
            Op::Neg => self.negated(ty, args[0], at),
            Op::Abs if a.lo > 0.0 => *args[0],
            Op::Abs if a.hi < 0.0 => self.negated(ty, args[0], at),
            Op::Abs => Over::Step(a.abs(), false, at),
            Op::CopySign => {
                let Some(b) = self.range(ty, args[1]) else {
                    return Self::unknown(ty, at);
                };
                let negative = match args[1] {
                    Over::Const(bits) => Some(number(ty, *bits).is_sign_negative()),
                    _ if b.lo > 0.0 => Some(false),
                    _ if b.hi < 0.0 => Some(true),
                    _ => None,
                };
                match negative {
                    // A zero, too.
                    Some(n) if let Over::Const(bits) = *args[0] => {
                        let x = number(ty, bits).abs();
                        Over::Const(super::values::bits(ty, if n { -x } else { x }))
                    }
                    Some(n) if (n && a.hi < 0.0) || (!n && a.lo > 0.0) => *args[0],
                    Some(n) if (n && a.lo > 0.0) || (!n && a.hi < 0.0) => {
                        self.negated(ty, args[0], at)
                    }
                    _ => Over::Step(Interval::symmetric(a.magnitude()), false, at),
                }
            }
            Op::Min | Op::Max => {
                let Some(b) = self.range(ty, args[1]) else {
                    return Self::unknown(ty, at);
                };
                // `min` is the second operand unless the first is less.
                let first = match op {
                    Op::Min if a.hi < b.lo => Some(true),
                    Op::Min if a.lo >= b.hi => Some(false),
                    Op::Max if a.lo > b.hi => Some(true),
                    Op::Max if a.hi <= b.lo => Some(false),
                    _ => None,
                };
                match first {
                    Some(true) => *args[0],
                    Some(false) => *args[1],
                    // Of two zeros the second operand is the result.
                    None if op == Op::Min => {
                        let hi = if a.hi < b.hi { a.hi } else { b.hi };
                        let hi = if hi == 0.0 { 0.0 } else { hi };
                        Over::Step(Interval::new(lesser(a.lo, b.lo), hi), false, at)
                    }
                    None => {
                        let lo = if a.lo > b.lo { a.lo } else { b.lo };
                        let lo = if lo == 0.0 { -0.0 } else { lo };
                        Over::Step(Interval::new(lo, greater(a.hi, b.hi)), false, at)
                    }
                }
            }
            // Roundings to an integer are monotone.
            _ => match corners(op, ty, ty, &[a]) {
                Some((range, true)) => Over::Const(bits(ty, range.lo)),
                Some((range, false)) => Over::Step(range, false, at),
                None => Self::unknown(ty, at),
            },
        }
    }

    pub(super) fn conversion(
        &mut self,
        site: Site<'_>,
        op: Op,
        ty: Prim,
        out: Prim,
        args: &[&Over],
    ) -> Over {
        let at = site.number;
        if ty.is_float() && out.is_float() {
            if ty == out {
                return *args[0];
            }
            if out == Prim::F64 {
                return match *args[0] {
                    Over::Real(i) => self.widened(at, i),
                    other => other,
                };
            }
            return self.arithmetic(site, op, ty, out, args);
        }
        if ty.is_float() {
            // The conversion saturates and is monotone.
            let Some(a) = self.range(ty, args[0]) else {
                return Self::unknown(out, Self::unknown_operand(args).unwrap_or(at));
            };
            let end = |x: f64| {
                let w = bits(ty, x);
                signed(out, Bits.op(op, &[ty], &[&w]))
            };
            let range = Integers {
                lo: end(a.lo),
                hi: end(a.hi),
            };
            return Self::integer(out, range, at);
        }
        let a = self.integers(ty, args[0]);
        if out.is_int()
            && let Some(converted) = self.converted(ty, out, args[0], at)
        {
            return converted;
        }
        let end = |x: i64| Bits.op(op, &[ty], &[&word(ty, x)]);
        if out.is_float() {
            let range = Interval::new(number(out, end(a.lo)), number(out, end(a.hi)));
            return Over::Step(range, false, at);
        }
        if out == Prim::I32 && ty == Prim::I64 {
            // The low half is in order as long as the high halves agree.
            let range = Integers::of(out, a.lo.into(), a.hi.into());
            return Self::integer(out, range, at);
        }
        Self::integer(out, a, at)
    }

    pub(super) fn bits_of(&mut self, ty: Prim, out: Prim, value: &Over, at: u32) -> Over {
        let Some(a) = self.range(ty, value) else {
            return Self::unknown(out, at);
        };
        if a.contains(0.0) {
            return match (value, ty) {
                (Over::Real(i), Prim::F64) => self.uncertain(*i, at),
                _ => Self::unknown(out, at),
            };
        }
        if let (Over::Real(i), Prim::F64) = (value, ty) {
            return Over::Word(*i, 0, at);
        }
        // The larger the magnitude, the larger the word.
        let w = |x: f64| signed(out, bits(ty, x));
        let (p, q) = (w(a.lo), w(a.hi));
        Self::integer(
            out,
            Integers {
                lo: p.min(q),
                hi: p.max(q),
            },
            at,
        )
    }

    /// The bits of an operation's values plus a constant.
    pub(super) fn word_range(&self, i: Index, plus: i64) -> Integers {
        let values = self.operations[i as usize].values;
        let w = |x: f64| (x.to_bits() as i64).checked_add(plus);
        match (w(values.lo), w(values.hi)) {
            (Some(p), Some(q)) => Integers {
                lo: p.min(q),
                hi: p.max(q),
            },
            _ => Integers::all(Prim::I64),
        }
    }

    /// The bits of a real number plus or minus a constant, as a value.
    pub(super) fn moved_word(op: Op, ty: Prim, args: &[&Over], at: u32) -> Option<Over> {
        if ty != Prim::I64 {
            return None;
        }
        let (i, plus, by) = match (op, args[0], args[1]) {
            (Op::Add, Over::Word(i, plus, _), Over::Const(c))
            | (Op::Add, Over::Const(c), Over::Word(i, plus, _)) => (*i, *plus, *c as i64),
            (Op::Sub, Over::Word(i, plus, _), Over::Const(c)) => {
                (*i, *plus, (*c as i64).checked_neg()?)
            }
            _ => return None,
        };
        Some(Over::Word(i, plus.checked_add(by)?, at))
    }

    /// The site of an integer that varies beside the bits of a real number.
    pub(super) fn steps(args: &[&Over]) -> Option<u32> {
        args.iter().find(|a| matches!(a, Over::Word(..)))?;
        args.iter().find_map(|a| match a {
            Over::Int(_, site) | Over::Line(_, _, site) | Over::Low(_, _, site) => Some(*site),
            _ => None,
        })
    }

    pub(super) fn float_of_bits(&mut self, ty: Prim, out: Prim, value: &Over, at: u32) -> Over {
        if let (Over::Word(i, plus, _), Prim::F64) = (value, out)
            && let Some(scaled) = self.scaled_by_bits(*i, *plus, at)
        {
            return scaled;
        }
        let a = self.integers(ty, value);
        if out == Prim::F64
            && !matches!(value, Over::Word(..))
            && let Some(number) = self.made_of_many(value, a, at)
        {
            return number;
        }
        if a.lo == a.hi {
            return Over::Const(word(ty, a.lo));
        }
        let x = |i: i64| number(out, word(ty, i));
        let (p, q) = (x(a.lo), x(a.hi));
        let site = match value {
            Over::Int(_, site) | Over::Line(_, _, site) | Over::Low(_, _, site) => *site,
            _ => at,
        };
        self.stepped.push(site);
        if p.is_nan() || q.is_nan() || (a.lo < 0) != (a.hi < 0) {
            return Self::unknown(out, site);
        }
        Over::Step(Interval::new(lesser(p, q), greater(p, q)), false, site)
    }

    /// A number made from an integer with more values than the cell may be cut at. `None` if the integer has fewer values, and if it is not
    /// a line, so that its origin determines where the cell is cut.
    fn made_of_many(&mut self, value: &Over, range: Integers, at: u32) -> Option<Over> {
        let line = self.line(value);
        // Where another number of this kind varies before it, the range of this one says nothing about how many values it has on the
        // parts of the cell, on each of which that number is a constant.
        let follows = || value.since().is_some_and(|s| self.stepped.contains(&s));
        if line.is_none() && self.affine.patient && follows() {
            self.affine.put_off = true;
            return None;
        }
        let apart = line.map_or(0, |l| l.zeros());
        let values = (range.hi.abs_diff(range.lo) >> apart).saturating_add(1);
        // Cutting a cell into this many parts evaluates twice as many.
        if values > self.affine.most / 2 {
            self.affine.sites.insert(at);
        }
        let line = line.filter(|_| self.affine.sites.contains(&at))?;
        let made = match range.hi < 0 {
            true => self.affine_negative(line, range, at),
            false => self.affine(line, range, at),
        };
        if made.is_none() && values <= FEW_VALUES && values > 1 {
            return None;
        }
        Some(made.unwrap_or_else(|| {
            self.affine.wide.insert(line.bits_at);
            Over::Step(Interval::ALL, true, line.bits_at)
        }))
    }

    /// A real number whose exponent field was changed: exactly the number times a power of two, if both are normal. Its sign may have been
    /// set.
    fn scaled_by_bits(&mut self, i: Index, plus: i64, at: u32) -> Option<Over> {
        let words = self.word_range(i, plus);
        if self.operations[i as usize].values.lo > 0.0 && words.hi < 0 {
            // The bits minus the sign's bit are those of the opposite number.
            let of = self.scaled_by_bits(i, plus.wrapping_sub(i64::MIN), at | AUXILIARY)?;
            let Over::Real(of) = of else { return None };
            return Some(self.negative(of, at));
        }
        if plus == 0 {
            return Some(Over::Real(i));
        }
        let by = plus >> 52;
        if plus != by << 52 {
            return None;
        }
        let values = self.operations[i as usize].values;
        let normal = |e: i32| (-1022..=1023).contains(&e);
        let (least, most) = (exponent(values.least()), exponent(values.magnitude()));
        let by = i32::try_from(by).ok()?;
        // 2^-1024, which takes the largest numbers to those below one, is subnormal, and exact.
        if ![least, most, least + by, most + by].into_iter().all(normal)
            || !(BINARY64.least..=BINARY64.largest).contains(&by)
        {
            return None;
        }
        let factor = Over::Const(power(by).to_bits());
        let c = self.operand(Prim::F64, &factor, at)?;
        let scaled = Interval {
            lo: values.lo * power(by),
            hi: values.hi * power(by),
        };
        Some(self.real_operation(at, Op::Mul, Prim::F64, [i, c, 0], scaled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Tight;

    const NUMBERS: [f64; 8] = [-2.5, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, 2.5];
    const INTEGERS: [i64; 5] = [-2, -1, 0, 1, 3];

    /// All ranges of the numbers, with their members.
    fn ranges<T: Copy>(all: &[T]) -> Vec<&[T]> {
        (0..all.len())
            .flat_map(|i| (i..all.len()).map(move |j| (i, j)))
            .map(|(i, j)| &all[i..=j])
            .collect()
    }

    /// A number that is compared with itself, and with another of the same range.
    #[test]
    fn a_number_equals_itself() {
        let tight = Tight::new();
        let mut cells = Cells::new(&tight);
        let [x, y] = [0; 2].map(|_| cells.input(Interval::new(1.0, 2.0), BINARY64));
        for (op, is) in [
            (Op::Eq, 1),
            (Op::Ne, 0),
            (Op::Le, 1),
            (Op::Lt, 0),
            (Op::Ge, 1),
            (Op::Gt, 0),
        ] {
            let same = cells.comparison(op, Prim::F64, &[&x, &x], 1);
            assert!(matches!(same, Over::Const(c) if c == is), "{op:?} {same:?}");
            let other = cells.comparison(op, Prim::F64, &[&x, &y], 1);
            assert!(matches!(other, Over::Mask(1)), "{op:?} {other:?}");
        }
    }

    /// The result of an operation over ranges holds for all pairs of their members, for step functions and for real numbers.
    #[test]
    fn steps_hold_for_all_members_of_ranges() {
        let compare = [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne];
        let float = [
            Op::Neg,
            Op::Abs,
            Op::CopySign,
            Op::Min,
            Op::Max,
            Op::Floor,
            Op::Trunc,
        ];
        let tight = Tight::new();
        let (mut decided, mut known) = (0, 0);
        for a in ranges(&NUMBERS) {
            for b in ranges(&NUMBERS) {
                for real in [false, true] {
                    let mut cells = Cells::new(&tight);
                    let mut over = |of: &[f64]| {
                        let range = Interval::new(of[0], of[of.len() - 1]);
                        match (real, of.len()) {
                            (true, _) => cells.input(range, BINARY64),
                            (false, 1) => Over::Const(of[0].to_bits()),
                            (false, _) => Over::Step(range, false, 0),
                        }
                    };
                    let overs = [over(a), over(b)];
                    let args = [&overs[0], &overs[1]];
                    let pairs = || a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
                    for op in compare {
                        let found = cells.comparison(op, Prim::F64, &args, 1);
                        for (p, q) in pairs() {
                            let words = [p.to_bits(), q.to_bits()];
                            let is = Bits.op(op, &[Prim::F64; 2], &[&words[0], &words[1]]);
                            if let Over::Const(c) = found {
                                assert_eq!(c, is, "{op:?} {a:?} {b:?}");
                                decided += 1;
                            }
                        }
                    }
                    for op in float {
                        let found = cells.unrounded(op, Prim::F64, &args, 1);
                        for (p, q) in pairs() {
                            let words = [p.to_bits(), q.to_bits()];
                            let n = if matches!(op, Op::CopySign | Op::Min | Op::Max) {
                                2
                            } else {
                                1
                            };
                            let is =
                                Bits.op(op, &[Prim::F64; 2][..n], &[&words[0], &words[1]][..n]);
                            let holds = match found {
                                Over::Const(c) => c == is,
                                Over::Step(range, ..) => {
                                    let x = f64::from_bits(is);
                                    range.lo.total_cmp(&x).is_le() && x.total_cmp(&range.hi).is_le()
                                }
                                Over::Real(i) => {
                                    let (x, negative) = match cells.operations[i as usize].kind {
                                        Kind::Neg(i) => (i, true),
                                        _ => (i, false),
                                    };
                                    let x = if x == 0 { *p } else { *q };
                                    is == if negative { -x } else { x }.to_bits()
                                }
                                _ => false,
                            };
                            assert!(holds, "{op:?} {a:?} {b:?}: {found:?} for {p:e} {q:e}");
                            known += 1;
                        }
                    }
                }
            }
        }
        for a in ranges(&INTEGERS) {
            for b in ranges(&INTEGERS) {
                let cells = Cells::new(&tight);
                let over = |of: &[i64]| {
                    let range = Integers {
                        lo: of[0],
                        hi: of[of.len() - 1],
                    };
                    Over::Int(range, 0)
                };
                let overs = [over(a), over(b)];
                for op in compare {
                    let found = cells.comparison(op, Prim::I64, &[&overs[0], &overs[1]], 1);
                    for (p, q) in a.iter().flat_map(|p| b.iter().map(move |q| (p, q))) {
                        let words = [*p as u64, *q as u64];
                        let is = Bits.op(op, &[Prim::I64; 2], &[&words[0], &words[1]]);
                        let holds = if let Over::Const(c) = found {
                            c == is
                        } else {
                            true
                        };
                        assert!(holds, "{op:?} {a:?} {b:?}");
                    }
                }
            }
        }
        assert!(decided > 10_000 && known > 50_000, "{decided} {known}");
    }
}
