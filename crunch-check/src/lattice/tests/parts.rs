//! The parts of operations in a lattice, compared with their definitions in exact arithmetic.

use super::super::Lattice;
use super::super::part::{Part, bend, dyadic, is_power, most, off, part, row, values};
use super::points::times;
use crate::analysis::{Analysis, Truth};
use crate::expansion::Expansion;
use crate::kernels::Words;
use crate::number::{Coarse, Fine, Number, exact};
use crate::residual::{Kind, ulp};

/// Compares the parts of operations with their slopes: what the middle leaves of a slope is in the spread, times the operand's error.
fn slopes_hold(analysis: &Analysis, grid: i32) {
    let nodes = &analysis.line.nodes;
    let magnitude =
        |i: usize| crate::number::exponent(&analysis.values[i].magnitude()).max(-1100) - 52;
    let scale: Vec<i32> = (0..nodes.len())
        .map(|i| nodes[i].rounding.map_or_else(|| magnitude(i), |r| r.unit))
        .collect();
    for i in 0..nodes.len() {
        let (Some(part), Some(slopes)) = (part(analysis, &scale, i, grid), analysis.slopes(i))
        else {
            continue;
        };
        let mut spread = 0.0;
        for (a, g) in slopes {
            let g = |by: i32| g.scale(by - scale[i]).ends();
            match nodes[a].kind {
                Kind::Const(_) => {}
                Kind::Input => {
                    let (lo, hi) = g(grid);
                    let power = lo == hi && lo.to_bits() << 12 == 0;
                    let twice = nodes[i].kind.args() == [a, a];
                    assert!(
                        part.input.is_nan() || twice || power && part.input == lo,
                        "{} {lo}",
                        part.input
                    );
                }
                _ => {
                    let (lo, hi) = g(scale[a]);
                    // Of an operation that gives zero alone.
                    if !hi.is_finite() || !lo.is_finite() {
                        continue;
                    }
                    let error = Coarse::of(analysis.errors[a].clone())
                        .scale(-scale[a])
                        .ends()
                        .1;
                    let own = part.slopes.iter().filter(|s| s.0 == a);
                    let fits = |s: &(usize, f64, f64)| {
                        s.1 - s.2 <= lo && hi <= s.1 + s.2 && (lo == hi || s.2 > 0.0)
                    };
                    let found = own.into_iter().find(|s| fits(s)).unwrap_or_else(|| {
                        panic!("{lo:e} {hi:e} of {a} is not in {:?}", part.slopes)
                    });
                    spread += found.2 * error;
                    assert!(
                        part.error
                            >= Coarse::of(analysis.errors[i].clone())
                                .scale(-scale[i])
                                .ends()
                                .0
                    );
                }
            }
        }
        let holds = part.spread.is_nan() || part.spread >= spread;
        assert!(holds, "{} {spread}", part.spread);
        assert_eq!(part.rounds, nodes[i].rounding.is_some());
    }
}

