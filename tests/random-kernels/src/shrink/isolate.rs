//! Single operations, and operations with those that feed them, as kernels of their own: what they are fed from further
//! away becomes a parameter.

use std::collections::HashMap;

use kernels_gen::ops::Prim;

use crate::ast::{Block, Expr, Func, Kind, Local, Param, Pat, Stmt, Ty, Unit};
use crate::inputs;
use crate::visit::{self, Node};

/// Each operation of each function with up to three levels of what feeds it.
#[must_use]
pub fn parts(unit: &Unit) -> Vec<Unit> {
    let mut parts = Vec::new();
    for (n, func) in unit.funcs.iter().enumerate() {
        let defined = definitions(func);
        visit::block(&func.body, &mut |node| {
            let Node::Expr(e) = node else { return };
            if !e.ty.is_lanes() || is_leaf(&e.kind) {
                return;
            }
            for depth in 1..=3 {
                let mut cut = Cut {
                    unit,
                    func,
                    defined: &defined,
                    params: Vec::new(),
                    locals: Vec::new(),
                    known: HashMap::new(),
                };
                if let Some(value) = cut.expr(e, depth) {
                    parts.push(cut.kernel(n, value));
                }
            }
        });
    }
    parts
}

fn is_leaf(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Local(_) | Kind::Const(_) | Kind::Float(_) | Kind::Int(_) | Kind::Table(_)
    )
}

/// What locals are bound to that are never assigned.
fn definitions(func: &Func) -> HashMap<usize, Expr> {
    let assigned = visit::assigned(&func.body);
    let mut defined = HashMap::new();
    visit::block(&func.body, &mut |node| {
        if let Node::Stmt(Stmt::Let(Pat::Local(local), _, value)) = node
            && !assigned.contains(local)
            && !value.is_literal()
        {
            defined.insert(*local, value.clone());
        }
    });
    defined
}

struct Cut<'a> {
    unit: &'a Unit,
    func: &'a Func,
    defined: &'a HashMap<usize, Expr>,
    params: Vec<Param>,
    locals: Vec<Local>,
    /// The parameter in a local's place: the same wherever it is read.
    known: HashMap<usize, usize>,
}

