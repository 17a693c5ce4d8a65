//! For comparison: the same search with MPFR as the reference, number by number.

use doublecrunch::search::truth::Function;

/// The largest error of a stretch: `results` are the routine's, which cost nothing beside MPFR.
pub fn search(function: Function, inputs: &[f64], results: &[f64]) -> f64 {
    let mut most = 0f64;
    for (&x, &y) in inputs.iter().zip(results) {
        let truth = function.at(x);
        let ulp = f64::from_bits((truth.to_f64().to_bits() & 0x7ff0_0000_0000_0000) - (52 << 52));
        let error = (truth - y).to_f64().abs() / ulp;
        if error > most {
            most = error;
        }
    }
    most
}
