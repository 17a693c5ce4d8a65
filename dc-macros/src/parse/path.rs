//! Paths, calls and methods.

use super::expr::span_of;
use super::{Parser, extent};
use crate::ast::{Expr, ExprKind, Lane, LocalKind};
use crate::messages::Message;
use kernels_gen::ops::{FUNCTIONS, function, method_names};
use quote::ToTokens as _;

/// Names from other languages and libraries, with their names here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("fma", "write `.mul_add(b, c)`"),
    ("powi", "multiply: `x * x`"),
    ("round", "write `.round_ties_even()`"),
    (
        "fmin",
        "write `.minimum(b)`, which keeps a NaN; `.min(b)` gives `b` for one",
    ),
    (
        "fmax",
        "write `.maximum(b)`, which keeps a NaN; `.max(b)` gives `b` for one",
    ),
    ("ln", "write `.log()`"),
    ("ln_1p", "write `.log1p()`"),
    ("exp_m1", "write `.expm1()`"),
    ("powf", "write `.pow(y)`"),
    ("fract", "write `x - x.trunc()`"),
    ("signum", "write `1.0` and `.copysign(x)`"),
    (
        "rem_euclid",
        "subtract the multiple that you want: `x - (x / y).floor() * y`",
    ),
    ("is_sign_positive", "write `!x.is_sign_negative()`"),
    ("is_infinite", "write `x.abs() == f64::INFINITY`"),
    ("is_finite", "write `x.abs() < f64::INFINITY`"),
    ("wrapping_add", "write `+`; integer lanes wrap"),
    ("wrapping_sub", "write `-`; integer lanes wrap"),
    ("wrapping_mul", "write `*`; integer lanes wrap"),
    ("wrapping_neg", "write `-`; integer lanes wrap"),
    (
        "wrapping_shl",
        "write `<<`; the amount counts modulo the width",
    ),
    (
        "wrapping_shr",
        "write `>>`; the amount counts modulo the width",
    ),
    ("clone", "write the value itself; lanes are copied"),
    (
        "into",
        "there are `.to_f64()`, `.to_f32()`, `.to_i64()` and `.to_i32()`",
    ),
    ("rev", "it belongs to the range of a `for`"),
    ("step_by", "it belongs to the range of a `for`"),
    (
        "iter",
        "write `for i in 0..TABLE.len()` and read `TABLE[i]`",
    ),
    ("get", "write `TABLE[i]`; the index of lanes is kept inside"),
];

