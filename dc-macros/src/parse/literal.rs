//! Literals: read exactly, at the precisions they may be used at.

use super::Parser;
use crate::ast::{Expr, ExprKind, Typed};
use crate::messages::Message;
use proc_macro2::Span;

impl Parser<'_> {
    /// A literal, or its negative where `minus` stands before it.
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
        // `syn` has removed the underscores; `str::parse` rounds correctly, as rustc does.
        let digits = f.base10_digits();
        let (Ok(mut wide), Ok(mut narrow)) = (digits.parse::<f64>(), digits.parse::<f32>()) else {
            self.refuse(f, Message::Other);
            return None;
        };
        if minus {
            (wide, narrow) = (-wide, -narrow);
        }
        match f.suffix() {
            "f64" => self.finite(wide.is_finite(), f, ExprKind::Typed(Typed::F64(wide))),
            "f32" => self.finite(narrow.is_finite(), f, ExprKind::Typed(Typed::F32(narrow))),
            // Too large for `DcFloat`: then it must be a `DcDouble`, rather than an infinity.
            "" if narrow.is_infinite() => {
                self.finite(wide.is_finite(), f, ExprKind::Typed(Typed::F64(wide)))
            }
            "" => Some(ExprKind::Float(wide, narrow)),
            suffix => {
                let suffix = suffix.to_string();
                self.refuse(f, Message::LiteralSuffix { suffix });
                None
            }
        }
    }

    fn finite(&mut self, finite: bool, f: &syn::LitFloat, kind: ExprKind) -> Option<ExprKind> {
        if finite {
            return Some(kind);
        }
        let text = f.to_string();
        self.refuse(f, Message::FloatRange { text });
        None
    }

    fn int(&mut self, i: &syn::LitInt, minus: bool) -> Option<ExprKind> {
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

/// Bit patterns count: up to the largest unsigned number. What does not fit 32 bits must be a `DcLong`.
fn unsuffixed(v: i128) -> Option<ExprKind> {
    let narrow = i128::from(i32::MIN)..=i128::from(u32::MAX);
    if narrow.contains(&v) {
        return Some(ExprKind::Int(v));
    }
    let long = i64::try_from(v).map(Typed::I64);
    let long = long.or_else(|_| u64::try_from(v).map(Typed::U64));
    long.ok().map(ExprKind::Typed)
}
