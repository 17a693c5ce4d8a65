//! The primitive operations: the only list of them, which the macro, the checker, the emitters, the interpreter and the
//! documentation use.

/// Type of one lane of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Prim {
    /// IEEE 754 binary64
    F64,
    /// IEEE 754 binary32
    F32,
    /// 64-bit two's complement
    I64,
    /// 32-bit two's complement
    I32,
    /// a truth value
    Mask,
}

impl Prim {
    /// Whether it is a floating-point type.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Prim::F64 | Prim::F32)
    }
    /// Whether it is an integer type.
    #[must_use]
    pub const fn is_int(self) -> bool {
        matches!(self, Prim::I64 | Prim::I32)
    }
}

/// An arithmetic operation that has directed forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "the meaning of each is one row of the page *Operations* of the book"
)]
pub enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Recip,
    Sqrt,
    Fma,
}

impl Arith {
    /// All arithmetic operations with directed forms.
    pub const ALL: [Arith; 7] = [
        Arith::Add,
        Arith::Sub,
        Arith::Mul,
        Arith::Div,
        Arith::Recip,
        Arith::Sqrt,
        Arith::Fma,
    ];

    /// The number of operands.
    #[must_use]
    pub const fn operands(self) -> usize {
        match self {
            Arith::Recip | Arith::Sqrt => 1,
            Arith::Add | Arith::Sub | Arith::Mul | Arith::Div => 2,
            Arith::Fma => 3,
        }
    }
}

/// The direction of a rounding: IEEE 754's roundTowardZero, roundTowardPositive, roundTowardNegative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// `rz`
    Zero,
    /// `ru`
    Up,
    /// `rd`
    Down,
}

impl Direction {
    /// All three directions.
    pub const ALL: [Direction; 3] = [Direction::Zero, Direction::Up, Direction::Down];

    /// The suffix in the names of CUDA's intrinsics and the language's methods: `rz`, `ru`, `rd`.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Direction::Zero => "rz",
            Direction::Up => "ru",
            Direction::Down => "rd",
        }
    }
}

/// A primitive operation. The operand type determines the precision. The page *Operations* of the book defines each operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "the meaning of each is one row of the page *Operations* of the book"
)]
pub enum Op {
    // floats and (wrapping) integers
    Add,
    Sub,
    Mul,
    Neg,
    Min,
    Max,
    // floats
    Div,
    Fma,
    Sqrt,
    Recip,
    Abs,
    CopySign,
    Floor,
    Ceil,
    Trunc,
    RoundTiesEven,
    // floats, rounded in a direction
    Directed(Arith, Direction),
    // comparisons: floats (ordered, quiet) and integers (signed); result is a mask
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    // float -> mask
    IsNan,
    IsSignNegative,
    // conversions; the operand's type is the source type
    ToF64,
    ToF32,
    ToI64,
    ToI32,
    // float <-> integer of the same width
    ToBits,
    FromBits,
    // integers and masks
    And,
    Or,
    Xor,
    Not,
    // integers; the amount has the operand's type and is taken modulo the width
    Shl,
    Shr,
    ShrLogical,
    // (mask, a, b)
    Select,
}

/// A method that a kernel may call on a value: its name, the number of its arguments, its operation and the receiver
/// types on which it exists.
#[derive(Debug, Clone, Copy)]
pub struct Method {
    /// Name as written.
    pub name: &'static str,
    /// Number of arguments besides the receiver.
    pub arity: usize,
    /// The operation.
    pub op: Op,
    /// Receiver types.
    pub on: &'static [Prim],
}

const F: &[Prim] = &[Prim::F64, Prim::F32];
const I: &[Prim] = &[Prim::I64, Prim::I32];
const FI: &[Prim] = &[Prim::F64, Prim::F32, Prim::I64, Prim::I32];

const fn m(name: &'static str, arity: usize, op: Op, on: &'static [Prim]) -> Method {
    Method {
        name,
        arity,
        op,
        on,
    }
}

const fn d(name: &'static str, arity: usize, arith: Arith, direction: Direction) -> Method {
    m(name, arity, Op::Directed(arith, direction), F)
}

