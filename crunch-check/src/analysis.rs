//! The bound of the error of a line on a stretch of its input.
//!
//! The theorem of docs/book/src/understand/cell-bounds.md: with `V` the computed values, `S` those without any rounding, `e = V - S`, and ε the
//! rounding errors, `e_i = Σ g_ij e_j + ε_i` with secants' slopes, so `e_out = Σ W_i ε_i`; the method's error
//! `S_out - f` comes from Taylor series at the stretch's center with Lagrange's remainder.

use crate::expansion::{Expansion, narrow_range, range};
use crate::function::On;
use crate::number::{Coarse, Fine, Number, exact, exponent, negative, power, power_double, zero};
use crate::residual::{Assumed, Kind, Line, Node, Stop, expo, ulp, unit};
use crate::roundings::{across_a_power, beside_powers, rounded_last};
use crate::series::{Series, of_line};

/// The analysis of a line on a stretch.
pub struct Analysis {
    /// The line.
    pub line: Line,
    /// The series at the center.
    pub at: Vec<Series<192>>,
    /// The coefficients over the stretch, one more than at the center: the last is the remainder's.
    pub over: Vec<Series<64>>,
    /// Real values.
    pub reals: Vec<Coarse>,
    /// Computed values.
    pub values: Vec<Coarse>,
    /// Bounds of `|V - S|`.
    pub errors: Vec<Number>,
    /// That of the expansion.
    pub reach: Vec<Coarse>,
}

/// A bound of the errors, in units in the last place of f.
pub struct Bound {
    /// All errors lie between these, in units of the smallest true value.
    pub error: Coarse,
    /// No error is larger, in units of its own true value.
    pub most: Number,
    /// The method's part.
    pub method: Coarse,
    /// The remainder's part of that.
    pub rest: Number,
    /// The unit's exponent.
    pub unit: i32,
    /// The function, times the factor and without η: its series at the center,
    pub truth: Series<192>,
    /// and the last coefficient over the stretch.
    pub remainder: Coarse,
}

/// For each operation the series at the center and the coefficients over the stretch.
type AllSeries = (Vec<Series<192>>, Vec<Series<64>>);

