//! What an edit left behind: values nobody reads, parameters nobody uses, functions nobody calls, tables nobody indexes.

use crate::ast::{Block, Callee, Expr, Func, Kind, Pat, Stmt, Unit};
use crate::visit::{self, Node};

/// The unit without.
#[must_use]
pub fn tidied(mut unit: Unit) -> Unit {
    loop {
        let before = weight(&unit);
        for func in &mut unit.funcs {
            let reads = visit::reads(&func.body, func.locals.len());
            visit::blocks_mut(&mut func.body, &mut |block| sweep(block, &reads));
        }
        parameters(&mut unit);
        functions(&mut unit);
        outer(&mut unit);
        if weight(&unit) == before {
            unit.funcs.iter_mut().for_each(renumber);
            return unit;
        }
    }
}

/// Locals under new numbers: the parameters first, as a tree has them.
fn renumber(func: &mut Func) {
    let mut order: Vec<usize> = func.params.iter().map(|p| p.local).collect();
    let rest: Vec<usize> = (0..func.locals.len())
        .filter(|l| !order.contains(l))
        .collect();
    order.extend(rest);
    let mut at = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        at[old] = new;
    }
    func.locals = order.iter().map(|&l| func.locals[l].clone()).collect();
    for param in &mut func.params {
        param.local = at[param.local];
    }
    visit::blocks_mut(&mut func.body, &mut |block| {
        for stmt in &mut block.stmts {
            match stmt {
                Stmt::Let(pat, ..) => renumber_pat(pat, &at),
                Stmt::Assign(local, _) | Stmt::For(local, ..) => *local = at[*local],
                Stmt::If(..) => {}
            }
        }
    });
    visit::exprs_mut(&mut func.body, &mut |e| {
        if let Kind::Local(local) = &mut e.kind {
            *local = at[*local];
        }
    });
}

fn renumber_pat(pat: &mut Pat, at: &[usize]) {
    match pat {
        Pat::Local(local) => *local = at[*local],
        Pat::Wild => {}
        Pat::Tuple(items) => items.iter_mut().for_each(|p| renumber_pat(p, at)),
    }
}

/// Goes down as long as something is taken away.
fn weight(unit: &Unit) -> usize {
    let mut n = unit.tables.len() + unit.consts.len() + unit.funcs.len();
    for func in &unit.funcs {
        n += func.params.len();
        visit::block(&func.body, &mut |_| n += 1);
    }
    n
}

/// Statements without effect, and blocks that are only their value.
fn sweep(block: &mut Block, reads: &[usize]) {
    block.stmts.retain(|stmt| match stmt {
        Stmt::Let(pat, _, _) => bound(pat).iter().any(|&l| reads[l] > 0),
        Stmt::Assign(local, _) => reads[*local] > 0,
        Stmt::If(_, then, otherwise) => {
            !then.stmts.is_empty() || otherwise.as_ref().is_some_and(|b| !b.stmts.is_empty())
        }
        Stmt::For(_, _, body) => !body.stmts.is_empty(),
    });
    if let Some(value) = &mut block.value {
        visit::expr_mut(value, &mut |e| {
            while let Kind::Block(inner) = &mut e.kind
                && inner.stmts.is_empty()
                && let Some(value) = inner.value.take()
            {
                *e = *value;
            }
        });
    }
}

fn bound(pat: &Pat) -> Vec<usize> {
    match pat {
        Pat::Local(local) => vec![*local],
        Pat::Wild => vec![],
        Pat::Tuple(items) => items.iter().flat_map(bound).collect(),
    }
}

/// Parameters that nothing reads, and the arguments for them.
fn parameters(unit: &mut Unit) {
    for n in 0..unit.funcs.len() {
        let func = &unit.funcs[n];
        let reads = visit::reads(&func.body, func.locals.len());
        let mut keep: Vec<bool> = func.params.iter().map(|p| reads[p.local] > 0).collect();
        // A kernel needs one in lanes.
        let lanes = |i: &usize| func.locals[func.params[*i].local].ty.is_lanes();
        if !(0..keep.len()).any(|i| keep[i] && lanes(&i))
            && let Some(first) = (0..keep.len()).find(lanes)
        {
            keep[first] = true;
        }
        if keep.iter().all(|&k| k) {
            continue;
        }
        let mut kept = keep.iter();
        unit.funcs[n]
            .params
            .retain(|_| *kept.next().unwrap_or(&true));
        for caller in &mut unit.funcs[n + 1..] {
            visit::exprs_mut(&mut caller.body, &mut |e| {
                if let Kind::Call(Callee::Own(callee, _), args) = &mut e.kind
                    && *callee == n
                {
                    let mut kept = keep.iter();
                    args.retain(|_| *kept.next().unwrap_or(&true));
                }
            });
        }
    }
}

/// Functions that the kernel does not reach.
fn functions(unit: &mut Unit) {
    let last = unit.funcs.len() - 1;
    let mut used = vec![false; unit.funcs.len()];
    used[last] = true;
    for n in (0..=last).rev() {
        if used[n] {
            visit::block(&unit.funcs[n].body, &mut |node| {
                if let Node::Expr(Expr {
                    kind: Kind::Call(Callee::Own(callee, _), _),
                    ..
                }) = node
                {
                    used[*callee] = true;
                }
            });
        }
    }
    let at = places(&used);
    let mut n = 0;
    unit.funcs.retain(|_| {
        n += 1;
        used[n - 1]
    });
    for func in &mut unit.funcs {
        let mut generic = false;
        visit::exprs_mut(&mut func.body, &mut |e| match &mut e.kind {
            Kind::Call(Callee::Own(callee, _), _) => *callee = at[*callee],
            Kind::Generic => generic = true,
            _ => {}
        });
        func.generic = generic;
    }
    // A const generic that nothing reads is gone, and the calls do not give one.
    let generic: Vec<bool> = unit.funcs.iter().map(|f| f.generic).collect();
    for func in &mut unit.funcs {
        visit::exprs_mut(&mut func.body, &mut |e| {
            if let Kind::Call(Callee::Own(callee, value), _) = &mut e.kind
                && !generic[*callee]
            {
                *value = None;
            }
        });
    }
}

/// Tables and constants that no function names.
fn outer(unit: &mut Unit) {
    let (mut tables, mut consts) = (
        vec![false; unit.tables.len()],
        vec![false; unit.consts.len()],
    );
    for func in &unit.funcs {
        visit::block(&func.body, &mut |node| match node {
            Node::Expr(Expr {
                kind: Kind::Table(n),
                ..
            }) => tables[*n] = true,
            Node::Expr(Expr {
                kind: Kind::Const(n),
                ..
            }) => consts[*n] = true,
            _ => {}
        });
    }
    let (table_at, const_at) = (places(&tables), places(&consts));
    let mut n = 0;
    unit.tables.retain(|_| {
        n += 1;
        tables[n - 1]
    });
    n = 0;
    unit.consts.retain(|_| {
        n += 1;
        consts[n - 1]
    });
    for func in &mut unit.funcs {
        visit::exprs_mut(&mut func.body, &mut |e| match &mut e.kind {
            Kind::Table(n) => *n = table_at[*n],
            Kind::Const(n) => *n = const_at[*n],
            _ => {}
        });
    }
}

/// The new numbers of those that are kept.
fn places(keep: &[bool]) -> Vec<usize> {
    let mut next = 0;
    keep.iter()
        .map(|&k| {
            next += usize::from(k);
            next.saturating_sub(1)
        })
        .collect()
}
