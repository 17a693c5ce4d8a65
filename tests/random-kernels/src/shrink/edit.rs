//! One thing less.

use kernels_gen::ops::Prim;

use super::isolate::new_param;
use crate::ast::{Block, Callee, Const, ConstValue, Expr, Func, Kind, Stmt, Ty, Unit};
use crate::visit::{self, Node};

/// All units that have one thing less, well-formed or not.
#[must_use]
pub fn edits(unit: &Unit) -> Vec<Unit> {
    let mut out = Vec::new();
    results(unit, &mut out);
    statements(unit, &mut out);
    expressions(unit, &mut out);
    inlined(unit, &mut out);
    outer(unit, &mut out);
    out
}

/// One result only: each part of a tuple, and each expression that is in sight at the end.
fn results(unit: &Unit, out: &mut Vec<Unit>) {
    let entry = unit.entry();
    let mut only = |value: &Expr| {
        let mut unit = unit.clone();
        let last = unit.funcs.len() - 1;
        let func = &mut unit.funcs[last];
        func.ret = value.ty.clone();
        func.body.value = Some(Box::new(value.clone()));
        out.push(unit);
    };
    if let Some(value) = &entry.body.value
        && let Kind::Tuple(items) = &value.kind
    {
        items.iter().for_each(&mut only);
    }
    visit::block(&entry.body, &mut |node| match node {
        Node::Expr(e) if e.ty.is_lanes() && !e.is_literal() => only(e),
        Node::Stmt(Stmt::Let(crate::ast::Pat::Local(local), ..) | Stmt::Assign(local, _)) => {
            let ty = entry.locals[*local].ty.clone();
            only(&Expr::new(ty, Kind::Local(*local)));
        }
        _ => {}
    });
}

/// How many blocks a function has.
fn blocks(func: &Func) -> usize {
    let mut n = 0;
    visit::blocks_mut(&mut func.body.clone(), &mut |_| n += 1);
    n
}

/// A change of block number `which` of function `f`.
fn in_block(unit: &Unit, f: usize, which: usize, change: impl Fn(&mut Block)) -> Unit {
    let mut unit = unit.clone();
    let mut n = 0;
    visit::blocks_mut(&mut unit.funcs[f].body, &mut |block| {
        if n == which {
            change(block);
        }
        n += 1;
    });
    unit
}

/// A statement left out; an arm, or one iteration, in a branch's or loop's place.
fn statements(unit: &Unit, out: &mut Vec<Unit>) {
    for (f, func) in unit.funcs.iter().enumerate() {
        for b in 0..blocks(func) {
            let mut stmts = Vec::new();
            let mut n = 0;
            visit::blocks_mut(&mut func.body.clone(), &mut |block| {
                if n == b {
                    stmts = block.stmts.clone();
                }
                n += 1;
            });
            for (i, stmt) in stmts.iter().enumerate() {
                out.push(in_block(unit, f, b, |block| {
                    block.stmts.remove(i);
                }));
                let mut instead = |stmts: &[Stmt]| {
                    out.push(in_block(unit, f, b, |block| {
                        block.stmts.splice(i..=i, stmts.iter().cloned());
                    }));
                };
                match stmt {
                    Stmt::If(cond, then, otherwise) => {
                        instead(&then.stmts);
                        if let Some(otherwise) = otherwise {
                            instead(&otherwise.stmts);
                            instead(&[Stmt::If(cond.clone(), then.clone(), None)]);
                        }
                    }
                    Stmt::For(counter, range, body) => {
                        instead(&body.stmts);
                        for end in [1, 2] {
                            let mut range = range.clone();
                            range.start = Expr::new(Ty::Index, Kind::Int(0));
                            range.end = Expr::new(Ty::Index, Kind::Int(end));
                            range.inclusive = false;
                            instead(&[Stmt::For(*counter, range.clone(), body.clone())]);
                            range.rev = false;
                            range.step = None;
                            instead(&[Stmt::For(*counter, range, body.clone())]);
                        }
                    }
                    Stmt::Let(pat, true, value) if !value.is_literal() => {
                        instead(&[Stmt::Let(pat.clone(), false, value.clone())]);
                    }
                    _ => {}
                }
            }
        }
    }
}

