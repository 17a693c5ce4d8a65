//! Claims below the truth, on short stretches, in each form of the file: none may be proven. The truth is known from each input.

mod texts;

use super::*;
use crate::certificate::Certificate;
use crate::kernels::Words;
use crate::lattice::tests::near::case;
use crate::number::double_above;

/// A kernel, its function, and stretches of inputs.
struct Subject {
    what: String,
    function: &'static str,
    kernel: String,
    ranges: Vec<(f64, f64)>,
}

/// Numbers in the text of a certificate.
fn words(ends: (f64, f64)) -> String {
    format!("{:016x} {:016x}", ends.0.to_bits(), ends.1.to_bits())
}

impl Subject {
    /// A certificate with this plan.
    fn text(&self, error: f64, plan: &str) -> String {
        let mut text = format!(
            "doublecrunch certificate 2\nsweep s\nfunction {}\n",
            self.function
        );
        for &range in &self.ranges {
            text += &format!("range {}\n", words(range));
        }
        let (error, kernel) = (error.to_bits(), &self.kernel);
        text + &format!("error {error:016x}\n{plan}kernel\n{kernel}end of kernel\nend\n")
    }

    /// The shortest plan: every range is cut.
    fn cut(&self) -> String {
        let cut = |r: &(f64, f64)| format!("cut {}\n", words(*r));
        self.ranges.iter().map(cut).collect()
    }

    /// The largest error: a number that it is not below, and one that it is not above.
    fn truth(&self) -> Option<(f64, f64, f64)> {
        let certificate = Certificate::parse(&self.text(1.0, &self.cut())).expect("it parses");
        let check = Check::new(&certificate).ok()?;
        let mut most = (0.0f64, 0.0f64, 0.0);
        for &(lo, hi) in &self.ranges {
            let mut x = lo;
            while x <= hi {
                match check.error_at::<128>(x) {
                    Ok(At::Error(e)) => {
                        let (least, most_here) =
                            (double_below_of(&e), double_above(&e.magnitude()));
                        let worst = if least > most.0 { x } else { most.2 };
                        most = (most.0.max(least), most.1.max(most_here), worst);
                    }
                    _ => return None,
                }
                x = x.next_up();
            }
        }
        Some(most)
    }

    /// Plans of all forms: cut, with the classes and stretches named, with some of these left to the checker, with other methods.
    fn plans(&self, random: &mut Words) -> Vec<String> {
        let mut plans = vec![self.cut()];
        let certificate = Certificate::parse(&self.text(1.0, &self.cut())).expect("it parses");
        let check = Check::new(&certificate).expect("it was made");
        let how = |random: &mut Words| random.of(&["bound", "lattice", "lattice", "inputs"]);
        // Each range as a class of its own.
        let mut plan = String::new();
        for (i, &(lo, hi)) in self.ranges.iter().enumerate() {
            let middle = (0.5 * lo + 0.5 * hi).clamp(lo, hi.next_down());
            let cell = format!("cell {} {i}\n", words((lo, hi)));
            let (a, b) = (words((lo, middle)), words((middle.next_up(), hi)));
            plan += &format!(
                "class {i} plain\n{} {a}\n{} {b}\n{cell}",
                how(random),
                how(random)
            );
        }
        plans.push(plan);
        // The classes that were found, by their cells or by one of them, with their stretches or without.
        let kinds = |class: &Class| match class.members.iter().any(|m| m.by != 0) {
            true => "scaled",
            false => "reduced",
        };
        for planned in [false, true] {
            let mut plan = if planned { self.cut() } else { String::new() };
            let mut number = 0;
            for class in &check.classes {
                let Some(first) = class.members.first() else {
                    continue;
                };
                plan += &format!("class {number} {}\n", kinds(class));
                number += 1;
                if planned {
                    plan += &format!("of {}\n", words((first.lo, first.hi)));
                }
                for tile in gaps(class, &[]) {
                    let middle = (0.5 * tile.lo + 0.5 * tile.hi).clamp(tile.lo, tile.hi);
                    let how = how(random);
                    plan += &format!("{how} {}\n", words((tile.lo, middle)));
                    // The rest is found by the checker.
                    if !planned || random.below(2) == 0 {
                        plan += &format!(
                            "{how} {}\n",
                            words((middle.next_up().min(tile.hi), tile.hi))
                        );
                    }
                }
                for m in class.members.iter().filter(|_| !planned) {
                    plan += &format!("cell {} {}\n", words((m.lo, m.hi)), number - 1);
                }
            }
            for &cell in check.plain.iter().filter(|_| !planned) {
                let how = how(random);
                plan += &format!(
                    "class {number} plain\n{how} {}\ncell {} {number}\n",
                    words(cell),
                    words(cell)
                );
                number += 1;
            }
            for &cell in check.constants.iter().filter(|_| !planned) {
                plan += &format!("cell {} constant\n", words(cell));
            }
            if number > 0 {
                plans.push(plan);
            }
        }
        plans
    }