impl Parser<'_> {
    /// A path as a value.
    pub(super) fn path(&mut self, path: &syn::ExprPath) -> Expr {
        let (first, last) = extent(path);
        let kind = match self.local(path) {
            Some((local, name)) if self.scope.info(local).kind == LocalKind::Table => {
                let name = name.to_string();
                self.refuse(path, Message::TableValue { name });
                ExprKind::Refused
            }
            Some((local, _)) if self.scope.info(local).kind == LocalKind::Refused => {
                ExprKind::Refused
            }
            Some((local, name)) => ExprKind::Local(local, name),
            None => ExprKind::Const(path.clone()),
        };
        Expr::spanning(kind, first, first, last)
    }

    pub(super) fn method(&mut self, m: &syn::ExprMethodCall) -> Expr {
        let name = m.method.to_string();
        let at = m.method.span();
        let last = m.paren_token.span.close();
        if let Some(turbofish) = &m.turbofish {
            let name = name.clone();
            self.refuse(turbofish, Message::MethodGenerics { name });
        }
        if name == "len" && m.args.is_empty() {
            let table = self.table(&m.receiver, Message::LenTarget);
            let first = extent(&m.receiver).0;
            return Expr::spanning(ExprKind::Len(table), at, first, last);
        }
        let arguments = function(&name);
        if arguments.is_none() && !method_names().any(|known| known == name) {
            // Only the meaning of a path matters: `table.iter()` is one error. So are closures as arguments.
            let known = match &*m.receiver {
                syn::Expr::Path(path) => self
                    .local(path)
                    .is_none_or(|(local, _)| self.scope.info(local).kind != LocalKind::Refused),
                receiver => !self.expr(receiver).is_refused(),
            };
            if known {
                let hint = hint(&name);
                self.refuse(&m.method, Message::UnknownMethod { name, hint });
            }
            return Expr::refused(at);
        }
        let receiver = self.expr(&m.receiver);
        if receiver.is_refused() {
            return receiver;
        }
        let args: Vec<Expr> = m.args.iter().map(|a| self.expr(a)).collect();
        let operands: Vec<&Expr> = match name.as_str() {
            "select" => args.iter().collect(),
            "shr_logical" => Vec::new(),
            _ => std::iter::once(&receiver).chain(&args).collect(),
        };
        if self.mixed(&m.method, &operands) {
            return Expr::refused(at);
        }
        let first = receiver.first;
        if arguments.is_some() {
            let all = std::iter::once(receiver).chain(args).collect();
            return Expr::spanning(ExprKind::Function(m.method.clone(), all), at, first, last);
        }
        let kind = ExprKind::Method(Box::new(receiver), m.method.clone(), args);
        Expr::spanning(kind, at, first, last)
    }

    pub(super) fn call(&mut self, c: &syn::ExprCall) -> Expr {
        let args: Vec<Expr> = c.args.iter().map(|a| self.argument(a)).collect();
        let mut target = &*c.func;
        while let syn::Expr::Group(g) = target {
            target = &g.expr;
        }
        let syn::Expr::Path(path) = target else {
            self.refuse(&c.func, Message::CallTarget);
            return Expr::refused(extent(&c.func).0);
        };
        let at = span_of(&path.path);
        let (first, last) = (extent(path).0, c.paren_token.span.close());
        match self.callee(path, args) {
            Some(kind) => Expr::spanning(kind, at, first, last),
            None => Expr::refused(at),
        }
    }

    fn callee(&mut self, path: &syn::ExprPath, args: Vec<Expr>) -> Option<ExprKind> {
        if let Some((local, _)) = self.local(path)
            && self.scope.info(local).kind == LocalKind::Refused
        {
            return None;
        }
        if path.qself.is_some() || self.local(path).is_some() {
            self.refuse(path, Message::CallTarget);
            return None;
        }
        if path.path.segments.len() == 1 && path.path.segments[0].ident == self.kernel {
            let name = self.kernel.to_string();
            self.refuse(path, Message::Recursion { name });
            return None;
        }
        let text = || path.to_token_stream().to_string().replace(' ', "");
        let segments: Vec<_> = path.path.segments.iter().collect();
        let last = segments.last()?;
        if Lane::named(&last.ident).is_some() {
            let (ty, name) = (last.ident.to_string(), "…".to_string());
            self.refuse(path, Message::UnknownAssoc { ty, name });
            return None;
        }
        let Some(ty) = segments.len().checked_sub(2).map(|n| segments[n]) else {
            return Some(ExprKind::Call(path.path.clone(), args));
        };
        if ty.ident == "plain" && last.ident == "index_lanes" {
            let index = args.into_iter().next()?;
            return Some(ExprKind::Lanes(Box::new(index)));
        }
        if let Some(lane) = Lane::named(&ty.ident) {
            let known = match lane {
                Lane::Dd => "new",
                Lane::Mask | Lane::Half | Lane::Bfloat => "",
                _ => "from_bits",
            };
            if last.ident != known || !ty.arguments.is_none() || !last.arguments.is_none() {
                let (ty, name) = (ty.ident.to_string(), last.ident.to_string());
                self.refuse(path, Message::UnknownAssoc { ty, name });
                return None;
            }
            let function = last.ident.clone();
            let mut prefix = path.path.clone();
            prefix.segments.pop();
            prefix.segments.pop_punct();
            return Some(ExprKind::Assoc(lane, prefix, function, args));
        }
        let primitive = ty.ident.to_string();
        // In a longer path the first segment is a module, as in `math::f32::sin`.
        if segments.len() == 2
            && let Some(lane) = lane_of(&primitive)
        {
            let function = last.ident.to_string();
            let hint = match function.as_str() {
                "from_bits" => format!("write `{lane}::from_bits(…)`"),
                name if all_methods().any(|known| known == name) => {
                    format!("write it as a method: `x.{name}(…)`")
                }
                _ => "call a `#[crunch]` function, or a method on the value".to_string(),
            };
            self.refuse(path, Message::PrimitiveCall { path: text(), hint });
            return None;
        }
        Some(ExprKind::Call(path.path.clone(), args))
    }
}

/// The names of all methods and functions.
fn all_methods() -> impl Iterator<Item = &'static str> {
    method_names().chain(FUNCTIONS.iter().map(|f| f.0))
}

fn lane_of(primitive: &str) -> Option<&'static str> {
    Some(match primitive {
        "f64" => "DcDouble",
        "f32" => "DcFloat",
        "i64" | "u64" | "usize" | "isize" => "DcLong",
        "i32" | "u32" | "i16" | "u16" | "i8" | "u8" => "DcInt",
        "bool" => "DcMask",
        _ => return None,
    })
}

/// The suggestion for a method that does not exist.
fn hint(name: &str) -> String {
    if let Some((_, hint)) = ELSEWHERE.iter().find(|(n, _)| *n == name) {
        return (*hint).to_string();
    }
    let nearest = all_methods()
        .map(|m| (distance(name, m), m))
        .min()
        .filter(|&(d, _)| 4 * d <= name.len());
    match nearest {
        Some((_, nearest)) => {
            format!(
                "did you mean `.{nearest}(…)`? The page *Operations* of the book lists all methods"
            )
        }
        None => {
            "the page *Operations* of the book lists all methods; or write a `#[crunch]` function"
                .into()
        }
    }
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_methods() {
        assert_eq!(distance("sqrt", "sqrt"), 0);
        assert_eq!(distance("squrt", "sqrt"), 1);
        assert_eq!(distance("", "abs"), 3);
        assert!(hint("muladd").contains("`.mul_add(…)`"));
        assert!(hint("fma").contains("mul_add"));
        // `min` is one letter away, but is not a useful suggestion.
        assert!(!hint("pin").contains("did you mean"));
    }
}
