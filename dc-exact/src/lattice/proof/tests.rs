//! The quantities of a chunk and of a run compared with exact arithmetic, for analyses and systems with random numbers.

use super::*;
use crate::cell::{Cell, Operation, Residual, Rounding};
use crate::lattice::model::tests::{System, system};
use crate::num::dyadic::{Dyadic, Random, sum, times};
use crate::num::float::BINARY64;

fn of(x: f64) -> Dyadic {
    Dyadic::of(x)
}

fn most(a: Dyadic, b: Dyadic) -> Dyadic {
    if a.at_most(&b) { b } else { a }
}

fn at_most(a: &Dyadic, b: f64) -> bool {
    a.at_most(&of(b))
}

#[test]
fn the_slack_is_the_lemmas_and_its_roundings() {
    let mut random = Random(1);
    for round in 0..4000 {
        let size = [1e-3, 1.0, 1e3, 1e6];
        let bound = random.of(&size) * random.unit().abs();
        let method = random.of(&[0.0, 1.0, 1e6]) * random.unit();
        let level = random.of(&[0.0, 1.0, 1e6]) * random.unit();
        let context = format!("{round}: {bound} {method} {level}");
        let exact = of(bound).plus(&of(method)).minus(&of(level));
        let sizes = of(method.abs()).plus(&of(level.abs()));
        let margin = of(bound).scaled(-46).plus(&sizes.scaled(-52));
        let got = slack(bound, method, level);
        assert!(at_most(&exact.plus(&margin), got), "{context}");
        let more = 2e-12 + 2e-13 * bound + 2e-15 * sizes.near();
        assert!(got <= exact.near() + more, "{context}");
        // Times the least weight, all of the slack.
        let weight = Interval::new(random.unit().abs() + 1e-3, 3.0);
        let weight = if round % 2 == 0 { weight } else { weight.neg() };
        let wide = width(got.abs(), weight);
        let reach = of(wide).times(&of(weight.least()));
        assert!(of(got.abs()).at_most(&reach), "{context} {weight:?}");
        assert!(wide <= got.abs() / weight.least() * (1.0 + 1e-11));
        let step = Ball::new(random.unit(), 1e-17 * random.unit(), 1e-9);
        let half = random.of(&[1.0, 1e3, 1e8]) * random.unit().abs();
        let reach = of(step.h).plus(&of(step.l)).size().plus(&of(step.r));
        let reach = reach.times(&of(half));
        let got = turn(half, step);
        assert!(
            at_most(&reach.times(&reach), got),
            "{round}: {half} {step:?}"
        );
        assert!(got <= reach.near() * reach.near() * (1.0 + 1e-11));
    }
}

/// `(x x + x) (x x)`, with x from 1 to a little more: operations 1, 2 and 3 are rounded.
fn analysis() -> (Analysis, Cell) {
    let cell = Cell {
        lo: 1.0,
        hi: 1.0 + 2f64.powi(-20),
    };
    let kinds = [
        Kind::Input,
        Kind::Mul(0, 0),
        Kind::Add(1, 0),
        Kind::Mul(2, 1),
    ];
    let operations = kinds.iter().enumerate().map(|(i, &kind)| {
        let lo = [1.0, 1.0, 2.0, 2.0][i];
        let values = Interval::new(lo, lo + 2f64.powi(-17));
        let unit = if lo == 1.0 { -52 } else { -51 };
        Operation {
            kind,
            site: 10 + i as u32,
            format: BINARY64,
            values,
            reals: values,
            grid: unit,
            direction: None,
            rounding: (i > 0).then_some(Rounding {
                unit,
                error: Interval::new(-0.5, 0.5),
                exact_grid: None,
            }),
        }
    });
    let residual = Residual {
        operations: operations.collect(),
        result: 3,
    };
    let center = cell.center();
    let analysis = Analysis::new(residual, cell, center, cell.radius(center));
    (analysis, cell)
}

