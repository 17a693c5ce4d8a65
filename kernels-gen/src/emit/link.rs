//! Several programs in one text: equal functions and tables are emitted once, and names are made unique.

use super::names::Names;
use crate::ops::{Op, Prim};
use crate::program::{Func, FuncId, Inst, InstKind, Program, TableData, TableId, Value};

/// A function of a [`Linked`] text.
pub(super) struct LinkedFunc<'a> {
    /// The function's name in the text.
    pub name: String,
    /// The source of its parameters' names, its kernel and its results.
    pub func: &'a Func,
    /// Its instructions, with ids of the linked text.
    pub insts: Vec<Inst>,
    /// For each instruction, whether an observable result depends on it. The others are not emitted, because they have no effects.
    pub live: Vec<bool>,
    /// Whether the bits of a NaN are taken unchanged.
    pub raw: bool,
}

impl LinkedFunc<'_> {
    /// Lane types of the results.
    pub fn result_types(&self) -> Vec<Prim> {
        self.func.results.iter().map(|&v| self.func.ty(v)).collect()
    }
}

/// Linked programs. Callees precede callers.
#[derive(Default)]
pub(super) struct Linked<'a> {
    /// Functions that some entry needs.
    pub funcs: Vec<LinkedFunc<'a>>,
    /// Tables that some function needs, under their names in the text.
    pub tables: Vec<TableData>,
    /// Names at file scope.
    pub names: Names,
}

impl<'a> Linked<'a> {
    /// An empty link for programs that follow others in one text, with names that are unused there.
    pub fn behind(others: &Linked) -> Self {
        Linked {
            names: others.names.clone(),
            ..Linked::default()
        }
    }

    /// Adds a program; returns the index of its entry in [`Linked::funcs`].
    pub fn add(&mut self, program: &'a Program) -> usize {
        self.add_as(program, false)
    }

    /// Adds a program whose results do not matter if an operand is a NaN.
    pub fn add_raw(&mut self, program: &'a Program) -> usize {
        self.add_as(program, true)
    }

    fn add_as(&mut self, program: &'a Program, raw: bool) -> usize {
        let live: Vec<Vec<bool>> = program.funcs.iter().map(live).collect();
        let used = reachable(program, &live);
        let mut ids: Vec<Option<usize>> = vec![None; program.funcs.len()];
        for (i, func) in program.funcs.iter().enumerate() {
            if used[i] {
                ids[i] = Some(self.add_func(program, func, &live[i], &ids, raw));
            }
        }
        ids.last()
            .copied()
            .flatten()
            .expect("the entry is reachable")
    }

    fn add_func(
        &mut self,
        program: &'a Program,
        func: &'a Func,
        live: &[bool],
        ids: &[Option<usize>],
        raw: bool,
    ) -> usize {
        let mut insts = func.insts.clone();
        for (inst, _) in insts.iter_mut().zip(live).filter(|(_, live)| **live) {
            match &mut inst.kind {
                InstKind::Call(FuncId(f)) => {
                    *f = ids[*f as usize].expect("callees come first") as u32
                }
                InstKind::Load(TableId(t)) => *t = self.add_table(program.table(TableId(*t))),
                _ => {}
            }
        }
        let raw = raw && insts.iter().any(|i| i.kind == InstKind::Op(Op::ToBits));
        let equal = |other: &LinkedFunc| {
            other.raw == raw
                && other.func.name == func.name
                && other.func.params == func.params
                && other.func.results == func.results
                && other.func.origin.module == func.origin.module
                && other.live == live
                && other
                    .insts
                    .iter()
                    .zip(&insts)
                    .zip(live)
                    .all(|((a, b), live)| !live || a == b)
        };
        if let Some(found) = self.funcs.iter().position(equal) {
            return found;
        }
        // Kernels may be called `exp` or `floor`; the prefix keeps them distinct from the compilers' own functions.
        let name = self.names.fresh(&format!("k_{}", func.name));
        self.funcs.push(LinkedFunc {
            name,
            func,
            insts,
            live: live.to_vec(),
            raw,
        });
        self.funcs.len() - 1
    }

    fn add_table(&mut self, table: &TableData) -> u32 {
        let equal = |t: &TableData| t.elem == table.elem && t.bits == table.bits;
        let found = self.tables.iter().position(equal).unwrap_or_else(|| {
            let name = self.names.fresh(&format!("tab_{}", table.name));
            self.tables.push(TableData {
                name,
                ..table.clone()
            });
            self.tables.len() - 1
        });
        found as u32
    }
}

/// For each instruction, whether the results depend on it. Parameters always count.
fn live(func: &Func) -> Vec<bool> {
    let mut live = vec![false; func.insts.len()];
    for &Value(v) in &func.results {
        live[v as usize] = true;
    }
    for i in (0..func.insts.len()).rev() {
        let inst = &func.insts[i];
        live[i] |= matches!(inst.kind, InstKind::Param(_));
        if live[i] {
            for &Value(v) in &inst.args {
                live[v as usize] = true;
            }
        }
    }
    live
}

/// For each function, whether the entry needs it.
fn reachable(program: &Program, live: &[Vec<bool>]) -> Vec<bool> {
    let mut used = vec![false; program.funcs.len()];
    if let Some(entry) = used.last_mut() {
        *entry = true;
    }
    for i in (0..program.funcs.len()).rev() {
        if !used[i] {
            continue;
        }
        for (inst, _) in program.funcs[i]
            .insts
            .iter()
            .zip(&live[i])
            .filter(|(_, live)| **live)
        {
            if let InstKind::Call(FuncId(callee)) = inst.kind {
                used[callee as usize] = true;
            }
        }
    }
    used
}
