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

/// The certificate of 1 + (x + l) as e^(x + l), or of both of these words.
fn with_low_word(words: bool) -> String {
    let (lo, hi) = (
        2f64.powi(-30),
        f64::from_bits(2f64.powi(-30).to_bits() + 95),
    );
    let range = format!("{:016x} {:016x}", lo.to_bits(), hi.to_bits());
    let (line, result) = match words {
        true => ("words\n", "  return %2, %3\n"),
        false => ("", "  %4: f64 = add %2, %3\n  return %4\n"),
    };
    // Half of the square of x is 2^-9 units.
    let error = if words { 0.003 } else { 0.504 };
    format!(
        "doublecrunch certificate 2\nsweep low\nfunction exp\nlow {:016x}\nslack {:016x}\n{line}range {range}\nerror {:016x}\ncut \
         {range}\nkernel\ndoublecrunch ir 1\nfn f0\n  %0: f64 = param\n  %1: f64 = param\n  %2: f64 = const 0x3ff0000000000000\n  %3: f64 \
         = add %0, %1\n{result}end of kernel\nend\n",
        2f64.powi(-54).to_bits(),
        2f64.powi(-64).to_bits(),
        f64::to_bits(error)
    )
}

/// The largest error of all inputs with some low words.
fn truth_of_low_words(certificate: &Certificate) -> f64 {
    let check = Check::new(certificate).expect("it was proven");
    let most = certificate.low.map_or(0.0, |most| 2f64.powi(most));
    let slack = certificate.slack.unwrap_or(0.0);
    let mut largest = 0.0f64;
    for &(lo, hi) in &certificate.ranges {
        let step = ((hi - lo) / 40.0).max(f64::MIN_POSITIVE);
        for k in 0..=40 {
            let x = (lo + step * f64::from(k)).clamp(lo, hi);
            for low in [0.0, most, -most, 0.37 * most, -0.81 * most] {
                for slack in [slack, -slack] {
                    if let At::Error(e) = check.error_of::<192>(x, low, slack).expect("finite") {
                        let (low, high) = e.ends();
                        largest = largest.max(low).max(-high);
                    }
                }
            }
        }
    }
    largest
}

/// The same as below, with low words and results in two words.
#[test]
fn no_damage_to_low_words_proves_what_is_not_true() {
    let all = [with_low_word(false), with_low_word(true)];
    assert_eq!(all.each_ref().map(|text| proven(text)), [Ok(()), Ok(())]);
    let mut random = Random(15);
    let (mut refused, mut accepted) = (0, 0);
    for i in 0..300 {
        let text = damaged(&all[i % 2], &mut random);
        let verdict = catch_unwind(|| proven(&text));
        let verdict = verdict.unwrap_or_else(|_| panic!("mutation {i} makes it panic:\n{text}"));
        if verdict.is_err() {
            refused += 1;
            continue;
        }
        accepted += 1;
        let certificate = Certificate::parse(&text).expect("it was proven");
        let truth = truth_of_low_words(&certificate);
        assert!(
            certificate.error >= truth,
            "mutation {i}: {} is claimed, and {truth} is true:\n{text}",
            certificate.error
        );
    }
    println!("{refused} refused, {accepted} proven, with nothing that is not true");
    assert!(refused > 150 && accepted > 6, "{refused} {accepted}");
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
