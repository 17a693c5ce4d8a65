//! Handmade trees for tests, as `#[crunch]` would write them for a function on one line.

use crate::ir::{
    Adaptor, BinOp, Block, Const, Elem, Expr, ExprKind, Kernel, Length, Loc, Param, Pat, Range,
    Stmt, Table, Ty, UnOp,
};

/// Expressions are leaked: a kernel is `'static`.
pub(crate) type E = &'static Expr;

fn leak<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

/// An expression on line 0, the line of a handmade tree unless another is given.
pub(crate) fn e(kind: ExprKind) -> E {
    at(0, kind)
}
pub(crate) fn at(line: u32, kind: ExprKind) -> E {
    Box::leak(Box::new(Expr {
        kind,
        loc: Loc { line, col: 1 },
    }))
}
pub(crate) fn l(local: u32) -> E {
    e(ExprKind::Local(local))
}
#[expect(
    clippy::cast_possible_truncation,
    reason = "the macro reads the literal at both precisions"
)]
pub(crate) fn f(x: f64) -> E {
    e(ExprKind::Float(x, x as f32))
}
pub(crate) fn i(n: i128) -> E {
    e(ExprKind::Int(n))
}
pub(crate) fn k(constant: Const) -> E {
    e(ExprKind::Const(constant))
}
pub(crate) fn table(t: &'static [f64]) -> E {
    k(Const::Table(Table::F64(t)))
}
pub(crate) fn bin(op: BinOp, a: E, b: E) -> E {
    e(ExprKind::Binary(op, a, b))
}
pub(crate) fn add(a: E, b: E) -> E {
    bin(BinOp::Add, a, b)
}
pub(crate) fn mul(a: E, b: E) -> E {
    bin(BinOp::Mul, a, b)
}
pub(crate) fn lt(a: E, b: E) -> E {
    bin(BinOp::Lt, a, b)
}
pub(crate) fn un(op: UnOp, a: E) -> E {
    e(ExprKind::Unary(op, a))
}
pub(crate) fn method(name: &'static str, recv: E, args: &[E]) -> E {
    e(ExprKind::Method(name, recv, exprs(args)))
}
pub(crate) fn call(kernel: &'static Kernel, args: &[E]) -> E {
    e(ExprKind::Call(kernel, exprs(args)))
}
pub(crate) fn index(t: E, n: E) -> E {
    e(ExprKind::Index(t, n))
}
pub(crate) fn tuple(items: &[E]) -> E {
    e(ExprKind::Tuple(exprs(items)))
}
pub(crate) fn field(of: E, n: u32) -> E {
    e(ExprKind::Field(of, n))
}
pub(crate) fn iff(c: E, t: Block, o: Option<Block>) -> E {
    e(ExprKind::If(c, t, o))
}
pub(crate) fn exprs(items: &[E]) -> &'static [Expr] {
    leak(items.iter().map(|&&x| x).collect())
}
pub(crate) fn block(stmts: Vec<Stmt>, value: Option<E>) -> Block {
    Block {
        stmts: leak(stmts),
        value,
    }
}
pub(crate) fn value(x: E) -> Block {
    block(vec![], Some(x))
}
pub(crate) fn let_(local: u32, x: E) -> Stmt {
    Stmt::Let(Pat::Local(local), None, x)
}
pub(crate) fn let_ty(local: u32, ty: Ty, x: E) -> Stmt {
    Stmt::Let(Pat::Local(local), Some(ty), x)
}
pub(crate) fn set(local: u32, x: E) -> Stmt {
    Stmt::Assign(local, x)
}
pub(crate) fn for_(counter: u32, range: Range, body: Vec<Stmt>) -> Stmt {
    Stmt::For(counter, range, block(body, None), Loc { line: 0, col: 1 })
}
pub(crate) fn range(start: E, end: E, inclusive: bool, adaptors: Vec<Adaptor>) -> Range {
    Range {
        start,
        end,
        inclusive,
        adaptors: leak(adaptors),
    }
}

/// A kernel; locals `params` come first in `locals`. The body is on line 3 unless its expressions have a line.
pub(crate) fn kernel(
    name: &'static str,
    params: &[(&'static str, Ty)],
    ret: Ty,
    locals: &[&'static str],
    body: Block,
) -> &'static Kernel {
    Box::leak(Box::new(Kernel {
        name,
        module: "tests",
        file: "src/tests.rs",
        line: 3,
        source: "",
        generics: &[],
        params: leak(
            params
                .iter()
                .map(|&(name, ty)| Param {
                    name,
                    ty,
                    length: Length::ANY,
                })
                .collect(),
        ),
        ret,
        locals: leak(
            params
                .iter()
                .map(|p| p.0)
                .chain(locals.iter().copied())
                .collect(),
        ),
        body,
    }))
}

/// A table parameter of doubles.
pub(crate) const TABLE: Ty = Ty::Table(Elem::F64);
