//! Operators. The operators of unsigned integers differ from those of the lanes that keep them.

use super::print::Printer;
use super::tree::{Expr, Kind};
use super::types::Num;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

impl Printer<'_> {
    pub(super) fn binary(&mut self, op: &syn::BinOp, a: &Expr, b: &Expr, e: &Expr) -> TokenStream {
        use syn::BinOp as B;
        match op {
            B::And(_) | B::Or(_) => return self.logic(op, a, b),
            B::Shl(_) | B::Shr(_) => return self.shift(op, a, b),
            _ => {}
        }
        let (left, right) = (self.lanes(a), self.lanes(b));
        let num = self.num(a);
        if num == Some(Num::Bool) {
            return match op {
                B::Eq(_) => quote_spanned!(e.span=> !(#left ^ #right)),
                B::Ne(_) => quote_spanned!(e.span=> #left ^ #right),
                _ => quote!(#left #op #right),
            };
        }
        if matches!(op, B::Lt(_) | B::Le(_) | B::Gt(_) | B::Ge(_)) {
            if self.types.is_float(a.ty) {
                return quote!(#left #op #right);
            }
            let Some(num) = self.decided(a) else {
                return left;
            };
            let left = Self::flipped(left, num, e.span);
            let right = Self::flipped(right, num, e.span);
            return quote!(#left #op #right);
        }
        if let (B::Div(_) | B::Rem(_), Some(num)) = (op, num)
            && num.is_int()
        {
            return self.quotient(matches!(op, B::Div(_)), left, right, num, e.span);
        }
        if let (B::Rem(_), Some(num)) = (op, num) {
            let name = format!("rem_{}", num.name());
            return self.helper(&name, &[left, right], e.span);
        }
        let value = quote!(#left #op #right);
        match (op, num) {
            (B::Add(_) | B::Sub(_) | B::Mul(_), Some(num)) => Self::wrapped(value, num, e.span),
            _ => value,
        }
    }

    /// `&&` and `||`: an operand is not evaluated if a constant decides the result.
    fn logic(&mut self, op: &syn::BinOp, a: &Expr, b: &Expr) -> TokenStream {
        let and = matches!(op, syn::BinOp::And(_));
        if self.is_fixed(a) {
            let (a, b) = (self.fixed(a), self.lanes(b));
            let other = self.truth(!and);
            return match and {
                true => quote!(if #a { #b } else { #other }),
                false => quote!(if #a { #other } else { #b }),
            };
        }
        let (a, b) = (self.lanes(a), self.lanes(b));
        quote!(#a #op #b)
    }

    pub(super) fn shift(&mut self, op: &syn::BinOp, a: &Expr, by: &Expr) -> TokenStream {
        let value = self.lanes(a);
        let Some(num) = self.decided(a) else {
            return value;
        };
        let amount = self.amount(by, num);
        match op {
            syn::BinOp::Shl(_) => Self::wrapped(quote!(#value #op #amount), num, a.span),
            _ if num.is_unsigned() && !num.is_narrow() => {
                quote_spanned!(a.span=> #value.shr_logical(#amount))
            }
            _ => quote!(#value #op #amount),
        }
    }

    /// The amount of a shift: known when the kernel is lowered, or lanes with the width of the shifted value.
    pub(super) fn amount(&mut self, by: &Expr, of: Num) -> TokenStream {
        if self.is_index(by) {
            return self.index(by);
        }
        if let (Kind::Path(path), None) = (&by.kind, self.num(by)) {
            return self.hoisted(&quote!(#path), Num::Usize);
        }
        let amount = self.lanes(by);
        let lane = if of.bits() == 64 { Num::I64 } else { Num::I32 };
        match self.num(by) {
            Some(from) => self.converted(amount, from, lane, by.span),
            None => amount,
        }
    }
}
