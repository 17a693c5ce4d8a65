//! `if` and `for`.

use super::Parser;
use crate::ast::{Adaptor, Arm, Block, Expr, ExprKind, If, LocalKind, Range, Stmt};
use crate::messages::Message;
use quote::{ToTokens as _, format_ident};
use syn::spanned::Spanned as _;

impl Parser<'_> {
    pub(super) fn if_(&mut self, e: &syn::ExprIf) -> Expr {
        let cond = Box::new(self.expr(&e.cond));
        let then = self.arm(|parser| parser.block(&e.then_branch));
        let last = e.then_branch.brace_token.span.close();
        let otherwise = e.else_branch.as_ref().map(|(_, branch)| {
            self.arm(|parser| match &**branch {
                syn::Expr::Block(b) => {
                    parser.attrs(&b.attrs);
                    parser.block(&b.block)
                }
                branch => Block {
                    stmts: Vec::new(),
                    value: Some(Box::new(parser.expr(branch))),
                },
            })
        });
        if otherwise.is_none() && has_value(&then.block) {
            self.refuse(&e.if_token, Message::IfWithoutElse);
            return Expr::refused(e.if_token.span);
        }
        let mut assigned = then.assigned.clone();
        for a in otherwise.iter().flat_map(|arm| &arm.assigned) {
            if assigned.iter().all(|b| b.local != a.local) {
                assigned.push(a.clone());
            }
        }
        let at = e.if_token.span;
        let kind = ExprKind::If(If {
            cond,
            then,
            otherwise,
            assigned,
        });
        Expr::spanning(kind, at, at, last)
    }

    fn arm(&mut self, parse: impl FnOnce(&mut Self) -> Block) -> Arm {
        self.scope.enter_arm();
        let block = parse(self);
        Arm {
            block,
            assigned: self.scope.leave_arm(),
        }
    }

    pub(super) fn for_(&mut self, f: &syn::ExprForLoop) -> Option<Stmt> {
        if let Some(label) = &f.label {
            self.refuse(label, Message::Label);
        }
        let range = self.range(&f.expr);
        let mark = self.scope.enter();
        let counter = match &*f.pat {
            syn::Pat::Ident(p)
                if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() =>
            {
                let kind = match range {
                    Some(_) => LocalKind::Counter,
                    None => LocalKind::Refused,
                };
                Some(self.scope.declare(&p.ident, kind))
            }
            syn::Pat::Wild(w) => {
                let name = format_ident!("_unused", span = w.span());
                Some(self.scope.declare_hidden(&name, LocalKind::Counter))
            }
            pat => {
                // A pattern with something other than a range is part of the same error.
                if range.is_some() {
                    self.refuse(pat, Message::ForPattern);
                }
                self.declare_pattern(pat);
                None
            }
        };
        self.scope.enter_arm();
        let body = self.block(&f.body);
        let assigned = self.scope.leave_arm();
        self.scope.leave(mark);
        Some(Stmt::For {
            token: f.for_token,
            counter: counter?,
            pat: (*f.pat).clone(),
            range: range?,
            body,
            assigned,
        })
    }

    fn range(&mut self, expr: &syn::Expr) -> Option<Range> {
        match expr {
            syn::Expr::Paren(p) => self.range(&p.expr),
            syn::Expr::Group(g) => self.range(&g.expr),
            syn::Expr::Range(r) => {
                self.attrs(&r.attrs);
                let (Some(start), Some(end)) = (&r.start, &r.end) else {
                    self.refuse(r, Message::OpenRange);
                    return None;
                };
                Some(Range {
                    start: self.bound(start),
                    limits: r.limits,
                    end: self.bound(end),
                    adaptors: Vec::new(),
                })
            }
            syn::Expr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => {
                let mut range = self.range(&m.receiver)?;
                range.adaptors.push(Adaptor::Rev(m.method.clone()));
                Some(range)
            }
            syn::Expr::MethodCall(m) if m.method == "step_by" && m.args.len() == 1 => {
                let mut range = self.range(&m.receiver)?;
                let step = self.bound(&m.args[0]);
                range.adaptors.push(Adaptor::StepBy(m.method.clone(), step));
                Some(range)
            }
            _ => {
                self.refuse_iterable(expr);
                None
            }
        }
    }

    /// Reports that the expression after `in` is not a range, with another message for a table.
    fn refuse_iterable(&mut self, expr: &syn::Expr) {
        let base = match expr {
            syn::Expr::MethodCall(m) if m.method == "iter" || m.method == "into_iter" => {
                &m.receiver
            }
            syn::Expr::Reference(r) => &r.expr,
            expr => expr,
        };
        if let syn::Expr::Path(path) = base
            && let Some((local, _)) = self.local(path)
            && self.scope.info(local).kind == LocalKind::Refused
        {
            return;
        }
        let message = if self.names_table(base) {
            let table = base.to_token_stream().to_string().replace(' ', "");
            Message::ForTable { table }
        } else {
            Message::ForRange
        };
        self.refuse(expr, message);
    }

    /// A bound or step of a range: a `usize`.
    fn bound(&mut self, expr: &syn::Expr) -> Expr {
        let parsed = self.expr(expr);
        if !is_bound(&parsed) {
            self.refuse(expr, Message::Bound);
        }
        parsed
    }
}

/// Whether a block ends in a value, as far as this is known without types.
fn has_value(block: &Block) -> bool {
    block.value.as_ref().is_some_and(|e| match &e.kind {
        ExprKind::If(branch) => branch.otherwise.is_some() && has_value(&branch.then.block),
        ExprKind::Block(block) => has_value(block),
        ExprKind::Tuple(items) => !items.is_empty(),
        ExprKind::Refused => false,
        _ => true,
    })
}

fn is_bound(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Local(..)
        | ExprKind::Const(_)
        | ExprKind::Len(_)
        | ExprKind::Typed(_)
        | ExprKind::Refused => true,
        ExprKind::Binary(op, a, b) => crate::ast::is_arithmetic(*op) && is_bound(a) && is_bound(b),
        _ => false,
    }
}
