//! A certificate that a command writes, and the verdict of `crunch-check`'s code on it.
//!
//! The checker is a library dependency and not a separate program, because `crunch` is also the `main` of users' crates, where
//! `crunch-check` may be missing or have another version. The checker itself depends on none of these crates, and sees only the text. If
//! you do not trust this process, run `crunch-check FILE`.

use std::path::Path;
use std::time::Instant;

use crunch_check::{Options, Refused};
use dc_runtime::model::show;

use crate::context::Context;
use crate::exit;
use crate::failure::Failure;
use crate::whole;

/// A certificate that was written.
pub(crate) struct Written {
    /// Its file, as text for a terminal.
    pub file: String,
    pub bytes: usize,
    pub checked: Checked,
}

/// The checker's verdict on a certificate.
pub(crate) enum Checked {
    /// The checker proves the certificate, in this many seconds.
    Proven(f64),
    /// The checker does not prove it, for this reason.
    Refused(String),
    /// The checker was not run.
    No,
}

impl Written {
    /// Writes a certificate to a file, without running the checker.
    pub fn to(path: &Path, text: &str) -> Result<Written, Failure> {
        let file = show::plain(&path.display().to_string());
        whole::write(path, text).map_err(|e| whole::not_written("the certificate", &file, &e))?;
        Ok(Written {
            file,
            bytes: text.len(),
            checked: Checked::No,
        })
    }

    /// Writes a certificate of a sweep or a design, and has it checked.
    ///
    /// # Errors
    /// The file cannot be written, or the checker found an input with an error above the claim.
    pub fn and_checked(
        path: &Path,
        text: &str,
        subject: &str,
        jobs: Option<usize>,
        context: &mut Context,
    ) -> Result<Written, Failure> {
        let mut written = Self::to(path, text)?;
        let file = &written.file;
        context.note(&format!(
            "the certificate is {file}; proving it again with the checker's code"
        ));
        let begun = Instant::now();
        let options = Options {
            jobs: jobs.unwrap_or(0),
            ..Options::default()
        };
        written.checked = match crunch_check::check(text, options) {
            Ok(_) => Checked::Proven(begun.elapsed().as_secs_f64()),
            Err(Refused::NotProven(why)) => Checked::Refused(why),
            Err(Refused::Contradiction(what)) => {
                return Err(Failure::contradiction(&format!(
                    "{subject}: {what}; the certificate {file} is kept for the report"
                )));
            }
        };
        Ok(written)
    }

    /// Whether the checker proves the certificate; `None` if it was not run.
    pub fn proven(&self) -> Option<bool> {
        match self.checked {
            Checked::No => None,
            Checked::Proven(_) => Some(true),
            Checked::Refused(_) => Some(false),
        }
    }

    /// The reason why the checker refused the certificate.
    pub fn refused(&self) -> Option<&str> {
        match &self.checked {
            Checked::Refused(why) => Some(why),
            _ => None,
        }
    }

    /// A refused certificate is a finding, whatever the other results are.
    pub fn holds(&self) -> Result<(), Failure> {
        match self.refused() {
            None => Ok(()),
            Some(why) => Err(Failure {
                code: exit::FINDING,
                message: format!(
                    "the certificate {} is not proven by the checker: {why}",
                    self.file
                ),
            }),
        }
    }

    /// The file of the certificate, and whether it was checked.
    pub fn in_words(&self) -> String {
        let Written {
            file,
            bytes,
            checked,
        } = self;
        let checked = match checked {
            Checked::Proven(time) => format!(
                "proven again with the checker's code in {}; `crunch-check {file}` does it apart from this program",
                show::seconds(*time)
            ),
            Checked::Refused(_) => "refused by the checker".into(),
            Checked::No => format!("not checked (--no-check); `crunch-check {file}` checks it"),
        };
        let bytes = show::count(*bytes as u128);
        format!("{file}, {bytes} bytes, {checked}")
    }
}
