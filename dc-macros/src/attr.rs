//! `#[crunch(…)]` itself, and the function's other attributes.

use crate::ast::Attrs;
use crate::errors::Errors;
use crate::messages::Message;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;

/// The arguments of `#[crunch(…)]`.
pub(crate) struct Args {
    /// The path of the facade crate.
    pub krate: TokenStream,
    /// The word `step`, if it is present.
    pub step: Option<syn::Path>,
    /// The largest number of iterations of a loop of a plain function that has no range.
    pub limit: Option<u32>,
    /// `instruction = path`, for this library's own conversions.
    pub instruction: Option<syn::Path>,
    /// `method(<T>::name)`, which the macro writes for the methods of an `impl` block.
    pub method: Option<TokenStream>,
}

/// Parses the arguments.
pub(crate) fn args(args: TokenStream, errors: &mut Errors) -> Args {
    let mut read = Args {
        krate: quote!(::doublecrunch),
        step: None,
        limit: None,
        instruction: None,
        method: None,
    };
    if args.is_empty() {
        return read;
    }
    let list = Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
    let Ok(metas) = list.parse2(args.clone()) else {
        errors.push(&args, Message::AttributeArgument);
        return read;
    };
    let mut named = false;
    for meta in &metas {
        let value = match meta {
            syn::Meta::NameValue(nv) if nv.path.is_ident("crate") && !named => &nv.value,
            syn::Meta::NameValue(nv) if nv.path.is_ident("limit") && read.limit.is_none() => {
                read.limit = times(&nv.value);
                if read.limit.is_none() {
                    errors.push(meta, Message::AttributeArgument);
                }
                continue;
            }
            syn::Meta::NameValue(syn::MetaNameValue {
                path,
                value: syn::Expr::Path(function),
                ..
            }) if path.is_ident("instruction") => {
                read.instruction = Some(function.path.clone());
                continue;
            }
            syn::Meta::List(list) if list.path.is_ident("method") => {
                read.method = Some(list.tokens.clone());
                continue;
            }
            syn::Meta::Path(path) if path.is_ident("step") && read.step.is_none() => {
                read.step = Some(path.clone());
                continue;
            }
            _ => {
                errors.push(meta, Message::AttributeArgument);
                continue;
            }
        };
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) = value
        else {
            let text = value.to_token_stream().to_string();
            errors.push(value, Message::CratePath { text });
            continue;
        };
        match text.parse_with(syn::Path::parse_mod_style) {
            Ok(path) => {
                read.krate = path.to_token_stream();
                named = true;
            }
            Err(_) => errors.push(text, Message::CratePath { text: text.value() }),
        }
    }
    read
}

/// A number of times.
fn times(value: &syn::Expr) -> Option<u32> {
    match value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse().ok().filter(|n| *n > 0),
        _ => None,
    }
}

/// The function's documentation.
pub(crate) fn documentation(attrs: &[syn::Attribute]) -> Vec<syn::Attribute> {
    let doc = |a: &&syn::Attribute| a.path().is_ident("doc");
    attrs.iter().filter(doc).cloned().collect()
}

/// Sorts the function's attributes by their use.
pub(crate) fn function(attrs: &[syn::Attribute], errors: &mut Errors) -> Attrs {
    let mut sorted = Attrs::default();
    for attr in attrs {
        let path = attr.path();
        let tool = path.segments.len() > 1
            && path.segments.first().is_some_and(|s| {
                let tool = s.ident.to_string();
                tool == "rustfmt" || tool == "clippy"
            });
        let is = |names: &[&str]| names.iter().any(|n| path.is_ident(n));
        if is(&["cfg", "allow", "warn", "deny", "forbid"]) {
            sorted.all.push(attr.clone());
        } else if is(&["doc"]) {
            sorted.doc.push(attr.clone());
        } else if tool || is(&["must_use", "deprecated", "expect", "cfg_attr"]) {
            // An `expect` on every item would be unfulfilled on most of them.
            sorted.function.push(attr.clone());
        } else {
            // `#[unsafe(no_mangle)]` counts as `no_mangle`.
            let inner = attr.parse_args_with(syn::Path::parse_mod_style).ok();
            let path = inner
                .as_ref()
                .filter(|_| path.is_ident("unsafe"))
                .unwrap_or(path);
            let name = path.to_token_stream().to_string().replace(' ', "");
            errors.push(attr, Message::FunctionAttribute { name });
        }
    }
    sorted
}

/// Reports attributes in a body as errors.
pub(crate) fn inside(attrs: &[syn::Attribute], errors: &mut Errors) {
    for attr in attrs {
        errors.push(attr, Message::InnerAttribute);
    }
}