    fn verdict(&self, error: f64, plan: &str) -> Result<(), String> {
        let certificate = Certificate::parse(&self.text(error, plan))?;
        Check::new(&certificate)?.run(1)
    }
}

fn double_below_of(e: &Coarse) -> f64 {
    crate::number::double_below(&e.least())
}

#[derive(Debug, Default)]
struct Counts {
    proven: u64,
    refused: u64,
    lowered: u64,
    named: u64,
}

fn tried(subject: &Subject, random: &mut Words, counts: &mut Counts) {
    let Some((lo, hi, worst)) = subject.truth() else {
        return;
    };
    at_an_end(subject, lo, worst);
    let claims =
        [0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2].map(|by| lo.next_down().min(lo - by * lo.max(1.0)));
    for (form, plan) in subject.plans(random).into_iter().enumerate() {
        match subject.verdict(hi.next_up(), &plan) {
            Ok(()) => {
                counts.proven += 1;
                counts.named += u64::from(form > 0);
            }
            Err(_) => counts.refused += 1,
        }
        for claim in [claims[0], random.of(&claims), random.of(&claims)] {
            counts.lowered += 1;
            if claim > 0.0 {
                let verdict = subject.verdict(claim, &plan);
                assert!(
                    verdict.is_err(),
                    "{}, form {form}: {claim} is proven, and an error is {lo}:\n{}",
                    subject.what,
                    subject.text(claim, &plan)
                );
            }
        }
        // A plan that leaves something out.
        let lines: Vec<&str> = plan.lines().collect();
        let at = random.below(lines.len() as u64) as usize;
        let shorter: String = (lines.iter().enumerate())
            .filter(|l| l.0 != at)
            .map(|l| format!("{}\n", l.1))
            .collect();
        if claims[0] > 0.0 {
            assert!(subject.verdict(claims[0], &shorter).is_err());
        }
    }
}

/// The worst input as the first or the last of a stretch that is evaluated input by input, or of few inputs.
fn at_an_end(subject: &Subject, error: f64, worst: f64) {
    let all = subject.ranges.iter().find(|r| r.0 <= worst && worst <= r.1);
    let &(lo, hi) = all.expect("it is an input");
    let claim = error.next_down().min(error * (1.0 - 1e-9));
    for range in [
        (lo, worst),
        (worst, hi),
        (worst.next_down().max(lo), worst),
        (worst, worst),
    ] {
        let part = Subject {
            what: subject.what.clone(),
            kernel: subject.kernel.clone(),
            ranges: vec![range],
            ..*subject
        };
        let named = format!("class 0 plain\ninputs {0}\ncell {0} 0\n", words(range));
        for plan in [named, part.cut()] {
            let verdict = part.verdict(claim, &plan);
            assert!(
                claim <= 0.0 || verdict.is_err(),
                "{} {range:?} {claim}",
                part.what
            );
        }
    }
}

