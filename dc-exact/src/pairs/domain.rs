//! The evaluation of a kernel over a box of pairs.

use std::rc::Rc;

use kernels_gen::interp::{Bits, Domain, Site};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, TableData};

use super::atoms::{Atoms, Known, Relation};
use super::function::{Function, sizes};
use super::poly::{Atom, Poly};
use super::space::{ORDER, PairBox, Sign};
use super::value::{Argument, Float, Int, Mask, NOT_FINITE, Refusal, Result, Val};
use crate::cell::{Transform, transform};
use crate::num::{Interval, Ring};

/// The largest number of undecided selections on a path. Each doubles the number of paths.
const CHOICES: usize = 6;

/// An evaluation, along one path of the selections that the box does not decide.
pub(super) struct Pairs<'a> {
    pub atoms: Atoms,
    pub pairs: &'a PairBox,
    /// The magnitudes of the arguments, divided by `2^pairs.scale()`, if they vary.
    pub magnitudes: [Option<Atom>; 2],
    /// The same if the magnitude is a single number.
    constants: [Option<Poly>; 2],
    /// The arguments themselves, if their signs vary.
    signed: [Option<Atom>; 2],
    /// Numbers that are the larger of both magnitudes, times a power of two: their atoms, and its exponent.
    pub(super) longest: Vec<(Atom, i32)>,
    /// An argument for which a smaller box would have made a value more precise.
    pub wanted: Option<Argument>,
    /// The first reason why a value is unknown.
    pub why: Option<&'static str>,
    /// The outcomes of undecided selections: the given ones, and those that were added.
    pub choices: Vec<bool>,
    taken: usize,
    /// In tests: the outcomes of selections, by the number of their operation.
    #[cfg(test)]
    pub told: Option<std::collections::BTreeMap<u32, bool>>,
    /// Sums of binary64, each with the exact value that was rounded.
    sums: Vec<(Poly, Poly)>,
}

impl<'a> Pairs<'a> {
    pub fn new(pairs: &'a PairBox, function: Function, choices: Vec<bool>) -> Self {
        let sizes = sizes(function, pairs);
        let mut atoms = Atoms::default();
        let scale = -pairs.scale();
        let mut magnitudes = [None; 2];
        let mut signed = [None; 2];
        let mut constants = [const { None }; 2];
        for (i, &span) in pairs.spans.iter().enumerate() {
            if span.hi == 0.0 {
                continue;
            }
            if span.lo == span.hi && span.sign != Sign::Any {
                constants[i] = power_times(span.lo, scale).map(Poly::number);
                continue;
            }
            let range = Interval::new(span.lo, span.hi).scaled(scale);
            let known = Known {
                range,
                size: sizes[i],
                relation: Relation::None,
                double: false,
                single: false,
            };
            magnitudes[i] = atoms.add(known.clone());
            if span.sign == Sign::Any {
                let magnitude = magnitudes[i].map(Poly::atom);
                let square = magnitude.and_then(|m| atoms.mul(&m, &m));
                signed[i] = atoms.add(Known {
                    range: Interval::symmetric(range.hi),
                    relation: square.map_or(Relation::None, |s| Relation::Square(Rc::new(s))),
                    ..known
                });
            }
        }
        // The arguments of the quotient are two scales.
        if let ([Some(x), Some(y)], [Some(s), Some(t)]) = (magnitudes, sizes)
            && s.of == t.of
        {
            atoms.squares = Some([vec![x, x], vec![y, y]]);
        }
        if function == Function::Hypot {
            let ranges = pairs.spans.map(|s| Interval::new(s.lo, s.hi).scaled(scale));
            let [x, y] = ranges;
            atoms.scale = Some(Interval {
                lo: x.lo.max(y.lo),
                hi: x.mul(x).add(y.mul(y)).sqrt().hi,
            });
        }
        Pairs {
            atoms,
            pairs,
            magnitudes,
            constants,
            signed,
            longest: Vec::new(),
            wanted: None,
            why: None,
            choices,
            taken: 0,
            #[cfg(test)]
            told: None,
            sums: Vec::new(),
        }
    }

    /// Notes a sum of two numbers of binary64.
    pub(super) fn note_sum(&mut self, rounded: Poly, exact: Poly) {
        self.sums.push((rounded, exact));
    }

    /// The exact value that was rounded to a sum.
    pub(super) fn sum_of(&self, rounded: &Poly) -> Option<Poly> {
        let found = self.sums.iter().find(|(r, _)| r == rounded);
        found.map(|(_, exact)| exact.clone())
    }

