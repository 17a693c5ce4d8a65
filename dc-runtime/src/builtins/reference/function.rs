//! The functions that have references, by name.

use core::fmt;

/// A function for which there is a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are their own names")]
pub enum Function {
    Recip,
    Sqrt,
    RecipSqrt,
    Cbrt,
    Exp,
    Exp2,
    Exp10,
    ExpM1,
    Exp2M1,
    Exp10M1,
    Ln,
    Log2,
    Log10,
    Ln1p,
    Log2p1,
    Log10p1,
    Sin,
    Cos,
    Tan,
    SinPi,
    CosPi,
    TanPi,
    Asin,
    Acos,
    Atan,
    AsinPi,
    AcosPi,
    AtanPi,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Erf,
    Erfc,
    Gamma,
    LnGamma,
    Sigmoid,
    Logit,
    Softplus,
    Silu,
    Gelu,
    Mish,
    SrgbToLinear,
    SrgbFromLinear,
    Pow,
    Powr,
    Atan2,
    Hypot,
    Div,
}

impl Function {
    /// Its formula, as it appears in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Function::Recip => "1/x",
            Function::Sqrt => "sqrt x",
            Function::RecipSqrt => "1/sqrt x",
            Function::Cbrt => "cbrt x",
            Function::Exp => "exp x",
            Function::Exp2 => "2^x",
            Function::Exp10 => "10^x",
            Function::ExpM1 => "exp x - 1",
            Function::Exp2M1 => "2^x - 1",
            Function::Exp10M1 => "10^x - 1",
            Function::Ln => "ln x",
            Function::Log2 => "log2 x",
            Function::Log10 => "log10 x",
            Function::Ln1p => "ln(1 + x)",
            Function::Log2p1 => "log2(1 + x)",
            Function::Log10p1 => "log10(1 + x)",
            Function::Sin => "sin x",
            Function::Cos => "cos x",
            Function::Tan => "tan x",
            Function::SinPi => "sin(pi x)",
            Function::CosPi => "cos(pi x)",
            Function::TanPi => "tan(pi x)",
            Function::Asin => "asin x",
            Function::Acos => "acos x",
            Function::Atan => "atan x",
            Function::AsinPi => "asin(x) / pi",
            Function::AcosPi => "acos(x) / pi",
            Function::AtanPi => "atan(x) / pi",
            Function::Sinh => "sinh x",
            Function::Cosh => "cosh x",
            Function::Tanh => "tanh x",
            Function::Asinh => "asinh x",
            Function::Acosh => "acosh x",
            Function::Atanh => "atanh x",
            Function::Erf => "erf x",
            Function::Erfc => "1 - erf x",
            Function::Gamma => "gamma x",
            Function::LnGamma => "ln |gamma x|",
            Function::Sigmoid => "1 / (1 + exp -x)",
            Function::Logit => "ln(x / (1 - x))",
            Function::Softplus => "ln(1 + exp x)",
            Function::Silu => "x / (1 + exp -x)",
            Function::Gelu => "x (1 + erf(x / sqrt 2)) / 2",
            Function::Mish => "x tanh(ln(1 + exp x))",
            Function::SrgbToLinear => "linear light of an sRGB value x",
            Function::SrgbFromLinear => "sRGB value of linear light x",
            Function::Pow => "x^y",
            Function::Powr => "exp(y ln x)",
            Function::Atan2 => "angle of the point (y, x)",
            Function::Hypot => "sqrt(x^2 + y^2)",
            Function::Div => "x / y",
        }
    }

    /// Number of its arguments.
    #[must_use]
    pub const fn arguments(self) -> usize {
        match self {
            Function::Pow | Function::Powr | Function::Atan2 | Function::Hypot | Function::Div => 2,
            _ => 1,
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
