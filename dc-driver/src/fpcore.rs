//! Benchmarks in FPCore as candidates, `--fpcore FILE`, and kernels as FPCore.

use super::args::FpcoreArgs;
use super::context::Context;
use super::failure::Failure;
use super::meant::{Meant, Purpose};
use dc_runtime::search::run_file::Header;
use dc_runtime::sweep::Sweep;
use kernels_gen::program::Program;

/// The program's sweeps, with that of the benchmark on the command line as the only one, and its name.
pub(super) fn alone(args: &FpcoreArgs, context: &mut Context) -> Result<Option<String>, Failure> {
    let Some(sweep) = sweep(args, (Meant::NONE, Purpose::Bound), context)? else {
        return Ok(None);
    };
    context.sweeps = Box::leak(Box::new([sweep]));
    Ok(Some(sweep.name().into()))
}

#[cfg(not(feature = "references"))]
mod with_references {
    use super::{Context, Failure, FpcoreArgs, Header, Meant, Program, Purpose, Sweep};
    use crate::library::not_compiled;

    pub fn sweep(
        args: &FpcoreArgs,
        _: (Meant<'_>, Purpose),
        _: &mut Context,
    ) -> Result<Option<Sweep>, Failure> {
        match args.fpcore {
            Some(_) => Err(not_compiled()),
            None => Ok(None),
        }
    }

    pub fn sweep_of(_: &Header) -> Result<Option<Sweep>, Failure> {
        Ok(None)
    }

    pub fn text(_: &Program, _: &str) -> Result<String, Failure> {
        Err(not_compiled())
    }
}

#[cfg(feature = "references")]
mod with_references {
    use dc_formula::Form;
    use dc_formula::fpcore::{Core, read};

    use super::{Context, Failure, FpcoreArgs, Header, Meant, Program, Purpose, Sweep};
    use dc_runtime::model::candidate::{Candidate, Reference};
    use dc_runtime::model::host::HostFunction;
    use dc_runtime::model::key::Precision;
    use dc_runtime::model::space::InputSpace;
    use dc_runtime::search::range::quote;

    /// The sweep of the benchmark on the command line, if there is one.
    pub fn sweep(
        args: &FpcoreArgs,
        (meant, purpose): (Meant<'_>, Purpose),
        context: &mut Context,
    ) -> Result<Option<Sweep>, Failure> {
        let Some(path) = &args.fpcore else {
            // clap does not require an argument that excludes one that is given, a sweep.
            return match args.core {
                Some(_) => Err(Failure::input(
                    "--core needs --fpcore FILE instead of a sweep",
                )),
                None => Ok(None),
            };
        };
        let of_file = |e: String| Failure::input(format!("{}: {e}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|e| of_file(e.to_string()))?;
        let cores = read(&text).map_err(of_file)?;
        let core = chosen(&cores, args.core.as_deref()).map_err(of_file)?;
        let range = match &core.range {
            Some(Err(why)) => {
                context.note(&format!(
                    "{}: {why}: without --range the range is all",
                    core.title()
                ));
                "all".into()
            }
            Some(Ok(range)) => range.clone(),
            None => "all".into(),
        };
        let sweep = of(core, &range, (meant, purpose)).map_err(|e| Failure {
            message: format!("{}: {}", path.display(), e.message),
            ..e
        })?;
        context.note(&format!(
            "{}: its functions are the reference functions, rounded; it is compared with {}",
            sweep.name(),
            match (meant.is_given(), core.has_spec) {
                (true, _) => "what the command line names",
                (false, true) => "its :spec",
                (false, false) => "its body in real arithmetic",
            }
        ));
        Ok(Some(sweep))
    }

    fn chosen<'a>(cores: &'a [Core], name: Option<&str>) -> Result<&'a Core, String> {
        let names = || {
            let each = cores.iter().enumerate();
            let all: Vec<String> = each
                .map(|(i, c)| format!("{} {}", i + 1, c.title()))
                .collect();
            all.join(", ")
        };
        match (cores, name) {
            ([one], None) => Ok(one),
            (_, None) => Err(format!(
                "it has {} benchmarks; name one with --core: {}",
                cores.len(),
                names()
            )),
            (_, Some(name)) => {
                let by_number = name
                    .parse::<usize>()
                    .ok()
                    .and_then(|n| cores.get(n.wrapping_sub(1)));
                let by_name = || cores.iter().find(|c| c.name.as_deref() == Some(name));
                by_number.or_else(by_name).ok_or_else(|| {
                    format!(
                        "it has no benchmark `{}`; there are {}",
                        quote(name),
                        names()
                    )
                })
            }
        }
    }

    fn of(
        core: &Core,
        range: &str,
        (meant, purpose): (Meant<'_>, Purpose),
    ) -> Result<Sweep, Failure> {
        let space = match (core.arguments.len(), core.precision) {
            (1, p) => InputSpace::Numbers(p),
            (_, p) => InputSpace::pairs(p),
        };
        // All inputs of binary32 are run, also for a bound.
        let purpose = match core.precision {
            Precision::F32 => Purpose::Search,
            Precision::F64 => purpose,
        };
        let plain = |c: char| c.is_alphanumeric() || "._-+".contains(c);
        let name: String = core
            .title()
            .chars()
            .map(|c| if plain(c) { c } else { '_' })
            .collect();
        // A sweep and its name are static data of the program: there is one per command, and so one per process.
        let (name, range): (&'static str, &'static str) = (name.leak(), range.to_string().leak());
        let routine = Candidate::Kernel(core.routine().map_err(Failure::input)?);
        let own = |form| core.meant(form).map_err(Failure::input);
        let reference = match (meant.is_given(), purpose) {
            (true, _) => meant.reference(space, purpose)?,
            (false, Purpose::Search) => Reference::Formula(own(Form::Guarded)?),
            (false, _) => Reference::Kernel(own(Form::Value)?),
        };
        let truth = match meant.is_given() {
            true => meant.function()?,
            false => core.function(),
        };
        let sweep = match reference {
            Reference::Kernel(_) => {
                // Two kernels of which rustc compiled none: the routine takes the place of one that has a loop.
                let other = match (space.arguments().len(), core.precision) {
                    (1, Precision::F64) => HostFunction::f64(name, |x| x),
                    (1, Precision::F32) => HostFunction::f32(name, |x| x),
                    (_, Precision::F64) => HostFunction::f64_two(name, |x, _| x),
                    (_, Precision::F32) => HostFunction::f32_two(name, |x, _| x),
                };
                Sweep::accuracy_only(name, Candidate::Host(other), reference, range)
                    .with_candidate(routine, space)
            }
            _ => Sweep::accuracy_only(name, routine, reference, range),
        };
        Ok(truth.map_or(sweep, |f| sweep.of(f)))
    }

    /// The sweep of the benchmark in a run file, if the file has one.
    pub fn sweep_of(header: &Header) -> Result<Option<Sweep>, Failure> {
        let Some(routine) = header.identity.kernels.first() else {
            return Ok(None);
        };
        if routine.module != dc_formula::FPCORE {
            return Ok(None);
        }
        let cores = read(&routine.source).map_err(Failure::input)?;
        let core = chosen(&cores, None).map_err(Failure::input)?;
        of(core, &header.range_text, (Meant::NONE, Purpose::Search)).map(Some)
    }

    /// A kernel as FPCore.
    pub fn text(program: &Program, name: &str) -> Result<String, Failure> {
        dc_formula::write::fpcore(program, name).map_err(Failure::input)
    }
}

pub(super) use with_references::{sweep, sweep_of, text};
