//! The properties known about the operations of a residual, compared with exact arithmetic at an input.

use std::sync::Arc;

use dashu_int::IBig;
use kernels_gen::interp::{Bits, eval};
use kernels_gen::ir::Loc;
use kernels_gen::ops::{Arith, Direction, Op, Prim};
use kernels_gen::program::{Func, FuncId, Inst, InstKind, Origin, Program, Value};

use super::{
    Cell, Evaluated, Kind, Outcome, Residual, Sites, Tight, TwoWords, evaluate, evaluate_affine,
};
use crate::num::Interval;
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::{grid, power};

/// An operation at an input.
#[derive(Debug, Clone)]
pub(crate) struct Point {
    /// Its computed value,
    pub(crate) v: Dyadic,
    /// its value in real arithmetic,
    pub(crate) s: Dyadic,
    /// and its rounding error.
    pub(crate) rounding: Dyadic,
}

/// Whether `x 2^-e` is in an interval, except for a part of it that no double shows.
pub(crate) fn within(range: Interval, x: &Dyadic, e: i32) -> bool {
    let x = x.scaled(-e);
    let near = x.size().scaled(-300);
    let at_least = |end: f64| end == f64::NEG_INFINITY || Dyadic::of(end).at_most(&x.plus(&near));
    let at_most = |end: f64| end == f64::INFINITY || x.minus(&near).at_most(&Dyadic::of(end));
    at_least(range.lo) && at_most(range.hi)
}

/// A kernel on a cell, where numbers made from integers of more than four values are affine functions.
pub(crate) fn evaluate_few(program: &Program, cell: Cell) -> Evaluated {
    let two = TwoWords::default();
    evaluate_affine(program, cell, two, 4, &mut Sites::new(), false)
}

/// All operations at an input. `None` if real arithmetic has no result. `made` is the computed value of an affine operation.
pub(crate) fn examine(
    residual: &Residual,
    x: f64,
    made: &mut dyn FnMut(u32) -> f64,
) -> Result<Option<Vec<Point>>, String> {
    let zero = || Dyadic(IBig::ZERO, 0);
    let mut all: Vec<Point> = Vec::new();
    for (i, o) in residual.operations.iter().enumerate() {
        let (v, s) = (|a: u32| &all[a as usize].v, |a: u32| &all[a as usize].s);
        let undefined = match o.kind {
            Kind::Sqrt(a) => s(a).0 < IBig::ZERO,
            Kind::Div(_, b) => s(b).is_zero(),
            _ => false,
        };
        if undefined {
            return Ok(None);
        }
        let (exact, real) = match o.kind {
            Kind::Input => (Dyadic::of(x), Dyadic::of(x)),
            Kind::Const(c) => (Dyadic::of(c), Dyadic::of(c)),
            Kind::Low(_) => (Dyadic::of(made(o.site)), zero()),
            Kind::Add(a, b) | Kind::Sum(a, b) => (v(a).plus(v(b)), s(a).plus(s(b))),
            Kind::Sub(a, b) => (v(a).minus(v(b)), s(a).minus(s(b))),
            Kind::Mul(a, b) => (v(a).times(v(b)), s(a).times(s(b))),
            Kind::Div(a, b) => (v(a).over(v(b)), s(a).over(s(b))),
            Kind::Fma(a, b, c) => (v(a).times(v(b)).plus(v(c)), s(a).times(s(b)).plus(s(c))),
            Kind::Sqrt(a) => (v(a).root(), s(a).root()),
            Kind::Neg(a) => (zero().minus(v(a)), zero().minus(s(a))),
            Kind::Round(a) => (v(a).clone(), s(a).clone()),
            Kind::SumError(a, b, t) => (v(a).plus(v(b)).minus(v(t)), zero()),
            Kind::ProductError(a, b, p) => (v(a).times(v(b)).minus(v(p)), zero()),
            Kind::Affine {
                of,
                factor,
                plus,
                deviation,
            } => {
                let (number, factor) = (Dyadic::of(made(o.site)), Dyadic::of(factor));
                let straight = |x: &Dyadic| x.times(&factor).plus(&Dyadic::of(plus));
                let apart = number.minus(&straight(v(of)));
                if !within(deviation, &apart, 0) {
                    return Err(format!("{i}: {o:?} is {apart:?} from the line"));
                }
                let real = straight(s(of)).plus(&apart);
                (number, real)
            }
        };
        let computed = exact.rounded(o.format, o.direction);
        if !computed.is_finite() {
            return Err(format!("{i}: {o:?} is {computed}"));
        }
        let point = Point {
            v: Dyadic::of(computed),
            rounding: Dyadic::of(computed).minus(&exact),
            s: real.cut(),
        };
        let known = match o.rounding {
            None => point.rounding.is_zero(),
            Some(r) => {
                r.exact_grid.is_none_or(|g| exact.is_multiple(g))
                    && within(r.error, &point.rounding, r.unit)
            }
        };
        if !known {
            return Err(format!("{i}: {o:?}: {computed:e} of {exact:?}"));
        }
        if !(o.values.contains(computed) && within(o.reals, &point.s, 0)) {
            return Err(format!("{i}: {o:?}: {computed:e}, {:?}", point.s));
        }
        if computed != 0.0 && grid(computed) < o.grid {
            return Err(format!("{i}: {o:?}: {computed:e} is no multiple"));
        }
        all.push(point);
    }
    Ok(Some(all))
}

