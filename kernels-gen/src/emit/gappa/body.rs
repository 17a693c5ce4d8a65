//! A function's operations as statements, those of the kernels it calls among them.

use super::form::{Form, form, hex_float, rounding_of};
use super::{REMEDY, Statement, Term, Writer, twin};
use crate::emit::EmitError;
use crate::ir::Ty;
use crate::ops::{Op, Prim};
use crate::program::{Func, Inst, InstKind, Value};
use crate::text::{decimal, op_name};
use std::collections::HashMap;

impl<'a> Writer<'a> {
    /// Writes a function's statements. `wanted` has the names that the caller has for its results.
    pub(super) fn body(
        &mut self,
        func: &'a Func,
        args: &[Term],
        wanted: &HashMap<Value, (String, bool)>,
    ) -> Result<Vec<Term>, EmitError> {
        let own = std::ptr::eq(func, self.program.entry());
        let mut terms: Vec<Term> = Vec::with_capacity(func.insts.len());
        let mut calls: HashMap<Value, Vec<Term>> = HashMap::new();
        for (i, inst) in func.insts.iter().enumerate() {
            let value = Value(i as u32);
            self.origin = (func.kernel, inst.loc.line.max(func.kernel.line));
            let operands: Vec<Term> = inst
                .args
                .iter()
                .map(|a| terms[a.0 as usize].clone())
                .collect();
            let term = match inst.kind {
                InstKind::Param(n) => args[n as usize].clone(),
                InstKind::Const(bits) => self.constant(inst.ty, bits)?,
                InstKind::Load(_) => {
                    return self.refuse(
                        "Gappa has no form for a table's entry at a lane index",
                        REMEDY,
                    );
                }
                InstKind::Call(callee) => {
                    let callee = self.program.func(callee);
                    let wanted = names_for_results(func, value, callee, own, wanted);
                    let results = self.body(callee, &operands, &wanted)?;
                    calls.insert(value, results);
                    Term::Other
                }
                InstKind::Result(n) => calls[&inst.args[0]][n as usize].clone(),
                InstKind::Op(op) => {
                    let name = match (wanted.get(&value), inst.name) {
                        (_, Some(name)) if own => (name.to_string(), true),
                        (Some(wanted), _) => wanted.clone(),
                        (None, Some(name)) => (format!("{}_{name}", func.name), false),
                        (None, None) => (String::new(), false),
                    };
                    self.operation(op, func, inst, &operands, name)?
                }
            };
            terms.push(term);
        }
        let results = func.results.iter();
        Ok(results.map(|r| terms[r.0 as usize].clone()).collect())
    }

    fn constant(&self, ty: Prim, bits: u64) -> Result<Term, EmitError> {
        let value = match ty {
            Prim::F64 => f64::from_bits(bits),
            Prim::F32 => f64::from(f32::from_bits(bits as u32)),
            _ => return Ok(Term::Other),
        };
        if !value.is_finite() {
            let what = format!("Gappa has no form for the constant {}", decimal(ty, bits));
            return self.refuse(&what, REMEDY);
        }
        let text = match hex_float(value) {
            negative if negative.starts_with('-') => format!("({negative})"),
            text => text,
        };
        Ok(Term::Number {
            rounded: text.clone(),
            exact: text,
            by: None,
        })
    }

    fn operation(
        &mut self,
        op: Op,
        func: &Func,
        inst: &Inst,
        operands: &[Term],
        (name, own): (String, bool),
    ) -> Result<Term, EmitError> {
        let (mut rounded, mut exact, mut needs) = (Vec::new(), Vec::new(), Vec::new());
        for term in operands {
            if let Term::Number {
                rounded: r,
                exact: e,
                by,
            } = term
            {
                rounded.push(r.as_str());
                exact.push(e.as_str());
                needs.extend(*by);
            }
        }
        let floats = inst.args.iter().all(|&a| func.ty(a).is_float());
        let form = if floats && rounded.len() == operands.len() {
            form(op, inst.ty, &rounded).zip(form(op, inst.ty, &exact))
        } else {
            None
        };
        let Some((r, e)) = form else {
            let what = format!("Gappa has no form for `{}`{}", op_name(op), of(func, inst));
            return self.refuse(&what, REMEDY);
        };
        let stem = if name.is_empty() {
            self.temporaries += 1;
            format!("tmp{}", self.temporaries)
        } else {
            name
        };
        let (rounding, r) = match r {
            Form::Same => return Ok(operands[0].clone()),
            Form::Unrounded(r) => (None, r),
            Form::Rounded(r) => (Some(rounding_of(op, inst.ty)), r),
        };
        let e = match e {
            Form::Unrounded(e) | Form::Rounded(e) => e,
            Form::Same => exact[0].to_string(),
        };
        let name = self.fresh(&stem, own);
        let text = match rounding {
            Some(ref rounding) => format!("{name} = {rounding}({r});\n"),
            None => format!("{name} = {r};\n"),
        };
        // Two names for one expression are one value to Gappa, and a warning; two for one name are none at all.
        let (exact, text) = if rounding.is_none() && e == r {
            (name.clone(), text)
        } else if exact.contains(&e.as_str()) {
            (e, text)
        } else {
            let twin = twin(&name);
            (twin.clone(), format!("{text}{twin} = {e};\n"))
        };
        self.statements.push(Statement {
            origin: self.origin,
            text,
            needs,
        });
        Ok(Term::Number {
            rounded: name,
            exact,
            by: Some(self.statements.len() - 1),
        })
    }
}

/// ` on integers`, where that is what stands in the way.
fn of(func: &Func, inst: &Inst) -> &'static str {
    match inst
        .args
        .iter()
        .map(|&a| func.ty(a))
        .find(|p| !p.is_float())
    {
        Some(Prim::Mask) => " on masks",
        Some(_) => " on integers",
        None => "",
    }
}

/// The kernel's results without a name of their own are called `result`.
pub(super) fn result_names(entry: &Func) -> HashMap<Value, (String, bool)> {
    let several = entry.results.len() > 1;
    let double = entry.kernel.ret == Ty::Dd;
    let name = |i: usize| match (several, double, i) {
        (false, ..) => "result".to_string(),
        (true, true, 0) => "result_hi".into(),
        (true, true, _) => "result_lo".into(),
        (true, false, i) => format!("result_{i}"),
    };
    let results = entry.results.iter().enumerate();
    results.map(|(i, &r)| (r, (name(i), true))).collect()
}

/// The names that a caller has for the results of a call: of its local, or those wanted of itself.
fn names_for_results(
    caller: &Func,
    call: Value,
    callee: &Func,
    own: bool,
    wanted: &HashMap<Value, (String, bool)>,
) -> HashMap<Value, (String, bool)> {
    let mut names = HashMap::new();
    for (i, inst) in caller.insts.iter().enumerate() {
        let InstKind::Result(n) = inst.kind else {
            continue;
        };
        if inst.args[0] != call {
            continue;
        }
        let name = match (inst.name, wanted.get(&Value(i as u32))) {
            (Some(name), _) if own => (name.to_string(), true),
            (_, Some(wanted)) => wanted.clone(),
            (Some(name), None) => (format!("{}_{name}", caller.name), false),
            (None, None) => continue,
        };
        names.entry(callee.results[n as usize]).or_insert(name);
    }
    names
}
