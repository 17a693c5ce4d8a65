//! The types of names outside a function: the constants, tables, functions and structures of its file, if the compiler provides the file's
//! text. A name that is not found, or is found twice with different types, is left to rustc.
//!
//! Types are kept as text from one expansion to the next, because tokens must not be kept.

use super::types::Num;
use crate::source;
use proc_macro2::Span;
use quote::ToTokens as _;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;
use syn::visit::Visit;

/// The meaning of a name. Types are names of numbers, or text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outer {
    /// The type, and the value if it is written as a single number.
    Const(String, Option<i128>),
    /// The parameters with their names, and the result.
    Function(Vec<String>, String),
    /// A structure: its type parameters, and the names and types of its fields.
    Struct(Vec<String>, Vec<(String, String)>),
    /// An `enum` without values: its variants and their numbers.
    Enum(Vec<(String, i32)>),
    /// `type Name = …;`
    Alias(String),
}

type Names = HashMap<String, Option<Outer>>;

/// The meaning of the name in the file of its place. Types and their methods are `type T` and `T::method`.
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

/// The same as `find`, for a type.
pub(crate) fn find_type(name: &str, span: Span) -> Option<Outer> {
    find(&format!("type {name}"), span)
}

fn read(text: &str) -> Names {
    let mut items = Items {
        names: HashMap::new(),
        owner: None,
        output: None,
    };
    if let Ok(file) = syn::parse_file(text) {
        items.visit_file(&file);
    }
    items.names
}

struct Items {
    names: Names,
    /// The type whose `impl` this is.
    owner: Option<String>,
    /// Its `type Output`.
    output: Option<String>,
}

impl Items {
    fn add(&mut self, name: String, outer: Option<Outer>) {
        let entry = self.names.entry(name);
        let kept = entry.or_insert_with(|| outer.clone());
        if *kept != outer {
            *kept = None;
        }
    }
    fn function(&mut self, name: String, sig: &syn::Signature) {
        let ret = match &sig.output {
            syn::ReturnType::Type(_, ty) => self.own(text(ty)),
            syn::ReturnType::Default => "()".to_string(),
        };
        let params = sig.inputs.iter().map(|input| match input {
            syn::FnArg::Typed(input) => self.own(text(&input.ty)),
            syn::FnArg::Receiver(r) => self.own(text(&r.ty)),
        });
        let params = params.collect();
        // The type is the function's own parameter: only rustc knows what it is.
        let generic = sig.generics.type_params().next().is_some();
        let outer = Outer::Function(params, ret);
        self.add(name, (!generic).then_some(outer));
    }
    /// The text of a type, with `Self` replaced by the type of the `impl`.
    fn own(&self, text: String) -> String {
        match &self.owner {
            Some(owner) => {
                let text = match &self.output {
                    Some(output) => text.replace("Self :: Output", output),
                    None => text,
                };
                let words = text.split(' ').map(|w| match w {
                    "Self" => owner.as_str(),
                    word => word,
                });
                words.collect::<Vec<_>>().join(" ")
            }
            None => text,
        }
    }
}

fn text(tokens: &impl quote::ToTokens) -> String {
    tokens.to_token_stream().to_string()
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        let outer = Outer::Const(text(&item.ty), value(&item.expr));
        self.add(item.ident.to_string(), Some(outer));
    }
    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        let outer = Outer::Const(text(&item.ty), None);
        self.add(item.ident.to_string(), Some(outer));
    }
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(item.sig.ident.to_string(), &item.sig);
        syn::visit::visit_item_fn(self, item);
    }
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let params = item.generics.type_params().map(|p| p.ident.to_string());
        let fields = item.fields.iter().enumerate().map(|(n, field)| {
            let name = field.ident.as_ref();
            (
                name.map_or_else(|| n.to_string(), ToString::to_string),
                text(&field.ty),
            )
        });
        let outer = Outer::Struct(params.collect(), fields.collect());
        let plain = item.generics.lifetimes().next().is_none()
            && item.generics.const_params().next().is_none();
        self.add(format!("type {}", item.ident), plain.then_some(outer));
    }
    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        let mut next = 0;
        let mut variants = Vec::new();
        for variant in &item.variants {
            let written = variant.discriminant.as_ref().map(|d| value(&d.1));
            let number = match written {
                Some(number) => number.and_then(|n| i32::try_from(n).ok()),
                None => Some(next),
            };
            let unit = matches!(variant.fields, syn::Fields::Unit);
            let Some(number) = number.filter(|_| unit) else {
                variants.clear();
                break;
            };
            next = number.saturating_add(1);
            variants.push((variant.ident.to_string(), number));
        }
        let outer = (!variants.is_empty()).then_some(Outer::Enum(variants));
        self.add(format!("type {}", item.ident), outer);
    }
    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        let outer = item
            .generics
            .params
            .is_empty()
            .then(|| Outer::Alias(text(&item.ty)));
        self.add(format!("type {}", item.ident), outer);
    }
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let before = (self.owner.take(), self.output.take());
        if let Some(owner) = super::owner::owner(item) {
            self.owner = Some(text(&item.self_ty));
            let output = item.items.iter().find_map(|inner| match inner {
                syn::ImplItem::Type(alias) if alias.ident == "Output" => Some(text(&alias.ty)),
                _ => None,
            });
            self.output = output.map(|ty| self.own(ty));
            for inner in &item.items {
                match inner {
                    syn::ImplItem::Fn(f) => {
                        let name = super::owner::method_name(item, &f.sig.ident);
                        self.function(format!("{owner}::{name}"), &f.sig);
                    }
                    syn::ImplItem::Const(c) => {
                        let outer = Outer::Const(self.own(text(&c.ty)), None);
                        self.add(format!("{owner}::{}", c.ident), Some(outer));
                    }
                    _ => {}
                }
            }
        }
        (self.owner, self.output) = before;
        syn::visit::visit_item_impl(self, item);
    }
}