/// Compares what a lattice is made of with its definition: pads hold the polynomials' errors, and second derivatives are enclosed.
pub fn formed(lattice: &Lattice, analysis: &Analysis, expansion: &Expansion, grid: i32) {
    slopes_hold(analysis, grid);
    for own in &lattice.included {
        let (mut wrong, mut least, mut most) = (own.polynomial.wrong, -own.bend.1, -own.bend.0);
        for &(q, g) in &own.row {
            let other = &lattice.included[q];
            wrong += g.abs() * other.polynomial.wrong;
            let (a, b) = (g * other.bend.0, g * other.bend.1);
            (least, most) = (least + a.min(b), most + a.max(b));
        }
        assert!(own.pad >= wrong, "{} {wrong}", own.pad);
        assert_eq!(own.curve, (least, most));
        assert!(own.window.0 < own.window.1 && own.window.0 >= -0.5 && own.window.1 <= 0.5);
    }
    for i in 0..analysis.line.nodes.len() {
        let scale = ulp(analysis.line.nodes[i].hi);
        let Some((_, bend)) = values(analysis, expansion, i, scale) else {
            continue;
        };
        let series = &analysis.at[i][..expansion.terms];
        for t in [-1.0f64, -0.75, 0.0, 0.5, 1.0] {
            let mut half = Fine::zero();
            for (k, c) in series.iter().enumerate().skip(2).rev() {
                let pairs = Fine::double((k * (k - 1) / 2) as f64);
                half = half.mul(&Fine::double(t)).add(&c.mul(&pairs));
            }
            let (lo, hi) = half.scale(-scale).ends();
            // To roundings of doubles.
            let slack = 2e-15 * bend.0.abs().max(bend.1.abs());
            assert!(
                bend.0 <= lo + slack && hi - slack <= bend.1,
                "{i} {t}: {bend:?} {lo} {hi}"
            );
        }
    }
}

/// Parts of operations, each with slopes in earlier ones; of some the slopes are powers of two.
fn parts(random: &mut Words) -> (Vec<Part>, Vec<bool>) {
    let n = 2 + random.below(6) as usize;
    let plain = random.below(3) == 0;
    let mut all = Vec::new();
    for i in 0..n {
        let mut slopes = Vec::new();
        for a in 0..i {
            if random.below(2) == 0 {
                let g = match random.below(4) {
                    0 => random.of(&[0.0, 3.0, 2f64.powi(25), 2f64.powi(-21), f64::NAN, -0.75]),
                    _ => random.of(&[1.0, -1.0, 0.5, 2f64.powi(20), -2f64.powi(-20), 1.0 / 3.0]),
                };
                let g = if g.is_nan() || plain {
                    0.1 * (1.0 + random.below(90) as f64)
                } else {
                    g
                };
                let far = random.of(&[0.0, 0.0, 0.0, 1e-9]);
                slopes.push((a, g, far));
            }
        }
        let rounds = random.below(2) == 0;
        all.push(Part {
            slopes,
            rounds,
            error: random.of(&[0.5, 1.0, 2f64.powi(40)]),
            spread: if plain {
                0.0
            } else {
                random.of(&[0.0, 0.0, 1e-7, 0.25])
            },
            fine: None,
            input: random.of(&[0.0, 0.0, 0.0, 1.0, -0.25, f64::NAN]),
        });
    }
    let inside = all
        .iter()
        .map(|p: &Part| p.rounds && (plain || random.below(2) == 0))
        .collect();
    (all, inside)
}

