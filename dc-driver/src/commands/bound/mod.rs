//! `bound`: a certified bound of a sweep's errors, and the contribution of each line of the routine.

mod certified;
mod pairs;
mod wide;

use std::time::{Duration, Instant};

use dc_exact::bound::RangeBound;
use dc_exact::exact::{Net, net};
use serde_json::{Value, json};

use crate::args::BoundCommandArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::{exit, interrupt, results};
use dc_runtime::model::key::Precision;
use dc_runtime::model::show;

use crate::proven::wording::{but, known, left_out, number, part, place, relative, up};
use crate::proven::{At, Computed, Cost, Limit, METHOD, SMALL, compute, document, shares};
use certified::Certificate;

pub(super) fn bound(args: &BoundCommandArgs, context: &mut Context) -> Result<(), Failure> {
    let stop = interrupt::stop("stopping; the bound of the part examined so far follows");
    let until = |time| Instant::now().checked_add(Duration::from_secs_f64(time));
    let limit = Limit {
        until: args.time.and_then(until),
        stop: Some(&stop),
        threads: args.jobs,
        bound_only: args.certificate.is_none(),
    };
    let sweep = context.sweep(args.bound.name())?;
    if sweep.inputs().of_pairs().is_some() {
        return pairs::bound(args, sweep, limit, context);
    }
    let computed = compute(&args.bound, limit, context)?;
    let sweep = context.sweep_of_one(args.bound.name())?;
    let at = match &args.at {
        None => None,
        Some(text) => Some(At::new(&computed, text)?),
    };
    let net = net(
        &computed.subject.program,
        &computed.subject.truth,
        &computed.bound,
    );
    if let Some(what) = net.contradiction {
        return Err(Failure::contradiction(&format!("{}: {what}", sweep.name())));
    }
    let shares = shares(&computed, at.as_ref());
    let name = sweep.name();
    let certificate = match &args.certificate {
        Some(path) => Certificate::of_claim(name, &computed, path, args, context)?,
        None => Certificate::NotAsked,
    };
    let found = Found {
        computed: &computed,
        shares: &shares,
        at: at.as_ref(),
        net,
        certificate: &certificate,
    };
    if context.json {
        json(name, &found, context)?;
    } else {
        text(name, &found, context)?;
    }
    certificate.holds()?;
    match computed.is_bound() {
        _ if stop.asked() => Err(Failure::silent(exit::STOPPED)),
        true => Ok(()),
        false => Err(Failure::silent(exit::FINDING)),
    }
}

/// What is known about a sweep when its bound is reported.
struct Found<'a> {
    computed: &'a Computed,
    shares: &'a [Cost],
    at: Option<&'a At>,
    net: Net,
    certificate: &'a Certificate,
}

fn text(name: &str, found: &Found<'_>, context: &mut Context) -> Result<(), Failure> {
    let Found {
        computed,
        shares,
        at,
        net,
        certificate,
    } = *found;
    let Computed {
        subject,
        bound,
        range,
        time,
        ..
    } = computed;
    context.out.line(&format!(
        "{name}: {} inputs of {range}, none of them run for the bound",
        show::count(subject.inputs)
    ))?;
    let mut rows = vec![];
    let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), text]);
    if computed.is_bound() && !bound.bound.is_finite() {
        row(
            "no bound",
            "no number of ULP bounds the errors of all inputs".into(),
        );
    } else if computed.is_bound() {
        row(
            "bound",
            format!(
                "{} ULP, certified: no error is larger{}",
                up(bound.bound),
                but(bound)
            ),
        );
    } else {
        row(
            "no bound",
            match bound.bound.is_finite() {
                true => format!(
                    "{:.4} % of the inputs are not bounded. No error of the others is above {} ULP",
                    100.0 * computed.left_out,
                    up(bound.bound)
                ),
                false => format!(
                    "{:.4} % of the inputs are not bounded, and no number of ULP bounds the errors of the others",
                    100.0 * computed.left_out
                ),
            },
        );
    }
    if let Some(worst) = net.worst {
        row(
            "  known error",
            format!("{} ULP at {}", known(worst.error.abs(), 6), number(worst.x)),
        );
    }
    row("  relative to", relative(subject));
    if let Some(worst) = bound.cells.first() {
        row("  worst cell", place(bound, worst));
    }
    if let Some([why, remedy]) = wide::explained(computed, net) {
        let name = if computed.is_bound() {
            "  why wide"
        } else {
            "  why not all"
        };
        row(name, why);
        row("  remedy", remedy);
    }
    row(
        "cells",
        format!(
            "{} in {} classes; {} were examined",
            show::count(bound.cells.len() as u128),
            show::count(bound.classes.len() as u128),
            show::count(bound.looked.into())
        ),
    );
    row("net", in_words(net));
    for text in left_out(computed) {
        row("not bounded", text);
    }
    if let Some(why) = unfinished(computed) {
        row("unfinished", why);
    }
    if let Some(text) = certificate.in_words() {
        row("certificate", text);
    }
    row("time", show::seconds(*time));
    context.out.columns(&rows)?;
    if !shares.is_empty() {
        context.out.line(&match at {
            None => "\nwhat each rounding adds at most, at the worst cell:".into(),
            Some(at) => format!(
                "\nwhat each rounding adds at most, at the worst cell, and to the error of {}, {:.6} ULP:",
                number(at.x),
                at.parts.error
            ),
        })?;
        context.out.table(&table(shares, bound, at))?;
        if let Some(sum) = sum_above(shares, bound) {
            context.out.line(&format!(
                "together {}, and the bound is less: not all are so large at one input",
                part(sum)
            ))?;
        }
    }
    Ok(())
}

