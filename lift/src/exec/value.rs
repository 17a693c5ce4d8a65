//! Values of LLVM's types. Integers of up to 32 bits are lanes of 32 bits, and those of up to 64 bits are lanes of 64 bits, with zeros in the upper bits.
//! `i1` is a mask.

use std::collections::HashMap;

use kernels_gen::ops::{Op, Prim};

use super::state::{Exec, Res};
use crate::graph::Id;
use crate::ir::{Name, Operand, Type};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Val {
    /// An unspecified value: `undef`, `poison`, or memory in which nothing was stored.
    Undef,
    /// Lanes.
    Lane(Id),
    /// An integer of 128 bits: the lower and the upper word.
    Wide(Id, Id),
    /// A pointer.
    Ptr(Pointer),
    /// One of two pointers to different objects, selected by a mask.
    Either(Id, Box<Val>, Box<Val>),
    /// A structure's or array's elements.
    Aggregate(Vec<Val>),
}

/// The object that a pointer points into.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// A stack slot, or memory that the caller passed, by number.
    Slot(u32),
    /// A global of a module.
    Global(usize, Name),
}

/// A pointer: an object, an offset in bytes, and multiples of lanes.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointer {
    /// The object.
    pub base: Base,
    /// The constant part of the offset.
    pub offset: i64,
    /// Lanes of 64 bits, each with its step in bytes.
    pub steps: Vec<(Id, i64)>,
}

impl Pointer {
    /// A pointer to the start of a slot.
    pub fn to_slot(slot: u32) -> Self {
        Pointer {
            base: Base::Slot(slot),
            offset: 0,
            steps: vec![],
        }
    }
}

/// The lanes of a type.
pub fn lane(ty: &Type) -> Option<Prim> {
    Some(match ty {
        Type::Int(1) => Prim::Mask,
        Type::Int(2..=32) => Prim::I32,
        Type::Int(33..=64) => Prim::I64,
        Type::Float => Prim::F32,
        Type::Double => Prim::F64,
        _ => return None,
    })
}

/// The description of a type.
pub fn described(ty: &Type) -> String {
    match ty {
        Type::Other(name) if name == "x86_fp80" => "of type `long double`, 80 bits wide".into(),
        Type::Other(name) => format!("of type `{name}`"),
        Type::Int(n) => format!("an integer of {n} bits"),
        Type::Ptr => "a pointer".into(),
        Type::Array(..) => "an array".into(),
        Type::Vector(..) => "a vector".into(),
        Type::Struct(..) => "a structure".into(),
        other => format!("of type {other:?}"),
    }
}

/// The remedy that is suggested for an unsupported type.
pub fn remedy(ty: &Type) -> &'static str {
    match ty {
        Type::Other(name) if name == "x86_fp80" => {
            "lift the version for `double`; binary64 is the widest float of kernels"
        }
        Type::Vector(..) => "compile without vectorization (-fno-vectorize -fno-slp-vectorize)",
        _ => "give it parameters of float, double or integers of up to 64 bits",
    }
}

