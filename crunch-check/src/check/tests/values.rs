//! Claims of values: constants, infinities, units next to powers of two.

use super::*;

/// A kernel of one number.
fn constant_for(function: &'static str, c: f64, lo: f64, hi: f64) -> Subject {
    Subject {
        what: format!("{c} for {function}"),
        function,
        kernel: kernel(&[constant(c)]),
        ranges: vec![(lo, hi)],
    }
}

/// The largest error of a constant is at an end of the stretch.
#[test]
fn no_constant_is_proven_below_its_error() {
    let tiny = 2f64.powi(-26);
    for (function, c, lo, hi) in [
        ("cos", 1.0, tiny / 8.0, tiny),
        ("cos", 1.0, -tiny, -tiny / 8.0),
        ("exp", 1.0, 2f64.powi(-60), 2f64.powi(-53)),
        ("exp", 1.0, -2f64.powi(-53), -2f64.powi(-60)),
        ("exp", 1.0, 0.0, 2f64.powi(-53)),
        ("sin", 0.75, 0.848, 0.849),
        ("recip", 0.75, 1.25, 1.4),
        ("exp", 0.0, -760.0, -744.0),
        ("exp", 5e-324, -745.0, -744.0),
        ("exp", f64::MAX, 709.7, 709.75),
    ] {
        let subject = constant_for(function, c, lo, hi);
        println!("{} on {lo} to {hi}", subject.what);
        let certificate =
            Certificate::parse(&subject.text(1.0, &subject.cut())).expect("it parses");
        let check = Check::new(&certificate).expect("a constant");
        let at = |x: f64| match check.error_at::<192>(x) {
            Ok(At::Error(e)) => e,
            other => panic!("{other:?}"),
        };
        let ends = [at(lo), at(hi)];
        let least = ends.iter().map(double_below_of).fold(0.0, f64::max);
        let most = ends
            .iter()
            .map(|e| double_above(&e.magnitude()))
            .fold(0.0, f64::max);
        let named = format!("cell {} constant\n", words((lo, hi)));
        for plan in [subject.cut(), named] {
            assert_eq!(
                subject.verdict(most * 2.5, &plan),
                Ok(()),
                "{}",
                subject.what
            );
            for by in [1.0, 1.0 - 1e-9, 0.999, 0.7] {
                let claim = (least * by).next_down();
                assert!(
                    subject.verdict(claim, &plan).is_err(),
                    "{} {claim}",
                    subject.what
                );
            }
        }
    }
}

/// Infinite results, and results of zero.
#[test]
fn no_infinity_is_proven_where_the_function_is_finite() {
    let infinity = f64::INFINITY;
    for (function, c, lo, hi, holds) in [
        ("exp", infinity, 709.79, 5.5e3, true),
        ("exp", infinity, 709.79, 1e300, true),
        ("exp", infinity, 709.7, 800.0, false),
        ("exp", infinity, 700.0, 700.1, false),
        ("exp", -infinity, 709.79, 800.0, false),
        ("exp", infinity, -800.0, -790.0, false),
        ("exp", infinity, -8000.0, -7900.0, false),
        ("exp", f64::MAX, 709.7, 800.0, false),
        ("exp", f64::MAX, 709.79, 800.0, false),
        ("exp", f64::NAN, 709.79, 800.0, false),
        ("exp", 0.0, -8000.0, -750.0, true),
        ("sinh", -infinity, -800.0, -711.0, true),
        ("sinh", infinity, -800.0, -711.0, false),
        ("sinh", -infinity, -9000.0, -8000.0, true),
        ("sinh", -infinity, -711.0, -710.0, false),
        ("sinh", infinity, -9000.0, -8000.0, false),
        ("cosh", infinity, -9000.0, -8000.0, true),
        ("ln", infinity, 1.0, 2.0, false),
        ("ln", 0.0, -2.0, -1.0, false),
    ] {
        let subject = constant_for(function, c, lo, hi);
        println!("{} on {lo} to {hi}", subject.what);
        for plan in [
            subject.cut(),
            format!("cell {} constant\n", words((lo, hi))),
        ] {
            let verdict = subject.verdict(0.75, &plan);
            assert_eq!(
                verdict.is_ok(),
                holds,
                "{} {lo} {hi}: {verdict:?}",
                subject.what
            );
        }
        // At an input alone.
        let plan = format!("cell {} constant\n", words((lo, lo)));
        let one = Subject {
            ranges: vec![(lo, lo)],
            ..subject
        };
        let verdict = one.verdict(0.75, &plan);
        let first = holds || (function, lo, c) == ("sinh", -711.0, -infinity);
        assert_eq!(verdict.is_ok(), first, "{} {lo}: {verdict:?}", one.what);
    }
}

