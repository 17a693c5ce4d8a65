//! A plain function as a tree with types. Its control flow is still Rust's: `exits` and `print` turn it into that of lanes.

use super::types::Var;
use proc_macro2::{Ident, Span};

/// The index of a local.
pub(crate) type Local = usize;

pub(crate) struct LocalInfo {
    pub ty: Var,
    pub kind: LocalKind,
    /// Something assigns it, or it is declared without a value.
    pub assigned: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LocalKind {
    Variable,
    /// The counter of a loop, which is known when the kernel is lowered.
    Counter,
    /// A table among the parameters; the type is that of its elements.
    Table,
}

pub(crate) struct Block {
    pub stmts: Vec<Stmt>,
    pub value: Option<Box<Expr>>,
    pub ty: Var,
}

pub(crate) enum Stmt {
    Let {
        pat: Pat,
        ty: Var,
        /// The type that is written, if there is one.
        init: Option<Expr>,
        span: Span,
    },
    Expr(Expr),
    /// An array of constants.
    Table {
        name: Ident,
        elem: Var,
        entries: syn::ExprArray,
        local: Local,
    },
}

pub(crate) enum Pat {
    Name(Local, Ident),
    Wild,
    Tuple(Vec<Pat>),
    /// Printed as it is: an error of the kernel's parser.
    Other(syn::Pat),
}

pub(crate) struct Expr {
    pub kind: Kind,
    pub ty: Var,
    pub span: Span,
}

/// An array that can be indexed.
#[derive(Clone)]
pub(crate) enum Table {
    /// A parameter, or an array of the function.
    Local(Local, Ident),
    Path(syn::ExprPath),
}

pub(crate) enum Kind {
    Float(String),
    Int(i128),
    Bool(bool),
    Local(Local, Ident),
    /// A constant.
    Path(syn::ExprPath),
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Binary(syn::BinOp, Box<Expr>, Box<Expr>),
    Cast(Box<Expr>, Box<syn::Type>),
    Method(Box<Expr>, Ident, Vec<Expr>),
    FromBits(Box<Expr>),
    Call(syn::ExprPath, Vec<Expr>),
    /// A table that is passed on.
    TableArg(syn::Expr),
    Index(Table, Box<Expr>),
    Len(Table),
    Tuple(Vec<Expr>),
    Field(Box<Expr>, syn::Member),
    If(Box<Expr>, Block, Option<Block>),
    Block(Block),
    Assign(Target, Box<Expr>),
    For {
        counter: Option<(Local, Ident)>,
        range: Range,
        body: Block,
    },
    /// `while`, and `loop` without a condition, for so many times at most.
    Loop(Option<Box<Expr>>, Block, u32),
    Return(Option<Box<Expr>>),
    Break,
    Continue,
    /// Printed as it is: an error of the kernel's parser.
    Other(Box<syn::Expr>),
}

/// The left side of an assignment.
pub(crate) enum Target {
    Local(Ident),
    Tuple(Vec<Target>),
    Wild,
    Other(syn::Expr),
}

pub(crate) struct Range {
    pub start: Box<Expr>,
    pub end: Box<Expr>,
    pub inclusive: bool,
    pub rev: bool,
    pub step: Option<Box<Expr>>,
}

impl Expr {
    pub(crate) fn is_literal(&self) -> bool {
        matches!(self.kind, Kind::Int(_) | Kind::Float(_))
    }
}
