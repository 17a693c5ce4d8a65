//! Faults of emitted text. Each statement is a line: `    const TYPE NAME = EXPRESSION;`.

use std::collections::HashMap;

use super::{Fault, Way};

pub(super) const fn cuda(
    name: &'static str,
    what: &'static str,
    alter: fn(&str) -> String,
) -> Fault {
    Fault {
        name,
        what,
        way: Way::Text("cuda-host", alter),
    }
}

pub(super) const fn opencl(
    name: &'static str,
    what: &'static str,
    alter: fn(&str) -> String,
) -> Fault {
    Fault {
        name,
        what,
        way: Way::Text("opencl:pocl", alter),
    }
}

/// The text with each line changed.
pub(super) fn in_lines(text: &str, mut change: impl FnMut(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

/// Type, name and expression of a statement.
fn statement(line: &str) -> Option<(&str, &str, &str)> {
    let rest = line.trim_start().strip_prefix("const ")?;
    let (bound, value) = rest.split_once(" = ")?;
    let (ty, name) = bound.rsplit_once(' ')?;
    Some((ty, name, value.strip_suffix(';')?))
}

fn is_float(ty: &str) -> bool {
    ty.starts_with("double") || ty.starts_with("float")
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Both operands, if both are names.
fn operands<'a>(value: &'a str, cuda: &str, sign: &str) -> Option<(&'a str, &'a str)> {
    let inner = ["__d", "__f"].iter().find_map(|p| {
        value
            .strip_prefix(&format!("{p}{cuda}_rn("))
            .and_then(|v| v.strip_suffix(')'))
    });
    let (a, b) = match inner {
        Some(inner) => inner.split_once(", ")?,
        None => value.split_once(&format!(" {sign} "))?,
    };
    (is_name(a) && is_name(b)).then_some((a, b))
}

/// Products that feed sums, fused.
pub(super) fn contracted(text: &str) -> String {
    let cuda = text.contains("__device__");
    let mut products: HashMap<String, (String, String)> = HashMap::new();
    in_lines(text, |line| {
        if line.starts_with("static") {
            products.clear();
        }
        let Some((ty, name, value)) = statement(line).filter(|s| is_float(s.0)) else {
            return line.to_string();
        };
        if let Some((a, b)) = operands(value, "mul", "*") {
            products.insert(name.into(), (a.into(), b.into()));
        }
        let Some((a, b)) = operands(value, "add", "+") else {
            return line.to_string();
        };
        let (product, other) = match (products.get(a), products.get(b)) {
            (Some(product), _) => (product, b),
            (_, Some(product)) => (product, a),
            _ => return line.to_string(),
        };
        let fma = match (cuda, ty) {
            (true, "double") => "__fma_rn",
            (true, _) => "__fmaf_rn",
            _ => "fma",
        };
        format!(
            "    const {ty} {name} = {fma}({}, {}, {other});",
            product.0, product.1
        )
    })
}

/// `a <= b ? a : b` for `a < b ? a : b` on floats.
pub(super) fn loose_min(text: &str) -> String {
    in_lines(text, |line| {
        let min = statement(line).filter(|(ty, _, value)| {
            is_float(ty)
                && value
                    .split_once(" ? ")
                    .and_then(|(cond, arms)| {
                        let (a, b) = cond.split_once(" < ")?;
                        Some(arms == format!("{a} : {b}"))
                    })
                    .unwrap_or(false)
        });
        match min {
            Some(_) => line.replace(" < ", " <= "),
            None => line.to_string(),
        }
    })
}
