//! Plain functions: `#[crunch]` above a function of `f32`, `f64`, integers and `bool`.
//!
//! The function does not change. The kernel with the same name is next to it and has the same bits: it is the function's body with lanes
//! instead of numbers, written here as a kernel's source and then parsed like any other kernel. Types come only from the source (`types`,
//! `outer`). They are needed where the meaning depends on the type: unsigned integers are kept in the lanes of signed ones.
//!
//! | file | what |
//! |---|---|
//! | `outer`, `shape`, `types` | the types of the file, of written types, and of every expression |
//! | `conditions` | `#[cfg]` inside a function |
//! | `implementation` | the methods of an `impl` block as functions |
//! | `read*`, `choice` | from `syn`'s tree to that of `tree`, with types |
//! | `exits` | the early exits from a block |
//! | `print*`, `convert` | from that tree to a kernel's source |

mod choice;
mod conditions;
mod convert;
mod exits;
mod implementation;
mod names;
mod outer;
mod owner;
mod print;
mod print_expr;
mod print_integer;
mod print_loop;
mod print_method;
mod print_operator;
mod print_parts;
mod print_table;
mod print_type;
mod read;
mod read_call;
mod read_each;
mod read_expr;
mod read_kernel;
mod read_loop;
mod read_parts;
mod read_std;
mod read_table;
mod read_type;
mod shape;
mod signature;
mod tree;
mod types;

use crate::ast::Lane;
use crate::errors::Errors;
use crate::messages::Message;
pub(crate) use conditions::expand as conditions;
pub(crate) use implementation::expand as implementation;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use shape::Shape;
pub(crate) use signature::is_plain;
use syn::spanned::Spanned as _;
use syn::visit::Visit;
use tree::LocalKind;

/// A plain function as the source of a kernel.
pub(crate) struct Rewritten {
    pub function: syn::ItemFn,
    /// Constants, tables and imports of the body, which precede both expansions.
    pub items: Vec<syn::Item>,
    /// The call of the function itself: its parameters, which are those of the kernel, and the kernel's results.
    pub call: Call,
}

/// The call of the plain function with the parameters of its kernel.
pub(crate) struct Call {
    pub params: Vec<Ident>,
    pub value: TokenStream,
}

