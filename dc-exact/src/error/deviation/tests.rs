//! Programs with parameters and with coarse roundings, compared with exact arithmetic at inputs and at deviations up to the ends
//! of their intervals.

use super::super::Analysis;
use super::super::theorem::compare;
use super::*;
use crate::cell::exactly::{Point, within};
use crate::cell::{Cell, Operation, Rounding};
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::{BINARY32, BINARY64, Format, power};

fn of(x: f64) -> Dyadic {
    Dyadic::of(x)
}

/// The middle and the radius hold the interval, to the last bit.
#[test]
fn an_interval_is_around_its_middle() {
    let mut random = Random(1);
    for round in 0..8000 {
        let a = random.number(30);
        let b = match random.below(4) {
            0 => a,
            1 => a + a.abs() * random.unit() * 2f64.powi(-50),
            _ => random.number(30),
        };
        let n = Interval::new(a.min(b), a.max(b));
        let (m, r) = around(n);
        let inside = |end: f64| of(end).minus(&of(m)).size().at_most(&of(r));
        let context = format!("{round}: {n:?} {m} {r}");
        assert!(inside(n.lo) && inside(n.hi), "{context}");
        assert!(
            r <= 0.5 * n.width() * (1.0 + 1e-15) + m.abs() * 2.3e-16,
            "{context}"
        );
        let ball = ball(n);
        let inside = |end: f64| {
            let apart = of(end).minus(&of(ball.h)).minus(&of(ball.l));
            apart.size().at_most(&of(ball.r))
        };
        assert!(inside(n.lo) && inside(n.hi), "{context} {ball:?}");
        assert!(n.lo != n.hi || ball.r == 0.0, "{context} {ball:?}");
    }
}

fn operation(kind: Kind, reals: Interval, format: Option<Format>, site: usize) -> Operation {
    let values = reals.add(Interval::symmetric(reals.magnitude() * 1e-6));
    Operation {
        kind,
        site: site as u32,
        format: format.unwrap_or(BINARY64),
        values,
        reals: values,
        grid: -1074,
        direction: None,
        rounding: format.map(|format| Rounding {
            unit: format.ulp(values.magnitude()),
            error: Interval::new(-0.5, 0.5),
            exact_grid: None,
        }),
    }
}

