//! Rational functions.

use super::*;

/// All numbers of 16 bits, where a polynomial is a poor fit.
#[test]
fn a_quotient_is_on_the_front_beside_polynomials() {
    let outcome = run_of(Format::F16, "atan", "-4..4", "1e-4abs").expect("designs");
    let quotient = |f: &&dc_design::search::Finalist| f.design.denominator > 0;
    let found = outcome.finalists.iter().find(quotient);
    let found = found.unwrap_or_else(|| {
        panic!(
            "{:?}",
            outcome
                .finalists
                .iter()
                .map(|f| f.design.describe())
                .collect::<Vec<_>>()
        )
    });
    let report = found.report.as_ref().expect("searched");
    assert_eq!(u128::from(report.inputs), outcome.problem.inputs.count());
    compared("atan", &found.candidate);
    // Fault: the sign of the denominator's last coefficient.
    let mut wrong = found.candidate.clone();
    let last = wrong.coefficients.last_mut().expect("a denominator");
    assert!(last.name.starts_with('D'), "{last:?}");
    last.bits ^= match found.design.prim {
        Prim::F64 => 1 << 63,
        _ => 1 << 31,
    };
    let wrong = everywhere(&outcome.problem, &wrong);
    assert!(wrong.largest > 1e-2 || wrong.faults > 0, "{wrong:?}");
}

/// `1 / (1 + x²)` is a rational function itself: with 2 coefficients its error is that of the roundings.
#[test]
fn a_rational_reference_is_found() {
    let sweep = Sweep::new::<bell, bell_exact>("bell", "0.0..1.0");
    let own = Subject::own(&sweep).expect("a reference");
    let range = range_of(Format::F32, "-4..-3.99,3.99..4");
    let tolerance = Tolerance::parse("1.0ulp").expect("a tolerance");
    let problem = Problem::new(own, range, Format::F32, tolerance).expect("a problem");
    // One division, by 1 + d x².
    let found = candidate_in(&problem, |d| {
        d.prim == Prim::F64 && (d.terms, d.denominator) == (1, 1)
    });
    let d = found.coefficients[1].value(Prim::F64);
    assert!((d - 1.0).abs() < 1e-6, "{d}");
    let report = everywhere(&problem, &found);
    assert!(report.largest < 0.51 && report.faults == 0, "{report:?}");
}
