//! The compared inputs, and a row of the result.

use crate::limit::Limit;
use dc_runtime::search::equivalence::{Agreement, Difference, Verdict};
use dc_runtime::search::range::Range;
use dc_runtime::search::sample::Sample;
use dc_runtime::sweep::Sweep;

/// One backend's row of the table.
pub(super) struct Row {
    pub(super) agreement: Agreement,
    /// The number of inputs that the backend received.
    pub(super) given: u128,
    /// The comparison on the special values, if they were compared.
    pub(super) edges: Option<Agreement>,
}

impl Row {
    /// The difference from the first backend.
    pub(super) fn difference(&self) -> Option<&Difference> {
        std::iter::once(&self.agreement)
            .chain(&self.edges)
            .find_map(|a| match &a.verdict {
                Verdict::Differs(d) => Some(&**d),
                _ => None,
            })
    }
}

/// The compared inputs of a sweep.
pub(super) struct Inputs {
    pub(super) whole: Range,
    pub(super) sample: Sample,
    pub(super) text: String,
    pub(super) edges: Option<Range>,
}

impl Inputs {
    /// The number of inputs from which the sample was taken, if it is one.
    pub(super) fn of(&self) -> Option<u128> {
        (!self.sample.is_exhaustive()).then_some(self.sample.of)
    }

    /// The limit for the results of the baseline, and the violations of it.
    pub(super) fn findings(&self, sweep: &Sweep, rows: &[Row]) -> (Option<Limit>, Vec<String>) {
        let limit = Limit::of(sweep, &self.whole);
        let found = match (limit, rows.first()) {
            (Some(l), Some(r)) => l.findings(sweep.inputs(), &r.agreement.result),
            _ => Vec::new(),
        };
        (limit, found)
    }
}