/// The sign of errors, and their least, for which only so much is left of a bound.
fn chunk<'a>(
    analysis: &'a Analysis,
    cell: Cell,
    method: f64,
    sign: f64,
    left: f64,
) -> Result<Chunk<'a>, NoLattice> {
    let center = cell.center();
    let own = analysis.exponents[3] + 51;
    let bound: f64 = (1..4)
        .map(|i| weight(analysis, i, own).magnitude() / 2.0)
        .sum();
    let level = bound + method - left;
    Chunk::new(
        analysis,
        -52,
        (center, cell.radius(center)),
        -51,
        method,
        sign,
        level,
    )
}

fn weight(analysis: &Analysis, i: usize, own: i32) -> Interval {
    let unit = analysis.residual.operations[i]
        .rounding
        .expect("rounded")
        .unit;
    analysis.weights[i].scale(unit - analysis.exponents[i] + own)
}

#[test]
fn a_chunk_has_what_its_analysis_proves() {
    let mut random = Random(2);
    let mut lattices = 0;
    for round in 0..3000 {
        let (mut analysis, cell) = analysis();
        let sign = random.sign();
        let large = random.of(&[1.0, 1.0, 1e4]);
        let wide = random.of(&[0.0, 1e-3, 0.9]);
        for i in 0..4 {
            let back = analysis.exponents[i] - analysis.residual.operations[i].grid;
            if i > 0 {
                let own = analysis.exponents[3] + 51;
                let lo = large * (1.0 + random.unit().abs());
                let w = Interval::new(lo, lo + large * wide * 8.0 * random.unit().abs());
                let w = if random.below(2) == 0 { w } else { w.neg() };
                analysis.weights[i] = w.scale(back - own);
            }
            let bend = Interval::point(random.of(&[1.0, 1e3]) * random.unit());
            let bend = bend.hull(Interval::point(random.unit()));
            analysis.over[i].0[2] = bend.scale(-back);
            analysis.errors[i] = Interval::point(random.unit().abs() * 4.0).scale(-back).hi;
            let v = analysis.values[i];
            analysis.values[i] = match random.below(4) {
                // Its middle is no double.
                0 => Interval::new(v.lo, v.lo.next_up()),
                _ => v.add(Interval::symmetric(random.of(&[0.0, 1e-3, 0.1]))),
            };
        }
        let method = random.of(&[0.0, 1.0]) * random.unit();
        let left = large * 0.4 * random.unit().abs();
        let Ok(chunk) = chunk(&analysis, cell, method, sign, left) else {
            continue;
        };
        lattices += 1;
        let context = format!("{round}: {chunk:?}");
        let own = analysis.exponents[3] + 51;
        let all: Vec<Interval> = (0..4)
            .map(|i| {
                if i > 0 {
                    weight(&analysis, i, own)
                } else {
                    Interval::ZERO
                }
            })
            .collect();
        let bound: f64 = all.iter().map(|w| w.magnitude() / 2.0).sum();
        let level = bound + method - left;
        let bound = sum(all.iter().map(|w| of(w.magnitude()).scaled(-1)));
        let exact = bound.plus(&of(method)).minus(&of(level));
        // Σ W δ >= L - A - Σ |W| / 2 of the others, and half of the weights' deviations.
        let mut others = bound.clone();
        let bend = |i: usize| {
            let shift = analysis.exponents[i] - chunk.units[i];
            let b = analysis.over[i].0[2];
            (of(b.lo).scaled(shift), of(b.hi).scaled(shift))
        };
        for (c, &i) in chunk.model.coordinates.iter().enumerate() {
            let w = all[i];
            let width = of(w.hi).minus(&of(w.lo));
            let part = of(w.magnitude()).scaled(-1);
            others = others.plus(&width.scaled(-2)).minus(&part);
            let k = position(&chunk.model.included, i);
            let (lo, hi) = chunk.windows[k];
            if chunk.model.constrained[i] {
                let wide = of(hi).minus(&of(lo)).plus(&of(2f64.powi(-50)));
                let full = at_most(&of(1.0), hi - lo);
                let reach = wide.times(&of(w.least()));
                assert!(full || exact.at_most(&reach), "{context}");
                assert!(if sign * w.lo > 0.0 {
                    hi == 0.5
                } else {
                    lo == -0.5
                });
            } else {
                assert_eq!((lo, hi), (-0.5, 0.5), "{context}");
            }
            let (b_lo, b_hi) = bend(i);
            let (mut down, mut up) = (b_hi, of(0.0).minus(&b_lo));
            for &(q, g) in &chunk.rows[k] {
                let (lo, hi) = bend(chunk.model.included[q]);
                let (a, b) = (lo.times(&of(g)), hi.times(&of(g)));
                up = up.plus(&most(a.clone(), b.clone()));
                let (a, b) = (of(0.0).minus(&a), of(0.0).minus(&b));
                down = down.plus(&most(a, b));
            }
            let (d, u) = chunk.curves[c];
            assert!(at_most(&down, d) && at_most(&up, u), "{context}");
            assert!(d >= 0.0 && u >= 0.0, "{context}");
        }
        for (k, &i) in chunk.model.included.iter().enumerate() {
            let shift = analysis.exponents[i] - chunk.units[i];
            assert_eq!(chunk.values[k].terms[0], analysis.at[i].0[0].scale(shift));
            let (lo, hi) = bend(i);
            let b = chunk.bends[k];
            assert!(of(b.lo).at_most(&lo) && at_most(&hi, b.hi), "{context}");
            // Half of the width of each slope's interval times the error.
            let linear = &chunk.model.linear[i];
            let slopes = analysis.slopes(i);
            let mut spread = of(0.0);
            for &(a, middle) in &linear.slopes {
                let (ea, ei) = (analysis.exponents[a], analysis.exponents[i]);
                let units = chunk.units[a] - ea + ei - chunk.units[i];
                let error = of(analysis.errors[a]).scaled(ea - chunk.units[a]);
                let mut apart = of(0.0);
                for s in slopes.clone().filter(|s| s.0 as usize == a) {
                    let up = of(s.1.hi).scaled(units).minus(&of(middle));
                    let down = of(middle).minus(&of(s.1.lo).scaled(units));
                    apart = most(apart, most(up, down));
                }
                spread = spread.plus(&apart.times(&error));
            }
            assert!(at_most(&spread, linear.spread), "{context} {i}");
        }
        let least = of(level).minus(&of(method)).minus(&others);
        let least = least.minus(&bound.scaled(-43));
        assert!(of(chunk.least).at_most(&least), "{context}");
        let near = least.near() - 2e-12 * (1.0 + bound.near());
        assert!(chunk.least >= near, "{context}");
    }
    assert!(lattices > 1500, "{lattices}");
}

