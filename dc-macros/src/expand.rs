//! The phases of the macro: attributes, parse, report, generate.

use crate::ast::Plain;
use crate::errors::Errors;
use crate::messages::Message;
use crate::{attr, fallback, generate, parse, plain, source};
use proc_macro2::TokenStream;
use quote::quote;

/// The expansion of `#[crunch(args)] item`.
pub(crate) fn crunch(args: TokenStream, item: TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let attr::Args {
        krate,
        step,
        limit,
        instruction,
        method,
    } = attr::args(args.clone(), &mut errors);
    if let Some(module) = plain::module(&args, &item, &generate::Cx::new(&krate).private) {
        let errors = errors.finish().err();
        return quote!(#errors #module);
    }
    if let Some(block) = plain::implementation(&args, &item, &generate::Cx::new(&krate).private) {
        let errors = errors.finish().err();
        return quote!(#errors #block);
    }
    let Ok(function) = syn::parse2::<syn::ItemFn>(item.clone()) else {
        errors.push(&item, Message::NotAFunction);
        let errors = errors.finish().err();
        return quote!(#errors #item);
    };
    if let Some(receiver) = function.sig.receiver() {
        errors.push(receiver, Message::SelfParam);
        let errors = errors.finish().err();
        let stub = fallback::method(&function, receiver);
        return quote!(#errors #stub);
    }
    let text = source::text(item.clone());
    let is_plain = plain::is_plain(&function);
    let private = generate::Cx::new(&krate).private;
    if let Some(variants) = plain::conditions(&args, &function, &private).filter(|_| is_plain) {
        let errors = errors.finish().err();
        return quote!(#errors #variants);
    }
    let mut kernel = if is_plain {
        let written = plain::rewrite(&function, limit, &krate, &private, &mut errors);
        let mut kernel = parse::kernel(&written.function, written.items, text, &mut errors);
        kernel.attrs.doc = attr::documentation(&function.attrs);
        let safe = function.sig.unsafety.is_none();
        kernel.plain = Some(Plain {
            item: match method {
                Some(method) => plain::calling(&function, &method),
                None => item,
            },
            call: safe.then_some((written.call.params, written.call.value)),
        });
        kernel
    } else {
        parse::kernel(&function, Vec::new(), text, &mut errors)
    };
    if let Some(step) = step {
        if !generate::has_lane_fn(&kernel) {
            errors.push(&step, Message::StepSignature);
        }
        kernel.step = true;
    }
    kernel.instruction = instruction;
    match errors.finish() {
        Ok(()) => generate::kernel(&krate, &kernel),
        Err(errors) => {
            // It is unknown whether the kernel's parameters match the function's.
            if let Some(plain) = &mut kernel.plain {
                plain.call = None;
            }
            let stub = fallback::kernel(&krate, &kernel);
            quote!(#errors #stub)
        }
    }
}
