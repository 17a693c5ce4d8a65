//! Calls of kernels: of functions, methods and operators of the file, with the variables that they change.

use super::implementation;
use super::outer;
use super::read::{Called, Reader, Visible};
use super::read_expr::unparenthesized;
use super::tree::{Block, Expr, Kind, Stmt};
use super::types::{Num, Type, Var};
use syn::spanned::Spanned as _;

impl Reader {
    /// A closure stored in a variable, read in the scope in which it is written.
    pub(super) fn called_closure(
        &mut self,
        closure: &syn::ExprClosure,
        visible: Visible,
        c: &syn::ExprCall,
    ) -> Expr {
        let args: Vec<Expr> = c.args.iter().map(|a| self.expr(a)).collect();
        let here = self.enter(visible);
        let read = self.applied_fn(&syn::Expr::Closure(closure.clone()), args);
        self.enter(here);
        read.unwrap_or_else(|| self.other(&syn::Expr::Call(c.clone())))
    }

    /// The kernel of a function or of a method, and its types.
    pub(super) fn callee(
        &mut self,
        path: &syn::ExprPath,
        named: Option<Num>,
        count: usize,
    ) -> (syn::ExprPath, Option<Called>) {
        let outer = self.outer(&path.path);
        let called = self.called(outer);
        let path = &self.unique(path);
        let segments = &path.path.segments;
        if let Some(n) = segments.len().checked_sub(2)
            && called.is_some()
            && segments[n]
                .ident
                .to_string()
                .starts_with(char::is_uppercase)
        {
            let mut path = path.clone();
            let last = path
                .path
                .segments
                .pop()
                .map(syn::punctuated::Pair::into_value);
            path.path.segments.pop_punct();
            let owner = path.path.segments.last_mut();
            if let (Some(owner), Some(last)) = (owner, last) {
                owner.ident = implementation::kernel_name(&owner.ident.to_string(), &last.ident);
                owner.arguments = last.arguments;
            }
            return (path, called);
        }
        let called = called.or_else(|| {
            // `math::f32::sin`
            let ty = self.types.num(named?);
            Some(Called {
                params: vec![ty; count],
                mutable: vec![false; count],
                tables: vec![false; count],
                ret: ty,
            })
        });
        (path.clone(), called)
    }

    pub(super) fn has_method(&self, owner: &str, name: &syn::Ident) -> bool {
        !super::read_std::is_own(&name.to_string())
            && outer::find(&format!("{owner}::{name}"), self.near(name.span())).is_some()
    }

