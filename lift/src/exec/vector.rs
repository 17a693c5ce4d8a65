//! Vectors: an operation on vectors is the operation on their elements, one by one.

use std::rc::Rc;

use kernels_gen::ops::Op;

use super::memory::Memory;
use super::state::{Exec, Res};
use super::value::Env;
use super::value::Val;
use super::value::described;
use crate::graph::Id;
use crate::ir::{Instr, Opcode, Operand, Type};

/// The operation on one element: the number of elements, the operands with their types, and the operation on values with the names `0`,
/// `1`, ….
type Each = (u64, Vec<(Type, Operand)>, Opcode);

fn each(op: &Opcode) -> Option<Each> {
    let local = |n: usize| Operand::Local(n.to_string().into());
    let both = |ty: &Type, a: &Operand, b: &Operand| {
        vec![(ty.clone(), a.clone()), (ty.clone(), b.clone())]
    };
    let of = |ty: &Type| match ty {
        Type::Vector(n, of) => Some((*n, (**of).clone())),
        _ => None,
    };
    Some(match op {
        Opcode::Binary(op, ty, a, b) => {
            let (n, one) = of(ty)?;
            let op = Opcode::Binary(op.clone(), one, local(0), local(1));
            (n, both(ty, a, b), op)
        }
        Opcode::ICmp(predicate, ty, a, b) => {
            let (n, one) = of(ty)?;
            let op = Opcode::ICmp(predicate.clone(), one, local(0), local(1));
            (n, both(ty, a, b), op)
        }
        Opcode::FCmp(predicate, ty, a, b) => {
            let (n, one) = of(ty)?;
            let op = Opcode::FCmp(predicate.clone(), one, local(0), local(1));
            (n, both(ty, a, b), op)
        }
        Opcode::FNeg(ty, a) => {
            let (n, one) = of(ty)?;
            (
                n,
                vec![(ty.clone(), a.clone())],
                Opcode::FNeg(one, local(0)),
            )
        }
        Opcode::Select(c, ty, a, b) => {
            let (n, one) = of(ty)?;
            // The condition is one for all, or a vector.
            let masks = match c {
                Operand::Aggregate(_) => Type::Vector(n, Box::new(Type::Int(1))),
                _ => Type::Int(1),
            };
            let mut operands = vec![(masks, c.clone())];
            operands.extend(both(ty, a, b));
            let op = Opcode::Select(local(0), one, local(1), local(2));
            (n, operands, op)
        }
        Opcode::Cast(op, from, a, to) if op != "bitcast" => {
            let ((n, one), (_, to)) = (of(from)?, of(to)?);
            let op = Opcode::Cast(op.clone(), one, local(0), to);
            (n, vec![(from.clone(), a.clone())], op)
        }
        Opcode::Call(ret, Operand::Global(name), args) if name.starts_with("llvm.") => {
            let (n, one) = of(ret)?;
            let element = |(i, (ty, _)): (usize, &(Type, Operand))| {
                (of(ty).map_or_else(|| ty.clone(), |t| t.1), local(i))
            };
            let scalars = args.iter().enumerate().map(element).collect();
            let op = Opcode::Call(one, Operand::Global(name.clone()), scalars);
            (n, args.clone(), op)
        }
        _ => return None,
    })
}