/// An expression replaced by a part of it, by a parameter, by a number.
fn expressions(unit: &Unit, out: &mut Vec<Unit>) {
    for (f, func) in unit.funcs.iter().enumerate() {
        let entry = f + 1 == unit.funcs.len();
        let mut all = Vec::new();
        visit::block(&func.body, &mut |node| {
            if let Node::Expr(e) = node {
                all.push(e.clone());
            }
        });
        for (n, e) in all.iter().enumerate() {
            let replaced = |unit: &Unit, by: Expr| {
                let mut unit = unit.clone();
                let mut at = 0;
                visit::exprs_mut(&mut unit.funcs[f].body, &mut |e| {
                    if at == n {
                        *e = by.clone();
                    }
                    at += 1;
                });
                unit
            };
            if !e.ty.is_lanes() {
                if !matches!(e.kind, Kind::Int(_) | Kind::Local(_) | Kind::Table(_))
                    && e.ty == Ty::Index
                {
                    let zero = Expr::new(Ty::Index, Kind::Int(0));
                    out.push(replaced(unit, zero));
                }
                continue;
            }
            let mut parts = Vec::new();
            visit::expr(e, &mut |node| {
                if let Node::Expr(part) = node
                    && part.ty == e.ty
                    && !part.is_literal()
                {
                    parts.push(part.clone());
                }
            });
            for part in parts.into_iter().skip(1).take(12) {
                out.push(replaced(unit, part));
            }
            if matches!(e.kind, Kind::Local(_)) {
                continue;
            }
            for param in &func.params {
                if func.locals[param.local].ty == e.ty {
                    let by = Expr::new(e.ty.clone(), Kind::Local(param.local));
                    out.push(replaced(unit, by));
                }
            }
            if entry
                && !e.is_literal()
                && !matches!(e.kind, Kind::Const(_))
                && let Some((local, param)) =
                    new_param(&e.ty, &func.params, func.locals.len(), func, None)
            {
                let mut unit = unit.clone();
                unit.funcs[f].locals.push(local);
                let by = Expr::new(e.ty.clone(), Kind::Local(param.local));
                unit.funcs[f].params.push(param);
                out.push(replaced(&unit, by));
            }
            if let Ty::Lane(prim) = e.ty
                && !matches!(e.kind, Kind::Const(_))
                && let Some((unit, by)) = one(unit, prim)
            {
                out.push(replaced(&unit, by));
            }
        }
    }
}

/// The unit with a constant one of that type.
fn one(unit: &Unit, prim: Prim) -> Option<(Unit, Expr)> {
    use kernels_gen::ir::Elem;
    let (elem, bits) = match prim {
        Prim::F64 => (Elem::F64, 1f64.to_bits()),
        Prim::F32 => (Elem::F32, u64::from(1f32.to_bits())),
        Prim::I64 => (Elem::I64, 1),
        Prim::I32 => (Elem::I32, 1),
        Prim::Mask => return None,
    };
    let mut unit = unit.clone();
    unit.consts.push(Const {
        name: format!("ONE_{}", elem_tag(prim)),
        value: ConstValue::Number(elem, bits),
    });
    // The same name twice would not do: an equal one that is there is taken.
    let value = ConstValue::Number(elem, bits);
    let first = unit.consts.iter().position(|c| c.value == value)?;
    if first + 1 < unit.consts.len() {
        unit.consts.pop();
    }
    Some((unit, Expr::new(Ty::Lane(prim), Kind::Const(first))))
}

fn elem_tag(prim: Prim) -> &'static str {
    match prim {
        Prim::F64 => "F64",
        Prim::F32 => "F32",
        Prim::I64 => "I64",
        Prim::I32 => "I32",
        Prim::Mask => "MASK",
    }
}

