//! From `syn`'s tree to the tree with types: names, statements and blocks. What the language does not have stays as it is, for the
//! kernel's parser, which refuses it.

use super::outer::{self, Outer, Shape};
use super::tree::{Block, Expr, Kind, Local, LocalInfo, LocalKind, Pat, Stmt};
use super::types::{Num, Types, Var};
use crate::source::context;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::HashMap;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

/// A function being read.
pub(crate) struct Reader {
    pub types: Types,
    pub locals: Vec<LocalInfo>,
    /// The names in scope, innermost last, with their hygiene.
    visible: Vec<(String, u32, Local)>,
    /// The constants of the function itself.
    consts: HashMap<String, Option<Outer>>,
    /// The items of the body, which precede the kernel's.
    pub items: Vec<syn::Item>,
    /// The type of the function's result.
    pub ret: Var,
    temporaries: usize,
    /// The most times that a loop without a range goes round.
    pub(super) limit: Option<u32>,
    /// The values of the loops around, innermost last: only a `loop` has one.
    pub(super) values: Vec<Option<(Local, Ident)>>,
}

impl Reader {
    pub(crate) fn new(ret: &syn::Type, limit: Option<u32>) -> Self {
        let mut types = Types::default();
        let unknown = types.external();
        let mut reader = Reader {
            types,
            locals: Vec::new(),
            visible: Vec::new(),
            consts: HashMap::new(),
            items: Vec::new(),
            ret: unknown,
            limit,
            values: Vec::new(),
            temporaries: 0,
        };
        reader.ret = reader.ty(ret);
        reader
    }

    // --- types and names

    /// A written type.
    pub(super) fn ty(&mut self, ty: &syn::Type) -> Var {
        match ty {
            syn::Type::Paren(p) => self.ty(&p.elem),
            syn::Type::Group(g) => self.ty(&g.elem),
            syn::Type::Infer(_) => self.types.fresh(),
            syn::Type::Tuple(t) => {
                let items = t.elems.iter().map(|t| self.ty(t)).collect();
                self.types.tuple(items)
            }
            ty => match outer::num(ty) {
                Some(num) => self.types.num(num),
                None => self.types.external(),
            },
        }
    }

    /// A type that was found in the file.
    pub(super) fn shape(&mut self, shape: &Shape) -> Var {
        match shape {
            Shape::Num(num) => self.types.num(*num),
            Shape::Tuple(items) => {
                let items = items.iter().map(|s| self.shape(s)).collect();
                self.types.tuple(items)
            }
            Shape::Unknown => self.types.external(),
        }
    }

    pub(crate) fn declare(&mut self, name: &Ident, ty: Var, kind: LocalKind) -> Local {
        let local = self.hidden(ty, kind);
        let text = name.unraw().to_string();
        self.visible.push((text, context(name.span()), local));
        local
    }

    /// A local that no name of the user's refers to.
    fn hidden(&mut self, ty: Var, kind: LocalKind) -> Local {
        self.locals.push(LocalInfo {
            ty,
            kind,
            assigned: false,
        });
        self.locals.len() - 1
    }

    /// A variable of our own, with a name that is no name of the user's.
    pub(super) fn temporary(&mut self, ty: Var, span: Span) -> (Local, Ident) {
        self.temporaries += 1;
        let span = Span::mixed_site().located_at(span);
        let name = format_ident!("__t{}", self.temporaries, span = span);
        (self.hidden(ty, LocalKind::Variable), name)
    }

    /// As `Scope::resolve`: of several variables with one name, the one from the same macro.
    pub(super) fn resolve(&self, name: &Ident) -> Option<Local> {
        let (text, at) = (name.unraw().to_string(), context(name.span()));
        let same = || self.visible.iter().rev().filter(|x| x.0 == text);
        same().find(|x| x.1 == at).or(same().next()).map(|x| x.2)
    }

    pub(super) fn local(&self, path: &syn::ExprPath) -> Option<(Local, Ident)> {
        let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
        Some((self.resolve(name)?, name.clone()))
    }

    /// What a path that is no local stands for.
    pub(super) fn outer(&self, path: &syn::Path) -> Option<Outer> {
        let last = &path.segments.last()?.ident;
        let before = path.segments.len().checked_sub(2);
        let before = before.map(|n| path.segments[n].ident.to_string());
        if let Some(before) = before {
            if let Some(num) = Num::named(&before) {
                return Some(Outer::Const(of_type(num, &last.to_string())));
            }
            // `f32::consts::PI`
            let owner = path.segments.len().checked_sub(3);
            let owner = owner.and_then(|n| Num::named(&path.segments[n].ident.to_string()));
            if let Some(num) = owner.filter(|_| before == "consts") {
                return Some(Outer::Const(num));
            }
        }
        match self.consts.get(&last.to_string()) {
            Some(outer) if path.segments.len() == 1 => outer.clone(),
            _ => outer::find(&last.to_string(), last.span()),
        }
    }

