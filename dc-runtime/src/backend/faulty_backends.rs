//! Backends with one fault each, which the probe and the comparison of backends must find.

use std::convert::Infallible;

use kernels_gen::interp::{Bits, Domain, Interpreter, Site, eval};
use kernels_gen::ops::{Arith, Direction, Op, Prim};
use kernels_gen::program::{Func, Inst, InstKind, Program, TableData, Value};

use super::interp::{Interp, InterpSweep};
use super::{Backend, BackendError, KernelRef, PointKernel, Speed, SweepKernel, lowered};
use crate::sweep::Sweep;

/// Contracts the first multiplication of a kernel whose result is added, as a compiler would.
pub(super) fn contract_first(program: Program) -> Program {
    contract(program, &|_, _, _| true)
}

/// Contracts the first such multiplication selected by the indices of product and sum in their function.
pub(super) fn contract(
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
fn cancel(mut program: Program) -> Program {
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

/// The interpreter, with one operation of each kernel contracted.
pub(super) struct Contracted {
    /// The only kernel that is changed, or all.
    pub only: Option<&'static str>,
}

impl Contracted {
    fn program(&self, kernel: &KernelRef) -> Result<Program, BackendError> {
        Ok(self.rewritten(lowered(kernel.kernel)?))
    }
    fn rewritten(&self, program: &Program) -> Program {
        let name = program.entry().origin.name.as_str();
        // The program is inlined, so that the operation is the same in a kernel and in a program derived from it.
        let program = program.inlined();
        if self.only.is_some_and(|only| only != name) {
            program
        } else {
            contract_first(program)
        }
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

impl crate::model::backend::sealed::Sealed for Contracted {}

impl Backend for Contracted {
    fn id(&self) -> &str {
        "contracted"
    }
    fn describe(&self) -> String {
        "the interpreter, with one operation contracted".into()
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
        let (approx, reference, metric) = (approx?, reference?, metric?);
        Ok(Box::new(InterpSweep::new(
            sweep.inputs,
            &approx,
            &reference,
            &metric,
        )))
    }
}

/// The interpreter with a change to each program, all of whose calls are inlined.
pub(super) struct Rewritten(pub Box<dyn Fn(Program) -> Program + Send + Sync>);

impl Rewritten {
    fn program(&self, kernel: &KernelRef) -> Result<Program, BackendError> {
        Ok((self.0)(lowered(kernel.kernel)?.inlined()))
    }
}

impl crate::model::backend::sealed::Sealed for Rewritten {}

impl Backend for Rewritten {
    fn id(&self) -> &str {
        "rewritten"
    }
    fn describe(&self) -> String {
        "the interpreter, with its programs rewritten".into()
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        Ok(Box::new(Columns(Interpreter::new(&self.program(kernel)?))))
    }
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        let program = (self.0)(program.inlined());
        Ok(Box::new(Columns(Interpreter::new(&program))))
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        let [approx, reference, metric] = sweep.kernels_for(self.id())?.map(|k| self.program(k));
        let sweep = InterpSweep::new(sweep.inputs, &approx?, &reference?, &metric?);
        Ok(Box::new(sweep))
    }
}

/// The faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "the tests of this crate inject them all, others one"
    )
)]
pub(super) enum Fault {
    None,
    /// Subnormal results become zeros.
    FlushResults(Prim),
    /// Subnormal operands are replaced by zeros.
    FlushOperands(Prim),
    /// A fused multiply-add with two roundings.
    FmaUnfused(Prim),
    /// `a * (1 / b)`
    DivideByReciprocal(Prim),
    /// `1 / b` with an error of one last place if b is not a power of two.
    ReciprocalEstimate(Prim),
    /// `x * (1 / sqrt(x))`
    RootByReciprocal(Prim),
    /// Ties are rounded away from zero.
    RoundAway(Prim),
    /// The minimum of a NaN and a number is the number, and that of -0 and +0 is -0.
    MinOfIeee(Prim),
    /// `x * 0.0` is `0.0`.
    TimesZero(Prim),
    /// `x + 0.0` is `x`.
    PlusZero(Prim),
    /// The result of x86's instruction: the smallest integer for values out of range.
    ToIntIndefinite(Prim),
    /// Binary64 is converted to binary32 toward zero.
    NarrowTruncates,
    /// Binary64 is converted to binary32 without subnormals.
    NarrowFlushes,
    /// 64-bit integers are converted to binary32 through binary64.
    NarrowTwice,
    /// Shift amounts are not taken modulo the width: too large ones shift everything out.
    ShiftsOut(Prim),
    /// `>>` shifts zeros in.
    ShiftsZeros(Prim),
    /// Integers are compared as unsigned ones.
    Unsigned(Prim),
    /// `a != b` is false on NaN.
    NotEqualOrdered(Prim),
    /// NaNs keep sign and payload where their bits are used.
    RawNanBits(Prim),
    /// NaNs keep sign and payload in results.
    RawNanOutput(Prim),
    /// The sign of a NaN is used.
    CopiesNanSign(Prim),
    /// Directed operations round to nearest.
    DirectedNearest(Prim),
    /// One direction is used for another.
    DirectedAstray(Prim),
    /// An exact zero is +0 in every direction.
    DirectedZero(Prim),
    /// An overflow is an infinity in every direction.
    DirectedOverflow(Prim),
    /// Directed results below the normal numbers become zeros.
    DirectedFlush(Prim),
    /// Indices ignore the table's bounds (here: they are taken modulo its length, as unsigned numbers).
    IndexModulo,
    /// Every index is clamped.
    IndexClamped,
    /// `(a + b) - a` is `b`.
    Cancels,
}

