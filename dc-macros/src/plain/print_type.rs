//! Types, and values of them, in the form that a kernel needs.

use super::print::Printer;
use super::types::{Num, Type, Var};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

impl Printer<'_> {
    pub(super) fn is_unit(&self, ty: Var) -> bool {
        matches!(self.types.get(ty), Some(Type::Tuple(items)) if items.is_empty())
    }

    pub(super) fn mask_type(&self) -> TokenStream {
        let p = &self.private;
        quote!(#p::lanes::DcMask)
    }

    /// `: DcFloat`, if the type is known.
    pub(super) fn annotation(&self, ty: Var) -> Option<TokenStream> {
        self.lane_type(ty).map(|ty| quote!(: #ty))
    }

    fn lane_type(&self, ty: Var) -> Option<TokenStream> {
        if let Some(parts) = self.types.parts(ty) {
            let parts: Option<Vec<TokenStream>> =
                parts.iter().map(|t| self.lane_type(*t)).collect();
            return Some(Self::tuple(parts?));
        }
        let name = format_ident!("{}", self.types.final_num(ty)?.lane().name());
        let p = &self.private;
        Some(quote!(#p::lanes::#name))
    }

    /// Any value of a type.
    pub(super) fn zero(&self, ty: Var) -> TokenStream {
        if let Some(parts) = self.types.parts(ty) {
            return Self::tuple(parts.iter().map(|t| self.zero(*t)).collect());
        }
        match self.types.final_num(ty) {
            Some(Num::F64) => quote!(0.0f64),
            Some(Num::F32) => quote!(0.0f32),
            Some(Num::Bool) => self.truth(false),
            Some(num) if num.bits() == 64 => quote!(0i64),
            Some(_) => quote!(0i32),
            None if self.types.is_float(ty) => quote!(0.0),
            None => quote!(0),
        }
    }

    /// A mask of all lanes, or of none: a literal is a constant and not a mask.
    pub(super) fn truth(&self, value: bool) -> TokenStream {
        match value {
            true => quote!((0i32 == 0i32)),
            false => quote!((0i32 != 0i32)),
        }
    }
}
