//! Residuals evaluated again over other stretches, compared with exact arithmetic and with the kernel.

use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{FuncId, InstKind, Program, Value};

use super::domain::Cells;
use super::exactly::{SUMS, cell, examine, inst, kernel, none, number, sum};
use super::random::parsed;
use super::replay::{NoReplay, replay};
use super::residual::{Kind, Operation, Residual};
use super::{Cell, Outcome, Tight, evaluate, input_format};
use crate::num::Interval;
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::{Format, exponent, power};

fn input(cell: Cell, format: Format) -> Operation {
    let tight = Tight::new();
    let mut cells = Cells::new(&tight);
    cells.input(Interval::new(cell.lo, cell.hi), format);
    cells.operations[0]
}

fn residual(program: &Program, cell: Cell) -> Option<Residual> {
    match evaluate(program, cell, &Tight::new(), false)
        .results
        .remove(0)
    {
        Outcome::Residual(residual) => Some(residual),
        _ => None,
    }
}

/// A kernel that computes the sum of its argument, with the exponent e, and a constant, and the sum's error. The constant is near the
/// argument's last place, or the argument is near the constant's last place.
fn of_sum(random: &mut Random, e: i32) -> Program {
    let mut insts = vec![inst(InstKind::Param(0), &[], Prim::F64)];
    let mut add = |kind: InstKind, args: &[u32]| {
        insts.push(inst(kind, args, Prim::F64));
        insts.len() as u32 - 1
    };
    let apart = match random.below(2) {
        0 => random.below(5) as i32 - 55,
        _ => random.below(4) as i32 + 50,
    };
    let odd = [1.0, 1.25, 1.0 + random.unit().abs()][random.below(3) as usize];
    let c = add(
        InstKind::Const((random.sign() * odd * power(e + apart)).to_bits()),
        &[],
    );
    let args = match random.below(2) {
        0 => [0, c],
        _ => [c, 0],
    };
    let (s, error) = match random.below(4) {
        0 => (add(InstKind::Op(Op::Add), &args), 0),
        1 => (add(InstKind::Op(Op::Sub), &args), 0),
        n => {
            let call = add(InstKind::Call(FuncId(n as u32 - 2)), &args);
            let s = add(InstKind::Result(0), &[call]);
            (s, add(InstKind::Result(1), &[call]))
        }
    };
    let three = add(InstKind::Const(3.0f64.to_bits()), &[]);
    let last = add(InstKind::Op(Op::Fma), &[error, three, s]);
    let mut entry = sum("f", &[]);
    entry.params.truncate(1);
    (entry.insts, entry.results) = (insts, vec![Value(last)]);
    Program {
        funcs: vec![sum("fast_two_sum", SUMS[0]), sum("two_sum", SUMS[1]), entry],
        tables: Vec::new(),
    }
}

