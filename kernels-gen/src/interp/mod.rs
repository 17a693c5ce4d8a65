//! The interpreter: the definition of a program's meaning.
//!
//! It is written once, generic over the kind of values ([`Domain`]). [`Bits`] is the definition with which every backend is compared: the
//! operations of Rust's own scalar types, bit for bit. Real numbers, intervals and jets are other domains. The names of a script's
//! variables are a domain too: the evaluation then writes a text (`emit/gappa`).
//!
//! | file | what |
//! |---|---|
//! | `columns` | each operation on columns of bits: its only definition |
//! | `directed` | directed roundings, in integers |
//! | `batch` | [`Interpreter`]: a program over many inputs, one column of lanes per instruction |
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

use std::convert::Infallible;

use std::sync::Arc;

use crate::ops::{Op, Prim};
use crate::program::{Func, FuncId, Inst, InstKind, Program, TableData, Value};

/// The place of an operation in an evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The program.
    pub program: &'a Program,
    /// The calls that lead to it, outermost first.
    pub calls: &'a [CallSite],
    /// The function.
    pub func: FuncId,
    /// The instruction in it.
    pub inst: Value,
    /// The instruction's number in the order of evaluation, over all calls. It is the instruction's identity, the same in each evaluation
    /// of a program. Instructions of calls that a domain evaluates as a whole count too.
    pub number: u32,
}

impl Site<'_> {
    /// The instruction.
    #[must_use]
    pub fn instruction(&self) -> &Inst {
        self.program.func(self.func).inst(self.inst)
    }

    /// The file and line of the instruction.
    #[must_use]
    pub fn source(&self) -> (&Arc<str>, u32) {
        let origin = &self.program.func(self.func).origin;
        (&origin.file, self.instruction().loc.line.max(origin.line))
    }
}

/// A kind of values, and the operations on them.
///
/// A domain need not have a result for every operation: it may refuse one, with a reason, which ends the evaluation. A branch of the source
/// is a [`Op::Select`] here, whose first argument is the path's condition. A domain that cannot decide whether the mask is true must join
/// both values or refuse.
pub trait Domain {
    /// A value of any lane type.
    type Value: Clone;
    /// The reason why an operation has no result; [`std::convert::Infallible`] if each operation has one.
    type Refusal;
    /// The constant with these bits.
    ///
    /// # Errors
    /// If the domain has no such value.
    fn constant(
        &mut self,
        site: Site<'_>,
        ty: Prim,
        bits: u64,
    ) -> Result<Self::Value, Self::Refusal>;
    /// Applies an operation; `prims` are the types of `args`.
    ///
    /// # Errors
    /// If the domain has no result for it.
    fn op(
        &mut self,
        site: Site<'_>,
        op: Op,
        prims: &[Prim],
        args: &[&Self::Value],
    ) -> Result<Self::Value, Self::Refusal>;
    /// An entry of a table at a lane index of type `ty`.
    ///
    /// # Errors
    /// If the domain has no result for it.
    fn load(
        &mut self,
        site: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &Self::Value,
    ) -> Result<Self::Value, Self::Refusal>;
    /// A call as a whole: its results, or `None` if the callee's operations should be evaluated one by one. Domains use
    /// this for error-free transformations, whose low word is the exact error of the high one.
    ///
    /// # Errors
    /// If the domain has no result for it.
    fn call(
        &mut self,
        _site: Site<'_>,
        _callee: &Func,
        _args: &[Self::Value],
    ) -> Result<Option<Vec<Self::Value>>, Self::Refusal> {
        Ok(None)
    }
    /// Converts a result when it leaves the kernel.
    fn output(&mut self, _ty: Prim, value: Self::Value) -> Self::Value {
        value
    }
}

/// Bits of IEEE 754 numbers and two's complement integers, zero-extended; a mask is 0 or 1.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bits;

impl Bits {
    /// An operation; `prims` are the types of `args`.
    #[must_use]
    pub fn op(self, op: Op, prims: &[Prim], args: &[&u64]) -> u64 {
        let mut columns: [&[u64]; 3] = [&[]; 3];
        for (column, &arg) in columns.iter_mut().zip(args) {
            *column = std::slice::from_ref(arg);
        }
        let mut out = 0;
        columns::apply(op, prims[0], columns, std::slice::from_mut(&mut out));
        out
    }
    /// An entry of a table at a lane index of type `ty`.
    #[must_use]
    pub fn load(self, table: &TableData, ty: Prim, index: &u64) -> u64 {
        table.bits[columns::place(table, ty, *index)]
    }
    /// A result when it leaves a kernel: NaNs are made canonical.
    #[must_use]
    pub fn output(self, ty: Prim, bits: u64) -> u64 {
        canonical(ty, bits)
    }
}

impl Domain for Bits {
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
        Ok(Bits::op(*self, op, prims, args))
    }
    fn load(
        &mut self,
        _: Site<'_>,
        table: &TableData,
        ty: Prim,
        index: &u64,
    ) -> Result<u64, Infallible> {
        Ok(Bits::load(*self, table, ty, index))
    }
    fn output(&mut self, ty: Prim, bits: u64) -> u64 {
        Bits::output(*self, ty, bits)
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

/// The bits of a value of type `ty` in a word whose other bits are ignored. A mask is true if the word is not zero.
#[must_use]
pub fn clean(ty: Prim, word: u64) -> u64 {
    match ty {
        Prim::F64 | Prim::I64 => word,
        Prim::F32 | Prim::I32 => word & 0xffff_ffff,
        Prim::Mask => u64::from(word != 0),
    }
}

/// A computed value, as passed to an observer of an evaluation.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a, V> {
    /// The calls that lead to it, outermost first.
    pub calls: &'a [CallSite],
    /// The function.
    pub func: FuncId,
    /// The instruction in it.
    pub inst: Value,
    /// The value that it defined.
    pub value: &'a V,
}

