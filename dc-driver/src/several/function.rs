//! The functions that serve as references for functions of several numbers, by name.

use super::three::Three;
use crate::failure::Failure;
use dc_runtime::model::several::{Kind, Several};
use dc_runtime::search::range::quote;

/// A complex function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Complex {
    Exp,
    Log,
    Sqrt,
    Pow,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
}

impl Complex {
    pub const ALL: [Complex; 16] = [
        Complex::Exp,
        Complex::Log,
        Complex::Sqrt,
        Complex::Pow,
        Complex::Sin,
        Complex::Cos,
        Complex::Tan,
        Complex::Asin,
        Complex::Acos,
        Complex::Atan,
        Complex::Sinh,
        Complex::Cosh,
        Complex::Tanh,
        Complex::Asinh,
        Complex::Acosh,
        Complex::Atanh,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Complex::Exp => "exp",
            Complex::Log => "log",
            Complex::Sqrt => "sqrt",
            Complex::Pow => "pow",
            Complex::Sin => "sin",
            Complex::Cos => "cos",
            Complex::Tan => "tan",
            Complex::Asin => "asin",
            Complex::Acos => "acos",
            Complex::Atan => "atan",
            Complex::Sinh => "sinh",
            Complex::Cosh => "cosh",
            Complex::Tanh => "tanh",
            Complex::Asinh => "asinh",
            Complex::Acosh => "acosh",
            Complex::Atanh => "atanh",
        }
    }
}

/// A function of several numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Three(Three),
    SinCos,
    Complex(Complex),
}

impl Function {
    /// The function with that name for functions of these types.
    pub fn named(name: &str, types: Several) -> Result<Function, Failure> {
        let all = Function::of(types.kind);
        let found = all.iter().find(|f| f.name() == name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|f| f.name()).collect();
            Failure::input(format!(
                "--computes {}: for functions of {types} there are {}",
                quote(name),
                names.join(", ")
            ))
        })
    }

    /// The name of one such function for these types, as an example.
    pub fn named_first(types: Several) -> &'static str {
        let all = Function::of(types.kind);
        all.first().map_or("", |f| f.name())
    }

    fn of(kind: Kind) -> Vec<Function> {
        let complex = Complex::ALL.into_iter();
        match kind {
            Kind::Three => Three::ALL.map(Function::Three).to_vec(),
            Kind::Two => vec![Function::SinCos],
            Kind::Complex => {
                let one = complex.filter(|f| *f != Complex::Pow);
                one.map(Function::Complex).collect()
            }
            Kind::ComplexTwo => vec![Function::Complex(Complex::Pow)],
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Function::Three(f) => f.name(),
            Function::SinCos => "sincos",
            Function::Complex(f) => f.name(),
        }
    }
}
