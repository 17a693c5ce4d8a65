//! The interpreter: what a program means.
//!
//! It is written once, generic over what a value *is* ([`Domain`]). [`Bits`] is the oracle that every backend is held
//! against: the operations of Rust's own scalar types, bit for bit. Real numbers, intervals or jets are other domains.
//!
//! | file | what |
//! |---|---|
//! | `columns` | each operation on columns of bits: the one place that says what it does |
//! | `directed` | directed roundings, in integers |
//! | `batch` | [`Interpreter`]: a program over long inputs, a column of lanes an instruction |
//! | `trace` | [`trace`]: every intermediate value of one evaluation |

mod batch;
mod columns;
mod directed;
#[cfg(test)]
pub(crate) mod tests;
mod trace;

pub use batch::{Interpreter, LANES, eval_batch};
#[cfg(test)]
pub(crate) use directed::tests::triples as directed_triples;
pub use trace::{CallSite, TraceEntry, trace};

use crate::ops::{Op, Prim};
use crate::program::{Func, FuncId, InstKind, Program, TableData, Value};

/// What a value is, and what the operations do to it.
pub trait Domain {
    /// A value of any lane type.
    type Value: Clone;
    /// The constant of those bits.
    fn constant(&mut self, ty: Prim, bits: u64) -> Self::Value;
    /// An operation; `prims` are the types of `args`.
    fn op(&mut self, op: Op, prims: &[Prim], args: &[&Self::Value]) -> Self::Value;
    /// An entry of a table at a lane index of type `ty`.
    fn load(&mut self, table: &TableData, ty: Prim, index: &Self::Value) -> Self::Value;
    /// A result as it leaves the kernel.
    fn output(&mut self, _ty: Prim, value: Self::Value) -> Self::Value {
        value
    }
}

/// Bits of IEEE 754 numbers and two's complement integers, zero-extended; a mask is 0 or 1.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bits;

impl Domain for Bits {
    type Value = u64;
    fn constant(&mut self, _: Prim, bits: u64) -> u64 {
        bits
    }
    fn op(&mut self, op: Op, prims: &[Prim], args: &[&u64]) -> u64 {
        let mut columns: [&[u64]; 3] = [&[]; 3];
        for (column, &arg) in columns.iter_mut().zip(args) {
            *column = std::slice::from_ref(arg);
        }
        let mut out = 0;
        columns::apply(op, prims[0], columns, std::slice::from_mut(&mut out));
        out
    }
    fn load(&mut self, table: &TableData, ty: Prim, index: &u64) -> u64 {
        table.bits[columns::place(table, ty, *index)]
    }
    fn output(&mut self, ty: Prim, bits: u64) -> u64 {
        canonical(ty, bits)
    }
}

/// Bits with any NaN replaced by the canonical one.
#[must_use]
pub fn canonical(ty: Prim, bits: u64) -> u64 {
    match ty {
        Prim::F64 if f64::from_bits(bits).is_nan() => 0x7ff8_0000_0000_0000,
        Prim::F32 if f32::from_bits(bits as u32).is_nan() => 0x7fc0_0000,
        _ => bits,
    }
}

/// The bits of a value of type `ty` in a word of which the rest is ignored; a mask is true if the word is not zero.
#[must_use]
pub fn clean(ty: Prim, word: u64) -> u64 {
    match ty {
        Prim::F64 | Prim::I64 => word,
        Prim::F32 | Prim::I32 => word & 0xffff_ffff,
        Prim::Mask => u64::from(word != 0),
    }
}

/// A value as it is computed, for an observer of an evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a, V> {
    /// The calls it is under, outermost first.
    pub calls: &'a [CallSite],
    /// The function.
    pub func: FuncId,
    /// The instruction in it.
    pub inst: Value,
    /// The value it defined.
    pub value: &'a V,
}

/// Evaluates a program once; the entry's results.
///
/// # Panics
/// When `inputs` are not as many as the entry's parameters.
pub fn eval<D: Domain>(program: &Program, domain: &mut D, inputs: &[D::Value]) -> Vec<D::Value> {
    eval_with(program, domain, inputs, &mut |_| {})
}

/// [`eval`], with each value shown to `observe` as it is computed.
///
/// # Panics
/// When `inputs` are not as many as the entry's parameters.
pub fn eval_with<D: Domain>(
    program: &Program,
    domain: &mut D,
    inputs: &[D::Value],
    observe: &mut dyn FnMut(Step<'_, D::Value>),
) -> Vec<D::Value> {
    let entry = program.entry();
    assert_eq!(inputs.len(), entry.params.len(), "one input a parameter");
    let id = FuncId(program.funcs.len() as u32 - 1);
    let mut evaluation = Evaluation {
        program,
        domain,
        observe,
        calls: Vec::new(),
    };
    let results = evaluation.func(id, inputs.to_vec());
    let prims = entry.results.iter().map(|&r| entry.ty(r));
    prims
        .zip(results)
        .map(|(ty, value)| domain.output(ty, value))
        .collect()
}

struct Evaluation<'a, D: Domain> {
    program: &'a Program,
    domain: &'a mut D,
    observe: &'a mut dyn FnMut(Step<'_, D::Value>),
    calls: Vec<CallSite>,
}

impl<D: Domain> Evaluation<'_, D> {
    fn func(&mut self, id: FuncId, args: Vec<D::Value>) -> Vec<D::Value> {
        let func: &Func = self.program.func(id);
        // What each instruction defines: one value, or a call's results.
        let mut values: Vec<Vec<D::Value>> = Vec::with_capacity(func.insts.len());
        for (i, inst) in func.insts.iter().enumerate() {
            let at = Value(i as u32);
            let arg = |n: usize| &values[inst.args[n].0 as usize][0];
            let value = match inst.kind {
                InstKind::Param(n) => args[n as usize].clone(),
                InstKind::Const(bits) => self.domain.constant(inst.ty, bits),
                InstKind::Op(op) => {
                    let prims: Vec<Prim> = inst.args.iter().map(|&a| func.ty(a)).collect();
                    let args: Vec<&D::Value> = (0..prims.len()).map(arg).collect();
                    self.domain.op(op, &prims, &args)
                }
                InstKind::Load(table) => {
                    let ty = func.ty(inst.args[0]);
                    self.domain.load(self.program.table(table), ty, arg(0))
                }
                InstKind::Result(n) => values[inst.args[0].0 as usize][n as usize].clone(),
                InstKind::Call(callee) => {
                    let args = (0..inst.args.len()).map(|n| arg(n).clone()).collect();
                    self.calls.push(CallSite { func: id, inst: at });
                    let results = self.func(callee, args);
                    self.calls.pop();
                    values.push(results);
                    continue;
                }
            };
            (self.observe)(Step {
                calls: &self.calls,
                func: id,
                inst: at,
                value: &value,
            });
            values.push(vec![value]);
        }
        let result = |r: &Value| values[r.0 as usize][0].clone();
        func.results.iter().map(result).collect()
    }
}
