//! Lines that are scaled copies of each other.
//!
//! *Lemma.* Let two lines have the same operations, and let their inputs be x and `2^-q x`. Let each operation i have an integer `s_i`, with
//! `s_i = q` for the input, such that
//!
//! - the operands of a sum, and the sum, have one `s_i`, and a negation that of its operand;
//! - a product has `s_a + s_b`, a quotient `s_a - s_b`, a root `s_a / 2`, and `a b + c` has `s_a + s_b = s_c`;
//! - the constants of the second line are those of the first times `2^(-s_i)`, exactly;
//! - each exact result of an operation that may be rounded is zero or, before and after its scaling, in magnitude at least `2^-1022` and below
//!   `2^1023`.
//!
//! Then each value of the second line is the first's times `2^(-s_i)`.
//!
//! Proof. By induction: the exact results are scaled, since sums, products, quotients and roots are homogeneous. Rounding to nearest, with
//! ties to the even significand, depends only on the significand where neither number is subnormal or overflows. ∎
//!
//! For a power f, `f(2^q x) = 2^(p q) f(x)`. Where the line's result has `s = p q`, errors in units in the last place are the same.

use crate::number::power_double;
use crate::residual::{Kind, Line, Node, expo, grid};

/// Exponents of results that are far from subnormal numbers and from infinity.
const MODERATE: std::ops::RangeInclusive<i32> = -1021..=1021;

/// `c 2^e`, exactly; `None` where it is no normal double.
fn times_power(c: f64, e: i32) -> Option<f64> {
    if c == 0.0 {
        return Some(c);
    }
    let to = expo(c) + e;
    if !(-1022..=1023).contains(&to) || !(-1022..=1023).contains(&expo(c)) {
        return None;
    }
    // In two steps, of which none leaves the normal numbers: the exponents before and after are normal.
    let half = e / 2;
    Some(c * power_double(half) * power_double(e - half))
}

/// Whether a node's exact results, times `2^by`, are as the lemma wants them.
fn moderate(node: &Node, by: i32) -> bool {
    let (lo, hi) = (node.lo.abs().min(node.hi.abs()), node.lo.abs().max(node.hi.abs()));
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
    /// The line of `2^-by x` of which this one is a copy, with the exponent of its results' factor; `None` where it is none.
    pub fn copy(&self, by: i32) -> Option<(Line, i32)> {
        let mut scales = vec![0; self.nodes.len()];
        let mut nodes = self.nodes.clone();
        let uses = |i: usize| self.nodes.iter().filter(|n| n.kind.args().contains(&i)).count();
        // Of a constant with one use the scale is what that operation needs.
        let free = |i: usize| matches!(self.nodes[i].kind, Kind::Const(_)) && uses(i) == 1;
        for (i, node) in self.nodes.iter().enumerate() {
            let sum = |scales: &mut Vec<i32>, args: &[usize]| -> Option<i32> {
                let first = args.iter().find(|&&a| !free(a))?;
                let to = scales[*first];
                for &a in args {
                    if free(a) {
                        scales[a] = to;
                    }
                }
                args.iter().all(|&a| scales[a] == to).then_some(to)
            };
            scales[i] = match node.kind {
                Kind::Input => by,
                Kind::Const(_) => 0,
                Kind::Add(a, b) | Kind::Sub(a, b) => sum(&mut scales, &[a, b])?,
                Kind::Mul(a, b) => {
                    if let Some(to) = self.mirrored(i, a, free(b)) {
                        scales[b] = to * scales[a] - scales[a];
                    }
                    scales[a] + scales[b]
                }
                Kind::Div(a, b) => scales[a] - scales[b],
                Kind::Fma(a, b, c) => {
                    let product = scales[a] + scales[b];
                    if free(c) && c != a && c != b {
                        scales[c] = product;
                    }
                    (scales[c] == product).then_some(product)?
                }
                Kind::Sqrt(a) => (scales[a] % 2 == 0).then_some(scales[a] / 2)?,
                Kind::Neg(a) => scales[a],
            };
        }
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
                    if !(moderate(node, 0) && moderate(node, to)) {
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
        let line = Line {
            nodes,
            result: self.result,
        };
        Some((line, scales[self.result]))
    }

    /// Whether operation `i`, `a b`, is the first of a number made of bits, `κ - a 2^k`: its constant has the scale with which that
    /// number's is -1 times the scale of a. This only proposes a scale; the rules of the lemma are examined for whatever it is.
    fn mirrored(&self, i: usize, a: usize, free: bool) -> Option<i32> {
        let constant = |j: usize| matches!(self.nodes[j].kind, Kind::Const(_));
        let site = self.nodes[i].site;
        let of_site = |n: &Node| matches!(n.kind, Kind::Sub(c, m) if m == i && constant(c)) && n.site == site;
        (free && !constant(a) && self.nodes.iter().any(of_site)).then_some(-1)
    }
}