/// A random program of numbers near powers of two, several of them with deviations; and Newton's iteration for 1/x in front of it
/// or alone.
fn program(random: &mut Random, cell: Cell) -> Residual {
    let mut all: Vec<Operation> = Vec::new();
    let deviates = random.below(3) > 0;
    // The errors of the results of binary32 are large beside a narrow cell.
    let coarse = random.below(3) * 2;
    let mut dice = Random(random.below(1 << 40));
    let mut add = |all: &mut Vec<Operation>, kind: Kind| {
        let r = |a: u32| all[a as usize].reals;
        let (reals, rounds) = match kind {
            Kind::Input => (Interval::new(cell.lo, cell.hi), false),
            Kind::Const(c) => (Interval::point(c), false),
            Kind::Add(a, b) => (r(a).add(r(b)), true),
            Kind::Sub(a, b) => (r(a).sub(r(b)), true),
            Kind::Mul(a, b) => (r(a).mul(r(b)), true),
            Kind::Div(a, b) => (r(a).div(r(b)), true),
            Kind::Sqrt(a) => (r(a).sqrt(), true),
            Kind::Affine {
                of,
                factor,
                plus,
                deviation,
            } => {
                let line = r(of).mul(Interval::point(factor));
                (line.add(Interval::point(plus)).add(deviation), false)
            }
            _ => unreachable!(),
        };
        let format = match dice.below(3) < coarse {
            true => BINARY32,
            false => BINARY64,
        };
        all.push(operation(kind, reals, rounds.then_some(format), all.len()));
        all.len() as u32 - 1
    };
    let x = add(&mut all, Kind::Input);
    let mut values = vec![x];
    let count = 3 + random.below(6);
    for _ in 0..count {
        let pick = |random: &mut Random| match random.below(2) {
            0 => values[values.len() - 1],
            _ => values[random.below(values.len() as u64) as usize],
        };
        let (a, b) = (pick(random), pick(random));
        let size = |a: u32| all[a as usize].reals.magnitude();
        let least = |a: u32| all[a as usize].reals.lo;
        let zero = |a: u32| all[a as usize].reals.contains(0.0);
        let kind = match random.below(12) {
            0..=3 if deviates => {
                let factor = random.sign() * power(random.below(5) as i32 - 2);
                let about = size(a) * factor.abs();
                let wide = random.of(&[0.0, 2f64.powi(-20), 2f64.powi(-6), 0.1]);
                let (p, q) = (random.unit(), random.unit());
                let (p, q) = if wide == 0.0 { (p, p) } else { (p, q) };
                let wide = if wide == 0.0 { 0.1 } else { wide };
                Kind::Affine {
                    of: a,
                    factor,
                    plus: random.of(&[0.0, 1.0, 4.0]) * about,
                    deviation: Interval::new(p.min(q) * wide * about, p.max(q) * wide * about),
                }
            }
            4 => Kind::Add(a, b),
            5 => Kind::Sub(a, b),
            6 | 8 if !zero(b) => Kind::Div(a, b),
            9 if least(a) > 0.0 => Kind::Sqrt(a),
            7 => {
                let c = add(&mut all, Kind::Const(power(random.below(60) as i32 - 30)));
                Kind::Mul(a, c)
            }
            _ => Kind::Mul(a, b),
        };
        if matches!(kind, Kind::Sub(a, b) | Kind::Add(a, b) if a == b) {
            continue;
        }
        values.push(add(&mut all, kind));
    }
    if deviates && random.below(3) == 0 {
        // An estimate of 1/x, and two steps: y (2 - x y).
        let wide = random.of(&[2f64.powi(-12), 2f64.powi(-6), 0.1]);
        let lo = random.unit() * wide;
        let mut y = add(
            &mut all,
            Kind::Affine {
                of: x,
                factor: -1.0 / (cell.lo * cell.lo),
                plus: 2.0 / cell.lo,
                deviation: Interval::new(lo, lo + wide).mul(Interval::point(1.0 / cell.lo)),
            },
        );
        for _ in 0..1 + random.below(2) {
            let two = add(&mut all, Kind::Const(2.0));
            let p = add(&mut all, Kind::Mul(x, y));
            let d = add(&mut all, Kind::Sub(two, p));
            y = add(&mut all, Kind::Mul(y, d));
        }
    }
    let result = all.len() as u32 - 1;
    Residual {
        operations: all,
        result,
    }
}

/// All operations at an input, with deviations at the ends of their intervals or between.
fn points(residual: &Residual, x: f64, random: &mut Random) -> Vec<Point> {
    let mut all: Vec<Point> = Vec::new();
    let ends = random.below(4);
    for o in &residual.operations {
        let (v, s) = (|a: u32| &all[a as usize].v, |a: u32| &all[a as usize].s);
        let (exact, real) = match o.kind {
            Kind::Input => (of(x), of(x)),
            Kind::Const(c) => (of(c), of(c)),
            Kind::Add(a, b) => (v(a).plus(v(b)), s(a).plus(s(b))),
            Kind::Sub(a, b) => (v(a).minus(v(b)), s(a).minus(s(b))),
            Kind::Mul(a, b) => (v(a).times(v(b)), s(a).times(s(b))),
            Kind::Div(a, b) => (v(a).over(v(b)), s(a).over(s(b))),
            Kind::Sqrt(a) => (v(a).root(), s(a).root()),
            Kind::Affine {
                of: a,
                factor,
                plus,
                deviation,
            } => {
                let d = match (ends, random.below(3)) {
                    (0, _) | (1, 0) => deviation.lo,
                    (1, 1) | (2, _) => deviation.hi,
                    _ => deviation.lo + (deviation.hi - deviation.lo) * random.unit().abs(),
                };
                let line = |a: &Dyadic| a.times(&of(factor)).plus(&of(plus)).plus(&of(d));
                (line(v(a)), line(s(a)))
            }
            _ => unreachable!(),
        };
        let computed = match o.rounding {
            Some(_) => of(exact.rounded(o.format, None)),
            None => exact.clone(),
        };
        all.push(Point {
            rounding: computed.minus(&exact),
            v: computed,
            s: real.cut(),
        });
    }
    all
}

