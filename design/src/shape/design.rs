//! A kernel without its coefficients, as data.

use kernels_gen::ops::Prim;

use crate::dd::Dd;
use crate::polynomial::{Form, Plan, Scheme};
use crate::reference::Source;
use crate::spec::{Format, Saturation};
use crate::variable::Variable;

/// The base of a power.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Base {
    /// Its logarithm, of base 2.
    pub log2: f64,
    /// The logarithm of 2 to this base, in two words.
    pub of_2: Dd,
    /// The name of the function that the polynomial approximates: the power minus 1.
    pub less_one: &'static str,
}

/// The function that is made of the power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// `b^x`
    Power,
    /// `b^x - 1`
    LessOne,
    /// `1 / (1 + b^-x)`
    Sigmoid {
        /// Whether results next to 0 are on the right side of `1/2 + x/4`, which is the middle between two results for a hundred inputs.
        ties: bool,
    },
    /// `(1 - u) / (1 + u)` of `u = b^-2|x|`
    Tanh,
}

/// The reduction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponential {
    /// The base.
    pub base: Base,
    /// n = 2^table.
    pub table: u32,
    /// Whether two words of the logarithm of 2 are used.
    pub two_words: bool,
    /// The function that is made of the power.
    pub finish: Finish,
    /// Whether the argument is halved and the power squared, which needs no exponents beyond those of normal numbers.
    pub halved: bool,
    /// Whether there is a table of the rounding errors of the powers.
    pub tails: bool,
}

impl Exponential {
    pub(super) fn describe(&self) -> String {
        let words = match (self.base.of_2.lo == 0.0, self.two_words) {
            (true, _) => "",
            (_, true) => "2 words, ",
            (_, false) => "1 word, ",
        };
        let squared = if self.halved { "squared, " } else { "" };
        let tails = if self.tails { "tails, " } else { "" };
        match self.table {
            0 => format!("2^k, {words}{squared}"),
            t => format!("2^(k/{}), {words}{squared}{tails}", 1 << t),
        }
    }

    /// Whether the smallest power is set to 0, instead of a number below half of the least number. A processor takes several times as long for
    /// operations with subnormal results, and half of all numbers have this power.
    pub(crate) fn vanishes(&self, prim: Prim) -> bool {
        self.halved && self.table == 0 && prim == Prim::F32
    }

    /// The arguments for which the power is computed without special treatment.
    pub(super) fn limits(&self, prim: Prim) -> (f64, f64) {
        match prim {
            Prim::F32 => (-125.0, 126.0),
            _ => (-1021.5, 1023.4),
        }
    }
}

/// The reduction.
#[derive(Debug, Clone, PartialEq)]
pub struct Logarithm {
    /// Whether logarithms have two words. The first word is short, so that its sum with a multiple of the first word of log 2 is exact.
    pub two_words: bool,
    /// The logarithm of 2.
    pub of_2: Dd,
    /// The table, with a cell for each part of the fraction; their number is a power of two. Empty without a table.
    pub cells: Vec<Cell>,
}

/// A cell of the fraction: the factor by which its numbers are multiplied, and the function there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The factor.
    pub c: f64,
    /// The function at `1 / c`.
    pub log: f64,
    /// The second word of that logarithm.
    pub low: f64,
}

impl Logarithm {
    pub(super) fn describe(&self) -> String {
        let words = if self.two_words { "2 words, " } else { "" };
        match self.cells.len() {
            0 => format!("2^e, {words}"),
            n => format!("2^e, {n} cells, {words}"),
        }
    }
}

/// The method of subtracting half turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Turns {
    /// The period is 2.
    Exact,
    /// By this many words of pi.
    Words(u32),
    /// By the words of 1/pi that an exponent needs, from a table. This is for numbers of 24 bits, of any size.
    Table,
}

/// The reduction of a sine or cosine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Periodic {
    /// The method of subtracting half turns.
    pub turns: Turns,
    /// Whether it is a cosine.
    pub cosine: bool,
}

impl Periodic {
    pub(super) fn describe(&self) -> String {
        match self.turns {
            Turns::Exact => "half turns, ".into(),
            Turns::Words(n) => format!("Cody and Waite, {n} words, "),
            Turns::Table => "Payne and Hanek, 3 words, ".into(),
        }
    }
}

/// The reduction of a cube root: `2^q ∛(2^s/c) ∛(m c)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Cubic {
    /// For each of `2^t` cells of the fraction, a factor near the reciprocal of its numbers.
    pub factors: Vec<f64>,
    /// The cube roots of `1/c`, `2/c` and `4/c`, each for all factors c.
    pub roots: Vec<f64>,
}

/// Polynomials of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Pieces {
    /// The offset of the cells' numbers: the bits of `|x|` without those of the place in a cell, minus this, are the number of the cell.
    /// Negative numbers belong to the first cell.
    pub start: u64,
    /// There are `2^t` cells between a power of two and the next one.
    pub t: u32,
    /// The bits of each cell's center.
    pub centers: Vec<u64>,
    /// The bits of the coefficients, by power and cell.
    pub coefficients: Vec<Vec<u64>>,
    /// The largest relative error.
    pub error: f64,
}

/// The method of computing the function of `-t`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Falling {
    /// By a polynomial in `t`, squared this often.
    Power(u32),
    /// By `u = e^-t` and a polynomial in `u`.
    Exponential(Exponential),
    /// By `e^(-t²/2)` and a polynomial in `t`.
    Gaussian(Exponential),
}

/// Computes a function from its values at `-t`, `t = |x|`: `f(x) = 1 - f(-x)`, or `f(x) = x (1 - f(-x) / -x)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tail {
    /// The method of computing the function of `-t`.
    pub falling: Falling,
    /// The largest `t`.
    pub most: f64,
    /// Whether `x` is a factor.
    pub product: bool,
}

