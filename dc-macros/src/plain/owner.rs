//! The type of an implementation, and the names of the kernels of its methods.

use proc_macro2::Ident;
use quote::ToTokens as _;

/// The name of the type of this block.
pub(super) fn owner(item: &syn::ItemImpl) -> Option<String> {
    match &*item.self_ty {
        syn::Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// The name of a method among those of its type. The name for an operator with arguments includes them: `mul_f32` for `Mul<f32>`.
pub(super) fn method_name(item: &syn::ItemImpl, method: &Ident) -> String {
    let mut name = method.to_string();
    let last = item.trait_.as_ref().and_then(|t| t.1.segments.last());
    let operators = [
        "Add", "Sub", "Mul", "Div", "Rem", "BitAnd", "BitOr", "BitXor", "Shl", "Shr",
    ];
    let last = last.filter(|s| {
        let name = s.ident.to_string();
        operators.contains(&name.trim_end_matches("Assign"))
    });
    if let Some(syn::PathArguments::AngleBracketed(args)) = last.map(|s| &s.arguments) {
        for arg in &args.args {
            let text = arg.to_token_stream().to_string();
            let words = text.split(|c: char| !c.is_alphanumeric());
            for word in words.filter(|w| !w.is_empty()) {
                name.push('_');
                name.push_str(word);
            }
        }
    }
    name
}
