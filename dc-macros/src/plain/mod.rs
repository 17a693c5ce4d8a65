//! Plain functions: `#[crunch]` above a function of `f32`, `f64`, integers and `bool`.
//!
//! The function stays as it is. Beside it stands the kernel of the same name, which has the same bits: the function's body with
//! lanes in place of numbers, written here as a kernel's source and then read by the kernel's parser as any other. Types come from
//! the source alone (`types`, `outer`), since the two languages differ where only a type tells: unsigned integers are kept in
//! the lanes of signed ones.
//!
//! | file | what |
//! |---|---|
//! | `read*`, `choice` | from `syn`'s tree to that of `tree`, with types |
//! | `exits` | where control leaves a block early |
//! | `print*`, `convert` | from there to a kernel's source |

mod choice;
mod convert;
mod exits;
mod names;
mod outer;
mod print;
mod print_expr;
mod print_loop;
mod print_method;
mod print_operator;
mod print_table;
mod print_type;
mod read;
mod read_call;
mod read_expr;
mod read_loop;
mod read_table;
mod tree;
mod types;

use crate::ast::Lane;
use crate::errors::Errors;
use proc_macro2::TokenStream;
use quote::{ToTokens as _, format_ident};
use syn::visit::Visit;
use tree::LocalKind;
use types::Num;

/// A plain function as the source of a kernel.
pub(crate) struct Rewritten {
    pub function: syn::ItemFn,
    /// Constants, tables and imports of the body, which precede both expansions.
    pub items: Vec<syn::Item>,
}

/// Whether the signature has plain numbers and no lanes.
pub(crate) fn is_plain(function: &syn::ItemFn) -> bool {
    struct Kinds {
        plain: bool,
        lanes: bool,
    }
    impl<'ast> Visit<'ast> for Kinds {
        fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
            if let Some(last) = path.path.segments.last() {
                self.lanes |= Lane::named(&last.ident).is_some();
            }
            self.plain |= outer::num(&syn::Type::Path(path.clone())).is_some();
            syn::visit::visit_type_path(self, path);
        }
        // A table is of plain numbers in every kernel, and the length of an array is no value.
        fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {}
        fn visit_type_array(&mut self, _: &'ast syn::TypeArray) {}
    }
    let mut kinds = Kinds {
        plain: false,
        lanes: false,
    };
    for input in &function.sig.inputs {
        if let syn::FnArg::Typed(input) = input {
            kinds.visit_type(&input.ty);
        }
    }
    kinds.visit_return_type(&function.sig.output);
    kinds.plain && !kinds.lanes
}

/// The function as the source of a kernel. `limit` is the most times that a loop without a range goes round, `krate` the
/// path of the facade and `private` that of the runtime's names for the macro.
pub(crate) fn rewrite(
    function: &syn::ItemFn,
    limit: Option<u32>,
    krate: &TokenStream,
    private: &TokenStream,
    errors: &mut Errors,
) -> Rewritten {
    conditional(function, errors);
    let never = syn::parse_quote!(());
    let ret = match &function.sig.output {
        syn::ReturnType::Type(_, ty) => ty,
        syn::ReturnType::Default => &never,
    };
    let mut reader = read::Reader::new(ret, limit);
    for param in function.sig.generics.const_params() {
        reader.generic(param);
    }
    for input in &function.sig.inputs {
        let syn::FnArg::Typed(input) = input else {
            continue;
        };
        let syn::Pat::Ident(name) = &*input.pat else {
            continue;
        };
        let (ty, kind) = match outer::of_type(&input.ty) {
            Some(outer::Outer::Table(elem)) => (reader.types.num(elem), LocalKind::Table),
            _ => (reader.ty(&input.ty), LocalKind::Variable),
        };
        reader.declare(&name.ident, ty, kind);
    }
    let read = reader.body(&function.block);
    let mut printer = print::Printer::new(reader, private.clone(), errors);
    let body = printer.body(&read);
    let items = std::mem::take(&mut printer.consts);
    let items = items
        .into_iter()
        .map(|item| annotated(item, krate, private));
    let items = items.collect();
    let mut function = function.clone();
    function.attrs.retain(kept);
    function.sig.constness = None;
    function.sig.unsafety = None;
    function.sig.abi = None;
    for input in &mut function.sig.inputs {
        if let syn::FnArg::Typed(input) = input {
            *input.ty = lanes(&input.ty, private);
        }
    }
    if let syn::ReturnType::Type(_, ty) = &mut function.sig.output {
        **ty = lanes(ty, private);
    }
    let brace = function.block.brace_token;
    // A statement of ours that is none would be a fault of this module.
    let parse = |input: syn::parse::ParseStream| input.call(syn::Block::parse_within);
    function.block.stmts = syn::parse::Parser::parse2(parse, body.clone())
        .unwrap_or_else(|error| unreachable!("the kernel's source is no Rust: {error}\n{body}"));
    function.block.brace_token = brace;
    Rewritten { function, items }
}

