//! Whether the short form can fail: each constant of each kernel is left out, or made larger by 2^-28 of itself, and the results at the
//! inputs of the short form are compared with the right ones.

use kernels_gen::interp::Interpreter;
use kernels_gen::lower;
use kernels_gen::ops::Prim;
use kernels_gen::program::{InstKind, Program};

use crate::cases::{CASES, Case};
use crate::check::bits;
use crate::inputs::{edges, hard, sample};

/// The places of the constants in binary64 of a program that are neither 0 nor special.
fn constants(program: &Program) -> Vec<(usize, usize, u64)> {
    let mut all = Vec::new();
    for (f, func) in program.funcs.iter().enumerate() {
        for (i, inst) in func.insts.iter().enumerate() {
            if let (InstKind::Const(bits), Prim::F64) = (inst.kind, inst.ty) {
                let x = f64::from_bits(bits);
                if x != 0.0 && x.is_finite() {
                    all.push((f, i, bits));
                }
            }
        }
    }
    all
}

/// The inputs of the short form, with one of every 32 of the sample, and the results.
fn results(case: &Case) -> (Vec<u64>, Vec<u32>) {
    let mut xs = hard(case.name);
    xs.extend(edges());
    xs.extend(sample().into_iter().step_by(32));
    let results = xs.iter().map(|&x| bits((case.one)(x))).collect();
    (xs.iter().map(|x| u64::from(x.to_bits())).collect(), results)
}

#[test]
fn a_faulty_constant_is_seen() {
    let (mut all, mut left_out, mut larger) = (0, 0, 0);
    let mut blind = Vec::new();
    for case in CASES {
        let program = lower(case.kernel).expect("it is lowered");
        let (xs, right) = results(case);
        let seen = |program: &Program| {
            let mut outputs = vec![Vec::new()];
            Interpreter::new(program).run(&[&xs], &mut outputs);
            let found = outputs[0].iter().map(|&y| bits(f32::from_bits(y as u32)));
            found.zip(&right).any(|(found, right)| found != *right)
        };
        assert!(!seen(&program), "{}: the kernel itself", case.name);
        let places = constants(&program);
        let mut of_this = 0;
        for &(f, i, bits) in &places {
            let with = |bits: u64| {
                let mut mutant = program.clone();
                mutant.funcs[f].insts[i].kind = InstKind::Const(bits);
                seen(&mutant)
            };
            all += 1;
            left_out += u32::from(with(0));
            let one = with(bits + (1 << 24));
            of_this += u32::from(one);
        }
        larger += of_this;
        if !places.is_empty() && of_this == 0 {
            blind.push(case.name);
        }
    }
    println!(
        "{all} constants of {} kernels: left out, {left_out} are seen; larger by 2^-28, {larger}",
        CASES.len()
    );
    assert!(blind.is_empty(), "no fault is seen in {blind:?}");
    assert!(left_out * 100 > all * 85, "{left_out} of {all} left out");
    assert!(larger * 100 > all * 40, "{larger} of {all} larger");
}
