//! The bound of the error of a line on a stretch of its input.
//!
//! This file computes the theorem of docs/book/src/understand/cell-bounds.md. Let `V` be the computed values, `S` the values without any
//! rounding, `e = V - S`, and ε the rounding errors. Then `e_i = Σ g_ij e_j + ε_i` with the slopes of secants, so `e_out = Σ W_i ε_i`. The
//! method's error `S_out - f` comes from Taylor series at the stretch's center with Lagrange's remainder.

use crate::expansion::{Expansion, monotonic_range, narrow_range, range};
use crate::function::On;
use crate::number::{
    Coarse, Fine, Number, double_above, double_below, exact, exponent, negative, power,
    power_double, zero,
};
use crate::residual::{Assumed, Kind, Line, Node, Stop, expo, ulp, unit};
use crate::roundings::{across_a_power, beside_powers, rounded_last};
use crate::series::{Series, of_line};
use crate::ties::tied;

/// The analysis of a line on a stretch.
pub struct Analysis {
    /// The line.
    pub line: Line,
    /// The series at the center of the stretch.
    pub at: Vec<Series<192>>,
    /// The coefficients over the stretch, one more than at the center: the last one belongs to the remainder.
    pub over: Vec<Series<64>>,
    /// The real values.
    pub reals: Vec<Coarse>,
    /// The computed values.
    pub values: Vec<Coarse>,
    /// Bounds of `|V - S|`.
    pub errors: Vec<Number>,
    /// The powers of the reach of the expansion.
    pub reach: Vec<Coarse>,
}

/// A bound of the errors, in units in the last place of f.
pub struct Bound {
    /// All errors lie in this range, in units of the smallest true value.
    pub error: Coarse,
    /// A bound of every error, in units of the error's own true value.
    pub most: Number,
    /// The method's part.
    pub method: Coarse,
    /// The remainder's part of the method's error.
    pub rest: Number,
    /// The unit's exponent.
    pub unit: i32,
    /// The function, times the factor and without η: its series at the center,
    pub truth: Series<192>,
    /// and the last coefficient over the stretch.
    pub remainder: Coarse,
}

/// The part of an argument's low word in the bound of a stretch: see `low.rs`.
pub struct Beside {
    /// `(W_l - f'(x)) l - f''(ξ) l² / 2`
    pub part: Coarse,
    /// A bound of `|f(x + l) - f(x)|`, where f has its factor, but not 1 + η.
    pub moves: Number,
    /// The values f(x + l), also without 1 + η.
    pub values: Coarse,
}

/// The function on a stretch.
pub struct Truth {
    /// Its series at the center,
    at: Series<192>,
    /// and its coefficients over the stretch, one more.
    over: Series<64>,
}

impl Truth {
    /// Returns `None` if the function is not defined there.
    #[cfg(test)]
    pub fn new(function: &On, expansion: &Expansion) -> Option<Truth> {
        Truth::with(Truth::over(function, expansion)?, function, expansion)
    }

    /// The coefficients over the stretch.
    pub fn over(function: &On, expansion: &Expansion) -> Option<Series<64>> {
        let w = Coarse::of(expansion.radius.clone());
        function.series(&expansion.cell(), &w, expansion.terms + 1)
    }

    /// The same, with coefficients over the stretch that are already known.
    pub fn with(over: Series<64>, function: &On, expansion: &Expansion) -> Option<Truth> {
        let center = Fine::double(expansion.center);
        let w = Fine::of(expansion.radius.clone());
        let at = function.series(&center, &w, expansion.terms)?;
        Some(Truth { at, over })
    }

    /// The series of the derivative by x at the center, with this many terms, fewer than the function has. The radius is two to this power.
    pub fn slope(&self, terms: usize, radius: i32) -> Series<64> {
        derivative(&self.at, terms, radius)
            .iter()
            .map(Fine::to)
            .collect()
    }

    /// The same over the stretch.
    pub fn slope_over(&self, terms: usize, radius: i32) -> Series<64> {
        derivative(&self.over, terms, radius)
    }
}