/// Every method of the language. `mul_add(b, c)` is `self * b + c` with one rounding. `sub_as_fma` is an ordinary difference, and differs
/// only in the instruction that Rust executes for it.
pub const METHODS: &[Method] = &[
    m("mul_add", 2, Op::Fma, F),
    m("sub_as_fma", 1, Op::Sub, F),
    m("sqrt", 0, Op::Sqrt, F),
    m("recip", 0, Op::Recip, F),
    m("abs", 0, Op::Abs, F),
    m("copysign", 1, Op::CopySign, F),
    m("min", 1, Op::Min, FI),
    m("max", 1, Op::Max, FI),
    m("floor", 0, Op::Floor, F),
    m("ceil", 0, Op::Ceil, F),
    m("trunc", 0, Op::Trunc, F),
    m("round_ties_even", 0, Op::RoundTiesEven, F),
    m("is_nan", 0, Op::IsNan, F),
    m("is_sign_negative", 0, Op::IsSignNegative, F),
    m("to_f64", 0, Op::ToF64, &[Prim::F32, Prim::I64, Prim::I32]),
    m("to_f32", 0, Op::ToF32, &[Prim::F64, Prim::I64, Prim::I32]),
    m("to_i64", 0, Op::ToI64, &[Prim::F64, Prim::F32, Prim::I32]),
    m("to_i32", 0, Op::ToI32, &[Prim::F64, Prim::F32, Prim::I64]),
    m("to_bits", 0, Op::ToBits, F),
    m("shr_logical", 1, Op::ShrLogical, I),
    m("select", 2, Op::Select, &[Prim::Mask]),
    d("add_rz", 1, Arith::Add, Direction::Zero),
    d("add_ru", 1, Arith::Add, Direction::Up),
    d("add_rd", 1, Arith::Add, Direction::Down),
    d("sub_rz", 1, Arith::Sub, Direction::Zero),
    d("sub_ru", 1, Arith::Sub, Direction::Up),
    d("sub_rd", 1, Arith::Sub, Direction::Down),
    d("mul_rz", 1, Arith::Mul, Direction::Zero),
    d("mul_ru", 1, Arith::Mul, Direction::Up),
    d("mul_rd", 1, Arith::Mul, Direction::Down),
    d("div_rz", 1, Arith::Div, Direction::Zero),
    d("div_ru", 1, Arith::Div, Direction::Up),
    d("div_rd", 1, Arith::Div, Direction::Down),
    d("recip_rz", 0, Arith::Recip, Direction::Zero),
    d("recip_ru", 0, Arith::Recip, Direction::Up),
    d("recip_rd", 0, Arith::Recip, Direction::Down),
    d("sqrt_rz", 0, Arith::Sqrt, Direction::Zero),
    d("sqrt_ru", 0, Arith::Sqrt, Direction::Up),
    d("sqrt_rd", 0, Arith::Sqrt, Direction::Down),
    d("mul_add_rz", 2, Arith::Fma, Direction::Zero),
    d("mul_add_ru", 2, Arith::Fma, Direction::Up),
    d("mul_add_rd", 2, Arith::Fma, Direction::Down),
];

/// The method with this name.
#[must_use]
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|m| m.name == name)
}

/// The form of a composed method; `lower/composed.rs` expands it into operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Composed {
    /// IEEE 754-2019's `minimum`: NaN if an operand is, −0 below +0.
    Minimum,
    /// IEEE 754-2019's `maximum`.
    Maximum,
    /// `(x, lo, hi)`: `lo` if x is below it, `hi` if x is above it, a NaN if `x` is one.
    Clamp,
}

/// A method that consists of a few operations, so that backends and analyses need not handle it.
#[derive(Debug, Clone, Copy)]
pub struct ComposedMethod {
    /// Name as written.
    pub name: &'static str,
    /// Number of arguments besides the receiver, all of the receiver's type.
    pub arity: usize,
    /// Its form.
    pub composed: Composed,
    /// Receiver types.
    pub on: &'static [Prim],
}

const fn c(
    name: &'static str,
    arity: usize,
    composed: Composed,
    on: &'static [Prim],
) -> ComposedMethod {
    ComposedMethod {
        name,
        arity,
        composed,
        on,
    }
}

/// Every composed method.
pub const COMPOSED: &[ComposedMethod] = &[
    c("minimum", 1, Composed::Minimum, F),
    c("maximum", 1, Composed::Maximum, F),
    c("clamp", 2, Composed::Clamp, FI),
];

/// The composed method with this name.
#[must_use]
pub fn composed(name: &str) -> Option<&'static ComposedMethod> {
    COMPOSED.iter().find(|m| m.name == name)
}

/// The methods of `DcFloat` that round to a 16-bit type, and the kernels that they call.
pub const STORED: &[(&str, &str)] = &[
    ("to_half", "round_to_half"),
    ("to_bfloat", "round_to_bfloat"),
];

/// The kernel that a method of [`STORED`] calls.
#[must_use]
pub fn stored(name: &str) -> Option<&'static str> {
    STORED.iter().find(|m| m.0 == name).map(|m| m.1)
}

/// The mathematical functions, which are methods of `DcFloat` and `DcDouble` and kernels of the crate `dc-math`, with their numbers of
/// arguments. Functions that are already operations are not in this list.
pub const FUNCTIONS: &[(&str, usize)] = &[
    ("exp", 1),
    ("exp2", 1),
    ("exp10", 1),
    ("expm1", 1),
    ("exp2m1", 1),
    ("exp10m1", 1),
    ("log", 1),
    ("log2", 1),
    ("log10", 1),
    ("log1p", 1),
    ("log2p1", 1),
    ("log10p1", 1),
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("sinpi", 1),
    ("cospi", 1),
    ("tanpi", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("asinpi", 1),
    ("acospi", 1),
    ("atanpi", 1),
    ("sinh", 1),
    ("cosh", 1),
    ("tanh", 1),
    ("asinh", 1),
    ("acosh", 1),
    ("atanh", 1),
    ("cbrt", 1),
    ("rsqrt", 1),
    ("erf", 1),
    ("erfc", 1),
    ("tgamma", 1),
    ("lgamma", 1),
    ("sigmoid", 1),
    ("logit", 1),
    ("softplus", 1),
    ("silu", 1),
    ("gelu", 1),
    ("mish", 1),
    ("srgb_to_linear", 1),
    ("srgb_from_linear", 1),
    ("pow", 2),
    ("powr", 2),
    ("atan2", 2),
    ("hypot", 2),
];

/// The number of arguments of a function of [`FUNCTIONS`], including the receiver.
#[must_use]
pub fn function(name: &str) -> Option<usize> {
    FUNCTIONS.iter().find(|f| f.0 == name).map(|f| f.1)
}

/// The names of all methods, including composed ones.
pub fn method_names() -> impl Iterator<Item = &'static str> {
    let composed = COMPOSED.iter().map(|m| m.name);
    let stored = STORED.iter().map(|m| m.0);
    METHODS.iter().map(|m| m.name).chain(composed).chain(stored)
}
