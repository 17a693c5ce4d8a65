//! Kernels with a low word: true claims are proven, and claims below the error of some input and low word are not.

use super::*;
use crate::residual::{Builder, Kind, Line};

/// A constant in a kernel's text.
pub(super) fn constant(x: f64) -> String {
    format!("f64 = const {:#x}", x.to_bits())
}

/// A kernel of x, %0, and l, %1, with these lines after the arguments.
pub(super) fn kernel(lines: &str) -> String {
    format!("doublecrunch ir 1\nfn f0\n  %0: f64 = param // x\n  %1: f64 = param // l\n{lines}")
}

/// `e^(x + l)` next to 0, as `1 + (x + (x² p(x) + term))`, where the last term is made of x, %0, and l, %1.
fn exponential(term: &str) -> String {
    kernel(&format!(
        "  %2: {}\n  %3: {}\n  %4: {}\n  %5: {}\n  %6: {}\n  %7: {}\n  %8: {}\n  %9: f64 = fma %0, %8, %7\n  %10: f64 = fma %0, %9, %6\n  \
         %11: f64 = fma %0, %10, %5\n  %12: f64 = fma %0, %11, %4\n  %13: f64 = fma %0, %12, %3\n  %14: f64 = mul %0, %0\n  \
         %15: f64 = {term}\n  %16: f64 = fma %14, %13, %15\n  %17: f64 = add %0, %16\n  %18: f64 = add %2, %17\n  return %18\n",
        constant(1.0),
        constant(0.5),
        constant(1.0 / 6.0),
        constant(1.0 / 24.0),
        constant(1.0 / 120.0),
        constant(1.0 / 720.0),
        constant(1.0 / 5040.0),
    ))
}

/// The term with the first two terms of the derivative.
const TERM: &str = "fma %1, %0, %1";

/// A certificate of one range with these further lines.
pub(super) fn text(
    function: &str,
    lines: &str,
    kernel: &str,
    error: f64,
    range: (f64, f64),
) -> String {
    let range = words(range);
    format!(
        "doublecrunch certificate 2\nsweep s\nfunction {function}\n{lines}range {range}\nerror {:016x}\ncut {range}\nkernel\n{kernel}end of \
         kernel\nend\n",
        error.to_bits()
    )
}

/// The line of a low word below `2^most`.
pub(super) fn low(most: i32) -> String {
    format!("low {:016x}\n", 2f64.powi(most).to_bits())
}

/// Whether a certificate is proven, without the sieve.
pub(super) fn proven(text: &str) -> Result<(), String> {
    let certificate = Certificate::parse(text)?;
    Check::new(&certificate)?.run(1)
}

/// The largest error that is found at random inputs, low words and ends of the slack.
fn sampled(text: &str, (lo, hi): (f64, f64), count: usize) -> f64 {
    let certificate = Certificate::parse(text).expect("it parses");
    let check = Check::new(&certificate).expect("a kernel");
    let most = certificate.low.map_or(0.0, |most| 2f64.powi(most));
    let slack = certificate.slack.unwrap_or(0.0);
    let mut random = Words(3);
    let mut part = || random.below(1 << 53) as f64 * 2f64.powi(-53);
    let mut largest = 0.0f64;
    for k in 0..count {
        let x = (lo + (hi - lo) * part()).clamp(lo, hi);
        let low = [most, -most, most * (2.0 * part() - 1.0)][k % 3];
        let slack = if k % 2 == 0 { slack } else { -slack };
        if let Ok(At::Error(e)) = check.error_of::<192>(x, low, slack) {
            largest = largest.max(double_below_of(&e));
        }
    }
    largest
}

/// The claim is proven, and it is little above an error that is found; a claim below that error is refused.
pub(super) fn decided(
    function: &str,
    lines: &str,
    kernel: &str,
    error: f64,
    range: (f64, f64),
    least: f64,
) {
    let text = |error: f64| text(function, lines, kernel, error, range);
    let largest = sampled(&text(1.0), range, 20_000);
    println!("{lines}: {largest} is found, {error} is proven");
    assert_eq!(proven(&text(error)), Ok(()), "{lines}");
    assert!(largest > least && largest <= error, "{largest} {error}");
    let refused = proven(&text(0.97 * largest));
    assert!(refused.is_err(), "{lines} {largest}");
}