    /// A const generic.
    pub(crate) fn generic(&mut self, param: &syn::ConstParam) {
        let outer = outer::num(&param.ty).map(Outer::Const);
        self.consts.insert(param.ident.to_string(), outer);
    }

    // --- blocks and statements

    /// The function's block, whose value is the function's.
    pub(crate) fn body(&mut self, block: &syn::Block) -> Block {
        let block = self.block(block);
        self.types.unify(self.ret, block.ty);
        block
    }

    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        let scope = self.visible.len();
        // Items are visible in all of their block.
        for stmt in &block.stmts {
            if let syn::Stmt::Item(item) = stmt {
                self.item(item);
            }
        }
        let mut stmts = Vec::new();
        let mut value = None;
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                syn::Stmt::Item(_) => {}
                syn::Stmt::Local(local) => {
                    let table = self.local_table(local);
                    stmts.push(table.unwrap_or_else(|| self.let_(local)));
                }
                syn::Stmt::Macro(m) => {
                    let last = i + 1 == block.stmts.len() && m.semi_token.is_none();
                    if let Some(expr) = self.macro_call(&m.mac) {
                        match last {
                            true => value = Some(Box::new(expr)),
                            false => stmts.push(Stmt::Expr(expr)),
                        }
                    }
                }
                syn::Stmt::Expr(expr, semi) => {
                    let read = self.expr(expr);
                    if i + 1 == block.stmts.len() && semi.is_none() {
                        value = Some(Box::new(read));
                    } else {
                        stmts.push(Stmt::Expr(read));
                    }
                }
            }
        }
        self.visible.truncate(scope);
        let ends = stmts
            .iter()
            .any(|s| matches!(s, Stmt::Expr(e) if super::exits::ends(e)));
        let ty = match &value {
            Some(value) => value.ty,
            None if ends => self.types.fresh(),
            None => self.types.tuple(Vec::new()),
        };
        Block { stmts, value, ty }
    }

    fn item(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Const(c) => {
                self.consts
                    .insert(c.ident.to_string(), outer::of_type(&c.ty));
            }
            syn::Item::Static(s) => {
                self.consts
                    .insert(s.ident.to_string(), outer::of_type(&s.ty));
            }
            _ => {}
        }
        self.items.push(item.clone());
    }

    fn let_(&mut self, local: &syn::Local) -> Stmt {
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, self.ty(&typed.ty)),
            pat => (pat, self.types.fresh()),
        };
        // The value is read first: in it the names have their previous meanings.
        let init = match &local.init {
            Some(init) if init.diverge.is_none() => Some(self.expr(&init.expr)),
            Some(init) => Some(self.other(&init.expr)),
            None => None,
        };
        if let Some(init) = &init {
            self.types.unify(ty, init.ty);
        }
        let declared = self.locals.len();
        let pat = match &local.init {
            Some(init) if init.diverge.is_some() => Pat::Other(local.pat.clone()),
            _ => self.pattern(pat, ty),
        };
        if init.is_none() {
            for info in &mut self.locals[declared..] {
                info.assigned = true;
            }
        }
        Stmt::Let {
            pat,
            ty,
            init,
            span: local.span(),
        }
    }

    fn pattern(&mut self, pat: &syn::Pat, ty: Var) -> Pat {
        match pat {
            syn::Pat::Paren(p) => self.pattern(&p.pat, ty),
            syn::Pat::Wild(_) => Pat::Wild,
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                let local = self.declare(&p.ident, ty, LocalKind::Variable);
                Pat::Name(local, p.ident.clone())
            }
            syn::Pat::Tuple(t) => {
                let items: Vec<Var> = t.elems.iter().map(|_| self.types.fresh()).collect();
                let whole = self.types.tuple(items.clone());
                self.types.unify(ty, whole);
                let parts = t.elems.iter().zip(items);
                Pat::Tuple(parts.map(|(p, ty)| self.pattern(p, ty)).collect())
            }
            pat => Pat::Other(pat.clone()),
        }
    }

    /// The names of a scope; the reading of `inside` is in it.
    pub(super) fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.visible.len();
        let read = inside(self);
        self.visible.truncate(scope);
        read
    }

    pub(super) fn other(&mut self, expr: &syn::Expr) -> Expr {
        Expr {
            kind: Kind::Other(Box::new(expr.clone())),
            ty: self.types.external(),
            span: expr.span(),
        }
    }
}

/// The type of an associated constant: of the type itself, but for those that count digits, exponents and bits.
fn of_type(num: Num, name: &str) -> Num {
    match name {
        "BITS" | "DIGITS" | "MANTISSA_DIGITS" | "RADIX" => Num::U32,
        "MAX_EXP" | "MIN_EXP" | "MAX_10_EXP" | "MIN_10_EXP" => Num::I32,
        _ => num,
    }
}
