//! A plain function as a tree with types. Its control flow is still Rust's: `exits` and `print` convert it to that of lanes.

use super::types::Var;
use proc_macro2::{Ident, Span};

/// The index of a local.
pub(crate) type Local = usize;

pub(crate) struct LocalInfo {
    pub ty: Var,
    pub kind: LocalKind,
    /// Its name in the kernel, if that differs.
    pub renamed: Option<Ident>,
    /// The number of entries of a table, if it is known.
    pub entries: Option<usize>,
    /// Whether something assigns it, or it is declared without a value.
    pub assigned: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LocalKind {
    Variable,
    /// The counter of a loop, which is known when the kernel is lowered.
    Counter,
    /// A table parameter; the type is that of its elements.
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
        /// The written type, if there is one.
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
    /// Printed unchanged, for an error of the kernel's parser.
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
    /// A tuple, an array or a structure of these parts.
    Tuple(Vec<Expr>),
    /// One of several parts: the value, the part's index, and the number of parts.
    Part(Box<Expr>, usize, usize),
    /// An element of an array of lanes.
    At(Box<Expr>, Box<Expr>),
    /// A part of a value whose type only rustc knows.
    Field(Box<Expr>, syn::Member),
    /// An arbitrary value.
    Zero,
    If(Box<Expr>, Block, Option<Block>),
    Block(Block),
    Assign(Target, Box<Expr>),
    For {
        counter: Option<(Local, Ident)>,
        range: Range,
        body: Block,
        id: LoopId,
    },
    /// `while`, and `loop` without a condition, for at most this many iterations.
    Loop(Option<Box<Expr>>, Block, u32, LoopId),
    Return(Option<Box<Expr>>),
    Break(LoopId),
    Continue(LoopId),
    /// A method of a type, which has no kernel.
    NoMethod(String, Ident),
    /// Printed unchanged, for an error of the kernel's parser.
    Other(Box<syn::Expr>),
}

/// The number of a loop in its function.
pub(crate) type LoopId = usize;

/// The left side of an assignment.
pub(crate) enum Target {
    Local(Ident),
    /// A part of a variable.
    Place(Local, Ident, Vec<Step>),
    Tuple(Vec<Target>),
    Wild,
    Other(syn::Expr),
}

/// A step from a value to one of its parts.
pub(crate) enum Step {
    Part(usize),
    At(Expr),
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

    /// The expressions and blocks that it consists of.
    pub(crate) fn inside(&self) -> (Vec<&Expr>, Vec<&Block>) {
        let mut blocks = Vec::new();
        let exprs = match &self.kind {
            Kind::Float(_)
            | Kind::Int(_)
            | Kind::Bool(_)
            | Kind::Local(..)
            | Kind::Path(_)
            | Kind::TableArg(_)
            | Kind::Len(_)
            | Kind::Zero
            | Kind::Break(_)
            | Kind::Continue(_)
            | Kind::NoMethod(..)
            | Kind::Other(_) => Vec::new(),
            Kind::Neg(a)
            | Kind::Not(a)
            | Kind::Cast(a, _)
            | Kind::FromBits(a)
            | Kind::Index(_, a)
            | Kind::Part(a, ..)
            | Kind::Field(a, _) => vec![&**a],
            Kind::Assign(target, a) => {
                let mut all = vec![&**a];
                all.extend(target.indices());
                all
            }
            Kind::Binary(_, a, b) | Kind::At(a, b) => vec![&**a, &**b],
            Kind::Method(a, _, args) => {
                let receiver: &Expr = a;
                std::iter::once(receiver).chain(args).collect()
            }
            Kind::Call(_, args) | Kind::Tuple(args) => args.iter().collect(),
            Kind::If(cond, then, otherwise) => {
                blocks.push(then);
                blocks.extend(otherwise);
                vec![&**cond]
            }
            Kind::Block(block) => {
                blocks.push(block);
                Vec::new()
            }
            Kind::For { body, range, .. } => {
                blocks.push(body);
                let bounds = [&range.start, &range.end].into_iter().chain(&range.step);
                bounds.map(|e| &**e).collect()
            }
            Kind::Loop(cond, body, ..) => {
                blocks.push(body);
                cond.iter().map(|e| &**e).collect()
            }
            Kind::Return(value) => value.iter().map(|e| &**e).collect(),
        };
        (exprs, blocks)
    }

    /// Whether an element of an array of lanes is read or written.
    pub(crate) fn indexes(&self) -> bool {
        let own = match &self.kind {
            Kind::At(..) => true,
            Kind::Assign(target, _) => !target.indices().is_empty(),
            _ => false,
        };
        let (exprs, blocks) = self.inside();
        own || exprs.iter().any(|e| e.indexes()) || blocks.iter().any(|b| b.indexes())
    }
}

impl Block {
    /// The expressions of its statements, and its value.
    pub(crate) fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let stmts = self.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Let { init, .. } => init.as_ref(),
            Stmt::Expr(e) => Some(e),
            Stmt::Table { .. } => None,
        });
        stmts.chain(self.value.as_deref())
    }
    pub(crate) fn indexes(&self) -> bool {
        self.exprs().any(Expr::indexes)
    }
}

impl Target {
    /// The indices of its places.
    fn indices(&self) -> Vec<&Expr> {
        match self {
            Target::Place(_, _, steps) => {
                let at = steps.iter().filter_map(|step| match step {
                    Step::At(index) => Some(index),
                    Step::Part(_) => None,
                });
                at.collect()
            }
            Target::Tuple(items) => items.iter().flat_map(Target::indices).collect(),
            _ => Vec::new(),
        }
    }
}
