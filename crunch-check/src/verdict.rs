//! The order of the checks, and the report: nothing is printed as proven before everything has been evaluated.

use std::fmt::{self, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::certificate::Certificate;
use crate::check::{At, Check};
use crate::number::{Coarse, exact};
use crate::pairs;
use crate::refused::{Options, Refused, plain};
use crate::theorem;

/// Proves a certificate again. Returns the report, which ends with a line break.
///
/// # Errors
/// If the certificate is not proven, or something that was evaluated contradicts it.
pub fn check(text: &str, options: Options) -> Result<String, Refused> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.jobs)
        .build()
        .map_err(|e| Refused::NotProven(e.to_string()))?;
    let checked = AssertUnwindSafe(|| pool.install(|| checked(text, options)));
    catch_unwind(checked).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<&str>()
            .map(ToString::to_string)
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        Err(Refused::Contradiction(format!(
            "the checker panicked: {message}"
        )))
    })
}

fn checked(text: &str, options: Options) -> Result<String, Refused> {
    if text.starts_with(pairs::certificate::HEADER) {
        return pairs::checked(text, options);
    }
    let begun = Instant::now();
    let certificate = Certificate::parse(text).map_err(Refused::NotProven)?;
    let check = Check::new(&certificate).map_err(Refused::NotProven)?;
    if let Some(x) = certificate.worst {
        inside(&certificate, x)?;
    }
    check.run(options.every).map_err(Refused::NotProven)?;
    let proven = begun.elapsed().as_secs_f64();
    let attained = match certificate.worst {
        None => None,
        Some(x) => Some((x, attained(&check, &certificate, x)?)),
    };
    let begun = Instant::now();
    let net = match options.sieve {
        0 => None,
        n => Some(check.sieve(n).map_err(|what| {
            Refused::Contradiction(format!(
                "the stretches are closed, and the sieve finds: {what}"
            ))
        })?),
    };
    let sieved = begun.elapsed().as_secs_f64();
    if let Some((x, error)) = &attained {
        near(&certificate, *x, error).map_err(Refused::NotProven)?;
    }
    theorem::compare(&certificate).map_err(Refused::NotProven)?;
    let word = match options.every {
        1 => "PROVEN",
        _ => "SAMPLED",
    };
    let mut out = String::new();
    // Writing to a string does not fail.
    let mut line = |text: fmt::Arguments<'_>| {
        let _ = writeln!(out, "{}", plain(&text.to_string()));
    };
    line(format_args!(
        "{word}: {}, as an approximation of {}:",
        certificate.sweep,
        check.function()
    ));
    for (lo, hi) in &certificate.ranges {
        line(format_args!("  inputs        {lo:e} to {hi:e}"));
    }
    if let Some(plus) = certificate.plus {
        line(format_args!("  plus          {plus}"));
    }
    if let Some(scale) = certificate.scale {
        line(format_args!("  times         {scale}"));
    }
    if let Some(most) = certificate.low {
        line(format_args!("  low word      |l| <= 2^{most}"));
    }
    if let Some(slack) = certificate.slack {
        line(format_args!("  slack         {slack:e}"));
    }
    if certificate.words {
        line(format_args!("  result        the sum of two words"));
    }
    line(format_args!(
        "  largest error at most {} ULP",
        certificate.error
    ));
    if let Some((x, error)) = attained {
        line(format_args!(
            "  attained      {} ULP at {x:e} ({:016x})",
            error.middle(),
            x.to_bits()
        ));
    }
    let counts = &check.counts;
    let get = |c: &AtomicU64| c.load(Ordering::Relaxed);
    if get(&counts.cells) > 0 {
        line(format_args!(
            "  found         {} cells, in {} classes",
            get(&counts.cells),
            get(&counts.classes)
        ));
    }
    line(format_args!(
        "  checked       {} of {} stretches: {} bounds, {} lattices with {} runs, {} inputs; {} cuts; {proven:.1} s",
        get(&counts.looked),
        check.stretches(),
        get(&counts.bound),
        get(&counts.lattice),
        get(&counts.runs),
        get(&counts.inputs),
        get(&counts.cut),
    ));
    match net {
        None => line(format_args!("  sieve         left out")),
        Some(net) => line(format_args!("  sieve         {net}; {sieved:.1} s")),
    }
    Ok(out)
}

/// Whether the worst input is in one of the ranges. Both zeros are inputs, and they differ.
fn inside(certificate: &Certificate, x: f64) -> Result<(), Refused> {
    let holds = |&(lo, hi): &(f64, f64)| lo.total_cmp(&x).is_le() && x.total_cmp(&hi).is_le();
    if certificate.ranges.iter().any(holds) {
        return Ok(());
    }
    Err(Refused::Contradiction(format!(
        "the worst input, {x:e} ({:016x}), is in none of the certificate's ranges",
        x.to_bits()
    )))
}

/// The relative amount by which the worst input's error may be below the claim.
const LAST_DIGITS: f64 = 1e-6;

/// Whether the worst input's error equals the claim up to its last digits, as the certificate states in words.
fn near(certificate: &Certificate, x: f64, error: &Coarse) -> Result<(), String> {
    let claim = certificate.error;
    if error.magnitude() >= exact(claim * (1.0 - LAST_DIGITS)) {
        return Ok(());
    }
    Err(format!(
        "at {x:e} ({:016x}), the worst input, the error is {} ULP, far below the claim of {claim} ULP: a certificate of a bound that no \
         input is known to attain has no line `worst`",
        x.to_bits(),
        error.middle()
    ))
}

/// The error of the worst input, which equals the claim up to its last digits.
fn attained(check: &Check<'_>, certificate: &Certificate, x: f64) -> Result<Coarse, Refused> {
    let claim = certificate.error;
    let place = format!("{x:e} ({:016x}), the worst input", x.to_bits());
    let error = match check.error_at::<192>(x) {
        Ok(At::Error(error)) => error,
        Ok(At::Overflow) => {
            return Err(Refused::Contradiction(format!(
                "at {place}, there is no error: the result and the true value overflow"
            )));
        }
        Err(why) => return Err(Refused::Contradiction(format!("{place}: {why}"))),
    };
    if error.least() > exact(claim) {
        return Err(Refused::Contradiction(format!(
            "the stretches are closed, and at {place}, the error is {} ULP, above the claim of {claim} ULP",
            error.middle()
        )));
    }
    Ok(error)
}
