//! The state of an execution.

use std::collections::BTreeSet;

use super::helpers::Helpers;
use super::object::Object;
use crate::graph::Graph;
use crate::ir::{Function, Module, Name};
use crate::{Options, Refusal};

/// The largest number of nodes in a graph.
pub(super) const MAX_NODES: usize = 400_000;

/// The state of an execution.
pub(crate) struct Exec<'a> {
    pub(super) modules: &'a [Module],
    pub(super) options: &'a Options,
    pub g: Graph,
    pub(super) objects: Vec<Object>,
    /// The module whose function is being executed.
    pub(super) module: usize,
    /// File and line of the instruction being executed, for messages.
    pub(super) at: (String, u32),
    pub(super) depth: usize,
    pub(super) notes: BTreeSet<String>,
    /// Whether the execution assumed that a loop ends at `--unroll`.
    pub(super) cut: bool,
    /// The names of the functions being executed, outermost first.
    pub(super) stack: Vec<Name>,
    /// Called functions that are kernels of their own.
    pub(super) helpers: Helpers,
}

/// A result, or the reason why there is none.
pub(crate) type Res<T> = Result<T, Refusal>;

impl Exec<'_> {
    /// A refusal at the instruction being executed.
    pub(super) fn refuse(&self, what: impl Into<String>, remedy: impl Into<String>) -> Refusal {
        let function = self
            .stack
            .last()
            .map(ToString::to_string)
            .unwrap_or_default();
        Refusal {
            file: self.at.0.clone(),
            line: self.at.1,
            function,
            what: what.into(),
            remedy: remedy.into(),
        }
    }

    /// The module and the function with a body to which a symbol refers at the place where it is used.
    pub(super) fn find(&self, name: &Name) -> Option<(usize, &'_ Function)> {
        let own = std::iter::once(self.module);
        let mut all = own.chain(0..self.modules.len());
        all.find_map(|m| {
            let module = &self.modules[m];
            let name = module.aliases.get(name).unwrap_or(name);
            Some((m, module.functions.get(name)?))
        })
    }
}
