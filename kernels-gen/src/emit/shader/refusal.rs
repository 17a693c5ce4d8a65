//! Constructs that shader languages cannot express.

use super::super::EmitError;
use super::super::link::LinkedFunc;
use super::Shading;
use crate::ops::{Op, Prim};
use crate::program::{Inst, InstKind};
use crate::text::{decimal, op_name};

/// The remedy for numbers of 64 bits.
const NARROW: &str = "write the kernel in DcFloat and DcInt; a sum of two binary32 numbers (two_sum, two_prod without mul_add) \
     can take the place of a binary64 one";

/// Refuses the first instruction of a function that has no form.
pub(super) fn check(f: &LinkedFunc, shading: Shading) -> Result<(), EmitError> {
    for (i, inst) in f.insts.iter().enumerate().filter(|&(i, _)| f.live[i]) {
        let on = inst.args.first().map(|v| f.insts[v.0 as usize].ty);
        let Some((what, remedy)) = refused(f, i, inst, on, shading) else {
            continue;
        };
        let origin = &f.func.origin;
        let line = match inst.loc.line {
            0 => origin.line,
            line => line,
        };
        return Err(EmitError(format!(
            "{}, line {line}: kernel `{}`: {what}; {remedy}",
            origin.file, origin.name
        )));
    }
    Ok(())
}

/// What is refused, and the remedy.
fn refused(
    f: &LinkedFunc,
    i: usize,
    inst: &Inst,
    on: Option<Prim>,
    shading: Shading,
) -> Option<(String, &'static str)> {
    let wide = [Some(inst.ty), on]
        .into_iter()
        .flatten()
        .find(|p| matches!(p, Prim::F64 | Prim::I64));
    let has_no = |what: String| format!("{shading} has no form for {what}");
    let format = |p: Prim| match p {
        Prim::F64 => "binary64",
        _ => "64-bit integers",
    };
    match inst.kind {
        InstKind::Op(Op::Fma) if wide.is_none() => Some((
            has_no("`fma` (mul_add): its fma() may round once or twice".into()),
            "write a * b + c where two roundings suffice, and else compute the product's error with splittings (two_prod \
             without mul_add)",
        )),
        InstKind::Op(op @ Op::Directed(..)) => Some((
            has_no(format!("`{}`: it has no rounding directions", op_name(op))),
            "round to nearest, and widen the result by an ULP where a bound is needed",
        )),
        _ => {
            let wide = format(wide?);
            let what = match inst.kind {
                InstKind::Param(n) => {
                    format!("parameter `{}`, of {wide}", f.func.params[n as usize].0)
                }
                InstKind::Const(bits) => {
                    format!("the constant {}, of {wide}", decimal(inst.ty, bits))
                }
                InstKind::Op(op) => format!("`{}` of {wide}", op_name(op)),
                InstKind::Load(_) => format!("a table of or at an index of {wide}"),
                InstKind::Call(_) | InstKind::Result(_) => {
                    format!("value {i}, of {wide}")
                }
            };
            Some((has_no(what), NARROW))
        }
    }
}
