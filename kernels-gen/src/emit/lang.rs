//! The interface between the shared writer and a language.

use std::collections::BTreeSet;

use crate::ops::{Arith, Direction, Op, Prim};

/// The constructs that the two languages write differently.
pub(super) trait Lang {
    /// Lines at the top of the text.
    fn prologue(&self) -> String;
    /// The number of lanes of a value: 1, or the width of OpenCL's vector types.
    fn lanes(&self) -> u32 {
        1
    }
    /// Type of one lane.
    fn scalar(&self, p: Prim) -> &'static str;
    /// Type of a value.
    fn ty(&self, p: Prim) -> String {
        self.scalar(p).to_string()
    }
    /// A value with all lanes equal, from the text of one.
    fn splat(&self, _: Prim, scalar: &str) -> String {
        scalar.to_string()
    }
    /// The signed view of an integer.
    fn as_signed(&self, p: Prim, x: &str) -> String;
    /// The unsigned view of a signed integer.
    fn as_unsigned(&self, p: Prim, x: &str) -> String;
    /// The low bits, or a zero extension, of an unsigned integer. `x` is a name or parenthesised.
    fn resize(&self, to: Prim, x: &str) -> String;
    /// An unsigned 64-bit integer from a 32-bit one, sign-extended.
    fn sign_extend(&self, x: &str) -> String;
    /// A mask from a comparison of operands of type `p`.
    fn mask(&self, _p: Prim, comparison: &str) -> String {
        comparison.to_string()
    }
    /// A value of type `p`, selected by a mask.
    fn select(&self, _p: Prim, mask: &str, a: &str, b: &str) -> String {
        format!("{mask} ? {a} : {b}")
    }
    /// The complement of a mask.
    fn not(&self, mask: &str) -> String {
        format!("!{mask}")
    }
    /// Suffix of an unsigned literal of the width of `p`.
    fn suffix(&self, p: Prim) -> &'static str;
    /// Text before a helper function's return type.
    fn function(&self) -> &'static str;
    /// Text before a table's element type.
    fn table(&self) -> &'static str;
    /// First lines of a function's body.
    fn pragma(&self) -> &'static str;
    /// One lane of a float from the text of its bits.
    fn scalar_of_bits(&self, p: Prim, bits: &str) -> String;
    /// A float from the text of its bits.
    fn float_of_bits(&self, p: Prim, bits: &str) -> String;
    /// The bits of a float, NaN payload included.
    fn raw_bits(&self, p: Prim, x: &str) -> String;
    /// Conversion to a signed integer toward zero, for values in range.
    fn toward_zero(&self, from: Prim, to: Prim, x: &str) -> String;
    /// A correctly rounded conversion to the float `to`, from a float or from the *unsigned* text of an integer.
    fn to_float(&self, from: Prim, to: Prim, x: &str, need: &mut Needs) -> String;
    /// Arithmetic on floats of type `p`: `+ - * /`, `Fma`, `Sqrt`, `Recip`, the directed operations, `Neg`, `Abs` and the roundings to
    /// integers.
    fn arith(&self, op: Op, p: Prim, args: &[String], need: &mut Needs) -> String;
    /// Text of the saturating conversion of a float to an integer, if the language has a special form.
    fn own_to_int(&self, _from: Prim, _to: Prim) -> Option<String> {
        None
    }
    /// Text of a helper that exists only in this language.
    fn own_helper(&self, helper: Helper) -> String;
}

/// A helper function for an operation. It is emitted only if an operation needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Helper {
    /// Bits with the canonical NaN.
    Bits(Prim),
    /// Sign bit; a NaN counts as positive.
    Negative(Prim),
    /// Magnitude and sign.
    CopySign(Prim),
    /// Saturating conversion (from, to).
    ToInt(Prim, Prim),
    /// A signed index into a table whose length is not a power of two (index type).
    Clamp(Prim),
    /// OpenCL: `float` division through `double`.
    DivideF32,
    /// OpenCL: `float` square root through `double`.
    SqrtF32,
    /// OpenCL: vectors of 64-bit integers to `double`.
    LongToF64,
    /// OpenCL: 64-bit integer to `float`, through `double`.
    LongToF32,
    /// OpenCL: a directed operation. A difference is computed as a sum, a reciprocal as a quotient.
    Directed(Arith, Direction, Prim),
}

/// The helpers needed so far.
pub(super) type Needs = BTreeSet<Helper>;

/// Short form of a lane type for use in names.
pub(super) fn tag(p: Prim) -> &'static str {
    match p {
        Prim::F64 => "f64",
        Prim::F32 => "f32",
        Prim::I64 => "i64",
        Prim::I32 => "i32",
        Prim::Mask => "mask",
    }
}

/// Bits in a lane of a number type.
pub(super) fn width(p: Prim) -> u32 {
    match p {
        Prim::F64 | Prim::I64 => 64,
        Prim::F32 | Prim::I32 | Prim::Mask => 32,
    }
}

/// The integer type as wide as a float.
pub(super) fn int_of(p: Prim) -> Prim {
    if width(p) == 64 { Prim::I64 } else { Prim::I32 }
}
