use super::*;
use crate::cell::{Outcome, outcome};
use crate::ir::Program;
use crate::kernels::Words;
use crate::number::{Coarse, exact};

/// A kernel from its lines after the argument, of which the last is the result; constants by their bits.
fn line(lines: &[&str], lo: f64, hi: f64) -> Line {
    let mut text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n".to_string();
    for (i, l) in lines.iter().enumerate() {
        text += &format!("  %{}: {l}\n", i + 1);
    }
    text += &format!("  return %{}\n", lines.len());
    let program = Program::parse(&text).expect("a kernel");
    match outcome(&program, lo, hi, true) {
        Ok(Outcome::Line(line)) => line,
        _ => panic!("no line on {lo:e} to {hi:e}"),
    }
}

/// 1/x from bits, with an iteration whose residual cancels.
const RECIPROCAL: &[&str] = &[
    "i64 = const 0x7fde6238502ce8c3",
    "i64 = to_bits %0",
    "i64 = sub %1, %2",
    "f64 = from_bits %3",
    "f64 = const 0x4000000000000000",
    "f64 = mul %0, %4",
    "f64 = sub %5, %6",
    "f64 = mul %4, %7",
    "f64 = neg %8",
    "f64 = const 0x3ff0000000000000",
    "f64 = fma %0, %9, %10",
    "f64 = fma %8, %11, %8",
];
/// √x with a step of Heron's.
const ROOT: &[&str] = &[
    "f64 = sqrt %0",
    "f64 = const 0x3f50624dd2f1a9fc",
    "f64 = mul %1, %2",
    "f64 = add %1, %3",
    "f64 = div %0, %4",
    "f64 = add %4, %5",
    "f64 = const 0x3fe0000000000000",
    "f64 = mul %6, %7",
];

#[test]
fn the_copy_has_the_lines_results_scaled() {
    let (mut state, mut made) = (5u64, 0);
    for (kernel, period, factor) in [(RECIPROCAL, 1, -1), (ROOT, 2, 1)] {
        let mut keys = std::collections::HashSet::new();
        // The factor of a number that is made of bits is a double.
        for e in (-500..500).step_by(19) {
            let at = |m: f64| m * power_double(e);
            let (lo, hi) = (at(1.125), at(1.25));
            let by = e.div_euclid(period) * period;
            let line = line(kernel, lo, hi);
            let (copy, scale) = line.copy(by).expect("a copy");
            assert_eq!(scale, by / period * factor, "{e}");
            // Also what is known of the input: `Member::grid` is its grid.
            let inputs = [&line, &copy].map(|l| l.nodes[l.input().expect("it has one")]);
            let (from, to) = (inputs[0], inputs[1]);
            assert_eq!(to.grid, from.grid - by, "{e}");
            assert_eq!(exact(to.lo), exact(from.lo * power_double(-by)), "{e}");
            keys.insert(copy.key());
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for _ in 0..200 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let x = at(1.125 + 0.125 * (state >> 12) as f64 * power_double(-52));
                let due = line.compute(x, &mut a);
                let got = copy.compute(
                    x * power_double(-by / 2) * power_double(-by + by / 2),
                    &mut b,
                );
                assert_eq!(
                    got * power_double(scale / 2) * power_double(scale - scale / 2),
                    due
                );
                made += 1;
            }
        }
        assert_eq!(keys.len(), 1);
    }
    assert!(made > 20_000);
}

