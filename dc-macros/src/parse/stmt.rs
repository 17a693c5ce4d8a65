//! Blocks and statements.

use super::Parser;
use super::types::Position;
use crate::ast::{Block, Expr, ExprKind, Local, LocalKind, Pat, Stmt, Ty};
use crate::messages::Message;
use kernels_gen::ir::BinOp;
use proc_macro2::Ident;
use quote::ToTokens as _;
use syn::spanned::Spanned as _;

impl Parser<'_> {
    /// The function's block, the only place where a `return` is allowed.
    pub(super) fn body(&mut self, block: &syn::Block) -> Block {
        if let [before @ .., syn::Stmt::Expr(syn::Expr::Return(last), _)] = &block.stmts[..]
            && let Some(value) = &last.expr
        {
            self.attrs(&last.attrs);
            let mut block = self.stmts(before, true);
            block.value = Some(Box::new(self.expr(value)));
            return block;
        }
        self.stmts(&block.stmts, true)
    }

    /// A block with a separate scope.
    pub(super) fn block(&mut self, block: &syn::Block) -> Block {
        let mark = self.scope.enter();
        let block = self.stmts(&block.stmts, false);
        self.scope.leave(mark);
        block
    }

    /// `outermost`: these are the statements of the function itself, whose constants can precede either expansion.
    fn stmts(&mut self, stmts: &[syn::Stmt], outermost: bool) -> Block {
        let mut block = Block::default();
        for (i, stmt) in stmts.iter().enumerate() {
            let last = i + 1 == stmts.len();
            match stmt {
                syn::Stmt::Local(local) => {
                    let stmt = self.let_(local);
                    block.stmts.extend(stmt);
                }
                syn::Stmt::Item(syn::Item::Const(item)) if outermost => {
                    self.consts.push(syn::Item::Const(item.clone()));
                }
                syn::Stmt::Item(syn::Item::Const(item)) => {
                    self.refuse(item, Message::ConstInBlock);
                }
                syn::Stmt::Item(item) => {
                    let kind = kind_of(item).to_string();
                    self.refuse(item, Message::Item { kind });
                }
                syn::Stmt::Macro(m) => self.macro_call(&m.mac),
                syn::Stmt::Expr(expr, semi) => match self.effect(expr) {
                    Some(stmt) => block.stmts.extend(stmt),
                    None => {
                        let value = self.expr(expr);
                        if last && semi.is_none() {
                            block.value = Some(Box::new(value));
                        } else {
                            let semi = semi.is_some();
                            block.stmts.push(Stmt::Expr { value, semi });
                        }
                    }
                },
            }
        }
        block
    }

    fn let_(&mut self, local: &syn::Local) -> Option<Stmt> {
        self.attrs(&local.attrs);
        let (pat, ty) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(self.ty(&typed.ty, Position::Let))),
            pat => (pat, None),
        };
        let Some(init) = &local.init else {
            let name = match pat {
                syn::Pat::Ident(p) => p.ident.to_string(),
                _ => "x".to_string(),
            };
            let zero = match &local.pat {
                syn::Pat::Type(typed) => first_value(&typed.ty),
                _ => " = 0.0".into(),
            };
            self.refuse(local, Message::LetUninit { name, zero });
            self.declare_pattern(pat);
            return None;
        };
        if let Some((token, _)) = &init.diverge {
            self.refuse(token, Message::LetElse);
            self.declare_pattern(pat);
            return None;
        }
        // The value is parsed first, because names in it have their previous meanings.
        let value = self.expr(&init.expr);
        if value.is_refused() || matches!(ty, Some(Ty::Refused)) {
            self.declare_pattern(pat);
            return None;
        }
        let lane = match &ty {
            Some(Ty::Lane(lane, _)) => Some(*lane),
            Some(_) => None,
            None => self.lane(&value),
        };
        let pat = self.pattern(pat)?;
        if let Pat::Local(local, ..) = pat {
            self.scope.typed(local, lane);
        }
        Some(Stmt::Let { pat, ty, value })
    }

    fn pattern(&mut self, pat: &syn::Pat) -> Option<Pat> {
        match pat {
            syn::Pat::Paren(p) => self.pattern(&p.pat),
            syn::Pat::Wild(w) => Some(Pat::Wild(w.underscore_token)),
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                let local = self.scope.declare(&p.ident, LocalKind::Variable);
                Some(Pat::Local(local, p.mutability, p.ident.clone()))
            }
            syn::Pat::Tuple(t) => {
                let parts: Vec<_> = t.elems.iter().map(|p| self.pattern(p)).collect();
                Some(Pat::Tuple(parts.into_iter().collect::<Option<_>>()?))
            }
            pat => {
                self.refuse(pat, Message::LetPattern);
                self.declare_pattern(pat);
                None
            }
        }
    }

    /// Declares the names of a pattern with an error, so that their uses cause no further errors.
    pub(super) fn declare_pattern(&mut self, pat: &syn::Pat) {
        struct Names(Vec<Ident>);
        impl<'ast> syn::visit::Visit<'ast> for Names {
            fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
                self.0.push(p.ident.clone());
                syn::visit::visit_pat_ident(self, p);
            }
        }
        let mut names = Names(Vec::new());
        syn::visit::Visit::visit_pat(&mut names, pat);
        for name in names.0 {
            self.scope.declare(&name, LocalKind::Refused);
        }
    }

    /// Statements that have no value: assignments and loops. `Some(None)`: an error was reported.
    fn effect(&mut self, expr: &syn::Expr) -> Option<Option<Stmt>> {
        match expr {
            syn::Expr::Assign(a) => {
                self.attrs(&a.attrs);
                Some(self.assign(a))
            }
            syn::Expr::Binary(b) => {
                let op = compound(&b.op)?;
                self.attrs(&b.attrs);
                Some(self.compound(b, op))
            }
            syn::Expr::ForLoop(f) => {
                self.attrs(&f.attrs);
                Some(self.for_(f))
            }
            syn::Expr::Group(g) => self.effect(&g.expr),
            _ => None,
        }
    }

    fn assign(&mut self, a: &syn::ExprAssign) -> Option<Stmt> {
        if let syn::Expr::Tuple(_) = &*a.left {
            let mut targets = Vec::new();
            let pat = self.tuple_target(&a.left, &mut targets)?;
            let value = self.expr(&a.right);
            return Some(Stmt::AssignTuple {
                pat,
                targets,
                left: a.left.clone(),
                value,
            });
        }
        let (local, name) = self.target(&a.left)?;
        let value = self.expr(&a.right);
        Some(Stmt::Assign { local, name, value })
    }

    fn compound(&mut self, b: &syn::ExprBinary, op: BinOp) -> Option<Stmt> {
        let (local, name) = self.target(&b.left)?;
        let right = self.expr(&b.right);
        let left = Expr::new(ExprKind::Local(local, name.clone()), name.span());
        let (first, last) = (left.first, right.last);
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        let value = Expr::spanning(kind, b.op.span(), first, last);
        Some(Stmt::Assign { local, name, value })
    }

    /// The variable on the left of an assignment.
    fn target(&mut self, left: &syn::Expr) -> Option<(Local, Ident)> {
        let path = match left {
            syn::Expr::Path(path) => path,
            syn::Expr::Paren(p) => return self.target(&p.expr),
            syn::Expr::Group(g) => return self.target(&g.expr),
            _ => {
                self.refuse(left, Message::AssignTarget);
                return None;
            }
        };
        let Some((local, name)) = self.local(path) else {
            let name = quote::ToTokens::to_token_stream(path)
                .to_string()
                .replace(' ', "");
            self.refuse(path, Message::AssignConst { name });
            return None;
        };
        match self.scope.info(local).kind {
            LocalKind::Variable => {
                self.scope.assign(local, &name);
                Some((local, name))
            }
            LocalKind::Refused => None,
            LocalKind::Counter => {
                let name = name.to_string();
                self.refuse(left, Message::AssignCounter { name });
                None
            }
            LocalKind::Table => {
                let name = name.to_string();
                self.refuse(left, Message::AssignTable { name });
                None
            }
        }
    }

    fn tuple_target(
        &mut self,
        left: &syn::Expr,
        targets: &mut Vec<(Local, Local, Ident)>,
    ) -> Option<Pat> {
        match left {
            syn::Expr::Tuple(t) => {
                let parts: Vec<_> = t
                    .elems
                    .iter()
                    .map(|e| self.tuple_target(e, targets))
                    .collect();
                Some(Pat::Tuple(parts.into_iter().collect::<Option<_>>()?))
            }
            syn::Expr::Infer(i) => Some(Pat::Wild(i.underscore_token)),
            _ => {
                let (local, name) = self.target(left)?;
                let hidden = self.scope.declare_hidden(&name, LocalKind::Variable);
                targets.push((hidden, local, name.clone()));
                Some(Pat::Local(hidden, None, name))
            }
        }
    }
}

