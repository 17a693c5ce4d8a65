//! What a kernel is on a cell, with ranges of its operations' results by series.
//!
//! Ranges by intervals grow with the cell where a sum nearly cancels. An integer that is made of such a result, as a table's index, seems to vary unless
//! the cell is narrower than its distance from the inputs at which it does. An analysis encloses the same results closely.

use super::Check;
use crate::analysis::Analysis;
use crate::cell::{Outcome, line_before, outcome, outcome_within};
use crate::residual::{Assumed, Kind, Node, Stop};

/// The largest number of values whose ranges are sought in turn.
const ROUNDS: usize = 4;

impl Check<'_> {
    /// As [`outcome`], which holds for all inputs of the cell: so do the ranges of an analysis, which assumes nothing.
    pub(super) fn outcome(&self, lo: f64, hi: f64, constants: bool) -> Result<Outcome, Stop> {
        let mut found = outcome(&self.program, lo, hi, constants);
        let mut known = Assumed::new();
        for _ in 0..ROUNDS {
            let Ok(Outcome::Varies(site)) = found else {
                break;
            };
            let line = line_before(&self.program, site, lo, hi, constants);
            let Some(of) = line.and_then(|line| Analysis::of_all(&line, lo, hi)) else {
                break;
            };
            let before = known.len();
            let operates = |n: &Node| !matches!(n.kind, Kind::Input | Kind::Const(_));
            for (node, values) in of.line.nodes.iter().zip(&of.values) {
                // A number that is made of bits is several operations of one site.
                let nodes = of.line.nodes.iter();
                let alone = nodes.filter(|n| operates(n) && n.site == node.site).count() == 1;
                if operates(node) && alone {
                    known.insert(node.site, values.ends());
                }
            }
            if known.len() == before {
                break;
            }
            found = outcome_within(&self.program, lo, hi, constants, &known);
        }
        found
    }
}