/// Subnormal inputs, whose roots are normal: the copy is that of normal ones.
#[test]
fn lines_of_subnormal_inputs_are_copies_where_nothing_is_rounded_among_them() {
    let up = format!("f64 = const {:#x}", power_double(10).to_bits());
    let doubled = [&*up, "f64 = mul %0, %1", "f64 = sqrt %2"];
    let other = format!("f64 = const {:#x}", 1.1f64.to_bits());
    let rounded = [&*other, "f64 = mul %0, %1", "f64 = sqrt %2"];
    let mut random = Words(3);
    let mut keys = std::collections::HashSet::new();
    for e in (-1070..=-1024).step_by(2) {
        let (lo, hi) = (power_double(e), power_double(e + 1).next_down());
        let (first, second) = (line(&["f64 = sqrt %0"], lo, hi), line(&doubled, lo, hi));
        for line in [&first, &second] {
            let (copy, scale) = line.copy(e).expect("a copy");
            assert_eq!(scale, e / 2);
            keys.insert(copy.key());
            let (mut a, mut b) = (Vec::new(), Vec::new());
            for _ in 0..50 {
                let x =
                    f64::from_bits(lo.to_bits() + random.below(hi.to_bits() - lo.to_bits() + 1));
                let scaled = times_power(x, -e).expect("normal");
                let got = times_power(copy.compute(scaled, &mut b), scale);
                assert_eq!(got, Some(line.compute(x, &mut a)), "{x:e}");
            }
        }
        // A rounding among subnormal numbers.
        assert_eq!(line(&rounded, lo, hi).copy(e).map(|c| c.1), None);
    }
    assert_eq!(keys.len(), 2);
}

/// A significand, a function of it, and a power of two: for each exponent of one remainder by 3 the same, and another one for the others.
#[test]
fn lines_of_a_significand_are_copies() {
    let power = |e: i32| format!("f64 = const {:#x}", power_double(e).to_bits());
    let number = |x: f64| format!("f64 = const {:#x}", x.to_bits());
    let mut random = Words(4);
    let mut keys = std::collections::HashSet::new();
    for e in (-1022i32..1020).step_by(7) {
        let q = e.div_euclid(3);
        let (lo, hi) = (power_double(e), power_double(e + 1).next_down());
        let (down, up, other) = (power(-e), power(q), number(0.37));
        let text = [
            &*down,
            "f64 = mul %0, %1",
            &other,
            "f64 = add %2, %3",
            &up,
            "f64 = mul %4, %5",
        ];
        let first = line(&text, lo, hi);
        let plain = first.copy(3 * q).filter(|copy| copy.1 == q);
        assert!(plain.is_none() || q == 0, "{e}");
        let copy = first.copy_to(3 * q, q).expect("a copy");
        keys.insert(copy.key());
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for _ in 0..50 {
            let x = f64::from_bits(lo.to_bits() + random.below(1 << 52));
            let scaled = times_power(x, -3 * q).expect("normal");
            let got = times_power(copy.compute(scaled, &mut b), q);
            assert_eq!(got, Some(first.compute(x, &mut a)), "{x:e}");
        }
        // Another factor of the result, and the input where it is not its significand.
        assert_ne!(
            first.copy_to(3 * q, q + 1).map(|l| l.key()),
            Some(copy.key())
        );
        let twice = [
            &*down,
            "f64 = mul %0, %1",
            &up,
            "f64 = mul %2, %3",
            "f64 = add %4, %0",
        ];
        if (-900..900).contains(&e) && q != 0 {
            assert!(line(&twice, lo, hi).copy_to(3 * q, q).is_none(), "{e}");
        }
    }
    assert_eq!(keys.len(), 3);
}

/// A constant times a power of two is exact, or there is none.
#[test]
fn constants_are_scaled_exactly() {
    let mut random = Words(6);
    let (mut some, mut none) = (0, 0);
    for _ in 0..20_000 {
        let ends = [0u64, 1, 2, 30, 1023, 2000, 2044, 2045, 2046];
        let c = f64::from_bits(random.of(&ends) << 52 | random.next() >> 12);
        let c = if random.below(2) == 0 { c } else { -c };
        let e = match random.below(2) {
            0 => random.below(4400) as i32 - 2200,
            // To one of the ends.
            _ => random.of(&[-1074, -1023, -1022, -1021, 1022, 1023, 1024]) - expo(c),
        };
        let normal = |e: i32| (-1022..=1023).contains(&e);
        match times_power(c, e) {
            Some(scaled) => {
                let due = exact(c);
                let due = crate::number::Number::new(
                    due.significand().clone(),
                    due.exponent() + e as isize,
                );
                assert_eq!(exact(scaled), due, "{c:e} 2^{e}");
                some += 1;
            }
            None => {
                assert!(!normal(expo(c)) || !normal(expo(c) + e), "{c:e} 2^{e}");
                none += 1;
            }
        }
    }
    assert_eq!(times_power(0.0, 5000), Some(0.0));
    assert!(some > 5000 && none > 5000, "{some} {none}");
}

