//! From `syn`'s tree to the checked tree; all errors are reported here.

mod control;
mod expr;
mod lane;
mod literal;
mod path;
mod signature;
mod stmt;
mod types;

use crate::ast::{Block, Kernel, Local};
use crate::errors::Errors;
use crate::messages::Message;
use crate::scope::Scope;
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// Parses a function. `consts` are items besides those of its body. Unsupported constructs are added to `errors`, and replaced in the tree.
pub(crate) fn kernel(
    function: &syn::ItemFn,
    consts: Vec<syn::Item>,
    source: String,
    errors: &mut Errors,
) -> Kernel {
    let attrs = crate::attr::function(&function.attrs, errors);
    let mut parser = Parser {
        type_params: function
            .sig
            .generics
            .type_params()
            .map(|t| t.ident.clone())
            .collect(),
        lifetimes: function
            .sig
            .generics
            .lifetimes()
            .map(|l| l.lifetime.clone())
            .collect(),
        errors,
        scope: Scope::default(),
        kernel: function.sig.ident.clone(),
        consts,
    };
    let generics = parser.generics(&function.sig);
    let params = parser.params(&function.sig);
    let ret = parser.signature(&function.sig, &params);
    let body: Block = parser.body(&function.block);
    Kernel {
        attrs,
        vis: function.vis.clone(),
        fn_token: function.sig.fn_token,
        name: function.sig.ident.clone(),
        generics,
        params,
        ret,
        locals: parser.scope.into_locals(),
        body,
        consts: parser.consts,
        step: false,
        instruction: None,
        plain: None,
        source,
    }
}

/// A function being parsed.
struct Parser<'e> {
    errors: &'e mut Errors,
    scope: Scope,
    /// The function's own name.
    kernel: Ident,
    /// The constants of its body.
    consts: Vec<syn::Item>,
    /// Its type parameters and lifetimes, which are errors at their declaration.
    type_params: Vec<Ident>,
    lifetimes: Vec<syn::Lifetime>,
}

impl Parser<'_> {
    #[track_caller]
    fn refuse(&mut self, tokens: &impl ToTokens, message: Message) {
        self.errors.push(tokens, message);
    }
    fn attrs(&mut self, attrs: &[syn::Attribute]) {
        crate::attr::inside(attrs, self.errors);
    }
    /// The local that a path refers to: a single plain name that is in scope.
    fn local(&self, path: &syn::ExprPath) -> Option<(Local, Ident)> {
        if path.qself.is_some() {
            return None;
        }
        let name = path.path.get_ident()?;
        Some((self.scope.resolve(name)?, name.clone()))
    }
}

/// The first and last token of some source text.
fn extent(tokens: &impl ToTokens) -> (Span, Span) {
    let mut first = None;
    let mut last = Span::call_site();
    for token in tokens.to_token_stream() {
        let (open, close) = match &token {
            proc_macro2::TokenTree::Group(g) => (g.span_open(), g.span_close()),
            token => (token.span(), token.span()),
        };
        first.get_or_insert(open);
        last = close;
    }
    (first.unwrap_or(last), last)
}
