//! `at` with a function of several numbers.

use serde_json::json;

use super::format::Format;
use super::opened::opened;
use super::sample::Tuple;
use super::text::shown;
use super::truth::Rounding;
use crate::args::OutsideArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::results;
use dc_runtime::model::several::Several;
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::format::number;
use dc_runtime::search::range::{self, quote};

/// Shows the results at the given inputs.
pub fn at(
    outside: &OutsideArgs,
    inputs: &[String],
    types: Several,
    context: &mut Context,
) -> Result<(), Failure> {
    let tuples: Vec<Tuple> = inputs
        .iter()
        .map(|text| tuple(text, types))
        .collect::<Result<_, _>>()?;
    let (function, reference) = opened(outside, types)?;
    let format = Format::of(types.number);
    let columns: Vec<Vec<u64>> = (0..types.arguments())
        .map(|n| tuples.iter().map(|t| t[n]).collect())
        .collect();
    let results = function.eval(&columns)?;
    let values = reference.values(format, &tuples, types)?;
    let precision = types.number.precision();
    let mut documents = Vec::new();
    for (i, tuple) in tuples.iter().enumerate() {
        let words: Vec<u64> = results.iter().map(|c| c[i]).collect();
        let judged = words.iter().zip(&values[i]);
        let judged: Vec<_> = judged
            .map(|(w, v)| (v.show(), v.judge(format, *w)))
            .collect();
        if context.json {
            let word = |w: &u64| results::word(precision, *w);
            let parts = judged
                .iter()
                .zip(&words)
                .enumerate()
                .map(|(n, ((value, j), w))| {
                    json!({
                        "part": types.parts()[n],
                        "result": word(w),
                        "reference": value,
                        "ulp": j.ulp.map(results::error),
                        "verdict": verdict(j.rounding, j.fault.map(|f| f.name())),
                    })
                });
            documents.push(json!({
                "function": function.full_name(),
                "input": tuple[..types.arguments()].iter().map(word).collect::<Vec<_>>(),
                "parts": parts.collect::<Vec<_>>(),
            }));
            continue;
        }
        let mut lines = vec![format!(
            "{} at {}",
            function.symbol(),
            shown(types, &tuple[..types.arguments()])
        )];
        for (n, ((value, j), w)) in judged.iter().zip(&words).enumerate() {
            let ulp = j.ulp.map(|ulp| format!("{} ULP: ", number(ulp)));
            lines.push(format!(
                "{:13} {}",
                types.parts()[n],
                show::full(precision, *w)
            ));
            lines.push(format!("  reference   {value}"));
            lines.push(format!(
                "  error       {}{}",
                ulp.unwrap_or_default(),
                verdict(j.rounding, j.fault.map(|f| f.name()))
            ));
        }
        for line in lines {
            context.out.line(&show::plain(&line))?;
        }
    }
    if context.json {
        context.out.json(&json!(documents))?;
    }
    Ok(())
}

/// What was found, in words.
const fn verdict(rounding: Rounding, fault: Option<&'static str>) -> &'static str {
    match (fault, rounding) {
        (Some(fault), _) => fault,
        (_, Rounding::Nearest) => "rounded correctly",
        (_, Rounding::Other) => "not the nearest number",
        (_, Rounding::Undecided) => {
            "undecided: the reference cannot tell whether it is rounded correctly"
        }
        (_, Rounding::NotJudged) => "not judged: nothing is known of the value",
    }
}

/// The words of `1.5,-0.0,bits:0x3f800000`.
fn tuple(text: &str, types: Several) -> Result<Tuple, Failure> {
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() != types.arguments() {
        return Err(Failure::input(format!(
            "`{}` has {} numbers, and an input of a function of {types} has {}, separated by commas{}",
            quote(text),
            parts.len(),
            types.arguments(),
            match types.is_complex() {
                true => ": of each complex number the real and the imaginary part",
                false => "",
            }
        )));
    }
    let format = Format::of(types.number);
    let mut tuple = [0; 4];
    for (word, part) in tuple.iter_mut().zip(parts) {
        let precision = types.number.precision();
        *word = match part.trim().to_ascii_lowercase().as_str() {
            // A range has no NaN.
            "nan" => format.near(f64::NAN),
            _ => {
                let (_, key) = range::place(part.trim(), InputSpace::Numbers(precision))?;
                precision.bits_of_key(key)
            }
        };
        if format.word(format.bits(*word)) != *word && !format.value(*word).is_nan() {
            return Err(Failure::input(format!(
                "`{}` is no number of {}",
                quote(part),
                types.number.name()
            )));
        }
    }
    Ok(tuple)
}
