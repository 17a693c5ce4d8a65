//! The step operations of a routine, whose values are constant over stretches of inputs.
//!
//! Where the value of one of them changes, the routine computes with another multiple of its period, another entry of its table or another
//! branch. The largest errors are at such places, and a wrong entry affects only the inputs between two of them.

use crate::model::programs::program_of;
use kernels_gen::interp::Interpreter;
use kernels_gen::ir::Kernel;
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, Inst, InstKind, Program, Value};

/// A kernel of one argument, and its step operations.
pub(super) struct Steps {
    program: Program,
    values: Vec<Value>,
}

impl Steps {
    /// Finds these operations.
    ///
    /// # Errors
    /// If the kernel cannot be lowered, or has several arguments.
    pub fn of(kernel: &'static Kernel) -> Result<Steps, String> {
        let program = program_of(kernel).map_err(|e| e.to_string())?;
        let program = program.inlined();
        let entry = program.entry();
        if entry.params.len() != 1 {
            return Err(format!("it has {} arguments", entry.params.len()));
        }
        let values = (0..entry.insts.len())
            .filter(|&i| is_step(entry, &entry.insts[i]))
            .map(|i| Value(i as u32))
            .collect();
        Ok(Steps { program, values })
    }

    /// Their number.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The values of these operations for inputs given as bits: one column per operation.
    pub fn columns(&self, which: &[usize], inputs: &[u64]) -> Vec<Vec<u64>> {
        let shown: Vec<Value> = which.iter().map(|&i| self.values[i]).collect();
        let mut columns = vec![Vec::new(); shown.len()];
        Interpreter::new(&self.program.with_results(&shown)).run(&[inputs], &mut columns);
        columns
    }
}

fn is_step(func: &Func, inst: &Inst) -> bool {
    match inst.kind {
        InstKind::Load(_) => true,
        InstKind::Op(op) => match op {
            Op::Floor | Op::Ceil | Op::Trunc | Op::RoundTiesEven => true,
            Op::ToI64 | Op::ToI32 | Op::Shr | Op::ShrLogical => true,
            Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne | Op::IsNan => true,
            Op::IsSignNegative => true,
            // The sum with 1.5 · 2^52, whose low bits are the nearest integer.
            Op::Add | Op::Sub | Op::Fma => inst.args.iter().any(|&a| rounds(func.inst(a))),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a sum with this value is rounded to an integer, or to a multiple of a power of two near 1.
fn rounds(inst: &Inst) -> bool {
    let InstKind::Const(bits) = inst.kind else {
        return false;
    };
    match inst.ty {
        Prim::F64 => {
            (0x4200_0000_0000_0000..0x4400_0000_0000_0000).contains(&(bits & 0x7fff_ffff_ffff_ffff))
        }
        Prim::F32 => (0x4a00_0000..0x4c80_0000).contains(&(bits & 0x7fff_ffff)),
        _ => false,
    }
}
