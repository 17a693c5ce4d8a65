//! The lattice search with proof, compared with brute force: on stretches of inputs it must find every input above a
//! level, and the same maximum.

extern crate dc_runtime as doublecrunch;

mod bits;
mod brute;
mod claims;
mod contradiction;
#[path = "../forms.rs"]
mod forms;
mod octaves;
mod table;
mod words;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dc_exact::bound::{Effort, RangeBound, bound_range};
use dc_exact::cell::{Cell, Values};
use dc_exact::exact::{self, Exact, maximum, prove};
use dc_exact::law::{Law, Truth};
use dc_exact::parts::parts_at;
use dc_exact::point::{Hit, error_at};
use kernels_gen::program::Program;

use brute::{brute, program};

fn by_lattice(
    program: &Program,
    truth: &Truth,
    lo: f64,
    count: u64,
    level: f64,
    list: bool,
) -> Exact {
    let last = f64::from_bits(lo.to_bits() + count - 1);
    let cell = Cell {
        lo: lo.min(last),
        hi: lo.max(last),
    };
    let bound = bound_range(program, truth, &[cell], Effort::default());
    let known = Hit {
        x: f64::NAN,
        error: level,
    };
    let stop = AtomicBool::new(false);
    let effort = effort(list);
    prove(program, truth, &bound, known, effort, &stop, &mut |_| {})
}

fn effort(list: bool) -> exact::Effort {
    exact::Effort {
        threads: 2,
        time: Duration::from_secs(600),
        list,
    }
}

/// The largest error, from a first level of 10^-3 ULP below the bound.
fn proven(program: &Program, truth: &Truth, bound: &RangeBound) -> Exact {
    let stop = AtomicBool::new(false);
    let effort = effort(false);
    maximum(
        program,
        truth,
        bound,
        None,
        1e-3,
        effort,
        &stop,
        &mut |_| {},
    )
}

/// A search is stopped when all stretches that remain have bounds below an error that was found: these bounds close them, so
/// that the proof is complete and its certificate can be written.
#[test]
fn what_is_left_below_the_maximum_is_closed() {
    let (program, truth) = (program("reciprocal"), Truth::Law(Law::Recip));
    let worst = f64::from_bits(0x3ff0_0004_080e_6626);
    let cells = [
        Cell {
            lo: worst,
            hi: worst,
        },
        Cell { lo: 1.3, hi: 1.31 },
    ];
    let effort = exact::Effort {
        threads: 1,
        time: Duration::from_secs(600),
        list: false,
    };
    let level = Hit {
        x: f64::NAN,
        error: 0.5,
    };
    let stop = AtomicBool::new(true);
    let search = |cells: &[Cell]| {
        let bound = bound_range(&program, &truth, cells, Effort::default());
        prove(&program, &truth, &bound, level, effort, &stop, &mut |_| {})
    };
    let found = search(&cells);
    assert_eq!(found.worst.x, worst);
    assert!(found.is_exact() && !found.stopped, "{:?}", found.open);
    let of = |c: &exact::Closed| c.cell.lo >= 1.3 && c.how == exact::How::Bound;
    assert!(!found.closed.is_empty() && found.closed.iter().all(of));
    // Without that input the same pieces are open.
    let found = search(&cells[1..]);
    assert!(!found.is_exact() && found.stopped);
}

/// Kernel, function, first input, number of inputs as a power of two, and level of a stretch.
const STRETCHES: &[(&str, Law, f64, u32, f64)] = &[
    // r is near -0.3465 for n = 73, where the worst input of the whole range is.
    ("exp", Law::Exp, 50.253_437_799, 21, 1.66),
    ("exp", Law::Exp, -0.346, 20, 1.6),
    ("exp", Law::Exp, 0.36, 19, 1.5),
    ("reciprocal", Law::Recip, 1.000_003_8, 21, 1.9993),
    ("reciprocal", Law::Recip, 1.001, 19, 1.97),
    ("reciprocal-intel", Law::Recip, 1.007_3, 19, 1.97),
    // Here the last sum, x + y, is a tie in which x, the input itself, determines y.
    ("sin-fdlibm", Law::Sin, 0.785_387_750_9, 20, 0.752),
    ("sin-fdlibm", Law::Sin, -0.785_387_751, 20, 0.73),
    // Above a power of two inputs are twice as far apart as below, and runs of the lattice have an odd number of steps.
    (
        "sin-fdlibm",
        Law::Sin,
        0.5 - 262_001.0 / 18_014_398_509_481_984.0,
        19,
        0.55,
    ),
    (
        "sin-fdlibm",
        Law::Sin,
        -0.5 - 262_001.0 / 9_007_199_254_740_992.0,
        19,
        0.55,
    ),
];

