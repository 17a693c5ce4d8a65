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

/// Of numbers next to doubles and halfway between them, the range of what they are rounded to holds both nearest, and no more.
#[test]
fn ranges_are_rounded_as_their_numbers() {
    let mut random = Words(3);
    for _ in 0..20_000 {
        let (a, _) = cell(&mut random);
        let next = at(place(a) + 1);
        let half = (exact(a) + exact(next)) * power(-1);
        let off = (exact(next) - exact(a)) * power(-1 - random.below(70) as i32);
        let (low, high) = (exact(a), exact(next));
        for (x, least, most) in [
            (low.clone(), &low, &low),
            (half.clone() - off.clone(), &low, &low),
            (half.clone(), &low, &high),
            (half + off, &high, &high),
        ] {
            let found = rounded(&Coarse::of(x));
            assert!(found.lo == *least && found.hi == *most, "{a:e}: {found:?}");
        }
    }
    let beyond = exact(f64::MAX) + power(980);
    let far = rounded(&Coarse::of(beyond.clone()));
    assert!(far.lo <= beyond && beyond <= far.hi);
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
    let Ok(crate::cell::Outcome::Line(line)) = crate::cell::outcome(&program, lo, hi, true) else {
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