/// The text of a kernel, from its lines after the argument; `{…}` are constants by their bits.
fn kernel(lines: &[String]) -> String {
    let mut text = "doublecrunch ir 1\nfn f0\n  %0: f64 = param\n".to_string();
    for (i, l) in lines.iter().enumerate() {
        text += &format!("  %{}: {l}\n", i + 1);
    }
    text + &format!("  return %{}\n", lines.len())
}

fn constant(c: f64) -> String {
    format!("f64 = const {:#x}", c.to_bits())
}

/// A stretch of so many doubles, from this one away from zero.
fn stretch(lo: f64, inputs: u64) -> (f64, f64) {
    let far = f64::from_bits(lo.to_bits() + inputs - 1);
    (lo.min(far), lo.max(far))
}

/// e^x by a reduction with one constant or two, over parts of several periods. `two` gives the bits of the first constant.
fn exponential(first: f64, second: Option<f64>, fused: bool, ranges: Vec<(f64, f64)>) -> Subject {
    let mut lines = vec![
        constant(std::f64::consts::LOG2_E),
        "f64 = mul %0, %1".into(),
        "f64 = round_ties_even %2".into(),
        constant(first),
        "f64 = mul %3, %4".into(),
        "f64 = sub %0, %5".into(),
    ];
    let mut r = 6;
    if let Some(second) = second {
        lines.push(constant(second));
        lines.push("f64 = mul %3, %7".into());
        lines.push("f64 = sub %6, %8".into());
        r = 9;
    }
    let mut c = 1.0;
    let coefficients: Vec<f64> = (0..12)
        .map(|k| {
            c /= if k > 0 { f64::from(k) } else { 1.0 };
            c
        })
        .collect();
    lines.push(constant(coefficients[11]));
    for k in (0..11).rev() {
        let sum = lines.len();
        lines.push(constant(coefficients[k]));
        if fused {
            lines.push(format!("f64 = fma %{sum}, %{r}, %{}", sum + 1));
        } else {
            lines.push(format!("f64 = mul %{sum}, %{r}"));
            lines.push(format!("f64 = add %{}, %{}", sum + 1, sum + 2));
        }
    }
    let p = lines.len();
    lines.push("i64 = to_i64 %3".into());
    lines.push("i64 = const 52".into());
    lines.push(format!("i64 = shl %{}, %{}", p + 1, p + 2));
    lines.push("i64 = const 0x3ff0000000000000".into());
    lines.push(format!("i64 = add %{}, %{}", p + 3, p + 4));
    lines.push(format!("f64 = from_bits %{}", p + 5));
    lines.push(format!("f64 = mul %{p}, %{}", p + 6));
    Subject {
        what: format!("e^x, {first} {second:?}"),
        function: "exp",
        kernel: kernel(&lines),
        ranges,
    }
}

/// A power by these lines, over stretches of several binades.
fn power_of(function: &'static str, lines: &[&str], at: &[f64], inputs: u64) -> Subject {
    let lines: Vec<String> = lines.iter().map(|l| (*l).to_string()).collect();
    Subject {
        what: function.into(),
        function,
        kernel: kernel(&lines),
        ranges: at.iter().map(|&x| stretch(x, inputs)).collect(),
    }
}

const RECIPROCAL: &[&str] = &[
    "i64 = const 0x7fde6238502ce8c3",
    "i64 = to_bits %0",
    "i64 = sub %1, %2",
    "f64 = from_bits %3",
    "f64 = neg %0",
    "f64 = const 0x3ff0000000000000",
    "f64 = fma %5, %4, %6",
    "f64 = fma %4, %7, %4",
    "f64 = fma %5, %8, %6",
    "f64 = fma %8, %9, %8",
    "f64 = fma %5, %10, %6",
    "f64 = fma %10, %11, %10",
    "f64 = mul %0, %12",
    "f64 = sub %6, %13",
    "f64 = mul %12, %14",
    "f64 = add %12, %15",
];

#[test]
fn no_claim_below_the_truth_is_proven() {
    no_claim_below_the_truth(0);
}

#[test]
fn no_claim_below_the_truth_is_proven_2() {
    no_claim_below_the_truth(1);
}

