//! Ties and their hypotheses, and random systems of operations in exact arithmetic.

use super::*;
use crate::num::dyadic::{Dyadic, Random};

fn linear(slopes: &[(usize, f64)], fine: Option<i32>) -> Linear {
    Linear {
        slopes: slopes.to_vec(),
        rounds: true,
        unit: 0,
        fine,
        spread: 0.0,
    }
}

/// The hypotheses of Lemma 2: exact operands, a sum with a known grid, a small slack.
#[test]
fn a_tie_has_exact_operands_and_a_grid() {
    let tie = |change: &dyn Fn(&mut Vec<Linear>), s: f64| {
        let mut all = vec![
            linear(&[], None),
            linear(&[], None),
            linear(&[(0, 0.5), (1, -0.25)], Some(2)),
        ];
        change(&mut all);
        let model = Model::new(all, vec![0.01, 0.01, 1.0], s, 1.0).expect("a model");
        model.tie[2]
    };
    assert!(tie(&|_| (), 0.1));
    assert!(!tie(&|_| (), 0.3));
    // At the limit, the rounding error may be a quarter.
    assert!(!tie(&|_| (), 0.25));
    assert!(tie(&|_| (), 0.25f64.next_down()));
    assert!(!tie(&|all| all[2].slopes[0].1 = 0.3, 0.1));
    assert!(!tie(&|all| all[2].spread = 1e-9, 0.1));
    assert!(!tie(&|all| all[2].fine = None, 0.1));
    assert!(!tie(&|all| all[2].fine = Some(0), 0.1));
}

/// Operations that do not round pass on their operands: these are exact too, and are integers of the tie.
#[test]
fn what_a_tie_needs_is_found_behind_operations_that_do_not_round() {
    let model = |by: f64| {
        let mut all = vec![
            linear(&[], None),
            linear(&[], None),
            linear(&[(0, by)], None),
            linear(&[(2, 0.5), (1, -0.25)], Some(2)),
        ];
        all[2].rounds = false;
        Model::new(all, vec![0.01, 0.01, 0.0, 1.0], 0.1, 1.0).expect("a model")
    };
    let exact = model(-1.0);
    assert!(exact.tie[3]);
    assert_eq!(exact.included, [0, 1, 3]);
    assert_eq!(exact.row(3), [(1, -0.25), (0, -0.5)]);
    assert_eq!(exact.eliminated_by[1], Some(3));
    assert!(!model(0.3).tie[3]);
}

/// The integer that a tie determines is taken only where what is not known of its equation is less than a quarter of a step: with
/// more, the next integer could be the one.
#[test]
fn a_vague_tie_determines_no_integer() {
    let mut random = Random(3);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..4000 {
        let mut system = system(&mut random, 1 + round % 3, false);
        let (tie, out) = system.ties[random.below(system.ties.len() as u64) as usize];
        let slope = |row: &[(usize, f64)], out: usize| {
            let found = row.iter().find(|r| r.0 == out);
            found.expect("in the row").1.abs()
        };
        // Shares of a quarter of the slope, of which the sum is the quarter or a little more or less.
        let limit = 0.25 * slope(&system.rows[tie], out);
        let mut terms = vec![(tie, 1.0)];
        terms.extend(&system.rows[tie]);
        let shares = [0; 3].map(|_| random.unit().abs() + 1e-3);
        let sum: f64 = shares.iter().sum();
        let by = random.of(&[0.5, 1.0 - 1e-6, 1.0 + 1e-6, 1.1, 8.0]);
        for (&(q, g), share) in terms.iter().zip(shares) {
            system.values[q].0.r = by * limit * share / sum / g.abs();
        }
        let certain = system.ties.iter().all(|&(t, out)| {
            let row = &system.rows[t];
            let doubt: f64 = row
                .iter()
                .map(|&(q, g)| g.abs() * system.values[q].0.r)
                .sum();
            system.values[t].0.r + doubt <= 0.25 * slope(row, out)
        });
        let k = system.integers();
        assert_eq!(k.whole, certain, "{round} {by}: {system:?} {k:?}");
        taken += u32::from(certain);
        refused += u32::from(!certain);
    }
    assert!(taken > 800 && refused > 800, "{taken} {refused}");
}

