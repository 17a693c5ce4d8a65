//! Every operation on every operand type, on edge cases and random bits, compared with Rust's own arithmetic.

use std::collections::HashSet;

use kernels_gen::emit::{Options, point_kernel};
use kernels_gen::interp::Bits;
use kernels_gen::ops::Prim::{self, F32, F64, I32, I64, Mask};
use kernels_gen::ops::{Arith, Direction, Op};
use kernels_gen::program::{Program, TableData};

use crate::build::{Builder, program};
use crate::cxx;
use crate::inputs::{Random, inputs};

type Expect = fn(&[u64]) -> u64;
/// An operation, its operands' types, its result's type, and the expected result.
type Row = (Op, Vec<Prim>, Prim, Expect);

/// For operations that Rust does not have, the interpreter gives the expected result.
const INTERPRETED: Expect = |_| unreachable!("the interpreter tells");

/// Parameters of the program: three lanes of each number type and two masks.
const PARAMS: [Prim; 14] = [
    F64, F64, F64, F32, F32, F32, I64, I64, I64, I32, I32, I32, Mask, Mask,
];

fn d(x: u64) -> f64 {
    f64::from_bits(x)
}
fn s(x: u64) -> f32 {
    f32::from_bits(x as u32)
}
fn ud(x: f64) -> u64 {
    if x.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        x.to_bits()
    }
}
fn us(x: f32) -> u64 {
    if x.is_nan() {
        0x7fc0_0000
    } else {
        u64::from(x.to_bits())
    }
}
fn u32of(x: i32) -> u64 {
    u64::from(x as u32)
}

/// Rows for a float type: `$v` bits to value, `$u` value to canonical bits.
macro_rules! float_rows {
    ($rows:ident, $p:ident, $i:ident, $v:ident, $u:ident, $int:ty) => {
        $rows.extend::<Vec<Row>>(vec![
            (Op::Add, vec![$p; 2], $p, |a| $u($v(a[0]) + $v(a[1]))),
            (Op::Sub, vec![$p; 2], $p, |a| $u($v(a[0]) - $v(a[1]))),
            (Op::Mul, vec![$p; 2], $p, |a| $u($v(a[0]) * $v(a[1]))),
            (Op::Div, vec![$p; 2], $p, |a| $u($v(a[0]) / $v(a[1]))),
            (Op::Fma, vec![$p; 3], $p, |a| {
                $u($v(a[0]).mul_add($v(a[1]), $v(a[2])))
            }),
            (Op::Sqrt, vec![$p], $p, |a| $u($v(a[0]).sqrt())),
            (Op::Recip, vec![$p], $p, |a| $u(1.0 / $v(a[0]))),
            (Op::Neg, vec![$p], $p, |a| $u(-$v(a[0]))),
            (Op::Abs, vec![$p], $p, |a| $u($v(a[0]).abs())),
            (Op::CopySign, vec![$p; 2], $p, |a| {
                $u($v(a[0]).copysign(if $v(a[1]).is_nan() { 1.0 } else { $v(a[1]) }))
            }),
            (Op::Floor, vec![$p], $p, |a| $u($v(a[0]).floor())),
            (Op::Ceil, vec![$p], $p, |a| $u($v(a[0]).ceil())),
            (Op::Trunc, vec![$p], $p, |a| $u($v(a[0]).trunc())),
            (Op::RoundTiesEven, vec![$p], $p, |a| {
                $u($v(a[0]).round_ties_even())
            }),
            (Op::Min, vec![$p; 2], $p, |a| {
                $u(if $v(a[0]) < $v(a[1]) {
                    $v(a[0])
                } else {
                    $v(a[1])
                })
            }),
            (Op::Max, vec![$p; 2], $p, |a| {
                $u(if $v(a[0]) > $v(a[1]) {
                    $v(a[0])
                } else {
                    $v(a[1])
                })
            }),
            (Op::Lt, vec![$p; 2], Mask, |a| ($v(a[0]) < $v(a[1])).into()),
            (Op::Le, vec![$p; 2], Mask, |a| ($v(a[0]) <= $v(a[1])).into()),
            (Op::Gt, vec![$p; 2], Mask, |a| ($v(a[0]) > $v(a[1])).into()),
            (Op::Ge, vec![$p; 2], Mask, |a| ($v(a[0]) >= $v(a[1])).into()),
            (Op::Eq, vec![$p; 2], Mask, |a| ($v(a[0]) == $v(a[1])).into()),
            (Op::Ne, vec![$p; 2], Mask, |a| ($v(a[0]) != $v(a[1])).into()),
            (Op::IsNan, vec![$p], Mask, |a| $v(a[0]).is_nan().into()),
            (Op::IsSignNegative, vec![$p], Mask, |a| {
                ($v(a[0]).is_sign_negative() && !$v(a[0]).is_nan()).into()
            }),
            (Op::ToI64, vec![$p], I64, |a| ($v(a[0]) as i64) as u64),
            (Op::ToI32, vec![$p], I32, |a| u32of($v(a[0]) as i32)),
            (Op::ToBits, vec![$p], $i, |a| $u($v(a[0]))),
            (Op::FromBits, vec![$i], $p, |a| $u($v(a[0]))),
            (Op::Select, vec![Mask, $p, $p], $p, |a| {
                $u($v(if a[0] != 0 { a[1] } else { a[2] }))
            }),
        ])
    };
}

