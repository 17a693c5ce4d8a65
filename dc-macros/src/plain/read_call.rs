//! Calls and methods, with the types of their results.

use super::outer::Outer;
use super::read::Reader;
use super::read_expr::unparenthesized;
use super::tree::{Expr, Kind, LocalKind};
use super::types::{Num, Type, Var};
use syn::spanned::Spanned as _;

/// Functions of the crate `libm` that are a single operation, in both precisions, with the method of the same meaning.
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
        if let Some(folded) = self.folded(m) {
            return folded;
        }
        let receiver = self.expr(&m.receiver);
        match self.types.get(receiver.ty) {
            Some(Type::Array(_, count)) if name == "len" && m.args.is_empty() => {
                let ty = self.types.num(Num::Usize);
                let count = i128::try_from(count).unwrap_or(0);
                return self.make(Kind::Int(count), ty, span);
            }
            Some(Type::Array(elem, count)) if name == "map" && m.args.len() == 1 => {
                return self.mapped(m, receiver, elem, count);
            }
            Some(Type::Option(..)) => return self.option_method(m, receiver),
            Some(Type::Struct(known, _)) if name != "clone" => {
                return self.method_of(m, &known.name);
            }
            // A method of a trait of the file.
            Some(Type::Num(num)) if self.has_method(num.name(), &m.method) => {
                return self.method_of(m, num.name());
            }
            _ => {}
        }
        // Within the range, as the caller promises, it is the cast.
        if name == "to_int_unchecked" {
            let written = m
                .turbofish
                .as_ref()
                .and_then(|types| match types.args.first() {
                    Some(syn::GenericArgument::Type(written)) => Some(written.clone()),
                    _ => None,
                });
            let written = written.unwrap_or_else(|| syn::parse_quote!(_));
            let ty = self.ty(&written);
            let kind = Kind::Cast(Box::new(receiver), Box::new(written));
            return self.make(kind, ty, span);
        }
        if m.turbofish.is_some() {
            return self.other(&syn::Expr::MethodCall(m.clone()));
        }
        let args: Vec<Expr> = m.args.iter().map(|a| self.expr(a)).collect();
        self.method_of_std(receiver, &m.method, args)
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
        // In a longer path the first segment is a module, as in `math::f32::sin`, except for those of the standard library.
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
            (Some(num), "try_from") if one && plain => {
                let value = self.expr(&c.args[0]);
                return self.try_from(num, value);
            }
            (Some(num), _) if plain && !c.args.is_empty() => {
                let mut args: Vec<Expr> = c.args.iter().map(|a| self.expr(a)).collect();
                let receiver = args.remove(0);
                let ty = self.types.num(num);
                self.types.unify(ty, receiver.ty);
                return self.method_of_std(receiver, &last.ident, args);
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
                return self.method_of_std(receiver, &last.ident, args);
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
                        return self.method_of_std(receiver, &method, args);
                    }
                }
            }
            (None, "black_box") if one && owner.as_deref().is_none_or(hint) => {
                return self.expr(&c.args[0]);
            }
            _ => {}
        }
        if let Some((local, _)) = self.local(path) {
            return match self.closures.get(&local).cloned() {
                Some((closure, visible)) => self.called_closure(&closure, visible, c),
                None => self.other(&syn::Expr::Call(c.clone())),
            };
        }
        if name == "Some" && one {
            let value = self.expr(&c.args[0]);
            return self.some_if(None, value);
        }
        if name == "swap"
            && let Some(swapped) = self.swapped(c)
        {
            return swapped;
        }
        // `Point(x, y)`
        if let Some(read) = self.tuple_structure(path, c) {
            return read;
        }
        let (path, called) = self.callee(path, named, c.args.len());
        let args: Vec<&syn::Expr> = c.args.iter().collect();
        self.called_with(&path, called, &args, span)
    }

    /// A table that is passed on: `&TABLE`, or a table parameter.
    pub(super) fn is_table_argument(&self, arg: &syn::Expr) -> bool {
        match unparenthesized(arg) {
            syn::Expr::Reference(r) if r.mutability.is_none() => match unparenthesized(&r.expr) {
                syn::Expr::Path(path) => match self.local(path) {
                    Some((local, _)) => self.locals[local].kind == LocalKind::Table,
                    None => {
                        matches!(self.outer(&path.path), Some(Outer::Const(text, _))
                            if text.starts_with(['[', '&']))
                            || self.outer(&path.path).is_none()
                    }
                },
                _ => false,
            },
            syn::Expr::Path(path) => self
                .local(path)
                .is_some_and(|(local, _)| self.locals[local].kind == LocalKind::Table),
            _ => false,
        }
    }

    /// A function by its name, with arguments that have been read.
    pub(super) fn call_of(&mut self, path: &syn::ExprPath, args: Vec<Expr>) -> Expr {
        let span = path.span();
        let segments = &path.path.segments;
        let owner = segments.len().checked_sub(2);
        let owner = owner.map(|n| segments[n].ident.to_string());
        let num = owner.as_deref().and_then(Num::named);
        let mut args = args.into_iter();
        if let Some(num) = num
            && let Some(receiver) = args.next()
        {
            let ty = self.types.num(num);
            self.types.unify(ty, receiver.ty);
            let method = segments[segments.len() - 1].ident.clone();
            return self.method_of_std(receiver, &method, args.collect());
        }
        let args: Vec<Expr> = args.collect();
        let (path, called) = self.callee(path, None, args.len());
        let ret = match called {
            Some(called) => {
                for (param, arg) in called.params.iter().zip(&args) {
                    self.types.unify(*param, arg.ty);
                }
                called.ret
            }
            None => self.types.external(),
        };
        self.make(Kind::Call(path, args), ret, span)
    }

    /// `[a, b].map(|x| …)`
    fn mapped(&mut self, m: &syn::ExprMethodCall, array: Expr, elem: Var, count: usize) -> Expr {
        let span = m.method.span();
        let (let_, place) = self.kept(array, span);
        let result = self.types.fresh();
        let mut parts = Vec::new();
        for n in 0..count {
            let whole = self.place(&place, span);
            let mut entry = self.part(whole, n);
            entry.ty = elem;
            let Some(new) = self.applied_fn(&m.args[0], vec![entry]) else {
                return self.other(&syn::Expr::MethodCall(m.clone()));
            };
            self.types.unify(result, new.ty);
            parts.push(new);
        }
        let ty = self.types.known(Type::Array(result, count));
        let value = self.make(Kind::Tuple(parts), ty, span);
        self.after(vec![let_], value)
    }

    /// `mem::swap(&mut a, &mut b)`
    fn swapped(&mut self, c: &syn::ExprCall) -> Option<Expr> {
        let place = |e: &syn::Expr| match unparenthesized(e) {
            syn::Expr::Reference(r) if r.mutability.is_some() => Some((*r.expr).clone()),
            e @ syn::Expr::Path(_) => Some(e.clone()),
            _ => None,
        };
        if c.args.len() != 2 {
            return None;
        }
        let (a, b) = (place(&c.args[0])?, place(&c.args[1])?);
        Some(self.expr(&syn::parse_quote!((#a, #b) = (#b, #a))))
    }

    /// `Point(x, y)`
    fn tuple_structure(&mut self, path: &syn::ExprPath, c: &syn::ExprCall) -> Option<Expr> {
        let last = path.path.segments.last()?.ident.to_string();
        if !last.starts_with(char::is_uppercase) {
            return None;
        }
        let name = &path.path;
        let ty = self.ty(&syn::parse_quote!(#name));
        let Some(Type::Struct(_, vars)) = self.types.get(ty) else {
            return None;
        };
        if vars.len() != c.args.len() {
            return None;
        }
        let mut parts = Vec::new();
        for (arg, ty) in c.args.iter().zip(&vars) {
            let part = self.expr(arg);
            self.types.unify(*ty, part.ty);
            parts.push(part);
        }
        Some(self.make(Kind::Tuple(parts), ty, c.span()))
    }
}
