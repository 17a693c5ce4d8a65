//! The members of classes, compared with the kernels to whose cells they correspond.

use kernels_gen::program::Program;

use super::{Class, Classes, Member, classify};
use crate::cell::exactly::{cell, examine, kernel, number, of_bits};
use crate::cell::random::parsed::program;
use crate::cell::{Cell, Kind, Operation, Residual, Tight, Values, input_format, replay};
use crate::law::{Law, Truth};
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::{BINARY64, exponent, grid, power};
use crate::num::{Ball, Interval, Ring};

fn member(cell: Cell, shift: Ball, by: i32) -> Member {
    let core = Cell { lo: 0.0, hi: 0.0 };
    let (scale, eta, grid) = (0, Ball::ZERO, -1074);
    Member {
        cell,
        shift,
        by,
        scale,
        eta,
        core,
        grid,
        rounded: false,
    }
}

/// Inputs next to the ends of a cell, inside and outside.
fn near(random: &mut Random, cell: Cell) -> [f64; 7] {
    let inside = cell.lo + (cell.hi - cell.lo) * random.unit().abs();
    let (lo, hi) = (cell.lo, cell.hi);
    [
        lo,
        hi,
        lo.next_down(),
        lo.next_up(),
        hi.next_down(),
        hi.next_up(),
        inside,
    ]
}

/// A number of the core corresponds to the input from which it is made, and to no other.
#[test]
fn inputs_are_those_of_the_cell() {
    let mut random = Random(31);
    let (mut found, mut outside, mut inexact) = (0, 0, 0);
    for round in 0..4000 {
        let scaled = round % 2 == 0;
        let lo = random.number(if scaled { 900 } else { 4 });
        let hi = lo + lo.abs() * power(-(random.below(45) as i32));
        let cell = Cell { lo, hi };
        let by = random.below(2200) as i32 - 1100;
        let shift = random.number(3);
        let shift = match random.below(3) {
            0 => Ball::new(shift, shift * power(-60), 0.0),
            _ => Ball::number(shift),
        };
        let of = match scaled {
            true => member(cell, Ball::ZERO, by),
            false => member(cell, shift, 0),
        };
        if scaled && by == 0 {
            continue;
        }
        for x in near(&mut random, cell) {
            let exact = match scaled {
                true => Dyadic::of(x).scaled(-by),
                false => Dyadic::of(x)
                    .plus(&Dyadic::of(shift.h))
                    .plus(&Dyadic::of(shift.l)),
            };
            let r = exact.rounded(BINARY64, None);
            if !r.is_finite() {
                continue;
            }
            let same = exact.minus(&Dyadic::of(r)).is_zero();
            let inside = lo <= x && x <= hi;
            let input = of.input(r);
            if same && inside {
                assert_eq!(input, Some(x), "{of:?} {r:e}");
                assert_eq!(of.near(r), x, "{of:?} {r:e}");
                assert_eq!(of.reduced(x), r, "{of:?} {x:e}");
                found += 1;
            } else if same {
                assert_eq!(input, None, "{of:?} {r:e} {x:e}");
                outside += 1;
            } else if let Some(other) = input {
                // It is another input's.
                let other = Dyadic::of(other);
                let other = match scaled {
                    true => other.scaled(-by),
                    false => other.plus(&Dyadic::of(shift.h)).plus(&Dyadic::of(shift.l)),
                };
                assert!(other.minus(&Dyadic::of(r)).is_zero());
            } else {
                inexact += 1;
            }
        }
    }
    println!("{found} {outside} {inexact}");
    assert!(found > 5000 && outside > 1000 && inexact > 100);
}