#[test]
fn an_exponential_with_a_low_word_is_proven() {
    let kernel = exponential(TERM);
    decided("exp", &low(-53), &kernel, 0.513, (0.019, 0.0195), 0.5);
    decided("exp", &low(-46), &kernel, 0.53, (0.019, 0.0195), 0.51);
    let whole = (2f64.powi(-12), 0.02);
    assert_eq!(
        proven(&text("exp", &low(-53), &kernel, 0.512, whole)),
        Ok(())
    );
    let negative = (-0.02, -2f64.powi(-12));
    let both = text("exp", &low(-53), &kernel, 0.55, negative);
    assert_eq!(proven(&both), Ok(()));
    // A larger low word than the claim allows.
    assert!(proven(&text("exp", &low(-40), &kernel, 0.53, (0.019, 0.0195))).is_err());
}

/// A kernel that does not read the low word, and one that subtracts it, are no approximations of f(x + l): the derivative is in the bound.
#[test]
fn a_low_word_must_be_used() {
    let range = (0.019, 0.0195);
    for term in ["const 0x0", "fma %1, %0, %0", "neg %1"] {
        let kernel = exponential(term);
        for most in [-50, -53] {
            let text = |error| text("exp", &low(most), &kernel, error, range);
            assert!(proven(&text(0.53)).is_err(), "{term} {most}");
        }
    }
    // Its whole effect is in the claim.
    let unread = exponential("const 0x0");
    decided("exp", &low(-51), &unread, 2.56, range, 2.4);
}

/// The square of a large low word is in the bound: half of a unit of e^x, where the derivatives of both agree.
#[test]
fn the_second_derivative_is_in_the_bound() {
    let range = (2f64.powi(-40), 2f64.powi(-39));
    decided("exp", &low(-26), &exponential(TERM), 2.02, range, 1.2);
}

/// f(x) is above 1 and f(x + l) is also below 1, where the unit is half as large.
#[test]
fn the_unit_is_that_of_the_sum() {
    let range = (2f64.powi(-60), 2f64.powi(-59));
    let half = kernel(&format!(
        "  %2: {}\n  %3: {}\n  %4: f64 = add %0, %1\n  %5: f64 = fma %4, %2, %3\n  return %5\n",
        constant(0.5),
        constant(1.0)
    ));
    decided("exp", &low(-51), &half, 3.01, range, 1.9);
    // A number on the whole cell.
    let one = kernel(&format!("  %2: {}\n  return %2\n", constant(1.0)));
    // In the smaller unit, also above 1.
    decided("exp", &low(-53), &one, 1.02, range, 0.9);
}

#[test]
fn the_slack_is_in_the_bound() {
    let lines = |slack: i32| format!("{}slack {:016x}\n", low(-53), 2f64.powi(slack).to_bits());
    let range = (0.019, 0.0195);
    let kernel = exponential(TERM);
    decided("exp", &lines(-55), &kernel, 0.64, range, 0.6);
    assert!(proven(&text("exp", &lines(-55), &kernel, 0.6, range)).is_err());
    assert_eq!(
        proven(&text("exp", &lines(-60), &kernel, 0.517, range)),
        Ok(())
    );
}

/// `1 + (x² (x²/24 - 1/2) - x l)`, which is `cos(x + l)` next to 0.
fn cosine() -> String {
    kernel(&format!(
        "  %2: {}\n  %3: {}\n  %4: {}\n  %5: f64 = mul %0, %0\n  %6: f64 = fma %5, %4, %3\n  %7: f64 = neg %0\n  %8: f64 = mul %7, %1\n  \
         %9: f64 = fma %5, %6, %8\n  %10: f64 = add %2, %9\n  return %10\n",
        constant(1.0),
        constant(-0.5),
        constant(1.0 / 24.0),
    ))
}

/// `-1/x + (l/x² + x/3)`, which is `-cot(x + l)` next to 0.
fn cotangent() -> String {
    kernel(&format!(
        "  %2: {}\n  %3: {}\n  %4: f64 = div %2, %0\n  %5: f64 = mul %4, %4\n  %6: f64 = mul %0, %3\n  %7: f64 = fma %5, %1, %6\n  \
         %8: f64 = add %4, %7\n  return %8\n",
        constant(-1.0),
        constant(1.0 / 3.0),
    ))
}

