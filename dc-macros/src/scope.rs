//! Names in scope: which local a name means where it stands, by Rust's rules of shadowing.

use crate::ast::{Local, LocalInfo, LocalKind};
use crate::source::context;
use proc_macro2::Ident;
use syn::ext::IdentExt as _;

/// Locals seen so far and the names visible now.
#[derive(Default)]
pub(crate) struct Scope {
    locals: Vec<LocalInfo>,
    /// Visible names, innermost last.
    visible: Vec<Local>,
    /// Arms of `if`s around the current position, innermost last.
    arms: Vec<Arm>,
}

struct Arm {
    /// Locals from this one on were declared inside.
    first_inside: Local,
    assigned: Vec<Assigned>,
}

/// An outer variable that an arm assigns, and the name as written at its first assignment there.
#[derive(Clone)]
pub(crate) struct Assigned {
    pub local: Local,
    pub name: Ident,
}

/// What [`Scope::enter`] hands out and [`Scope::leave`] takes back.
#[must_use]
pub(crate) struct Mark(usize);

impl Scope {
    pub(crate) fn declare(&mut self, name: &Ident, kind: LocalKind) -> Local {
        let local = self.locals.len();
        self.locals.push(LocalInfo {
            name: name.clone(),
            kind,
            context: context(name.span()),
        });
        self.visible.push(local);
        local
    }

    /// A local of the tree only: no name means it.
    pub(crate) fn declare_hidden(&mut self, name: &Ident, kind: LocalKind) -> Local {
        let local = self.declare(name, kind);
        self.visible.pop();
        local
    }

    /// The local that the name means here; `None` for items and const generics.
    pub(crate) fn resolve(&self, name: &Ident) -> Option<Local> {
        let (text, context) = (name.unraw(), context(name.span()));
        let mut same = self.visible.iter().rev().copied();
        let mut named = same
            .clone()
            .filter(|&l| self.locals[l].name.unraw() == text);
        let first = named.next()?;
        // Hygiene: of two variables of one name, the one from the same macro. Where none is, rustc decides.
        let exact =
            |l: &Local| self.locals[*l].context == context && self.locals[*l].name.unraw() == text;
        same.find(exact).or(Some(first))
    }

    pub(crate) fn info(&self, local: Local) -> &LocalInfo {
        &self.locals[local]
    }

    pub(crate) fn enter(&self) -> Mark {
        Mark(self.visible.len())
    }
    pub(crate) fn leave(&mut self, mark: Mark) {
        self.visible.truncate(mark.0);
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
    /// Notes an assignment for all arms around it that the variable outlives.
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
