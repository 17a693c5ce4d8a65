//! The reason why two candidates differ at an input: the changes that compilers and processors make to the operations of a program, tried
//! one by one.
//!
//! This needs the program of one of them. Each variant is evaluated at the input, and the first one with the other's result is named. That
//! is an explanation and not a proof: another change may give the same result there.

use crate::model::programs::program_of;
use std::convert::Infallible;

use kernels_gen::interp::{Bits, Domain, Site, eval};
use kernels_gen::ir::Kernel;
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::TableData;

/// The explanation of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// Products and sums of the program are fused, and rounded once.
    Contraction,
    /// Fused operations of the program are a product and a sum, and rounded twice.
    NoContraction,
    /// Subnormal numbers are zero.
    FlushToZero,
    /// Numbers of binary32 are computed in binary64, and rounded at the end.
    ExcessPrecision,
}

impl Cause {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Contraction => "contraction",
            Cause::NoContraction => "no contraction",
            Cause::FlushToZero => "flush-to-zero",
            Cause::ExcessPrecision => "excess precision",
        }
    }

    /// The change to the program's operations.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Cause::Contraction => "with each product and sum fused",
            Cause::NoContraction => "with each fused operation as a product and a sum",
            Cause::FlushToZero => "with subnormal numbers as zeros",
            Cause::ExcessPrecision => "computed in binary64 and rounded at the end",
        }
    }
}

/// The variants, the likely ones first.
const VARIANTS: [(Cause, Variant); 6] = [
    (Cause::Contraction, Variant::Fused { left: true }),
    (Cause::Contraction, Variant::Fused { left: false }),
    (Cause::NoContraction, Variant::Split),
    (Cause::FlushToZero, Variant::Flushed { inputs: true }),
    (Cause::FlushToZero, Variant::Flushed { inputs: false }),
    (Cause::ExcessPrecision, Variant::Wide),
];

/// The reason why no change explains a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unexplained {
    /// None of the variants gives the other's result.
    Tried,
    /// The program does not give its own result there, for example because it cannot be lowered.
    NotItsOwn,
}

/// The change of a program that gives the other result at an input. It takes the bits of the program's arguments, of its own result and of
/// the other's.
///
/// # Errors
/// The reason why there is no such change.
pub fn cause(
    kernel: &'static Kernel,
    arguments: &[u64],
    [own, other]: [u64; 2],
) -> Result<Cause, Unexplained> {
    let program = program_of(kernel).map_err(|_| Unexplained::NotItsOwn)?;
    let result = |variant| {
        let entry = program.entry();
        if entry.params.len() != arguments.len() || entry.results.len() != 1 {
            return None;
        }
        let inputs: Vec<Number> = (arguments.iter().zip(&entry.params))
            .map(|(&bits, (_, ty))| Number::new(*ty, bits))
            .collect();
        let Ok(results) = eval(program, &mut Changed { variant }, &inputs);
        Some(results[0].bits)
    };
    if result(Variant::Same) != Some(own) {
        return Err(Unexplained::NotItsOwn);
    }
    let found = VARIANTS.iter().find(|(_, v)| result(*v) == Some(other));
    found.map(|(cause, _)| *cause).ok_or(Unexplained::Tried)
}

/// A way to evaluate a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variant {
    /// Unchanged.
    Same,
    /// The left or the right one of two products is fused with their sum.
    Fused {
        left: bool,
    },
    Split,
    /// Results are flushed, and so are the inputs of operations.
    Flushed {
        inputs: bool,
    },
    Wide,
}

struct Changed {
    variant: Variant,
}

/// A number, and the data that a variant has about it.
#[derive(Debug, Clone, Copy)]
struct Number {
    bits: u64,
    /// The factors, if it is a product.
    factors: Option<[u64; 2]>,
    /// Its value before it was rounded to binary32.
    wide: f64,
}

impl Number {
    fn new(ty: Prim, bits: u64) -> Number {
        Number {
            bits,
            factors: None,
            wide: match ty {
                Prim::F32 => f32::from_bits(bits as u32).into(),
                _ => f64::from_bits(bits),
            },
        }
    }
}

fn negated(ty: Prim, bits: u64) -> u64 {
    match ty {
        Prim::F32 => bits ^ (1 << 31),
        _ => bits ^ (1 << 63),
    }
}

