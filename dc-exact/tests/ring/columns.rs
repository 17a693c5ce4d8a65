//! Errors of many consecutive inputs at once: [`crate::point`] over columns, about ten times as fast, for brute force.
//!
//! The arithmetic is the same double-doubles with a radius, but without a separate exponent: a lane in which a value is
//! not finite, or so small or large that a word of it could underflow or overflow, is evaluated by [`crate::point`]
//! instead. So is a lane whose radius is too wide to determine its error. Some of the other lanes are evaluated by
//! both, and must agree.

use std::convert::Infallible;

use dc_exact::cell::{Cell, input_format};
use dc_exact::num::float::{BINARY32, BINARY64, exponent};
use dc_exact::num::{Ball, Ring};
use kernels_gen::interp::{Bits, Domain, Site, canonical, eval};
use kernels_gen::ops::{Arith, Op, Prim};
use kernels_gen::program::{Program, TableData};

use crate::hold::{error, step};
use crate::point::{arith_of, number};

/// The number of lanes of a column, chosen so that the values of a program stay in the second-level cache.
const LANES: usize = 256;
/// One input in this many is evaluated in both ways.
const BOTH_WAYS: u64 = 1021;
/// Real values outside of these magnitudes are evaluated by `point`.
const SIZES: std::ops::Range<f64> =
    f64::from_bits((1023 - 250) << 52)..f64::from_bits((1023 + 250) << 52);

#[derive(Debug, Clone, Copy)]
struct Lane {
    bits: u64,
    /// The value in real arithmetic, where `depends`.
    ball: Ball,
    /// Whether more than the bits depends on the input.
    depends: bool,
}

impl Lane {
    fn fixed(bits: u64) -> Lane {
        Lane {
            bits,
            ball: Ball::ZERO,
            depends: false,
        }
    }
}

#[derive(Debug, Clone)]
enum Column {
    /// The same bits in all lanes, for all inputs.
    Fixed(u64),
    Lanes(Vec<Lane>),
}

impl Column {
    fn lane(&self, i: usize) -> Lane {
        match self {
            Column::Fixed(bits) => Lane::fixed(*bits),
            Column::Lanes(lanes) => lanes[i],
        }
    }
}

struct Columns {
    lanes: usize,
    /// Lanes that must be evaluated by `point`.
    left: Vec<bool>,
}

/// The result's bits of an arithmetic operation, rounded to nearest, of finite operands.
fn computed(arith: Arith, ty: Prim, a: u64, b: u64, c: u64) -> u64 {
    macro_rules! native {
        ($t:ident, $bits:ident) => {{
            let [a, b, c] = [a, b, c].map(|w| $t::from_bits(w as $bits));
            let r = match arith {
                Arith::Add => a + b,
                Arith::Sub => a - b,
                Arith::Mul => a * b,
                Arith::Div => a / b,
                Arith::Recip => 1.0 / a,
                Arith::Sqrt => a.sqrt(),
                Arith::Fma => a.mul_add(b, c),
            };
            u64::from(r.to_bits())
        }};
    }
    match ty {
        Prim::F32 => native!(f32, u32),
        _ => native!(f64, u64),
    }
}

fn real_of(arith: Arith, r: [Ball; 3]) -> Ball {
    let [a, b, c] = r;
    match arith {
        Arith::Add => a.add(b),
        Arith::Sub => a.sub(b),
        Arith::Mul => a.mul(b),
        Arith::Div => a.div(b),
        Arith::Recip => Ball::number(1.0).div(a),
        Arith::Sqrt if a == Ball::ZERO => a,
        Arith::Sqrt => a.root(),
        Arith::Fma => a.mul(b).add(c),
    }
}

impl Columns {
    /// Evaluates a lane of an operation; returns whether `point` must evaluate it instead.
    fn lane(op: Op, prims: &[Prim], out: Prim, args: &[Lane]) -> (Lane, bool) {
        if op == Op::Select {
            return (args[if args[0].bits != 0 { 1 } else { 2 }], false);
        }
        let ty = prims[0];
        let word = |i: usize| args.get(i).map_or(0, |a| a.bits);
        let arith = arith_of(op).filter(|_| ty.is_float() && ty == out);
        let by_words = || {
            let words: Vec<&u64> = args.iter().map(|a| &a.bits).collect();
            Bits.op(op, prims, &words)
        };
        let bits = match (arith, op) {
            (Some(_), Op::Directed(..)) | (None, _) => by_words(),
            (Some(arith), _) => computed(arith, ty, word(0), word(1), word(2)),
        };
        if args.iter().all(|a| !a.depends) {
            // NaNs keep their bits where these can be observed.
            return (Lane::fixed(canonical(out, bits)), false);
        }
        if !(ty.is_float() && out.is_float()) {
            return (Lane::fixed(bits), false);
        }
        let real = |i: usize| match args.get(i) {
            Some(a) if a.depends => a.ball,
            Some(a) => Ball::number(number(ty, a.bits)),
            None => Ball::ZERO,
        };
        if let Some(arith) = arith {
            let finite = number(out, bits).is_finite()
                && args.iter().all(|a| number(ty, a.bits).is_finite());
            let ball = real_of(arith, [real(0), real(1), real(2)]);
            let size = ball.h.abs();
            let known = ball.h == 0.0 || SIZES.contains(&size);
            let lane = Lane {
                bits,
                ball,
                depends: true,
            };
            return (lane, !finite || !known || !ball.r.is_finite());
        }
        let negative = |i: usize| number(ty, args[i].bits).is_sign_negative();
        let flipped = |flip: bool| Lane {
            bits,
            ball: if flip {
                args[0].ball.neg()
            } else {
                args[0].ball
            },
            depends: args[0].depends,
        };
        let lane = match op {
            Op::Neg => flipped(true),
            Op::Abs => flipped(negative(0)),
            Op::CopySign => flipped(negative(0) != negative(1)),
            Op::Min | Op::Max => {
                let (a, b) = (number(ty, args[0].bits), number(ty, args[1].bits));
                let first = if op == Op::Min { a < b } else { a > b };
                let of = args[usize::from(!first)];
                Lane { bits, ..of }
            }
            Op::ToF64 | Op::ToF32 => Lane { bits, ..args[0] },
            _ => Lane::fixed(bits),
        };
        (lane, false)
    }
}

