//! The stages of `tgamma` for negative numbers.

use super::*;

/// Parts of the stages, with their claims.
fn parts() -> [String; 3] {
    [
        of_stage("tgamma(gamma of a sum)", 1.46, 1.4601),
        of_stage("tgamma(gamma)", 171.7, 171.7002),
        of_stage("tgamma(sine)", 0.24, 0.2401),
    ]
}

/// The first number of a kernel whose bits these are has another's.
pub(super) fn with_bits(text: &str, is: u64, other: u64) -> String {
    let is = format!("{is:016x}");
    assert!(text.contains(&is), "{is} is not in {text}");
    text.replacen(&is, &format!("{other:016x}"), 1)
}

/// The kernel without the second word of its result, which is 0.
pub(super) fn without_second_word(text: &str) -> String {
    let line = text.lines().rfind(|l| l.starts_with("  return %"));
    let line = line.expect("it has results");
    let (first, second) = line.split_once(", %").expect("it has two results");
    // The last instruction.
    let next = second.parse::<u32>().expect("a number") + 1;
    let zero = format!("  %{next}: f64 = const 0x0000000000000000\n");
    text.replacen(line, &format!("{zero}{first}, %{next}"), 1)
}

#[test]
fn certificates_of_gamma_are_proven() {
    let mut all = parts().to_vec();
    // Among the results of the sum are powers of two, and the least. Results for larger numbers are infinite without the scale.
    for (name, low, high) in [
        ("tgamma(gamma of a sum)", 1.0, 1.0001),
        ("tgamma(gamma of a sum)", 1.9999, 2.0),
        ("tgamma(gamma)", 2.0, 2.001),
        ("tgamma(gamma)", 189.9999, 190.0),
        ("tgamma(sine)", 2f64.powi(-60), 2f64.powi(-50)),
        ("tgamma(sine)", 0.999, 1.0f64.next_down()),
        ("tgamma(sine)", 0.0313, 0.0314),
    ] {
        all.push(of_stage(name, low, high));
    }
    for text in all {
        let report = proven(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert!(report.contains("PROVEN"), "{report}");
    }
}

#[test]
fn certificates_of_gamma_with_faults_are_refused() {
    let refused = |text: &str, what: &str| {
        let why = proven(text).expect_err(what);
        assert!(why.contains("above the claim"), "{what}: {why}");
        println!("{what}: {why}");
    };
    let [sum, gamma, sine] = parts();
    for text in [&sum, &gamma, &sine] {
        refused(&without_second_word(text), "no second word");
        refused(&with_line(text, "error", |e| e / 32.0), "a small error");
    }
    // Γ: a word of the table's first polynomial, of Stirling's constant, and of ln 2.
    let place = 1.002_607_475_485_641_8f64.to_bits();
    refused(&with_bits(&gamma, place, place + 1), "a table's last bit");
    let low = (-8.873_859_046_329_049e-17f64).to_bits();
    refused(&with_bits(&gamma, low, low ^ 1 << 63), "a low word's sign");
    refused(&with_bits(&gamma, low, 0), "no low word in the table");
    let first = 0x3fda_cfe3_90c9_7d69;
    for text in [&sum, &gamma] {
        refused(&with_bits(text, first, first + 1), "a constant's last bit");
    }
    let second = 0x3c73_494b_c900_1442;
    refused(&with_bits(&gamma, second, 0), "no second constant");
    refused(&with_wrong_constant(&sum, 1.0 / 6.0), "a coefficient");
    // The power of two, and the word that is added to the argument.
    for other in ["-599", "-601"] {
        let wrong = gamma.replace("scale -600", &format!("scale {other}"));
        refused(&without_words(&wrong), "another scale");
    }
    let without = sum.replace("scale -600\n", "");
    refused(&without_words(&without), "no scale");
    refused(
        &with_line(&sum, "low", |l| l * 2f64.powi(30)),
        "a large low word",
    );
    // The sine: a word of its table, a sign, coefficients.
    let high = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    refused(&with_bits(&sine, high, high + 1), "a sine's last bit");
    refused(&with_constant_times(&sine, -0.5, -1.0), "another sign");
    refused(&with_wrong_constant(&sine, -1.0 / 6.0), "a coefficient");
    refused(&with_wrong_constant(&sine, 1.0 / 24.0), "a coefficient");
    // In both products.
    let [is, other] = [PI, PI.next_up()].map(|x| format!("{:016x}", x.to_bits()));
    refused(&sine.replace(&is, &other), "the last bit of π");
}