impl Exec<'_> {
    /// A value as lanes of a type. An undefined value gives any lanes.
    pub(super) fn lanes(&mut self, ty: &Type, value: &Val) -> Res<Id> {
        let Some(prim) = lane(ty) else {
            return Err(self.refuse(format!("a value is {}", described(ty)), remedy(ty)));
        };
        match value {
            Val::Lane(id) => Ok(*id),
            Val::Undef => Ok(self.g.bits(prim, 0)),
            _ => Err(self.refuse(
                "a pointer or structure is used as a number",
                "keep addresses out of arithmetic",
            )),
        }
    }

    /// A value as the two words of 128 bits.
    pub(super) fn words(&mut self, value: &Val) -> Res<(Id, Id)> {
        match value {
            Val::Wide(lo, hi) => Ok((*lo, *hi)),
            Val::Undef => {
                let zero = self.g.int(Prim::I64, 0);
                Ok((zero, zero))
            }
            _ => Err(self.refuse("a value is no integer of 128 bits", "lift a smaller part")),
        }
    }

    /// The constant of an operand that is not a name.
    pub(super) fn constant(&mut self, ty: &Type, operand: &Operand) -> Res<Val> {
        let zero = matches!(operand, Operand::Zero);
        if let Type::Struct(..) | Type::Array(..) | Type::Vector(..) = ty {
            let types: Vec<Type> = match ty {
                Type::Struct(fields, _) => fields.clone(),
                Type::Array(n, of) | Type::Vector(n, of) => vec![(**of).clone(); *n as usize],
                _ => vec![],
            };
            return match operand {
                Operand::Undef => Ok(Val::Aggregate(vec![Val::Undef; types.len()])),
                Operand::Zero => {
                    let all = types.iter().map(|t| self.constant(t, &Operand::Zero));
                    Ok(Val::Aggregate(all.collect::<Res<_>>()?))
                }
                Operand::Aggregate(items) => {
                    let all = items.iter().map(|(t, o)| self.constant(t, o));
                    Ok(Val::Aggregate(all.collect::<Res<_>>()?))
                }
                _ => Err(self.refuse(
                    "a constant of a structure is not understood",
                    "lift a smaller part",
                )),
            };
        }
        Ok(match (ty, operand) {
            (_, Operand::Undef) => Val::Undef,
            (Type::Float, Operand::Float(x)) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "LLVM writes floats as doubles of the same value"
                )]
                let bits = u64::from((*x as f32).to_bits());
                Val::Lane(self.g.bits(Prim::F32, bits))
            }
            (Type::Double, Operand::Float(x)) => Val::Lane(self.g.bits(Prim::F64, x.to_bits())),
            (Type::Int(128), Operand::Int(n)) => {
                let (lo, hi) = (*n as i64, (*n >> 64) as i64);
                Val::Wide(self.g.int(Prim::I64, lo), self.g.int(Prim::I64, hi))
            }
            (Type::Int(bits @ 1..=64), Operand::Int(n)) => {
                let n = *n as u64 & (u64::MAX >> (64 - bits));
                let prim = lane(ty).expect("it has lanes");
                Val::Lane(self.g.bits(prim, n))
            }
            (Type::Int(128), _) if zero => {
                let word = self.g.int(Prim::I64, 0);
                Val::Wide(word, word)
            }
            (_, Operand::Zero) if lane(ty).is_some() => {
                Val::Lane(self.g.bits(lane(ty).expect("lanes"), 0))
            }
            (Type::Ptr, Operand::Zero) => Val::Undef,
            _ => {
                let what = format!(
                    "a constant {} is not understood: {operand:?}",
                    described(ty)
                );
                return Err(self.refuse(what, "lift a smaller part"));
            }
        })
    }

    /// Selects one of two values by a mask.
    pub(super) fn choose(&mut self, c: Id, a: &Val, b: &Val) -> Res<Val> {
        Ok(match (a, b) {
            _ if a == b => a.clone(),
            (Val::Undef, x) | (x, Val::Undef) => x.clone(),
            (Val::Lane(x), Val::Lane(y)) if self.g.ty(*x) == self.g.ty(*y) => {
                Val::Lane(self.g.op_select(c, *x, *y))
            }
            (Val::Wide(a, b), Val::Wide(x, y)) => {
                Val::Wide(self.g.op_select(c, *a, *x), self.g.op_select(c, *b, *y))
            }
            (Val::Aggregate(x), Val::Aggregate(y)) if x.len() == y.len() => {
                let all = x.iter().zip(y).map(|(x, y)| self.choose(c, x, y));
                Val::Aggregate(all.collect::<Res<_>>()?)
            }
            (Val::Ptr(x), Val::Ptr(y)) if x.base == y.base => {
                let all = x.steps.iter().chain(&y.steps).map(|s| s.1);
                let step = all.chain([x.offset, y.offset]).fold(0, gcd).max(1);
                let (x, y) = (self.units(x, step), self.units(y, step));
                let units = self.g.op_select(c, x, y);
                let Val::Ptr(p) = a else {
                    unreachable!("it is a pointer")
                };
                Val::Ptr(Pointer {
                    base: p.base.clone(),
                    offset: 0,
                    steps: vec![(units, step)],
                })
            }
            (Val::Ptr(_) | Val::Either(..), Val::Ptr(_) | Val::Either(..)) => {
                Val::Either(c, Box::new(a.clone()), Box::new(b.clone()))
            }
            // Memory that is used in two ways; nothing that is defined reads it.
            _ => Val::Undef,
        })
    }

    /// A pointer's offset in units of `step` bytes. All parts of the offset must be multiples of `step`.
    pub(super) fn units(&mut self, p: &Pointer, step: i64) -> Id {
        let mut sum = self.g.int(Prim::I64, p.offset / step);
        for &(id, size) in &p.steps {
            let factor = self.g.int(Prim::I64, size / step);
            let part = self.g.op(Op::Mul, &[id, factor]);
            sum = self.g.op(Op::Add, &[part, sum]);
        }
        sum
    }

    /// The lanes that a function returns.
    pub(super) fn results_of(&mut self, ty: &Type, value: &Val, out: &mut Vec<Id>) -> Res<()> {
        match (ty, value) {
            (Type::Struct(fields, _), Val::Aggregate(items)) => {
                for (t, v) in fields.iter().zip(items) {
                    self.results_of(t, v, out)?;
                }
            }
            (Type::Struct(fields, _), Val::Undef) => {
                for t in fields {
                    self.results_of(t, &Val::Undef, out)?;
                }
            }
            _ => out.push(self.lanes(ty, value)?),
        }
        Ok(())
    }
}

/// The greatest common divisor of two numbers, which is not negative.
pub fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The values of a function's names.
pub(super) type Env = HashMap<Name, Val>;