#[test]
fn every_input_above_a_level_is_found() {
    let (mut all, mut lattices) = (0, 0);
    for &(name, law, lo, lg, level) in STRETCHES {
        let (program, truth) = (program(name), Truth::Law(law));
        let count = 1 << lg;
        let (want, largest) = brute(&program, &truth, lo, count, level);
        let got = by_lattice(&program, &truth, lo, count, level, true);
        println!(
            "{name} from {lo}: {} of {count} inputs above {level}, the largest {largest}; {:?}",
            want.len(),
            got.work
        );
        assert!(got.is_exact(), "{name} {lo}: {:?}", got.open.first());
        assert_eq!(got.hits.len(), want.len(), "{name} {lo}");
        for (got, want) in got.hits.iter().zip(&want) {
            assert_eq!(got.x, want.x, "{name}");
        }
        all += want.len();
        lattices += got.work.lattice;
    }
    assert!(
        all > 100 && lattices > 20,
        "{all} hits, {lattices} chunks by lattice"
    );
}

#[test]
fn the_maximum_of_a_stretch_is_that_of_brute_force() {
    for &(name, law, lo, ..) in &STRETCHES[1..4] {
        let (program, truth) = (program(name), Truth::Law(law));
        let count = 1 << 16;
        let (_, largest) = brute(&program, &truth, lo, count, f64::INFINITY);
        let got = by_lattice(&program, &truth, lo, count, 0.5, false);
        assert!(got.is_exact(), "{name}: {:?}", got.open.first());
        assert!(
            (got.worst.error.abs() - largest).abs() < 1e-12,
            "{name}: {:?} {largest}",
            got.worst
        );
    }
}

/// The parts of the largest error of `exp`: six large roundings, all near their extremes at once.
#[test]
fn an_error_is_the_sum_of_its_parts() {
    let (program, truth) = (program("exp"), Truth::Law(Law::Exp));
    let x = f64::from_bits(0x4049_2070_a65a_52cb);
    let cell = Cell {
        lo: 50.2534,
        hi: 50.25345,
    };
    let bound = bound_range(&program, &truth, &[cell], Effort::default());
    let parts = parts_at(&program, &truth, &bound, x).expect("a line of operations");
    let sum: f64 = parts.roundings.iter().map(|s| s.ulp).sum();
    assert!((parts.error.abs() - 1.848_082_400_995).abs() < 1e-12);
    assert!((sum + parts.method - parts.error).abs() < 1e-12);
    // The error of the reduction and of the rational function, for which nothing else here gives a value.
    assert!((parts.method.abs() - 0.176_263).abs() < 1e-5, "{parts:?}");
    let sizes: Vec<f64> = parts.roundings.iter().map(|s| s.ulp.abs()).collect();
    let large = [0.5, 0.248_961, 0.247_92, 0.246_503, 0.246_503, 0.178_848];
    for (got, want) in sizes.iter().zip(large) {
        assert!((got - want).abs() < 2e-5, "{want}: {parts:?}");
    }
    assert!(sizes[6..].iter().sum::<f64>() < 0.006, "{parts:?}");
    // Between the cells there are no inputs; outside of the range there is no bound.
    assert_eq!(parts_at(&program, &truth, &bound, 60.0), None);
}

/// The largest error of some inputs.
fn largest(program: &Program, truth: &Truth, inputs: impl Iterator<Item = f64>) -> f64 {
    let mut values = Values::new(program);
    let errors = inputs.filter_map(|x| error_at(program, truth, &mut values, x));
    errors.map(|e| e.least()).fold(0.0, f64::max)
}

