//! Certificates of routines of two arguments, over all pairs: [`checked`] proves one from its text.
//!
//! Over a box of pairs, each value of the kernel is a polynomial, with exact coefficients, in the arguments' magnitudes and the errors of the kernel's
//! roundings. The function itself is not evaluated: only the equation of which its value is the root is used.
//!
//! | file | contents |
//! |---|---|
//! | `certificate` | the parser of the file, and the theorem in words |
//! | `cover` | rectangles of pairs; whether some of them cover another |
//! | `function` | the functions |
//! | `poly`, `atoms` | polynomials in atoms; known properties of atoms |
//! | `sizes` | sizes of atoms and polynomials relative to the function |
//! | `value`, `round` | values; operations, whose roundings are atoms |
//! | `kept` | operations after which it is still known what was rounded |
//! | `path` | the kernel over a box, along a path of its comparisons |
//! | `compare` | the result and the function |
//! | `net` | pairs that are run after the proof |

mod atoms;
pub mod certificate;
mod compare;
mod cover;
mod function;
mod kept;
mod net;
mod path;
mod poly;
mod round;
#[cfg(test)]
mod shadow;
mod sizes;
#[cfg(test)]
mod tests;
mod value;

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use crate::number::{Number, exact};
use crate::refused::{Options, Refused, plain};
use certificate::Certificate;
use compare::Verdict;
use cover::{Rectangle, Sign, covers};
use path::{Fact, Path};
use value::{BINARY32, Value};

/// The largest number of parts of an unproven box that are examined.
const PARTS: usize = 200;
/// The largest number of questions on which a kernel's path may depend.
const FACTS: usize = 8;
/// The largest number of pairs that are run after the proof.
const NET: u64 = 1 << 16;

/// What is proven about a rectangle in which no argument changes its sign, along all paths.
fn of_part(certificate: &Certificate, part: &Rectangle) -> Result<Verdict, String> {
    let mut all = Verdict {
        error: Number::zero(),
        nearest: true,
    };
    let mut todo: Vec<Vec<Fact>> = vec![Vec::new()];
    while let Some(facts) = todo.pop() {
        let (mut path, start) = Path::new(certificate.function, part, certificate.format, &facts);
        match path.run(&certificate.program, &start.values) {
            Ok(Value::Float(z)) => {
                let verdict = path.compare(&z, &start, certificate.format)?;
                all.error = all.error.max(verdict.error);
                all.nearest &= verdict.nearest;
            }
            Ok(_) => return Err("an operation or a value is not understood".into()),
            Err(_) if facts.len() == FACTS => {
                return Err("it depends on too many comparisons".into());
            }
            Err(question) => todo.extend(question.answers().iter().map(|&answer| {
                let mut facts = facts.clone();
                facts.push((question.clone(), answer));
                facts
            })),
        }
    }
    Ok(all)
}

/// Whether the proven bound is at most the claimed one.
fn enough(certificate: &Certificate, verdict: &Verdict) -> Result<(), String> {
    if certificate.nearest && !verdict.nearest {
        return Err("a result is not shown to be rounded to nearest".into());
    }
    match verdict.error <= exact(certificate.error) {
        true => Ok(()),
        false => Err(format!(
            "no error is shown to be below {} ULP, and the claim is {} ULP",
            crate::number::double_above(&verdict.error),
            certificate.error
        )),
    }
}

/// Proves a box, in parts if necessary. Returns the number of parts.
fn close(certificate: &Certificate, of: &Rectangle) -> Result<u64, String> {
    let mut todo = of.signs();
    let mut looked = 0;
    while let Some(part) = todo.pop() {
        looked += 1;
        let proven = of_part(certificate, &part).and_then(|v| enough(certificate, &v));
        if let Err(why) = proven {
            match part.halves(certificate.format) {
                Some(halves) if looked < PARTS => todo.extend(halves),
                _ => return Err(format!("{}: {why}", words(&part))),
            }
        }
    }
    Ok(looked as u64)
}