#[test]
fn what_is_asked_of_the_members_on_a_stretch() {
    let mut random = Random(32);
    let mut counts = [0; 4];
    for _ in 0..2000 {
        let cell = |random: &mut Random| {
            let lo = random.below(12) as f64;
            Cell {
                lo,
                hi: lo + random.below(4) as f64,
            }
        };
        let members: Vec<Member> = (0..random.below(4))
            .map(|_| {
                let core = cell(&mut random);
                let shift = random.below(30) as f64;
                let back = |r: f64| r - shift;
                // Not every multiple that is in the core's stretch is an input.
                let inner = Cell {
                    lo: back(core.lo) + random.below(2) as f64,
                    hi: back(core.hi),
                };
                Member {
                    core,
                    scale: random.below(2) as i32,
                    ..member(inner, Ball::number(shift), 0)
                }
            })
            .collect();
        let input = Operation {
            kind: Kind::Input,
            site: 0,
            format: BINARY64,
            values: Interval::new(0.0, 16.0),
            reals: Interval::new(0.0, 16.0),
            grid: 0,
            direction: None,
            rounding: None,
        };
        let class = Class {
            core: Residual {
                operations: vec![input],
                result: 0,
            },
            input,
            members,
            reduced: true,
            copies: false,
            offset: 0.0,
            factor: Ball::number(1.0),
        };
        let stretch = cell(&mut random);
        let here = |m: &&Member| m.core.lo <= stretch.hi && stretch.lo <= m.core.hi;
        let here: Vec<&Member> = class.members.iter().filter(here).collect();
        let scaled = here.iter().any(|m| m.scale != 0);
        assert_eq!(class.members_on(stretch).count(), here.len());
        assert_eq!(class.scaled_on(stretch), scaled, "{class:?}");
        let is_input = |m: &Member, r: f64| {
            let x = r - m.shift.h;
            m.cell.lo <= x && x <= m.cell.hi
        };
        let end = (here.iter()).any(|m| is_input(m, stretch.lo) || is_input(m, stretch.hi));
        assert_eq!(class.has_end(stretch), end, "{stretch:?} {class:?}");
        for (count, is) in counts.iter_mut().zip([scaled, !scaled, end, !end]) {
            *count += u32::from(is);
        }
    }
    // A member that is scaled by a power of two, in both senses.
    let mut only = member(Cell { lo: 4.0, hi: 8.0 }, Ball::ZERO, 2);
    only.core = Cell { lo: 1.0, hi: 2.0 };
    let mut class = classes_of(&square(), Law::Recip, &[only.cell])
        .classes
        .remove(0);
    class.members = vec![only];
    assert!(class.scaled_on(only.core));
    assert!(counts.iter().all(|&n| n > 100), "{counts:?}");
}

fn square() -> Program {
    program("fn f0\n  %0: f64 = param\n  %1: f64 = mul %0, %0\n  return %1\n")
}

fn classes_of(program: &Program, law: Law, stretches: &[Cell]) -> Classes {
    classify(program, &Truth::Law(law), stretches, 20_000)
}

/// Each input of the stretches is in one cell, of one kind.
fn cover(classes: &Classes, stretches: &[Cell], program: &Program) {
    let members = classes
        .classes
        .iter()
        .flat_map(|c| &c.members)
        .map(|m| m.cell);
    let mut cells: Vec<Cell> = members.chain(classes.constant.iter().copied()).collect();
    cells.extend(&classes.special);
    cells.sort_by(|a, b| a.lo.total_cmp(&b.lo));
    let format = input_format(program);
    let count = |of: &[Cell]| of.iter().map(|c| c.count(format)).sum::<u64>();
    assert_eq!(count(&cells), count(stretches), "{cells:?}");
    assert!(cells.windows(2).all(|w| w[0].hi < w[1].lo), "{cells:?}");
    let inside = |c: &Cell| stretches.iter().any(|s| s.lo <= c.lo && c.hi <= s.hi);
    assert!(cells.iter().all(inside), "{cells:?}");
}

/// The statements of a class about each of its members: the core's results and their units correspond to the kernel's.
fn hold(classes: &Classes, program: &Program, random: &mut Random) -> u32 {
    let mut values = Values::new(program);
    let mut compared = 0;
    for class in &classes.classes {
        assert!(class.reduced || class.members.len() == 1);
        for m in &class.members {
            assert!(class.reduced || m.by == 0 && m.scale == 0 && m.shift.h == 0.0);
            assert!(m.by == 0 || class.copies);
            assert!(class.input.grid <= m.grid);
            let (lo, hi) = (m.cell.lo, m.cell.hi);
            let (format, middle) = (input_format(program), lo + (hi - lo) * random.unit().abs());
            let stretch = Operation {
                values: Interval::new(m.core.lo, m.core.hi),
                reals: Interval::new(m.core.lo, m.core.hi),
                ..class.input
            };
            let replayed = replay(&class.core, stretch, &Tight::new());
            let core = replayed
                .as_ref()
                .unwrap_or_else(|no| panic!("{no:?} {m:?}\n{class:?}"));
            for x in [lo, hi, format.round(middle)] {
                let r = m.reduced(x);
                if m.input(r) != Some(x) {
                    // Not all doubles that are near are inputs of a reduction.
                    continue;
                }
                assert!(class.input.values.contains(r), "{m:?} {:?}", class.input);
                assert!(r == 0.0 || grid(r) >= class.input.grid, "{m:?} {r:e}");
                assert!(m.core.lo <= r && r <= m.core.hi, "{m:?} {r:e}");
                let is = number(program, x);
                let mut made = |site| {
                    let y = f64::from_bits(values.at(site, x).expect("a value"));
                    // The affine operation's value of the core, from its own operation.
                    let of = (core.operations.iter())
                        .find(|o| o.site == site && matches!(o.kind, Kind::Affine { .. }))
                        .expect("one");
                    let apart = exponent(y) - exponent(of.values.magnitude());
                    let of_core = |e: i32| Dyadic::of(y).scaled(-e).rounded(BINARY64, None);
                    let mut all = [apart, apart - 1, apart + 1].map(of_core).into_iter();
                    all.find(|&y| of.values.contains(y)).expect("a value")
                };
                let points = examine(core, r, &mut made).unwrap_or_else(|wrong| {
                    panic!("{m:?} {x:e} {r:e}: {wrong}\n{core:?}\n{class:?}")
                });
                let Some(points) = points else { continue };
                let (y, of) = (&points[core.result as usize].v, core.at(core.result).format);
                let apart = Dyadic::of(is).minus(&y.scaled(m.scale));
                assert!(apart.is_zero(), "{x:e} {m:?}\n{core:?}\n{class:?}");
                let unit = of.ulp(y.near()) + m.scale;
                assert!(m.scale == 0 || of.ulp(is) == unit, "{x:e} {m:?}");
                compared += 1;
            }
        }
    }
    compared
}

