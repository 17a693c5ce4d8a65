use super::*;
use crate::model::host::HostFunction;
use crate::model::stored::Stored;

fn of(f: fn(f64) -> f64, function: Function, range: &str) -> ExactResults {
    let candidate = Candidate::Host(HostFunction::f64("f", f));
    let range = Range::parse(range, Precision::F64).expect("a range");
    check(&candidate, function, &range).expect("results")
}

fn of_floats(f: fn(f32) -> f32, function: Function, range: &str) -> ExactResults {
    let candidate = Candidate::Host(HostFunction::f32("f", f));
    let range = Range::parse(range, Precision::F32).expect("a range");
    check(&candidate, function, &range).expect("results")
}

/// ln x / ln 10 misses powers of ten, 1000 first.
#[test]
fn a_logarithm_by_another_one_misses_powers_of_ten() {
    let found = of(|x| x.ln() / std::f64::consts::LN_10, Function::Log10, "all");
    assert_eq!((found.cases, found.complete), (23, true));
    assert!(found.missed > 2, "{found:?}");
    let first = found.first.expect("a miss");
    assert_eq!(first.arguments, [1000f64.to_bits()]);
    assert_eq!(first.exact, 3f64.to_bits());
    assert_ne!(first.result, first.exact);
    let right = of(f64::log10, Function::Log10, "all");
    assert_eq!((right.cases, right.missed), (23, 0), "{right:?}");
    // 1 to 1000 without the last.
    let some = of(f64::log10, Function::Log10, "1.0..1000.0");
    assert_eq!((some.cases, some.complete), (3, true));
}

#[test]
fn roots_are_found_in_any_range() {
    let all = of_floats(f32::sqrt, Function::Sqrt, "1.0..4.0");
    // The squares of all numbers from 1 to 2 with 12 digits: those of more digits have too many.
    assert_eq!(all.cases, 1 << 11);
    assert_eq!((all.missed, all.complete), (0, true));
    let cubes = of_floats(|x| x.powf(1.0 / 3.0), Function::Cbrt, "0.5..1000.0");
    assert!(cubes.cases > 400 && cubes.missed > 10, "{cubes:?}");
    // Of negative numbers a power is a NaN.
    let negative = of_floats(|x| x.powf(1.0 / 3.0), Function::Cbrt, "-1000.0..=-0.5");
    assert_eq!(negative.missed, negative.cases);
    assert_eq!(of_floats(f32::cbrt, Function::Cbrt, "all").missed, 0);
    let many = of(f64::sqrt, Function::Sqrt, "all");
    assert!(!many.complete && many.cases > 1 << 14, "{many:?}");
    assert_eq!(many.missed, 0);
    let few = of(f64::sqrt, Function::Sqrt, "4.0..=4.0000001");
    assert!(few.cases > 0 && few.complete, "{few:?}");
}

#[test]
fn every_exact_result_of_this_machine_is_found_right() {
    use Function::*;
    for (function, f, least) in [
        (Recip, (|x| 1.0 / x) as fn(f64) -> f64, 4000),
        (RecipSqrt, |x| 1.0 / x.sqrt(), 1000),
        (Exp, f64::exp, 2),
        (Exp2, f64::exp2, 2000),
        (ExpM1, f64::exp_m1, 2),
        (Ln, f64::ln, 1),
        (Log2, f64::log2, 2000),
        (Ln1p, f64::ln_1p, 2),
        (Sin, f64::sin, 2),
        (Cos, f64::cos, 2),
        (Tan, f64::tan, 2),
        (Asin, f64::asin, 2),
        (Acos, f64::acos, 1),
        (Tanh, f64::tanh, 2),
        (Acosh, f64::acosh, 1),
    ] {
        let found = of(f, function, "all");
        assert_eq!(found.missed, 0, "{function}: {found:?}");
        assert!(
            found.cases >= least && found.complete,
            "{function}: {found:?}"
        );
    }
}

#[test]
fn pairs_are_a_sample() {
    let range = Range::parse("all", InputSpace::pairs(Precision::F64)).expect("a range");
    let of = |f: fn(f64, f64) -> f64, function| {
        let candidate = Candidate::Host(HostFunction::f64_two("f", f));
        check(&candidate, function, &range).expect("results")
    };
    for (function, right, wrong) in [
        (
            Function::Pow,
            f64::powf as fn(f64, f64) -> f64,
            (|x, y| (y * x.ln()).exp()) as fn(f64, f64) -> f64,
        ),
        (Function::Div, |x, y| x / y, |x, y| x * (1.0 / y)),
        (Function::Hypot, f64::hypot, |x, y| x + y),
        (Function::Atan2, f64::atan2, |_, y| y),
    ] {
        let found = of(right, function);
        assert!(
            found.cases > 2000 && !found.complete,
            "{function}: {found:?}"
        );
        assert_eq!(found.missed, 0, "{function}: {found:?}");
        let found = of(wrong, function);
        assert!(found.missed > found.cases / 100, "{function}: {found:?}");
    }
}

#[test]
fn numbers_of_16_bits_are_all_taken() {
    let space = InputSpace::Stored(Stored {
        format: stored::Format::Half,
        pairs: false,
    });
    let range = Range::parse("all", space).expect("a range");
    let candidate = Candidate::Host(HostFunction::f32("f", |x| match x {
        16.0 => 4.25,
        x => x.sqrt(),
    }));
    let found = check(&candidate, Function::Sqrt, &range).expect("results");
    assert!(found.complete && found.cases > 300, "{found:?}");
    assert_eq!(found.missed, 1);
    let first = found.first.expect("a miss");
    assert_eq!(first.arguments, [u64::from(16f32.to_bits())]);
    assert_eq!(first.exact, u64::from(4f32.to_bits()));
}