/// The bits of the kernel's result.
pub(crate) fn result(program: &Program, x: f64) -> u64 {
    let ty = program.entry().params[0].1;
    let Ok(results) = eval(program, &mut Bits, &[super::values::bits(ty, x)]);
    results[0]
}

/// The number that the kernel gives.
pub(crate) fn number(program: &Program, x: f64) -> f64 {
    let entry = program.entry();
    super::values::number(entry.ty(entry.results[0]), result(program, x))
}

pub(crate) const SUMS: [&[(Op, [u32; 2])]; 2] = [
    &[(Op::Add, [0, 1]), (Op::Sub, [2, 0]), (Op::Sub, [1, 3])],
    &[
        (Op::Add, [0, 1]),
        (Op::Sub, [2, 0]),
        (Op::Sub, [2, 3]),
        (Op::Sub, [0, 4]),
        (Op::Sub, [1, 3]),
        (Op::Add, [5, 6]),
    ],
];

pub(crate) fn inst(kind: InstKind, args: &[u32], ty: Prim) -> Inst {
    Inst {
        kind,
        args: args.iter().map(|&a| Value(a)).collect(),
        ty,
        loc: Loc::default(),
        name: None,
    }
}

/// A function that gives a sum and its error.
pub(crate) fn sum(name: &str, operations: &[(Op, [u32; 2])]) -> Func {
    let mut insts: Vec<Inst> = (0..2)
        .map(|i| inst(InstKind::Param(i), &[], Prim::F64))
        .collect();
    insts.extend(
        operations
            .iter()
            .map(|(op, args)| inst(InstKind::Op(*op), args, Prim::F64)),
    );
    let last = insts.len() as u32 - 1;
    Func {
        name: name.into(),
        origin: Arc::new(Origin::named(name, "random")),
        params: vec![("a".into(), Prim::F64), ("b".into(), Prim::F64)],
        insts,
        results: vec![Value(2), Value(last)],
    }
}

/// A program of one number, whose last instruction is its result, and of two sums that it may call.
pub(crate) fn calls(first: Prim, insts: Vec<Inst>) -> Program {
    let entry = Func {
        name: "f".into(),
        origin: Arc::new(Origin::named("f", "random")),
        params: vec![("x".into(), first)],
        results: vec![Value(insts.len() as u32 - 1)],
        insts,
    };
    Program {
        funcs: vec![sum("fast_two_sum", SUMS[0]), sum("two_sum", SUMS[1]), entry],
        tables: Vec::new(),
    }
}

