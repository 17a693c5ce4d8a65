//! Called functions that become kernels of their own: those whose parameters and results are numbers. Such a function is executed once, on
//! parameters. A call of it is a node for each of its results.
//!
//! A function is executed at its calls if it cannot have a graph of its own: because it has pointers, because a loop ends by a value that
//! the caller passes, or because all arguments are constants.

use std::collections::BTreeSet;

use super::helpers::{Made, Wanted};
use super::lifted::Helper;
use super::state::{Exec, Res};
use super::value::{Val, lane};
use crate::graph::{Graph, Id};
use crate::ir::{Function, Type};

impl Exec<'_> {
    /// A call of a function that is a kernel of its own; `None` for any other function.
    pub(super) fn helper(
        &mut self,
        module: usize,
        f: &Function,
        values: &[Val],
    ) -> Res<Option<Val>> {
        let Some((number, used)) = self.made(module, f) else {
            return Ok(None);
        };
        let mut args = Vec::new();
        for (((ty, _), value), used) in f.params.iter().zip(values).zip(used) {
            let id = self.lanes(ty, value)?;
            // Without a prototype, the call may pass something else.
            if Some(self.g.ty(id)) != lane(ty) {
                return Ok(None);
            }
            if used {
                args.push(id);
            }
        }
        if values.len() != f.params.len() || args.iter().all(|&a| self.g.constant_bits(a).is_some())
        {
            return Ok(None);
        }
        let body = &self.helpers.made[number as usize].body;
        let types = body.results.iter().map(|&r| body.graph.ty(r));
        let calls: Vec<Id> = types
            .enumerate()
            .map(|(k, ty)| self.g.call(number, k as u32, &args, ty))
            .collect();
        Ok(Some(assembled(&f.ret, &mut calls.into_iter())))
    }

    fn made(&mut self, module: usize, f: &Function) -> Option<Made> {
        let key = (module, f.name.clone());
        if let Some(known) = self.helpers.known.get(&key) {
            return known.clone();
        }
        let wanted = match &self.helpers.wanted {
            Wanted::None => false,
            Wanted::These(these) => these.contains(&key),
            Wanted::All => true,
        };
        let numbers = f.params.iter().all(|p| lane(&p.0).is_some()) && is_numbers(&f.ret);
        let made = match wanted && numbers {
            true => self.make(module, f),
            false => None,
        };
        self.helpers.known.insert(key, made.clone());
        made
    }

    /// Executes a function by itself. Gives `None` if it is refused, or if its result holds only under an assumption that its calls may not
    /// need.
    fn make(&mut self, module: usize, f: &Function) -> Option<Made> {
        let mut exec = Exec {
            modules: self.modules,
            options: self.options,
            g: Graph::default(),
            objects: Vec::new(),
            module,
            at: self.at.clone(),
            depth: 0,
            notes: BTreeSet::new(),
            cut: false,
            stack: self.stack.clone(),
            helpers: std::mem::take(&mut self.helpers),
        };
        let made = exec.body(module, f);
        self.helpers = exec.helpers;
        let (mut body, _) = made.ok().filter(|_| !exec.cut)?;
        self.notes.extend(exec.notes);
        let used = body.drop_parameters();
        if body.params.is_empty() {
            return None;
        }
        self.helpers.made.push(Helper {
            symbol: f.name.clone(),
            body,
            module,
        });
        Some((self.helpers.made.len() as u32 - 1, used))
    }
}

/// Whether a function's result consists of numbers.
fn is_numbers(ty: &Type) -> bool {
    match ty {
        Type::Struct(fields, _) => !fields.is_empty() && fields.iter().all(is_numbers),
        other => lane(other).is_some(),
    }
}

/// A result assembled from its numbers, in order.
fn assembled(ty: &Type, ids: &mut impl Iterator<Item = Id>) -> Val {
    match ty {
        Type::Struct(fields, _) => {
            Val::Aggregate(fields.iter().map(|f| assembled(f, ids)).collect())
        }
        _ => ids.next().map_or(Val::Undef, Val::Lane),
    }
}
