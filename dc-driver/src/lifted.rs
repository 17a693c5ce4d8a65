//! A function in a source file as the candidate: `--lift exp.c:my_exp --computes exp`.
//!
//! The compiled original is searched, like a function of a library. Bounds and proofs are about the program that was lifted from it. Their
//! output states on how many inputs the two were compared.

use dc_runtime::model::programs::program_of;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use dc_lift::Options;
use dc_lift::exec::Shape;
use dc_lift::ir::Type;
use dc_lift::session::{Failed, Outcome, Request, Session};
use dc_lift::verify::{Compared, Extent};
use kernels_gen::interp::Interpreter;
use kernels_gen::ir::Kernel;
use kernels_gen::program::Program;
use kernels_gen::syntax::tree;

use super::args::{Contract, LiftedArgs, SourceArgs};
use super::context::Context;
use super::exit;
use super::failure::Failure;
use super::folder::Temporary;
use super::meant::{Meant, Purpose};
use dc_runtime::backend::{Backend, CpuPoint, Discovery, KernelRef, original};
use dc_runtime::model::candidate::Candidate;
use dc_runtime::model::family::Family;
use dc_runtime::model::key::Precision;
use dc_runtime::model::library::LibraryFunction;
use dc_runtime::model::show;
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::range::quote;
use dc_runtime::sweep::Sweep;

/// The number of inputs that are compared before a question is answered; `crunch lift` compares more.
const SAMPLE: u64 = 1 << 22;
/// The step through all inputs of binary32.
const EVERY: u64 = 257;

/// The settings of the lifter, from the command line.
pub(super) fn options(
    contract: Option<Contract>,
    allow: &[String],
    unroll: Option<u32>,
) -> Options {
    Options {
        contract: contract.map(|c| c == Contract::On),
        // One program, which proofs are about.
        inline: dc_lift::Inline::All,
        allow: allow.to_vec(),
        unroll,
    }
}

/// Refuses options of `--lift` if `--lift` is missing. clap cannot do this, because it does not require an argument that excludes a given
/// one, the sweep. `meant` lists the options that name a reference, if they are only for `--lift`.
pub(super) fn alone_is_refused(args: &LiftedArgs, meant: &[(&str, bool)]) -> Result<(), Failure> {
    let own = [
        ("contract", args.contract.is_some()),
        ("allow", !args.allow.is_empty()),
        ("unroll", args.unroll.is_some()),
        ("compiler-flag", !args.compiler_flag.is_empty()),
    ];
    match meant.iter().chain(&own).find(|g| g.1) {
        Some((name, _)) if args.lift.is_none() => Err(Failure::input(format!(
            "--{name} needs --lift SOURCE:NAME instead of a sweep"
        ))),
        _ => Ok(()),
    }
}

/// Lifts a function. The compilers' files go into a folder.
pub(super) fn lift(request: &Request, folder: &Temporary) -> Result<(Session, Outcome), Failure> {
    let session = Session::open(
        &request.sources,
        &request.flags,
        &request.options,
        &folder.0,
    )
    .map_err(|e| Failure::input(e.to_string()))?;
    let outcome = session.run(request).map_err(|e| match e {
        Failed::Kernel(_) => Failure::failed(e.to_string()),
        Failed::Tool(_) | Failed::Refused(_) => Failure::input(e.to_string()),
    })?;
    Ok((session, outcome))
}

/// The name at the end of a path of Rust.
pub(super) fn last(function: &str) -> &str {
    function.rsplit("::").next().unwrap_or(function)
}

/// A function in a source file that was lifted.
struct Made {
    session: Session,
    outcome: Outcome,
    kernel: &'static Kernel,
    /// Its source, and its path there.
    source: String,
    function: String,
    contract: bool,
    temporary: Temporary,
}

impl Made {
    /// The name at the end of its path.
    fn name(&self) -> &str {
        last(&self.function)
    }

    /// Prints how the lifted function compares with its original.
    ///
    /// # Errors
    /// If they differ.
    fn is_the_same(&self, context: &mut Context) -> Result<(), Failure> {
        let compared = same(&self.function, &self.outcome)?;
        context.note(&format!(
            "{} of {}: {} operations, lifted in {}; {compared}",
            self.function,
            self.source,
            self.outcome.operations,
            show::seconds(self.outcome.time.as_secs_f64())
        ));
        Ok(())
    }
}

