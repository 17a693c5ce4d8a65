//! The source form of a kernel: the data that `#[crunch]` writes into a `const`.
//!
//! This is the user's function as a tree, with only the types that the macro sees in the source. Paths to outer constants and tables are
//! values here, because rustc's own const evaluation has filled them in. Calls are references to the callee's tree. [`crate::lower()`]
//! turns it into typed straight-line code ([`crate::program`]). Nothing else uses it.

use crate::ops::Op;

/// A kernel, as `#[crunch]` read it.
#[derive(Debug, Clone, Copy)]
pub struct Kernel {
    /// The function's name.
    pub name: &'static str,
    /// `module_path!()` at the definition.
    pub module: &'static str,
    /// `file!()` at the definition.
    pub file: &'static str,
    /// Line of the `fn` in `file`, from 1.
    pub line: u32,
    /// The function's source text, for reports.
    pub source: &'static str,
    /// Const generics with their values, in order of declaration: part of the kernel's identity.
    pub generics: &'static [(&'static str, Const)],
    /// Parameters in order. Their locals are numbers `0..params.len()`.
    pub params: &'static [Param],
    /// The return type.
    pub ret: Ty,
    /// Names of all locals (parameters first), indexed by [`Local`]. Shadowed names occur more than once.
    pub locals: &'static [&'static str],
    /// The body; its value is the return value.
    pub body: Block,
}

impl Kernel {
    /// The callee of a call. The lengths of its tables are checked when rustc evaluates this: a constant that panics is an error at the
    /// user's call. `entries` are the lengths of the arguments; 0 if an argument is not a table that the macro can see.
    ///
    /// # Panics
    /// If a table has more or fewer entries than the callee's parameter allows.
    #[must_use]
    #[track_caller]
    pub const fn called_with(&'static self, entries: &[usize]) -> &'static Kernel {
        let mut i = 0;
        while i < entries.len() && i < self.params.len() {
            let length = self.params[i].length;
            if entries[i] > 0 && !length.fits(entries[i]) {
                panic!("{}", length.why);
            }
            i += 1;
        }
        self
    }
}

/// One parameter of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub ty: Ty,
    /// For a table, the allowed numbers of entries.
    pub length: Length,
}

/// `#[length(2..=128, "why")]` on a table parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// The smallest number of entries.
    pub least: usize,
    /// The largest number of entries.
    pub most: usize,
    /// The message to a caller with more or fewer entries.
    pub why: &'static str,
}

impl Length {
    /// The length if there is no attribute.
    pub const ANY: Length = Length {
        least: 0,
        most: usize::MAX,
        why: "",
    };

    /// Whether a table of this many entries is allowed.
    #[must_use]
    pub const fn fits(self, entries: usize) -> bool {
        self.least <= entries && entries <= self.most
    }
}

/// A type as written in a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ty {
    /// `DcDouble`
    F64,
    /// `DcFloat`
    F32,
    /// `DcLong`: 64-bit integer lanes
    I64,
    /// `DcInt`: 32-bit integer lanes
    I32,
    /// `DcMask`
    Mask,
    /// `DcDoubleDouble`
    Dd,
    /// `DcHalf`: a binary32 number that binary16 also has
    Half,
    /// `DcBfloat`: a binary32 number that bfloat16 also has
    Bfloat,
    /// A tuple; `()` is the empty one.
    Tuple(&'static [Ty]),
    /// A table parameter `&[E]` or `&[E; N]`.
    Table(Elem),
}

/// Element type of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Elem {
    /// `f64`: its lanes are `DcDouble`
    F64,
    /// `f32`: `DcFloat`
    F32,
    /// `i64`: `DcLong`
    I64,
    /// `u64`, bits of a `DcLong`
    U64,
    /// `i32`: `DcInt`
    I32,
    /// `u32`, bits of a `DcInt`
    U32,
}

/// Index of a local in [`Kernel::locals`].
pub type Local = u32;

/// Position in the Rust source: line from 1, column from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Loc {
    /// Line from 1; 0 when unknown.
    pub line: u32,
    /// Column from 1; 0 when unknown.
    pub col: u32,
}

/// `{ stmts; value }`
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// Statements in order.
    pub stmts: &'static [Stmt],
    /// The trailing expression; `None` means `()`.
    pub value: Option<&'static Expr>,
}

