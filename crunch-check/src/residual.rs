//! The line of a kernel on a cell: sums, products, quotients and roots, each rounded once or exact.

use std::collections::HashMap;

use crate::number::{
    Coarse, double_above, double_below, exact, exponent, greater, lesser, magnitude, power,
    power_double,
};

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// The input.
    Input,
    /// A double.
    Const(f64),
    /// `a + b`
    Add(usize, usize),
    /// `a - b`
    Sub(usize, usize),
    /// `a b`
    Mul(usize, usize),
    /// `a / b`
    Div(usize, usize),
    /// `a b + c`
    Fma(usize, usize, usize),
    /// The square root.
    Sqrt(usize),
    /// `-a`
    Neg(usize),
    /// The low word of the argument: a double of at most two to this power in magnitude. In real arithmetic it is 0, and its rounding error is the
    /// word.
    Low(i32),
    /// `a + b`, the sum of a kernel's two results, which is not rounded.
    Sum(usize, usize),
}

impl Kind {
    /// The operands.
    pub fn args(self) -> Vec<usize> {
        match self {
            Kind::Input | Kind::Const(_) | Kind::Low(_) => vec![],
            Kind::Sqrt(a) | Kind::Neg(a) => vec![a],
            Kind::Add(a, b)
            | Kind::Sub(a, b)
            | Kind::Mul(a, b)
            | Kind::Div(a, b)
            | Kind::Sum(a, b) => vec![a, b],
            Kind::Fma(a, b, c) => vec![a, b, c],
        }
    }

    /// The operation with its operands renumbered.
    pub fn with(self, f: impl Fn(usize) -> usize) -> Kind {
        match self {
            Kind::Input | Kind::Const(_) | Kind::Low(_) => self,
            Kind::Sum(a, b) => Kind::Sum(f(a), f(b)),
            Kind::Add(a, b) => Kind::Add(f(a), f(b)),
            Kind::Sub(a, b) => Kind::Sub(f(a), f(b)),
            Kind::Mul(a, b) => Kind::Mul(f(a), f(b)),
            Kind::Div(a, b) => Kind::Div(f(a), f(b)),
            Kind::Fma(a, b, c) => Kind::Fma(f(a), f(b), f(c)),
            Kind::Sqrt(a) => Kind::Sqrt(f(a)),
            Kind::Neg(a) => Kind::Neg(f(a)),
        }
    }

    /// Whether its result is that of operands: it is neither given nor constant.
    pub fn operates(self) -> bool {
        !matches!(self, Kind::Input | Kind::Const(_) | Kind::Low(_))
    }

    /// The computed result for an input, from the results of the operations before it. NaN if the input does not determine it, or if it is no double.
    pub fn computed(self, x: f64, values: &[f64]) -> f64 {
        let v = |i: usize| values[i];
        match self {
            Kind::Input => x,
            Kind::Const(c) => c,
            Kind::Add(a, b) => v(a) + v(b),
            Kind::Sub(a, b) => v(a) - v(b),
            Kind::Mul(a, b) => v(a) * v(b),
            Kind::Div(a, b) => v(a) / v(b),
            Kind::Fma(a, b, c) => v(a).mul_add(v(b), v(c)),
            Kind::Sqrt(a) => v(a).sqrt(),
            Kind::Neg(a) => -v(a),
            Kind::Low(_) | Kind::Sum(..) => f64::NAN,
        }
    }

    /// The computed result at a corner of the operands' ranges.
    fn corner(self, x: &[f64]) -> f64 {
        match self {
            Kind::Add(..) => x[0] + x[1],
            Kind::Sub(..) => x[0] - x[1],
            Kind::Mul(..) => x[0] * x[1],
            Kind::Div(..) => x[0] / x[1],
            Kind::Fma(..) => x[0].mul_add(x[1], x[2]),
            Kind::Sqrt(_) => x[0].sqrt(),
            _ => f64::NAN,
        }
    }

