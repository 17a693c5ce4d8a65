//! Designs in a variable of the user.

use dc_design::variable::Variable;

use super::*;

fn in_variable(u: &str, name: &str, text: &str, tolerance: &str) -> Result<Outcome, String> {
    run_in(Some(u), Format::F32, subject(name), text, tolerance)
}

#[test]
fn designs_are_polynomials_in_the_variable() {
    for (u, name, text, tolerance, source) in [
        ("1/x", "atan", "7..7.1", "1.0ulp", "/ x"),
        ("sqrt(1 - x)", "acos", "0.9..0.901", "1.0ulp", "sqrt()"),
        ("x*x", "sin", "-0.3..-0.299,0.3..0.301", "1.0ulp", "x * x"),
    ] {
        let outcome = in_variable(u, name, text, tolerance).expect("designs");
        let picked = &outcome.finalists[outcome.picked.expect("one is within it")];
        assert!(
            outcome
                .finalists
                .iter()
                .all(|f| f.design.approximation.variable == Variable::parse(u).ok())
        );
        let about = About {
            name: "k".into(),
            head: Vec::new(),
            doc: Vec::new(),
        };
        let file = source::file(&picked.design, &picked.candidate.coefficients, &about);
        assert!(file.contains(source) && file.contains("let u = "), "{file}");
        assert!(
            picked.design.describe().contains(u),
            "{}",
            picked.design.describe()
        );
        compared(name, &picked.candidate);
        // Fault: the polynomial of another variable.
        let mut other = picked.design.clone();
        other.approximation.variable = Variable::parse("x + 0.125").ok();
        let wrong = candidates::program(&other, &picked.candidate.coefficients).expect("it lowers");
        let wrong = Candidate {
            program: wrong,
            coefficients: picked.candidate.coefficients.clone(),
        };
        assert!(everywhere(&outcome.problem, &wrong).largest > 1e3);
    }
}

#[test]
fn a_variable_without_a_value_on_the_range_is_refused() {
    for (u, text, says) in [
        ("1/x", "-1..1", "`1/x` divides by 0 at -0.0"),
        ("1/(3*x - 1)", "0.25..0.5", "divides by 0 at 0.333333"),
        (
            "sqrt(1 - x)",
            "0.5..2",
            "`sqrt(1 - x)` has no finite value at 1.",
        ),
        ("x*x", "all", "has no value at NaN"),
        ("x*x", "1..=inf", "has no value at an infinity"),
        ("x - x", "1..2", "is 0.0 at every input"),
        ("x^16", "1e30..1e31", "no finite value at 1"),
    ] {
        let error = in_variable(u, "atan", text, "1.0ulp").map(|_| ());
        let error = error.expect_err(text);
        assert!(
            error.contains(says) && error.contains("; name "),
            "{u}: {error}"
        );
    }
    // The pole is in a gap of the range.
    in_variable("1/x", "atan", "-8..-7.99,7.99..8", "1.0ulp").expect("designs");
}
