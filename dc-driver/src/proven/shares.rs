//! The contribution of each rounding and of the method to a bound at its worst cell, and to the error of an input.

use dc_exact::cell::Label;
use dc_exact::error::Share;
use dc_exact::exact::Claims;
use dc_exact::num::Interval;
use dc_exact::parts::{Parts, parts_at};
use kernels_gen::ir::Loc;
use kernels_gen::program::Program;

use super::compute::Computed;
use crate::failure::Failure;
use crate::report;
use dc_runtime::model::key::Precision;
use dc_runtime::search::range;
use dc_runtime::search::trace::{Site, source};

/// Shares below this many ULP are added up on one line.
pub const SMALL: f64 = 5e-5;

/// An input with the parts of its error.
pub struct At {
    pub x: f64,
    pub parts: Parts,
}

impl At {
    pub fn new(computed: &Computed, text: &str) -> Result<At, Failure> {
        let key = range::input(text, Precision::F64)?;
        let x = f64::from_bits(Precision::F64.bits_of_key(key));
        let at = At::of(computed, x).ok_or_else(|| {
            Failure::input(format!(
                "--at {text}: the error there has no parts: it is not in the range {}, the routine gives one number around it, \
                 or it is no line of binary64 operations rounded to nearest between 2^-400 and 2^400 there",
                computed.range
            ))
        })?;
        let error = Interval::point(at.parts.error);
        match Claims::new(&computed.bound).compare(x, error, 0.0) {
            None => Ok(at),
            Some(what) => Err(Failure::contradiction(&what.to_string())),
        }
    }

    fn of(computed: &Computed, x: f64) -> Option<At> {
        let subject = &computed.subject;
        let parts = parts_at(&subject.program, &subject.truth, &computed.bound, x)?;
        Some(At { x, parts })
    }
}

/// An operation's part of the bound.
pub struct Cost {
    pub ulp: f64,
    /// Its signed part of an input's error, if one is given.
    pub at: Option<f64>,
    pub label: Option<Label>,
    site: u32,
    /// The line of the source.
    pub text: String,
}

/// The contribution of each rounding at the worst cell, the largest first, and to the error of an input.
pub fn shares(computed: &Computed, at: Option<&At>) -> Vec<Cost> {
    let Some(worst) = computed.bound.cells.first() else {
        return Vec::new();
    };
    let cost = |site: u32, ulp: f64, at: Option<f64>| {
        let label = computed.bound.labels.iter().find(|l| l.site == site);
        Cost {
            ulp,
            at,
            site,
            text: label.map_or_else(String::new, |l| line(&computed.subject.program, l)),
            label: label.cloned(),
        }
    };
    let cell = &worst.error.shares;
    let of_input = at.map_or(&[][..], |a| &a.parts.roundings[..]);
    let find = |shares: &[Share], site: u32| shares.iter().find(|s| s.site == site).map(|s| s.ulp);
    let mut costs: Vec<Cost> = cell
        .iter()
        .map(|s| {
            let here = at.map(|_| find(of_input, s.site).unwrap_or(0.0));
            cost(s.site, s.ulp, here)
        })
        .collect();
    // Operations that are not in the worst cell.
    let others = of_input.iter().filter(|s| find(cell, s.site).is_none());
    costs.extend(others.map(|s| cost(s.site, 0.0, Some(s.ulp))));
    costs
}

/// A line of the report's table of costs: the ULP at the worst cell, the ULP at the worst input, the operation, and its place.
pub fn costs(computed: &Computed, worst: Option<f64>) -> Vec<report::Cost> {
    let at = worst.and_then(|x| At::of(computed, x));
    let costs = shares(computed, at.as_ref());
    let mut lines: Vec<report::Cost> = costs
        .into_iter()
        .filter(|c| c.ulp.max(c.at.map_or(0.0, f64::abs)) >= SMALL)
        .map(|c| {
            let (operation, place) = c.names();
            report::Cost {
                cell: c.ulp,
                input: c.at,
                operation,
                place,
                source: c.text,
            }
        })
        .collect();
    if let Some(worst) = computed.bound.cells.first() {
        lines.push(report::Cost {
            cell: worst.error.method.magnitude(),
            input: at.map(|a| a.parts.method),
            operation: METHOD.into(),
            place: String::new(),
            source: String::new(),
        });
    }
    lines
}

/// The text for the parts that are not roundings.
pub const METHOD: &str = "the method: coefficients, truncation, reduction";

impl Cost {
    /// The operation, and its place.
    pub fn names(&self) -> (String, String) {
        match &self.label {
            Some(l) => (l.text.clone(), format!("{}:{}", l.file, l.line)),
            None => (format!("operation {}", self.site), String::new()),
        }
    }
}

/// The source line of an operation.
fn line(program: &Program, label: &Label) -> String {
    let of = program.funcs.iter().filter_map(|f| {
        let origin = &f.origin;
        if origin.file != label.file || origin.line > label.line {
            return None;
        }
        let loc = Loc {
            line: label.line,
            col: 0,
        };
        let site = Site {
            origin: origin.clone(),
            loc,
        };
        let found = source::line(&site)?;
        // If there are several kernels in a file, the last one that contains the line.
        Some((origin.line, found.text.trim().to_string()))
    });
    of.max_by_key(|f| f.0).map_or_else(String::new, |f| f.1)
}