/// The first coefficients of the derivative of f(x + w τ) by x, where w is two to the power `radius`.
fn derivative<const P: usize>(of: &Series<P>, terms: usize, radius: i32) -> Series<P> {
    let by = |k: usize| crate::number::Interval::double((k + 1) as f64);
    (0..terms)
        .map(|k| of[k + 1].mul(&by(k)).scale(-radius))
        .collect()
}

/// The series at the center and the coefficients over the stretch, for each operation.
type AllSeries = (Vec<Series<192>>, Vec<Series<64>>);

/// The series of a line on a stretch; `None` if they are not defined.
fn all_series(line: &Line, expansion: &Expansion) -> Option<AllSeries> {
    let mut x = vec![
        Fine::double(expansion.center),
        Fine::of(expansion.radius.clone()),
    ];
    x.resize(expansion.terms, Fine::zero());
    let at = of_line(line, &x)?;
    let mut x = vec![expansion.cell(), Coarse::of(expansion.radius.clone())];
    x.resize(expansion.terms + 1, Coarse::zero());
    Some((at, of_line(line, &x)?))
}

fn top(x: &Coarse) -> Number {
    x.magnitude()
}

impl Analysis {
    /// The analysis of a line on all doubles from `lo` to `hi`.
    pub fn of_all(line: &Line, lo: f64, hi: f64) -> Option<Analysis> {
        let input = line.nodes[line.input()?];
        let grid = input.grid.max(ulp(lo.abs().min(hi.abs())));
        let expansion = Expansion::new(lo, hi, grid).with_ends();
        let input = Node {
            lo: expansion.lo,
            hi,
            ..input
        };
        Analysis::new(line, input, &expansion, &Assumed::new()).ok()
    }

    /// The analysis of a line whose input on the stretch is `input`.
    ///
    /// # Errors
    /// If the line has no analysis there.
    pub fn new(
        core: &Line,
        input: Node,
        expansion: &Expansion,
        assumed: &Assumed,
    ) -> Result<Analysis, Stop> {
        let mut tight = assumed.clone();
        let mut rounds = 0;
        // The series do not depend on the assumptions, as long as the line is the same.
        let mut known: Option<Analysis> = None;
        loop {
            let line = core.on(input, &tight)?;
            // With these ranges its result is one number: a line of nothing else, which has none of them.
            if matches!(line.nodes[line.result].kind, Kind::Const(_))
                && let Some(before) = known.take()
            {
                return Ok(before);
            }
            let same = |a: &Analysis| {
                let kinds = |l: &Line| l.nodes.iter().map(|n| n.kind).collect::<Vec<_>>();
                a.line.result == line.result && kinds(&a.line) == kinds(&line)
            };
            let series = known.take().filter(same).map(|a| (a.at, a.over));
            let analysis = Analysis::of(line, expansion, series)?;
            rounds += 1;
            if rounds == 3 {
                return Ok(analysis);
            }
            let mut gains = false;
            let operates = |n: &Node| n.kind.operates();
            // A number that is made of bits is several operations of one site, whose ranges differ.
            let alone = |site: usize| {
                let nodes = analysis.line.nodes.iter();
                nodes.filter(|n| operates(n) && n.site == site).count() == 1
            };
            for (node, values) in analysis.line.nodes.iter().zip(&analysis.values) {
                if !operates(node) || !alone(node.site) {
                    continue;
                }
                let (lo, hi) = values.ends();
                let (lo, hi) = (lo.max(node.lo), hi.min(node.hi));
                let binade = |x: f64| if x == 0.0 { i32::MIN } else { expo(x) };
                gains |= binade(lo) != binade(node.lo)
                    || binade(hi) != binade(node.hi)
                    || hi - lo < 0.5 * (node.hi - node.lo);
                tight.insert(node.site, (lo, hi));
            }
            if !gains {
                return Ok(analysis);
            }
            known = Some(analysis);
        }
    }

