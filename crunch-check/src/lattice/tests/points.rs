//! Runs of lattices that are made so that a point is in them, at the ends of its windows.

use super::super::run::{Map, around, reached};
use super::super::{Included, Lattice};
use crate::kernels::Words;
use crate::number::{Coarse, Fine, Number, exact, floor};
use crate::reduce::{MOST, Transform};

/// `a b`, exactly.
pub fn times(a: &Number, b: &Number) -> Number {
    Number::new(
        a.significand() * b.significand(),
        a.exponent() + b.exponent(),
    )
}

/// A lattice whose real values are quadratic polynomials, a center, half of a run, and a step from the center that is a point: its
/// rounding errors are those of integers near the real values, and each lies at an end of its window, or in it. The last operation
/// may be a tie.
fn with_a_point(random: &mut Words) -> (Lattice, i64, i64, i64) {
    let part = |random: &mut Words| random.below(1 << 40) as f64 * 2f64.powi(-39) - 1.0;
    let p = 20 + random.below(13) as i32;
    let k = 1 + random.below(4) as usize;
    let tie = k > 1 && random.below(2) == 0;
    let free = k - usize::from(tie);
    let half = 1i64 << (4 + random.below(p as u64 - 6));
    let center = (part(random) * 2f64.powi(p - 1)) as i64;
    let m = match random.below(4) {
        0 => half,
        1 => -half,
        _ => (part(random) * half as f64) as i64,
    };
    let h = 2f64.powi(-p);
    let at = exact((center + m) as f64 * h);
    // The box has about so many points.
    let width = (6.0 / (2.0 * half as f64)).powf(1.0 / free as f64).min(0.9);
    let share = (half as f64 * h).powi(2);
    let dyadic = |x: f64| (x * 2f64.powi(30)).round() * 2f64.powi(-30);
    let last = k - 1;
    let coarse = [1.0, 0.5, 0.25, -0.5, -0.125][random.below(5) as usize];
    let mut coefficients: Vec<[Number; 3]> = Vec::new();
    let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut integers: Vec<Number> = Vec::new();
    let mut errors: Vec<Number> = Vec::new();
    let mut input = 0.0;
    for j in 0..k {
        let row: Vec<(usize, f64)> = match tie && j == last {
            // The first operand has the finest unit.
            true => (0..j)
                .map(|q| {
                    (
                        q,
                        if q == 0 {
                            coarse
                        } else {
                            coarse * random.of(&[1.0, -2.0, 4.0])
                        },
                    )
                })
                .collect(),
            false => {
                let mut row = Vec::new();
                for q in 0..j {
                    if random.below(3) > 0 {
                        row.push((q, 2.0 * part(random)));
                    }
                }
                row
            }
        };
        let sum = |of: &dyn Fn(usize) -> Number| {
            row.iter().fold(Number::zero(), |sum, &(q, g)| {
                sum + times(&exact(g), &of(q))
            })
        };
        let value =
            |c: &[Number; 3]| times(&(times(&c[2], &at) + c[1].clone()), &at) + c[0].clone();
        let (real, integer);
        if tie && j == last {
            // K = Σ g K + c + i m ± 1/2, an even number.
            input = coarse * random.of(&[0.0, 0.0, 1.0, -1.0, 2.0]);
            let side = exact(if random.below(2) == 0 { 0.5 } else { -0.5 });
            let inputs = times(&exact(input), &exact((center + m) as f64));
            let without = sum(&|q| integers[q].clone()) + inputs;
            integer = exact(2.0 * (part(random) * 1000.0).round());
            let c = integer.clone() - side - without;
            let mut of = [0, 1, 2].map(|n| sum(&|q| coefficients[q][n].clone()));
            of[0] = of[0].clone() + c;
            of[1] = of[1].clone() + exact(input * 2f64.powi(p));
            real = of;
        } else {
            let slope = part(random) * random.of(&[0.6, 30.0, 1e4]);
            let bend = part(random) * random.of(&[0.0, 0.4, 0.9]) * width / share;
            real = [part(random) * 1e6, slope * 2f64.powi(p), bend].map(|c| exact(dyadic(c)));
            let near = floor(&value(&real), 0) + i128::from(random.below(3)) - 1;
            integer = Number::new(near.into(), 0);
        }
        errors.push(integer.clone() - value(&real));
        integers.push(integer);
        coefficients.push(real);
        rows.push(row);
    }
    let mut included: Vec<Included> = Vec::new();
    for j in 0..k {
        let is_tie = tie && j == last;
        let series: Vec<Fine> = coefficients[j]
            .iter()
            .map(|c| Fine::of(c.clone()))
            .collect();
        let polynomial =
            crate::polynomial::Polynomial::new(&series, &Coarse::zero(), 0).expect("small");
        let bend = series[2].ends();
        let by = rows[j].iter();
        let exactly = by.fold(errors[j].clone(), |sum, &(q, g)| {
            sum - times(&exact(g), &errors[q])
        });
        let (below, above) = Coarse::of(exactly).ends();
        let window = match random.below(3) {
            0 => (below, below + width),
            1 => (above - width, above),
            _ => (below - width / 3.0, above + width / 3.0),
        };
        included.push(Included {
            row: rows[j].clone(),
            pad: polynomial.wrong,
            window,
            tie: is_tie.then_some(0.5 * above.signum()),
            input: if is_tie { input } else { 0.0 },
            by: (tie && j == 0).then_some(last),
            error: Coarse::of(errors[j].clone()).ends().1.abs().max(1.0) + 1.0,
            polynomial,
            bend,
            curve: (-bend.1, -bend.0),
            fine: 0,
        });
    }
    for j in 0..k {
        for (q, g) in included[j].row.clone() {
            let ends = (g * included[q].bend.0, g * included[q].bend.1);
            let wrong = included[q].polynomial.wrong;
            let own = &mut included[j];
            own.curve = (
                own.curve.0 + ends.0.min(ends.1),
                own.curve.1 + ends.0.max(ends.1),
            );
            own.pad += g.abs() * wrong;
        }
    }
    let free = (0..k).filter(|&j| included[j].by.is_none()).collect();
    (
        Lattice {
            steps: p,
            included,
            free,
        },
        center,
        half,
        m,
    )
}

