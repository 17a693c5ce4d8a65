//! Types of values as written, and their form in lanes, where a structure, an array and an `Option` are tuples.

use super::outer::{self, Outer};
use super::types::Num;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote};
use syn::spanned::Spanned as _;

/// A written type.
#[derive(Clone)]
pub(crate) enum Shape {
    Num(Num),
    /// An `enum` without values, kept as the number of its variant.
    Enum(syn::Path, Vec<(String, i32)>),
    Tuple(Vec<Shape>),
    Array(Box<Shape>, usize),
    Struct(syn::Path, Vec<(String, Shape)>),
    Option(Box<Shape>),
    /// `_`
    Infer,
    /// A type that lanes lack, or that only rustc knows.
    Unknown,
}

/// A value with more parts than this is not a value of lanes but a table.
const MOST: usize = 64;

/// Enums of the standard library, in the order of their numbers here.
const ORDERING: [&str; 3] = ["Less", "Equal", "Greater"];
const CATEGORY: [&str; 5] = ["Nan", "Infinite", "Zero", "Subnormal", "Normal"];

/// The number that stands for a variant of an enum of the standard library.
pub(crate) fn variant_of_std(ty: &str, name: &str) -> Option<i128> {
    let number = |all: &[&str]| all.iter().position(|v| *v == name);
    let number = match ty {
        "Ordering" => i128::try_from(number(&ORDERING)?).ok()? - 1,
        "FpCategory" => i128::try_from(number(&CATEGORY)?).ok()?,
        _ => return None,
    };
    Some(number)
}

impl Shape {
    /// The type as written. `length` gives the values of constants.
    pub(crate) fn of(ty: &syn::Type, length: &dyn Fn(&syn::Expr) -> Option<i128>) -> Shape {
        Self::within(ty, ty.span(), length, 0)
    }
    /// A type without its own place, treated as one of the file at `place`.
    pub(crate) fn at(
        ty: &syn::Type,
        place: Span,
        length: &dyn Fn(&syn::Expr) -> Option<i128>,
    ) -> Shape {
        Self::within(ty, place, length, 0)
    }

    fn within(
        ty: &syn::Type,
        place: Span,
        length: &dyn Fn(&syn::Expr) -> Option<i128>,
        depth: u32,
    ) -> Shape {
        let inner = |ty: &syn::Type| Self::within(ty, place, length, depth);
        match ty {
            syn::Type::Paren(p) => inner(&p.elem),
            syn::Type::Group(g) => inner(&g.elem),
            syn::Type::Infer(_) => Shape::Infer,
            syn::Type::Tuple(t) => Shape::Tuple(t.elems.iter().map(inner).collect()),
            // A reference to a value is the value.
            syn::Type::Reference(r) if !matches!(&*r.elem, syn::Type::Slice(_)) => inner(&r.elem),
            syn::Type::Array(a) => {
                let count = length(&a.len).and_then(|n| usize::try_from(n).ok());
                match count {
                    Some(n) if n > 0 && n <= MOST => Shape::Array(Box::new(inner(&a.elem)), n),
                    _ => Shape::Unknown,
                }
            }
            syn::Type::Path(path) if path.qself.is_none() => match outer::num(ty) {
                Some(num) => Shape::Num(num),
                None => Self::named(&path.path, place, length, depth),
            },
            _ => Shape::Unknown,
        }
    }