/// Lifts the function on the command line, if there is one.
fn made(args: &LiftedArgs) -> Result<Option<Made>, Failure> {
    let Some(text) = &args.lift else {
        return Ok(None);
    };
    let (source, function) = parts(text).ok_or_else(|| {
        Failure::input(format!(
            "`{}` does not name a function of a source: write SOURCE:NAME, such as exp.c:my_exp",
            quote(text)
        ))
    })?;
    let temporary = Temporary::new("lift")?;
    let jobs = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let request = Request {
        sources: vec![source.into()],
        function: function.into(),
        flags: args.compiler_flag.clone(),
        options: options(args.contract, &args.allow, args.unroll),
        extent: Some(Extent {
            every: EVERY,
            sample: SAMPLE,
            jobs,
        }),
    };
    let (session, outcome) = lift(&request, &temporary)?;
    Ok(Some(Made {
        kernel: tree::kernel(&outcome.unit),
        session,
        outcome,
        source: source.into(),
        function: function.into(),
        contract: request.options.contract == Some(true),
        temporary,
    }))
}

/// The kernel of the function on the command line, if there is one.
pub(super) fn kernel(
    args: &LiftedArgs,
    context: &mut Context,
) -> Result<Option<&'static Kernel>, Failure> {
    alone_is_refused(args, &[])?;
    let Some(made) = made(args)? else {
        return Ok(None);
    };
    made.is_the_same(context)?;
    Ok(Some(made.kernel))
}

