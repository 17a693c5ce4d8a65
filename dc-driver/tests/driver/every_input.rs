//! `exact` and `hunt` for routines whose inputs are all evaluated, compared with a brute force that shares no code with them: the same
//! formula in Rust's `f32`, and Rust's functions of `f64` as its reference. The certified bound of each is compared with it, too.

use std::sync::Arc;

use serde_json::Value;

use super::{crunch_on, processors};
use dc_driver::exit;
use dc_exact::bound::{Effort, bound_range};
use dc_exact::cell::Cell;
use dc_exact::law::{Law, Truth};
use dc_runtime::backend::testing::interpreter;
use dc_runtime::backend::{
    Backend, BackendError, Discovery, Filter, KernelRef, PointKernel, SweepKernel,
};
use dc_runtime::builtins::reference::computes;
use dc_runtime::model::block::BlockResult;
use dc_runtime::model::key::Precision;
use dc_runtime::prelude::*;
use dc_runtime::search::stored::Format;
use dc_runtime::sweep::Sweep;

/// A format of results.
#[derive(Clone, Copy)]
struct Bits {
    precision: i32,
    least: i32,
    largest: i32,
}

const BINARY32: Bits = Bits {
    precision: 24,
    least: -149,
    largest: 127,
};
const HALF: Bits = Bits {
    precision: 11,
    least: -24,
    largest: 15,
};
const BFLOAT: Bits = Bits {
    precision: 8,
    least: -133,
    largest: 127,
};

