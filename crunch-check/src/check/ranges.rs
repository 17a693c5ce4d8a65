//! The kernel on a cell, with ranges of its operations' results by series.
//!
//! Where a sum nearly cancels, ranges by intervals grow with the cell. An integer that is made of such a result, such as a table's index, then seems to
//! vary unless the cell is narrower than its distance from the inputs at which the integer changes. An analysis encloses the same results closely.

use super::Check;
use crate::analysis::Analysis;
use crate::cell::{Outcome, line_before, outcome, outcome_within};
use crate::residual::{Assumed, Node, Stop};

/// The largest number of values whose ranges are sought one after another.
const ROUNDS: usize = 4;

impl Check<'_> {
    /// The same as [`outcome`]. That function holds for all inputs of the cell, and so do the ranges of an analysis, which assumes nothing.
    pub(super) fn outcome(&self, lo: f64, hi: f64, constants: bool) -> Result<Outcome, Stop> {
        let mut found = outcome(&self.program, lo, hi, constants);
        let mut known = Assumed::new();
        let mut before = None;
        for _ in 0..ROUNDS {
            let Ok(Outcome::Varies(site)) = found else {
                break;
            };
            // Its ranges are known already.
            if before.replace(site) == Some(site) {
                break;
            }
            let line = line_before(&self.program, site, lo, hi, constants);
            let Some(of) = line.and_then(|line| Analysis::of_all(&line, lo, hi)) else {
                break;
            };
            let many = known.len();
            let operates = |n: &Node| n.kind.operates();
            for (node, values) in of.line.nodes.iter().zip(&of.values) {
                // A number that is made of bits is several operations of one site.
                let nodes = of.line.nodes.iter();
                let alone = nodes.filter(|n| operates(n) && n.site == node.site).count() == 1;
                if operates(node) && alone {
                    known.insert(node.site, values.ends());
                }
            }
            if known.len() == many {
                break;
            }
            found = outcome_within(&self.program, lo, hi, constants, &known);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Certificate;

    /// An index of `2.5 (x² - x)`, rounded, is 0 up to the root of `x² - x = 0.2`. Intervals of sums do not show it, nor does a series without its
    /// values at the ends.
    #[test]
    fn an_index_is_known_up_to_its_change() {
        let change = 0.5 + 0.45f64.sqrt();
        let kernel = format!(
            "doublecrunch ir 1\ntable t0: f64[2]\n  {:#018x}\n  {:#018x}\nfn f0\n  %0: f64 = param\n  %1: f64 = mul %0, %0\n  \
             %2: f64 = sub %1, %0\n  %3: f64 = const {:#018x}\n  %4: f64 = const {:#018x}\n  %5: f64 = fma %2, %3, %4\n  \
             %6: i64 = to_bits %5\n  %7: f64 = load t0 %6\n  %8: f64 = mul %0, %7\n  return %8\n",
            1.0f64.to_bits(),
            2.0f64.to_bits(),
            2.5f64.to_bits(),
            (1.5 * 2f64.powi(52)).to_bits(),
        );
        let words = format!("{:016x} {:016x}", 1.05f64.to_bits(), 1.06f64.to_bits());
        let text = format!(
            "doublecrunch certificate 2\nfunction sqrt\nrange {words}\nerror 3ff0000000000000\ncut {words}\nkernel\n{kernel}end of \
             kernel\nend\n"
        );
        let certificate = Certificate::parse(&text).expect("it parses");
        let check = Check::new(&certificate).expect("a kernel");
        for (hi, known) in [
            (1.06, true),
            (1.15, true),
            (change - 1e-9, true),
            (change - 1e-13, true),
            (change + 1e-13, false),
            (1.2, false),
        ] {
            let found = check.outcome(1.05, hi, true);
            let is_line = matches!(found, Ok(Outcome::Line(_)));
            assert_eq!(is_line, known, "{hi}");
        }
        let plain = outcome(&check.program, 1.05, 1.15, true);
        assert!(matches!(plain, Ok(Outcome::Varies(_))));
    }
}
