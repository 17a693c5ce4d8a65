//! Errors are collected and reported together.

use crate::messages::Message;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// The errors of one function. It panics if it is dropped without [`Errors::finish`], so that no error can be lost.
#[derive(Debug)]
pub(crate) struct Errors {
    found: Option<Vec<syn::Error>>,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Errors {
            found: Some(Vec::new()),
        }
    }

    /// Adds an error for all of `tokens`.
    #[track_caller]
    pub(crate) fn push(&mut self, tokens: &impl ToTokens, message: Message) {
        #[cfg(test)]
        tests::visit(std::panic::Location::caller());
        if let Some(found) = &mut self.found {
            found.push(syn::Error::new_spanned(tokens, message));
        }
    }

    /// `compile_error!`s for all errors, if there are any.
    pub(crate) fn finish(mut self) -> Result<(), TokenStream> {
        let found = self.found.take().unwrap_or_default();
        if found.is_empty() {
            return Ok(());
        }
        Err(found.iter().map(syn::Error::to_compile_error).collect())
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        // A second panic while unwinding would abort and hide the first.
        if self.found.is_some() && !std::thread::panicking() {
            panic!("errors of a kernel dropped without a report");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::BTreeSet;
    use std::panic::Location;
    use std::path::{Path, PathBuf};
    use syn::visit::Visit;

    thread_local! {
        /// The places that reported errors on this thread: file and line.
        static VISITED: RefCell<BTreeSet<(String, usize)>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub(super) fn visit(site: &Location) {
        let file = Path::new(site.file()).file_name().unwrap_or_default();
        let site = (file.to_string_lossy().into_owned(), site.line() as usize);
        VISITED.with(|v| v.borrow_mut().insert(site));
    }

    fn files(folder: &Path, extension: &str, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                files(&path, extension, out);
            } else if path.extension().is_some_and(|e| e == extension) {
                out.push(path);
            }
        }
    }

    /// Expands every `#[crunch]` in a file.
    struct Expand;
    impl Expand {
        fn expand(
            &mut self,
            attrs: &[syn::Attribute],
            item: &dyn Fn(Vec<syn::Attribute>) -> TokenStream,
        ) {
            let Some(n) = attrs.iter().position(|a| a.path().is_ident("crunch")) else {
                return;
            };
            let args = match &attrs[n].meta {
                syn::Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            let mut rest = attrs.to_vec();
            rest.remove(n);
            crate::expand::crunch(args, item(rest));
        }
    }
    macro_rules! expand {
        ($($method:ident $item:ident),*) => {
            impl<'ast> Visit<'ast> for Expand {
                $(fn $method(&mut self, item: &'ast syn::$item) {
                    self.expand(&item.attrs, &|attrs| {
                        let mut item = item.clone();
                        item.attrs = attrs;
                        item.into_token_stream()
                    });
                    syn::visit::$method(self, item);
                })*
            }
        };
    }
    expand!(visit_item_fn ItemFn, visit_impl_item_fn ImplItemFn, visit_trait_item_fn TraitItemFn,
        visit_item_struct ItemStruct, visit_item_static ItemStatic, visit_item_impl ItemImpl);

    /// Every line that reports an error is reached by a case of the compile-fail suite.
    #[test]
    fn every_site_has_a_case() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut cases = Vec::new();
        files(&crate::messages::cases(), "rs", &mut cases);
        for case in &cases {
            let text = std::fs::read_to_string(case).unwrap();
            let file = syn::parse_file(&text).unwrap();
            crate::source::FILE.set(text);
            Expand.visit_file(&file);
        }
        let visited = VISITED.with(|v| v.borrow().clone());
        let mut sources = Vec::new();
        files(&root.join("src"), "rs", &mut sources);
        let mut sites = 0;
        let mut missing = Vec::new();
        for source in sources.iter().filter(|s| !s.ends_with("errors.rs")) {
            let name = source.file_name().unwrap().to_string_lossy().into_owned();
            for (n, line) in std::fs::read_to_string(source).unwrap().lines().enumerate() {
                // The only forwarding call passes on its caller's location.
                let reports = line.contains(".refuse(") || line.contains("errors.push(");
                if reports && !line.contains("self.errors.push(tokens, message)") {
                    sites += 1;
                    if !visited.contains(&(name.clone(), n + 1)) {
                        missing.push(format!("{name}:{}: {}", n + 1, line.trim()));
                    }
                }
            }
        }
        assert!(
            missing.is_empty(),
            "no case in tests/ui-messages/tests/ui/fail for\n{}",
            missing.join("\n")
        );
        assert!(sites > 60, "only {sites} sites found");
    }

    #[test]
    #[should_panic(expected = "without a report")]
    fn dropping_unchecked_panics() {
        drop(Errors::new());
    }

    #[test]
    fn all_are_reported() {
        let mut errors = Errors::new();
        errors.push(&quote::quote!(match), Message::Match);
        errors.push(&quote::quote!(while), Message::While);
        let text = errors.finish().unwrap_err().to_string();
        assert_eq!(text.matches("compile_error").count(), 2);
        assert!(Errors::new().finish().is_ok());
    }
}
