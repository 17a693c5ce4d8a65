//! Formulas as trees, which both parsers build. Equal parts are one node, so `exp(x) / (1 + exp(x))` contains one exponential.

use dc_runtime::model::key::Precision;

use crate::number::Number;

/// A node of a [`Tree`].
pub type Id = usize;

/// Comparisons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// Functions in addition to the references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    /// The absolute value.
    Abs,
    /// The smaller of two values.
    Min,
    /// The larger of two values.
    Max,
    /// The first value with the sign of the second.
    CopySign,
    /// The inverse of the error function.
    ErfInv,
    /// The inverse of the complementary error function.
    ErfcInv,
    /// The nearest whole number, ties away from zero.
    Round,
    /// The remainder for the quotient rounded towards zero.
    Fmod,
    /// The remainder for the nearest quotient, ties to even.
    Remainder,
    /// The largest whole number that is not larger.
    Floor,
    /// The smallest whole number that is not smaller.
    Ceil,
    /// The nearest whole number towards zero.
    Trunc,
    /// The sign of the gamma function. `lgamma` is the logarithm of its magnitude.
    LgammaSign,
    /// The Bessel function of the first kind and order 0.
    J0,
    /// The Bessel function of the first kind and order 1.
    J1,
    /// The Bessel function of the second kind and order 0.
    Y0,
    /// The Bessel function of the second kind and order 1.
    Y1,
}

impl Plain {
    /// Their names in formulas, with their numbers of arguments.
    pub const ALL: [(&'static str, Plain, usize); 17] = [
        ("abs", Plain::Abs, 1),
        ("min", Plain::Min, 2),
        ("max", Plain::Max, 2),
        ("copysign", Plain::CopySign, 2),
        ("erfinv", Plain::ErfInv, 1),
        ("erfcinv", Plain::ErfcInv, 1),
        ("round", Plain::Round, 1),
        ("fmod", Plain::Fmod, 2),
        ("remainder", Plain::Remainder, 2),
        ("floor", Plain::Floor, 1),
        ("ceil", Plain::Ceil, 1),
        ("trunc", Plain::Trunc, 1),
        ("lgamma_sign", Plain::LgammaSign, 1),
        ("j0", Plain::J0, 1),
        ("j1", Plain::J1, 1),
        ("y0", Plain::Y0, 1),
        ("y1", Plain::Y1, 1),
    ];
}

/// Functions that are formulas of other functions, with their numbers of arguments, which are a, b and c. Each formula is written so that
/// it loses no words.
pub const COMPOSED: &[(&str, usize, &str)] = &[
    ("log_sigmoid", 1, "-softplus(-a)"),
    // a (1 + tanh(u)) / 2 is a sigmoid(2 u).
    (
        "gelu_tanh",
        1,
        "a * sigmoid(2 * sqrt(2 / pi) * (a + 0.044715 * a^3))",
    ),
    ("logaddexp", 2, "max(a, b) + softplus(-abs(a - b))"),
    ("lerp", 3, "a + c * (b - a)"),
];

/// A part of a formula.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// An argument of the formula.
    Variable(usize),
    /// A constant.
    Number(Number),
    /// `-a`
    Negate(Id),
    /// `a + b`
    Add(Id, Id),
    /// `a - b`
    Subtract(Id, Id),
    /// `a * b`
    Multiply(Id, Id),
    /// `a / b`
    Divide(Id, Id),
    /// `a b + c`, rounded once
    Fma(Id, Id, Id),
    /// `a^n`
    Power(Id, i32),
    /// A function with a reference, by the reference's name.
    Call(&'static str, Vec<Id>),
    /// Another function.
    Plain(Plain, Vec<Id>),
    /// `if c then a else b`
    If(Id, Id, Id),
    /// The value, rounded to the precision of the operation. Only in FPCore.
    Cast(Id),
    /// The operation or number of that node, in another precision than the routine's. Only in FPCore.
    In(Precision, Id),
    /// A comparison.
    Compare(Comparison, Id, Id),
    /// True if both conditions hold.
    And(Id, Id),
    /// True if at least one of two conditions holds.
    Or(Id, Id),
    /// The negation of a condition.
    Not(Id),
    /// A condition that is known.
    Truth(bool),
}

impl Node {
    /// Whether the node is a condition and not a number.
    #[must_use]
    pub fn is_condition(&self) -> bool {
        matches!(
            self,
            Node::Compare(..) | Node::And(..) | Node::Or(..) | Node::Not(_) | Node::Truth(_)
        )
    }
}

/// A formula: nodes, operands before operations.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// Returns the node, which is created if there is no equal one.
    pub fn add(&mut self, node: Node) -> Id {
        if let Some(id) = self.nodes.iter().position(|n| *n == node) {
            return id;
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id]
    }

    /// Whether the node is this whole number.
    #[must_use]
    pub fn is_whole(&self, id: Id, n: f64) -> bool {
        self.whole(id) == Some(n)
    }

    /// The exact value of a node that is a whole number.
    #[must_use]
    pub fn whole(&self, id: Id) -> Option<f64> {
        match self.node(id) {
            Node::Number(x) if x.is_double() && x.hi.fract() == 0.0 => Some(x.hi),
            Node::Negate(a) => self.whole(*a).map(|n| -n),
            _ => None,
        }
    }
}
