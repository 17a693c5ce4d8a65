//! The evaluation of a kernel over a box of pairs, along one path.
//!
//! A comparison that the box does not decide is a question: the sign of a polynomial, or whether the last bit of a root is set. Each answer
//! gives a path of its own, on which the answer is a fact. All paths must be proven. An answer that holds for no pair does no harm.

use super::atoms::{Atoms, Range};
use super::cover::Rectangle;
use super::function::Function;
use super::poly::{Atom, Poly};
use super::value::{BINARY64, Before, Float, Format, Value};
use crate::ir::{Inst, Program, What};
use crate::number::{Number, exact, negative, power, zero};
use crate::point::to_double;
use crate::typing::Type;

/// A question on which a path depends.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// The sign of a polynomial.
    Sign(Poly),
    /// Whether the last bit of a root is set.
    Odd(Atom),
}

impl Question {
    /// All answers to the question.
    pub fn answers(&self) -> &'static [i32] {
        match self {
            Question::Sign(_) => &[-1, 0, 1],
            Question::Odd(_) => &[0, 1],
        }
    }
}

/// A question with its answer.
pub type Fact = (Question, i32);

/// An evaluation.
pub struct Path<'a> {
    pub atoms: Atoms,
    facts: &'a [Fact],
    /// In tests: the values of all instructions, and the number of atoms after each.
    #[cfg(test)]
    pub seen: Vec<(Value, usize)>,
}

/// The values of the arguments.
pub struct Start {
    pub values: [Float; 2],
    /// `x² + y²`, if the function is a length.
    pub square: Poly,
}

impl<'a> Path<'a> {
    /// A path over a rectangle in which both arguments have one sign.
    pub fn new(
        function: Function,
        of: &Rectangle,
        f: Format,
        facts: &'a [Fact],
    ) -> (Path<'a>, Start) {
        let mut atoms = Atoms::new(function);
        let mut square = Poly::default();
        let values = [0, 1].map(|i| {
            let side = &of.sides[i];
            if side.hi == 0.0 {
                return Float::number(Number::zero());
            }
            let range = Range::doubles(side.lo, side.hi);
            let grid = f.place(&range.lo);
            let magnitude = atoms.argument(i, range.clone());
            let minus = side.is_negative();
            if let Some(s) = atoms.mul(&magnitude, &magnitude) {
                square = square.add(&s);
            }
            Float {
                poly: Some(if minus { magnitude.neg() } else { magnitude }),
                range: if minus { range.neg() } else { range },
                bits: f.precision,
                grid,
                before: None,
                steps: None,
            }
        });
        if function == Function::Hypot {
            let [x, y] = [0, 1].map(|i| Range::doubles(of.sides[i].lo, of.sides[i].hi));
            let squares = x.mul(&x).add(&y.mul(&y));
            atoms.length = squares.sqrt().map(|root| Range {
                lo: x.lo.max(y.lo),
                hi: root.hi,
            });
            // One number is the length if the other one is 0.
            if let [Some(a), None] | [None, Some(a)] = atoms.arguments
                && let Some(size) = &mut atoms.get_mut(a).size
            {
                size.least = exact(1.0);
            }
        }
        let path = Path {
            atoms,
            facts,
            #[cfg(test)]
            seen: Vec::new(),
        };
        (path, Start { values, square })
    }

    /// The number of the next atom that will be made.
    pub fn next_atom(&self) -> Atom {
        self.atoms.len() as Atom
    }

    fn answer(&self, question: Question) -> Result<i32, Question> {
        let found = self.facts.iter().find(|(q, _)| *q == question);
        found.map(|(_, answer)| *answer).ok_or(question)
    }

    /// The sign of a polynomial, if it is known.
    pub fn known_sign(&self, p: &Poly) -> Option<i32> {
        self.sign(p).ok()
    }

