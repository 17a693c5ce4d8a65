//! The evaluation of a program whose values are names in the script: it writes a statement for each operation.

use std::collections::HashMap;
use std::sync::Arc;

use super::form::{Form, form, hex_float, rounding_of};
use super::{REMEDY, Statement, Term, Writer, twin};
use crate::emit::EmitError;
use crate::interp::{CallSite, Domain, Site};
use crate::ops::{Op, Prim};
use crate::program::{Func, FuncId, InstKind, Program, TableData, Value};
use crate::text::{decimal, op_name};

impl Domain for Writer {
    type Value = Term;
    type Refusal = EmitError;

    fn constant(&mut self, site: Site<'_>, ty: Prim, bits: u64) -> Result<Term, EmitError> {
        self.stand_at(site);
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

    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        operands: &[&Term],
    ) -> Result<Term, EmitError> {
        self.stand_at(site);
        let to = site.instruction().ty;
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
        let floats = prims.iter().all(|p| p.is_float());
        let form = if floats && rounded.len() == operands.len() {
            form(op, to, &rounded).zip(form(op, to, &exact))
        } else {
            None
        };
        let Some((r, e)) = form else {
            let what = format!("Gappa has no form for `{}`{}", op_name(op), of(prims));
            return self.refuse(&what, REMEDY);
        };
        let (stem, own) = self.name(site).unwrap_or_else(|| {
            self.temporaries += 1;
            (format!("tmp{}", self.temporaries), false)
        });
        let (rounding, r) = match r {
            Form::Same => return Ok(operands[0].clone()),
            Form::Unrounded(r) => (None, r),
            Form::Rounded(r) => (Some(rounding_of(op, to)), r),
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
        // Gappa treats two names of one expression as one value and warns; two statements for one name are an error.
        let (exact, text) = if rounding.is_none() && e == r {
            (name.clone(), text)
        } else if exact.contains(&e.as_str()) {
            (e, text)
        } else {
            let twin = twin(&name);
            (twin.clone(), format!("{text}{twin} = {e};\n"))
        };
        self.statements.push(Statement {
            origin: self.origin.clone(),
            text,
            needs,
        });
        Ok(Term::Number {
            rounded: name,
            exact,
            by: Some(self.statements.len() - 1),
        })
    }

    fn load(
        &mut self,
        site: Site<'_>,
        _: &TableData,
        _: Prim,
        _: &Term,
    ) -> Result<Term, EmitError> {
        self.stand_at(site);
        self.refuse(
            "Gappa has no form for a table's entry at a lane index",
            REMEDY,
        )
    }
}

impl Writer {
    /// Makes this site the one to which the following statements and refusals refer.
    fn stand_at(&mut self, site: Site<'_>) {
        let origin = &site.program.func(site.func).origin;
        self.origin = (Arc::clone(origin), site.source().1);
    }

    /// The name of the value that an instruction defines, and whether it is the kernel's own.
    fn name(&self, site: Site<'_>) -> Option<(String, bool)> {
        self.name_under(site.program, site.calls, site.func, site.inst)
    }

    /// The name of any value under these calls. A value without a name in the kernel's own text is named after the result that it is, of
    /// the kernel or of a call.
    fn name_under(
        &self,
        program: &Program,
        calls: &[CallSite],
        func: FuncId,
        value: Value,
    ) -> Option<(String, bool)> {
        let func = program.func(func);
        let local = func.inst(value).name.as_deref();
        let Some((call, outer)) = calls.split_last() else {
            let local = local.map(|name| (name.to_string(), true));
            return local.or_else(|| self.results.get(&value).cloned());
        };
        let caller = program.func(call.func);
        let mut results = caller.insts.iter().enumerate().filter(|(_, inst)| {
            matches!(inst.kind, InstKind::Result(n)
                if inst.args[0] == call.inst && func.results[n as usize] == value)
        });
        results
            .find_map(|(i, _)| self.name_under(program, outer, call.func, Value(i as u32)))
            .or_else(|| local.map(|name| (format!("{}_{name}", func.name), false)))
    }
}

/// ` on integers`, if the operands' types are the reason.
fn of(prims: &[Prim]) -> &'static str {
    match prims.iter().find(|p| !p.is_float()) {
        Some(Prim::Mask) => " on masks",
        Some(_) => " on integers",
        None => "",
    }
}

/// Results of the kernel without a name are called `result`.
pub(super) fn result_names(entry: &Func) -> HashMap<Value, (String, bool)> {
    let several = entry.results.len() > 1;
    let double = entry.results.len() == 2 && entry.origin.double_doubles == [0];
    let name = |i: usize| match (several, double, i) {
        (false, ..) => "result".to_string(),
        (true, true, 0) => "result_hi".into(),
        (true, true, _) => "result_lo".into(),
        (true, false, i) => format!("result_{i}"),
    };
    let results = entry.results.iter().enumerate();
    results.map(|(i, &r)| (r, (name(i), true))).collect()
}
