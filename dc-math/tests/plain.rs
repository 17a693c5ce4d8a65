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
