//! Whether names still mean what they are to mean: each local that is named is in sight, and nothing hides it.

use crate::ast::{Block, Expr, Func, Kind, Pat, Stmt, Unit};

/// Whether that is so in all functions, and each has a parameter in lanes, and at most eight.
#[must_use]
pub fn holds(unit: &Unit) -> bool {
    unit.funcs.iter().all(|func| {
        let lanes = |p: &crate::ast::Param| func.locals[p.local].ty.is_lanes();
        let mut scope = Scope {
            func,
            visible: func.params.iter().map(|p| p.local).collect(),
            ok: true,
        };
        scope.block(&func.body);
        scope.ok && func.params.iter().any(lanes) && func.params.len() <= 8
    })
}

struct Scope<'a> {
    func: &'a Func,
    visible: Vec<usize>,
    ok: bool,
}

impl Scope<'_> {
    fn named(&mut self, local: usize) {
        let name = |l: usize| &self.func.locals[l].name;
        let found = self.visible.iter().rev().find(|l| name(**l) == name(local));
        self.ok &= found == Some(&local);
    }

    fn block(&mut self, block: &Block) {
        let before = self.visible.len();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let(pat, _, value) => {
                    self.expr(value);
                    self.pat(pat);
                }
                Stmt::Assign(local, value) => {
                    self.expr(value);
                    self.named(*local);
                }
                Stmt::If(cond, then, otherwise) => {
                    self.expr(cond);
                    self.block(then);
                    if let Some(block) = otherwise {
                        self.block(block);
                    }
                }
                Stmt::For(counter, range, body) => {
                    self.expr(&range.start);
                    self.expr(&range.end);
                    self.visible.push(*counter);
                    self.block(body);
                    self.visible.pop();
                }
            }
        }
        if let Some(value) = &block.value {
            self.expr(value);
        }
        self.visible.truncate(before);
    }

    fn pat(&mut self, pat: &Pat) {
        match pat {
            Pat::Local(local) => self.visible.push(*local),
            Pat::Wild => {}
            Pat::Tuple(items) => items.iter().for_each(|p| self.pat(p)),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            Kind::Local(local) => self.named(*local),
            Kind::Generic => self.ok &= self.func.generic,
            Kind::Unary(_, a) | Kind::FromBits(a) | Kind::Len(a) | Kind::Field(a, _) => {
                self.expr(a);
            }
            Kind::Binary(_, a, b) | Kind::NewDd(a, b) | Kind::Load(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            Kind::Method(_, a, args) => {
                self.expr(a);
                args.iter().for_each(|e| self.expr(e));
            }
            Kind::Call(_, args) | Kind::Tuple(args) => args.iter().for_each(|e| self.expr(e)),
            Kind::If(cond, then, otherwise) => {
                self.expr(cond);
                self.block(then);
                self.block(otherwise);
            }
            Kind::Block(block) => self.block(block),
            Kind::Float(_) | Kind::Int(_) | Kind::Const(_) | Kind::Table(_) => {}
        }
    }
}
