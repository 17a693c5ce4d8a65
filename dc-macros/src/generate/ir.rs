//! The function as a constant tree, `kernels_gen::ir`, node by node.
//!
//! Paths, tables and callees are evaluated by rustc's const evaluation.

use super::context::Cx;
use super::rust::{bits32, bits64, typed};
use crate::ast::{
    Adaptor, Block, Expr, ExprKind, Kernel, Length, Local, Param, Pat, Range, Stmt, Table, Ty,
    Typed,
};
use crate::source::position;
use kernels_gen::ir::{BinOp, Elem, UnOp};
use kernels_gen::ops::stored;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;

pub(super) fn kernel(cx: &Cx, k: &Kernel) -> TokenStream {
    let ir = ir(cx);
    let (name, source) = (k.name.unraw().to_string(), &k.source);
    let (line, _) = position(k.fn_token.span);
    let generics = k.generics.iter().map(|g| {
        let (text, name) = (g.name.unraw().to_string(), &g.name);
        quote!((#text, #ir::Wrap(#name).constant()))
    });
    let params = k.params.iter().map(|p| param(cx, p));
    let ret = ty(cx, &k.ret);
    let locals = k.locals.iter().map(|l| l.name.unraw().to_string());
    let body = block(cx, &k.body);
    quote! {
        #ir::Kernel {
            name: #name,
            module: ::core::module_path!(),
            file: ::core::file!(),
            line: #line,
            source: #source,
            generics: &[#(#generics),*],
            params: &[#(#params),*],
            ret: #ret,
            locals: &[#(#locals),*],
            body: #body,
        }
    }
}

/// The tree of a kernel whose body has errors. It is never used, but must exist.
pub(super) fn empty(cx: &Cx, k: &Kernel) -> TokenStream {
    let (ir, name) = (ir(cx), k.name.unraw().to_string());
    quote! {
        #ir::Kernel {
            name: #name,
            module: ::core::module_path!(),
            file: ::core::file!(),
            line: 0,
            source: "",
            generics: &[],
            params: &[],
            ret: #ir::Ty::Tuple(&[]),
            locals: &[],
            body: #ir::Block { stmts: &[], value: ::core::option::Option::None },
        }
    }
}

fn ir(cx: &Cx) -> TokenStream {
    let p = &cx.private;
    quote!(#p::ir)
}

fn param(cx: &Cx, p: &Param) -> TokenStream {
    let (ir, name, ty) = (ir(cx), p.name.unraw().to_string(), ty(cx, &p.ty));
    let length = match &p.length {
        None => quote!(#ir::Length::ANY),
        Some(Length { least, most, why }) => {
            let most = most.unwrap_or(usize::MAX);
            quote!(#ir::Length { least: #least, most: #most, why: #why })
        }
    };
    quote!(#ir::Param { name: #name, ty: #ty, length: #length })
}

fn ty(cx: &Cx, t: &Ty) -> TokenStream {
    let ir = ir(cx);
    match t {
        Ty::Lane(lane, _) => {
            let variant = format_ident!("{}", lane.signed().variant());
            quote!(#ir::Ty::#variant)
        }
        Ty::Tuple(items) => {
            let items = items.iter().map(|t| ty(cx, t));
            quote!(#ir::Ty::Tuple(&[#(#items),*]))
        }
        Ty::Table(elem, _) => {
            let elem = match elem {
                Elem::F64 => quote!(F64),
                Elem::F32 => quote!(F32),
                Elem::I64 => quote!(I64),
                Elem::U64 => quote!(U64),
                Elem::I32 => quote!(I32),
                Elem::U32 => quote!(U32),
            };
            quote!(#ir::Ty::Table(#ir::Elem::#elem))
        }
        Ty::Plain(_) | Ty::Refused => quote!(#ir::Ty::Tuple(&[])),
    }
}

/// The annotation of a `let`, if the tree can represent it: it has no `usize`, `bool` and `_`.
fn annotation(cx: &Cx, t: Option<&Ty>) -> TokenStream {
    fn sayable(t: &Ty) -> bool {
        match t {
            Ty::Lane(..) => true,
            Ty::Tuple(items) => items.iter().all(sayable),
            Ty::Table(..) | Ty::Plain(_) | Ty::Refused => false,
        }
    }
    match t.filter(|t| sayable(t)) {
        Some(t) => {
            let t = ty(cx, t);
            quote!(::core::option::Option::Some(#t))
        }
        None => quote!(::core::option::Option::None),
    }
}

fn local(l: Local) -> Literal {
    Literal::usize_unsuffixed(l)
}

// --- statements

fn block(cx: &Cx, b: &Block) -> TokenStream {
    let ir = ir(cx);
    let stmts = b.stmts.iter().map(|s| stmt(cx, s));
    let value = match &b.value {
        Some(e) => {
            let e = expr(cx, e);
            quote!(::core::option::Option::Some(&#e))
        }
        None => quote!(::core::option::Option::None),
    };
    quote!(#ir::Block { stmts: &[#(#stmts),*], value: #value })
}

fn stmt(cx: &Cx, s: &Stmt) -> TokenStream {
    let ir = ir(cx);
    match s {
        Stmt::Let { pat, ty, value } => {
            let (pat, ty, value) = (
                pattern(cx, pat),
                annotation(cx, ty.as_ref()),
                expr(cx, value),
            );
            quote!(#ir::Stmt::Let(#pat, #ty, &#value))
        }
        Stmt::Assign {
            local: l, value, ..
        } => {
            let (l, value) = (local(*l), expr(cx, value));
            quote!(#ir::Stmt::Assign(#l, &#value))
        }
        // All values are evaluated before all assignments: `(a, b) = (b, a)` exchanges the values.
        Stmt::AssignTuple {
            pat,
            targets,
            value,
            ..
        } => {
            let loc = loc(cx, value.at);
            let (pat, value) = (pattern(cx, pat), expr(cx, value));
            let targets = targets.iter().map(|(from, to, _)| {
                let (from, to) = (local(*from), local(*to));
                quote!(#ir::Stmt::Assign(#to, &#ir::Expr {
                    kind: #ir::ExprKind::Local(#from),
                    loc: #loc,
                }))
            });
            quote! {
                #ir::Stmt::Let(#pat, ::core::option::Option::None, &#value),
                #(#targets),*
            }
        }
        Stmt::Expr { value, .. } => {
            let value = expr(cx, value);
            quote!(#ir::Stmt::Expr(&#value))
        }
        Stmt::For {
            token,
            counter,
            range,
            body,
            ..
        } => {
            let (counter, loc) = (local(*counter), loc(cx, token.span));
            let (range, body) = (self::range(cx, range), block(cx, body));
            quote!(#ir::Stmt::For(#counter, #range, #body, #loc))
        }
    }
}

fn pattern(cx: &Cx, pat: &Pat) -> TokenStream {
    let ir = ir(cx);
    match pat {
        Pat::Local(l, ..) => {
            let l = local(*l);
            quote!(#ir::Pat::Local(#l))
        }
        Pat::Wild(_) => quote!(#ir::Pat::Wild),
        Pat::Tuple(items) => {
            let items = items.iter().map(|p| pattern(cx, p));
            quote!(#ir::Pat::Tuple(&[#(#items),*]))
        }
    }
}

fn range(cx: &Cx, r: &Range) -> TokenStream {
    let ir = ir(cx);
    let (start, end) = (expr(cx, &r.start), expr(cx, &r.end));
    let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
    let adaptors = r.adaptors.iter().map(|a| match a {
        Adaptor::Rev(_) => quote!(#ir::Adaptor::Rev),
        Adaptor::StepBy(_, step) => {
            let step = expr(cx, step);
            quote!(#ir::Adaptor::StepBy(&#step))
        }
    });
    quote! {
        #ir::Range { start: &#start, end: &#end, inclusive: #inclusive, adaptors: &[#(#adaptors),*] }
    }
}

// --- expressions

fn loc(cx: &Cx, span: Span) -> TokenStream {
    let (ir, (line, col)) = (ir(cx), position(span));
    quote!(#ir::Loc { line: #line, col: #col })
}

fn expr(cx: &Cx, e: &Expr) -> TokenStream {
    let (ir, loc, kind) = (ir(cx), loc(cx, e.at), kind(cx, e));
    quote!(#ir::Expr { kind: #ir::ExprKind::#kind, loc: #loc })
}

fn exprs(cx: &Cx, list: &[Expr]) -> TokenStream {
    let list = list.iter().map(|e| expr(cx, e));
    quote!(&[#(#list),*])
}

fn kind(cx: &Cx, e: &Expr) -> TokenStream {
    let ir = ir(cx);
    match &e.kind {
        ExprKind::Local(l, _) => {
            let l = local(*l);
            quote!(Local(#l))
        }
        ExprKind::Float(wide, narrow) => {
            let (wide, narrow) = (bits64(*wide), bits32(*narrow));
            quote!(Float(#wide, #narrow))
        }
        ExprKind::Int(n) => {
            let n = Literal::i128_unsuffixed(*n);
            quote!(Int(#n))
        }
        ExprKind::Bool(b) => quote!(Bool(#b)),
        ExprKind::Typed(literal) => {
            let (variant, literal) = (variant_of(*literal), typed(*literal));
            quote!(Const(#ir::Const::#variant(#literal)))
        }
        ExprKind::Const(path) => {
            let constant = Ident::new("constant", e.last);
            quote!(Const(#ir::Wrap(#path).#constant()))
        }
        ExprKind::Unary(op, a) => {
            let a = expr(cx, a);
            let op = match op {
                UnOp::Neg => quote!(Neg),
                UnOp::Not => quote!(Not),
            };
            quote!(Unary(#ir::UnOp::#op, &#a))
        }
        ExprKind::Binary(op, a, b) => {
            let (op, a, b) = (operator(*op), expr(cx, a), expr(cx, b));
            quote!(Binary(#ir::BinOp::#op, &#a, &#b))
        }
        // The number is rounded by a kernel.
        ExprKind::Method(receiver, name, _) if let Some(kernel) = stored(&name.to_string()) => {
            let (p, receiver) = (&cx.private, expr(cx, receiver));
            let kernel = Ident::new(kernel, e.at);
            quote!(Call(<#p::#kernel as #p::CrunchFn>::KERNEL, &[#receiver]))
        }
        ExprKind::Method(receiver, name, args) => {
            let (name, receiver, args) = (name.to_string(), expr(cx, receiver), exprs(cx, args));
            quote!(Method(#name, &#receiver, #args))
        }
        ExprKind::Function(name, args) => {
            let (functions, args) = (&cx.functions, exprs(cx, args));
            quote!(Function(#functions::trees::#name, #args))
        }
        ExprKind::Assoc(lane, _, name, args) => {
            let lane = format_ident!("{}", lane.variant());
            let (name, args) = (name.to_string(), exprs(cx, args));
            quote!(Assoc(#ir::Ty::#lane, #name, #args))
        }
        ExprKind::Call(path, args) => {
            let (p, span) = (&cx.private, e.at);
            let kernel = match cx.callees.alias(path, span) {
                Some(alias) => quote_spanned!(span=> <#alias as #p::Tree>::KERNEL),
                None => quote_spanned!(span=> <#path as #p::CrunchFn>::KERNEL),
            };
            let tables = |a: &Expr| matches!(&a.kind, ExprKind::TableArg(_, Table::Path(_)));
            let kernel = if args.iter().any(tables) {
                let entries = args.iter().map(|a| match &a.kind {
                    ExprKind::TableArg(_, Table::Path(path)) => {
                        let table = Ident::new("table", a.last);
                        let path = path.to_token_stream();
                        quote!(#ir::Wrap(&#path).#table().entries())
                    }
                    _ => quote!(0),
                });
                quote_spanned!(span=> #kernel.called_with(&[#(#entries),*]))
            } else {
                kernel
            };
            let args = exprs(cx, args);
            quote!(Call(#kernel, #args))
        }
        ExprKind::TableArg(_, t) => table_kind(cx, t, e.last),
        ExprKind::Index(t, index) => {
            let (t, index) = (table(cx, t, e), expr(cx, index));
            quote!(Index(&#t, &#index))
        }
        ExprKind::Len(t) => {
            let t = table(cx, t, e);
            quote!(Len(&#t))
        }
        ExprKind::Tuple(items) => {
            let items = exprs(cx, items);
            quote!(Tuple(#items))
        }
        ExprKind::Field(base, n, _) => {
            let base = expr(cx, base);
            quote!(Field(&#base, #n))
        }
        ExprKind::If(branch) => {
            let (cond, then) = (expr(cx, &branch.cond), block(cx, &branch.then.block));
            let otherwise = match &branch.otherwise {
                Some(arm) => {
                    let b = block(cx, &arm.block);
                    quote!(::core::option::Option::Some(#b))
                }
                None => quote!(::core::option::Option::None),
            };
            quote!(If(&#cond, #then, #otherwise))
        }
        ExprKind::Block(b) => {
            let b = block(cx, b);
            quote!(Block(#b))
        }
        ExprKind::Lanes(index) => {
            let index = expr(cx, index);
            quote!(Method("to_i64", &#index, &[]))
        }
        ExprKind::Refused => quote!(Bool(false)),
    }
}

fn table(cx: &Cx, t: &Table, of: &Expr) -> TokenStream {
    let (ir, loc, kind) = (ir(cx), loc(cx, of.first), table_kind(cx, t, of.first));
    quote!(#ir::Expr { kind: #ir::ExprKind::#kind, loc: #loc })
}

fn table_kind(cx: &Cx, t: &Table, span: Span) -> TokenStream {
    let ir = ir(cx);
    match t {
        Table::Param(l, _) => {
            let l = local(*l);
            quote!(Local(#l))
        }
        Table::Path(path) => {
            let table = Ident::new("table", span);
            let path = path.to_token_stream();
            quote!(Const(#ir::Wrap(&#path).#table()))
        }
        Table::Refused => quote!(Bool(false)),
    }
}

fn variant_of(literal: Typed) -> TokenStream {
    match literal {
        Typed::F64(_) => quote!(F64),
        Typed::F32(_) => quote!(F32),
        Typed::I64(_) => quote!(I64),
        Typed::U64(_) => quote!(U64),
        Typed::I32(_) => quote!(I32),
        Typed::U32(_) => quote!(U32),
        Typed::Usize(_) => quote!(Usize),
    }
}

fn operator(op: BinOp) -> TokenStream {
    // The variants have the same names in `ir`.
    format_ident!("{}", format!("{op:?}")).into_token_stream()
}
