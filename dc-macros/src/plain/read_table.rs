//! Tables: arrays of constants, outside or inside the function.

use super::read::Reader;
use super::read_expr::unparenthesized;
use super::tree::{Expr, Kind, Local, LocalKind, Stmt, Table};
use super::types::{Num, Type, Var};
use proc_macro2::Ident;
use syn::spanned::Spanned as _;

impl Reader {
    /// `let name = [constants];`: a table of the kernel.
    pub(super) fn local_table(&mut self, local: &syn::Local) -> Option<Stmt> {
        let (pat, written) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let syn::Pat::Ident(name) = pat else {
            return None;
        };
        let init = local.init.as_ref().filter(|i| i.diverge.is_none())?;
        let syn::Expr::Array(array) = unparenthesized(&init.expr) else {
            return None;
        };
        let plain = name.mutability.is_none() && name.by_ref.is_none() && name.subpat.is_none();
        if !plain || !array.elems.iter().all(|e| self.is_constant(e)) {
            return None;
        }
        let elem = match written {
            Some(syn::Type::Array(a)) => self.ty(&a.elem),
            _ => self.types.fresh(),
        };
        let table = self.declare(&name.ident, elem, LocalKind::Table);
        let name = self.printed(table, &name.ident);
        Some(self.entries(array, elem, table, name))
    }

    pub(super) fn entries(
        &mut self,
        array: &syn::ExprArray,
        elem: Var,
        local: Local,
        name: Ident,
    ) -> Stmt {
        for entry in &array.elems {
            let entry = self.expr(entry);
            self.types.unify(elem, entry.ty);
        }
        self.locals[local].entries = Some(array.elems.len());
        let entries = array.clone();
        Stmt::Table {
            name,
            elem,
            entries,
            local,
        }
    }

    /// Whether rustc can compute it before the function runs.
    pub(super) fn is_constant(&self, e: &syn::Expr) -> bool {
        match e {
            syn::Expr::Lit(_) => true,
            syn::Expr::Paren(p) => self.is_constant(&p.expr),
            syn::Expr::Group(g) => self.is_constant(&g.expr),
            syn::Expr::Unary(u) => self.is_constant(&u.expr),
            syn::Expr::Binary(b) => self.is_constant(&b.left) && self.is_constant(&b.right),
            syn::Expr::Cast(c) => self.is_constant(&c.expr),
            syn::Expr::Path(p) => self.local(p).is_none(),
            _ => false,
        }
    }

    /// The array before `[…]` or `.len()`.
    pub(super) fn table(&mut self, expr: &syn::Expr) -> Option<(Table, Var)> {
        let syn::Expr::Path(path) = unparenthesized(expr) else {
            return None;
        };
        if let Some((local, name)) = self.local(path) {
            let info = &self.locals[local];
            return (info.kind == LocalKind::Table).then_some((Table::Local(local, name), info.ty));
        }
        let elem = match self.table_of(&path.path) {
            Some((elem, _)) => elem,
            None => self.types.external(),
        };
        Some((Table::Path(self.unique(path)), elem))
    }

    pub(super) fn index(&mut self, of: &syn::Expr, index: &syn::Expr, whole: &syn::Expr) -> Expr {
        let table = self.table(of);
        let array = match table {
            Some(_) => None,
            None => {
                let array = self.expr(of);
                let Some(Type::Array(elem, _)) = self.types.get(array.ty) else {
                    return self.other(whole);
                };
                Some((array, elem))
            }
        };
        let index = self.expr(index);
        let usize = self.types.num(Num::Usize);
        self.types.unify(usize, index.ty);
        match (table, array) {
            (Some((table, elem)), _) => {
                self.make(Kind::Index(table, Box::new(index)), elem, whole.span())
            }
            (None, Some((array, elem))) => {
                let kind = Kind::At(Box::new(array), Box::new(index));
                self.make(kind, elem, whole.span())
            }
            (None, None) => self.other(whole),
        }
    }
}