#[test]
fn what_is_no_lattice_has_a_reason() {
    let (analysis, cell) = analysis();
    assert!(chunk(&analysis, cell, 0.0, 1.0, 0.1).is_ok());
    for i in 1..4 {
        let mut directed = self::analysis().0;
        let rounding = directed.residual.operations[i].rounding.as_mut();
        rounding.expect("rounded").error = Interval::new(-1.0, 0.0);
        let none = chunk(&directed, cell, 0.0, 1.0, 0.1).err();
        assert_eq!(none, Some(NoLattice::Sign(10 + i as u32)));
        let mut fine = self::analysis().0;
        fine.residual.operations[i].grid -= 1;
        let none = chunk(&fine, cell, 0.0, 1.0, 0.1).err();
        assert_eq!(none, Some(NoLattice::Binades(10 + i as u32)));
    }
}

/// Values and derivatives of polynomials of all degrees, with Lagrange's remainder.
#[test]
fn expansions_hold_their_remainder() {
    let mut random = Random(3);
    for round in 0..2000 {
        let degree = 1 + random.below(6) as usize;
        let terms: Vec<f64> = (0..degree).map(|_| random.unit()).collect();
        let last = random.of(&[0.0, 1e-12, 0.5]);
        let expansion = Expansion {
            terms: terms.iter().map(|&c| Ball::number(c)).collect(),
            last,
        };
        let tau = random.of(&[0.0, 1.0, 0.5]) * random.unit();
        let (value, slope) = expansion.at(Ball::number(tau));
        let (mut v, mut s) = (of(0.0), of(0.0));
        for &c in terms.iter().rev() {
            s = s.times(&of(tau)).plus(&v);
            v = v.times(&of(tau)).plus(&of(c));
        }
        // The remainder is at most `last`, and its derivative that many times the degree.
        let within = |ball: Ball, x: &Dyadic, by: f64| {
            let apart = of(ball.h).plus(&of(ball.l)).minus(x).size();
            at_most(&apart.plus(&of(by)), ball.r)
        };
        assert!(within(value, &v, last), "{round}: {expansion:?} {value:?}");
        let more = degree as f64 * last;
        assert!(within(slope, &s, more), "{round}: {expansion:?} {slope:?}");
    }
}

