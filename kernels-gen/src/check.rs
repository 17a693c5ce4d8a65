//! The definition of a well-formed [`Program`]: the type rule of every operation, and a checker of whole programs.
//!
//! [`crate::lower()`] makes only well-formed programs, which the checker confirms in its tests. The checker also checks handmade programs.
//! Emitters and the interpreter rely on it and report no errors themselves.

use crate::ops::{Op, Prim};
use crate::program::{Func, Inst, InstKind, Program, Value};
use std::fmt;

/// The type of an operation's result, or `None` if the operation is not defined for these operands.
#[must_use]
pub fn result_prim(op: Op, args: &[Prim]) -> Option<Prim> {
    use Prim::{F32, F64, I32, I64, Mask};
    match (op, args) {
        (Op::Add | Op::Sub | Op::Mul | Op::Min | Op::Max, &[a, b]) => {
            (a == b && a != Mask).then_some(a)
        }
        (Op::Neg, &[a]) => (a != Mask).then_some(a),
        (Op::Div | Op::CopySign, &[a, b]) => (a == b && a.is_float()).then_some(a),
        (Op::Fma, &[a, b, c]) => (a == b && b == c && a.is_float()).then_some(a),
        (
            Op::Sqrt | Op::Recip | Op::Abs | Op::Floor | Op::Ceil | Op::Trunc | Op::RoundTiesEven,
            &[a],
        ) => a.is_float().then_some(a),
        (Op::Directed(arith, _), args) => {
            let a = *args.first()?;
            let fits =
                args.len() == arith.operands() && args.iter().all(|&b| b == a) && a.is_float();
            fits.then_some(a)
        }
        (Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne, &[a, b]) => {
            (a == b && a != Mask).then_some(Mask)
        }
        (Op::IsNan | Op::IsSignNegative, &[a]) => a.is_float().then_some(Mask),
        (Op::ToF64, &[F32 | I64 | I32]) => Some(F64),
        (Op::ToF32, &[F64 | I64 | I32]) => Some(F32),
        (Op::ToI64, &[F64 | F32 | I32]) => Some(I64),
        (Op::ToI32, &[F64 | F32 | I64]) => Some(I32),
        (Op::ToBits, &[F64]) | (Op::Shl | Op::Shr | Op::ShrLogical, &[I64, I64]) => Some(I64),
        (Op::ToBits, &[F32]) | (Op::Shl | Op::Shr | Op::ShrLogical, &[I32, I32]) => Some(I32),
        (Op::FromBits, &[I64]) => Some(F64),
        (Op::FromBits, &[I32]) => Some(F32),
        (Op::And | Op::Or | Op::Xor, &[a, b]) => (a == b && !a.is_float()).then_some(a),
        (Op::Not, &[a]) => (!a.is_float()).then_some(a),
        (Op::Select, &[Mask, a, b]) => (a == b).then_some(a),
        _ => None,
    }
}

/// The first rule that a program breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckError(String);

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CheckError {}

/// Checks that every operand is defined before its use, that types follow [`result_prim`], that calls match the callee and come after it,
/// that names are distinct, and that tables are not empty.
///
/// # Errors
/// If a rule is broken: the first violation, with the function and the instruction.
pub fn check(program: &Program) -> Result<(), CheckError> {
    let err = |text: String| Err(CheckError(text));
    if program.funcs.is_empty() {
        return err("the program has no function".into());
    }
    for (i, table) in program.tables.iter().enumerate() {
        if table.bits.is_empty() {
            return err(format!("table `{}` is empty", table.name));
        }
        if program.tables[..i].iter().any(|t| t.name == table.name) {
            return err(format!("two tables are named `{}`", table.name));
        }
    }
    for (i, func) in program.funcs.iter().enumerate() {
        if program.funcs[..i].iter().any(|f| f.name == func.name) {
            return err(format!("two functions are named `{}`", func.name));
        }
        if func.insts.len() < func.params.len() {
            return err(format!("`{}`: a parameter has no value", func.name));
        }
        for (n, inst) in func.insts.iter().enumerate() {
            if let Err(what) = check_inst(program, i, func, n, inst) {
                return err(format!("`{}`, %{n}: {what}", func.name));
            }
        }
        for &r in &func.results {
            if !is_value(func, r, func.insts.len()) {
                return err(format!("`{}` returns %{}, no value", func.name, r.0));
            }
        }
    }
    Ok(())
}

/// Whether `v` is defined before instruction `end` and is a value (a call is not).
fn is_value(func: &Func, v: Value, end: usize) -> bool {
    (v.0 as usize) < end && !matches!(func.inst(v).kind, InstKind::Call(_))
}

fn check_inst(p: &Program, at: usize, func: &Func, n: usize, inst: &Inst) -> Result<(), String> {
    let mut prims = Vec::with_capacity(inst.args.len());
    for &a in &inst.args {
        let ok = match inst.kind {
            InstKind::Result(_) => (a.0 as usize) < n,
            _ => is_value(func, a, n),
        };
        if !ok {
            return Err(format!("operand %{} is no value defined before", a.0));
        }
        prims.push(func.ty(a));
    }
    let is_param = matches!(inst.kind, InstKind::Param(_));
    if is_param != (n < func.params.len()) {
        return Err("parameters are the first instructions, and only they".into());
    }
    let want = match inst.kind {
        InstKind::Param(i) => (i as usize == n && prims.is_empty()).then(|| func.params[n].1),
        InstKind::Const(bits) => (prims.is_empty() && fits(inst.ty, bits)).then_some(inst.ty),
        InstKind::Op(op) => result_prim(op, &prims),
        InstKind::Load(t) => match (p.tables.get(t.0 as usize), &prims[..]) {
            (Some(table), [index]) if index.is_int() => Some(table.prim()),
            _ => None,
        },
        InstKind::Call(f) => {
            let Some(callee) = p.funcs[..at].get(f.0 as usize) else {
                return Err("callees come before callers".into());
            };
            if !prims.iter().eq(callee.params.iter().map(|(_, p)| p)) {
                return Err(format!("arguments do not fit `{}`", callee.name));
            }
            callee.results.first().map(|&r| callee.ty(r))
        }
        InstKind::Result(i) => match &inst.args[..] {
            [call] => match func.inst(*call).kind {
                InstKind::Call(f) => {
                    let callee = p.func(f);
                    callee.results.get(i as usize).map(|&r| callee.ty(r))
                }
                _ => None,
            },
            _ => None,
        },
    };
    match want {
        Some(ty) if ty == inst.ty => Ok(()),
        _ => Err(format!(
            "{:?} of {prims:?} cannot be {:?}",
            inst.kind, inst.ty
        )),
    }
}

/// Whether bits are those of a value of the type, zero-extended.
fn fits(ty: Prim, bits: u64) -> bool {
    match ty {
        Prim::F64 | Prim::I64 => true,
        Prim::F32 | Prim::I32 => bits <= u64::from(u32::MAX),
        Prim::Mask => bits <= 1,
    }
}
