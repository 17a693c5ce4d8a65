//! Error-free transformations of sums, recognised by their operations. The name of a function proves nothing.

use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, InstKind};

/// A function that gives a sum and its exact rounding error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Transform {
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

/// The transformation that a function of two doubles is; `None` of any other function, whatever its name.
pub(super) fn transform(f: &Func) -> Option<Transform> {
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
