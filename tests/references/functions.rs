//! The references of functions for binary32 compared with MPFR; `doubles` has those for binary64.
//!
//! `cargo xtask references` prints the table of docs/book/src/reference/references-binary32.md for the requested number of inputs;
//! `CRUNCH_REFERENCE_ONLY` restricts it to some functions.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use doublecrunch::builtins::reference::{Function, REFERENCES};
use doublecrunch::mpfr::rug::Float;
use doublecrunch::prelude::*;
use doublecrunch::search::key::Precision;

use crate::compiled::Map;
use crate::inputs::Rng;
use crate::measure::inputs;

/// Bits of the true value: what cancels between the parts of a function is below 2^-30, and its error must be
/// negligible compared with 2^-53.
const BITS: u32 = 160;
/// Inputs per batch.
pub const BATCH: u64 = 1 << 12;
/// All binary32 numbers.
const ALL: u64 = 1 << 32;
/// Results between these have the relative bound. Outside, a result in binary32 is 0 or infinite whatever the
/// reference's is.
const LEAST: f64 = f64::from_bits((1023 - 160) << 52);
const LARGEST: f64 = f64::from_bits((1023 + 130) << 52);

/// The measurement of a reference after some inputs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Found {
    /// Inputs with a result to which the bound applies.
    pub inputs: u64,
    /// The largest error relative to it.
    pub error: f64,
    /// Its input.
    pub at: f64,
    /// The first input with a special value other than the function's, or beyond the limits on the wrong side.
    pub wrong: Option<f64>,
}

impl Found {
    /// Measures one input: the reference's result compared with the true value in two words.
    pub fn look(&mut self, function: Function, x: f64, found: f64, (hi, lo): (f64, f64)) {
        let size = hi.abs();
        if !(LEAST..=LARGEST).contains(&size) {
            let same = if hi.is_nan() {
                found.is_nan()
            } else if size > LARGEST {
                found.abs() > LARGEST / 2.0 && (found.is_infinite() || x.is_finite())
            } else {
                found.abs() < LEAST * 2.0
                    && (hi != 0.0 || found == 0.0 || function_underflows(function))
            };
            let sign = hi.is_nan() || found.is_sign_negative() == hi.is_sign_negative();
            if !(same && sign) {
                self.wrong = self.wrong.or(Some(x));
            }
            return;
        }
        self.inputs += 1;
        // Between its poles below 0 there are zeros.
        let scale = match function {
            Function::LnGamma if x < 0.0 => size.max(1.0),
            _ => size,
        };
        let error = (((found - hi) - lo) / scale).abs();
        // A NaN is an error, too.
        if error > self.error || error.is_nan() {
            self.error = if error.is_nan() { f64::INFINITY } else { error };
            self.at = x;
        }
    }

    pub fn merge(&mut self, other: Found) {
        self.inputs += other.inputs;
        if other.error > self.error {
            (self.error, self.at) = (other.error, other.at);
        }
        self.wrong = self.wrong.or(other.wrong);
    }

    /// What contradicts a bound of so many bits: an error above it, a wrong special value, or all errors below the
    /// bound by the given factor.
    pub fn beyond(&self, name: &str, bits: u32, factor: f64) -> Vec<String> {
        let bound = (-f64::from(bits)).exp2();
        let (log, at) = (self.error.log2(), self.at);
        let mut beyond = Vec::new();
        if let Some(x) = self.wrong {
            beyond.push(format!(
                "{name}: at {x:e} another special value than the function"
            ));
        }
        if self.error > bound {
            beyond.push(format!("{name}: 2^{log:.3} at {at:e} is above 2^-{bits}"));
        }
        if self.error < bound / factor {
            beyond.push(format!(
                "{name}: 2^{log:.3} is far below 2^-{bits}: state a better bound"
            ));
        }
        beyond
    }
}