/// A run of a system, with windows whose end is where an input's rounding error is at most, or with a plane that it is on.
#[test]
fn a_runs_map_has_the_points_of_its_windows() {
    let mut random = Random(4);
    let (analysis, cell) = analysis();
    let mut base = chunk(&analysis, cell, 0.0, 1.0, 0.1).expect("a lattice");
    let mut seen = [0; 5];
    for round in 0..4000 {
        let shape = random.below(4);
        let mut system = system(&mut random, shape, false);
        if shape == 0 {
            let steep = random.of(&[1.0, 2f64.powi(24)]);
            system.rows[2].iter_mut().for_each(|r| r.1 *= steep);
            // Without ties, any radii.
            let large = random.of(&[0.0, 1e-9, 1.0, 1e3]);
            for (at, by) in &mut system.values {
                at.r = large * random.unit().abs();
                by.r = large * random.unit().abs() / system.half;
                by.h *= random.of(&[1.0, 1e6]);
                by.l = by.h * 2f64.powi(-54) * random.unit();
            }
        }
        let k = system.rows.len();
        let System {
            model,
            rows,
            values,
            bends,
            half,
            ties,
            ..
        } = system;
        base.step = Ball::number(random.of(&[0.0, 1e-3, 1.0, 8.0]) / half);
        let turned = turn(half, base.step);
        (base.model, base.rows) = (model, rows);
        base.bends = match shape {
            0 => bends,
            _ => vec![Interval::ZERO; k],
        };
        let all = random.of(&[0.0, 1e-3, 3.0]);
        base.pads = (0..k).map(|_| all * random.unit().abs()).collect();
        let coordinates = base.model.coordinates.clone();
        let bent = random.of(&[0.0, 1e-3, 10.0]);
        base.curves = (coordinates.iter())
            .map(|_| (bent * random.unit().abs(), bent * random.unit().abs()))
            .collect();
        base.plane = (coordinates.iter())
            .map(|_| random.sign() * 2f64.powi(random.below(3) as i32 - 1))
            .collect();
        if let (1.., Some(&last)) = (shape, coordinates.last()) {
            base.rows[last] = vec![(0, random.unit())];
        }
        base.windows = vec![(-0.5, 0.5); k];
        let ends = (half, turned);
        let Integers {
            steps,
            drift,
            off,
            whole,
        } = base.model.integers(&base.rows, &values, &base.bends, ends);
        assert!(whole, "{round}: {values:?}");
        // A point.
        let inner = random.unit();
        let m = random.of(&[1.0, -1.0, inner]);
        // At the center, nothing is rounded but the offset.
        let still = random.below(2) == 0;
        let m = if still { 0.0 } else { (m * half).round() };
        let nf = base.model.free.len();
        let reach: Vec<f64> = (base.model.free.iter())
            .map(|&j| values[j].1.magnitude() * half + 64.0)
            .collect();
        let far = if still { 0.0 } else { 1.0 };
        let n: Vec<f64> = (reach.iter())
            .map(|r| (far * r * random.unit()).round())
            .collect();
        // K - S without the radii, and the sizes of its summands.
        let apart = |q: usize| {
            let center = (off[q] + values[q].0.h).round();
            let real = of(values[q].0.h).plus(&of(values[q].0.l));
            let by = of(drift[q])
                .minus(&of(values[q].1.h))
                .minus(&of(values[q].1.l));
            let free = sum((0..nf).map(|f| times(steps[q][f], n[f])));
            of(center).minus(&real).plus(&by.times(&of(m))).plus(&free)
        };
        let steep = |q: usize| (values[q].1.h.abs() + drift[q].abs()) * half + off[q].abs() + 1.0;
        let radii = |q: usize| of(values[q].0.r).plus(&times(values[q].1.r, half));
        let most_of = if still { 0.999 } else { 0.85 };
        let mut deltas = Vec::new();
        for (r, &j) in coordinates.iter().enumerate() {
            let mut delta = apart(j);
            let mut pad = of(base.pads[j]).plus(&radii(j));
            let mut size = steep(j);
            let mut by_n = steps[j];
            for &(q, g) in &base.rows[j] {
                delta = delta.minus(&of(g).times(&apart(q)));
                pad = pad.plus(&of(g.abs()).times(&radii(q)));
                size += g.abs() * steep(q);
                for f in 0..nf {
                    by_n[f] -= g * steps[q][f];
                }
            }
            size += (0..nf).map(|f| by_n[f].abs() * reach[f]).sum::<f64>();
            // Most of what is left for roundings.
            let pad = pad.plus(&of(size * most_of * 2f64.powi(-46) + 0.5e-9));
            let turns = |c: f64| {
                times(c, half)
                    .times(&times(base.step.h, half))
                    .times(&of(base.step.h))
            };
            let (down, up) = base.curves[r];
            let (down, up) = (turns(down), turns(up));
            deltas.push((delta, pad, down, up));
        }
        // The end of a window.
        let wide = random.of(&[1e-6, 0.1, 1.0]);
        let upper = random.below(2) == 0;
        let mut due = of(0.0);
        for (r, &j) in coordinates.iter().enumerate() {
            let (delta, pad, down, up) = &deltas[r];
            let (inner, outer) = if upper {
                (delta.minus(pad).minus(down), 1.0)
            } else {
                (delta.plus(pad).plus(up), -1.0)
            };
            let end = inner.near();
            let end = end + outer * end.abs() * 2f64.powi(-52);
            base.windows[j] = match upper {
                true => (end - wide, end),
                false => (end, end + wide),
            };
            let plane = of(base.plane[r]);
            let off = pad.plus(&most(down.clone(), up.clone()));
            due = due
                .plus(&plane.times(delta))
                .plus(&plane.size().times(&off));
        }
        base.least = due.near();
        let points = base.lattice(&values, half).expect("a map");
        let context = || format!("{round}: {base:?} {values:?} {half} {m} {n:?} {points:?}");
        let mut height = of(0.0);
        let mut room = of(1e-12 * (1.0 + points.least.abs()));
        let mut sizes = due.size();
        for r in 0..=coordinates.len() {
            let terms = (0..nf).map(|f| times(points.basis[r][f + 1], n[f]));
            let v = sum(terms).plus(&times(points.basis[r][0], m));
            let v = v.plus(&of(points.offset[r]));
            assert!(at_most(&v.size(), 1.0), "{r} {:e} {}", v.near(), context());
            height = height.plus(&of(points.plane[r]).times(&v));
            room = room.plus(&of(points.plane[r].abs() * 1e-9));
            sizes = sizes.plus(&of(points.plane[r].abs()));
        }
        let room = room.plus(&sizes.scaled(-48));
        let above = height.plus(&room);
        assert!(
            of(points.least).at_most(&above),
            "{:e} {}",
            height.near(),
            context()
        );
        seen[shape as usize] += 1;
        // Nothing is known.
        if let Some(&(tie, _)) = ties.first() {
            let mut vague = values.clone();
            vague[tie].0.r = 1.0;
            assert!(base.lattice(&vague, half).is_none(), "{round}");
        }
        let j = coordinates[0];
        for pad in [f64::INFINITY, f64::NAN] {
            base.pads[j] = pad;
            assert!(base.lattice(&values, half).is_none(), "{round}");
        }
    }
    assert!(seen[..4].iter().all(|&s| s > 500), "{seen:?}");
}