#[test]
fn turned_functions_are_proven_and_other_turns_are_refused() {
    let range = (2f64.powi(-10), 1.01 * 2f64.powi(-10));
    let (cosine, cotangent) = (cosine(), cotangent());
    let least = (2f64.powi(-20), 1.01 * 2f64.powi(-20));
    decided("turned sin 8", &low(-57), &cosine, 0.503, range, 0.45);
    decided("turned tan 8", &low(-72), &cotangent, 1.01, least, 0.8);
    let is = |function: &str, kernel: &str, range| {
        let low = low(if kernel == cosine { -57 } else { -72 });
        proven(&text(function, &low, kernel, 1.01, range)).is_ok()
    };
    for n in [7, 8, 9, 24] {
        let (sin, tan) = (format!("turned sin {n}"), format!("turned tan {n}"));
        assert_eq!(is(&sin, &cosine, range), n == 8, "{sin}");
        assert_eq!(is(&tan, &cotangent, least), n % 16 == 8, "{tan}");
        assert!(!is(&tan, &cosine, range) && !is(&sin, &cotangent, least));
    }
    assert!(is("cos", &cosine, range) && !is("sin", &cosine, range));
    for name in [
        "turned sin 0",
        "turned sin 32",
        "turned sin",
        "turned cos 8",
        "turned sin 8 8",
    ] {
        let text = text(name, &low(-57), &cosine, 1.01, range);
        assert!(Certificate::parse(&text).is_err(), "{name}");
    }
    // Two functions.
    let twice = text(
        "sin\nfunction turned sin 8",
        &low(-57),
        &cosine,
        1.01,
        range,
    );
    assert!(Certificate::parse(&twice).is_err());
    // Too much slack, and a low word that is too large next to the pole.
    let slack = |k: i32| format!("{}slack {:016x}\n", low(-72), 2f64.powi(k).to_bits());
    let with = |lines: &str| proven(&text("turned tan 8", lines, &cotangent, 1.01, least)).is_ok();
    assert!(with(&slack(-90)) && !with(&slack(-70)));
    assert!(!with(&low(-40)));
}

/// `2^k e^(r + l)`: cells with exact reduced arguments are one class.
#[test]
fn cells_of_a_class_share_their_low_word() {
    // x - k and 2^k, for exp2: r is exact, and 2^(r + l) = e^((r + l) ln 2).
    let lines = format!(
        "  %2: {}\n  %3: f64 = add %0, %2\n  %4: f64 = sub %3, %2\n  %5: f64 = sub %0, %4\n  %6: {}\n  %7: f64 = mul %5, %6\n  \
         %8: f64 = mul %1, %6\n  %9: {}\n  %10: {}\n  %11: {}\n  %12: {}\n  %13: f64 = fma %7, %12, %11\n  %14: f64 = fma %7, %13, %10\n  \
         %15: f64 = mul %7, %7\n  %16: f64 = fma %8, %7, %8\n  %17: f64 = fma %15, %14, %16\n  %18: f64 = add %7, %17\n  \
         %19: f64 = add %9, %18\n  %20: i64 = to_bits %3\n  %21: i64 = const 0x34\n  %22: i64 = shl %20, %21\n  \
         %23: i64 = to_bits %19\n  %24: i64 = add %23, %22\n  %25: f64 = from_bits %24\n  return %25\n",
        constant(1.5 * 2f64.powi(52)),
        constant(std::f64::consts::LN_2),
        constant(1.0),
        constant(0.5),
        constant(1.0 / 6.0),
        constant(1.0 / 24.0),
    );
    let kernel = kernel(&lines);
    let ranges = [(3.0005, 3.001), (4.0005, 4.001), (-7.9995, -7.999)];
    let cuts: String = (ranges.iter())
        .map(|r| format!("range {0}\ncut {0}\n", words(*r)))
        .collect();
    let text = |error: f64, most: i32| {
        format!(
            "doublecrunch certificate 2\nfunction exp2\n{}{cuts}error {:016x}\nkernel\n{kernel}end of kernel\nend\n",
            low(most),
            error.to_bits()
        )
    };
    let certificate = text(0.515, -53);
    let certificate = Certificate::parse(&certificate).expect("it parses");
    let check = Check::new(&certificate).expect("a kernel");
    let most = check.classes.iter().map(|c| c.members.len()).max();
    assert!(most >= Some(3), "{most:?}");
    assert_eq!(check.run(1), Ok(()));
    let largest = ranges.map(|range| sampled(&text(1.0, -53), range, 5000));
    println!("{largest:?}");
    assert!(proven(&text(0.499, -53)).is_err());
    assert!(proven(&text(0.515, -30)).is_err());
}

