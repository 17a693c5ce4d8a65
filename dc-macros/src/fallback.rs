//! The expansion after an error: the function's names and types without a body, so that its callers cause no further errors.

use crate::ast::{Kernel, Plain, Ty};
use crate::generate::{self, Cx};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

pub(crate) fn kernel(krate: &TokenStream, k: &Kernel) -> TokenStream {
    let cx = Cx::new(krate);
    let (p, isa) = (&cx.private, &cx.isa_type);
    let (all, vis, name) = (&k.attrs.all, &k.vis, &k.name);
    let consts = k.generics.iter().map(generate::const_param);
    let params = k.params.iter().enumerate().map(|(i, x)| {
        let name = format_ident!("_p{i}", span = Span::mixed_site());
        let ty = or(&cx, &x.ty, quote!(impl ::core::marker::Sized));
        quote!(#name: #ty)
    });
    // A value of type `!` fits any type that the caller expects.
    let ret = or(&cx, &k.ret, quote!(!));
    // Without a lane parameter the instruction set could not be inferred.
    let lanes = k
        .params
        .iter()
        .any(|x| matches!(x.ty, Ty::Lane(..) | Ty::Tuple(_)));
    let isa = lanes.then(|| quote!(#isa: #p::Isa,));
    let items = generate::stub_items(&cx, k);
    if let Some(Plain { item, .. }) = &k.plain {
        let (declared, used) = (generate::declared(&k.generics), generate::used(&k.generics));
        return quote! {
            #item
            #(#all)*
            #[allow(dead_code, missing_docs, reason = "stands for a kernel that was refused")]
            impl #declared #name #used {
                #[doc(hidden)]
                #vis fn lanes<#isa>(#(#params),*) -> #ret {
                    loop {}
                }
            }
            #items
        };
    }
    quote! {
        #(#all)*
        #[allow(dead_code, missing_docs, reason = "stands for a kernel that was refused")]
        #vis fn #name<#isa #(#consts),*>(#(#params),*) -> #ret {
            loop {}
        }
        #items
    }
}

fn or(cx: &Cx, ty: &Ty, otherwise: TokenStream) -> TokenStream {
    match ty {
        Ty::Refused | Ty::Plain(_) => otherwise,
        ty => generate::generic_type(cx, ty),
    }
}

/// The stub of a method. Only a method is allowed in its place, so there is no enum and no impl.
pub(crate) fn method(function: &syn::ItemFn, receiver: &syn::Receiver) -> TokenStream {
    let (vis, name) = (&function.vis, &function.sig.ident);
    let others = function
        .sig
        .inputs
        .iter()
        .skip(1)
        .map(|_| quote!(_: impl ::core::marker::Sized));
    quote! {
        #[allow(dead_code, missing_docs, reason = "stands for a kernel that was refused")]
        #vis fn #name(#receiver, #(#others),*) -> ! {
            loop {}
        }
    }
}
