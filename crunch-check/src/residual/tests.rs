use super::*;
use crate::cell::{Outcome, outcome};
use crate::ir::Program;
use crate::kernels::Words;

/// `2^scale core(x + shift)`: of random lines that begin with steps of a reduction, or nearly so, and end with factors.
#[test]
fn reduced_lines_have_their_results() {
    let mut random = Words(1);
    let (mut shifted, mut scaled, mut divided) = (0, 0, 0);
    let (mut rounded_ones, mut none) = (0, 0);
    for _ in 0..6000 {
        let mut lines: Vec<String> = Vec::new();
        let constant = |lines: &mut Vec<String>, c: f64| {
            lines.push(format!("f64 = const {:#x}", c.to_bits()));
            lines.len()
        };
        let mut at = 0;
        for _ in 0..random.below(4) {
            let c = random.of(&[
                -1.0,
                -0.75,
                0.5,
                2f64.powi(-30),
                -1.000_01,
                1e-5,
                1000.37,
                2f64.powi(-58),
                0.0,
            ]);
            let c = constant(&mut lines, c);
            let which = random.below(11);
            let other = match which {
                9 | 10 => constant(&mut lines, random.of(&[1.0, -0.3, 2f64.powi(-40)])),
                _ => c,
            };
            lines.push(match which {
                9 | 10 => format!("f64 = fma %{other}, %{c}, %{at}"),
                0..=2 => format!("f64 = add %{at}, %{c}"),
                3 | 4 => format!("f64 = add %{c}, %{at}"),
                5 | 6 => format!("f64 = sub %{at}, %{c}"),
                7 => format!("f64 = sub %{c}, %{at}"),
                _ => format!("f64 = mul %{at}, %{c}"),
            });
            at = lines.len();
        }
        let c = random.of(&[1.0, 1e-3, 2f64.powi(-900), 2f64.powi(-1060)]);
        let c = constant(&mut lines, c);
        lines.push(format!("f64 = fma %{at}, %{at}, %{c}"));
        if random.below(3) == 0 {
            let from = random.of(&[0, at, lines.len()]);
            let to = lines.len();
            lines.push(format!(
                "f64 = {} %{to}, %{from}",
                random.of(&["add", "mul"])
            ));
        }
        let sums = random.below(3) == 0;
        if sums {
            // `t p + t`, where t is a power of two times a number, or nearly so.
            let out = lines.len();
            let e = random.of(&[3, -7, 300, -900, -1000, -1015, -1021]);
            let c = random.of(&[1.0, 1.3, -1.7]) * 2f64.powi(e);
            let t = constant(&mut lines, c);
            let u = match random.below(8) {
                0 => constant(&mut lines, 1.1 * c),
                1 => constant(&mut lines, 1.1),
                _ => t,
            };
            match random.below(4) {
                0 => lines.push(format!("f64 = fma %{t}, %{out}, %{u}")),
                1 => lines.push(format!("f64 = fma %{out}, %{t}, %{u}")),
                2 => {
                    lines.push(format!("f64 = mul %{t}, %{out}"));
                    lines.push(format!("f64 = add %{u}, %{}", lines.len()));
                }
                _ => {
                    lines.push(format!("f64 = mul %{out}, %{t}"));
                    lines.push(format!("f64 = sub %{}, %{u}", lines.len()));
                }
            }
        }
        for _ in 0..random.below(3) {
            let out = lines.len();
            let c = random.of(&[
                2.0,
                0.125,
                2f64.powi(300),
                2f64.powi(-1000),
                2f64.powi(-1050),
                3.0,
                -2.0,
                1.0,
            ]);
            let c = constant(&mut lines, c);
            lines.push(match random.below(3) {
                0 => format!("f64 = mul %{c}, %{out}"),
                _ => format!("f64 = mul %{out}, %{c}"),
            });
        }
        let mut text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n".to_string();
        for (i, l) in lines.iter().enumerate() {
            text += &format!("  %{}: {l}\n", i + 1);
        }
        text += &format!("  return %{}\n", lines.len());
        let program = Program::parse(&text).expect("a kernel");
        let lo = random.of(&[1.0, 1.25, 0.75, 1.000_01]);
        let hi = lo + 2f64.powi(-8 - random.below(40) as i32);
        for constants in [false, true] {
            let Ok(Outcome::Line(line)) = outcome(&program, lo, hi, constants) else {
                continue;
            };
            for rounded in [false, true] {
                let Some(reduced) = line.reduced(rounded) else {
                    none += 1;
                    continue;
                };
                let slack = reduced.half.map_or(crate::number::Fine::zero(), |half| {
                    crate::number::Fine::symmetric(power(half))
                });
                let shift = &reduced.shift.add(&slack);
                shifted += u64::from(!shift.holds_zero());
                scaled += u64::from(reduced.scale != 0);
                divided += u64::from(sums && reduced.scale != 0);
                rounded_ones += u64::from(shift.lo != shift.hi);
                assert!(rounded || shift.lo == shift.hi, "{text}");
                let narrow = shift.hi.clone() - shift.lo.clone() <= power(-9);
                assert!(narrow, "{text}");
                for k in 0..12 {
                    let part = if k < 2 {
                        f64::from(k)
                    } else {
                        random.below(1 << 40) as f64 / 2f64.powi(40)
                    };
                    let x = (lo + (hi - lo) * part).min(hi);
                    let mut values = Vec::new();
                    let due = line.compute(x, &mut values);
                    values.push(x);
                    // The core's input is one of the values.
                    let fits = |r: &&f64| {
                        let by = exact(**r) - exact(x);
                        let got = reduced.core.compute(**r, &mut Vec::new());
                        let result = Coarse::double(got).scale(reduced.scale).lo == exact(due);
                        let scaled = reduced.scale == 0
                            || got != 0.0 && ulp(got) + reduced.scale == ulp(due);
                        let Node {
                            lo, hi, grid: step, ..
                        } = reduced.input;
                        let within = lo <= **r && **r <= hi && grid(**r) >= step;
                        shift.lo <= by && by <= shift.hi && result && scaled && within
                    };
                    let found = values.iter().any(|r| fits(&r));
                    assert!(
                        found,
                        "{x:e}, 2^{}, {:?}:\n{text}",
                        reduced.scale,
                        shift.ends()
                    );
                }
            }
        }
    }
    let counts = [shifted, scaled, divided, rounded_ones, none];
    assert!(counts.iter().all(|c| *c > 100), "{counts:?}");
}

