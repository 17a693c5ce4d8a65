//! Writes the certificate of a proof, and proves it again with the code of `crunch-check`.

use std::path::Path;

use dc_exact::certificate;

use super::found::Found;
use super::report;
use crate::certificate::Written;
use crate::context::Context;
use crate::failure::Failure;
use dc_runtime::model::show;

/// Writes the certificate, has it checked, and reports the proof.
pub fn finish(
    path: &Path,
    mut found: Found,
    check: bool,
    jobs: Option<usize>,
    context: &mut Context,
) -> Result<(), Failure> {
    let text = match text(&found) {
        Ok(text) => text,
        Err(why) => {
            report::report(&found, context)?;
            let file = show::plain(&path.display().to_string());
            return Err(Failure::input(format!("{file} is not written: {why}")));
        }
    };
    let written = match check {
        true => Written::and_checked(path, &text, found.sweep, jobs, context)?,
        false => Written::to(path, &text)?,
    };
    let holds = written.holds();
    found.certificate = Some(written);
    report::report(&found, context)?;
    holds
}

fn text(found: &Found) -> Result<String, certificate::NotProven> {
    let subject = &found.computed.subject;
    let about = certificate::Subject {
        sweep: found.sweep,
        program: &subject.program,
        truth: &subject.truth,
        stretches: &subject.stretches,
    };
    let error = found.worst.as_ref().map_or(f64::INFINITY, |w| w.error.hi);
    certificate::certificate(about, &found.computed.bound, &found.exact, error)
}
