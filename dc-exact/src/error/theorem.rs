//! The theorem on errors, compared with exact arithmetic: errors, slopes of secants, weights, and the bound of a cell.

use dashu_int::IBig;
use kernels_gen::ops::Prim;

use super::{Analysis, Target, analyse, bound_constant, error_of_input, of_analysis};
use crate::cell::exactly::{Point, cell, examine, kernel, none, number, result, within};
use crate::cell::{Kind, Outcome, Residual, Tight, evaluate};
use crate::law::Truth;
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::{BINARY32, BINARY64, Format};
use crate::num::{Ball, Interval, Ring as _};

const ONE: Dyadic = Dyadic(IBig::ONE, 0);

fn zero() -> Dyadic {
    Dyadic(IBig::ZERO, 0)
}

/// The operands with the slopes of the secants between computed and real values.
fn secants(residual: &Residual, points: &[Point], i: usize) -> Vec<(u32, Dyadic)> {
    let v = |a: u32| points[a as usize].v.clone();
    let s = |a: u32| points[a as usize].s.clone();
    let minus = || Dyadic(IBig::from(-1), 0);
    match residual.operations[i].kind {
        Kind::Input | Kind::Const(_) | Kind::Low(_) => vec![],
        Kind::Add(a, b) | Kind::Sum(a, b) => vec![(a, ONE), (b, ONE)],
        Kind::Sub(a, b) => vec![(a, ONE), (b, minus())],
        Kind::Mul(a, b) => vec![(a, v(b)), (b, s(a))],
        Kind::Fma(a, b, c) => vec![(a, v(b)), (b, s(a)), (c, ONE)],
        Kind::ProductError(a, b, p) => vec![(a, v(b)), (b, s(a)), (p, minus())],
        Kind::SumError(a, b, t) => vec![(a, ONE), (b, ONE), (t, minus())],
        Kind::Div(a, b) => vec![
            (a, ONE.over(&v(b))),
            (b, zero().minus(&points[i].s.over(&v(b)))),
        ],
        Kind::Sqrt(a) => match v(a).plus(&s(a)).is_zero() {
            true => vec![],
            false => vec![(a, ONE.over(&v(a).root().plus(&s(a).root())))],
        },
        Kind::Neg(a) => vec![(a, minus())],
        Kind::Round(a) => vec![(a, ONE)],
        Kind::Affine { of, factor, .. } => vec![(of, Dyadic::of(factor))],
    }
}

/// Compares an analysis with one input.
pub(super) fn compare(analysis: &Analysis, points: &[Point]) -> Result<(), String> {
    let residual = &analysis.residual;
    let out = residual.result as usize;
    let ex = &analysis.exponents;
    let error = |i: usize| points[i].v.minus(&points[i].s);
    let mut weights = vec![zero(); points.len()];
    weights[out] = ONE;
    for i in (0..points.len()).rev() {
        let (point, o) = (&points[i], residual.operations[i]);
        let wrong = |what: &str| Err(format!("{what} of {i}: {o:?} {point:?} {analysis:?}"));
        if !within(analysis.values[i], &point.v, ex[i])
            || !within(analysis.reals[i], &point.s, ex[i])
        {
            return wrong("value");
        }
        let most = analysis.errors[i];
        if !within(Interval::symmetric(most), &error(i), ex[i]) {
            return wrong("error");
        }
        // The weights of real values that are zero on both sides are not needed.
        if !within(analysis.weights[i], &weights[i], ex[out] - ex[i]) {
            return wrong(&format!("weight {:?}", weights[i]));
        }
        let w = weights[i].clone();
        let slopes = analysis.slopes(i);
        for ((a, g), (b, range)) in secants(residual, points, i).into_iter().zip(slopes) {
            assert_eq!(a, b);
            if !within(range, &g, ex[i] - ex[a as usize]) {
                return wrong(&format!("slope {g:?} in {range:?}"));
            }
            weights[a as usize] = weights[a as usize].plus(&w.times(&g)).cut();
        }
    }
    Ok(())
}

