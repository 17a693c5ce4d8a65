//! The types of what a function names outside of itself: the constants, tables and functions of its file, where the compiler
//! provides the file's text. What is not found there, or twice with different types, is left to rustc.

use super::types::Num;
use crate::source;
use proc_macro2::Span;
use quote::ToTokens as _;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;
use syn::visit::Visit;

/// What a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outer {
    Const(Num),
    /// The elements of an array or slice.
    Table(Num),
    /// The parameters and the result of a function.
    Function(Vec<Shape>, Shape),
}

/// A type, kept from one expansion to the next: tokens must not be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Num(Num),
    Tuple(Vec<Shape>),
    /// Any other type.
    Unknown,
}

impl Shape {
    fn of(ty: &syn::Type) -> Shape {
        match ty {
            syn::Type::Paren(p) => Shape::of(&p.elem),
            syn::Type::Group(g) => Shape::of(&g.elem),
            syn::Type::Tuple(t) => Shape::Tuple(t.elems.iter().map(Shape::of).collect()),
            ty => num(ty).map_or(Shape::Unknown, Shape::Num),
        }
    }
}

type Names = HashMap<String, Option<Outer>>;

/// What the name stands for in the file of its place.
pub(crate) fn find(name: &str, span: Span) -> Option<Outer> {
    thread_local! {
        /// The last file, by the hash of its text.
        static LAST: RefCell<(u64, Rc<Names>)> = RefCell::default();
    }
    let names = source::with_file(span, |text| {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        LAST.with_borrow_mut(|last| {
            if last.0 != hash {
                *last = (hash, Rc::new(read(text)));
            }
            last.1.clone()
        })
    })?;
    names.get(name)?.clone()
}

fn read(text: &str) -> Names {
    struct Items(Names);
    impl Items {
        fn add(&mut self, name: &syn::Ident, outer: Option<Outer>) {
            let entry = self.0.entry(name.to_string());
            let kept = entry.or_insert_with(|| outer.clone());
            if *kept != outer {
                *kept = None;
            }
        }
    }
    impl<'ast> Visit<'ast> for Items {
        fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
            self.add(&item.ident, of_type(&item.ty));
        }
        fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
            self.add(&item.ident, of_type(&item.ty));
        }
        fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
            let outer = match &item.sig.output {
                syn::ReturnType::Type(_, ty) => {
                    let params = item.sig.inputs.iter().filter_map(|input| match input {
                        syn::FnArg::Typed(input) => Some(Shape::of(&input.ty)),
                        syn::FnArg::Receiver(_) => None,
                    });
                    Some(Outer::Function(params.collect(), Shape::of(ty)))
                }
                syn::ReturnType::Default => None,
            };
            self.add(&item.sig.ident, outer);
            syn::visit::visit_item_fn(self, item);
        }
    }
    let mut items = Items(HashMap::new());
    if let Ok(file) = syn::parse_file(text) {
        items.visit_file(&file);
    }
    items.0
}

/// What a constant of a type is.
pub(crate) fn of_type(ty: &syn::Type) -> Option<Outer> {
    match ty {
        syn::Type::Paren(p) => of_type(&p.elem),
        syn::Type::Group(g) => of_type(&g.elem),
        syn::Type::Reference(r) => of_type(&r.elem).filter(|o| matches!(o, Outer::Table(_))),
        syn::Type::Array(a) => num(&a.elem).map(Outer::Table),
        syn::Type::Slice(s) => num(&s.elem).map(Outer::Table),
        ty => num(ty).map(Outer::Const),
    }
}

/// A type of one number or truth value: by its last name, as `core::primitive::f64`.
pub(crate) fn num(ty: &syn::Type) -> Option<Num> {
    match ty {
        syn::Type::Paren(p) => num(&p.elem),
        syn::Type::Group(g) => num(&g.elem),
        syn::Type::Path(path) if path.qself.is_none() => {
            let last = path.path.segments.last()?;
            let primitive = path.path.segments.len() == 1
                || path.path.segments[path.path.segments.len() - 2].ident == "primitive";
            Num::named(&last.to_token_stream().to_string()).filter(|_| primitive)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Num, Outer, read};

    #[test]
    fn constants_tables_and_functions_are_found() {
        let names = read(
            "const C: f32 = 1.0; static T: [u32; 2] = [1, 2]; mod m { pub const S: &[f64] = &[1.0]; }
             fn f(x: f32) -> u64 { const IN: i64 = 3; 0 } const D: f32 = 1.0; mod n { const D: f64 = 1.0; }
             const V: Vec<f32> = Vec::new();",
        );
        let find = |name: &str| names.get(name).cloned().flatten();
        assert_eq!(find("C"), Some(Outer::Const(Num::F32)));
        assert_eq!(find("T"), Some(Outer::Table(Num::U32)));
        assert_eq!(find("S"), Some(Outer::Table(Num::F64)));
        assert_eq!(find("IN"), Some(Outer::Const(Num::I64)));
        assert!(matches!(find("f"), Some(Outer::Function(..))));
        for unknown in ["D", "V", "x", "W"] {
            assert_eq!(find(unknown), None, "{unknown}");
        }
    }
}
