//! The tree that `#[crunch]` would write for the Rust source of a unit: what interpreter and emitters are given, with no
//! compiler between. That it is the same is checked where the Rust source is compiled ([`crate::cpu`]).
//!
//! Trees are `'static`, so they are leaked; a process makes a few thousand of them and ends ([`crate::run`]).

use std::collections::HashMap;

use kernels_gen::ir::{
    self, Adaptor, BinOp, Const, Elem, ExprKind, Kernel, Length, Loc, Pat as IrPat, UnOp,
};
use kernels_gen::ops::Prim;

use crate::ast::{
    Block, Callee, ConstValue, Expr, Func, Kind, LIBRARY, Pat, Range, Stmt, Ty, Unit,
};

type E = &'static ir::Expr;

fn leak<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

fn leak_str(text: &str) -> &'static str {
    Box::leak(text.to_string().into_boxed_str())
}

/// An expression without a place.
#[must_use]
pub fn expr(kind: ExprKind) -> E {
    Box::leak(Box::new(at(kind)))
}

fn at(kind: ExprKind) -> ir::Expr {
    ir::Expr {
        kind,
        loc: Loc { line: 1, col: 1 },
    }
}

/// The unit's tree.
#[must_use]
pub fn kernel(unit: &Unit) -> &'static Kernel {
    let mut trees = Trees {
        unit,
        made: HashMap::new(),
    };
    trees.func(unit.funcs.len() - 1, None)
}

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

fn ty(ty: &Ty) -> ir::Ty {
    match ty {
        Ty::Lane(Prim::F64) => ir::Ty::F64,
        Ty::Lane(Prim::F32) => ir::Ty::F32,
        Ty::Lane(Prim::I64) => ir::Ty::I64,
        Ty::Lane(Prim::I32) => ir::Ty::I32,
        Ty::Lane(Prim::Mask) => ir::Ty::Mask,
        Ty::Dd => ir::Ty::Dd,
        Ty::Tuple(items) => ir::Ty::Tuple(leak(items.iter().map(self::ty).collect())),
        Ty::Table(elem) => ir::Ty::Table(*elem),
        Ty::Index | Ty::Bool => ir::Ty::Tuple(&[]),
    }
}

struct Trees<'a> {
    unit: &'a Unit,
    /// By function and const generic.
    made: HashMap<(usize, Option<usize>), &'static Kernel>,
}

impl Trees<'_> {
    fn func(&mut self, number: usize, generic: Option<usize>) -> &'static Kernel {
        if let Some(made) = self.made.get(&(number, generic)) {
            return made;
        }
        let func = &self.unit.funcs[number];
        let params = func.params.iter().map(|p| ir::Param {
            name: leak_str(&func.locals[p.local].name),
            ty: ty(&func.locals[p.local].ty),
            length: Length::ANY,
        });
        let kernel = Kernel {
            name: leak_str(&func.name),
            module: "random",
            file: "random.rs",
            line: 10 * (number as u32 + 1),
            source: "",
            generics: match generic {
                Some(n) => leak(vec![("N", Const::Usize(n))]),
                None => &[],
            },
            params: leak(params.collect()),
            ret: ty(&func.ret),
            locals: leak(func.locals.iter().map(|l| leak_str(&l.name)).collect()),
            body: self.block(func, generic, &func.body),
        };
        let kernel = Box::leak(Box::new(kernel));
        self.made.insert((number, generic), kernel);
        kernel
    }

    fn block(&mut self, func: &Func, generic: Option<usize>, block: &Block) -> ir::Block {
        ir::Block {
            stmts: leak(
                block
                    .stmts
                    .iter()
                    .map(|s| self.stmt(func, generic, s))
                    .collect(),
            ),
            value: block.value.as_ref().map(|v| self.expr(func, generic, v)),
        }
    }

    fn stmt(&mut self, func: &Func, generic: Option<usize>, stmt: &Stmt) -> ir::Stmt {
        match stmt {
            Stmt::Let(pat, annotated, value) => ir::Stmt::Let(
                pattern(pat),
                annotated.then(|| ty(&value.ty)),
                self.expr(func, generic, value),
            ),
            Stmt::Assign(local, value) => {
                ir::Stmt::Assign(*local as u32, self.expr(func, generic, value))
            }
            Stmt::If(cond, then, otherwise) => {
                let cond = self.expr(func, generic, cond);
                let then = self.block(func, generic, then);
                let otherwise = otherwise.as_ref().map(|b| self.block(func, generic, b));
                ir::Stmt::Expr(expr(ExprKind::If(cond, then, otherwise)))
            }
            Stmt::For(counter, range, body) => ir::Stmt::For(
                *counter as u32,
                self.range(func, generic, range),
                self.block(func, generic, body),
                Loc { line: 1, col: 1 },
            ),
        }
    }

    fn range(&mut self, func: &Func, generic: Option<usize>, range: &Range) -> ir::Range {
        let mut adaptors = Vec::new();
        if range.rev {
            adaptors.push(Adaptor::Rev);
        }
        if let Some(step) = range.step {
            adaptors.push(Adaptor::StepBy(expr(ExprKind::Int(step as i128))));
        }
        ir::Range {
            start: self.expr(func, generic, &range.start),
            end: self.expr(func, generic, &range.end),
            inclusive: range.inclusive,
            adaptors: leak(adaptors),
        }
    }

    fn exprs(
        &mut self,
        func: &Func,
        generic: Option<usize>,
        exprs: &[Expr],
    ) -> &'static [ir::Expr] {
        leak(exprs.iter().map(|e| *self.expr(func, generic, e)).collect())
    }

    fn expr(&mut self, func: &Func, generic: Option<usize>, e: &Expr) -> E {
        let mut sub = |x: &Expr| self.expr(func, generic, x);
        expr(match &e.kind {
            Kind::Local(n) => ExprKind::Local(*n as u32),
            Kind::Float(x) => float(*x),
            Kind::Int(n) => int(*n),
            Kind::Const(n) => ExprKind::Const(constant(self.unit.consts[*n].value)),
            Kind::Table(n) => ExprKind::Const(Const::Table(table(
                self.unit.tables[*n].elem,
                &self.unit.tables[*n].bits,
            ))),
            Kind::Generic => ExprKind::Const(Const::Usize(generic.unwrap_or(0))),
            Kind::Unary(op, a) => ExprKind::Unary(*op, sub(a)),
            Kind::Binary(op, a, b) => ExprKind::Binary(*op, sub(a), sub(b)),
            Kind::Method(name, receiver, args) => {
                let receiver = sub(receiver);
                ExprKind::Method(name, receiver, self.exprs(func, generic, args))
            }
            Kind::FromBits(bits) => ExprKind::Assoc(ty(&e.ty), "from_bits", leak(vec![*sub(bits)])),
            Kind::NewDd(hi, lo) => {
                ExprKind::Assoc(ir::Ty::Dd, "new", leak(vec![*sub(hi), *sub(lo)]))
            }
            Kind::Call(callee, args) => {
                let args = self.exprs(func, generic, args);
                ExprKind::Call(
                    match callee {
                        Callee::Own(n, generic) => self.func(*n, *generic),
                        Callee::Library(n) => LIBRARY[*n],
                    },
                    args,
                )
            }
            Kind::Load(of, index) => ExprKind::Index(sub(of), sub(index)),
            Kind::Len(of) => ExprKind::Len(sub(of)),
            Kind::Tuple(items) => ExprKind::Tuple(self.exprs(func, generic, items)),
            Kind::Field(of, n) => ExprKind::Field(sub(of), *n),
            Kind::If(cond, then, otherwise) => ExprKind::If(
                sub(cond),
                self.block(func, generic, then),
                Some(self.block(func, generic, otherwise)),
            ),
            Kind::Block(block) => ExprKind::Block(self.block(func, generic, block)),
        })
    }
}

