//! The output of `improve`.

use serde_json::{Value, json};

use super::certify::Bracket;
use super::improved::{Errors, Fixed, Improved, changes};
use super::source;
use crate::context::Context;
use crate::failure::Failure;
use crate::results;
use dc_design::improve::tuner::value;
use dc_runtime::model::show;
use kernels_gen::constants::Constants;

/// The largest number of names in a list.
const LISTED: usize = 12;

fn names(constants: &Constants, list: impl Iterator<Item = usize>) -> String {
    let all: Vec<String> = list.map(|n| source::name(&constants.all[n])).collect();
    let mut shown: Vec<String> = all.iter().take(LISTED).cloned().collect();
    if all.len() > LISTED {
        shown.push(format!("and {} more", all.len() - LISTED));
    }
    shown.join(", ")
}

/// The kept constants, by reason.
pub(super) fn fixed(constants: &Constants, fixed: &[Fixed]) -> String {
    let mut reasons: Vec<_> = Vec::new();
    for f in fixed {
        if !reasons.contains(&f.why) {
            reasons.push(f.why);
        }
    }
    let of = |why| {
        let these = fixed.iter().filter(|f| f.why == why).map(|f| f.constant);
        format!("{} ({why})", names(constants, these))
    };
    reasons.into_iter().map(of).collect::<Vec<_>>().join("; ")
}

fn input(result: &Improved<'_>, key: Option<i64>) -> String {
    key.map_or("no input".into(), |k| result.sweep.inputs().decimal(k))
}

/// What is known about the errors, in words.
fn errors(result: &Improved<'_>, errors: &Errors) -> String {
    let known = &errors.known;
    let faults = match known.faults {
        0 => String::new(),
        n => format!("; {} wrong special values", show::count(n.into())),
    };
    let undecided = match known.undecided {
        0 => String::new(),
        n => format!(
            "; {} inputs left out, where the formula is not known",
            show::count(n.into())
        ),
    };
    let text = match &errors.bracket {
        None => format!(
            "{:.9} ULP at {}, exact: every input was run",
            known.error,
            input(result, known.worst)
        ),
        Some(Bracket {
            lower,
            at,
            upper,
            exact,
            ..
        }) => {
            let at = show::decimal(dc_runtime::model::key::Precision::F64, at.to_bits());
            match (exact, upper.is_finite()) {
                (true, _) => format!("{lower:.9} ULP at {at}, exact: proven"),
                (false, true) => format!(
                    "between {lower:.7} ULP, at {at}, and {}, proven",
                    crate::proven::wording::up(*upper)
                ),
                (false, false) => format!("{lower:.7} ULP or more, at {at}: it has no bound"),
            }
        }
    };
    format!("{text}{faults}{undecided}")
}

/// The head of a file with new kernels.
pub(super) fn head(result: &Improved<'_>) -> String {
    let after = result
        .after
        .as_ref()
        .map_or(String::new(), |a| errors(result, a));
    format!(
        "// {}, on {}: by these constants the largest error falls.\n// before: {}\n// after: {after}\n\n",
        result.sweep.name(),
        result.range,
        errors(result, &result.before),
    )
}

pub(super) fn report(result: &Improved<'_>, context: &mut Context) -> Result<(), Failure> {
    match context.json {
        true => Ok(context.out.json(&document(result))?),
        false => text(result, context),
    }
}

fn text(result: &Improved<'_>, context: &mut Context) -> Result<(), Failure> {
    let Improved {
        sweep, constants, ..
    } = result;
    context.out.line(&format!(
        "{}: {} inputs of {}",
        sweep.name(),
        show::count(result.inputs),
        result.range
    ))?;
    let mut rows = Vec::new();
    let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), text]);
    row(
        "varied",
        format!(
            "{}: {}",
            result.varied.len(),
            names(constants, result.varied.iter().copied())
        ),
    );
    if !result.fixed.is_empty() {
        let list = fixed(constants, result.fixed);
        row("kept", format!("{}: {list}", result.fixed.len()));
    }
    row("before", errors(result, &result.before));
    if let Some(why) = &result.no_room {
        row("no room", why.clone());
    }
    if let Some(outcome) = &result.outcome {
        let tried = show::count(outcome.tried.into());
        let contradicted = match outcome.contradicted {
            0 => String::new(),
            n => format!("; {n} times the best of a sample was worse on more inputs"),
        };
        row("tried", format!("{tried} sets of constants{contradicted}"));
        match &result.after {
            Some(after) => {
                row("after", errors(result, after));
                row("verdict", verdict(result, after));
            }
            None => row(
                "after",
                format!(
                    "no better constants were found; the best of a sample seemed to have {:.6} ULP",
                    outcome.seemed
                ),
            ),
        }
    }
    context.out.columns(&rows)?;
    if result.after.is_some() {
        context.out.table(&table(result))?;
    }
    if !result.others.is_empty() {
        context.out.line(&format!(
            "also changed, and not searched: {}, which call a changed kernel",
            result.others.join(", ")
        ))?;
    }
    if let Some(written) = &result.written {
        let file = crate::context::shell(&written.path);
        context.out.line(&match &written.why_no_patch {
            None => format!("patch: {file}; `patch -p1 < {file}` applies it"),
            Some(why) => {
                format!("kernels with the new constants: {file}; there is no patch: {why}")
            }
        })?;
    }
    context
        .out
        .line(&format!("{} in all", show::seconds(result.seconds)))?;
    Ok(())
}