/// The interpreter with one fault.
pub(super) struct Faulty(pub Fault);

struct Rows {
    program: Program,
    fault: Fault,
}

impl PointKernel for Rows {
    fn eval(&mut self, inputs: &[&[u64]], outputs: &mut [Vec<u64>]) -> Result<(), BackendError> {
        outputs.iter_mut().for_each(Vec::clear);
        for row in 0..inputs[0].len() {
            let inputs: Vec<u64> = inputs.iter().map(|c| c[row]).collect();
            let Ok(results) = eval(&self.program, &mut Wrong(self.fault), &inputs);
            for (output, bits) in outputs.iter_mut().zip(results) {
                output.push(bits);
            }
        }
        Ok(())
    }
}

impl crate::model::backend::sealed::Sealed for Faulty {}

impl Backend for Faulty {
    fn id(&self) -> &str {
        "faulty"
    }
    fn describe(&self) -> String {
        format!("the interpreter, with {:?}", self.0)
    }
    fn load(&self, kernel: &KernelRef) -> Result<Box<dyn PointKernel>, BackendError> {
        let mut program = lowered(kernel.kernel)?.clone();
        if self.0 == Fault::Cancels {
            program = cancel(program);
        }
        let fault = self.0;
        Ok(Box::new(Rows { program, fault }))
    }
    fn load_program(&self, program: &Program) -> Result<Box<dyn PointKernel>, BackendError> {
        let (program, fault) = (program.clone(), self.0);
        Ok(Box::new(Rows { program, fault }))
    }
    fn load_sweep(&self, sweep: &Sweep) -> Result<Box<dyn SweepKernel>, BackendError> {
        // Its searches are correct: the faults are in operations.
        Interp.load_sweep(sweep)
    }
    fn preferred_batch(&self) -> u64 {
        1
    }
    fn speed(&self) -> Speed {
        // It is slow, so that the shortest form of the probe must find the fault.
        Speed::Simulated
    }
}

struct Wrong(Fault);