/// A random kernel of real operations, of numbers of all sizes or of moderate ones.
pub(crate) fn kernel(random: &mut Random, far: bool) -> Program {
    let narrow = random.below(4) == 0;
    let first = if narrow { Prim::F32 } else { Prim::F64 };
    let mut insts = vec![inst(InstKind::Param(0), &[], first)];
    // Values of binary64, of which later operations take the newest twice as often.
    let mut values = vec![0];
    if narrow && random.below(2) == 0 {
        insts.push(inst(InstKind::Op(Op::ToF64), &[0], Prim::F64));
        values = vec![1];
    }
    let ty = insts[values[0] as usize].ty;
    for _ in 0..2 + random.below(6) {
        let mut pick = |random: &mut Random| {
            if random.below(4) == 0 {
                let c = match random.below(6) {
                    5 => 0.0,
                    0 => power(random.below(9) as i32 - 4) * random.sign(),
                    1 => 1.5 * power(52 - random.below(20) as i32),
                    2 if far && ty == Prim::F64 => random.number(900),
                    _ => random.number(3),
                };
                let bits = super::values::bits(ty, c);
                insts.push(inst(InstKind::Const(bits), &[], ty));
                return insts.len() as u32 - 1;
            }
            let n = values.len() as u64;
            let at = if random.below(2) == 0 {
                n - 1
            } else {
                random.below(n)
            };
            values[at as usize]
        };
        let (a, b, c) = (pick(random), pick(random), pick(random));
        let mut add = |kind: InstKind, args: &[u32], ty: Prim| {
            insts.push(inst(kind, args, ty));
            insts.len() as u32 - 1
        };
        let direction = Direction::ALL[random.below(3) as usize];
        let directed = random.below(6) == 0;
        let mut op = |arith: Arith, op: Op, args: &[u32]| {
            let op = if directed {
                Op::Directed(arith, direction)
            } else {
                op
            };
            add(InstKind::Op(op), args, ty)
        };
        let made = match random.below(16) {
            0..=2 => op(Arith::Add, Op::Add, &[a, b]),
            3 | 4 => op(Arith::Sub, Op::Sub, &[a, b]),
            5..=7 => op(Arith::Mul, Op::Mul, &[a, b]),
            8 => op(Arith::Div, Op::Div, &[a, b]),
            9 => op(Arith::Recip, Op::Recip, &[a]),
            10 => op(Arith::Sqrt, Op::Sqrt, &[a]),
            11 => op(Arith::Fma, Op::Fma, &[a, b, c]),
            12 => add(InstKind::Op(Op::Neg), &[a], ty),
            13 if ty == Prim::F64 => {
                let narrow = add(InstKind::Op(Op::ToF32), &[a], Prim::F32);
                add(InstKind::Op(Op::ToF64), &[narrow], Prim::F64)
            }
            14 if ty == Prim::F64 => {
                let call = InstKind::Call(FuncId(random.below(2) as u32));
                let call = add(call, &[a, b], Prim::F64);
                values.push(add(InstKind::Result(0), &[call], Prim::F64));
                add(InstKind::Result(1), &[call], Prim::F64)
            }
            _ => {
                let product = add(InstKind::Op(Op::Mul), &[a, b], ty);
                values.push(product);
                let minus = add(InstKind::Op(Op::Neg), &[product], ty);
                add(InstKind::Op(Op::Fma), &[a, b, minus], ty)
            }
        };
        values.push(made);
    }
    if ty == Prim::F64 && random.below(6) == 0 {
        let last = insts.len() as u32 - 1;
        insts.push(inst(InstKind::Op(Op::ToF32), &[last], Prim::F32));
    }
    calls(first, insts)
}