impl Bits {
    /// The unit in the last place of a number.
    fn unit(self, x: f64) -> f64 {
        let e = ((x.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-1022);
        2f64.powi((e - (self.precision - 1)).max(self.least))
    }

    /// The number with these bits in a format of 16 bits.
    fn number(self, bits: u32) -> f32 {
        if self.precision == 8 {
            return f32::from_bits(bits << 16);
        }
        let (field, fraction) = (bits >> 10 & 31, bits & 0x3ff);
        let size = match field {
            0 => fraction as f32 * 2f32.powi(-24),
            31 if fraction == 0 => f32::INFINITY,
            31 => f32::NAN,
            _ => f32::from_bits((bits & 0x7fff) << 13) * 2f32.powi(112),
        };
        if bits >> 15 == 1 { -size } else { size }
    }

    /// The number nearest to one of binary32.
    fn round(self, x: f32) -> f32 {
        if !x.is_finite() {
            return x;
        }
        let unit = self.unit(x.into());
        let near = (f64::from(x) / unit).round_ties_even() * unit;
        let over = near.abs() >= 2f64.powi(self.largest + 1);
        if over {
            x.signum() * f32::INFINITY
        } else {
            near as f32
        }
    }
}

/// The formulas in Rust.
mod plain {
    pub fn round_to_half(x: f32) -> f32 {
        super::HALF.round(x)
    }
    pub fn round_to_bfloat(x: f32) -> f32 {
        super::BFLOAT.round(x)
    }
}

struct Routine {
    sweep: Sweep,
    format: Bits,
    law: Law,
    plain: fn(f32) -> f32,
    truth: fn(f64) -> f64,
    /// The inputs of the short form of the test, and of the long one.
    ranges: [&'static str; 2],
}

macro_rules! routines {
    ($($list:ident $format:ident $law:ident $function:ident $truth:expr, $short:literal $long:literal {
        $($name:ident($x:ident) { $($body:tt)* })+
    })+) => {
        $($(
            #[crunch]
            fn $name($x: DcFloat) -> DcFloat {
                $($body)*
            }
        )+)+
        mod formulas {
            $($(
                pub fn $name($x: f32) -> f32 {
                    #[allow(unused_imports, reason = "of numbers that are stored in 16 bits")]
                    use super::plain::{round_to_bfloat, round_to_half};
                    $($body)*
                }
            )+)+
        }
        static ALL: &[Routine] = &[$($(Routine {
            // The interpreter suffices: a compiled loop for each would take a minute to compile.
            sweep: routines!(@ $list $name $function stringify!($name), $long).without_loops(),
            format: $format,
            law: Law::$law,
            plain: formulas::$name,
            truth: $truth,
            ranges: [$short, $long],
        },)+)+];
    };
    (@ plain $name:ident $function:ident $text:expr, $range:literal) => {
        Sweep::computing::<$name, computes::$function>($text, $range)
    };
    (@ half $name:ident $function:ident $text:expr, $range:literal) => {
        Sweep::computing::<$name, computes::$function>($text, $range).stored(Format::Half)
    };
    (@ bfloat $name:ident $function:ident $text:expr, $range:literal) => {
        Sweep::computing::<$name, computes::$function>($text, $range).stored(Format::Bfloat)
    };
}

routines! {
    plain BINARY32 Recip recip f64::recip, "1.25..1.26" "1.0..2.0" {
        recip_divided(x) { 1.0 / x }
        recip_one_step(x) { let y = 1.457_107 - 0.5 * x; y * (2.0 - x * y) }
        recip_two_steps(x) { let y = 1.457_107 - 0.5 * x; let y = y * (2.0 - x * y); y * (2.0 - x * y) }
        recip_three_steps(x) {
            let y = 1.457_107 - 0.5 * x; let y = y * (2.0 - x * y); let y = y * (2.0 - x * y); y * (2.0 - x * y)
        }
        recip_fused(x) {
            let y = 1.457_107 - 0.5 * x; let y = y * (2.0 - x * y); let y = y * (2.0 - x * y);
            y.mul_add((-x).mul_add(y, 1.0), y)
        }
        recip_of_double(x) { 2.0 / (x + x) }
        recip_by_root(x) { let r = 1.0 / x.sqrt(); r * r }
    }
    plain BINARY32 Sqrt sqrt f64::sqrt, "2.5..2.52" "1.0..4.0" {
        root_itself(x) { x.sqrt() }
        root_by_steps(x) { let y = 0.5 + 0.4 * x; let y = 0.5 * (y + x / y); let y = 0.5 * (y + x / y); 0.5 * (y + x / y) }
        root_by_inverse(x) { x * (1.0 / x.sqrt()) }
        root_of_quarter(x) { 2.0 * (0.25 * x).sqrt() }
        root_of_third(x) { 1.732_050_8 * (x / 3.0).sqrt() }
        root_corrected(x) { let y = x * (1.0 / x.sqrt()); y - (y * y - x) * (0.5 / y) }
    }
    plain BINARY32 RecipSqrt rsqrt (|x| 1.0 / x.sqrt()), "2.5..2.52" "1.0..4.0" {
        rsqrt_divided(x) { 1.0 / x.sqrt() }
        rsqrt_of_inverse(x) { (1.0 / x).sqrt() }
        rsqrt_stepped(x) { let y = 1.0 / x.sqrt(); y * (1.5 - 0.5 * x * y * y) }
        rsqrt_over(x) { x.sqrt() / x }
        rsqrt_fused(x) { let y = 1.0 / x.sqrt(); let e = (-(x * y)).mul_add(y, 1.0); (0.5 * y).mul_add(e, y) }
    }
    plain BINARY32 Cbrt cbrt f64::cbrt, "1.25..1.26" "1.0..2.0" {
        cbrt_two_steps(x) {
            let y = 0.75 + 0.26 * x; let y = y - (y * y * y - x) / (3.0 * y * y); y - (y * y * y - x) / (3.0 * y * y)
        }
        cbrt_three_steps(x) {
            let y = 0.75 + 0.26 * x; let y = y - (y * y * y - x) / (3.0 * y * y);
            let y = y - (y * y * y - x) / (3.0 * y * y); y - (y * y * y - x) / (3.0 * y * y)
        }
        cbrt_halley(x) {
            let y = 0.75 + 0.26 * x; let c = y * y * y; let y = y * ((c + 2.0 * x) / (2.0 * c + x));
            let c = y * y * y; y * ((c + 2.0 * x) / (2.0 * c + x))
        }
    }
    plain BINARY32 Exp exp f64::exp, "0.25..0.2525" "0.125..0.25" {
        exp_of_3(x) { 1.0 + x * (1.0 + x * (0.5 + x * 0.166_666_67)) }
        exp_of_4(x) { 1.0 + x * (1.0 + x * (0.5 + x * (0.166_666_67 + x * 0.041_666_668))) }
        exp_of_5(x) { 1.0 + x * (1.0 + x * (0.5 + x * (0.166_666_67 + x * (0.041_666_668 + x * 0.008_333_334)))) }
        exp_of_6(x) {
            1.0 + x * (1.0 + x * (0.5 + x * (0.166_666_67 + x * (0.041_666_668 + x * (0.008_333_334 + x * 0.001_388_889)))))
        }
        exp_estrin(x) {
            let q = x * x; (1.0 + x) + q * ((0.5 + x * 0.166_666_67) + q * (0.041_666_668 + x * 0.008_333_334))
        }
        exp_fused(x) {
            x.mul_add(x.mul_add(x.mul_add(x.mul_add(0.041_666_668, 0.166_666_67), 0.5), 1.0), 1.0)
        }
        exp_squared(x) { let h = 0.5 * x; let y = 1.0 + h * (1.0 + h * (0.5 + h * 0.166_666_67)); y * y }
        exp_quotient(x) { let h = 0.5 * x; let s = h * h * 0.333_333_34; (1.0 + h + s) / (1.0 - h + s) }
    }
    plain BINARY32 Ln log f64::ln, "1.2..1.21" "1.125..1.25" {
        ln_of_4(x) { let r = x - 1.0; r * (1.0 - r * (0.5 - r * (0.333_333_34 - r * 0.25))) }
        ln_of_6(x) {
            let r = x - 1.0; r * (1.0 - r * (0.5 - r * (0.333_333_34 - r * (0.25 - r * (0.2 - r * 0.166_666_67)))))
        }
        ln_odd(x) { let s = (x - 1.0) / (x + 1.0); let q = s * s; 2.0 * s * (1.0 + q * (0.333_333_34 + q * 0.2)) }
        ln_odd_split(x) { let s = (x - 1.0) / (x + 1.0); let q = s * s; 2.0 * s + 2.0 * s * q * (0.333_333_34 + q * 0.2) }
        ln_fused(x) { let r = x - 1.0; (r * r).mul_add(r.mul_add(0.333_333_34, -0.5), r) }
    }
    plain BINARY32 Sin sin f64::sin, "0.5..0.505" "0.25..0.5" {
        sine_of_3(x) { x - x * x * x * 0.166_666_67 }
        sine_of_5(x) { let q = x * x; x * (1.0 - q * (0.166_666_67 - q * 0.008_333_334)) }
        sine_of_7(x) { let q = x * x; x * (1.0 - q * (0.166_666_67 - q * (0.008_333_334 - q * 0.000_198_412_7))) }
        sine_split(x) { let q = x * x; x + x * q * (-0.166_666_67 + q * (0.008_333_334 - q * 0.000_198_412_7)) }
        sine_fused(x) { let q = x * x; (x * q).mul_add(q.mul_add(0.008_333_334, -0.166_666_67), x) }
        sine_tripled(x) { let t = x * 0.333_333_34; let s = t - t * t * t * 0.166_666_67; s * (3.0 - 4.0 * s * s) }
    }
    plain BINARY32 Cos cos f64::cos, "0.5..0.505" "0.25..0.5" {
        cosine_of_4(x) { let q = x * x; 1.0 - q * (0.5 - q * 0.041_666_668) }
        cosine_of_6(x) { let q = x * x; 1.0 - q * (0.5 - q * (0.041_666_668 - q * 0.001_388_889)) }
        cosine_fused(x) { let q = x * x; q.mul_add(q.mul_add(0.041_666_668, -0.5), 1.0) }
        cosine_doubled(x) { let h = 0.5 * x; let s = h - h * h * h * 0.166_666_67; 1.0 - 2.0 * s * s }
    }
    half HALF Sqrt sqrt f64::sqrt, "all" "all" {
        half_root(x) { round_to_half(x.sqrt()) }
        half_root_twice(x) { round_to_half(2.0 * round_to_half((0.25 * x).sqrt())) }
    }
    half HALF Recip recip f64::recip, "all" "all" {
        half_recip(x) { round_to_half(1.0 / x) }
        half_recip_stepped(x) { let y = round_to_half(1.0 / x); round_to_half(y * (2.0 - round_to_half(x * y))) }
    }
    half HALF Exp exp f64::exp, "all" "all" {
        half_exp(x) { round_to_half(1.0 + x * (1.0 + x * (0.5 + x * 0.166_666_67))) }
    }
    half HALF Sin sin f64::sin, "all" "all" {
        half_sine(x) { let q = round_to_half(x * x); round_to_half(x - x * q * 0.166_666_67) }
    }
    bfloat BFLOAT Sqrt sqrt f64::sqrt, "all" "all" {
        bfloat_root(x) { round_to_bfloat(x.sqrt()) }
        bfloat_root_inverse(x) { round_to_bfloat(x * round_to_bfloat(1.0 / x.sqrt())) }
    }
    bfloat BFLOAT Recip recip f64::recip, "all" "all" {
        bfloat_recip(x) { round_to_bfloat(1.0 / x) }
        bfloat_recip_stepped(x) { let y = round_to_bfloat(1.0 / x); round_to_bfloat(y * (2.0 - round_to_bfloat(x * y))) }
    }
    bfloat BFLOAT Cos cos f64::cos, "all" "all" {
        bfloat_cosine(x) { let q = round_to_bfloat(x * x); round_to_bfloat(1.0 - q * 0.5) }
    }
    bfloat BFLOAT Ln log f64::ln, "all" "all" {
        bfloat_ln(x) { let r = x - 1.0; round_to_bfloat(r * (1.0 - round_to_bfloat(r * 0.5))) }
    }
}

/// The worst error of a range, and the number of its inputs. A range without ends contains all numbers of the format.
fn brute(routine: &Routine, ends: Option<[f32; 2]>) -> (f64, u64) {
    let (mut largest, mut count) = (0.0f64, 0);
    let mut take = |x: f32| {
        largest = largest.max(error(routine, x).unwrap_or(0.0));
        count += 1;
    };
    match ends {
        Some([lo, hi]) => {
            let mut x = lo;
            while x < hi {
                take(x);
                x = x.next_up();
            }
        }
        None => (0..1 << 16)
            .map(|bits| routine.format.number(bits))
            .for_each(take),
    }
    (largest, count)
}

/// An input's error in ULP of the true value; `None` if this is no finite number of the format, or the result NaN.
/// An infinite result counts as the power of two at the end of the largest binade, if that is less than 2 ULP away.
fn error(routine: &Routine, x: f32) -> Option<f64> {
    let format = routine.format;
    let (result, true_value) = ((routine.plain)(x), (routine.truth)(x.into()));
    let power = 2f64.powi(format.largest + 1);
    let result = f64::from(result).clamp(-power, power);
    // Halfway between the largest number and that power.
    let finite = true_value.abs() < power * (1.0 - 2f64.powi(-format.precision - 1));
    let infinite = result.abs() == power;
    let error = (result - true_value).abs() / format.unit(true_value);
    (finite && !result.is_nan() && !(infinite && error >= 2.0)).then_some(error)
}

/// The errors of `f64`'s functions and the radii of the references, in ULP of binary32.
const NEAR: f64 = 1e-6;

#[derive(Default)]
struct Counts {
    binary32: u32,
    halves: u32,
    bounded: u32,
    inputs: u64,
}

/// What the commands run on, and what is done to bounds: a fault is injected into one of both.
struct Injected<'a> {
    processors: &'a dyn Fn(&Filter) -> Discovery,
    bounds: f64,
}

const NOTHING: Injected<'_> = Injected {
    processors: &processors,
    bounds: 1.0,
};