    /// The arguments' polynomials.
    pub(super) fn argument_polys(&self) -> Result<[Poly; 2]> {
        let mut polys = [Poly::default(), Poly::default()];
        for (poly, value) in polys.iter_mut().zip(self.arguments(53)) {
            if let Val::Float(v) = value {
                *poly = (v.poly.clone()).ok_or(Refusal::No("an argument has no polynomial"))?;
            }
        }
        Ok(polys)
    }

    /// The arguments as values. `bits` is the number of their significant bits.
    pub fn arguments(&self, bits: u32) -> Vec<Val> {
        let of = |i: usize| {
            let span = self.pairs.spans[i];
            let Some(magnitude) = self.magnitudes[i] else {
                return Float::number(match span.sign {
                    Sign::Minus => -span.hi,
                    _ => span.hi,
                });
            };
            let (atom, range) = match span.sign {
                Sign::Any => (self.signed[i], Interval::symmetric(span.hi)),
                Sign::Plus => (Some(magnitude), Interval::new(span.lo, span.hi)),
                Sign::Minus => (Some(magnitude), Interval::new(-span.hi, -span.lo)),
            };
            let poly = atom.map(Poly::atom).and_then(|p| {
                let p = p.scaled(self.pairs.scale())?;
                Some(if span.sign == Sign::Minus { p.neg() } else { p })
            });
            Float {
                poly,
                bits,
                ..Float::of_range(range)
            }
        };
        (0..2).map(|i| Val::Float(Rc::new(of(i)))).collect()
    }

    /// The magnitude of an argument, divided by the scale.
    pub fn magnitude_of(&self, i: Argument) -> Poly {
        match (&self.magnitudes[i], &self.constants[i]) {
            (Some(atom), _) => Poly::atom(*atom),
            (None, Some(number)) => number.clone(),
            (None, None) => Poly::default(),
        }
    }

    #[cfg(test)]
    pub fn signed_atom(&self, i: Argument) -> Option<Atom> {
        self.signed[i]
    }

    /// The argument of which a value is a multiple by a constant.
    pub fn argument_of(&self, v: &Float) -> Option<Argument> {
        let (product, _) = v.poly.as_ref()?.single()?;
        let [atom] = product.as_slice() else {
            return None;
        };
        (0..2).find(|&i| self.magnitudes[i] == Some(*atom) || self.signed[i] == Some(*atom))
    }

    /// The magnitude of a number whose sign varies, if it is an argument.
    fn magnitude(&self, v: &Float) -> Option<Poly> {
        let (product, by) = v.poly.as_ref()?.single()?;
        let i = (0..2).find(|&i| self.signed[i].is_some_and(|s| *product == [s]))?;
        Poly::atom(self.magnitudes[i]?).times(by.abs())
    }

