//! A kernel that has passed all checks, in the form that the generators print.
//!
//! The tree is that of `kernels_gen::ir`, with the user's tokens still attached.

use kernels_gen::ir::{BinOp, Elem, UnOp};
use proc_macro2::{Ident, Span};

/// A function as a kernel.
pub(crate) struct Kernel {
    pub attrs: Attrs,
    pub vis: syn::Visibility,
    pub fn_token: syn::Token![fn],
    pub name: Ident,
    pub generics: Vec<ConstGeneric>,
    pub params: Vec<Param>,
    pub ret: Ty,
    pub locals: Vec<LocalInfo>,
    pub body: Block,
    /// The constants declared at the top of the body, as written: both expansions repeat them.
    pub consts: Vec<syn::Item>,
    /// `#[crunch(step)]`: evaluated unit by unit.
    pub step: bool,
    /// `#[crunch(instruction = path)]`: a function that computes the result on instruction sets with an instruction for it.
    pub instruction: Option<syn::Path>,
    /// The plain function from which the kernel is made, as written.
    pub plain: Option<Plain>,
    /// The source text.
    pub source: String,
}

/// The plain function from which a kernel is made.
pub(crate) struct Plain {
    /// As written.
    pub item: proc_macro2::TokenStream,
    /// Its call, if it is safe to call: names for the kernel's parameters, and an expression with them.
    pub call: Option<(Vec<Ident>, proc_macro2::TokenStream)>,
}

/// The function's attributes, sorted by the items to which they are copied.
#[derive(Default)]
pub(crate) struct Attrs {
    /// Copied to the type only: `#[doc]`.
    pub doc: Vec<syn::Attribute>,
    /// Copied to the function only: `#[must_use]`, `#[expect]`.
    pub function: Vec<syn::Attribute>,
    /// Copied to all generated items: `#[cfg]`, lint levels.
    pub all: Vec<syn::Attribute>,
}

/// `const N: usize`
pub(crate) struct ConstGeneric {
    pub name: Ident,
    pub ty: syn::Type,
}

/// A parameter; its local has the same index.
pub(crate) struct Param {
    pub mutability: Option<syn::Token![mut]>,
    pub name: Ident,
    pub ty: Ty,
    /// `#[length(…)]`
    pub length: Option<Length>,
}

/// `least..=most, "why"`
pub(crate) struct Length {
    pub least: usize,
    pub most: Option<usize>,
    pub why: syn::LitStr,
}

/// A type.
pub(crate) enum Ty {
    /// `path::DcDouble`, as written
    Lane(Lane, syn::TypePath),
    /// `(A, B)`
    Tuple(Vec<Ty>),
    /// `&[f64]`, `&[f64; N]`, as written
    Table(Elem, syn::TypeReference),
    /// `usize`, `bool` or `_` on a `let`
    Plain(syn::Type),
    /// A type for which an error was reported.
    Refused,
}

/// The types of lane values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    F64,
    F32,
    I64,
    I32,
    Mask,
    Dd,
    /// The two types of 16 bits.
    Half,
    Bfloat,
    /// Integers kept in the lanes of other types. Only `map` and `eval` distinguish them.
    U64,
    U32,
    U16,
    I16,
    U8,
    I8,
    Usize,
    Isize,
}