/// The true value in two words.
pub fn two_words(truth: &Float) -> (f64, f64) {
    let hi = truth.to_f64();
    (hi, Float::with_val(BITS, truth - hi).to_f64())
}

/// Whether a result of 0 may differ by one unit from MPFR's, or be below the doubles' least number.
fn function_underflows(function: Function) -> bool {
    !matches!(
        function,
        Function::Sin | Function::SinPi | Function::TanPi | Function::Ln
    )
}

/// Binary32 inputs of batch `n`: of all bit patterns; of moderate size; near multiples of pi/4 and of 1/2; near numbers
/// where functions have zeros and references change their method.
pub fn batch(n: u64) -> Vec<f64> {
    const CENTRES: [f64; 16] = [
        1.0,
        0.5,
        2.0,
        std::f64::consts::FRAC_1_SQRT_2,
        std::f64::consts::SQRT_2,
        0.346_573_6,
        0.414_213_56,
        2.414_213_6,
        0.040_45,
        0.003_130_8,
        3.0,
        9.0,
        4.0,
        0.25,
        15.0,
        36.0,
    ];
    let mut rng = Rng(n);
    let near = |x: f64, rng: &mut Rng| {
        let bits = (x as f32).to_bits().wrapping_add_signed(rng.around(3));
        f32::from_bits(bits)
    };
    let one = |i: u64, rng: &mut Rng| -> f32 {
        match i % 4 {
            0 => f32::from_bits(rng.word() as u32),
            1 => ((rng.word() >> 40) as f64 / 16_777_216.0 * 128.0 - 64.0) as f32,
            2 => {
                let bits = rng.below(21);
                let n = rng.below(1 << bits) as f64;
                let x = [std::f64::consts::FRAC_PI_4, 0.5][rng.below(2) as usize] * n;
                let x = near(x, rng);
                [x, -x][rng.below(2) as usize]
            }
            _ => {
                let x = CENTRES[rng.below(16) as usize];
                let off = rng.around(1 << 24) as f64 / f64::from(1 << 24)
                    * (0.5f64).powi(rng.below(24) as i32);
                let x = (x + x * off) as f32;
                [x, -x][rng.below(2) as usize]
            }
        }
    };
    (0..BATCH).map(|i| f64::from(one(i, &mut rng))).collect()
}

/// Special values, powers of two, small integers and halves.
fn specials() -> Vec<f64> {
    let mut all = vec![0.0, f64::INFINITY, f64::from(f32::MAX), f64::NAN];
    all.extend((-149..128).map(|e| 2f64.powi(e)));
    all.extend((0..400).map(|n| f64::from(n) / 4.0));
    all.iter().flat_map(|&x| [x, -x]).collect()
}

fn look(found: &mut Found, function: Function, map: Map, xs: &[f64]) {
    for (&x, y) in xs.iter().zip(map.binary32(xs)) {
        let truth = function.of(Float::with_val(BITS, x));
        found.look(function, x, y, two_words(&truth));
    }
}

