//! From `syn`'s tree to the tree with types: names, statements and blocks. Constructs that the language lacks are passed on unchanged to the
//! kernel's parser, which refuses them.

use super::outer::Outer;
use super::read_expr::unparenthesized;
use super::tree::{Block, Expr, Kind, Local, LocalInfo, LocalKind, LoopId, Pat, Stmt};
use super::types::{Num, Type, Types, Var};
use crate::source::context;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::HashMap;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;

/// The names in scope, innermost last, with their hygiene.
pub(super) type Visible = Vec<(String, u32, Local)>;

/// A function being read.
pub(crate) struct Reader {
    pub types: Types,
    pub locals: Vec<LocalInfo>,
    /// The names in scope.
    visible: Visible,
    /// The closures stored in variables, with the names in their scope.
    pub(super) closures: HashMap<Local, (syn::ExprClosure, Visible)>,
    /// The constants of the function itself.
    pub(super) consts: HashMap<String, Outer>,
    /// The names in the kernel of items of blocks, if another block has an item with the same name.
    unique: HashMap<String, Ident>,
    /// The names of the items so far.
    item_names: Vec<String>,
    /// The items of the body, which precede the kernel's items.
    pub items: Vec<syn::Item>,
    /// The type of the function's result.
    pub ret: Var,
    temporaries: usize,
    /// The largest number of iterations of a loop without a range.
    pub(super) limit: Option<u32>,
    /// The enclosing loops, innermost last.
    pub(super) loops: Vec<Around>,
    /// The number of loops.
    pub(super) all_loops: usize,
    /// A place in the file, for types that are known only as text.
    pub(super) place: Span,
}

/// A loop, or a block with a label.
#[derive(Clone)]
pub(super) struct Around {
    pub id: LoopId,
    pub label: Option<String>,
    /// Whether `break` without a label leaves it.
    pub is_loop: bool,
    /// The variable that contains its value.
    pub value: Option<(Local, Ident)>,
}

/// The types of a function that is called.
pub(super) struct Called {
    pub params: Vec<Var>,
    /// Which parameters are `&mut`.
    pub mutable: Vec<bool>,
    /// Which are constant tables.
    pub tables: Vec<bool>,
    pub ret: Var,
}

impl Reader {
    pub(crate) fn new(limit: Option<u32>, place: Span) -> Self {
        let mut types = Types::default();
        let ret = types.external();
        Reader {
            types,
            locals: Vec::new(),
            visible: Vec::new(),
            closures: HashMap::new(),
            consts: HashMap::new(),
            unique: HashMap::new(),
            item_names: Vec::new(),
            items: Vec::new(),
            ret,
            limit,
            loops: Vec::new(),
            all_loops: 0,
            temporaries: 0,
            place,
        }
    }

    pub(crate) fn declare(&mut self, name: &Ident, ty: Var, kind: LocalKind) -> Local {
        let local = self.hidden(ty, kind);
        // A closure may use the earlier variable with that name, and its body is copied to where it is called.
        if !self.closures.is_empty() && self.resolve(name).is_some() {
            let renamed = format!("__{}_{local}", name.unraw());
            let span = Span::mixed_site().located_at(name.span());
            self.locals[local].renamed = Some(Ident::new(&renamed, span));
        }
        let text = name.unraw().to_string();
        self.visible.push((text, context(name.span()), local));
        local
    }

    /// The name of a variable in the kernel.
    pub(super) fn printed(&self, local: Local, name: &Ident) -> Ident {
        let renamed = self.locals[local].renamed.clone();
        renamed.unwrap_or_else(|| name.clone())
    }

    /// A local that no name of the user's refers to.
    fn hidden(&mut self, ty: Var, kind: LocalKind) -> Local {
        self.locals.push(LocalInfo {
            ty,
            kind,
            entries: None,
            renamed: None,
            assigned: false,
        });
        self.locals.len() - 1
    }

    /// A variable of our own, with a name that is no name of the user's.
    pub(super) fn temporary(&mut self, ty: Var, span: Span) -> (Local, Ident) {
        self.temporaries += 1;
        let span = Span::mixed_site().located_at(span);
        let name = format_ident!("__t{}", self.temporaries, span = span);
        (self.hidden(ty, LocalKind::Variable), name)
    }

    /// As in `Scope::resolve`: of several variables with the same name, the one from the same macro.
    pub(super) fn resolve(&self, name: &Ident) -> Option<Local> {
        let (text, at) = (name.unraw().to_string(), context(name.span()));
        let same = || self.visible.iter().rev().filter(|x| x.0 == text);
        same().find(|x| x.1 == at).or(same().next()).map(|x| x.2)
    }

    pub(super) fn local(&self, path: &syn::ExprPath) -> Option<(Local, Ident)> {
        let name = path.path.get_ident().filter(|_| path.qself.is_none())?;
        let local = self.resolve(name)?;
        Some((local, self.printed(local, name)))
    }

