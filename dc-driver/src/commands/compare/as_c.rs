//! Kernels as C functions, for the measurement of time. The compiled kernel of a sweep cannot serve: it evaluates the reference as well.

use dc_runtime::model::programs::program_of;
use std::process::Command;

use kernels_gen::emit::{Options, plain_c};
use kernels_gen::ir::Kernel;
use kernels_gen::ops::Prim;

use crate::context::Context;
use crate::folder::Temporary;
use dc_runtime::model::candidate::Candidate;
use dc_runtime::model::library::LibraryFunction;
use dc_runtime::model::space::InputSpace;

/// The compiler.
const COMPILER: &str = "cc";

/// The kernel as a function of a shared library, compiled from C.
///
/// # Errors
/// The reason why there is no such function.
pub(super) fn function(
    kernel: &'static Kernel,
    context: &mut Context,
) -> Result<Candidate, String> {
    let program = program_of(kernel).map_err(|e| e.to_string())?;
    let entry = program.entry();
    let types: Vec<&str> = (entry.params.iter())
        .map(|(_, ty)| match ty {
            Prim::F32 => "f32",
            Prim::F64 => "f64",
            _ => "no float",
        })
        .collect();
    let inputs = InputSpace::of_signature(&types.join(","))
        .ok_or_else(|| format!("`{}` is not a function of floats", kernel.name))?;
    let text = plain_c(program, &Options::cuda()).text;
    let folder = Temporary::new("compare").map_err(|e| e.message)?;
    let (source, library) = (folder.0.join("kernel.c"), folder.0.join("kernel.so"));
    std::fs::write(&source, text).map_err(|e| format!("{}: {e}", source.display()))?;
    let mut compiler = Command::new(COMPILER);
    compiler.args(["-O2", "-ffp-contract=off", "-shared", "-fPIC"]);
    // Without it a fused operation is a call.
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("fma") {
        compiler.arg("-mfma");
    }
    let compiled = compiler.arg(&source).arg("-o").arg(&library).arg("-lm");
    let output = compiled
        .output()
        .map_err(|e| format!("there is no C compiler `{COMPILER}`: {e}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let first = text.lines().find(|l| l.contains("error")).unwrap_or("");
        return Err(format!("`{COMPILER}`: {first}"));
    }
    let symbol = format!("crunch_{}", entry.name);
    let function = LibraryFunction::open(&library.to_string_lossy(), &symbol, inputs);
    let function = function.map_err(|e| e.to_string())?;
    // Its worker loads the file again.
    context.folders.push(folder);
    Ok(Candidate::Library(Box::leak(Box::new(function))))
}
