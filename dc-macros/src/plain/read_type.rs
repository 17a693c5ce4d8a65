//! Written types, and the types of named items.

use super::outer::{self, Outer};
use super::read::{Called, Reader, of_type};
use super::read_expr::unparenthesized;
use super::shape::Shape;
use super::types::{Fields, Num, Type, Var};
use proc_macro2::Span;
use std::rc::Rc;

impl Reader {
    /// A type as written.
    pub(crate) fn shape(&self, ty: &syn::Type) -> Shape {
        Shape::of(ty, &|e| self.length(e))
    }
    fn shape_of_text(&self, text: &str) -> Shape {
        match syn::parse_str::<syn::Type>(text) {
            Ok(ty) => Shape::at(&ty, self.place, &|e| self.length(e)),
            Err(_) => Shape::Unknown,
        }
    }

    /// A written type.
    pub(super) fn ty(&mut self, ty: &syn::Type) -> Var {
        let shape = self.shape(ty);
        self.var(&shape)
    }
    pub(super) fn ty_of_text(&mut self, text: &str) -> Var {
        let shape = self.shape_of_text(text);
        self.var(&shape)
    }

    pub(crate) fn var(&mut self, shape: &Shape) -> Var {
        match shape {
            Shape::Num(num) => self.types.num(*num),
            Shape::Enum(..) => self.types.num(Num::I32),
            Shape::Tuple(items) => {
                let items = items.iter().map(|s| self.var(s)).collect();
                self.types.tuple(items)
            }
            Shape::Array(of, count) => {
                let elem = self.var(of);
                self.types.known(Type::Array(elem, *count))
            }
            Shape::Struct(path, fields) => {
                let name = path.segments.last().map(|s| s.ident.to_string());
                let known = Fields {
                    name: name.unwrap_or_default(),
                    names: fields.iter().map(|f| f.0.clone()).collect(),
                };
                let vars = fields.iter().map(|f| self.var(&f.1)).collect();
                self.types.known(Type::Struct(Rc::new(known), vars))
            }
            Shape::Option(of) => {
                let value = self.var(of);
                self.types.option(value)
            }
            Shape::Infer => self.types.fresh(),
            Shape::Unknown => self.types.external(),
        }
    }

    /// The number given by an expression in a type: a literal, a constant, or arithmetic on them.
    pub(super) fn length(&self, e: &syn::Expr) -> Option<i128> {
        match unparenthesized(e) {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(n),
                ..
            }) => n.base10_parse().ok(),
            syn::Expr::Path(path) => match self.outer(&path.path)? {
                Outer::Const(_, value) => value,
                _ => None,
            },
            syn::Expr::Binary(b) => {
                let (x, y) = (self.length(&b.left)?, self.length(&b.right)?);
                match b.op {
                    syn::BinOp::Add(_) => x.checked_add(y),
                    syn::BinOp::Sub(_) => x.checked_sub(y),
                    syn::BinOp::Mul(_) => x.checked_mul(y),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The meaning of a path that is not a local variable.
    pub(super) fn outer(&self, path: &syn::Path) -> Option<Outer> {
        let last = path.segments.last()?;
        let name = last.ident.to_string();
        if path.segments.len() == 1
            && let Some(own) = self.consts.get(&name)
        {
            return Some(own.clone());
        }
        if let Some(n) = path.segments.len().checked_sub(2) {
            let owner = path.segments[n].ident.to_string();
            // `Type::NAME`, by the convention that types begin with a capital.
            if owner.starts_with(char::is_uppercase) {
                return outer::find(&format!("{owner}::{name}"), self.near(last.ident.span()));
            }
        }
        outer::find(&name, self.near(last.ident.span()))
    }

    /// A place in the user's file.
    pub(super) fn near(&self, span: Span) -> Span {
        match crate::source::with_file(span, |_| ()) {
            Some(()) => span,
            None => self.place,
        }
    }

    /// The type of a constant.
    pub(super) fn constant(&mut self, path: &syn::Path) -> Option<Var> {
        let last = path.segments.last()?.ident.to_string();
        let before = path.segments.len().checked_sub(2);
        if let Some(before) = before.map(|n| path.segments[n].ident.to_string()) {
            if let Some(num) = Num::named(&before) {
                // A constant of a trait of the file, or the standard library's.
                let place = self.near(path.segments[0].ident.span());
                if let Some(Outer::Const(text, _)) =
                    outer::find(&format!("{before}::{last}"), place)
                {
                    return Some(self.ty_of_text(&text));
                }
                return Some(self.types.num(of_type(num, &last)));
            }
            // `f32::consts::PI`
            let owner = path.segments.len().checked_sub(3);
            let owner = owner.and_then(|n| Num::named(&path.segments[n].ident.to_string()));
            if let Some(num) = owner.filter(|_| before == "consts") {
                return Some(self.types.num(num));
            }
        }
        match self.outer(path)? {
            Outer::Const(text, _) => Some(self.ty_of_text(&text)),
            _ => None,
        }
    }

    /// The elements of a table named by a path, and their number if it is known.
    pub(super) fn table_of(&mut self, path: &syn::Path) -> Option<(Var, Option<usize>)> {
        let Outer::Const(text, _) = self.outer(path)? else {
            return None;
        };
        let ty = syn::parse_str::<syn::Type>(&text).ok()?;
        let elem = outer::table(&ty)?;
        let shape = Shape::at(elem, self.place, &|e| self.length(e));
        if !shape.is_known() {
            return None;
        }
        let count = match &ty {
            syn::Type::Array(a) => self.length(&a.len).and_then(|n| usize::try_from(n).ok()),
            _ => None,
        };
        Some((self.var(&shape), count))
    }

    /// The types of a function named by a path, or of a method as `Type::method`.
    pub(super) fn called(&mut self, outer: Option<Outer>) -> Option<Called> {
        let Outer::Function(params, ret) = outer? else {
            return None;
        };
        let mutable = params
            .iter()
            .map(|p| p.starts_with("& mut") || p.starts_with("&mut"));
        let mutable = mutable.collect();
        let tables = params.iter().map(|text| {
            let ty = syn::parse_str::<syn::Type>(text);
            ty.is_ok_and(|ty| self.table_param(&ty).is_some())
        });
        let tables = tables.collect();
        let params = params.iter().map(|p| self.ty_of_text(p)).collect();
        let ret = self.ty_of_text(&ret);
        Some(Called {
            params,
            mutable,
            tables,
            ret,
        })
    }

    /// The elements of a parameter that is a constant table: a slice, or an array of more numbers than can be passed as lanes.
    pub(crate) fn table_param(&self, ty: &syn::Type) -> Option<syn::Type> {
        let syn::Type::Reference(r) = ty else {
            return None;
        };
        if r.mutability.is_some() {
            return None;
        }
        let elem = outer::table(&r.elem)?;
        if let syn::Type::Array(a) = &*r.elem
            && let Some(..=16) = self.length(&a.len)
        {
            return None;
        }
        Some(elem.clone())
    }
}