    /// The real result over ranges of operands; `None` if it is not defined.
    pub fn over<const P: usize>(
        self,
        of: impl Fn(usize) -> crate::number::Interval<P>,
    ) -> Option<crate::number::Interval<P>> {
        Some(match self {
            Kind::Input | Kind::Low(_) => return None,
            Kind::Const(c) => crate::number::Interval::double(c),
            Kind::Add(a, b) | Kind::Sum(a, b) => of(a).add(&of(b)),
            Kind::Sub(a, b) => of(a).sub(&of(b)),
            Kind::Mul(a, b) => of(a).mul(&of(b)),
            Kind::Div(a, b) => of(a).div(&of(b))?,
            Kind::Fma(a, b, c) => of(a).mul(&of(b)).add(&of(c)),
            Kind::Sqrt(a) => of(a).sqrt()?,
            Kind::Neg(a) => of(a).neg(),
        })
    }
}

/// How a result is rounded, to nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rounding {
    /// The exponent of the largest unit in the last place on the stretch: the error is at most half of it.
    pub unit: i32,
    /// Exact results are multiples of `2^grid`; `None` for quotients and roots.
    pub grid: Option<i32>,
}

/// An operation with the properties of its computed values on a stretch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// The operation.
    pub kind: Kind,
    /// The instruction from which the operation comes.
    pub site: usize,
    /// The smallest computed value on the stretch is not below this (-0 is below 0).
    pub lo: f64,
    /// The largest computed value is not above this.
    pub hi: f64,
    /// The computed values are multiples of `2^grid`.
    pub grid: i32,
    /// The rounding; `None` if the operation is exact.
    pub rounding: Option<Rounding>,
}

impl Node {
    /// Whether all computed values are normal and of one sign.
    pub fn is_normal(&self) -> bool {
        let least = self.lo.abs().min(self.hi.abs());
        least >= f64::MIN_POSITIVE && self.lo.signum() == self.hi.signum()
    }
}

/// A straight line of operations.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its operations, each after its operands.
    pub nodes: Vec<Node>,
    /// The index of the result.
    pub result: usize,
}

/// Ranges of computed values that are assumed, by instruction.
pub type Assumed = HashMap<usize, (f64, f64)>;

/// The reason why the kernel has no line.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// No input meets the assumptions.
    Empty,
    /// Results may be infinite or NaN or those of more than one line, or the checker does not know an operation.
    No(String),
}

/// A grid coarser than every double.
const COARSE: i32 = 4000;
/// The exponent of the smallest double, which is the unit in the last place of subnormal doubles.
pub const LEAST: i32 = -1074;

/// The exponent e of a nonzero double, with `2^e <= |x| < 2^(e+1)`.
pub fn expo(x: f64) -> i32 {
    exponent(&exact(x))
}

/// The exponent of the unit in the last place.
pub fn ulp(x: f64) -> i32 {
    if x == 0.0 {
        LEAST
    } else {
        (expo(x) - 52).max(LEAST)
    }
}

/// The exponent of the last bit of a double.
pub fn grid(x: f64) -> i32 {
    if x == 0.0 {
        COARSE
    } else {
        exact(x).exponent() as i32
    }
}

/// Whether the double is a power of two, or the negative of one.
pub fn is_power(x: f64) -> bool {
    x != 0.0 && grid(x) == expo(x)
}

/// The builder of a line.
pub struct Builder<'a> {
    /// The assumed ranges.
    pub assumed: &'a Assumed,
    /// Whether sums whose rounding is that of a constant are taken as exact.
    pub constants: bool,
    /// Whether nothing is rounded.
    pub reals: bool,
    /// The operations so far.
    pub nodes: Vec<Node>,
}

/// The result of adding an operation.
pub enum Made {
    /// A node.
    Node(usize),
    /// One double on the whole stretch.
    Const(f64),
}

