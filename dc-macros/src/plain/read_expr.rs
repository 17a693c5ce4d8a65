//! Expressions.

use super::outer::Outer;
use super::read::Reader;
use super::tree::{Block, Expr, Kind, Local, LocalKind, Range, Stmt, Table, Target};
use super::types::{Num, Type, Var};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned as _;

impl Reader {
    pub(super) fn make(&self, kind: Kind, ty: Var, span: Span) -> Expr {
        Expr { kind, ty, span }
    }

    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Expr {
        let span = expr.span();
        match expr {
            syn::Expr::Paren(p) => self.expr(&p.expr),
            syn::Expr::Group(g) => self.expr(&g.expr),
            syn::Expr::Lit(l) => self.literal(&l.lit),
            syn::Expr::Path(p) => self.path(p),
            syn::Expr::Unary(u) => self.unary(u),
            syn::Expr::Binary(b) => self.binary(b),
            syn::Expr::MethodCall(m) => self.method(m),
            syn::Expr::Call(c) => self.call(c),
            syn::Expr::Index(i) => self.index(&i.expr, &i.index, expr),
            syn::Expr::Field(f) => {
                let base = self.expr(&f.base);
                let ty = match (&f.member, self.types.get(base.ty)) {
                    (syn::Member::Unnamed(n), Some(Type::Tuple(items))) => {
                        items.get(n.index as usize).copied()
                    }
                    _ => None,
                };
                let ty = ty.unwrap_or_else(|| self.types.external());
                self.make(Kind::Field(Box::new(base), f.member.clone()), ty, span)
            }
            syn::Expr::Tuple(t) => {
                let items: Vec<Expr> = t.elems.iter().map(|e| self.expr(e)).collect();
                let ty = self.types.tuple(items.iter().map(|e| e.ty).collect());
                self.make(Kind::Tuple(items), ty, span)
            }
            syn::Expr::Cast(c) => {
                let from = self.expr(&c.expr);
                let ty = self.ty(&c.ty);
                self.make(Kind::Cast(Box::new(from), c.ty.clone()), ty, span)
            }
            syn::Expr::If(i) => self.if_(i),
            syn::Expr::Match(m) => self.match_(m),
            syn::Expr::Block(b) if b.label.is_none() => self.block_expr(&b.block, span),
            syn::Expr::Unsafe(u) => self.block_expr(&u.block, span),
            syn::Expr::Const(c) => self.block_expr(&c.block, span),
            syn::Expr::Assign(a) => {
                let value = self.expr(&a.right);
                let target = self.target(&a.left, value.ty);
                self.unit(Kind::Assign(target, Box::new(value)), span)
            }
            syn::Expr::ForLoop(f) => self.for_(f),
            syn::Expr::Return(r) => {
                let value = r.expr.as_ref().map(|e| Box::new(self.expr(e)));
                if let Some(value) = &value {
                    self.types.unify(self.ret, value.ty);
                }
                let ty = self.types.fresh();
                self.make(Kind::Return(value), ty, span)
            }
            syn::Expr::While(w) if w.label.is_none() && !is_let(&w.cond) => match self.limit {
                Some(limit) => {
                    let cond = self.expr(&w.cond);
                    let body = self.loop_body(&w.body, None);
                    let kind = Kind::Loop(Some(Box::new(cond)), body, limit);
                    self.unit(kind, w.while_token.span)
                }
                None => self.other(expr),
            },
            syn::Expr::Loop(l) if l.label.is_none() => match self.limit {
                Some(limit) => self.loop_(l, limit),
                None => self.other(expr),
            },
            syn::Expr::Break(b) if b.label.is_none() => self.break_(b),
            syn::Expr::Continue(c) if c.label.is_none() => {
                let ty = self.types.fresh();
                self.make(Kind::Continue, ty, span)
            }
            syn::Expr::Macro(m) => match self.macro_call(&m.mac) {
                Some(expr) => expr,
                None => self.empty(span),
            },
            other => self.other(other),
        }
    }

    pub(super) fn unit(&mut self, kind: Kind, span: Span) -> Expr {
        let ty = self.types.tuple(Vec::new());
        self.make(kind, ty, span)
    }

