//! No operation is missing: every method of the language's list is tested on every type that has it, and every
//! operator.

use std::collections::BTreeSet;

use kernels_gen::ops::{COMPOSED, METHODS, Op, Prim};
use kernels_gen::program::InstKind;

use crate::{directed, forms, operations, tables, zeros};

/// Operators, which have no entry in `METHODS`, and the types that have them.
const OPERATORS: &[(Op, &[Prim])] = {
    use Prim::{F32, F64, I32, I64, Mask};
    &[
        (Op::Add, &[F64, F32, I64, I32]),
        (Op::Sub, &[F64, F32, I64, I32]),
        (Op::Mul, &[F64, F32, I64, I32]),
        (Op::Neg, &[F64, F32, I64, I32]),
        (Op::Div, &[F64, F32]),
        (Op::And, &[I64, I32, Mask]),
        (Op::Or, &[I64, I32, Mask]),
        (Op::Xor, &[I64, I32, Mask]),
        (Op::Not, &[I64, I32, Mask]),
        (Op::Shl, &[I64, I32]),
        (Op::Shr, &[I64, I32]),
        (Op::Lt, &[F64, F32, I64, I32]),
        (Op::Le, &[F64, F32, I64, I32]),
        (Op::Gt, &[F64, F32, I64, I32]),
        (Op::Ge, &[F64, F32, I64, I32]),
        (Op::Eq, &[F64, F32, I64, I32]),
        (Op::Ne, &[F64, F32, I64, I32]),
        // From integers; written as functions, `DcDouble::from_bits(n)`.
        (Op::FromBits, &[I64, I32]),
    ]
};

#[test]
fn every_operation_is_tested_on_every_type() {
    // Operation, type of the first operand, type of the last: the first operand of `select` is its condition.
    let mut tested = BTreeSet::new();
    for kernel in [
        operations::ALL,
        directed::ALL,
        tables::ALL,
        forms::ALL,
        zeros::ALL,
    ]
    .concat()
    {
        let program = kernels_gen::lower(kernel).unwrap_or_else(|e| panic!("{e}"));
        for func in &program.funcs {
            for inst in &func.insts {
                if let InstKind::Op(op) = inst.kind {
                    let types: Vec<Prim> = inst.args.iter().map(|v| func.ty(*v)).collect();
                    tested.insert(format!(
                        "{op:?} of {:?}, {:?}",
                        types[0],
                        types[types.len() - 1]
                    ));
                }
            }
        }
    }
    let mut missing = Vec::new();
    let mut want = |op: Op, prim: Prim| {
        let needed = match op {
            Op::Select => {
                use Prim::{F32, F64, I32, I64, Mask};
                [F64, F32, I64, I32, Mask]
                    .map(|p| format!("Select of Mask, {p:?}"))
                    .into()
            }
            _ => vec![format!("{op:?} of {prim:?}, {prim:?}")],
        };
        missing.extend(needed.into_iter().filter(|n| !tested.contains(n)));
    };
    for method in METHODS {
        method.on.iter().for_each(|&prim| want(method.op, prim));
    }
    for (op, prims) in OPERATORS {
        prims.iter().for_each(|&prim| want(*op, prim));
    }
    assert!(missing.is_empty(), "tested nowhere: {missing:#?}");
    let kernels = format!("{:?}", operations::ALL);
    for method in COMPOSED {
        let call = format!("Method({:?}", method.name);
        let (times, types) = (kernels.matches(&call).count(), method.on.len());
        assert!(times >= types, "{} is tested {times} times", method.name);
    }
}