fn pattern(pat: &Pat) -> IrPat {
    match pat {
        Pat::Local(n) => IrPat::Local(*n as u32),
        Pat::Wild => IrPat::Wild,
        Pat::Tuple(items) => IrPat::Tuple(leak(items.iter().map(pattern).collect())),
    }
}

/// A literal as the macro reads it: too large for `DcFloat`, it is a `DcDouble`.
fn float(x: f64) -> ExprKind {
    let narrow: f32 = format!("{x:?}").parse().unwrap_or(f32::INFINITY);
    if narrow.is_finite() {
        ExprKind::Float(x, narrow)
    } else {
        ExprKind::Const(Const::F64(x))
    }
}

/// What does not fit 32 bits is a `DcLong`.
fn int(n: i128) -> ExprKind {
    if (i128::from(i32::MIN)..=i128::from(u32::MAX)).contains(&n) {
        ExprKind::Int(n)
    } else {
        ExprKind::Const(match i64::try_from(n) {
            Ok(n) => Const::I64(n),
            Err(_) => Const::U64(n as u64),
        })
    }
}

fn constant(value: ConstValue) -> Const {
    match value {
        ConstValue::Number(Elem::F64, bits) => Const::F64(f64::from_bits(bits)),
        ConstValue::Number(Elem::F32, bits) => Const::F32(f32::from_bits(bits as u32)),
        ConstValue::Number(Elem::I64, bits) => Const::I64(bits as i64),
        ConstValue::Number(Elem::U64, bits) => Const::U64(bits),
        ConstValue::Number(Elem::I32, bits) => Const::I32(bits as u32 as i32),
        ConstValue::Number(Elem::U32, bits) => Const::U32(bits as u32),
        ConstValue::Usize(n) => Const::Usize(n),
        ConstValue::Bool(b) => Const::Bool(b),
    }
}

fn table(elem: Elem, bits: &[u64]) -> ir::Table {
    let narrow = || bits.iter().map(|&b| b as u32);
    match elem {
        Elem::F64 => ir::Table::F64(leak(bits.iter().map(|&b| f64::from_bits(b)).collect())),
        Elem::F32 => ir::Table::F32(leak(narrow().map(f32::from_bits).collect())),
        Elem::I64 => ir::Table::I64(leak(bits.iter().map(|&b| b as i64).collect())),
        Elem::U64 => ir::Table::U64(leak(bits.to_vec())),
        Elem::I32 => ir::Table::I32(leak(narrow().map(|b| b as i32).collect())),
        Elem::U32 => ir::Table::U32(leak(narrow().collect())),
    }
}

/// Every operator on lanes.
pub const OPERATORS: [BinOp; 17] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::Div,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::Shr,
    BinOp::Lt,
    BinOp::Le,
    BinOp::Gt,
    BinOp::Ge,
    BinOp::Eq,
    BinOp::Ne,
    BinOp::AndAlso,
    BinOp::OrElse,
];

/// How a unary operator is written.
#[must_use]
pub fn unary_symbol(op: UnOp) -> &'static str {
    match op {
        UnOp::Neg => "-",
        UnOp::Not => "!",
    }
}
