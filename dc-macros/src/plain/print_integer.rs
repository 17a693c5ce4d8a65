//! Methods of integers.

use super::names::temporary;
use super::print::Printer;
use super::print_expr::group;
use super::print_method::width;
use super::tree::Expr;
use super::types::Num;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::slice::from_ref;

impl Printer<'_> {
    /// `a / b`, or `a % b`.
    pub(super) fn quotient(
        &self,
        divide: bool,
        a: TokenStream,
        b: TokenStream,
        num: Num,
        span: Span,
    ) -> TokenStream {
        let name = if divide { "div" } else { "rem" };
        let quotient = self.helper(&format!("{name}_{}", lanes(num)), &[a, b], span);
        Self::wrapped(quotient, num, span)
    }

    pub(super) fn int_method(
        &self,
        value: &TokenStream,
        name: &str,
        args: &[TokenStream],
        num: Num,
        span: Span,
    ) -> Option<TokenStream> {
        for prefix in ["overflowing_", "checked_", "saturating_"] {
            if let Some(op) = name.strip_prefix(prefix) {
                return self.with_overflow(prefix, op, value, args, num, span);
            }
        }
        if let Some(op) = name.strip_prefix("wrapping_") {
            return self.wrapping(op, value, args, num, span);
        }
        let wide = width(num);
        let unary = |name: &str| self.helper(&format!("{name}_{wide}"), from_ref(value), span);
        let flipped = |x: &TokenStream| group(Self::flipped(x.clone(), num, span));
        Some(match (name, args) {
            ("min" | "max", [b]) => {
                let (a, b) = (flipped(value), flipped(b));
                let name = Ident::new(name, span);
                Self::flipped(quote!((#a).#name(#b)), num, span)
            }
            ("clamp", [lo, hi]) => {
                let (a, lo, hi) = (flipped(value), flipped(lo), flipped(hi));
                Self::flipped(quote!((#a).clamp(#lo, #hi)), num, span)
            }
            ("abs" | "unsigned_abs", []) => unary("abs"),
            ("signum", []) => unary("signum"),
            ("is_positive", []) => Self::with_zero(&quote!(>), value, num, span),
            ("is_negative", []) => Self::with_zero(&quote!(<), value, num, span),
            ("abs_diff", [b]) => {
                let (a, b) = (flipped(value), flipped(b));
                self.helper(&format!("abs_diff_{wide}"), &[a, b], span)
            }
            ("count_ones", []) => {
                let bits = Self::unsigned_bits(value, num, span);
                self.helper(&format!("count_ones_{wide}"), &[bits], span)
            }
            ("count_zeros", []) => {
                let bits = Self::unsigned_bits(&quote!((!#value)), num, span);
                self.helper(&format!("count_ones_{wide}"), &[bits], span)
            }
            ("leading_zeros", []) => self.leading_zeros(value, num, span),
            ("leading_ones", []) => {
                let not = Self::unsigned_bits(&quote!((!#value)), num, span);
                self.leading_zeros(&not, num, span)
            }
            ("ilog2", []) => {
                let zeros = self.leading_zeros(value, num, span);
                let last = Literal::i32_suffixed(i32::try_from(num.bits()).unwrap_or(0) - 1);
                quote_spanned!(span=> #last - (#zeros))
            }
            ("trailing_zeros", []) => self.trailing_zeros(value, num, span),
            ("trailing_ones", []) => self.trailing_zeros(&quote!((!#value)), num, span),
            ("is_power_of_two", []) => {
                let ones = self.helper(&format!("count_ones_{wide}"), from_ref(value), span);
                quote_spanned!(span=> #ones == 1i32)
            }
            ("is_multiple_of", [b]) => {
                let rest = self.quotient(false, value.clone(), b.clone(), num, span);
                let zero = Self::number(0, num);
                quote_spanned!(span=> (#b == #zero).select(#value, #rest) == #zero)
            }
            ("swap_bytes" | "reverse_bits" | "to_be", []) if !num.is_narrow() => {
                let name = if name == "reverse_bits" {
                    name
                } else {
                    "swap_bytes"
                };
                unary(name)
            }
            ("swap_bytes" | "reverse_bits" | "to_be", []) => {
                let name = if name == "reverse_bits" {
                    name
                } else {
                    "swap_bytes"
                };
                let up = Literal::u32_unsuffixed(32 - num.bits());
                let swapped = unary(name);
                match num.is_unsigned() {
                    true => quote_spanned!(span=> #swapped.shr_logical(#up)),
                    false => quote_spanned!(span=> (#swapped >> #up)),
                }
            }
            ("to_le", []) => value.clone(),
            ("high_product", [b]) => self.helper(
                &format!("high_{}", lanes(num)),
                &[value.clone(), b.clone()],
                span,
            ),
            ("isqrt", []) if num.bits() <= 32 => self.helper("isqrt_u32", from_ref(value), span),
            ("cast_signed" | "cast_unsigned", []) => {
                let to = if name == "cast_signed" {
                    num.signed()
                } else {
                    num.unsigned()
                };
                self.converted(value.clone(), num, to, span)
            }
            ("pow", [_]) => return self.wrapping("pow", value, args, num, span),
            ("rem_euclid" | "div_euclid", [b]) if num.is_unsigned() => {
                self.quotient(name == "div_euclid", value.clone(), b.clone(), num, span)
            }
            ("rem_euclid", [b]) => {
                let rest = self.quotient(false, value.clone(), b.clone(), num, span);
                let (zero, size) = (Self::number(0, num), quote!((#b).max(-(#b))));
                let left = temporary("rest");
                quote_spanned!(span=> { let #left = #rest; (#left < #zero).select(#left + #size, #left) })
            }
            ("div_euclid", [b]) => {
                let whole = self.quotient(true, value.clone(), b.clone(), num, span);
                let rest = self.quotient(false, value.clone(), b.clone(), num, span);
                let (zero, one) = (Self::number(0, num), Self::number(1, num));
                let own = temporary("whole");
                let exact = quote_spanned!(span=> {
                    let #own = #whole;
                    ((#rest) < #zero).select((#b > #zero).select(#own - #one, #own + #one), #own)
                });
                Self::wrapped(exact, num, span)
            }
            ("div_ceil", [b]) if num.is_unsigned() => {
                let whole = self.quotient(true, value.clone(), b.clone(), num, span);
                let (own, one) = (temporary("whole"), Self::number(1, num));
                quote_spanned!(span=> {
                    let #own = #whole;
                    (#own * #b == #value).select(#own, #own + #one)
                })
            }
            ("next_multiple_of", [b]) if num.is_unsigned() => {
                let rest = self.quotient(false, value.clone(), b.clone(), num, span);
                let (own, zero) = (temporary("rest"), Self::number(0, num));
                let next = quote_spanned!(span=> {
                    let #own = #rest;
                    (#own == #zero).select(#value, #value + (#b - #own))
                });
                Self::wrapped(next, num, span)
            }
            ("midpoint", [b]) if num.is_unsigned() => match num.is_narrow() {
                true => quote_spanned!(span=> ((#value + #b) >> 1)),
                false => quote_spanned!(span=> ((#value & #b) + (#value ^ #b).shr_logical(1))),
            },
            _ => return None,
        })
    }

    fn leading_zeros(&self, value: &TokenStream, num: Num, span: Span) -> TokenStream {
        let bits = Self::unsigned_bits(value, num, span);
        let zeros = self.helper(&format!("leading_zeros_{}", width(num)), &[bits], span);
        let more = Literal::u32_suffixed(if num.is_narrow() { 32 - num.bits() } else { 0 });
        quote_spanned!(span=> (#zeros - #more))
    }

    fn trailing_zeros(&self, value: &TokenStream, num: Num, span: Span) -> TokenStream {
        let value = match num.is_narrow() {
            // A bit above those of the type ends the count.
            true => {
                let above = Literal::i32_suffixed(1 << num.bits());
                quote_spanned!(span=> (#value | #above))
            }
            false => value.clone(),
        };
        self.helper(&format!("trailing_zeros_{}", width(num)), &[value], span)
    }

    /// Narrow integers, rotated by an amount that counts modulo the width.
    pub(super) fn rotated(
        value: &TokenStream,
        amount: &TokenStream,
        left: bool,
        num: Num,
        span: Span,
    ) -> TokenStream {
        let bits = Literal::i32_suffixed(i32::try_from(num.bits()).unwrap_or(8));
        let mask = Literal::i32_suffixed(i32::try_from(num.bits()).unwrap_or(8) - 1);
        let unsigned = Self::unsigned_bits(value, num, span);
        let by = match left {
            true => quote!(((#amount) & #mask)),
            false => quote!(((#bits - ((#amount) & #mask)) & #mask)),
        };
        let (own, amount) = (temporary("bits"), temporary("by"));
        let rotated = quote_spanned!(span=> {
            let #own = #unsigned;
            let #amount = #by;
            (#own << #amount) | (#own >> (#bits - #amount))
        });
        Self::wrapped(rotated, num, span)
    }

    fn wrapping(
        &self,
        op: &str,
        a: &TokenStream,
        args: &[TokenStream],
        num: Num,
        span: Span,
    ) -> Option<TokenStream> {
        let value = match (op, args) {
            ("add" | "add_signed" | "add_unsigned", [b]) => quote_spanned!(span=> (#a + #b)),
            ("sub" | "sub_signed" | "sub_unsigned", [b]) => quote_spanned!(span=> (#a - #b)),
            ("mul", [b]) => quote_spanned!(span=> (#a * #b)),
            ("neg", []) => quote_spanned!(span=> (-#a)),
            ("abs", []) => self.helper(&format!("abs_{}", width(num)), from_ref(a), span),
            ("pow", [b]) => self.helper(
                &format!("pow_{}", width(num)),
                &[a.clone(), b.clone()],
                span,
            ),
            ("div" | "rem", [b]) => {
                return Some(self.quotient(op == "div", a.clone(), b.clone(), num, span));
            }
            ("div_euclid" | "rem_euclid", [_]) => {
                return self.int_method(a, op, args, num, span);
            }
            _ => return None,
        };
        Some(Self::wrapped(value, num, span))
    }

    /// The result modulo the width and whether it differs from the exact one, as the methods return it.
    fn with_overflow(
        &self,
        prefix: &str,
        op: &str,
        a: &TokenStream,
        args: &[TokenStream],
        num: Num,
        span: Span,
    ) -> Option<TokenStream> {
        let (zero, least) = (Self::number(0, num), Self::least(num));
        let most = quote!((!#least));
        let most = Self::wrapped(most, num, span);
        let minus = Self::number(-1, num);
        let is_least = quote!((#a == #least));
        // The cases in which the function panics are excluded.
        let (value, over, limit) = match (op, args) {
            ("add" | "sub" | "mul", [b]) => {
                let limit = match (num.is_unsigned(), op) {
                    (true, "sub") => zero.clone(),
                    (true, _) => most,
                    (false, "add") => quote!((#b < #zero).select(#least, #most)),
                    (false, "sub") => quote!((#b < #zero).select(#most, #least)),
                    (false, _) => quote!(((#a ^ #b) < #zero).select(#least, #most)),
                };
                let op = match op {
                    "add" => quote!(+),
                    "sub" => quote!(-),
                    _ => quote!(*),
                };
                let whole = match num.is_narrow() {
                    true => {
                        let (whole, own) = (temporary("whole"), temporary("low"));
                        let low = Self::wrapped(quote!(#whole), num, span);
                        quote_spanned!(span=> { let #whole = #a #op #b; let #own = #low; (#own, #own != #whole) })
                    }
                    false => {
                        let name = match op.to_string().as_str() {
                            "+" => "add",
                            "-" => "sub",
                            _ => "mul",
                        };
                        let name = format!("overflowing_{name}_{}", lanes(num));
                        self.helper(&name, &[a.clone(), b.clone()], span)
                    }
                };
                return Some(Self::returned(prefix, &whole, &limit, &zero, span));
            }
            ("neg", []) => {
                let over = match num.is_unsigned() {
                    true => quote!((#a != #zero)),
                    false => is_least,
                };
                (self.wrapping("neg", a, &[], num, span)?, over, most)
            }
            ("abs", []) => (self.wrapping("abs", a, &[], num, span)?, is_least, most),
            ("div" | "rem" | "div_euclid" | "rem_euclid", [b]) => {
                let value = self.wrapping(op, a, args, num, span)?;
                let over = match num.is_unsigned() {
                    true => self.truth(false),
                    false => quote!((#is_least & (#b == #minus))),
                };
                let over = match prefix {
                    "checked_" => quote!((#over | (#b == #zero))),
                    _ => over,
                };
                let value = match op.starts_with("rem") {
                    // A division by -1 has no remainder.
                    true => quote!((#over).select(#zero, #value)),
                    false => value,
                };
                (value, over, most)
            }
            ("ilog2", []) if prefix == "checked_" => {
                let value = self.int_method(a, "ilog2", &[], num, span)?;
                let none = match num.is_unsigned() {
                    true => quote!((#a == #zero)),
                    false => quote!((#a <= #zero)),
                };
                let none_value = quote!(0i32);
                let whole = quote!((#value, #none));
                return Some(Self::returned(prefix, &whole, &zero, &none_value, span));
            }
            _ => return None,
        };
        let whole = quote_spanned!(span=> (#value, #over));
        Some(Self::returned(prefix, &whole, &limit, &zero, span))
    }

    fn returned(
        prefix: &str,
        whole: &TokenStream,
        limit: &TokenStream,
        zero: &TokenStream,
        span: Span,
    ) -> TokenStream {
        let value = temporary("value");
        let over = temporary("over");
        let result = match prefix {
            "overflowing_" => return whole.clone(),
            "checked_" => quote!((!#over, #over.select(#zero, #value))),
            _ => quote!(#over.select(#limit, #value)),
        };
        quote_spanned!(span=> { let (#value, #over) = #whole; #result })
    }

    /// `total_cmp`, `partial_cmp` and `cmp`, as -1, 0 and 1, and methods that test for one of these.
    pub(super) fn comparison(
        &self,
        name: &str,
        value: &TokenStream,
        args: &[TokenStream],
        num: Option<Num>,
        span: Span,
    ) -> Option<TokenStream> {
        let op = |op: &str| -> Option<TokenStream> {
            Some(match op {
                "lt" => quote!(<),
                "le" => quote!(<=),
                "gt" => quote!(>),
                "ge" => quote!(>=),
                "eq" => quote!(==),
                "ne" => quote!(!=),
                _ => return None,
            })
        };
        if args.is_empty() {
            if name == "reverse" {
                return Some(quote_spanned!(span=> (-#value)));
            }
            let op = op(name.strip_prefix("is_")?)?;
            return Some(quote_spanned!(span=> (#value #op 0i32)));
        }
        let ([other], Some(num)) = (args, num) else {
            return None;
        };
        let (a, b) = match name {
            "total_cmp" => {
                let bits = |x: &TokenStream| {
                    self.helper(&format!("order_{}", num.name()), from_ref(x), span)
                };
                (bits(value), bits(other))
            }
            _ if num.is_float() => (value.clone(), other.clone()),
            _ => (
                group(Self::flipped(value.clone(), num, span)),
                group(Self::flipped(other.clone(), num, span)),
            ),
        };
        let (x, y) = (temporary("x"), temporary("y"));
        Some(match name {
            "total_cmp" | "cmp" => {
                quote_spanned!(span=> {
                    let (#x, #y) = (#a, #b);
                    (#x < #y).select(-1i32, (#y < #x).select(1i32, 0i32))
                })
            }
            "partial_cmp" => {
                quote_spanned!(span=> {
                    let (#x, #y) = (#a, #b);
                    ((#x <= #y) | (#y <= #x), (#x < #y).select(-1i32, (#y < #x).select(1i32, 0i32)))
                })
            }
            name => {
                let op = op(name)?;
                quote_spanned!(span=> (#a #op #b))
            }
        })
    }

    /// An integer as another type, and whether it fits.
    pub(super) fn tried(&self, value: TokenStream, from: Num, e: &Expr) -> TokenStream {
        let span = e.span;
        let to = match self.types.parts(e.ty).as_deref() {
            Some([_, value]) => self.types.final_num(*value),
            _ => None,
        };
        let Some(to) = to.filter(|_| from.is_int()) else {
            return value;
        };
        let (own, new) = (temporary("own"), temporary("new"));
        let there = self.converted(quote!(#own), from, to, span);
        let back = self.converted(quote!(#new), to, from, span);
        let mut fits = quote!((#back == #own));
        if !from.is_unsigned() && to.is_unsigned() {
            let zero = Self::number(0, from);
            fits = quote!((#fits & (#own >= #zero)));
        }
        if from.is_unsigned() && !to.is_unsigned() {
            let zero = Self::number(0, to);
            fits = quote!((#fits & (#new >= #zero)));
        }
        let zero = Self::number(0, to);
        let all = temporary("fits");
        quote_spanned!(span=> {
            let #own = #value;
            let #new = #there;
            let #all = #fits;
            (#all, #all.select(#new, #zero))
        })
    }

    /// A number in the lanes of a type.
    fn number(n: i64, num: Num) -> TokenStream {
        let sign = (n < 0).then(|| quote!(-));
        let (size, suffix) = (n.unsigned_abs(), width(num));
        // Digits and a suffix that we wrote: always a literal.
        let size: Literal = format!("{size}{suffix}").parse().expect("a literal");
        quote!((#sign #size))
    }

    /// The least number of a type.
    fn least(num: Num) -> TokenStream {
        match (num.is_unsigned(), num.bits()) {
            (true, _) => Self::number(0, num),
            (false, bits) => Self::number(i64::MIN >> (64 - bits), num),
        }
    }

    fn with_zero(op: &TokenStream, value: &TokenStream, num: Num, span: Span) -> TokenStream {
        let zero = Self::number(0, num);
        quote_spanned!(span=> #value #op #zero)
    }

    /// The bits of a narrow negative number, without those of its sign in the lanes.
    pub(super) fn unsigned_bits(value: &TokenStream, num: Num, span: Span) -> TokenStream {
        match num.is_narrow() {
            true => Self::wrapped(value.clone(), num.unsigned(), span),
            false => value.clone(),
        }
    }
}

/// The names, in built-in kernels, of the integer lanes with operations of 32 and 64 bits.
fn lanes(num: Num) -> &'static str {
    match (num.bits() == 64, num.is_unsigned()) {
        (true, true) => "u64",
        (true, false) => "i64",
        (false, true) if num == Num::U32 => "u32",
        (false, _) => "i32",
    }
}
