//! What a kernel is on a cell, with ranges by series.

use super::*;
use crate::cell::{Outcome, outcome};
use crate::order::{double as at, rank};
use crate::point::evaluate;

/// `x` times the leading bits of `x - 0.75 x`, whose ranges by intervals are seven times as wide as by series.
fn leading_bits() -> String {
    let lines = [
        constant(0.75),
        "f64 = mul %0, %1".into(),
        "f64 = sub %0, %2".into(),
        "i64 = to_bits %3".into(),
        "i64 = const 0x2d".into(),
        "i64 = shr %4, %5".into(),
        "i64 = shl %6, %5".into(),
        "f64 = from_bits %7".into(),
        "f64 = mul %0, %8".into(),
    ];
    kernel(&lines)
}

/// A line on a cell has the kernel's results at its inputs, also next to the inputs at which the bits are others.
#[test]
fn ranges_by_series_hold_for_all_inputs() {
    let subject = Subject {
        what: "leading bits".into(),
        function: "exp",
        kernel: leading_bits(),
        ranges: vec![(1.0, 64.0)],
    };
    let certificate = Certificate::parse(&subject.text(1.0, &subject.cut())).expect("it parses");
    let check = Check::new(&certificate).expect("it was made");
    let mut random = Words(7);
    let (mut closer, mut plain, mut varying) = (0, 0, 0);
    for _ in 0..2000 {
        let width = 1i64 << (20 + random.below(26));
        // Every second cell has an end next to a change: the bits change at multiples of 2^-7 of a binade.
        let from = match random.below(2) {
            0 => rank(1.0 + 63.0 * random.below(1 << 40) as f64 / (1u64 << 40) as f64),
            _ => {
                let change = rank(1.0) + ((random.below(700) as i64 + 1) << 45);
                change - width + random.below(16) as i64 - 12
            }
        };
        let (lo, hi) = (at(from), at(from + width));
        let of_intervals = outcome(&check.program, lo, hi, true);
        let line = match check.outcome(lo, hi, true) {
            Ok(Outcome::Line(line)) => line,
            Ok(Outcome::Varies(_)) => {
                varying += 1;
                continue;
            }
            _ => panic!("{lo:e} {hi:e}"),
        };
        match of_intervals {
            Ok(Outcome::Varies(_)) => closer += 1,
            _ => plain += 1,
        }
        let mut values = Vec::new();
        for k in 0..48 {
            let step = match k {
                0..16 => k,
                16..32 => width - (k - 16),
                _ => random.below(width as u64) as i64,
            };
            let x = at(from + step);
            let due = evaluate(&check.program, x.to_bits()).expect("a result");
            let got = line.compute(x, &mut values).to_bits();
            assert_eq!(got, due, "{x:e} of {lo:e} to {hi:e}");
        }
    }
    assert!(
        closer > 50 && plain > 100 && varying > 100,
        "{closer} {plain} {varying}"
    );
}