/// The value of a constant that is written as a number.
fn value(e: &syn::Expr) -> Option<i128> {
    match e {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse().ok(),
        syn::Expr::Paren(p) => value(&p.expr),
        _ => None,
    }
}

/// The length of an array: a number, or a constant of the file.
pub(crate) fn length(e: &syn::Expr) -> Option<i128> {
    match e {
        syn::Expr::Path(path) => {
            let last = &path.path.segments.last()?.ident;
            match find(&last.to_string(), last.span())? {
                Outer::Const(_, value) => value,
                _ => None,
            }
        }
        e => value(e),
    }
}

/// The elements of a table: an array or slice, also behind a reference.
pub(crate) fn table(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Paren(p) => table(&p.elem),
        syn::Type::Group(g) => table(&g.elem),
        syn::Type::Reference(r) => table(&r.elem),
        syn::Type::Array(a) => Some(&a.elem),
        syn::Type::Slice(s) => Some(&s.elem),
        _ => None,
    }
}

/// The type of a number or truth value, by the last name of its path, as in `core::primitive::f64`.
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
    use super::{Outer, read};

    #[test]
    fn constants_functions_and_types_are_found() {
        let names = read(
            "const C: f32 = 1.0; static T: [u32; 2] = [1, 2]; const N: usize = 4;
             fn f(x: f32) -> u64 { const IN: i64 = 3; 0 } const D: f32 = 1.0; mod n { const D: f64 = 1.0; }
             struct P { x: f32, y: f32 } struct Q<T>(T); enum E { A, B = 4 } enum F { A(u8) } type G = P;
             impl P { const ONE: f32 = 1.0; fn by(&mut self, k: f32) -> Self { self } }
             fn any<T>(x: T) -> T { x }",
        );
        let find = |name: &str| names.get(name).cloned().flatten();
        let text = |s: &str| s.to_string();
        assert_eq!(find("C"), Some(Outer::Const(text("f32"), None)));
        assert_eq!(find("N"), Some(Outer::Const(text("usize"), Some(4))));
        assert_eq!(find("T"), Some(Outer::Const(text("[u32 ; 2]"), None)));
        assert_eq!(find("IN"), Some(Outer::Const(text("i64"), Some(3))));
        let f = Outer::Function(vec![text("f32")], text("u64"));
        assert_eq!(find("f"), Some(f));
        let fields = ["x", "y"].map(|n| (text(n), text("f32"))).to_vec();
        assert_eq!(find("type P"), Some(Outer::Struct(Vec::new(), fields)));
        let generic = Outer::Struct(vec![text("T")], vec![(text("0"), text("T"))]);
        assert_eq!(find("type Q"), Some(generic));
        let variants = vec![(text("A"), 0), (text("B"), 4)];
        assert_eq!(find("type E"), Some(Outer::Enum(variants)));
        assert_eq!(find("type G"), Some(Outer::Alias(text("P"))));
        let by = Outer::Function(vec![text("& mut P"), text("f32")], text("P"));
        assert_eq!(find("P::by"), Some(by));
        assert_eq!(find("P::ONE"), Some(Outer::Const(text("f32"), None)));
        for unknown in ["D", "type F", "any", "x", "W"] {
            assert_eq!(find(unknown), None, "{unknown}");
        }
    }
}
