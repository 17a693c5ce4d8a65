//! The functions with derivatives in closed form, and where they are defined.

use super::gamma;
use super::value::FAR;
use crate::cell::Cell;

/// Declares the functions with their names in certificates.
macro_rules! laws {
    ($($(#[$doc:meta])* $law:ident = $name:literal,)*) => {
        /// A function with its derivatives, in closed form.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Law {
            $($(#[$doc])* $law,)*
        }

        impl Law {
            /// All of them.
            pub const ALL: &[Law] = &[$(Law::$law),*];

            /// Its name in certificates.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Law::$law => $name,)*
                }
            }
        }
    };
}

laws! {
    /// `e^x`
    Exp = "exp",
    /// `2^x`
    Exp2 = "exp2",
    /// `10^x`
    Exp10 = "exp10",
    /// `e^x - 1`
    ExpM1 = "expm1",
    /// `2^x - 1`
    Exp2M1 = "exp2m1",
    /// `10^x - 1`
    Exp10M1 = "exp10m1",
    /// The natural logarithm.
    Ln = "ln",
    /// The logarithm to base 2.
    Log2 = "log2",
    /// The logarithm to base 10.
    Log10 = "log10",
    /// `ln(1 + x)`
    Ln1p = "log1p",
    /// `log2(1 + x)`
    Log2p1 = "log2p1",
    /// `log10(1 + x)`
    Log10p1 = "log10p1",
    /// `1 / x`
    Recip = "recip",
    /// The square root.
    Sqrt = "sqrt",
    /// `1 / √x`
    RecipSqrt = "recip-sqrt",
    /// The cube root.
    Cbrt = "cbrt",
    /// The sine, for `|x| <= 8192`.
    Sin = "sin",
    /// The cosine, for `|x| <= 8192`.
    Cos = "cos",
    /// The tangent, for `|x| <= 8192`.
    Tan = "tan",
    /// `sin(π x)`, for `|x| <= 2^52`.
    SinPi = "sinpi",
    /// `cos(π x)`, for `|x| <= 2^52`.
    CosPi = "cospi",
    /// `tan(π x)`, for `|x| <= 2^52`.
    TanPi = "tanpi",
    /// The inverse sine.
    Asin = "asin",
    /// The inverse cosine.
    Acos = "acos",
    /// The inverse tangent.
    Atan = "atan",
    /// `asin(x) / π`
    AsinPi = "asinpi",
    /// `acos(x) / π`
    AcosPi = "acospi",
    /// `atan(x) / π`
    AtanPi = "atanpi",
    /// The hyperbolic sine.
    Sinh = "sinh",
    /// The hyperbolic cosine.
    Cosh = "cosh",
    /// The hyperbolic tangent.
    Tanh = "tanh",
    /// The inverse hyperbolic sine.
    Asinh = "asinh",
    /// The inverse hyperbolic cosine.
    Acosh = "acosh",
    /// The inverse hyperbolic tangent.
    Atanh = "atanh",
    /// The error function.
    Erf = "erf",
    /// `1 - erf x`
    Erfc = "erfc",
    /// `1 / (1 + e^-x)`
    Sigmoid = "sigmoid",
    /// `ln(x / (1 - x))`
    Logit = "logit",
    /// `ln(1 + e^x)`
    Softplus = "softplus",
    /// `x / (1 + e^-x)`
    Silu = "silu",
    /// `x Φ(x)`, Φ the standard normal distribution.
    Gelu = "gelu",
    /// `x tanh(ln(1 + e^x))`
    Mish = "mish",
    /// Γ.
    Gamma = "tgamma",
    /// `ln |Γ|`, except next to its negative zeros.
    LnGamma = "lgamma",
    /// Linear light from a value of sRGB.
    SrgbToLinear = "srgb-to-linear",
    /// A value of sRGB from linear light.
    SrgbFromLinear = "srgb-from-linear",
}

impl Law {
    /// `(n, d)` of a power `x^(n/d)`.
    pub(crate) fn power(self) -> Option<(i32, i32)> {
        match self {
            Law::Recip => Some((-1, 1)),
            Law::Sqrt => Some((1, 2)),
            Law::RecipSqrt => Some((-1, 2)),
            Law::Cbrt => Some((1, 3)),
            _ => None,
        }
    }

    /// Whether it is undefined at every input of a cell.
    pub(super) fn nowhere(self, cell: Cell) -> bool {
        match self {
            Law::Ln | Law::Log2 | Law::Log10 | Law::RecipSqrt => cell.hi <= 0.0,
            Law::Ln1p | Law::Log2p1 | Law::Log10p1 => cell.hi <= -1.0,
            Law::Sqrt => cell.hi < 0.0,
            Law::Recip => cell.lo == 0.0 && cell.hi == 0.0,
            Law::Asin | Law::Acos | Law::AsinPi | Law::AcosPi => cell.hi < -1.0 || cell.lo > 1.0,
            Law::Atanh => cell.hi <= -1.0 || cell.lo >= 1.0,
            Law::Acosh => cell.hi < 1.0,
            Law::Logit => cell.hi <= 0.0 || cell.lo >= 1.0,
            // A pole.
            Law::TanPi => cell.lo == cell.hi && cell.lo.fract().abs() == 0.5,
            Law::Gamma | Law::LnGamma => gamma::only_poles(cell),
            _ => false,
        }
    }

    /// Whether its values on a cell are so close to 0 that none is enclosed.
    pub(super) fn next_to_zero(self, cell: Cell) -> bool {
        self == Law::LnGamma && gamma::next_to_zero(cell)
    }

    /// The infinity to which it rounds on the whole cell, if it is not enclosed.
    pub(super) fn beyond(self, cell: Cell) -> Option<f64> {
        if self == Law::Gamma {
            return (cell.lo > gamma::REACH).then_some(f64::INFINITY);
        }
        // At half of the reach each is larger than every double. Nearer to the reach its value, divided by a power of two near the largest double,
        // overflows, so that it is not enclosed.
        let reach = 0.5 * self.reach()?;
        match self {
            Law::Cosh if cell.hi < -reach => Some(f64::INFINITY),
            Law::Sinh if cell.hi < -reach => Some(f64::NEG_INFINITY),
            _ => (cell.lo > reach).then_some(f64::INFINITY),
        }
    }

    /// Beyond plus or minus this, `b^x` is larger than every double, or smaller; for functions made from it.
    pub(super) fn reach(self) -> Option<f64> {
        match self {
            Law::Exp | Law::ExpM1 | Law::Sinh | Law::Cosh => Some(FAR),
            Law::Exp2 | Law::Exp2M1 => Some(2.0 * FAR),
            Law::Exp10 | Law::Exp10M1 => Some(0.4 * FAR),
            _ => None,
        }
    }
}
