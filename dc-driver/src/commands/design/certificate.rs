//! The proof for a design in binary64, in words, and its certificate.

use std::path::Path;

use dc_design::proof::Proof;
use dc_design::search::{Finalist, Outcome};
use dc_design::spec::Unit;
use serde_json::{Value, json};

use super::shared::{json_number, shown, up};
use crate::certificate::{Checked, Written};
use crate::context::Context;
use crate::failure::Failure;
use dc_runtime::model::show;

/// The text in the column for the inputs of an error.
pub(super) fn column(proof: Option<&Proof>) -> String {
    match proof {
        Some(p) if p.exact => "all, exact",
        Some(p) if p.upper.is_finite() => "all, bound",
        _ => "no bound",
    }
    .into()
}

/// What is known about the error, in words.
pub(super) fn known(p: &Proof, inputs: u128, unit: Unit) -> String {
    let inputs = show::count(inputs);
    let relative = match unit {
        Unit::Relative => format!(
            ", so at most {} relative where results are normal numbers",
            up(p.largest(unit))
        ),
        _ => String::new(),
    };
    match (p.exact, p.upper.is_finite()) {
        (true, _) => format!(
            "largest error {} ULP at {:?}, proven for all {inputs} inputs{relative}",
            up(p.lower),
            p.at
        ),
        (false, true) => format!(
            "largest error between {:.6} (at {:?}) and {} ULP, proven for all {inputs} inputs{relative}",
            p.lower,
            p.at,
            up(p.upper)
        ),
        _ => format!(
            "no bound of all {inputs} inputs was found: {} are left out; --proof gives it more time",
            show::count(p.left_out.into())
        ),
    }
}

/// A proof as JSON.
pub(super) fn document(p: &Proof) -> Value {
    json!({
        "lower": json_number(p.lower),
        "at": json_number(p.at),
        "upper": json_number(p.upper),
        "exact": p.exact,
        "leftOut": p.left_out,
        "seconds": p.seconds,
    })
}

/// The design that is written if a certificate is requested.
pub(super) fn pick(outcome: &Outcome) -> Option<usize> {
    let known = |f: &Finalist| {
        let proof = f.report.as_ref().and_then(|r| r.proof.as_ref());
        let certified = proof.is_some_and(|p| p.certificate.is_some());
        (f.meets(&outcome.problem), certified)
    };
    first(outcome.finalists.iter().map(known)).or(outcome.picked)
}

/// The first of the designs, by ascending time, that meets the request and has a certificate.
fn first(mut designs: impl Iterator<Item = (bool, bool)>) -> Option<usize> {
    designs.position(|known| known == (true, true))
}

/// The explanation if the fastest design within the tolerance was not chosen.
pub(super) fn slower(outcome: &Outcome, fastest: usize) -> String {
    let number = shown(outcome)
        .position(|i| i == fastest)
        .map_or(0, |n| n + 1);
    format!(
        "design {number} is the fastest within the tolerance, but its largest error is known only as a bracket: the marked design is the \
         fastest one with a certificate; --pick {number} writes design {number}"
    )
}

/// A requested certificate.
pub(super) struct Certified {
    file: String,
    /// The written certificate; `None` if the design has no proof.
    written: Option<Written>,
}

impl Certified {
    pub(super) fn text(&self) -> String {
        match &self.written {
            Some(Written {
                file,
                bytes,
                checked: Checked::Proven(seconds),
            }) => format!(
                "certificate: {file}, {} bytes; the checker proves it in {}",
                show::count(*bytes as u128),
                show::seconds(*seconds)
            ),
            Some(refused) => format!("certificate: {}", refused.in_words()),
            None => format!(
                "certificate: {} is not written: the largest error is known only as a bracket; --proof gives it more time",
                self.file
            ),
        }
    }

    pub(super) fn document(&self) -> Value {
        let seconds = self.written.as_ref().and_then(|w| match w.checked {
            Checked::Proven(seconds) => Some(seconds),
            _ => None,
        });
        json!({
            "file": self.written.as_ref().map(|_| &self.file),
            "bytes": self.written.as_ref().map(|w| w.bytes),
            "checkedInSeconds": seconds,
        })
    }
}

/// Writes the certificate of a design, and proves it again with the checker's code.
pub(super) fn write(
    f: &Finalist,
    path: &Path,
    context: &mut Context,
) -> Result<Certified, Failure> {
    let file = show::plain(&path.display().to_string());
    let proof = f.report.as_ref().and_then(|r| r.proof.as_ref());
    let written = match proof.and_then(|p| p.certificate.as_ref()) {
        Some(text) => {
            let written = Written::and_checked(path, text, "the design", None, context)?;
            written.holds()?;
            Some(written)
        }
        None => None,
    };
    Ok(Certified { file, written })
}

#[cfg(test)]
mod tests {
    use super::first;

    #[test]
    fn a_certificate_is_of_the_fastest_design_that_has_one_and_meets_the_request() {
        // Whether it meets the request, and whether it has a certificate.
        let designs = [(false, true), (true, false), (true, true), (true, true)];
        assert_eq!(first(designs.into_iter()), Some(2));
        assert_eq!(first([(false, true), (true, false)].into_iter()), None);
    }
}
