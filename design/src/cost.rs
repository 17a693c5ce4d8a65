//! The estimated cost of a program, from its operations. It decides which designs are worth a measurement.

use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{InstKind, Program};

/// The approximate number of cycles for a register of 32-bit lanes.
#[must_use]
pub fn estimate(program: &Program) -> f64 {
    let program = program.inlined();
    let func = program.entry();
    let cost = |inst: &kernels_gen::program::Inst| {
        let of = inst.args.first().map_or(inst.ty, |&a| func.ty(a));
        let wide = |ty| {
            if matches!(ty, Prim::F64 | Prim::I64) {
                2.0
            } else {
                1.0
            }
        };
        let width = f64::max(wide(inst.ty), wide(of));
        match inst.kind {
            InstKind::Op(Op::Div | Op::Recip | Op::Sqrt) => 8.0 * width,
            InstKind::Op(_) => width,
            InstKind::Load(table) => match program.table(table).bits.len() {
                0..=16 => 1.5 * width,
                17..=32 => 3.0 * width,
                _ => 8.0 * width,
            },
            _ => 0.0,
        }
    };
    func.insts.iter().map(cost).sum()
}

/// The number of operations of a program.
#[must_use]
pub fn operations(program: &Program) -> usize {
    let program = program.inlined();
    let counts = |inst: &&kernels_gen::program::Inst| {
        matches!(inst.kind, InstKind::Op(_) | InstKind::Load(_))
    };
    program.entry().insts.iter().filter(counts).count()
}
