//! Calls and methods, with the types of their results.

use super::outer::Outer;
use super::read::Reader;
use super::read_expr::unparenthesized;
use super::tree::{Expr, Kind, LocalKind};
use super::types::{Num, Type};
use syn::spanned::Spanned as _;

/// Functions of the crate `libm` that are one operation, in both precisions, with the method of that meaning.
const LIBM: [(&str, &str, &str); 9] = [
    ("sqrt", "sqrtf", "sqrt"),
    ("fabs", "fabsf", "abs"),
    ("floor", "floorf", "floor"),
    ("ceil", "ceilf", "ceil"),
    ("trunc", "truncf", "trunc"),
    ("rint", "rintf", "round_ties_even"),
    ("round", "roundf", "round"),
    ("fma", "fmaf", "mul_add"),
    ("copysign", "copysignf", "copysign"),
];

impl Reader {
    pub(super) fn method(&mut self, m: &syn::ExprMethodCall) -> Expr {
        let span = m.method.span();
        let name = m.method.to_string();
        if name == "len"
            && m.args.is_empty()
            && let Some((table, _)) = self.table(&m.receiver)
        {
            let ty = self.types.num(Num::Usize);
            return self.make(Kind::Len(table), ty, span);
        }
        if let ("contains", syn::Expr::Range(range)) = (name.as_str(), unparenthesized(&m.receiver))
            && let Some(syn::Expr::Reference(of)) = m.args.first()
        {
            let pat = syn::Pat::Range(range.clone());
            return self.matches(&of.expr, &pat, None, span);
        }
        let receiver = self.expr(&m.receiver);
        // Within the range, which is the caller's promise, it is the cast.
        if let ("to_int_unchecked", Some(types)) = (name.as_str(), &m.turbofish)
            && let Some(syn::GenericArgument::Type(written)) = types.args.first()
        {
            let ty = self.ty(written);
            let kind = Kind::Cast(Box::new(receiver), Box::new(written.clone()));
            return self.make(kind, ty, span);
        }
        if m.turbofish.is_some() {
            return self.other(&syn::Expr::MethodCall(m.clone()));
        }
        let args: Vec<Expr> = m.args.iter().map(|a| self.expr(a)).collect();
        self.method_of(receiver, &m.method, args)
    }

