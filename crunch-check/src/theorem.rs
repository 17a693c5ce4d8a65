//! The theorem in words: the lines with `#`, which are meant for people, state exactly what is proven.

use crate::certificate::Certificate;
use crate::number::power_double;

/// The words of a certificate of this claim.
fn words(certificate: &Certificate) -> Vec<String> {
    let name = &certificate.function;
    let f = match (certificate.plus, certificate.scale) {
        (Some(plus), _) => format!("{name} + {plus}"),
        (None, Some(scale)) => format!("{scale} {name}"),
        (None, None) => name.clone(),
    };
    let error = certificate.error;
    let kernel = match certificate.words {
        true => "the sum K of the results of the kernel below",
        false => "the kernel K below",
    };
    let most = certificate.low.map(power_double);
    let (low, words, sum) = match (most, certificate.slack) {
        (Some(most), None) => (
            format!(" and each double l with |l| <= {most}"),
            "x, l",
            "x + l",
        ),
        (Some(most), Some(slack)) => (
            format!(", each double l with |l| <= {most}, and each real s with |s| <= {slack}"),
            "x, l",
            "x + l + s",
        ),
        (None, _) => (String::new(), "x", "x"),
    };
    let mut words = vec![
        format!("# Theorem. For each double x of the ranges below{low}, {kernel} and f = {f}:"),
        format!(
            "#     |K({words}) - f({sum})| <= {error} ulp(f({sum})),   ulp(y) = 2^(max(floor(log2 |y|), -1022) - 52),"
        ),
    ];
    words.extend(EXPLAINED.map(String::from));
    if certificate.reference.is_some() {
        words.extend(REFERENCE.map(String::from));
    }
    words
}

/// The meaning of the lines, which is the same in every certificate.
const EXPLAINED: [&str; 4] = [
    "# where K's operations are rounded as IEEE 754 says, to nearest, ties to even. Where both overflow there is no error.",
    "# At `worst` the error is that, but for its last digits. `crunch-check` proves it from this file alone: it cuts the stretches",
    "# `cut` into cells, each one number or of a class (one line of operations); `cell` names one. Of a class (`of` one of its",
    "# cells) stretches say how each may be proven: by a bound, by lattices, or input by input. docs/exact.md has the mathematics.",
];

/// The meaning of a reference.
const REFERENCE: [&str; 3] = [
    "# f is the reference below in real arithmetic: no operation on what depends on x is rounded, and of two results the",
    "# sum is meant. Integers, branches, table entries, roundings to integers, and what is made of them alone, are computed.",
    "# A binary64 number that is made of another's bits, as they are or with its exponent moved, is that number times a power of two.",
];

/// Compares the words with what is proven.
///
/// # Errors
/// The first line that states something else.
pub fn compare(certificate: &Certificate) -> Result<(), String> {
    let due = words(certificate);
    for (number, line) in &certificate.comments {
        if !due.contains(line) {
            return Err(format!(
                "line {number}: what is proven is f = {} and an error of at most {} ULP, and this line, which people read, has other \
                 words: `{line}`; a line with `#` states the theorem that is proven, or is not there",
                certificate.function, certificate.error,
            ));
        }
    }
    Ok(())
}