    fn sign(&self, p: &Poly) -> Result<i32, Question> {
        if p.is_zero() {
            return Ok(0);
        }
        let range = self.atoms.range(p);
        if !negative(&range.lo) && !zero(&range.lo) {
            return Ok(1);
        }
        if negative(&range.hi) {
            return Ok(-1);
        }
        let (p, turned) = p.canonical();
        let sign = self.answer(Question::Sign(p))?;
        Ok(if turned { -sign } else { sign })
    }

    /// The order of two finite numbers: the sign of their difference. `None` if one of them has no polynomial.
    fn order(&self, a: &Float, b: &Float) -> Result<Option<i32>, Question> {
        let (Some(p), Some(q)) = (&a.poly, &b.poly) else {
            return Ok(None);
        };
        if let (Some(x), Some(y)) = (self.range_now(a), self.range_now(b)) {
            if x.hi < y.lo {
                return Ok(Some(-1));
            }
            if x.lo > y.hi {
                return Ok(Some(1));
            }
        }
        // A sum of two numbers has the sign of the exact sum.
        let exact = |v: &Float, p: &Poly| match &v.before {
            Some(Before::Real(sum, _, true)) => sum.clone(),
            _ => p.clone(),
        };
        let difference = match (p.is_zero(), q.is_zero()) {
            (_, true) => exact(a, p),
            (true, _) => exact(b, q).neg(),
            _ => p.sub(q),
        };
        self.sign(&difference).map(Some)
    }

    /// T, if this double, rounded to fewer bits, is the root of T rounded to nearest. That holds if the double is √T, or if it is odd and no
    /// even double lies between it and √T. The page on pairs has the proof.
    pub fn odd_root(&self, x: &Float) -> Option<Poly> {
        let (root, steps) = match (x.steps, &x.poly) {
            (Some(steps), _) => steps,
            (None, Some(p)) => (p.only_atom()?, 0),
            _ => return None,
        };
        let t = self.atoms.get(root).root_of.clone()?;
        let r = Poly::atom(root);
        let rest = t.sub(&self.atoms.mul(&r, &r)?);
        let right = match self.known_sign(&rest)? {
            // R is √T.
            0 => steps == 0,
            sign => match self.answer(Question::Odd(root)).ok()? {
                0 => steps == i64::from(sign),
                _ => steps == 0,
            },
        };
        right.then_some(t)
    }

    /// The kernel's result.
    ///
    /// # Errors
    /// The question on which the path depends.
    pub fn run(&mut self, program: &Program, arguments: &[Float; 2]) -> Result<Value, Question> {
        let mut values: Vec<Value> = Vec::with_capacity(program.insts.len());
        let mut params = 0;
        for (i, inst) in program.insts.iter().enumerate() {
            let value = match &inst.what {
                What::Param => {
                    params += 1;
                    Value::Float(arguments[(params - 1) % 2].clone())
                }
                What::Const(bits) => constant(inst.ty, *bits),
                What::Load(_) => Value::Unknown,
                What::Op(name) => match two_sum(program, i) {
                    Some(of) => (self.error_of_sum(&values, of))
                        .map_or_else(|| self.apply(program, inst, name, &values), Ok)?,
                    None => self.apply(program, inst, name, &values)?,
                },
            };
            #[cfg(test)]
            self.seen.push((value.clone(), self.atoms.len()));
            values.push(value);
            if i == program.result {
                break;
            }
        }
        Ok(values.pop().unwrap_or(Value::Unknown))
    }

    /// The second result of `two_sum`, which is exact (Knuth, Møller) if nothing overflows: both operands are at most a quarter of the largest
    /// power of two.
    fn error_of_sum(
        &self,
        values: &[Value],
        (a, b, s, f): (usize, usize, usize, Format),
    ) -> Option<Value> {
        let [Value::Float(a), Value::Float(b), Value::Float(s)] = [a, b, s].map(|i| &values[i])
        else {
            return None;
        };
        let safe = power(f.end - 3);
        if a.range.magnitude() > safe || b.range.magnitude() > safe {
            return None;
        }
        let error = a.poly.as_ref()?.add(b.poly.as_ref()?).sub(s.poly.as_ref()?);
        if let Some(x) = error.value() {
            return Some(Value::Float(Float::number(x)));
        }
        let range = f.outward(&self.atoms.range(&error));
        Some(Value::Float(Float {
            poly: Some(error),
            range,
            bits: f.precision,
            grid: f.least,
            before: None,
            steps: None,
        }))
    }

