//! Certificates of the promise, and `crunch-check`, which proves them with its own code.

use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dc_exact::cell::Cell;
use dc_exact::certificate;

use crate::asked::number;
use crate::bounds::{PROMISE, Subject};

/// The certificate that no error on these stretches is above a claim. It has no plan: the checker cuts them and bounds the errors itself.
fn certificate(subject: &Subject, stretches: &[Cell], claim: f64) -> String {
    let about = certificate::Subject {
        sweep: &format!("f64::{}", subject.name.replace(' ', "")),
        program: &subject.program,
        truth: &subject.truth,
        stretches,
    };
    certificate::claim(about, &[], claim)
}

/// Writes the certificate of what is promised, and gives its file.
pub fn write(folder: &Path, subject: &Subject) -> PathBuf {
    let file = folder.join(format!("{}.cert", subject.file_name()));
    let text = certificate(subject, &subject.stretches(), subject.claim);
    std::fs::write(&file, text).expect("the folder is writable");
    file
}

/// The word for a certificate that is not proven.
pub const REFUSED: &str = "REFUSED";

/// What became of a certificate.
pub enum Verdict {
    Proven(f64),
    /// With the checker's reason.
    Refused(String),
    /// It had not ended.
    Late(f64),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Proven(seconds) => write!(f, "proven in {seconds:.0} s"),
            Verdict::Refused(why) => write!(f, "{REFUSED}: {why}"),
            Verdict::Late(seconds) => write!(f, "no proof in {seconds:.0} s"),
        }
    }
}

/// The program `crunch-check`.
pub struct Checker {
    program: PathBuf,
    /// What it may take for a certificate.
    pub seconds: f64,
    threads: usize,
}

impl Checker {
    /// As `cargo xtask math` gives it; `None` if certificates are only written.
    pub fn from_environment(threads: usize) -> Option<Self> {
        Some(Self {
            program: std::env::var_os("CRUNCH_MATH_CHECKER")?.into(),
            seconds: number("CRUNCH_MATH_CHECK").unwrap_or(600.0),
            threads,
        })
    }