#[test]
fn lines_with_other_low_words_are_other_lines() {
    let none = Assumed::new();
    let line = |most: Option<i32>| {
        let mut builder = Builder {
            assumed: &none,
            constants: true,
            reals: false,
            nodes: Vec::new(),
        };
        let node = match most {
            Some(most) => builder.low(most, 1),
            None => builder.constant(0.0, 1),
        };
        Line::live(&builder.nodes, node)
    };
    let keys = [None, Some(-50), Some(-51)].map(|most| line(most).key());
    assert!(keys[0] != keys[1] && keys[1] != keys[2], "{keys:?}");
    let kind = line(Some(-50)).nodes[0].kind;
    assert!(matches!(kind, Kind::Low(-50)));
    assert!(kind.computed(1.0, &[]).is_nan());
}

/// A low word is not what its real value, 0, is rounded to.
#[test]
fn an_analysis_holds_all_low_words() {
    let text = kernel("  %2: f64 = add %0, %1\n  return %2\n");
    let program = Program::parse_kernel(&text, Some(-20), false).expect("a kernel");
    let Ok(crate::cell::Outcome::Line(line)) = crate::cell::outcome(&program, 1.0, 1.5, true)
    else {
        panic!("no line");
    };
    let analysis = crate::analysis::Analysis::of_all(&line, 1.0, 1.5).expect("an analysis");
    let most = 2f64.powi(-20);
    for (node, values) in analysis.line.nodes.iter().zip(&analysis.values) {
        let (lo, hi) = values.ends();
        match node.kind {
            Kind::Low(_) => assert!(lo == -most && hi == most, "{lo} {hi}"),
            Kind::Add(..) => assert!(lo <= 1.0 - most && 1.5 + most <= hi, "{lo} {hi}"),
            _ => {}
        }
    }
}

/// Neither a single input nor a lattice closes anything.
#[test]
fn single_inputs_are_refused() {
    let kernel = exponential(TERM);
    let x = 0.019;
    // One input: its bound is that of all of its low words.
    assert_eq!(
        proven(&text("exp", &low(-53), &kernel, 0.513, (x, x))),
        Ok(())
    );
    let refused = proven(&text("exp", &low(-53), &kernel, 0.4, (x, x)));
    assert!(refused.is_err_and(|e| e.contains("cutting it does not help")));
    let one = text("exp", &low(-53), &kernel, 0.4, (x, x));
    let certificate = Certificate::parse(&one).expect("it parses");
    let check = Check::new(&certificate).expect("a kernel");
    assert!(check.error_at::<96>(x).is_err());
    assert!(check.inputs(x, x).is_err());
    assert!(crate::point::evaluate(&check.program, x.to_bits()).is_err());
    // A comparison that depends on the low word.
    let compared = self::kernel(
        "  %2: mask = lt %1, %0\n  %3: f64 = add %0, %1\n  %4: f64 = select %2, %3, %0\n  return %4\n",
    );
    let by = |range| proven(&text("exp", &low(-53), &compared, 1e30, range));
    assert_eq!(by((1.0, 1.5)), Ok(()));
    let least = 2f64.powi(-54);
    let refused = by((least, 2.0 * least));
    assert!(refused.is_err_and(|e| e.contains("not one line for all low words")));
}

#[test]
fn lines_about_low_words_are_read_strictly() {
    let kernel = exponential(TERM);
    let range = (0.019, 0.0195);
    let lines = |lines: &str, kernel: &str| proven(&text("exp", lines, kernel, 0.53, range));
    let number = |x: f64| format!("low {:016x}\n", x.to_bits());
    assert_eq!(lines(&low(-53), &kernel), Ok(()));
    for wrong in [
        low(-53) + &low(-53),
        low(-53) + &low(-60),
        number(3e-20),
        number(0.0),
        number(-2f64.powi(-53)),
        number(2f64.powi(1000)),
        "low 7ff0000000000000\n".into(),
        String::new(),
        format!("slack {:016x}\n", 0u64),
        format!("{}slack {:016x}\n", low(-53), (-1e-300f64).to_bits()),
        format!("{}worst {:016x}\n", low(-53), 0.0192f64.to_bits()),
        format!("{}words\n", low(-53)),
    ] {
        assert!(lines(&wrong, &kernel).is_err(), "{wrong}");
    }
    let one = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  return %0\n";
    assert!(lines(&low(-53), one).is_err());
    let three = self::kernel("  %2: f64 = param\n  return %2\n");
    assert!(lines(&low(-53), &three).is_err());
    let reference = text("reference", &low(-53), &kernel, 0.53, range);
    let reference = reference.replace(
        "kernel\ndouble",
        &format!("reference\n{one}end of reference\nkernel\ndouble"),
    );
    assert!(proven(&reference).is_err_and(|e| e.contains("reference")));
}

