//! Loops over the entries of tables and arrays, and computations over all of them.

use super::read::Reader;
use super::read_expr::unparenthesized;
use super::tree::{Block, Expr, Kind, LocalKind, LoopId, Pat, Range, Stmt, Table, Target};
use super::types::{Num, Type, Var};
use proc_macro2::Span;
use syn::spanned::Spanned as _;

/// The range or array over which a `for` iterates.
enum Over {
    Table(Table, Var),
    /// An array of lanes in a variable of our own.
    Array(super::choice::Place, Var, usize),
}

impl Reader {
    /// `for c in TABLE`: a loop over its indices.
    pub(super) fn for_each(&mut self, f: &syn::ExprForLoop) -> Expr {
        let span = f.for_token.span;
        let Some(elements) = elements(&f.expr) else {
            return self.other(&syn::Expr::ForLoop(f.clone()));
        };
        let around = self.around(f.label.as_ref());
        let looped = self.each(&elements, span, |reader, number, entry| {
            let (pat, ty, init) = reader.element_of(&elements, &f.pat, number, entry);
            let pat = reader.pattern(&pat, ty);
            let id = around.id;
            let mut body = reader.loop_body(&f.body, around);
            let bound = Stmt::Let {
                pat,
                ty,
                init: Some(init),
                span,
            };
            body.stmts.insert(0, bound);
            (body, id)
        });
        looped.unwrap_or_else(|| self.other(&syn::Expr::ForLoop(f.clone())))
    }

    /// The item of an iterator: the entry, possibly with its number.
    fn element_of(
        &mut self,
        elements: &Elements,
        pat: &syn::Pat,
        number: Expr,
        entry: Expr,
    ) -> (syn::Pat, Var, Expr) {
        if !elements.enumerated {
            return (pat.clone(), entry.ty, entry);
        }
        let ty = self.types.tuple(vec![number.ty, entry.ty]);
        let span = entry.span;
        let init = self.make(Kind::Tuple(vec![number, entry]), ty, span);
        (pat.clone(), ty, init)
    }

    /// A loop over the entries of a table or array. The body is read with the number of the entry and the entry itself.
    pub(super) fn each(
        &mut self,
        elements: &Elements,
        span: Span,
        body: impl FnOnce(&mut Self, Expr, Expr) -> (Block, LoopId),
    ) -> Option<Expr> {
        let mut stmts = Vec::new();
        let over = self.over(elements.of, span, &mut stmts)?;
        let zipped = match elements.zipped {
            Some(other) => Some(self.over(other, span, &mut stmts)?),
            None => None,
        };
        let usize = self.types.num(Num::Usize);
        let (counter, at) = self.temporary(usize, span);
        self.locals[counter].kind = LocalKind::Counter;
        let index = |reader: &Reader| {
            let kind = Kind::Local(counter, at.clone());
            reader.make(kind, usize, span)
        };
        let first = index(self);
        let mut entry = self.entry(&over, first, span);
        let mut end = self.count_over(&over);
        if let Some(zipped) = &zipped {
            // The shorter one ends the loop.
            end = match (end, self.count_over(zipped)) {
                (Kind::Int(a), Kind::Int(b)) if a == b || !elements.rev => Kind::Int(a.min(b)),
                _ => return None,
            };
            let second = index(self);
            let second = self.entry(zipped, second, span);
            let ty = self.types.tuple(vec![entry.ty, second.ty]);
            entry = self.make(Kind::Tuple(vec![entry, second]), ty, span);
        }
        let end = self.make(end, usize, span);
        let number = index(self);
        let (body, id) = self.scoped(|reader| body(reader, number, entry));
        let zero = self.make(Kind::Int(0), usize, span);
        let range = Range {
            start: Box::new(zero),
            end: Box::new(end),
            inclusive: false,
            rev: elements.rev,
            step: None,
        };
        let looped = Kind::For {
            counter: Some((counter, at)),
            range,
            body,
            id,
        };
        let looped = self.unit(looped, span);
        if stmts.is_empty() {
            return Some(looped);
        }
        stmts.push(Stmt::Expr(looped));
        let ty = self.types.tuple(Vec::new());
        let block = Block {
            stmts,
            value: None,
            ty,
        };
        Some(self.make(Kind::Block(block), ty, span))
    }

    /// The range or array over which a loop iterates. An array of lanes is stored in a variable.
    fn over(&mut self, of: &syn::Expr, span: Span, stmts: &mut Vec<Stmt>) -> Option<Over> {
        if let syn::Expr::Array(array) = unparenthesized(of)
            && array.elems.iter().all(|e| self.is_constant(e))
        {
            let elem = self.types.fresh();
            let (local, name) = self.temporary(elem, span);
            self.locals[local].kind = LocalKind::Table;
            let table = self.entries(array, elem, local, name.clone());
            stmts.push(table);
            return Some(Over::Table(Table::Local(local, name), elem));
        }
        if let Some((table, elem)) = self.table(unparenthesized(of)) {
            return Some(Over::Table(table, elem));
        }
        let array = self.expr(of);
        let Some(Type::Array(elem, count)) = self.types.get(array.ty) else {
            return None;
        };
        let (let_, place) = self.kept(array, span);
        stmts.push(let_);
        Some(Over::Array(place, elem, count))
    }