/// Each breaks one hypothesis of the lemma.
#[test]
fn what_is_no_copy_is_none() {
    let p = |e: i32| format!("f64 = const {:#x}", power_double(e).to_bits());
    let at = |e: i32| (1.125 * power_double(e), 1.25 * power_double(e));
    let (up, down, far) = (p(600), p(-600), p(700));
    // A product in between that is subnormal, for the line or for its copy: it is 1/8 of an ULP of the result, or far more.
    let small = [&down, "f64 = mul %0, %1", &up, "f64 = mul %2, %3"];
    let (lo, hi) = at(-400);
    assert!(line(&small, lo, hi).copy(-400).is_some());
    let (lo, hi) = at(-450);
    assert_eq!(line(&small, lo, hi).copy(-450).map(|c| c.1), None);
    assert_eq!(line(&small, lo, hi).copy(0).map(|c| c.1), None);
    let (lo, hi) = at(400);
    assert!(line(&small, lo, hi).copy(400).is_some());
    assert_eq!(line(&small, lo, hi).copy(850).map(|c| c.1), None);
    // A square that overflows in the copy.
    let large = [&far, "f64 = mul %0, %1", "f64 = mul %2, %2"];
    let (lo, hi) = at(-400);
    assert!(line(&large, lo, hi).copy(-200).is_some());
    assert_eq!(line(&large, lo, hi).copy(-400).map(|c| c.1), None);
    // Operands of a sum with two powers of x.
    let sum = ["f64 = mul %0, %0", "f64 = add %0, %1"];
    let (lo, hi) = at(3);
    assert!(line(&sum, lo, hi).copy(0).is_some());
    assert_eq!(line(&sum, lo, hi).copy(3).map(|c| c.1), None);
    // Half of an odd exponent.
    assert!(line(&["f64 = sqrt %0"], lo, hi).copy(2).is_some());
    assert_eq!(line(&["f64 = sqrt %0"], lo, hi).copy(3).map(|c| c.1), None);
    // A product of differences that span zero: its multiples of 2^-1104 are not those of the copy, times a power of two.
    let differ = |e: i32| {
        let c = |m: f64| format!("f64 = const {:#x}", (m * power_double(e)).to_bits());
        let (a, b) = (c(1.1875), c(1.2));
        let (lo, hi) = at(e);
        line(
            &[
                &a,
                "f64 = sub %0, %1",
                &b,
                "f64 = sub %0, %3",
                "f64 = mul %2, %4",
            ],
            lo,
            hi,
        )
    };
    assert!(differ(-300).copy(-300).is_some());
    assert_eq!(differ(-490).copy(-490).map(|c| c.1), None);
    assert_eq!(differ(-300).copy(190).map(|c| c.1), None);
}

/// Results, before and after their scaling, with both ends and all exact results between at some distance from the ends of the
/// normal numbers.
#[test]
fn moderate_results_are_far_from_the_ends() {
    let moderate_exponent = |e: i32| (-1021..=1021).contains(&e);
    let mut counts = [0, 0];
    let exponents = [-1022, -1021, -1020, -3, 0, 500, 1020, 1021, 1022, 1023];
    for (a, b) in exponents.iter().flat_map(|a| exponents.map(|b| (*a, b))) {
        for (lo, hi) in [
            (1.5, 1.25),
            (-1.25, -1.5),
            (-1.0, 1.0),
            (0.0, 1.5),
            (-1.5, 0.0),
            (0.0, 0.0),
        ] {
            let (lo, hi) = (lo * power_double(a), hi * power_double(b));
            if lo > hi {
                continue;
            }
            for grid in [-1030, -1021, -1022, -60, 1021, 1022] {
                for rounding in [None, Some(None), Some(Some(grid))] {
                    let node = Node {
                        kind: Kind::Neg(0),
                        site: 0,
                        lo,
                        hi,
                        grid,
                        rounding: rounding.map(|grid| crate::residual::Rounding { unit: 0, grid }),
                    };
                    for by in [0, 1, -1, 40] {
                        let most = if lo.abs() > hi.abs() { lo } else { hi };
                        let least = if lo.abs() > hi.abs() { hi } else { lo };
                        let fits = |x: f64| x != 0.0 && moderate_exponent(expo(x) + by);
                        let above_least = match (lo <= 0.0 && hi >= 0.0, rounding) {
                            (false, _) => fits(least),
                            (true, Some(None)) => false,
                            (true, _) => moderate_exponent(grid + by),
                        };
                        let due = fits(most) && above_least;
                        assert_eq!(moderate(&node, by), due, "{node:?} {by}");
                        counts[usize::from(due)] += 1;
                    }
                }
            }
        }
    }
    assert!(counts.iter().all(|c| *c > 1000), "{counts:?}");
}

