//! `verify --mpfr`: checks whether a reference is right. `run --mpfr`: uses MPFR in place of a reference.

use crate::args::VerifyArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::library;
use dc_runtime::builtins::reference::{Function, Reference};
use dc_runtime::search::range::Range;
use dc_runtime::search::run_file::Header;
use dc_runtime::sweep::Sweep;

/// The function that a sweep computes, from its declaration or `--computes`.
fn function(sweep: &Sweep, computes: Option<&str>) -> Result<Function, Failure> {
    if let Some(name) = computes {
        let known = Reference::by_name(name).map_err(|e| Failure::input(e.to_string()))?;
        return Ok(known.function);
    }
    sweep.truth().ok_or_else(|| {
        Failure::input(format!(
            "--mpfr: `{}` does not name the function that it computes; declare it with `computes`, or with `Sweep::of`",
            sweep.name()
        ))
    })
}

/// The sweep with MPFR as its reference, with a note on its speed.
pub fn in_place_of_the_reference(
    sweep: &Sweep,
    computes: Option<&str>,
    range: &Range,
    context: &mut Context,
) -> Result<Sweep, Failure> {
    let function = function(sweep, computes)?;
    let sweep = against(sweep, function)?;
    if let Some(rate) = a_minute(&sweep, range)? {
        context.note(&format!(
            "the reference is `{function}` in MPFR: about {} inputs per minute and thread",
            dc_runtime::model::show::si(rate)
        ));
    }
    Ok(sweep)
}

/// The sweep of a run file, with or without `--mpfr`, according to the file.
pub fn as_in_file(sweep: &Sweep, header: &Header) -> Result<Sweep, Failure> {
    let reference = header.identity.kernels.get(1);
    let Some(reference) = reference.filter(|k| k.is_of_mpfr()) else {
        return Ok(*sweep);
    };
    let known = library::by_formula(&reference.name);
    let function = known.map(|r| r.function).ok_or_else(|| {
        Failure::input(format!(
            "there is no function `{}`",
            dc_runtime::search::range::quote(&reference.name)
        ))
    })?;
    against(sweep, function)
}

#[cfg(feature = "mpfr")]
fn against(sweep: &Sweep, function: Function) -> Result<Sweep, Failure> {
    if matches!(
        sweep.inputs(),
        dc_runtime::model::space::InputSpace::Stored(_)
    ) {
        return Err(Failure::input(format!(
            "--mpfr: `{}` has numbers stored in 16 bits, whose metric takes only a reference in binary64",
            sweep.name()
        )));
    }
    if let dc_runtime::model::candidate::Candidate::Library(f) = sweep.candidate()
        && !f.signature().is_plain()
    {
        return Err(Failure::input(format!(
            "--mpfr: `{}` has the signature {}, and MPFR is a reference only for functions whose arguments and result have the same type, f32 or f64",
            sweep.name(),
            f.signature()
        )));
    }
    Ok(sweep.against_mpfr(function))
}

#[cfg(not(feature = "mpfr"))]
fn against(_: &Sweep, _: Function) -> Result<Sweep, Failure> {
    Err(without())
}

/// Inputs per minute, measured on some inputs of the range.
fn a_minute(sweep: &Sweep, range: &Range) -> Result<Option<f64>, Failure> {
    const TRIAL: u64 = 1 << 10;
    let spans = range.spans();
    let each = TRIAL / spans.len().max(1) as u64 + 1;
    let keys: Vec<i64> = spans
        .iter()
        .take(TRIAL as usize)
        .flat_map(|s| {
            let step = s.last.abs_diff(s.first) / each;
            (0..each).map(move |i| s.first.wrapping_add_unsigned(i * step))
        })
        .collect();
    if keys.is_empty() {
        return Ok(None);
    }
    let mut evaluator = dc_runtime::search::evaluator::PointEvaluator::plain(sweep);
    let begun = std::time::Instant::now();
    evaluator.evaluate(&keys)?;
    Ok(Some(
        60.0 * keys.len() as f64 / begun.elapsed().as_secs_f64().max(1e-9),
    ))
}

#[cfg(not(feature = "mpfr"))]
fn without() -> Failure {
    Failure::unavailable(
        "--mpfr: this program was built without MPFR; build with `--features mpfr` (Debian: apt-get install \
         libmpfr-dev libgmp-dev)",
    )
}

