//! The interpreter with one operation wrong.

use doublecrunch::backend::{Backend, BackendError, KernelRef, PointKernel, SweepKernel};
use doublecrunch::sweep::Sweep;
use std::convert::Infallible;

use kernels_gen::interp::{Bits, Domain, Site, eval};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Program, TableData};

use super::{Fault, Way};

type Wrong = fn(op: Op, prims: &[Prim], args: &[u64], right: u64) -> u64;

pub(super) const FMA: Fault = Fault {
    name: "interpreter/fma",
    what: "`mul_add` in two roundings",
    way: Way::Interpreter(|op, prims, args, right| match (op, prims[0]) {
        (Op::Fma, Prim::F64) => {
            let [a, b, c] = [0, 1, 2].map(|n| f64::from_bits(args[n]));
            (a * b + c).to_bits()
        }
        _ => right,
    }),
};

pub(super) const MIN: Fault = Fault {
    name: "interpreter/min",
    what: "`min` gives the number beside a NaN",
    way: Way::Interpreter(|op, prims, args, right| match (op, prims[0]) {
        (Op::Min, Prim::F64) => {
            let [a, b] = [0, 1].map(|n| f64::from_bits(args[n]));
            if b.is_nan() { a.to_bits() } else { right }
        }
        _ => right,
    }),
};

pub(super) const NARROW: Fault = Fault {
    name: "interpreter/subnormal",
    what: "binary64 to binary32 without subnormals",
    way: Way::Interpreter(|op, prims, _, right| {
        let small = f32::from_bits(right as u32).is_subnormal();
        match (op, prims[0]) {
            (Op::ToF32, Prim::F64) if small => right & 0x8000_0000,
            _ => right,
        }
    }),
};

pub(super) const UNSIGNED: Fault = Fault {
    name: "interpreter/unsigned",
    what: "32-bit integers compared as unsigned ones",
    way: Way::Interpreter(|op, prims, args, right| match (op, prims[0]) {
        (Op::Lt, Prim::I32) => u64::from(args[0] < args[1]),
        (Op::Ge, Prim::I32) => u64::from(args[0] >= args[1]),
        _ => right,
    }),
};

/// The interpreter, wrong.
pub(super) struct Faulty(pub Wrong);

struct Domained(Wrong);

impl Domain for Domained {
    type Value = u64;
    type Refusal = Infallible;
    fn constant(&mut self, _: Site<'_>, _: Prim, bits: u64) -> Result<u64, Infallible> {
        Ok(bits)
    }
    fn op(
        &mut self,
        _: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&u64],
    ) -> Result<u64, Infallible> {
        let right = Bits.op(op, prims, args);
        let args: Vec<u64> = args.iter().map(|&&a| a).collect();
        Ok((self.0)(op, prims, &args, right))
    }
    fn load(
        &mut self,
        _: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &u64,
    ) -> Result<u64, Infallible> {
        Ok(Bits.load(table, ty, index))
    }
    fn output(&mut self, ty: Prim, bits: u64) -> u64 {
        Bits.output(ty, bits)
    }
}

struct Rows(Program, Wrong);

impl PointKernel for Rows {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        outputs.iter_mut().for_each(Vec::clear);
        for row in 0..inputs.first().map_or(0, |c| c.len()) {
            let inputs: Vec<u64> = inputs.iter().map(|c| c[row]).collect();
            let Ok(results) = eval(&self.0, &mut Domained(self.1), &inputs);
            for (output, bits) in outputs.iter_mut().zip(results) {
                output.push(bits);
            }
        }
        Ok(())
    }
}

impl doublecrunch::model::backend::sealed::Sealed for Faulty {}

impl Backend for Faulty {
    fn id(&self) -> &str {
        "interpreter"
    }
    fn describe(&self) -> String {
        "the interpreter, wrong".into()
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        let program = kernels_gen::lower(kernel.kernel).map_err(|e| BackendError::Lower {
            kernel: kernel.kernel.name.into(),
            reason: e.to_string(),
        })?;
        Ok(Box::new(Rows(program, self.0)))
    }
    fn load_sweep(&self, _: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        Err(BackendError::Unavailable {
            backend: "the faulty interpreter".into(),
            reason: "it has no searches".into(),
            remedy: "Use the interpreter.".into(),
        })
    }
}
