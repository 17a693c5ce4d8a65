//! The meaning of a residual in real arithmetic, compared with the kernel's operations in exact arithmetic.

use std::convert::Infallible;

use kernels_gen::interp::{Bits, Domain, Site, eval};
use kernels_gen::ops::{Arith, Op, Prim};
use kernels_gen::program::TableData;

use super::exactly::{Point, cell, evaluate_few, examine, kernel, none, of_bits, result};
use super::values::number;
use super::{Cell, Kind, Outcome, Residual, Tight, Values, evaluate};
use crate::num::dyadic::{Dyadic, Random};
use crate::num::float::exponent;
use crate::num::{Ball, Ring, Series};

/// The evaluation in real arithmetic. Values made only from constants are computed, as in the evaluation over a cell.
struct Reals {
    /// The largest number so far.
    most: Dyadic,
    undefined: bool,
}

impl Reals {
    /// A number of the evaluation; one that is infinite has no further meaning.
    fn constant_of(&mut self, ty: Prim, word: u64) -> (Dyadic, Option<u64>) {
        let x = number(ty, word);
        self.undefined |= !x.is_finite();
        let x = Dyadic::of(if x.is_finite() { x } else { 0.0 });
        self.seen(&x);
        (x, Some(word))
    }

    fn seen(&mut self, x: &Dyadic) {
        if self.most.at_most(&x.size()) {
            self.most = x.size();
        }
    }
}

impl Domain for Reals {
    type Value = (Dyadic, Option<u64>);
    type Refusal = Infallible;

    fn constant(&mut self, _: Site<'_>, ty: Prim, word: u64) -> Result<Self::Value, Infallible> {
        Ok(self.constant_of(ty, word))
    }

    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&Self::Value],
    ) -> Result<Self::Value, Infallible> {
        let words: Option<Vec<&u64>> = args.iter().map(|a| a.1.as_ref()).collect();
        if let Some(words) = words {
            let word = Bits.op(op, prims, &words);
            return Ok(self.constant_of(site.instruction().ty, word));
        }
        let x = |i: usize| &args[i].0;
        let zero = Dyadic::of(0.0);
        let arith = match op {
            Op::Directed(arith, _) => Some(arith),
            Op::Add => Some(Arith::Add),
            Op::Sub => Some(Arith::Sub),
            Op::Mul => Some(Arith::Mul),
            Op::Div => Some(Arith::Div),
            Op::Recip => Some(Arith::Recip),
            Op::Sqrt => Some(Arith::Sqrt),
            Op::Fma => Some(Arith::Fma),
            _ => None,
        };
        let undefined = match arith {
            Some(Arith::Div) => x(1).is_zero(),
            Some(Arith::Recip) => x(0).is_zero(),
            Some(Arith::Sqrt) => x(0).minus(&zero).0 < zero.0,
            _ => false,
        };
        if undefined {
            self.undefined = true;
            return Ok((zero, None));
        }
        let made = match arith {
            Some(Arith::Add) => x(0).plus(x(1)),
            Some(Arith::Sub) => x(0).minus(x(1)),
            Some(Arith::Mul) => x(0).times(x(1)),
            Some(Arith::Div) => x(0).over(x(1)),
            Some(Arith::Recip) => Dyadic::of(1.0).over(x(0)),
            Some(Arith::Sqrt) => x(0).root(),
            Some(Arith::Fma) => x(0).times(x(1)).plus(x(2)),
            None if op == Op::Neg => zero.minus(x(0)),
            None => x(0).clone(),
        };
        let made = made.cut();
        self.seen(&made);
        Ok((made, None))
    }

    fn load(
        &mut self,
        _: Site<'_>,
        _: &TableData,
        _: Prim,
        _: &Self::Value,
    ) -> Result<Self::Value, Infallible> {
        panic!("a kernel without tables")
    }
}

/// As a reference, a kernel is its operations without their roundings.
#[test]
fn a_reference_is_not_rounded() {
    let mut random = Random(21);
    let (mut compared, mut sums) = (0, 0);
    for round in 0..3000 {
        let far = round % 2 == 0;
        let program = kernel(&mut random, far);
        let ty = program.entry().params[0].1;
        let (cell, inputs) = cell(&mut random, ty == Prim::F32, far);
        let evaluated = evaluate(&program, cell, &Tight::new(), true);
        let Outcome::Residual(residual) = &evaluated.results[0] else {
            continue;
        };
        for &x in &inputs[..4] {
            let Ok(Some(points)) = examine(residual, x, &mut none) else {
                continue;
            };
            let mut reals = Reals {
                most: Dyadic::of(0.0),
                undefined: false,
            };
            let input = (Dyadic::of(x), None);
            reals.seen(&input.0);
            let Ok(results) = eval(&program, &mut reals, &[input]);
            if reals.undefined {
                continue;
            }
            let apart = results[0].0.minus(&points[residual.result as usize].s);
            assert!(
                apart.size().at_most(&reals.most.scaled(-250)),
                "{round}: {cell:?} {x:e}\n{residual:?}\n{program:?}"
            );
            compared += 1;
            sums += u32::from(
                residual
                    .operations
                    .iter()
                    .any(|o| matches!(o.kind, Kind::SumError(..)) && o.values.magnitude() > 0.0),
            );
        }
    }
    assert!(compared > 1000 && sums > 50, "{compared} {sums}");
}

