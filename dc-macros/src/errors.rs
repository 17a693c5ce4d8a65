//! Errors are collected and reported together.

use crate::messages::Message;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// The errors of one function. Panics when dropped without [`Errors::finish`]: an error cannot be forgotten.
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

    fn add(&mut self, error: syn::Error) {
        if let Some(found) = &mut self.found {
            found.push(error);
        }
    }

    /// An error on all of `tokens`.
    pub(crate) fn push(&mut self, tokens: &impl ToTokens, message: Message) {
        self.add(syn::Error::new_spanned(tokens, message));
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
