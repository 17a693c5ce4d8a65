//! Factors of enclosures, and references that are programs.

use super::{Law, NoTruth, Truth};
use crate::cell::Cell;
use crate::cell::random::parsed;
use crate::num::containment::holds;
use crate::num::dyadic::Dyadic;
use crate::num::{Ball, Ring};

const K: usize = 6;

fn cell(lo: f64, hi: f64) -> Cell {
    Cell { lo, hi }
}

#[test]
fn a_factor_of_about_one_is_no_one() {
    let whole = cell(1.25, 1.5);
    let one = Law::Exp
        .enclose::<K>(whole, 1.375, 0.125, 0)
        .expect("a value");
    for (h, l, r) in [
        (1.0, 0.0, 0.0),
        (1.0, 1e-20, 0.0),
        (1.0, 0.0, 1e-20),
        (2.0, 0.0, 0.0),
        (3.0, 1e-18, 1e-19),
    ] {
        let factor = Ball { h, l, r };
        let got = one.times(factor);
        let ends = [factor.add(Ball::number(r)), factor.sub(Ball::number(r))];
        for end in ends {
            let due = one.at.0[0].mul(end);
            let middle = Dyadic::of(due.h).plus(&Dyadic::of(due.l));
            assert!(holds(got.at.0[0], &middle), "{factor:?}: {got:?}");
            let over = one.over.0[0].mul(end.enclosure());
            assert!(
                got.over.0[0].lo <= over.hi && over.lo <= got.over.0[0].hi,
                "{factor:?}"
            );
        }
        assert!((h != 3.0) || got.over.0[0].lo > 2.0 * one.over.0[0].lo);
        assert!(r == 0.0 || got.at.0[0].r >= 3.0 * r, "{factor:?}: {got:?}");
    }
}

/// References of two results, of which one or both are constants.
#[test]
fn results_of_a_reference_are_summed() {
    let constant = "  %0: f64 = param\n  %1: f64 = const 0x4008000000000000\n  %2: f64 = const 0x3c30000000000000\n";
    let whole = cell(1.25, 1.5);
    let of = |results: &str| {
        let program = parsed::program(&format!("{constant}{results}"));
        Truth::Program(program).enclose::<K>(whole, 1.375, 0.125, 1)
    };
    let tiny = Ball::number(f64::from_bits(0x3c30_0000_0000_0000));
    for (results, low, high) in [
        ("  return %1\n  return %2\n", 3.0, 3.0),
        ("  return %0\n  return %2\n", 1.25, 1.5),
        ("  return %0\n  return %1\n", 4.25, 4.5),
        ("  return %0\n  return %0\n", 2.5, 3.0),
    ] {
        let got = of(results).expect("a value");
        let more = if results.contains("%2") {
            tiny
        } else {
            Ball::ZERO
        };
        let middle = Ball::number(0.5 * (low + high)).add(more).scale(-1);
        let off = got.at.0[0].sub(middle);
        assert!(
            off.enclosure().contains(0.0) && off.magnitude() < 1e-25,
            "{results}: {off:?}"
        );
        for end in [low, high] {
            let due = Ball::number(end).add(more).scale(-1);
            let value = Dyadic::of(due.h).plus(&Dyadic::of(due.l));
            for range in [got.over.0[0], got.range()] {
                let [lo, hi] = [range.lo, range.hi].map(Dyadic::of);
                assert!(
                    lo.at_most(&value) && value.at_most(&hi),
                    "{results}: {range:?}"
                );
            }
        }
        let slope = got.over.0[1];
        assert!(
            slope.contains(0.5 * 0.5 * (high - low)),
            "{results}: {slope:?}"
        );
    }
    let endless = "  %3: f64 = const 0x7ff0000000000000\n  return %3\n";
    assert_eq!(of(endless).err(), Some(NoTruth::Undefined));
}
