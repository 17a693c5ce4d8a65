//! The execution of one instruction.

use std::rc::Rc;

use kernels_gen::ops::{Op, Prim};

use super::memory::Memory;
use super::object::Object;
use super::state::{Exec, Res};
use super::value::Env;
use super::value::Val;
use super::value::{Base, Pointer, described, lane, remedy};
use crate::graph::Id;
use crate::ir::{Gep, Instr, Name, Opcode, Operand, Type};

/// Calls `see` with the names that an instruction uses.
pub(super) fn operands(op: &Opcode, see: &mut dyn FnMut(&Name)) {
    fn one(o: &Operand, see: &mut dyn FnMut(&Name)) {
        match o {
            Operand::Local(n) => see(n),
            Operand::Aggregate(items) => items.iter().for_each(|i| one(&i.1, see)),
            Operand::Gep(g) => gep(g, see),
            _ => {}
        }
    }
    fn gep(g: &Gep, see: &mut dyn FnMut(&Name)) {
        one(&g.base, see);
        g.indices.iter().for_each(|i| one(&i.1, see));
    }
    match op {
        Opcode::Binary(_, _, a, b)
        | Opcode::ICmp(_, _, a, b)
        | Opcode::FCmp(_, _, a, b)
        | Opcode::Store(_, a, b) => {
            one(a, see);
            one(b, see);
        }
        Opcode::InsertValue(_, a, _, b, _)
        | Opcode::Shuffle(_, a, b, _)
        | Opcode::ExtractElement(_, a, _, b) => {
            one(a, see);
            one(b, see);
        }
        Opcode::InsertElement(_, a, _, b, _, c) => [a, b, c].into_iter().for_each(|o| one(o, see)),
        Opcode::FNeg(_, a)
        | Opcode::Cast(_, _, a, _)
        | Opcode::Freeze(_, a)
        | Opcode::Load(_, a)
        | Opcode::ExtractValue(_, a, _)
        | Opcode::CondBr(a, ..)
        | Opcode::Switch(_, a, ..) => one(a, see),
        Opcode::Ret(_, Some(a)) => one(a, see),
        Opcode::Select(c, _, a, b) => [c, a, b].into_iter().for_each(|o| one(o, see)),
        Opcode::Gep(g) => gep(g, see),
        Opcode::Call(_, callee, args) => {
            one(callee, see);
            args.iter().for_each(|a| one(&a.1, see));
        }
        // A variable's name keeps nothing alive.
        _ => {}
    }
}