/// The sweep of the function on the command line, if there is one. Its library is written to `keep`, or to a file that is removed when the
/// process has loaded it.
pub(super) fn sweep(
    args: &LiftedArgs,
    (meant, purpose): (Meant<'_>, Purpose),
    keep: Option<&Path>,
    context: &mut Context,
) -> Result<Option<Sweep>, Failure> {
    if args.lift.is_none() {
        return Ok(None);
    }
    let computed = meant.given()?.function()?;
    let Some(made) = made(args)? else {
        return Ok(None);
    };
    // Before the comparison: a conversion that C leaves undefined may differ, and is no finding then.
    let inputs = inputs(&made.outcome.lifted.shape).ok_or_else(|| {
        Failure::input(format!(
            "`{}` is not a function of one or two floats, or of one or two doubles, with a result of the same type",
            quote(made.name())
        ))
    })?;
    made.is_the_same(context)?;
    let file = keep.map_or_else(|| made.temporary.0.join("lifted.so"), Path::to_path_buf);
    made.session
        .library(&made.outcome, made.contract, made.name(), &file)
        .map_err(|e| Failure::input(e.to_string()))?;
    let purpose = match inputs.precision() {
        // All inputs of binary32 are run, also for a bound.
        Precision::F32 if purpose == Purpose::Bound => Purpose::Search,
        _ => purpose,
    };
    let against = meant.reference(inputs, purpose)?;
    let file = file.canonicalize().unwrap_or(file);
    let function = LibraryFunction::open(&file.to_string_lossy(), made.name(), inputs)?
        .with_kernel(made.kernel);
    if keep.is_none() {
        // Each worker loads the file.
        context.folders.push(made.temporary);
    }
    // A sweep and its name are static data of the program: there is one per command, and so one per process.
    let function: &'static LibraryFunction = Box::leak(Box::new(function));
    let sweep = Sweep::accuracy_only(
        function.symbol(),
        Candidate::Library(function),
        against,
        "all",
    );
    Ok(Some(computed.map_or(sweep, |f| sweep.of(f))))
}

/// The program's sweeps, with that of the function on the command line as the only one, and its name.
pub(super) fn alone(args: &SourceArgs, context: &mut Context) -> Result<Option<String>, Failure> {
    let meant = Meant::source(args);
    alone_is_refused(&args.lifted, &meant.options())?;
    let Some(sweep) = sweep(&args.lifted, (meant, Purpose::Bound), None, context)? else {
        return Ok(None);
    };
    context.sweeps = Box::leak(Box::new([sweep]));
    Ok(Some(sweep.name().into()))
}

/// The sweep of a lifted program, and the backend that is its original.
pub(super) type Pair = (Sweep, Arc<dyn Backend>);

/// The lifted program of the one sweep of this process; see [`interpreted`].
static PROGRAM: OnceLock<&'static Program> = OnceLock::new();

/// The lifted program in the form of a compiled kernel, since rustc has not compiled it.
fn interpreted(inputs: &[&[u64]], outputs: &mut [Vec<u64>]) {
    if let Some(program) = PROGRAM.get() {
        outputs.iter_mut().for_each(Vec::clear);
        Interpreter::new(program).run(inputs, outputs);
    }
}

/// The sweep of the lifted program, which backends compare, with the original as the first backend. Only backends that compile text or
/// interpret are used.
pub(super) fn for_backends(
    args: &SourceArgs,
    context: &mut Context,
) -> Result<Option<Pair>, Failure> {
    let meant = Meant::source(args);
    alone_is_refused(&args.lifted, &meant.options())?;
    let Some(sweep) = sweep(&args.lifted, (meant, Purpose::Backends), None, context)? else {
        return Ok(None);
    };
    let Candidate::Library(function) = sweep.candidate() else {
        return Ok(None);
    };
    let Some(kernel) = function.lifted() else {
        return Ok(None);
    };
    let program = program_of(kernel).map_err(|e| Failure::failed(e.to_string()))?;
    PROGRAM.get_or_init(|| program);
    let candidate = Candidate::Kernel(KernelRef {
        kernel,
        cpu: CpuPoint::all(interpreted),
        written: None,
    });
    let of_kernel = sweep.with_candidate(candidate, sweep.inputs());
    Ok(Some((of_kernel, original::of(function)?)))
}

/// Removes the processor's instruction sets, for which rustc compiles kernels.
pub(super) fn without_sets(discovery: &mut Discovery, context: &mut Context) {
    let is_set = |id: &str| matches!(Family::of(id), Some(Family::Set(_)));
    let all = std::mem::take(&mut discovery.backends);
    let (sets, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|b| is_set(b.id()));
    discovery.backends = others;
    if !sets.is_empty() {
        let ids: Vec<&str> = sets.iter().map(|b| b.id()).collect();
        context.note(&format!(
            "{}: left out, because they run only kernels that rustc compiled; `crunch lift` writes such a kernel",
            ids.join(", ")
        ));
    }
}

/// The library of a search that can be resumed. It is stored beside the run file, which names it.
pub(super) fn beside(run_file: Option<&Path>, lift: &str) -> PathBuf {
    let name = last(parts(lift).map_or(lift, |p| p.1));
    run_file
        .map_or_else(|| name.into(), Path::to_path_buf)
        .with_extension("so")
}

/// The source and the function of `SOURCE:NAME`; a path of Rust has two colons.
fn parts(text: &str) -> Option<(&str, &str)> {
    let (source, function) = text.split_once(':')?;
    let named = !source.is_empty() && !function.is_empty() && !function.starts_with(':');
    named.then_some((source, function))
}

fn inputs(shape: &Shape) -> Option<InputSpace> {
    let one = match shape.ret {
        Type::Float => "f32",
        Type::Double => "f64",
        _ => return None,
    };
    let alike = shape.stored.is_empty() && shape.params.iter().all(|p| *p == shape.ret);
    let signature = match shape.params.len() {
        1 => one.to_string(),
        2 => format!("{one},{one}"),
        _ => return None,
    };
    InputSpace::of_signature(&signature).filter(|_| alike)
}

/// The exception in a comparison with the result "the same": inputs that kernels do not have; empty if there are none.
pub fn nans(compared: &Compared) -> String {
    match compared.nans {
        0 => String::new(),
        n => format!(
            ", except at {} NaNs with a sign or a payload: a kernel has one NaN",
            show::count(n.into())
        ),
    }
}

/// The result of comparing the original with the lifted program; an error if they differ or were not compared.
fn same(function: &str, outcome: &Outcome) -> Result<String, Failure> {
    match &outcome.compared {
        Err(e) => Err(Failure::failed(format!(
            "the lifted program of `{}` was not compared with the original: {e}",
            quote(function)
        ))),
        Ok(c) if c.differ == 0 => {
            let of = if c.all { "all " } else { "" };
            let count = show::count(c.inputs.into());
            Ok(format!(
                "{of}{count} inputs compared with the compiled original: bit for bit the same{}",
                nans(c)
            ))
        }
        Ok(c) => Err(Failure {
            code: exit::FINDING,
            ..Failure::failed(format!(
                "the lifted program of `{}` differs from the compiled original at {} of {} inputs; `crunch lift` shows the first",
                quote(function),
                show::count(c.differ.into()),
                show::count(c.inputs.into())
            ))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_and_its_function() {
        assert_eq!(parts("a/exp.c:my_exp"), Some(("a/exp.c", "my_exp")));
        assert_eq!(parts("lib.rs:fast::exp"), Some(("lib.rs", "fast::exp")));
        for none in ["exp.c", "exp.c:", ":exp", "fast::exp"] {
            assert_eq!(parts(none), None, "{none}");
        }
    }
}
