//! The programs that a backend must compute correctly, bit for bit, before it is trusted.
//!
//! A few kernels that contain every operation are run on inputs for which the known deviations of compilers and devices change the result:
//! contraction, reassociation, flushed subnormals, divisions and square roots that are not correctly rounded, other definitions of minimum,
//! conversion and shift. The results are compared with the interpreter's, and the interpreter's results with a few numbers given by the
//! standard. A short search follows, whose counts and extremes must all be those of the interpreter.
//!
//! A probe that cannot fail shows nothing. So each one has a control: the same kernel written with fused operations. The same comparison on
//! the same backend must detect it.

use kernels_gen::interp::eval_batch;
use kernels_gen::ops::Prim;

use super::interp::Interp;
use super::probe_inputs as inputs;
use super::probe_kernels::{CONTRACTED, DIRECTED, FLOAT, SEARCHED, WORDS, double, float, words};
use super::{Backend, BackendError, KernelRef, Speed, lowered};
use crate::fenv::Guard;
use crate::model::key::Precision;
use crate::model::show;

/// The result of one operation on a backend.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The property that it tests: `contraction`, `division`, ….
    pub subject: &'static str,
    /// The operation, as a formula.
    pub formula: &'static str,
    /// The precision, or `words` for integers, conversions and tables.
    pub group: &'static str,
    /// The number of inputs at which it was evaluated.
    pub inputs: usize,
    /// The first input whose result differs from the standard's.
    pub mismatch: Option<Mismatch>,
}

/// An input with a wrong result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Name, type and bits of the inputs.
    pub inputs: Vec<(String, Prim, u64)>,
    /// Type of the result.
    pub ty: Prim,
    /// The bits it must have.
    pub expected: u64,
    /// The bits that the backend gave.
    pub got: u64,
    /// The number of inputs with a wrong result.
    pub count: usize,
}

/// A value and its bits, for messages.
fn shown(ty: Prim, bits: u64) -> String {
    match ty {
        Prim::F64 => show::full(Precision::F64, bits),
        Prim::F32 => show::full(Precision::F32, bits),
        Prim::I64 => format!("{} ({bits:#018x})", bits as i64),
        Prim::I32 => format!("{} ({bits:#010x})", bits as u32 as i32),
        Prim::Mask => format!("{} ({bits:#x})", bits != 0),
    }
}

impl Outcome {
    /// The property that the first mismatch violates. It is that of the operation, unless a subnormal result became zero, which can happen
    /// in any operation.
    fn shows(&self) -> &'static str {
        let flushed = |m: &Mismatch| {
            let (exponent, fraction, sign) = match m.ty {
                Prim::F64 => (0x7ff << 52, (1 << 52) - 1, 1 << 63),
                Prim::F32 => (0xff << 23, (1 << 23) - 1, 1 << 31),
                _ => return false,
            };
            m.expected & exponent == 0 && m.expected & fraction != 0 && m.got & !sign == 0
        };
        match &self.mismatch {
            Some(m) if flushed(m) => "flush to zero",
            _ => self.subject,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Outcome {
            formula,
            group,
            inputs,
            mismatch,
            ..
        } = self;
        let subject = self.shows();
        write!(f, "{subject} ({group}): {formula}")?;
        let Some(m) = mismatch else {
            return write!(f, ": exact at {inputs} inputs");
        };
        let at: Vec<String> = m
            .inputs
            .iter()
            .map(|(name, ty, bits)| format!("{name} = {}", shown(*ty, *bits)))
            .collect();
        write!(
            f,
            " at {} must be {} and is {} ({} of {inputs} inputs differ)",
            at.join(", "),
            shown(m.ty, m.expected),
            shown(m.ty, m.got),
            m.count
        )
    }
}

/// A kernel of the probe.
struct Group {
    name: &'static str,
    kernel: KernelRef,
    names: &'static [(&'static str, &'static str)],
    inputs: Vec<Vec<u64>>,
    /// Results known from the standard.
    known: &'static [Known],
    /// The control: a kernel whose deviation must be detected.
    control: Option<KernelRef>,
}

/// A result given by the standard: index of the result, inputs, bits.
type Known = (usize, [u64; 3], u64);