/// A true value within half a unit below a power of two, on a stretch whose least values have far smaller units: its ULP is that below
/// the power.
#[test]
fn a_value_just_below_a_power_of_two_has_the_unit_below_it() {
    let (one, tiny) = (constant(1.0), constant(2f64.powi(-200)));
    let [first, second] = ["f64 = sub %0, %1", "f64 = sub %2, %3"].map(String::from);
    let reference = kernel(&[one.clone(), first.clone(), tiny, second]);
    // x - 1, but for an error of four units at one input.
    let lines = [
        one,
        first,
        constant(1.0 + 2f64.powi(-43)),
        "mask = eq %0, %3".into(),
        constant(2f64.powi(-43) + 4.0 * 2f64.powi(-96)),
        "f64 = select %4, %5, %2".into(),
    ];
    let at = |k: f64| 1.0 + k * f64::EPSILON;
    let subject = Subject {
        what: "x - 1 less a little".into(),
        function: "reference",
        kernel: kernel(&lines),
        ranges: vec![(at(33.0), at(1100.0))],
    };
    let plan = format!("reference\n{reference}end of reference\n{}", subject.cut());
    assert_eq!(subject.verdict(4.01, &plan), Ok(()));
    for claim in [3.99, 2.5, 2.01] {
        assert!(subject.verdict(claim, &plan).is_err(), "{claim} is proven");
    }
}

/// The inputs are doubles: an argument of binary32 has no meaning here.
#[test]
fn a_kernel_of_single_precision_is_refused() {
    let subject = Subject {
        what: "x".into(),
        function: "sin",
        kernel: "doublecrunch ir 1\nfn f0\n  %0: f32 = param\n  %1: f64 = to_f64 %0\n  return %1\n"
            .into(),
        ranges: vec![stretch(2f64.powi(-40), 30)],
    };
    let named = format!(
        "class 0 plain\nbound {0}\ncell {0} 0\n",
        words(subject.ranges[0])
    );
    for plan in [subject.cut(), named] {
        let says = subject.verdict(4.0, &plan).expect_err("binary32");
        assert!(says.contains("not binary64"), "{says}");
    }
}

/// An infinite result is right only where the true value rounds to infinity.
#[test]
fn infinity_is_no_result_where_the_largest_double_is() {
    let most = f64::MAX;
    let identity = kernel(&[constant(0.0), "f64 = add %0, %1".into()]);
    // The largest number that rounds to the largest double, and the least that does not.
    let half = constant(2f64.powi(970));
    let [less, more] = [2f64.powi(-80), 0.0].map(|by| {
        let lines = [
            half.clone(),
            "f64 = add %0, %1".into(),
            constant(by),
            "f64 = sub %2, %3".into(),
        ];
        kernel(&lines)
    });
    // The same below zero.
    let [less_below, more_below] = [2f64.powi(-80), 0.0].map(|by| {
        let lines = [
            half.clone(),
            "f64 = sub %0, %1".into(),
            constant(by),
            "f64 = add %2, %3".into(),
        ];
        kernel(&lines)
    });
    let infinity = f64::INFINITY;
    for (reference, at, infinite) in [
        (&identity, most, false),
        (&less, most, false),
        (&more, most, true),
        (&identity, -most, false),
        (&less_below, -most, false),
        (&more_below, -most, true),
    ] {
        for result in [infinity, -infinity] {
            let subject = Subject {
                what: "an infinity".into(),
                function: "reference",
                kernel: kernel(&[constant(result)]),
                ranges: vec![(at, at)],
            };
            let reference = format!("reference\n{reference}end of reference\n");
            let named = format!("cell {} constant\n", words((at, at)));
            for plan in [subject.cut(), named] {
                let verdict = subject.verdict(1.0, &(reference.clone() + &plan));
                let holds = infinite && (result > 0.0) == (at > 0.0);
                assert!(verdict.is_err() || holds, "{result} at {at:e}: {verdict:?}");
            }
        }
    }
}

/// Where a candidate's difference from the function is not known, its inputs are evaluated.
#[test]
fn a_candidate_of_unknown_difference_is_evaluated() {
    // Far from the root.
    let subject = power_of("sqrt", &["f64 = mul %0, %0"], &[1.25], 300);
    let (lo, hi) = subject.ranges[0];
    for (claim, holds) in [(1e30, true), (0.75, false)] {
        let text = subject.text(claim, &subject.cut());
        let certificate = Certificate::parse(&text).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        let class = check.class(&[(lo, hi)], ClassKind::Plain, true);
        let class = class.expect("one line");
        let here: Vec<_> = class.members.iter().collect();
        let mut candidate = super::close::Candidate {
            class: &class,
            here: &here,
            near: None,
            eta: (0.0, 0.0),
            values: Vec::new(),
        };
        let verdict = check.candidate(&mut candidate, 0, || crate::number::exact(lo));
        assert_eq!(verdict.is_ok(), holds, "{claim}: {verdict:?}");
    }
}

/// A range that ends before it begins has no inputs, and what is said of it is nothing.
#[test]
fn a_range_that_ends_before_it_begins_is_refused() {
    let (lo, hi) = stretch(1.25, 40);
    let subject = power_of("sqrt", &["f64 = sqrt %0"], &[1.25], 40);
    assert_eq!(subject.verdict(0.51, &subject.cut()), Ok(()));
    let turned = Subject {
        ranges: vec![(hi, lo)],
        ..subject
    };
    assert!(turned.verdict(0.51, "").is_err());
}
