//! Can the test of the references fail? Each constant of each kernel is left out (as a term that was forgotten would be) or
//! is made one unit larger, and the result is held against MPFR as the kernel is.

use std::collections::BTreeMap;

use doublecrunch::builtins::reference::{REFERENCES, Reference};
use doublecrunch::mpfr::rug::Float;
use kernels_gen::interp::Interpreter;
use kernels_gen::lower::lower;
use kernels_gen::ops::Prim;
use kernels_gen::program::{InstKind, Program};

use crate::functions::{Found, batch};

const BITS: u32 = 160;

/// Inputs with the truth as a sum of two doubles.
struct Truth {
    xs: Vec<u64>,
    values: Vec<(f64, f64)>,
}

impl Truth {
    fn new(r: &Reference) -> Truth {
        let xs = batch(1);
        let value = |x: &f64| {
            let y = r.function.of(Float::with_val(BITS, *x));
            let hi = y.to_f64();
            (hi, Float::with_val(BITS, &y - hi).to_f64())
        };
        Truth {
            values: xs.iter().map(value).collect(),
            xs: xs.into_iter().map(f64::to_bits).collect(),
        }
    }

    /// Whether a program is not the reference that it should be.
    fn refutes(&self, r: &Reference, program: &Program) -> bool {
        let mut outputs = vec![Vec::new()];
        Interpreter::new(program).run(&[&self.xs], &mut outputs);
        let mut found = Found::default();
        for ((x, y), (hi, lo)) in self.xs.iter().zip(&outputs[0]).zip(&self.values) {
            found.judge(
                r.function,
                f64::from_bits(*x),
                f64::from_bits(*y),
                *hi,
                || *lo,
            );
        }
        found.wrong.is_some() || found.error > (-f64::from(r.binary32.bits)).exp2()
    }
}

/// The places of the constants of a program that are neither 0 nor special, with their numbers.
fn constants(program: &Program) -> Vec<(usize, usize, f64)> {
    let mut all = Vec::new();
    for (f, func) in program.funcs.iter().enumerate() {
        for (i, inst) in func.insts.iter().enumerate() {
            if let (InstKind::Const(bits), Prim::F64) = (inst.kind, inst.ty) {
                let x = f64::from_bits(bits);
                if x != 0.0 && x.is_finite() {
                    all.push((f, i, x));
                }
            }
        }
    }
    all
}

#[test]
fn a_constant_left_out_or_off_by_a_unit_is_seen() {
    let (mut places, mut dropped, mut unit) = (0, 0, 0);
    let mut unseen: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for r in REFERENCES {
        let program = lower(r.binary32.kernel).unwrap_or_else(|e| panic!("{}: {e}", r.name));
        let truth = Truth::new(r);
        assert!(!truth.refutes(r, &program), "{}", r.name);
        for (f, i, x) in constants(&program) {
            let with = |y: f64| {
                let mut mutant = program.clone();
                mutant.funcs[f].insts[i].kind = InstKind::Const(y.to_bits());
                truth.refutes(r, &mutant)
            };
            places += 1;
            if with(0.0) {
                dropped += 1;
            } else {
                unseen.entry(r.name).or_default().push(x);
            }
            unit += u32::from(with(f64::from_bits(x.to_bits() + 1)));
        }
    }
    println!(
        "{places} constants of {} kernels: left out, {dropped} are seen; a unit larger, {unit}",
        REFERENCES.len()
    );
    println!("left out and not seen: {unseen:?}");
    assert!(
        places > 1000 && dropped * 100 > places * 95,
        "{dropped} of {places}"
    );
    assert!(unit > places / 20, "{unit} of {places}");
}
