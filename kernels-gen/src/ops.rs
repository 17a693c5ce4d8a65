//! The primitive operations: the one list that the macro, the checker, the emitters, the interpreter and the
//! documentation read.

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

/// A primitive operation. The operand type tells the precision; see `docs/operations.md` for each one's meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    missing_docs,
    reason = "the meaning of each is one row of docs/operations.md"
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
    // conversions; the operand's type tells from what
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
    // integers; the amount has the operand's type and counts modulo the width
    Shl,
    Shr,
    ShrLogical,
    // (mask, a, b)
    Select,
}

/// A method a kernel may call on a value: its name, the number of its arguments, the operation it stands for and
/// the receiver types it exists on.
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

/// Every method of the language. `mul_add(b, c)` is `self * b + c` with one rounding.
pub const METHODS: &[Method] = &[
    m("mul_add", 2, Op::Fma, F),
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
];

/// The method of that name.
#[must_use]
pub fn method(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|m| m.name == name)
}
