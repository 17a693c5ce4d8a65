//! A search in the form that an emitter takes: the routine, its reference and the metric.

use super::EmitError;
use super::expr::float;
use super::lang::Lang;
use super::link::Linked;
use crate::ops::Prim;
use crate::program::Program;
use crate::reduction::ONE_WORD;

/// The routine under test: a function from one float of the search's precision to another.
#[derive(Debug, Clone, Copy)]
pub enum Routine<'a> {
    /// A program.
    Program(&'a Program),
    /// A function of the language, only in CUDA C: see [`function_kernel`](super::function_kernel). The text must be compiled
    /// with the language's defaults. They change nothing else in it, because each operation states its rounding.
    Function(&'a str),
}

impl<'a> Routine<'a> {
    /// Its name.
    pub(super) fn name(&self) -> &'a str {
        match self {
            Routine::Program(program) => &program.entry().name,
            Routine::Function(name) => name,
        }
    }

    /// The program.
    ///
    /// # Errors
    /// If it is a function of the language.
    pub(super) fn program(&self) -> Result<&'a Program, EmitError> {
        match self {
            Routine::Program(program) => Ok(program),
            Routine::Function(name) => Err(EmitError(format!(
                "`{name}` is a function of CUDA, which only a full search in CUDA C evaluates"
            ))),
        }
    }
}

/// A routine, its reference and the metric.
#[derive(Debug, Clone, Copy)]
pub struct Sweep<'a> {
    /// The routine under test.
    pub approx: Routine<'a>,
    /// The reference. For `F64` routines: from one `F64` to one `F64` or, as a double-double, two. A third result, an `I64`, is a scale:
    /// the value is the double-double times this power of two. For `F32` routines: from one `F32` or `F64` to one `F64`.
    pub reference: &'a Program,
    /// The metric of one input: (key: `I64`, approx, reference words) to (signed error in ULP: `F64`, histogram bin: `I64`,
    /// flags ([`crate::reduction::Flag`]): `I64`, digest term: `I64`). The reference is two words and the scale ([`ONE_WORD`]
    /// if there is only one word) for `F64` routines, one word for `F32`.
    pub metric: &'a Program,
    /// The metric for inputs without special properties. CUDA's texts and those with vectors use it, and are slower without it.
    pub fast_path: Option<FastPath<'a>>,
    /// `F64` or `F32`.
    pub precision: Prim,
}

/// A fast path of the metric, for inputs with neither a fault nor an unusual error. In most searches, these are most
/// of the inputs.
///
/// It is evaluated if the reference's scale is 0 or there is no scale. If it returns that it holds, its results must be the metric's, and
/// no flag except that of a misrounded input may be set. On CUDA it need not check an error in ULP, because the text itself compares the
/// error with 2 ULP. On CUDA, NaNs are passed to it with unchanged bits. So the error must be a NaN if an operand is a NaN, or the fast
/// path must not hold.
#[derive(Debug, Clone, Copy)]
pub struct FastPath<'a> {
    /// (the key times `key_factor`, wrapping: `I64`, approx, reference words) to (signed error in ULP: `F64`, histogram
    /// bin in the low four bits: `I64`, misrounded: `Mask`, digest term: `I64`, whether the fast path holds: `Mask`).
    pub program: &'a Program,
    /// The factor of the keys; the loop updates the product by addition.
    pub key_factor: i64,
    /// Whether an input is misrounded exactly if its bin is at least [`HALF_BIN`](crate::reduction::HALF_BIN), and bins are below 8. This
    /// is the case for errors in ULP.
    pub in_ulp: bool,
}

/// Lane types of a program's parameters and results.
pub(super) fn signature(program: &Program) -> (Vec<Prim>, Vec<Prim>) {
    let entry = program.entry();
    (
        entry.params.iter().map(|&(_, p)| p).collect(),
        entry.results.iter().map(|&v| entry.ty(v)).collect(),
    )
}

/// The error for a program that is not what a search needs.
pub(super) fn unfit(role: &str, program: &Program, want: &str) -> EmitError {
    let (params, results) = signature(program);
    let name = &program.entry().name;
    EmitError(format!(
        "{role} `{name}` is {params:?} -> {results:?}; a search needs {want}"
    ))
}

impl Sweep<'_> {
    /// Checks that the three programs match.
    pub(super) fn check(&self) -> Result<(), EmitError> {
        use Prim::{F32, F64, I64, Mask};
        let complain = |role: &str, program: &Program, want: &str| Err(unfit(role, program, want));
        let p = self.precision;
        if !p.is_float() {
            return Err(EmitError(format!(
                "a search is over F64 or F32 inputs, not {p:?}"
            )));
        }
        if let Routine::Program(approx) = self.approx
            && signature(approx) != (vec![p], vec![p])
        {
            let want = format!("[{p:?}] -> [{p:?}]");
            return complain("the approximation", approx, &want);
        }
        let (params, results) = signature(self.reference);
        let words = if p == F64 {
            matches!(results[..], [F64] | [F64, F64] | [F64, F64, I64])
        } else {
            results == [F64]
        };
        let input = params == [p] || params == [F64];
        if !(words && input) {
            let want = if p == F64 {
                "[F64] -> [F64], [F64, F64] or [F64, F64, I64]"
            } else {
                "[F32] or [F64] -> [F64]"
            };
            return complain("the reference", self.reference, want);
        }
        let params = if p == F64 {
            vec![I64, F64, F64, F64, I64]
        } else {
            vec![I64, F32, F64]
        };
        let words = params[..params.len().min(4)].to_vec();
        let metrics = [
            (
                "the metric",
                Some(self.metric),
                (params, vec![F64, I64, I64, I64]),
            ),
            (
                "the fast path",
                self.fast_path.map(|o| o.program),
                (words, vec![F64, I64, Mask, I64, Mask]),
            ),
        ];
        for (role, program, want) in metrics {
            if let Some(program) = program.filter(|&p| signature(p) != want) {
                return complain(role, program, &format!("{:?} -> {:?}", want.0, want.1));
            }
        }
        Ok(())
    }
}

/// The words of a reference `r` as arguments, where `r` has the scalar type of its function.
pub(super) struct Words {
    /// The arguments that the metric and its fast path have in common.
    pub both: String,
    /// The further argument of the metric: the scale, for `F64` routines.
    pub scale: String,
    /// Whether the scale is a result of the reference.
    pub scaled: bool,
}

impl Words {
    pub fn of(lang: &dyn Lang, sweep: &Sweep) -> Words {
        let z = lang.suffix(Prim::I64);
        let (both, scale, scaled) = match (signature(sweep.reference).1.len(), sweep.precision) {
            (3, _) => ("r.r0, r.r1".into(), ", r.r2".into(), true),
            (2, _) => ("r.r0, r.r1".into(), format!(", 0{z}"), false),
            (_, Prim::F64) => (
                format!("r, {}", float(lang, Prim::F64, 0)),
                format!(", 0x{ONE_WORD:016x}{z}"),
                false,
            ),
            _ => ("r".into(), String::new(), false),
        };
        Words {
            both,
            scale,
            scaled,
        }
    }
}

pub(super) fn kernel_name(sweep: &Sweep, linked: &mut Linked) -> String {
    // An instruction's name has dots.
    let hint = format!("{}_sweep", sweep.approx.name().replace('.', "_"));
    linked.names.fresh(&hint)
}