    /// The outcome of a mask. If the box does not decide it, the path does.
    #[cfg_attr(
        not(test),
        expect(unused_variables, reason = "tests follow a path by numbers")
    )]
    pub fn decide(&mut self, mask: &Mask, number: u32) -> Result<bool> {
        if let Mask::Known(known) = mask {
            return Ok(*known);
        }
        #[cfg(test)]
        if let Some(told) = &self.told {
            let outcome = told[&number];
            self.note(mask, outcome);
            return Ok(outcome);
        }
        if let Some(outcome) = self.by_facts(mask) {
            return Ok(outcome);
        }
        if let Mask::Cut(argument, at) = mask {
            return Err(Refusal::Cut(*argument, *at));
        }
        if let Mask::Varies(Some(argument)) = mask
            && self.pairs.can_split(*argument)
        {
            return Err(Refusal::Split(*argument));
        }
        if self.taken == self.choices.len() {
            if self.taken == CHOICES {
                return Err(Refusal::No("too many selections are not decided"));
            }
            self.choices.push(true);
        }
        self.taken += 1;
        let outcome = self.choices[self.taken - 1];
        self.note(mask, outcome);
        Ok(outcome)
    }

    pub fn abs(&mut self, v: &Float) -> Result<Rc<Float>> {
        if v.poly.is_none() {
            return Ok(Rc::new(Float::of_range(v.range.abs())));
        }
        let range = v.range.abs();
        let poly = if v.range.lo >= 0.0 {
            v.poly.clone()
        } else if v.range.hi <= 0.0 {
            v.poly.as_ref().map(Poly::neg)
        } else {
            match self.magnitude(v) {
                Some(poly) => {
                    // The argument's own ends are exact; those of a product would be rounded outward, into the next binade.
                    let own = (self.argument_of(v))
                        .map(|i| self.pairs.spans[i])
                        .filter(|span| span.hi == v.range.hi);
                    let range = own.map_or_else(
                        || self.atoms.range(&poly),
                        |span| Interval::new(span.lo, span.hi),
                    );
                    return Ok(Rc::new(Float {
                        poly: Some(poly),
                        bits: v.bits,
                        ..Float::of_range(range)
                    }));
                }
                None => return self.opaque(range),
            }
        };
        Ok(Rc::new(Float {
            poly,
            bits: v.bits,
            grid: v.grid,
            ..Float::of_range(range)
        }))
    }

    /// A result that cannot be described is unknown. This matters only if it is used: a kernel computes both sides of a selection.
    fn or_unknown(&mut self, result: Result<Val>) -> Result<Val> {
        match result {
            Err(Refusal::No(why)) => {
                self.why.get_or_insert(why);
                Ok(Val::Float(Rc::new(Float::of_range(Interval::ALL))))
            }
            result => result,
        }
    }

    fn float_op(&mut self, op: Op, ty: Prim, args: &[&Rc<Float>]) -> Result<Val> {
        let to = match op {
            Op::ToF32 => Prim::F32,
            _ => ty,
        };
        let constants: Option<Vec<f64>> = args.iter().map(|v| v.constant()).collect();
        // The sign of a zero is not known.
        if let Some(constants) = constants
            && constants.iter().all(|c| *c != 0.0)
            && let Some(result) = folded(op, ty, to, &constants)
        {
            return Ok(Val::Float(Rc::new(result)));
        }
        let value = match (op, args) {
            (Op::Add, [a, b]) => self.sum(ty, a, b)?,
            (Op::Sub, [a, b]) => {
                let minus = Pairs::negative(b);
                self.sum(ty, a, &minus)?
            }
            (Op::Mul, [a, b]) => self.product(ty, a, b)?,
            (Op::Div, [a, b]) => self.quotient(ty, a, b)?,
            (Op::Recip, [a]) => self.quotient(ty, &Float::number(1.0), a)?,
            (Op::Sqrt, [a]) => self.root(ty, a)?,
            (Op::Fma, [a, b, c]) => self.fused(ty, [a, b, c])?,
            (Op::Neg, [a]) => Pairs::negative(a),
            (Op::Abs, [a]) => self.abs(a)?,
            (Op::CopySign, [a, b]) => {
                let magnitude = self.abs(a)?;
                if magnitude.poly.is_none() {
                    return Err(NOT_FINITE);
                }
                if b.range.lo > 0.0 {
                    magnitude
                } else if b.range.hi < 0.0 {
                    Pairs::negative(&magnitude)
                } else {
                    self.opaque(Interval::symmetric(magnitude.range.hi))?
                }
            }
            (Op::Min | Op::Max, [a, b]) => {
                let [p, q] = [a, b].map(|v| self.range_now(v));
                let first_is_less = match () {
                    () if p.hi <= q.lo => true,
                    () if q.hi <= p.lo => false,
                    () => {
                        let longer = match op {
                            Op::Max => self.longer(a, b)?,
                            _ => None,
                        };
                        let varies = "a minimum of two numbers varies";
                        let longer = longer.ok_or_else(|| self.split_for(&[a, b], varies))?;
                        return Ok(Val::Float(longer));
                    }
                };
                Rc::clone(if first_is_less == (op == Op::Min) {
                    a
                } else {
                    b
                })
            }
            // Its value before a rounding to binary32 does not matter in binary64.
            (Op::ToF64, [a]) => Rc::new(Float {
                before: None,
                ..(***a).clone()
            }),
            (Op::ToF32, [a]) if ty == Prim::F64 => self.single(a)?,
            (Op::ToF32, [a]) => Rc::clone(a),
            (Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne, [a, b]) => {
                return Ok(Val::Mask(self.compared(op, ty, a, b)));
            }
            (Op::IsNan, [a]) if a.poly.is_some() => return Ok(Val::Mask(Mask::Known(false))),
            (Op::IsNan, [_]) => return Ok(Val::Mask(Mask::Varies(None))),
            (Op::IsSignNegative, [a]) => {
                return Ok(Val::Mask(match () {
                    () if a.range.lo > 0.0 => Mask::Known(false),
                    () if a.range.hi < 0.0 => Mask::Known(true),
                    () => Mask::Varies(None),
                }));
            }
            (Op::ToBits, [a]) if ty == Prim::F64 => return Ok(Val::Int(self.bits(a))),
            _ => return Err(Refusal::No("an operation is not known here")),
        };
        Ok(Val::Float(value))
    }

    /// A refusal caused by values whose range is too wide.
    fn split_for(&self, values: &[&Rc<Float>], why: &'static str) -> Refusal {
        let wide = values.iter().find_map(|v| {
            self.argument_of(v)
                .filter(|&argument| self.pairs.can_split(argument))
        });
        wide.map_or(Refusal::No(why), Refusal::Split)
    }

    fn compared(&self, op: Op, ty: Prim, a: &Rc<Float>, b: &Rc<Float>) -> Mask {
        let may_be_nan = |v: &Float| v.poly.is_none() && v.range.lo < v.range.hi;
        if may_be_nan(a) || may_be_nan(b) {
            return Mask::Varies(None);
        }
        let known = match op {
            Op::Lt => order(a.range, b.range).or_else(|| self.less(a, b)),
            Op::Gt => order(b.range, a.range).or_else(|| self.less(b, a)),
            Op::Ge => order(a.range, b.range)
                .map(|less| !less)
                .or_else(|| self.less(a, b).map(|less| !less)),
            Op::Le => order(b.range, a.range)
                .map(|less| !less)
                .or_else(|| self.less(b, a).map(|less| !less)),
            _ => equal(a, b).map(|equal| equal == (op == Op::Eq)),
        };
        if let Some(known) = known {
            return Mask::Known(known);
        }
        let zero = |v: &Float| v.constant() == Some(0.0);
        match op {
            Op::Gt if zero(b) => return Mask::Positive(Rc::clone(a)),
            Op::Lt if zero(b) => return Mask::Negative(Rc::clone(a)),
            Op::Lt if zero(a) => return Mask::Positive(Rc::clone(b)),
            Op::Gt if zero(a) => return Mask::Negative(Rc::clone(b)),
            Op::Ne if zero(b) => return Mask::NotZero(Rc::clone(a)),
            Op::Eq if zero(b) => return Mask::Zero(Rc::clone(a)),
            _ => {}
        }
        if let Some(cut) = self.cut(a, b).or_else(|| self.cut(b, a)) {
            return cut;
        }
        if let Some(limit) = b.constant().filter(|_| a.poly.is_some()) {
            let of_argument = self.argument_of(a).is_some();
            let ordered = matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge);
            // The next double is the next number.
            if ty == Prim::F64 && !of_argument && ordered {
                return Mask::Compared(op, Rc::clone(a), limit);
            }
        }
        // The one of more numbers first.
        let arguments: Vec<Argument> = [a, b]
            .into_iter()
            .filter_map(|v| self.argument_of(v))
            .collect();
        let wide = arguments
            .iter()
            .copied()
            .max_by_key(|&i| self.pairs.binades(i));
        Mask::Varies(match wide {
            Some(i) if !self.pairs.can_split(i) && arguments.len() == 2 => Some(ORDER),
            wide => wide,
        })
    }

    /// Whether `a < b`, for multiples of the arguments' magnitudes by the same constant, if the box determines which is larger.
    fn less(&self, a: &Float, b: &Float) -> Option<bool> {
        let first_is_larger = self.pairs.first_is_larger?;
        let ((p, c), (q, d)) = (a.poly.as_ref()?.single()?, b.poly.as_ref()?.single()?);
        let [x, y] = self.magnitudes.map(|a| a.map(|a| vec![a]));
        let (x, y) = (x?, y?);
        if c != d || c < 0.0 {
            return None;
        }
        // `first_is_larger` says |x| >= |y|, its opposite |x| < |y|.
        match (*p == x && *q == y, *p == y && *q == x) {
            (true, _) => Some(!first_is_larger),
            (_, true) => (!first_is_larger).then_some(false),
            _ => None,
        }
    }
}

