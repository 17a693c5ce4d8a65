//! `at` for a function of several numbers.

use serde_json::json;

use super::format::Format;
use super::opened::opened;
use super::reference::Reference;
use super::sample::Tuple;
use super::text::shown;
use super::truth::{Expected, Judged, Rounding};
use crate::args::OutsideArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::results;
use dc_runtime::model::library::SeveralFunction;
use dc_runtime::model::several::{Kind, Several};
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::format::number;
use dc_runtime::search::range::{self, quote};

/// An input, or one of its neighbours.
struct Place {
    tuple: Tuple,
    /// The name of the neighbour.
    name: Option<String>,
    /// The word in which the neighbour differs.
    differs: usize,
}

/// The results at an input, and the verdict on each.
struct Point {
    words: Vec<u64>,
    judged: Vec<(String, Judged)>,
}

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
    let mut documents = Vec::new();
    for tuple in tuples {
        let places = places(tuple, types);
        let points = points(&function, &reference, &places, types)?;
        if context.json {
            let mut all = places.iter().zip(&points);
            let one = |(place, point): (&Place, &Point)| document(place, point, types);
            let mut found = all.next().map_or(json!({}), one);
            found["function"] = function.full_name().into();
            found["neighbours"] = all.map(one).collect();
            documents.push(found);
            continue;
        }
        let arguments = |t: &Tuple| shown(types, &t[..types.arguments()]);
        let mut lines = vec![format!("{} at {}", function.symbol(), arguments(&tuple))];
        for (place, point) in places.iter().zip(&points) {
            match &place.name {
                None => lines.extend(full(point, types)),
                Some(name) => lines.push(short(name, place, point, format, types)),
            }
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

/// An input and its neighbours: for each argument, the numbers before and after it, with the other arguments fixed.
fn places(tuple: Tuple, types: Several) -> Vec<Place> {
    let format = Format::of(types.number);
    let own = Place {
        tuple,
        name: None,
        differs: 0,
    };
    let of = |n: usize| {
        let around = format.around(tuple[n]).into_iter().zip(results::BESIDE);
        around.filter_map(move |(word, beside)| {
            let mut tuple = tuple;
            tuple[n] = word?;
            Some(Place {
                tuple,
                name: Some(match argument(types, n) {
                    "" => beside.to_string(),
                    name => format!("{name} {beside}"),
                }),
                differs: n,
            })
        })
    };
    let neighbours = (0..types.arguments()).flat_map(of);
    std::iter::once(own).chain(neighbours).collect()
}

/// The name of an argument's word; empty if there is only one.
const fn argument(types: Several, n: usize) -> &'static str {
    match types.kind {
        Kind::Two => "",
        Kind::Three => results::ARGUMENTS[n],
        Kind::Complex => ["re", "im"][n],
        Kind::ComplexTwo => ["re x", "im x", "re y", "im y"][n],
    }
}

fn points(
    function: &SeveralFunction,
    reference: &Reference,
    places: &[Place],
    types: Several,
) -> Result<Vec<Point>, Failure> {
    let format = Format::of(types.number);
    let tuples: Vec<Tuple> = places.iter().map(|p| p.tuple).collect();
    let columns: Vec<Vec<u64>> = (0..types.arguments())
        .map(|n| tuples.iter().map(|t| t[n]).collect())
        .collect();
    let results = function.eval(&columns)?;
    let values = reference.values(format, &tuples, types)?;
    let point = |(i, values): (usize, &[Expected; 2])| {
        let words: Vec<u64> = results.iter().map(|c| c[i]).collect();
        let judged = words.iter().zip(values);
        Point {
            judged: judged
                .map(|(w, v)| (v.show(), v.judge(format, *w)))
                .collect(),
            words,
        }
    };
    Ok(values.iter().enumerate().map(point).collect())
}

fn document(place: &Place, point: &Point, types: Several) -> serde_json::Value {
    let precision = types.number.precision();
    let word = |w: &u64| results::word(precision, *w);
    let parts = point.judged.iter().zip(&point.words).enumerate();
    let parts = parts.map(|(n, ((value, j), w))| {
        json!({
            "part": types.parts()[n],
            "result": word(w),
            "reference": value,
            "ulp": j.ulp.map(results::error),
            "verdict": verdict(j.rounding, j.fault.map(|f| f.name())),
        })
    });
    let mut found = json!({
        "input": place.tuple[..types.arguments()].iter().map(word).collect::<Vec<_>>(),
        "parts": parts.collect::<Vec<_>>(),
    });
    if let Some(name) = &place.name {
        found["neighbour"] = name[..].into();
    }
    found
}

/// The results at an input.
fn full(point: &Point, types: Several) -> Vec<String> {
    let mut lines = Vec::new();
    for (n, ((value, j), w)) in point.judged.iter().zip(&point.words).enumerate() {
        lines.push(format!(
            "{:13} {}",
            types.parts()[n],
            show::full(types.number.precision(), *w)
        ));
        lines.push(format!("  reference   {value}"));
        lines.push(format!("  error       {}", error(j)));
    }
    lines
}

/// The results at a neighbour, in one line.
fn short(name: &str, place: &Place, point: &Point, format: Format, types: Several) -> String {
    let precision = format.number.precision();
    let errors: Vec<String> = point.judged.iter().map(|j| error(&j.1)).collect();
    format!(
        "{name:13} {} gives {}, error {}",
        show::decimal(precision, place.tuple[place.differs]),
        types.show(&point.words, show::decimal),
        errors.join(", ")
    )
}

fn error(j: &Judged) -> String {
    let ulp = j.ulp.map(|ulp| format!("{} ULP: ", number(ulp)));
    ulp.unwrap_or_default() + verdict(j.rounding, j.fault.map(|f| f.name()))
}

/// The verdict, in words.
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
                "`{}` is not a number in {}",
                quote(part),
                types.number.name()
            )));
        }
    }
    Ok(tuple)
}
