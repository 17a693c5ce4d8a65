//! The trace of two backends: a kernel at one input, evaluated operation by operation on both.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the trace of a kernel, and of the three kernels of a sweep; the findings |
//! | `side` | one backend's values: programs that have them as results; a compiled kernel that differs from its operations |
//! | `explain` | a compiled kernel whose values cannot be observed: the contraction that would give its results |
//! | `source` | an operation's place in the source |
//! | `text` | the report as text |
//!
//! A kernel is inlined and run as programs whose results are *all* its values, some at a time ([`Backend::load_program`]). Instructions are
//! in the order of their dependence, so the first value that differs belongs to an operation whose operands agree. This operation and its
//! line are the finding ([`Finding::Operation`]).
//!
//! This is not sufficient, because a value that becomes a result changes the compiled program. A compiler that contracts fuses a product
//! with the sum that uses it only if the product has no other use; both GCC and LLVM do so. Then every value agrees, but the kernel as
//! compiled for use differs ([`Finding::Compiled`]). So the traced results are compared with the kernel's own results. If these differ, the
//! search continues with programs whose results are a few values and the kernel's results. Operations are numbered. For each `b`, one set
//! of values has the numbers with bit `b` set, another the numbers with the bit clear. For any two operations there is a set that contains
//! one and not the other. So if an operation is wrong only while an operand is not a result, this is found, with about `2 log2 n` programs
//! instead of one for each value or pair. Then each of its operands is made a result as well: the operand that removes the fault was merged
//! into the operation.
//!
//! On the processor's own backends, the values of compiled kernels cannot be observed. There a program is run one operation at a time, and
//! a compiled form that differs from it is reported as such. A contraction changes the results, so each possible one is tried, on the input
//! and its neighbours ([`explain`]).

pub mod explain;
mod side;
pub mod source;
#[cfg(test)]
mod tests;
mod text;

use kernels_gen::interp::{canonical, clean, trace};
use kernels_gen::ir::{Kernel, Loc};
use kernels_gen::ops::{Op, Prim};
use kernels_gen::program::{Func, InstKind, Origin, Program};
use std::sync::Arc;

use crate::model::backend::Backend;
use crate::model::error::BackendError;
use crate::model::kernel_ref::KernelRef;
use crate::model::programs::program_of;
use crate::model::sweep::complete;
use crate::sweep::Sweep;

pub use explain::Contraction;
use side::Side;
pub use text::{call_chain, lines, operand, operation, part_lines};

/// The trace of a kernel at one input on two backends.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Traced {
    /// The kernel.
    pub kernel: &'static Kernel,
    /// The backends' ids.
    pub backends: [String; 2],
    /// Every operation on which a result depends, operands before their uses. Empty if only the results were compared and are equal.
    pub operations: Vec<Operation>,
    /// The indices of the results in `operations`.
    pub results: Vec<usize>,
    /// The results of the kernel on each backend.
    pub compiled: [Vec<u64>; 2],
    /// The first difference.
    pub finding: Finding,
}

/// One operation of an inlined kernel.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Its kind.
    pub what: What,
    /// The indices of its operands in [`Traced::operations`].
    pub operands: Vec<usize>,
    /// Type of its value.
    pub ty: Prim,
    /// The local or parameter that its value was first bound to.
    pub name: Option<String>,
    /// The calls that lead to it, outermost first, and its own place at the end.
    pub sites: Vec<Site>,
    /// Its values on both backends, NaNs canonical.
    pub values: [u64; 2],
}

/// The kinds of operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// An input.
    Input,
    /// A constant.
    Constant,
    /// A primitive operation.
    Op(Op),
    /// An entry of a table.
    Load,
}

/// A place in the source.
#[derive(Debug, Clone)]
pub struct Site {
    /// The function that it is in.
    pub origin: Arc<Origin>,
    /// The place in the kernel's file.
    pub loc: Loc,
}

/// The first difference of two backends.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Finding {
    /// There is no difference.
    Same,
    /// The operation with this number: its operands agree, but its value differs.
    Operation(usize),
    /// Every operation agrees, but the compiled kernels differ. Contains further information for each backend whose results are not those
    /// of its operations.
    Compiled([Option<Compiled>; 2]),
}

