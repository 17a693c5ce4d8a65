//! Binary64: results at a sample of each function's inputs, compared with the double-double references and with MPFR. Functions with kernels of
//! their own have certified bounds. This test does not replace them, but it finds a wrong kernel in seconds.

use dc_runtime::prelude::DoubleDouble;

#[cfg(feature = "mpfr")]
use dc_runtime::mpfr::rug::Float;

use crate::cases::{CASES, Case};
use crate::inputs::{random, unit};
use crate::two::{TWO, pairs};

/// Bits of the true value.
#[cfg(feature = "mpfr")]
const BITS: u32 = 200;
/// More than the references' bounds allow: 2^-100 of the result is 2^-47 ULP.
#[cfg(feature = "mpfr")]
const BOUND: f64 = 0.5 + 1.0 / (1u64 << 46) as f64;

/// What is promised of functions with kernels of their own, with a range in which their results are of moderate size.
const OWN: &[(&str, [f64; 2])] = &[
    ("exp", [-745.2, 709.9]),
    ("exp2", [-1075.5, 1024.0]),
    ("exp10", [-323.7, 308.3]),
    ("expm1", [-40.0, 40.0]),
    ("sinh", [-3.0, 3.0]),
    ("cosh", [-3.0, 3.0]),
    ("tanh", [-20.0, 20.0]),
    ("log", [0.9, 1.2]),
    ("log2", [0.9, 1.2]),
    ("log10", [0.9, 1.2]),
    ("log1p", [-0.1, 0.1]),
    ("sin", [-4096.0, 4096.0]),
    ("cos", [-4096.0, 4096.0]),
    ("tan", [-4096.0, 4096.0]),
    ("asin", [-1.0, 1.0]),
    ("acos", [-1.0, 1.0]),
    ("atan", [-40.0, 40.0]),
    ("sqrt", [0.0, 4.0]),
    ("recip", [0.5, 2.0]),
    ("rsqrt", [0.0, 4.0]),
    ("cbrt", [-8.0, 8.0]),
    ("exp2m1", [-60.0, 60.0]),
    ("exp10m1", [-20.0, 20.0]),
    ("log2p1", [-0.1, 0.1]),
    ("log10p1", [-0.1, 0.1]),
    ("sinpi", [-4.0, 4.0]),
    ("cospi", [-4.0, 4.0]),
    ("tanpi", [-4.0, 4.0]),
    ("asinpi", [-1.0, 1.0]),
    ("acospi", [-1.0, 1.0]),
    ("atanpi", [-40.0, 40.0]),
    ("asinh", [-4.0, 4.0]),
    ("acosh", [1.0, 4.0]),
    ("atanh", [-1.0, 1.0]),
    ("sigmoid", [-745.2, 40.0]),
    ("logit", [0.0, 1.0]),
    ("erf", [-6.0, 6.0]),
    ("erfc", [-6.0, 27.3]),
    ("gelu", [-38.7, 9.0]),
    ("silu", [-752.0, 40.0]),
    ("softplus", [-745.2, 40.0]),
    ("mish", [-752.0, 40.0]),
    ("srgb_to_linear", [0.0, 1.0]),
    ("srgb_from_linear", [0.0, 1.0]),
    ("tgamma", [-184.0, 171.7]),
    ("lgamma", [-184.0, 40.0]),
];
/// Functions of two arguments with kernels of their own, and what is promised of them.
const OWN_OF_TWO: &[(&str, f64)] = &[
    ("pow", OWN_BOUND),
    ("powr", OWN_BOUND),
    ("atan2", OWN_BOUND),
    ("hypot", LENGTH_BOUND),
];
const OWN_BOUND: f64 = 0.55;
/// Of `hypot`.
pub const LENGTH_BOUND: f64 = 0.5 + 1.0 / (1u64 << 46) as f64;

/// What is promised of a function of two arguments with a kernel of its own.
fn own_bound_of_two(name: &str) -> Option<f64> {
    OWN_OF_TWO.iter().find(|o| o.0 == name).map(|o| o.1)
}

/// Inputs of a function with a kernel of its own: in the range, with a fortieth and a thousandth of it, of all magnitudes, and next to multiples of
/// π/32, where the sine of a number up to 4096 may be zero, or another entry of the table is taken.
fn own_inputs([low, high]: [f64; 2]) -> Vec<f64> {
    let mut all = inputs();
    let part = |n: u32| f64::from(n) / 16_384.0;
    for n in 0..=16_384 {
        let x = low + (high - low) * part(n);
        all.extend([x, x / 40.0, x / 1000.0, 1.0 + x / 1e6]);
        all.push(f64::from_bits(
            (u64::from(n) << 49) | (u64::from(n) * 0x9e37_79b9),
        ));
    }
    let places = (0..2 * 20_861).map(|n| f64::from(n) * (std::f64::consts::PI / 32.0));
    all.extend(places.flat_map(|x| [x.next_down(), x, -x.next_up()]));
    all
}