/// The operator of a compound assignment.
fn compound(op: &syn::BinOp) -> Option<BinOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => BinOp::Add,
        syn::BinOp::SubAssign(_) => BinOp::Sub,
        syn::BinOp::MulAssign(_) => BinOp::Mul,
        syn::BinOp::DivAssign(_) => BinOp::Div,
        syn::BinOp::RemAssign(_) => BinOp::Rem,
        syn::BinOp::BitAndAssign(_) => BinOp::And,
        syn::BinOp::BitOrAssign(_) => BinOp::Or,
        syn::BinOp::BitXorAssign(_) => BinOp::Xor,
        syn::BinOp::ShlAssign(_) => BinOp::Shl,
        syn::BinOp::ShrAssign(_) => BinOp::Shr,
        _ => return None,
    })
}

fn kind_of(item: &syn::Item) -> &'static str {
    match item {
        syn::Item::Static(_) => "a `static`",
        syn::Item::Fn(_) => "a function",
        syn::Item::Use(_) => "`use`",
        syn::Item::Macro(_) => "a macro",
        syn::Item::Struct(_) | syn::Item::Enum(_) | syn::Item::Union(_) | syn::Item::Type(_) => {
            "a type"
        }
        _ => "an item",
    }
}

/// A first value for a variable of this type, as written after its name in a `let`, with the lane type if that has another name.
fn first_value(ty: &syn::Type) -> String {
    let name = ty.to_token_stream().to_string();
    let (lane, zero) = match &*name {
        "i32" | "u32" | "DcInt" => ("DcInt", "0"),
        "i64" | "u64" | "DcLong" => ("DcLong", "0"),
        "bool" | "DcMask" => ("DcMask", "false"),
        "f32" | "DcFloat" => ("DcFloat", "0.0"),
        "f64" | "DcDouble" => ("DcDouble", "0.0"),
        _ => return format!(": {name} = …"),
    };
    format!(": {lane} = {zero}")
}
