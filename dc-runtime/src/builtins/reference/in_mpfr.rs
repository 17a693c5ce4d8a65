//! The functions in MPFR. References are compared with them, and a search may use them as references.

use rug::Float;
use rug::ops::Pow as _;

use super::Function;

/// The default precision of a value, in bits.
pub const BITS: u32 = 400;

impl Function {
    /// The value, rounded to 400 bits.
    #[must_use]
    pub fn at(self, x: f64) -> Float {
        self.of(Float::with_val(BITS, x))
    }

    /// The value of a function of one argument with the precision of `x`. A value composed of several functions has an
    /// error of a few units in the last place, times the cancellation of its terms.
    ///
    /// # Panics
    /// If the function has two arguments.
    #[must_use]
    pub fn of(self, x: Float) -> Float {
        let bits = x.prec();
        let negated = |x: &Float| Float::with_val(bits, -x);
        let ratio = |p: u32, q: u32| Float::with_val(bits, p) / q;
        match self {
            Function::Recip => x.recip(),
            Function::Sqrt => x.sqrt(),
            // MPFR's is +∞ at −0; IEEE 754's rSqrt is −∞.
            Function::RecipSqrt if x.is_zero() => x.recip(),
            Function::RecipSqrt => x.recip_sqrt(),
            Function::Cbrt => x.cbrt(),
            Function::Exp => x.exp(),
            Function::Exp2 => x.exp2(),
            Function::Exp10 => x.exp10(),
            Function::ExpM1 => x.exp_m1(),
            Function::Exp2M1 => x.exp2_m1(),
            Function::Exp10M1 => x.exp10_m1(),
            Function::Ln => x.ln(),
            Function::Log2 => x.log2(),
            Function::Log10 => x.log10(),
            Function::Ln1p => x.ln_1p(),
            Function::Log2p1 => x.log2_1p(),
            Function::Log10p1 => x.log10_1p(),
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tan => x.tan(),
            Function::SinPi => x.sin_pi(),
            Function::CosPi => x.cos_pi(),
            Function::TanPi => x.tan_pi(),
            Function::Asin => x.asin(),
            Function::Acos => x.acos(),
            Function::Atan => x.atan(),
            Function::AsinPi => x.asin_pi(),
            Function::AcosPi => x.acos_pi(),
            Function::AtanPi => x.atan_pi(),
            Function::Sinh => x.sinh(),
            Function::Cosh => x.cosh(),
            Function::Tanh => x.tanh(),
            Function::Asinh => x.asinh(),
            Function::Acosh => x.acosh(),
            Function::Atanh => x.atanh(),
            Function::Erf => x.erf(),
            Function::Erfc => x.erfc(),
            Function::Gamma => x.gamma(),
            Function::LnGamma => x.ln_abs_gamma().0,
            Function::Sigmoid => (negated(&x).exp() + 1u32).recip(),
            Function::Logit => {
                let rest = Float::with_val(bits, 1 - &x);
                (x / rest).ln()
            }
            // e^x of a large double overflows here, too.
            Function::Softplus if x > 0 => negated(&x).exp().ln_1p() + x,
            Function::Softplus => x.exp().ln_1p(),
            // The limit: ∞ times a factor that vanishes faster.
            Function::Silu | Function::Gelu | Function::Mish if x.is_infinite() && x < 0 => {
                Float::with_val(bits, -0.0)
            }
            Function::Silu => (negated(&x).exp() + 1u32).recip() * x,
            Function::Gelu => {
                let half: Float = Float::with_val(bits, 0.5);
                (negated(&x) * half.sqrt()).erfc() * x / 2u32
            }
            Function::Mish => Function::Softplus.of(x.clone()).tanh() * x,
            Function::SrgbToLinear if x <= ratio(4045, 100_000) => x / ratio(1292, 100),
            Function::SrgbToLinear => {
                ((x + ratio(55, 1000)) / ratio(1055, 1000)).pow(ratio(24, 10))
            }
            Function::SrgbFromLinear if x <= ratio(31_308, 10_000_000) => x * ratio(1292, 100),
            Function::SrgbFromLinear => x.pow(ratio(10, 24)) * ratio(1055, 1000) - ratio(55, 1000),
            Function::Pow | Function::Powr | Function::Atan2 | Function::Hypot | Function::Div => {
                panic!("{} has two arguments", self.name())
            }
        }
    }

    /// The value of a function of two arguments, in C's order: for the arc tangent, y is the first.
    ///
    /// # Panics
    /// If the function has one argument.
    #[must_use]
    pub fn of_two(self, x: Float, y: Float) -> Float {
        let bits = x.prec();
        match self {
            Function::Pow => x.pow(y),
            Function::Powr => {
                let one = x == 1;
                let end = x.is_zero() || x.is_infinite();
                let none = x.is_nan() || y.is_nan() || x < 0;
                if none || one && y.is_infinite() || end && y.is_zero() {
                    return Float::with_val(bits, rug::float::Special::Nan);
                }
                x.abs().pow(y)
            }
            Function::Atan2 => x.atan2(&y),
            Function::Hypot => x.hypot(&y),
            Function::Div => x / y,
            one => panic!("{} has one argument", one.name()),
        }
    }
}
