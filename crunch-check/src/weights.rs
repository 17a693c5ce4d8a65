//! Weights in which terms that cancel do cancel.
//!
//! Weights by intervals are wide if a number is split. With `h = (r + w) - w` and `l = r - h`, the sum `h h + l (h + r)` is `r²` for every
//! h, but the two parts of the weight of h's rounding are each about `2r`. Their sum vanishes as a function of the input if the slopes are
//! those in real arithmetic, and that function has a Taylor series. The differences of the actual slopes from these are errors of operands,
//! and both differences are the same error with opposite signs. So a weight is here a series plus a linear form in errors.

use std::collections::BTreeMap;

use crate::analysis::Analysis;
use crate::expansion::{narrow_range, range};
use crate::number::{Coarse, Fine, Number};
use crate::residual::{Kind, unit};
use crate::series::{Series, each, product, quotient};

/// The number of terms of a weight's series, if only its range is needed.
const TERMS: usize = 3;
/// Errors with more parts than this are not expanded.
const PARTS: usize = 12;

/// A linear form in the errors of nodes, plus a number. The error that belongs to a node's number is its rounding error, or its whole error
/// if that is not a linear form in the operands' errors.
#[derive(Clone)]
struct Form {
    parts: BTreeMap<usize, Coarse>,
    rest: Coarse,
}

impl Form {
    fn zero() -> Form {
        Form {
            parts: BTreeMap::new(),
            rest: Coarse::zero(),
        }
    }

    fn one_of(node: usize) -> Form {
        Form {
            parts: BTreeMap::from([(node, Coarse::double(1.0))]),
            ..Form::zero()
        }
    }

    fn accumulate(&mut self, other: &Form, factor: &Coarse) {
        self.rest = self.rest.add(&other.rest.mul(factor));
        for (&node, part) in &other.parts {
            let sum = self.parts.entry(node).or_insert_with(Coarse::zero);
            *sum = sum.add(&part.mul(factor));
        }
    }

    fn range(&self, bounds: &[Number]) -> Coarse {
        self.parts
            .iter()
            .fold(self.rest.clone(), |sum, (&node, part)| {
                sum.add(&part.mul(&Coarse::symmetric(bounds[node].clone())))
            })
    }
}

/// The error of each node as a form, and bounds of the quantities that its parts stand for.
fn errors(of: &Analysis) -> Option<(Vec<Form>, Vec<Number>)> {
    let constant = |a: usize| matches!(of.line.nodes[a].kind, Kind::Const(_));
    let (mut forms, mut bounds): (Vec<Form>, Vec<Number>) = (Vec::new(), Vec::new());
    for (i, node) in of.line.nodes.iter().enumerate() {
        let linear = match node.kind {
            Kind::Mul(a, b) => constant(a) || constant(b),
            Kind::Fma(..) | Kind::Div(..) | Kind::Sqrt(_) => false,
            _ => true,
        };
        let operands = if linear { Some(of.slopes(i)?) } else { None };
        let expanded = operands.map(|operands| {
            let mut form = Form::zero();
            for (a, factor) in operands {
                form.accumulate(&forms[a], &factor);
            }
            if node.rounding.is_some() {
                form.parts.insert(i, Coarse::double(1.0));
            }
            form
        });
        let half = node.rounding.map(|r| unit::<64>(r.unit - 1).hi);
        match expanded.filter(|form| form.parts.len() <= PARTS) {
            Some(form) => {
                forms.push(form);
                bounds.push(half.unwrap_or_else(Number::zero));
            }
            None => {
                forms.push(Form::one_of(i));
                bounds.push(of.errors[i].clone());
            }
        }
    }
    Some((forms, bounds))
}

/// A weight: a function of the input by its series at the center and over the stretch, plus a form.
#[derive(Clone)]
struct Weight {
    at: Series<64>,
    over: Series<64>,
    apart: Form,
}

/// A node's operands, each with its slope in real arithmetic (as series at the center and over the stretch, and as a range), and with the
/// difference of the secant's slope from it.
type Slopes = Vec<(usize, [Series<64>; 2], Coarse, Form)>;