/// Rows for an integer type of Rust type `$t` and its unsigned twin.
macro_rules! int_rows {
    ($rows:ident, $p:ident, $t:ty, $un:ty) => {
        $rows.extend::<Vec<Row>>(vec![
            (Op::Add, vec![$p; 2], $p, |a| {
                (a[0] as $un).wrapping_add(a[1] as $un).into()
            }),
            (Op::Sub, vec![$p; 2], $p, |a| {
                (a[0] as $un).wrapping_sub(a[1] as $un).into()
            }),
            (Op::Mul, vec![$p; 2], $p, |a| {
                (a[0] as $un).wrapping_mul(a[1] as $un).into()
            }),
            (Op::Neg, vec![$p], $p, |a| {
                (a[0] as $un).wrapping_neg().into()
            }),
            (Op::Min, vec![$p; 2], $p, |a| {
                ((a[0] as $t).min(a[1] as $t) as $un).into()
            }),
            (Op::Max, vec![$p; 2], $p, |a| {
                ((a[0] as $t).max(a[1] as $t) as $un).into()
            }),
            (Op::Lt, vec![$p; 2], Mask, |a| {
                ((a[0] as $t) < (a[1] as $t)).into()
            }),
            (Op::Le, vec![$p; 2], Mask, |a| {
                ((a[0] as $t) <= (a[1] as $t)).into()
            }),
            (Op::Gt, vec![$p; 2], Mask, |a| {
                ((a[0] as $t) > (a[1] as $t)).into()
            }),
            (Op::Ge, vec![$p; 2], Mask, |a| {
                ((a[0] as $t) >= (a[1] as $t)).into()
            }),
            (Op::Eq, vec![$p; 2], Mask, |a| {
                ((a[0] as $t) == (a[1] as $t)).into()
            }),
            (Op::Ne, vec![$p; 2], Mask, |a| {
                ((a[0] as $t) != (a[1] as $t)).into()
            }),
            (Op::And, vec![$p; 2], $p, |a| {
                ((a[0] as $un) & (a[1] as $un)).into()
            }),
            (Op::Or, vec![$p; 2], $p, |a| {
                ((a[0] as $un) | (a[1] as $un)).into()
            }),
            (Op::Xor, vec![$p; 2], $p, |a| {
                ((a[0] as $un) ^ (a[1] as $un)).into()
            }),
            (Op::Not, vec![$p], $p, |a| (!(a[0] as $un)).into()),
            (Op::Shl, vec![$p; 2], $p, |a| {
                (a[0] as $un).wrapping_shl(a[1] as u32).into()
            }),
            (Op::Shr, vec![$p; 2], $p, |a| {
                ((a[0] as $t).wrapping_shr(a[1] as u32) as $un).into()
            }),
            (Op::ShrLogical, vec![$p; 2], $p, |a| {
                (a[0] as $un).wrapping_shr(a[1] as u32).into()
            }),
            (Op::ToF64, vec![$p], F64, |a| ud((a[0] as $t) as f64)),
            (Op::ToF32, vec![$p], F32, |a| us((a[0] as $t) as f32)),
            (Op::Select, vec![Mask, $p, $p], $p, |a| {
                if a[0] != 0 { a[1] } else { a[2] }
            }),
        ])
    };
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = vec![
        (Op::ToF32, vec![F64], F32, |a| us(d(a[0]) as f32)),
        (Op::ToF64, vec![F32], F64, |a| ud(f64::from(s(a[0])))),
        (Op::ToI32, vec![I64], I32, |a| a[0] & 0xffff_ffff),
        (Op::ToI64, vec![I32], I64, |a| {
            i64::from(a[0] as u32 as i32) as u64
        }),
        (Op::And, vec![Mask; 2], Mask, |a| a[0] & a[1]),
        (Op::Or, vec![Mask; 2], Mask, |a| a[0] | a[1]),
        (Op::Xor, vec![Mask; 2], Mask, |a| a[0] ^ a[1]),
        (Op::Not, vec![Mask], Mask, |a| 1 - a[0]),
        (Op::Select, vec![Mask; 3], Mask, |a| {
            if a[0] != 0 { a[1] } else { a[2] }
        }),
    ];
    float_rows!(rows, F64, I64, d, ud, i64);
    float_rows!(rows, F32, I32, s, us, i32);
    int_rows!(rows, I64, i64, u64);
    int_rows!(rows, I32, i32, u32);
    for p in [F64, F32] {
        for arith in Arith::ALL {
            for direction in Direction::ALL {
                let types = vec![p; arith.operands()];
                rows.push((Op::Directed(arith, direction), types, p, INTERPRETED));
            }
        }
    }
    rows
}

