//! Certificates of searches with a fault: each claims less than the true error and is refused.

use std::process::Command;

use dc_exact::law::{Law, Truth};

mod support;

use support::Proof;

/// The checker's output, and whether it accepts.
fn checked(text: &str) -> (bool, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("some.cert");
    std::fs::write(&path, text).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_crunch-check"))
        .arg(&path)
        .args(["--sieve", "4096"])
        .output()
        .expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let printed = text(output.stdout) + &text(output.stderr);
    (output.status.success(), printed)
}

/// The worst input of `exp` is in it: 1.848082400995 ULP at 40492070a65a52cb.
fn exp() -> Proof {
    Proof::against("exp", Truth::Law(Law::Exp), 50.2534, 50.25345, 0.002)
}

/// A search that did not find its worst input, for whatever reason (a tie that was none, a pad too small, inputs between runs
/// left out), claims the error of the next one.
#[test]
fn a_search_that_missed_its_worst_input_is_refused() {
    let proof = exp();
    let hits = proof.above(1.838);
    assert!(hits.len() > 1, "{hits:?}");
    assert_eq!(hits[0].x.to_bits(), 0x4049_2070_a65a_52cb);
    for second in hits.iter().skip(1).take(3) {
        let (accepted, printed) = checked(&proof.certificate_of(second.x));
        assert!(!accepted && printed.contains("NOT PROVEN"), "{printed}");
        assert!(printed.contains("above the claim"), "{printed}");
    }
    let (accepted, printed) = checked(&proof.certificate());
    assert!(accepted, "{printed}");
}

/// The checker does not rely on the method that the certificate names for a stretch: a bound that does not hold is
/// refused, and one that holds is proven by the checker's own methods.
#[test]
fn what_closed_a_stretch_is_not_believed() {
    let proof = exp();
    let text = proof.certificate();
    let claim = text.lines().find(|l| l.starts_with("error ")).expect("it");
    let lower = format!("error {:016x}", 1.848_f64.to_bits());
    for how in ["bound ", "inputs "] {
        let changed = text.replace("\nlattice ", &format!("\n{how}"));
        assert_ne!(changed, text);
        let (accepted, printed) = checked(&changed);
        assert!(accepted, "{printed}");
        let (accepted, printed) = checked(&changed.replace(claim, &lower));
        assert!(!accepted, "{printed}");
        assert!(printed.contains("above the claim"), "{printed}");
    }
}
