//! Names that cannot be names of the user.

use proc_macro2::{Ident, Span};

/// A variable of our own. Its hygiene distinguishes it from all names of the function.
pub(super) fn temporary(name: &str) -> Ident {
    Ident::new(&format!("__dc_{name}"), Span::mixed_site())
}