/// A random kernel of a number made from the input's bits, mostly from a power of it, and the power in sixths.
pub(crate) fn of_bits(random: &mut Random) -> (Program, i32) {
    let (power, magic, thirds) = match random.below(3) {
        0 => (-6, 0x7fde_6238_502c_e8c3i64, false),
        1 => (-3, 0x5fe6_eb50_c7b5_37a9, false),
        _ => (2, 0x2a9f_7893_0000_0000, true),
    };
    let mut insts = vec![inst(InstKind::Param(0), &[], Prim::F64)];
    let mut add = |kind: InstKind, args: &[u32], ty: Prim| {
        insts.push(inst(kind, args, ty));
        insts.len() as u32 - 1
    };
    let op = InstKind::Op;
    let mut word = add(op(Op::ToBits), &[0], Prim::I64);
    let integer = |c: i64| InstKind::Const(c as u64);
    let c = add(
        integer(magic + random.below(1 << 20) as i64),
        &[],
        Prim::I64,
    );
    if thirds {
        let n = add(integer(32), &[], Prim::I64);
        let third = add(integer(0x5555_5556), &[], Prim::I64);
        word = add(op(Op::Shr), &[word, n], Prim::I64);
        word = add(op(Op::Mul), &[word, third], Prim::I64);
        word = add(op(Op::Shr), &[word, n], Prim::I64);
        word = add(op(Op::Shl), &[word, n], Prim::I64);
        word = add(op(Op::Add), &[word, c], Prim::I64);
    } else {
        if power == -3 {
            let n = add(integer(1), &[], Prim::I64);
            word = add(op(Op::Shr), &[word, n], Prim::I64);
        }
        word = add(op(Op::Sub), &[c, word], Prim::I64);
    }
    let y = add(op(Op::FromBits), &[word], Prim::F64);
    // Values with their powers of the input, in sixths.
    let mut values = vec![(0, 6), (y, power)];
    for _ in 0..2 + random.below(5) {
        let pick = |random: &mut Random| values[random.below(values.len() as u64) as usize];
        let (a, b) = (pick(random), pick(random));
        // Mostly another of the same power, or a constant.
        let alike: Vec<_> = values.iter().filter(|v| v.1 == a.1).copied().collect();
        let like = alike[random.below(alike.len() as u64) as usize];
        let constant = random.below(4) == 0;
        let c = random.number(2);
        let number = |add: &mut dyn FnMut(InstKind, &[u32], Prim) -> u32| {
            add(InstKind::Const(c.to_bits()), &[], Prim::F64)
        };
        let other = match constant && (a.1 == 0 || random.below(4) == 0) {
            true => number(&mut add),
            false => like.0,
        };
        let made = match random.below(11) {
            0 | 1 => (add(op(Op::Add), &[a.0, other], Prim::F64), a.1),
            2 | 3 => (add(op(Op::Sub), &[other, a.0], Prim::F64), a.1),
            4 => (add(op(Op::Mul), &[a.0, b.0], Prim::F64), a.1 + b.1),
            5 => (add(op(Op::Div), &[a.0, b.0], Prim::F64), a.1 - b.1),
            6 => {
                let c = number(&mut add);
                (add(op(Op::Mul), &[c, a.0], Prim::F64), a.1)
            }
            7 => {
                let p = a.1 + b.1;
                let same = values.iter().find(|v| v.1 == p).map(|v| v.0);
                let third = same.unwrap_or_else(|| number(&mut add));
                (add(op(Op::Fma), &[a.0, b.0, third], Prim::F64), p)
            }
            8 => (add(op(Op::Sqrt), &[a.0], Prim::F64), a.1 / 2),
            9 => {
                let call = add(
                    InstKind::Call(FuncId(random.below(2) as u32)),
                    &[a.0, other],
                    Prim::F64,
                );
                values.push((add(InstKind::Result(0), &[call], Prim::F64), a.1));
                (add(InstKind::Result(1), &[call], Prim::F64), a.1)
            }
            _ => {
                let product = add(op(Op::Mul), &[a.0, b.0], Prim::F64);
                let minus = add(op(Op::Neg), &[product], Prim::F64);
                (add(op(Op::Fma), &[a.0, b.0, minus], Prim::F64), a.1 + b.1)
            }
        };
        values.push(made);
    }
    // The law's power, where one of the values has it.
    let last = values
        .iter()
        .rev()
        .find(|v| v.1 == power)
        .map_or(y, |v| v.0);
    let entry = Func {
        name: "f".into(),
        origin: Arc::new(Origin::named("f", "random")),
        params: vec![("x".into(), Prim::F64)],
        insts,
        results: vec![Value(last)],
    };
    let program = Program {
        funcs: vec![sum("fast_two_sum", SUMS[0]), sum("two_sum", SUMS[1]), entry],
        tables: Vec::new(),
    };
    (program, power)
}

/// A cell of few inputs or of many, and some of its inputs.
pub(crate) fn cell(random: &mut Random, narrow: bool, far: bool) -> (Cell, Vec<f64>) {
    let lo = match random.below(8) {
        0 => power(random.below(21) as i32 - 10),
        1 => 2f64.powi(random.below(21) as i32 - 10).next_down(),
        2 if far => random.end().abs().max(f64::from_bits(1)),
        _ => random.number(if far { 900 } else { 8 }).abs(),
    };
    let lo = if narrow {
        f64::from(lo as f32).clamp(f64::from(f32::from_bits(1)), f64::from(f32::MAX))
    } else {
        lo
    };
    let bits = if narrow {
        u64::from((lo as f32).to_bits())
    } else {
        lo.to_bits()
    };
    let wide = 1 + random.below(if narrow { 26 } else { 55 });
    let apart = random.below(1 << wide);
    let most = if narrow {
        u64::from(f32::MAX.to_bits())
    } else {
        f64::MAX.to_bits()
    };
    let last = (bits + apart).min(most);
    let sign = random.sign();
    let number = |w: u64| {
        sign * if narrow {
            f64::from(f32::from_bits(w as u32))
        } else {
            f64::from_bits(w)
        }
    };
    let (a, b) = (number(bits), number(last));
    let inputs = (0..10).map(|k| match k {
        0 => a,
        1 => b,
        // Numbers of few bits, whose results are ties more often.
        2..=4 => {
            let zeros = random.below(if narrow { 23 } else { 52 });
            number(((bits + random.below(last - bits + 1)) >> zeros << zeros).max(bits))
        }
        _ => number(bits + random.below(last - bits + 1)),
    });
    let inputs = inputs.collect();
    (
        Cell {
            lo: a.min(b),
            hi: a.max(b),
        },
        inputs,
    )
}