/// 2^12 inputs of a stretch.
fn spread(lo: f64, hi: f64) -> impl Iterator<Item = f64> {
    (0..1 << 12).map(move |k| lo + (hi - lo) * (f64::from(k) / 4096.0))
}

/// `exp-table` rounds results first and then scales them exactly to subnormal numbers: their unit is that of subnormal
/// numbers, and not the unit of the number before scaling.
#[test]
fn subnormal_results_that_are_scaled_exactly_have_the_unit_of_subnormal_numbers() {
    let (program, truth) = (program("exp-table"), Truth::Law(Law::Exp));
    // The last stretch is around half of the smallest subnormal: sums with 1 are 1.
    for (lo, hi, most) in [
        (-709.1, -709.0, 0.51),
        (-720.1, -720.0, 0.5001),
        (-745.1352, -745.13, 0.5001),
    ] {
        let bound = bound_range(&program, &truth, &[Cell { lo, hi }], Effort::default());
        let largest = largest(&program, &truth, spread(lo, hi));
        assert!(
            0.49 < largest && largest <= bound.bound && bound.bound < most,
            "{lo}..{hi}: {largest}, {}",
            bound.bound
        );
    }
}

/// At 76 ln 2 the result of `exp-table` passes a power of two. Reduced arguments next to 0 are multiples of 2^-47, so that the sum
/// with 1 is on one side of 1 for each, and its rounding is never as large as a unit below 1.
#[test]
fn the_bound_next_to_a_power_of_two_is_of_inputs_and_not_of_what_lies_between_them() {
    let (program, truth) = (program("exp-table"), Truth::Law(Law::Exp));
    let (lo, hi) = (52.67, 52.69);
    let bound = bound_range(&program, &truth, &[Cell { lo, hi }], Effort::default());
    // Every input within 2^14 of the power of two, and some others.
    let at = 76.0 * std::f64::consts::LN_2;
    let near = (0..1 << 15).map(|k| f64::from_bits(at.to_bits() - (1 << 14) + k));
    let largest = largest(&program, &truth, near.chain(spread(lo, hi)));
    assert!(
        0.5 < largest && largest <= bound.bound && bound.bound < 0.511,
        "{largest}, {}",
        bound.bound
    );
    assert!(!bound.unfinished);
}

/// For x > 0 the exponential is above 1, and its unit is 2^-52 however small x is: if the side of 1 were not known, the
/// bound would be twice as large.
#[test]
fn above_1_the_unit_is_the_one_above_1() {
    let (program, truth) = (program("exp-table"), Truth::Law(Law::Exp));
    let (lo, hi) = (f64::from_bits(1), 1e-15);
    let effort = Effort {
        cells: 2000,
        ..Effort::default()
    };
    let bound = bound_range(&program, &truth, &[Cell { lo, hi }], effort);
    // At 2^-53 the sum with 1 is halfway between two numbers.
    let half = 2f64.powi(-53).to_bits();
    let near = (0..1 << 12).map(|k| f64::from_bits(half - (1 << 11) + k));
    let largest = largest(&program, &truth, near.chain(spread(lo, hi)));
    assert!(
        0.499 < largest && largest <= bound.bound && bound.bound < 0.5001,
        "{largest}, {}",
        bound.bound
    );
    assert!(!bound.unfinished);
}

/// A table-driven exponential has the same program for a table entry in each binade of its results, once the binade of
/// its reduced argument is known: one class has many members, with reduced arguments of all of them.
#[test]
fn a_table_entry_is_one_class_for_all_binades() {
    let (program, truth) = (program("exp-table"), Truth::Law(Law::Exp));
    let cell = Cell { lo: 5.6, hi: 11.0 };
    let bound = bound_range(&program, &truth, &[cell], Effort::default());
    let many = bound.classes.iter().filter(|c| c.members.len() >= 14);
    // There are 128 entries, nearly all with 7 binades and arguments of both signs.
    assert!(many.count() >= 120);
    let largest = largest(&program, &truth, spread(cell.lo, cell.hi));
    assert!(
        0.502 < largest && largest <= bound.bound && bound.bound < 0.511,
        "{largest}, {}",
        bound.bound
    );
}
