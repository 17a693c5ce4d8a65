//! `at`: single inputs of a sweep, without a search: result, reference and error, also at the neighbours.

use serde_json::json;

use crate::args::AtArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::{outside, results, several};
use dc_runtime::model::block::{
    FLAG_EXCLUDED, FLAG_INFINITY, FLAG_MISROUNDED, FLAG_NAN, FLAG_UNDECIDED, FLAG_ZERO_SIGN,
};
use dc_runtime::model::neighbours::Neighbours;
use dc_runtime::model::show;
use dc_runtime::search::evaluator::{PointEvaluator, PointResult};
use dc_runtime::search::range;

pub(super) fn at(args: &AtArgs, context: &mut Context) -> Result<(), Failure> {
    if let Some(types) = several::asked(&args.outside)? {
        return several::at(&args.outside, &args.inputs, types, context);
    }
    let outside = outside::sweep(&args.outside, None, context)?;
    // For a function of a library or a device, every argument is an input.
    let (sweep, inputs) = match (&outside, &args.inputs[..]) {
        (Some(sweep), inputs) => (sweep, inputs),
        (None, [name, inputs @ ..]) => (context.sweep(name)?, inputs),
        (None, []) => {
            return Err(Failure::input(
                "at takes a sweep and inputs, as in at exp 1.5",
            ));
        }
    };
    if inputs.is_empty() {
        return Err(Failure::input(format!(
            "at {0} takes inputs, as in at {0} 1.5",
            sweep.name()
        )));
    }
    let mut values = Vec::new();
    for text in inputs {
        let (space, key) = range::place(text, sweep.inputs())?;
        let around = Neighbours::of(space, key);
        let space = around.space;
        let sweep = &sweep.over(space);
        let points = PointEvaluator::plain(sweep).evaluate(&around.keys())?;
        let [point, neighbours @ ..] = &points[..] else {
            return Err(Failure::failed("nothing was evaluated".to_string()));
        };
        if context.json {
            let one = |p: &PointResult| {
                json!({
                    "input": results::input(space, p.key),
                    "result": results::word(sweep.precision(), p.result_bits),
                    "reference": p.reference,
                    "scale": p.scale,
                    "radius": results::error(p.radius),
                    "error": error(p).map(results::error),
                    "verdict": verdict(p),
                })
            };
            values.push(json!({
                "sweep": sweep.name(),
                "at": one(point),
                "neighbours": names(&around).into_iter().zip(neighbours).map(|((name, _), n)| {
                    let mut found = one(n);
                    found["neighbour"] = name.into();
                    found
                }).collect::<Vec<_>>(),
            }));
            continue;
        }
        let p = sweep.precision();
        let [hi, lo] = point.reference;
        let words = if lo == 0.0 {
            format!("{hi:?}")
        } else {
            format!("{hi:?} + {lo:?}")
        };
        let words = show::scaled(&words, point.scale);
        let reference = match point.radius {
            0.0 => words,
            radius => format!("{words}, within {radius:.1e} by an estimate"),
        };
        let mut lines = vec![
            format!("{} at {}", sweep.name(), space.show(around.key)),
            format!("result        {}", show::full(p, point.result_bits)),
            format!("reference     {reference}"),
            format!("error         {}", shown(point)),
        ];
        for ((name, argument), n) in names(&around).into_iter().zip(neighbours) {
            let result = show::decimal(p, n.result_bits);
            lines.push(format!(
                "{name:13} {} gives {result}, error {}",
                space.decimal_of(n.key, argument),
                shown(n)
            ));
        }
        lines.extend(results::lanes_line(sweep));
        for line in lines {
            context.out.line(&show::plain(&line))?;
        }
    }
    if context.json {
        context.out.json(&json!(values))?;
    }
    results::lanes_agree([sweep])
}

/// The names of the neighbours, and the argument in which each differs.
fn names(around: &Neighbours) -> Vec<(String, usize)> {
    let arguments = around.around.len();
    let mut all = Vec::new();
    for (n, both) in around.around.iter().enumerate() {
        for (_, name) in both.iter().zip(results::BESIDE).filter(|b| b.0.is_some()) {
            let name = match arguments {
                1 => name.to_string(),
                _ => format!("{} {name}", results::ARGUMENTS[n]),
            };
            all.push((name, n));
        }
    }
    all
}

/// The signed error, if one is defined.
fn error(p: &PointResult) -> Option<f64> {
    (p.flags & FLAG_EXCLUDED == 0).then_some(p.error)
}

fn shown(p: &PointResult) -> String {
    match error(p) {
        Some(error) => format!(
            "{} ULP: {}",
            dc_runtime::search::format::number(error),
            verdict(p)
        ),
        None => format!("none: {}", verdict(p)),
    }
}

/// The metric's verdict on an input, in words.
fn verdict(p: &PointResult) -> &'static str {
    let has = |flag| p.flags & flag != 0;
    if has(FLAG_NAN) {
        "a NaN and a number"
    } else if has(FLAG_INFINITY) {
        "an infinity in the wrong place"
    } else if has(FLAG_ZERO_SIGN) {
        "a zero of the wrong sign"
    } else if has(FLAG_UNDECIDED) {
        "undecided: the reference cannot tell whether it is rounded correctly"
    } else if has(FLAG_MISROUNDED) {
        "not the nearest number"
    } else if has(FLAG_EXCLUDED) {
        "right, where no error is defined"
    } else {
        "rounded correctly"
    }
}