/// The values of affine operations of kernels that have none.
pub(crate) fn none(site: u32) -> f64 {
    panic!("site {site}")
}

#[test]
fn what_is_known_of_operations_holds_in_exact_arithmetic() {
    let mut random = Random(5);
    let mut counts = [0u32; 16];
    for round in 0..4000 {
        let far = round % 2 == 0;
        let program = kernel(&mut random, far);
        let narrow = program.entry().params[0].1 == Prim::F32;
        let (cell, inputs) = cell(&mut random, narrow, far);
        if cell.lo == cell.hi {
            continue;
        }
        let real = random.below(4) == 0;
        let evaluated = evaluate(&program, cell, &Tight::new(), real);
        match &evaluated.results[0] {
            Outcome::Residual(residual) => {
                for &x in &inputs {
                    let found = examine(residual, x, &mut none);
                    let found = found.unwrap_or_else(|wrong| {
                        panic!("{round}: {cell:?} {x:e}: {wrong}\n{residual:?}\n{program:?}")
                    });
                    let Some(points) = found else { continue };
                    let out = &points[residual.result as usize].v;
                    let same = Dyadic::of(number(&program, x)).minus(out).is_zero();
                    assert!(
                        same,
                        "{round}: {cell:?} {x:e} {out:?}\n{residual:?}\n{program:?}"
                    );
                }
                for o in &residual.operations {
                    let kind = match o.kind {
                        Kind::Input | Kind::Const(_) | Kind::Low(_) | Kind::Affine { .. } => 0,
                        Kind::Add(..) | Kind::Sum(..) => 1,
                        Kind::Sub(..) => 2,
                        Kind::Mul(..) => 3,
                        Kind::Div(..) => 4,
                        Kind::Fma(..) => 5,
                        Kind::Sqrt(_) => 6,
                        Kind::Neg(_) => 7,
                        Kind::Round(_) => 8,
                        Kind::SumError(..) => 9,
                        Kind::ProductError(..) => 10,
                    };
                    counts[kind] += 1;
                    counts[11] += u32::from(o.direction.is_some() && o.rounding.is_some());
                    counts[12] += u32::from(o.values.contains(0.0));
                    counts[13] += u32::from(o.rounding.is_some_and(|r| r.unit <= o.format.least));
                }
                counts[14] += 1;
            }
            Outcome::Constant(bits) => {
                for &x in &inputs {
                    assert_eq!(*bits, result(&program, x), "{round}: {cell:?} {x:e}");
                }
                counts[15] += 1;
            }
            _ => {}
        }
    }
    assert!(counts.iter().all(|&n| n > 20), "{counts:?}");
}

/// Knuth's sum of 1.5 units of the largest number and minus that number gives NaN as its error: a partial result overflows.
#[test]
fn a_sum_next_to_the_largest_number_has_no_error() {
    let mut insts = vec![inst(InstKind::Param(0), &[], Prim::F64)];
    insts.push(inst(InstKind::Const((-f64::MAX).to_bits()), &[], Prim::F64));
    insts.push(inst(InstKind::Call(FuncId(0)), &[0, 1], Prim::F64));
    insts.push(inst(InstKind::Result(1), &[2], Prim::F64));
    let mut entry = sum("f", &[]);
    entry.params.truncate(1);
    (entry.insts, entry.results) = (insts, vec![Value(3)]);
    let program = Program {
        funcs: vec![sum("two_sum", SUMS[1]), entry],
        tables: Vec::new(),
    };
    let unit = power(971);
    assert!(number(&program, 1.5 * unit).is_nan());
    for (lo, hi) in [(unit, 2.0 * unit), (1.5 * unit, 1.5 * unit)] {
        let outcome = &evaluate(&program, Cell { lo, hi }, &Tight::new(), lo == hi).results[0];
        assert!(!matches!(outcome, Outcome::Residual(_)), "{outcome:?}");
    }
}
