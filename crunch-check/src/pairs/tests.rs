//! Certificates of pairs: those of right kernels are proven, and each with one fault is refused.

use super::cover::{Rectangle, Sign, of_all};
use super::net::evaluate;
use super::value::{BINARY32, BINARY64, Format};
use crate::ir::Program;
use crate::random::Random;
use crate::refused::{Options, Refused};
use crate::verdict::check;

/// √(x² + y²) of binary32 by a root of binary64 that is rounded to odd.
const ODD: &str = "doublecrunch ir 1
fn f0 // two_sum
  %0: f64 = param
  %1: f64 = param
  %2: f64 = add %0, %1
  %3: f64 = sub %2, %0
  %4: f64 = sub %2, %3
  %5: f64 = sub %0, %4
  %6: f64 = sub %1, %3
  %7: f64 = add %5, %6
  return %2, %7
fn f1
  %0: f32 = param
  %1: f32 = param
  %2: f64 = to_f64 %0
  %3: f64 = to_f64 %1
  %4: f64 = mul %2, %2
  %5: f64 = mul %3, %3
  %6: call = call f0 %4, %5
  %7: f64 = result 0 of %6
  %8: f64 = result 1 of %6
  %9: f64 = sqrt %7
  %10: f64 = neg %9
  %11: f64 = fma %10, %9, %7
  %12: f64 = add %11, %8
  %13: i64 = to_bits %9
  %14: f64 = const 0x0
  %15: i64 = const 0x1
  %16: i64 = add %13, %15
  %17: i64 = sub %13, %15
  %18: mask = gt %12, %14
  %19: i64 = select %18, %16, %17
  %20: mask = lt %12, %14
  %21: mask = or %18, %20
  %22: i64 = and %13, %15
  %23: i64 = const 0x0
  %24: mask = eq %22, %23
  %25: mask = and %21, %24
  %26: f64 = from_bits %19
  %27: f64 = select %25, %26, %9
  %28: f32 = to_f32 %27
  %29: f32 = abs %0
  %30: f32 = const 0x7f800000
  %31: mask = eq %29, %30
  %32: f32 = select %31, %30, %28
  return %32
";

const WIDE: &str = "doublecrunch ir 1
fn f0
  %0: f32 = param
  %1: f32 = param
  %2: f64 = to_f64 %0
  %3: f64 = to_f64 %1
  %4: f64 = mul %3, %3
  %5: f64 = fma %2, %2, %4
  %6: f64 = sqrt %5
  %7: f32 = to_f32 %6
  return %7
";

const DIV: &str = "doublecrunch ir 1
fn f0
  %0: f32 = param
  %1: f32 = param
  %2: f32 = div %0, %1
  return %2
";

const BY_RECIP: &str = "doublecrunch ir 1
fn f0
  %0: f64 = param
  %1: f64 = param
  %2: f64 = recip %1
  %3: f64 = mul %0, %2
  return %3
";

fn sides(of: &Rectangle) -> String {
    let side = |i: usize| {
        let s = &of.sides[i];
        let sign = match s.sign {
            Sign::Both => "both",
            Sign::Plus => "plus",
            Sign::Minus => "minus",
        };
        format!("{sign} {:016x} {:016x}", s.lo.to_bits(), s.hi.to_bits())
    };
    format!("{} {}", side(0), side(1))
}

/// A certificate of all pairs, or of those whose second number is not 0.
fn certificate(kernel: &str, function: &str, error: f64, f: Format) -> String {
    let all = of_all(f);
    let of = if function == "div" {
        &all[..2]
    } else {
        &all[..]
    };
    over(kernel, function, error, of)
}

fn over(kernel: &str, function: &str, error: f64, of: &[Rectangle]) -> String {
    let lines = |word: &str| {
        of.iter()
            .map(|r| format!("{word} {}\n", sides(r)))
            .collect::<String>()
    };
    let nearest = if error == 0.5 {
        "rounding nearest\n"
    } else {
        ""
    };
    format!(
        "doublecrunch certificate of pairs 1\nsweep s\nfunction {function}\nerror {:016x}\n{nearest}{}{}kernel\n{kernel}end of kernel\nend\n",
        error.to_bits(),
        lines("pairs"),
        lines("box")
    )
}

fn checked(text: &str) -> Result<String, String> {
    let options = Options {
        sieve: 2000,
        jobs: 1,
        ..Options::default()
    };
    check(text, options).map_err(|e| match e {
        Refused::NotProven(why) => why,
        Refused::Contradiction(what) => panic!("a contradiction: {what}"),
    })
}

fn refused(text: &str, says: &str) {
    match checked(text) {
        Ok(report) => panic!("{says}: it is proven: {report}\n{text}"),
        Err(why) => assert!(why.contains(says), "{says}: {why}"),
    }
}

/// `text` with one part replaced, which must be there once.
fn with(text: &str, old: &str, new: &str) -> String {
    assert_eq!(text.matches(old).count(), 1, "{old}");
    text.replace(old, new)
}

/// Half a unit, and `3/2 2^-53` of the length, in units of `2^-24` of it, and a little.
const OF_WIDE: f64 = 0.500_000_002_8;

