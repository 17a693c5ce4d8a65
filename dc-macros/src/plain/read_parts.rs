//! Values of several parts: structures, arrays and `Option`.

use super::read::{Reader, member_text};
use super::read_expr::unparenthesized;
use super::tree::{Block, Expr, Kind, Stmt, Table};
use super::types::{Num, Type, Var};
use proc_macro2::Span;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;

impl Reader {
    /// The place of a field among the parts, their number, and its type.
    pub(super) fn part_named(&self, ty: Var, member: &syn::Member) -> Option<(usize, usize, Var)> {
        let name = member_text(member);
        let n = match self.types.get(ty)? {
            Type::Struct(known, _) => known.names.iter().position(|n| *n == name)?,
            Type::Tuple(_) => name.parse().ok()?,
            _ => return None,
        };
        let parts = self.types.parts(ty)?;
        Some((n, parts.len(), *parts.get(n)?))
    }

    pub(super) fn field(&mut self, base: Expr, member: &syn::Member, span: Span) -> Expr {
        match self.part_named(base.ty, member) {
            Some((n, count, ty)) => self.make(Kind::Part(Box::new(base), n, count), ty, span),
            None => {
                let ty = self.types.external();
                self.make(Kind::Field(Box::new(base), member.clone()), ty, span)
            }
        }
    }

    /// One of the parts.
    pub(super) fn part(&self, base: Expr, n: usize) -> Expr {
        let parts = self.types.parts(base.ty).unwrap_or_default();
        let span = base.span;
        let (ty, count) = (parts[n], parts.len());
        self.make(Kind::Part(Box::new(base), n, count), ty, span)
    }

    /// `[a, b, c]`
    pub(super) fn array(
        &mut self,
        elems: &Punctuated<syn::Expr, syn::Token![,]>,
        whole: &syn::Expr,
    ) -> Expr {
        if elems.is_empty() {
            return self.other(whole);
        }
        let elem = self.types.fresh();
        let mut parts = Vec::new();
        for e in elems {
            let part = self.expr(e);
            self.types.unify(elem, part.ty);
            parts.push(part);
        }
        let ty = self.types.known(Type::Array(elem, parts.len()));
        self.make(Kind::Tuple(parts), ty, whole.span())
    }

    /// `[value; count]`
    pub(super) fn repeat(&mut self, r: &syn::ExprRepeat) -> Expr {
        let whole = || syn::Expr::Repeat(r.clone());
        let count = self.length(&r.len).and_then(|n| usize::try_from(n).ok());
        let Some(count @ 1..=64) = count else {
            return self.other(&whole());
        };
        let span = r.span();
        let value = self.expr(&r.expr);
        let elem = value.ty;
        let ty = self.types.known(Type::Array(elem, count));
        let (let_, place) = self.kept(value, span);
        let parts = (0..count).map(|_| self.place(&place, span)).collect();
        let value = self.make(Kind::Tuple(parts), ty, span);
        self.after(vec![let_], value)
    }

    /// `{ stmts; value }`
    pub(super) fn after(&self, stmts: Vec<Stmt>, value: Expr) -> Expr {
        let (ty, span) = (value.ty, value.span);
        let value = Some(Box::new(value));
        self.make(Kind::Block(Block { stmts, value, ty }), ty, span)
    }

