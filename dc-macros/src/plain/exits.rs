//! The exits by which control leaves a block early: `return`, `break` and `continue`.

use super::tree::{Block, Expr, Kind, LoopId, Stmt};
use std::collections::BTreeSet;

/// The ways in which a statement can be left early.
#[derive(Debug, Clone, Default)]
pub(super) struct Exits {
    pub returns: bool,
    /// The loops that are left.
    pub breaks: BTreeSet<LoopId>,
    /// The loops whose iteration ends.
    pub continues: BTreeSet<LoopId>,
}

impl Exits {
    pub(super) fn any(&self) -> bool {
        self.returns || !self.breaks.is_empty() || !self.continues.is_empty()
    }
    fn join(&mut self, other: &Exits) {
        self.returns |= other.returns;
        self.breaks.extend(&other.breaks);
        self.continues.extend(&other.continues);
    }
}

pub(super) fn of_block(block: &Block) -> Exits {
    let mut exits = Exits::default();
    for e in block.exprs() {
        exits.join(&of_expr(e));
    }
    exits
}

pub(super) fn of_stmt(stmt: &Stmt) -> Exits {
    match stmt {
        Stmt::Let { init, .. } => init.as_ref().map(of_expr).unwrap_or_default(),
        Stmt::Expr(e) => of_expr(e),
        Stmt::Table { .. } => Exits::default(),
    }
}

pub(super) fn of_expr(e: &Expr) -> Exits {
    let mut exits = Exits::default();
    let (exprs, blocks) = e.inside();
    for inside in exprs {
        exits.join(&of_expr(inside));
    }
    for block in blocks {
        exits.join(&of_block(block));
    }
    match &e.kind {
        // A loop handles its own `break` and `continue`.
        Kind::For { id, .. } | Kind::Loop(_, _, _, id) => {
            exits.breaks.remove(id);
            exits.continues.remove(id);
        }
        Kind::Return(_) => exits.returns = true,
        Kind::Break(id) => {
            exits.breaks.insert(*id);
        }
        Kind::Continue(id) => {
            exits.continues.insert(*id);
        }
        _ => {}
    }
    exits
}

/// Whether the code after it is unreachable.
pub(super) fn ends(e: &Expr) -> bool {
    match &e.kind {
        Kind::Return(_) | Kind::Break(_) | Kind::Continue(_) => true,
        Kind::If(_, then, Some(otherwise)) => ends_block(then) && ends_block(otherwise),
        Kind::Block(block) => ends_block(block),
        _ => false,
    }
}

pub(super) fn ends_block(block: &Block) -> bool {
    let stmt = |s: &Stmt| match s {
        Stmt::Let { init, .. } => init.as_ref().is_some_and(ends),
        Stmt::Expr(e) => ends(e),
        Stmt::Table { .. } => false,
    };
    block.stmts.iter().any(stmt) || block.value.as_ref().is_some_and(|e| ends(e))
}
