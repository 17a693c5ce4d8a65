//! Limits on a sweep's results, independent of the backend: backends may agree on a wrong result.

use dc_runtime::model::block::{BlockResult, FaultKind};
use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::format::number;
use dc_runtime::search::range::Range;
use dc_runtime::sweep::Sweep;

/// A limit on the errors of a sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// At most this many ULP, and no wrong special value except the tolerated ones, as the sweep declares for its own range.
    Declared(f64, &'static [FaultKind]),
    /// Less than this many ULP, if the sweep declares nothing: with more, no bit of the result is right.
    Gross(f64),
}

impl Limit {
    /// The limit of a sweep in a range; `None` outside of the sweep's own range.
    #[must_use]
    pub fn of(sweep: &Sweep, range: &Range) -> Option<Limit> {
        let own = Range::parse(sweep.range(), sweep.inputs().whole()).ok()?;
        // A larger number of pairs than its own is still of the same box.
        let inside = match range.space().is_sample() {
            true => own.space() == range.space(),
            false => own.space() == range.space() && own.intersection(range) == *range,
        };
        if !inside {
            return None;
        }
        Some(match (sweep.limit(), sweep.precision()) {
            (Some(ulp), _) => Limit::Declared(ulp, sweep.tolerated()),
            (None, Precision::F64) => Limit::Gross(f64::powi(2.0, 52)),
            (None, Precision::F32) => Limit::Gross(f64::powi(2.0, 23)),
        })
    }

    /// The largest allowed error in ULP.
    #[must_use]
    pub fn ulp(self) -> f64 {
        match self {
            Limit::Declared(ulp, _) | Limit::Gross(ulp) => ulp,
        }
    }

    /// The violations in a result, one line each.
    #[must_use]
    pub fn findings(self, space: InputSpace, result: &BlockResult) -> Vec<String> {
        let input = |key| space.show(key);
        let mut found = Vec::new();
        let (error, at) = (result.max.error(), result.max.key);
        let error_is_too_large = match self {
            Limit::Declared(ulp, _) => error > ulp,
            Limit::Gross(ulp) => error >= ulp,
        };
        if result.max.exists() && error_is_too_large {
            found.push(match self {
                Limit::Declared(ulp, _) => format!(
                    "the error of {} ULP at {} is more than the {} ULP that the sweep allows",
                    number(error),
                    input(at),
                    number(ulp)
                ),
                Limit::Gross(_) => format!(
                    "the error of {} ULP at {} leaves no bit of the result right; if this is intended, declare it: Sweep::new(…).within(ULP)",
                    number(error),
                    input(at)
                ),
            });
        }
        // An infinity in place of a number is as wrong as an error can be, and counts as none.
        let allowed = |kind: &FaultKind| match self {
            Limit::Declared(_, tolerated) => tolerated.contains(kind),
            Limit::Gross(_) => *kind != FaultKind::Infinity,
        };
        let faults = FaultKind::ALL.iter().zip(&result.faults);
        for (kind, fault) in faults.filter(|(k, f)| f.count > 0 && !allowed(k)) {
            found.push(format!(
                "wrong special values ({}) at {} inputs, the first {}; the sweep allows none of these",
                kind.name(),
                show::count(fault.count.into()),
                input(fault.first_key)
            ));
        }
        found
    }
}
