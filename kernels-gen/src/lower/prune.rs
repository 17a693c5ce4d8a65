//! Removal of instructions, functions and tables on which no result depends.
//!
//! This cannot change a bit: every instruction is a function of only its operands, without state, flags or traps. So an instruction that no
//! result reads, directly or through others, has no effect. Everything that is kept stays unchanged.

use crate::program::{Func, FuncId, Inst, InstKind, Program, TableData, TableId, Value};

/// The function without the instructions on which its results do not depend. Parameters stay.
pub(super) fn dead_code(mut func: Func) -> Func {
    let mut live = vec![false; func.insts.len()];
    live[..func.params.len()].fill(true);
    for r in &func.results {
        live[r.0 as usize] = true;
    }
    for (i, inst) in func.insts.iter().enumerate().rev() {
        if live[i] {
            for a in &inst.args {
                live[a.0 as usize] = true;
            }
        }
    }
    let mut new = vec![Value(0); func.insts.len()];
    let mut kept: Vec<Inst> = Vec::new();
    for (i, mut inst) in func.insts.into_iter().enumerate() {
        if live[i] {
            for a in &mut inst.args {
                *a = new[a.0 as usize];
            }
            new[i] = Value(kept.len() as u32);
            kept.push(inst);
        }
    }
    func.insts = kept;
    for r in &mut func.results {
        *r = new[r.0 as usize];
    }
    func
}

/// The part of the program that `entry` reaches, renumbered in the old order, with `entry` last.
pub(super) fn reachable(funcs: Vec<Func>, tables: Vec<TableData>, entry: FuncId) -> Program {
    let mut live_funcs = vec![false; funcs.len()];
    let mut live_tables = vec![false; tables.len()];
    live_funcs[entry.0 as usize] = true;
    // Callees come before callers, so one pass from the entry down sees every caller first.
    for (i, func) in funcs.iter().enumerate().rev() {
        if live_funcs[i] {
            for inst in &func.insts {
                match inst.kind {
                    InstKind::Call(f) => live_funcs[f.0 as usize] = true,
                    InstKind::Load(t) => live_tables[t.0 as usize] = true,
                    _ => {}
                }
            }
        }
    }
    let (func_at, table_at) = (renumber(&live_funcs), renumber(&live_tables));
    let mut program = Program {
        funcs: keep(funcs, &live_funcs),
        tables: keep(tables, &live_tables),
    };
    for inst in program.funcs.iter_mut().flat_map(|f| &mut f.insts) {
        match &mut inst.kind {
            InstKind::Call(f) => *f = FuncId(func_at[f.0 as usize]),
            InstKind::Load(t) => *t = TableId(table_at[t.0 as usize]),
            _ => {}
        }
    }
    program
}

fn renumber(live: &[bool]) -> Vec<u32> {
    let mut next = 0;
    live.iter()
        .map(|&l| {
            let n = next;
            next += u32::from(l);
            n
        })
        .collect()
}

fn keep<T>(items: Vec<T>, live: &[bool]) -> Vec<T> {
    items
        .into_iter()
        .zip(live)
        .filter_map(|(item, &l)| l.then_some(item))
        .collect()
}
