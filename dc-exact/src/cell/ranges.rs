//! Operations over ranges, compared with their results for all members of the ranges.

use std::collections::HashMap;

use kernels_gen::interp::{Bits, Domain, Site, canonical};
use kernels_gen::ops::{Arith, Direction, Op, Prim};
use kernels_gen::program::{FuncId, Program, Value};

use super::Tight;
use super::domain::{Cells, Over, format_of};
use super::exactly::within;
use super::random::parsed::program;
use super::residual::{Index, Kind, Operation};
use super::values::{Integers, number, signed};
use crate::num::Interval;
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::grid;

const TYPES: [(Prim, &str); 5] = [
    (Prim::F64, "f64"),
    (Prim::F32, "f32"),
    (Prim::I64, "i64"),
    (Prim::I32, "i32"),
    (Prim::Mask, "mask"),
];

/// A program that has an instruction of each type, the types' numbers plus one.
fn instructions() -> Program {
    let mut text = String::from("fn f0\n  %0: f64 = param\n");
    for (i, (_, ty)) in TYPES.iter().enumerate() {
        text += &format!("  %{}: {ty} = neg %0\n", i + 1);
    }
    program(&(text + "  return %1\n"))
}

fn site(program: &Program, ty: Prim) -> Site<'_> {
    let i = TYPES.iter().position(|t| t.0 == ty).expect("a type") as u32 + 1;
    Site {
        program,
        calls: &[],
        func: FuncId(0),
        inst: Value(i),
        number: i,
    }
}

/// Words of a type, in order.
fn words(ty: Prim) -> Vec<u64> {
    let (tiny, inf) = (f64::from_bits(1), f64::INFINITY);
    let positive = [0.0, tiny, 1.0, 2.5, 1e200, f64::MAX, inf];
    let negative = positive.iter().rev().map(|x| -x);
    let infinite = 0x7ff0_0000_0000_0000i64;
    let integers = [
        i64::MIN,
        i64::MIN + 1,
        i64::MIN + infinite,
        i64::MIN + infinite + 1,
        i32::MIN.into(),
        -4,
        -1,
        0,
        1,
        3,
        i32::MAX.into(),
        i64::from(i32::MAX) + 1,
        infinite,
        infinite + 1,
        i64::MAX,
    ];
    let short = [
        i32::MIN,
        i32::MIN + 0x7f80_0000,
        i32::MIN + 0x7f80_0001,
        -4,
        -1,
        0,
        1,
        3,
        0x7f80_0000,
        0x7f80_0001,
        i32::MAX,
    ];
    match ty {
        Prim::F64 => negative.chain(positive).map(f64::to_bits).collect(),
        Prim::F32 => {
            let numbers = [
                -f32::INFINITY,
                f32::MIN,
                -1.5,
                -1e-45,
                -0.0,
                0.0,
                1e-45,
                1.5,
            ];
            let numbers = numbers.iter().chain(&[f32::MAX, f32::INFINITY]);
            numbers.map(|x| u64::from(x.to_bits())).collect()
        }
        Prim::I64 => integers.map(|n| n as u64).to_vec(),
        Prim::I32 => short.map(|n| u64::from(n as u32)).to_vec(),
        Prim::Mask => vec![0, 1],
    }
}

/// An operand: its known properties, and its members.
fn operand(random: &mut Random, cells: &mut Cells, ty: Prim) -> (Over, Vec<u64>) {
    let all = words(ty);
    let first = match random.below(6) {
        0 => 0,
        _ => random.below(all.len() as u64) as usize,
    };
    let most = match random.below(3) {
        0 => 1,
        _ => 5,
    };
    let last = (first + random.below(most) as usize).min(all.len() - 1);
    let mut members = all[first..=last].to_vec();
    let ends = [members[0], members[last - first]];
    let over = if ty == Prim::Mask {
        match ends[0] == ends[1] {
            true => Over::Const(ends[0]),
            false => Over::Mask(0),
        }
    } else if ty.is_int() {
        let [lo, hi] = ends.map(|w| signed(ty, w));
        match lo == hi {
            true => Over::Const(ends[0]),
            false => Over::Int(Integers { lo, hi }, 0),
        }
    } else {
        let [lo, hi] = ends.map(|w| number(ty, w));
        let range = Interval::new(lo, hi);
        match random.below(5) {
            0 | 1 if lo.is_finite() && hi.is_finite() => cells.input(range, format_of(ty)),
            2 => {
                members.push(canonical(ty, u64::MAX));
                Over::Step(range, true, 0)
            }
            _ if lo.to_bits() == hi.to_bits() => Over::Const(ends[0]),
            _ => Over::Step(range, false, 0),
        }
    };
    (over, members)
}

