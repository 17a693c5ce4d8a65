//! Pieces of the functions' domains that the prover could not bound before it, or a kernel, was corrected.

use crate::bounds::{PROMISE, Subject, bound};

/// A function, and the ends of a piece of its domain.
const PIECES: &[(&str, f64, f64)] = &[
    // Results that overflow, and values of the function that would as well.
    ("exp", 709.0, f64::MAX),
    ("cosh", f64::MIN, -710.0),
    // Functions that are constant to all digits, and those that are their argument.
    ("tanh", 20.0, f64::MAX),
    ("sigmoid", 40.0, f64::MAX),
    ("softplus", 39.0, f64::MAX),
    ("gelu", 39.0, f64::MAX),
    // Zeros with the sign of the argument.
    ("gelu", f64::MIN, -38.5),
    // Next to multiples of π/2, in which integers are multiplied by words of π/16.
    ("sin", 1008.0, 1009.0),
    ("cos", 7.8, 8.0),
    // Next to a zero at 1/2, where an error of a double-double is a part of an ULP.
    ("logit", 0.499_999_999_99, 0.500_000_000_01),
    // A sum that is 1, and numbers whose square has no effect.
    ("log1p", -1e-15, 1e-15),
    // The least number whose power of ten is normal.
    ("exp10", -307.7, -307.6),
];

#[test]
fn pieces_are_bounded() {
    for &(name, low, high) in PIECES {
        let mut subject = (Subject::all().find(|s| s.name == name)).expect("it is there");
        subject.range = [low, high];
        let row = bound(&subject, 20.0, 1);
        let context = format!("{name} from {low:e} to {high:e}: {}", row.bound);
        assert!(row.bound <= PROMISE, "{context}");
        // One input may be left out, the largest number.
        assert!(
            row.complete && row.left_out < 1e-9,
            "{context} {}",
            row.left_out
        );
    }
}