#[test]
fn values_of_both_signs_are_not_normal() {
    let least = f64::MIN_POSITIVE;
    for (lo, hi, normal) in [
        (1.0, 2.0, true),
        (-2.0, -1.0, true),
        (-1.0, 1.0, false),
        (least, 1.0, true),
        (-1.0, -least, true),
        (least.next_down(), 1.0, false),
        (-1.0, -least.next_down(), false),
        (-0.0, 1.0, false),
        (-1.0, 0.0, false),
    ] {
        let node = Node {
            kind: Kind::Input,
            site: 0,
            lo,
            hi,
            grid: LEAST,
            rounding: None,
        };
        assert_eq!(node.is_normal(), normal, "{lo:e} {hi:e}");
    }
}

/// An assumption may leave one number, and this is not none.
#[test]
fn assumptions_that_leave_one_number_hold() {
    for (least, most, left) in [
        (0.0, 3.0, Some((1.0, 2.25))),
        (1.5, 3.0, Some((1.5, 2.25))),
        (2.25, 3.0, Some((2.25, 2.25))),
        (-1.0, 1.0, Some((1.0, 1.0))),
        (1.5, 1.5, Some((1.5, 1.5))),
        (2.25f64.next_up(), 3.0, None),
        (0.0, 1.0f64.next_down(), None),
    ] {
        let assumed = Assumed::from([(1, (least, most))]);
        let mut builder = Builder {
            assumed: &assumed,
            constants: true,
            reals: false,
            nodes: vec![Node {
                kind: Kind::Input,
                site: 0,
                lo: 1.0,
                hi: 1.5,
                grid: -52,
                rounding: None,
            }],
        };
        let found = match builder.make(Kind::Mul(0, 0), 1) {
            Ok(Made::Node(i)) => Some((builder.nodes[i].lo, builder.nodes[i].hi)),
            Err(Stop::Empty) => None,
            _ => panic!("neither a node nor nothing"),
        };
        assert_eq!(found, left, "{least} {most}");
    }
}

#[test]
fn units_and_grids_of_doubles() {
    for (x, last, unit) in [
        (0.0, COARSE, LEAST),
        (-0.0, COARSE, LEAST),
        (1.0, 0, -52),
        (-1.5, -1, -52),
        (1.0f64.next_down(), -53, -53),
        (5e-324, -1074, -1074),
        (f64::MIN_POSITIVE, -1022, -1074),
        (f64::MIN_POSITIVE * 4.0, -1020, -1072),
        (f64::MAX, 971, 971),
    ] {
        assert_eq!((grid(x), ulp(x)), (last, unit), "{x:e}");
        let power = x != 0.0 && x.to_bits() << 12 == 0 || x == 5e-324;
        assert_eq!(is_power(x), power);
    }
}