    fn of(line: Line, expansion: &Expansion, known: Option<AllSeries>) -> Result<Analysis, Stop> {
        let no = || Stop::No("a quotient or root is not defined in real arithmetic".into());
        let (at, over) = known
            .or_else(|| all_series(&line, expansion))
            .ok_or_else(no)?;
        let mut analysis = Analysis {
            line,
            at,
            over,
            reals: Vec::new(),
            values: Vec::new(),
            errors: Vec::new(),
            reach: expansion.reach.clone(),
        };
        for i in 0..analysis.line.nodes.len() {
            let node = analysis.line.nodes[i];
            let computed = Coarse::doubles(node.lo, node.hi);
            let reals = range(&analysis.at[i], &analysis.over[i], &expansion.reach);
            let reals = reals.meet(&analysis.over[i][0]).unwrap_or(reals);
            let by_ends = monotonic_range(&analysis.at[i], &analysis.over[i], expansion);
            let reals = by_ends.and_then(|r| reals.meet(&r)).unwrap_or(reals);
            analysis.reals.push(reals.clone());
            // The slopes of operation i need only its real values.
            analysis.values.push(computed.clone());
            let mut error = Coarse::zero();
            for (a, g) in analysis.slopes(i).ok_or_else(no)? {
                error =
                    error.add(&Coarse::of(top(&g)).mul(&Coarse::of(analysis.errors[a].clone())));
            }
            let before = reals.add(&Coarse::symmetric(error.hi.clone()));
            if let Some(off) = analysis.rounding(i) {
                error = error.add(&Coarse::of(off));
            }
            let error = error.hi;
            let near = reals.add(&Coarse::symmetric(error.clone()));
            // Each of these contains all computed values: if they have nothing in common, there is no input.
            let mut values = computed.meet(&near).ok_or(Stop::Empty)?;
            // A low word is not what its real value, 0, is rounded to.
            let nearest = node.rounding.is_some() && !matches!(node.kind, Kind::Low(_));
            if nearest && expansion.ends.is_some() {
                values = values.meet(&rounded(&before)).ok_or(Stop::Empty)?;
            }
            analysis.values[i] = values;
            analysis.errors.push(error);
        }
        Ok(analysis)
    }

    /// A bound of an operation's rounding error; `None` if the operation is exact. The operands' values are known.
    fn rounding(&self, i: usize) -> Option<Number> {
        let node = &self.line.nodes[i];
        let unit = node.rounding?.unit;
        let half = power(unit - 1);
        let Kind::Mul(a, b) = node.kind else {
            return Some(half);
        };
        let of = |a: usize| (&self.values[a], self.line.nodes[a].grid);
        Some(beside_powers(of(a), of(b), unit).map_or(half.clone(), |off| off.min(half)))
    }

    /// The operands of an operation, each with the slope of its secants.
    pub fn slopes(&self, i: usize) -> Option<Vec<(usize, Coarse)>> {
        let one = || Coarse::double(1.0);
        let v = |a: usize| &self.values[a];
        let s = |a: usize| &self.reals[a];
        Some(match self.line.nodes[i].kind {
            Kind::Input | Kind::Const(_) | Kind::Low(_) => vec![],
            Kind::Add(a, b) | Kind::Sum(a, b) => vec![(a, one()), (b, one())],
            Kind::Sub(a, b) => vec![(a, one()), (b, one().neg())],
            Kind::Mul(a, b) => vec![(a, v(b).clone()), (b, s(a).clone())],
            Kind::Fma(a, b, c) => vec![(a, v(b).clone()), (b, s(a).clone()), (c, one())],
            Kind::Div(a, b) => vec![(a, one().div(v(b))?), (b, s(i).div(v(b))?.neg())],
            Kind::Sqrt(a) => vec![(a, one().div(&v(a).sqrt()?.add(s(i)))?)],
            Kind::Neg(a) => vec![(a, one().neg())],
        })
    }