fn slopes(of: &Analysis, i: usize, reals: &[[Series<64>; 2]], forms: &[Form]) -> Option<Slopes> {
    let number = |x: f64| {
        [0, 1].map(|which| {
            let mut s = vec![Coarse::zero(); reals[i][which].len()];
            s[0] = Coarse::double(x);
            s
        })
    };
    let negative = |s: [Series<64>; 2]| s.map(|s| s.iter().map(Coarse::neg).collect::<Vec<_>>());
    let divided = |a: &[Series<64>; 2], b: &[Series<64>; 2]| -> Option<[Series<64>; 2]> {
        Some([quotient(&a[0], &b[0])?, quotient(&a[1], &b[1])?])
    };
    let plain = |a: usize, x: f64| (a, number(x), Coarse::double(x), Form::zero());
    let off = |a: usize| Coarse::symmetric(of.errors[a].clone());
    let within = |rest: Coarse| Form {
        rest,
        ..Form::zero()
    };
    let (v, s) = (&of.values, &of.reals);
    let factors = |a: usize, b: usize| {
        vec![
            (a, reals[b].clone(), s[b].clone(), forms[b].clone()),
            (b, reals[a].clone(), s[a].clone(), Form::zero()),
        ]
    };
    Some(match of.line.nodes[i].kind {
        Kind::Input | Kind::Const(_) | Kind::Low(_) => vec![],
        Kind::Add(a, b) | Kind::Sum(a, b) => vec![plain(a, 1.0), plain(b, 1.0)],
        Kind::Sub(a, b) => vec![plain(a, 1.0), plain(b, -1.0)],
        Kind::Neg(a) => vec![plain(a, -1.0)],
        Kind::Mul(a, b) => factors(a, b),
        Kind::Fma(a, b, c) => {
            let mut all = factors(a, b);
            all.push(plain(c, 1.0));
            all
        }
        Kind::Div(a, b) => {
            // 1/V - 1/S = -(V - S)/(V S)
            let part = off(b).div(&v[b].mul(&s[b]))?;
            let inverse = Coarse::double(1.0).div(&s[b])?;
            let by = negative(divided(&reals[i], &reals[b])?);
            vec![
                (
                    a,
                    divided(&number(1.0), &reals[b])?,
                    inverse,
                    within(part.clone()),
                ),
                (b, by, s[i].div(&s[b])?.neg(), within(s[i].mul(&part))),
            ]
        }
        Kind::Sqrt(a) => {
            // 1/(√V + √S) - 1/(2√S) = -(V - S)/((√V + √S)² 2√S)
            let both = v[a].sqrt()?.add(&s[i]);
            let twice = s[i].scale(1);
            let part = off(a).div(&both.mul(&both).mul(&twice))?;
            let root: [Series<64>; 2] = reals[i]
                .clone()
                .map(|s| s.iter().map(|c| c.scale(1)).collect());
            let real = divided(&number(1.0), &root)?;
            vec![(a, real, Coarse::double(1.0).div(&twice)?, within(part))]
        }
    })
}

/// The weights of [`Analysis::weights`], none of them wider than before; `None` if a slope is not bounded.
pub fn sharpened(of: &Analysis, plain: &[Coarse]) -> Option<Vec<Coarse>> {
    Some(Sharpened::new(of, plain, TERMS)?.all)
}

/// Sharpened weights with their series.
pub struct Sharpened {
    /// The weights.
    pub all: Vec<Coarse>,
    weights: Vec<Weight>,
    bounds: Vec<Number>,
}

impl Sharpened {
    /// The range of a node's weight less a function, which is given by its series at the center and over the stretch, with one term more. The weight of
    /// no node is 0.
    pub fn less(
        &self,
        node: Option<usize>,
        at: &Series<64>,
        over: &Series<64>,
        reach: &[Coarse],
    ) -> Coarse {
        let weight = node.map(|i| &self.weights[i]);
        let minus = |a: Option<&Series<64>>, b: &Series<64>| -> Series<64> {
            match a {
                Some(a) => each(a, b, Coarse::sub),
                None => b.iter().map(Coarse::neg).collect(),
            }
        };
        let at: Vec<Fine> = (minus(weight.map(|w| &w.at), at).iter().map(Coarse::to)).collect();
        let over = minus(weight.map(|w| &w.over), over);
        let apart = weight.map_or_else(Coarse::zero, |w| w.apart.range(&self.bounds));
        narrow_range(&at, &over, reach).add(&apart)
    }