/// A subnormal number as zero.
fn flushed(ty: Prim, bits: u64) -> u64 {
    match ty {
        Prim::F32 if f32::from_bits(bits as u32).is_subnormal() => bits & (1 << 31),
        Prim::F64 if f64::from_bits(bits).is_subnormal() => bits & (1 << 63),
        _ => bits,
    }
}

/// Operations that round, or compare.
const fn computes(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Fma
            | Op::Sqrt
            | Op::Recip
            | Op::ToF32
            | Op::ToF64
            | Op::Lt
            | Op::Le
            | Op::Gt
            | Op::Ge
            | Op::Eq
            | Op::Ne
    )
}

impl Changed {
    fn fused(op: Op, ty: Prim, args: &[&Number], left: bool) -> Option<u64> {
        let [a, b] = args else {
            return None;
        };
        let fma = |factors: [u64; 2], sum: u64| {
            Bits.op(Op::Fma, &[ty; 3], &[&factors[0], &factors[1], &sum])
        };
        let of_left = a.factors.map(|factors| match op {
            Op::Sub => fma(factors, negated(ty, b.bits)),
            _ => fma(factors, b.bits),
        });
        let of_right = b.factors.map(|[x, y]| match op {
            Op::Sub => fma([negated(ty, x), y], a.bits),
            _ => fma([x, y], a.bits),
        });
        match left {
            true => of_left.or(of_right),
            false => of_right.or(of_left),
        }
    }

    fn bits(&self, op: Op, prims: &[Prim], args: &[&Number]) -> u64 {
        let plain = |args: &[u64]| Bits.op(op, prims, &args.iter().collect::<Vec<_>>());
        let all: Vec<u64> = args.iter().map(|a| a.bits).collect();
        let float = matches!(prims[0], Prim::F32 | Prim::F64);
        match (self.variant, op) {
            (Variant::Fused { left }, Op::Add | Op::Sub) if float => {
                Changed::fused(op, prims[0], args, left).unwrap_or_else(|| plain(&all))
            }
            (Variant::Split, Op::Fma) => {
                let product = Bits.op(Op::Mul, &prims[..2], &[&all[0], &all[1]]);
                Bits.op(Op::Add, &prims[..2], &[&product, &all[2]])
            }
            (Variant::Flushed { inputs: true }, op) if computes(op) => {
                let args = all.iter().zip(prims).map(|(&bits, &ty)| flushed(ty, bits));
                plain(&args.collect::<Vec<u64>>())
            }
            _ => plain(&all),
        }
    }

    /// An operation on numbers of binary32 in binary64.
    fn wide(op: Op, args: &[&Number]) -> Option<u64> {
        let known = computes(op) && !matches!(op, Op::ToF32 | Op::ToF64)
            || matches!(op, Op::Neg | Op::Abs | Op::Min | Op::Max | Op::CopySign);
        let wide: Vec<u64> = args.iter().map(|a| a.wide.to_bits()).collect();
        known.then(|| {
            Bits.op(
                op,
                &vec![Prim::F64; wide.len()],
                &wide.iter().collect::<Vec<_>>(),
            )
        })
    }
}

impl Domain for Changed {
    type Value = Number;
    type Refusal = Infallible;

