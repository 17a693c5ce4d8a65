//! Each operation on its edge cases, compared with bits computed by hand, then whole programs.

mod floats;
mod others;
mod programs;

pub(crate) use programs::program;

use super::{Bits, LANES, eval, eval_batch};
use crate::check::{check, result_prim};
use crate::ops::{Op, Prim};
use crate::program::{Func, Inst, InstKind, Origin, Program, TableData, Value};

const F64: Prim = Prim::F64;
const F32: Prim = Prim::F32;
const I64: Prim = Prim::I64;
const I32: Prim = Prim::I32;
const MASK: Prim = Prim::Mask;

const NAN: u64 = 0x7ff8_0000_0000_0000;
/// A negative, signalling NaN with a payload.
const BAD: u64 = 0xfff4_dead_beef_0001;
const INF: u64 = 0x7ff0_0000_0000_0000;
const NINF: u64 = 0xfff0_0000_0000_0000;
const MAX: u64 = 0x7fef_ffff_ffff_ffff;
const MINPOS: u64 = 0x0010_0000_0000_0000;
const SUB: u64 = 1;
const NZERO: u64 = 1 << 63;
const ONE: u64 = 0x3ff0_0000_0000_0000;
const NAN32: u64 = 0x7fc0_0000;
const BAD32: u64 = 0xffa1_2345;
const ONE32: u64 = 0x3f80_0000;
const INF32: u64 = 0x7f80_0000;

fn d(x: f64) -> u64 {
    x.to_bits()
}
fn s(x: f32) -> u64 {
    x.to_bits().into()
}
fn w(x: i32) -> u64 {
    u64::from(x as u32)
}
fn l64(x: i64) -> u64 {
    x as u64
}

/// One instruction as a program.
fn single(kind: InstKind, prims: &[Prim], ty: Prim, tables: Vec<TableData>) -> Program {
    let inst = |kind, args, ty| Inst {
        kind,
        args,
        ty,
        loc: Default::default(),
        name: None,
    };
    let mut insts: Vec<Inst> = (0..prims.len())
        .map(|i| inst(InstKind::Param(i as u32), vec![], prims[i]))
        .collect();
    insts.push(inst(kind, (0..prims.len() as u32).map(Value).collect(), ty));
    let program = Program {
        funcs: vec![Func {
            name: "one".into(),
            origin: std::sync::Arc::new(Origin::named("one", "tests")),
            params: prims
                .iter()
                .enumerate()
                .map(|(i, &p)| (format!("p{i}"), p))
                .collect(),
            results: vec![Value(prims.len() as u32)],
            insts,
        }],
        tables,
    };
    check(&program).expect("well-formed");
    program
}

/// The program's result on one row, by both evaluators.
fn both(program: &Program, args: &[u64]) -> u64 {
    let Ok(once) = eval(program, &mut Bits, args);
    let columns: Vec<Vec<u64>> = args.iter().map(|&a| vec![a; LANES + 3]).collect();
    let slices: Vec<&[u64]> = columns.iter().map(|c| &c[..]).collect();
    let mut out = vec![vec![7; 2]];
    eval_batch(program, &slices, &mut out);
    assert_eq!(out[0].len(), LANES + 3);
    assert!(out[0].iter().all(|&o| o == once[0]), "{out:x?} {once:x?}");
    once[0]
}

/// Checks rows of (arguments, result) of an operation.
fn rows<const N: usize>(op: Op, prims: [Prim; N], rows: &[([u64; N], u64)]) {
    let ty = result_prim(op, &prims).expect("it exists on those");
    let program = single(InstKind::Op(op), &prims, ty, vec![]);
    for (args, want) in rows {
        let got = both(&program, args);
        assert_eq!(
            got, *want,
            "{op:?} {prims:?} {args:x?}: {got:#x}, not {want:#x}"
        );
    }
}