/// Proves a certificate of pairs. Returns the report, which ends with a line break.
///
/// # Errors
/// If the certificate is not proven, or a pair that was run contradicts it.
pub fn checked(text: &str, options: Options) -> Result<String, Refused> {
    let begun = Instant::now();
    let certificate = Certificate::parse(text).map_err(Refused::NotProven)?;
    let f = certificate.format;
    for pairs in &certificate.pairs {
        if !covers(&certificate.boxes, pairs, f) {
            return Err(Refused::NotProven(format!(
                "some pairs are in no box: of those with {}",
                words(pairs)
            )));
        }
    }
    let parts = AtomicU64::new(0);
    let boxes: Vec<&Rectangle> = certificate
        .boxes
        .iter()
        .step_by(options.every.max(1))
        .collect();
    (boxes.par_iter())
        .try_for_each(|of| {
            parts.fetch_add(close(&certificate, of)?, Ordering::Relaxed);
            Ok(())
        })
        .map_err(Refused::NotProven)?;
    let proven = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let net = match options.sieve.min(NET) {
        0 => None,
        n => Some(net::net(&certificate, n).map_err(|what| {
            Refused::Contradiction(format!(
                "the boxes are proven, and of the pairs that were run: {what}"
            ))
        })?),
    };
    let ran = begun.elapsed().as_secs_f64();
    let word = if options.every > 1 {
        "SAMPLED"
    } else {
        "PROVEN"
    };
    let mut out = format!(
        "{word}: {}, as an approximation of {}:\n",
        plain(&certificate.sweep),
        certificate.function.text()
    );
    // Writing to a string does not fail.
    let mut line = |name: &str, text: String| {
        let _ = writeln!(out, "  {name:13} {text}");
    };
    let names = if f == BINARY32 {
        "binary32"
    } else {
        "binary64"
    };
    // Each two are compared.
    let few = certificate.pairs.len() <= 1000;
    let counted = few.then(|| cover::count(&certificate.pairs, f)).flatten();
    match counted {
        Some(n) if Some(n) == cover::count(&cover::of_all(f), f) => {
            line("pairs", format!("all pairs of finite numbers of {names}"));
        }
        Some(n) if Some(n) == cover::count(&cover::of_all(f)[..2], f) && no_zero(&certificate) => {
            line(
                "pairs",
                format!("all pairs of finite numbers of {names} but those with y = 0"),
            );
        }
        _ => {
            for pairs in certificate.pairs.iter().take(20) {
                line("pairs", words(pairs));
            }
            if certificate.pairs.len() > 20 {
                line(
                    "pairs",
                    format!("and {} more rectangles", certificate.pairs.len() - 20),
                );
            }
        }
    }
    line(
        "largest error",
        format!("at most {} ULP", certificate.error),
    );
    if certificate.nearest {
        line(
            "rounding",
            "to nearest, ties to even: also subnormal and infinite results".into(),
        );
    }
    line(
        "checked",
        format!(
            "{} of {} boxes, in {} parts; {proven:.1} s",
            boxes.len(),
            certificate.boxes.len(),
            parts.load(Ordering::Relaxed)
        ),
    );
    line(
        "net",
        match net {
            None => "left out".into(),
            Some((n, worst)) => {
                format!("{n} pairs run afterwards, the largest error {worst:.9} ULP; {ran:.1} s")
            }
        },
    );
    Ok(out)
}

fn no_zero(certificate: &Certificate) -> bool {
    certificate.pairs.iter().all(|r| r.sides[1].hi > 0.0)
}

fn words(of: &Rectangle) -> String {
    let side = |name: &str, i: usize| {
        let s = &of.sides[i];
        match s.sign {
            _ if s.hi == 0.0 => format!("{name} = 0"),
            Sign::Both => format!("|{name}| from {:e} to {:e}", s.lo, s.hi),
            Sign::Plus => format!("{name} from {:e} to {:e}", s.lo, s.hi),
            Sign::Minus => format!("{name} from {:e} to {:e}", -s.hi, -s.lo),
        }
    };
    format!("{}, {}", side("x", 0), side("y", 1))
}
