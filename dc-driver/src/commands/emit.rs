//! `emit`: a kernel as the text that a backend compiles, as a function in C, WGSL or GLSL, as IR, as FPCore, or as a script for Gappa.

use dc_runtime::model::programs::program_of;
use kernels_gen::emit::{
    CorrectF32Divide, Dialect, Options, Shading, plain_c, point_kernel, shader,
};
use kernels_gen::ir::Kernel;
use kernels_gen::ops::Prim;
use kernels_gen::program::Program;
use kernels_gen::{identity, text};
use serde_json::json;

use crate::args::{EmitArgs, Target};
use crate::context::Context;
use crate::failure::Failure;
use crate::{fpcore, kernels, lifted};
use dc_runtime::backend::{KernelRef, search_text};
use dc_runtime::model::key::Precision;
use dc_runtime::model::near::near;
use dc_runtime::search::gappa;
use dc_runtime::search::identity::kernel_name;
use dc_runtime::search::range::{Range, quote};

/// The error for a name that does not exist.
fn unknown(name: &str, kernels: &[&'static Kernel], context: &Context) -> Failure {
    let kernels: Vec<String> = kernels.iter().map(|k| kernel_name(k)).collect();
    let sweeps = context.sweeps.iter().map(|s| s.name());
    let near = near(name, kernels.iter().map(String::as_str).chain(sweeps));
    let meant = match near.is_empty() {
        true => String::new(),
        false => format!("; near it: {}", near.join(", ")),
    };
    Failure::input(format!(
        "no kernel or sweep is called `{}`{meant}; `{} list --kernels` lists all {}; a kernel that no sweep reaches is found only if the \
         program lists it in `kernels![…]` (driver::main_with)",
        quote(name),
        context.program,
        kernels.len()
    ))
}

pub(super) fn emit(args: &EmitArgs, context: &mut Context) -> Result<(), Failure> {
    let dialect = match args.target {
        Target::Opencl if args.derive_divide => Dialect::OpenCl(CorrectF32Divide::Derived),
        Target::Opencl => Dialect::OpenCl(CorrectF32Divide::Native),
        // Among the others, only CUDA's text has a dialect.
        _ => Dialect::Cuda,
    };
    if args.target != Target::Gappa
        && !(args.range.is_empty() && args.given.is_empty() && args.hints.is_none())
    {
        return Err(Failure::input(
            "--range, --given and --hints are for --target gappa; leave them out",
        ));
    }
    let options = Options {
        dialect,
        line_directives: args.line_directives,
        ..Options::cuda().with_lanes(args.lanes)
    };
    let refused = |e: kernels_gen::LowerError| Failure::input(e.to_string());
    let lifted = lifted::kernel(&args.lifted, context)?;
    let named = args.kernel.as_deref().unwrap_or_default();
    let (name, identities, source) = if args.search {
        if !matches!(args.target, Target::Cuda | Target::Opencl | Target::Ir) {
            return Err(Failure::input(format!(
                "a search has no form in {}; leave out --search and name the routine",
                language(args.target)
            )));
        }
        let sweep = context.sweep_of_one(named)?;
        let kernels = sweep.kernels().ok_or_else(|| {
            Failure::input(format!(
                "the search of `{}` has no text: {}",
                sweep.name(),
                sweep.why_accuracy_only()
            ))
        })?;
        let [a, r, j] = kernels.map(|k| program_of(k.kernel));
        let programs = [
            a.map_err(refused)?,
            r.map_err(refused)?,
            j.map_err(refused)?,
        ];
        let identities = programs.map(identity::identity_hex).to_vec();
        let source = if args.target == Target::Ir {
            programs.map(text::text).join("\n")
        } else {
            let source = search_text(programs, sweep.precision(), args.measure, &options);
            source.map_err(|e| Failure::input(e.to_string()))?.text
        };
        (sweep.name().to_string(), identities, source)
    } else {
        let all = kernels::all(context.sweeps, context.kernels);
        let kernel = match (lifted, &kernels::named(&all, named)[..]) {
            (Some(lifted), _) => lifted,
            (None, [one]) => *one,
            // A sweep's name stands for its routine.
            (None, []) => match context.sweeps.iter().find(|s| s.name() == named) {
                Some(sweep) => sweep
                    .candidate()
                    .kernel()
                    .map(|k| k.kernel)
                    .ok_or_else(|| {
                        Failure::input(format!(
                            "the routine of `{}` is not a kernel, so it has no text",
                            sweep.name()
                        ))
                    })?,
                None => return Err(unknown(named, &all, context)),
            },
            (None, several) => {
                let names: Vec<String> = several.iter().map(|k| kernels::path(k)).collect();
                return Err(Failure::input(format!(
                    "several kernels are called `{}`; name one of: {}",
                    quote(named),
                    names.join(", ")
                )));
            }
        };
        let program = program_of(kernel).map_err(refused)?;
        let source = match args.target {
            Target::Ir => text::text(program),
            Target::Cuda | Target::Opencl => point_kernel(program, &options).text,
            Target::C => plain_c(program, &options).text,
            Target::Wgsl => shader_text(program, Shading::Wgsl)?,
            Target::Glsl => shader_text(program, Shading::Glsl)?,
            Target::Gappa => gappa_text(args, context, kernel, program)?,
            Target::Fpcore => fpcore::text(program, kernel.name)?,
        };
        (
            kernel_name(kernel),
            vec![identity::identity_hex(program)],
            source,
        )
    };
    if context.json {
        let target = match args.target {
            Target::Cuda => "cuda",
            Target::Opencl => "opencl",
            Target::C => "c",
            Target::Wgsl => "wgsl",
            Target::Glsl => "glsl",
            Target::Ir => "ir",
            Target::Gappa => "gappa",
            Target::Fpcore => "fpcore",
        };
        let document =
            json!({ "name": name, "target": target, "identities": identities, "text": source });
        context.out.json(&document)?;
    } else {
        context.out.line(source.trim_end())?;
    }
    Ok(())
}

/// A target's name in messages.
fn language(target: Target) -> &'static str {
    match target {
        Target::Cuda => "CUDA C",
        Target::Opencl => "OpenCL C",
        Target::C => "C",
        Target::Wgsl => "WGSL",
        Target::Glsl => "GLSL",
        Target::Ir => "the IR",
        Target::Gappa => "Gappa",
        Target::Fpcore => "FPCore",
    }
}

