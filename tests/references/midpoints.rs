//! Inputs whose results are near the midpoint of two doubles, or near a double: where the two words of a result are
//! hardest to distinguish, and where a search must distinguish a correctly rounded result from the next one.
//!
//! Between neighbouring inputs a smooth function is nearly linear. Over a stretch of 2^16 inputs the curvature moves a result
//! by some 2^-22 of an ULP, so two evaluations determine the positions of all 2^16 results between doubles, and the
//! best one of them, some 2^-17 of an ULP from a midpoint, costs a thousandth of the evaluation of all (the idea of
//! Lefèvre's search for the worst cases of correct rounding, to the first order).

use doublecrunch::prelude::*;
use doublecrunch::search::key::Precision;

use crate::compiled::Map;
use crate::doubles::batch;
use crate::inputs::Rng;

/// Inputs per stretch.
const STRETCH: u64 = 1 << 16;
/// Stretches per batch.
const STRETCHES: usize = 16;
/// Inputs nearer than this to a midpoint or a double, in ULP, are taken.
const NEAR: f64 = 1.0 / 4096.0;
/// Results between these have both words.
const LEAST: f64 = f64::from_bits((1023 - 900) << 52);

/// The spacing of doubles at a normal number.
fn ulp(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7ff << 52)) * f64::EPSILON
}

/// The position of a result, in ULP from the double `from`.
fn place(y: DoubleDouble, from: f64, ulp: f64) -> f64 {
    (y.hi - from) / ulp + y.lo / ulp
}

/// The distance of a position from the nearest double, or from the nearest midpoint.
fn distance(place: f64, midpoint: bool) -> f64 {
    let off = place - place.round();
    match midpoint {
        true => 0.5 - off.abs(),
        false => off.abs(),
    }
}

fn at(map: Map, x: f64) -> Option<DoubleDouble> {
    let y = map.binary64(&[x])[0];
    let usual = y.hi.is_finite() && y.hi.abs() >= LEAST;
    usual.then_some(y)
}

/// Predicts which input of a stretch is nearest, from the first result's position and the increment per input.
type Nearest = fn(from: f64, step: f64, midpoint: bool) -> Option<u64>;

fn nearest(from: f64, step: f64, midpoint: bool) -> Option<u64> {
    let near = |k: &u64| distance(from + step * *k as f64, midpoint);
    (1..STRETCH).min_by(|a, b| near(a).total_cmp(&near(b)))
}

/// The input of a stretch from `x` on that is predicted to be nearest.
fn predicted(map: Map, x: f64, midpoint: bool, nearest: Nearest) -> Option<f64> {
    // Away from zero, whatever the sign.
    let end = f64::from_bits(x.to_bits().checked_add(STRETCH)?);
    if !x.is_normal() || !end.is_finite() {
        return None;
    }
    let (first, last) = (at(map, x)?, at(map, end)?);
    let ulp = ulp(first.hi);
    let from = place(first, first.hi, ulp);
    let step = (place(last, first.hi, ulp) - from) / STRETCH as f64;
    // Where results hardly change all are alike; where they change by leaps, a prediction has no digits left.
    if !(2f64.powi(-8)..=2f64.powi(16)).contains(&step.abs()) {
        return None;
    }
    let best = nearest(from, step, midpoint)?;
    Some(f64::from_bits(x.to_bits() + best))
}

/// The inputs near midpoints and near doubles, in turn, of batch `n`: as many as there are smooth stretches among some
/// random ones.
pub fn near_midpoints(map: Map, n: u64) -> Vec<f64> {
    found(map, n, nearest)
}

fn found(map: Map, n: u64, nearest: Nearest) -> Vec<f64> {
    let starts = batch(n ^ 0x6d69_6470_6f69_6e74);
    let mut rng = Rng(n);
    let mut found = Vec::new();
    for try_ in 0..32 * STRETCHES {
        if found.len() == STRETCHES {
            break;
        }
        let midpoint = try_ % 2 == 0;
        let x = starts[rng.below(starts.len() as u64) as usize];
        let near =
            |x: &f64| at(map, *x).is_some_and(|y| distance(y.lo / ulp(y.hi), midpoint) <= NEAR);
        found.extend(predicted(map, x, midpoint, nearest).filter(near));
    }
    found
}

/// Whether such a search works: it finds enough inputs, half of them within 2^-15 ULP of a midpoint or a double. The
/// least of 2^16 random distances has the median 2^-18.
fn finds(nearest: Nearest) -> Result<(), String> {
    let exp = Map::of("exp", Precision::F64);
    let mut distances: Vec<f64> = (0..16)
        .flat_map(|n| found(exp, n, nearest))
        .filter_map(|x| at(exp, x))
        .map(|y| {
            let off = y.lo / ulp(y.hi);
            distance(off, true).min(distance(off, false))
        })
        .collect();
    distances.sort_by(f64::total_cmp);
    let n = distances.len();
    let median = distances.get(n / 2).copied().unwrap_or(1.0);
    match n > 64 && median < 2f64.powi(-15) {
        true => Ok(()),
        false => Err(format!("{n} inputs, half of them within {median:e}")),
    }
}

#[test]
fn what_is_found_is_near() {
    finds(nearest).unwrap_or_else(|e| panic!("{e}"));
}

/// The check above fails for wrong searches: with inputs off by one, with a step of the wrong sign or too small by a
/// 2^16th, and with arbitrary inputs.
#[test]
fn a_wrong_search_is_seen() {
    let wrong: [(&str, Nearest); 4] = [
        ("the next input", |from, step, midpoint| {
            Some(nearest(from, step, midpoint)? % (STRETCH - 1) + 1)
        }),
        ("the step's sign", |from, step, midpoint| {
            nearest(from, -step, midpoint)
        }),
        ("a step too small", |from, step, midpoint| {
            nearest(from, step * (1.0 - 1.0 / STRETCH as f64), midpoint)
        }),
        ("any input", |from, _, _| {
            Some(1 + from.to_bits() % (STRETCH - 1))
        }),
    ];
    for (what, nearest) in wrong {
        assert!(finds(nearest).is_err(), "{what}: not seen");
    }
}