    fn named(
        path: &syn::Path,
        place: Span,
        length: &dyn Fn(&syn::Expr) -> Option<i128>,
        depth: u32,
    ) -> Shape {
        let Some(last) = path.segments.last() else {
            return Shape::Unknown;
        };
        let args: Vec<&syn::Type> = match &last.arguments {
            syn::PathArguments::AngleBracketed(a) => a
                .args
                .iter()
                .filter_map(|a| match a {
                    syn::GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        let name = last.ident.to_string();
        match (name.as_str(), &args[..]) {
            ("Option", [of]) => {
                return Shape::Option(Box::new(Self::within(of, place, length, depth)));
            }
            ("Ordering" | "FpCategory", []) => return Shape::Num(Num::I32),
            _ if depth > 8 => return Shape::Unknown,
            _ => {}
        }
        let parsed = |text: &str| syn::parse_str::<syn::Type>(text).ok();
        match outer::find_type(&name, place) {
            Some(Outer::Alias(text)) => parsed(&text).map_or(Shape::Unknown, |ty| {
                Self::within(&ty, place, length, depth + 1)
            }),
            Some(Outer::Enum(variants)) => {
                let mut path = path.clone();
                strip(&mut path);
                Shape::Enum(path, variants)
            }
            Some(Outer::Struct(params, fields)) => {
                let field = |text: &str| {
                    if let Some(n) = params.iter().position(|p| p == text) {
                        let arg = args.get(n);
                        return arg.map_or(Shape::Infer, |ty| {
                            Self::within(ty, place, length, depth + 1)
                        });
                    }
                    parsed(text).map_or(Shape::Unknown, |ty| {
                        Self::within(&ty, place, length, depth + 1)
                    })
                };
                let fields: Vec<(String, Shape)> = fields
                    .into_iter()
                    .map(|(name, ty)| {
                        let shape = field(&ty);
                        (name, shape)
                    })
                    .collect();
                let fits = |s: &Shape| matches!(s, Shape::Infer) || s.is_known();
                if fields.is_empty() || !fields.iter().all(|f| fits(&f.1)) {
                    return Shape::Unknown;
                }
                let mut path = path.clone();
                strip(&mut path);
                Shape::Struct(path, fields)
            }
            _ => Shape::Unknown,
        }
    }

    pub(crate) fn is_known(&self) -> bool {
        match self {
            Shape::Num(_) | Shape::Enum(..) => true,
            Shape::Tuple(items) => items.iter().all(Shape::is_known),
            Shape::Array(of, _) | Shape::Option(of) => of.is_known(),
            Shape::Struct(_, fields) => fields.iter().all(|f| f.1.is_known()),
            Shape::Infer | Shape::Unknown => false,
        }
    }

    /// The lane type, by paths named after the plain types, because `map` takes slices of those.
    pub(crate) fn lanes(&self, private: &TokenStream, span: Span) -> Option<syn::Type> {
        let num = match self {
            Shape::Num(num) => *num,
            Shape::Enum(..) => Num::I32,
            _ => {
                let parts: Option<Vec<TokenStream>> = self
                    .parts()?
                    .iter()
                    .map(|s| Some(s.lanes(private, span)?.to_token_stream()))
                    .collect();
                let parts = parts?;
                if parts.is_empty() {
                    return None;
                }
                let tuple = chunked(parts, &|items| quote!((#(#items,)*)));
                return syn::parse2(tuple).ok();
            }
        };
        let module = format_ident!("of_{}", num.name());
        let name = Ident::new(num.lane().name(), span);
        Some(syn::parse_quote!(#private::#module::#name))
    }

    fn parts(&self) -> Option<Vec<Shape>> {
        Some(match self {
            Shape::Tuple(items) => items.clone(),
            Shape::Array(of, count) => vec![(**of).clone(); *count],
            Shape::Struct(_, fields) => fields.iter().map(|f| f.1.clone()).collect(),
            Shape::Option(of) => vec![Shape::Num(Num::Bool), (**of).clone()],
            _ => return None,
        })
    }

    /// A value of the function's own type, from the tuple that the kernel takes.
    pub(crate) fn written(&self, value: &TokenStream) -> TokenStream {
        let Some(parts) = self.parts() else {
            let Shape::Enum(path, variants) = self else {
                return value.clone();
            };
            let arms = variants.iter().enumerate().map(|(n, (variant, number))| {
                let variant = Ident::new(variant, Span::call_site());
                let last = n + 1 == variants.len();
                let n = Literal::i32_unsuffixed(*number);
                let pattern = if last { quote!(_) } else { quote!(#n) };
                quote!(#pattern => #path::#variant,)
            });
            return quote!(match #value { #(#arms)* });
        };
        let count = parts.len();
        let each = parts.iter().enumerate().map(|(n, part)| {
            let path = place(n, count);
            part.written(&quote!(#value #path))
        });
        match self {
            Shape::Tuple(_) => quote!((#(#each,)*)),
            Shape::Array(..) => quote!([#(#each),*]),
            Shape::Option(_) => {
                let each: Vec<TokenStream> = each.collect();
                let (some, value) = (&each[0], &each[1]);
                quote!(if #some { ::core::option::Option::Some(#value) } else { ::core::option::Option::None })
            }
            Shape::Struct(path, fields) => {
                let names = fields.iter().map(|f| member(&f.0));
                quote!(#path { #(#names: #each),* })
            }
            _ => unreachable!("it has parts"),
        }
    }

    /// The tuple that the kernel returns, from a value of the function's own type.
    pub(crate) fn flat(&self, value: &TokenStream) -> TokenStream {
        let Some(parts) = self.parts() else {
            return match self {
                Shape::Enum(..) => quote!(#value as ::core::primitive::i32),
                _ => value.clone(),
            };
        };
        let whole = super::names::temporary("whole");
        if let Shape::Option(of) = self {
            let some = of.flat(&quote!(#whole));
            let none = of.zero();
            return quote! {
                match #value {
                    ::core::option::Option::Some(#whole) => (true, #some),
                    ::core::option::Option::None => (false, #none),
                }
            };
        }
        let each = parts.iter().enumerate().map(|(n, part)| {
            let at = match self {
                Shape::Array(..) => {
                    let n = Literal::usize_unsuffixed(n);
                    quote!([#n])
                }
                Shape::Struct(_, fields) => {
                    let name = member(&fields[n].0);
                    quote!(.#name)
                }
                _ => {
                    let n = syn::Index::from(n);
                    quote!(.#n)
                }
            };
            part.flat(&quote!(#whole #at))
        });
        let tuple = chunked(each.collect(), &|items| quote!((#(#items,)*)));
        quote!({ let #whole = #value; #tuple })
    }

    /// The tuple of a missing value.
    fn zero(&self) -> TokenStream {
        match self {
            Shape::Num(num) if num.is_float() => quote!(0.0),
            Shape::Num(Num::Bool) => quote!(false),
            _ => match self.parts() {
                Some(parts) => {
                    let parts = parts.iter().map(Shape::zero).collect();
                    chunked(parts, &|items| quote!((#(#items,)*)))
                }
                None => quote!(0),
            },
        }
    }
}

/// The name of a field, or its number.
pub(crate) fn member(name: &str) -> syn::Member {
    match name.parse::<u32>() {
        Ok(index) => syn::Member::Unnamed(syn::Index {
            index,
            span: Span::call_site(),
        }),
        Err(_) => syn::Member::Named(
            syn::parse_str(name).unwrap_or_else(|_| Ident::new("_unknown", Span::call_site())),
        ),
    }
}

/// Removes the type arguments, which are inferred.
fn strip(path: &mut syn::Path) {
    for segment in &mut path.segments {
        segment.arguments = syn::PathArguments::None;
    }
}

// --- tuples of up to 8, and tuples of those for more

/// The number of parts in an element of the outer tuple.
fn size(count: usize) -> usize {
    let mut size = 1;
    while size * 8 < count {
        size *= 8;
    }
    size
}

/// Parts as a tuple.
pub(crate) fn chunked(
    parts: Vec<TokenStream>,
    tuple: &dyn Fn(&[TokenStream]) -> TokenStream,
) -> TokenStream {
    let size = size(parts.len());
    if size == 1 {
        return tuple(&parts);
    }
    let groups: Vec<TokenStream> = parts
        .chunks(size)
        .map(|chunk| chunked(chunk.to_vec(), tuple))
        .collect();
    tuple(&groups)
}

/// `.1.2`: the place of a part in the tuple.
pub(crate) fn place(n: usize, count: usize) -> TokenStream {
    let size = size(count);
    let index = syn::Index::from(n / size);
    if size == 1 {
        return quote!(.#index);
    }
    let rest = place(n % size, size.min(count - n / size * size));
    quote!(.#index #rest)
}
