//! Lines that are scaled copies of each other.
//!
//! *Lemma.* Let two lines have the same operations, and let their inputs be x and `2^-q x`. Let each operation i have an integer `s_i`, with
//! `s_i = q` for the input, such that
//!
//! - the operands of a sum, and the sum, have one `s_i`, and a negation that of its operand;
//! - a product has `s_a + s_b`, a quotient `s_a - s_b`, a root `s_a / 2`, and `a b + c` has `s_a + s_b = s_c`;
//! - the constants of the second line are those of the first times `2^(-s_i)`, exactly;
//! - each exact result of an operation that may be rounded is zero or, before and after its scaling, in magnitude at least `2^-1022` and below
//!   `2^1023`;
//! - the input, and each exact result of an operation of the first line that is not rounded, is so after its scaling.
//!
//! Then each value of the second line is the first's times `2^(-s_i)`. The last point is not needed for an operation with `s_i = 0` whose
//! operands also have 0: it is the same operation on the same numbers.
//!
//! Proof. By induction: the exact results are scaled, since sums, products, quotients and roots are homogeneous. Rounding to nearest, with
//! ties to the even significand, depends only on the significand if neither number is subnormal or overflows. An exact result that is a
//! double without a rounding has a significand of at most 53 bits. It is a double after its scaling too; before it, it may be subnormal. ∎
//!
//! For a power f, `f(2^q x) = 2^(p q) f(x)`. Where the line's result has `s = p q`, errors in units in the last place are the same. With q = 0 the
//! lemma takes a power of two out of the last sums of a line, as in `t + t p` with `t = 2^n T`.

use crate::number::power_double;
use crate::residual::{Kind, Line, Node, expo, grid, is_power};

/// Exponents of results that are far from those of subnormal numbers and of infinity.
const MODERATE: std::ops::RangeInclusive<i32> = -1021..=1021;

/// `c 2^e`, exactly; `None` if it is not a normal double. c may be subnormal.
fn times_power(c: f64, e: i32) -> Option<f64> {
    if c == 0.0 {
        return Some(c);
    }
    let to = expo(c) + e;
    if !(-1022..=1023).contains(&to) || e > 2046 {
        return None;
    }
    // In two steps, of which none leaves the numbers with exponents from that before to that after: where they are subnormal, they grow.
    let half = e / 2;
    Some(c * power_double(half) * power_double(e - half))
}

/// Whether a node's exact results, times `2^by`, are as the lemma requires.
fn moderate(node: &Node, by: i32) -> bool {
    let (lo, hi) = (
        node.lo.abs().min(node.hi.abs()),
        node.lo.abs().max(node.hi.abs()),
    );
    let fits = |x: f64| MODERATE.contains(&(expo(x) + by));
    let spans_zero = node.lo <= 0.0 && node.hi >= 0.0;
    // An exact result that is not zero is at least one step of its grid.
    let least = match node.rounding {
        None if spans_zero => MODERATE.contains(&(node.grid + by)),
        Some(rounding) if spans_zero => rounding.grid.is_some_and(|g| MODERATE.contains(&(g + by))),
        _ => fits(lo),
    };
    hi != 0.0 && fits(hi) && least
}

impl Line {
    /// Whether the node is a constant with one use: its scale is then whatever that operation needs.
    fn is_free(&self, i: usize) -> bool {
        let uses = self.nodes.iter().filter(|n| n.kind.args().contains(&i));
        matches!(self.nodes[i].kind, Kind::Const(_)) && uses.count() == 1
    }

    /// The line of `2^-by x` of which this one is a copy, with the exponent of its results' factor; `None` if this line is not such a copy.
    pub fn copy(&self, by: i32) -> Option<(Line, i32)> {
        let scales = self.proposed(by, false)?;
        let all = |_: usize| true;
        Some((self.scaled(&scales, by, all, true)?, scales[self.result]))
    }

    /// The same, if a product with a power of two removes the input's exponent and another product restores the result's exponent, `to`.
    pub fn copy_to(&self, by: i32, to: i32) -> Option<Line> {
        let mut scales = self.proposed(by, true)?;
        if let Kind::Mul(a, b) = self.nodes[self.result].kind
            && let Some(c) = [a, b].into_iter().find(|&c| self.is_free(c))
        {
            scales[c] += to - scales[self.result];
            scales[self.result] = to;
        }
        let all = |_: usize| true;
        let made = self.scaled(&scales, by, all, true)?;
        (scales[self.result] == to).then_some(made)
    }