/// A compiled kernel whose results are not those of its operations.
#[derive(Debug, Clone, PartialEq)]
pub enum Compiled {
    /// The same operations, compiled as a program with only the kernel's results, give the right results. The difference is in the form
    /// that is compiled from the kernel itself. Contains an explanation, if one was found.
    Form(Option<Contraction>),
    /// This operation's value differs if its operands are not results of the program.
    Merged {
        /// The operation.
        at: usize,
        /// Its value in that case.
        got: u64,
        /// The operands that make the value right if any one of them is an additional result.
        with: Vec<usize>,
    },
    /// The results differ, but are right as soon as any operation's value is an additional result.
    Elusive,
}

/// The extent of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Operations are compared only if the kernels' results differ.
    Differences,
    /// All operations are compared.
    Everything,
}

impl Traced {
    /// The results of each backend's operations, computed one by one.
    #[must_use]
    pub fn one_by_one(&self, side: usize) -> Vec<u64> {
        self.results
            .iter()
            .map(|&r| self.operations[r].values[side])
            .collect()
    }
}

/// Traces a kernel at an input, given as a word for each flattened parameter.
///
/// # Errors
/// If the kernel cannot be lowered, has another number of flattened parameters than `input` has words, or a backend
/// cannot run it or programs derived from it.
pub fn kernel(
    kernel: &KernelRef,
    backends: [&dyn Backend; 2],
    input: &[u64],
    depth: Depth,
) -> Result<Traced, BackendError> {
    let program = program_of(kernel.kernel).map_err(|e| BackendError::Lower {
        kernel: kernel.kernel.name.into(),
        reason: e.to_string(),
    })?;
    let inlined = program.inlined();
    let params = inlined.entry().params.len();
    if input.len() != params {
        return Err(BackendError::Launch {
            backend: backends[0].id().into(),
            kernel: kernel.kernel.name.into(),
            reason: format!("it takes {params} words and was given {}", input.len()),
        });
    }
    let sides = backends.map(|b| Side::new(b, kernel, &inlined, input));
    let compiled = [sides[0].compiled(input)?, sides[1].compiled(input)?];
    let mut traced = Traced {
        kernel: kernel.kernel,
        backends: backends.map(|b| b.id().to_string()),
        operations: Vec::new(),
        results: Vec::new(),
        finding: Finding::Same,
        compiled,
    };
    if depth == Depth::Differences && traced.compiled[0] == traced.compiled[1] {
        return Ok(traced);
    }
    let values = [sides[0].values()?, sides[1].values()?];
    let entry = inlined.entry();
    let live = live(entry);
    let place = numbers(&live);
    traced.operations = operations(program, entry, &live, &place, &values, input);
    traced.results = entry.results.iter().map(|r| place[r.0 as usize]).collect();
    let differs = |o: &Operation| o.values[0] != o.values[1];
    traced.finding = if let Some(first) = traced.operations.iter().position(differs) {
        Finding::Operation(first)
    } else if traced.compiled[0] == traced.compiled[1] {
        Finding::Same
    } else {
        let right = &values[0];
        let mut found = [None, None];
        for (i, side) in sides.iter().enumerate() {
            if traced.compiled[i] != traced.one_by_one(i) {
                let narrowed = side.narrow(right, &live)?;
                found[i] = Some(numbered(narrowed, &place));
            }
        }
        Finding::Compiled(found)
    };
    Ok(traced)
}

/// The instructions that a result depends on.
fn live(func: &Func) -> Vec<bool> {
    let mut live = vec![false; func.insts.len()];
    for r in &func.results {
        live[r.0 as usize] = true;
    }
    for (i, inst) in func.insts.iter().enumerate().rev() {
        if live[i] {
            for a in &inst.args {
                live[a.0 as usize] = true;
            }
        }
    }
    live
}

/// Each instruction's number among the live ones.
fn numbers(live: &[bool]) -> Vec<usize> {
    let mut next = 0;
    live.iter()
        .map(|&l| {
            next += usize::from(l);
            next - usize::from(l)
        })
        .collect()
}

/// Converts a finding from indices of instructions to those of operations.
fn numbered(found: Compiled, place: &[usize]) -> Compiled {
    match found {
        Compiled::Merged { at, got, with } => Compiled::Merged {
            at: place[at],
            got,
            with: with.iter().map(|&w| place[w]).collect(),
        },
        Compiled::Form(Some(c)) => Compiled::Form(Some(Contraction {
            product: place[c.product],
            sum: place[c.sum],
            ..c
        })),
        Compiled::Form(None) | Compiled::Elusive => found,
    }
}