/// A call of a helper replaced by the helper's body, for one that the kernel itself calls.
fn inlined(unit: &Unit, out: &mut Vec<Unit>) {
    let last = unit.funcs.len() - 1;
    let mut calls = 0;
    visit::block(&unit.funcs[last].body, &mut |node| {
        if let Node::Expr(Expr {
            kind: Kind::Call(Callee::Own(..), _),
            ..
        }) = node
        {
            calls += 1;
        }
    });
    for which in 0..calls {
        let mut copy = unit.clone();
        let helpers = copy.funcs[..last].to_vec();
        let func = &mut copy.funcs[last];
        let mut locals = std::mem::take(&mut func.locals);
        let mut n = 0;
        visit::exprs_mut(&mut func.body, &mut |e| {
            let Kind::Call(Callee::Own(callee, generic), args) = &e.kind else {
                return;
            };
            n += 1;
            if n - 1 == which {
                *e = body_of(&helpers[*callee], *generic, args, &mut locals);
                // Its own calls are walked into, and are not counted again.
                n = usize::MAX / 2;
            }
        });
        func.locals = locals;
        out.push(copy);
    }
}

/// A helper's body as a block, its locals under new numbers and names.
fn body_of(
    helper: &Func,
    generic: Option<usize>,
    args: &[Expr],
    locals: &mut Vec<crate::ast::Local>,
) -> Expr {
    use crate::ast::Pat;
    fn renumber(pat: &mut Pat, by: usize) {
        match pat {
            Pat::Local(l) => *l += by,
            Pat::Wild => {}
            Pat::Tuple(items) => items.iter_mut().for_each(|p| renumber(p, by)),
        }
    }
    let by = locals.len();
    let mut body = helper.body.clone();
    visit::blocks_mut(&mut body, &mut |block| {
        for stmt in &mut block.stmts {
            match stmt {
                Stmt::Let(pat, ..) => renumber(pat, by),
                Stmt::Assign(local, _) | Stmt::For(local, ..) => *local += by,
                Stmt::If(..) => {}
            }
        }
    });
    visit::exprs_mut(&mut body, &mut |e| match &mut e.kind {
        Kind::Local(local) => {
            let param = helper.params.iter().position(|p| p.local == *local);
            match param.map(|p| &args[p].kind) {
                Some(Kind::Table(n)) => e.kind = Kind::Table(*n),
                _ => *local += by,
            }
        }
        Kind::Generic => e.kind = Kind::Int(generic.unwrap_or(0) as i128),
        _ => {}
    });
    locals.extend(helper.locals.iter().enumerate().map(|(n, l)| {
        let mut local = l.clone();
        local.name = format!("{}_{}", l.name, by + n);
        local
    }));
    let bindings = helper
        .params
        .iter()
        .zip(args)
        .filter(|(_, arg)| !matches!(arg.ty, Ty::Table(_)))
        .map(|(p, arg)| Stmt::Let(Pat::Local(p.local + by), true, arg.clone()));
    let mut stmts: Vec<Stmt> = bindings.collect();
    stmts.append(&mut body.stmts);
    Expr::new(
        helper.ret.clone(),
        Kind::Block(Block {
            stmts,
            value: body.value,
        }),
    )
}

/// Shorter tables, simpler entries and constants.
fn outer(unit: &Unit, out: &mut Vec<Unit>) {
    for (n, table) in unit.tables.iter().enumerate() {
        let length = table.bits.len();
        for shorter in [1, 2, 3, length / 2, length - 1] {
            if (1..length).contains(&shorter) {
                let mut unit = unit.clone();
                unit.tables[n].bits.truncate(shorter);
                out.push(unit);
            }
        }
        let mut counted = unit.clone();
        counted.tables[n].bits = (0..length as u64).collect();
        out.push(counted);
    }
    for n in 0..unit.consts.len() {
        for simple in [0, 1] {
            let mut unit = unit.clone();
            if let ConstValue::Number(_, bits) = &mut unit.consts[n].value {
                *bits = simple;
                out.push(unit);
            }
        }
    }
}