    fn entry(&mut self, over: &Over, index: Expr, span: Span) -> Expr {
        match over {
            Over::Table(table, elem) => {
                self.make(Kind::Index(table.clone(), Box::new(index)), *elem, span)
            }
            Over::Array(place, elem, _) => {
                let array = self.place(place, span);
                self.make(Kind::At(Box::new(array), Box::new(index)), *elem, span)
            }
        }
    }

    /// The number of entries.
    fn count_over(&mut self, over: &Over) -> Kind {
        let (known, table) = match over {
            Over::Array(_, _, count) => (Some(*count), None),
            Over::Table(Table::Local(local, name), _) => (
                self.locals[*local].entries,
                Some(Table::Local(*local, name.clone())),
            ),
            Over::Table(Table::Path(path), _) => (
                self.table_of(&path.path).and_then(|t| t.1),
                Some(Table::Path(path.clone())),
            ),
        };
        match (known.and_then(|n| i128::try_from(n).ok()), table) {
            (None, Some(table)) => Kind::Len(table),
            (known, _) => Kind::Int(known.unwrap_or(0)),
        }
    }

    /// `.fold(first, |sum, x| …)`, `.sum()` and `.product()` of the entries of a table or array.
    pub(super) fn folded(&mut self, m: &syn::ExprMethodCall) -> Option<Expr> {
        let span = m.span();
        let (elements, mapped) = match unparenthesized(&m.receiver) {
            syn::Expr::MethodCall(inner) if inner.method == "map" && inner.args.len() == 1 => {
                (elements(&inner.receiver)?, Some(&inner.args[0]))
            }
            of => (elements(of)?, None),
        };
        let name = m.method.to_string();
        let (first, with): (syn::Expr, syn::Expr) = match (name.as_str(), m.args.len()) {
            ("fold", 2) => (m.args[0].clone(), m.args[1].clone()),
            _ => return None,
        };
        let first = self.expr(&first);
        let ty = first.ty;
        let (local, name) = self.temporary(ty, span);
        self.locals[local].assigned = true;
        let declared = Stmt::Let {
            pat: Pat::Name(local, name.clone()),
            ty,
            init: Some(first),
            span,
        };
        self.all_loops += 1;
        let id = self.all_loops;
        let mut fits = true;
        let looped = self.each(&elements, span, |reader, number, entry| {
            let any: syn::Pat = syn::parse_quote!(_);
            let (_, _, mut item) = reader.element_of(&elements, &any, number, entry);
            if let Some(mapped) = mapped {
                let kept = reader.make(Kind::Zero, item.ty, span);
                let value = std::mem::replace(&mut item, kept);
                match reader.applied_fn(mapped, vec![value]) {
                    Some(value) => item = value,
                    None => fits = false,
                }
            }
            let sum = reader.make(Kind::Local(local, name.clone()), ty, span);
            let new = match reader.applied_fn(&with, vec![sum, item]) {
                Some(new) => new,
                None => {
                    fits = false;
                    reader.make(Kind::Zero, ty, span)
                }
            };
            reader.types.unify(ty, new.ty);
            let assigned = Kind::Assign(Target::Local(name.clone()), Box::new(new));
            let assigned = reader.unit(assigned, span);
            let unit = reader.types.tuple(Vec::new());
            let block = Block {
                stmts: vec![Stmt::Expr(assigned)],
                value: None,
                ty: unit,
            };
            (block, id)
        })?;
        let value = self.make(Kind::Local(local, name.clone()), ty, span);
        fits.then(|| self.after(vec![declared, Stmt::Expr(looped)], value))
    }
}

/// The entries over which an iterator goes.
pub(super) struct Elements<'e> {
    pub of: &'e syn::Expr,
    pub rev: bool,
    /// With their numbers.
    pub enumerated: bool,
    /// Together with those of another iterator.
    pub zipped: Option<&'e syn::Expr>,
}

/// The source of an iterator: `T`, `&T`, `T.iter()`, possibly reversed or numbered.
fn elements(expr: &syn::Expr) -> Option<Elements<'_>> {
    Some(match unparenthesized(expr) {
        syn::Expr::Reference(r) if r.mutability.is_none() => elements(&r.expr)?,
        syn::Expr::MethodCall(m) if m.args.is_empty() => {
            let mut inner = elements(&m.receiver)?;
            match m.method.to_string().as_str() {
                "iter" | "into_iter" | "copied" | "cloned" => {}
                // The numbers belong to the entries.
                "rev" if !inner.rev => inner.rev = true,
                "enumerate" if !inner.rev && !inner.enumerated => inner.enumerated = true,
                _ => return None,
            }
            inner
        }
        syn::Expr::MethodCall(m) if m.method == "zip" && m.args.len() == 1 => {
            let mut inner = elements(&m.receiver)?;
            let other = elements(&m.args[0])?;
            let plain = |e: &Elements| !e.rev && !e.enumerated && e.zipped.is_none();
            if !plain(&inner) || !plain(&other) {
                return None;
            }
            inner.zipped = Some(other.of);
            inner
        }
        syn::Expr::MethodCall(_) => return None,
        expr => Elements {
            of: expr,
            rev: false,
            enumerated: false,
            zipped: None,
        },
    })
}