impl Builder<'_> {
    /// Adds the node of a constant.
    pub fn constant(&mut self, c: f64, site: usize) -> usize {
        self.nodes.push(Node {
            kind: Kind::Const(c),
            site,
            lo: c,
            hi: c,
            grid: grid(c),
            rounding: None,
        });
        self.nodes.len() - 1
    }

    /// Adds the node of the argument's low word, which is at most `2^most` in magnitude.
    pub fn low(&mut self, most: i32, site: usize) -> usize {
        let m = power_double(most);
        self.nodes.push(Node {
            kind: Kind::Low(most),
            site,
            lo: -m,
            hi: m,
            grid: LEAST,
            // Half of this unit is the largest magnitude. The word itself is no multiple of a grid that a rounding could tie on.
            rounding: Some(Rounding {
                unit: most + 1,
                grid: None,
            }),
        });
        self.nodes.len() - 1
    }

    /// Adds the exact sum of two nodes.
    pub fn sum(&mut self, a: usize, b: usize, site: usize) -> Result<usize, Stop> {
        let (high, low) = (self.nodes[a], self.nodes[b]);
        let lo = double_below(&(exact(high.lo) + exact(low.lo)));
        let hi = double_above(&(exact(high.hi) + exact(low.hi)));
        if !(lo.is_finite() && hi.is_finite()) {
            return Err(Stop::No("the sum of both results overflows".into()));
        }
        self.nodes.push(Node {
            kind: Kind::Sum(a, b),
            site,
            lo,
            hi,
            grid: high.grid.min(low.grid),
            rounding: None,
        });
        Ok(self.nodes.len() - 1)
    }

    fn push(&mut self, node: Node) -> Made {
        self.nodes.push(node);
        Made::Node(self.nodes.len() - 1)
    }

    /// Adds an operation on nodes.
    pub fn make(&mut self, kind: Kind, site: usize) -> Result<Made, Stop> {
        let args = kind.args();
        let at: Vec<Node> = args.iter().map(|&a| self.nodes[a]).collect();
        if let Kind::Neg(_) = kind {
            let Node { lo, hi, grid, .. } = at[0];
            return Ok(self.push(Node {
                kind,
                site,
                lo: -hi,
                hi: -lo,
                grid,
                rounding: None,
            }));
        }
        if let Some(of) = self.undone(kind) {
            return Ok(match self.nodes[of].kind {
                Kind::Const(c) => Made::Const(c),
                _ => Made::Node(of),
            });
        }
        let spans_zero = |n: &Node| n.lo <= 0.0 && n.hi >= 0.0;
        if matches!(kind, Kind::Div(..)) && spans_zero(&at[1]) {
            return Err(Stop::No("a divisor may be zero".into()));
        }
        // Each operation is monotone in each operand, and so is the rounding.
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in 0..1usize << at.len() {
            let x: Vec<f64> = at
                .iter()
                .enumerate()
                .map(|(i, n)| if corner >> i & 1 == 0 { n.lo } else { n.hi })
                .collect();
            let y = kind.corner(&x);
            if !y.is_finite() {
                return Err(Stop::No(format!(
                    "instruction %{site} may give infinity or NaN"
                )));
            }
            lo = lesser(lo, y);
            hi = greater(hi, y);
        }
        if self.reals {
            return Ok(self.push(Node {
                kind,
                site,
                lo,
                hi,
                grid: LEAST,
                rounding: None,
            }));
        }
        if lo.to_bits() == hi.to_bits() {
            return Ok(Made::Const(lo));
        }
        if let Some(&(least, most)) = self.assumed.get(&site) {
            // If both ends are zeros, the range keeps its own.
            lo = if least > lo { least } else { lo };
            hi = if most < hi { most } else { hi };
            if lo > hi {
                return Err(Stop::Empty);
            }
        }
        let ranges = |i: usize| Coarse::doubles(self.nodes[i].lo, self.nodes[i].hi);
        let unrounded = kind
            .over(ranges)
            .ok_or_else(|| Stop::No("a root of what may be negative".into()))?;
        let sum = |a: i32, b: i32| (a + b).clamp(-4 * COARSE, COARSE);
        let exact_grid = match kind {
            Kind::Add(a, b) if a == b => Some(sum(at[0].grid, 1)),
            Kind::Add(..) | Kind::Sub(..) => Some(at[0].grid.min(at[1].grid)),
            Kind::Mul(..) => Some(sum(at[0].grid, at[1].grid)),
            Kind::Fma(..) => Some(sum(at[0].grid, at[1].grid).min(at[2].grid)),
            _ => None,
        };
        let most = lo.abs().max(hi.abs());
        let mut unit = ulp(most);
        if is_power(most) && magnitude(&unrounded.magnitude()) <= exact(most) {
            // The power of two is approached from below, where the spacing of doubles is smaller.
            unit = (expo(most) - 53).max(LEAST);
        }
        let node = Node {
            kind,
            site,
            lo,
            hi,
            grid: exact_grid.unwrap_or(LEAST).min(COARSE),
            rounding: None,
        };
        if let Some(g) = exact_grid {
            let by_power = |a: &Node| matches!(a.kind, Kind::Const(c) if is_power(c));
            if g >= LEAST && (g >= unit || matches!(kind, Kind::Mul(..)) && at.iter().any(by_power))
            {
                return Ok(self.push(node));
            }
        }
        if self.keeps_its_operand(kind) {
            return Ok(self.push(node));
        }
        if self.constants
            && let Some(made) = self.constant_rounding(node, &at, unit, &unrounded)
        {
            return Ok(made);
        }
        let least = if lo <= 0.0 && hi >= 0.0 {
            LEAST
        } else {
            ulp(lo.abs().min(hi.abs()))
        };
        let grid = least.max(exact_grid.unwrap_or(LEAST)).min(COARSE);
        Ok(self.push(Node {
            grid,
            rounding: Some(Rounding {
                unit,
                grid: exact_grid,
            }),
            ..node
        }))
    }

    /// The number that `s - (s - a)` equals if `s - a` is exact: a. By ranges, such a difference next to a power of two may seem to be rounded. Zero
    /// may have the other sign.
    fn undone(&self, kind: Kind) -> Option<usize> {
        let Kind::Sub(s, v) = kind else {
            return None;
        };
        let Kind::Sub(of, a) = self.nodes[v].kind else {
            return None;
        };
        let number = &self.nodes[a];
        let exact = of == s && self.nodes[v].rounding.is_none();
        (exact && (number.lo > 0.0 || number.hi < 0.0)).then_some(a)
    }

    /// Whether nothing is rounded because the operation adds zero to a number, or adds a number to itself.
    fn keeps_its_operand(&self, kind: Kind) -> bool {
        let zero = |i: usize| matches!(self.nodes[i].kind, Kind::Const(c) if c == 0.0);
        match kind {
            Kind::Add(a, b) => a == b || zero(a) || zero(b),
            Kind::Sub(a, b) => zero(a) || zero(b),
            Kind::Fma(a, b, _) => zero(a) || zero(b),
            _ => false,
        }
    }

    /// `c ± t`, where t is a multiple of the sum's last place and all sums are in one binade. The sum's rounding is then that of the
    /// constant to that place, the same for each t.
    fn constant_rounding(
        &mut self,
        node: Node,
        at: &[Node],
        unit: i32,
        unrounded: &Coarse,
    ) -> Option<Made> {
        let (Kind::Add(a, b) | Kind::Sub(a, b)) = node.kind else {
            return None;
        };
        let (c, t, first) = match (at[0].kind, at[1].kind) {
            (Kind::Const(c), _) => (c, b, true),
            (_, Kind::Const(c)) => (c, a, false),
            _ => return None,
        };
        let place = |x| exponent(x) - 52;
        let fine = self.nodes[t].grid;
        if unrounded.holds_zero()
            || place(&unrounded.lo) != unit
            || place(&unrounded.hi) != unit
            || fine < unit
            || !(-1000..=900).contains(&unit)
        {
            return None;
        }
        // Exact, except for results below 2^-1074, which are no ties and round to 0.
        let scaled = c * power_double(-unit);
        let tie = (scaled - scaled.floor()) == 0.5;
        if scaled.abs() > 4e15 || tie && fine <= unit {
            return None;
        }
        let rounded = scaled.round_ties_even() * power_double(unit);
        let c = self.constant(rounded, node.site);
        let (a, b) = if first { (c, t) } else { (t, c) };
        let kind = if matches!(node.kind, Kind::Add(..)) {
            Kind::Add(a, b)
        } else {
            Kind::Sub(a, b)
        };
        Some(self.push(Node {
            kind,
            grid: unit,
            rounding: None,
            ..node
        }))
    }
}