#[test]
fn right_kernels_are_proven() {
    for (text, says) in [
        (
            certificate(ODD, "hypot", 0.5, BINARY32),
            "all pairs of finite numbers of binary32\n",
        ),
        (
            certificate(WIDE, "hypot", OF_WIDE, BINARY32),
            "at most 0.5000000028 ULP",
        ),
        (
            certificate(DIV, "div", 0.5, BINARY32),
            "binary32 but those with y = 0",
        ),
        (
            certificate(&DIV.replace("f32", "f64"), "div", 0.5, BINARY64),
            "binary64 but those with y = 0",
        ),
        (
            certificate(DIV, "div", 0.5, BINARY32),
            "rounding      to nearest",
        ),
    ] {
        let report = checked(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert!(
            report.starts_with("PROVEN") && report.contains(says),
            "{says}: {report}"
        );
        println!("{report}");
    }
    let mut middle = of_all(BINARY64)[1];
    for side in &mut middle.sides {
        (side.lo, side.hi) = (1e-150, 1e150);
    }
    let recip = |error| over(BY_RECIP, "div", error, &[middle]);
    println!("{}", checked(&recip(1.5)).expect("a bound"));
    refused(&recip(1.499), "the claim is 1.499 ULP");
    let all = certificate(BY_RECIP, "div", 1.5, BINARY64);
    refused(&all, "");
}

/// Half a unit is as little as may be claimed, and a kernel that rounds twice is not claimed to round once.
#[test]
fn lower_claims_are_refused() {
    let right = certificate(ODD, "hypot", 0.5, BINARY32);
    let lower = format!("error {:016x}", 0.5f64.next_down().to_bits());
    refused(
        &with(&right, "error 3fe0000000000000", &lower),
        "the claim is",
    );
    refused(
        &certificate(WIDE, "hypot", 0.500_000_002_7, BINARY32),
        "the claim is",
    );
    let wide = certificate(WIDE, "hypot", OF_WIDE, BINARY32);
    refused(
        &with(&wide, "kernel\nd", "rounding nearest\nkernel\nd"),
        "rounded to nearest",
    );
}

/// The rounding to odd with one operation, constant or operand changed.
#[test]
fn a_kernel_with_one_fault_is_refused() {
    let right = certificate(ODD, "hypot", 0.5, BINARY32);
    for (old, new) in [
        // The step: its sides exchanged, another size, and without one.
        ("%18: mask = gt %12, %14", "%18: mask = lt %12, %14"),
        (
            "%19: i64 = select %18, %16, %17",
            "%19: i64 = select %18, %17, %16",
        ),
        (
            "%19: i64 = select %18, %16, %17",
            "%19: i64 = select %18, %16, %13",
        ),
        ("%15: i64 = const 0x1", "%15: i64 = const 0x2"),
        // Where it is taken.
        ("%21: mask = or %18, %20", "%21: mask = or %18, %18"),
        ("%21: mask = or %18, %20", "%21: mask = or %20, %20"),
        ("%21: mask = or %18, %20", "%21: mask = and %18, %20"),
        ("%24: mask = eq %22, %23", "%24: mask = ne %22, %23"),
        ("%25: mask = and %21, %24", "%25: mask = or %21, %24"),
        ("%23: i64 = const 0x0", "%23: i64 = const 0x2"),
        (
            "%27: f64 = select %25, %26, %9",
            "%27: f64 = select %25, %9, %26",
        ),
        // The sign of the rest.
        ("%12: f64 = add %11, %8", "%12: f64 = sub %11, %8"),
        ("%12: f64 = add %11, %8", "%12: f64 = add %11, %11"),
        ("%10: f64 = neg %9", "%10: f64 = abs %9"),
        ("%11: f64 = fma %10, %9, %7", "%11: f64 = fma %10, %9, %4"),
        ("%14: f64 = const 0x0", "%14: f64 = const 0x1"),
        // The sum of the squares.
        ("%5: f64 = mul %3, %3", "%5: f64 = mul %3, %2"),
        ("%4: f64 = mul %2, %2", "%4: f64 = add %2, %2"),
        ("%6: call = call f0 %4, %5", "%6: call = call f0 %4, %4"),
        ("%3: f64 = sub %2, %0", "%3: f64 = sub %2, %1"),
        ("%7: f64 = add %5, %6\n", "%7: f64 = sub %5, %6\n"),
        ("%2: f64 = add %0, %1", "%2: f64 = sub %0, %1"),
        // The result.
        (
            "%32: f32 = select %31, %30, %28",
            "%32: f32 = select %31, %28, %30",
        ),
        ("%28: f32 = to_f32 %27", "%28: f32 = to_f32 %9"),
    ] {
        refused(&with(&right, old, new), "");
    }
    let wide = certificate(WIDE, "hypot", OF_WIDE, BINARY32);
    for (old, new) in [
        ("%5: f64 = fma %2, %2, %4", "%5: f64 = fma %2, %3, %4"),
        ("%6: f64 = sqrt %5", "%6: f64 = abs %5"),
        ("%4: f64 = mul %3, %3", "%4: f64 = div %3, %3"),
        ("%7: f32 = to_f32 %6", "%7: f32 = to_f32 %5"),
    ] {
        refused(&with(&wide, old, new), "");
    }
    refused(
        &certificate(&with(DIV, "div %0, %1", "div %1, %0"), "div", 0.5, BINARY32),
        "",
    );
}

/// Faults that other boxes of all pairs hide.
#[test]
fn a_fault_in_one_box_is_refused() {
    let others = [of_all(BINARY32)[1]];
    for one in ["%18", "%20"] {
        let never = format!("%21: mask = or {one}, {one}");
        let kernel = with(ODD, "%21: mask = or %18, %20", &never);
        refused(&over(&kernel, "hypot", 0.5, &others), "rounded to nearest");
    }
    let swapped = with(DIV, "div %0, %1", "div %1, %0");
    refused(&over(&swapped, "div", 0.5, &others), "another quotient");
    let minus = "%7: f64 = neg %6\n  %8: f32 = to_f32 %7\n  return %8";
    let negative = with(WIDE, "%7: f32 = to_f32 %6\n  return %7", minus);
    let text = over(&negative, "hypot", OF_WIDE, &others);
    refused(&text, "may be negative");
}

#[test]
fn another_function_is_refused() {
    let right = certificate(ODD, "hypot", 0.5, BINARY32);
    refused(&right.replace("function hypot", "function div"), "");
    refused(
        &right.replace("function hypot", "function atan2"),
        "not known",
    );
    let div = certificate(DIV, "div", 0.5, BINARY32);
    refused(&div.replace("function div", "function hypot"), "not shown");
}

#[test]
fn a_missing_box_is_refused() {
    let right = certificate(ODD, "hypot", 0.5, BINARY32);
    let boxes: Vec<&str> = right.lines().filter(|l| l.starts_with("box ")).collect();
    assert_eq!(boxes.len(), 4);
    for line in &boxes {
        refused(
            &with(&right, &format!("{line}\n"), ""),
            "some pairs are in no box",
        );
        // One number less of the second argument.
        let (rest, last) = line.rsplit_once(' ').expect("words");
        let x = f64::from_bits(u64::from_str_radix(last, 16).expect("bits"));
        if x > 0.0 {
            let less = f64::from((x as f32).next_down());
            let shorter = format!("{rest} {:016x}", less.to_bits());
            refused(&with(&right, line, &shorter), "some pairs are in no box");
        }
        refused(
            &with(&right, line, &line.replace("both", "plus")),
            "some pairs are in no box",
        );
    }
    // A quotient by 0 is in no box that could be proven.
    let zero = sides(&of_all(BINARY32)[3]);
    let div = certificate(DIV, "div", 0.5, BINARY32);
    let more = format!("pairs {zero}\nbox {zero}\nkernel\nd");
    refused(&with(&div, "kernel\nd", &more), "y = 0");
}

#[test]
fn a_text_that_is_not_whole_is_refused() {
    let right = certificate(WIDE, "hypot", OF_WIDE, BINARY32);
    for (old, new, says) in [
        ("pairs 1\n", "pairs 2\n", "format"),
        ("function hypot\n", "", "no line `function`"),
        ("sweep s\n", "", "no line `sweep`"),
        ("sweep s\n", "sweep s\nsweep t\n", "a second line"),
        ("sweep s\n", "sweep s\nsomething\n", "not understood"),
        (
            "sweep s\n",
            "sweep s\n# It is right.\n",
            "which people read",
        ),
        ("\nend\n", "\n", "not whole"),
        ("\nend\n", "\nend\nbox\n", "after the end"),
        ("end of kernel\n", "", ""),
        ("%1: f32 = param", "%1: f64 = param", ""),
    ] {
        refused(&with(&right, old, new), says);
    }
    let none: String = right
        .lines()
        .filter(|l| !l.starts_with("pairs "))
        .flat_map(|l| [l, "\n"])
        .collect();
    refused(&none, "no pair");
    let zeros = right.replace(
        "both 0000000000000000 0000000000000000",
        "both 0000000000000000 3ff0000000000000",
    );
    refused(&zeros, "zeros are apart");
}

/// The claims of these tests by evaluation: the roots rounded to odd are rounded correctly, and one fault is seen at some pair.
#[test]
fn the_net_sees_what_the_proof_does() {
    let [right, wide] = [ODD, WIDE].map(|text| Program::parse_pair(text).expect("a kernel"));
    let mut mixed = Random(7);
    let mut differ = 0;
    for _ in 0..20_000 {
        let pair = mixed.pair(&of_all(BINARY32)[1], BINARY32);
        let [a, b] = [&right, &wide].map(|p| evaluate(p, pair).expect("a number"));
        // Both are numbers next to the length.
        assert!(
            a == b || (a as f32).next_up() == b as f32 || (b as f32).next_up() == a as f32,
            "{pair:?}"
        );
        differ += u32::from(a != b);
    }
    assert!(differ < 10, "{differ}");
    let pair = [3.0, -4.0];
    assert_eq!(evaluate(&right, pair), Ok(5.0));
}
