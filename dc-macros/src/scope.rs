//! Names in scope: the local variable to which a name refers at its place, by Rust's rules of shadowing.

use crate::ast::{Assigned, Lane, Local, LocalInfo, LocalKind};
use crate::source::context;
use proc_macro2::Ident;
use std::collections::HashMap;
use syn::ext::IdentExt as _;

/// The locals declared so far, and the names visible now.
#[derive(Default)]
pub(crate) struct Scope {
    locals: Vec<LocalInfo>,
    /// The locals of each name, innermost last.
    visible: HashMap<String, Vec<Local>>,
    /// Names in the order of their declaration; [`Scope::leave`] removes them.
    declared: Vec<String>,
    /// The arms of `if`s around the current position, innermost last.
    arms: Vec<Arm>,
}

struct Arm {
    /// Locals from this one on were declared inside the arm.
    first_inside: Local,
    assigned: Vec<Assigned>,
}

/// A position that [`Scope::enter`] returns and [`Scope::leave`] takes.
#[must_use]
pub(crate) struct Mark(usize);

impl Scope {
    pub(crate) fn declare(&mut self, name: &Ident, kind: LocalKind) -> Local {
        let local = self.locals.len();
        self.locals.push(LocalInfo {
            name: name.clone(),
            kind,
            context: context(name.span()),
            lane: None,
        });
        let text = name.unraw().to_string();
        self.visible.entry(text.clone()).or_default().push(local);
        self.declared.push(text);
        local
    }

    /// Declares a local that exists only in the tree: no name refers to it.
    pub(crate) fn declare_hidden(&mut self, name: &Ident, kind: LocalKind) -> Local {
        let local = self.declare(name, kind);
        self.leave(Mark(self.declared.len() - 1));
        local
    }

    /// The local to which the name refers here; `None` for items and const generics.
    pub(crate) fn resolve(&self, name: &Ident) -> Option<Local> {
        let same = self.visible.get(&name.unraw().to_string())?;
        // Hygiene: of several variables with one name, the one from the same macro. If there is none, rustc decides.
        let context = context(name.span());
        let exact = |l: &&Local| self.locals[**l].context == context;
        same.iter().rev().find(exact).or(same.last()).copied()
    }

    /// Records a local's type.
    pub(crate) fn typed(&mut self, local: Local, lane: Option<Lane>) {
        self.locals[local].lane = lane;
    }

    pub(crate) fn info(&self, local: Local) -> &LocalInfo {
        &self.locals[local]
    }

    pub(crate) fn enter(&self) -> Mark {
        Mark(self.declared.len())
    }
    pub(crate) fn leave(&mut self, mark: Mark) {
        for name in self.declared.drain(mark.0..) {
            if let Some(same) = self.visible.get_mut(&name) {
                same.pop();
            }
        }
    }

    pub(crate) fn enter_arm(&mut self) {
        self.arms.push(Arm {
            first_inside: self.locals.len(),
            assigned: Vec::new(),
        });
    }
    /// The outer variables that the arm assigns.
    pub(crate) fn leave_arm(&mut self) -> Vec<Assigned> {
        self.arms.pop().map(|arm| arm.assigned).unwrap_or_default()
    }
    /// Records an assignment in all surrounding arms that the variable outlives.
    pub(crate) fn assign(&mut self, local: Local, name: &Ident) {
        for arm in &mut self.arms {
            if local < arm.first_inside && arm.assigned.iter().all(|a| a.local != local) {
                arm.assigned.push(Assigned {
                    local,
                    name: name.clone(),
                });
            }
        }
    }

    pub(crate) fn into_locals(self) -> Vec<LocalInfo> {
        self.locals
    }
}
