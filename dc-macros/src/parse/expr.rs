//! Expressions.

use super::{Parser, extent};
use crate::ast::{Expr, ExprKind, LocalKind, Table};
use crate::messages::Message;
use kernels_gen::ir::{BinOp, UnOp};
use proc_macro2::Span;
use quote::ToTokens as _;
use syn::spanned::Spanned as _;

impl Parser<'_> {
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Expr {
        match expr {
            syn::Expr::Paren(p) => {
                self.attrs(&p.attrs);
                let mut inner = self.expr(&p.expr);
                inner.first = p.paren_token.span.open();
                inner.last = p.paren_token.span.close();
                inner
            }
            syn::Expr::Group(g) => self.expr(&g.expr),
            syn::Expr::Lit(l) => {
                self.attrs(&l.attrs);
                self.literal(&l.lit, None)
            }
            syn::Expr::Path(p) => {
                self.attrs(&p.attrs);
                self.path(p)
            }
            syn::Expr::Unary(u) => {
                self.attrs(&u.attrs);
                self.unary(u)
            }
            syn::Expr::Binary(b) => {
                self.attrs(&b.attrs);
                self.binary(b)
            }
            syn::Expr::MethodCall(m) => {
                self.attrs(&m.attrs);
                self.method(m)
            }
            syn::Expr::Call(c) => {
                self.attrs(&c.attrs);
                self.call(c)
            }
            syn::Expr::Index(i) => {
                self.attrs(&i.attrs);
                let table = self.table(&i.expr, Message::IndexTarget);
                let index = self.expr(&i.index);
                let (first, last) = (extent(&i.expr).0, i.bracket_token.span.close());
                let kind = ExprKind::Index(table, Box::new(index));
                Expr::spanning(kind, first, first, last)
            }
            syn::Expr::Field(f) => {
                self.attrs(&f.attrs);
                self.field(f)
            }
            syn::Expr::Tuple(t) => {
                self.attrs(&t.attrs);
                let items = t.elems.iter().map(|e| self.expr(e)).collect();
                let first = t.paren_token.span.open();
                Expr::spanning(
                    ExprKind::Tuple(items),
                    first,
                    first,
                    t.paren_token.span.close(),
                )
            }
            syn::Expr::If(i) => {
                self.attrs(&i.attrs);
                self.if_(i)
            }
            syn::Expr::Block(b) => {
                self.attrs(&b.attrs);
                if let Some(label) = &b.label {
                    self.refuse(label, Message::Label);
                }
                let block = self.block(&b.block);
                let braces = b.block.brace_token.span;
                Expr::spanning(
                    ExprKind::Block(block),
                    braces.open(),
                    braces.open(),
                    braces.close(),
                )
            }
            expr => self.refused(expr),
        }
    }

    /// Expressions that kernels do not support, each with its own remedy.
    fn refused(&mut self, expr: &syn::Expr) -> Expr {
        use syn::Expr as E;
        let at = extent(expr).0;
        // The error is at the keyword or operator, if there is one, as in rustc's messages.
        match expr {
            E::Match(e) => self.refuse(&e.match_token, Message::Match),
            E::While(e) => self.refuse(&e.while_token, Message::While),
            E::Loop(e) => self.refuse(&e.loop_token, Message::Loop),
            E::ForLoop(e) => self.refuse(&e.for_token, Message::AssignValue),
            E::Break(e) => self.refuse(e, Message::Break),
            E::Continue(e) => self.refuse(e, Message::Continue),
            E::Return(e) => self.refuse(&e.return_token, Message::EarlyReturn),
            E::Try(e) => self.refuse(&e.question_token, Message::Try),
            E::Await(e) => self.refuse(&e.await_token, Message::Await),
            E::Async(e) => self.refuse(&e.async_token, Message::AsyncBlock),
            E::Unsafe(e) => {
                self.refuse(&e.unsafe_token, Message::UnsafeBlock);
                self.block(&e.block);
            }
            E::Const(e) => self.refuse(&e.const_token, Message::ConstBlock),
            E::Closure(e) => self.refuse(e, Message::Closure),
            E::Macro(e) => self.macro_value(&e.mac),
            E::Let(e) => self.refuse(&e.let_token, Message::IfLet),
            E::Range(e) => self.refuse(e, Message::RangeValue),
            E::Array(_) | E::Repeat(_) => self.refuse(expr, Message::Array),
            E::Assign(_) => self.refuse(expr, Message::AssignValue),
            E::Struct(e) => {
                let dd = e
                    .path
                    .segments
                    .last()
                    .is_some_and(|s| s.ident == "DcDoubleDouble");
                let hint = if dd {
                    "write `DcDoubleDouble::new(hi, lo)`"
                } else {
                    "use a tuple"
                };
                let hint = hint.to_string();
                self.refuse(&e.path, Message::StructLiteral { hint });
            }
            E::Reference(e) if e.mutability.is_some() => {
                self.refuse(e, Message::MutableReference);
            }
            E::Reference(e) => self.refuse(e, Message::Reference),
            E::Cast(e) => {
                self.expr(&e.expr);
                let hint = cast_hint(&e.ty);
                let tokens = [e.as_token.to_token_stream(), e.ty.to_token_stream()];
                let tokens: proc_macro2::TokenStream = tokens.into_iter().collect();
                self.refuse(&tokens, Message::Cast { hint });
            }
            _ => self.refuse(expr, Message::Other),
        }
        Expr::refused(at)
    }

    /// A macro in place of a value. If it never has a value, it can be removed; otherwise it must be written out.
    fn macro_value(&mut self, mac: &syn::Macro) {
        let never = ["todo", "unimplemented", "unreachable", "panic"];
        match mac.path.segments.last() {
            Some(last) if !never.iter().any(|n| last.ident == n) => {
                let name = mac.path.to_token_stream().to_string().replace(' ', "");
                self.refuse(&mac.path, Message::MacroValue { name });
            }
            _ => self.macro_call(mac),
        }
    }

    pub(super) fn macro_call(&mut self, mac: &syn::Macro) {
        let name = mac.path.to_token_stream().to_string().replace(' ', "");
        self.refuse(&mac.path, Message::MacroCall { name });
    }

    fn unary(&mut self, u: &syn::ExprUnary) -> Expr {
        let op = match &u.op {
            syn::UnOp::Neg(minus) => {
                if let syn::Expr::Lit(l) = ungroup(&u.expr) {
                    return self.literal(&l.lit, Some(minus.span()));
                }
                UnOp::Neg
            }
            syn::UnOp::Not(_) => UnOp::Not,
            op => {
                if !self.expr(&u.expr).is_refused() {
                    self.refuse(op, Message::Deref);
                }
                return Expr::refused(op.span());
            }
        };
        let inner = self.expr(&u.expr);
        if inner.is_refused() {
            return inner;
        }
        let (at, last) = (u.op.span(), inner.last);
        Expr::spanning(ExprKind::Unary(op, Box::new(inner)), at, at, last)
    }

    fn binary(&mut self, b: &syn::ExprBinary) -> Expr {
        let at = b.op.span();
        let left = self.expr(&b.left);
        let right = if let syn::BinOp::And(_) | syn::BinOp::Or(_) = &b.op {
            // With constants the right side may not be evaluated; with masks it always is.
            self.scope.enter_arm();
            let right = self.expr(&b.right);
            if !self.scope.leave_arm().is_empty() {
                self.refuse(&b.right, Message::AssignInCondition);
            }
            right
        } else {
            self.expr(&b.right)
        };
        let Some(op) = operator(&b.op) else {
            self.refuse(&b.op, Message::AssignValue);
            return Expr::refused(at);
        };
        if !matches!(op, BinOp::Shl | BinOp::Shr) && self.mixed(&b.op, &[&left, &right]) {
            return Expr::refused(at);
        }
        let (first, last) = (left.first, right.last);
        Expr::spanning(
            ExprKind::Binary(op, Box::new(left), Box::new(right)),
            at,
            first,
            last,
        )
    }

    fn field(&mut self, f: &syn::ExprField) -> Expr {
        let base = self.expr(&f.base);
        if base.is_refused() {
            return base;
        }
        let (first, last) = (base.first, f.member.span());
        let number = match &f.member {
            syn::Member::Unnamed(index) => index.index,
            syn::Member::Named(name) if name == "hi" => 0,
            syn::Member::Named(name) if name == "lo" => 1,
            syn::Member::Named(name) => {
                let name = name.to_string();
                self.refuse(&f.member, Message::UnknownField { name });
                return Expr::refused(last);
            }
        };
        let kind = ExprKind::Field(Box::new(base), number, f.member.clone());
        Expr::spanning(kind, last, first, last)
    }

    // --- tables

    /// The expression before `[…]` or `.len()`.
    pub(super) fn table(&mut self, expr: &syn::Expr, otherwise: Message) -> Table {
        match expr {
            syn::Expr::Paren(p) => self.table(&p.expr, otherwise),
            syn::Expr::Group(g) => self.table(&g.expr, otherwise),
            syn::Expr::Path(path) => match self.local(path) {
                Some((local, name)) if self.scope.info(local).kind == LocalKind::Table => {
                    Table::Param(local, name)
                }
                Some((local, _)) => {
                    if self.scope.info(local).kind != LocalKind::Refused {
                        self.refuse(expr, otherwise);
                    }
                    Table::Refused
                }
                None => Table::Path(path.clone()),
            },
            _ => {
                self.refuse(expr, otherwise);
                Table::Refused
            }
        }
    }

    /// Whether it is a path that may name a table.
    pub(super) fn names_table(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Paren(p) => self.names_table(&p.expr),
            syn::Expr::Group(g) => self.names_table(&g.expr),
            syn::Expr::Path(path) => self.local(path).is_none_or(|(local, _)| {
                let kind = self.scope.info(local).kind;
                matches!(kind, LocalKind::Table | LocalKind::Refused)
            }),
            _ => false,
        }
    }

    /// An argument of a kernel, the only place for `&TABLE` and for passing on a table parameter.
    pub(super) fn argument(&mut self, expr: &syn::Expr) -> Expr {
        match expr {
            syn::Expr::Group(g) => self.argument(&g.expr),
            syn::Expr::Reference(r) if r.mutability.is_none() => {
                self.attrs(&r.attrs);
                let (first, last) = extent(r);
                if let Some(entries) = entries(&r.expr) {
                    self.refuse(r, Message::InlineTable { entries });
                    return Expr::refused(first);
                }
                if !self.names_table(&r.expr) {
                    self.refuse(r, Message::Reference);
                    return Expr::refused(first);
                }
                let table = self.table(&r.expr, Message::Reference);
                let kind = ExprKind::TableArg(r.and_token, table);
                Expr::spanning(kind, first, first, last)
            }
            syn::Expr::Path(path) => match self.local(path) {
                Some((local, name)) if self.scope.info(local).kind == LocalKind::Table => {
                    Expr::new(ExprKind::Local(local, name.clone()), name.span())
                }
                _ => self.expr(expr),
            },
            _ => self.expr(expr),
        }
    }
}

