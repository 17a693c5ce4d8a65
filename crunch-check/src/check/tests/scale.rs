//! Functions times a power of two.

use super::low::{constant, decided, kernel, low, proven, text};
use super::*;

/// `c e^(r + l)`, where r is x less a number that is subtracted exactly.
fn exponential(less: f64, c: f64) -> String {
    kernel(&format!(
        "  %2: {}\n  %3: {}\n  %4: {}\n  %5: {}\n  %6: {}\n  %7: {}\n  %8: f64 = sub %0, %2\n  %9: f64 = fma %8, %7, %6\n  \
         %10: f64 = fma %8, %9, %5\n  %11: f64 = fma %8, %10, %4\n  %12: f64 = mul %8, %8\n  %13: f64 = fma %1, %8, %1\n  \
         %14: f64 = fma %12, %11, %13\n  %15: f64 = add %8, %14\n  %16: f64 = fma %3, %15, %3\n  return %16\n",
        constant(less),
        constant(c),
        constant(0.5),
        constant(1.0 / 6.0),
        constant(1.0 / 24.0),
        constant(1.0 / 120.0),
    ))
}

fn lines(scale: &str) -> String {
    format!("scale {scale}\n{}", low(-60))
}

const NEAR_ZERO: (f64, f64) = (0.0019, 0.0019001);
/// e^720 2^-600, whose error is 0.372 of its last place.
const FAR: f64 = f64::from_bits(0x5b5a_bb13_ae4d_c10d);

#[test]
fn a_function_is_multiplied() {
    for (scale, c) in [("-3", 0.125), ("10", 1024.0), ("-1000", 2f64.powi(-1000))] {
        let kernel = exponential(0.0, c);
        decided("exp", &lines(scale), &kernel, 0.51, NEAR_ZERO, 0.48);
        for other in ["-2", "2", "-4", "1000", "9"] {
            let other = text("exp", &lines(other), &kernel, 0.51, NEAR_ZERO);
            assert!(proven(&other).is_err(), "{scale}");
        }
        let none = text("exp", &low(-60), &kernel, 0.51, NEAR_ZERO);
        assert!(proven(&none).is_err(), "{scale}");
    }
}

/// Where results are infinite without the factor.
#[test]
fn a_function_is_known_beyond_the_largest_double() {
    let range = (720.0 + 2f64.powi(-20), 720.0 + 2f64.powi(-19));
    let by = |scale: &str, c: f64, error: f64| {
        let kernel = exponential(720.0, c);
        proven(&text("exp", &lines(scale), &kernel, error, range))
    };
    assert_eq!(by("-600", FAR, 1.1), Ok(()));
    assert!(by("-600", FAR, 0.49).is_err());
    assert!(by("-600", FAR.next_up(), 0.6).is_err() || by("-600", FAR.next_down(), 0.6).is_err());
    assert!(by("-599", FAR, 1.1).is_err());
}

#[test]
fn lines_about_scales_are_read_strictly() {
    let kernel = exponential(0.0, 0.125);
    let by = |lines: &str| proven(&text("exp", lines, &kernel, 0.51, NEAR_ZERO));
    assert_eq!(by(&lines("-3")), Ok(()));
    for wrong in [
        "0", "-0", "+3", "-03", "-3.0", "1001", "-1001", "", "-3 0", "x",
    ] {
        let refused = by(&lines(wrong)).expect_err(wrong);
        assert!(refused.starts_with("line "), "{wrong}: {refused}");
    }
    let twice = format!("scale -3\n{}", lines("-3"));
    assert!(by(&twice).is_err_and(|e| e.contains("a second line")));
    let both = format!("plus 5 0\n{}", lines("-3"));
    assert!(by(&both).is_err_and(|e| e.contains("an angle and a scale")));
    let of = |function: &str| proven(&text(function, &lines("-3"), &kernel, 0.51, NEAR_ZERO));
    for function in [
        "reference",
        "power exponent 3ff8000000000000",
        "turned sin 3",
    ] {
        let why = of(function).expect_err(function);
        assert!(why.contains("a scale is that of no function"), "{why}");
    }
}

/// Results have the identities of the function alone only if it is not multiplied.
#[test]
fn a_multiple_is_in_no_class_of_the_function() {
    use crate::function::Function;
    use crate::law::Law;
    use crate::scale::Scale;
    let scale = Scale::parse("-3").expect("a scale");
    assert_eq!(Function::Scaled(Law::Exp, scale).law(), None);
}

#[test]
fn the_words_of_the_theorem_name_the_scale() {
    let theorem = |scale: &str, f: &str| {
        let comment = format!(
            "# Theorem. For each double x of the ranges below, the kernel K below and f = {f}:\n"
        );
        let text = text("exp", &format!("{scale}{comment}"), "", 0.5, (1.0, 2.0));
        crate::theorem::compare(&Certificate::parse(&text).expect("it parses"))
    };
    assert_eq!(theorem("", "exp"), Ok(()));
    assert_eq!(theorem("scale -600\n", "2^-600 exp"), Ok(()));
    assert!(theorem("scale -600\n", "exp").is_err());
    assert!(theorem("scale -600\n", "2^600 exp").is_err());
    assert!(theorem("", "2^-600 exp").is_err());
}
