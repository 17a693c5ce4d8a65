//! Copies of cells whose kernels have rounded operations of all kinds.

use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{InstKind, Program, Value};

use super::scaled::scaled;
use super::scaling::times_power;
use crate::cell::exactly::{evaluate_few, examine, inst, number, of_bits};
use crate::cell::{Cell, Index, Kind, Operation, Outcome, Residual, Values};
use crate::law::Law;
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::{BINARY64, exponent, power};

/// The kernel times a quotient of two of its values, or of a root and its argument. So its result has the law's power and the roundings of
/// these operations.
fn with_quotient(mut program: Program, random: &mut Random) -> Program {
    let entry = program.funcs.last_mut().expect("an entry");
    let y = entry.results[0].0;
    let float = |i: u32| entry.insts[i as usize].ty == Prim::F64;
    let is_constant = |i: u32| matches!(entry.insts[i as usize].kind, InstKind::Const(_));
    let all: Vec<u32> = (0..entry.insts.len() as u32)
        .filter(|&i| float(i) && !is_constant(i))
        .filter(|&i| !matches!(entry.insts[i as usize].kind, InstKind::Call(_)))
        .collect();
    let (v, w) = (random.of(&all), random.of(&all));
    let mut add = |kind: InstKind, args: &[u32]| {
        entry.insts.push(inst(kind, args, Prim::F64));
        entry.insts.len() as u32 - 1
    };
    let constant = |x: f64| InstKind::Const(x.to_bits());
    let op = InstKind::Op;
    let q = match random.below(6) {
        0 => add(op(Op::Div), &[v, w]),
        1 => {
            let c = add(constant(random.number(2)), &[]);
            let u = add(op(Op::Fma), &[v, c, v]);
            add(op(Op::Div), &[v, u])
        }
        2 => {
            let root = add(op(Op::Sqrt), &[v]);
            let square = add(op(Op::Mul), &[root, root]);
            add(op(Op::Div), &[v, square])
        }
        3 => {
            // Twice the power: the root of it is that of the value.
            let square = add(op(Op::Mul), &[v, v]);
            let root = add(op(Op::Sqrt), &[square]);
            add(op(Op::Div), &[v, root])
        }
        4 => {
            // A product and its error.
            let product = add(op(Op::Mul), &[v, w]);
            let minus = add(op(Op::Neg), &[product]);
            let error = add(op(Op::Fma), &[v, w, minus]);
            let sum = add(op(Op::Sub), &[product, error]);
            add(op(Op::Div), &[product, sum])
        }
        _ => {
            // A value around zero, and one that is not.
            let u = add(op(Op::Sub), &[v, w]);
            let c = add(constant(random.number(2)), &[]);
            let u = add(op(Op::Mul), &[u, c]);
            let u = add(op(Op::Add), &[u, v]);
            add(op(Op::Div), &[v, u])
        }
    };
    let mut out = add(op(Op::Mul), &[y, q]);
    if random.below(2) == 0 {
        // Down to the subnormal numbers or next to them, and sometimes back.
        let e = match random.below(2) {
            0 => -(random.below(1060) as i32),
            _ => -1000 - random.below(30) as i32,
        };
        let odd = random.of(&[1.0, 1.0, 1.5, 1.1]);
        let c = add(constant(odd * power(e)), &[]);
        out = add(op(Op::Mul), &[out, c]);
        if random.below(3) > 0 {
            let c = add(constant(power(-e.max(-1023))), &[]);
            out = add(op(Op::Mul), &[out, c]);
        }
    }
    entry.results = vec![Value(out)];
    program
}