    fn apply(
        &mut self,
        program: &Program,
        inst: &Inst,
        name: &str,
        values: &[Value],
    ) -> Result<Value, Question> {
        let args: Vec<&Value> = inst.args.iter().map(|&a| &values[a]).collect();
        let of = inst.args.last().map_or(inst.ty, |&a| program.insts[a].ty);
        if let Some(value) = logic(name, &args) {
            return Ok(value);
        }
        let value = match (name, &args[..]) {
            ("lt" | "le" | "gt" | "ge" | "eq" | "ne", [a, b]) => {
                let order = self.compared(a, b)?;
                if let (Value::Float(a), Value::Float(b), Some(order)) = (a, b, order) {
                    self.note(a, b, order);
                }
                return Ok(order.map_or(Value::Unknown, |order| {
                    Value::Mask(match name {
                        "lt" => order < 0,
                        "le" => order <= 0,
                        "gt" => order > 0,
                        "ge" => order >= 0,
                        "eq" => order == 0,
                        _ => order != 0,
                    })
                }));
            }
            ("abs", [Value::Float(a)]) => return Ok(self.absolute(a)?.unwrap_or(Value::Unknown)),
            ("abs", [Value::Infinity(_)]) => Some(Value::Infinity(f64::INFINITY)),
            ("neg", [Value::Infinity(x)]) => Some(Value::Infinity(-x)),
            ("neg", [Value::Float(a)]) => negated(a),
            ("is_nan", [Value::Float(Float { poly: Some(_), .. }) | Value::Infinity(_)]) => {
                Some(Value::Mask(false))
            }
            _ => Format::of(of)
                .and_then(|f| self.arithmetic(f, inst.ty, name, &args))
                .or_else(|| integers(name, &args)),
        };
        Ok(value.unwrap_or(Value::Unknown))
    }

    fn arithmetic(&mut self, f: Format, out: Type, name: &str, args: &[&Value]) -> Option<Value> {
        let floats: Vec<&Float> = (args.iter())
            .filter_map(|v| match v {
                Value::Float(a) => Some(a),
                _ => None,
            })
            .collect();
        if floats.len() != args.len() {
            return None;
        }
        match (name, &floats[..]) {
            ("add", [a, b]) => self.sum(f, a, b),
            ("sub", [a, b]) => match negated(b)? {
                Value::Float(b) => self.sum(f, a, &b),
                _ => None,
            },
            ("mul", [a, b]) => self.product(f, a, b),
            ("max", [a, b]) => self.larger(f, a, b).map(Value::Float),
            ("fma", [a, b, c]) => self.fused(f, a, b, c),
            ("div", [a, b]) => self.quotient(f, a, b),
            ("recip", [a]) => self.quotient(f, &Float::number(exact(1.0)), a),
            ("sqrt", [a]) => self.root(f, a),
            // The value before the rounding does not matter in the wider format.
            ("to_f64", [a]) => Some(Value::Float(Float {
                before: None,
                ..Float::clone(a)
            })),
            ("to_f32", [a]) if f == BINARY64 => self.single(a),
            ("to_bits", [a]) if out == Type::I64 => {
                let root = a.poly.as_ref()?.only_atom()?;
                // It is positive and normal, and so are its neighbours.
                self.atoms.get(root).root_of.as_ref()?;
                Some(Value::Bits(root, 0))
            }
            _ => None,
        }
    }

    fn absolute(&self, a: &Float) -> Result<Option<Value>, Question> {
        let Some(p) = &a.poly else {
            return Ok(None);
        };
        Ok(match self.sign(p)? {
            -1 => negated(a),
            _ => Some(Value::Float(a.clone())),
        })
    }

