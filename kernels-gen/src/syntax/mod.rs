//! A kernel as owned syntax, made by generators and lifters. Two forms are made from it: Rust source with `#[crunch]` ([`source()`]), and
//! the tree that the macro would write for this source ([`tree::kernel`]), which is lowered without a compiler. Both have the same
//! identity.
//!
//! Every expression knows its type, so a part can be replaced by another part of the same type. Locals are numbers. Their names may shadow
//! each other, as in Rust.

mod source;
pub mod tree;
pub mod visit;

pub use source::{source, type_name};

use crate::ir::{BinOp, Elem, Kernel, UnOp};
use crate::ops::Prim;

/// A kernel, its helpers, and the constants outside them.
#[derive(Debug, Clone, Default)]
pub struct Unit {
    /// The path of its module, for reports.
    pub module: String,
    /// The file to which line numbers refer, for reports.
    pub file: String,
    /// Lines of a comment at the head of the source.
    pub head: Vec<String>,
    /// Kernels that are already compiled, which [`Callee::Library`] calls. Their names are in the prelude.
    pub library: &'static [&'static Kernel],
    /// Callees before callers; the last is the kernel itself.
    pub funcs: Vec<Func>,
    /// Outer tables.
    pub tables: Vec<Table>,
    /// Outer constants.
    pub consts: Vec<Const>,
}

/// A type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Ty {
    /// Lanes.
    Lane(Prim),
    /// `DcDoubleDouble`
    Dd,
    /// A tuple of the others.
    Tuple(Vec<Ty>),
    /// `usize`, known when the kernel is lowered.
    Index,
    /// `bool`, known when the kernel is lowered.
    Bool,
    /// A table.
    Table(Elem),
}

/// An outer table.
#[derive(Debug, Clone)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The source of its elements.
    pub elem: Elem,
    /// Its elements.
    pub bits: Vec<u64>,
    /// `static`, else `const`.
    pub is_static: bool,
}

/// An outer constant.
#[derive(Debug, Clone)]
pub struct Const {
    /// Its name.
    pub name: String,
    /// Its type and value.
    pub value: ConstValue,
}

/// Type and value of an outer constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstValue {
    /// Bits of a number of that type; 32-bit ones zero-extended.
    Number(Elem, u64),
    /// An index value.
    Usize(usize),
    /// A condition.
    Bool(bool),
}

/// One function.
#[derive(Debug, Clone)]
pub struct Func {
    /// Its name.
    pub name: String,
    /// Lines of its documentation.
    pub doc: Vec<String>,
    /// Line of its head in [`Unit::file`], from 1.
    pub line: u32,
    /// The text from which it was made, for reports, or empty.
    pub text: String,
    /// Whether it has the const generic `N`, a `usize`.
    pub generic: bool,
    /// Its parameters: the first locals.
    pub params: Vec<Param>,
    /// Its return type.
    pub ret: Ty,
    /// All locals, parameters first.
    pub locals: Vec<Local>,
    /// Its body, which has a value.
    pub body: Block,
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Param {
    /// The local.
    pub local: usize,
    /// The columns of inputs that it gets when it is run, one per flattened word. Empty if it is not run.
    pub columns: Vec<usize>,
}

/// A local variable or loop counter.
#[derive(Debug, Clone)]
pub struct Local {
    /// Its name. Other locals may have the same name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// The line of [`Unit::file`] from which it comes, or 0.
    pub line: u32,
}

impl Local {
    /// A local without a line.
    #[must_use]
    pub fn new(name: impl Into<String>, ty: Ty) -> Self {
        Local {
            name: name.into(),
            ty,
            line: 0,
        }
    }
}

/// `{ stmts; value }`
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// Statements.
    pub stmts: Vec<Stmt>,
    /// Its value, if it has one.
    pub value: Option<Box<Expr>>,
}

/// A statement.
#[derive(Debug, Clone)]
pub enum Stmt {
    /// `let PAT: TY = VALUE;`, with the type only if requested.
    Let(Pat, bool, Expr),
    /// `LOCAL = VALUE;`
    Assign(usize, Expr),
    /// `if COND { … } else { … }` for its assignments.
    If(Expr, Block, Option<Block>),
    /// A loop.
    For(usize, Range, Block),
}

/// The pattern of a `let`.
#[derive(Debug, Clone)]
pub enum Pat {
    /// A name.
    Local(usize),
    /// `_`
    Wild,
    /// `(a, _, b)`
    Tuple(Vec<Pat>),
}