    /// `Point { x, y: 0.0, ..base }`: the values, in the order in which they are written.
    pub(super) fn structure(&mut self, s: &syn::ExprStruct) -> Expr {
        let whole = || syn::Expr::Struct(s.clone());
        let path = &s.path;
        let ty = self.ty(&syn::parse_quote!(#path));
        let Some(Type::Struct(known, vars)) = self.types.get(ty) else {
            return self.other(&whole());
        };
        let span = s.span();
        let mut stmts = Vec::new();
        let mut parts: Vec<Option<Expr>> = vars.iter().map(|_| None).collect();
        for field in &s.fields {
            let name = member_text(&field.member);
            let Some(n) = known.names.iter().position(|k| *k == name) else {
                return self.other(&whole());
            };
            let value = self.expr(&field.expr);
            self.types.unify(vars[n], value.ty);
            let (let_, place) = self.kept(value, field.span());
            stmts.push(let_);
            parts[n] = Some(self.place(&place, field.span()));
        }
        if let Some(rest) = &s.rest {
            let rest = self.expr(rest);
            self.types.unify(ty, rest.ty);
            let (let_, place) = self.kept(rest, span);
            stmts.push(let_);
            for (n, part) in parts.iter_mut().enumerate() {
                if part.is_none() {
                    let base = self.place(&place, span);
                    *part = Some(self.part(base, n));
                }
            }
        }
        let Some(parts) = parts.into_iter().collect() else {
            return self.other(&whole());
        };
        let value = self.make(Kind::Tuple(parts), ty, span);
        self.after(stmts, value)
    }

    /// All entries of a table, as an array of lanes.
    pub(super) fn entries_of(
        &mut self,
        table: &Table,
        elem: Var,
        count: usize,
        span: Span,
    ) -> Expr {
        let usize = self.types.num(Num::Usize);
        let parts = (0..count).map(|n| {
            let n = self.make(Kind::Int(i128::try_from(n).unwrap_or(0)), usize, span);
            self.make(Kind::Index(table.clone(), Box::new(n)), elem, span)
        });
        let parts = parts.collect();
        let ty = self.types.known(Type::Array(elem, count));
        self.make(Kind::Tuple(parts), ty, span)
    }

    // --- `Option`

    /// `Some(value)`, or `None` if a condition does not hold.
    pub(super) fn some_if(&mut self, cond: Option<Expr>, value: Expr) -> Expr {
        let span = value.span;
        let ty = self.types.option(value.ty);
        let bool = self.types.num(Num::Bool);
        let Some(cond) = cond else {
            let yes = self.make(Kind::Bool(true), bool, span);
            return self.make(Kind::Tuple(vec![yes, value]), ty, span);
        };
        let elem = value.ty;
        let (let_, place) = self.kept(cond, span);
        let zero = self.make(Kind::Zero, elem, span);
        let (then, otherwise) = (self.block_of(value), self.block_of(zero));
        let cond = self.place(&place, span);
        let chosen = self.choice(cond, then, Some(otherwise), span);
        let cond = self.place(&place, span);
        let value = self.make(Kind::Tuple(vec![cond, chosen]), ty, span);
        self.after(vec![let_], value)
    }

    /// `value?`: if there is no value, the function ends without one.
    pub(super) fn try_(&mut self, t: &syn::ExprTry) -> Expr {
        let span = t.span();
        let value = self.expr(&t.expr);
        let Some(Type::Option(..)) = self.types.get(value.ty) else {
            return self.other(&syn::Expr::Try(t.clone()));
        };
        let (let_, place) = self.kept(value, span);
        let whole = self.place(&place, span);
        let some = self.part(whole, 0);
        let bool = some.ty;
        let not = self.make(Kind::Not(Box::new(some)), bool, span);
        let none = self.expr(&syn::parse_quote!(None));
        let ret = self.ret;
        self.types.unify(ret, none.ty);
        let never = self.types.fresh();
        let left = self.make(Kind::Return(Some(Box::new(none))), never, span);
        let left = self.block_of(left);
        let left = self.choice(not, left, None, span);
        let whole = self.place(&place, span);
        let value = self.part(whole, 1);
        self.after(vec![let_, Stmt::Expr(left)], value)
    }

    /// A method of an `Option`.
    pub(super) fn option_method(&mut self, m: &syn::ExprMethodCall, receiver: Expr) -> Expr {
        let span = m.method.span();
        let Some(Type::Option(_, inner)) = self.types.get(receiver.ty) else {
            return receiver;
        };
        let (let_, place) = self.kept(receiver, span);
        let some = |reader: &Reader| {
            let whole = reader.place(&place, span);
            reader.part(whole, 0)
        };
        let value = |reader: &Reader| {
            let whole = reader.place(&place, span);
            reader.part(whole, 1)
        };
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        let read = match (name.as_str(), &args[..]) {
            ("is_some", []) => some(self),
            ("is_none", []) => {
                let some = some(self);
                let bool = some.ty;
                self.make(Kind::Not(Box::new(some)), bool, span)
            }
            // If there is no value, the function panics.
            ("unwrap" | "unwrap_unchecked", []) | ("expect", [_]) => value(self),
            ("copied" | "cloned" | "as_ref" | "ok", []) => self.place(&place, span),
            ("unwrap_or", [other]) => {
                let other = self.expr(other);
                let (some, value) = (some(self), value(self));
                self.types.unify(inner, other.ty);
                self.selected(some, value, other, span)
            }
            ("or", [other]) => {
                let other = self.expr(other);
                let (some, whole) = (some(self), self.place(&place, span));
                self.types.unify(whole.ty, other.ty);
                self.selected(some, whole, other, span)
            }
            ("unwrap_or_default", []) => {
                let zero = self.make(Kind::Zero, inner, span);
                let (some, value) = (some(self), value(self));
                self.selected(some, value, zero, span)
            }
            ("unwrap_or_else", [other]) => {
                let Some(other) = self.applied_fn(other, Vec::new()) else {
                    return self.other(&syn::Expr::MethodCall(m.clone()));
                };
                let (some, value) = (some(self), value(self));
                self.types.unify(inner, other.ty);
                self.selected(some, value, other, span)
            }
            ("map" | "and_then" | "is_some_and" | "is_none_or", [with]) => {
                let (some, value) = (some(self), value(self));
                let Some(mapped) = self.applied_fn(with, vec![value]) else {
                    return self.other(&syn::Expr::MethodCall(m.clone()));
                };
                let bool = self.types.num(Num::Bool);
                match name.as_str() {
                    "map" => self.some_if(Some(some), mapped),
                    "and_then" => {
                        let none = self.expr(&syn::parse_quote!(None));
                        self.types.unify(none.ty, mapped.ty);
                        self.selected(some, mapped, none, span)
                    }
                    "is_some_and" => {
                        let no = self.make(Kind::Bool(false), bool, span);
                        self.selected(some, mapped, no, span)
                    }
                    _ => {
                        let yes = self.make(Kind::Bool(true), bool, span);
                        self.selected(some, mapped, yes, span)
                    }
                }
            }
            _ => return self.other(&syn::Expr::MethodCall(m.clone())),
        };
        self.after(vec![let_], read)
    }

    pub(super) fn selected(&mut self, cond: Expr, then: Expr, otherwise: Expr, span: Span) -> Expr {
        let (then, otherwise) = (self.block_of(then), self.block_of(otherwise));
        self.choice(cond, then, Some(otherwise), span)
    }

    // --- closures

    /// The body of a closure that does not return early, with values for its parameters.
    fn applied(&mut self, closure: &syn::ExprClosure, args: Vec<Expr>) -> Expr {
        self.scoped(|reader| {
            let mut stmts = Vec::new();
            for (pat, arg) in closure.inputs.iter().zip(args) {
                let ty = arg.ty;
                let span = arg.span;
                let pat = reader.pattern(pat, ty);
                stmts.push(Stmt::Let {
                    pat,
                    ty,
                    init: Some(arg),
                    span,
                });
            }
            let value = reader.expr(&closure.body);
            reader.after(stmts, value)
        })
    }

    /// A closure with parameters, or the name of a function, applied.
    pub(super) fn applied_fn(&mut self, with: &syn::Expr, args: Vec<Expr>) -> Option<Expr> {
        match unparenthesized(with) {
            syn::Expr::Closure(c) if c.inputs.len() == args.len() && !leaves(c) => {
                Some(self.applied(c, args))
            }
            syn::Expr::Path(path) => Some(self.call_of(path, args)),
            _ => None,
        }
    }
}

/// Whether a closure returns early, which ends the closure and not the surrounding function.
fn leaves(closure: &syn::ExprClosure) -> bool {
    struct Leaves(bool);
    impl<'ast> syn::visit::Visit<'ast> for Leaves {
        fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
            self.0 = true;
        }
    }
    let mut leaves = Leaves(false);
    syn::visit::Visit::visit_expr(&mut leaves, &closure.body);
    leaves.0
}
