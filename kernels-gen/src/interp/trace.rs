//! Every intermediate value of one evaluation. The report of the first difference of two backends uses it.

use super::{Bits, canonical, clean, eval_with};
use crate::ir::Loc;
use crate::ops::Prim;
use crate::program::{FuncId, InstKind, Program, Value};
use std::rc::Rc;

/// The place of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CallSite {
    /// The calling function.
    pub func: FuncId,
    /// Its call instruction.
    pub inst: Value,
}

/// One value of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceEntry {
    /// The calls that lead to it, outermost first.
    pub calls: Rc<[CallSite]>,
    /// The function.
    pub func: FuncId,
    /// The instruction in it.
    pub inst: Value,
    /// The value's type.
    pub ty: Prim,
    /// Its bits, NaN canonical.
    pub bits: u64,
    /// Its place in the file of the function's kernel.
    pub loc: Loc,
}

/// All values of one evaluation in order, without the results of calls, which the callee's entries contain.
///
/// Without the parameters of callees, which are arguments, it corresponds one to one to the values of [`Program::inlined`].
///
/// # Panics
/// If the number of `inputs` is not that of the entry's parameters.
#[must_use]
pub fn trace(program: &Program, inputs: &[u64]) -> Vec<TraceEntry> {
    let params = &program.entry().params;
    let inputs: Vec<u64> = inputs
        .iter()
        .zip(params)
        .map(|(&x, p)| clean(p.1, x))
        .collect();
    let mut entries = Vec::new();
    let mut calls: Rc<[CallSite]> = Rc::from([]);
    let Ok(_) = eval_with(program, &mut Bits, &inputs, &mut |step| {
        let inst = program.func(step.func).inst(step.inst);
        let known = match inst.kind {
            InstKind::Result(_) => true,
            InstKind::Param(_) => !step.calls.is_empty(),
            _ => false,
        };
        if known {
            return;
        }
        if *calls != *step.calls {
            calls = Rc::from(step.calls);
        }
        entries.push(TraceEntry {
            calls: Rc::clone(&calls),
            func: step.func,
            inst: step.inst,
            ty: inst.ty,
            bits: canonical(inst.ty, *step.value),
            loc: inst.loc,
        });
    });
    entries
}
