//! Claims below the truth, given to `crunch-check`: a checker is tested by what it refuses.
//!
//! The truth of a stretch is known by brute force. A claim at the truth must be proven or refused. A claim that is lower, by one unit in
//! the last place or more, must be refused. One certificate is the shortest possible one: it cuts the whole stretch, so that the checker
//! finds cells, classes and methods itself. The others are the search's own certificate, with its cells, classes and methods, and variants
//! of it in which stretches are halved, moved and given to other methods.

use crunch_check::{Options, check};
use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::{Cell, Values};
use dc_exact::law::{Law, Truth};
use dc_exact::point::error_at;
use doublecrunch::kernel::CrunchFn;
use doublecrunch::model::{function::Function, key::Precision};
use doublecrunch::prelude::*;
use doublecrunch::search::{InputSpace, range::Range};
use doublecrunch::sweep::Sweep;
use doublecrunch::sweeps;
use kernels_gen::ir::Kernel;
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

use crate::forms::claiming;
use crate::inner;
use crate::kernels::{self, Words};
use crate::numeric;
use crate::parsed;
use crate::random::Random;
use crate::stretch::{Stretch, cut};

/// What became of the claims.
#[derive(Default)]
pub struct Lowered {
    pub stretches: u64,
    /// Those with a certificate of the search.
    pub planned: u64,
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
            "{} stretches, {} with a certificate of the search: the truth was proven {} times and refused {} times; of {} claims \
             below it {} were accepted",
            self.stretches,
            self.planned,
            self.proven,
            self.refused,
            self.lowered,
            self.accepted.len()
        )
    }
}

/// Tries the claims of one stretch.
pub fn stretch(name: &str, program: &Program, truth: &Truth, cell: Cell, total: &mut Lowered) {
    let Some(stretch) = Stretch::of(name, program, truth, cell) else {
        return;
    };
    total.stretches += 1;
    total.planned += u64::from(stretch.forms.len() > 1);
    let Stretch { x, error, .. } = stretch;
    for form in &stretch.forms {
        let claim = |error: f64| check(&claiming(&form.text, error), OPTIONS).is_ok();
        match claim(error.hi.next_up()) {
            true => total.proven += 1,
            false => total.refused += 1,
        }
        // Of a large error a small difference is less than its last place.
        let next = error.lo.next_down();
        let below = form.below.iter().map(|by| next.min(error.lo - by));
        for lower in std::iter::once(next).chain(below) {
            if lower < 0.0 {
                continue;
            }
            total.lowered += 1;
            if claim(lower) {
                total.accepted.push(format!(
                    "{name}, {}: {lower} ULP is proven on {:016x} to {:016x}, and {x:e} ({:016x}) has {}",
                    form.name,
                    cell.lo.to_bits(),
                    cell.hi.to_bits(),
                    x.to_bits(),
                    error.lo
                ));
                // One is enough.
                return;
            }
        }
    }
}

const OPTIONS: Options = Options {
    every: 1,
    jobs: 1,
    sieve: 0,
};

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

/// Kernels of all operations, with tables, bits and masks, compared with themselves in real arithmetic.
pub fn of_all_operations(seed: u64, kernels: u64, lg: u32, total: &mut Lowered) {
    let mut words = Words(seed);
    for n in 0..kernels {
        let program = parsed::program(&kernels::kernel(&mut words));
        let (lo, _) = kernels::cell(&mut words);
        let cell = inner::from_on(lo, lg);
        if !cell.lo.is_finite() || !cell.hi.is_finite() || cell.lo == 0.0 || cell.hi == 0.0 {
            continue;
        }
        let truth = Truth::Program(program.clone());
        let name = format!("all operations {n} of seed {seed}");
        stretch(&name, &program, &truth, cell, total);
    }
}

/// A product that is rounded to binary32. As a reference it is the product itself: nothing that depends on the input is rounded.
#[crunch]
fn rounded_to_binary32(x: DcDouble) -> DcDouble {
    let v = (x * 14.785688400268555).to_f32().to_f64();
    v * 0.5377010603120502
}

