//! Claims below the truth, on short stretches, in each form of the file: none may be proven. The truth is known from each input.

mod classes;
mod ends;
mod low;
mod plus;
mod ranges;
mod scale;
mod texts;
mod values;

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

/// e^x by a reduction with one constant or two, over parts of several periods.
fn exponential(first: f64, second: Option<f64>, fused: bool, ranges: Vec<(f64, f64)>) -> Subject {
    power_of_base("exp", 1.0, (first, second), fused, ranges)
}

/// `b^x`, where `rate` is ln b, by a reduction with one constant or two.
fn power_of_base(
    function: &'static str,
    rate: f64,
    (first, second): (f64, Option<f64>),
    fused: bool,
    ranges: Vec<(f64, f64)>,
) -> Subject {
    let mut lines = vec![
        constant(std::f64::consts::LOG2_E * rate),
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
            c *= if k > 0 { rate / f64::from(k) } else { 1.0 };
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
        what: format!("{function}, {first} {second:?}"),
        function,
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
        // A reduction of 2^x is exact; that of 10^x has a constant that is rounded.
        for (function, rate, first) in [
            ("exp2", ln2, 1.0),
            ("exp10", std::f64::consts::LN_10, std::f64::consts::LOG10_2),
        ] {
            let at = |k: f64, n: u64| stretch((k * first).mul_add(1.0, r), n);
            let ranges = vec![at(1.0, 400), at(2.0, 330), at(-4.0, 300)];
            subjects.push(power_of_base(function, rate, (first, None), fused, ranges));
        }
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