impl Lane {
    /// The lane type with that name.
    pub(crate) fn named(name: &Ident) -> Option<Lane> {
        Some(match name.to_string().as_str() {
            "DcDouble" => Lane::F64,
            "DcFloat" => Lane::F32,
            "DcLong" => Lane::I64,
            "DcInt" => Lane::I32,
            "DcMask" => Lane::Mask,
            "DcDoubleDouble" => Lane::Dd,
            "DcHalf" => Lane::Half,
            "DcBfloat" => Lane::Bfloat,
            _ => return None,
        })
    }
    /// Its name in kernels.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Lane::F64 => "DcDouble",
            Lane::F32 => "DcFloat",
            Lane::I64 | Lane::U64 | Lane::Usize | Lane::Isize => "DcLong",
            Lane::I32 | Lane::U32 | Lane::U16 | Lane::I16 | Lane::U8 | Lane::I8 => "DcInt",
            Lane::Mask => "DcMask",
            Lane::Dd => "DcDoubleDouble",
            Lane::Half => "DcHalf",
            Lane::Bfloat => "DcBfloat",
        }
    }
    /// The lane type of a plain type, by the module of its path: `of_u32`.
    pub(crate) fn of_plain(self, module: &Ident) -> Lane {
        match module.to_string().as_str() {
            "of_u64" => Lane::U64,
            "of_u32" => Lane::U32,
            "of_u16" => Lane::U16,
            "of_i16" => Lane::I16,
            "of_u8" => Lane::U8,
            "of_i8" => Lane::I8,
            "of_usize" => Lane::Usize,
            "of_isize" => Lane::Isize,
            _ => self,
        }
    }
    /// The lane type with the same bits that has operations.
    pub(crate) fn signed(self) -> Lane {
        match self {
            Lane::U64 | Lane::Usize | Lane::Isize => Lane::I64,
            Lane::U32 | Lane::U16 | Lane::I16 | Lane::U8 | Lane::I8 => Lane::I32,
            lane => lane,
        }
    }
    /// Its name among the kinds; in `ir::Ty`, the name of its `signed`.
    pub(crate) fn variant(self) -> &'static str {
        match self {
            Lane::U64 => "U64",
            Lane::U32 => "U32",
            Lane::U16 => "U16",
            Lane::I16 => "I16",
            Lane::U8 => "U8",
            Lane::I8 => "I8",
            Lane::Usize => "Usize",
            Lane::Isize => "Isize",
            Lane::F64 => "F64",
            Lane::F32 => "F32",
            Lane::I64 => "I64",
            Lane::I32 => "I32",
            Lane::Mask => "Mask",
            Lane::Dd => "Dd",
            Lane::Half => "Half",
            Lane::Bfloat => "Bfloat",
        }
    }
}

/// The index of a local.
pub(crate) type Local = usize;

/// A local variable, parameter or loop counter.
pub(crate) struct LocalInfo {
    pub name: Ident,
    pub kind: LocalKind,
    /// The hygiene of the name: an `x` in a macro differs from the `x` of its caller.
    pub context: u32,
    /// Its type, if it is known without inference.
    pub lane: Option<Lane>,
}

/// The permitted uses of a local.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LocalKind {
    Variable,
    Counter,
    Table,
    /// An error was reported for its declaration, so its uses cause no further errors.
    Refused,
}

/// `{ stmts; value }`
#[derive(Default)]
pub(crate) struct Block {
    pub stmts: Vec<Stmt>,
    pub value: Option<Box<Expr>>,
}

/// A statement.
pub(crate) enum Stmt {
    Let {
        pat: Pat,
        ty: Option<Ty>,
        value: Expr,
    },
    /// `local = value`; `a += b` is `a = a + b` here.
    Assign {
        local: Local,
        name: Ident,
        value: Expr,
    },
    /// `(a, _) = value`. The pattern's locals are hidden, and each is then assigned to its target.
    AssignTuple {
        pat: Pat,
        targets: Vec<(Local, Local, Ident)>,
        /// The left side, as written.
        left: Box<syn::Expr>,
        value: Expr,
    },
    /// `semi` as written: without it rustc requires `()`.
    Expr { value: Expr, semi: bool },
    For {
        token: syn::Token![for],
        counter: Local,
        pat: syn::Pat,
        range: Range,
        body: Block,
        /// The outer variables that the body assigns.
        assigned: Vec<Assigned>,
    },
}

/// The pattern of a `let`.
pub(crate) enum Pat {
    Local(Local, Option<syn::Token![mut]>, Ident),
    Wild(syn::Token![_]),
    Tuple(Vec<Pat>),
}

/// The range of a `for`.
pub(crate) struct Range {
    pub start: Expr,
    pub limits: syn::RangeLimits,
    pub end: Expr,
    pub adaptors: Vec<Adaptor>,
}

