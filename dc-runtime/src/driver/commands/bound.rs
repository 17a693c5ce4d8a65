//! `bound`: a certified bound of a sweep's errors, and which line of the routine costs what.

use std::time::Instant;

use dc_exact::bound::{Bounded, Effort, RangeBound, bound_range};
use dc_exact::cell::{Cell, Label};
use dc_exact::num::float::BINARY64;
use kernels_gen::ir::Loc;
use kernels_gen::program::Program;
use serde_json::{Value, json};

use crate::driver::args::BoundArgs;
use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::driver::results;
use crate::model::key::Precision;
use crate::model::show;
use crate::search::certify::Subject;
use crate::search::range::Range;
use crate::search::trace::{Site, source};

/// A sweep with its bound.
pub(super) struct Computed {
    pub subject: Subject,
    pub bound: RangeBound,
    /// The range's text.
    pub range: String,
    /// Seconds.
    pub time: f64,
}

/// Stretches of special inputs that are listed.
const LISTED: usize = 8;
/// Shares below this many ULP are summed up.
const SMALL: f64 = 5e-5;

pub(super) fn compute(args: &BoundArgs, context: &mut Context) -> Result<Computed, Failure> {
    let sweep = context.sweep(&args.sweep)?;
    let text = args.range.as_deref().unwrap_or(sweep.range);
    let range = Range::parse(text, sweep.precision).map_err(|e| Failure::input(e.to_string()))?;
    let subject = Subject::of(sweep, &range)?;
    let begun = Instant::now();
    let effort = Effort {
        cells: args.cells,
        ..Effort::default()
    };
    let bound = bound_range(&subject.program, &subject.truth, &subject.stretches, effort);
    Ok(Computed {
        range: text.into(),
        bound,
        subject,
        time: begun.elapsed().as_secs_f64(),
    })
}

pub(super) fn bound(args: &BoundArgs, context: &mut Context) -> Result<(), Failure> {
    let computed = compute(args, context)?;
    let sweep = context.sweep(&args.sweep)?;
    let shares = shares(&computed);
    if context.json {
        return json(sweep.name, &computed, &shares, context);
    }
    let Computed {
        subject,
        bound,
        range,
        time,
    } = &computed;
    context.out.line(&format!(
        "{}: {} inputs of {range}, none of them run",
        sweep.name,
        show::count(subject.inputs)
    ))?;
    let mut rows = vec![];
    let mut row = |name: &str, text: String| rows.push(vec![name.to_string(), text]);
    row(
        "bound",
        format!("{} ULP, certified: no error is larger", up(bound.bound)),
    );
    row("  relative to", relative(subject));
    if let Some(worst) = bound.cells.first() {
        row("  worst cell", place(bound, worst));
    }
    row(
        "cells",
        format!(
            "{} in {} classes; {} were looked at",
            show::count(bound.cells.len() as u128),
            show::count(bound.classes.len() as u128),
            show::count(bound.looked.into())
        ),
    );
    for text in left_out(&computed) {
        row("not bounded", text);
    }
    if bound.unfinished {
        row(
            "unfinished",
            "the bound holds, and more cells would lower it or reach further: give --cells more"
                .into(),
        );
    }
    row("time", show::seconds(*time));
    context.out.columns(&rows)?;
    if !shares.is_empty() {
        context
            .out
            .line("\nwhat each rounding adds at most, at the worst cell:")?;
        context.out.table(&table(&shares, bound))?;
    }
    Ok(())
}

/// What a bound is relative to.
pub(super) fn relative(subject: &Subject) -> String {
    format!(
        "{}, and to IEEE 754's meaning of the routine's operations",
        subject.relative
    )
}

/// A bound in few digits, rounded up.
pub(super) fn up(x: f64) -> String {
    if !x.is_finite() {
        return "infinite".into();
    }
    let scaled = (x * 1e7).ceil();
    // The product was rounded.
    let scaled = if scaled / 1e7 < x {
        scaled + 1.0
    } else {
        scaled
    };
    format!("{:.7}", scaled / 1e7)
}

fn number(x: f64) -> String {
    show::decimal(Precision::F64, x.to_bits())
}

/// Where a cell is.
fn place(bound: &RangeBound, worst: &Bounded) -> String {
    let Cell { lo, hi } = worst.cell;
    let cell = format!("{} to {}", number(lo), number(hi));
    match worst.class.map(|c| &bound.classes[c]) {
        Some(class) if class.reduced => {
            let here = class
                .members
                .iter()
                .filter(|m| m.core.lo <= hi && lo <= m.core.hi);
            format!(
                "reduced arguments {cell}, those of {} stretches of inputs",
                here.count()
            )
        }
        _ => cell,
    }
}