/// An error with a text, unless a condition holds.
macro_rules! ensure {
    ($condition:expr, $($text:tt)+) => {
        // Not `if !`: a comparison with NaN does not hold, and must not pass.
        match $condition {
            true => {}
            false => return Err(format!($($text)+)),
        }
    };
}

fn hold(
    routine: &Routine,
    range: &str,
    injected: &Injected<'_>,
    counts: &mut Counts,
) -> Result<(), String> {
    let name = routine.sweep.name();
    let ends = range
        .split_once("..")
        .map(|(lo, hi)| [lo, hi].map(|end| end.parse::<f32>().expect("a number")));
    let (largest, count) = brute(routine, ends);
    let near = NEAR * largest.max(1.0);
    for command in ["exact", "hunt"] {
        let args = ["--json", command, name, "--range", range, "--time", "600s"];
        let e = crunch_on(&[routine.sweep], injected.processors, &args);
        ensure!(e.code == exit::OK, "{name}: {}{}", e.out, e.err);
        let v: Value = serde_json::from_str(&e.out).expect("JSON");
        ensure!(v["exact"] == true, "{name}: {v}");
        ensure!(v["evaluated"] == count, "{name}: {v}, of {count}");
        let lower = v["lower"].as_f64().expect("a number");
        ensure!(v["lower"] == v["upper"], "{name}: {v}");
        ensure!(
            (lower - largest).abs() < near,
            "{name}: {v}, and brute force gives {largest}"
        );
        // The named input has this error.
        let bits = v["input"]["bits"].as_str().expect("bits");
        let bits = u32::from_str_radix(bits.trim_start_matches("0x"), 16).expect("hexadecimal");
        let named = error(routine, f32::from_bits(bits)).expect("finite");
        ensure!(
            (named - largest).abs() < near,
            "{name}: {v}, of which the input has {named}"
        );
    }
    counts.inputs += count;
    let Some([lo, hi]) = ends else {
        counts.halves += 1;
        return Ok(());
    };
    counts.binary32 += 1;
    let kernel = routine.sweep.candidate().kernel().expect("a kernel").kernel;
    let program = kernels_gen::lower(kernel).expect("it lowers");
    let cell = Cell {
        lo: lo.into(),
        hi: hi.next_down().into(),
    };
    let effort = Effort {
        tolerance: 1e-2,
        cells: 2000,
        ..Effort::default()
    };
    let bound = bound_range(&program, &Truth::Law(routine.law), &[cell], effort);
    ensure!(bound.special.is_empty(), "{name}: {:?}", bound.special);
    let bound = bound.bound * injected.bounds;
    ensure!(
        largest <= bound + near && bound < 2.0 * largest + 1.0,
        "{name}: the largest error is {largest}, the bound {bound}"
    );
    counts.bounded += 1;
    Ok(())
}