    /// Has a certificate proven.
    pub fn check(&self, file: &Path) -> Verdict {
        let begun = Instant::now();
        let mut child = Command::new(&self.program)
            .arg(file)
            .args(["--jobs", &self.threads.to_string()])
            // The sieve is a net after the proof.
            .args(["--sieve", "65536"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the checker starts");
        loop {
            let ended = child.try_wait().expect("its state is known");
            let seconds = begun.elapsed().as_secs_f64();
            match ended {
                Some(status) if status.success() => return Verdict::Proven(seconds),
                Some(status) => {
                    let mut why = String::new();
                    let mut said = child.stderr.take().expect("it is piped");
                    said.read_to_string(&mut why).expect("it is text");
                    let why = why.trim().replace('|', "/");
                    return Verdict::Refused(format!("{status}, {why}"));
                }
                None if seconds > self.seconds => {
                    child.kill().expect("it can be stopped");
                    child.wait().expect("it ends");
                    return Verdict::Late(seconds);
                }
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    mod gamma;
    mod lgamma;

    use super::*;
    use std::f64::consts::PI;

    use crate::ranges::LAST_OF_GAMMA;

    use crunch_check::{Options, check};

    /// A part of a function's inputs.
    fn part(name: &str, low: f64, high: f64) -> (Subject, Vec<Cell>) {
        let mut subject = (Subject::all().find(|s| s.name == name)).expect("it is there");
        subject.range = [low, high];
        let stretches = subject.stretches();
        (subject, stretches)
    }

    fn proven(text: &str) -> Result<String, String> {
        proven_with(text, 4096)
    }

    /// The same, with this many inputs of the sieve, which is a net after the proof.
    fn proven_with(text: &str, sieve: u64) -> Result<String, String> {
        let options = Options {
            sieve,
            jobs: 1,
            ..Options::default()
        };
        check(text, options).map_err(|refused| refused.to_string())
    }

    /// A certificate in whose kernel the first constant near a number is another one: times `1 + 2^-30`.
    fn with_wrong_constant(text: &str, near: f64) -> String {
        with_constant_times(text, near, 1.0 + 2f64.powi(-30))
    }

    /// The same with another factor.
    fn with_constant_times(text: &str, near: f64, factor: f64) -> String {
        let is = "f64 = const 0x";
        let bits = text.lines().find_map(|line| {
            let bits = line.split_once(is)?.1.get(..16)?;
            let x = f64::from_bits(u64::from_str_radix(bits, 16).ok()?);
            ((x / near - 1.0).abs() < 1e-3).then_some((bits, x))
        });
        let (bits, x) = bits.expect("the kernel has it");
        let wrong = (x * factor).to_bits();
        text.replace(&format!("{is}{bits}"), &format!("{is}{wrong:016x}"))
    }

    fn of_part(name: &str, low: f64, high: f64) -> String {
        let (subject, stretches) = part(name, low, high);
        certificate(&subject, &stretches, PROMISE)
    }

    #[test]
    fn certificates_are_proven() {
        for (name, low, high) in [
            ("sin", -3.1, 3.1),
            ("exp", 0.3, 0.35),
            ("log", 1.5, 1.6),
            ("rsqrt", 1e300, 1.1e300),
            ("sqrt", 0.0, f64::MAX),
            ("cbrt", 1e-310, 1e-300),
            ("log2p1", -0.3, -0.2999),
            ("erf", 2.0, 2.1),
            ("pow(x, 0.75)", 1.5, 1.51),
            ("pow(0.3, x)", 0.5, 0.51),
            // Next to a pole of the derivative, and to a zero of the function.
            ("asin", 1.0 - 2e-12, 1.0 - 1e-12),
            ("acos", 0.999, 1.0),
            ("logit", 1.0 - 1e-11, 1.0 - 1e-12),
            ("lgamma", 0.74, 0.76),
            // Here 1 + x has few values.
            ("log1p", 1e-17, 1e-13),
            ("log2p1", -1e-14, -1e-17),
            ("log10p1", 1e-15, 1e-14),
            ("tgamma", 20.0, 20.01),
            // Beyond the numbers at which results overflow or are constant.
            ("exp", 800.0, f64::MAX),
            ("exp", f64::MIN, -800.0),
            ("exp2", 1100.0, f64::MAX),
            ("exp10", 350.0, f64::MAX),
            ("exp2m1", f64::MIN, -1100.0),
            ("exp10m1", 350.0, f64::MAX),
            ("sinh", f64::MIN, -800.0),
            ("cosh", f64::MIN, -800.0),
            ("erf", 5.9, f64::MAX),
            ("erfc", f64::MIN, -5.9),
            ("erfc", 27.2, f64::MAX),
            ("silu", 760.0, f64::MAX),
            ("gelu", f64::MIN, -39.0),
            ("gelu", 40.0, f64::MAX),
            ("mish", f64::MIN, -755.0),
            ("mish", 760.0, f64::MAX),
            ("cbrt", -1e-300, -1e-310),
            ("cbrt", -0.0, 0.0),
        ] {
            let report = proven(&of_part(name, low, high));
            let report = report.unwrap_or_else(|why| panic!("{name}: {why}"));
            assert!(report.contains("PROVEN"), "{report}");
        }
    }

    /// A coefficient of the polynomial, the function, or the claim is another one. Here the reduced argument is large.
    #[test]
    fn certificates_of_wrong_kernels_and_claims_are_refused() {
        let refused = |text: &str, what: &str| {
            let why = proven(text).expect_err(what);
            assert!(why.contains("above the claim"), "{what}: {why}");
        };
        let exp = of_part("exp", 0.281, 0.2811);
        proven(&exp).expect("the kernel as it is");
        refused(&with_wrong_constant(&exp, 1.0 / 6.0), "a coefficient");
        let claim = format!("error {:016x}", PROMISE.to_bits());
        let lower = format!("error {:016x}", 0.5f64.to_bits());
        refused(&exp.replace(&claim, &lower), "a claim of half an ULP");
        // Below 1 the sum with 1 has an error, which the kernel adds.
        let log2p1 = of_part("log2p1", -0.3, -0.2999);
        let square = -0.5 * std::f64::consts::LOG2_E;
        refused(&with_wrong_constant(&log2p1, square), "a coefficient");
        // A class of subnormal inputs.
        let cbrt = of_part("cbrt", 1e-310, 1e-309);
        refused(&cbrt.replace(&claim, &lower), "a claim of half an ULP");
        let power = of_part("pow(x, 0.75)", 1.5, 1.5001);
        let [is, other] = [0.75f64, 0.75 + 2f64.powi(-40)]
            .map(|y| format!("power exponent {:016x}", y.to_bits()));
        assert!(power.contains(&is));
        refused(&power.replace(&is, &other), "another exponent");
    }

    /// Next to the ends of the ranges that join the first ones to all finite numbers. Each is proven with the kernel as it is, and refused with another
    /// constant: a limit, a branch, or the constant of a reduction.
    #[test]
    fn certificates_of_ends_are_proven_and_those_of_wrong_ends_are_refused() {
        const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;
        const TWO_MINUS_60: f64 = f64::from_bits((1023 - 60) << 52);
        let mut amiss = Vec::new();
        for (name, low, high, is, other) in [
            ("exp", 709.78, 709.79, 710.0, 709.0),
            ("exp", -746.1, -745.9, -746.0, -744.5),
            ("exp2", 1023.999, 1024.001, 1024.5, 1023.5),
            ("exp2", -1076.1, -1075.9, -1077.0, -1074.5),
            ("exp10", 308.25, 308.26, 309.0, 308.0),
            ("exp10", -323.7, -323.6, -325.0, -323.0),
            ("expm1", -40.5, -40.0, -40.0, -30.0),
            ("expm1", 709.78, 709.79, 710.0, 709.0),
            ("exp2m1", -60.5, -60.0, -60.0, -40.0),
            ("exp2m1", 1023.999, 1024.001, 1024.5, 1023.5),
            ("exp10m1", -20.5, -20.0, -20.0, -10.0),
            ("exp10m1", 308.25, 308.26, 309.0, 308.0),
            ("sinpi", 0.9999, 1.0, PI, PI.next_up()),
            ("cospi", 0.4999, 0.5001, PI, PI.next_up()),
            ("tanpi", 0.4999, 0.499_91, PI, PI.next_up()),
            ("sinh", 710.4, 711.0, 711.0, 710.0),
            ("cosh", -711.0, -710.4, 711.0, 710.0),
            ("atanh", BELOW_ONE, BELOW_ONE, 0.5, 0.5f64.next_up()),
            ("sigmoid", 39.0, 41.0, 760.0, 30.0),
            ("sigmoid", -745.3, -745.0, 760.0, 744.0),
            ("logit", 1e-310, 1.001e-310, 120.0, 121.0),
            ("erf", 5.9, 6.0, 5.95, 5.5),
            ("erfc", 27.2, 27.3, 28.0, 27.0),
            ("softplus", -745.3, -745.0, 760.0, 744.0),
            ("softplus", 31.0, 31.5, 40.0, 30.0),
            ("silu", -751.5, -751.0, 760.0, 750.0),
            ("srgb_to_linear", 0.04, 0.0405, 0.040_45, 0.0404),
            ("srgb_to_linear", 1e128, 1.0001e128, 2.4, 2.4f64.next_up()),
            ("srgb_from_linear", 0.0031, 0.0032, 0.003_130_8, 0.0031),
            ("srgb_from_linear", f64::MAX * 0.9999, f64::MAX, 1.055, 1.06),
            ("tgamma", 1e-12, 1.001e-12, TWO_MINUS_60, 1e-10),
            ("tgamma", 171.6, 171.6001, 190.0, 171.6),
            (
                "tgamma",
                LAST_OF_GAMMA,
                LAST_OF_GAMMA,
                LAST_OF_GAMMA,
                171.624,
            ),
            ("lgamma", 1e-300, 1.001e-300, 0.5, 1e-301),
            ("cbrt", -1e-310, -0.999e-310, 1.0 / 3.0, 0.25),
        ] {
            let text = of_part(name, low, high);
            let place = format!("{name}, {low:e} to {high:e}");
            let [is, other] = [is, other].map(|c| format!("f64 = const 0x{:016x}", c.to_bits()));
            assert!(text.contains(&is), "{place}: {is}");
            let wrong = text.replace(&is, &other);
            match [text, wrong].map(|text| proven_with(&text, 16)) {
                [Ok(_), Err(why)] => println!("{place}: {why}"),
                [Err(why), _] => amiss.push(format!("{place}: {why}")),
                [_, Ok(_)] => amiss.push(format!("{place}: the wrong kernel is proven")),
            }
        }
        assert!(amiss.is_empty(), "{}", amiss.join("\n"));
    }

    /// A part of a stage, with its claim.
    fn of_stage(name: &str, low: f64, high: f64) -> String {
        of_stages(name, low, high).next().expect("it is there")
    }

    /// The same for each stage of a name with these numbers.
    fn of_stages(name: &str, low: f64, high: f64) -> impl Iterator<Item = String> {
        let has = move |r: [f64; 2]| r[0] <= low && high <= r[1];
        let all = Subject::all().filter(move |s| s.name == name);
        let found = all.filter(move |s| has(s.range) || s.also.is_some_and(has));
        found.map(move |mut subject| {
            (subject.range, subject.also) = ([low, high], None);
            certificate(&subject, &subject.stretches(), subject.claim)
        })
    }

    /// The certificate with another number in one of its lines.
    fn with_line(text: &str, word: &str, change: impl Fn(f64) -> f64) -> String {
        let line = text.lines().find(|l| l.starts_with(&format!("{word} ")));
        let line = line.expect("it has the line");
        let bits = u64::from_str_radix(&line[word.len() + 1..], 16).expect("bits");
        let changed = change(f64::from_bits(bits)).to_bits();
        without_words(&text.replace(line, &format!("{word} {changed:016x}")))
    }

    /// A changed certificate: its words would state another claim.
    fn without_words(text: &str) -> String {
        let lines = text.lines().filter(|l| !l.starts_with('#'));
        lines.map(|l| format!("{l}\n")).collect()
    }

    #[test]
    fn certificates_of_stages_are_proven_and_wider_claims_are_refused() {
        // With the least normal results.
        let exp = of_stage("pow(exponential)", -708.42, -708.37);
        let log = of_stage("pow(logarithm)", 1.03, 1.04);
        let sine = of_stage("sin(turn 3)", 0.04, 0.06);
        let cosine = of_stage("sin(turn 8)", 0.04, 0.06);
        let tangent = of_stage("tan(turn 5)", -0.06, -0.04);
        // Next to a zero and to a pole.
        let zero = of_stage("sin(turn 0)", 2f64.powi(-61), 2f64.powi(-60));
        let pole = of_stage("tan(turn 8)", 2f64.powi(-34), 2f64.powi(-33));
        for text in [&exp, &log, &sine, &cosine, &tangent, &zero, &pole] {
            let report = proven(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
            assert!(report.contains("PROVEN"), "{report}");
        }
        // These are far above the claim everywhere: the checker cuts down to a single number before it refuses a stretch.
        let refused = |text: &str, what: &str| {
            let why = proven(text).expect_err(what);
            assert!(why.contains("above the claim"), "{what}: {why}");
        };
        refused(&with_line(&exp, "slack", |s| 256.0 * s), "much slack");
        refused(
            &with_line(&sine, "slack", |s| s * 2f64.powi(50)),
            "much slack",
        );
        refused(
            &with_line(&cosine, "low", |l| l * 2f64.powi(30)),
            "a large low word",
        );
        refused(
            &with_line(&log, "error", |e| e * 2f64.powi(-40)),
            "a small error",
        );
        refused(&with_wrong_constant(&sine, -1.0 / 6.0), "a coefficient");
        let wrong = with_constant_times(&cosine, -0.5, -1.0);
        refused(&wrong, "another sign");
        let wrong = with_wrong_constant(&tangent, -1.0 / 6.0);
        refused(&wrong, "a coefficient");
        for (text, slack) in [(&tangent, 50), (&zero, 12), (&pole, 40)] {
            let wrong = with_line(text, "slack", |s| s * 2f64.powi(slack));
            refused(&wrong, "much slack");
        }
        refused(
            &with_line(&pole, "low", |l| l * 2f64.powi(8)),
            "a low word that is not much smaller than the argument",
        );
        for (text, function, others) in [
            (&sine, "sin", [2, 4, 13, 29]),
            (&tangent, "tan", [4, 6, 11, 13]),
            (&pole, "tan", [7, 9, 4, 12]),
        ] {
            let line = text.lines().find(|l| l.starts_with("function "));
            let line = line.expect("it has a function");
            for other in others {
                let wrong = text.replace(line, &format!("function turned {function} {other}"));
                let lines = wrong.lines().filter(|l| !l.starts_with('#'));
                let wrong: String = lines.map(|l| format!("{l}\n")).collect();
                refused(&wrong, "another turn");
            }
        }
    }

    /// atan(5/16) and π, which the kernel of `atan2` adds in two words.
    const FIVE: u64 = 0x3fd3_6277_3707_ebcc;
    const FIVE_LOW: u64 = 0xbc69_63a5_44b6_72d8;
    const PI_BITS: u64 = 0x4009_21fb_5444_2d18;

    #[test]
    fn certificates_of_arc_tangents_are_proven_and_others_are_refused() {
        let refused = |text: &str, what: &str| {
            let why = proven(text).expect_err(what);
            assert!(why.contains("above the claim"), "{what}: {why}");
        };
        // Place 0 is alone; among the results of place 1 to the left, and of others, are powers of two.
        for half in ["atan2(right half)", "atan2(left half)"] {
            let places: Vec<String> = of_stages(half, 0.03, 0.031).collect();
            assert_eq!(places.len(), 32);
            for place in [0, 1, 5, 15, 16, 17, 21, 31] {
                let report = proven(&places[place]);
                let report = report.unwrap_or_else(|why| panic!("{half} {place}: {why}"));
                assert!(report.contains("PROVEN"), "{report}");
            }
            let text = &places[5];
            // The angles are in the kernel's table.
            let other = |is: u64, other: u64| {
                let bits = format!("{is:016x}");
                assert!(text.contains(&bits), "{text}");
                text.replace(&bits, &format!("{other:016x}"))
            };
            refused(&other(FIVE, FIVE + 1), "the last bit of an angle");
            refused(&other(FIVE, FIVE - 1), "the last bit of an angle");
            refused(&other(FIVE_LOW, FIVE_LOW ^ 1 << 63), "a low word's sign");
            if half.contains("left") {
                refused(&other(PI_BITS, PI_BITS + 1), "the last bit of π");
            }
            refused(&with_wrong_constant(text, -1.0 / 3.0), "a coefficient");
            let plus = text.lines().find(|l| l.starts_with("plus "));
            let plus = plus.expect("it has the line");
            for [from, to] in [
                ["5 ", "4 "],
                ["5 0", "5 1"],
                ["-5 2", "-5 1"],
                ["-5", "5"],
                [" 5", " -5"],
            ] {
                let changed = plus.replacen(from, to, 1);
                if changed != plus {
                    refused(&without_words(&text.replace(plus, &changed)), &changed);
                }
            }
            let without = text.replace(&format!("{plus}\n"), "");
            refused(&without_words(&without), "no angle");
            refused(
                &with_line(text, "slack", |s| s * 2f64.powi(50)),
                "much slack",
            );
            refused(
                &with_line(text, "low", |l| l * 2f64.powi(30)),
                "a large low word",
            );
        }
        // Here the angle is that of the quotient alone.
        let alone = of_stage("atan2(right half)", 1e-12, 1e-3);
        assert!(!alone.contains("plus"));
        proven(&alone).expect("the kernel as it is");
        refused(
            &with_line(&alone, "slack", |s| s * 2f64.powi(20)),
            "much slack",
        );
    }
}
