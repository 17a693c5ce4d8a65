//! Error-free transformations of sums, recognised by their operations and not by the function's name.

use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, InstKind};

/// A function that gives a sum and its exact rounding error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transform {
    /// Knuth's (*TAOCP* 2, 4.2.2, Theorem B): for any operands whose partial results do not overflow.
    TwoSum,
    /// Dekker's (1971): for operands of which the first is zero or not smaller in magnitude.
    FastTwoSum,
}

/// `s = a + b`, `b' = s - a`, `a' = s - b'`, `e = (a - a') + (b - b')`.
const TWO_SUM: &[(Op, [u32; 2])] = &[
    (Op::Add, [0, 1]),
    (Op::Sub, [2, 0]),
    (Op::Sub, [2, 3]),
    (Op::Sub, [0, 4]),
    (Op::Sub, [1, 3]),
    (Op::Add, [5, 6]),
];
/// `s = a + b`, `e = b - (s - a)`.
const FAST_TWO_SUM: &[(Op, [u32; 2])] = &[(Op::Add, [0, 1]), (Op::Sub, [2, 0]), (Op::Sub, [1, 3])];

/// The transformation that a function of two doubles computes. `None` for any other function, whatever its name.
pub(crate) fn transform(f: &Func) -> Option<Transform> {
    let is = |operations: &[(Op, [u32; 2])]| {
        let last = operations.len() as u32 + 1;
        let results: Vec<u32> = f.results.iter().map(|v| v.0).collect();
        f.params.len() == 2
            && results == [2, last]
            && f.insts.len() == operations.len() + 2
            && f.insts.iter().all(|inst| inst.ty == Prim::F64)
            && (0..2).all(|i| f.insts[i].kind == InstKind::Param(i as u32))
            && f.insts[2..]
                .iter()
                .zip(operations)
                .all(|(inst, (op, args))| {
                    inst.kind == InstKind::Op(*op) && inst.args.iter().map(|v| v.0).eq(*args)
                })
    };
    if is(TWO_SUM) {
        Some(Transform::TwoSum)
    } else if is(FAST_TWO_SUM) {
        Some(Transform::FastTwoSum)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::exactly::{SUMS, sum};
    use kernels_gen::program::Value;

    /// A function that differs in one place is not one of the transformations.
    #[test]
    fn only_these_operations_are_a_transformation() {
        let found = [Some(Transform::FastTwoSum), Some(Transform::TwoSum)];
        for (operations, found) in SUMS.iter().zip(found) {
            let f = sum("any", operations);
            assert_eq!(transform(&f), found);
            let changed = |change: &dyn Fn(&mut Func)| {
                let mut g = f.clone();
                change(&mut g);
                assert_eq!(transform(&g), None, "{g:?}");
            };
            changed(&|g| g.results.reverse());
            changed(&|g| g.results[1] = Value(2));
            changed(&|g| g.results.truncate(1));
            changed(&|g| g.params.push(("c".into(), Prim::F64)));
            changed(&|g| g.insts.push(f.insts[2].clone()));
            changed(&|g| g.insts[0].kind = InstKind::Const(0));
            changed(&|g| g.insts[1].kind = InstKind::Param(0));
            for i in 0..f.insts.len() {
                changed(&|g| g.insts[i].ty = Prim::F32);
                if i >= 2 {
                    changed(&|g| g.insts[i].kind = InstKind::Op(Op::Mul));
                    changed(&|g| g.insts[i].args.reverse());
                    changed(&|g| g.insts[i].args[1] = g.insts[i].args[0]);
                }
            }
        }
    }
}
