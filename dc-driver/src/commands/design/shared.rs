//! Code that the parts of a report of designs share: the designs of the table, and numbers as text.

use dc_design::search::{Finalist, Outcome};
use serde_json::json;

/// The designs of the table: the front, and the designs that were searched in full.
pub(super) fn shown(outcome: &Outcome) -> impl Iterator<Item = usize> {
    let is = |f: &Finalist| f.on_front || f.report.is_some();
    (0..outcome.finalists.len()).filter(move |&i| is(&outcome.finalists[i]))
}

/// An error, rounded up to four digits.
pub(super) fn up(error: f64) -> String {
    if error == 0.0 {
        return "0".into();
    }
    let digits = 3 - error.log10().floor() as i32;
    let unit = 10f64.powi(digits);
    let rounded = (error * unit).ceil() / unit;
    match (1e-3..1e6).contains(&rounded) {
        true => format!("{rounded:.*}", digits.max(0) as usize),
        false => format!("{rounded:.3e}"),
    }
}

/// A number, or the text `inf`, since JSON has no infinity.
pub(super) fn json_number(x: f64) -> serde_json::Value {
    if x.is_finite() {
        json!(x)
    } else {
        json!("inf")
    }
}
