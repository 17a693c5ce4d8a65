//! Binary64: results compared with MPFR, at a sample of each function's inputs. The stated bound is the references', which were measured;
//! this finds a kernel that rounds them wrongly.

use dc_runtime::mpfr::rug::Float;

use crate::cases::CASES;

/// Bits of the true value.
const BITS: u32 = 200;
/// More than the references' bounds allow: 2^-100 of the result is 2^-47 ULP.
const BOUND: f64 = 0.5 + 1.0 / (1u64 << 46) as f64;

/// Inputs of all magnitudes, of moderate size, and small integers.
fn inputs() -> Vec<f64> {
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

/// The error in ULP; none where the result is not ordinary.
fn error(y: f64, truth: &Float) -> Option<f64> {
    let near = truth.to_f64();
    if !near.is_finite() || near.abs() < 2f64.powi(-968) {
        return None;
    }
    let exponent = truth.get_exp().expect("it is an ordinary number") - 53;
    let difference = Float::with_val(BITS, truth - y);
    Some((difference >> exponent).to_f64().abs())
}

#[test]
fn errors_in_binary64() {
    let mut wrong = Vec::new();
    for case in CASES {
        let (mut worst, mut at, mut measured) = (0.0, 0.0, 0);
        for x in inputs() {
            // Next to its zeros the reference's error is absolute.
            if case.name == "lgamma" && x < 0.0 {
                continue;
            }
            let truth = case.function.of(Float::with_val(BITS, x));
            let y = (case.double)(x);
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