/// How an exponential ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// `p`, with `n` added to its exponent,
    Bits,
    /// the same, of a `p` with fewer bits,
    Coarse,
    /// `t p + t`, where n is added to the exponent of `t`,
    Sum,
    /// the same, with a fused operation.
    Fused,
}

/// An exponential of a reduced argument, times a number.
fn exponential(times: f64, end: End) -> Program {
    let mut text = String::from("fn f0\n  %0: f64 = param\n");
    let mut count = 0;
    let mut push = |ty: &str, what: String| {
        count += 1;
        text += &format!("  %{count}: {ty} = {what}\n");
        count
    };
    let number = |push: &mut dyn FnMut(&str, String) -> u32, x: f64| {
        push("f64", format!("const {:#x}", x.to_bits()))
    };
    let log2e = number(&mut push, std::f64::consts::LOG2_E);
    let turns = push("f64", format!("mul %0, %{log2e}"));
    let k = push("f64", format!("round_ties_even %{turns}"));
    // ln 2 with 32 bits: multiples of it are exact.
    let ln2 = number(
        &mut push,
        f64::from_bits(std::f64::consts::LN_2.to_bits() >> 21 << 21),
    );
    let kl = push("f64", format!("mul %{k}, %{ln2}"));
    let r = push("f64", format!("sub %0, %{kl}"));
    let (third, half, one) = (
        number(&mut push, 1.0 / 6.0),
        number(&mut push, 0.5),
        number(&mut push, 1.0),
    );
    let p = push("f64", format!("fma %{r}, %{third}, %{half}"));
    let p = push("f64", format!("fma %{r}, %{p}, %{one}"));
    let mut p = push("f64", format!("fma %{r}, %{p}, %{one}"));
    if end == End::Coarse {
        let large = number(&mut push, 1.5 * power(32));
        p = push("f64", format!("add %{p}, %{large}"));
        p = push("f64", format!("sub %{p}, %{large}"));
    }
    let sum = matches!(end, End::Sum | End::Fused);
    let scaled = if sum {
        number(&mut push, times)
    } else if times == 1.0 {
        p
    } else {
        let c = number(&mut push, times);
        push("f64", format!("mul %{p}, %{c}"))
    };
    let n = push("i64", format!("to_i64 %{k}"));
    let places = push("i64", "const 52".into());
    let n = push("i64", format!("shl %{n}, %{places}"));
    let bits = push("i64", format!("to_bits %{scaled}"));
    let bits = push("i64", format!("add %{bits}, %{n}"));
    let mut y = push("f64", format!("from_bits %{bits}"));
    if sum {
        p = push("f64", format!("sub %{p}, %{one}"));
        y = match end {
            End::Fused => push("f64", format!("fma %{p}, %{y}, %{y}")),
            _ => {
                let product = push("f64", format!("mul %{y}, %{p}"));
                push("f64", format!("add %{product}, %{y}"))
            }
        };
    }
    text += &format!("  return %{y}\n");
    program(&text)
}