    /// Proposes scales by which a line may be a copy, with or without the input's exponent beyond the first product with a power of two.
    fn proposed(&self, by: i32, taken: bool) -> Option<Vec<i32>> {
        let mut scales = vec![0; self.nodes.len()];
        let free = |i: usize| self.is_free(i);
        for (i, node) in self.nodes.iter().enumerate() {
            let sum = |scales: &mut Vec<i32>, args: &[usize]| -> Option<i32> {
                let first = args.iter().find(|&&a| !free(a))?;
                let to = scales[*first];
                for &a in args {
                    if free(a) {
                        scales[a] = to;
                    }
                }
                Some(to)
            };
            scales[i] = match node.kind {
                Kind::Input => by,
                Kind::Const(_) | Kind::Low(_) => 0,
                Kind::Add(a, b) | Kind::Sub(a, b) | Kind::Sum(a, b) => sum(&mut scales, &[a, b])?,
                Kind::Mul(a, b) => {
                    if let Some(to) = self.mirrored(i, a, free(b)) {
                        scales[b] = to * scales[a] - scales[a];
                    }
                    let power = |c: usize| {
                        free(c) && matches!(self.nodes[c].kind, Kind::Const(c) if is_power(c))
                    };
                    for (x, c) in [(a, b), (b, a)] {
                        if taken && self.nodes[x].kind == Kind::Input && power(c) {
                            scales[c] = -scales[x];
                        }
                    }
                    scales[a] + scales[b]
                }
                Kind::Div(a, b) => scales[a] - scales[b],
                Kind::Fma(a, b, c) => {
                    let product = scales[a] + scales[b];
                    if free(c) && c != a && c != b {
                        scales[c] = product;
                    }
                    product
                }
                Kind::Sqrt(a) => scales[a] / 2,
                Kind::Neg(a) => scales[a],
            };
        }
        Some(scales)
    }

    /// Whether the scales obey the lemma's rules for operations, with this one for the input.
    fn homogeneous(&self, scales: &[i32], input: i32) -> bool {
        self.nodes.iter().enumerate().all(|(i, node)| {
            let s = |a: usize| scales[a];
            match node.kind {
                Kind::Input => s(i) == input,
                Kind::Const(_) => true,
                // Its magnitude is not that of another input.
                Kind::Low(_) => s(i) == 0,
                Kind::Add(a, b) | Kind::Sub(a, b) | Kind::Sum(a, b) => s(a) == s(i) && s(b) == s(i),
                Kind::Mul(a, b) => s(a) + s(b) == s(i),
                Kind::Div(a, b) => s(a) - s(b) == s(i),
                Kind::Fma(a, b, c) => s(a) + s(b) == s(i) && s(c) == s(i),
                Kind::Sqrt(a) => s(a) == 2 * s(i),
                Kind::Neg(a) => s(a) == s(i),
            }
        })
    }

    /// The line of `2^-input x` with each value times `2^(-s_i)`. Gives `None` if the scales break a rule of the lemma, if a constant is not
    /// scaled exactly, or if an operation that `examined` names may give a result that is not moderate. With `small`, exact results must be
    /// moderate only after their scaling.
    pub(crate) fn scaled(
        &self,
        scales: &[i32],
        input: i32,
        examined: impl Fn(usize) -> bool,
        small: bool,
    ) -> Option<Line> {
        if !self.homogeneous(scales, input) {
            return None;
        }
        let mut nodes = self.nodes.clone();
        for (i, node) in self.nodes.iter().enumerate() {
            let to = -scales[i];
            match node.kind {
                Kind::Const(c) => {
                    let c = times_power(c, to)?;
                    nodes[i] = Node {
                        kind: Kind::Const(c),
                        lo: c,
                        hi: c,
                        grid: grid(c),
                        ..*node
                    };
                }
                _ => {
                    if !examined(i) {
                        continue;
                    }
                    if !(small && node.rounding.is_none() || moderate(node, 0))
                        || !moderate(node, to)
                    {
                        return None;
                    }
                    nodes[i] = Node {
                        lo: times_power(node.lo, to)?,
                        hi: times_power(node.hi, to)?,
                        grid: node.grid + to,
                        rounding: node.rounding.map(|r| crate::residual::Rounding {
                            unit: r.unit + to,
                            grid: r.grid.map(|g| g + to),
                        }),
                        ..*node
                    };
                }
            }
        }
        Some(Line {
            nodes,
            result: self.result,
        })
    }

    /// Whether operation `i`, `a b`, is the first of a number made of bits, `κ - a 2^k`: its constant has the scale with which that
    /// number's is -1 times the scale of a. This and `copy` only propose scales: `scaled` examines the rules.
    fn mirrored(&self, i: usize, a: usize, free: bool) -> Option<i32> {
        let constant = |j: usize| matches!(self.nodes[j].kind, Kind::Const(_));
        let site = self.nodes[i].site;
        let of_site =
            |n: &Node| matches!(n.kind, Kind::Sub(c, m) if m == i && constant(c)) && n.site == site;
        (free && !constant(a) && self.nodes.iter().any(of_site)).then_some(-1)
    }
}

#[cfg(test)]
mod tests;
