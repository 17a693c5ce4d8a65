//! Constants of kernels: where they are, programs with others, and what is claimed of them.

// The macro uses the library's name in users' programs.
extern crate dc_runtime as doublecrunch;

use std::sync::atomic::AtomicBool;

use dc_design::improve::search::Job;
use dc_design::improve::truth::Truth;
use dc_design::improve::tuner::{moved, set, strips, value};
use dc_design::improve::vary::{Kept, kept};
use dc_design::strips::Results;
use dc_runtime::builtins::reference::computes;
use dc_runtime::model::key::Precision;
use dc_runtime::prelude::*;
use dc_runtime::search::range::Range;
use dc_runtime::sweep::Sweep;
use kernels_gen::constants::{Constants, Form};
use kernels_gen::interp::eval_batch;
use kernels_gen::ir::Kernel;
use kernels_gen::lower;
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;

const TABLE: [f32; 4] = [0.1, 0.2, 0.3, 0.4];
const TENTH: f32 = 0.1;

#[crunch]
fn helper(x: DcFloat) -> DcFloat {
    x * -0.7 + TENTH
}

/// A table by a computed index and by a constant one, a constant by name in two kernels, and what is not varied.
#[crunch]
fn mixed(x: DcFloat) -> DcFloat {
    let i = x.to_bits() & 3;
    let y = TABLE[i] * x + TABLE[1] + TENTH;
    let y = if x < 1.25 { y * 3.0 } else { y };
    helper(y) * 0.5 + 0.0
}

#[crunch]
fn cubic(x: DcFloat) -> DcFloat {
    x - x * x * x * 0.15
}

static MIXED: Sweep = Sweep::computing::<mixed, computes::sin>("mixed", "1.0..2.0");
static CUBIC: Sweep = Sweep::computing::<cubic, computes::sin>("cubic", "0.25..0.5");

/// The results of a program in the interpreter.
fn interpreted(program: &Program, xs: &[u64]) -> Vec<u64> {
    let mut out = vec![Vec::new()];
    eval_batch(program, &[xs], &mut out);
    out.remove(0)
}

fn kernel(sweep: &Sweep) -> &'static Kernel {
    sweep.candidate().program().expect("a kernel")
}

fn constants(sweep: &Sweep) -> Constants {
    let library = |k: &Kernel| k.module.starts_with("dc_runtime::builtins");
    Constants::of(kernel(sweep), &library).expect("constants")
}

fn find(all: &Constants, form: Form, x: f32) -> usize {
    let is = |c: &kernels_gen::constants::Constant| {
        c.form == form && c.ty == Prim::F32 && value(c.ty, c.bits) == f64::from(x)
    };
    all.all
        .iter()
        .position(is)
        .unwrap_or_else(|| panic!("no {x} of {form:?}"))
}

#[test]
fn each_constant_is_found_once_with_why_it_is_kept() {
    let all = constants(&MIXED);
    let why = |form, x| kept(&all.all[find(&all, form, x)]);
    assert_eq!(why(Form::Literal, -0.7), None);
    assert_eq!(why(Form::Path, 0.1), None);
    assert_eq!(why(Form::Entry(2, 4), 0.3), None);
    assert_eq!(why(Form::Literal, 1.25), Some(Kept::Threshold));
    assert_eq!(why(Form::Literal, 3.0), Some(Kept::Whole));
    assert_eq!(why(Form::Literal, 0.5), Some(Kept::Exact));
    assert_eq!(why(Form::Literal, 0.0), Some(Kept::Zero));
    // The name is read in two kernels, the table at two places, and each is one constant.
    assert_eq!(all.all[find(&all, Form::Path, 0.1)].sites.len(), 2);
    assert_eq!(all.all[find(&all, Form::Entry(1, 4), 0.2)].sites.len(), 2);
    assert_eq!(all.all.len(), 10, "{:#?}", all.all);
}

