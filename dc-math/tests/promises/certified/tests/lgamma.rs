//! The stages of `lgamma` for negative numbers.

use super::gamma::{with_bits, without_second_word};
use super::*;

/// Parts of the stages: Stirling's formula, the first three zeros, and one with a small distance from its pole.
fn parts() -> [String; 5] {
    [
        of_stage("lgamma(far)", 170.0, 170.001),
        of_stage("lgamma(zero 1)", 0.1, 0.1001),
        of_stage("lgamma(zero 2)", -0.1, -0.0999),
        of_stage("lgamma(zero 3)", 0.03, 0.0301),
        of_stage("lgamma(zero 20)", -8e-10, -7.9e-10),
    ]
}

#[test]
fn certificates_of_lgamma_are_proven() {
    let mut all = parts().to_vec();
    for (name, low, high) in [
        ("lgamma(far)", 1e6, 1.0001e6),
        ("lgamma(far)", 2f64.powi(52) - 1.0, 2f64.powi(52)),
        ("lgamma(zero 1)", 2f64.powi(-50), 2f64.powi(-48)),
        ("lgamma(zero 31)", 1.1e-15, 1.101e-15),
    ] {
        all.push(of_stage(name, low, high));
    }
    for text in all {
        let report = proven(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert!(report.contains("PROVEN"), "{report}");
    }
}

#[test]
fn certificates_of_lgamma_with_faults_are_refused() {
    let refused = |text: &str, what: &str| {
        let why = proven(text).expect_err(what);
        assert!(why.contains("above the claim"), "{what}: {why}");
        println!("{what}: {why}");
    };
    let [far, one, two, three, twenty] = parts();
    refused(&without_second_word(&far), "no second word");
    refused(&with_line(&far, "error", |e| e / 2048.0), "a small error");
    // Stirling's constant, and the first coefficient of its series.
    let first = 0x3fda_cfe3_90c9_7d69;
    refused(
        &with_bits(&far, first, first + 4096),
        "a constant's last bits",
    );
    for (text, k) in [(&one, 1), (&two, 2), (&three, 3), (&twenty, 20)] {
        // The law of another zero.
        for other in [k - 1, k + 1] {
            let wrong = text.replace(&format!(" lgamma {k}\n"), &format!(" lgamma {other}\n"));
            assert!(other == 0 || wrong != *text, "{k}");
            if other > 0 {
                refused(&without_words(&wrong), "another zero");
            }
        }
        refused(
            &with_line(text, "low", |l| l * 2f64.powi(30)),
            "a large low word",
        );
        refused(&with_line(text, "error", |e| e - 0.02), "half an ULP");
    }
    // Next to zero 3: the first coefficients, a low word, the inverse, the logarithm.
    for (is, factor, what) in [
        (
            1.984_822_024_122_152_4,
            1.0 + f64::EPSILON,
            "a coefficient's last bit",
        ),
        (
            0.896_002_952_688_959,
            1.0 + 2f64.powi(-44),
            "the second coefficient",
        ),
        (
            0.186_570_257_175_245_22,
            1.0 + 2f64.powi(-36),
            "the third coefficient",
        ),
        (
            -8.132_367_828_386_167,
            1.0 + f64::EPSILON,
            "the inverse's last bit",
        ),
        (
            0.712_838_223_300_039_9,
            1.0 + f64::EPSILON,
            "the centre's last bit",
        ),
    ] {
        let wrong: f64 = is * factor;
        refused(&with_bits(&three, is.to_bits(), wrong.to_bits()), what);
    }
}