/// `t = 1 + 2^-27`, `t * t = 1 + 2^-26 + 2^-54`; the smallest numbers; 1/3, the root of 2.
const KNOWN_F64: &[Known] = &[
    (
        0,
        [
            0x3ff0_0000_0200_0000,
            0x3ff0_0000_0200_0000,
            0xbff0_0000_0400_0000,
        ],
        0,
    ),
    (
        5,
        [
            0x3ff0_0000_0200_0000,
            0x3ff0_0000_0200_0000,
            0xbff0_0000_0400_0000,
        ],
        0x3c90_0000_0000_0000,
    ),
    (7, [0x0010_0000_0000_0001, 0x8010_0000_0000_0000, 0], 1),
    (
        9,
        [0x0010_0000_0000_0000, 0x3fe0_0000_0000_0000, 0],
        0x0008_0000_0000_0000,
    ),
    (
        10,
        [0x3ff0_0000_0000_0000, 0x4008_0000_0000_0000, 0],
        0x3fd5_5555_5555_5555,
    ),
    (11, [0x4000_0000_0000_0000, 0, 0], 0x3ff6_a09e_667f_3bcd),
    (21, [0x4004_0000_0000_0000, 0, 0], 0x4000_0000_0000_0000),
    // Subnormal operands.
    (7, [1, 1, 0], 2),
    (
        9,
        [0x0008_0000_0000_0000, 0x4000_0000_0000_0000, 0],
        0x0010_0000_0000_0000,
    ),
];

/// The same as [`KNOWN_F64`], with `t = 1 + 2^-12`.
const KNOWN_F32: &[Known] = &[
    (0, [0x3f80_0800, 0x3f80_0800, 0xbf80_1000], 0),
    (5, [0x3f80_0800, 0x3f80_0800, 0xbf80_1000], 0x3380_0000),
    (7, [0x0080_0001, 0x8080_0000, 0], 1),
    (9, [0x0080_0000, 0x3f00_0000, 0], 0x0040_0000),
    (10, [0x3f80_0000, 0x4040_0000, 0], 0x3eaa_aaab),
    (11, [0x4000_0000, 0, 0], 0x3fb5_04f3),
    (21, [0x4020_0000, 0, 0], 0x4000_0000),
    (7, [1, 1, 0], 2),
    (9, [0x0040_0000, 0x4000_0000, 0], 0x0080_0000),
];

/// Overflow, underflow, zeros, a third, the root of 2, and sums that differ only in the last digit, in a direction.
const KNOWN_DIRECTED_F64: &[Known] = &[
    (
        0,
        [0x7fef_ffff_ffff_ffff, 0x7fef_ffff_ffff_ffff, 0],
        0x7fef_ffff_ffff_ffff,
    ),
    (
        1,
        [0xffef_ffff_ffff_ffff, 0xffef_ffff_ffff_ffff, 0],
        0xffef_ffff_ffff_ffff,
    ),
    (1, [0x3ff0_0000_0000_0000, 1, 0], 0x3ff0_0000_0000_0001),
    (
        2,
        [0x3ff0_0000_0000_0000, 0xbff0_0000_0000_0000, 0],
        0x8000_0000_0000_0000,
    ),
    (
        3,
        [0x3ff0_0000_0000_0000, 0x3c00_0000_0000_0000, 0],
        0x3fef_ffff_ffff_ffff,
    ),
    (6, [0x8000_0000_0000_0001, 1, 0], 0x8000_0000_0000_0000),
    (7, [1, 1, 0], 1),
    (
        10,
        [0x3ff0_0000_0000_0000, 0x4008_0000_0000_0000, 0],
        0x3fd5_5555_5555_5556,
    ),
    (14, [0xc008_0000_0000_0000, 0, 0], 0xbfd5_5555_5555_5556),
    (15, [0x4000_0000_0000_0000, 0, 0], 0x3ff6_a09e_667f_3bcc),
    (
        20,
        [
            0x4000_0000_0000_0000,
            0x4008_0000_0000_0000,
            0xc018_0000_0000_0000,
        ],
        0x8000_0000_0000_0000,
    ),
    // 1 + 2^-52 minus 2^-1074, toward zero: the far addend changes the last digit.
    (
        18,
        [
            0x3ff0_0000_0000_0000,
            0x3ff0_0000_0000_0001,
            0x8000_0000_0000_0001,
        ],
        0x3ff0_0000_0000_0000,
    ),
];

/// The same as [`KNOWN_DIRECTED_F64`], in binary32.
const KNOWN_DIRECTED_F32: &[Known] = &[
    (0, [0x7f7f_ffff, 0x7f7f_ffff, 0], 0x7f7f_ffff),
    (1, [0xff7f_ffff, 0xff7f_ffff, 0], 0xff7f_ffff),
    (1, [0x3f80_0000, 1, 0], 0x3f80_0001),
    (2, [0x3f80_0000, 0xbf80_0000, 0], 0x8000_0000),
    (3, [0x3f80_0000, 0x3000_0000, 0], 0x3f7f_ffff),
    (6, [0x8000_0001, 1, 0], 0x8000_0000),
    (7, [1, 1, 0], 1),
    (10, [0x3f80_0000, 0x4040_0000, 0], 0x3eaa_aaab),
    (14, [0xc040_0000, 0, 0], 0xbeaa_aaab),
    (15, [0x4000_0000, 0, 0], 0x3fb5_04f3),
    (20, [0x4000_0000, 0x4040_0000, 0xc0c0_0000], 0x8000_0000),
    (18, [0x3f80_0000, 0x3f80_0001, 0x8000_0001], 0x3f80_0000),
];

