//! Where control leaves a block early: `return`, `break` and `continue`.

use super::tree::{Block, Expr, Kind, Stmt};

/// What may leave a statement early.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Exits {
    pub returns: bool,
    pub breaks: bool,
    pub continues: bool,
}

impl Exits {
    pub(super) fn any(&self) -> bool {
        self.returns || self.breaks || self.continues
    }
    fn join(&mut self, other: &Exits) {
        self.returns |= other.returns;
        self.breaks |= other.breaks;
        self.continues |= other.continues;
    }
}

pub(super) fn of_block(block: &Block) -> Exits {
    let mut exits = Exits::default();
    for stmt in &block.stmts {
        exits.join(&of_stmt(stmt));
    }
    if let Some(value) = &block.value {
        exits.join(&of_expr(value));
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
    let mut all = |parts: &[&Expr]| {
        for part in parts {
            exits.join(&of_expr(part));
        }
    };
    match &e.kind {
        Kind::Float(_)
        | Kind::Int(_)
        | Kind::Bool(_)
        | Kind::Local(..)
        | Kind::Path(_)
        | Kind::TableArg(_)
        | Kind::Len(_)
        | Kind::Other(_) => {}
        Kind::Neg(a)
        | Kind::Not(a)
        | Kind::Cast(a, _)
        | Kind::FromBits(a)
        | Kind::Index(_, a)
        | Kind::Field(a, _)
        | Kind::Assign(_, a) => all(&[a]),
        Kind::Binary(_, a, b) => all(&[a, b]),
        Kind::Method(a, _, args) => {
            all(&[a]);
            args.iter().for_each(|a| all(&[a]));
        }
        Kind::Call(_, args) | Kind::Tuple(args) => args.iter().for_each(|a| all(&[a])),
        Kind::If(c, then, otherwise) => {
            all(&[c]);
            exits.join(&of_block(then));
            if let Some(block) = otherwise {
                exits.join(&of_block(block));
            }
        }
        Kind::Block(block) => exits.join(&of_block(block)),
        // A loop keeps its own `break` and `continue`.
        Kind::For { body, .. } | Kind::Loop(_, body, _) => exits.returns |= of_block(body).returns,
        Kind::Return(value) => {
            if let Some(value) = value {
                all(&[value]);
            }
            exits.returns = true;
        }
        Kind::Break => exits.breaks = true,
        Kind::Continue => exits.continues = true,
    }
    exits
}

/// Whether nothing after it is reached.
pub(super) fn ends(e: &Expr) -> bool {
    match &e.kind {
        Kind::Return(_) | Kind::Break | Kind::Continue => true,
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