/// The coefficients of all errors in what an operation rounds, exactly, and all that has no coefficient.
#[test]
fn rows_hold_all_errors() {
    let mut random = Words(1);
    let size = |x: &Number| crate::number::magnitude(x);
    let (mut outside, mut inexact) = (0, 0);
    for _ in 0..8000 {
        let (parts, inside) = parts(&mut random);
        let i = parts.len() - 1;
        let mut coefficients = vec![Number::zero(); parts.len()];
        coefficients[i] = exact(1.0);
        let mut pad = exact(parts[i].spread);
        let mut input = Number::zero();
        let mut sizes = coefficients.clone();
        let mut defined = true;
        let mut rounded = Number::zero();
        let row = row(&parts, &inside, i);
        for a in (0..=i).rev() {
            let by = coefficients[a].clone();
            if a < i && inside[a] {
                let found: f64 = row.errors.iter().filter(|e| e.0 == a).map(|e| e.1).sum();
                let off = size(&(exact(found) - by));
                rounded = rounded + times(&off, &exact(parts[a].error));
                continue;
            }
            let reached = parts[a].input.is_nan() || !crate::number::zero(&by);
            if parts[a].input.is_nan() {
                defined &= !reached;
            } else {
                input = input + times(&by, &exact(parts[a].input));
            }
            if a < i {
                let own = parts[a].spread + if parts[a].rounds { 0.5 } else { 0.0 };
                pad = pad + times(&size(&by), &exact(own));
                outside += u64::from(own > 0.0);
            }
            for &(b, g, _) in &parts[a].slopes {
                sizes[b] = sizes[b].clone() + times(&sizes[a].clone(), &exact(g.abs()));
                coefficients[b] = coefficients[b].clone() + times(&by, &exact(g));
            }
        }
        inexact += u64::from(!crate::number::zero(&rounded));
        assert!(
            exact(row.pad) >= pad.clone() + rounded,
            "{} of {:?}",
            row.pad,
            Coarse::of(pad).ends()
        );
        let most = Coarse::of(pad).ends().1;
        // What is added for roundings is a small part of the errors.
        let errors: f64 = (0..i)
            .map(|a| Coarse::of(sizes[a].clone()).ends().1 * parts[a].error)
            .sum();
        let sums = 1e4 * (1.0 + errors);
        assert!(
            row.pad <= most * (1.0 + 1e-6) + sums * 2f64.powi(-40),
            "{} of {most}",
            row.pad
        );
        if dyadic(&parts, i) && defined && (0..i).all(|a| !parts[a].rounds || inside[a]) {
            assert_eq!(exact(row.input), input);
        }
    }
    assert!(outside > 1000 && inexact > 300, "{outside} {inexact}");
}

/// A coefficient's roundings are a part of the magnitudes of its terms, which may be far larger than the coefficient.
#[test]
fn coefficients_without_their_roundings_are_bounded() {
    for size in [0.0, 1.0, 3.0, 2f64.powi(40)] {
        let half = times(&exact(size), &crate::number::power(-46));
        assert!(exact(off(size)) >= half && off(size) <= size * 2f64.powi(-44));
        for part in [0.0, 2f64.powi(-50), -1e-9, 0.3, -1.0] {
            let by = part * size;
            let found = exact(most((by, size)));
            assert!(found >= exact(by.abs()) + half.clone(), "{by} {size}");
        }
    }
}

/// Half of the second derivative, for coefficients at either end of their intervals.
#[test]
fn second_derivatives_are_within_their_bend() {
    let mut random = Words(4);
    for _ in 0..4000 {
        let scale = random.below(40) as i32 - 20;
        let terms = 2 + random.below(5) as usize;
        let mut any = || random.below(1 << 30) as f64 * 2f64.powi(-29) - 1.0;
        let ends: Vec<(f64, f64)> = (0..terms)
            .map(|_| (any(), any()))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .collect();
        let series: Vec<Fine> = ends
            .iter()
            .map(|e| Fine::doubles(e.0, e.1).scale(scale))
            .collect();
        let (least, most) = bend(&series, scale);
        let slack = 2e-15 * least.abs().max(most.abs());
        for t in [-1.0, -0.5, 0.0, 0.75, 1.0] {
            let mut sum = 0.0;
            let mut sums = (0.0, 0.0);
            for k in 2..terms {
                let by = (k * (k - 1) / 2) as f64 * f64::powi(t, k as i32 - 2);
                let (a, b) = (by * ends[k].0, by * ends[k].1);
                sums = (sums.0 + a.min(b), sums.1 + a.max(b));
                sum += by.abs();
            }
            let near = slack + 1e-14 * sum;
            assert!(
                least <= sums.0 + near && sums.1 - near <= most,
                "{ends:?} {t}"
            );
        }
        // Not wider than the sum of magnitudes.
        let pairs = |k: usize| (k * (k - 1) / 2) as f64;
        let all: f64 = (2..terms)
            .map(|k| pairs(k) * ends[k].0.abs().max(ends[k].1.abs()))
            .sum();
        assert!(-least <= all * (1.0 + 1e-11) && most <= all * (1.0 + 1e-11));
    }
}

