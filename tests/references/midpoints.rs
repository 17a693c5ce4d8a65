//! Inputs whose results are near the middle of two doubles, or near a double: where the two words of a result are hardest
//! to tell apart, and where a search must tell a correctly rounded result from the next one.
//!
//! Between neighbouring inputs a smooth function is nearly linear. Over a stretch of 2^16 inputs the curvature moves a result
//! by some 2^-22 of an ULP, so two evaluations tell where all 2^16 results lie between doubles, and the best one of them,
//! some 2^-17 of an ULP from a midpoint, costs a thousandth of evaluating all (the idea of Lefèvre's search for the worst
//! cases of correct rounding, to the first order).

use doublecrunch::prelude::*;
use doublecrunch::search::key::Precision;

use crate::compiled::Map;
use crate::doubles::batch;
use crate::inputs::Rng;

/// Inputs of a stretch.
const STRETCH: u64 = 1 << 16;
/// Stretches of a batch.
const STRETCHES: usize = 16;
/// What is nearer than this to its place, in ULP, is taken.
const NEAR: f64 = 1.0 / 4096.0;
/// Results between these have both words.
const LEAST: f64 = f64::from_bits((1023 - 900) << 52);

/// The spacing of doubles at a normal number.
fn ulp(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7ff << 52)) * f64::EPSILON
}

/// Where a result lies, in ULP from the double `from`.
fn place(y: DoubleDouble, from: f64, ulp: f64) -> f64 {
    (y.hi - from) / ulp + y.lo / ulp
}

/// How far a place is from what is looked for: from the nearest double, or from the nearest midpoint.
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

/// The input of a stretch from `x` on that is predicted to be nearest.
fn predicted(map: Map, x: f64, midpoint: bool) -> Option<f64> {
    // Away from zero, whatever the sign.
    let end = f64::from_bits(x.to_bits().checked_add(STRETCH)?);
    if !x.is_normal() || !end.is_finite() {
        return None;
    }
    let (first, last) = (at(map, x)?, at(map, end)?);
    let ulp = ulp(first.hi);
    let from = place(first, first.hi, ulp);
    let step = (place(last, first.hi, ulp) - from) / STRETCH as f64;
    // Where results hardly move all are alike; where they leap, a prediction has no digits left.
    if !(2f64.powi(-8)..=2f64.powi(16)).contains(&step.abs()) {
        return None;
    }
    let near = |k: &u64| distance(from + step * *k as f64, midpoint);
    let best = (1..STRETCH).min_by(|a, b| near(a).total_cmp(&near(b)))?;
    Some(f64::from_bits(x.to_bits() + best))
}

/// Inputs near midpoints and near doubles, in turn, of batch `n`: as many as there are smooth stretches among some random ones.
pub fn near_midpoints(map: Map, n: u64) -> Vec<f64> {
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
        found.extend(predicted(map, x, midpoint).filter(near));
    }
    found
}

#[test]
fn what_is_found_is_near() {
    let exp = Map::of("exp", Precision::F64);
    let mut distances: Vec<f64> = (0..64)
        .flat_map(|n| near_midpoints(exp, n))
        .filter_map(|x| at(exp, x))
        .map(|y| {
            let off = y.lo / ulp(y.hi);
            distance(off, true).min(distance(off, false))
        })
        .collect();
    distances.sort_by(f64::total_cmp);
    assert!(distances.len() > 256, "{}", distances.len());
    // The least of 2^16 that lie anyhow is 2^-18 in the middle.
    let median = distances[distances.len() / 2];
    assert!(median < 2f64.powi(-15), "{median:e}");
}
