//! Which cells are one class, and what a class takes of its cells.

use super::*;

/// Cells on which the kernel is another line are not of one class, whatever the certificate names.
#[test]
fn cells_of_other_lines_are_no_class() {
    let ln2 = std::f64::consts::LN_2;
    let ranges = vec![stretch(ln2 + 0.01, 2000), stretch(0.01 - ln2, 2000)];
    let mut subject = exponential(ln2, None, true, ranges);
    let mut plan = "class 0 reduced\ninputs bff0000000000000 3ff0000000000000\n".to_string();
    for &range in &subject.ranges {
        plan += &format!("cell {} 0\n", words(range));
    }
    assert_eq!(subject.verdict(4.0, &plan), Ok(()));
    // The results times a number of the period.
    let (before, last) = subject.kernel.rsplit_once("  return %").expect("a result");
    let n: usize = last.trim().parse().expect("a number");
    let factor = [
        constant(0.25),
        constant(1.0),
        format!("f64 = fma %3, %{}, %{}", n + 1, n + 2),
        format!("f64 = mul %{n}, %{}", n + 3),
    ];
    let mut text = before.to_string();
    for (i, line) in factor.iter().enumerate() {
        text += &format!("  %{}: {line}\n", n + 1 + i);
    }
    subject.kernel = text + &format!("  return %{}\n", n + 4);
    let says = subject.verdict(1e20, &plan).expect_err("two lines");
    assert!(says.contains("another line"), "{says}");
}

/// The steps of a class's stretches are those of the member whose reduced arguments are the finest.
#[test]
fn a_class_has_the_finest_grid_of_its_members() {
    let ln2 = std::f64::consts::LN_2;
    for periods in [[1.0, 4.0], [4.0, 1.0]] {
        let ranges = periods.map(|k: f64| stretch(k * ln2 + 0.01, 300));
        let subject = exponential(ln2, None, true, ranges.to_vec());
        let certificate =
            Certificate::parse(&subject.text(4.0, &subject.cut())).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        let class = check.class(&ranges, ClassKind::Reduced, true);
        let class = class.expect("one line");
        let grids: Vec<i32> = class.members.iter().map(|m| m.grid).collect();
        assert!(grids[0] != grids[1], "{grids:?}");
        assert_eq!(Some(&class.input.grid), grids.iter().min());
    }
}

/// A core whose values are normal and whose true values are just below the least normal number: their unit is that of the normal
/// numbers, and the scaled results have half of it, also where another cell of the class is not scaled.
#[test]
fn a_core_with_subnormal_true_values_is_not_scaled() {
    let k = 1022.0 * std::f64::consts::LN_2;
    // A multiple of the inputs' last place.
    let ln2 = (std::f64::consts::LN_2 * 2f64.powi(43)).round() * 2f64.powi(-43);
    let lines = [
        constant(708.4),
        "f64 = add %0, %1".into(),
        constant(std::f64::consts::LOG2_E),
        "f64 = mul %2, %3".into(),
        "f64 = round_ties_even %4".into(),
        constant(ln2),
        "f64 = mul %5, %6".into(),
        // The core's argument, near -1022 ln 2.
        "f64 = sub %0, %7".into(),
        constant(1.0),
        constant(k),
        "f64 = fma %8, %9, %10".into(),
        // The result is above 1 although the function is below.
        constant(1.0 + 2f64.powi(-19)),
        "f64 = add %11, %12".into(),
        constant(2f64.powi(-1022)),
        constant(0.0),
        "f64 = fma %13, %14, %15".into(),
        "i64 = to_i64 %5".into(),
        "i64 = const 52".into(),
        "i64 = shl %17, %18".into(),
        "i64 = const 0x3ff0000000000000".into(),
        "i64 = add %19, %20".into(),
        "f64 = from_bits %21".into(),
        "f64 = mul %16, %22".into(),
    ];
    let first = -(k + 2f64.powi(-20));
    let (plain, scaled) = (stretch(first, 400), stretch(first + 200.0 * ln2, 400));
    // The errors in units of the core's values, and twice as many units of the results where these are scaled.
    let units = 2f64.powi(33);
    for (ranges, truth) in [
        (vec![plain], units),
        (vec![scaled], 2.0 * units),
        (vec![plain, scaled], 2.0 * units),
    ] {
        let near = 2f64.powi(-30);
        let mut plan = "class 0 reduced\nbound ".to_string();
        plan += &words((first - near, first + near));
        for &range in &ranges {
            plan += &format!("\ncell {} 0", words(range));
        }
        let subject = Subject {
            what: "below the least normal number".into(),
            function: "exp",
            kernel: kernel(&lines),
            ranges,
        };
        let (lo, hi, _) = subject.truth().expect("finite");
        assert!((lo / truth - 1.0).abs() < 1e-4, "{lo} {truth}");
        for plan in [plan + "\n", subject.cut()] {
            assert_eq!(subject.verdict(1.001 * hi, &plan), Ok(()));
            for by in [0.999, 0.75, 0.501] {
                let verdict = subject.verdict(by * lo, &plan);
                assert!(verdict.is_err(), "{by} of {lo}, of {:?}", subject.ranges);
            }
        }
    }
}

