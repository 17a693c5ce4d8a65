//! Integers and masks over a box: the exponent fields and the bits of numbers, as kernels use them.

use std::rc::Rc;

use kernels_gen::ops::{Op, Prim};

use super::domain::Pairs;
use super::value::{Before, Float, Int, Mask, Meaning, NOT_FINITE, Refusal, Result, Val};
use crate::num::Interval;
use crate::num::float::exponent;

const FIELD: i64 = 52;
const LEAST_NORMAL: f64 = f64::MIN_POSITIVE;

impl Int {
    fn of(lo: Option<i64>, hi: Option<i64>, like: &[&Int]) -> Int {
        let (lo, hi) = match (lo, hi) {
            (Some(lo), Some(hi)) => (lo, hi),
            _ => (i64::MIN, i64::MAX),
        };
        Int {
            lo,
            hi,
            meaning: Meaning::Any,
            of: like.iter().find_map(|n| n.of),
        }
    }

    fn meaning(self, meaning: Meaning) -> Int {
        Int { meaning, ..self }
    }
}

impl Pairs<'_> {
    /// The bits of a number.
    pub(super) fn bits(&self, a: &Rc<Float>) -> Int {
        let (lo, hi) = match a.range.lo > 0.0 {
            true => (a.range.lo.to_bits() as i64, a.range.hi.to_bits() as i64),
            false => (i64::MIN, i64::MAX),
        };
        Int {
            lo,
            hi,
            meaning: Meaning::Bits(Rc::clone(a), 0),
            of: self.argument_of(a),
        }
    }

    pub(super) fn int_op(&mut self, op: Op, ty: Prim, args: &[&Int]) -> Result<Val> {
        if ty != Prim::I64 {
            return Err(Refusal::No("integers of 32 bits are not known here"));
        }
        Ok(Val::Int(match (op, args) {
            (Op::Add, [a, b]) => {
                let sum = Int::of(a.lo.checked_add(b.lo), a.hi.checked_add(b.hi), args);
                match (&a.meaning, b.constant(), &b.meaning, a.constant()) {
                    (Meaning::Bits(v, plus), Some(n), ..)
                    | (.., Meaning::Bits(v, plus), Some(n)) => match plus.checked_add(n) {
                        Some(plus) => sum.meaning(Meaning::Bits(Rc::clone(v), plus)),
                        None => sum,
                    },
                    _ => sum,
                }
            }
            (Op::Sub, [a, b]) => {
                let difference = Int::of(a.lo.checked_sub(b.hi), a.hi.checked_sub(b.lo), args);
                match (&a.meaning, &b.meaning, b.constant()) {
                    (Meaning::Bits(v, plus), _, Some(n)) => match plus.checked_sub(n) {
                        Some(plus) => difference.meaning(Meaning::Bits(Rc::clone(v), plus)),
                        None => difference,
                    },
                    // The bits below the field.
                    (Meaning::Bits(v, 0), Meaning::Placed(w), None)
                        if Rc::ptr_eq(v, w) && v.range.lo > 0.0 =>
                    {
                        Int {
                            lo: 0,
                            hi: (1 << FIELD) - 1,
                            meaning: Meaning::Any,
                            of: a.of,
                        }
                    }
                    _ => difference,
                }
            }
            (Op::Neg, [a]) => Int::of(a.hi.checked_neg(), a.lo.checked_neg(), args),
            (Op::Min, [a, b]) => Int::of(Some(a.lo.min(b.lo)), Some(a.hi.min(b.hi)), args),
            (Op::Max, [a, b]) => Int::of(Some(a.lo.max(b.lo)), Some(a.hi.max(b.hi)), args),
            (Op::Shl, [a, b]) => {
                let n = shift(b)?;
                let by = |x: i64| x.checked_mul(1i64.checked_shl(n).filter(|&p| p > 0)?);
                let shifted = Int::of(by(a.lo), by(a.hi), args);
                match &a.meaning {
                    Meaning::Field(v) if n == FIELD as u32 && a.constant().is_none() => {
                        shifted.meaning(Meaning::Placed(Rc::clone(v)))
                    }
                    _ => shifted,
                }
            }
            (Op::Shr | Op::ShrLogical, [a, b]) => {
                let n = shift(b)?;
                if op == Op::ShrLogical && a.lo < 0 {
                    Int::of(None, None, args)
                } else {
                    let shifted = Int::of(Some(a.lo >> n), Some(a.hi >> n), args);
                    match &a.meaning {
                        Meaning::Bits(v, 0) if n == FIELD as u32 => {
                            shifted.meaning(Meaning::Field(Rc::clone(v)))
                        }
                        _ => shifted,
                    }
                }
            }
            (Op::And, [a, b]) => match (a.constant(), b.constant()) {
                (Some(a), Some(b)) => Int::number(a & b),
                (_, Some(1)) => {
                    let bit = Int::of(Some(0), Some(1), args);
                    match &a.meaning {
                        Meaning::Bits(v, 0) => bit.meaning(Meaning::LastBit(Rc::clone(v))),
                        _ => bit,
                    }
                }
                (_, Some(mask)) if mask >= 0 => Int::of(Some(0), Some(mask), args),
                _ => Int::of(None, None, args),
            },
            (Op::Or | Op::Xor, [a, b]) => match (a.constant(), b.constant()) {
                (Some(a), Some(b)) => Int::number(if op == Op::Or { a | b } else { a ^ b }),
                _ => Int::of(None, None, args),
            },
            (Op::Not, [a]) => Int::of(Some(!a.hi), Some(!a.lo), args),
            (Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne, [a, b]) => {
                return Ok(Val::Mask(int_compared(op, a, b)));
            }
            (Op::FromBits, [a]) => return self.number_of_bits(a).map(Val::Float),
            _ => return Err(Refusal::No("an operation of integers is not known here")),
        }))
    }

    fn number_of_bits(&mut self, a: &Int) -> Result<Rc<Float>> {
        if let Some(bits) = a.constant() {
            let x = f64::from_bits(bits as u64);
            if !x.is_finite() {
                return Err(NOT_FINITE);
            }
            return Ok(Rc::new(Float::number(x)));
        }
        if let Meaning::Bits(v, plus) = &a.meaning
            && plus % (1 << FIELD) == 0
            && v.range.lo >= LEAST_NORMAL
        {
            // Another exponent.
            let e = (plus >> FIELD) as i32;
            let fits = |x: f64| (-1022..=1023).contains(&(exponent(x) + e));
            let poly = v.poly.as_ref().and_then(|p| p.scaled(e));
            if let Some(poly) = poly
                && fits(v.range.lo)
                && fits(v.range.hi)
            {
                return Ok(Rc::new(Float {
                    poly: Some(poly),
                    bits: v.bits,
                    ..Float::of_range(v.range.scaled(e))
                }));
            }
        }
        if let Some(argument) = a.of
            && self.wanted.is_none()
            && self.pairs.can_split(argument)
        {
            self.wanted = Some(argument);
        }
        let finite = a.lo >= 0 && f64::from_bits(a.hi as u64).is_finite();
        if !finite {
            return Err(self.wanted.map_or(
                Refusal::No("the bits of a number are not known"),
                Refusal::Split,
            ));
        }
        let [lo, hi] = [a.lo, a.hi].map(|n| f64::from_bits(n as u64));
        let number = self.opaque(Interval::new(lo, hi))?;
        let Meaning::Toward { of, rest } = &a.meaning else {
            return Ok(number);
        };
        Ok(Rc::new(Float {
            toward: Some([Rc::clone(of), Rc::clone(rest)]),
            ..(*number).clone()
        }))
    }

    /// A selection that needs no decision.
    pub(super) fn selected(&mut self, mask: &Mask, a: &Val, b: &Val) -> Option<Val> {
        match (mask, a, b) {
            // A step of one unit towards the side of a sign.
            (Mask::Positive(rest) | Mask::Negative(rest), Val::Int(a), Val::Int(b)) => {
                let (Meaning::Bits(v, p), Meaning::Bits(w, q)) = (&a.meaning, &b.meaning) else {
                    return None;
                };
                let steps = match mask {
                    Mask::Positive(_) => (1, -1),
                    _ => (-1, 1),
                };
                if !Rc::ptr_eq(v, w) || (*p, *q) != steps || v.range.lo <= 0.0 {
                    return None;
                }
                Some(Val::Int(Int {
                    lo: a.lo.min(b.lo),
                    hi: a.hi.max(b.hi),
                    meaning: Meaning::Toward {
                        of: Rc::clone(v),
                        rest: Rc::clone(rest),
                    },
                    of: a.of,
                }))
            }
            // Where the addend is 0, the sum is the other number.
            (Mask::Zero(addend), Val::Float(other), Val::Float(sum))
            | (Mask::NotZero(addend), Val::Float(sum), Val::Float(other)) => {
                let exact = other.poly.as_ref()?.add(addend.poly.as_ref()?)?;
                let Some((Before::Sum(before), true)) = &sum.before else {
                    return None;
                };
                (*before == exact).then(|| Val::Float(Rc::clone(sum)))
            }
            (Mask::InexactAndEven { rest, of }, Val::Float(a), Val::Float(b)) => {
                let [stepped, by] = a.toward.as_ref()?;
                let same = Rc::ptr_eq(stepped, of) && Rc::ptr_eq(by, rest) && Rc::ptr_eq(b, of);
                let root_of = same.then(|| self.rounded_to_odd(of, rest))??;
                Some(Val::Float(Rc::new(Float {
                    odd_root_of: Some(root_of),
                    ..(**a).clone()
                })))
            }
            _ => None,
        }
    }

    pub(super) fn mask_op(&mut self, op: Op, a: &Mask, b: Option<&Mask>) -> Result<Mask> {
        use Mask::Known;
        Ok(match (op, a, b) {
            (Op::Not, Known(a), None) => Known(!a),
            (Op::And, Known(false), _) | (Op::And, _, Some(Known(false))) => Known(false),
            (Op::Or, Known(true), _) | (Op::Or, _, Some(Known(true))) => Known(true),
            (Op::And, Known(true), Some(m)) | (Op::Or | Op::Xor, Known(false), Some(m)) => {
                m.clone()
            }
            (Op::And, m, Some(Known(true))) | (Op::Or | Op::Xor, m, Some(Known(false))) => {
                m.clone()
            }
            (Op::Xor, Known(a), Some(Known(b))) => Known(a ^ b),
            (Op::Or, Mask::Positive(v), Some(Mask::Negative(w)))
            | (Op::Or, Mask::Negative(v), Some(Mask::Positive(w)))
                if Rc::ptr_eq(v, w) =>
            {
                Mask::NotZero(Rc::clone(v))
            }
            (Op::And, Mask::NotZero(rest), Some(Mask::Even(of)))
            | (Op::And, Mask::Even(of), Some(Mask::NotZero(rest))) => Mask::InexactAndEven {
                rest: Rc::clone(rest),
                of: Rc::clone(of),
            },
            (Op::Not | Op::And | Op::Or | Op::Xor, a, b) => {
                let argument = |m: &Mask| match m {
                    Mask::Varies(argument) => *argument,
                    Mask::Cut(argument, _) => Some(*argument),
                    _ => None,
                };
                Mask::Varies(argument(a).or(b.and_then(argument)))
            }
            _ => return Err(Refusal::No("an operation of masks is not known here")),
        })
    }
}

fn shift(by: &Int) -> Result<u32> {
    match by.constant() {
        Some(n @ 0..=62) => Ok(n as u32),
        _ => Err(Refusal::No("a shift varies")),
    }
}

fn int_compared(op: Op, a: &Int, b: &Int) -> Mask {
    let less = |a: &Int, b: &Int| {
        if a.hi < b.lo {
            Some(true)
        } else if a.lo >= b.hi {
            Some(false)
        } else {
            None
        }
    };
    let equal = || match (a.constant(), b.constant()) {
        (Some(a), Some(b)) => Some(a == b),
        _ if a.hi < b.lo || b.hi < a.lo => Some(false),
        _ => None,
    };
    let known = match op {
        Op::Lt => less(a, b),
        Op::Gt => less(b, a),
        Op::Ge => less(a, b).map(|l| !l),
        Op::Le => less(b, a).map(|l| !l),
        Op::Eq => equal(),
        _ => equal().map(|e| !e),
    };
    if let Some(known) = known {
        return Mask::Known(known);
    }
    match (op, &a.meaning, b.constant()) {
        (Op::Eq, Meaning::LastBit(v), Some(0)) => Mask::Even(Rc::clone(v)),
        _ => Mask::Varies(a.of.or(b.of)),
    }
}
