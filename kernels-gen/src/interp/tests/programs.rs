//! Whole programs, in batches, one by one, and traced.

use super::*;
use crate::interp::{Interpreter, TraceEntry, canonical, trace};
use crate::ir::Ty;
use crate::ir::{BinOp, Const, Table};
use crate::lower::lower;
use crate::tree::*;

/// A kernel with calls, tables, masks and a double-double:
/// `fn f(x) { let (s, e) = two_sum(x, 0.1); let i = x.to_bits() >> 50; if x < 1.0 { s * T[i] } else { two_sum(e, x).0 } }`
pub(crate) fn program() -> Program {
    static PAIR: &[Ty] = &[Ty::F64, Ty::F64];
    static T: [f64; 3] = [0.3, -7.0, 1e300];
    let sub = |a, b| bin(BinOp::Sub, a, b);
    let e = add(
        sub(l(0), sub(l(2), sub(l(2), l(0)))),
        sub(l(1), sub(l(2), l(0))),
    );
    let two_sum = kernel(
        "two_sum",
        &[("a", Ty::F64), ("b", Ty::F64)],
        Ty::Tuple(PAIR),
        &["s"],
        block(vec![let_(2, add(l(0), l(1)))], Some(tuple(&[l(2), e]))),
    );
    let pair = call(two_sum, &[l(0), f(0.1)]);
    let i = bin(BinOp::Shr, method("to_bits", l(0), &[]), i(50));
    let entry = kernel(
        "f",
        &[("x", Ty::F64)],
        Ty::F64,
        &["p", "i"],
        block(
            vec![let_(1, pair), let_(2, i)],
            Some(iff(
                lt(l(0), f(1.0)),
                value(mul(
                    field(l(1), 0),
                    index(k(Const::Table(Table::F64(&T))), l(2)),
                )),
                Some(value(field(call(two_sum, &[field(l(1), 1), l(0)]), 0))),
            )),
        ),
    );
    lower(entry).expect("it lowers")
}

fn in_rust(x: f64) -> f64 {
    let two_sum = |a: f64, b: f64| {
        let s = a + b;
        (s, (a - (s - (s - a))) + (b - (s - a)))
    };
    let (s, e) = two_sum(x, 0.1);
    let i = (x.to_bits() as i64) >> 50;
    let t = [0.3, -7.0, 1e300][i.clamp(0, 2) as usize];
    if x < 1.0 { s * t } else { two_sum(e, x).0 }
}

#[test]
fn a_program_does_what_its_function_does() {
    let p = program();
    assert_eq!(p.funcs.len(), 2);
    let inlined = p.inlined();
    check(&inlined).expect("well-formed");
    assert_eq!(inlined.funcs.len(), 1);
    // 1000 bit patterns over all binades, and not a multiple of the column's length.
    let inputs: Vec<u64> = (0..1000)
        .map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    let mut out = vec![vec![]];
    Interpreter::new(&p).run(&[&inputs], &mut out);
    for (&x, &got) in inputs.iter().zip(&out[0]) {
        let want = canonical(F64, in_rust(f64::from_bits(x)).to_bits());
        assert_eq!(got, want, "{x:#x}");
        assert_eq!(eval(&p, &mut Bits, &[x]), Ok(vec![want]));
        assert_eq!(eval(&inlined, &mut Bits, &[x]), Ok(vec![want]));
    }
}

#[test]
fn a_trace_lists_the_values_of_the_inlined_program() {
    let p = program();
    let inlined = p.inlined();
    let entries = trace(&p, &[d(1.5)]);
    let flat = trace(&inlined, &[d(1.5)]);
    let bits = |t: &[TraceEntry]| t.iter().map(|e| e.bits).collect::<Vec<_>>();
    assert_eq!(bits(&entries), bits(&flat));
    assert_eq!(flat.len(), inlined.entry().insts.len());
    // The first sum is under one call from the entry; `calls` names the call's instruction.
    let sum = entries
        .iter()
        .find(|e| e.bits == d(1.5 + 0.1))
        .expect("the sum");
    assert_eq!(sum.calls.len(), 1);
    assert_eq!(sum.calls[0].func.0 as usize, p.funcs.len() - 1);
    assert!(matches!(
        p.entry().inst(sum.calls[0].inst).kind,
        InstKind::Call(_)
    ));
    assert_eq!(entries.last().map(|e| e.bits), Some(d(in_rust(1.5))));
    // Bits above a narrow input are ignored.
    let narrow = single(InstKind::Op(Op::ToF64), &[I32], F64, vec![]);
    assert_eq!(trace(&narrow, &[0xdead_0000_0007])[1].bits, d(7.0));
    let mut out = [vec![]];
    eval_batch(&narrow, &[&[0xdead_0000_0007]], &mut out);
    assert_eq!(out[0], [d(7.0)]);
}

#[test]
fn of_an_input_only_the_bits_of_its_type_are_read() {
    let choose = single(InstKind::Op(Op::Select), &[MASK, I32, I32], I32, vec![]);
    let mut out = [vec![]];
    eval_batch(
        &choose,
        &[&[2, 0], &[0xdead_0000_0007, 1], &[0, BAD]],
        &mut out,
    );
    assert_eq!(out[0], [7, BAD & 0xffff_ffff]);
}

#[test]
fn an_early_result_outlives_what_comes_after_it() {
    // (x + x, ((x * x) * x) * x)
    static PAIR: &[Ty] = &[Ty::F64, Ty::F64];
    let power = mul(mul(mul(l(0), l(0)), l(0)), l(0));
    let k = kernel(
        "f",
        &[("x", Ty::F64)],
        Ty::Tuple(PAIR),
        &[],
        value(tuple(&[add(l(0), l(0)), power])),
    );
    let mut out = [vec![], vec![]];
    eval_batch(&lower(k).expect("it lowers"), &[&[d(3.0)]], &mut out);
    assert_eq!(out, [[d(6.0)], [d(81.0)]]);
}

/// Not a test of time, which a shared machine cannot guarantee: run with `--ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speed() {
    let p = program();
    let steps = p.inlined().entry().insts.len() - 1;
    let inputs: Vec<u64> = (0..1 << 20).map(|i: u64| d(1.0) + i).collect();
    let mut out = vec![vec![]];
    let start = std::time::Instant::now();
    Interpreter::new(&p).run(&[&inputs], &mut out);
    let ops = (steps * inputs.len()) as f64;
    println!(
        "{:.0} M instructions/s",
        ops / start.elapsed().as_secs_f64() / 1e6
    );
}