/// A statement.
#[derive(Debug, Clone, Copy)]
pub enum Stmt {
    /// `let PAT: TY = EXPR;`
    Let(Pat, Option<Ty>, &'static Expr),
    /// `LOCAL = EXPR;` (compound assignment is written out by the macro)
    Assign(Local, &'static Expr),
    /// An expression, for its assignments (`if`, block) or with an unused value.
    Expr(&'static Expr),
    /// `for VAR in RANGE { BODY }`; `VAR` is an index local.
    For(Local, Range, Block, Loc),
}

/// The pattern of a `let`.
#[derive(Debug, Clone, Copy)]
pub enum Pat {
    /// A name.
    Local(Local),
    /// `_`
    Wild,
    /// `(a, b)`
    Tuple(&'static [Pat]),
}

/// A loop's range, over constants that are known when the kernel is lowered.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// First value.
    pub start: &'static Expr,
    /// Last value, exclusive unless `inclusive`.
    pub end: &'static Expr,
    /// `..=`
    pub inclusive: bool,
    /// Adaptors in the order written: each is applied to the sequence before it.
    pub adaptors: &'static [Adaptor],
}

/// `.rev()` or `.step_by(n)` on a range.
#[derive(Debug, Clone, Copy)]
pub enum Adaptor {
    /// `.rev()`
    Rev,
    /// `.step_by(n)`
    StepBy(&'static Expr),
}

/// An expression and its place.
#[derive(Debug, Clone, Copy)]
pub struct Expr {
    /// Its form.
    pub kind: ExprKind,
    /// The position of its operator or first token.
    pub loc: Loc,
}

/// The forms of an expression.
#[derive(Debug, Clone, Copy)]
pub enum ExprKind {
    /// A local variable, parameter or loop counter.
    Local(Local),
    /// A float literal, parsed at both precisions so that neither is rounded twice.
    Float(f64, f32),
    /// An integer literal. Its use decides whether it is a lane value or an index.
    Int(i128),
    /// `true` or `false`
    Bool(bool),
    /// A path to an outer constant or const generic, evaluated by rustc.
    Const(Const),
    /// A unary operator.
    Unary(UnOp, &'static Expr),
    /// A binary operator on lanes, index values or constants.
    Binary(BinOp, &'static Expr, &'static Expr),
    /// `recv.name(args)`, with a name of [`crate::ops::METHODS`].
    Method(&'static str, &'static Expr, &'static [Expr]),
    /// `DcX::name(args)`: `from_bits` on the four number types, `new` on `DcDoubleDouble`.
    Assoc(Ty, &'static str, &'static [Expr]),
    /// A call of another kernel.
    Call(&'static Kernel, &'static [Expr]),
    /// A call of a function with several precisions: of the kernel whose first parameter has the type of the first argument.
    Function(&'static [&'static Kernel], &'static [Expr]),
    /// `table[index]`; the first is a [`Const::Table`] or a table parameter.
    Index(&'static Expr, &'static Expr),
    /// `table.len()`, an index value.
    Len(&'static Expr),
    /// A tuple.
    Tuple(&'static [Expr]),
    /// `.hi`, `.lo` of a `DcDoubleDouble` are 0 and 1; `.0`, `.1`, … of a tuple.
    Field(&'static Expr, u32),
    /// `if cond { then } else { otherwise }`: a real branch if `cond` is constant, otherwise both arms and a select.
    If(&'static Expr, Block, Option<Block>),
    /// `{ … }`
    Block(Block),
}

/// Unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnOp {
    /// `-`: sign flip on floats, wrapping negation on integer lanes
    Neg,
    /// `!`: masks, integer lanes and constant `bool`s
    Not,
}

/// Binary operators. `AndAlso`/`OrElse` are `&&`/`||`, which on masks mean `&`/`|`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the operators")]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    AndAlso,
    OrElse,
}

impl BinOp {
    /// The operator as written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::And => "&",
            BinOp::Or => "|",
            BinOp::Xor => "^",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::AndAlso => "&&",
            BinOp::OrElse => "||",
        }
    }

    /// The corresponding operation on lanes. `None` for `%`, which only index values have. `>` stays `>`: no operands are swapped here.
    #[must_use]
    pub fn on_lanes(self) -> Option<Op> {
        Some(match self {
            BinOp::Add => Op::Add,
            BinOp::Sub => Op::Sub,
            BinOp::Mul => Op::Mul,
            BinOp::Div => Op::Div,
            BinOp::Rem => return None,
            BinOp::And | BinOp::AndAlso => Op::And,
            BinOp::Or | BinOp::OrElse => Op::Or,
            BinOp::Xor => Op::Xor,
            BinOp::Shl => Op::Shl,
            BinOp::Shr => Op::Shr,
            BinOp::Lt => Op::Lt,
            BinOp::Le => Op::Le,
            BinOp::Gt => Op::Gt,
            BinOp::Ge => Op::Ge,
            BinOp::Eq => Op::Eq,
            BinOp::Ne => Op::Ne,
        })
    }
}

/// A value that rustc's const evaluation supplied.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names are the Rust types")]
pub enum Const {
    F64(f64),
    F32(f32),
    I64(i64),
    U64(u64),
    I32(i32),
    U32(u32),
    Usize(usize),
    Bool(bool),
    Table(Table),
}

/// The contents of an outer `const` or `static` array.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names are the element types")]
pub enum Table {
    F64(&'static [f64]),
    F32(&'static [f32]),
    I64(&'static [i64]),
    U64(&'static [u64]),
    I32(&'static [i32]),
    U32(&'static [u32]),
}

impl Const {
    /// Number of entries of a table; 0 for anything else.
    #[must_use]
    pub const fn entries(self) -> usize {
        match self {
            Const::Table(table) => table.entries(),
            _ => 0,
        }
    }
}

impl Table {
    /// Number of entries.
    #[must_use]
    pub const fn entries(self) -> usize {
        match self {
            Table::F64(t) => t.len(),
            Table::F32(t) => t.len(),
            Table::I64(t) => t.len(),
            Table::U64(t) => t.len(),
            Table::I32(t) => t.len(),
            Table::U32(t) => t.len(),
        }
    }

    #[track_caller]
    const fn filled(self) -> Const {
        assert!(
            self.entries() > 0,
            "a table of a kernel has at least one entry, and this one is empty"
        );
        Const::Table(self)
    }
}

/// Wraps a path so that [`Wrap::constant`] can be chosen by the path's type in a `const`.
///
/// On stable Rust, trait methods are not callable in a `const`, but inherent `const fn`s of distinct instances are, and the wrapped type
/// selects the method. For a type that is not in the list, rustc reports an error at the user's path.
#[derive(Debug, Clone, Copy)]
pub struct Wrap<T>(pub T);

macro_rules! wrap {
    ($($t:ty => $v:ident),*) => {$(
        impl Wrap<$t> {
            /// The value as IR.
            #[must_use]
            pub const fn constant(self) -> Const { Const::$v(self.0) }
        }
    )*};
}
wrap!(f64 => F64, f32 => F32, i64 => I64, u64 => U64, i32 => I32, u32 => U32, usize => Usize, bool => Bool);

macro_rules! wrap_table {
    ($($t:ty => $v:ident),*) => {$(
        impl Wrap<&'static [$t]> {
            /// The table as IR.
            #[must_use]
            #[track_caller]
            pub const fn table(self) -> Const { Table::$v(self.0).filled() }
            /// The table as IR, if a path is itself a reference: `f(x, TABLE)`.
            #[must_use]
            #[track_caller]
            pub const fn constant(self) -> Const { self.table() }
        }
        impl<const N: usize> Wrap<&'static [$t; N]> {
            /// The table as IR.
            #[must_use]
            #[track_caller]
            pub const fn table(self) -> Const { Table::$v(self.0).filled() }
            /// The table as IR, if a path is itself a reference: `f(x, TABLE)`.
            #[must_use]
            #[track_caller]
            pub const fn constant(self) -> Const { self.table() }
        }
        impl Wrap<&'static &'static [$t]> {
            /// The table as IR.
            #[must_use]
            #[track_caller]
            pub const fn table(self) -> Const { Table::$v(*self.0).filled() }
        }
        impl<const N: usize> Wrap<&'static &'static [$t; N]> {
            /// The table as IR.
            #[must_use]
            #[track_caller]
            pub const fn table(self) -> Const { Table::$v(*self.0).filled() }
        }
    )*};
}
wrap_table!(f64 => F64, f32 => F32, i64 => I64, u64 => U64, i32 => I32, u32 => U32);