/// `(start..end).rev().step_by(step)`. Absent parts are not written.
#[derive(Debug, Clone)]
pub struct Range {
    /// First value.
    pub start: Expr,
    /// Last value, exclusive unless `inclusive`.
    pub end: Expr,
    /// `..=`
    pub inclusive: bool,
    /// `.rev()`
    pub rev: bool,
    /// `.step_by(n)`, after `.rev()`.
    pub step: Option<usize>,
}

/// An expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// Its type.
    pub ty: Ty,
    /// Its form.
    pub kind: Kind,
}

/// The callee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    /// A function of the unit, with its const generic if it has one.
    Own(usize, Option<usize>),
    /// One of [`Unit::library`].
    Library(usize),
}

/// The forms of an expression.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A local.
    Local(usize),
    /// A float literal. It needs another operand with a known type.
    Float(f64),
    /// An integer literal. It needs another operand with a known type, or is an index.
    Int(i128),
    /// An outer constant.
    Const(usize),
    /// An outer table, as an argument or before `[…]`.
    Table(usize),
    /// The const generic `N`.
    Generic,
    /// A unary operator.
    Unary(UnOp, Box<Expr>),
    /// A binary operator.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// A method.
    Method(&'static str, Box<Expr>, Vec<Expr>),
    /// `DcX::from_bits(…)`
    FromBits(Box<Expr>),
    /// `DcDoubleDouble::new(hi, lo)`
    NewDd(Box<Expr>, Box<Expr>),
    /// A call.
    Call(Callee, Vec<Expr>),
    /// `table[index]`
    Load(Box<Expr>, Box<Expr>),
    /// `table.len()`
    Len(Box<Expr>),
    /// A tuple.
    Tuple(Vec<Expr>),
    /// `.0`, `.hi`, …
    Field(Box<Expr>, u32),
    /// `if`, with a value in both arms.
    If(Box<Expr>, Block, Block),
    /// `{ … }`
    Block(Block),
}

impl Ty {
    /// Appends the lane types of which it consists.
    pub fn flatten(&self, out: &mut Vec<Prim>) {
        match self {
            Ty::Lane(p) => out.push(*p),
            Ty::Dd => out.extend([Prim::F64; 2]),
            Ty::Tuple(items) => items.iter().for_each(|t| t.flatten(out)),
            Ty::Index | Ty::Bool | Ty::Table(_) => {}
        }
    }
    /// The lane types of which it consists.
    #[must_use]
    pub fn prims(&self) -> Vec<Prim> {
        let mut out = Vec::new();
        self.flatten(&mut out);
        out
    }
    /// Whether its values are lanes, or consist of lanes.
    #[must_use]
    pub fn is_lanes(&self) -> bool {
        matches!(self, Ty::Lane(_) | Ty::Dd | Ty::Tuple(_))
    }
}

/// The lane type of a table's or constant's elements.
#[must_use]
pub fn lane(elem: Elem) -> Prim {
    match elem {
        Elem::F64 => Prim::F64,
        Elem::F32 => Prim::F32,
        Elem::I64 | Elem::U64 => Prim::I64,
        Elem::I32 | Elem::U32 => Prim::I32,
    }
}

impl Expr {
    /// An expression of that type.
    #[must_use]
    pub fn new(ty: Ty, kind: Kind) -> Self {
        Expr { ty, kind }
    }
    /// Whether its type is known only from its context.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        matches!(self.kind, Kind::Float(_) | Kind::Int(_))
    }
}

impl Unit {
    /// The kernel itself.
    ///
    /// # Panics
    /// If there is no function.
    #[must_use]
    pub fn entry(&self) -> &Func {
        self.funcs.last().expect("a unit has a kernel")
    }
    /// The columns of inputs that the kernel gets, in order.
    #[must_use]
    pub fn columns(&self) -> Vec<usize> {
        self.entry()
            .params
            .iter()
            .flat_map(|p| p.columns.iter().copied())
            .collect()
    }
}

/// A type of the IR's tree.
#[must_use]
pub fn of_ir(ty: crate::ir::Ty) -> Ty {
    use crate::ir::Ty as Ir;
    match ty {
        Ir::F64 => Ty::Lane(Prim::F64),
        Ir::F32 | Ir::Half | Ir::Bfloat => Ty::Lane(Prim::F32),
        Ir::I64 => Ty::Lane(Prim::I64),
        Ir::I32 => Ty::Lane(Prim::I32),
        Ir::Mask => Ty::Lane(Prim::Mask),
        Ir::Dd => Ty::Dd,
        Ir::Tuple(items) => Ty::Tuple(items.iter().map(|&t| of_ir(t)).collect()),
        Ir::Table(elem) => Ty::Table(elem),
    }
}