impl Exec<'_> {
    /// An operand's value.
    pub(super) fn operand(&mut self, ty: &Type, operand: &Operand, env: &Env) -> Res<Val> {
        match operand {
            Operand::Local(name) => match env.get(name) {
                Some(v) => Ok(v.clone()),
                None => Err(self.refuse(
                    format!("%{name} has no value"),
                    "report it, with the source",
                )),
            },
            Operand::Global(name) => Ok(Val::Ptr(Pointer {
                base: Base::Global(self.module, name.clone()),
                offset: 0,
                steps: vec![],
            })),
            Operand::Gep(gep) => self.address(gep, env),
            Operand::Other(what) => Err(self.refuse(
                format!("the constant `{what}` is not understood"),
                remedy(ty),
            )),
            constant => self.constant(ty, constant),
        }
    }
    fn lanes_of(&mut self, ty: &Type, operand: &Operand, env: &Env) -> Res<Id> {
        let value = self.operand(ty, operand, env)?;
        self.lanes(ty, &value)
    }

    /// Executes an instruction that is neither a phi nor a terminator.
    pub(super) fn instr(
        &mut self,
        instr: &Instr,
        env: &Env,
        memory: &mut Rc<Memory>,
    ) -> Res<Option<Val>> {
        let refused = instr.fast.iter().find(|f| !self.options.allow.contains(f));
        if let Some(flag) = refused
            && !(flag == "contract" && self.options.contract.is_some())
        {
            let what = format!(
                "an operation has the fast-math flag `{flag}`, with which its bits depend on the compiler"
            );
            return Err(self.refuse(what, format!("compile without -ffast-math, or take it as an ordinary operation: --allow {flag}")));
        }
        if let Some(value) = self.vectors(instr, env, memory)? {
            return Ok(Some(value));
        }
        Ok(Some(match &instr.op {
            Opcode::Binary(op, ty, a, b) => self.arithmetic(op, ty, a, b, env)?,
            Opcode::FNeg(ty, a) => {
                let x = self.lanes_of(ty, a, env)?;
                Val::Lane(self.g.op(Op::Neg, &[x]))
            }
            Opcode::ICmp(predicate, ty, a, b) => Val::Lane(self.icmp(predicate, ty, a, b, env)?),
            Opcode::FCmp(predicate, ty, a, b) => {
                let (a, b) = (self.lanes_of(ty, a, env)?, self.lanes_of(ty, b, env)?);
                Val::Lane(self.fcmp(predicate, a, b)?)
            }
            Opcode::Select(c, ty, a, b) => {
                let c = self.operand(&Type::Int(1), c, env)?;
                let (a, b) = (self.operand(ty, a, env)?, self.operand(ty, b, env)?);
                if c == Val::Undef {
                    return Ok(Some(a));
                }
                let c = self.lanes(&Type::Int(1), &c)?;
                match self.g.constant_bits(c) {
                    Some(c) => {
                        if c == 1 {
                            a
                        } else {
                            b
                        }
                    }
                    None => self.choose(c, &a, &b)?,
                }
            }
            Opcode::Cast(op, from, a, to) => {
                let value = self.operand(from, a, env)?;
                self.cast(op, from, &value, to)?
            }
            Opcode::Freeze(ty, a) => match self.operand(ty, a, env)? {
                Val::Undef if lane(ty).is_some() => Val::Lane(self.lanes(ty, &Val::Undef)?),
                v => v,
            },
            Opcode::Alloca(ty, count) => {
                let slot = self.object(Object::slot((ty.size() * count) as i64));
                Val::Ptr(Pointer::to_slot(slot))
            }
            Opcode::Gep(gep) => self.address(gep, env)?,
            Opcode::Load(ty, from) => {
                let from = self.operand(&Type::Ptr, from, env)?;
                self.load(ty, &from, memory)?
            }
            Opcode::Store(ty, value, to) => {
                let (value, to) = (
                    self.operand(ty, value, env)?,
                    self.operand(&Type::Ptr, to, env)?,
                );
                self.store(ty, &value, &to, memory)?;
                return Ok(None);
            }
            Opcode::ExtractValue(ty, of, path) => {
                let mut value = self.operand(ty, of, env)?;
                for &i in path {
                    value = match value {
                        Val::Aggregate(items) => items[i as usize].clone(),
                        _ => Val::Undef,
                    };
                }
                value
            }
            Opcode::InsertValue(ty, of, part, value, path) => {
                let whole = self.operand(ty, of, env)?;
                let value = self.operand(part, value, env)?;
                inserted(ty, whole, value, path)
            }
            Opcode::Variable(value, variable) => {
                if self.depth == 1
                    && let Operand::Local(name) = value
                    && let Some(&Val::Lane(id)) = env.get(name)
                    && let Some(name) = self.modules[self.module].variable(*variable)
                {
                    self.g.name(id, name);
                }
                return Ok(None);
            }
            Opcode::Call(ret, callee, args) => return self.call(ret, callee, args, env, memory),
            Opcode::Unknown(text) => {
                let what = format!("an instruction is not understood: {text}");
                let remedy = match text.starts_with("asm") {
                    true => "compile without inline assembly",
                    false => "compile without vectorization, or lift a smaller part",
                };
                return Err(self.refuse(what, remedy));
            }
            _ => unreachable!("phis and terminators are elsewhere"),
        }))
    }

    fn arithmetic(&mut self, op: &str, ty: &Type, a: &Operand, b: &Operand, env: &Env) -> Res<Val> {
        let (a, b) = (self.operand(ty, a, env)?, self.operand(ty, b, env)?);
        match ty {
            Type::Int(128) => {
                let (a, b) = (self.words(&a)?, self.words(&b)?);
                let (lo, hi) = self.wide(op, a, b)?;
                Ok(Val::Wide(lo, hi))
            }
            Type::Int(bits @ 1..=64) => {
                let (a, b) = (self.lanes(ty, &a)?, self.lanes(ty, &b)?);
                Ok(Val::Lane(self.binary(op, *bits, a, b)?))
            }
            _ => {
                let (a, b) = (self.lanes(ty, &a)?, self.lanes(ty, &b)?);
                let op = match op {
                    "fadd" => Op::Add,
                    "fsub" => Op::Sub,
                    "fmul" => Op::Mul,
                    "fdiv" => Op::Div,
                    _ => {
                        return Err(self.refuse(
                            format!("`{op}` is a call of `fmod`"),
                            "lift a function without `fmod` and `%`",
                        ));
                    }
                };
                Ok(Val::Lane(self.g.op(op, &[a, b])))
            }
        }
    }

    fn icmp(&mut self, predicate: &str, ty: &Type, a: &Operand, b: &Operand, env: &Env) -> Res<Id> {
        let (a, b) = (self.operand(ty, a, env)?, self.operand(ty, b, env)?);
        match ty {
            Type::Int(128) => {
                let ((al, ah), (bl, bh)) = (self.words(&a)?, self.words(&b)?);
                if predicate == "eq" || predicate == "ne" {
                    let (l, h) = (self.equal(al, bl), self.equal(ah, bh));
                    let same = self.g.op(Op::And, &[l, h]);
                    return Ok(if predicate == "eq" {
                        same
                    } else {
                        self.g.op(Op::Not, &[same])
                    });
                }
                let upper = self.compare(predicate, 64, ah, bh)?;
                let lower = self.compare(&format!("u{}", &predicate[1..]), 64, al, bl)?;
                let same = self.equal(ah, bh);
                Ok(self.g.op_select(same, lower, upper))
            }
            Type::Int(bits @ 1..=64) => {
                let (a, b) = (self.lanes(ty, &a)?, self.lanes(ty, &b)?);
                self.compare(predicate, *bits, a, b)
            }
            Type::Ptr => {
                // No pointer of a kernel is null.
                let null = |v: &Val| *v == Val::Undef;
                if (null(&a) || null(&b)) && a != b {
                    return Ok(self.g.mask(predicate == "ne"));
                }
                Err(self.refuse("two pointers are compared", "compare numbers"))
            }
            _ => Err(self.refuse(format!("what is compared is {}", described(ty)), remedy(ty))),
        }
    }

    pub(super) fn fcmp(&mut self, predicate: &str, a: Id, b: Id) -> Res<Id> {
        let ordered = match &predicate[1..] {
            "eq" => Op::Eq,
            "lt" => Op::Lt,
            "le" => Op::Le,
            "gt" => Op::Gt,
            "ge" => Op::Ge,
            _ => Op::Ne,
        };
        Ok(match predicate {
            "true" => self.g.mask(true),
            "false" => self.g.mask(false),
            "oeq" | "olt" | "ole" | "ogt" | "oge" | "une" => self.g.op(ordered, &[a, b]),
            // Not ordered, or the comparison: the complement of the opposite one.
            "ult" | "ule" | "ugt" | "uge" => {
                let opposite = match ordered {
                    Op::Lt => Op::Ge,
                    Op::Le => Op::Gt,
                    Op::Gt => Op::Le,
                    _ => Op::Lt,
                };
                let c = self.g.op(opposite, &[a, b]);
                self.g.op(Op::Not, &[c])
            }
            "one" | "ueq" => {
                let (l, g) = (self.g.op(Op::Lt, &[a, b]), self.g.op(Op::Gt, &[a, b]));
                let differ = self.g.op(Op::Or, &[l, g]);
                if predicate == "one" {
                    differ
                } else {
                    self.g.op(Op::Not, &[differ])
                }
            }
            "ord" | "uno" => {
                let mut nan: Option<Id> = None;
                for x in [a, b] {
                    // A constant is no NaN, or its comparison is with itself.
                    let is = match self.g.constant_bits(x) {
                        Some(_) => continue,
                        None => self.g.op(Op::IsNan, &[x]),
                    };
                    nan = Some(match nan {
                        Some(other) if other != is => self.g.op(Op::Or, &[other, is]),
                        _ => is,
                    });
                }
                let nan = nan.unwrap_or_else(|| self.g.mask(false));
                if predicate == "uno" {
                    nan
                } else {
                    self.g.op(Op::Not, &[nan])
                }
            }
            _ => {
                return Err(self.refuse(
                    format!("the comparison `{predicate}` is not known"),
                    "report it",
                ));
            }
        })
    }

    fn cast(&mut self, op: &str, from: &Type, value: &Val, to: &Type) -> Res<Val> {
        if let (Type::Ptr, Type::Ptr) = (from, to) {
            return Ok(value.clone());
        }
        if *value == Val::Undef {
            return Ok(Val::Undef);
        }
        match (op, from, to) {
            ("bitcast", ..) => return self.reinterpret(from, value, to),
            ("ptrtoint" | "inttoptr", ..) => {
                return Err(self.refuse(
                    "an address is used as a number",
                    "keep addresses out of arithmetic",
                ));
            }
            ("trunc", Type::Int(128), Type::Int(n)) => {
                let (lo, _) = self.words(value)?;
                return Ok(Val::Lane(self.truncate(64, lo, *n)));
            }
            ("zext" | "sext", Type::Int(n @ 1..=64), Type::Int(128)) => {
                let x = self.lanes(from, value)?;
                let (lo, hi) = match op {
                    "zext" => (self.extend(*n, x, 64), self.g.int(Prim::I64, 0)),
                    _ => {
                        let lo = self.sign_extend(*n, x, 64);
                        (lo, self.with(Op::Shr, lo, 63))
                    }
                };
                return Ok(Val::Wide(lo, hi));
            }
            _ => {}
        }
        let x = self.lanes(from, value)?;
        let bits = |t: &Type| match t {
            Type::Int(n @ 1..=64) => Some(*n),
            _ => None,
        };
        let result = match (op, bits(from), bits(to)) {
            ("zext", Some(a), Some(b)) => self.extend(a, x, b),
            ("sext", Some(a), Some(b)) => self.sign_extend(a, x, b),
            ("trunc", Some(a), Some(b)) => self.truncate(a, x, b),
            ("sitofp", Some(n), _) => {
                let x = if n == 1 {
                    self.sign_extend(1, x, 32)
                } else {
                    self.sign(n, x)
                };
                self.as_float(to, x)?
            }
            ("uitofp", Some(n), _) => self.unsigned_to_float(n, x, to)?,
            ("fptosi", _, Some(n)) => {
                let p = if n <= 32 { Op::ToI32 } else { Op::ToI64 };
                let x = self.g.op(p, &[x]);
                if n == 1 {
                    self.truncate(32, x, 1)
                } else {
                    self.narrow(n, x)
                }
            }
            ("fptoui", _, Some(n)) => self.float_to_unsigned(n, x)?,
            ("fpext" | "fptrunc", ..) if lane(to).is_some_and(Prim::is_float) => {
                self.as_float(to, x)?
            }
            _ => {
                let what = format!("`{op}` from {from:?} to {to:?}");
                return Err(self.refuse(what, remedy(to)));
            }
        };
        Ok(Val::Lane(result))
    }

    /// A conversion to `float` or `double`.
    pub(super) fn as_float(&mut self, to: &Type, x: Id) -> Res<Id> {
        match (to, self.g.ty(x)) {
            (Type::Float, Prim::F32) | (Type::Double, Prim::F64) => Ok(x),
            (Type::Float, _) => Ok(self.g.op(Op::ToF32, &[x])),
            (Type::Double, _) => Ok(self.g.op(Op::ToF64, &[x])),
            _ => Err(self.refuse(
                format!("a conversion to what is {}", described(to)),
                remedy(to),
            )),
        }
    }

    fn unsigned_to_float(&mut self, bits: u32, x: Id, to: &Type) -> Res<Id> {
        let wide = self.extend(bits, x, 64);
        if self.g.not_negative(wide) || bits < 64 {
            return self.as_float(to, wide);
        }
        // Halved, its last bit kept for the rounding: half an odd number is never a tie of the whole.
        let (half, last) = (
            self.with(Op::ShrLogical, wide, 1),
            self.with(Op::And, wide, 1),
        );
        let half = self.g.op(Op::Or, &[half, last]);
        let half = self.as_float(to, half)?;
        let double = self.g.op(Op::Add, &[half, half]);
        let plain = self.as_float(to, wide)?;
        let top = self.with(Op::Lt, wide, 0);
        Ok(self.g.op(Op::Select, &[top, double, plain]))
    }

    pub(super) fn float_to_unsigned(&mut self, bits: u32, x: Id) -> Res<Id> {
        if bits < 64 {
            let wide = self.g.op(Op::ToI64, &[x]);
            return Ok(self.truncate(64, wide, bits));
        }
        // From 2^63 on, what is above it, with the top bit.
        let limit = match self.g.ty(x) {
            Prim::F32 => self.g.bits(Prim::F32, 0x5f00_0000),
            _ => self.g.bits(Prim::F64, 0x43e0_0000_0000_0000),
        };
        let above = self.g.op(Op::Ge, &[x, limit]);
        let rest = self.g.op(Op::Sub, &[x, limit]);
        let (small, large) = (self.g.op(Op::ToI64, &[x]), self.g.op(Op::ToI64, &[rest]));
        let large = self.with(Op::Xor, large, i64::MIN);
        Ok(self.g.op(Op::Select, &[above, large, small]))
    }

    fn address(&mut self, gep: &Gep, env: &Env) -> Res<Val> {
        let base = self.operand(&Type::Ptr, &gep.base, env)?;
        self.moved(base, gep, env)
    }
    fn moved(&mut self, base: Val, gep: &Gep, env: &Env) -> Res<Val> {
        let mut p = match base {
            Val::Ptr(p) => p,
            Val::Either(c, a, b) => {
                let (a, b) = (self.moved(*a, gep, env)?, self.moved(*b, gep, env)?);
                return Ok(Val::Either(c, Box::new(a), Box::new(b)));
            }
            other => return Ok(other),
        };
        let mut ty = gep.ty.clone();
        for (n, (index_ty, index)) in gep.indices.iter().enumerate() {
            let index = self.lanes_of(index_ty, index, env)?;
            if n > 0 {
                ty = match ty {
                    Type::Array(_, of) => *of,
                    // Elements of whole bytes lie one after another.
                    Type::Vector(_, of) if *of != Type::Int(1) => *of,
                    Type::Struct(..) => {
                        let field = self.g.integer(index).unwrap_or(0) as usize;
                        p.offset += ty.field(field) as i64;
                        let Type::Struct(fields, _) = ty else {
                            unreachable!("it is one")
                        };
                        ty = fields[field].clone();
                        continue;
                    }
                    other => {
                        return Err(self.refuse(
                            format!("an index into what is {}", described(&other)),
                            remedy(&other),
                        ));
                    }
                };
            }
            let index = match index_ty {
                Type::Int(n) => self.sign(*n, index),
                _ => index,
            };
            self.step(&mut p, index, ty.size() as i64);
        }
        Ok(Val::Ptr(p))
    }
}

/// An aggregate with one part replaced.
fn inserted(ty: &Type, whole: Val, value: Val, path: &[u32]) -> Val {
    let Some((&first, rest)) = path.split_first() else {
        return value;
    };
    let (mut items, parts) = match (whole, ty) {
        (Val::Aggregate(items), Type::Struct(fields, _)) => (items, fields.clone()),
        (_, Type::Struct(fields, _)) => (vec![Val::Undef; fields.len()], fields.clone()),
        (Val::Aggregate(items), Type::Array(n, of)) => (items, vec![(**of).clone(); *n as usize]),
        (_, Type::Array(n, of)) => (
            vec![Val::Undef; *n as usize],
            vec![(**of).clone(); *n as usize],
        ),
        (other, _) => return other,
    };
    let i = first as usize;
    let old = std::mem::replace(&mut items[i], Val::Undef);
    items[i] = inserted(&parts[i], old, value, rest);
    Val::Aggregate(items)
}
