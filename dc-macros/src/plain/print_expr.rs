//! Expressions as those of a kernel.

use super::exits;
use super::print::Printer;
use super::shape::place;
use super::tree::{Expr, Kind, LocalKind, Table};
use super::types::Num;
use crate::messages::Message;
use proc_macro2::{Delimiter, Group, Ident, Literal, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};

impl Printer<'_> {
    /// The number type of a value, if it is known now.
    pub(super) fn num(&self, e: &Expr) -> Option<Num> {
        self.types.final_num(e.ty)
    }

    /// The type of an operand on which the operation depends, or an error.
    pub(super) fn decided(&mut self, e: &Expr) -> Option<Num> {
        let num = self.num(e);
        if num.is_none() && !is_wide(e) {
            let place = Ident::new("_", e.span);
            self.errors.push(&place, Message::UndecidedType);
        }
        num
    }

    // --- what is known when the kernel is lowered

    /// Whether it is a number that is known when the kernel is lowered.
    pub(super) fn is_index(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Int(_) | Kind::Len(_) => true,
            Kind::Local(local, _) => {
                self.locals[*local].kind == LocalKind::Counter || self.indices.contains(local)
            }
            Kind::Path(_) => self.num(e) == Some(Num::Usize),
            Kind::Binary(op, a, b) => {
                self.num(e) == Some(Num::Usize)
                    && is_arithmetic(op)
                    && self.is_index(a)
                    && self.is_index(b)
            }
            Kind::Cast(a, _) => self.num(e) == Some(Num::Usize) && self.is_index(a),
            _ => false,
        }
    }

    /// As a number that is known when the kernel is lowered.
    pub(super) fn index(&mut self, e: &Expr) -> TokenStream {
        let tokens = match &e.kind {
            Kind::Int(n) => Literal::i128_unsuffixed(*n).into_token_stream(),
            Kind::Local(local, _) if self.known.contains_key(local) => {
                Literal::i128_unsuffixed(self.known[local]).into_token_stream()
            }
            // The type may also be one for which kernels have no tables.
            Kind::Len(Table::Path(path)) => {
                let len = quote_spanned!(e.span=> #path.len());
                self.hoisted(&len, Num::Usize)
            }
            Kind::Len(table) => {
                let table = self.table(table);
                quote_spanned!(e.span=> #table.len())
            }
            Kind::Local(_, name) => quote!(#name),
            Kind::Path(path) => quote!(#path),
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.index(a), self.index(b));
                quote!(#a #op #b)
            }
            Kind::Cast(a, _) => self.index(a),
            // An error of the kernel's parser.
            _ => self.lanes(e),
        };
        group(located(tokens, e))
    }

    /// Whether it is a truth value that is known when the kernel is lowered.
    pub(super) fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Bool(_) => true,
            Kind::Path(_) => self.num(e) == Some(Num::Bool),
            Kind::Not(a) => self.num(e) == Some(Num::Bool) && self.is_fixed(a),
            Kind::Binary(op, a, b) if is_comparison(op) => {
                self.is_index(a) && self.is_index(b) && !(a.is_literal() && b.is_literal())
            }
            Kind::Binary(_, a, b) => {
                self.num(e) == Some(Num::Bool) && self.is_fixed(a) && self.is_fixed(b)
            }
            _ => false,
        }
    }

    pub(super) fn fixed(&mut self, e: &Expr) -> TokenStream {
        let tokens = match &e.kind {
            Kind::Bool(b) => quote!(#b),
            Kind::Path(path) => quote!(#path),
            Kind::Not(a) => {
                let a = self.fixed(a);
                quote!(!#a)
            }
            Kind::Binary(op, a, b) if is_comparison(op) => {
                let (a, b) = (self.index(a), self.index(b));
                quote!(#a #op #b)
            }
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.fixed(a), self.fixed(b));
                quote!(#a #op #b)
            }
            _ => self.lanes(e),
        };
        group(located(tokens, e))
    }

    /// The condition of an `if`.
    pub(super) fn condition(&mut self, e: &Expr) -> TokenStream {
        match self.is_fixed(e) {
            true => self.fixed(e),
            false => self.lanes(e),
        }
    }

    // --- lanes

    /// As lanes.
    pub(super) fn lanes(&mut self, e: &Expr) -> TokenStream {
        let index = self.is_index(e) && !matches!(e.kind, Kind::Int(_));
        let tokens = if index {
            let (index, p) = (self.index(e), &self.private);
            let long = quote_spanned!(e.span=> #p::plain::index_lanes(#index));
            match self.num(e) {
                Some(num) => self.converted(long, Num::I64, num, e.span),
                None => long,
            }
        } else if self.is_fixed(e) {
            let (yes, no) = (self.truth(true), self.truth(false));
            match &e.kind {
                Kind::Bool(true) => yes,
                Kind::Bool(false) => no,
                _ => {
                    let fixed = self.fixed(e);
                    quote_spanned!(e.span=> if #fixed { #yes } else { #no })
                }
            }
        } else {
            self.lanes_of(e)
        };
        group(tokens)
    }

    fn lanes_of(&mut self, e: &Expr) -> TokenStream {
        let span = e.span;
        match &e.kind {
            Kind::Float(text) => self.float(text, e),
            Kind::Int(n) => self.int(*n, e),
            Kind::Bool(b) => self.truth(*b),
            Kind::Local(_, name) => quote!(#name),
            Kind::Path(path) => self.named(path, e),
            Kind::Neg(a) => self.negative(a, e),
            Kind::Not(a) => {
                let a = self.lanes(a);
                let not = quote_spanned!(span=> !#a);
                match self.num(e) {
                    Some(num) if num.is_unsigned() => Self::wrapped(not, num, span),
                    _ => not,
                }
            }
            Kind::Binary(op, a, b) => self.binary(op, a, b, e),
            Kind::Cast(a, ty) => self.cast(a, ty, e),
            Kind::Method(a, name, args) => self.method(a, name, args, e),
            Kind::FromBits(a) => {
                let (p, bits) = (&self.private.clone(), self.lanes(a));
                match self.num(e) {
                    Some(Num::F64) => quote_spanned!(span=> #p::lanes::DcDouble::from_bits(#bits)),
                    _ => quote_spanned!(span=> #p::lanes::DcFloat::from_bits(#bits)),
                }
            }
            Kind::Call(path, args) => {
                let args: Vec<TokenStream> = args.iter().map(|a| self.lanes(a)).collect();
                quote_spanned!(span=> #path(#(#args),*))
            }
            Kind::TableArg(e) => quote!(#e),
            Kind::Index(table, index) => self.entry(table, index, e.ty, span),
            Kind::Len(_) => self.index(e),
            Kind::Tuple(items) => {
                let items: Vec<TokenStream> = items.iter().map(|e| self.lanes(e)).collect();
                Self::tuple(items)
            }
            Kind::Part(base, n, count) => {
                let (base, path) = (self.lanes(base), place(*n, *count));
                quote!(#base #path)
            }
            Kind::At(base, index) => self.element(base, index, span),
            Kind::Zero => self.zero(e.ty),
            Kind::Field(base, member) => {
                let base = self.lanes(base);
                quote!(#base.#member)
            }
            Kind::If(cond, then, otherwise) => {
                let cond = self.condition(cond);
                let then = self.arm(then, e);
                let otherwise = otherwise.as_ref().map(|b| {
                    let inside = self.arm(b, e);
                    quote!(else { #inside })
                });
                quote_spanned!(span=> if #cond { #then } #otherwise)
            }
            Kind::Block(block) => {
                let inside = self.arm(block, e);
                quote_spanned!(span=> { #inside })
            }
            Kind::Return(_) | Kind::Break(_) | Kind::Continue(_) => self.exit(&e.kind, e.ty),
            Kind::Assign(..) | Kind::For { .. } | Kind::Loop(..) => {
                let inside = self.effect(e);
                let zero = (!self.is_unit(e.ty)).then(|| self.zero(e.ty));
                quote!({ #inside #zero })
            }
            Kind::NoMethod(owner, name) => {
                let message = Message::MethodWithoutKernel {
                    name: name.to_string(),
                    owner: owner.clone(),
                };
                self.errors.push(name, message);
                self.zero(e.ty)
            }
            Kind::Other(e) => quote!(#e),
        }
    }

    /// A block whose value is that of the surrounding expression. If the block ends the function, any value will do.
    fn arm(&mut self, block: &super::tree::Block, around: &Expr) -> TokenStream {
        if exits::ends_block(block) {
            return self.masked(&block.stmts, block.value.as_deref(), around.ty);
        }
        self.block(block)
    }

    fn float(&self, text: &str, e: &Expr) -> TokenStream {
        let (sign, digits) = signed(text);
        let narrow = digits.parse::<f32>().ok().filter(|x| x.is_finite());
        let wide = digits.parse::<f64>().ok().filter(|x| x.is_finite());
        let mut literal = match (self.num(e), narrow, wide) {
            (Some(Num::F32), Some(x), _) => Literal::f32_suffixed(x),
            (Some(Num::F64), _, Some(x)) => Literal::f64_suffixed(x),
            (_, _, Some(x)) => Literal::f64_unsuffixed(x),
            // rustc's error.
            _ => Literal::f64_unsuffixed(0.0),
        };
        literal.set_span(e.span);
        quote!(#sign #literal)
    }

    fn int(&self, n: i128, e: &Expr) -> TokenStream {
        let (sign, size) = ((n < 0).then(|| quote!(-)), n.unsigned_abs());
        let digits = match self.num(e) {
            Some(Num::U32) => format!("{size}u32"),
            Some(Num::U64 | Num::Usize) => format!("{size}u64"),
            Some(Num::I64 | Num::Isize) => format!("{size}i64"),
            Some(num) if num.is_int() => format!("{size}i32"),
            Some(Num::F64) => format!("{size}f64"),
            Some(Num::F32) => format!("{size}f32"),
            _ => size.to_string(),
        };
        // Digits and a suffix that we wrote: always a literal.
        let mut literal: Literal = digits.parse().expect("an integer literal");
        literal.set_span(e.span);
        quote!(#sign #literal)
    }

    fn negative(&mut self, a: &Expr, e: &Expr) -> TokenStream {
        match &a.kind {
            // The sign belongs to the literal: the least number has no positive counterpart.
            Kind::Int(n) => return self.int(-n, a),
            Kind::Float(text) => {
                let minus = format!("-{text}");
                return self.float(minus.trim_start_matches("--"), a);
            }
            _ => {}
        }
        let inner = self.lanes(a);
        let negative = quote_spanned!(e.span=> -#inner);
        match self.num(e) {
            Some(num) => Self::wrapped(negative, num, e.span),
            None => negative,
        }
    }

    /// A constant. If kernels do not have its type, it is converted.
    fn named(&mut self, path: &syn::ExprPath, e: &Expr) -> TokenStream {
        if self.types.parts(e.ty).is_some() {
            return self.parts_of(&quote!(#path), e.ty);
        }
        match self.num(e) {
            Some(num) if num.is_narrow() || num == Num::Isize => {
                let lane = if num == Num::Isize {
                    Num::I64
                } else {
                    Num::I32
                };
                self.hoisted(&quote!(#path), lane)
            }
            _ => quote!(#path),
        }
    }

    /// A constant of our own, which rustc computes.
    pub(super) fn hoisted(&mut self, value: &TokenStream, num: Num) -> TokenStream {
        let name = self.fresh(None);
        let ty = format_ident!("{}", num.name());
        let item = quote!(const #name: ::core::primitive::#ty = #value as ::core::primitive::#ty;);
        self.consts
            .push(syn::parse2(item).expect("a constant item"));
        quote!(#name)
    }

    fn cast(&mut self, a: &Expr, ty: &syn::Type, e: &Expr) -> TokenStream {
        if let Some(name) = wide(ty) {
            let message = Message::WideInteger {
                name: name.to_string(),
            };
            self.errors.push(ty, message);
            return self.zero(e.ty);
        }
        let Some(to) = self.num(e) else {
            let inner = self.lanes(a);
            return quote_spanned!(e.span=> #inner as #ty);
        };
        // If only rustc knows the type of a constant, rustc converts it.
        if let (Kind::Path(path), None) = (&a.kind, self.num(a)) {
            let lane = match to {
                Num::Usize | Num::U64 => Num::U64,
                Num::Isize => Num::I64,
                num if num.is_narrow() => Num::I32,
                num => num,
            };
            let text = match to.is_narrow() {
                true => quote!(#path as #ty),
                false => quote!(#path),
            };
            return self.hoisted(&text, lane);
        }
        let inner = self.lanes(a);
        match self.decided(a) {
            Some(from) => self.converted(inner, from, to, e.span),
            None => inner,
        }
    }
}

/// A type with more bits than lanes have.
fn wide(ty: &syn::Type) -> Option<&'static str> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    ["u128", "i128"]
        .into_iter()
        .find(|name| path.path.is_ident(name))
}

/// Whether it is computed from such a number, for which an error was reported.
fn is_wide(e: &Expr) -> bool {
    matches!(&e.kind, Kind::Cast(_, ty) if wide(ty).is_some())
        || e.inside().0.into_iter().any(is_wide)
}

/// An expression that stays a unit, whatever surrounds it.
pub(super) fn group(tokens: TokenStream) -> TokenStream {
    Group::new(Delimiter::None, tokens).into_token_stream()
}

/// Tokens of our own at the place of the expression.
fn located(tokens: TokenStream, e: &Expr) -> TokenStream {
    match &e.kind {
        Kind::Int(_) => tokens
            .into_iter()
            .map(|mut t| {
                t.set_span(e.span);
                t
            })
            .collect(),
        _ => tokens,
    }
}

fn signed(text: &str) -> (Option<TokenStream>, &str) {
    match text.strip_prefix('-') {
        Some(digits) => (Some(quote!(-)), digits),
        None => (None, text),
    }
}

fn is_comparison(op: &syn::BinOp) -> bool {
    use syn::BinOp as B;
    matches!(
        op,
        B::Lt(_) | B::Le(_) | B::Gt(_) | B::Ge(_) | B::Eq(_) | B::Ne(_)
    )
}

fn is_arithmetic(op: &syn::BinOp) -> bool {
    use syn::BinOp as B;
    !is_comparison(op) && !matches!(op, B::And(_) | B::Or(_))
}
