//! The interpreter of programs that were rewritten.

use kernels_gen::interp::Interpreter;
use kernels_gen::ops::Op;
use kernels_gen::program::{Func, Inst, InstKind, Program, Value};

use crate::backend::interp::InterpSweep;
use crate::backend::{Backend, BackendError, KernelRef, PointKernel, SweepKernel, lowered};
use crate::sweep::Sweep;

/// Contracts the first multiplication of a kernel whose result is added, as a compiler would.
fn contract_first(program: Program) -> Program {
    contract(program, &|_, _, _| true)
}

/// Contracts the first such multiplication that is selected by the indices of product and sum in their function.
pub(in crate::backend) fn contract(
    mut program: Program,
    wanted: &dyn Fn(&Func, usize, usize) -> bool,
) -> Program {
    let found = program.funcs.iter().enumerate().find_map(|(f, func)| {
        let product = |v: Value| {
            let inst = func.inst(v);
            (inst.kind == InstKind::Op(Op::Mul) && inst.ty.is_float()).then(|| inst.args.clone())
        };
        func.insts.iter().enumerate().find_map(|(i, inst)| {
            let [a, b] = inst.args[..] else { return None };
            let product = |v: Value| product(v).filter(|_| wanted(func, v.0 as usize, i));
            match inst.kind {
                InstKind::Op(Op::Add) => product(a)
                    .map(|m| (f, i, [m[0], m[1], b], false))
                    .or_else(|| product(b).map(|m| (f, i, [m[0], m[1], a], false))),
                // a - x * y = fma(-x, y, a)
                InstKind::Op(Op::Sub) => product(b).map(|m| (f, i, [m[0], m[1], a], true)),
                _ => None,
            }
        })
    });
    let Some((f, at, [mut x, y, z], negate)) = found else {
        return program;
    };
    let func = &mut program.funcs[f];
    let mut at = at;
    if negate {
        let negated = Inst {
            kind: InstKind::Op(Op::Neg),
            args: vec![x],
            ..func.insts[at].clone()
        };
        insert(func, at, negated);
        x = Value(at as u32);
        at += 1;
    }
    func.insts[at].kind = InstKind::Op(Op::Fma);
    func.insts[at].args = vec![x, y, z];
    program
}

/// Inserts an instruction at index `at`.
fn insert(func: &mut Func, at: usize, inst: Inst) {
    let shift = |v: &mut Value| v.0 += u32::from(v.0 as usize >= at);
    func.insts
        .iter_mut()
        .flat_map(|i| &mut i.args)
        .for_each(shift);
    func.results.iter_mut().for_each(shift);
    func.insts.insert(at, inst);
}

/// Replaces `(a + b) - a` by `b`, everywhere.
pub(super) fn cancel(mut program: Program) -> Program {
    for func in &mut program.funcs {
        for i in 0..func.insts.len() {
            let inst = &func.insts[i];
            let ([s, a], InstKind::Op(Op::Sub)) = (&inst.args[..], inst.kind) else {
                continue;
            };
            let sum = func.inst(*s);
            if sum.kind != InstKind::Op(Op::Add) || sum.args[0] != *a || !inst.ty.is_float() {
                continue;
            }
            let (from, to) = (Value(i as u32), sum.args[1]);
            let uses = func.insts.iter_mut().flat_map(|i| &mut i.args);
            uses.chain(&mut func.results)
                .filter(|v| **v == from)
                .for_each(|v| *v = to);
        }
    }
    program
}

/// The interpreter with a change to each program, all of whose calls are inlined.
pub(in crate::backend) struct Rewritten {
    id: &'static str,
    what: &'static str,
    rewrite: Box<dyn Fn(Program) -> Program + Send + Sync>,
}

impl Rewritten {
    pub fn by(rewrite: impl Fn(Program) -> Program + Send + Sync + 'static) -> Self {
        Self {
            id: "rewritten",
            what: "its programs rewritten",
            rewrite: Box::new(rewrite),
        }
    }

    /// One operation is contracted of the kernel with this name, or of each. It is the same operation in a kernel and in a program that is
    /// derived from it, because both are inlined.
    pub fn contracted(only: Option<&'static str>) -> Self {
        let is_other = move |program: &Program| {
            let name = program.entry().origin.name.as_str();
            only.is_some_and(|only| only != name)
        };
        Self {
            id: "contracted",
            what: "one operation contracted",
            rewrite: Box::new(move |program| match is_other(&program) {
                true => program,
                false => contract_first(program),
            }),
        }
    }

    fn rewritten(&self, program: &Program) -> Program {
        (self.rewrite)(program.inlined())
    }

    fn program(&self, kernel: &KernelRef) -> Result<Program, BackendError> {
        Ok(self.rewritten(lowered(kernel.kernel)?))
    }
}

struct Columns(Interpreter);

impl PointKernel for Columns {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        outputs.iter_mut().for_each(Vec::clear);
        self.0.run(inputs, outputs);
        Ok(())
    }
}

impl crate::model::backend::sealed::Sealed for Rewritten {}

impl Backend for Rewritten {
    fn id(&self) -> &str {
        self.id
    }
    fn describe(&self) -> String {
        format!("the interpreter, with {}", self.what)
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        Ok(Box::new(Columns(Interpreter::new(&self.program(kernel)?))))
    }
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        let program = self.rewritten(program);
        Ok(Box::new(Columns(Interpreter::new(&program))))
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        let [approx, reference, metric] = sweep.kernels_for(self.id())?.map(|k| self.program(k));
        let sweep = InterpSweep::new(sweep.inputs, &approx?, &reference?, &metric?);
        Ok(Box::new(sweep))
    }
}