#[test]
fn a_point_at_the_end_of_its_windows_is_in_its_run() {
    let mut random = Words(1);
    let mut transform = Transform::identity(1);
    let (mut found, mut ties, mut steps) = (0, 0, 0);
    let cases = std::env::var("LATTICE_POINTS").map_or(6000, |n| n.parse().expect("a number"));
    for _ in 0..cases {
        let (lattice, center, half, m) = with_a_point(&mut random);
        let Some(run) = lattice.run(center, half, &mut transform) else {
            continue;
        };
        let tie = lattice.included.iter().any(|i| i.tie.is_some());
        found += 1;
        ties += u64::from(tie);
        steps += run.steps.len() as u64;
        assert!(
            run.steps.contains(&m),
            "step {m} of ±{half} from {center}, of {} operations, tie: {tie}, is not among {:?}",
            lattice.included.len(),
            run.steps
        );
    }
    println!("{found} runs, {ties} with ties, {steps} steps");
    assert!(
        found > cases / 2 && ties > cases / 12 && steps < 100 * found,
        "{found} {ties} {steps}"
    );
}

/// Where a step of the input adds half an integer to what a tie determines, there is no lattice of integers.
#[test]
fn a_tie_determines_integers_or_nothing() {
    let mut random = Words(7);
    let mut transform = Transform::identity(1);
    let (mut some, mut none) = (0, 0);
    for _ in 0..2000 {
        let (mut lattice, center, half, _) = with_a_point(&mut random);
        let Some(t) = lattice.included.iter().position(|i| i.tie.is_some()) else {
            continue;
        };
        some += u64::from(lattice.run(center, half, &mut transform).is_some());
        let by = lattice.included[t].row[0].1;
        let map = lattice.map(center, half);
        let (input, side) = (lattice.included[t].input, lattice.included[t].tie);
        lattice.included[t].input += random.of(&[0.5, -0.25, 1.5]) * by;
        assert!(lattice.run(center, half, &mut transform).is_none());
        // Steps that are too large for doubles.
        for far in [2f64.powi(51), -2f64.powi(51)] {
            lattice.included[t].input = input + far * by;
            assert!(lattice.map(center, half).is_none(), "{far:e}");
        }
        lattice.included[t].input = input;
        // Half of an integer, or a quarter.
        for part in [0.5, 0.25, -0.25] {
            lattice.included[t].tie = side.map(|side| side + part * by);
            assert!(lattice.map(center, half).is_none(), "{part}");
        }
        lattice.included[t].tie = side;
        assert_eq!(lattice.map(center, half).is_some(), map.is_some());
        // Real values that are not known to a part of an integer.
        for q in [0, t] {
            let wrong = lattice.included[q].polynomial.wrong;
            lattice.included[q].polynomial.wrong =
                0.5 * by.abs() / if q == t { 1.0 } else { by.abs() };
            assert!(lattice.map(center, half).is_none(), "{q}");
            lattice.included[q].polynomial.wrong = wrong;
        }
        none += 1;
    }
    assert!(some > 100 && none > 200, "{some} {none}");
}

