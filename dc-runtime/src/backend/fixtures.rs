//! Handmade programs for the tests of backends. They depend neither on the macro nor on lowering.

use std::sync::Arc;

use kernels_gen::ir::{Elem, Loc};
use kernels_gen::ops::Op;
use kernels_gen::ops::Prim::{self, F32, F64, I64, Mask};
use kernels_gen::program::{Func, Inst, InstKind, Origin, Program, TableData, TableId, Value};

/// Builds a program of one function.
struct Builder(Func);

impl Builder {
    fn new(name: &str, params: &[Prim]) -> Self {
        let mut b = Builder(Func {
            name: name.into(),
            origin: Arc::new(Origin::named("by_hand", "fixtures")),
            params: Vec::new(),
            insts: Vec::new(),
            results: Vec::new(),
        });
        for (i, &p) in params.iter().enumerate() {
            b.0.params.push((format!("p{i}"), p));
            b.push(InstKind::Param(i as u32), &[], p);
        }
        b
    }
    fn push(&mut self, kind: InstKind, args: &[Value], ty: Prim) -> Value {
        self.0.insts.push(Inst {
            kind,
            args: args.to_vec(),
            ty,
            loc: Loc { line: 1, col: 1 },
            name: None,
        });
        Value(self.0.insts.len() as u32 - 1)
    }
    fn i64(&mut self, x: i64) -> Value {
        self.push(InstKind::Const(x as u64), &[], I64)
    }
    fn op(&mut self, op: Op, args: &[Value], ty: Prim) -> Value {
        self.push(InstKind::Op(op), args, ty)
    }
    fn done(mut self, results: &[Value]) -> Program {
        self.0.results = results.to_vec();
        Program {
            funcs: vec![self.0],
            tables: Vec::new(),
        }
    }
}

/// `(a, b, c)` to `a * b + c` with two roundings, with one rounding, and whether they differ.
pub(super) fn contraction() -> Program {
    let mut b = Builder::new("contraction", &[F64, F64, F64]);
    let [x, y, z] = [0, 1, 2].map(Value);
    let product = b.op(Op::Mul, &[x, y], F64);
    let two = b.op(Op::Add, &[product, z], F64);
    let one = b.op(Op::Fma, &[x, y, z], F64);
    let differ = b.op(Op::Ne, &[two, one], Mask);
    b.done(&[two, one, differ])
}

/// A word to itself, and as a binary32 number (of its low half) divided by an entry of a table.
pub(super) fn copy() -> Program {
    let mut b = Builder::new("copy", &[I64, F32]);
    let entry = b.push(InstKind::Load(TableId(0)), &[Value(0)], F32);
    let quotient = b.op(Op::Div, &[Value(1), entry], F32);
    let mut program = b.done(&[Value(0), quotient]);
    program.tables.push(TableData {
        name: "divisors".into(),
        elem: Elem::F32,
        bits: [3f32, 7.0, -0.1].map(|x| u64::from(x.to_bits())).into(),
    });
    program
}

/// Approximation, reference and metric of a search whose results use every flag, sign and bin.
pub(super) fn search(p: Prim) -> [Program; 3] {
    let mut b = Builder::new("rcp", &[p]);
    let r = b.op(Op::Recip, &[Value(0)], p);
    let approx = b.done(&[r]);

    let mut b = Builder::new("reference", &[F64]);
    let root = b.op(Op::Sqrt, &[Value(0)], F64);
    let twice = b.op(Op::Add, &[root, Value(0)], F64);
    let scale = b.op(Op::ToBits, &[Value(0)], I64);
    let all = [twice, root, scale];
    let reference = b.done(&all[..if p == F64 { 3 } else { 1 }]);

    let params = [I64, p, F64, F64, I64];
    let words = if p == F64 { 5 } else { 3 };
    let mut b = Builder::new("metric", &params[..words]);
    let stir = b.i64(0x9e37_79b9_7f4a_7c15_u64 as i64);
    let h = b.op(Op::Mul, &[Value(0), stir], I64);
    let mut bits = |shift: i64, mask: i64| {
        let (shift, mask) = (b.i64(shift), b.i64(mask));
        let v = b.op(Op::ShrLogical, &[h, shift], I64);
        b.op(Op::And, &[v, mask], I64)
    };
    let (bin, flags, size) = (bits(8, 15), bits(20, 63), bits(40, 7));
    let three = b.i64(3);
    let centred = b.op(Op::Sub, &[size, three], I64);
    let error = b.op(Op::ToF64, &[centred], F64);
    let mut digest_term = h;
    for (i, &p) in params[..words].iter().enumerate().skip(1) {
        let mut wide = Value(i as u32);
        if p == F32 {
            wide = b.op(Op::ToF64, &[wide], F64);
        }
        let word = match p {
            I64 => wide,
            _ => b.op(Op::ToBits, &[wide], I64),
        };
        let weight = b.i64(2 * i as i64 + 1);
        let weighed = b.op(Op::Mul, &[word, weight], I64);
        digest_term = b.op(Op::Xor, &[digest_term, weighed], I64);
    }
    [approx, reference, b.done(&[error, bin, flags, digest_term])]
}