    /// `{}`
    fn empty(&mut self, span: Span) -> Expr {
        let ty = self.types.tuple(Vec::new());
        let (stmts, value) = (Vec::new(), None);
        self.make(Kind::Block(Block { stmts, value, ty }), ty, span)
    }

    fn block_expr(&mut self, block: &syn::Block, span: Span) -> Expr {
        let block = self.block(block);
        let ty = block.ty;
        self.make(Kind::Block(block), ty, span)
    }

    /// A literal; those of the language's other types are left to the kernel's parser.
    pub(super) fn literal(&mut self, lit: &syn::Lit) -> Expr {
        let (digits, suffix, float) = match lit {
            syn::Lit::Float(f) => (f.base10_digits(), f.suffix(), true),
            syn::Lit::Int(i) => (i.base10_digits(), i.suffix(), false),
            syn::Lit::Bool(b) => {
                let ty = self.types.num(Num::Bool);
                return self.make(Kind::Bool(b.value), ty, lit.span());
            }
            _ => return self.other(&syn::parse_quote!(#lit)),
        };
        let num = Num::named(suffix);
        let float = float || num.is_some_and(Num::is_float);
        let kind = match digits.parse() {
            _ if float => Kind::Float(digits.to_string()),
            Ok(n) if suffix.is_empty() || num.is_some() => Kind::Int(n),
            _ => return self.other(&syn::parse_quote!(#lit)),
        };
        let ty = match num {
            Some(num) => self.types.num(num),
            None => self.types.literal(float),
        };
        self.make(kind, ty, lit.span())
    }

    fn path(&mut self, path: &syn::ExprPath) -> Expr {
        let span = path.span();
        if let Some((local, name)) = self.local(path) {
            let ty = self.locals[local].ty;
            return match self.locals[local].kind {
                LocalKind::Table => self.other(&syn::Expr::Path(path.clone())),
                _ => self.make(Kind::Local(local, name), ty, span),
            };
        }
        let ty = match self.outer(&path.path) {
            Some(Outer::Const(num)) => self.types.num(num),
            _ => self.types.external(),
        };
        self.make(Kind::Path(path.clone()), ty, span)
    }

    fn unary(&mut self, u: &syn::ExprUnary) -> Expr {
        let span = u.span();
        match &u.op {
            syn::UnOp::Neg(_) => {
                let a = self.expr(&u.expr);
                let ty = a.ty;
                self.make(Kind::Neg(Box::new(a)), ty, span)
            }
            syn::UnOp::Not(_) => {
                let a = self.expr(&u.expr);
                let ty = a.ty;
                self.make(Kind::Not(Box::new(a)), ty, span)
            }
            // `*TABLE.get_unchecked(i)`, and `*c` of an entry that a loop has by reference
            _ => match unparenthesized(&u.expr) {
                syn::Expr::Path(p) if self.local(p).is_some() => self.path(p),
                syn::Expr::MethodCall(m) if m.method == "get_unchecked" && m.args.len() == 1 => {
                    let whole = syn::Expr::Unary(u.clone());
                    self.index(&m.receiver, &m.args[0], &whole)
                }
                _ => self.other(&syn::Expr::Unary(u.clone())),
            },
        }
    }

    fn binary(&mut self, b: &syn::ExprBinary) -> Expr {
        use syn::BinOp as B;
        let span = b.span();
        if let Some(op) = compound(&b.op) {
            let left = self.expr(&b.left);
            let right = self.expr(&b.right);
            let ty = left.ty;
            if !matches!(op, B::Shl(_) | B::Shr(_)) {
                self.types.unify(ty, right.ty);
            }
            let kind = Kind::Binary(op, Box::new(left), Box::new(right));
            let value = self.make(kind, ty, span);
            let target = self.target(&b.left, ty);
            return self.unit(Kind::Assign(target, Box::new(value)), span);
        }
        let (left, right) = (self.expr(&b.left), self.expr(&b.right));
        let ty = match &b.op {
            B::Shl(_) | B::Shr(_) => left.ty,
            B::Lt(_) | B::Le(_) | B::Gt(_) | B::Ge(_) | B::Eq(_) | B::Ne(_) => {
                self.types.unify(left.ty, right.ty);
                self.types.num(Num::Bool)
            }
            B::And(_) | B::Or(_) => {
                let ty = self.types.num(Num::Bool);
                self.types.unify(ty, left.ty);
                self.types.unify(ty, right.ty);
                ty
            }
            _ => {
                self.types.unify(left.ty, right.ty);
                left.ty
            }
        };
        let kind = Kind::Binary(b.op, Box::new(left), Box::new(right));
        self.make(kind, ty, span)
    }

    fn target(&mut self, left: &syn::Expr, ty: Var) -> Target {
        match left {
            syn::Expr::Paren(p) => self.target(&p.expr, ty),
            syn::Expr::Group(g) => self.target(&g.expr, ty),
            syn::Expr::Infer(_) => Target::Wild,
            syn::Expr::Tuple(t) => {
                let items: Vec<Var> = t.elems.iter().map(|_| self.types.fresh()).collect();
                let whole = self.types.tuple(items.clone());
                self.types.unify(whole, ty);
                let parts = t.elems.iter().zip(items);
                Target::Tuple(parts.map(|(e, ty)| self.target(e, ty)).collect())
            }
            syn::Expr::Path(path) => match self.local(path) {
                Some((local, name)) => {
                    self.types.unify(self.locals[local].ty, ty);
                    self.locals[local].assigned = true;
                    Target::Local(name)
                }
                None => Target::Other(left.clone()),
            },
            _ => Target::Other(left.clone()),
        }
    }

    // --- tables

    /// `let name = [constants];`: a table of the kernel.
    pub(super) fn local_table(&mut self, local: &syn::Local) -> Option<Stmt> {
        let (pat, written) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let syn::Pat::Ident(name) = pat else {
            return None;
        };
        let init = local.init.as_ref().filter(|i| i.diverge.is_none())?;
        let syn::Expr::Array(array) = unparenthesized(&init.expr) else {
            return None;
        };
        let plain = name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none();
        if !plain || !array.elems.iter().all(|e| self.is_constant(e)) {
            return None;
        }
        let elem = match written {
            Some(syn::Type::Array(a)) => self.ty(&a.elem),
            _ => self.types.fresh(),
        };
        let table = self.declare(&name.ident, elem, LocalKind::Table);
        Some(self.entries(array, elem, table, name.ident.clone()))
    }

    fn entries(&mut self, array: &syn::ExprArray, elem: Var, local: Local, name: Ident) -> Stmt {
        for entry in &array.elems {
            let entry = self.expr(entry);
            self.types.unify(elem, entry.ty);
        }
        let entries = array.clone();
        Stmt::Table {
            name,
            elem,
            entries,
            local,
        }
    }

    /// Whether rustc can compute it before the function runs.
    fn is_constant(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Lit(_) => true,
            syn::Expr::Paren(p) => self.is_constant(&p.expr),
            syn::Expr::Group(g) => self.is_constant(&g.expr),
            syn::Expr::Unary(u) => self.is_constant(&u.expr),
            syn::Expr::Binary(b) => self.is_constant(&b.left) && self.is_constant(&b.right),
            syn::Expr::Cast(c) => self.is_constant(&c.expr),
            syn::Expr::Path(p) => self.local(p).is_none(),
            _ => false,
        }
    }

    /// The array before `[…]` or `.len()`.
    pub(super) fn table(&mut self, expr: &syn::Expr) -> Option<(Table, Var)> {
        let syn::Expr::Path(path) = unparenthesized(expr) else {
            return None;
        };
        if let Some((local, name)) = self.local(path) {
            let info = &self.locals[local];
            return (info.kind == LocalKind::Table).then_some((Table::Local(local, name), info.ty));
        }
        let elem = match self.outer(&path.path) {
            Some(Outer::Table(num)) => self.types.num(num),
            _ => self.types.external(),
        };
        Some((Table::Path(path.clone()), elem))
    }

    fn index(&mut self, of: &syn::Expr, index: &syn::Expr, whole: &syn::Expr) -> Expr {
        let Some((table, elem)) = self.table(of) else {
            return self.other(whole);
        };
        let index = self.expr(index);
        let usize = self.types.num(Num::Usize);
        self.types.unify(usize, index.ty);
        self.make(Kind::Index(table, Box::new(index)), elem, whole.span())
    }

    // --- loops

    fn loop_body(&mut self, body: &syn::Block, value: Option<(Local, Ident)>) -> Block {
        self.values.push(value);
        let body = self.block(body);
        self.values.pop();
        body
    }

    /// `loop`, whose value is a variable that each `break` assigns.
    fn loop_(&mut self, l: &syn::ExprLoop, limit: u32) -> Expr {
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
            pat: super::tree::Pat::Name(local, name.clone()),
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

    fn break_(&mut self, b: &syn::ExprBreak) -> Expr {
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

    fn for_(&mut self, f: &syn::ExprForLoop) -> Expr {
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
                pat: super::tree::Pat::Name(local, name.ident.clone()),
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

    // --- macros

    /// A macro: checks vanish, and `matches!` is a condition.
    pub(super) fn macro_call(&mut self, mac: &syn::Macro) -> Option<Expr> {
        let name = mac.path.segments.last().map(|s| s.ident.to_string())?;
        match name.as_str() {
            "debug_assert" | "debug_assert_eq" | "debug_assert_ne" | "assert" | "assert_eq"
            | "assert_ne" | "force_eval" => None,
            "matches" => Some(match mac.parse_body_with(matches_of) {
                Ok((scrutinee, pat, guard)) => {
                    self.matches(&scrutinee, &pat, guard.as_ref(), mac.span())
                }
                Err(_) => self.other_macro(mac),
            }),
            _ => Some(self.other_macro(mac)),
        }
    }

    fn other_macro(&mut self, mac: &syn::Macro) -> Expr {
        let mac = syn::ExprMacro {
            attrs: Vec::new(),
            mac: mac.clone(),
        };
        self.other(&syn::Expr::Macro(mac))
    }
}

/// `expression, pattern if guard`
fn matches_of(
    input: syn::parse::ParseStream,
) -> syn::Result<(syn::Expr, syn::Pat, Option<syn::Expr>)> {
    let scrutinee = input.parse()?;
    input.parse::<syn::Token![,]>()?;
    let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
    let guard = if input.peek(syn::Token![if]) {
        input.parse::<syn::Token![if]>()?;
        Some(input.parse()?)
    } else {
        None
    };
    input.parse::<Option<syn::Token![,]>>()?;
    Ok((scrutinee, pat, guard))
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

fn is_let(cond: &syn::Expr) -> bool {
    matches!(unparenthesized(cond), syn::Expr::Let(_))
}

/// The expression without parentheses and the invisible delimiters around a macro's argument.
pub(super) fn unparenthesized(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Group(g) => unparenthesized(&g.expr),
        syn::Expr::Paren(p) => unparenthesized(&p.expr),
        expr => expr,
    }
}

/// The operator of a compound assignment, at its place.
fn compound(op: &syn::BinOp) -> Option<syn::BinOp> {
    use syn::BinOp as B;
    let span = op.span();
    Some(match op {
        B::AddAssign(_) => B::Add(syn::Token![+](span)),
        B::SubAssign(_) => B::Sub(syn::Token![-](span)),
        B::MulAssign(_) => B::Mul(syn::Token![*](span)),
        B::DivAssign(_) => B::Div(syn::Token![/](span)),
        B::RemAssign(_) => B::Rem(syn::Token![%](span)),
        B::BitAndAssign(_) => B::BitAnd(syn::Token![&](span)),
        B::BitOrAssign(_) => B::BitOr(syn::Token![|](span)),
        B::BitXorAssign(_) => B::BitXor(syn::Token![^](span)),
        B::ShlAssign(_) => B::Shl(syn::Token![<<](span)),
        B::ShrAssign(_) => B::Shr(syn::Token![>>](span)),
        _ => return None,
    })
}
