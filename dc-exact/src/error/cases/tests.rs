//! Results on both sides of a power of two, for random ranges: the two cases have all of them.

use super::*;
use crate::cell::{Cell, Operation, Rounding};
use crate::num::dyadic::Random;
use crate::num::float::BINARY64;

/// Three operations with random values, of few sites.
fn analysis(random: &mut Random) -> Analysis {
    let cell = Cell {
        lo: 1.0,
        hi: 1.0 + 2f64.powi(-20),
    };
    let kinds = [Kind::Input, Kind::Mul(0, 0), Kind::Add(1, 0)];
    let operations = kinds.map(|kind| {
        let values = Interval::new(1.0, 3.0);
        Operation {
            kind,
            site: random.below(3) as u32,
            format: BINARY64,
            values,
            reals: values,
            grid: -1074,
            direction: None,
            rounding: (random.below(3) > 0).then_some(Rounding {
                unit: -51,
                error: Interval::new(-0.5, 0.5),
                exact_grid: None,
            }),
        }
    });
    let residual = Residual {
        operations: operations.to_vec(),
        result: 2,
    };
    let center = cell.center();
    let mut analysis = Analysis::new(residual, cell, center, cell.radius(center));
    for i in 0..3 {
        let edge = random.sign() * power(random.below(7) as i32 - 3);
        let wide = random.of(&[1e-12, 1e-3, 0.3, 3.0]) * edge.abs();
        let (a, b) = (
            edge + wide * random.unit().abs(),
            edge - wide * random.unit().abs(),
        );
        let values = Interval::new(a.min(b), a.max(b));
        let e = exponent(values.magnitude()) + 1;
        analysis.residual.operations[i].values = values;
        analysis.exponents[i] = e;
        analysis.reals[i] = values.scale(-e);
        analysis.errors[i] = wide * power(-e) * random.of(&[0.1, 10.0]);
    }
    analysis
}

/// Whether an operation's results are on both sides of a power of two, all with one sign, and the power's magnitude.
fn edge(operation: &Operation) -> Option<f64> {
    let (least, most) = (operation.values.least(), operation.values.magnitude());
    let edge = power(exponent(most));
    (operation.rounding.is_some() && least > 0.0 && least < edge).then_some(edge)
}

fn hugs(analysis: &Analysis, i: usize, edge: f64) -> bool {
    let reals = analysis.reals[i].scale(analysis.exponents[i]).abs();
    let apart = (reals.hi - edge).abs().max((reals.lo - edge).abs());
    apart <= 4.0 * analysis.errors[i] * power(analysis.exponents[i])
}

#[test]
fn both_cases_have_all_results() {
    let mut random = Random(1);
    let (mut some, mut far, mut other) = (0, 0, 0);
    for round in 0..20_000 {
        let analysis = analysis(&mut random);
        let operations = &analysis.residual.operations;
        let mut case = Tight::new();
        if random.below(3) == 0 {
            case.insert(random.below(3) as u32, Interval::new(-8.0, 8.0));
        }
        for site in 0..3 {
            let context = format!("{round}: {site} {operations:?}");
            let of = |o: &Operation| o.site == site && o.rounding.is_some();
            let found = analysis.cases(site, &case);
            let Some(i) = operations.iter().position(of) else {
                assert_eq!(found, None, "{context}");
                other += 1;
                continue;
            };
            let Some(edge) = edge(&operations[i]) else {
                assert_eq!(found, None, "{context}");
                continue;
            };
            let due = hugs(&analysis, i, edge) && !case.contains_key(&site);
            assert_eq!(found.is_some(), due, "{context}");
            let Some(cases) = found else {
                far += 1;
                continue;
            };
            some += 1;
            let values = operations[i].values;
            let sign = values.lo.signum();
            for v in [
                values.lo,
                values.hi,
                sign * edge,
                sign * edge.next_down(),
                0.5 * (values.lo + values.hi),
            ] {
                let has = cases.each_ref().map(|c| c[&site].contains(v));
                assert!(has[0] != has[1], "{context} {v} {cases:?}");
                assert_eq!(has[1], v.abs() >= edge, "{context} {v} {cases:?}");
            }
            for (site, bound) in &case {
                assert!(cases.iter().all(|c| c[site] == *bound), "{context}");
            }
        }
    }
    assert!(
        some > 1000 && far > 1000 && other > 1000,
        "{some} {far} {other}"
    );
}

#[test]
fn what_straddles_is_rounded_and_on_both_sides() {
    let mut random = Random(2);
    let mut found = 0;
    for round in 0..20_000 {
        let analysis = analysis(&mut random);
        let operations = &analysis.residual.operations;
        let mut shares = Vec::new();
        for site in 0..3 {
            if random.below(4) > 0 {
                let ulp = random.of(&[0.0, 1e-7, 1.0]) * random.unit().abs();
                shares.push(Share { site, ulp });
            }
        }
        let share = |o: &Operation| {
            let of = shares.iter().find(|s| s.site == o.site);
            of.map_or(0.0, |s| s.ulp)
        };
        let due: Vec<usize> = (0..3)
            .filter(|&i| edge(&operations[i]).is_some() && share(&operations[i]) >= 1e-6)
            .collect();
        let most = due
            .iter()
            .fold(0.0f64, |m, &i| m.max(share(&operations[i])));
        let first = due.iter().find(|&&i| share(&operations[i]) == most);
        let got = analysis.straddles(&shares);
        let context = format!("{round}: {operations:?} {shares:?} {got:?}");
        let (Some(&i), Some(got)) = (first, got) else {
            assert!(first.is_none() && got.is_none(), "{context}");
            continue;
        };
        found += 1;
        let size = edge(&operations[i]).expect("it straddles");
        assert_eq!(got.site, operations[i].site, "{context}");
        assert_eq!(
            got.edge,
            size.copysign(operations[i].values.lo),
            "{context}"
        );
        assert_eq!(got.hugs, hugs(&analysis, i, size), "{context}");
    }
    assert!(found > 2000, "{found}");
}