/// What is known of a residual's result: all values, and less 1/x.
fn results(analysis: &Analysis, cell: Cell) -> [Interval; 2] {
    let center = cell.center();
    let radius = cell.radius(center);
    let e = analysis.exponents[analysis.residual.result as usize];
    let x_at = Series::variable(Ball::number(center), Ball::number(radius));
    let x_over = Series::variable(Interval::new(cell.lo, cell.hi), Interval::point(radius));
    let at = Series::constant(Ball::number(1.0)).div(x_at).scale(-e);
    let over = Series::constant(Interval::ONE).div(x_over).scale(-e);
    let nothing = (
        Series::constant(Ball::ZERO),
        Series::constant(Interval::ZERO),
    );
    [
        analysis.less(&nothing.0, &nothing.1),
        analysis.less(&at, &over),
    ]
}

/// Compares an analysis with one input.
fn examine(analysis: &Analysis, [all, apart]: [Interval; 2], x: f64, points: &[Point]) {
    let out = analysis.residual.result as usize;
    if let Err(wrong) = compare(analysis, points) {
        panic!("{x}: {wrong}");
    }
    let s = &points[out].s;
    let less = s.minus(&of(1.0).over(&of(x)));
    for (range, value) in [(all, s), (apart, &less)] {
        assert!(
            within(range, value, analysis.exponents[out]),
            "{x}: {range:?} {:e} {analysis:?}",
            value.near()
        );
    }
}

/// The center is in the cell: what is known of a coefficient there, and over the cell, has a number in common.
fn overlap(analysis: &Analysis) {
    let expanded = analysis.method.as_ref().expect("a deviation");
    for (j, (at, over)) in expanded.at.0.iter().zip(&expanded.over.0).enumerate() {
        for (k, (at, over)) in at.0.iter().zip(&over.0).enumerate() {
            let near = at.enclosure();
            assert!(
                near.lo <= over.hi && over.lo <= near.hi,
                "{j} {k}: {near:?} {over:?}"
            );
        }
    }
}

/// The kinds of a program with a wide deviation between two ends and another one that is a point: the cube of the first number over
/// the fourth power of the other one, whose remainders in x and in the deviation add up at the ends; or the first number itself,
/// which is nearly its deviation alone, over that power. The latter is linear in the deviation, and has no remainder there.
fn quotient(linear: bool, ends: Interval, point: f64) -> Vec<Kind> {
    let line = |factor: f64, deviation: Interval| Kind::Affine {
        of: 0,
        factor,
        plus: 0.0,
        deviation,
    };
    let factor = if linear { power(-10) } else { 1.0 };
    let mut kinds = vec![
        Kind::Input,
        line(factor, ends),
        line(1.0, Interval::point(point)),
        Kind::Mul(2, 2),
        Kind::Mul(3, 3),
    ];
    if linear {
        kinds.push(Kind::Div(1, 4));
    } else {
        kinds.extend([Kind::Mul(1, 1), Kind::Mul(5, 1), Kind::Div(6, 4)]);
    }
    kinds
}

