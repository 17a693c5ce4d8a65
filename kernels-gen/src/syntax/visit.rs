//! Walks over a body: all of its parts, in the order in which they are written, parents before their parts.

use super::{Block, Expr, Kind, Stmt};

/// Something in a body.
#[derive(Debug, Clone, Copy)]
pub enum Node<'a> {
    /// A statement.
    Stmt(&'a Stmt),
    /// An expression.
    Expr(&'a Expr),
}

/// Passes all statements and expressions of a block to a function.
pub fn block(of: &Block, see: &mut dyn FnMut(Node<'_>)) {
    for stmt in &of.stmts {
        see(Node::Stmt(stmt));
        match stmt {
            Stmt::Let(_, _, value) | Stmt::Assign(_, value) => expr(value, see),
            Stmt::If(cond, then, otherwise) => {
                expr(cond, see);
                block(then, see);
                if let Some(otherwise) = otherwise {
                    block(otherwise, see);
                }
            }
            Stmt::For(_, range, body) => {
                expr(&range.start, see);
                expr(&range.end, see);
                block(body, see);
            }
        }
    }
    if let Some(value) = &of.value {
        expr(value, see);
    }
}

/// Passes an expression and all of its parts to a function.
pub fn expr(of: &Expr, see: &mut dyn FnMut(Node<'_>)) {
    see(Node::Expr(of));
    match &of.kind {
        Kind::Unary(_, a) | Kind::FromBits(a) | Kind::Len(a) | Kind::Field(a, _) => expr(a, see),
        Kind::Binary(_, a, b) | Kind::NewDd(a, b) | Kind::Load(a, b) => {
            expr(a, see);
            expr(b, see);
        }
        Kind::Method(_, a, args) => {
            expr(a, see);
            args.iter().for_each(|e| expr(e, see));
        }
        Kind::Call(_, args) | Kind::Tuple(args) => args.iter().for_each(|e| expr(e, see)),
        Kind::If(cond, then, otherwise) => {
            expr(cond, see);
            block(then, see);
            block(otherwise, see);
        }
        Kind::Block(b) => block(b, see),
        Kind::Local(_)
        | Kind::Float(_)
        | Kind::Int(_)
        | Kind::Const(_)
        | Kind::Table(_)
        | Kind::Generic => {}
    }
}

/// Passes all expressions of a block to a function that may change them, in the same order. The walk then continues inside the changed one.
pub fn exprs_mut(of: &mut Block, change: &mut dyn FnMut(&mut Expr)) {
    for stmt in &mut of.stmts {
        match stmt {
            Stmt::Let(_, _, value) | Stmt::Assign(_, value) => expr_mut(value, change),
            Stmt::If(cond, then, otherwise) => {
                expr_mut(cond, change);
                exprs_mut(then, change);
                if let Some(otherwise) = otherwise {
                    exprs_mut(otherwise, change);
                }
            }
            Stmt::For(_, range, body) => {
                expr_mut(&mut range.start, change);
                expr_mut(&mut range.end, change);
                exprs_mut(body, change);
            }
        }
    }
    if let Some(value) = &mut of.value {
        expr_mut(value, change);
    }
}

/// Passes an expression and all of its parts to a function that may change them.
pub fn expr_mut(of: &mut Expr, change: &mut dyn FnMut(&mut Expr)) {
    change(of);
    parts_mut(of, &mut |part| match part {
        Part::Expr(e) => expr_mut(e, change),
        Part::Block(b) => exprs_mut(b, change),
    });
}

/// Passes all blocks to a function that may change them, the outermost first. The walk then continues inside the changed one.
pub fn blocks_mut(of: &mut Block, change: &mut dyn FnMut(&mut Block)) {
    change(of);
    for stmt in &mut of.stmts {
        match stmt {
            Stmt::Let(_, _, value) | Stmt::Assign(_, value) => blocks_in(value, change),
            Stmt::If(cond, then, otherwise) => {
                blocks_in(cond, change);
                blocks_mut(then, change);
                if let Some(otherwise) = otherwise {
                    blocks_mut(otherwise, change);
                }
            }
            Stmt::For(_, _, body) => blocks_mut(body, change),
        }
    }
    if let Some(value) = &mut of.value {
        blocks_in(value, change);
    }
}

fn blocks_in(of: &mut Expr, change: &mut dyn FnMut(&mut Block)) {
    parts_mut(of, &mut |part| match part {
        Part::Expr(e) => blocks_in(e, change),
        Part::Block(b) => blocks_mut(b, change),
    });
}

/// A part of an expression.
enum Part<'a> {
    Expr(&'a mut Expr),
    Block(&'a mut Block),
}

/// Passes the parts of an expression, in order.
fn parts_mut(of: &mut Expr, give: &mut dyn FnMut(Part<'_>)) {
    match &mut of.kind {
        Kind::Unary(_, a) | Kind::FromBits(a) | Kind::Len(a) | Kind::Field(a, _) => {
            give(Part::Expr(a));
        }
        Kind::Binary(_, a, b) | Kind::NewDd(a, b) | Kind::Load(a, b) => {
            give(Part::Expr(a));
            give(Part::Expr(b));
        }
        Kind::Method(_, a, args) => {
            give(Part::Expr(a));
            args.iter_mut().for_each(|e| give(Part::Expr(e)));
        }
        Kind::Call(_, args) | Kind::Tuple(args) => {
            args.iter_mut().for_each(|e| give(Part::Expr(e)));
        }
        Kind::If(cond, then, otherwise) => {
            give(Part::Expr(cond));
            give(Part::Block(then));
            give(Part::Block(otherwise));
        }
        Kind::Block(b) => give(Part::Block(b)),
        Kind::Local(_)
        | Kind::Float(_)
        | Kind::Int(_)
        | Kind::Const(_)
        | Kind::Table(_)
        | Kind::Generic => {}
    }
}

/// The locals that are assigned.
#[must_use]
pub fn assigned(of: &Block) -> Vec<usize> {
    let mut out = Vec::new();
    block(of, &mut |node| {
        if let Node::Stmt(Stmt::Assign(local, _)) = node {
            out.push(*local);
        }
    });
    out
}

/// The number of uses of each local as a value.
#[must_use]
pub fn reads(of: &Block, locals: usize) -> Vec<usize> {
    let mut out = vec![0; locals];
    block(of, &mut |node| {
        if let Node::Expr(Expr {
            kind: Kind::Local(local),
            ..
        }) = node
        {
            out[*local] += 1;
        }
    });
    out
}