impl Exec<'_> {
    /// Executes an instruction whose operands are vectors; `None` for any other instruction.
    pub(super) fn vectors(
        &mut self,
        instr: &Instr,
        env: &Env,
        memory: &mut Rc<Memory>,
    ) -> Res<Option<Val>> {
        match &instr.op {
            Opcode::ExtractElement(ty, of, index_ty, index) => {
                let (all, n) = (
                    self.operand(ty, of, env)?,
                    self.element(index_ty, index, env)?,
                );
                return Ok(Some(item(&all, n)));
            }
            Opcode::InsertElement(ty, of, part, value, index_ty, index) => {
                let (all, n) = (
                    self.operand(ty, of, env)?,
                    self.element(index_ty, index, env)?,
                );
                let value = self.operand(part, value, env)?;
                let Type::Vector(count, _) = ty else {
                    return Ok(Some(Val::Undef));
                };
                let items = (0..*count as usize).map(|i| match i == n {
                    true => value.clone(),
                    false => item(&all, i),
                });
                return Ok(Some(Val::Aggregate(items.collect())));
            }
            Opcode::Shuffle(ty, a, b, places) => {
                let Type::Vector(n, _) = ty else {
                    return Ok(Some(Val::Undef));
                };
                let n = *n as usize;
                let (a, b) = (self.operand(ty, a, env)?, self.operand(ty, b, env)?);
                let of = |place: &Option<u32>| match place.map(|p| p as usize) {
                    None => Val::Undef,
                    Some(p) if p < n => item(&a, p),
                    Some(p) => item(&b, p - n),
                };
                return Ok(Some(Val::Aggregate(places.iter().map(of).collect())));
            }
            _ => {}
        }
        let Some((n, operands, op)) = each(&instr.op) else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for (ty, operand) in &operands {
            values.push(self.operand(ty, operand, env)?);
        }
        let mut items = Vec::new();
        for i in 0..n as usize {
            let named = values.iter().enumerate();
            let env: Env = named
                .map(|(k, v)| (k.to_string().into(), item(v, i)))
                .collect();
            let one = Instr {
                op: op.clone(),
                ..instr.clone()
            };
            items.push(self.instr(&one, &env, memory)?.unwrap_or(Val::Undef));
        }
        Ok(Some(Val::Aggregate(items)))
    }

    /// A constant index.
    fn element(&mut self, ty: &Type, index: &Operand, env: &Env) -> Res<usize> {
        let index = self.operand(ty, index, env)?;
        let index = self.lanes(ty, &index)?;
        match self.g.integer(index).map(usize::try_from) {
            Some(Ok(n)) => Ok(n),
            _ => Err(self.refuse(
                "an element of a vector is named by a computed index",
                "compile without vectorization",
            )),
        }
    }

    /// The bits of a value of one type as another type, where one of them is a vector.
    pub(super) fn recast(&mut self, from: &Type, value: &Val, to: &Type) -> Res<Val> {
        let shape = |ty: &Type| match ty {
            Type::Vector(n, of) => (*n as usize, (**of).clone()),
            other => (1, other.clone()),
        };
        let ((count, one), (wanted, other)) = (shape(from), shape(to));
        // Elements lie bit by bit: four masks are an integer of four bits.
        let width = |ty: &Type| match ty {
            Type::Int(bits) => *bits,
            other => other.size() as u32 * 8,
        };
        let (bits, target) = (width(&one), width(&other));
        if bits > 64 || target > 64 || bits * count as u32 != target * wanted as u32 {
            let what = format!("{} is read as {}", described(from), described(to));
            return Err(self.refuse(what, "compile without vectorization"));
        }
        let mut words: Vec<Id> = Vec::new();
        for i in 0..count {
            let part = match from {
                Type::Vector(..) => item(value, i),
                _ => value.clone(),
            };
            let int = self.reinterpret(&one, &part, &Type::Int(bits))?;
            words.push(self.lanes(&Type::Int(bits), &int)?);
        }
        let mut items = Vec::new();
        for i in 0..wanted as u32 {
            // The first element has the lowest bits.
            let at = i * target;
            let lanes = if target <= bits {
                let word = words[(at / bits) as usize];
                let word = self.with(Op::ShrLogical, word, i64::from(at % bits));
                self.truncate(bits, word, target)
            } else {
                let mut sum = self.extend(bits, words[(at / bits) as usize], target);
                for k in 1..target / bits {
                    let part = self.extend(bits, words[(at / bits + k) as usize], target);
                    let part = self.with(Op::Shl, part, i64::from(k * bits));
                    sum = self.g.op(Op::Or, &[sum, part]);
                }
                sum
            };
            items.push(self.reinterpret(&Type::Int(target), &Val::Lane(lanes), &other)?);
        }
        Ok(match to {
            Type::Vector(..) => Val::Aggregate(items),
            _ => items.remove(0),
        })
    }
}

/// An element of a vector. A single number stands for all elements.
fn item(value: &Val, n: usize) -> Val {
    match value {
        Val::Aggregate(items) => items.get(n).cloned().unwrap_or(Val::Undef),
        other => other.clone(),
    }
}
