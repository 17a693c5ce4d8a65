use dc_exact::bound::{Bounded, Effort, RangeBound, bound_range};
use dc_exact::num::{Ball, Ring as _};

use super::*;
use crate::search::maxima::widest;

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
    // Cells below zero, zero, above zero, and the other zero.
    assert_eq!(subject.stretches.len(), 4);
    assert_eq!(subject.stretches[0].lo, f64::MIN);
    assert_eq!(subject.stretches[2].hi, f64::MAX);
}

/// The kernel's inputs in a cell, for the member with the most of them.
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

/// The built-in sweeps, by the search and its reference, which share no code with the bound: stretches of the worst
/// cells, where special values and subnormal results are, and of the range's middle.
#[test]
fn no_search_exceeds_the_bound() {
    let widest = widest();
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
        ("exp-fdlibm", "1.0..1.5", 0.8),
        ("exp-table", "50.0..50.1", 0.5),
        ("sin-fdlibm", "-0.7..0.78", 0.7),
        ("sin-fdlibm", "0.8..2.3", 0.7),
        ("cbrt-freebsd", "1.0..1.00001", 0.5),
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
                let block = sweep(name).compiled().of(widest)(start, count as u64);
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

/// On a narrower cell the sum of the reduction has a constant rounding, which is also in its low word.
#[test]
fn low_words_of_constant_roundings_are_kept() {
    let wide = bound(&subject("sin-fdlibm", "0.8..2.3"));
    let narrow = bound(&subject("sin-fdlibm", "0.8..0.8001"));
    assert!(
        wide.bound >= narrow.bound && wide.bound < 0.83,
        "{}",
        wide.bound
    );
    assert!(narrow.bound > 0.8, "{}", narrow.bound);
}

/// Where more than one table entry and exponent are possible, cells are cut where these change.
#[test]
fn tables_are_cut_at_their_entries() {
    let bound = bound(&subject("log-table", "1e10..1e11"));
    assert!(!bound.unfinished && bound.bound < 0.5002, "{}", bound.bound);
    assert!(bound.special.is_empty() && bound.cells.len() < 20_000);
}

/// A class of one exponent has an exact factor, not an interval.
#[test]
fn constants_of_an_exponent_are_no_error() {
    let bound = bound(&subject("exp-fdlibm", "50.0..50.3"));
    assert!(bound.bound < 1.05, "{}", bound.bound);
}

/// At 1 the logarithm and its polynomial are 0, and next to it an ULP is as small as they are.
#[test]
fn zeros_of_the_logarithm_cost_nothing() {
    let polynomial = subject("log-polynomial", sweep("log-polynomial").range);
    let polynomial = bound(&polynomial);
    assert!(polynomial.bound < 0.7370, "{}", polynomial.bound);
    let table = bound(&subject("log-table", "0.7..1.3"));
    assert!(!table.unfinished && table.bound < 0.5205, "{}", table.bound);
    assert!(table.cells.len() < 10_000, "{}", table.cells.len());
}