impl Domain for Columns {
    type Value = Column;
    type Refusal = Infallible;

    fn constant(&mut self, _: Site<'_>, _: Prim, bits: u64) -> Result<Column, Infallible> {
        Ok(Column::Fixed(bits))
    }

    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&Column],
    ) -> Result<Column, Infallible> {
        let out = site.instruction().ty;
        if args.iter().all(|a| matches!(a, Column::Fixed(_))) {
            let lanes: Vec<Lane> = args.iter().map(|a| a.lane(0)).collect();
            return Ok(Column::Fixed(Columns::lane(op, prims, out, &lanes).0.bits));
        }
        let mut lanes = Vec::with_capacity(self.lanes);
        let mut of = [Lane::fixed(0); 3];
        for i in 0..self.lanes {
            for (lane, arg) in of.iter_mut().zip(args) {
                *lane = arg.lane(i);
            }
            let (lane, left) = Columns::lane(op, prims, out, &of[..args.len()]);
            self.left[i] |= left;
            lanes.push(lane);
        }
        Ok(Column::Lanes(lanes))
    }

    fn load(
        &mut self,
        _: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &Column,
    ) -> Result<Column, Infallible> {
        let at = |index: u64| Bits.load(table, ty, &index);
        Ok(match index {
            Column::Fixed(index) => Column::Fixed(at(*index)),
            Column::Lanes(lanes) => {
                Column::Lanes(lanes.iter().map(|l| Lane::fixed(at(l.bits))).collect())
            }
        })
    }
}

/// Calls `take` with each input of a stretch of positive numbers and its error in ULP; `None` if some input has none.
///
/// # Panics
/// If the two evaluations of an input differ.
pub fn errors(program: &Program, cell: Cell, take: &mut dyn FnMut(f64, f64)) -> Option<()> {
    let format = input_format(program);
    let entry = program.entry();
    let out = entry.ty(entry.results[0]);
    let (count, binary32) = (cell.count(format), format == BINARY32);
    let of_result = if out == Prim::F32 { BINARY32 } else { BINARY64 };
    let mut from = 0;
    while from < count {
        let lanes = LANES.min((count - from) as usize);
        let inputs: Vec<f64> = (0..lanes)
            .map(|i| step(cell.lo, from + i as u64, format))
            .collect();
        let input = |x: &f64| Lane {
            bits: if binary32 {
                u64::from((*x as f32).to_bits())
            } else {
                x.to_bits()
            },
            ball: Ball::number(*x),
            depends: true,
        };
        let mut columns = Columns {
            lanes,
            left: vec![false; lanes],
        };
        let Ok(results) = eval(
            program,
            &mut columns,
            &[Column::Lanes(inputs.iter().map(input).collect())],
        );
        for (i, &x) in inputs.iter().enumerate() {
            let lane = results[0].lane(i);
            let computed = number(out, lane.bits);
            let fast = || {
                if columns.left[i] || !computed.is_finite() {
                    return None;
                }
                let real = if lane.depends {
                    lane.ball
                } else {
                    Ball::number(computed)
                };
                let size = real.h.abs();
                if !SIZES.contains(&size) {
                    return None;
                }
                let unit = (exponent(size) - (of_result.precision - 1)).max(of_result.least);
                let difference = Ball::number(computed).sub(real).scale(-unit);
                (difference.r <= 1e-6).then_some(difference.h.abs())
            };
            let slow = || error(program, x).map(|e| e.h.abs());
            let e = match fast() {
                Some(e) if (from + i as u64).is_multiple_of(BOTH_WAYS) => {
                    let other = slow()?;
                    let near = |a: f64, b: f64| (a - b).abs() <= 2e-6 * b.max(1.0);
                    // Next to a power of two the two may choose different units.
                    assert!(
                        near(e, other) || near(2.0 * e, other) || near(e, 2.0 * other),
                        "{x:e} ({:x}): the error is {e} by columns, {other} by itself",
                        x.to_bits()
                    );
                    other
                }
                Some(e) => e,
                None => slow()?,
            };
            take(x, e);
        }
        from += lanes as u64;
    }
    Some(())
}
