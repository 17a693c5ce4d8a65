//! Methods of the standard library, as operations of kernels. If a lane type's method has another meaning, a built-in kernel has Rust's meaning.

use super::print::Printer;
use super::tree::{Expr, Kind};
use super::types::Num;
use crate::messages::Message;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::slice::from_ref;

/// Methods whose meaning differs from that of the lane method with the same name, or that lanes lack: the type decides.
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

/// Methods of the standard library that call the system's functions, with the corresponding functions of the crate for mathematics.
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

/// Methods of integers that lanes lack, and what to write instead.
const LEFT_OUT: [(&str, &str); 7] = [
    (
        "isqrt",
        "there is one for up to 32 bits; of a `u64` take `(x as f64).sqrt() as u64`, and correct it by one where its square is too large",
    ),
    ("ilog", "compare with the powers of the base"),
    ("ilog10", "compare with the powers of ten, from a table"),
    ("checked_pow", "multiply with `checked_mul` in a loop"),
    ("saturating_pow", "multiply with `saturating_mul` in a loop"),
    (
        "overflowing_pow",
        "multiply with `overflowing_mul` in a loop",
    ),
    (
        "next_power_of_two",
        "shift a one: `1 << (32 - (x - 1).leading_zeros())`",
    ),
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
        {
            let (value, amount) = (self.lanes(receiver), self.amount_in_lanes(by, num));
            if num.is_narrow() {
                return Self::rotated(&value, &amount, text == "rotate_left", num, span);
            }
            let helper = format!("{text}_{}", width(num));
            return self.helper(&helper, &[value, amount], span);
        }
        if let ("checked_shl" | "checked_shr", [by], Some(num)) = (text.as_str(), args, num)
            && num.is_int()
        {
            let op = match text.as_str() {
                "checked_shl" => syn::BinOp::Shl(syn::Token![<<](span)),
                _ => syn::BinOp::Shr(syn::Token![>>](span)),
            };
            let shifted = self.shift(&op, receiver, by);
            let (by, bits) = (self.lanes(by), Literal::u32_suffixed(num.bits()));
            let small = Self::flipped(by, Num::U32, span);
            let limit = Self::flipped(quote!(#bits), Num::U32, span);
            let zero = self.zero(receiver.ty);
            let own = super::names::temporary("small");
            return quote_spanned!(span=> { let #own = #small < #limit; (#own, #own.select(#shifted, #zero)) });
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
        if let Some((_, hint)) = LEFT_OUT.iter().find(|l| l.0 == text)
            && !(text == "isqrt" && num.is_some_and(|num| num.bits() <= 32))
        {
            let hint = (*hint).to_string();
            self.errors
                .push(name, Message::UnknownMethod { name: text, hint });
            return self.lanes(receiver);
        }
        if num.is_none() && OWN_MEANING.contains(&text.as_str()) {
            self.decided(receiver);
        }
        // Each argument is stored in a variable, because it may be used several times.
        let mut before = TokenStream::new();
        let all = std::iter::once(receiver).chain(args).enumerate();
        let all: Vec<TokenStream> = all
            .map(|(n, e)| {
                let value = self.lanes(e);
                let simple = matches!(e.kind, Kind::Local(..) | Kind::Path(_) | Kind::Neg(_));
                if simple || e.is_literal() || num.is_none_or(|num| !num.is_int()) {
                    return value;
                }
                let name = super::names::temporary(&format!("v{n}"));
                before.extend(quote!(let #name = #value;));
                quote!(#name)
            })
            .collect();
        let result = self.method_on(all, name, num, e);
        match before.is_empty() {
            true => result,
            false => quote_spanned!(span=> { #before #result }),
        }
    }

    /// A method of values.
    fn method_on(
        &self,
        mut all: Vec<TokenStream>,
        name: &Ident,
        num: Option<Num>,
        e: &Expr,
    ) -> TokenStream {
        let (span, text) = (e.span, name.to_string());
        let value = all.remove(0);
        let args = all;
        if let Some(compared) = self.comparison(&text, &value, &args, num, span) {
            return compared;
        }
        if let (Some(from), "try_into") = (num, text.as_str()) {
            return self.tried(value, from, e);
        }
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

    /// `powi` of a constant: by repeated squaring, as compilers do it.
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
            // Also for NaN.
            (false, _) => one,
            (true, false) => quote_spanned!(span=> { #steps #power }),
            (true, true) => quote_spanned!(span=> { #steps #one / #power }),
        }
    }

    /// Methods of floats that kernels lack under this name with Rust's meaning.
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
            ("rem_euclid" | "div_euclid", [other]) => {
                let helper = format!("{name}_{ty}");
                self.helper(&helper, &[value.clone(), other.clone()], span)
            }
            ("classify", []) => self.helper(&format!("classify_{ty}"), from_ref(value), span),
            ("recip", []) => match num {
                Num::F64 => quote_spanned!(span=> 1f64 / #value),
                _ => quote_spanned!(span=> 1f32 / #value),
            },
            ("abs_sub", [other]) => {
                quote_spanned!(span=> (#value <= #other).select(0.0, #value - #other))
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
pub(super) fn width(num: Num) -> &'static str {
    match num.bits() {
        64 => "i64",
        _ => "i32",
    }
}
