//! `bound`: a certified bound of a sweep's errors, and the contribution of each line of the routine.

mod certified;
mod compute;
mod pairs;
mod wide;
mod wording;

use std::time::{Duration, Instant};

use dc_exact::bound::RangeBound;
use dc_exact::cell::Label;
use dc_exact::error::Share;
use dc_exact::exact::{Claims, Net, net};
use dc_exact::num::Interval;
use dc_exact::parts::{Parts, parts_at};
use kernels_gen::ir::Loc;
use kernels_gen::program::Program;
use serde_json::{Value, json};

use crate::args::BoundCommandArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::{exit, interrupt, report, results};
use dc_runtime::model::key::Precision;
use dc_runtime::model::show;
use dc_runtime::search::range;
use dc_runtime::search::trace::{Site, source};

use certified::Certificate;
pub(super) use compute::{Computed, Limit, compute, of_subject};
pub(super) use wording::{but, known, left_out, place, relative, up};
use wording::{number, part, special};

/// Shares below this many ULP are added up on one line.
const SMALL: f64 = 5e-5;

pub(super) fn bound(args: &BoundCommandArgs, context: &mut Context) -> Result<(), Failure> {
    let stop = interrupt::stop("stopping; the bound of what is examined so far follows");
    let until = |time| Instant::now().checked_add(Duration::from_secs_f64(time));
    let limit = Limit {
        until: args.time.and_then(until),
        stop: Some(&stop),
        threads: args.jobs,
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

/// What is known of a sweep when its bound is reported.
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
    }
    Ok(())
}

/// What was evaluated and compared with the bound.
fn in_words(net: Net) -> String {
    format!(
        "{} inputs run afterwards: none is above the bound of its cell (a net, and not the proof)",
        show::count(net.inputs.into())
    )
}

/// Why a bound is not as low, or does not reach as far, as it could, with the remedy.
fn unfinished(computed: &Computed) -> Option<String> {
    if computed.cut_short {
        return Some(
            "the time was over, or a stop was requested: what was not examined is not bounded; give --time more, or leave it out"
                .into(),
        );
    }
    let Computed { bound, .. } = computed;
    if !bound.unfinished {
        return None;
    }
    Some(match computed.is_bound() {
        true => {
            "the bound holds, and more cells would lower it or reach further: give --cells more"
                .into()
        }
        false => format!(
            "{} cells reach {:.4} % of the inputs: give --range a part in which fewer of the routine's integers, masks and branches vary; \
             --cells more helps in proportion only",
            show::count(bound.looked.into()),
            100.0 * (1.0 - computed.left_out)
        ),
    })
}

/// An input with the parts of its error.
struct At {
    x: f64,
    parts: Parts,
}

impl At {
    fn new(computed: &Computed, text: &str) -> Result<At, Failure> {
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
struct Cost {
    ulp: f64,
    /// Its signed part of an input's error, if one is given.
    at: Option<f64>,
    label: Option<Label>,
    site: u32,
    /// The line of the source.
    text: String,
}

/// The contribution of each rounding at the worst cell, the largest first, and to the error of an input.
fn shares(computed: &Computed, at: Option<&At>) -> Vec<Cost> {
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

/// A line of the report's table of costs: ULP at the worst cell, those of the worst input, the operation, and its
/// place.
pub(super) fn costs(computed: &Computed, worst: Option<f64>) -> Vec<report::Cost> {
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

/// The text for the parts that are no rounding.
const METHOD: &str = "the method: coefficients, truncation, reduction";

impl Cost {
    /// The operation, and its place.
    fn names(&self) -> (String, String) {
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
        // Of two kernels in a file, the later one that has the line.
        Some((origin.line, found.text.trim().to_string()))
    });
    of.max_by_key(|f| f.0).map_or_else(String::new, |f| f.1)
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

/// The parts of a document that `bound` and `hunt` have in common.
pub(super) fn document(name: &str, computed: &Computed) -> Value {
    let Computed {
        subject,
        bound,
        range,
        time,
        ..
    } = computed;
    let special: Vec<Value> = bound
        .special
        .iter()
        .map(|c| {
            let word = |x: f64| results::word(Precision::F64, x.to_bits());
            json!({ "first": word(c.lo), "last": word(c.hi) })
        })
        .collect();
    json!({
        "sweep": name,
        "range": range,
        "inputs": results::count(subject.inputs),
        "bound": match computed.is_bound() {
            true => results::error(bound.bound),
            false => json!(null),
        },
        "bound_of_the_rest": results::error(bound.bound),
        "left_out_share": computed.left_out,
        "cut_short": computed.cut_short,
        "relative_to": relative(subject),
        "cells": bound.cells.len(),
        "classes": bound.classes.len(),
        "looked": bound.looked,
        "unfinished": bound.unfinished,
        "nans_left_out": results::count(subject.nans),
        "infinities_left_out": results::count(subject.infinities),
        "special_inputs": results::count(self::special(bound)),
        "special": special,
        "bound_seconds": time,
    })
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
