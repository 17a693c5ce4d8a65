//! Functions with an angle that is added to them.

use super::low::{constant, decided, kernel, low, proven, text};
use super::*;
use crate::angle::Angle;
use crate::number::exact;

/// Two doubles of `atan(5/16)`, and of `π/2 - atan(5/16)`, from series of 400 bits.
const ANGLE: [f64; 2] = [0.3028848683749714, -1.1010827903001369e-17];
const OTHER: [f64; 2] = [1.2679114584199251, 7.224316786036903e-17];

/// The sum of two words and the arc tangent of `x + l` next to 0.
fn arc_tangent([high, rest]: [f64; 2]) -> String {
    kernel(&format!(
        "  %2: {}\n  %3: {}\n  %4: f64 = mul %0, %0\n  %5: {}\n  %6: {}\n  %7: {}\n  %8: {}\n  %9: f64 = fma %4, %5, %6\n  \
         %10: f64 = fma %4, %9, %7\n  %11: f64 = fma %4, %10, %8\n  %12: f64 = mul %4, %0\n  %13: f64 = add %3, %1\n  \
         %14: f64 = fma %12, %11, %13\n  %15: f64 = add %2, %0\n  %16: f64 = sub %2, %15\n  %17: f64 = add %16, %0\n  \
         %18: f64 = add %14, %17\n  %19: f64 = add %15, %18\n  return %19\n",
        constant(high),
        constant(rest),
        constant(1.0 / 9.0),
        constant(-1.0 / 7.0),
        constant(0.2),
        constant(-1.0 / 3.0),
    ))
}

const RANGE: (f64, f64) = (0.019, 0.0195);

fn lines(plus: &str) -> String {
    format!("plus {plus}\n{}", low(-57))
}

#[test]
fn an_angle_is_added() {
    let [kernel, other] = [ANGLE, OTHER].map(arc_tangent);
    decided("atan", &lines("5 0"), &kernel, 0.501, RANGE, 0.49);
    decided("atan", &lines("-5 1"), &other, 0.501, RANGE, 0.49);
    let negative = (-0.02, -2f64.powi(-30));
    let below = text("atan", &lines("5 0"), &kernel, 0.501, negative);
    assert_eq!(proven(&below), Ok(()));
    // The sum is on both sides of 1/2, where its unit changes.
    let ninth = [0x3fe0_657e_94db_30d0, 0xbc7d_5b49_5f63_49e6].map(f64::from_bits);
    let (sum, range) = (arc_tangent(ninth), (-0.0124, -0.0123));
    let both = |error| text("atan", &lines("9 0"), &sum, error, range);
    assert_eq!(proven(&both(0.501)), Ok(()));
    assert!(proven(&both(0.49)).is_err());
}

#[test]
fn other_angles_and_other_words_are_refused() {
    let kernel = arc_tangent(ANGLE);
    let by = |lines: &str, kernel: &str| proven(&text("atan", lines, kernel, 0.501, RANGE));
    assert_eq!(by(&lines("5 0"), &kernel), Ok(()));
    for other in ["4 0", "-5 0", "5 1", "-5 1", "5 -1", "0 0"] {
        assert!(by(&lines(other), &kernel).is_err(), "{other}");
    }
    assert!(by(&low(-57), &kernel).is_err());
    let [high, rest] = ANGLE;
    for words in [
        [high.next_up(), rest],
        [high.next_down(), rest],
        [high, -rest],
        [high, rest + 2f64.powi(-63)],
        [-high, -rest],
    ] {
        assert!(by(&lines("5 0"), &arc_tangent(words)).is_err(), "{words:?}");
    }
}

#[test]
fn lines_about_angles_are_read_strictly() {
    let kernel = arc_tangent(ANGLE);
    let by = |lines: &str| proven(&text("atan", lines, &kernel, 0.501, RANGE));
    for wrong in [
        "5", "5 0 0", "05 0", "+5 0", "5 -0", "5.0 0", "17 0", "-17 0", "5 5", "5 -5", "", "5 ",
    ] {
        let refused = by(&lines(wrong)).expect_err(wrong);
        assert!(refused.starts_with("line "), "{wrong}: {refused}");
    }
    let twice = format!("plus 5 0\n{}", lines("5 0"));
    assert!(by(&twice).is_err_and(|e| e.contains("a second line")));
    // A reference, and a power, have no angle.
    let of = |function: &str| proven(&text(function, &lines("5 0"), &kernel, 0.501, RANGE));
    for function in ["reference", "power exponent 3ff8000000000000"] {
        assert!(of(function).is_err_and(|e| e.contains("an angle is added to no function")));
    }
}

#[test]
fn values_are_those_of_another_computation() {
    for (k, n, [high, rest]) in [("5", "0", ANGLE), ("-5", "1", OTHER)] {
        let value = Angle::parse(k, n).expect("an angle").value::<192>();
        let known = Fine::of(exact(high) + exact(rest));
        let apart = value.sub(&known).magnitude();
        assert!(apart < exact(high.abs() * 2f64.powi(-105)), "{k} {n}");
    }
}

/// Results have the identities of the function alone only if nothing is added.
#[test]
fn a_sum_is_in_no_class_of_the_function() {
    use crate::function::Function;
    use crate::law::Law;
    let none = Angle::parse("0", "0").expect("an angle");
    assert_eq!(Function::Law(Law::Exp).law(), Some(Law::Exp));
    assert_eq!(Function::Plus(Law::Exp, none).law(), None);
}

#[test]
fn the_words_of_the_theorem_name_the_angle() {
    let theorem = |plus: &str, f: &str| {
        let comment = format!(
            "# Theorem. For each double x of the ranges below, the kernel K below and f = {f}:\n"
        );
        let text = text("atan", &format!("{plus}{comment}"), "", 0.5, (1.0, 2.0));
        crate::theorem::compare(&Certificate::parse(&text).expect("it parses"))
    };
    assert_eq!(theorem("", "atan"), Ok(()));
    assert_eq!(
        theorem("plus -5 1\n", "atan + atan(-5/16) + 1 pi/2"),
        Ok(())
    );
    assert!(theorem("plus -5 1\n", "atan").is_err());
    assert!(theorem("plus -5 1\n", "atan + atan(5/16) + 1 pi/2").is_err());
    assert!(theorem("", "atan + atan(-5/16) + 1 pi/2").is_err());
}