/// A constant that is a factor and a summand of one operation has one scale.
#[test]
fn a_factor_that_is_the_summand_is_not_scaled() {
    let c = "f64 = const 0x3ff8000000000000";
    let mut line = line(&[c, "f64 = fma %0, %1, %1"], 1.125, 1.25);
    assert_eq!(line.copy(1).map(|c| c.1), Some(1), "two constants");
    let Kind::Fma(x, a, _) = line.nodes[line.result].kind else {
        panic!("{:?}", line.nodes)
    };
    for kind in [Kind::Fma(x, a, a), Kind::Fma(a, x, a)] {
        line.nodes[line.result].kind = kind;
        assert!(line.copy(0).is_some());
        assert_eq!(line.copy(1).map(|c| c.1), None, "{kind:?}");
    }
}

/// A summand that is no constant has its own scale.
#[test]
fn a_summand_of_another_scale_is_not_scaled() {
    let c = "f64 = const 0x3ff8000000000000";
    let lines = ["f64 = mul %0, %0", c, "f64 = fma %0, %2, %1"];
    let line = line(&lines, 1.125, 1.25);
    assert!(line.copy(0).is_some());
    assert_eq!(line.copy(1).map(|c| c.1), None);
}

/// A constant with two uses has one scale, and none where the uses need two.
#[test]
fn a_constant_of_two_sums_is_not_scaled() {
    let c = ["f64 = const 0x3ff8000000000000", "f64 = add %0, %1"];
    let mut line = line(&c, 1.125, 1.25);
    assert!(line.copy(1).is_some());
    let add = line.nodes[line.result];
    let Kind::Add(_, constant) = add.kind else {
        panic!("{add:?}")
    };
    line.nodes.push(Node {
        kind: Kind::Mul(line.result, constant),
        lo: 3.9,
        hi: 4.2,
        ..add
    });
    line.result = line.nodes.len() - 1;
    assert_eq!(line.copy(1).map(|c| c.1), None);
}

/// A constant that is used twice has one scale, also where a number made of bits would take another.
#[test]
fn a_constant_of_a_number_made_of_bits_has_one_scale() {
    let c = "f64 = const 0x3ff8000000000000";
    let three = "f64 = const 0x4008000000000000";
    let lines = [
        c,
        "f64 = mul %0, %1",
        three,
        "f64 = mul %0, %1",
        "f64 = sub %3, %4",
    ];
    let mut line = line(&[&lines[..], &["f64 = mul %2, %5"]].concat(), 1.125, 1.25);
    let Kind::Mul(first, sub) = line.nodes[line.result].kind else {
        panic!("{:?}", line.nodes)
    };
    let Kind::Sub(_, mul) = line.nodes[sub].kind else {
        panic!("{:?}", line.nodes)
    };
    line.nodes[mul].kind = line.nodes[first].kind;
    // One instruction, as that of a number made of bits.
    line.nodes[mul].site = line.nodes[sub].site;
    let (copy, scale) = line.copy(1).expect("a copy");
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for x in [1.125, 1.2, 1.25] {
        let (due, got) = (line.compute(x, &mut a), copy.compute(x / 2.0, &mut b));
        assert_eq!(got * power_double(scale), due);
    }
}