    /// The change of the result's error per unit of each operation's rounding error.
    pub fn weights(&self) -> Option<Vec<Coarse>> {
        let n = self.line.nodes.len();
        let mut weights = vec![Coarse::zero(); n];
        weights[self.line.result] = Coarse::double(1.0);
        for i in (0..n).rev() {
            if zero(&weights[i].lo) && zero(&weights[i].hi) {
                continue;
            }
            for (a, g) in self.slopes(i)? {
                weights[a] = weights[a].add(&weights[i].mul(&g));
            }
        }
        Some(weights)
    }

    /// The bound of the error with respect to the function times a factor and `1 + η`.
    ///
    /// # Errors
    /// If the function is not defined, or overflows.
    #[cfg(test)]
    pub fn bound(
        &self,
        function: &Truth,
        factor: &Fine,
        eta: &Coarse,
        expansion: &Expansion,
        weights: &[Coarse],
    ) -> Result<Bound, Stop> {
        self.bound_beside(function, (factor, eta), expansion, weights, None)
    }

    /// The same, for a kernel with a low word: the error is that from the function at the sum of both words.
    ///
    /// # Errors
    /// If the function overflows.
    pub fn bound_beside(
        &self,
        function: &Truth,
        (factor, eta): (&Fine, &Coarse),
        expansion: &Expansion,
        weights: &[Coarse],
        low: Option<&Beside>,
    ) -> Result<Bound, Stop> {
        let Truth { at, over } = function;
        let at: Vec<Fine> = at.iter().map(|c| c.mul(factor)).collect();
        let over: Vec<Coarse> = over.iter().map(|c| c.mul(&factor.to())).collect();
        let f = range(&at, &over, &expansion.reach);
        let f = f.meet(&over[0]).unwrap_or(f);
        let is_low = |i: usize| matches!(self.line.nodes[i].kind, Kind::Low(_));
        if low.is_none() && (0..self.line.nodes.len()).any(is_low) {
            return Err(Stop::No("the claim is about no low word".into()));
        }
        // The unit is that of the values on which the claim is.
        let values = low.map_or_else(
            || f.clone(),
            |low| {
                let near = f.add(&Coarse::symmetric(low.moves.clone()));
                near.meet(&low.values).unwrap_or(near)
            },
        );
        let truth = values.mul(&Coarse::double(1.0).add(eta));
        let unit = true_unit(&truth)?;
        let out = self.line.result;
        let difference: Vec<Fine> = self.at[out]
            .iter()
            .zip(&at)
            .map(|(s, f)| s.sub(f))
            .collect();
        let rest: Vec<Coarse> = self.over[out]
            .iter()
            .zip(&over)
            .map(|(s, f)| s.sub(f))
            .collect();
        let method = narrow_range(&difference, &rest, &expansion.reach)
            .sub(&eta.mul(&f))
            .scale(-unit);
        // What belongs to the low word is no rounding.
        let method = match low {
            Some(low) => method.add(&low.part.scale(-unit)),
            None => method,
        };
        let last = rounded_last(&self.line);
        // All but the rounding of the result.
        let (mut before, mut own) = (method.clone(), Coarse::zero());
        let offs: Vec<Option<Number>> = (0..weights.len())
            .map(|i| self.rounding(i).filter(|_| !is_low(i)))
            .collect();
        let part =
            |i: usize, off: &Number| (weights[i].mul(&Coarse::symmetric(off.clone()))).scale(-unit);
        for (i, off) in offs.iter().enumerate() {
            if let Some(off) = off {
                let part = part(i, off);
                match last {
                    Some((last, _)) if last == i => own = part,
                    _ => before = before.add(&part),
                }
            }
        }
        let mut error = before.add(&own);
        for pair in tied(&self.line) {
            let without = |node: usize| {
                let others = offs.iter().enumerate().filter(|(i, _)| *i != node);
                let parts = others.filter_map(|(i, off)| Some(part(i, off.as_ref()?)));
                parts.fold(method.clone(), |sum, part| sum.add(&part))
            };
            let Some(off) = &offs[pair.first] else {
                continue;
            };
            let least = pair.least.min(off.clone());
            let no_tie = without(pair.first).add(&part(pair.first, &least));
            let either = without(pair.then).hull(&no_tie);
            error = error.meet(&either).unwrap_or(error);
        }
        let across = last.and_then(|last| across_a_power(&self.line, last, unit, &before));
        let most = error.magnitude();
        Ok(Bound {
            most: across.map_or(most.clone(), |across| across.min(most)),
            error,
            method,
            rest: (rest[expansion.terms].mul(&expansion.reach[expansion.terms]))
                .scale(-unit)
                .magnitude(),
            unit,
            remainder: over[expansion.terms].clone(),
            truth: at,
        })
    }