/// A tie follows from integers where all that is summed are powers of two times rounded results, exactly.
#[test]
fn sums_of_powers_of_two_are_dyadic() {
    let mut random = Words(2);
    let mut counts = [0, 0];
    for _ in 0..20_000 {
        let (parts, _) = parts(&mut random);
        let i = parts.len() - 1;
        let (mut holds, mut ask) = (true, vec![i]);
        while let Some(a) = ask.pop() {
            holds &= !parts[a].input.is_nan();
            for &(b, g, far) in &parts[a].slopes {
                let powers = (-20..=20).any(|e| g.abs() == 2f64.powi(e));
                holds &= powers && far == 0.0;
                if !parts[b].rounds {
                    ask.push(b);
                }
            }
        }
        assert_eq!(dyadic(&parts, i), holds);
        counts[usize::from(holds)] += 1;
    }
    assert!(counts.iter().all(|c| *c > 1000), "{counts:?}");
}

#[test]
fn magnitudes_in_ranges() {
    let ends = [-2.0, -1.0, -0.0, 0.0, 0.5, 3.0];
    for lo in ends {
        for hi in ends.into_iter().filter(|hi| lo <= *hi) {
            let inside = |x: f64| lo <= x && x <= hi;
            let all = [lo, hi, 0.0].into_iter().filter(|x| inside(*x));
            let sizes: Vec<f64> = all.map(f64::abs).collect();
            let due = sizes
                .iter()
                .fold((f64::INFINITY, 0.0f64), |d, x| (d.0.min(*x), d.1.max(*x)));
            assert_eq!(
                (super::super::least((lo, hi)), super::super::most((lo, hi))),
                due
            );
        }
    }
}

#[test]
fn the_slack_is_not_below_the_sum_of_its_parts() {
    let mut random = Words(9);
    for _ in 0..4000 {
        let mut part = || random.below(1 << 50) as f64 * 2f64.powi(-50);
        let (method, level) = (8.0 * part() - 4.0, 8.0 * part());
        let weights: Vec<f64> = (0..20).map(|_| part() * 0.002).collect();
        let sum = weights.iter().fold(exact(method) - exact(level), |sum, w| {
            sum + times(&exact(*w), &exact(0.5))
        });
        let slack = super::super::slack(method, level, weights.iter().copied());
        assert!(exact(slack) >= sum, "{method} {level} {weights:?}");
        let above = Coarse::of(exact(slack) - sum).ends().1;
        assert!(above < 2e-12, "{above}");
    }
}

/// A lattice needs inputs whose numbers are short.
#[test]
fn a_stretch_of_too_many_inputs_has_no_lattice() {
    use crate::cell::{Outcome, outcome};
    use crate::function::Function;
    use crate::ir::Program;
    use crate::residual::Assumed;
    let text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = mul %0, %0\n  return %1\n";
    let program = Program::parse(text).expect("a kernel");
    let function = Function::Reference(Program::parse_reference(text).expect("a reference"));
    for (bits, fits) in [(40, false), (36, false), (25, true), (12, true)] {
        let (lo, hi) = (1.25, 1.25 + 2f64.powi(bits - 52));
        let Ok(Outcome::Line(line)) = outcome(&program, lo, hi, true) else {
            panic!("no line");
        };
        let input = line.nodes[line.input().expect("it has one")];
        let expansion = Expansion::new(lo, hi, -52);
        let analysis = Analysis::new(&line, input, &expansion, &Assumed::new()).expect("one");
        let weights = analysis.weights().expect("weights");
        let on = function.on(lo, hi).expect("a line");
        let (one, none) = (Fine::double(1.0), Coarse::zero());
        let bound = analysis
            .bound(&truth(&on, &expansion), &one, &none, &expansion, &weights)
            .expect("bounded");
        let made =
            |level: f64| Lattice::new(&analysis, &expansion, -52, &bound, &weights, 1.0, level);
        assert_eq!(made(0.499_999).is_ok(), fits, "2^{bits} inputs");
        assert!(matches!(made(0.6), Err(super::super::No::Nothing)));
    }
}