/// `1/x` in two words, with this second word; q is %2 and its remainder %4.
fn reciprocal(second: &str) -> String {
    format!(
        "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: {}\n  %2: f64 = div %1, %0\n  %3: f64 = neg %2\n  %4: f64 = fma %3, %0, %1\n  \
         %5: f64 = {second}\n  return %2, %5\n",
        constant(1.0)
    )
}

#[test]
fn results_in_two_words_are_proven_to_less_than_a_unit() {
    let range = (1.25, 1.25 + 2f64.powi(-30));
    let text =
        |second: &str, error: f64| text("recip", "words\n", &reciprocal(second), error, range);
    let small = 2f64.powi(-50);
    let found = sampled(&text("mul %4, %2", 1.0), range, 20_000);
    println!("{found:e}, of {small:e}");
    assert_eq!(proven(&text("mul %4, %2", small)), Ok(()));
    assert!(found > 0.0 && found < small);
    assert!(proven(&text("mul %4, %2", 0.5 * found)).is_err());
    // Without the second word, the first one is rounded.
    assert!(proven(&text("const 0x0", 0.4)).is_err());
    assert_eq!(proven(&text("const 0x0", 0.5001)), Ok(()));
    // Its sign is wrong.
    assert!(proven(&text("mul %3, %4", 0.9)).is_err());
    // One result is not two words, and two words are claimed as such.
    let one = reciprocal("mul %4, %2").replace("return %2, %5", "return %2");
    assert!(proven(&self::text("recip", "words\n", &one, 0.5, range)).is_err());
    let two = self::text("recip", "", &reciprocal("mul %4, %2"), 0.5, range);
    assert!(proven(&two).is_err());
    let infinite = reciprocal("const 0x7ff0000000000000");
    assert!(proven(&self::text("recip", "words\n", &infinite, 0.5, range)).is_err());
}

#[test]
fn both_lines_may_be_there() {
    let lines = format!("{}words\n", low(-53));
    let kernel = exponential(TERM).replace(
        "  %18: f64 = add %2, %17\n  return %18\n",
        "  return %2, %17\n",
    );
    decided("exp", &lines, &kernel, 0.0145, (0.019, 0.0195), 0.005);
}

#[test]
fn the_words_of_the_theorem_are_those_of_the_lines() {
    let theorem = |lines: &str, words: [&str; 2]| {
        let comments = words.map(|w| format!("{w}\n")).concat();
        let text = text("exp", &format!("{lines}{comments}"), "", 0.5, (1.0, 2.0));
        let certificate = Certificate::parse(&text).expect("it parses");
        crate::theorem::compare(&certificate)
    };
    let unit = "ulp(y) = 2^(max(floor(log2 |y|), -1022) - 52),";
    let one = [
        "# Theorem. For each double x of the ranges below, the kernel K below and f = exp:",
        &format!("#     |K(x) - f(x)| <= 0.5 ulp(f(x)),   {unit}"),
    ];
    let low_word = [
        "# Theorem. For each double x of the ranges below and each double l with |l| <= 0.0625, the kernel K below and f = exp:",
        &format!("#     |K(x, l) - f(x + l)| <= 0.5 ulp(f(x + l)),   {unit}"),
    ];
    let slack = [
        "# Theorem. For each double x of the ranges below, each double l with |l| <= 0.0625, and each real s with |s| <= 0.25, the sum K of \
         the results of the kernel below and f = exp:",
        &format!("#     |K(x, l) - f(x + l + s)| <= 0.5 ulp(f(x + l + s)),   {unit}"),
    ];
    let two = [
        "# Theorem. For each double x of the ranges below, the sum K of the results of the kernel below and f = exp:",
        one[1],
    ];
    let with_slack = format!("{}slack {:016x}\nwords\n", low(-4), 0.25f64.to_bits());
    let all = [
        ("", one),
        (&*low(-4), low_word),
        ("words\n", two),
        (&*with_slack, slack),
    ];
    for (i, (lines, _)) in all.iter().enumerate() {
        for (j, (_, words)) in all.iter().enumerate() {
            let due = i == j;
            assert_eq!(theorem(lines, *words).is_ok(), due, "{lines} {words:?}");
        }
    }
}
