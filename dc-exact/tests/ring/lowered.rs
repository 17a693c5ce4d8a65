//! Claims below the truth, given to `crunch-check`: the test of a checker is what it refuses.
//!
//! The truth of a stretch is known by brute force. A claim at the truth must be proven or refused; one that is lower, by one unit
//! in the last place or more, must be refused. The certificate is the shortest there is: it cuts the whole stretch, so that
//! the checker finds cells, classes and methods itself.

use crunch_check::{Options, check};
use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::{Cell, Values, input_format};
use dc_exact::certificate::function;
use dc_exact::law::{Law, Truth};
use dc_exact::num::float::BINARY64;
use dc_exact::point::error_at;
use doublecrunch::kernel::CrunchFn;
use doublecrunch::prelude::*;
use doublecrunch::sweeps;
use kernels_gen::ir::Kernel;
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::columns;
use crate::hold::step;
use crate::numeric;
use crate::random::Random;

/// How far below the truth claims are, in ULP, beside the next number below it.
const BELOW: [f64; 4] = [1e-12, 1e-9, 1e-6, 1e-3];

/// What became of the claims.
#[derive(Default)]
pub struct Lowered {
    pub stretches: u64,
    /// Claims at the truth that were proven, and those that were refused.
    pub proven: u64,
    pub refused: u64,
    /// Claims below the truth.
    pub lowered: u64,
    /// Those that were accepted: none may be.
    pub accepted: Vec<String>,
}

impl Lowered {
    pub fn line(&self) -> String {
        format!(
            "{} stretches: the truth was proven for {} and refused for {}; of {} claims below it {} were accepted",
            self.stretches,
            self.proven,
            self.refused,
            self.lowered,
            self.accepted.len()
        )
    }
}

/// A certificate that cuts one stretch.
pub(crate) fn certificate(program: &Program, truth: &Truth, cell: Cell, error: f64) -> String {
    let bits = |x: f64| format!("{:016x}", x.to_bits());
    let ends = format!("{} {}", bits(cell.lo), bits(cell.hi));
    let text = |p: &Program| kernels_gen::text::text(p).trim_end().to_string();
    let (function, reference) = match truth {
        Truth::Law(_) => (function(truth), String::new()),
        Truth::Program(p) => (
            "reference",
            format!("reference\n{}\nend of reference\n", text(p)),
        ),
    };
    format!(
        "doublecrunch certificate 2\nsweep lowered\nfunction {function}\nrange {ends}\nerror {}\nkernel\n{}\nend of kernel\n\
         {reference}cut {ends}\nend\n",
        bits(error),
        text(program)
    )
}

/// The input with the largest error; `None` where some input has none.
fn worst(program: &Program, truth: &Truth, cell: Cell) -> Option<f64> {
    let mut worst = (-1.0, f64::NAN);
    match truth {
        Truth::Program(_) => columns::errors(program, cell, &mut |x, e| {
            if e > worst.0 {
                worst = (e, x);
            }
        })?,
        Truth::Law(_) => {
            let mut values = Values::new(program);
            for i in 0..cell.count(input_format(program)) {
                let x = step(cell.lo.abs().min(cell.hi.abs()), i, BINARY64).copysign(cell.lo);
                let error = error_at(program, truth, &mut values, x)?.abs().lo;
                if error > worst.0 {
                    worst = (error, x);
                }
            }
        }
    }
    Some(worst.1)
}

/// Tries the claims of one stretch.
pub fn stretch(name: &str, program: &Program, truth: &Truth, cell: Cell, total: &mut Lowered) {
    let Some(x) = worst(program, truth, cell) else {
        return;
    };
    let mut values = Values::new(program);
    let Some(error) = error_at(program, truth, &mut values, x).map(|e| e.abs()) else {
        return;
    };
    // Next to a power of two the unit of the true value may be undecided.
    if error.hi - error.lo > 1e-13 * error.hi.max(1.0) || error.lo <= 0.0 {
        return;
    }
    let options = Options {
        every: 1,
        jobs: 1,
        sieve: 0,
    };
    let claim = |error: f64| check(&certificate(program, truth, cell, error), options).is_ok();
    total.stretches += 1;
    match claim(error.hi.next_up()) {
        true => total.proven += 1,
        false => total.refused += 1,
    }
    let below = BELOW.iter().map(|by| error.lo - by);
    for lower in std::iter::once(error.lo.next_down()).chain(below) {
        if lower < 0.0 {
            continue;
        }
        total.lowered += 1;
        if claim(lower) {
            total.accepted.push(format!(
                "{name}: {lower} ULP is proven on {:016x} to {:016x}, and {x:e} ({:016x}) has {}",
                cell.lo.to_bits(),
                cell.hi.to_bits(),
                x.to_bits(),
                error.lo
            ));
        }
    }
}

