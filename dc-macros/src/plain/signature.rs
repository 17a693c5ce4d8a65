//! Whether a function is one of plain numbers, judged by its signature.

use super::outer;
use super::shape::Shape;
use crate::ast::Lane;
use syn::visit::Visit;

/// Whether the signature has plain numbers and no lanes.
pub(crate) fn is_plain(function: &syn::ItemFn) -> bool {
    struct Kinds {
        plain: bool,
        lanes: bool,
    }
    impl<'ast> Visit<'ast> for Kinds {
        fn visit_type_path(&mut self, path: &'ast syn::TypePath) {
            if let Some(last) = path.path.segments.last() {
                self.lanes |= Lane::named(&last.ident).is_some();
            }
            let ty = syn::Type::Path(path.clone());
            self.plain |= outer::num(&ty).is_some() || Shape::of(&ty, &outer::length).is_known();
            syn::visit::visit_type_path(self, path);
        }
        // A table consists of plain numbers in every kernel.
        fn visit_type_reference(&mut self, r: &'ast syn::TypeReference) {
            if outer::table(&r.elem).is_none() || r.mutability.is_some() {
                self.visit_type(&r.elem);
            }
        }
        // The length of an array is not a value.
        fn visit_type_array(&mut self, a: &'ast syn::TypeArray) {
            self.visit_type(&a.elem);
        }
    }
    let mut kinds = Kinds {
        plain: false,
        lanes: false,
    };
    for input in &function.sig.inputs {
        if let syn::FnArg::Typed(input) = input {
            kinds.visit_type(&input.ty);
        }
    }
    kinds.visit_return_type(&function.sig.output);
    kinds.plain && !kinds.lanes
}

/// Whether all parameters and the result are plain values or tables.
pub(super) fn is_all_plain(sig: &syn::Signature) -> bool {
    let known = |ty: &syn::Type| {
        let table = matches!(ty, syn::Type::Reference(r) if r.mutability.is_none())
            && outer::table(ty).is_some();
        table || Shape::of(ty, &outer::length).is_known()
    };
    let mut params = sig.inputs.iter().filter_map(|i| match i {
        syn::FnArg::Typed(input) => Some(&input.ty),
        syn::FnArg::Receiver(_) => None,
    });
    let ret = match &sig.output {
        syn::ReturnType::Type(_, ty) => known(ty),
        syn::ReturnType::Default => true,
    };
    ret && params.all(|ty| known(ty)) && sig.generics.type_params().next().is_none()
}
