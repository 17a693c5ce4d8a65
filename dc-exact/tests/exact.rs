//! The lattice with proof against brute force: on stretches of inputs it must find every input above a level, and the same
//! maximum.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::{Cell, Values};
use dc_exact::exact::{self, Exact, prove};
use dc_exact::law::{Law, Truth};
use dc_exact::num::float::BINARY64;
use dc_exact::point::{Hit, error_at};
use dc_runtime::sweeps;
use kernels_gen::program::Program;

fn program(name: &str) -> Program {
    let sweep = sweeps::ALL.iter().find(|s| s.name == name);
    kernels_gen::lower(
        sweep
            .expect(name)
            .candidate
            .kernel()
            .expect("a kernel")
            .kernel,
    )
    .expect("it lowers")
}

/// All inputs from `lo` on, `count` of them, with an error of at least `level`, and the largest error.
///
/// Each input is evaluated; a Taylor polynomial of the function says in doubles which of them need the exact error.
fn brute(program: &Program, truth: &Truth, lo: f64, count: u64, level: f64) -> (Vec<Hit>, f64) {
    const BLOCK: u64 = 1 << 12;
    let mut values = Values::new(program);
    let mut hits = Vec::new();
    let mut largest = 0.0f64;
    for first in (0..count).step_by(BLOCK as usize) {
        let center = f64::from_bits(lo.to_bits() + first + BLOCK / 2);
        let spacing = center.abs().next_up() - center.abs();
        let point = Cell {
            lo: center,
            hi: center,
        };
        let g = truth
            .enclose::<3>(point, center, spacing, 0)
            .expect("it is defined");
        let c = g.at.0;
        // No stretch holds a power of two of the function's values.
        let unit = BINARY64.ulp(c[0].h);
        for i in first..(first + BLOCK).min(count) {
            let x = f64::from_bits(lo.to_bits() + i);
            let m = (x - center) / spacing;
            let y = f64::from_bits(values.result(x));
            let off = ((y - c[0].h) - c[0].l) - m * (c[1].h + m * c[2].h);
            let near = (off / 2f64.powi(unit)).abs();
            if near < level - 1e-3 && near < largest - 1e-3 {
                continue;
            }
            let error = error_at(program, truth, &mut values, x).expect("a finite result");
            let error = 0.5 * error.lo + 0.5 * error.hi;
            assert!((error.abs() - near).abs() < 1e-3, "{x:e}: {error} {near}");
            largest = largest.max(error.abs());
            if error.abs() >= level {
                hits.push(Hit { x, error });
            }
        }
    }
    hits.sort_by(|a, b| a.x.total_cmp(&b.x));
    (hits, largest)
}

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
    let effort = exact::Effort {
        threads: 2,
        time: Duration::from_secs(600),
        list,
    };
    let stop = AtomicBool::new(false);
    prove(program, truth, &bound, known, effort, &stop, &mut |_| {})
}

/// Kernel, function, first input, number of inputs as a power of two, and level of a stretch.
const STRETCHES: &[(&str, Law, f64, u32, f64)] = &[
    // r near -0.3465 for n = 73, where the worst input of all lies.
    ("exp", Law::Exp, 50.253_437_799, 21, 1.66),
    ("exp", Law::Exp, -0.346, 20, 1.6),
    ("exp", Law::Exp, 0.36, 19, 1.5),
    ("reciprocal", Law::Recip, 1.000_003_8, 21, 1.9993),
    ("reciprocal", Law::Recip, 1.001, 19, 1.97),
    ("reciprocal-intel", Law::Recip, 1.007_3, 19, 1.97),
    // The last sum, x + y, is a tie there, in which x, the input itself, determines y.
    ("sin-fdlibm", Law::Sin, 0.785_387_750_9, 20, 0.752),
    ("sin-fdlibm", Law::Sin, -0.785_387_751, 20, 0.73),
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