/// `x 2^e`, if it is a double.
fn power_times(x: f64, e: i32) -> Option<f64> {
    Poly::number(x).scaled(e)?.constant()
}

/// Whether every number of one range is less than every number of the other, or none is.
fn order(a: Interval, b: Interval) -> Option<bool> {
    if a.hi < b.lo {
        Some(true)
    } else if a.lo >= b.hi {
        Some(false)
    } else {
        None
    }
}

fn equal(a: &Rc<Float>, b: &Rc<Float>) -> Option<bool> {
    if a.range.hi < b.range.lo || b.range.hi < a.range.lo {
        return Some(false);
    }
    if let (Some(a), Some(b)) = (a.constant(), b.constant()) {
        return Some(a == b);
    }
    // No number here is a NaN.
    let same = a.poly.is_some() && a.poly == b.poly;
    same.then_some(true)
}

/// The result of an operation on constants, if it is a number.
fn folded(op: Op, ty: Prim, to: Prim, constants: &[f64]) -> Option<Float> {
    let known = matches!(
        op,
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Recip | Op::Sqrt | Op::Fma | Op::ToF32
    );
    if !known {
        return None;
    }
    let bits = |x: &f64| match ty {
        Prim::F32 => u64::from((*x as f32).to_bits()),
        _ => x.to_bits(),
    };
    let bits: Vec<u64> = constants.iter().map(bits).collect();
    let prims = vec![ty; bits.len()];
    let result = Bits.op(op, &prims, &bits.iter().collect::<Vec<_>>());
    let result = match to {
        Prim::F32 => f64::from(f32::from_bits(result as u32)),
        _ => f64::from_bits(result),
    };
    result.is_finite().then(|| Float::number(result))
}

