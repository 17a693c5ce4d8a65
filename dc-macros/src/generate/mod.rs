//! From the checked tree to tokens: the generic function (`rust`), the constant tree (`ir`), and the items that connect
//! them with the function's name. No errors are reported here.

mod callees;
mod context;
mod doc;
mod fence;
mod ir;
mod rust;

use crate::ast::{Kernel, Lane, Ty};
pub(crate) use context::{Cx, MAX_PARAMS, const_param, declared, generic_type, has_lane_fn, used};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// The complete expansion of a function.
pub(crate) fn kernel(krate: &TokenStream, k: &Kernel) -> TokenStream {
    let cx = Cx {
        plain: k.plain.is_some(),
        ..Cx::new(krate)
    };
    let function = rust::function(&cx, k);
    let tree = ir::kernel(&cx, k);
    let items = items(&cx, k, &tree);
    quote!(#function #items)
}

/// The items with the stub of a function with errors.
pub(crate) fn stub_items(cx: &Cx, k: &Kernel) -> TokenStream {
    let items = items(cx, k, &ir::empty(cx, k));
    let whole = !lane_fn(cx, k).is_empty();
    if whole || k.params.iter().any(|x| matches!(x.ty, Ty::Table(..))) {
        return items;
    }
    // If the type is not one of lanes, any type is accepted: `!` is possible only as a result.
    let (ret, checked, any_type) = match kind(cx, &k.ret) {
        Some(_) => (plain(cx, &k.ret), plain(cx, &k.ret), quote!()),
        None => (quote!(!), quote!(__T), quote!(<__T>)),
    };
    // `eval` and `map` with any types, so that calls of them cause no further errors.
    let (name, declared, used) = (&k.name, declared(&k.generics), used(&k.generics));
    let p = &cx.private;
    let any: Vec<TokenStream> = k
        .params
        .iter()
        .map(|_| quote!(_: impl ::core::marker::Sized))
        .collect();
    quote! {
        #items
        #[allow(dead_code, missing_docs, reason = "stands for a kernel that was refused")]
        impl #declared #name #used {
            pub fn eval(#(#any),*) -> #ret { loop {} }
            pub fn map(#(#any,)* _: impl ::core::marker::Sized) { loop {} }
            pub fn map_in_place(_: impl ::core::marker::Sized) { loop {} }
            pub fn eval_checked #any_type(#(#any),*) -> ::core::result::Result<#checked, #p::NotDefault> { loop {} }
            pub fn map_checked(
                #(#any,)* _: impl ::core::marker::Sized,
            ) -> ::core::result::Result<(), #p::NotDefault> { loop {} }
        }
    }
}

/// The enum with the function's name and its impls, for a tree.
fn items(cx: &Cx, k: &Kernel, tree: &TokenStream) -> TokenStream {
    let p = &cx.private;
    let (vis, name, all) = (&k.vis, &k.name, &k.attrs.all);
    let (declared, used) = (declared(&k.generics), used(&k.generics));
    let (doc, signature) = (doc::text(k), doc::signature(k));
    // Without the user's text, the type gets no text of ours, so that the lint `missing_docs` reports it.
    let (on_type, on_impl) = match doc::is_written(k) {
        true => (Some(&signature), None),
        false => (None, Some(&signature)),
    };
    let (on_type, on_impl): (Vec<_>, Vec<_>) =
        (on_type.into_iter().collect(), on_impl.into_iter().collect());
    let lane_fn = lane_fn(cx, k);
    let (consts, uses) = (&k.consts, cx.callees.uses(cx));
    let call = call(cx, k);
    // Lints on a plain function's constants are reported where the constants are written.
    let quiet = cx
        .plain
        .then(|| quote!(#[allow(warnings, reason = "a copy")]));
    let crunch_fn = |ty: &TokenStream, value: &TokenStream| {
        quote! {
            #(#all)*
            #(#[doc = #on_impl])*
            #[diagnostic::do_not_recommend]
            impl #declared #p::CrunchFn for #name #used {
                #[doc(hidden)]
                type Call = #ty;
                #[doc(hidden)]
                const CALL: #ty = #value;
                #quiet
                const KERNEL: &'static #p::ir::Kernel = { #uses #(#consts)* &#tree };
            }
        }
    };
    let crunch_fn = match call {
        None => crunch_fn(&quote!(#p::Call), &quote!(#p::Call)),
        Some(call) => {
            let of = crunch_fn(&quote!(__Call #used), &quote!(__Call));
            quote!(#(#all)* const _: () = { #call #of };)
        }
    };
    quote! {
        #(#all)*
        #(#doc)*
        #(#[doc = #on_type])*
        #[allow(non_camel_case_types, clippy::allow_attributes, reason = "a kernel's type has the name of its function")]
        #vis enum #name #declared {}

        #crunch_fn

        #lane_fn
    }
}

/// The path to the lanes of a plain function. Its name is that of the plain function, so a call by name needs this path instead.
fn call(cx: &Cx, k: &Kernel) -> Option<TokenStream> {
    if !cx.plain {
        return None;
    }
    let (p, isa, name) = (&cx.private, &cx.isa_type, &k.name);
    let (declared, used) = (declared(&k.generics), used(&k.generics));
    let params = k.params.iter().map(|x| generic_type(cx, &x.ty));
    let ret = generic_type(cx, &k.ret);
    Some(quote! {
        #[doc(hidden)]
        pub struct __Call #declared;
        impl #declared __Call #used {
            #[doc(hidden)]
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "a kernel is one loop body")]
            pub fn of<__F, #isa: #p::Isa>(self, _: __F) -> impl Fn(#(#params),*) -> #ret {
                <#name #used>::lanes::<#isa>
            }
        }
    })
}

/// `LaneFn`, `eval`, `map` and, if possible, `map_in_place`; none if a parameter is a table.
fn lane_fn(cx: &Cx, k: &Kernel) -> TokenStream {
    let p = &cx.private;
    let kinds: Option<Vec<TokenStream>> = k.params.iter().map(|x| kind(cx, &x.ty)).collect();
    let (Some(kinds), Some(ret), 1..=MAX_PARAMS) = (kinds, kind(cx, &k.ret), k.params.len()) else {
        return TokenStream::new();
    };
    let (name, all, isa) = (&k.name, &k.attrs.all, &cx.isa_type);
    let (declared, used) = (declared(&k.generics), used(&k.generics));
    let generics = k.generics.iter().map(|g| &g.name);
    let function = match k.plain {
        Some(_) => quote!(Self::lanes::<#isa>),
        None => quote!(#name::<#isa, #(#generics),*>),
    };
    let call = k.plain.as_ref().and_then(|plain| plain.call.as_ref());
    let written = call.map(|(each, value)| {
        quote! {
            #[allow(warnings, clippy::all, clippy::pedantic, reason = "it is compared with its kernel all the same")]
            const WRITTEN: ::core::option::Option<#p::Written<Self>> =
                ::core::option::Option::Some(|(#(#each,)*)| #value);
        }
    });
    let args = format_ident!("args", span = Span::mixed_site());
    let out = format_ident!("out", span = Span::mixed_site());
    let names: Vec<&Ident> = k.params.iter().map(|x| &x.name).collect();
    let plain: Vec<TokenStream> = k.params.iter().map(|x| plain(cx, &x.ty)).collect();
    let plain_ret = self::plain(cx, &k.ret);
    let doc::Methods {
        eval: doc_eval,
        map: doc_map,
        in_place: doc_in_place,
    } = doc::methods(k);
    // A result can replace its input only if both have the same type.
    let in_place = match &kinds[..] {
        [one] if one.to_string() == ret.to_string() => quote! {
            #[doc = #doc_in_place]
            #[inline]
            pub fn map_in_place(values: &mut [#plain_ret]) {
                #p::map_in_place::<Self, _>(values)
            }
        },
        _ => TokenStream::new(),
    };
    quote! {
        #(#all)*
        impl #declared #p::LaneFn for #name #used {
            type Args = (#(#kinds,)*);
            type Ret = #ret;
            #written
            #[inline(always)]
            #[allow(clippy::inline_always, reason = "a kernel is one loop body")]
            fn call<#isa: #p::Isa>(
                #args: <Self::Args as #p::Kind>::Lanes<#isa>,
            ) -> <Self::Ret as #p::Kind>::Lanes<#isa> {
                let (#(#names,)*) = #args;
                #function(#(#names),*)
            }
        }

        #(#all)*
        #[allow(
            dead_code, unreachable_pub, clippy::must_use_candidate, clippy::too_many_arguments,
            clippy::similar_names, clippy::many_single_char_names,
            reason = "every kernel has them, with the parameters that it has"
        )]
        impl #declared #name #used {
            #[doc = #doc_eval]
            ///
            /// The thread must have the default floating-point environment, as all Rust code assumes:
            /// `eval_checked` checks it.
            // `inline`, here and below, so that only the called ones are compiled.
            #[inline]
            pub fn eval(#(#names: #plain),*) -> #plain_ret {
                #p::eval::<Self>((#(#names,)*))
            }
            #[doc = #doc_map]
            ///
            /// The thread must have the default floating-point environment, as all Rust code assumes:
            /// `map_checked` checks it.
            ///
            /// # Panics
            /// If the lengths of the slices differ.
            #[inline]
            pub fn map(#(#names: &[#plain],)* #out: &mut [#plain_ret]) {
                #p::map::<Self>((#(#names,)*), #out)
            }
            #in_place
            /// The same as `eval`, if the thread has the default floating-point environment.
            ///
            /// # Errors
            /// If the thread has another floating-point environment, because a loaded library changed it.
            #[inline]
            pub fn eval_checked(
                #(#names: #plain),*
            ) -> ::core::result::Result<#plain_ret, #p::NotDefault> {
                #p::eval_checked::<Self>((#(#names,)*))
            }
            /// The same as `map`, if the thread has the default floating-point environment.
            ///
            /// # Errors
            /// If the thread has another floating-point environment, because a loaded library changed it.
            ///
            /// # Panics
            /// If the lengths of the slices differ.
            #[inline]
            pub fn map_checked(
                #(#names: &[#plain],)* #out: &mut [#plain_ret]
            ) -> ::core::result::Result<(), #p::NotDefault> {
                #p::map_checked::<Self>((#(#names,)*), #out)
            }
        }
    }
}

/// The marker of a type; tables have none.
fn kind(cx: &Cx, ty: &Ty) -> Option<TokenStream> {
    let p = &cx.private;
    match ty {
        Ty::Lane(lane, _) => {
            let variant = format_ident!("{}", lane.variant());
            Some(quote!(#p::kind::#variant))
        }
        Ty::Tuple(items) => {
            let items: Option<Vec<TokenStream>> = items.iter().map(|t| kind(cx, t)).collect();
            let items = items?;
            Some(quote!((#(#items,)*)))
        }
        Ty::Table(..) | Ty::Plain(_) | Ty::Refused => None,
    }
}

/// The type of one element of a lane value.
fn plain(cx: &Cx, ty: &Ty) -> TokenStream {
    let p = &cx.private;
    match ty {
        Ty::Lane(lane, _) => match lane {
            Lane::F64 => quote!(::core::primitive::f64),
            Lane::F32 => quote!(::core::primitive::f32),
            Lane::I64 => quote!(::core::primitive::i64),
            Lane::I32 => quote!(::core::primitive::i32),
            Lane::Mask => quote!(::core::primitive::bool),
            Lane::Dd => quote!(#p::DoubleDouble),
            Lane::Half | Lane::Bfloat => quote!(::core::primitive::u16),
            Lane::U64 => quote!(::core::primitive::u64),
            Lane::U32 => quote!(::core::primitive::u32),
            Lane::U16 => quote!(::core::primitive::u16),
            Lane::I16 => quote!(::core::primitive::i16),
            Lane::U8 => quote!(::core::primitive::u8),
            Lane::I8 => quote!(::core::primitive::i8),
            Lane::Usize => quote!(::core::primitive::usize),
            Lane::Isize => quote!(::core::primitive::isize),
        },
        Ty::Tuple(items) => {
            let items = items.iter().map(|t| plain(cx, t));
            quote!((#(#items,)*))
        }
        Ty::Table(..) | Ty::Plain(_) | Ty::Refused => TokenStream::new(),
    }
}