/// The kernels of the probe, with this many pseudo-random inputs in addition to the handmade ones.
fn groups(extra: usize) -> [Group; 5] {
    let floats = |precision, known: &'static [Known]| {
        // The known cases are inputs too, and the first ones, because contraction is most visible in them.
        let mut columns = inputs::floats(precision, extra);
        for (_, row, _) in known.iter().rev() {
            for (column, &x) in columns.iter_mut().zip(row) {
                column.insert(0, x);
            }
        }
        Vec::from(columns)
    };
    [
        Group {
            name: "f64",
            kernel: KernelRef::of::<double::all>(),
            names: &FLOAT,
            inputs: floats(Precision::F64, KNOWN_F64),
            known: KNOWN_F64,
            control: Some(KernelRef::of::<double::contracted>()),
        },
        Group {
            name: "f32",
            kernel: KernelRef::of::<float::all>(),
            names: &FLOAT,
            inputs: floats(Precision::F32, KNOWN_F32),
            known: KNOWN_F32,
            control: Some(KernelRef::of::<float::contracted>()),
        },
        Group {
            name: "f64",
            kernel: KernelRef::of::<double::directed>(),
            names: &DIRECTED,
            inputs: floats(Precision::F64, KNOWN_DIRECTED_F64),
            known: KNOWN_DIRECTED_F64,
            control: None,
        },
        Group {
            name: "f32",
            kernel: KernelRef::of::<float::directed>(),
            names: &DIRECTED,
            inputs: floats(Precision::F32, KNOWN_DIRECTED_F32),
            known: KNOWN_DIRECTED_F32,
            control: None,
        },
        Group {
            name: "words",
            kernel: KernelRef::of::<words>(),
            names: &WORDS,
            inputs: inputs::words(extra).into(),
            known: &[],
            control: None,
        },
    ]
}

impl Group {
    /// The interpreter's results for the inputs.
    fn expected(&self) -> Result<Vec<Vec<u64>>, BackendError> {
        let _guard = Guard::new();
        let mut outputs = vec![Vec::new(); self.names.len()];
        eval_batch(lowered(self.kernel.kernel)?, &self.columns(), &mut outputs);
        Ok(outputs)
    }

    fn columns(&self) -> Vec<&[u64]> {
        self.inputs.iter().map(Vec::as_slice).collect()
    }

    /// Compares results with the expected ones; there are as many names as results.
    fn compare(
        &self,
        expected: &[Vec<u64>],
        got: &[Vec<u64>],
    ) -> Result<Vec<Outcome>, BackendError> {
        let program = lowered(self.kernel.kernel)?;
        let entry = program.entry();
        let outcome = |(i, got): (usize, &Vec<u64>)| {
            let differ = |&r: &usize| expected[i].get(r) != got.get(r);
            let rows = expected[i].len().max(got.len());
            let mut wrong = (0..rows).filter(differ);
            let mismatch = wrong.next().map(|row| Mismatch {
                inputs: entry
                    .params
                    .iter()
                    .zip(&self.inputs)
                    .map(|((name, ty), c)| (name.clone(), *ty, c.get(row).copied().unwrap_or(0)))
                    .collect(),
                ty: entry.ty(entry.results[i]),
                expected: expected[i].get(row).copied().unwrap_or(0),
                got: got.get(row).copied().unwrap_or(0),
                count: 1 + wrong.count(),
            });
            let (subject, formula) = self.names[i];
            Outcome {
                subject,
                formula,
                group: self.name,
                inputs: rows,
                mismatch,
            }
        };
        Ok(got.iter().enumerate().map(outcome).collect())
    }

    /// Compares the results given by the standard with the interpreter's.
    fn check_known(&self, expected: &[Vec<u64>]) -> Result<(), String> {
        for (result, inputs, bits) in self.known {
            let row = (0..self.inputs[0].len())
                .find(|&r| self.inputs.iter().zip(inputs).all(|(c, x)| c[r] == *x));
            let found = row.map(|r| expected[*result][r]);
            if found != Some(*bits) {
                let formula = self.names[*result].1;
                return Err(format!(
                    "the interpreter itself is wrong: {formula} ({}) at {inputs:x?} must be {bits:#x} and is {found:x?}",
                    self.name
                ));
            }
        }
        Ok(())
    }