/// The errors are bounded by those of the operands and by the rounding, without rounding the sum of these.
fn add_up(analysis: &Analysis) -> bool {
    let sum = |i: usize| {
        let o = analysis.residual.operations[i];
        let mut sum = o.rounding.map_or(zero(), |r| {
            Dyadic::of(r.error.magnitude()).scaled(r.unit - analysis.exponents[i])
        });
        for (a, g) in analysis.slopes(i) {
            let (g, error) = (g.magnitude(), analysis.errors[a as usize]);
            if !(g.is_finite() && error.is_finite()) {
                return None;
            }
            sum = sum.plus(&Dyadic::of(g).times(&Dyadic::of(error)));
        }
        Some(sum)
    };
    let out = analysis.residual.result as usize;
    let holds = |i: usize, sum: &Dyadic| {
        let most = analysis.errors[i];
        most.is_infinite() || sum.at_most(&Dyadic::of(most))
    };
    let weighted = (analysis.residual.operations.iter().zip(&analysis.weights))
        .enumerate()
        .try_fold(zero(), |sum, (i, (o, w))| {
            let Some(r) = o.rounding else {
                return Some(sum);
            };
            let w = w.magnitude();
            let part = || {
                let error = Dyadic::of(r.error.magnitude()).scaled(r.unit - analysis.exponents[i]);
                Dyadic::of(w).times(&error)
            };
            w.is_finite().then(|| sum.plus(&part()))
        });
    (0..=out).all(|i| {
        let by_operands = sum(i).is_none_or(|s| holds(i, &s));
        // Common parts of the operands' errors cancel in a form, whose range is tested for itself.
        let form = analysis.forms.of[i].range(&analysis.forms.symbols);
        let by_operands = by_operands || analysis.errors[i] == form.magnitude();
        by_operands || i == out && weighted.as_ref().is_none_or(|s| holds(i, s))
    })
}

/// The unit in the last place of a number, and its error in these units.
fn in_units(value: f64, truth: &Dyadic, format: Format) -> (i32, Dyadic) {
    let top = truth.0.clone();
    let e = match truth.is_zero() {
        true => format.least,
        false => {
            use dashu_int::ops::BitTest as _;
            let e = top.bit_len() as i64 + truth.1 - i64::from(format.precision);
            (e as i32).max(format.least)
        }
    };
    (e, Dyadic::of(value).minus(truth))
}

/// The reference's value at an input: a kernel's in real arithmetic.
fn real(residual: &Residual, x: f64) -> Option<Dyadic> {
    let points = examine(residual, x, &mut none).expect("it holds")?;
    Some(points[residual.result as usize].s.clone())
}

