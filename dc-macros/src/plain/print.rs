//! From the tree to a kernel's source: blocks, statements and early exits.
//!
//! Lanes cannot leave a block. An `if` that returns becomes an `if` whose other arm is the rest of the block, if that is possible.
//! Otherwise, and for `break` and `continue`, a mask contains the lanes that have left, and the rest is in `if !mask`.

use super::exits::{self, Exits, ends, ends_block};
use super::print_loop;
use super::shape::chunked;
use super::tree::{Block, Expr, Kind, Local, LocalInfo, Pat, Stmt};
use super::types::{Num, Types, Var};
use crate::errors::Errors;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::HashMap;

/// The printer of a function.
pub(crate) struct Printer<'e> {
    pub types: Types,
    pub locals: Vec<LocalInfo>,
    /// Variables of type `usize` that are known when the kernel is lowered.
    pub indices: Vec<Local>,
    /// The constants that replace arrays of the function.
    pub tables: Vec<(Local, Ident)>,
    pub errors: &'e mut Errors,
    /// `…::__private_v0_2`
    pub private: TokenStream,
    /// Constants that the kernel needs besides those of the function.
    pub consts: Vec<syn::Item>,
    /// The columns of tables, by their content.
    pub(super) columns: Vec<(String, Ident)>,
    /// The function's result.
    pub ret: Var,
    /// Variables whose numbers are known here: the counters of unrolled loops.
    pub(super) known: HashMap<Local, i128>,
}

impl<'e> Printer<'e> {
    pub(crate) fn new(
        reader: super::read::Reader,
        private: TokenStream,
        errors: &'e mut Errors,
    ) -> Self {
        Printer {
            types: reader.types,
            locals: reader.locals,
            indices: Vec::new(),
            tables: Vec::new(),
            errors,
            private,
            consts: reader.items,
            ret: reader.ret,
            known: HashMap::new(),
            columns: Vec::new(),
        }
    }

    /// The body of the function.
    pub(crate) fn body(&mut self, block: &Block) -> TokenStream {
        self.tail(&block.stmts, block.value.as_deref())
    }

    // --- the end of the function

