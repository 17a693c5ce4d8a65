use std::collections::BTreeSet;

use dc_exact::bound::{Bounded, Effort, RangeBound, bound_range};
use dc_exact::cell::{Cell, Values, replay};
use dc_exact::error::input_on;
use dc_exact::hunt::{Plan, error_at, hunt};
use dc_exact::lattice::{Length, Runner};
use dc_exact::num::float::power;
use dc_exact::num::{Ball, Ring as _};

use super::*;

fn sweep(name: &str) -> &'static Sweep {
    let found = crate::sweeps::ALL.iter().find(|s| s.name == name);
    found.expect("a built-in sweep")
}

fn subject(name: &str, range: &str) -> Subject {
    let range = Range::parse(range, Precision::F64).expect("a range");
    Subject::of(sweep(name), &range).expect("binary64")
}

fn bound(subject: &Subject) -> RangeBound {
    bound_range(
        &subject.program,
        &subject.truth,
        &subject.stretches,
        Effort::default(),
    )
}

fn key(x: f64) -> i64 {
    Precision::F64.key_of_bits(x.to_bits())
}

#[test]
fn what_is_no_number_is_counted() {
    let subject = subject("reciprocal", "all");
    assert_eq!(subject.infinities, 2);
    assert_eq!(subject.inputs + subject.nans + 2, 1 << 64);
    assert_eq!(subject.nans, (1 << 53) - 2);
    // Below zero, zero, above, and the other zero.
    assert_eq!(subject.stretches.len(), 4);
    assert_eq!(subject.stretches[0].lo, f64::MIN);
    assert_eq!(subject.stretches[2].hi, f64::MAX);
}

/// The kernel's inputs in a cell, of the member with the most of them.
fn inputs(bound: &RangeBound, of: &Bounded) -> Option<(i64, i64)> {
    let Some(class) = of.class.map(|c| &bound.classes[c]) else {
        return Some((key(of.cell.lo), key(of.cell.hi)));
    };
    let stretches = class.members.iter().filter_map(|m| {
        let end = |r: f64| Ball::number(r).sub(m.shift).mid();
        let (lo, hi) = (
            end(of.cell.lo).max(m.cell.lo),
            end(of.cell.hi).min(m.cell.hi),
        );
        (lo < hi).then(|| (key(lo), key(hi)))
    });
    stretches.max_by_key(|(a, b)| b - a)
}

/// The built-in sweeps, by the search and its reference, which have nothing in common with the bound: stretches of the worst
/// cells, where special values and subnormal results are, and of the range's middle.
#[test]
fn no_search_exceeds_the_bound() {
    let mut held = 0;
    for (name, range, least) in [
        ("exp", "50.2..50.3", 1.7),
        ("exp", "-0.34..0.35", 1.2),
        ("exp", "-745.2..-700.0", 1.0),
        ("exp", "709.0..=709.8", 1.0),
        ("reciprocal", "1.0..2.0", 1.5),
        ("reciprocal-fma", "1.0..2.0", 0.49),
        ("reciprocal-intel", "1.0..2.0", 1.5),
        ("reciprocal-intel-fma", "1.0..2.0", 0.49),
        ("log-polynomial", sweep("log-polynomial").range, 0.49),
    ] {
        let subject = subject(name, range);
        let bound = bound(&subject);
        let mut largest = 0.0;
        let picked = bound.cells.iter().take(12);
        let every = bound.cells.iter().step_by(bound.cells.len() / 12 + 1);
        for cell in picked.chain(every) {
            let Some((first, last)) = inputs(&bound, cell) else {
                continue;
            };
            let count = (last - first + 1).min(1 << 16);
            for start in [first, last - count + 1, first + (last - first) / 3] {
                let count = count.min(last - start + 1);
                let block = (sweep(name).compiled().scalar)(start, count as u64);
                let error = block.max.error();
                assert!(
                    error <= bound.bound + 1e-12 && block.faults[0].count == 0,
                    "{name} {range}: {error} above {} from {start:x}",
                    bound.bound
                );
                largest = f64::max(largest, error);
                held += count;
            }
        }
        println!("{name} {range}: bound {}, found {largest}", bound.bound);
        assert!(largest >= least, "{name} {range}: {largest}");
        assert!(bound.special.len() < 8, "{:?}", bound.special);
    }
    assert!(held > 1 << 24, "{held}");
}