fn shader_text(program: &Program, shading: Shading) -> Result<String, Failure> {
    let shader = shader(program, shading).map_err(|e| Failure::input(e.to_string()))?;
    Ok(shader.text)
}

/// The script for Gappa, with the ranges, hypotheses and hints of the command line.
fn gappa_text(
    args: &EmitArgs,
    context: &Context,
    kernel: &'static Kernel,
    program: &Program,
) -> Result<String, Failure> {
    let params = &program.entry().params;
    let own: Vec<String> = context
        .sweeps
        .iter()
        .filter(|s| {
            let of = [s.candidate().kernel(), s.reference().kernel()];
            let same = |k: &KernelRef| kernels::path(k.kernel) == kernels::path(kernel);
            of.into_iter().flatten().any(same)
        })
        .map(|s| s.range().to_string())
        .take(usize::from(args.range.is_empty()))
        .collect();
    let mut texts: Vec<Option<&str>> = vec![None; params.len()];
    for given in own.iter().chain(&args.range) {
        match given.split_once('=').filter(|(_, range)| !range.is_empty()) {
            // `1.0..=2.0` contains an equals sign, too.
            Some((name, range)) if !name.contains("..") => {
                let of = params.iter().position(|p| p.0 == name.trim());
                let Some(of) = of else {
                    let names: Vec<&str> = params.iter().map(|p| &p.0[..]).collect();
                    return Err(Failure::input(format!(
                        "{} has no parameter `{}`; its parameters are {}",
                        kernel.name,
                        quote(name.trim()),
                        names.join(", ")
                    )));
                };
                texts[of] = Some(range);
            }
            _ => texts.fill(Some(given)),
        }
    }
    let mut ranges = Vec::new();
    for ((name, prim), text) in params.iter().zip(&texts) {
        let precision = match prim {
            Prim::F64 => Precision::F64,
            Prim::F32 => Precision::F32,
            // The emitter reports the error.
            _ => continue,
        };
        let Some(text) = text else {
            return Err(Failure::input(format!(
                "parameter `{name}` of {} has no range; give it one with --range {name}=1.0..2.0",
                kernel.name
            )));
        };
        ranges.push(Range::parse(text, precision).map_err(|e| Failure::input(e.to_string()))?);
    }
    let hints = match &args.hints {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|e| Failure::input(format!("{}: {e}", path.display())))?,
        None => String::new(),
    };
    gappa::script(kernel, &ranges, &args.given, &hints)
        .map(|script| script.text)
        .map_err(|e| Failure::input(e.to_string()))
}