/// Compares the function at inputs of members with the core's function, the class's factor and η. Returns the number of comparisons with a
/// shift or a factor that is not 1.
fn follow(classes: &Classes, law: Law, random: &mut Random) -> u32 {
    let value = |x: f64, e: i32| {
        let here = Cell { lo: x, hi: x };
        let enclosed =
            (Truth::Law(law).enclose::<8>(here, x, f64::MIN_POSITIVE, e)).expect("a value");
        enclosed.at.0[0]
    };
    let mut compared = 0;
    for class in &classes.classes {
        for m in class.members.iter().filter(|_| class.reduced) {
            let middle = m.cell.lo + (m.cell.hi - m.cell.lo) * random.unit().abs();
            for x in [m.cell.lo, m.cell.hi, middle] {
                let r = m.reduced(x);
                if m.input(r) != Some(x) {
                    continue;
                }
                let eta = Ball::number(1.0).add(m.eta);
                let of_core = value(r, 0).mul(class.factor).mul(eta);
                let apart = value(x, m.scale).sub(of_core);
                let far = apart.mid().abs() - apart.r;
                assert!(far <= 0.0, "{law:?} at {x:e}: {apart:?} {m:?}");
                assert!(apart.r < 1e-28 * of_core.magnitude(), "{apart:?}");
                compared += u32::from(m.shift.h != 0.0);
            }
        }
    }
    compared
}

#[test]
fn classes_of_exponentials_hold_their_kernels() {
    let mut random = Random(33);
    let stretches = Cell::by_sign(-3.0, 2.5, BINARY64);
    let (mut shared, mut followed) = ([0, 0], 0);
    for times in [1.0, 2.0, -2.0, 3.0, -1.0, 0.5] {
        for end in [End::Bits, End::Coarse, End::Sum, End::Fused] {
            let program = exponential(times, end);
            for law in [Law::Exp, Law::Exp2, Law::Exp10] {
                let classes = classes_of(&program, law, &stretches);
                cover(&classes, &stretches, &program);
                hold(&classes, &program, &mut random);
                followed += follow(&classes, law, &mut random);
                let many = classes.classes.iter().any(|c| c.members.len() > 3);
                shared[usize::from(matches!(end, End::Sum | End::Fused))] += u32::from(many);
            }
        }
    }
    println!("{shared:?} {followed}");
    let enough = shared.iter().all(|&n| n > 9) && followed > 900;
    assert!(enough, "{shared:?} {followed}");
}

/// The unit of a subnormal number is not half of that of its double.
#[test]
fn a_subnormal_core_is_not_scaled() {
    let program = program(&format!(
        "fn f0\n  %0: f64 = param\n  %1: f64 = const {:#x}\n  %2: f64 = mul %0, %1\n  return %2\n",
        2.0f64.to_bits()
    ));
    let mut random = Random(34);
    for (lo, hi) in [(-1023, -1022), (-1022, -1021), (3, 4)] {
        let stretch = Cell {
            lo: power(lo),
            hi: power(hi).next_down(),
        };
        let classes = classes_of(&program, Law::Exp, &[stretch]);
        assert!(hold(&classes, &program, &mut random) > 0);
        let scaled = classes.classes[0].members[0].scale;
        assert_eq!(scaled, i32::from(lo > -1023), "{lo}");
    }
}

#[test]
fn every_input_is_in_one_class() {
    let mut random = Random(35);
    let (mut compared, mut copies, mut exhausted) = (0, 0, 0);
    for round in 0..300 {
        let (program, law, cell, most) = match round % 2 {
            0 => {
                let program = kernel(&mut random, false);
                let narrow = input_format(&program) != BINARY64;
                let cell = cell(&mut random, narrow, false).0;
                (program, Law::Exp, cell, 1 + random.below(60))
            }
            _ => {
                let (program, sixths) = of_bits(&mut random);
                let law = match sixths {
                    -6 => Law::Recip,
                    -3 => Law::RecipSqrt,
                    _ => Law::Cbrt,
                };
                let lo = power(random.below(40) as i32 - 20);
                let hi = lo * power(1 + random.below(12) as i32);
                (program, law, Cell { lo, hi }, 1 + random.below(300))
            }
        };
        let classes = classify(&program, &Truth::Law(law), &[cell], most);
        cover(&classes, &[cell], &program);
        compared += hold(&classes, &program, &mut random);
        copies += u32::from(
            classes
                .classes
                .iter()
                .any(|c| c.copies && c.members.len() > 1),
        );
        exhausted += u32::from(classes.exhausted);
    }
    println!("{compared} {copies} {exhausted}");
    assert!(compared > 300 && copies > 10 && exhausted > 20);
}