fn all(which: usize) {
    let mut counts = Counts::default();
    for routine in ALL {
        let held = hold(routine, routine.ranges[which], &NOTHING, &mut counts);
        held.unwrap_or_else(|e| panic!("{e}"));
    }
    println!(
        "{} routines of binary32 and {} of 16 bits, {} inputs: `exact` and `hunt` give what brute force does; {} bounds, none below it",
        counts.binary32, counts.halves, counts.inputs, counts.bounded
    );
    assert!(counts.binary32 + counts.halves >= 50);
    assert_eq!(counts.bounded, counts.binary32);
}

#[test]
fn what_exact_and_hunt_give_is_what_brute_force_gives() {
    all(0);
}

#[test]
#[ignore = "minutes: whole binades"]
fn what_exact_and_hunt_give_is_what_brute_force_gives_on_binades() {
    all(1);
}

/// The interpreter with a fault.
struct Wrong(Fault);

#[derive(Clone, Copy)]
enum Fault {
    /// This input is passed over, and the one below it run twice.
    PassesOver(i64),
    /// The largest error is stated this much larger.
    Raises(f64),
    /// It is stated to be that of the next input.
    NamesAnother,
}

struct WrongSweep(Fault, Box<dyn SweepKernel>);

impl dc_runtime::model::backend::sealed::Sealed for Wrong {}

