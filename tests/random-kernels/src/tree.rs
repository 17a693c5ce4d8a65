//! Many kernels as one, so that a text is compiled for all of them.

use kernels_gen::ir::{self, BinOp, Const, ExprKind, Kernel, Length, Pat as IrPat};
use kernels_gen::ops::Prim;
pub use kernels_gen::syntax::tree::{OPERATORS, kernel};
use kernels_gen::syntax::tree::{at, expr, leak, leak_str, ty};

use crate::ast::{Ty, Unit};

type E = &'static ir::Expr;

/// What a text of many kernels returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// All results of each.
    All,
    /// One word of each, in which every bit of its results is. Each column that leaves a kernel costs an OpenCL compiler
    /// as much as some ten operations.
    Words,
}

/// A kernel that calls all these on columns that they share: one text for many. Which columns it takes, in order.
#[must_use]
pub fn together(
    kernels: &[(&'static Kernel, &Unit)],
    returns: Returns,
) -> (&'static Kernel, Vec<usize>) {
    let mut columns: Vec<usize> = kernels.iter().flat_map(|(_, u)| u.columns()).collect();
    columns.sort_unstable();
    columns.dedup();
    let local = |column: &usize| {
        let number = columns.binary_search(column).expect("it is among them");
        at(ExprKind::Local(number as u32))
    };
    let mut names: Vec<&'static str> = columns.iter().map(|c| leak_str(&format!("c{c}"))).collect();
    let (mut stmts, mut values) = (Vec::new(), Vec::new());
    for (kernel, unit) in kernels {
        let args = unit
            .entry()
            .params
            .iter()
            .map(|p| {
                let ty = &unit.entry().locals[p.local].ty;
                let words: Vec<ir::Expr> = p.columns.iter().map(local).collect();
                match ty {
                    Ty::Dd => at(ExprKind::Assoc(ir::Ty::Dd, "new", leak(words))),
                    Ty::Tuple(_) => at(ExprKind::Tuple(leak(words))),
                    _ => words[0],
                }
            })
            .collect();
        let result = names.len() as u32;
        names.push("result");
        let call = expr(ExprKind::Call(kernel, leak(args)));
        stmts.push(ir::Stmt::Let(IrPat::Local(result), None, call));
        let result = expr(ExprKind::Local(result));
        if returns == Returns::All {
            values.push(*result);
            continue;
        }
        let mut words = Vec::new();
        words_of(&unit.entry().ret, result, &mut words);
        let mut words = words.into_iter();
        let first = words.next().unwrap_or(result);
        values.push(*words.fold(first, mixed));
    }
    let params = columns.iter().zip(&names).map(|(&c, &name)| ir::Param {
        name,
        ty: ty(&Ty::Lane(crate::inputs::prim(c))),
        length: Length::ANY,
    });
    let returned = |(k, _): &(&'static Kernel, &Unit)| match returns {
        Returns::All => k.ret,
        Returns::Words => ir::Ty::I64,
    };
    let kernel = Kernel {
        name: "together",
        module: "random",
        file: "random.rs",
        line: 1,
        source: "",
        generics: &[],
        params: leak(params.collect()),
        ret: ir::Ty::Tuple(leak(kernels.iter().map(returned).collect())),
        locals: leak(names.clone()),
        body: ir::Block {
            stmts: leak(stmts),
            value: Some(expr(ExprKind::Tuple(leak(values)))),
        },
    };
    (Box::leak(Box::new(kernel)), columns)
}

/// The bits of each part of a value.
fn words_of(ty: &Ty, of: E, out: &mut Vec<E>) {
    let method = |name, of, args| expr(ExprKind::Method(name, of, leak(args)));
    match ty {
        Ty::Lane(Prim::F64) => out.push(method("to_bits", of, vec![])),
        Ty::Lane(Prim::F32) => {
            out.push(method("to_i64", method("to_bits", of, vec![]), vec![]));
        }
        Ty::Lane(Prim::I64) => out.push(of),
        Ty::Lane(Prim::I32) => out.push(method("to_i64", of, vec![])),
        Ty::Lane(Prim::Mask) => {
            let number = |n| at(ExprKind::Const(Const::I64(n)));
            out.push(method("select", of, vec![number(1), number(0)]));
        }
        Ty::Dd => {
            for n in 0..2 {
                let part = expr(ExprKind::Field(of, n));
                words_of(&Ty::Lane(Prim::F64), part, out);
            }
        }
        Ty::Tuple(items) => {
            for (n, item) in (0..).zip(items) {
                words_of(item, expr(ExprKind::Field(of, n)), out);
            }
        }
        Ty::Index | Ty::Bool | Ty::Table(_) => {}
    }
}

/// One word of two: the first rotated, lest equal differences cancel.
fn mixed(a: E, b: E) -> E {
    let bits = |n| at(ExprKind::Int(n));
    let left = expr(ExprKind::Binary(BinOp::Shl, a, expr(ExprKind::Int(9))));
    let right = expr(ExprKind::Method("shr_logical", a, leak(vec![bits(55)])));
    let rotated = expr(ExprKind::Binary(BinOp::Or, left, right));
    expr(ExprKind::Binary(BinOp::Xor, rotated, b))
}
