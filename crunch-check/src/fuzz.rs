//! Damaged certificates. None of them is proven with a claim below the true error, and none makes the checker panic.

use std::collections::BTreeMap;
use std::panic::catch_unwind;

use dc_exact::law::{Law, Truth};

use crate::certificate::Certificate;
use crate::check::{At, Check};
use crate::random::Random;

#[path = "../tests/support/mod.rs"]
mod support;

/// The certificate of a built-in routine over this many inputs.
fn certified(name: &'static str, law: Law, lo: f64, inputs: u64) -> String {
    let hi = f64::from_bits(lo.to_bits() + inputs - 1);
    support::Proof::against(name, Truth::Law(law), lo, hi, 0.1).certificate()
}

/// Whether the checker proves a text.
fn proven(text: &str) -> Result<(), String> {
    let certificate = Certificate::parse(text)?;
    let check = Check::new(&certificate)?;
    check.run(1)?;
    if let Some(x) = certificate.worst {
        check.error_at::<192>(x)?;
    }
    Ok(())
}

/// The subject of a claim: everything but the error.
fn about(certificate: &Certificate) -> String {
    format!(
        "{:?} {:?} {}",
        certificate.law, certificate.ranges, certificate.program
    )
}

/// The largest error of all inputs of a certificate's ranges, each of which is evaluated: the certain part of it.
fn truth(certificate: &Certificate) -> f64 {
    let check = Check::new(certificate).expect("it was proven");
    let mut largest = 0.0f64;
    for &(lo, hi) in &certificate.ranges {
        let mut x = lo;
        while x <= hi {
            if let At::Error(e) = check.error_at::<192>(x).expect("it was proven") {
                let (low, high) = e.ends();
                largest = largest.max(low).max(-high);
            }
            x = x.next_up();
        }
    }
    largest
}

/// One of this many places.
fn place(random: &mut Random, of: usize) -> usize {
    random.below(of as u64) as usize
}

/// A text with one change: of a byte, a digit, a word or a line.
fn damaged(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let (a, b) = (place(random, lines.len()), place(random, lines.len()));
    match place(random, 8) {
        0 => {
            lines.remove(a);
        }
        1 => lines.insert(a, lines[b].clone()),
        2 => lines.swap(a, b),
        3 => lines.truncate(a + 1),
        4 => {
            // A word is replaced by one of another line.
            let other: Vec<&str> = lines[b].split(' ').collect();
            let word = other[place(random, other.len())].to_string();
            let mut words: Vec<&str> = lines[a].split(' ').collect();
            let at = place(random, words.len());
            words[at] = &word;
            lines[a] = words.join(" ");
        }
        5 | 6 => {
            // A digit of a number is changed.
            let mut bytes = lines[a].clone().into_bytes();
            let digits: Vec<usize> = (0..bytes.len())
                .filter(|&i| bytes[i].is_ascii_hexdigit())
                .collect();
            if !digits.is_empty() {
                bytes[digits[place(random, digits.len())]] = b"0123456789abcdef"[place(random, 16)];
            }
            lines[a] = String::from_utf8_lossy(&bytes).into_owned();
        }
        _ => {
            let mut bytes = text.as_bytes().to_vec();
            let at = place(random, bytes.len());
            match place(random, 3) {
                0 => bytes[at] = place(random, 256) as u8,
                1 => bytes.insert(at, place(random, 128) as u8),
                _ => {
                    bytes.remove(at);
                }
            }
            return String::from_utf8_lossy(&bytes).into_owned();
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn no_damage_proves_what_is_not_true() {
    damage(1_000);
}

#[test]
#[ignore = "long: cargo test -p crunch-check --lib -- --ignored no_damage"]
fn no_damage_proves_what_is_not_true_at_length() {
    damage(10_000);
}

fn damage(mutations: usize) {
    let all = [
        certified("reciprocal", Law::Recip, 1.75, 96),
        certified("exp", Law::Exp, 0.3, 96),
    ];
    let mut truths: BTreeMap<String, f64> = BTreeMap::new();
    let mut random = Random(14);
    let (mut refused, mut accepted) = (0, 0);
    for i in 0..mutations {
        let text = damaged(&all[i % all.len()], &mut random);
        let verdict = catch_unwind(|| proven(&text));
        let verdict = verdict.unwrap_or_else(|_| panic!("mutation {i} makes it panic:\n{text}"));
        if verdict.is_err() {
            refused += 1;
            continue;
        }
        accepted += 1;
        let certificate = Certificate::parse(&text).expect("it was proven");
        let key = about(&certificate);
        let truth = *truths.entry(key).or_insert_with(|| truth(&certificate));
        assert!(
            certificate.error >= truth,
            "mutation {i}: {} is claimed, and {truth} is true:\n{text}",
            certificate.error
        );
    }
    println!("{refused} refused, {accepted} proven, with nothing that is not true");
    // Both kinds of damage must have occurred: to words for readers only and to duplicated text, which is accepted, and
    // all other damage, which is refused.
    assert!(
        refused > mutations / 2 && accepted > mutations / 100,
        "{refused} {accepted}"
    );
}