/// Evaluates a program once. Returns the entry's results.
///
/// # Errors
/// The refusal of the domain.
///
/// # Panics
/// If the number of `inputs` is not that of the entry's parameters.
pub fn eval<D: Domain>(
    program: &Program,
    domain: &mut D,
    inputs: &[D::Value],
) -> Result<Vec<D::Value>, D::Refusal> {
    eval_with(program, domain, inputs, &mut |_| {})
}

/// The same as [`eval`]; each value is passed to `observe` as it is computed.
///
/// # Errors
/// The refusal of the domain.
///
/// # Panics
/// If the number of `inputs` is not that of the entry's parameters.
pub fn eval_with<D: Domain>(
    program: &Program,
    domain: &mut D,
    inputs: &[D::Value],
    observe: &mut dyn FnMut(Step<'_, D::Value>),
) -> Result<Vec<D::Value>, D::Refusal> {
    let entry = program.entry();
    assert_eq!(inputs.len(), entry.params.len(), "one input a parameter");
    let id = FuncId(program.funcs.len() as u32 - 1);
    let mut evaluation = Evaluation {
        program,
        domain,
        observe,
        calls: Vec::new(),
        number: 0,
    };
    let results = evaluation.func(id, inputs.to_vec())?;
    let prims = entry.results.iter().map(|&r| entry.ty(r));
    Ok(prims
        .zip(results)
        .map(|(ty, value)| domain.output(ty, value))
        .collect())
}

struct Evaluation<'a, D: Domain> {
    program: &'a Program,
    domain: &'a mut D,
    observe: &'a mut dyn FnMut(Step<'_, D::Value>),
    calls: Vec<CallSite>,
    number: u32,
}

impl<D: Domain> Evaluation<'_, D> {
    fn func(&mut self, id: FuncId, args: Vec<D::Value>) -> Result<Vec<D::Value>, D::Refusal> {
        let func: &Func = self.program.func(id);
        // Each instruction defines one value, or a call's results. The values are in one vector: memory for each of them would take longer
        // than the operations. `first` is the place of each instruction's first value in it.
        let mut values: Vec<D::Value> = Vec::with_capacity(func.insts.len());
        let mut first: Vec<usize> = Vec::with_capacity(func.insts.len());
        for (i, inst) in func.insts.iter().enumerate() {
            let at = Value(i as u32);
            let site = Site {
                program: self.program,
                calls: &self.calls,
                func: id,
                inst: at,
                number: self.number,
            };
            self.number += 1;
            let arg = |n: usize| &values[first[inst.args[n].0 as usize]];
            let value = match inst.kind {
                InstKind::Param(n) => args[n as usize].clone(),
                InstKind::Const(bits) => self.domain.constant(site, inst.ty, bits)?,
                // Most operations have at most three operands: no memory is allocated for them.
                InstKind::Op(op) if (1..=3).contains(&inst.args.len()) => {
                    let n = inst.args.len();
                    let of = |k: usize| k.min(n - 1);
                    let prims = [0, 1, 2].map(|k| func.ty(inst.args[of(k)]));
                    let args = [0, 1, 2].map(|k| arg(of(k)));
                    self.domain.op(site, op, &prims[..n], &args[..n])?
                }
                InstKind::Op(op) => {
                    let prims: Vec<Prim> = inst.args.iter().map(|&a| func.ty(a)).collect();
                    let args: Vec<&D::Value> = (0..prims.len()).map(arg).collect();
                    self.domain.op(site, op, &prims, &args)?
                }
                InstKind::Load(table) => {
                    let ty = func.ty(inst.args[0]);
                    self.domain
                        .load(site, self.program.table(table), ty, arg(0))?
                }
                InstKind::Result(n) => values[first[inst.args[0].0 as usize] + n as usize].clone(),
                InstKind::Call(callee) => {
                    let args: Vec<D::Value> =
                        (0..inst.args.len()).map(|n| arg(n).clone()).collect();
                    let whole = self.domain.call(site, self.program.func(callee), &args)?;
                    let results = match whole {
                        Some(results) => {
                            self.number += self.size(callee);
                            results
                        }
                        None => {
                            self.calls.push(CallSite { func: id, inst: at });
                            let results = self.func(callee, args)?;
                            self.calls.pop();
                            results
                        }
                    };
                    first.push(values.len());
                    values.extend(results);
                    continue;
                }
            };
            (self.observe)(Step {
                calls: &self.calls,
                func: id,
                inst: at,
                value: &value,
            });
            first.push(values.len());
            values.push(value);
        }
        let result = |r: &Value| values[first[r.0 as usize]].clone();
        Ok(func.results.iter().map(result).collect())
    }

    /// The number of instructions in an evaluation of a function.
    fn size(&self, id: FuncId) -> u32 {
        let insts = &self.program.func(id).insts;
        let called = insts.iter().map(|inst| match inst.kind {
            InstKind::Call(callee) => 1 + self.size(callee),
            _ => 1,
        });
        called.sum()
    }
}