    /// The instruction of an operation whose results lie on both sides of a power of two, closer to it than their
    /// errors, with that power: no cutting separates the sides.
    pub fn sides(&self, i: usize, assumed: &Assumed) -> Option<(usize, f64)> {
        let node = &self.line.nodes[i];
        let (lo, hi) = (node.lo, node.hi);
        if (lo <= 0.0 && hi >= 0.0) || expo(lo) == expo(hi) || assumed.contains_key(&node.site) {
            return None;
        }
        let far = if lo > 0.0 { hi } else { lo };
        let edge = power_double(expo(far).max(-1074)).copysign(far);
        let apart = self.reals[i].sub(&Coarse::double(edge)).magnitude();
        let hugs = apart <= self.errors[i].clone() * power(2);
        hugs.then_some((node.site, edge))
    }

    /// The operation that contributes most among those with results on both sides of a power of two.
    pub fn straddles(
        &self,
        weights: &[Coarse],
        result: i32,
        assumed: &Assumed,
    ) -> Option<(usize, f64)> {
        let mut found: Option<(f64, usize, f64)> = None;
        for (i, node) in self.line.nodes.iter().enumerate() {
            let (Some(rounding), Some((_, edge))) = (node.rounding, self.sides(i, assumed)) else {
                continue;
            };
            let part = weights[i]
                .mul(&unit(rounding.unit - 1 - result))
                .ends()
                .1
                .abs();
            if part > 1e-6 && found.is_none_or(|f| f.0 < part) {
                found = Some((part, node.site, edge));
            }
        }
        found.map(|f| (f.1, f.2))
    }
}

/// The range of the rounded numbers of a range: rounding to nearest is monotonic.
fn rounded(range: &Coarse) -> Coarse {
    let sides = |x: &Number| (double_below(x), double_above(x));
    let nearest = |x: &Number, up: bool| {
        let (below, above) = sides(x);
        if !below.is_finite() || !above.is_finite() {
            return x.clone();
        }
        let (below, above) = (exact(below), exact(above));
        let twice = |x: &Number| x + x;
        // A tie may be rounded to either.
        let order = twice(x).cmp(&(&below + &above));
        if order.is_gt() || order.is_eq() && up {
            above
        } else {
            below
        }
    };
    Coarse {
        lo: nearest(&range.lo, false),
        hi: nearest(&range.hi, true),
    }
}

/// The smallest exponent of the unit in the last place of true values.
///
/// # Errors
/// If some of them round to infinity.
pub fn true_unit(truth: &Coarse) -> Result<i32, Stop> {
    let end = exact(f64::MAX) + power(970);
    if truth.magnitude() >= end {
        return Err(Stop::No("the function overflows".into()));
    }
    let least = truth.least();
    Ok(if zero(&least) {
        -1074
    } else {
        (exponent(&least) - 52).max(-1074)
    })
}

/// Splits a case in two: the results of an operation are below a power of two in magnitude, or they are not.
pub fn both_sides(assumed: &Assumed, site: usize, edge: f64) -> [Assumed; 2] {
    let below = edge.abs().next_down();
    let beyond = if negative(&exact(edge)) {
        (-f64::MAX, edge)
    } else {
        (edge, f64::MAX)
    };
    [(-below, below), beyond].map(|side| {
        let mut case = assumed.clone();
        case.insert(site, side);
        case
    })
}

#[cfg(test)]
mod tests;
