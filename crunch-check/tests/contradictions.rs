//! What was computed is compared: a certificate that contradicts itself, or what was evaluated, is not proven, and the
//! exit code says which of the two it is.
//!
//! A checker with a fault is one that examines no stretch: nothing but the comparisons stands between a false claim and
//! the user then.

use std::process::Command;
use std::sync::OnceLock;

use crunch_check::{Options, Refused, check};
use dc_exact::law::{Law, Truth};

mod support;

/// The worst input of `exp` is in it: 1.848082400995 ULP at 40492070a65a52cb.
fn exp() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| support::certified("exp", Truth::Law(Law::Exp), 50.2534, 50.25345))
}

/// The line that begins with this, replaced.
fn with(text: &str, begins: &str, line: &str) -> String {
    let old = text.lines().find(|l| l.starts_with(begins));
    text.replace(old.expect(begins), line)
}

/// The certificate with another claim, in the words, too.
fn claiming(error: f64) -> String {
    let text = with(exp(), "error ", &format!("error {:016x}", error.to_bits()));
    let words = "#     |K(x) - f(x)| <= ";
    let old = text
        .lines()
        .find_map(|l| l.strip_prefix(words)?.split(' ').next());
    text.replace(
        &format!("{words}{}", old.expect("the theorem")),
        &format!("{words}{error}"),
    )
}

/// A checker that examines none of the stretches, as if all of them had been closed wrongly.
const BLIND: Options = Options {
    every: 1 << 20,
    jobs: 2,
    sieve: 1 << 16,
};

/// The exit code of the program, and all that it prints.
fn run(text: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("some.cert");
    std::fs::write(&path, text).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_crunch-check"))
        .arg(&path)
        .args(["--sieve", "4096"])
        .output()
        .expect("it runs");
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8_lossy(&printed).into_owned();
    (output.status.code(), printed)
}

fn contradicts(text: &str, options: Options, says: &str) {
    match check(text, options) {
        Err(Refused::Contradiction(what)) => assert!(what.contains(says), "{says}: {what}"),
        other => panic!("{says}: {other:?}"),
    }
}

/// The words of a certificate say that the worst input attains the claim.
#[test]
fn a_worst_input_far_below_the_claim_is_refused() {
    let refused = |factor: f64| check(&claiming(1.848_082_400_995 * factor), BLIND);
    assert!(refused(1.0 + 5e-7).is_ok());
    for factor in [1.0 + 2e-6, 1.01, 2.0] {
        match refused(factor) {
            Err(Refused::NotProven(why)) => assert!(why.contains("far below the claim"), "{why}"),
            other => panic!("{factor}: {other:?}"),
        }
    }
}

#[test]
fn a_worst_input_above_the_claim_contradicts_it() {
    let report = check(exp(), BLIND).expect("its claim is true");
    assert!(report.contains("SAMPLED"), "{report}");
    for lower in [1.848_082_4, 1.848, 0.5] {
        contradicts(&claiming(lower), BLIND, "ULP, above the claim of");
    }
}

#[test]
fn a_worst_input_outside_of_the_ranges_is_a_contradiction() {
    for x in [50.25346, -50.25342, 0.0] {
        let text = with(exp(), "worst ", &format!("worst {:016x}", f64::to_bits(x)));
        let (code, printed) = run(&text);
        assert_eq!(code, Some(4), "{printed}");
        for says in [
            "NOT PROVEN",
            "internal contradiction: please report",
            "none of the certificate's ranges",
        ] {
            assert!(printed.contains(says), "{says}: {printed}");
        }
        assert!(
            !printed.lines().any(|l| l.starts_with("PROVEN")),
            "{printed}"
        );
    }
}

