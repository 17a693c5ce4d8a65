//! The function as Rust, generic over the instruction set, which the CPU runs and rustc type-checks.
//!
//! The user's tokens keep their spans. Generated tokens have the location of the operator that they replace, in the
//! macro's own context: rustc's messages point at the user's text, and lints ignore the rest.

use super::context::{Cx, const_param, declared, first_lanes, generic_type, used};
use super::fence::{self, Fences};
use crate::ast::{
    Adaptor, Arm, Assigned, Block, Expr, ExprKind, If, Kernel, Pat, Plain, Range, Stmt, Table,
    Typed,
};
use kernels_gen::ir::{BinOp, UnOp};
use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};

pub(super) fn function(cx: &Cx, k: &Kernel) -> TokenStream {
    let (p, isa_type, isa) = (&cx.private, &cx.isa_type, &cx.isa);
    let (all, own, vis, name) = (&k.attrs.all, &k.attrs.function, &k.vis, &k.name);
    let generics = k.generics.iter().map(const_param);
    // The lanes of a plain function are an associated function of its type, which has the constants.
    let (lanes, generics) = match k.plain {
        Some(_) => (format_ident!("lanes"), quote!()),
        None => (name.clone(), quote!(#(#generics),*)),
    };
    let plain = k.plain.as_ref().map(|_| {
        quote!(#[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, reason = "what rustc and clippy have to say, they say of the plain function")])
    });
    let params = k.params.iter().map(|x| {
        let (mutability, name, ty) = (&x.mutability, &x.name, generic_type(cx, &x.ty));
        quote!(#mutability #name: #ty)
    });
    let ret = generic_type(cx, &k.ret);
    let fn_token = &k.fn_token;
    let first = first_lanes(&k.params);
    let body = block_inside(cx, &k.body);
    let (consts, uses) = (&k.consts, cx.callees.uses(cx));
    let step = k.step.then(|| {
        let constants = k.generics.iter().map(|g| &g.name);
        let names = k.params.iter().map(|x| &x.name);
        quote! {
            if const { #p::step::cut::<#isa_type>() } {
                return #p::step::by_unit::<#name::<#(#constants),*>, #isa_type>(#isa, (#(#names,)*));
            }
        }
    });
    let instruction = k.instruction.as_ref().map(|function| {
        let names = k.params.iter().map(|x| &x.name);
        quote! {
            if let ::core::option::Option::Some(result) = #function(#(#names),*) {
                return result;
            }
        }
    });
    let function = quote! {
        #(#own)*
        #(#all)*
        #plain
        #[doc(hidden)]
        #[inline(always)]
        #[allow(
            clippy::inline_always, clippy::manual_div_ceil, clippy::too_many_arguments, clippy::must_use_candidate,
            clippy::type_complexity, clippy::let_unit_value, unused_assignments,
            reason = "a kernel has the form that the other backends need"
        )]
        #vis #fn_token #lanes<#isa_type: #p::Isa, #generics>(#(#params),*) -> #ret {
            #uses
            let #isa = #p::ops::isa_of(&#first);
            #(#consts)*
            #step
            #instruction
            #body
        }
    };
    let Some(Plain { item, .. }) = &k.plain else {
        return function;
    };
    let (declared, used) = (declared(&k.generics), used(&k.generics));
    quote! {
        #item
        #(#all)*
        impl #declared #name #used { #function }
    }
}

