//! Kernels as `crunch design` wrote them (`docs/book/src/tasks/design.md`), compiled by rustc: their suites hold what their files say.

#[path = "designed/exp_all.rs"]
mod exp_all;
#[path = "designed/exp_f32.rs"]
mod exp_f32;
#[path = "designed/sin_f64.rs"]
mod sin_f64;
#[path = "designed/tanh_coarse.rs"]
mod tanh_coarse;
#[path = "designed/tanh_f16.rs"]
mod tanh_f16;

doublecrunch::suite! {
    mod designed;
    exp_f32: exp_f32::exp_f32, computes exp, over "0.5..1", within 0.9640;
    tanh_f16: tanh_f16::tanh_f16, computes tanh, over "all", within 0.5254;
    sin_f64: sin_f64::sin_f64, computes sin, over "-0.7853981633974483..=0.7853981633974483", within 0.5063;
    exp_all: exp_all::exp_f32, computes exp, over "-120..100", within 0.5;
}

/// The number with these bits of binary16.
fn half(bits: u16) -> f64 {
    let (exponent, significand) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => significand * 2f64.powi(-24),
        31 if significand == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + significand) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// Suites hold errors in ULP, and the tolerance of this kernel is absolute.
#[test]
fn a_coarse_kernel_has_the_error_that_its_file_says() {
    let error = |bits: u16| (half(tanh_coarse::tanh_coarse::eval(bits)) - half(bits).tanh()).abs();
    // A NaN is an error, too; the input that is one is not.
    let numbers = (0..=u16::MAX).filter(|&bits| half(bits).is_finite());
    let largest = numbers
        .map(error)
        .fold(0.0, |a, b| if a >= b { a } else { b });
    assert!(
        error(0xbec4) == largest && (2.442e-4..=2.443e-4).contains(&largest),
        "{largest:e}"
    );
}