#[test]
fn bounds_of_cells_hold_the_errors_of_inputs() {
    let mut random = Random(11);
    let (mut bounds, mut singles, mut constants, mut across) = (0, 0, 0, 0);
    for round in 0..1500 {
        let far = round % 3 == 0;
        let program = kernel(&mut random, far);
        let entry = program.entry();
        let narrow = entry.params[0].1 == Prim::F32;
        let format = match entry.ty(entry.results[0]) {
            Prim::F32 => BINARY32,
            _ => BINARY64,
        };
        let (cell, inputs) = cell(&mut random, narrow, far);
        if cell.lo == cell.hi {
            continue;
        }
        let context = |x: f64| format!("{round}: {cell:?} {x:e}");
        let reals = evaluate(&program, cell, &Tight::new(), true);
        let Outcome::Residual(reference) = &reals.results[0] else {
            continue;
        };
        let truth = Truth::Program(program.clone());
        let evaluated = evaluate(&program, cell, &Tight::new(), false);
        match &evaluated.results[0] {
            Outcome::Residual(residual) => {
                let kind = |o: &&crate::cell::Operation| o.kind == Kind::Input;
                let Some(&input) = residual.operations.iter().find(kind) else {
                    continue;
                };
                let Ok(analysis) = analyse(residual, input, cell, &Tight::new()) else {
                    continue;
                };
                assert!(add_up(&analysis), "{} {analysis:?}", context(0.0));
                let eta = Interval::new(-0.25, 0.5).scale(-(random.below(60) as i32));
                let target = Target {
                    truth: &truth,
                    factor: Ball::number(1.0 + 0.25 * power_or_zero(&mut random)),
                    eta,
                    scaled: random.below(2) == 0,
                };
                let (center, radius) = (cell.center(), cell.radius(cell.center()));
                let bound = of_analysis(&analysis, target, cell, center, radius);
                for &x in &inputs {
                    let points = examine(&analysis.residual, x, &mut none)
                        .unwrap_or_else(|wrong| panic!("{}: {wrong}", context(x)));
                    let Some(points) = points else { continue };
                    if let Err(wrong) = compare(&analysis, &points) {
                        panic!("{}: {wrong}", context(x));
                    }
                    let Ok(bound) = &bound else { continue };
                    let Some(f) = real(reference, x) else {
                        continue;
                    };
                    let f = f.times(&Dyadic::of(target.factor.h));
                    for eta in [eta.lo, 0.0, eta.hi] {
                        let f = f.times(&ONE.plus(&Dyadic::of(eta)));
                        let (unit, error) = in_units(number(&program, x), &f, format);
                        assert!(unit >= bound.unit, "{}: {bound:?} {unit}", context(x));
                        assert!(
                            within(bound.error, &error, bound.unit),
                            "{}: {bound:?} {error:?} {analysis:?}",
                            context(x)
                        );
                        let most = Interval::symmetric(bound.bound());
                        assert!(
                            within(most, &error, unit),
                            "{}: {bound:?} {error:?} {unit}",
                            context(x)
                        );
                        across += u32::from(bound.bound() < bound.error.magnitude());
                        assert!(
                            !f.is_zero() || bound.through_zero,
                            "{}: {bound:?}",
                            context(x)
                        );
                    }
                    bounds += 1;
                }
            }
            Outcome::Constant(bits) => {
                let Ok(bound) = bound_constant(&program, &truth, cell, *bits) else {
                    continue;
                };
                for &x in &inputs {
                    let value = number(&program, x);
                    let Some(g) = real(reference, x) else {
                        continue;
                    };
                    if value.is_infinite() {
                        assert_eq!(g.rounded(format, None), value, "{}", context(x));
                        continue;
                    }
                    let (unit, error) = in_units(value, &g, format);
                    assert!(unit >= bound.unit, "{}: {bound:?}", context(x));
                    assert!(
                        within(bound.error, &error, bound.unit),
                        "{}: {bound:?}",
                        context(x)
                    );
                    constants += 1;
                }
            }
            _ => {}
        }
        for &x in &inputs[..4] {
            // The result, or a number near it.
            let bits = result(&program, x)
                .wrapping_add(random.below(3))
                .wrapping_sub(1);
            let bits = if format == BINARY32 {
                bits & 0xffff_ffff
            } else {
                bits
            };
            let value = match format == BINARY32 {
                true => f64::from(f32::from_bits(bits as u32)),
                false => f64::from_bits(bits),
            };
            let found = error_of_input(&program, &truth, x, bits);
            let Some(g) = real(reference, x) else {
                continue;
            };
            match found {
                Ok(error) if value.is_finite() => {
                    let (unit, exact) = in_units(value, &g, format);
                    assert!(
                        within(error, &exact, unit),
                        "{}: {error:?} {exact:?} {g:?}",
                        context(x)
                    );
                    assert!(g.rounded(format, None).is_finite(), "{}", context(x));
                    singles += 1;
                }
                Ok(_) => {
                    assert_eq!(g.rounded(format, None), value, "{}", context(x));
                }
                Err(_) => {}
            }
        }
    }
    assert!(
        bounds > 2000 && singles > 2000 && constants > 20 && across > 100,
        "{bounds} {singles} {constants} {across}"
    );
}

/// A power of two, or no change at all.
fn power_or_zero(random: &mut Random) -> f64 {
    match random.below(2) {
        0 => 0.0,
        _ => 2f64.powi(-(random.below(30) as i32)),
    }
}