/// Where an integer that a tie determines would move by a part of one with another, there is no lattice of integers.
#[test]
fn a_tie_whose_operands_move_by_parts_determines_nothing() {
    let mut random = Words(11);
    let (mut whole, mut parts) = (0, 0);
    for _ in 0..6000 {
        let (mut lattice, center, half, _) = with_a_point(&mut random);
        let Some(t) = lattice.included.iter().position(|i| i.tie.is_some()) else {
            continue;
        };
        if lattice.included[t].row.len() < 2 {
            continue;
        }
        whole += u64::from(lattice.map(center, half).is_some());
        // The others move it by a quarter.
        let by = lattice.included[t].row[0].1;
        lattice.included[t].row[0].1 = 4.0 * by;
        lattice.included[t].row[1].1 = by;
        assert!(lattice.map(center, half).is_none());
        parts += 1;
    }
    assert!(whole > 100 && parts > 500, "{whole} {parts}");
}

#[test]
fn integers_of_a_run_are_bounded_by_all_that_moves_them() {
    let mut random = Words(8);
    for _ in 0..4000 {
        let mut any = || random.below(1 << 30) as f64 * 2f64.powi(random.below(40) as i32 - 30);
        let (turn, h, error, bent, wrong) = (any(), any(), any(), any(), any());
        let sum = exact(4.0)
            + times(&exact(turn), &exact(h))
            + exact(error)
            + exact(bent)
            + exact(2.0 * wrong);
        for turn in [turn, -turn] {
            let bound = exact(reached((turn, h), error, bent, wrong));
            assert!(bound >= sum, "{turn} {h} {error} {bent} {wrong}");
        }
    }
}

#[test]
fn windows_are_within_their_widths() {
    let mut random = Words(10);
    for _ in 0..4000 {
        let mut any = || random.below(1 << 30) as f64 * 2f64.powi(random.below(40) as i32 - 30);
        let (at, size) = (any() - any(), any() + 2f64.powi(-30));
        let (lo, hi) = (at - size, at + size * any());
        if hi - lo < 1e-6 * (1.0 + lo.abs().max(hi.abs())) {
            continue;
        }
        let (middle, width) = around(lo, hi);
        // What the numbers lose that are divided by it.
        let most = times(&exact(width), &exact(1.0 - 5e-10));
        assert!(exact(middle) - most.clone() <= exact(lo), "{lo} {hi}");
        assert!(exact(hi) <= exact(middle) + most, "{lo} {hi}");
        assert!(width <= 0.5 * (hi - lo) * (1.0 + 1e-8));
    }
}

