//! `emit`: a kernel as the text that a backend compiles, or as IR.

use kernels_gen::emit::{CorrectF32Divide, Dialect, Options, point_kernel, sweep_kernel};
use kernels_gen::{identity, lower, text};
use serde_json::json;

use crate::driver::args::{EmitArgs, Target};
use crate::driver::context::Context;
use crate::driver::failure::Failure;
use crate::driver::kernels;
use crate::search::identity::kernel_name;
use crate::search::range::quote;

pub(super) fn emit(args: &EmitArgs, context: &mut Context) -> Result<(), Failure> {
    let dialect = match args.target {
        Target::Opencl if args.derive_divide => Dialect::OpenCl(CorrectF32Divide::Derived),
        Target::Opencl => Dialect::OpenCl(CorrectF32Divide::Native),
        Target::Cuda | Target::Ir => Dialect::Cuda,
    };
    let options = Options {
        dialect,
        line_directives: args.line_directives,
        lanes: args.lanes,
    };
    let refused = |e: kernels_gen::LowerError| Failure::input(e.to_string());
    let (name, identities, source) = if args.search {
        let sweep = context.sweep(&args.kernel)?;
        let kernels = [&sweep.approx, &sweep.reference, &sweep.judge].map(|k| k.kernel);
        let [a, r, j] = kernels.map(lower);
        let programs = [
            a.map_err(refused)?,
            r.map_err(refused)?,
            j.map_err(refused)?,
        ];
        let identities = programs.each_ref().map(identity::identity_hex).to_vec();
        let source = if args.target == Target::Ir {
            programs.each_ref().map(text::text).join("\n")
        } else {
            let [approx, reference, judge] = &programs;
            let sweep = kernels_gen::emit::Sweep {
                approx,
                reference,
                judge,
                precision: sweep.precision.prim(),
            };
            let source = sweep_kernel(&sweep, &options);
            source.map_err(|e| Failure::input(e.to_string()))?.text
        };
        (sweep.name.to_string(), identities, source)
    } else {
        let all = kernels::all(context.sweeps);
        let kernel = match kernels::named(&all, &args.kernel)[..] {
            [one] => one,
            [] => {
                let mut names: Vec<String> = all.iter().map(|k| kernel_name(k)).collect();
                names.sort_unstable();
                names.dedup();
                return Err(Failure::input(format!(
                    "no kernel is called `{}`; there are: {}",
                    quote(&args.kernel),
                    names.join(", ")
                )));
            }
            ref several => {
                let names: Vec<String> = several.iter().map(|k| kernels::path(k)).collect();
                return Err(Failure::input(format!(
                    "several kernels are called `{}`; name one of: {}",
                    quote(&args.kernel),
                    names.join(", ")
                )));
            }
        };
        let program = lower(kernel).map_err(refused)?;
        let source = match args.target {
            Target::Ir => text::text(&program),
            Target::Cuda | Target::Opencl => point_kernel(&program, &options).text,
        };
        (
            kernel_name(kernel),
            vec![identity::identity_hex(&program)],
            source,
        )
    };
    if context.json {
        let target = match args.target {
            Target::Cuda => "cuda",
            Target::Opencl => "opencl",
            Target::Ir => "ir",
        };
        let document =
            json!({ "name": name, "target": target, "identities": identities, "text": source });
        context.out.json(&document)?;
    } else {
        context.out.line(source.trim_end())?;
    }
    Ok(())
}
