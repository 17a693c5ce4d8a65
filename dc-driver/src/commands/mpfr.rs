//! `verify --mpfr`: is a reference itself right?

use crate::args::VerifyArgs;
use crate::context::Context;
use crate::failure::Failure;
use dc_runtime::sweep::Sweep;

#[cfg(not(feature = "mpfr"))]
pub(super) fn check_references(
    _: &[&Sweep],
    _: &VerifyArgs,
    _: &mut Context,
) -> Result<(), Failure> {
    Err(Failure::unavailable(
        "--mpfr: this program was built without MPFR; build with `--features mpfr` (Debian: apt-get install \
         libmpfr-dev libgmp-dev)",
    ))
}

#[cfg(feature = "mpfr")]
pub(super) use with_mpfr::check_references;

#[cfg(feature = "mpfr")]
mod with_mpfr {
    use serde_json::json;

    use super::{Context, Failure, Sweep, VerifyArgs};
    use crate::exit;
    use dc_runtime::model::show;
    use dc_runtime::search::range::Range;
    use dc_runtime::search::sample::{Sample, Wanted};
    use dc_runtime::search::truth::{self, BITS, LIMIT};

    /// Inputs of a sweep, without --inputs: a second's work for MPFR.
    const SAMPLE: u64 = 1 << 16;
    /// Stretches of each way of cutting.
    const STRETCHES: u64 = 1024;

    pub fn check_references(
        sweeps: &[&Sweep],
        args: &VerifyArgs,
        context: &mut Context,
    ) -> Result<(), Failure> {
        let mut values = Vec::new();
        let (mut checked, mut wrong) = (0, false);
        for sweep in sweeps {
            let (plan, _) = context.plan(sweep, &args.range)?;
            let Some(function) = sweep.truth else {
                context.note(&format!(
                    "{}: not checked: no function is declared for it; write Sweep::new(…).of(Function::…)",
                    sweep.name
                ));
                continue;
            };
            let whole = plan.range();
            let wanted = Wanted {
                stretches: STRETCHES,
                ..Wanted::of(sweep, args.inputs.unwrap_or(SAMPLE))
            };
            let mut range = Sample::of(sweep, whole, &wanted).range;
            let sweep = &sweep.over(whole.space());
            if whole.space().is_ordered() && (args.range.range.is_none() || args.edges) {
                range = range.union(&whole.intersection(&Range::edges(sweep.precision)));
            }
            let a = truth::check(sweep, function, &range)?;
            checked += 1;
            wrong |= a.wrong.is_some();
            let input = |key| sweep.inputs.show(key);
            let of = if range == *whole {
                "all of them".into()
            } else {
                format!("not exhaustive: of {}", show::count(whole.count()))
            };
            if context.json {
                values.push(json!({
                    "sweep": sweep.name,
                    "reference": sweep.reference.name(),
                    "function": function.name(),
                    "bits": BITS,
                    "inputs": a.inputs,
                    "exhaustive": range == *whole,
                    "max_relative_error": a.relative,
                    "max_ulp": if a.ulp.is_finite() { json!(a.ulp) } else { json!("inf") },
                    "at": input(a.key),
                    "first_wrong": a.wrong.map(input),
                    "too_coarse": a.coarse,
                    "accurate": a.wrong.is_none(),
                }));
                continue;
            }
            context.out.line(&format!(
                "{}: {} against {function} in MPFR at {BITS} bits, {} inputs ({of})\n  largest relative error 2^{:.2}; \
                 largest error {:.3e} ULP at {}",
                sweep.name,
                sweep.reference.name(),
                show::count(a.inputs.into()),
                a.relative.log2(),
                a.ulp,
                input(a.key)
            ))?;
            context.out.line(&match a.wrong {
                None if a.coarse > 0 => format!(
                    "  verdict: a search against it finds errors to six decimals, but of {} of these inputs none: results \
                     below 2^-971 leave its second word no bits; have {} give a scale as well, \
                     (DcDoubleDouble, DcLong)",
                    show::count(a.coarse.into()),
                    sweep.reference.name()
                ),
                None => "  verdict: a search against it finds errors to six decimals".to_string(),
                Some(key) => format!(
                    "  verdict: INACCURATE: off by more than {LIMIT:.1e} ULP, first at {}; a search against it measures \
                     its errors too: correct {}",
                    input(key),
                    sweep.reference.name()
                ),
            })?;
        }
        if context.json {
            context.out.json(&json!(values))?;
        }
        if wrong {
            return Err(Failure::silent(exit::FINDING));
        }
        if checked == 0 {
            return Err(Failure::input(
                "--mpfr: none of these sweeps names its function; write Sweep::new(…).of(Function::…)",
            ));
        }
        Ok(())
    }
}
