//! The certificate of a bound over pairs, written and proven again with the code of `crunch-check`.

use std::path::Path;
use std::time::Instant;

use crunch_check::{Options, Refused};

use crate::failure::Failure;
use crate::whole;
use dc_runtime::model::show;

/// What became of the certificate.
pub(super) enum Written {
    /// None was asked for.
    No,
    /// Nothing is proven.
    Nothing,
    /// It is in this file.
    File {
        file: String,
        bytes: usize,
        /// The time in which the checker proved it, or why it refused it.
        checked: Result<f64, String>,
    },
}

impl Written {
    /// Writes a certificate, and has it checked.
    pub fn to(
        path: &Path,
        sweep: &str,
        text: Option<String>,
        jobs: Option<usize>,
    ) -> Result<Written, Failure> {
        let Some(text) = text else {
            return Ok(Written::Nothing);
        };
        let file = show::plain(&path.display().to_string());
        whole::write(path, &text).map_err(|e| Failure::input(format!("{file}: {e}")))?;
        let begun = Instant::now();
        let options = Options {
            jobs: jobs.unwrap_or(0),
            ..Options::default()
        };
        let checked = match crunch_check::check(&text, options) {
            Ok(_) => Ok(begun.elapsed().as_secs_f64()),
            Err(Refused::NotProven(why)) => Err(why),
            Err(Refused::Contradiction(what)) => {
                return Err(Failure::contradiction(&format!(
                    "{sweep}: {what}; the certificate {file} is kept for the report"
                )));
            }
        };
        Ok(Written::File {
            file,
            bytes: text.len(),
            checked,
        })
    }

    pub fn file(&self) -> Option<&str> {
        match self {
            Written::File { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Whether the checker proves it; `None` where there is none.
    pub fn proven(&self) -> Option<bool> {
        match self {
            Written::File { checked, .. } => Some(checked.is_ok()),
            _ => None,
        }
    }

    /// Why the checker refused it.
    pub fn refused(&self) -> Option<String> {
        match self {
            Written::File { checked, .. } => checked.clone().err(),
            _ => None,
        }
    }

    /// The report's words.
    pub fn in_words(&self) -> String {
        match self {
            Written::No => "none: --certificate FILE writes one, which `crunch-check` proves without this program's code".into(),
            Written::Nothing => "not written: there is no bound".into(),
            Written::File {
                file,
                bytes,
                checked,
            } => {
                let checked = match checked {
                    Ok(time) => format!(
                        "proven again with the checker's code in {}; `crunch-check {file}` does it apart from this program",
                        show::seconds(*time)
                    ),
                    Err(_) => "refused by the checker".into(),
                };
                format!("{file}, {} bytes, {checked}", show::count(*bytes as u128))
            }
        }
    }
}
