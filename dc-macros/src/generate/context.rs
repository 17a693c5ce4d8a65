//! The common data of all parts of an expansion: the crate's path, and types and parameters as tokens.

use super::callees::Callees;
use crate::ast::{ConstGeneric, Kernel, Param, Ty};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// The data that all generators need.
pub(crate) struct Cx {
    /// `…::__private_v0_2` of the runtime, with the version of this crate.
    pub private: TokenStream,
    /// `…::math::lanes`: the mathematical functions.
    pub functions: TokenStream,
    /// The instruction set, as a type parameter and as a token. Neither can collide with a user's name.
    pub isa_type: Ident,
    pub isa: Ident,
    /// The kernels that this one calls, as paths without arguments.
    pub(super) callees: Callees,
    /// Whether the kernel is made from a plain function, as are the kernels that it calls.
    pub(super) plain: bool,
}

impl Cx {
    pub(crate) fn new(krate: &TokenStream) -> Self {
        let module = format_ident!(
            "__private_v{}_{}",
            env!("CARGO_PKG_VERSION_MAJOR"),
            env!("CARGO_PKG_VERSION_MINOR")
        );
        Cx {
            private: quote!(#krate::#module),
            functions: quote!(#krate::math::lanes),
            isa_type: format_ident!("__I", span = Span::mixed_site()),
            isa: format_ident!("__isa", span = Span::mixed_site()),
            callees: Callees::default(),
            plain: false,
        }
    }
}

/// Whether the kernel can be run on lanes itself.
pub(crate) fn has_lane_fn(k: &Kernel) -> bool {
    let table = |p: &Param| matches!(p.ty, Ty::Table(..));
    k.params.len() <= MAX_PARAMS && !k.params.iter().any(table)
}

/// `<const N: usize>`
pub(crate) fn declared(generics: &[ConstGeneric]) -> TokenStream {
    if generics.is_empty() {
        return TokenStream::new();
    }
    let each = generics.iter().map(const_param);
    quote!(<#(#each),*>)
}

/// `const N: usize`
pub(crate) fn const_param(g: &ConstGeneric) -> TokenStream {
    let (name, ty) = (&g.name, &g.ty);
    quote!(const #name: #ty)
}

/// `<N>`
pub(crate) fn used(generics: &[ConstGeneric]) -> TokenStream {
    if generics.is_empty() {
        return TokenStream::new();
    }
    let each = generics.iter().map(|g| &g.name);
    quote!(<#(#each),*>)
}

/// A lane type in the generic function: the user's path with the instruction set.
pub(crate) fn generic_type(cx: &Cx, ty: &Ty) -> TokenStream {
    let isa = &cx.isa_type;
    match ty {
        Ty::Lane(_, path) => quote!(#path<#isa>),
        Ty::Tuple(items) => {
            let items = items.iter().map(|t| generic_type(cx, t));
            quote!((#(#items,)*))
        }
        Ty::Table(_, reference) => quote!(#reference),
        Ty::Plain(ty) => quote!(#ty),
        Ty::Refused => TokenStream::new(),
    }
}

/// The first parameter that carries the instruction set's token.
pub(super) fn first_lanes(params: &[Param]) -> Option<&Ident> {
    let lanes = |p: &&Param| matches!(p.ty, Ty::Lane(..) | Ty::Tuple(_));
    params.iter().find(lanes).map(|p| &p.name)
}

/// The largest tuple for which there is a `Kind`, and so the limit for `eval` and `map`.
pub(crate) const MAX_PARAMS: usize = 8;
