//! The result of a search for the largest error.

use dc_exact::cell::Values;
use dc_exact::exact::Exact;
use dc_exact::num::Interval;
use dc_exact::point::error_at;

use super::compute::Computed;
use crate::certificate::Written;
use crate::failure::Failure;
use dc_runtime::search::shard::Shard;

/// The result of a search.
pub struct Found {
    pub sweep: &'static str,
    pub computed: Computed,
    pub exact: Exact,
    pub worst: Option<Worst>,
    pub shard: Shard,
    /// The time in seconds after the bound was computed.
    pub time: f64,
    /// The certificate that was written, and the checker's verdict.
    pub certificate: Option<Written>,
}

/// The worst input, evaluated again separately.
pub struct Worst {
    pub x: f64,
    /// The magnitude of its error.
    pub error: Interval,
    /// The bits of the result.
    pub result: u64,
}

impl Worst {
    pub fn of(computed: &Computed, x: f64) -> Option<Worst> {
        let subject = &computed.subject;
        let mut values = Values::new(&subject.program);
        let error = error_at(&subject.program, &subject.truth, &mut values, x)?;
        Some(Worst {
            x,
            error: error.abs(),
            result: values.result(x),
        })
    }
}

impl Found {
    pub fn new(
        sweep: &'static str,
        computed: Computed,
        exact: Exact,
        shard: Shard,
        time: f64,
    ) -> Found {
        let worst = Some(exact.worst.x).filter(|x| !x.is_nan());
        Found {
            sweep,
            worst: worst.and_then(|x| Worst::of(&computed, x)),
            computed,
            exact,
            shard,
            time,
            certificate: None,
        }
    }

    /// Whether the maximum of the shard is proven.
    pub fn closed(&self) -> bool {
        self.exact.is_exact() && self.worst.is_some() && self.refused().is_none()
    }

    /// The reason why the checker does not prove the certificate.
    pub fn refused(&self) -> Option<&str> {
        self.certificate.as_ref()?.refused()
    }

    /// Compares the evaluated inputs with what was proven.
    pub fn compared(self) -> Result<Found, Failure> {
        if let Some(what) = self.exact.contradiction {
            return Err(Failure::contradiction(&format!("{}: {what}", self.sweep)));
        }
        let upper = self.exact.upper;
        match &self.worst {
            // The input was evaluated again.
            Some(w) if w.error.lo * (1.0 - 1e-12) > upper => Err(Failure::contradiction(&format!(
                "{}: the error at {:e} ({:016x}) is {} ULP, above the proven {upper} ULP",
                self.sweep,
                w.x,
                w.x.to_bits(),
                w.error.lo
            ))),
            _ => Ok(self),
        }
    }
}
