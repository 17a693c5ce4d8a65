//! Loops: over ranges, over the entries of tables, and those that a limit bounds.

use super::read::Reader;
use super::read_expr::unparenthesized;
use super::tree::{Block, Expr, Kind, Local, LocalKind, Pat, Range, Stmt, Table, Target};
use super::types::{Num, Var};
use proc_macro2::Ident;

impl Reader {
    pub(super) fn loop_body(&mut self, body: &syn::Block, value: Option<(Local, Ident)>) -> Block {
        self.values.push(value);
        let body = self.block(body);
        self.values.pop();
        body
    }

    /// `loop`, whose value is a variable that each `break` assigns.
    pub(super) fn loop_(&mut self, l: &syn::ExprLoop, limit: u32) -> Expr {
        let span = l.loop_token.span;
        let ty = self.types.fresh();
        let (local, name) = self.temporary(ty, span);
        self.locals[local].assigned = true;
        let body = self.loop_body(&l.body, Some((local, name.clone())));
        // Without a `break`, what follows is never reached.
        let left = super::exits::of_block(&body).breaks;
        let mut looped = self.unit(Kind::Loop(None, body, limit), span);
        if !left {
            looped.ty = self.types.fresh();
        }
        if self.types.get(ty).is_none() && self.types.final_num(ty).is_none() {
            // No `break` has a value.
            return looped;
        }
        let declared = Stmt::Let {
            pat: Pat::Name(local, name.clone()),
            ty,
            init: None,
            span,
        };
        let value = self.make(Kind::Local(local, name), ty, span);
        let block = Block {
            stmts: vec![declared, Stmt::Expr(looped)],
            value: Some(Box::new(value)),
            ty,
        };
        self.make(Kind::Block(block), ty, span)
    }

    pub(super) fn break_(&mut self, b: &syn::ExprBreak) -> Expr {
        let span = b.break_token.span;
        let ty = self.types.fresh();
        let left = self.make(Kind::Break, ty, span);
        let Some(value) = &b.expr else {
            return left;
        };
        let Some(Some((local, name))) = self.values.last().cloned() else {
            return self.other(&syn::Expr::Break(b.clone()));
        };
        let value = self.expr(value);
        self.types.unify(self.locals[local].ty, value.ty);
        let assigned = Kind::Assign(Target::Local(name), Box::new(value));
        let assigned = self.unit(assigned, span);
        let block = Block {
            stmts: vec![Stmt::Expr(assigned), Stmt::Expr(left)],
            value: None,
            ty,
        };
        self.make(Kind::Block(block), ty, span)
    }

    pub(super) fn for_(&mut self, f: &syn::ExprForLoop) -> Expr {
        if let Some(read) = self.for_each(f) {
            return read;
        }
        let counted = self.types.fresh();
        let counter = match &*f.pat {
            syn::Pat::Ident(p)
                if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() =>
            {
                Some(Some(p.ident.clone()))
            }
            syn::Pat::Wild(_) => Some(None),
            _ => None,
        };
        let range = self.range(&f.expr, counted).filter(|_| f.label.is_none());
        let (Some(counter), Some(range)) = (counter, range) else {
            return self.other(&syn::Expr::ForLoop(f.clone()));
        };
        let (counter, body) = self.scoped(|reader| {
            let counter = counter.map(|name| {
                let local = reader.declare(&name, counted, LocalKind::Counter);
                (local, name)
            });
            (counter, reader.loop_body(&f.body, None))
        });
        let kind = Kind::For {
            counter,
            range,
            body,
        };
        self.unit(kind, f.for_token.span)
    }