    /// The kernel of a method of a type.
    pub(super) fn kernel_of(
        &mut self,
        owner: &str,
        method: &str,
        span: proc_macro2::Span,
    ) -> Option<(syn::ExprPath, Called)> {
        let outer = outer::find(&format!("{owner}::{method}"), self.near(span));
        let called = self.called(outer)?;
        let name = implementation::kernel_name(owner, &syn::Ident::new(method, span));
        Some((syn::parse_quote!(#name), called))
    }

    /// An operator of a structure in the file. If neither operand is a structure, the operands are returned.
    pub(super) fn operator(
        &mut self,
        op: &syn::BinOp,
        left: Expr,
        right: Expr,
    ) -> Result<Expr, Box<(Expr, Expr)>> {
        let name = |reader: &Reader, e: &Expr| match reader.types.get(e.ty) {
            Some(Type::Num(num)) => Some((num.name().to_string(), false)),
            Some(Type::Struct(known, _)) => Some((known.name.clone(), true)),
            // A literal beside a structure.
            None if reader.types.is_float(e.ty) => Some(("f64".to_string(), false)),
            _ => None,
        };
        let (Some(a), Some(b)) = (name(self, &left), name(self, &right)) else {
            return Err(Box::new((left, right)));
        };
        let method = match op {
            syn::BinOp::Add(_) => "add",
            syn::BinOp::Sub(_) => "sub",
            syn::BinOp::Mul(_) => "mul",
            syn::BinOp::Div(_) => "div",
            syn::BinOp::Rem(_) => "rem",
            _ => return Err(Box::new((left, right))),
        };
        if !a.1 && !b.1 {
            return Err(Box::new((left, right)));
        }
        let span = op.span();
        let mut found = self.kernel_of(&a.0, &format!("{method}_{}", b.0), span);
        if found.is_none() && left.is_literal() {
            found = self.kernel_of("f32", &format!("{method}_{}", b.0), span);
        }
        if found.is_none() && right.is_literal() {
            found = self.kernel_of(&a.0, &format!("{method}_f32"), span);
        }
        if found.is_none() {
            found = self.kernel_of(&a.0, method, span);
        }
        let Some((path, called)) = found else {
            let ty = self.types.external();
            let kind = Kind::NoMethod(a.0, syn::Ident::new(method, span));
            return Ok(self.make(kind, ty, span));
        };
        for (param, arg) in called.params.iter().zip([&left, &right]) {
            self.types.unify(*param, arg.ty);
        }
        Ok(self.make(Kind::Call(path, vec![left, right]), called.ret, span))
    }

    /// `receiver.name(args)` of a type of the file: the kernel of the method.
    pub(super) fn method_of(&mut self, m: &syn::ExprMethodCall, owner: &str) -> Expr {
        let outer = outer::find(
            &format!("{owner}::{}", m.method),
            self.near(m.method.span()),
        );
        let Some(called) = self.called(outer) else {
            let ty = self.types.external();
            let kind = Kind::NoMethod(owner.to_string(), m.method.clone());
            return self.make(kind, ty, m.method.span());
        };
        let name = implementation::kernel_name(owner, &m.method);
        let path: syn::ExprPath = syn::parse_quote!(#name);
        let mut args = vec![&*m.receiver];
        args.extend(&m.args);
        self.called_with(&path, Some(called), &args, m.method.span())
    }

    pub(super) fn called_with(
        &mut self,
        path: &syn::ExprPath,
        called: Option<Called>,
        args: &[&syn::Expr],
        span: proc_macro2::Span,
    ) -> Expr {
        let known = called.is_some();
        let Called {
            params,
            mutable,
            tables,
            ret,
        } = called.unwrap_or_else(|| Called {
            params: Vec::new(),
            mutable: Vec::new(),
            tables: Vec::new(),
            ret: self.types.external(),
        });
        let mut read_args = Vec::new();
        let mut changed = Vec::new();
        for (n, arg) in args.iter().enumerate() {
            if tables.get(n) != Some(&false) && self.is_table_argument(arg) {
                let ty = self.types.external();
                let kind = Kind::TableArg((*arg).clone());
                read_args.push(self.make(kind, ty, arg.span()));
                continue;
            }
            let place = match unparenthesized(arg) {
                syn::Expr::Reference(r) if r.mutability.is_some() => &r.expr,
                _ => *arg,
            };
            let read = self.expr(place);
            let param = match params.get(n) {
                Some(param) => *param,
                None => self.types.external(),
            };
            // A literal in a tuple also has the callee's type.
            match self.types.get(read.ty) {
                Some(Type::Tuple(items)) if !known => {
                    for item in items {
                        let unknown = self.types.external();
                        self.types.unify(unknown, item);
                    }
                }
                _ => self.types.unify(param, read.ty),
            }
            if mutable.get(n) == Some(&true) {
                changed.push((place, read.ty));
            }
            read_args.push(read);
        }
        let call = |path: &syn::ExprPath| Kind::Call(path.clone(), read_args);
        if changed.is_empty() {
            let kind = call(path);
            return self.make(kind, ret, span);
        }
        // The result, and the new values of the parameters.
        let unit = self.types.get(ret) == Some(Type::Tuple(Vec::new()));
        let mut types: Vec<Var> = if unit { Vec::new() } else { vec![ret] };
        types.extend(changed.iter().map(|c| c.1));
        let whole = match types[..] {
            [one] => one,
            _ => self.types.tuple(types.clone()),
        };
        let kind = call(path);
        let value = self.make(kind, whole, span);
        let (let_, place) = self.kept(value, span);
        let mut stmts = vec![let_];
        let count = types.len();
        let part = |reader: &Reader, n: usize| {
            let whole = reader.place(&place, span);
            match count {
                1 => whole,
                _ => reader.part(whole, n),
            }
        };
        for (n, (target, ty)) in changed.into_iter().enumerate() {
            let target = self.target(target, ty);
            let new = part(self, n + usize::from(!unit));
            let assigned = self.unit(Kind::Assign(target, Box::new(new)), span);
            stmts.push(Stmt::Expr(assigned));
        }
        if unit {
            let ty = self.types.tuple(Vec::new());
            let block = Block {
                stmts,
                value: None,
                ty,
            };
            return self.make(Kind::Block(block), ty, span);
        }
        let value = part(self, 0);
        self.after(stmts, value)
    }
}