    /// `receiver.name(args)`, however it was written.
    fn method_of(&mut self, receiver: Expr, name: &syn::Ident, args: Vec<Expr>) -> Expr {
        let span = name.span();
        let of = receiver.ty;
        let num = self.types.get_num(of);
        let text = name.to_string();
        let ty = match text.as_str() {
            "clone" => return receiver,
            "into" if args.is_empty() => {
                let ty = self.types.fresh();
                let any = syn::parse_quote!(_);
                return self.make(Kind::Cast(Box::new(receiver), Box::new(any)), ty, span);
            }
            "to_bits" | "unsigned_abs" | "abs_diff" => {
                for arg in &args {
                    self.types.unify(of, arg.ty);
                }
                match num {
                    Some(num) => self.types.num(num.unsigned()),
                    None => self.types.external(),
                }
            }
            "is_nan" | "is_finite" | "is_infinite" | "is_normal" | "is_subnormal"
            | "is_sign_negative" | "is_sign_positive" | "is_positive" | "is_negative"
            | "is_power_of_two" => self.types.num(Num::Bool),
            "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "ilog2" => {
                self.types.num(Num::U32)
            }
            "powi" if args.len() == 1 => {
                let exponent = self.types.num(Num::I32);
                self.types.unify(exponent, args[0].ty);
                of
            }
            "wrapping_shl" | "wrapping_shr" | "rotate_left" | "rotate_right" | "pow"
            | "wrapping_pow" => {
                let amount = self.types.num(Num::U32);
                for arg in &args {
                    self.types.unify(amount, arg.ty);
                }
                of
            }
            _ => {
                for arg in &args {
                    self.types.unify(of, arg.ty);
                }
                of
            }
        };
        self.make(
            Kind::Method(Box::new(receiver), name.clone(), args),
            ty,
            span,
        )
    }

    /// `transmute::<f32, u32>(x)` and its inverse, which are `to_bits` and `from_bits`.
    fn transmuted(
        &mut self,
        last: &syn::PathSegment,
        arg: &syn::Expr,
        span: proc_macro2::Span,
    ) -> Option<Expr> {
        let syn::PathArguments::AngleBracketed(types) = &last.arguments else {
            return None;
        };
        let types: Vec<Option<Num>> = types
            .args
            .iter()
            .map(|a| match a {
                syn::GenericArgument::Type(ty) => super::outer::num(ty),
                _ => None,
            })
            .collect();
        let [Some(from), Some(to)] = types[..] else {
            return None;
        };
        let arg = self.expr(arg);
        let source = self.types.num(from);
        self.types.unify(source, arg.ty);
        let ty = self.types.num(to);
        match (from.is_float(), to.is_float()) {
            (false, true) => Some(self.make(Kind::FromBits(Box::new(arg)), ty, span)),
            (true, false) => {
                let name = syn::Ident::new("to_bits", span);
                Some(self.make(Kind::Method(Box::new(arg), name, Vec::new()), ty, span))
            }
            _ => None,
        }
    }

    pub(super) fn call(&mut self, c: &syn::ExprCall) -> Expr {
        let span = c.span();
        let syn::Expr::Path(path) = unparenthesized(&c.func) else {
            return self.other(&syn::Expr::Call(c.clone()));
        };
        let segments = &path.path.segments;
        let last = &segments[segments.len() - 1];
        let name = last.ident.to_string();
        let owner = segments.len().checked_sub(2);
        let owner = owner.map(|n| segments[n].ident.to_string());
        let named = owner.as_deref().and_then(Num::named);
        // In a longer path it is a module, as in `math::f32::sin`, but for the standard library's.
        let first = segments[0].ident.to_string();
        let primitive = segments.len() == 2 || first == "core" || first == "std";
        let num = named.filter(|_| primitive);
        let plain = last.arguments.is_none() && path.qself.is_none();
        let hint = |o: &str| o == "hint";
        let one = c.args.len() == 1;
        match (num, name.as_str()) {
            (Some(num), "from_bits") if num.is_float() && one && plain => {
                let bits = self.expr(&c.args[0]);
                let from = self.types.num(num.unsigned());
                self.types.unify(from, bits.ty);
                let ty = self.types.num(num);
                return self.make(Kind::FromBits(Box::new(bits)), ty, span);
            }
            (Some(num), "from") if one && plain => {
                let from = self.expr(&c.args[0]);
                let ty = self.types.num(num);
                let written = syn::Ident::new(&owner.unwrap_or_default(), span);
                let written = syn::parse_quote!(#written);
                return self.make(Kind::Cast(Box::new(from), Box::new(written)), ty, span);
            }
            (Some(num), _) if plain && !c.args.is_empty() => {
                let mut args: Vec<Expr> = c.args.iter().map(|a| self.expr(a)).collect();
                let receiver = args.remove(0);
                let ty = self.types.num(num);
                self.types.unify(ty, receiver.ty);
                return self.method_of(receiver, &last.ident, args);
            }
            (None, "transmute") if one => {
                if let Some(read) = self.transmuted(last, &c.args[0], span) {
                    return read;
                }
            }
            // `num_traits::Float::abs(x)`
            (None, _) if owner.as_deref() == Some("Float") && !c.args.is_empty() => {
                let mut args: Vec<Expr> = c.args.iter().map(|a| self.expr(a)).collect();
                let receiver = args.remove(0);
                return self.method_of(receiver, &last.ident, args);
            }
            (None, _) if owner.as_deref() == Some("libm") => {
                let method = LIBM.iter().find(|m| m.0 == name || m.1 == name);
                if let Some((wide, _, method)) = method {
                    let num = if *wide == name { Num::F64 } else { Num::F32 };
                    let ty = self.types.num(num);
                    let mut args: Vec<Expr> = c.args.iter().map(|a| self.expr(a)).collect();
                    if !args.is_empty() {
                        let receiver = args.remove(0);
                        self.types.unify(ty, receiver.ty);
                        let method = syn::Ident::new(method, last.ident.span());
                        return self.method_of(receiver, &method, args);
                    }
                }
            }
            (None, "black_box") if one && owner.as_deref().is_none_or(hint) => {
                return self.expr(&c.args[0]);
            }
            _ => {}
        }
        if self.local(path).is_some() {
            return self.other(&syn::Expr::Call(c.clone()));
        }
        let (params, ret) = match self.outer(&path.path) {
            Some(Outer::Function(params, ret)) => {
                let params: Vec<_> = params.iter().map(|s| self.shape(s)).collect();
                (params, self.shape(&ret))
            }
            // `math::f32::sin`
            _ => match named {
                Some(num) => {
                    let ty = self.types.num(num);
                    (vec![ty; c.args.len()], ty)
                }
                None => (Vec::new(), self.types.external()),
            },
        };
        let mut args = Vec::new();
        for (n, arg) in c.args.iter().enumerate() {
            let table = match unparenthesized(arg) {
                syn::Expr::Reference(_) => true,
                syn::Expr::Path(path) => self
                    .local(path)
                    .is_some_and(|(local, _)| self.locals[local].kind == LocalKind::Table),
                _ => false,
            };
            if table {
                let ty = self.types.external();
                args.push(self.make(Kind::TableArg(arg.clone()), ty, arg.span()));
                continue;
            }
            let read = self.expr(arg);
            let param = match params.get(n) {
                Some(param) => *param,
                None => self.types.external(),
            };
            // A literal in a tuple is the callee's, too.
            match self.types.get(read.ty) {
                Some(Type::Tuple(items)) if params.is_empty() => {
                    for item in items {
                        let unknown = self.types.external();
                        self.types.unify(unknown, item);
                    }
                }
                _ => self.types.unify(param, read.ty),
            }
            args.push(read);
        }
        self.make(Kind::Call(path.clone(), args), ret, span)
    }
}
