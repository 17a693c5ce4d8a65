//! The result of a search for better constants.

use std::path::PathBuf;

use dc_design::improve::search::{Known, Outcome};
use dc_design::improve::vary::Kept;
use kernels_gen::constants::{Constant, Constants};

use super::certify::Bracket;
use dc_runtime::sweep::Sweep;

/// A constant that is kept, and the reason.
pub(super) struct Fixed {
    pub constant: usize,
    pub why: Kept,
}

/// What is known about the errors before or after the change.
pub(super) struct Errors {
    pub known: Known,
    pub bracket: Option<Bracket>,
}

impl Errors {
    /// The largest error that an input attains.
    pub fn lower(&self) -> f64 {
        self.bracket.as_ref().map_or(self.known.error, |b| b.lower)
    }

    /// A bound of all errors.
    pub fn upper(&self) -> f64 {
        match &self.bracket {
            Some(b) => b.upper,
            None if self.known.all => self.known.error,
            None => f64::INFINITY,
        }
    }
}

/// Everything that is reported.
pub(super) struct Improved<'a> {
    pub sweep: &'a Sweep,
    pub range: &'a str,
    pub inputs: u128,
    pub constants: &'a Constants,
    pub varied: &'a [usize],
    pub fixed: &'a [Fixed],
    pub before: Errors,
    /// The reason why nothing was searched.
    pub no_room: Option<String>,
    pub outcome: Option<Outcome>,
    pub after: Option<Errors>,
    pub written: Option<Written>,
    /// Other sweeps of this program that call a changed kernel.
    pub others: Vec<&'static str>,
    pub seconds: f64,
}

/// The file that was written.
pub(super) struct Written {
    pub path: PathBuf,
    /// The reason why it is not a patch.
    pub why_no_patch: Option<String>,
}

impl Improved<'_> {
    /// Whether it is proven that the new constants are better.
    pub fn better(&self) -> bool {
        let after = self.after.as_ref();
        after.is_some_and(|a| a.upper() < self.before.lower())
    }
}

/// The changed constants with their new bits.
pub(super) fn changes<'a>(result: &Improved<'a>) -> Vec<(&'a Constant, u64)> {
    let found = result.outcome.as_ref().and_then(|o| o.found.as_ref());
    found.map_or_else(Vec::new, |found| {
        found
            .worth
            .iter()
            .map(|&(n, _)| (&result.constants.all[result.varied[n]], found.bits[n]))
            .collect()
    })
}