/// A ball with a number.
fn ball(x: &Dyadic) -> Ball {
    let h = x.near();
    let l = x.minus(&Dyadic::of(h)).near();
    Ball::new(h, l, h.abs() * 2f64.powi(-100))
}

/// All values are below the powers that series divide them by, and series at a point are the values.
fn compare(residual: &Residual, x: f64, points: &[Point]) -> u32 {
    let exponents = residual.exponents();
    let mut compared = 0;
    for (point, &e) in points.iter().zip(&exponents) {
        let most = Dyadic::of(1.0).scaled(e);
        assert!(point.v.size().at_most(&most), "{point:?} {e}");
        assert!(point.s.size().at_most(&most), "{point:?} {e}");
    }
    let place = residual
        .operations
        .iter()
        .position(|o| o.kind == Kind::Input);
    let input = Ball::number(x).scale(-place.map_or(0, |i| exponents[i]));
    let deviating = |i: usize, value: Series<Ball, 1>| {
        let Kind::Affine {
            of, factor, plus, ..
        } = residual.operations[i].kind
        else {
            panic!("{i} is not affine")
        };
        let straight = points[of as usize].s.times(&Dyadic::of(factor));
        let straight = straight.plus(&Dyadic::of(plus));
        let apart = points[i].s.minus(&straight).scaled(-exponents[i]);
        value.add(Series::constant(ball(&apart)))
    };
    let all = residual.deviating_series(Series::<Ball, 1>::constant(input), &exponents, deviating);
    for (i, (series, point)) in all.iter().zip(points).enumerate() {
        let of = series.0[0];
        if !(of.h.is_finite() && of.l.is_finite() && of.r.is_finite()) {
            continue;
        }
        let middle = Dyadic::of(of.h).plus(&Dyadic::of(of.l));
        let is = point.s.scaled(-exponents[i]);
        let apart = is.minus(&middle).size();
        let near = Dyadic::of(of.r).plus(&Dyadic::of(1.0).scaled(-250));
        assert!(
            apart.at_most(&near),
            "{i} {x:e} {of:?} {is:?}\n{residual:?}"
        );
        compared += 1;
    }
    compared
}

#[test]
fn series_at_a_point_are_the_values() {
    let mut random = Random(22);
    let (mut compared, mut affine, mut deviates) = (0, 0, 0);
    for round in 0..1200 {
        let far = round % 4 == 0;
        let program = kernel(&mut random, far);
        let narrow = program.entry().params[0].1 == Prim::F32;
        let (cell, inputs) = cell(&mut random, narrow, far);
        let evaluated = evaluate(&program, cell, &Tight::new(), round % 3 == 0);
        let Outcome::Residual(residual) = &evaluated.results[0] else {
            continue;
        };
        assert!(!residual.deviates());
        for &x in &inputs[..3] {
            if let Ok(Some(points)) = examine(residual, x, &mut none) {
                compared += compare(residual, x, &points);
            }
        }
    }
    for _ in 0..1500 {
        let (program, _) = of_bits(&mut random);
        let lo = random.number(40).abs();
        let cell = Cell {
            lo,
            hi: lo * (1.0 + 2f64.powi(-(random.below(30) as i32) - 1)),
        };
        let evaluated = evaluate_few(&program, cell);
        let (Outcome::Residual(residual), true) =
            (&evaluated.results[0], exponent(lo) == exponent(cell.hi))
        else {
            continue;
        };
        let mut values = Values::new(&program);
        let x = cell.center();
        assert_eq!(values.result(x), result(&program, x));
        let mut made = |site| f64::from_bits(values.at(site, x).expect("a value"));
        if let Ok(Some(points)) = examine(residual, x, &mut made) {
            affine += compare(residual, x, &points);
        }
        let varies = residual
            .affine()
            .any(|i| match residual.operations[i].kind {
                Kind::Affine { deviation, .. } => deviation.lo < deviation.hi,
                _ => false,
            });
        assert_eq!(residual.deviates(), varies);
        deviates += u32::from(varies);
    }
    println!("{compared} {affine} {deviates}");
    assert!(compared > 3000 && affine > 1000 && deviates > 100);
}
