//! The size of a program: operations, depth, live values.

use crate::ops::{Op, Prim};
use crate::program::{Func, Inst, InstKind, Program};
use std::collections::HashMap;

/// Counts over a program with its calls inlined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    ops: HashMap<(Op, Prim), u64>,
    /// Constants.
    pub constants: u64,
    /// Table look-ups at lane indices.
    pub loads: u64,
    /// Operations and look-ups on the longest chain of dependences.
    pub depth: u64,
    /// The largest number of values, other than constants, that are live at the same time in the order of the program and must be in
    /// registers.
    pub live: u64,
}

impl Stats {
    /// Counts a program.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let program = program.inlined();
        let func = program.entry();
        let mut stats = Stats {
            ops: HashMap::new(),
            constants: 0,
            loads: 0,
            depth: 0,
            live: max_live(func),
        };
        let mut depths: Vec<u64> = Vec::with_capacity(func.insts.len());
        for inst in &func.insts {
            let below = inst.args.iter().map(|a| depths[a.0 as usize]).max();
            let mut depth = below.unwrap_or(0);
            match inst.kind {
                InstKind::Op(op) => {
                    *stats.ops.entry((op, operand(func, inst))).or_default() += 1;
                    depth += 1;
                }
                InstKind::Load(_) => {
                    stats.loads += 1;
                    depth += 1;
                }
                InstKind::Const(_) => stats.constants += 1,
                InstKind::Param(_) | InstKind::Call(_) | InstKind::Result(_) => {}
            }
            stats.depth = stats.depth.max(depth);
            depths.push(depth);
        }
        stats
    }

    /// The number of operations of this kind on operands of this type (for a select: on values of this type).
    #[must_use]
    pub fn count(&self, op: Op, ty: Prim) -> u64 {
        self.ops.get(&(op, ty)).copied().unwrap_or(0)
    }

    /// The number of all operations, without look-ups and constants.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.ops.values().sum()
    }
}

/// The type that determines an operation's precision.
fn operand(func: &Func, inst: &Inst) -> Prim {
    match inst.kind {
        InstKind::Op(Op::Select) => inst.ty,
        _ => func.ty(inst.args[0]),
    }
}

/// The largest number of non-constant values that are defined and will still be read.
fn max_live(func: &Func) -> u64 {
    let counts = |i: usize| !matches!(func.insts[i].kind, InstKind::Const(_));
    let mut seen = vec![false; func.insts.len()];
    let (mut live, mut most) = (0u64, 0);
    let mut read = |i: usize, live: &mut u64| {
        *live += u64::from(counts(i) && !std::mem::replace(&mut seen[i], true));
    };
    for r in &func.results {
        read(r.0 as usize, &mut live);
    }
    most = most.max(live);
    // Backwards: a value is live from its last use, which is met first, up to its definition.
    for (i, inst) in func.insts.iter().enumerate().rev() {
        // A value that is never read also needs a register at its definition.
        read(i, &mut live);
        most = most.max(live);
        live -= u64::from(counts(i));
        // The result may get the register of an operand whose last use is here.
        for a in &inst.args {
            read(a.0 as usize, &mut live);
        }
        most = most.max(live);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Ty;
    use crate::lower::lower;
    use crate::tree::*;

    #[test]
    fn counts_are_those_of_the_inlined_program() {
        let s = Stats::of(&crate::interp::tests::program());
        // two_sum, called twice, has 2 sums and, in the form written here, 5 differences.
        assert_eq!(s.count(Op::Add, Prim::F64), 4);
        assert_eq!(s.count(Op::Sub, Prim::F64), 10);
        assert_eq!(s.count(Op::Mul, Prim::F64), 1);
        assert_eq!(s.count(Op::Select, Prim::F64), 1);
        assert_eq!(s.count(Op::Lt, Prim::F64), 1);
        assert_eq!(s.count(Op::ToBits, Prim::F64), 1);
        assert_eq!(s.count(Op::Shr, Prim::I64), 1);
        assert_eq!(s.count(Op::Fma, Prim::F64), 0);
        assert_eq!(s.loads, 1);
    }

    #[test]
    fn depth_and_live_values() {
        // ((x * x) * x + (x + 1.0)): products 2 deep, the sum 3; x, x³ and x + 1 are never live together
        let k = kernel(
            "f",
            &[("x", Ty::F64)],
            Ty::F64,
            &[],
            value(add(mul(mul(l(0), l(0)), l(0)), add(l(0), f(1.0)))),
        );
        let s = Stats::of(&lower(k).expect("it lowers"));
        assert_eq!((s.depth, s.operations(), s.constants), (3, 4, 1));
        assert_eq!(s.live, 2);
    }
}
