//! Loops: over ranges, over the entries of tables and arrays, those that a limit bounds, and blocks that can be left.

use super::read::{Around, Reader};
use super::read_expr::unparenthesized;
use super::tree::{Block, Expr, Kind, Local, LocalKind, LoopId, Pat, Range, Stmt, Table, Target};
use super::types::{Num, Type, Var};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned as _;

/// What a `for` goes over.
enum Over {
    Table(Table, Var),
    /// An array of lanes in a variable of our own.
    Array(super::choice::Place, Var, usize),
}

impl Reader {
    pub(super) fn loop_body(&mut self, body: &syn::Block, around: Around) -> Block {
        self.loops.push(around);
        let body = self.block(body);
        self.loops.pop();
        body
    }

    fn around(&mut self, label: Option<&syn::Label>) -> Around {
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
            // Without a `break`, what follows is never reached.
            let left = super::exits::of_block(&body).breaks.contains(&id);
            let mut looped = reader.unit(Kind::Loop(None, body, limit, id), l.loop_token.span);
            if !left {
                looped.ty = reader.types.fresh();
            }
            looped
        })
    }

    /// `'label: { … }`, which is a loop of one round.
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

    /// The loop that a `break` or `continue` is for.
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

    /// `for c in TABLE`: a loop over its indices.
    fn for_each(&mut self, f: &syn::ExprForLoop) -> Expr {
        let span = f.for_token.span;
        let Some(elements) = elements(&f.expr) else {
            return self.other(&syn::Expr::ForLoop(f.clone()));
        };
        let around = self.around(f.label.as_ref());
        let looped = self.each(&elements, span, |reader, number, entry| {
            let (pat, ty, init) = reader.element_of(&elements, &f.pat, number, entry);
            let pat = reader.pattern(&pat, ty);
            let id = around.id;
            let mut body = reader.loop_body(&f.body, around);
            let bound = Stmt::Let {
                pat,
                ty,
                init: Some(init),
                span,
            };
            body.stmts.insert(0, bound);
            (body, id)
        });
        looped.unwrap_or_else(|| self.other(&syn::Expr::ForLoop(f.clone())))
    }

    /// The item of an iterator: the entry, or with its number.
    fn element_of(
        &mut self,
        elements: &Elements,
        pat: &syn::Pat,
        number: Expr,
        entry: Expr,
    ) -> (syn::Pat, Var, Expr) {
        if !elements.enumerated {
            return (pat.clone(), entry.ty, entry);
        }
        let ty = self.types.tuple(vec![number.ty, entry.ty]);
        let span = entry.span;
        let init = self.make(Kind::Tuple(vec![number, entry]), ty, span);
        (pat.clone(), ty, init)
    }

    /// A loop over the entries of a table or array; the body is read with the number of the entry and the entry.
    pub(super) fn each(
        &mut self,
        elements: &Elements,
        span: Span,
        body: impl FnOnce(&mut Self, Expr, Expr) -> (Block, LoopId),
    ) -> Option<Expr> {
        let mut stmts = Vec::new();
        let over = self.over(elements.of, span, &mut stmts)?;
        let zipped = match elements.zipped {
            Some(other) => Some(self.over(other, span, &mut stmts)?),
            None => None,
        };
        let usize = self.types.num(Num::Usize);
        let (counter, at) = self.temporary(usize, span);
        self.locals[counter].kind = LocalKind::Counter;
        let index = |reader: &Reader| {
            let kind = Kind::Local(counter, at.clone());
            reader.make(kind, usize, span)
        };
        let first = index(self);
        let mut entry = self.entry(&over, first, span);
        let mut end = self.count_over(&over);
        if let Some(zipped) = &zipped {
            // The shorter one ends it.
            end = match (end, self.count_over(zipped)) {
                (Kind::Int(a), Kind::Int(b)) if a == b || !elements.rev => Kind::Int(a.min(b)),
                _ => return None,
            };
            let second = index(self);
            let second = self.entry(zipped, second, span);
            let ty = self.types.tuple(vec![entry.ty, second.ty]);
            entry = self.make(Kind::Tuple(vec![entry, second]), ty, span);
        }
        let end = self.make(end, usize, span);
        let number = index(self);
        let (body, id) = self.scoped(|reader| body(reader, number, entry));
        let zero = self.make(Kind::Int(0), usize, span);
        let range = Range {
            start: Box::new(zero),
            end: Box::new(end),
            inclusive: false,
            rev: elements.rev,
            step: None,
        };
        let looped = Kind::For {
            counter: Some((counter, at)),
            range,
            body,
            id,
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

    /// What a loop goes over; an array of lanes is kept in a variable.
    fn over(&mut self, of: &syn::Expr, span: Span, stmts: &mut Vec<Stmt>) -> Option<Over> {
        if let syn::Expr::Array(array) = unparenthesized(of)
            && array.elems.iter().all(|e| self.is_constant(e))
        {
            let elem = self.types.fresh();
            let (local, name) = self.temporary(elem, span);
            self.locals[local].kind = LocalKind::Table;
            let table = self.entries(array, elem, local, name.clone());
            stmts.push(table);
            return Some(Over::Table(Table::Local(local, name), elem));
        }
        if let Some((table, elem)) = self.table(unparenthesized(of)) {
            return Some(Over::Table(table, elem));
        }
        let array = self.expr(of);
        let Some(Type::Array(elem, count)) = self.types.get(array.ty) else {
            return None;
        };
        let (let_, place) = self.kept(array, span);
        stmts.push(let_);
        Some(Over::Array(place, elem, count))
    }

    fn entry(&mut self, over: &Over, index: Expr, span: Span) -> Expr {
        match over {
            Over::Table(table, elem) => {
                self.make(Kind::Index(table.clone(), Box::new(index)), *elem, span)
            }
            Over::Array(place, elem, _) => {
                let array = self.place(place, span);
                self.make(Kind::At(Box::new(array), Box::new(index)), *elem, span)
            }
        }
    }

    /// How many entries there are.
    fn count_over(&mut self, over: &Over) -> Kind {
        let (known, table) = match over {
            Over::Array(_, _, count) => (Some(*count), None),
            Over::Table(Table::Local(local, name), _) => (
                self.locals[*local].entries,
                Some(Table::Local(*local, name.clone())),
            ),
            Over::Table(Table::Path(path), _) => (
                self.table_of(&path.path).and_then(|t| t.1),
                Some(Table::Path(path.clone())),
            ),
        };
        match (known.and_then(|n| i128::try_from(n).ok()), table) {
            (None, Some(table)) => Kind::Len(table),
            (known, _) => Kind::Int(known.unwrap_or(0)),
        }
    }

    /// `.fold(first, |sum, x| …)`, `.sum()` and `.product()` of the entries of a table or array.
    pub(super) fn folded(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let span = m.span();
        let (elements, mapped) = match unparenthesized(&m.receiver) {
            syn::Expr::MethodCall(inner) if inner.method == "map" && inner.args.len() == 1 => {
                (elements(&inner.receiver)?, Some(&inner.args[0]))
            }
            of => (elements(of)?, None),
        };
        let name = m.method.to_string();
        let (first, with): (syn::Expr, syn::Expr) = match (name.as_str(), m.args.len()) {
            ("fold", 2) => (m.args[0].clone(), m.args[1].clone()),
            _ => return None,
        };
        let first = self.expr(&first);
        let ty = first.ty;
        let (local, name) = self.temporary(ty, span);
        self.locals[local].assigned = true;
        let declared = Stmt::Let {
            pat: Pat::Name(local, name.clone()),
            ty,
            init: Some(first),
            span,
        };
        self.all_loops += 1;
        let id = self.all_loops;
        let mut fits = true;
        let looped = self.each(&elements, span, |reader, number, entry| {
            let any: syn::Pat = syn::parse_quote!(_);
            let (_, _, mut item) = reader.element_of(&elements, &any, number, entry);
            if let Some(mapped) = mapped {
                let kept = reader.make(Kind::Zero, item.ty, span);
                let value = std::mem::replace(&mut item, kept);
                match reader.applied_fn(mapped, vec![value]) {
                    Some(value) => item = value,
                    None => fits = false,
                }
            }
            let sum = reader.make(Kind::Local(local, name.clone()), ty, span);
            let new = match reader.applied_fn(&with, vec![sum, item]) {
                Some(new) => new,
                None => {
                    fits = false;
                    reader.make(Kind::Zero, ty, span)
                }
            };
            reader.types.unify(ty, new.ty);
            let assigned = Kind::Assign(Target::Local(name.clone()), Box::new(new));
            let assigned = reader.unit(assigned, span);
            let unit = reader.types.tuple(Vec::new());
            let block = Block {
                stmts: vec![Stmt::Expr(assigned)],
                value: None,
                ty: unit,
            };
            (block, id)
        })?;
        let value = self.make(Kind::Local(local, name.clone()), ty, span);
        fits.then(|| self.after(vec![declared, Stmt::Expr(looped)], value))
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

/// The entries that an iterator goes over.
pub(super) struct Elements<'e> {
    pub of: &'e syn::Expr,
    pub rev: bool,
    /// With their numbers.
    pub enumerated: bool,
    /// Beside those of another one.
    pub zipped: Option<&'e syn::Expr>,
}

/// What an iterator goes over: `T`, `&T`, `T.iter()`, and that reversed or numbered.
fn elements(expr: &syn::Expr) -> Option<Elements<'_>> {
    Some(match unparenthesized(expr) {
        syn::Expr::Reference(r) if r.mutability.is_none() => elements(&r.expr)?,
        syn::Expr::MethodCall(m) if m.args.is_empty() => {
            let mut inner = elements(&m.receiver)?;
            match m.method.to_string().as_str() {
                "iter" | "into_iter" | "copied" | "cloned" => {}
                // The numbers are those of the entries.
                "rev" if !inner.rev => inner.rev = true,
                "enumerate" if !inner.rev && !inner.enumerated => inner.enumerated = true,
                _ => return None,
            }
            inner
        }
        syn::Expr::MethodCall(m) if m.method == "zip" && m.args.len() == 1 => {
            let mut inner = elements(&m.receiver)?;
            let other = elements(&m.args[0])?;
            let plain = |e: &Elements| !e.rev && !e.enumerated && e.zipped.is_none();
            if !plain(&inner) || !plain(&other) {
                return None;
            }
            inner.zipped = Some(other.of);
            inner
        }
        syn::Expr::MethodCall(_) => return None,
        expr => Elements {
            of: expr,
            rev: false,
            enumerated: false,
            zipped: None,
        },
    })
}