fn is_subnormal(p: Prim, bits: u64) -> bool {
    match p {
        Prim::F64 => f64::from_bits(bits).is_subnormal(),
        Prim::F32 => f32::from_bits(bits as u32).is_subnormal(),
        _ => false,
    }
}

fn flushed(p: Prim, bits: u64) -> u64 {
    let sign = if p == Prim::F64 { 1 << 63 } else { 1 << 31 };
    if is_subnormal(p, bits) {
        bits & sign
    } else {
        bits
    }
}

fn is_nan(p: Prim, bits: u64) -> bool {
    match p {
        Prim::F64 => f64::from_bits(bits).is_nan(),
        Prim::F32 => f32::from_bits(bits as u32).is_nan(),
        _ => false,
    }
}

fn infinity(p: Prim) -> u64 {
    match p {
        Prim::F64 => f64::INFINITY.to_bits(),
        _ => f32::INFINITY.to_bits().into(),
    }
}

/// A directed operation's result in rounding to nearest.
fn nearest(op: Op, p: Prim, args: &[&u64]) -> u64 {
    let op = match op {
        Op::Directed(Arith::Add, _) => Op::Add,
        Op::Directed(Arith::Sub, _) => Op::Sub,
        Op::Directed(Arith::Mul, _) => Op::Mul,
        Op::Directed(Arith::Div, _) => Op::Div,
        Op::Directed(Arith::Recip, _) => Op::Recip,
        Op::Directed(Arith::Sqrt, _) => Op::Sqrt,
        Op::Directed(Arith::Fma, _) => Op::Fma,
        op => op,
    };
    Bits.op(op, &vec![p; args.len()], args)
}