    fn run(&self, kernel: &KernelRef, results: usize, backend: &dyn Backend) -> Evaluated {
        let mut got = vec![Vec::new(); results];
        backend.load(kernel)?.eval(&self.columns(), &mut got)?;
        Ok(got)
    }
}

type Evaluated = Result<Vec<Vec<u64>>, BackendError>;

fn refused(backend: &dyn Backend, reason: String) -> BackendError {
    BackendError::Refused {
        backend: backend.id().into(),
        reason,
    }
}

impl Group {
    /// The outcome of each operation, and whether the control was detected.
    fn examine(&self, backend: &dyn Backend) -> Result<Vec<Outcome>, BackendError> {
        let expected = self.expected()?;
        self.check_known(&expected)
            .map_err(|reason| refused(backend, reason))?;
        let got = self.run(&self.kernel, self.names.len(), backend)?;
        let outcomes = self.compare(&expected, &got)?;
        // A backend that fails is refused for that failure; the control is only for those that pass.
        let exact = outcomes.iter().all(|o| o.mismatch.is_none());
        if let Some(control) = self.control.filter(|_| exact) {
            let results = lowered(control.kernel)?.entry().results.len();
            let got = self.run(&control, results, backend)?;
            let caught = self.compare(&expected, &got)?;
            if let Some(blind) = caught[..CONTRACTED].iter().find(|o| o.mismatch.is_none()) {
                let reason = format!(
                    "the probe cannot see contraction: a fused {} ({}) gives what two roundings give",
                    blind.formula, blind.group
                );
                return Err(refused(backend, reason));
            }
        }
        Ok(outcomes)
    }
}

/// The kernels with as many pseudo-random inputs as suit the backend's speed.
fn groups_for(backend: &dyn Backend) -> [Group; 5] {
    groups(if is_slow(backend) { 64 } else { 4096 })
}

/// Whether the backend gets the shorter form of the probe.
fn is_slow(backend: &dyn Backend) -> bool {
    backend.speed() == Speed::Simulated
}

/// Runs every kernel of the probe on a backend; returns the outcome of each operation.
///
/// # Errors
/// If a kernel does not compile or run there; [`BackendError::Refused`] if the control was not detected or a search is wrong.
pub fn examine(backend: &dyn Backend) -> Result<Vec<Outcome>, BackendError> {
    let mut outcomes = Vec::new();
    for group in groups_for(backend) {
        outcomes.extend(group.examine(backend)?);
    }
    search(backend)?;
    Ok(outcomes)
}

/// Compares a search's results with the interpreter's, because the reduction differs between backends.
fn search(backend: &dyn Backend) -> Result<(), BackendError> {
    let sweep = &SEARCHED;
    let (mut oracle, mut tried) = (Interp.load_sweep(sweep)?, backend.load_sweep(sweep)?);
    let key = |x: f64| sweep.precision.key_of_bits(x.to_bits());
    let many = if is_slow(backend) { 64 } else { 4096 };
    for (first, count) in [
        (key(1.0), many),
        // Subnormals of both signs and zeros; finite numbers, infinity and NaNs.
        (-7, 15),
        (key(f64::INFINITY) - 9, 19),
        (key(-2.0), 1),
    ] {
        let (want, got) = (oracle.run(first, count)?, tried.run(first, count)?);
        if want != got {
            let reason = format!(
                "search: {} against {} over {count} inputs from {} must be {want:?} and is {got:?}: different are {}",
                sweep.candidate.name(),
                sweep.reference.name(),
                show::full(sweep.precision, sweep.precision.bits_of_key(first)),
                want.differing_fields(&got).join(", ")
            );
            return Err(refused(backend, reason));
        }
    }
    Ok(())
}

/// Decides whether a backend is trusted. It stops at the first kernel or search with a wrong result.
///
/// # Errors
/// [`BackendError::Refused`] with the first wrong operation, the input and both results; also as for [`examine`].
pub fn probe(backend: &dyn Backend) -> Result<(), BackendError> {
    for group in groups_for(backend) {
        let outcomes = group.examine(backend)?;
        let mut wrong = outcomes.iter().filter(|o| o.mismatch.is_some());
        let Some(first) = wrong.next() else { continue };
        let others = match wrong.count() {
            0 => String::new(),
            1 => "; another operation is wrong as well".into(),
            n => format!("; {n} other operations are wrong as well"),
        };
        return Err(refused(backend, format!("{first}{others}")));
    }
    search(backend)
}

/// All kernels of the probe.
#[cfg(all(test, feature = "cuda"))]
pub(super) fn kernels() -> Vec<KernelRef> {
    let groups = groups(0);
    let controls = groups.iter().filter_map(|g| g.control);
    groups.iter().map(|g| g.kernel).chain(controls).collect()
}

#[cfg(test)]
mod tests;
