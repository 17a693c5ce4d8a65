//! A bound as JSON.

use serde_json::{Value, json};

use super::compute::Computed;
use super::wording;
use crate::results;
use dc_runtime::model::key::Precision;

/// The parts of a document that `bound` and `hunt` have in common.
pub fn document(name: &str, computed: &Computed) -> Value {
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
        "relative_to": wording::relative(subject),
        "cells": bound.cells.len(),
        "classes": bound.classes.len(),
        "looked": bound.looked,
        "unfinished": bound.unfinished,
        "nans_left_out": results::count(subject.nans),
        "infinities_left_out": results::count(subject.infinities),
        "special_inputs": results::count(wording::special(bound)),
        "special": special,
        "bound_seconds": time,
    })
}