    /// A const generic.
    pub(crate) fn generic(&mut self, param: &syn::ConstParam) {
        use quote::ToTokens as _;
        let outer = Outer::Const(param.ty.to_token_stream().to_string(), None);
        self.consts.insert(param.ident.to_string(), outer);
    }

    // --- blocks and statements

    /// The function's block, whose value is the function's.
    pub(crate) fn body(&mut self, block: &syn::Block) -> Block {
        let block = self.block(block);
        self.types.unify(self.ret, block.ty);
        block
    }

    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        let scope = self.visible.len();
        let (consts, unique) = (self.consts.clone(), self.unique.clone());
        // Items are visible in their whole block.
        for stmt in &block.stmts {
            if let syn::Stmt::Item(item) = stmt {
                self.item(item);
            }
        }
        let mut stmts = Vec::new();
        let mut value = None;
        for (i, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                syn::Stmt::Item(_) => {}
                syn::Stmt::Local(local) => match self.local_table(local) {
                    Some(table) => stmts.push(table),
                    None => stmts.extend(self.let_(local)),
                },
                syn::Stmt::Macro(m) => {
                    let last = i + 1 == block.stmts.len() && m.semi_token.is_none();
                    if let Some(expr) = self.macro_call(&m.mac) {
                        match last {
                            true => value = Some(Box::new(expr)),
                            false => stmts.push(Stmt::Expr(expr)),
                        }
                    }
                }
                syn::Stmt::Expr(expr, semi) => {
                    let read = self.expr(expr);
                    if i + 1 == block.stmts.len() && semi.is_none() {
                        value = Some(Box::new(read));
                    } else {
                        stmts.push(Stmt::Expr(read));
                    }
                }
            }
        }
        self.visible.truncate(scope);
        (self.consts, self.unique) = (consts, unique);
        let ends = stmts
            .iter()
            .any(|s| matches!(s, Stmt::Expr(e) if super::exits::ends(e)));
        let ty = match &value {
            Some(value) => value.ty,
            None if ends => self.types.fresh(),
            None => self.types.tuple(Vec::new()),
        };
        Block { stmts, value, ty }
    }

    fn item(&mut self, item: &syn::Item) {
        use quote::ToTokens as _;
        let text = |ty: &syn::Type| ty.to_token_stream().to_string();
        match item {
            syn::Item::Const(c) => {
                let outer = Outer::Const(text(&c.ty), self.length(&c.expr));
                self.consts.insert(c.ident.to_string(), outer);
            }
            syn::Item::Static(s) => {
                self.consts
                    .insert(s.ident.to_string(), Outer::Const(text(&s.ty), None));
            }
            _ => {}
        }
        let mut item = item.clone();
        let name = match &mut item {
            syn::Item::Const(c) => Some(&mut c.ident),
            syn::Item::Static(s) => Some(&mut s.ident),
            syn::Item::Fn(f) => Some(&mut f.sig.ident),
            _ => None,
        };
        if let Some(name) = name {
            let text = name.to_string();
            self.unique.remove(&text);
            if self.item_names.contains(&text) {
                let new = format_ident!("__DC_{text}_{}", self.items.len(), span = name.span());
                self.unique.insert(text, new.clone());
                *name = new;
            } else {
                self.item_names.push(text);
            }
        }
        if !self.unique.is_empty() {
            use syn::visit_mut::VisitMut as _;
            Unique(&self.unique).visit_item_mut(&mut item);
        }
        self.items.push(item);
    }

    /// The path of an item in the kernel.
    pub(super) fn unique(&self, path: &syn::ExprPath) -> syn::ExprPath {
        let mut path = path.clone();
        if !self.unique.is_empty() {
            use syn::visit_mut::VisitMut as _;
            Unique(&self.unique).visit_path_mut(&mut path.path);
        }
        path
    }

    /// Replaces the names in scope, and returns the previous ones.
    pub(super) fn enter(&mut self, visible: Visible) -> Visible {
        std::mem::replace(&mut self.visible, visible)
    }

    fn let_(&mut self, local: &syn::Local) -> Vec<Stmt> {
        // Variables that a closure without `move` borrows do not change while the closure exists.
        if let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && let syn::Expr::Closure(closure) = unparenthesized(&init.expr)
            && closure.capture.is_none()
            && name.mutability.is_none()
        {
            let visible = self.visible.clone();
            let ty = self.types.fresh();
            let local = self.declare(&name.ident, ty, LocalKind::Variable);
            self.closures.insert(local, (closure.clone(), visible));
            return Vec::new();
        }
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, self.ty(&typed.ty)),
            pat => (pat, self.types.fresh()),
        };
        // The value is read first, because names in it have their previous meanings.
        let init = local.init.as_ref().map(|init| self.expr(&init.expr));
        if let Some(init) = &init {
            self.types.unify(ty, init.ty);
        }
        let span = local.span();
        let diverge = local.init.as_ref().and_then(|i| i.diverge.as_ref());
        let init = match (init, diverge) {
            (Some(init), Some((_, otherwise))) => {
                return self.let_else(pat, init, otherwise, span);
            }
            (init, _) => init,
        };
        let declared = self.locals.len();
        let pat = self.pattern(pat, ty);
        if init.is_none() {
            for info in &mut self.locals[declared..] {
                info.assigned = true;
            }
        }
        vec![Stmt::Let {
            pat,
            ty,
            init,
            span,
        }]
    }

    pub(super) fn pattern(&mut self, pat: &syn::Pat, ty: Var) -> Pat {
        match pat {
            syn::Pat::Paren(p) => self.pattern(&p.pat, ty),
            // A reference to a value is the value.
            syn::Pat::Reference(r) => self.pattern(&r.pat, ty),
            syn::Pat::Type(t) => {
                let written = self.ty(&t.ty);
                self.types.unify(ty, written);
                self.pattern(&t.pat, ty)
            }
            syn::Pat::Wild(_) => Pat::Wild,
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                let local = self.declare(&p.ident, ty, LocalKind::Variable);
                Pat::Name(local, self.printed(local, &p.ident))
            }
            pat => match self.parts_of(pat, ty) {
                Some(parts) => Pat::Tuple(
                    parts
                        .into_iter()
                        .map(|(pat, ty)| pat.map_or(Pat::Wild, |pat| self.pattern(pat, ty)))
                        .collect(),
                ),
                None => Pat::Other(pat.clone()),
            },
        }
    }

    /// The patterns of the parts of a value, with their types. Parts of a structure that are not named have none.
    pub(super) fn parts_of<'p>(
        &mut self,
        pat: &'p syn::Pat,
        ty: Var,
    ) -> Option<Vec<(Option<&'p syn::Pat>, Var)>> {
        let listed = match pat {
            syn::Pat::Tuple(t) => &t.elems,
            syn::Pat::Slice(s) => &s.elems,
            syn::Pat::TupleStruct(t) => {
                self.of_struct(&t.path, ty);
                &t.elems
            }
            syn::Pat::Struct(s) => {
                self.of_struct(&s.path, ty);
                let Some(Type::Struct(known, vars)) = self.types.get(ty) else {
                    return None;
                };
                let parts = known.names.iter().zip(vars).map(|(name, ty)| {
                    let field = s.fields.iter().find(|f| *name == member_text(&f.member));
                    (field.map(|f| &*f.pat), ty)
                });
                return Some(parts.collect());
            }
            _ => return None,
        };
        let rest = listed.iter().position(|p| matches!(p, syn::Pat::Rest(_)));
        let vars = match self.types.parts(ty) {
            Some(vars) => vars,
            None if rest.is_some() => return None,
            None => {
                let vars: Vec<Var> = listed.iter().map(|_| self.types.fresh()).collect();
                let whole = self.types.tuple(vars.clone());
                self.types.unify(ty, whole);
                vars
            }
        };
        let Some(rest) = rest else {
            return (listed.len() == vars.len())
                .then(|| listed.iter().map(Some).zip(vars).collect());
        };
        let after = listed.len() - rest - 1;
        let between = vars.len().checked_sub(rest + after)?;
        let before = listed.iter().take(rest).map(Some);
        let between = std::iter::repeat_n(None, between);
        let pats = before
            .chain(between)
            .chain(listed.iter().skip(rest + 1).map(Some));
        Some(pats.zip(vars).collect())
    }

    /// The type that a pattern names.
    fn of_struct(&mut self, path: &syn::Path, ty: Var) {
        if self.types.get(ty).is_none() {
            let path = path.clone();
            let named = self.ty(&syn::parse_quote!(#path));
            self.types.unify(ty, named);
        }
    }

    /// A scope of names; `inside` is read in it.
    pub(super) fn scoped<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let scope = self.visible.len();
        let read = inside(self);
        self.visible.truncate(scope);
        read
    }

    pub(super) fn other(&mut self, expr: &syn::Expr) -> Expr {
        Expr {
            kind: Kind::Other(Box::new(expr.clone())),
            ty: self.types.external(),
            span: expr.span(),
        }
    }
}

/// Items by their names in the kernel.
struct Unique<'a>(&'a HashMap<String, Ident>);

impl syn::visit_mut::VisitMut for Unique<'_> {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.leading_colon.is_none()
            && path.segments.len() == 1
            && let Some(new) = self.0.get(&path.segments[0].ident.to_string())
        {
            path.segments[0].ident = new.clone();
        }
        syn::visit_mut::visit_path_mut(self, path);
    }
}

pub(super) fn member_text(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => name.unraw().to_string(),
        syn::Member::Unnamed(n) => n.index.to_string(),
    }
}

/// The type of an associated constant: the type itself, except for constants that count digits, exponents or bits.
pub(super) fn of_type(num: Num, name: &str) -> Num {
    match name {
        "BITS" | "DIGITS" | "MANTISSA_DIGITS" | "RADIX" => Num::U32,
        "MAX_EXP" | "MIN_EXP" | "MAX_10_EXP" | "MIN_10_EXP" => Num::I32,
        _ => num,
    }
}