impl Tail {
    /// A number of bfloat16 beyond the largest `t` for which the falling side is computed.
    #[must_use]
    pub fn beyond(&self) -> f64 {
        let next = self.most * (1.0 + 2f64.powi(-6));
        f64::from(f32::from_bits((next as f32).to_bits() & !0xffff))
    }

    pub(super) fn describe(&self) -> String {
        match self.falling {
            Falling::Power(n) => format!("1 - f(-x), power {}, ", 1 << n),
            Falling::Exponential(e) | Falling::Gaussian(e) => {
                format!("1 - f(-x), {}", e.describe())
            }
        }
    }
}

/// A second polynomial of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Second {
    /// The approximation problem of the polynomial.
    pub approximation: Approximation,
    /// The number of its coefficients, of all powers.
    pub terms: u32,
}

/// A reduction.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// The polynomial alone.
    Plain,
    /// The polynomial of a root of the function, squared this often.
    Root(u32),
    /// One side computed from the other.
    Tail(Tail),
    /// `b^x = 2^(k/n) b^r`, and functions made from it.
    Exponential(Exponential),
    /// `log x = e log 2 - log c + log(1 + r)`.
    Logarithm(Logarithm),
    /// Sines and cosines by periods.
    Periodic(Periodic),
    /// The arc tangent, by the arc tangent of the reciprocal.
    Reciprocal,
    /// The arc sine, computed from the arc sine of half the angle to the pole.
    HalfAngle,
    /// The cube root.
    Cubic(Cubic),
    /// Polynomials of the cells of `|x|`. No search changes their coefficients.
    Pieces(Pieces),
}

/// The allowed deviation of a result, which decides where a polynomial is most accurate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Weight {
    /// The same everywhere.
    Absolute,
    /// A part of the result.
    Relative,
    /// A part of the result; for results below this number, the same everywhere. This stands for units in the last place.
    Above(f64),
}

impl Weight {
    /// The allowed deviation of a result of this size.
    #[must_use]
    pub fn allowance(self, result: f64) -> f64 {
        match self {
            Weight::Absolute => 1.0,
            Weight::Relative => result.abs(),
            Weight::Above(least) => result.abs().max(least),
        }
    }
}

/// The form of the function that an [`Approximation`] approximates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// `f(x)`
    Itself,
    /// `f(-x)`
    Negative,
    /// `f(x) / x`
    ByX,
    /// `f(-x) / -x`
    NegativeByX,
    /// `e^(x²/2) f(-x) / -x`
    NegativeByXByGaussian,
}

/// An approximation problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Approximation {
    /// The function.
    pub function: Source,
    /// The form of the function.
    pub of: Of,
    /// The lower end of the range.
    pub low: f64,
    /// The upper end of the range.
    pub high: f64,
    /// The measure of the error.
    pub weight: Weight,
    /// How often a square root is taken.
    pub roots: u32,
    /// The number that is subtracted from the variable of the polynomial, so that its powers are smaller.
    pub center: f64,
    /// The variable of the polynomial, if it is not the argument.
    pub variable: Option<Variable>,
}

impl Approximation {
    /// The approximation of a function itself, with its relative error.
    #[must_use]
    pub fn relative(function: impl Into<Source>, low: f64, high: f64) -> Approximation {
        Approximation {
            function: function.into(),
            of: Of::Itself,
            low,
            high,
            weight: Weight::Relative,
            roots: 0,
            center: 0.0,
            variable: None,
        }
    }
}

/// A kernel without its coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// The function.
    pub function: &'static str,
    /// The format of input and result.
    pub format: Format,
    /// The precision of its computation.
    pub prim: Prim,
    /// The reduction.
    pub shape: Shape,
    /// The approximation problem of the polynomial.
    pub approximation: Approximation,
    /// Its powers.
    pub form: Form,
    /// The number of its coefficients.
    pub terms: u32,
    /// The number of the denominator's coefficients after 1; 0 without a denominator.
    pub denominator: u32,
    /// The order of its evaluation.
    pub scheme: Scheme,
    /// Whether it has fused operations.
    pub fused: bool,
    /// Another polynomial, if the kernel has one.
    pub second: Option<Second>,
    /// The inputs for which it is designed.
    pub limits: Limits,
    /// The inputs beyond which its argument is cut off.
    pub cut: Saturation,
    /// Exceptions: inputs with results that are not computed.
    pub exceptions: Vec<(f32, f32)>,
    /// Magnitudes with values of the falling side that a tail does not compute. Each of them is one exception for both signs.
    pub corrections: Vec<(f32, f32)>,
}

impl Design {
    /// The key that distinguishes its polynomial from others.
    #[must_use]
    pub fn polynomial(&self) -> String {
        format!(
            "{:?} {:?} {:?} {} {} {:?} {:?}",
            self.shape,
            self.approximation,
            self.form,
            self.terms,
            self.denominator,
            self.prim,
            self.second
        )
    }

    /// Whether the rounding of a coefficient matters, so that the later coefficients are fitted again.
    #[must_use]
    pub fn refitted(&self) -> bool {
        self.prim == Prim::F32 || self.format == Format::F64
    }

    /// How its polynomial is evaluated.
    #[must_use]
    pub fn plan(&self) -> Plan {
        Plan {
            form: self.form,
            scheme: self.scheme,
            terms: self.terms,
            center: self.approximation.center,
            denominator: self.denominator,
        }
    }
}

/// The smallest and the largest input, and whether there are NaNs among the inputs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The least input.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// Whether NaNs are among them.
    pub nan: bool,
}

impl Limits {
    /// The largest magnitude.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}
