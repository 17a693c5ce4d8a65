//! Steps of a line that reduce its argument, and the line without them.

use crate::number::Fine;
use crate::residual::{Kind, Line, Node, expo, is_power};

impl Line {
    fn only_user(&self, a: usize) -> Option<usize> {
        let mut users = (0..self.nodes.len()).filter(|&i| self.nodes[i].kind.args().contains(&a));
        let first = users.next()?;
        users.next().is_none().then_some(first)
    }

    fn const_at(&self, i: usize) -> Option<f64> {
        match self.nodes[i].kind {
            Kind::Const(c) => Some(c),
            _ => None,
        }
    }

    /// The exact amount that a step of an argument's reduction adds to operation `at`, with the operation: the step is `at` plus or minus a
    /// constant, or plus a product of constants.
    fn step(&self, at: usize) -> Option<(usize, Fine)> {
        let i = self.only_user(at)?;
        let constant = |a: usize| self.const_at(a).map(Fine::double);
        let by = match self.nodes[i].kind {
            Kind::Add(a, b) => constant(if a == at { b } else { a })?,
            Kind::Sub(a, b) if a == at => constant(b)?.neg(),
            // Of 106 bits.
            Kind::Fma(a, b, c) if c == at => constant(a)?.mul(&constant(b)?),
            _ => return None,
        };
        Some((i, by))
    }

    /// The step of an argument's reduction that is rounded.
    pub fn rounded_step(&self) -> Option<&Node> {
        let mut at = self.input()?;
        loop {
            at = self.step(at)?.0;
            if self.nodes[at].rounding.is_some() {
                return Some(&self.nodes[at]);
            }
        }
    }

    /// The line as `2^scale core(x + shift)`, where both are exact, and a ULP of the result is `2^scale` ULP of the core's result; `None`
    /// if the core would have no input. With `rounded`, the core's input is the result of the first rounded step, and `shift` lacks its
    /// rounding.
    pub fn reduced(&self, rounded: bool) -> Option<Reduced> {
        let mut at = self.input()?;
        let mut shift = Fine::zero();
        let mut half = None;
        while let Some((i, c)) = self.step(at) {
            if let Some(rounding) = self.nodes[i].rounding {
                if !rounded {
                    break;
                }
                half = Some(rounding.unit - 1);
            }
            shift = shift.add(&c);
            at = i;
            if half.is_some() {
                break;
            }
        }
        let (mut out, mut scale) = (self.result, 0);
        while let Kind::Mul(a, b) = self.nodes[out].kind {
            let (c, rest) = match (self.const_at(a), self.const_at(b)) {
                (Some(c), _) => (c, b),
                (_, Some(c)) => (c, a),
                _ => break,
            };
            if self.nodes[out].rounding.is_some() || !is_power(c) || c < 0.0 {
                break;
            }
            scale += expo(c);
            out = rest;
        }
        // The unit in the last place is scaled with a value only where it is normal before and after.
        let scales = |i: usize| self.nodes[i].is_normal();
        if scale != 0 && !(scales(out) && scales(self.result)) {
            return None;
        }
        let input = Node {
            kind: Kind::Input,
            rounding: None,
            ..self.nodes[at]
        };
        let mut nodes = self.nodes.clone();
        nodes[at] = input;
        let mut core = Line::live(&nodes, out);
        core.input()?;
        if let Some((line, by)) = core.without_power()
            && line.nodes[line.result].is_normal()
            && scales(out)
            && scales(self.result)
        {
            core = line;
            scale += by;
        }
        // Exact: all are doubles whose exponents are limited.
        (shift.lo == shift.hi).then(|| Reduced {
            core,
            shift,
            half,
            scale,
            input,
        })
    }
}

/// The result of [`Line::reduced`].
pub struct Reduced {
    /// The line of `r = x + shift`.
    pub core: Line,
    /// The shift: one number, apart from a rounding.
    pub shift: Fine,
    /// The rounding is at most two to this power, which is half of the largest unit in the last place.
    pub half: Option<i32>,
    /// The exponent of the result's factor.
    pub scale: i32,
    /// The core's input.
    pub input: Node,
}
