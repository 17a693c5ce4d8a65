//! Conversions between plain types, on lanes.

use super::print::Printer;
use super::types::Num;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

impl Printer<'_> {
    /// A call of a built-in kernel.
    pub(super) fn helper(&self, name: &str, args: &[TokenStream], span: Span) -> TokenStream {
        let p = &self.private;
        let name = Ident::new(name, span);
        quote_spanned!(span=> #p::plain::#name(#(#args),*))
    }

    /// `value as to`, for a value of type `from`.
    pub(super) fn converted(
        &self,
        value: TokenStream,
        from: Num,
        to: Num,
        span: Span,
    ) -> TokenStream {
        match (from, to) {
            (from, to) if from == to => value,
            (Num::Bool, to) => {
                let one = quote!(1i32);
                let zero = quote!(0i32);
                let number = quote_spanned!(span=> (#value).select(#one, #zero));
                self.converted(number, Num::I32, to, span)
            }
            (Num::F64, Num::F32) => quote_spanned!(span=> (#value).to_f32()),
            (Num::F32, Num::F64) => quote_spanned!(span=> (#value).to_f64()),
            (from, to) if from.is_float() => self.to_integer(value, from, to, span),
            (from, to) if to.is_float() => self.to_float(value, from, to, span),
            (from, to) => Self::resized(value, from, to, span),
        }
    }

    /// A float, toward zero, to the nearest integer of the type; NaN gives 0.
    fn to_integer(&self, value: TokenStream, from: Num, to: Num, span: Span) -> TokenStream {
        let source = if from == Num::F64 { "f64" } else { "f32" };
        match to {
            Num::U32 => self.helper(&format!("{source}_to_u32"), &[value], span),
            Num::U64 | Num::Usize => self.helper(&format!("{source}_to_u64"), &[value], span),
            Num::I64 | Num::Isize => quote_spanned!(span=> (#value).to_i64()),
            Num::I32 => quote_spanned!(span=> (#value).to_i32()),
            narrow => {
                let (least, most) = limits(narrow);
                quote_spanned!(span=> (#value).to_i32().clamp(#least, #most))
            }
        }
    }

    /// An integer, rounded once.
    fn to_float(&self, value: TokenStream, from: Num, to: Num, span: Span) -> TokenStream {
        let target = if to == Num::F64 { "f64" } else { "f32" };
        match (from, to) {
            (Num::U32, _) => self.helper(&format!("u32_to_{target}"), &[value], span),
            (Num::U64 | Num::Usize, _) => self.helper(&format!("u64_to_{target}"), &[value], span),
            (_, Num::F64) => quote_spanned!(span=> (#value).to_f64()),
            _ => quote_spanned!(span=> (#value).to_f32()),
        }
    }

    /// Another width or sign, with the bits that both have.
    fn resized(value: TokenStream, from: Num, to: Num, span: Span) -> TokenStream {
        let resized = match (from.bits() == 64, to.bits() == 64) {
            (false, true) if from == Num::U32 => {
                quote_spanned!(span=> ((#value).to_i64() & 0xffff_ffffi64))
            }
            (false, true) => quote_spanned!(span=> (#value).to_i64()),
            (true, false) => quote_spanned!(span=> (#value).to_i32()),
            _ => value,
        };
        Self::wrapped(resized, to, span)
    }

    /// A value that may be outside the range of a narrow type, reduced modulo its width.
    pub(super) fn wrapped(value: TokenStream, num: Num, span: Span) -> TokenStream {
        match num {
            Num::U8 => quote_spanned!(span=> ((#value) & 0xffi32)),
            Num::U16 => quote_spanned!(span=> ((#value) & 0xffffi32)),
            Num::I8 => quote_spanned!(span=> (((#value) << 24) >> 24)),
            Num::I16 => quote_spanned!(span=> (((#value) << 16) >> 16)),
            _ => value,
        }
    }

    /// Unsigned numbers in the order of signed ones, with the top bit flipped.
    pub(super) fn flipped(value: TokenStream, num: Num, span: Span) -> TokenStream {
        match num {
            Num::U32 => quote_spanned!(span=> ((#value) ^ 0x8000_0000u32)),
            Num::U64 | Num::Usize => {
                quote_spanned!(span=> ((#value) ^ 0x8000_0000_0000_0000u64))
            }
            _ => value,
        }
    }
}

/// The least and the greatest number of a narrow type.
fn limits(num: Num) -> (TokenStream, TokenStream) {
    let most = match num.is_unsigned() {
        true => (1i32 << num.bits()) - 1,
        false => (1i32 << (num.bits() - 1)) - 1,
    };
    let below = if num.is_unsigned() { 0 } else { most + 1 };
    let (below, most) = (Literal::i32_suffixed(below), Literal::i32_suffixed(most));
    (quote!(-#below), quote!(#most))
}