#[test]
fn a_residual_over_a_part_of_its_cell_gives_what_the_kernel_gives() {
    let mut random = Random(6);
    let (mut same, mut endless, mut errors, mut directed, mut absorbed) = (0, 0, 0, 0, 0);
    for round in 0..5000 {
        let far = round % 2 == 0;
        let (program, cell, inputs) = match random.below(2) {
            0 => {
                let program = kernel(&mut random, far);
                let narrow = program.entry().params[0].1 == Prim::F32;
                let (cell, inputs) = cell(&mut random, narrow, far);
                (program, cell, inputs)
            }
            _ => {
                let (cell, inputs) = cell(&mut random, false, false);
                let program = of_sum(&mut random, exponent(cell.lo));
                (program, cell, inputs)
            }
        };
        let Some(residual) = residual(&program, cell).filter(|_| cell.lo < cell.hi) else {
            continue;
        };
        let end = |random: &mut Random| inputs[random.below(inputs.len() as u64) as usize];
        let (a, b) = (end(&mut random), end(&mut random));
        let part = Cell {
            lo: a.min(b),
            hi: a.max(b),
        };
        let again = replay(
            &residual,
            input(part, input_format(&program)),
            &Tight::new(),
        );
        let Ok(again) = again else {
            assert_eq!(again.unwrap_err(), NoReplay::Endless);
            endless += 1;
            continue;
        };
        for &x in inputs.iter().filter(|&&x| part.lo <= x && x <= part.hi) {
            let found = examine(&again, x, &mut none)
                .unwrap_or_else(|wrong| panic!("{round}: {part:?} {x:e}: {wrong}\n{residual:?}"));
            let Some(points) = found else { continue };
            let is = Dyadic::of(number(&program, x));
            assert!(
                is.minus(&points[again.result as usize].v).is_zero(),
                "{round}: {cell:?} {part:?} {x:e}\n{residual:?}\n{again:?}"
            );
            same += 1;
        }
        let with = |r: &Residual, of: fn(&Operation) -> bool| r.operations.iter().any(of);
        let is_error = |o: &Operation| matches!(o.kind, Kind::SumError(..));
        let is_exact_error = with(&residual, is_error) && !with(&again, is_error);
        errors += u32::from(is_exact_error);
        directed += u32::from(with(&again, |o| {
            o.direction.is_some() && o.rounding.is_some()
        }));
        absorbed += u32::from(again.operations.len() < residual.operations.len());
    }
    println!("{same} {endless} {errors} {directed} {absorbed}");
    assert!(same > 5000 && errors > 50 && directed > 50 && absorbed > 20);
}

/// Quotients by a range that contains zero, and results that overflow on either side, have no residual.
#[test]
fn what_may_be_infinite_has_no_residual() {
    let x = "fn f0\n  %0: f64 = param\n";
    let three = 3.0f64.to_bits();
    let quotient = format!(
        "{x}  %1: f64 = const {three:#x}\n  %2: f64 = sub %0, %1\n  %3: f64 = div %1, %2\n  return %3\n"
    );
    let square = format!("{x}  %1: f64 = mul %0, %0\n  return %1\n");
    let negative = format!("{x}  %1: f64 = neg %0\n  %2: f64 = mul %0, %1\n  return %2\n");
    let (first, large) = (Cell { lo: 4.0, hi: 5.0 }, Cell { lo: 4.0, hi: 1e200 });
    let across = Cell { lo: 2.0, hi: 4.0 };
    for (text, stretch) in [(quotient, across), (square, large), (negative, large)] {
        let program = parsed::program(&text);
        let residual = residual(&program, first).expect("a residual");
        let again = |cell| {
            let input = input(cell, input_format(&program));
            replay(&residual, input, &Tight::new()).map(|_| ())
        };
        assert_eq!(again(first), Ok(()), "{text}");
        assert_eq!(again(stretch), Err(NoReplay::Endless), "{text}");
    }
}

/// On both sides of a power of two, numbers are multiples of a smaller unit than that of the largest.
#[test]
fn sums_with_zero_and_of_equal_numbers_are_exact() {
    let of = |constant: f64, last: &str| {
        let bits = constant.to_bits();
        let program = parsed::program(&format!(
            "fn f0\n  %0: f64 = param\n  %1: f64 = const {bits:#x}\n  %2: f64 = sqrt %0\n  %3: f64 = {last}\n  return %3\n"
        ));
        let residual = residual(&program, Cell { lo: 0.9, hi: 1.1 }).expect("a residual");
        let last = residual.operations[residual.result as usize];
        (last.rounding.is_none(), last.grid)
    };
    for last in [
        "add %1, %2",
        "add %2, %1",
        "sub %1, %2",
        "sub %2, %1",
        "fma %1, %2, %2",
        "fma %2, %1, %2",
    ] {
        for zero in [0.0, -0.0] {
            assert_eq!(of(zero, last), (true, -53), "{last}");
        }
        assert!(!of(1.0 / 3.0, last).0, "{last}");
    }
    assert_eq!(of(0.0, "add %2, %2"), (true, -52));
    assert!(!of(0.0, "fma %2, %2, %1").0);
}