/// The sum of all parts, if it is visibly above the bound, as where two roundings are never ties together.
fn sum_above(shares: &[Cost], bound: &RangeBound) -> Option<f64> {
    let worst = bound.cells.first()?;
    let roundings: f64 = shares.iter().map(|s| s.ulp).sum();
    let sum = roundings + worst.error.method.magnitude();
    (sum > worst.error.bound() + SMALL).then_some(sum)
}

/// The evaluated inputs that were compared with the bound, in words.
fn in_words(net: Net) -> String {
    format!(
        "{} inputs run afterwards: none is above the bound of its cell (a net, and not the proof)",
        show::count(net.inputs.into())
    )
}

/// The reason why a bound is not as low, or does not reach as far, as it could, with the remedy.
fn unfinished(computed: &Computed) -> Option<String> {
    if computed.cut_short {
        return Some(
            "the time ran out, or a stop was requested: the inputs that were not examined have no bound; give a longer --time, or leave it out"
                .into(),
        );
    }
    let Computed { bound, .. } = computed;
    if !bound.unfinished {
        return None;
    }
    Some(match computed.is_bound() {
        true => {
            "the bound holds, and more cells would lower it or reach further: give a larger --cells"
                .into()
        }
        false => format!(
            "{} cells reach {:.4} % of the inputs: give a --range in which fewer of the routine's integers, masks and branches vary; a \
             larger --cells helps only in proportion",
            show::count(bound.looked.into()),
            100.0 * (1.0 - computed.left_out)
        ),
    })
}

fn table(shares: &[Cost], bound: &RangeBound, at: Option<&At>) -> Vec<Vec<String>> {
    let line = |cell: String, input: Option<String>, rest: [String; 3]| -> Vec<String> {
        let input = at.map(|_| input.unwrap_or_default());
        std::iter::once(cell).chain(input).chain(rest).collect()
    };
    let none = String::new;
    let head = ["operation", "at", "source"].map(String::from);
    let mut rows = vec![line("ULP".into(), Some("of input".into()), head)];
    let (large, small): (Vec<&Cost>, Vec<&Cost>) = shares
        .iter()
        .partition(|s| s.ulp.max(s.at.map_or(0.0, f64::abs)) >= SMALL);
    let signed = |x: f64| format!("{x:+.4}");
    for s in large {
        let (operation, place) = s.names();
        let rest = [operation, place, s.text.clone()];
        rows.push(line(part(s.ulp), s.at.map(signed), rest));
    }
    if !small.is_empty() {
        let sum: f64 = small.iter().map(|s| s.ulp).sum();
        let of_input: f64 = small.iter().filter_map(|s| s.at).sum();
        let name = format!("{} more roundings", small.len());
        let rest = [name, none(), none()];
        rows.push(line(part(sum), Some(signed(of_input)), rest));
    }
    if let Some(worst) = bound.cells.first() {
        let method = worst.error.method.magnitude();
        let of_input = at.map(|a| signed(a.parts.method));
        let rest = [METHOD.into(), none(), none()];
        rows.push(line(part(method), of_input, rest));
    }
    rows
}

fn json(name: &str, found: &Found<'_>, context: &mut Context) -> Result<(), Failure> {
    let Found {
        computed,
        shares,
        at,
        net,
        certificate,
    } = *found;
    let mut document = document(name, computed);
    certificate.add_to(&mut document);
    document["net_inputs"] = results::count(net.inputs.into());
    document["net_worst"] = net
        .worst
        .map_or(json!(null), |w| results::error(w.error.abs()));
    let [why, remedy] =
        wide::explained(computed, net).map_or([json!(null), json!(null)], |w| w.map(Value::from));
    document["why_wide"] = why;
    document["remedy"] = remedy;
    let shares: Vec<Value> = shares
        .iter()
        .map(|s| {
            json!({
                "ulp": s.ulp,
                "ulp_at": s.at,
                "operation": s.label.as_ref().map(|l| &l.text),
                "file": s.label.as_ref().map(|l| &*l.file),
                "line": s.label.as_ref().map(|l| l.line),
                "source": s.text,
            })
        })
        .collect();
    document["shares"] = shares.into();
    if let Some(at) = at {
        document["at"] = results::word(Precision::F64, at.x.to_bits());
        document["error_at"] = results::error(at.parts.error);
        document["method_at"] = results::error(at.parts.method);
    }
    if let Some(worst) = computed.bound.cells.first() {
        document["method"] = results::error(worst.error.method.magnitude());
        document["worst_cell"] = place(&computed.bound, worst).into();
    }
    context.out.json(&document)?;
    Ok(())
}