/// The indices of the parameters for operands of these types: the first, second and third of each type. A select's mask
/// is the first mask.
fn operands(types: &[Prim], params: &[Prim]) -> Vec<usize> {
    let mut seen = HashSet::new();
    let mask = params.iter().position(|p| *p == Mask).unwrap_or_default();
    let pick = |p: &Prim| {
        let i = (0..params.len()).find(|i| params[*i] == *p && seen.insert(*i));
        i.unwrap_or(mask)
    };
    types.iter().map(pick).collect()
}

/// One function with one result per row.
pub fn every_op() -> Program {
    made_of(rows(), &PARAMS)
}

/// Without the directed operations.
pub fn every_op_to_nearest() -> Program {
    let nearest = |row: &Row| !matches!(row.0, Op::Directed(..));
    made_of(rows().into_iter().filter(nearest).collect(), &PARAMS)
}

/// The operations whose text depends on the form of divisions, and of each directed operation one direction in one format:
/// the text of the others has the same shape.
pub fn native_ops() -> Program {
    let chosen = |row: &Row| match row.0 {
        Op::Directed(arith, direction) => {
            let i = Arith::ALL
                .iter()
                .position(|a| *a == arith)
                .unwrap_or_default();
            direction == Direction::ALL[i % Direction::ALL.len()] && row.2 == [F64, F32][i % 2]
        }
        Op::Div | Op::Recip | Op::Sqrt => row.2 == F32,
        _ => false,
    };
    made_of(rows().into_iter().filter(chosen).collect(), &PARAMS)
}

/// Every operation on numbers of 32 bits but the fused and the directed ones.
pub fn every_op_for_shaders() -> Program {
    let narrow = |p: &Prim| !matches!(p, F64 | I64);
    let plain = |row: &Row| {
        let fused = matches!(row.0, Op::Directed(..) | Op::Fma);
        !fused && row.1.iter().chain([&row.2]).all(narrow)
    };
    let params: Vec<Prim> = PARAMS.into_iter().filter(narrow).collect();
    made_of(rows().into_iter().filter(plain).collect(), &params)
}

fn made_of(rows: Vec<Row>, params: &[Prim]) -> Program {
    let names = [
        "a", "b", "c", "f", "g", "h", "i", "j", "k", "l", "half", "double2", "NAN", "__m",
    ];
    let named: Vec<_> = names.into_iter().zip(params.iter().copied()).collect();
    let mut b = Builder::new("exp", &named);
    let mut results = vec![];
    for (op, types, to, _) in rows {
        let args: Vec<_> = operands(&types, params)
            .into_iter()
            .map(|i| b.param(i as u32))
            .collect();
        results.push(b.op_to(op, &args, to));
    }
    program(vec![b.done(&results)])
}