/// Inputs in the range of a function with a kernel of its own.
pub fn in_range(name: &str) -> impl Iterator<Item = f64> {
    let own = OWN.iter().find(|o| o.0 == name);
    let points = |[low, high]: [f64; 2]| {
        (0..1500).map(move |n| low + (high - low) * (f64::from(n) + 0.37) / 1500.0)
    };
    own.into_iter().flat_map(move |o| points(o.1))
}

/// The error in ULP by the double-double reference.
fn error_by_reference(truth: DoubleDouble, y: f64) -> Option<f64> {
    if !is_ordinary(truth.hi) {
        return None;
    }
    let unit = 2f64.powi(exponent(truth.hi) - 52);
    Some(((y - truth.hi) - truth.lo).abs() / unit)
}

/// The exponent of a normal number's first digit.
fn exponent(y: f64) -> i32 {
    ((y.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

#[test]
fn errors_of_own_kernels() {
    let mut wrong = Vec::new();
    for (name, range) in OWN {
        let case = CASES
            .iter()
            .find(|c| c.name == *name)
            .expect("it is listed");
        let (mut worst, mut at, mut measured) = (0.0, 0.0, 0);
        for x in own_inputs(*range) {
            let y = (case.double)(x);
            if y != 0.0 && y.is_finite() && !is_measured(case, x, y) {
                continue;
            }
            if let Some(e) = error_by_reference((case.truth)(x), y) {
                measured += 1;
                if e > worst || e.is_nan() {
                    (worst, at) = (e, x);
                }
            }
        }
        println!("{name}: {worst:.6} ULP at {at:e}, of {measured} inputs");
        if worst.is_nan() || worst > OWN_BOUND || measured < 20_000 {
            wrong.push(format!("{name}: {worst} ULP at {at:e}, of {measured}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Pairs for a function with a kernel of its own. For `pow`, with results of all magnitudes: of numbers of all magnitudes, next to 1, and next to the least normal and the greatest result.
/// For angles and lengths, quotients about 1 and next to each place of the table of angles.
pub fn own_pairs(name: &str) -> Vec<(f64, f64)> {
    let mut all = Vec::new();
    if own_bound_of_two(name).is_none() {
        return all;
    }
    let mut word = random(91);
    let mut unit = || unit(word());
    for n in 0..12_000 {
        let (least, greatest) = (-708.396_418_532_264, 709.782_712_893_384);
        let log = least + (greatest - least) * unit();
        let any = f64::from_bits((unit() * 9.218_868e18) as u64);
        let near = 0.9 + 0.2 * unit();
        let nearer = 1.0 + (unit() - 0.5) * 2f64.powi(-(n % 50));
        let end = if n % 2 == 0 { least } else { greatest };
        // Where r of the logarithm is greatest.
        let edge = 1.025 + 0.02 * unit();
        for (x, log) in [
            (any, log),
            (near, log),
            (nearer, log),
            (edge, end * (1.0 - 1e-3 * unit())),
            (any, end - 1e-11 * unit()),
            (any, least - 37.0 * unit()),
            (2.0 * unit(), log / 100.0),
        ] {
            all.push((x, log / x.ln()));
        }
        let side = 2f64.powi(n % 1800 - 900) * (0.5 + unit());
        let steps = f64::from(n % 33) + 0.5 + (unit() - 0.5) * 2f64.powi(-(n % 20));
        all.push((side * (steps / 16.0), side));
        all.push((side * unit(), -side));
        all.push((side * unit() * 2f64.powi(-(n % 64)), side));
        all.push((any, side));
    }
    all
}

#[test]
fn errors_of_own_kernels_of_two() {
    let mut wrong = Vec::new();
    for case in TWO {
        let Some(bound) = own_bound_of_two(case.name) else {
            continue;
        };
        let (mut worst, mut at, mut measured) = (0.0, (0.0, 0.0), 0);
        for (x, y) in pairs().into_iter().chain(own_pairs(case.name)) {
            let z = (case.double)(x, y);
            if let Some(e) = error_by_reference((case.truth)(x, y), z) {
                measured += 1;
                if e > worst || e.is_nan() {
                    (worst, at) = (e, (x, y));
                }
            }
        }
        println!(
            "{}: {worst:.6} ULP at {at:?}, of {measured} pairs",
            case.name
        );
        if worst.is_nan() || worst > bound || measured < 80_000 {
            wrong.push(format!(
                "{}: {worst} ULP at {at:?}, of {measured}",
                case.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Inputs of all magnitudes, of moderate size, and small integers.
pub fn inputs() -> Vec<f64> {
    let mut word = random(43);
    let mut all: Vec<f64> = (-40..40).map(|n| f64::from(n) / 2.0).collect();
    for _ in 0..600 {
        all.push(f64::from_bits(word()));
        let unit = unit(word());
        all.extend([2.0 * unit - 1.0, 64.0 * unit - 32.0, 1500.0 * unit - 750.0]);
    }
    all
}

/// Whether a result has all digits of a double-double.
pub fn is_ordinary(y: f64) -> bool {
    y.is_finite() && y.abs() >= 2f64.powi(-968)
}

/// Whether the reference tells a result's error: next to the zeros of lgamma between its poles the reference's own error is absolute.
pub fn is_measured(case: &Case, x: f64, y: f64) -> bool {
    is_ordinary(y) && (case.name != "lgamma" || x >= 0.0 || y.abs() > 2f64.powi(-36))
}

/// The error in ULP; none if the result is not ordinary, or, of all results, not finite.
#[cfg(feature = "mpfr")]
pub fn error(y: f64, truth: &Float, all: bool) -> Option<f64> {
    let near = truth.to_f64();
    if !(is_ordinary(near) || (all && near.is_finite())) {
        return None;
    }
    let Some(exponent) = truth.get_exp() else {
        return Some(if y == 0.0 { 0.0 } else { f64::INFINITY });
    };
    let exponent = exponent.max(-1021) - 53;
    let difference = Float::with_val(BITS, truth - y);
    Some((difference >> exponent).to_f64().abs())
}

#[cfg(feature = "mpfr")]
#[test]
fn errors_in_binary64() {
    let mut wrong = Vec::new();
    for case in CASES {
        let (mut worst, mut at, mut measured) = (0.0, 0.0, 0);
        let own = OWN.iter().find(|o| o.0 == case.name);
        let mut xs = inputs();
        if let Some((_, [low, high])) = own {
            xs.extend((0..2000).map(|n| low + (high - low) * f64::from(n) / 2000.0));
            // Towards the least results.
            xs.extend((0..500).map(|n| low + f64::from(n) / 8.0));
        }
        if case.name == "lgamma" {
            xs.extend(crate::stages::lgamma::next_to_zeros());
        }
        for x in xs {
            let y = (case.double)(x);
            if own.is_none() && !is_ordinary(y) {
                continue;
            }
            let truth = case.function.of(Float::with_val(BITS, x));
            if let Some(e) = error(y, &truth, own.is_some()) {
                measured += 1;
                if e > worst || e.is_nan() {
                    (worst, at) = (e, x);
                }
            }
        }
        println!(
            "{}: {worst:.9} ULP at {at:e}, of {measured} inputs",
            case.name
        );
        let bound = if own.is_some() { OWN_BOUND } else { BOUND };
        if worst.is_nan() || worst > bound || measured < 100 {
            wrong.push(format!(
                "{}: {worst} ULP at {at:e}, of {measured} inputs",
                case.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[cfg(feature = "mpfr")]
#[test]
fn errors_of_pairs_in_binary64() {
    let mut wrong = Vec::new();
    for case in TWO {
        let own = own_bound_of_two(case.name);
        let (mut worst, mut at, mut measured) = (0.0, (0.0, 0.0), 0);
        let some = own_pairs(case.name).into_iter().step_by(5);
        for (x, y) in pairs().into_iter().chain(some) {
            let [a, b] = [x, y].map(|n| Float::with_val(BITS, n));
            let z = (case.double)(x, y);
            let Some(e) = error(z, &case.function.of_two(a, b), own.is_some()) else {
                continue;
            };
            measured += 1;
            if e > worst || e.is_nan() {
                (worst, at) = (e, (x, y));
            }
        }
        println!(
            "{}: {worst:.9} ULP at {at:?}, of {measured} pairs",
            case.name
        );
        let bound = own.unwrap_or(BOUND);
        if worst.is_nan() || worst > bound || measured < 500 {
            wrong.push(format!(
                "{}: {worst} ULP at {at:?}, of {measured}",
                case.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
