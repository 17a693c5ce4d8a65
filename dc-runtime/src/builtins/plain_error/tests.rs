//! Absolute and relative errors against exact ones, and what they share with the error in ULP.

use super::*;
use crate::DoubleDouble;
use crate::model::measure::Measure;

/// Both errors of a binary64 result with the reference `(hi + lo) 2^scale`; flags and digest are the metric's in ULP.
fn f64_errors(result: f64, hi: f64, lo: f64, scale: i64) -> [f64; 2] {
    let reference = DoubleDouble { hi, lo };
    let absolute = absolute_error_f64::eval(7, result, reference, scale);
    let relative = relative_error_f64::eval(7, result, reference, scale);
    let ulp = ulp_error_f64::eval(7, result, reference, scale);
    for other in [absolute, relative] {
        assert_eq!(
            (other.2, other.3),
            (ulp.2, ulp.3),
            "{result:e} {hi:e} {lo:e}"
        );
    }
    [absolute.0, relative.0]
}

fn f32_errors(result: f32, reference: f64) -> [f64; 2] {
    let absolute = absolute_error_f32::eval(7, result, reference);
    let relative = relative_error_f32::eval(7, result, reference);
    let ulp = ulp_error_f32::eval(7, result, reference);
    for other in [absolute, relative] {
        assert_eq!(
            (other.2, other.3),
            (ulp.2, ulp.3),
            "{result:e} {reference:e}"
        );
    }
    [absolute.0, relative.0]
}

#[test]
fn errors_are_exact_where_they_are_doubles() {
    let u = f64::EPSILON;
    assert_eq!(
        f64_errors(3.0 + 2.0 * u, 3.0, u / 2.0, 0),
        [1.5 * u, 0.5 * u]
    );
    assert_eq!(f64_errors(-3.0, -3.0, u / 2.0, 0), [-u / 2.0, -u / 6.0]);
    assert_eq!(f64_errors(2.0, 4.0, 0.0, ONE_WORD), [-2.0, -0.5]);
    assert_eq!(f64_errors(0.0, 0.0, 0.0, 0), [0.0; 2]);
    // A result against zero has no finite relative error.
    assert_eq!(f64_errors(1.5, 0.0, 0.0, 0), [1.5, f64::MAX]);
    // Three of the least subnormal against two and a half, whose words are not tiny.
    let least = f64::from_bits(1);
    assert_eq!(f64_errors(3.0 * least, 2.0, 0.5, -1074)[1], 0.25);
    assert_eq!(f64_errors(6.0 * least, 2.0, 0.0, -1074), [4.0 * least, 2.0]);
    // An infinite result counts as 2^1024 within 2 ULP of it; farther away it has no error.
    let [absolute, relative] = f64_errors(f64::INFINITY, f64::MAX, 0.0, 0);
    let expected = (2f64.powi(971), 2f64.powi(971) / f64::MAX);
    assert_eq!((absolute, relative), expected);
    assert_eq!(f64_errors(f64::INFINITY, f64::MAX / 2.0, 0.0, 0), [0.0; 2]);
    // No error is defined where one is NaN, or the reference infinite.
    assert_eq!(f64_errors(f64::NAN, 1.0, 0.0, 0), [0.0; 2]);
    assert_eq!(f64_errors(1.0, f64::INFINITY, 0.0, 0), [0.0; 2]);

    assert_eq!(f32_errors(1.5, 1.25), [0.25, 0.2]);
    assert_eq!(f32_errors(-1.5, -1.25), [-0.25, -0.2]);
    let largest = f64::from(f32::MAX);
    assert_eq!(
        f32_errors(f32::INFINITY, largest),
        [2f64.powi(104), 2f64.powi(104) / largest]
    );
    assert_eq!(f32_errors(f32::INFINITY, 2f64.powi(127)), [0.0; 2]);
    assert_eq!(
        f32_errors(f32::from_bits(1), 0.0),
        [2f64.powi(-149), f64::MAX]
    );
    assert_eq!(f32_errors(f32::NAN, 1.0), [0.0; 2]);
}

#[test]
fn bins_have_the_edges_that_they_claim() {
    type Bin = fn(f64) -> i64;
    let bin: [(Measure, Bin); 2] = [
        (Measure::Absolute, |x| absolute_bin::eval(x)),
        (Measure::Relative, |x| relative_bin::eval(x)),
    ];
    for (measure, bin) in bin {
        for i in 1..16 {
            let floor = measure.bin_floor(i);
            assert_eq!(bin(floor), i as i64, "{floor:e}");
            assert_eq!(bin(-floor.next_down()), i as i64 - 1, "{floor:e}");
        }
        assert_eq!((bin(0.0), bin(f64::MAX)), (0, 15));
        assert_eq!(measure.bin_floor(0), 0.0);
    }
}