impl Domain for Pairs<'_> {
    type Value = Val;
    type Refusal = Refusal;

    fn constant(&mut self, _: Site<'_>, ty: Prim, bits: u64) -> Result<Val> {
        Ok(match ty {
            Prim::F64 | Prim::F32 => {
                let x = match ty {
                    Prim::F32 => f64::from(f32::from_bits(bits as u32)),
                    _ => f64::from_bits(bits),
                };
                if x.is_nan() {
                    // It is not compared or computed with: only a selection may have it.
                    Val::Float(Rc::new(Float::of_range(Interval::ALL)))
                } else {
                    Val::Float(Rc::new(Float::number(x)))
                }
            }
            Prim::I64 => Val::Int(Int::number(bits as i64)),
            Prim::I32 => Val::Int(Int::number(i64::from(bits as u32 as i32))),
            Prim::Mask => Val::Mask(Mask::Known(bits != 0)),
        })
    }

    fn op(&mut self, site: Site<'_>, op: Op, prims: &[Prim], args: &[&Val]) -> Result<Val> {
        if op == Op::Select {
            let [Val::Mask(mask), a, b] = args else {
                return Err(Refusal::No("a selection without a mask"));
            };
            if let Some(joined) = self.selected(mask, a, b) {
                return Ok(joined);
            }
            return Ok(match self.decide(mask, site.number)? {
                true => (*a).clone(),
                false => (*b).clone(),
            });
        }
        match args[0] {
            Val::Float(_) => {
                let floats: Vec<&Rc<Float>> = args
                    .iter()
                    .filter_map(|v| match v {
                        Val::Float(f) => Some(f),
                        _ => None,
                    })
                    .collect();
                let result = self.float_op(op, prims[0], &floats);
                self.or_unknown(result)
            }
            Val::Int(_) => {
                let ints: Vec<&Int> = args
                    .iter()
                    .filter_map(|v| match v {
                        Val::Int(n) => Some(n),
                        _ => None,
                    })
                    .collect();
                let result = self.int_op(op, prims[0], &ints);
                // What is no number here is not known: an integer or a mask is refused.
                match op {
                    Op::FromBits => self.or_unknown(result),
                    _ => result,
                }
            }
            Val::Mask(a) => {
                let b = match args.get(1) {
                    Some(Val::Mask(b)) => Some(b),
                    _ => None,
                };
                self.mask_op(op, a, b).map(Val::Mask)
            }
        }
    }

    fn load(&mut self, _: Site<'_>, _: &TableData, _: Prim, _: &Val) -> Result<Val> {
        Err(Refusal::No("a table is read"))
    }

    fn call(&mut self, _: Site<'_>, callee: &Func, args: &[Val]) -> Result<Option<Vec<Val>>> {
        let [Val::Float(a), Val::Float(b)] = args else {
            return Ok(None);
        };
        let exact = match transform(callee) {
            Some(Transform::TwoSum) => true,
            // Dekker's theorem needs the larger operand first, or 0.
            Some(Transform::FastTwoSum) => {
                let least = a.range.least();
                least >= self.range_now(b).magnitude() || a.constant() == Some(0.0)
            }
            None => false,
        };
        if !exact || a.poly.is_none() || b.poly.is_none() {
            return Ok(None);
        }
        self.two_sum(a, b).map(Some)
    }
}