/// What no bound is claimed of, a line a kind.
pub(super) fn left_out(computed: &Computed) -> Vec<String> {
    let Computed { subject, bound, .. } = computed;
    let mut lines = Vec::new();
    for (n, what) in [(subject.nans, "NaNs"), (subject.infinities, "infinities")] {
        if n > 0 {
            lines.push(format!("{} {what} of the range", show::count(n)));
        }
    }
    if !bound.special.is_empty() {
        let mut listed: Vec<String> = bound.special.iter().take(LISTED).map(stretch).collect();
        if bound.special.len() > LISTED {
            listed.push(format!("and {} more", bound.special.len() - LISTED));
        }
        lines.push(format!(
            "{} inputs where the result or the function is no finite number, or that could not be told apart: {}",
            show::count(special(bound)),
            listed.join(", ")
        ));
    }
    lines
}

fn special(bound: &RangeBound) -> u128 {
    bound
        .special
        .iter()
        .map(|c| u128::from(c.count(BINARY64)))
        .sum()
}

fn stretch(cell: &Cell) -> String {
    if cell.lo == cell.hi {
        number(cell.lo)
    } else {
        format!("{} to {}", number(cell.lo), number(cell.hi))
    }
}

/// An operation's part of the bound.
struct Cost {
    ulp: f64,
    label: Option<Label>,
    site: u32,
    /// The line of the source.
    text: String,
}

/// What each rounding adds at the worst cell, the largest first.
fn shares(computed: &Computed) -> Vec<Cost> {
    let Some(worst) = computed.bound.cells.first() else {
        return Vec::new();
    };
    let cost = |s: &dc_exact::error::Share| {
        let label = computed.bound.labels.iter().find(|l| l.site == s.site);
        Cost {
            ulp: s.ulp,
            site: s.site,
            text: label.map_or_else(String::new, |l| line(&computed.subject.program, l)),
            label: label.cloned(),
        }
    };
    worst.error.shares.iter().map(cost).collect()
}

/// The line of the source that an operation stands in.
fn line(program: &Program, label: &Label) -> String {
    let of = program.funcs.iter().filter_map(|f| {
        let kernel = f.kernel;
        if kernel.file != label.file || kernel.line > label.line {
            return None;
        }
        let loc = Loc {
            line: label.line,
            col: 0,
        };
        let found = source::line(&Site { kernel, loc })?;
        // Of two kernels in a file, the later one that still has the line.
        Some((kernel.line, found.text.trim()))
    });
    of.max_by_key(|f| f.0)
        .map_or_else(String::new, |f| f.1.into())
}

fn table(shares: &[Cost], bound: &RangeBound) -> Vec<Vec<String>> {
    let mut rows = vec![
        ["ULP", "operation", "at", "source"]
            .map(String::from)
            .to_vec(),
    ];
    let (large, small): (Vec<&Cost>, Vec<&Cost>) = shares.iter().partition(|s| s.ulp >= SMALL);
    for s in large {
        let (operation, at) = match &s.label {
            Some(l) => (l.text.clone(), format!("{}:{}", l.file, l.line)),
            None => (format!("operation {}", s.site), String::new()),
        };
        rows.push(vec![format!("{:.4}", s.ulp), operation, at, s.text.clone()]);
    }
    if !small.is_empty() {
        let sum: f64 = small.iter().map(|s| s.ulp).sum();
        let name = format!("{} more roundings", small.len());
        rows.push(vec![
            format!("{sum:.4}"),
            name,
            String::new(),
            String::new(),
        ]);
    }
    if let Some(worst) = bound.cells.first() {
        rows.push(vec![
            format!("{:.4}", worst.error.method.magnitude()),
            "the method: coefficients, truncation, reduction".into(),
            String::new(),
            String::new(),
        ]);
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
        "bound": results::error(bound.bound),
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

fn json(
    name: &str,
    computed: &Computed,
    shares: &[Cost],
    context: &mut Context,
) -> Result<(), Failure> {
    let mut document = document(name, computed);
    let shares: Vec<Value> = shares
        .iter()
        .map(|s| {
            json!({
                "ulp": s.ulp,
                "operation": s.label.as_ref().map(|l| &l.text),
                "file": s.label.as_ref().map(|l| l.file),
                "line": s.label.as_ref().map(|l| l.line),
                "source": s.text,
            })
        })
        .collect();
    document["shares"] = shares.into();
    if let Some(worst) = computed.bound.cells.first() {
        document["method"] = results::error(worst.error.method.magnitude());
        document["worst_cell"] = place(&computed.bound, worst).into();
    }
    context.out.json(&document)?;
    Ok(())
}