/// A span for the macro's own tokens, at a place in the user's text.
pub(super) fn own(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// `P::ops::name(args)`, extending over the user's expression and pointing at its operator.
fn op(cx: &Cx, e: &Expr, name: &str, args: &TokenStream) -> TokenStream {
    let path = in_ops(cx, own(e.first), Ident::new(name, own(e.at)));
    let mut group = Group::new(Delimiter::Parenthesis, args.clone());
    group.set_span(own(e.last));
    quote!(#path #group)
}

/// The mathematical function with this name, for lanes of any precision. Errors point at the name.
fn function_path(cx: &Cx, name: &Ident) -> TokenStream {
    let span = own(name.span());
    let path = cx.functions.clone().into_iter().map(|mut token| {
        token.set_span(token.span().located_at(span));
        token
    });
    quote_spanned!(span=> #(#path)*::#name)
}

/// `P::ops::name`
pub(super) fn in_ops(cx: &Cx, span: Span, name: Ident) -> TokenStream {
    let private = cx.private.clone().into_iter().map(|mut token| {
        token.set_span(token.span().located_at(span));
        token
    });
    let ops = quote_spanned!(span=> ::ops::);
    private.chain(ops).chain([TokenTree::from(name)]).collect()
}

fn braces(tokens: TokenStream, last: Span) -> TokenStream {
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(own(last));
    group.into_token_stream()
}

// --- statements

fn block_inside(cx: &Cx, block: &Block) -> TokenStream {
    let mut fences = Fences::default();
    let stmts = block.stmts.iter().map(|s| {
        let own = stmt(cx, s);
        let fence = fences.after(cx, s);
        quote!(#own #fence)
    });
    let value = block.value.as_ref().map(|e| expr(cx, e));
    quote!(#(#stmts)* #value)
}

fn stmt(cx: &Cx, stmt: &Stmt) -> TokenStream {
    match stmt {
        Stmt::Let { pat, ty, value } => {
            let pat = pattern(pat);
            let ty = ty
                .as_ref()
                .map(|t| generic_type(cx, t))
                .map(|t| quote!(: #t));
            let value = expr(cx, value);
            quote!(let #pat #ty = #value;)
        }
        Stmt::Assign { name, value, .. } => {
            let value = expr(cx, value);
            quote!(#name = #value;)
        }
        Stmt::AssignTuple { left, value, .. } => {
            let value = expr(cx, value);
            quote!(#left = #value;)
        }
        Stmt::Expr { value, semi } => {
            let value = expr(cx, value);
            if *semi { quote!(#value;) } else { value }
        }
        Stmt::For {
            token,
            pat,
            range,
            body,
            assigned,
            ..
        } => {
            let range = self::range(cx, range);
            let body = block_inside(cx, body);
            let fences = assigned
                .iter()
                .take(1)
                .map(|a| fence::variable(cx, &a.name));
            quote!(#token #pat in #range { { #body } #(#fences)* })
        }
    }
}

fn pattern(pat: &Pat) -> TokenStream {
    match pat {
        Pat::Local(_, mutability, name) => quote!(#mutability #name),
        Pat::Wild(token) => quote!(#token),
        Pat::Tuple(items) => {
            let items = items.iter().map(pattern);
            quote!((#(#items,)*))
        }
    }
}

fn range(cx: &Cx, r: &Range) -> TokenStream {
    let (start, limits, end) = (bound(cx, &r.start), &r.limits, bound(cx, &r.end));
    let mut tokens = quote!((#start #limits #end));
    for adaptor in &r.adaptors {
        tokens = match adaptor {
            Adaptor::Rev(name) => quote!(#tokens.#name()),
            Adaptor::StepBy(name, step) => {
                let step = bound(cx, step);
                quote!(#tokens.#name(#step))
            }
        };
    }
    // The counter is a `usize` even where all bounds are literals.
    quote!(#tokens)
}

/// An index expression that is known when the kernel is lowered: plain `usize` arithmetic.
fn bound(cx: &Cx, e: &Expr) -> TokenStream {
    match &e.kind {
        ExprKind::Const(path) => quote!(#path),
        _ => plain_arithmetic(cx, e, "usize"),
    }
}

fn plain_arithmetic(cx: &Cx, e: &Expr, suffix: &str) -> TokenStream {
    match &e.kind {
        ExprKind::Int(n) => integer(*n, suffix, e),
        ExprKind::Const(path) => quote!(#path),
        ExprKind::Binary(binary, a, b) => {
            let (a, b) = (
                plain_arithmetic(cx, a, suffix),
                plain_arithmetic(cx, b, suffix),
            );
            let symbol = symbol(*binary, own(e.at));
            let mut group = Group::new(Delimiter::Parenthesis, quote!(#a #symbol #b));
            group.set_span(own(e.last));
            group.into_token_stream()
        }
        _ => expr(cx, e),
    }
}

fn integer(n: i128, suffix: &str, e: &Expr) -> TokenStream {
    let sign = (n < 0).then(|| quote_spanned!(e.first=> -));
    let digits = format!("{}{suffix}", n.unsigned_abs());
    // Digits and a suffix that we wrote: always a literal.
    let mut literal: Literal = digits.parse().expect("an integer literal");
    literal.set_span(e.last);
    quote!(#sign #literal)
}

fn symbol(binary: BinOp, span: Span) -> TokenStream {
    match binary {
        BinOp::Add => quote_spanned!(span=> +),
        BinOp::Sub => quote_spanned!(span=> -),
        BinOp::Mul => quote_spanned!(span=> *),
        BinOp::Div => quote_spanned!(span=> /),
        BinOp::Rem => quote_spanned!(span=> %),
        BinOp::And => quote_spanned!(span=> &),
        BinOp::Or => quote_spanned!(span=> |),
        BinOp::Xor => quote_spanned!(span=> ^),
        BinOp::Shl => quote_spanned!(span=> <<),
        BinOp::Shr => quote_spanned!(span=> >>),
        BinOp::Lt => quote_spanned!(span=> <),
        BinOp::Le => quote_spanned!(span=> <=),
        BinOp::Gt => quote_spanned!(span=> >),
        BinOp::Ge => quote_spanned!(span=> >=),
        BinOp::Eq => quote_spanned!(span=> ==),
        BinOp::Ne => quote_spanned!(span=> !=),
        BinOp::AndAlso => quote_spanned!(span=> &&),
        BinOp::OrElse => quote_spanned!(span=> ||),
    }
}

// --- expressions

fn expr(cx: &Cx, e: &Expr) -> TokenStream {
    let isa = &cx.isa;
    match &e.kind {
        ExprKind::Local(_, name) => quote!(#name),
        ExprKind::Float(wide, narrow) => {
            let (wide, narrow) = (bits64(*wide), bits32(*narrow));
            op(cx, e, "float", &quote!(#isa, #wide, #narrow))
        }
        ExprKind::Int(n) => {
            let n = integer(*n, "", e);
            op(cx, e, "int", &quote!(#isa, #n))
        }
        ExprKind::Bool(b) => {
            Ident::new(if *b { "true" } else { "false" }, e.at).into_token_stream()
        }
        ExprKind::Typed(Typed::Usize(n)) => integer(i128::from(*n), "usize", e),
        ExprKind::Typed(literal) => {
            let literal = typed(*literal);
            op(cx, e, "constant", &quote!(#isa, #literal))
        }
        ExprKind::Const(path) => op(cx, e, "constant", &quote!(#isa, #path)),
        ExprKind::Unary(unary, a) => {
            let name = match unary {
                UnOp::Neg => "neg",
                UnOp::Not => "not",
            };
            op(cx, e, name, &expr(cx, a))
        }
        ExprKind::Binary(binary, a, b) => {
            let a = expr(cx, a);
            let b = match binary {
                BinOp::Shl | BinOp::Shr if b.is_literal_arithmetic() => {
                    plain_arithmetic(cx, b, "u32")
                }
                _ => expr(cx, b),
            };
            op(cx, e, function_of(*binary), &quote!(#a, #b))
        }
        ExprKind::Method(receiver, name, args) => {
            let receiver = expr(cx, receiver);
            // A shift amount of literals has its own type, as on the right of `<<`.
            let args = match args.as_slice() {
                [n] if name == "shr_logical" && n.is_literal_arithmetic() => {
                    let mut group =
                        Group::new(Delimiter::Parenthesis, plain_arithmetic(cx, n, "u32"));
                    group.set_span(e.last);
                    group.into_token_stream()
                }
                _ => arguments(cx, args, e.last),
            };
            quote!(#receiver.#name #args)
        }
        ExprKind::Function(name, args) => {
            let (path, args) = (function_path(cx, name), arguments(cx, args, e.last));
            op(cx, e, "fence", &quote!(#path #args))
        }
        ExprKind::Assoc(_, path, name, args) => {
            let (isa, args) = (&cx.isa_type, arguments(cx, args, e.last));
            quote!(#path::<#isa>::#name #args)
        }
        ExprKind::Call(written, args) => {
            let alias = cx.callees.alias(written, e.at);
            let (path, args) = (callee(cx, written), arguments(cx, args, e.last));
            let Some(alias) = alias else {
                let called = match cx.callees.known(written) {
                    _ if cx.plain => quote!(#written::lanes),
                    true => {
                        let p = &cx.private;
                        quote_spanned!(e.at=> <#written as #p::CrunchFn>::CALL.of(#path))
                    }
                    false => path,
                };
                return op(cx, e, "fence", &quote!(#called #args));
            };
            // A function that is not a kernel has no `Call`, and rustc infers nothing from a type that is an error. So one mistake gives
            // one message.
            let (p, span) = (&cx.private, e.at);
            let call = quote_spanned!(span=> <#alias as #p::CrunchFn>::CALL.of);
            op(cx, e, "fence", &quote!(#call(#path) #args))
        }
        ExprKind::TableArg(and, t) => {
            let table = table(t);
            quote!(#and #table)
        }
        ExprKind::Index(t, index) => {
            let table = table(t);
            let index = if index.is_literal_arithmetic() {
                plain_arithmetic(cx, index, "usize")
            } else {
                expr(cx, index)
            };
            let whole = quote_spanned!(own(e.first)=> [..]);
            let and = quote_spanned!(own(e.first)=> &);
            op(cx, e, "table", &quote!(#isa, #and #table #whole, #index))
        }
        ExprKind::Len(t) => {
            let (table, len) = (table(t), Ident::new("len", e.at));
            quote!(#table.#len())
        }
        ExprKind::Tuple(items) => {
            let items = items.iter().map(|x| expr(cx, x));
            let mut group = Group::new(Delimiter::Parenthesis, quote!(#(#items,)*));
            group.set_span(own(e.last));
            group.into_token_stream()
        }
        ExprKind::Field(base, _, member) => {
            let base = expr(cx, base);
            quote!(#base.#member)
        }
        ExprKind::If(branch) => if_(cx, branch, e),
        ExprKind::Block(block) => braces(block_inside(cx, block), e.last),
        ExprKind::Lanes(index) => {
            let index = bound(cx, index);
            op(cx, e, "index_lanes", &quote!(#isa, #index))
        }
        ExprKind::Refused => TokenStream::new(),
    }
}

fn function_of(binary: BinOp) -> &'static str {
    match binary {
        BinOp::Add => "add",
        BinOp::Sub => "sub",
        BinOp::Mul => "mul",
        BinOp::Div => "div",
        BinOp::Rem => "rem",
        BinOp::And => "and",
        BinOp::Or => "or",
        BinOp::Xor => "xor",
        BinOp::Shl => "shl",
        BinOp::Shr => "shr",
        BinOp::Lt => "lt",
        BinOp::Le => "le",
        BinOp::Gt => "gt",
        BinOp::Ge => "ge",
        BinOp::Eq => "eq",
        BinOp::Ne => "ne",
        BinOp::AndAlso => "and_also",
        BinOp::OrElse => "or_else",
    }
}

fn arguments(cx: &Cx, args: &[Expr], last: Span) -> TokenStream {
    let args = args.iter().map(|a| expr(cx, a));
    let mut group = Group::new(Delimiter::Parenthesis, quote!(#(#args),*));
    group.set_span(last);
    group.into_token_stream()
}

/// A kernel's path, with the instruction set as the first of its generic arguments if any are written.
fn callee(cx: &Cx, path: &syn::Path) -> TokenStream {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut()
        && let syn::PathArguments::AngleBracketed(args) = &mut last.arguments
    {
        let isa = &cx.isa_type;
        args.args.insert(0, syn::parse_quote!(#isa));
    }
    path.into_token_stream()
}

fn table(t: &Table) -> TokenStream {
    match t {
        Table::Param(_, name) => quote!(#name),
        Table::Path(path) => quote!(#path),
        Table::Refused => TokenStream::new(),
    }
}

// --- literals: as bits, so that neither printing nor lints affect them

pub(super) fn bits64(x: f64) -> TokenStream {
    let bits = x.to_bits();
    quote!(::core::primitive::f64::from_bits(#bits))
}
pub(super) fn bits32(x: f32) -> TokenStream {
    let bits = x.to_bits();
    quote!(::core::primitive::f32::from_bits(#bits))
}
pub(super) fn typed(literal: Typed) -> TokenStream {
    match literal {
        Typed::F64(x) => bits64(x),
        Typed::F32(x) => bits32(x),
        Typed::I64(n) => quote!(#n),
        Typed::U64(n) => quote!(#n),
        Typed::I32(n) => quote!(#n),
        Typed::U32(n) => quote!(#n),
        Typed::Usize(n) => {
            let n = Literal::u64_unsuffixed(n);
            quote!(#n as ::core::primitive::usize)
        }
    }
}

// --- branches

/// Each arm runs on copies of the variables that it assigns; `merge` selects, by a branch or lane by lane.
///
/// There are no closures: rustc sees the assignments to the outer variables, and everything is inlined.
fn if_(cx: &Cx, branch: &If, e: &Expr) -> TokenStream {
    let span = own(e.at);
    let [c, then, otherwise, value] =
        ["c", "then", "otherwise", "value"].map(|n| Ident::new(n, span));
    let ops = |name: &str| in_ops(cx, span, Ident::new(name, span));
    let (takes_then, takes_else, merge) = (ops("takes_then"), ops("takes_else"), ops("merge"));
    let cond = expr(cx, &branch.cond);
    let then_arm = arm(cx, Some(&branch.then), &branch.assigned, span);
    let else_arm = arm(cx, branch.otherwise.as_ref(), &branch.assigned, span);
    let merged: Vec<Ident> = (0..branch.assigned.len())
        .map(|i| format_ident!("new{i}", span = span))
        .collect();
    let names = branch.assigned.iter().map(|a| &a.name);
    let pat = nested(&merged.iter().map(|m| quote!(#m)).collect::<Vec<_>>(), span);
    let some = quote_spanned!(span=> ::core::option::Option::Some);
    let none = quote_spanned!(span=> ::core::option::Option::None);
    let tokens = quote_spanned! {span=>
        let #c = #cond;
        let #then = if #takes_then(&#c) { #some({ #then_arm }) } else { #none };
        let #otherwise = if #takes_else(&#c) { #some({ #else_arm }) } else { #none };
        let (#value, #pat) = #merge(#c, #then, #otherwise);
        #(#names = #merged;)*
        #value
    };
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(span);
    group.into_token_stream()
}

/// The arm's value, and the variables after it.
fn arm(cx: &Cx, arm: Option<&Arm>, assigned: &[Assigned], span: Span) -> TokenStream {
    let names: Vec<TokenStream> = assigned.iter().map(|a| a.name.to_token_stream()).collect();
    let after = nested(&names, span);
    let Some(arm) = arm else {
        return quote_spanned!(span=> ((), #after));
    };
    let copies = arm.assigned.iter().map(|a| &a.name);
    let body = block_inside(cx, &arm.block);
    let value = Ident::new("value", span);
    // The arm has a separate block, after which a shadowed name means the outer variable again.
    quote_spanned! {span=>
        #(let mut #copies = #copies;)*
        let #value = { #body };
        (#value, #after)
    }
}

/// Tuples of at most eight, the largest that the runtime can select.
fn nested(items: &[TokenStream], span: Span) -> TokenStream {
    if items.len() <= 8 {
        return quote_spanned!(span=> (#(#items,)*));
    }
    let size = items.len().div_ceil(8);
    let parts: Vec<TokenStream> = items.chunks(size).map(|part| nested(part, span)).collect();
    quote_spanned!(span=> (#(#parts,)*))
}