#[cfg(not(feature = "mpfr"))]
pub fn check_references(_: &[&Sweep], _: &VerifyArgs, _: &mut Context) -> Result<(), Failure> {
    Err(without())
}

#[cfg(feature = "mpfr")]
pub use with_mpfr::check_references;

#[cfg(feature = "mpfr")]
mod with_mpfr {
    use serde_json::json;

    use super::{Context, Failure, Sweep, VerifyArgs};
    use crate::exit;
    use dc_references::reference;
    use dc_runtime::builtins::reference::{
        REFERENCES, REFERENCES_OF_TWO, Reference as KnownReference, Tier,
    };
    use dc_runtime::model::candidate::Candidate;
    use dc_runtime::model::host::HostFunction;
    use dc_runtime::model::key::Precision;
    use dc_runtime::model::show;
    use dc_runtime::model::space::InputSpace;
    use dc_runtime::search::range::{Range, quote};
    use dc_runtime::search::sample::{Sample, Wanted};
    use dc_runtime::search::truth::{self, Accuracy, BITS, LIMIT};

    /// The number of inputs of a sweep without --inputs: about a second for MPFR.
    const SAMPLE: u64 = 1 << 16;
    /// The number of stretches for each way of cutting.
    const STRETCHES: u64 = 1024;

    /// A reference, with its stated bound if it is one of the library's.
    struct Case {
        sweep: Sweep,
        stated: Option<Tier>,
    }

    impl Case {
        /// The result, as the end of a sentence; and whether it violates the stated bound or the limit.
        fn verdict(&self, a: &Accuracy) -> (String, bool) {
            let sweep = &self.sweep;
            let name = sweep.reference().name();
            if let Some(tier) = self.stated {
                let bits = tier.bits;
                return match (a.relative.log2() <= -f64::from(bits), tier.note, a.wrong) {
                    (true, _, None) => (format!("within 2^-{bits}, as stated"), false),
                    (_, note, _) if !note.is_empty() => (
                        format!("not beyond what is stated: 2^-{bits}; {note}"),
                        false,
                    ),
                    (_, _, Some(key)) => (
                        format!(
                            "INACCURATE: not the function's value, first at {}",
                            sweep.inputs().show(key)
                        ),
                        true,
                    ),
                    (false, ..) => (format!("INACCURATE: 2^-{bits} is stated"), true),
                };
            }
            match a.wrong {
                None if a.coarse > 0 => (
                    format!(
                        "a search against it finds errors to six decimals, except at {} of these inputs: results below 2^-971 leave no bits \
                         for its second word; let {name} also return a scale, (DcDoubleDouble, DcLong)",
                        show::count(a.coarse.into()),
                    ),
                    false,
                ),
                None => (
                    "a search against it finds errors to six decimals".into(),
                    false,
                ),
                Some(key) => (
                    format!(
                        "INACCURATE: off by more than {LIMIT:.1e} ULP, first at {}; a search against it measures its errors \
                         too: correct {name}",
                        sweep.inputs().show(key),
                    ),
                    true,
                ),
            }
        }
    }

    /// The references of the functions that the user named: `sin` for both precisions, `sin:f64` for one, or `all`.
    fn named(list: &[String]) -> Result<Vec<Case>, Failure> {
        let mut cases = Vec::new();
        for text in list {
            let (name, signature) = match text.split_once(':') {
                Some((name, signature)) => (name, Some(signature)),
                None => (&text[..], None),
            };
            let chosen: Vec<&KnownReference> = match name {
                "all" => REFERENCES.iter().chain(REFERENCES_OF_TWO).collect(),
                _ => {
                    vec![KnownReference::by_name(name).map_err(|e| Failure::input(e.to_string()))?]
                }
            };
            let before = cases.len();
            for r in chosen {
                for (precision, tier) in [
                    (Precision::F32, Some(r.binary32)),
                    (Precision::F64, r.binary64),
                ] {
                    let wanted = match (signature, precision) {
                        (None, _)
                        | (Some("f32"), Precision::F32)
                        | (Some("f64"), Precision::F64) => true,
                        (Some("f32" | "f64"), _) => false,
                        (Some(other), _) => {
                            return Err(Failure::input(format!(
                                "--references: `{}` is not a precision: write {name}:f32, {name}:f64, or {name} for both",
                                quote(other)
                            )));
                        }
                    };
                    if let (true, Some(tier)) = (wanted, tier) {
                        cases.push(case(r, precision, tier));
                    }
                }
            }
            if cases.len() == before {
                return Err(Failure::input(format!(
                    "--references: there is no reference of `{}`",
                    quote(text)
                )));
            }
        }
        Ok(cases)
    }

