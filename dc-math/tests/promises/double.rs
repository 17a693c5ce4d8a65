//! Binary64: results compared with MPFR, at a sample of each function's inputs. The stated bound is the references', which were measured;
//! this finds a kernel that rounds them wrongly.

#[cfg(feature = "mpfr")]
use dc_runtime::mpfr::rug::Float;

#[cfg(feature = "mpfr")]
use crate::cases::CASES;
use crate::cases::Case;
#[cfg(feature = "mpfr")]
use crate::two::{TWO, pairs};

/// Bits of the true value.
#[cfg(feature = "mpfr")]
const BITS: u32 = 200;
/// More than the references' bounds allow: 2^-100 of the result is 2^-47 ULP.
#[cfg(feature = "mpfr")]
const BOUND: f64 = 0.5 + 1.0 / (1u64 << 46) as f64;
/// The same of two arguments, where the references of powers have 93 bits.
#[cfg(feature = "mpfr")]
const BOUND_OF_TWO: f64 = 0.5 + 1.0 / (1u64 << 40) as f64;

/// Inputs of all magnitudes, of moderate size, and small integers.
pub fn inputs() -> Vec<f64> {
    let mut state = 43u64;
    let mut word = || {
        state = state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        state ^ (state >> 29)
    };
    let mut all: Vec<f64> = (-40..40).map(|n| f64::from(n) / 2.0).collect();
    for _ in 0..600 {
        all.push(f64::from_bits(word()));
        let unit = (word() >> 11) as f64 / 9_007_199_254_740_992.0;
        all.extend([2.0 * unit - 1.0, 64.0 * unit - 32.0, 1500.0 * unit - 750.0]);
    }
    all
}

/// Whether a result has all digits of a double-double.
pub fn is_ordinary(y: f64) -> bool {
    y.is_finite() && y.abs() >= 2f64.powi(-968)
}

/// Whether a function's error is measured at an input, where it has that result.
pub fn is_measured(case: &Case, x: f64, y: f64) -> bool {
    // Next to its zeros the reference's error is absolute.
    is_ordinary(y) && !(case.name == "lgamma" && x < 0.0)
}

/// The error in ULP; none where the result is not ordinary.
#[cfg(feature = "mpfr")]
fn error(y: f64, truth: &Float) -> Option<f64> {
    let near = truth.to_f64();
    if !is_ordinary(near) {
        return None;
    }
    let exponent = truth.get_exp().expect("it is an ordinary number") - 53;
    let difference = Float::with_val(BITS, truth - y);
    Some((difference >> exponent).to_f64().abs())
}

#[cfg(feature = "mpfr")]
#[test]
fn errors_in_binary64() {
    let mut wrong = Vec::new();
    for case in CASES {
        let (mut worst, mut at, mut measured) = (0.0, 0.0, 0);
        for x in inputs() {
            let y = (case.double)(x);
            if !is_measured(case, x, y) {
                continue;
            }
            let truth = case.function.of(Float::with_val(BITS, x));
            if let Some(e) = error(y, &truth) {
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
        if worst.is_nan() || worst > BOUND || measured < 100 {
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
        let mut measured = 0;
        for (x, y) in pairs() {
            let [a, b] = [x, y].map(|n| Float::with_val(BITS, n));
            let z = (case.double)(x, y);
            let Some(e) = error(z, &case.function.of_two(a, b)) else {
                continue;
            };
            measured += 1;
            if e.is_nan() || e > BOUND_OF_TWO {
                wrong.push(format!("{}({x:e}, {y:e}): {e} ULP", case.name));
            }
        }
        assert!(measured > 500, "{}: {measured}", case.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
