//! Values and radii of formulas.

use dc_runtime::builtins::ulp_error::UNKNOWN_SCALE;
use kernels_gen::interp::eval_batch;

use super::*;

/// Two words and the radius at each input.
fn radii(text: &str, xs: &[f64]) -> Vec<[f64; 3]> {
    let formula = Formula::parse(text, 1).expect(text);
    let kernel = formula.kernel(Precision::F64, Form::Radius).expect(text);
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits()).collect();
    let mut outputs = vec![Vec::new(); 3];
    (kernel.cpu.scalar)(&[&bits], &mut outputs);
    (0..xs.len())
        .map(|i| [0, 1, 2].map(|c| f64::from_bits(outputs[c][i])))
        .collect()
}

fn scales(text: &str, precision: Precision, xs: &[f64]) -> Vec<bool> {
    let formula = Formula::parse(text, 1).expect(text);
    let kernel = formula.kernel(precision, Form::Guarded).expect(text);
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits()).collect();
    let mut outputs = vec![Vec::new(); 3];
    (kernel.cpu.scalar)(&[&bits], &mut outputs);
    outputs[2].iter().map(|s| *s as i64 != UNKNOWN_SCALE).collect()
}

#[test]
fn the_kernel_and_its_columns_are_the_same() {
    let xs: Vec<f64> = (-400..400)
        .map(|i| 0.37 * f64::from(i))
        .chain([0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e-300])
        .collect();
    let bits: Vec<u64> = xs.iter().map(|x| x.to_bits()).collect();
    for text in [
        "log(1 + exp(x))",
        "0.1 * x - x^3 / 6",
        "asinh(x * x - 2) / cosh(3 * x)",
        "if_none(x)",
        "erf(x / 3) * pow(x * x + 1, 0.3) - pi",
        "max(tan(2 * x), min(x, 1)) * sqrt(abs(x) + 1)",
    ] {
        let Ok(formula) = Formula::parse(text, 1) else {
            assert_eq!(text, "if_none(x)");
            continue;
        };
        for form in [Form::Radius, Form::Guarded, Form::Value] {
            let kernel = formula.kernel(Precision::F64, form).expect(text);
            let program = kernels_gen::lower(kernel.kernel).expect(text);
            let words = program.entry().results.len();
            let mut columns = vec![Vec::new(); words];
            (kernel.cpu.scalar)(&[&bits], &mut columns);
            let mut interpreted = vec![Vec::new(); words];
            eval_batch(&program, &[&bits], &mut interpreted);
            assert_eq!(columns, interpreted, "{text} {form:?}");
        }
    }
}

#[test]
fn values_that_are_known() {
    // By hand: ln(1 + e^20.000000000000004) = 20.000000002061157 to the digits of a double.
    let [hi, _, r] = radii("log(1 + exp(x))", &[20.000000000000004])[0];
    assert_eq!(hi, 20.000000002061157);
    assert!(r < 1e-28);
    // Constants are not rounded to a double.
    let [hi, lo, _] = radii("0.1 * x", &[3.0])[0];
    assert_eq!((hi, lo < 0.0), (0.3, false));
    assert!((hi - 0.3) + lo > 1.1e-17, "0.3 is 0.3f64 + 1.1e-17: {lo}");
    assert_eq!(radii("x - 1 / x", &[2.0])[0][0], 1.5);
    assert_eq!(radii("-x^2", &[3.0])[0][0], -9.0);
    assert_eq!(radii("x^-2", &[2.0])[0][0], 0.25);
}

#[test]
fn what_cancels_is_not_known() {
    let known = |text: &str, x: f64| scales(text, Precision::F64, &[x])[0];
    // exp(x) - 1 is expm1(x), and not a difference.
    assert!(known("exp(x) - 1", 1e-30) && known("1 - exp(x)", 1e-30));
    assert!(known("log(1 + x)", 1e-30) && known("log(1 + exp(x))", -600.0));
    // The cosine's words are lost in 1 - cos x.
    assert!(known("1 - cos(x)", 0.5) && !known("1 - cos(x)", 1e-9));
    assert!(!known("(x + 1e40) - 1e40", 0.1));
    // Beyond the largest double the exponential is not known, although the logarithm of the sum would be.
    assert!(known("log(1 + exp(x))", 709.0) && !known("log(1 + exp(x))", 710.0));
    // Not defined there, and too large a value: both are known.
    assert!(known("log(x - 2)", 1.0) && known("exp(x * x)", 100.0));
    // A binary32 routine needs less.
    let narrow = |text: &str, x: f64| scales(text, Precision::F32, &[x])[0];
    assert!(narrow("1 - cos(x)", 1e-6) && !narrow("1 - cos(x)", 1e-9));
}

/// The radius holds: the same formula written so that it does not cancel is within it.
#[test]
fn radii_hold_the_difference_of_two_ways() {
    let xs: Vec<f64> = (1..2000).map(|i| 0.003_7 * f64::from(i)).collect();
    for (a, b) in [
        ("1 - cos(x)", "2 * sin(x / 2)^2"),
        ("sqrt(x + 1) - sqrt(x)", "1 / (sqrt(x + 1) + sqrt(x))"),
        ("log(x * x + 1)", "log1p(x * x)"),
        ("exp(x) * exp(-x)", "1 + 0 * x"),
        ("exp(x / 3)^3", "exp(x)"),
        ("tan(x / 7)", "sin(x / 7) / cos(x / 7)"),
        ("sinh(x / 3)", "(exp(x / 3) - exp(-x / 3)) / 2"),
        ("tanh(x / 3)", "sinh(x / 3) / cosh(x / 3)"),
        ("asin(sin(x / 6))", "x / 6"),
        ("acos(cos(x / 3))", "x / 3"),
        ("atan(tan(x / 6))", "x / 6"),
        ("acosh(cosh(x / 3))", "x / 3"),
        ("asinh(sinh(x / 3))", "x / 3"),
        ("atanh(tanh(x / 30))", "x / 30"),
        ("cbrt(x / 3)", "pow(x / 3, 1 / 3)"),
        ("log2(x / 3)", "log(x / 3) / log(2)"),
        ("exp2(x / 3)", "pow(2, x / 3)"),
        ("erf(x / 3)", "1 - erfc(x / 3)"),
        ("erf(x / 3)", "erf(x * 5 / 15)"),
        ("hypot(x / 3, 2)", "sqrt(x^2 / 9 + 4)"),
        ("atan2(x / 3, 2)", "atan(x / 6)"),
        ("sigmoid(x / 3)", "1 - sigmoid(-x / 3)"),
        ("softplus(x / 3)", "log(1 + exp(x / 3))"),
        ("logit(sigmoid(x / 9))", "x / 9"),
        ("gelu(x / 3)", "x / 3 * (1 + erf(x / 3 / sqrt(2))) / 2"),
        ("sinpi(x / 3)", "sin(x / 3 * pi)"),
        ("abs(-x / 3)", "max(x / 3, -x / 3)"),
        ("min(x / 3, 1)", "-max(-x / 3, -1)"),
    ] {
        let (first, second) = (radii(a, &xs), radii(b, &xs));
        let mut known = 0;
        for (x, (p, q)) in xs.iter().zip(first.iter().zip(&second)) {
            let apart = ((p[0] - q[0]) + (p[1] - q[1])).abs();
            assert!(apart <= p[2] + q[2], "{a} and {b} at {x}: {apart:e}, {p:?} {q:?}");
            known += u32::from(p[2] <= 1e-22 * p[0].abs());
        }
        assert!(known > 1500, "{a}: {known} of {} are known", xs.len());
    }
}