/// The same constants, set in strips and in a program that is interpreted.
#[test]
fn strips_with_other_constants_have_the_interpreters_bits() {
    let all = constants(&MIXED);
    let varied: Vec<usize> = (0..all.all.len())
        .filter(|&n| kept(&all.all[n]).is_none())
        .collect();
    let (mut ready, entries) = strips(&all, &varied).expect("strips");
    let mut bits: Vec<u64> = all.all.iter().map(|c| c.bits).collect();
    let xs: Vec<u64> = (0..500u64).map(|i| 0x3f80_0000 + i * 16_411).collect();
    for round in 0..3i64 {
        let program = all.program(&bits);
        let expected = interpreted(&program, &xs);
        for (to, &x) in ready.inputs_f32().iter_mut().zip(&xs) {
            *to = f32::from_bits(x as u32);
        }
        ready.run(xs.len());
        let Results::F32(found) = ready.results(0) else {
            panic!("another type");
        };
        let found: Vec<u64> = found[..xs.len()]
            .iter()
            .map(|y| y.to_bits().into())
            .collect();
        assert_eq!(found, expected, "round {round}");
        for (n, &v) in varied.iter().enumerate() {
            let c = &all.all[v];
            bits[v] = moved(c.ty, bits[v], (n as i64 + 1) * (round + 1) * 1000).expect("a number");
            set(&mut ready, &entries, n, bits[v]);
        }
    }
    // With its own constants it is the kernel.
    let own: Vec<u64> = all.all.iter().map(|c| c.bits).collect();
    let kernel = lower(kernel(&MIXED)).expect("it lowers");
    assert_eq!(
        interpreted(&all.program(&own), &xs),
        interpreted(&kernel, &xs)
    );
}

#[test]
fn moves_keep_signs_and_stay_finite() {
    let one = u64::from(1f32.to_bits());
    assert_eq!(moved(Prim::F32, one, 1), Some(one + 1));
    let minus = u64::from((-1f32).to_bits());
    assert_eq!(moved(Prim::F32, minus, 1), Some(minus + 1));
    assert_eq!(moved(Prim::F32, 1, -1), None);
    assert_eq!(moved(Prim::F64, f64::MAX.to_bits(), 1), None);
    assert_eq!(moved(Prim::F32, f32::MAX.to_bits().into(), 1), None);
}

/// Fault: errors of a sample as those of all inputs.
#[test]
fn what_is_known_is_of_all_inputs() {
    let all = constants(&CUBIC);
    let varied = [find(&all, Form::Literal, 0.15)];
    let truth = Truth::new(&CUBIC).expect("a reference");
    let range = Range::parse("0.25..0.5", Precision::F32).expect("a range");
    let stop = AtomicBool::new(false);
    let job = Job {
        constants: &all,
        varied: &varied,
        truth: &truth,
        range: &range,
        precision: Precision::F32,
        until: None,
        stop: &stop,
        progress: &|_| {},
    };
    let largest = |c: f32| {
        let mut most = 0f64;
        for bits in 0.25f32.to_bits()..0.5f32.to_bits() {
            let x = f32::from_bits(bits);
            let right = f64::from(x).sin();
            let unit = if right < 0.25 {
                2f64.powi(-26)
            } else {
                2f64.powi(-25)
            };
            most = most.max((f64::from(x - x * x * x * c) - right).abs() / unit);
        }
        most
    };
    let before = job.before().expect("it runs").expect("not stopped");
    assert!(before.all && before.inputs == 1 << 23);
    assert!((before.error - largest(0.15)).abs() < 1e-6, "{before:?}");
    let outcome = job.search(&before).expect("it runs");
    let found = outcome.found.expect("better constants");
    let c = f32::from_bits(found.bits[0] as u32);
    assert!(
        (found.known.error - largest(c)).abs() < 1e-6,
        "{:?}",
        found.known.error
    );
    assert!(found.known.all && found.known.error < before.error / 10.0);
    assert_eq!(found.worth.len(), 1);
}
