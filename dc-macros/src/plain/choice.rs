//! `if`, `if let`, `match` and `matches!`, all of which become `if` and `else`.

use super::read::Reader;
use super::read_expr::unparenthesized;
use super::tree::{Block, Expr, Kind, Local, LocalKind, Pat, Stmt};
use super::types::{Num, Type, Var};
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned as _;

/// A pattern, its guard, and its value. For `matches!` the value is `true`.
type Arm<'a, T> = (syn::Pat, Option<Box<syn::Expr>>, T);

/// The matched value: a variable, or a part of its tuple.
#[derive(Clone)]
pub(super) struct Place {
    local: Local,
    name: Ident,
    /// The index of the part, the number of parts, and the part's type, from the outermost on.
    parts: Vec<(usize, usize, Var)>,
    ty: Var,
}

impl Reader {
    pub(super) fn if_(&mut self, i: &syn::ExprIf) -> Expr {
        let span = i.if_token.span;
        if let syn::Expr::Let(l) = unparenthesized(&i.cond) {
            let otherwise = match &i.else_branch {
                Some((_, e)) => e.clone(),
                None => Box::new(syn::parse_quote!({})),
            };
            let then = syn::Expr::Block(syn::ExprBlock {
                attrs: Vec::new(),
                label: None,
                block: i.then_branch.clone(),
            });
            let any = syn::parse_quote!(_);
            let arms = vec![((*l.pat).clone(), None, &then), (any, None, &*otherwise)];
            return self.arms(&l.expr, arms, span);
        }
        let cond = self.expr(&i.cond);
        let bool = self.types.num(Num::Bool);
        self.types.unify(bool, cond.ty);
        let then = self.block(&i.then_branch);
        let otherwise = i.else_branch.as_ref().map(|(_, e)| match &**e {
            syn::Expr::Block(b) => self.block(&b.block),
            e => {
                let value = self.expr(e);
                self.block_of(value)
            }
        });
        self.choice(cond, then, otherwise, span)
    }

    /// `if cond { then } else { otherwise }`. An arm that ends the function may have any type.
    pub(super) fn choice(
        &mut self,
        cond: Expr,
        then: Block,
        otherwise: Option<Block>,
        span: Span,
    ) -> Expr {
        let ty = match &otherwise {
            Some(other) => {
                self.types.unify(then.ty, other.ty);
                then.ty
            }
            None => {
                let unit = self.types.tuple(Vec::new());
                self.types.unify(unit, then.ty);
                unit
            }
        };
        self.make(Kind::If(Box::new(cond), then, otherwise), ty, span)
    }

    pub(super) fn block_of(&self, value: Expr) -> Block {
        let ty = value.ty;
        Block {
            stmts: Vec::new(),
            value: Some(Box::new(value)),
            ty,
        }
    }

    pub(super) fn match_(&mut self, m: &syn::ExprMatch) -> Expr {
        let arms = m.arms.iter().map(|arm| {
            let guard = arm.guard.as_ref().map(|g| g.1.clone());
            (arm.pat.clone(), guard, &*arm.body)
        });
        self.arms(&m.expr, arms.collect(), m.match_token.span)
    }

