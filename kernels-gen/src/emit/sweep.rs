//! The search kernel: every work item evaluates approximation and reference on its own keys, computes the metric of
//! each result and accumulates the parts of a block's result. At the end, it writes one record per lane.
//!
//! Keys are inputs in the order of the reals (see the search's key module): `bits = key < 0 ? key ^ 0x7fff…f : key`.
//! Item `i` of `s` takes keys `first + i`, `first + i + s`, …. So an item's keys ascend, and a strict comparison
//! keeps the smallest key of a tie.
//!
//! With vectors, items take chunks of neighbouring keys in this order, instead of single keys: see `search_opencl_cpu.rs`.

use super::c::{self, Writer};
use super::expr::float;
use super::function::Callee;
use super::lang::Lang;
use super::link::Linked;
use super::search_cuda::Grid;
use super::search_opencl_cpu::{CHUNK, Passes};
use super::search_opencl_gpu::Reduce;
use super::{Dialect, EmitError, Options, Signature, Source};
use crate::ops::Prim;
use crate::program::Program;
pub use crate::reduction::NO_KEY;
use crate::reduction::{ONE_WORD, WORDS, Word};

/// The names of a record's words, in order: those of [`WORDS`], the table of the reduction.
///
/// Errors are `f64` bits, never negative. Keys are two's complement. If no input attained an extreme, its error is
/// 0 and its key [`NO_KEY`]. If a fault never occurred, its key is 0. `check` is the [`check`] of the others, computed
/// by the thread that wrote them. If a word changes afterwards, in the device's memory or on the way from it, the check no
/// longer holds.
pub const RECORD: &[&str] = &{
    let mut names = [""; WORDS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = WORDS[i].name();
        i += 1;
    }
    names
};

/// The index of the word `check` in a record.
pub const CHECK: usize = {
    let mut i = 0;
    while !matches!(WORDS[i], Word::Check) {
        i += 1;
    }
    i
};

/// The factor of word `i` of a record in the check. It is odd, so a change of a single word always changes the
/// sum.
#[must_use]
pub const fn check_weight(i: usize) -> u64 {
    let mut weight: u64 = 1;
    let mut n = 0;
    while n <= i {
        weight = weight.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        n += 1;
    }
    weight
}

/// The check of a record: each other word times its weight, added modulo 2^64.
#[must_use]
pub fn check(record: &[u64]) -> u64 {
    let others = record.iter().enumerate().filter(|(i, _)| *i != CHECK);
    others.fold(0, |sum: u64, (i, word)| {
        sum.wrapping_add(word.wrapping_mul(check_weight(i)))
    })
}

/// The routine under test: one float of the search's precision to one.
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
    /// The reference. For `F64` routines: one `F64` to one or, as a double-double, two. A third result, an `I64`,
    /// is a scale: the value is the double-double times this power of two. For `F32` routines: one `F32` or `F64` to
    /// one `F64`.
    pub reference: &'a Program,
    /// The metric of one input: (key: `I64`, approx, reference words) to (signed error in ULP: `F64`, histogram bin: `I64`,
    /// flags ([`crate::reduction::Flag`]): `I64`, digest term: `I64`). The reference is two words and the scale ([`ONE_WORD`]
    /// if there is only one word) for `F64` routines, one word for `F32`.
    pub metric: &'a Program,
    /// The metric for inputs without special properties. CUDA's texts and those with vectors use it; without it they
    /// are slower.
    pub fast_path: Option<FastPath<'a>>,
    /// `F64` or `F32`.
    pub precision: Prim,
}

/// A fast path of the metric, for inputs with neither a fault nor an unusual error. In most searches, these are most
/// of the inputs.
///
/// It is evaluated if the reference's scale is 0 or there is no scale. If it returns that it holds, its results
/// must be the metric's. Flag 1 must then be set exactly in bins from 2 on, and no other flag. On CUDA it need not check
/// the error, which the text itself compares with 2 ULP. On CUDA, NaNs are passed to it with unchanged
/// bits, so the error must be a NaN if an operand is one.
#[derive(Debug, Clone, Copy)]
pub struct FastPath<'a> {
    /// (the key times `key_factor`, wrapping: `I64`, approx, reference words) to (signed error in ULP: `F64`, histogram
    /// bin in the low four bits: `I64`, misrounded: `Mask`, digest term: `I64`, whether the fast path holds: `Mask`).
    pub program: &'a Program,
    /// The factor of the keys; the loop updates the product by addition.
    pub key_factor: i64,
}

/// Lane types of a program's parameters and results.
pub(super) fn signature(program: &Program) -> (Vec<Prim>, Vec<Prim>) {
    let entry = program.entry();
    (
        entry.params.iter().map(|&(_, p)| p).collect(),
        entry.results.iter().map(|&v| entry.ty(v)).collect(),
    )
}

/// The error that a program is not what a search needs.
pub(super) fn unfit(role: &str, program: &Program, want: &str) -> EmitError {
    let (params, results) = signature(program);
    let name = &program.entry().name;
    EmitError(format!(
        "{role} `{name}` is {params:?} -> {results:?}; a search needs {want}"
    ))
}

impl Sweep<'_> {
    /// Checks that the three programs fit together.
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