/// A stretch of a class of rounded arguments is closed by its bound, or its cells are on their own: the kernel is no exponential.
#[test]
fn a_class_of_rounded_arguments_has_no_lattice() {
    let subject = power_of("sqrt", &["f64 = sqrt %0"], &[1.25], 100_000);
    let (lo, hi) = subject.ranges[0];
    let text = subject.text(0.499_999, &subject.cut());
    let certificate = Certificate::parse(&text).expect("it parses");
    let check = Check::new(&certificate).expect("a kernel");
    let mut class = (check.class(&[(lo, hi)], ClassKind::Plain, true)).expect("one line");
    class.rounded = true;
    class.members[0].shift = Fine::doubles(2f64.powi(-100), 2f64.powi(-99));
    let none = Assumed::new();
    let how = crate::certificate::How::Lattice;
    assert!(check.close(&class, lo, hi, &none, DEPTH - 6, how).is_err());
}

/// The cells of a power's class are copies of those in the first binades, by powers of two whose own power is one of two.
#[test]
fn copies_are_those_of_the_first_binades() {
    let product = ["f64 = mul %0, %0", "f64 = div %0, %1", "f64 = mul %2, %0"];
    for (lines, copied) in [(&["f64 = sqrt %0"][..], true), (&product[..], false)] {
        let subject = power_of("sqrt", lines, &[1.25], 40);
        let certificate =
            Certificate::parse(&subject.text(1.0, &subject.cut())).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        for e in (-40..40i32).filter(|e| !(0..2).contains(e)) {
            let (lo, hi) = (1.25 * 2f64.powi(e), 1.5 * 2f64.powi(e));
            let cut = check.example(ClassKind::Scaled, lo, hi);
            assert_eq!(cut.is_ok(), copied, "{e}");
            if let Ok(cut) = cut {
                assert_eq!(cut.member.by, e - e.rem_euclid(2));
                assert_eq!(cut.member.core.0, 1.25 * f64::from(1 + e.rem_euclid(2)));
            }
        }
    }
}

/// Arguments are reduced for powers `b^x` alone, and where the rest of the reduction is small.
#[test]
fn exponentials_alone_are_reduced() {
    let ln2 = std::f64::consts::LN_2;
    let reduced = |subject: &Subject| {
        let certificate =
            Certificate::parse(&subject.text(1.0, &subject.cut())).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        let (lo, hi) = subject.ranges[0];
        check.example(ClassKind::Reduced, lo, hi).is_ok()
    };
    for function in ["exp", "exp2", "exp10", "expm1", "sin", "cos", "sinh"] {
        let mut subject = exponential(ln2, None, false, vec![stretch(ln2 + 0.01, 40)]);
        subject.function = function;
        if crate::law::Law::named(function).is_some() {
            let is = matches!(function, "exp" | "exp2" | "exp10");
            assert_eq!(reduced(&subject), is, "{function}");
        }
    }
    // b^x = 2^s b^(x + shift) e^d
    let tens = std::f64::consts::LN_10;
    for (function, rate) in [("exp", 1.0), ("exp2", ln2), ("exp10", tens)] {
        let range = stretch(3.01 * ln2 / rate, 40);
        // A little shorter than the function's: d is not zero.
        let period = (0.999 * ln2 / rate, None);
        let subject = power_of_base(function, rate, period, false, vec![range]);
        let text = subject.text(1.0, &subject.cut());
        let certificate = Certificate::parse(&text).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        let cut = check.example(ClassKind::Reduced, range.0, range.1);
        let cut = cut.unwrap_or_else(|no| panic!("{function}: {no}"));
        let double = |x: &Fine| double_above(&x.hi);
        assert_eq!(cut.member.scale, 3, "{function}");
        let r = range.0 + double(&cut.member.shift);
        let power = (rate * r + double(&cut.d)).exp() * 8.0;
        let is = (rate * range.0).exp();
        assert!((power / is - 1.0).abs() < 1e-14, "{function}: {power} {is}");
    }
    // Of x = 4 six periods of 1 are taken, and 6 (1 - ln 2) is above one.
    for (x, small) in [(0.9, true), (4.0, false)] {
        let subject = exponential(1.0, None, false, vec![stretch(x, 40)]);
        assert_eq!(reduced(&subject), small, "{x}");
    }
}