/// The series of e^t to degree 5.
#[crunch]
fn series(t: DcDouble) -> DcDouble {
    let p = 0.008333333333333333 * t + 0.041666666666666664;
    let p = p * t + 0.16666666666666666;
    let p = p * t + 0.5;
    let p = p * t + 1.0;
    p * t + 1.0
}

/// e^x near -520, by way of a subnormal sum that is scaled to a normal result: the sum's last place is far above the result's.
#[crunch]
fn subnormal_sum(x: DcDouble) -> DcDouble {
    let r = x + -220.0;
    let t = r.mul_add(1.0, 740.0);
    let c = series(t) * 1.7393867359869615;
    c.mul_add(3.16e-322, 0.0) * 2.6699837949011376e95
}

/// The same by a product.
#[crunch]
fn subnormal_product(x: DcDouble) -> DcDouble {
    let t = (x + -220.0) + 740.0;
    let c = series(t) * 1.7393867359869615;
    c * 3.16e-322 * 2.6699837949011376e95
}

/// Sums with the input as an operand, whose ties depend on it.
#[crunch]
fn input_and_square(x: DcDouble) -> DcDouble {
    let y = x * x * 0.3333333333333333;
    x + y
}
#[crunch]
fn input_and_cube(x: DcDouble) -> DcDouble {
    let y = x * x * x * -0.16666666666666666;
    let z = x + y;
    z - y * 0.0009765625
}
#[crunch]
fn twice_the_input(x: DcDouble) -> DcDouble {
    let y = x * x * 0.125;
    let z = (x + x) - y;
    z + x
}
#[crunch]
fn constant_and_input(x: DcDouble) -> DcDouble {
    let a = 1.5 + x;
    let b = a * a * 0.001;
    b + x
}
#[crunch]
fn quotient_and_input(x: DcDouble) -> DcDouble {
    let q = 0.01 / (x + 3.0);
    x - q
}
#[crunch]
fn root_and_input(x: DcDouble) -> DcDouble {
    let q = x.sqrt() * 0.015625;
    q + x
}
/// Values that are subnormal inside and normal outside, and exact scalings.
#[crunch]
fn small_inside(x: DcDouble) -> DcDouble {
    let y = x * 1e-310;
    let z = y * 0.75 + 1e-310;
    z * 8.98846567431158e307 + x
}
#[crunch]
fn powers_of_two(x: DcDouble) -> DcDouble {
    let y = (x - 1.0) * (x + 1.0);
    let z = 0.5 * y + 0.25 * x;
    z * 4.0 + y
}

/// The kernels of [`by_hand`], each with where a stretch begins.
const BY_HAND: &[(&Kernel, f64)] = &[
    (input_and_square::KERNEL, 0.011),
    (input_and_square::KERNEL, 0.3),
    (input_and_cube::KERNEL, 0.0623),
    (input_and_cube::KERNEL, 0.21),
    (twice_the_input::KERNEL, 0.137),
    (twice_the_input::KERNEL, 0.0191),
    (constant_and_input::KERNEL, 0.26),
    (quotient_and_input::KERNEL, 0.113),
    (root_and_input::KERNEL, 0.57),
    (root_and_input::KERNEL, 1.3),
    (small_inside::KERNEL, 0.7),
    (powers_of_two::KERNEL, 0.61),
    (powers_of_two::KERNEL, 1.9999),
];

fn lowered(kernel: &'static Kernel) -> Program {
    kernels_gen::lower(kernel).unwrap_or_else(|e| panic!("{}: {e}", kernel.name))
}

/// `2^lg` inputs from one on, of its sign.
fn cell(from: f64, lg: u32) -> Cell {
    let far = step(from.abs(), (1 << lg) - 1, BINARY64);
    match from < 0.0 {
        true => Cell { lo: -far, hi: from },
        false => Cell { lo: from, hi: far },
    }
}

/// Kernels by hand, compared with themselves in real arithmetic.
pub fn by_hand(lg: u32, total: &mut Lowered) {
    for &(kernel, from) in BY_HAND {
        let program = lowered(kernel);
        let truth = Truth::Program(program.clone());
        stretch(kernel.name, &program, &truth, cell(from, lg), total);
    }
}

/// Built-in routines, compared with their functions, on stretches that begin at random.
pub fn built_in(seed: u64, rounds: u64, lg: u32, total: &mut Lowered) {
    for n in 0..rounds {
        let mut random = Random::of(seed ^ 0xb111, n);
        for (name, law, lo, hi) in [
            ("sin-fdlibm", Law::Sin, 0.06, 0.35),
            ("sin-fdlibm", Law::Sin, -0.78, -0.02),
            ("exp", Law::Exp, -40.0, 60.0),
            ("exp-fdlibm", Law::Exp, 0.4, 3.0),
            ("exp-table", Law::Exp, -20.0, 90.0),
            ("log-table", Law::Ln, 0.9, 1.2),
            ("reciprocal", Law::Recip, 1.0, 2.0),
        ] {
            let sweep = sweeps::ALL.iter().find(|s| s.name == name).expect(name);
            let program = lowered(sweep.candidate.kernel().expect("a kernel").kernel);
            let at = random.below(1 << 53) as f64 * (f64::EPSILON / 2.0);
            let from = lo + (hi - lo) * at;
            stretch(name, &program, &Truth::Law(law), cell(from, lg), total);
        }
    }
}

