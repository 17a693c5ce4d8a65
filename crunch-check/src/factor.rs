//! A power of two that is common to both terms of a line's last sums, as in `t + t p` with `t = 2^n T`: the lemma of `copies.rs` with q =
//! 0.

use crate::residual::{Kind, Line, expo};

impl Line {
    /// The line without the common power of two of its last sums, with the power's exponent; `None` if there is no such power.
    pub fn without_power(&self) -> Option<(Line, i32)> {
        let mut scales = vec![0; self.nodes.len()];
        self.divide(self.result, expo(self.leading(self.result)?), &mut scales)?;
        let moved = |i: usize| {
            let args = self.nodes[i].kind.args();
            scales[i] != 0 || args.iter().any(|&a| scales[a] != 0)
        };
        let by = scales[self.result];
        (by != 0).then_some(())?;
        Some((self.scaled(&scales, 0, moved, false)?, by))
    }

    /// The constant whose exponent is that of the power. For a sum or a product, it is the first constant among the operands, or the constant of
    /// the first operand; for `a b + c`, it is that of c.
    fn leading(&self, at: usize) -> Option<f64> {
        let constant = |i: usize| match self.nodes[i].kind {
            Kind::Const(c) => Some(c).filter(|&c| c != 0.0),
            _ => None,
        };
        let found = match self.nodes[at].kind {
            Kind::Add(a, b) | Kind::Sub(a, b) | Kind::Mul(a, b) => constant(a).or(constant(b)),
            Kind::Fma(a, b, c) => constant(c).or(constant(a)).or(constant(b)),
            _ => None,
        };
        let next = match self.nodes[at].kind {
            Kind::Add(a, _) | Kind::Sub(a, _) | Kind::Mul(a, _) | Kind::Neg(a) => Some(a),
            Kind::Fma(_, _, c) => Some(c),
            _ => None,
        };
        found.or_else(|| self.leading(next?))
    }

    /// Proposes scales with which operation `at` is divided by `2^s`. Of a product, one factor is divided: a constant, if there is one.
    fn divide(&self, at: usize, s: i32, scales: &mut [i32]) -> Option<()> {
        if scales[at] == s {
            return Some(());
        }
        scales[at] = s;
        let factor = |a: usize, b: usize| match self.nodes[a].kind {
            Kind::Const(_) => a,
            _ if matches!(self.nodes[b].kind, Kind::Const(_)) => b,
            _ => a,
        };
        match self.nodes[at].kind {
            Kind::Const(_) => Some(()),
            Kind::Neg(a) | Kind::Div(a, _) => self.divide(a, s, scales),
            Kind::Mul(a, b) => self.divide(factor(a, b), s, scales),
            Kind::Add(a, b) | Kind::Sub(a, b) | Kind::Sum(a, b) => {
                self.divide(a, s, scales)?;
                self.divide(b, s, scales)
            }
            Kind::Fma(a, b, c) => {
                self.divide(factor(a, b), s, scales)?;
                self.divide(c, s, scales)
            }
            Kind::Input | Kind::Sqrt(_) | Kind::Low(_) => None,
        }
    }
}
