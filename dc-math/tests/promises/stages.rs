//! Stages: parts of functions whose numbers have two words.

use dc_exact::bound::{Effort, bound_range};
use dc_exact::law::{Law, Stage, Truth};
use dc_exact::point::stretches;
use dc_runtime::kernel::CrunchFn;
use dc_runtime::prelude::*;
use kernels_gen::lower;

fn try_it(kernel: &'static kernels_gen::ir::Kernel, stage: Stage, lo: f64, hi: f64) {
    let program = lower(kernel).expect("it is lowered");
    let truth = Truth::Stage(stage);
    let stretches = stretches(&program, lo, hi);
    let effort = Effort { by_series: true, threads: 1, ..Effort::default() };
    let t = std::time::Instant::now();
    let bound = bound_range(&program, &truth, &stretches, effort);
    println!("{stage:?} {lo} {hi}: {} special {:?} classes {} cells {} looked {} unfinished {} {:?}", bound.bound, &bound.special[..bound.special.len().min(5)], bound.classes.len(), bound.cells.len(), bound.looked, bound.unfinished, t.elapsed());
    if let Some(c) = bound.cells.first() {
        println!("   worst {:?} shares {:?} method {:?}", c.cell, &c.error.shares[..c.error.shares.len().min(6)], c.error.method);
    }
}

#[test]
#[ignore]
fn turns() {
    use dc_math::f64::stages::*;
    let two = |e: i32| 2f64.powi(e);
    let top = 0.25 * (1.0 + two(-40));
    let of = |low: i32, slack: i32, law| Stage { law, low: Some(two(low)), slack: two(slack), words: false };
    for (kernel, law) in [(first_quarter::KERNEL, Law::SinPi), (third_quarter::KERNEL, Law::SinPi)] {
        try_it(kernel, of(-55, -106, law), two(-45), top);
        try_it(kernel, of(-55, -106, law), -top, -two(-45));
        try_it(kernel, of(-98, -149, law), two(-64), two(-45));
        try_it(kernel, of(-98, -149, law), -two(-45), -two(-64));
    }
    for (kernel, law) in [(second_quarter::KERNEL, Law::CosPi), (fourth_quarter::KERNEL, Law::CosPi)] {
        try_it(kernel, of(-55, -106, law), -top, top);
    }
}

#[test]
#[ignore]
fn stages() {
    let of = dc_math::f64::stages::exp_of_words::KERNEL;
    let stage = Stage { law: Law::Exp, low: Some(2f64.powi(-42)), slack: 2.51e-18, words: false };
    try_it(of, stage, 0.3, 0.35);
    try_it(of, stage, -1.0, 1.0);
    try_it(of, stage, -10.0, 10.0);
    let of = dc_math::f64::stages::log_in_words::KERNEL;
    let stage = Stage { law: Law::Ln, low: None, slack: 0.0, words: true };
    try_it(of, stage, 1.5, 1.6);
    try_it(of, stage, 3.0, 4.0);
    try_it(of, stage, 0.9, 1.1);
    try_it(of, stage, 1e-3, 1e3);
}
