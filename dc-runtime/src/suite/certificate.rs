//! Compares the certificate of a sweep's largest error with the sweep: whether it is for this kernel, function and range.
//!
//! `crunch-check`, a separate program, proves its claim. Nothing is proven here.

use crate::model::programs::program_of;
use std::path::Path;

use kernels_gen::identity::identity_text;

use super::entry::{Entry, Suite};
use super::inputs;
use crate::model::kernel_ref::KernelRef;
use crate::model::key::Precision;
use crate::search::certify;

/// The contents of a certificate.
#[derive(Default)]
struct Claim {
    function: String,
    ranges: Vec<(i64, i64)>,
    error: f64,
    kernel: String,
    /// The text of the reference, if the reference in real arithmetic is the sweep's function.
    reference: String,
}

/// Compares the certificate of an entry with the entry. Returns the claim as text.
///
/// # Errors
/// If they differ: the difference, and how to write the certificate again.
pub(super) fn compare(suite: &Suite, entry: &Entry, file: &str) -> Result<String, String> {
    let name = entry.sweep.name;
    let path = Path::new(suite.folder).join(file);
    let renew = format!(
        "`crunch exact {name} --certificate {file}` writes it again, `crunch-check {file}` checks it"
    );
    let wrong = |what: &str| Err(format!("`{name}`: the certificate {file} {what}; {renew}"));
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) => return wrong(&format!("cannot be read: {e}")),
    };
    match format(&text) {
        Some(n) if FORMATS.contains(&n) => {}
        Some(n) => return wrong(&format!("is of format {n}, which is not read here")),
        None => return wrong("is incomplete, or is not a certificate"),
    }
    let Some(claim) = read(&text) else {
        return wrong("is incomplete, or is not a certificate");
    };
    let kernel = entry.sweep.candidate.kernel();
    let is = |kernel: Option<&KernelRef>, text: &str| {
        let program = kernel.and_then(|k| program_of(k.kernel).ok());
        program.is_some_and(|p| identity_text(p).trim_end() == text.trim_end())
    };
    if !is(kernel, &claim.kernel) {
        return wrong("belongs to another kernel than the routine here");
    }
    if function(entry) != claim.function {
        return wrong(&format!("is about the function {}", claim.function));
    }
    let reference = entry.sweep.kernels().map(|k| k[1]);
    if claim.function == "reference" && !is(reference, &claim.reference) {
        return wrong("belongs to another reference than the one here");
    }
    if !covers(&claim.ranges, entry)? {
        return wrong(&format!("is not of all inputs of {}", entry.sweep.range));
    }
    if claim.error.is_nan() || claim.error > entry.within {
        return wrong(&format!(
            "is of {} ULP, above the {} allowed",
            claim.error, entry.within
        ));
    }
    Ok(format!(
        "at most {} ULP by the certificate {file}",
        claim.error
    ))
}

/// The name of the sweep's function in certificates.
fn function(entry: &Entry) -> &'static str {
    // Without derivatives it is its reference in real arithmetic.
    let law = entry.sweep.truth.and_then(certify::law);
    law.map_or("reference", |law| law.name())
}

/// Whether the ranges contain every number of the entry's range.
fn covers(ranges: &[(i64, i64)], entry: &Entry) -> Result<bool, String> {
    let p = Precision::F64;
    let key = |x: f64| p.key_of_bits(x.to_bits());
    let mut ranges = ranges.to_vec();
    ranges.sort_unstable();
    Ok(inputs::range(entry)?.spans().iter().all(|span| {
        let last = span.last.min(key(f64::MAX));
        let mut due = span.first.max(key(f64::MIN));
        for &(lo, hi) in &ranges {
            if lo <= due {
                due = due.max(hi.saturating_add(1));
            }
        }
        due > last
    }))
}

/// The formats in which the claim is where this code reads it.
const FORMATS: [&str; 2] = ["1", "2"];

/// The format that a certificate's first line states.
fn format(text: &str) -> Option<&str> {
    text.lines()
        .next()?
        .strip_prefix("doublecrunch certificate ")
}