    /// The weights, of series with this many terms; `None` if a slope is not bounded.
    pub fn new(of: &Analysis, plain: &[Coarse], terms: usize) -> Option<Sharpened> {
        let n = of.line.nodes.len();
        let reals: Vec<[Series<64>; 2]> = (0..n)
            .map(|i| {
                let at: Series<64> = of.at[i][..terms]
                    .iter()
                    .map(crate::number::Interval::to)
                    .collect();
                [at, of.over[i][..=terms].to_vec()]
            })
            .collect();
        let (forms, bounds) = errors(of)?;
        let none = Weight {
            at: vec![Coarse::zero(); terms],
            over: vec![Coarse::zero(); terms + 1],
            apart: Form::zero(),
        };
        let mut weights = vec![none; n];
        let result = &mut weights[of.line.result];
        result.at[0] = Coarse::double(1.0);
        result.over[0] = Coarse::double(1.0);
        let mut all = vec![Coarse::zero(); n];
        // Everything is zero for a node on which the result does not depend.
        let mut used = vec![false; n];
        used[of.line.result] = true;
        for i in (0..n).rev() {
            if !used[i] {
                continue;
            }
            let weight = weights[i].clone();
            let at: Vec<_> = weight.at.iter().map(crate::number::Interval::to).collect();
            let sharp = range(&at, &weight.over, &of.reach).add(&weight.apart.range(&bounds));
            // Both hold the weight.
            let w = sharp.meet(&plain[i]).unwrap_or_else(|| plain[i].clone());
            for (a, real, interval, apart) in slopes(of, i, &reals, &forms)? {
                used[a] = true;
                let sum = |to: &mut Series<64>, by: &Series<64>, w: &Series<64>| {
                    for (t, p) in to.iter_mut().zip(product(w, by)) {
                        *t = t.add(&p);
                    }
                };
                sum(&mut weights[a].at, &real[0], &weight.at);
                sum(&mut weights[a].over, &real[1], &weight.over);
                // W (S + Δ) = W's series times S, plus its form times S, plus W Δ.
                weights[a].apart.accumulate(&weight.apart, &interval);
                weights[a].apart.accumulate(&apart, &w);
            }
            all[i] = w;
        }
        Some(Sharpened {
            all,
            weights,
            bounds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Outcome, outcome};
    use crate::expansion::Expansion;
    use crate::ir::Program;
    use crate::number::power;
    use crate::residual::{Assumed, Node};
    use crate::series::of_line;

    /// A split square, a quotient, a root and a fused operation.
    const KERNEL: &str = "doublecrunch ir 1
fn f0 // test
  %0: f64 = param // x
  %1: f64 = const 0x41a0000000000000 // 2^27
  %2: f64 = const 0xbfb999999999999a // -0.1
  %3: f64 = mul %0, %2 // r
  %4: f64 = mul %3, %1 // w
  %5: f64 = add %3, %4 //
  %6: f64 = sub %5, %4 // h
  %7: f64 = sub %3, %6 // l
  %8: f64 = mul %6, %6 //
  %9: f64 = add %6, %3 //
  %10: f64 = mul %7, %9 //
  %11: f64 = add %8, %10 // r²
  %12: f64 = sqrt %0 //
  %13: f64 = div %11, %12 //
  %14: f64 = fma %3, %13, %12 //
  %15: f64 = neg %14 //
  %16: f64 = div %15, %3 //
  %17: f64 = sub %16, %12 //
  return %17
";

    /// A number h with a few correct bits: its error is a sum of rounding errors, times 2^44.
    const ROUGH: &str = "doublecrunch ir 1
fn f0 // test
  %0: f64 = param // x
  %1: f64 = const 0x3fb999999999999a // 0.1
  %2: f64 = const 0x3fd3333333333333 // 0.3
  %3: f64 = const 0x42b0000000000000 // 2^44
  %4: f64 = mul %0, %1 // y
  %5: f64 = mul %0, %2 //
  %6: f64 = add %4, %4 //
  %7: f64 = add %6, %4 //
  %8: f64 = sub %7, %5 // only rounding errors
  %9: f64 = mul %8, %3 //
  %10: f64 = add %4, %9 // h
";

    /// Operations on h whose secants' slopes differ from derivatives by h's error, without anything that would mask the difference.
    const OPERATIONS: [&str; 6] = [
        "  %11: f64 = mul %10, %10 //\n  return %11\n",
        "  %11: f64 = sqrt %10 //\n  return %11\n",
        "  %11: f64 = div %0, %10 //\n  return %11\n",
        "  %11: f64 = fma %10, %10, %0 //\n  return %11\n",
        // The errors of h and -h are opposite.
        "  %11: f64 = neg %10 //\n  %12: f64 = sub %10, %11 //\n  %13: f64 = mul %12, %12 //\n  return %13\n",
        "  %11: f64 = mul %10, %10 //\n  %12: f64 = mul %11, %10 //\n  return %12\n",
    ];

    /// The analysis of a kernel over inputs.
    fn analysed(kernel: &str, lo: f64, hi: f64) -> Analysis {
        let program = Program::parse(kernel).expect("a kernel");
        let line = match outcome(&program, lo, hi, true) {
            Ok(Outcome::Line(line)) => line,
            _ => panic!("no line"),
        };
        let input: Node = line.nodes[line.input().expect("an input")];
        let expansion = Expansion::new(lo, hi, input.grid);
        let analysis = Analysis::new(&line, input, &expansion, &Assumed::new());
        analysis.expect("it has one")
    }

    /// For each input, the error of the result is exactly the sum of all rounding errors times weights, with the secants' slopes at the
    /// input. So with the intervals of the stretch the difference contains zero.
    #[test]
    fn the_error_is_the_sum_of_the_weighted_roundings() {
        let few = 2f64.powi(-48);
        // For a few inputs, the weights by series are nearly numbers.
        let rough = OPERATIONS.map(|last| (format!("{ROUGH}{last}"), 1.25, 1.25 + few));
        let split = (KERNEL.to_string(), 1.25, 1.375);
        for (kernel, lo, hi) in rough.into_iter().chain([split]) {
            let analysis = analysed(&kernel, lo, hi);
            let line = &analysis.line;
            let plain = analysis.weights().expect("weights");
            let sharp = sharpened(&analysis, &plain).expect("weights");
            // Without the weights by ranges, which would hide an error of the others.
            let wide = vec![Coarse::symmetric(power(100)); plain.len()];
            let alone = sharpened(&analysis, &wide).expect("weights");
            let mut values = Vec::new();
            for k in 0..200 {
                let x = lo + (hi - lo) * f64::from(k) / 199.0;
                let computed = line.compute(x, &mut values);
                let reals = of_line(line, &vec![Fine::double(x)]).expect("defined");
                let error = Fine::double(computed).sub(&reals[line.result][0]);
                for (which, weights) in [&plain, &sharp, &alone].into_iter().enumerate() {
                    let mut rest = error.clone();
                    for (i, node) in line.nodes.iter().enumerate() {
                        if node.rounding.is_some() {
                            let on = node.kind.over(|a| Fine::double(values[a]));
                            let rounding = Fine::double(values[i]).sub(&on.expect("defined"));
                            rest = rest.sub(&weights[i].to().mul(&rounding));
                        }
                    }
                    assert!(rest.holds_zero(), "{which} at {x:e}: {:?}", rest.ends());
                }
            }
        }
    }

    /// The error of the first part of the split number has only a weight of second order.
    #[test]
    fn the_error_of_a_split_number_cancels() {
        let analysis = analysed(KERNEL, 1.25, 1.2501);
        let plain = analysis.weights().expect("weights");
        let sharp = sharpened(&analysis, &plain).expect("weights");
        let split = (analysis.line.nodes.iter())
            .position(|n| n.site == 5)
            .expect("the sum with w");
        let size = |w: &[Coarse]| w[split].magnitude();
        assert!(size(&plain) > power(-15), "{:?}", plain[split].ends());
        assert!(size(&sharp) < power(-30), "{:?}", sharp[split].ends());
    }

    /// The weight of a number in its fourth power is a cubic: the remainder holds its last coefficient.
    #[test]
    fn a_weight_has_its_remainder() {
        let text = "doublecrunch ir 1
fn f0 // test
  %0: f64 = param // x
  %1: f64 = const 0x3ff199999999999a // 1.1
  %2: f64 = mul %0, %1 // r
  %3: f64 = mul %2, %2 //
  %4: f64 = mul %3, %2 //
  %5: f64 = mul %4, %2 //
  return %5
";
        // The radius is little more than the half of its width.
        let (lo, hi) = (1.0, 1.5 - 2f64.powi(-40));
        let analysis = analysed(text, lo, hi);
        let wide = vec![Coarse::symmetric(power(100)); analysis.line.nodes.len()];
        let sharp = sharpened(&analysis, &wide).expect("weights");
        let r = (analysis.line.nodes.iter()).position(|n| n.site == 2 && n.rounding.is_some());
        let (least, most) = sharp[r.expect("the number")].ends();
        let weight = |x: f64| 4.0 * (1.1 * x).powi(3);
        assert!(
            least < weight(lo) * 1.001 && weight(hi) * 0.999 < most,
            "{least} {most}"
        );
    }

    /// A weight that ends at zero is not zero.
    #[test]
    fn a_weight_that_ends_at_zero_reaches_operands() {
        let text = "doublecrunch ir 1
fn f0 // test
  %0: f64 = param // x
  %1: f64 = const 0x3fb999999999999a // 0.1
  %2: f64 = const 0x3fd3333333333333 // 0.3
  %3: f64 = mul %0, %1 //
  %4: f64 = add %3, %2 //
  %5: f64 = mul %4, %0 //
  return %5
";
        for (least, most) in [(-1.0, -0.0), (0.0, 1.0)] {
            let analysis = analysed(text, least, most);
            let weights = analysis.weights().expect("weights");
            let i = (analysis.line.nodes.iter()).position(|n| n.site == 3 && n.rounding.is_some());
            let (lo, hi) = weights[i.expect("the product")].ends();
            assert!(lo <= least && most <= hi, "{lo} {hi}");
        }
    }
}