    fn compared(&self, a: &Value, b: &Value) -> Result<Option<i32>, Question> {
        Ok(match (a, b) {
            (Value::Float(a), Value::Float(b)) => self.order(a, b)?,
            (Value::Float(Float { poly: Some(_), .. }), Value::Infinity(x)) => {
                Some(if *x > 0.0 { -1 } else { 1 })
            }
            (Value::Infinity(x), Value::Float(Float { poly: Some(_), .. })) => {
                Some(if *x > 0.0 { 1 } else { -1 })
            }
            (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b) as i32),
            (Value::LastBit(r), Value::Integer(n)) => {
                let bit = self.answer(Question::Odd(*r))?;
                Some(i64::from(bit).cmp(n) as i32)
            }
            _ => None,
        })
    }
}

fn constant(ty: Type, bits: u64) -> Value {
    match ty {
        Type::F64 | Type::F32 => match to_double(ty, bits) {
            x if x.is_finite() => Value::Float(Float::number(exact(x))),
            x if x.is_infinite() => Value::Infinity(x),
            _ => Value::Unknown,
        },
        Type::I64 => Value::Integer(bits as i64),
        Type::I32 => Value::Integer(i64::from(bits as u32 as i32)),
        Type::Mask => Value::Mask(bits != 0),
    }
}

fn negated(a: &Float) -> Option<Value> {
    Some(Value::Float(Float {
        poly: Some(a.poly.as_ref()?.neg()),
        range: a.range.neg(),
        before: None,
        ..a.clone()
    }))
}

/// Masks and selections; `None` for any other operation.
fn logic(name: &str, args: &[&Value]) -> Option<Value> {
    use Value::{Mask, Unknown};
    Some(match (name, args) {
        ("select", [Mask(m), a, b]) => {
            if *m {
                (*a).clone()
            } else {
                (*b).clone()
            }
        }
        ("select", _) => Unknown,
        ("and", [Mask(false), _] | [_, Mask(false)]) => Mask(false),
        ("or", [Mask(true), _] | [_, Mask(true)]) => Mask(true),
        ("and" | "or" | "xor", [Mask(a), Mask(b)]) => Mask(match name {
            "and" => a & b,
            "or" => a | b,
            _ => a ^ b,
        }),
        ("not", [Mask(a)]) => Mask(!a),
        _ => return None,
    })
}

/// The bits of roots.
fn integers(name: &str, args: &[&Value]) -> Option<Value> {
    use Value::{Bits, Integer, LastBit};
    Some(match (name, args) {
        ("add", [Bits(r, steps), Integer(n)] | [Integer(n), Bits(r, steps)]) => {
            Bits(*r, steps.checked_add(*n)?)
        }
        ("sub", [Bits(r, steps), Integer(n)]) => Bits(*r, steps.checked_sub(*n)?),
        ("and", [Bits(r, 0), Integer(1)] | [Integer(1), Bits(r, 0)]) => LastBit(*r),
        ("from_bits", [Bits(r, steps @ (-1 | 1))]) => {
            Value::Float(Float::only(None, Some((*r, *steps))))
        }
        _ => return None,
    })
}

/// The operands and the sum, if an instruction is the second result of `two_sum`: `(a - (s - (s - a))) + (b - (s - a))`, where `s = a + b`.
fn two_sum(program: &Program, i: usize) -> Option<(usize, usize, usize, Format)> {
    let op = |i: usize, due: &str| match &program.insts[i].what {
        What::Op(name) if name == due => match program.insts[i].args[..] {
            [a, b] => Some((a, b)),
            _ => None,
        },
        _ => None,
    };
    let f = Format::of(program.insts[i].ty)?;
    let (of_a, of_b) = op(i, "add")?;
    let ((a, a_seen), (b, b_seen)) = (op(of_a, "sub")?, op(of_b, "sub")?);
    let (s, again) = op(a_seen, "sub")?;
    let right =
        again == b_seen && op(b_seen, "sub") == Some((s, a)) && op(s, "add") == Some((a, b));
    right.then_some((a, b, s, f))
}