/// The kernel's numbers at `x`, compared with the core's at the copy of `x`: the same values, roundings and units, times powers of two.
fn same(residual: &Residual, core: &Residual, by: i32, x: f64, made: &mut dyn FnMut(u32) -> f64) {
    let points = examine(residual, x, made).unwrap_or_else(|wrong| panic!("{x:e}: {wrong}"));
    let Some(points) = points else { return };
    let apart = |i: usize| {
        let [a, b] = [residual, core].map(|r| r.operations[i].values.magnitude());
        match a == 0.0 {
            true => 0,
            false => exponent(a) - exponent(b),
        }
    };
    let r = times_power(x, -by).expect("exact");
    let mut made = |site| {
        let is = |o: &Operation| o.site == site && matches!(o.kind, Kind::Affine { .. });
        let i = residual.operations.iter().position(is).expect("one");
        times_power(points[i].v.rounded(BINARY64, None), -apart(i)).expect("exact")
    };
    let of_core = examine(core, r, &mut made)
        .unwrap_or_else(|wrong| panic!("{x:e} core: {wrong}\n{residual:?}\n{core:?}"));
    let of_core = of_core.expect("the same operations");
    for (i, (a, b)) in points.iter().zip(&of_core).enumerate() {
        let e = apart(i);
        let same = |a: &Dyadic, b: &Dyadic| a.minus(&b.scaled(e)).is_zero();
        assert!(
            same(&a.v, &b.v) && same(&a.rounding, &b.rounding),
            "{x:e} {i}: {a:?} {b:?} {e}\n{residual:?}\n{core:?}"
        );
    }
    let out = residual.result as usize;
    let unit = |p: &Dyadic| BINARY64.ulp(p.rounded(BINARY64, None));
    assert_eq!(
        unit(&points[out].v),
        unit(&of_core[out].v) + apart(out),
        "{x:e}"
    );
}

#[test]
fn copies_have_the_roundings_of_their_cells() {
    let mut random = Random(41);
    let (mut copies, mut far, mut lone, mut kinds) = (0, 0, 0, [0u32; 8]);
    for _ in 0..40_000 {
        let (program, sixths) = of_bits(&mut random);
        let program = with_quotient(program, &mut random);
        let law = match sixths {
            -6 => Law::Recip,
            -3 => Law::RecipSqrt,
            _ => Law::Cbrt,
        };
        let lo = match random.below(4) {
            0 => random.number(4).abs(),
            1 => (1.0 + random.unit().abs()) * power(1023 - random.below(12) as i32),
            2 => (1.0 + random.unit().abs()) * power(-1022 + random.below(12) as i32),
            _ => random.number(1022).abs(),
        };
        let hi = lo * (1.0 + power(-(random.below(30) as i32) - 1));
        if !(lo.is_finite() && hi.is_finite()) || exponent(lo) != exponent(hi) {
            continue;
        }
        let cell = Cell { lo, hi };
        let evaluated = evaluate_few(&program, cell);
        let Outcome::Residual(residual) = &evaluated.results[0] else {
            continue;
        };
        for other in [Law::Recip, Law::RecipSqrt, Law::Cbrt] {
            // The factor of the results is the law's.
            if let Some((_, member, _)) = scaled(residual, cell, other) {
                let (numerator, period) = other.power().expect("a power");
                assert_eq!(member.scale * period, member.by * numerator, "{other:?}");
            }
        }
        let Some((core, member, _)) = scaled(residual, cell, law) else {
            lone += 1;
            continue;
        };
        let mut values = Values::new(&program);
        for k in 0..4 {
            let x = match k {
                0 => lo,
                1 => hi,
                _ => f64::from_bits(lo.to_bits() + random.below(hi.to_bits() - lo.to_bits() + 1)),
            };
            let mut made = |site| f64::from_bits(values.at(site, x).expect("a value"));
            same(residual, &core, member.by, x, &mut made);
            assert!(number(&program, x).is_finite());
        }
        copies += u32::from(member.by != 0);
        far += u32::from(member.by.abs() > 900);
        for o in residual.operations.iter().filter(|_| member.by != 0) {
            let kind = match o.kind {
                Kind::Add(..) | Kind::Sub(..) => 0,
                Kind::Mul(..) => 1,
                Kind::Div(..) => 2,
                Kind::Sqrt(..) => 3,
                Kind::Fma(..) => 4,
                Kind::ProductError(..) => 5,
                Kind::SumError(..) => 6,
                _ => continue,
            };
            kinds[kind] += 1;
            kinds[7] += u32::from(o.rounding.is_some() && o.values.contains(0.0));
        }
    }
    println!("{copies} {far} {lone} {kinds:?}");
    assert!(copies > 300 && far > 20 && lone > 100 && kinds.iter().all(|&n| n > 5));
}