impl Backend for Wrong {
    fn id(&self) -> &str {
        "interpreter"
    }
    fn describe(&self) -> String {
        "the interpreter with a fault".into()
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        interpreter().load(kernel)
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        Ok(Box::new(WrongSweep(
            self.0,
            interpreter().load_sweep(sweep)?,
        )))
    }
}

impl SweepKernel for WrongSweep {
    fn run(&mut self, first: i64, count: u64) -> Result<BlockResult, BackendError> {
        let end = first + count as i64;
        let mut found = self.1.run(first, count)?;
        match self.0 {
            Fault::PassesOver(key) if first < key && key < end => {
                let below = self.1.run(first, (key - first) as u64)?;
                let twice = self.1.run(key - 1, 1)?;
                found = below.merge(&twice);
                if key + 1 < end {
                    found = found.merge(&self.1.run(key + 1, (end - key - 1) as u64)?);
                }
            }
            Fault::PassesOver(_) => {}
            Fault::Raises(by) => {
                found.max.error_bits = (found.max.error() * by).to_bits();
            }
            Fault::NamesAnother => found.max.key += 1,
        }
        Ok(found)
    }
}

/// The worst input of a routine, by brute force.
fn worst(routine: &Routine, range: &str) -> f32 {
    let (lo, hi) = range.split_once("..").expect("ends");
    let [mut x, hi] = [lo, hi].map(|end| end.parse::<f32>().expect("a number"));
    let of = |x: f32| error(routine, x).unwrap_or(0.0);
    let mut worst = x;
    while x < hi {
        worst = if of(x) > of(worst) { x } else { worst };
        x = x.next_up();
    }
    worst
}

