//! The beginning of every certificate: the theorem in words, the inputs, the claim, the kernel and the function.

use std::fmt::Write as _;

use kernels_gen::text::text;

use super::Subject;
use crate::cell::Cell;
use crate::law::{Angle, Power, Stage, Truth};

/// The first lines of a certificate.
pub(super) struct Head<'a> {
    pub subject: Subject<'a>,
    /// The inputs of the claim.
    pub stretches: &'a [Cell],
    /// The claim, in ULP.
    pub error: f64,
    /// An input with this error.
    pub worst: Option<f64>,
    /// The kind of proof, in comments.
    pub proof: &'a str,
}

/// The bits of a double.
fn bits(x: f64) -> String {
    format!("{:016x}", x.to_bits())
}

/// The ends of a stretch.
pub(super) fn pair(c: Cell) -> String {
    format!("{} {}", bits(c.lo), bits(c.hi))
}

/// The checker's name of a function.
#[must_use]
pub fn function(truth: &Truth) -> String {
    match truth {
        Truth::Stage(Stage { law, turn, .. }) if *turn > 0 => {
            format!("turned {} {turn}", law.name())
        }
        Truth::Stage(Stage { law, zero, .. }) if *zero > 0 => {
            format!("from-zero {} {zero}", law.name())
        }
        Truth::Law(law) | Truth::Stage(Stage { law, .. }) => law.name().into(),
        Truth::Power(Power::Of(y)) => format!("power exponent {}", bits(*y)),
        Truth::Power(Power::Base(a)) => format!("power base {}", bits(*a)),
        Truth::Program(_) => "reference".into(),
    }
}

pub(super) fn head(head: &Head<'_>) -> String {
    let Head {
        subject,
        stretches,
        error,
        worst,
        proof,
    } = *head;
    let function = function(subject.truth);
    let stage = subject.truth.stage();
    let plus = stage.map(|s| s.plus).filter(|&plus| plus != Angle::ZERO);
    let scale = stage.map(|s| s.scale).filter(|&k| k != 0);
    let low = stage.and_then(|s| s.low);
    let slack = stage.map(|s| s.slack).filter(|&s| s > 0.0);
    let words = stage.is_some_and(|s| s.words);
    let low_word = low.map(|low| format!("each double l with |l| <= {low}"));
    let rest = slack.map(|slack| format!("each real s with |s| <= {slack}"));
    let all = match (low_word, rest) {
        (Some(l), Some(s)) => format!(", {l}, and {s},"),
        (Some(one), None) | (None, Some(one)) => format!(" and {one},"),
        (None, None) => ",".into(),
    };
    let kernel = match words {
        true => "the sum K of the results of the kernel below",
        false => "the kernel K below",
    };
    let of = low.map_or("x", |_| "x, l");
    let mut at = String::from("x");
    at.extend(low.map(|_| " + l"));
    at.extend(slack.map(|_| " + s"));
    let meant = match (plus, scale) {
        (Some(plus), _) => format!(
            "{function} + atan({}/16) + {} pi/2",
            plus.sixteenths, plus.quarters
        ),
        (None, Some(k)) => format!("2^{k} {function}"),
        (None, None) => function.clone(),
    };
    let mut out = format!(
        "doublecrunch certificate 2\n\
         # Theorem. For each double x of the ranges below{all} {kernel} and f = {meant}:\n\
         #     |K({of}) - f({at})| <= {error} ulp(f({at})),   ulp(y) = 2^(max(floor(log2 |y|), -1022) - 52),\n\
         # where K's operations are rounded as IEEE 754 says, to nearest, ties to even. Where both overflow there is no error.\n\
         {proof}\
         sweep {}\nfunction {function}\n",
        subject.sweep,
    );
    // Writing to a string cannot fail.
    if let Some(plus) = plus {
        let _ = writeln!(out, "plus {} {}", plus.sixteenths, plus.quarters);
    }
    if let Some(k) = scale {
        let _ = writeln!(out, "scale {k}");
    }
    if let Some(low) = low {
        let _ = writeln!(out, "low {}", bits(low));
    }
    if let Some(slack) = slack {
        let _ = writeln!(out, "slack {}", bits(slack));
    }
    if words {
        out.push_str("words\n");
    }
    for stretch in stretches {
        let _ = writeln!(out, "range {}", pair(*stretch));
    }
    let _ = writeln!(out, "error {}", bits(error));
    if let Some(worst) = worst {
        let _ = writeln!(out, "worst {}", bits(worst));
    }
    let kernel = text(subject.program);
    let _ = writeln!(out, "kernel\n{}\nend of kernel", kernel.trim_end());
    if let Truth::Program(reference) = subject.truth {
        let reference = text(reference);
        let _ = writeln!(
            out,
            "{REFERENCE}reference\n{}\nend of reference",
            reference.trim_end()
        );
    }
    out
}

/// The meaning of a reference.
const REFERENCE: &str = "\
# f is the reference below in real arithmetic: no operation on what depends on x is rounded, and of two results the
# sum is meant. Integers, branches, table entries, roundings to integers, and what is made of them alone, are computed.
# A binary64 number that is made of another's bits, as they are or with its exponent moved, is that number times a power of two.
";
