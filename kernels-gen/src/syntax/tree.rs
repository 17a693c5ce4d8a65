//! The tree that `#[crunch]` would write for the Rust source of a unit. Interpreter and emitters get it without a compiler. The package
//! `random-kernels`, which compiles the Rust source, checks that both trees are equal.
//!
//! Trees are `'static`, so they are leaked. A process makes at most a few thousand of them.

use std::collections::HashMap;

use crate::ir::{
    self, Adaptor, BinOp, Const, Elem, ExprKind, Kernel, Length, Loc, Pat as IrPat, UnOp,
};
use crate::ops::Prim;

use super::{Block, Callee, ConstValue, Expr, Func, Kind, Pat, Range, Stmt, Ty, Unit};

type E = &'static ir::Expr;

/// Data that lives as long as the process.
#[must_use]
pub fn leak<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

/// A text that lives as long as the process.
#[must_use]
pub fn leak_str(text: &str) -> &'static str {
    Box::leak(text.to_string().into_boxed_str())
}

/// An expression without a place.
#[must_use]
pub fn expr(kind: ExprKind) -> E {
    Box::leak(Box::new(at(kind)))
}

/// An expression by value, without a place.
#[must_use]
pub fn at(kind: ExprKind) -> ir::Expr {
    ir::Expr { kind, loc: PLACE }
}

/// The place of a construct that has no line.
const PLACE: Loc = Loc { line: 1, col: 1 };

/// The unit's tree.
#[must_use]
pub fn kernel(unit: &Unit) -> &'static Kernel {
    let mut trees = Trees {
        unit,
        made: HashMap::new(),
        place: PLACE,
    };
    trees.func(unit.funcs.len() - 1, None)
}

/// A type of the tree.
#[must_use]
pub fn ty(ty: &Ty) -> ir::Ty {
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
    /// The place of the statement that is being turned into a tree.
    place: Loc,
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
            module: leak_str(&self.unit.module),
            file: leak_str(&self.unit.file),
            line: func.line,
            source: leak_str(&func.text),
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
        self.place = PLACE;
        if let Stmt::Let(Pat::Local(n), ..) = stmt
            && func.locals[*n].line > 0
        {
            let line = func.locals[*n].line;
            self.place = Loc { line, col: 0 };
        }
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
        let loc = self.place;
        let kind = self.kind(func, generic, e);
        Box::leak(Box::new(ir::Expr { kind, loc }))
    }

    fn kind(&mut self, func: &Func, generic: Option<usize>, e: &Expr) -> ExprKind {
        let mut sub = |x: &Expr| self.expr(func, generic, x);
        match &e.kind {
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
                        Callee::Library(n) => self.unit.library[*n],
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
        }
    }
}

fn pattern(pat: &Pat) -> IrPat {
    match pat {
        Pat::Local(n) => IrPat::Local(*n as u32),
        Pat::Wild => IrPat::Wild,
        Pat::Tuple(items) => IrPat::Tuple(leak(items.iter().map(pattern).collect())),
    }
}

/// A literal as the macro reads it. If it is too large for `DcFloat`, it is a `DcDouble`.
fn float(x: f64) -> ExprKind {
    let narrow: f32 = format!("{x:?}").parse().unwrap_or(f32::INFINITY);
    if narrow.is_finite() {
        ExprKind::Float(x, narrow)
    } else {
        ExprKind::Const(Const::F64(x))
    }
}

/// An integer that does not fit 32 bits is a `DcLong`.
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

/// The symbol of a unary operator.
#[must_use]
pub fn unary_symbol(op: UnOp) -> &'static str {
    match op {
        UnOp::Neg => "-",
        UnOp::Not => "!",
    }
}
