//! The functions of two arguments that the checker knows.

/// A function of two arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// √(x² + y²)
    Hypot,
    /// x / y
    Div,
}

impl Function {
    pub fn named(name: &str) -> Result<Function, String> {
        match name {
            "hypot" => Ok(Function::Hypot),
            "div" => Ok(Function::Div),
            _ => Err(format!(
                "the function `{name}` of pairs is not known to this checker"
            )),
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Function::Hypot => "sqrt(x^2 + y^2)",
            Function::Div => "x / y",
        }
    }
}
