//! Writes the certificate of a proof, and proves it again with the code of `crunch-check`.
//!
//! The checker is a library dependency and not a separate program: `crunch` is also the `main` of
//! users' crates, where `crunch-check` may be missing or have another version. The checker itself depends on
//! none of these crates, and sees only the text. If you do not trust this process, run `crunch-check FILE`.

use std::path::Path;
use std::time::Instant;

use crunch_check::{Options, Refused};
use dc_exact::certificate;

use super::certified::{Checked, Written};
use super::found::Found;
use super::report;
use crate::context::Context;
use crate::exit;
use crate::failure::Failure;
use crate::whole;
use dc_runtime::model::show;

/// Writes the certificate, has it checked, and reports the proof.
pub(super) fn finish(
    path: &Path,
    mut found: Found,
    check: bool,
    jobs: Option<usize>,
    context: &mut Context,
) -> Result<(), Failure> {
    let file = show::plain(&path.display().to_string());
    let text = match text(&found) {
        Ok(text) => text,
        Err(why) => {
            report::report(&found, context)?;
            return Err(Failure::input(format!("{file} is not written: {why}")));
        }
    };
    whole::write(path, &text).map_err(|e| Failure::input(format!("{file}: {e}")))?;
    let checked = if check {
        context.note(&format!(
            "the certificate is {file}; proving it again with the checker's code"
        ));
        let begun = Instant::now();
        let options = Options {
            jobs: jobs.unwrap_or(0),
            ..Options::default()
        };
        match crunch_check::check(&text, options) {
            Ok(_) => Checked::Proven(begun.elapsed().as_secs_f64()),
            Err(Refused::NotProven(why)) => Checked::Refused(why),
            Err(Refused::Contradiction(what)) => {
                return Err(Failure::contradiction(&format!(
                    "{}: {what}; the certificate {file} is kept for the report",
                    found.sweep
                )));
            }
        }
    } else {
        Checked::No
    };
    found.certificate = Some(Written {
        file: file.clone(),
        bytes: text.len(),
        checked,
    });
    report::report(&found, context)?;
    match found.refused() {
        None => Ok(()),
        Some(why) => Err(Failure {
            code: exit::FINDING,
            message: format!("the certificate {file} is not proven by the checker: {why}"),
        }),
    }
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
