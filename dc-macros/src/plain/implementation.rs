//! `impl` blocks: their methods are functions, and their kernels are next to the block, as `Type_method`.

use super::owner::{method_name, owner};
use super::signature::{is_all_plain, is_plain};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::visit_mut::VisitMut;

/// The name of a method's kernel.
pub(super) fn kernel_name(owner: &str, method: &Ident) -> Ident {
    format_ident!("{owner}_{method}", span = method.span())
}

/// The block, and a function with the attribute for each method of plain numbers.
pub(crate) fn expand(
    args: &TokenStream,
    item: &TokenStream,
    private: &TokenStream,
) -> Option<TokenStream> {
    let block = syn::parse2::<syn::ItemImpl>(item.clone()).ok()?;
    let owner = owner(&block)?;
    let functions = block.items.iter().filter_map(|inner| match inner {
        syn::ImplItem::Fn(f) => function(&block, &owner, f, args, private),
        _ => None,
    });
    let functions: Vec<TokenStream> = functions.collect();
    Some(quote!(#block #(#functions)*))
}

fn function(
    block: &syn::ItemImpl,
    owner: &str,
    method: &syn::ImplItemFn,
    args: &TokenStream,
    private: &TokenStream,
) -> Option<TokenStream> {
    let this = Ident::new("__self", Span::mixed_site());
    let ty = &*block.self_ty;
    let mut function = syn::ItemFn {
        attrs: Vec::new(),
        vis: match &block.trait_ {
            Some(_) => syn::parse_quote!(pub(crate)),
            None => method.vis.clone(),
        },
        sig: method.sig.clone(),
        block: Box::new(method.block.clone()),
    };
    for input in &mut function.sig.inputs {
        if let syn::FnArg::Receiver(receiver) = input {
            let written: syn::Type = match (&receiver.reference, receiver.mutability) {
                (Some(_), Some(_)) => syn::parse_quote!(&mut #ty),
                (Some(_), None) => syn::parse_quote!(&#ty),
                _ => syn::parse_quote!(#ty),
            };
            let mutable = receiver.mutability.filter(|_| receiver.reference.is_none());
            *input = syn::parse_quote!(#mutable #this: #written);
        }
    }
    let mut own = Own {
        ty,
        output: None,
        this: &this,
    };
    for inner in &block.items {
        if let syn::ImplItem::Type(alias) = inner
            && alias.ident == "Output"
        {
            own.output = Some(alias.ty.clone());
        }
    }
    own.visit_item_fn_mut(&mut function);
    if !is_plain(&function) || !is_all_plain(&function.sig) {
        return None;
    }
    let name = method_name(block, &method.sig.ident);
    let name = Ident::new(&format!("{owner}_{name}"), method.sig.ident.span());
    function.sig.ident = name;
    // Users see the method; the kernel's own function calls it.
    let target = match &block.trait_ {
        Some((_, path, _)) => quote!(<#ty as #path>),
        None => quote!(<#ty>),
    };
    let called = &method.sig.ident;
    let comma = (!args.is_empty()).then(|| quote!(,));
    let attr = quote!(#[#private::crunch(#args #comma method(#target::#called))]);
    let docs = method.attrs.iter().filter(|a| {
        let known = ["doc", "cfg", "allow", "warn", "deny", "forbid"];
        known.iter().any(|name| a.path().is_ident(name))
    });
    Some(quote! {
        #attr
        #(#docs)*
        #[allow(non_snake_case, dead_code, private_interfaces, reason = "the kernel of a method has the name of its type")]
        #function
    })
}

/// `Self` as the type itself, and `self` as a parameter.
struct Own<'a> {
    ty: &'a syn::Type,
    output: Option<syn::Type>,
    this: &'a Ident,
}

impl VisitMut for Own<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Path(path) = ty {
            let text = path.to_token_stream().to_string();
            match (text.as_str(), &self.output) {
                ("Self", _) => {
                    *ty = self.ty.clone();
                    return;
                }
                ("Self :: Output", Some(output)) => *ty = output.clone(),
                _ => {}
            }
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.is_ident("self") {
            let mut this = self.this.clone();
            this.set_span(this.span().located_at(path.segments[0].ident.span()));
            *path = this.into();
            return;
        }
        if let syn::Type::Path(own) = self.ty
            && path.segments.first().is_some_and(|s| s.ident == "Self")
        {
            let output = path.segments.len() == 2 && path.segments[1].ident == "Output";
            let mut new = match (&self.output, output) {
                (Some(syn::Type::Path(output)), true) => output.path.clone(),
                _ => own.path.clone(),
            };
            if !output {
                new.segments.extend(path.segments.iter().skip(1).cloned());
            }
            *path = new;
        }
        syn::visit_mut::visit_path_mut(self, path);
    }
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        // The tokens of a macro are not parsed yet, so only names can be replaced.
        mac.tokens = renamed(mac.tokens.clone(), self);
    }
}

fn renamed(tokens: TokenStream, own: &Own) -> TokenStream {
    let each = tokens.into_iter().map(|token| match token {
        proc_macro2::TokenTree::Group(g) => {
            let mut new = proc_macro2::Group::new(g.delimiter(), renamed(g.stream(), own));
            new.set_span(g.span());
            proc_macro2::TokenTree::Group(new).into_token_stream()
        }
        proc_macro2::TokenTree::Ident(name) if name == "self" => own.this.to_token_stream(),
        proc_macro2::TokenTree::Ident(name) if name == "Self" => own.ty.to_token_stream(),
        token => token.into_token_stream(),
    });
    each.collect()
}
