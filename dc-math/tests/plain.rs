//! Functions of plain numbers call the mathematical functions, which are kernels in their kernels.

extern crate dc_runtime as doublecrunch;

use dc_runtime::prelude::crunch;

#[crunch]
fn wave(x: f32) -> f32 {
    if x < 0.0 {
        return dc_math::f32::exp2(x);
    }
    dc_math::f32::cbrt(x) * 2.0
}

#[test]
fn a_function_and_its_kernel_have_the_same_bits() {
    let x: Vec<f32> = (-300..300).map(|n| n as f32 * 0.37).collect();
    let mut y = vec![0.0; x.len()];
    wave::map(&x, &mut y);
    for (x, y) in x.iter().zip(y) {
        assert_eq!(wave(*x).to_bits(), y.to_bits(), "{x}");
    }
}

#[crunch]
fn bearing(x: f64, y: f64) -> f64 {
    let angle = dc_math::f64::atan2(y, x);
    if angle < 0.0 {
        return dc_math::f64::lgamma(y) + dc_math::f64::erf(x);
    }
    dc_math::f64::pow(x.abs(), angle) - dc_math::f64::tgamma(x)
}

#[test]
fn functions_of_two_arguments_have_the_same_bits_in_slices() {
    let x: Vec<f64> = (-300..300).map(|n| f64::from(n) * 0.0371).collect();
    let y: Vec<f64> = x.iter().map(|x| 3.0 - x * x / 20.0).collect();
    let mut z = vec![0.0; x.len()];
    bearing::map(&x, &y, &mut z);
    for ((x, y), z) in x.iter().zip(&y).zip(z) {
        let one = bearing(*x, *y);
        assert!(
            one.to_bits() == z.to_bits() || one.is_nan() && z.is_nan(),
            "{x}, {y}"
        );
    }
}