impl Line {
    /// The line of the operations on which the result depends.
    pub fn live(nodes: &[Node], result: usize) -> Line {
        let mut wanted = vec![false; nodes.len()];
        wanted[result] = true;
        for i in (0..nodes.len()).rev().filter(|&i| i <= result) {
            if wanted[i] {
                for a in nodes[i].kind.args() {
                    wanted[a] = true;
                }
            }
        }
        let mut place = vec![0; nodes.len()];
        let mut live = Vec::new();
        for (i, node) in nodes.iter().enumerate().filter(|(i, _)| wanted[*i]) {
            place[i] = live.len();
            live.push(Node {
                kind: node.kind.with(|a| place[a]),
                ..*node
            });
        }
        Line {
            result: place[result],
            nodes: live,
        }
    }

    /// The index of the input.
    pub fn input(&self) -> Option<usize> {
        self.nodes.iter().position(|n| n.kind == Kind::Input)
    }

    /// The line on another stretch of its input, with ranges, grids and roundings recomputed.
    pub fn on(&self, input: Node, assumed: &Assumed) -> Result<Line, Stop> {
        let mut builder = Builder {
            assumed,
            reals: false,
            constants: true,
            nodes: Vec::new(),
        };
        let mut place = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let made = match node.kind {
                Kind::Input => builder.push(Node {
                    kind: Kind::Input,
                    site: node.site,
                    ..input
                }),
                Kind::Const(c) => Made::Node(builder.constant(c, node.site)),
                Kind::Low(most) => Made::Node(builder.low(most, node.site)),
                Kind::Sum(a, b) => Made::Node(builder.sum(place[a], place[b], node.site)?),
                kind => builder.make(kind.with(|a| place[a]), node.site)?,
            };
            place.push(match made {
                Made::Node(i) => i,
                Made::Const(c) => builder.constant(c, node.site),
            });
        }
        Ok(Line::live(&builder.nodes, place[self.result]))
    }

    /// The computed result for an input; `values` is a buffer for the results of all operations.
    pub fn compute(&self, x: f64, values: &mut Vec<f64>) -> f64 {
        values.clear();
        for node in &self.nodes {
            values.push(node.kind.computed(x, values));
        }
        values[self.result]
    }

    /// The key by which lines are compared: operations, operands, constants.
    pub fn key(&self) -> String {
        let words = self.nodes.iter().map(|n| match n.kind {
            Kind::Const(c) => format!("{:x}", c.to_bits()),
            kind => format!("{kind:?}"),
        });
        words
            .chain([self.result.to_string()])
            .collect::<Vec<_>>()
            .join(";")
    }
}

/// `2^e` as an interval.
pub fn unit<const P: usize>(e: i32) -> crate::number::Interval<P> {
    crate::number::Interval::of(power(e))
}

#[cfg(test)]
mod tests;
