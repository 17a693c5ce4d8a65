//! A program as one function.

use crate::program::{Func, Inst, InstKind, Program, Value};

impl Program {
    /// The program with all calls inlined: one function, no [`InstKind::Call`], no [`InstKind::Result`].
    ///
    /// Instructions keep their order, their names, and their locations in the callee's file. [`crate::lower()`]
    /// refuses programs that would become too large.
    #[must_use]
    pub fn inlined(&self) -> Program {
        let entry = self.entry();
        let mut insts: Vec<Inst> = entry.insts[..entry.params.len()].to_vec();
        let params: Vec<Value> = (0..insts.len() as u32).map(Value).collect();
        let results = self.inline(entry, &params, &mut insts);
        Program {
            funcs: vec![Func {
                name: entry.name.clone(),
                origin: entry.origin.clone(),
                params: entry.params.clone(),
                insts,
                results,
            }],
            tables: self.tables.clone(),
        }
    }

    /// The program with other values of its entry as results, so that they can be observed.
    ///
    /// # Panics
    /// If one of them is a call, which has no value.
    #[must_use]
    pub fn with_results(&self, results: &[Value]) -> Program {
        let mut program = self.clone();
        let entry = program.funcs.last_mut().expect("a program has an entry");
        let is_value = |v: &Value| !matches!(entry.inst(*v).kind, InstKind::Call(_));
        assert!(results.iter().all(is_value), "a call is no value");
        entry.results = results.to_vec();
        program
    }

    /// Appends the body of `func` applied to these arguments. Returns the values of its results.
    fn inline(&self, func: &Func, args: &[Value], out: &mut Vec<Inst>) -> Vec<Value> {
        let mut place: Vec<Value> = Vec::with_capacity(func.insts.len());
        // The results of each call, with the call's value.
        let mut calls: Vec<(Value, Vec<Value>)> = Vec::new();
        for (i, inst) in func.insts.iter().enumerate() {
            let mapped = |v: &Value| place[v.0 as usize];
            let at = match inst.kind {
                InstKind::Param(n) => args[n as usize],
                InstKind::Call(callee) => {
                    let args: Vec<Value> = inst.args.iter().map(mapped).collect();
                    let results = self.inline(self.func(callee), &args, out);
                    calls.push((Value(i as u32), results));
                    Value(u32::MAX)
                }
                InstKind::Result(n) => {
                    let call = inst.args[0];
                    let i = calls
                        .binary_search_by_key(&call, |c| c.0)
                        .expect("a result follows its call");
                    let at = calls[i].1[n as usize];
                    let named = &mut out[at.0 as usize].name;
                    if named.is_none() {
                        named.clone_from(&inst.name);
                    }
                    at
                }
                _ => {
                    out.push(Inst {
                        args: inst.args.iter().map(mapped).collect(),
                        ..inst.clone()
                    });
                    Value(out.len() as u32 - 1)
                }
            };
            place.push(at);
        }
        func.results.iter().map(|r| place[r.0 as usize]).collect()
    }
}