#[test]
fn the_widest_deviation_is_expanded_and_the_other_ones_are_kept() {
    let mut random = Random(3);
    for round in 0..300 {
        let linear = round % 2 == 0;
        let lo = 1.0 + 0.5 * random.unit().abs();
        let wide = power(-(random.of(&[3, 4, 6, 8, 40])));
        let cell = Cell {
            lo,
            hi: lo * (1.0 + wide),
        };
        let size = random.of(&[2f64.powi(-20), 2f64.powi(-10), 0.1]);
        let a = random.unit() * size;
        let (ends, point) = match linear {
            true => (Interval::new(-1.0 + a, 1.0), 0.5 * random.unit()),
            false => (Interval::new(a, a + size), 0.2 * random.unit()),
        };
        let mut all: Vec<Operation> = Vec::new();
        for (i, kind) in quotient(linear, ends, point).into_iter().enumerate() {
            let r = |a: u32| all[a as usize].reals;
            let (reals, rounds) = match kind {
                Kind::Affine {
                    factor, deviation, ..
                } => (r(0).mul(Interval::point(factor)).add(deviation), false),
                Kind::Mul(a, b) => (r(a).mul(r(b)), true),
                Kind::Div(a, b) => (r(a).div(r(b)), true),
                _ => (Interval::new(cell.lo, cell.hi), false),
            };
            all.push(operation(kind, reals, rounds.then_some(BINARY64), i));
        }
        let residual = Residual {
            result: all.len() as u32 - 1,
            operations: all,
        };
        let analysis = Analysis::new(residual, cell, cell.center(), cell.radius(cell.center()));
        overlap(&analysis);
        let known = results(&analysis, cell);
        for x in [cell.lo, cell.hi, cell.center()] {
            for _ in 0..4 {
                let points = points(&analysis.residual, x, &mut random);
                examine(&analysis, known, x, &points);
            }
        }
    }
}

#[test]
fn real_values_and_errors_hold_for_all_deviations() {
    let mut random = Random(7);
    let (mut several, mut chained, mut newton, mut none, mut bounded) = (0, 0, 0, 0, 0);
    for _ in 0..900 {
        let lo = random.of(&[1.0, 0.3, 5.0]) * (1.0 + random.unit().abs());
        let wide = power(-(random.below(45) as i32) - 1);
        let cell = Cell {
            lo,
            hi: lo * (1.0 + wide),
        };
        let residual = program(&mut random, cell);
        let usable = |o: &Operation| {
            let most = o.values.magnitude();
            most.is_finite() && most > 1e-30
        };
        if !residual.operations.iter().all(usable) {
            continue;
        }
        let center = cell.center();
        let radius = cell.radius(center);
        let analysis = match random.below(2) {
            0 => Analysis::new(residual, cell, center, radius),
            _ => Analysis::kept(residual, cell, center, radius),
        };
        let residual = &analysis.residual;
        let out = residual.result as usize;
        let known = results(&analysis, cell);
        bounded += u32::from(known[0].magnitude().is_finite());
        let affine: Vec<usize> = residual.affine().collect();
        none += u32::from(affine.is_empty());
        several += u32::from(affine.len() > 1);
        chained += u32::from(affine.iter().any(|&h| h > 0 && affine.contains(&(h - 1))));
        let estimate = residual.operations[out].kind;
        if matches!(estimate, Kind::Mul(_, d) if matches!(residual.operations[d as usize].kind, Kind::Sub(c, _) if residual.operations[c as usize].kind == Kind::Const(2.0)))
        {
            newton += 1;
        }
        for k in 0..10 {
            let x = match k {
                0 => cell.lo,
                1 => cell.hi,
                _ => cell.lo + (cell.hi - cell.lo) * random.unit().abs(),
            };
            let points = points(residual, x, &mut random);
            examine(&analysis, known, x, &points);
        }
    }
    assert!(
        several > 200 && chained > 80 && newton > 100 && none > 150 && bounded > 600,
        "{several} {chained} {newton} {none} {bounded}"
    );
}