#[test]
fn every_operation_on_the_host() {
    let (program, columns) = (every_op(), inputs(&PARAMS, 20_000));
    let source = point_kernel(&program, &Options::cuda());
    for compiler in cxx::compilers() {
        for level in ["-O0", "-O2"] {
            let flags = [cxx::STRICT, &[level]].concat();
            let out = cxx::run_point("every-op", compiler, &flags, &source, &columns);
            for ((op, types, to, expect), got) in rows().into_iter().zip(&out) {
                for i in 0..got.len() {
                    let args: Vec<u64> = operands(&types, &PARAMS)
                        .into_iter()
                        .map(|p| columns[p][i])
                        .collect();
                    let want = match op {
                        Op::Directed(..) => {
                            let args: Vec<&u64> = args.iter().collect();
                            Bits.op(op, &types, &args)
                        }
                        _ => expect(&args),
                    };
                    assert_eq!(
                        got[i], want,
                        "{compiler} {level}: {op:?} {types:?} -> {to:?} of {args:x?}: {:x} not {want:x}",
                        got[i]
                    );
                }
            }
        }
    }
}

#[test]
fn tables_wrap_or_clamp() {
    let table = |name: &str, n: u64| TableData {
        name: name.to_string(),
        elem: kernels_gen::ir::Elem::F32,
        bits: (0..n)
            .map(|i| u64::from((i as f32 + 0.1).to_bits()))
            .collect(),
    };
    let mut b = Builder::new("look", &[("i", I64), ("k", I32)]);
    let results = [
        b.load(0, b.param(0), F32),
        b.load(1, b.param(0), F32),
        b.load(0, b.param(1), F32),
        b.load(1, b.param(1), F32),
    ];
    let mut p = program(vec![b.done(&results)]);
    p.tables = vec![table("T", 8), table("T", 7)];
    let columns = inputs(&[I64, I32], 1000);
    for compiler in cxx::compilers() {
        let out = cxx::run_point(
            "tables",
            compiler,
            cxx::STRICT,
            &point_kernel(&p, &Options::cuda()),
            &columns,
        );
        for lane in 0..1000 {
            let (i, k) = (columns[0][lane], columns[1][lane]);
            let at = |n: u64| u64::from((n as f32 + 0.1).to_bits());
            let clamp = |n: i64| at(n.clamp(0, 6) as u64);
            let want = [
                at(i & 7),
                clamp(i as i64),
                at(k & 7),
                clamp(i64::from(k as u32 as i32)),
            ];
            assert_eq!(
                [out[0][lane], out[1][lane], out[2][lane], out[3][lane]],
                want,
                "index {i:x}, {k:x}"
            );
        }
    }
}

/// With the strict flags there are two roundings; without them the same text is contracted, which shows that the
/// comparison can fail.
#[test]
fn contraction_is_caught() {
    let program = crate::build::mul_then_add();
    let source = point_kernel(&program, &Options::cuda());
    let columns: Vec<Vec<u64>> = {
        let mut random = Random(1);
        (0..3)
            .map(|_| {
                (0..10_000)
                    .map(|_| (random.next() >> 12) | 0x3ff0_0000_0000_0000)
                    .collect()
            })
            .collect()
    };
    let wrong = |compiler: &str, flags: &[&str]| {
        let out = cxx::run_point("contraction", compiler, flags, &source, &columns);
        (0..10_000)
            .filter(|&i| {
                out[0][i] != (d(columns[0][i]) * d(columns[1][i]) + d(columns[2][i])).to_bits()
            })
            .count()
    };
    for compiler in cxx::compilers() {
        assert_eq!(wrong(compiler, cxx::STRICT), 0, "{compiler}");
        if fma_here() {
            assert_eq!(
                wrong(compiler, &[cxx::STRICT, &["-mfma"]].concat()),
                0,
                "{compiler} -mfma"
            );
            let loose = wrong(
                compiler,
                &["-O2", "-std=c++17", "-mfma", "-ffp-contract=fast"],
            );
            assert!(
                loose > 1000,
                "{compiler}: contracted text differs on {loose} of 10,000 only"
            );
        } else {
            kernels_gen::skip::note("cuda-host: the negative control: this processor has no FMA");
        }
    }
}

fn fma_here() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}
