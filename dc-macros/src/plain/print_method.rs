//! Methods of the standard library, as operations of kernels. Where one name has another meaning there, a built-in kernel has Rust's.

use super::print::Printer;
use super::print_expr::group;
use super::tree::{Expr, Kind};
use super::types::Num;
use crate::messages::Message;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::slice::from_ref;

/// Methods that are not those of lanes with the same name, or are none of them: the type decides.
const OWN_MEANING: [&str; 14] = [
    "min",
    "max",
    "clamp",
    "round",
    "fract",
    "signum",
    "midpoint",
    "is_normal",
    "is_subnormal",
    "is_finite",
    "to_degrees",
    "to_radians",
    "count_ones",
    "rotate_left",
];

/// Methods of the standard library that call the system's, with the functions of the crate for mathematics.
const SYSTEM: [(&str, &str); 23] = [
    ("exp", "exp"),
    ("exp2", "exp2"),
    ("exp_m1", "expm1"),
    ("ln", "log"),
    ("ln_1p", "log1p"),
    ("log2", "log2"),
    ("log10", "log10"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("asin", "asin"),
    ("acos", "acos"),
    ("atan", "atan"),
    ("atan2", "atan2"),
    ("sinh", "sinh"),
    ("cosh", "cosh"),
    ("tanh", "tanh"),
    ("asinh", "asinh"),
    ("acosh", "acosh"),
    ("atanh", "atanh"),
    ("powf", "pow"),
    ("cbrt", "cbrt"),
    ("hypot", "hypot"),
];

impl Printer<'_> {
    pub(super) fn method(
        &mut self,
        receiver: &Expr,
        name: &Ident,
        args: &[Expr],
        e: &Expr,
    ) -> TokenStream {
        let (span, text) = (e.span, name.to_string());
        let num = self.num(receiver);
        if let ("wrapping_shl" | "wrapping_shr", [by]) = (text.as_str(), args) {
            let op = match text.as_str() {
                "wrapping_shl" => syn::BinOp::Shl(syn::Token![<<](span)),
                _ => syn::BinOp::Shr(syn::Token![>>](span)),
            };
            return self.shift(&op, receiver, by);
        }
        if let ("rotate_left" | "rotate_right", [by], Some(num)) = (text.as_str(), args, num)
            && num.is_int()
            && !num.is_narrow()
        {
            let (value, amount) = (self.lanes(receiver), self.amount_in_lanes(by, num));
            let helper = format!("{text}_{}", width(num));
            return self.helper(&helper, &[value, amount], span);
        }
        if let ("powi", [exponent]) = (text.as_str(), args)
            && let Some(exponent) = literal(exponent)
            && exponent.unsigned_abs() <= 64
        {
            let value = self.lanes(receiver);
            return self.power(&value, exponent, num, span);
        }
        if let Some((_, function)) = SYSTEM.iter().find(|f| f.0 == text) {
            let module = match num {
                Some(Num::F64) => "f64",
                _ => "f32",
            };
            let hint = format!(
                "the system's library computes it, with other bits elsewhere; `doublecrunch::math::{module}::{function}(…)`, with \
                 the feature `math`, is the same everywhere"
            );
            self.errors
                .push(name, Message::UnknownMethod { name: text, hint });
            return self.lanes(receiver);
        }
        if num.is_none() && OWN_MEANING.contains(&text.as_str()) {
            self.decided(receiver);
        }
        let value = self.lanes(receiver);
        let args: Vec<TokenStream> = args.iter().map(|a| self.lanes(a)).collect();
        let own = match num {
            Some(num) if num.is_float() => self.float_method(&value, &text, &args, num, span),
            Some(num) if num.is_int() => self.int_method(&value, &text, &args, num, span),
            _ => None,
        };
        own.unwrap_or_else(|| quote!(#value.#name(#(#args),*)))
    }

    /// The amount of a rotation.
    fn amount_in_lanes(&mut self, by: &Expr, of: Num) -> TokenStream {
        let amount = self.lanes(by);
        let lane = if of.bits() == 64 { Num::I64 } else { Num::I32 };
        match self.num(by) {
            Some(from) => self.converted(amount, from, lane, by.span),
            None => amount,
        }
    }

    /// `powi` of a constant: by squares, as compilers do it.
    fn power(
        &self,
        value: &TokenStream,
        exponent: i128,
        num: Option<Num>,
        span: Span,
    ) -> TokenStream {
        let one = match num {
            Some(Num::F32) => quote_spanned!(span=> 1f32),
            Some(Num::F64) => quote_spanned!(span=> 1f64),
            _ => quote_spanned!(span=> 1.0),
        };
        let [square, power] = ["square", "power"].map(super::names::temporary);
        let mut rest = exponent.unsigned_abs();
        let mut steps = quote_spanned!(span=> let #square = #value;);
        let mut any = false;
        while rest > 0 {
            if rest % 2 == 1 {
                steps.extend(match any {
                    true => quote_spanned!(span=> let #power = #power * #square;),
                    false => quote_spanned!(span=> let #power = #square;),
                });
                any = true;
            }
            rest /= 2;
            if rest > 0 {
                steps.extend(quote_spanned!(span=> let #square = #square * #square;));
            }
        }
        match (any, exponent < 0) {
            // Of NaN, too.
            (false, _) => one,
            (true, false) => quote_spanned!(span=> { #steps #power }),
            (true, true) => quote_spanned!(span=> { #steps #one / #power }),
        }
    }

    /// Methods of floats that kernels do not have under that name with Rust's meaning.
    fn float_method(
        &self,
        value: &TokenStream,
        name: &str,
        args: &[TokenStream],
        num: Num,
        span: Span,
    ) -> Option<TokenStream> {
        let ty = if num == Num::F64 { "f64" } else { "f32" };
        let primitive = Ident::new(ty, span);
        let infinity = quote_spanned!(span=> ::core::primitive::#primitive::INFINITY);
        let factor = |wide: f64, narrow: f32| {
            let factor = match num {
                Num::F64 => Literal::f64_suffixed(wide),
                _ => Literal::f32_suffixed(narrow),
            };
            quote_spanned!(span=> #value * #factor)
        };
        Some(match (name, args) {
            ("min" | "max" | "midpoint", [other]) => {
                let helper = format!("{name}_{ty}");
                self.helper(&helper, &[value.clone(), other.clone()], span)
            }
            ("round" | "signum" | "fract" | "is_subnormal" | "is_normal", []) => {
                self.helper(&format!("{name}_{ty}"), from_ref(value), span)
            }
            ("is_finite", []) => quote_spanned!(span=> #value.abs() < #infinity),
            ("is_infinite", []) => quote_spanned!(span=> #value.abs() == #infinity),
            ("is_sign_positive", []) => quote_spanned!(span=> !#value.is_sign_negative()),
            ("to_degrees", []) => factor(
                180.0 / std::f64::consts::PI,
                // The standard library's constant, which is not 180 / π in binary32.
                57.295_78,
            ),
            ("to_radians", []) => {
                factor(std::f64::consts::PI / 180.0, std::f32::consts::PI / 180.0)
            }
            _ => return None,
        })
    }

    fn int_method(
        &self,
        value: &TokenStream,
        name: &str,
        args: &[TokenStream],
        num: Num,
        span: Span,
    ) -> Option<TokenStream> {
        let wide = width(num);
        let unary = |name: &str| self.helper(&format!("{name}_{wide}"), from_ref(value), span);
        let flipped = |x: &TokenStream| group(Self::flipped(x.clone(), num, span));
        Some(match (name, args) {
            ("wrapping_add", [b]) => Self::wrapped(quote!(#value + #b), num, span),
            ("wrapping_sub", [b]) => Self::wrapped(quote!(#value - #b), num, span),
            ("wrapping_mul", [b]) => Self::wrapped(quote!(#value * #b), num, span),
            ("wrapping_neg", []) => Self::wrapped(quote!(-#value), num, span),
            ("min" | "max", [b]) => {
                let (a, b) = (flipped(value), flipped(b));
                let name = Ident::new(name, span);
                Self::flipped(quote!((#a).#name(#b)), num, span)
            }
            ("clamp", [lo, hi]) => {
                let (a, lo, hi) = (flipped(value), flipped(lo), flipped(hi));
                Self::flipped(quote!((#a).clamp(#lo, #hi)), num, span)
            }
            ("abs" | "wrapping_abs" | "unsigned_abs", []) => unary("abs"),
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
            ("leading_zeros", []) => {
                let bits = Self::unsigned_bits(value, num, span);
                let zeros = self.helper(&format!("leading_zeros_{wide}"), &[bits], span);
                let more = Literal::u32_suffixed(if num.is_narrow() { 32 - num.bits() } else { 0 });
                quote_spanned!(span=> #zeros - #more)
            }
            ("trailing_zeros", []) if !num.is_narrow() => unary("trailing_zeros"),
            ("is_power_of_two", []) => {
                let ones = self.helper(&format!("count_ones_{wide}"), from_ref(value), span);
                quote_spanned!(span=> #ones == 1i32)
            }
            _ => return None,
        })
    }

    fn with_zero(op: &TokenStream, value: &TokenStream, num: Num, span: Span) -> TokenStream {
        match num.bits() {
            64 => quote_spanned!(span=> #value #op 0i64),
            _ => quote_spanned!(span=> #value #op 0i32),
        }
    }

    /// The bits of a narrow negative number, without those of its sign in the lanes.
    fn unsigned_bits(value: &TokenStream, num: Num, span: Span) -> TokenStream {
        match num.is_narrow() {
            true => Self::wrapped(value.clone(), num.unsigned(), span),
            false => value.clone(),
        }
    }
}

/// An integer that is written out.
fn literal(e: &Expr) -> Option<i128> {
    match &e.kind {
        Kind::Int(n) => Some(*n),
        Kind::Neg(a) => literal(a).map(|n| -n),
        _ => None,
    }
}

/// The integer lanes, in the names of built-in kernels.
fn width(num: Num) -> &'static str {
    match num.bits() {
        64 => "i64",
        _ => "i32",
    }
}
