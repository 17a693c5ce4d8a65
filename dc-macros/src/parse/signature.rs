//! The function's signature.

use super::Parser;
use super::types::Position;
use crate::ast::{ConstGeneric, Length, LocalKind, Param, Ty};
use crate::generate::MAX_PARAMS;
use crate::messages::Message;
use proc_macro2::Span;
use quote::{ToTokens as _, format_ident};
use syn::ext::IdentExt as _;

impl Parser<'_> {
    pub(super) fn generics(&mut self, sig: &syn::Signature) -> Vec<ConstGeneric> {
        let mut generics = Vec::new();
        for param in &sig.generics.params {
            match param {
                syn::GenericParam::Const(c) => {
                    let name = c.ty.to_token_stream().to_string();
                    let known = ["usize", "bool", "i32", "i64", "u32", "u64"];
                    if !known.contains(&name.as_str()) {
                        self.refuse(&c.ty, Message::ConstGenericType { name });
                    }
                    // It is kept nevertheless: the stub needs it, so that callers cause no errors.
                    generics.push(ConstGeneric {
                        name: c.ident.clone(),
                        ty: c.ty.clone(),
                    });
                }
                syn::GenericParam::Type(t) => {
                    let name = t.ident.to_string();
                    self.refuse(t, Message::TypeParam { name });
                }
                syn::GenericParam::Lifetime(l) => self.refuse(l, Message::Lifetime),
            }
        }
        if let Some(clause) = &sig.generics.where_clause {
            self.refuse(clause, Message::Where);
        }
        generics
    }

    pub(super) fn params(&mut self, sig: &syn::Signature) -> Vec<Param> {
        let mut params = Vec::new();
        for input in &sig.inputs {
            let syn::FnArg::Typed(input) = input else {
                continue; // `self` was refused before
            };
            let (length, other): (Vec<_>, Vec<_>) = input
                .attrs
                .iter()
                .cloned()
                .partition(|a| a.path().is_ident("length"));
            self.attrs(&other);
            let (mutability, name) = match &*input.pat {
                syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                    (p.mutability, p.ident.clone())
                }
                pat => {
                    self.refuse(pat, Message::ParamPattern);
                    self.declare_pattern(pat);
                    let at = Span::mixed_site();
                    (None, format_ident!("__p{}", params.len(), span = at))
                }
            };
            let ty = self.ty(&input.ty, Position::Param(&name.unraw().to_string()));
            let kind = match ty {
                Ty::Table(..) => LocalKind::Table,
                Ty::Refused => LocalKind::Refused,
                _ => LocalKind::Variable,
            };
            let local = self.scope.declare(&name, kind);
            if let Ty::Lane(lane, _) = ty {
                self.scope.typed(local, Some(lane.signed()));
            }
            let length = match &length[..] {
                [] => None,
                [attr] => {
                    let read = attr.parse_args_with(length_of).ok();
                    if read.is_none() || !matches!(ty, Ty::Table(..) | Ty::Refused) {
                        self.refuse(attr, Message::LengthAttribute);
                    }
                    read
                }
                [_, second, ..] => {
                    self.refuse(second, Message::LengthAttribute);
                    None
                }
            };
            params.push(Param {
                mutability,
                name,
                ty,
                length,
            });
        }
        params
    }

    /// The rest of the signature; returns the return type.
    pub(super) fn signature(&mut self, sig: &syn::Signature, params: &[Param]) -> Ty {
        let name = || sig.ident.unraw().to_string();
        if let Some(token) = &sig.constness {
            self.refuse(token, Message::Const);
        }
        if let Some(token) = &sig.asyncness {
            self.refuse(token, Message::Async);
        }
        if let Some(token) = &sig.unsafety {
            self.refuse(token, Message::Unsafe);
        }
        if let Some(abi) = &sig.abi {
            self.refuse(abi, Message::Extern { name: name() });
        }
        if let Some(variadic) = &sig.variadic {
            self.refuse(variadic, Message::Variadic);
        }
        let is_table = |p: &Param| matches!(p.ty, Ty::Table(..));
        if params.iter().all(is_table) {
            // A parameter with an error may have been meant as a lane parameter. Then this is not reported.
            self.refuse(&sig.ident, Message::NoLaneParam);
        }
        if params.len() > MAX_PARAMS && !params.iter().any(is_table) {
            let count = params.len().to_string();
            self.refuse(&sig.inputs, Message::TooManyParams { count });
        }
        match &sig.output {
            syn::ReturnType::Default => {
                self.refuse(&sig.ident, Message::NoReturnType);
                Ty::Refused
            }
            syn::ReturnType::Type(_, ty) => self.ty(ty, Position::Return),
        }
    }
}

/// `2..=128, "why"` or `2.., "why"`
fn length_of(input: syn::parse::ParseStream) -> syn::Result<Length> {
    let least = input.parse::<syn::LitInt>()?.base10_parse()?;
    let most = if input.peek(syn::Token![..=]) {
        input.parse::<syn::Token![..=]>()?;
        Some(input.parse::<syn::LitInt>()?.base10_parse()?)
    } else {
        input.parse::<syn::Token![..]>()?;
        None
    };
    input.parse::<syn::Token![,]>()?;
    let why = input.parse()?;
    input.parse::<Option<syn::Token![,]>>()?;
    Ok(Length { least, most, why })
}
