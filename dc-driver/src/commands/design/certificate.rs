//! What is proven of a design in binary64, in words, and its certificate.

use std::path::Path;
use std::time::Instant;

use crunch_check::{Options, Refused};
use dc_design::proof::Proof;
use dc_design::search::{Finalist, Outcome};
use dc_design::spec::Unit;
use serde_json::{Value, json};

use super::shared::{cannot, json_number, shown, up};
use crate::context::Context;
use crate::failure::Failure;
use crate::{exit, whole};
use dc_runtime::model::show;

/// What the column says about the inputs of an error.
pub(super) fn column(proof: Option<&Proof>) -> String {
    match proof {
        Some(p) if p.exact => "all, exact",
        Some(p) if p.upper.is_finite() => "all, bound",
        _ => "no bound",
    }
    .into()
}

/// What is known, in words.
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

/// The design that is written where a certificate is asked for.
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

/// What is said where the fastest design within the tolerance was not chosen.
pub(super) fn slower(outcome: &Outcome, fastest: usize) -> String {
    let number = shown(outcome)
        .position(|i| i == fastest)
        .map_or(0, |n| n + 1);
    format!(
        "design {number} is the fastest within the tolerance, and its largest error is known in a bracket only: the marked one is the \
         fastest with a certificate; --pick {number} writes the other"
    )
}

/// A certificate that was asked for.
pub(super) struct Certified {
    file: String,
    /// Its bytes, and the seconds in which the checker proved it; none where there is no certificate.
    checked: Option<(usize, f64)>,
}

impl Certified {
    pub(super) fn text(&self) -> String {
        match self.checked {
            Some((bytes, seconds)) => format!(
                "certificate: {}, {} bytes; the checker proves it in {}",
                self.file,
                show::count(bytes as u128),
                show::seconds(seconds)
            ),
            None => format!(
                "certificate: {} is not written: the largest error is known in a bracket only; --proof gives it more time",
                self.file
            ),
        }
    }

    pub(super) fn document(&self) -> Value {
        json!({
            "file": self.checked.map(|_| &self.file),
            "bytes": self.checked.map(|c| c.0),
            "checkedInSeconds": self.checked.map(|c| c.1),
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
    let Some(text) = proof.and_then(|p| p.certificate.as_ref()) else {
        return Ok(Certified {
            file,
            checked: None,
        });
    };
    whole::write(path, text).map_err(|e| cannot("the certificate", &file, &e))?;
    context.note(&format!("proving {file} again with the checker's code"));
    let begun = Instant::now();
    match crunch_check::check(text, Options::default()) {
        Ok(_) => Ok(Certified {
            file,
            checked: Some((text.len(), begun.elapsed().as_secs_f64())),
        }),
        Err(Refused::NotProven(why)) => Err(Failure {
            code: exit::FINDING,
            message: format!("the certificate {file} is not proven by the checker: {why}"),
        }),
        Err(Refused::Contradiction(what)) => Err(Failure::contradiction(&format!(
            "{what}; the certificate {file} is kept for the report"
        ))),
    }
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