/// The number of entries of an array literal.
fn entries(expr: &syn::Expr) -> Option<String> {
    match ungroup(expr) {
        syn::Expr::Array(a) => Some(a.elems.len().to_string()),
        syn::Expr::Repeat(r) => Some(r.len.to_token_stream().to_string()),
        _ => None,
    }
}

/// The expression without the invisible delimiters around a macro's argument.
fn ungroup(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Group(g) => ungroup(&g.expr),
        expr => expr,
    }
}

fn operator(op: &syn::BinOp) -> Option<BinOp> {
    Some(match op {
        syn::BinOp::Add(_) => BinOp::Add,
        syn::BinOp::Sub(_) => BinOp::Sub,
        syn::BinOp::Mul(_) => BinOp::Mul,
        syn::BinOp::Div(_) => BinOp::Div,
        syn::BinOp::Rem(_) => BinOp::Rem,
        syn::BinOp::And(_) => BinOp::AndAlso,
        syn::BinOp::Or(_) => BinOp::OrElse,
        syn::BinOp::BitXor(_) => BinOp::Xor,
        syn::BinOp::BitAnd(_) => BinOp::And,
        syn::BinOp::BitOr(_) => BinOp::Or,
        syn::BinOp::Shl(_) => BinOp::Shl,
        syn::BinOp::Shr(_) => BinOp::Shr,
        syn::BinOp::Eq(_) => BinOp::Eq,
        syn::BinOp::Lt(_) => BinOp::Lt,
        syn::BinOp::Le(_) => BinOp::Le,
        syn::BinOp::Ne(_) => BinOp::Ne,
        syn::BinOp::Ge(_) => BinOp::Ge,
        syn::BinOp::Gt(_) => BinOp::Gt,
        _ => return None,
    })
}

fn cast_hint(ty: &syn::Type) -> String {
    let name = ty.to_token_stream().to_string();
    match name.as_str() {
        "f64" => "write `.to_f64()`",
        "f32" => "write `.to_f32()`",
        "i64" => "write `.to_i64()`; it saturates",
        "i32" => "write `.to_i32()`; it saturates from floats and keeps the low bits of integers",
        "u64" | "u32" => {
            "write `.to_i64()` or `.to_i32()`; lanes are signed, and `.shr_logical(n)` shifts in zeros"
        }
        "usize" => "index with the lanes themselves: `TABLE[lanes]`",
        _ => "there are `.to_f64()`, `.to_f32()`, `.to_i64()` and `.to_i32()`",
    }
    .to_string()
}

/// The span of a name, for errors without a better one.
pub(super) fn span_of(path: &syn::Path) -> Span {
    path.segments
        .last()
        .map_or_else(|| path.span(), |s| s.ident.span())
}
