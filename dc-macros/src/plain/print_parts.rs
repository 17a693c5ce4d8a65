//! Values of several parts, which are tuples of lanes: their parts, elements of arrays indexed by lanes, and assignments to parts.

use super::print::Printer;
use super::print_expr::group;
use super::shape::{chunked, place};
use super::tree::{Expr, Kind, Local, Step, Target};
use super::types::{Num, Type, Var};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Printer<'_> {
    /// A number that is known here.
    pub(super) fn constant(&self, e: &Expr) -> Option<i128> {
        match &e.kind {
            Kind::Int(n) => Some(*n),
            Kind::Local(local, _) => self.known.get(local).copied(),
            Kind::Cast(a, _) if self.num(e).is_some_and(Num::is_int) => self.constant(a),
            Kind::Binary(op, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                match op {
                    syn::BinOp::Add(_) => a.checked_add(b),
                    syn::BinOp::Sub(_) => a.checked_sub(b),
                    syn::BinOp::Mul(_) => a.checked_mul(b),
                    syn::BinOp::Div(_) => a.checked_div(b),
                    syn::BinOp::Rem(_) => a.checked_rem(b),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// `(a, b, c)`
    pub(super) fn tuple(parts: Vec<TokenStream>) -> TokenStream {
        chunked(parts, &|items| quote!((#(#items,)*)))
    }

    /// A constant of several numbers, each of which is a constant.
    pub(super) fn parts_of(&mut self, constant: &TokenStream, ty: Var) -> TokenStream {
        let Some(parts) = self.types.parts(ty) else {
            let num = self.types.final_num(ty).unwrap_or(Num::F64);
            let lane = match num {
                Num::Usize => Num::U64,
                Num::Isize => Num::I64,
                num if num.is_narrow() => Num::I32,
                num => num,
            };
            return self.hoisted(constant, lane);
        };
        let known = match self.types.get(ty) {
            Some(Type::Struct(known, _)) => Some(known),
            _ => None,
        };
        let is_array = matches!(self.types.get(ty), Some(Type::Array(..)));
        let each = parts.iter().enumerate().map(|(n, ty)| {
            let index = Literal::usize_unsuffixed(n);
            let way = match &known {
                Some(known) => {
                    let name = super::shape::member(&known.names[n]);
                    quote!(.#name)
                }
                None if is_array => quote!([#index]),
                None => quote!(.#index),
            };
            self.parts_of(&quote!(#constant #way), *ty)
        });
        Self::tuple(each.collect())
    }

    /// An element of an array of lanes.
    pub(super) fn element(&mut self, base: &Expr, index: &Expr, span: Span) -> TokenStream {
        let count = self.types.parts(base.ty).map_or(0, |parts| parts.len());
        let array = self.lanes(base);
        if let Some(n) = self.constant(index).and_then(|n| usize::try_from(n).ok()) {
            // An index outside the array panics in the function.
            let path = place(n.min(count.saturating_sub(1)), count.max(1));
            return quote_spanned!(span=> #array #path);
        }
        let (at, is) = self.position(index);
        let whole = super::names::temporary("array");
        let mut chosen = TokenStream::new();
        for n in (0..count).rev() {
            let path = place(n, count);
            chosen = match chosen.is_empty() {
                true => quote!(#whole #path),
                false => {
                    let is = is(n);
                    quote!(if #is { #whole #path } else { #chosen })
                }
            };
        }
        quote_spanned!(span=> { let #whole = #array; #at #chosen })
    }

    /// The lanes of an index in a variable, and a test for whether they equal a number.
    fn position(&mut self, index: &Expr) -> (TokenStream, impl Fn(usize) -> TokenStream + use<>) {
        let index = self.without_casts(index);
        let wide = self.num(index).is_none_or(|num| num.bits() == 64);
        let lanes = self.lanes(index);
        let at = super::names::temporary("at");
        let is = {
            let at = at.clone();
            move |n: usize| {
                let n = match wide {
                    true => Literal::i64_suffixed(i64::try_from(n).unwrap_or(0)),
                    false => Literal::i32_suffixed(i32::try_from(n).unwrap_or(0)),
                };
                quote!(#at == #n)
            }
        };
        (quote!(let #at = #lanes;), is)
    }

    /// An index without the conversions of integers to `usize`. An index outside the table panics in the function, so the sign does not
    /// matter.
    pub(super) fn without_casts<'e>(&self, index: &'e Expr) -> &'e Expr {
        let mut index = index;
        while let Kind::Cast(inner, _) = &index.kind
            && self.num(index) == Some(Num::Usize)
            && self.num(inner).is_some_and(Num::is_int)
        {
            index = inner;
        }
        index
    }

    pub(super) fn assign(&mut self, target: &Target, value: &Expr, span: Span) -> TokenStream {
        let value = self.lanes(value);
        if let Some(whole) = whole(target) {
            return quote_spanned!(span=> #whole = #value;);
        }
        let assigned = super::names::temporary("assigned");
        let mut out = quote!(let #assigned = #value;);
        self.store(target, &quote!(#assigned), &mut out);
        quote_spanned!(span=> { #out })
    }

    fn store(&mut self, target: &Target, value: &TokenStream, out: &mut TokenStream) {
        match target {
            Target::Wild => {}
            Target::Tuple(items) => {
                for (n, item) in items.iter().enumerate() {
                    let path = place(n, items.len());
                    self.store(item, &quote!(#value #path), out);
                }
            }
            Target::Place(local, name, steps) => {
                let (local, ty): (Local, Var) = (*local, self.locals[*local].ty);
                debug_assert!(self.locals[local].assigned, "a target is assigned");
                let new = self.with(&quote!(#name), ty, steps, value);
                out.extend(quote!(#name = #new;));
            }
            Target::Local(name) => out.extend(quote!(#name = #value;)),
            Target::Other(e) => out.extend(quote!(#e = #value;)),
        }
    }

    /// A value in which one part is replaced by another value.
    fn with(
        &mut self,
        base: &TokenStream,
        ty: Var,
        steps: &[Step],
        value: &TokenStream,
    ) -> TokenStream {
        let Some((step, rest)) = steps.split_first() else {
            return value.clone();
        };
        let parts = self.types.parts(ty).unwrap_or_default();
        let count = parts.len();
        let known = match step {
            Step::Part(n) => Some(*n),
            Step::At(index) => self.constant(index).and_then(|n| usize::try_from(n).ok()),
        };
        if let Some(known) = known {
            let each = parts.iter().enumerate().map(|(n, ty)| {
                let path = place(n, count);
                let part = quote!(#base #path);
                match n == known {
                    true => self.with(&part, *ty, rest, value),
                    false => part,
                }
            });
            return Self::tuple(each.collect());
        }
        let Step::At(index) = step else {
            return value.clone();
        };
        let (at, is) = self.position(index);
        let each = parts.iter().enumerate().map(|(n, ty)| {
            let path = place(n, count);
            let part = quote!(#base #path);
            let (is, new) = (is(n), self.with(&part, *ty, rest, value));
            quote!(if #is { #new } else { #part })
        });
        let all = Self::tuple(each.collect());
        group(quote!({ #at #all }))
    }
}

/// A target of whole variables, as the left side of an assignment.
fn whole(target: &Target) -> Option<TokenStream> {
    Some(match target {
        Target::Local(name) => quote!(#name),
        Target::Wild => quote!(_),
        Target::Tuple(items) => {
            let items: Option<Vec<TokenStream>> = items.iter().map(whole).collect();
            chunked(items?, &|items| quote!((#(#items,)*)))
        }
        Target::Place(..) => return None,
        Target::Other(e) => quote!(#e),
    })
}