    /// A reference as part of a sweep. It is only compared with MPFR. A sweep must have a routine, which is the reference's argument here.
    fn case(r: &KnownReference, precision: Precision, tier: Tier) -> Case {
        let (space, argument) = match (r.function.arguments(), precision) {
            (1, Precision::F32) => (precision.into(), HostFunction::f32("argument", |x| x)),
            (1, Precision::F64) => (precision.into(), HostFunction::f64("argument", |x| x)),
            (_, Precision::F32) => (
                InputSpace::pairs(precision),
                HostFunction::f32_two("argument", |x, _| x),
            ),
            (_, Precision::F64) => (
                InputSpace::pairs(precision),
                HostFunction::f64_two("argument", |x, _| x),
            ),
        };
        let reference = reference(r.name, space).expect("the table has a kernel for each bound");
        Case {
            sweep: Sweep::accuracy_only(r.name, Candidate::Host(argument), reference, "all")
                .of(r.function),
            stated: Some(tier),
        }
    }

    pub fn check_references(
        sweeps: &[&Sweep],
        args: &VerifyArgs,
        context: &mut Context,
    ) -> Result<(), Failure> {
        let cases = match &args.references[..] {
            [] => sweeps
                .iter()
                .map(|s| Case {
                    sweep: **s,
                    stated: None,
                })
                .collect(),
            list => named(list)?,
        };
        let mut values = Vec::new();
        let (mut checked, mut wrong) = (0, false);
        for case in &cases {
            let sweep = &case.sweep;
            let (plan, _) = context.plan(sweep, &args.range)?;
            let Some(function) = sweep.truth() else {
                context.note(&format!(
                    "{}: not checked: no function is declared for it; write Sweep::new(…).of(Function::…)",
                    sweep.name()
                ));
                continue;
            };
            let whole = plan.range();
            let wanted = Wanted {
                stretches: STRETCHES,
                ..Wanted::of(sweep, args.inputs.unwrap_or(SAMPLE))
            };
            let mut range = Sample::of_stretches(sweep, whole, &wanted).range;
            let sweep = &sweep.over(whole.space());
            if whole.space().is_ordered() && (args.range.range.is_none() || args.edges) {
                range = range.union(&whole.intersection(&Range::edges(sweep.precision())));
            }
            let a = truth::check(sweep, function, &range)?;
            checked += 1;
            let (verdict, against) = case.verdict(&a);
            wrong |= against;
            let input = |key| sweep.inputs().show(key);
            let of = if range == *whole {
                "all of them".into()
            } else {
                format!("not exhaustive: of {}", show::count(whole.count()))
            };
            if context.json {
                values.push(json!({
                    "sweep": sweep.name(),
                    "reference": sweep.reference().name(),
                    "function": function.name(),
                    "bits": BITS,
                    "inputs": a.inputs,
                    "exhaustive": range == *whole,
                    "stated_bound": case.stated.map(|t| -f64::from(t.bits)),
                    "max_relative_error": a.relative,
                    "max_ulp": if a.ulp.is_finite() { json!(a.ulp) } else { json!("inf") },
                    "at": input(a.key),
                    "first_wrong": a.wrong.map(input),
                    "too_coarse": a.coarse,
                    "accurate": !against,
                }));
                continue;
            }
            context.out.line(&format!(
                "{}: {} against {function} in MPFR at {BITS} bits, {} inputs ({of})\n  largest relative error 2^{:.2}; \
                 largest error {:.3e} ULP at {}\n  verdict: {verdict}",
                sweep.name(),
                sweep.reference().name(),
                show::count(a.inputs.into()),
                a.relative.log2(),
                a.ulp,
                input(a.key)
            ))?;
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
