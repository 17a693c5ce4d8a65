//! The report of a trace as text.

use kernels_gen::text::op_name;

use super::source::{line, place};
use super::{Compiled, Finding, Operation, Part, Traced, What};
use crate::search::identity::kernel_name;
use crate::search::points;

/// Kernels from the outermost to the operation: `routine at src/a.rs:12:9 -> helper at src/b.rs:3:5`.
#[must_use]
pub fn call_chain(o: &Operation) -> String {
    let site = |s: &super::Site| format!("{} at {}", s.origin.title, place(s));
    o.sites.iter().map(site).collect::<Vec<_>>().join(" -> ")
}

/// `mul`, `load`, …
#[must_use]
pub fn operation(o: &Operation) -> String {
    match o.what {
        What::Input => "input".into(),
        What::Constant => "constant".into(),
        What::Op(op) => op_name(op),
        What::Load => "load".into(),
    }
}

/// The name of an operand: the local variable's name, or the operation's number and name.
#[must_use]
pub fn operand(t: &Traced, at: usize) -> String {
    let o = &t.operations[at];
    match (&o.name, o.what) {
        (Some(name), _) => name.clone(),
        (None, What::Constant) => "constant".into(),
        (None, _) => format!("%{at}, {}", operation(o)),
    }
}

/// The findings in the kernels of a sweep.
#[must_use]
pub fn part_lines(parts: &[Part]) -> Vec<String> {
    let of = |p: &Part| {
        let what = format!("{} `{}`", p.role.name(), kernel_name(p.kernel));
        match &p.traced {
            Ok(t) => headed(&what, t),
            Err(e) => vec![format!(
                "{what}: cannot be traced: {}",
                one_line(&e.to_string())
            )],
        }
    };
    let mut all: Vec<String> = parts.iter().flat_map(of).collect();
    if parts.len() == 3 && parts.iter().all(|p| !p.differs() && p.traced.is_ok()) {
        all.push(
            "evaluated at this input alone, nothing differs: only the search kernels, which join the three, differ"
                .into(),
        );
    }
    all
}

/// The findings in a kernel.
#[must_use]
pub fn lines(t: &Traced) -> Vec<String> {
    headed(&format!("`{}`", kernel_name(t.kernel)), t)
}

fn one_line(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

fn headed(what: &str, t: &Traced) -> Vec<String> {
    let [a, b] = &t.backends;
    let n = t.operations.len();
    let mut out = Vec::new();
    match &t.finding {
        Finding::Same if n == 0 => out.push(format!("{what}: the same on both")),
        Finding::Same => out.push(format!("{what}: the same on both in each of {n} values")),
        Finding::Operation(at) => {
            out.push(format!("{what}: {b} parts from {a} at %{at} of {n} values"));
            let o = &t.operations[*at];
            out.extend(indented(excerpt(o)));
            let mut rows = operands(t, o);
            rows.extend([0, 1].map(|i| (t.backends[i].clone(), points::text(o.ty, o.values[i]))));
            out.extend(indented(columns(&rows)));
            for i in [0, 1] {
                if t.compiled[i] != t.one_by_one(i) {
                    out.push(format!(
                        "    compiled as a whole, {} gives another result than its operations one by one",
                        t.backends[i]
                    ));
                }
            }
        }
        Finding::Compiled(found) => {
            out.push(format!(
                "{what}: each of {n} values, computed by itself, is the same on both; the kernels as they are compiled \
                 are not"
            ));
            out.extend(indented(columns(&results(t))));
            for (i, found) in found.iter().enumerate() {
                if let Some(found) = found {
                    out.extend(indented(compiled(t, i, found)));
                }
            }
        }
    }
    out
}

/// The results of the compiled kernels and of the operations one by one, if they are not all equal.
fn results(t: &Traced) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let right = t.one_by_one(0);
    for (k, &r) in t.results.iter().enumerate() {
        let ty = t.operations[r].ty;
        if t.compiled.iter().all(|c| c[k] == right[k]) {
            continue;
        }
        let which = if t.results.len() > 1 {
            format!(", result {k}")
        } else {
            String::new()
        };
        rows.push((format!("one by one{which}"), points::text(ty, right[k])));
        for (id, c) in t.backends.iter().zip(&t.compiled) {
            rows.push((format!("{id} compiled{which}"), points::text(ty, c[k])));
        }
    }
    rows
}