/// A module whose plain functions all get the attribute.
pub(crate) fn module(
    args: &TokenStream,
    item: &TokenStream,
    private: &TokenStream,
) -> Option<TokenStream> {
    let mut module = syn::parse2::<syn::ItemMod>(item.clone()).ok()?;
    let (_, items) = module.content.as_mut()?;
    for item in items {
        if let syn::Item::Fn(function) = item
            && is_plain(function)
            && !is_marked(function)
        {
            let attr = syn::parse_quote!(#[#private::crunch(#args)]);
            function.attrs.insert(0, attr);
        }
    }
    Some(module.into_token_stream())
}

fn is_marked(function: &syn::ItemFn) -> bool {
    function.attrs.iter().any(|a| {
        let last = a.path().segments.last();
        last.is_some_and(|s| s.ident == "crunch")
    })
}

/// An item of the body: a function there is called by its kernel, so it is a kernel, too.
fn annotated(item: syn::Item, krate: &TokenStream, private: &TokenStream) -> syn::Item {
    let syn::Item::Fn(mut function) = item else {
        return item;
    };
    if !is_marked(&function) {
        let krate = krate.to_string().replace(' ', "");
        let attr = syn::parse_quote!(#[#private::crunch(crate = #krate)]);
        function.attrs.insert(0, attr);
    }
    syn::Item::Fn(function)
}

/// The attributes that the kernel's items have too; all others are the function's own.
fn kept(attr: &syn::Attribute) -> bool {
    ["cfg", "allow", "warn", "deny", "forbid"]
        .iter()
        .any(|name| attr.path().is_ident(name))
}

/// Conditional compilation in the body is not done yet when an attribute is expanded.
fn conditional(function: &syn::ItemFn, errors: &mut Errors) {
    struct Conditions(Vec<syn::Attribute>);
    impl<'ast> Visit<'ast> for Conditions {
        fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
            if attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr") {
                self.0.push(attr.clone());
            }
        }
    }
    let mut conditions = Conditions(Vec::new());
    conditions.visit_block(&function.block);
    crate::attr::inside(&conditions.0, errors);
}

/// A type of the signature in lanes, by a path that has the plain type, as `map` takes slices of that.
fn lanes(ty: &syn::Type, private: &TokenStream) -> syn::Type {
    match ty {
        syn::Type::Paren(p) => lanes(&p.elem, private),
        syn::Type::Group(g) => lanes(&g.elem, private),
        syn::Type::Tuple(t) => {
            let items = t.elems.iter().map(|t| lanes(t, private));
            syn::parse_quote!((#(#items,)*))
        }
        ty => {
            let Some(num) = outer::num(ty) else {
                return ty.clone();
            };
            // The module's name is that of the plain type.
            let (plain, _) = Num::ALL
                .iter()
                .find(|x| x.1 == num)
                .expect("all types are there");
            let module = format_ident!("of_{plain}");
            let name = syn::Ident::new(num.lane().name(), first_span(ty));
            syn::parse_quote!(#private::#module::#name)
        }
    }
}

fn first_span(ty: &syn::Type) -> proc_macro2::Span {
    let first = ty.to_token_stream().into_iter().next();
    first.map_or_else(proc_macro2::Span::call_site, |t| t.span())
}