impl Wrong {
    /// The faulty result of an operation.
    fn wrong(&self, op: Op, prims: &[Prim], args: &[&u64]) -> u64 {
        use Fault::*;
        let right = Bits.op(op, prims, args);
        let p = prims[0];
        let arithmetic = matches!(
            op,
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Fma | Op::Sqrt | Op::Recip
        );
        let directed = matches!(op, Op::Directed(..));
        let one = if p == Prim::F64 {
            1f64.to_bits()
        } else {
            u64::from(1f32.to_bits())
        };
        let width = if matches!(p, Prim::I64 | Prim::F64) {
            64
        } else {
            32
        };
        let zero = |x: u64| x << (64 - width + 1) == 0;
        let again = |op, args: &[&u64]| Bits.op(op, &vec![p; args.len()], args);
        match self.0 {
            FlushResults(f) if arithmetic && f == p => flushed(p, right),
            FlushOperands(f) if arithmetic && f == p => {
                let args: Vec<u64> = args.iter().map(|&&a| flushed(p, a)).collect();
                again(op, &args.iter().collect::<Vec<_>>())
            }
            FmaUnfused(f) if op == Op::Fma && f == p => {
                let product = again(Op::Mul, &args[..2]);
                again(Op::Add, &[&product, args[2]])
            }
            DivideByReciprocal(f) if op == Op::Div && f == p => {
                let inverse = again(Op::Recip, &args[1..]);
                again(Op::Mul, &[args[0], &inverse])
            }
            ReciprocalEstimate(f) if op == Op::Recip && f == p => {
                let inexact = again(Op::Mul, &[args[0], &right]) != one;
                right ^ u64::from(inexact && !is_nan(p, right))
            }
            RootByReciprocal(f) if op == Op::Sqrt && f == p && !is_nan(p, right) => {
                if zero(*args[0]) || *args[0] == right {
                    return right;
                }
                let inverse = again(Op::Recip, &[&right]);
                again(Op::Mul, &[args[0], &inverse])
            }
            RoundAway(f) if op == Op::RoundTiesEven && f == p => match p {
                Prim::F64 => f64::from_bits(*args[0]).round().to_bits(),
                _ => u64::from(f32::from_bits(*args[0] as u32).round().to_bits()),
            },
            MinOfIeee(f) if matches!(op, Op::Min | Op::Max) && f == p => {
                match (is_nan(p, *args[0]), is_nan(p, *args[1])) {
                    (true, false) => *args[1],
                    (false, true) => *args[0],
                    _ => right,
                }
            }
            TimesZero(f) if op == Op::Mul && f == p && zero(*args[1]) => 0,
            PlusZero(f) if op == Op::Add && f == p && *args[1] == 0 => *args[0],
            ToIntIndefinite(f) if matches!(op, Op::ToI64 | Op::ToI32) && f == p => {
                let (min, max) = if op == Op::ToI64 {
                    (1 << 63, i64::MAX as u64)
                } else {
                    (1 << 31, i32::MAX as u64)
                };
                let bad = is_nan(p, *args[0]) || right == max;
                if bad { min } else { right }
            }
            NarrowTruncates if op == Op::ToF32 && p == Prim::F64 => {
                let (x, y) = (f64::from_bits(*args[0]), f32::from_bits(right as u32));
                right - u64::from(f64::from(y).abs() > x.abs() && !x.is_nan())
            }
            NarrowFlushes if op == Op::ToF32 && p == Prim::F64 => flushed(Prim::F32, right),
            NarrowTwice if op == Op::ToF32 && p == Prim::I64 => {
                let wide = again(Op::ToF64, args);
                Bits.op(Op::ToF32, &[Prim::F64], &[&wide])
            }
            ShiftsOut(f) if matches!(op, Op::Shl | Op::Shr | Op::ShrLogical) && f == p => {
                if *args[1] < width { right } else { 0 }
            }
            ShiftsZeros(f) if op == Op::Shr && f == p => again(Op::ShrLogical, args),
            Unsigned(f) if matches!(op, Op::Lt | Op::Gt) && f == p => u64::from(if op == Op::Lt {
                args[0] < args[1]
            } else {
                args[0] > args[1]
            }),
            NotEqualOrdered(f) if op == Op::Ne && f == p => {
                right & u64::from(!is_nan(p, *args[0]) && !is_nan(p, *args[1]))
            }
            RawNanBits(f) if op == Op::ToBits && f == p => *args[0],
            CopiesNanSign(f) if op == Op::CopySign && f == p => {
                let sign = 1 << (width - 1);
                right & !sign | *args[1] & sign
            }
            DirectedNearest(f) if directed && f == p => nearest(op, p, args),
            DirectedAstray(f) if directed && f == p => match op {
                Op::Directed(arith, Direction::Up) => {
                    again(Op::Directed(arith, Direction::Down), args)
                }
                _ => right,
            },
            DirectedZero(f) if directed && f == p && zero(right) => {
                let plain = nearest(op, p, args);
                if zero(plain) { plain } else { right }
            }
            DirectedOverflow(f) if directed && f == p => {
                let plain = nearest(op, p, args);
                let largest = plain & !(1 << (width - 1)) == infinity(p);
                if largest { plain } else { right }
            }
            DirectedFlush(f) if directed && f == p => flushed(p, right),
            _ => right,
        }
    }
}

impl Domain for Wrong {
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
        Ok(self.wrong(op, prims, args))
    }

    fn load(
        &mut self,
        _: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &u64,
    ) -> Result<u64, Infallible> {
        let n = table.bits.len() as u64;
        let signed = if ty == Prim::I32 {
            *index as u32 as i32 as i64
        } else {
            *index as i64
        };
        Ok(match self.0 {
            Fault::IndexModulo => table.bits[(index % n) as usize],
            Fault::IndexClamped => table.bits[signed.clamp(0, n as i64 - 1) as usize],
            _ => Bits.load(table, ty, index),
        })
    }

    fn output(&mut self, ty: Prim, bits: u64) -> u64 {
        match self.0 {
            Fault::RawNanOutput(f) if f == ty => bits,
            _ => Bits.output(ty, bits),
        }
    }
}