/// The findings about a compiled kernel that differs from its operations.
fn compiled(t: &Traced, side: usize, found: &Compiled) -> Vec<String> {
    let id = &t.backends[side];
    match found {
        Compiled::Form(None) => vec![format!(
            "{id}: it is the form compiled from the kernel's source that differs; no contraction explains it"
        )],
        Compiled::Form(Some(c)) => {
            let (product, sum) = (&t.operations[c.product], &t.operations[c.sum]);
            let others = match c.together {
                1 => String::new(),
                n => format!(", and the {} others in the same kernel,", n - 1),
            };
            let mut out = vec![format!(
                "{id}: the compiled form gives, here and at {} inputs nearby, what it would if %{}, {}, were \
                 contracted{others} into %{}, {}",
                c.inputs - 1,
                c.product,
                operation(product),
                c.sum,
                operation(sum),
            )];
            out.extend(indented(excerpt(sum)));
            if !same_line(product, sum) {
                out.extend(indented(excerpt(product)));
            }
            out.extend(indented(columns(&operands(t, sum))));
            out
        }
        Compiled::Merged { at, got, with } => {
            let o = &t.operations[*at];
            let with: Vec<String> = with.iter().map(|&w| operand(t, w)).collect();
            let merged = match with.is_empty() {
                true => "where the values before it are not kept".to_string(),
                false => format!(
                    "where {} is not kept: the compiler merges them",
                    with.join(" or ")
                ),
            };
            let mut out = vec![format!("{id}: %{at} is another {merged}")];
            out.extend(indented(excerpt(o)));
            let mut rows = operands(t, o);
            rows.push(("by itself".into(), points::text(o.ty, o.values[side])));
            rows.push((format!("{id} compiled"), points::text(o.ty, *got)));
            out.extend(indented(columns(&rows)));
            out
        }
        Compiled::Elusive => vec![format!(
            "{id}: the compiled result is wrong only while no value inside the kernel is kept, so none can be named"
        )],
    }
}

/// Place and line of an operation.
fn excerpt(o: &Operation) -> Vec<String> {
    let mut out = vec![call_chain(o)];
    let Some(site) = o.sites.last() else {
        return out;
    };
    if let Some(found) = line(site) {
        let number = site.loc.line.to_string();
        let margin = " ".repeat(number.len());
        out.push(format!("{number} | {}", found.text));
        if let Some(column) = found.column {
            let before = " ".repeat(column - 1);
            out.push(format!("{margin} | {before}^ {}", operation(o)));
        } else {
            out.push(format!("{margin} | ({})", operation(o)));
        }
    } else {
        out.push(operation(o));
    }
    out
}

fn same_line(a: &Operation, b: &Operation) -> bool {
    let of = |s: &super::Site| (s.origin.file.clone(), s.loc.line);
    a.sites.last().map(of) == b.sites.last().map(of)
}

fn operands(t: &Traced, o: &Operation) -> Vec<(String, String)> {
    let mut seen = Vec::new();
    for &a in &o.operands {
        if !seen.contains(&a) {
            seen.push(a);
        }
    }
    let row = |&a: &usize| {
        let of = &t.operations[a];
        (operand(t, a), points::text(of.ty, of.values[0]))
    };
    seen.iter().map(row).collect()
}

fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|l| format!("    {l}"))
}

fn columns(rows: &[(String, String)]) -> Vec<String> {
    let width = rows.iter().map(|r| r.0.chars().count()).max().unwrap_or(0);
    rows.iter()
        .map(|(a, b)| format!("{a:width$}  {b}"))
        .collect()
}