/// The series of a line on a stretch; `None` where they are not defined.
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
        let expansion = Expansion::new(lo, hi, grid);
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
            let operates = |n: &Node| !matches!(n.kind, Kind::Input | Kind::Const(_));
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
            analysis.reals.push(reals.clone());
            // The slopes of operation i need only its real values.
            analysis.values.push(computed.clone());
            let mut error = Coarse::zero();
            for (a, g) in analysis.slopes(i).ok_or_else(no)? {
                error =
                    error.add(&Coarse::of(top(&g)).mul(&Coarse::of(analysis.errors[a].clone())));
            }
            if let Some(off) = analysis.rounding(i) {
                error = error.add(&Coarse::of(off));
            }
            let error = error.hi;
            let near = reals.add(&Coarse::symmetric(error.clone()));
            // Both ranges contain all computed values: if they have nothing in common, there is no input.
            analysis.values[i] = computed.meet(&near).ok_or(Stop::Empty)?;
            analysis.errors.push(error);
        }
        Ok(analysis)
    }

    /// A bound of an operation's rounding error; `None` where it is exact. The operands' values are known.
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

    /// The operands of an operation with its secants' slopes in them.
    pub fn slopes(&self, i: usize) -> Option<Vec<(usize, Coarse)>> {
        let one = || Coarse::double(1.0);
        let v = |a: usize| &self.values[a];
        let s = |a: usize| &self.reals[a];
        Some(match self.line.nodes[i].kind {
            Kind::Input | Kind::Const(_) => vec![],
            Kind::Add(a, b) => vec![(a, one()), (b, one())],
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
    pub fn bound(
        &self,
        function: &On,
        factor: &Fine,
        eta: &Coarse,
        expansion: &Expansion,
        weights: &[Coarse],
    ) -> Result<Bound, Stop> {
        let no = || Stop::No("the function is not defined".into());
        let w = Fine::of(expansion.radius.clone());
        let at = function
            .series(&Fine::double(expansion.center), &w, expansion.terms)
            .ok_or_else(no)?;
        let over = function
            .series(&expansion.cell(), &w.to(), expansion.terms + 1)
            .ok_or_else(no)?;
        let at: Vec<Fine> = at.iter().map(|c| c.mul(factor)).collect();
        let over: Vec<Coarse> = over.iter().map(|c| c.mul(&factor.to())).collect();
        let f = range(&at, &over, &expansion.reach);
        let f = f.meet(&over[0]).unwrap_or(f);
        let truth = f.mul(&Coarse::double(1.0).add(eta));
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
        let last = rounded_last(&self.line);
        // All but the rounding of the result.
        let (mut before, mut own) = (method.clone(), Coarse::zero());
        for (i, w) in weights.iter().enumerate() {
            if let Some(off) = self.rounding(i) {
                let part = w.mul(&Coarse::symmetric(off)).scale(-unit);
                match last {
                    Some((last, _)) if last == i => own = part,
                    _ => before = before.add(&part),
                }
            }
        }
        let error = before.add(&own);
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

    /// Of the operations with results on both sides of a power of two, the one that contributes most.
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

/// Splits a case in two: an operation's results are below a power of two in magnitude, or they are not.
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
mod tests {
    use super::*;
    use crate::expansion::TERMS;
    use crate::kernels::{Words, at, cell, place};

    /// The sides of a power of two hold all results. Those of both signs have none: one part would lack what is on the other side of
    /// zero.
    #[test]
    fn sides_hold_every_result() {
        let none = Assumed::new();
        let mut counts = [0, 0];
        for (lo, hi) in [
            (3.5, 4.5),
            (-4.5, -3.5),
            (3.0, 9.0),
            (4.0, 4.5),
            (-5.0, 8.0),
            (-8.0, 5.0),
            (-5.0, 0.0),
            (-0.0, 5.0),
            (-5e-324, 3.0),
        ] {
            let analysis = Analysis {
                line: Line {
                    nodes: vec![Node {
                        kind: Kind::Input,
                        site: 7,
                        lo,
                        hi,
                        grid: -1074,
                        rounding: None,
                    }],
                    result: 0,
                },
                at: Vec::new(),
                over: Vec::new(),
                reals: vec![Coarse::doubles(lo, hi)],
                values: Vec::new(),
                errors: vec![exact(20.0)],
                reach: Vec::new(),
            };
            let sides = analysis.sides(0, &none);
            let expected = lo > 0.0 && expo(lo) != expo(hi) || hi < 0.0 && expo(lo) != expo(hi);
            assert_eq!(sides.is_some(), expected, "{lo} {hi}");
            counts[usize::from(expected)] += 1;
            let Some((site, edge)) = sides else { continue };
            let parts = both_sides(&none, site, edge).map(|a| a[&site]);
            for x in [lo, hi, edge, edge.next_down(), edge.next_up()] {
                let inside = lo <= x && x <= hi;
                assert!(!inside || parts.iter().any(|p| p.0 <= x && x <= p.1), "{x}");
            }
        }
        assert!(counts.iter().all(|c| *c > 2), "{counts:?}");
    }

    #[test]
    fn an_expansion_holds_its_stretch() {
        let mut random = Words(1);
        for k in 0..20_000 {
            let (lo, hi) = match k % 4 {
                0 => cell(&mut random),
                1 => {
                    let (lo, _) = cell(&mut random);
                    let wide = 1 + random.below(50);
                    let far = place(lo).saturating_add(random.below(1 << wide) as i64);
                    (lo, at(far.min(place(f64::MAX))))
                }
                2 => {
                    let (lo, _) = cell(&mut random);
                    (lo, lo)
                }
                // Over zero.
                _ => (-cell(&mut random).1.abs(), cell(&mut random).1.abs()),
            };
            let finest = if lo <= 0.0 && hi >= 0.0 {
                -1074
            } else {
                crate::residual::ulp(lo.abs().min(hi.abs()))
            };
            let grid = if random.below(2) == 0 {
                finest
            } else {
                (finest - 9).max(-1074)
            };
            let e = Expansion::new(lo, hi, grid);
            let what = format!(
                "{lo:e} to {hi:e}, 2^{grid}: {:e} {:?}",
                e.center,
                Coarse::of(e.radius.clone()).ends()
            );
            assert!(
                e.lo <= lo && e.hi == hi && e.lo <= e.center && e.center <= hi,
                "{what}"
            );
            assert!(
                e.center == 0.0 || exact(e.center).exponent() >= grid as isize,
                "{what}"
            );
            assert!(
                e.radius >= power(grid) && e.radius == power(exponent(&e.radius)),
                "{what}"
            );
            let far = (exact(hi) - exact(e.center)).max(exact(e.center) - exact(e.lo));
            let most = far.clone();
            assert!(far <= e.radius, "{what}");
            assert!(e.radius <= (far * power(1)).max(power(grid)), "{what}");
            let powers = e.reach.iter().zip(e.reach.iter().skip(1));
            assert!(powers.clone().count() > TERMS, "{what}");
            assert!(e.reach[1].hi.clone() * e.radius.clone() >= most, "{what}");
            assert!(
                e.reach[0].hi == exact(1.0) && e.reach[1].hi <= exact(1.0),
                "{what}"
            );
            for (power, next) in powers {
                assert!(
                    next.hi.clone() * e.radius.clone() >= power.hi.clone() * most.clone(),
                    "{what}"
                );
            }
            // The center is near the middle.
            let whole = exact(hi) - exact(lo);
            assert!(e.radius <= whole + power(finest + 2), "{what}");
            assert!((3..=9).contains(&e.terms), "{what}");
        }
    }

    #[test]
    fn a_unit_is_that_of_the_least_value() {
        let mut random = Words(2);
        for _ in 0..20_000 {
            let (lo, hi) = cell(&mut random);
            let unit = true_unit(&Coarse::doubles(lo, hi)).expect("finite");
            let least = lo.abs().min(hi.abs());
            assert_eq!(unit, crate::residual::ulp(least), "{lo:e} {hi:e}");
        }
        let over = |lo: f64, hi: f64| true_unit(&Coarse::doubles(lo, hi)).ok();
        assert_eq!(over(-1.0, 1.0), Some(-1074));
        assert_eq!(over(0.0, 1.0), Some(-1074));
        assert_eq!(over(0.0, f64::MAX), Some(-1074));
        let end = exact(f64::MAX) + power(970);
        for (x, rounds) in [(end.clone(), true), (end - power(900), false)] {
            for x in [x.clone(), -x] {
                assert_eq!(true_unit(&Coarse::of(x)).is_err(), rounds);
            }
        }
    }

    /// Every value is on one of the sides of a power of two.
    #[test]
    fn both_sides_hold_every_value() {
        for e in [-1074, -1022, -3, 0, 1, 900, 1023] {
            for edge in [power_double(e), -power_double(e)] {
                let sides = both_sides(&Assumed::new(), 5, edge).map(|side| side[&5]);
                for x in [
                    edge,
                    edge.next_up(),
                    edge.next_down(),
                    edge / 2.0,
                    edge * 1.5,
                    edge.signum() * f64::MAX,
                    0.0,
                ] {
                    let on: Vec<bool> = sides.iter().map(|s| s.0 <= x && x <= s.1).collect();
                    let beyond = x.abs() >= edge.abs();
                    assert_eq!(on, [!beyond, beyond], "{edge:e} {x:e}");
                }
            }
        }
    }

    fn analysed(text: &str, lo: f64, hi: f64) -> Analysis {
        let program = crate::ir::Program::parse(text).expect("a kernel");
        let Ok(crate::cell::Outcome::Line(line)) = crate::cell::outcome(&program, lo, hi, true)
        else {
            panic!("no line")
        };
        let input = line.nodes[line.input().expect("an input")];
        let expansion = Expansion::new(lo, hi, input.grid);
        Analysis::new(&line, input, &expansion, &Assumed::new()).expect("it has one")
    }

    /// A sum whose constant is rounded only once its range is known: the series are those of the rounded one.
    #[test]
    fn series_are_those_of_the_line() {
        let text = format!(
            "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = const {:#x}\n  %2: f64 = add %0, %1\n  %3: f64 = sub %2, %1\n  \
             %4: f64 = const {:#x}\n  %5: f64 = add %3, %4\n  %6: f64 = const {:#x}\n  %7: f64 = mul %3, %6\n  \
             %8: f64 = sub %5, %7\n  %9: f64 = const {:#x}\n  %10: f64 = add %8, %9\n  return %10\n",
            (1.5 * 2f64.powi(40)).to_bits(),
            1.0f64.to_bits(),
            0.5f64.to_bits(),
            0.2f64.to_bits(),
        );
        // t = x to a few bits; (t + 1) - t/2 is in 1.5..1.75, and by ranges in 1.25..2.
        let analysis = analysed(&text, 1.0, 1.5 - 2f64.powi(-40));
        let mut constants = Vec::new();
        for (node, at) in analysis.line.nodes.iter().zip(&analysis.at) {
            if let Kind::Const(c) = node.kind {
                assert!(at[0].lo == exact(c) && at[0].hi == exact(c), "{c:e}");
                constants.push(c);
            }
        }
        assert!(!constants.contains(&0.2), "it was to be rounded");
    }

    /// The operations of a number that is made of bits have one site and different ranges: none is assumed of the others.
    #[test]
    fn operations_of_one_site_keep_their_ranges() {
        let text = format!(
            "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = const {:#x}\n  %2: f64 = fma %0, %1, %0\n  \
             %3: i64 = to_bits %2\n  %4: i64 = const 0x7fdffffffffffff0\n  %5: i64 = sub %4, %3\n  %6: f64 = from_bits %5\n  \
             return %6\n",
            (-0.5f64).to_bits(),
        );
        let (lo, hi) = (2.4375, 2.6875 - 2f64.powi(-40));
        let analysis = analysed(&text, lo, hi);
        let line = &analysis.line;
        let made = line.nodes.iter().filter(|n| n.site == 6);
        assert!(made.filter(|n| !matches!(n.kind, Kind::Const(_))).count() == 2);
        let mut values = Vec::new();
        for k in 0..=100 {
            line.compute((lo + (hi - lo) * f64::from(k) / 100.0).min(hi), &mut values);
            for (node, v) in line.nodes.iter().zip(&values) {
                assert!(node.lo <= *v && *v <= node.hi, "{v:e}, {node:?}");
            }
        }
    }
}