/// `.rev()`, `.step_by(k)`, with the name as written.
pub(crate) enum Adaptor {
    Rev(Ident),
    StepBy(Ident, Expr),
}

/// An expression.
pub(crate) struct Expr {
    pub kind: ExprKind,
    /// The operator, method name or first token, whose position is used in reports.
    pub at: Span,
    /// First and last token, for rustc's messages.
    pub first: Span,
    pub last: Span,
}

/// The forms of an expression.
pub(crate) enum ExprKind {
    Local(Local, Ident),
    /// A float literal without suffix and a finite reading at both precisions.
    Float(f64, f32),
    /// An integer literal without suffix that fits 32 bits.
    Int(i128),
    Bool(bool),
    /// A literal of one type: with a suffix, or too large for the narrower type.
    Typed(Typed),
    /// A path that is not a local variable: a constant or a const generic.
    Const(syn::ExprPath),
    Unary(UnOp, Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Method(Box<Expr>, Ident, Vec<Expr>),
    /// A mathematical function, as a method: its name and all arguments, the receiver first.
    Function(Ident, Vec<Expr>),
    /// `DcDouble::from_bits(x)`: type, the path without the function, function, arguments.
    Assoc(Lane, syn::Path, Ident, Vec<Expr>),
    Call(syn::Path, Vec<Expr>),
    /// A table as an argument: `&TABLE`.
    TableArg(syn::Token![&], Table),
    Index(Table, Box<Expr>),
    Len(Table),
    Tuple(Vec<Expr>),
    Field(Box<Expr>, u32, syn::Member),
    If(If),
    Block(Block),
    /// A number known when the kernel is lowered, as a `DcLong`. Only plain functions have it.
    Lanes(Box<Expr>),
    /// An expression for which an error was reported.
    Refused,
}

/// A literal of one type.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Typed {
    F64(f64),
    F32(f32),
    I64(i64),
    U64(u64),
    I32(i32),
    U32(u32),
    Usize(u64),
}

/// An expression that can be indexed.
pub(crate) enum Table {
    /// A table parameter.
    Param(Local, Ident),
    /// An outer array or slice.
    Path(syn::ExprPath),
    /// An expression for which an error was reported.
    Refused,
}

/// `if cond { then } else { otherwise }`
pub(crate) struct If {
    pub cond: Box<Expr>,
    pub then: Arm,
    pub otherwise: Option<Arm>,
    /// Outer variables that either arm assigns.
    pub assigned: Vec<Assigned>,
}

/// An arm of an `if`.
pub(crate) struct Arm {
    pub block: Block,
    /// Outer variables that this arm assigns.
    pub assigned: Vec<Assigned>,
}

impl Expr {
    /// An expression in place of one for which an error was reported.
    pub(crate) fn refused(at: Span) -> Expr {
        Expr::new(ExprKind::Refused, at)
    }
    /// An expression of one token, or one whose extent is not needed.
    pub(crate) fn new(kind: ExprKind, at: Span) -> Expr {
        Expr {
            kind,
            at,
            first: at,
            last: at,
        }
    }
    pub(crate) fn spanning(kind: ExprKind, at: Span, first: Span, last: Span) -> Expr {
        Expr {
            kind,
            at,
            first,
            last,
        }
    }
    /// Whether an error was reported for it.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(self.kind, ExprKind::Refused)
    }
    /// Whether it consists of integer literals and arithmetic on them only.
    pub(crate) fn is_literal_arithmetic(&self) -> bool {
        match &self.kind {
            ExprKind::Int(_) => true,
            ExprKind::Binary(op, a, b) => {
                is_arithmetic(*op) && a.is_literal_arithmetic() && b.is_literal_arithmetic()
            }
            _ => false,
        }
    }
}

/// Whether the operator has two numbers as operands and a number as its result.
pub(crate) fn is_arithmetic(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr
    )
}

/// An outer variable that an arm assigns, with the name as written at its first assignment there.
#[derive(Clone)]
pub(crate) struct Assigned {
    pub local: Local,
    pub name: Ident,
}
