//! The lemma at inputs, in exact arithmetic; and that it leaves no more than it says.

use super::*;
use crate::cell::exactly::{examine, none};
use crate::cell::random::parsed::program;
use crate::cell::{Cell, Outcome, Residual, Tight, evaluate};
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::BINARY64;

/// `±(c ± (x m ± d))` with few bits in c and d, such that the sum with d is often a tie.
fn kernel(random: &mut Random) -> String {
    let mut few = |least: i32, bits: u64| {
        let m = (1 + random.below((1 << bits) - 1)) as f64;
        format!(
            "{:#018x}",
            (m * power(least + random.below(6) as i32)).to_bits()
        )
    };
    let (m, d, c) = (few(-8, 6), few(-5, 5), few(-3, 4));
    let sums = ["add", "sub"].map(|_| ["add", "sub"][random.below(2) as usize]);
    let orders = [["%4, %3", "%3, %4"], ["%6, %5", "%5, %6"]];
    let [first, second] = orders.map(|o| o[random.below(2) as usize]);
    format!(
        "fn f0\n  %0: f64 = param\n  %1: f64 = const {m}\n  %2: f64 = mul %0, %1\n  %3: f64 = sub %2, %1\n  \
         %4: f64 = const {d}\n  %5: f64 = {} {first}\n  %6: f64 = const {c}\n  %7: f64 = {} {second}\n  return %7\n",
        sums[0], sums[1]
    )
}

fn residual(text: &str, cell: Cell) -> Option<Residual> {
    match evaluate(&program(text), cell, &Tight::new(), false)
        .results
        .remove(0)
    {
        Outcome::Residual(residual) => Some(residual),
        _ => None,
    }
}

/// Of each pair the second operation is exact, or the first one's error is within what is said. Both ends of that are reached, and so is the tie: so the hypotheses are
/// not for nothing.
#[test]
fn the_second_is_exact_or_the_first_is_no_tie() {
    let mut random = Random(17);
    let (mut found, mut ties, mut ends, mut both) = (0, 0, 0, 0);
    for round in 0..3000 {
        let text = kernel(&mut random);
        let lo = 1.0 + random.unit().abs();
        let cell = Cell {
            lo,
            hi: f64::from_bits(lo.to_bits() + 40 + (random.below(1 << 50) & !0xff)),
        };
        let Some(residual) = residual(&text, cell) else {
            continue;
        };
        for pair in pairs(&residual.operations) {
            found += 1;
            for k in 0..24 {
                let x = f64::from_bits(cell.lo.to_bits() + k + 8 * random.below(2));
                let points = examine(&residual, x, &mut none);
                let points = points.unwrap_or_else(|e| panic!("{round} {x:e}: {e}\n{text}"));
                let points = points.expect("it has no quotients");
                let unit = residual.operations[pair.first]
                    .rounding
                    .expect("it is rounded");
                let first = points[pair.first].rounding.size().scaled(-unit.unit);
                let most = Dyadic::of(pair.within.hi);
                let exact = points[pair.second].rounding.is_zero();
                assert!(
                    exact || first.at_most(&most),
                    "{round} {x:e}: {first:?}, {:?}\n{text}",
                    pair.within
                );
                ties += u32::from(!first.at_most(&most));
                ends += u32::from(!exact && most.at_most(&first));
                both += u32::from(!exact && !first.is_zero());
            }
        }
    }
    println!("{found} pairs, {ties} ties, {ends} at the end, {both} with two errors");
    assert!(
        found > 100 && ties > 100 && ends > 50 && both > 100,
        "{found} {ties} {ends} {both}"
    );
}

/// `1 - (x/16 - 5/16)` and the hypotheses one by one.
#[test]
fn each_hypothesis_is_needed() {
    let of = |kind, grid, rounding: Option<(i32, Option<i32>)>| Operation {
        kind,
        site: 0,
        format: BINARY64,
        values: Interval::new(0.5, 1.0),
        reals: Interval::new(0.5, 1.0),
        grid,
        direction: None,
        rounding: rounding.map(|(unit, exact_grid)| crate::cell::Rounding {
            unit,
            error: Interval::symmetric(0.5),
            exact_grid,
        }),
    };
    let all = |change: &dyn Fn(&mut [Operation])| {
        let mut operations = [
            of(Kind::Input, -57, None),
            of(Kind::Const(1.0), 0, None),
            of(Kind::Const(0.3125), -4, None),
            of(Kind::Sub(0, 2), -54, Some((-54, Some(-57)))),
            of(Kind::Sub(1, 3), -53, Some((-53, Some(-54)))),
        ];
        change(&mut operations);
        let found: Vec<f64> = pairs(&operations).map(|p| p.within.hi).collect();
        found
    };
    assert_eq!(all(&|_| {}), [0.375]);
    let change = |i: usize, change: fn(&mut Operation)| all(&|o| change(&mut o[i]));
    // The other term is a multiple of twice the unit.
    assert_eq!(change(1, |o| o.grid = -53), [0.375]);
    assert!(change(1, |o| o.grid = -54).is_empty());
    // Both are rounded to nearest.
    use kernels_gen::ops::Direction;
    assert!(change(3, |o| o.direction = Some(Direction::Up)).is_empty());
    assert!(change(4, |o| o.direction = Some(Direction::Up)).is_empty());
    // The second one's unit is no larger than twice the first one's.
    let coarser = |o: &mut Operation| o.rounding.as_mut().expect("one").unit = -52;
    assert!(change(4, coarser).is_empty());
    // A grid is known.
    let unknown = |o: &mut Operation| o.rounding.as_mut().expect("one").exact_grid = None;
    assert!(change(3, unknown).is_empty());
    // Of ties alone nothing is left.
    let halves = |o: &mut Operation| o.rounding.as_mut().expect("one").exact_grid = Some(-55);
    assert_eq!(change(3, halves), [0.0]);
}