/// What the ring is for: an input that is passed over, an error that is raised, another input's name, a bound that is too small.
#[test]
fn injected_faults_are_caught() {
    let named = |name: &str| ALL.iter().find(|r| r.sweep.name() == name).expect(name);
    let routine = named("root_corrected");
    let range = routine.ranges[0];
    let held = |injected: &Injected<'_>| hold(routine, range, injected, &mut Counts::default());
    let wrong = |fault: Fault| {
        let processors = move |_: &Filter| Discovery::of(vec![Arc::new(Wrong(fault))]);
        let verdict = held(&Injected {
            processors: &processors,
            bounds: 1.0,
        });
        verdict.err()
    };
    held(&NOTHING).expect("nothing is injected");
    let key = Precision::F32.key_of_bits(worst(routine, range).to_bits().into());
    assert_eq!(wrong(Fault::PassesOver(0)), None, "an input of no range");
    for (fault, says) in [
        (Fault::PassesOver(key), "and brute force gives"),
        (Fault::Raises(1.0 + 1e-4), ""),
        (Fault::NamesAnother, ""),
    ] {
        let caught = wrong(fault).expect("it is caught");
        println!("{caught}");
        assert!(caught.contains(says), "{caught}");
    }
    let caught = held(&Injected {
        bounds: 0.5,
        ..NOTHING
    });
    let caught = caught.expect_err("a bound of half its size");
    assert!(caught.contains("the largest error is"), "{caught}");
}