/// Measures `n` inputs of a function, or all, on all threads.
fn measure(function: Function, map: Map, n: u64) -> Found {
    let total = Mutex::new(Found::default());
    look(
        &mut total.lock().expect("no thread yet"),
        function,
        map,
        &specials(),
    );
    let next = AtomicU64::new(0);
    let batches = n.min(ALL).div_ceil(BATCH);
    let work = || {
        let mut found = Found::default();
        loop {
            let b = next.fetch_add(1, Ordering::Relaxed);
            if b >= batches {
                break;
            }
            let xs = if n < ALL {
                batch(b)
            } else {
                let first = (b * BATCH) as u32;
                (0..BATCH as u32)
                    .map(|i| f64::from(f32::from_bits(first + i)))
                    .collect()
            };
            look(&mut found, function, map, &xs);
        }
        total.lock().expect("no thread panicked").merge(found);
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    total.into_inner().expect("no thread panicked")
}

/// Whether a function is among the requested ones.
pub fn wanted(name: &str) -> bool {
    std::env::var("CRUNCH_REFERENCE_ONLY").map_or(true, |list| list.split(',').any(|n| n == name))
}

#[test]
fn binary32() {
    // A quarter of the number for the arithmetic: MPFR's functions take longer.
    let n = inputs() / 4;
    println!("| function | inputs | largest relative error | at | bound |\n|---|---|---|---|---|");
    let mut wrong = Vec::new();
    for r in REFERENCES {
        if !wanted(r.name) {
            continue;
        }
        let found = measure(r.function, Map::of(r.name, Precision::F32), n);
        println!(
            "| `{}` | {} | 2^{:.2} | {:e} | 2^-{} |",
            r.name,
            if n < ALL {
                found.inputs.to_string()
            } else {
                format!("all, {}", found.inputs)
            },
            found.error.log2(),
            found.at,
            r.binary32.bits
        );
        wrong.extend(found.beyond(r.name, r.binary32.bits, 8.0));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The values of C23, Annex F, to the bit.
#[test]
fn special_values_of_binary32() {
    let inf = f64::INFINITY;
    let nan = f64::NAN;
    let of = |name: &str, x: f64| Map::of(name, Precision::F32).binary32(&[x])[0];
    // At −∞, −1, −0, 0, 1, ∞; results that are no special values are given as 2.5.
    for (name, values) in [
        ("exp", [0.0, 2.5, 1.0, 1.0, 2.5, inf]),
        ("exp2", [0.0, 0.5, 1.0, 1.0, 2.0, inf]),
        ("exp10", [0.0, 2.5, 1.0, 1.0, 2.5, inf]),
        ("expm1", [-1.0, 2.5, -0.0, 0.0, 2.5, inf]),
        ("exp2m1", [-1.0, -0.5, -0.0, 0.0, 1.0, inf]),
        ("exp10m1", [-1.0, 2.5, -0.0, 0.0, 2.5, inf]),
        ("log", [nan, nan, -inf, -inf, 0.0, inf]),
        ("log2", [nan, nan, -inf, -inf, 0.0, inf]),
        ("log10", [nan, nan, -inf, -inf, 0.0, inf]),
        ("log1p", [nan, -inf, -0.0, 0.0, 2.5, inf]),
        ("log2p1", [nan, -inf, -0.0, 0.0, 1.0, inf]),
        ("log10p1", [nan, -inf, -0.0, 0.0, 2.5, inf]),
        ("sin", [nan, 2.5, -0.0, 0.0, 2.5, nan]),
        ("cos", [nan, 2.5, 1.0, 1.0, 2.5, nan]),
        ("tan", [nan, 2.5, -0.0, 0.0, 2.5, nan]),
        ("sinpi", [nan, -0.0, -0.0, 0.0, 0.0, nan]),
        ("cospi", [nan, -1.0, 1.0, 1.0, -1.0, nan]),
        ("tanpi", [nan, 0.0, -0.0, 0.0, -0.0, nan]),
        ("asin", [nan, 2.5, -0.0, 0.0, 2.5, nan]),
        ("acos", [nan, 2.5, 2.5, 2.5, 0.0, nan]),
        ("atan", [2.5, 2.5, -0.0, 0.0, 2.5, 2.5]),
        ("asinpi", [nan, -0.5, -0.0, 0.0, 0.5, nan]),
        ("acospi", [nan, 1.0, 0.5, 0.5, 0.0, nan]),
        ("atanpi", [-0.5, -0.25, -0.0, 0.0, 0.25, 0.5]),
        ("sinh", [-inf, 2.5, -0.0, 0.0, 2.5, inf]),
        ("cosh", [inf, 2.5, 1.0, 1.0, 2.5, inf]),
        ("tanh", [-1.0, 2.5, -0.0, 0.0, 2.5, 1.0]),
        ("asinh", [-inf, 2.5, -0.0, 0.0, 2.5, inf]),
        ("acosh", [nan, nan, nan, nan, 0.0, inf]),
        ("atanh", [nan, -inf, -0.0, 0.0, inf, nan]),
        ("cbrt", [-inf, -1.0, -0.0, 0.0, 1.0, inf]),
        ("sqrt", [nan, nan, -0.0, 0.0, 1.0, inf]),
        ("rsqrt", [nan, nan, -inf, inf, 1.0, 0.0]),
        ("recip", [-0.0, -1.0, -inf, inf, 1.0, 0.0]),
        ("erf", [-1.0, 2.5, -0.0, 0.0, 2.5, 1.0]),
        ("erfc", [2.0, 2.5, 1.0, 1.0, 2.5, 0.0]),
        ("tgamma", [nan, nan, -inf, inf, 1.0, inf]),
        ("lgamma", [inf, inf, inf, inf, 0.0, inf]),
        ("sigmoid", [0.0, 2.5, 0.5, 0.5, 2.5, 1.0]),
        ("logit", [nan, nan, -inf, -inf, inf, nan]),
        ("softplus", [0.0, 2.5, 2.5, 2.5, 2.5, inf]),
        ("silu", [-0.0, 2.5, -0.0, 0.0, 2.5, inf]),
        ("gelu", [-0.0, 2.5, -0.0, 0.0, 2.5, inf]),
        ("mish", [-0.0, 2.5, -0.0, 0.0, 2.5, inf]),
        ("srgb_to_linear", [-inf, 2.5, -0.0, 0.0, 1.0, inf]),
        ("srgb_from_linear", [-inf, 2.5, -0.0, 0.0, 2.5, inf]),
    ] {
        for (x, right) in [-inf, -1.0, -0.0, 0.0, 1.0, inf].into_iter().zip(values) {
            let y = of(name, x);
            let same = match right {
                2.5 => y.is_finite() && y != 0.0,
                r if r.is_nan() => y.is_nan(),
                r => y.to_bits() == r.to_bits(),
            };
            assert!(same, "{name} of {x:e} is {y:e}, not {right:e}");
        }
        assert!(of(name, nan).is_nan(), "{name} of NaN");
    }
    assert_eq!(REFERENCES.len(), 46, "a new function needs its row here");
    for (name, x, y) in [
        ("tanpi", 0.5, inf),
        ("tanpi", 1.5, -inf),
        ("tanpi", -0.5, -inf),
        ("tanpi", -1.5, inf),
        ("cospi", 0.5, 0.0),
        ("cospi", 1.5, 0.0),
        ("cospi", -0.5, 0.0),
        ("sinpi", 2.0, 0.0),
        ("sinpi", -2.0, -0.0),
        ("sinpi", 1e30, 0.0),
        ("cospi", 1e30, 1.0),
        ("tanpi", 2.0, 0.0),
        ("tanpi", -2.0, -0.0),
        ("lgamma", 2.0, 0.0),
        ("lgamma", -1e30, inf),
        ("tgamma", -1e30, nan),
        ("exp", 1e30, inf),
        ("exp", -1e30, 0.0),
        ("logit", 0.5, 0.0),
    ] {
        let found = of(name, x);
        assert!(
            found.to_bits() == y.to_bits() || found.is_nan() && y.is_nan(),
            "{name} of {x:e} is {found:e}"
        );
    }
}

/// Bits for the functions of double-doubles: the error of cancelling terms must be negligible compared with 2^-106.
const BITS_DOUBLE: u32 = 320;

/// Functions of double-doubles: those whose arguments are sums of two doubles.
#[test]
fn double_double_arguments() {
    type Kernel = fn(&[DoubleDouble], &mut [DoubleDouble]);
    let list: [(&str, Kernel, Function, f64, f64); 10] = [
        ("dd_exp", dd_exp::map, Function::Exp, -600.0, 700.0),
        ("dd_expm1", dd_expm1::map, Function::ExpM1, -2.0, 2.0),
        ("dd_log", dd_log::map, Function::Ln, 1e-3, 100.0),
        ("dd_log1p", dd_log1p::map, Function::Ln1p, -0.5, 1.0),
        ("dd_sin", dd_sin::map, Function::Sin, -3.0, 3.0),
        ("dd_cos", dd_cos::map, Function::Cos, -1.5, 1.5),
        ("dd_tan", dd_tan::map, Function::Tan, -1.5, 1.5),
        ("dd_atan", dd_atan::map, Function::Atan, -50.0, 50.0),
        ("dd_sinh", dd_sinh::map, Function::Sinh, -20.0, 20.0),
        ("dd_tanh", dd_tanh::map, Function::Tanh, -20.0, 20.0),
    ];
    let mut rng = Rng(77);
    let mut wrong = Vec::new();
    for (name, map, function, low, high) in list {
        let xs: Vec<DoubleDouble> = (0..inputs() / 16)
            .map(|_| {
                let hi = low + (rng.word() >> 11) as f64 / 9_007_199_254_740_992.0 * (high - low);
                DoubleDouble {
                    hi,
                    lo: hi
                        * f64::EPSILON
                        * 0.49
                        * ((rng.word() >> 11) as f64 / 4_503_599_627_370_496.0 - 1.0),
                }
            })
            .collect();
        let mut ys = vec![DoubleDouble::default(); xs.len()];
        map(&xs, &mut ys);
        let (mut worst, mut at) = (0f64, DoubleDouble::default());
        for (x, y) in xs.iter().zip(&ys) {
            let input: Float = Float::with_val(BITS_DOUBLE, x.hi) + x.lo;
            // The effect of an input error of 2^-102, and the result's own error.
            let slope = match function {
                Function::Exp => x.hi.abs(),
                Function::Sin => (x.hi / x.hi.tan()).abs(),
                Function::Cos => (x.hi * x.hi.tan()).abs(),
                Function::Tan => (x.hi / (x.hi.sin() * x.hi.cos())).abs(),
                _ => 0.0,
            };
            let truth = function.of(input);
            let error: Float = (Float::with_val(BITS_DOUBLE, y.hi) + y.lo - &truth) / &truth;
            let error = error.to_f64().abs() / (1.0 + slope);
            if error > worst || error.is_nan() {
                (worst, at) = (if error.is_nan() { f64::INFINITY } else { error }, *x);
            }
        }
        println!("{name}: 2^{:.2} at {at:?}", worst.log2());
        if worst > (-100f64).exp2() || worst < (-108f64).exp2() {
            wrong.push(format!("{name}: 2^{:.2} at {at:?}", worst.log2()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Next to a zero that has the sign of its input, results have that sign, even where they underflow to zero.
#[test]
fn results_that_underflow_have_their_sign() {
    let inputs = [-1.5e-323, -5e-324, -0.0, 0.0, 5e-324, 1.5e-323];
    let mut seen = 0;
    let mut wrong = Vec::new();
    for reference in REFERENCES {
        let results = Map::of(reference.name, Precision::F64).binary64(&inputs);
        let signs = |x: f64, y: DoubleDouble| y.hi.is_sign_negative() == x.is_sign_negative();
        let at_zero = results[2].hi == 0.0 && results[3].hi == 0.0;
        // That of sqrt has the domain's end there.
        if reference.name == "sqrt"
            || !at_zero
            || !signs(-0.0, results[2])
            || !signs(0.0, results[3])
        {
            continue;
        }
        seen += 1;
        for (x, y) in inputs.into_iter().zip(results) {
            if !signs(x, y) {
                wrong.push(format!("{} of {x:e} is {:e}", reference.name, y.hi));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 20, "{seen} functions");
}
