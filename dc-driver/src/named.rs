//! Candidates that a command line names without a sweep, several of them side by side: `exp`, `libm.so.6:expf:f32`, `exp.c:my_exp`.

use std::path::Path;

use super::args::{Contract, LiftedArgs};
use super::context::Context;
use super::failure::Failure;
use super::meant::{Meant, Purpose};
use super::{device, library, lifted};
use dc_runtime::model::space::InputSpace;
use dc_runtime::search::differ::DifferError;
use dc_runtime::sweep::Sweep;

/// A candidate and its name.
pub(super) struct Named {
    pub name: String,
    pub sweep: Sweep,
    /// Whether the candidate is judged by the sweep's reference. Otherwise, the reference only serves to cut samples.
    pub judged: bool,
}

/// The sweep that a text names, or the function of a library, a device or a source file.
pub(super) fn named(text: &str, context: &mut Context) -> Result<Named, Failure> {
    if is_of_source(text) {
        let source = LiftedArgs {
            lift: Some(text.into()),
            contract: Some(Contract::Off),
            ..LiftedArgs::default()
        };
        if let Some(sweep) = lifted::sweep(&source, (Meant::ANY, Purpose::Search), None, context)? {
            return Ok(Named {
                name: text.into(),
                sweep,
                judged: false,
            });
        }
    }
    let unknown = match context.sweep(text) {
        Ok(sweep) => {
            return Ok(Named {
                // Several sweeps may have kernels with one name.
                name: sweep.name().into(),
                sweep: *sweep,
                judged: true,
            });
        }
        Err(e) => e.message,
    };
    match text.rsplitn(3, ':').collect::<Vec<_>>()[..] {
        [signature, symbol, file] => {
            let (name, sweep) = match device::alone(file, symbol, signature, context)? {
                None => library::alone(file, symbol, signature)?,
                Some(of_device) => of_device,
            };
            Ok(Named {
                name,
                sweep,
                judged: false,
            })
        }
        _ => Err(Failure::input(format!(
            "{unknown}; name a function of a library as FILE:SYMBOL:SIGNATURE, such as libm.so.6:expf:f32, and a function of a device such \
             as opencl:pocl/0:native_exp:f32"
        ))),
    }
}

/// Whether a text names a function in a source file, such as `exp.c:my_exp`.
pub(super) fn is_of_source(text: &str) -> bool {
    let file = text.split(':').next().unwrap_or_default();
    let extension = Path::new(file).extension().and_then(|e| e.to_str());
    const SOURCES: [&str; 7] = ["c", "cc", "cpp", "cxx", "rs", "ll", "bc"];
    file.len() < text.len() && extension.is_some_and(|e| SOURCES.contains(&e))
}

/// The inputs that all candidates have in common.
pub(super) fn inputs_of(all: &[Named]) -> Result<InputSpace, Failure> {
    let mut spaces = all.iter().map(|n| n.sweep.inputs().whole());
    let first = spaces.next().unwrap_or(all[0].sweep.inputs());
    match spaces.find(|s| *s != first) {
        None => Ok(first),
        Some(other) => Err(Failure::input(
            DifferError::Inputs(first, other).to_string(),
        )),
    }
}