/// Lines of operations whose powers of the input fit, with constants so large and so small that values leave the normal numbers:
/// of a line with a copy the results are the copy's, scaled, at each input.
#[test]
fn copies_of_random_lines_have_their_results_scaled() {
    let mut random = Words(1);
    let (mut some, mut none) = (0, 0);
    for _ in 0..6000 {
        let e = random.of(&[0i32, 0, 3, -40, 200, -200, 340, -340, 500, -500]);
        let mut lines: Vec<String> = Vec::new();
        // Of each value the power of the input, doubled, and whether it is constant.
        let mut powers: Vec<Option<i32>> = vec![Some(2)];
        for _ in 0..2 + random.below(6) {
            let n = powers.len() as u64;
            let (a, b, c) = (random.below(n), random.below(n), random.below(n));
            let of = |i: u64| powers[i as usize];
            let far =
                2f64.powi(random.of(&[0, 0, 1, -1, 300, -300, 500, -500, 620, -620, 1000, -1000]));
            let constant = far * (1.0 + random.below(4) as f64 / 4.0);
            let (line, power) = match (random.below(10), of(a), of(b), of(c)) {
                // Powers that do not fit.
                (9, p, ..) => (format!("f64 = fma %{a}, %{b}, %{c}"), p),
                (0 | 1, ..) => (format!("f64 = const {:#x}", constant.to_bits()), None),
                (2 | 3, p, q, _) => (
                    format!("f64 = mul %{a}, %{b}"),
                    p.map_or(q, |p| Some(p + q.unwrap_or(0))),
                ),
                (4, p, q, _) => (
                    format!("f64 = div %{a}, %{b}"),
                    Some(p.unwrap_or(0) - q.unwrap_or(0)),
                ),
                (5, p, ..) => (format!("f64 = sqrt %{a}"), p.map(|p| p / 2)),
                (6, p, q, r)
                    if p.unwrap_or(0) + q.unwrap_or(0) == r.unwrap_or(0) || r.is_none() =>
                {
                    (
                        format!("f64 = fma %{a}, %{b}, %{c}"),
                        Some(p.unwrap_or(0) + q.unwrap_or(0)),
                    )
                }
                (k, p, q, _) if p == q || p.is_none() || q.is_none() => {
                    let name = if k % 2 == 0 { "sub" } else { "add" };
                    (format!("f64 = {name} %{a}, %{b}"), p.or(q))
                }
                (_, p, ..) => (format!("f64 = neg %{a}"), p),
            };
            lines.push(line);
            powers.push(power);
        }
        let mut text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n".to_string();
        for (i, l) in lines.iter().enumerate() {
            text += &format!("  %{}: {l}\n", i + 1);
        }
        text += &format!("  return %{}\n", lines.len());
        let program = Program::parse(&text).expect("a kernel");
        let (lo, hi) = (1.125 * power_double(e), 1.25 * power_double(e));
        let Ok(Outcome::Line(line)) = outcome(&program, lo, hi, true) else {
            continue;
        };
        for by in [e, e - e % 2, 2, -2, e + 300, e - 300, 40] {
            let Some((copy, scale)) = line.copy(by) else {
                none += 1;
                continue;
            };
            some += 1;
            let apart = |a: f64, b: f64, by: i32| Coarse::double(b).scale(by).lo == exact(a);
            let input = copy.nodes[copy.input().expect("it has one")];
            assert!(apart(lo, input.lo, by) && apart(hi, input.hi, by));
            for k in 0..24 {
                let part = if k < 2 {
                    f64::from(k)
                } else {
                    random.below(1 << 50) as f64 / 2f64.powi(50)
                };
                let x = (lo + (hi - lo) * part).min(hi);
                let scaled = times_power(x, -by).expect("normal");
                let (mut a, mut b) = (Vec::new(), Vec::new());
                let (due, got) = (line.compute(x, &mut a), copy.compute(scaled, &mut b));
                assert!(
                    apart(due, got, scale),
                    "{due:e} {got:e} 2^{scale}, by {by} at {x:e}:\n{text}"
                );
            }
        }
    }
    assert!(some > 4000 && none > 1000, "{some} {none}");
}