#[test]
fn no_claim_below_the_truth_is_proven_3() {
    no_claim_below_the_truth(2);
}

/// A third of the kernels by hand, and of `PROOF_KERNELS` random ones.
fn no_claim_below_the_truth(third: usize) {
    let kernels = std::env::var("PROOF_KERNELS").map_or(12, |n| n.parse().expect("a number"));
    let seed: u64 = std::env::var("PROOF_SEED").map_or(1, |n| n.parse().expect("a number"));
    let mut random = Words(seed + third as u64);
    let mut counts = Counts::default();
    let ln2 = std::f64::consts::LN_2;
    let (high, low) = (
        f64::from_bits(0x3fe6_2e42_fee0_0000),
        1.908_214_929_270_587_7e-10,
    );
    let part = |random: &mut Words| random.below(1 << 20) as f64 / f64::from(1 << 20);
    let mut subjects = Vec::new();
    for fused in [false, true] {
        let r = 0.01 + 0.02 * part(&mut random);
        // One class with members of several periods, whose arguments are off by a part of their last places.
        let at = |k: f64, n: u64| stretch((k * ln2).mul_add(1.0, r), n);
        let ranges = vec![at(1.0, 400), at(2.0, 330), at(4.0, 300)];
        subjects.push(exponential(ln2, None, fused, ranges));
        let ranges = vec![at(1.0, 300), at(3.0, 290), stretch(-at(5.0, 1).0, 280)];
        subjects.push(exponential(high, Some(low), fused, ranges));
        // Both sides of a change of the period.
        let ranges = vec![stretch((2.5 * ln2 - 2f64.powi(-45)).next_down(), 400)];
        subjects.push(exponential(high, Some(low), fused, ranges));
    }
    let m = 1.0 + part(&mut random);
    let at = [m, 16.0 * m, m * 2f64.powi(-7), -m];
    subjects.push(power_of("recip", RECIPROCAL, &at[..3], 400));
    subjects.push(power_of(
        "sqrt",
        &["f64 = sqrt %0", "f64 = div %0, %1"],
        &[m, 4.0 * m, m / 64.0, 2.0 * m],
        350,
    ));
    subjects.push(power_of(
        "recip-sqrt",
        &["f64 = sqrt %0", "f64 = recip %1"],
        &[m, 4.0 * m, m * 2f64.powi(-32)],
        350,
    ));
    subjects.push(power_of(
        "recip",
        &["f64 = mul %0, %0", "f64 = div %0, %1"],
        &at,
        350,
    ));
    // Subnormal results.
    let small = constant(2f64.powi(-600));
    let lines = [
        &*small,
        "f64 = mul %0, %1",
        "f64 = recip %2",
        "f64 = mul %3, %1",
    ];
    subjects.push(power_of(
        "recip",
        &lines,
        &[m * 2f64.powi(1022), -m * 2f64.powi(1023)],
        400,
    ));
    // Powers, but others than the function.
    let near_one = [1.0, 4.0, 0.25];
    subjects.push(power_of("sqrt", &["f64 = mul %0, %0"], &near_one, 300));
    subjects.push(power_of(
        "recip",
        &["f64 = neg %0", "f64 = neg %1"],
        &near_one,
        300,
    ));
    subjects.push(power_of("recip-sqrt", &["f64 = sqrt %0"], &near_one, 300));
    for (n, subject) in subjects.iter().enumerate() {
        if n % 3 == third && (kernels > 0 || n == 0) {
            tried(subject, &mut random, &mut counts);
        }
    }
    for _ in 0..kernels / 3 {
        let Some(case) = case(&mut random, 10) else {
            continue;
        };
        let function = match case.law {
            crate::law::Law::Exp => "exp",
            crate::law::Law::Sin => "sin",
            crate::law::Law::Cos => "cos",
            crate::law::Law::Ln => "ln",
            crate::law::Law::Recip => "recip",
            _ => "sqrt",
        };
        let subject = Subject {
            what: format!("a random kernel, {:e} to {:e}", case.lo, case.hi),
            function,
            kernel: case.text,
            ranges: vec![(case.lo, case.hi)],
        };
        tried(&subject, &mut random, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.proven > 12 && counts.named > 6, "{counts:?}");
}

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

/// The first and the last stretch of a class are those of its first and last input, and a claim of no error is none.
#[test]
fn inputs_at_the_ends_of_stretches_are_examined() {
    let lines = ["f64 = mul %0, %0", "f64 = div %0, %1"];
    let subject = power_of("recip", &lines, &[1.25], 400);
    let (lo, _, worst) = subject.truth().expect("finite");
    let ends = subject.ranges[0];
    for (first, last) in [
        (worst, ends.1.min(worst + 9e-15)),
        (ends.0.max(worst - 9e-15), worst),
    ] {
        let part = Subject {
            what: "ends".into(),
            kernel: subject.kernel.clone(),
            ranges: vec![(first, last)],
            ..subject
        };
        let plan = format!(
            "class 0 plain\nbound {0}\nbound {1}\nbound {2}\ncell {3} 0\n",
            words((first, first)),
            words((first.next_up(), last.next_down())),
            words((last, last)),
            words((first, last))
        );
        assert_eq!(part.verdict(4.0, &plan), Ok(()));
        // Of the others.
        let rest =
            [(first, last.next_down()), (first.next_up(), last)][usize::from(first == worst)];
        let rest = Subject {
            what: "others".into(),
            kernel: subject.kernel.clone(),
            ranges: vec![rest],
            ..subject
        };
        let most = rest.truth().expect("finite").1;
        assert!(most < lo);
        assert!(
            part.verdict(f64::midpoint(most.min(lo), lo), &plan)
                .is_err()
        );
        assert!(part.verdict(0.0, &plan).is_err());
    }
    let negated = kernel(&["f64 = neg %0".into()]);
    let exactly = Subject {
        what: "no error".into(),
        function: "reference",
        kernel: negated.clone(),
        ranges: vec![stretch(1.25, 3)],
    };
    let plan = format!("reference\n{negated}end of reference\n{}", exactly.cut());
    assert_eq!(exactly.verdict(1e-300, &plan), Ok(()));
    for claim in [0.0, -1.0] {
        let says = exactly.verdict(claim, &plan).expect_err("no claim");
        assert!(says.contains("claims no error"), "{says}");
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

/// A cell of one input is one of a class of rounded arguments as well.
#[test]
fn a_cell_of_one_input_is_examined_on_its_own() {
    let ln2 = std::f64::consts::LN_2;
    let subject = exponential(ln2, None, false, vec![stretch(0.75, 80_000)]);
    let (lo, hi) = subject.ranges[0];
    let text = subject.text(4.0, &subject.cut());
    let certificate = Certificate::parse(&text).expect("it parses");
    let check = Check::new(&certificate).expect("a kernel");
    let none = Assumed::new();
    let how = crate::certificate::How::Bound;
    for (far, holds) in [(None, true), (Some(1e300), false)] {
        let mut class = (check.class(&[(lo, hi)], ClassKind::Reduced, true)).expect("one line");
        let core = class.members[0].core;
        class.rounded = true;
        // Its bound is above the claim.
        class.members[0].eta = Coarse::double(1e-3);
        if let Some(far) = far {
            // Of no line.
            let shift = crate::number::exact(core.0) - crate::number::exact(far);
            class.members.push(super::class::Member {
                lo: far,
                hi: far,
                shift: Fine::of(shift),
                by: 0,
                eta: Coarse::zero(),
                scale: 0,
                core: (core.0, core.0),
                grid: -1074,
            });
        }
        let verdict = check.close(&class, core.0, core.1, &none, DEPTH - 6, how);
        assert_eq!(verdict.is_ok(), holds, "{verdict:?}");
    }
}

/// Below zero the finest inputs are those of the upper end.
#[test]
fn inputs_on_both_sides_of_a_binade_below_zero_are_examined() {
    let (lo, hi) = (-1.0 - 600.0 * f64::EPSILON, -1.0 + 600.0 * f64::EPSILON);
    let mut tried = 0;
    for c in 0..60 {
        let c = 1.3 + f64::from(c) / 1024.0;
        let product = kernel(&[constant(c), "f64 = mul %0, %1".into()]);
        let mut subject = Subject {
            what: "a product".into(),
            function: "reference",
            kernel: product.clone(),
            ranges: vec![(lo, hi)],
        };
        // The largest error, and that of all inputs with the coarse unit.
        let (mut most, mut coarse) = (0.0f64, 0.0f64);
        let mut x = lo;
        while x <= hi {
            let off = (c.mul_add(x, -(c * x)) / f64::EPSILON).abs();
            most = most.max(off);
            if (x / f64::EPSILON).fract() == 0.0 {
                coarse = coarse.max(off);
            }
            x = x.next_up();
        }
        if most < coarse + 1e-7 {
            continue;
        }
        tried += 1;
        subject.what = format!("{c}");
        let claim = f64::midpoint(most, coarse);
        let plan = format!(
            "reference\n{product}end of reference\nclass 0 plain\nlattice {0}\ncell {0} 0\n",
            words((lo, hi))
        );
        assert_eq!(subject.verdict(0.51, &plan), Ok(()));
        assert!(subject.verdict(claim, &plan).is_err(), "{most} {coarse}");
    }
    assert!(tried > 5, "{tried}");
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

/// Arguments are reduced for `e^x` alone, and where the rest of the reduction is small.
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
            assert_eq!(reduced(&subject), function == "exp", "{function}");
        }
    }
    // Of x = 4 six periods of 1 are taken, and 6 (1 - ln 2) is above one.
    for (x, small) in [(0.9, true), (4.0, false)] {
        let subject = exponential(1.0, None, false, vec![stretch(x, 40)]);
        assert_eq!(reduced(&subject), small, "{x}");
    }
}

/// Inputs down to zero are as fine as the least number.
#[test]
fn inputs_next_to_zero_have_no_coarse_grid() {
    let lines = kernel(&[constant(2.0), "f64 = sub %1, %0".into()]);
    for (claim, holds) in [(1.01, true), (0.3, false)] {
        let subject = Subject {
            what: "2 - x".into(),
            function: "reference",
            kernel: lines.clone(),
            ranges: vec![(0.0, 1.0)],
        };
        let plan = format!(
            "reference\n{lines}end of reference\nclass 0 plain\nbound {0}\ncell {0} 0\n",
            words((0.0, 1.0))
        );
        let certificate = Certificate::parse(&subject.text(claim, &plan)).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        let none = Assumed::new();
        let how = crate::certificate::How::Bound;
        let verdict = check.close(&check.classes[0], 0.0, 1.0, &none, 0, how);
        assert_eq!(verdict.is_ok(), holds, "{claim}: {verdict:?}");
    }
}

/// A stretch of arguments of both signs is cut.
#[test]
fn a_stretch_of_both_signs_is_cut() {
    let ln2 = std::f64::consts::LN_2;
    let subject = exponential(ln2, None, false, vec![stretch(ln2, 80_000)]);
    let certificate = Certificate::parse(&subject.text(1e30, &subject.cut())).expect("it parses");
    let check = Check::new(&certificate).expect("a kernel");
    let (lo, hi) = subject.ranges[0];
    let mut class = (check.class(&[(lo, hi)], ClassKind::Reduced, true)).expect("one line");
    // Arguments of both signs.
    class.members[0].lo = lo - 1e-9;
    class.members[0].core.0 = -1e-9;
    let far = class.members[0].core.1;
    let none = Assumed::new();
    let how = crate::certificate::How::Bound;
    for (first, holds) in [(1e-13, true), (-1e-10, false)] {
        let verdict = check.close(&class, first, far, &none, 0, how);
        assert_eq!(verdict.is_ok(), holds, "{first:e} {far:e}: {verdict:?}");
    }
}