    /// `for c in TABLE`: a loop over its indices.
    fn for_each(&mut self, f: &syn::ExprForLoop) -> Option<Expr> {
        let span = f.for_token.span;
        let name = match &*f.pat {
            syn::Pat::Reference(r) => &r.pat,
            _ => &f.pat,
        };
        let syn::Pat::Ident(name) = &**name else {
            return None;
        };
        let plain = name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none();
        if f.label.is_some() || !plain {
            return None;
        }
        let (over, rev) = elements(&f.expr, false);
        let mut stmts = Vec::new();
        let (table, elem) = match over {
            syn::Expr::Array(array) => {
                if !array.elems.iter().all(|e| self.is_constant(e)) {
                    return None;
                }
                let elem = self.types.fresh();
                let (local, name) = self.temporary(elem, span);
                self.locals[local].kind = LocalKind::Table;
                let table = self.entries(array, elem, local, name.clone());
                stmts.push(table);
                (Table::Local(local, name), elem)
            }
            over => self.table(over)?,
        };
        let usize = self.types.num(Num::Usize);
        let (counter, at) = self.temporary(usize, span);
        self.locals[counter].kind = LocalKind::Counter;
        let index = self.make(Kind::Local(counter, at.clone()), usize, span);
        let entry = self.make(Kind::Index(table.clone(), Box::new(index)), elem, span);
        let body = self.scoped(|reader| {
            let local = reader.declare(&name.ident, elem, LocalKind::Variable);
            let mut body = reader.loop_body(&f.body, None);
            let bound = Stmt::Let {
                pat: Pat::Name(local, name.ident.clone()),
                ty: elem,
                init: Some(entry),
                span,
            };
            body.stmts.insert(0, bound);
            body
        });
        let zero = self.make(Kind::Int(0), usize, span);
        let len = self.make(Kind::Len(table), usize, span);
        let range = Range {
            start: Box::new(zero),
            end: Box::new(len),
            inclusive: false,
            rev,
            step: None,
        };
        let looped = Kind::For {
            counter: Some((counter, at)),
            range,
            body,
        };
        let looped = self.unit(looped, span);
        if stmts.is_empty() {
            return Some(looped);
        }
        stmts.push(Stmt::Expr(looped));
        let ty = self.types.tuple(Vec::new());
        let block = Block {
            stmts,
            value: None,
            ty,
        };
        Some(self.make(Kind::Block(block), ty, span))
    }

    fn range(&mut self, expr: &syn::Expr, counted: Var) -> Option<Range> {
        match unparenthesized(expr) {
            syn::Expr::Range(r) => {
                let start = self.expr(r.start.as_ref()?);
                let end = self.expr(r.end.as_ref()?);
                self.types.unify(counted, start.ty);
                self.types.unify(counted, end.ty);
                Some(Range {
                    start: Box::new(start),
                    end: Box::new(end),
                    inclusive: matches!(r.limits, syn::RangeLimits::Closed(_)),
                    rev: false,
                    step: None,
                })
            }
            syn::Expr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => {
                let mut range = self.range(&m.receiver, counted)?;
                // `.step_by(k).rev()` is another sequence than `.rev().step_by(k)`.
                if range.rev || range.step.is_some() {
                    return None;
                }
                range.rev = true;
                Some(range)
            }
            syn::Expr::MethodCall(m) if m.method == "step_by" && m.args.len() == 1 => {
                let mut range = self.range(&m.receiver, counted)?;
                let step = self.expr(&m.args[0]);
                let usize = self.types.num(Num::Usize);
                self.types.unify(usize, step.ty);
                if range.step.is_some() {
                    return None;
                }
                range.step = Some(Box::new(step));
                Some(range)
            }
            _ => None,
        }
    }
}

/// The table that an iterator goes over, and whether it does so backwards.
fn elements(expr: &syn::Expr, rev: bool) -> (&syn::Expr, bool) {
    match unparenthesized(expr) {
        syn::Expr::Reference(r) => elements(&r.expr, rev),
        syn::Expr::MethodCall(m) if m.args.is_empty() => match m.method.to_string().as_str() {
            "iter" | "into_iter" | "copied" | "cloned" => elements(&m.receiver, rev),
            "rev" => elements(&m.receiver, !rev),
            _ => (expr, rev),
        },
        expr => (expr, rev),
    }
}