/// Whether an operation on numbers has the result `x`, of operands by their index.
fn gives(operations: &[Operation], o: &Operation, numbers: &HashMap<Index, f64>, x: f64) -> bool {
    let value = |a: Index| {
        Dyadic::of(match operations[a as usize].kind {
            Kind::Const(c) => c,
            _ => numbers[&a],
        })
    };
    let exact = match o.kind {
        Kind::Input => return numbers.values().any(|n| n.to_bits() == x.to_bits()),
        Kind::Add(a, b) => value(a).plus(&value(b)),
        Kind::Sub(a, b) => value(a).minus(&value(b)),
        Kind::Mul(a, b) => value(a).times(&value(b)),
        Kind::Div(a, b) => value(a).over(&value(b)),
        Kind::Fma(a, b, c) => value(a).times(&value(b)).plus(&value(c)),
        Kind::Sqrt(a) => value(a).root(),
        Kind::Neg(a) => Dyadic::of(0.0).minus(&value(a)),
        Kind::Round(a) => value(a),
        _ => panic!("{o:?}"),
    };
    let apart = Dyadic::of(x).minus(&exact);
    let known = match o.rounding {
        None => apart.is_zero(),
        Some(r) => within(r.error, &apart, r.unit),
    };
    known && o.values.contains(x) && (x == 0.0 || grid(x) >= o.grid)
}