/// The deviation from lines, and the reaches, of whole runs: those of their own polynomials.
#[test]
fn a_run_knows_how_far_its_integers_are_from_lines() {
    let mut random = Words(9);
    let mut bent = 0;
    for _ in 0..2000 {
        let (lattice, center, half, _) = with_a_point(&mut random);
        let Some(map) = lattice.map(center, half) else {
            continue;
        };
        let part = exact(half as f64 * 2f64.powi(-lattice.steps));
        let part = times(&part, &part);
        let at_least = |x: f64, due: &Number| {
            let most = times(due, &exact(1.0 + 1e-6)) + exact(1e-300);
            assert!(exact(x) >= *due && exact(x) <= most, "{x}");
        };
        for (j, own) in lattice.included.iter().enumerate() {
            for bend in [own.bend.0, own.bend.1] {
                assert!(exact(map.bent[j]) >= times(&exact(bend.abs()), &part));
            }
            let most = own.bend.0.abs().max(own.bend.1.abs());
            at_least(map.bent[j], &times(&exact(most), &part));
            bent += u64::from(most > 0.0);
        }
        assert_eq!(map.reaches[0], half as f64);
        for (f, &j) in lattice.free.iter().enumerate() {
            // The nearest integer, or of a tie the nearest even one.
            let near = if lattice.included[j].tie.is_some() {
                1.0
            } else {
                0.5
            };
            assert!(map.off[j].abs() <= near, "{}", map.off[j]);
            let turns = times(&exact(map.turn[j].abs()), &exact(half as f64));
            let due = turns + exact(4.0) + exact(lattice.included[j].error) + exact(map.bent[j]);
            at_least(map.reaches[f + 1], &due);
        }
        let none = &map.reaches[lattice.free.len() + 1..];
        assert!(none.iter().all(|&r| r == 0.0));
    }
    assert!(bent > 1000, "{bent}");
}

/// A rounding error as a function of a run's integers: its coefficients, and the sum of the magnitudes of all terms.
#[test]
fn lines_of_a_run_sum_all_terms() {
    let mut random = Words(3);
    for _ in 0..4000 {
        let free = random.below(4) as usize;
        let any = |random: &mut Words| {
            let x = random.below(1 << 20) as f64 - 524_288.0;
            x * 2f64.powi(random.below(30) as i32 - 15)
        };
        let array = |random: &mut Words| [0.0; MOST].map(|_: f64| any(random));
        let step = [0.0; MOST].map(|_: f64| {
            let mut row = array(&mut random);
            row[free..].fill(0.0);
            row
        });
        let (off, turn) = (array(&mut random), array(&mut random));
        let [bent, reaches] = [array(&mut random), array(&mut random)].map(|a| a.map(f64::abs));
        let j = random.below(5) as usize;
        let terms: Vec<(usize, f64)> = (0..j).map(|q| (q, array(&mut random)[0])).collect();
        let map = Map {
            off,
            turn,
            step,
            bent,
            reaches,
        };
        let line = map.line(j, &terms, free);
        let all: Vec<(usize, Number)> = std::iter::once((j, exact(1.0)))
            .chain(terms.iter().map(|t| (t.0, -exact(t.1))))
            .collect();
        let sum = |of: &dyn Fn(usize) -> Number| {
            all.iter()
                .fold(Number::zero(), |sum, (q, g)| sum + times(g, &of(*q)))
        };
        let sizes = |of: &dyn Fn(usize) -> Number| {
            all.iter().fold(Number::zero(), |sum, (q, g)| {
                sum + crate::number::magnitude(&times(g, &of(*q)))
            })
        };
        let scaled = |x: f64, by: f64| times(&exact(x), &exact(by));
        let mut size = sizes(&|q| exact(off[q]))
            + sizes(&|q| scaled(turn[q], reaches[0]))
            + sizes(&|q| exact(bent[q]));
        for f in 0..free {
            size = size + sizes(&|q| scaled(step[q][f], reaches[f + 1]));
        }
        let near = |x: f64, due: &Number, size: &Number| {
            crate::number::magnitude(&(exact(x) - due.clone()))
                <= times(size, &crate::number::power(-48))
        };
        assert!(near(line.size, &size, &size));
        assert!(near(
            line.constant,
            &sum(&|q| exact(off[q])),
            &sizes(&|q| exact(off[q]))
        ));
        assert!(near(
            line.by_m,
            &sum(&|q| exact(turn[q])),
            &sizes(&|q| exact(turn[q]))
        ));
        for f in 0..MOST {
            let (due, size) = (sum(&|q| exact(step[q][f])), sizes(&|q| exact(step[q][f])));
            assert!(f >= free || near(line.by_n[f], &due, &size));
        }
    }
}
