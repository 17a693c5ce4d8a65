//! Each fault is noticed by comparison with brute force.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Fault;
use crate::bound::{Effort, bound_range};
use crate::cell::Cell;
use crate::exact::{self, prove};
use crate::law::{Law, Truth};
use crate::point::Hit;

#[path = "../../../tests/exact/brute.rs"]
mod brute;

/// The number of the injected fault, from 1.
static INJECTED: AtomicU8 = AtomicU8::new(0);

/// Held by the test that injects faults, and by those that would notice them.
static ALONE: Mutex<()> = Mutex::new(());

/// No fault is injected while this is held.
pub(crate) fn without_faults() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn injected(fault: Fault) -> bool {
    INJECTED.load(Ordering::Relaxed) == fault as u8 + 1
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
    let _alone = without_faults();
    let mut missed = [0; 4];
    let mut all = 0;
    for &(name, law, lo, lg, level) in STRETCHES {
        let (program, truth) = (brute::program(name), Truth::Law(law));
        let count = 1 << lg;
        let (want, _) = brute::brute(&program, &truth, lo, count, level);
        all += want.len();
        let cell = Cell {
            lo,
            hi: f64::from_bits(lo.to_bits() + count - 1),
        };
        let cell = Cell {
            lo: cell.lo.min(cell.hi),
            hi: cell.lo.max(cell.hi),
        };
        let bound = bound_range(&program, &truth, &[cell], Effort::default());
        for (fault, missed) in missed.iter_mut().enumerate() {
            INJECTED.store(fault as u8, Ordering::Relaxed);
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
            INJECTED.store(0, Ordering::Relaxed);
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