/// Pads and rows are those of the recursion.
#[test]
fn pads_and_rows_are_those_of_the_recursion() {
    let mut random = Random(1);
    for round in 0..2000 {
        let n = 7;
        let mut all = Vec::new();
        for i in 0..n {
            // Of one sign: nothing cancels.
            let operands = (0..i).filter(|_| random.below(2) == 0).collect::<Vec<_>>();
            let slopes: Vec<_> = (operands.into_iter())
                .map(|a| (a, random.unit().abs() * 3.0))
                .collect();
            let mut o = linear(&slopes, None);
            o.rounds = random.below(3) > 0;
            o.spread = random.of(&[0.0, 1e-3, 1.0]) * random.unit().abs();
            all.push(o);
        }
        let inside: Vec<bool> = (0..n).map(|_| random.below(3) == 0).collect();
        let model = Model {
            included: (0..n).filter(|&i| inside[i]).collect(),
            constrained: Vec::new(),
            tie: Vec::new(),
            eliminated_by: Vec::new(),
            free: Vec::new(),
            coordinates: Vec::new(),
            sign: 1.0,
            linear: all,
            weights: Vec::new(),
        };
        let i = n - 1;
        let mut seen = vec![Dyadic::of(0.0); n];
        let spread = |pad: Dyadic, by: &Dyadic, o: &Linear, own: f64| {
            let each = Dyadic::of(own).plus(&Dyadic::of(o.spread));
            pad.plus(&by.times(&each))
        };
        let mut pad = spread(Dyadic::of(0.0), &Dyadic::of(1.0), &model.linear[i], 0.0);
        for &(a, g) in &model.linear[i].slopes {
            seen[a] = Dyadic::of(g);
        }
        let mut row = Vec::new();
        for a in (0..i).rev() {
            if inside[a] {
                if !seen[a].is_zero() {
                    row.push((a, seen[a].near()));
                }
                continue;
            }
            let o = &model.linear[a];
            pad = spread(pad, &seen[a], o, if o.rounds { 0.5 } else { 0.0 });
            for &(b, g) in &o.slopes {
                seen[b] = seen[b].plus(&seen[a].times(&Dyadic::of(g)));
            }
        }
        let context = format!("{round}: {model:?}");
        let got = model.pad(i, &inside);
        assert!(pad.at_most(&Dyadic::of(got)), "{context} {got}");
        assert!(got <= pad.near() * (1.0 + 2e-9), "{context} {got}");
        let got = model.row(i);
        assert_eq!(got.len(), row.len(), "{context}");
        for (got, want) in got.iter().zip(&row) {
            let near = (got.1 - want.1).abs() <= 1e-13 * want.1.abs();
            assert!(got.0 == want.0 && near, "{context} {got:?} {want:?}");
        }
    }
}

/// Operations with ties, whose integers the equations of the ties determine.
#[derive(Debug)]
pub(in crate::lattice) struct System {
    pub model: Model,
    pub rows: Vec<Vec<(usize, f64)>>,
    pub values: Vec<(Ball, Ball)>,
    pub bends: Vec<Interval>,
    pub half: f64,
    pub turn: f64,
    /// Each tie, and the operation that it eliminates.
    pub ties: Vec<(usize, usize)>,
}

fn slope(random: &mut Random, least: u64, most: u64) -> f64 {
    let p = least + random.below(most - least + 1);
    random.sign() * 2f64.powi(-(p as i32))
}

/// A system in which everything is an integer that must be; or one in which something is off by a part.
pub(in crate::lattice) fn system(random: &mut Random, shape: u64, off: bool) -> System {
    // The eliminated operation has the smallest slope of its row.
    let finest = random.of(&[5, 5, 12]);
    let small = |random: &mut Random| slope(random, 3, finest);
    let other = |random: &mut Random| slope(random, 1, 3);
    let [a, b, c] = [0; 3].map(|_| small(random));
    let [d, e, f] = [0; 3].map(|_| other(random));
    type Row = Vec<(usize, f64)>;
    let (k, ties, tied): (usize, Vec<(usize, usize)>, Vec<Row>) = match shape {
        // None, with a row.
        0 => (3, vec![], vec![]),
        // One.
        1 => (3, vec![(2, 0)], vec![vec![(0, a), (1, d)]]),
        // The second tie determines the integer of the first.
        2 => (
            5,
            vec![(3, 0), (4, 3)],
            vec![vec![(0, a), (1, d)], vec![(3, b), (2, e)]],
        ),
        // The integer of the first is in the second.
        3 => (
            5,
            vec![(3, 1), (4, 0)],
            vec![vec![(1, a), (2, d)], vec![(0, b), (1, e)]],
        ),
        // Neither is determined without the other.
        _ => (
            5,
            vec![(3, 0), (4, 1)],
            vec![vec![(0, a), (1, d), (2, f)], vec![(0, e), (1, c)]],
        ),
    };
    let mut rows = vec![Vec::new(); k];
    for (&(t, _), row) in ties.iter().zip(tied) {
        rows[t] = row;
    }
    if shape == 0 {
        rows[2] = vec![(0, random.unit() * 3.0), (1, random.unit())];
    }
    let part = |random: &mut Random| match random.below(3) {
        0 if off => slope(random, 0, 14),
        _ => 0.0,
    };
    let grid = |random: &mut Random, e: i32, down: i32| {
        (random.unit() * 2f64.powi(e + down)).round() * 2f64.powi(-down)
    };
    let half = 2f64.powi(random.below(17) as i32);
    let turn = 2f64.powi(random.below(17) as i32 - 8);
    let mut values: Vec<(Ball, Ball)> = Vec::new();
    let mut bends: Vec<Interval> = Vec::new();
    for (j, row) in rows.iter().enumerate() {
        let tie = ties.iter().find(|t| t.0 == j);
        let (mut at, mut by, mut bend) = (grid(random, 9, 12), grid(random, 6, 20), 0.0);
        if random.below(2) == 0 {
            bend = slope(random, 0, 20);
        }
        if let Some(&(_, out)) = tie {
            let g = row.iter().find(|r| r.0 == out).expect("in the row").1;
            // What comes from the input: multiples of the slope.
            at = g * (random.integer(6) + part(random));
            by = g * ((random.below(7) as f64 - 3.0) + part(random));
            bend = g * part(random) / turn;
            for &(q, g) in row {
                at += g * values[q].0.h;
                by += g * values[q].1.h;
                bend += g * bends[q].lo;
            }
        }
        let mut radius = |most: f64| match random.below(3) {
            0 if off => most * random.unit().abs(),
            _ => 0.0,
        };
        let (r0, r1) = (radius(0.1), radius(0.1 / half));
        values.push((Ball::new(at, 0.0, r0), Ball::new(by, 0.0, r1)));
        bends.push(Interval::point(bend));
    }
    let mut eliminated_by = vec![None; k];
    for &(t, out) in &ties {
        eliminated_by[out] = Some(t);
    }
    let tie: Vec<bool> = (0..k).map(|j| ties.iter().any(|t| t.0 == j)).collect();
    System {
        model: Model {
            linear: Vec::new(),
            weights: (0..k).map(|_| random.sign()).collect(),
            included: (0..k).collect(),
            constrained: vec![true; k],
            free: (0..k).filter(|&j| eliminated_by[j].is_none()).collect(),
            coordinates: (0..k).filter(|&j| !tie[j]).collect(),
            tie,
            eliminated_by,
            sign: random.sign(),
        },
        rows,
        values,
        bends,
        half,
        turn,
        ties,
    }
}