/// Results in two binades are no integers in the unit of the larger.
#[test]
fn results_of_two_binades_have_no_lattice() {
    use super::super::No;
    use crate::cell::{Outcome, outcome};
    use crate::function::On;
    use crate::ir::Program;
    use crate::residual::Assumed;
    let text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = mul %0, %0\n  return %1\n";
    let program = Program::parse(text).expect("a kernel");
    let reference =
        crate::function::Function::Reference(Program::parse_reference(text).expect("a reference"));
    let root = std::f64::consts::SQRT_2;
    let at = |k: i32| root + f64::from(k) * f64::EPSILON;
    for (lo, hi, one) in [
        (at(2), at(900), true),
        (at(-900), at(-2), true),
        (at(-900), at(900), false),
        (at(-1), at(900), false),
    ] {
        let Ok(Outcome::Line(line)) = outcome(&program, lo, hi, true) else {
            panic!("no line");
        };
        let input = line.nodes[line.input().expect("it has one")];
        let expansion = Expansion::new(lo, hi, -52);
        let analysis = Analysis::new(&line, input, &expansion, &Assumed::new()).expect("one");
        let weights = analysis.weights().expect("weights");
        let on: On = reference.on(lo, hi).expect("a line");
        let (whole, none) = (Fine::double(1.0), Coarse::zero());
        let bound = analysis
            .bound(&truth(&on, &expansion), &whole, &none, &expansion, &weights)
            .expect("bounded");
        for sign in [1.0, -1.0] {
            let level = 0.999 * bound.error.ends().1;
            let made = Lattice::new(&analysis, &expansion, -52, &bound, &weights, sign, level);
            match made {
                Ok(_) => assert!(one, "{lo} {hi}"),
                Err(no) => assert!(!one && matches!(no, No::Binades(_)), "{lo} {hi}: {no:?}"),
            }
        }
    }
}

#[test]
fn powers_of_two_are_those_that_integers_can_be_multiplied_by() {
    for e in -80..80 {
        let g = 2f64.powi(e);
        for (x, power) in [
            (g, true),
            (-g, true),
            (1.5 * g, false),
            (g.next_down(), false),
        ] {
            assert_eq!(is_power(x), power && (-60..=60).contains(&e), "{x:e}");
        }
    }
    for x in [0.0, f64::NAN, f64::INFINITY, 3.0] {
        assert!(!is_power(x), "{x}");
    }
}

/// A kernel's line on a stretch of inputs of one binade, with its analysis.
fn analyzed(lines: &[&str], lo: f64, hi: f64) -> (Analysis, Expansion, crate::ir::Program, String) {
    use crate::cell::{Outcome, outcome};
    let mut text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n".to_string();
    for (i, line) in lines.iter().enumerate() {
        text += &format!("  %{}: {line}\n", i + 1);
    }
    text += &format!("  return %{}\n", lines.len());
    let program = crate::ir::Program::parse(&text).expect("a kernel");
    let Ok(Outcome::Line(line)) = outcome(&program, lo, hi, true) else {
        panic!("no line");
    };
    let input = line.nodes[line.input().expect("it has one")];
    let expansion = Expansion::new(lo, hi, -52);
    let none = crate::residual::Assumed::new();
    let analysis = Analysis::new(&line, input, &expansion, &none).expect("one");
    (analysis, expansion, program, text)
}