/// A product that overflows in doubles, and not in real arithmetic.
#[crunch]
fn overflows_inside(x: DcDouble) -> DcDouble {
    1.0 / (x * 1e308) * 1e250
}

const ZEROS: [f64; 2] = [0.0, -0.0];

/// The sign of a zero from a table, which is another for each second input.
#[crunch]
fn sign_of_an_entry(x: DcDouble) -> DcDouble {
    let zero = ZEROS[x.to_bits() & 1] * 1.0;
    let one = DcDouble::from_bits(0x3ff0_0000_0000_0000);
    one.copysign(zero)
}

/// The sign of a product that is rounded to zero.
#[crunch]
fn sign_of_an_underflow(x: DcDouble) -> DcDouble {
    let zero = (x - 1.0000000000001) * 1e-200 * 1e-200;
    let one = DcDouble::from_bits(0x3ff0_0000_0000_0000);
    one.copysign(zero)
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

/// Kernels by hand, compared with themselves in real arithmetic.
pub fn by_hand(lg: u32, total: &mut Lowered) {
    for &(kernel, from) in BY_HAND {
        let program = lowered(kernel);
        let truth = Truth::Program(program.clone());
        stretch(
            kernel.name,
            &program,
            &truth,
            inner::from_on(from, lg),
            total,
        );
    }
}

/// Routines of the library that CI tries, and where their stretches begin.
const FAST: [(&str, f64, f64); 7] = [
    ("sin-fdlibm", 0.06, 0.35),
    ("sin-fdlibm", -0.78, -0.02),
    ("exp", -40.0, 60.0),
    ("exp-fdlibm", 0.4, 3.0),
    ("exp-table", -20.0, 90.0),
    ("log-table", 0.9, 1.2),
    ("reciprocal", 1.0, 2.0),
];

/// A built-in sweep's routine, and its function or its reference; none in binary32, or of several arguments or results.
fn routine(sweep: &Sweep) -> Option<(Program, Truth)> {
    let law = match sweep.truth() {
        Some(Function::Exp) => Some(Law::Exp),
        Some(Function::Ln) => Some(Law::Ln),
        Some(Function::Recip) => Some(Law::Recip),
        Some(Function::Sqrt) => Some(Law::Sqrt),
        Some(Function::RecipSqrt) => Some(Law::RecipSqrt),
        Some(Function::Cbrt) => Some(Law::Cbrt),
        Some(Function::Sin) => Some(Law::Sin),
        Some(Function::Cos) => Some(Law::Cos),
        _ => None,
    };
    let program = lowered(sweep.candidate().kernel()?.kernel);
    let results = program.entry().results.len();
    if sweep.inputs() != InputSpace::Numbers(Precision::F64) || results != 1 {
        return None;
    }
    let truth = match law {
        Some(law) => Truth::Law(law),
        None => {
            let reference = lowered(sweep.reference().kernel()?.kernel);
            if reference.entry().results.len() > 2 {
                return None;
            }
            Truth::Program(reference)
        }
    };
    Some((program, truth))
}

/// Built-in routines on stretches that begin at random.
pub fn built_in(seed: u64, lg: u32, total: &mut Lowered) {
    let mut random = Random::of(seed ^ 0xb111, 0);
    for (name, lo, hi) in FAST {
        let sweep = sweeps::ALL.iter().find(|s| s.name() == name).expect(name);
        let (program, truth) = routine(sweep).expect(name);
        let at = random.below(1 << 53) as f64 * (f64::EPSILON / 2.0);
        let from = lo + (hi - lo) * at;
        stretch(name, &program, &truth, inner::from_on(from, lg), total);
    }
}

/// All built-in routines of binary64 on stretches that begin anywhere in their ranges: half by value, half by the order of the numbers.
pub fn all_built_in(seed: u64, lg: u32, total: &mut Lowered) {
    let mut random = Random::of(seed ^ 0xa11, 0);
    for sweep in sweeps::ALL {
        let Some((program, truth)) = routine(sweep) else {
            continue;
        };
        let range = Range::parse(sweep.range(), sweep.inputs()).expect("its own range");
        let spans = range.spans();
        let span = &spans[random.below(spans.len())];
        let [lo, hi] = [span.first, span.last].map(|k| Precision::F64.value_of_key(k));
        let from = match random.chance(50) {
            true => {
                let at = random.below(1 << 53) as f64 * (f64::EPSILON / 2.0);
                lo + (hi - lo) * at
            }
            false => {
                let far = span.last.wrapping_sub(span.first) as usize;
                Precision::F64.value_of_key(span.first.wrapping_add(random.below(far) as i64))
            }
        };
        let cell = inner::from_on(from, lg);
        if cell.lo >= lo && cell.hi <= hi {
            stretch(sweep.name(), &program, &truth, cell, total);
        }
    }
}

/// Random kernels of binary64, compared with themselves in real arithmetic, each on so many stretches.
pub fn random(seed: u64, kernels: u64, stretches: u64, lg: u32, total: &mut Lowered) {
    for n in 0..kernels {
        let program = lowered(numeric::kernel_of(Prim::F64, Random::of(seed, n), n));
        let truth = Truth::Program(program.clone());
        let mut random = Random::of(seed ^ 0x10e, n);
        for _ in 0..stretches {
            let e = random.within(0, 12) as i32 - 6;
            let from = (1.0 + random.below(1 << 52) as f64 * f64::EPSILON) * 2f64.powi(e);
            let name = format!("numeric {n} of seed {seed}");
            stretch(&name, &program, &truth, inner::from_on(from, lg), total);
        }
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
        for claim in [0.51, 0.9999 * error.lo] {
            let text = cut(&program, &truth, cell, claim);
            assert!(check(&text, OPTIONS).is_err(), "{}: {claim}", kernel.name);
        }
        // The core's input is x + 520.
        let bits = |x: f64| format!("{:016x}", x.to_bits());
        for how in ["bound", "lattice", "inputs"] {
            let named = cut(&program, &truth, cell, 0.51).replace(
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
            assert!(check(&named, OPTIONS).is_err(), "{}, {how}", kernel.name);
        }
    }
}

/// A zero of either sign is not one number: the results are 1 and -1, as √x next to 1.
#[test]
fn the_sign_of_a_zero_is_not_that_of_another() {
    for kernel in [sign_of_an_entry::KERNEL, sign_of_an_underflow::KERNEL] {
        let program = lowered(kernel);
        let truth = Truth::Law(Law::Sqrt);
        let cell = Cell {
            lo: 1.0,
            hi: 1.0000000000002,
        };
        let mut values = Values::new(&program);
        let errors = [cell.lo, cell.lo.next_up(), cell.hi].map(|x| {
            error_at(&program, &truth, &mut values, x)
                .expect("finite")
                .abs()
                .lo
        });
        let worst = errors.iter().copied().fold(0.0, f64::max);
        assert!(
            worst > 9e15 && errors.iter().any(|e| *e < 1e3),
            "{}: {errors:?}",
            kernel.name
        );
        let bound = bound_range(&program, &truth, &[cell], Effort::default());
        assert!(
            !bound.special.is_empty() || bound.bound >= worst,
            "{}: {} is certified",
            kernel.name,
            bound.bound
        );
        for claim in [1e4, 0.999 * worst] {
            let text = cut(&program, &truth, cell, claim);
            assert!(check(&text, OPTIONS).is_err(), "{}: {claim}", kernel.name);
        }
    }
}

/// The checker took the reference's conversion to binary32 as rounded, and proved half a unit.
#[test]
fn a_conversion_to_binary32_rounds_nothing_in_a_reference() {
    let program = lowered(rounded_to_binary32::KERNEL);
    let truth = Truth::Program(program.clone());
    let mut total = Lowered::default();
    for x in [1.3f64, 19.513_236_068, 0.016_309_136_324] {
        let cell = Cell { lo: x, hi: x };
        let mut values = Values::new(&program);
        let error = error_at(&program, &truth, &mut values, x).expect("finite");
        assert!(error.abs().lo > 1e6, "{error:?}");
        for claim in [0.51, 1e3, error.abs().lo.next_down()] {
            let text = cut(&program, &truth, cell, claim);
            assert!(check(&text, OPTIONS).is_err(), "{x:e}: {claim} is proven");
        }
        stretch(
            "rounded to binary32",
            &program,
            &truth,
            inner::from_on(x, 12),
            &mut total,
        );
    }
    none_is_accepted(&total, 6);
}

/// Nor is a product infinite there that overflows in doubles: the checker took its reciprocal as zero.
#[test]
fn a_reference_is_not_infinite_where_doubles_overflow() {
    let program = lowered(overflows_inside::KERNEL);
    let truth = Truth::Program(program.clone());
    for (lo, hi) in [(1e10, 1e10), (1e10, 1.0000001e10)] {
        for claim in [0.51, 1e17] {
            let text = cut(&program, &truth, Cell { lo, hi }, claim);
            assert!(check(&text, OPTIONS).is_err(), "{lo:e}: {claim} is proven");
        }
    }
}

/// None may be accepted; and where nothing is proven, nothing false can be.
fn none_is_accepted(total: &Lowered, proven: u64) {
    println!("reduced: {}", total.line());
    assert_eq!(total.accepted, Vec::<String>::new(), "{}", total.line());
    assert!(total.proven >= proven, "{}", total.line());
}

#[test]
fn no_claim_below_the_truth_is_proven_of_kernels_by_hand() {
    let mut total = Lowered::default();
    by_hand(14, &mut total);
    none_is_accepted(&total, 80);
}

#[test]
fn no_claim_below_the_truth_is_proven_of_built_in_routines() {
    let mut total = Lowered::default();
    built_in(3, 13, &mut total);
    none_is_accepted(&total, 38);
}

#[test]
fn no_claim_below_the_truth_is_proven_of_random_kernels() {
    let mut total = Lowered::default();
    random(5, 40, 1, 13, &mut total);
    none_is_accepted(&total, 110);
}

#[test]
fn no_claim_below_the_truth_is_proven_of_kernels_of_all_operations() {
    let mut total = Lowered::default();
    of_all_operations(1, 200, 8, &mut total);
    none_is_accepted(&total, 120);
}

#[test]
fn no_claim_below_the_truth_is_proven_of_kernels_with_values_at_the_ends_of_the_format() {
    let mut total = Lowered::default();
    for n in 0..30 {
        let (program, truth, cell) = inner::subject(9, n, 11);
        stretch(
            &format!("inner {n} of seed 9"),
            &program,
            &truth,
            cell,
            &mut total,
        );
    }
    none_is_accepted(&total, 70);
}

/// `RING_ROUNDS=100 RING_KERNELS=300 RING_STRETCHES=20 RING_LG=16 cargo test --release -p dc-exact --test ring -- --ignored lowered --nocapture`;
/// with `RING_SOME=1` two forms of most stretches, one of them the cut
#[test]
#[ignore = "long: hours of a core"]
fn no_claim_below_the_truth_is_proven_in_a_long_run_of_lowered_claims() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let (seed, lg) = (number("RING_SEED", 1), number("RING_LG", 16) as u32);
    let (rounds, each) = (number("RING_ROUNDS", 10), number("RING_STRETCHES", 1));
    let mut total = Lowered::default();
    let show = |what: &str, total: &Lowered| {
        println!("{what}: {}", total.line());
        total.accepted.iter().for_each(|a| println!("{a}"));
    };
    by_hand(lg, &mut total);
    show("by hand", &total);
    for round in seed..seed + rounds {
        built_in(round, lg, &mut total);
        all_built_in(round, lg, &mut total);
        show(&format!("built in, {round}"), &total);
    }
    for part in 0..number("RING_KERNELS", 300).div_ceil(10) {
        random(seed + 1000 * part, 10, each, lg, &mut total);
        of_all_operations(seed + 1000 * part, 100, 10, &mut total);
        for n in 10 * part..10 * (part + 1) {
            let (program, truth, cell) = inner::subject(seed, n, lg);
            let name = format!("inner {n} of seed {seed}");
            stretch(&name, &program, &truth, cell, &mut total);
        }
        show(&format!("random, {part}"), &total);
    }
    assert_eq!(total.accepted, Vec::<String>::new(), "{}", total.line());
}