fn read(text: &str) -> Option<Claim> {
    let mut lines = text.lines().skip(1);
    if text.lines().next_back()? != "end" {
        return None;
    }
    let bits = |word: &str| u64::from_str_radix(word, 16).ok();
    let mut claim = Claim {
        error: f64::NAN,
        ..Claim::default()
    };
    while let Some(line) = lines.next() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["function", name] => claim.function = name.into(),
            ["error", x] => claim.error = f64::from_bits(bits(x)?),
            ["range", lo, hi] => {
                let [lo, hi] = [bits(lo)?, bits(hi)?].map(|b| Precision::F64.key_of_bits(b));
                claim.ranges.push((lo, hi));
            }
            [block @ ("kernel" | "reference")] => {
                let end = format!("end of {block}");
                let kept = if block == "kernel" {
                    &mut claim.kernel
                } else {
                    &mut claim.reference
                };
                for line in lines.by_ref().take_while(|l| *l != end) {
                    // Text after `//` affects no bit.
                    let code = line.split("//").next().unwrap_or_default();
                    kept.push_str(code.trim_end());
                    kept.push('\n');
                }
            }
            _ => {}
        }
    }
    Some(claim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::Folder;

    fn entry(within: f64) -> Entry {
        let all = crate::sweeps::ALL.iter();
        let sweep = all.copied().find(|s| s.name == "reciprocal");
        Entry {
            sweep: sweep.expect("it is built in"),
            within,
            certificate: Some("some.cert"),
            hunt: 0.0,
            inputs: 1,
            promises: &[],
        }
    }

    /// A certificate in the form of `crunch exact`, without the stretches, which only the checker uses.
    fn text() -> String {
        let kernel = entry(2.0)
            .sweep
            .candidate
            .kernel()
            .expect("a kernel")
            .kernel;
        let program = program_of(kernel).expect("it lowers");
        format!(
            "doublecrunch certificate 2\n# words\nsweep reciprocal\nfunction recip\nrange 3ff0000000000000 3fffffffffffffff\n\
             error {:016x}\nworst 3ff00004080e6626\nkernel\n{}end of kernel\nend\n",
            1.999_987_151_135_505_6f64.to_bits(),
            kernels_gen::text::text(program),
        )
    }

    fn held(text: &str, within: f64) -> Result<String, String> {
        let folder = Folder::new("suite-certificate");
        let path = folder.file("some.cert");
        std::fs::write(&path, text).expect("written");
        let parent = path.parent().and_then(Path::to_str).expect("UTF-8");
        let suite = Suite {
            module: "a::b",
            folder: String::leak(parent.to_string()),
            entries: &[],
            reductions: &[],
        };
        compare(&suite, &entry(within), "some.cert")
    }

    #[test]
    fn a_certificate_is_held_against_the_sweep() {
        let first = text().replacen("certificate 2", "certificate 1", 1);
        held(&first, 2.0).expect("the format before");
        let verdict = held(&text(), 2.0).expect("it fits");
        assert!(
            verdict.contains("1.9999871511355056 ULP by the certificate some.cert"),
            "{verdict}"
        );
        let long = text();
        for (text, within, says) in [
            (
                long.replace("0x4000000000000000", "0x4000000000000001"),
                2.0,
                "another kernel",
            ),
            (
                long.replace("function recip\n", "function exp\n"),
                2.0,
                "the function exp",
            ),
            (
                long.replace(" 3fffffffffffffff", " 3ffffffffffffffe"),
                2.0,
                "not of all inputs",
            ),
            (long.clone(), 1.99, "above the 1.99 allowed"),
            (
                long.replacen("certificate 2", "certificate 3", 1),
                2.0,
                "is of format 3, which is not read here",
            ),
            (long[..long.len() - 4].to_string(), 2.0, "is incomplete"),
            (String::new(), 2.0, "is incomplete"),
        ] {
            let error = held(&text, within).expect_err(says);
            assert!(error.contains(says), "{says}: {error}");
            assert!(
                error.contains("crunch exact reciprocal --certificate some.cert"),
                "{error}"
            );
        }
        let suite = Suite {
            module: "a::b",
            folder: "/there/is/no/folder",
            entries: &[],
            reductions: &[],
        };
        let error = compare(&suite, &entry(2.0), "some.cert").expect_err("nothing is there");
        assert!(error.contains("cannot be read"), "{error}");
    }
}
