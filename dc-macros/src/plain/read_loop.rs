//! Loops over ranges, loops over the entries of tables and arrays, loops with a limit, and blocks that can be left.

use super::read::{Around, Reader};
use super::read_expr::unparenthesized;
use super::tree::{Block, Expr, Kind, Local, LocalKind, Pat, Range, Stmt, Target};
use super::types::{Num, Type, Var};
use proc_macro2::{Ident, Span};

impl Reader {
    pub(super) fn loop_body(&mut self, body: &syn::Block, around: Around) -> Block {
        self.loops.push(around);
        let body = self.block(body);
        self.loops.pop();
        body
    }

    pub(super) fn around(&mut self, label: Option<&syn::Label>) -> Around {
        self.all_loops += 1;
        Around {
            id: self.all_loops,
            label: label.map(|l| l.name.ident.to_string()),
            is_loop: true,
            value: None,
        }
    }

    pub(super) fn while_(&mut self, w: &syn::ExprWhile, limit: u32) -> Expr {
        let span = w.while_token.span;
        let around = self.around(w.label.as_ref());
        let id = around.id;
        if let syn::Expr::Let(l) = unparenthesized(&w.cond) {
            // `loop { if let … { body } else { break } }`
            let (pat, of, body) = (&l.pat, &l.expr, &w.body);
            let looped = syn::parse_quote!({ if let #pat = #of #body else { break } });
            let body = self.loop_body(&looped, around);
            return self.unit(Kind::Loop(None, body, limit, id), span);
        }
        let cond = self.expr(&w.cond);
        let body = self.loop_body(&w.body, around);
        self.unit(Kind::Loop(Some(Box::new(cond)), body, limit, id), span)
    }

    /// `loop`, whose value is a variable that each `break` assigns.
    pub(super) fn loop_(&mut self, l: &syn::ExprLoop, limit: u32) -> Expr {
        let around = self.around(l.label.as_ref());
        let id = around.id;
        self.with_value(around, l.loop_token.span, |reader, around, _| {
            let body = reader.loop_body(&l.body, around);
            // Without a `break`, the code after the loop is never reached.
            let left = super::exits::of_block(&body).breaks.contains(&id);
            let mut looped = reader.unit(Kind::Loop(None, body, limit, id), l.loop_token.span);
            if !left {
                looped.ty = reader.types.fresh();
            }
            looped
        })
    }

    /// `'label: { … }`, which is a loop of one iteration.
    pub(super) fn labelled(&mut self, block: &syn::Block, label: &syn::Label, span: Span) -> Expr {
        let mut around = self.around(Some(label));
        around.is_loop = false;
        let id = around.id;
        self.with_value(around, span, |reader, around, value| {
            let (local, name) = value;
            let mut body = reader.loop_body(block, around);
            // The value of the block is that of the last `break`.
            if let Some(last) = body.value.take() {
                let ty = reader.locals[local].ty;
                reader.types.unify(ty, last.ty);
                let span = last.span;
                let unit = reader.types.tuple(Vec::new());
                let is_unit = reader.types.get(last.ty) == Some(Type::Tuple(Vec::new()));
                let last = match is_unit || super::exits::ends(&last) {
                    true => *last,
                    false => reader.unit(Kind::Assign(Target::Local(name), last), span),
                };
                body.stmts.push(Stmt::Expr(last));
                body.ty = unit;
            }
            reader.unit(Kind::Loop(None, body, 1, id), span)
        })
    }

    /// A loop with a variable for its value, if a `break` has one.
    fn with_value(
        &mut self,
        mut around: Around,
        span: Span,
        read: impl FnOnce(&mut Self, Around, (Local, Ident)) -> Expr,
    ) -> Expr {
        let ty = self.types.fresh();
        let (local, name) = self.temporary(ty, span);
        self.locals[local].assigned = true;
        around.value = Some((local, name.clone()));
        let looped = read(self, around, (local, name.clone()));
        let unit = self.types.get(ty) == Some(Type::Tuple(Vec::new()));
        if unit || (self.types.get(ty).is_none() && self.types.final_num(ty).is_none()) {
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
        self.after(vec![declared, Stmt::Expr(looped)], value)
    }

    /// The loop to which a `break` or `continue` refers.
    fn left(&self, label: Option<&syn::Lifetime>) -> Option<Around> {
        let mut around = self.loops.iter().rev();
        let found = match label {
            Some(label) => {
                let name = label.ident.to_string();
                around.find(|a| a.label.as_ref() == Some(&name))
            }
            None => around.find(|a| a.is_loop),
        };
        found.cloned()
    }

    pub(super) fn break_(&mut self, b: &syn::ExprBreak) -> Expr {
        let span = b.break_token.span;
        let Some(around) = self.left(b.label.as_ref()) else {
            return self.other(&syn::Expr::Break(b.clone()));
        };
        let ty = self.types.fresh();
        let left = self.make(Kind::Break(around.id), ty, span);
        let Some(value) = &b.expr else {
            return left;
        };
        let Some((local, name)) = around.value else {
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

    pub(super) fn continue_(&mut self, c: &syn::ExprContinue) -> Expr {
        match self.left(c.label.as_ref()) {
            Some(around) => {
                let ty = self.types.fresh();
                self.make(Kind::Continue(around.id), ty, c.continue_token.span)
            }
            None => self.other(&syn::Expr::Continue(c.clone())),
        }
    }

    pub(super) fn for_(&mut self, f: &syn::ExprForLoop) -> Expr {
        let counted = self.types.fresh();
        let name = match &*f.pat {
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                Some(Some((&p.ident, p.mutability.is_some())))
            }
            syn::Pat::Wild(_) => Some(None),
            _ => None,
        };
        let Some(range) = self.range(&f.expr, counted) else {
            return self.for_each(f);
        };
        let Some(name) = name else {
            return self.other(&syn::Expr::ForLoop(f.clone()));
        };
        let around = self.around(f.label.as_ref());
        let id = around.id;
        let (counter, body) = self.scoped(|reader| match name {
            Some((name, false)) => {
                let local = reader.declare(name, counted, LocalKind::Counter);
                let body = reader.loop_body(&f.body, around);
                (Some((local, reader.printed(local, name))), body)
            }
            // A counter that the body changes is a variable of the body.
            Some((name, true)) => {
                let span = name.span();
                let (local, hidden) = reader.temporary(counted, span);
                reader.locals[local].kind = LocalKind::Counter;
                let first = reader.make(Kind::Local(local, hidden.clone()), counted, span);
                let own = reader.declare(name, counted, LocalKind::Variable);
                reader.locals[own].assigned = true;
                let mut body = reader.loop_body(&f.body, around);
                let bound = Stmt::Let {
                    pat: Pat::Name(own, reader.printed(own, name)),
                    ty: counted,
                    init: Some(first),
                    span,
                };
                body.stmts.insert(0, bound);
                (Some((local, hidden)), body)
            }
            None => (None, reader.loop_body(&f.body, around)),
        });
        let kind = Kind::For {
            counter,
            range,
            body,
            id,
        };
        self.unit(kind, f.for_token.span)
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
                // `.step_by(k).rev()` is a different sequence from `.rev().step_by(k)`.
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
