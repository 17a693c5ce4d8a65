//! Certificates whose text says something else than what would be proven, and references far beyond all doubles.

use super::{Subject, words};
use crate::certificate::Certificate;
use crate::check::Check;

/// A kernel with these instructions after its argument, and these results.
fn kernel(lines: &[&str], results: &str) -> String {
    let mut text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n".to_string();
    for (i, line) in lines.iter().enumerate() {
        text += &format!("  %{}: {line}\n", i + 1);
    }
    text + &format!("  return {results}\n")
}

/// A certificate of a kernel and its reference.
fn subject(kernel: String, range: (f64, f64), reference: &str) -> (Subject, String) {
    let subject = Subject {
        what: "texts".into(),
        function: "reference",
        kernel,
        ranges: vec![range],
    };
    (subject, format!("reference\n{reference}end of reference\n"))
}

/// The bits of a binary32 number are a tiny double. A reference `x + 1`, by its text, would be x.
#[test]
fn results_are_binary64() {
    let one = "f32 = const 0x000000003f800000";
    let ranges = vec![(1.25, 1.25 + 64.0 * f64::EPSILON)];
    let tiny = "f64 = const 0x000000003f800000";
    let widened = "f64 = to_f64 %1";
    for (routine, reference, holds) in [
        (kernel(&[], "%0"), kernel(&[one], "%0, %1"), None),
        (kernel(&[tiny], "%1"), kernel(&[one], "%1"), None),
        (kernel(&[one], "%1"), kernel(&[tiny], "%1"), None),
        (
            kernel(&[], "%0"),
            kernel(&[one, widened], "%0, %2"),
            Some(false),
        ),
        (kernel(&[], "%0"), kernel(&[tiny], "%0, %1"), Some(true)),
    ] {
        let subject = Subject {
            what: "types".into(),
            function: "reference",
            kernel: routine,
            ranges: ranges.clone(),
        };
        let cut = subject.cut();
        let class = format!("class 0 plain\nbound {0}\ncell {0} 0\n", words(ranges[0]));
        for plan in [cut, class] {
            let plan = format!("reference\n{reference}end of reference\n{plan}");
            let verdict = subject.verdict(0.51, &plan);
            assert_eq!(
                verdict.is_ok(),
                holds == Some(true),
                "{reference}: {verdict:?}"
            );
            let certificate = Certificate::parse(&subject.text(0.51, &plan));
            let typed = certificate.and_then(|c| Check::new(&c).map(drop));
            assert_eq!(typed.is_ok(), holds.is_some(), "{reference}: {typed:?}");
        }
    }
}

/// `x^(2^n)` at 1/2 is no double from n = 11 on, and its exponent no 32-bit integer from n = 32 on: it wraps to that of 1, where
/// 2^-53 would be half a unit.
#[test]
fn a_reference_far_below_all_doubles_has_their_smallest_unit() {
    for (squarings, holds) in [(32, false), (31, false), (33, false)] {
        let lines: Vec<String> = (0..squarings)
            .map(|i| format!("f64 = mul %{i}, %{i}"))
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let reference = kernel(&lines, &format!("%{squarings}"));
        let routine = kernel(&["f64 = const 0x3ca0000000000000"], "%1");
        let (subject, reference) = subject(routine, (0.5, 0.5), &reference);
        let cell = format!("cell {} constant\n", words((0.5, 0.5)));
        for plan in [subject.cut(), cell] {
            let verdict = subject.verdict(0.6, &format!("{reference}{plan}"));
            assert_eq!(verdict.is_ok(), holds, "{squarings}: {verdict:?}");
        }
    }
}

#[test]
fn a_range_from_0_to_minus_0_is_refused() {
    let identity = kernel(&[], "%0");
    let (subject, reference) = subject(identity.clone(), (0.0, -0.0), &identity);
    assert!(subject.verdict(1.0, &reference).is_err());
}

/// Lines of which the last, or the first, would be proven, and names that are not those by which values are taken.
#[test]
fn a_text_has_one_meaning() {
    let near = (1.25, 1.25 + 64.0 * f64::EPSILON);
    let identity = kernel(&[], "%0");
    let (subject, reference) = subject(identity.clone(), near, &identity);
    let plan = format!("{reference}{}", subject.cut());
    let text = subject.text(0.51, &plan);
    assert!(Certificate::parse(&text).is_ok());
    for (first, second) in [
        ("function reference", "function exp\nfunction reference"),
        ("sweep s", "sweep s\nsweep s"),
        ("error ", "error 3ff0000000000000\nerror "),
        (
            "reference\ndouble",
            "reference\nend of reference\nreference\ndouble",
        ),
        ("kernel\ndouble", "kernel\nend of kernel\nkernel\ndouble"),
    ] {
        let twice = text.replacen(first, second, 1);
        assert_ne!(twice, text);
        let refused = Certificate::parse(&twice).err();
        assert!(
            refused.is_some_and(|e| e.contains("a second line")),
            "{second}"
        );
    }
    let head = "doublecrunch ir 1\n";
    let table = |name: &str, length: usize, entry: &str| {
        format!("table {name}: f64[{length}]\n  {entry}\n")
    };
    let (one, two) = ("0x3ff0000000000000", "0x4000000000000000");
    let main = "fn f0\n  %0: f64 = param\n  return %0\n";
    let callee = |name: &str, call: &str| {
        format!(
            "fn {name}\n  %0: f64 = param\n  return %0\nfn f1\n  %0: f64 = param\n  %1: call = call f0 {call}\n  %2: f64 = result 0 of %1\n  return %2\n"
        )
    };
    for (text, why) in [
        (table("t0", 1, one) + &table("t1", 1, two) + main, ""),
        (
            table("t1", 1, one) + &table("t0", 1, two) + main,
            "table t1 is not in order",
        ),
        (table("t0", 2, one) + main, "table t0 has 1 entries, not 2"),
        (callee("f0", "%0"), ""),
        (callee("f2", "%0"), "function f2 is not in order"),
        (callee("f0", "%0, %0"), "a call with too many arguments"),
        (
            main.to_string() + "  return %0\n",
            "a function with two returns",
        ),
        (
            main.to_string() + "  %1: f64 = sqrt %0\n",
            "an instruction after the return",
        ),
    ] {
        let parsed = crate::ir::Program::parse_reference(&format!("{head}{text}"));
        match why {
            "" => assert!(parsed.is_ok(), "{text}: {parsed:?}"),
            why => assert_eq!(parsed.err().as_deref(), Some(why), "{text}"),
        }
    }
}

/// Stretches in order, of finite numbers with all their digits.
#[test]
fn stretches_are_in_order_and_numbers_are_finite() {
    let all = |pair: &str, error: &str| {
        let bound = format!("class 0 reduced\nof {pair}\nbound {pair}\n");
        format!(
            "doublecrunch certificate 2\nerror {error}\nrange {pair}\ncut {pair}\ncell {pair} constant\n{bound}end\n"
        )
    };
    let (pair, turned) = (words((1.0, 2.0)), words((2.0, 1.0)));
    let text = all(&pair, "3ff0000000000000");
    assert!(Certificate::parse(&text).is_ok());
    for of in ["range", "cut", "cell", "of", "bound"] {
        let text = text.replace(&format!("{of} {pair}"), &format!("{of} {turned}"));
        let says = Certificate::parse(&text).expect_err("turned");
        assert!(says.contains("is above"), "{says}");
    }
    for error in [
        "7ff0000000000000",
        "7ff8000000000000",
        "3ff",
        "fff0000000000000",
    ] {
        assert!(Certificate::parse(&all(&pair, error)).is_err(), "{error}");
    }
}
