//! Each fault is noticed by comparison with brute force.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::Fault;
use crate::bound::{Effort, bound_range};
use crate::cell;
use crate::exact::{self, prove};
use crate::law::{Law, Truth};
use crate::point::Hit;

#[path = "../../../tests/exact/brute.rs"]
mod brute;

thread_local! {
    /// The number of the injected fault, from 1. Each thread has its own, because other tests run beside this one.
    static INJECTED: Cell<u8> = const { Cell::new(0) };
}

pub(crate) fn injected(fault: Fault) -> bool {
    INJECTED.get() == fault as u8 + 1
}

/// The work of a new thread, in which the faults of the thread that starts it are injected.
pub(crate) fn inherited<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let fault = INJECTED.get();
    move || {
        INJECTED.set(fault);
        work()
    }
}

/// Kernel, function, first input, number of inputs as a power of two, and level of a stretch.
const STRETCHES: &[(&str, Law, f64, u32, f64)] = &[
    ("exp", Law::Exp, -0.346, 20, 1.6),
    ("reciprocal", Law::Recip, 1.000_003_8, 20, 1.9993),
    ("reciprocal", Law::Recip, 1.001, 19, 1.97),
];

/// The search finds each input above a level that brute force finds; with any of the faults it does not.
#[test]
fn faults_are_noticed() {
    let mut missed = [0; 4];
    let mut all = 0;
    for &(name, law, lo, lg, level) in STRETCHES {
        let (program, truth) = (brute::program(name), Truth::Law(law));
        let count = 1 << lg;
        let (want, _) = brute::brute(&program, &truth, lo, count, level);
        all += want.len();
        let last = f64::from_bits(lo.to_bits() + count - 1);
        let cell = cell::Cell {
            lo: lo.min(last),
            hi: lo.max(last),
        };
        let bound = bound_range(&program, &truth, &[cell], Effort::default());
        for (fault, missed) in missed.iter_mut().enumerate() {
            INJECTED.set(fault as u8);
            let known = Hit {
                x: f64::NAN,
                error: level,
            };
            let effort = exact::Effort {
                threads: 2,
                time: Duration::from_secs(600),
                list: true,
            };
            let stop = AtomicBool::new(false);
            let found = prove(&program, &truth, &bound, known, effort, &stop, &mut |_| {});
            INJECTED.set(0);
            let found: BTreeSet<u64> = found.hits.iter().map(|h| h.x.to_bits()).collect();
            let lost = want.iter().filter(|w| !found.contains(&w.x.to_bits()));
            *missed += lost.count();
        }
    }
    println!("of {all} inputs missed: {missed:?}, without a fault first");
    assert_eq!(missed[0], 0, "without a fault");
    for (fault, missed) in [Fault::Tie, Fault::Pad, Fault::Skip]
        .iter()
        .zip(&missed[1..])
    {
        assert!(*missed > 0, "{fault:?} is not noticed");
    }
}