/// Of a divisor on both sides of zero the quotients at the ends are no bounds.
#[test]
fn quotients_by_what_may_be_zero_are_refused() {
    for (lo, hi, fits) in [
        (1.0, 2.0, true),
        (-2.0, -1.0, true),
        (-1.0, 2.0, false),
        (0.0, 1.0, false),
        (-1.0, -0.0, false),
    ] {
        for reals in [false, true] {
            let mut builder = Builder {
                assumed: &Assumed::new(),
                constants: true,
                reals,
                nodes: vec![Node {
                    kind: Kind::Input,
                    site: 0,
                    lo,
                    hi,
                    grid: LEAST,
                    rounding: None,
                }],
            };
            let one = builder.constant(1.0, 1);
            let made = builder.make(Kind::Div(one, 0), 2);
            assert_eq!(made.is_ok(), fits, "{lo} {hi} {reals}");
        }
    }
}

/// An integer times a small power of two is exact, but its unit in the last place is that of all subnormal numbers.
#[test]
fn factors_that_make_results_subnormal_are_kept() {
    for (e, scales) in [(-900, true), (-1020, true), (-1030, false), (-1060, false)] {
        let c = |x: f64| format!("f64 = const {:#x}", x.to_bits());
        let (big, factor) = (c(1.5 * 2f64.powi(52)), c(power_double(e)));
        let text = format!(
            "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: {big}\n  %2: f64 = add %0, %1\n  \
             %3: f64 = sub %2, %1\n  %4: {factor}\n  %5: f64 = mul %3, %4\n  return %5\n"
        );
        let program = Program::parse(&text).expect("a kernel");
        let Ok(Outcome::Line(line)) = outcome(&program, 4.25, 7.75, true) else {
            panic!("2^{e}: no line");
        };
        assert!(line.nodes[line.result].rounding.is_none(), "2^{e}");
        for rounded in [false, true] {
            let scale = line.reduced(rounded).map(|reduced| reduced.scale);
            assert_eq!(scale, scales.then_some(e), "{rounded}");
        }
    }
}

/// On both sides of 1, numbers are multiples of a smaller unit than that of the largest.
#[test]
fn sums_with_zero_and_of_equal_numbers_are_exact() {
    let of = |c: f64, kind: fn(usize, usize) -> Kind| {
        let mut builder = Builder {
            assumed: &Assumed::new(),
            constants: true,
            reals: false,
            nodes: vec![Node {
                kind: Kind::Input,
                site: 0,
                lo: 0.9,
                hi: 1.1,
                grid: -53,
                rounding: None,
            }],
        };
        let c = builder.constant(c, 1);
        let Ok(Made::Node(i)) = builder.make(kind(0, c), 2) else {
            panic!("no node");
        };
        (builder.nodes[i].rounding.is_none(), builder.nodes[i].grid)
    };
    let kinds: [fn(usize, usize) -> Kind; 6] = [
        |x, c| Kind::Add(x, c),
        |x, c| Kind::Add(c, x),
        |x, c| Kind::Sub(x, c),
        |x, c| Kind::Sub(c, x),
        |x, c| Kind::Fma(x, c, x),
        |x, c| Kind::Fma(c, x, x),
    ];
    for kind in kinds {
        for zero in [0.0, -0.0] {
            assert_eq!(of(zero, kind), (true, -53));
        }
        assert!(!of(1.0 / 3.0, kind).0);
    }
    assert_eq!(of(0.0, |x, _| Kind::Add(x, x)), (true, -52));
    assert!(!of(0.0, |x, c| Kind::Fma(x, x, c)).0);
}

/// `s - (s - a)` is a where the inner difference is exact, or has the rounding of a constant that is not 0: compared with the kernel's own results.
#[test]
fn what_is_undone_is_its_operand_where_nothing_is_rounded() {
    let mut random = Words(7);
    for (c, undone) in [(1.0, true), (0.37, true), (1e-3, true), (1e-20, false)] {
        let text = format!(
            "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = const {:#x}\n  %2: f64 = add %1, %0\n  \
             %3: f64 = sub %2, %1\n  %4: f64 = sub %2, %3\n  %5: f64 = mul %4, %0\n  return %5\n",
            f64::to_bits(c)
        );
        let program = Program::parse(&text).expect("a kernel");
        let (lo, hi) = (-0.3, -0.299);
        let Ok(Outcome::Line(line)) = outcome(&program, lo, hi, true) else {
            panic!("no line");
        };
        let kept = line.nodes.iter().any(|n| n.site == 4);
        assert_eq!(kept, !undone, "{c}");
        let mut values = Vec::new();
        for _ in 0..1000 {
            let x = lo + (hi - lo) * random.below(1 << 40) as f64 * 2f64.powi(-40);
            let due = crate::point::evaluate(&program, x.to_bits()).expect("a number");
            assert_eq!(line.compute(x, &mut values).to_bits(), due, "{c} {x:e}");
        }
    }
}
