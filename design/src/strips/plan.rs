//! The plan of a run over columns: the steps of a program, and the places of their operands.

use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{InstKind, Program, TableData};

/// A column, by its type and its number. The column of a uniform value is as long as a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) column: usize,
    pub(super) uniform: bool,
}

pub(super) struct Step {
    pub(super) kind: Do,
    /// The type of the operands. For a selection, the type of the values.
    pub(super) ty: Prim,
    pub(super) args: [Slot; 3],
    pub(super) out: usize,
}

#[derive(Clone, Copy)]
pub(super) enum Do {
    Op(Op),
    Load(usize, Prim),
}

pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// Values that are set once: a column, its type and its bits.
    pub(super) constants: Vec<(Prim, Slot, u64)>,
    pub(super) params: Vec<(Prim, Slot)>,
    pub(super) results: Vec<(Prim, Slot)>,
    pub(super) tables: Vec<TableData>,
    /// The number of columns of each type.
    pub(super) columns: [usize; 5],
}

const fn number(ty: Prim) -> usize {
    match ty {
        Prim::F64 => 0,
        Prim::F32 => 1,
        Prim::I64 => 2,
        Prim::I32 => 3,
        Prim::Mask => 4,
    }
}

impl Plan {
    pub(super) fn new(program: &Program) -> Result<Plan, String> {
        let program = program.inlined();
        let func = program.entry();
        let mut last = vec![0; func.insts.len()];
        for (i, inst) in func.insts.iter().enumerate() {
            for a in &inst.args {
                last[a.0 as usize] = i;
            }
        }
        for r in &func.results {
            last[r.0 as usize] = usize::MAX;
        }
        let mut plan = Plan {
            steps: Vec::new(),
            constants: Vec::new(),
            params: Vec::new(),
            results: Vec::new(),
            tables: program.tables.clone(),
            columns: [0; 5],
        };
        let mut slots: Vec<Slot> = Vec::new();
        let mut free: [Vec<usize>; 5] = Default::default();
        for (i, inst) in func.insts.iter().enumerate() {
            let kind = number(inst.ty);
            let fresh = |columns: &mut [usize; 5]| {
                columns[kind] += 1;
                columns[kind] - 1
            };
            let uniform = match inst.kind {
                InstKind::Param(n) => n > 0,
                InstKind::Const(_) => true,
                _ => false,
            };
            let column = match uniform {
                true => fresh(&mut plan.columns),
                false => free[kind].pop().unwrap_or_else(|| fresh(&mut plan.columns)),
            };
            let slot = Slot { column, uniform };
            slots.push(slot);
            let mut args = [slot; 3];
            for (to, from) in args.iter_mut().zip(&inst.args) {
                *to = slots[from.0 as usize];
            }
            let step = |kind, ty| Step {
                kind,
                ty,
                args,
                out: column,
            };
            match inst.kind {
                InstKind::Param(_) => plan.params.push((inst.ty, slot)),
                InstKind::Const(bits) => plan.constants.push((inst.ty, slot, bits)),
                InstKind::Op(op) => {
                    let of = inst.args[usize::from(op == Op::Select)];
                    let ty = func.ty(of);
                    supported(op, ty)?;
                    plan.steps.push(step(Do::Op(op), ty));
                }
                InstKind::Load(table) => {
                    let index = func.ty(inst.args[0]);
                    plan.steps
                        .push(step(Do::Load(table.0 as usize, index), inst.ty));
                }
                InstKind::Call(_) | InstKind::Result(_) => {
                    return Err("a call in an inlined program".into());
                }
            }
            // The input's column stays: the strip is run again with other coefficients.
            for (k, a) in inst.args.iter().enumerate() {
                let (at, slot) = (a.0 as usize, slots[a.0 as usize]);
                let again = inst.args[..k].contains(a);
                if last[at] == i && !slot.uniform && !again && at > 0 {
                    free[number(func.ty(*a))].push(slot.column);
                }
            }
        }
        plan.results = func
            .results
            .iter()
            .map(|&r| (func.ty(r), slots[r.0 as usize]))
            .collect();
        let fits = |&(ty, slot): &(Prim, Slot)| ty.is_float() && !slot.uniform;
        if !plan.params.first().is_some_and(fits) || !plan.results.iter().all(fits) {
            return Err(
                "the input and the results must be floating-point numbers, and no constants".into(),
            );
        }
        Ok(plan)
    }
}

/// Whether an operation is supported. Kernels of designs have no other operations.
fn supported(op: Op, ty: Prim) -> Result<(), String> {
    match op {
        Op::Directed(..) | Op::IsSignNegative => Err(format!("{op:?} of {ty:?} has no strip")),
        _ => Ok(()),
    }
}