fn operations(
    program: &Program,
    inlined: &Func,
    live: &[bool],
    place: &[usize],
    values: &[Vec<u64>; 2],
    input: &[u64],
) -> Vec<Operation> {
    // One entry per instruction of the inlined program, with the calls that led to it.
    let entries = trace(program, input);
    assert_eq!(entries.len(), inlined.insts.len(), "a trace lists them all");
    let site = |func, loc| Site {
        origin: Arc::clone(&program.func(func).origin),
        loc,
    };
    let of = |i: usize| {
        let (inst, entry) = (&inlined.insts[i], &entries[i]);
        let calls = entry.calls.iter().map(|c| {
            let loc = program.func(c.func).inst(c.inst).loc;
            site(c.func, loc)
        });
        Operation {
            what: match inst.kind {
                InstKind::Param(_) => What::Input,
                InstKind::Op(op) => What::Op(op),
                InstKind::Load(_) => What::Load,
                InstKind::Const(_) => What::Constant,
                InstKind::Call(_) | InstKind::Result(_) => unreachable!("they are inlined"),
            },
            operands: inst.args.iter().map(|a| place[a.0 as usize]).collect(),
            ty: inst.ty,
            name: match inst.kind {
                InstKind::Param(n) => Some(inlined.params[n as usize].0.clone()),
                _ => inst.name.as_deref().map(String::from),
            },
            sites: calls.chain([site(entry.func, entry.loc)]).collect(),
            values: [values[0][i], values[1][i]],
        }
    };
    (0..live.len()).filter(|&i| live[i]).map(of).collect()
}

/// The value of an instruction that is given instead of computed.
fn given(inlined: &Func, i: usize, input: &[u64]) -> Option<u64> {
    let inst = &inlined.insts[i];
    match inst.kind {
        InstKind::Param(n) => Some(canonical(inst.ty, clean(inst.ty, input[n as usize]))),
        InstKind::Const(bits) => Some(canonical(inst.ty, bits)),
        _ => None,
    }
}

/// The kernels of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The routine under test.
    Routine,
    /// Its reference.
    Reference,
    /// The metric.
    Metric,
}

impl Role {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Role::Routine => "routine",
            Role::Reference => "reference",
            Role::Metric => "metric",
        }
    }
}

/// The trace of one kernel of a sweep.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its role.
    pub role: Role,
    /// The kernel.
    pub kernel: &'static Kernel,
    /// The trace.
    pub traced: Result<Traced, BackendError>,
}

impl Part {
    /// Whether the backends differ in it.
    #[must_use]
    pub fn differs(&self) -> bool {
        let found = self.traced.as_ref();
        found.is_ok_and(|t| t.finding != Finding::Same)
    }
}

/// Traces a sweep's routine and reference at the input with this key. If both are equal, it also traces the metric.
#[must_use]
pub fn sweep(sweep: &Sweep, backends: [&dyn Backend; 2], key: i64, depth: Depth) -> Vec<Part> {
    let part = |role, of: &KernelRef, input: &[u64]| Part {
        role,
        kernel: of.kernel,
        traced: kernel(of, backends, input, depth),
    };
    let Some([approx, reference, metric]) = sweep.kernels() else {
        // A function of the host has no operations to trace.
        return Vec::new();
    };
    let inputs = sweep.inputs.columns(std::iter::once(key));
    let routine = part(Role::Routine, approx, &inputs.concat());
    let inputs = sweep.reference.inputs(sweep.inputs, &inputs);
    let reference = part(Role::Reference, reference, &inputs.concat());
    let same = |p: &Part| {
        let traced = p.traced.as_ref().ok()?;
        (traced.compiled[0] == traced.compiled[1]).then(|| traced.compiled[0].clone())
    };
    let mut words = vec![key.cast_unsigned()];
    let agreed = same(&routine).zip(same(&reference));
    let mut parts = vec![routine, reference];
    if let Some((result, reference)) = agreed {
        words.extend(result);
        let mut columns: Vec<Vec<u64>> = reference.into_iter().map(|word| vec![word]).collect();
        complete(sweep.precision, &mut columns, 1);
        words.extend(columns.concat());
        parts.push(part(Role::Metric, metric, &words));
    }
    parts
}