    fn constant(&mut self, _: Site<'_>, ty: Prim, bits: u64) -> Result<Number, Infallible> {
        Ok(Number::new(ty, bits))
    }

    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&Number],
    ) -> Result<Number, Infallible> {
        let ty = site.instruction().ty;
        // A selected number keeps its known properties.
        if op == Op::Select {
            return Ok(if args[0].bits != 0 {
                *args[1]
            } else {
                *args[2]
            });
        }
        if self.variant == Variant::Wide {
            if op == Op::ToF64 && prims[0] == Prim::F32 {
                return Ok(Number::new(Prim::F64, args[0].wide.to_bits()));
            }
            if prims[0] == Prim::F32
                && let Some(bits) = Changed::wide(op, args)
            {
                let wide = f64::from_bits(bits);
                return Ok(match ty {
                    Prim::F32 => Number {
                        bits: (wide as f32).to_bits().into(),
                        factors: None,
                        wide,
                    },
                    _ => Number::new(ty, bits),
                });
            }
        }
        let bits = self.bits(op, prims, args);
        let flushes = matches!(self.variant, Variant::Flushed { .. }) && computes(op);
        let mut number = Number::new(ty, if flushes { flushed(ty, bits) } else { bits });
        number.factors = match (op, args) {
            (Op::Mul, [a, b]) => Some([a.bits, b.bits]),
            (Op::Neg, [a]) => a.factors.map(|[x, y]| [negated(ty, x), y]),
            _ => None,
        };
        Ok(number)
    }

    fn load(
        &mut self,
        _: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &Number,
    ) -> Result<Number, Infallible> {
        Ok(Number::new(table.prim(), Bits.load(table, ty, &index.bits)))
    }

    fn output(&mut self, ty: Prim, value: Number) -> Number {
        Number::new(ty, Bits.output(ty, value.bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::CrunchFn;
    use crate::prelude::*;

    #[crunch]
    fn less_one(x: DcFloat) -> DcFloat {
        x * x - 1.0
    }
    #[crunch]
    fn fused(x: DcFloat) -> DcFloat {
        x.mul_add(x, -1.0)
    }
    #[crunch]
    fn two_products(x: DcDouble) -> DcDouble {
        x * 0.3 + x * x
    }
    #[crunch]
    fn halved(x: DcFloat) -> DcFloat {
        x * 0.5
    }
    #[crunch]
    fn doubled(x: DcFloat) -> DcFloat {
        x * 2.0
    }
    #[crunch]
    fn rounded(x: DcFloat) -> DcFloat {
        (x + 16_777_216.0) - 16_777_216.0
    }

    fn of<K: CrunchFn>(x: f32, own: f32, other: f32) -> Result<Cause, Unexplained> {
        let bits = |x: f32| u64::from(x.to_bits());
        cause(K::KERNEL, &[bits(x)], [bits(own), bits(other)])
    }

    #[test]
    fn each_cause_is_named_where_it_explains_the_other_result() {
        let x = 1.000_123_4f32;
        let (twice, once) = (x * x - 1.0, x.mul_add(x, -1.0));
        assert_ne!(twice, once);
        assert_eq!(of::<less_one>(x, twice, once), Ok(Cause::Contraction));
        assert_eq!(of::<fused>(x, once, twice), Ok(Cause::NoContraction));
        let least = f32::MIN_POSITIVE;
        assert_eq!(
            of::<halved>(least, least * 0.5, 0.0),
            Ok(Cause::FlushToZero)
        );
        // The product is normal, and the argument is not.
        let below = least * 0.75;
        assert_eq!(
            of::<doubled>(below, below * 2.0, 0.0),
            Ok(Cause::FlushToZero)
        );
        let exact = 0.625;
        assert_eq!(of::<rounded>(exact, 0.0, exact), Ok(Cause::ExcessPrecision));
    }

    #[test]
    fn what_nothing_explains_has_no_cause() {
        let x = 1.000_123_4f32;
        let own = x * x - 1.0;
        let tried = of::<less_one>(x, own, own * 1.5);
        assert_eq!(tried, Err(Unexplained::Tried));
        // This result was not computed by the program.
        let not_its_own = of::<less_one>(x, own * 1.5, x.mul_add(x, -1.0));
        assert_eq!(not_its_own, Err(Unexplained::NotItsOwn));
    }

    /// Compilers fuse one of two products, and not always the same one.
    #[test]
    fn either_of_two_products_is_fused() {
        let (mut left, mut right) = (0, 0);
        for i in 0..100 {
            let x = 0.7 + f64::from(i) * 0.001;
            let own = x * 0.3 + x * x;
            let [of_left, of_right] = [x.mul_add(0.3, x * x), x.mul_add(x, x * 0.3)];
            left += i32::from(of_left != own && of_left != of_right);
            right += i32::from(of_right != own && of_left != of_right);
            for other in [of_left, of_right].into_iter().filter(|o| *o != own) {
                let words = [own.to_bits(), other.to_bits()];
                let found = cause(<two_products as CrunchFn>::KERNEL, &[x.to_bits()], words);
                assert_eq!(found, Ok(Cause::Contraction), "{x}");
            }
        }
        assert!(left > 5 && right > 5, "{left} and {right}");
    }
}
