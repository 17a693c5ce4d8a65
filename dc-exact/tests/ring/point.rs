//! A kernel at one input: the bits that it computes, and the value in real arithmetic along the same path.
//!
//! Values of integers, masks, roundings to integers and tables are taken as computed, as in
//! [`dc_exact::law::Truth::Program`]; sums, products, quotients and roots that depend on the input are evaluated
//! without rounding, in double-doubles with a radius.

use std::convert::Infallible;

use dc_exact::num::float::exponent;
use dc_exact::num::{Ball, Ring};
use kernels_gen::interp::{Bits, Domain, Site, canonical, eval};
use kernels_gen::ops::{Arith, Op, Prim};
use kernels_gen::program::{Program, TableData};

/// `ball * 2^exponent`: a ball near 1, so that nothing under- or overflows.
#[derive(Debug, Clone, Copy)]
pub struct Real {
    /// The significand.
    pub ball: Ball,
    /// The exponent.
    pub exponent: i32,
}

impl Real {
    fn new(ball: Ball, exponent: i32) -> Real {
        if ball.h == 0.0 || !ball.h.is_finite() {
            return Real { ball, exponent };
        }
        let k = self::exponent(ball.h) + 1;
        Real {
            ball: ball.scale(-k),
            exponent: exponent + k,
        }
    }
    fn number(x: f64) -> Real {
        Real::new(Ball::number(x), 0)
    }
    /// The value as a multiple of `2^e`.
    #[must_use]
    pub fn over(self, e: i32) -> Ball {
        self.ball.scale(self.exponent - e)
    }
    fn neg(self) -> Real {
        Real {
            ball: self.ball.neg(),
            ..self
        }
    }
    fn add(self, b: Real) -> Real {
        if self.ball == Ball::ZERO {
            return b;
        }
        if b.ball == Ball::ZERO {
            return self;
        }
        let e = self.exponent.max(b.exponent);
        Real::new(self.over(e).add(b.over(e)), e)
    }
    fn mul(self, b: Real) -> Real {
        Real::new(self.ball.mul(b.ball), self.exponent + b.exponent)
    }
    fn div(self, b: Real) -> Real {
        Real::new(self.ball.div(b.ball), self.exponent - b.exponent)
    }
    fn root(self) -> Real {
        if self.ball == Ball::ZERO {
            return self;
        }
        let half = self.exponent.div_euclid(2);
        Real::new(self.over(2 * half).root(), half)
    }
}

#[derive(Debug, Clone)]
struct Both {
    bits: u64,
    /// The real value; `None` if it does not depend on the input.
    real: Option<Real>,
}

/// The number with these bits.
pub(super) fn number(ty: Prim, bits: u64) -> f64 {
    match ty {
        Prim::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// The operation of arithmetic that an operation rounds, in whatever direction.
pub(super) fn arith_of(op: Op) -> Option<Arith> {
    Some(match op {
        Op::Add => Arith::Add,
        Op::Sub => Arith::Sub,
        Op::Mul => Arith::Mul,
        Op::Div => Arith::Div,
        Op::Recip => Arith::Recip,
        Op::Sqrt => Arith::Sqrt,
        Op::Fma => Arith::Fma,
        Op::Directed(arith, _) => arith,
        _ => return None,
    })
}

/// The computed value of a kernel at an input of bits `x`, and its value in real arithmetic; `None` if an
/// intermediate value is no finite number.
#[must_use]
pub fn at(program: &Program, x: u64) -> Option<(f64, Real)> {
    let entry = program.entry();
    let mut domain = Along { finite: true };
    let ty = entry.params[0].1;
    if !number(ty, x).is_finite() {
        return None;
    }
    let input = Both {
        bits: x,
        real: Some(Real::number(number(ty, x))),
    };
    let Ok(results) = eval(program, &mut domain, &[input]);
    let out = entry.ty(entry.results[0]);
    let computed = number(out, results[0].bits);
    if !domain.finite || !computed.is_finite() {
        return None;
    }
    let real = results[0].real.unwrap_or_else(|| Real::number(computed));
    (real.ball.h.is_finite() && real.ball.r.is_finite()).then_some((computed, real))
}

struct Along {
    /// Whether all real operations had finite operands and results.
    finite: bool,
}

impl Along {
    fn real(&mut self, ty: Prim, value: &Both) -> Real {
        value.real.unwrap_or_else(|| {
            let x = number(ty, value.bits);
            self.finite &= x.is_finite();
            Real::number(if x.is_finite() { x } else { 0.0 })
        })
    }
}

impl Domain for Along {
    type Value = Both;
    type Refusal = Infallible;

    fn constant(&mut self, _: Site<'_>, _: Prim, bits: u64) -> Result<Both, Infallible> {
        Ok(Both { bits, real: None })
    }

    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&Both],
    ) -> Result<Both, Infallible> {
        let out = site.instruction().ty;
        let words: Vec<&u64> = args.iter().map(|a| &a.bits).collect();
        let bits = Bits.op(op, prims, &words);
        if op == Op::Select {
            return Ok(args[if args[0].bits != 0 { 1 } else { 2 }].clone());
        }
        let ty = prims[0];
        if args.iter().all(|a| a.real.is_none()) {
            let bits = canonical(out, bits);
            return Ok(Both { bits, real: None });
        }
        if !(ty.is_float() && out.is_float()) {
            return Ok(Both { bits, real: None });
        }
        let real = if let Some(arith) = arith_of(op) {
            self.finite &= number(out, bits).is_finite();
            let r: Vec<Real> = args.iter().map(|a| self.real(ty, a)).collect();
            Some(match arith {
                Arith::Add => r[0].add(r[1]),
                Arith::Sub => r[0].add(r[1].neg()),
                Arith::Mul => r[0].mul(r[1]),
                Arith::Div => r[0].div(r[1]),
                Arith::Recip => Real::number(1.0).div(r[0]),
                Arith::Sqrt => r[0].root(),
                Arith::Fma => r[0].mul(r[1]).add(r[2]),
            })
        } else {
            let negative = |a: &Both| number(ty, a.bits).is_sign_negative();
            let flipped = |flip: bool, a: &Both| a.real.map(|r| if flip { r.neg() } else { r });
            match op {
                Op::Neg => flipped(true, args[0]),
                Op::Abs => flipped(negative(args[0]), args[0]),
                Op::CopySign => flipped(negative(args[0]) != negative(args[1]), args[0]),
                Op::Min | Op::Max => {
                    let (a, b) = (number(ty, args[0].bits), number(ty, args[1].bits));
                    let first = if op == Op::Min { a < b } else { a > b };
                    args[usize::from(!first)].real
                }
                Op::ToF64 | Op::ToF32 => args[0].real,
                _ => None,
            }
        };
        Ok(Both { bits, real })
    }

    fn load(
        &mut self,
        _: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &Both,
    ) -> Result<Both, Infallible> {
        let bits = Bits.load(table, ty, &index.bits);
        Ok(Both { bits, real: None })
    }
}

/// `computed - real` in units of `2^unit`.
#[must_use]
pub fn difference(computed: f64, real: Real, unit: i32) -> Ball {
    Real::number(computed).add(real.neg()).over(unit)
}