impl System {
    pub fn integers(&self) -> Integers {
        let ends = (self.half, self.turn);
        (self.model).integers(&self.rows, &self.values, &self.bends, ends)
    }
    /// How far the integers at a point are from the tie's equation at most, for all real values in their balls; in units of the
    /// eliminated operation.
    fn wrong(&self, k: &Integers, (t, out): (usize, usize), m: f64, n: &[f64]) -> f64 {
        let model = &self.model;
        let up = model.sign * model.weights[t] > 0.0;
        let bent = self.turn * (m / self.half) * (m / self.half);
        // K - S, and its doubt.
        let apart = |q: usize| {
            let free: f64 = (0..model.free.len()).map(|f| k.steps[q][f] * n[f]).sum();
            let (at, by) = self.values[q];
            let real = by.h * m + self.bends[q].lo * bent;
            let doubt = at.r + by.r * m.abs();
            (k.off[q] + free + k.drift[q] * m - real, doubt)
        };
        let (mut sum, mut doubt) = apart(t);
        sum -= if up { 0.5 } else { -0.5 };
        let mut by = f64::NAN;
        for &(q, g) in &self.rows[t] {
            let (x, r) = apart(q);
            sum -= g * x;
            doubt += g.abs() * r;
            if q == out {
                by = g;
            }
        }
        (sum.abs() + doubt) / by.abs()
    }
}

/// For all points of a run, the integers are whole, and no others are nearer to the ties' equations. Where they are not, there is none.
#[test]
fn ties_determine_integers_of_all_points() {
    let mut random = Random(2);
    let (mut whole, mut refused) = ([0; 5], [0; 5]);
    for round in 0..20_000 {
        let shape = round % 5;
        let off = random.below(5) > 0;
        let system = system(&mut random, shape, off);
        let k = system.integers();
        let context = format!("{round}: {system:?} {k:?}");
        if !k.whole {
            assert!(off || shape == 4, "{context}");
            refused[shape as usize] += 1;
            continue;
        }
        whole[shape as usize] += 1;
        for (j, value) in system.values.iter().enumerate() {
            let center = k.off[j] + value.0.h;
            assert!(
                center.fract() == 0.0 && k.drift[j].fract() == 0.0,
                "{context}"
            );
            let even = system.model.tie[j] && system.model.eliminated_by[j].is_none();
            assert!(!even || center % 2.0 == 0.0, "{context}");
            for step in k.steps[j] {
                assert!(
                    step.fract() == 0.0 && (!even || step % 2.0 == 0.0),
                    "{context}"
                );
            }
        }
        for m in [system.half, -system.half, 1.0, 0.0] {
            let n = [0; MOST].map(|_| random.integer(6));
            for &tie in &system.ties {
                let wrong = system.wrong(&k, tie, m, &n);
                assert!(wrong < 0.26, "{context} {tie:?} {m} {wrong}");
            }
        }
    }
    assert!(whole[..4].iter().all(|&w| w > 500), "{whole:?}");
    assert!(
        whole[4] == 0 && refused[1..].iter().all(|&r| r > 500),
        "{refused:?}"
    );
}