    fn arms(&mut self, of: &syn::Expr, arms: Vec<Arm<&syn::Expr>>, span: Span) -> Expr {
        let (let_, place) = self.scrutinee(of, span);
        let mut read = Vec::new();
        for (pat, guard, body) in arms {
            let Some((cond, arm)) = self.scoped(|reader| {
                let cond = reader.condition(&pat, guard.as_deref(), &place)?;
                let stmts = reader.bindings(&pat, &place);
                let value = reader.expr(body);
                let mut arm = reader.block_of(value);
                arm.stmts = stmts;
                Some((cond, arm))
            }) else {
                let syn = syn::parse_quote_spanned!(span=> match #of {});
                return self.other(&syn);
            };
            read.push((cond, arm));
        }
        // rustc has checked that the last arm matches everything that is left.
        let mut rest = None;
        for (cond, arm) in read.into_iter().rev() {
            rest = Some(match (rest, cond) {
                (None, _) | (_, None) => arm,
                (Some(otherwise), Some(cond)) => {
                    let value = self.choice(cond, arm, Some(otherwise), span);
                    self.block_of(value)
                }
            });
        }
        let Some(rest) = rest else {
            return self.other(&syn::parse_quote_spanned!(span=> match #of {}));
        };
        let ty = rest.ty;
        let mut stmts = vec![let_];
        stmts.extend(rest.stmts);
        let block = Block {
            stmts,
            value: rest.value,
            ty,
        };
        self.make(Kind::Block(block), ty, span)
    }

    /// `matches!(of, pat if guard)`
    pub(super) fn matches(
        &mut self,
        of: &syn::Expr,
        pat: &syn::Pat,
        guard: Option<&syn::Expr>,
        span: Span,
    ) -> Expr {
        let (let_, place) = self.scrutinee(of, span);
        let ty = self.types.num(Num::Bool);
        let cond = self.scoped(|reader| reader.condition(pat, guard, &place));
        let value = match cond {
            Some(Some(cond)) => cond,
            Some(None) => self.make(Kind::Bool(true), ty, span),
            None => return self.other(&syn::parse_quote_spanned!(span=> match #of {})),
        };
        let block = Block {
            stmts: vec![let_],
            value: Some(Box::new(value)),
            ty,
        };
        self.make(Kind::Block(block), ty, span)
    }

    /// `let temporary = of;`
    fn scrutinee(&mut self, of: &syn::Expr, span: Span) -> (Stmt, Place) {
        let value = self.expr(of);
        self.kept(value, span)
    }

    /// A value in a variable of our own.
    pub(super) fn kept(&mut self, value: Expr, span: Span) -> (Stmt, Place) {
        let ty = value.ty;
        let (local, name) = self.temporary(ty, span);
        let place = Place {
            local,
            name: name.clone(),
            parts: Vec::new(),
            ty,
        };
        let stmt = Stmt::Let {
            pat: Pat::Name(local, name),
            ty,
            init: Some(value),
            span,
        };
        (stmt, place)
    }

    pub(super) fn place(&self, place: &Place, span: Span) -> Expr {
        let ty = self.locals[place.local].ty;
        let mut expr = self.make(Kind::Local(place.local, place.name.clone()), ty, span);
        for (n, count, ty) in &place.parts {
            expr = self.make(Kind::Part(Box::new(expr), *n, *count), *ty, span);
        }
        expr
    }

    /// The patterns of the parts of a value.
    fn parts<'p>(
        &mut self,
        pat: &'p syn::Pat,
        place: &Place,
    ) -> Option<Vec<(&'p syn::Pat, Place)>> {
        let parts = self.parts_of(pat, place.ty)?;
        let count = parts.len();
        let each = parts.into_iter().enumerate().filter_map(|(n, (pat, ty))| {
            let part = part_of(place, n, count, ty);
            Some((pat?, part))
        });
        Some(each.collect())
    }

    /// Whether an `Option` has a value, and the value.
    fn option(&mut self, place: &Place) -> [Place; 2] {
        let value = self.types.fresh();
        let option = self.types.option(value);
        self.types.unify(place.ty, option);
        let Some(Type::Option(some, value)) = self.types.get(place.ty) else {
            return [place.clone(), place.clone()];
        };
        [part_of(place, 0, 2, some), part_of(place, 1, 2, value)]
    }

    /// Whether a pattern and its guard hold: `Some(None)` if always, `None` if it is not a pattern of numbers.
    fn condition(
        &mut self,
        pat: &syn::Pat,
        guard: Option<&syn::Expr>,
        place: &Place,
    ) -> Option<Option<Expr>> {
        let cond = self.holds(pat, place)?;
        let Some(guard) = guard else {
            return Some(cond);
        };
        let span = guard.span();
        // The guard is in the scope of the pattern's names.
        let guard = self.scoped(|reader| {
            let stmts = reader.bindings(pat, place);
            let value = reader.expr(guard);
            let mut block = reader.block_of(value);
            block.stmts = stmts;
            let ty = block.ty;
            reader.make(Kind::Block(block), ty, span)
        });
        Some(Some(match cond {
            Some(cond) => self.both(cond, guard, span),
            None => guard,
        }))
    }

    fn both(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let ty = self.types.num(Num::Bool);
        let and = syn::BinOp::And(syn::Token![&&](span));
        self.make(Kind::Binary(and, Box::new(a), Box::new(b)), ty, span)
    }

    fn compared(&mut self, op: syn::BinOp, place: &Place, with: Expr, span: Span) -> Expr {
        let left = self.place(place, span);
        self.types.unify(left.ty, with.ty);
        let ty = self.types.num(Num::Bool);
        self.make(Kind::Binary(op, Box::new(left), Box::new(with)), ty, span)
    }

    fn holds(&mut self, pat: &syn::Pat, place: &Place) -> Option<Option<Expr>> {
        use syn::BinOp as B;
        let span = pat.span();
        let equals = B::Eq(syn::Token![==](span));
        Some(match pat {
            syn::Pat::Wild(_) => None,
            syn::Pat::Paren(p) => return self.holds(&p.pat, place),
            syn::Pat::Reference(r) => return self.holds(&r.pat, place),
            syn::Pat::TupleStruct(t) if is_some(&t.path) && t.elems.len() == 1 => {
                let [some, value] = self.option(place);
                let some = self.place(&some, span);
                match self.holds(&t.elems[0], &value)? {
                    Some(inner) => Some(self.both(some, inner, span)),
                    None => Some(some),
                }
            }
            syn::Pat::Ident(p) if p.ident == "None" && p.subpat.is_none() => {
                let [some, _] = self.option(place);
                let (bool, some) = (some.ty, self.place(&some, span));
                Some(self.make(Kind::Not(Box::new(some)), bool, span))
            }
            syn::Pat::Ident(p) if p.by_ref.is_some() => return None,
            syn::Pat::Ident(p) => match &p.subpat {
                Some((_, inner)) => return self.holds(inner, place),
                None if is_constant(&p.ident) => {
                    let constant = self.expr(&syn::parse_quote!(#p));
                    Some(self.compared(equals, place, constant, span))
                }
                None => None,
            },
            syn::Pat::Lit(l) => match &l.lit {
                syn::Lit::Bool(b) => {
                    let bool = self.types.num(Num::Bool);
                    self.types.unify(bool, place.ty);
                    let value = self.place(place, span);
                    Some(match b.value {
                        true => value,
                        false => self.make(Kind::Not(Box::new(value)), bool, span),
                    })
                }
                lit => {
                    let literal = self.literal(lit);
                    Some(self.compared(equals, place, literal, span))
                }
            },
            syn::Pat::Path(p) => {
                let constant = self.expr(&syn::Expr::Path(p.clone()));
                Some(self.compared(equals, place, constant, span))
            }
            syn::Pat::Range(r) => {
                let mut cond = None;
                if let Some(start) = &r.start {
                    let start = self.expr(start);
                    let ge = B::Ge(syn::Token![>=](span));
                    cond = Some(self.compared(ge, place, start, span));
                }
                if let Some(end) = &r.end {
                    let end = self.expr(end);
                    let op = match r.limits {
                        syn::RangeLimits::HalfOpen(_) => B::Lt(syn::Token![<](span)),
                        syn::RangeLimits::Closed(_) => B::Le(syn::Token![<=](span)),
                    };
                    let below = self.compared(op, place, end, span);
                    cond = Some(match cond {
                        Some(cond) => self.both(cond, below, span),
                        None => below,
                    });
                }
                cond
            }
            syn::Pat::Or(o) => {
                let mut any: Option<Expr> = None;
                for case in &o.cases {
                    let Some(cond) = self.holds(case, place)? else {
                        return Some(None);
                    };
                    any = Some(match any {
                        None => cond,
                        Some(before) => {
                            let ty = self.types.num(Num::Bool);
                            let or = B::Or(syn::Token![||](span));
                            let kind = Kind::Binary(or, Box::new(before), Box::new(cond));
                            self.make(kind, ty, span)
                        }
                    });
                }
                any
            }
            pat => {
                let mut all: Option<Expr> = None;
                for (pat, part) in self.parts(pat, place)? {
                    let cond = self.holds(pat, &part)?;
                    all = match (all, cond) {
                        (Some(all), Some(cond)) => Some(self.both(all, cond, span)),
                        (all, cond) => all.or(cond),
                    };
                }
                all
            }
        })
    }

    /// The names in a pattern, as variables of the arm.
    fn bindings(&mut self, pat: &syn::Pat, place: &Place) -> Vec<Stmt> {
        match pat {
            syn::Pat::Paren(p) => self.bindings(&p.pat, place),
            syn::Pat::Reference(r) => self.bindings(&r.pat, place),
            syn::Pat::TupleStruct(t) if is_some(&t.path) && t.elems.len() == 1 => {
                let [_, value] = self.option(place);
                self.bindings(&t.elems[0], &value)
            }
            syn::Pat::Ident(p)
                if p.subpat.is_some() || !is_constant(&p.ident) && p.ident != "None" =>
            {
                let value = self.place(place, p.ident.span());
                let local = self.declare(&p.ident, place.ty, LocalKind::Variable);
                let own = Stmt::Let {
                    pat: Pat::Name(local, self.printed(local, &p.ident)),
                    ty: place.ty,
                    init: Some(value),
                    span: p.ident.span(),
                };
                let inner = p.subpat.as_ref().map(|s| self.bindings(&s.1, place));
                std::iter::once(own)
                    .chain(inner.into_iter().flatten())
                    .collect()
            }
            pat => {
                let parts = self.parts(pat, place).unwrap_or_default();
                let each = parts.into_iter();
                each.flat_map(|(pat, part)| self.bindings(pat, &part))
                    .collect()
            }
        }
    }

    /// `let pat = value else { otherwise };`
    pub(super) fn let_else(
        &mut self,
        pat: &syn::Pat,
        value: Expr,
        otherwise: &syn::Expr,
        span: Span,
    ) -> Vec<Stmt> {
        let ty = value.ty;
        let (let_, place) = self.kept(value, span);
        let otherwise = self.expr(otherwise);
        let otherwise = self.block_of(otherwise);
        let mut stmts = vec![let_];
        match self.holds(pat, &place) {
            Some(Some(cond)) => {
                let bool = self.types.num(Num::Bool);
                let not = self.make(Kind::Not(Box::new(cond)), bool, span);
                let left = self.choice(not, otherwise, None, span);
                stmts.push(Stmt::Expr(left));
            }
            Some(None) => {}
            None => {
                let init = self.place(&place, span);
                let pat = Pat::Other(pat.clone());
                stmts.push(Stmt::Let {
                    pat,
                    ty,
                    init: Some(init),
                    span,
                });
            }
        }
        stmts.extend(self.bindings(pat, &place));
        stmts
    }
}

/// A part of a value in a place.
fn part_of(place: &Place, n: usize, count: usize, ty: Var) -> Place {
    let mut part = place.clone();
    part.parts.push((n, count, ty));
    part.ty = ty;
    part
}

fn is_some(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|s| s.ident == "Some")
}

/// Whether a name in a pattern is that of a constant, by the naming convention that lints enforce.
fn is_constant(name: &Ident) -> bool {
    let text = name.to_string();
    text.chars().any(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}