/// The search kernel of three programs; see [`Signature::Sweep`] for its arguments and [`RECORD`] for its results.
///
/// # Errors
/// If the programs' signatures are not as in [`Sweep`].
pub fn sweep_kernel(sweep: &Sweep, options: &Options) -> Result<Source, EmitError> {
    sweep.check()?;
    let title = format!(
        "{} against {}, measured by {}: a search by DoubleCrunch",
        sweep.approx.name(),
        sweep.reference.entry().name,
        sweep.metric.entry().name
    );
    let (text, entry) = match options.lang().lanes() {
        _ if options.dialect == Dialect::Cuda => by_grid(sweep, options, &title)?,
        1 => by_key(sweep, options, &title)?,
        _ => by_chunk(sweep, options, &title)?,
    };
    Ok(Source {
        text,
        entry,
        dialect: options.dialect,
        lanes: match options.lang().lanes() {
            1 => 1,
            _ => CHUNK,
        },
        signature: Signature::Sweep,
    })
}

pub(super) fn kernel_name(sweep: &Sweep, linked: &mut Linked) -> String {
    // An instruction's name has dots.
    let hint = format!("{}_sweep", sweep.approx.name().replace('.', "_"));
    linked.names.fresh(&hint)
}

/// The text in which an item processes key after key, and the kernel's name.
fn by_key(sweep: &Sweep, options: &Options, title: &str) -> Result<(String, String), EmitError> {
    let lang = options.lang();
    let lang = lang.as_ref();
    let mut linked = Linked::default();
    let [approx, reference, metric] =
        [sweep.approx.program()?, sweep.reference, sweep.metric].map(|p| linked.add(p));
    let name = kernel_name(sweep, &mut linked);
    let mut writer = Writer::new(lang, &linked, options.line_directives);
    let calls = [approx, reference, metric].map(|i| linked.funcs[i].name.clone());
    let text = Reduce { lang, sweep, calls }.kernel(&name, &mut writer);
    Ok((writer.finish(title, &text), name))
}

/// CUDA's text, and the kernel's name.
fn by_grid(sweep: &Sweep, options: &Options, title: &str) -> Result<(String, String), EmitError> {
    let lang = options.lang();
    let lang = lang.as_ref();
    let mut linked = Linked::default();
    let (called, before) = match sweep.approx {
        Routine::Program(program) => {
            let i = linked.add(program);
            (linked.funcs[i].name.clone(), String::new())
        }
        Routine::Function(name) => {
            let callee = Callee::new(name, sweep.precision, 1, options.dialect)?;
            (callee.name, callee.definitions + &callee.assertion + "\n\n")
        }
    };
    let [reference, metric] = [sweep.reference, sweep.metric].map(|p| linked.add(p));
    let fast_path = sweep.fast_path.map(|o| linked.add_raw(o.program));
    let name = kernel_name(sweep, &mut linked);
    let mut writer = Writer::new(lang, &linked, options.line_directives);
    let function = |i: usize| linked.funcs[i].name.clone();
    let grid = Grid {
        lang,
        sweep,
        calls: [called, function(reference), function(metric)],
        fast_path: fast_path.map(function),
    };
    let text = before + &grid.kernels(&name, &mut writer);
    Ok((writer.finish(title, &text), name))
}

/// The text in which an item processes chunk after chunk, and the kernel's name.
fn by_chunk(sweep: &Sweep, options: &Options, title: &str) -> Result<(String, String), EmitError> {
    let metric_options = Options {
        lanes: options.register,
        ..*options
    };
    let (lang, metric) = (options.lang(), metric_options.lang());
    let (lang, metric) = (lang.as_ref(), metric.as_ref());
    let mut kernels = Linked::default();
    let [approx, reference] = [sweep.approx.program()?, sweep.reference].map(|p| kernels.add(p));
    let mut metrics = Linked::behind(&kernels);
    let verdict = metrics.add(sweep.metric);
    let fast_path = sweep
        .fast_path
        .as_ref()
        .map(|o| (o, metrics.add(o.program)));
    let name = kernel_name(sweep, &mut metrics);
    let mut writer = Writer::new(lang, &kernels, options.line_directives);
    let mut metric_writer = Writer::new(metric, &metrics, options.line_directives);
    let passes = Passes {
        sweep,
        lang,
        metric,
        calls: [
            kernels.funcs[approx].name.clone(),
            kernels.funcs[reference].name.clone(),
            metrics.funcs[verdict].name.clone(),
        ],
        fast_path: fast_path.map(|(o, i)| (o, metrics.funcs[i].name.clone())),
    };
    let kernel = passes.kernel(&name, &mut writer, &mut metric_writer);
    let text = c::top(title, lang) + &writer.definitions() + &metric_writer.definitions() + &kernel;
    Ok((text, name))
}

#[cfg(test)]
mod tests {
    use super::{CHECK, RECORD, check, check_weight};

    #[test]
    fn no_word_changes_without_its_check() {
        assert_eq!(RECORD[CHECK], "check");
        let record: Vec<u64> = (0..RECORD.len() as u64).map(|i| i * i).collect();
        let right = check(&record);
        for i in 0..RECORD.len() {
            assert_eq!(check_weight(i) & 1, 1);
            for bit in 0..64 {
                let mut other = record.clone();
                other[i] ^= 1 << bit;
                assert_eq!(check(&other) == right, i == CHECK, "word {i}, bit {bit}");
            }
        }
    }

    #[test]
    fn words_of_a_record_are_apart() {
        let set: std::collections::HashSet<_> = RECORD.iter().collect();
        assert_eq!((set.len(), RECORD.len()), (33, 33));
    }
}
