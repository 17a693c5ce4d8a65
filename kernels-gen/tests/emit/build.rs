//! Programs built by hand.

use kernels_gen::ir::Loc;
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, FuncId, Inst, InstKind, Origin, Program, TableId, Value};
use std::sync::Arc;

/// The origin of functions that were not lowered from a tree.
pub fn origin() -> Arc<Origin> {
    Arc::new(Origin {
        file: "src/by_hand.rs".into(),
        line: 10,
        source: "/// A doc comment.\nfn by_hand(x: DcDouble) -> DcDouble {\n    x * x // a comment that ends in \\\n}\n".into(),
        ..Origin::named("by_hand", "tests::emit")
    })
}

/// Builds one function.
pub struct Builder {
    func: Func,
    line: u32,
}

impl Builder {
    pub fn new(name: &str, params: &[(&str, Prim)]) -> Self {
        let mut b = Builder {
            func: Func {
                name: name.to_string(),
                origin: origin(),
                params: params.iter().map(|&(n, p)| (n.to_string(), p)).collect(),
                insts: vec![],
                results: vec![],
            },
            line: 11,
        };
        for (i, &(_, p)) in params.iter().enumerate() {
            b.push(InstKind::Param(i as u32), &[], p);
        }
        b
    }
    pub fn param(&self, i: u32) -> Value {
        Value(i)
    }
    pub fn line(&mut self, line: u32) {
        self.line = line;
    }
    fn push(&mut self, kind: InstKind, args: &[Value], ty: Prim) -> Value {
        let loc = Loc {
            line: self.line,
            col: 1,
        };
        self.func.insts.push(Inst {
            kind,
            args: args.to_vec(),
            ty,
            loc,
            name: None,
        });
        Value(self.func.insts.len() as u32 - 1)
    }
    pub fn name(&mut self, v: Value, name: &'static str) -> Value {
        self.func.insts[v.0 as usize].name = Some(name.into());
        v
    }
    pub fn constant(&mut self, ty: Prim, bits: u64) -> Value {
        self.push(InstKind::Const(bits), &[], ty)
    }
    pub fn f64(&mut self, x: f64) -> Value {
        self.constant(Prim::F64, x.to_bits())
    }
    pub fn i64(&mut self, x: i64) -> Value {
        self.constant(Prim::I64, x as u64)
    }
    /// An operation whose result has the type of its last operand (so also a select's).
    pub fn op(&mut self, op: Op, args: &[Value]) -> Value {
        let ty = self.func.ty(*args.last().expect("an operand"));
        self.op_to(op, args, ty)
    }
    pub fn op_to(&mut self, op: Op, args: &[Value], ty: Prim) -> Value {
        self.push(InstKind::Op(op), args, ty)
    }
    pub fn load(&mut self, table: u32, index: Value, ty: Prim) -> Value {
        self.push(InstKind::Load(TableId(table)), &[index], ty)
    }
    pub fn call(&mut self, func: u32, args: &[Value], results: &[Prim]) -> Vec<Value> {
        let call = self.push(InstKind::Call(FuncId(func)), args, results[0]);
        results
            .iter()
            .enumerate()
            .map(|(i, &p)| self.push(InstKind::Result(i as u32), &[call], p))
            .collect()
    }
    pub fn done(mut self, results: &[Value]) -> Func {
        self.func.results = results.to_vec();
        self.func
    }
}

/// A program of these functions without tables.
pub fn program(funcs: Vec<Func>) -> Program {
    Program {
        funcs,
        tables: vec![],
    }
}

/// `two_sum(a, b) -> (s, e)`, Knuth's.
pub fn two_sum() -> Func {
    let mut b = Builder::new("two_sum", &[("a", Prim::F64), ("b", Prim::F64)]);
    let (x, y) = (b.param(0), b.param(1));
    let s = b.op(Op::Add, &[x, y]);
    b.name(s, "s");
    b.line(12);
    let bb = b.op(Op::Sub, &[s, x]);
    let da = b.op(Op::Sub, &[s, bb]);
    let (ea, eb) = (b.op(Op::Sub, &[x, da]), b.op(Op::Sub, &[y, bb]));
    let e = b.op(Op::Add, &[ea, eb]);
    b.name(e, "e");
    b.done(&[s, e])
}

/// `mul_add(a, b, c) = a * b + c` with two roundings.
pub fn mul_then_add() -> Program {
    let mut b = Builder::new(
        "mul_then_add",
        &[("a", Prim::F64), ("b", Prim::F64), ("c", Prim::F64)],
    );
    let p = b.op(Op::Mul, &[b.param(0), b.param(1)]);
    let r = b.op(Op::Add, &[p, b.param(2)]);
    program(vec![b.done(&[r])])
}