impl Cut<'_> {
    /// The expression down to that depth; nothing if it has no form as a kernel of its own.
    fn expr(&mut self, e: &Expr, depth: usize) -> Option<Expr> {
        let mut sub = |a: &Expr, depth: usize| self.expr(a, depth);
        let kind = match &e.kind {
            Kind::Float(_) | Kind::Int(_) | Kind::Const(_) | Kind::Table(_) => e.kind.clone(),
            Kind::Local(local) => {
                return match (self.defined.get(local), &e.ty) {
                    (Some(value), _) if depth > 0 => self.expr(&value.clone(), depth),
                    (_, Ty::Index) => Some(Expr::new(Ty::Index, Kind::Int(1))),
                    (_, Ty::Table(elem)) => {
                        let n = self.unit.tables.iter().position(|t| t.elem == *elem)?;
                        Some(Expr::new(e.ty.clone(), Kind::Table(n)))
                    }
                    _ => self.param(&e.ty, Some(*local)),
                };
            }
            Kind::Generic => return Some(Expr::new(Ty::Index, Kind::Int(2))),
            _ if depth == 0 && e.ty.is_lanes() => return self.param(&e.ty, None),
            Kind::Unary(op, a) => Kind::Unary(*op, Box::new(sub(a, depth - 1)?)),
            Kind::Binary(op, a, b) => {
                let less = depth.saturating_sub(1);
                Kind::Binary(*op, Box::new(sub(a, less)?), Box::new(sub(b, less)?))
            }
            Kind::Method(name, a, args) => {
                let a = sub(a, depth - 1)?;
                let args: Option<Vec<Expr>> = args.iter().map(|x| sub(x, depth - 1)).collect();
                Kind::Method(name, Box::new(a), args?)
            }
            Kind::FromBits(a) => Kind::FromBits(Box::new(sub(a, depth - 1)?)),
            // No operations: they count for nothing.
            Kind::NewDd(a, b) => Kind::NewDd(Box::new(sub(a, depth)?), Box::new(sub(b, depth)?)),
            Kind::Field(a, n) => Kind::Field(Box::new(sub(a, depth)?), *n),
            Kind::Tuple(items) => {
                let items: Option<Vec<Expr>> = items.iter().map(|x| sub(x, depth)).collect();
                Kind::Tuple(items?)
            }
            Kind::Load(of, index) => {
                Kind::Load(Box::new(sub(of, depth)?), Box::new(sub(index, depth - 1)?))
            }
            Kind::Len(of) => Kind::Len(Box::new(sub(of, depth)?)),
            Kind::Call(callee, args) => {
                let args: Option<Vec<Expr>> = args.iter().map(|x| sub(x, depth - 1)).collect();
                Kind::Call(*callee, args?)
            }
            Kind::Block(block) => {
                // Its names are looked through.
                return match &block.value {
                    Some(value) => self.expr(value, depth),
                    None => None,
                };
            }
            Kind::If(cond, then, otherwise) => {
                let cond = sub(cond, depth - 1)?;
                let mut arm = |block: &Block| -> Option<Block> {
                    let value = sub(block.value.as_ref()?, depth - 1)?;
                    Some(Block {
                        stmts: vec![],
                        value: Some(Box::new(value)),
                    })
                };
                let (then, otherwise) = (arm(then)?, arm(otherwise)?);
                Kind::If(Box::new(cond), then, otherwise)
            }
        };
        Some(Expr::new(e.ty.clone(), kind))
    }

    /// A parameter of that type, if there are columns for one more.
    fn param(&mut self, ty: &Ty, of: Option<usize>) -> Option<Expr> {
        if let Some(local) = of.and_then(|l| self.known.get(&l)) {
            return Some(Expr::new(ty.clone(), Kind::Local(*local)));
        }
        let (local, param) = new_param(ty, &self.params, self.locals.len(), self.func, of)?;
        let number = param.local;
        self.locals.push(local);
        self.params.push(param);
        if let Some(of) = of {
            self.known.insert(of, number);
        }
        Some(Expr::new(ty.clone(), Kind::Local(number)))
    }

    fn kernel(self, func: usize, value: Expr) -> Unit {
        let mut unit = self.unit.clone();
        let name = unit.entry().name.clone();
        // What comes after the function cannot be called by a part of it.
        unit.funcs.truncate(func);
        let mut kernel = Func {
            name,
            doc: Vec::new(),
            line: 10 * (func as u32 + 1),
            text: String::new(),
            generic: false,
            params: self.params,
            ret: value.ty.clone(),
            locals: self.locals,
            body: Block {
                stmts: vec![],
                value: Some(Box::new(value)),
            },
        };
        if kernel.params.is_empty() {
            kernel
                .locals
                .push(Local::new("unused", Ty::Lane(Prim::F64)));
            kernel.params.push(Param {
                local: kernel.locals.len() - 1,
                columns: vec![inputs::column(Prim::F64, 0)],
            });
        }
        unit.funcs.push(kernel);
        unit
    }
}

/// A new parameter, local number `number`: with the columns of the local it stands for if that is a parameter of the
/// kernel, else with columns that no other has.
pub(super) fn new_param(
    ty: &Ty,
    others: &[Param],
    number: usize,
    func: &Func,
    of: Option<usize>,
) -> Option<(Local, Param)> {
    if others.len() >= 8 {
        return None;
    }
    let given = of.and_then(|l| func.params.iter().find(|p| p.local == l));
    let mut used: Vec<usize> = others.iter().flat_map(|p| p.columns.clone()).collect();
    // The columns of a kernel's own parameters stay theirs.
    used.extend(func.params.iter().flat_map(|p| p.columns.clone()));
    let mut columns = Vec::new();
    match given {
        Some(param) if !param.columns.is_empty() => columns = param.columns.clone(),
        _ if *ty == Ty::Dd => {
            columns = (0..inputs::DOUBLE_DOUBLES)
                .map(inputs::double_double)
                .find(|c| !used.contains(&c[0]))?
                .to_vec();
        }
        _ => {
            for prim in ty.prims() {
                let free = (0..inputs::EACH)
                    .map(|n| inputs::column(prim, n))
                    .find(|c| !used.contains(c))?;
                used.push(free);
                columns.push(free);
            }
        }
    }
    if columns.is_empty() {
        return None;
    }
    let local = Local::new(format!("p{number}"), ty.clone());
    Some((
        local,
        Param {
            local: number,
            columns,
        },
    ))
}
