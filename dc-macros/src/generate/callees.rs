//! The kernels that a kernel calls, and a message for ordinary functions.
//!
//! A kernel's name is a function and a type, and the tree needs the type. An ordinary function has no type, for which rustc reports
//! "expected type, found function". So if a callee may be an ordinary function, the expansion names an alias: `use helper as __callee0`
//! imports both the function and the type, if they exist. If there is no type, the name refers to the one of `P::callees`, whose use is an
//! error with our own message.
//!
//! An undefined name is better left to rustc unchanged, because rustc suggests imports for it. So the alias is used only for paths and for
//! names that this file declares or imports. Both expansions of a kernel's call are the same program.

use super::context::Cx;
use crate::source;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote, quote_spanned};
use std::cell::RefCell;

/// As many aliases as `P::callees` has; calls of further kernels name them by their paths.
const ALIASES: usize = 64;

#[derive(Default)]
pub(crate) struct Callees(RefCell<Vec<syn::Path>>);

impl Callees {
    /// The alias of a called function, if it may be an ordinary one. A path with arguments has none.
    pub(super) fn alias(&self, path: &syn::Path, at: Span) -> Option<Ident> {
        let mut paths = self.0.borrow_mut();
        let text = |p: &syn::Path| p.to_token_stream().to_string();
        let known = paths.iter().position(|p| text(p) == text(path));
        let number = known.or_else(|| {
            let arguments = path.segments.iter().any(|s| !s.arguments.is_none());
            if arguments || paths.len() == ALIASES || !may_be_ordinary(path) {
                return None;
            }
            paths.push(path.clone());
            Some(paths.len() - 1)
        })?;
        Some(name(number, at))
    }

    /// Whether a name without an alias is that of a kernel in this file. Such a kernel may have a plain function with the same name.
    pub(super) fn known(&self, path: &syn::Path) -> bool {
        let first = &path.segments[0].ident;
        let arguments = path.segments.iter().any(|s| !s.arguments.is_none());
        let declared = |text: &str| kernel(text, &first.to_string());
        !arguments && source::with_file(first.span(), declared).unwrap_or(false)
    }

    /// The declarations of the aliases.
    pub(super) fn uses(&self, cx: &Cx) -> TokenStream {
        let (p, paths) = (&cx.private, self.0.borrow());
        if paths.is_empty() {
            return TokenStream::new();
        }
        let uses = paths.iter().enumerate().map(|(number, path)| {
            let span = path.segments[0].ident.span();
            let name = name(number, span);
            quote_spanned!(span=> #[allow(unused_imports)] use #path as #name;)
        });
        quote!(#[allow(unused_imports)] use #p::callees::*; #(#uses)*)
    }
}

fn name(number: usize, span: Span) -> Ident {
    Ident::new(&format!("__callee{number}"), span)
}

fn may_be_ordinary(path: &syn::Path) -> bool {
    let first = &path.segments[0].ident;
    path.segments.len() > 1
        || source::with_file(first.span(), |text| declares(text, &first.to_string()))
            .unwrap_or(false)
}

/// Whether a file seems to import this name, or to declare a function with this name that is not a kernel. Comments and macros may mislead
/// it; then the message is a different one.
fn declares(text: &str, name: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        if before.ends_with(part) || after.starts_with(part) {
            return false;
        }
        if before.trim_end().ends_with("fn") {
            return !is_kernel(before);
        }
        // The enclosing statement, from the end of the one before.
        let statement = before.rsplit(';').next().unwrap_or_default();
        let statement = statement.rsplit('}').next().unwrap_or_default();
        after.trim_start().starts_with([';', ',', '}']) && statement.contains("use ")
    })
}

/// Whether the function after this text has the attribute.
fn is_kernel(before: &str) -> bool {
    let attributes = before.rsplit(['}', ';']).next().unwrap_or_default();
    attributes.contains("crunch")
}

/// Whether a file seems to declare a kernel with this name.
fn kernel(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let whole = after.trim_start().starts_with(['(', '<']);
        whole && before.trim_end().ends_with("fn") && before.ends_with(' ') && is_kernel(before)
    })
}

#[cfg(test)]
mod tests {
    use super::declares;

    #[test]
    fn functions_and_imports_are_seen() {
        for (text, yes) in [
            ("fn helper(x: f64) -> f64 { x }", true),
            ("pub(crate) const fn helper() {}", true),
            ("use a::{b, helper};", true),
            ("use crate::helper;", true),
            ("fn f() {}\nuse a::g as helper;", true),
            ("#[crunch]\nfn helper(x: DcDouble) -> DcDouble { x }", false),
            ("fn first() {} #[crunch] pub fn helper() {}", false),
            ("#[crunch] fn first() {} fn helper() {}", true),
            ("fn helper2() {}", false),
            ("use a::a_helper;", false),
            ("let y = f(helper, 1.0);", false),
            ("fn k() { helper(x) }", false),
        ] {
            assert_eq!(declares(text, "helper"), yes, "{text}");
        }
    }
}