#[test]
fn operations_hold_for_all_members_of_ranges() {
    use Prim::{F32, F64, I32, I64, Mask};
    let mut all: Vec<(Op, Vec<Prim>, Prim)> = Vec::new();
    let ariths = [
        (Arith::Add, Op::Add, 2),
        (Arith::Sub, Op::Sub, 2),
        (Arith::Mul, Op::Mul, 2),
        (Arith::Div, Op::Div, 2),
        (Arith::Recip, Op::Recip, 1),
        (Arith::Sqrt, Op::Sqrt, 1),
        (Arith::Fma, Op::Fma, 3),
    ];
    for ty in [F64, F32] {
        for (arith, op, n) in ariths.into_iter().cycle().take(4 * ariths.len()) {
            all.push((op, vec![ty; n], ty));
            all.extend(Direction::ALL.map(|d| (Op::Directed(arith, d), vec![ty; n], ty)));
        }
        let one = [Op::Neg, Op::Abs, Op::Floor, Op::Ceil, Op::Trunc];
        all.extend(one.map(|op| (op, vec![ty], ty)));
        all.extend([Op::CopySign, Op::Min, Op::Max].map(|op| (op, vec![ty; 2], ty)));
        all.extend([Op::IsNan, Op::IsSignNegative].map(|op| (op, vec![ty], Mask)));
        all.extend([(Op::ToI64, I64), (Op::ToI32, I32)].map(|(op, to)| (op, vec![ty], to)));
    }
    for ty in [I64, I32] {
        let two = [Op::Add, Op::Sub, Op::Mul, Op::Min, Op::Max];
        let bits = [Op::And, Op::Or, Op::Xor, Op::Shl, Op::Shr, Op::ShrLogical];
        all.extend(two.iter().chain(&bits).map(|&op| (op, vec![ty; 2], ty)));
        all.extend([Op::Neg, Op::Not].map(|op| (op, vec![ty], ty)));
        all.extend([Op::ToF64, Op::ToF32].map(|op| {
            let to = if op == Op::ToF64 { F64 } else { F32 };
            (op, vec![ty], to)
        }));
    }
    let compare = [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne];
    for ty in [F64, F32, I64, I32] {
        all.extend(compare.map(|op| (op, vec![ty; 2], Mask)));
    }
    for ty in [F64, F32, I64, I32, Mask] {
        all.push((Op::Select, vec![Mask, ty, ty], ty));
    }
    all.extend([Op::And, Op::Or, Op::Xor].map(|op| (op, vec![Mask; 2], Mask)));
    all.extend([
        (Op::Not, vec![Mask], Mask),
        (Op::ToF32, vec![F64], F32),
        (Op::ToF64, vec![F32], F64),
        (Op::ToI32, vec![I64], I32),
        (Op::ToI64, vec![I32], I64),
        (Op::ToBits, vec![F64], I64),
        (Op::ToBits, vec![F32], I32),
        (Op::FromBits, vec![I64], F64),
        (Op::FromBits, vec![I32], F32),
    ]);
    let program = instructions();
    let tight = Tight::new();
    let mut random = Random(12);
    // Constants, operations, steps, integers and bits.
    let mut counts = [0u32; 5];
    for round in 0..50 * all.len() {
        let (op, prims, out) = &all[round % all.len()];
        let mut cells = Cells::new(&tight);
        cells.real = random.below(4) == 0;
        let operands: Vec<(Over, Vec<u64>)> = (prims.iter())
            .map(|&ty| operand(&mut random, &mut cells, ty))
            .collect();
        let args: Vec<&Over> = operands.iter().map(|o| &o.0).collect();
        let Ok(found) = cells.op(site(&program, *out), *op, prims, &args);
        counts[match found {
            Over::Const(_) => 0,
            Over::Real(_) => 1,
            Over::Step(..) | Over::Mask(_) => 2,
            Over::Int(..) | Over::Line(..) | Over::Low(..) => 3,
            Over::Word(..) => 4,
        }] += 1;
        let tuples = operands.iter().fold(vec![vec![]], |tuples, (_, members)| {
            let longer = |t: &Vec<u64>| {
                let t = t.clone();
                members.iter().map(move |&m| [&t[..], &[m]].concat())
            };
            tuples.iter().flat_map(longer).collect::<Vec<_>>()
        });
        for tuple in tuples {
            let refs: Vec<&u64> = tuple.iter().collect();
            let is = Bits.op(*op, prims, &refs);
            let x = number(*out, is);
            // Numbers of operations, by their index.
            let numbers: HashMap<Index, f64> = (operands.iter().zip(&tuple).zip(prims))
                .filter_map(|((o, &w), &ty)| match o.0 {
                    Over::Real(i) => Some((i, number(ty, w))),
                    _ => None,
                })
                .collect();
            let holds = match found {
                Over::Const(c) => {
                    c == is || out.is_float() && x.is_nan() && number(*out, c).is_nan()
                }
                Over::Step(_, nan, _) if x.is_nan() => nan,
                Over::Step(range, ..) => {
                    range.lo.total_cmp(&x).is_le() && x.total_cmp(&range.hi).is_le()
                }
                Over::Real(i) => {
                    let o = &cells.operations[i as usize];
                    x.is_finite() && gives(&cells.operations, o, &numbers, x)
                }
                Over::Int(range, _) | Over::Line(_, range, _) | Over::Low(_, range, _) => {
                    range.lo <= signed(*out, is) && signed(*out, is) <= range.hi
                }
                Over::Word(i, plus, _) => numbers[&i].to_bits().wrapping_add(plus as u64) == is,
                Over::Mask(_) => true,
            };
            assert!(
                holds,
                "{op:?} {operands:x?}: {found:?}, not {is:#x} ({x:e}) of {tuple:x?}"
            );
        }
    }
    assert!(counts.iter().all(|&n| n > 5), "{counts:?}");
}

/// In real arithmetic, nothing is divided by infinity.
#[test]
fn infinity_is_no_operand() {
    let (program, tight) = (instructions(), Tight::new());
    for real in [false, true] {
        let mut cells = Cells::new(&tight);
        cells.real = real;
        let x = cells.input(Interval::new(1.0, 2.0), format_of(Prim::F64));
        let infinite = Over::Const(f64::INFINITY.to_bits());
        let of = site(&program, Prim::F64);
        let Ok(found) = cells.op(of, Op::Div, &[Prim::F64; 2], &[&x, &infinite]);
        assert!(!matches!(found, Over::Real(_)), "{found:?}");
    }
}
