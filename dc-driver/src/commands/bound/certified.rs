//! The certificate of a bound.

use std::path::Path;

use dc_exact::certificate::{Subject, claim};
use serde_json::{Value, json};

use crate::args::BoundCommandArgs;
use crate::certificate::Written;
use crate::context::Context;
use crate::exit;
use crate::failure::Failure;
use crate::proven::Computed;
use crate::proven::wording::up;

/// The factor of a claim above the bound, if no claim is given. The checker computes its own bounds, and some of them are a little larger.
const SLACK: f64 = 1.02;

/// The outcome for a certificate.
pub(super) enum Certificate {
    NotAsked,
    /// Nothing is proven.
    NoBound,
    /// The bound is above the requested claim.
    Above {
        bound: f64,
        claim: f64,
    },
    Written(Written),
}

impl Certificate {
    /// The certificate that no error is above the claim, for a bound of one argument. Inputs without a bound are not part of it.
    pub fn of_claim(
        name: &str,
        computed: &Computed,
        path: &Path,
        args: &BoundCommandArgs,
        context: &mut Context,
    ) -> Result<Certificate, Failure> {
        let Computed { subject, bound, .. } = computed;
        let proven = bound.bound;
        if !computed.is_bound() || !proven.is_finite() {
            return Ok(Certificate::NoBound);
        }
        // Four digits, upwards.
        let claimed = args.claim.unwrap_or((proven * SLACK * 1e4).ceil() / 1e4);
        if claimed < proven {
            return Ok(Certificate::Above {
                bound: proven,
                claim: claimed,
            });
        }
        let about = Subject {
            sweep: name,
            program: &subject.program,
            truth: &subject.truth,
            stretches: &subject.stretches,
        };
        let text = claim(about, &bound.special, claimed);
        Self::written(path, name, &text, args.jobs, context)
    }

    /// Writes a certificate, and has it checked.
    pub fn written(
        path: &Path,
        name: &str,
        text: &str,
        jobs: Option<usize>,
        context: &mut Context,
    ) -> Result<Certificate, Failure> {
        Written::and_checked(path, text, name, jobs, context).map(Certificate::Written)
    }

    /// A requested certificate that was not written or is not proven is a finding.
    pub fn holds(&self) -> Result<(), Failure> {
        match self {
            // The report says that there is no bound.
            Certificate::NotAsked | Certificate::NoBound => Ok(()),
            Certificate::Above { bound, claim } => Err(Failure {
                code: exit::FINDING,
                message: format!(
                    "no certificate: the bound, {} ULP, is above the claim, {claim} ULP",
                    up(*bound)
                ),
            }),
            Certificate::Written(written) => written.holds(),
        }
    }

    /// The report's words; `None` if no certificate was requested.
    pub fn in_words(&self) -> Option<String> {
        match self {
            Certificate::NotAsked => None,
            Certificate::NoBound => Some("not written: there is no bound".into()),
            Certificate::Above { claim, .. } => Some(format!(
                "not written: the bound is above the claim of {claim} ULP; a larger --cells or a longer --time may lower it"
            )),
            Certificate::Written(written) => Some(written.in_words()),
        }
    }

    /// The fields of the document.
    pub fn add_to(&self, document: &mut Value) {
        let written = match self {
            Certificate::Written(written) => Some(written),
            _ => None,
        };
        document["certificate"] = json!(written.map(|w| &w.file));
        document["certificate_proven"] = json!(written.and_then(Written::proven));
        document["certificate_refused"] = json!(written.and_then(Written::refused));
    }
}