    /// The last statements of the function. Their value is its result.
    fn tail(&mut self, stmts: &[Stmt], value: Option<&Expr>) -> TokenStream {
        let mut out = TokenStream::new();
        for (n, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[n + 1..];
            let Stmt::Expr(e) = stmt else {
                if exits::of_stmt(stmt).any() {
                    out.extend(self.masked_tail(&stmts[n..], value));
                    return out;
                }
                out.extend(self.stmt(stmt));
                continue;
            };
            if ends(e) {
                out.extend(self.tail_value(e));
                return out;
            }
            if !exits::of_expr(e).any() {
                out.extend(self.stmt(stmt));
                continue;
            }
            let Kind::If(cond, then, otherwise) = &e.kind else {
                out.extend(self.masked_tail(&stmts[n..], value));
                return out;
            };
            let stays = |b: Option<&Block>| b.is_none_or(|b| !exits::of_block(b).any());
            let branch = if ends_block(then) && stays(otherwise.as_ref()) {
                let ended = self.tail(&then.stmts, then.value.as_deref());
                let other = otherwise.as_ref().map(|b| self.effects(b));
                let rest = self.tail(rest, value);
                self.branch(cond, e.span, &ended, &quote!(#other #rest))
            } else if let Some(last) = otherwise
                && ends_block(last)
                && stays(Some(then))
            {
                let then = self.effects(then);
                // The rest is read before the arm that ends, as it is in the first arm.
                let rest = self.tail(rest, value);
                let ended = self.tail(&last.stmts, last.value.as_deref());
                self.branch(cond, e.span, &quote!(#then #rest), &ended)
            } else {
                self.masked_tail(&stmts[n..], value)
            };
            out.extend(branch);
            return out;
        }
        if let Some(value) = value {
            out.extend(self.tail_value(value));
        }
        out
    }

    /// A block evaluated for its effects, with a separate scope.
    fn effects(&mut self, block: &Block) -> TokenStream {
        let inside = self.block(block);
        quote!({ #inside })
    }

    fn branch(
        &mut self,
        cond: &Expr,
        span: Span,
        then: &TokenStream,
        otherwise: &TokenStream,
    ) -> TokenStream {
        let cond = self.condition(cond);
        quote_spanned!(span=> if #cond { #then } else { #otherwise })
    }

    /// An expression whose value is the function's result.
    fn tail_value(&mut self, e: &Expr) -> TokenStream {
        if !exits::of_expr(e).any() {
            return self.statement_or_value(e);
        }
        match &e.kind {
            Kind::Return(Some(value)) => self.tail_value(value),
            Kind::Return(None) => TokenStream::new(),
            Kind::If(cond, then, Some(otherwise)) if !exits::of_expr(cond).any() => {
                let then = self.tail(&then.stmts, then.value.as_deref());
                let otherwise = self.tail(&otherwise.stmts, otherwise.value.as_deref());
                self.branch(cond, e.span, &then, &otherwise)
            }
            Kind::Block(block) => {
                let inside = self.tail(&block.stmts, block.value.as_deref());
                quote!({ #inside })
            }
            _ => self.masked_tail(&[], Some(e)),
        }
    }

    /// The same as `tail`, with a mask of the lanes that have returned.
    fn masked_tail(&mut self, stmts: &[Stmt], value: Option<&Expr>) -> TokenStream {
        let (done, result) = (done(), result());
        let (no, ty) = (self.truth(false), self.annotation(self.ret));
        let zero = self.zero(self.ret);
        let inside = self.masked(stmts, value, self.ret);
        let mask = self.mask_type();
        if self.is_unit(self.ret) {
            return quote!(let mut #done: #mask = #no; { #inside });
        }
        let whole = super::names::temporary("value");
        quote! {
            let mut #done: #mask = #no;
            let mut #result #ty = #zero;
            let #whole #ty = { #inside };
            if #done { #result } else { #whole }
        }
    }

    // --- blocks

    /// The inside of a block.
    pub(super) fn block(&mut self, block: &Block) -> TokenStream {
        self.masked(&block.stmts, block.value.as_deref(), block.ty)
    }

    /// Statements and their value. After each statement by which a lane may leave, the rest is for the remaining lanes.
    pub(super) fn masked(&mut self, stmts: &[Stmt], value: Option<&Expr>, ty: Var) -> TokenStream {
        let mut out = TokenStream::new();
        for (n, stmt) in stmts.iter().enumerate() {
            out.extend(self.stmt(stmt));
            let left = exits::of_stmt(stmt);
            if !left.any() {
                continue;
            }
            let rest = &stmts[n + 1..];
            let ended = match stmt {
                Stmt::Expr(e) => ends(e),
                Stmt::Let { init, .. } => init.as_ref().is_some_and(ends),
                Stmt::Table { .. } => false,
            };
            let unit = self.is_unit(ty);
            if ended || (rest.is_empty() && value.is_none()) {
                if !unit {
                    out.extend(self.zero(ty));
                }
                return out;
            }
            let stays = self.stays(&left);
            let inside = self.masked(rest, value, ty);
            let otherwise = (!unit).then(|| {
                let zero = self.zero(ty);
                quote!(else { #zero })
            });
            out.extend(quote!(if #stays { #inside } #otherwise));
            return out;
        }
        if let Some(value) = value {
            out.extend(self.statement_or_value(value));
        }
        out
    }

    /// The lanes that have not left.
    pub(super) fn stays(&mut self, left: &Exits) -> TokenStream {
        let mut masks = Vec::new();
        if left.returns {
            let done = done();
            masks.push(quote!(#done));
        }
        let names = left.breaks.iter().map(|id| print_loop::left(*id));
        let names = names.chain(left.continues.iter().map(|id| print_loop::skips(*id)));
        masks.extend(names.map(|name| quote!(#name)));
        if masks.is_empty() {
            masks.push(self.truth(false));
        }
        quote!(!(#(#masks)|*))
    }

    /// An exit: the current lanes leave. Its value is never used.
    pub(super) fn exit(&mut self, kind: &Kind, ty: Var) -> TokenStream {
        let yes = self.truth(true);
        let set = match kind {
            Kind::Return(value) => {
                let (done, result) = (done(), result());
                let value = value.as_ref().map(|v| self.lanes(v));
                let result = value.map(|value| quote!(#result = #value;));
                quote!(#result #done = #yes;)
            }
            Kind::Break(id) => {
                let left = print_loop::left(*id);
                quote!(#left = #yes;)
            }
            Kind::Continue(id) => {
                let skips = print_loop::skips(*id);
                quote!(#skips = #yes;)
            }
            _ => TokenStream::new(),
        };
        let zero = (!self.is_unit(ty)).then(|| self.zero(ty));
        quote!({ #set #zero })
    }

    // --- statements

    fn statement_or_value(&mut self, e: &Expr) -> TokenStream {
        match self.is_unit(e.ty) {
            true => self.effect(e),
            false => self.lanes(e),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Expr(e) => self.effect(e),
            Stmt::Let {
                pat,
                ty,
                init,
                span,
            } => self.let_(pat, *ty, init.as_ref(), *span),
            Stmt::Table {
                name,
                elem,
                entries,
                local,
            } => {
                let table = self.array(name, *elem, entries);
                self.tables.push((*local, table));
                TokenStream::new()
            }
        }
    }

    fn let_(&mut self, pat: &Pat, ty: Var, init: Option<&Expr>, span: Span) -> TokenStream {
        if let (Pat::Name(local, name), Some(init)) = (pat, init)
            && self.types.final_num(ty) == Some(Num::Usize)
            && !self.locals[*local].assigned
            && self.is_index(init)
        {
            let value = self.index(init);
            self.indices.push(*local);
            return quote_spanned!(span=> let #name: usize = #value;);
        }
        let value = match init {
            Some(init) => self.lanes(init),
            None => self.zero(ty),
        };
        let (pat, ty) = (self.pattern(pat), self.annotation(ty));
        quote_spanned!(span=> let #pat #ty = #value;)
    }

    fn pattern(&mut self, pat: &Pat) -> TokenStream {
        match pat {
            Pat::Name(local, name) => match self.locals[*local].assigned {
                true => quote!(mut #name),
                false => quote!(#name),
            },
            Pat::Wild => quote!(_),
            Pat::Tuple(items) => {
                let items = items.iter().map(|p| self.pattern(p));
                chunked(items.collect(), &|items| quote!((#(#items,)*)))
            }
            Pat::Other(pat) => quote!(#pat),
        }
    }

    /// An expression as a statement.
    pub(super) fn effect(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            Kind::Assign(target, value) => self.assign(target, value, e.span),
            Kind::For {
                counter,
                range,
                body,
                id,
            } => self.for_(counter.as_ref(), range, body, *id, e.span),
            Kind::Loop(cond, body, limit, id) => {
                let limit = proc_macro2::Literal::u32_unsuffixed(*limit);
                self.rounds(&quote!(_ in 0..#limit), cond.as_deref(), body, *id, e.span)
            }
            Kind::If(cond, then, otherwise) => {
                let cond = self.condition(cond);
                let then = self.discarded(then);
                let otherwise = otherwise.as_ref().map(|b| {
                    let inside = self.discarded(b);
                    quote!(else { #inside })
                });
                quote_spanned!(e.span=> if #cond { #then } #otherwise)
            }
            Kind::Block(block) => {
                let inside = self.discarded(block);
                quote_spanned!(e.span=> { #inside })
            }
            Kind::Return(_) | Kind::Break(_) | Kind::Continue(_) => {
                let unit = self.types.tuple(Vec::new());
                self.exit(&e.kind, unit)
            }
            _ => {
                let value = self.lanes(e);
                quote_spanned!(e.span=> #value;)
            }
        }
    }

    /// A block whose value is not used.
    pub(super) fn discarded(&mut self, block: &Block) -> TokenStream {
        if self.is_unit(block.ty) || ends_block(block) {
            let unit = self.types.tuple(Vec::new());
            return self.masked(&block.stmts, block.value.as_deref(), unit);
        }
        let inside = self.block(block);
        quote!({ #inside };)
    }
}

/// The mask of the lanes that have returned, and their results.
fn done() -> Ident {
    super::names::temporary("done")
}
fn result() -> Ident {
    super::names::temporary("result")
}
