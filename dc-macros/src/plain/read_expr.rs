//! Expressions.

use super::outer::Outer;
use super::read::Reader;
use super::tree::{Block, Expr, Kind, LocalKind, Target};
use super::types::{Num, Type, Var};
use proc_macro2::Span;
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