fn verdict(result: &Improved<'_>, after: &Errors) -> String {
    let (before, now) = (result.before.lower(), after.upper());
    match result.better() {
        true => format!("better by {:.1} % at least", 100.0 * (1.0 - now / before)),
        false if now.is_finite() => format!(
            "not proven to be better: an error of {now:.7} ULP is possible, and the largest known was {before:.7}; a longer --time narrows \
             both; nothing is written"
        ),
        false => "not proven to be better, since it has no bound; give a --range that has one; nothing is written".into(),
    }
}

/// The changed constants.
fn table(result: &Improved<'_>) -> Vec<Vec<String>> {
    let head = [
        "constant",
        "at",
        "was",
        "is",
        "last places",
        "alone as it was (ULP)",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    let found = result.outcome.as_ref().and_then(|o| o.found.as_ref());
    let worth = found.map_or(&[][..], |f| &f.worth);
    for ((constant, bits), (_, alone)) in changes(result).into_iter().zip(worth) {
        let hex = |bits| show::hex_float(source::precision(constant), bits);
        let places = bits as i64 - constant.bits as i64;
        rows.push(vec![
            source::name(constant),
            source::place(constant),
            hex(constant.bits),
            hex(bits),
            format!("{places:+}"),
            format!("{alone:.4} or more"),
        ]);
    }
    rows
}

fn known(errors: &Errors) -> Value {
    json!({
        "lower": results::error(errors.lower()),
        "upper": match errors.upper() {
            x if x.is_finite() => results::error(x),
            _ => json!(null),
        },
        "exact": errors.bracket.as_ref().map_or(errors.known.all, |b| b.exact),
        "run": errors.known.inputs,
        "faults": errors.known.faults,
        "undecided": errors.known.undecided,
    })
}

fn document(result: &Improved<'_>) -> Value {
    let found = result.outcome.as_ref().and_then(|o| o.found.as_ref());
    let worth = found.map_or(&[][..], |f| &f.worth);
    let changed: Vec<Value> = changes(result)
        .into_iter()
        .zip(worth)
        .map(|((constant, bits), (_, alone))| {
            json!({
                "constant": source::name(constant),
                "at": source::place(constant),
                "was": value(constant.ty, constant.bits),
                "is": value(constant.ty, bits),
                "was_bits": format!("{:#x}", constant.bits),
                "is_bits": format!("{bits:#x}"),
                "alone_as_it_was": results::error(*alone),
            })
        })
        .collect();
    let constants = result.constants;
    let name = |n: &usize| source::name(&constants.all[*n]);
    json!({
        "sweep": result.sweep.name(),
        "range": result.range,
        "inputs": results::count(result.inputs),
        "varied": result.varied.iter().map(name).collect::<Vec<_>>(),
        "kept": result.fixed.iter().map(|f| json!({ "constant": name(&f.constant), "why": f.why.to_string() })).collect::<Vec<_>>(),
        "before": known(&result.before),
        "after": result.after.as_ref().map(known),
        "better": result.better(),
        "no_room": result.no_room,
        "tried": result.outcome.as_ref().map(|o| o.tried),
        "contradicted": result.outcome.as_ref().map(|o| o.contradicted),
        "changed": changed,
        "also_changed": result.others,
        "written": result.written.as_ref().map(|w| w.path.display().to_string()),
        "why_no_patch": result.written.as_ref().and_then(|w| w.why_no_patch.clone()),
        "seconds": result.seconds,
    })
}