/// The copy of a cell of a kernel, if there is one. Its values are compared at the cell's ends.
fn copy(text: &str, law: Law, (lo, hi): (f64, f64)) -> Option<i32> {
    let program = crate::cell::random::parsed::program(text);
    let cell = Cell { lo, hi };
    let evaluated = evaluate_few(&program, cell);
    let Outcome::Residual(residual) = &evaluated.results[0] else {
        panic!("{:?}", evaluated.results)
    };
    let (core, member, _) = scaled(residual, cell, law)?;
    let mut values = Values::new(&program);
    for x in [lo, hi] {
        let mut made = |site| f64::from_bits(values.at(site, x).expect("a value"));
        same(residual, &core, member.by, x, &mut made);
    }
    Some(member.by)
}

/// The unit of a subnormal result, of the cell or of its core, is not scaled, although the result has few bits and is exact.
#[test]
fn a_copy_has_no_subnormal_result() {
    let estimate = |times: i32| {
        format!(
            "fn f0\n  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: i64 = const 0x7fde623800000000\n  \
             %3: i64 = sub %2, %1\n  %4: i64 = const {:#x}\n  %5: i64 = and %3, %4\n  \
             %6: f64 = from_bits %5\n  %7: f64 = const {:#x}\n  %8: f64 = mul %6, %7\n  return %8\n",
            -1i64 << 32,
            power(times).to_bits()
        )
    };
    let at = |e: i32| (1.25 * power(e), 1.5 * power(e));
    for e in [470, 300, 3, -500] {
        assert!(copy(&estimate(0), Law::Recip, at(e)).is_some(), "{e}");
    }
    assert!(copy(&estimate(-700), Law::Recip, at(300)).is_some());
    assert!(copy(&estimate(-1010), Law::Recip, at(-300)).is_some());
    // A subnormal result of the core, and a normal one of the cell.
    for e in [-300, -100] {
        assert_eq!(copy(&estimate(-1030), Law::Recip, at(e)), None, "{e}");
    }
    // A subnormal result of a cell, and a normal one of its core.
    for e in [325, 335, 340] {
        assert_eq!(copy(&estimate(-700), Law::Recip, at(e)), None, "{e}");
    }
}

/// A constant that is an operand of two operations cannot be given the scale of one of them.
#[test]
fn a_constant_of_two_operations_is_not_scaled() {
    let text = |more: &str| {
        let magic = "0x7fde6238502ce8c3";
        format!(
            "fn f0\n  %0: f64 = param\n  %1: i64 = to_bits %0\n  %2: i64 = const {magic}\n  \
             %3: i64 = sub %2, %1\n  %4: f64 = from_bits %3\n  %5: f64 = const {:#x}\n{more}",
            1.5f64.to_bits()
        )
    };
    let sum = "  %6: f64 = mul %4, %5\n  %7: f64 = add %6, %5\n  return %7\n";
    let program = crate::cell::random::parsed::program(&text(sum));
    let (lo, hi) = (1.25 * power(20), 1.5 * power(20));
    let cell = Cell { lo, hi };
    let evaluated = evaluate_few(&program, cell);
    let Outcome::Residual(residual) = &evaluated.results[0] else {
        panic!("{:?}", evaluated.results)
    };
    // Both constants are one.
    let mut shared = residual.clone();
    let is_constant = |o: &Operation| o.kind == Kind::Const(1.5);
    let first = residual
        .operations
        .iter()
        .position(is_constant)
        .expect("one") as Index;
    let Kind::Add(product, second) = residual.at(residual.result).kind else {
        panic!("{residual:?}")
    };
    assert_ne!(first, second);
    shared.operations[residual.result as usize].kind = Kind::Add(product, first);
    assert!(scaled(residual, cell, Law::Recip).is_some());
    assert!(scaled(&shared, cell, Law::Recip).is_none());
}