/// The sieve finds inputs above a claim that the stretches would be closed for; the worst input is not named.
#[test]
fn the_sieve_finds_what_an_unsound_bound_hides() {
    let unnamed = |text: String| with(&text, "worst ", "");
    let report = check(&unnamed(claiming(1.849)), BLIND).expect("its claim is true");
    assert!(report.contains(" inputs of the ranges, "), "{report}");
    assert!(report.contains("a net, and not the proof"), "{report}");
    for claim in [1.6, 1.2, 0.4] {
        let text = unnamed(claiming(claim));
        contradicts(
            &text,
            BLIND,
            "the stretches are closed, and the sieve finds",
        );
        let none = Options { sieve: 0, ..BLIND };
        let report = check(&text, none).expect("nothing looks");
        assert!(report.contains("sieve         left out"), "{report}");
    }
}

/// One number in 2^30: no sample of the range meets it, but the worst input's neighbours do.
#[test]
fn the_sieve_looks_beside_the_worst_input() {
    // The worst input is not named, and an input at a distance of a power of two is.
    let beside = 0x4049_2070_a65a_52cb_u64 - (1 << 20);
    let text = with(&claiming(1.84), "worst ", &format!("worst {beside:016x}"));
    let few = Options {
        sieve: 256,
        ..BLIND
    };
    contradicts(&text, few, "40492070a65a52cb");
}

#[test]
fn the_theorem_in_words_is_the_one_that_is_proven() {
    let error = exp()
        .lines()
        .find_map(|l| l.strip_prefix("#     |K(x) - f(x)| <= "));
    let error = error.and_then(|l| l.split(' ').next()).expect("it");
    for (is, other) in [
        (format!("<= {error} ulp"), "<= 0.5 ulp".to_string()),
        ("f = exp:".into(), "f = ln:".into()),
        (
            "For each double x of the ranges below".into(),
            "For each double x".into(),
        ),
        ("to nearest, ties to even".into(), "upward".into()),
    ] {
        let text = exp().replacen(&is, &other, 1);
        assert_ne!(text, exp());
        let (code, printed) = run(&text);
        assert_eq!(code, Some(1), "{printed}");
        assert!(
            printed.contains("which people read, has other words"),
            "{printed}"
        );
    }
    let added = exp().replacen("sweep ", "# Theorem. No error is above 0.5 ULP.\nsweep ", 1);
    assert_eq!(run(&added).0, Some(1));
    // Words that are not there state nothing.
    let (code, printed) = run(&with(exp(), "# Theorem", ""));
    assert_eq!(code, Some(0), "{printed}");
}

#[test]
fn names_cannot_move_the_cursor() {
    let name = "\u{1b}[2J\u{1b}[1;31mexp\u{202e}\rPROVEN";
    let (code, printed) = run(&with(exp(), "sweep ", &format!("sweep {name}")));
    assert_eq!(code, Some(0), "{printed}");
    let moves = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(!printed.contains(moves), "{printed:?}");
    assert!(printed.contains("\\u{1b}[2J"), "{printed}");
    // In messages as well.
    let (code, printed) = run(&with(exp(), "sweep ", &format!("swep {name}")));
    assert_eq!(code, Some(1), "{printed}");
    assert!(!printed.contains(moves), "{printed:?}");
}

/// A panic is no proof, and no exit code that means something else.
#[test]
fn a_table_without_entries_is_refused() {
    let table = "doublecrunch ir 1\ntable t0: f64[0]\n";
    let text = exp().replacen("doublecrunch ir 1\n", table, 1);
    let kernel = text.split("\nend of kernel").next().expect("a kernel");
    let last = kernel.lines().filter(|l| l.starts_with("  %")).count();
    let result = kernel.rsplit("  return ").next().expect("a result");
    let load = format!(
        "  %{last}: i64 = to_i64 {result}\n  %{}: f64 = load t0, %{last}\n  return %{}\nend of kernel",
        last + 1,
        last + 1
    );
    let text = text.replacen(&format!("  return {result}\nend of kernel"), &load, 1);
    let (code, printed) = run(&text);
    assert!(matches!(code, Some(1 | 4)), "{code:?}: {printed}");
    assert!(
        printed.contains("NOT PROVEN") && !printed.lines().any(|l| l.starts_with("PROVEN")),
        "{printed}"
    );
}