/// What a step of the input adds is a constant power of two, or not known.
#[test]
fn an_inputs_part_is_a_constant_power_of_two() {
    let constant = |c: f64| format!("f64 = const {:#x}", c.to_bits());
    // Of the last, both summands' sum is 2 - 2^-53.
    let near = constant(1.0 - f64::EPSILON / 2.0);
    for (lines, known) in [
        (vec!["f64 = mul %0, %0"], false),
        (vec!["f64 = add %0, %0"], true),
        (vec![&*constant(0.3), "f64 = add %0, %1"], true),
        (vec![&*constant(3.0), "f64 = mul %0, %1"], false),
        (vec![&*constant(3.0), "f64 = sub %1, %0"], true),
        (vec![&*near, "f64 = fma %0, %1, %0"], false),
    ] {
        let (analysis, ..) = analyzed(&lines, 1.0, 1.0 + 2f64.powi(-42));
        let nodes = &analysis.line.nodes;
        let scale = vec![-52; nodes.len()];
        let own = part(&analysis, &scale, analysis.line.result, -52).expect("bounded");
        assert_eq!(!own.input.is_nan(), known, "{lines:?}: {}", own.input);
    }
}

/// A function that is defined on a stretch.
fn truth(on: &crate::function::On, expansion: &Expansion) -> Truth {
    Truth::new(on, expansion).expect("defined")
}

/// The operations of a lattice whose level is this part of the bound, and which of them are ties.
fn ties(lines: &[&str], lo: f64, hi: f64, part: f64) -> Vec<bool> {
    let (analysis, expansion, _, text) = analyzed(lines, lo, hi);
    let weights = analysis.weights().expect("weights");
    let reference = crate::ir::Program::parse_reference(&text).expect("a reference");
    let function = crate::function::Function::Reference(reference);
    let on = function.on(lo, hi).expect("a line");
    let (one, none) = (Fine::double(1.0), Coarse::zero());
    let bound = analysis
        .bound(&truth(&on, &expansion), &one, &none, &expansion, &weights)
        .expect("bounded");
    let level = part * bound.error.ends().1;
    let made = Lattice::new(&analysis, &expansion, -52, &bound, &weights, 1.0, level);
    let lattice = made.expect("a lattice");
    lattice.included.iter().map(|i| i.tie.is_some()).collect()
}

/// Only of a sum is it known how many bits it loses.
#[test]
fn only_sums_are_ties() {
    let (lo, hi) = (1.125, 1.125 + 2f64.powi(-42));
    let c = |c: f64| format!("f64 = const {:#x}", c.to_bits());
    let fused = [
        "f64 = mul %0, %0",
        &*c(0.5),
        &*c(1.7),
        "f64 = fma %1, %2, %3",
    ];
    assert_eq!(ties(&fused, lo, hi, 0.95), [false, false]);
    let sum = ["f64 = mul %0, %0", &*c(1.7), "f64 = add %1, %2"];
    assert_eq!(ties(&sum, lo, hi, 0.95), [false, true]);
}

/// The integers of all that a tie sums are needed, also of operands of what is exact.
#[test]
fn operands_of_exact_operands_of_ties_are_included() {
    let (lo, hi) = (1.125, 1.125 + 2f64.powi(-42));
    let c = format!("f64 = const {:#x}", 1.3f64.to_bits());
    let lines = [
        "f64 = mul %0, %0",
        &*c,
        "f64 = mul %0, %2",
        "f64 = neg %3",
        "f64 = sub %1, %4",
    ];
    assert_eq!(ties(&lines, lo, hi, 0.65), [false, false, true]);
}

/// A sum with three times an exact number is no tie: integers follow from powers of two alone.
#[test]
fn sums_with_other_multiples_are_no_ties() {
    let (lo, hi) = (1.125, 1.125 + 2f64.powi(-42));
    let c = |c: f64| format!("f64 = const {:#x}", c.to_bits());
    let lines = [
        &*c(1.0),
        "f64 = sub %0, %1",
        &*c(3.0),
        "f64 = mul %2, %3",
        &*c(64.0),
        "f64 = add %4, %5",
    ];
    assert_eq!(ties(&lines, lo, hi, 0.99), [false]);
}
