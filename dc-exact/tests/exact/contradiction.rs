//! Bounds that are made unsound: the evaluated inputs contradict them, and the proof reports it.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dc_exact::bound::{Effort, RangeBound, bound_range};
use dc_exact::cell::Cell;
use dc_exact::exact::{self, Claim, Exact, maximum, net};
use dc_exact::law::{Law, Truth};
use dc_exact::point::Hit;
use kernels_gen::program::Program;

use super::brute::program;

/// 1/x over [1, 1.1]: the largest error is 1.999987151135 ULP at 3ff00004080e6626.
fn reciprocal() -> (Program, Truth, RangeBound) {
    let (program, truth) = (program("reciprocal"), Truth::Law(Law::Recip));
    let cells = [Cell { lo: 1.0, hi: 1.1 }];
    let bound = bound_range(&program, &truth, &cells, Effort::default());
    (program, truth, bound)
}

/// All cells' bounds, too low by a factor.
fn unsound(bound: &mut RangeBound, factor: f64) {
    for cell in &mut bound.cells {
        cell.error.most *= factor;
    }
    bound.bound *= factor;
}

fn proof(program: &Program, truth: &Truth, bound: &RangeBound, known: Option<Hit>) -> Exact {
    let effort = exact::Effort {
        threads: 2,
        time: Duration::from_secs(60),
        list: false,
    };
    let stop = AtomicBool::new(false);
    maximum(
        program,
        truth,
        bound,
        known,
        0.0001,
        effort,
        &stop,
        &mut |_| {},
    )
}

#[test]
fn an_unsound_bound_is_contradicted_by_what_is_evaluated() {
    let (program, truth, bound) = reciprocal();
    let sound = net(&program, &truth, &bound);
    assert_eq!(sound.contradiction, None);
    assert!(sound.inputs > 10_000 && sound.worst.is_some(), "{sound:?}");
    // The sample's inputs are far below the largest error: some cells' bounds are.
    for factor in [0.3, 0.6] {
        let mut wrong = bound.clone();
        unsound(&mut wrong, factor);
        let found = net(&program, &truth, &wrong)
            .contradiction
            .expect("some input is above");
        assert_eq!(found.by, Claim::Bound);
        assert!(found.hit.error > found.claim, "{found}");
        assert!(
            found
                .to_string()
                .contains("above the certified bound there"),
            "{found}"
        );
        let found = proof(&program, &truth, &wrong, None);
        assert!(found.contradiction.is_some(), "{found:?}");
    }
    assert_eq!(proof(&program, &truth, &bound, None).contradiction, None);
}

/// A bound that is too low by so little that only the worst input shows it, which is named.
#[test]
fn a_named_input_is_compared_with_the_bound() {
    let (program, truth, bound) = reciprocal();
    let worst = Hit {
        x: f64::from_bits(0x3ff0_0004_080e_6626),
        error: 1.999_987_151_135,
    };
    assert_eq!(
        proof(&program, &truth, &bound, Some(worst)).contradiction,
        None
    );
    let mut wrong = bound.clone();
    unsound(&mut wrong, 0.9999);
    let found = proof(&program, &truth, &wrong, Some(worst));
    let found = found.contradiction.expect("the named input is above");
    assert_eq!((found.hit.x, found.by), (worst.x, Claim::Bound));
    // Of one cell alone, whose bound is not the largest.
    let mut wrong = bound;
    for cell in wrong.cells.iter_mut().skip(1) {
        cell.error.most = 0.1;
    }
    let found = proof(&program, &truth, &wrong, None).contradiction;
    assert!(found.is_some_and(|f| f.claim < 0.2), "{found:?}");
}
