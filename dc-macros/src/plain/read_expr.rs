//! Expressions.

use super::outer::{self, Outer};
use super::read::Reader;
use super::shape::variant_of_std;
use super::tree::{Block, Expr, Kind, Local, LocalKind, Step, Table, Target};
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
                self.field(base, &f.member, span)
            }
            syn::Expr::Tuple(t) => {
                let items: Vec<Expr> = t.elems.iter().map(|e| self.expr(e)).collect();
                let ty = self.types.tuple(items.iter().map(|e| e.ty).collect());
                self.make(Kind::Tuple(items), ty, span)
            }
            syn::Expr::Array(a) => self.array(&a.elems, expr),
            syn::Expr::Repeat(r) => self.repeat(r),
            syn::Expr::Struct(s) => self.structure(s),
            // A reference to a value is the value: nothing changes the value while the reference exists.
            syn::Expr::Reference(r) if r.mutability.is_none() => self.expr(&r.expr),
            syn::Expr::Try(t) => self.try_(t),
            syn::Expr::Cast(c) => {
                if let Some(high) = self.upper_product(c) {
                    return high;
                }
                let from = self.expr(&c.expr);
                let ty = self.ty(&c.ty);
                self.make(Kind::Cast(Box::new(from), c.ty.clone()), ty, span)
            }
            syn::Expr::If(i) => self.if_(i),
            syn::Expr::Match(m) => self.match_(m),
            syn::Expr::Block(b) => match &b.label {
                Some(label) => self.labelled(&b.block, label, span),
                None => self.block_expr(&b.block, span),
            },
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
            syn::Expr::While(w) => match self.limit {
                Some(limit) => self.while_(w, limit),
                None => self.other(expr),
            },
            syn::Expr::Loop(l) => match self.limit {
                Some(limit) => self.loop_(l, limit),
                None => self.other(expr),
            },
            syn::Expr::Break(b) => self.break_(b),
            syn::Expr::Continue(c) => self.continue_(c),
            syn::Expr::Macro(m) => match self.macro_call(&m.mac) {
                Some(expr) => expr,
                None => self.empty(span),
            },
            other => self.other(other),
        }
    }

    /// `((a as u128 * b as u128) >> 64) as u64`
    fn upper_product(&mut self, c: &syn::ExprCast) -> Option<Expr> {
        let to = outer::num(&c.ty).filter(|num| matches!(num, Num::U64 | Num::I64))?;
        let wide = if to == Num::U64 { "u128" } else { "i128" };
        let syn::Expr::Binary(shifted) = unparenthesized(&c.expr) else {
            return None;
        };
        let syn::Expr::Binary(product) = unparenthesized(&shifted.left) else {
            return None;
        };
        let by_64 = self.length(&shifted.right) == Some(64);
        if !by_64
            || !matches!(shifted.op, syn::BinOp::Shr(_))
            || !matches!(product.op, syn::BinOp::Mul(_))
        {
            return None;
        }
        let factor = |e: &syn::Expr| match unparenthesized(e) {
            syn::Expr::Cast(c) => match &*c.ty {
                syn::Type::Path(path) if path.path.is_ident(wide) => Some((*c.expr).clone()),
                _ => None,
            },
            _ => None,
        };
        let (a, b) = (factor(&product.left)?, factor(&product.right)?);
        let (a, b) = (self.expr(&a), self.expr(&b));
        let ty = self.types.num(to);
        let span = c.span();
        // A factor of another type is first converted to the lanes' type, keeping its value.
        let factor = |reader: &Self, e: Expr| {
            let written = Box::new((*c.ty).clone());
            reader.make(Kind::Cast(Box::new(e), written), ty, span)
        };
        let (a, b) = (factor(self, a), factor(self, b));
        let name = proc_macro2::Ident::new("high_product", span);
        Some(self.make(Kind::Method(Box::new(a), name, vec![b]), ty, span))
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
            let info = &self.locals[local];
            let ty = info.ty;
            return match (info.kind, info.entries) {
                (LocalKind::Table, Some(count)) => {
                    let table = Table::Local(local, name);
                    self.entries_of(&table, ty, count, span)
                }
                (LocalKind::Table, None) => self.other(&syn::Expr::Path(path.clone())),
                _ => self.make(Kind::Local(local, name), ty, span),
            };
        }
        if path.path.is_ident("None") {
            let value = self.types.fresh();
            let ty = self.types.option(value);
            let bool = self.types.num(Num::Bool);
            let no = self.make(Kind::Bool(false), bool, span);
            let zero = self.make(Kind::Zero, value, span);
            return self.make(Kind::Tuple(vec![no, zero]), ty, span);
        }
        if let Some(number) = self.variant(&path.path) {
            let ty = self.types.num(Num::I32);
            return self.make(Kind::Int(number), ty, span);
        }
        // A table as a value: all its entries.
        if let Some((elem, Some(count))) = self.table_of(&path.path)
            && count > 0
            && count <= 64
        {
            let table = Table::Path(self.unique(path));
            return self.entries_of(&table, elem, count, span);
        }
        let ty = match self.constant(&path.path) {
            Some(ty) => ty,
            None => self.types.external(),
        };
        self.make(Kind::Path(self.unique(path)), ty, span)
    }

    /// The number of a variant of an `enum` without values.
    fn variant(&self, path: &syn::Path) -> Option<i128> {
        let owner = path.segments.len().checked_sub(2)?;
        let (owner, last) = (&path.segments[owner].ident, path.segments.last()?);
        let (ty, name) = (owner.to_string(), last.ident.to_string());
        match outer::find_type(&ty, self.near(owner.span())) {
            Some(Outer::Enum(variants)) => {
                let variant = variants.iter().find(|v| v.0 == name)?;
                Some(variant.1.into())
            }
            Some(_) => None,
            None => variant_of_std(&ty, &name),
        }
    }

    fn unary(&mut self, u: &syn::ExprUnary) -> Expr {
        let span = u.span();
        match &u.op {
            syn::UnOp::Neg(_) => {
                let a = self.expr(&u.expr);
                let ty = a.ty;
                if let Some(Type::Struct(known, _)) = self.types.get(ty)
                    && let Some((path, called)) = self.kernel_of(&known.name, "neg", span)
                {
                    return self.make(Kind::Call(path, vec![a]), called.ret, span);
                }
                self.make(Kind::Neg(Box::new(a)), ty, span)
            }
            syn::UnOp::Not(_) => {
                let a = self.expr(&u.expr);
                let ty = a.ty;
                self.make(Kind::Not(Box::new(a)), ty, span)
            }
            // `*TABLE.get_unchecked(i)`, and the target of a reference, which is treated as a value here.
            _ => match unparenthesized(&u.expr) {
                syn::Expr::MethodCall(m) if m.method == "get_unchecked" && m.args.len() == 1 => {
                    let whole = syn::Expr::Unary(u.clone());
                    self.index(&m.receiver, &m.args[0], &whole)
                }
                inner => self.expr(inner),
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
            let (left, right) = match self.operator(&op, left, right) {
                Ok(value) => {
                    let target = self.target(&b.left, ty);
                    return self.unit(Kind::Assign(target, Box::new(value)), span);
                }
                Err(operands) => *operands,
            };
            if !matches!(op, B::Shl(_) | B::Shr(_)) {
                self.types.unify(ty, right.ty);
            }
            let kind = Kind::Binary(op, Box::new(left), Box::new(right));
            let value = self.make(kind, ty, span);
            let target = self.target(&b.left, ty);
            return self.unit(Kind::Assign(target, Box::new(value)), span);
        }
        let (left, right) = (self.expr(&b.left), self.expr(&b.right));
        let (left, right) = match self.operator(&b.op, left, right) {
            Ok(call) => return call,
            Err(operands) => *operands,
        };
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

    pub(super) fn target(&mut self, left: &syn::Expr, ty: Var) -> Target {
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
            _ => match self.steps(left) {
                Some((local, name, steps, place)) => {
                    self.types.unify(place, ty);
                    self.locals[local].assigned = true;
                    match steps.is_empty() {
                        true => Target::Local(name),
                        false => Target::Place(local, name, steps),
                    }
                }
                None => Target::Other(left.clone()),
            },
        }
    }

    /// A variable, the path to a part of it, and the type of that part.
    fn steps(&mut self, left: &syn::Expr) -> Option<(Local, proc_macro2::Ident, Vec<Step>, Var)> {
        match unparenthesized(left) {
            syn::Expr::Path(path) => {
                let (local, name) = self.local(path)?;
                let info = &self.locals[local];
                (info.kind != LocalKind::Table).then(|| (local, name, Vec::new(), info.ty))
            }
            // `*x` of a parameter that is `&mut`.
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.steps(&u.expr),
            syn::Expr::Field(f) => {
                let (local, name, mut steps, ty) = self.steps(&f.base)?;
                let (n, _, part) = self.part_named(ty, &f.member)?;
                steps.push(Step::Part(n));
                Some((local, name, steps, part))
            }
            syn::Expr::Index(i) => {
                let (local, name, mut steps, ty) = self.steps(&i.expr)?;
                let Some(Type::Array(elem, _)) = self.types.get(ty) else {
                    return None;
                };
                let index = self.expr(&i.index);
                let usize = self.types.num(Num::Usize);
                self.types.unify(usize, index.ty);
                steps.push(Step::At(index));
                Some((local, name, steps, elem))
            }
            _ => None,
        }
    }

    // --- macros

    /// A macro: checks are omitted, and `matches!` is a condition.
    pub(super) fn macro_call(&mut self, mac: &syn::Macro) -> Option<Expr> {
        let name = mac.path.segments.last().map(|s| s.ident.to_string())?;
        match name.as_str() {
            "debug_assert" | "debug_assert_eq" | "debug_assert_ne" | "assert" | "assert_eq"
            | "assert_ne" | "force_eval" => None,
            // A panic has no value.
            "panic" | "unreachable" | "todo" | "unimplemented" => {
                let ty = self.types.fresh();
                Some(self.make(Kind::Zero, ty, mac.span()))
            }
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
