//! The documentation of a kernel. It is on the kernel's type, which has `eval` and `map`. The generic function with the same name is hidden,
//! because otherwise each kernel would be documented twice. Other kernels can still call it.

use super::context::{const_param, has_lane_fn};
use crate::ast::{Kernel, Lane, Ty};
use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;

/// The longest signature on one line.
const WIDTH: usize = 100;

/// Whether the user has written documentation, or has hidden it.
pub(super) fn is_written(k: &Kernel) -> bool {
    k.attrs.doc.iter().any(|attr| match &attr.meta {
        syn::Meta::NameValue(_) => true,
        syn::Meta::List(list) => list.tokens.to_string() == "hidden",
        syn::Meta::Path(_) => false,
    })
}

/// The text of the type: the user's text. A plain function keeps its text itself.
pub(super) fn text(k: &Kernel) -> Vec<syn::Attribute> {
    let hidden = |a: &&syn::Attribute| matches!(a.meta, syn::Meta::List(_));
    match k.plain {
        None => k.attrs.doc.clone(),
        Some(_) if !is_written(k) => Vec::new(),
        Some(_) => {
            let mut text: Vec<syn::Attribute> =
                k.attrs.doc.iter().filter(hidden).cloned().collect();
            let line = format!(
                "The kernel of the function [`{0}`](fn@{0}), with the same bits, on lanes.",
                k.name
            );
            text.push(syn::parse_quote!(#[doc = #line]));
            text
        }
    }
}

/// The text after the user's: the signature, and how to use the kernel.
pub(super) fn signature(k: &Kernel) -> String {
    let used = if has_lane_fn(k) {
        "[`eval`](Self::eval) computes its result for one input, [`map`](Self::map) its results for slices. Other kernels call it by its name."
    } else {
        "Other kernels call it by its name. It has no `eval` and no `map`, because these cannot take tables."
    };
    format!("\n# Signature\n\n```text\n{}\n```\n\n{used}", written(k))
}

/// The signature, from the tokens: the source's text is useless if a macro wrote the function.
fn written(k: &Kernel) -> String {
    let mut head = k.vis.to_token_stream().to_string();
    if !head.is_empty() {
        head.push(' ');
    }
    head += &format!("fn {}", k.name);
    if !k.generics.is_empty() {
        let generics = k.generics.iter().map(|g| const_param(g).to_string());
        head += &format!("<{}>", generics.collect::<Vec<_>>().join(", "));
    }
    let params = k.params.iter();
    // The types of a plain function are those of the function itself.
    let ty = |t: &Ty| if k.plain.is_some() { plain(t) } else { ty(t) };
    let params = params.map(|x| format!("{}: {}", x.name.unraw(), ty(&x.ty)));
    let (params, ret) = (params.collect::<Vec<_>>(), ty(&k.ret));
    let line = format!("{head}({}) -> {ret}", params.join(", "));
    if line.len() <= WIDTH {
        return line;
    }
    format!("{head}(\n    {},\n) -> {ret}", params.join(",\n    "))
}

fn ty(ty: &Ty) -> String {
    let tokens: TokenStream = match ty {
        Ty::Lane(_, path) => quote!(#path),
        Ty::Tuple(items) => {
            let items: Vec<String> = items.iter().map(self::ty).collect();
            return format!("({})", items.join(", "));
        }
        Ty::Table(_, reference) => quote!(#reference),
        Ty::Plain(ty) => quote!(#ty),
        Ty::Refused => quote!(_),
    };
    tokens.to_string()
}

/// The documentation of `eval`, `map` and `map_in_place`, with the kernel's own name and types.
pub(super) struct Methods {
    pub eval: String,
    pub map: String,
    pub in_place: String,
}

pub(super) fn methods(k: &Kernel) -> Methods {
    let mut name = k.name.to_string();
    if !k.generics.is_empty() {
        let generics = k.generics.iter().map(|g| g.name.to_string());
        name += &format!("::<{}>", generics.collect::<Vec<_>>().join(", "));
    }
    let params = k.params.iter();
    let params: Vec<(String, String)> = params
        .map(|x| (x.name.unraw().to_string(), plain(&x.ty)))
        .collect();
    let ret = plain(&k.ret);
    let each = |f: &dyn Fn(&(String, String)) -> String| {
        params.iter().map(f).collect::<Vec<_>>().join(", ")
    };
    let (names, types) = (
        each(&|x| x.0.clone()),
        each(&|x| format!("{}: {}", x.0, x.1)),
    );
    let slices = each(&|x| format!("{}: &[{}]", x.0, x.1));
    Methods {
        eval: format!(
            "The result for one input, computed on one lane in plain Rust.\n\n\
             ```text\n// {types}\nlet result: {ret} = {name}::eval({names});\n```\n\n\
             # Cost\n\n\
             A call takes as long as the operations, one after the other, without vectors. For more than four inputs [`map`](Self::map) \
             is faster, for many inputs several times. On x86-64, a build without FMA tests for FMA at each call, which takes about 1 ns; \
             `-C target-feature=+fma` or `-C target-cpu=native` inlines the operations."
        ),
        map: format!(
            "The results for slices of inputs, all of the same length, on the widest instruction set of the processor. The \
             bits are the same as those of [`eval`](Self::eval).\n\n\
             ```text\n// {slices}, results: &mut [{ret}]\n{name}::map({names}, results);\n```\n\n\
             # Cost\n\n\
             Groups of up to 32 numbers are computed at once. Fewer numbers than a group are padded with zeros, so five numbers take as \
             long as a full group, about 50 ns for a short kernel. Up to four numbers are computed as by `eval`. So pass whole slices."
        ),
        in_place: format!(
            "The same as [`map`](Self::map) in place: each result replaces its input.\n\n\
             ```text\n// values: &mut [{ret}]\n{name}::map_in_place(values);\n```"
        ),
    }
}

/// The type of one element, as users write it.
fn plain(ty: &Ty) -> String {
    match ty {
        Ty::Lane(lane, _) => match lane {
            Lane::F64 => "f64",
            Lane::F32 => "f32",
            Lane::I64 => "i64",
            Lane::I32 => "i32",
            Lane::Mask => "bool",
            Lane::Dd => "DoubleDouble",
            Lane::Half | Lane::Bfloat => "u16",
            Lane::U64 => "u64",
            Lane::U32 => "u32",
            Lane::U16 => "u16",
            Lane::I16 => "i16",
            Lane::U8 => "u8",
            Lane::I8 => "i8",
            Lane::Usize => "usize",
            Lane::Isize => "isize",
        }
        .into(),
        Ty::Tuple(items) => {
            let items: Vec<String> = items.iter().map(plain).collect();
            format!("({})", items.join(", "))
        }
        Ty::Table(..) | Ty::Plain(_) | Ty::Refused => "_".into(),
    }
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens as _, quote};

    /// The documentation of each item of an expansion, by its kind.
    fn documented(item: proc_macro2::TokenStream) -> Vec<(String, String)> {
        let file: syn::File = syn::parse2(crate::expand::crunch(quote!(), item)).expect("items");
        let of = |attrs: &[syn::Attribute]| {
            let docs = attrs.iter().filter(|a| a.path().is_ident("doc"));
            docs.map(|a| a.meta.to_token_stream().to_string())
                .collect::<String>()
        };
        let each = file.items.iter().map(|item| match item {
            syn::Item::Fn(x) => ("fn".into(), of(&x.attrs)),
            syn::Item::Enum(x) => ("enum".into(), of(&x.attrs)),
            syn::Item::Const(x) => ("const".into(), of(&x.attrs)),
            syn::Item::Impl(x) => {
                let name = x
                    .trait_
                    .as_ref()
                    .map(|t| t.1.segments.last().expect("a name"));
                (
                    name.map_or("impl".into(), |s| s.ident.to_string()),
                    of(&x.attrs),
                )
            }
            other => panic!("{}", other.to_token_stream()),
        });
        each.collect()
    }

    #[test]
    fn a_kernel_is_documented_once_on_its_type() {
        let docs = documented(quote! {
            /// Its text.
            pub fn twice<const N: usize>(x: DcDouble, y: DcFloat) -> (DcDouble, DcFloat) { (x, y) }
        });
        let [function, of_type, crunch_fn, lane_fn, methods] = &docs[..] else {
            panic!("{docs:?}");
        };
        assert_eq!(*function, ("fn".into(), "doc (hidden)".into()));
        assert_eq!(of_type.0, "enum");
        for part in [
            "Its text.",
            "pub fn twice<const N : usize>(x: DcDouble, y: DcFloat) -> (DcDouble, DcFloat)",
            "(Self::eval)",
        ] {
            assert!(of_type.1.contains(part), "{part}: {of_type:?}");
        }
        for other in [crunch_fn, lane_fn, methods] {
            assert_eq!(other.1, "", "{other:?}");
        }
    }

    #[test]
    fn a_plain_function_keeps_its_documentation() {
        let docs = documented(quote! {
            /// Its text.
            pub fn twice(x: f64, n: u32) -> f64 { x + x }
        });
        let [function, lanes, of_type, ..] = &docs[..] else {
            panic!("{docs:?}");
        };
        assert_eq!(function.0, "fn");
        assert!(function.1.contains("Its text."), "{function:?}");
        assert_eq!((&lanes.0[..], &lanes.1[..]), ("impl", ""));
        for part in ["[`twice`](fn@twice)", "pub fn twice(x: f64, n: u32) -> f64"] {
            assert!(of_type.1.contains(part), "{part}: {of_type:?}");
        }
        assert!(!of_type.1.contains("Its text."), "{of_type:?}");
    }

    /// Without the user's text the type has no documentation, for the lint `missing_docs`. Kernels with tables have no `eval`.
    #[test]
    fn nothing_of_ours_stands_for_the_users_text() {
        let docs = documented(quote! {
            fn at(x: DcDouble, table: &[f64; 4]) -> DcDouble { x }
        });
        let [_, of_type, crunch_fn] = &docs[..] else {
            panic!("{docs:?}");
        };
        assert_eq!(of_type.1, "");
        assert!(
            crunch_fn.1.contains("fn at(x: DcDouble, table:"),
            "{crunch_fn:?}"
        );
        assert!(crunch_fn.1.contains("no `eval`"), "{crunch_fn:?}");
    }
}