/// All inputs of a stretch with an error of at least `level`, by the search: blocks first, then input by input.
fn by_search(name: &str, first: i64, last: i64, level: f64) -> BTreeSet<u64> {
    let scan = sweep(name).compiled().scalar;
    let mut found = BTreeSet::new();
    let mut start = first;
    while start <= last {
        let count = (last - start + 1).min(1 << 10);
        if scan(start, count as u64).max.error() >= level {
            for k in start..start + count {
                if scan(k, 1).max.error() >= level {
                    found.insert(Precision::F64.bits_of_key(k));
                }
            }
        }
        start += count;
    }
    found
}

/// The lattice finds every input above a level that a search of all inputs finds.
#[test]
#[ignore = "minutes: a slack as large as a short stretch needs gives runs with too many points; dc-exact/tests/exact.rs holds the lattice with proof against brute force"]
fn the_lattice_misses_nothing() {
    let mut hits = 0;
    for (name, range, log2, slack) in [
        ("exp", "50.2531..50.2532", 22, 0.25),
        ("exp", "1.0395..1.0396", 21, 0.2),
        ("reciprocal", "1.00000384..1.00000385", 22, 0.0003),
        ("reciprocal-intel", "1.0073..1.00731", 21, 0.02),
    ] {
        let first = key(subject(name, range).stretches[0].lo);
        let last = first + (1 << log2) - 1;
        let words = [first, last].map(|k| Precision::F64.bits_of_key(k));
        let part = format!("bits:{:#x}..=bits:{:#x}", words[0], words[1]);
        let subject = subject(name, &part);
        let bound = bound(&subject);
        let level = bound.bound - slack;
        let expected = by_search(name, first, last, level);
        let found = by_lattice(&subject, &bound, level);
        let missed: Vec<&u64> = expected.difference(&found).collect();
        println!(
            "{name} {range}, 2^{log2} inputs: {} above {level}, missed {}",
            expected.len(),
            missed.len()
        );
        assert!(missed.is_empty(), "{name} {range}: {missed:x?}");
        assert!(!expected.is_empty(), "{name} {range}: nothing to find");
        hits += expected.len();
        // And the hunt as a whole has the worst one.
        let plan = Plan {
            known: 0.0,
            slack: slack / 16.0,
            time: std::time::Duration::from_secs(60),
        };
        let worst = hunt(&subject.program, &subject.truth, &bound, plan);
        let worst = worst.worst.expect("there is one").error.abs();
        let most = (sweep(name).compiled().scalar)(first, 1 << log2)
            .max
            .error();
        assert!((worst - most).abs() < 1e-9, "{name}: {worst} {most}");
    }
    assert!(hits >= 200, "{hits}");
}

/// All inputs above a level that the lattice finds, each verified.
fn by_lattice(subject: &Subject, bound: &RangeBound, level: f64) -> BTreeSet<u64> {
    let mut values = Values::new(&subject.program);
    let mut found = BTreeSet::new();
    let mut check = |x: f64| {
        let error = error_at(&subject.program, &subject.truth, &mut values, x);
        if error.is_some_and(|e| e.magnitude() >= level) {
            found.insert(x.to_bits());
        }
    };
    for bounded in bound.cells.iter().filter(|c| c.error.bound() > level) {
        let class = bounded.class.map(|c| &bound.classes[c]);
        let class = class.expect("no constants here");
        let Cell { lo, hi } = bounded.cell;
        let core = replay(
            &class.core,
            input_on(class.input, bounded.cell),
            &bounded.case,
        );
        let core = core.expect("it has a bound");
        for member in &class.members {
            for sign in [1.0, -1.0] {
                let h = power(class.input.grid);
                let mut runner = Runner::new(
                    &core,
                    &subject.truth,
                    class.input.grid,
                    bounded.error.unit,
                    member.eta.mid(),
                    sign,
                );
                let mut x = lo;
                while x <= hi {
                    let half = match runner.length(x, level) {
                        Length::Half(half) => half.clamp(1.0, 65536.0).floor(),
                        _ => 512.0,
                    };
                    let center = x + half * h;
                    let candidates = runner.run(center, half, level).map(|r| r.candidates);
                    // Where there is no lattice, input by input.
                    let all = || (0..=2 * half as i64).map(|m| m as f64 - half).collect();
                    for m in candidates.unwrap_or_else(all) {
                        let r = center + m * h;
                        let back = Ball::number(r).sub(member.shift).mid();
                        if back >= member.cell.lo && back <= member.cell.hi {
                            check(back);
                        }
                    }
                    x += (2.0 * half + 1.0) * h;
                }
            }
        }
    }
    found
}