/// Random kernels of binary64, compared with themselves in real arithmetic.
pub fn random(seed: u64, kernels: u64, lg: u32, total: &mut Lowered) {
    for n in 0..kernels {
        let program = lowered(numeric::kernel_of(Prim::F64, Random::of(seed, n), n));
        let truth = Truth::Program(program.clone());
        let mut random = Random::of(seed ^ 0x10e, n);
        let e = random.within(0, 12) as i32 - 6;
        let from = (1.0 + random.below(1 << 52) as f64 * f64::EPSILON) * 2f64.powi(e);
        let name = format!("numeric {n} of seed {seed}");
        stretch(&name, &program, &truth, cell(from, lg), total);
    }
}

/// The bound, the certificate that the checker cuts itself, and the one whose class is named: none is below an error of a core
/// with subnormal results.
#[test]
fn a_subnormal_core_is_not_measured_in_units_of_its_own() {
    for kernel in [subnormal_sum::KERNEL, subnormal_product::KERNEL] {
        let program = lowered(kernel);
        let truth = Truth::Law(Law::Exp);
        // Of a shorter stretch the sum is one number.
        let (lo, hi) = (-520.0, -519.99);
        let cell = Cell { lo, hi };
        let x = f64::from_bits(0xc080_3ffc_b478_27ae);
        let mut values = Values::new(&program);
        let error = error_at(&program, &truth, &mut values, x)
            .expect("finite")
            .abs();
        assert!(error.lo > 1e10, "{}: {error:?}", kernel.name);
        let effort = Effort {
            tolerance: 1e-3,
            cells: 20_000,
            ..Effort::default()
        };
        let bound = bound_range(&program, &truth, &[cell], effort);
        assert!(
            !bound.special.is_empty() || bound.bound >= error.lo,
            "{}: {} is certified, and {x:e} has {error:?}",
            kernel.name,
            bound.bound
        );
        let options = Options {
            every: 1,
            jobs: 1,
            sieve: 0,
        };
        for claim in [0.51, 0.9999 * error.lo] {
            let text = certificate(&program, &truth, cell, claim);
            assert!(check(&text, options).is_err(), "{}: {claim}", kernel.name);
        }
        // The core's input is x + 520.
        let bits = |x: f64| format!("{:016x}", x.to_bits());
        for how in ["bound", "lattice", "inputs"] {
            let named = certificate(&program, &truth, cell, 0.51).replace(
                &format!("cut {} {}\n", bits(cell.lo), bits(cell.hi)),
                &format!(
                    "cell {} {} 0\nclass 0 reduced\n{how} {} {}\n",
                    bits(cell.lo),
                    bits(cell.hi),
                    bits(cell.lo + 520.0),
                    bits(cell.hi + 520.0)
                ),
            );
            assert!(named.contains("class 0"), "{named}");
            assert!(check(&named, options).is_err(), "{}, {how}", kernel.name);
        }
    }
}

#[test]
fn no_claim_below_the_truth_is_proven() {
    let mut total = Lowered::default();
    by_hand(14, &mut total);
    built_in(3, 1, 13, &mut total);
    random(5, 40, 14, &mut total);
    println!("reduced: {}", total.line());
    assert_eq!(total.accepted, Vec::<String>::new(), "{}", total.line());
    // Where nothing is proven, nothing false can be.
    assert!(
        total.proven >= 20 && total.lowered >= 150,
        "{}",
        total.line()
    );
}

/// `RING_KERNELS=300 RING_ROUNDS=40 RING_LG=18 cargo test --release -p dc-exact --test ring -- --ignored lowered --nocapture`
#[test]
#[ignore = "long: hours of a core"]
fn no_claim_below_the_truth_is_proven_in_a_long_run_of_lowered_claims() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let (seed, lg) = (number("RING_SEED", 1), number("RING_LG", 16) as u32);
    let mut total = Lowered::default();
    by_hand(lg, &mut total);
    println!("by hand: {}", total.line());
    for round in 0..number("RING_ROUNDS", 10) {
        built_in(seed + round, 1, lg, &mut total);
        println!("built in: {}", total.line());
    }
    for part in 0..number("RING_KERNELS", 300).div_ceil(10) {
        random(seed + 1000 * part, 10, lg, &mut total);
        println!("random: {}", total.line());
    }
    assert_eq!(total.accepted, Vec::<String>::new(), "{}", total.line());
}
