//! Literals are parsed exactly, at the precisions at which they may be used.

use super::Parser;
use crate::ast::{Expr, ExprKind, Typed};
use crate::messages::Message;
use proc_macro2::Span;
use quote::ToTokens;

impl Parser<'_> {
    /// A literal, or its negative if `minus` precedes it.
    pub(super) fn literal(&mut self, lit: &syn::Lit, minus: Option<Span>) -> Expr {
        let kind = match lit {
            syn::Lit::Float(f) => self.float(f, minus.is_some()),
            syn::Lit::Int(i) => self.int(i, minus.is_some()),
            syn::Lit::Bool(b) if minus.is_none() => Some(ExprKind::Bool(b.value)),
            syn::Lit::Bool(_) => {
                self.refuse(lit, Message::Other);
                None
            }
            _ => {
                self.refuse(lit, Message::Text);
                None
            }
        };
        let last = lit.span();
        let first = minus.unwrap_or(last);
        Expr::spanning(kind.unwrap_or(ExprKind::Refused), first, first, last)
    }

    fn float(&mut self, f: &syn::LitFloat, minus: bool) -> Option<ExprKind> {
        self.decimal(f, f.base10_digits(), f.suffix(), minus)
    }

    /// `text` is the literal as written, for messages.
    fn decimal(
        &mut self,
        text: &(impl ToTokens + std::fmt::Display),
        digits: &str,
        suffix: &str,
        minus: bool,
    ) -> Option<ExprKind> {
        // `syn` has removed the underscores; `str::parse` rounds correctly, as rustc does. It accepts everything that
        // `syn` accepts; anything else would be reported as too large.
        let mut wide = digits.parse().unwrap_or(f64::INFINITY);
        let mut narrow = digits.parse().unwrap_or(f32::INFINITY);
        if minus {
            (wide, narrow) = (-wide, -narrow);
        }
        let kind = match suffix {
            "f64" => Some(Typed::F64(wide)).filter(|_| wide.is_finite()),
            "f32" => Some(Typed::F32(narrow)).filter(|_| narrow.is_finite()),
            "" if narrow.is_finite() => return Some(ExprKind::Float(wide, narrow)),
            // It is too large for `DcFloat`, so it must be a `DcDouble` and not an infinity.
            "" => Some(Typed::F64(wide)).filter(|_| wide.is_finite()),
            suffix => {
                let suffix = suffix.to_string();
                self.refuse(text, Message::LiteralSuffix { suffix });
                return None;
            }
        };
        if kind.is_none() {
            self.refuse(
                text,
                Message::FloatRange {
                    text: text.to_string(),
                },
            );
        }
        kind.map(ExprKind::Typed)
    }
    fn int(&mut self, i: &syn::LitInt, minus: bool) -> Option<ExprKind> {
        if let "f64" | "f32" = i.suffix() {
            return self.decimal(i, i.base10_digits(), i.suffix(), minus);
        }
        let value = i.base10_digits().parse::<i128>().ok();
        let value = value.map(|v| if minus { -v } else { v });
        let kind = match (i.suffix(), value) {
            ("", Some(v)) => unsuffixed(v),
            ("i64", Some(v)) => i64::try_from(v).ok().map(Typed::I64).map(ExprKind::Typed),
            ("u64", Some(v)) => u64::try_from(v).ok().map(Typed::U64).map(ExprKind::Typed),
            ("i32", Some(v)) => i32::try_from(v).ok().map(Typed::I32).map(ExprKind::Typed),
            ("u32", Some(v)) => u32::try_from(v).ok().map(Typed::U32).map(ExprKind::Typed),
            ("usize", Some(v)) => u64::try_from(v).ok().map(Typed::Usize).map(ExprKind::Typed),
            ("" | "i64" | "u64" | "i32" | "u32" | "usize", None) => None,
            (suffix, _) => {
                let suffix = suffix.to_string();
                self.refuse(i, Message::LiteralSuffix { suffix });
                return None;
            }
        };
        if kind.is_none() {
            let text = i.to_string();
            self.refuse(i, Message::IntegerRange { text });
        }
        kind
    }
}

/// Bit patterns are allowed, up to the largest unsigned number. A literal that does not fit 32 bits must be a `DcLong`.
fn unsuffixed(v: i128) -> Option<ExprKind> {
    let narrow = i128::from(i32::MIN)..=i128::from(u32::MAX);
    if narrow.contains(&v) {
        return Some(ExprKind::Int(v));
    }
    let long = i64::try_from(v).map(Typed::I64);
    let long = long.or_else(|_| u64::try_from(v).map(Typed::U64));
    long.ok().map(ExprKind::Typed)
}