/// The function as the source of a kernel. `limit` is the largest number of iterations of a loop without a range, `krate` the path of the
/// facade, and `private` the path of the runtime's names for the macro.
pub(crate) fn rewrite(
    function: &syn::ItemFn,
    limit: Option<u32>,
    krate: &TokenStream,
    private: &TokenStream,
    errors: &mut Errors,
) -> Rewritten {
    conditional(function, errors);
    let place = function.sig.ident.span();
    let mut reader = read::Reader::new(limit, place);
    for param in function.sig.generics.const_params() {
        reader.generic(param);
    }
    let ret = match &function.sig.output {
        syn::ReturnType::Type(_, ty) => reader.shape(ty),
        syn::ReturnType::Default => Shape::Tuple(Vec::new()),
    };
    reader.ret = reader.var(&ret);
    let mut lanes = function.clone();
    let mut params = Vec::new();
    // Patterns among the parameters are destructured in the body.
    let mut first = Vec::new();
    for (n, input) in lanes.sig.inputs.iter_mut().enumerate() {
        let syn::FnArg::Typed(input) = input else {
            continue;
        };
        let is_mutable = matches!(&*input.ty, syn::Type::Reference(r) if r.mutability.is_some());
        let table = reader.table_param(&input.ty);
        let shape = reader.shape(&input.ty);
        let pat = (*input.pat).clone();
        let name = match &pat {
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => p.ident.clone(),
            pat => {
                let name =
                    format_ident!("__p{n}", span = Span::mixed_site().located_at(pat.span()));
                *input.pat = syn::parse_quote!(#name);
                first.push((pat.clone(), name.clone()));
                name
            }
        };
        if let (true, syn::Pat::Ident(p)) = (is_mutable, &mut *input.pat) {
            p.mutability = Some(syn::Token![mut](p.ident.span()));
        }
        let local = match &table {
            Some(elem) => {
                let elem = reader.ty(elem);
                reader.declare(&name, elem, LocalKind::Table)
            }
            None => {
                let ty = reader.var(&shape);
                reader.declare(&name, ty, LocalKind::Variable)
            }
        };
        reader.locals[local].assigned |= is_mutable;
        params.push(Param {
            name,
            shape,
            is_table: table.is_some(),
            is_mutable,
        });
    }
    let first = first.into_iter().map(|(pat, name)| {
        let value = reader.expr(&syn::parse_quote!(#name));
        let ty = value.ty;
        let span = name.span();
        let pat = reader.pattern(&pat, ty);
        let init = Some(value);
        tree::Stmt::Let {
            pat,
            ty,
            init,
            span,
        }
    });
    let first: Vec<tree::Stmt> = first.collect();
    let mut read = reader.body(&function.block);
    read.stmts.splice(0..0, first);
    let mut printer = print::Printer::new(reader, private.clone(), errors);
    let body = printer.body(&read);
    let body = changed(&mut printer, &params, body);
    let variants = params.iter().filter_map(Param::variant);
    let body = quote!(#(#variants)* #body);
    let items = std::mem::take(&mut printer.consts);
    let items = items
        .into_iter()
        .map(|item| annotated(item, krate, private));
    let items = items.collect();
    let call = call(function, &params, &ret);
    let mut function = lanes;
    function.attrs.retain(kept);
    function.sig.constness = None;
    function.sig.unsafety = None;
    function.sig.abi = None;
    // References have no lifetimes here.
    let is_const = |p: &syn::GenericParam| matches!(p, syn::GenericParam::Const(_));
    let consts = function.sig.generics.params.iter().filter(|p| is_const(p));
    if function.sig.generics.type_params().next().is_none() {
        function.sig.generics.params = consts.cloned().collect();
    }
    let unknown = |ty: &dyn quote::ToTokens, errors: &mut Errors| {
        let name = ty.to_token_stream().to_string().replace(' ', "");
        errors.push(&ty.to_token_stream(), Message::PlainTypeUnknown { name });
    };
    let typed = function.sig.inputs.iter_mut().filter_map(|i| match i {
        syn::FnArg::Typed(input) => Some(input),
        syn::FnArg::Receiver(_) => None,
    });
    for (input, param) in typed.zip(&params) {
        if param.is_table {
            continue;
        }
        match param.shape.lanes(private, first_span(&input.ty)) {
            Some(ty) => *input.ty = ty,
            None if is_of_kernels(&input.ty) => {}
            None => {
                unknown(&input.ty, errors);
                *input.ty = syn::parse_quote!(#private::of_f32::DcFloat);
            }
        }
    }
    let mut results: Vec<&Shape> = Vec::new();
    if !matches!(&ret, Shape::Tuple(items) if items.is_empty()) {
        results.push(&ret);
    }
    results.extend(params.iter().filter(|p| p.is_mutable).map(|p| &p.shape));
    let span = first_span(&function.sig.output);
    let lanes: Option<Vec<syn::Type>> = results.iter().map(|s| s.lanes(private, span)).collect();
    match (lanes.as_deref(), &function.sig.output) {
        (Some([]), _) => {}
        (Some([one]), _) => function.sig.output = syn::parse_quote!(-> #one),
        (Some(many), _) => function.sig.output = syn::parse_quote!(-> (#(#many,)*)),
        (None, syn::ReturnType::Type(_, ty)) if !is_of_kernels(ty) => {
            unknown(ty, errors);
            function.sig.output = syn::parse_quote!(-> #private::of_f32::DcFloat);
        }
        (None, _) => {}
    }
    let brace = function.block.brace_token;
    // A statement that we wrote and that does not parse is a fault of this module.
    let parse = |input: syn::parse::ParseStream| input.call(syn::Block::parse_within);
    function.block.stmts = syn::parse::Parser::parse2(parse, body.clone())
        .unwrap_or_else(|error| unreachable!("the kernel's source is no Rust: {error}\n{body}"));
    function.block.brace_token = brace;
    Rewritten {
        function,
        items,
        call,
    }
}

/// A parameter of the function.
struct Param {
    name: Ident,
    shape: Shape,
    /// A constant table. A kernel with `map` cannot have it as a parameter.
    is_table: bool,
    /// `&mut`: it is also a result.
    is_mutable: bool,
}

impl Param {
    /// A number that belongs to no variant is the last one, as in the call of the function.
    fn variant(&self) -> Option<TokenStream> {
        let Shape::Enum(_, variants) = &self.shape else {
            return None;
        };
        let name = &self.name;
        let number = |n: i32| proc_macro2::Literal::i32_suffixed(n);
        let last = number(variants.last()?.1);
        let is = variants.iter().map(|v| {
            let n = number(v.1);
            quote!((#name == #n))
        });
        Some(quote!(let #name = (#(#is)|*).select(#name, #last);))
    }
}

/// A type for which the kernel's parser has a message, or a table.
fn is_of_kernels(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|s| {
            let single = path
                .path
                .get_ident()
                .is_some_and(|name| name.to_string().len() == 1);
            Lane::named(&s.ident).is_some() || single
        }),
        syn::Type::ImplTrait(_) | syn::Type::Never(_) => true,
        syn::Type::Reference(r) => outer::table(&r.elem).is_some(),
        _ => false,
    }
}

/// The body of a function whose `&mut` parameters are results.
fn changed(printer: &mut print::Printer, params: &[Param], body: TokenStream) -> TokenStream {
    let names: Vec<&Ident> = params
        .iter()
        .filter(|p| p.is_mutable)
        .map(|p| &p.name)
        .collect();
    if names.is_empty() {
        return body;
    }
    if printer.is_unit(printer.ret) {
        return match names[..] {
            [one] => quote!({ #body } #one),
            _ => quote!({ #body } (#(#names,)*)),
        };
    }
    let own = names::temporary("own");
    let ty = printer.annotation(printer.ret);
    quote!(let #own #ty = { #body }; (#own, #(#names,)*))
}

/// The call of the function with the kernel's parameters, returning the kernel's results.
fn call(function: &syn::ItemFn, params: &[Param], ret: &Shape) -> Call {
    let names: Vec<Ident> = (0..params.len())
        .map(|n| format_ident!("__a{n}", span = Span::mixed_site()))
        .collect();
    let mut before = TokenStream::new();
    let typed = function.sig.inputs.iter().filter_map(|i| match i {
        syn::FnArg::Typed(input) => Some(&*input.ty),
        syn::FnArg::Receiver(_) => None,
    });
    let args = typed.zip(params).zip(&names).map(|((ty, param), name)| {
        let value = param.shape.written(&quote!(#name));
        match ty {
            syn::Type::Reference(_) if param.is_mutable => {
                before.extend(quote!(let mut #name = #value;));
                quote!(&mut #name)
            }
            syn::Type::Reference(_) => quote!(&#value),
            _ => value,
        }
    });
    let args: Vec<TokenStream> = args.collect();
    let (name, generics) = (&function.sig.ident, function.sig.generics.const_params());
    let generics = generics.map(|g| &g.ident);
    let called = quote!(#name::<#(#generics),*>(#(#args),*));
    let changed = params.iter().zip(&names).filter(|p| p.0.is_mutable);
    let changed: Vec<TokenStream> = changed
        .map(|(param, name)| param.shape.flat(&quote!(#name)))
        .collect();
    let unit = matches!(ret, Shape::Tuple(items) if items.is_empty());
    let own = names::temporary("own");
    let flat = ret.flat(&match changed.is_empty() {
        true => called.clone(),
        false => quote!(#own),
    });
    let value = match (&changed[..], unit) {
        ([], _) => flat,
        ([one], true) => quote!(#called; #one),
        (many, true) => quote!(#called; (#(#many,)*)),
        (many, false) => quote!(let #own = #called; (#flat, #(#many,)*)),
    };
    Call {
        params: names,
        value: quote!({ #before #value }),
    }
}

/// A function that calls a method.
pub(crate) fn calling(function: &syn::ItemFn, method: &TokenStream) -> TokenStream {
    let mut function = function.clone();
    let mut names = Vec::new();
    for (n, input) in function.sig.inputs.iter_mut().enumerate() {
        if let syn::FnArg::Typed(input) = input {
            let name = format_ident!("__a{n}", span = Span::mixed_site());
            *input.pat = syn::parse_quote!(#name);
            names.push(name);
        }
    }
    let inside = quote!(#method(#(#names),*));
    let inside = match function.sig.unsafety {
        Some(_) => quote!(unsafe { #inside }),
        None => inside,
    };
    *function.block = syn::parse_quote!({ #inside });
    function.sig.constness = None;
    function.into_token_stream()
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

/// An item of the body. The kernel calls a function there, so the function is a kernel too.
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

/// The attributes that are also on the kernel's items. All others are only on the function.
fn kept(attr: &syn::Attribute) -> bool {
    ["cfg", "allow", "warn", "deny", "forbid"]
        .iter()
        .any(|name| attr.path().is_ident(name))
}

/// When an attribute is expanded, conditional compilation in the body has not been done yet.
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

fn first_span(ty: &impl quote::ToTokens) -> proc_macro2::Span {
    let first = ty.to_token_stream().into_iter().next();
    first.map_or_else(proc_macro2::Span::call_site, |t| t.span())
}
