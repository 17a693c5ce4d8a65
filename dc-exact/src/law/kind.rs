//! The functions with derivatives in closed form, and where they are defined.

use crate::cell::Cell;

/// Beyond `±FAR`, `e^x` is larger than every double, or smaller.
pub(super) const FAR: f64 = 2000.0;

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
            _ => false,
        }
    }

    /// Whether it is larger than every double on all of a cell; it is not enclosed there.
    pub(super) fn beyond(self, cell: Cell) -> bool {
        self.reach().is_some_and(|reach| cell.lo > reach)
    }

    /// Beyond plus or minus this, `b^x` is larger than every double, or smaller; for functions that are made of it.
    pub(super) fn reach(self) -> Option<f64> {
        match self {
            Law::Exp | Law::ExpM1 => Some(FAR),
            Law::Exp2 | Law::Exp2M1 => Some(2.0 * FAR),
            Law::Exp10 | Law::Exp10M1 => Some(0.4 * FAR),
            _ => None,
        }
    }
}
